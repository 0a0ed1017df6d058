//! Pushes bodies apart that would overlap after the step, a little in each of a few rounds.

use super::Scene;
use crate::agent::Agent;
use crate::avoid::decide::share;
use crate::avoid::walls::{AT_WALL, nearest_on};
use crate::bodies::{Bodies, Body, Nearby};
use glam::Vec2;

/// Number of rounds of pushing.
pub(crate) const ROUNDS: usize = 4;
/// The largest number of rounds that hold back overlapping agents: an agent that stops may hold up a column
/// after it.
pub(crate) const HOLDING_ROUNDS: usize = 64;
/// Overlaps up to this are ignored, in radii of the smaller body.
const TOLERATED: f32 = 0.03;
/// The largest move of an agent in a step, as a multiple of its speed, and the smallest speed that is used
/// for it.
const FURTHEST: f32 = 1.5;
const SLOWEST: f32 = 0.5;
/// The part of an overlap that is removed in a round.
const PART: f32 = 0.8;

/// Positions of agents after the step, as of the round before and of this round.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    pub(crate) now: Vec<Vec2>,
    pub(crate) next: Vec<Vec2>,
}

/// The spots of all agents after the round before, and the spots of one piece of the agents after this round.
/// The chunk begins at `first`.
#[derive(Debug)]
pub(crate) struct PushRound<'a> {
    pub(crate) now: &'a [Vec2],
    pub(crate) first: usize,
    pub(crate) next: &'a mut [Vec2],
}

/// Another body that an agent may touch within the step.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// Its place, and its index in the sorted list.
    place: u32,
    body: u32,
    /// The sum of both radii, and the squared distance beyond which the two are left alone.
    reach: f32,
    allowed: f32,
    /// Share of an overlap that the agent removes.
    share: f32,
    /// Its position at the beginning.
    at: Vec2,
}

/// An agent that may touch others, and the end of its contacts in the list.
#[derive(Clone, Copy, Debug)]
struct Touching {
    place: u32,
    end: u32,
    /// Its position at the beginning, and the largest distance that it may be pushed.
    from: Vec2,
    furthest: f32,
}

/// All pairs of bodies that may touch within the step, for the agents of one piece. Gathered once, so that
/// the rounds read nothing else. Sorted by agent, and for each agent by distance.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    touching: Vec<Touching>,
    list: Vec<Contact>,
}

impl Contacts {
    /// Clears the contacts.
    pub(crate) fn clear(&mut self) {
        self.touching.clear();
        self.list.clear();
    }

    /// Adds the neighbours that an agent may touch in the step.
    pub(crate) fn gather(&mut self, agent: &Agent, nearby: Nearby<'_>, scene: &Scene<'_>) {
        let (own, moved) = (&scene.parts.own[agent.place as usize], scene.parts.moved);
        if agent.is_kinematic || agent.passage().is_some() || own.layers == 0 {
            return;
        }
        let (first, farthest) = (self.list.len(), own.radius + nearby.bodies.largest + moved * 2.0);
        for (near, body) in nearby.iter().take_while(|(near, _)| near.away <= farthest * farthest) {
            let reach = own.radius + body.radius;
            let is_far = near.away > (reach + moved * 2.0) * (reach + moved * 2.0);
            if is_far || own.is_in_landing_place(body) {
                continue;
            }
            let before = (reach - near.away.sqrt()).max(0.0);
            let allowed = (reach - before.max(own.radius.min(body.radius) * TOLERATED)).max(0.0);
            self.list.push(Contact {
                place: body.place,
                body: near.body,
                reach,
                allowed: allowed * allowed,
                share: pushed_share(own, body),
                at: body.at,
            });
        }
        let end = self.list.len();
        if end > first {
            let furthest = furthest(agent, scene.dt);
            self.touching.push(Touching { place: own.place, end: end as u32, from: own.at, furthest });
        }
    }

    /// Gives each agent the spot of the next round, which `spot` computes. Returns true if any spot changes.
    fn round(&self, spots: PushRound<'_>, spot: impl Fn(&Touching, &[Contact], Vec2) -> Vec2) -> bool {
        let PushRound { now, first, next } = spots;
        let (mut begin, mut changes) = (0, false);
        for touching in &self.touching {
            let contacts = &self.list[begin..touching.end as usize];
            begin = touching.end as usize;
            let place = touching.place as usize;
            let at = now[place];
            let moved = spot(touching, contacts, at);
            next[place - first] = moved;
            changes |= moved != at;
        }
        changes
    }

