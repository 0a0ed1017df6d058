//! The move itself and its consequences: arrival, off-mesh links, stuck agents.

use super::{Scene, Worker};
use crate::agent::{
    Activity, Agent, Ahead, Footing, JAMMED, MOST_FAILURES, Passage, PathState, Role, Target,
};
use crate::avoid;
use crate::bodies::{Body, NONE, Near, Nearby, Neighbours};
use crate::event::{Event, EventKind, StuckCause};
use detour::{CornerKind, CostModel, NavMesh, Place, PolyRef, StraightOptions, Vec3};
use glam::{Vec2, Vec3Swizzles};
use std::f32::consts::PI;

/// An agent that has moved this many radii has made progress.
const PROGRESS: f32 = 1.5;
/// An agent has got nearer to its target if its remaining path is shorter by this many radii.
const NEARER: f32 = 0.25;
/// Time without progress after which an agent takes a place next to the agents at its target, seconds.
const PATIENCE: f32 = 0.4;
/// A follower that its group keeps from its slot for this time stays where it is, if its leader keeps still.
/// Seconds.
const BLOCKED: f32 = 4.0;
/// Number of steps between two checks of an agent that waits next to its target for room.
const GOES_BACK: u64 = 30;
/// Number of steps between two checks for agents that occupy each other's places. All are checked in the same
/// step.
const CHANGES: u64 = 240;
/// If an agent's path has not become shorter for this share of `stuck_after`, the bodies around its target
/// count as occupying it.
const GIVES_UP: f32 = 0.75;
/// An agent farther than this from its target is off its place, in radii.
const OFF_PLACE: f32 = 0.5;
/// The smallest distance of others from an agent that comes off an off-mesh link, in sums of both radii.
const LANDING: f32 = 0.99;
/// A slower velocity has no direction, because the squares of its components are too small for f32. Metres
/// per second.
pub(crate) const LEAST_SPEED: f32 = 1e-6;
/// A move in a shorter time has no velocity, because it is only the rounding of positions. Seconds.
const SHORTEST: f32 = 1e-6;

/// Moves an agent to its spot, unless walls stop it.
pub(crate) fn travel(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) {
    let params = &agent.params;
    match &mut agent.footing {
        Footing::Passage(passage) => passage.advance(params, scene.dt),
        Footing::Ground(_) if !agent.is_kinematic => {
            slide_to(agent, scene.parts.spots.now[agent.place as usize], scene, worker);
        }
        Footing::Ground(_) | Footing::Lost(_) | Footing::Carried(_) => {}
    }
}

/// Moves an agent along the surface, together with its path.
fn slide_to(agent: &mut Agent, to: Vec2, scene: &Scene<'_>, worker: &mut Worker) {
    let from = agent.corridor.position();
    if to == from.xz() {
        return;
    }
    let goal = from.with_x(to.x).with_z(to.y);
    // The polygon under the agent was there at the beginning of the step.
    let _ = agent.corridor.move_start(&mut worker.query, scene.mesh, goal, scene.ground(agent).filter);
    if !agent.path.is_found() {
        agent.corridor.reset(agent.corridor.place());
    }
}

/// Updates an agent after the move. If its spot is now its position at the beginning of the step, the agent
/// returns there: walls stopped others, or it would have run into them.
pub(crate) fn conclude(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) {
    if let Footing::Passage(passage) = agent.footing {
        cross(agent, passage, scene.nearby(worker.near_lists.of(index)), scene);
        return;
    }
    if agent.is_kinematic || agent.is_lost() {
        return;
    }
    if scene.parts.spots.now[agent.place as usize] != agent.corridor.position().xz() {
        slide_to(agent, scene.parts.spots.now[agent.place as usize], scene, worker);
    }
    let own = &scene.parts.own[agent.place as usize];
    agent.velocity = (agent.corridor.position().xz() - own.at) / scene.dt.max(SHORTEST);
    turn(agent, scene.dt);
    let nearby = scene.nearby(worker.near_lists.of(index));
    if has_arrived(agent, nearby, scene.parts.settings.stuck_after) {
        let failures = agent.progress.failures.saturating_add(1).min(MOST_FAILURES);
        agent.progress.failures = if is_there(agent) { 0 } else { failures };
        agent.act(Activity::Arrived);
        agent.ahead = None;
        (agent.progress.at, agent.progress.stalled) = (agent.corridor.position().xz(), 0.0);
        worker.events.push(Event { agent: agent.id(), kind: EventKind::Arrived });
    } else if goes_back(agent, scene) {
        agent.act(Activity::Walking);
    }
    watch(agent, index, scene, worker);
}

