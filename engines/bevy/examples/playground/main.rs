//! A thousand agents in a town where carts move to and fro and houses are moved while it runs. It prints each second how much
//! of a frame a step of navigation takes, and at the end, with `--picture`, draws what gizmos would show.
//!
//! `cargo run --release --example playground -- --agents 1000 --seconds 20 --picture town.png`

#![allow(clippy::print_stdout)] // An example prints its results.

mod picture;

use bevy_app::prelude::*;
use bevy_app::{ScheduleRunnerPlugin, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navtile::debug::NavLayers;
use bevy_navtile::*;
use bevy_time::{Time, TimePlugin};
use bevy_transform::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// Side of the town, metres.
const SIDE: f32 = 120.0;
const HOUSES: usize = 40;
const CARTS: usize = 24;
/// The time of a frame.
const FRAME: f32 = 1.0 / 60.0;
/// Seconds from one move of a house to the next.
const REBUILD: f32 = 4.0;

#[derive(Resource)]
struct Options {
    agents: usize,
    seconds: u32,
    picture: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options { agents: 1000, seconds: 20, picture: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        match name.as_str() {
            "--agents" => options.agents = value.parse()?,
            "--seconds" => options.seconds = value.parse()?,
            "--picture" => options.picture = Some(value.into()),
            _ => return Err(format!("{name}: expected --agents, --seconds or --picture").into()),
        }
    }
    let frames = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f32(FRAME));
    App::new()
        .add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), TransformPlugin, frames))
        .add_plugins(NavtilePlugin::default())
        .insert_resource(options)
        .insert_resource(Random { state: 7, houses: Vec::new() })
        .init_resource::<Counts>()
        .add_systems(Startup, set_up)
        .add_systems(Update, (move_carts, move_house, send_on, count).chain())
        .add_systems(Last, report)
        .run();
    Ok(())
}

/// Numbers that look random and are the same in each run (Knuth's MMIX).
#[derive(Resource)]
struct Random {
    state: u64,
    /// Where houses stand: nobody is sent into one.
    houses: Vec<Vec3>,
}

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.state >> 40) as f32 / (1u64 << 24) as f32
    }

    fn anywhere(&mut self) -> Vec3 {
        Vec3::new(self.between(2.0, SIDE - 2.0), 0.0, self.between(2.0, SIDE - 2.0))
    }

    /// A place between the houses.
    fn place(&mut self) -> Vec3 {
        loop {
            let place = self.anywhere();
            if self.houses.iter().all(|house| house.distance(place) > 6.5) {
                return place;
            }
        }
    }
}

#[derive(Component)]
struct House;

/// It moves to and fro between two places.
#[derive(Component)]
struct Cart {
    from: Vec3,
    to: Vec3,
}

fn cuboid(x: f32, y: f32, z: f32) -> NavShape {
    NavShape::Cuboid { size: Vec3::new(x, y, z) }
}

fn set_up(mut commands: Commands, options: Res<Options>, mut random: ResMut<Random>) {
    // With bounds, tiles that a house does not reach stay as they are when it is moved.
    let bounds = Some([Vec3::new(0.0, -1.0, 0.0), Vec3::new(SIDE, 10.0, SIDE)]);
    commands.spawn(NavMeshBuilder { bounds, ..NavMeshBuilder::default() });
    let middle = SIDE / 2.0;
    let ground = NavSource { shape: cuboid(SIDE, 1.0, SIDE) };
    commands.spawn((ground, Transform::from_xyz(middle, -0.5, middle)));
    for _ in 0..HOUSES {
        let (x, z) = (random.between(3.0, 8.0), random.between(3.0, 8.0));
        let at = random.anywhere();
        random.houses.push(at);
        let place = Transform::from_translation(at.with_y(2.0));
        let turned = place.with_rotation(bevy_math::Quat::from_rotation_y(random.between(0.0, 3.0)));
        commands.spawn((House, NavSource { shape: cuboid(x, 4.0, z) }, turned));
    }
    for _ in 0..CARTS {
        let from = random.place().with_y(1.0);
        let to = from + Vec3::new(random.between(-12.0, 12.0), 0.0, random.between(-12.0, 12.0));
        let obstacle = NavObstacle { shape: cuboid(2.0, 2.0, 3.0), ..NavObstacle::default() };
        commands.spawn((Cart { from, to }, obstacle, Transform::from_translation(from)));
    }
    for _ in 0..options.agents {
        let (place, target) = (random.place(), NavTarget::Point(random.place()));
        commands.spawn((NavAgent::default(), target, Transform::from_translation(place)));
    }
}

fn move_carts(mut carts: Query<(&Cart, &mut Transform)>, time: Res<Time>) {
    let part = 0.5 - 0.5 * (time.elapsed_secs() * 0.4).cos();
    for (cart, mut place) in &mut carts {
        place.translation = cart.from.lerp(cart.to, part);
    }
}

