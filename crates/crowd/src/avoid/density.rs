//! Speed by density: people walk slower the more others are ahead of them. The density is that of the half
//! disc ahead. Bodies and ground count less the farther away they are, and not at all beyond walls.
//!
//! Source: U. Weidmann, Transporttechnik der Fussgänger (1993), for speed over density. The measure of the
//! density is our own.

use super::walls::ray_to_wall;
use crate::agent::Agent;
use crate::bodies::{Body, MOST_NEIGHBOURS, Nearby};
use glam::Vec2;

/// Distance up to which bodies count, metres.
const REACH: f32 = 1.2;
/// Directions in which the ground ahead is measured, as turns from straight ahead: -80 to 80 degrees.
const DIRECTIONS: [Vec2; 9] = [
    Vec2::new(0.173_648_18, -0.984_807_8),
    Vec2::new(0.5, -0.866_025_4),
    Vec2::new(0.766_044_44, -0.642_787_6),
    Vec2::new(0.939_692_6, -0.342_020_15),
    Vec2::new(1.0, 0.0),
    Vec2::new(0.939_692_6, 0.342_020_15),
    Vec2::new(0.766_044_44, 0.642_787_6),
    Vec2::new(0.5, 0.866_025_4),
    Vec2::new(0.173_648_18, 0.984_807_8),
];
/// Angle between two directions.
const BETWEEN: f32 = std::f32::consts::PI / 9.0;
/// Nobody moves at this density, bodies per square metre, and the constant of the diagram.
const STANDSTILL: f32 = 5.4;
const STEEPNESS: f32 = 1.913;
/// Ground that a body takes from the ground that others can be on, square metres. Measured in corridors, for
/// bodies of 0.15 to 0.25 m.
const TAKEN: f32 = 0.052;
/// The smallest share of its speed that an agent keeps.
const LEAST_SHARE: f32 = 0.05;

/// Share of its speed that an agent walks at in the direction `ahead`, a unit vector.
pub(crate) fn share(agent: &Agent, own: &Body, nearby: Nearby<'_>, ahead: Vec2) -> f32 {
    let density = density(agent, own, nearby, ahead);
    if density <= 0.0 {
        return 1.0;
    }
    let power = -STEEPNESS * (1.0 / density - 1.0 / STANDSTILL);
    (1.0 - libm::expf(power)).max(LEAST_SHARE)
}

/// Bodies per square metre ahead of an agent.
fn density(agent: &Agent, own: &Body, nearby: Nearby<'_>, ahead: Vec2) -> f32 {
    let walls = agent.walls.segments();
    // A full list holds no body beyond its last.
    let last = nearby.near.get(MOST_NEIGHBOURS - 1).map_or(REACH, |near| near.away.sqrt());
    let reach = last.min(REACH);
    let weigh = |away: f32| 1.0 - away / reach;
    let is_between = |away: f32| (0.0..1.0).contains(&away);
    let is_hidden =
        |to: Vec2| walls.iter().any(|wall| ray_to_wall(own.at, to, *wall).is_some_and(is_between));
    let mut bodies = 0.0;
    for (near, body) in nearby.iter().take_while(|(near, _)| near.away < reach * reach) {
        let to = body.at - own.at;
        if to.dot(ahead) > 0.0 && !is_hidden(to) {
            bodies += weigh(near.away.sqrt());
        }
    }
    let mut ground = 0.0;
    for turn in DIRECTIONS {
        let direction = turn.rotate(ahead);
        // Walls keep the middle of a body away by its radius.
        let open = |wall: &[Vec2; 2]| {
            let at = ray_to_wall(own.at, direction, *wall).filter(|at| *at >= 0.0)?;
            let sine = (wall[1] - wall[0]).normalize_or_zero().perp_dot(direction).abs();
            Some(at + own.radius / sine.max(0.3))
        };
        let open = walls.iter().filter_map(open).fold(reach, f32::min);
        ground += BETWEEN * open * open * (0.5 - open / (reach * 3.0));
    }
    let free = ground - bodies * TAKEN;
    if free > 0.0 { bodies / free } else { STANDSTILL }
}
