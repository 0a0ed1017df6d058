//! The compact field: the walkable floors of the span field, each with its clearance and its neighbours; and
//! the distance field computed from it.

use super::{Broken, Direction, Grid, NO_NEIGHBOUR, Neighbours, Offsets, require};
use navmath::{Digest, Hasher};
use navtile::area::AreaId;
use std::marker::PhantomData;
use std::ops::Range;

/// The stages that a compact field has passed; see [`CompactField`].
pub mod state {
    /// Compacted only.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Compacted;
    /// Eroded by the agent's radius: ready for areas to be marked, and for regions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Eroded;
}

/// Walkable floors by column, in separate arrays. `S` is the last stage that it has passed.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactField<S> {
    /// The grid.
    pub grid: Grid,
    /// Clearance the agent needs, cells.
    pub walkable_height: i32,
    /// Highest step between neighbours, cells.
    pub walkable_climb: i32,
    /// Start of the spans of each column, which are in order from bottom to top.
    pub offsets: Offsets,
    /// Height of each floor in cells above the lattice's zero.
    pub floor: Vec<i32>,
    /// Free cells above each floor, at most 65,535.
    pub clearance: Vec<u16>,
    /// The area of each floor; null for eroded floors.
    pub area: Vec<AreaId>,
    /// The span that a step leads to, by [`Direction`].
    pub neighbours: Neighbours,
    state: PhantomData<S>,
}

/// The arrays of a compact field, for callers that build one themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactArrays {
    /// See [`CompactField::grid`].
    pub grid: Grid,
    /// See [`CompactField::walkable_height`].
    pub walkable_height: i32,
    /// See [`CompactField::walkable_climb`].
    pub walkable_climb: i32,
    /// Spans of column c are `offsets[c]..offsets[c + 1]`, from bottom to top. Has one more entry than there
    /// are columns.
    pub offsets: Vec<u32>,
    /// See [`CompactField::floor`].
    pub floor: Vec<i32>,
    /// See [`CompactField::clearance`].
    pub clearance: Vec<u16>,
    /// See [`CompactField::area`].
    pub area: Vec<AreaId>,
    /// The span that a step leads to, by [`Direction`], as an index, or [`NO_NEIGHBOUR`].
    pub neighbours: Vec<[u32; 4]>,
}

impl CompactArrays {
    /// Memory of the lists, bytes.
    pub fn memory(&self) -> u64 {
        let floors = size_of_val(self.floor.as_slice())
            + size_of_val(self.clearance.as_slice())
            + size_of_val(self.area.as_slice());
        let links = size_of_val(self.offsets.as_slice()) + size_of_val(self.neighbours.as_slice());
        (floors + links) as u64
    }
}

impl<S> CompactField<S> {
    /// Builds a field. Callers outside the stages (tests, the oracle) are responsible for its state.
    pub fn from_arrays(arrays: CompactArrays) -> Self {
        let neighbours = Neighbours::from_lists(&arrays.neighbours);
        CompactField::connected(arrays, neighbours)
    }

    /// Builds a field from arrays, with these neighbours instead of theirs.
    pub(crate) fn connected(arrays: CompactArrays, neighbours: Neighbours) -> Self {
        CompactField {
            grid: arrays.grid,
            walkable_height: arrays.walkable_height,
            walkable_climb: arrays.walkable_climb,
            offsets: Offsets::new(arrays.offsets),
            floor: arrays.floor,
            clearance: arrays.clearance,
            area: arrays.area,
            neighbours,
            state: PhantomData,
        }
    }

    pub(crate) fn into_state<T>(self) -> CompactField<T> {
        CompactField {
            grid: self.grid,
            walkable_height: self.walkable_height,
            walkable_climb: self.walkable_climb,
            offsets: self.offsets,
            floor: self.floor,
            clearance: self.clearance,
            area: self.area,
            neighbours: self.neighbours,
            state: PhantomData,
        }
    }

    /// Number of spans.
    pub fn len(&self) -> usize {
        self.floor.len()
    }

    /// Returns true if there are no spans.
    pub fn is_empty(&self) -> bool {
        self.floor.is_empty()
    }

    /// Memory of the field, bytes.
    pub fn memory(&self) -> u64 {
        let floors = size_of_val(self.floor.as_slice())
            + size_of_val(self.clearance.as_slice())
            + size_of_val(self.area.as_slice());
        floors as u64 + self.offsets.memory() + self.neighbours.memory()
    }

