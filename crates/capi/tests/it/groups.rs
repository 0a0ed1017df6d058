//! Groups keep their formation, and fields lead a crowd to its goals.

use crate::calls::support::{ask, done, fails, get, list, scene};
use detour::Vec3;
use navtile_c::agent::*;
use navtile_c::crowd::*;
use navtile_c::groups::*;
use navtile_c::mesh::nt_mesh_copy;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::{NtCrowd, NtFilter, NtMesh, NtPlace, NtVec3};
use std::mem::MaybeUninit;
use std::ptr::null;

fn crowd_of(count: usize) -> (NtMesh, NtCrowd, Vec<NtAgent>) {
    let (mesh, crowd) = (scene("two_rooms"), get(|out| nt_crowd_new(null(), out)));
    let at = |number: usize| NtVec3 { x: 1.5 + number as f32, y: 0.0, z: 1.5 };
    let add = |number| get(|out| nt_crowd_add(crowd, mesh, at(number), null(), out));
    (mesh, crowd, (0..count).map(add).collect())
}

fn near(mesh: NtMesh, x: f32, z: f32) -> NtPlace {
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    get(|out| nt_query_nearest(query, NtVec3 { x, y: 0.0, z }, None, out)).place
}

fn steps(crowd: NtCrowd, mesh: NtMesh, count: usize) {
    (0..count).for_each(|_| done(nt_crowd_step(crowd, mesh, 1.0 / 60.0)));
}

#[test]
fn groups_go_in_formation() {
    let (mesh, crowd, agents) = crowd_of(4);
    let group = get(|out| {
        nt_crowd_add_group(crowd, agents[0], agents[1..3].as_ptr(), 2, NT_FORMATION_LINE, 1.0, out)
    });
    let again = ask(|out| nt_crowd_add_group(crowd, agents[1], null(), 0, NT_FORMATION_LINE, 1.0, out));
    assert_eq!(again, Err(NtStatus::NT_ERROR_ARGUMENT));
    assert_eq!(ask(|out| nt_crowd_slot(crowd, agents[0], out)).err(), Some(NtStatus::NT_NOT_FOUND));
    assert_eq!(ask(|out| nt_crowd_group_of(crowd, agents[3], out)), Err(NtStatus::NT_NOT_FOUND));
    done(nt_crowd_join(crowd, group, agents[3]));
    assert_eq!(get(|out| nt_crowd_group_of(crowd, agents[3], out)), group);
    fails(nt_crowd_set_formation(crowd, group, 4, 1.0), NtStatus::NT_ERROR_ARGUMENT, "formation is 4");
    done(nt_crowd_set_formation(crowd, group, NT_FORMATION_COLUMN, 1.5));
    done(nt_crowd_send_group(crowd, group, near(mesh, 4.0, 4.0)));
    steps(crowd, mesh, 900);
    let view = get(|out| nt_crowd_group(crowd, group, out));
    assert_eq!((view.leader, view.followers, view.formation), (agents[0], 3, NT_FORMATION_COLUMN));
    let followers = list(8, |out, capacity, count| nt_crowd_followers(crowd, group, out, capacity, count));
    assert_eq!(followers, agents[1..]);
    for follower in followers {
        let slot = get(|out| nt_crowd_slot(crowd, follower, out));
        let at = Vec3::from(get(|out| nt_crowd_agent(crowd, follower, out)).place.point);
        assert!(at.distance(slot.position.into()) < 1.0, "{at} {slot:?}");
    }
    done(nt_crowd_set_slots(crowd, group, [1.0, 0.0].as_ptr(), 1, 1.0));
    assert_eq!(get(|out| nt_crowd_group(crowd, group, out)).formation, NT_FORMATION_OWN);
    done(nt_crowd_leave_group(crowd, agents[0]));
    assert_eq!(get(|out| nt_crowd_group(crowd, group, out)).followers, 2);
    fails(nt_crowd_follow_group(crowd, agents[0], group), NtStatus::NT_ERROR_ARGUMENT, "is not a follower");
    done(nt_crowd_remove_group(crowd, group));
    fails(nt_crowd_remove_group(crowd, group), NtStatus::NT_ERROR_ARGUMENT, "no group");
    done(nt_crowd_free(crowd));
}

