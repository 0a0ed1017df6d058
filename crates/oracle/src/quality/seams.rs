//! Measure 3, seams: agreement of the portals on both sides of a border.
//! Units: 1/256 cell. Cost: O(portals log portals).

use super::worst::{Spot, worst};
use navmath::FIXED_ONE;
use navtile::layout::{Portal, side};
use navtile::seam::match_portals;
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;

/// The result of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seams {
    /// Portals on all borders, each side counted.
    pub portals: usize,
    /// Portals without a partner beyond the border.
    pub alone: usize,
    /// Length of portals that no partner shares, each side counted, cells.
    pub unmatched: f64,
    /// Pairs of portals that share an interval.
    pub pairs: usize,
    /// Pairs whose intervals are not equal.
    pub unequal: usize,
    /// Ends shared by two portals whose heights differ there.
    pub uneven_ends: usize,
    /// Largest difference in height of two portals within their shared interval, cells.
    pub height_difference: f64,
    /// Unmatched portals; value: length, cells.
    pub worst_unmatched: Vec<Spot>,
    /// Shared ends whose heights differ; value: difference, cells.
    pub worst_uneven: Vec<Spot>,
}

/// Measures all borders between tiles.
pub fn measure<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> Seams {
    let tiles: BTreeMap<TileCoord, &Tile> = tiles.into_iter().map(|tile| (tile.coord(), tile)).collect();
    let mut found = Seams::default();
    let (mut unmatched, mut uneven) = (Vec::new(), Vec::new());
    for (coord, tile) in &tiles {
        for on in 0..4 {
            let (dx, dz) = [(-1, 0), (0, 1), (1, 0), (0, -1)][usize::from(on)];
            let beyond = TileCoord { x: coord.x + dx, z: coord.z + dz, layer: coord.layer };
            let other = tiles.get(&beyond).copied();
            measure_lengths(tile, on, other, &mut found, &mut unmatched);
            // Each border once.
            if let Some(other) = other.filter(|_| on == side::Z_MAX || on == side::X_MAX) {
                measure_pairs(tile, on, other, &mut found, &mut uneven);
            }
        }
    }
    found.worst_unmatched = worst(unmatched);
    found.worst_uneven = worst(uneven);
    found
}

/// Measures the part of each portal on a side that has a partner.
fn measure_lengths(tile: &Tile, on: u8, other: Option<&Tile>, found: &mut Seams, spots: &mut Vec<Spot>) {
    let matches = other.map(|other| match_portals(tile, on, other)).unwrap_or_default();
    let mut matches = matches.as_slice();
    for (index, portal) in tile.portals().iter().enumerate().filter(|(_, portal)| portal.side == on) {
        let count = matches.partition_point(|found| found.a as usize <= index);
        let (own, rest) = matches.split_at(count);
        matches = rest;
        let intervals = own.iter().map(|found| (found.start, found.end)).collect();
        let free = portal.end - portal.start - covered(intervals);
        found.portals += 1;
        found.alone += usize::from(own.is_empty());
        if free > 0 {
            let value = f64::from(free) / f64::from(FIXED_ONE);
            found.unmatched += value;
            let along = (portal.start + portal.end) / 2;
            spots.push(Spot { value, cells: cells(tile, portal, along, portal.start_height) });
        }
    }
}

/// Length of the union of intervals.
fn covered(mut intervals: Vec<(i32, i32)>) -> i32 {
    intervals.sort_unstable();
    let (mut length, mut reached) = (0, i32::MIN);
    for (start, end) in intervals {
        length += (end - start.max(reached)).max(0);
        reached = reached.max(end);
    }
    length
}

/// Compares the portals that face each other.
fn measure_pairs(tile: &Tile, on: u8, other: &Tile, found: &mut Seams, spots: &mut Vec<Spot>) {
    let along = if on & 1 == 0 { 2 } else { 0 };
    let (base, beyond) = (tile.header().base_cell, other.header().base_cell);
    let shift = |axis: usize| ((beyond[axis] - base[axis]) * i64::from(FIXED_ONE)) as f64;
    for pair in match_portals(tile, on, other) {
        let (a, b) = (&tile.portals()[pair.a as usize], &other.portals()[pair.b as usize]);
        let theirs = [b.start, b.end].map(|end| f64::from(end) + shift(along));
        found.pairs += 1;
        found.unequal += usize::from([a.start, a.end].map(f64::from) != theirs);
        for at in [pair.start, pair.end] {
            let higher = height(b, f64::from(at) - shift(along)) + shift(1) - height(a, f64::from(at));
            let difference = higher.abs() / f64::from(FIXED_ONE);
            found.height_difference = found.height_difference.max(difference);
            let shared = [a.start, a.end].contains(&at) && theirs.contains(&f64::from(at));
            if shared && difference > 0.0 {
                found.uneven_ends += 1;
                spots.push(Spot { value: difference, cells: cells(tile, a, at, a.start_height) });
            }
        }
    }
}

