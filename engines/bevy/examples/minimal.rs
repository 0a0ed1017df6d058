//! An agent that walks around a wall, and a crate that is dropped into its path:
//! `cargo run --example minimal`.

#![allow(clippy::print_stdout)] // An example prints its results.

use bevy_app::{ScheduleRunnerPlugin, TaskPoolPlugin, prelude::*};
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navtile::*;
use bevy_time::TimePlugin;
use bevy_transform::prelude::*;
use std::time::Duration;

fn main() {
    // A game with a window would use DefaultPlugins instead.
    let frames = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f32(1.0 / 60.0));
    let minimal = (TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), TransformPlugin, frames);
    App::new()
        .add_plugins((minimal, NavtilePlugin::default()))
        .add_systems(Startup, set_up)
        .add_systems(Update, (put_crate, print))
        .run();
}

fn cuboid(x: f32, y: f32, z: f32) -> NavShape {
    NavShape::Cuboid { size: Vec3::new(x, y, z) }
}

fn set_up(mut commands: Commands) {
    commands.spawn(NavMeshBuilder::default());
    commands.spawn((NavSource { shape: cuboid(20.0, 1.0, 20.0) }, Transform::from_xyz(10.0, -0.5, 10.0)));
    commands.spawn((NavSource { shape: cuboid(1.0, 3.0, 14.0) }, Transform::from_xyz(10.0, 1.5, 7.0)));
    let goal = NavTarget::Point(Vec3::new(17.0, 0.0, 3.0));
    commands.spawn((
        NavAgent { max_speed: 4.0, ..NavAgent::default() },
        goal,
        Transform::from_xyz(3.0, 0.0, 3.0),
    ));
}

fn put_crate(mut commands: Commands, mut meshes: MessageReader<NavMeshEvent>) {
    for event in meshes.read() {
        println!("{:?}", event.kind);
        if matches!(event.kind, NavMeshEventKind::Ready { .. }) {
            let shape = cuboid(2.0, 2.0, 2.0);
            commands.spawn((NavObstacle { shape, ..Default::default() }, Transform::from_xyz(7.0, 1.0, 9.0)));
        }
    }
}

fn print(
    agents: Query<&Transform, With<NavAgent>>,
    mut events: MessageReader<NavAgentEvent>,
    mut exit: MessageWriter<AppExit>,
) {
    if events.read().any(|event| event.kind == NavAgentEventKind::Arrived) {
        agents.iter().for_each(|place| println!("it has arrived at {:.1}", place.translation));
        exit.write(AppExit::Success);
    }
}
