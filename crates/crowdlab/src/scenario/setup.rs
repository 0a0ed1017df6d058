//! The start of a run, before its first step: agents on the mesh, and their orders.

use super::distribution::Distribution;
use super::error::ScenarioError;
use super::places::Spread;
use super::plan::{
    Agents, AvoidanceName, CrowdTuning, FlowName, FormationName, Goal, GroundLossName, Kind, Scenario,
};
use super::world::Terrain;
use crate::trial::{Errand, Trial};
use crowd::{
    AgentId, AgentParams, Avoidance, Crowd, CrowdSettings, Exit, FilterKind, Flow, Formation, GroundLoss,
    Target,
};
use detour::{Filter, NavMesh, Place, Query, RouteOptions, Vec3};
use glam::Vec2;
use navmath::SplitMix64;
use navmath::sort::SharedSort;
use std::collections::BTreeMap;

/// Makes the seed of the agents' properties differ from those of their places.
const PROPERTIES: u64 = 0x70_726f_7065_7274;

/// The time of an order, the agent, and its target.
pub(super) type Order = (f64, AgentId, Target);

/// The places that an agent visits in turn, and the index of the next.
pub(super) type Round = (Vec<Place>, usize);

/// Agents that are ready to go.
pub(super) struct Ready {
    pub(super) trial: Trial,
    /// The agents of each `[[agents]]`.
    pub(super) cohorts: Vec<Vec<AgentId>>,
    /// In the order of time.
    pub(super) orders: Vec<Order>,
    pub(super) rounds: BTreeMap<AgentId, Round>,
}

/// Puts the agents of a scenario on a mesh. Shut doors have `doors` flags.
pub(super) fn ready(
    scenario: &Scenario,
    mesh: &NavMesh,
    terrain: &Terrain,
    doors: u32,
) -> Result<Ready, ScenarioError> {
    let mut crowd = Crowd::new(settings(&scenario.crowd))?;
    let breeds = breeds(scenario, mesh, terrain, doors, &mut crowd)?;
    let interest: Vec<Vec3> = scenario.crowd.interest.iter().map(|point| mesh.from_world(*point)).collect();
    crowd.set_points_of_interest(&interest, scenario.crowd.interest_radius)?;
    let widest = breeds.iter().map(|breed| breed.radius.most).fold(0.0, f32::max);
    let mut setup = Setup {
        scenario,
        mesh,
        crowd,
        breeds,
        random: SplitMix64::new(scenario.seed ^ PROPERTIES),
        cohorts: Vec::new(),
        starts: Spread::new(mesh, scenario.seed, widest),
        goals: Spread::new(mesh, !scenario.seed, widest),
        query: Query::new(),
        orders: Vec::new(),
        rounds: BTreeMap::new(),
        errands: BTreeMap::new(),
    };
    (0..scenario.agents.len()).try_for_each(|index| setup.place(index))?;
    (0..scenario.agents.len()).try_for_each(|index| setup.send(index))?;
    let Setup { crowd, cohorts, mut orders, rounds, errands, .. } = setup;
    orders.shared_sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut trial = Trial::watching(crowd);
    for id in cohorts.iter().flatten() {
        trial.add(*id, errands.get(id).copied());
    }
    Ok(Ready { trial, cohorts, orders, rounds })
}

/// A kind of agent on a mesh.
struct Breed {
    params: AgentParams,
    radius: Distribution,
    speed: Distribution,
    reaction: Distribution,
    /// Speed on off-mesh links, if it differs from that on the ground.
    link_speed: Option<f32>,
    filter: Filter,
}

impl Breed {
    /// The properties of the next agent.
    fn draw(&self, random: &mut SplitMix64) -> AgentParams {
        let max_speed = self.speed.draw(random);
        let link_speed = self.link_speed.unwrap_or(max_speed);
        AgentParams { radius: self.radius.draw(random), max_speed, link_speed, ..self.params }
    }
}

/// Everything that is collected before the first step.
struct Setup<'a> {
    scenario: &'a Scenario,
    mesh: &'a NavMesh,
    crowd: Crowd,
    breeds: Vec<Breed>,
    random: SplitMix64,
    cohorts: Vec<Vec<AgentId>>,
    starts: Spread<'a>,
    goals: Spread<'a>,
    query: Query,
    orders: Vec<Order>,
    rounds: BTreeMap<AgentId, Round>,
    errands: BTreeMap<AgentId, Errand>,
}

