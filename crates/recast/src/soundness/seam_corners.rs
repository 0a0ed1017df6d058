//! Corners on the tile's border: both tiles there keep the same corners, and no others.
//!
//! ```text
//!   this tile       a  a  a  a | b  b  b  b  .        a, b: regions of this tile
//!   border line    K-----------R-----------K          K: kept by both tiles
//!   other tile     c  c  c  c   c  c  c  c            R: known to this tile only, removed again later
//! ```
//!
//! A *seam step* leads from a floor of this tile to a floor beyond its border. Consecutive seam steps form a
//! *chain* if only regions of one tile end between them: all four floors are connected around the corner, and
//! on either side they have one area. Both tiles see these floors, so both find the same chains. They keep
//! the ends of each chain, and the corners in between without which the straight edge would leave the ground
//! (D. Douglas and T. Peucker, 1973, in height).

use super::corner_ring::CornerRings;
use crate::data::{Direction, NO_NEIGHBOUR, RegionField};

/// The relation of a floor's corner to the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    /// No seam step ends there.
    Other,
    /// Both tiles keep it.
    Kept,
    /// If one tile keeps it, it does so for its own regions; the other tile need not have it.
    Removable,
}

/// The corners of floors with seam steps, in 12 bits per floor. For each corner that ends a side
/// ([`Direction`]): in the lowest four bits, a bit if it is kept; in the next four, a bit if it is removable.
/// In the highest four, for each side of the tile, a bit if the floor is in a chain there. Empty if the tile
/// has no border.
#[derive(Debug, Default)]
pub(crate) struct SeamCorners(Vec<u16>);

impl SeamCorners {
    /// The corner at the end of one side of a floor.
    #[inline]
    pub(crate) fn of(&self, span: u32, direction: Direction) -> Corner {
        match self.0.get(span as usize).map_or(0, |bits| bits >> direction as u8) {
            bits if bits & 1 != 0 => Corner::Kept,
            bits if bits & 16 != 0 => Corner::Removable,
            _ => Corner::Other,
        }
    }

    /// The corners of all chains.
    pub(crate) fn find(regions: &RegionField, rings: &CornerRings<'_>) -> SeamCorners {
        let mut corners = SeamCorners::default();
        let field = &regions.field;
        let grid = &field.grid;
        if grid.border == 0 {
            return corners;
        }
        corners.0 = vec![0; regions.region.len()];
        let (low, right, bottom) = (grid.border, grid.width - grid.border - 1, grid.depth - grid.border - 1);
        let mut chain = Vec::new();
        for side in Direction::ALL {
            let line = SeamLine { regions, side, along: along(side) };
            // Columns are visited along the line: a floor without a chain begins one.
            let mut visit = |x: u32, z: u32| {
                for span in field.column(grid.column(x, z)) {
                    if corners.0[span] & line.in_chain() == 0
                        && let Some(other) = line.beyond(span as u32)
                    {
                        line.follow([span as u32, other], &mut chain);
                        corners.mark(&line, &chain, [x, z], rings);
                    }
                }
            };
            match side {
                Direction::XMin => (low..=bottom).for_each(|z| visit(low, z)),
                Direction::XMax => (low..=bottom).for_each(|z| visit(right, z)),
                Direction::ZMin => (low..=right).for_each(|x| visit(x, low)),
                Direction::ZMax => (low..=right).for_each(|x| visit(x, bottom)),
            }
        }
        corners
    }

    /// Marks the corners of a chain of seam steps.
    fn mark(&mut self, line: &SeamLine<'_>, chain: &[[u32; 2]], start: [u32; 2], rings: &CornerRings<'_>) {
        let [first, last] = line.ends();
        let mut heights: Vec<i32> = chain.iter().map(|&[span, _]| rings.height_at(span, first)).collect();
        heights.extend(chain.last().map(|&[span, _]| rings.height_at(span, last)));
        let error2 = follow_error2(line.gap(chain, start), line.regions.field.walkable_climb);
        let kept = profile(&heights, error2);
        for ([span, _], kept) in chain.iter().zip(kept.array_windows::<2>()) {
            let bits = &mut self.0[*span as usize];
            *bits |= line.in_chain();
            for (corner, kept) in [first, last].into_iter().zip(kept) {
                *bits |= (if *kept { 1 } else { 16 }) << corner as u8;
            }
        }
    }
}

/// Twice the greatest height of a straight edge above or below its corners, cells: within two climbs of the
/// ground, and so near it that edges of two storeys, at least `gap` apart, never come within one climb of
/// each other. Two climbs, because more saves next to nothing: the scene terrain, whose seams cross one
/// storey of hills, has 388 polygons in tiles of 48 cells with one climb, 358 with two, and 354 with any
/// number.
fn follow_error2(gap: i32, walkable_climb: i32) -> i64 {
    let (gap, climb) = (i64::from(gap), i64::from(walkable_climb));
    (4 * climb).min(gap - climb - 1).max(0)
}

/// The direction along a side of growing coordinates: the same for both tiles.
fn along(side: Direction) -> Direction {
    match side {
        Direction::XMin | Direction::XMax => Direction::ZMax,
        Direction::ZMin | Direction::ZMax => Direction::XMax,
    }
}

/// One side of the tile.
struct SeamLine<'a> {
    regions: &'a RegionField,
    side: Direction,
    along: Direction,
}

