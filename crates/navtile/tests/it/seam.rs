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

/// The same tile, moved by this many cells.
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
    // Heights are 100 a step along x and 10 along z: the neighbour's zero is 4 steps up.
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
        // On the other side there is nothing.
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
    // The second tile's zero lies one cell further along z and two cells lower.
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
    // In the wrong order pairs may be missed, and nothing worse.
    let turned: Vec<Portal> = a.portals().iter().rev().copied().collect();
    for on in 0..4 {
        assert!(match_lines(&turned, &here, on, b.portals(), &there).len() <= 4);
    }
}

/// Squares of one cell's width at the border, from z to z + length, at a height.
fn pieces(x: i32, parts: &[(i32, i32, i32)]) -> TileContent {
    let corners = |(&(z, length, height), rank): (&(i32, i32, i32), i32)| {
        // The rank keeps any two from having one place.
        let at = |x: i32, z: i32| [x, height * 100 + rank, z];
        vec![at(x, z + length), at(x + 256, z + length), at(x + 256, z), at(x, z)]
    };
    tile(&parts.iter().zip(0..).map(corners).collect::<Vec<_>>())
}

fn parts() -> impl Strategy<Value = Vec<(i32, i32, i32)>> {
    prop::collection::vec((0..2000i32, 1..2000i32, 0..50i32), 0..40)
}

proptest! {
    /// The sweep finds what comparing all pairs finds.
    #[test]
    fn all_pairs_are_found(ours in parts(), theirs in parts(), shift in -3..3i64, rise in -3..3i64) {
        let a = built(&pieces(WIDTH - 256, &ours));
        let b = built(&moved(pieces(0, &theirs), [SIZE.into(), rise, shift]));
        let mut expected = Vec::new();
        let (along, up) = (shift as i32 * 256, rise as i32 * 256);
        for (i, p) in (0..).zip(a.portals()).filter(|(_, p)| p.side == side::X_MAX) {
            for (j, q) in (0..).zip(b.portals()).filter(|(_, q)| q.side == side::X_MIN) {
                let (start, end) = (p.start.max(q.start + along), p.end.min(q.end + along));
                if start < end && (p.start_height - q.start_height - up).abs() <= 1152 {
                    expected.push(Match { a: i, b: j, start, end });
                }
            }
        }
        prop_assert_eq!(match_portals(&a, side::X_MAX, &b), expected);
    }
}
