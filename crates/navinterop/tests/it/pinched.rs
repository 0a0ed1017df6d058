//! Outlines that touch themselves: triangles without area and folded triangles join the same polygons as in
//! Detour.

use crate::common::Dice;
use crate::repairs::{PARAMS, X_MAX, X_MIN, imported, repairs, tile};
use navinterop::detour::{DetourPolygon, DetourTile, EXTERNAL};
use navinterop::import::{Imported, Repair, import};
use navinterop::mset::NavMeshParams;
use navmath::Sets;
use navtile::Tile;
use navtile::layout::{Polygon, edge_kind, side};
use navtile::seam::match_portals;

/// Filters: a polygon passes a filter if they share a flag.
const FILTERS: [u16; 3] = [1, 2, 3];
/// Detour shortens borders by this much at each end before it compares them, metres.
const DETOUR_MARGIN: f32 = 0.01;

/// The polygons that Detour reaches from each other, as sets: over the neighbours in the file, and over
/// borders that overlap. All ground is level.
fn detour_parts(tiles: &[DetourTile], filter: u16) -> (Vec<usize>, Sets) {
    let mut first = vec![0];
    for tile in tiles {
        first.push(first[first.len() - 1] + tile.polygons.len());
    }
    let mut sets = Sets::new(first[tiles.len()] as u32);
    let passes = |polygon: &DetourPolygon| polygon.flags & filter != 0;
    let mut join = |a: usize, b: usize| sets.join(a as u32, b as u32);
    for (at, tile) in tiles.iter().enumerate() {
        for (index, polygon) in tile.polygons.iter().enumerate().filter(|(_, polygon)| passes(polygon)) {
            for edge in 0..usize::from(polygon.corner_count) {
                let beyond = polygon.neighbours[edge];
                if beyond & EXTERNAL == 0 {
                    let other = usize::from(beyond).wrapping_sub(1);
                    if tile.polygons.get(other).is_some_and(passes) {
                        join(first[at] + index, first[at] + other);
                    }
                } else if beyond == X_MAX {
                    let next = tiles.iter().position(|other| other.x == tile.x + 1);
                    for (next, other, across) in next.into_iter().flat_map(|next| borders(tiles, next)) {
                        let [start, end] = span(tile, polygon, edge);
                        let [from, to] = across;
                        let shared = end.min(to) - start.max(from);
                        if passes(&tiles[next].polygons[other]) && shared >= 2.0 * DETOUR_MARGIN {
                            join(first[at] + index, first[next] + other);
                        }
                    }
                }
            }
        }
    }
    (first, sets)
}

/// The edges of a tile on its lower x side: tile, polygon and stretch.
fn borders(tiles: &[DetourTile], at: usize) -> Vec<(usize, usize, [f32; 2])> {
    let tile = &tiles[at];
    let mut found = Vec::new();
    for (index, polygon) in tile.polygons.iter().enumerate() {
        for edge in (0..usize::from(polygon.corner_count)).filter(|&edge| polygon.neighbours[edge] == X_MIN) {
            found.push((at, index, span(tile, polygon, edge)));
        }
    }
    found
}

/// The stretch of an edge along z.
fn span(tile: &DetourTile, polygon: &DetourPolygon, edge: usize) -> [f32; 2] {
    let next = (edge + 1) % usize::from(polygon.corner_count);
    let [a, b] = [edge, next].map(|corner| tile.vertices[usize::from(polygon.vertices[corner])][2]);
    [a.min(b), a.max(b)]
}

/// The same as [`detour_parts`] for imported tiles, over internal edges and portals.
fn parts(tiles: &[Tile], filter: u16) -> (Vec<usize>, Sets) {
    let mut first = vec![0];
    for tile in tiles {
        first.push(first[first.len() - 1] + tile.polygons().len());
    }
    let mut sets = Sets::new(first[tiles.len()] as u32);
    let passes =
        |tile: usize, polygon: u32| tiles[tile].polygons()[polygon as usize].flags & u32::from(filter) != 0;
    for (at, tile) in tiles.iter().enumerate() {
        for (index, polygon) in (0..).zip(tile.polygons()) {
            for edge in tile.polygon_edges(polygon).iter().filter(|edge| edge.kind == edge_kind::INTERNAL) {
                if passes(at, index) && passes(at, edge.neighbour) {
                    sets.join(first[at] as u32 + index, first[at] as u32 + edge.neighbour);
                }
            }
        }
        if let Some(next) = tiles.iter().position(|other| other.coord().x == tile.coord().x + 1) {
            for pair in match_portals(tile, side::X_MAX, &tiles[next]) {
                let a = tile.portals()[pair.a as usize].polygon;
                let b = tiles[next].portals()[pair.b as usize].polygon;
                if passes(at, a) && passes(next, b) {
                    sets.join(first[at] as u32 + a, first[next] as u32 + b);
                }
            }
        }
    }
    (first, sets)
}

