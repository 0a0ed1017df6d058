//! The floors that are connected around a corner of an outline.

use crate::data::neighbours::across;
use crate::data::{Direction, NO_NEIGHBOUR, Neighbours, RegionField, RegionId};

/// The floors connected around a corner: first the floor of the walk, then the floors beyond its side,
/// across, and ahead.
pub(crate) struct CornerRing {
    pub(crate) floors: [u32; 4],
    /// True if a step leads from this floor to the next one, and from the last to the first.
    linked: [bool; 4],
    /// True if there are at most four; more floors wind around the corner like a stair.
    closed: bool,
}

impl CornerRing {
    /// Returns true if a step leads from the floor of this number to the next one, or from the last to the
    /// first.
    pub(crate) fn is_linked(&self, slot: usize) -> bool {
        self.linked[slot]
    }
}

/// A span and its neighbours; `in_run` is true if the span is in a run.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) span: u32,
    pub(crate) around: [u32; 4],
    pub(crate) in_run: bool,
}

/// Finds the floors around corners.
pub(crate) struct CornerRings<'a> {
    labels: &'a [RegionId],
    floors: &'a [i32],
    neighbours: &'a Neighbours,
}

impl<'a> CornerRings<'a> {
    pub(crate) fn new(regions: &'a RegionField) -> CornerRings<'a> {
        let field = &regions.field;
        CornerRings { labels: &regions.region, floors: &field.floor, neighbours: &field.neighbours }
    }

    /// The height of the corner at the end of one side of a span.
    pub(crate) fn height_at(&self, span: u32, direction: Direction) -> i32 {
        self.height(&self.around(&self.at(span), direction), span, direction)
    }

    /// A span together with its neighbours.
    #[inline]
    pub(crate) fn at(&self, span: u32) -> Position {
        let (around, in_run) = self.neighbours.of_in_run(span as usize);
        Position { span, around, in_run }
    }

    /// The height of the corner at the end of a side of a span: the height of the highest floor around it.
    #[inline]
    pub(crate) fn height(&self, ring: &CornerRing, span: u32, direction: Direction) -> i32 {
        if !ring.closed {
            return self.top_of_stair(span, direction);
        }
        // `NO_NEIGHBOUR` is beyond the end of the list.
        let floor = |span: u32| self.floors.get(span as usize).copied().unwrap_or(i32::MIN);
        ring.floors.map(floor).into_iter().fold(i32::MIN, i32::max)
    }

    /// All floors that are connected around the corner at the end of a side. The result is the same from each
    /// of these floors, so all regions that meet there, and both tiles at a border, find the same height and
    /// the same kind of corner.
    #[inline]
    pub(crate) fn around(&self, at: &Position, direction: Direction) -> CornerRing {
        let next = direction.next();
        let step = |from: u32, side: Direction| {
            if from == NO_NEIGHBOUR { NO_NEIGHBOUR } else { self.neighbours.one(from as usize, side) }
        };
        let (beside, ahead) = (at.around[direction as usize], at.around[next as usize]);
        if at.in_run {
            let floors = [at.span, beside, across(at.span, [beside, ahead]), ahead];
            return CornerRing { floors, linked: [true; 4], closed: true };
        }
        let (by_beside, by_ahead) = (step(beside, next), step(ahead, direction));
        if by_beside != NO_NEIGHBOUR && by_beside == by_ahead {
            return CornerRing {
                floors: [at.span, beside, by_beside, ahead],
                linked: [true; 4],
                closed: true,
            };
        }
        // At least one step around the corner is missing. The connected floors are a row, seen from both
        // ends.
        let (last_by_beside, last_by_ahead) =
            (step(by_beside, next.next()), step(by_ahead, direction.previous()));
        let either = |a: u32, b: u32| if a == NO_NEIGHBOUR { b } else { a };
        CornerRing {
            floors: [
                at.span,
                either(beside, last_by_ahead),
                either(by_ahead, by_beside),
                either(ahead, last_by_beside),
            ],
            linked: [
                beside != NO_NEIGHBOUR,
                by_beside != NO_NEIGHBOUR || last_by_ahead != NO_NEIGHBOUR,
                by_ahead != NO_NEIGHBOUR || last_by_beside != NO_NEIGHBOUR,
                ahead != NO_NEIGHBOUR,
            ],
            closed: ![
                (by_beside, by_ahead),
                (last_by_beside, ahead),
                (last_by_ahead, beside),
                (step(last_by_beside, direction.previous()), at.span),
                (step(last_by_ahead, next.next()), at.span),
            ]
            .iter()
            .any(|&(one, other)| one != NO_NEIGHBOUR && other != NO_NEIGHBOUR),
        }
    }

    /// The height of the highest floor that winds around the corner at the end of a side.
    fn top_of_stair(&self, span: u32, direction: Direction) -> i32 {
        let mut top = self.floors[span as usize];
        self.climb_stair(span, direction, |_, to| top = top.max(self.floors[to as usize]));
        top
    }

    /// Returns true if a step between floors that wind around the corner at the end of a side leads from one
    /// region to another.
    fn stair_has_border(&self, span: u32, direction: Direction) -> bool {
        let label = |span: u32| self.labels[span as usize];
        let is_border = |from, to| label(from) != label(to) && label(from).is_inner() && label(to).is_inner();
        let mut found = false;
        self.climb_stair(span, direction, |from, to| found |= is_border(from, to));
        found
    }

    /// Visits each step between the floors that wind around the corner at the end of a side, in both
    /// directions from `span`: there may be more than the four floors of a ring.
    #[cold]
    fn climb_stair(&self, span: u32, direction: Direction, mut visit: impl FnMut(u32, u32)) {
        for turn in [Direction::next, Direction::previous] {
            let (mut at, mut side) =
                (span, if turn(direction) == direction.next() { direction } else { direction.next() });
            loop {
                let from = at;
                at = self.neighbours.one(from as usize, side);
                if at == NO_NEIGHBOUR {
                    break;
                }
                visit(from, at);
                if at == span {
                    break;
                }
                side = turn(side);
            }
        }
    }

    /// Returns true if a border between two regions meets more than its own continuation at a corner.
    #[inline]
    pub(crate) fn is_junction(&self, ring: &CornerRing, span: u32, direction: Direction) -> bool {
        if !ring.closed {
            return self.stair_has_border(span, direction);
        }
        let label = |span: u32| self.labels.get(span as usize).copied().unwrap_or(RegionId::NONE);
        let labels = ring.floors.map(label);
        let is_other = |label: RegionId| label.is_inner() & (label != labels[0]);
        if !(is_other(labels[1]) | is_other(labels[2]) | is_other(labels[3])) {
            return false;
        }
        let (mut sides, mut borders) = (0, 0);
        for slot in 0..4 {
            let (a, b) = (labels[slot], labels[(slot + 1) & 3]);
            let linked = ring.linked[slot];
            sides += u32::from((a.is_inner() | b.is_inner()) & ((a != b) | !linked));
            borders += u32::from(a.is_inner() & b.is_inner() & (a != b) & linked);
        }
        borders > 0 && sides > 2
    }
}
