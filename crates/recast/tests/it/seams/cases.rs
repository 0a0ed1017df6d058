//! Levels whose seams were wrong in the past.

#![allow(clippy::print_stderr, reason = "a case that is not there is skipped, and says so")]

use super::check;
use navscenes::obj::from_obj;
use navtile::islands::Islands;
use recast::{Level, Partition, PreparedLevel, Settings};
use std::path::Path;

fn level(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Level {
    Level { vertices: vertices.to_vec(), triangles: triangles.to_vec(), ..Level::default() }
}

/// The level of a file next to the repository, if the folder exists.
fn read(name: &str) -> Option<Level> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases").join(name);
    match std::fs::read_to_string(path) {
        Ok(text) => Some(from_obj(&text).unwrap()),
        Err(error) => {
            eprintln!("skipped {name}: {error}");
            None
        }
    }
}

/// Two thin walls end at a border of tiles.
const WALLS_VERTICES: [[f64; 3]; 10] = [
    [-30.0, 0.0, -15.0],
    [-30.0, 0.0, 30.0],
    [-17.013285, -0.008330179, 17.763826],
    [-17.013285, -0.008330179, 17.889002],
    [-16.795366, 2.9657192, 17.891542],
    [-14.734762, -0.008330179, 17.765268],
    [-14.609585, -0.008330179, 17.765268],
    [-14.607045, 2.9657192, 17.54735],
    [30.0, 0.0, -15.0],
    [30.0, 0.0, 30.0],
];
const WALLS_TRIANGLES: [[u32; 3]; 4] = [[1, 9, 8], [1, 8, 0], [2, 4, 3], [5, 7, 6]];

/// Ground that is two cells wide at a border.
const PATCHES_VERTICES: [[f64; 3]; 17] = [
    [-15.087997, -0.5579839, -27.468159],
    [-14.487999, -0.35798407, -32.953873],
    [-14.287998, -0.5579839, -28.468159],
    [-14.087997, -0.5579839, -28.868158],
    [-13.487995, -0.5579839, -24.668158],
    [-11.287998, -0.5579839, -27.268158],
    [-11.287998, -0.5579839, -24.668158],
    [-11.087997, -0.5579839, -24.268158],
    [-10.887997, -0.5579839, -27.468159],
    [-10.887997, -0.5579839, -26.668158],
    [-10.487995, -0.5579839, -26.868158],
    [-10.087997, -0.5579839, -24.668158],
    [-8.087997, -0.5579839, -24.668158],
    [-6.687996, -0.5579839, -24.668158],
    [-6.0879974, -0.5579839, -36.068157],
    [-4.887993, -0.5579839, -24.668158],
    [-3.2879944, -0.5579839, -24.668158],
];
const PATCHES_TRIANGLES: [[u32; 3]; 12] = [
    [1, 8, 14],
    [8, 3, 2],
    [3, 8, 1],
    [11, 9, 7],
    [13, 10, 12],
    [14, 10, 16],
    [15, 10, 13],
    [11, 12, 10],
    [9, 5, 6],
    [5, 4, 6],
    [5, 0, 4],
    [5, 2, 0],
];

#[test]
fn a_vertex_of_one_tiles_regions_is_not_in_its_portals() {
    let bounds = [
        [-30.000001907348633, -0.38849082589149475, -15.000000953674316],
        [39.000003814697266, 12.000001907348633, 30.0],
    ];
    let settings = Settings { partition: Partition::Monotone, bounds: Some(bounds), ..Settings::default() };
    let level = level(&WALLS_VERTICES, &WALLS_TRIANGLES);
    check(&PreparedLevel::new(&level, &settings).unwrap(), 48);
}

#[test]
fn a_triangle_at_a_border_loses_its_vertex() {
    let bounds = [
        [-70.68799591064453, -4.557983875274658, -43.868160247802734],
        [11.712005615234375, 14.4420166015625, 2.531841278076172],
    ];
    let settings = Settings {
        cell_size: 0.25,
        cell_height: 0.166667,
        agent_radius: 0.3,
        bounds: Some(bounds),
        ..Settings::default()
    };
    check(&PreparedLevel::new(&level(&PATCHES_VERTICES, &PATCHES_TRIANGLES), &settings).unwrap(), 37);
}

#[test]
fn a_slope_far_away_has_the_same_heights_on_both_sides() {
    let Some(level) = read("undulating.monotone.height.obj") else { return };
    let bounds =
        [[4999.10595703125, -4.054780006408691, 4999.5517578125], [5098.0, 6.813776016235352, 5098.796875]];
    let settings = Settings { partition: Partition::Monotone, bounds: Some(bounds), ..Settings::default() };
    check(&PreparedLevel::new(&level, &settings).unwrap(), 64);
}

#[test]
fn a_stair_that_becomes_level_leads_to_no_other_storey() {
    let Some(level) = read("false_link.obj") else { return };
    let bounds = [[-49.999996185302734, -1.0, -6.000003814697266], [142.0, 8.0, 90.74129486083984]];
    let settings = Settings {
        cell_size: 0.2,
        cell_height: 0.133333,
        agent_radius: 0.3,
        bounds: Some(bounds),
        ..Settings::default()
    };
    let tiles = check(&PreparedLevel::new(&level, &settings).unwrap(), 64);
    assert_eq!(Islands::find(&tiles).len(), 2, "the two flights have no step in common");
}
