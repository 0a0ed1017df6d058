//! A face of an OBJ file as triangles: a fan if that is correct, else a sweep over its plane.
//!
//! ```text
//!   1───────────2    The outline is a set of edges, each with the number of times that the face walks
//!   │  5─────6  │    along it one way less the other. The bridge 0-5 is walked both ways: 0 times, so it
//!   │  │     │  │    is no edge. Stepping over an edge changes the number of turns that the outline makes
//!   │  8─────7  │    around a place by that number. Places with turns belong to the face: here 1, in the
//!   0───────────3    hole 0.
//! ```
//!
//! So holes can be joined by any bridge, outlines may touch themselves, and a face with a thousand
//! revolutions is covered once. Corners are projected onto the two axes that the face's normal is farthest
//! from, and onto a grid of 2^29 steps, on which all decisions are exact. An edge that crosses another is
//! routed over the nearest of their ends, and the sweep starts again: if edges cross only by rounding, the
//! change is too small to measure. If a face changes, it folds over itself.
//!
//! Cost: linear for fans, else O(n log n) for n corners, a few times if edges cross.
//! Source: M. Newell's normal, in I. Sutherland, R. Sproull, R. Schumacker, A Characterization of Ten
//! Hidden-Surface Algorithms (1974).

mod chains;
mod order;
mod sweep;
#[cfg(test)]
mod tests;

use navmath::predicates::{Point, polygon_area2};
use sweep::{Crossing, Edge, sweep};

/// The share of a face's area that is ignored, because rounding of coordinates can produce it.
const ROUNDING: f64 = 1e-9;
/// A face folds over itself if the area it covers differs from the area its outline encloses by more than
/// this share.
const FOLD: f64 = 1e-6;
/// A face is not planar if its corners leave their plane by more than this share of its size.
const BEND: f64 = 0.1;
/// The grid has 2 to this power of steps, or half of that.
const GRID_BITS: i32 = 29;

/// The flaws of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flaws {
    /// It crosses or covers itself, or parts of it face the other way.
    pub(crate) folds: bool,
    /// Its corners are far from one plane.
    pub(crate) bends: bool,
}

/// The corners of a face in its plane. Corners at the same place are one vertex; vertices are numbered by
/// place.
struct Outline {
    points: Vec<Point>,
    /// The first corner at each vertex.
    corners: Vec<u32>,
    /// The vertex of each corner.
    vertices: Vec<u32>,
}

/// Appends the triangles of a face with four corners or more, as indices of its corners.
///
/// A face that is star-shaped around its first corner, as all convex faces are, becomes a fan: (0, i - 1, i).
pub(crate) fn triangulate(corners: &[[f64; 3]], triangles: &mut Vec<[u32; 3]>) -> Flaws {
    let Some((normal, axis)) = normal(corners) else {
        // Too large to compute with; no level is.
        triangles.extend(fan(corners.len()));
        return Flaws::default();
    };
    let bends = bends(corners, normal);
    let plan: Vec<[f64; 2]> = arms(corners).map(|arm| [arm[(axis + 1) % 3], arm[(axis + 2) % 3]]).collect();
    if is_fan(&plan, normal[axis]) {
        triangles.extend(fan(corners.len()));
        return Flaws { folds: false, bends };
    }
    let Some(grid) = on_grid(&plan) else { return Flaws { folds: false, bends } };
    drop(plan);
    let outline = Outline::new(&grid);
    let first = triangles.len();
    let Some([front, back]) = outline.triangulate(triangles) else {
        outline.distinct_fan(triangles);
        return Flaws { folds: true, bends };
    };
    for corner in triangles[first..].as_flattened_mut() {
        *corner = outline.corners[*corner as usize];
    }
    let enclosed = polygon_area2(grid.iter().copied()) as f64;
    let folds =
        (front - back - enclosed).abs() > FOLD * (front + back) || front.min(back) > FOLD * front.max(back);
    Flaws { folds, bends }
}

