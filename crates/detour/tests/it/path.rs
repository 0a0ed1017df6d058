//! Paths: by hand on drawn grids, against Dijkstra's algorithm, and properties of pulled strings.

use crate::common::{
    Grid, METRE, METRE_UP, Random, at, mesh, place, random_grid, tile, triangle, uneven_grid,
};
use detour::{
    Attributes, Corner, CornerKind, CostModel, Crossings, Filter, NavMesh, Optimality, PartialReason, Path,
    PathOptions, PathStatus, Place, PolyRef, Query, QueryError, Route, RouteError, RouteOptions, Step,
    StraightPath, Vec3,
};
use navtile::EdgeContent;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

fn route_with(mesh: &NavMesh, start: Vec3, goal: Vec3, filter: &Filter, options: &RouteOptions) -> Route {
    Query::new().route(mesh, start, goal, filter, options).unwrap()
}

fn route(mesh: &NavMesh, start: Vec3, goal: Vec3) -> Route {
    route_with(mesh, start, goal, &Filter::default(), &RouteOptions::default())
}

#[test]
fn a_wall_is_walked_round_at_its_corners() {
    let mesh = Grid::new("...\n.#.\n.#.").mesh();
    let found = route(&mesh, at(0.5, 2.5), at(2.5, 2.5));
    assert_eq!(found.status, PathStatus::Complete);
    assert_eq!(found.points, [at(0.5, 2.5), at(1.0, 1.0), at(2.0, 1.0), at(2.5, 2.5)]);
    assert!((found.length - (1.0 + 2.0 * 2.5f32.sqrt())).abs() < 1e-5);
    assert_eq!(found.polygons.len(), 7);
}

#[test]
fn a_clear_view_is_a_straight_line() {
    let mesh = Grid::new("....\n....\n....").mesh();
    let found = route(&mesh, at(0.25, 0.5), at(3.75, 2.75));
    assert_eq!(found.points, [at(0.25, 0.5), at(3.75, 2.75)]);
    let same = route(&mesh, at(0.25, 0.5), at(0.75, 0.5));
    assert_eq!((same.points.len(), same.length, same.cost), (2, 0.5, 0.5));
    let here = route(&mesh, at(0.25, 0.5), at(0.25, 0.5));
    assert_eq!((here.points.len(), here.length), (2, 0.0));
}

#[test]
fn a_slalom_turns_left_and_right() {
    let mesh = Grid::new(".....\n.####\n.....\n####.\n.....").mesh();
    let found = route(&mesh, at(0.5, 0.5), at(0.5, 4.5));
    assert_eq!(found.points, [at(0.5, 0.5), at(1.0, 2.0), at(4.0, 3.0), at(4.0, 4.0), at(0.5, 4.5)]);
    let back = route(&mesh, at(0.5, 4.5), at(0.5, 0.5));
    assert!(back.points.iter().rev().eq(&found.points));
    let by_hand = 2.5f32.sqrt() + 10f32.sqrt() + 1.0 + 12.5f32.sqrt();
    assert!((found.length - by_hand).abs() < 1e-5);
}

#[test]
fn ends_are_snapped_and_reported() {
    let mesh = Grid::new("..").mesh();
    let found = route(&mesh, Vec3::new(-1.0, 0.25, 0.5), Vec3::new(1.5, 1.5, 0.5));
    assert_eq!((found.points[0], found.points[1]), (at(0.0, 0.5), at(1.5, 0.5)));
    assert_eq!((found.start.horizontal_distance, found.goal.distance), (1.0, 1.5));
}

