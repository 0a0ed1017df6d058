//! The changes of islands from one snapshot to another: which were joined, and which fell apart.
//!
//! The old and the new islands are the two sides of a graph. Ground that is in both snapshots connects its
//! old island with its new one. A new island with several old ones was joined; an old island with several new
//! ones was parted. So the answer is exact, and an island may part and join others in one change.
//!
//! Only tiles that differ in themselves or in their links are looked at. That is enough. Islands join or part
//! only where a link was added or removed, so each of the parts has a polygon in such a tile. An island
//! without a polygon in them is unchanged.
//!
//! Cost: finding the tiles takes a comparison of pointers for each page of 256, and for each tile within
//! pages that differ; then a search of the BV tree for each polygon of replaced tiles, and a visit to each
//! polygon linked with them.

use crate::mesh::{LoadedTile, NavMesh, Poly};
use crate::poly_ref::PolyRef;
use crate::query::box_search::polygons_in_box;
use glam::Vec3;
use navmath::sort::SharedSort;
use std::collections::{BTreeMap, BTreeSet};

/// The differences between the islands of a mesh and those of an earlier snapshot.
///
/// If a tile is in both snapshots, its ground is the same, polygon by polygon. If a tile was replaced, an old
/// and a new polygon share ground if the middle of one is over the other, at most the agent's climb above or
/// below it. Flags do not count. Islands are joined by ground and by off-mesh links in both directions;
/// one-way links do not join them.
///
/// ```
/// # let tile = navscenes::baked_tile("two_rooms")?;
/// use detour::{IslandChanges, NavMesh};
///
/// let mut mesh = NavMesh::default();
/// mesh.add_tile(tile.clone())?;
/// let before = mesh.clone();
/// mesh.replace_tile(tile)?;
/// let changes = IslandChanges::between(&before, &mesh);
/// assert!(changes.joined().is_empty() && changes.parted().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IslandChanges {
    /// Pairs of an old and a new island that share ground, by their numbers, with the first new polygon on
    /// it.
    common: BTreeMap<(u64, u64), PolyRef>,
    /// Old islands that were examined.
    seen: BTreeSet<u64>,
}

impl IslandChanges {
    /// Compares a snapshot with an earlier one of the same mesh, or with any other mesh at the same anchor.
    pub fn between(before: &NavMesh, after: &NavMesh) -> IslandChanges {
        let mut changes = IslandChanges::default();
        let mut stack = Vec::new();
        for slot in before.changed_slots(after) {
            let (old, new) = (before.slot(slot), after.slot(slot));
            let is_same_tile =
                |old: &LoadedTile, new: &LoadedTile| old.salt == new.salt && old.is_made_of(new);
            if let (Some(old), Some(new)) = (old, new)
                && is_same_tile(old, new)
            {
                for index in 0..new.surface.polygon_count() {
                    let reference = new.node(slot, index).reference;
                    changes.add((before, reference), (after, reference));
                }
                continue;
            }
            for poly in old.iter().flat_map(|tile| tile.polygons(slot)) {
                changes.seen.extend(before.all_labels().of(poly.reference));
                let add = |now| changes.add((before, poly.reference), (after, now));
                visit_same_ground(&poly, after, &mut stack, add);
            }
            for poly in new.iter().flat_map(|tile| tile.polygons(slot)) {
                let add = |was| changes.add((before, was), (after, poly.reference));
                visit_same_ground(&poly, before, &mut stack, add);
            }
        }
        changes
    }

    fn add(&mut self, (before, was): (&NavMesh, PolyRef), (after, now): (&NavMesh, PolyRef)) {
        let (Some(old), Some(new)) = (before.all_labels().of(was), after.all_labels().of(now)) else {
            return;
        };
        self.seen.insert(old);
        let first = self.common.entry((old, new)).or_insert(now);
        *first = now.min(*first);
    }

    /// Islands that were joined: for each a new polygon on the ground of every old island, at least two.
    pub fn joined(&self) -> Vec<Vec<PolyRef>> {
        groups(self.common.iter().map(|((_, new), polygon)| (*new, *polygon)))
    }

    /// Islands that fell apart: for each a new polygon on every part, at least two. Parts whose ground is
    /// gone do not count.
    pub fn parted(&self) -> Vec<Vec<PolyRef>> {
        groups(self.common.iter().map(|((old, _), polygon)| (*old, *polygon)))
    }

    /// For the island of `was`, a polygon of `before`: a new polygon on each island that continues it. The
    /// list is empty if none of its ground is left, or if `was` is not a polygon of `before`. `before` and
    /// `after` are the snapshots that were compared.
    pub fn goes_on_as(&self, before: &NavMesh, was: PolyRef, after: &NavMesh) -> Vec<PolyRef> {
        let Some(old) = before.locate_node(was).ok().and_then(|_| before.all_labels().of(was)) else {
            return Vec::new();
        };
        if !self.seen.contains(&old) {
            return Vec::from_iter(after.locate_node(was).is_ok().then_some(was));
        }
        self.common.range((old, 0)..=(old, u64::MAX)).map(|(_, polygon)| *polygon).collect()
    }
}

/// Groups the polygons that share a number, for each number that has several. Polygons keep their order, and
/// groups are in the order of their first polygons.
fn groups(polygons: impl Iterator<Item = (u64, PolyRef)>) -> Vec<Vec<PolyRef>> {
    let mut by_island: BTreeMap<u64, Vec<PolyRef>> = BTreeMap::new();
    for (island, polygon) in polygons {
        by_island.entry(island).or_default().push(polygon);
    }
    let mut groups: Vec<Vec<PolyRef>> = by_island.into_values().filter(|group| group.len() > 1).collect();
    groups.iter_mut().for_each(|group| group.shared_sort());
    groups.shared_sort();
    groups
}

/// Calls `visit` for the polygons below the middle of a polygon in another snapshot's tile at the same
/// coordinate.
fn visit_same_ground(poly: &Poly<'_>, other: &NavMesh, stack: &mut Vec<u32>, mut visit: impl FnMut(PolyRef)) {
    let (coord, climb) = (poly.tile.data.coord, poly.tile.surface.climb);
    let (sum, count) = poly.outline().fold((Vec3::ZERO, 0.0), |(sum, count), (a, _)| (sum + a, count + 1.0));
    let middle = sum / count;
    let middle = middle.with_y(poly.surface_height(middle));
    let up = Vec3::Y * climb;
    polygons_in_box(other, stack, middle - up, middle + up, |there| {
        let is_same = there.tile.data.coord == coord
            && there.is_over(middle)
            && (there.surface_height(middle) - middle.y).abs() <= climb;
        if is_same {
            visit(there.reference);
        }
    });
}
