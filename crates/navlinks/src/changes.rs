//! The links that a change can affect: finds them again in a window of the level, with exactly the result of
//! a bake of the whole level.
//!
//! A candidate is kept or dropped because of the ground near it, the candidates near it, and the links near
//! it that are kept before it. *Near* is the reach of the longest path that its profile's `worth` allows.
//! Links further away affect it only through others in between. So the tiles are divided:
//!
//! ```text
//!     ┌──────────────────────────────┐   rim      ground only, to find all links within
//!     │  ┌────────────────────────┐  │
//!     │  │  ┌──────────────────┐  │  │   belt     twice as wide as a candidate's reach: its links are found
//!     │  │  │  inner, with the │  │  │            again, and must equal those of the previous bake
//!     │  │  │  change          │  │  │
//!     │  │  └──────────────────┘  │  │   inner    all that the change can reach: links are found again
//!     │  └────────────────────────┘  │
//!     └──────────────────────────────┘
//! ```
//!
//! If the links of the belt equal those of the previous bake, the new links inside the belt and the previous
//! links outside it are the links of the level. No candidate sees both sides of the belt, so each is decided
//! as in a bake of the whole level, where everything that it sees is equal; by induction over their order
//! there is only one such set of links. A row of candidates that leads across the belt would join both sides,
//! because an edge is as long as its row. If there is such a row, or if links of the belt differ, those tiles
//! become inner tiles, and the window grows.
//!
//! Cost: that of all links in the window for each time that it grows.

use crate::generated::join_links_in;
use crate::ground_store::GroundStore;
use crate::link::GeneratedLink;
use crate::reach::LinkReach;
use crate::search::{FoundLinks, LinkIslands, LinkSearch};
use navtile::graph::{Anchor, SurvivingIslands, TileNode};
use navtile::{IslandGraph, TileCoord};
use recast::PreparedLevel;
use std::collections::{BTreeMap, BTreeSet};

/// The tiles around a change that matter for links. For levels of one layer.
#[derive(Clone, Debug)]
pub struct LinkWindow {
    reach: LinkReach,
    tile_cells: u32,
    /// All tiles of the level.
    coords: BTreeSet<TileCoord>,
    /// The tiles that changed or no longer exist.
    changed: BTreeSet<TileCoord>,
    inner: BTreeSet<TileCoord>,
    belt: BTreeSet<TileCoord>,
    /// All tiles whose ground is needed.
    ground: BTreeSet<TileCoord>,
}

/// The result of a search in a window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowLinks {
    /// The links found: for the tiles that are [written](LinkWindow::written) they are the links of the
    /// level.
    Found(Vec<GeneratedLink>),
    /// The change reaches further: the ground of more tiles is needed.
    Grown,
}

/// An island graph, and the islands in it that are kept.
struct JudgedGraph<'a> {
    graph: &'a IslandGraph,
    kept: SurvivingIslands,
}

impl JudgedGraph<'_> {
    /// The level's island for an island of a node, if it is kept.
    fn island(&self, node: usize, local: u32) -> Option<u32> {
        self.kept.keeps(node, local).then(|| self.kept.islands.find(node, local)).flatten()
    }
}

impl LinkWindow {
    /// The window around changed tiles of a level in tiles of `tile_cells` cells. `coords` are all tiles that
    /// the level has now. Tiles that no longer exist count as changed too.
    pub fn new(
        level: &PreparedLevel,
        tile_cells: u32,
        coords: &[TileCoord],
        changed: BTreeSet<TileCoord>,
    ) -> LinkWindow {
        let mut window = LinkWindow {
            reach: LinkReach::new(level),
            tile_cells: tile_cells.max(1),
            coords: coords.iter().copied().collect(),
            changed: BTreeSet::new(),
            inner: BTreeSet::new(),
            belt: BTreeSet::new(),
            ground: BTreeSet::new(),
        };
        window.change(changed);
        window
    }

    /// The tiles whose ground it needs.
    pub fn ground(&self) -> &BTreeSet<TileCoord> {
        &self.ground
    }

