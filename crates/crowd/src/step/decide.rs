//! Chooses the velocity of each agent: finds its next corner, the preferred velocity towards it, and the
//! velocity after avoidance.

use super::{Scene, Worker};
use crate::agent::{Activity, Agent, Ahead, Footing, JAMMED, Meanwhile, PathState, Target};
use crate::avoid;
use crate::avoid::walls::HALF_LANE;
use crate::bodies::{Body, NearQuery, Nearby, Neighbours};
use crate::event::{Event, EventKind};
use crate::filters::Ground;
use crate::settings::Flow;
use detour::{CornerKind, CostModel, NavMesh, PartialReason, StraightOptions};
use glam::{Vec2, Vec3Swizzles};

/// Largest number of steps until a corner is computed again; the smaller number if the agent has left the
/// straight line to its corner by more than a part of its radius.
const CORNER_AGE: u8 = 30;
const STRAYED_AGE: u8 = 8;
const STRAYED: f32 = 0.25;
/// Interval between checks of a path for shortcuts, in metres walked.
const REVIEW: f32 = 1.4;
/// Search distance for shortcuts, as a multiple of the radius.
const SHORTCUT_REACH: f32 = 30.0;
/// Number of polygons that a search for a better beginning of the path may settle.
const REVIEW_POLYGONS: u32 = 24;
/// An agent that circles within this many radii of its target walks at this share of its speed.
const CIRCLING: f32 = 4.0;
const SETTLING: f32 = 0.25;
/// Seconds without progress before an agent counts as wedged, and seconds for which it then tries each
/// direction.
const WEDGED: f32 = 3.0;
const TRY: f32 = 0.5;
/// Bodies nearer than this many seconds are passed.
const PASSING: f32 = 2.5;
/// A slower body counts as stationary, metres per second.
const STANDING: f32 = 0.2;
/// Turn of the preferred velocity for a stationary body and for an oncoming one: tangents of angles.
const STANDING_TURN: f32 = 0.18;
const COMING_TURN: f32 = 0.35;
/// A body is oncoming if the cosine of the angle between both directions is smaller than this.
const COMING: f32 = -0.3;
/// A body walks along with an agent if that cosine is larger than this.
const SAME: f32 = 0.5;
/// Seconds for which an agent keeps right after it, or somebody ahead of it, has met an oncoming body.
const KEEPS_RIGHT: f32 = 2.0;
/// An agent that would run into a body from its right within this many seconds slows down to this share of
/// its speed.
const CROSSES: f32 = 1.5;
const LETS_PASS: f32 = 0.5;
/// Agents slower than this share of their speed queue, unless their next corner is within some metres.
const QUEUES: f32 = 0.5;
const HEAD: f32 = 3.0;
/// An agent follows bodies that are at most this far from its line, in sums of both radii. It closes a gap in
/// this many seconds, and never walks slower than this share of its speed.
const BEFORE: f32 = 0.8;
const CLOSES_UP: f32 = 0.15;
const CREEPS: f32 = 0.1;

/// Computes the velocity of an agent for this step.
pub(crate) fn run(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) {
    if !matches!(agent.footing, Footing::Ground(_)) {
        (agent.preferred, agent.chosen, agent.forwarded_claim) = (Vec2::ZERO, Vec2::ZERO, None);
        look_around(agent, scene, Look::Far, &mut worker.near);
        return;
    }
    if goes_straight_on(agent, scene) {
        look_around(agent, scene, Look::Close, &mut worker.near);
        return;
    }
    if agent.is_waiting() && !super::advance::at_link(agent) {
        agent.act(Activity::Walking);
    }
    if !agent.is_kinematic {
        match agent.target {
            Target::Field(_) | Target::Exits(_) => look_along_field(agent, scene, worker),
            _ => look_ahead(agent, scene, worker),
        }
    }
    let body = &scene.parts.own[agent.place as usize];
    let due = is_its_turn(agent, scene.parts.settings.avoid_every, scene);
    look_around(agent, scene, if due { Look::Far } else { Look::Close }, &mut worker.near);
    if agent.is_kinematic {
        return;
    }
    let nearby = scene.nearby(worker.near.list());
    let way_off = avoid::decide::way_off_landing(agent, body, nearby);
    agent.forwarded_claim = avoid::decide::forwarded_claim(agent, body, nearby, way_off);
    avoid::decide::keep_claim(agent, body, nearby, scene.dt);
    agent.preferred = way_off.unwrap_or_else(|| preferred(agent, scene));
    if !due {
        return;
    }
    let (reach, height) = (agent.params.radius * 2.0 + agent.params.max_speed * 0.5, agent.params.height);
    if !agent.walls.are_valid(body.at, reach) {
        let (ground, place) = (scene.ground(agent), agent.corridor.place());
        // The ground at the beginning of the step is still there.
        let _ = agent.walls.gather(ground, place, reach * 1.5, height, &mut worker.query, &mut worker.walls);
    }
    keep_right(agent, nearby, body.at);
    let lanes = lanes(agent, body.at);
    let aside = if let Lanes::Two(aside) = lanes { Some(aside) } else { None };
    agent.in_lane = aside.is_some_and(|aside| aside < agent.params.radius * 0.5);
    let turned = turned_aside(agent, nearby, body.at, aside.unwrap_or(0.0));
    agent.preferred = slowed(agent, body, nearby, lanes, turned);
    // In a passage with room for one, an agent that is pushed back walks back.
    let walks_back = lanes == Lanes::One && agent.push().dot(agent.preferred) < 0.0;
    let wanted = if walks_back { agent.push() } else { agent.preferred };
    agent.chosen = avoid::decide::choose(agent, body, nearby, wanted, scene.dt, &mut worker.avoid);
}

