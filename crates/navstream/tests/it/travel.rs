//! Agents that cross a world on far routes, with only the tiles loaded that their next legs need.

use crate::common::{CELLS, SIDE, Script, at, bytes_of, coords, lattice, middle, settle, square, world_of};
use detour::{Filter, NavMesh, Place, Query, RouteOptions, Vec3};
use hierarchy::{FarPlace, FarPlanner, FarRoute, Hierarchy, HierarchySettings, TileOverlay};
use navstream::{Limits, TileStream};
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// Tiles along the world, columns of tiles that are walls, and the rows of their gaps.
const WIDTH: i32 = 24;
const GAPS: [(i32, &[i32]); 3] = [(5, &[22]), (11, &[2, 20]), (17, &[1])];
/// Metres that the agent walks in a turn.
const STEP: f64 = 1.5;

fn tiles() -> BTreeMap<TileCoord, Tile> {
    let mut tiles = square(WIDTH);
    let is_open = |coord: &TileCoord| GAPS.iter().all(|(x, gaps)| *x != coord.x || gaps.contains(&coord.z));
    tiles.retain(|coord, _| is_open(coord));
    tiles
}

fn all_gaps() -> impl Iterator<Item = TileCoord> {
    GAPS.into_iter().flat_map(|(x, gaps)| gaps.iter().map(move |z| at(x, *z)))
}

/// Returns true if a place is on a tile, or on its border.
fn is_on(coord: TileCoord, place: [f64; 3]) -> bool {
    let middle = middle(coord);
    [0, 2].into_iter().all(|axis| (middle[axis] - place[axis]).abs() <= SIDE / 2.0 + 1e-3)
}

fn place(mesh: &NavMesh, at: [f64; 3]) -> Place {
    let half_extents = Vec3::new(0.5, 1.0, 0.5);
    Query::new().nearest(mesh, mesh.from_world(at), half_extents, &Filter::default()).unwrap().place()
}

/// A traveller and its goal, on the snapshot of the tiles around it.
struct Traveller {
    at: [f64; 3],
    goal: ([f64; 3], NavMesh),
    route: FarRoute,
    planner: FarPlanner,
}

impl Traveller {
    /// Plans again from where it is.
    fn plan(&mut self, hierarchy: &Hierarchy, mesh: &NavMesh) {
        let ends = [(self.at, mesh), (self.goal.0, &self.goal.1)];
        let [start, goal] = ends.map(|(at, mesh)| FarPlace { mesh, place: place(mesh, at) });
        let plan = self.planner.plan(hierarchy, 0, start, goal).unwrap().unwrap();
        self.route = self.planner.route(&plan);
    }

    /// Walks towards the stop ahead, if its tiles have come. Returns true at the goal.
    fn walk(&mut self, mesh: &NavMesh) -> bool {
        let [from, to] = [self.at, self.route.ahead().point].map(|at| mesh.from_world(at));
        let route = Query::new().route(mesh, from, to, &Filter::default(), &RouteOptions::default());
        let Ok(route) = route.as_ref() else { return false };
        if route.reason().is_none() {
            let to = route.points.get(1).copied().unwrap_or(from);
            let share = (STEP / f64::from(from.distance(to))).min(1.0);
            let step = if from == to { from } else { from.lerp(to, share as f32) };
            self.at = mesh.to_world(step);
        }
        let apart = Vec3::from_array(self.at.map(|at| at as f32))
            .distance(Vec3::from_array(self.goal.0.map(|at| at as f32)));
        self.route.legs_left() == 1 && apart < 0.1
    }
}

/// The hierarchy of the world, the tiles that it is of, and a stream with room for a tenth of them.
fn start() -> (Hierarchy, TileOverlay<NavMesh>, TileStream<Script>) {
    let tiles = tiles();
    let mut whole = NavMesh::default();
    whole.add_tiles(tiles.values().cloned()).unwrap();
    let settings = HierarchySettings { cluster: 2.0 * SIDE, spacing: SIDE, ..HierarchySettings::default() };
    let hierarchy = Hierarchy::build(&whole, lattice(), CELLS, &settings).unwrap();
    let memory = tiles.values().map(bytes_of).sum::<u64>() / 10;
    let limits = Limits { memory, ..Limits::default() };
    let stream = TileStream::new(world_of(tiles.values()), Script::prompt(tiles), [0.0; 3], limits).unwrap();
    (hierarchy, TileOverlay::new(whole), stream)
}

/// The snapshot of the tiles of the cluster around a place.
fn around(hierarchy: &Hierarchy, stream: &mut TileStream<Script>, place: [f64; 3]) -> NavMesh {
    let columns = hierarchy.columns(hierarchy.cluster_at(place));
    stream.want(&stream.world().tiles_in(columns));
    settle(stream);
    stream.mesh().clone()
}

#[test]
fn an_agent_crosses_a_world_that_is_not_loaded_and_plans_again_when_a_gap_closes() {
    let (mut hierarchy, mut overlay, mut stream) = start();
    let [from, to] = [at(0, 0), at(WIDTH - 1, WIDTH - 1)].map(middle);
    let goal = (to, around(&hierarchy, &mut stream, to));
    let mesh = around(&hierarchy, &mut stream, from);
    let mut planner = FarPlanner::new();
    let ends = [(from, &mesh), (to, &goal.1)].map(|(at, mesh)| FarPlace { mesh, place: place(mesh, at) });
    let plan = planner.plan(&hierarchy, 0, ends[0], ends[1]).unwrap().unwrap();
    let route = planner.route(&plan);
    let mut agent = Traveller { at: from, goal, route, planner };
    let (gap, other) = (at(11, 20), at(11, 2));
    let mut passed: BTreeSet<TileCoord> = BTreeSet::new();
    let (mut replans, mut turns) = (0, 0);
    loop {
        agent.route.advance(agent.at);
        let wanted = stream.world().tiles_in(agent.route.columns_ahead(6));
        stream.want(&wanted);
        stream.update();
        assert!(stream.memory() <= stream.limits().memory);
        if agent.walk(stream.mesh()) {
            break;
        }
        passed.extend(all_gaps().filter(|gap| is_on(*gap, agent.at)));
        turns += 1;
        assert!(turns < 400, "the agent stays at {:?}", agent.at);
        // The gap that is nearer closes when the agent is through the first wall; a tile elsewhere changes
        // nothing.
        let closes = match turns {
            10 => at(8, 3),
            _ if replans == 0 && agent.at[0] > 7.0 * SIDE => gap,
            _ => continue,
        };
        overlay.remove(closes);
        stream.source_mut().tiles.remove(&closes);
        stream.reload(closes);
        let changed = hierarchy.update(&overlay, &[closes]).unwrap();
        assert_eq!(agent.route.needs_replan(&changed), closes == gap);
        if closes == gap {
            agent.plan(&hierarchy, stream.mesh());
            replans += 1;
        }
    }
    assert_eq!(replans, 1);
    assert!(passed.into_iter().eq([at(5, 22), other, at(17, 1)]));
    assert!(coords(stream.mesh()).len() < tiles().len() / 5);
}

#[test]
fn the_tiles_of_columns_come_in_the_order_of_the_columns() {
    let mut tiles = square(4);
    tiles.remove(&at(1, 1));
    let upper = TileCoord { layer: 2, ..at(2, 3) };
    tiles.insert(upper, crate::common::strips(upper, 1));
    let world = world_of(tiles.values());
    let columns = [[2, 3], [1, 1], [-1, 0], [0, 0], [i32::MAX, i32::MIN]];
    assert_eq!(world.tiles_in(columns), [at(2, 3), upper, at(0, 0)]);
}
