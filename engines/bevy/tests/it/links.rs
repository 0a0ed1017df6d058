//! Off-mesh links: used, changed, and finished by the game.

use crate::common::*;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use bevy_navtile::{
    LinkId, NavAgent, NavAgentEventKind, NavAgentState, NavMeshBuilder, NavSource, NavTarget, NavWorld,
    OffMeshLink,
};
use bevy_transform::components::Transform;

/// Two floors of 10 by 10 m with a gap of 3 m, and a jump over it.
fn gap(app: &mut bevy_app::App) -> (Entity, Entity) {
    floor(app, [10.0, 10.0]);
    let far = NavSource { shape: cuboid([10.0, 1.0, 10.0]) };
    app.world_mut().spawn((far, Transform::from_xyz(18.0, -0.5, 5.0)));
    // In the space of its entity.
    let link = OffMeshLink { start: Vec3::X * -3.0, end: Vec3::X * 3.0, ..OffMeshLink::default() };
    let link = app.world_mut().spawn((link, Transform::from_xyz(11.5, 0.0, 5.0))).id();
    (built(app, NavMeshBuilder::default()), link)
}

const NEAR: Vec3 = Vec3::new(3.0, 0.0, 5.0);
const FAR: Vec3 = Vec3::new(20.0, 0.0, 5.0);

#[test]
fn an_agent_jumps_and_says_over_which_link() {
    let mut app = app();
    let (_, link) = gap(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    until_event(&mut app, agent, NavAgentEventKind::LinkEntered(LinkId::Entity(link)));
    assert_eq!(*get::<NavAgentState>(&app, agent), NavAgentState::OnLink);
    until_event(&mut app, agent, NavAgentEventKind::LinkLeft(LinkId::Entity(link)));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    // The link leads one way.
    set(&mut app, agent, NavTarget::Point(NEAR));
    updates(&mut app, 300);
    assert!(place(&app, agent).x > 13.0);
}

#[test]
fn a_link_that_changes_is_built_again() {
    let mut app = app();
    let (world, link) = gap(&mut app);
    let leads =
        |app: &bevy_app::App| get::<NavWorld>(app, world).route(FAR, NEAR).unwrap().reason().is_none();
    assert!(!leads(&app));
    let both = OffMeshLink { both_ways: true, ..get::<OffMeshLink>(&app, link).clone() };
    set(&mut app, link, both);
    until(&mut app, "a way back", leads_of(world));
    app.world_mut().despawn(link);
    until(&mut app, "no way back", |app| !leads(app));
}

fn leads_of(world: Entity) -> impl FnMut(&mut bevy_app::App) -> bool {
    move |app| get::<NavWorld>(app, world).route(FAR, NEAR).unwrap().reason().is_none()
}

#[test]
fn the_game_may_finish_a_link() {
    let mut app = app();
    let (world, link) = gap(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    set(&mut app, agent, NavAgent { link_speed: 0.0, ..NavAgent::default() });
    until_event(&mut app, agent, NavAgentEventKind::LinkEntered(LinkId::Entity(link)));
    updates(&mut app, 200);
    assert_eq!(*get::<NavAgentState>(&app, agent), NavAgentState::OnLink);
    let mut entity = app.world_mut().entity_mut(world);
    let mut mesh = entity.get_mut::<NavWorld>().unwrap();
    assert!(mesh.finish_link(Entity::PLACEHOLDER).is_err());
    mesh.finish_link(agent).unwrap();
    until_event(&mut app, agent, NavAgentEventKind::LinkLeft(LinkId::Entity(link)));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
}
