//! Span fields from other sources than a level: spans and triangles are added one by one.
//! Units: cells for spans, metres from the lattice's zero for triangles. Cost: O(columns + fragments), sorts of a
//! few fragments a column.
//! Source: M. Mononen, Recast (RecastRasterization.cpp, rcAddSpan and rcRasterizeTriangle). Deviations: as in
//! [`rasterize`]; spans are merged when all are there, so the order of adding does not matter.
//!
//! For voxels that are known already (a voxel game, a scanned heightfield), and for triangles that are made while
//! one goes. What comes out is what [`rasterize::run`] makes of the same triangles.

use crate::area::AreaId;
use crate::data::span::state::Rasterized;
use crate::data::{Grid, SpanField};
use crate::error::Error as BakeError;
use crate::input::{MAX_GRID_HEIGHT, MAX_GRID_SIDE, PreparedLevel};
use crate::stage::rasterize::{self, Fragment, FragmentBand, Lines, RowCutter};
use navmath::LimitError;
use thiserror::Error;

/// A span, triangle or grid that cannot be used. Nothing was added.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The grid's cells have no size.
    #[error(
        "cells of {cell_size} m and {cell_height} m in height: both must be finite and greater than zero"
    )]
    CellSize {
        /// Width of a column, metres.
        cell_size: f32,
        /// Height of a cell, metres.
        cell_height: f32,
    },
    /// A limit is hit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The height of the bounds is not a length.
    #[error("bounds {0} m high: the height must be greater than zero")]
    Height(f32),
    /// The column lies outside the grid.
    #[error("column ({x}, {z}) lies outside the grid of {width} x {depth} columns, numbered from 0")]
    Outside {
        /// Column along x.
        x: u32,
        /// Column along z.
        z: u32,
        /// Columns of the grid along x.
        width: u32,
        /// Columns of the grid along z.
        depth: u32,
    },
    /// The span is empty, or its heights are out of range.
    #[error(
        "a span from {min} to {max} in column ({x}, {z}): expected 0 <= min < max <= {limit}, cells above the \
         lattice's zero",
        limit = MAX_GRID_HEIGHT
    )]
    Span {
        /// Column along x.
        x: u32,
        /// Column along z.
        z: u32,
        /// Bottom, cells.
        min: i32,
        /// Top, cells.
        max: i32,
    },
    /// A corner is NaN or infinite.
    #[error("a triangle with corners {0:?}: coordinates must be finite")]
    NotFinite([[f32; 3]; 3]),
}

/// Gathers spans and triangles; [`SpanBuilder::finish`] merges them.
pub struct SpanBuilder {
    grid: Grid,
    height: f32,
    lines: Lines,
    cutter: RowCutter,
    fragments: FragmentBand,
}

impl SpanBuilder {
    /// An empty field on `grid`, which may be up to [`MAX_GRID_SIDE`] columns on a side. Triangles are clipped to
    /// heights from 0 to [`MAX_GRID_HEIGHT`] cells; see [`SpanBuilder::with_height`].
    pub fn new(grid: Grid) -> Result<SpanBuilder, Error> {
        SpanBuilder::on_lattice(grid, f64::from(grid.cell_size))
    }

    /// An empty field on a grid of `level`'s lattice: its triangles fall into the same columns as in a bake, and
    /// are clipped to its bounds. (A cell of 0.3 m is another number in f32, which decides where
    /// triangles that end on a line belong.)
    pub fn for_level(level: &PreparedLevel, grid: Grid) -> Result<SpanBuilder, Error> {
        let mut builder =
            SpanBuilder::on_lattice(grid, level.lattice.cell_size)?.with_height(level.height)?;
        builder.lines = builder.lines.clipped(level.size[0], level.size[2]);
        Ok(builder)
    }

