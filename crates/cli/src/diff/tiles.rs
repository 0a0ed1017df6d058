//! The differences between two tiles at one place.

use crate::inspect;
use navtile::Tile;
use navtile::file::DirectoryEntry;
use navtile::layout::{Header, OffMeshLink, Polygon};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A tile that only one file has.
#[derive(Serialize)]
pub(super) struct OnlyTile {
    /// x, z, layer.
    pub(super) tile: [i32; 3],
    pub(super) polygons: usize,
    pub(super) area_m2: f64,
}

/// A tile that both have, and its differences. Pairs are before and after.
#[derive(Serialize)]
pub(super) struct TileChange {
    pub(super) tile: [i32; 3],
    /// `header`, names of sections, `optional sections`, `input hash`, `prune hash`.
    pub(super) differs: Vec<&'static str>,
    pub(super) counts: BTreeMap<&'static str, [usize; 2]>,
    /// Walkable area seen from above.
    pub(super) area_m2: [f64; 2],
    /// Largest distance that vertices have moved, metres. Vertices that are not in both tiles are paired in
    /// canonical order. Null if the tiles have different numbers of vertices.
    pub(super) largest_move: Option<f64>,
    /// Box around polygons and links that are only in one of the tiles, world metres; null if there are no
    /// such polygons or links.
    pub(super) bounds: Option<[[f64; 3]; 2]>,
}

type Count = fn(&Tile) -> usize;

/// The parts of a tile that are counted, by name.
pub(super) const COUNTED: [(&str, Count); 6] = [
    ("polygons", |tile| tile.polygons().len()),
    ("vertices", |tile| tile.vertices().len()),
    ("edges", |tile| tile.edges().len()),
    ("portals", |tile| tile.portals().len()),
    ("detail_triangles", |tile| tile.detail_triangles().len()),
    ("off_mesh_links", |tile| tile.off_mesh_links().len()),
];

impl OnlyTile {
    pub(super) fn of(tile: &Tile) -> OnlyTile {
        OnlyTile { tile: inspect::coord(tile.coord()), polygons: tile.polygons().len(), area_m2: area(tile) }
    }
}

impl TileChange {
    /// The differences between the tiles, and between their rows of the directories; `None` if they are
    /// equal.
    pub(super) fn between(
        a: &Tile,
        b: &Tile,
        entries: (&DirectoryEntry, &DirectoryEntry),
    ) -> Option<TileChange> {
        let mut differs = if a == b { Vec::new() } else { sections(a, b) };
        for (name, differ) in [
            ("input hash", entries.0.input_hash != entries.1.input_hash),
            ("prune hash", entries.0.prune_hash != entries.1.prune_hash),
        ] {
            differs.extend(differ.then_some(name));
        }
        if differs.is_empty() {
            return None;
        }
        Some(TileChange {
            tile: inspect::coord(a.coord()),
            differs,
            counts: COUNTED.map(|(name, count)| (name, [count(a), count(b)])).into(),
            area_m2: [area(a), area(b)],
            largest_move: largest_move(a, b),
            bounds: bounds(a, b),
        })
    }
}

/// Names of the parts whose bytes differ, for two tiles that differ.
fn sections(a: &Tile, b: &Tile) -> Vec<&'static str> {
    let differ = [
        ("header", own_header(a) != own_header(b)),
        ("vertices", a.vertices() != b.vertices()),
        ("polygons", a.polygons() != b.polygons()),
        ("edges", a.edges() != b.edges()),
        ("portals", a.portals() != b.portals()),
        ("detail triangles", a.detail_triangles() != b.detail_triangles()),
        ("BV nodes", a.bv_nodes() != b.bv_nodes()),
        ("off-mesh links", a.off_mesh_links() != b.off_mesh_links()),
    ];
    let differ: Vec<_> = differ.into_iter().filter(|(_, differ)| *differ).map(|(name, _)| name).collect();
    // Only optional sections are left as the difference.
    if differ.is_empty() { vec!["optional sections"] } else { differ }
}

/// A header without the values that follow from the sections.
fn own_header(tile: &Tile) -> Header {
    Header {
        length: 0,
        checksum: 0,
        section_count: 0,
        bv_shift: [0; 4],
        bounds_min: [0; 3],
        bounds_max: [0; 3],
        polygon_vertex_count: 0,
        ..*tile.header()
    }
}

/// Area of all polygons seen from above, m².
fn area(tile: &Tile) -> f64 {
    tile.area(|_| true)
}