    /// Indices of the spans of a column.
    #[inline]
    pub fn column(&self, column: usize) -> Range<usize> {
        self.offsets.column(column)
    }

    /// The span that a step from `span` leads to.
    #[inline]
    pub fn neighbour(&self, span: usize, direction: Direction) -> Option<usize> {
        let index = self.neighbours.one(span, direction);
        (index != NO_NEIGHBOUR).then_some(index as usize)
    }

    /// The diagonal neighbour of `span`: one step in `direction`, then one in `then`.
    #[inline]
    pub fn diagonal(&self, span: usize, direction: Direction, then: Direction) -> Option<usize> {
        self.neighbour(self.neighbour(span, direction)?, then)
    }

    /// Calls `visit` with (x, z, span) for every span, row by row, column by column, from bottom to top.
    #[inline]
    pub fn for_each_span(&self, mut visit: impl FnMut(u32, u32, usize)) {
        for z in 0..self.grid.depth {
            for x in 0..self.grid.width {
                for span in self.column(self.grid.column(x, z)) {
                    visit(x, z, span);
                }
            }
        }
    }

    /// Checks the invariants: arrays of equal length, offsets that never decrease, floors of a column in
    /// order, neighbours in the neighbouring column, within one climb and mutual.
    pub fn check(&self) -> Result<(), Broken> {
        let (count, columns) = (self.len(), self.grid.columns());
        let lengths = [self.clearance.len(), self.area.len(), self.neighbours.len()];
        require(lengths == [count; 3], || "compact arrays differ in length".into())?;
        require(self.offsets.len() == columns + 1, || "one offset a column and one more".into())?;
        require(self.offsets.first(0) == 0 && self.offsets.first(columns) == count, || {
            "offsets span all".into()
        })?;
        require(self.offsets.iter().is_sorted(), || "offsets fall".into())?;
        for z in 0..self.grid.depth {
            for x in 0..self.grid.width {
                let range = self.column(self.grid.column(x, z));
                require(self.floor[range.clone()].is_sorted_by(|a, b| a < b), || {
                    format!("floors of column ({x}, {z}) are not in order")
                })?;
                for span in range {
                    self.check_neighbours(x, z, span)?;
                }
            }
        }
        Ok(())
    }

    fn check_neighbours(&self, x: u32, z: u32, span: usize) -> Result<(), Broken> {
        for direction in Direction::ALL {
            let Some(neighbour) = self.neighbour(span, direction) else { continue };
            let column = self.grid.neighbour(x, z, direction).map(|(x, z)| self.grid.column(x, z));
            let beside = column.is_some_and(|column| self.column(column).contains(&neighbour));
            require(beside, || {
                format!("span {span} at ({x}, {z}): {direction:?} leads out of the next column")
            })?;
            let step = (self.floor[neighbour] - self.floor[span]).abs();
            require(step <= self.walkable_climb, || {
                format!("span {span} at ({x}, {z}): a step of {step} cells")
            })?;
        }
        Ok(())
    }

    /// Hash of the whole field.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        self.write(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn write(&self, hasher: &mut Hasher) {
        self.grid.write(hasher);
        hasher.write_i32s(&[self.walkable_height, self.walkable_climb]).write_u32s(&self.offsets.to_vec());
        hasher.write_i32s(&self.floor).write_u16s(&self.clearance);
        hasher.write_u8s(bytemuck::cast_slice(&self.area));
        hasher.write_u32s(self.neighbours.to_lists().as_flattened());
    }
}

/// The eroded compact field with each span's distance to the nearest border of its area, blurred.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    /// The eroded field.
    pub field: CompactField<state::Eroded>,
    /// Distance of each span to the border of its area, half cells.
    pub distance: Vec<u16>,
    /// Largest distance before blurring, half cells.
    pub max_distance: u16,
}

impl DistanceField {
    /// Checks the invariants: those of the field, one distance per span, and none above the largest.
    pub fn check(&self) -> Result<(), Broken> {
        self.field.check()?;
        require(self.distance.len() == self.field.len(), || "one distance a span".into())?;
        let within = self.distance.iter().all(|&d| d <= self.max_distance);
        require(within, || "a distance is above the largest".into())
    }

    /// Hash of the distances only; the field has its own.
    pub fn hash(&self) -> Digest {
        Hasher::new().write_u16s(&self.distance).write_u16s(&[self.max_distance]).finish()
    }
}
