//! A path that follows the ground: the straight path, with added points where the surface bends under it. A
//! line drawn along the straight path alone cuts through hills, since it has points only where it turns.
//!
//! The string is pulled with all crossings, so that each leg crosses one polygon. A leg crosses the detail
//! triangles of its polygon in straight parts. A point between two parts, or two polygons, is left out if the
//! ground is straight there (`straighten.rs`, on length from above and height).
//!
//! Cost: linear in the detail triangles of the polygons, and a sort of the triangles under each leg.
//! Source: our own; Detour leaves this to its demo, which takes steps of half a metre along the surface.

use super::Query;
use super::straight_path::{Corner, CornerKind, Crossings, StraightPath};
use super::straighten::{Straightener, rounding};
use crate::error::QueryError;
use crate::geometry::{flat, lerp};
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::{DVec2, DVec3, Vec3};
use navmath::FIXED_ONE;

/// The ground bends where a point is farther from the line between its neighbours than this part of the unit
/// of heights in tiles, which is 1/256 cell.
const SLACK: f64 = 0.25;

/// Memory for following the ground.
#[derive(Debug, Default)]
pub(super) struct SurfaceScratch {
    straight: StraightPath,
    parts: Vec<LegPart>,
}

/// A part of a leg over one detail triangle.
#[derive(Debug)]
struct LegPart {
    /// Its start and its end, as shares of the leg.
    shares: [f64; 2],
    heights: [f64; 2],
}

impl Query {
    /// The path of [`Query::straight_path`] over the surface. It has a point at every bend of the ground
    /// under it, so that a line drawn along it stays on the ground, except over off-mesh links. As seen from
    /// above both paths are the same. Points between corners are of kind [`CornerKind::Crossing`]; on level
    /// ground there are no such points.
    ///
    /// Every point is on the surface: its height is that of [`NavMesh::height`]. Between two points the
    /// ground is at most 1/1024 cell height off the line. If two tiles meet at different heights, there is a
    /// point at each height. [`StraightPath::length`] is the length over the ground. At most `max_points`
    /// points are written, including the start: the points nearest to the start.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("slopes")?)?;
    /// use detour::{Filter, Query, RouteOptions, StraightPath, Vec3};
    ///
    /// let (mut query, mut surface) = (Query::new(), StraightPath::default());
    /// let (start, goal) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(10.0, 0.0, 10.0));
    /// let route = query.route(&mesh, start, goal, &Filter::default(), &RouteOptions::default())?;
    /// let [start, goal] = [route.start.point, route.goal.point];
    /// query.surface_path(&mesh, start, goal, &route.polygons, usize::MAX, &mut surface)?;
    /// assert!(surface.length >= surface.length_from_above);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surface_path(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        polygons: &[PolyRef],
        max_points: usize,
        surface: &mut StraightPath,
    ) -> Result<(), QueryError> {
        let mut scratch = std::mem::take(&mut self.surface);
        let SurfaceScratch { straight, parts } = &mut scratch;
        let pulled = self.straight_path(mesh, start, goal, polygons, Crossings::All, straight);
        let written = pulled.and_then(|()| follow(mesh, straight, parts, max_points, surface));
        self.surface = scratch;
        written
    }
}

/// Writes the points of a string whose corners are all crossings, and the points where the ground bends.
fn follow(
    mesh: &NavMesh,
    straight: &StraightPath,
    parts: &mut Vec<LegPart>,
    max_points: usize,
    surface: &mut StraightPath,
) -> Result<(), QueryError> {
    surface.restart();
    surface.broken_at = straight.broken_at;
    let unit = mesh.lattice().map_or(0.0, |lattice| lattice.cell_height / f64::from(FIXED_ONE));
    let straightener = Straightener::new(DVec2::ZERO);
    let mut profile = Profile { straightener, along: 0.0, slack: unit * SLACK, max_points, surface };
    for (number, corner) in straight.corners.iter().enumerate() {
        let poly = mesh.locate_node(corner.polygon)?;
        if corner.kind != CornerKind::Crossing {
            profile.stay(Corner { point: poly.on_surface(corner.point), ..*corner });
        }
        let Some(next) = straight.corners.get(number + 1) else { break };
        if profile.surface.truncated {
            break;
        }
        if !poly.is_off_mesh() {
            profile.cross(&poly, [corner.point, next.point], parts);
        }
    }
    Ok(())
}

/// The line over the ground since the last point that stays, as length from above and height.
struct Profile<'a> {
    straightener: Straightener<Corner>,
    along: f64,
    slack: f64,
    max_points: usize,
    surface: &'a mut StraightPath,
}

