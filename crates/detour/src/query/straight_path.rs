//! Turns a corridor of polygons into the corners to walk along: string pulling, with crossings on request. An
//! off-mesh link in the corridor divides it into legs. Each leg is pulled separately, between the points
//! where links meet the ground. Links between edges are crossed where the whole string is shortest
//! (`crossings.rs`).
//! Cost: linear in the polygons' links.

use super::Query;
use super::funnel::Funnel;
use super::leg::{Leg, leg_of};
use super::straighten::rounding;
use crate::error::{QueryError, check_position};
use crate::geometry::{flat, lerp, line_crossing};
use crate::mesh::{Link, NavMesh, exit_point, is_point};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::convert::Infallible;
use std::ops::Range;

/// The points between corners to add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossings {
    /// Corners only.
    #[default]
    None,
    /// The points where the path crosses into a polygon of another area.
    Areas,
    /// The points where the path crosses into another polygon.
    All,
}

/// The kind of a point of a straight path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CornerKind {
    /// The start.
    Start,
    /// The path bends here.
    Turn,
    /// The path continues straight, as seen from above: into another polygon, see [`Crossings`]; or over a
    /// bend of the ground, see [`Query::surface_path`].
    Crossing,
    /// An off-mesh link starts here; the next corner is its end.
    LinkStart,
    /// The off-mesh link ends here.
    LinkEnd,
    /// The goal, or the end of the corridor.
    End,
}

/// A point of a straight path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The point. The start and the goal are as given if they are over their polygons, otherwise on the
    /// outline; other points are on the edge between two polygons.
    pub point: Vec3,
    /// Its kind.
    pub kind: CornerKind,
    /// The polygon or the off-mesh link that the path enters here, or is in at its end.
    pub polygon: PolyRef,
}

/// Options for pulling a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StraightOptions {
    /// The points between corners to add; corners only by default.
    pub crossings: Crossings,
    /// Largest number of points, including the start; no limit by default. The points nearest to the start
    /// are written.
    pub max_corners: usize,
}

impl Default for StraightOptions {
    fn default() -> StraightOptions {
        StraightOptions { crossings: Crossings::None, max_corners: usize::MAX }
    }
}

/// The points to walk along. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StraightPath {
    /// The points from the start to the end; at least these two after a pull.
    pub corners: Vec<Corner>,
    /// The length of the path along these points in space, metres. On hills the distance over the ground is
    /// longer; with [`Crossings::All`] they follow it more closely.
    pub length: f32,
    /// The length as seen from above, metres.
    pub length_from_above: f32,
    /// True if the path has more points than the limit, so that the last written point is not its end.
    pub truncated: bool,
    /// Index of the first polygon of the corridor that the mesh no longer leads to (a tile was changed
    /// since); the path ends in the polygon before. `None` if the corridor is intact.
    pub broken_at: Option<usize>,
}

impl Query {
    /// Pulls a string from `start` to `goal` through the corridor `polygons`. Each polygon must have a link
    /// to the next; see [`Query::find_path`] for an example.
    ///
    /// Start and goal are moved into the first and the last polygon, so that a partial path ends at the point
    /// of its last polygon nearest to the goal. If the last node of a corridor is an off-mesh link, the path
    /// ends at the start of the link.
    pub fn straight_path(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        polygons: &[PolyRef],
        crossings: Crossings,
        straight: &mut StraightPath,
    ) -> Result<(), QueryError> {
        let options = StraightOptions { crossings, ..StraightOptions::default() };
        self.straight_path_with(mesh, start, goal, polygons, &options, straight)
    }

    /// [`Query::straight_path`] with a limit on the number of points: it writes the first ones.
    ///
    /// Semantics: those of M. Mononen's Detour (`findStraightPath`), but a full list is reported by
    /// [`StraightPath::truncated`], and the points in it are correct.
    pub fn straight_path_with(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        polygons: &[PolyRef],
        options: &StraightOptions,
        straight: &mut StraightPath,
    ) -> Result<(), QueryError> {
        check_position("start", start)?;
        check_position("goal", goal)?;
        let first = polygons.first().ok_or(QueryError::EmptyPath)?;
        straight.restart();
        if let Some(([start, end], funnel)) = self.taut.find(mesh, [start, goal], polygons) {
            straight
                .push(Corner { point: start, kind: CornerKind::Start, polygon: *first }, options.max_corners);
            let polygon = polygons[polygons.len() - 1];
            let end = Corner { point: end, kind: CornerKind::End, polygon };
            write_leg(mesh, funnel, end, polygons, options, straight);
            return Ok(());
        }
        let mut at = mesh.locate_node(*first)?.kept_on(start);
        self.crossings.entries.clear();
        straight.push(Corner { point: at, kind: CornerKind::Start, polygon: *first }, options.max_corners);
        let mut from = 0;
        loop {
            self.funnel.clear();
            let Leg { last, link, is_broken } = leg_of(mesh, polygons, from, &mut self.funnel.portals)?;
            if is_broken {
                straight.broken_at = Some(last + 1);
            }
            let poly = mesh.locate_node(polygons[last])?;
            let end = match link {
                Some(Link { to, left, right, .. }) if poly.is_off_mesh() => {
                    let point = exit_point(&poly, [left, right], at);
                    Corner { point, kind: CornerKind::LinkEnd, polygon: to }
                }
                Some(link) => {
                    let point = self.entry_of(mesh, &link, [at, goal], &polygons[from..])?;
                    Corner { point, kind: CornerKind::LinkStart, polygon: link.to }
                }
                None if poly.is_off_mesh() && from > 0 => {
                    Corner { point: at, kind: CornerKind::End, polygon: polygons[last] }
                }
                None => Corner { point: poly.kept_on(goal), kind: CornerKind::End, polygon: polygons[last] },
            };
            self.funnel.pull(at, end.point);
            write_leg(mesh, &self.funnel, end, &polygons[from..=last], options, straight);
            if end.kind == CornerKind::End || straight.truncated {
                return Ok(());
            }
            (from, at) = (last + 1, end.point);
        }
    }

