//! Finds floors by column, by region and by height. A column may have thousands of floors, one for each
//! storey, so no lookup scans a whole tall column.
//!
//! Spans are numbered column by column, and most spans of a region are consecutive. If there are tall
//! columns, each region gets a list of such runs:
//!
//! ```text
//!   spans    0 1 2 3 4 5 6 7 8      region a: 0..3, 5..6
//!   region   a a a b b a b b b      region b: 3..5, 6..9
//! ```
//! Cost: O(spans) once if there are tall columns; then the logarithm of the region's runs, or of the column's
//! floors.

use super::regions::runs;
use super::{RegionField, RegionId};
use navmath::predicates::Point;
use navmath::{FIXED_ONE, FIXED_SHIFT};
use std::ops::{Deref, Range, RangeInclusive};
use std::sync::OnceLock;

/// Columns with more floors than this are tall. In all others a scan is faster than a search among runs.
pub(crate) const FEW: usize = 32;

/// The four columns of the tile with their centres around a place, 1/256 cell: of a corner of cells, those
/// that meet in it.
pub(crate) fn around(place: Point) -> [[i32; 2]; 4] {
    let [x, z] = place.map(|at| (at - FIXED_ONE / 2) >> FIXED_SHIFT);
    [[x, z], [x + 1, z], [x, z + 1], [x + 1, z + 1]]
}

/// A region field with an index of the spans of each region.
pub(crate) struct FloorLookup<'a> {
    regions: &'a RegionField,
    runs: OnceLock<RegionRuns>,
}

/// The runs of spans of each region, without the tile's border.
struct RegionRuns {
    /// Start of each region's runs, and the end of the last; the first entry is for spans without a region.
    first: Vec<u32>,
    /// The first span of each run and the span after its last, ascending.
    runs: Vec<[u32; 2]>,
}

impl RegionRuns {
    fn new(labels: &[RegionId], count: u32) -> RegionRuns {
        let known = || runs(labels).filter(|(region, _)| !region.is_border());
        let mut first = vec![0; count as usize + 2];
        known().for_each(|(region, _)| first[region.index() + 1] += 1);
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut sorted = vec![[0; 2]; first[first.len() - 1] as usize];
        for (region, spans) in known() {
            let place = &mut next[region.index()];
            sorted[*place as usize] = [spans.start as u32, spans.end as u32];
            *place += 1;
        }
        RegionRuns { first, runs: sorted }
    }

    /// The spans of a region within a range.
    fn within(&self, region: RegionId, spans: Range<usize>) -> impl Iterator<Item = usize> {
        let index = region.index();
        let all = &self.runs[self.first[index] as usize..self.first[index + 1] as usize];
        let from = &all[all.partition_point(|&[_, end]| end as usize <= spans.start)..];
        let meeting = from.iter().take_while(move |run| (run[0] as usize) < spans.end);
        meeting.flat_map(move |run| (run[0] as usize).max(spans.start)..(run[1] as usize).min(spans.end))
    }
}

impl Deref for FloorLookup<'_> {
    type Target = RegionField;

    fn deref(&self) -> &RegionField {
        self.regions
    }
}

