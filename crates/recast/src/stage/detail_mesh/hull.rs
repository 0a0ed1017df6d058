//! The outline of a polygon's detail mesh: its corners, and samples along its edges where the ground leaves the
//! straight line.

use super::plane::{distance, distance_squared_to_segment};
use super::{MAX_VERTICES, Sampler};

/// Most samples along an edge, both ends included.
const MAX_EDGE_SAMPLES: usize = 32;

/// The outline as indices of vertices, in the order of the polygon's corners.
pub(super) struct Hull(pub(super) Vec<u32>);

/// Samples each edge, adds the vertices it needs and returns the outline.
pub(super) fn sample_edges(
    outline: &[[f32; 3]],
    vertices: &mut Vec<[f32; 3]>,
    sampler: &mut Sampler<'_>,
) -> Hull {
    let count = outline.len();
    if sampler.params.sample_distance <= 0.0 {
        return Hull((0..count as u32).collect());
    }
    let mut hull = Vec::with_capacity(count * 2);
    for corner in 0..count {
        let from = if corner > 0 { corner - 1 } else { count - 1 };
        hull.push(from as u32);
        let (mut a, mut b) = (outline[from], outline[corner]);
        // Both polygons along the edge must look at it from the same end, or a seam would open.
        let swapped = if (a[0] - b[0]).abs() < 1e-6 { a[2] > b[2] } else { a[0] > b[0] };
        if swapped {
            std::mem::swap(&mut a, &mut b);
        }
        let (samples, kept) = sample_edge(a, b, vertices.len(), sampler);
        let mut inner = kept[1..kept.len() - 1].to_vec();
        if swapped {
            inner.reverse();
        }
        for index in inner {
            hull.push(vertices.len() as u32);
            vertices.push(samples[index]);
        }
    }
    Hull(hull)
}

/// Samples along an edge, and which of them to keep, both ends included.
fn sample_edge(
    a: [f32; 3],
    b: [f32; 3],
    vertex_count: usize,
    sampler: &mut Sampler<'_>,
) -> (Vec<[f32; 3]>, Vec<usize>) {
    let steps = 1 + (distance(a, b) / sampler.params.sample_distance).floor() as usize;
    let mut steps = steps.min(MAX_EDGE_SAMPLES - 1);
    if vertex_count + steps >= MAX_VERTICES {
        steps = MAX_VERTICES.saturating_sub(1 + vertex_count).max(1);
    }
    let samples: Vec<[f32; 3]> = (0..=steps)
        .map(|step| {
            let share = step as f32 / steps as f32;
            let mut sample: [f32; 3] = std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
            if let Some(height) = sampler.height(sample) {
                sample[1] = height;
            }
            sample
        })
        .collect();
    let mut kept = vec![0, steps];
    let mut edge = 0;
    while edge + 1 < kept.len() {
        let (from, to) = (kept[edge], kept[edge + 1]);
        let mut worst: Option<(f32, usize)> = None;
        for index in from + 1..to {
            let error = distance_squared_to_segment(samples[index], samples[from], samples[to]);
            if error > worst.map_or(0.0, |(error, _)| error) {
                worst = Some((error, index));
            }
        }
        let allowed = sampler.params.max_error * sampler.params.max_error;
        match worst {
            Some((error, index)) if error > allowed => kept.insert(edge + 1, index),
            _ => edge += 1,
        }
    }
    (samples, kept)
}

impl Hull {
    /// Whether the outline runs from one vertex straight to the other.
    pub(super) fn has_edge(&self, from: u32, to: u32) -> bool {
        let count = self.0.len();
        (0..count).any(|index| self.0[index] == from && self.0[(index + 1) % count] == to)
    }

    /// Triangulates the outline alone: from a short ear on, left or right, whichever adds the shorter edges.
    /// `corners` is the number of the polygon's own corners; only those can be ears.
    pub(super) fn triangulate(&self, vertices: &[[f32; 3]], corners: usize) -> Vec<[u32; 3]> {
        let hull = &self.0;
        let count = hull.len();
        let next = |index: usize| if index + 1 < count { index + 1 } else { 0 };
        let previous = |index: usize| if index > 0 { index - 1 } else { count - 1 };
        let at = |index: usize| vertices[hull[index] as usize];
        let (mut start, mut left, mut right) = (0, 1, count - 1);
        let mut least = f32::MAX;
        for ear in (0..count).filter(|&index| (hull[index] as usize) < corners) {
            let (before, after) = (at(previous(ear)), at(next(ear)));
            let perimeter = distance(before, at(ear)) + distance(at(ear), after) + distance(after, before);
            if perimeter < least {
                (start, left, right) = (ear, next(ear), previous(ear));
                least = perimeter;
            }
        }
        let mut triangles = vec![[hull[start], hull[left], hull[right]]];
        while next(left) != right {
            let (new_left, new_right) = (next(left), previous(right));
            let by_left = distance(at(left), at(new_left)) + distance(at(new_left), at(right));
            let by_right = distance(at(right), at(new_right)) + distance(at(left), at(new_right));
            if by_left < by_right {
                triangles.push([hull[left], hull[new_left], hull[right]]);
                left = new_left;
            } else {
                triangles.push([hull[left], hull[new_right], hull[right]]);
                right = new_right;
            }
        }
        triangles
    }
}
