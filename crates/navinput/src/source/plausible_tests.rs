//! The thresholds of doubts about a level, tested on both sides of each.

use super::{LevelSums, SourceLevel};
use crate::read_obj;
use crate::settings::{UpAxis, Winding};

/// A rectangle: a corner and the two sides from there. It faces along their vector product.
type Rectangle = [[f64; 3]; 3];

const EAST: [f64; 3] = [1.0, 0.0, 0.0];
const UP: [f64; 3] = [0.0, 1.0, 0.0];
const SOUTH: [f64; 3] = [0.0, 0.0, 1.0];

fn times(vector: [f64; 3], factor: f64) -> [f64; 3] {
    vector.map(|value| value * factor)
}

/// Ground of this area that faces up, one metre from north to south.
fn up(area: f64) -> Rectangle {
    [[0.0; 3], SOUTH, times(EAST, area)]
}

/// Ground of this area that faces down.
fn down(area: f64) -> Rectangle {
    [[0.0; 3], times(EAST, area), SOUTH]
}

/// Walls of this area that face east.
fn wall(area: f64) -> Rectangle {
    [[0.0; 3], UP, times(SOUTH, area)]
}

fn level_of(rectangles: &[Rectangle]) -> SourceLevel {
    let mut triangles = Vec::new();
    for [corner, u, v] in rectangles {
        let sum = |parts: &[&[f64; 3]]| [0, 1, 2].map(|axis| parts.iter().map(|part| part[axis]).sum());
        let far = sum(&[corner, u, v]);
        triangles.push([*corner, sum(&[corner, u]), far]);
        triangles.push([*corner, far, sum(&[corner, v])]);
    }
    level_of_triangles(&triangles)
}

fn level_of_triangles(triangles: &[[[f64; 3]; 3]]) -> SourceLevel {
    let mut text = String::new();
    for corners in triangles {
        corners.iter().for_each(|[x, y, z]| text.push_str(&format!("v {x} {y} {z}\n")));
        text.push_str("f -3 -2 -1\n");
    }
    SourceLevel::from(read_obj(text.as_bytes()).unwrap())
}

/// The level of these rectangles under nodes that mirror it, which turns it over.
fn mirrored(rectangles: &[Rectangle]) -> SourceLevel {
    let mut level = level_of(rectangles);
    level.placements.iter_mut().for_each(|placement| placement.transform.0[0][0] = -1.0);
    level
}

fn doubts(level: &SourceLevel) -> Vec<String> {
    level.doubts(UpAxis::Y, Winding::Spec)
}

#[track_caller]
fn is_doubted(level: &SourceLevel, what: &str) {
    let doubts = doubts(level);
    assert!(matches!(&doubts[..], [doubt] if doubt.contains(what)), "{doubts:?}");
}

#[track_caller]
fn is_fine(level: &SourceLevel) {
    assert_eq!(doubts(level), [""; 0]);
}

#[test]
fn ground_is_wound_the_wrong_way_if_a_hundredth_faces_up() {
    is_doubted(&level_of(&[down(99.0), up(1.0)]), "99 % of the flat ground faces down");
    is_doubted(&level_of(&[down(199.0), up(1.0)]), "99 % of the flat ground faces down");
    is_fine(&level_of(&[down(98.0), up(2.0)]));
    is_fine(&level_of(&[up(100.0)]));
}

#[test]
fn flat_ground_of_less_than_a_tenth_says_nothing() {
    is_doubted(&level_of(&[down(10.0), wall(90.0)]), "100 % of the flat ground faces down");
    is_fine(&level_of(&[down(10.0), wall(91.0)]));
}

#[test]
fn ground_is_flat_up_to_45_degrees() {
    for size in [2.0, 40.0] {
        let ramp = |rise: f64| [[0.0; 3], times(EAST, size), [0.0, rise * size, size]];
        for rise in [-0.99, 0.0, 0.99] {
            is_doubted(&level_of(&[ramp(rise)]), "100 % of the flat ground faces down");
        }
        for rise in [-1.01, 1.01] {
            is_fine(&level_of(&[ramp(rise)]));
        }
    }
}

#[test]
fn the_winding_that_turns_the_ground_over_is_named() {
    let of = |mirrored_area, plain_area| {
        SourceLevel::merge(vec![mirrored(&[up(mirrored_area)]), level_of(&[down(plain_area)])])
    };
    is_doubted(&of(99.0, 1.0), "(--winding stored)");
    is_doubted(&of(98.0, 2.0), "(--winding either)");
    // Ground that faces up counts, too.
    let with_ground_up = SourceLevel::merge(vec![mirrored(&[up(98.0)]), level_of(&[down(1.0), up(1.0)])]);
    is_doubted(&with_ground_up, "(--winding either)");
}