impl Profile<'_> {
    fn slack_at(&self, point: Vec3) -> f64 {
        let height = DVec2::new(self.along, f64::from(point.y));
        self.slack.max(rounding([flat(point), height]))
    }

    /// Adds a corner of the path.
    fn stay(&mut self, corner: Corner) {
        let height = f64::from(corner.point.y);
        let before = self.straightener.end(DVec2::new(self.along, height), self.slack_at(corner.point));
        for corner in before.into_iter().chain([corner]) {
            self.surface.push(corner, self.max_points);
        }
        self.straightener = Straightener::new(DVec2::new(0.0, height));
        self.along = 0.0;
    }

    /// Adds a point between corners, if the ground bends there.
    fn pass(&mut self, along: f64, point: Vec3, polygon: PolyRef) {
        let corner = Corner { point, kind: CornerKind::Crossing, polygon };
        let at = DVec2::new(along, f64::from(point.y));
        if let Some(before) = self.straightener.take(at, corner, self.slack_at(point)) {
            self.surface.push(before, self.max_points);
        }
    }

    /// Follows a leg over a polygon.
    fn cross(&mut self, poly: &Poly<'_>, [from, to]: [Vec3; 2], parts: &mut Vec<LegPart>) {
        let ends = [flat(from), flat(to)];
        parts.clear();
        // Rounding may move a leg along an edge out of the polygon.
        parts.extend(poly.triangles_under(ends, rounding(ends)).filter_map(|(shares, triangle)| {
            let heights = shares.map(|share| height_of(triangle, ends[0].lerp(ends[1], share)));
            heights.iter().all(|height| height.is_finite()).then_some(LegPart { shares, heights })
        }));
        let key = |part: &LegPart| [part.shares[0], part.shares[1], part.heights[0], part.heights[1]];
        parts.sort_unstable_by(|a, b| {
            let mut pairs = key(a).into_iter().zip(key(b)).map(|(a, b)| a.total_cmp(&b));
            pairs.find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        let (length, start) = (ends[0].distance(ends[1]), self.along);
        self.pass(start, poly.on_surface(from), poly.reference);
        // A leg along an edge crosses the triangles on both sides of it.
        let mut reached = 0.0;
        for LegPart { shares, heights } in parts.iter() {
            for (share, height) in shares.iter().zip(heights) {
                if *share >= reached && *share < 1.0 {
                    let point = lerp(from, to, *share).with_y(*height as f32);
                    self.pass(start + length * share, point, poly.reference);
                    reached = *share;
                }
            }
        }
        self.along = start + length;
        self.pass(self.along, poly.on_surface(to), poly.reference);
    }
}

/// The height of a triangle's plane at a point over it; not finite if the triangle is vertical.
fn height_of([a, b, c]: [DVec3; 3], p: DVec2) -> f64 {
    let normal = (b - a).cross(c - a);
    let height = a.y - (normal.x * (p.x - a.x) + normal.z * (p.y - a.z)) / normal.y;
    // Rounding moves the point out of a triangle that is a sliver.
    let (low, high) = (a.min(b).min(c).y, a.max(b).max(c).y);
    if height.is_finite() { height.clamp(low, high) } else { height }
}

impl Poly<'_> {
    /// The detail triangles under a line, each with the part of the line over it, as two shares of the line.
    /// A corner at most `slack` off the line counts as on it.
    #[inline]
    fn triangles_under(
        &self,
        [from, to]: [DVec2; 2],
        slack: f64,
    ) -> impl Iterator<Item = ([f64; 2], [DVec3; 3])> + '_ {
        let along = to - from;
        let squared = along.length_squared();
        let slack = slack * squared.sqrt();
        self.detail_triangles().filter_map(move |(corners, _)| {
            // Most triangles are on one side of the line.
            let ways = corners.map(|corner| flat(corner) - from);
            let sides = ways.map(|way| along.perp_dot(way));
            let sides = sides.map(|side| if side.abs() <= slack { 0.0 } else { side });
            if sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0) {
                return None;
            }
            let part = part_over(sides, ways.map(|way| along.dot(way)), squared)?;
            Some((part, corners.map(|corner| corner.as_dvec3())))
        })
    }
}

/// The part of a line that is over a triangle, from above, as parameters between 0 and 1: the points where
/// edges cross the line. `sides` and `places` are the distances of each corner off the line and along it, and
/// `whole` is the distance of the end along it, in the same unit.
fn part_over(sides: [f64; 3], places: [f64; 3], whole: f64) -> Option<[f64; 2]> {
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for (u, v) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (sides[u], sides[v]);
        // On different sides, or one of them on the line.
        if (from < 0.0) != (to < 0.0) || (from > 0.0) != (to > 0.0) {
            let place = places[u] + (places[v] - places[u]) * (from / (from - to));
            first = if place < first { place } else { first };
            last = if place > last { place } else { last };
        }
    }
    let start = if first > 0.0 { first / whole } else { 0.0 };
    let end = if last < whole { last / whole } else { 1.0 };
    (start < end).then_some([start, end])
}
