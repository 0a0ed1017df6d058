//! The fragments and holes that obstacles add to the columns of a tile, gathered obstacle by obstacle. Items
//! that have no effect are dropped.
//!
//! Obstacles above each other reach the same columns again and again. Items of a column that together have
//! the effect of a single item are joined each time their number has doubled. So memory follows the remaining
//! items, and each item is sorted a few times at most.

use navtile::area::AreaId;
use recast::Error;
use recast::data::Grid;
use recast::inside::data::Fragment;
use recast::inside::lists::bucket_sort;

/// Fewer items than this are not worth a pass.
const FEW: usize = 1 << 14;

/// An item of a column. Several of them may have the effect of a single item.
pub(super) trait ColumnItem: Copy + Default + Ord {
    /// Joins `next`, which must not sort before this item, to it. Returns true if one item has the effect of
    /// both.
    fn join(&mut self, next: Self) -> bool;
}

impl ColumnItem for Fragment {
    /// Fragments with the same top always merge, into the lowest bottom and the highest area: their tops are
    /// within every threshold. This changes no later step of [`recast::inside::stage::merge_column`].
    fn join(&mut self, next: Fragment) -> bool {
        let has_same_top = self.top() == next.top();
        if has_same_top {
            *self = next.merge(*self, 0);
        }
        has_same_top
    }
}

/// A range of cells that is removed from a column: the first, and the one after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ColumnHole {
    pub(super) first: i32,
    pub(super) end: i32,
}

impl ColumnItem for ColumnHole {
    fn join(&mut self, next: ColumnHole) -> bool {
        let meets = next.first <= self.end;
        if meets {
            self.end = self.end.max(next.end);
        }
        meets
    }
}

/// Items by column.
pub(super) struct Gathered<T> {
    grid: Grid,
    /// The memory that the items may take, bytes.
    bound: u64,
    /// The items with their columns. The first `joined` are sorted, and none of them can be joined.
    pub(super) items: Vec<(u32, T)>,
    joined: usize,
    offsets: Vec<u32>,
    sorted: Vec<T>,
}

impl<T: ColumnItem> Gathered<T> {
    pub(super) fn new(grid: &Grid, bound: u64) -> Gathered<T> {
        let (items, offsets, sorted) = (Vec::new(), Vec::new(), Vec::new());
        Gathered { grid: *grid, bound, items, joined: 0, offsets, sorted }
    }

    /// Joins items if their number has doubled since the last time.
    ///
    /// # Errors
    /// The remaining items take more memory than the bound.
    pub(super) fn keep_few(&mut self) -> Result<(), Error> {
        // A pass visits every column.
        if self.items.len() < 2 * self.joined.max(self.grid.columns()).max(FEW) {
            return Ok(());
        }
        self.join();
        // Their number doubles before the next pass, and sorting holds each item twice.
        let memory = 4 * size_of_val(self.items.as_slice()) as u64;
        if memory > self.bound { Err(Error::too_large(&self.grid, memory, self.bound)) } else { Ok(()) }
    }

    fn join(&mut self) {
        let items = self.items.iter().map(|&(column, item)| (column as usize, item));
        bucket_sort(self.grid.columns(), items, &mut self.offsets, &mut self.sorted);
        self.items.clear();
        for (column, ends) in (0..).zip(self.offsets.windows(2)) {
            let own = &mut self.sorted[ends[0] as usize..ends[1] as usize];
            own.sort_unstable();
            let mut rest = own.iter().copied();
            let Some(mut item) = rest.next() else { continue };
            for next in rest {
                if !item.join(next) {
                    self.items.push((column, std::mem::replace(&mut item, next)));
                }
            }
            self.items.push((column, item));
        }
        self.joined = self.items.len();
    }

    /// Returns all items, sorted by column.
    pub(super) fn finish(mut self) -> Vec<(u32, T)> {
        if !self.items.is_empty() {
            self.join();
        }
        self.items
    }
}

/// Adds the remaining spans of a column between its holes to `left`. A part that ends below a hole has a flat
/// top: if its span is not ground, the part has the rank of plain ground, `ground`.
pub(crate) fn cut_holes(
    spans: &[Fragment],
    holes: &[(u32, ColumnHole)],
    ground: AreaId,
    left: &mut Vec<Fragment>,
) {
    for span in spans {
        let flat = if span.area().is_walkable() { span.area() } else { ground };
        left.extend(left_of(holes, [span.bottom(), span.top()]).map(|[bottom, top]| {
            Fragment::new(bottom, top, if top == span.top() { span.area() } else { flat })
        }));
    }
}