/// The preferred velocity, `turned` aside, at the speed that others leave to the agent: it slows down for a
/// body from the right, in a queue, and among people.
fn slowed(agent: &Agent, own: &Body, nearby: Nearby<'_>, lanes: Lanes, turned: Vec2) -> Vec2 {
    let ahead = turned.normalize_or_zero();
    let most = match agent.params.flow {
        _ if turned == Vec2::ZERO => 0.0,
        Flow::Free if lanes == Lanes::Any => queue_speed(agent, own, nearby, ahead),
        Flow::Free => f32::INFINITY,
        Flow::People => agent.params.max_speed * avoid::density::share(agent, own, nearby, ahead),
    };
    let lets_pass = agent.params.flow == Flow::Free && lets_pass(agent, own, nearby);
    let share = if lets_pass { LETS_PASS } else { 1.0 };
    (turned * share).clamp_length_max(most)
}

/// The largest speed of an agent in a queue, away from the head of the queue: that of the agent before it,
/// and more if there is a gap. Without this limit everybody would press forward, and the queue would mill.
/// Infinite elsewhere.
fn queue_speed(agent: &Agent, own: &Body, nearby: Nearby<'_>, ahead: Vec2) -> f32 {
    let most = agent.params.max_speed;
    let is_slow = |velocity: Vec2| velocity.length() < most * QUEUES;
    let to_corner = agent.ahead.map_or(0.0, |ahead| ahead.corner.xz().distance(own.at));
    if !is_slow(agent.velocity) || to_corner < HEAD {
        return f32::INFINITY;
    }
    let follows = |body: &Body| {
        let offset = body.at - own.at;
        let (along, aside) = (ahead.dot(offset), ahead.perp_dot(offset).abs());
        let reach = own.radius + body.radius;
        let is_before = along > 0.0
            && aside < reach * BEFORE
            && is_slow(body.velocity)
            && avoid::decide::queue_together(own, body);
        let gap = along - (reach * reach - aside * aside).max(0.0).sqrt();
        is_before.then(|| body.velocity.dot(ahead).max(0.0) + gap.max(0.0) / CLOSES_UP)
    };
    let speed = nearby.bodies().filter_map(follows).fold(f32::INFINITY, f32::min);
    // Never 0, or agents that walk in a circle could stop each other.
    speed.max(most * CREEPS)
}

/// Returns true if an agent has its turn, once in every `steps` steps.
fn is_its_turn(agent: &Agent, steps: u32, scene: &Scene<'_>) -> bool {
    (scene.parts.steps + u64::from(agent.number)).is_multiple_of(u64::from(steps))
}

/// Returns true if an agent keeps its velocity: it is far from all points of interest, does not have its
/// turn, does not get to its next corner before its turn, and is not in a jam.
fn goes_straight_on(agent: &Agent, scene: &Scene<'_>) -> bool {
    let every = scene.parts.settings.far_every;
    if is_its_turn(agent, every, scene)
        || agent.is_kinematic
        || agent.in_jam > 0.0
        || agent.progress.stalled > JAMMED * 0.5
        || !scene.parts.interest.is_far(agent.corridor.position())
    {
        return false;
    }
    let way = agent.params.max_speed * scene.dt * every as f32 + agent.params.radius + agent.standoff;
    let is_away = |ahead: Ahead| ahead.corner.xz().distance(agent.corridor.position().xz()) > way;
    if agent.is_at_rest() {
        return agent.chosen == Vec2::ZERO;
    }
    matches!(agent.target, Target::Velocity(_)) || agent.ahead.is_some_and(is_away)
}

