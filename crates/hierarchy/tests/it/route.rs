//! Agents that follow routes over tiles that come and go, and worlds that change under them.

use crate::worlds::{hierarchy, mesh, place, walled, world};
use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
use hierarchy::{ClusterCoord, ClusterGrid, FarPlace, FarPlanner, FarRoute, Hierarchy, TileOverlay, Tiles};
use navmath::SplitMix64;
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// Metres.
const SIDE: f64 = 130.0;
/// Metres that an agent walks before it looks again.
const STEP: f64 = 2.5;

fn apart(one: [f64; 3], two: [f64; 3]) -> f64 {
    one.iter().zip(two).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// An agent on a route, with only the tiles loaded that its next legs need.
struct Agent<'a> {
    tiles: &'a BTreeMap<[i32; 2], Vec<Tile>>,
    query: Query,
    loaded: BTreeSet<[i32; 2]>,
    mesh: NavMesh,
    at: [f64; 3],
    walked: f64,
}

impl Agent<'_> {
    /// Loads the tiles of columns, and no others.
    fn load(&mut self, columns: Vec<[i32; 2]>) {
        let count = columns.len();
        let columns: BTreeSet<[i32; 2]> = columns.into_iter().collect();
        assert_eq!(columns.len(), count, "each once");
        if columns != self.loaded {
            let tiles: Vec<Tile> =
                columns.iter().filter_map(|column| self.tiles.get(column)).flatten().cloned().collect();
            self.mesh = mesh(&tiles);
            self.loaded = columns;
        }
    }

    /// Walks a step, or over a link, on the path to a place; returns false if no path leads there.
    fn walk(&mut self, to: [f64; 3]) -> bool {
        let options = RouteOptions { half_extents: Vec3::new(0.6, 2.0, 0.6), ..RouteOptions::default() };
        let [from, to] = [self.at, to].map(|at| self.mesh.from_world(at));
        let Ok(route) = self.query.route(&self.mesh, from, to, &Filter::default(), &options) else {
            return false;
        };
        let points: Vec<[f64; 3]> = route.points.iter().map(|point| self.mesh.to_world(*point)).collect();
        let mut left = STEP;
        for (leg, pair) in points.windows(2).enumerate() {
            let length = apart(pair[0], pair[1]);
            let is_link = route.links.iter().any(|link| link.start == leg);
            let share = if is_link || length <= left { 1.0 } else { left / length };
            self.at = [0, 1, 2].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * share);
            self.walked += length * share;
            left -= length * share;
            if left <= 0.0 {
                break;
            }
        }
        route.reason().is_none()
    }
}

/// Follows a route to its goal; returns the metres walked, or `None` if a path was missing.
fn follow(agent: &mut Agent<'_>, mut route: FarRoute) -> Option<f64> {
    let goal = route.stops()[route.stops().len() - 1].point;
    for _ in 0..400 {
        let before = (route.next(), route.ahead());
        let has_moved = route.advance(agent.at);
        assert!(route.next() >= before.0, "never back");
        assert_eq!(has_moved, route.next() > before.0);
        assert!(has_moved || route.ahead() == before.1);
        agent.load(route.columns_ahead(FarRoute::LEGS_AHEAD));
        if route.legs_left() == 1 && apart(agent.at, goal) < 0.5 {
            return Some(agent.walked);
        }
        if !agent.walk(route.ahead().point) {
            return None;
        }
    }
    panic!("the agent at {:?} does not arrive at {goal:?}: leg {}", agent.at, route.next());
}