/// See [`TileChange::largest_move`].
fn largest_move(a: &Tile, b: &Tile) -> Option<f64> {
    if a.vertices().len() != b.vertices().len() {
        return None;
    }
    let sorted = |tile: &Tile| {
        let mut world: Vec<[f64; 3]> = tile.vertices().iter().map(|vertex| tile.to_world(*vertex)).collect();
        world.sort_by(compare);
        world
    };
    let (ours, theirs) = only(&sorted(a), &sorted(b), compare);
    let distance = |(a, b): (&[f64; 3], &[f64; 3])| {
        (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum::<f64>().sqrt()
    };
    Some(ours.iter().zip(&theirs).map(distance).fold(0.0, f64::max))
}

/// By x, z, y, the order of vertices in a tile.
fn compare(a: &[f64; 3], b: &[f64; 3]) -> Ordering {
    let key = |axis: usize| a[axis].total_cmp(&b[axis]);
    key(0).then(key(2)).then(key(1))
}

/// The items that only one of two sorted lists has. A repeated item counts by the difference of its numbers.
fn only<T: Clone>(a: &[T], b: &[T], compare: impl Fn(&T, &T) -> Ordering) -> (Vec<T>, Vec<T>) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match compare(&a[i], &b[j]) {
            Ordering::Equal => (i, j) = (i + 1, j + 1),
            Ordering::Less => {
                ours.push(a[i].clone());
                i += 1;
            }
            Ordering::Greater => {
                theirs.push(b[j].clone());
                j += 1;
            }
        }
    }
    ours.extend_from_slice(&a[i..]);
    theirs.extend_from_slice(&b[j..]);
    (ours, theirs)
}

/// A polygon or a link by its content, not by its number: world positions by their bits, then the rest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    positions: Vec<[u64; 3]>,
    rest: Vec<u64>,
}

/// See [`TileChange::bounds`].
fn bounds(a: &Tile, b: &Tile) -> Option<[[f64; 3]; 2]> {
    let (ours, theirs) = only(&items(a), &items(b), Ord::cmp);
    let positions = ours.iter().chain(&theirs).flat_map(|item| &item.positions);
    let mut bounds: Option<[[f64; 3]; 2]> = None;
    for at in positions.map(|bits| bits.map(f64::from_bits)) {
        let [min, max] = bounds.unwrap_or([at, at]);
        bounds = Some([
            std::array::from_fn(|axis| min[axis].min(at[axis])),
            std::array::from_fn(|axis| max[axis].max(at[axis])),
        ]);
    }
    bounds
}

fn items(tile: &Tile) -> Vec<Item> {
    let polygons = tile.polygons().iter().map(|polygon| polygon_item(tile, polygon));
    let links = tile.off_mesh_links().iter().map(|link| link_item(tile, link));
    let mut items: Vec<Item> = polygons.chain(links).collect();
    items.sort_unstable();
    items
}

fn bits(tile: &Tile, at: [i32; 3]) -> [u64; 3] {
    tile.to_world(at).map(f64::to_bits)
}

fn polygon_item(tile: &Tile, polygon: &Polygon) -> Item {
    let edges = tile.polygon_edges(polygon);
    let first = polygon.first_detail_vertex as usize;
    let detail = &tile.vertices()[first..first + usize::from(polygon.detail_vertex_count)];
    let corners = edges.iter().map(|edge| tile.vertices()[edge.vertex as usize]);
    let mut rest = vec![u64::from(polygon.flags), u64::from(polygon.area), u64::from(polygon.edge_count)];
    rest.extend(edges.iter().map(|edge| u64::from(edge.kind)));
    for triangle in tile.polygon_detail_triangles(polygon) {
        rest.extend(triangle.vertices.map(u64::from));
        rest.push(u64::from(triangle.boundary));
    }
    Item { positions: corners.chain(detail.iter().copied()).map(|at| bits(tile, at)).collect(), rest }
}

fn link_item(tile: &Tile, link: &OffMeshLink) -> Item {
    let OffMeshLink { start, end, end_tile, radius, flags, area, direction, user_id, along, reserved: _ } =
        *link;
    let radius = (f64::from(radius) * tile.header().cell_size).to_bits();
    let mut rest = vec![radius, u64::from(flags), u64::from(area), u64::from(direction), user_id];
    rest.extend(end_tile.map(|value| u64::from(value as u32)));
    rest.extend(along.map(|value| (f64::from(value) * tile.header().cell_size).to_bits()));
    Item { positions: vec![bits(tile, start), bits(tile, end)], rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_is_left_out() {
        let (ours, theirs) = only(&[1, 2, 2, 5], &[2, 3, 5, 6], Ord::cmp);
        assert_eq!((ours, theirs), (vec![1, 2], vec![3, 6]));
        assert_eq!(only(&[1], &[], Ord::cmp), (vec![1], vec![]));
    }
}
