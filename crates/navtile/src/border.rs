//! Portals as lines: their position on a tile's border, their heights, and the conflicts between them.
//!
//! All arithmetic is in integers. Heights along a portal are fractions, compared after multiplying both sides
//! by the portals' lengths.

use crate::layout::{Portal, side};
use crate::limits::PORTAL_STACK_LIMIT;
use navmath::FIXED_ONE;
#[cfg(feature = "file")]
use navmath::sort::SharedSort;
#[cfg(feature = "file")]
use std::{cmp::Reverse, collections::BinaryHeap};

/// Start, end, height at the start and height at the end of the edge from `a` to `b` as a portal on `side` of
/// a tile of `size` cells. `None` if the edge is not on that side, or the tile's interior is not to its left.
#[inline]
pub fn portal_ends(a: &[i32; 3], b: &[i32; 3], on: u8, size: [u32; 2]) -> Option<[i32; 4]> {
    // Arithmetic instead of a branch, because the side is unpredictable.
    let border = i64::from(*[0, size[1], size[0], 0].get(usize::from(on))?) * i64::from(FIXED_ONE);
    let [low, high] = if on < side::X_MAX { [a, b] } else { [b, a] };
    let (across, along) = if on & 1 == 0 { (0, 2) } else { (2, 0) };
    let on_border = i64::from(a[across]) == border && i64::from(b[across]) == border;
    (on_border && low[along] < high[along]).then_some([low[along], high[along], low[1], high[1]])
}

/// The sort key of a tile's portals.
pub fn portal_key(portal: &Portal) -> (u8, i32, i32, u32, u8) {
    (portal.side, portal.start, portal.start_height, portal.polygon, portal.edge)
}

/// A portal's line in global fixed-point numbers, so that tiles with different base cells can be compared.
/// Ordered by start, then by the other fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub(crate) start: i64,
    pub(crate) end: i64,
    start_height: i64,
    end_height: i64,
}

impl Line {
    /// The line of `portal`, moved by `along` and `up`.
    pub(crate) fn new(portal: &Portal, along: i64, up: i64) -> Line {
        Line {
            start: i64::from(portal.start) + along,
            end: i64::from(portal.end) + along,
            start_height: i64::from(portal.start_height) + up,
            end_height: i64::from(portal.end_height) + up,
        }
    }

    /// The interval on which both lines run; `None` if they share no interval of positive length.
    pub(crate) fn shared(&self, other: &Line) -> Option<(i64, i64)> {
        let (start, end) = (self.start.max(other.start), self.end.min(other.end));
        (start < end).then_some((start, end))
    }

    fn length(&self) -> i128 {
        i128::from(self.end) - i128::from(self.start)
    }

    /// Height at `t`, times the line's length.
    fn height(&self, t: i64) -> i128 {
        i128::from(self.start_height) * self.length()
            + (i128::from(self.end_height) - i128::from(self.start_height))
                * (i128::from(t) - i128::from(self.start))
    }

    /// Height of this line above `other` at `t`, times the product of both lengths. With positions and
    /// heights below 2^50 and lengths below 2^32 the result is below 2^116.
    fn above(&self, other: &Line, t: i64) -> i128 {
        self.height(t) * other.length() - other.height(t) * self.length()
    }

    /// Returns true if the lines come within `distance` of each other somewhere on `interval`, both ends
    /// included.
    pub(crate) fn comes_within(&self, other: &Line, interval: (i64, i64), distance: i64) -> bool {
        if self == other {
            // True for nearly all lines across a seam.
            return true;
        }
        let (first, last) = (self.above(other, interval.0), self.above(other, interval.1));
        let crosses = first.signum() * last.signum() <= 0;
        let nearest = first.abs().min(last.abs());
        crosses || nearest <= i128::from(distance) * self.length() * other.length()
    }

    /// Largest difference between the lines' heights on `interval`, rounded.
    pub(crate) fn apart(&self, other: &Line, interval: (i64, i64)) -> f64 {
        let most = self.above(other, interval.0).abs().max(self.above(other, interval.1).abs());
        most as f64 / (self.length() * other.length()) as f64
    }

    /// Returns true if the lines are identical on `interval`.
    pub(crate) fn coincides(&self, other: &Line, interval: (i64, i64)) -> bool {
        self.above(other, interval.0) == 0 && self.above(other, interval.1) == 0
    }
}

