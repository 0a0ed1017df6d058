//! Measures a passage from the level's triangles: the largest agent that gets through.
//! Units: metres; cells where it is said. Cost: O(triangles), and some ten erosions of a window around the
//! passage.
//!
//! The bake rounds walls outwards and distances up to whole cells, so the ground that it leaves of a passage
//! says little about the passage. Exact outlines say which agents get through: floors before erosion decide
//! how the ground is connected, triangles decide the distances. So the floors around the passage are found
//! once, and eroded for one radius after the other. An agent gets through if floors that have room for it
//! connect the islands at both ends. The cells are at most half as wide as the radius found.

use super::floors::Floors;
use super::search::{Stand, is_on_mesh, moved};
use navtile::area::AreaId;
use recast::Error;
use recast::PreparedLevel;
use recast::data::compact::state::Compacted;
use recast::data::{CompactField, Direction, Grid, NO_NEIGHBOUR};
use recast::inside::Source;
use recast::inside::fast::{self, SweptFloors};
use recast::inside::input_hash::reaches;
use recast::inside::lists::partition_point;
use recast::inside::outline;
use recast::stage::{Context, compact, mark_areas, mark_walkable};
use std::collections::{BTreeSet, VecDeque};

/// The radius is this precise.
const PRECISION: f64 = 0.001;
/// Most cells along one cell of the bake.
const FINEST: u32 = 8;
/// Columns of a window that is not divided further.
const MOST_COLUMNS: u64 = 1 << 20;
/// Outlines are too far from a wall by at most this many cells of the bake. They may close passages that are
/// wider than the agent by as much.
pub(crate) const LOST: f64 = 3.0;

/// The narrowest place of a passage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrowest {
    /// The largest radius of an agent that gets through, metres.
    pub(super) radius: f64,
    /// World metres.
    pub(super) place: [f64; 3],
}

/// The passages from one island to another.
pub(super) struct Passage<'a> {
    level: &'a PreparedLevel,
    floors: &'a Floors,
    /// The floors of both islands in the window.
    islands: [Vec<Stand>; 2],
    /// The window: its first column and the one after its last, columns of the bake.
    window: [[i32; 2]; 2],
}

impl<'a> Passage<'a> {
    /// The passages at most `aside`, in metres, from a part of a path that leads from one island, off the
    /// mesh, to another.
    pub(super) fn new(
        level: &'a PreparedLevel,
        floors: &'a Floors,
        part: &[Stand],
        aside: f64,
    ) -> Passage<'a> {
        let cell = level.lattice.cell_size;
        let radius = level.config.settings.agent_radius;
        let reach = (aside.max(2.0 * apart(level)) / cell).ceil() as u32;
        let cells = |axis: usize| part.iter().map(move |stand| stand.cell[axis]);
        let seen = [0, 1].map(|axis| {
            let (low, high) = (cells(axis).min().unwrap_or(0), cells(axis).max().unwrap_or(0));
            [low.saturating_sub(reach), high + reach]
        });
        let islands = [part.first(), part.last()]
            .map(|end| end.map_or_else(Vec::new, |end| island(floors, *end, &seen)));
        // Walls farther away count up to the largest radius.
        let margin = (radius / cell + LOST).ceil() as i32 + 2;
        let base = [floors.grid().base_x, floors.grid().base_z];
        let window = [0, 1].map(|axis| {
            let [low, high] = seen[axis].map(|at| at as i32 + base[axis]);
            [low - margin, high + margin + 1]
        });
        Passage { level, floors, islands, window }
    }

    /// The narrowest place on the widest way through; `None` if no path leads through.
    ///
    /// # Errors
    /// The errors of the stages.
    pub(super) fn narrowest(&self) -> Result<Option<Narrowest>, Error> {
        let cell = self.level.lattice.cell_size;
        let most = self.level.config.settings.agent_radius + LOST * cell;
        let columns: u64 = self.window.iter().map(|[from, to]| u64::from(from.abs_diff(*to))).product();
        let mut parts = 1;
        loop {
            let next = parts * 2;
            let is_last = next > FINEST
                || columns * u64::from(next).pow(2) > MOST_COLUMNS
                || self.on_cells(next).is_err();
            let window = Window::new(self, parts)?;
            // Smaller cells resolve smaller passages.
            let least = if is_last { 0.0 } else { 2.0 * cell / f64::from(parts) };
            let way = window.flood(least)?;
            if way.end.is_some() {
                return window.narrowest(way, [least, most]).map(Some);
            }
            if is_last {
                return Ok(None);
            }
            parts = next;
        }
    }

    /// The level on cells that are parts of those of the bake.
    fn on_cells(&self, parts: u32) -> Result<PreparedLevel, Error> {
        let mut settings = self.level.config.settings.clone();
        settings.cell_size = self.level.lattice.cell_size / f64::from(parts);
        self.level.with_cells(&settings)
    }
}