    fn on_lattice(grid: Grid, lattice_cell_size: f64) -> Result<SpanBuilder, Error> {
        let usable = |length: f32| length.is_normal() && length > 0.0;
        let Grid { cell_size, cell_height, .. } = grid;
        if !usable(cell_size) || !usable(cell_height) {
            return Err(Error::CellSize { cell_size, cell_height });
        }
        let remedy = "enlarge the cell size or build in tiles";
        for side in [grid.width, grid.depth] {
            navmath::limit::check("columns along a grid", side.into(), MAX_GRID_SIDE.into(), remedy)?;
        }
        // One column before the first line and one grid after it must still be integers.
        let limit = i32::MAX as u32 - MAX_GRID_SIDE;
        let remedy = "move the lattice's origin nearer to the grid";
        for base in [grid.base_x, grid.base_z] {
            let away = base.unsigned_abs();
            navmath::limit::check("columns from the lattice's zero", away.into(), limit.into(), remedy)?;
        }
        let mut fragments = FragmentBand::default();
        fragments.begin(grid.columns());
        let height = MAX_GRID_HEIGHT as f32 * cell_height;
        Ok(SpanBuilder {
            grid,
            height,
            lines: Lines::new(&grid, lattice_cell_size),
            cutter: RowCutter::default(),
            fragments,
        })
    }

    /// Clips the triangles added from now on to heights from 0 to `height` metres, as a level is to its bounds.
    /// A height above [`MAX_GRID_HEIGHT`] cells is taken for that.
    pub fn with_height(mut self, height: f32) -> Result<SpanBuilder, Error> {
        if height.is_nan() || height <= 0.0 {
            return Err(Error::Height(height));
        }
        self.height = height.min(MAX_GRID_HEIGHT as f32 * self.grid.cell_height);
        Ok(self)
    }

    /// Adds a solid stretch from `min` up to `max`, in cells above the lattice's zero, to column (x, z) of the
    /// grid, border included. `area` is what its top is.
    pub fn add_span(&mut self, x: u32, z: u32, min: i32, max: i32, area: AreaId) -> Result<(), Error> {
        let Grid { width, depth, .. } = self.grid;
        if x >= width || z >= depth {
            return Err(Error::Outside { x, z, width, depth });
        }
        if min < 0 || min >= max || max > MAX_GRID_HEIGHT as i32 {
            return Err(Error::Span { x, z, min, max });
        }
        self.fragments.push(self.grid.column(x, z), Fragment { min, max, area });
        Ok(())
    }

    /// Adds a triangle; corners in metres from the lattice's zero. What lies outside the grid or the height is
    /// left out. A triangle without area counts as the line it is.
    pub fn add_triangle(&mut self, corners: [[f32; 3]; 3], area: AreaId) -> Result<(), Error> {
        if !corners.iter().flatten().all(|value| value.is_finite()) {
            return Err(Error::NotFinite(corners));
        }
        let SpanBuilder { grid, height, lines, cutter, fragments } = self;
        let Some((first, last)) = lines.rows(&corners) else { return Ok(()) };
        for row in first..=last {
            cutter.cut(&corners, row, lines, |x, low, high| {
                if let Some((min, max)) = rasterize::quantise(low, high, *height, grid.cell_height) {
                    fragments.push(grid.column(x, row), Fragment { min, max, area });
                }
            });
        }
        Ok(())
    }

    /// Merges all that was added. An error if there are more than `u32::MAX` spans.
    pub fn finish(mut self, params: &rasterize::Params) -> Result<SpanField<Rasterized>, BakeError> {
        let mut offsets = Vec::with_capacity(self.grid.columns() + 1);
        offsets.push(0);
        let (mut min, mut max, mut area) = (Vec::new(), Vec::new(), Vec::new());
        self.fragments.merge_columns(params.merge_threshold, |spans| {
            for span in spans {
                min.push(span.min);
                max.push(span.max);
                area.push(span.area);
            }
            offsets.push(min.len() as u32);
        });
        navmath::limit::to_u32("spans", min.len(), "enlarge the cell size or build in tiles")?;
        Ok(SpanField::from_parts(self.grid, offsets, min, max, area))
    }
}

#[cfg(test)]
mod tests;
