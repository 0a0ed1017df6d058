//! Finds ground for an agent whose own ground is gone: the nearest free place.

use crate::agent::Agent;
use crate::bodies::{Bodies, Body, Nearby, Neighbours};
use crate::filters::Ground;
use crate::settings::GroundLoss;
use detour::{Filter, NavMesh, PathStatus, Place, Query, Ray, Reachable, RouteOptions, Vec3};
use glam::{Vec2, Vec3Swizzles};
use navmath::order::TotalF32;
use std::collections::BTreeMap;

/// Search distance for ground, as a multiple of an agent's radius; at least a metre.
const SEARCH: f32 = 4.0;
/// Ground nearer than this part of a radius counts as the agent's own place.
const SAME: f32 = 0.02;
/// Distance between the rings of places that are tried, in radii and at least in metres, and number of places
/// per ring.
const RING: f32 = 0.75;
const LEAST_RING: f32 = 0.05;
const PLACES: u32 = 16;
/// The heights of the same ground in two bakes differ by less than this, metres.
const LEAST_CLIMB: f32 = 0.2;
/// Factors on the search distance for agents whose ground was removed.
const EXIT_REACHES: [f32; 3] = [1.0, 4.0, 16.0];
/// The largest number of polygons that are tried within each distance: the nearest.
const MOST_EXITS: usize = 64;
/// The length limit of an exit route that is not straight, as a multiple of the straight line, and the
/// largest number of routes that are tried.
const LONGEST_WAY: f32 = 2.0;
const MOST_ROUTES: usize = 8;

/// Agents without ground, and agents that got ground in this step.
#[derive(Debug, Default)]
pub(crate) struct Groundless {
    /// In the order of their numbers.
    pub(crate) list: Vec<u32>,
    pub(crate) landed: Landed,
}

/// Agents that were placed in this step, by squares that are as wide as the largest agent.
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

/// The ground that an agent goes to when its own was removed; `None` if it waits. `start` is the last place
/// on the mesh `before`.
pub(crate) fn find_exit(
    agent: &Agent,
    start: Place,
    before: &NavMesh,
    ground: Ground<'_>,
    query: &mut Query,
) -> Option<Place> {
    if agent.params.ground_loss == GroundLoss::StepOut {
        return way_out(agent, start, before, ground, query);
    }
    let (at, mut near) = (agent.position(), Vec::new());
    gather_ground(agent, agent.params.radius, ground, query, &mut near);
    let is_level = |place: &Place| (place.point.y - at.y).abs() <= climb(ground.mesh, place);
    let next_to_it = near.into_iter().map(|(_, place)| place).find(is_level);
    next_to_it.or_else(|| ground_below(agent, ground, query))
}

/// The ground that an agent on an off-mesh link goes to when the link's far end was removed: the ground
/// below it if it falls, else the ground around that end, else the start of the link.
pub(crate) fn link_exit(agent: &Agent, ground: Ground<'_>, query: &mut Query) -> Option<Place> {
    let passage = agent.passage()?;
    let is_level = |place: &Place| {
        let end = passage.to.point;
        (place.point.y - end.y).abs() <= climb(ground.mesh, place) + place.point.xz().distance(end.xz())
    };
    ground_below(agent, ground, query)
        .or_else(|| ground_near(agent, passage.to.point, reach(agent), ground, query).filter(is_level))
        .or_else(|| same_ground(agent, passage.from, ground, query))
}

/// The ground that an agent falls to: straight below it, or else the nearest below it within two radii, as
/// the mesh keeps a distance from walls.
fn ground_below(agent: &Agent, ground: Ground<'_>, query: &mut Query) -> Option<Place> {
    if agent.params.ground_loss != GroundLoss::Fall {
        return None;
    }
    let (at, depth, mesh) = (agent.position(), agent.params.fall_height, ground.mesh);
    // Agents have valid positions, and depths are not negative.
    if let Ok(Some(place)) = query.below(mesh, at, depth, ground.filter) {
        return Some(place);
    }
    let (aside, middle) = (agent.params.radius * 2.0, at.with_y(at.y - depth * 0.5));
    let mut best: Option<(f32, Place)> = None;
    let visit = |polygon| {
        let Ok(closest) = mesh.closest_point(polygon, at) else { return };
        let (away, point) = (closest.point.xz().distance(at.xz()), closest.point);
        let rank = |away: f32, place: &Place| (TotalF32(away), TotalF32(-place.point.y), place.polygon);
        let place = Place { polygon, point };
        let is_better = best.as_ref().is_none_or(|(known, other)| rank(away, &place) < rank(*known, other));
        if away <= aside && (at.y - depth..=at.y).contains(&point.y) && is_better {
            best = Some((away, place));
        }
    };
    let _ = query.polygons_in_box(mesh, middle, Vec3::new(aside, depth * 0.5, aside), ground.filter, visit);
    best.map(|(_, place)| place)
}

