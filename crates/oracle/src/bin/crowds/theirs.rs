//! The C++ library's crowd, set up as RecastDemo does.
#![allow(unsafe_code)] // The bindings give no other way to make the one structure that `update` asks for.

use crate::twin::{SHUT, Twin};
use crate::walkers::{Aim, CrowdsError, News, Sent, Walkers};
use crowdlab::trial::Seen;
use detour::Vec3;
use recastnavigation_rs::detour_crowd as cpp;

/// DT_CROWD_ANTICIPATE_TURNS, _OBSTACLE_AVOIDANCE, _OPTIMIZE_VIS and _OPTIMIZE_TOPO, as RecastDemo enables
/// them.
const FLAGS: u8 = 1 | 2 | 8 | 16;
/// The index of the avoidance parameters that all agents use.
const HIGH_QUALITY: u8 = 3;
/// Its name in tables.
pub(crate) const NAME: &str = "DetourCrowd, 66 samples";
/// DT_CROWDAGENT_STATE_WALKING.
const WALKING: u8 = 1;
/// DT_CROWDAGENT_TARGET_FAILED, and DT_CROWDAGENT_TARGET_NONE below it: it has forgotten its goal.
const FAILED: u8 = 1;

/// The current order of an agent.
#[derive(Clone, Debug)]
struct Order {
    aim: Aim,
    at: f32,
    radius: f32,
    /// The goal it was last sent to.
    given: Option<Vec3>,
    /// The place of its round that it walks to.
    turn: usize,
}

/// DetourCrowd with its finest avoidance: 66 samples.
#[derive(Debug)]
pub(crate) struct DetourCrowd {
    crowd: cpp::DtCrowd,
    twin: Twin,
    indices: Vec<i32>,
    orders: Vec<Order>,
    debug: cpp::DtCrowdAgentDebugInfo,
}

impl DetourCrowd {
    /// Puts agents at their starts.
    ///
    /// Errors: what the library refuses.
    pub(crate) fn new(mut twin: Twin, all: &[Sent]) -> Result<DetourCrowd, CrowdsError> {
        let mut crowd = cpp::DtCrowd::new();
        let widest = all.iter().map(|sent| sent.params.radius).fold(0.0, f32::max);
        if !crowd.init(all.len() as i32, widest, &mut twin.mesh) {
            return Err(CrowdsError::Theirs("its memory"));
        }
        let mut avoidance = crowd.get_obstacle_avoidance_params(0).clone();
        (avoidance.el_bias, avoidance.daptive_divs) = (0.5, 7);
        (avoidance.daptive_rings, avoidance.daptive_depth) = (3, 3);
        crowd.set_obstacle_avoidance_params(i32::from(HIGH_QUALITY), &avoidance);
        crowd.filter_mut(0).exclude_flags = SHUT;
        let mut indices = Vec::with_capacity(all.len());
        for sent in all {
            let params = cpp::DtCrowdAgentParams {
                radius: sent.params.radius,
                height: sent.params.height,
                max_acceleration: sent.params.max_acceleration,
                max_speed: sent.params.max_speed,
                collision_query_range: sent.params.radius * 12.0,
                path_optimization_range: sent.params.radius * 30.0,
                update_flags: FLAGS,
                obstacle_avoidance_type: HIGH_QUALITY,
                ..cpp::DtCrowdAgentParams::default()
            };
            let index = crowd.add_agent(&sent.start.to_array(), &params);
            if index < 0 {
                return Err(CrowdsError::Theirs("an agent"));
            }
            indices.push(index);
        }
        let order = |sent: &Sent| Order {
            aim: sent.aim.clone(),
            at: sent.at,
            radius: sent.params.radius,
            given: None,
            turn: 0,
        };
        // SAFETY: the fields are numbers, a flagless reference and a pointer, and zero is valid for all of
        // them. A null pointer means that there is no avoidance data.
        let mut debug: cpp::DtCrowdAgentDebugInfo = unsafe { std::mem::zeroed() };
        // No agent is inspected.
        debug.idx = -1;
        Ok(DetourCrowd { crowd, twin, indices, orders: all.iter().map(order).collect(), debug })
    }

    fn position(&mut self, number: usize) -> Vec3 {
        Vec3::from_array(*self.crowd.get_agent_mut(self.indices[number]).npos())
    }

    /// The goal to send an agent to now, if it differs from the last one or the agent has forgotten it.
    fn due(&mut self, number: usize) -> Option<Vec3> {
        let at = self.position(number);
        let order = &mut self.orders[number];
        let (given, slack) = (order.given, order.radius);
        let wanted = match &order.aim {
            Aim::Place(place) => *place,
            Aim::Patrol(places) => {
                let place = places[order.turn % places.len()];
                if given.is_some() && (at - place).with_y(0.0).length() <= slack {
                    order.turn += 1;
                }
                places[order.turn % places.len()]
            }
            Aim::Chase(other) => {
                let other = *other;
                self.position(other)
            }
            Aim::Stand | Aim::Follow => return None,
        };
        let forgotten = self.crowd.get_agent_mut(self.indices[number]).target_state() <= FAILED;
        (forgotten || given.is_none_or(|given| given.distance(wanted) > slack)).then_some(wanted)
    }
}

impl Walkers for DetourCrowd {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&mut self, news: &News<'_>) -> Result<(), CrowdsError> {
        news.replaced.iter().try_for_each(|at| self.twin.replace(*at))?;
        if let Some(mesh) = news.mesh {
            self.twin.follow(mesh)?;
        }
        for number in 0..self.orders.len() {
            if self.orders[number].at > news.time {
                continue;
            }
            let Some(wanted) = self.due(number) else { continue };
            match self.twin.nearest(wanted)? {
                Some((polygon, place)) => {
                    if !self.crowd.request_move_target(self.indices[number], polygon, &place) {
                        return Err(CrowdsError::Theirs("a goal"));
                    }
                    self.orders[number].given = Some(wanted);
                }
                // The tile of its goal is removed. The agent is sent again when the tile is back.
                None if self.orders[number].given.is_some() => {}
                None => return Err(CrowdsError::Theirs("a goal that it has no ground for")),
            }
        }
        Ok(())
    }

    fn step(&mut self, dt: f32) -> Result<(), CrowdsError> {
        self.crowd.update(dt, &mut self.debug);
        Ok(())
    }

    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError> {
        let agent = self.crowd.get_agent_mut(self.indices[number]);
        Ok(Seen {
            position: Vec3::from_array(*agent.npos()),
            velocity: Vec3::from_array(*agent.vel()),
            radius: agent.params().radius,
            height: agent.params().height,
            walks: agent.state() == WALKING,
        })
    }
}
