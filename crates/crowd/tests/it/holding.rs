//! Bodies that hold a door: agents take another door if it is near enough, and come back when the body
//! leaves.

use crate::common::{DT, baked, place, slim, walker};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, MovingDisc, Target};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};
use rayon::ThreadPoolBuilder;

/// The nearer door and the other one: their middles along z.
const NEAR: f32 = 4.0;
const FAR: f32 = 12.0;

/// Two rooms with a wall between them, and doors in it: middles along z, and widths.
fn rooms(doors: &[(f64, f64)]) -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 24.0, 16.0), 0.0);
    let mut from = 0.0;
    for (middle, width) in doors {
        builder.block([11.8, -0.1, from], [12.2, 3.0, middle - width / 2.0]);
        from = middle + width / 2.0;
    }
    builder.block([11.8, -0.1, from], [12.2, 3.0, 16.0]);
    baked(builder, &slim())
}

fn two_doors() -> NavMesh {
    rooms(&[(NEAR.into(), 1.2), (FAR.into(), 1.2)])
}

struct Rooms {
    mesh: NavMesh,
    crowd: Crowd,
    ids: Vec<AgentId>,
    /// The place along z at which each agent came through the wall.
    passed: Vec<Option<f32>>,
}

impl Rooms {
    /// Six agents in the room on the left that are not sent yet.
    fn new(mesh: NavMesh, held_detour: f32) -> Rooms {
        let settings = CrowdSettings { held_detour, ..CrowdSettings::default() };
        let mut crowd = Crowd::new(settings).unwrap();
        let at = |index: u8| Vec3::new(2.0 + f32::from(index % 2), 0.0, 2.5 + f32::from(index / 2));
        let ids: Vec<AgentId> = (0..6).map(|index| crowd.add(&mesh, at(index), &walker()).unwrap()).collect();
        Rooms { mesh, crowd, passed: vec![None; ids.len()], ids }
    }

    /// Sends all agents to the other room.
    fn send(&mut self) {
        for (index, id) in (0u8..).zip(&self.ids) {
            let goal = place(&self.mesh, 20.0 + f32::from(index % 2), 2.5 + f32::from(index / 2));
            self.crowd.set_target(*id, Target::Place(goal)).unwrap();
        }
    }

    /// Puts a kinematic body into a door.
    fn guard(&mut self, z: f32) -> AgentId {
        let params = AgentParams { radius: 0.4, ..AgentParams::default() };
        let guard = self.crowd.add(&self.mesh, Vec3::new(12.0, 0.0, z), &params).unwrap();
        self.crowd.set_kinematic(guard, true).unwrap();
        guard
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.crowd.step(&self.mesh, DT, &mut Vec::new()).unwrap();
            for (id, passed) in self.ids.iter().zip(&mut self.passed) {
                let at = self.crowd.agent(*id).unwrap().position;
                if at.x > 12.0 && passed.is_none() {
                    *passed = Some(at.z);
                }
            }
        }
    }

    /// The number of agents that came through a door.
    fn through(&self, door: f32) -> usize {
        self.passed.iter().flatten().filter(|z| (**z - door).abs() < 1.5).count()
    }

    fn arrived(&self) -> usize {
        let states = self.ids.iter().map(|id| self.crowd.agent(*id).unwrap().state);
        states.filter(|state| *state == AgentState::Arrived).count()
    }
}

#[test]
fn agents_take_the_other_door_and_come_back_to_the_nearer_one() {
    let mut rooms = Rooms::new(two_doors(), 30.0);
    rooms.guard(NEAR);
    rooms.steps(120);
    rooms.send();
    rooms.steps(1200);
    assert_eq!((rooms.through(FAR), rooms.arrived()), (6, 6));
    // The guard leaves while others walk.
    let mut rooms = Rooms::new(two_doors(), 30.0);
    let guard = rooms.guard(NEAR);
    rooms.steps(120);
    rooms.send();
    rooms.steps(120);
    assert!(rooms.passed.iter().all(Option::is_none));
    rooms.crowd.place(&rooms.mesh, guard, Vec3::new(22.0, 0.0, 14.0), Vec3::ZERO).unwrap();
    rooms.steps(1200);
    assert_eq!((rooms.through(NEAR), rooms.arrived()), (6, 6));
}

#[test]
fn agents_on_their_way_turn_to_the_other_door_when_a_body_stops_in_theirs() {
    let mut rooms = Rooms::new(two_doors(), 30.0);
    rooms.send();
    rooms.steps(60);
    rooms.guard(NEAR);
    rooms.steps(1200);
    assert_eq!((rooms.through(FAR), rooms.arrived()), (6, 6));
}

