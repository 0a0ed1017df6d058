//! Computes the velocity of an agent for the next step: changes the preferred velocity so that it keeps clear
//! of neighbours and walls.

use super::half_planes::{HalfPlane, nearest_allowed};
use super::orca::{self, Other};
use super::walls::nearest_on;
use crate::agent::{Agent, Claim};
use crate::bodies::{Body, Nearby, RightOfWay};
use crate::precedence::LANE;
use crate::settings::Avoidance;
use glam::{Vec2, Vec3Swizzles};

/// Time for which wall contacts are predicted, seconds.
const WALL_HORIZON: f32 = 0.3;
/// Assumed distance of two bodies at the same point, metres.
const COINCIDENT: f32 = 1e-3;
/// Reach of a claim, in sums of both radii.
pub(crate) const CLAIM_REACH: f32 = 1.3;
/// Duration of a claim after its agent got through the jam, seconds.
pub(crate) const RESOLVED: f32 = 1.5;
/// A push moves the bodies whose middles are nearer to its line than this, in sums of both radii.
const IN_THE_WAY: f32 = 0.95;
/// Corners nearer to each other than this are those of one door, in sums of both radii.
const SAME_DOOR: f32 = 2.0;
/// An agent is pushed back if the cosine of the angle between its preferred velocity and the push is smaller
/// than this.
const AGAINST: f32 = -0.5;
/// Share of the avoiding that an agent with a claim does.
const CLAIMED: f32 = 0.25;
/// Factors on an agent's willingness to yield, by the other's priority minus its own, from -4 to 4: four
/// times per step. Larger differences count as 4.
const BY_PRIORITY: [f32; 9] = [1.0 / 256.0, 1.0 / 64.0, 1.0 / 16.0, 0.25, 1.0, 4.0, 16.0, 64.0, 256.0];

/// Scratch memory of avoidance.
#[derive(Debug, Default)]
pub(crate) struct AvoidScratch {
    planes: Vec<HalfPlane>,
    spare: Vec<HalfPlane>,
}

/// Distance up to which an agent looks for others, metres.
pub(crate) fn reach(agent: &Agent, largest: f32) -> f32 {
    let params = &agent.params;
    params.radius + largest + params.max_speed * params.horizon
}

/// Returns true if `other` pursues `own`, so that all of the avoiding is left to `other`. If `own` made room,
/// its pursuer would drive it along and never arrive. Two agents that pursue each other share the avoiding
/// until one of them has stopped.
fn is_hunted_by(own: &Body, other: &Body) -> bool {
    other.errand.quarry == own.owner && (own.errand.quarry != other.owner || own.preferred == Vec2::ZERO)
}

/// The ranks of an agent and of another that pushes it. Lanes count only if it is pushed back.
fn ranks(own: &Body, other: &Body) -> [u32; 2] {
    let counted = if is_pushed_back(own, other) { u32::MAX } else { !LANE };
    [own, other].map(|body| body.right_of_way.rank & counted)
}

/// Returns true if another pushes an agent against the direction in which it wants to go.
fn is_pushed_back(own: &Body, other: &Body) -> bool {
    let push = other.right_of_way.push;
    let both = own.preferred.length() * push.length();
    own.preferred.dot(push) < AGAINST * both && !queue_together(own, other)
}

/// Returns true if two agents come to the same corner, perhaps from opposite sides, and walk on from there in
/// the same direction: they queue at the same door. Agents that forward claims do not count.
pub(crate) fn queue_together(own: &Body, other: &Body) -> bool {
    let (mine, its) = (&own.right_of_way, &other.right_of_way);
    let reach = (own.radius + other.radius) * SAME_DOOR;
    its.push == other.preferred
        && mine.corner.distance_squared(its.corner) < reach * reach
        && mine.onward.dot(its.onward) > 0.0
}

/// Returns true if an agent yields to another's claim: both are in a jam, the other has the higher rank, and
/// its push leads through the agent.
pub(crate) fn yields_to(own: &Body, other: &Body) -> bool {
    let (mine, its) = (&own.right_of_way, &other.right_of_way);
    let [my_rank, its_rank] = ranks(own, other);
    if is_hunted_by(own, other)
        || !its.claims
        || !mine.yields
        || !other.lands && (its.priority, its_rank) <= (mine.priority, my_rank)
    {
        return false;
    }
    if other.lands {
        return own.is_in_landing_place(other);
    }
    let offset = own.at - other.at;
    let aside = offset.perp_dot(its.push.normalize_or_zero()).abs();
    let is_in_the_way = aside < (own.radius + other.radius) * IN_THE_WAY;
    is_next_to(own, other) && offset.dot(its.push) > 0.0 && is_in_the_way
}

/// The body whose claim an agent yields to: of several, the one of the highest rank.
pub(crate) fn yielded_to<'b>(own: &Body, others: impl Iterator<Item = &'b Body>) -> Option<&'b Body> {
    others.filter(|other| yields_to(own, other)).max_by_key(|other| ranks(own, other)[1])
}

/// The velocity of an agent that yields and leaves the places where others will land: away from their middle,
/// and in the direction in which the others arrive. `None` if it is in no such place.
pub(crate) fn way_off_landing(agent: &Agent, own: &Body, nearby: Nearby<'_>) -> Option<Vec2> {
    let landing = nearby.bodies().filter(|other| other.lands && yields_to(own, other));
    let ways = landing.map(|other| {
        (own.at - other.at) / (own.radius + other.radius) + other.right_of_way.push.normalize_or_zero()
    });
    let way = ways.reduce(|sum, way| sum + way)?;
    Some(way.normalize_or(direction(agent)) * agent.params.max_speed)
}