/// Corners relative to the first.
fn arms(corners: &[[f64; 3]]) -> impl Iterator<Item = [f64; 3]> {
    corners.iter().map(|corner| sub(*corner, corners[0]))
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Newell's normal, with a length of twice the area, and the axis along which most of the face is visible;
/// `None` if it is not finite.
fn normal(corners: &[[f64; 3]]) -> Option<([f64; 3], usize)> {
    let (mut sum, mut whole) = ([0.0; 3], [0.0; 3]);
    for (arm, next) in arms(corners).zip(arms(corners).skip(1)) {
        let part = cross(arm, next);
        for axis in 0..3 {
            sum[axis] += part[axis];
            whole[axis] += part[axis].abs();
        }
    }
    if !dot(whole, whole).is_finite() {
        return None;
    }
    // Parts that face each other may cancel out; then the axis along which most of them is visible is used.
    let by = if dot(sum, sum) > FOLD * FOLD * dot(whole, whole) { sum } else { whole };
    let axis = (0..3).fold(0, |most, axis| if by[axis].abs() > by[most].abs() { axis } else { most });
    Some((sum, axis))
}

/// Returns true if corners are far from one plane, compared with their distances from each other.
fn bends(corners: &[[f64; 3]], normal: [f64; 3]) -> bool {
    let length = dot(normal, normal).sqrt();
    let (mut low, mut high) = (0.0_f64, 0.0_f64);
    let (mut least, mut most) = ([0.0_f64; 3], [0.0_f64; 3]);
    for arm in arms(corners) {
        let height = dot(arm, normal) / length;
        (low, high) = (low.min(height), high.max(height));
        for axis in 0..3 {
            (least[axis], most[axis]) = (least[axis].min(arm[axis]), most[axis].max(arm[axis]));
        }
    }
    let size = sub(most, least).iter().fold(0.0_f64, |size, side| size.max(*side));
    length > 0.0 && high - low > BEND * size
}

/// The triangles of a fan around the first corner.
fn fan(corners: usize) -> impl Iterator<Item = [u32; 3]> {
    (2..corners as u32).map(|corner| [0, corner - 1, corner])
}

/// Returns true if the triangles of the fan cover the face, each place once. Seen from the first corner, the
/// others must turn in one direction, and by at most half a turn.
fn is_fan(plan: &[[f64; 2]], double_area: f64) -> bool {
    let others = &plan[1..];
    // An outline that returns to its first corner starts another revolution. A quad has too few corners for
    // that.
    if plan.len() > 4 && others.contains(&[0.0; 2]) {
        return false;
    }
    let tolerance = ROUNDING * double_area.abs();
    let turn = |a: [f64; 2], b: [f64; 2]| (a[0] * b[1] - a[1] * b[0]) * double_area.signum();
    let mut back = 0.0;
    others.windows(2).all(|pair| {
        back += (-turn(pair[0], pair[1])).max(0.0);
        back <= tolerance && turn(others[0], pair[1]) >= -tolerance
    })
}

/// The corners of a plan on a grid that is as fine as exact arithmetic allows; `None` if they are all at the
/// same place.
fn on_grid(plan: &[[f64; 2]]) -> Option<Vec<Point>> {
    let bound = |pick: fn(f64, f64) -> f64| {
        plan.iter().fold(plan[0], |bound, point| [pick(bound[0], point[0]), pick(bound[1], point[1])])
    };
    let (low, high) = (bound(f64::min), bound(f64::max));
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    // A power of two keeps collinear corners collinear. Sizes without an exponent are smaller than any level.
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    let steps =
        u64::try_from(GRID_BITS - 1 - exponent + 1023).ok().filter(|bits| (1..2047).contains(bits))?;
    let scale = f64::from_bits(steps << 52);
    let place = |value: f64, low: f64| ((value - low) * scale).round() as i32;
    (size >= f64::MIN_POSITIVE)
        .then(|| plan.iter().map(|point| [place(point[0], low[0]), place(point[1], low[1])]).collect())
}

impl Outline {
    fn new(grid: &[Point]) -> Outline {
        let mut order: Vec<u32> = (0..grid.len() as u32).collect();
        order.sort_unstable_by_key(|corner| (grid[*corner as usize], *corner));
        let mut vertices = vec![0; grid.len()];
        let (mut points, mut corners): (Vec<Point>, Vec<u32>) = (Vec::new(), Vec::new());
        for corner in order {
            let point = grid[corner as usize];
            if points.last() != Some(&point) {
                points.push(point);
                corners.push(corner);
            }
            vertices[corner as usize] = points.len() as u32 - 1;
        }
        Outline { points, corners, vertices }
    }

    /// The edges that are walked more often in one direction than in the other.
    fn edges(&self) -> Vec<Edge> {
        let ends = self.vertices.iter().skip(1).chain(self.vertices.first());
        let walked = self.vertices.iter().zip(ends);
        summed(walked.map(|(&from, &to)| Edge::walked(from, to, 1)).collect())
    }

    /// Appends the triangles that the outline turns around, as vertices. Returns twice the area of the front
    /// faces and of the back faces; `None` if the outline crosses itself too often.
    fn triangulate(&self, triangles: &mut Vec<[u32; 3]>) -> Option<[f64; 2]> {
        /// Most sweeps that a face may take, and most edges that a small face may process in total.
        const SWEEPS: usize = 4;
        const EDGES: usize = 1 << 20;
        const MOST: usize = 32;
        let first = triangles.len();
        let mut edges = self.edges();
        let sweeps = (SWEEPS + EDGES / edges.len().max(1)).min(MOST).min(self.points.len());
        for _ in 0..sweeps {
            match sweep(&self.points, &edges, triangles) {
                Ok(areas) => return Some(areas),
                Err(crossing) => {
                    triangles.truncate(first);
                    edges = self.led_round(edges, crossing);
                }
            }
        }
        None
    }

    /// Routes one of two crossing edges over the nearest end of the other.
    fn led_round(&self, mut edges: Vec<Edge>, crossing: Crossing) -> Vec<Edge> {
        let [one, other] = crossing.edges;
        let by = |of: u32, end: u32| (crossing.distance(&self.points, of, end), of, end);
        let (a, b) = (crossing.ends[0], crossing.ends[1]);
        let ways = [by(0, b[0]), by(0, b[1]), by(1, a[0]), by(1, a[1])];
        let nearest = ways.iter().fold(ways[0], |best, way| if way.0 < best.0 { *way } else { best });
        let edge = &mut edges[if nearest.1 == 0 { one } else { other } as usize];
        let (from, to, times) = (edge.from, edge.to, edge.times);
        edge.times = 0;
        edges.extend([Edge::walked(from, nearest.2, times), Edge::walked(nearest.2, to, times)]);
        summed(edges)
    }

    /// The fan, with each of its triangles once. A tangle that produces many more triangles than it has
    /// vertices is left out: a few bytes of text would become any number of triangles over each other.
    fn distinct_fan(&self, triangles: &mut Vec<[u32; 3]>) {
        let corner = |corner: u32| self.corners[self.vertices[corner as usize] as usize];
        let fan = fan(self.vertices.len()).map(|triangle| triangle.map(corner));
        let mut list: Vec<[u32; 3]> =
            fan.filter(|[a, b, c]| a != b && b != c && c != a).map(from_lowest).collect();
        list.sort_unstable();
        list.dedup();
        if list.len() <= 2 * self.points.len() {
            triangles.append(&mut list);
        }
    }
}

/// A triangle that starts with its lowest corner.
fn from_lowest([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Merges edges between the same vertices, and leaves out edges that are walked equally often in both
/// directions.
fn summed(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_unstable();
    let sum = |same: &[Edge]| Edge { times: same.iter().map(|edge| edge.times).sum(), ..same[0] };
    let same = edges.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to));
    same.map(sum).filter(|edge| edge.times != 0 && edge.from != edge.to).collect()
}
