//! Snapping of links between edges to the ground: the part of both edges that can be crossed.
//!
//! Each edge is tied to the polygon under its middle ([`snap`]) and moved over it as a whole, by no more than
//! the link's radius; so all crossing points of a link move by the same vector:
//!
//! ```text
//!        ┌───────────────┐                 the edge as the link has it, its middle m
//!        │  polygon      │   ┄┄┄┄┄┄m┄┄┄┄┄┄
//!        └───────────────┘   ====●====     moved onto the polygon, and as long as it lies over it
//! ```
//!
//! The candidates are movements across the edge, and the movement to the point to which its middle snaps. The
//! best one leaves most of the edge over the polygon; of equal ones the shortest is taken. Both edges are
//! then cut to the part that they have in common. Heights are those of the ground at the middle. Both edges
//! rise equally along their length, by the mean of the ground under them, so that all crossings have the same
//! length.
//! Cost: a snap per edge, and a few walks around its polygon.
//! Source: our own.

use crate::layout::{OffMeshLink, Polygon};
use crate::off_mesh::{height_at, middle, snap};
use crate::tile::Tile;
use navmath::FIXED_ONE;

/// Edges of links stay this far inside their polygons, 1/256 cell: more than rounding moves a point, but too
/// little to see.
const MARGIN: f64 = 2.0;

/// An edge of a link over a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSnap {
    /// Index of the polygon in its tile.
    pub polygon: u32,
    /// Position of the middle of the whole edge after the move; fixed-point, relative to the base cell of its
    /// tile.
    middle: [f64; 3],
    /// The part of the edge over the polygon, as shares of the whole from -1/2 to 1/2.
    part: [f64; 2],
}

/// The part of a link that can be crossed: two edges of one direction and length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePair {
    /// The middles of both edges; fixed-point, each relative to the base cell of its tile.
    pub middles: [[f64; 3]; 2],
    /// The vector from each middle to the end of its edge; fixed-point. Zero for a link between points.
    pub half: [f64; 3],
}

/// Snaps an edge of a link to the ground of `tile`; `None` without ground within reach. `end` is the end of
/// the edge that the link stores, global in 1/256 cells of the lattice. A link between points has edges of
/// zero length.
pub fn snap_edge(tile: &Tile, link: &OffMeshLink, end: [i64; 3]) -> Option<EdgeSnap> {
    let offset = middle(link, [0; 3]);
    let at = std::array::from_fn(|axis| end[axis].saturating_add(i64::from(offset[axis])));
    let snapped = snap(tile, at, link.radius)?;
    let polygon = snapped.polygon;
    if link.along == [0; 2] {
        return Some(EdgeSnap { polygon, middle: snapped.point, part: [0.0; 2] });
    }
    let base = tile.header().base_cell.map(|cell| cell * i64::from(FIXED_ONE));
    let given: [f64; 3] = std::array::from_fn(|axis| at[axis].saturating_sub(base[axis]) as f64);
    let search = EdgeSearch {
        tile,
        polygon: &tile.polygons()[polygon as usize],
        along: link.along.map(f64::from),
        given: [given[0], given[2]],
        radius: f64::from(link.radius),
    };
    let [x, z] = search.best([snapped.point[0], snapped.point[2]]);
    // If the polygon is too narrow, one point remains.
    let part = search.part([x, z], search.along).unwrap_or_default();
    let part = [part[0].max(-0.5), part[1].min(0.5)];
    let part = if part[0] <= part[1] { part } else { [0.0; 2] };
    let height = height_at(tile, polygon, [x, given[1], z]);
    Some(EdgeSnap { polygon, middle: [x, height, z], part })
}