#[test]
fn fields_lead_crowds() {
    let (mesh, crowd, agents) = crowd_of(3);
    let goal = near(mesh, 4.0, 4.0);
    let field = get(|out| nt_crowd_add_field(crowd, mesh, [goal].as_ptr(), 1, f32::INFINITY, 0, out));
    let from = get(|out| nt_crowd_agent(crowd, agents[0], out)).place;
    let cost = get(|out| nt_crowd_field_cost(crowd, mesh, field, from, out));
    assert!(cost >= Vec3::from(from.point).distance(goal.point.into()) - 0.1, "{cost}");
    agents.iter().for_each(|agent| done(nt_crowd_follow_field(crowd, *agent, field)));
    assert_eq!(get(|out| nt_crowd_waiting(crowd, out)), 0);
    steps(crowd, get(|out| nt_mesh_copy(mesh, out)), 600);
    for agent in &agents {
        assert_eq!(get(|out| nt_crowd_agent(crowd, *agent, out)).state, NtAgentState::NT_AGENT_ARRIVED);
    }
    done(nt_crowd_remove_field(crowd, field));
    fails(nt_crowd_follow_field(crowd, agents[0], field), NtStatus::NT_ERROR_ARGUMENT, "no field");
}

#[test]
fn agents_choose_exits() {
    let (mesh, crowd, agents) = crowd_of(3);
    let exits = [1.0, 100.0].map(|rate| NtExit { place: near(mesh, 4.0, 4.0), rate });
    let add = |count, rate: f32, out: Option<&mut MaybeUninit<NtCrowdExits>>| {
        let exits = exits.map(|exit| NtExit { rate: exit.rate * rate, ..exit });
        nt_crowd_add_exits(crowd, mesh, exits.as_ptr(), count, 0, out)
    };
    let mut made = MaybeUninit::uninit();
    fails(add(0, 1.0, Some(&mut made)), NtStatus::NT_ERROR_ARGUMENT, "the number of exits is 0");
    fails(add(2, 20.0, Some(&mut made)), NtStatus::NT_ERROR_ARGUMENT, "the rate of an exit is 2000");
    let exits = get(|out| add(2, 1.0, out));
    let mut exit = MaybeUninit::uninit();
    fails(nt_crowd_exit_of(crowd, agents[0], Some(&mut exit)), NtStatus::NT_NOT_FOUND, "has no exit");
    agents.iter().for_each(|agent| done(nt_crowd_follow_exits(crowd, *agent, exits)));
    steps(crowd, get(|out| nt_mesh_copy(mesh, out)), 1);
    let mut chosen: Vec<u32> =
        agents.iter().map(|agent| get(|out| nt_crowd_exit_of(crowd, *agent, out))).collect();
    chosen.sort_unstable();
    // The first in the queue takes either exit, and the others take the wider exit.
    assert_eq!(chosen, [0, 1, 1]);
    steps(crowd, get(|out| nt_mesh_copy(mesh, out)), 600);
    for agent in &agents {
        assert_eq!(get(|out| nt_crowd_agent(crowd, *agent, out)).state, NtAgentState::NT_AGENT_ARRIVED);
    }
    done(nt_crowd_remove_exits(crowd, exits));
    fails(nt_crowd_follow_exits(crowd, agents[0], exits), NtStatus::NT_ERROR_ARGUMENT, "no exits");
}

