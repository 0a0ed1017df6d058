//! Simplified outlines of small pictures, and corners of chains compared with those found by the plain
//! method.

use super::*;
use crate::data::RegionId;
use crate::data::chain::ChainCorner;
use crate::stage::testing::flat;
use crate::stage::{regions, trace_contours};
use proptest::prelude::*;

const PARAMS: Params =
    Params { max_error: 1.3, max_edge: 0, split_walls: true, split_areas: false, walkable_climb: 1 };

/// The corners of all contours, in cells.
fn corners(picture: &str, params: &Params) -> Vec<Vec<[i32; 2]>> {
    let context = &mut Context::new();
    let keep_all = regions::Params { min_cells: 0, merge_cells: 0, join: false };
    let regions = regions::layers(flat(picture), &keep_all, context).unwrap();
    let raw = trace_contours::run(&regions, &(), context).unwrap();
    let (simplified, _) = run((&raw, &Refinement::none(&raw)), params, context).unwrap();
    simplified.check().unwrap();
    let plan = |v: &ContourVertex| v.plan().map(|at| at / FIXED_ONE);
    simplified.contours.iter().map(|contour| contour.vertices.iter().map(plan).collect()).collect()
}

#[test]
fn a_rectangle_has_four_corners() {
    assert_eq!(corners("#####\n#####\n#####", &PARAMS), [[[0, 0], [0, 3], [5, 3], [5, 0]]]);
}

#[test]
fn a_staircase_becomes_a_slope() {
    let stairs = "#......\n##.....\n###....\n####...\n#####..\n######.\n#######";
    assert_eq!(corners(stairs, &PARAMS)[0].len(), 3);
    let exact = Params { max_error: 0.0, ..PARAMS };
    assert_eq!(corners(stairs, &exact)[0].len(), 16);
}

#[test]
fn long_edges_are_halved() {
    let split = Params { max_edge: 3, ..PARAMS };
    assert_eq!(corners("#####\n#####\n#####", &split), [[[0, 0], [0, 3], [2, 3], [5, 3], [5, 0], [2, 0]]]);
}

#[test]
fn neighbours_keep_the_same_corners() {
    let both = corners("1112222\n1111222\n1111122\n1111112\n1111222\n1112222", &PARAMS);
    let shared: Vec<_> = both[0].iter().filter(|corner| both[1].contains(corner)).collect();
    assert!(shared.len() >= 3, "{both:?}");
}

#[test]
fn a_corner_that_touches_a_border_in_a_point_is_a_corner_of_both_regions() {
    // The obstacle's corner touches the border in its middle, from the side of one region.
    let picture =
        "1111122222\n1111122222\n1111122222\n11111222..\n111112222.\n1111.22222\n1111122222\n1111122222";
    let both = corners(picture, &PARAMS);
    for region in &both {
        assert!(region.contains(&[5, 6]) && region.contains(&[5, 5]), "{both:?}");
    }
}

#[test]
fn four_regions_meet_in_a_corner_of_all() {
    let both = corners("111222\n111222\n111222\n222111\n222111\n222111", &PARAMS);
    assert_eq!(both.len(), 4);
    assert!(both.iter().all(|region| region.len() == 4 && region.contains(&[3, 3])), "{both:?}");
}

#[test]
fn a_passage_of_one_cell_stays_open() {
    // Two rooms, and between them a passage whose walls would meet if each were simplified by itself.
    let picture = "######....########\n######.....#######\n#######...########\n########.#########\n.....####.########\n\
                   ######.#.#########\n######..##########\n######..##########";
    let contours = corners(picture, &Params { max_error: 2.5, ..PARAMS });
    let edges: Vec<_> = contours
        .iter()
        .flat_map(|contour| (0..contour.len()).map(|at| (contour[at], contour[(at + 1) % contour.len()])))
        .collect();
    for (index, &(a, b)) in edges.iter().enumerate() {
        for &(c, d) in &edges[..index] {
            let shared = a == c || a == d || b == c || b == d;
            assert!(shared || !navmath::predicates::intersect(a, b, c, d), "{a:?} {b:?} meets {c:?} {d:?}");
        }
    }
}

/// The squared distance of a corner from an edge between two others.
fn distance2(corners: &[ChainCorner], at: usize, [from, to]: [usize; 2]) -> f64 {
    let [[px, pz], [ax, az], [bx, bz]] = [at, from, to].map(|index| corners[index].plan.map(f64::from));
    let (abx, abz) = (bx - ax, bz - az);
    let squared = abx * abx + abz * abz;
    let along = abx * (px - ax) + abz * (pz - az);
    let along = if squared > 0.0 { (along / squared).clamp(0.0, 1.0) } else { 0.0 };
    let (dx, dz) = (ax + along * abx - px, az + along * abz - pz);
    dx * dx + dz * dz
}

