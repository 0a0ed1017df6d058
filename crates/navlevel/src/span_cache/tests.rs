//! Tests of cached spans: a bake of cached spans equals a bake of the triangles.

use super::*;
use navtile::TileCoord;
use proptest::prelude::*;
use recast::inside::stage::merge_column;

fn fragment() -> impl Strategy<Value = Fragment> {
    (0..12i32, 1..6i32, 0..4u8)
        .prop_map(|(bottom, more, rank)| Fragment::new(bottom, bottom + more, AreaId(rank)))
}

proptest! {
    #[test]
    fn spans_that_were_merged_stay_as_they_are(
        mut level in prop::collection::vec(fragment(), 0..12),
        threshold in 0..4i32,
    ) {
        let once = merge_column(&mut level, threshold).to_vec();
        let mut again = once.clone();
        prop_assert_eq!(merge_column(&mut again, threshold), once);
    }

    #[test]
    fn packed_spans_come_back(
        columns in prop::collection::vec(prop::collection::vec(fragment(), 0..4), 35),
        repeats in prop::collection::vec(0..3u8, 35),
        shifts in prop::collection::vec(-3..4i32, 35),
    ) {
        let build = testing_build(7, 5);
        let merged = MergedSpans { offsets: vec![0], spans: Vec::new() };
        let mut cached = CachedSpans { merged, ..CachedSpans::empty(&build) };
        for (index, mut column) in columns.into_iter().enumerate() {
            let like = match repeats[index] {
                0 => index.checked_sub(1),
                1 => index.checked_sub(7),
                _ => None,
            };
            if let Some(like) = like {
                let moved = |span: &Fragment| {
                    Fragment::new(span.bottom() + 3, span.top() + 3 + shifts[index].abs(), span.area())
                };
                column = cached.column(like).to_vec();
                if shifts[index] > 0 {
                    column = column.iter().map(moved).collect();
                }
            }
            cached.push(merge_column(&mut column, 1));
        }
        let packed = cached.pack();
        prop_assert_eq!(&CachedSpans::unpack(&packed, &build).unwrap(), &cached);
        // Every truncation and every changed byte gives an error or other spans, and never a panic.
        for at in 0..packed.len() {
            prop_assert!(CachedSpans::unpack(&packed[..at], &build).is_err());
            let mut wrong = packed.clone();
            wrong[at] ^= 0x55;
            let _ = CachedSpans::unpack(&wrong, &build);
        }
        let longer = [packed.as_slice(), &[0]].concat();
        prop_assert_eq!(CachedSpans::unpack(&longer, &build).unwrap_err().rule, "spans-end");
    }
}

fn testing_build(width: u32, depth: u32) -> TileBuild {
    let grid = Grid { width, depth, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
    TileBuild { coord: TileCoord::default(), grid }
}

#[test]
fn the_spans_are_described() {
    let book = include_str!("../../../../docs/format.md");
    for rule in crate::SPAN_RULES {
        assert!(book.contains(&format!("| `{rule}` |")), "docs/format.md says nothing of {rule}");
    }
}
