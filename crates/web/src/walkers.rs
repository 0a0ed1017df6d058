//! Crowds: characters that walk over a mesh to their targets, and avoid each other.

use crate::convert::{Answer, fail, floats, object, point};
use crate::mesh::WebMesh;
use crate::options::{Fields, Options, options};
use crowd::{
    AgentId, AgentParams, AgentState, Avoidance, Crowd, CrowdSettings, Event, EventKind, Exit, FilterKind,
    Flow, GroundLoss, HoldUp, HoldUpCause, Target,
};
use detour::{Place, Vec3};
use js_sys::{Array, BigUint64Array, Float32Array, Uint8Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Maximum distance of a target from the mesh.
const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Properties of an agent; the default is a walking person.
#[derive(Default)]
struct AgentOptions {
    radius: Option<f32>,
    height: Option<f32>,
    max_speed: Option<f32>,
    max_acceleration: Option<f32>,
    turn_rate: Option<f32>,
    stopping_distance: Option<f32>,
    priority: Option<u8>,
    /// `orca` or `none`.
    avoidance: Option<String>,
    /// `free` or `people`.
    flow: Option<String>,
    link_speed: Option<f32>,
    /// `step-out`, `wait`, `fall` or `remove`.
    ground_loss: Option<String>,
    fall_height: Option<f32>,
}

impl Options for AgentOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![
            ("radius", &mut self.radius),
            ("height", &mut self.height),
            ("maxSpeed", &mut self.max_speed),
            ("maxAcceleration", &mut self.max_acceleration),
            ("turnRate", &mut self.turn_rate),
            ("stoppingDistance", &mut self.stopping_distance),
            ("priority", &mut self.priority),
            ("avoidance", &mut self.avoidance),
            ("flow", &mut self.flow),
            ("linkSpeed", &mut self.link_speed),
            ("groundLoss", &mut self.ground_loss),
            ("fallHeight", &mut self.fall_height),
        ]
    }
}

impl AgentOptions {
    fn params(self) -> Answer<AgentParams> {
        let own = AgentParams::default();
        let avoidance = match self.avoidance.as_deref() {
            None => own.avoidance,
            Some("orca") => Avoidance::Orca,
            Some("none") => Avoidance::None,
            Some(other) => {
                return Err(fail(format!("avoidance is \"{other}\", expected \"orca\" or \"none\"")));
            }
        };
        let flow = match self.flow.as_deref() {
            None => own.flow,
            Some("free") => Flow::Free,
            Some("people") => Flow::People,
            Some(other) => return Err(fail(format!("flow is \"{other}\", expected \"free\" or \"people\""))),
        };
        let ground_loss = match self.ground_loss.as_deref() {
            None => own.ground_loss,
            Some("step-out") => GroundLoss::StepOut,
            Some("wait") => GroundLoss::Wait,
            Some("fall") => GroundLoss::Fall,
            Some("remove") => GroundLoss::Remove,
            Some(other) => {
                return Err(fail(format!(
                    "groundLoss is \"{other}\", expected \"step-out\", \"wait\", \"fall\" or \"remove\""
                )));
            }
        };
        Ok(AgentParams {
            radius: self.radius.unwrap_or(own.radius),
            height: self.height.unwrap_or(own.height),
            max_speed: self.max_speed.unwrap_or(own.max_speed),
            max_acceleration: self.max_acceleration.unwrap_or(own.max_acceleration),
            turn_rate: self.turn_rate.unwrap_or(own.turn_rate),
            stopping_distance: self.stopping_distance.unwrap_or(own.stopping_distance),
            priority: self.priority.unwrap_or(own.priority),
            link_speed: self.link_speed.unwrap_or(own.link_speed),
            fall_height: self.fall_height.unwrap_or(own.fall_height),
            ground_loss,
            avoidance,
            flow,
            ..own
        })
    }
}

/// An exit that agents choose. Both must be given.
#[derive(Default)]
struct ExitOptions {
    at: Option<[f64; 3]>,
    rate: Option<f32>,
}

impl Options for ExitOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("at", &mut self.at), ("rate", &mut self.rate)]
    }
}

impl ExitOptions {
    fn exit(self, mesh: &mut WebMesh) -> Answer<Exit> {
        let (Some(at), Some(rate)) = (self.at, self.rate) else {
            return Err(fail("exits: an exit has no `at` or no `rate`"));
        };
        Ok(Exit { place: target(mesh, &at)?, rate })
    }
}

