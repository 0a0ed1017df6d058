//! Agents whose ground goes away: a bridge that collapses, over a river bed and over nothing.

use crate::common::{DT, baked, place, slim, walker};
use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdSettings, Event, EventKind, GroundLoss, Target};
use crowdlab::trial::{Seen, Watch};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};
use recast::AreaId;
use recast::settings::OffMeshConnection;

/// The depth of the river bed below the bridge, metres.
const DEPTH: f32 = 5.0;

/// Two banks, with or without the bridge between them and the bed below it.
fn river(has_bridge: bool, has_bed: bool) -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 12.0), 0.0).floor(rect(16.0, 0.0, 24.0, 12.0), 0.0);
    if has_bridge {
        builder.floor(rect(7.5, 4.0, 16.5, 8.0), 0.0);
    }
    if has_bed {
        builder.floor(rect(8.0, 0.0, 16.0, 12.0), -f64::from(DEPTH));
    }
    baked(builder, &slim())
}

/// A crowd on the bridge, and a check of all agents after each step.
struct Crossing {
    mesh: NavMesh,
    crowd: Crowd,
    ids: Vec<AgentId>,
    watch: Watch,
    events: Vec<Event>,
}

impl Crossing {
    fn new(has_bed: bool, ground_loss: GroundLoss) -> Crossing {
        let mesh = river(true, has_bed);
        let (mut crowd, mut ids) = (Crowd::new(CrowdSettings::default()).unwrap(), Vec::new());
        let params = AgentParams { ground_loss, ..walker() };
        for index in 0..8u8 {
            let at = Vec3::new(9.5 + f32::from(index % 4) * 1.2, 0.0, 5.4 + f32::from(index / 4) * 1.2);
            let id = crowd.add(&mesh, at, &params).unwrap();
            let goal = place(&mesh, 20.0, 2.0 + f32::from(index));
            crowd.set_target(id, Target::Place(goal)).unwrap();
            ids.push(id);
        }
        let mut crossing = Crossing { mesh, crowd, ids, watch: Watch::default(), events: Vec::new() };
        crossing.steps(6);
        crossing
    }

    /// Swaps the tile for that of another mesh.
    fn become_like(&mut self, other: &NavMesh) {
        self.mesh.replace_tile(other.tiles().next().unwrap().clone()).unwrap();
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.crowd.step(&self.mesh, DT, &mut self.events).unwrap();
            let seen = self.ids.iter().filter_map(|id| Seen::of(&self.crowd, *id).ok());
            self.watch.look(&self.mesh, seen);
        }
    }

    fn positions(&self) -> Vec<Vec3> {
        self.ids.iter().map(|id| self.crowd.agent(*id).unwrap().position).collect()
    }

    fn states(&self, wanted: AgentState) -> usize {
        self.ids.iter().filter(|id| self.crowd.agent(**id).unwrap().state == wanted).count()
    }

    fn heard(&self, wanted: EventKind) -> usize {
        self.events.iter().filter(|event| event.kind == wanted).count()
    }
}

#[test]
fn agents_fall_from_a_bridge_to_the_river_bed() {
    let mut crossing = Crossing::new(true, GroundLoss::Fall);
    let before = crossing.positions();
    crossing.become_like(&river(false, true));
    crossing.steps(1);
    assert_eq!((crossing.states(AgentState::Falling), crossing.heard(EventKind::Falling)), (8, 8));
    // A body falls 5 m in 1.01 s, and straight down.
    crossing.steps(55);
    assert_eq!(crossing.states(AgentState::Falling), 8);
    crossing.steps(10);
    assert_eq!((crossing.states(AgentState::Falling), crossing.heard(EventKind::GroundFound)), (0, 8));
    for (at, before) in crossing.positions().into_iter().zip(before) {
        let aside = at.with_y(0.0).distance(before.with_y(0.0));
        assert!((at.y + DEPTH).abs() < 0.2 && aside < 0.4, "{before} to {at}");
    }
    crossing.steps(300);
    assert_eq!((crossing.watch.left_mesh(), crossing.watch.worst_overlap() <= 0.05), (0, true));
}

#[test]
fn a_fall_ends_at_its_greatest_depth() {
    let mut crossing = Crossing::new(true, GroundLoss::Fall);
    let params = AgentParams { ground_loss: GroundLoss::Fall, fall_height: DEPTH - 1.0, ..walker() };
    crossing.crowd.set_params(crossing.ids[0], &params).unwrap();
    crossing.become_like(&river(false, true));
    crossing.steps(120);
    assert_eq!((crossing.heard(EventKind::Falling), crossing.heard(EventKind::GroundLost)), (7, 1));
    assert_eq!(crossing.states(AgentState::Lost), 1);
}

#[test]
fn nobody_walks_on_air() {
    for loss in [GroundLoss::Wait, GroundLoss::Fall] {
        let mut crossing = Crossing::new(false, loss);
        let before = crossing.positions();
        crossing.become_like(&river(false, false));
        crossing.steps(120);
        assert_eq!((crossing.states(AgentState::Lost), crossing.heard(EventKind::GroundLost)), (8, 8));
        assert_eq!(crossing.positions(), before, "{loss:?}");
        // The bridge is built again.
        crossing.become_like(&river(true, false));
        crossing.steps(1200);
        assert_eq!(crossing.states(AgentState::Arrived), 8, "{loss:?}");
        assert_eq!(crossing.watch.left_mesh(), 0);
    }
}

