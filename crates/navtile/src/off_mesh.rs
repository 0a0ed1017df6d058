//! Snapping of off-mesh links to the ground: the rule that the bake and the runtime share.
//!
//! An end snaps to a polygon of its tile whose closest point is within the link's radius as seen from above
//! and within the agent's climb in height. Of several such polygons it takes the one with the nearest closest
//! point, in metres; at equal distance the one with the smaller index. The test for a point over a polygon is
//! exact, in integers. Cost: a descent of the BV tree, nearest boxes first, that skips boxes beyond the best
//! polygon so far. If more than [`SNAP_LIMIT`] polygons would have to be examined, for example because they
//! are above each other within a climb, the end has no ground. This bounds the cost of a tile's links by its
//! bytes.
//! Source: the rule of M. Mononen's Detour (`baseOffMeshLinks`, `connectExtOffMeshLinks`), except that
//! polygons out of reach are left out before the nearest is chosen, so that they do not hide a polygon within
//! reach.

use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, OffMeshLink, Polygon};
use crate::limits::{BV_DEPTH_LIMIT, SNAP_LIMIT};
use crate::seam::SeamPlace;
use crate::tile::{Tile, TileCoord};
use navmath::FIXED_ONE;
use navmath::sort::SharedSort;

/// A polygon that an end of a link snapped to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snap {
    /// Its index in its tile.
    pub polygon: u32,
    /// The point of its surface closest to the end, as seen from above; fixed-point, relative to the base
    /// cell of its tile. It may be between two fixed-point steps.
    pub point: [f64; 3],
}

/// An off-mesh link in world units, for reports and exports.
#[cfg_attr(feature = "file", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldLink {
    /// Start, world metres.
    pub start: [f64; 3],
    /// End, world metres.
    pub end: [f64; 3],
    /// The tile of the end: x, z, layer.
    pub end_tile: [i32; 3],
    /// Largest distance from an end to a polygon, metres.
    pub radius: f64,
    /// True if the link can also be used from its end to its start.
    pub both_ways: bool,
    /// Area id; never 0.
    pub area: u8,
    /// User flags, as in [`Polygon::flags`].
    pub flags: u32,
    /// The user's own number.
    pub user_id: u64,
    /// A horizontal vector, x and z, metres. Both ends may be shifted by any share of it; zero for a link
    /// between two points.
    #[cfg_attr(feature = "file", serde(skip_serializing_if = "is_point"))]
    pub along: [f64; 2],
}

/// Returns true if a link with this vector along its edges leads from one point to one point.
#[cfg(feature = "file")]
fn is_point(along: &[f64; 2]) -> bool {
    *along == [0.0; 2]
}

impl WorldLink {
    /// Converts a link of `tile`.
    pub fn new(tile: &Tile, link: &OffMeshLink) -> WorldLink {
        let OffMeshLink { start, end, end_tile, radius, flags, area, direction, user_id, along, .. } = *link;
        let (start, end) = (tile.to_world(start), tile.to_world(end));
        let metres = |fixed: i32| f64::from(fixed) / f64::from(FIXED_ONE) * tile.header().cell_size;
        let (radius, along) = (metres(radius), along.map(metres));
        WorldLink { start, end, end_tile, radius, both_ways: direction == 1, area, flags, user_id, along }
    }
}

/// The tile of a link's end.
pub fn end_tile(link: &OffMeshLink) -> TileCoord {
    let [x, z, layer] = link.end_tile;
    TileCoord { x, z, layer }
}

/// A position of a tile in 1/256 cells from the lattice's zero, which is the same for every tile.
pub fn global(tile: &Tile, fixed: [i32; 3]) -> [i64; 3] {
    let base = tile.header().base_cell;
    // Below 2^49, by the limits of both terms.
    std::array::from_fn(|axis| base[axis] * i64::from(FIXED_ONE) + i64::from(fixed[axis]))
}

/// Snaps an end at the global fixed-point position `end` to the ground of `tile`; `None` without ground
/// within reach. `radius` is in 1/256 cells. The link may start in another tile of the same lattice.
pub fn snap(tile: &Tile, end: [i64; 3], radius: i32) -> Option<Snap> {
    snap_within(tile, end, radius, SeamPlace::of(tile.header()).climb)
}

/// Like [`snap`], but with `up` instead of the agent's climb as the reach in height; `up` in 1/256 cell
/// height.
pub fn snap_within(tile: &Tile, end: [i64; 3], radius: i32, up: i64) -> Option<Snap> {
    search(tile, end, radius, up).unwrap_or(None)
}

