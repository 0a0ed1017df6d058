//! Joins layers into the field that they were cut from: floors in columns again, and the steps between them.
//!
//! A layer keeps only what regions and contours need, so the field is ready for these. One thing is lost:
//! along a portal the lower floor took the height of the higher one. If this puts it more than a step above a
//! neighbour in its own layer, it is lowered again as far as necessary.

use super::layer::{DirectionSet, HeightfieldLayer};
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use recast::data::compact::CompactArrays;
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, Direction, Grid, NO_NEIGHBOUR};
use recast::settings::Config;
use std::borrow::Borrow;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// Parameters of [`join`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinParams {
    /// Clearance the agent needs, cells.
    pub walkable_height: i32,
    /// Highest step, cells, at least 0.
    pub walkable_climb: i32,
}

impl From<&Config> for JoinParams {
    fn from(config: &Config) -> JoinParams {
        JoinParams { walkable_height: config.walkable_height, walkable_climb: config.walkable_climb }
    }
}

/// A field joined from layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The floors of all layers, each with the space up to the next one above, and the steps between them.
    pub field: CompactField<Eroded>,
    /// Steps of floors inside the border that lead to no floor: they became walls. 0 for layers cut by this
    /// module, if the layers of all tiles around are given.
    pub open_steps: usize,
    /// Floors at the same place as another one, which were left out. 0 for layers cut by this module.
    pub doubled: usize,
}

/// Joins layers into a field on `grid`, including its border. Layers outside the grid count where they reach
/// into it, so pass those of the surrounding tiles as well: they are the border.
///
/// Cost: O(cells + floors log floors).
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navlayers::heightfield_layers::{self, JoinParams, Params};
/// use recast::{Context, Scratch, Silent, StageResults, TileBuild, bake_field, bake_tapped};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// # let (build, mut results) = (TileBuild::solo(&level), StageResults::default());
/// # let mut scratch = Scratch::new();
/// # bake_tapped(&level, &build, &Silent, &mut scratch, &mut |result| results.keep(result))?;
/// # let field = results.marked.expect("every bake marks areas");
/// let layers = heightfield_layers::run(&field, &Params::default(), &mut Context::new())?;
/// let joined = heightfield_layers::join(&field.grid, &layers, &JoinParams::from(&level.config));
/// assert_eq!((joined.open_steps, joined.doubled), (0, 0));
///
/// let baked = bake_field(&level, build.coord, joined.field, &Silent, &mut scratch)?;
/// assert_eq!(baked.counts.polygons, 1);
/// # Ok::<(), recast::Error>(())
/// ```
pub fn join(grid: &Grid, layers: &[impl Borrow<HeightfieldLayer>], params: &JoinParams) -> Joined {
    let (listed, gathered) = gather(grid, layers);
    let mut floors = FloorsOfLayers::new(*grid, listed, gathered, params.walkable_climb);
    floors.connect();
    if floors.any_too_high() {
        floors.lower();
        floors.cut_too_high();
    }
    floors.finish(params)
}

/// A floor of a layer.
#[derive(Clone, Copy)]
struct LayerFloor {
    layer: u32,
    /// Above the lattice's zero.
    height: i32,
    area: AreaId,
    connections: DirectionSet,
    portals: DirectionSet,
}

/// The floors of all layers by column, in the order of layers; and the start of each column's floors.
fn gather(grid: &Grid, layers: &[impl Borrow<HeightfieldLayer>]) -> (Vec<u32>, Vec<LayerFloor>) {
    let mut starts = vec![0u32; grid.columns() + 1];
    for layer in layers {
        for_each_cell(grid, layer.borrow(), |column, _| starts[column + 1] += 1);
    }
    for column in 0..grid.columns() {
        starts[column + 1] += starts[column];
    }
    let nothing = LayerFloor {
        layer: 0,
        height: 0,
        area: AreaId::NULL,
        connections: DirectionSet::default(),
        portals: DirectionSet::default(),
    };
    let mut floors = vec![nothing; starts[grid.columns()] as usize];
    let mut next = starts.clone();
    for (number, layer) in (0..).zip(layers) {
        let layer = layer.borrow();
        for_each_cell(grid, layer, |column, cell| {
            let slot = &mut next[column];
            let cell = &layer.cells[cell];
            floors[*slot as usize] = cell.as_ref().map_or(nothing, |cell| LayerFloor {
                layer: number,
                height: layer.min_height.saturating_add_unsigned(cell.height),
                area: cell.area,
                connections: cell.connections,
                portals: cell.portals,
            });
            *slot += 1;
        });
    }
    (starts, floors)
}