/// The part of a link that can be crossed, from the snapped edges in the tiles of its start and its end.
pub fn pair(link: &OffMeshLink, [start, end]: [(&Tile, &EdgeSnap); 2]) -> EdgePair {
    if link.along == [0; 2] {
        return EdgePair { middles: [start.1.middle, end.1.middle], half: [0.0; 3] };
    }
    let [along_x, along_z] = link.along.map(f64::from);
    let from = start.1.part[0].max(end.1.part[0]);
    let to = start.1.part[1].min(end.1.part[1]);
    // If the edges have no part in common, the link leads from middle to middle.
    let [from, to] = if from <= to { [from, to] } else { [0.0; 2] };
    let at = |(tile, edge): (&Tile, &EdgeSnap), share: f64| {
        let [x, y, z] = edge.middle;
        let (x, z) = (x + along_x * share, z + along_z * share);
        [x, height_at(tile, edge.polygon, [x, y, z]), z]
    };
    let rise = |edge| (at(edge, to)[1] - at(edge, from)[1]) / 2.0;
    let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
    EdgePair {
        middles: [at(start, middle), at(end, middle)],
        half: [along_x * half, (rise(start) + rise(end)) / 2.0, along_z * half],
    }
}

/// A point seen from above: x, z; fixed-point, relative to the base cell.
type InPlan = [f64; 2];

struct EdgeSearch<'a> {
    tile: &'a Tile,
    polygon: &'a Polygon,
    along: InPlan,
    /// The middle that the link stores.
    given: InPlan,
    radius: f64,
}

impl EdgeSearch<'_> {
    /// The part of the line `p + t * direction` that is over the polygon and not on its outline; `None` if
    /// the line misses the polygon.
    fn part(&self, p: InPlan, direction: InPlan) -> Option<[f64; 2]> {
        let edges = self.tile.polygon_edges(self.polygon);
        let corner = |i: usize| {
            let [x, _, z] = self.tile.vertices()[edges[i % edges.len()].vertex as usize];
            [f64::from(x), f64::from(z)]
        };
        let mut part = [f64::NEG_INFINITY, f64::INFINITY];
        for i in 0..edges.len() {
            let (a, b) = (corner(i), corner(i + 1));
            let edge = [b[0] - a[0], b[1] - a[1]];
            // Positive outside the polygon, which is to the left of its edges.
            let outside = cross(edge, [p[0] - a[0], p[1] - a[1]]) + MARGIN * edge[0].hypot(edge[1]);
            let leaves = cross(edge, direction);
            if leaves == 0.0 {
                if outside > 0.0 {
                    return None;
                }
                continue;
            }
            let t = -outside / leaves;
            if leaves > 0.0 {
                part[1] = part[1].min(t);
            } else {
                part[0] = part[0].max(t);
            }
        }
        (part[0] <= part[1]).then_some(part)
    }

    /// The middle that puts most of the edge over the polygon; `snapped` is the point to which the edge's own
    /// middle snaps.
    fn best(&self, snapped: InPlan) -> InPlan {
        let length = self.along[0].hypot(self.along[1]);
        let across = [-self.along[1] / length, self.along[0] / length];
        let moved = |p: InPlan, by: InPlan, times: f64| [p[0] + by[0] * times, p[1] + by[1] * times];
        let mut candidates = vec![snapped];
        if let Some([low, high]) = self.part(self.given, across) {
            let (low, high) = (low.max(-self.radius), high.min(self.radius));
            let ends = [-0.5, 0.5]
                .into_iter()
                .filter_map(|share| self.part(moved(self.given, self.along, share), across));
            let bounds = ends.flatten().chain([0.0, low, high]);
            candidates.extend(
                bounds.filter(|by| (low..=high).contains(by)).map(|by| moved(self.given, across, by)),
            );
        }
        let rank = |middle: &InPlan| {
            let [from, to] = self.part(*middle, self.along).unwrap_or_default();
            let covered = to.min(0.5) - from.max(-0.5);
            let away = (middle[0] - self.given[0]).hypot(middle[1] - self.given[1]);
            // Parts that differ by less than a step count as equal.
            ((covered * length).round(), -away)
        };
        let best = candidates.into_iter().map(|middle| (rank(&middle), middle));
        best.max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))
            .map_or(snapped, |(_, middle)| middle)
    }
}

/// Positive if `b` is to the right of `a`.
fn cross(a: InPlan, b: InPlan) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