#[test]
fn seams_do_not_bend_a_path() {
    let tiles = [Grid::tiled("..\n..", 0, 0).tile(), Grid::tiled("..\n..", 1, 0).tile()];
    let two = mesh(tiles);
    let found = route(&two, at(0.5, 0.25), at(3.5, 1.75));
    assert_eq!(found.points, [at(0.5, 0.25), at(3.5, 1.75)]);
    assert_eq!(found.status, PathStatus::Complete);
    // Halves of squares beyond the seam: the opening is clipped to the shared part.
    let mut fine = Grid::tiled("####\n####\n####\n....", 1, 0);
    fine.vertex = Box::new(|column, row| [column * METRE / 2, 0, row * METRE / 2]);
    let mut fine = fine.content();
    (fine.base_cell, fine.size_cells) = ([8, 0, 0], [8, 8]);
    let clipped = mesh([Grid::tiled("..\n..", 0, 0).tile(), tile(&fine)]);
    let found = route(&clipped, at(1.5, 0.5), at(3.75, 1.75));
    assert_eq!(found.points, [at(1.5, 0.5), at(2.0, 1.5), at(3.75, 1.75)]);
}

#[test]
fn an_opening_cut_in_several_is_one() {
    // The left square has a corner in the middle of its border, so that two edges lead to the right square.
    let wide = |x: i32| {
        let mut content = Grid::tiled(".", x, 0).content();
        for vertex in &mut content.vertices {
            (vertex[0], vertex[2]) = (vertex[0] * 2, vertex[2] * 2);
        }
        (content.base_cell, content.size_cells) = ([i64::from(x) * 8, 0, 0], [8, 8]);
        content
    };
    let mut left = wide(0);
    left.vertices.push([2 * METRE, 0, METRE]);
    let polygon = &mut left.polygons[0];
    polygon.edges.insert(2, EdgeContent { vertex: 4, beyond: polygon.edges[1].beyond });
    polygon.detail_triangles = vec![
        triangle([0, 1, 2], [true, true, false]),
        triangle([0, 2, 4], [false, false, true]),
        triangle([2, 3, 4], [true, true, false]),
    ];
    let mesh = mesh([tile(&left), tile(&wide(1))]);
    for z in [0.25, 1.75] {
        let (start, goal) = (at(0.25, 2.0 - z), at(3.75, z));
        assert_eq!(route(&mesh, start, goal).points, [start, goal]);
        assert_eq!(route(&mesh, goal, start).points, [goal, start]);
    }
}

#[test]
fn points_are_lifted_to_the_surface() {
    let mut ramp = Grid::new("....\n#.#.\n#...");
    ramp.vertex = Box::new(|column, row| [column * METRE, row * METRE_UP / 2, row * METRE]);
    let mesh = ramp.mesh();
    let found = route(&mesh, at(0.5, 0.5), Vec3::new(3.5, 1.0, 2.5));
    for point in &found.points {
        assert!((point.y - point.z / 2.0).abs() < 1e-5, "{point}");
    }
    assert_eq!(found.status, PathStatus::Complete);
    let options = RouteOptions { crossings: Crossings::All, ..RouteOptions::default() };
    let crossed = route_with(&mesh, at(0.5, 0.5), Vec3::new(3.5, 1.0, 2.5), &Filter::default(), &options);
    assert!(crossed.points.len() > found.points.len());
    assert!((crossed.length - found.length).abs() < 1e-4);
}

#[test]
fn crossings_are_written_where_asked_for() {
    let mesh = Grid::new("..22.").mesh();
    let corners = |crossings| {
        let mut query = Query::new();
        let (start, goal) = (place(&mesh, at(0.5, 0.5)), place(&mesh, at(4.5, 0.5)));
        let (mut path, mut straight) = (Path::default(), StraightPath::default());
        let (filter, options) = (Filter::default(), PathOptions::default());
        query.find_path(&mesh, start, goal, &filter, &options, &mut path).unwrap();
        query
            .straight_path(&mesh, start.point, goal.point, &path.polygons, crossings, &mut straight)
            .unwrap();
        assert_eq!((straight.length, straight.broken_at), (4.0, None));
        let area = |corner: &Corner| mesh.attributes(corner.polygon).unwrap().area;
        straight.corners.iter().map(|c| (c.point.x, c.kind, area(c))).collect::<Vec<_>>()
    };
    use CornerKind::{Crossing, End, Start};
    assert_eq!(corners(Crossings::None), [(0.5, Start, 1), (4.5, End, 1)]);
    let areas = [(0.5, Start, 1), (2.0, Crossing, 2), (4.0, Crossing, 1), (4.5, End, 1)];
    assert_eq!(corners(Crossings::Areas), areas);
    let xs: Vec<f32> = corners(Crossings::All).iter().map(|c| c.0).collect();
    assert_eq!(xs, [0.5, 1.0, 2.0, 3.0, 4.0, 4.5]);
}