impl Setup<'_> {
    fn breed(&self, agents: &Agents) -> &Breed {
        &self.breeds[self.breed_number(agents)]
    }

    fn breed_number(&self, agents: &Agents) -> usize {
        let index = agents
            .kind
            .as_ref()
            .and_then(|name| self.scenario.kind.iter().position(|kind| kind.name == *name));
        index.unwrap_or(0)
    }

    /// Puts the agents of one table on the mesh.
    fn place(&mut self, index: usize) -> Result<(), ScenarioError> {
        let agents = &self.scenario.agents[index];
        let (count, breed) = (agents.total() as usize, self.breed_number(agents));
        let breed = &self.breeds[breed];
        let params: Vec<AgentParams> = (0..count).map(|_| breed.draw(&mut self.random)).collect();
        let places = self.starts.starts(&agents.start, &params, &breed.filter);
        if places.len() < count {
            let what = format!(
                "there is ground for {} of {count} agents of radius {} m",
                places.len(),
                breed.radius.most
            );
            let remedy = "give places on the mesh, a larger region, or fewer agents";
            return Err(ScenarioError::misfit(format!("agents[{index}].start"), what, remedy));
        }
        let mut ids = Vec::with_capacity(count);
        for (place, params) in places.iter().zip(&params) {
            ids.push(self.crowd.add(self.mesh, place.point, params)?);
        }
        self.cohorts.push(ids);
        Ok(())
    }

    /// Prepares the orders of the agents of one table.
    fn send(&mut self, index: usize) -> Result<(), ScenarioError> {
        let (scenario, ids) = (self.scenario, self.cohorts[index].clone());
        let agents = &scenario.agents[index];
        if let Some(follow) = &agents.follow {
            let Some(leader) = self.first(&follow.leader) else { return Ok(()) };
            let formation = match &follow.formation {
                FormationName::Line => Formation::Line,
                FormationName::Column => Formation::Column,
                FormationName::Wedge => Formation::Wedge,
                FormationName::Box => Formation::Box,
                FormationName::Own(slots) => {
                    Formation::Own(slots.iter().map(|slot| Vec2::from(*slot)).collect())
                }
            };
            self.crowd.add_group(leader, &ids, formation, follow.spacing)?;
            let sets_out = scenario.agents.iter().find(|other| other.name == follow.leader);
            let sent = sets_out.map_or(0.0, |leader| leader.at as f32);
            self.errands.extend(ids.iter().map(|id| (*id, Errand { sent, ideal: f32::NAN })));
            return Ok(());
        }
        let Some(goal) = &agents.goal else { return Ok(()) };
        let shared = self.shared_target(index, goal)?;
        for (number, id) in ids.iter().enumerate() {
            let start = self.crowd.agent(*id)?.position;
            let (target, goals) = match (goal, &shared) {
                (_, Some((target, goals))) => (*target, goals.clone()),
                (Goal::Chase(name), _) => match self.first(name) {
                    Some(other) => (Target::Agent(other), Vec::new()),
                    None => continue,
                },
                (Goal::Patrol(points), _) => {
                    let places = points.iter().map(|point| self.ground(index, *point));
                    let places = places.collect::<Result<Vec<_>, _>>()?;
                    let first = Target::Place(places[0]);
                    self.rounds.insert(*id, (places, 0));
                    (first, Vec::new())
                }
                _ => {
                    let place = self.goal(index, goal, number, ids.len(), start)?;
                    (Target::Place(place), vec![place])
                }
            };
            let breed = self.breed_number(agents);
            let at = agents.at + f64::from(self.breeds[breed].reaction.draw(&mut self.random));
            self.orders.push((at, *id, target));
            if !matches!(goal, Goal::Patrol(_)) {
                let speed = self.crowd.params(*id)?.max_speed;
                let ideal = self.ideal(agents, speed, start, &goals);
                self.errands.insert(*id, Errand { sent: at as f32, ideal });
            }
        }
        Ok(())
    }

    /// The target that all agents of a table share, and its places; `None` if each has its own.
    fn shared_target(
        &mut self,
        index: usize,
        goal: &Goal,
    ) -> Result<Option<(Target, Vec<Place>)>, ScenarioError> {
        let points: Vec<[f64; 3]> = match goal {
            Goal::Field(points) => points.clone(),
            Goal::Exits(exits) => exits.iter().map(|exit| exit.place).collect(),
            _ => return Ok(None),
        };
        let places = points.iter().map(|point| self.ground(index, *point)).collect::<Result<Vec<_>, _>>()?;
        let kind = self.breed(&self.scenario.agents[index]).params.filter;
        let target = if let Goal::Exits(exits) = goal {
            let exits = places.iter().zip(exits).map(|(place, exit)| Exit { place: *place, rate: exit.rate });
            Target::Exits(self.crowd.add_exits(self.mesh, &exits.collect::<Vec<_>>(), kind)?)
        } else {
            Target::Field(self.crowd.add_field(self.mesh, &places, f32::INFINITY, kind)?)
        };
        Ok(Some((target, places)))
    }

    /// The first agent with a name.
    fn first(&self, name: &str) -> Option<AgentId> {
        let index = self.scenario.agents.iter().position(|agents| agents.name == name)?;
        self.cohorts[index].first().copied()
    }

    /// The goal of an agent that has its own.
    fn goal(
        &mut self,
        index: usize,
        goal: &Goal,
        number: usize,
        count: usize,
        start: Vec3,
    ) -> Result<Place, ScenarioError> {
        let from = self.mesh.to_world(start);
        let point = match goal {
            Goal::Into(region) => {
                let Breed { params, filter, .. } = self.breed(&self.scenario.agents[index]);
                let (params, filter) = (*params, filter.clone());
                let place = self.goals.goal(region, number, count, &params, &filter);
                return place.ok_or_else(|| no_ground(index, "it"));
            }
            Goal::Opposite(middle) => std::array::from_fn(|axis| 2.0 * middle[axis] - from[axis]),
            Goal::Shift(by) => std::array::from_fn(|axis| from[axis] + by[axis]),
            Goal::Place(point) => *point,
            Goal::Field(_) | Goal::Exits(_) | Goal::Chase(_) | Goal::Patrol(_) => from,
        };
        self.ground(index, point)
    }

    fn ground(&mut self, index: usize, point: [f64; 3]) -> Result<Place, ScenarioError> {
        let filter = self.breed(&self.scenario.agents[index]).filter.clone();
        let place = self.goals.ground(point, &filter);
        place.ok_or_else(|| no_ground(index, &format!("{point:?}")))
    }

    /// Seconds that an agent would take alone, at its speed, to the nearest of some goals.
    fn ideal(&mut self, agents: &Agents, speed: f32, start: Vec3, goals: &[Place]) -> f32 {
        let (filter, mesh) = (self.breed(agents).filter.clone(), self.mesh);
        let mut seconds = |goal: &Place| {
            let route = self.query.route(mesh, start, goal.point, &filter, &RouteOptions::default()).ok()?;
            route.reason().is_none().then_some(route.length / speed)
        };
        goals.iter().filter_map(&mut seconds).reduce(f32::min).unwrap_or(f32::NAN)
    }
}

