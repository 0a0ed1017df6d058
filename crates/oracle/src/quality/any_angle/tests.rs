//! Compares lengths with a visibility graph's, on rooms drawn by hand and at random.

use super::*;
use crate::quality::cells::of_ground;
use crate::quality::ground::Ground;
use crate::quality::surface::middle;
use crate::quality::testing::room;
use navscenes::random::SplitMix64;

fn at(ground: &Ground, owner: &[Option<u32>], x: i32, z: i32) -> At {
    let span = ground.find(x, z, 0).unwrap();
    At { cell: owner[span].unwrap(), point: middle(x, z) }
}

/// The shortest length in cells between two floors of a room.
fn shortest(picture: &str, from: [i32; 2], to: [i32; 2]) -> Result<f64, NoLength> {
    let ground = room(picture, 0);
    let (cells, owner) = of_ground(&ground);
    let [from, to] = [from, to].map(|[x, z]| at(&ground, &owner, x, z));
    cells.shortest(from, to).map(|length| length / 256.0)
}

#[test]
fn across_a_room_the_way_is_straight() {
    assert_eq!(shortest("####\n####\n####\n####", [0, 0], [3, 3]), Ok(18.0f64.sqrt()));
    assert_eq!(shortest("####", [0, 0], [3, 0]), Ok(3.0));
}

#[test]
fn round_a_wall_the_way_bends_at_its_corners() {
    // From (0.5, 0.5) round (1, 2) and (2, 2) to (2.5, 0.5).
    let expected = 1.0 + 2.0 * (0.25f64 + 2.25).sqrt();
    let length = shortest("#.#\n#.#\n###", [0, 0], [2, 0]).unwrap();
    assert!((length - expected).abs() < 1e-9, "{length}");
}

#[test]
fn along_a_wall_the_way_bends_at_both_its_ends() {
    // From (0.5, 1.5) to (2, 1), along the wall to (3, 1), and down to (4.5, 1.5).
    let expected = 1.0 + (2.25f64 + 0.25).sqrt() * 2.0;
    let length = shortest("#####\n##.##\n##.##", [0, 1], [4, 1]).unwrap();
    assert!((length - expected).abs() < 1e-9, "{length}");
}

#[test]
fn no_way_is_no_length() {
    assert_eq!(shortest("##.##", [0, 0], [4, 0]), Err(NoLength::Unreachable));
    // Floors that touch at a corner alone are not connected.
    assert_eq!(shortest("#.\n.#", [0, 0], [1, 1]), Err(NoLength::Unreachable));
}

/// Returns true if the segment stays over floors. It may pass between two walls that touch, but a path may
/// not.
fn is_clear(ground: &Ground, a: [f64; 2], b: [f64; 2]) -> bool {
    let mut stops = vec![0.0, 1.0];
    for axis in 0..2 {
        let (from, to) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        let lines = (from.ceil() as i32..=to.floor() as i32).map(f64::from);
        stops.extend(lines.filter(|_| from < to).map(|line| (line - a[axis]) / (b[axis] - a[axis])));
    }
    stops.sort_by(f64::total_cmp);
    stops.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9).all(|pair| {
        let t = (pair[0] + pair[1]) / 2.0;
        let [x, z] = [0, 1].map(|axis| a[axis] + t * (b[axis] - a[axis]));
        // On a line between cells, either side is enough.
        let near = |v: f64| {
            if (v - v.round()).abs() < 1e-9 { vec![v.round() - 1.0, v.round()] } else { vec![v.floor()] }
        };
        near(x).iter().any(|&x| near(z).iter().any(|&z| !ground.floors(x as i32, z as i32).is_empty()))
    })
}

/// Shortest length by Dijkstra's algorithm over all corners of floors that see each other.
fn by_visibility(ground: &Ground, from: [i32; 2], to: [i32; 2]) -> f64 {
    let mut points = vec![from.map(|v| f64::from(v) + 0.5), to.map(|v| f64::from(v) + 0.5)];
    for z in 0..=ground.depth {
        for x in 0..=ground.width {
            let around = [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)];
            let solid = around.iter().filter(|&&(x, z)| ground.floors(x, z).is_empty()).count();
            if solid == 1 {
                points.push([f64::from(x), f64::from(z)]);
            }
        }
    }
    let mut length = vec![f64::INFINITY; points.len()];
    let mut closed = vec![false; points.len()];
    length[0] = 0.0;
    while let Some(next) = (0..points.len())
        .filter(|&i| !closed[i] && length[i].is_finite())
        .min_by(|&a, &b| length[a].total_cmp(&length[b]))
    {
        closed[next] = true;
        for other in 0..points.len() {
            let through = length[next] + distance(points[next], points[other]);
            if !closed[other] && through < length[other] && is_clear(ground, points[next], points[other]) {
                length[other] = through;
            }
        }
    }
    length[1]
}

#[test]
fn random_rooms_give_the_lengths_of_a_visibility_graph() {
    let mut random = SplitMix64::new(5);
    let mut compared = 0;
    for round in 0..60 {
        let (width, depth) = (12, 9);
        let mut solid = vec![false; width * depth];
        for cell in &mut solid {
            *cell = random.next_u64().is_multiple_of(4);
        }
        // No walls that only touch at a corner, because the two would disagree about passing between them.
        for _ in 0..width * depth {
            for z in 0..depth - 1 {
                for x in 0..width - 1 {
                    let quad =
                        [x + z * width, x + 1 + z * width, x + (z + 1) * width, x + 1 + (z + 1) * width];
                    if solid[quad[0]] == solid[quad[3]]
                        && solid[quad[1]] == solid[quad[2]]
                        && solid[quad[0]] != solid[quad[1]]
                    {
                        quad.iter().for_each(|&cell| solid[cell] = false);
                    }
                }
            }
        }
        let row = |row: &[bool]| row.iter().map(|&solid| if solid { '.' } else { '#' }).collect::<String>();
        let picture = solid.chunks(width).map(row).collect::<Vec<_>>().join("\n");
        let ground = room(&picture, 0);
        let (cells, owner) = of_ground(&ground);
        for _ in 0..8 {
            let mut pick = || ground.spans[random.next_u64() as usize % ground.spans.len()];
            let (a, b) = (pick(), pick());
            let found = cells.shortest(at(&ground, &owner, a.x, a.z), at(&ground, &owner, b.x, b.z));
            let expected = by_visibility(&ground, [a.x, a.z], [b.x, b.z]);
            match found {
                Ok(length) => assert!(
                    (length / 256.0 - expected).abs() < 1e-6,
                    "{round}: {picture}\n{a:?} {b:?} {length} {expected}"
                ),
                Err(reason) => assert!(
                    reason == NoLength::Unreachable && expected.is_infinite(),
                    "{round}: {picture}\n{a:?} {b:?}"
                ),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 480);
}