#[test]
fn agents_wait_at_a_held_door_if_the_detour_is_too_long_or_there_is_none() {
    for (mesh, held_detour) in [(rooms(&[(NEAR.into(), 1.2)]), 30.0), (two_doors(), 3.0), (two_doors(), 0.0)]
    {
        let mut rooms = Rooms::new(mesh, held_detour);
        let guard = rooms.guard(NEAR);
        rooms.steps(120);
        rooms.send();
        rooms.steps(600);
        assert_eq!(rooms.arrived(), 0, "{held_detour}");
        rooms.crowd.place(&rooms.mesh, guard, Vec3::new(22.0, 0.0, 14.0), Vec3::ZERO).unwrap();
        rooms.steps(900);
        assert_eq!((rooms.through(NEAR), rooms.arrived()), (6, 6), "{held_detour}");
    }
}

#[test]
fn bodies_that_fill_a_wide_door_hold_it_together() {
    let doors = [(f64::from(NEAR), 2.6), (f64::from(FAR), 1.2)];
    let mut rooms_of_one = Rooms::new(rooms(&doors), 30.0);
    rooms_of_one.guard(NEAR + 0.6);
    rooms_of_one.steps(120);
    rooms_of_one.send();
    rooms_of_one.steps(1200);
    assert_eq!(rooms_of_one.through(NEAR), 6, "there is room next to one");
    let mut rooms_of_two = Rooms::new(rooms(&doors), 30.0);
    for z in [NEAR - 0.6, NEAR + 0.6] {
        rooms_of_two.guard(z);
    }
    rooms_of_two.steps(120);
    rooms_of_two.send();
    rooms_of_two.steps(1200);
    assert_eq!((rooms_of_two.through(FAR), rooms_of_two.arrived()), (6, 6));
}

#[test]
fn an_agent_that_cannot_walk_holds_a_door() {
    let mut rooms = Rooms::new(two_doors(), 30.0);
    let statue = AgentParams { max_speed: 0.0, ..walker() };
    rooms.crowd.add(&rooms.mesh, Vec3::new(12.0, 0.0, NEAR), &statue).unwrap();
    rooms.steps(120);
    rooms.send();
    rooms.steps(1200);
    assert_eq!((rooms.through(FAR), rooms.arrived()), (6, 6));
}

#[test]
fn a_disc_holds_a_door_and_a_body_in_open_ground_holds_nothing() {
    let disc = |x: f32, z: f32| MovingDisc {
        position: Vec3::new(x, 0.0, z),
        velocity: Vec3::ZERO,
        radius: 0.4,
        height: 2.0,
        layers: 1,
    };
    let mut held = Rooms::new(two_doors(), 30.0);
    held.crowd.set_discs(&[disc(12.0, NEAR)]).unwrap();
    held.steps(120);
    held.send();
    // Its number in the list of discs changes, and so does the number of agents.
    for number in 0..20u8 {
        let other = disc(22.0, 1.0 + f32::from(number) * 0.7);
        let discs = [other, disc(12.0, NEAR), other];
        held.crowd.set_discs(&discs[usize::from(number % 2)..]).unwrap();
        held.crowd.add(&held.mesh, Vec3::new(23.0, 0.0, 8.0), &walker()).unwrap();
        held.steps(60);
    }
    assert_eq!((held.through(FAR), held.arrived()), (6, 6));
    let hash = |held_detour: f32| {
        let mut open = Rooms::new(two_doors(), held_detour);
        open.crowd.set_discs(&[disc(7.0, 4.0), disc(8.0, 0.5)]).unwrap();
        open.steps(120);
        open.send();
        open.steps(600);
        open.crowd.hash()
    };
    assert_eq!(hash(30.0), hash(0.0));
}

#[test]
fn a_held_door_is_the_same_for_any_number_of_threads_and_after_a_restore() {
    let run = |threads: usize, restores: bool| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut rooms = Rooms::new(two_doors(), 30.0);
            let guard = rooms.guard(NEAR);
            rooms.send();
            rooms.steps(100);
            for _ in 0..8 {
                rooms.steps(17);
                if restores {
                    let saved = rooms.crowd.save();
                    let mut other = Crowd::new(*rooms.crowd.settings()).unwrap();
                    other.restore(&rooms.mesh, &saved).unwrap();
                    assert_eq!(other.save(), saved);
                    rooms.crowd = other;
                }
            }
            rooms.crowd.place(&rooms.mesh, guard, Vec3::new(22.0, 0.0, 14.0), Vec3::ZERO).unwrap();
            rooms.steps(300);
            rooms.crowd.hash()
        })
    };
    assert_eq!(run(1, false), run(3, false));
    assert_eq!(run(1, false), run(1, true));
}
