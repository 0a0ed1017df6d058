//! Points at random, evenly spread over the ground as seen from above.
//!
//! Every polygon is as likely as it is large, and so is every triangle of it; in a triangle the point is
//! placed by two numbers and a square root. Cost for the whole mesh: linear in all corners, once for a
//! [`Ground`], whose sums of areas then give each point in O(log n) of its polygons; a query keeps no such
//! sums by itself, as it cannot know whether a filter it is given is the one before. For a circle: that of
//! [`Query::around_circle`] and of cutting the polygons at the circle's rim by 64 edges.
//! Source: R. Osada, T. Funkhouser, B. Chazelle, D. Dobkin, Shape distributions (2002) for the triangle; I.
//! Sutherland, G. Hodgman, Reentrant polygon clipping (1974) for the rim. Semantics: those of M. Mononen's
//! Detour (`findRandomPoint`, `findRandomPointAroundCircle`), but a polygon's chance is by its area on the
//! whole mesh (Detour picks a tile first, all with the same chance), and three numbers are drawn however
//! large the mesh; and the circle can be kept to.

use super::Query;
use super::find_path::Place;
use crate::error::{QueryError, check_radius};
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};

/// What the choice of a point works on.
#[derive(Debug, Default)]
pub(super) struct RandomScratch {
    outline: Vec<DVec2>,
    /// The outline before the last cut.
    before: Vec<DVec2>,
    /// Area of each polygon.
    areas: Vec<f64>,
}

/// Edges of the polygon that stands for a circle.
const RIM_EDGES: u32 = 64;
/// Cosine and sine of the angle between two of its edges, and cosine of half that angle.
const RIM_TURN: DVec2 = DVec2::new(0.995_184_726_672_196_9, 0.098_017_140_329_560_6);
const RIM_APOTHEM: f64 = 0.998_795_456_205_172_4;

/// The polygons of a mesh that a filter lets pass, by area: many random points for the price of looking at
/// all of them once. It holds the snapshot that it was made from.
#[derive(Clone, Debug)]
pub struct Ground {
    mesh: NavMesh,
    polygons: Vec<PolyRef>,
    /// Area of each polygon and all before it, m².
    sums: Vec<f64>,
}

impl Ground {
    /// The polygons that pass a filter now. Changes of flags made later, in another snapshot, do not show.
    pub fn new(mesh: &NavMesh, filter: &impl CostModel) -> Ground {
        let mut ground = Ground { mesh: mesh.clone(), polygons: Vec::new(), sums: Vec::new() };
        let (mut scratch, mut sum) = (RandomScratch::default(), 0.0);
        for located in passing(mesh, filter) {
            sum += scratch.area_of(&located, None);
            ground.polygons.push(located.reference);
            ground.sums.push(sum);
        }
        ground
    }

    /// The snapshot that points are of.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The area of all its polygons as seen from above, m².
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }
}

/// The polygons that pass a filter, tile by tile.
fn passing<'a>(mesh: &'a NavMesh, filter: &'a impl CostModel) -> impl Iterator<Item = Located<'a>> + 'a {
    let all = mesh.polygons().filter_map(|polygon| mesh.locate(polygon).ok());
    all.filter(|located| filter.passes(&located.attributes()))
}

impl Query {
    /// A point of some ground, evenly spread over its area, in O(log n) of its polygons. `random` as in
    /// [`Query::random_point`]; [`QueryError::NothingPasses`] if there are no polygons.
    pub fn random_point_on(
        &mut self,
        ground: &Ground,
        mut random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        let share = unit(&mut random) * ground.area();
        let last = ground.polygons.len().checked_sub(1).ok_or(QueryError::NothingPasses)?;
        // A polygon without area is never the first whose sum lies beyond the share.
        let chosen = ground.sums.partition_point(|sum| *sum <= share).min(last);
        let located = ground.mesh.locate(ground.polygons[chosen])?;
        self.random.area_of(&located, None);
        Ok(self.random.place(&located, &mut random))
    }

    /// A point of the polygons that pass the filter, evenly spread over their area.
    ///
    /// `random` gives numbers from 0 to 1, of which three are taken; anything outside is taken as the nearer
    /// end, and NaN as 0. The same numbers give the same point. [`QueryError::NothingPasses`] if no polygon
    /// passes. Looks at every polygon of the mesh: for many points make a [`Ground`].
    pub fn random_point(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        mut random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        let scratch = &mut self.random;
        scratch.areas.clear();
        for located in passing(mesh, filter) {
            let area = scratch.area_of(&located, None);
            scratch.areas.push(area);
        }
        let chosen = pick(&scratch.areas, unit(&mut random));
        let located = passing(mesh, filter).nth(chosen).ok_or(QueryError::NothingPasses)?;
        scratch.area_of(&located, None);
        Ok(scratch.place(&located, &mut random))
    }

    /// A point of the polygons that [`Query::around_circle`] finds, evenly spread over their area: reachable,
    /// and perhaps beyond the circle. `random` as in [`Query::random_point`].
    pub fn random_around(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
        random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        self.random_reached(mesh, start, radius, filter, None, random)
    }

