//! Islands that are kept up to date when tiles, links and doors change, so that a reachability query takes
//! constant time.
//!
//! There are two levels. Within a tile, connected polygons and off-mesh links form a component; each
//! component has the number of the island it belongs to. Adding a tile joins islands: when islands meet, all
//! but the largest are renamed. While many tiles are added, a disjoint set collects the joined islands
//! instead, and they are renamed once at the end. Removing a tile, or changing its doors, may split an
//! island: a search starts from each component that the tile connected, over the rest of the island. The
//! searches take turns, and searches that meet continue as one. When one is left, the searches that ended
//! without meeting it have found islands of their own. So both operations cost as much as the smaller parts,
//! or as the detour until the searches meet, not as much as the mesh; the worst case is an island that is one
//! long ring. The cost within the tile is linear in its polygons, edges and links to other tiles.
//!
//! One-way links do not join islands here; `one_way` follows them.
//! Source: S. Even, Y. Shiloach, An on-line edge-deletion problem (1981), for the searches that take turns.

use super::one_way::{OneWaySteps, ReachedIslands};
use super::page::{JoinedLink, LoadedTile, PAGE_SLOTS};
use super::{Inner, NavMesh};
use crate::filter::{Attributes, CostModel, Filter, FilterId};
use crate::poly_ref::PolyRef;
use navmath::Sets;
use navmath::sort::SharedSort;
use navtile::layout::edge_kind;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Marks a node that the filter excludes, in place of its component.
const NONE: u32 = u32::MAX;

/// The islands of the mesh as one filter sees them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// `None` lets everything pass.
    filter: Option<Arc<Filter>>,
    /// The labels by slot; `None` for a slot without a tile.
    pages: Vec<Arc<Vec<Option<TileLabels>>>>,
    /// The last number given to an island. Numbers start at 1 and are never reused.
    last: u64,
    /// The islands that were joined while many tiles are added.
    joined: Option<JoinedIslands>,
    /// The one-way links between the islands, once a query has asked for them.
    one_way: OnceLock<Arc<OneWaySteps>>,
}

/// Joined islands, from the first that was numbered since the bulk change began.
#[derive(Clone, Debug)]
struct JoinedIslands {
    /// The island with number 0 in the sets.
    first: u64,
    sets: Sets,
    /// True if any two were joined.
    any: bool,
}

impl JoinedIslands {
    fn join(&mut self, a: u64, b: u64) {
        // Every island has a polygon in memory, so that 32 bits number them.
        self.sets.join((a - self.first) as u32, (b - self.first) as u32);
        self.any = true;
    }

    fn root(&mut self, island: u64) -> u64 {
        self.first + u64::from(self.sets.root((island - self.first) as u32))
    }
}

/// The labels of a tile.
#[derive(Clone, Debug)]
pub(super) struct TileLabels {
    /// For each polygon, then each off-mesh link, its component or [`NONE`].
    components: Arc<[u32]>,
    /// For each component its island; 0 while it does not belong to one.
    islands: Arc<[u64]>,
}

impl TileLabels {
    /// The component and the island of a polygon or off-mesh link; `None` if the filter excludes it.
    #[inline]
    pub(super) fn of(&self, index: u32) -> Option<(u32, u64)> {
        let component =
            self.components.get(index as usize).copied().filter(|component| *component != NONE)?;
        Some((component, self.islands.get(component as usize).copied().unwrap_or(0)))
    }
}

/// A component of a tile: slot and number.
pub(super) type Component = (u32, u32);

impl Labels {
    /// The islands of a mesh as a model sees them.
    pub(super) fn new(mesh: &NavMesh, model: &impl CostModel) -> Labels {
        let mut labels = Labels::default();
        labels.begin_many();
        for (slot, tile) in mesh.slots() {
            labels.attach_components(&mesh.inner, slot, components(tile, slot, model));
        }
        labels.finish_many();
        labels
    }

    /// The islands as a registered filter sees them, to be kept up to date.
    pub(super) fn kept(mesh: &NavMesh, filter: &Filter) -> Labels {
        Labels { filter: Some(Arc::new(filter.clone())), ..Labels::new(mesh, filter) }
    }

    /// From now on until [`Labels::finish_many`], only records which islands are joined. There must be no
    /// labels yet.
    pub(super) fn begin_many(&mut self) {
        self.joined = Some(JoinedIslands { first: self.last + 1, sets: Sets::new(0), any: false });
    }

    /// Gives joined islands the same number.
    pub(super) fn finish_many(&mut self) {
        self.one_way.take();
        let Some(mut joined) = self.joined.take().filter(|joined| joined.any) else { return };
        let tiles = self.pages.iter_mut().flat_map(|page| Arc::make_mut(page).iter_mut().flatten());
        for island in tiles.flat_map(|tile| Arc::make_mut(&mut tile.islands)) {
            *island = joined.root(*island);
        }
    }

    /// The number of labels that were ever given, 0 included.
    pub(crate) fn count(&self) -> u32 {
        self.last as u32 + 1
    }

