//! The ends of off-mesh links: whether a tile lies below each, and ground within its radius.

use super::{LinkFault, LinkNote, ends_of};
use crate::layout::{BV_LEAF, OffMeshLink, Polygon};
use crate::limits::BV_DEPTH_LIMIT;
use crate::off_mesh::global;
use crate::seam::SeamPlace;
use crate::tile::Tile;
use navmath::predicates::{distance_squared, left_on};
use navmath::{FIXED_ONE, IBox3};

/// A box in global 1/256 cells.
type Reach = [[i64; 3]; 2];

/// Tiles by where they lie, seen from above.
struct Index<'a> {
    /// Smallest x and the tile, sorted.
    by_x: Vec<(i64, &'a Tile)>,
    /// The widest tile's extent along x.
    widest: i64,
}

/// Notes on all ends without ground.
pub(super) fn check(tiles: &[Tile]) -> Vec<LinkNote> {
    if tiles.iter().all(|tile| tile.off_mesh_links().is_empty()) {
        return Vec::new();
    }
    let index = Index::new(tiles);
    let mut notes = Vec::new();
    for tile in tiles {
        for (number, link) in (0..).zip(tile.off_mesh_links()) {
            for (is_end, place) in ends_of(link) {
                if let Some(fault) = index.fault(tile, link, place) {
                    let (tile, at) = (tile.coord(), tile.to_world(place));
                    notes.push(LinkNote { fault, tile, link: number, user_id: link.user_id, is_end, at });
                }
            }
        }
    }
    notes
}

impl<'a> Index<'a> {
    fn new(tiles: &'a [Tile]) -> Index<'a> {
        let mut by_x: Vec<_> = tiles.iter().map(|tile| (plan(tile)[0][0], tile)).collect();
        by_x.sort_by_key(|(x, _)| *x);
        let widest = tiles.iter().map(|tile| i64::from(tile.header().width) * i64::from(FIXED_ONE)).max();
        Index { by_x, widest: widest.unwrap_or(0) }
    }

    /// The fault of a link's end, if it has one.
    fn fault(&self, tile: &Tile, link: &OffMeshLink, place: [i32; 3]) -> Option<LinkFault> {
        let at = global(tile, place);
        let covers = |other: &Tile| {
            let [min, max] = plan(other);
            (0..2).all(|i| (min[i]..=max[i]).contains(&at[2 * i]))
        };
        if !self.near(tile, at[0], 0).any(covers) {
            return Some(LinkFault::NoTile);
        }
        let radius = i64::from(link.radius);
        if self.near(tile, at[0], radius).any(|other| has_ground(other, at, radius)) {
            return None;
        }
        let radius = f64::from(link.radius) * tile.header().cell_size / f64::from(FIXED_ONE);
        Some(LinkFault::NoPolygon { radius })
    }

    /// Tiles on the lattice of `tile` whose extent along x may come within `radius` of a global `x`.
    fn near(&self, tile: &Tile, x: i64, radius: i64) -> impl Iterator<Item = &'a Tile> {
        let first = self.by_x.partition_point(|(least, _)| *least < x - radius - self.widest);
        let lattice = tile.lattice();
        self.by_x[first..]
            .iter()
            .take_while(move |(least, _)| *least <= x + radius)
            .map(|(_, other)| *other)
            .filter(move |other| other.lattice() == lattice)
    }
}

/// Smallest and largest corner of a tile seen from above, x and z, global.
fn plan(tile: &Tile) -> [[i64; 2]; 2] {
    let [x, _, z] = global(tile, [0; 3]);
    let size =
        [tile.header().width, tile.header().depth].map(|cells| i64::from(cells) * i64::from(FIXED_ONE));
    [[x, z], [x + size[0], z + size[1]]]
}

