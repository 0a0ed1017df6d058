//! Height samples of the ground under a polygon.

use super::patch::HeightPatch;
use crate::data::RegionField;
use crate::meshing::insertion::Sample;
use crate::meshing::plane;

/// Most vertices of a polygon's detail mesh, its corners included: two triangles per vertex fill a tile's 16 bits.
pub(super) const MAX_VERTICES: usize = 32_000;

/// Samples the ground under one polygon.
pub(super) struct Sampler<'a> {
    /// Spacing of samples, metres; 0 for none.
    pub(super) sample_distance: f32,
    /// Largest height error, metres.
    pub(super) max_error: f32,
    pub(super) cell_size: f32,
    pub(super) cell_height: f32,
    pub(super) regions: &'a RegionField,
    pub(super) patch: &'a mut HeightPatch,
    /// How many cells around a place may be searched for a height.
    pub(super) search_radius: i32,
}

impl Sampler<'_> {
    /// Height of the ground at a place, in metres; `near` selects the floor. `None` if none is found around.
    pub(super) fn height(&mut self, [x, near, z]: [f32; 3]) -> Option<f32> {
        // Corners of polygons lie on the lines between cells; a hair to the right of them is the cell meant.
        let cell = |metres: f32| (metres * (1.0 / self.cell_size) + 0.01).floor() as i32;
        let place = [cell(x), cell(z)];
        let height =
            self.patch.height_near(place, near, self.cell_height, self.search_radius, self.regions)?;
        Some(height as f32 * self.cell_height)
    }

    /// Samples on a grid of the sample distance, well inside the polygon, each shifted a little: a regular grid
    /// makes bad triangulations.
    pub(super) fn place_samples(&mut self, outline: &[[f32; 3]], samples: &mut Vec<Sample>) {
        let spacing = self.sample_distance;
        let bound = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| {
            outline.iter().map(|corner| corner[axis]).fold(start, pick)
        };
        let low: [f32; 3] = std::array::from_fn(|axis| bound(axis, f32::INFINITY, f32::min));
        let high: [f32; 3] = std::array::from_fn(|axis| bound(axis, f32::NEG_INFINITY, f32::max));
        let (x0, x1) = ((low[0] / spacing).floor() as i32, (high[0] / spacing).ceil() as i32);
        let (z0, z1) = ((low[2] / spacing).floor() as i32, (high[2] / spacing).ceil() as i32);
        samples.clear();
        let mut number = 0u32;
        for z in z0..z1 {
            for x in x0..x1 {
                let place = [x as f32 * spacing, (high[1] + low[1]) * 0.5, z as f32 * spacing];
                if plane::distance_to_outline(outline, place) > -spacing / 2.0 {
                    continue;
                }
                let cell_size = self.cell_size;
                let jitter = |factor: u32| {
                    let unit = (number.wrapping_mul(factor) & 0xffff) as f32 / 65535.0 * 2.0 - 1.0;
                    unit * cell_size * 0.1
                };
                if let Some(height) = self.height(place) {
                    let position = [place[0] + jitter(0x8da6_b343), height, place[2] + jitter(0xd816_3841)];
                    samples.push(Sample { position, added: false });
                }
                number += 1;
            }
        }
    }
}