/// The remaining parts of a range of cells between the holes of a column. The holes are sorted and do not
/// touch each other.
pub(super) fn left_of(
    holes: &[(u32, ColumnHole)],
    [bottom, top]: [i32; 2],
) -> impl Iterator<Item = [i32; 2]> {
    let first = holes.partition_point(|(_, hole)| hole.end <= bottom);
    let mut met = holes[first..].iter().map(|(_, hole)| hole).take_while(move |hole| hole.first < top);
    let mut next = Some(bottom);
    std::iter::from_fn(move || {
        let bottom = next?;
        let hole = met.next();
        next = hole.map(|hole| hole.end);
        Some([bottom, hole.map_or(top, |hole| hole.first)])
    })
    .filter(|[bottom, top]| bottom < top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use recast::inside::stage::merge_column;

    const GROUND: AreaId = AreaId(2);

    fn grid() -> Grid {
        Grid { width: 2, depth: 1, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 }
    }

    fn fragment() -> impl Strategy<Value = Fragment> {
        (0..14i32, 1..8i32, 0..4u8)
            .prop_map(|(bottom, more, rank)| Fragment::new(bottom, bottom + more, AreaId(rank)))
    }

    fn hole() -> impl Strategy<Value = ColumnHole> {
        (0..18i32, 1..5i32).prop_map(|(first, more)| ColumnHole { first, end: first + more })
    }

    /// The items of both columns, joined after each of these counts.
    fn joined<T: ColumnItem>(items: &[(u32, T)], after: usize) -> Vec<(u32, T)> {
        let mut gathered = Gathered::new(&grid(), u64::MAX);
        for batch in items.chunks(after) {
            gathered.items.extend_from_slice(batch);
            gathered.join();
        }
        gathered.finish()
    }

    fn column<T: Copy>(items: &[(u32, T)], column: u32) -> Vec<T> {
        items.iter().filter(|(own, _)| *own == column).map(|(_, item)| *item).collect()
    }

    /// The plain rule: each hole is cut from each span, one after the other.
    fn cut_one_by_one(spans: &[Fragment], holes: &[ColumnHole]) -> Vec<Fragment> {
        let mut left = spans.to_vec();
        for &ColumnHole { first, end } in holes {
            let cut = |span: &Fragment| {
                if span.top() <= first || span.bottom() >= end {
                    return vec![*span];
                }
                let flat = if span.area().is_walkable() { span.area() } else { GROUND };
                let below = (span.bottom() < first).then(|| Fragment::new(span.bottom(), first, flat));
                let above = (span.top() > end).then(|| Fragment::new(end, span.top(), span.area()));
                below.into_iter().chain(above).collect()
            };
            left = left.iter().flat_map(cut).collect();
        }
        left
    }

    proptest! {
        #[test]
        fn joined_fragments_merge_to_the_same_spans(
            fragments in prop::collection::vec((0..2u32, fragment()), 0..40),
            after in 1..9usize,
            threshold in 0..5i32,
        ) {
            let joined = joined(&fragments, after);
            prop_assert!(joined.is_sorted());
            for number in 0..2 {
                let (mut all, mut few) = (column(&fragments, number), column(&joined, number));
                prop_assert!(few.windows(2).all(|pair| pair[0].top() < pair[1].top()));
                prop_assert_eq!(merge_column(&mut all, threshold), merge_column(&mut few, threshold));
            }
        }

        #[test]
        fn joined_holes_leave_what_each_of_them_leaves(
            mut spans in prop::collection::vec(fragment(), 0..8),
            holes in prop::collection::vec((0..2u32, hole()), 0..12),
            after in 1..5usize,
        ) {
            let spans = merge_column(&mut spans, 1);
            let joined = joined(&holes, after);
            for number in 0..2 {
                let mut plain = column(&holes, number);
                plain.sort_unstable();
                let own: Vec<(u32, ColumnHole)> =
                    joined.iter().filter(|(column, _)| *column == number).copied().collect();
                let mut left = Vec::new();
                cut_holes(spans, &own, GROUND, &mut left);
                prop_assert_eq!(left, cut_one_by_one(spans, &plain));
            }
        }
    }

    #[test]
    fn a_pile_of_fragments_is_held_once_and_refused_beyond_the_bound() {
        let mut gathered = Gathered::new(&grid(), 1 << 20);
        for number in 0..20 * FEW as i32 {
            gathered.items.push((0, Fragment::new(number % 7, 10 + number % 5, AreaId(1))));
            gathered.keep_few().unwrap();
            assert!(gathered.items.len() <= 2 * FEW);
        }
        assert_eq!(gathered.finish().len(), 5);
        let mut gathered = Gathered::new(&grid(), 1 << 20);
        let apart = |number: i32| (0, Fragment::new(2 * number, 2 * number + 1, AreaId(1)));
        let refused = (0..20 * FEW as i32).find_map(|number| {
            gathered.items.push(apart(number));
            gathered.keep_few().err()
        });
        assert!(matches!(refused, Some(Error::TooLarge { bound_mib: 1, .. })));
    }
}
