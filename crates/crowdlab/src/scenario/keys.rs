//! The keys of a `crowd.toml`: rows with the values that each takes, their units and ranges.

use super::bounds::Bounds;
use super::distribution::distribution;
use super::plan::{
    Agents, AvoidanceName, CrowdTuning, DiscCourse, Door, ExitPlace, FlowName, Follow, FormationName,
    GateLine, Goal, GroundLossName, Kind, Point, Region, Scenario, TileSwap,
};
use detour::Filter;
use navinput::tables::{Field, Key, Named, Put, Schema};

/// Times, seconds.
const TIMES: (f64, f64) = (0.0, 100_000.0);
/// The largest number of agents.
pub(super) const MOST_AGENTS: u32 = 100_000;
/// The largest coordinate, metres.
const FARTHEST: f64 = 1e7;
/// Bounds of figures.
const FIGURES: (f64, f64) = (0.0, 1e9);

const CORNERS: &str = "two corners: [[x, y, z], [x, y, z]]";
const SPANS: &str = "times [from, until] from 0 to 100000 s in ascending order";

pub(super) static SCENARIO: Schema<Scenario> = Named("").keys(&[
    Key::new("seconds", |scenario, f| f.number(TIMES, " s").put(&mut scenario.seconds)),
    Key::new("rate", |scenario, f| f.number((1.0, 1000.0), " steps per second").put(&mut scenario.rate)),
    Key::new("seed", |scenario, f| f.integer("a whole number, not negative").put(&mut scenario.seed)),
    Key::new("crowd", |scenario, f| f.table(&CROWD, &mut scenario.crowd)),
    Key::new("kind", |scenario, f| scenario.kind = f.list(&KIND, Kind::default)),
    Key::new("agents", |scenario, f| scenario.agents = f.list(&AGENTS, Agents::default)),
    Key::new("door", |scenario, f| scenario.door = f.list(&DOOR, Door::default)),
    Key::new("tile", |scenario, f| scenario.tile = f.list(&TILE, TileSwap::default)),
    Key::new("disc", |scenario, f| scenario.disc = f.list(&DISC, DiscCourse::default)),
    Key::new("gate", |scenario, f| scenario.gate = f.list(&GATE, GateLine::default)),
    Key::new("check", |scenario, f| f.table(&CHECK, &mut scenario.check)),
]);

static CROWD: Schema<CrowdTuning> = Named("crowd").keys(&[
    Key::new("search_nodes", |crowd, f| crowd.search_nodes = f.whole((1, u32::MAX.into()))),
    Key::new("avoid_every", |crowd, f| crowd.avoid_every = f.whole((1, 1000))),
    Key::new("far_every", |crowd, f| crowd.far_every = f.whole((1, 60))),
    Key::new("stuck_after", |crowd, f| crowd.stuck_after = f.single((0.1, 1000.0), " s")),
    Key::new("held_detour", |crowd, f| crowd.held_detour = f.single((0.0, 10_000.0), " m")),
    Key::new("interest", |crowd, f| f.each("a list of places", point).put(&mut crowd.interest)),
    Key::new("interest_radius", |crowd, f| f.single((0.0, 1e6), " m").put(&mut crowd.interest_radius)),
]);