/// Portals of one side that conflict with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowd {
    /// These two portals cover the same stretch at the same height.
    Overlap(usize, usize),
    /// More than [`PORTAL_STACK_LIMIT`] portals are above each other at the start of this one.
    Stack(usize),
}

/// Returns true if two portals are on the same side and share an interval. The first must not start after the
/// second. In a list sorted by side and start, if any two portals do, then so do two consecutive ones.
#[inline]
fn may_crowd([first, second]: &[Portal; 2]) -> bool {
    first.side == second.side && second.start < first.end
}

/// The first conflict between portals, if any. `portals` sorted by side and start.
/// Cost: O(portals * [`PORTAL_STACK_LIMIT`]), a few comparisons each in practice. Nothing is allocated.
pub fn crowd(portals: &[Portal]) -> Option<Crowd> {
    if !portals.array_windows().any(may_crowd) {
        return None;
    }
    // The portals that end after the start of the current one.
    let (mut open, mut count) = ([0u32; PORTAL_STACK_LIMIT], 0);
    for (index, portal) in portals.iter().enumerate() {
        let mut kept = 0;
        for at in 0..count {
            let other = open[at] as usize;
            if portals[other].side != portal.side || portals[other].end <= portal.start {
                continue;
            }
            if overlap(&portals[other], portal) {
                return Some(Crowd::Overlap(other, index));
            }
            open[kept] = open[at];
            kept += 1;
        }
        if kept == PORTAL_STACK_LIMIT {
            return Some(Crowd::Stack(index));
        }
        open[kept] = index as u32;
        count = kept + 1;
    }
    None
}

/// The first portal at whose start more than [`PORTAL_STACK_LIMIT`] portals of its side are above each other.
/// Takes any number of portals, sorted by side and start; portals at the same height count separately. O(n
/// log n).
#[cfg(feature = "file")]
pub(crate) fn stacked(mut portals: Vec<Portal>) -> Option<usize> {
    portals.shared_sort_by_key(|portal| (portal.side, portal.start));
    let mut ends: BinaryHeap<Reverse<i32>> = BinaryHeap::new();
    for (index, portal) in portals.iter().enumerate() {
        if index > 0 && portals[index - 1].side != portal.side {
            ends.clear();
        }
        while ends.peek().is_some_and(|end| end.0 <= portal.start) {
            ends.pop();
        }
        if ends.len() == PORTAL_STACK_LIMIT {
            return Some(index);
        }
        ends.push(Reverse(portal.end));
    }
    None
}