/// Updates an agent on a passage after the move.
fn cross(agent: &mut Agent, passage: Passage, nearby: Nearby<'_>, scene: &Scene<'_>) {
    let (own, speed) = (&scene.parts.own[agent.place as usize], passage.speed(&agent.params));
    let moves = passage.progress < passage.length;
    agent.velocity = if moves { passage.direction() * speed } else { Vec2::ZERO };
    if passage.link.is_none() {
        turn(agent, scene.dt);
    }
    let is_free = nearby.bodies().all(|body| {
        let reach = (own.radius + body.radius) * LANDING;
        body.lands || scene.parts.spots.now[body.place as usize].distance_squared(own.at) >= reach * reach
    });
    let may_land = !moves && speed > 0.0 && is_free;
    agent.footing = Footing::Passage(Passage { may_land, ..passage });
}

/// Turns towards the direction of travel, limited by the turning speed.
fn turn(agent: &mut Agent, dt: f32) {
    let speed = agent.velocity.length();
    if speed > 0.05 * agent.params.max_speed && speed > LEAST_SPEED {
        agent.heading = turned(agent.heading, agent.velocity / speed, agent.params.turn_rate * dt);
    }
}

/// A unit vector turned towards another by at most an angle.
pub(crate) fn turned(from: Vec2, to: Vec2, most: f32) -> Vec2 {
    if most >= PI {
        return to; // True for all agents that turn at once.
    }
    let angle = libm::atan2f(from.perp_dot(to), from.dot(to));
    if angle.abs() <= most {
        return to;
    }
    let angle = most.copysign(angle);
    Vec2::new(libm::cosf(angle), libm::sinf(angle)).rotate(from).normalize_or(to)
}

/// Returns true if the agent is at the target of its path.
fn is_there(agent: &Agent) -> bool {
    let away = agent.corridor.position().xz().distance(agent.corridor.target().xz());
    let is_ahead = agent.standoff > 0.0 && agent.ahead.is_some_and(|ahead| ahead.kind == CornerKind::End);
    away <= agent.params.stopping_distance.max(1e-3) + agent.standoff
        && (is_ahead || agent.corridor.polygons().len() <= 2)
}

/// Returns true if the agent is at its target, or at the edge of the agents that are.
fn has_arrived(agent: &Agent, nearby: Nearby<'_>, stuck_after: f32) -> bool {
    if agent.is_at_rest() || matches!(agent.role, Role::Follower { may_arrive: false, .. }) {
        return false;
    }
    match agent.path {
        PathState::Complete => {}
        PathState::Field => return has_arrived_by_field(agent, nearby),
        _ => return false,
    }
    if is_there(agent) {
        return true;
    }
    let (at, target) = (agent.corridor.position(), agent.corridor.target());
    let away = at.xz().distance(target.xz());
    // Its place is taken: another agent is on it, or has arrived there or next to it. Members of its own
    // group that wait for their leader to arrive have no other place. Bodies around its place that each leave
    // room for it may leave none together: it finds out by trying.
    let follows = matches!(agent.target, Target::Group(_));
    let gives_up = agent.progress.unchecked >= stuck_after * GIVES_UP;
    if !gives_up && agent.progress.stalled < if follows { BLOCKED } else { PATIENCE } {
        return false;
    }
    let reach = |body: &Body| agent.params.radius + body.radius;
    let crowding = |body: &Body| if gives_up { reach(body) } else { crowding(agent, body) };
    let occupies_it = |body: &Body| body.at.distance(target.xz()) <= crowding(body);
    let is_taken = nearby.bodies().any(|body| body.errand.has_arrived && occupies_it(body));
    let same = (agent.params.stopping_distance * 2.0).max(1e-3);
    nearby.iter().filter(|(near, body)| near.away <= (reach(body) * 1.25).powi(2)).any(|(_, body)| {
        let its = &body.errand;
        let is_own = agent.group().is_some_and(|own| own.index == its.group);
        let is_between = body.at.distance(target.xz()) < away;
        let hunts_same = its.quarry == agent.quarry() && its.quarry != NONE;
        let has_same = hunts_same || its.target.distance(target.xz()) <= same;
        let ends_here = occupies_it(body) || is_between && (is_taken || has_same);
        its.has_arrived && ends_here || is_own && (follows || occupies_it(body))
    })
}