#[test]
fn agents_on_a_bridge_are_removed_with_it() {
    let mut crossing = Crossing::new(true, GroundLoss::Remove);
    let other = crossing.crowd.add(&crossing.mesh, Vec3::new(4.0, 0.0, 6.0), &walker()).unwrap();
    crossing.become_like(&river(false, true));
    crossing.steps(1);
    assert_eq!((crossing.crowd.len(), crossing.heard(EventKind::Removed)), (1, 8));
    assert!(crossing.crowd.agent(other).is_ok() && crossing.crowd.agent(crossing.ids[0]).is_err());
    // Their numbers are free for others.
    let added = crossing.crowd.add(&crossing.mesh, Vec3::new(2.0, 0.0, 6.0), &walker()).unwrap();
    assert!(crossing.ids.iter().any(|id| id.index() == added.index()));
    crossing.steps(60);
}

#[test]
fn an_agent_next_to_ground_steps_there() {
    for loss in [GroundLoss::Wait, GroundLoss::Fall, GroundLoss::Remove] {
        let mut crossing = Crossing::new(true, loss);
        let params = AgentParams { ground_loss: loss, ..walker() };
        let edge = crossing.crowd.add(&crossing.mesh, Vec3::new(7.8, 0.0, 6.0), &params).unwrap();
        crossing.become_like(&river(false, true));
        crossing.steps(1);
        assert_eq!(crossing.crowd.agent(edge).unwrap().state, AgentState::SteppingOut, "{loss:?}");
        crossing.steps(30);
        let at = crossing.crowd.agent(edge).unwrap().position;
        assert!(at.x < 7.75 && at.y > -0.1, "{loss:?}: {at}");
    }
}

#[test]
fn an_agent_on_a_link_whose_far_end_goes_turns_back_or_falls() {
    let level = |has_far_bank: bool| {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 10.0, 8.0), 0.0).floor(rect(10.0, 0.0, 24.0, 8.0), -2.5);
        if has_far_bank {
            builder.floor(rect(14.0, 0.0, 24.0, 8.0), 0.0);
        }
        let mut settings = slim();
        settings.off_mesh_connections.push(OffMeshConnection {
            start: [9.5, 0.0, 4.0],
            end: [14.5, 0.0, 4.0],
            radius: 0.5,
            both_ways: true,
            area: AreaId::GROUND,
            flags: None,
            user_id: 0,
            along: [0.0, 0.0],
        });
        baked(builder, &settings)
    };
    for loss in [GroundLoss::StepOut, GroundLoss::Wait, GroundLoss::Fall] {
        let mut mesh = level(true);
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let params = AgentParams { ground_loss: loss, ..walker() };
        let id = crowd.add(&mesh, Vec3::new(8.5, 0.0, 4.0), &params).unwrap();
        crowd.set_target(id, Target::Place(place(&mesh, 20.0, 4.0))).unwrap();
        let mut events = Vec::new();
        let middle = loop {
            crowd.step(&mesh, DT, &mut events).unwrap();
            let view = crowd.agent(id).unwrap();
            if view.position.x > 12.0 {
                assert!(matches!(view.state, AgentState::OnLink(_)));
                break view.position;
            }
        };
        // The far end is baked again, and nothing changes.
        mesh.replace_tile(level(true).tiles().next().unwrap().clone()).unwrap();
        crowd.step(&mesh, DT, &mut events).unwrap();
        assert!(matches!(crowd.agent(id).unwrap().state, AgentState::OnLink(_)), "{loss:?}");
        assert!(!events.iter().any(|event| matches!(event.kind, EventKind::LinkLeft(_))));
        mesh.replace_tile(level(false).tiles().next().unwrap().clone()).unwrap();
        crowd.step(&mesh, DT, &mut events).unwrap();
        let view = crowd.agent(id).unwrap();
        assert!(view.position.distance(middle) < 0.1, "{loss:?}: it does not jump, {}", view.position);
        (0..180).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
        let at = crowd.agent(id).unwrap().position;
        if loss == GroundLoss::Fall {
            assert!((at.y + 2.5).abs() < 0.25, "{at}");
        } else {
            assert!(at.y.abs() < 0.2 && at.x < 10.0, "{loss:?}: {at}");
        }
        assert!(events.iter().any(|event| matches!(event.kind, EventKind::LinkLeft(_))));
    }
}

#[test]
fn a_crowd_that_is_saved_in_a_fall_continues_as_it_was() {
    let mut crossing = Crossing::new(true, GroundLoss::Fall);
    crossing.become_like(&river(false, true));
    crossing.steps(20);
    let saved = crossing.crowd.save();
    crossing.steps(120);
    let hash = crossing.crowd.hash();
    crossing.crowd.restore(&crossing.mesh, &saved).unwrap();
    crossing.steps(120);
    assert_eq!(crossing.crowd.hash(), hash);
}
