//! Measures the width of a narrow passage on cells much smaller than those of the bake: the largest agent
//! that gets through.
//! Units: metres. Cost: O(triangles + cells of a window of about ten radii), and a search over these cells.
//!
//! The bake rounds walls outwards and distances up to whole cells, so the ground that it leaves of a passage
//! says little about the passage. Here the floors around it are found again on small cells. A search looks
//! for the path through the passage whose smallest distance to a border is largest. It first uses distances
//! counted from cell to cell and then, where these come near the result, straight ones. The result is right
//! to about a tenth of one of the bake's cells.

use recast::Error;
use recast::PreparedLevel;
use recast::data::compact::state::Compacted;
use recast::data::{CompactField, Direction, Grid};
use recast::inside::Source;
use recast::inside::fast::{self, SweptFloors};
use recast::inside::lists::partition_point;
use recast::inside::stage::distances;
use recast::stage::{Context, compact, mark_walkable};
use std::collections::BinaryHeap;

/// Number of small cells in one cell of the bake, if the window is not too large for it.
const FINEST: u32 = 24;
/// Approximate limit of small cells along a window.
const MOST_CELLS: f64 = 600.0;
/// Distances are counted in steps of 2, and 3 across corners. They are too long by this factor at most.
const LONGEST: f64 = 1.12;
/// Length that is missing from the distance between the middles of two cells, in cells: half a border cell,
/// which is free; half a cell or more, because walls are rounded outwards; a quarter, because the best cell
/// is not exactly in the middle. All values are means.
const UNCOUNTED: f64 = 1.3;

/// The largest radius of an agent that gets through a passage along a path over floors. `narrowest` is the
/// narrowest place of the path. `None` if the path cannot be found on smaller cells.
pub(super) fn measure(
    level: &PreparedLevel,
    path: &[[f64; 3]],
    narrowest: [f64; 3],
) -> Result<Option<f64>, Error> {
    let config = &level.config;
    let cell = level.lattice.cell_size;
    let radius = f64::from(config.walkable_radius) * cell;
    // The part of the path near the narrowest place, and a margin around it for the largest disc that
    // matters.
    let (reach, margin) = (3.0 * radius + 4.0 * cell, radius + 2.0 * cell);
    let is_near = |place: &[f64; 3]| {
        (place[0] - narrowest[0]).abs() <= reach && (place[2] - narrowest[2]).abs() <= reach
    };
    let Some(middle) = path.iter().position(|place| *place == narrowest) else { return Ok(None) };
    let before = path[..middle].iter().rev().take_while(|place| is_near(place)).count();
    let after = path[middle..].iter().take_while(|place| is_near(place)).count();
    let part = &path[middle - before..middle + after];
    let [Some(&first), Some(&last)] = [part.first(), part.last()] else { return Ok(None) };
    let parts = (MOST_CELLS * cell / (2.0 * (reach + margin))).floor().clamp(1.0, f64::from(FINEST));
    let mut settings = config.settings.clone();
    settings.cell_size = cell / parts;
    let Ok(fine) = level.with_cells(&settings) else { return Ok(None) };
    let grid = window(&fine, narrowest, reach + margin);
    let field = floors(&fine, &grid)?;
    let passage = Passage { field: &field, level: &fine };
    let (Some(from), Some(to)) = (passage.floor_at(first), passage.floor_at(last)) else { return Ok(None) };
    Ok(passage.widest(from, to))
}

/// The columns of a level within a distance of a place.
fn window(level: &PreparedLevel, place: [f64; 3], reach: f64) -> Grid {
    let range = |axis: usize, count: u32| {
        let at = |offset: f64| {
            let cells = (place[axis] - level.lattice.origin[axis] + offset) / level.lattice.cell_size;
            cells.floor().clamp(0.0, f64::from(count)) as u32
        };
        (at(-reach), at(reach))
    };
    let (left, right) = range(0, level.size[0]);
    let (near, far) = range(2, level.size[2]);
    Grid {
        width: right - left,
        depth: far - near,
        border: 0,
        base_x: left as i32,
        base_z: near as i32,
        cell_size: level.config.cell_size,
        cell_height: level.config.cell_height,
    }
}

