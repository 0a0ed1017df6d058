//! Islands that are kept while tiles, links and doors come and go, so that whether one place can be reached from
//! another is answered in constant time.
//!
//! Two levels: within a tile polygons and off-mesh links that hang together have a local number, and each local
//! number has the number of the island it belongs to. A tile that comes joins islands: all but the largest that
//! meet are renamed; while many tiles come, which islands are one is noted instead, and told in the end. A tile that goes, or whose doors change, may part one: from each place that it joined a search
//! goes out over the rest, all in turn, and each that meets another goes on as one with it. When only one is left,
//! those that came to their end without meeting it are islands of their own. So both cost what the smaller parts
//! cost, or how far round the searches have to go until they meet, not the size of the mesh; the worst is an island
//! that is one long ring. Cost within the tile: linear in its polygons, edges and crossings.
//!
//! One-way links join both ways here: islands are weakly connected.
//! Source: S. Even, Y. Shiloach, An on-line edge-deletion problem (1981), for the searches in turn.

use super::Inner;
use super::entry::TileEntry;
use super::page::{Occupied, PAGE_SLOTS};
use crate::filter::{Attributes, CostModel, Filter, FilterId};
use crate::poly_ref::PolyRef;
use navmath::Sets;
use navtile::layout::edge_kind;
use std::collections::HashMap;
use std::sync::Arc;

/// The local number of what the filter keeps out.
pub(super) const NONE: u32 = u32::MAX;

/// The islands of the mesh as one filter sees them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// None lets everything pass.
    filter: Option<Arc<Filter>>,
    /// By slot.
    pages: Vec<Arc<Vec<TileLabels>>>,
    /// Islands are numbered from 1 and never again.
    last: u64,
    /// While many tiles are attached, which islands have become one.
    joined: Option<Joined>,
}

/// Which islands of those that have been numbered since are one.
#[derive(Clone, Debug)]
struct Joined {
    /// The number of the first set.
    first: u64,
    sets: Sets,
    /// Whether any two are.
    any: bool,
}

impl Joined {
    fn join(&mut self, a: u64, b: u64) {
        // Every island has a polygon in memory, so that 32 bits number them.
        self.sets.join((a - self.first) as u32, (b - self.first) as u32);
        self.any = true;
    }

    fn root(&mut self, island: u64) -> u64 {
        self.first + u64::from(self.sets.root((island - self.first) as u32))
    }
}

/// The numbers of a tile's polygons, then off-mesh links; empty where there is no tile.
#[derive(Clone, Debug, Default)]
pub(super) struct TileLabels {
    pub(super) local: Local,
    /// For each local number its island; 0 while it has none.
    islands: Islands,
}

/// For each polygon and link its local number, or [`NONE`].
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// What the tile was prepared with.
    Tile(Arc<TileEntry>),
    Own(Arc<[u32]>),
}

impl Default for Local {
    fn default() -> Local {
        Local::Own(Arc::default())
    }
}

impl Local {
    /// That of a polygon or link, if the filter lets it pass.
    #[inline]
    pub(super) fn of(&self, index: u32) -> Option<u32> {
        match self {
            Local::Tile(entry) => entry.part(index),
            Local::Own(numbers) => numbers.get(index as usize).copied().filter(|local| *local != NONE),
        }
    }
}

/// The islands of a tile's parts. Most tiles have one part or two, which are kept without an allocation.
#[derive(Clone, Debug)]
enum Islands {
    One(u64),
    Two([u64; 2]),
    Several(Arc<[u64]>),
}

impl Default for Islands {
    fn default() -> Islands {
        Islands::Several(Arc::default())
    }
}

impl Islands {
    /// As many parts, of no island yet.
    fn new(count: u32) -> Islands {
        match count {
            1 => Islands::One(0),
            2 => Islands::Two([0; 2]),
            _ => Islands::Several(std::iter::repeat_n(0, count as usize).collect()),
        }
    }

    #[inline]
    fn all(&self) -> &[u64] {
        match self {
            Islands::One(island) => std::slice::from_ref(island),
            Islands::Two(islands) => islands,
            Islands::Several(islands) => islands,
        }
    }

    /// The same to be changed, in a copy if others share them.
    fn all_mut(&mut self) -> &mut [u64] {
        match self {
            Islands::One(island) => std::slice::from_mut(island),
            Islands::Two(islands) => islands,
            Islands::Several(islands) => Arc::make_mut(islands),
        }
    }
}