/// The middle of an edge of a link, computed from one end of the edge, in 1/256 cells. For a link between
/// points it is the end itself.
pub fn middle(link: &OffMeshLink, [x, y, z]: [i32; 3]) -> [i32; 3] {
    let [along_x, along_z] = link.along;
    [x + (along_x >> 1), y, z + (along_z >> 1)]
}

/// The height of a polygon's surface at a position in its tile that is over it, or at the point nearest to
/// that position.
pub(crate) fn height_at(tile: &Tile, polygon: u32, at: [f64; 3]) -> f64 {
    // Positions are far below 2^50, and one step of rounding is invisible in a height.
    let at = at.map(|value| value.round() as i64);
    let search = Search { tile, at, unit: [1.0; 3], radius: 0.0, climb: 0.0, best: None, looks: 0 };
    let offset = tile.polygons().get(polygon as usize).and_then(|polygon| search.closest(polygon));
    at[1] as f64 + offset.map_or(0.0, |offset| offset[1])
}

/// Returns true if more than [`SNAP_LIMIT`] polygons are near an end, so that it finds no ground.
pub(crate) fn is_crowded(tile: &Tile, end: [i64; 3], radius: i32) -> bool {
    search(tile, end, radius, SeamPlace::of(tile.header()).climb).is_err()
}

/// Too many polygons are near an end.
struct Crowded;

fn search(tile: &Tile, end: [i64; 3], radius: i32, up: i64) -> Result<Option<Snap>, Crowded> {
    let header = tile.header();
    let base = header.base_cell.map(|cell| cell * i64::from(FIXED_ONE));
    let at = std::array::from_fn(|axis| end[axis].saturating_sub(base[axis]));
    let unit =
        [header.cell_size, header.cell_height, header.cell_size].map(|cell| cell / f64::from(FIXED_ONE));
    let (radius, climb) = (f64::from(radius), up as f64);
    let mut search = Search { tile, at, unit, radius, climb, best: None, looks: 0 };
    search.descend()?;
    Ok(search.best.map(|(_, snap)| snap))
}

/// A search for the nearest polygon within reach.
struct Search<'a> {
    tile: &'a Tile,
    /// The end, relative to the tile's base cell.
    at: [i64; 3],
    /// Metres per fixed-point step.
    unit: [f64; 3],
    radius: f64,
    climb: f64,
    /// Squared distance, m², and the polygon.
    best: Option<(f64, Snap)>,
    /// Number of polygons examined.
    looks: u32,
}

/// The vector from the end to a point, fixed-point.
type Offset = [f64; 3];

