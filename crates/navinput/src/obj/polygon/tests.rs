//! Tests of faces: random ones with holes in random planes, and each kind by name.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Random numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % sides
    }

    /// A number from -1 to 1.
    fn number(&mut self) -> f64 {
        self.roll(1 << 40) as f64 / (1_u64 << 39) as f64 - 1.0
    }

    fn vector(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.number())
    }
}

/// The number of random faces: all of them with NAVTILE_LONG=1.
fn rounds() -> u64 {
    if std::env::var_os("NAVTILE_LONG").is_some() { 10_000 } else { 600 }
}

type Cell = [i32; 2];

/// A face of squares: its corners in the plane, and the squares.
struct Squares {
    plan: Vec<[f64; 2]>,
    cells: BTreeSet<Cell>,
    /// The places of the corners of squares.
    places: BTreeMap<Cell, [f64; 2]>,
    bridges: usize,
}

/// Squares that are connected by their sides.
fn cells(dice: &mut Dice) -> BTreeSet<Cell> {
    let side = 3 + dice.roll(5) as i32;
    let mut cells = BTreeSet::from([[side / 2, side / 2]]);
    let free: Vec<bool> = (0..side * side).map(|_| dice.roll(4) > 0).collect();
    for _ in 0..side * side * 6 {
        let at: Vec<Cell> = cells.iter().copied().collect();
        let [x, y] = at[dice.roll(at.len() as u64) as usize];
        let [dx, dy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][dice.roll(4) as usize];
        let next = [x + dx, y + dy];
        if next.iter().all(|value| (0..side).contains(value)) && free[(next[0] * side + next[1]) as usize] {
            cells.insert(next);
        }
    }
    cells
}

/// The outlines of squares: the squares are to the left of each.
fn loops(cells: &BTreeSet<Cell>) -> Vec<Vec<Cell>> {
    let mut sides: BTreeSet<(Cell, Cell)> = BTreeSet::new();
    for &[x, y] in cells {
        let around = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        let beyond = [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]];
        for side in 0..4 {
            if !cells.contains(&beyond[side]) {
                sides.insert((around[side], around[(side + 1) % 4]));
            }
        }
    }
    let mut loops = Vec::new();
    while let Some(first) = sides.pop_first() {
        let (mut outline, mut at) = (vec![first.0], first);
        while at.1 != first.0 {
            let [dx, dy] = [at.1[0] - at.0[0], at.1[1] - at.0[1]];
            // To the left first: squares that touch in a corner stay apart.
            let turns = [[-dy, dx], [dx, dy], [dy, -dx]];
            let next = turns.map(|[dx, dy]| (at.1, [at.1[0] + dx, at.1[1] + dy]));
            let next = next.into_iter().find(|side| sides.contains(side)).expect("outlines are closed");
            sides.remove(&next);
            outline.push(at.1);
            at = next;
        }
        loops.push(outline);
    }
    loops
}

/// A face of random squares, moved a little, whose holes are joined to the outline by bridges to the left.
fn squares(dice: &mut Dice) -> Squares {
    let cells = cells(dice);
    let mut loops = loops(&cells);
    // The outline has the leftmost corner of all; a bridge ends at the outline, or at a hole further left.
    loops.sort_by_key(|corners| corners.iter().min().copied());
    let mut face = loops.remove(0);
    let bridges = loops.len();
    for mut hole in loops {
        let start = hole.iter().enumerate().min_by_key(|(_, corner)| **corner).map_or(0, |(at, _)| at);
        hole.rotate_left(start);
        let mut bridge = vec![hole[0]];
        let end = loop {
            let [x, y] = bridge[bridge.len() - 1];
            bridge.push([x - 1, y]);
            if let Some(end) = face.iter().position(|corner| *corner == [x - 1, y]) {
                break end;
            }
        };
        let back = bridge[1..bridge.len() - 1].iter().copied();
        let detour: Vec<Cell> = back
            .clone()
            .rev()
            .chain(hole.iter().copied())
            .chain([hole[0]])
            .chain(back)
            .chain([face[end]])
            .collect();
        face.splice(end + 1..end + 1, detour);
    }
    let shake = if dice.roll(3) == 0 { 0.0 } else { 0.2 };
    let corners = cells.iter().flat_map(|&[x, y]| [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]);
    let places: BTreeMap<Cell, [f64; 2]> = corners
        .collect::<BTreeSet<Cell>>()
        .into_iter()
        .map(|[x, y]| ([x, y], [f64::from(x) + shake * dice.number(), f64::from(y) + shake * dice.number()]))
        .collect();
    let mut plan: Vec<[f64; 2]> = face.iter().map(|corner| places[corner]).collect();
    let start = dice.roll(plan.len() as u64) as usize;
    plan.rotate_left(start);
    if dice.roll(2) == 0 {
        plan.reverse();
    }
    Squares { plan, cells, places, bridges }
}