impl TileLabels {
    /// What a polygon or link belongs to within the tile, and its island; `None` if the filter keeps it out.
    #[inline]
    pub(super) fn of(&self, index: u32) -> Option<(u32, u64)> {
        let local = self.local.of(index)?;
        Some((local, self.islands.all().get(local as usize).copied().unwrap_or(0)))
    }
}

/// What hangs together within a tile: slot and local number.
pub(super) type Part = (u32, u32);

impl Labels {
    /// The islands of a mesh as a filter sees them.
    pub(super) fn new(inner: &Inner, filter: Filter) -> Labels {
        let mut labels = Labels { filter: Some(Arc::new(filter)), ..Labels::default() };
        let slots = inner.pages.len() * PAGE_SLOTS;
        labels.attach_many();
        for slot in (0..slots as u32).filter(|slot| inner.occupied(*slot).is_some()) {
            labels.attach(inner, slot);
        }
        labels.settle();
        labels
    }

    /// Only notes which islands become one from now on, until [`Labels::settle`]; of labels of no tile.
    pub(super) fn attach_many(&mut self) {
        self.joined = Some(Joined { first: self.last + 1, sets: Sets::new(0), any: false });
    }

    /// Gives islands that have become one the same number.
    pub(super) fn settle(&mut self) {
        let Some(mut joined) = self.joined.take().filter(|joined| joined.any) else { return };
        let tiles = self.pages.iter_mut().flat_map(|page| Arc::make_mut(page).iter_mut());
        for island in tiles.flat_map(|tile| tile.islands.all_mut()) {
            *island = joined.root(*island);
        }
    }

    pub(super) fn id(&self) -> Option<FilterId> {
        self.filter.as_ref().and_then(|filter| filter.registration())
    }

