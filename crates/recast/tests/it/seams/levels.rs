//! Levels whose floors meet the borders of tiles in awkward ways.

use navscenes::random::SplitMix64;
use recast::{AreaId, Level, Settings};

/// A level of any kind, about `side` metres wide.
pub(crate) fn any(side: f64, settings: &Settings, random: &mut SplitMix64) -> Level {
    let mut level = Level::default();
    match random.next_u64() % 5 {
        0 => terrain(&mut level, side, random),
        1 => stairs(&mut level, side, settings, random),
        2 => storeys(&mut level, side, settings, random),
        3 => waves(&mut level, side, random),
        _ => blocks(&mut level, side, settings, random),
    }
    if random.next_u64().is_multiple_of(3) {
        let pick = |random: &mut SplitMix64| AreaId([63, 63, 63, 5, 9][random.next_u64() as usize % 5]);
        level.areas = (0..level.triangles.len()).map(|_| pick(random)).collect();
    }
    if random.next_u64().is_multiple_of(3) {
        turn(&mut level, random.between(0.0, 1.6));
    }
    if random.next_u64().is_multiple_of(4) {
        let away = [random.between(-6e3, 6e3), random.between(-50.0, 50.0), random.between(-6e3, 6e3)];
        for vertex in &mut level.vertices {
            *vertex = std::array::from_fn(|axis| vertex[axis] + away[axis]);
        }
    }
    level
}

/// Turns everything about the vertical axis.
fn turn(level: &mut Level, angle: f64) {
    let (sin, cos) = angle.sin_cos();
    for [x, _, z] in &mut level.vertices {
        (*x, *z) = (*x * cos - *z * sin, *x * sin + *z * cos);
    }
}

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A rectangle at these heights of its corners: at the smaller x and z, at larger z, at both larger, at
/// larger x.
fn floor(level: &mut Level, [x0, z0, x1, z1]: [f64; 4], heights: [f64; 4]) {
    let [a, b, c, d] = heights;
    quad(level, [[x0, a, z0], [x0, b, z1], [x1, c, z1], [x1, d, z0]]);
}

/// A grid of heights that wander, with holes.
fn terrain(level: &mut Level, side: f64, random: &mut SplitMix64) {
    let parts = random.between(3.0, 14.0) as usize;
    let (step, rough) = (side / parts as f64, random.between(0.0, 1.2));
    let mut heights = vec![vec![0.0; parts + 1]; parts + 1];
    for x in 0..=parts {
        for z in 0..=parts {
            let around = [x.checked_sub(1).map(|x| heights[x][z]), z.checked_sub(1).map(|z| heights[x][z])];
            let known: Vec<f64> = around.into_iter().flatten().collect();
            let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
            heights[x][z] = mean + random.between(-rough, rough) * step;
        }
    }
    let holes = random.between(0.0, 0.3);
    for x in 0..parts {
        for z in 0..parts {
            if random.between(0.0, 1.0) < holes {
                continue;
            }
            let at = |part: usize| part as f64 * step;
            let corners = [heights[x][z], heights[x][z + 1], heights[x + 1][z + 1], heights[x + 1][z]];
            floor(level, [at(x), at(z), at(x + 1), at(z + 1)], corners);
        }
    }
}

/// Rolling ground with a few walls.
fn waves(level: &mut Level, side: f64, random: &mut SplitMix64) {
    let parts = 24;
    let step = side / f64::from(parts);
    let wave = |random: &mut SplitMix64| {
        let (turns, phase) = (random.between(0.2, 3.0) * 6.3 / side, random.between(0.0, 6.3));
        (turns, phase, random.between(0.0, 0.5) / turns)
    };
    let waves = [wave(random), wave(random), wave(random)];
    let height = |x: i32, z: i32| {
        let [x, z] = [x, z].map(|part| f64::from(part) * step);
        let [a, b, c] = waves;
        let of = |(turns, phase, rise): (f64, f64, f64), at: f64| rise * (at * turns + phase).sin();
        of(a, x) + of(b, z) + of(c, x + z)
    };
    for x in 0..parts {
        for z in 0..parts {
            let at = |part: i32| f64::from(part) * step;
            let corners = [height(x, z), height(x, z + 1), height(x + 1, z + 1), height(x + 1, z)];
            floor(level, [at(x), at(z), at(x + 1), at(z + 1)], corners);
        }
    }
    walls(level, side, random);
}

