//! Invalid calls, and numbers at the ends of their ranges.

use crate::common::{DT, place, scene, walker};
use crowd::{AgentParams, AgentState, Avoidance, Crowd, CrowdError, CrowdSettings, MovingDisc, Target};
use detour::{Filter, NavMesh, Vec3};
use glam::Vec2;
use proptest::prelude::*;

fn crowd() -> Crowd {
    Crowd::new(CrowdSettings::default()).unwrap()
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let at = Vec3::new(2.0, 0.0, 2.0);
    let mut refuse = |params: AgentParams| crowd.add(&mesh, at, &params).unwrap_err().to_string();
    assert_eq!(
        refuse(AgentParams { radius: f32::NAN, ..walker() }),
        "radius is NaN: it must be from 0 to 100 m"
    );
    assert!(refuse(AgentParams { max_speed: -1.0, ..walker() }).starts_with("max_speed is -1"));
    assert!(refuse(AgentParams { turn_rate: f32::NAN, ..walker() }).starts_with("turn_rate is NaN"));
    assert!(crowd.add(&mesh, Vec3::NAN, &walker()).is_err());
    assert!(matches!(crowd.add(&mesh, at + Vec3::X * 1e6, &walker()), Err(CrowdError::Query(_))));
    assert_eq!(crowd.len(), 0);
    for dt in [f32::NAN, -0.1, 10.1, f32::INFINITY] {
        assert!(crowd.step(&mesh, dt, &mut Vec::new()).unwrap_err().to_string().starts_with("dt is"));
    }
    assert!(Crowd::new(CrowdSettings { avoid_every: 0, ..CrowdSettings::default() }).is_err());
}

#[test]
fn stale_handles_name_nothing() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let old = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    crowd.remove(old).unwrap();
    let new = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    assert_eq!(new.index(), old.index());
    assert_eq!(crowd.agent(old).unwrap_err(), CrowdError::NoAgent(old));
    assert_eq!(crowd.set_target(old, Target::None).unwrap_err(), CrowdError::NoAgent(old));
    assert_eq!(crowd.set_target(new, Target::Agent(old)).unwrap_err(), CrowdError::NoAgent(old));
    assert!(crowd.agent(new).is_ok() && crowd.len() == 1);
    assert_eq!(crowd::AgentId::from_bits(new.to_bits()), new);
}

#[test]
fn a_follower_of_one_that_is_removed_stands_still() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let leader = crowd.add(&mesh, Vec3::new(10.0, 0.0, 2.0), &walker()).unwrap();
    let follower = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    crowd.set_target(follower, Target::Agent(leader)).unwrap();
    let mut events = Vec::new();
    for _ in 0..60 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert!(crowd.agent(follower).unwrap().velocity.length() > 1.0);
    crowd.remove(leader).unwrap();
    for _ in 0..60 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    let view = crowd.agent(follower).unwrap();
    assert_eq!((view.state, view.target), (AgentState::Idle, Target::None));
    assert!(view.velocity.length() < 0.01);
}

#[test]
fn a_follower_comes_up_to_one_that_walks() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let slow = AgentParams { max_speed: 0.8, ..walker() };
    let leader = crowd.add(&mesh, Vec3::new(10.0, 0.0, 2.0), &slow).unwrap();
    let follower = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    crowd.set_target(leader, Target::Place(place(&mesh, 2.0, 6.0))).unwrap();
    crowd.set_target(follower, Target::Agent(leader)).unwrap();
    for _ in 0..900 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    }
    let [a, b] = [leader, follower].map(|id| crowd.agent(id).unwrap().position);
    assert!(a.distance(b) < 1.2, "{a} {b}");
}

#[test]
fn velocities_and_discs() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    crowd.set_target(id, Target::Velocity(Vec2::new(1.0, 0.0))).unwrap();
    let disc = MovingDisc {
        position: Vec3::new(4.0, 0.0, 2.05),
        velocity: Vec3::ZERO,
        radius: 0.4,
        height: 2.0,
        layers: 1,
    };
    crowd.set_discs(&[disc]).unwrap();
    let mut nearest = f32::INFINITY;
    for _ in 0..150 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        let away = (crowd.agent(id).unwrap().position - disc.position).with_y(0.0).length();
        nearest = nearest.min(away);
    }
    assert!(crowd.agent(id).unwrap().position.x > 4.0, "it went past the disc");
    assert!(nearest > 0.69, "and not through it: {nearest}");
    assert!(crowd.set_discs(&[MovingDisc { radius: f32::NAN, ..disc }]).is_err());
}