    pub(super) fn id(&self) -> Option<FilterId> {
        self.filter.as_ref().and_then(|filter| filter.registration())
    }

    pub(super) fn passes(&self, attributes: &Attributes) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.passes(attributes))
    }

    pub(super) fn tile(&self, slot: u32) -> Option<&TileLabels> {
        self.pages.get(slot as usize / PAGE_SLOTS)?[slot as usize % PAGE_SLOTS].as_ref()
    }

    fn tile_mut(&mut self, slot: u32) -> &mut Option<TileLabels> {
        let page = slot as usize / PAGE_SLOTS;
        while self.pages.len() <= page {
            self.pages.push(Arc::new(vec![None; PAGE_SLOTS]));
        }
        &mut Arc::make_mut(&mut self.pages[page])[slot as usize % PAGE_SLOTS]
    }

    pub(super) fn island(&self, (slot, number): Component) -> u64 {
        self.tile(slot).and_then(|tile| tile.islands.get(number as usize)).copied().unwrap_or(0)
    }

    /// The island of a polygon or off-mesh link; `None` if the filter excludes it.
    #[inline]
    pub(crate) fn of(&self, node: PolyRef) -> Option<u64> {
        self.tile(node.slot())?.of(node.polygon()).map(|(_, island)| island)
    }

    /// Returns true if a component of the tile belongs to one of the islands.
    pub(crate) fn tile_has(&self, slot: u32, islands: &ReachedIslands<'_>) -> bool {
        self.tile(slot).is_some_and(|tile| tile.islands.iter().any(|island| islands.contains(*island)))
    }

    /// The one-way links between the islands.
    pub(super) fn one_way_steps(&self, inner: &Inner) -> &OneWaySteps {
        self.one_way.get_or_init(|| Arc::new(OneWaySteps::new(inner, |node| self.of(node))))
    }

    fn rename(&mut self, components: &[Component], island: u64) {
        for (slot, number) in components {
            if let Some(tile) = self.tile_mut(*slot) {
                Arc::make_mut(&mut tile.islands)[*number as usize] = island;
            }
        }
    }

    fn new_island(&mut self) -> u64 {
        self.last += 1;
        if let Some(joined) = &mut self.joined {
            joined.sets.add();
        }
        self.last
    }

    /// Takes a tile's components out of their islands, and splits islands that only they connected. The links
    /// of the tile are still unchanged.
    pub(super) fn detach(&mut self, inner: &Inner, slot: u32) {
        self.one_way.take();
        let contacts = self.contacts(inner, slot);
        let Some(removed) = self.tile_mut(slot).take() else { return };
        let mut around: Vec<(u64, Component)> = contacts
            .iter()
            .map(|(component, other)| (removed.islands[*component as usize], *other))
            .collect();
        around.shared_sort();
        around.dedup();
        let mut known = HashMap::new();
        for group in around.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let seeds: Vec<Component> = group.iter().map(|(_, component)| *component).collect();
            for split_off in self.race(inner, &mut known, &seeds).others {
                let island = self.new_island();
                self.rename(&split_off, island);
            }
        }
    }

    /// Puts a tile's components into islands, and joins the islands that meet there. The tile is linked
    /// already.
    pub(super) fn attach(&mut self, inner: &Inner, slot: u32) {
        self.one_way.take();
        let Some(tile) = inner.loaded(slot) else { return };
        let components = match &self.filter {
            Some(filter) => components(tile, slot, &**filter),
            None if tile.data.link_starts.is_empty() => {
                (tile.data.components.clone(), tile.data.component_count)
            }
            None => components(tile, slot, &Filter::default()),
        };
        self.attach_components(inner, slot, components);
    }

    /// [`Labels::attach`], given a tile's components and their number.
    fn attach_components(&mut self, inner: &Inner, slot: u32, (components, count): (Arc<[u32]>, u32)) {
        // A component that meets only one island, as nearly all do, gets that island.
        let mut shared_islands: Arc<[u64]> = std::iter::repeat_n(0, count as usize).collect();
        // They are not shared yet, so this copies nothing.
        let islands = Arc::make_mut(&mut shared_islands);
        let (mut meets_several, mut joined) = (false, self.joined.take());
        self.visit_contacts(inner, slot, &components, |component, _, theirs| {
            let mine = &mut islands[component as usize];
            if *mine != 0 && *mine != theirs {
                match &mut joined {
                    Some(joined) => joined.join(*mine, theirs),
                    None => meets_several = true,
                }
            }
            *mine = theirs;
        });
        self.joined = joined;
        for island in islands.iter_mut().filter(|island| meets_several || **island == 0) {
            *island = if meets_several { 0 } else { self.new_island() };
        }
        *self.tile_mut(slot) = Some(TileLabels { components, islands: shared_islands });
        if meets_several {
            self.join(inner, slot, count);
        }
    }

    /// Joins the islands that meet in a tile whose components do not belong to an island yet.
    fn join(&mut self, inner: &Inner, slot: u32, count: u32) {
        let contacts = self.contacts(inner, slot);
        let mut known = HashMap::new();
        let mut rest = &contacts[..];
        let mut around: Vec<(u64, Component)> = Vec::new();
        for number in 0..count {
            let length = rest.iter().take_while(|contact| contact.0 == number).count();
            let (mine, others) = rest.split_at(length);
            rest = others;
            around.clear();
            around.extend(mine.iter().map(|(_, other)| (self.island(*other), *other)));
            around.shared_sort();
            around.dedup_by_key(|(island, _)| *island);
            let island = match around.len() {
                0 => self.new_island(),
                1 => around[0].0,
                _ => {
                    let seeds: Vec<Component> = around.iter().map(|(_, component)| *component).collect();
                    let race = self.race(inner, &mut known, &seeds);
                    let island = around[race.kept].0;
                    race.others.iter().for_each(|components| self.rename(components, island));
                    island
                }
            };
            self.rename(&[(slot, number)], island);
        }
    }

    /// The components of other tiles that a tile's components touch, each pair once, sorted by the tile's own
    /// component.
    pub(super) fn contacts(&self, inner: &Inner, slot: u32) -> Vec<(u32, Component)> {
        let mut contacts = Vec::new();
        let Some(labels) = self.tile(slot) else { return contacts };
        self.visit_contacts(inner, slot, &labels.components, |here, there, _| {
            // Most portals along a side touch the same components as the portal before.
            if contacts.last() != Some(&(here, there)) {
                contacts.push((here, there));
            }
        });
        contacts.shared_sort();
        contacts.dedup();
        contacts
    }

    /// Calls `visit` for every link between a component of a tile and a component of another, with the island
    /// of the other. `components` are the components of the tile's nodes.
    fn visit_contacts(
        &self,
        inner: &Inner,
        slot: u32,
        components: &[u32],
        mut visit: impl FnMut(u32, Component, u64),
    ) {
        let Some(tile) = inner.loaded(slot) else { return };
        let mut touch = |here: u32, there: PolyRef| {
            let here = components[here as usize];
            if here == NONE || there.slot() == slot {
                return;
            }
            let other = self.tile(there.slot()).and_then(|other| other.of(there.polygon()));
            if let Some((component, island)) = other {
                visit(here, (there.slot(), component), island);
            }
        };
        let portals = tile.data.tile.portals();
        for link in tile.seams.iter().flat_map(|seam| seam.links()) {
            touch(portals[link.portal as usize].polygon, link.to);
        }
        let targets = tile.data.tile.off_mesh_links().iter().zip(tile.link_targets.iter());
        for (number, (record, target)) in (tile.surface.polygon_count()..).zip(targets) {
            if let Some(target) = target.filter(|_| record.direction != 0) {
                touch(number, target.end.polygon);
            }
        }
        for end in tile.link_ends().filter(|end| end.leaves) {
            touch(end.polygon, end.link);
        }
    }
}