#[test]
fn turns_say_which_polygon_they_lead_into() {
    let mesh = Grid::new("...\n.#.\n.#.").mesh();
    let (start, goal) = (place(&mesh, at(0.5, 2.5)), place(&mesh, at(2.5, 2.5)));
    let mut query = Query::new();
    let (mut path, mut straight) = (Path::default(), StraightPath::default());
    let (filter, options) = (Filter::default(), PathOptions::default());
    query.find_path(&mesh, start, goal, &filter, &options, &mut path).unwrap();
    query
        .straight_path(&mesh, start.point, goal.point, &path.polygons, Crossings::None, &mut straight)
        .unwrap();
    let entered: Vec<PolyRef> = straight.corners.iter().map(|c| c.polygon).collect();
    // The leg along the wall leads through the middle square of the first row.
    let middle = place(&mesh, at(1.5, 0.5)).polygon;
    let beyond = place(&mesh, at(2.5, 1.5)).polygon;
    assert_eq!(entered, [start.polygon, middle, beyond, goal.polygon]);
}

#[test]
fn areas_and_flags_decide_the_way() {
    let mesh = Grid::new(".222.\n.###.\n.....").mesh();
    let go =
        |filter: &Filter| route_with(&mesh, at(0.5, 0.5), at(4.5, 0.5), filter, &RouteOptions::default());
    assert_eq!(go(&Filter::default()).points.len(), 2);
    let costly = go(&Filter::default().with_area_cost(2, 4.0).unwrap());
    assert_eq!(costly.points.len(), 4);
    assert!(costly.cost < 4.0 * 3.0 + 1.0);
    assert_eq!(go(&Filter::default().with_exclude(2)).points, costly.points);
    assert_eq!(go(&Filter::default().with_area_cost(2, 1.1).unwrap()).points.len(), 2);
}

#[test]
fn run_time_flags_close_a_door() {
    let mut mesh = Grid::new(".....\n.###.\n.....").mesh();
    let door = place(&mesh, at(2.5, 0.5)).polygon;
    let filter = Filter::default().with_exclude(0x100);
    let options = RouteOptions::default();
    assert_eq!(route_with(&mesh, at(0.5, 0.5), at(4.5, 0.5), &filter, &options).points.len(), 2);
    mesh.set_flags(door, 0x101).unwrap();
    assert_eq!(route_with(&mesh, at(0.5, 0.5), at(4.5, 0.5), &filter, &options).points.len(), 4);
}

#[test]
fn partial_paths_end_as_near_as_they_get_and_say_why() {
    let mesh = Grid::new("...#.").mesh();
    let found = route(&mesh, at(0.5, 0.5), at(4.5, 0.25));
    assert_eq!(found.reason(), Some(PartialReason::Unreachable));
    assert_eq!(found.points, [at(0.5, 0.5), at(3.0, 0.25)]);
    let water = Grid::new("..2.").mesh();
    let (start, goal) = (place(&water, at(0.5, 0.5)), place(&water, at(2.5, 0.5)));
    let mut path = Path::default();
    let filter = Filter::default().with_exclude(2);
    Query::new().find_path(&water, start, goal, &filter, &PathOptions::default(), &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Partial(PartialReason::GoalExcluded));
    assert_eq!(path.polygons.len(), 2);
    // An agent in it may leave it.
    Query::new().find_path(&water, goal, start, &filter, &PathOptions::default(), &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Complete);
}