fn no_ground(index: usize, whose: &str) -> ScenarioError {
    let what = format!("there is no ground at {whose}, within 1 m across and 2 m in height");
    let remedy = "give a place on the mesh; `navtile nearest` finds one";
    ScenarioError::misfit(format!("agents[{index}].goal"), what, remedy)
}

fn settings(tuning: &CrowdTuning) -> CrowdSettings {
    let usual = CrowdSettings::default();
    CrowdSettings {
        search_nodes: tuning.search_nodes.unwrap_or(usual.search_nodes),
        avoid_every: tuning.avoid_every.unwrap_or(usual.avoid_every),
        far_every: tuning.far_every.unwrap_or(usual.far_every),
        stuck_after: tuning.stuck_after.unwrap_or(usual.stuck_after),
        held_detour: tuning.held_detour.unwrap_or(usual.held_detour),
        ..usual
    }
}

/// The kinds of a scenario; one default kind if the file gives no kinds.
fn breeds(
    scenario: &Scenario,
    mesh: &NavMesh,
    terrain: &Terrain,
    doors: u32,
    crowd: &mut Crowd,
) -> Result<Vec<Breed>, ScenarioError> {
    let usual = [Kind::default()];
    let kinds = if scenario.kind.is_empty() { &usual[..] } else { &scenario.kind[..] };
    let mut breeds = Vec::with_capacity(kinds.len());
    for (index, kind) in kinds.iter().enumerate() {
        let area = |key: &str, name: &str| {
            terrain.area(name).ok_or_else(|| {
                let field = format!("kind[{index}].{key}");
                let what = format!("the mesh has no area \"{name}\"");
                ScenarioError::misfit(field, what, "give one of its areas, or a number from 1 to 255")
            })
        };
        let mut filter = terrain.filter.clone();
        if !kind.opens_doors {
            filter = filter.clone().with_exclude(filter.exclude() | doors);
        }
        for (name, cost) in &kind.cost {
            filter = filter.with_area_cost(area("cost", name)?, *cost).map_err(|error| {
                ScenarioError::misfit(format!("kind[{index}].cost"), error.to_string(), "give another cost")
            })?;
        }
        for name in &kind.avoid_areas {
            filter = filter.without_area(area("avoid_areas", name)?);
        }
        let own = crowd.add_filter(filter.clone())?;
        for (name, [up, down]) in &kind.area_speed {
            crowd.set_area_speed(own, area("area_speed", name)?, *up, *down)?;
        }
        let params = params(kind, &terrain.walker, own);
        let breed = Breed {
            params,
            radius: kind.radius.unwrap_or(Distribution::fixed(params.radius)),
            speed: kind.speed.unwrap_or(Distribution::fixed(params.max_speed)),
            reaction: kind.reaction,
            link_speed: kind.link_speed,
            filter,
        };
        // The caller chose the radius of the walker.
        let radius = breed.radius.most;
        let depth = AgentParams { radius, ..params }.depth_in_walls(mesh);
        if depth > 0.0 && kind.radius.is_some() {
            let name = &kind.name;
            let what = format!(
                "is {radius} m for \"{name}\", but the mesh keeps {:.2} m from walls: the body would reach up to {depth:.2} m into them",
                radius - depth
            );
            let remedy = "bake a mesh for that radius with `--agent-radius`, or give a smaller one";
            return Err(ScenarioError::misfit(format!("kind[{index}].radius"), what, remedy));
        }
        breeds.push(breed);
    }
    Ok(breeds)
}

