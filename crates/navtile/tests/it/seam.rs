//! Portals meet across a seam: same intervals, other base cells, heights within a climb.

use crate::common::{SIZE, WIDTH, empty, everything, square, tile};
use navtile::layout::{Portal, side};
use navtile::seam::{Match, SeamPlace, match_lines, match_portals};
use navtile::{Tile, TileContent};
use proptest::prelude::*;

fn built(content: &TileContent) -> Tile {
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

/// A strip of squares along x = 0 or x = the tile's width, of these lengths along z, at this height.
fn strip(x: i32, lengths: &[i32], height: i32) -> TileContent {
    let mut polygons = Vec::new();
    let mut z = 0;
    for length in lengths {
        let (near, far) = (x, x + 256);
        let at = |x: i32, z: i32| [x, height, z];
        polygons.push(vec![at(near, z + length), at(far, z + length), at(far, z), at(near, z)]);
        z += length;
    }
    tile(&polygons)
}

/// A tile, moved by this many cells.
fn moved(mut content: TileContent, by: [i64; 3]) -> TileContent {
    for (cell, by) in content.base_cell.iter_mut().zip(by) {
        *cell += by;
    }
    content
}

#[test]
fn a_grid_meets_its_neighbours_on_all_sides() {
    let first = everything();
    let step = i64::from(SIZE);
    // Heights are 100 per step along x and 10 along z: the neighbour's zero is 4 steps higher.
    for (on, by) in [
        (side::X_MIN, [-step, 0, 0]),
        (side::Z_MAX, [0, 0, step]),
        (side::X_MAX, [step, 0, 0]),
        (side::Z_MIN, [0, 0, -step]),
    ] {
        let (a, b) = (built(&first), built(&moved(first.clone(), by)));
        let found = match_portals(&a, on, &b);
        assert_eq!(found.len(), 4, "side {on}");
        for (index, found) in (0..).zip(&found) {
            assert_eq!((found.start, found.end), (index * WIDTH / 4, (index + 1) * WIDTH / 4));
            assert_eq!(a.portals()[found.a as usize].side, on);
            assert_eq!(b.portals()[found.b as usize].side, Tile::opposite(on));
        }
        let back = match_portals(&b, Tile::opposite(on), &a);
        let swapped: Vec<(u32, u32)> = back.iter().map(|found| (found.b, found.a)).collect();
        assert_eq!(swapped, found.iter().map(|found| (found.a, found.b)).collect::<Vec<_>>());
        // The other side has no neighbour.
        assert_eq!(match_portals(&a, Tile::opposite(on), &b), []);
    }
}

#[test]
fn different_intervals_share_what_they_share() {
    let a = built(&strip(WIDTH - 256, &[600, 400], 0));
    let b = built(&moved(strip(0, &[300, 300, 500], 0), [SIZE.into(), 0, 0]));
    let expected = [(0, 0, 0, 300), (0, 1, 300, 600), (1, 2, 600, 1000)];
    let found: Vec<(u32, u32, i32, i32)> = match_portals(&a, side::X_MAX, &b)
        .iter()
        .map(|&Match { a, b, start, end }| (a, b, start, end))
        .collect();
    assert_eq!(found.len(), 3);
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((found.2, found.3), (expected.2, expected.3));
    }
}

#[test]
fn base_cells_may_differ_along_the_seam_and_upwards() {
    // The second tile's zero is one cell further along z and two cells lower.
    let a = built(&strip(WIDTH - 256, &[1024], 512));
    let b = built(&moved(strip(0, &[1024], 1024), [SIZE.into(), -2, 1]));
    let found = match_portals(&a, side::X_MAX, &b);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].start, found[0].end), (256, 1024));
}

#[test]
fn heights_count_to_the_climb_and_no_further() {
    let climb = |height: i32| {
        // Climb 0.9 m is 4.5 cells of 0.2 m: 1152 fixed-point units.
        let b = moved(strip(0, &[1024], height), [SIZE.into(), 0, 0]);
        match_portals(&built(&strip(WIDTH - 256, &[1024], 0)), side::X_MAX, &built(&b)).len()
    };
    assert_eq!((climb(1152), climb(1153), climb(-1152), climb(-1153)), (1, 0, 1, 0));
}