#[test]
fn nodes_are_a_limit_with_a_name() {
    let text = "....................";
    let mesh = Grid::new(text).mesh();
    let (start, goal) = (place(&mesh, at(0.5, 0.5)), place(&mesh, at(19.5, 0.5)));
    for limit in [1u32, 2, 5, 19, 20, 21] {
        let mut query = Query::with_max_nodes(NonZeroU32::new(limit).unwrap());
        let mut path = Path::default();
        let (filter, options) = (Filter::default(), PathOptions::default());
        query.find_path(&mesh, start, goal, &filter, &options, &mut path).unwrap();
        let complete = limit >= 20;
        let status =
            if complete { PathStatus::Complete } else { PathStatus::Partial(PartialReason::OutOfNodes) };
        assert_eq!((path.status, path.polygons.len()), (status, limit.min(20) as usize));
        assert_eq!(path.touched, limit.min(20) as usize);
    }
}

#[test]
fn bad_calls_are_errors() {
    let mut mesh = Grid::new("..").mesh();
    let (start, goal) = (place(&mesh, at(0.5, 0.5)), place(&mesh, at(1.5, 0.5)));
    let (filter, options) = (Filter::default(), PathOptions::default());
    let (mut query, mut path, mut straight) = (Query::new(), Path::default(), StraightPath::default());
    for bad in [f32::NAN, f32::INFINITY] {
        let nowhere = Place { point: at(bad, 0.0), ..start };
        assert!(query.find_path(&mesh, nowhere, goal, &filter, &options, &mut path).is_err());
        assert!(query.find_path(&mesh, start, nowhere, &filter, &options, &mut path).is_err());
        let refused = query.route(&mesh, start.point, nowhere.point, &filter, &RouteOptions::default());
        assert!(matches!(refused, Err(RouteError::Goal(QueryError::Position { .. }))));
    }
    let crossings = Crossings::None;
    let empty = query.straight_path(&mesh, start.point, goal.point, &[], crossings, &mut straight);
    assert_eq!(empty, Err(QueryError::EmptyPath));
    // Not neighbours: the path ends at the break.
    let corridor = [start.polygon, start.polygon];
    query.straight_path(&mesh, start.point, goal.point, &corridor, crossings, &mut straight).unwrap();
    assert_eq!((straight.broken_at, straight.corners[1].point), (Some(1), at(1.0, 0.5)));
    mesh.remove_tile(Default::default()).unwrap();
    let stale = query.find_path(&mesh, start, goal, &filter, &options, &mut path);
    assert!(matches!(stale, Err(QueryError::Reference(_))));
    let nothing = query.route(&mesh, start.point, goal.point, &filter, &RouteOptions::default());
    assert!(nothing.unwrap_err().to_string().starts_with("start: no polygon within"));
}

#[test]
fn a_corridor_breaks_where_the_tile_is_another() {
    let mut mesh = Grid::new("..").mesh();
    let goal = place(&mesh, at(1.5, 0.5));
    mesh.replace_tile(Grid::new("..").tile()).unwrap();
    // The slot and the number of the polygon next to the start, but of the earlier tile.
    let start = place(&mesh, at(0.5, 0.5));
    let (corridor, mut straight) = ([start.polygon, goal.polygon], StraightPath::default());
    let mut query = Query::new();
    query.straight_path(&mesh, start.point, goal.point, &corridor, Crossings::None, &mut straight).unwrap();
    assert_eq!((straight.broken_at, straight.corners[1].point), (Some(1), at(1.0, 0.5)));
}

/// Nonsensical costs.
struct Broken(f32, f32);

impl CostModel for Broken {
    fn passes(&self, _: &Attributes) -> bool {
        true
    }
    fn cost(&self, _: &Step) -> f32 {
        self.0
    }
    fn minimum_cost(&self) -> f32 {
        self.1
    }
}

