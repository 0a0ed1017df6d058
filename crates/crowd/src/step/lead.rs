//! Groups: the slots of followers around their leader as it is now, and the leader's pace.
//!
//! A slot is held if a straight line leads to it over the ground from where the leader is, or to a place near it. Where
//! there is no room, its follower goes in the leader's track: those who do make a column, which passes wherever the leader
//! has passed.

use super::{Worker, advance};
use crate::agent::{Agent, AgentState, Route, Target};
use crate::agents::AgentList;
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::group::assign::{AssignScratch, assign};
use crate::group::{Follower, Group, TRAIL_STEPS};
use crate::ids::GroupId;
use detour::{NavMesh, Place, Ray};
use glam::{Vec2, Vec3Swizzles};

/// Least distance of neighbours, in the largest diameter of a member.
const LEAST_SPACING: f32 = 1.1;
/// How fast a formation turns with its leader, radians per second.
const TURN_RATE: f32 = 2.0;
/// A leader that is slower than this part of its speed gives the formation no new direction.
const STEERING: f32 = 0.2;
/// How long there must be room for a slot before its follower leaves the column, seconds.
const OPENING: f32 = 0.4;
/// How far from a slot its follower may stand where a wall is in the way, and how near slots may come to each other for
/// that, in spacings.
const CLAMPED: f32 = 0.5;
const APART: f32 = 0.8;
/// The leader slows down from this lag of the last follower on, and stands at the second, in spacings.
const LAG: [f32; 2] = [0.25, 4.0];
/// A straggler that comes no nearer for so long is not waited for, seconds; the leader goes on at this part of its pace.
const PATIENCE: f32 = 8.0;
const IMPATIENT: f32 = 0.5;

/// A follower that has come no farther for so long takes the slot of one that it touches, seconds and sums of both radii.
const BLOCKED: f32 = 1.0;
const TOUCHING: f32 = 1.3;

/// Scratch memory for groups.
#[derive(Debug, Default)]
pub(crate) struct LeadScratch {
    ray: Ray,
    assign: AssignScratch,
    at: Vec<Vec2>,
    wanted: Vec<Vec2>,
    chosen: Vec<u32>,
    /// Indices of followers in the order of their slots.
    order: Vec<u32>,
    /// Places of those in their slots, and of those in the column.
    taken: Vec<Vec2>,
    lined_up: Vec<Vec2>,
}

/// The input of the phase.
pub(crate) struct LeadScene<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) filters: &'a [CrowdFilter],
    pub(crate) agents: &'a AgentList,
    pub(crate) dt: f32,
}

/// Works out the slots and the pace of a group.
pub(crate) fn run(group: &mut Group, id: GroupId, scene: &LeadScene<'_>, worker: &mut Worker) {
    let leader = &scene.agents[group.leader.index()];
    if leader.state == AgentState::Lost || group.followers.is_empty() {
        group.pace = f32::INFINITY;
        return;
    }
    let widest = group.members().map(|id| scene.agents[id.index()].params.radius).fold(0.0, f32::max);
    group.lay_out(group.spacing.max(widest * 2.0 * LEAST_SPACING));
    steer(group, leader, scene);
    let place = leader.corridor.place();
    leave_trail(group, place, scene.mesh);
    let Worker { lead, events, query, .. } = worker;
    if std::mem::take(&mut group.is_new) {
        give_out(group, place, scene, lead, events);
    }
    if leader.is_at_rest() {
        pass_slots_on(group, scene, events);
    }
    let LeadScratch { ray, order, taken, lined_up, .. } = lead;
    order.clear();
    order.extend(0..group.followers.len() as u32);
    order.sort_unstable_by_key(|index| group.followers[*index as usize].slot);
    taken.clear();
    taken.push(place.point.xz());
    let spacing = group.laid_out.1;
    for index in order.iter() {
        let follower = &mut group.followers[*index as usize];
        let agent = &scene.agents[follower.agent.index()];
        let filter = &scene.filters[usize::from(agent.params.filter.0)];
        let open = group.slots.get(follower.slot as usize).and_then(|slot| {
            let wanted = place.point.xz() + turned_to(group.heading, *slot);
            let goal = place.point.with_x(wanted.x).with_z(wanted.y);
            query.raycast(scene.mesh, place, goal, filter, ray).ok()?;
            let held = Place { polygon: *ray.polygons.last()?, point: ray.point };
            let missed = held.point.xz().distance(wanted);
            let is_free = |other: &Vec2| other.distance(held.point.xz()) >= spacing * APART;
            let holds = ray.is_clear() || missed <= spacing * CLAMPED && taken.iter().all(is_free);
            holds.then_some(held)
        });
        settle(follower, open, scene.dt, events);
        if !follower.is_folded {
            taken.extend(follower.place.map(|place| place.point.xz()));
        }
    }
    fold(group, scene, order, taken, lined_up);
    group.pace = pace(group, id, leader, scene);
}