/// The polygon of an imported tile that has all corners of a source polygon, or corners next to them. `None`
/// if two corners are at the same position.
fn found_again(source: &DetourTile, polygon: &DetourPolygon, tile: &Tile) -> Option<usize> {
    let near =
        |a: [f64; 3], b: [f32; 3]| (0..3).all(|axis| (a[axis] - f64::from(b[axis])).abs() < 2.5 / 256.0);
    let corners = &polygon.vertices[..usize::from(polygon.corner_count)];
    let place = |corner: u16| source.vertices[usize::from(corner)];
    let is_double = |&a: &u16| {
        let apart = |b: u16| (0..3).any(|axis| (place(a)[axis] - place(b)[axis]).abs() > 6.0 / 256.0);
        corners.iter().filter(|&&b| !apart(b)).count() > 1
    };
    if corners.iter().any(is_double) {
        // Its neighbours also have all of its positions.
        return None;
    }
    let has_all = |other: &Polygon| {
        let places: Vec<[f64; 3]> = tile
            .polygon_edges(other)
            .iter()
            .map(|edge| tile.to_world(tile.vertices()[edge.vertex as usize]))
            .collect();
        other.flags == u32::from(polygon.flags)
            && corners.iter().all(|&corner| places.iter().any(|&other| near(other, place(corner))))
    };
    // A polygon with further corners on an edge also has another's positions.
    let polygons = tile.polygons().iter().enumerate().filter(|(_, other)| has_all(other));
    polygons.min_by_key(|(_, other)| other.edge_count).map(|(index, _)| index)
}

/// The repairs of an import except for reversed polygons.
fn notable(found: &Imported) -> Vec<Repair> {
    repairs(found).into_iter().filter(|repair| !matches!(repair, Repair::Reversed { .. })).collect()
}

fn area2(tile: &DetourTile, polygon: &DetourPolygon) -> f32 {
    let [a, b, c] = [0, 1, 2].map(|corner| tile.vertices[usize::from(polygon.vertices[corner])]);
    (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])
}

/// Asserts that import gives Detour's answer between all polygons that it keeps, for all filters. It must
/// keep all polygons with area.
fn assert_as_detour(seed: u64, tiles: &[DetourTile], found: &Imported) -> usize {
    let mut compared = 0;
    for filter in FILTERS {
        let (first, mut theirs) = detour_parts(tiles, filter);
        let (our_first, mut ours) = parts(&found.tiles, filter);
        // Both numbers of each polygon that passes the filter.
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (at, source) in tiles.iter().enumerate() {
            for (index, polygon) in source.polygons.iter().enumerate() {
                if polygon.flags & filter == 0 {
                    continue;
                }
                let again = found_again(source, polygon, &found.tiles[at]);
                assert!(
                    again.is_some() || area2(source, polygon).abs() < 1.0 / 64.0,
                    "seed {seed}: polygon {index} of tile {at} is lost: {:?}",
                    notable(found)
                );
                pairs.extend(again.map(|again| ((first[at] + index) as u32, (our_first[at] + again) as u32)));
            }
        }
        for (at, &(their_a, our_a)) in pairs.iter().enumerate() {
            for &(their_b, our_b) in &pairs[..at] {
                let (expected, is) =
                    (theirs.root(their_a) == theirs.root(their_b), ours.root(our_a) == ours.root(our_b));
                assert_eq!(
                    is,
                    expected,
                    "seed {seed}, filter {filter}, {their_a} to {their_b}: {:?}",
                    notable(found)
                );
                compared += 1;
            }
        }
    }
    compared
}