#[test]
fn mirrored_ground_counts_from_a_tenth_of_the_ground_on() {
    let of = |mirrored_ground: &[Rectangle], plain_area| {
        SourceLevel::merge(vec![mirrored(mirrored_ground), level_of(&[up(plain_area)])])
    };
    is_doubted(&of(&[up(10.0)], 90.0), "100 % of the flat ground of mirrored nodes faces down");
    is_fine(&of(&[up(9.0)], 91.0));
    // A hundredth of it may face up.
    is_doubted(&of(&[up(198.0), down(2.0)], 200.0), "99 % of the flat ground of mirrored nodes");
    is_fine(&of(&[up(197.0), down(3.0)], 200.0));
    // All of it is a tenth.
    is_doubted(&of(&[up(99.0), down(1.0)], 900.0), "99 % of the flat ground of mirrored nodes");
    is_fine(&of(&[up(98.0), down(1.0)], 901.0));
    // Ground of plain nodes does not count, before them or after.
    let behind = SourceLevel::merge(vec![level_of(&[up(90.0), down(20.0)]), mirrored(&[up(20.0)])]);
    is_doubted(&behind, "100 % of the flat ground of mirrored nodes faces down");
}

#[test]
fn a_level_on_its_side_has_ten_times_the_faces_and_is_thin() {
    let front = |width: f64, height: f64| [[0.0; 3], times(EAST, width), times(UP, height)];
    let ledge = |width: f64, depth: f64| [[0.0; 3], times(SOUTH, depth), times(EAST, width)];
    let on_its_side = "look along its z axis";
    is_doubted(&level_of(&[front(10.0, 10.0), ledge(4.0, 2.5)]), on_its_side);
    // More flat ground, and a thicker level, a narrower and a lower one.
    is_fine(&level_of(&[front(10.0, 10.0), ledge(4.4, 2.5)]));
    is_fine(&level_of(&[front(10.0, 10.0), ledge(3.8, 2.6)]));
    is_fine(&level_of(&[front(8.0, 12.5), ledge(4.0, 2.5)]));
    is_fine(&level_of(&[front(12.5, 8.0), ledge(4.0, 2.5)]));
    // If that is less than a tenth of all faces, it is not significant.
    let side = |height: f64| [[0.0; 3], times(UP, height), times(SOUTH, 2.5)];
    let mut faces = vec![front(10.0, 10.0), ledge(4.0, 2.5), side(6.0)];
    faces.resize(faces.len() + 35, side(10.0));
    is_doubted(&level_of(&faces), on_its_side);
    faces.push(side(10.0));
    is_fine(&level_of(&faces));
}

#[test]
fn a_level_without_area_raises_no_doubt() {
    is_fine(&level_of_triangles(&[[[0.0; 3], [5.0, 5.0, 0.0], [10.0, 10.0, 0.0]]]));
    is_fine(&SourceLevel::default());
}

/// Ground of triangles with sides of 3, 4 and 5 units each, from one of their corners on.
fn triangles(count: usize, unit: f64, first: usize) -> Vec<[[f64; 3]; 3]> {
    let mut corners = [[0.0; 3], times(SOUTH, 3.0 * unit), times(EAST, 4.0 * unit)];
    corners.rotate_left(first);
    vec![corners; count]
}

#[test]
fn triangles_are_long_from_fifty_metres_on() {
    for first in 0..3 {
        is_fine(&level_of_triangles(&triangles(100, 10.0, first)));
        let long = triangles(100, 11.0, first);
        is_doubted(&level_of_triangles(&long), "more than 55 m long, and the level 44 m");
        // Fewer triangles have no typical length.
        is_fine(&level_of_triangles(&long[1..]));
    }
    let mixed = |long, short| [triangles(long, 11.0, 0), triangles(short, 2.0, 0)].concat();
    is_doubted(&level_of_triangles(&mixed(50, 50)), "--scale 0.01");
    is_fine(&level_of_triangles(&mixed(49, 51)));
}

#[test]
fn some_edges_of_a_large_level_stand_for_all() {
    // Of a million triangles every hundredth is sampled, for any division into chunks.
    let doubts = |counts: [usize; 2]| {
        let mut sums = LevelSums::new(1_000_000);
        counts.iter().for_each(|count| sums.add(&level_of_triangles(&triangles(*count, 11.0, 0))));
        sums.doubts(UpAxis::Y, Winding::Spec).len()
    };
    assert_eq!((doubts([9_850, 50]), doubts([9_850, 51])), (0, 1));
}

#[test]
fn a_level_is_narrow_below_a_metre() {
    is_fine(&level_of(&[up(1.0)]));
    is_fine(&level_of(&[[[0.0; 3], times(SOUTH, 0.5), times(EAST, 1.0)]]));
    is_fine(&level_of(&[up(0.5)]));
    is_fine(&level_of(&[wall(0.5)]));
    is_doubted(&level_of(&[[[7.0; 3], times(SOUTH, 0.5), times(EAST, 0.9)]]), "0.900 m wide at most");
}