/// A slot as seen from the leader, in plan.
fn turned_to(heading: Vec2, slot: Vec2) -> Vec2 {
    heading.perp() * slot.x + heading * slot.y
}

/// Turns the formation the way that its leader goes: at once if it has only set out, and gives slots out for that.
fn steer(group: &mut Group, leader: &Agent, scene: &LeadScene<'_>) {
    let speed = leader.velocity.length();
    if speed <= advance::LEAST_SPEED || speed < leader.params.max_speed * STEERING {
        group.stood |= leader.stands();
        return;
    }
    let way = leader.velocity / speed;
    if std::mem::take(&mut group.stood) {
        (group.heading, group.is_new) = (way, true);
    } else {
        group.heading = advance::turned(group.heading, way, TURN_RATE * scene.dt);
    }
}

/// Remembers where the leader has come by.
fn leave_trail(group: &mut Group, place: Place, mesh: &NavMesh) {
    let step = group.laid_out.1 / TRAIL_STEPS as f32;
    if group.trail.front().is_none_or(|last| last.point.distance(place.point) >= step) {
        group.trail.push_front(place);
    }
    // A column leaves room between itself and slots that are held.
    group.trail.truncate((group.followers.len() + 2) * TRAIL_STEPS * 2);
    let gone = group.trail.iter().position(|place| mesh.attributes(place.polygon).is_err());
    group.trail.truncate(gone.unwrap_or(usize::MAX));
    if group.trail.is_empty() {
        group.trail.push_front(place);
    }
}

/// Gives slots out, to those that are near them.
fn give_out(
    group: &mut Group,
    place: Place,
    scene: &LeadScene<'_>,
    scratch: &mut LeadScratch,
    events: &mut Vec<Event>,
) {
    let LeadScratch { assign: pairs, at, wanted, chosen, .. } = scratch;
    at.clear();
    at.extend(group.followers.iter().map(|own| scene.agents[own.agent.index()].position().xz()));
    wanted.clear();
    wanted.extend(group.slots.iter().map(|slot| place.point.xz() + turned_to(group.heading, *slot)));
    assign(at, wanted, pairs, chosen);
    for (follower, slot) in group.followers.iter_mut().zip(chosen.iter()) {
        if follower.slot != *slot {
            follower.slot = *slot;
            let kind = EventKind::SlotChanged { slot: *slot, is_folded: follower.is_folded };
            events.push(Event { agent: follower.agent, kind });
        }
    }
}

