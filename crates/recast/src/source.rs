//! The triangles that a tile is rasterized from, and the triangles that exact outlines follow.

use crate::data::column_spans::{KnownFloors, SpanColumns};
use crate::data::fragment::FragmentField;
use crate::data::outline_triangle::OutlineTriangle;
use crate::input::PreparedLevel;
use navtile::area::AreaId;

/// The triangles that a tile is rasterized from: all of a level, or some of them. They may be cut already, or
/// rasterized up to merging.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The level.
    pub level: &'a PreparedLevel,
    /// Numbers of the selected triangles; `None` for all, in order.
    pub ids: Option<&'a [u32]>,
    /// The part of rasterizing that is already done.
    pub cut: Cut<'a>,
}

/// The part of rasterizing that is already done.
#[derive(Clone, Copy)]
pub enum Cut<'a> {
    /// Nothing.
    Nothing,
    /// The triangles are cut into the columns of a grid that contains the tile's.
    Triangles(&'a FragmentField),
    /// Everything except merging the spans. The source has only the triangles that exact outlines follow.
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

    /// The floors, if they are known already.
    pub(crate) fn known(&self) -> Option<KnownFloors<'a>> {
        match self.cut {
            Cut::Merging(columns) => columns.known,
            Cut::Nothing | Cut::Triangles(_) => None,
        }
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.ids.map_or(self.level.triangle_count(), <[u32]>::len)
    }

    /// Returns true if there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number in the level of the triangle at `index` of the source.
    #[inline]
    pub fn id(&self, index: usize) -> usize {
        self.ids.map_or(index, |ids| ids[index] as usize)
    }

    /// The corners of the triangle at `index` of the source, metres from the lattice's zero.
    #[inline]
    pub fn corners(&self, index: usize) -> [[f32; 3]; 3] {
        self.level.corners(self.id(index))
    }

    /// The area of the triangle at `index` of the source; null if it is not walkable.
    pub fn area_if(&self, is_walkable: bool, index: usize) -> AreaId {
        if is_walkable { self.level.area(self.id(index)) } else { AreaId::NULL }
    }

    /// The triangles that exact outlines follow. `areas` has the area of each triangle of the source, or its
    /// rank; null if it is not walkable.
    pub(crate) fn outline_triangles(self, areas: &[AreaId]) -> impl Iterator<Item = OutlineTriangle> {
        let kept = match self.cut {
            Cut::Merging(columns) => columns.triangles,
            Cut::Nothing | Cut::Triangles(_) => &[],
        };
        let own = areas.iter().enumerate().map(move |(index, area)| OutlineTriangle {
            corners: self.corners(index),
            area: self.area_if(area.is_walkable(), index),
        });
        kept.iter().copied().chain(own)
    }
}
