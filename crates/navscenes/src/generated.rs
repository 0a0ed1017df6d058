//! Levels and settings from seeds, for tests that take any triangles. `NAVTILE_LEVELS` sets the number of
//! levels that a test takes and `NAVTILE_SEED` the first seed; the defaults are quick.

use crate::random::SplitMix64;
use recast::{AreaId, Level, Outlines, Partition, Settings, Shape, Volume};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A level of boxes, ramps, walls, holes, and loose, overlapping and degenerate triangles.
pub fn level(random: &mut SplitMix64) -> Level {
    let mut level = Level::default();
    let side = random.between(4.0, 30.0);
    let mut ground = |height: f64, random: &mut SplitMix64| {
        let strips = random.between(1.0, 6.0) as usize;
        for strip in 0..strips {
            // Strips of ground with gaps between them; half of the time they are holes.
            let at = |part: usize| side * part as f64 / strips as f64;
            let (z0, z1) = (at(strip), at(strip + 1) - random.between(-0.5, 1.5).max(0.0));
            let x0 = random.between(-1.0, side / 3.0).max(0.0);
            quad(&mut level, [[x0, height, z0], [x0, height, z1], [side, height, z1], [side, height, z0]]);
        }
    };
    ground(0.0, random);
    if random.next_u64().is_multiple_of(3) {
        ground(random.between(1.0, 4.0), random);
    }
    for _ in 0..random.between(0.0, 14.0) as usize {
        let base = [random.between(0.0, side), random.between(-1.0, 2.0), random.between(0.0, side)];
        // Thin walls are thinner than a cell.
        let thin = random.next_u64().is_multiple_of(3);
        let size = [
            random.between(0.02, if thin { 0.1 } else { 6.0 }),
            random.between(0.1, 4.0),
            random.between(0.1, 6.0),
        ];
        let rise = if random.next_u64().is_multiple_of(2) { random.between(0.0, 4.0) } else { 0.0 };
        wedge(&mut level, base, size, rise);
    }
    for _ in 0..random.between(0.0, 30.0) as usize {
        let corner = |random: &mut SplitMix64| {
            [random.between(-2.0, side + 2.0), random.between(-1.0, 5.0), random.between(-2.0, side + 2.0)]
        };
        let first = level.vertices.len() as u32;
        let (a, b) = (corner(random), corner(random));
        let c = if random.next_u64().is_multiple_of(8) { a } else { corner(random) };
        level.vertices.extend([a, b, c]);
        level.triangles.push([first, first + 1, first + 2]);
    }
    if random.next_u64().is_multiple_of(2) {
        let pick = |random: &mut SplitMix64| AreaId([63, 63, 5, 9][random.next_u64() as usize % 4]);
        level.areas = (0..level.triangles.len()).map(|_| pick(random)).collect();
    }
    level
}

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A box whose top rises by `rise` along x.
fn wedge(level: &mut Level, [x, y, z]: [f64; 3], [width, height, depth]: [f64; 3], rise: f64) {
    let (x1, z1, low, high) = (x + width, z + depth, y + height, y + height + rise);
    quad(level, [[x, low, z], [x, low, z1], [x1, high, z1], [x1, high, z]]);
    quad(level, [[x, y, z], [x, y, z1], [x, low, z1], [x, low, z]]);
    quad(level, [[x1, y, z], [x1, high, z], [x1, high, z1], [x1, y, z1]]);
    quad(level, [[x, y, z], [x, low, z], [x1, high, z], [x1, y, z]]);
    quad(level, [[x, y, z1], [x1, y, z1], [x1, high, z1], [x, low, z1]]);
}

