//! Ground for an agent whose own is gone: the nearest where no other stands.

use crate::agent::Agent;
use crate::bodies::{Bodies, Body, Neighbours};
use crate::filters::CrowdFilter;
use detour::{NavMesh, Place, Query, Vec3};
use glam::{Vec2, Vec3Swizzles};
use std::collections::BTreeMap;

/// How far ground is looked for, as a multiple of an agent's radius; and a metre at least.
const SEARCH: f32 = 4.0;
/// Ground that is as near as this part of a radius is where the agent stands.
const SAME: f32 = 0.02;
/// Places are tried on rings this many radii apart, and this many on each.
const RING: f32 = 0.75;
const PLACES: u32 = 16;
/// Agents without ground, and those that were given some in this step.
#[derive(Debug, Default)]
pub(crate) struct Groundless {
    /// In the order of their numbers.
    pub(crate) list: Vec<u32>,
    pub(crate) landed: Landed,
}

/// Where agents were put in this step, by squares as wide as the largest is.
#[derive(Debug, Default)]
pub(crate) struct Landed {
    side: f32,
    squares: BTreeMap<[i32; 2], Vec<Body>>,
}

impl Landed {
    pub(crate) fn clear(&mut self, largest: f32) {
        self.side = (largest * 2.0).max(0.25);
        self.squares.clear();
    }

    fn square(&self, at: Vec2) -> [i32; 2] {
        (at / self.side).floor().to_array().map(|along| along as i32)
    }

    pub(crate) fn add(&mut self, body: Body) {
        self.squares.entry(self.square(body.at)).or_default().push(body);
    }

    fn near(&self, at: Vec2) -> impl Iterator<Item = &Body> {
        let [x, y] = self.square(at);
        let around = move |by: i32| [-1, 0, 1].map(|side| [x.saturating_add(side), y.saturating_add(by)]);
        [-1, 0, 1].into_iter().flat_map(around).filter_map(|square| self.squares.get(&square)).flatten()
    }
}

/// The ground nearest to an agent on which it would touch nobody. Only what is where it stands, if it is not its turn to
/// look around.
pub(crate) fn free_ground(
    (agent, index): (&Agent, usize),
    is_its_turn: bool,
    (mesh, filter): (&NavMesh, &CrowdFilter),
    query: &mut Query,
    (bodies, landed): (&Bodies, &Landed),
) -> Option<Place> {
    let own = ground_near(agent, agent.position(), reach(agent), mesh, filter, query)?;
    let is_free = |place: &Place| is_free(agent, index, place.point, bodies, landed);
    if is_free(&own) {
        return Some(own);
    }
    if !is_its_turn {
        return None;
    }
    let (at, step) = (agent.position(), agent.params.radius * RING);
    let rings = if step > 0.0 { (reach(agent) / step) as u32 } else { 0 };
    (1..=rings).flat_map(|ring| (0..PLACES).map(move |number| (ring, number))).find_map(|(ring, number)| {
        let (sine, cosine) = sine_cosine(number);
        let at = at + Vec3::new(cosine, 0.0, sine) * (step * ring as f32);
        ground_near(agent, at, step * 0.5, mesh, filter, query).filter(is_free)
    })
}

/// How far ground is looked for around an agent, metres.
fn reach(agent: &Agent) -> f32 {
    (agent.params.radius * SEARCH).max(1.0)
}

/// A direction of the places that are tried.
fn sine_cosine(number: u32) -> (f32, f32) {
    let angle = number as f32 / PLACES as f32 * std::f32::consts::TAU;
    (libm::sinf(angle), libm::cosf(angle))
}

/// The ground nearest to a place, at the height of the agent.
fn ground_near(
    agent: &Agent,
    at: Vec3,
    reach: f32,
    mesh: &NavMesh,
    filter: &CrowdFilter,
    query: &mut Query,
) -> Option<Place> {
    let half_extents = Vec3::new(reach, agent.params.height.max(1.0), reach);
    query.nearest(mesh, at, half_extents, filter).ok().map(|nearest| nearest.place())
}

/// The ground of this mesh where an agent stands, if there is some.
pub(crate) fn same_ground(
    agent: &Agent,
    mesh: &NavMesh,
    filter: &CrowdFilter,
    query: &mut Query,
) -> Option<Place> {
    let at = agent.position();
    let near = agent.params.radius * SAME;
    let place = ground_near(agent, at, near, mesh, filter, query)?;
    (place.point.xz().distance(at.xz()) <= near).then_some(place)
}

/// Whether an agent at this place would touch nobody.
fn is_free(agent: &Agent, index: usize, at: Vec3, bodies: &Bodies, landed: &Landed) -> bool {
    let params = &agent.params;
    let (plan, heights) = (at.xz(), (at.y, at.y + params.height));
    let mut near = Neighbours::default();
    bodies.near((plan, index as u32), params.radius + bodies.largest, heights, params.avoids, &mut near);
    let touches = |body: &Body| {
        let reach = params.radius + body.radius;
        body.at.distance_squared(plan) < reach * reach
    };
    let is_at_height = |body: &&Body| body.feet <= heights.1 && body.feet + body.height >= heights.0;
    !near.iter().any(|near| touches(&bodies.sorted[near.body as usize]))
        && !landed.near(plan).filter(is_at_height).any(touches)
}