/// Two neighbouring tiles of 16 x 16 m, cut into triangles; some are missing, some edges are walls.
fn level(dice: &mut Dice) -> Vec<DetourTile> {
    let same_flags = dice.roll(2) == 0;
    let missing = dice.roll(3);
    let mut tiles: Vec<DetourTile> = Vec::new();
    for x in 0..2u16 {
        let vertices: Vec<[f32; 2]> =
            (0..25).map(|at| [f32::from(x) * 16.0 + (at % 5) as f32 * 4.0, (at / 5) as f32 * 4.0]).collect();
        let mut triangles: Vec<[u16; 3]> = Vec::new();
        for square in 0..16u16 {
            let (nw, sw) = (square / 4 * 5 + square % 4, square / 4 * 5 + square % 4 + 5);
            let halves = match dice.roll(2) {
                0 => [[sw, sw + 1, nw + 1], [sw, nw + 1, nw]],
                _ => [[sw, sw + 1, nw], [sw + 1, nw + 1, nw]],
            };
            triangles.extend(halves.into_iter().filter(|_| dice.roll(8) >= missing));
        }
        let mut built = tile(&vertices, &[]);
        (built.x, built.bounds_min[0], built.bounds_max[0]) =
            (i32::from(x), 16.0 * f32::from(x), 16.0 * f32::from(x + 1));
        for corners in &triangles {
            let mut polygon = DetourPolygon { flags: 1, area: 7, corner_count: 3, ..Default::default() };
            polygon.vertices[..3].copy_from_slice(corners);
            if !same_flags {
                polygon.flags = 1 + dice.roll(3) as u16;
            }
            for edge in 0..3 {
                let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
                let back = |other: &[u16; 3]| (0..3).any(|at| (other[at], other[(at + 1) % 3]) == (b, a));
                let other = triangles.iter().position(back).map_or(0, |other| other as u16 + 1);
                let border = |column: u16| a % 5 == column && b % 5 == column;
                polygon.neighbours[edge] = match x {
                    0 if border(4) => X_MAX,
                    1 if border(0) => X_MIN,
                    _ => other,
                };
            }
            built.polygons.push(polygon);
        }
        tiles.push(built);
    }
    for tile in &mut tiles {
        cut(tile, dice);
    }
    tiles
}

/// Makes walls of some edges within a tile, on both sides.
fn cut(tile: &mut DetourTile, dice: &mut Dice) {
    for index in 0..tile.polygons.len() {
        for edge in 0..3 {
            let beyond = tile.polygons[index].neighbours[edge];
            if beyond & EXTERNAL == 0 && beyond != 0 && dice.roll(6) == 0 {
                tile.polygons[index].neighbours[edge] = 0;
                let other = &mut tile.polygons[usize::from(beyond) - 1].neighbours;
                let back = other.iter().position(|&back| usize::from(back) == index + 1).unwrap();
                other[back] = 0;
            }
        }
    }
}

/// Moves a corner of a triangle onto its opposite edge, or beyond it, so that the triangle is flat or folded
/// over its neighbour; others around the corner may also fold. Corners on the border between the tiles stay.
fn pinch(tile: &mut DetourTile, dice: &mut Dice) {
    let Some(below) = u32::try_from(tile.polygons.len()).ok().filter(|below| *below > 0) else { return };
    let polygon = tile.polygons[dice.roll(below) as usize];
    let turn = dice.roll(3) as usize;
    let [a, b, c] = [0, 1, 2].map(|corner| usize::from(polygon.vertices[(corner + turn) % 3]));
    if matches!(b % 5, 0 | 4) {
        return;
    }
    // Sometimes onto the corner at one end of the edge.
    let share = [0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 0.0, 1.0][dice.roll(8) as usize];
    let beyond = [0.0, 0.0, 0.125, 0.25][dice.roll(4) as usize];
    let [from, over, to] = [a, b, c].map(|vertex| tile.vertices[vertex]);
    for axis in [0, 2] {
        let foot = from[axis] + (to[axis] - from[axis]) * share;
        let at = foot + (foot - over[axis]) * beyond;
        tile.vertices[b][axis] = (at * 256.0).round() / 256.0;
    }
    // Detour identifies a tile by its box.
    let x = tile.vertices[b][0];
    if !(tile.bounds_min[0]..=tile.bounds_max[0]).contains(&x) || !(0.0..=16.0).contains(&tile.vertices[b][2])
    {
        tile.vertices[b] = over;
    }
}

