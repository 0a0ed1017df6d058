//! The spans of cut triangles, all at once: for bakes that need them after the floors were found.

use super::source::SpanColumns;
use super::{Fragment, FragmentField, merge_column};
use crate::area::AreaId;
use crate::data::Grid;

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

    /// As a source of a bake.
    pub(crate) fn columns(&self) -> SpanColumns<'_> {
        SpanColumns { offsets: &self.offsets, spans: &self.spans, known: None }
    }
}