/// Calls `visit` with the column and the cell of every walkable floor of a layer that is on the grid.
fn for_each_cell(grid: &Grid, layer: &HeightfieldLayer, mut visit: impl FnMut(usize, usize)) {
    let own = &layer.grid;
    let [from_x, from_z] = [(own.base_x, grid.base_x), (own.base_z, grid.base_z)]
        .map(|(own, base)| i64::from(own) - i64::from(base));
    let overlap = |from: i64, own: u32, size: u32| -> Range<i64> {
        (-from).max(0)..(i64::from(size) - from).min(i64::from(own))
    };
    for z in overlap(from_z, own.depth, grid.depth) {
        for x in overlap(from_x, own.width, grid.width) {
            // Within both grids.
            let cell = own.column(x as u32, z as u32);
            if layer.cells[cell].is_some_and(|floor| floor.area.is_walkable()) {
                visit(grid.column((x + from_x) as u32, (z + from_z) as u32), cell);
            }
        }
    }
}

/// The floors of a field, during their connection.
struct FloorsOfLayers {
    grid: Grid,
    climb: i32,
    /// Start of the floors of each column in `spans`, and the end of the last.
    offsets: Vec<u32>,
    /// From bottom to top in each column.
    spans: Vec<LayerFloor>,
    /// Start of the floors of each column in the order of layers, which includes all floors.
    listed: Vec<u32>,
    /// In that order: the layer, and the span that the floor became; [`NO_NEIGHBOUR`] if it was left out.
    span_of: Vec<(u32, u32)>,
    neighbours: Vec<[u32; 4]>,
    doubled: usize,
}

impl FloorsOfLayers {
    fn new(grid: Grid, listed: Vec<u32>, gathered: Vec<LayerFloor>, climb: i32) -> FloorsOfLayers {
        let mut floors = FloorsOfLayers {
            grid,
            climb,
            offsets: vec![0],
            spans: Vec::with_capacity(gathered.len()),
            span_of: gathered.iter().map(|floor| (floor.layer, NO_NEIGHBOUR)).collect(),
            listed,
            neighbours: Vec::new(),
            doubled: 0,
        };
        let mut order: Vec<u32> = Vec::new();
        for column in 0..grid.columns() {
            order.clear();
            order.extend(floors.listed[column]..floors.listed[column + 1]);
            order.shared_sort_by_key(|&index| (gathered[index as usize].height, index));
            let first = floors.spans.len();
            for &index in &order {
                let floor = gathered[index as usize];
                if floors.spans[first..].last().is_some_and(|below| below.height == floor.height) {
                    floors.doubled += 1;
                    continue;
                }
                floors.span_of[index as usize].1 = floors.spans.len() as u32;
                floors.spans.push(floor);
            }
            floors.offsets.push(floors.spans.len() as u32);
        }
        floors.neighbours = vec![[NO_NEIGHBOUR; 4]; floors.spans.len()];
        floors
    }

    /// Connects the floors of neighbouring columns: within a layer if both floors have the connection, and
    /// over portals.
    fn connect(&mut self) {
        for z in 0..self.grid.depth {
            for x in 0..self.grid.width {
                for direction in [Direction::ZMax, Direction::XMax] {
                    if let Some((beside_x, beside_z)) = self.grid.neighbour(x, z, direction) {
                        let columns = [self.grid.column(x, z), self.grid.column(beside_x, beside_z)];
                        self.connect_within_layers(columns, direction);
                        self.connect_portals(columns, direction);
                    }
                }
            }
        }
    }

    /// Both columns list their floors by layer.
    fn connect_within_layers(&mut self, columns: [usize; 2], direction: Direction) {
        let [mut own, mut other] = columns.map(|column| self.listed[column] as usize);
        let [own_end, other_end] = columns.map(|column| self.listed[column + 1] as usize);
        while own < own_end && other < other_end {
            let [(own_layer, span), (other_layer, beside)] = [self.span_of[own], self.span_of[other]];
            match own_layer.cmp(&other_layer) {
                Ordering::Less => own += 1,
                Ordering::Greater => other += 1,
                Ordering::Equal => {
                    let set = |floor: &LayerFloor| floor.connections;
                    if span != NO_NEIGHBOUR && beside != NO_NEIGHBOUR {
                        self.connect_if([span, beside], direction, set);
                    }
                    (own, other) = (own + 1, other + 1);
                }
            }
        }
    }

    /// From bottom to top, each floor with a portal is connected to the first floor of another layer that is
    /// within a step.
    fn connect_portals(&mut self, columns: [usize; 2], direction: Direction) {
        let [mut own, mut other] = columns.map(|column| self.offsets[column]);
        let [own_end, other_end] = columns.map(|column| self.offsets[column + 1]);
        let back = direction.next().next();
        while own < own_end && other < other_end {
            let [span, beside] = [own, other].map(|span| &self.spans[span as usize]);
            if !span.portals.contains(direction) {
                own += 1;
            } else if !beside.portals.contains(back) {
                other += 1;
            } else if span.layer != beside.layer && span.height.abs_diff(beside.height) <= self.climb() {
                self.connect_if([own, other], direction, |floor| floor.portals);
                (own, other) = (own + 1, other + 1);
            } else if span.height <= beside.height {
                own += 1;
            } else {
                other += 1;
            }
        }
    }

