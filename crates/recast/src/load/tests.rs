//! No load exceeds its estimate, and estimates are not far off.

use super::*;
use crate::build::bake_tapped;
use crate::snapshot::Snapshot;
use crate::stage::rasterize::FragmentField;
use crate::{Level, PreparedLevel, Scratch, Settings, Silent, TileBuild};
use navtile::TileCoord;
use proptest::prelude::*;

/// The real load of a tile: the fragments of each strip, and the floors.
fn real(level: &PreparedLevel, build: &TileBuild) -> (Vec<u64>, u64) {
    let (source, grid) = (Source::all(level), &build.grid);
    let field = FragmentField::cut(source, grid).unwrap();
    let areas = vec![AreaId(1); source.len()];
    let mut fragments = vec![0; (grid.depth as usize).div_ceil(STRIP)];
    for z in 0..grid.depth {
        for x in 0..grid.width {
            fragments[z as usize / STRIP] += field.column(grid, x, z, &areas).count() as u64;
        }
    }
    let mut floors = 0;
    bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut |result| {
        if let Snapshot::Compacted(field) = result {
            floors = field.len() as u64;
        }
    })
    .unwrap();
    (fragments, floors)
}

fn estimated(level: &PreparedLevel, build: &TileBuild) -> (Vec<u64>, u64) {
    let load = Load::new(Source::all(level), &build.grid);
    (load.fragments(), load.floors(&level.config, u64::MAX))
}

fn triangles() -> impl Strategy<Value = Level> {
    let corner = (-1.0..14.0f64, -0.6..0.6f64, -1.0..14.0f64);
    let triangle = (prop::array::uniform3(corner), 0.0..9.0f64, prop::sample::select(vec![0.05, 1.0, 6.0]));
    prop::collection::vec(triangle, 1..40).prop_map(|triangles| {
        // Keeps the level's size the same.
        let mut level = Level {
            vertices: vec![[-1.0, -0.6, -1.0], [-1.0, -0.6, -0.9], [-0.9, -0.6, -0.9], [14.0, 9.6, 14.0]],
            triangles: vec![[0, 1, 2], [0, 1, 3]],
            areas: Vec::new(),
        };
        for (corners, up, scale) in triangles {
            let first = level.vertices.len() as u32;
            let [middle, ..] = corners;
            // Around the first corner, so that some are small.
            let near = |value: f64, middle: f64| middle + (value - middle) * f64::min(scale, 1.0);
            let place = |(x, y, z)| [near(x, middle.0), up + y * scale, near(z, middle.2)];
            level.vertices.extend(corners.map(place));
            level.triangles.push([first, first + 1, first + 2]);
        }
        level
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn nothing_is_more_than_estimated(
        level in triangles(),
        height in prop::sample::select(vec![0.6, 2.0]),
        climb in prop::sample::select(vec![0.0, 0.5]),
        x in 0..2i32,
    ) {
        let settings = Settings {
            agent_height: height,
            agent_climb: climb,
            agent_radius: 0.3,
            ..Settings::default()
        };
        let Ok(level) = PreparedLevel::new(&level, &settings) else { return Ok(()) };
        let tiled = TileBuild::tiled(&level, 20, TileCoord { x, z: 1, layer: 0 }).unwrap();
        for build in [TileBuild::solo(&level), tiled] {
            let ((fragments, floors), (most, most_floors)) = (real(&level, &build), estimated(&level, &build));
            prop_assert!(fragments.iter().zip(&most).all(|(real, most)| real <= most), "{fragments:?} {most:?}");
            prop_assert!(floors <= most_floors, "{floors} {most_floors}");
        }
    }
}

/// A floor of two triangles at each of these heights.
fn plates(heights: impl Iterator<Item = f64>, side: f64) -> PreparedLevel {
    let mut level = Level::default();
    for y in heights {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[0.0, y, 0.0], [0.0, y, side], [side, y, side], [side, y, 0.0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    PreparedLevel::new(&level, &Settings::default()).unwrap()
}

#[test]
fn what_lies_over_itself_counts_once_as_ground_and_each_time_as_fragments() {
    let side = |level: &PreparedLevel| u64::from(level.size[0]);
    let stacked = plates((0..50).map(|at| 1e-4 * f64::from(at)), 12.0);
    let (fragments, floors) = estimated(&stacked, &TileBuild::solo(&stacked));
    let all: u64 = fragments.iter().sum();
    let columns = side(&stacked) * side(&stacked);
    assert!((50 * columns..=75 * columns).contains(&all), "{all} for {columns} columns");
    assert!((columns..=2 * columns).contains(&floors), "{floors} for {columns} columns");
    let storeys = plates((0..50).map(|at| 3.0 * f64::from(at)), 12.0);
    let (_, floors) = estimated(&storeys, &TileBuild::solo(&storeys));
    assert!((50 * columns..=60 * columns).contains(&floors), "{floors} for {columns} columns");
}
