//! The outline of a polygon's detail mesh: its corners, and samples along its edges where the ground leaves the
//! straight line.

use super::sampler::{MAX_VERTICES, Sampler};
use crate::meshing::plane::{distance, distance_squared_to_segment};

/// Most samples along an edge, both ends included.
const MAX_EDGE_SAMPLES: usize = 32;

/// The outline as indices of vertices, in the order of the polygon's corners.
#[derive(Default)]
pub(super) struct Hull {
    pub(super) vertices: Vec<u32>,
    /// By vertex: the one that follows on the outline.
    next: Vec<u32>,
}

/// Samples along an edge, both ends included.
struct EdgeSamples {
    places: [[f32; 3]; MAX_EDGE_SAMPLES],
    /// The samples that are kept, in order, and how many there are.
    kept: [u8; MAX_EDGE_SAMPLES],
    count: usize,
}

impl Hull {
    /// The outline of `count` corners alone.
    pub(super) fn set_corners(&mut self, count: usize) {
        self.vertices.clear();
        self.vertices.extend(0..count as u32);
        self.find_next();
    }

    /// Samples each edge, adds the vertices it needs and finds the outline.
    pub(super) fn sample_edges(
        &mut self,
        outline: &[[f32; 3]],
        vertices: &mut Vec<[f32; 3]>,
        sampler: &mut Sampler<'_>,
    ) {
        let count = outline.len();
        if sampler.sample_distance <= 0.0 {
            self.set_corners(count);
            return;
        }
        self.vertices.clear();
        for corner in 0..count {
            let from = if corner > 0 { corner - 1 } else { count - 1 };
            self.vertices.push(from as u32);
            let (mut a, mut b) = (outline[from], outline[corner]);
            // Both polygons along the edge must look at it from the same end, or a seam would open.
            let swapped = if (a[0] - b[0]).abs() < 1e-6 { a[2] > b[2] } else { a[0] > b[0] };
            if swapped {
                std::mem::swap(&mut a, &mut b);
            }
            let samples = sample_edge(a, b, vertices.len(), sampler);
            for step in 1..samples.count - 1 {
                let kept = samples.kept[if swapped { samples.count - 1 - step } else { step }];
                self.vertices.push(vertices.len() as u32);
                vertices.push(samples.places[usize::from(kept)]);
            }
        }
        self.find_next();
    }

    fn find_next(&mut self) {
        self.next.clear();
        self.next.resize(self.vertices.len(), 0);
        let mut before = self.vertices.last().copied().unwrap_or(0);
        for &vertex in &self.vertices {
            self.next[before as usize] = vertex;
            before = vertex;
        }
    }

    /// Whether the outline runs from one vertex straight to the other.
    pub(super) fn has_edge(&self, from: u32, to: u32) -> bool {
        self.next.get(from as usize) == Some(&to)
    }

    /// Triangulates the outline alone: from a short ear on, left or right, whichever adds the shorter edges.
    /// `corners` is the number of the polygon's own corners; only those can be ears.
    pub(super) fn triangulate(&self, vertices: &[[f32; 3]], corners: usize, triangles: &mut Vec<[u32; 3]>) {
        let hull = &self.vertices;
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
        triangles.clear();
        triangles.push([hull[start], hull[left], hull[right]]);
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
    }
}

/// Samples along an edge, and which of them to keep.
fn sample_edge(a: [f32; 3], b: [f32; 3], vertex_count: usize, sampler: &mut Sampler<'_>) -> EdgeSamples {
    let steps = 1 + (distance(a, b) / sampler.sample_distance).floor() as usize;
    let mut steps = steps.min(MAX_EDGE_SAMPLES - 1);
    if vertex_count + steps >= MAX_VERTICES {
        steps = MAX_VERTICES.saturating_sub(1 + vertex_count).max(1);
    }
    let mut samples = EdgeSamples { places: [a; MAX_EDGE_SAMPLES], kept: [0; MAX_EDGE_SAMPLES], count: 2 };
    samples.kept[1] = steps as u8;
    if steps == 1 {
        return samples;
    }
    let EdgeSamples { places, kept, count } = &mut samples;
    for (step, place) in places[..=steps].iter_mut().enumerate() {
        let share = step as f32 / steps as f32;
        *place = std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
        if let Some(height) = sampler.height(*place) {
            place[1] = height;
        }
    }
    let allowed = sampler.max_error * sampler.max_error;
    let mut edge = 0;
    while edge + 1 < *count {
        let (from, to) = (usize::from(kept[edge]), usize::from(kept[edge + 1]));
        let mut worst: Option<(f32, usize)> = None;
        for index in from + 1..to {
            let error = distance_squared_to_segment(places[index], places[from], places[to]);
            if error > worst.map_or(0.0, |(error, _)| error) {
                worst = Some((error, index));
            }
        }
        match worst {
            Some((error, index)) if error > allowed => {
                kept.copy_within(edge + 1..*count, edge + 2);
                kept[edge + 1] = index as u8;
                *count += 1;
            }
            _ => edge += 1,
        }
    }
    samples
}
