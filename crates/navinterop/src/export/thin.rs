//! Detail meshes with fewer vertices, for polygons whose own do not fit Detour's bytes.
//!
//! Greedy insertion: it starts from the polygon's corners, and repeatedly adds the vertex that is farthest
//! from the triangles so far, until there is no more room. Only vertices whose triangle was just split are
//! examined again. Source: M. Garland, P. Heckbert, Fast Polygonal Approximation of Terrains and Height
//! Fields (1995).

use super::detail::{Detail, MOST, on_outline, plan};
use navmath::predicates::area2;

/// A vertex that is not in the mesh yet, the triangle under or over it, and its distance above or below, in
/// units.
struct Candidate {
    vertex: [i32; 3],
    triangle: usize,
    error: f64,
}

struct Thinning<'a> {
    corners: &'a [[i32; 3]],
    /// Corners, then the vertices that were added.
    vertices: Vec<[i32; 3]>,
    triangles: Vec<[usize; 3]>,
}

/// The detail mesh with the vertices that fit, chosen by importance, and the largest error of the others, in
/// units.
pub(super) fn thin(corners: &[[i32; 3]], detail: &Detail) -> (Detail, f64) {
    let fan = (1..corners.len() - 1).map(|at| [0, at, at + 1]).collect();
    let mut mesh = Thinning { corners, vertices: corners.to_vec(), triangles: fan };
    let all: Vec<usize> = (0..mesh.triangles.len()).collect();
    let locate = |&vertex: &[i32; 3]| mesh.locate(vertex, &all);
    let mut candidates: Vec<Candidate> = detail.vertices.iter().filter_map(locate).collect();
    // A vertex on an inner edge adds two triangles, like a vertex inside a triangle.
    while mesh.vertices.len() < MOST && mesh.triangles.len() + 2 <= MOST {
        let worst =
            (0..candidates.len()).max_by(|&a, &b| candidates[a].error.total_cmp(&candidates[b].error));
        let Some(worst) = worst.filter(|&worst| candidates[worst].error > 0.0) else { break };
        let added = candidates.swap_remove(worst);
        let changed = mesh.insert(added.vertex);
        let relocated = candidates.into_iter().filter_map(|candidate| {
            if changed.contains(&candidate.triangle) {
                mesh.locate(candidate.vertex, &changed)
            } else {
                Some(candidate)
            }
        });
        candidates = relocated.collect();
    }
    let off = candidates.iter().fold(0.0, |most: f64, candidate| most.max(candidate.error));
    (mesh.finish(), off)
}

impl Thinning<'_> {
    /// The side of each edge of a triangle on which a vertex is: below 0 is inside. Vertices that rounding
    /// has moved off the outline count as on it.
    fn sides(&self, triangle: usize, vertex: [i32; 3]) -> [i64; 3] {
        let corners = self.triangles[triangle].map(|corner| self.vertices[corner]);
        [0, 1, 2].map(|edge| {
            let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
            let side = area2(plan(a), plan(b), plan(vertex));
            let is_beside = || on_outline(self.corners, a, b) && on_outline(&[a, b], vertex, vertex);
            if side > 0 && is_beside() { 0 } else { side }
        })
    }

    /// Finds the triangle over which a vertex is; `None` if it is over none of `among`, or on a corner.
    fn locate(&self, vertex: [i32; 3], among: &[usize]) -> Option<Candidate> {
        among.iter().find_map(|&triangle| {
            let sides = self.sides(triangle, vertex);
            let total: i64 = sides.iter().sum();
            let on_corner = sides.iter().filter(|side| **side == 0).count() > 1;
            if total == 0 || on_corner || sides.iter().any(|side| *side > 0) {
                return None;
            }
            // Each corner counts by the area opposite to it.
            let height = |edge: usize| {
                let corner = self.triangles[triangle][(edge + 2) % 3];
                sides[edge] as f64 * f64::from(self.vertices[corner][1])
            };
            let floor = [0, 1, 2].map(height).iter().sum::<f64>() / total as f64;
            Some(Candidate { vertex, triangle, error: (f64::from(vertex[1]) - floor).abs() })
        })
    }

    /// Adds a vertex; returns the triangles that changed, new ones included.
    fn insert(&mut self, vertex: [i32; 3]) -> Vec<usize> {
        let new = self.vertices.len();
        let over = |&triangle: &usize| {
            let sides = self.sides(triangle, vertex);
            sides.iter().sum::<i64>() < 0 && sides.iter().all(|side| *side <= 0)
        };
        // One triangle, or the two on both sides of an edge.
        let mut changed: Vec<usize> = (0..self.triangles.len()).filter(over).collect();
        for triangle in changed.clone() {
            let (sides, old) = (self.sides(triangle, vertex), self.triangles[triangle]);
            let split = (0..3).filter(|&edge| sides[edge] < 0);
            let mut pieces = split.map(|edge| [old[edge], old[(edge + 1) % 3], new]);
            self.triangles[triangle] = pieces.next().unwrap_or(old);
            let more: Vec<[usize; 3]> = pieces.collect();
            changed.extend(self.triangles.len()..self.triangles.len() + more.len());
            self.triangles.extend(more);
        }
        self.vertices.push(vertex);
        changed
    }

    fn finish(self) -> Detail {
        let at = |local: usize| self.vertices[local];
        let flags = |triangle: [usize; 3]| {
            [0, 1, 2].map(|edge| on_outline(self.corners, at(triangle[edge]), at(triangle[(edge + 1) % 3])))
        };
        Detail {
            triangles: self.triangles.iter().map(|&triangle| (triangle, flags(triangle))).collect(),
            vertices: self.vertices[self.corners.len()..].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the area covered, seen from above.
    fn covered(corners: &[[i32; 3]], detail: &Detail) -> i64 {
        let all: Vec<[i32; 3]> = corners.iter().chain(&detail.vertices).copied().collect();
        let areas = detail.triangles.iter().map(|(triangle, _)| {
            let [a, b, c] = triangle.map(|local| plan(all[local]));
            area2(a, b, c)
        });
        areas.inspect(|area| assert!(*area < 0)).sum()
    }

    #[test]
    fn hills_keep_the_vertices_that_matter() {
        let corners = [[0, 0, 4096], [4096, 0, 4096], [4096, 0, 0], [0, 0, 0]];
        // A grid of 32 by 32 with peaks, also on the outline, and otherwise nearly flat.
        let height = |x: i32, z: i32| if (x, z) == (13, 17) { 9000 } else { (x * 7 + z * 13) % 11 };
        let grid = (0..=32).flat_map(|z| (0..=32).map(move |x| [x * 128, height(x, z), z * 128]));
        let inner = grid.filter(|vertex| !corners.iter().any(|corner| plan(*corner) == plan(*vertex)));
        let detail = Detail { vertices: inner.collect(), triangles: Vec::new() };
        let (thinned, off) = thin(&corners, &detail);
        assert!(off > 0.0 && off < 11.0, "{off}");
        assert!(thinned.vertices.contains(&[13 * 128, 9000, 17 * 128]));
        assert!(thinned.triangles.len() <= MOST && corners.len() + thinned.vertices.len() <= MOST);
        assert!(thinned.triangles.len() > MOST - 2, "the room is used: {}", thinned.triangles.len());
        assert_eq!(covered(&corners, &thinned), -2 * 4096 * 4096);
    }
}
