//! The parts of a triangle that are obstacles on different floors: those between climb and head height above
//! each floor.

use super::pieces::{Base, Obstacle};
use super::shape::LineSegment;
use super::vector::{Plan, cross, dot, sub, unit};

/// A triangle narrower than this as seen from above is a single line, cells.
const THIN: f64 = 1.0 / 64.0;

/// A triangle: x and z in cells from the lattice's zero, y in cell heights.
pub(super) type TriangleCorners = [[f64; 3]; 3];

/// A side of the outline of a part, as seen from above.
pub(super) struct SlabEdge {
    pub(super) base: Base,
    /// Its number, if a piece of it is added already.
    pub(super) number: Option<u32>,
}

/// The parts of one triangle so far.
#[derive(Default)]
pub(super) struct Slabs {
    corners: TriangleCorners,
    /// The line in place of a narrow triangle.
    line: Option<LineSegment>,
    /// Each floor, and its first edge and the one after its last.
    floors: Vec<(i32, [usize; 2])>,
    edges: Vec<SlabEdge>,
    /// The triangle above a height, and its part between two.
    above: Vec<[f64; 3]>,
    between: Vec<[f64; 3]>,
}

impl Slabs {
    /// Starts with another triangle.
    pub(super) fn start(&mut self, corners: &TriangleCorners) {
        self.corners = *corners;
        self.floors.clear();
        self.edges.clear();
    }

    /// The outline of the part between two heights above a floor.
    pub(super) fn outline(&mut self, floor: i32, [from, to]: [f64; 2]) -> &mut [SlabEdge] {
        let known = self.floors.iter().rfind(|(known, _)| *known == floor).map(|(_, edges)| *edges);
        let [start, end] = known.unwrap_or_else(|| self.add(floor, [from, to]));
        &mut self.edges[start..end]
    }

    fn add(&mut self, floor: i32, [from, to]: [f64; 2]) -> [usize; 2] {
        if self.floors.is_empty() {
            self.line = line_of(&self.corners);
        }
        cut(&self.corners, from, 1.0, &mut self.above);
        cut(&self.above, to, -1.0, &mut self.between);
        let start = self.edges.len();
        let part = &self.between;
        if let Some(line) = self.line.filter(|_| !part.is_empty()) {
            // All parts of a wall get the line of the whole triangle, which its neighbours in the wall share.
            let share = |corner: &[f64; 3]| line.nearest(plan(*corner)).share;
            let least = part.iter().map(share).fold(1.0, f64::min);
            let most = part.iter().map(share).fold(0.0, f64::max);
            self.edges.push(SlabEdge {
                base: Base::exact(LineSegment { range: [least, most], ..line }),
                number: None,
            });
        } else {
            let [a, b, c] = self.corners.map(plan);
            let is_left = cross(sub(b, a), sub(c, a)) > 0.0;
            for (index, &a) in part.iter().enumerate() {
                let [a, b] = [a, part[(index + 1) % part.len()]].map(plan);
                if a != b {
                    let segment = ordered(a, b);
                    let obstacle = Some(Obstacle { floor, is_left: is_left == (a < b) });
                    self.edges
                        .push(SlabEdge { base: Base { obstacle, ..Base::exact(segment) }, number: None });
                }
            }
        }
        let edges = [start, self.edges.len()];
        self.floors.push((floor, edges));
        edges
    }
}

pub(super) fn plan([x, _, z]: [f64; 3]) -> Plan {
    [x, z]
}

/// The segment between two places, from the smaller one.
fn ordered(a: Plan, b: Plan) -> LineSegment {
    if a < b { LineSegment::new(a, b) } else { LineSegment::new(b, a) }
}

/// The line that a triangle is as seen from above, if it is narrow.
fn line_of(corners: &TriangleCorners) -> Option<LineSegment> {
    let corners = corners.map(plan);
    let [a, b, c] = corners;
    let longest = [[a, b], [b, c], [c, a]].into_iter().max_by(|one, two| {
        let squared = |[a, b]: [Plan; 2]| dot(sub(b, a), sub(b, a));
        squared(*one).total_cmp(&squared(*two))
    });
    let [a, b] = longest?;
    let along = unit(sub(b, a))?;
    let is_narrow = corners.iter().all(|&corner| cross(along, sub(corner, a)).abs() < THIN);
    is_narrow.then(|| ordered(a, b))
}

/// The part of a polygon on one side of a height: above it if `sign` is 1, below it if -1.
fn cut(corners: &[[f64; 3]], height: f64, sign: f64, kept: &mut Vec<[f64; 3]>) {
    kept.clear();
    for (index, &from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        let [start, end] = [from, to].map(|corner| (corner[1] - height) * sign);
        if start >= 0.0 {
            kept.push(from);
        }
        if (start > 0.0 && end < 0.0) || (start < 0.0 && end > 0.0) {
            // From the smaller corner, so that triangles with a common edge find the same place.
            let (a, b) = if from < to { (from, to) } else { (to, from) };
            let part = (height - a[1]) / (b[1] - a[1]);
            let along = |axis: usize| a[axis] + (b[axis] - a[axis]) * part;
            kept.push([along(0), height, along(2)]);
        }
    }
}
