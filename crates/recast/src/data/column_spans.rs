//! Spans by column in one list, for bakes that keep spans, start from them, or need them after the floors
//! were found.

use super::compact::CompactArrays;
use super::fragment::Fragment;
use super::outline_triangle::OutlineTriangle;
use super::{Grid, SpanField};

/// The spans of a grid by column, from bottom to top and not touching, each with the rank of its area.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedSpans {
    /// Spans of column c are `spans[offsets[c]..offsets[c + 1]]`.
    pub offsets: Vec<u32>,
    /// Spans by column, from bottom to top.
    pub spans: Vec<Fragment>,
}

/// Spans by column: those of column c are `spans[offsets[c]..offsets[c + 1]]`, in any order.
#[derive(Clone, Copy)]
pub struct SpanColumns<'a> {
    /// See [`MergedSpans`].
    pub offsets: &'a [u32],
    /// See [`MergedSpans`].
    pub spans: &'a [Fragment],
    /// The floors that are already known, for most of the spans.
    pub known: Option<KnownFloors<'a>>,
    /// The triangles that exact outlines follow; none otherwise.
    pub triangles: &'a [OutlineTriangle],
}

/// The floors of a tile, as found before some of its spans changed.
#[derive(Clone, Copy)]
pub struct KnownFloors<'a> {
    /// Their areas are ranks, like those of spans; they have no neighbours.
    pub parts: &'a CompactArrays,
    /// First row whose floors may have changed, and the row after the last.
    pub changed: [u32; 2],
    /// Number of spans in all other rows.
    pub spans: usize,
}

impl<'a> SpanColumns<'a> {
    /// The spans of a column.
    #[inline]
    pub fn column(&self, column: usize) -> &'a [Fragment] {
        &self.spans[self.offsets[column] as usize..self.offsets[column + 1] as usize]
    }
}

/// Bottom and top of the spans in a grid's columns, without its border, in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnSpans {
    /// Spans of column c, x + z * width within the border, are `spans[offsets[c]..offsets[c + 1]]`.
    pub offsets: Vec<u32>,
    pub spans: Vec<[i32; 2]>,
}

impl ColumnSpans {
    /// The spans of rasterized triangles.
    pub fn of_field<S>(field: &SpanField<S>) -> ColumnSpans {
        ColumnSpans::gather(&field.grid, |column, spans| {
            spans.extend(field.column(column).map(|span| [field.min[span], field.max[span]]));
        })
    }

    /// Spans that are already merged.
    pub fn of_columns(columns: &SpanColumns<'_>, grid: &Grid) -> ColumnSpans {
        ColumnSpans::gather(grid, |column, spans| {
            spans.extend(columns.column(column).iter().map(|span| [span.bottom(), span.top()]));
        })
    }

    fn gather(grid: &Grid, add: impl Fn(usize, &mut Vec<[i32; 2]>)) -> ColumnSpans {
        let mut gathered = ColumnSpans { offsets: vec![0], spans: Vec::new() };
        for z in grid.border..grid.depth - grid.border {
            for x in grid.border..grid.width - grid.border {
                add(grid.column(x, z), &mut gathered.spans);
                // At most the number of spans of the grid, which are counted in 32 bits.
                gathered.offsets.push(gathered.spans.len() as u32);
            }
        }
        gathered
    }
}
