//! A world too large to be made at once, chunk by chunk: rolling country with towns, and with rivers that can
//! only be crossed on bridges. Neighbouring chunks have the same corners along their border.

mod rivers;

pub use rivers::BED;

use crate::build::{Builder, Rect};
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
/// Thickness of a roof, and of the deck of a bridge; metres.
const ROOF: f64 = 0.3;
const DECK: f64 = 0.6;

/// A chunk of a world of chunks in rows (x) and columns (z): country with rivers and bridges, or a town on
/// level ground. An agent with the default settings comes from each place of the country to each other one,
/// but not into the bed of a river, nor onto a roof.
pub fn chunk(x: u32, z: u32) -> Level {
    let mut builder = Builder::new();
    let houses = houses(x, z);
    country(&mut builder, [x * CHUNK, z * CHUNK], !houses.is_empty());
    houses.into_iter().for_each(|house| house.build(&mut builder));
    let corner = [x, z].map(|place| f64::from(place * CHUNK));
    for Rect { min, max } in rivers::decks(corner, f64::from(CHUNK), f64::from(STEP)) {
        builder.block([min[0], -DECK, min[1]], [max[0], 0.0, max[1]]);
    }
    builder.finish()
}

/// The height of the country, without its towns and bridges: of the bed in a river.
pub fn height(x: f64, z: f64) -> f64 {
    if rivers::is_bed(x, z) { BED } else { terrain::height(x, z) * rivers::share(x, z) }
}

/// The middles of the roofs of a chunk, which no stairs lead to.
pub fn roofs(x: u32, z: u32) -> impl Iterator<Item = [f64; 3]> {
    houses(x, z).into_iter().map(|house| {
        let [x, z] = [0, 1].map(|axis| house.corner[axis] + house.size[axis] / 2.0);
        [x, house.height + ROOF, z]
    })
}

/// The ground of a chunk. Its border continues in the neighbouring chunk, and a town is level within.
fn country(builder: &mut Builder, [left, near]: [u32; 2], is_town: bool) {
    let count = CHUNK / STEP;
    let corner = |column: u32, row: u32| {
        let (x, z) = (f64::from(left + column * STEP), f64::from(near + row * STEP));
        let from_border = column.min(row).min(count - column).min(count - row);
        // Ten metres of slope lead from the country up to the town.
        let share = if is_town { 1.0 - f64::from(from_border.min(2)) / 2.0 } else { 1.0 };
        [x, height(x, z) * share, z]
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

/// Returns true if a river flows through a chunk.
fn has_river([left, near]: [u32; 2]) -> bool {
    let at = |place: u32| f64::from(place * STEP);
    let mut corners = (0..=CHUNK / STEP).flat_map(|row| (0..=CHUNK / STEP).map(move |column| [column, row]));
    corners.any(|[column, row]| rivers::is_bed(f64::from(left) + at(column), f64::from(near) + at(row)))
}

/// The houses of a chunk, in rows. Only towns have houses.
fn houses(x: u32, z: u32) -> Vec<House> {
    let mut random = SplitMix64::new(u64::from(x) << 32 | u64::from(z));
    let [left, near] = [x * CHUNK, z * CHUNK];
    if !random.next_u64().is_multiple_of(TOWNS) || has_river([left, near]) {
        return Vec::new();
    }
    let street = (f64::from(CHUNK) - 40.0) / f64::from(HOUSES);
    let place = |first: u32, number: u32| f64::from(first) + 20.0 + f64::from(number) * street;
    let mut houses = Vec::new();
    for row in 0..HOUSES {
        for column in 0..HOUSES {
            let corner = [place(left, column), place(near, row)];
            let size = [random.between(8.0, 16.0).round(), random.between(8.0, 16.0).round()];
            houses.push(House { corner, size, height: random.between(3.0, 6.0).round() });
        }
    }
    houses
}

/// Four walls with a door, and a flat roof.
struct House {
    /// The smallest corner: x, z.
    corner: [f64; 2],
    size: [f64; 2],
    /// The height of its walls.
    height: f64,
}

impl House {
    fn build(&self, builder: &mut Builder) {
        /// Metres.
        const WALL: f64 = 0.4;
        const DOOR: f64 = 1.6;
        let House { corner: [x, z], size: [width, depth], height } = *self;
        let middle = x + width / 2.0;
        let mut wall = |min: [f64; 2], max: [f64; 2]| {
            builder.block([min[0], 0.0, min[1]], [max[0], height, max[1]]);
        };
        wall([x, z], [middle - DOOR / 2.0, z + WALL]);
        wall([middle + DOOR / 2.0, z], [x + width, z + WALL]);
        wall([x, z + depth - WALL], [x + width, z + depth]);
        wall([x, z + WALL], [x + WALL, z + depth - WALL]);
        wall([x + width - WALL, z + WALL], [x + width, z + depth - WALL]);
        builder.block([x, height, z], [x + width, height + ROOF, z + depth]);
    }
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
        let towns =
            (0..16).flat_map(|x| (0..16).map(move |z| roofs(x, z).count())).filter(|count| *count > 0);
        assert!((15..60).contains(&towns.count()));
    }

    #[test]
    fn banks_are_too_steep_to_walk_on() {
        let mut banks = 0;
        for (x, z) in [(2, 2), (2, 4), (5, 4), (9, 9)] {
            let level = chunk(x, z);
            let corners = |triangle: &[u32; 3]| triangle.map(|corner| level.vertices[corner as usize]);
            let is_bed = |corner: &[f64; 3]| corner[1] == BED;
            for corners in level.triangles.iter().map(corners) {
                if !corners.iter().any(is_bed) || corners.iter().all(is_bed) {
                    continue;
                }
                let [u, v] =
                    [1, 2].map(|other| [0, 1, 2].map(|axis| corners[other][axis] - corners[0][axis]));
                let normal = [0, 1, 2].map(|axis| {
                    let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
                    u[b] * v[c] - u[c] * v[b]
                });
                let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
                // More than 63 degrees.
                assert!(normal[1] / length < 0.45, "{corners:?}");
                banks += 1;
            }
        }
        assert!(banks > 300, "{banks}");
    }
}
