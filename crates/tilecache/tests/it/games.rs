//! Obstacles as games use them: bridges that collapse, obstacles of several bodies, and obstacles for some
//! agents only. The cookbook has recipes for all of them.

use crate::common::{level_of, mesh_of, room, written};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, Event, EventKind, GroundLoss, Target};
use detour::{Filter, NavMesh, Query, Vec3};
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, PreparedLevel, Settings, Transform};
use tilecache::{ObstacleHandle, TileCache, apply, bake_dynamic};

const DT: f32 = 1.0 / 60.0;

fn solid(body: Body, at: [f64; 3]) -> Obstacle {
    let effect = Effect::Solid { area: AreaId::GROUND };
    Obstacle { body, place: Transform::turned(0.0, at), effect }
}

fn update(cache: &mut TileCache<Vec<u8>>, mesh: &mut NavMesh) {
    let update = cache.wait().unwrap();
    assert!(update.failed.is_empty());
    apply(mesh, &update.changes).unwrap();
}

#[test]
fn those_on_a_bridge_that_collapses_fall_and_those_under_a_crate_walk_out() {
    let mut level = level_of(&[[0.0, 0.0, 8.0, 12.0], [14.0, 0.0, 22.0, 12.0]], &[]);
    let bed = [[8.0, -5.0, 0.0], [8.0, -5.0, 12.0], [14.0, -5.0, 12.0], [14.0, -5.0, 0.0]];
    let first = level.vertices.len() as u32;
    level.vertices.extend(bed);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let mut cache = TileCache::open(bake_dynamic(&level, 24, &[]).unwrap()).unwrap();
    let corners = [[-4.0, 0.1, -2.0], [-4.0, 0.1, 2.0], [4.0, 0.1, 2.0], [4.0, 0.1, -2.0]];
    let deck = Body::mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let bridge = cache.add(&solid(deck, [11.0, 0.0, 6.0])).unwrap();
    cache.wait().unwrap();
    let (mut mesh, mut crowd) = (mesh_of(&cache), Crowd::new(CrowdSettings::default()).unwrap());
    let person = AgentParams { radius: 0.3, ..AgentParams::default() };
    let mut add = |x: f32, z: f32| crowd.add(&mesh, Vec3::new(x, 0.0, z), &person).unwrap();
    let on_bridge: Vec<AgentId> = (0..4u8).map(|index| add(9.5 + f32::from(index), 6.0)).collect();
    let under_crate = add(3.0, 6.0);
    let mut events = Vec::new();
    crowd.step(&mesh, DT, &mut events).unwrap();
    // The bridge collapses and a crate drops on the bank, both in one update.
    let [low, high] = cache.obstacle(bridge).unwrap().bounds();
    for id in crowd.agents().collect::<Vec<AgentId>>() {
        let at = mesh.to_world(crowd.agent(id).unwrap().position);
        if (0..3).all(|axis| at[axis] >= low[axis] - 1.0 && at[axis] <= high[axis] + 1.0) {
            let params = AgentParams { ground_loss: GroundLoss::Fall, ..*crowd.params(id).unwrap() };
            crowd.set_params(id, &params).unwrap();
        }
    }
    cache.remove(bridge).unwrap();
    cache.add(&solid(Body::cuboid([1.5, 1.5, 1.5]).unwrap(), [3.0, 0.0, 6.0])).unwrap();
    update(&mut cache, &mut mesh);
    crowd.step(&mesh, DT, &mut events).unwrap();
    let state = |crowd: &Crowd, id: &AgentId| crowd.agent(*id).unwrap().state;
    assert!(on_bridge.iter().all(|id| state(&crowd, id) == AgentState::Falling));
    assert_eq!(state(&crowd, &under_crate), AgentState::SteppingOut);
    (0..180).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    for id in &on_bridge {
        let at = crowd.agent(*id).unwrap().position;
        assert!((at.y + 5.0).abs() < 0.3, "{at}");
    }
    assert!(crowd.agent(under_crate).unwrap().position.y.abs() < 0.3);
    assert_eq!(events.iter().filter(|event: &&Event| event.kind == EventKind::GroundFound).count(), 5);
}

