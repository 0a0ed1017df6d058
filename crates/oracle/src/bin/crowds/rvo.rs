//! Reciprocal velocity obstacles without a mesh, for open ground: a port of RVO2 to Rust.

use crate::walkers::{Aim, CrowdsError, Sent, Walkers};
use crowdlab::trial::Seen;
use detour::Vec3;
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use std::borrow::Cow;

/// Neighbours that are considered, as in RVO2's own examples.
const NEIGHBOURS: usize = 10;

/// Agents that only know each other and their goals.
#[derive(Debug)]
pub(crate) struct Rvo {
    walks: Vec<Sent>,
    agents: Vec<Agent>,
    velocities: Vec<Vec2>,
    cells: Cells,
    near: Vec<(f32, u32)>,
}

/// Agents by squares as wide as the largest distance of neighbours: the library leaves the search for
/// neighbours to its caller.
#[derive(Debug)]
struct Cells {
    reach: f32,
    /// Square and number, sorted.
    sorted: Vec<((i32, i32), u32)>,
}

impl Cells {
    fn sort(&mut self, agents: &[Agent]) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        sorted.extend(agents.iter().zip(0..).map(|(agent, number)| (self.square(agent), number)));
        sorted.sort_unstable();
        self.sorted = sorted;
    }

    fn square(&self, agent: &Agent) -> (i32, i32) {
        let square = (agent.position / self.reach).floor();
        (square.x as i32, square.y as i32)
    }

    /// The neighbours within reach, nearest first.
    fn nearest(&self, agents: &[Agent], of: usize, near: &mut Vec<(f32, u32)>) {
        near.clear();
        let agent = &agents[of];
        let (x, z) = self.square(agent);
        for x in x - 1..=x + 1 {
            // Squares of one column are consecutive.
            let first = self.sorted.partition_point(|(square, _)| *square < (x, z - 1));
            let column = self.sorted[first..].iter().take_while(|(square, _)| *square <= (x, z + 1));
            for &(_, number) in column.filter(|(_, number)| *number as usize != of) {
                let away = agents[number as usize].position.distance_squared(agent.position);
                if away <= self.reach * self.reach {
                    near.push((away, number));
                }
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NEIGHBOURS);
    }
}

impl Rvo {
    /// Puts agents at their starts and sends them at once. Agents without a goal stay in place.
    pub(crate) fn new(walks: &[Sent]) -> Rvo {
        let agents = walks.iter().map(|walk| Agent {
            position: flat(walk.start),
            velocity: Vec2::ZERO,
            radius: walk.params.radius,
            avoidance_responsibility: 1.0,
        });
        // Two agents that approach each other meet within the horizon.
        let reach =
            walks.iter().map(|walk| 2.0 * (walk.params.max_speed * walk.params.horizon + walk.params.radius));
        let reach = reach.fold(0.01, f32::max);
        Rvo {
            walks: walks.to_vec(),
            agents: agents.collect(),
            velocities: Vec::new(),
            cells: Cells { reach, sorted: Vec::new() },
            near: Vec::new(),
        }
    }
}

fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}

impl Walkers for Rvo {
    fn name(&self) -> &'static str {
        "RVO2 (dodgy_2d), no mesh"
    }

    fn step(&mut self, dt: f32) -> Result<(), CrowdsError> {
        let Rvo { walks, agents, velocities, cells, near } = self;
        cells.sort(agents);
        velocities.clear();
        for (number, walk) in walks.iter().enumerate() {
            cells.nearest(agents, number, near);
            let others: Vec<_> =
                near.iter().map(|(_, other)| Cow::Borrowed(&agents[*other as usize])).collect();
            let way = match walk.aim {
                Aim::Place(place) => flat(place) - agents[number].position,
                _ => Vec2::ZERO,
            };
            let wanted = way.clamp_length_max(walk.params.max_speed * dt) / dt;
            let options = AvoidanceOptions {
                obstacle_margin: walk.params.radius,
                time_horizon: walk.params.horizon,
                obstacle_time_horizon: walk.params.horizon,
            };
            let speed = walk.params.max_speed;
            velocities.push(agents[number].compute_avoiding_velocity(
                &others,
                &[],
                wanted,
                speed,
                dt,
                &options,
            ));
        }
        for (agent, velocity) in agents.iter_mut().zip(velocities) {
            agent.velocity = *velocity;
            agent.position += *velocity * dt;
        }
        Ok(())
    }

    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError> {
        let (agent, walk) = (&self.agents[number], &self.walks[number]);
        Ok(Seen {
            position: Vec3::new(agent.position.x, walk.start.y, agent.position.y),
            velocity: Vec3::new(agent.velocity.x, 0.0, agent.velocity.y),
            radius: walk.params.radius,
            height: walk.params.height,
            walks: true,
        })
    }
}
