//! Far targets: agents cross a world of which only the tiles around them are in the mesh.

use crate::common::*;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use bevy_navtile::hierarchy::{FarRoute, Hierarchy, HierarchySettings};
use bevy_navtile::{
    NavAgent, NavAgentEventKind, NavFarRoute, NavFarTarget, NavMeshAsset, NavMeshHandle, NavTarget, NavWorld,
    NoPathReason,
};
use bevy_transform::components::Transform;
use navtile::{NavStore, Tile};
use recast::{Level, PreparedLevel, Settings};
use std::collections::BTreeSet;

/// Cells along a tile.
const TILE: u32 = 48;
/// The river's left bank, metres.
const RIVER: f64 = 100.0;
const START: Vec3 = Vec3::new(3.0, 0.0, 5.0);
const GOAL: Vec3 = Vec3::new(190.0, 0.0, 5.0);

/// A strip of 200 x 43 m with a river across it, and two bridges: at z from 2 to 6 m, and from 32 to 36 m.
fn file() -> Vec<u8> {
    let mut level = Level::default();
    let mut floor = |[x, z, end_x, end_z]: [f64; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[x, 0.0, z], [x, 0.0, end_z], [end_x, 0.0, end_z], [end_x, 0.0, z]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    floor([0.0, 0.0, RIVER, 43.0]);
    floor([RIVER + 4.0, 0.0, 200.0, 43.0]);
    floor([RIVER - 0.5, 2.0, RIVER + 4.5, 6.0]);
    floor([RIVER - 0.5, 32.0, RIVER + 4.5, 36.0]);
    let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let baked = navlevel::bake_tiles(&level, TILE, &recast::Silent).unwrap();
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    let file = navtile::write_file(&navlevel::meta::meta(&level, TILE, None), &tiles).unwrap();
    let store = NavStore::open(file).unwrap();
    let settings = HierarchySettings { cluster: 14.4, spacing: 3.6, ..HierarchySettings::default() };
    let hierarchy = Hierarchy::build(&store, tiles[0].lattice(), TILE, &settings).unwrap();
    store.complete(&hierarchy.to_bytes()).unwrap()
}

/// A world of the file, and an agent that is sent across it.
struct Crossing {
    app: App,
    world: Entity,
    agent: Entity,
    tiles: Vec<Tile>,
    /// The largest number of tiles that were in the mesh.
    most: usize,
}

impl Crossing {
    fn new() -> Crossing {
        let mut app = app();
        let asset = NavMeshAsset::from_bytes(file()).unwrap();
        assert!(asset.hierarchy().is_some());
        let tiles = asset.tiles().to_vec();
        let handle = app.world_mut().resource_mut::<Assets<NavMeshAsset>>().add(asset);
        let world = app.world_mut().spawn(NavMeshHandle(handle)).id();
        let target = NavFarTarget { point: GOAL, class: 0 };
        let fast = NavAgent { max_speed: 8.0, ..NavAgent::default() };
        let agent = app.world_mut().spawn((fast, target, Transform::from_translation(START))).id();
        until(&mut app, "a mesh", |app| get::<NavWorld>(app, world).is_ready());
        Crossing { app, world, agent, tiles, most: 0 }
    }

    fn route(&self) -> Option<&FarRoute> {
        get::<NavFarRoute>(&self.app, self.agent).route()
    }

    /// Brings the columns that the agent needs into the mesh, and removes all others.
    fn stream(&mut self) {
        let route = get::<NavFarRoute>(&self.app, self.agent);
        let mut columns: BTreeSet<[i32; 2]> = route.columns_ahead(FarRoute::LEGS_AHEAD).into_iter().collect();
        let at = place(&self.app, self.agent);
        let mut world = self.app.world_mut().get_mut::<NavWorld>(self.world).unwrap();
        let hierarchy = world.hierarchy().unwrap();
        columns.extend(hierarchy.columns(hierarchy.cluster_at(world.mesh().to_world(at))));
        let is_wanted = |tile: &Tile| columns.contains(&[tile.coord().x, tile.coord().z]);
        let loaded: Vec<Tile> = world.mesh().tiles().cloned().collect();
        for tile in loaded.iter().filter(|tile| !is_wanted(tile)) {
            world.mesh_mut().remove_tile(tile.coord()).unwrap();
        }
        let missing = self.tiles.iter().filter(|tile| is_wanted(tile));
        for tile in missing.filter(|tile| loaded.iter().all(|known| known.coord() != tile.coord())) {
            world.mesh_mut().add_tile(tile.clone()).unwrap();
        }
        self.most = self.most.max(world.mesh().tile_count());
    }

    /// Updates, with the tiles that the agent needs, until a condition holds.
    fn walk_until(&mut self, what: &str, holds: impl Fn(&Crossing) -> bool) {
        for _ in 0..10_000 {
            self.stream();
            self.app.update();
            if holds(self) {
                return;
            }
        }
        panic!("{what} does not come to pass: {}", place(&self.app, self.agent));
    }

    fn is_there(&self) -> bool {
        (place(&self.app, self.agent) - GOAL).with_y(0.0).length() < 0.3
    }

    /// Closes the bridges between two z, and opens all others.
    fn close(&mut self, bridges: Option<[f64; 2]>) {
        let mut world = self.app.world_mut().get_mut::<NavWorld>(self.world).unwrap();
        world.change_hierarchy(|hierarchy| {
            let portals = bridges.map_or_else(Vec::new, |[z, end_z]| {
                hierarchy.portals_in([RIVER, -2.0, z], [RIVER + 4.0, 2.0, end_z])
            });
            hierarchy.set_closed(portals.into_iter().collect())
        });
    }

    /// The z at which the route crosses the river.
    fn bridge(&self) -> Option<f64> {
        let stops = self.route()?.stops();
        stops.windows(2).find(|pair| pair[1].point[0] > RIVER).map(|pair| pair[1].point[2])
    }
}

#[test]
fn an_agent_crosses_a_world_with_the_tiles_around_it_alone() {
    let mut crossing = Crossing::new();
    crossing.walk_until("a route", |crossing| crossing.route().is_some());
    let route = crossing.route().unwrap();
    assert!(route.legs_left() > 8 && route.stops()[0].point[0] < 14.0);
    assert!(crossing.bridge().unwrap() < 8.0, "the nearer bridge");
    crossing.most = 0;
    crossing.walk_until("a walk", Crossing::is_there);
    assert_eq!(crossing.route().unwrap().legs_left(), 1);
    assert!(crossing.most < crossing.tiles.len() / 3, "{} of {}", crossing.most, crossing.tiles.len());
}

#[test]
fn agents_go_around_closed_portals_and_wait_for_them_to_open() {
    let mut crossing = Crossing::new();
    crossing.walk_until("half a walk", |crossing| place(&crossing.app, crossing.agent).x > 50.0);
    crossing.close(Some([0.0, 8.0]));
    crossing.walk_until("another route", |crossing| crossing.bridge().is_some_and(|z| z > 30.0));
    crossing.close(Some([0.0, 43.0]));
    crossing.walk_until("no route", |crossing| crossing.route().is_none());
    let no_path = NavAgentEventKind::NoPath(NoPathReason::Unreachable);
    assert!(agent_events(&mut crossing.app).iter().any(|event| event.kind == no_path));
    assert_eq!(*get::<NavTarget>(&crossing.app, crossing.agent), NavTarget::None);
    crossing.close(Some([0.0, 8.0]));
    crossing.walk_until("a route", |crossing| crossing.route().is_some());
    crossing.walk_until("the bank", |crossing| place(&crossing.app, crossing.agent).x > RIVER as f32 + 2.0);
    assert!(place(&crossing.app, crossing.agent).z > 30.0, "over the other bridge");
    crossing.walk_until("a walk", Crossing::is_there);
}

#[test]
fn targets_off_the_ground_are_reported_once_and_new_targets_count() {
    let mut crossing = Crossing::new();
    set(&mut crossing.app, crossing.agent, NavFarTarget { point: Vec3::new(102.0, 0.0, 20.0), class: 0 });
    let mut kinds: Vec<NavAgentEventKind> = Vec::new();
    for _ in 0..20 {
        crossing.stream();
        crossing.app.update();
        kinds.extend(agent_events(&mut crossing.app).into_iter().map(|event| event.kind));
    }
    let off = NavAgentEventKind::NoPath(NoPathReason::OffMesh);
    assert_eq!(kinds.iter().filter(|kind| **kind == off).count(), 1, "{kinds:?}");
    assert!(crossing.route().is_none());
    set(&mut crossing.app, crossing.agent, NavFarTarget { point: GOAL, class: 0 });
    crossing.walk_until("a route", |crossing| crossing.route().is_some());
    set(&mut crossing.app, crossing.agent, NavFarTarget { point: GOAL, class: 7 });
    crossing.walk_until("a refusal", |crossing| crossing.route().is_none());
}

#[test]
fn without_a_hierarchy_far_targets_are_points() {
    let mut app = app();
    let world = square(&mut app);
    assert!(get::<NavWorld>(&app, world).hierarchy().is_none());
    let goal = Vec3::new(17.0, 0.0, 17.0);
    let target = NavFarTarget { point: goal, class: 0 };
    let place = Transform::from_xyz(3.0, 0.0, 3.0);
    let agent = app.world_mut().spawn((NavAgent::default(), target, place)).id();
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert_eq!(*get::<NavTarget>(&app, agent), NavTarget::Point(goal));
}