/// Corners in a random plane, and the factor by which areas are larger there.
fn in_a_plane(plan: &[[f64; 2]], dice: &mut Dice) -> (Vec<[f64; 3]>, f64) {
    let far = [0.0, 10.0, 1000.0][dice.roll(3) as usize];
    let [u, v, origin] = [dice.vector(), dice.vector(), dice.vector()];
    let growth = dot(cross(u, v), cross(u, v)).sqrt();
    let place =
        |&[x, y]: &[f64; 2]| std::array::from_fn(|axis| far * origin[axis] + x * u[axis] + y * v[axis]);
    (plan.iter().map(place).collect(), growth)
}

fn signed_area(plan: &[[f64; 2]]) -> f64 {
    let ends = plan.iter().skip(1).chain(plan.first());
    plan.iter().zip(ends).map(|(a, b)| (a[0] * b[1] - b[0] * a[1]) / 2.0).sum()
}

/// Returns true if a place is within a triangle of either winding.
fn is_within([a, b, c]: [[f64; 2]; 3], p: [f64; 2]) -> bool {
    let side = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

/// Returns true if a place is within an outline. Bridges count twice, so they cancel out.
fn encloses(plan: &[[f64; 2]], p: [f64; 2]) -> bool {
    let ends = plan.iter().skip(1).chain(plan.first());
    let crossed = plan.iter().zip(ends).filter(|(a, b)| {
        (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]
    });
    crossed.count() % 2 == 1
}

/// Triangles of a face, checked: they cover its area, face in the same direction as it does, and none is
/// outside.
fn checked(plan: &[[f64; 2]], dice: &mut Dice) -> Vec<[u32; 3]> {
    let (corners, growth) = in_a_plane(plan, dice);
    let mut triangles = Vec::new();
    let flaws = triangulate(&corners, &mut triangles);
    assert_eq!(flaws, Flaws::default(), "{plan:?}");
    let area = signed_area(plan);
    let whole = signed_area(plan).signum();
    let mut covered = 0.0;
    for triangle in &triangles {
        let flat = triangle.map(|corner| plan[corner as usize]);
        assert!(signed_area(&flat) * whole >= -1e-9, "{triangle:?} is turned over in {plan:?}");
        let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
        let normal = cross(sub(b, a), sub(c, a));
        covered += dot(normal, normal).sqrt() / 2.0;
        let middle = [0, 1].map(|axis| (flat[0][axis] + flat[1][axis] + flat[2][axis]) / 3.0);
        assert!(
            signed_area(&flat).abs() < 1e-9 || encloses(plan, middle),
            "{triangle:?} is outside {plan:?}"
        );
    }
    let expected = area.abs() * growth;
    assert!((covered - expected).abs() <= 1e-6 * expected, "{covered} of {expected} m² in {plan:?}");
    triangles
}

/// The number of connected pieces of triangles; they connect through whole edges.
fn pieces(plan: &[[f64; 2]], triangles: &[[u32; 3]]) -> usize {
    let place = |corner: u32| plan[corner as usize].map(f64::to_bits);
    let mut sides: BTreeMap<[[u64; 2]; 2], usize> = BTreeMap::new();
    let mut group: Vec<usize> = (0..triangles.len()).collect();
    fn root(group: &[usize], mut at: usize) -> usize {
        while group[at] != at {
            at = group[at];
        }
        at
    }
    for (index, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let mut ends = [place(triangle[side]), place(triangle[(side + 1) % 3])];
            ends.sort_unstable();
            if let Some(other) = sides.insert(ends, index) {
                let (a, b) = (root(&group, index), root(&group, other));
                group[a] = b;
            }
        }
    }
    (0..group.len()).filter(|&at| group[at] == at).count()
}

