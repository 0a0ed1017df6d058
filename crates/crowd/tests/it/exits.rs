//! Agents that choose among exits by queue and distance.

use crate::common::{DT, baked, place, slim, walker};
use crowd::{
    AgentId, AgentParams, AgentState, Crowd, CrowdError, CrowdSettings, Event, EventKind, Exit, ExitsId,
    FieldId, FilterKind, Target,
};
use detour::{Filter, NavMesh, PartialReason, Place, PolyRef, Vec3};
use navscenes::build::{Builder, rect};
use recast::AreaId;

/// The doors of the hall: x of their middles.
const DOORS: [f32; 2] = [4.5, 24.5];
/// Agents that a door of 1 m lets through per second.
const RATE: f32 = 1.5;
const SHUT: u32 = 0x8000;

/// A hall of 30 m by 10 m with two doors of 1 m in the wall at z = 10, and ground of its own behind each.
fn hall() -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 30.0, 10.0), 0.0);
    builder.floor(rect(0.0, 10.2, 14.0, 24.0), 0.0).floor(rect(16.0, 10.2, 30.0, 24.0), 0.0);
    // Areas of their own, so that they can be shut.
    for (x, area) in DOORS.map(f64::from).into_iter().zip([8, 9]) {
        builder.area(AreaId(area)).floor(rect(x - 0.5, 10.0, x + 0.5, 10.2), 0.0);
    }
    baked(builder, &slim())
}

/// Exits 6 m behind the doors.
fn exits(mesh: &NavMesh) -> [Exit; 2] {
    DOORS.map(|x| Exit { place: place(mesh, x, 16.0), rate: RATE })
}

/// Agents next to the first door, which may not enter ground that is shut, and the kind of their filter.
fn crowded(mesh: &NavMesh, count: usize) -> (Crowd, FilterKind, Vec<AgentId>) {
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let filter = crowd.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
    let params = AgentParams { filter, ..walker() };
    let at =
        |number: usize| Vec3::new(0.7 + (number % 12) as f32 * 0.75, 0.0, 0.7 + (number / 12) as f32 * 0.75);
    let ids = (0..count).map(|number| crowd.add(mesh, at(number), &params).unwrap()).collect();
    (crowd, filter, ids)
}

fn send(crowd: &mut Crowd, ids: &[AgentId], target: Target) {
    ids.iter().for_each(|id| crowd.set_target(*id, target).unwrap());
}

/// The same agents after they were sent to the exits.
fn leaving(mesh: &NavMesh, count: usize) -> (Crowd, ExitsId, Vec<AgentId>) {
    let (mut crowd, filter, ids) = crowded(mesh, count);
    let exits = crowd.add_exits(mesh, &exits(mesh), filter).unwrap();
    send(&mut crowd, &ids, Target::Exits(exits));
    (crowd, exits, ids)
}

/// The course of an evacuation.
#[derive(Debug, Default)]
struct Left {
    seconds: f32,
    /// Of each door: the number of agents that came through, and the time of the last.
    doors: [(usize, f32); 2],
    /// The largest number of times that an agent changed its exit.
    changes: usize,
}

/// Steps until all have arrived.
fn leave(crowd: &mut Crowd, mesh: &NavMesh, ids: &[AgentId]) -> Left {
    let mut left = Left::default();
    let mut seen: Vec<(Option<usize>, usize, bool)> = vec![(None, 0, false); ids.len()];
    for step in 1..60 * 300 {
        crowd.step(mesh, DT, &mut Vec::new()).unwrap();
        left.seconds = step as f32 * DT;
        let mut walks = false;
        for (id, (exit, changes, is_out)) in ids.iter().zip(&mut seen) {
            let (view, now) = (crowd.agent(*id).unwrap(), crowd.exit_of(*id).unwrap());
            walks |= view.state != AgentState::Arrived;
            *changes += usize::from(exit.is_some() && *exit != now);
            *exit = now;
            if !*is_out && view.position.z > 10.2 {
                let (count, last) = &mut left.doors[usize::from(view.position.x > 15.0)];
                (*is_out, *count, *last) = (true, *count + 1, left.seconds);
            }
        }
        if !walks {
            left.changes = seen.iter().map(|(_, changes, _)| *changes).max().unwrap();
            return left;
        }
    }
    panic!("after {} s some have not arrived", left.seconds);
}

