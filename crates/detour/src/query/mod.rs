//! Queries, one per file. Queries that need scratch memory are methods of [`Query`], the others are methods
//! of `NavMesh`.

pub mod around;
pub mod closest;
pub(crate) mod corridor_scratch;
mod crossings;
pub mod field;
pub mod find_path;
pub mod ground_path;
pub mod height;
pub mod in_box;
pub mod nearest;
pub mod nearest_anywhere;
pub mod nearest_reachable;
pub mod neighbourhood;
pub mod outline;
pub mod paths;
pub mod random_point;
pub mod raycast;
pub mod route;
pub mod shortcut;
pub mod shortest_path;
pub mod sliced_path;
pub mod slide;
pub mod straight_path;
pub mod surface_path;
pub mod vertical;
pub mod wall_distance;

pub(crate) mod box_search;
mod first_corners;
mod funnel;
mod funnel_search;
mod leg;
mod nearest_search;
mod node_search;
mod nodes;
mod open_list;
mod over_link;
mod path_status;
mod rules;
mod straighten;
mod surface_point;
mod taut;

use crate::mesh::ReachScratch;
use corridor_scratch::CorridorScratch;
use crossings::CrossingScratch;
use funnel::Funnel;
use funnel_search::FunnelSearch;
use ground_path::{GroundPath, GroundScratch};
use node_search::PathNode;
use nodes::NodePool;
use open_list::OpenList;
use outline::OutlineScratch;
use random_point::RandomScratch;
use shortcut::ShortcutScratch;
use shortest_path::SightScratch;
use std::num::NonZeroU32;
use surface_path::SurfaceScratch;
use surface_point::BoxClip;
use taut::TautString;

/// The default limit on the polygons that a search may touch: about 10 MB once a search has used them all.
pub const DEFAULT_MAX_NODES: NonZeroU32 = NonZeroU32::new(65_536).expect("not zero");

/// Scratch memory for queries, for one thread at a time. It can be used with any mesh. Its memory grows with
/// the largest search so far and is kept, so that a steady stream of queries allocates nothing.
#[derive(Debug)]
pub struct Query {
    /// The nodes of the current search.
    nodes: NodePool,
    /// The nodes of the current search for a path.
    path_nodes: NodePool<PathNode>,
    /// The labels of the current funnel search.
    funnel_search: FunnelSearch,
    /// Nodes or labels still to be settled.
    open: OpenList,
    /// BV nodes still to be visited.
    stack: Vec<u32>,
    /// For the nearest polygon.
    clip: BoxClip,
    /// For the islands that can be reached.
    reach: ReachScratch,
    /// For string pulling.
    funnel: Funnel,
    /// The string of the last path.
    taut: TautString,
    /// For string pulling over links between edges.
    crossings: CrossingScratch,
    outline: OutlineScratch,
    random: RandomScratch,
    /// For the search for the shortest path.
    sight: SightScratch,
    shortcut: ShortcutScratch,
    surface: SurfaceScratch,
    /// For paths over the ground.
    ground: GroundScratch,
    ground_line: GroundPath,
    /// For corridors.
    pub(crate) corridor: CorridorScratch,
}

impl Default for Query {
    fn default() -> Query {
        Query::new()
    }
}

impl Query {
    /// Creates scratch memory for searches of up to [`DEFAULT_MAX_NODES`] polygons.
    pub fn new() -> Query {
        Query::with_max_nodes(DEFAULT_MAX_NODES)
    }

    /// Creates scratch memory for searches of up to `max_nodes` polygons; a search that needs more ends with
    /// its best partial result.
    pub fn with_max_nodes(max_nodes: NonZeroU32) -> Query {
        Query {
            nodes: NodePool::new(max_nodes),
            path_nodes: NodePool::new(max_nodes),
            funnel_search: FunnelSearch::new(max_nodes),
            open: OpenList::default(),
            stack: Vec::new(),
            clip: BoxClip::default(),
            reach: ReachScratch::default(),
            funnel: Funnel::default(),
            taut: TautString::default(),
            crossings: CrossingScratch::default(),
            outline: OutlineScratch::default(),
            random: RandomScratch::default(),
            sight: SightScratch::default(),
            shortcut: ShortcutScratch::default(),
            surface: SurfaceScratch::default(),
            ground: GroundScratch::default(),
            ground_line: GroundPath::default(),
            corridor: CorridorScratch::default(),
        }
    }

    /// The limit on the polygons that a search may touch.
    pub fn max_nodes(&self) -> NonZeroU32 {
        self.nodes.max_nodes()
    }
}
