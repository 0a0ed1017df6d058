//! Rows of openings: what the spans of a row leave free for an agent, with low-hanging obstacles and low ceilings
//! filtered.

use super::Params;
use crate::area::AreaId;
use crate::data::span::OPEN_SKY;
use crate::stage::rasterize::Packed;

/// Lower than any floor, and further than any climb.
const ABYSS: i32 = i32::MIN / 2;

/// The openings of one row: what is free above a span, if an agent fits in.
#[derive(Default)]
pub(super) struct RowSpans {
    /// Openings of column x are those from `ends[x]` to `ends[x + 1]`.
    pub(super) ends: Vec<u32>,
    /// Bottom of the first span of each column: below is nothing to land on.
    pub(super) bottoms: Vec<i32>,
    /// How many openings there are; the lists below may be longer.
    pub(super) count: usize,
    pub(super) floor: Vec<i32>,
    pub(super) ceiling: Vec<i32>,
    /// The area of each floor; low-hanging obstacles are walkable.
    pub(super) area: Vec<AreaId>,
    /// Spans, those under low ceilings included.
    pub(super) spans: u32,
}

impl RowSpans {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.ends.push(0);
        self.bottoms.clear();
        self.count = 0;
        self.spans = 0;
    }

    /// Makes place for so many more openings.
    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        let needed = self.count + more;
        if needed > self.floor.len() {
            self.grow(needed);
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        self.floor.resize(2 * needed, 0);
        self.ceiling.resize(2 * needed, 0);
        self.area.resize(2 * needed, AreaId::NULL);
    }

    /// Adds an opening if an agent fits in. Free of branches.
    #[inline(always)]
    fn push_opening(&mut self, floor: i32, ceiling: i32, area: AreaId, fits: bool) {
        self.floor[self.count] = floor;
        self.ceiling[self.count] = ceiling;
        self.area[self.count] = area;
        self.count += usize::from(fits);
    }

    /// Adds a column, filtering low-hanging obstacles and low ceilings.
    #[inline(always)]
    pub(super) fn push_column(&mut self, spans: &[Packed], params: &Params) {
        let Some((&first, others)) = spans.split_first() else {
            self.push_empty(1);
            return;
        };
        self.spans += spans.len() as u32;
        self.reserve(spans.len());
        let mut below = (ABYSS, AreaId::NULL);
        let mut lift = |floor: i32, area: AreaId| {
            let (from, lifted) = below;
            let is_lifted = !area.is_walkable() & (floor - from <= params.walkable_climb);
            below = (if area.is_walkable() { floor } else { ABYSS }, area);
            if is_lifted { lifted } else { area }
        };
        let (mut floor, mut area) = (first.top(), lift(first.top(), first.area()));
        for span in others {
            let ceiling = span.bottom();
            self.push_opening(floor, ceiling, area, ceiling - floor >= params.walkable_height);
            floor = span.top();
            area = lift(floor, span.area());
        }
        self.push_opening(floor, OPEN_SKY, area, true);
        self.bottoms.push(first.bottom());
        self.ends.push(self.count as u32);
    }

    /// Adds columns without spans.
    pub(super) fn push_empty(&mut self, count: usize) {
        self.bottoms.resize(self.bottoms.len() + count, OPEN_SKY);
        self.ends.resize(self.ends.len() + count, self.count as u32);
    }

    #[inline]
    pub(super) fn column(&self, x: usize) -> ColumnOpenings<'_> {
        let openings = self.ends[x] as usize..self.ends[x + 1] as usize;
        ColumnOpenings {
            bottom: self.bottoms[x],
            floor: &self.floor[openings.clone()],
            ceiling: &self.ceiling[openings],
        }
    }
}

/// The openings of one column, and the bottom of its first span.
#[derive(Clone, Copy)]
pub(super) struct ColumnOpenings<'a> {
    pub(super) bottom: i32,
    pub(super) floor: &'a [i32],
    pub(super) ceiling: &'a [i32],
}