#[test]
fn agents_arrive_with_the_tiles_of_their_next_legs_alone() {
    for (seed, with_links) in [(61, false), (62, true), (112, true)] {
        let tiles = world(seed, SIDE, with_links);
        let whole = mesh(&tiles);
        let hierarchy = hierarchy(&whole);
        let mut columns: BTreeMap<[i32; 2], Vec<Tile>> = BTreeMap::new();
        for tile in tiles {
            columns.entry([tile.coord().x, tile.coord().z]).or_default().push(tile);
        }
        let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(seed));
        let (mut arrived, mut lost) = (0, 0);
        for _ in 0..60 {
            let ends =
                [0; 2].map(|_| FarPlace { mesh: &whole, place: place(&mut random, &mut query, &whole) });
            let Some(plan) = planner.plan(&hierarchy, 0, ends[0], ends[1]).unwrap() else { continue };
            let route = planner.route(&plan);
            let at = whole.to_world(ends[0].place.point);
            let (loaded, mesh) = (BTreeSet::new(), NavMesh::default());
            let mut agent = Agent { tiles: &columns, query: Query::new(), loaded, mesh, at, walked: 0.0 };
            match follow(&mut agent, route) {
                Some(walked) => {
                    assert!(with_links || walked <= 1.1 * plan.upper + 1.0, "{walked} {}", plan.upper);
                    arrived += 1;
                }
                None => lost += 1,
            }
        }
        assert!(arrived > 15 && lost == 0, "seed {seed}: {arrived} arrived, {lost} lost");
    }
}

/// A plan over at least ten legs: its start, its goal and its route.
fn long_route<'a>(built: &Hierarchy, whole: &'a NavMesh) -> (FarPlace<'a>, FarPlace<'a>, FarRoute) {
    let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(1));
    loop {
        let [start, goal] =
            [0; 2].map(|_| FarPlace { mesh: whole, place: place(&mut random, &mut query, whole) });
        let Some(plan) = planner.plan(built, 0, start, goal).expect("places on the mesh") else { continue };
        let route = planner.route(&plan);
        if route.legs_left() > 9 {
            return (start, goal, route);
        }
    }
}

#[test]
fn walls_on_a_route_call_for_another_plan_and_walls_elsewhere_do_not() {
    let tiles: Vec<Tile> = world(61, SIDE, false).iter().map(|tile| walled(tile, &[])).collect();
    let whole = mesh(&tiles);
    let built = hierarchy(&whole);
    let grid = built.grid();
    let (start, goal, route) = long_route(&built, &whole);
    let mut planner = FarPlanner::new();
    let ends = [route.stops()[0].cluster, route.stops()[route.stops().len() - 1].cluster];
    let clusters: BTreeSet<ClusterCoord> = tiles
        .iter()
        .map(|tile| grid.cluster_of(tile.coord(), 0))
        .filter(|coord| !ends.contains(coord))
        .collect();
    let (mut on_route, mut elsewhere, mut others) = (0, 0, 0);
    for &cluster in &clusters {
        // A wall around the cluster: its tiles differ from the stored ones.
        let mut overlay = TileOverlay::new(&whole);
        let mut changed: Vec<TileCoord> = Vec::new();
        for tile in tiles.iter().filter(|tile| grid.cluster_of(tile.coord(), 0) == cluster) {
            overlay.put(walled(tile, &[0, 1, 2, 3]));
            changed.push(tile.coord());
        }
        let mut updated = built.clone();
        let differ = updated.update(&overlay, &changed).unwrap();
        let is_near = |coord: &ClusterCoord| (coord.x - cluster.x).abs() + (coord.z - cluster.z).abs() <= 1;
        assert!(differ.iter().all(is_near), "{differ:?}");
        assert_eq!(
            updated,
            Hierarchy::build(
                &mesh_of(&overlay),
                whole.lattice().unwrap(),
                grid.tile_cells,
                &crate::worlds::settings()
            )
            .unwrap()
        );
        let is_ahead = |coord: &ClusterCoord| route.stops().iter().any(|stop| stop.cluster == *coord);
        let needs_replan = route.needs_replan(&differ);
        assert_eq!(needs_replan, differ.iter().any(is_ahead));
        let second = planner.plan(&updated, 0, start, goal).unwrap();
        let leads_there = |route: &FarRoute| route.stops().iter().any(|stop| stop.cluster == cluster);
        if let Some(second) = second.map(|plan| planner.route(&plan)) {
            assert!(!leads_there(&second), "no plan leads into the walls");
            others += usize::from(leads_there(&route));
            assert!(needs_replan || second == route, "the plan still holds");
        }
        on_route += usize::from(needs_replan && leads_there(&route));
        elsewhere += usize::from(!needs_replan);
        assert!(needs_replan || !leads_there(&route));
    }
    assert!(on_route > 5 && elsewhere > 10 && others > 1, "{on_route} {elsewhere} {others}");
}