#[test]
fn random_faces_with_holes_are_covered_once_and_stay_connected() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut bridged, mut concave) = (0, 0);
    for _ in 0..rounds() {
        let squares = squares(&mut dice);
        bridged += u64::from(squares.bridges > 0);
        let triangles = checked(&squares.plan, &mut dice);
        if squares.plan.len() == 4 {
            continue;
        }
        concave += 1;
        let flat: Vec<[[f64; 2]; 3]> =
            triangles.iter().map(|triangle| triangle.map(|corner| squares.plan[corner as usize])).collect();
        for cell in &squares.cells {
            let around = [[0, 0], [1, 0], [1, 1], [0, 1]];
            let corners = around.map(|[x, y]| squares.places[&[cell[0] + x, cell[1] + y]]);
            // Not quite the middle, where edges may run.
            let aside = [1.3e-4, 4.7e-5];
            let middle =
                [0, 1].map(|axis| corners.iter().map(|at| at[axis]).sum::<f64>() / 4.0 + aside[axis]);
            let over = flat.iter().filter(|triangle| is_within(**triangle, middle)).count();
            assert_eq!(over, 1, "square {cell:?} of {:?}", squares.plan);
        }
        assert_eq!(pieces(&squares.plan, &triangles), 1, "{:?}", squares.plan);
    }
    assert!(bridged > rounds() / 10 && concave > rounds() / 2, "{bridged} with holes, {concave} concave");
}

/// A random outline without crossings: crossing edges are exchanged until no crossings are left.
fn tangled(dice: &mut Dice) -> Vec<[f64; 2]> {
    let count = 5 + dice.roll(16) as usize;
    let mut plan: Vec<[f64; 2]> = (0..count).map(|_| [dice.number(), dice.number()]).collect();
    let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let mut is_better = true;
    while is_better {
        is_better = false;
        for from in 0..count - 1 {
            for to in from + 1..count {
                let (a, b, c, d) = (plan[from], plan[from + 1], plan[to], plan[(to + 1) % count]);
                if length(a, c) + length(b, d) + 1e-12 < length(a, b) + length(c, d) {
                    plan[from + 1..=to].reverse();
                    is_better = true;
                }
            }
        }
    }
    plan
}

#[test]
fn random_outlines_become_two_triangles_less_than_corners() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    for _ in 0..rounds() {
        let plan = tangled(&mut dice);
        assert_eq!(checked(&plan, &mut dice).len(), plan.len() - 2, "{plan:?}");
    }
}

fn flat(plan: &[[f64; 2]]) -> (Vec<[u32; 3]>, Flaws) {
    let corners: Vec<[f64; 3]> = plan.iter().map(|&[x, y]| [x, 0.0, -y]).collect();
    let mut triangles = Vec::new();
    let flaws = triangulate(&corners, &mut triangles);
    (triangles, flaws)
}

/// Twice the area of triangles, all taken as positive.
fn covered(plan: &[[f64; 2]], triangles: &[[u32; 3]]) -> f64 {
    triangles.iter().map(|triangle| signed_area(&triangle.map(|corner| plan[corner as usize])).abs()).sum()
}

#[test]
fn convex_faces_keep_their_fans() {
    let fan = [[0, 1, 2], [0, 2, 3], [0, 3, 4]];
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    assert_eq!(flat(&square), (fan[..2].to_vec(), Flaws::default()));
    // With a corner on a side, and with a corner that is repeated.
    let straight = [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    assert_eq!(flat(&straight), (fan.to_vec(), Flaws::default()));
    assert_eq!(flat(&[[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]).0, fan[..2]);
    // Wound in the other direction, and a corner that is out of line by rounding.
    let turned: Vec<[f64; 2]> = straight.iter().rev().copied().collect();
    assert_eq!(flat(&turned).0, fan);
    let rounded = [[0.0, 0.0], [2.0, 1e-12], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    assert_eq!(flat(&rounded).0, fan);
    // Concave, and completely visible from its first corner.
    assert_eq!(flat(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]).0, fan[..2]);
}

#[test]
fn a_face_that_goes_round_many_times_is_there_once() {
    let plan: Vec<[f64; 2]> = (0..30_000).map(|at| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]][at % 3]).collect();
    assert_eq!(flat(&plan), (vec![[0, 1, 2]], Flaws { folds: true, bends: false }));
}

