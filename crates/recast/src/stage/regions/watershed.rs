//! Watershed: regions grow level by level from the peaks of the distance field; ground that no region reaches
//! starts a new one.

use super::for_border;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::across;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, RegionId};
use crate::lists::bucket_sort;
use navtile::area::AreaId;
use rayon::prelude::*;
use std::mem::take;

/// Levels of the distance field are processed two half cells at a time. After this many levels, the spans
/// that no region has reached yet are sorted again.
const STACKS: usize = 8;
/// Number of spans that regions may grow at each level before new regions may start.
const GROWTH: usize = 8;
/// Value of [`Cell::steps`] for a span that has no region and may get one.
const OPEN: u16 = u16::MAX;
/// Value of [`Cell::steps`] for a span without a region of the mesh that is queued for the next ring, or
/// never gets one because it is unwalkable or in the border.
const QUEUED: u16 = OPEN - 1;
/// The greatest number of steps that is counted; anything further counts as this far.
const MOST_STEPS: u16 = QUEUED - 1;

/// The data of a span that floods need, in eight bytes. Floods jump about in the field, and three lists would
/// cost three cache misses each time, a quarter of the stage's time.
#[derive(Clone, Copy)]
struct Cell {
    label: RegionId,
    /// Steps from the start of its region, doubled; the nearer region wins a span. If it has no region, a
    /// value larger than any number of steps, so that one comparison decides what is nearer.
    steps: u16,
    /// Distance in whole cells; above the highest if it needs no label.
    level: u16,
}

/// A span, the region that grows into it, and its steps.
type Growth = (u32, RegionId, u16);

impl Cell {
    /// Returns true if it has no region and may get one.
    #[inline]
    fn is_open(self) -> bool {
        self.steps == OPEN
    }
}

struct Watershed<'a> {
    field: &'a CompactField<Eroded>,
    cells: Vec<Cell>,
    /// True if all walkable spans have one area, so that areas need not be compared.
    one_area: bool,
    threads: usize,
    next_id: u32,
    /// The spans that the current ring adds.
    grown: Vec<Growth>,
    ring: Vec<u32>,
    /// Spans that no region has reached, at this level and above: first those of the level, then the older
    /// ones.
    unreached: Vec<u32>,
    older: Vec<u32>,
    to_flood: Vec<u32>,
}

/// Labels every walkable span, including the border; returns all labels and the number of regions. Memory
/// peaks here, so distances are dropped as soon as they are in the cells.
pub(super) fn flood_all(
    field: &CompactField<Eroded>,
    distance: Vec<u16>,
    max_distance: u16,
    threads: usize,
) -> (Vec<RegionId>, u32) {
    let area = field.area.as_slice();
    let highest = max_distance / 2;
    let cells = distance.iter().zip(area).map(|(&distance, area)| {
        let open = Cell { label: RegionId::NONE, steps: OPEN, level: (distance / 2).min(highest) };
        if area.is_walkable() { open } else { Cell { steps: QUEUED, level: highest + 1, ..open } }
    });
    let mut cells: Vec<Cell> = cells.collect();
    drop(distance);
    for_border(field, |span, label| {
        let cell = &mut cells[span];
        *cell = Cell { label, steps: QUEUED, level: highest + 1 };
    });
    let levels = Levels::sort(&cells, highest);
    let mut state = Watershed {
        field,
        cells,
        one_area: is_one_area(area),
        threads,
        next_id: 1,
        grown: Vec::new(),
        ring: Vec::new(),
        unreached: Vec::new(),
        older: Vec::new(),
        to_flood: Vec::new(),
    };
    state.flood(&levels, max_distance);
    drop(levels);
    let Watershed { cells, next_id, .. } = state;
    let mut labels: Vec<RegionId> = cells.into_iter().map(|cell| cell.label).collect();
    // Collecting reuses the memory of the cells.
    labels.shrink_to_fit();
    (labels, next_id - 1)
}

fn is_one_area(area: &[AreaId]) -> bool {
    let Some(&first) = area.iter().find(|area| area.is_walkable()) else { return true };
    area.iter().all(|&area| area == first || !area.is_walkable())
}

/// Spans to be labelled, by level.
struct Levels {
    offsets: Vec<u32>,
    spans: Vec<u32>,
}

impl Levels {
    /// Sorts the spans that need a label by level; the spans of one level keep their order.
    fn sort(cells: &[Cell], highest: u16) -> Levels {
        let (mut offsets, mut spans) = (Vec::new(), Vec::new());
        let leveled = (0u32..).zip(cells).map(|(span, cell)| (usize::from(cell.level), span));
        let wanted = leveled.filter(|&(level, _)| level <= usize::from(highest));
        bucket_sort(usize::from(highest) + 1, wanted, &mut offsets, &mut spans);
        Levels { offsets, spans }
    }

