//! The names of the triangles at a place, for messages. Cost: O(triangles).

use super::{SourceLevel, SourceMesh};
use std::collections::BTreeSet;

/// The names of a triangle; empty if it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TriangleNames {
    /// Its object; empty for glTF.
    pub object: String,
    /// Its group; in glTF the name of its mesh.
    pub group: String,
    /// The path of its node in glTF.
    pub node: String,
    /// Its material.
    pub material: String,
}

impl SourceLevel {
    /// The names of the triangles whose part over a rectangle ends between two heights: `plan` is the
    /// smallest and the largest x, then z, world metres.
    pub fn names_over(&self, plan: [[f64; 2]; 2], heights: [f64; 2]) -> BTreeSet<TriangleNames> {
        let mut found = BTreeSet::new();
        for placement in &self.placements {
            let Some(mesh) = self.meshes.get(placement.mesh) else { continue };
            for (index, triangle) in mesh.triangles.iter().enumerate() {
                let corners =
                    triangle.map(|vertex| placement.transform.apply(mesh.vertices[vertex as usize]));
                let top = top_over(corners, plan);
                if top.is_some_and(|top| (heights[0]..=heights[1]).contains(&top)) {
                    found.insert(names_of(mesh, index, &placement.node));
                }
            }
        }
        found
    }
}

fn names_of(mesh: &SourceMesh, triangle: usize, node: &str) -> TriangleNames {
    let [object, group, material] =
        [&mesh.objects, &mesh.groups, &mesh.materials].map(|labels| labels.name_of(triangle).to_owned());
    TriangleNames { object, group, node: node.to_owned(), material }
}

/// Height of the highest point of a triangle over a rectangle; `None` if no part of it is over the rectangle.
fn top_over(corners: [[f64; 3]; 3], plan: [[f64; 2]; 2]) -> Option<f64> {
    let mut polygon = corners.to_vec();
    for (axis, range) in [0, 2].into_iter().zip(plan) {
        for (bound, sign) in [(range[0], 1.0), (range[1], -1.0)] {
            polygon = cut(&polygon, |corner| (corner[axis] - bound) * sign);
        }
    }
    polygon.into_iter().map(|corner| corner[1]).reduce(f64::max)
}

/// The part of a convex polygon where `inside` is not negative.
fn cut(polygon: &[[f64; 3]], inside: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut left = Vec::with_capacity(polygon.len() + 1);
    for (index, from) in polygon.iter().enumerate() {
        let to = &polygon[(index + 1) % polygon.len()];
        let (a, b) = (inside(from), inside(to));
        if a >= 0.0 {
            left.push(*from);
        }
        if (a < 0.0) != (b < 0.0) {
            let share = a / (a - b);
            left.push(std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_obj;

    #[test]
    fn triangles_are_named_where_they_end() {
        let text = "o Yard\nusemtl grass\nv 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n\
                    o Wall\nusemtl brick\nv 4 0 5\nv 6 2 5\nv 4 2 5\nf 4 5 6\n";
        let level: SourceLevel = read_obj(text.as_bytes()).unwrap().into();
        let names = |plan, heights| -> Vec<String> {
            let found = level.names_over(plan, heights);
            found.into_iter().map(|names| format!("{} {}", names.object, names.material)).collect()
        };
        let around = [[4.9, 5.1], [4.9, 5.1]];
        assert_eq!(names(around, [-0.1, 0.1]), ["Yard grass"]);
        assert_eq!(names(around, [1.9, 2.1]), ["Wall brick"]);
        assert_eq!(names(around, [-1.0, 3.0]), ["Wall brick", "Yard grass"]);
        // The wall's own slope ends lower at its lower end.
        assert_eq!(names([[4.0, 4.1], [4.9, 5.1]], [1.9, 2.1]), ["Wall brick"]);
        assert!(names([[6.5, 7.0], [5.0, 5.1]], [1.0, 3.0]).is_empty());
        assert!(names([[1.0, 1.5], [0.1, 0.5]], [-9.0, 9.0]).is_empty(), "beside every triangle");
    }
}