/// Reverses the corners of a triangle, as in files of programs that count them from below.
fn turn_round(polygon: &mut DetourPolygon) {
    polygon.vertices[..3].reverse();
    // The edge between the last two corners is now the first.
    polygon.neighbours[..2].reverse();
}

#[test]
fn a_thousand_pinched_outlines_are_reached_as_detour_does() {
    let params = NavMeshParams { max_tiles: 2, ..PARAMS };
    let (mut widened, mut unfolded, mut joined, mut lengthened, mut compared) = (0, 0, 0, 0, 0);
    for seed in 0..1_000 {
        let mut dice = Dice(seed);
        let mut tiles = level(&mut dice);
        for _ in 0..=dice.roll(6) {
            let at = dice.roll(2) as usize;
            pinch(&mut tiles[at], &mut dice);
        }
        if dice.roll(4) == 0 {
            tiles.iter_mut().flat_map(|tile| &mut tile.polygons).for_each(turn_round);
        }
        let found = import(Some(&params), &tiles).unwrap();
        compared += assert_as_detour(seed, &tiles, &found);
        for repair in notable(&found) {
            match repair {
                Repair::Widened { .. } => widened += 1,
                Repair::Unfolded { .. } => unfolded += 1,
                Repair::ZeroArea { .. } => joined += 1,
                Repair::Lengthened { .. } => lengthened += 1,
                Repair::Collapsed { .. } | Repair::CornersJoined { .. } => {}
                other => panic!("seed {seed}: {other}"),
            }
        }
    }
    assert!(widened > 400 && unfolded > 800 && joined > 400, "{widened}, {unfolded}, {joined}");
    assert!(lengthened > 100, "{lengthened}");
    assert!(compared > 1_000_000, "{compared}");
}

#[test]
fn triangles_that_meet_in_a_point_are_joined_by_a_flat_one() {
    // Two triangles share a corner. The third one is flat and follows their bases, which are on one line.
    let vertices = [[1.0, 2.0], [1.0, 6.0], [5.0, 2.0], [9.0, 6.0], [9.0, 2.0]];
    let flat: [(&[u16], &[u16]); 3] =
        [(&[0, 1, 2], &[0, 0, 2]), (&[0, 2, 4], &[1, 3, 0]), (&[2, 3, 4], &[0, 0, 2])];
    let found = imported(&tile(&vertices, &flat));
    assert_eq!(repairs(&found), [Repair::Widened { polygon: 1 }]);
    assert_eq!(navtile::islands::Islands::find(&found.tiles).len(), 1);
    assert!(found.largest_error[2] > 0.0 && found.largest_error[2] < 1.5 / 256.0);
}

#[test]
fn a_folded_triangle_stays_and_joins_its_neighbours() {
    // The tip of the middle triangle is within the first one, which it covers partly.
    let vertices = [[2.0, 8.0], [10.0, 8.0], [6.0, 4.0], [7.0, 6.0], [5.0, 10.0]];
    let folded: [(&[u16], &[u16]); 3] =
        [(&[0, 1, 2], &[2, 0, 0]), (&[1, 0, 3], &[1, 0, 3]), (&[1, 3, 4], &[2, 0, 0])];
    let found = imported(&tile(&vertices, &folded));
    assert_eq!(repairs(&found), [Repair::Unfolded { polygon: 1 }]);
    assert_eq!(navtile::islands::Islands::find(&found.tiles).len(), 1);
    let has_corners = |polygon: &Polygon| {
        let edges = found.tiles[0].polygon_edges(polygon);
        let at = |edge: &navtile::layout::Edge| {
            found.tiles[0].to_world(found.tiles[0].vertices()[edge.vertex as usize])
        };
        edges.len() == 3
            && edges
                .iter()
                .all(|edge| [[10.0, 8.0], [2.0, 8.0], [7.0, 6.0]].contains(&[at(edge)[0], at(edge)[2]]))
    };
    assert!(found.tiles[0].polygons().iter().any(has_corners));
}
