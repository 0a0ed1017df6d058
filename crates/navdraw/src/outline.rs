//! The outline of a level: edges where two triangles meet at an angle, and edges of a single triangle. Cost:
//! O(n log n) for n triangles.

use crate::colour::Colour;
use crate::scene::{Picture, Shape, Stroke, Swatch};
use recast::PreparedLevel;

/// Cosine of the least angle between two triangles whose common edge is drawn, 20 degrees.
const FLAT: f32 = 0.939_692_6;
const LINE: Stroke = Stroke::new(Colour::hex(0x9aa5ad), 1.2);

/// The edges of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelEdges {
    /// The ends of each, world metres.
    edges: Vec<[[f64; 3]; 2]>,
}

type Corner = [f32; 3];

/// An edge of a triangle.
#[derive(Clone, Copy)]
struct Side {
    /// Its ends by their bits, the smaller first: the same key in each triangle with this edge.
    key: [[u32; 3]; 2],
    ends: [Corner; 2],
    /// Normal of the triangle; zero if it has no area.
    normal: Corner,
}

impl LevelEdges {
    /// The edges of a level at which triangles meet at more than 20 degrees, or that have one triangle.
    /// Triangles meet if their corners have the same bits.
    pub fn of_level(level: &PreparedLevel) -> LevelEdges {
        let mut sides: Vec<Side> =
            (0..level.triangle_count()).flat_map(|triangle| sides_of(level.corners(triangle))).collect();
        sides.sort_unstable_by_key(|side| side.key);
        let world =
            |local: Corner| std::array::from_fn(|axis| level.lattice.origin[axis] + f64::from(local[axis]));
        let edges = sides.chunk_by(|a, b| a.key == b.key).filter(|sides| is_seen(sides));
        LevelEdges { edges: edges.map(|sides| sides[0].ends.map(world)).collect() }
    }
}

fn sides_of(corners: [Corner; 3]) -> impl Iterator<Item = Side> {
    let [a, b, c] = corners;
    let normal = normal(a, b, c);
    // Zero has two signs, and bits tell them apart.
    let bits = |corner: Corner| corner.map(|value| (value + 0.0).to_bits());
    [[a, b], [b, c], [c, a]].into_iter().filter(move |[a, b]| bits(*a) != bits(*b)).map(move |ends| {
        let mut key = ends.map(bits);
        key.sort_unstable();
        Side { key, ends, normal }
    })
}

/// The direction of a triangle, of length 1; zero if it has no area.
fn normal(a: Corner, b: Corner, c: Corner) -> Corner {
    let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis| end[axis] - a[axis]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|value| value * value).sum::<f32>().sqrt();
    cross.map(|value| if length > 0.0 { value / length } else { 0.0 })
}

/// Returns true if the edge of these triangles is drawn: it has one triangle, or a triangle outside the plane
/// of the first.
fn is_seen(sides: &[Side]) -> bool {
    let [first, others @ ..] = sides else { return false };
    let cosine = |other: &Side| (0..3).map(|axis| first.normal[axis] * other.normal[axis]).sum::<f32>();
    others.is_empty() || others.iter().any(|other| cosine(other) < FLAT)
}

/// Draws the edges with an end within the heights, or all edges without heights.
pub(crate) fn draw(picture: &mut Picture, outline: &LevelEdges, heights: Option<[f64; 2]>) {
    let is_within = |end: &[f64; 3]| heights.is_none_or(|[low, high]| (low..=high).contains(&end[1]));
    let shown = outline.edges.iter().filter(|ends| ends.iter().any(is_within));
    let mut segments: Vec<_> = shown.map(|ends| ends.map(|[x, _, z]| [x, z])).collect();
    // Seen from above, an upright edge is a point, and the upper and lower edges of a wall coincide.
    segments.retain(|[a, b]| a != b);
    segments.sort_by(|a, b| {
        a.iter().flatten().partial_cmp(b.iter().flatten()).unwrap_or(std::cmp::Ordering::Equal)
    });
    segments.dedup();
    if segments.is_empty() {
        return;
    }
    picture.push_layer("level", vec![Shape::segments(segments, LINE)]);
    picture.push_legend(Swatch::Line(LINE), "level");
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Corner; 5] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];

    fn seen(triangles: &[[usize; 3]]) -> usize {
        let mut sides: Vec<Side> =
            triangles.iter().flat_map(|corners| sides_of(corners.map(|corner| CORNERS[corner]))).collect();
        sides.sort_unstable_by_key(|side| side.key);
        sides.chunk_by(|a, b| a.key == b.key).filter(|sides| is_seen(sides)).count()
    }

    #[test]
    fn edges_are_drawn_at_angles_and_where_a_triangle_ends() {
        let floor = [[0, 2, 1], [0, 3, 2]];
        assert_eq!(seen(&floor), 4, "not the diagonal of a square");
        let with_wall = [[0, 2, 1], [0, 3, 2], [0, 1, 4]];
        assert_eq!(seen(&with_wall), 6, "the wall has two free edges and a corner with the floor");
    }
}