/// Height of a portal at a place along it.
fn height(portal: &Portal, at: f64) -> f64 {
    let (start, end) = (f64::from(portal.start), f64::from(portal.end));
    let (low, high) = (f64::from(portal.start_height), f64::from(portal.end_height));
    low + (high - low) * ((at - start) / (end - start))
}

/// A place on a portal, cells from the lattice's zero.
fn cells(tile: &Tile, portal: &Portal, along: i32, height: i32) -> [f64; 3] {
    let header = tile.header();
    let [along, height] = [along, height].map(|v| f64::from(v) / f64::from(FIXED_ONE));
    let [width, depth] = [header.width, header.depth].map(f64::from);
    let inside = match portal.side {
        side::X_MIN => [0.0, height, along],
        side::X_MAX => [width, height, along],
        side::Z_MIN => [along, height, 0.0],
        _ => [along, height, depth],
    };
    std::array::from_fn(|axis| inside[axis] + header.base_cell[axis] as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmath::Lattice;
    use navtile::content::Beyond;
    use navtile::{EdgeContent, PolygonContent, TileContent};

    /// A tile of 10 x 10 cells with one rectangle from its left side to its right, from `z` to `z` cells,
    /// with the heights of its corners on either side.
    fn tile(x: i32, z: [i32; 2], [left, right]: [[i32; 2]; 2]) -> Tile {
        let at = |x: i32, z: i32, y: i32| [x, y, z].map(|cells| cells * FIXED_ONE);
        let portal = |vertex, on| EdgeContent { vertex, beyond: Beyond::Portal(on) };
        let wall = |vertex| EdgeContent { vertex, beyond: Beyond::Wall };
        let content = TileContent {
            coord: TileCoord { x, z: 0, layer: 0 },
            lattice: Lattice { origin: [0.0; 3], cell_size: 0.25, cell_height: 0.25 },
            base_cell: [i64::from(x) * 10, 0, 0],
            size_cells: [10, 10],
            agent: [0.5, 2.0, 1.0, 45.0],
            vertices: vec![
                at(0, z[0], left[0]),
                at(0, z[1], left[1]),
                at(10, z[1], right[1]),
                at(10, z[0], right[0]),
            ],
            polygons: vec![PolygonContent {
                edges: vec![portal(0, side::X_MIN), wall(1), portal(2, side::X_MAX), wall(3)],
                area: 1,
                flags: 1,
                detail_vertices: Vec::new(),
                detail_triangles: Vec::new(),
            }],
            off_mesh_links: Vec::new(),
        };
        Tile::from_bytes(&content.write().unwrap().0).unwrap()
    }

    const LEVEL: [[i32; 2]; 2] = [[4, 4], [4, 4]];

    #[test]
    fn equal_portals_agree() {
        let found = measure(&[tile(0, [2, 8], LEVEL), tile(1, [2, 8], LEVEL)]);
        // The outer sides lead nowhere.
        assert_eq!((found.portals, found.alone, found.unmatched), (4, 2, 12.0));
        assert_eq!((found.pairs, found.unequal, found.uneven_ends), (1, 0, 0));
        assert_eq!(found.height_difference, 0.0);
    }

    #[test]
    fn intervals_that_overlap_in_part_are_unequal() {
        let found = measure(&[tile(0, [2, 8], LEVEL), tile(1, [3, 9], LEVEL)]);
        assert_eq!((found.pairs, found.unequal, found.alone), (1, 1, 2));
        assert_eq!(found.unmatched, 12.0 + 2.0);
        assert_eq!(found.worst_unmatched[0].value, 6.0);
    }

    #[test]
    fn heights_differ_at_a_shared_end() {
        let found = measure(&[tile(0, [2, 8], LEVEL), tile(1, [2, 8], [[4, 6], [4, 4]])]);
        assert_eq!((found.pairs, found.unequal, found.uneven_ends), (1, 0, 1));
        assert_eq!(found.height_difference, 2.0);
        assert_eq!(found.worst_uneven[0], Spot { value: 2.0, cells: [10.0, 4.0, 8.0] });
    }

    #[test]
    fn portals_a_storey_apart_are_alone() {
        let found = measure(&[tile(0, [2, 8], LEVEL), tile(1, [2, 8], [[14, 14], [14, 14]])]);
        assert_eq!((found.pairs, found.alone), (0, 4));
    }

    #[test]
    fn intervals_are_not_counted_twice() {
        assert_eq!(covered(vec![(4, 9), (0, 5), (20, 21)]), 10);
        assert_eq!(covered(Vec::new()), 0);
    }
}