/// Settings of all kinds of agents and meshes.
pub fn settings(random: &mut SplitMix64) -> Settings {
    let pick = |random: &mut SplitMix64, values: &[f64]| values[random.next_u64() as usize % values.len()];
    let cell_size = pick(random, &[0.1, 0.2, 0.3, 0.3, 0.5]);
    let agent_height = pick(random, &[0.5, 1.0, 2.0]);
    Settings {
        cell_size,
        cell_height: pick(random, &[0.1, 0.2, 0.3]),
        partition: Partition::NAMES[random.next_u64() as usize % 3].1,
        max_vertices: [3, 4, 6, 6, 12][random.next_u64() as usize % 5],
        agent_radius: pick(random, &[0.0, 0.2, 0.6]),
        agent_height,
        agent_climb: pick(random, &[0.0, 0.15, 0.45, 0.95]) * agent_height,
        region_min_area: [None, Some(0.0)][random.next_u64() as usize % 2],
        region_merge_area: [None, Some(0.0), Some(1e4)][random.next_u64() as usize % 3],
        max_edge_length: pick(random, &[0.0, 2.0, 12.0]),
        contour_max_error: [None, Some(0.0), Some(cell_size * 6.0)][random.next_u64() as usize % 3],
        split_areas: random.next_u64().is_multiple_of(2),
        // Height samples cost most and are tested elsewhere.
        detail_sample_distance: [None, Some(0.0), Some(0.0)][random.next_u64() as usize % 3],
        ..Settings::default()
    }
}

/// Volumes of all shapes over a level, half of them without ground.
pub fn volumes(level: &Level, random: &mut SplitMix64) -> Vec<Volume> {
    let ends = |axis: usize| {
        let places = level.vertices.iter().map(|vertex| vertex[axis]);
        [places.clone().fold(f64::INFINITY, f64::min), places.fold(f64::NEG_INFINITY, f64::max)]
    };
    let [left, near] = [ends(0), ends(2)];
    let most = 0.4 * (left[1] - left[0]).max(near[1] - near[0]);
    let count = random.between(1.0, 4.0) as usize;
    let volume = |_| {
        let [x, z] = [left, near].map(|[low, high]| random.between(low, high));
        let [half_x, half_z] = [0, 1].map(|_| random.between(0.02, 1.0) * most);
        let (bottom, top) = (random.between(-2.0, 1.0), random.between(1.0, 6.0));
        let shape = match random.next_u64() % 5 {
            0 => Shape::Box { min: [x - half_x, bottom, z - half_z], max: [x + half_x, top, z + half_z] },
            1 => {
                let (centre, half_extents) = ([x, 0.5 * (bottom + top), z], [half_x, top - bottom, half_z]);
                Shape::RotatedBox { centre, half_extents, yaw: random.between(0.0, 180.0) }
            }
            2 => Shape::Cylinder { base: [x, bottom, z], radius: half_x, height: top - bottom },
            3 => {
                let [end_x, end_z] = [left, near].map(|[low, high]| random.between(low, high));
                // Half of them are level.
                let end = if random.next_u64().is_multiple_of(2) { bottom } else { top };
                Shape::Capsule { a: [x, bottom, z], b: [end_x, end, end_z], radius: half_x }
            }
            _ => {
                let corner =
                    |_| [random.between(x - half_x, x + half_x), random.between(z - half_z, z + half_z)];
                Shape::Prism { outline: (0..5).map(corner).collect(), bottom, top }
            }
        };
        Volume { shape, area: AreaId([0, 0, 5, 9][random.next_u64() as usize % 4]) }
    };
    (0..count).map(volume).collect()
}

/// Checks something with each kind of outlines.
pub fn each_outlines(check: impl Fn(Outlines)) {
    Outlines::NAMES.iter().for_each(|(_, outlines)| check(*outlines));
}

/// A number from an environment variable.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// Checks the level of each seed, as set by `NAVTILE_SEED` and `NAVTILE_LEVELS`, and names all levels whose
/// check fails. By default, long tests take `long_count` levels, others a quarter of them.
pub fn each_seed(long_count: u64, complaint: &str, check: impl Fn(u64)) {
    let default_count = if crate::is_long() { long_count } else { long_count.div_ceil(4) };
    let (first, count) = (setting("NAVTILE_SEED", 1), setting("NAVTILE_LEVELS", default_count));
    let fails = |&seed: &u64| catch_unwind(AssertUnwindSafe(|| check(seed))).is_err();
    let failed: Vec<u64> = (first..first + count).filter(fails).collect();
    assert!(failed.is_empty(), "{} of {count} levels {complaint}, those of seeds {failed:?}", failed.len());
}
