//! A world too large to be made at once: rolling country with towns, chunk by chunk. Neighbouring chunks have
//! the same corners along their border.

use crate::build::Builder;
use crate::random::SplitMix64;
use crate::terrain;
use recast::Level;

/// Metres along a side of a chunk.
pub const CHUNK: u32 = 250;
/// Metres between corners of the country.
const STEP: u32 = 5;
/// One chunk of this many is a town.
const TOWNS: u64 = 6;
/// Houses along a side of a town.
const HOUSES: u32 = 8;

/// A chunk of a world of chunks in rows (x) and columns (z): country, or a town on level ground.
pub fn chunk(x: u32, z: u32) -> Level {
    let mut random = SplitMix64::new(u64::from(x) << 32 | u64::from(z));
    let is_town = random.next_u64().is_multiple_of(TOWNS);
    let mut builder = Builder::new();
    country(&mut builder, [x * CHUNK, z * CHUNK], is_town);
    if is_town {
        town(&mut builder, [x, z].map(|place| f64::from(place * CHUNK)), &mut random);
    }
    builder.finish()
}

/// The ground of a chunk. Its border continues in the neighbouring chunk, and a town is level within.
fn country(builder: &mut Builder, [left, near]: [u32; 2], is_town: bool) {
    let count = CHUNK / STEP;
    let corner = |column: u32, row: u32| {
        let (x, z) = (f64::from(left + column * STEP), f64::from(near + row * STEP));
        let from_border = column.min(row).min(count - column).min(count - row);
        // Ten metres of slope lead from the country up to the town.
        let share = if is_town { 1.0 - f64::from(from_border.min(2)) / 2.0 } else { 1.0 };
        [x, terrain::height(x, z) * share, z]
    };
    let vertices: Vec<[f64; 3]> =
        (0..=count).flat_map(|row| (0..=count).map(move |column| corner(column, row))).collect();
    let at = |column: u32, row: u32| row * (count + 1) + column;
    let cell = |column: u32, row: u32| {
        let [a, b, c, d] =
            [at(column, row), at(column, row + 1), at(column + 1, row + 1), at(column + 1, row)];
        [[a, b, c], [a, c, d]]
    };
    let faces: Vec<[u32; 3]> =
        (0..count).flat_map(|row| (0..count).flat_map(move |column| cell(column, row))).collect();
    builder.mesh(&vertices, &faces);
}

/// Houses in rows: four walls with a door, a flat roof.
fn town(builder: &mut Builder, [left, near]: [f64; 2], random: &mut SplitMix64) {
    let street = (f64::from(CHUNK) - 40.0) / f64::from(HOUSES);
    for row in 0..HOUSES {
        for column in 0..HOUSES {
            let [x, z] = [left + 20.0 + f64::from(column) * street, near + 20.0 + f64::from(row) * street];
            let size = [random.between(8.0, 16.0).round(), random.between(8.0, 16.0).round()];
            house(builder, [x, z], size, random.between(3.0, 6.0).round());
        }
    }
}

fn house(builder: &mut Builder, [x, z]: [f64; 2], [width, depth]: [f64; 2], height: f64) {
    /// Metres.
    const WALL: f64 = 0.4;
    const DOOR: f64 = 1.6;
    let middle = x + width / 2.0;
    let mut wall = |min: [f64; 2], max: [f64; 2]| {
        builder.block([min[0], 0.0, min[1]], [max[0], height, max[1]]);
    };
    wall([x, z], [middle - DOOR / 2.0, z + WALL]);
    wall([middle + DOOR / 2.0, z], [x + width, z + WALL]);
    wall([x, z + depth - WALL], [x + width, z + depth]);
    wall([x, z + WALL], [x + WALL, z + depth - WALL]);
    wall([x + width - WALL, z + WALL], [x + width, z + depth - WALL]);
    builder.block([x, height, z], [x + width, height + 0.3, z + depth]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn chunks_meet_at_their_borders() {
        let border = |level: &Level, axis: usize, at: f64| -> BTreeSet<[u64; 3]> {
            let on = level.vertices.iter().filter(|vertex| vertex[axis] == at);
            on.map(|vertex| vertex.map(f64::to_bits)).collect()
        };
        for (x, z) in [(0, 0), (3, 4), (15, 7)] {
            let at = f64::from(CHUNK);
            let (own, right, far) = (chunk(x, z), chunk(x + 1, z), chunk(x, z + 1));
            let edge = |place: u32| at * f64::from(place + 1);
            assert_eq!(border(&own, 0, edge(x)), border(&right, 0, edge(x)));
            assert_eq!(border(&own, 2, edge(z)), border(&far, 2, edge(z)));
            assert_eq!(border(&own, 0, edge(x)).len(), 51);
        }
        let triangles = |x: u32, z: u32| chunk(x, z).triangles.len();
        let towns = (0..16).flat_map(|x| (0..16).map(move |z| triangles(x, z))).filter(|count| *count > 5000);
        assert!((20..80).contains(&towns.count()));
    }
}
