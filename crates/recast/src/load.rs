//! Estimates the load of a tile from the bounds of its triangles: the fragments of each strip of rows, which
//! are held at once, and the floors, which are the input of all later stages. Upper estimates; nothing is
//! rasterized.
//! Units: cells. Cost: O(triangles x strips that they reach), then O(triangles x blocks).
//!
//! ```text
//!        block: 8 x 8 columns
//!     +-------+-------+-------+
//!     |   ____|_______|__     |  strip: 8 rows. A triangle has at most the width of its part within
//!     |  /    |      _|_/     |  these rows, times the rows, of fragments there
//!     +-/-----+---_--+|-------+
//!     |/___---|--     |       |
//! ```
//!
//! Floors over each other are at least the agent's height apart. So the heights of a block are cut into
//! slots. A column has at most one floor for each slot that a walkable triangle passes through. A block has
//! no more floors than fragments of such triangles.

use crate::data::Grid;
use crate::fast::STRIP;
use crate::settings::Config;
use crate::slope::SlopeLimit;
use crate::source::Source;
use navtile::area::AreaId;

/// Columns along a side of a block: the rows of a strip.
const SIDE: u32 = STRIP as u32;
/// Slots of heights of a block.
const SLOTS: usize = 512;
/// Largest distance between a corner and its rounded value in f32.
const ROUNDING: f64 = 1.0 / 16.0;

/// A triangle in columns and rows of a grid, and cells of height.
type Corners = [[f64; 3]; 3];

/// The part of a triangle within a strip: columns and rows, both included.
struct StripPart {
    strip: usize,
    columns: [u32; 2],
    rows: u32,
}

/// A tile's triangles on its grid.
pub(crate) struct Load<'a> {
    source: Source<'a>,
    grid: &'a Grid,
}

impl<'a> Load<'a> {
    pub(crate) fn new(source: Source<'a>, grid: &'a Grid) -> Load<'a> {
        Load { source, grid }
    }

    /// Largest possible number of fragments of each strip of rows.
    pub(crate) fn fragments(&self) -> Vec<u64> {
        let mut fragments = vec![0u64; (self.grid.depth as usize).div_ceil(STRIP)];
        for index in 0..self.source.len() {
            self.each_part(&self.corners(index), |part| fragments[part.strip] += part.fragments());
        }
        fragments
    }

    /// Largest possible number of floors, or a number above `most`.
    pub(crate) fn floors(&self, config: &Config, most: u64) -> u64 {
        let blocks = self.grid.width.div_ceil(SIDE) as usize;
        let mut heights = Heights::new(blocks * self.grid.depth.div_ceil(SIDE) as usize, self.source, config);
        let limit = SlopeLimit::new(config.walkable_slope);
        for index in 0..self.source.len() {
            let (level, id) = (self.source.level, self.source.id(index));
            if !limit.allows(level.corners(id)) || level.area(id) == AreaId::NULL {
                continue;
            }
            let corners = self.corners(index);
            let plane = Plane::of(&corners);
            self.each_part(&corners, |part| {
                let [first, last] = part.columns;
                for block in first / SIDE..=last / SIDE {
                    let columns = last.min(block * SIDE + SIDE - 1) + 1 - first.max(block * SIDE);
                    let middle = [block, part.strip as u32].map(|at| f64::from(at * SIDE + SIDE / 2));
                    let place = part.strip * blocks + block as usize;
                    heights.mark(place, plane.heights(middle), u64::from(columns * part.rows));
                }
            });
            if heights.fragments > most && heights.floors() > most {
                break;
            }
        }
        heights.floors()
    }

    fn corners(&self, index: usize) -> Corners {
        let cell = f64::from(self.grid.cell_size);
        let [x, z] = [self.grid.base_x, self.grid.base_z].map(f64::from);
        self.source.corners(index).map(|corner| {
            let [a, b, c] = corner.map(f64::from);
            [a / cell - x, b / f64::from(self.grid.cell_height), c / cell - z]
        })
    }

    /// Calls `found` with the part of a triangle in each strip.
    fn each_part(&self, corners: &Corners, mut found: impl FnMut(StripPart)) {
        let along = |axis: usize| {
            let [a, b, c] = corners.map(|corner| corner[axis]);
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let Some([first, last]) = cells(along(2), self.grid.depth) else { return };
        for strip in first / SIDE..=last / SIDE {
            let rows = [first.max(strip * SIDE), last.min(strip * SIDE + SIDE - 1)];
            let range = [f64::from(rows[0]) - ROUNDING, f64::from(rows[1] + 1) + ROUNDING];
            if let Some(columns) = cells(width_within(corners, range), self.grid.width) {
                found(StripPart { strip: strip as usize, columns, rows: rows[1] + 1 - rows[0] });
            }
        }
    }
}

