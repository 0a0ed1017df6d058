//! The convex hull of points in space, grown point by point over exact predicates.
//! Source: the incremental algorithm of textbooks (de Berg and others, Computational Geometry, chapter 11),
//! without its conflict lists. Units: any. Cost: O(points x triangles).

use navmath::sort::SharedSort;

/// A point as integers.
type LatticePoint = [i64; 3];

/// Points are rounded to this many steps from zero to the largest coordinate: products of three differences
/// fit 128 bits.
const STEPS: f64 = (1u64 << 36) as f64;

/// The triangles of the hull, counter-clockwise seen from outside, as indices of points; `None` if all points
/// are in one plane. Points must be finite.
pub(super) fn hull(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    let points = rounded(points);
    let start = tetrahedron(&points)?;
    let [a, b, c, d] = start;
    let mut faces = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    for point in 0..points.len() as u32 {
        if !start.contains(&point) {
            add(&points, &mut faces, point);
        }
    }
    Some(faces)
}

fn rounded(points: &[[f64; 3]]) -> Vec<LatticePoint> {
    let largest = points.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let scale = STEPS / largest;
    points.iter().map(|point| point.map(|value| (value * scale) as i64)).collect()
}

/// Replaces the faces that have a point on their outside by a fan from the point over their rim.
fn add(points: &[LatticePoint], faces: &mut Vec<[u32; 3]>, point: u32) {
    let is_visible = |face: &[u32; 3]| volume(points, *face, point) > 0;
    let visible: Vec<[u32; 3]> = faces.iter().copied().filter(is_visible).collect();
    faces.retain(|face| !visible.contains(face));
    let mut edges: Vec<(u32, u32)> = visible.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.shared_sort();
    // An edge between two visible faces appears in both directions.
    let rim = edges.iter().filter(|&&(a, b)| edges.binary_search(&(b, a)).is_err());
    faces.extend(rim.map(|&(a, b)| [a, b, point]));
}

/// Four points that are not in one plane, the fourth behind the first three: these are counter-clockwise seen
/// from outside.
fn tetrahedron(points: &[LatticePoint]) -> Option<[u32; 4]> {
    let count = points.len() as u32;
    let b = (1..count).find(|&b| points[b as usize] != points[0])?;
    let c = (1..count).find(|&c| normal(points, [0, b, c]) != [0; 3])?;
    let d = (1..count).find(|&d| volume(points, [0, b, c], d) != 0)?;
    Some(if volume(points, [0, b, c], d) < 0 { [0, b, c, d] } else { [0, c, b, d] })
}

fn normal(points: &[LatticePoint], [a, b, c]: [u32; 3]) -> [i128; 3] {
    let a = points[a as usize];
    let from_a = |index: u32| -> [i128; 3] {
        std::array::from_fn(|axis| i128::from(points[index as usize][axis]) - i128::from(a[axis]))
    };
    let (u, v) = (from_a(b), from_a(c));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Six times the signed volume between a face and a point: positive if the point is in front of the face.
fn volume(points: &[LatticePoint], face: [u32; 3], point: u32) -> i128 {
    let normal = normal(points, face);
    let (a, point) = (points[face[0] as usize], points[point as usize]);
    (0..3).map(|axis| normal[axis] * (i128::from(point[axis]) - i128::from(a[axis]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<[f64; 3]> {
        (0..8u32).map(|index| [0, 1, 2].map(|axis| f64::from(index >> axis & 1))).collect()
    }

    /// Checks that all points are behind every face or on it, and that each edge exists once in each
    /// direction.
    fn check(points: &[[f64; 3]]) -> Vec<[u32; 3]> {
        let faces = hull(points).unwrap();
        let scaled = rounded(points);
        for face in &faces {
            assert!((0..points.len() as u32).all(|point| volume(&scaled, *face, point) <= 0), "{face:?}");
        }
        let mut edges: Vec<_> = faces.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.shared_sort();
        assert!(edges.array_windows().all(|[a, b]| a != b));
        assert!(edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok()));
        faces
    }

    #[test]
    fn a_cube_with_points_inside_and_on_its_faces_has_twelve_triangles() {
        let mut points = cube();
        assert_eq!(check(&points).len(), 12);
        points.extend([[0.5, 0.5, 0.5], [0.25, 0.5, 0.75], [0.0, 0.0, 0.0]]);
        assert_eq!(check(&points).len(), 12);
        points.insert(0, [0.5, 0.5, 0.0]);
        check(&points);
    }

    #[test]
    fn scattered_points_have_a_hull() {
        for count in [4, 9, 60, 256] {
            let at = |index: u32, factor: u32| f64::from(index * factor % 1009) / 1009.0;
            let points: Vec<_> =
                (0..count).map(|i| [at(i + 1, 331), at(i + 2, 577), at(i + 3, 883)]).collect();
            check(&points);
        }
    }

    #[test]
    fn points_in_a_plane_have_none() {
        assert_eq!(hull(&[[0.0; 3]; 5]), None);
        assert_eq!(hull(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]), None);
        assert_eq!(hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]), None);
    }
}
