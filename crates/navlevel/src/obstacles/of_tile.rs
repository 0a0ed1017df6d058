//! The effects of obstacles within one tile, its border included.

use super::Effect;
use super::gathered::{ColumnHole, Gathered};
use super::prepared::PreparedObstacle;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use recast::Error;
use recast::PreparedLevel;
use recast::data::Grid;
use recast::inside::AreaOrder;
use recast::inside::data::Fragment;
use recast::inside::ground_mark::{GroundMark, Prism, for_each_column};
use recast::inside::stage::quantise;
use recast::inside::stage::{Lines, cut};

/// The effects of obstacles within a tile.
pub(crate) struct TileObstacles<'a> {
    /// Spans that solid obstacles add, with their columns, sorted by column. A column has one span for each
    /// top.
    pub(crate) spans: Vec<(u32, Fragment)>,
    /// Parts of the level that are removed, sorted by column and height. The parts of a column do not touch
    /// each other.
    pub(crate) holes: Vec<(u32, ColumnHole)>,
    /// Ground to be marked; later marks override earlier ones.
    pub(crate) marks: Vec<GroundMark<'a>>,
}

impl<'a> TileObstacles<'a> {
    /// The effects of the `obstacles` that reach a grid.
    ///
    /// # Errors
    /// Obstacles whose spans and holes take more memory than the level's bound.
    pub(crate) fn new(
        obstacles: &[&'a PreparedObstacle],
        grid: &Grid,
        level: &PreparedLevel,
        order: &AreaOrder,
    ) -> Result<TileObstacles<'a>, Error> {
        let bound = level.config.settings.memory_bound;
        let (mut spans, mut holes) = (Gathered::new(grid, bound), Gathered::new(grid, bound));
        let mut marks = Vec::new();
        let mut solids = None;
        for obstacle in obstacles.iter().filter(|obstacle| obstacle.reaches(grid)) {
            let mark = |area| obstacle.prisms.iter().map(move |prism| GroundMark { prism, area });
            match obstacle.effect {
                Effect::Solid { .. } => {
                    solids
                        .get_or_insert_with(|| SolidCutter::new(grid, level))
                        .add(obstacle, order, &mut spans)?;
                }
                Effect::Blocks { .. } => marks.extend(mark(AreaId::NULL)),
                Effect::Marks { area, .. } => marks.extend(mark(area)),
                Effect::Removes => {
                    for prism in &obstacle.prisms {
                        add_hole(prism, grid, level.lattice.cell_size, &mut holes)?;
                    }
                }
            }
        }
        // Unwalkable ground overrides every area.
        marks.shared_sort_by_key(|mark| (!mark.area.is_walkable(), order.rank_of(mark.area)));
        Ok(TileObstacles { spans: spans.finish(), holes: holes.finish(), marks })
    }
}

/// Cuts solid obstacles into the columns of a grid.
struct SolidCutter<'a> {
    grid: &'a Grid,
    lines: Lines,
    /// Bottom and top of the current obstacle in each column, while the obstacle is being filled. Otherwise
    /// [`NO_CELLS`].
    extents: Vec<[i32; 2]>,
    /// The columns that the obstacle reaches.
    reached: Vec<u32>,
}

/// The extent of an obstacle in a column that it does not reach.
const NO_CELLS: [i32; 2] = [i32::MAX, 0];

impl<'a> SolidCutter<'a> {
    fn new(grid: &'a Grid, level: &PreparedLevel) -> SolidCutter<'a> {
        let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
        SolidCutter { grid, lines, extents: vec![NO_CELLS; grid.columns()], reached: Vec::new() }
    }

    /// Adds the surface of a solid obstacle, and its inside if it has one. Nothing is cut off at the top: a
    /// crate may be on the highest floor of the level.
    fn add(
        &mut self,
        obstacle: &PreparedObstacle,
        order: &AreaOrder,
        spans: &mut Gathered<Fragment>,
    ) -> Result<(), Error> {
        for (corners, area) in &obstacle.triangles {
            let rank = order.rank_of(*area);
            cut(corners, &self.lines, |x, z, low, high| {
                let height = self.grid.cell_height;
                let Some((bottom, top)) = quantise(low, high, f32::INFINITY, height) else { return };
                let column = self.grid.column(x, z);
                spans.items.push((column as u32, Fragment::new(bottom, top, rank)));
                if obstacle.is_filled {
                    let extent = &mut self.extents[column];
                    if *extent == NO_CELLS {
                        self.reached.push(column as u32);
                    }
                    *extent = [extent[0].min(bottom), extent[1].max(top)];
                }
            });
            spans.keep_few()?;
        }
        for column in self.reached.drain(..) {
            let [bottom, top] = std::mem::replace(&mut self.extents[column as usize], NO_CELLS);
            spans.items.push((column, Fragment::new(bottom, top, AreaId::NULL)));
        }
        spans.keep_few()
    }
}

fn add_hole(
    prism: &Prism,
    grid: &Grid,
    cell_size: f64,
    holes: &mut Gathered<ColumnHole>,
) -> Result<(), Error> {
    let [first, last] = prism.heights;
    let [first, end] = [first, last + 1].map(|cell| cell.clamp(0, i64::from(i32::MAX)) as i32);
    if first < end {
        for_each_column(prism, grid, cell_size, |column| {
            holes.items.push((column, ColumnHole { first, end }))
        });
    }
    holes.keep_few()
}