/// A crowd of walking characters. The same calls give the same positions on every machine.
#[wasm_bindgen(js_name = Crowd)]
pub struct WebCrowd {
    crowd: Crowd,
    events: Vec<Event>,
    /// The target that all agents were sent to last: a field or exits.
    shared: Option<Target>,
}

#[wasm_bindgen(js_class = Crowd)]
impl WebCrowd {
    /// A crowd without agents.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Answer<WebCrowd> {
        let crowd = Crowd::new(CrowdSettings::default()).map_err(fail)?;
        Ok(WebCrowd { crowd, events: Vec::new(), shared: None })
    }

    /// Adds an agent on the ground nearest to a place.
    pub fn add(
        &mut self,
        mesh: &WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AgentOptions")] wanted: JsValue,
    ) -> Answer<u64> {
        let wanted: AgentOptions = options("options", wanted)?;
        let at = mesh.mesh.from_world(point("at", at)?);
        self.crowd.add(&mesh.mesh, at, &wanted.params()?).map(AgentId::to_bits).map_err(fail)
    }

    /// Removes an agent.
    pub fn remove(&mut self, agent: u64) -> Answer<()> {
        self.crowd.remove(AgentId::from_bits(agent)).map_err(fail)
    }

    /// Sends an agent to a place.
    pub fn send(
        &mut self,
        mesh: &mut WebMesh,
        agent: u64,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
    ) -> Answer<()> {
        let place = target(mesh, to)?;
        self.crowd.set_target(AgentId::from_bits(agent), Target::Place(place)).map_err(fail)
    }

    /// Sends all agents to one place: they share one search.
    #[wasm_bindgen(js_name = sendAll)]
    pub fn send_all(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
    ) -> Answer<()> {
        let place = target(mesh, to)?;
        let field =
            self.crowd.add_field(&mesh.mesh, &[place], f32::INFINITY, FilterKind::default()).map_err(fail)?;
        self.share(Target::Field(field))
    }

    /// Sends all agents to these exits. Each agent chooses the exit that it expects to pass first, by its
    /// path and by the agents before it, and may change its mind once a second.
    #[wasm_bindgen(js_name = sendAllToExits)]
    pub fn send_all_to_exits(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "CrowdExit[]")] exits: &Array,
    ) -> Answer<()> {
        let exit = |exit: JsValue| options::<ExitOptions>("exits", exit)?.exit(mesh);
        let exits: Vec<Exit> = exits.iter().map(exit).collect::<Answer<_>>()?;
        let exits = self.crowd.add_exits(&mesh.mesh, &exits, FilterKind::default()).map_err(fail)?;
        self.share(Target::Exits(exits))
    }

    /// The exit that an agent has chosen, as an index into the exits of `sendAllToExits`.
    #[wasm_bindgen(js_name = exitOf)]
    pub fn exit_of(&self, agent: u64) -> Answer<Option<usize>> {
        self.crowd.exit_of(AgentId::from_bits(agent)).map_err(fail)
    }

    /// The reason why an agent was much slower in the last step than it wanted to be; null if nothing holds
    /// it up, or if it does not want to walk.
    #[wasm_bindgen(js_name = holdUp, unchecked_return_type = "HoldUp | null")]
    pub fn hold_up(&self, agent: u64) -> Answer<JsValue> {
        let held = self.crowd.hold_up(AgentId::from_bits(agent)).map_err(fail)?;
        Ok(held.as_ref().map_or(JsValue::NULL, hold_up))
    }

    /// Stops an agent.
    pub fn stop(&mut self, agent: u64) -> Answer<()> {
        self.crowd.set_target(AgentId::from_bits(agent), Target::None).map_err(fail)
    }

    /// Moves all agents by `dt` seconds. Returns the events.
    #[wasm_bindgen(unchecked_return_type = "CrowdEvent[]")]
    pub fn step(&mut self, mesh: &WebMesh, dt: f32) -> Answer<Array> {
        self.events.clear();
        self.crowd.step(&mesh.mesh, dt, &mut self.events).map_err(fail)?;
        Ok(self.events.iter().map(event).collect())
    }

    /// The agents, in the order of the lists of `positions` and `states`.
    pub fn agents(&self) -> BigUint64Array {
        let bits: Vec<u64> = self.crowd.agents().map(AgentId::to_bits).collect();
        BigUint64Array::from(bits.as_slice())
    }

    /// Positions of all agents: x, y and z each, metres.
    pub fn positions(&self, mesh: &WebMesh) -> Answer<Float32Array> {
        let mut positions = Vec::with_capacity(self.crowd.len());
        for agent in self.crowd.agents() {
            positions.push(mesh.mesh.to_world(self.crowd.agent(agent).map_err(fail)?.position));
        }
        Ok(floats(positions))
    }

    /// States of all agents: 0 idle, 1 searching, 2 walking, 3 arrived, 4 waiting at a link, 5 on a link, 6
    /// without ground or carried, 7 leaving ground that was removed, 8 falling.
    pub fn states(&self) -> Answer<Uint8Array> {
        let mut states = Vec::with_capacity(self.crowd.len());
        for agent in self.crowd.agents() {
            states.push(match self.crowd.agent(agent).map_err(fail)?.state {
                AgentState::Idle => 0,
                AgentState::Searching => 1,
                AgentState::Walking => 2,
                AgentState::Arrived => 3,
                AgentState::Waiting(_) => 4,
                AgentState::OnLink(_) => 5,
                AgentState::Lost | AgentState::Carried => 6,
                AgentState::SteppingOut => 7,
                AgentState::Falling => 8,
            });
        }
        Ok(Uint8Array::from(states.as_slice()))
    }

    /// Number of agents.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.crowd.len()
    }

    /// A hash of all positions and velocities. The same run has the same hash on any machine.
    pub fn hash(&self) -> u64 {
        self.crowd.hash()
    }

    /// The crowd as bytes.
    pub fn save(&self) -> Uint8Array {
        Uint8Array::from(self.crowd.save().as_slice())
    }

    /// Continues from bytes that `save` made, bit for bit.
    pub fn restore(&mut self, mesh: &WebMesh, bytes: &[u8]) -> Answer<()> {
        self.crowd.restore(&mesh.mesh, bytes).map_err(fail)
    }
}

