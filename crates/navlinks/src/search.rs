//! The search for the links of a level in windows, so that the ground of a window is in memory, and never
//! that of a level.
//!
//! Everything that decides about a candidate is within its reach (`reach.rs`): the ground, and candidates
//! that come before it in one order. So the level is divided into squares, whose candidates are judged one
//! square after the other:
//!
//! ```text
//!     ┌──────────────────────────────┐   ground   to find and judge all candidates within
//!     │  ┌────────────────────────┐  │
//!     │  │  ┌──────────────────┐  │  │   belt     within reach of the square: the links of squares that were
//!     │  │  │  square          │  │  │            judged are known; others are judged here, as a guess
//!     │  │  └──────────────────┘  │  │
//!     │  └────────────────────────┘  │
//!     └──────────────────────────────┘
//! ```
//!
//! A square is judged again if it was judged by other links than its belt has in the end. In the end each
//! candidate is judged by the links of the level, and there is only one such set of links: the first
//! candidate in the order depends on none, and each other one on earlier ones. A single window over the
//! whole level has the same set. The search ends, because once the first candidates are judged as in that
//! set, they stay, and so does the next one from the next time on.
//!
//! An edge may be longer than the belt is wide. If a row of candidates leads out of the belt, the ground
//! along it is added to the window, up to the place where an edge ends at the latest.
//!
//! Cost: that of all candidates in all windows; few squares are judged twice. Memory: that of one window
//! (`ground_counts.rs`), and all links.

use crate::choose::{ChosenLink, Part, choose_in};
use crate::generated::generated;
use crate::ground::LevelGround;
use crate::ground_counts::{GroundPlan, tile_size};
use crate::ground_store::GroundStore;
use crate::link::GeneratedLink;
use crate::order::LinkOrder;
use crate::profile::Reach;
use crate::reach::LinkReach;
use crate::zone::{Rect, SquareGrid, Zone};
use navmath::{Digest, Hasher};
use navtile::graph::{GraphGrid, SurvivingIslands};
use navtile::{IslandGraph, TileCoord};
use rayon::prelude::*;
use recast::{PreparedLevel, TileGround};
use std::collections::{BTreeMap, BTreeSet};

/// The islands of a level that links may lead between.
#[derive(Clone, Copy, Debug)]
pub struct LinkIslands<'a> {
    /// All tiles with their islands, before anything is dropped.
    pub graph: &'a IslandGraph,
    /// Cells and heights of the graph.
    pub grid: GraphGrid,
    /// Cells of the smallest island that links lead to.
    pub min_cells: u64,
}

/// Finds the links of a level that its profiles ask for, on the ground of all tiles that its bake kept
/// ([`recast::Baked::ground`]). The ground of some tiles at a time is in memory, if possible no more than
/// `memory` bytes. The links depend neither on that, nor on how the level is cut into tiles, except for the
/// tiles and islands of their ends. Cost: docs/links-reference.md.
///
/// # Errors
/// Ground that cannot be read.
pub fn find_links<S: GroundStore>(
    level: &PreparedLevel,
    islands: LinkIslands<'_>,
    store: &S,
    memory: u64,
) -> Result<Vec<GeneratedLink>, S::Error> {
    let LinkIslands { graph, grid, min_cells } = islands;
    if level.config.settings.links.is_empty() {
        return Ok(Vec::new());
    }
    let nodes: Vec<TileCoord> = graph.nodes().iter().map(|node| node.coord()).collect();
    let (tile_cells, kept) = (grid.tile_cells, &graph.judge(&grid, min_cells, None));
    let search = LinkSearch { level, tile_cells, nodes: &nodes, kept, store, memory, part_of: None };
    Ok(search.run(&nodes)?.links)
}

/// The links of some tiles.
pub(super) struct FoundLinks {
    /// In the order of candidates.
    pub(super) links: Vec<GeneratedLink>,
    /// Tiles between two parts of the level that rows of candidates lead across
    /// ([`Runs::leading_over`](crate::widen::Runs::leading_over)).
    pub(super) between: BTreeSet<TileCoord>,
}

