//! Islands that joined or parted from one snapshot to another, compared with a search of both whole
//! snapshots.

use crate::common::{Grid, Random, at, place, tile};
use detour::{IslandChanges, Islands, NavMesh, PolyRef, Vec3};
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

const SIDE: i32 = 4;
/// Tiles of 3 by 3 squares; each square is a polygon, at the same place in all tiles.
const PATTERNS: [&str; 8] = [
    "... ... ...",
    ".#. .#. .#.",
    "... ### ...",
    "### ### ###",
    "#.# ... #.#",
    "### #.# ###",
    "..# #.. ###",
    ".#. ### .#.",
];

fn square_tile(pattern: usize, x: i32, z: i32) -> Tile {
    tile(&Grid::tiled(PATTERNS[pattern], x, z).content())
}

/// The square of each polygon, and its island.
fn squares(mesh: &NavMesh) -> BTreeMap<[i32; 2], (PolyRef, usize)> {
    let islands = mesh.islands();
    let of = |polygon: PolyRef| {
        let middle = mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0;
        let square = [middle.x.floor() as i32, middle.z.floor() as i32];
        (square, (polygon, islands.of(polygon).unwrap()))
    };
    mesh.polygons().map(of).collect()
}

/// Islands of one snapshot that share ground with several islands of the other, as sets of the latter.
fn several(pairs: &BTreeSet<(usize, usize)>) -> BTreeSet<BTreeSet<usize>> {
    let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (one, other) in pairs {
        groups.entry(*one).or_default().insert(*other);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Compares the changes with those found from all squares of both snapshots.
fn check(before: &NavMesh, after: &NavMesh, what: &str) -> [usize; 2] {
    let changes = IslandChanges::between(before, after);
    let (old, new) = (squares(before), squares(after));
    let in_both = new.iter().filter_map(|(square, now)| Some((*old.get(square)?, *now)));
    let pairs: BTreeSet<(usize, usize)> = in_both.map(|((_, was), (_, now))| (was, now)).collect();
    let (old_islands, new_islands) = (before.islands(), after.islands());
    // The old island for a new polygon: the island of the same square.
    let then = |polygon: &PolyRef| {
        let square = new.iter().find(|(_, (other, _))| other == polygon).unwrap().0;
        old.get(square).map(|(_, island)| *island)
    };
    let parted: BTreeSet<BTreeSet<usize>> = (changes.parted().iter())
        .map(|group| group.iter().map(|polygon| new_islands.of(*polygon).unwrap()).collect())
        .collect();
    assert_eq!(parted, several(&pairs), "{what}");
    let joined: BTreeSet<BTreeSet<usize>> = (changes.joined().iter())
        .map(|group| group.iter().map(|polygon| then(polygon).unwrap()).collect())
        .collect();
    let turned = pairs.iter().map(|(was, now)| (*now, *was)).collect();
    assert_eq!(joined, several(&turned), "{what}");
    for (square, (polygon, island)) in &old {
        let goes_on = changes.goes_on_as(before, *polygon, after);
        let found: BTreeSet<usize> = goes_on.iter().map(|now| new_islands.of(*now).unwrap()).collect();
        let expected: BTreeSet<usize> =
            pairs.iter().filter(|(was, _)| was == island).map(|(_, now)| *now).collect();
        assert_eq!(found, expected, "{what}, from {square:?}");
    }
    assert!(old_islands.list().len() < 1000);
    [joined.len(), parted.len()]
}

#[test]
fn it_finds_what_a_look_at_both_meshes_does() {
    let mut total = [0, 0];
    for seed in 1..=40 {
        let mut random = Random(seed * 7919);
        let mut mesh = NavMesh::default();
        let mut below = |limit: usize| random.below(limit as u64) as usize;
        for index in 0..SIDE * SIDE {
            mesh.add_tile(square_tile(below(PATTERNS.len()), index / SIDE, index % SIDE)).unwrap();
        }
        for step in 0..25 {
            let before = mesh.clone();
            for _ in 0..below(4) {
                let (x, z) = (below(SIDE as usize) as i32, below(SIDE as usize) as i32);
                let coord = TileCoord { x, z, layer: 0 };
                if mesh.tile(coord).is_some() {
                    mesh.remove_tile(coord).unwrap();
                }
                if below(5) > 0 {
                    mesh.add_tile(square_tile(below(PATTERNS.len()), x, z)).unwrap();
                }
            }
            let found = check(&before, &mesh, &format!("seed {seed}, step {step}"));
            total = [total[0] + found[0], total[1] + found[1]];
        }
    }
    assert!(total.iter().all(|count| *count > 100), "{total:?}");
}

#[test]
fn meshes_that_were_built_apart_are_compared_too() {
    let build = |text: &str| Grid::new(text).mesh();
    let found = check(&build("..... ....."), &build("..#.. ..#.."), "a wall comes");
    assert_eq!(found, [0, 1]);
    let found = check(&build("..#.. ..#.."), &build("..... ....."), "a wall goes");
    assert_eq!(found, [1, 0]);
    assert_eq!(check(&build("..#.."), &build("#.#.#"), "ground goes"), [0, 0]);
    assert_eq!(check(&NavMesh::default(), &build("..#.."), "ground comes"), [0, 0]);
}

#[test]
fn ground_that_is_higher_than_the_agent_climbs_is_other_ground() {
    let low = Grid::new("..#..").mesh();
    let raised = |steps: i32| {
        let mut grid = Grid::new(".....");
        grid.vertex = Box::new(move |column, row| [column * 1024, steps, row * 1024]);
        grid.mesh()
    };
    // Half a metre is its climb, at 2,048 steps per metre.
    assert_eq!(IslandChanges::between(&low, &raised(1000)).joined().len(), 1);
    let higher = raised(1100);
    let changes = IslandChanges::between(&low, &higher);
    assert!(changes.joined().is_empty() && changes.parted().is_empty());
    let was = place(&low, at(0.5, 0.5)).polygon;
    assert!(changes.goes_on_as(&low, was, &higher).is_empty());
    assert_eq!(Islands::new(&higher, &detour::Filter::default()).list().len(), 1);
}
