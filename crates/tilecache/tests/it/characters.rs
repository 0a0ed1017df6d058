//! Characters whose ground is taken by obstacles: they walk out around the new obstacle and continue to their
//! targets.

use crate::common::{floors, mesh_of, room};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, Event, EventKind, Target};
use crowdlab::trial::{Seen, Watch};
use detour::{Filter, NavMesh, Query, Vec3};
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, PreparedLevel, Transform};
use tilecache::{ObstacleHandle, TileCache, apply, bake_dynamic};

const DT: f32 = 1.0 / 60.0;

/// A level, a crowd in it, and a check of all characters after each step.
struct Yard {
    cache: TileCache<Vec<u8>>,
    mesh: NavMesh,
    crowd: Crowd,
    ids: Vec<AgentId>,
    watch: Watch,
    events: Vec<Event>,
    /// The longest distance that any character moved in a step, metres.
    longest: f32,
}

impl Yard {
    fn new(level: &PreparedLevel, tile_cells: u32) -> Yard {
        let cache = TileCache::open(bake_dynamic(level, tile_cells, &[]).unwrap()).unwrap();
        Yard {
            mesh: mesh_of(&cache),
            cache,
            crowd: Crowd::new(CrowdSettings::default()).unwrap(),
            ids: Vec::new(),
            watch: Watch::default(),
            events: Vec::new(),
            longest: 0.0,
        }
    }

    fn add(&mut self, from: [f32; 2], to: [f32; 2]) {
        let [from, to] = [from, to].map(|[x, z]| Vec3::new(x, 0.0, z));
        let params = AgentParams { radius: 0.3, max_speed: 1.4, ..AgentParams::default() };
        let id = self.crowd.add(&self.mesh, from, &params).unwrap();
        let goal = Query::new().nearest(&self.mesh, to, Vec3::ONE, &Filter::default()).unwrap();
        self.crowd.set_target(id, Target::Place(goal.place())).unwrap();
        self.ids.push(id);
    }

    fn drop(&mut self, body: Body, at: [f64; 3], effect: Effect) -> ObstacleHandle {
        let place = Transform::turned(0.0, at);
        let handle = self.cache.add(&Obstacle { body, place, effect }).unwrap();
        self.update();
        handle
    }

    fn update(&mut self) {
        let update = self.cache.wait().unwrap();
        assert!(update.failed.is_empty());
        apply(&mut self.mesh, &update.changes).unwrap();
    }

    fn steps(&mut self, count: usize) {
        let position = |crowd: &Crowd, id: AgentId| crowd.agent(id).unwrap().position;
        for _ in 0..count {
            let before: Vec<Vec3> = self.ids.iter().map(|id| position(&self.crowd, *id)).collect();
            self.crowd.step(&self.mesh, DT, &mut self.events).unwrap();
            let seen = self.ids.iter().map(|id| Seen::of(&self.crowd, *id).unwrap());
            self.watch.look(&self.mesh, seen);
            for (id, before) in self.ids.iter().zip(before) {
                let moved = position(&self.crowd, *id).with_y(0.0).distance(before.with_y(0.0));
                self.longest = self.longest.max(moved);
            }
        }
    }

    fn states(&self, wanted: AgentState) -> usize {
        self.ids.iter().filter(|id| self.crowd.agent(**id).unwrap().state == wanted).count()
    }

    fn heard(&self, wanted: EventKind) -> usize {
        self.events.iter().filter(|event| event.kind == wanted).count()
    }

    /// The height of the highest character, metres.
    fn highest(&self) -> f32 {
        let heights = self.ids.iter().map(|id| self.crowd.agent(*id).unwrap().position.y);
        heights.fold(f32::NEG_INFINITY, f32::max)
    }

