//! Scratch memory for corridors. Corridors share it, so that each of many agents does not need its own.

use crate::poly_ref::PolyRef;
use navmath::sort::SharedSort;

/// Scratch memory for moving and shortening corridors.
#[derive(Debug, Default)]
pub(crate) struct CorridorScratch {
    pub(crate) common: Common,
    /// Polygons that a move or a ray crosses, or that a search finds.
    pub(crate) polygons: Vec<PolyRef>,
}

/// Finds the polygons of a row that a move visited. Cost: O(n log n) for all polygons of both.
#[derive(Debug, Default)]
pub(crate) struct Common {
    /// The visited polygons with their indices, sorted. Only the memory is kept between calls.
    visited: Vec<(PolyRef, usize)>,
}

impl Common {
    /// The last polygon of `row` that is in `visited`: its index in `row`, and its last index in `visited`.
    pub(crate) fn last(&mut self, row: &[PolyRef], visited: &[PolyRef]) -> Option<(usize, usize)> {
        self.find(row.iter().enumerate().rev(), visited)
    }

    /// The first polygon of `row` that is in `visited`, with its indices as in [`Common::last`].
    pub(crate) fn first(&mut self, row: &[PolyRef], visited: &[PolyRef]) -> Option<(usize, usize)> {
        self.find(row.iter().enumerate(), visited)
    }

    /// The first match in the order of `row`.
    fn find<'a>(
        &mut self,
        mut row: impl Iterator<Item = (usize, &'a PolyRef)>,
        visited: &[PolyRef],
    ) -> Option<(usize, usize)> {
        self.visited.clear();
        self.visited.extend(visited.iter().enumerate().map(|(at, &polygon)| (polygon, at)));
        self.visited.shared_sort();
        row.find_map(|(at, polygon)| {
            let end = self.visited.partition_point(|(other, _)| other <= polygon);
            let (other, last) = *self.visited.get(end.checked_sub(1)?)?;
            (other == *polygon).then_some((at, last))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = Vec<PolyRef>> {
        prop::collection::vec((0..9u32).prop_map(|index| PolyRef::from_checked(1, 0, index)), 0..12)
    }

    proptest! {
        #[test]
        fn common_polygons_are_found_from_both_ends(row in row(), visited in row()) {
            let last_visit = |(at, polygon): (usize, &PolyRef)| {
                Some((at, visited.iter().rposition(|other| other == polygon)?))
            };
            let mut common = Common::default();
            prop_assert_eq!(common.first(&row, &visited), row.iter().enumerate().find_map(last_visit));
            prop_assert_eq!(common.last(&row, &visited), row.iter().enumerate().rev().find_map(last_visit));
        }
    }
}
