//! Plans exist exactly if paths exist, and their bounds hold the length of the shortest path.

use crate::worlds::{hierarchy, mesh, pillar_world, place, world};
use detour::{
    Crossings, Filter, NavMesh, Passable, Path, PathOptions, PathStatus, Place, Query, ShortestPath,
};
use detour::{StraightPath, Vec3};
use hierarchy::{FarPath, FarPlace, FarPlanner, Hierarchy};
use navmath::SplitMix64;
use navtile::Tile;

/// Lengths are compared up to this share: costs are rounded up to 1/256 m.
const CLOSE: f64 = 1e-4;
/// Metres.
const SIDE: f64 = 130.0;

/// The length of the paths between the places of a plan, one after the other.
fn walked(query: &mut Query, mesh: &NavMesh, places: &[[f64; 3]], ends: [Place; 2]) -> Option<f64> {
    let (mut path, mut straight, mut length) = (Path::default(), StraightPath::default(), 0.0);
    let filter = Filter::default();
    let mut at = ends[0];
    for (number, place) in places.iter().enumerate().skip(1) {
        let near = query.nearest(mesh, mesh.from_world(*place), Vec3::new(0.4, 1.0, 0.4), &filter);
        let next = if number + 1 == places.len() { ends[1] } else { near.ok()?.place() };
        query.find_path(mesh, at, next, &filter, &PathOptions::default(), &mut path).ok()?;
        if path.status != PathStatus::Complete {
            return None;
        }
        query
            .straight_path(mesh, at.point, next.point, &path.polygons, Crossings::None, &mut straight)
            .ok()?;
        let corners = straight.corners.iter().map(|corner| corner.point.with_y(0.0));
        length += corners.clone().zip(corners.skip(1)).map(|(a, b)| f64::from(a.distance(b))).sum::<f64>();
        at = next;
    }
    Some(length)
}

#[test]
fn plans_hold_the_shortest_path_between_their_bounds() {
    for (seed, with_links) in [(11, false), (12, true), (13, true)] {
        let mesh = mesh(&world(seed, SIDE, with_links));
        let built = hierarchy(&mesh);
        let stored = Hierarchy::from_bytes(&built.to_bytes()).unwrap();
        assert!(built == stored);
        let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(seed));
        let (mut shortest, mut found, mut missing, mut excess) = (ShortestPath::default(), 0, 0, 0.0);
        for pair in 0..250 {
            let [start, goal] = [0; 2].map(|_| place(&mut random, &mut query, &mesh));
            let ends = [start, goal].map(|place| FarPlace { mesh: &mesh, place });
            let plan = planner.plan(&stored, 0, ends[0], ends[1]).unwrap();
            query.shortest_path(&mesh, start, goal, &Passable::default(), &mut shortest).unwrap();
            let is_there = shortest.status == PathStatus::Complete;
            assert_eq!(plan.is_some(), is_there, "seed {seed}, pair {pair}: {start:?} {goal:?}");
            let Some(plan) = plan else {
                missing += 1;
                continue;
            };
            found += 1;
            let length = shortest.length_from_above;
            if !with_links {
                // Links count by their length in space, not as seen from above.
                let is_held = plan.lower <= length * (1.0 + CLOSE) + CLOSE
                    && length <= plan.upper * (1.0 + CLOSE) + CLOSE;
                assert!(is_held, "seed {seed}, pair {pair}: {} {length} {}", plan.lower, plan.upper);
                let places: Vec<[f64; 3]> = planner.stops(&plan).iter().map(|stop| stop.point).collect();
                let walked =
                    walked(&mut query, &mesh, &places, [start, goal]).expect("legs that can be walked");
                assert!(walked <= plan.upper * 1.01 + 0.1, "{walked} {}", plan.upper);
                excess += plan.upper / length.max(1.0);
            }
        }
        assert!(found > 50 && missing > 10, "{found} {missing}");
        assert!(excess / f64::from(found) < 1.06, "{}", excess / f64::from(found));
    }
}