#[test]
fn a_crowd_next_to_one_exit_uses_both() {
    let mesh = hall();
    let (mut crowd, filter, ids) = crowded(&mesh, 132);
    let goals = exits(&mesh).map(|exit| exit.place);
    let field = crowd.add_field(&mesh, &goals, f32::INFINITY, filter).unwrap();
    send(&mut crowd, &ids, Target::Field(field));
    let plain = leave(&mut crowd, &mesh, &ids);
    assert_eq!((plain.doors[0].0, plain.doors[1].0), (132, 0));
    let (mut crowd, exits, ids) = leaving(&mesh, 132);
    assert_eq!(crowd.exit_of(ids[0]), Ok(None), "before the first step");
    let left = leave(&mut crowd, &mesh, &ids);
    assert!(left.doors[0].0 > 60 && left.doors[1].0 > 35, "{left:?}");
    assert!(left.seconds < plain.seconds * 0.7, "{left:?}, by one field {plain:?}");
    let [near, far] = left.doors.map(|(_, last)| last);
    assert!((near - far).abs() < left.seconds * 0.2, "{left:?}");
    assert!(left.changes <= 2, "{left:?}");
    // Agents that have arrived block nobody.
    let params = *crowd.params(ids[0]).unwrap();
    let last = crowd.add(&mesh, Vec3::new(9.0, 0.0, 2.0), &params).unwrap();
    crowd.set_target(last, Target::Exits(exits)).unwrap();
    crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    assert_eq!(crowd.exit_of(last), Ok(Some(0)));
}

#[test]
fn a_wider_exit_draws_more_agents() {
    let mesh = hall();
    let shares = [0.5, 1.5, 10.0].map(|rate| {
        let (mut crowd, filter, ids) = crowded(&mesh, 100);
        let [near, far] = exits(&mesh);
        let exits = crowd.add_exits(&mesh, &[Exit { rate, ..near }, far], filter).unwrap();
        send(&mut crowd, &ids, Target::Exits(exits));
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        ids.iter().filter(|id| crowd.exit_of(**id) == Ok(Some(0))).count()
    });
    assert!(shares[0] > 5 && shares[0] + 20 < shares[1] && shares[1] < 70 && shares[2] > 85, "{shares:?}");
}

#[test]
fn agents_leave_an_exit_that_closes() {
    let mut mesh = hall();
    let (mut crowd, _, ids) = leaving(&mesh, 60);
    let doors = DOORS.map(|x| place(&mesh, x, 10.1).polygon);
    let mut events = Vec::new();
    (0..600).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    let inside = |crowd: &Crowd| -> Vec<AgentId> {
        let is_inside = |id: &AgentId| {
            let view = crowd.agent(*id).unwrap();
            view.position.z < 10.0 && !doors.contains(&view.polygon)
        };
        ids.iter().copied().filter(is_inside).collect()
    };
    assert!((30..58).contains(&inside(&crowd).len()), "they queue");
    let set = |mesh: &mut NavMesh, door: usize, shut: u32| {
        let flags = mesh.attributes(doors[door]).unwrap().flags & !SHUT;
        mesh.set_flags(doors[door], flags | shut).unwrap();
    };
    let all = |crowd: &Crowd, exit| inside(crowd).iter().all(|id| crowd.exit_of(*id) == Ok(exit));
    set(&mut mesh, 0, SHUT);
    crowd.step(&mesh, DT, &mut events).unwrap();
    assert!(all(&crowd, Some(1)));
    // An exit that was in use is no reason for a report, unless it was the last.
    let is_partial = |event: &Event| event.kind == EventKind::PathPartial(PartialReason::Unreachable);
    assert!(!events.iter().any(is_partial));
    (0..120).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    set(&mut mesh, 1, SHUT);
    (0..20).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    assert!(all(&crowd, None));
    assert!(inside(&crowd).iter().all(|id| crowd.agent(*id).unwrap().state == AgentState::Idle));
    assert_eq!(events.iter().filter(|event| is_partial(event)).count(), inside(&crowd).len());
    set(&mut mesh, 0, 0);
    crowd.step(&mesh, DT, &mut events).unwrap();
    assert!(all(&crowd, Some(0)));
    leave(&mut crowd, &mesh, &ids);
    // The ground behind an exit goes away, and with it the exit.
    let (mut crowd, exits, ids) = leaving(&mesh, 12);
    crowd.step(&NavMesh::default(), DT, &mut events).unwrap();
    crowd.step(&mesh, DT, &mut events).unwrap();
    assert!(ids.iter().all(|id| crowd.exit_of(*id) == Ok(Some(0))));
    crowd.remove_exits(exits).unwrap();
    assert!(ids.iter().all(|id| crowd.agent(*id).unwrap().target == Target::None));
}

