//! Agents that pursue other agents arrive next to them and push nobody away. Agents without progress are
//! reported.

use crate::common::{DT, place, scene, square, walker};
use crowd::{
    AgentId, AgentParams, AgentState, Crowd, CrowdSettings, Event, EventKind, FilterKind, MovingDisc, Target,
};
use detour::{NavMesh, Vec3};

fn crowd() -> Crowd {
    Crowd::new(CrowdSettings::default()).unwrap()
}

fn add(crowd: &mut Crowd, mesh: &NavMesh, x: f32, z: f32) -> AgentId {
    crowd.add(mesh, Vec3::new(x, 0.0, z), &walker()).unwrap()
}

/// Steps for some seconds. Returns all events.
fn walk(crowd: &mut Crowd, mesh: &NavMesh, seconds: f32) -> Vec<Event> {
    let mut events = Vec::new();
    (0..(seconds / DT) as usize).for_each(|_| crowd.step(mesh, DT, &mut events).unwrap());
    events
}

fn position(crowd: &Crowd, id: AgentId) -> Vec3 {
    crowd.agent(id).unwrap().position
}

fn stands_beside(crowd: &Crowd, id: AgentId, other: AgentId) -> bool {
    let apart = position(crowd, id).distance(position(crowd, other));
    crowd.agent(id).unwrap().state == AgentState::Arrived && (0.58..0.95).contains(&apart)
}

fn times_stuck(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.kind, EventKind::Stuck(_))).count()
}

#[test]
fn one_that_chases_another_arrives_beside_it_and_does_not_push_it_away() {
    let mesh = square(30.0);
    for kinematic in [false, true] {
        let mut crowd = crowd();
        let (quarry, pursuer) = (add(&mut crowd, &mesh, 15.0, 15.0), add(&mut crowd, &mesh, 5.0, 15.0));
        crowd.set_kinematic(quarry, kinematic).unwrap();
        crowd.set_target(pursuer, Target::Agent(quarry)).unwrap();
        walk(&mut crowd, &mesh, 6.0);
        assert!(stands_beside(&crowd, pursuer, quarry), "{:?}", crowd.agent(pursuer));
        let start = Vec3::new(15.0, position(&crowd, quarry).y, 15.0);
        assert!(position(&crowd, quarry).distance(start) < 0.03, "{:?}", position(&crowd, quarry));
        let events = walk(&mut crowd, &mesh, 20.0);
        assert_eq!(events, [], "it stays there");
    }
}

#[test]
fn two_that_chase_each_other_meet() {
    let mesh = square(30.0);
    let mut crowd = crowd();
    let both = [add(&mut crowd, &mesh, 5.0, 14.0), add(&mut crowd, &mesh, 25.0, 16.0)];
    crowd.set_target(both[0], Target::Agent(both[1])).unwrap();
    crowd.set_target(both[1], Target::Agent(both[0])).unwrap();
    walk(&mut crowd, &mesh, 8.0);
    assert!(stands_beside(&crowd, both[0], both[1]) && stands_beside(&crowd, both[1], both[0]));
}

#[test]
fn a_pack_stands_around_its_quarry() {
    let mesh = square(30.0);
    let mut crowd = crowd();
    let quarry = add(&mut crowd, &mesh, 15.0, 15.0);
    let pack: Vec<AgentId> =
        (0..12).map(|index| add(&mut crowd, &mesh, 3.0 + (index % 4) as f32, 8.0 + index as f32)).collect();
    for id in &pack {
        crowd.set_target(*id, Target::Agent(quarry)).unwrap();
    }
    walk(&mut crowd, &mesh, 30.0);
    for id in &pack {
        let (view, apart) =
            (crowd.agent(*id).unwrap(), position(&crowd, *id).distance(position(&crowd, quarry)));
        assert!(view.state == AgentState::Arrived && apart < 3.0, "{apart}: {view:?}");
    }
    let moved = position(&crowd, quarry).with_y(0.0).distance(Vec3::new(15.0, 0.0, 15.0));
    assert!(moved < 0.3, "{moved}");
}

