//! The town: a thousand agents among moving carts and houses, and the share of a frame that a navigation step
//! takes. Shared with the window in `playground/`.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navtile::*;
use bevy_time::Time;
use bevy_transform::prelude::*;
use std::time::Duration;

/// Side of the town, metres.
pub(crate) const SIDE: f32 = 120.0;
const HOUSES: usize = 40;
const CARTS: usize = 24;
/// Number of balls that roll to and fro, number of groups, and number of followers per group.
const BALLS: usize = 8;
const GROUPS: usize = 4;
const FOLLOWERS: usize = 11;
/// Duration of a frame.
pub(crate) const FRAME: f32 = 1.0 / 60.0;
/// Seconds from one move of a house to the next.
const REBUILD: f32 = 4.0;

/// The town, with this number of agents. It prints a line each second.
#[derive(Resource, Clone, Copy)]
pub(crate) struct Town {
    pub(crate) agents: usize,
}

impl Plugin for Town {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self)
            .insert_resource(Random { state: 7, houses: Vec::new() })
            .init_resource::<Counts>()
            .add_systems(Startup, set_up)
            .add_systems(Update, (move_carts, move_house, send_on, count).chain())
            .add_systems(Last, report);
    }
}

/// Pseudorandom numbers, the same in each run (Knuth's MMIX).
#[derive(Resource)]
struct Random {
    state: u64,
    /// Positions of the houses, so that nobody is sent into one.
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
pub(crate) struct House;

/// Moves to and fro between two places.
#[derive(Component)]
struct Cart {
    from: Vec3,
    to: Vec3,
}

fn cuboid(x: f32, y: f32, z: f32) -> NavShape {
    NavShape::Cuboid { size: Vec3::new(x, y, z) }
}

fn set_up(mut commands: Commands, town: Res<Town>, mut random: ResMut<Random>) {
    // With bounds, tiles that a house does not touch stay unchanged when it moves.
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
    for _ in 0..BALLS {
        let from = random.place();
        let to = from + Vec3::X * random.between(-14.0, 14.0);
        commands.spawn((Cart { from, to }, NavDisc::default(), Transform::from_translation(from)));
    }
    let groups = GROUPS.min(town.agents / (FOLLOWERS + 1));
    for _ in 0..groups {
        let (place, target) = (random.place(), NavTarget::Point(random.place()));
        let group = NavGroup { formation: NavFormation::Box, spacing: 1.4 };
        let leader =
            commands.spawn((NavAgent::default(), group, target, Transform::from_translation(place))).id();
        for _ in 0..FOLLOWERS {
            let near = place + Vec3::new(random.between(-3.0, 3.0), 0.0, random.between(-3.0, 3.0));
            commands.spawn((NavAgent::default(), NavFollows(leader), Transform::from_translation(near)));
        }
    }
    for _ in 0..town.agents - groups * (FOLLOWERS + 1) {
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

/// Moves a house now and then. The mesh is built again while the crowd walks on the old one.
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

/// Agents that have arrived are sent elsewhere. Agents that cannot reach their target are sent elsewhere
/// after a second, because a house may enclose them.
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

/// Counts of the current second.
#[derive(Resource, Default)]
pub(crate) struct Counts {
    arrived: usize,
    elsewhere: usize,
    tiles: usize,
    builds: usize,
    steps: u32,
    /// Tiles, agents, crowd, transforms.
    spans: [Duration; 4],
    longest: Duration,
    /// Number of seconds that have been reported.
    pub(crate) seconds: u32,
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

/// Prints the last second.
fn report(mut counts: ResMut<Counts>, timings: Res<NavTimings>, worlds: Query<&NavWorld>, time: Res<Time>) {
    counts.steps += timings.steps;
    let spans = [timings.tiles, timings.agents, timings.step, timings.write];
    counts.spans.iter_mut().zip(spans).for_each(|(sum, span)| *sum += span);
    counts.longest = counts.longest.max(timings.total() / timings.steps.max(1));
    if time.elapsed_secs() < (counts.seconds + 1) as f32 {
        return;
    }
    let Ok(world) = worlds.single() else { return };
    let share = |time: Duration| time.as_secs_f32() / FRAME * 100.0;
    let [tiles, agents, crowd, transforms] = counts.spans.map(|span| share(span / counts.steps.max(1)));
    println!(
        "{:>3} s: {} agents, {} arrived, {} sent elsewhere, {} builds, {} tiles baked again; a step takes {:.1} % of a frame \
         of 1/60 s: tiles {tiles:.1}, agents {agents:.1}, crowd {crowd:.1}, transforms {transforms:.1}; the longest {:.1} %",
        counts.seconds + 1,
        world.crowd().len(),
        counts.arrived,
        counts.elsewhere,
        counts.builds,
        counts.tiles,
        tiles + agents + crowd + transforms,
        share(counts.longest),
    );
    *counts = Counts { seconds: counts.seconds + 1, ..Counts::default() };
}
