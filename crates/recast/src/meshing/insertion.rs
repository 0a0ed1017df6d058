//! Adding samples one by one to a triangulation that stands: the triangle around the sample is cut in three, and
//! edges are flipped until it is Delaunay again. Only what changed is revisited, so a polygon may have
//! thousands of samples.
//! Units: metres. Cost: O(samples) per sample added, to find the worst; constant work around it, on average.
//! Source: C. Lawson, Software for C1 surface interpolation (1977).

use super::plane;

/// Twice the area of the smallest triangle that is made, m²; as in the triangulation facet by facet.
const LEAST_AREA: f64 = 1e-5;

/// A point that may become a vertex.
pub(crate) struct Sample {
    pub(crate) position: [f32; 3],
    /// Whether it has become a vertex.
    pub(crate) added: bool,
}

struct Insertion<'a> {
    vertices: &'a mut Vec<[f32; 3]>,
    triangles: &'a mut Vec<[u32; 3]>,
    /// Beyond the edge from corner i to corner i + 1: another triangle, or nothing at the polygon's outline.
    neighbours: Vec<[Option<u32>; 3]>,
    /// The samples over each triangle that have not been added.
    samples_of: Vec<Vec<u32>>,
    /// The triangle each of them is over.
    home_of: Vec<u32>,
    /// How far each sample is from its triangle in height; below zero once it is settled.
    errors: Vec<f32>,
}

/// Adds samples, the worst first, until none is off by more than `max_error` or there are `max_vertices`.
pub(crate) fn add_worst(
    vertices: &mut Vec<[f32; 3]>,
    triangles: &mut Vec<[u32; 3]>,
    samples: &mut [Sample],
    max_error: f32,
    max_vertices: usize,
) {
    let neighbours = find_neighbours(triangles);
    let samples_of = vec![Vec::new(); triangles.len()];
    let (errors, home_of) = (vec![-1.0; samples.len()], vec![0; samples.len()]);
    let mut state = Insertion { vertices, triangles, neighbours, samples_of, home_of, errors };
    let all: Vec<u32> = (0..state.triangles.len() as u32).collect();
    for index in (0..samples.len()).filter(|&index| !samples[index].added) {
        state.assign(index as u32, samples[index].position, &all);
    }
    while state.vertices.len() < max_vertices {
        let mut worst: Option<(f32, usize)> = None;
        for (index, &error) in state.errors.iter().enumerate() {
            if error > worst.map_or(max_error, |(error, _)| error) {
                worst = Some((error, index));
            }
        }
        let Some((_, index)) = worst else { break };
        state.errors[index] = -1.0;
        samples[index].added = state.insert(index as u32, samples);
    }
}

