//! Bodies that would overlap after the step are pushed apart, a little in each of a few rounds.

use crate::agent::Agent;
use crate::avoid::decide::share;
use crate::avoid::walls::nearest_on;
use crate::bodies::{Bodies, Body, Near};
use glam::Vec2;

/// Rounds of pushing.
pub(crate) const ROUNDS: usize = 4;
/// Rounds of holding back what still overlaps, at most: one that stops may hold up a column behind it.
pub(crate) const HOLDING_ROUNDS: usize = 64;
/// Overlaps that are left alone, in radii of the smaller body.
const TOLERATED: f32 = 0.03;
/// How far an agent is moved in a step at most, as a multiple of its speed, and the speed of one that has none.
const FURTHEST: f32 = 1.5;
const SLOWEST: f32 = 0.5;
/// The part of an overlap that is taken away in a round.
const PART: f32 = 0.8;

/// Where agents will be, as of the round before and of this one.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    pub(crate) now: Vec<Vec2>,
    pub(crate) next: Vec<Vec2>,
}

/// The place of an agent after one more round.
pub(crate) fn pushed(
    agent: &Agent,
    index: usize,
    own: &Body,
    bodies: &Bodies,
    spots: &[Vec2],
    (dt, moved): (f32, f32),
) -> Vec2 {
    let at = spots[index];
    if agent.is_kinematic || agent.passage.is_some() || own.layers == 0 {
        return at;
    }
    let (mut push, mut touching) = (Vec2::ZERO, 0.0f32);
    for near in in_reach(agent, own, bodies, moved) {
        let body = &bodies.sorted[near.body as usize];
        let reach = own.radius + body.radius;
        let other = spots[body.owner as usize];
        let away = at - other;
        let apart = away.length_squared();
        if apart >= reach * reach {
            continue;
        }
        let distance = apart.sqrt();
        let direction = if distance > 1e-4 { away / distance } else { fallback(own, body) };
        push += direction * ((reach - distance) * pushed_share(own, body));
        touching += 1.0;
    }
    if touching == 0.0 {
        return at;
    }
    // Pushes from all sides together must not throw it about: deep overlaps part over some steps.
    let furthest = furthest(agent, dt);
    let moved = own.at + (at + push * (PART / touching.sqrt()) - own.at).clamp_length_max(furthest);
    agent.walls.segments().iter().fold(moved, |p, wall| kept_before(p, own.at, *wall))
}

/// The farthest that an agent is moved in a step, metres.
pub(crate) fn furthest(agent: &Agent, dt: f32) -> f32 {
    agent.params.max_speed.max(SLOWEST) * dt * FURTHEST
}

/// The neighbours that an agent may touch if nobody has moved by more than `moved` since the beginning of the step.
fn in_reach<'a>(
    agent: &'a Agent,
    own: &Body,
    bodies: &Bodies,
    moved: f32,
) -> impl Iterator<Item = &'a Near> + use<'a> {
    let reach = own.radius + bodies.largest + moved * 2.0;
    // The nearest come first.
    agent.near.iter().take_while(move |near| near.away <= reach * reach)
}

/// How much of an overlap one of two takes back. The one that goes first does its part too: the other may have no room.
fn pushed_share(own: &Body, other: &Body) -> f32 {
    share(own, other).clamp(0.25, 0.75) + if other.yielding == 0.0 { 0.25 } else { 0.0 }
}

/// The place of an agent after a round in which those go back to where they were at the beginning of the step that are
/// deeper in another than they were then. Of two the one goes back that came nearer; not the one that makes way, if that is
/// clear.
pub(crate) fn held_back(
    agent: &Agent,
    index: usize,
    own: &Body,
    bodies: &Bodies,
    spots: &[Vec2],
    moved: f32,
) -> Vec2 {
    let at = spots[index];
    if at == own.at || agent.is_kinematic || agent.passage.is_some() || own.layers == 0 {
        return at;
    }
    let goes_back = in_reach(agent, own, bodies, moved).any(|near| {
        let body = &bodies.sorted[near.body as usize];
        let (reach, other) = (own.radius + body.radius, spots[body.owner as usize]);
        let before = (reach - near.away.sqrt()).max(0.0);
        let allowed = (reach - before.max(own.radius.min(body.radius) * TOLERATED)).max(0.0);
        let apart = at.distance_squared(other);
        let helps = || own.at.distance_squared(other) > apart;
        let other_helps = || body.at.distance_squared(at) > apart;
        apart < allowed * allowed && (helps() || !other_helps())
    });
    if goes_back { own.at } else { at }
}

/// Two bodies on one point part along a line, each in its own direction.
fn fallback(own: &Body, other: &Body) -> Vec2 {
    let facing = own.wanted.normalize_or(Vec2::X);
    if other.lands {
        return facing;
    }
    let facing = facing.perp();
    if own.owner > other.owner { facing } else { -facing }
}

/// A place moved back before a wall, if the way there from `from` crosses it.
fn kept_before(p: Vec2, from: Vec2, [a, b]: [Vec2; 2]) -> Vec2 {
    let along = b - a;
    let crosses = along.perp_dot(from - a) >= 0.0
        && along.perp_dot(p - a) < 0.0
        && (p - from).perp_dot(a - from) * (p - from).perp_dot(b - from) <= 0.0;
    if crosses { nearest_on(a, b, p) } else { p }
}