/// Returns true if an agent that goes to this place falls.
pub(crate) fn falls_to(agent: &Agent, place: &Place, mesh: &NavMesh) -> bool {
    let deep = agent.position().y - place.point.y;
    agent.params.ground_loss == GroundLoss::Fall && deep > climb(mesh, place)
}

/// The ground that an agent is led to when its own was removed, for example by a crate that was dropped on
/// it. This is the nearest ground that the agent could reach in a straight line from `start` on the mesh
/// `before`, so that nobody is led through a wall, onto the crate, or to another storey. If all of that was
/// removed too, it is the nearest ground within a short route, or else the nearest ground whose height is
/// within the agent's climb. `None` if no ground is within reach, or if the tile under the agent is gone: the
/// agent then waits for the tile.
fn way_out(
    agent: &Agent,
    start: Place,
    before: &NavMesh,
    ground: Ground<'_>,
    query: &mut Query,
) -> Option<Place> {
    let mesh = ground.mesh;
    mesh.tile(before.tile_of(start.polygon).ok()?.0.coord())?;
    let (at, nearest, mut near) = (agent.position(), reach(agent), Vec::new());
    let is_level = |away: f32, to: &Place| (to.point.y - start.point.y).abs() <= climb(mesh, to) + away;
    let mut ray = Ray::default();
    let straight = EXIT_REACHES.iter().find_map(|times| {
        gather_ground(agent, nearest * times, ground, query, &mut near);
        near.iter().take(MOST_EXITS).map(|(_, place)| *place).find(|place| {
            let found = query.raycast(before, start, place.point, &Filter::default(), &mut ray);
            let missed = ray.point.xz().distance(place.point.xz());
            // The mesh keeps a distance from walls of one radius, so the point may be a little beyond the
            // mesh.
            let is_near = found.is_ok() && missed <= agent.params.radius;
            is_near && (ray.point.y - place.point.y).abs() <= climb(mesh, place) + missed
        })
    });
    let mut is_short = |away: f32, place: &Place| {
        let (options, all) = (RouteOptions::default(), Filter::default());
        let route = query.route(before, start.point, place.point, &all, &options);
        let most = LONGEST_WAY * (away + start.point.distance(at)) + nearest;
        route.is_ok_and(|route| route.status == PathStatus::Complete && route.length <= most)
    };
    let mut level = near.iter().filter(|(away, place)| is_level(*away, place));
    straight
        .or_else(|| {
            level.clone().take(MOST_ROUTES).find(|(away, place)| is_short(*away, place)).map(|found| found.1)
        })
        .or_else(|| level.next().map(|found| found.1))
}

/// Gathers the nearest point of each polygon within reach of an agent, with its distance, sorted by distance.
fn gather_ground(
    agent: &Agent,
    reach: f32,
    ground: Ground<'_>,
    query: &mut Query,
    near: &mut Vec<(f32, Place)>,
) {
    near.clear();
    let (at, half_extents) = (agent.position(), Vec3::new(reach, reach.max(agent.params.height), reach));
    let visit = |polygon| {
        if let Ok(closest) = ground.mesh.closest_point(polygon, at) {
            near.push((closest.point.distance(at), Place { polygon, point: closest.point }));
        }
    };
    // Agents have valid positions, and reaches are positive.
    let _ = query.polygons_in_box(ground.mesh, at, half_extents, ground.filter, visit);
    near.retain(|(away, _)| *away <= reach);
    near.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.polygon.cmp(&other.polygon)));
}

