//! Shortcuts: straight lines that a search over polygons has missed.
//!
//! From each corner of the pulled string a ray is cast to the farthest of the next corners within reach. If
//! it is clear and costs no more than the part that it replaces, the polygons that it crosses replace the
//! path between. So a detour around open ground is removed, at any angle, and costs of areas are respected.
//! Only shortcuts by single rays between corners of the path are found; use [`Query::shortest_path`] for the
//! shortest path of all.
//!
//! Cost: a ray for each pair of corners within reach, at most the square of the corners.
//! Source: the idea of looking back to a parent's parent, A. Nash, K. Daniel, S. Koenig, A. Felner, Theta*
//! (2007), as in M. Mononen's Detour (`DT_FINDPATH_ANY_ANGLE`, with its limit on a ray's length); here after
//! the search, over corners instead of nodes. That costs rays for a path's few corners instead of for every
//! polygon settled, and it cannot mislead the search.

use super::Query;
use super::raycast::Ray;
use super::straight_path::{Corner, CornerKind, Crossings, StraightPath};
use crate::error::{QueryError, check_radius};
use crate::filter::{CostModel, Step, cost_of};
use crate::geometry::nearest_on_segment;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;

/// At most this many polygons about a corner are searched for the polygon in which the path continues.
const MOST_ABOUT_A_CORNER: usize = 64;

/// Scratch memory for shortcuts.
#[derive(Debug, Default)]
pub(super) struct ShortcutScratch {
    straight: StraightPath,
    ray: Ray,
    bends: Vec<BendInPath>,
    /// Polygons about a corner, each with the index of the polygon that it was found from.
    about: Vec<(PolyRef, usize)>,
    polygons: Vec<PolyRef>,
}

/// A corner of the string: its position, its polygon in the path, and the cost up to it.
#[derive(Clone, Copy, Debug)]
struct BendInPath {
    point: Vec3,
    polygon: usize,
    cost: f64,
}

impl Query {
    /// Shortens the path `polygons` from `start` to `goal` by rays of up to `reach` metres (0 or more), and
    /// returns the number of its legs that were replaced. Pull the string again afterwards. A path that is no
    /// longer connected in the mesh is left unchanged, and so is every path if slopes cost something or are
    /// limited: rays do not see the ground, and [`Query::ground_path`] has its best line already.
    pub fn shortcut(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        reach: f32,
        filter: &impl CostModel,
        polygons: &mut Vec<PolyRef>,
    ) -> Result<usize, QueryError> {
        check_radius(reach)?;
        if !filter.slopes().is_none() {
            return Ok(0);
        }
        let mut scratch = std::mem::take(&mut self.shortcut);
        let result = self.shortcut_with(&mut scratch, mesh, [start, goal], reach, filter, polygons);
        self.shortcut = scratch;
        result
    }

    fn shortcut_with(
        &mut self,
        scratch: &mut ShortcutScratch,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        reach: f32,
        filter: &impl CostModel,
        polygons: &mut Vec<PolyRef>,
    ) -> Result<usize, QueryError> {
        self.straight_path(mesh, start, goal, polygons, Crossings::All, &mut scratch.straight)?;
        if scratch.straight.broken_at.is_some() || !scratch.find_bends(mesh, filter, polygons)? {
            return Ok(0);
        }
        // From a start at a corner of its polygon, the path may enter a later polygon at once.
        let first = scratch.bends.first().map_or(0, |bend| bend.polygon);
        scratch.polygons.clear();
        scratch.polygons.extend_from_slice(&polygons[..=first]);
        let (mut from, mut legs) = (0, 0);
        while from + 1 < scratch.bends.len() {
            let farthest = (from + 2..scratch.bends.len()).rev();
            let mut next = from + 1;
            for to in farthest {
                if self.sees(scratch, mesh, [from, to], reach, filter, polygons)? {
                    (next, legs) = (to, legs + 1);
                    break;
                }
            }
            let [a, b] = [from, next].map(|at| scratch.bends[at].polygon);
            if next == from + 1 {
                // This part is unchanged. The polygon of the bend is in the list already.
                scratch.polygons.extend_from_slice(&polygons[(a + 1).min(b + 1)..=b]);
            } else {
                scratch.put_ray();
            }
            from = next;
        }
        if legs > 0 {
            std::mem::swap(polygons, &mut scratch.polygons);
        }
        Ok(legs)
    }