impl WebCrowd {
    /// Sends all agents to a target that they share.
    fn share(&mut self, target: Target) -> Answer<()> {
        let agents: Vec<AgentId> = self.crowd.agents().collect();
        for agent in agents {
            self.crowd.set_target(agent, target).map_err(fail)?;
        }
        // No agent has the old one any more.
        match self.shared.replace(target) {
            Some(Target::Field(field)) => self.crowd.remove_field(field).map_err(fail),
            Some(Target::Exits(exits)) => self.crowd.remove_exits(exits).map_err(fail),
            _ => Ok(()),
        }
    }
}

fn target(mesh: &mut WebMesh, to: &[f64]) -> Answer<Place> {
    Ok(mesh.snap(point("to", to)?, REACH, 0)?.map_err(fail)?.place())
}

/// The reason of a hold-up as an object.
fn hold_up(held: &HoldUp) -> JsValue {
    let cause = match held.cause {
        HoldUpCause::Crowded => "crowded",
        HoldUpCause::RightOfWay => "right-of-way",
        HoldUpCause::LinkBusy => "link-busy",
        HoldUpCause::Followers => "followers",
        HoldUpCause::Searching => "searching",
        HoldUpCause::NoWay => "no-way",
        HoldUpCause::GroundLost => "ground-lost",
    };
    let by = held.by.map_or(JsValue::NULL, |by| by.to_bits().into());
    object(&[("cause", cause.into()), ("by", by)])
}

/// An event as an object.
fn event(event: &Event) -> JsValue {
    let (kind, about): (&str, JsValue) = match event.kind {
        EventKind::Arrived => ("arrived", JsValue::NULL),
        EventKind::Stuck(cause) => ("stuck", format!("{cause:?}").into()),
        EventKind::PathPartial(reason) => ("path-partial", reason.to_string().into()),
        EventKind::PathLost => ("path-lost", JsValue::NULL),
        EventKind::GroundLost => ("ground-lost", JsValue::NULL),
        EventKind::GroundFound => ("ground-found", JsValue::NULL),
        EventKind::SteppingOut => ("stepping-out", JsValue::NULL),
        EventKind::Falling => ("falling", JsValue::NULL),
        EventKind::Removed => ("removed", JsValue::NULL),
        EventKind::SlotChanged { slot, .. } => ("slot-changed", slot.into()),
        EventKind::LinkEntered(link) => ("link-entered", link.to_bits().into()),
        EventKind::LinkLeft(link) => ("link-left", link.to_bits().into()),
    };
    object(&[("agent", event.agent.to_bits().into()), ("kind", kind.into()), ("about", about)])
}
