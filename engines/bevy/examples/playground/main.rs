//! A thousand agents in a town with moving carts and houses, without a window. Each second it prints the
//! share of a frame that a navigation step takes. With `--picture`, it finally draws the gizmos into a
//! picture. The folder `playground` has the same town in a window.
//!
//! `cargo run --release --example playground -- --agents 1000 --seconds 20 --picture town.png`

#![allow(clippy::print_stdout, clippy::print_stderr)] // An example prints its results.

mod picture;
mod town;

use bevy_app::prelude::*;
use bevy_app::{ScheduleRunnerPlugin, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bevy_navtile::debug::NavLayers;
use bevy_navtile::*;
use bevy_time::TimePlugin;
use bevy_transform::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use town::{Counts, FRAME, SIDE, Town};

#[derive(Resource)]
struct Options {
    seconds: u32,
    picture: Option<PathBuf>,
}

fn main() -> Result<AppExit, Box<dyn std::error::Error>> {
    let (mut town, mut options) = (Town { agents: 1000 }, Options { seconds: 20, picture: None });
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        match name.as_str() {
            "--agents" => town.agents = value.parse()?,
            "--seconds" => options.seconds = value.parse()?,
            "--picture" => options.picture = Some(value.into()),
            _ => return Err(format!("{name}: expected --agents, --seconds or --picture").into()),
        }
    }
    let frames = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f32(FRAME));
    Ok(App::new()
        .add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), TransformPlugin, frames))
        .add_plugins((NavtilePlugin::default(), town))
        .insert_resource(options)
        .add_systems(PostUpdate, finish)
        .run())
}

/// Ends the run, with a picture if requested.
fn finish(
    counts: Res<Counts>,
    worlds: Query<&NavWorld>,
    options: Res<Options>,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok(world) = worlds.single() else { return };
    if counts.seconds < options.seconds {
        return;
    }
    if let Some(path) = &options.picture {
        let layers = NavLayers { portals: true, paths: world.crowd().len() <= 100, ..NavLayers::default() };
        let lines = [world.mesh_lines(&layers), world.moving_lines(&layers)].concat();
        match picture::write(path, &lines, SIDE) {
            Ok(()) => println!("{} lines in {}", lines.len(), path.display()),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                exit.write(AppExit::error());
                return;
            }
        }
    }
    exit.write(AppExit::Success);
}