#[test]
fn a_quarry_that_walks_on_is_followed_and_nobody_is_stuck() {
    let mesh = square(60.0);
    let mut crowd = crowd();
    let (quarry, pursuer) = (add(&mut crowd, &mesh, 10.0, 10.0), add(&mut crowd, &mesh, 5.0, 10.0));
    crowd.set_target(pursuer, Target::Agent(quarry)).unwrap();
    walk(&mut crowd, &mesh, 5.0);
    assert!(stands_beside(&crowd, pursuer, quarry));
    // The quarry is as fast as its pursuer, for longer than `stuck_after`.
    crowd.set_target(quarry, Target::Place(place(&mesh, 50.0, 50.0))).unwrap();
    let events = walk(&mut crowd, &mesh, 35.0);
    assert_eq!(times_stuck(&events), 0, "{events:?}");
    assert!(stands_beside(&crowd, pursuer, quarry), "{:?}", crowd.agent(pursuer));
}

/// Eleven discs in a half ring that is open to the west.
fn trap(middle: Vec3) -> Vec<MovingDisc> {
    let disc = |index: i32| {
        let (sine, cosine) = ((index as f32 * 20.0).to_radians()).sin_cos();
        let position = middle + Vec3::new(cosine, 0.0, sine) * 2.0;
        MovingDisc { position, velocity: Vec3::ZERO, radius: 0.5, height: 2.0, layers: 1 }
    };
    (-5..=5).map(disc).collect()
}

#[test]
fn one_that_goes_to_and_fro_in_a_trap_is_reported_as_stuck() {
    let mesh = square(30.0);
    for by_field in [false, true] {
        let mut crowd = crowd();
        crowd.set_discs(&trap(Vec3::new(15.0, 0.0, 15.0))).unwrap();
        let id = add(&mut crowd, &mesh, 3.0, 15.0);
        let goal = place(&mesh, 26.0, 15.0);
        let field = crowd.add_field(&mesh, &[goal], f32::INFINITY, FilterKind::default()).unwrap();
        let target = if by_field { Target::Field(field) } else { Target::Place(goal) };
        crowd.set_target(id, target).unwrap();
        let stuck = times_stuck(&walk(&mut crowd, &mesh, 100.0));
        let is_out = crowd.agent(id).unwrap().state == AgentState::Arrived;
        assert!(is_out || (14..=20).contains(&stuck), "{by_field}: {stuck}");
    }
}

#[test]
fn one_that_walks_a_long_way_round_is_not_stuck() {
    for name in ["spiral", "courtyard", "storeys"] {
        let mesh = scene(name);
        for by_field in [false, true] {
            let walks = crate::common::scattered(&mesh, 12, &AgentParams { max_speed: 0.7, ..walker() }, 3);
            for walk_of_one in walks {
                let mut crowd = crowd();
                let id = crowd.add(&mesh, walk_of_one.start, &walk_of_one.params).unwrap();
                let goals = [walk_of_one.goal];
                let field = crowd.add_field(&mesh, &goals, f32::INFINITY, FilterKind::default()).unwrap();
                let target = if by_field { Target::Field(field) } else { Target::Place(walk_of_one.goal) };
                crowd.set_target(id, target).unwrap();
                let events = walk(&mut crowd, &mesh, 60.0);
                assert_eq!(times_stuck(&events), 0, "{name} {by_field}: {events:?}");
            }
        }
    }
}

fn count(events: &[Event], kind: EventKind) -> usize {
    events.iter().filter(|event| event.kind == kind).count()
}

