//! Groups: formations are kept, changed, and left.

use crate::common::*;
use bevy_app::App;
use bevy_ecs::prelude::Entity;
use bevy_ecs::relationship::RelationshipTarget;
use bevy_math::Vec3;
use bevy_navtile::{
    NavAgentEventKind, NavAgentState, NavFollowers, NavFollows, NavFormation, NavGroup, NavTarget, NavWorld,
};

const START: Vec3 = Vec3::new(4.0, 0.0, 10.0);
const FAR: Vec3 = Vec3::new(15.0, 0.0, 10.0);
/// Target of agents that have left the group.
const OWN: Vec3 = Vec3::new(4.0, 0.0, 16.0);

/// A leader in a formation and four followers, which have their own targets.
fn group(app: &mut App, formation: NavFormation) -> (Entity, Vec<Entity>) {
    square(app);
    let leader = walker(app, START, NavTarget::None);
    set(app, leader, NavGroup { formation, spacing: 1.5 });
    let follower = |number: u8| {
        let at = START - Vec3::new(1.0, 0.0, 2.0 - f32::from(number));
        let follower = walker(app, at, NavTarget::Point(OWN));
        set(app, follower, NavFollows(leader));
        follower
    };
    let followers: Vec<Entity> = (0..4).map(follower).collect();
    (leader, followers)
}

fn world_of(app: &mut App) -> &NavWorld {
    let mut worlds = app.world_mut().query::<&NavWorld>();
    worlds.single(app.world()).unwrap()
}

/// Distances of agents from their slots, metres; `None` for an agent without a group.
fn off_slots(app: &mut App, agents: &[Entity]) -> Vec<Option<f32>> {
    let world = world_of(app);
    let off = |agent: &Entity| {
        let slot = world.crowd().slot(world.agent(*agent)?).ok()??;
        Some(world.view(*agent)?.position.distance(slot.position))
    };
    agents.iter().map(off).collect()
}

/// The distances of agents from a place, along the leader's direction and across it.
fn around(app: &App, leader: Entity, agents: &[Entity]) -> (f32, f32) {
    let at = place(app, leader);
    let spread = |axis: fn(Vec3) -> f32| {
        agents.iter().map(|agent| axis(place(app, *agent) - at).abs()).fold(0.0, f32::max)
    };
    (spread(|off| off.x), spread(|off| off.z))
}

#[test]
fn followers_keep_their_slots_and_change_with_the_formation() {
    let mut app = app();
    let (leader, followers) = group(&mut app, NavFormation::Line);
    until(&mut app, "a group", |app| off_slots(app, &followers).iter().all(Option::is_some));
    assert_eq!(get::<NavFollowers>(&app, leader).iter().count(), 4);
    set(&mut app, leader, NavTarget::Point(FAR));
    let mut slots = 0;
    until(&mut app, "an arrival", |app| {
        let events = agent_events(app);
        slots +=
            events.iter().filter(|event| matches!(event.kind, NavAgentEventKind::SlotChanged { .. })).count();
        events.iter().any(|event| event.entity == leader && event.kind == NavAgentEventKind::Arrived)
    });
    assert!(slots >= 4, "{slots} changes of slots");
    let settled =
        |app: &mut App| off_slots(app, &followers).iter().all(|off| off.is_some_and(|off| off < 0.3));
    until(&mut app, "a line", settled);
    let (along, across) = around(&app, leader, &followers);
    assert!(along < 0.5 && (across - 3.0).abs() < 0.5, "{along} m along and {across} m across");
    set(&mut app, leader, NavGroup { formation: NavFormation::Column, spacing: 1.5 });
    updates(&mut app, 2);
    until(&mut app, "a column", settled);
    let (along, across) = around(&app, leader, &followers);
    assert!((along - 6.0).abs() < 0.7 && across < 0.5, "{along} m along and {across} m across");
}

#[test]
fn those_who_follow_no_more_go_to_their_own_targets() {
    let mut app = app();
    let (leader, followers) = group(&mut app, NavFormation::Wedge);
    until(&mut app, "a group", |app| off_slots(app, &followers).iter().all(Option::is_some));
    app.world_mut().entity_mut(followers[0]).remove::<NavFollows>();
    until_event(&mut app, followers[0], NavAgentEventKind::Arrived);
    assert!((place(&app, followers[0]) - OWN).with_y(0.0).length() < 0.3);
    let off = off_slots(&mut app, &followers);
    assert!(off[0].is_none() && off[1..].iter().all(Option::is_some), "{off:?}");
    // The leader is despawned, and the group dissolves.
    app.world_mut().entity_mut(leader).despawn();
    for follower in &followers[1..] {
        assert!(app.world().get::<NavFollows>(*follower).is_none());
    }
    let near = |app: &mut App| {
        followers.iter().all(|follower| (place(app, *follower) - OWN).with_y(0.0).length() < 3.0)
    };
    until(&mut app, "a walk", near);
    assert!(off_slots(&mut app, &followers).iter().all(Option::is_none));
}

#[test]
fn a_leader_that_is_to_follow_leads_on() {
    let mut app = app();
    let (leader, followers) = group(&mut app, NavFormation::Column);
    set(&mut app, followers[0], NavGroup::default());
    set(&mut app, leader, NavTarget::Point(FAR));
    until_event(&mut app, leader, NavAgentEventKind::Arrived);
    // It has its own group, and so its own target.
    until(&mut app, "its own target", |app| (place(app, followers[0]) - OWN).with_y(0.0).length() < 0.3);
    assert_eq!(*get::<NavAgentState>(&app, leader), NavAgentState::Arrived);
}