/// Tiles whose links are searched, as if they were the level.
pub(super) struct LinkSearch<'a, S> {
    pub(super) level: &'a PreparedLevel,
    pub(super) tile_cells: u32,
    /// All tiles of the island graph in order, and those of their islands that are kept.
    pub(super) nodes: &'a [TileCoord],
    pub(super) kept: &'a SurvivingIslands,
    pub(super) store: &'a S,
    /// Memory for a window, bytes.
    pub(super) memory: u64,
    /// The part of the level that a column belongs to, if rows between parts are looked for.
    pub(super) part_of: Option<&'a (dyn Fn([i32; 2]) -> u8 + 'a)>,
}

/// The links found so far.
struct KnownLinks {
    grid: SquareGrid,
    links: BTreeMap<LinkOrder, GeneratedLink>,
    /// The links whose edges start in each square, wholly or in part.
    of_square: BTreeMap<[i32; 2], BTreeSet<LinkOrder>>,
    /// The squares that were judged, each with the digest of the links that it was judged by.
    judged: BTreeMap<[i32; 2], Digest>,
}

/// The result of judging a square.
struct JudgedSquare {
    links: Vec<(LinkOrder, GeneratedLink)>,
    judged_by: Digest,
    between: BTreeSet<TileCoord>,
}

