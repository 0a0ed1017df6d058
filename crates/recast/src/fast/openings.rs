//! Rows of openings: the free spaces above spans that an agent fits into, filtered for low-hanging obstacles
//! and low ceilings. Defined by [`crate::stage::filter_low_hanging`] and
//! [`crate::stage::filter_low_ceilings`].

use super::Params;
use crate::data::fragment::Fragment;
use crate::data::span::OPEN_SKY;
use crate::stage::rasterize::merge_column;
use navtile::area::AreaId;

/// Lower than any floor by more than any climb.
const ABYSS: i32 = i32::MIN / 2;

/// The openings of one row.
#[derive(Default)]
pub(super) struct RowOpenings {
    /// Openings of column x are those from `offsets[x]` to `offsets[x + 1]`.
    pub(super) offsets: Vec<u32>,
    /// Bottom of the first span of each column; below it there is no ground.
    pub(super) bottoms: Vec<i32>,
    /// Number of columns so far.
    columns: usize,
    /// Number of openings; the lists below may be longer.
    pub(super) count: usize,
    pub(super) floor: Vec<i32>,
    pub(super) ceiling: Vec<i32>,
    /// The area of each floor; low-hanging obstacles are walkable.
    pub(super) area: Vec<AreaId>,
    /// Number of spans, including those under low ceilings.
    pub(super) spans: u32,
    /// Bottom and top of each span, if they are kept.
    kept: Option<RowSpans>,
}

/// The spans of one row.
#[derive(Default)]
pub(super) struct RowSpans {
    /// Spans of column x are those from `ends[x - 1]` to `ends[x]`; of the first, from 0.
    pub(super) ends: Vec<u32>,
    pub(super) spans: Vec<[i32; 2]>,
}

impl RowSpans {
    /// Adds a column.
    #[inline]
    fn push(&mut self, spans: &[Fragment]) {
        self.spans.extend(spans.iter().map(|span| [span.bottom(), span.top()]));
        self.ends.push(self.spans.len() as u32);
    }
}

impl RowOpenings {
    /// Starts a row of `width` columns.
    pub(super) fn start(&mut self, width: usize, keep_spans: bool) {
        self.kept = keep_spans.then(|| {
            let mut kept = self.kept.take().unwrap_or_default();
            kept.ends.clear();
            kept.spans.clear();
            kept
        });
        self.offsets.resize(width + 1, 0);
        self.bottoms.resize(width, OPEN_SKY);
        self.columns = 0;
        self.count = 0;
        self.spans = 0;
    }

    /// Makes the lists long enough for `more` openings.
    pub(super) fn reserve(&mut self, more: usize) {
        let needed = self.count + more;
        if needed > self.floor.len() {
            self.floor.resize(2 * needed, 0);
            self.ceiling.resize(2 * needed, 0);
            self.area.resize(2 * needed, AreaId::NULL);
        }
    }

    /// Adds an opening if an agent fits in: always writes it, but counts it only then, which is branchless.
    #[inline(always)]
    fn push_opening(&mut self, floor: i32, ceiling: i32, area: AreaId, fits: bool) {
        self.floor[self.count] = floor;
        self.ceiling[self.count] = ceiling;
        self.area[self.count] = area;
        self.count += usize::from(fits);
    }

    /// Adds a column with these fragments, filtering low-hanging obstacles and low ceilings. There must be
    /// room for one opening per fragment.
    #[inline(always)]
    pub(super) fn push_column(&mut self, fragments: &mut [Fragment], params: &Params) {
        let spans = merge_column(fragments, params.merge_threshold);
        let Some((&first, others)) = spans.split_first() else {
            self.push_empty(1);
            return;
        };
        self.spans += spans.len() as u32;
        if let Some(kept) = &mut self.kept {
            kept.push(spans);
        }
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
        self.bottoms[self.columns] = first.bottom();
        self.columns += 1;
        self.offsets[self.columns] = self.count as u32;
    }

    /// Adds columns of one fragment each, as on open ground: there is nothing to merge or filter. This saves
    /// a tenth of a bake of a plane at 0.1 m.
    pub(super) fn push_single(&mut self, fragments: &[Fragment]) {
        let (count, columns, more) = (self.count, self.columns, fragments.len());
        self.ceiling[count..][..more].fill(OPEN_SKY);
        let (floor, area) = (&mut self.floor[count..][..more], &mut self.area[count..][..more]);
        let bottoms = &mut self.bottoms[columns..][..more];
        for ((floor, area), (bottom, fragment)) in
            floor.iter_mut().zip(area).zip(bottoms.iter_mut().zip(fragments))
        {
            (*floor, *area, *bottom) = (fragment.top(), fragment.area(), fragment.bottom());
        }
        // There are no more openings than fragments.
        let first = count as u32 + 1;
        for (index, offset) in self.offsets[columns + 1..][..more].iter_mut().enumerate() {
            *offset = first + index as u32;
        }
        self.count += more;
        self.columns += more;
        self.spans += more as u32;
        if let Some(kept) = &mut self.kept {
            let first = kept.spans.len() as u32 + 1;
            kept.spans.extend(fragments.iter().map(|span| [span.bottom(), span.top()]));
            kept.ends.extend(first..first + more as u32);
        }
    }

    /// Adds columns without spans.
    pub(super) fn push_empty(&mut self, count: usize) {
        let start = self.columns;
        self.columns += count;
        self.bottoms[start..self.columns].fill(OPEN_SKY);
        self.offsets[start + 1..=self.columns].fill(self.count as u32);
        if let Some(kept) = &mut self.kept {
            kept.ends.resize(self.columns, kept.spans.len() as u32);
        }
    }

    /// Its spans, if they are kept.
    pub(super) fn kept_spans(&self) -> Option<&RowSpans> {
        self.kept.as_ref()
    }

    #[inline]
    pub(super) fn column(&self, x: usize) -> ColumnOpenings<'_> {
        let openings = self.offsets[x] as usize..self.offsets[x + 1] as usize;
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
