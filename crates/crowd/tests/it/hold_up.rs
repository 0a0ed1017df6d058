//! Agents say why they are held up, and who holds them up.

use crate::common::{DT, baked, place, slim, square, two_halls, walker};
use crate::links::gap;
use crowd::{
    AgentId, AgentParams, AgentState, Crowd, CrowdError, CrowdSettings, GroundLoss, HoldUp, HoldUpCause,
    MovingDisc, Target,
};
use detour::{NavMesh, Vec3};
use navscenes::build::{Builder, rect};
use std::collections::BTreeSet;

fn crowd() -> Crowd {
    Crowd::new(CrowdSettings::default()).unwrap()
}

/// Adds an agent, and sends it.
fn sent(crowd: &mut Crowd, mesh: &NavMesh, [from, to]: [[f32; 2]; 2], params: &AgentParams) -> AgentId {
    let id = crowd.add(mesh, Vec3::new(from[0], 0.0, from[1]), params).unwrap();
    crowd.set_target(id, Target::Place(place(mesh, to[0], to[1]))).unwrap();
    id
}

fn step(crowd: &mut Crowd, mesh: &NavMesh, seconds: f32) {
    for _ in 0..(seconds / DT) as usize {
        crowd.step(mesh, DT, &mut Vec::new()).unwrap();
    }
}

/// Two rooms, and a passage between them with room for one agent abreast, along z = 3.
fn corridor() -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 22.0, 6.0), 0.0);
    builder.block([6.0, -0.1, 0.0], [16.0, 3.0, 2.5]).block([6.0, -0.1, 3.5], [16.0, 3.0, 6.0]);
    baked(builder, &slim())
}

fn cause(crowd: &Crowd, id: AgentId) -> Option<HoldUpCause> {
    crowd.hold_up(id).unwrap().map(|hold_up| hold_up.cause)
}

#[test]
fn an_agent_that_waits_for_a_link_names_the_agent_on_it() {
    let (mesh, mut crowd) = (gap(), crowd());
    let ids: Vec<AgentId> = (0..6)
        .map(|index| sent(&mut crowd, &mesh, [[2.0 + index as f32, 4.0], [18.0, 4.0]], &walker()))
        .collect();
    let mut named = 0;
    for _ in 0..1200 {
        step(&mut crowd, &mesh, DT * 1.5);
        for id in &ids {
            let is_waiting = matches!(crowd.agent(*id).unwrap().state, AgentState::Waiting(_));
            let hold_up = crowd.hold_up(*id).unwrap();
            assert_eq!(is_waiting, hold_up.is_some_and(|held| held.cause == HoldUpCause::LinkBusy));
            if is_waiting {
                let by = hold_up.unwrap().by.unwrap();
                assert!(by != *id && matches!(crowd.agent(by).unwrap().state, AgentState::OnLink(_)));
                named += 1;
            }
        }
    }
    assert!(named > 50, "{named}");
    assert!(ids.iter().all(|id| crowd.agent(*id).unwrap().state == AgentState::Arrived));
}

#[test]
fn one_of_two_that_meet_in_a_narrow_passage_has_the_right_of_way() {
    let (mesh, mut crowd) = (corridor(), crowd());
    let pair = [
        sent(&mut crowd, &mesh, [[5.0, 3.0], [20.0, 3.0]], &walker()),
        sent(&mut crowd, &mesh, [[17.0, 3.0], [2.0, 3.0]], &walker()),
    ];
    let mut gave_way = BTreeSet::new();
    for _ in 0..3600 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        let yields = |own: usize| {
            let held = crowd.hold_up(pair[own]).unwrap();
            held == Some(HoldUp { cause: HoldUpCause::RightOfWay, by: Some(pair[1 - own]) })
        };
        let both = [yields(0), yields(1)];
        assert_ne!(both, [true, true], "both make room");
        gave_way.extend((0..2).filter(|own| both[*own]));
    }
    assert!(!gave_way.is_empty(), "nobody made room");
    assert!(pair.iter().all(|id| crowd.agent(*id).unwrap().state == AgentState::Arrived));
}

