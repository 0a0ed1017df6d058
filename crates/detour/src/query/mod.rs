//! Questions, one verb a file. Those that need scratch memory are methods of [`Query`], the others of `NavMesh`.

pub mod around;
pub mod closest;
pub mod find_path;
pub mod height;
pub mod in_box;
pub mod nearest;
pub mod nearest_reachable;
pub mod neighbourhood;
pub mod outline;
pub mod random_point;
pub mod raycast;
pub mod route;
pub mod shortcut;
pub mod shortest_path;
pub mod sliced_path;
pub mod slide;
pub mod straight_path;
pub mod vertical;
pub mod wall_distance;

mod box_search;
mod funnel;
mod nodes;
mod open_list;
mod rules;
mod taut;

use funnel::Funnel;
use nodes::NodePool;
use open_list::OpenList;
use outline::OutlineScratch;
use random_point::RandomScratch;
use shortcut::ShortcutScratch;
use shortest_path::SightScratch;
use std::num::NonZeroU32;
use taut::TautScratch;

/// How many polygons a search may touch unless told otherwise: about 10 MB once a search has used them all.
pub const DEFAULT_MAX_NODES: NonZeroU32 = NonZeroU32::new(65_536).expect("not zero");

/// Scratch memory of searches, for one thread at a time. Any mesh may be asked with it. Memory grows with the
/// largest search so far and is kept, so that a steady stream of questions allocates nothing.
#[derive(Debug)]
pub struct Query {
    /// Polygons that the running search has touched.
    nodes: NodePool,
    /// Ways that a search by strings has found.
    taut: TautScratch,
    /// Those of them still to be settled.
    open: OpenList,
    /// BV nodes still to be looked into.
    stack: Vec<u32>,
    /// What string pulling works on.
    funnel: Funnel,
    /// What cutting edges at seams works on.
    outline: OutlineScratch,
    /// What the choice of random points works on.
    random: RandomScratch,
    /// What searches for the shortest path work on.
    sight: SightScratch,
    /// What looking for shortcuts works on.
    shortcut: ShortcutScratch,
}

impl Default for Query {
    fn default() -> Query {
        Query::new()
    }
}

impl Query {
    /// Scratch for searches of up to [`DEFAULT_MAX_NODES`] polygons.
    pub fn new() -> Query {
        Query::with_max_nodes(DEFAULT_MAX_NODES)
    }

    /// Scratch for searches of up to `max_nodes` polygons; a search that needs more ends with the best partial
    /// path it has.
    pub fn with_max_nodes(max_nodes: NonZeroU32) -> Query {
        Query {
            nodes: NodePool::new(max_nodes),
            taut: TautScratch::new(max_nodes),
            open: OpenList::default(),
            stack: Vec::new(),
            funnel: Funnel::default(),
            outline: OutlineScratch::default(),
            random: RandomScratch::default(),
            sight: SightScratch::default(),
            shortcut: ShortcutScratch::default(),
        }
    }

    /// How many polygons a search may touch.
    pub fn max_nodes(&self) -> NonZeroU32 {
        self.nodes.max_nodes()
    }
}