#[test]
fn plans_need_only_the_tiles_of_the_clusters_around_their_ends() {
    let tiles = world(12, SIDE, true);
    let whole = mesh(&tiles);
    let built = hierarchy(&whole);
    let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(12));
    let reach = Vec3::new(2.0, 4.0, 2.0);
    let everywhere = built.clusters_around([0.0; 3], [1e9; 3]);
    assert_eq!(everywhere.len(), built.cluster_counts()[0]);
    let mut found = 0;
    for _ in 0..40 {
        let ends = [0; 2].map(|_| place(&mut random, &mut query, &whole));
        let at = ends.map(|end| whole.to_world(end.point));
        let parts = at.map(|at| {
            let around = built.clusters_around(at, reach.to_array().map(f64::from));
            assert!(around.len() <= 4 && around.contains(&built.cluster_at(at)), "{around:?}");
            let is_near = |tile: &&Tile| around.contains(&built.grid().cluster_of(tile.coord(), 0));
            mesh(&tiles.iter().filter(is_near).cloned().collect::<Vec<_>>())
        });
        let near = [0, 1].map(|end| {
            let mesh = &parts[end];
            let near = query.nearest(mesh, mesh.from_world(at[end]), reach, &Filter::default());
            FarPlace { mesh, place: near.expect("the same ground").place() }
        });
        let [start, goal] = ends.map(|place| FarPlace { mesh: &whole, place });
        let bounds = |plan: Option<FarPath<'_>>| plan.map(|plan| (plan.lower, plan.upper));
        let expected = bounds(planner.plan(&built, 0, start, goal).unwrap());
        assert_eq!(bounds(planner.plan(&built, 0, near[0], near[1]).unwrap()), expected);
        found += usize::from(expected.is_some());
    }
    assert!(found > 10, "{found}");
}

#[test]
fn links_within_a_cluster_lead_from_the_start_and_to_the_goal() {
    let (tiles, tops) = pillar_world();
    let mesh = mesh(&tiles);
    let hierarchy = hierarchy(&mesh);
    let (mut query, mut planner) = (Query::new(), FarPlanner::new());
    let ends = tops.map(|top| {
        let near = query.nearest(&mesh, mesh.from_world(top), Vec3::ONE, &Filter::default()).expect("a top");
        FarPlace { mesh: &mesh, place: near.place() }
    });
    let cluster = |end: &FarPlace<'_>| {
        let (tile, _) = end.mesh.tile_of(end.place.polygon).expect("a polygon");
        hierarchy.grid().cluster_of(tile.coord(), 0)
    };
    assert_eq!(cluster(&ends[0]), cluster(&ends[1]));
    assert_eq!(cluster(&ends[2]), cluster(&ends[3]));
    let mut is_found = |from: usize, to: usize| {
        planner.plan(&hierarchy, 0, ends[from], ends[to]).expect("places of the world").is_some()
    };
    let found = [0, 1, 2, 3].map(|from| [0, 1, 2, 3].map(|to| is_found(from, to)));
    let after = [0, 1, 2, 3].map(|from| [0, 1, 2, 3].map(|to| from <= to));
    assert_eq!(found, after);
}

#[test]
fn ends_may_be_on_meshes_of_their_own_clusters() {
    let tiles = world(11, SIDE, false);
    let whole = mesh(&tiles);
    let hierarchy = hierarchy(&whole);
    let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(5));
    let mut planned = 0;
    for _ in 0..60 {
        let places = [0; 2].map(|_| place(&mut random, &mut query, &whole));
        let all = places.map(|place| FarPlace { mesh: &whole, place });
        let meshes = places.map(|place| {
            let (tile, _) = whole.tile_of(place.polygon).unwrap();
            let cluster = hierarchy.grid().cluster_of(tile.coord(), 0);
            let own = tiles.iter().filter(|tile| hierarchy.grid().cluster_of(tile.coord(), 0) == cluster);
            mesh(&own.cloned().collect::<Vec<_>>())
        });
        let alone: Vec<Place> = (0..2)
            .map(|end| {
                let (tile, polygon) = whole.tile_of(places[end].polygon).unwrap();
                let polygon = meshes[end].reference(tile.coord(), polygon).unwrap();
                Place { polygon, point: places[end].point }
            })
            .collect();
        let one = planner.plan(&hierarchy, 0, all[0], all[1]).unwrap();
        let ends = [0, 1].map(|end| FarPlace { mesh: &meshes[end], place: alone[end] });
        let two = planner.plan(&hierarchy, 0, ends[0], ends[1]).unwrap();
        let bounds = |plan: &Option<FarPath<'_>>| plan.as_ref().map(|plan| [plan.lower, plan.upper]);
        assert_eq!(bounds(&one), bounds(&two));
        planned += usize::from(one.is_some());
    }
    assert!(planned > 20);
}
