//! The triangles that exact outlines follow in a tile with obstacles: the level's triangles outside of holes,
//! and those of solid obstacles.

use super::{Effect, PreparedObstacle};
use recast::AreaId;
use recast::data::Grid;
use recast::inside::geometry::is_degenerate;
use recast::inside::ground_mark::Prism;
use recast::inside::{OutlineTriangle, Source};
use std::borrow::Cow;

type Place = [f64; 3];

/// The triangles of a source over a grid, in an order that depends on nothing but the triangles.
pub(crate) fn outline_triangles(
    source: Source<'_>,
    is_walkable: impl Fn(usize) -> bool,
    grid: &Grid,
) -> Vec<OutlineTriangle> {
    let triangles = (0..source.len()).map(|index| OutlineTriangle {
        corners: source.corners(index),
        area: source.area_if(is_walkable(index), index),
    });
    let mut triangles: Vec<OutlineTriangle> =
        triangles.filter(|triangle| triangle.reaches(grid)).map(OutlineTriangle::canonical).collect();
    triangles.sort_unstable_by(OutlineTriangle::order);
    triangles.dedup();
    triangles
}

/// The triangles of a tile with the obstacles in it.
pub(crate) fn triangles_with<'a>(
    level: &'a [OutlineTriangle],
    obstacles: &[&PreparedObstacle],
    grid: &Grid,
) -> Cow<'a, [OutlineTriangle]> {
    let mut triangles = Cow::Borrowed(level);
    let holes = obstacles.iter().filter(|obstacle| matches!(obstacle.effect, Effect::Removes));
    for prism in holes.flat_map(|obstacle| &obstacle.prisms) {
        let planes = planes(prism, f64::from(grid.cell_height));
        let mut left = Vec::with_capacity(triangles.len());
        triangles.iter().for_each(|triangle| cut_out(triangle, &planes, &mut left));
        triangles = Cow::Owned(left);
    }
    for obstacle in obstacles.iter().filter(|obstacle| obstacle.is_solid()) {
        let solid = obstacle.triangles.iter().map(|&(corners, area)| OutlineTriangle { corners, area });
        triangles.to_mut().extend(solid.filter(|triangle| triangle.reaches(grid)));
    }
    triangles
}

/// A plane: places are outside where `normal · place > offset`.
struct Plane {
    normal: Place,
    offset: f64,
}

/// The planes around a prism; empty for a prism without an inside.
fn planes(prism: &Prism, cell_height: f64) -> Vec<Plane> {
    let corners = prism.outline.corners();
    if corners.len() < 3 {
        return Vec::new();
    }
    let [low, high] = [prism.heights[0], prism.heights[1] + 1].map(|cell| cell as f64 * cell_height);
    let mut planes = vec![
        Plane { normal: [0.0, -1.0, 0.0], offset: -low },
        Plane { normal: [0.0, 1.0, 0.0], offset: high },
    ];
    for (index, a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        // The inside is to the left, seen with z upwards.
        let normal = [b[1] - a[1], 0.0, a[0] - b[0]];
        planes.push(Plane { normal, offset: normal[0] * a[0] + normal[2] * a[1] });
    }
    planes
}

/// Appends the parts of a triangle outside of a prism; the whole triangle if no part is inside.
fn cut_out(triangle: &OutlineTriangle, planes: &[Plane], left: &mut Vec<OutlineTriangle>) {
    let mut inside: Vec<Place> = triangle.corners.iter().map(|corner| corner.map(f64::from)).collect();
    let first = left.len();
    for plane in planes {
        let mut outside = Vec::new();
        let mut kept = Vec::new();
        for (index, from) in inside.iter().enumerate() {
            let to = &inside[(index + 1) % inside.len()];
            let [start, end] = [from, to]
                .map(|place| (0..3).map(|axis| plane.normal[axis] * place[axis]).sum::<f64>() - plane.offset);
            if start >= 0.0 {
                outside.push(*from);
            }
            if start <= 0.0 {
                kept.push(*from);
            }
            if (start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0) {
                let share = start / (start - end);
                let cut = std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share);
                outside.push(cut);
                kept.push(cut);
            }
        }
        push_fan(&outside, triangle.area, left);
        inside = kept;
    }
    let mut last = Vec::new();
    push_fan(&inside, triangle.area, &mut last);
    if planes.is_empty() || last.is_empty() {
        left.truncate(first);
        left.push(*triangle);
    }
}