/// For each polygon and off-mesh link of a tile its component or [`NONE`], and the number of components. An
/// off-mesh link is connected with the polygon that it starts on.
fn components(tile: &LoadedTile, slot: u32, model: &impl CostModel) -> (Arc<[u32]>, u32) {
    let data = &tile.data;
    let passes = |index| model.passes(&tile.node(slot, index).attributes());
    let passes: Vec<bool> = (0..data.surface.node_count()).map(passes).collect();
    let mut sets = Sets::new(data.surface.node_count());
    let mut join = |a: u32, b: u32| {
        if passes[a as usize] && passes[b as usize] {
            sets.join(a, b);
        }
    };
    for (number, polygon) in (0u32..).zip(data.tile.polygons()) {
        let edges = data.tile.polygon_edges(polygon).iter();
        for edge in edges.filter(|edge| edge.kind == edge_kind::INTERNAL && edge.neighbour < number) {
            join(number, edge.neighbour);
        }
    }
    let targets = data.tile.off_mesh_links().iter().zip(tile.link_targets.iter());
    let links = data.link_starts.iter().zip(targets);
    for (number, (start, (record, target))) in (data.surface.polygon_count()..).zip(links) {
        if let Some(start) = start {
            join(number, start.polygon);
        }
        let is_joined = |target: &JoinedLink| record.direction != 0 && target.end.polygon.slot() == slot;
        if let Some(target) = target.filter(is_joined) {
            join(number, target.end.polygon.polygon());
        }
    }
    // Nodes that do not pass form one component without connections.
    let mut excluded = (0..data.surface.node_count()).filter(|index| !passes[*index as usize]);
    if let Some(first) = excluded.next() {
        excluded.for_each(|index| sets.join(first, index));
    }
    let (mut components, count) = sets.numbers();
    for (component, _) in components.iter_mut().zip(passes).filter(|(_, passes)| !passes) {
        *component = NONE;
    }
    (components.into(), count)
}