/// Moves a house now and then: the mesh is built again while the crowd walks on the old one.
fn move_house(
    mut houses: Query<&mut Transform, With<House>>,
    mut random: ResMut<Random>,
    time: Res<Time>,
    mut moves: Local<usize>,
) {
    if time.elapsed_secs() > (*moves + 1) as f32 * REBUILD {
        let (index, at) = (*moves % HOUSES, random.anywhere());
        random.houses[index] = at;
        if let Some(mut place) = houses.iter_mut().nth(index) {
            place.translation = at.with_y(2.0);
        }
        *moves += 1;
    }
}

/// Agents that have arrived are sent elsewhere, and so are, after a second, those that cannot: a house may stand around them.
fn send_on(
    mut events: MessageReader<NavAgentEvent>,
    mut targets: Query<&mut NavTarget>,
    mut random: ResMut<Random>,
    mut counts: ResMut<Counts>,
    time: Res<Time>,
    mut waiting: Local<(Vec<Entity>, f32)>,
) {
    let mut sent = Vec::new();
    for event in events.read() {
        match event.kind {
            NavAgentEventKind::Arrived => {
                counts.arrived += 1;
                sent.push(event.entity);
            }
            NavAgentEventKind::NoPath(_) | NavAgentEventKind::Stuck(_) => {
                counts.elsewhere += 1;
                waiting.0.push(event.entity);
            }
            _ => {}
        }
    }
    if time.elapsed_secs() > waiting.1 {
        waiting.1 = time.elapsed_secs() + 1.0;
        sent.append(&mut waiting.0);
    }
    for entity in sent {
        if let Ok(mut target) = targets.get_mut(entity) {
            *target = NavTarget::Point(random.place());
        }
    }
}

#[derive(Resource, Default)]
struct Counts {
    arrived: usize,
    elsewhere: usize,
    tiles: usize,
    builds: usize,
    steps: u32,
    /// Tiles, agents, crowd, transforms.
    spans: [Duration; 4],
    longest: Duration,
    seconds: u32,
}

fn count(mut events: MessageReader<NavMeshEvent>, mut counts: ResMut<Counts>) {
    for event in events.read() {
        match &event.kind {
            NavMeshEventKind::Ready { .. } => counts.builds += 1,
            NavMeshEventKind::Changed { tiles, .. } => counts.tiles += tiles,
            NavMeshEventKind::Failed(why) => println!("{why}"),
            NavMeshEventKind::Cancelled => {}
        }
    }
}

/// Prints the last second, and ends with a picture.
fn report(
    mut counts: ResMut<Counts>,
    timings: Res<NavTimings>,
    worlds: Query<&NavWorld>,
    options: Res<Options>,
    time: Res<Time>,
    mut exit: MessageWriter<AppExit>,
) {
    counts.steps += timings.steps;
    let spans = [timings.tiles, timings.agents, timings.step, timings.write];
    counts.spans.iter_mut().zip(spans).for_each(|(sum, span)| *sum += span);
    counts.longest = counts.longest.max(timings.total() / timings.steps.max(1));
    if time.elapsed_secs() < (counts.seconds + 1) as f32 {
        return;
    }
    let Ok(world) = worlds.single() else { return };
    let share = |time: Duration| time.as_secs_f32() / FRAME * 100.0;
    println!(
        "{:>3} s: {} agents, {} arrived, {} sent elsewhere, {} builds, {} tiles baked again; a step takes {:.1} % of a frame \
         of 1/60 s: tiles {:.1}, agents {:.1}, crowd {:.1}, transforms {:.1}; the longest {:.1} %",
        counts.seconds + 1,
        world.crowd().len(),
        counts.arrived,
        counts.elsewhere,
        counts.builds,
        counts.tiles,
        share(counts.spans.iter().sum::<Duration>() / counts.steps.max(1)),
        share(counts.spans[0] / counts.steps.max(1)),
        share(counts.spans[1] / counts.steps.max(1)),
        share(counts.spans[2] / counts.steps.max(1)),
        share(counts.spans[3] / counts.steps.max(1)),
        share(counts.longest),
    );
    *counts = Counts { seconds: counts.seconds + 1, ..Counts::default() };
    if counts.seconds < options.seconds {
        return;
    }
    if let Some(path) = &options.picture {
        let layers = NavLayers { portals: true, paths: world.crowd().len() <= 100, ..NavLayers::default() };
        let lines = [world.mesh_lines(&layers), world.moving_lines(&layers)].concat();
        match picture::write(path, &lines, SIDE) {
            Ok(()) => println!("{} lines in {}", lines.len(), path.display()),
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
    exit.write(AppExit::Success);
}