/// The claim that an agent forwards: the highest rank among the claims that it yields to. An agent that is
/// pushed back pushes others back along its own path, round a bend too. `way_off` is the result of
/// [`way_off_landing`].
pub(crate) fn forwarded_claim(
    agent: &Agent,
    own: &Body,
    nearby: Nearby<'_>,
    way_off: Option<Vec2>,
) -> Option<Claim> {
    let other = yielded_to(own, nearby.bodies())?;
    let RightOfWay { rank, push, .. } = other.right_of_way;
    let is_back = is_pushed_back(own, other);
    let back = || agent.walls.round_bend(own.at, -own.preferred.normalize_or_zero(), own.radius * 0.5);
    let push = if is_back { back() * push.length() } else { push };
    Some(Claim { rank: rank.saturating_sub(1), push: way_off.unwrap_or(push) })
}

/// Keeps the claims of both sides while one yields to the other. The claim of an agent grows older while
/// others that come towards it yield; agents that walk the same way share the oldest.
pub(crate) fn keep_claim(agent: &mut Agent, own: &Body, nearby: Nearby<'_>, dt: f32) {
    if agent.in_jam <= 0.0 {
        // It keeps the right of way to the end of a passage with room for one. Otherwise agents that walk
        // back would turn round as soon as the gap is wider than a claim reaches.
        let ahead = own.preferred.normalize_or_zero();
        let walks_on = agent.claimed > 0.0 && own.velocity.dot(ahead) > 0.0;
        if !walks_on || !agent.walls.leave_room_for_one(own.at, ahead, own.radius) {
            agent.claimed = 0.0;
            return;
        }
        agent.in_jam = RESOLVED;
    }
    let (mut shared, mut goes_first) = (0.0f32, false);
    for other in nearby.bodies() {
        let along = own.preferred.dot(other.preferred);
        if along > 0.0 && other.right_of_way.claims && is_next_to(own, other) {
            shared = shared.max(other.right_of_way.claimed);
        }
        if is_pushed_back(own, other) && yields_to(own, other) {
            agent.in_jam = RESOLVED;
        }
        if is_pushed_back(other, own) && yields_to(other, own) {
            (agent.in_jam, goes_first) = (RESOLVED, true);
        }
    }
    agent.claimed = agent.claimed.max(shared) + if goes_first { dt } else { 0.0 };
    if agent.forwarded_claim.is_some() {
        agent.in_jam = RESOLVED;
    }
}

/// Returns true if two bodies are within the reach of a claim.
fn is_next_to(own: &Body, other: &Body) -> bool {
    let reach = (own.radius + other.radius) * CLAIM_REACH;
    own.at.distance_squared(other.at) <= reach * reach
}

/// Direction that an agent prefers: a unit vector.
fn direction(agent: &Agent) -> Vec2 {
    agent.preferred.normalize_or(agent.heading)
}

/// Share of the avoiding that `own` does when it meets `other`: 0 to 1.
pub(crate) fn share(own: &Body, other: &Body) -> f32 {
    if is_hunted_by(own, other) {
        return 0.0;
    }
    if is_hunted_by(other, own) {
        return 1.0;
    }
    if yields_to(own, other) {
        return 1.0 - CLAIMED;
    }
    if yields_to(other, own) {
        return CLAIMED;
    }
    let (own, other) = (&own.right_of_way, &other.right_of_way);
    let steps = i32::from(other.priority) - i32::from(own.priority);
    let own = own.yielding * BY_PRIORITY[(steps.clamp(-4, 4) + 4) as usize];
    let sum = own + other.yielding;
    if sum > 0.0 { own / sum } else { 0.5 }
}

/// The velocity that an agent takes instead of the velocity that it wants.
pub(crate) fn choose(
    agent: &Agent,
    own: &Body,
    nearby: Nearby<'_>,
    wanted: Vec2,
    dt: f32,
    scratch: &mut AvoidScratch,
) -> Vec2 {
    if agent.params.avoidance == Avoidance::None {
        return wanted;
    }
    let at = agent.position().xz();
    let AvoidScratch { planes, spare } = scratch;
    planes.clear();
    let params = &agent.params;
    // An agent that makes room for a claim moves in the push direction.
    let aim = agent.push();
    let reached = params.max_speed * WALL_HORIZON;
    for wall in agent.walls.segments() {
        let ends = wall.map(|end| end - at);
        if nearest_on(ends[0], ends[1], Vec2::ZERO).length_squared() > reached * reached {
            continue; // No velocity leads there in time.
        }
        planes.extend(orca::against_wall(aim, ends, WALL_HORIZON));
    }
    let fixed = planes.len();
    for body in nearby.bodies() {
        // Even with a share of 0 the half-plane would keep the quarry from slowing down.
        if is_hunted_by(own, body) || own.is_in_landing_place(body) {
            continue;
        }
        // An agent makes room for a claim as if the other were already moving in its push direction.
        let velocity = if yields_to(own, body) { body.right_of_way.push } else { body.velocity };
        // Bodies at the same point separate along the agent's direction.
        let offset = if body.at == at { direction(agent) * -COINCIDENT } else { body.at - at };
        let other = Other { offset, velocity, reach: params.radius + body.radius, share: share(own, body) };
        planes.push(orca::against(agent.velocity, &other, params.horizon, dt.max(0.1)));
    }
    nearest_allowed(planes, fixed, params.max_speed, wanted, spare)
}
