//! Tiles are accepted if a plain checker finds nothing, and refused for a rule that it finds broken, in the same words:
//! sound tiles, random corruptions, rewired portals and twins.

use crate::common::parts::Parts;
use crate::common::{Dice, everything, random_star, random_tile, square, tile};
use crate::judge::judge;
use navtile::Tile;
use navtile::layout::{BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, edge_kind};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// The rule that the reader says is broken, if the judge says so too, in the same words; `sound` for none.
fn verdict(parts: &Parts) -> &'static str {
    let errors = judge(parts);
    match Tile::from_bytes(&parts.bytes()) {
        Ok(_) => {
            assert!(errors.is_empty(), "accepted in spite of {errors:?}");
            "sound"
        }
        Err(error) => {
            assert!(errors.contains(&error), "refused for {error}, not for one of {errors:?}");
            error.rule
        }
    }
}

/// One of some numbers changed a little, to a small one, to another of them, or in one bit.
fn spoil(bytes: &mut [u8], dice: &mut Dice) {
    let words = bytes.len() / 4;
    if words == 0 {
        return;
    }
    let [at, other] = [0; 2].map(|_| dice.roll(words as u32) as usize * 4);
    let word = |at: usize| [0, 1, 2, 3].map(|byte| bytes[at + byte]);
    let old = i32::from_le_bytes(word(at));
    let new = match dice.roll(6) {
        0 => old.wrapping_add(dice.roll(5) - 2),
        1 => dice.roll(20),
        2 => i32::from_le_bytes(word(other)),
        3 => old ^ 1 << dice.roll(32),
        4 => old.wrapping_add(dice.roll(600) - 300),
        _ => {
            // Two numbers change places.
            bytes.copy_within(other..other + 4, at);
            bytes[other..other + 4].copy_from_slice(&old.to_le_bytes());
            return;
        }
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
}

fn spoil_one_of<T: bytemuck::Pod>(values: &mut [T], dice: &mut Dice) {
    let count = values.len() as u32;
    if count > 0 {
        spoil(bytemuck::bytes_of_mut(&mut values[dice.roll(count) as usize]), dice);
    }
}

/// One number of the header that the rules behind the table are about.
fn spoil_header(header: &mut Header, dice: &mut Dice) {
    let axis = dice.roll(3) as usize;
    match dice.roll(6) {
        0 => header.bounds_min[axis] += dice.roll(3) - 1,
        1 => header.bounds_max[axis] += dice.roll(3) - 1,
        2 => header.bv_shift[axis] = dice.roll(34) as u8,
        3 => header.polygon_vertex_count = dice.roll(40) as u32,
        4 => header.width = dice.roll(20) as u32,
        _ => header.depth = dice.roll(20) as u32,
    }
}

fn spoil_part(parts: &mut Parts, dice: &mut Dice) {
    match dice.roll(14) {
        0 => spoil_header(&mut parts.header, dice),
        1 => spoil_one_of(&mut parts.vertices, dice),
        2 => spoil_one_of::<Polygon>(&mut parts.polygons, dice),
        3 => spoil_one_of::<Edge>(&mut parts.edges, dice),
        4 => spoil_one_of::<Portal>(&mut parts.portals, dice),
        5 => spoil_one_of::<DetailTriangle>(&mut parts.triangles, dice),
        6 => spoil_one_of::<BvNode>(&mut parts.nodes, dice),
        7 => spoil_one_of::<OffMeshLink>(&mut parts.links, dice),
        // Numbers of one element and another.
        8 => spoil(bytemuck::cast_slice_mut(&mut parts.vertices), dice),
        9 => spoil(bytemuck::cast_slice_mut(&mut parts.edges), dice),
        10 => spoil(bytemuck::cast_slice_mut(&mut parts.portals), dice),
        11 => spoil(bytemuck::cast_slice_mut(&mut parts.nodes), dice),
        12 if !parts.portals.is_empty() => drop(parts.portals.pop()),
        _ => drop(parts.nodes.pop()),
    }
}

/// Changes several numbers of a sound tile that belong together: what is wrong then shows in one place only.
fn rewire(parts: &mut Parts, dice: &mut Dice) {
    match dice.roll(3) {
        0 => swap_portals(parts, dice),
        1 => match dice.roll(5) {
            0 => parts.vertices.extend(parts.vertices.last().copied()),
            1 => parts.triangles.extend(parts.triangles.last().copied()),
            2 => parts.edges.extend(parts.edges.last().copied()),
            3 => parts.polygons.extend(parts.polygons.last().copied()),
            _ => parts.nodes.extend(parts.nodes.last().copied()),
        },
        _ => swap_twins(parts, dice),
    }
}

/// Two portals that follow each other change places; their edges know.
fn swap_portals(parts: &mut Parts, dice: &mut Dice) {
    if parts.portals.len() < 2 {
        return;
    }
    let at = dice.roll(parts.portals.len() as u32 - 1) as usize;
    parts.portals.swap(at, at + 1);
    for index in [at, at + 1] {
        let Portal { polygon, edge, .. } = parts.portals[index];
        let first = parts.polygons[polygon as usize].first_edge;
        parts.edges[first as usize + usize::from(edge)].neighbour = index as u32;
    }
}

/// An internal edge says that its twin is another edge, which meets it at one end. In half of all cases that one
/// agrees, and so do the two that they leave.
fn swap_twins(parts: &mut Parts, dice: &mut Dice) {
    // Polygon, number there, and ends of each edge.
    let mut sides: Vec<(u32, u8, [u32; 2])> = Vec::new();
    for (index, polygon) in (0..).zip(&parts.polygons) {
        let (first, count) = (polygon.first_edge as usize, usize::from(polygon.edge_count));
        let vertex = |at: usize| parts.edges[first + at % count].vertex;
        sides.extend((0..count).map(|at| (index, at as u8, [vertex(at), vertex(at + 1)])));
    }
    let internal: Vec<usize> =
        (0..sides.len()).filter(|&at| parts.edges[at].kind == edge_kind::INTERNAL).collect();
    let mut pick = |from: Vec<usize>| (!from.is_empty()).then(|| from[dice.roll(from.len() as u32) as usize]);
    let Some(one) = pick(internal.clone()) else { return };
    let [from, to] = sides[one].2;
    let meets = |at: &usize| *at != one && (sides[*at].2[1] == from || sides[*at].2[0] == to);
    let Some(other) = pick(internal.into_iter().filter(meets).collect()) else { return };
    let twin = |at: usize| {
        let Edge { neighbour, twin, .. } = parts.edges[at];
        sides.iter().position(|side| (side.0, side.1) == (neighbour, twin)).unwrap()
    };
    let left = [twin(one), twin(other)];
    let mut point = |at: usize, to: usize| {
        (parts.edges[at].neighbour, parts.edges[at].twin) = (sides[to].0, sides[to].1);
    };
    point(one, other);
    if dice.roll(2) == 0 {
        point(other, one);
        point(left[0], left[1]);
        point(left[1], left[0]);
    }
}

/// Puts the header's bounds around the vertices, so that more than these rules are met.
fn mend_bounds(parts: &mut Parts) {
    let bounds = navmath::IBox3::around(parts.vertices.iter().copied());
    if !parts.vertices.is_empty() {
        (parts.header.bounds_min, parts.header.bounds_max) = (bounds.min, bounds.max);
    }
}

#[test]
fn the_reader_and_the_judge_agree() {
    let mut runner = TestRunner::deterministic();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let storeys: Vec<_> = (0..4).map(|y| square(0, 1, 512, move |x, _| 90 * y + 50 * x)).collect();
    let mut contents = vec![everything(), tile(&storeys)];
    for _ in 0..30 {
        contents.push(random_tile().new_tree(&mut runner).unwrap().current());
        contents.push(random_star().new_tree(&mut runner).unwrap().current());
    }
    for (seed, content) in (0u64..).zip(&contents) {
        let sound = Parts::of(content);
        assert_eq!(verdict(&sound), "sound");
        let mut dice = Dice(seed);
        for round in 0..300 {
            let mut parts = sound.clone();
            if round % 3 == 0 {
                rewire(&mut parts, &mut dice);
            } else {
                for _ in 0..=dice.roll(2) {
                    spoil_part(&mut parts, &mut dice);
                }
            }
            if round % 2 == 0 {
                mend_bounds(&mut parts);
            }
            *verdicts.entry(verdict(&parts)).or_default() += 1;
        }
    }
    // Of 37 rules, most of those that one number or two can break.
    assert!(verdicts["sound"] > 500 && verdicts.len() > 28, "{verdicts:?}");
}
