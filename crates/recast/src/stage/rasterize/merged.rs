//! The spans of cut triangles, all at once: for bakes that need them after the floors were found.

use super::source::SpanColumns;
use super::{Fragment, FragmentField, merge_column};
use crate::area::AreaId;
use crate::data::{Grid, SpanField};

/// The spans of a grid by column, from bottom to top and apart from each other, each with the rank of its area.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MergedSpans {
    /// Spans of column c are `spans[offsets[c]..offsets[c + 1]]`.
    pub(crate) offsets: Vec<u32>,
    pub(crate) spans: Vec<Fragment>,
}

impl MergedSpans {
    /// The spans of cut triangles within a grid; `areas` holds the rank of each triangle's area, and `threshold` is as in
    /// [`merge_column`].
    pub(crate) fn of_cut(
        field: &FragmentField,
        areas: &[AreaId],
        grid: &Grid,
        threshold: i32,
    ) -> MergedSpans {
        let mut merged = MergedSpans { offsets: Vec::with_capacity(grid.columns() + 1), spans: Vec::new() };
        merged.offsets.push(0);
        let mut column = Vec::new();
        for z in 0..grid.depth {
            for x in 0..grid.width {
                column.clear();
                column.extend(field.column(grid, x, z, areas));
                merged.spans.extend_from_slice(merge_column(&mut column, threshold));
                // There are no more than the fragments they were merged of, of which there are few enough.
                merged.offsets.push(merged.spans.len() as u32);
            }
        }
        merged
    }
}

/// Bottom and top of the spans of a grid's columns but those of its border, in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ColumnSpans {
    /// Spans of column c, x + z * width within the border, are `spans[offsets[c]..offsets[c + 1]]`.
    pub(crate) offsets: Vec<u32>,
    pub(crate) spans: Vec<[i32; 2]>,
}

impl ColumnSpans {
    /// The spans of rasterized triangles.
    pub(crate) fn of_field<S>(field: &SpanField<S>) -> ColumnSpans {
        ColumnSpans::gather(&field.grid, |column, spans| {
            spans.extend(field.column(column).map(|span| [field.min[span], field.max[span]]));
        })
    }

    /// Spans that were merged before.
    pub(crate) fn of_columns(columns: &SpanColumns<'_>, grid: &Grid) -> ColumnSpans {
        ColumnSpans::gather(grid, |column, spans| {
            spans.extend(columns.column(column).iter().map(|span| [span.bottom(), span.top()]));
        })
    }

    fn gather(grid: &Grid, add: impl Fn(usize, &mut Vec<[i32; 2]>)) -> ColumnSpans {
        let mut gathered = ColumnSpans { offsets: vec![0], spans: Vec::new() };
        for z in grid.border..grid.depth - grid.border {
            for x in grid.border..grid.width - grid.border {
                add(grid.column(x, z), &mut gathered.spans);
                // No more than the spans of the grid, which are counted in 32 bits.
                gathered.offsets.push(gathered.spans.len() as u32);
            }
        }
        gathered
    }
}
