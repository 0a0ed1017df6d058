//! The sweep gives the same results as its stages, on random levels.

use super::*;
use crate::data::compact::state::Compacted;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR};
use crate::fast::connect;
use crate::stage::rasterize::FragmentField;
use crate::stage::{compact, rasterize};
use crate::stage::{filter_ledges, filter_low_ceilings, filter_low_hanging};
use crate::{Level, PreparedLevel, Settings, TileBuild};
use proptest::prelude::*;

/// A level of flat and tilted squares, many of them one above the other.
fn level(squares: &[([u8; 3], [u8; 2], i8, u8)]) -> Level {
    let mut level = Level::default();
    for &([x, y, z], [width, depth], rise, area) in squares {
        let first = level.vertices.len() as u32;
        let (x, y, z) = (f64::from(x) * 0.37, f64::from(y) * 0.21, f64::from(z) * 0.41);
        let (end_x, end_z) = (x + f64::from(width) * 0.5, z + f64::from(depth) * 0.5);
        let high = y + f64::from(rise) * 0.1;
        level.vertices.extend([[x, y, z], [x, y, end_z], [end_x, high, end_z], [end_x, high, z]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        level.areas.extend([AreaId(area), AreaId(area)]);
    }
    level
}

fn staged(
    level: &PreparedLevel,
    areas: &[AreaId],
    grid: &Grid,
    params: &Params,
) -> (CompactField<Compacted>, usize, ColumnSpans) {
    let Params { merge_threshold, walkable_height, walkable_climb, .. } = *params;
    let context = &mut Context::new();
    let input = (Source::all(level), areas, grid);
    let rasterized = rasterize::run(input, &rasterize::Params { merge_threshold }, context).unwrap();
    rasterized.check().unwrap();
    let (spans, kept) = (rasterized.len(), ColumnSpans::of_field(&rasterized));
    let field = filter_low_hanging::run(rasterized, &filter_low_hanging::Params { walkable_climb }, context);
    let field = filter_ledges::run(
        field.unwrap(),
        &filter_ledges::Params { walkable_height, walkable_climb },
        context,
    );
    let field =
        filter_low_ceilings::run(field.unwrap(), &filter_low_ceilings::Params { walkable_height }, context);
    let params = compact::Params { walkable_height, walkable_climb };
    (compact::run(field.unwrap(), &params, context).unwrap(), spans, kept)
}

/// The neighbours of all floors, searched one by one; if a side has several, the lowest floor.
fn neighbours(field: &CompactField<Compacted>) -> Vec<[u32; 4]> {
    let mut lists = Vec::new();
    field.for_each_span(|x, z, span| {
        let clearance = |span: usize| i32::from(field.clearance[span]);
        lists.push(Direction::ALL.map(|direction| {
            let Some((x, z)) = field.grid.neighbour(x, z, direction) else { return NO_NEIGHBOUR };
            let meets = |&other: &usize| {
                let low = field.floor[span].max(field.floor[other]);
                let high = (field.floor[span] + clearance(span)).min(field.floor[other] + clearance(other));
                let step = (field.floor[span] - field.floor[other]).abs();
                high - low >= field.walkable_height && step <= field.walkable_climb
            };
            field.column(field.grid.column(x, z)).find(meets).map_or(NO_NEIGHBOUR, |other| other as u32)
        }));
    });
    lists
}

/// A level of loose triangles, and two corners that keep its bounds where they are.
fn loose(triangles: &[[[f32; 3]; 3]]) -> Level {
    let corners = triangles.iter().flatten().copied();
    let ends =
        [[0.0; 3], [0.0, 0.0, 0.5], [0.5, 0.0, 0.0], [7.0, 3.0, 7.0], [7.0, 3.0, 6.5], [6.5, 3.0, 7.0]];
    let vertices: Vec<[f64; 3]> = corners.chain(ends).map(|corner| corner.map(f64::from)).collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|first| [0, 1, 2].map(|corner| 3 * first + corner));
    Level { triangles: triangles.collect(), vertices, areas: Vec::new() }
}

/// Coordinates of three corners: each on a line of the grid or a few floats next to one, mostly of the same
/// line, or anywhere.
fn on_lines(cell: f32) -> impl Strategy<Value = [f32; 3]> {
    let corner = prop_oneof![
        4 => (Just(None), -3i32..4),
        2 => ((0i32..24).prop_map(Some), -1i32..2),
        1 => ((0i32..24).prop_map(Some), -4_000_000i32..4_000_000),
    ];
    (0i32..24, prop::array::uniform3(corner)).prop_map(move |(shared, corners)| {
        corners.map(|(line, floats)| {
            let line = (f64::from(line.unwrap_or(shared)) * f64::from(cell)) as f32;
            f32::from_bits((line.to_bits() as i32 + floats).max(0) as u32).min(7.0)
        })
    })
}

/// Compares the sweep with its stages, in one piece and for a tile, in every split of the rows.
fn compare(level: &PreparedLevel, walls: u64, params: &Params) -> Result<(), TestCaseError> {
    let Params { walkable_height, walkable_climb, keep_spans, .. } = *params;
    let walkable = |triangle: usize| walls >> (triangle % 64) & 3 != 0;
    let areas: Vec<AreaId> = (0..level.triangle_count())
        .map(|triangle| if walkable(triangle) { level.area(triangle) } else { AreaId::NULL })
        .collect();
    let mut context = Context { threads: 2, ..Context::new() };
    let ids: Vec<u32> = (0..level.triangle_count() as u32).collect();
    for build in [
        TileBuild::solo(level),
        TileBuild::tiled(level, 8, navtile::TileCoord { x: 1, z: 0, layer: 0 }).unwrap(),
    ] {
        let grid = build.grid;
        let (expected, spans, kept) = staged(level, &areas, &grid, params);
        expected.check().unwrap();
        // With a larger climb some of these lead in one direction only, so they are not neighbours.
        if 2 * walkable_climb <= walkable_height {
            prop_assert_eq!(expected.neighbours.to_lists(), neighbours(&expected));
        }
        let some = Source::some(level, &ids);
        let cut = FragmentField::cut(some, &grid).unwrap();
        prop_assert_eq!(&strips::cut(some, &grid).unwrap(), &cut);
        for source in [some, Source { cut: Cut::Triangles(&cut), ..some }] {
            for bands in bands::every_split(grid.depth) {
                let swept = floors_in((source, &areas, &grid), &bands, params, &mut context).unwrap();
                let SweptFloors { parts, count, spans: own } = swept;
                prop_assert_eq!(own.as_ref(), keep_spans.then_some(&kept));
                let params = compact::Params { walkable_height, walkable_climb };
                let field = connect(parts, &params, &mut context).unwrap();
                prop_assert_eq!(count, spans, "{:?}", bands);
                prop_assert_eq!(&field, &expected, "{:?}", bands);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_sweep_makes_what_the_stages_make(
        squares in prop::collection::vec(
            (prop::array::uniform3(0u8..24), prop::array::uniform2(1u8..16), -12i8..12, 1u8..4),
            1..30,
        ),
        walls in any::<u64>(),
        walkable_height in 1i32..14,
        walkable_climb in 0i32..6,
    ) {
        let settings = Settings { cell_height: 0.1, ..Settings::default() };
        let level = PreparedLevel::new(&level(&squares), &settings).unwrap();
        let keep_spans = walls & 1 == 1;
        compare(
            &level,
            walls,
            &Params { merge_threshold: walkable_climb, walkable_height, walkable_climb, keep_spans },
        )?;
    }

    #[test]
    fn corners_on_grid_lines_are_swept_as_the_stages_do(
        (cell_size, triangles) in prop::sample::select(vec![0.25f32, 0.3]).prop_flat_map(|cell| {
            let triangle = (on_lines(cell), prop::array::uniform3(0.0f32..3.0), on_lines(cell))
                .prop_map(|(x, y, z)| [0, 1, 2].map(|corner| [x[corner], y[corner], z[corner]]));
            (Just(cell), prop::collection::vec(triangle, 1..8))
        }),
        walls in any::<u64>(),
    ) {
        let settings = Settings { cell_size: f64::from(cell_size), cell_height: 0.1, ..Settings::default() };
        let level = PreparedLevel::new(&loose(&triangles), &settings).unwrap();
        let params = Params { merge_threshold: 3, walkable_height: 8, walkable_climb: 3, keep_spans: walls & 1 == 1 };
        compare(&level, walls, &params)?;
    }
}
