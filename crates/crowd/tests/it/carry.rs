//! Agents that ride on a platform off the mesh: the caller carries them, and puts them back at the dock.

use crate::common::{DT, baked, place, slim, walker};
use crowd::{AgentId, AgentState, Crowd, CrowdSettings, Event, Target};
use crowdlab::trial::{Seen, Watch};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};

/// Two docks, with 8 m of water between them.
fn docks() -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 8.0), 0.0).floor(rect(16.0, 0.0, 24.0, 8.0), 0.0);
    baked(builder, &slim())
}

/// A raft at a place: its middle, and its turn about the vertical.
#[derive(Clone, Copy)]
struct Raft(Vec3, f32);

impl Raft {
    fn turn(&self, v: Vec3) -> Vec3 {
        let (sine, cosine) = (libm::sinf(self.1), libm::cosf(self.1));
        Vec3::new(v.x * cosine - v.z * sine, v.y, v.x * sine + v.z * cosine)
    }

    fn at(&self, local: Vec3) -> Vec3 {
        self.0 + self.turn(local)
    }
}

/// Six agents on a raft at the western dock want to go to the eastern dock; a seventh stays.
struct Ferry {
    mesh: NavMesh,
    crowd: Crowd,
    riders: Vec<(AgentId, Vec3)>,
    watch: Watch,
    events: Vec<Event>,
}

const START: Vec3 = Vec3::new(6.0, 0.0, 4.0);

impl Ferry {
    fn new() -> Ferry {
        let (mesh, mut crowd) = (docks(), Crowd::new(CrowdSettings::default()).unwrap());
        let riders = (0..6u8).map(|index| {
            let local = Vec3::new(f32::from(index % 3) * 0.8 - 0.8, 0.0, f32::from(index / 3) * 0.8 - 0.4);
            let id = crowd.add(&mesh, START + local, &walker()).unwrap();
            let goal = place(&mesh, 22.0, 1.5 + f32::from(index));
            crowd.set_target(id, Target::Place(goal)).unwrap();
            (id, local)
        });
        let riders = riders.collect();
        crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
        Ferry { mesh, crowd, riders, watch: Watch::default(), events: Vec::new() }
    }

    fn carry(&mut self, raft: Raft) {
        for (id, local) in &self.riders {
            self.crowd.carry(*id, raft.at(*local), raft.turn(Vec3::X)).unwrap();
        }
    }

    /// Carries the riders over the water, from one part of the way to another.
    fn ride(&mut self, parts: std::ops::Range<u8>) {
        for part in parts {
            let part = f32::from(part) / 240.0;
            let raft = Raft(START + Vec3::X * (12.0 * part), part * std::f32::consts::PI);
            self.carry(raft);
            self.step();
            for (id, local) in &self.riders {
                let view = self.crowd.agent(*id).unwrap();
                assert_eq!((view.state, view.position), (AgentState::Carried, raft.at(*local)));
            }
        }
    }

    fn step(&mut self) {
        self.crowd.step(&self.mesh, DT, &mut self.events).unwrap();
        let seen = self.crowd.agents().map(|id| Seen::of(&self.crowd, id).unwrap());
        self.watch.look(&self.mesh, seen);
    }

    fn dock(&mut self) {
        let raft = Raft(START + Vec3::X * 12.0, std::f32::consts::PI);
        for (id, local) in &self.riders {
            self.crowd.place(&self.mesh, *id, raft.at(*local), Vec3::ZERO).unwrap();
            let at = self.crowd.agent(*id).unwrap().position;
            assert!(at.with_y(0.0).distance(raft.at(*local)) < 0.01, "it is where it was on the raft");
        }
    }
}

#[test]
fn riders_keep_their_places_and_walk_on_at_the_dock() {
    let mut ferry = Ferry::new();
    // Changes of the mesh do not concern them.
    ferry.ride(0..100);
    let tile = ferry.mesh.tiles().next().unwrap().clone();
    ferry.mesh.replace_tile(tile).unwrap();
    ferry.ride(100..240);
    assert_eq!(ferry.events, []);
    ferry.dock();
    (0..600).for_each(|_| ferry.step());
    for (id, _) in &ferry.riders {
        assert_eq!(ferry.crowd.agent(*id).unwrap().state, AgentState::Arrived);
    }
    assert_eq!((ferry.watch.left_mesh(), ferry.watch.worst_overlap() <= 0.05), (0, true));
}

#[test]
fn a_pursuer_waits_where_its_quarry_left_the_mesh() {
    let mut ferry = Ferry::new();
    let pursuer = ferry.crowd.add(&ferry.mesh, Vec3::new(1.0, 0.0, 4.0), &walker()).unwrap();
    ferry.crowd.set_target(pursuer, Target::Agent(ferry.riders[0].0)).unwrap();
    ferry.ride(0..240);
    let at = ferry.crowd.agent(pursuer).unwrap().position;
    assert!(at.distance(START + ferry.riders[0].1) < 1.0, "{at}");
    // It follows when it is carried too.
    ferry.dock();
    ferry.crowd.carry(pursuer, Vec3::new(17.0, 0.0, 2.0), Vec3::ZERO).unwrap();
    ferry.crowd.place(&ferry.mesh, pursuer, Vec3::new(17.0, 0.0, 2.0), Vec3::ZERO).unwrap();
    (0..600).for_each(|_| ferry.step());
    let apart = [pursuer, ferry.riders[0].0].map(|id| ferry.crowd.agent(id).unwrap().position);
    assert!(apart[0].distance(apart[1]) < 0.8, "{apart:?}");
}

#[test]
fn a_crowd_that_is_saved_during_a_ride_continues_as_it_was() {
    let mut ferry = Ferry::new();
    ferry.ride(0..120);
    let saved = ferry.crowd.save();
    ferry.ride(120..240);
    ferry.dock();
    (0..60).for_each(|_| ferry.step());
    let hash = ferry.crowd.hash();
    ferry.crowd.restore(&ferry.mesh, &saved).unwrap();
    ferry.ride(120..240);
    ferry.dock();
    (0..60).for_each(|_| ferry.step());
    assert_eq!(ferry.crowd.hash(), hash);
}

#[test]
fn a_place_that_is_not_finite_is_refused() {
    let mut ferry = Ferry::new();
    let id = ferry.riders[0].0;
    assert!(ferry.crowd.carry(id, Vec3::new(f32::NAN, 0.0, 0.0), Vec3::X).is_err());
    assert!(ferry.crowd.carry(id, START, Vec3::splat(f32::INFINITY)).is_err());
    ferry.crowd.remove(id).unwrap();
    assert!(ferry.crowd.carry(id, START, Vec3::X).is_err());
}
