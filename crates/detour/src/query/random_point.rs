//! Random points, evenly spread over the ground as seen from above.
//!
//! A polygon is chosen in proportion to its area, then one of its triangles; in the triangle the point is
//! placed by two numbers and a square root. Cost for the whole mesh: linear in all corners, once for a
//! [`Ground`], whose sums of areas then give each point in O(log n) of its polygons; a query does not keep
//! such sums, as it cannot know if the next call has the same filter. For a circle: the cost of
//! [`Query::around_circle`] and of clipping the polygons by the 64 edges of the circle's rim.
//! Source: R. Osada, T. Funkhouser, B. Chazelle, D. Dobkin, Shape distributions (2002) for the triangle; I.
//! Sutherland, G. Hodgman, Reentrant polygon clipping (1974) for the rim. Semantics: those of M. Mononen's
//! Detour (`findRandomPoint`, `findRandomPointAroundCircle`), but a polygon's chance is its share of the area
//! of the whole mesh (Detour picks a tile first, all with the same chance), three numbers are drawn for a
//! mesh of any size, and points can be restricted to the circle.

use super::Query;
use super::around::meets_circle;
use crate::error::{QueryError, check_radius};
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};

/// Scratch memory for choosing a point.
#[derive(Debug, Default)]
pub(super) struct RandomScratch {
    outline: Vec<DVec2>,
    /// The outline before the last clip.
    before: Vec<DVec2>,
    /// Area of each polygon.
    areas: Vec<f64>,
}

/// Number of edges of the polygon that approximates a circle.
const RIM_EDGES: u32 = 64;
/// Cosine and sine of the angle between two of its edges, and cosine of half that angle.
const RIM_TURN: DVec2 = DVec2::new(0.995_184_726_672_196_9, 0.098_017_140_329_560_6);
const RIM_APOTHEM: f64 = 0.998_795_456_205_172_4;

/// The polygons of a mesh that pass a filter, with their areas. Computed once, it makes many random points
/// cheap. It holds the snapshot that it was made from.
#[derive(Clone, Debug)]
pub struct Ground {
    mesh: NavMesh,
    polygons: Vec<PolyRef>,
    /// The area of each polygon and all before it, m².
    sums: Vec<f64>,
}

impl Ground {
    /// Gathers the polygons that pass a filter now. Flags that are changed later, in another snapshot, do not
    /// count.
    pub fn new(mesh: &NavMesh, filter: &impl CostModel) -> Ground {
        let mut ground = Ground { mesh: mesh.clone(), polygons: Vec::new(), sums: Vec::new() };
        let (mut scratch, mut sum) = (RandomScratch::default(), 0.0);
        for poly in passing(mesh, filter) {
            sum += scratch.area_of(&poly, None);
            ground.polygons.push(poly.reference);
            ground.sums.push(sum);
        }
        ground
    }

    /// The snapshot that points are chosen from.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The area of all its polygons as seen from above, m².
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }
}

/// The polygons that pass a filter, tile by tile.
fn passing<'a>(mesh: &'a NavMesh, filter: &'a impl CostModel) -> impl Iterator<Item = Poly<'a>> + 'a {
    let all = mesh.polygons().filter_map(|polygon| mesh.locate(polygon).ok());
    all.filter(|poly| filter.passes(&poly.attributes()))
}

impl Query {
    /// A random point of the ground, evenly spread over its area, in O(log n) of its polygons. `random` is as
    /// in [`Query::random_point`]; [`QueryError::NothingPasses`] if the ground has no polygons.
    pub fn random_point_on(
        &mut self,
        ground: &Ground,
        mut random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        let share = unit(&mut random) * ground.area();
        let last = ground.polygons.len().checked_sub(1).ok_or(QueryError::NothingPasses)?;
        // A polygon without area is never the first whose sum is beyond the share.
        let chosen = ground.sums.partition_point(|sum| *sum <= share).min(last);
        let poly = ground.mesh.locate(ground.polygons[chosen])?;
        self.random.area_of(&poly, None);
        Ok(self.random.place(&poly, &mut random))
    }