    /// The tiles in which links may differ, which are written again.
    pub fn written(&self) -> BTreeSet<TileCoord> {
        self.around(&self.inner, self.reach.across)
    }

    /// Returns true if the window covers the whole level.
    pub fn is_whole(&self) -> bool {
        self.inner.len() == self.coords.len()
    }

    /// Marks more tiles as changed.
    pub fn change(&mut self, tiles: BTreeSet<TileCoord>) {
        self.changed.extend(&tiles);
        let near = self.around(&tiles, self.reach.judged);
        self.take(near);
    }

    /// Adds tiles to the inner part, and extends the belt and the ground around them.
    fn take(&mut self, tiles: BTreeSet<TileCoord>) {
        let LinkReach { found, judged, .. } = self.reach;
        self.inner.extend(tiles);
        let within = self.around(&self.inner, 2 * judged);
        self.ground = self.around(&within, judged + found);
        self.belt = within.difference(&self.inner).copied().collect();
    }

    /// The tiles that have a column within `reach` columns of some tiles, these included.
    fn around(&self, tiles: &BTreeSet<TileCoord>, reach: u32) -> BTreeSet<TileCoord> {
        let is_near = |coord: &&TileCoord| {
            tiles.contains(coord) || near(tiles, **coord, self.rings(reach)).next().is_some()
        };
        self.coords.iter().filter(is_near).copied().collect()
    }

    /// The largest number of tiles that a distance in columns leads across.
    fn rings(&self, reach: u32) -> u32 {
        reach.div_ceil(self.tile_cells)
    }

    /// Adds the unchanged tiles near which islands were joined, fell apart, appeared or were dropped: links
    /// depend on which floors belong together. Returns true if the window grew.
    fn add_changed_islands(&mut self, now: &JudgedGraph<'_>, before: &JudgedGraph<'_>) -> bool {
        let same =
            now.graph.nodes().iter().enumerate().filter(|(_, node)| !self.changed.contains(&node.coord()));
        // Islands, before and now, of each local island of an unchanged tile; islands that stay dropped are
        // not ground.
        let mut of_tile: BTreeMap<TileCoord, Vec<[Option<u32>; 2]>> = BTreeMap::new();
        for (index, node) in same {
            let Some(previous) = before.graph.find(node.coord()) else { continue };
            let locals = 0..node.islands().len() as u32;
            let pairs = locals.map(|local| [before.island(previous, local), now.island(index, local)]);
            of_tile.insert(node.coord(), pairs.filter(|pair| *pair != [None; 2]).collect());
        }
        let bad = strange(of_tile.values().flatten().copied().collect());
        if bad.is_empty() {
            return false;
        }
        let rings = self.around_all(&of_tile, &bad);
        let grows = rings.iter().any(|coord| !self.inner.contains(coord));
        self.take(rings);
        grows
    }

    /// Of the given tiles, those near which pairs of islands do not match.
    fn around_all(
        &self,
        of_tile: &BTreeMap<TileCoord, Vec<[Option<u32>; 2]>>,
        bad: &BTreeSet<[Option<u32>; 2]>,
    ) -> BTreeSet<TileCoord> {
        let has_bad = |pairs: &Vec<[Option<u32>; 2]>| pairs.iter().any(|pair| bad.contains(pair));
        let where_bad: BTreeSet<TileCoord> =
            of_tile.iter().filter(|(_, pairs)| has_bad(pairs)).map(|(coord, _)| *coord).collect();
        let reach = self.reach.judged;
        let differs = |coord: &TileCoord| {
            let near = near(&self.coords, *coord, self.rings(reach));
            let pairs = near.filter_map(|coord| of_tile.get(coord)).flatten().copied();
            !strange(pairs.collect()).is_empty()
        };
        self.around(&where_bad, reach).into_iter().filter(differs).collect()
    }