#[test]
fn a_ramp_meets_where_it_passes() {
    let corners = |y0: i32, y1: i32| vec![[0, y1, 1024], [256, y1, 1024], [256, y0, 0], [0, y0, 0]];
    let ramp = built(&moved(tile(&[corners(-5000, 5000)]), [SIZE.into(), 0, 0]));
    let steep = built(&moved(tile(&[corners(-9000, -2000)]), [SIZE.into(), 0, 0]));
    let flat = built(&strip(WIDTH - 256, &[1024], 0));
    assert_eq!(match_portals(&flat, side::X_MAX, &ramp).len(), 1);
    assert_eq!(match_portals(&flat, side::X_MAX, &steep), []);
}

#[test]
fn no_seam_no_match() {
    let a = everything();
    let b = moved(everything(), [i64::from(SIZE) + 1, 0, 0]);
    assert_eq!(match_portals(&built(&a), side::X_MAX, &built(&b)), []);
    let mut other = moved(everything(), [SIZE.into(), 0, 0]);
    other.lattice.cell_size = 0.25;
    assert_eq!(match_portals(&built(&a), side::X_MAX, &built(&other)), []);
    assert_eq!(match_portals(&built(&a), 9, &built(&b)), []);
    assert_eq!(match_portals(&built(&empty()), side::X_MAX, &built(&empty())), []);
}

#[test]
fn storeys_keep_apart() {
    let storeys: Vec<_> = (0..50).map(|y| square(0, 1, 256, move |_, _| 2560 * y)).collect();
    let mirrored: Vec<_> = (0..50).map(|y| square(15, 1, 256, move |_, _| 2560 * y + 100)).collect();
    let (a, b) = (tile(&mirrored), moved(tile(&storeys), [SIZE.into(), 0, 0]));
    let found = match_portals(&built(&a), side::X_MAX, &built(&b));
    assert_eq!(found.len(), 50);
    assert!(found.windows(2).all(|pair| pair[0].a < pair[1].a && pair[0].b < pair[1].b));
}