fn params(kind: &Kind, usual: &AgentParams, filter: FilterKind) -> AgentParams {
    let bits = |layers: &Vec<u8>| layers.iter().fold(0, |bits, layer| bits | 1u32 << (layer & 31));
    AgentParams {
        radius: kind.radius.map_or(usual.radius, |radius| radius.mean),
        height: kind.height.unwrap_or(usual.height),
        max_speed: usual.max_speed,
        max_acceleration: kind.acceleration.unwrap_or(usual.max_acceleration),
        turn_rate: kind.turn_rate.unwrap_or(usual.turn_rate),
        filter,
        avoidance: match kind.avoidance {
            AvoidanceName::None => Avoidance::None,
            AvoidanceName::Orca => Avoidance::Orca,
        },
        priority: kind.priority,
        layers: kind.layers.as_ref().map_or(usual.layers, bits),
        avoids: kind.avoids.as_ref().map_or(usual.avoids, bits),
        stopping_distance: kind.stopping_distance.unwrap_or(usual.stopping_distance),
        brakes: kind.brakes.unwrap_or(usual.brakes),
        horizon: kind.horizon.unwrap_or(usual.horizon),
        link_speed: usual.link_speed,
        flow: match kind.flow {
            FlowName::Free => Flow::Free,
            FlowName::People => Flow::People,
        },
        ground_loss: match kind.ground_loss {
            GroundLossName::StepOut => GroundLoss::StepOut,
            GroundLossName::Wait => GroundLoss::Wait,
            GroundLossName::Fall => GroundLoss::Fall,
        },
        fall_height: kind.fall_height.unwrap_or(usual.fall_height),
    }
}