/// The distance up to which an agent looks for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// All bodies that it may avoid.
    Far,
    /// Only bodies that it may touch in this step, or that push it.
    Close,
}

/// Finds the bodies near an agent.
fn look_around(agent: &Agent, scene: &Scene<'_>, look: Look, near: &mut Neighbours) {
    let body = &scene.parts.own[agent.place as usize];
    let far = avoid::decide::reach(agent, scene.parts.bodies.largest);
    let reach = match look {
        Look::Far => far,
        Look::Close => {
            let touching = agent.params.radius + scene.parts.bodies.largest;
            far.min((touching * avoid::decide::CLAIM_REACH).max(touching + scene.parts.moved * 2.0))
        }
    };
    let (layers, own) = (agent.params.avoids, agent.number);
    scene.parts.bodies.near(&NearQuery { at: body.at, reach, heights: body.heights(), layers, own }, near);
}

/// Finds the next corner again if the old one is no longer valid, and shortens the path now and then.
fn look_ahead(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) {
    if !agent.path.is_found() || agent.is(Activity::Arrived) {
        agent.ahead = None;
        return;
    }
    if is_corner_valid(agent, scene) {
        return;
    }
    let (filter, at) = (scene.ground(agent).filter, agent.corridor.position().xz());
    agent.until_review -= agent.ahead.map_or(0.0, |ahead| ahead.seen_at.distance(at));
    let (query, mesh) = (&mut worker.query, scene.mesh);
    if agent.until_review <= 0.0 {
        agent.until_review = REVIEW;
        let options = detour::PathOptions::default();
        // A path that cannot be shortened stays unchanged.
        let _ = agent.corridor.optimise_topology(query, mesh, REVIEW_POLYGONS, filter, options);
    }
    find_corner(agent, mesh, worker);
    if let Some(ahead) = agent.ahead {
        let (query, reach) = (&mut worker.query, agent.params.radius * SHORTCUT_REACH);
        // Visibility ignores costs. Past the next corner it would lead through expensive ground that the path
        // avoids.
        let after = ahead.after.filter(|_| filter.uniform_cost().is_some());
        let next = after.map_or(ahead.corner, |after| ahead.corner.with_x(after.x).with_z(after.y));
        if agent.corridor.optimise_visibility(query, mesh, next, reach, filter) == Ok(true) {
            find_corner(agent, mesh, worker);
        }
    }
}

/// Returns true if the corner of an earlier step is still valid. Increases its age.
fn is_corner_valid(agent: &mut Agent, scene: &Scene<'_>) -> bool {
    let at = agent.corridor.position().xz();
    let near = (agent.params.radius).max(agent.params.max_speed * scene.dt * 2.0);
    let Some(ahead) = &mut agent.ahead else { return false };
    ahead.age = ahead.age.saturating_add(1);
    let passed = ahead.corner.xz().distance_squared(at) < near * near
        && ahead.kind != CornerKind::End
        && ahead.kind != CornerKind::LinkStart;
    if passed || ahead.age >= CORNER_AGE {
        return false;
    }
    let (way, gone) = (ahead.corner.xz() - ahead.seen_at, at - ahead.seen_at);
    let (aside, stray) = (way.perp_dot(gone), agent.params.radius * STRAYED);
    let has_strayed = aside * aside > stray * stray * way.length_squared();
    !has_strayed || ahead.age < STRAYED_AGE && ahead.seen_from == agent.corridor.first()
}

/// Gets the next corner from the field that an agent follows.
fn look_along_field(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) {
    if agent.is(Activity::Arrived) {
        agent.ahead = None;
        return;
    }
    if is_corner_valid(agent, scene) {
        return;
    }
    let place = agent.corridor.place();
    let no_exit = Err(PartialReason::Unreachable);
    match agent.field().map_or(no_exit, |field| scene.parts.fields.next(field, scene.mesh, place)) {
        Ok(step) => {
            let polygon = step.link.unwrap_or(place.polygon);
            let (corner, kind) = (step.point, step.kind);
            let (seen_from, seen_at) = (place.polygon, place.point.xz());
            agent.ahead = Some(Ahead { corner, kind, polygon, after: None, age: 0, seen_from, seen_at });
            if agent.path == PathState::OffField {
                agent.path = PathState::Field;
                agent.act(Activity::Walking);
            }
        }
        Err(reason) => {
            agent.ahead = None;
            if agent.path == PathState::Field {
                agent.path = PathState::OffField;
                agent.act(Activity::Idle);
                worker.events.push(Event { agent: agent.id(), kind: EventKind::PathPartial(reason) });
            }
        }
    }
}