#[test]
fn clusters_that_the_agent_has_left_do_not_matter_and_closed_portals_do() {
    let whole = mesh(&world(61, SIDE, false));
    let built = hierarchy(&whole);
    let (start, goal, route) = long_route(&built, &whole);
    let last = route.stops()[route.stops().len() - 1];
    let ends = [route.stops()[0].cluster, last.cluster];
    let mut late = route.clone();
    for stop in route.stops() {
        late.advance(stop.point);
    }
    assert_eq!((late.legs_left(), late.ahead()), (1, last));
    assert!(route.needs_replan(&BTreeSet::from([ends[0]])) && !late.needs_replan(&BTreeSet::from([ends[0]])));
    assert!(late.needs_replan(&BTreeSet::from([ends[1]])));
    let mut shut = built.clone();
    let leaves = route.stops()[1].point;
    let portals = shut.portals_in(leaves.map(|at| at - 0.1), leaves.map(|at| at + 0.1));
    assert!(route.needs_replan(&shut.set_closed(portals.into_iter().collect())));
    let mut planner = FarPlanner::new();
    let around = planner.plan(&shut, 0, start, goal).unwrap().unwrap();
    assert!(planner.stops(&around).iter().all(|stop| stop.point != leaves));
}

#[test]
fn clusters_at_the_ends_of_the_numbers_have_columns() {
    let grid = ClusterGrid { tile_cells: 24, tiles: 5 };
    let far = grid.cluster_of(TileCoord { x: i32::MAX, z: i32::MIN, layer: 0 }, 0);
    assert!(grid.columns(far).all(|[x, z]| x > i32::MAX - 5 && z < i32::MIN + 5));
}

/// The mesh of all tiles of an overlay.
fn mesh_of(overlay: &TileOverlay<&NavMesh>) -> NavMesh {
    let columns: BTreeSet<[i32; 2]> = overlay.coords().iter().map(|coord| [coord.x, coord.z]).collect();
    let tiles: Vec<Tile> =
        columns.into_iter().flat_map(|[x, z]| Tiles::column(overlay, x, z).unwrap_or_default()).collect();
    assert_eq!(tiles.len(), overlay.coords().len());
    mesh(&tiles)
}

#[test]
fn an_overlay_has_the_tiles_that_were_put_and_not_those_that_were_removed() {
    let tiles = world(3, 30.0, false);
    let whole = mesh(&tiles);
    let mut overlay = TileOverlay::new(&whole);
    let [one, two] = [tiles[0].coord(), tiles[1].coord()];
    let wall = walled(&tiles[0], &[0, 1, 2, 3]);
    overlay.put(wall.clone());
    overlay.remove(two);
    let coords: BTreeSet<TileCoord> = whole.tiles().map(Tile::coord).collect();
    let left: BTreeSet<TileCoord> = coords.iter().copied().filter(|coord| *coord != two).collect();
    assert!(overlay.coords().into_iter().eq(left.iter().copied()));
    let seen = |overlay: &TileOverlay<_>, coord: TileCoord| {
        let column = Tiles::column(overlay, coord.x, coord.z).unwrap();
        column.into_iter().find(|tile| tile.coord() == coord)
    };
    assert_eq!((seen(&overlay, one), seen(&overlay, two)), (Some(wall), None));
    overlay.restore(one);
    overlay.restore(two);
    assert_eq!((seen(&overlay, one), seen(&overlay, two)), (Some(tiles[0].clone()), Some(tiles[1].clone())));
    // A tile where none is stored.
    let mut empty = TileOverlay::new(NavMesh::default());
    empty.put(tiles[1].clone());
    assert_eq!((empty.coords(), seen(&TileOverlay::new(&whole), one).is_some()), (vec![two], true));
}