/// For each edge the triangle that has it the other way round.
fn find_neighbours(triangles: &[[u32; 3]]) -> Vec<[Option<u32>; 3]> {
    let mut edges: Vec<([u32; 2], u32, usize)> = Vec::with_capacity(triangles.len() * 3);
    for (index, corners) in triangles.iter().enumerate() {
        for edge in 0..3 {
            edges.push(([corners[edge], corners[(edge + 1) % 3]], index as u32, edge));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![[None; 3]; triangles.len()];
    for &([from, to], triangle, edge) in &edges {
        let other = edges.binary_search_by(|(ends, ..)| ends.cmp(&[to, from])).ok();
        neighbours[triangle as usize][edge] = other.map(|other| edges[other].1);
    }
    neighbours
}

impl Insertion<'_> {
    fn point(&self, vertex: u32) -> [f32; 3] {
        self.vertices[vertex as usize]
    }

    /// Finds the triangle of `candidates` over or under a sample, the nearest if there are several.
    fn assign(&mut self, sample: u32, position: [f32; 3], candidates: &[u32]) {
        let mut best: Option<(f32, u32)> = None;
        for &triangle in candidates {
            let corners = self.triangles[triangle as usize].map(|corner| self.point(corner));
            if let Some(error) = plane::Slope::new(corners).height_error(position)
                && best.is_none_or(|(least, _)| error < least)
            {
                best = Some((error, triangle));
            }
        }
        self.errors[sample as usize] = -1.0;
        if let Some((error, triangle)) = best {
            self.errors[sample as usize] = error;
            self.home_of[sample as usize] = triangle;
            self.samples_of[triangle as usize].push(sample);
        }
    }

    /// Makes a sample a vertex. False if it lies on an edge, where it could only make slivers.
    fn insert(&mut self, sample: u32, samples: &[Sample]) -> bool {
        let position = samples[sample as usize].position;
        let home = self.home_of[sample as usize] as usize;
        let [a, b, c] = self.triangles[home];
        let inside = [[a, b], [b, c], [c, a]]
            .iter()
            .all(|&[from, to]| orientation(self.point(from), self.point(to), position) > LEAST_AREA);
        if !inside {
            return false;
        }
        let apex = self.vertices.len() as u32;
        self.vertices.push(position);
        let (first, second, third) =
            (home as u32, self.triangles.len() as u32, self.triangles.len() as u32 + 1);
        let [ab, bc, ca] = self.neighbours[home];
        self.triangles[home] = [a, b, apex];
        self.triangles.extend([[b, c, apex], [c, a, apex]]);
        self.neighbours[home] = [ab, Some(second), Some(third)];
        self.neighbours.extend([[bc, Some(third), Some(first)], [ca, Some(first), Some(second)]]);
        self.samples_of.extend([Vec::new(), Vec::new()]);
        self.retarget(bc, first, second);
        self.retarget(ca, first, third);
        let mut changed = vec![first, second, third];
        let mut open = vec![first, second, third];
        while let Some(triangle) = open.pop() {
            if let Some(other) = self.flip_if_needed(triangle) {
                open.extend([triangle, other]);
                changed.push(other);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let moved: Vec<u32> = changed
            .iter()
            .flat_map(|&triangle| std::mem::take(&mut self.samples_of[triangle as usize]))
            .collect();
        for other in moved {
            if other != sample && self.errors[other as usize] >= 0.0 {
                self.assign(other, samples[other as usize].position, &changed);
            }
        }
        true
    }

    /// In `triangle`, if there is one, makes `new` the neighbour where `old` was.
    fn retarget(&mut self, triangle: Option<u32>, old: u32, new: u32) {
        let Some(triangle) = triangle else { return };
        for neighbour in &mut self.neighbours[triangle as usize] {
            if *neighbour == Some(old) {
                *neighbour = Some(new);
            }
        }
    }

    /// Flips the edge opposite to a triangle's third corner, the new vertex, if the far corner beyond it lies
    /// within the triangle's circle. Returns the other triangle if it did. The new vertex is the third corner of
    /// both afterwards, and its degree has grown, so this ends.
    fn flip_if_needed(&mut self, triangle: u32) -> Option<u32> {
        let [a, b, apex] = self.triangles[triangle as usize];
        let other = self.neighbours[triangle as usize][0]?;
        let corners = self.triangles[other as usize];
        let edge = (0..3).find(|&edge| corners[edge] == b && corners[(edge + 1) % 3] == a)?;
        let far = corners[(edge + 2) % 3];
        let [pa, pb, papex, pfar] = [a, b, apex, far].map(|vertex| self.point(vertex));
        // The two new triangles must be sound, or the four corners are not convex.
        let sound = orientation(pa, pfar, papex) > LEAST_AREA && orientation(pfar, pb, papex) > LEAST_AREA;
        if !sound || !in_circle(pa, pb, papex, pfar) {
            return None;
        }
        let around = self.neighbours[other as usize];
        let (beyond_a, beyond_b) = (around[(edge + 1) % 3], around[(edge + 2) % 3]);
        let [_, right, left] = self.neighbours[triangle as usize];
        self.triangles[triangle as usize] = [a, far, apex];
        self.triangles[other as usize] = [far, b, apex];
        self.neighbours[triangle as usize] = [beyond_a, Some(other), left];
        self.neighbours[other as usize] = [beyond_b, right, Some(triangle)];
        self.retarget(beyond_a, other, triangle);
        self.retarget(right, triangle, other);
        Some(other)
    }
}

/// Twice the signed area of a triangle seen from above, in f64: the products of differences of f32 are exact
/// there. Positive for the way round that detail triangles have, their inside to the left.
fn orientation(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> f64 {
    let d = |p: [f32; 3], axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2)
}

/// Whether `p` lies inside the circle through the corners of a triangle with positive orientation.
fn in_circle(a: [f32; 3], b: [f32; 3], c: [f32; 3], p: [f32; 3]) -> bool {
    let row = |q: [f32; 3]| {
        let (x, z) = (f64::from(q[0]) - f64::from(p[0]), f64::from(q[2]) - f64::from(p[2]));
        [x, z, x * x + z * z]
    };
    let [[ax, az, aa], [bx, bz, bb], [cx, cz, cc]] = [row(a), row(b), row(c)];
    ax * (bz * cc - bb * cz) - az * (bx * cc - bb * cx) + aa * (bx * cz - bz * cx) < 0.0
}