/// A body nearer to the target than this takes the place there: the agent could not come to rest.
fn crowding(agent: &Agent, body: &Body) -> f32 {
    let reach = agent.params.radius + body.radius;
    (reach - agent.params.stopping_distance).max(reach * 0.5)
}

/// Returns true if an agent next to its target walks there now. The agent arrived next to it because the
/// target was taken, or others pushed it away. It returns if nobody is at the target or walks past. This is
/// checked now and then, more rarely after each failure. Agents that occupy each other's places also go, all
/// in the same step, so that they swap places.
fn goes_back(agent: &Agent, scene: &Scene<'_>) -> bool {
    let is_at_rest = agent.is(Activity::Arrived) && matches!(agent.target, Target::Place(_));
    if !is_at_rest || agent.path != PathState::Complete {
        return false;
    }
    let failures = agent.progress.failures;
    let changes = scene.parts.steps.is_multiple_of(CHANGES << failures);
    if !changes && !(scene.parts.steps + u64::from(agent.number)).is_multiple_of(GOES_BACK << failures) {
        return false;
    }
    let (target, params) = (agent.corridor.target(), &agent.params);
    let away = agent.corridor.position().xz().distance(target.xz());
    let least = if changes {
        (params.stopping_distance * 2.0).max(params.radius * OFF_PLACE)
    } else {
        params.radius + params.stopping_distance
    };
    if away <= least || scene.parts.interest.is_far(agent.corridor.position()) {
        return false;
    }
    let mut near = Neighbours::default();
    // The neighbours of this step may be limited to bodies that it could touch.
    let own = &scene.parts.own[agent.place as usize];
    let around = own.at.extend(own.feet).xzy();
    scene
        .parts
        .bodies
        .near(&agent.around(around, avoid::decide::reach(agent, scene.parts.bodies.largest)), &mut near);
    if scene.nearby(near.list()).bodies().any(|body| body.preferred != Vec2::ZERO) {
        return false;
    }
    // The neighbours above may not reach as far as its target.
    scene.parts.bodies.near(&agent.around(target, params.radius + scene.parts.bodies.largest), &mut near);
    scene.nearby(near.list()).iter().all(|(near, other)| {
        let its = &other.errand;
        let is_free = near.away.sqrt() > agent.params.radius + other.radius;
        let is_apart = its.target.distance(target.xz()) > crowding(agent, other);
        let is_off_place = other.at.distance(its.target) > other.radius * OFF_PLACE;
        is_free || changes && its.has_arrived && is_off_place && is_apart
    })
}

/// Returns true if an agent is at a goal of its field, or at the edge of the agents that are.
fn has_arrived_by_field(agent: &Agent, nearby: Nearby<'_>) -> bool {
    let at = agent.corridor.position().xz();
    let goal = agent.ahead.filter(|ahead| ahead.kind == CornerKind::End);
    let enough = agent.params.stopping_distance.max(1e-3);
    if goal.is_some_and(|ahead| ahead.corner.xz().distance(at) <= enough) {
        return true;
    }
    agent.progress.stalled >= PATIENCE
        && nearby.iter().any(|(near, body)| {
            let reach = (agent.params.radius + body.radius) * 1.25;
            let its = &body.errand;
            let is_there = its.has_arrived && agent.field().is_some_and(|own| own.index == its.field);
            is_there && near.away <= reach * reach
        })
}