    /// The point where the string enters an off-mesh link. The funnel holds the portals of the leg before the
    /// link, which begins at a point of the first of `polygons`.
    fn entry_of(
        &mut self,
        mesh: &NavMesh,
        link: &Link,
        ends: [Vec3; 2],
        polygons: &[PolyRef],
    ) -> Result<Vec3, QueryError> {
        if is_point(link) {
            return Ok(link.left);
        }
        if self.crossings.entries.is_empty() {
            self.find_crossings(mesh, ends, polygons)?;
            self.funnel.clear();
            leg_of(mesh, polygons, 0, &mut self.funnel.portals)?;
        }
        Ok(self.crossings.entries.pop().unwrap_or(link.left))
    }
}

/// Writes the corners of a leg whose string was pulled, except the first.
fn write_leg(
    mesh: &NavMesh,
    funnel: &Funnel,
    end: Corner,
    polygons: &[PolyRef],
    options: &StraightOptions,
    straight: &mut StraightPath,
) {
    let mut writer = Writer { mesh, options, polygons, portals: &funnel.portals, straight };
    let mut next_portal = 0;
    for bend in &funnel.bends {
        if writer.straight.truncated {
            return;
        }
        let portals = writer.portals;
        let Ok(portal) = bend.last_hinge(|portal| Ok::<_, Infallible>(portals.get(portal).copied()));
        let turn = Corner { point: bend.point, kind: CornerKind::Turn, polygon: polygons[portal + 1] };
        writer.leg_to(turn, next_portal..portal as u32);
        next_portal = portal as u32 + 1;
    }
    writer.leg_to(end, next_portal..(polygons.len() - 1) as u32);
}

impl StraightPath {
    /// Clears everything. The memory is kept.
    pub(super) fn restart(&mut self) {
        self.corners.clear();
        (self.length, self.length_from_above) = (0.0, 0.0);
        (self.truncated, self.broken_at) = (false, None);
    }

    /// Adds the end of a leg, up to the limit. A turn at the start or twice at one place is dropped; other
    /// kinds are always written, and replace a turn at the same place.
    pub(super) fn add(&mut self, corner: Corner, max_corners: usize) {
        if self.truncated {
            return;
        }
        if self.corners.last().is_some_and(|last| last.point == corner.point) {
            if corner.kind == CornerKind::Turn {
                return;
            }
            let replaced = |last: &mut Corner| matches!(last.kind, CornerKind::Turn | CornerKind::Crossing);
            self.corners.pop_if(replaced);
        }
        self.push(corner, max_corners);
    }

    /// Adds a corner, up to the limit.
    pub(super) fn push(&mut self, corner: Corner, max_corners: usize) {
        self.truncated |= self.corners.len() >= max_corners;
        if self.truncated {
            return;
        }
        if let Some(last) = self.corners.last() {
            self.add_length(last.point, corner.point);
        }
        self.corners.push(corner);
    }

    /// Counts the length of a leg.
    pub(crate) fn add_length(&mut self, from: Vec3, to: Vec3) {
        self.length += from.distance(to);
        self.length_from_above += (to - from).with_y(0.0).length();
    }
}

/// Writes corners, and the crossings between them.
struct Writer<'a> {
    mesh: &'a NavMesh,
    options: &'a StraightOptions,
    polygons: &'a [PolyRef],
    portals: &'a [[Vec3; 2]],
    straight: &'a mut StraightPath,
}

impl Writer<'_> {
    fn last_point(&self) -> Option<Vec3> {
        self.straight.corners.last().map(|corner| corner.point)
    }

    /// The straight leg from the last corner to `corner`, through these portals.
    fn leg_to(&mut self, corner: Corner, portals: Range<u32>) {
        let Some(last) = self.straight.corners.last().copied() else { return };
        if self.options.crossings != Crossings::None {
            for portal in portals {
                self.cross(portal as usize, last.point, corner.point);
            }
        }
        self.straight.add(corner, self.options.max_corners);
    }

    fn cross(&mut self, portal: usize, from: Vec3, to: Vec3) {
        if self.straight.truncated {
            return;
        }
        let polygon = self.polygons[portal + 1];
        if self.options.crossings == Crossings::Areas {
            let area = |polygon| self.mesh.attributes(polygon).map(|attributes| attributes.area);
            if area(self.polygons[portal]) == area(polygon) {
                return;
            }
        }
        let [left, right] = self.portals[portal];
        let point = lerp(left, right, line_crossing(left, right, from, to));
        // The ends of the leg are rounded, so a crossing at one of them may differ from it.
        let is_at = |end: Vec3| {
            let [end, point] = [end, point].map(flat);
            end.distance(point) <= rounding([end, point])
        };
        if self.last_point().is_some_and(is_at) {
            // One point, several portals: the last polygon that the path enters there counts.
            if let Some(last) = self.straight.corners.last_mut() {
                last.polygon = polygon;
            }
        } else if !is_at(to) {
            self.straight
                .push(Corner { point, kind: CornerKind::Crossing, polygon }, self.options.max_corners);
        }
    }
}