    /// Connects two floors if both have the step in this set, and neither has a neighbour there already.
    fn connect_if(
        &mut self,
        spans: [u32; 2],
        direction: Direction,
        set: impl Fn(&LayerFloor) -> DirectionSet,
    ) {
        let sides = [direction, direction.next().next()];
        let [own, beside] = spans.map(|span| span as usize);
        let free = |span: usize, side: Direction| {
            set(&self.spans[span]).contains(side) && self.neighbours[span][side as usize] == NO_NEIGHBOUR
        };
        if free(own, sides[0]) && free(beside, sides[1]) {
            self.neighbours[own][sides[0] as usize] = spans[1];
            self.neighbours[beside][sides[1] as usize] = spans[0];
        }
    }

    fn climb(&self) -> u32 {
        self.climb.unsigned_abs()
    }

    /// Returns true if a floor is more than a step above a neighbour.
    fn is_too_high(&self, span: usize, beside: u32) -> bool {
        let height = |span: usize| i64::from(self.spans[span].height);
        beside != NO_NEIGHBOUR && height(span) - height(beside as usize) > i64::from(self.climb())
    }

    fn any_too_high(&self) -> bool {
        let mut lists = self.neighbours.iter().enumerate();
        lists.any(|(span, list)| list.iter().any(|&beside| self.is_too_high(span, beside)))
    }

    /// Lowers floors with portals that are more than a step above a neighbour, from the lowest floor up, so
    /// that each is lowered once. No floor ends up lower than it was before it took a portal's height,
    /// because its neighbours were within a step of it then, and are not lower now.
    fn lower(&mut self) {
        let mut below = vec![i32::MIN; self.spans.len()];
        for column in self.offsets.windows(2) {
            let column = column[0] as usize..column[1] as usize;
            for (below, floor) in below[column.clone()].iter_mut().skip(1).zip(&self.spans[column]) {
                *below = floor.height;
            }
        }
        let mut queue: BinaryHeap<Reverse<(i32, usize)>> =
            self.spans.iter().enumerate().map(|(span, floor)| Reverse((floor.height, span))).collect();
        while let Some(Reverse((height, span))) = queue.pop() {
            if height != self.spans[span].height {
                continue;
            }
            for beside in self.neighbours[span] {
                if beside == NO_NEIGHBOUR || !self.is_too_high(beside as usize, span as u32) {
                    continue;
                }
                let floor = &mut self.spans[beside as usize];
                let lowered = height.saturating_add(self.climb);
                if floor.portals != DirectionSet::default() && lowered > below[beside as usize] {
                    floor.height = lowered;
                    queue.push(Reverse((lowered, beside as usize)));
                }
            }
        }
    }

    /// Turns steps that are still too high into walls.
    fn cut_too_high(&mut self) {
        for span in 0..self.spans.len() {
            for side in Direction::ALL {
                let beside = self.neighbours[span][side as usize];
                if self.is_too_high(span, beside) {
                    self.neighbours[span][side as usize] = NO_NEIGHBOUR;
                    self.neighbours[beside as usize][side.next().next() as usize] = NO_NEIGHBOUR;
                }
            }
        }
    }

    fn finish(self, params: &JoinParams) -> Joined {
        let (grid, border) = (self.grid, self.grid.border);
        let mut open_steps = 0;
        for z in border..grid.depth.saturating_sub(border) {
            for x in border..grid.width.saturating_sub(border) {
                let column = grid.column(x, z);
                for span in self.offsets[column] as usize..self.offsets[column + 1] as usize {
                    let floor = &self.spans[span];
                    let steps = floor.connections.bits() | floor.portals.bits();
                    let open = |side: &Direction| {
                        steps >> *side as u8 & 1 == 1 && self.neighbours[span][*side as usize] == NO_NEIGHBOUR
                    };
                    open_steps += Direction::ALL.iter().filter(|side| open(side)).count();
                }
            }
        }
        let mut clearance = vec![u16::MAX; self.spans.len()];
        for column in self.offsets.windows(2) {
            for span in column[0] as usize + 1..column[1] as usize {
                let room = self.spans[span].height.abs_diff(self.spans[span - 1].height);
                clearance[span - 1] = room.min(u16::MAX.into()) as u16;
            }
        }
        let field = CompactField::from_arrays(CompactArrays {
            grid,
            walkable_height: params.walkable_height,
            walkable_climb: params.walkable_climb,
            offsets: self.offsets,
            floor: self.spans.iter().map(|floor| floor.height).collect(),
            clearance,
            area: self.spans.iter().map(|floor| floor.area).collect(),
            neighbours: self.neighbours,
        });
        Joined { field, open_steps, doubled: self.doubled }
    }
}