impl SeamLine<'_> {
    /// The corners of a floor on this side, as the sides that they end: first the corner with the smaller
    /// coordinate.
    fn ends(&self) -> [Direction; 2] {
        // Outlines are walked from each side to the next one.
        if self.side.next() == self.along {
            [self.side.previous(), self.side]
        } else {
            [self.side, self.side.previous()]
        }
    }

    /// The floor beyond a side, if steps lead there and back.
    fn step(&self, span: u32, direction: Direction) -> Option<u32> {
        let neighbours = &self.regions.field.neighbours;
        let other = neighbours.one(span as usize, direction);
        let is_mutual = || neighbours.one(other as usize, direction.next().next()) == span;
        (other != NO_NEIGHBOUR && is_mutual()).then_some(other)
    }

    /// The floor beyond the border, if there is a seam step.
    fn beyond(&self, span: u32) -> Option<u32> {
        let label = |span: u32| self.regions.region[span as usize];
        self.step(span, self.side).filter(|&other| label(span).is_inner() && label(other).is_border())
    }

    /// The bit of floors in a chain on this side.
    fn in_chain(&self) -> u16 {
        1 << (8 + self.side as u8)
    }

    /// The steps of a chain that starts with a given one.
    fn follow(&self, [mut span, mut other]: [u32; 2], chain: &mut Vec<[u32; 2]>) {
        let area = |span: u32| self.regions.field.area[span as usize];
        chain.clear();
        chain.push([span, other]);
        while let Some(next) = self.step(span, self.along)
            && let Some(next_other) = self.beyond(next)
            && self.step(other, self.along) == Some(next_other)
            && area(span) == area(next)
            && area(other) == area(next_other)
        {
            (span, other) = (next, next_other);
            chain.push([span, other]);
        }
    }

    /// The least difference in height between a floor of a chain, which starts in a column of the grid, and
    /// another floor of the same column, on either side of the border. Both tiles know all of these floors,
    /// so they find the same difference.
    fn gap(&self, chain: &[[u32; 2]], [x, z]: [u32; 2]) -> i32 {
        let field = &self.regions.field;
        let step = |direction: Direction| {
            let (dx, dz) = direction.offset();
            dx as isize + dz as isize * field.grid.width as isize
        };
        let (along, beyond) = (step(self.along), step(self.side));
        // From bottom to top, so the nearest floors are the previous and the next one.
        let gap_at = |span: u32, column: usize| {
            let (span, spans) = (span as usize, field.column(column));
            let below = (span > spans.start).then(|| field.floor[span] - field.floor[span - 1]);
            let above = (span + 1 < spans.end).then(|| field.floor[span + 1] - field.floor[span]);
            below.unwrap_or(i32::MAX).min(above.unwrap_or(i32::MAX))
        };
        let (mut column, mut least) = (field.grid.column(x, z), i32::MAX);
        for &[span, other] in chain {
            least = least.min(gap_at(span, column)).min(gap_at(other, column.wrapping_add_signed(beyond)));
            column = column.wrapping_add_signed(along);
        }
        least
    }
}

/// Selects the heights to keep, one cell apart, so that straight lines between these miss no other by more
/// than half of `error2`: the ends, and then repeatedly the first of those furthest away.
fn profile(heights: &[i32], error2: i64) -> Vec<bool> {
    let mut kept = vec![false; heights.len()];
    let Some(last) = heights.len().checked_sub(1) else { return kept };
    (kept[0], kept[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        // Heights are 32 bits and chains shorter than 2^24: products stay far below 2^63.
        let (start, rise) = (i64::from(heights[from]), i64::from(heights[to]) - i64::from(heights[from]));
        let length = (to - from) as i64;
        let deviation =
            |at: usize| ((i64::from(heights[at]) - start) * length - rise * (at - from) as i64).abs();
        let worst = (from + 1..to).rev().max_by_key(|&at| deviation(at));
        if let Some(worst) = worst.filter(|&at| 2 * deviation(at) > error2 * length) {
            kept[worst] = true;
            open.extend([(from, worst), (worst, to)]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_within_two_climbs_and_away_from_other_storeys() {
        assert_eq!(follow_error2(10, 4), 5);
        assert_eq!(follow_error2(40, 4), 16);
        assert_eq!(follow_error2(i32::MAX, 4), 16);
        assert_eq!(follow_error2(5, 9), 0);
        for (gap, climb) in (1..50).flat_map(|gap| (0..gap).map(move |climb| (gap, climb))) {
            let error2 = follow_error2(gap, climb);
            assert!(error2 <= 4 * i64::from(climb));
            // Two edges with the greatest error each.
            assert!(i64::from(gap) - error2 > i64::from(climb));
        }
    }

    #[test]
    fn a_stair_that_becomes_level_is_cut_there() {
        let heights: Vec<i32> = (0..20).map(|at| if at < 10 { 2 * at } else { 20 }).collect();
        let kept = profile(&heights, 4);
        let corners: Vec<usize> = (0..20).filter(|&at| kept[at]).collect();
        assert_eq!(corners, [0, 10, 19]);
        assert!(profile(&heights, 40)[1..19].iter().all(|kept| !kept));
        assert_eq!(profile(&[7], 0), [true]);
        assert_eq!(profile(&[], 0), [false; 0]);
    }

    #[test]
    fn of_equals_the_smaller_coordinate_is_kept() {
        assert_eq!(profile(&[0, 3, 0, 3, 0], 5), [true, true, false, false, true]);
        assert_eq!(profile(&[0, 3, 3, 0], 5), [true, true, false, true]);
        assert_eq!(profile(&[0, 3, 3, 3, 0], 7), [true, false, false, false, true]);
    }
}