    pub(super) fn passes(&self, attributes: &Attributes) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.passes(attributes))
    }

    pub(super) fn tile(&self, slot: u32) -> Option<&TileLabels> {
        self.pages.get(slot as usize / PAGE_SLOTS)?.get(slot as usize % PAGE_SLOTS)
    }

    fn tile_mut(&mut self, slot: u32) -> &mut TileLabels {
        let page = slot as usize / PAGE_SLOTS;
        while self.pages.len() <= page {
            self.pages.push(Arc::new(vec![TileLabels::default(); PAGE_SLOTS]));
        }
        &mut Arc::make_mut(&mut self.pages[page])[slot as usize % PAGE_SLOTS]
    }

    pub(super) fn island(&self, (slot, local): Part) -> u64 {
        self.tile(slot).and_then(|tile| tile.islands.all().get(local as usize)).copied().unwrap_or(0)
    }

    /// The island of a polygon or link; `None` if the filter keeps it out.
    #[inline]
    pub(crate) fn of(&self, node: PolyRef) -> Option<u64> {
        self.tile(node.slot())?.of(node.polygon()).map(|(_, island)| island)
    }

    /// Whether a part of the tile belongs to an island.
    pub(crate) fn tile_has(&self, slot: u32, island: u64) -> bool {
        self.tile(slot).is_some_and(|tile| tile.islands.all().contains(&island))
    }

    fn rename(&mut self, parts: &[Part], island: u64) {
        for (slot, local) in parts {
            self.tile_mut(*slot).islands.all_mut()[*local as usize] = island;
        }
    }

    fn fresh(&mut self) -> u64 {
        self.last += 1;
        if let Some(joined) = &mut self.joined {
            joined.sets.add();
        }
        self.last
    }

    /// Takes a tile's parts out of their islands, and parts those that only they held together. The tile is still
    /// linked as it was.
    pub(super) fn detach(&mut self, inner: &Inner, slot: u32) {
        let crossings = self.crossings(inner, slot);
        let gone = std::mem::take(self.tile_mut(slot));
        let mut around: Vec<(u64, Part)> =
            crossings.iter().map(|(local, part)| (gone.islands.all()[*local as usize], *part)).collect();
        around.sort_unstable();
        around.dedup();
        let mut known = HashMap::new();
        for group in around.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let seeds: Vec<Part> = group.iter().map(|(_, part)| *part).collect();
            for parted in self.race(inner, &mut known, &seeds).others {
                let island = self.fresh();
                self.rename(&parted, island);
            }
        }
    }

    /// Puts a tile's parts into islands, and joins those that meet there. The tile is linked already.
    pub(super) fn attach(&mut self, inner: &Inner, slot: u32) {
        let Some(occupied) = inner.occupied(slot) else { return };
        let (local, count) = self.local(occupied, slot);
        // Each part's island if it meets no other, as nearly all do.
        let (mut islands, mut joins) = (Islands::new(count), false);
        let all = islands.all_mut();
        let mut joined = self.joined.take();
        self.visit_crossings(inner, slot, &local, |here, _, theirs| {
            let mine = &mut all[here as usize];
            if *mine != 0 && *mine != theirs {
                match &mut joined {
                    Some(joined) => joined.join(*mine, theirs),
                    None => joins = true,
                }
            }
            *mine = theirs;
        });
        self.joined = joined;
        for island in all.iter_mut().filter(|island| joins || **island == 0) {
            *island = if joins { 0 } else { self.fresh() };
        }
        *self.tile_mut(slot) = TileLabels { local, islands };
        if joins {
            self.join(inner, slot, count);
        }
    }

    /// Joins the islands that meet in a tile whose parts have none yet.
    fn join(&mut self, inner: &Inner, slot: u32, count: u32) {
        let crossings = self.crossings(inner, slot);
        let mut known = HashMap::new();
        let mut rest = &crossings[..];
        let mut around: Vec<(u64, Part)> = Vec::new();
        for local in 0..count {
            let length = rest.iter().take_while(|crossing| crossing.0 == local).count();
            let (mine, others) = rest.split_at(length);
            rest = others;
            around.clear();
            around.extend(mine.iter().map(|(_, part)| (self.island(*part), *part)));
            around.sort_unstable();
            around.dedup_by_key(|(island, _)| *island);
            let island = match around.len() {
                0 => self.fresh(),
                1 => around[0].0,
                _ => {
                    let seeds: Vec<Part> = around.iter().map(|(_, part)| *part).collect();
                    let race = self.race(inner, &mut known, &seeds);
                    let island = around[race.kept].0;
                    race.others.iter().for_each(|parts| self.rename(parts, island));
                    island
                }
            };
            self.rename(&[(slot, local)], island);
        }
    }

    /// The local numbers of a tile's polygons and links, and how many there are. A link hangs together with the
    /// polygon it starts on.
    fn local(&self, occupied: &Occupied, slot: u32) -> (Local, u32) {
        let entry = &occupied.entry;
        if self.filter.is_none() && entry.link_starts.is_empty() {
            return (Local::Tile(entry.clone()), entry.part_count);
        }
        let passes: Vec<bool> = match &self.filter {
            None => vec![true; entry.node_count() as usize],
            Some(filter) => (0..entry.node_count())
                .map(|index| {
                    let (flags, area) = occupied.flags_and_area(index);
                    let polygon = PolyRef::from_checked(occupied.salt, slot, index);
                    filter.passes(&Attributes { polygon, flags, area })
                })
                .collect(),
        };
        let mut sets = Sets::new(entry.node_count());
        let mut join = |a: u32, b: u32| {
            if passes[a as usize] && passes[b as usize] {
                sets.join(a, b);
            }
        };
        for (number, polygon) in (0u32..).zip(entry.tile.polygons()) {
            let edges = entry.tile.polygon_edges(polygon).iter();
            for edge in edges.filter(|edge| edge.kind == edge_kind::INTERNAL && edge.neighbour < number) {
                join(number, edge.neighbour);
            }
        }
        let first = entry.polygon_count();
        for (number, (start, joint)) in (first..).zip(entry.link_starts.iter().zip(occupied.joints.iter())) {
            if let Some(start) = start {
                join(number, start.polygon);
            }
            if let Some(end) = joint.filter(|joint| joint.polygon.slot() == slot) {
                join(number, end.polygon.polygon());
            }
        }
        let mut count = 0;
        let mut local = vec![NONE; passes.len()];
        for index in (0..entry.node_count()).filter(|index| passes[*index as usize]) {
            // A root is the smallest of its set, and so is numbered before the others.
            let root = sets.root(index);
            if root == index {
                local[index as usize] = count;
                count += 1;
            } else {
                local[index as usize] = local[root as usize];
            }
        }
        (Local::Own(local.into()), count)
    }
}
