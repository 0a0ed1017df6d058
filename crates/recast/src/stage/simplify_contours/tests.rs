//! Simplified outlines of small pictures, and of any outlines beside the plain way of finding corners.

use super::*;
use crate::stage::testing::flat;
use crate::stage::{regions, trace_contours};
use proptest::prelude::*;

const PARAMS: Params = Params { max_error: 1.3, max_edge: 0, split_walls: true, split_areas: false };

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

/// As the text says, index by index around the outline.
fn plain_initial_corners(raw: &[RawVertex]) -> Vec<usize> {
    let changes = |&index: &usize| {
        let (here, next) = (&raw[index], &raw[(index + 1) % raw.len()]);
        here.junction || here.beyond != next.beyond || here.area_border != next.area_border
    };
    let kept: Vec<usize> = (0..raw.len()).filter(changes).collect();
    if !kept.is_empty() && raw.iter().any(|vertex| !vertex.beyond.is_none()) {
        return kept;
    }
    let key = |index: usize| (raw[index].position[0], raw[index].position[2]);
    let smallest = (0..raw.len()).min_by_key(|&index| (key(index), index)).unwrap();
    let largest = (0..raw.len()).max_by_key(|&index| (key(index), std::cmp::Reverse(index))).unwrap();
    vec![smallest, largest]
}

/// As the text says: the corner furthest from the first edge that is not near enough is added, again and again.
fn plain_refine(
    raw: &[RawVertex],
    border: i32,
    kept: &mut Vec<usize>,
    allowed: impl Fn(&RawVertex) -> Option<f32>,
) {
    let count = raw.len();
    let plan = |index: usize| [0, 2].map(|axis| (raw[index].position[axis] + border) as f32);
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
    while edge < kept.len() {
        let (from, to) = (kept[edge], kept[(edge + 1) % kept.len()]);
        let forward = is_ascending(raw, from, to);
        let (a, b, step) = if forward { (from, to, 1) } else { (to, from, count - 1) };
        let mut between = Vec::new();
        let mut at = (a + step) % count;
        while at != b {
            between.push(at);
            at = (at + step) % count;
        }
        let is_mouth = raw[from].junction
            && raw[to].junction
            && plan(from) == plan(to)
            && raw[from].position[1] != raw[to].position[1];
        let error = between.first().and_then(|&first| allowed(&raw[first]));
        let error = error.map(|error| if is_mouth { 0.0 } else { error });
        // The first of those that are furthest away.
        let worst = between.iter().rev().max_by(|&&c, &&d| distance(c, a, b).total_cmp(&distance(d, a, b)));
        match worst.zip(error) {
            Some((&worst, error)) if distance(worst, a, b) > error * error => kept.insert(edge + 1, worst),
            _ => edge += 1,
        }
    }
}

proptest! {
    #[test]
    fn corners_are_those_found_the_plain_way(
        steps in prop::collection::vec((0..4usize, 0..6u8, 0..9i32), 1..60),
        kinds in prop::collection::vec((-1..3i32, any::<bool>()), 6),
        border in 0..5i32,
        error in 0.0..3f32,
    ) {
        // A walk of any shape, and back.
        let mut place = [0, 0];
        let mut raw = Vec::new();
        for &(direction, kind, height) in &steps {
            let [dx, dz] = [[-1, 0], [0, 1], [1, 0], [0, -1]][direction];
            place = [place[0] + dx, place[1] + dz];
            let (region, area_border) = kinds[usize::from(kind / 2)];
            let beyond = match region {
                0 => RegionId::NONE,
                1.. => RegionId::inner(region as u32),
                _ => RegionId::border(1),
            };
            let (position, junction) = ([place[0], height / 3, place[1]], height == 0 || height == 8);
            raw.push(RawVertex { position, beyond, area_border, border_vertex: false, junction });
        }
        let mut kept = vec![9, 8, 7];
        find_initial_corners(&raw, &mut kept);
        let mut plain = plain_initial_corners(&raw);
        prop_assert_eq!(&kept, &plain);
        let allowed = |vertex: &RawVertex| (vertex.beyond.is_none() || vertex.area_border).then_some(error);
        refine(&raw, border, &mut kept, allowed);
        plain_refine(&raw, border, &mut plain, allowed);
        prop_assert_eq!(kept, plain);
    }
}