/// A floor this far from an island, over steps along the axes, is not beyond a passage that an agent at the
/// other island is in front of, metres.
fn apart(level: &PreparedLevel) -> f64 {
    2.0 * (level.config.settings.agent_radius + level.lattice.cell_size)
}

/// The floors of an island that are connected with a floor of it within a range of cells.
fn island(floors: &Floors, start: Stand, window: &[[u32; 2]; 2]) -> Vec<Stand> {
    let mut known = BTreeSet::from([start.span]);
    let mut list = vec![start];
    let mut at = 0;
    while let Some(&stand) = list.get(at) {
        at += 1;
        let cells = [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|(dx, dz)| moved(floors, stand.cell, dx, dz));
        for cell in cells.into_iter().flatten() {
            let is_near = (0..2).all(|axis| (window[axis][0]..=window[axis][1]).contains(&cell[axis]));
            let column = floors.spans.column(floors.grid().column(cell[0], cell[1]));
            for next in column.filter(|_| is_near).map(|span| Stand { cell, span }) {
                if is_on_mesh(floors, stand, next) && known.insert(next.span) {
                    list.push(next);
                }
            }
        }
    }
    list
}

/// The floors around a passage before erosion.
struct Window {
    level: PreparedLevel,
    /// The triangles in it, and their areas.
    triangles: Vec<u32>,
    areas: Vec<AreaId>,
    field: CompactField<Compacted>,
    /// True for each floor at an end of the passages. None at all, if no ground leads from one to the other.
    sides: [Vec<bool>; 2],
}

impl Window {
    /// On cells that are parts of those of the bake.
    fn new(passage: &Passage<'_>, parts: u32) -> Result<Window, Error> {
        let level = passage.on_cells(parts)?;
        let [[left, right], [back, front]] = passage.window.map(|range| range.map(|at| at * parts as i32));
        let grid = Grid {
            width: left.abs_diff(right),
            depth: back.abs_diff(front),
            // The columns beyond are not known.
            border: 1,
            base_x: left,
            base_z: back,
            cell_size: level.config.cell_size,
            cell_height: level.config.cell_height,
        };
        let all = 0..level.triangle_count();
        let triangles = all.filter(|&triangle| reaches(&level, &level.corners(triangle), &grid));
        let triangles: Vec<u32> = triangles.map(|triangle| triangle as u32).collect();
        let (context, config) = (&mut Context::new(), &level.config);
        let source = Source::some(&level, &triangles);
        let areas = mark_walkable::run(source, &config.into(), context)?;
        let SweptFloors { parts: swept, .. } =
            fast::floors((source, &areas, &grid), &config.into(), context)?;
        let field = fast::connect(swept, &compact::Params::from(config), context)?;
        let mut window = Window { level, triangles, areas, field, sides: [const { Vec::new() }; 2] };
        window.find_sides(passage, parts);
        Ok(window)
    }

    /// Finds the floors at both islands that are not in front of a passage. If all are, the farthest.
    fn find_sides(&mut self, passage: &Passage<'_>, parts: u32) {
        let cells = |metres: f64| (metres / self.level.lattice.cell_size) as u32;
        let starts = [0, 1].map(|side| self.floors(passage, &passage.islands[side], parts));
        let steps = [0, 1].map(|side| self.steps(&starts[side]));
        let apart = [0, 1].map(|side| {
            let farthest = starts[side].iter().map(|&span| steps[1 - side][span]).max();
            farthest.unwrap_or(0).min(cells(apart(passage.level)))
        });
        // Cells may have cut off the middle of a corridor.
        let radius = passage.level.config.settings.agent_radius;
        let beside = cells(radius).min(apart[0] / 2).min(apart[1] / 2);
        self.sides = [0, 1].map(|side| {
            let is_on = |span: usize| {
                let away = steps[1 - side][span];
                steps[side][span] <= beside && apart[side] <= away && away != u32::MAX
            };
            (0..self.field.len()).map(is_on).collect()
        });
    }

    /// The floors at the middles of floors of the bake.
    fn floors(&self, passage: &Passage<'_>, stands: &[Stand], parts: u32) -> Vec<usize> {
        let (grid, coarse) = (&self.field.grid, passage.floors.grid());
        let fine = |base: i32, cell: u32, own: i32| {
            ((base + cell as i32) * parts as i32 + parts as i32 / 2).abs_diff(own)
        };
        let floor = |stand: &Stand| {
            let [x, z] = stand.cell;
            let column =
                grid.column(fine(coarse.base_x, x, grid.base_x), fine(coarse.base_z, z, grid.base_z));
            let off = |span: &usize| self.field.floor[*span].abs_diff(passage.floors.spans.max[stand.span]);
            self.field.column(column).min_by_key(off)
        };
        stands.iter().filter_map(floor).collect()
    }

