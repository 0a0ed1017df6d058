//! Starts and goals of agents: places of regions, on the ground, and apart from each other.

use super::plan::{Point, Region};
use crowd::AgentParams;
use detour::{Filter, NavMesh, Place, Query, Vec3};
use navmath::SplitMix64;
use std::collections::BTreeMap;

/// Number of times that an unsuitable place is drawn again.
const TRIES: u32 = 3000;
/// The largest distance from a place in the file to the ground, metres: horizontally, and in height.
const REACH: [f32; 2] = [1.0, 2.0];
/// The largest horizontal distance from a drawn place to the ground, metres.
const NEARLY: f32 = 0.01;

/// Position, radius and height of a body.
type Occupied = (Vec3, f32, f32);

/// Draws places that are at least as far apart as the bodies require.
pub(super) struct Spread<'a> {
    pub(super) mesh: &'a NavMesh,
    query: Query,
    random: SplitMix64,
    /// Width of the cells, metres. No body reaches beyond the cells next to its own.
    width: f32,
    taken: BTreeMap<(i32, i32), Vec<Occupied>>,
}

impl<'a> Spread<'a> {
    /// For bodies with a radius of at most `widest` metres.
    pub(super) fn new(mesh: &'a NavMesh, seed: u64, widest: f32) -> Spread<'a> {
        let width = (widest * 2.0).max(0.01);
        Spread { mesh, query: Query::new(), random: SplitMix64::new(seed), width, taken: BTreeMap::new() }
    }

    /// The starts of agents in a region. Returns fewer if there is no room for more, or if a place is off the
    /// ground.
    pub(super) fn starts(&mut self, region: &Region, agents: &[AgentParams], filter: &Filter) -> Vec<Place> {
        let count = agents.len();
        let mut places = Vec::with_capacity(count);
        for (index, params) in agents.iter().enumerate() {
            let found = match self.given(region, index, count) {
                Some(point) => self.ground(point, filter),
                None => (0..TRIES).find_map(|_| {
                    self.drawn(region, filter).filter(|place| self.is_free(place.point, params))
                }),
            };
            let Some(place) = found else { break };
            self.take(place.point, params);
            places.push(place);
        }
        places
    }

    /// The goal of one of several agents in a region. Drawn goals are apart from others as long as there is
    /// room.
    pub(super) fn goal(
        &mut self,
        region: &Region,
        index: usize,
        count: usize,
        params: &AgentParams,
        filter: &Filter,
    ) -> Option<Place> {
        let place = match self.given(region, index, count) {
            Some(point) => self.ground(point, filter)?,
            None => {
                let mut draw = || (0..TRIES).find_map(|_| self.drawn(region, filter));
                let mut place = draw()?;
                for _ in 0..TRIES / 100 {
                    if self.is_free(place.point, params) {
                        break;
                    }
                    place = self.drawn(region, filter).unwrap_or(place);
                }
                place
            }
        };
        self.take(place.point, params);
        Some(place)
    }

    /// The ground at a place in the file.
    pub(super) fn ground(&mut self, point: Point, filter: &Filter) -> Option<Place> {
        let [beside, height] = REACH;
        let at = self.mesh.from_world(point);
        let near = self.query.nearest(self.mesh, at, Vec3::new(beside, height, beside), filter);
        near.ok().map(|near| near.place())
    }

    /// The place of one of several agents, if it is not random.
    fn given(&self, region: &Region, index: usize, count: usize) -> Option<Point> {
        match region {
            Region::Places(places) => places.get(index % places.len().max(1)).copied(),
            Region::Ring { centre: [x, y, z], radius } => {
                let turn = index as f64 / count as f64 * std::f64::consts::TAU;
                Some([x + radius * libm::cos(turn), *y, z + radius * libm::sin(turn)])
            }
            Region::Box(_) | Region::Disc { .. } => None,
        }
    }

    /// A random place in a region, if it has ground.
    fn drawn(&mut self, region: &Region, filter: &Filter) -> Option<Place> {
        let (u, v) = (self.random.unit(), self.random.unit());
        let (point, height) = match region {
            Region::Box([a, b]) => {
                let at = |axis: usize, share: f64| a[axis] + (b[axis] - a[axis]) * share;
                ([at(0, u), at(1, 0.5), at(2, v)], (b[1] - a[1]).abs() * 0.5)
            }
            Region::Disc { centre: [x, y, z], radius } => {
                let (turn, out) = (u * std::f64::consts::TAU, radius * v.sqrt());
                ([x + out * libm::cos(turn), *y, z + out * libm::sin(turn)], f64::from(REACH[1]))
            }
            Region::Ring { .. } | Region::Places(_) => return None,
        };
        let reach = Vec3::new(NEARLY, (height as f32).max(NEARLY), NEARLY);
        let near = self.query.nearest(self.mesh, self.mesh.from_world(point), reach, filter).ok()?;
        near.over_polygon.then(|| near.place())
    }

    fn cell(&self, point: Vec3) -> (i32, i32) {
        ((point.x / self.width).floor() as i32, (point.z / self.width).floor() as i32)
    }

    fn is_free(&self, point: Vec3, params: &AgentParams) -> bool {
        let (x, z) = self.cell(point);
        let around = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| (x, z)));
        let mut near = around.filter_map(|cell| self.taken.get(&cell)).flatten();
        near.all(|(other, radius, height)| {
            let away = (*other - point).with_y(0.0).length();
            let above = point.y > other.y + height || other.y > point.y + params.height;
            above || away >= radius + params.radius
        })
    }

    fn take(&mut self, point: Vec3, params: &AgentParams) {
        self.taken.entry(self.cell(point)).or_default().push((point, params.radius, params.height));
    }
}