/// Detects that an agent makes no progress.
fn watch(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) {
    let at = agent.corridor.position().xz();
    agent.in_jam = (agent.in_jam - scene.dt).max(0.0);
    agent.keeps_right = (agent.keeps_right - scene.dt).max(0.0);
    let wants = !agent.is_at_rest() && !matches!(agent.target, Target::None | Target::Velocity(_));
    let enough = (agent.params.radius * PROGRESS).max(0.2);
    let progress = &mut agent.progress;
    let before = progress.stalled;
    if !wants {
        (progress.stalled, progress.shortest, progress.unchecked) = (0.0, f32::INFINITY, 0.0);
        return;
    }
    if progress.at.distance_squared(at) > enough * enough {
        (progress.at, progress.stalled) = (at, 0.0);
    } else {
        // An agent that slows down in a crowd has more time for the same distance.
        let speed = agent.preferred.length();
        progress.stalled += scene.dt * if speed > 0.0 { speed / agent.params.max_speed } else { 1.0 };
        if progress.stalled >= JAMMED {
            agent.in_jam = avoid::decide::RESOLVED;
        }
    }
    let times = |seconds: f32| (seconds / scene.parts.settings.stuck_after) as u32;
    let is_stuck = times(progress.stalled) > times(before);
    if is_stuck || gets_no_nearer(agent, index, scene, worker) {
        agent.progress.unchecked = 0.0;
        let cause = cause(agent, scene.nearby(worker.near_lists.of(index)));
        worker.events.push(Event { agent: agent.id(), kind: EventKind::Stuck(cause) });
    }
}

/// Returns true if an agent has made no progress towards its target for long, for example because it moves to
/// and fro. Checks the remaining path twice in that time. An agent that waits in a queue is not stuck: time
/// next to other agents that want to move does not count.
fn gets_no_nearer(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) -> bool {
    let half = scene.parts.settings.stuck_after * 0.5;
    let wants = |body: &Body| body.preferred.length() > agent.params.max_speed * 0.05;
    let nearby = scene.nearby(worker.near_lists.of(index));
    let queues =
        agent.is_waiting() || nearby.iter().any(|(near, body)| wants(body) && touches(agent, body, near));
    let before = agent.progress.unchecked;
    agent.progress.unchecked += if queues { 0.0 } else { scene.dt };
    let is_due = (agent.progress.unchecked / half) as u32 > (before / half) as u32;
    if is_due && has_come_nearer(agent, scene, worker) {
        agent.progress.unchecked = 0.0;
    }
    is_due && agent.progress.unchecked >= scene.parts.settings.stuck_after
}

/// Returns true if a body is so near that it blocks an agent.
fn touches(agent: &Agent, body: &Body, near: &Near) -> bool {
    let reach = (agent.params.radius + body.radius) * 1.2;
    near.away <= reach * reach
}

/// Returns true if an agent's remaining path is shorter than ever before. Also true if the agent has no path,
/// or if its target has moved.
fn has_come_nearer(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) -> bool {
    let enough = (agent.params.radius * NEARER).max(0.05);
    let (place, target) = (agent.corridor.place(), agent.corridor.target().xz());
    let (left, enough, goal) = match (agent.path, agent.field()) {
        (PathState::Complete | PathState::Partial(_), _) => {
            let Worker { query, corners, .. } = worker;
            let options = StraightOptions::default();
            if agent.corridor.corners(query, scene.mesh, &options, corners).is_err() {
                return true;
            }
            let ways = corners.corners.iter().scan(place.point, |at, corner| {
                Some(std::mem::replace(at, corner.point).distance(corner.point))
            });
            (ways.sum(), enough, target)
        }
        (PathState::Field, Some(field)) => {
            let Some(cost) = scene.parts.fields.distance(field, scene.mesh, place) else { return true };
            (cost, enough * scene.ground(agent).filter.minimum_cost(), Vec2::ZERO)
        }
        _ => return true,
    };
    let progress = &mut agent.progress;
    let has_moved = progress.shortest_to.distance_squared(goal) > enough * enough;
    let is_nearer = has_moved || left < progress.shortest - enough;
    if is_nearer {
        (progress.shortest, progress.shortest_to) = (left, goal);
    }
    is_nearer
}

