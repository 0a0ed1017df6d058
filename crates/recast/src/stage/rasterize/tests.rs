//! Rasterizing: small triangles checked by hand, and the two promises: order and tiling do not matter.

use super::*;
use crate::{Level, PreparedLevel, Settings};
use proptest::prelude::*;

/// Cells of 1 m, so that metres and cells are the same numbers.
fn prepare(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>, extent: f64) -> PreparedLevel {
    let settings = Settings {
        cell_size: 1.0,
        cell_height: 1.0,
        bounds: Some([[0.0; 3], [extent; 3]]),
        ..Settings::default()
    };
    PreparedLevel::new(&Level { vertices, triangles, areas: Vec::new() }, &settings).unwrap()
}

fn grid(level: &PreparedLevel) -> Grid {
    crate::TileBuild::solo(level).grid
}

fn rasterize(level: &PreparedLevel, grid: &Grid) -> SpanField<Rasterized> {
    let areas = vec![AreaId::GROUND; level.triangle_count()];
    run((Source::all(level), &areas, grid), &Params { merge_threshold: 1 }, &mut Context::new()).unwrap()
}

/// The number of spans of each column, one row per line.
fn picture(field: &SpanField<Rasterized>) -> String {
    let row = |z: u32| -> String {
        let digit = |x| field.column(field.grid.column(x, z)).len();
        (0..field.grid.width).map(|x| char::from_digit(digit(x) as u32, 10).unwrap()).collect()
    };
    (0..field.grid.depth).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_triangle_fills_the_columns_it_reaches() {
    let level = prepare(vec![[0.5, 1.2, 0.5], [0.5, 1.2, 3.5], [3.5, 1.2, 0.5]], vec![[0, 1, 2]], 5.0);
    let field = rasterize(&level, &grid(&level));
    field.check().unwrap();
    assert_eq!(picture(&field), "11110\n11100\n11000\n10000\n00000");
    assert_eq!((field.min[0], field.max[0]), (1, 2));
}

#[test]
fn geometry_on_the_lines_stays_on_its_side() {
    let level = prepare(
        vec![[1.0, 0.5, 1.0], [1.0, 0.5, 3.0], [3.0, 0.5, 3.0], [3.0, 0.5, 1.0]],
        vec![[0, 1, 2], [0, 2, 3]],
        4.0,
    );
    assert_eq!(picture(&rasterize(&level, &grid(&level))), "0000\n0110\n0110\n0000");
}

#[test]
fn a_wall_fills_its_height() {
    let level = prepare(vec![[1.5, 0.0, 0.5], [1.5, 3.0, 0.5], [1.5, 3.0, 2.5]], vec![[0, 1, 2]], 4.0);
    let field = rasterize(&level, &grid(&level));
    assert_eq!(picture(&field), "0100\n0100\n0100\n0000");
    let spans: Vec<_> = field.min.iter().zip(&field.max).map(|(&min, &max)| (min, max)).collect();
    assert_eq!(spans, [(0, 3), (0, 3), (2, 3)]);
}

#[test]
fn a_slope_rises_column_by_column() {
    let level = prepare(vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [4.0, 4.0, 0.0]], vec![[0, 1, 2]], 5.0);
    let field = rasterize(&level, &grid(&level));
    let spans: Vec<_> = field.min.iter().zip(&field.max).map(|(&min, &max)| (min, max)).collect();
    assert_eq!(spans, [(0, 1), (1, 2), (2, 3), (3, 4)]);
}

fn corner() -> impl Strategy<Value = [f64; 3]> {
    // Sixteenths: half of all corners are on lines, where cutting is delicate.
    prop::array::uniform3((-16..112i32).prop_map(|v| f64::from(v) / 8.0))
}