    fn check_all_arrive(&mut self, what: &str) {
        self.steps(60 * 40);
        assert_eq!(self.states(AgentState::Arrived), self.ids.len(), "{what}: arrived");
        assert_eq!(self.watch.left_mesh(), 0, "{what}: positions off the mesh");
        assert!(self.watch.worst_overlap() <= 0.05, "{what}: {} overlap", self.watch.worst_overlap());
        // No character moves faster than 1.4 m/s unless it is pushed.
        assert!(self.longest <= 2.0 * 1.4 * DT, "{what}: {} m in a step", self.longest);
    }
}

/// Twenty characters that cross a room from side to side.
fn crossing(level: &PreparedLevel, tile_cells: u32) -> Yard {
    let mut yard = Yard::new(level, tile_cells);
    for index in 0..20u8 {
        let z = 1.5 + f32::from(index % 10);
        let [near, far] = [2.0 + f32::from(index / 10), 10.0 - f32::from(index / 10)];
        yard.add([near, z], [far, z]);
    }
    yard
}

#[test]
fn those_under_a_crate_walk_out_beside_it() {
    let level = room(&[]);
    // First, an obstacle whose top is higher than agents climb and lower than their height; then an obstacle
    // that all can climb, an obstacle of 3 m, and ground that is removed.
    let solid = Effect::Solid { area: AreaId::GROUND };
    let blocks = Effect::Blocks { inflate: true };
    for tile_cells in [0, 16, 48] {
        for (height, effect) in [(1.2, solid), (0.4, solid), (3.0, solid), (1.0, blocks)] {
            let what = format!("tiles of {tile_cells}, {height} m, {effect:?}");
            let mut yard = crossing(&level, tile_cells);
            yard.steps(120);
            yard.drop(Body::cuboid([3.0, height, 4.0]).unwrap(), [5.5, 0.0, 6.0], effect);
            yard.steps(1);
            let inside = yard.states(AgentState::SteppingOut);
            if height == 0.4 {
                assert!(yard.highest() > 0.3, "{what}: they climb it");
            } else {
                assert!(inside >= 5, "{what}: {inside} of them are inside");
                assert_eq!(yard.states(AgentState::Lost), 0, "{what}");
            }
            yard.steps(180);
            assert_eq!(yard.states(AgentState::SteppingOut), 0, "{what}: it takes no longer than 3 s");
            assert_eq!(yard.heard(EventKind::GroundFound), yard.heard(EventKind::SteppingOut), "{what}");
            if height > 1.0 {
                assert!(yard.highest() < 0.3, "{what}: nobody is on top of it");
            }
            yard.check_all_arrive(&what);
        }
    }
}

#[test]
fn nobody_is_led_through_a_wall() {
    // Two rooms with a wall between them, and a crate along it that takes the ground of all characters: the
    // far side of the wall is nearer than the exit.
    let level = room(&[[0.0, 5.9, 10.0, 6.1]]);
    let mut yard = Yard::new(&level, 20);
    for index in 0..6u8 {
        yard.add([2.0 + f32::from(index), 5.0], [1.5 + f32::from(index), 2.0]);
    }
    yard.steps(1);
    let body = Body::cuboid([9.0, 2.0, 2.2]).unwrap();
    yard.drop(body, [4.5, 0.0, 4.8], Effect::Solid { area: AreaId::GROUND });
    yard.steps(1);
    assert!(yard.states(AgentState::SteppingOut) >= 5);
    yard.steps(240);
    for id in &yard.ids {
        let at = yard.crowd.agent(*id).unwrap().position;
        assert!(at.z < 4.0 && at.y < 0.3, "{at}");
    }
    yard.check_all_arrive("a wall");
}