/// Runs the funnel along the corridor.
fn find_corner(agent: &mut Agent, mesh: &NavMesh, worker: &mut Worker) {
    let options = StraightOptions { max_corners: 2, ..StraightOptions::default() };
    let corners = &mut worker.corners;
    let found = agent.corridor.corners(&mut worker.query, mesh, &options, corners);
    let list: &[_] = if found.is_ok() { &corners.corners } else { &[] };
    agent.ahead = list.first().map(|corner| Ahead {
        corner: corner.point,
        kind: corner.kind,
        polygon: corner.polygon,
        after: list.get(1).map(|after| after.point.xz()),
        age: 0,
        seen_from: agent.corridor.first(),
        seen_at: agent.corridor.position().xz(),
    });
}

/// The preferred velocity: towards the next corner, or straight to the target as long as the path is missing.
pub(crate) fn preferred(agent: &Agent, scene: &Scene<'_>) -> Vec2 {
    if agent.is_still() {
        return Vec2::ZERO;
    }
    let at = agent.corridor.position().xz();
    let speed = agent.params.max_speed.min(agent.pace()) * area_speed(agent, scene);
    if let Target::Velocity(velocity) = agent.target {
        return velocity.clamp_length_max(speed);
    }
    let (corner, is_last) = match (agent.ahead, agent.goal) {
        (Some(ahead), _) => (ahead.corner.xz(), ahead.kind == CornerKind::End),
        (None, Some(goal)) if agent.path == PathState::Queued(Meanwhile::Approach) => (goal.point.xz(), true),
        _ => return Vec2::ZERO,
    };
    let way = corner - at;
    let apart = way.length();
    let length = if is_last { apart - agent.standoff } else { apart };
    if length <= 0.0 {
        return Vec2::ZERO;
    }
    // It stops in time and never oversteps its target.
    let slowest = length / scene.dt.max(1e-6);
    let stopping = (2.0 * agent.params.max_acceleration * length).sqrt();
    let most = if is_last && agent.params.brakes { stopping.min(slowest) } else { f32::INFINITY };
    // At full speed it could circle around bodies next to its target without end.
    let circles = is_last
        && length < agent.params.radius * CIRCLING
        && agent.progress.unchecked > scene.parts.settings.stuck_after * 0.5;
    let speed = if circles { speed * SETTLING } else { speed };
    way * (speed.min(most) / apart)
}

/// The part of its speed that an agent keeps in the area under it.
fn area_speed(agent: &Agent, scene: &Scene<'_>) -> f32 {
    let Ground { mesh, filter } = scene.ground(agent);
    if filter.area_speeds.is_none() {
        return 1.0;
    }
    let is_up = agent.ahead.is_none_or(|ahead| ahead.corner.y >= agent.corridor.position().y);
    let attributes = mesh.attributes(agent.corridor.first());
    attributes.map_or(1.0, |attributes| filter.area_speed(attributes.area, is_up))
}

/// Lets an agent keep right for a while after it, or an agent ahead of it, has met an oncoming body.
fn keep_right(agent: &mut Agent, nearby: Nearby<'_>, at: Vec2) {
    let speed = agent.preferred.length();
    for body in nearby.bodies() {
        let offset = body.at - at;
        if agent.preferred.dot(offset) <= 0.0 || body.owner == agent.quarry() {
            continue;
        }
        let (along, both) = (agent.preferred.dot(body.preferred), speed * body.preferred.length());
        if along < COMING * both && body.preferred.dot(offset) < 0.0 {
            agent.keeps_right = KEEPS_RIGHT;
        } else if along > SAME * both {
            agent.keeps_right = agent.keeps_right.max(body.keeps_right);
        }
    }
}