/// Returns true if two portals of one side share an interval and have the same height along all of it.
fn overlap(a: &Portal, b: &Portal) -> bool {
    let highest = |portal: &Portal| portal.start_height.max(portal.end_height);
    let lowest = |portal: &Portal| portal.start_height.min(portal.end_height);
    // Typical for storeys.
    if lowest(a) > highest(b) || lowest(b) > highest(a) {
        return false;
    }
    let (a, b) = (Line::new(a, 0, 0), Line::new(b, 0, 0));
    a.shared(&b).is_some_and(|interval| a.coincides(&b, interval))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    fn portal(start: i32, end: i32, start_height: i32, end_height: i32) -> Portal {
        Portal { start, end, start_height, end_height, ..Portal::zeroed() }
    }

    #[test]
    fn ends_need_the_border_and_the_right_direction() {
        let (low, high) = ([0, 3, 10], [0, 5, 20]);
        assert_eq!(portal_ends(&low, &high, side::X_MIN, [4, 4]), Some([10, 20, 3, 5]));
        assert_eq!(portal_ends(&high, &low, side::X_MIN, [4, 4]), None);
        assert_eq!(portal_ends(&low, &high, side::X_MAX, [4, 4]), None);
        assert_eq!(portal_ends(&[1024, 3, 20], &[1024, 5, 10], side::X_MAX, [4, 4]), Some([10, 20, 5, 3]));
        assert_eq!(portal_ends(&[1, 0, 1024], &[9, 0, 1024], side::Z_MAX, [4, 4]), Some([1, 9, 0, 0]));
        assert_eq!(portal_ends(&[9, 0, 0], &[1, 0, 0], side::Z_MIN, [4, 4]), Some([1, 9, 0, 0]));
        assert_eq!(portal_ends(&[9, 0, 0], &[1, 0, 0], 4, [4, 4]), None);
    }

    #[test]
    fn crossing_is_allowed_and_coinciding_is_not() {
        assert_eq!(crowd(&[portal(0, 10, 0, 10), portal(0, 10, 10, 0)]), None);
        assert_eq!(crowd(&[portal(0, 10, 0, 0), portal(10, 20, 0, 0)]), None);
        assert_eq!(crowd(&[portal(0, 10, 0, 0), portal(5, 20, 0, 1)]), None);
        assert_eq!(crowd(&[portal(0, 10, 0, 10), portal(5, 20, 5, 20)]), Some(Crowd::Overlap(0, 1)));
        let other_side = Portal { side: side::Z_MAX, ..portal(5, 20, 5, 20) };
        assert_eq!(crowd(&[portal(0, 10, 0, 10), other_side]), None);
    }

    /// Like [`crowd`], over all pairs.
    fn crowd_of_pairs(portals: &[Portal]) -> Option<Crowd> {
        for (index, portal) in portals.iter().enumerate() {
            let line = Line::new(portal, 0, 0);
            let before =
                portals[..index].iter().map(|other| (other.side, Line::new(other, 0, 0))).enumerate();
            let over = |(side, other): &(u8, Line)| *side == portal.side && other.end > line.start;
            let over: Vec<_> = before.filter(|(_, other)| over(other)).collect();
            let coincides = |other: &Line| line.shared(other).is_some_and(|part| line.coincides(other, part));
            if let Some((other, _)) = over.iter().find(|(_, (_, other))| coincides(other)) {
                return Some(Crowd::Overlap(*other, index));
            }
            if over.len() == PORTAL_STACK_LIMIT {
                return Some(Crowd::Stack(index));
            }
        }
        None
    }

    proptest! {
        #[test]
        fn crowds_are_found_as_in_all_pairs(
            spans in prop::collection::vec((0..2u8, 0..12i32, 1..6i32, -3..4i32, -3..4i32), 0..9)
        ) {
            let of = |(side, start, length, from, to)| Portal { side, ..portal(start, start + length, from, to) };
            let mut portals: Vec<Portal> = spans.into_iter().map(of).collect();
            portals.shared_sort_by_key(|portal| (portal.side, portal.start, portal.start_height));
            prop_assert_eq!(crowd(&portals), crowd_of_pairs(&portals));
        }
    }

    #[test]
    fn stacks_are_bounded() {
        let stack: Vec<Portal> = (0..=PORTAL_STACK_LIMIT as i32).map(|y| portal(0, 10, y, y)).collect();
        assert_eq!(crowd(&stack[1..]), None);
        assert_eq!(crowd(&stack), Some(Crowd::Stack(PORTAL_STACK_LIMIT)));
        #[cfg(feature = "file")]
        {
            assert_eq!(stacked(stack[1..].to_vec()), None);
            assert_eq!(stacked(stack.clone()), Some(PORTAL_STACK_LIMIT));
            let other = |portal: &Portal| Portal { side: side::Z_MAX, ..*portal };
            assert_eq!(
                stacked(stack[1..].iter().flat_map(|portal| [*portal, other(portal)]).collect()),
                None
            );
            let behind = stack.iter().map(|portal| Portal { start: 10, end: 20, ..*portal });
            assert_eq!(stacked(stack[1..].iter().copied().chain(behind.skip(1)).collect()), None);
        }
    }

    #[test]
    fn nearness_is_exact() {
        let (flat, slope) = (Line::new(&portal(0, 3, 0, 0), 0, 0), Line::new(&portal(0, 6, 2, 14), 0, 0));
        assert!(flat.comes_within(&slope, (0, 3), 2) && !flat.comes_within(&slope, (0, 3), 1));
        // At 1 the slope is 4 above.
        assert!(flat.comes_within(&slope, (1, 3), 4) && !flat.comes_within(&slope, (1, 3), 3));
        let across = Line::new(&portal(0, 3, -1_000, 900), 0, 0);
        assert!(flat.comes_within(&across, (0, 3), 0) && !flat.comes_within(&across, (0, 1), 300));
        assert!(flat.comes_within(&across, (0, 1), 367));
    }
}
