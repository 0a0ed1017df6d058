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

fn corners(picture: &str, params: &Params) -> Vec<Vec<[i32; 2]>> {
    let context = &mut Context::new();
    let keep_all = regions::Params { min_cells: 0, merge_cells: 0 };
    let regions = regions::layers(flat(picture), &keep_all, context).unwrap();
    let raw = trace_contours::run(&regions, &(), context).unwrap();
    let (simplified, _) = run((&raw, &Refinement::none(&raw)), params, context).unwrap();
    simplified.check().unwrap();
    let plan = |v: &ContourVertex| [v.position[0], v.position[2]];
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

/// By definition: the corner furthest from the first edge that is not near enough is added, repeatedly.
fn plain_refine(corners: &[ChainCorner], kept: &mut Vec<usize>, error: f32) {
    let plan = |index: usize| corners[index].plan.map(|coordinate| coordinate as f32);
    let distance = |point: usize, a: usize, b: usize| {
        let ([px, pz], [ax, az], [bx, bz]) = (plan(point), plan(a), plan(b));
        let (abx, abz) = (bx - ax, bz - az);
        let squared = abx * abx + abz * abz;
        let along = abx * (px - ax) + abz * (pz - az);
        let along = (if squared > 0.0 { along / squared } else { along }).clamp(0.0, 1.0);
        let (dx, dz) = (ax + along * abx - px, az + along * abz - pz);
        dx * dx + dz * dz
    };
    let mut edge = 0;
    while edge + 1 < kept.len() {
        let (from, to) = (kept[edge], kept[edge + 1]);
        let mut between: Vec<usize> = (from + 1..to).collect();
        let (a, b) = if corners[to].plan > corners[from].plan { (from, to) } else { (to, from) };
        if a == to {
            between.reverse();
        }
        // The first of the corners that are furthest away.
        let worst = between.iter().rev().max_by(|&&c, &&d| distance(c, a, b).total_cmp(&distance(d, a, b)));
        match worst {
            Some(&worst) if distance(worst, a, b) > error * error => kept.insert(edge + 1, worst),
            _ => edge += 1,
        }
    }
}

proptest! {
    #[test]
    fn corners_are_those_found_the_plain_way(
        steps in prop::collection::vec(0..4usize, 1..60),
        border in 0..5i32,
        error in 0.0..3f32,
    ) {
        // A walk of any shape, within a border.
        let mut place = [border; 2];
        let corner = |plan| ChainCorner { plan, height: 0, area_border: false, kept: false };
        let mut walked = vec![corner(place)];
        for &direction in &steps {
            let [dx, dz] = [[-1, 0], [0, 1], [1, 0], [0, -1]][direction];
            place = [place[0] + dx, place[1] + dz];
            walked.push(corner(place));
        }
        let mut plain = vec![0, walked.len() - 1];
        plain_refine(&walked, &mut plain, error);
        let regions = [RegionId::inner(1), RegionId::NONE];
        let chain = Chain { first: 0, last: steps.len(), regions, whole: false, may_vanish: false, raw: false };
        let mut edges = Vec::new();
        refine((0, &chain), &mut walked, Some(error), &PARAMS, &mut Vec::new(), &mut edges);
        let found: Vec<[usize; 2]> = edges.iter().map(|edge| [edge.from, edge.to]).collect();
        prop_assert_eq!(found, plain.array_windows().copied().collect::<Vec<_>>());
        let kept: Vec<usize> = (0..walked.len()).filter(|&index| walked[index].kept).collect();
        prop_assert_eq!(kept, plain);
    }
}