#[test]
fn one_that_the_caller_moves_is_avoided_and_does_not_avoid() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let player = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    let stander = crowd.add(&mesh, Vec3::new(3.5, 0.0, 2.0), &walker()).unwrap();
    crowd.set_kinematic(player, true).unwrap();
    for step in 0..120 {
        let at = Vec3::new(2.0 + step as f32 * DT * 1.5, 0.0, 2.0);
        crowd.place(&mesh, player, at, Vec3::X * 1.5).unwrap();
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    }
    let [a, b] = [player, stander].map(|id| crowd.agent(id).unwrap().position);
    assert!((a.x - 4.975).abs() < 0.01 && a.distance(b) > 0.57, "{a} {b}");
}

fn any_params() -> impl Strategy<Value = AgentParams> {
    let avoidance = prop_oneof![Just(Avoidance::None), Just(Avoidance::Orca)];
    let ends = |usual: f32, most: f32| prop_oneof![Just(0.0f32), Just(usual), Just(most)];
    (ends(0.3, 100.0), ends(1.8, 100.0), ends(2.0, 100.0), ends(8.0, 1000.0), avoidance, any::<u8>())
        .prop_map(|(radius, height, max_speed, max_acceleration, avoidance, priority)| AgentParams {
            radius,
            height,
            max_speed,
            max_acceleration,
            avoidance,
            priority,
            turn_rate: if priority.is_multiple_of(2) { 3.0 } else { f32::INFINITY },
            ..AgentParams::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn nothing_leads_off_the_mesh(
        agents in prop::collection::vec((any_params(), 0.5..11.0f32, 0.5..7.0f32, 0..4u8), 1..12),
        dt in prop_oneof![Just(0.0f32), Just(1.0 / 60.0), Just(0.3), Just(10.0)],
    ) {
        let mesh: NavMesh = scene("two_rooms");
        let mut crowd = crowd();
        let mut ids = Vec::new();
        for (params, x, z, target) in agents {
            let Ok(id) = crowd.add(&mesh, Vec3::new(x, 0.0, z), &params) else { continue };
            let target = match target {
                0 => Target::None,
                1 => Target::Place(place(&mesh, 10.0, 2.0)),
                2 => Target::Velocity(Vec2::new(50.0, -80.0)),
                _ => ids.last().map_or(Target::None, |other| Target::Agent(*other)),
            };
            crowd.set_target(id, target).unwrap();
            ids.push(id);
        }
        let mut query = detour::Query::new();
        for _ in 0..20 {
            crowd.step(&mesh, dt, &mut Vec::new()).unwrap();
            for id in &ids {
                let view = crowd.agent(*id).unwrap();
                prop_assert!(view.position.is_finite() && view.velocity.is_finite());
                let half_extents = Vec3::new(0.05, 1.0, 0.05);
                let near = query.nearest(&mesh, view.position, half_extents, &Filter::default());
                prop_assert!(near.is_ok(), "{} {:?}", view.position, view.state);
            }
        }
    }
}

#[test]
fn the_corridor_leads_from_the_agent_to_its_target() {
    let mesh = scene("two_rooms");
    let mut crowd = crowd();
    let agent = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    assert_eq!(crowd.corridor(agent).unwrap().polygons(), [crowd.agent(agent).unwrap().polygon]);
    let goal = place(&mesh, 10.0, 2.0);
    crowd.set_target(agent, Target::Place(goal)).unwrap();
    for _ in 0..30 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    }
    let corridor = crowd.corridor(agent).unwrap();
    assert_eq!((corridor.target(), corridor.last()), (goal.point, goal.polygon));
    assert_eq!(corridor.position(), crowd.agent(agent).unwrap().position);
    assert!(corridor.polygons().len() > 1);
}