/// Stages 1 to 6.
fn floors(level: &PreparedLevel, grid: &Grid) -> Result<CompactField<Compacted>, Error> {
    let (context, config) = (&mut Context::new(), &level.config);
    let source = Source::all(level);
    let areas = mark_walkable::run(source, &config.into(), context)?;
    let SweptFloors { parts, .. } = fast::floors((source, &areas, grid), &config.into(), context)?;
    fast::connect(parts, &compact::Params::from(config), context)
}

/// The floors around a passage.
struct Passage<'a> {
    field: &'a CompactField<Compacted>,
    level: &'a PreparedLevel,
}

impl Passage<'_> {
    /// The floor nearest in height in the column of a place.
    fn floor_at(&self, place: [f64; 3]) -> Option<usize> {
        let (grid, lattice) = (&self.field.grid, &self.level.lattice);
        let cell = |axis: usize, base: i32, count: u32| {
            let cell =
                ((place[axis] - lattice.origin[axis]) / lattice.cell_size).floor() as i64 - i64::from(base);
            (0..i64::from(count)).contains(&cell).then_some(cell as u32)
        };
        let (x, z) = (cell(0, grid.base_x, grid.width)?, cell(2, grid.base_z, grid.depth)?);
        let height = (place[1] - lattice.origin[1]) / lattice.cell_height;
        let off = |span: &usize| (f64::from(self.field.floor[*span]) - height).abs();
        self.field.column(grid.column(x, z)).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// The largest radius that can move along a path from one floor to another, metres.
    fn widest(&self, from: usize, to: usize) -> Option<f64> {
        let steps = distances(self.field, |own, other| own.is_walkable() & other.is_walkable());
        let counted = self.bottleneck(from, to, |span| u64::from(steps[span]))? as f64;
        let borders = (0..self.field.len()).filter(|&span| steps[span] == 0);
        let borders: Vec<Standing> = borders.map(|span| self.standing(span)).collect();
        // Counted distances are at least as long as straight ones, so floors that are much farther away do
        // not matter.
        let squared = self.bottleneck(from, to, |span| match f64::from(steps[span]) {
            steps if steps > LONGEST * counted + 2.0 => u64::MAX,
            steps if LONGEST * steps + 2.0 < counted => 0,
            _ => self.squared_distance(span, &borders),
        })?;
        Some(((squared as f64).sqrt() + UNCOUNTED) * self.level.lattice.cell_size)
    }

    /// The smallest room along the path between two floors, for the path that makes it largest.
    fn bottleneck(&self, from: usize, to: usize, room: impl Fn(usize) -> u64) -> Option<u64> {
        let mut seen = vec![false; self.field.len()];
        let mut open = BinaryHeap::from([(room(from), from)]);
        seen[from] = true;
        while let Some((least, span)) = open.pop() {
            if span == to {
                return Some(least);
            }
            let around =
                Direction::ALL.into_iter().filter_map(|direction| self.field.neighbour(span, direction));
            for beside in around {
                if !std::mem::replace(&mut seen[beside], true) {
                    open.push((least.min(room(beside)), beside));
                }
            }
        }
        None
    }

    /// From a floor to the nearest of some other floors of its storey, squared cells.
    fn squared_distance(&self, span: usize, borders: &[Standing]) -> u64 {
        let storey = self.field.walkable_height.max(2 * self.field.walkable_climb);
        let own = self.standing(span);
        let near = borders.iter().filter(|border| (border.floor - own.floor).abs() < storey);
        let squared = near.map(|border| {
            let [dx, dz] = [0, 1].map(|axis| u64::from(border.cell[axis].abs_diff(own.cell[axis])));
            dx * dx + dz * dz
        });
        squared.min().unwrap_or(u64::MAX)
    }

    fn standing(&self, span: usize) -> Standing {
        let (field, width) = (self.field, self.field.grid.width as usize);
        let ends_before = |column: usize| field.offsets.first(column + 1) <= span;
        let column = partition_point(field.grid.columns(), ends_before);
        Standing { cell: [(column % width) as u32, (column / width) as u32], floor: field.floor[span] }
    }
}

/// Position of a floor, cells.
struct Standing {
    cell: [u32; 2],
    floor: i32,
}