    /// The steps from the nearest of some floors to each floor.
    fn steps(&self, starts: &[usize]) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.field.len()];
        starts.iter().for_each(|&span| steps[span] = 0);
        let mut open: VecDeque<usize> = starts.iter().copied().collect();
        while let Some(span) = open.pop_front() {
            for next in
                Direction::ALL.into_iter().filter_map(|direction| self.field.neighbour(span, direction))
            {
                if steps[next] == u32::MAX {
                    steps[next] = steps[span] + 1;
                    open.push_back(next);
                }
            }
        }
        steps
    }

    /// The narrowest place, for radii within a range. An agent of the smallest radius gets through on `way`.
    fn narrowest(&self, mut way: Flood, [mut low, mut high]: [f64; 2]) -> Result<Narrowest, Error> {
        let mut blocked = None;
        while high - low > PRECISION {
            let middle = 0.5 * (low + high);
            let flood = self.flood(middle)?;
            if flood.end.is_some() {
                (low, way) = (middle, flood);
            } else {
                (high, blocked) = (middle, Some(flood));
            }
        }
        let floors = way.floors();
        let is_beyond =
            |span: &&usize| blocked.as_ref().is_some_and(|blocked| blocked.before[**span] == NO_NEIGHBOUR);
        let span = floors.iter().find(is_beyond).or(floors.get(floors.len() / 2));
        Ok(Narrowest { radius: low, place: self.place(span.copied().unwrap_or(0)) })
    }

    /// The middle of a floor, world metres.
    fn place(&self, span: usize) -> [f64; 3] {
        let (grid, lattice) = (&self.field.grid, &self.level.lattice);
        let is_before = |column: usize| self.field.column(column).end <= span;
        let column = partition_point(grid.columns(), is_before);
        let [x, z] = [column % grid.width as usize, column / grid.width as usize];
        let along = |axis: usize, base: i32, cell: usize| {
            lattice.origin[axis] + (f64::from(base) + cell as f64 + 0.5) * lattice.cell_size
        };
        let height = f64::from(self.field.floor[span]) * lattice.cell_height;
        [along(0, grid.base_x, x), lattice.origin[1] + height, along(2, grid.base_z, z)]
    }

    /// The floors that an agent of a radius reaches from the first side, up to the second.
    fn flood(&self, radius: f64) -> Result<Flood, Error> {
        let Window { level, triangles, areas, field, sides } = self;
        if !sides.iter().all(|side| side.contains(&true)) {
            return Ok(Flood { before: Vec::new(), end: None });
        }
        let context = &mut Context::new();
        let params = outline::Params { radius: radius / level.lattice.cell_size };
        let source = Source::some(level, triangles);
        let (field, _) = outline::erode((field.clone(), source, areas), &params, context)?;
        let volumes = level.config.settings.volumes.as_slice();
        let marks = (field, volumes, [].as_slice(), &level.lattice);
        let field = mark_areas::run(marks, &mark_areas::Params::default(), context)?;
        let is_kept = |span: &usize| field.area[*span].is_walkable();
        let mut before = vec![NO_NEIGHBOUR; field.len()];
        let mut open: VecDeque<usize> =
            (0..field.len()).filter(|&span| sides[0][span]).filter(is_kept).collect();
        open.iter().for_each(|&span| before[span] = span as u32);
        while let Some(span) = open.pop_front() {
            if sides[1][span] {
                return Ok(Flood { before, end: Some(span) });
            }
            let around = Direction::ALL.into_iter().filter_map(|direction| field.neighbour(span, direction));
            for next in around.filter(is_kept) {
                if before[next] == NO_NEIGHBOUR {
                    before[next] = span as u32;
                    open.push_back(next);
                }
            }
        }
        Ok(Flood { before, end: None })
    }
}

/// The floors that an agent reaches.
struct Flood {
    /// The floor before each; itself at the start, [`NO_NEIGHBOUR`] if it is not reached.
    before: Vec<u32>,
    /// The floor on the second side.
    end: Option<usize>,
}

impl Flood {
    /// The floors from the first side to the second.
    fn floors(&self) -> Vec<usize> {
        let before = |span: &usize| Some(self.before[*span] as usize).filter(|before| before != span);
        let mut floors: Vec<usize> = std::iter::successors(self.end, before).collect();
        floors.reverse();
        floors
    }
}