    /// As [`Query::random_around`], but within the circle, as seen from above. The circle is taken as the
    /// regular polygon of 64 corners in it, which leaves out 0.16 % of its area. If no ground lies in the
    /// circle, the point is the start.
    pub fn random_within(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
        random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        let rim = Rim { centre: flat(start.point), apothem: f64::from(radius) * RIM_APOTHEM };
        self.random_reached(mesh, start, radius, filter, Some(rim), random)
    }

    fn random_reached(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
        rim: Option<Rim>,
        mut random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        check_radius(radius)?;
        if !self.flood_circle(mesh, start, radius, filter, |_| {})? {
            return Err(QueryError::OutOfNodes { limit: self.max_nodes().get() });
        }
        // Every node of a search that ran to its end was reached.
        let Query { nodes, random: scratch, .. } = self;
        scratch.areas.clear();
        for number in 0..nodes.len() as u32 {
            let area = scratch.area_of(&mesh.locate(nodes.get(number).polygon)?, rim);
            scratch.areas.push(area);
        }
        let chosen = pick(&scratch.areas, unit(&mut random));
        let located = mesh.locate(nodes.get(chosen as u32).polygon)?;
        if scratch.area_of(&located, rim) > 0.0 {
            Ok(scratch.place(&located, &mut random))
        } else {
            Ok(start)
        }
    }
}

/// The next number, from 0 to 1.
fn unit(random: &mut impl FnMut() -> f64) -> f64 {
    let value = random();
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Picks one of some weights by its share; the last one that has any, where rounding leads past the end. 0 if
/// there are none.
fn pick(weights: &[f64], share: f64) -> usize {
    let mut left = share * weights.iter().sum::<f64>();
    let mut picked = 0;
    for (i, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        picked = i;
        if left < *weight {
            break;
        }
        left -= weight;
    }
    picked
}

/// A circle as a regular polygon.
#[derive(Clone, Copy)]
struct Rim {
    centre: DVec2,
    /// Distance of its edges from the centre.
    apothem: f64,
}

impl RandomScratch {
    /// The area of a polygon, or of what is left of it within a rim; leaves its outline in `outline`.
    fn area_of(&mut self, located: &Located<'_>, rim: Option<Rim>) -> f64 {
        self.outline.clear();
        self.outline.extend(located.outline().map(|(corner, _)| flat(corner)));
        if let Some(rim) = rim {
            self.clip(rim);
        }
        self.triangles().map(area).sum()
    }

    fn triangles(&self) -> impl Iterator<Item = [DVec2; 3]> + '_ {
        let rest = self.outline.get(1..).unwrap_or(&[]);
        rest.windows(2).map(|pair| [self.outline[0], pair[0], pair[1]])
    }

    fn clip(&mut self, rim: Rim) {
        let within = rim.apothem * rim.apothem;
        if self.outline.iter().all(|corner| corner.distance_squared(rim.centre) <= within) {
            return;
        }
        let mut outwards = DVec2::X;
        for _ in 0..RIM_EDGES {
            std::mem::swap(&mut self.outline, &mut self.before);
            self.outline.clear();
            let beyond = |p: DVec2| outwards.dot(p - rim.centre) - rim.apothem;
            for (i, a) in self.before.iter().enumerate() {
                let b = self.before[if i + 1 == self.before.len() { 0 } else { i + 1 }];
                let (of_a, of_b) = (beyond(*a), beyond(b));
                if of_a <= 0.0 {
                    self.outline.push(*a);
                }
                if (of_a < 0.0 && of_b > 0.0) || (of_a > 0.0 && of_b < 0.0) {
                    self.outline.push(a.lerp(b, of_a / (of_a - of_b)));
                }
            }
            outwards = RIM_TURN.rotate(outwards);
        }
    }

    /// A point of the outline, on the surface of its polygon.
    fn place(&self, located: &Located<'_>, random: &mut impl FnMut() -> f64) -> Place {
        let whole: f64 = self.triangles().map(area).sum();
        // One number picks the triangle; what is left of it is as even, and is one of the two that place the
        // point.
        let mut left = unit(random) * whole;
        let mut chosen = ([self.outline.first().copied().unwrap_or(DVec2::ZERO); 3], 0.0);
        for triangle in self.triangles().filter(|triangle| area(*triangle) > 0.0) {
            let area = area(triangle);
            chosen = (triangle, (left / area).min(1.0));
            if left < area {
                break;
            }
            left -= area;
        }
        let ([a, b, c], along) = chosen;
        let out = unit(random).sqrt();
        let point = a + ((b - a) * (1.0 - along) + (c - a) * along) * out;
        let position = Vec3::new(point.x as f32, 0.0, point.y as f32);
        Place { polygon: located.reference, point: located.closest(position).point }
    }
}

/// The area of a triangle that turns left; 0 if rounding turns it.
fn area([a, b, c]: [DVec2; 3]) -> f64 {
    (-(b - a).perp_dot(c - a) / 2.0).max(0.0)
}
