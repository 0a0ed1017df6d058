//! Properties of agents.

use crate::pointers::{Options, write};
use crate::status::{Answer, Fault, NtStatus, call};
use bytemuck::{Pod, Zeroable};
use crowd::{AgentParams, Avoidance, FilterKind, Flow, GroundLoss};
use std::mem::MaybeUninit;

/// No avoidance of other agents.
pub const NT_AVOID_NONE: u32 = 0;
/// By reciprocal velocity obstacles.
pub const NT_AVOID_ORCA: u32 = 1;

/// An agent walks at its full speed as far as others leave room.
pub const NT_FLOW_FREE: u32 = 0;
/// An agent walks slower the more others are ahead of it, as people do.
pub const NT_FLOW_PEOPLE: u32 = 1;

/// If the ground under the agent is removed, it walks to the nearest remaining ground.
pub const NT_GROUND_LOSS_STEP_OUT: u32 = 0;
/// It keeps still until there is ground at its place again.
pub const NT_GROUND_LOSS_WAIT: u32 = 1;
/// It falls to the ground below it, at most `fall_height` deep.
pub const NT_GROUND_LOSS_FALL: u32 = 2;
/// It is removed from the crowd.
pub const NT_GROUND_LOSS_REMOVE: u32 = 3;

/// Properties of an agent. Before changing them, set them by nt_agent_params_init, which makes it a walking
/// person.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct NtAgentParams {
    /// Size of this struct, bytes.
    pub size: u32,
    /// The number of a filter, as nt_crowd_add_filter gives it; 0 lets everything pass.
    pub filter: u32,
    /// Metres.
    pub radius: f32,
    pub height: f32,
    /// Metres a second, and a second squared.
    pub max_speed: f32,
    pub max_acceleration: f32,
    /// Radians a second; infinity to turn at once.
    pub turn_rate: f32,
    /// The agent has arrived when it is this near to its target, metres.
    pub stopping_distance: f32,
    /// Avoidance looks ahead this far, seconds.
    pub horizon: f32,
    /// Speed along off-mesh links, metres a second; 0 if the caller moves the agent and calls
    /// nt_crowd_finish_link.
    pub link_speed: f32,
    /// NT_AVOID_NONE or NT_AVOID_ORCA.
    pub avoidance: u32,
    /// Agents give way to those of higher priority, 0 to 255.
    pub priority: u32,
    /// The layers that the agent is on, and the layers of the agents that it avoids: one bit for each layer.
    pub layers: u32,
    pub avoids: u32,
    /// 1 if the agent slows down before its target, so that it stops there.
    pub brakes: u32,
    /// NT_FLOW_FREE or NT_FLOW_PEOPLE.
    pub flow: u32,
    /// NT_GROUND_LOSS_STEP_OUT, NT_GROUND_LOSS_WAIT, NT_GROUND_LOSS_FALL or NT_GROUND_LOSS_REMOVE.
    pub ground_loss: u32,
    /// The greatest depth of a fall, metres.
    pub fall_height: f32,
}

impl Options for NtAgentParams {
    fn defaults() -> NtAgentParams {
        NtAgentParams::of(&AgentParams::default(), &[])
    }
}

impl NtAgentParams {
    /// The caller's view of an agent's properties.
    pub(crate) fn of(params: &AgentParams, filters: &[FilterKind]) -> NtAgentParams {
        let avoidance = match params.avoidance {
            Avoidance::None => NT_AVOID_NONE,
            Avoidance::Orca => NT_AVOID_ORCA,
        };
        let ground_loss = match params.ground_loss {
            GroundLoss::StepOut => NT_GROUND_LOSS_STEP_OUT,
            GroundLoss::Wait => NT_GROUND_LOSS_WAIT,
            GroundLoss::Fall => NT_GROUND_LOSS_FALL,
            GroundLoss::Remove => NT_GROUND_LOSS_REMOVE,
        };
        NtAgentParams {
            size: size_of::<NtAgentParams>() as u32,
            filter: filters.iter().position(|kind| *kind == params.filter).map_or(0, |at| at as u32 + 1),
            radius: params.radius,
            height: params.height,
            max_speed: params.max_speed,
            max_acceleration: params.max_acceleration,
            turn_rate: params.turn_rate,
            stopping_distance: params.stopping_distance,
            horizon: params.horizon,
            link_speed: params.link_speed,
            avoidance,
            priority: params.priority.into(),
            layers: params.layers,
            avoids: params.avoids,
            brakes: params.brakes.into(),
            flow: match params.flow {
                Flow::Free => NT_FLOW_FREE,
                Flow::People => NT_FLOW_PEOPLE,
            },
            ground_loss,
            fall_height: params.fall_height,
        }
    }

    /// The library's form of these properties.
    pub(crate) fn params(&self, filters: &[FilterKind]) -> Answer<AgentParams> {
        let avoidance = match self.avoidance {
            NT_AVOID_NONE => Avoidance::None,
            NT_AVOID_ORCA => Avoidance::Orca,
            other => return Err(Fault::argument(format!("params.avoidance is {other}: 0 or 1"))),
        };
        let ground_loss = match self.ground_loss {
            NT_GROUND_LOSS_STEP_OUT => GroundLoss::StepOut,
            NT_GROUND_LOSS_WAIT => GroundLoss::Wait,
            NT_GROUND_LOSS_FALL => GroundLoss::Fall,
            NT_GROUND_LOSS_REMOVE => GroundLoss::Remove,
            other => return Err(Fault::argument(format!("params.ground_loss is {other}: 0 to 3"))),
        };
        let flow = match self.flow {
            NT_FLOW_FREE => Flow::Free,
            NT_FLOW_PEOPLE => Flow::People,
            other => return Err(Fault::argument(format!("params.flow is {other}: 0 or 1"))),
        };
        let filter = filter_kind(filters, self.filter)?;
        let priority = u8::try_from(self.priority)
            .map_err(|_| Fault::argument(format!("params.priority is {}: 0 to 255", self.priority)))?;
        Ok(AgentParams {
            radius: self.radius,
            height: self.height,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            turn_rate: self.turn_rate,
            filter,
            avoidance,
            priority,
            layers: self.layers,
            avoids: self.avoids,
            stopping_distance: self.stopping_distance,
            brakes: self.brakes != 0,
            horizon: self.horizon,
            link_speed: self.link_speed,
            flow,
            ground_loss,
            fall_height: self.fall_height,
        })
    }
}

/// A filter of a crowd by its number. 0 allows everything.
pub(crate) fn filter_kind(filters: &[FilterKind], filter: u32) -> Answer<FilterKind> {
    let Some(at) = (filter as usize).checked_sub(1) else { return Ok(FilterKind::default()) };
    let found = filters.get(at).copied();
    found.ok_or_else(|| {
        Fault::argument(format!("the filter is {filter}, but the crowd has {}", filters.len()))
    })
}

/// Sets the properties to those of a walking person.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_agent_params_init(params: Option<&mut MaybeUninit<NtAgentParams>>) -> NtStatus {
    call(|| write(params, "params", NtAgentParams::defaults()))
}