fn cause(agent: &Agent, nearby: Nearby<'_>) -> StuckCause {
    let is_crowded = nearby.iter().any(|(near, body)| touches(agent, body, near));
    match agent.path {
        _ if agent.is_waiting() => StuckCause::LinkBusy,
        PathState::Partial(_) | PathState::OffField => StuckCause::NoWay,
        _ if is_crowded => StuckCause::Crowded,
        _ => StuckCause::Slow,
    }
}

/// Returns true if an agent is at the start of the off-mesh link on its path.
pub(crate) fn at_link(agent: &Agent) -> bool {
    let near = agent.params.radius.max(0.1) * 1.5;
    let is_at = |ahead: Ahead| {
        let away = ahead.corner.xz().distance(agent.corridor.position().xz());
        ahead.kind == CornerKind::LinkStart && away <= near
    };
    matches!(agent.footing, Footing::Ground(_)) && agent.ahead.is_some_and(is_at)
}

/// The next off-mesh link of an agent, and the places where the agent steps onto it and comes off.
pub(crate) fn next_link(agent: &Agent, mesh: &NavMesh) -> Option<(PolyRef, [Place; 2])> {
    if agent.path != PathState::Field {
        let ahead = agent.corridor.link_ahead(mesh).ok().flatten()?;
        return Some((ahead.link, [ahead.start, ahead.end]));
    }
    // A field gives the link and the end where it begins; the agent leaves it at the other end.
    let ahead = agent.ahead?;
    Some((ahead.polygon, crossing_from(ahead.polygon, ahead.corner, mesh)?))
}

/// Start and end of an off-mesh link, from the end of it that is nearer to a place. `None` for ground, and
/// while the link is not joined.
pub(crate) fn crossing_from(polygon: PolyRef, near: Vec3, mesh: &NavMesh) -> Option<[Place; 2]> {
    let crossing = |backwards| mesh.link_crossing(polygon, backwards, near).ok().flatten();
    let away = |ends: &[Place; 2]| ends[0].point.distance_squared(near);
    [crossing(false), crossing(true)].into_iter().flatten().min_by(|a, b| away(a).total_cmp(&away(b)))
}

/// Steps onto the next off-mesh link.
pub(crate) fn step_onto(agent: &mut Agent, mesh: &NavMesh) -> Option<EventKind> {
    let link = agent.ahead?.polygon;
    let from = agent.corridor.position();
    let to = if agent.path == PathState::Field {
        let (_, [_, to]) = next_link(agent, mesh)?;
        agent.corridor.reset(to);
        to
    } else {
        agent.corridor.move_over_link(mesh, link).ok().flatten()?
    };
    leave_ground(agent, Passage::new(Some(link), from, to));
    agent.walls.clear();
    Some(EventKind::LinkEntered(link))
}

/// Leaves ground that was removed, straight to other ground: at walking speed, or in a fall. Agents that
/// cannot walk are moved there.
pub(crate) fn step_out(agent: &mut Agent, from: Vec3, to: Place, falls: bool) -> EventKind {
    if agent.is_kinematic || agent.params.max_speed <= 0.0 && !falls {
        return EventKind::GroundFound;
    }
    leave_ground(agent, Passage { falls, ..Passage::new(None, from, to) });
    if falls { EventKind::Falling } else { EventKind::SteppingOut }
}

/// Puts an agent at the start of a passage.
fn leave_ground(agent: &mut Agent, passage: Passage) {
    agent.footing = Footing::Passage(passage);
    (agent.ahead, agent.waited, agent.progress.stalled) = (None, 0.0, 0.0);
}

/// Leaves an off-mesh link, or steps onto new ground. Does nothing on the ground.
pub(crate) fn step_off(agent: &mut Agent) -> Option<Event> {
    let link = agent.passage()?.link;
    agent.touch_ground();
    agent.progress.at = agent.corridor.position().xz();
    Some(Event { agent: agent.id(), kind: link.map_or(EventKind::GroundFound, EventKind::LinkLeft) })
}