#[test]
fn an_agent_behind_another_names_it() {
    let (mesh, mut crowd) = (corridor(), crowd());
    let guard = crowd.add(&mesh, Vec3::new(11.0, 0.0, 3.0), &walker()).unwrap();
    crowd.set_kinematic(guard, true).unwrap();
    let first = sent(&mut crowd, &mesh, [[8.0, 3.0], [20.0, 3.0]], &walker());
    let second = sent(&mut crowd, &mesh, [[7.0, 3.0], [20.0, 3.0]], &walker());
    step(&mut crowd, &mesh, 2.0);
    let behind = |by| Some(HoldUp { cause: HoldUpCause::Crowded, by });
    let all = [guard, first, second].map(|id| crowd.hold_up(id).unwrap());
    assert_eq!(all, [None, behind(Some(guard)), behind(Some(first))]);

    // A disc in place of the guard blocks it too, without being an agent.
    crowd.remove(guard).unwrap();
    let (position, velocity) = (Vec3::new(11.0, 0.0, 3.0), Vec3::ZERO);
    crowd.set_discs(&[MovingDisc { position, velocity, radius: 0.4, height: 2.0, layers: 1 }]).unwrap();
    step(&mut crowd, &mesh, 0.5);
    assert_eq!(crowd.hold_up(first).unwrap(), behind(None));
    assert_eq!(crowd.hold_up(guard), Err(CrowdError::NoAgent(guard)));

    crowd.set_discs(&[]).unwrap();
    step(&mut crowd, &mesh, 1.0);
    assert_eq!(crowd.hold_up(first).unwrap(), None);
}

#[test]
fn an_agent_without_a_way_stands_at_the_end_of_its_path() {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 8.0), 0.0).floor(rect(12.0, 0.0, 20.0, 8.0), 0.0);
    let (mesh, mut crowd) = (baked(builder, &slim()), crowd());
    let id = sent(&mut crowd, &mesh, [[2.0, 4.0], [18.0, 4.0]], &walker());
    step(&mut crowd, &mesh, 1.5);
    assert_eq!(cause(&crowd, id), None, "it walks as far as it can");
    step(&mut crowd, &mesh, 8.0);
    assert_eq!(crowd.hold_up(id).unwrap(), Some(HoldUp { cause: HoldUpCause::NoWay, by: None }));
}

#[test]
fn agents_that_do_not_want_to_walk_are_not_held_up() {
    let (mesh, mut crowd) = (square(12.0), crowd());
    let idle = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    let free = sent(&mut crowd, &mesh, [[4.0, 6.0], [6.0, 6.0]], &walker());
    let waits = AgentParams { ground_loss: GroundLoss::Wait, ..walker() };
    let lost = sent(&mut crowd, &mesh, [[9.0, 9.0], [3.0, 9.0]], &waits);
    assert_eq!(cause(&crowd, free), Some(HoldUpCause::Searching));
    for _ in 0..600 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        assert_eq!([idle, free].map(|id| cause(&crowd, id)), [None, None]);
    }
    assert_eq!(crowd.agent(free).unwrap().state, AgentState::Arrived);
    crowd.step(&NavMesh::default(), DT, &mut Vec::new()).unwrap();
    assert_eq!(cause(&crowd, lost), Some(HoldUpCause::GroundLost));
}

#[test]
fn a_restored_crowd_says_the_same() {
    let (mesh, mut crowd) = (two_halls(0.8), crowd());
    for index in 0..40 {
        let (x, z) = (3.0 + (index % 8) as f32 * 0.8, 4.0 + (index / 8) as f32 * 1.6);
        let ends = if index % 2 == 0 { [[x, z], [20.0, z]] } else { [[24.0 - x, z], [4.0, z]] };
        sent(&mut crowd, &mesh, ends, &walker());
    }
    let mut other = Crowd::new(CrowdSettings::default()).unwrap();
    let mut held = 0;
    for _ in 0..10 {
        step(&mut crowd, &mesh, 2.0);
        other.restore(&mesh, &crowd.save()).unwrap();
        let all = |crowd: &Crowd| -> Vec<_> { crowd.agents().map(|id| crowd.hold_up(id).unwrap()).collect() };
        assert_eq!(all(&crowd), all(&other));
        held += all(&crowd).iter().flatten().count();
    }
    assert!(held > 40, "{held}");
}