/// The height that agents can climb at a place, metres.
fn climb(mesh: &NavMesh, place: &Place) -> f32 {
    mesh.tile_of(place.polygon).map_or(0.0, |(tile, _)| tile.header().agent[2]).max(LEAST_CLIMB)
}

/// The nearest ground where an agent would touch nobody, at its exit or else at its own place. If it is not
/// the agent's turn, only that place itself is tried.
pub(crate) fn free_ground(
    agent: &Agent,
    is_its_turn: bool,
    ground: Ground<'_>,
    query: &mut Query,
    bodies: &Bodies,
    landed: &Landed,
) -> Option<Place> {
    let (exit, mesh) = (agent.exit(), ground.mesh);
    let step = (agent.params.radius * RING).max(LEAST_RING);
    let at = exit.map_or(agent.position(), |exit| exit.point);
    let is_led = agent.params.ground_loss == GroundLoss::StepOut;
    let own = exit.or_else(|| is_led.then(|| ground_near(agent, at, reach(agent), ground, query))?)?;
    let is_free = |place: &Place| {
        let is_connected = |exit: Place| {
            mesh.reachable(exit.polygon, place.polygon, &Filter::default()) == Ok(Reachable::Maybe)
        };
        // The top of a dropped object is too high.
        let is_level =
            (place.point.y - at.y).abs() <= climb(mesh, place) + place.point.xz().distance(at.xz());
        is_level && exit.is_none_or(is_connected) && is_free(agent, place.point, bodies, landed)
    };
    if is_free(&own) {
        return Some(own);
    }
    if !is_its_turn {
        return None;
    }
    let rings = (reach(agent) / step) as u32;
    (1..=rings).flat_map(|ring| (0..PLACES).map(move |number| (ring, number))).find_map(|(ring, number)| {
        let (sine, cosine) = sine_cosine(number);
        let at = at + Vec3::new(cosine, 0.0, sine) * (step * ring as f32);
        ground_near(agent, at, step * 0.5, ground, query).filter(is_free)
    })
}

/// Search distance for ground around an agent, metres.
fn reach(agent: &Agent) -> f32 {
    (agent.params.radius * SEARCH).max(1.0)
}

/// Direction of one of the places that are tried.
fn sine_cosine(number: u32) -> (f32, f32) {
    let angle = number as f32 / PLACES as f32 * std::f32::consts::TAU;
    (libm::sinf(angle), libm::cosf(angle))
}

/// The ground nearest to a place, at the height of the agent.
fn ground_near(agent: &Agent, at: Vec3, reach: f32, ground: Ground<'_>, query: &mut Query) -> Option<Place> {
    let half_extents = Vec3::new(reach, agent.params.height.max(1.0), reach);
    query.nearest(ground.mesh, at, half_extents, ground.filter).ok().map(|nearest| nearest.place())
}

/// The ground of this mesh at the place of an agent or of its exit, if its height differs by no more than the
/// agent's climb.
pub(crate) fn same_ground(agent: &Agent, at: Vec3, ground: Ground<'_>, query: &mut Query) -> Option<Place> {
    let near = agent.params.radius * SAME;
    let place = ground_near(agent, at, near, ground, query)?;
    let is_same = place.point.xz().distance(at.xz()) <= near
        && (place.point.y - at.y).abs() <= climb(ground.mesh, &place);
    is_same.then_some(place)
}

/// Returns true if an agent at this place would touch nobody.
fn is_free(agent: &Agent, at: Vec3, bodies: &Bodies, landed: &Landed) -> bool {
    let query = agent.around(at, agent.params.radius + bodies.largest);
    let mut near = Neighbours::default();
    bodies.near(&query, &mut near);
    let touches = |body: &Body| {
        let reach = agent.params.radius + body.radius;
        body.at.distance_squared(query.at) < reach * reach
    };
    let is_at_height = |body: &&Body| {
        let ([feet, head], [low, high]) = (body.heights(), query.heights);
        feet <= high && head >= low
    };
    !Nearby { near: near.list(), bodies }.bodies().any(touches)
        && !landed.near(query.at).filter(is_at_height).any(touches)
}