#[test]
fn no_cost_model_hangs_a_search() {
    let mesh = Grid::new("....\n....\n....\n....").mesh();
    let (start, goal) = (place(&mesh, at(0.5, 0.5)), place(&mesh, at(3.5, 3.5)));
    for cost in [f32::NAN, -1.0, f32::INFINITY, 0.0, f32::MAX] {
        for minimum in [f32::NAN, -1.0, f32::INFINITY, 0.0, f32::MAX] {
            let mut path = Path::default();
            let (model, options) = (Broken(cost, minimum), PathOptions::default());
            Query::new().find_path(&mesh, start, goal, &model, &options, &mut path).unwrap();
            let passable = cost.is_finite() && cost >= 0.0;
            assert_eq!(path.status == PathStatus::Complete, passable, "{cost} {minimum}");
        }
    }
}

/// A fixed cost for crossing each polygon. It is more than its diagonal, so that the estimate is a lower
/// bound.
struct Tolls(BTreeMap<PolyRef, f32>);

impl CostModel for Tolls {
    fn passes(&self, _: &Attributes) -> bool {
        true
    }
    fn cost(&self, step: &Step) -> f32 {
        self.0[&step.polygon.polygon]
    }
    fn minimum_cost(&self) -> f32 {
        1.0
    }
}

fn dijkstra(mesh: &NavMesh, tolls: &Tolls, start: PolyRef) -> BTreeMap<PolyRef, u32> {
    let toll = |polygon| tolls.0[&polygon] as u32;
    let mut settled = BTreeMap::new();
    let mut open = BTreeSet::from([(toll(start), start)]);
    while let Some((cost, polygon)) = open.pop_first() {
        if settled.contains_key(&polygon) {
            continue;
        }
        settled.insert(polygon, cost);
        mesh.visit_links(polygon, |link| {
            open.insert((cost + toll(link.to), link.to));
        })
        .unwrap();
    }
    settled
}

#[test]
fn a_star_costs_what_dijkstra_costs() {
    let (mut complete, mut partial) = (0, 0);
    for seed in 0..60 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 30, &mut text).mesh();
        let mut random = Random(seed + 1);
        // The diagonals of a distorted square are under two metres.
        let tolls = Tolls(mesh.polygons().map(|p| (p, 2.0 + random.below(8) as f32)).collect());
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let centre = |p: PolyRef| mesh.corners(p).unwrap().sum::<Vec3>() / 4.0;
        let mut query = Query::new();
        for _ in 0..10 {
            let mut pick = || polygons[random.below(polygons.len() as u64) as usize];
            let [start, goal] = [pick(), pick()].map(|p| Place { polygon: p, point: centre(p) });
            let expected = dijkstra(&mesh, &tolls, start.polygon);
            let cost = |optimality, query: &mut Query| {
                let mut path = Path::default();
                let options = PathOptions { optimality };
                query.find_path(&mesh, start, goal, &tolls, &options, &mut path).unwrap();
                let sum: f32 = path.polygons.iter().map(|p| tolls.0[p]).sum();
                assert_eq!(path.polygons[0], start.polygon);
                (path.status == PathStatus::Complete).then(|| {
                    assert_eq!(path.cost, f64::from(sum));
                    sum as u32
                })
            };
            let found = cost(Optimality::Fast, &mut query);
            assert_eq!(found, cost(Optimality::Near, &mut query), "costs differ, so both are one search");
            assert_eq!(found.is_some(), expected.contains_key(&goal.polygon), "seed {seed}");
            assert!(found >= expected.get(&goal.polygon).copied());
            *(if found.is_some() { &mut complete } else { &mut partial }) += 1;
        }
    }
    assert!(complete > 100 && partial > 20, "{complete} {partial}: the grids say nothing");
}