proptest! {
    #[test]
    fn the_order_of_triangles_and_corners_does_not_matter(soup in prop::collection::vec(prop::array::uniform3(corner()), 1..12)) {
        let level = |soup: &[[[f64; 3]; 3]]| {
            let triangles = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let settings = Settings { cell_size: 1.0, cell_height: 1.0, bounds: Some([[0.0; 3], [12.0; 3]]), ..Settings::default() };
            let level = Level { vertices: soup.as_flattened().to_vec(), triangles, areas: Vec::new() };
            PreparedLevel::new(&level, &settings).ok()
        };
        let turned: Vec<_> = soup.iter().rev().map(|&[a, b, c]| [b, c, a]).collect();
        if let (Some(level), Some(turned)) = (level(&soup), level(&turned)) {
            let field = rasterize(&level, &grid(&level));
            field.check().unwrap();
            prop_assert_eq!(field, rasterize(&turned, &grid(&turned)));
        }
    }

    #[test]
    fn a_tile_sees_what_the_whole_level_sees(
        soup in prop::collection::vec(prop::array::uniform3(corner()), 1..12),
        base_x in 0..6i32, base_z in 0..6i32, width in 1..6u32, depth in 1..6u32,
    ) {
        let triangles = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let settings = Settings { cell_size: 0.3, cell_height: 0.2, bounds: Some([[0.0; 3], [12.0; 3]]), ..Settings::default() };
        let level = Level { vertices: soup.as_flattened().to_vec(), triangles, areas: Vec::new() };
        let Ok(level) = PreparedLevel::new(&level, &settings) else { return Ok(()) };
        let whole = rasterize(&level, &grid(&level));
        let part = Grid { width, depth, base_x, base_z, ..whole.grid };
        let tile = rasterize(&level, &part);
        for z in 0..depth {
            for x in 0..width {
                let inside = tile.column(part.column(x, z));
                let outside = whole.column(whole.grid.column(x + base_x as u32, z + base_z as u32));
                prop_assert_eq!(&tile.min[inside.clone()], &whole.min[outside.clone()]);
                prop_assert_eq!(&tile.max[inside.clone()], &whole.max[outside.clone()]);
                prop_assert_eq!(&tile.area[inside], &whole.area[outside]);
            }
        }
    }
}

fn fragment(min: i32, max: i32, area: u8) -> Fragment {
    Fragment::new(min, max, AreaId(area))
}

fn merged(mut fragments: Vec<Fragment>, threshold: i32) -> Vec<Fragment> {
    merge_column(&mut fragments, threshold).to_vec()
}

#[test]
fn touching_spans_become_one() {
    assert_eq!(merged(vec![fragment(4, 6, 1), fragment(0, 4, 0)], 1), [fragment(0, 6, 1)]);
    assert_eq!(merged(vec![fragment(5, 6, 1), fragment(0, 4, 0)], 1), [fragment(0, 4, 0), fragment(5, 6, 1)]);
}

#[test]
fn near_tops_share_the_higher_area() {
    assert_eq!(merged(vec![fragment(0, 5, 9), fragment(0, 6, 0)], 1), [fragment(0, 6, 9)]);
    assert_eq!(merged(vec![fragment(0, 4, 9), fragment(0, 6, 0)], 1), [fragment(0, 6, 0)]);
}

#[test]
fn a_tall_fragment_swallows_several() {
    let spans = merged(vec![fragment(0, 1, 1), fragment(3, 4, 1), fragment(0, 9, 0)], 1);
    assert_eq!(spans, [fragment(0, 9, 0)]);
}

proptest! {
    #[test]
    fn order_does_not_matter_and_spans_stay_apart(
        fragments in prop::collection::vec((0..20i32, 1..6i32, 0..3u8), 0..12),
        threshold in 0..4i32,
        seed in any::<u64>(),
    ) {
        let fragments: Vec<_> =
            fragments.into_iter().map(|(min, height, area)| fragment(min, min + height, area)).collect();
        let mut shuffled = fragments.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, (seed.rotate_left(i as u32 * 7) as usize) % (i + 1));
        }
        let spans = merged(fragments.clone(), threshold);
        prop_assert_eq!(&spans, &merged(shuffled, threshold));
        prop_assert!(spans.windows(2).all(|pair| pair[0].top() < pair[1].bottom()));
        for cell in 0..26 {
            let solid = |list: &[Fragment]| list.iter().any(|f| f.bottom() <= cell && cell < f.top());
            prop_assert_eq!(solid(&spans), solid(&fragments));
        }
    }
}
