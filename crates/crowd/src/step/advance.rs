//! The move itself and its consequences: arrival, off-mesh links, stuck agents.

use super::{Scene, Worker};
use crate::agent::{Agent, AgentState, Passage, Route, Target};
use crate::avoid;
use crate::bodies::{Body, NONE, Near, Neighbours};
use crate::event::{Event, EventKind, StuckCause};
use crate::ids::AgentId;
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
/// An agent without progress for this time is in a jam and claims right of way. Seconds.
pub(crate) const JAMMED: f32 = 1.0;
/// Number of steps between two checks of an agent that waits next to its target for room.
const GOES_BACK: u64 = 30;
/// Number of steps between two checks for agents that occupy each other's places. All are checked in the same
/// step.
const CHANGES: u64 = 240;
/// An agent farther than this from its target is off its place, in radii.
const OFF_PLACE: f32 = 0.5;
/// The smallest distance of others from an agent that comes off an off-mesh link, in sums of both radii.
const LANDING: f32 = 0.99;
/// A slower velocity has no direction, because the squares of its components are too small for f32. Metres
/// per second.
pub(crate) const LEAST_SPEED: f32 = 1e-6;
/// A move in a shorter time has no velocity, because it is only the rounding of positions. Seconds.
const SHORTEST: f32 = 1e-6;
/// Seconds for which an agent that got through still claims right of way, and others still yield.
const RESOLVED: f32 = 1.5;

/// Moves an agent to its spot, unless walls stop it.
pub(crate) fn travel(agent: &mut Agent, scene: &Scene<'_>, worker: &mut Worker) {
    if let Some(mut passage) = agent.passage {
        passage.progress += agent.passage_speed(&passage) * scene.dt;
        agent.passage = Some(passage);
        return;
    }
    if !agent.is_kinematic && agent.state != AgentState::Lost {
        slide_to(agent, scene.spots[agent.place as usize], scene, worker);
    }
}

/// Moves an agent along the surface, together with its path.
fn slide_to(agent: &mut Agent, to: Vec2, scene: &Scene<'_>, worker: &mut Worker) {
    let from = agent.corridor.position();
    if to == from.xz() {
        return;
    }
    let filter = &scene.filters[usize::from(agent.params.filter.0)];
    let goal = from.with_x(to.x).with_z(to.y);
    // The polygon under the agent was there at the beginning of the step.
    let _ = agent.corridor.move_start(&mut worker.query, scene.mesh, goal, filter);
    if !matches!(agent.route, Route::Complete | Route::Partial(_)) {
        agent.corridor.reset(agent.corridor.place());
    }
}