static KIND: Schema<Kind> = Named("kind").keys(&[
    Key::required("name", |kind, f| name(f).put(&mut kind.name)),
    Key::new("radius", |kind, f| kind.radius = distribution(f, (0.0, 100.0), " m")),
    Key::new("height", |kind, f| kind.height = f.single((0.0, 100.0), " m")),
    Key::new("speed", |kind, f| kind.speed = distribution(f, (0.001, 100.0), " m/s")),
    Key::new("reaction", |kind, f| distribution(f, TIMES, " s").put(&mut kind.reaction)),
    Key::new("flow", |kind, f| f.choice(&FLOW).put(&mut kind.flow)),
    Key::new("acceleration", |kind, f| kind.acceleration = f.single((0.0, 1000.0), " m/s2")),
    Key::new("turn_rate", |kind, f| kind.turn_rate = f.single((0.0, f64::INFINITY), " rad/s")),
    Key::new("priority", |kind, f| f.whole((0, 255)).put(&mut kind.priority)),
    Key::new("avoidance", |kind, f| f.choice(&AVOIDANCE).put(&mut kind.avoidance)),
    Key::new("horizon", |kind, f| kind.horizon = f.single((0.1, 10.0), " s")),
    Key::new("layers", |kind, f| kind.layers = f.each("a list of layers", |layer| layer.whole((0, 31)))),
    Key::new("avoids", |kind, f| kind.avoids = f.each("a list of layers", |layer| layer.whole((0, 31)))),
    Key::new("stopping_distance", |kind, f| kind.stopping_distance = f.single((0.0, 1000.0), " m")),
    Key::new("brakes", |kind, f| kind.brakes = f.switch()),
    Key::new("link_speed", |kind, f| kind.link_speed = f.single((0.001, 100.0), " m/s")),
    Key::new("ground_loss", |kind, f| f.choice(&GROUND_LOSS).put(&mut kind.ground_loss)),
    Key::new("fall_height", |kind, f| kind.fall_height = f.single((0.0, 1000.0), " m")),
    Key::new("cost", |kind, f| f.map(|cost| cost.single(COSTS, " per metre")).put(&mut kind.cost)),
    Key::new("area_speed", |kind, f| f.map(shares).put(&mut kind.area_speed)),
    Key::new("avoid_areas", |kind, f| f.each("a list of areas", name).put(&mut kind.avoid_areas)),
    Key::new("opens_doors", |kind, f| f.switch().put(&mut kind.opens_doors)),
]);

const COSTS: (f64, f64) = (Filter::MIN_COST as f64, Filter::MAX_COST as f64);
const FLOW: [(&str, FlowName); 2] = [("free", FlowName::Free), ("people", FlowName::People)];
const AVOIDANCE: [(&str, AvoidanceName); 2] = [("none", AvoidanceName::None), ("orca", AvoidanceName::Orca)];
const GROUND_LOSS: [(&str, GroundLossName); 3] =
    [("step_out", GroundLossName::StepOut), ("wait", GroundLossName::Wait), ("fall", GroundLossName::Fall)];

static AGENTS: Schema<Agents> = Named("agents").keys(&[
    Key::new("name", |agents, f| f.text("a name").put(&mut agents.name)),
    Key::new("kind", |agents, f| agents.kind = name(f)),
    Key::new("count", |agents, f| agents.count = f.whole((1, MOST_AGENTS.into()))),
    Key::required("start", |agents, f| f.one_of(&REGION).put(&mut agents.start)),
    Key::new("goal", |agents, f| agents.goal = f.one_of(&GOAL)),
    Key::new("at", |agents, f| f.number(TIMES, " s").put(&mut agents.at)),
    Key::new("follow", |agents, f| f.table(&FOLLOW, agents.follow.insert(Follow::default()))),
]);

static REGION: Schema<Option<Region>> = Named("region").keys(&[
    Key::new("box", |region, f| *region = f.array(CORNERS, point).map(Region::Box)),
    Key::new("disc", |region, f| *region = around(f, |centre, radius| Region::Disc { centre, radius })),
    Key::new("ring", |region, f| *region = around(f, |centre, radius| Region::Ring { centre, radius })),
    Key::new("places", |region, f| *region = places(f).map(Region::Places)),
]);

static AROUND: Schema<(Point, f64)> = Named("region").keys(&[
    Key::required("centre", |(centre, _), f| point(f).put(centre)),
    Key::required("radius", |(_, radius), f| f.number((0.0, FARTHEST), " m").put(radius)),
]);