    /// Finds the links in the window. The graph of `islands` has no generated links in the window; `previous`
    /// is the graph of the previous bake. `store` has the [ground](LinkWindow::ground) of the window, which
    /// is read in parts of `memory` bytes, as [`crate::find_links`] does.
    ///
    /// # Errors
    /// Ground that cannot be read.
    pub fn find<S: GroundStore>(
        &mut self,
        level: &PreparedLevel,
        islands: LinkIslands<'_>,
        previous: &IslandGraph,
        (store, memory): (&S, u64),
    ) -> Result<WindowLinks, S::Error> {
        let LinkIslands { graph, grid, min_cells } = islands;
        let [now, before] =
            [graph, previous].map(|graph| JudgedGraph { graph, kept: graph.judge(&grid, min_cells, None) });
        if self.add_changed_islands(&now, &before) {
            return Ok(WindowLinks::Grown);
        }
        let nodes: Vec<TileCoord> = graph.nodes().iter().map(TileNode::coord).collect();
        let tiles: Vec<TileCoord> = self.ground.iter().copied().collect();
        let (nodes, kept, part_of) = (&nodes, &now.kept, |at| self.part_of(at));
        let (tile_cells, part_of) = (grid.tile_cells, Some(&part_of as &dyn Fn([i32; 2]) -> u8));
        let search = LinkSearch { level, tile_cells, nodes, kept, store, memory, part_of };
        let FoundLinks { links, between: mut others } = search.run(&tiles)?;
        let joined = join_links_in(graph.clone(), &links, |coord| self.belt.contains(&coord));
        others.extend(self.belt.iter().filter(|coord| starts(&joined, **coord) != starts(previous, **coord)));
        if others.is_empty() {
            return Ok(WindowLinks::Found(links));
        }
        self.take(others);
        Ok(WindowLinks::Grown)
    }

    /// The part of the window that contains a column: 0 for the inner part, 1 for the belt, 2 for outside. A
    /// column without a tile counts as the belt.
    fn part_of(&self, at: [i32; 2]) -> u8 {
        let [x, z] = at.map(|cell| cell.div_euclid(self.tile_cells.cast_signed()));
        let at = |layer| TileCoord { x, z, layer };
        match self.coords.range(at(i32::MIN)..=at(i32::MAX)).next() {
            Some(coord) if self.inner.contains(coord) => 0,
            Some(coord) if !self.belt.contains(coord) => 2,
            _ => 1,
        }
    }

    /// The graph in which the tiles that are written have these links, and all others keep theirs.
    pub fn join(&self, graph: IslandGraph, links: &[GeneratedLink]) -> IslandGraph {
        let written = self.written();
        join_links_in(graph, links, |coord| written.contains(&coord))
    }
}

/// The tiles that are no more than `rings` tiles from one.
fn near(tiles: &BTreeSet<TileCoord>, coord: TileCoord, rings: u32) -> impl Iterator<Item = &TileCoord> {
    let at = |x: i32, end: i32| TileCoord { x, z: end, layer: end };
    let [first, last] = [coord.x.saturating_sub_unsigned(rings), coord.x.saturating_add_unsigned(rings)];
    let columns = tiles.range(at(first, i32::MIN)..=at(last, i32::MAX));
    columns.filter(move |other| other.z.abs_diff(coord.z) <= rings)
}

/// The pairs of islands, before and now, in which an island is also in another pair, is new, or no longer
/// exists.
fn strange(pairs: BTreeSet<[Option<u32>; 2]>) -> BTreeSet<[Option<u32>; 2]> {
    let mut of_one: [BTreeMap<Option<u32>, u32>; 2] = Default::default();
    for pair in &pairs {
        for (count, one) in of_one.iter_mut().zip(pair) {
            *count.entry(*one).or_default() += 1;
        }
    }
    let is_strange = |pair: &[Option<u32>; 2]| {
        pair.contains(&None) || of_one.iter().zip(pair).any(|(count, one)| count.get(one) != Some(&1))
    };
    pairs.into_iter().filter(is_strange).collect()
}

/// The starts of all off-mesh connections in a tile.
fn starts(graph: &IslandGraph, coord: TileCoord) -> Vec<Anchor> {
    let node = graph.find(coord).map(|index| &graph.nodes()[index]);
    let anchors = node.into_iter().flat_map(TileNode::anchors);
    anchors.filter(|anchor| anchor.end == 0).copied().collect()
}