#[test]
fn an_agent_that_is_held_up_says_why() {
    let (mesh, crowd, agents) = crowd_of(7);
    let middle = near(mesh, 4.0, 4.0);
    let still = NtVec3 { x: 0.0, y: 0.0, z: 0.0 };
    done(nt_crowd_place(crowd, mesh, agents[0], middle.point, still));
    // The others close a ring around it.
    for (number, agent) in agents[1..].iter().enumerate() {
        let (sine, cosine) = (number as f32 * std::f32::consts::TAU / 6.0).sin_cos();
        let at = NtVec3 { x: middle.point.x + 0.82 * cosine, y: 0.0, z: middle.point.z + 0.82 * sine };
        done(nt_crowd_set_kinematic(crowd, *agent, 1));
        done(nt_crowd_place(crowd, mesh, *agent, at, still));
    }
    let held = |agent| ask(|out| nt_crowd_hold_up(crowd, agent, out));
    let mut out = MaybeUninit::uninit();
    fails(nt_crowd_hold_up(crowd, agents[0], Some(&mut out)), NtStatus::NT_NOT_FOUND, "nothing holds");
    done(nt_crowd_send(crowd, agents[0], near(mesh, 2.0, 2.0)));
    steps(crowd, mesh, 60);
    let NtHoldUp { cause, by } = held(agents[0]).unwrap();
    assert_eq!(cause, NtHoldUpCause::NT_HELD_CROWDED);
    assert!(agents[1..].contains(&by), "{by}");
    assert_eq!(held(agents[1]).err(), Some(NtStatus::NT_NOT_FOUND));
    done(nt_crowd_remove(crowd, agents[0]));
    assert_eq!(held(agents[0]).err(), Some(NtStatus::NT_ERROR_ARGUMENT));
}

#[test]
fn agents_are_put_and_avoid_discs() {
    let (mesh, crowd, agents) = crowd_of(1);
    let mut params = get(|out| nt_crowd_params(crowd, agents[0], out));
    let usual = get(|out| nt_agent_params_init(out));
    assert_eq!((params.radius, params.filter, params.size), (usual.radius, 0, usual.size));
    let filter = get(|out| navtile_c::mesh::nt_filter_new(mesh, out));
    params.filter = get(|out| nt_crowd_add_filter(crowd, filter, out));
    done(nt_crowd_set_area_speed(crowd, params.filter, 1, 0.5, 0.7));
    fails(nt_crowd_set_area_speed(crowd, 9, 1, 0.5, 0.7), NtStatus::NT_ERROR_ARGUMENT, "the filter is 9");
    fails(nt_crowd_set_area_speed(crowd, 0, 1, 2.0, 0.7), NtStatus::NT_ERROR_ARGUMENT, "the speed up is 2");
    params.avoidance = NT_AVOID_NONE;
    (params.ground_loss, params.fall_height) = (NT_GROUND_LOSS_FALL, 4.0);
    done(nt_crowd_set_params(crowd, agents[0], &raw const params));
    let changed = get(|out| nt_crowd_params(crowd, agents[0], out));
    assert_eq!((changed.filter, changed.avoidance), (params.filter, NT_AVOID_NONE));
    assert_eq!((changed.ground_loss, changed.fall_height), (NT_GROUND_LOSS_FALL, 4.0));

    done(nt_crowd_set_kinematic(crowd, agents[0], 1));
    let to = near(mesh, 4.0, 4.0).point;
    done(nt_crowd_place(crowd, mesh, agents[0], to, NtVec3::default()));
    done(nt_crowd_send(crowd, agents[0], near(mesh, 1.5, 1.5)));
    steps(crowd, mesh, 60);
    let at = Vec3::from(get(|out| nt_crowd_agent(crowd, agents[0], out)).place.point);
    assert!(at.distance(to.into()) < 0.1, "the caller moves it");
    done(nt_crowd_set_kinematic(crowd, agents[0], 0));
    let disc = NtDisc { position: to, velocity: NtVec3::default(), radius: 1.0, height: 2.0, layers: 1 };
    done(nt_crowd_set_discs(crowd, &raw const disc, 1));
    steps(crowd, mesh, 300);
    let at = Vec3::from(get(|out| nt_crowd_agent(crowd, agents[0], out)).place.point);
    assert!(at.distance(to.into()) > 0.5, "it steps aside: {at}");
    let wrong = NtDisc { radius: -1.0, ..disc };
    fails(nt_crowd_set_discs(crowd, &raw const wrong, 1), NtStatus::NT_ERROR_ARGUMENT, "radius of a disc");
}