/// By definition: the fewest edges between corners where the chain turns, among all that are near enough.
fn fewest(corners: &[ChainCorner], error: f64) -> usize {
    let last = corners.len() - 1;
    let turns = |&at: &usize| {
        let step = |from: usize| [0, 1].map(|axis| corners[from + 1].plan[axis] - corners[from].plan[axis]);
        at == 0 || at == last || step(at - 1) != step(at)
    };
    let turns: Vec<usize> = (0..=last).filter(turns).collect();
    let mut edges = vec![0];
    for (index, &to) in turns.iter().enumerate().skip(1) {
        let is_edge = |from: usize| {
            (to == last || corners[from].plan != corners[to].plan)
                && (from..=to).all(|at| distance2(corners, at, [from, to]) <= error * error + 1e-9)
        };
        let least = (0..index).filter(|&from| is_edge(turns[from])).map(|from| edges[from] + 1).min();
        edges.push(least.expect("neighbouring turns are an edge"));
    }
    edges[turns.len() - 1]
}

/// A walk of unit steps.
fn walk(steps: &[usize]) -> (Vec<ChainCorner>, Chain) {
    let mut place = [0; 2];
    let corner = |plan| ChainCorner { plan, height: 0, area_border: false, kept: false, exact: false };
    let mut walked = vec![corner(place)];
    for &direction in steps {
        let [dx, dz] = [[-1, 0], [0, 1], [1, 0], [0, -1]][direction];
        place = [place[0] + dx, place[1] + dz];
        walked.push(corner(place));
    }
    let regions = [RegionId::inner(1), RegionId::NONE];
    (walked, Chain { first: 0, last: steps.len(), regions, whole: false, may_vanish: false, raw: false })
}

fn simplified(corners: &mut [ChainCorner], chain: &Chain, error: f32) -> Vec<[usize; 2]> {
    let mut edges = Vec::new();
    let buffers = &mut refine::Buffers::default();
    refine::simplify((0, chain), corners, Some(error), &PARAMS, buffers, &mut edges);
    edges.iter().map(|edge| [edge.from, edge.to]).collect()
}

proptest! {
    #[test]
    fn edges_are_the_fewest_within_the_error(
        steps in prop::collection::vec(0..4usize, 1..60),
        error in 0.05..3f32,
    ) {
        let (mut walked, chain) = walk(&steps);
        let found = simplified(&mut walked, &chain, error);
        prop_assert_eq!((found[0][0], found[found.len() - 1][1]), (0, steps.len()));
        for (edge, next) in found.iter().zip(&found[1..]) {
            prop_assert_eq!(edge[1], next[0]);
        }
        for &edge in &found {
            for at in edge[0]..=edge[1] {
                let distance = distance2(&walked, at, edge).sqrt();
                prop_assert!(distance <= f64::from(error) + 1e-6, "{distance} from {edge:?}");
            }
        }
        let kept: Vec<usize> = (1..walked.len()).filter(|&index| walked[index].kept).collect();
        prop_assert_eq!(kept, found.iter().map(|edge| edge[1]).collect::<Vec<_>>());
        prop_assert_eq!(found.len(), fewest(&walked, f64::from(error)));
    }
}

#[test]
fn of_equally_few_edges_the_nearest_are_kept() {
    // A corner of two straight walls: edges that pass it on either side would be near enough too.
    let (mut walked, chain) = walk(&[[2; 20], [1; 20]].concat());
    assert_eq!(simplified(&mut walked, &chain, 1.3), [[0, 20], [20, 40]]);
    // A wall at an angle, with a dent: the corners next to the dent would be ends too.
    let slope = [2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1];
    let (mut walked, chain) = walk(&[&slope[..], &slope, &[0; 30]].concat());
    assert_eq!(simplified(&mut walked, &chain, 1.3).len(), 2);
}

#[test]
fn a_straight_wall_takes_steps_like_its_length() {
    // Each corner of a diagonal is within the error of every edge.
    let steps = |length: usize| {
        let (mut walked, chain) = walk(&[1, 2].repeat(length));
        crate::meshing::steps::steps_of(|| {
            assert_eq!(simplified(&mut walked, &chain, 1.3).len(), 1);
        })
    };
    assert!(steps(4000) <= 4 * steps(1000) + 100, "{} {}", steps(1000), steps(4000));
}
