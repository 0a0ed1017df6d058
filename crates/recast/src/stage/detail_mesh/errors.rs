//! How far each height sample is from the triangles over it, kept up to date while the triangulation changes: only
//! triangles that came or went are looked at.

use super::Sample;
use super::plane::Slope;

/// Height errors of the samples of one polygon.
#[derive(Default)]
pub(super) struct SampleErrors {
    /// For each sample the least error, and the triangle it is from; `None` if no triangle lies over it.
    pub(super) nearest: Vec<Option<(f32, u64)>>,
    /// The triangles, sorted; those before; and those that came and went.
    known: Vec<u64>,
    before: Vec<u64>,
    new: Vec<u64>,
    gone: Vec<u64>,
    slopes: Vec<(u64, Slope)>,
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
    /// Starts with `count` samples and no triangles.
    pub(super) fn reset(&mut self, count: usize) {
        self.known.clear();
        self.nearest.clear();
        self.nearest.resize(count, None);
    }

    /// Takes the triangles there are now. Returns the largest error of the samples that were not added, and the first
    /// of those that have it, if it is above zero.
    pub(super) fn update(
        &mut self,
        samples: &[Sample],
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Option<(f32, usize)> {
        std::mem::swap(&mut self.known, &mut self.before);
        self.known.clear();
        self.known.extend(triangles.iter().map(|&triangle| key(triangle)));
        self.known.sort_unstable();
        let only = |there: &[u64], not_there: &[u64], found: &mut Vec<u64>| {
            found.clear();
            found.extend(there.iter().filter(|&key| not_there.binary_search(key).is_err()));
        };
        only(&self.known, &self.before, &mut self.new);
        only(&self.before, &self.known, &mut self.gone);
        let slope = |key: u64| Slope::new(corners(key).map(|corner| vertices[corner as usize]));
        self.slopes.clear();
        self.slopes.extend(self.new.iter().map(|&key| (key, slope(key))));
        let mut worst: Option<(f32, usize)> = None;
        let waiting =
            samples.iter().zip(&mut self.nearest).enumerate().filter(|(_, (sample, _))| !sample.added);
        for (index, (sample, nearest)) in waiting {
            let lost = nearest.is_some_and(|(_, from)| self.gone.binary_search(&from).is_ok());
            if lost {
                *nearest = None;
            }
            let mut look = |key: u64, slope: &Slope| {
                if let Some(error) = slope.height_error(sample.position)
                    && nearest.is_none_or(|(least, _)| error < least)
                {
                    *nearest = Some((error, key));
                }
            };
            if lost {
                self.known.iter().for_each(|&key| look(key, &slope(key)));
            } else {
                self.slopes.iter().for_each(|(key, slope)| look(*key, slope));
            }
            if let Some((error, _)) = *nearest
                && error > worst.map_or(0.0, |(error, _)| error)
            {
                worst = Some((error, index));
            }
        }
        worst
    }
}
