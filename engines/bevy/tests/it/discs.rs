//! Bodies that are not agents: agents avoid them.

use crate::common::*;
use bevy_app::App;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use bevy_navtile::{NavAgentEventKind, NavDisc, NavTarget, NavWorld};
use bevy_transform::components::Transform;

/// The middle of the level. The agent walks through it from west to east, and the disc comes along the same
/// line.
const MIDDLE: Vec3 = Vec3::new(10.0, 0.0, 10.0);

/// The smallest distance of an agent from a body that drives towards it, both at 2 m/s.
fn nearest(layers: u32) -> f32 {
    let mut app = app();
    square(&mut app);
    let goal = MIDDLE + Vec3::X * 7.0;
    let agent = walker(&mut app, MIDDLE - Vec3::X * 7.0, NavTarget::Point(goal));
    let disc = NavDisc { radius: 1.0, layers, ..NavDisc::default() };
    let disc = app.world_mut().spawn((disc, Transform::from_translation(goal))).id();
    until(&mut app, "a start", |app| place(app, agent).x > 3.5);
    let mut nearest = f32::INFINITY;
    until(&mut app, "an arrival", |app| {
        let mut moved = *get::<Transform>(app, disc);
        moved.translation.x = (moved.translation.x - 2.0 / 64.0).max(-20.0);
        set(app, disc, moved);
        nearest = nearest.min((place(app, agent) - place(app, disc)).with_y(0.0).length());
        agent_events(app).iter().any(|event| event.kind == NavAgentEventKind::Arrived)
    });
    nearest
}

#[test]
fn agents_go_round_a_body_that_comes() {
    let apart = nearest(1);
    assert!(apart > 1.3, "they come within {apart} m, of bodies of 1 m and 0.4 m");
}

#[test]
fn a_body_on_no_layer_is_not_avoided() {
    let apart = nearest(0);
    assert!(apart < 0.5, "they keep {apart} m apart");
}

/// Measures the velocity that a waiting agent sees, by the distance that it is pushed in a moment: zero if
/// the body is stationary.
fn distance_after(app: &mut App, agent: Entity, steps: usize) -> f32 {
    let before = place(app, agent);
    updates(app, steps);
    place(app, agent).distance(before)
}

#[test]
fn a_body_that_goes_is_forgotten() {
    let mut app = app();
    square(&mut app);
    let agent = walker(&mut app, MIDDLE, NavTarget::None);
    let body = NavDisc { velocity: Some(Vec3::X * 2.0), ..NavDisc::default() };
    let disc = app.world_mut().spawn((body, Transform::from_translation(MIDDLE - Vec3::X * 1.5))).id();
    let ready = |app: &mut App| {
        let mut worlds = app.world_mut().query::<&NavWorld>();
        worlds.single(app.world()).unwrap().agent(agent).is_some()
    };
    until(&mut app, "an agent", ready);
    assert!(distance_after(&mut app, agent, 64) > 0.1, "it stands in the way");
    app.world_mut().entity_mut(disc).despawn();
    updates(&mut app, 64);
    assert!(distance_after(&mut app, agent, 64) < 0.01);
}