/// Returns true if an agent would run into a body that crosses its path from the right. It lets that body
/// pass: two that meet at the same moment would otherwise both turn away and lead each other off. It does not
/// while it meets oncoming agents or is in a queue, where nobody would gain.
fn lets_pass(agent: &Agent, own: &Body, nearby: Nearby<'_>) -> bool {
    let preferred = agent.preferred;
    let walks = |velocity: Vec2, preferred: Vec2| velocity.dot(preferred) > 0.5 * preferred.length_squared();
    let hits = |other: &Body| {
        let (offset, gains) = (other.at - own.at, preferred - other.velocity);
        let (along, both) = (preferred.dot(other.velocity), preferred.length() * other.velocity.length());
        let crosses = along > COMING * both && along < SAME * both;
        let from_the_right = preferred.perp_dot(offset) > 0.0 && preferred.perp_dot(other.velocity) < 0.0;
        if !crosses || !from_the_right || !walks(other.velocity, other.preferred) {
            return false;
        }
        let (until, reach) = (offset.dot(gains) / gains.length_squared(), own.radius + other.radius);
        until > 0.0 && until < CROSSES && (offset - gains * until).length_squared() < reach * reach
    };
    let is_free = agent.keeps_right <= 0.0 && walks(agent.velocity, preferred);
    is_free && nearby.bodies().any(|other| hits(other) && other.owner != agent.quarry())
}

/// The lanes of the passage that an agent walks along.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lanes {
    /// It is in no passage, or need not keep right.
    Any,
    /// There is room for one.
    One,
    /// There is room for two. The distance of the agent from the right lane, metres.
    Two(f32),
}

/// The lanes of the passage that an agent walks along.
fn lanes(agent: &Agent, at: Vec2) -> Lanes {
    let needs_them = agent.keeps_right > 0.0 || agent.forwarded_claim.is_some();
    let ahead = agent.preferred.normalize_or_zero();
    let Some([right, left]) = needs_them.then(|| agent.walls.beside(at, ahead)).flatten() else {
        return Lanes::Any;
    };
    let half = agent.params.radius * HALF_LANE;
    if right + left < half * 2.0 {
        return Lanes::One;
    }
    if agent.keeps_right > 0.0 { Lanes::Two((half + (right - left) * 0.5).max(0.0)) } else { Lanes::Any }
}

/// The preferred velocity, turned aside if somebody is ahead. An agent passes an oncoming body on the right,
/// so that two agents that meet head on separate and two streams form lanes. It passes a stationary body on
/// the nearer side. An agent without progress for long is wedged between others and walls, and tries both
/// sides. `aside` is its distance from its lane, which is to its right.
fn turned_aside(agent: &Agent, nearby: Nearby<'_>, at: Vec2, aside: f32) -> Vec2 {
    let preferred = agent.preferred;
    let speed = preferred.length();
    if speed == 0.0 {
        return preferred;
    }
    let ahead = preferred / speed;
    if agent.progress.stalled > WEDGED && !agent.in_lane {
        // Ahead, to one side, ahead, to the other.
        let tries = (agent.progress.stalled / TRY) as u32;
        return [preferred, preferred.perp(), preferred, -preferred.perp()]
            [(tries.wrapping_add(agent.number) % 4) as usize];
    }
    let way = agent.ahead.map_or(f32::INFINITY, |ahead| ahead.corner.xz().distance(at));
    // With x to the right and z towards the viewer, `perp` points to the agent's right.
    let turn = nearby.bodies().find_map(|body| {
        if body.owner == agent.quarry() {
            return None;
        }
        let offset = body.at - at;
        let (before, beside) = (ahead.dot(offset), ahead.perp_dot(offset));
        let along = ahead.dot(body.preferred);
        if before <= 0.0 || along > SAME * body.preferred.length() {
            return None;
        }
        let (reach, its_speed) = (agent.params.radius + body.radius, body.velocity.length());
        if before > (speed + its_speed) * PASSING {
            return None;
        }
        if its_speed < STANDING && body.preferred == Vec2::ZERO {
            let blocks = beside.abs() < reach && before < way;
            return blocks.then_some(if beside > 0.0 { -STANDING_TURN } else { STANDING_TURN });
        }
        let comes = along < COMING * body.preferred.length();
        (comes && beside.abs() < reach * 1.5).then_some(COMING_TURN)
    });
    let to_lane = (aside > 0.0).then(|| (aside * 0.5 / agent.params.radius).min(1.0));
    let turn = turn.into_iter().chain(to_lane).reduce(f32::max);
    turn.map_or(preferred, |turn| (ahead + ahead.perp() * turn).normalize() * speed)
}