/// Updates an agent after the move. If its spot is now its position at the beginning of the step, the agent
/// returns there: walls stopped others, or it would have run into them.
pub(crate) fn conclude(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) {
    let id = agent.id();
    let own = &scene.own[agent.place as usize];
    if let Some(passage) = agent.passage {
        let way = (passage.to.point - passage.from).xz();
        let speed = agent.passage_speed(&passage);
        agent.velocity = way.normalize_or_zero() * speed;
        if passage.link.is_none() {
            turn(agent, scene.dt);
        }
        let is_free = worker.near_lists.of(index).iter().all(|near| {
            let body = &scene.bodies.sorted[near.body as usize];
            let reach = (own.radius + body.radius) * LANDING;
            body.lands || scene.spots[body.place as usize].distance_squared(own.at) >= reach * reach
        });
        agent.may_land = passage.progress >= passage.length && speed > 0.0 && is_free;
        return;
    }
    if agent.is_kinematic || agent.state == AgentState::Lost {
        return;
    }
    if scene.spots[agent.place as usize] != agent.corridor.position().xz() {
        slide_to(agent, scene.spots[agent.place as usize], scene, worker);
    }
    agent.velocity = (agent.corridor.position().xz() - own.at) / scene.dt.max(SHORTEST);
    turn(agent, scene.dt);
    if has_arrived(agent, worker.near_lists.of(index), scene) {
        agent.state = AgentState::Arrived;
        agent.ahead = None;
        (agent.progress_at, agent.stalled) = (agent.corridor.position().xz(), 0.0);
        worker.events.push(Event { agent: id, kind: EventKind::Arrived });
    } else if goes_back(agent, id, scene) {
        agent.state = AgentState::Walking;
    }
    watch(agent, index, scene, worker);
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

/// Returns true if the agent is at its target, or at the edge of the agents that are.
fn has_arrived(agent: &Agent, near: &[Near], scene: &Scene<'_>) -> bool {
    if agent.is_at_rest() || !agent.settles {
        return false;
    }
    match agent.route {
        Route::Complete => {}
        Route::Field => return has_arrived_by_field(agent, near, scene),
        _ => return false,
    }
    let (at, target) = (agent.corridor.position(), agent.corridor.target());
    let away = at.xz().distance(target.xz());
    let is_ahead = agent.beside > 0.0 && agent.ahead.is_some_and(|ahead| ahead.kind == CornerKind::End);
    let is_near = away <= agent.params.stopping_distance.max(1e-3) + agent.beside;
    if is_near && (is_ahead || agent.corridor.polygons().len() <= 2) {
        return true;
    }
    // Its place is taken: another agent is on it, or has arrived there or next to it. Members of its own
    // group that wait for their leader to arrive have no other place.
    let follows = matches!(agent.target, Target::Group(_));
    if agent.stalled < if follows { BLOCKED } else { PATIENCE } {
        return false;
    }
    let bodies = || near.iter().map(|near| (near.away, &scene.bodies.sorted[near.body as usize]));
    let reach = |body: &Body| agent.params.radius + body.radius;
    let stands_there = |body: &Body| body.at.distance(target.xz()) <= crowding(agent, body);
    let is_taken = bodies().any(|(_, body)| body.has_arrived && stands_there(body));
    let same = (agent.params.stopping_distance * 2.0).max(1e-3);
    bodies().filter(|(away, body)| *away <= (reach(body) * 1.25) * (reach(body) * 1.25)).any(|(_, body)| {
        let is_own = agent.group.is_some_and(|own| own.index == body.group);
        let is_between = body.at.distance(target.xz()) < away;
        let hunts_same = body.quarry == agent.quarry() && body.quarry != NONE;
        let has_same = hunts_same || body.target.distance(target.xz()) <= same;
        let ends_here = stands_there(body) || is_between && (is_taken || has_same);
        body.has_arrived && ends_here || is_own && (follows || stands_there(body))
    })
}

/// A body nearer to the target than this takes the place there: the agent could not come to rest.
fn crowding(agent: &Agent, body: &Body) -> f32 {
    let reach = agent.params.radius + body.radius;
    (reach - agent.params.stopping_distance).max(reach * 0.5)
}

/// Returns true if an agent next to its target walks there now. The agent arrived next to it because the
/// target was taken, or others pushed it away. It returns if nobody is at the target or walks past. This is
/// checked now and then. Agents that occupy each other's places also go, all in the same step, so that they
/// swap places.
fn goes_back(agent: &Agent, id: AgentId, scene: &Scene<'_>) -> bool {
    let is_at_rest = agent.state == AgentState::Arrived && matches!(agent.target, Target::Place(_));
    if !is_at_rest || agent.route != Route::Complete {
        return false;
    }
    let changes = scene.step.is_multiple_of(CHANGES);
    if !changes && !(scene.step + u64::from(id.index)).is_multiple_of(GOES_BACK) {
        return false;
    }
    let (target, params) = (agent.corridor.target(), &agent.params);
    let away = agent.corridor.position().xz().distance(target.xz());
    let least = if changes {
        (params.stopping_distance * 2.0).max(params.radius * OFF_PLACE)
    } else {
        params.radius + params.stopping_distance
    };
    if away <= least || scene.interest.is_far(agent.corridor.position()) {
        return false;
    }
    let body = |near: &Near| &scene.bodies.sorted[near.body as usize];
    let mut near = Neighbours::default();
    let mut look = |at: Vec3, reach: f32| {
        let heights = (at.y, at.y + params.height);
        scene.bodies.near((at.xz(), id.index), reach, heights, params.avoids, &mut near);
        near
    };
    // The neighbours of this step may be limited to bodies that it could touch.
    let own = scene.own[agent.place as usize];
    let around = look(own.at.extend(own.feet).xzy(), avoid::decide::reach(agent, scene.bodies.largest));
    if around.list().iter().any(|near| body(near).wanted != Vec2::ZERO) {
        return false;
    }
    // The neighbours above may not reach as far as its target.
    let near = look(target, params.radius + scene.bodies.largest);
    near.list().iter().all(|near| {
        let other = body(near);
        let is_free = near.away.sqrt() > crowding(agent, other);
        let is_apart = other.target.distance(target.xz()) > crowding(agent, other);
        let is_off_place = other.at.distance(other.target) > other.radius * OFF_PLACE;
        is_free || changes && other.has_arrived && is_off_place && is_apart
    })
}

/// Returns true if an agent is at a goal of its field, or at the edge of the agents that are.
fn has_arrived_by_field(agent: &Agent, near: &[Near], scene: &Scene<'_>) -> bool {
    let at = agent.corridor.position().xz();
    let away = |ahead: crate::agent::Ahead| ahead.corner.xz().distance(at);
    let goal = agent.ahead.filter(|ahead| ahead.kind == CornerKind::End);
    if goal.is_some_and(|ahead| away(ahead) <= agent.params.stopping_distance.max(1e-3)) {
        return true;
    }
    agent.stalled >= PATIENCE
        && near.iter().any(|near| {
            let body = &scene.bodies.sorted[near.body as usize];
            let reach = (agent.params.radius + body.radius) * 1.25;
            let is_there = body.has_arrived && agent.field().is_some_and(|own| own.index == body.field);
            is_there && near.away <= reach * reach
        })
}

/// Detects that an agent makes no progress.
fn watch(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) {
    let at = agent.corridor.position().xz();
    agent.claims = (agent.claims - scene.dt).max(0.0);
    agent.gives = (agent.gives - scene.dt).max(0.0);
    let wants = !agent.is_at_rest() && !matches!(agent.target, Target::None | Target::Velocity(_));
    let enough = (agent.params.radius * PROGRESS).max(0.2);
    if !wants {
        (agent.stalled, agent.nearest, agent.looked) = (0.0, f32::INFINITY, 0.0);
        return;
    }
    let before = agent.stalled;
    if agent.progress_at.distance_squared(at) > enough * enough {
        (agent.progress_at, agent.stalled) = (at, 0.0);
    } else {
        agent.stalled += scene.dt;
        if agent.stalled >= JAMMED {
            (agent.claims, agent.gives) = (RESOLVED, RESOLVED);
        }
    }
    let times = |seconds: f32| (seconds / scene.settings.stuck_after) as u32;
    let stands = times(agent.stalled) > times(before);
    if stands || gets_no_nearer(agent, index, scene, worker) {
        agent.looked = 0.0;
        let cause = cause(agent, worker.near_lists.of(index), scene);
        worker.events.push(Event { agent: agent.id(), kind: EventKind::Stuck(cause) });
    }
}

/// Returns true if an agent has made no progress towards its target for long, for example because it moves to
/// and fro. Checks the remaining path twice in that time. An agent that waits in a queue is not stuck: time
/// next to other agents that want to move does not count.
fn gets_no_nearer(agent: &mut Agent, index: usize, scene: &Scene<'_>, worker: &mut Worker) -> bool {
    let half = scene.settings.stuck_after * 0.5;
    let waits = matches!(agent.state, AgentState::Waiting(_));
    let queues = waits
        || worker.near_lists.of(index).iter().any(|near| {
            let body = &scene.bodies.sorted[near.body as usize];
            body.wanted.length() > agent.params.max_speed * 0.05 && touches(agent, body, near)
        });
    let before = agent.looked;
    agent.looked += if queues { 0.0 } else { scene.dt };
    let is_due = (agent.looked / half) as u32 > (before / half) as u32;
    if is_due && has_come_nearer(agent, scene, worker) {
        agent.looked = 0.0;
    }
    is_due && agent.looked >= scene.settings.stuck_after
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
    let filter = &scene.filters[usize::from(agent.params.filter.0)];
    let (place, target) = (agent.corridor.place(), agent.corridor.target().xz());
    let (left, enough, goal) = match (agent.route, agent.target) {
        (Route::Complete | Route::Partial(_), _) => {
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
        (Route::Field, Target::Field(field)) => {
            let Some(cost) = scene.fields.distance(field, scene.mesh, place) else { return true };
            (cost, enough * filter.minimum_cost(), Vec2::ZERO)
        }
        _ => return true,
    };
    let has_moved = agent.nearest_to.distance_squared(goal) > enough * enough;
    let is_nearer = has_moved || left < agent.nearest - enough;
    if is_nearer {
        (agent.nearest, agent.nearest_to) = (left, goal);
    }
    is_nearer
}

fn cause(agent: &Agent, near: &[Near], scene: &Scene<'_>) -> StuckCause {
    let is_crowded = near.iter().any(|near| touches(agent, &scene.bodies.sorted[near.body as usize], near));
    match (agent.state, agent.route) {
        (AgentState::Waiting(_), _) => StuckCause::LinkBusy,
        (_, Route::Partial(_) | Route::OffField) => StuckCause::NoWay,
        _ if is_crowded => StuckCause::Crowded,
        _ => StuckCause::Slow,
    }
}

/// Returns true if an agent is at the start of the off-mesh link on its path.
pub(crate) fn at_link(agent: &Agent) -> bool {
    let near = agent.params.radius.max(0.1) * 1.5;
    let is_at = |ahead: crate::agent::Ahead| {
        let away = ahead.corner.xz().distance(agent.corridor.position().xz());
        ahead.kind == CornerKind::LinkStart && away <= near
    };
    agent.passage.is_none() && agent.ahead.is_some_and(is_at)
}

/// The next off-mesh link of an agent, and the places where the agent steps onto it and comes off.
pub(crate) fn next_link(agent: &Agent, mesh: &NavMesh) -> Option<(PolyRef, [Place; 2])> {
    if agent.route != Route::Field {
        let ahead = agent.corridor.link_ahead(mesh).ok().flatten()?;
        return Some((ahead.link, [ahead.start, ahead.end]));
    }
    // A field gives the link and the end where it begins; the agent leaves it at the other end.
    let ahead = agent.ahead?;
    let crossing = |backwards| mesh.link_crossing(ahead.polygon, backwards, ahead.corner).ok().flatten();
    let (there, back) = (crossing(false)?, crossing(true)?);
    let [to_start, to_end] = [there, back].map(|[start, _]| start.point.distance_squared(ahead.corner));
    Some((ahead.polygon, if to_start > to_end { back } else { there }))
}

/// Steps onto the next off-mesh link.
pub(crate) fn step_onto(agent: &mut Agent, mesh: &NavMesh) -> Option<EventKind> {
    let link = agent.ahead?.polygon;
    let from = agent.corridor.position();
    let to = if agent.route == Route::Field {
        let (_, [_, to]) = next_link(agent, mesh)?;
        agent.corridor.reset(to);
        to
    } else {
        agent.corridor.move_over_link(mesh, link).ok().flatten()?
    };
    let length = from.distance(to.point);
    agent.passage = Some(Passage { link: Some(link), from, to, progress: 0.0, length });
    agent.state = AgentState::OnLink(link);
    (agent.ahead, agent.waited, agent.stalled) = (None, 0.0, 0.0);
    agent.walls.clear();
    Some(EventKind::LinkEntered(link))
}

/// Leaves ground that was removed, straight to other ground, at walking speed. Agents that cannot walk are
/// moved there.
pub(crate) fn step_out(agent: &mut Agent, from: Vec3, to: Place) -> EventKind {
    let length = from.distance(to.point);
    if agent.is_kinematic || agent.params.max_speed <= 0.0 {
        return EventKind::GroundFound;
    }
    agent.passage = Some(Passage { link: None, from, to, progress: 0.0, length });
    agent.state = AgentState::SteppingOut;
    (agent.ahead, agent.waited, agent.stalled) = (None, 0.0, 0.0);
    EventKind::SteppingOut
}

/// Leaves an off-mesh link, or steps onto new ground.
pub(crate) fn step_off(agent: &mut Agent, id: AgentId, passage: Passage) -> Event {
    (agent.passage, agent.may_land) = (None, false);
    agent.progress_at = agent.corridor.position().xz();
    agent.state = agent.state_on_ground();
    Event { agent: id, kind: passage.link.map_or(EventKind::GroundFound, EventKind::LinkLeft) }
}
