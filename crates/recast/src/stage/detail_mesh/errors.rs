//! The height error of each sample against the triangles over it, updated while the triangulation changes: only
//! triangles that were added or removed are visited, each against all samples at once.
//! Gain, with [`crate::meshing::delaunay`] and the heights that [`super::patch`] finds in place: 208 to 56 million
//! instructions over nav_test at 0.1 m, a fifth of the whole bake.

use crate::meshing::insertion::Sample;
use crate::meshing::plane::Slope;

/// The error of a sample that no triangle lies over.
const NONE: f32 = f32::INFINITY;
/// Stands for no triangle.
const NOWHERE: u32 = 0;

/// Samples as parallel lists: positions, the least error of each, and the triangle that has it.
#[derive(Default)]
struct Points {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    error: Vec<f32>,
    from: Vec<u32>,
}

impl Points {
    fn clear(&mut self) {
        let Points { x, y, z, error, from } = self;
        [x, y, z, error].into_iter().for_each(Vec::clear);
        from.clear();
    }

    fn push(&mut self, [x, y, z]: [f32; 3]) {
        self.x.push(x);
        self.y.push(y);
        self.z.push(z);
        self.error.push(NONE);
        self.from.push(NOWHERE);
    }

    /// Updates all samples with a triangle. Branchless, so that it vectorises.
    fn update_with(&mut self, slope: &Slope, triangle: u32) {
        let places = self.x.iter().zip(&self.y).zip(&self.z);
        for ((((&x, &y), &z), error), from) in places.zip(&mut self.error).zip(&mut self.from) {
            let here = slope.error_or([x, y, z], NONE);
            let is_less = here < *error;
            *error = if is_less { here } else { *error };
            *from = if is_less { triangle } else { *from };
        }
    }
}

/// A triangle, and its number.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    number: u32,
}

/// Height errors of the samples of one polygon.
#[derive(Default)]
pub(super) struct SampleErrors {
    samples: Points,
    /// Triangles in the order they were added, numbered from 1; and whether each has been removed.
    slopes: Vec<Slope>,
    gone: Vec<bool>,
    /// The current triangles by key, and those of the previous triangulation.
    known: Vec<Known>,
    before: Vec<Known>,
    /// Samples whose triangle was removed.
    lost: Vec<usize>,
    of_lost: Points,
}

/// A triangle as a number. The order of its corners is part of it, as rounding depends on that.
fn key([a, b, c]: [u32; 3]) -> u64 {
    u64::from(a) << 42 | u64::from(b) << 21 | u64::from(c)
}

fn corners(key: u64) -> [u32; 3] {
    const MASK: u64 = (1 << 21) - 1;
    [key >> 42, (key >> 21) & MASK, key & MASK].map(|corner| corner as u32)
}

impl SampleErrors {
    /// Starts with samples and no triangles.
    pub(super) fn reset(&mut self, samples: &[Sample]) {
        self.known.clear();
        self.slopes.clear();
        self.gone.clear();
        self.gone.push(false);
        self.samples.clear();
        samples.iter().for_each(|sample| self.samples.push(sample.position));
    }

    /// Removes a sample that has become a vertex.
    pub(super) fn take(&mut self, sample: usize) {
        // No triangle lies over NaN, and no error is less than this one.
        self.samples.x[sample] = f32::NAN;
        self.samples.error[sample] = 0.0;
        self.samples.from[sample] = NOWHERE;
    }

    /// Updates the errors for a new triangulation. Returns the largest error of the remaining samples, if it is above
    /// zero, and the first sample that has it.
    pub(super) fn update(&mut self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Option<(f32, usize)> {
        let first_new = self.slopes.len();
        self.find_changes(vertices, triangles);
        self.forget_gone();
        for (slope, triangle) in self.slopes[first_new..].iter().zip(first_new as u32 + 1..) {
            self.samples.update_with(slope, triangle);
        }
        self.find_lost();
        let error = |&error: &f32| if error == NONE { 0.0 } else { error };
        let most = self
            .samples
            .error
            .iter()
            .map(error)
            .fold(0.0, |most, error| if error > most { error } else { most });
        let index = self.samples.error.iter().position(|&error| error == most)?;
        (most > 0.0).then_some((most, index))
    }

    /// Numbers the triangles that are new, and marks those that were removed.
    fn find_changes(&mut self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) {
        std::mem::swap(&mut self.known, &mut self.before);
        self.known.clear();
        self.known.extend(triangles.iter().map(|&triangle| Known { key: key(triangle), number: NOWHERE }));
        self.known.sort_unstable_by_key(|known| known.key);
        let mut before = self.before.iter().peekable();
        for known in &mut self.known {
            while let Some(gone) = before.next_if(|before| before.key < known.key) {
                self.gone[gone.number as usize] = true;
            }
            if let Some(same) = before.next_if(|before| before.key == known.key) {
                known.number = same.number;
                continue;
            }
            self.slopes.push(Slope::new(corners(known.key).map(|corner| vertices[corner as usize])));
            self.gone.push(false);
            known.number = self.slopes.len() as u32;
        }
        before.for_each(|gone| self.gone[gone.number as usize] = true);
    }

    /// Lists the samples whose triangle was removed, and resets them.
    fn forget_gone(&mut self) {
        let Points { error, from, .. } = &mut self.samples;
        self.lost.clear();
        for (index, (error, from)) in error.iter_mut().zip(from).enumerate() {
            if self.gone[*from as usize] {
                (*error, *from) = (NONE, NOWHERE);
                self.lost.push(index);
            }
        }
    }

    /// Finds new triangles for the samples that lost theirs.
    fn find_lost(&mut self) {
        let SampleErrors { samples, of_lost, lost, .. } = self;
        of_lost.clear();
        for &index in &*lost {
            of_lost.push([samples.x[index], samples.y[index], samples.z[index]]);
        }
        if lost.is_empty() {
            return;
        }
        for known in &self.known {
            of_lost.update_with(&self.slopes[known.number as usize - 1], known.number);
        }
        for ((&index, &error), &from) in lost.iter().zip(&of_lost.error).zip(&of_lost.from) {
            (samples.error[index], samples.from[index]) = (error, from);
        }
    }

    /// The least error of a sample, if a triangle lies over it.
    #[cfg(test)]
    pub(super) fn of(&self, sample: usize) -> Option<f32> {
        Some(self.samples.error[sample]).filter(|&error| error != NONE)
    }
}