#[test]
fn what_covers_nothing_is_left_out() {
    // A spike, and a face that is a line walked back and forth.
    let spike = [[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, -3.0], [2.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
    let (triangles, flaws) = flat(&spike);
    assert_eq!((covered(&spike, &triangles), flaws), (8.0, Flaws::default()));
    let line = [[0.0, 0.0], [4.0, 0.0], [0.0, 0.0], [2.0, 0.0], [1.0, 0.0]];
    assert_eq!(flat(&line), (Vec::new(), Flaws::default()));
    assert_eq!(flat(&[[1.0, 1.0]; 5]), (Vec::new(), Flaws::default()));
}

#[test]
fn holes_and_outlines_may_touch_corners_and_sides() {
    // A hole with a corner on a side of the outline, and a hole that shares a corner with it.
    let side =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 2.0], [2.0, 3.0], [2.0, 1.0], [0.0, 2.0]];
    let touching = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0], [1.0, 3.0], [2.0, 3.0]];
    // A bay whose tip is on the opposite side.
    let bay = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]];
    for (plan, area) in [(&side[..], 14.0), (&touching, 14.5), (&bay, 8.0)] {
        let (triangles, flaws) = flat(plan);
        assert_eq!((covered(plan, &triangles), flaws), (area, Flaws::default()), "{plan:?}");
    }
}

#[test]
fn edges_that_cross_by_rounding_change_nothing() {
    // The tip of a bay is beyond the opposite side by less than a thousandth of a millimetre.
    let plan = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, -1e-7], [0.0, 4.0]];
    let (triangles, flaws) = flat(&plan);
    assert_eq!(flaws, Flaws::default());
    assert!((covered(&plan, &triangles) - 8.0).abs() < 1e-6, "{triangles:?}");
}

#[test]
fn faces_that_fold_over_themselves_or_bend_are_noticed() {
    let folds = |plan: &[[f64; 2]]| flat(plan).1.folds;
    // A bow tie, a pentagram, two revolutions, and two squares that share a corner and face opposite
    // directions.
    assert!(folds(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0], [4.0, 4.0]]));
    assert!(folds(&[[0.0, 0.0], [4.0, 3.0], [-1.0, 3.0], [3.0, 0.0], [1.5, 5.0]]));
    assert!(folds(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]));
    assert!(folds(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0], [-1.0, -1.0], [-1.0, 0.0]]));
    let bends = |heights: [f64; 5]| {
        let plan = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [1.0, 1.0], [0.0, 4.0]];
        let corners: Vec<[f64; 3]> =
            plan.iter().zip(heights).map(|([x, z], height)| [*x, height, *z]).collect();
        triangulate(&corners, &mut Vec::new()).bends
    };
    assert!(bends([0.0, 0.0, 1.5, 0.0, 0.0]) && !bends([0.0, 0.01, 0.0, 0.01, 0.0]));
    assert!(!bends([0.0, 4.0, 4.0, 1.0, 0.0]), "a slope is a plane");
}

#[test]
fn sizes_beyond_all_levels_do_no_harm() {
    for size in [1e-320, 1e-200, 1e-30, 1e30, 1e90, 1e200, f64::MAX] {
        let plan = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
        let (triangles, _) = flat(&plan.map(|corner| corner.map(|value| value / 4.0 * size)));
        assert!(triangles.len() <= 3, "{size}");
    }
}

/// Faces whose corners are hard for a sweep: many edges at once, at one corner, and across each other.
#[test]
fn large_faces_are_covered() {
    let count = 4_000;
    let comb: Vec<[f64; 2]> = (0..count)
        .flat_map(|at| [[f64::from(at), 0.0], [f64::from(at + count) + 0.5, f64::from(count)]])
        .chain([[f64::from(count), -f64::from(count)]])
        .collect();
    let whole = signed_area(&comb).abs();
    let (triangles, flaws) = flat(&comb);
    assert_eq!((triangles.len(), flaws), (comb.len() - 2, Flaws::default()));
    assert!((covered(&comb, &triangles) - whole).abs() < 1e-6 * whole);
    let mut dice = Dice(7);
    let star: Vec<[f64; 2]> = (0..count).map(|_| [dice.number(), dice.number()]).collect();
    let (triangles, flaws) = flat(&star);
    assert!(flaws.folds && triangles.len() <= star.len() - 2);
    // A tangle over few places does not become more triangles than they can have.
    let tangle: Vec<[f64; 2]> = (0..count).map(|_| star[dice.roll(60) as usize]).collect();
    let (triangles, flaws) = flat(&tangle);
    assert!(flaws.folds && triangles.len() <= 120, "{}", triangles.len());
}
