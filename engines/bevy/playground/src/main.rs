//! A thousand agents in a town, in a window: carts move to and fro, houses move, the mesh is built again at
//! run time, and gizmos show the layers of the mesh. The number keys switch them. Each second it prints the
//! share of a frame that navigation takes.
//!
//! `cargo run --release`; `cargo run --release -- --picture town.png` draws one frame after a second without
//! a window, and ends.

#![allow(clippy::print_stdout)] // An example prints its results.

mod look;
#[path = "../../examples/playground/town.rs"]
mod town;

use bevy_app::{App, AppExit, Last, PluginGroup, PluginGroupBuilder, ScheduleRunnerPlugin, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_navtile::debug::NavLayers;
use bevy_navtile::{NavGizmoLayers, NavTimings, NavtileGizmoPlugin, NavtilePlugin};
use bevy_render::RenderPlugin;
use bevy_time::{Real, Time};
use bevy_window::{ExitCondition, Window, WindowPlugin};
use look::{Look, Picture};
use std::path::PathBuf;
use std::time::Duration;
use town::{FRAME, Town};

fn main() -> Result<AppExit, Box<dyn std::error::Error>> {
    let (mut town, mut picture, mut after) = (Town { agents: 1000 }, None, 8);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        match name.as_str() {
            "--agents" => town.agents = value.parse()?,
            "--picture" => picture = Some(PathBuf::from(value)),
            "--after" => after = value.parse()?,
            _ => return Err(format!("{name}: expected --agents, --picture or --after").into()),
        }
    }
    let picture = picture.map(|path| Picture { path, after });
    let layers = NavLayers { portals: true, ..NavLayers::default() };
    Ok(App::new()
        .add_plugins(BevysOwn { has_window: picture.is_none() })
        .add_plugins((NavtilePlugin::default(), NavtileGizmoPlugin, town, Look { picture }))
        .insert_resource(NavGizmoLayers(layers))
        .add_systems(Last, (share_of_frame, switch_layers))
        .run())
}

/// The part of the `DefaultPlugins` of the crate `bevy` that this game needs.
struct BevysOwn {
    has_window: bool,
}

impl PluginGroup for BevysOwn {
    fn build(self) -> PluginGroupBuilder {
        let window = Window { title: "bevy_navtile".into(), ..Window::default() };
        let windows = match self.has_window {
            true => WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() },
            false => WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..WindowPlugin::default()
            },
        };
        let group = PluginGroupBuilder::start::<BevysOwn>()
            .add(TaskPoolPlugin::default())
            .add(bevy_diagnostic::FrameCountPlugin)
            .add(bevy_time::TimePlugin)
            .add(bevy_transform::TransformPlugin)
            .add(bevy_diagnostic::DiagnosticsPlugin)
            .add(bevy_input::InputPlugin)
            .add(windows)
            .add(bevy_a11y::AccessibilityPlugin)
            .add(AssetPlugin::default());
        let group = match self.has_window {
            true => group.add(bevy_winit::WinitPlugin::default()),
            false => group.add(ScheduleRunnerPlugin::run_loop(Duration::from_secs_f32(FRAME))),
        };
        group
            // A picture is complete only if its pipelines are compiled.
            .add(RenderPlugin {
                synchronous_pipeline_compilation: !self.has_window,
                ..RenderPlugin::default()
            })
            .add(bevy_image::ImagePlugin::default())
            .add(bevy_mesh::MeshPlugin)
            .add(bevy_camera::CameraPlugin)
            .add(bevy_light::LightPlugin)
            .add(bevy_core_pipeline::CorePipelinePlugin)
            .add(bevy_pbr::PbrPlugin::default())
            .add(bevy_gizmos::GizmoPlugin)
            .add(bevy_gizmos_render::GizmoRenderPlugin)
    }
}

/// Prints each second the share of the real frame time that navigation takes.
fn share_of_frame(
    timings: Res<NavTimings>,
    time: Res<Time<Real>>,
    mut last: Local<(Duration, Duration, u32)>,
) {
    let (navigation, frames, count) = &mut *last;
    *navigation += timings.total();
    *frames += time.delta();
    *count += 1;
    if *frames > Duration::from_secs(1) {
        let share = navigation.as_secs_f32() / frames.as_secs_f32() * 100.0;
        let threads = bevy_tasks::available_parallelism();
        println!("      {count} frames on {threads} threads, of which navigation takes {share:.1} %");
        *last = Default::default();
    }
}

/// 1 to 9: polygons, walls, portals, links, tiles, obstacles, agents, paths, corridors.
fn switch_layers(keys: Res<ButtonInput<KeyCode>>, mut shown: ResMut<NavGizmoLayers>) {
    let layers = &mut shown.bypass_change_detection().0;
    let switches = [
        (KeyCode::Digit1, &mut layers.polygons),
        (KeyCode::Digit2, &mut layers.walls),
        (KeyCode::Digit3, &mut layers.portals),
        (KeyCode::Digit4, &mut layers.links),
        (KeyCode::Digit5, &mut layers.tiles),
        (KeyCode::Digit6, &mut layers.obstacles),
        (KeyCode::Digit7, &mut layers.agents),
        (KeyCode::Digit8, &mut layers.paths),
        (KeyCode::Digit9, &mut layers.corridors),
    ];
    for (key, layer) in switches {
        if keys.just_pressed(key) {
            *layer = !*layer;
        }
    }
}