impl StripPart {
    fn fragments(&self) -> u64 {
        u64::from(self.columns[1] + 1 - self.columns[0]) * u64::from(self.rows)
    }
}

/// The cells that a range reaches, of `count`; `None` for none.
fn cells([low, high]: [f64; 2], count: u32) -> Option<[u32; 2]> {
    let (low, high) = (low - ROUNDING, high + ROUNDING);
    if low > high || high < 0.0 || low >= f64::from(count) {
        return None;
    }
    // Saturating, and so at least zero.
    Some([low as u32, (high as u32).min(count - 1)])
}

/// The extent along x of the part of a triangle between two values of z. If there is no such part, the
/// minimum is larger than the maximum.
fn width_within(corners: &Corners, [low, high]: [f64; 2]) -> [f64; 2] {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for side in 0..3 {
        let ([ax, _, az], [bx, _, bz]) = (corners[side], corners[(side + 1) % 3]);
        if az.max(bz) < low || az.min(bz) > high {
            continue;
        }
        for z in [az.clamp(low, high), bz.clamp(low, high)] {
            let x = if az == bz { [ax, bx] } else { [ax + (bx - ax) * ((z - az) / (bz - az)); 2] };
            range = [range[0].min(x[0]).min(x[1]), range[1].max(x[0]).max(x[1])];
        }
    }
    range
}

/// The plane of a triangle that is not upright.
struct Plane {
    corner: [f64; 3],
    slope: [f64; 2],
    lowest: f64,
    highest: f64,
}

impl Plane {
    fn of([a, b, c]: &Corners) -> Plane {
        let [u, v] = [b, c].map(|corner| [corner[0] - a[0], corner[1] - a[1], corner[2] - a[2]]);
        let up = u[2] * v[0] - u[0] * v[2];
        let slope = [(u[2] * v[1] - u[1] * v[2]) / up, (u[1] * v[0] - u[0] * v[1]) / up];
        let heights = [a[1], b[1], c[1]];
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Plane { corner: *a, slope, lowest, highest }
    }

    /// The heights that it has over the block around `middle`.
    fn heights(&self, middle: [f64; 2]) -> [f64; 2] {
        let [sx, sz] = self.slope;
        let height = self.corner[1] + sx * (middle[0] - self.corner[0]) + sz * (middle[1] - self.corner[2]);
        let reach = (sx.abs() + sz.abs()) * (f64::from(SIDE) / 2.0 + ROUNDING);
        // Written so that a slope that is NaN gives all heights.
        [(height - reach).max(self.lowest), (height + reach).min(self.highest)]
    }
}

/// Least distance in height between triangles that make different floors of a column, cells. The surface of a
/// floor may be a step above the triangle that makes it ground.
pub(crate) fn least_apart(config: &Config) -> u64 {
    u64::from((config.walkable_height - config.walkable_climb).max(1).unsigned_abs())
}

/// The heights of each block that have a walkable triangle.
struct Heights {
    /// The slots of each block that triangles pass through.
    slots: Vec<[u64; SLOTS / 64]>,
    /// Walkable fragments in each block, and in total.
    of_block: Vec<u64>,
    fragments: u64,
    /// Cells of a slot.
    slot: f64,
    /// Floors that a column may have in a slot.
    floors_of_slot: u64,
}

impl Heights {
    fn new(blocks: usize, source: Source<'_>, config: &Config) -> Heights {
        let apart = least_apart(config) as f64;
        let floors_of_slot = (f64::from(source.level.size[1]) / apart / SLOTS as f64).ceil().max(1.0);
        Heights {
            slots: vec![[0; SLOTS / 64]; blocks],
            of_block: vec![0; blocks],
            fragments: 0,
            slot: apart * floors_of_slot,
            floors_of_slot: floors_of_slot as u64,
        }
    }

    /// Marks the slots of a block that a triangle passes through.
    fn mark(&mut self, block: usize, heights: [f64; 2], fragments: u64) {
        // A floor is the cell above.
        let [first, last] = heights.map(|height| (((height + 1.0) / self.slot) as usize).min(SLOTS - 1));
        let slots = &mut self.slots[block];
        for slot in first..=last.max(first) {
            slots[slot / 64] |= 1 << (slot % 64);
        }
        self.of_block[block] += fragments;
        self.fragments += fragments;
    }

    fn floors(&self) -> u64 {
        let columns = u64::from(SIDE * SIDE);
        let of_block = |(slots, fragments): (&[u64; SLOTS / 64], &u64)| {
            let slots: u64 = slots.iter().map(|bits| u64::from(bits.count_ones())).sum();
            (slots * self.floors_of_slot * columns).min(*fragments)
        };
        self.slots.iter().zip(&self.of_block).map(of_block).sum()
    }
}

#[cfg(test)]
mod tests;
