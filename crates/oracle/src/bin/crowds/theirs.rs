//! The C++ library's crowd, set up as RecastDemo does.
#![allow(unsafe_code)] // The bindings give no other way to make the one structure that `update` asks for.

use crate::walkers::{CrowdsError, Walkers};
use crowd::trial::{Seen, Walk};
use detour::Vec3;
use oracle::runtime::pair::Pair;
use recastnavigation_rs::detour_crowd as cpp;

/// DT_CROWD_ANTICIPATE_TURNS, _OBSTACLE_AVOIDANCE, _OPTIMIZE_VIS and _OPTIMIZE_TOPO: what RecastDemo has turned on.
const FLAGS: u8 = 1 | 2 | 8 | 16;
/// The place of the parameters of avoidance that all agents use.
const HIGH_QUALITY: u8 = 3;

/// DetourCrowd with the finest of its avoidance: 66 samples.
#[derive(Debug)]
pub(crate) struct DetourCrowd {
    crowd: cpp::DtCrowd,
    indices: Vec<i32>,
    debug: cpp::DtCrowdAgentDebugInfo,
}

impl DetourCrowd {
    /// Puts agents at the starts of their walks and sends them off.
    ///
    /// Errors: what the library refuses.
    pub(crate) fn new(pair: &mut Pair, walks: &[Walk]) -> Result<DetourCrowd, CrowdsError> {
        let mut crowd = cpp::DtCrowd::new();
        let widest = walks.iter().map(|walk| walk.params.radius).fold(0.0, f32::max);
        if !crowd.init(walks.len() as i32, widest, &mut pair.theirs) {
            return Err(CrowdsError::Theirs("its memory"));
        }
        let mut avoidance = crowd.get_obstacle_avoidance_params(0).clone();
        (avoidance.el_bias, avoidance.daptive_divs) = (0.5, 7);
        (avoidance.daptive_rings, avoidance.daptive_depth) = (3, 3);
        crowd.set_obstacle_avoidance_params(i32::from(HIGH_QUALITY), &avoidance);
        let mut indices = Vec::with_capacity(walks.len());
        for walk in walks {
            let params = cpp::DtCrowdAgentParams {
                radius: walk.params.radius,
                height: walk.params.height,
                max_acceleration: walk.params.max_acceleration,
                max_speed: walk.params.max_speed,
                collision_query_range: walk.params.radius * 12.0,
                path_optimization_range: walk.params.radius * 30.0,
                update_flags: FLAGS,
                obstacle_avoidance_type: HIGH_QUALITY,
                ..cpp::DtCrowdAgentParams::default()
            };
            let index = crowd.add_agent(&walk.start.to_array(), &params);
            let number =
                pair.number(walk.goal.polygon).ok_or(CrowdsError::Theirs("a goal that it does not have"))?;
            let goal = pair.their_ref(number);
            if index < 0 || !crowd.request_move_target(index, goal, &walk.goal.point.to_array()) {
                return Err(CrowdsError::Theirs("an agent"));
            }
            indices.push(index);
        }
        // SAFETY: numbers, a flagless reference and a pointer, for all of which zeros are values; a null pointer stands for
        // no data of avoidance.
        let mut debug: cpp::DtCrowdAgentDebugInfo = unsafe { std::mem::zeroed() };
        // No agent is looked at.
        debug.idx = -1;
        Ok(DetourCrowd { crowd, indices, debug })
    }
}

impl Walkers for DetourCrowd {
    fn name(&self) -> &'static str {
        "DetourCrowd, 66 samples"
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
            walks: true,
        })
    }
}