static GOAL: Schema<Option<Goal>> = Named("goal").keys(&[
    Key::new("place", |goal, f| *goal = point(f).map(Goal::Place)),
    Key::new("into", |goal, f| *goal = f.one_of(&REGION).map(Goal::Into)),
    Key::new("opposite", |goal, f| *goal = point(f).map(Goal::Opposite)),
    Key::new("shift", |goal, f| *goal = point(f).map(Goal::Shift)),
    Key::new("field", |goal, f| *goal = places(f).map(Goal::Field)),
    Key::new("exits", |goal, f| *goal = exits(f).map(Goal::Exits)),
    Key::new("chase", |goal, f| *goal = name(f).map(Goal::Chase)),
    Key::new("patrol", |goal, f| *goal = places(f).map(Goal::Patrol)),
]);

static EXIT: Schema<ExitPlace> = Named("exit").keys(&[
    Key::required("place", |exit, f| point(f).put(&mut exit.place)),
    Key::required("rate", |exit, f| f.single((0.001, 1000.0), " agents per second").put(&mut exit.rate)),
]);

static FOLLOW: Schema<Follow> = Named("follow").keys(&[
    Key::required("leader", |follow, f| name(f).put(&mut follow.leader)),
    Key::required("formation", |follow, f| {
        let formation = if f.is_table() { f.one_of(&SLOTS) } else { f.choice(&FORMATIONS) };
        formation.put(&mut follow.formation);
    }),
    Key::new("spacing", |follow, f| f.single((0.0, 1000.0), " m").put(&mut follow.spacing)),
]);

const FORMATIONS: [(&str, FormationName); 4] = [
    ("line", FormationName::Line),
    ("column", FormationName::Column),
    ("wedge", FormationName::Wedge),
    ("box", FormationName::Box),
];

static SLOTS: Schema<Option<FormationName>> = Named("formation").keys(&[Key::new("own", |formation, f| {
    let slot = |slot: &mut Field<'_, '_>| slot.numbers(FARTHEST, "metres to the right, and along");
    let slots = f.each("a list of slots: [[right, along], [right, along]]", slot);
    let single = |slots: Vec<[f64; 2]>| slots.into_iter().map(|slot| slot.map(|by| by as f32)).collect();
    *formation = slots.map(single).map(FormationName::Own);
})]);

static DOOR: Schema<Door> = Named("door").keys(&[
    Key::required("box", |door, f| f.array(CORNERS, point).put(&mut door.within)),
    Key::new("flags", |door, f| door.flags = f.whole((1, u32::MAX.into()))),
    Key::new("area", |door, f| door.area = name(f)),
    Key::required("shut", |door, f| spans(f).put(&mut door.shut)),
]);

static TILE: Schema<TileSwap> = Named("tile").keys(&[
    Key::required("at", |tile, f| {
        let number = |number: &mut Field<'_, '_>| number.integer("a whole number of 32 bits");
        f.array("three whole numbers: [x, z, layer]", number).put(&mut tile.at);
    }),
    Key::new("gone", |tile, f| spans(f).put(&mut tile.gone)),
    Key::new("replaced", |tile, f| {
        let expected = "times from 0 to 100000 s in ascending order";
        let times = f.each(expected, |time| time.number(TIMES, " s"));
        times.and_then(|times| in_order(f, times, expected)).put(&mut tile.replaced);
    }),
]);

static DISC: Schema<DiscCourse> = Named("disc").keys(&[
    Key::required("radius", |disc, f| f.single((0.0, 100.0), " m").put(&mut disc.radius)),
    Key::new("height", |disc, f| f.single((0.0, 100.0), " m").put(&mut disc.height)),
    Key::required("speed", |disc, f| f.single((0.0, 100.0), " m/s").put(&mut disc.speed)),
    Key::required("course", |disc, f| places(f).put(&mut disc.course)),
]);

static GATE: Schema<GateLine> = Named("gate").keys(&[
    Key::required("name", |gate, f| name(f).put(&mut gate.name)),
    Key::required("line", |gate, f| line(f).put(&mut gate.line)),
]);

