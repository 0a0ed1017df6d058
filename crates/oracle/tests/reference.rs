//! The reference: its results are consistent, on a small level and on a well-known one.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use oracle::reference::{Space, as_the_program, bake_level, bake_spans};
use oracle::results::Results;
use oracle::{fed, level};
use recast::TileBuild;
use recast::data::Grid;
use recast::{Level, Partition, PreparedLevel, Settings};
use std::path::{Path, PathBuf};

const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];

/// A floor of 15 m by 15 m with a wall through part of it.
fn floor_with_wall() -> Level {
    let mut level = Level::default();
    let mut quad = |corners: [[f64; 3]; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    quad([[0.0, 0.0, 0.0], [0.0, 0.0, 15.0], [15.0, 0.0, 15.0], [15.0, 0.0, 0.0]]);
    quad([[7.0, 0.0, 0.0], [7.0, 3.0, 0.0], [7.0, 3.0, 9.0], [7.0, 0.0, 9.0]]);
    level
}

fn check(results: &Results) {
    results.rasterized.check().unwrap();
    results.obstacles_done.check().unwrap();
    results.ledges_done.check().unwrap();
    results.filtered.check().unwrap();
    results.compacted.check().unwrap();
    results.distance.check().unwrap();
    for mesh in &results.meshes {
        mesh.regions.check().unwrap();
        mesh.raw_contours.check().unwrap();
        mesh.contours.check().unwrap();
        mesh.poly_mesh.check().unwrap();
        mesh.detail_mesh.check(&mesh.poly_mesh).unwrap();
    }
}

#[test]
fn converted_results_hold_together() {
    let level = floor_with_wall();
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let solo = TileBuild::solo(&prepared).grid;
    let tile = Grid { width: 35, depth: 35, border: 5, base_x: 5, base_z: 20, ..solo };
    for grid in [solo, tile] {
        let results = bake_level(&level, &prepared, &grid, Space::Lattice, &PARTITIONS).unwrap();
        check(&results);
        assert!(results.meshes.iter().all(|mesh| !mesh.poly_mesh.polygons.is_empty()));
    }
}

#[test]
fn spans_go_in_as_they_came_out() {
    let level = floor_with_wall();
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let grid = TileBuild::solo(&prepared).grid;
    let results = bake_level(&level, &prepared, &grid, Space::Lattice, &PARTITIONS).unwrap();
    let again = bake_spans(&results.rasterized, &prepared, &PARTITIONS).unwrap();
    assert_eq!(again.rasterized, results.rasterized);
    assert_eq!(again.meshes[0].detail_mesh, results.meshes[0].detail_mesh);
}

#[test]
fn a_changed_reference_is_noticed() {
    let level = floor_with_wall();
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let grid = TileBuild::solo(&prepared).grid;
    let results = bake_level(&level, &prepared, &grid, Space::Lattice, &PARTITIONS).unwrap();
    let mut mesh = results.meshes[0].clone();
    let differing = |mesh: &_| {
        let outcomes = fed::from_regions(&prepared, &results, mesh).unwrap();
        outcomes.into_iter().filter(|o| !o.differences.is_empty()).map(|o| o.stage.name()).collect::<Vec<_>>()
    };
    assert_eq!(differing(&mesh), Vec::<&str>::new());
    mesh.detail_mesh.vertices[0][1] += 0.2;
    assert_eq!(differing(&mesh), ["detail_mesh"]);
    mesh.contours.contours[0].vertices[1].position[0] += 30 * navmath::FIXED_ONE;
    assert_eq!(differing(&mesh)[..2], ["merge_holes", "poly_mesh"]);
}

/// The folder of well-known levels, if there is one.
fn meshes() -> Option<PathBuf> {
    let named = std::env::var_os("NAVTILE_MESHES").map(PathBuf::from);
    let folder =
        named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes"));
    folder.join("nav_test.obj").is_file().then_some(folder)
}

/// The counts that the demonstration program of the C++ library shows for this level, in the level's own
/// coordinates.
#[test]
fn the_figures_of_the_demonstration_program_come_out() {
    let Some(folder) = meshes() else {
        eprintln!("skipped: there is no nav_test.obj; name its folder in NAVTILE_MESHES");
        return;
    };
    let level = level::read_obj(&folder.join("nav_test.obj")).unwrap();
    let settings = Settings { max_vertices: 6, ..Settings::default() };
    let mut prepared = PreparedLevel::new(&level, &settings).unwrap();
    prepared.config = as_the_program(&prepared.config);
    let grid = TileBuild::solo(&prepared).grid;
    let results = bake_level(&level, &prepared, &grid, Space::World, &PARTITIONS).unwrap();
    check(&results);
    assert_eq!((grid.width, grid.depth), (305, 258));
    assert_eq!((results.rasterized.len(), results.compacted.len()), (120_183, 56_795));
    assert_eq!(results.distance.max_distance, 60);
    let mesh = &results.meshes[0];
    // The C++ library's own count of regions is 48: it counts the next number too.
    assert_eq!((mesh.regions.count, mesh.contours.contours.len()), (47, 47));
    assert_eq!(mesh.contours.contours.iter().map(|contour| contour.vertices.len()).sum::<usize>(), 439);
    assert_eq!((mesh.poly_mesh.vertices.len(), mesh.poly_mesh.polygons.len()), (349, 155));
    assert_eq!((mesh.detail_mesh.vertices.len(), mesh.detail_mesh.triangles.len()), (812, 561));
}