/// A follower that one of its own group keeps from its slot takes the slot of that one, which goes on to the free one.
fn pass_slots_on(group: &mut Group, scene: &LeadScene<'_>, events: &mut Vec<Event>) {
    for index in 0..group.followers.len() {
        let own = &scene.agents[group.followers[index].agent.index()];
        if own.state != AgentState::Walking || own.stalled < BLOCKED {
            continue;
        }
        let in_the_way = |other: &Follower| {
            let its = &scene.agents[other.agent.index()];
            let reach = (own.params.radius + its.params.radius) * TOUCHING;
            its.state == AgentState::Arrived && its.position().distance(own.position()) <= reach
        };
        if let Some(other) = group.followers.iter().position(in_the_way) {
            let slots = [index, other].map(|index| group.followers[index].slot);
            for (index, slot) in [(index, slots[1]), (other, slots[0])] {
                let follower = &mut group.followers[index];
                follower.slot = slot;
                let kind = EventKind::SlotChanged { slot, is_folded: follower.is_folded };
                events.push(Event { agent: follower.agent, kind });
            }
        }
    }
}

/// Puts a follower into its slot if there is room, and into the column if there is none.
fn settle(follower: &mut Follower, open: Option<Place>, dt: f32, events: &mut Vec<Event>) {
    follower.clear_for = if open.is_some() { follower.clear_for + dt } else { 0.0 };
    // One that has been in the column waits whether the room stays.
    let is_folded = open.is_none() || follower.is_folded && follower.clear_for < OPENING;
    if is_folded != follower.is_folded {
        follower.is_folded = is_folded;
        let kind = EventKind::SlotChanged { slot: follower.slot, is_folded };
        events.push(Event { agent: follower.agent, kind });
    }
    if !is_folded {
        follower.place = open;
    }
}

/// Lines those up in the leader's track for whose slots there is no room, clear of the slots that are held. Where the track
/// is not that long yet, they stay where they were to be; and where that is another's place by now, where they are.
fn fold(group: &mut Group, scene: &LeadScene<'_>, order: &[u32], taken: &[Vec2], lined_up: &mut Vec<Vec2>) {
    let Group { trail, followers, laid_out: (_, spacing), .. } = group;
    let apart = *spacing * APART;
    let is_clear_of = |others: &[Vec2], place: &Place| {
        others.iter().all(|other| other.distance_squared(place.point.xz()) >= apart * apart)
    };
    lined_up.clear();
    let mut next = TRAIL_STEPS;
    for index in order {
        let follower = &mut followers[*index as usize];
        if !follower.is_folded {
            continue;
        }
        let found = trail.iter().enumerate().skip(next).find(|(_, place)| is_clear_of(taken, place));
        if let Some((at, place)) = found {
            follower.place = Some(*place);
            next = at + TRAIL_STEPS;
        } else {
            let own = scene.agents[follower.agent.index()].corridor.place();
            let is_free = |place: &Place| is_clear_of(taken, place) && is_clear_of(lined_up, place);
            follower.place = Some(follower.place.filter(is_free).unwrap_or(own));
            next = trail.len();
        }
        lined_up.extend(follower.place.map(|place| place.point.xz()));
    }
}

/// The leader's pace: that of the slowest member, less while somebody lags behind.
fn pace(group: &mut Group, id: GroupId, leader: &Agent, scene: &LeadScene<'_>) -> f32 {
    let (mut slowest, mut lag) = (leader.params.max_speed, 0.0f32);
    for follower in &group.followers {
        let agent = &scene.agents[follower.agent.index()];
        let is_coming = agent.target == Target::Group(id)
            && agent.state != AgentState::Lost
            && !matches!(agent.route, Route::Partial(_) | Route::None);
        if let Some(place) = follower.place.filter(|_| is_coming) {
            slowest = slowest.min(agent.params.max_speed);
            lag = lag.max(agent.position().distance(place.point));
        }
    }
    let spacing = group.laid_out.1;
    let [slows, stands] = LAG.map(|lag| lag * spacing);
    if lag <= stands * 0.5 {
        (group.nearest, group.waited) = (f32::INFINITY, 0.0);
    } else if lag < group.nearest - spacing * 0.25 {
        (group.nearest, group.waited) = (lag, 0.0);
    } else {
        group.waited += scene.dt;
    }
    let part = 1.0 - ((lag - slows) / (stands - slows)).clamp(0.0, 1.0);
    slowest * if group.waited > PATIENCE { part.max(IMPATIENT) } else { part }
}