#[test]
fn pursuers_of_an_agent_that_is_removed_are_informed() {
    let mesh = square(30.0);
    let mut crowd = crowd();
    let (quarry, pursuer) = (add(&mut crowd, &mesh, 15.0, 15.0), add(&mut crowd, &mesh, 5.0, 15.0));
    crowd.set_target(pursuer, Target::Agent(quarry)).unwrap();
    walk(&mut crowd, &mesh, 1.0);
    crowd.remove(quarry).unwrap();
    let events = walk(&mut crowd, &mesh, 1.0);
    assert_eq!(events, [Event { agent: pursuer, kind: EventKind::PathLost }]);
    assert_eq!(crowd.agent(pursuer).unwrap().state, AgentState::Idle);
}

#[test]
fn a_goal_that_is_taken_for_good_is_arrived_at_or_reported() {
    let mesh = square(30.0);
    for case in 0..4 {
        let mut crowd = crowd();
        let owner = AgentParams { priority: 5, ..walker() };
        let at = Vec3::new(15.0, 0.0, 15.0);
        match case {
            0 => {
                crowd.add(&mesh, at, &owner).unwrap();
            }
            1 => {
                let id = crowd.add(&mesh, at, &owner).unwrap();
                crowd.set_kinematic(id, true).unwrap();
            }
            2 => {
                let disc =
                    MovingDisc { position: at, velocity: Vec3::ZERO, radius: 0.5, height: 2.0, layers: 1 };
                crowd.set_discs(&[disc]).unwrap();
            }
            _ => {
                let id = crowd.add(&mesh, at, &owner).unwrap();
                crowd.set_target(id, Target::Place(place(&mesh, 15.0, 15.0))).unwrap();
            }
        }
        let id = add(&mut crowd, &mesh, 5.0, 15.0);
        crowd.set_target(id, Target::Place(place(&mesh, 15.0, 15.0))).unwrap();
        let events = walk(&mut crowd, &mesh, 60.0);
        let view = crowd.agent(id).unwrap();
        let reported = if case == 3 { view.state == AgentState::Arrived } else { times_stuck(&events) >= 8 };
        assert!(reported, "{case}: {view:?} {events:?}");
    }
}

#[test]
fn an_agent_arrives_once_however_often_the_ground_is_baked() {
    let mut mesh = square(30.0);
    let mut crowd = crowd();
    let quarry = add(&mut crowd, &mesh, 15.0, 15.0);
    let goal = place(&mesh, 10.0, 20.0);
    let field =
        crowd.add_field(&mesh, &[place(&mesh, 20.0, 10.0)], f32::INFINITY, FilterKind::default()).unwrap();
    for (index, target) in
        [Target::Agent(quarry), Target::Place(goal), Target::Field(field)].into_iter().enumerate()
    {
        for number in 0..5 {
            let id = add(&mut crowd, &mesh, 3.0 + number as f32, 5.0 + 6.0 * index as f32);
            crowd.set_target(id, target).unwrap();
        }
    }
    for number in 0..12 {
        let id = add(&mut crowd, &mesh, 22.0 + (number % 6) as f32, 20.0 + (number / 6) as f32);
        crowd.set_target(id, Target::Place(place(&mesh, 24.0, 26.0))).unwrap();
    }
    let events = walk(&mut crowd, &mesh, 40.0);
    assert_eq!(count(&events, EventKind::Arrived), 27);
    for _ in 0..4 {
        let coord = mesh.tiles().next().unwrap().coord();
        let tile = mesh.remove_tile(coord).unwrap();
        mesh.add_tile(tile).unwrap();
        let events = walk(&mut crowd, &mesh, 3.0);
        assert_eq!(events, []);
    }
    // An agent that is put elsewhere returns, and arrives again.
    let id = crowd.agents().last().unwrap();
    crowd.place(&mesh, id, Vec3::new(15.0, 0.0, 25.0), Vec3::ZERO).unwrap();
    let events = walk(&mut crowd, &mesh, 15.0);
    assert_eq!(events, [Event { agent: id, kind: EventKind::Arrived }]);
}
