//! The lattice of imported tiles.

use super::error::{ImportError, coord, refuse};
use super::step::common;
use crate::detour::DetourTile;
use crate::mset::NavMeshParams;
use navmath::lattice::snap_quotient;
use navmath::{FIXED_ONE, Lattice};
use navtile::TileCoord;
use navtile::limits::{AGENT_LIMIT, CELL_MAX, CELL_MIN, SIZE_LIMIT};

/// Largest deviation of a tile's side from a whole number of cells, in cells.
const SIZE_TOLERANCE: f64 = 1.0 / 16.0;
/// The smallest cell height that is searched for, in cell sizes: a smaller step is a coincidence.
const LEAST_STEP: f64 = 1.0 / 32.0;
/// Range of heights that all positions must keep within, in cells: a quarter of the coordinate range.
const HEIGHT_CELLS: f64 = (1u64 << 20) as f64;

const OWN_TOOLS: &str = "write the tiles again with their own tools";

/// The lattice, and the cell that a tile's positions are relative to.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileGrid {
    pub(super) lattice: Lattice,
    pub(super) base_cell: [i64; 3],
    pub(super) size_cells: [u32; 2],
}

/// The lattice, the size of a tile on it, and the tiles.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) lattice: Lattice,
    pub(super) size_cells: [u32; 2],
    /// In canonical order, each with its lowest and highest point.
    places: Vec<(TileCoord, [f32; 2])>,
}

impl Frame {
    /// Chooses the lattice for tiles in canonical order, at least one.
    pub(super) fn new(params: Option<&NavMeshParams>, tiles: &[&DetourTile]) -> Result<Frame, ImportError> {
        let first = tiles[0];
        agent(first)?;
        let (cell_size, size_cells) = cells(first, params, tiles.len())?;
        let (zero, cell_height) = heights(tiles, params.map(|params| params.origin[1].into()), cell_size);
        let origin = |axis: usize, at: i32, cells: u32| {
            params.map_or_else(
                || f64::from(first.bounds_min[axis]) - f64::from(at) * f64::from(cells) * cell_size,
                |params| params.origin[axis].into(),
            )
        };
        let origin = [origin(0, first.x, size_cells[0]), zero, origin(2, first.y, size_cells[1])];
        for cell in [cell_size, cell_height] {
            if !(CELL_MIN..=CELL_MAX).contains(&cell) {
                let expected = format!("from {CELL_MIN} to {CELL_MAX} m");
                return refuse(first, "size of a cell", expected, format!("{cell} m"), OWN_TOOLS);
            }
        }
        let place = |tile: &&DetourTile| (coord(tile), [tile.bounds_min[1], tile.bounds_max[1]]);
        Ok(Frame {
            lattice: Lattice { origin, cell_size, cell_height },
            size_cells,
            places: tiles.iter().map(place).collect(),
        })
    }

    /// The lattice and base cell of a tile's positions.
    pub(super) fn grid(&self, tile: &DetourTile) -> TileGrid {
        let base = |at: i32, size: u32| i64::from(at) * i64::from(size);
        let [width, depth] = self.size_cells;
        TileGrid {
            lattice: self.lattice,
            base_cell: [base(tile.x, width), 0, base(tile.y, depth)],
            size_cells: self.size_cells,
        }
    }

    /// The tile that contains a fixed-point position of `tile`; of several layers, the one with the nearest
    /// heights. `None` if its coordinates are beyond 32 bits.
    pub(super) fn tile_of(&self, tile: &DetourTile, fixed: [i32; 3]) -> Option<TileCoord> {
        let one = i64::from(FIXED_ONE);
        let away = |axis: usize, cells: u32| i64::from(fixed[axis]).div_euclid(i64::from(cells) * one);
        let [width, depth] = self.size_cells;
        let x = i32::try_from(i64::from(tile.x) + away(0, width)).ok()?;
        let z = i32::try_from(i64::from(tile.y) + away(2, depth)).ok()?;
        let first = self.places.partition_point(|(coord, _)| (coord.x, coord.z) < (x, z));
        let layers = self.places[first..].iter().take_while(|(coord, _)| (coord.x, coord.z) == (x, z));
        let height = self.lattice.fixed_to_world(fixed, [0; 3])[1];
        let distance =
            |[low, high]: [f32; 2]| (f64::from(low) - height).max(height - f64::from(high)).max(0.0);
        let nearest = layers.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        Some(nearest.map_or(TileCoord { x, z, layer: 0 }, |(coord, _)| *coord))
    }
}

/// Checks the agent's measures against the limits of navtile's format.
fn agent(first: &DetourTile) -> Result<(), ImportError> {
    let agent = [first.walkable_radius, first.walkable_height, first.walkable_climb];
    if agent.iter().all(|measure| (0.0..=AGENT_LIMIT).contains(measure)) {
        return Ok(());
    }
    let expected = format!("from 0 to {AGENT_LIMIT} m");
    refuse(first, "agent's radius, height and climb", expected, format!("{agent:?}"), OWN_TOOLS)
}

