//! The triangles that a tile is rasterized from.

use super::FragmentField;
use crate::input::PreparedLevel;

/// The triangles of a level that a tile is rasterized from: all of them or a selection, perhaps cut already.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The level.
    pub level: &'a PreparedLevel,
    /// Numbers of the selected triangles; `None` for all, in order.
    pub ids: Option<&'a [u32]>,
    /// The same triangles cut into columns, on a grid that holds the tile's.
    pub fragments: Option<&'a FragmentField>,
}

impl<'a> Source<'a> {
    /// All triangles of a level.
    pub fn all(level: &'a PreparedLevel) -> Source<'a> {
        Source { level, ids: None, fragments: None }
    }

    /// The triangles of a level with these numbers.
    pub fn some(level: &'a PreparedLevel, ids: &'a [u32]) -> Source<'a> {
        Source { level, ids: Some(ids), fragments: None }
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