/// Returns true if every point of a leg is on the corridor.
fn stays_inside(mesh: &NavMesh, corridor: &[PolyRef], from: Vec3, to: Vec3) -> bool {
    (0..=200).all(|i| {
        let point = from.lerp(to, i as f32 / 200.0);
        corridor.iter().any(|polygon| {
            let closest = mesh.closest_point(*polygon, point).unwrap();
            closest.point.with_y(0.0).distance(point.with_y(0.0)) < 1e-4
        })
    })
}

#[test]
fn strings_are_short_and_stay_in_their_corridor() {
    let mut totals = BTreeMap::from([("fast", 0.0), ("near", 0.0)]);
    for seed in 0..80 {
        let mut text = String::new();
        // Even seeds have moved corners; odd seeds have rows and columns of very different width.
        let mesh = match seed % 2 {
            0 => random_grid(seed + 500, 14, 25, &mut text).mesh(),
            _ => uneven_grid(seed + 500, 14, 15, &mut text).mesh(),
        };
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 9);
        let mut query = Query::new();
        for _ in 0..6 {
            let mut pick = || polygons[random.below(polygons.len() as u64) as usize];
            let [start, goal] = [pick(), pick()]
                .map(|p| Place { polygon: p, point: mesh.corners(p).unwrap().sum::<Vec3>() / 4.0 });
            for (name, optimality) in [("fast", Optimality::Fast), ("near", Optimality::Near)] {
                let (mut path, mut straight) = (Path::default(), StraightPath::default());
                let (filter, options) = (Filter::default(), PathOptions { optimality });
                query.find_path(&mesh, start, goal, &filter, &options, &mut path).unwrap();
                if path.status != PathStatus::Complete {
                    continue;
                }
                let corridor = &path.polygons;
                query
                    .straight_path(&mesh, start.point, goal.point, corridor, Crossings::None, &mut straight)
                    .unwrap();
                let points: Vec<Vec3> = straight.corners.iter().map(|c| c.point).collect();
                assert_eq!((points[0], points[points.len() - 1]), (start.point, goal.point));
                for leg in points.windows(2) {
                    assert!(stays_inside(&mesh, corridor, leg[0], leg[1]), "seed {seed}: {leg:?}");
                }
                let by_midpoints = midpoint_length(&mesh, corridor, start.point, goal.point);
                assert!(straight.length <= by_midpoints + 1e-4, "seed {seed}");
                assert!(f64::from(straight.length) <= path.cost + 1e-4, "seed {seed}");
                *totals.get_mut(name).unwrap() += straight.length;
            }
        }
    }
    assert!(
        totals["near"] > 500.0 && totals["near"] < totals["fast"] && totals["fast"] < totals["near"] * 1.01,
        "{totals:?}"
    );
}

fn midpoint_length(mesh: &NavMesh, corridor: &[PolyRef], start: Vec3, goal: Vec3) -> f32 {
    let (mut last, mut length) = (start, 0.0);
    for pair in corridor.windows(2) {
        let mut middle = None;
        mesh.visit_links(pair[0], |link| {
            if link.to == pair[1] {
                middle = Some((link.left + link.right) / 2.0);
            }
        })
        .unwrap();
        let middle = middle.expect("a corridor's polygons are linked");
        length += last.distance(middle);
        last = middle;
    }
    length + last.distance(goal)
}

#[test]
fn all_crossings_lie_on_the_straight_path() {
    for seed in 0..30 {
        let mut text = String::new();
        let mesh = random_grid(seed + 900, 12, 20, &mut text).mesh();
        let (start, goal) = (at(0.5, 0.5), at(11.5, 11.5));
        let options = RouteOptions { crossings: Crossings::All, ..RouteOptions::default() };
        let (plain, crossed) =
            (route(&mesh, start, goal), route_with(&mesh, start, goal, &Filter::default(), &options));
        assert!((plain.length - crossed.length).abs() < 1e-3, "seed {seed}");
        assert!(plain.points.iter().all(|p| crossed.points.contains(p)), "seed {seed}");
        assert!(crossed.points.windows(2).all(|w| w[0] != w[1]), "seed {seed}");
    }
}