    /// A round that pushes overlapping agents apart.
    pub(crate) fn push(&self, spots: PushRound<'_>, agents: &[Agent], own: &[Body], bodies: &Bodies) -> bool {
        let now = spots.now;
        self.round(spots, |touching, contacts, at| {
            let place = touching.place as usize;
            let (mut push, mut count) = (Vec2::ZERO, 0.0f32);
            for contact in contacts {
                let away = at - now[contact.place as usize];
                let apart = away.length_squared();
                if apart >= contact.reach * contact.reach {
                    continue;
                }
                let distance = apart.sqrt();
                let direction = if distance > 1e-4 {
                    away / distance
                } else {
                    fallback(&own[place], &bodies.sorted[contact.body as usize])
                };
                push += direction * ((contact.reach - distance) * contact.share);
                count += 1.0;
            }
            if count == 0.0 {
                return at;
            }
            // Pushes from all sides must not throw it about; deep overlaps are resolved over several steps.
            let way = at + push * (PART / count.sqrt()) - touching.from;
            let moved = touching.from + way.clamp_length_max(touching.furthest);
            let walls = agents[place].walls.segments();
            walls.iter().fold(moved, |p, wall| kept_before(p, touching.from, *wall))
        })
    }

    /// A round that returns agents to their position at the beginning of the step if they overlap another
    /// body more than they did then. Of two agents, the agent that came nearer returns. An agent that makes
    /// room does not, if that is clear.
    pub(crate) fn hold_back(&self, spots: PushRound<'_>) -> bool {
        let now = spots.now;
        self.round(spots, |touching, contacts, at| {
            let from = touching.from;
            let goes_back = at != from
                && contacts.iter().any(|contact| {
                    let other = now[contact.place as usize];
                    let apart = at.distance_squared(other);
                    let helps = || from.distance_squared(other) > apart;
                    let other_helps = || contact.at.distance_squared(at) > apart;
                    apart < contact.allowed && (helps() || !other_helps())
                });
            if goes_back { from } else { at }
        })
    }
}

/// The largest distance that an agent moves in a step, metres.
pub(crate) fn furthest(agent: &Agent, dt: f32) -> f32 {
    agent.params.max_speed.max(SLOWEST) * dt * FURTHEST
}

/// Share of an overlap that one of two bodies removes. A body that goes first does its part too, because the
/// other may have no room.
fn pushed_share(own: &Body, other: &Body) -> f32 {
    share(own, other).clamp(0.25, 0.75) + if other.right_of_way.yielding == 0.0 { 0.25 } else { 0.0 }
}

/// Two bodies at the same point separate along a line, in opposite directions.
fn fallback(own: &Body, other: &Body) -> Vec2 {
    let facing = own.preferred.normalize_or(Vec2::X).perp();
    if own.owner > other.owner { facing } else { -facing }
}

/// A place moved back in front of a wall, if the line from `from` to it crosses the wall.
fn kept_before(p: Vec2, from: Vec2, [a, b]: [Vec2; 2]) -> Vec2 {
    // From a door post, which is the end of a wall, the path through the door crosses the line of the wall.
    if a.distance_squared(from) < AT_WALL * AT_WALL || b.distance_squared(from) < AT_WALL * AT_WALL {
        return p;
    }
    let along = b - a;
    let crosses = along.perp_dot(from - a) >= 0.0
        && along.perp_dot(p - a) < 0.0
        && (p - from).perp_dot(a - from) * (p - from).perp_dot(b - from) <= 0.0;
    if crosses { nearest_on(a, b, p) } else { p }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ground is to the left of the wall: x below 1.
    const WALL: [Vec2; 2] = [Vec2::new(1.0, -5.0), Vec2::new(1.0, 5.0)];

    #[test]
    fn a_push_through_a_wall_ends_before_it() {
        for from in [Vec2::new(0.9, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 4.9)] {
            let kept = kept_before(from + Vec2::new(0.2, 0.0), from, WALL);
            assert!(kept.distance(Vec2::new(1.0, from.y)) < 1e-5, "from {from} to {kept}");
        }
    }

    #[test]
    fn the_end_of_a_wall_holds_nobody_back() {
        // A door is next to either end: an agent at its post is pushed through, not held there.
        for (end, beyond) in [(WALL[0], Vec2::new(0.2, -0.1)), (WALL[1], Vec2::new(0.2, 0.1))] {
            assert_eq!(kept_before(end + beyond, end, WALL), end + beyond);
        }
    }
}