impl<'a> FloorLookup<'a> {
    pub(crate) fn new(regions: &'a RegionField) -> FloorLookup<'a> {
        FloorLookup { regions, runs: OnceLock::new() }
    }

    /// The floor of a column, given by its spans, that belongs to one of some regions; of several, the
    /// nearest to a height.
    #[inline]
    pub(crate) fn own_of(&self, spans: Range<usize>, own: &[RegionId], height: i32) -> Option<usize> {
        if spans.len() > FEW {
            return self.own_of_tall(spans, own, height);
        }
        if let [own] = own {
            return { spans }.find(|&span| self.regions.region[span] == *own);
        }
        let own = spans.filter(|&span| own.contains(&self.regions.region[span]));
        own.min_by_key(|&span| (self.regions.field.floor[span] - height).abs())
    }

    #[cold]
    fn own_of_tall(&self, spans: Range<usize>, own: &[RegionId], height: i32) -> Option<usize> {
        let runs = self.runs.get_or_init(|| RegionRuns::new(&self.region, self.count));
        let distance = |span: usize| (self.field.floor[span] - height).abs();
        match own {
            [own] => runs.within(*own, spans).next(),
            _ => {
                let found = own.iter().flat_map(|region| runs.within(*region, spans.clone()));
                found.min_by_key(|&span| (distance(span), span))
            }
        }
    }

    /// The spans of a column of the tile; empty outside the baked grid.
    #[inline]
    pub(crate) fn column_at(&self, [x, z]: [i32; 2]) -> Range<usize> {
        let grid = &self.field.grid;
        let (x, z) = (x + grid.border as i32, z + grid.border as i32);
        if x < 0 || z < 0 || x >= grid.width as i32 || z >= grid.depth as i32 {
            return 0..0;
        }
        self.field.column(grid.column(x as u32, z as u32))
    }

    /// The highest floor of a column of the tile within a range of heights.
    pub(crate) fn floor_at(&self, column: [i32; 2], heights: RangeInclusive<i32>) -> Option<usize> {
        let mut spans = self.column_at(column);
        if spans.len() > FEW {
            let floors = &self.field.floor[spans.clone()];
            spans.end = spans.start + floors.partition_point(|floor| floor <= heights.end());
            spans.start = spans.start.max(spans.end.saturating_sub(1));
        }
        spans.rev().find(|&span| heights.contains(&self.field.floor[span]))
    }

    /// The floor of a column of the tile that is nearest to the range between two heights, at most `most`
    /// away from it; of several in the range, the nearest to the first height.
    pub(crate) fn floor_near(&self, column: [i32; 2], heights: [i32; 2], most: i32) -> Option<usize> {
        let spans = self.column_at(column);
        Some(spans.start + nearest_floor(&self.field.floor[spans], heights, most)?)
    }

    /// The heights of floors around a corner of this height, cells. A corner is as high as the highest floor
    /// around it that can be reached. The others are at most two steps lower, and not on a lower storey.
    pub(crate) fn heights_at_corner(&self, height: i32) -> RangeInclusive<i32> {
        let lowest = (2 * self.field.walkable_climb).min(self.field.walkable_height - 1);
        height - lowest..=height
    }

    /// Adds the regions around the corners of a polygon that was joined from several.
    pub(crate) fn add_regions_around(&self, corners: &[[i32; 3]], found: &mut Vec<RegionId>) {
        for &[x, y, z] in corners {
            for column in around([x, z]) {
                let floor = self.floor_at(column, self.heights_at_corner(y));
                found.extend(floor.map(|span| self.region[span]).filter(|region| region.is_inner()));
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}

/// The index of the nearest of ascending floors, by the rule of [`FloorLookup::floor_near`].
fn nearest_floor(floors: &[i32], [from, to]: [i32; 2], most: i32) -> Option<usize> {
    let [low, high] = [from.min(to), from.max(to)];
    let above = floors.partition_point(|&floor| floor < low);
    let beyond = floors.partition_point(|&floor| floor <= high);
    if above < beyond {
        return Some(if from == low { above } else { beyond - 1 });
    }
    let away = |&index: &usize| (floors[index] - floors[index].clamp(low, high)).abs();
    let beside = above.checked_sub(1).into_iter().chain([beyond]).filter(|&index| index < floors.len());
    beside.min_by_key(away).filter(|index| away(index) <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_floor_is_none_further_than_another(
            floors in prop::collection::btree_set(-20i32..20, 0..9),
            heights in [-22i32..22, -22..22],
            most in 0i32..6,
        ) {
            let floors: Vec<i32> = floors.into_iter().collect();
            let [low, high] = [heights[0].min(heights[1]), heights[0].max(heights[1])];
            let away = |floor: i32| ((low - floor).max(floor - high).max(0), (floor - heights[0]).abs());
            let expected = floors.iter().map(|&floor| away(floor)).min().filter(|&(away, _)| away <= most);
            let found = nearest_floor(&floors, heights, most).map(|index| away(floors[index]));
            // One floor below and one above may be equally far from the range: then either is nearest.
            prop_assert_eq!(found.map(|found| found.0), expected.map(|expected| expected.0));
            prop_assert!(found.is_none_or(|(away, _)| away > 0) || found == expected);
        }

        #[test]
        fn runs_have_the_spans_of_their_region(labels in prop::collection::vec(0u32..4, 0..60), ends in [0usize..61, 0..61]) {
            let region = |label: u32| match label {
                0 => RegionId::NONE,
                3 => RegionId::border(2),
                inner => RegionId::inner(inner),
            };
            let labels: Vec<RegionId> = labels.into_iter().map(region).collect();
            let [start, end] = ends.map(|end| end.min(labels.len()));
            let runs = RegionRuns::new(&labels, 2);
            for wanted in [0, 1, 2].map(region) {
                let expected: Vec<usize> = (start..end).filter(|&span| labels[span] == wanted).collect();
                prop_assert_eq!(runs.within(wanted, start..end).collect::<Vec<_>>(), expected);
            }
        }
    }
}
