//! The wall lines of a tile, and the lines near each floor.

use super::areas::AreaLines;
use super::shape::LineSegment;
use super::vector::Plan;
use crate::data::NO_NEIGHBOUR;

/// A line that the middle of an agent must keep its radius away from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WallLine {
    pub(super) segment: LineSegment,
    /// True if it comes from a triangle; false for a side of a cell.
    pub(super) exact: bool,
}

/// The floors around a corner. They are the same for all regions that meet there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorsAround {
    /// All of them; [`NO_NEIGHBOUR`] for none.
    pub(crate) all: [u32; 4],
    /// The floors whose wall lines count.
    pub(crate) spans: [u32; 4],
    pub(crate) border: AtBorder,
    /// True if the corner moves by itself, and not onto the lines of a wall.
    pub(crate) alone: bool,
}

/// The place of a corner on a tile's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtBorder {
    /// Not on it.
    Inside,
    /// It may move along this axis. True if a step leads over the border before it, and behind it.
    Along { axis: usize, steps: [bool; 2] },
    /// At a corner of the tile, with steps over both borders.
    Corner,
}

impl AtBorder {
    /// Returns true if steps lead over the border next to the corner.
    pub(crate) fn has_steps(self) -> bool {
        !matches!(self, AtBorder::Inside | AtBorder::Along { steps: [false, false], .. })
    }
}

impl FloorsAround {
    /// No floors at all.
    pub(crate) const NONE: FloorsAround = FloorsAround {
        all: [NO_NEIGHBOUR; 4],
        spans: [NO_NEIGHBOUR; 4],
        border: AtBorder::Inside,
        alone: true,
    };

    /// All floors that exist.
    pub(super) fn known(self) -> impl Iterator<Item = usize> {
        existing(self.all)
    }
}

/// The floors of a list that exist.
pub(super) fn existing(spans: [u32; 4]) -> impl Iterator<Item = usize> {
    spans.into_iter().filter(|&span| span != NO_NEIGHBOUR).map(|span| span as usize)
}

/// The wall lines of a tile, and for each floor that may be at the end of the free ground the lines near it:
/// those whose distance from the middle of its cell is at most the radius and one and a half diagonals.
#[derive(Debug, Default, PartialEq)]
pub struct WallLines {
    pub(super) radius: f64,
    /// The first cell of tile coordinates.
    pub(super) base: [f64; 2],
    /// Sorted by place.
    pub(super) lines: Vec<WallLine>,
    /// The start of each floor's list, and the end of the last.
    pub(super) first: Vec<u32>,
    pub(super) listed: Vec<u32>,
    /// The lines between areas.
    pub(super) areas: AreaLines,
}

impl WallLines {
    /// Memory that they take, bytes.
    pub fn memory(&self) -> u64 {
        let lists = size_of_val(self.first.as_slice()) + size_of_val(self.listed.as_slice());
        (size_of_val(self.lines.as_slice()) + lists + self.areas.memory()) as u64
    }

    /// The numbers of the lines near a floor.
    #[inline]
    pub(super) fn near(&self, span: usize) -> &[u32] {
        &self.listed[self.first[span] as usize..self.first[span + 1] as usize]
    }

    /// The numbers of the lines near the floors around a corner.
    pub(super) fn around(&self, floors: FloorsAround) -> impl Iterator<Item = u32> {
        existing(floors.spans).flat_map(|span| self.near(span).iter().copied())
    }

    /// The distance from a place to the lines near the floors around a corner.
    pub(super) fn clearance(&self, place: Plan, floors: FloorsAround) -> f64 {
        let to = |line: u32| self.lines[line as usize].segment.nearest(place).squared;
        self.around(floors).map(to).fold(f64::INFINITY, f64::min).sqrt()
    }
}
