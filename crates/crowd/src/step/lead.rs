//! Groups: computes the slots of followers around their leader, and the leader's pace.
//!
//! A slot is open if a straight line over the ground leads from the leader to it, or to a place near it. If a
//! slot has no room, its follower walks in the leader's track. Such followers form a column, which fits
//! through every passage that the leader has passed.

use super::{Worker, advance};
use crate::agent::{Activity, Agent, PathState, Target};
use crate::agents::AgentList;
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::group::assign::{AssignScratch, assign};
use crate::group::{Follower, Group, TRAIL_STEPS};
use crate::ids::GroupId;
use detour::{NavMesh, Place, Ray};
use glam::{Vec2, Vec3Swizzles};

/// The smallest distance between neighbours, in diameters of the largest member.
const LEAST_SPACING: f32 = 1.1;
/// Turning speed of a formation, radians per second.
const TURN_RATE: f32 = 2.0;
/// A leader that is slower than this part of its speed does not turn the formation.
const STEERING: f32 = 0.2;
/// Time for which a slot must have room before its follower leaves the column, seconds.
const OPENING: f32 = 0.4;
/// The largest distance of a follower from its slot if a wall is in between, and the smallest distance that
/// slots keep from each other in that case, in spacings.
const CLAMPED: f32 = 0.5;
const APART: f32 = 0.8;
/// The leader begins to slow down at the first lag of the last follower, and stops at the second, in
/// spacings.
const LAG: [f32; 2] = [0.25, 4.0];
/// Time without progress after which nobody waits for a straggler, seconds; and the part of its pace that the
/// leader then keeps.
const PATIENCE: f32 = 8.0;
const IMPATIENT: f32 = 0.5;

/// Time without progress after which a follower takes the slot of another member, seconds; and the largest
/// distance between the two, in sums of both radii.
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
    /// Indices of followers, sorted by slot.
    order: Vec<u32>,
    /// Places of the followers in their slots, and of the followers in the column.
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

/// Computes the slots and the pace of a group.
pub(crate) fn run(group: &mut Group, id: GroupId, scene: &LeadScene<'_>, worker: &mut Worker) {
    let leader = &scene.agents[group.leader.index()];
    if leader.is_lost() || group.followers.is_empty() {
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
    let spacing = group.laid_out_spacing;
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
            let is_open = ray.is_clear() || missed <= spacing * CLAMPED && taken.iter().all(is_free);
            is_open.then_some(held)
        });
        settle(follower, open, scene.dt, events);
        if !follower.is_folded {
            taken.extend(follower.place.map(|place| place.point.xz()));
        }
    }
    fold(group, scene, order, taken, lined_up);
    group.pace = pace(group, id, leader, scene);
}

/// A slot relative to the leader, in plan.
fn turned_to(heading: Vec2, slot: Vec2) -> Vec2 {
    heading.perp() * slot.x + heading * slot.y
}

/// Turns the formation towards the leader's direction. If the leader has just set out, turns it at once and
/// requests new slots.
fn steer(group: &mut Group, leader: &Agent, scene: &LeadScene<'_>) {
    let speed = leader.velocity.length();
    if speed <= advance::LEAST_SPEED || speed < leader.params.max_speed * STEERING {
        group.stood |= leader.is_still();
        return;
    }
    let way = leader.velocity / speed;
    if std::mem::take(&mut group.stood) {
        (group.heading, group.is_new) = (way, true);
    } else {
        group.heading = advance::turned(group.heading, way, TURN_RATE * scene.dt);
    }
}

/// Records the leader's track.
fn leave_trail(group: &mut Group, place: Place, mesh: &NavMesh) {
    let step = group.laid_out_spacing / TRAIL_STEPS as f32;
    if group.trail.front().is_none_or(|last| last.point.distance(place.point) >= step) {
        group.trail.push_front(place);
    }
    // A column leaves room between itself and occupied slots.
    group.trail.truncate((group.followers.len() + 2) * TRAIL_STEPS * 2);
    let gone = group.trail.iter().position(|place| mesh.attributes(place.polygon).is_err());
    group.trail.truncate(gone.unwrap_or(usize::MAX));
    if group.trail.is_empty() {
        group.trail.push_front(place);
    }
}

/// Assigns slots to followers by distance.
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

/// Swaps the slots of a blocked follower and the group member that blocks it. The member walks to the free
/// slot.
fn pass_slots_on(group: &mut Group, scene: &LeadScene<'_>, events: &mut Vec<Event>) {
    for index in 0..group.followers.len() {
        let own = &scene.agents[group.followers[index].agent.index()];
        if !own.is(Activity::Walking) || own.progress.stalled < BLOCKED {
            continue;
        }
        let in_the_way = |other: &Follower| {
            let its = &scene.agents[other.agent.index()];
            let reach = (own.params.radius + its.params.radius) * TOUCHING;
            its.is(Activity::Arrived) && its.position().distance(own.position()) <= reach
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

/// Puts a follower into its slot if the slot has room, otherwise into the column.
fn settle(follower: &mut Follower, open: Option<Place>, dt: f32, events: &mut Vec<Event>) {
    follower.clear_for = if open.is_some() { follower.clear_for + dt } else { 0.0 };
    // A follower in the column waits to see if the room remains.
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

/// Lines up the followers without room in the leader's track, clear of occupied slots. If the track is still
/// too short, they keep their last places; if such a place is taken by now, they stay where they are.
fn fold(group: &mut Group, scene: &LeadScene<'_>, order: &[u32], taken: &[Vec2], lined_up: &mut Vec<Vec2>) {
    let Group { trail, followers, laid_out_spacing, .. } = group;
    let apart = *laid_out_spacing * APART;
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

/// The leader's pace: the speed of the slowest member, reduced while somebody lags.
fn pace(group: &mut Group, id: GroupId, leader: &Agent, scene: &LeadScene<'_>) -> f32 {
    let (mut slowest, mut lag) = (leader.params.max_speed, 0.0f32);
    for follower in &group.followers {
        let agent = &scene.agents[follower.agent.index()];
        let is_coming = agent.target == Target::Group(id)
            && !agent.is_lost()
            && !matches!(agent.path, PathState::Partial(_) | PathState::NoGoal(_));
        if let Some(place) = follower.place.filter(|_| is_coming) {
            slowest = slowest.min(agent.params.max_speed);
            lag = lag.max(agent.position().distance(place.point));
        }
    }
    let spacing = group.laid_out_spacing;
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
