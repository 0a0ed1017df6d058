//! Building span fields by hand: against rasterizing a level, and in any order.

use super::*;
use crate::stage::mark_walkable;
use crate::stage::testing::{grid, heights};
use crate::{Level, PreparedLevel, Scratch, Settings, TileBuild};
use proptest::prelude::*;

const PARAMS: rasterize::Params = rasterize::Params { merge_threshold: 1 };

#[test]
fn spans_build_the_picture_they_are_taken_from() {
    let picture = heights::<Rasterized>("12.\n.34\n5.1");
    let mut builder = SpanBuilder::new(picture.grid).unwrap();
    for (x, z, max) in [(1, 2, 0), (2, 2, 1), (0, 2, 5), (2, 1, 4), (1, 1, 3), (1, 0, 2), (0, 0, 1)] {
        // A span without height is refused; the column stays empty.
        assert_eq!(builder.add_span(x, z, 0, max, AreaId::GROUND).is_ok(), max > 0);
    }
    assert_eq!(builder.finish(&PARAMS).unwrap(), picture);
}

#[test]
fn spans_that_touch_become_one() {
    let mut builder = SpanBuilder::new(grid(1, 1)).unwrap();
    builder.add_span(0, 0, 4, 6, AreaId(2)).unwrap();
    builder.add_span(0, 0, 8, 9, AreaId(1)).unwrap();
    builder.add_span(0, 0, 0, 4, AreaId(0)).unwrap();
    let field = builder.finish(&PARAMS).unwrap();
    field.check().unwrap();
    assert_eq!((field.min, field.max), (vec![0, 8], vec![6, 9]));
    assert_eq!(field.area, [AreaId(2), AreaId(1)]);
}

#[test]
fn triangles_are_clipped_to_the_height() {
    let tall = [[0.5, -3.0, 0.5], [0.5, 9.0, 0.5], [0.5, 9.0, 0.8]];
    let top = |builder: SpanBuilder| {
        let mut builder = builder;
        builder.add_triangle(tall, AreaId::GROUND).unwrap();
        let field = builder.finish(&PARAMS).unwrap();
        (field.min[0], field.max[0])
    };
    assert_eq!(top(SpanBuilder::new(grid(2, 2)).unwrap()), (0, 9));
    assert_eq!(top(SpanBuilder::new(grid(2, 2)).unwrap().with_height(4.0).unwrap()), (0, 4));
}

#[test]
fn what_cannot_be_used_is_refused() {
    let mut builder = SpanBuilder::new(grid(3, 2)).unwrap();
    let outside = builder.add_span(3, 1, 0, 1, AreaId::GROUND).unwrap_err();
    assert_eq!(outside.to_string(), "column (3, 1) lies outside the grid of 3 x 2 columns, numbered from 0");
    for (min, max) in [(2, 2), (-1, 2), (0, MAX_GRID_HEIGHT as i32 + 1), (i32::MIN, i32::MAX)] {
        assert_eq!(
            builder.add_span(0, 0, min, max, AreaId::GROUND),
            Err(Error::Span { x: 0, z: 0, min, max })
        );
    }
    for value in [f32::NAN, f32::INFINITY] {
        let corners = [[0.0; 3], [1.0, value, 0.0], [0.0, 0.0, 1.0]];
        assert!(matches!(builder.add_triangle(corners, AreaId::GROUND), Err(Error::NotFinite(_))));
    }
    assert!(builder.finish(&PARAMS).unwrap().is_empty());
    let new = |change: fn(&mut Grid)| {
        let mut grid = grid(3, 2);
        change(&mut grid);
        SpanBuilder::new(grid).map(|_| ())
    };
    assert!(matches!(new(|grid| grid.cell_size = 0.0), Err(Error::CellSize { .. })));
    assert!(matches!(new(|grid| grid.cell_height = f32::NAN), Err(Error::CellSize { .. })));
    assert!(matches!(new(|grid| grid.width = u32::MAX), Err(Error::Limit(_))));
    assert!(matches!(new(|grid| grid.base_z = i32::MIN), Err(Error::Limit(_))));
    assert_eq!(new(|_| {}), Ok(()));
    let height = SpanBuilder::new(grid(3, 2)).unwrap().with_height(-1.0);
    assert_eq!(height.err(), Some(Error::Height(-1.0)));
}

/// Something to add.
#[derive(Clone, Copy, Debug)]
enum Item {
    Span { x: u32, z: u32, min: i32, height: i32, area: u8 },
    Triangle { corners: [[f32; 3]; 3], area: u8 },
}

impl Item {
    fn add(self, builder: &mut SpanBuilder) {
        match self {
            Item::Span { x, z, min, height, area } => builder.add_span(x, z, min, min + height, AreaId(area)),
            Item::Triangle { corners, area } => builder.add_triangle(corners, AreaId(area)),
        }
        .unwrap();
    }
}

fn corners() -> impl Strategy<Value = [[f32; 3]; 3]> {
    // Eighths: some corners fall on lines, where cutting is delicate.
    prop::array::uniform3(prop::array::uniform3((-16..80i32).prop_map(|v| v as f32 / 8.0)))
}

fn item() -> impl Strategy<Value = Item> {
    let span = (0..7u32, 0..6u32, 0..9i32, 1..5i32, 0..4u8);
    prop_oneof![
        span.prop_map(|(x, z, min, height, area)| Item::Span { x, z, min, height, area }),
        (corners(), 0..4u8).prop_map(|(corners, area)| Item::Triangle { corners, area }),
    ]
}

proptest! {
    #[test]
    fn the_order_of_adding_does_not_matter(
        (items, shuffled) in prop::collection::vec(item(), 0..16)
            .prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
        merge_threshold in 0..4i32,
    ) {
        let build = |items: &[Item]| {
            let mut builder = SpanBuilder::new(grid(7, 6)).unwrap();
            items.iter().for_each(|item| item.add(&mut builder));
            builder.finish(&rasterize::Params { merge_threshold }).unwrap()
        };
        let field = build(&items);
        prop_assert!(field.check().is_ok());
        prop_assert_eq!(field, build(&shuffled));
    }

    #[test]
    fn the_triangles_of_a_level_give_the_level_rasterized(soup in prop::collection::vec(corners(), 1..10)) {
        let settings = Settings { cell_size: 0.3, cell_height: 0.2, bounds: Some([[0.0; 3], [9.0; 3]]), ..Settings::default() };
        let level = Level {
            vertices: soup.as_flattened().iter().map(|corner| corner.map(f64::from)).collect(),
            triangles: (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            areas: Vec::new(),
        };
        let Ok(level) = PreparedLevel::new(&level, &settings) else { return Ok(()) };
        let grid = TileBuild::solo(&level).grid;
        let areas = mark_walkable::run(&level, &mark_walkable::Params { walkable_slope: 45.0 });
        let mut builder = SpanBuilder::for_level(&level, grid).unwrap();
        for (triangle, &area) in areas.iter().enumerate() {
            builder.add_triangle(level.corners(triangle), area).unwrap();
        }
        let expected = rasterize::run(&level, &areas, &grid, &PARAMS, &mut Scratch::new()).unwrap();
        prop_assert_eq!(builder.finish(&PARAMS).unwrap(), expected);
    }
}
