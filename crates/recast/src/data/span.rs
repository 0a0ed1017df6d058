//! The span field: the solid stretches of each column of the grid, from bottom to top.

use super::{Broken, Grid, require};
use navmath::{Digest, Hasher};
use navtile::area::AreaId;
use std::marker::PhantomData;
use std::ops::Range;

/// The stages that a span field has passed; see [`SpanField`].
pub mod state {
    /// Straight from the rasterizer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rasterized;
    /// Low-hanging obstacles are marked walkable.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ObstaclesDone;
    /// Ledges are marked unwalkable.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LedgesDone;
    /// Spans under low ceilings are marked unwalkable: ready for compaction.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Filtered;
}

/// Solid spans by column, in separate arrays. `S` is the last stage that it has passed.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanField<S> {
    /// The grid.
    pub grid: Grid,
    /// Spans of column c are `offsets[c]..offsets[c + 1]`, from bottom to top. Has one more entry than there
    /// are columns.
    pub offsets: Vec<u32>,
    /// Bottom of each span in cells above the lattice's zero.
    pub min: Vec<i32>,
    /// Top of each span; above `min`, and below the `min` of the next span of the column.
    pub max: Vec<i32>,
    /// Area of the top of each span.
    pub area: Vec<AreaId>,
    state: PhantomData<S>,
}

/// The ceiling over the topmost span of a column.
pub const OPEN_SKY: i32 = i32::MAX / 2;

impl<S> SpanField<S> {
    /// Builds a field. Callers outside the stages (tests, the oracle) are responsible for its state.
    pub fn from_parts(
        grid: Grid,
        offsets: Vec<u32>,
        min: Vec<i32>,
        max: Vec<i32>,
        area: Vec<AreaId>,
    ) -> Self {
        SpanField { grid, offsets, min, max, area, state: PhantomData }
    }

    /// Number of spans.
    pub fn len(&self) -> usize {
        self.min.len()
    }

    /// Returns true if there are no spans.
    pub fn is_empty(&self) -> bool {
        self.min.is_empty()
    }

    /// Indices of the spans of a column.
    #[inline]
    pub fn column(&self, column: usize) -> Range<usize> {
        self.offsets[column] as usize..self.offsets[column + 1] as usize
    }

    /// Height at which the next span of the column begins above span `index`.
    #[inline]
    pub fn ceiling(&self, column: &Range<usize>, index: usize) -> i32 {
        if index + 1 < column.end { self.min[index + 1] } else { OPEN_SKY }
    }

    pub(crate) fn into_state<T>(self) -> SpanField<T> {
        SpanField::from_parts(self.grid, self.offsets, self.min, self.max, self.area)
    }

    /// Checks the invariants: arrays of equal length, offsets that never decrease, spans of a column in order
    /// and not touching.
    pub fn check(&self) -> Result<(), Broken> {
        let (count, columns) = (self.len(), self.grid.columns());
        require(self.max.len() == count && self.area.len() == count, || {
            "span arrays differ in length".into()
        })?;
        require(self.offsets.len() == columns + 1, || "one offset a column and one more".into())?;
        require(self.offsets[0] == 0 && self.offsets[columns] as usize == count, || {
            "offsets span all".into()
        })?;
        for column in 0..columns {
            require(self.offsets[column] <= self.offsets[column + 1], || {
                format!("offsets fall at column {column}")
            })?;
            let range = self.column(column);
            for index in range.clone() {
                let apart = self.max[index] < self.ceiling(&range, index);
                require(self.min[index] < self.max[index] && apart, || {
                    format!("span {index} of column {column} is empty or meets the next")
                })?;
            }
        }
        Ok(())
    }

    /// Hash of the whole field.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        self.grid.write(&mut hasher);
        hasher.write_u32s(&self.offsets).write_i32s(&self.min).write_i32s(&self.max);
        hasher.write_u8s(bytemuck::cast_slice(&self.area)).finish()
    }
}