#[test]
fn lists_of_portals_meet_as_tiles_do() {
    let (a, b) = (built(&everything()), built(&moved(everything(), [SIZE.into(), 0, 0])));
    let (here, there) = (SeamPlace::of(a.header()), SeamPlace::of(b.header()));
    assert_eq!((here.width, here.climb), (SIZE as u32, 1152));
    let found = match_lines(a.portals(), &here, side::X_MAX, b.portals(), &there);
    assert_eq!((found.len(), &found), (4, &match_portals(&a, side::X_MAX, &b)));
    // A part of a list matches under its own indices.
    let only: Vec<Portal> = a.portals().iter().copied().filter(|p| p.side == side::X_MAX).skip(1).collect();
    let part = match_lines(&only, &here, side::X_MAX, b.portals(), &there);
    let places = |list: &[Match]| list.iter().map(|m| (m.b, m.start, m.end)).collect::<Vec<_>>();
    assert_eq!(part.iter().map(|m| m.a).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(places(&part), places(&found[1..]));
}

#[test]
fn places_that_cannot_be_share_no_seam() {
    let (a, b) = (built(&everything()), built(&moved(everything(), [SIZE.into(), 0, 0])));
    let (here, there) = (SeamPlace::of(a.header()), SeamPlace::of(b.header()));
    let found = |here: SeamPlace| match_lines(a.portals(), &here, side::X_MAX, b.portals(), &there).len();
    assert_eq!(found(here), 4);
    for wrong in [
        SeamPlace { base_cell: [i64::MAX, 0, 0], ..here },
        SeamPlace { base_cell: [here.base_cell[0], i64::MIN, i64::MIN], ..here },
        SeamPlace { width: u32::MAX, ..here },
        SeamPlace { climb: i64::MAX, ..here },
        SeamPlace { climb: -1, ..here },
    ] {
        assert_eq!(found(wrong), 0);
    }
    // In the wrong order, pairs may be missed, but nothing worse happens.
    let turned: Vec<Portal> = a.portals().iter().rev().copied().collect();
    for on in 0..4 {
        assert!(match_lines(&turned, &here, on, b.portals(), &there).len() <= 4);
    }
}

#[test]
fn equal_portals_take_no_third() {
    // Our floor has its equal beyond. A gallery half a metre above it, on either side, leads elsewhere.
    let [floor, gallery] = [(0, 1024, 0), (256, 512, 6)];
    for few in [true, false] {
        let found = |ours: &[(i32, i32, i32)], theirs: &[(i32, i32, i32)]| {
            // More portals further along, so that there are more than a few.
            let crowd = (0..if few { 0 } else { 20 }).map(|at| (2000 + 20 * at, 10, 0));
            let all =
                |list: &[(i32, i32, i32)]| list.iter().copied().chain(crowd.clone()).collect::<Vec<_>>();
            let (a, b) = (built(&pieces(WIDTH - 256, &all(ours))), built(&pieces(0, &all(theirs))));
            let b = built(&moved(TileContent::from_tile(&b), [SIZE.into(), 0, 0]));
            let found = match_portals(&a, side::X_MAX, &b);
            let of = |tile: &Tile, index: u32| tile.portals()[index as usize].start_height;
            let near = found.iter().filter(|found| found.start < 2000);
            near.map(|found| (of(&a, found.a), of(&b, found.b))).collect::<Vec<_>>()
        };
        assert_eq!(found(&[floor], &[floor, gallery]), [(0, 0)]);
        assert_eq!(found(&[floor, gallery], &[floor]), [(0, 0)]);
        assert_eq!(found(&[floor, gallery], &[floor, gallery]), [(0, 0), (600, 600)]);
        // Without its equal it meets any portal that is near.
        assert_eq!(found(&[floor], &[gallery]), [(0, 600)]);
    }
}

/// Squares of one cell's width at the border, from z to z + length, at a height.
fn pieces(x: i32, parts: &[(i32, i32, i32)]) -> TileContent {
    let corners = |&(z, length, height): &(i32, i32, i32)| {
        let at = |x: i32, z: i32| [x, height * 100, z];
        vec![at(x, z + length), at(x + 256, z + length), at(x + 256, z), at(x, z)]
    };
    tile(&parts.iter().map(corners).collect::<Vec<_>>())
}

/// Parts of a side, no two at the same position.
fn parts() -> impl Strategy<Value = Vec<(i32, i32, i32)>> {
    prop::collection::vec((0..40i32, 1..40i32, 0..50i32), 0..40).prop_map(|mut parts| {
        let mut kept: Vec<(i32, i32, i32)> = Vec::new();
        for part in parts.drain(..).map(|(z, length, height)| (50 * z, 50 * length, height)) {
            let apart = |other: &(i32, i32, i32)| {
                other.2 != part.2 || other.0 + other.1 <= part.0 || part.0 + part.1 <= other.0
            };
            if kept.iter().all(apart) {
                kept.push(part);
            }
        }
        kept
    })
}

proptest! {
    /// The sweep finds the same pairs as comparing all pairs. The second tile has some parts of the first.
    #[test]
    fn all_pairs_are_found(
        ours in parts(),
        (theirs, shared) in (parts(), 0..40usize),
        shift in -1..2i64,
        rise in -1..2i64,
    ) {
        let apart = |part: &&(i32, i32, i32)| !ours.iter().take(shared).any(|other| other.2 == part.2);
        let theirs: Vec<_> = ours.iter().take(shared).chain(theirs.iter().filter(apart)).copied().collect();
        let a = built(&pieces(WIDTH - 256, &ours));
        let b = built(&moved(pieces(0, &theirs), [SIZE.into(), rise, shift]));
        let (along, up) = (shift as i32 * 256, rise as i32 * 256);
        let of_side = |tile: &Tile, on: u8, along: i32, up: i32| -> Vec<(u32, [i32; 3])> {
            let line = |p: &Portal| [p.start + along, p.end + along, p.start_height + up];
            (0..).zip(tile.portals()).filter(|(_, p)| p.side == on).map(|(i, p)| (i, line(p))).collect()
        };
        let (a_side, b_side) = (of_side(&a, side::X_MAX, 0, 0), of_side(&b, side::X_MIN, along, up));
        let mut expected = Vec::new();
        for &(i, p) in &a_side {
            for &(j, q) in &b_side {
                let (start, end) = (p[0].max(q[0]), p[1].min(q[1]));
                let taken = a_side.iter().any(|other| other.1 == q) || b_side.iter().any(|other| other.1 == p);
                if p == q || (!taken && start < end && (p[2] - q[2]).abs() <= 1152) {
                    expected.push(Match { a: i, b: j, start, end });
                }
            }
        }
        prop_assert_eq!(match_portals(&a, side::X_MAX, &b), expected);
    }
}