    /// The spans of a level, given in half cells; for the first one, also all spans above it.
    fn spans(&self, level: u32, first: bool) -> &[u32] {
        let level = level as usize / 2;
        let end = if first { self.offsets.len() - 1 } else { level + 1 };
        &self.spans[self.offsets[level] as usize..self.offsets[end] as usize]
    }
}

impl Watershed<'_> {
    /// Goes down level by level.
    fn flood(&mut self, levels: &Levels, max_distance: u16) {
        let top = (u32::from(max_distance) + 1) & !1;
        // If all ground is at most two cells wide, the only level is the lowest.
        let levels_down = (0..top.max(2)).step_by(2).rev();
        for (step, level) in levels_down.enumerate() {
            let first = step == 0;
            self.grow(levels.spans(level, first), level, if level > 0 { GROWTH } else { usize::MAX });
            if step % STACKS == 0 {
                self.unreached.sort_unstable();
            }
            for index in 0..self.unreached.len() {
                let span = self.unreached[index];
                if self.has_none(span) {
                    self.start::<false>(span as usize, level);
                }
            }
        }
        self.grow(&[], 0, usize::MAX);
        for index in 0..self.unreached.len() {
            let span = self.unreached[index];
            if self.has_none(span) {
                self.start::<true>(span as usize, 0);
            }
        }
    }

    #[inline]
    fn has_none(&self, span: u32) -> bool {
        self.cells[span as usize].label.is_none()
    }

    /// Returns true if two walkable spans have the same area.
    #[inline]
    fn same_area(&self, a: usize, b: usize) -> bool {
        self.one_area || self.field.area[a] == self.field.area[b]
    }

    /// Grows the regions into the spans of a level and the open ones above, one ring at a time and at most
    /// `rounds` rings; spans that are left over are open, in order.
    ///
    /// After the first ring, only spans next to the previous ring can be reached, because neighbours are
    /// mutual. They are searched next to that ring, or among all open spans, whichever are fewer.
    fn grow(&mut self, fresh: &[u32], level: u32, rounds: usize) {
        std::mem::swap(&mut self.unreached, &mut self.older);
        self.unreached.clear();
        for round in 0..rounds {
            if round == 0 {
                self.grown.clear();
                self.reach(fresh);
                self.reach_older();
            } else if self.unreached.len() <= self.grown.len() {
                self.grown.clear();
                std::mem::swap(&mut self.unreached, &mut self.older);
                self.unreached.clear();
                self.reach_older();
            } else {
                self.find_next_ring(level);
                self.grown.clear();
                for index in 0..self.ring.len() {
                    let span = self.ring[index];
                    self.cells[span as usize].steps = OPEN;
                    if let Some((label, steps)) = self.nearest_region::<false>(span as usize) {
                        self.grown.push((span, label, steps));
                    }
                }
            }
            if self.grown.is_empty() {
                break;
            }
            // Written only now, so that a ring does not depend on the order of its spans.
            for &(span, label, steps) in &self.grown {
                let cell = &mut self.cells[span as usize];
                (cell.label, cell.steps) = (label, steps);
            }
        }
        let cells = &self.cells;
        self.unreached.retain(|&span| cells[span as usize].label.is_none());
    }

    /// Finds the region that reaches each of some spans; the others stay unreached.
    fn reach(&mut self, spans: &[u32]) {
        /// Number of spans that is worth sharing.
        const SHARE: usize = 1 << 10;
        if self.threads == 1 || spans.len() < 2 * SHARE {
            let (mut grown, mut unreached) = (take(&mut self.grown), take(&mut self.unreached));
            self.reach_within(spans, &mut grown, &mut unreached);
            (self.grown, self.unreached) = (grown, unreached);
            return;
        }
        let found: Vec<_> = spans
            .par_chunks(spans.len().div_ceil(self.threads * 2).max(SHARE))
            .map(|spans| {
                let (mut grown, mut unreached) = (Vec::with_capacity(spans.len()), Vec::new());
                self.reach_within(spans, &mut grown, &mut unreached);
                (grown, unreached)
            })
            .collect();
        for (grown, unreached) in found {
            self.grown.extend_from_slice(&grown);
            self.unreached.extend_from_slice(&unreached);
        }
    }

    /// Finds the regions that reach the spans left over before.
    fn reach_older(&mut self) {
        let older = take(&mut self.older);
        self.reach(&older);
        self.older = older;
    }

    /// Sorts spans without a region into growing and unreached ones.
    fn reach_within(&self, spans: &[u32], grown: &mut Vec<Growth>, unreached: &mut Vec<u32>) {
        // Decided here, once, and not for each of all neighbours.
        if self.one_area {
            self.reach_each::<true>(spans, grown, unreached);
        } else {
            self.reach_each::<false>(spans, grown, unreached);
        }
    }

    fn reach_each<const ONE_AREA: bool>(
        &self,
        spans: &[u32],
        grown: &mut Vec<Growth>,
        unreached: &mut Vec<u32>,
    ) {
        for &span in spans.iter().filter(|&&span| self.has_none(span)) {
            match self.nearest_region::<ONE_AREA>(span as usize) {
                Some((label, steps)) => grown.push((span, label, steps)),
                None => unreached.push(span),
            }
        }
    }

    /// The spans without a region, from `level` up, next to those of the ring that has just grown.
    fn find_next_ring(&mut self, level: u32) {
        self.ring.clear();
        for &(span, ..) in &self.grown {
            for beside in self.field.neighbours.of_or_self(span as usize) {
                let cell = self.cells[beside as usize];
                if cell.is_open()
                    && u32::from(cell.level) >= level / 2
                    && self.same_area(beside as usize, span as usize)
                {
                    self.cells[beside as usize].steps = QUEUED;
                    self.ring.push(beside);
                }
            }
        }
    }

    /// Starts a region at `seed` and floods it over all open spans of its area down to one level below. Spans
    /// that touch another region are left open, unless it is `ALONE`: no region of its area is next to it,
    /// but the tile's border is across a corner of every span, so that no region could start.
    fn start<const ALONE: bool>(&mut self, seed: usize, level: u32) {
        let label = RegionId::inner(self.next_id);
        let least = level.saturating_sub(2) / 2;
        let mut any = false;
        self.to_flood.clear();
        self.to_flood.push(seed as u32);
        (self.cells[seed].label, self.cells[seed].steps) = (label, 0);
        while let Some(span) = self.to_flood.pop() {
            let span = span as usize;
            if !ALONE && self.touches_other(span, label) {
                (self.cells[span].label, self.cells[span].steps) = (RegionId::NONE, OPEN);
                continue;
            }
            any = true;
            for beside in self.field.neighbours.of_or_self(span) {
                let cell = self.cells[beside as usize];
                if cell.is_open() && u32::from(cell.level) >= least && self.same_area(beside as usize, seed) {
                    let cell = &mut self.cells[beside as usize];
                    (cell.label, cell.steps) = (label, 0);
                    self.to_flood.push(beside);
                }
            }
        }
        self.next_id += u32::from(any);
    }

    /// Returns true if one of the eight neighbours of `span`, with the same area, has another region. The
    /// border counts only across a corner, as in the reference.
    fn touches_other(&self, span: usize, label: RegionId) -> bool {
        let neighbours = &self.field.neighbours;
        let is_other = |cell: Cell| !cell.label.is_none() && cell.label != label;
        let (around, in_run) = neighbours.of_in_run(span);
        let corners = Direction::ALL.map(|direction| {
            let [beside, ahead] = [direction, direction.next()].map(|step| around[step as usize]);
            match beside {
                NO_NEIGHBOUR => NO_NEIGHBOUR,
                _ if in_run => across(span as u32, [beside, ahead]),
                _ => neighbours.one(beside as usize, direction.next()),
            }
        });
        around.into_iter().zip(corners).any(|(beside, across)| {
            let (beside, across) = (beside as usize, across as usize);
            let Some(&cell) = self.cells.get(beside) else { return false };
            let walkable = cell.is_open() || !cell.label.is_none();
            if !walkable || !self.same_area(beside, span) || cell.label.is_border() {
                return false;
            }
            let has_other = |across: &Cell| is_other(*across);
            is_other(cell) || self.cells.get(across).is_some_and(has_other) && self.same_area(across, span)
        })
    }

    /// The adjacent region with the same area that started nearest to `span`, and the steps to it. `ONE_AREA`
    /// if there is only one area.
    #[inline(always)]
    fn nearest_region<const ONE_AREA: bool>(&self, span: usize) -> Option<(RegionId, u16)> {
        // No region is so far away.
        let none = (RegionId::NONE, QUEUED);
        let nearer = |best: (RegionId, u16), beside: u32| {
            let cell = self.cells[beside as usize];
            let is_nearer = cell.steps < best.1 && (ONE_AREA || self.same_area(beside as usize, span));
            if is_nearer { (cell.label, cell.steps) } else { best }
        };
        // The span itself, which replaces a missing neighbour, has no region.
        let [a, b, c, d] = self.field.neighbours.of_or_self(span);
        let (label, steps) = nearer(nearer(nearer(nearer(none, a), b), c), d);
        (steps < QUEUED).then(|| (label, (steps + 2).min(MOST_STEPS)))
    }
}
