//! The triangles that a tile is rasterized from.

use super::{Fragment, FragmentField};
use crate::data::compact::CompactParts;
use crate::input::PreparedLevel;

/// The triangles of a level that a tile is rasterized from: all of them or a selection, perhaps cut already; or the spans
/// that they once came to.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The level.
    pub level: &'a PreparedLevel,
    /// Numbers of the selected triangles; `None` for all, in order.
    pub ids: Option<&'a [u32]>,
    /// How much of the work is done already.
    pub(crate) cut: Cut<'a>,
}

/// Spans by column: those of column c are `spans[offsets[c]..offsets[c + 1]]`, in any order.
#[derive(Clone, Copy)]
pub(crate) struct SpanColumns<'a> {
    pub(crate) offsets: &'a [u32],
    pub(crate) spans: &'a [Fragment],
    /// The floors among most of them, if they are known.
    pub(crate) known: Option<KnownFloors<'a>>,
}

/// The floors of a tile as they were found before some of its spans were changed.
#[derive(Clone, Copy)]
pub(crate) struct KnownFloors<'a> {
    /// Their areas are ranks, as those of spans are; they have no neighbours.
    pub(crate) parts: &'a CompactParts,
    /// First row whose floors may be others now, and the one behind the last.
    pub(crate) changed: [u32; 2],
    /// How many spans there are in all other rows.
    pub(crate) spans: usize,
}

impl<'a> SpanColumns<'a> {
    /// The spans of a column.
    #[inline]
    pub(crate) fn column(&self, column: usize) -> &'a [Fragment] {
        &self.spans[self.offsets[column] as usize..self.offsets[column + 1] as usize]
    }
}

/// How much of rasterizing is done already.
#[derive(Clone, Copy)]
pub(crate) enum Cut<'a> {
    /// Nothing.
    Nothing,
    /// The triangles are cut into columns, on a grid that holds the tile's.
    Triangles(&'a FragmentField),
    /// All but merging: the spans of the tile, and no triangles.
    Merging(SpanColumns<'a>),
}

impl<'a> Source<'a> {
    /// All triangles of a level.
    pub fn all(level: &'a PreparedLevel) -> Source<'a> {
        Source { level, ids: None, cut: Cut::Nothing }
    }

    /// The triangles of a level with these numbers.
    pub fn some(level: &'a PreparedLevel, ids: &'a [u32]) -> Source<'a> {
        Source { level, ids: Some(ids), cut: Cut::Nothing }
    }

    /// The floors that are known already.
    pub(crate) fn known(&self) -> Option<KnownFloors<'a>> {
        match self.cut {
            Cut::Merging(columns) => columns.known,
            Cut::Nothing | Cut::Triangles(_) => None,
        }
    }

    /// How many triangles there are.
    pub fn len(&self) -> usize {
        self.ids.map_or(self.level.triangle_count(), <[u32]>::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number in the level of the triangle at `index` of the source.
    #[inline]
    pub fn id(&self, index: usize) -> usize {
        self.ids.map_or(index, |ids| ids[index] as usize)
    }

    #[inline]
    pub(crate) fn corners(&self, index: usize) -> [[f32; 3]; 3] {
        self.level.corners(self.id(index))
    }
}