#[test]
fn those_on_a_bridge_that_goes_walk_to_its_ends() {
    let level = floors(&[[0.0, 0.0, 8.0, 12.0], [12.0, 0.0, 20.0, 12.0]]);
    let mut yard = Yard::new(&level, 16);
    let corners = [[-3.0, 0.1, -2.0], [-3.0, 0.1, 2.0], [3.0, 0.1, 2.0], [3.0, 0.1, -2.0]];
    let body = Body::mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let bridge = yard.drop(body, [10.0, 0.0, 6.0], Effect::Solid { area: AreaId::GROUND });
    for index in 0..8u8 {
        let [x, z] = [8.2 + f32::from(index % 4), 5.5 + f32::from(index / 4)];
        yard.add([x, z], [17.0, 3.0 + f32::from(index)]);
    }
    yard.steps(10);
    yard.cache.remove(bridge).unwrap();
    yard.update();
    yard.steps(1);
    assert_eq!(yard.states(AgentState::SteppingOut), 8);
    yard.steps(240);
    assert_eq!(yard.states(AgentState::SteppingOut) + yard.states(AgentState::Lost), 0);
    assert_eq!(yard.watch.left_mesh(), 0);
    let west = yard.ids.iter().filter(|id| yard.crowd.agent(**id).unwrap().position.x < 8.0).count();
    assert!((2..=6).contains(&west), "{west} went back");
}

#[test]
fn nobody_is_lost_where_crate_after_crate_is_dropped() {
    for tile_cells in [0, 24] {
        let mut yard = Yard::new(&floors(&[[0.0, 0.0, 24.0, 24.0]]), tile_cells);
        for index in 0..30u8 {
            let (column, row) = (f32::from(index % 5), f32::from(index / 5));
            yard.add([10.0 + column * 0.8, 10.0 + row * 0.8], [2.0 + column * 5.0, 1.5 + row * 4.0]);
        }
        let mut hit = 0;
        for number in 0..10usize {
            // Drop it on a character that already steps out, and at the place that it is led to.
            let state = |id: &&AgentId| yard.crowd.agent(**id).unwrap().state;
            let one = yard.ids.iter().find(|id| state(id) == AgentState::SteppingOut);
            hit += usize::from(one.is_some());
            let at = yard.crowd.agent(*one.unwrap_or(&yard.ids[number * 3])).unwrap().position;
            let body = Body::cuboid([1.5, 1.4, 1.0]).unwrap();
            let effect = Effect::Solid { area: AreaId::GROUND };
            yard.drop(body, at.to_array().map(f64::from), effect);
            yard.steps(12);
        }
        assert!(hit >= 5, "{hit} of ten on one that stepped out");
        yard.steps(300);
        assert_eq!(yard.states(AgentState::Lost) + yard.states(AgentState::SteppingOut), 0);
        yard.check_all_arrive(&format!("tiles of {tile_cells}"));
    }
}

#[test]
fn one_whose_target_is_taken_too_steps_out_and_goes_on_once_it_is_back() {
    let mut yard = Yard::new(&room(&[]), 16);
    yard.add([3.0, 6.0], [9.0, 6.0]);
    yard.steps(1);
    let blocks = Effect::Blocks { inflate: true };
    yard.drop(Body::cuboid([1.5, 2.0, 1.5]).unwrap(), [3.0, 0.0, 6.0], blocks);
    let over_target = yard.drop(Body::cuboid([3.5, 2.0, 3.5]).unwrap(), [9.0, 0.0, 6.0], blocks);
    yard.steps(30);
    assert_eq!(yard.states(AgentState::SteppingOut), 1);
    yard.steps(200);
    // It is on ground, and has no path.
    assert_eq!((yard.states(AgentState::Idle), yard.watch.left_mesh()), (1, 0));
    yard.cache.remove(over_target).unwrap();
    yard.update();
    yard.check_all_arrive("the target is back");
}

#[test]
fn a_crowd_that_is_saved_while_some_step_out_goes_on_as_it_was() {
    let mut yard = crossing(&room(&[]), 16);
    yard.steps(120);
    let body = Body::cuboid([3.0, 2.0, 4.0]).unwrap();
    yard.drop(body, [5.5, 0.0, 6.0], Effect::Solid { area: AreaId::GROUND });
    yard.steps(10);
    assert!(yard.states(AgentState::SteppingOut) > 0);
    let saved = yard.crowd.save();
    yard.steps(60);
    let hash = yard.crowd.hash();
    yard.crowd.restore(&yard.mesh, &saved).unwrap();
    yard.steps(60);
    assert_eq!(yard.crowd.hash(), hash);
}