/// Upright walls, which cut the ground beneath them.
fn walls(level: &mut Level, side: f64, random: &mut SplitMix64) {
    for _ in 0..random.between(0.0, 6.0) as usize {
        let mut place = || random.between(0.0, side);
        let ([x, z], [to_x, to_z]) = ([place(), place()], [place(), place()]);
        quad(level, [[x, -9.0, z], [to_x, -9.0, to_z], [to_x, 9.0, to_z], [x, 9.0, z]]);
    }
}

/// Flights of stairs above each other, with landings: treads or slopes.
fn stairs(level: &mut Level, side: f64, settings: &Settings, random: &mut SplitMix64) {
    let storey = settings.agent_height * random.between(1.05, 1.8);
    for flight in 0..random.between(1.0, 5.0) as usize {
        let width = random.between(2.0, 12.0) * settings.cell_size;
        let across = random.between(0.0, side / 2.0);
        let low = storey * flight as f64 * random.between(0.8, 1.2);
        let (from, landing) = (random.between(0.0, side / 3.0), random.between(side / 2.0, side));
        let rise = random.between(-0.9, 0.9) * (landing - from);
        let along_x = random.next_u64().is_multiple_of(2);
        let treads = if random.next_u64().is_multiple_of(2) { 1 } else { random.between(2.0, 20.0) as usize };
        let mut add = |start: f64, end: f64, from: f64, to: f64| {
            if along_x {
                floor(level, [start, across, end, across + width], [from, from, to, to]);
            } else {
                floor(level, [across, start, across + width, end], [from, to, to, from]);
            }
        };
        add(0.0, from, low, low);
        for tread in 0..treads {
            let at = |part: usize| from + (landing - from) * part as f64 / treads as f64;
            let height = |part: usize| low + rise * part as f64 / treads as f64;
            let next = if treads == 1 { 1 } else { tread };
            add(at(tread), at(tread + 1), height(tread), height(next));
        }
        let top = if treads == 1 { low + rise } else { low + rise * (treads - 1) as f64 / treads as f64 };
        add(landing, side, top, top);
    }
}

/// Slabs above each other with rectangles left out, joined by ramps.
fn storeys(level: &mut Level, side: f64, settings: &Settings, random: &mut SplitMix64) {
    let storey = settings.agent_height * random.between(1.05, 1.6);
    let parts = random.between(2.0, 7.0) as usize;
    let count = random.between(1.0, 5.0) as usize;
    let at = |part: usize| side * part as f64 / parts as f64;
    for height in (0..count).map(|number| storey * number as f64) {
        let tilt = random.between(-0.2, 0.2) * storey;
        for (x, z) in (0..parts).flat_map(|x| (0..parts).map(move |z| (x, z))) {
            let [x0, z0, x1, z1] = [at(x), at(z), at(x + 1), at(z + 1)];
            let low = |x: f64| height + tilt * x / side;
            match random.next_u64() % 8 {
                0 => {}
                1 => floor(level, [x0, z0, x1, z1], [low(x0), low(x0), low(x1) + storey, low(x1) + storey]),
                _ => floor(level, [x0, z0, x1, z1], [low(x0), low(x0), low(x1), low(x1)]),
            }
        }
    }
    walls(level, side, random);
}

/// Columns of cells at different heights, some with a floor above: steps in every direction at every corner.
fn blocks(level: &mut Level, side: f64, settings: &Settings, random: &mut SplitMix64) {
    let step = settings.cell_size * [1.0, 1.0, 2.0, 3.0][random.next_u64() as usize % 4];
    let parts = (side / step).min(30.0) as usize;
    let (steep, gaps) = (random.between(0.0, 1.3) * settings.agent_climb, random.between(0.0, 0.15));
    for (x, z) in (0..parts).flat_map(|x| (0..parts).map(move |z| (x, z))) {
        let place = [x, z, x + 1, z + 1].map(|part| part as f64 * step);
        let mut low = random.between(0.0, steep);
        for _ in 0..1 + random.next_u64() % 3 {
            if random.between(0.0, 1.0) > gaps {
                floor(level, place, [low; 4]);
            }
            low += settings.agent_height * random.between(1.02, 1.5) + random.between(0.0, steep);
        }
    }
}
