//! Polygons under construction, and the regions that they come from.

use super::RegionId;
use navtile::area::AreaId;

/// The regions that a polygon comes from: the first and the last of them, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionSpan {
    pub(crate) first: RegionId,
    pub(crate) last: RegionId,
}

impl RegionSpan {
    pub(crate) fn of(region: RegionId) -> RegionSpan {
        RegionSpan { first: region, last: region }
    }

    /// The regions of both.
    pub(crate) fn with(self, other: RegionSpan) -> RegionSpan {
        RegionSpan { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// The region, if there is only one.
    pub(crate) fn single(self) -> Option<RegionId> {
        (self.first == self.last).then_some(self.first)
    }
}

/// A polygon under construction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DraftPolygon {
    /// Start of its corners in [`DraftPolygons::corners`].
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) regions: RegionSpan,
    pub(crate) area: AreaId,
}

/// Polygons under construction.
#[derive(Default)]
pub(crate) struct DraftPolygons {
    pub(crate) list: Vec<DraftPolygon>,
    /// Corners of all polygons, including removed ones.
    pub(crate) corners: Vec<u32>,
}

impl DraftPolygons {
    pub(crate) fn corners(&self, polygon: &DraftPolygon) -> &[u32] {
        &self.corners[polygon.first..polygon.first + polygon.count]
    }

    pub(crate) fn add(&mut self, corners: &[u32], regions: RegionSpan, area: AreaId) {
        self.list.push(DraftPolygon { first: self.corners.len(), count: corners.len(), regions, area });
        self.corners.extend_from_slice(corners);
    }
}