/// Whether a polygon of `tile` lies within `radius` of a global place, seen from above, and some height of it within
/// one climb of the place's.
fn has_ground(tile: &Tile, at: [i64; 3], radius: i64) -> bool {
    let climb = SeamPlace::of(tile.header()).climb;
    // Relative to the tile's zero.
    let zero = global(tile, [0; 3]);
    let at: [i64; 3] = std::array::from_fn(|axis| at[axis] - zero[axis]);
    let reach = [radius, climb, radius];
    let reach: Reach = [std::array::from_fn(|a| at[a] - reach[a]), std::array::from_fn(|a| at[a] + reach[a])];
    let Some(window) = quantise(tile, reach) else { return false };
    let nodes = tile.bv_nodes();
    let mut stack = Vec::with_capacity(3 * BV_DEPTH_LIMIT + 1);
    stack.extend((!nodes.is_empty()).then_some(0));
    while let Some(number) = stack.pop() {
        let node = &nodes[number];
        for slot in 0..4 {
            // The window is not turned round, so an empty slot meets none.
            let meets =
                (0..3).all(|a| node.min[a][slot] <= window[1][a] && window[0][a] <= node.max[a][slot]);
            let child = node.children[slot];
            match (meets, child & BV_LEAF != 0) {
                (false, _) => {}
                (true, false) => stack.push(child as usize),
                (true, true) => {
                    let polygon = &tile.polygons()[(child & !BV_LEAF) as usize];
                    if is_near(tile, polygon, at, reach, radius) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// A box in the units of the tile's nodes; `None` if it lies outside the tile's bounds.
fn quantise(tile: &Tile, reach: Reach) -> Option<[[u16; 3]; 2]> {
    let header = tile.header();
    let mut window = [[0; 3]; 2];
    for axis in 0..3 {
        let (least, most) = (i64::from(header.bounds_min[axis]), i64::from(header.bounds_max[axis]));
        if reach[1][axis] < least || reach[0][axis] > most {
            return None;
        }
        for corner in 0..2 {
            let value = reach[corner][axis].clamp(least, most) - least;
            // Sixteen bits: verification has checked the shift.
            window[corner][axis] = (value >> header.bv_shift[axis]) as u16;
        }
    }
    Some(window)
}

fn is_near(tile: &Tile, polygon: &Polygon, at: [i64; 3], reach: Reach, radius: i64) -> bool {
    let vertices = tile.vertices();
    let corners: Vec<[i32; 3]> =
        tile.polygon_edges(polygon).iter().map(|edge| vertices[edge.vertex as usize]).collect();
    let detail = &vertices[polygon.detail_vertices()];
    let heights = IBox3::around(corners.iter().chain(detail).copied());
    if i64::from(heights.max[1]) < reach[0][1] || i64::from(heights.min[1]) > reach[1][1] {
        return false;
    }
    // The reach meets the tile's bounds, so the place is within 2^31 of them.
    let place = [at[0], at[2]].map(|value| value as f64);
    let flat: Vec<[i32; 2]> = corners.iter().map(|corner| [corner[0], corner[2]]).collect();
    let inside = exact(at)
        .is_some_and(|at| flat.iter().zip(flat.iter().cycle().skip(1)).all(|(a, b)| left_on(*a, *b, at)));
    inside
        || flat.iter().zip(flat.iter().cycle().skip(1)).any(|(a, b)| distance(*a, *b, place) <= radius as f64)
}

/// The place seen from above, if the exact predicates take it.
fn exact(at: [i64; 3]) -> Option<[i32; 2]> {
    let limit = i64::from(crate::layout::COORD_LIMIT);
    let fits = (at[0].abs() <= limit) && (at[2].abs() <= limit);
    fits.then_some([at[0] as i32, at[2] as i32])
}

/// Distance of a place from a segment.
fn distance(a: [i32; 2], b: [i32; 2], place: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]].map(f64::from);
    let from = [place[0] - f64::from(a[0]), place[1] - f64::from(a[1])];
    // Positive: edges have length.
    let length = distance_squared(a, b) as f64;
    let share = ((from[0] * along[0] + from[1] * along[1]) / length).clamp(0.0, 1.0);
    let off = [from[0] - along[0] * share, from[1] - along[1] * share];
    (off[0] * off[0] + off[1] * off[1]).sqrt()
}