static CHECK: Schema<Bounds> = Named("check").keys(&[
    Key::new("arrived", |check, f| {
        check.arrived = f.number((0.0, 1.0), ", a share of the agents that were sent");
    }),
    Key::new("worst_overlap", |check, f| check.worst_overlap = f.number(FIGURES, "")),
    Key::new("left_mesh", |check, f| check.left_mesh = f.integer("a whole number, not negative")),
    Key::new("mean_delay", |check, f| check.mean_delay = f.number(FIGURES, "")),
    Key::new("p95_delay", |check, f| check.p95_delay = f.number(FIGURES, "")),
    Key::new("mean_jerk", |check, f| check.mean_jerk = f.number(FIGURES, "")),
    Key::new("stuck", |check, f| check.stuck = f.integer("a whole number, not negative")),
    Key::new("seconds", |check, f| check.seconds = f.number(FIGURES, "")),
    Key::new("least_seconds", |check, f| check.least_seconds = f.number(FIGURES, "")),
    Key::new("flow", |check, f| f.map(|flow| flow.number(FIGURES, "")).put(&mut check.flow)),
    Key::new("hash", |check, f| {
        let is_hash = |text: &str| text.len() == 16 && u64::from_str_radix(text, 16).is_ok();
        check.hash = f.parse("16 hexadecimal digits", |text| is_hash(text).then(|| text.to_owned()));
    }),
]);

fn name(f: &mut Field<'_, '_>) -> Option<String> {
    f.parse("a name", |name| Some(name.to_owned()).filter(|name| !name.is_empty()))
}

fn point(f: &mut Field<'_, '_>) -> Option<Point> {
    f.numbers(FARTHEST, "three numbers from -1e7 to 1e7 m: [x, y, z]")
}

/// Shares of a speed, up and down.
fn shares(f: &mut Field<'_, '_>) -> Option<[f32; 2]> {
    let expected = "two shares of the speed from 0.01 to 1: [up, down]";
    let shares = f.numbers(1.0, expected)?.map(|share: f64| share as f32);
    if shares.iter().all(|share| *share >= 0.01) { Some(shares) } else { f.wrong(expected) }
}

fn line(f: &mut Field<'_, '_>) -> Option<[Point; 2]> {
    let [a, b] = f.array("two ends: [[x, y, z], [x, y, z]]", point)?;
    if a[0] != b[0] || a[2] != b[2] {
        return Some([a, b]);
    }
    f.refuse("has no length as seen from above, expected two different places", None)
}

/// A list of at least one place.
fn places(f: &mut Field<'_, '_>) -> Option<Vec<Point>> {
    let places = f.each("a list of places: [[x, y, z], [x, y, z]]", point)?;
    if places.is_empty() { f.refuse("is empty, expected at least one place", None) } else { Some(places) }
}

/// A list of 1 to 64 exits.
fn exits(f: &mut Field<'_, '_>) -> Option<Vec<ExitPlace>> {
    let expected = "a list of 1 to 64 exits: [{ place = [x, y, z], rate = 1.3 }]";
    let exits = f.each(expected, |exit| {
        let mut own = ExitPlace::default();
        exit.table(&EXIT, &mut own);
        Some(own)
    })?;
    if (1..=64).contains(&exits.len()) { Some(exits) } else { f.wrong(expected) }
}

/// A disc or a ring.
fn around(f: &mut Field<'_, '_>, make: fn(Point, f64) -> Region) -> Option<Region> {
    let mut around = ([0.0; 3], 0.0);
    f.table(&AROUND, &mut around);
    Some(make(around.0, around.1))
}

/// Times `[from, until]`.
fn spans(f: &mut Field<'_, '_>) -> Option<Vec<[f64; 2]>> {
    let spans = f.each(SPANS, |span| span.numbers(TIMES.1, SPANS))?;
    in_order(f, spans.concat(), SPANS)?;
    Some(spans)
}

/// Times in ascending order, from 0.
fn in_order(f: &mut Field<'_, '_>, times: Vec<f64>, expected: &str) -> Option<Vec<f64>> {
    if times.is_sorted() && times.iter().all(|time| *time >= 0.0) { Some(times) } else { f.wrong(expected) }
}