impl<S: GroundStore> LinkSearch<'_, S> {
    /// Finds the links of these tiles.
    pub(super) fn run(&self, tiles: &[TileCoord]) -> Result<FoundLinks, S::Error> {
        let counted = |coord: &TileCoord| Some((*coord, self.store.counts(*coord)?));
        let tiles: Vec<(TileCoord, _)> = tiles.iter().filter_map(counted).collect();
        let plan = GroundPlan::new(self.level, self.tile_cells, &tiles, self.memory);
        let tiles: Vec<TileCoord> = tiles.into_iter().map(|(coord, _)| coord).collect();
        let mut known = KnownLinks::new(plan.grid);
        let mut between: BTreeMap<[i32; 2], BTreeSet<TileCoord>> = BTreeMap::new();
        loop {
            let mut is_settled = true;
            for &square in &plan.squares {
                if !self.is_known(&known, square) {
                    let found = self.judge(&known, square, &tiles)?;
                    between.insert(square, found.between);
                    known.set(square, found.links, found.judged_by);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
        let between = between.into_values().flatten().collect();
        Ok(FoundLinks { links: known.links.into_values().collect(), between })
    }

    /// Returns true if a square was judged by the links that are known now.
    fn is_known(&self, known: &KnownLinks, square: [i32; 2]) -> bool {
        let belt = known.grid.rect(square).grown(LinkReach::new(self.level).judged);
        let now = || self.digest(known.around(square, &belt), &belt);
        known.judged.get(&square).is_some_and(|judged_by| *judged_by == now())
    }

    fn judge(
        &self,
        known: &KnownLinks,
        square: [i32; 2],
        tiles: &[TileCoord],
    ) -> Result<JudgedSquare, S::Error> {
        let reach = LinkReach::new(self.level);
        let size = tile_size(self.level.size, self.tile_cells).map(u32::cast_signed);
        let own = known.grid.rect(square);
        let belt = own.grown(reach.judged);
        let around: Vec<_> = known.around(square, &belt).collect();
        let is_judged = |at| own.has(at) || !known.judged.contains_key(&known.grid.square(at));
        let mut zone = Zone::new(belt, size);
        loop {
            let near = |coord: &&TileCoord| {
                zone.is_near([coord.x, coord.z], reach.window() - reach.judged, reach.found)
            };
            let near: Vec<TileCoord> = tiles.iter().filter(near).copied().collect();
            let ground = LevelGround::new(self.read(near)?, self.nodes, self.kept);
            let part = Part { own, zone: &zone, is_judged: &is_judged, known: &around };
            let (chosen, runs) = choose_in(&ground, self.level, &part);
            let between = self.part_of.map(|part_of| runs.leading_over(part_of)).unwrap_or_default();
            let leads = runs.leads();
            if leads.is_empty() {
                let tile = |floor| ground.local_island(floor).0;
                let between = between.into_iter().map(tile).collect();
                return Ok(self.judged((own, belt), &ground, &chosen, &around, between));
            }
            zone.follow(&leads);
        }
    }

    /// The links of a square, and what they were judged by.
    fn judged(
        &self,
        (own, belt): (Rect, Rect),
        ground: &LevelGround,
        chosen: &[ChosenLink],
        around: &[(&LinkOrder, &GeneratedLink)],
        between: BTreeSet<TileCoord>,
    ) -> JudgedSquare {
        let settings = &self.level.config.settings;
        let cell = [settings.cell_size, settings.cell_height];
        let all = chosen.iter().map(|link| (link.order(ground, cell), generated(self.level, ground, link)));
        let (links, guessed): (Vec<_>, Vec<_>) = all.partition(|(order, _)| own.has(order.start()));
        let mut others: Vec<(&LinkOrder, &GeneratedLink)> = around.to_vec();
        others.extend(guessed.iter().map(|(order, link)| (order, link)));
        others.sort_unstable_by_key(|(order, _)| **order);
        JudgedSquare { links, judged_by: self.digest(others.into_iter(), &belt), between }
    }

    /// The ground of some tiles.
    fn read(&self, tiles: Vec<TileCoord>) -> Result<Vec<TileGround>, S::Error> {
        let size = tile_size(self.level.size, self.tile_cells);
        let read: Vec<TileGround> =
            tiles.into_par_iter().map(|coord| self.store.ground(coord)).collect::<Result<_, _>>()?;
        // All are of this size, unless they come from the bytes of another bake.
        Ok(read.into_iter().filter(|tile| tile.size() == size).collect())
    }

    /// The digest of the places where links start within a rectangle; links are in their order.
    fn digest<'l>(
        &self,
        links: impl Iterator<Item = (&'l LinkOrder, &'l GeneratedLink)>,
        within: &Rect,
    ) -> Digest {
        let mut hasher = Hasher::new();
        for (order, link) in links {
            let profile = &self.level.config.settings.links[usize::from(order.profile())];
            let points = link.points(Reach::new(profile, &self.level.config).spacing);
            let places = link.run.iter().enumerate().filter(|(_, place)| within.has(place.start()));
            for (index, place) in places {
                hasher.write_u64s(&[u64::from(order.profile()), u64::from(points.has(index))]);
                hasher.write_i32s(order.ends().as_flattened()).write_i32s(place.cells.as_flattened());
            }
        }
        hasher.finish()
    }
}

impl KnownLinks {
    fn new(grid: SquareGrid) -> KnownLinks {
        KnownLinks { grid, links: BTreeMap::new(), of_square: BTreeMap::new(), judged: BTreeMap::new() }
    }

    /// The links of other squares whose edges start within a rectangle, in their order; some may start only
    /// near it.
    fn around(&self, square: [i32; 2], within: &Rect) -> impl Iterator<Item = (&LinkOrder, &GeneratedLink)> {
        let [low, high] = within.squares(&self.grid);
        let rows = self.of_square.range([low[0], i32::MIN]..=[high[0], i32::MAX]);
        let near = rows.filter(move |([_, z], _)| (low[1]..=high[1]).contains(z));
        let orders: BTreeSet<LinkOrder> = near.flat_map(|(_, orders)| orders.iter().copied()).collect();
        let others = orders.into_iter().filter(move |order| self.grid.square(order.start()) != square);
        others.filter_map(|order| self.links.get_key_value(&order))
    }

    /// Replaces the links of a square.
    fn set(&mut self, square: [i32; 2], links: Vec<(LinkOrder, GeneratedLink)>, judged_by: Digest) {
        let before = self.of_square.get(&square).into_iter().flatten().copied();
        let own: Vec<LinkOrder> = before.filter(|order| self.grid.square(order.start()) == square).collect();
        for order in own {
            let link = self.links.remove(&order);
            for square in link.iter().flat_map(|link| squares_of(link, &self.grid)) {
                self.of_square.entry(square).or_default().remove(&order);
            }
        }
        for (order, link) in links {
            for square in squares_of(&link, &self.grid) {
                self.of_square.entry(square).or_default().insert(order);
            }
            self.links.insert(order, link);
        }
        self.judged.insert(square, judged_by);
    }
}

/// The squares that the edge starts in.
fn squares_of(link: &GeneratedLink, grid: &SquareGrid) -> BTreeSet<[i32; 2]> {
    link.run.iter().map(|place| grid.square(place.start())).collect()
}