/// Appends a convex polygon as triangles.
fn push_fan(polygon: &[Place], area: AreaId, triangles: &mut Vec<OutlineTriangle>) {
    for index in 2..polygon.len() {
        let corners =
            [polygon[0], polygon[index - 1], polygon[index]].map(|corner| corner.map(|value| value as f32));
        if !is_degenerate(corners) {
            triangles.push(OutlineTriangle { corners, area });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use recast::inside::ground_mark::ConvexOutline;

    fn area(triangles: &[OutlineTriangle]) -> f64 {
        let of = |triangle: &OutlineTriangle| {
            let [a, b, c] = triangle.corners.map(|corner| corner.map(f64::from));
            let [u, v]: [Place; 2] = [b, c].map(|end| std::array::from_fn(|axis| end[axis] - a[axis]));
            let cross: Place = std::array::from_fn(|axis| {
                let [one, two] = [(axis + 1) % 3, (axis + 2) % 3];
                u[one] * v[two] - u[two] * v[one]
            });
            0.5 * cross.iter().map(|part| part * part).sum::<f64>().sqrt()
        };
        triangles.iter().map(of).sum()
    }

    proptest! {
        #[test]
        fn holes_cut_triangles_along_their_sides(
            corners in prop::array::uniform3(prop::array::uniform3(-8i32..8)),
            points in prop::collection::vec(prop::array::uniform2(-6i32..6), 3..8),
            bottom in -6i64..4,
            height in 1i64..8,
        ) {
            let corners = corners.map(|corner| corner.map(|value| value as f32));
            let triangle = OutlineTriangle { corners, area: AreaId::GROUND };
            prop_assume!(!is_degenerate(corners));
            let outline = ConvexOutline::around(points.iter().map(|point| point.map(f64::from)).collect());
            let prism = Prism { outline, heights: [bottom, bottom + height - 1], reach: 0.0 };
            let planes = planes(&prism, 1.0);
            let mut left = Vec::new();
            cut_out(&triangle, &planes, &mut left);
            let is_inside = |place: Place, slack: f64| {
                !planes.is_empty() && planes.iter().all(|plane| {
                    let length = plane.normal.iter().map(|part| part * part).sum::<f64>().sqrt();
                    let at = (0..3).map(|axis| plane.normal[axis] * place[axis]).sum::<f64>() - plane.offset;
                    at < slack * length
                })
            };
            // Nothing that is left is inside, and what is gone was.
            for part in &left {
                let middle = std::array::from_fn(|axis| part.corners.iter().map(|corner| f64::from(corner[axis])).sum::<f64>() / 3.0);
                prop_assert!(!is_inside(middle, -1e-4), "{part:?}");
            }
            let steps = 24;
            let mut inside = 0;
            for i in 0..steps {
                for j in 0..steps - i {
                    let [u, v] = [i, j].map(|at| (f64::from(at) + 1.0 / 3.0) / f64::from(steps));
                    let place = std::array::from_fn(|axis| {
                        let [a, b, c] = [0, 1, 2].map(|corner: usize| f64::from(corners[corner][axis]));
                        a + (b - a) * u + (c - a) * v
                    });
                    inside += u32::from(is_inside(place, 0.0));
                }
            }
            let gone = 1.0 - area(&left) / area(&[triangle]);
            let expected = f64::from(inside) / f64::from(steps * (steps + 1) / 2);
            prop_assert!((gone - expected).abs() < 0.12, "{gone} gone, {expected} inside");
        }
    }
}