impl Search<'_> {
    fn descend(&mut self) -> Result<(), Crowded> {
        let nodes = self.tile.bv_nodes();
        // A verified tree needs no more entries, and the root's distance of zero never exceeds the best.
        let mut stack = [(0u32, [0.0; 3]); 3 * BV_DEPTH_LIMIT + 1];
        let mut waiting = usize::from(!nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let (next, offset) = stack[waiting];
            if !self.is_worth(offset) {
                continue;
            }
            if next & BV_LEAF != 0 {
                self.looks += 1;
                if self.looks > SNAP_LIMIT {
                    return Err(Crowded);
                }
                self.look_at(next & !BV_LEAF);
                continue;
            }
            let node = &nodes[next as usize];
            let first = waiting;
            for slot in (0..4).filter(|&slot| node.children[slot] != BV_EMPTY) {
                let offset = self.to_box(node, slot);
                if self.is_worth(offset) {
                    stack[waiting] = (node.children[slot], offset);
                    waiting += 1;
                }
            }
            // The nearest child is visited first; of equal ones the last, which affects only the time.
            stack[first..waiting]
                .shared_sort_by(|a, b| self.distance_squared(b.1).total_cmp(&self.distance_squared(a.1)));
        }
        Ok(())
    }

    /// The offset of the box of a node's child.
    fn to_box(&self, node: &BvNode, slot: usize) -> Offset {
        let header = self.tile.header();
        std::array::from_fn(|axis| {
            let edge = |quantised: i64| {
                i64::from(header.bounds_min[axis]) + (quantised << header.bv_shift[axis].min(40))
            };
            let low = edge(i64::from(node.min[axis][slot]));
            let high = edge(i64::from(node.max[axis][slot]) + 1);
            (low - self.at[axis]).max(self.at[axis] - high).max(0) as f64
        })
    }

    fn distance_squared(&self, offset: Offset) -> f64 {
        (0..3).map(|axis| offset[axis] * self.unit[axis]).map(|metres| metres * metres).sum()
    }

    /// Returns true if a thing at that offset is within reach, and not farther than the best so far.
    fn is_worth(&self, offset: Offset) -> bool {
        let [x, y, z] = offset;
        x * x + z * z <= self.radius * self.radius
            && y.abs() <= self.climb
            && self.best.is_none_or(|(known, _)| self.distance_squared(offset) <= known)
    }

    fn look_at(&mut self, index: u32) {
        let Some(offset) =
            self.closest(&self.tile.polygons()[index as usize]).filter(|offset| self.is_worth(*offset))
        else {
            return;
        };
        let distance = self.distance_squared(offset);
        let better = |(known, snap): (f64, Snap)| (distance, index) < (known, snap.polygon);
        if self.best.is_none_or(better) {
            let point = std::array::from_fn(|axis| self.at[axis] as f64 + offset[axis]);
            self.best = Some((distance, Snap { polygon: index, point }));
        }
    }

    /// A vertex of the tile, relative to the end.
    fn vertex(&self, index: usize) -> [i64; 3] {
        let vertex = self.tile.vertices()[index];
        std::array::from_fn(|axis| i64::from(vertex[axis]) - self.at[axis])
    }

    fn triangles(&self, polygon: &Polygon) -> impl Iterator<Item = ([[i64; 3]; 3], u16)> {
        self.tile.polygon_detail_triangles(polygon).iter().map(|triangle| {
            let corner = |local| self.vertex(self.tile.detail_vertex_index(polygon, local));
            (triangle.vertices.map(corner), triangle.boundary)
        })
    }

    /// The offset of the closest point of a polygon's surface as seen from above.
    fn closest(&self, polygon: &Polygon) -> Option<Offset> {
        let edges = self.tile.polygon_edges(polygon);
        let corner = |i: usize| self.vertex(edges[if i == edges.len() { 0 } else { i }].vertex as usize);
        if (0..edges.len()).all(|i| side(corner(i), corner(i + 1)) <= 0) {
            let over = self.triangles(polygon).find_map(|(corners, _)| height(corners));
            if let Some(height) = over {
                return Some([0.0, height, 0.0]);
            }
        }
        // Outside the polygon, or in a crack between its detail triangles, whose edges then are as near as
        // any.
        let outline = self.triangles(polygon).flat_map(|([a, b, c], boundary)| {
            let edges = [[a, b], [b, c], [c, a]].into_iter().enumerate();
            edges.filter(move |(i, _)| boundary >> i & 1 == 1).map(|(_, edge)| edge)
        });
        let around = (0..edges.len()).map(|i| [corner(i), corner(i + 1)]);
        nearest(outline).or_else(|| nearest(around))
    }
}

/// Twice the signed area of the triangle from `a` to `b` to the zero; negative if the zero is to the left of
/// the edge. Exact: differences are below 2^50.
fn side(a: [i64; 3], b: [i64; 3]) -> i128 {
    let [ax, _, az] = a.map(i128::from);
    let [bx, _, bz] = b.map(i128::from);
    (bx - ax) * -az - (bz - az) * -ax
}

/// The height of a triangle at the zero; `None` if the zero is outside it.
fn height([a, b, c]: [[i64; 3]; 3]) -> Option<f64> {
    let weights = [side(b, c), side(c, a), side(a, b)];
    let sum: i128 = weights.iter().sum();
    let inside = weights.iter().all(|&w| w <= 0) || weights.iter().all(|&w| w >= 0);
    (inside && sum != 0).then(|| {
        let share = |weight: i128| weight as f64 / sum as f64;
        [a, b, c].iter().zip(weights).map(|(corner, weight)| corner[1] as f64 * share(weight)).sum()
    })
}

/// The point of the given segments that is nearest to the zero as seen from above; the first of equals.
fn nearest(segments: impl Iterator<Item = [[i64; 3]; 2]>) -> Option<Offset> {
    let mut best: Option<(f64, Offset)> = None;
    for [a, b] in segments {
        let (a, b) = (a.map(|v| v as f64), b.map(|v| v as f64));
        let along: Offset = std::array::from_fn(|axis| b[axis] - a[axis]);
        let length_squared = along[0] * along[0] + along[2] * along[2];
        let foot = -(a[0] * along[0] + a[2] * along[2]);
        let t = if length_squared > 0.0 { (foot / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        let point: Offset = std::array::from_fn(|axis| a[axis] + along[axis] * t);
        let distance = point[0] * point[0] + point[2] * point[2];
        if best.is_none_or(|(known, _)| distance < known) {
            best = Some((distance, point));
        }
    }
    best.map(|(_, point)| point)
}