    /// Returns true if a ray from one corner of the string to another is clear, within reach, costs no more
    /// than the path between them, and leads to the polygon in which the path continues.
    fn sees(
        &self,
        scratch: &mut ShortcutScratch,
        mesh: &NavMesh,
        [from, to]: [usize; 2],
        reach: f32,
        filter: &impl CostModel,
        polygons: &[PolyRef],
    ) -> Result<bool, QueryError> {
        let (a, b) = (scratch.bends[from], scratch.bends[to]);
        if (b.point - a.point).with_y(0.0).length() > reach {
            return Ok(false);
        }
        let start = Place { polygon: polygons[a.polygon], point: a.point };
        self.raycast(mesh, start, b.point, filter, &mut scratch.ray)?;
        let along = b.cost - a.cost;
        if !scratch.ray.is_clear() || scratch.ray.cost > along * (1.0 + f64::from(f32::EPSILON)) {
            return Ok(false);
        }
        scratch.go_about(mesh, filter, b.point, polygons[b.polygon])
    }
}

impl ShortcutScratch {
    /// Finds the corners of the string in the path; `false` if a corner's polygon is not in the path, or a
    /// move is impossible.
    fn find_bends(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        polygons: &[PolyRef],
    ) -> Result<bool, QueryError> {
        self.bends.clear();
        let (mut cost, mut at) = (0.0, 0);
        let mut last: Option<Corner> = None;
        for corner in &self.straight.corners {
            if let Some(before) = last {
                let polygon = mesh.locate(before.polygon)?.attributes();
                let next = mesh.locate(corner.polygon)?.attributes();
                let step = Step { from: before.point, to: corner.point, polygon, next: Some(next) };
                let Some(more) = cost_of(filter, &step) else { return Ok(false) };
                cost += more;
            }
            let Some(place) = polygons[at..].iter().position(|polygon| *polygon == corner.polygon) else {
                return Ok(false);
            };
            at += place;
            if corner.kind != CornerKind::Crossing {
                self.bends.push(BendInPath { point: corner.point, polygon: at, cost });
            }
            last = Some(*corner);
        }
        Ok(true)
    }

    /// Searches the polygons about a corner, from the ray's last polygon, for `to`; leaves the path there in
    /// `about`.
    fn go_about(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        corner: Vec3,
        to: PolyRef,
    ) -> Result<bool, QueryError> {
        let Some(first) = self.ray.polygons.last().copied() else { return Ok(false) };
        let slack = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        self.about.clear();
        self.about.push((first, 0));
        let mut next = 0;
        while let Some((polygon, _)) = self.about.get(next).copied() {
            if polygon == to {
                self.about.truncate(next + 1);
                return Ok(true);
            }
            let poly = mesh.locate(polygon)?;
            for portal in poly.portals() {
                let near = nearest_on_segment(portal.left, portal.right, corner).1 <= slack * slack;
                if near
                    && self.about.len() < MOST_ABOUT_A_CORNER
                    && !self.about.iter().any(|(known, _)| *known == portal.to)
                    && poly.enterable(mesh, portal.to, filter).is_some()
                {
                    self.about.push((portal.to, next));
                }
            }
            next += 1;
        }
        Ok(false)
    }

    /// Adds the ray's polygons, and those about the corner after it, to the new path.
    fn put_ray(&mut self) {
        self.polygons.extend(self.ray.polygons.iter().skip(1));
        let end = self.polygons.len();
        let mut at = self.about.len().saturating_sub(1);
        while at > 0 {
            let (polygon, before) = self.about[at];
            self.polygons.push(polygon);
            at = before;
        }
        self.polygons[end..].reverse();
    }
}