    /// A random point of the polygons that pass the filter, evenly spread over their area.
    ///
    /// `random` returns numbers from 0 to 1, and is called three times. Numbers outside are clamped, and NaN
    /// is taken as 0. Equal numbers give equal points. Returns [`QueryError::NothingPasses`] if no polygon
    /// passes. Visits every polygon of the mesh: for many points create a [`Ground`].
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Ground, Query};
    ///
    /// let (mut query, filter) = (Query::new(), Filter::default());
    /// let mut numbers = [0.1, 0.5, 0.9].into_iter().cycle(); // a random number generator in your game
    /// let place = query.random_point(&mesh, &filter, || numbers.next().unwrap())?;
    /// assert!(mesh.height(place.polygon, place.point)?.is_some());
    ///
    /// let ground = Ground::new(&mesh, &filter);
    /// let place = query.random_point_on(&ground, || numbers.next().unwrap())?;
    /// assert!(mesh.height(place.polygon, place.point)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn random_point(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        mut random: impl FnMut() -> f64,
    ) -> Result<Place, QueryError> {
        let chosen = self.random.choose(|| passing(mesh, filter), None, unit(&mut random));
        let (poly, _) = chosen.ok_or(QueryError::NothingPasses)?;
        Ok(self.random.place(&poly, &mut random))
    }

    /// A random point of the polygons that [`Query::around_circle`] finds, evenly spread over their area:
    /// reachable, and possibly outside the circle. `random` is as in [`Query::random_point`].
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

    /// Like [`Query::random_around`], but within the circle as seen from above. The circle is approximated by
    /// the regular polygon of 64 corners in it, which leaves out 0.16 % of its area. If there is no ground in
    /// the circle, the point is the start.
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
        if !self.flood(mesh, start, filter, meets_circle(start.point, radius), |_| {})? {
            return Err(QueryError::OutOfNodes { limit: self.max_nodes().get() });
        }
        // Every node of a complete search was reached.
        let Query { nodes, random: scratch, .. } = self;
        let reached = || (0..nodes.len() as u32).filter_map(|node| mesh.locate(nodes.get(node).polygon).ok());
        Ok(match scratch.choose(reached, rim, unit(&mut random)) {
            Some((poly, area)) if area > 0.0 => scratch.place(&poly, &mut random),
            _ => start,
        })
    }
}

/// The next number, from 0 to 1.
fn unit(random: &mut impl FnMut() -> f64) -> f64 {
    let value = random();
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Picks the weight at a share of their sum. Returns its index, or the index of the last positive weight if
/// rounding leads past the end; 0 without weights.
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

/// A circle, approximated by a regular polygon.
#[derive(Clone, Copy)]
struct Rim {
    centre: DVec2,
    /// Distance of its edges from the centre.
    apothem: f64,
}

impl RandomScratch {
    /// The area of a polygon, or of its part within a rim. Leaves the outline of that part in `outline`.
    fn area_of(&mut self, poly: &Poly<'_>, rim: Option<Rim>) -> f64 {
        self.outline.clear();
        self.outline.extend(poly.outline().map(|(corner, _)| flat(corner)));
        if let Some(rim) = rim {
            self.clip(rim);
        }
        self.triangles().map(area).sum()
    }

    /// Chooses one of some polygons, or of their parts within a rim, by a share of the sum of their areas.
    /// Leaves its outline in `outline`, and returns its area.
    fn choose<'a, I: Iterator<Item = Poly<'a>>>(
        &mut self,
        polygons: impl Fn() -> I,
        rim: Option<Rim>,
        share: f64,
    ) -> Option<(Poly<'a>, f64)> {
        self.areas.clear();
        for poly in polygons() {
            let area = self.area_of(&poly, rim);
            self.areas.push(area);
        }
        let poly = polygons().nth(pick(&self.areas, share))?;
        Some((poly, self.area_of(&poly, rim)))
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
    fn place(&self, poly: &Poly<'_>, random: &mut impl FnMut() -> f64) -> Place {
        let whole: f64 = self.triangles().map(area).sum();
        // One number picks the triangle. Its remainder is evenly distributed too, and is one of the two
        // numbers that place the point.
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
        Place { polygon: poly.reference, point: poly.closest(position).point }
    }
}

/// The area of a triangle that turns left; 0 if rounding has flipped it.
fn area([a, b, c]: [DVec2; 3]) -> f64 {
    (-(b - a).perp_dot(c - a) / 2.0).max(0.0)
}