/// Two boxes that cross each other, under one transform.
fn cross(place: Transform) -> Vec<Obstacle> {
    let beam = Body::cuboid([4.0, 2.5, 0.8]).unwrap();
    let parts = [Transform::IDENTITY, Transform::turned(90.0, [0.0; 3])];
    let effect = Effect::Solid { area: AreaId::NULL };
    parts.map(|part| Obstacle { body: beam.clone(), place: place.after(&part), effect }).into()
}

#[test]
fn an_obstacle_of_several_bodies_moves_as_one() {
    let level = room(&[]);
    let mut cache = TileCache::open(bake_dynamic(&level, 16, &[]).unwrap()).unwrap();
    let mut mesh = mesh_of(&cache);
    let parts = cross(Transform::turned(0.0, [4.0, 0.0, 4.0]));
    let handles: Vec<ObstacleHandle> = parts.iter().map(|part| cache.add(part).unwrap()).collect();
    for (yaw, at) in [(0.0, [4.0, 0.0, 4.0]), (30.0, [6.0, 0.0, 6.0]), (75.0, [7.0, 0.0, 5.0])] {
        let parts = cross(Transform::turned(yaw, at));
        for (handle, part) in handles.iter().zip(&parts) {
            cache.move_to(*handle, part.place).unwrap();
        }
        update(&mut cache, &mut mesh);
        assert!(written(&cache) == bake_dynamic(&level, 16, &parts).unwrap(), "{yaw}");
        // There is no ground under the crossing of the boxes, nor under an arm.
        for part in &parts {
            for along in [-1.8, 0.0, 1.8] {
                let inside = part.place.apply([along, 0.0, 0.0]);
                let inside = mesh.from_world(inside);
                let near = Query::new().nearest(&mesh, inside, Vec3::new(0.1, 4.0, 0.1), &Filter::default());
                assert!(near.is_err(), "{yaw} {along}");
            }
        }
    }
    for handle in handles {
        cache.remove(handle).unwrap();
    }
    update(&mut cache, &mut mesh);
    assert!(written(&cache) == bake_dynamic(&level, 16, &[]).unwrap());
}

#[test]
fn an_obstacle_for_some_agents_only() {
    const FIRE: u8 = 9;
    let mut cache = TileCache::open(bake_dynamic(&room(&[]), 16, &[]).unwrap()).unwrap();
    let (body, place) = (Body::cuboid([1.0, 2.0, 8.0]).unwrap(), Transform::turned(0.0, [6.0, 0.0, 4.0]));
    let effect = Effect::Marks { area: AreaId(FIRE), inflate: true };
    let fire = cache.add(&Obstacle { body, place, effect }).unwrap();
    cache.wait().unwrap();
    let (mut mesh, mut crowd) = (mesh_of(&cache), Crowd::new(CrowdSettings::default()).unwrap());
    let civilians = crowd.add_filter(Filter::default().without_area(FIRE)).unwrap();
    let params = AgentParams { radius: 0.3, ..AgentParams::default() };
    let mut send = |filter, z: f32| {
        let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, z), &AgentParams { filter, ..params }).unwrap();
        let goal = Query::new().nearest(&mesh, Vec3::new(10.0, 0.0, z), Vec3::ONE, &Filter::default());
        crowd.set_target(id, Target::Place(goal.unwrap().place())).unwrap();
        id
    };
    let (fireman, civilian) = (send(AgentParams::default().filter, 3.0), send(civilians, 2.0));
    let mut passed = [None, None];
    for _ in 0..900 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        for (id, passed) in [fireman, civilian].into_iter().zip(&mut passed) {
            let at = crowd.agent(id).unwrap().position;
            if at.x > 6.0 && passed.is_none() {
                *passed = Some(at.z);
            }
        }
    }
    let [fireman_passed, civilian_passed] = passed.map(|z| z.unwrap());
    assert!(fireman_passed < 4.0 && civilian_passed > 8.0, "{fireman_passed} {civilian_passed}");
    // The fire goes out.
    cache.remove(fire).unwrap();
    update(&mut cache, &mut mesh);
    assert!(mesh.polygons().all(|polygon| mesh.attributes(polygon).unwrap().area != FIRE));
}
