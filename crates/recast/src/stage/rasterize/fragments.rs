//! Fragments of all triangles of a tile, kept by column: cut once, merged for one agent after the other. Cutting is
//! most of the work of rasterizing, and depends on no agent.

use super::packed::{Packed, merge_packed};
use super::rows::{RowBuffers, RowSink};
use super::slices::Slices;
use super::{Lines, RowCutter, Source, quantise};
use crate::area::AreaId;
use crate::data::Grid;
use crate::error::Error;
use std::ops::Range;

/// The part of a triangle within one column, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cut {
    min: i32,
    max: i32,
    /// Number of the triangle among those of the tile.
    triangle: u32,
}

/// All fragments of a tile.
#[derive(Clone, Debug)]
pub struct FragmentField {
    grid: Grid,
    /// Cuts of column i are `cuts[offsets[i]..offsets[i + 1]]`.
    offsets: Vec<u32>,
    cuts: Vec<Cut>,
}

impl FragmentField {
    /// Cuts the triangles of `source` on `grid`.
    pub fn cut(source: Source<'_>, grid: &Grid) -> Result<FragmentField, Error> {
        let level = source.level;
        let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
        let mut cutter = RowCutter::default();
        let mut gathered: Vec<(u32, Cut)> = Vec::new();
        for index in 0..source.len() {
            let corners = source.corners(index);
            let Some((first, last)) = lines.rows(&corners) else { continue };
            let mut slices = Slices::default();
            slices.set(0, &corners, first, &lines);
            for row in first..=last {
                cutter.cut_slice(&mut slices, row, &lines, |x, low, high| {
                    if let Some((min, max)) = quantise(low, high, level.height, grid.cell_height) {
                        let column = grid.column(x, row) as u32;
                        gathered.push((column, Cut { min, max, triangle: index as u32 }));
                    }
                });
            }
        }
        let remedy = "enlarge the cell size or bake in tiles";
        let count = navmath::limit::to_u32("span fragments", gathered.len(), remedy)?;
        let mut offsets = vec![0u32; grid.columns() + 2];
        gathered.iter().for_each(|(column, _)| offsets[*column as usize + 2] += 1);
        for column in 2..offsets.len() {
            offsets[column] += offsets[column - 1];
        }
        let mut cuts = vec![Cut::default(); count as usize];
        // Placing each cut at its column's cursor moves the cursor to the column's end, the next one's start.
        for (column, cut) in gathered {
            let cursor = &mut offsets[column as usize + 1];
            cuts[*cursor as usize] = cut;
            *cursor += 1;
        }
        offsets.pop();
        Ok(FragmentField { grid: *grid, offsets, cuts })
    }

    fn column(&self, x: u32, z: u32) -> &[Cut] {
        let column = self.grid.column(x, z);
        &self.cuts[self.offsets[column] as usize..self.offsets[column + 1] as usize]
    }
}

/// Triangles that are cut already, and the grid they are merged on, which lies within that of the fragments.
#[derive(Clone, Copy)]
pub(crate) struct CutRows<'a> {
    pub(crate) field: &'a FragmentField,
    /// The area of each triangle.
    pub(crate) areas: &'a [AreaId],
    pub(crate) grid: &'a Grid,
    pub(crate) merge_threshold: i32,
}

impl CutRows<'_> {
    /// Merges a band of rows into `sink`.
    pub(crate) fn run(&self, rows: Range<u32>, buffers: &mut RowBuffers, sink: &mut impl RowSink) {
        let column = &mut buffers.row.column;
        let CutRows { field, areas, grid, .. } = *self;
        let (left, top) = (grid.base_x - field.grid.base_x, grid.base_z - field.grid.base_z);
        debug_assert!(left >= 0 && top >= 0);
        let (left, top) = (left as u32, top as u32);
        for row in rows {
            for x in 0..grid.width {
                column.clear();
                let cuts = field.column(left + x, top + row).iter();
                column.extend(cuts.map(|cut| Packed::new(cut.min, cut.max, areas[cut.triangle as usize])));
                let spans = merge_packed(column, self.merge_threshold);
                sink.column(row, &column[..spans]);
            }
            sink.row_done(row);
        }
    }
}
