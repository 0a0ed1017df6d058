//! Random questions. A question depends only on its number and the seed.

use super::RuntimeError;
use super::pair::Pair;
use detour::{Place, Vec3};
use navscenes::random::SplitMix64;

/// Draws the subjects of questions.
#[derive(Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// For question `number` of a run with this seed.
    pub fn new(seed: u64, number: u64) -> Draw {
        Draw(SplitMix64::new(SplitMix64::new(seed).next_u64() ^ number))
    }

    /// A number from `low` up to, but less than, `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.between(low, high)
    }

    /// A polygon, each as likely as any other.
    pub fn polygon(&mut self, pair: &Pair) -> usize {
        (self.0.next_u64() % pair.len() as u64) as usize
    }

    /// A place on a random polygon, on its surface: all of a triangle of its fan are equally likely.
    pub fn place(&mut self, pair: &Pair) -> Result<(usize, Place), RuntimeError> {
        let number = self.polygon(pair);
        let corners = &pair.exact.polygons[number].corners;
        let third = 2 + (self.0.next_u64() % (corners.len() as u64 - 2)) as usize;
        let (a, b, c) = (corners[0], corners[third - 1], corners[third]);
        let (mut u, mut v) = (self.between(0.0, 1.0), self.between(0.0, 1.0));
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [x, y, z]: [f64; 3] =
            std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * u + (c[axis] - a[axis]) * v);
        let point = Vec3::new(x as f32, y as f32, z as f32);
        let polygon = pair.our_ref(number);
        let height = pair.ours.height(polygon, point)?.unwrap_or(point.y);
        Ok((number, Place { polygon, point: point.with_y(height) }))
    }

    /// A point not farther than `reach` from another along x and z, at its height.
    pub fn about(&mut self, point: Vec3, reach: f64) -> Vec3 {
        let (x, z) = (self.between(-reach, reach), self.between(-reach, reach));
        point + Vec3::new(x as f32, 0.0, z as f32)
    }
}
