//! The region field: the region of each span of the compact field.

use super::compact::state::Eroded;
use super::{Broken, CompactField, require};
use crate::lists::leading_equal;
use bytemuck::{Pod, Zeroable};
use navmath::{Digest, Hasher};
use std::ops::Range;

/// The region of a span, in four bytes; [`RegionId::kind`] gives its meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct RegionId(i32);

/// The meaning of a [`RegionId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// No region: not walkable, or dropped.
    None,
    /// The tile's border, by the side that painted it; baked for its neighbours, not part of the mesh.
    Border(u32),
    /// A region of the mesh, from 1.
    Inner(u32),
}

impl RegionId {
    /// No region.
    pub const NONE: RegionId = RegionId(0);

    /// Region `id` of the mesh, from 1. Ids above `i32::MAX` cannot occur, because there are fewer spans.
    #[inline]
    pub fn inner(id: u32) -> RegionId {
        debug_assert!(id > 0 && id <= i32::MAX as u32);
        RegionId(id as i32)
    }

    /// Border strip `id`, from 1.
    #[inline]
    pub fn border(id: u32) -> RegionId {
        debug_assert!(id > 0 && id <= i32::MAX as u32);
        RegionId(-(id as i32))
    }

    /// The meaning of the id.
    #[inline]
    pub fn kind(self) -> Region {
        match self.0 {
            0 => Region::None,
            id if id < 0 => Region::Border(id.unsigned_abs()),
            id => Region::Inner(id as u32),
        }
    }

    /// Returns true if it is [`RegionId::NONE`].
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns true if it is the tile's border.
    #[inline]
    pub fn is_border(self) -> bool {
        self.0 < 0
    }

    /// Returns true if it is a region of the mesh.
    #[inline]
    pub fn is_inner(self) -> bool {
        self.0 > 0
    }

    /// The id of a region of the mesh as an index; 0 for no region and for borders.
    #[inline]
    pub fn index(self) -> usize {
        self.0.max(0) as usize
    }
}

/// The eroded compact field with the region of each span.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionField {
    /// The eroded field.
    pub field: CompactField<Eroded>,
    /// The region of each span.
    pub region: Vec<RegionId>,
    /// Number of regions of the mesh; their ids are 1..=`count`.
    pub count: u32,
    /// Number of spans of each region, by its id; entry 0 is 0.
    pub cells: Vec<u32>,
}

impl RegionField {
    /// Builds the field from the region of each span; `count` is the number of regions.
    pub fn new(field: CompactField<Eroded>, region: Vec<RegionId>, count: u32) -> RegionField {
        let mut regions = RegionField { field, region, count, cells: Vec::new() };
        regions.count_spans();
        regions
    }

    /// Counts the spans of each region.
    pub(crate) fn count_spans(&mut self) {
        self.cells.clear();
        self.cells.resize(self.count as usize + 1, 0);
        runs(&self.region).for_each(|(region, spans)| self.cells[region.index()] += spans.len() as u32);
        self.cells[0] = 0;
    }

    /// Checks the invariants: those of the field, one region per span, ids within the count, no region on
    /// unwalkable spans, and correct counts of spans.
    pub fn check(&self) -> Result<(), Broken> {
        self.field.check()?;
        require(self.region.len() == self.field.len(), || "one region a span".into())?;
        for (span, region) in self.region.iter().enumerate() {
            require(region.index() <= self.count as usize, || format!("span {span}: region {region:?}"))?;
            let sound = !region.is_inner() || self.field.area[span].is_walkable();
            require(sound, || format!("span {span} is not walkable, yet in {region:?}"))?;
        }
        let mut counted = self.clone();
        counted.count_spans();
        require(counted.cells == self.cells, || "the spans of regions are miscounted".into())
    }

    /// Hash of the regions only; the field has its own.
    pub fn hash(&self) -> Digest {
        Hasher::new().write_i32s(bytemuck::cast_slice(&self.region)).write_u32s(&[self.count]).finish()
    }
}

/// The ends of the runs of labels. Scanning for short runs is slow, so several passes share the result.
pub(crate) fn run_ends(labels: &[RegionId]) -> Vec<u32> {
    // Spans are counted in 32 bits.
    runs(labels).map(|(_, spans)| spans.end as u32).collect()
}

/// The runs of labels, like [`runs`], from their known ends.
pub(crate) fn runs_to(labels: &[RegionId], ends: &[u32]) -> impl Iterator<Item = (RegionId, Range<usize>)> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let spans = std::mem::replace(&mut start, end as usize)..end as usize;
        (labels[spans.start], spans)
    })
}

/// Maximal ranges of consecutive spans of one region, with their region.
pub(crate) fn runs(labels: &[RegionId]) -> impl Iterator<Item = (RegionId, Range<usize>)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let label = *labels.get(start)?;
        let end = start + leading_equal(&labels[start..]);
        Some((label, std::mem::replace(&mut start, end)..end))
    })
}

/// Replaces the labels of regions by those in a list, by index; entry 0 is for no region. Labels of the
/// border are kept.
pub(crate) fn renumber(labels: &mut [RegionId], regions: &[RegionId]) {
    let mut start = 0;
    while let Some(&label) = labels.get(start) {
        let end = start + leading_equal(&labels[start..]);
        if !label.is_border() {
            labels[start..end].fill(regions[label.index()]);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_as_long_as_they_go() {
        for lengths in [vec![], vec![1], vec![1, 1, 40, 2, 16, 17, 33, 1], vec![100]] {
            let label = |index: usize| RegionId(index as i32 % 3 - 1);
            let labels: Vec<RegionId> =
                (0..).zip(&lengths).flat_map(|(index, &n)| vec![label(index); n]).collect();
            let mut first = 0;
            let expected = (0..).zip(&lengths).map(|(index, &n)| {
                first += n;
                (label(index), first - n..first)
            });
            assert!(runs(&labels).eq(expected.collect::<Vec<_>>()));
        }
    }

    #[test]
    fn ids_mean_what_they_were_made_of() {
        assert_eq!(RegionId::NONE.kind(), Region::None);
        assert_eq!(RegionId::inner(7).kind(), Region::Inner(7));
        assert_eq!(RegionId::border(4).kind(), Region::Border(4));
        assert_eq!((RegionId::border(4).index(), RegionId::inner(7).index()), (0, 7));
    }
}
