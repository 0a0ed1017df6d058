//! The ground an agent can stand on: the floors of a whole level in one list, for any division into tiles.
//! Units: cells from the lattice's zero. Cost: O(spans).

use super::bake::MeasuredBake;
use recast::data::{Direction, NO_NEIGHBOUR, RegionId};

/// A floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundSpan {
    /// Column along x.
    pub x: i32,
    /// Column along z.
    pub z: i32,
    /// Height.
    pub floor: i32,
    /// True if the agent's centre may be there: walkable after erosion and marking.
    pub walkable: bool,
    /// The region that holds it, with the number of its bake, if it is walkable and not dropped as too small.
    /// A polygon should be over it.
    pub region: Option<(usize, RegionId)>,
    /// True if a volume took it away: no polygon should be over it.
    pub taken_away: bool,
}

/// All floors, sorted by row, column and height.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Columns along x.
    pub width: i32,
    /// Columns along z.
    pub depth: i32,
    /// Floors of column c are `offsets[c]..offsets[c + 1]`.
    pub offsets: Vec<u32>,
    /// The floors.
    pub spans: Vec<GroundSpan>,
    /// By direction: the floor that an agent can step to, as an index, or [`NO_NEIGHBOUR`].
    pub neighbours: Vec<[u32; 4]>,
    /// Steps from one tile into the next that end on no floor of that tile.
    pub broken_steps: usize,
}

impl Ground {
    /// Assembles the tiles' floors, without their borders.
    pub fn new(bakes: &[MeasuredBake]) -> Ground {
        let mut ground = Ground::default();
        let mut spans = Vec::new();
        for (number, bake) in bakes.iter().enumerate() {
            let (grid, [x0, z0]) = (bake.grid(), bake.inner_corner());
            ground.width = ground.width.max(x0 + grid.inner_width() as i32);
            ground.depth = ground.depth.max(z0 + grid.inner_depth() as i32);
            for_each_inner(number, bake, |span, _| spans.push(span));
        }
        spans.sort_by_key(|span| (span.z, span.x, span.floor));
        ground.offsets = vec![0; ground.width as usize * ground.depth as usize + 1];
        for span in &spans {
            let column = ground.column(span.x, span.z);
            ground.offsets[column + 1] += 1;
        }
        for column in 1..ground.offsets.len() {
            ground.offsets[column] += ground.offsets[column - 1];
        }
        ground.spans = spans;
        ground.neighbours = vec![[NO_NEIGHBOUR; 4]; ground.spans.len()];
        bakes.iter().for_each(|bake| ground.connect(bake));
        ground
    }

    fn connect(&mut self, bake: &MeasuredBake) {
        let field = &bake.regions.field;
        let mut steps = Vec::new();
        for_each_inner(0, bake, |span, index| {
            for direction in Direction::ALL {
                if let Some(beside) = field.neighbour(index, direction) {
                    steps.push((span, direction, field.floor[beside]));
                }
            }
        });
        for (span, direction, floor) in steps {
            let (dx, dz) = direction.offset();
            let from = self.find(span.x, span.z, span.floor);
            let to = self.find(span.x + dx, span.z + dz, floor);
            match (from, to) {
                (Some(from), Some(to)) => self.neighbours[from][direction as usize] = to as u32,
                _ => self.broken_steps += 1,
            }
        }
    }

    /// Index of a column, which must be within the ground.
    pub fn column(&self, x: i32, z: i32) -> usize {
        x as usize + z as usize * self.width as usize
    }

    /// The floors of a column, as indices; empty beyond the edge.
    pub fn floors(&self, x: i32, z: i32) -> std::ops::Range<usize> {
        if x < 0 || z < 0 || x >= self.width || z >= self.depth {
            return 0..0;
        }
        let column = self.column(x, z);
        self.offsets[column] as usize..self.offsets[column + 1] as usize
    }

    /// The floor at a place, as an index.
    pub fn find(&self, x: i32, z: i32, floor: i32) -> Option<usize> {
        self.floors(x, z).find(|&index| self.spans[index].floor == floor)
    }

    /// The walkable floor next to a walkable one.
    pub fn step(&self, span: usize, direction: usize) -> Option<usize> {
        let beside = self.neighbours[span][direction];
        (beside != NO_NEIGHBOUR && self.spans[beside as usize].walkable).then_some(beside as usize)
    }

    /// The connected component of each walkable floor, numbered from 0 in the order of floors; `None` for
    /// others.
    pub fn components(&self) -> Vec<Option<u32>> {
        let mut component = vec![None; self.spans.len()];
        let (mut count, mut stack) = (0, Vec::new());
        for first in 0..self.spans.len() {
            if !self.spans[first].walkable || component[first].is_some() {
                continue;
            }
            component[first] = Some(count);
            stack.push(first);
            while let Some(span) = stack.pop() {
                for beside in (0..4).filter_map(|direction| self.step(span, direction)) {
                    if component[beside].is_none() {
                        component[beside] = Some(count);
                        stack.push(beside);
                    }
                }
            }
            count += 1;
        }
        component
    }
}

/// Calls `visit` with every floor outside the border, and its index in the bake's own field.
fn for_each_inner(number: usize, bake: &MeasuredBake, mut visit: impl FnMut(GroundSpan, usize)) {
    let (grid, field) = (*bake.grid(), &bake.regions.field);
    let inner = |at: u32, size: u32| at >= grid.border && at < size - grid.border;
    field.for_each_span(|x, z, index| {
        if inner(x, grid.width) && inner(z, grid.depth) {
            let (walkable, region) = (field.area[index].is_walkable(), bake.regions.region[index]);
            let span = GroundSpan {
                x: grid.base_x + x as i32,
                z: grid.base_z + z as i32,
                floor: field.floor[index],
                walkable,
                region: (region.is_inner() && !bake.dropped.contains(&region)).then_some((number, region)),
                taken_away: bake.taken_away[index],
            };
            visit(span, index);
        }
    });
}