/// Cell size, and the tile's size in cells. The cell is the unit of the BV tree's quantisation, adjusted so
/// that the tile's width is a whole number of cells.
fn cells(
    first: &DetourTile,
    params: Option<&NavMeshParams>,
    count: usize,
) -> Result<(f64, [u32; 2]), ImportError> {
    let factor = first.bv_quant_factor;
    if factor.is_nan() || factor <= 0.0 {
        let expected = "a quantisation above 0, one divided by the cell size";
        return refuse(first, "BV tree", expected, factor.to_string(), OWN_TOOLS);
    }
    let (min, max) = (first.bounds_min.map(f64::from), first.bounds_max.map(f64::from));
    let [width, height] = params.map_or([max[0] - min[0], max[2] - min[2]], |params| {
        [params.tile_width, params.tile_height].map(shortest)
    });
    let found = || format!("{width} x {height} m");
    if width.is_nan() || width <= 0.0 || height.is_nan() || height <= 0.0 {
        return refuse(first, "size of tiles", "more than 0 m", found(), OWN_TOOLS);
    }
    // A size in the parameters is rounded once. The difference of two positions has the rounding of both.
    let far = [min, max].as_flattened().iter().fold(0f64, |far, value| far.max(value.abs()));
    let rounded = if params.is_some() && count > 1 { width } else { width + 2.0 * far };
    let nice = decimal_inverse(factor);
    let across = (width / nice).round().max(1.0);
    let exact = (across * nice - width).abs() <= rounded * f64::from(f32::EPSILON);
    let cell = if exact { nice } else { width / across };
    let along = (height / cell).round().max(1.0);
    if count > 1 && (along * cell - height).abs() > SIZE_TOLERANCE * cell {
        let expected = format!("sides that are whole numbers of cells of {cell} m");
        return refuse(first, "size of tiles", expected, found(), "import the tiles one by one");
    }
    if across > f64::from(SIZE_LIMIT) || along > f64::from(SIZE_LIMIT) {
        let expected = format!("at most {SIZE_LIMIT} cells of {cell} m a side");
        return refuse(first, "size of tiles", expected, found(), OWN_TOOLS);
    }
    // Whole numbers within the limit.
    Ok((cell, [across as u32, along as u32]))
}

/// The decimal with the fewest digits whose inverse is this factor in f32.
fn decimal_inverse(factor: f32) -> f64 {
    let inverse = 1.0 / f64::from(factor);
    let shorter = (0..=7).map(|digits| {
        let unit = 10f64.powi(digits);
        (inverse * unit).round() / unit
    });
    let gives = |cell: &f64| *cell > 0.0 && (1.0 / *cell as f32 - factor).abs() <= factor * f32::EPSILON;
    shorter.into_iter().find(gives).unwrap_or(inverse)
}

/// Zero and cell height: the step that corners' heights are multiples of, counted from the set's origin or
/// from the lowest corner, in equal parts that are no higher than a cell is wide. Without such a step, half a
/// cell size. Never so small that heights do not fit.
fn heights(tiles: &[&DetourTile], origin: Option<f64>, cell_size: f64) -> (f64, f64) {
    let mut all: Vec<f64> = Vec::new();
    let mut corners: Vec<f64> = Vec::new();
    for tile in tiles {
        all.extend(tile.vertices.iter().chain(&tile.detail_vertices).map(|vertex| f64::from(vertex[1])));
        for polygon in tile.polygons.iter().filter(|polygon| !polygon.off_mesh) {
            let vertices = &polygon.vertices[..usize::from(polygon.corner_count)];
            corners.extend(vertices.iter().map(|&vertex| f64::from(tile.vertices[usize::from(vertex)][1])));
        }
    }
    let lowest = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let lowest = if lowest.is_finite() { lowest } else { 0.0 };
    let zeros = [origin.unwrap_or(lowest), lowest];
    let largest = all.iter().chain(&zeros).fold(0f64, |largest, height| largest.max(height.abs()));
    let noise = largest * f64::from(f32::EPSILON) * 2.0;
    let least = |zero: f64| {
        let most = all.iter().fold(0f64, |most, height| most.max((height - zero).abs()));
        (most / HEIGHT_CELLS).max(cell_size * LEAST_STEP)
    };
    for zero in zeros {
        let above: Vec<f64> = corners.iter().map(|height| (height - zero).abs()).collect();
        if let Some(step) = common(&above, noise, least(zero)) {
            // A few floors far apart do not determine the resolution of heights between them.
            let parts = snap_quotient(step / cell_size).ceil().max(1.0);
            return (zero, (step / parts).max(least(zero)));
        }
    }
    (zeros[0], least(zeros[0]).max(cell_size / 2.0))
}

/// The decimal number with the fewest digits that equals this one in f32.
pub(super) fn shortest(value: f32) -> f64 {
    // A printed f32 reads back as the same number; infinities and NaN were refused when the bytes were read.
    value.to_string().parse().unwrap_or(f64::from(value))
}