#[test]
fn a_restored_crowd_chooses_alike() {
    let mesh = hall();
    let (mut crowd, _, ids) = leaving(&mesh, 60);
    for step in 0..700 {
        if step % 37 == 0 {
            let bytes = crowd.save();
            let mut twin = Crowd::new(CrowdSettings::default()).unwrap();
            twin.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
            twin.restore(&mesh, &bytes).unwrap();
            assert_eq!(twin.save(), bytes);
            for _ in 0..70 {
                twin.step(&mesh, DT, &mut Vec::new()).unwrap();
                crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
            }
            assert_eq!(twin.save(), crowd.save(), "step {step}");
            assert!(ids.iter().all(|id| twin.exit_of(*id) == crowd.exit_of(*id)));
            crowd = twin;
        }
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    }
}

#[test]
fn exits_without_a_meaning_are_refused() {
    let mesh = hall();
    let (mut crowd, filter, ids) = crowded(&mesh, 2);
    let [near, far] = exits(&mesh);
    let before = crowd.save();
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY, 1000.5] {
        let error = crowd.add_exits(&mesh, &[far, Exit { rate, ..near }], filter).unwrap_err().to_string();
        assert!(error.starts_with("the rate of an exit is"), "{error}");
    }
    for count in [0, 65] {
        let error = crowd.add_exits(&mesh, &vec![near; count], filter).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the number of exits is {count}: it must be from 1 to 64")));
    }
    let polygon = PolyRef::from_bits(1 << 62).unwrap();
    let nowhere = Exit { place: Place { polygon, ..near.place }, ..near };
    assert!(matches!(crowd.add_exits(&mesh, &[near, nowhere], filter), Err(CrowdError::Query(_))));
    assert_eq!(crowd.save(), before, "refused calls change nothing");
    let exits = crowd.add_exits(&mesh, &[near; 64], FilterKind::default()).unwrap();
    let refused = crowd.set_target(ids[0], Target::Exits(exits)).unwrap_err();
    let (agent, own) = (ids[0], 1);
    assert_eq!(refused, CrowdError::ExitsOfOtherFilter { agent, own, exits, given: 0 });
    crowd.set_params(ids[0], &walker()).unwrap();
    crowd.set_target(ids[0], Target::Exits(exits)).unwrap();
    assert!(crowd.set_params(ids[0], &AgentParams { filter, ..walker() }).is_err());
    crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    assert_eq!((crowd.exit_of(ids[0]), crowd.exit_of(ids[1])), (Ok(Some(0)), Ok(None)));
    // The fields of exits are not the caller's.
    for bits in 0..64 {
        let field = FieldId::from_bits(1 << 32 | bits);
        assert_eq!(crowd.remove_field(field), Err(CrowdError::NoField(field)));
        assert_eq!(crowd.set_target(ids[0], Target::Field(field)), Err(CrowdError::NoField(field)));
    }
    crowd.remove_exits(exits).unwrap();
    assert_eq!(crowd.remove_exits(exits), Err(CrowdError::NoExits(exits)));
    assert_eq!(crowd.set_target(ids[0], Target::Exits(exits)), Err(CrowdError::NoExits(exits)));
    let new = crowd.add_exits(&mesh, &[near], filter).unwrap();
    assert_eq!((new.index(), ExitsId::from_bits(new.to_bits())), (exits.index(), new));
    let field = crowd.add_field(&mesh, &[far.place], 9.0, filter).unwrap();
    assert_eq!(field.index(), 1, "the places of its fields are free again");
}
