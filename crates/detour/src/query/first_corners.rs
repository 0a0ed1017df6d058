//! The first corners of the string through a corridor. Only the part of the corridor that decides them is
//! read: agents steer to the next corner or two of a path that may be long.
//!
//! The funnel never revokes a bend, and withholds one only while later portals may still remove it. So the
//! string is pulled portal by portal until there are enough bends. Later portals are not read, as they are
//! scattered over memory. Cost: linear in the portals up to the portal that decides the last wanted corner,
//! and a comparison for each polygon of the rest.

use super::Query;
use super::funnel::Funnel;
use super::leg::{Way, is_one_leg, way_on};
use super::straight_path::{Corner, CornerKind, StraightPath};
use crate::error::{QueryError, check_position};
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;

impl Query {
    /// Writes the same path as [`Query::straight_path_with`] without crossings, if the mesh has all polygons
    /// of the corridor and they form one leg. Otherwise it returns `false`, and the written path is
    /// meaningless.
    ///
    /// After the written corners, links between polygons are not checked.
    pub(crate) fn first_corners(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        polygons: &[PolyRef],
        most: usize,
        straight: &mut StraightPath,
    ) -> Result<bool, QueryError> {
        check_position("start", start)?;
        check_position("goal", goal)?;
        let (Some(&first), Some(&last)) = (polygons.first(), polygons.last()) else { return Ok(false) };
        if !is_one_leg(mesh, polygons) {
            return Ok(false);
        }
        let (start, goal) = (mesh.locate(first)?.kept_on(start), mesh.locate(last)?.kept_on(goal));
        straight.restart();
        straight.push(Corner { point: start, kind: CornerKind::Start, polygon: first }, most);
        self.funnel.clear();
        self.funnel.begin(start, goal, polygons.len() - 1);
        let funnel = &mut self.funnel;
        let mut string =
            PulledString { mesh, polygons, funnel, goal, most, straight, written: 0, is_broken: false };
        if !string.pull(start)? {
            string.end()?;
        }
        Ok(!string.is_broken)
    }
}

/// A string that is pulled, and its corners so far.
struct PulledString<'a> {
    mesh: &'a NavMesh,
    polygons: &'a [PolyRef],
    /// The portals looked up so far.
    funnel: &'a mut Funnel,
    goal: Vec3,
    most: usize,
    straight: &'a mut StraightPath,
    /// Number of bends that were written.
    written: usize,
    /// True if one of the polygons has no portal to it.
    is_broken: bool,
}

impl PulledString<'_> {
    /// Pulls the string through portals until it has enough corners. Returns true if it has.
    fn pull(&mut self, start: Vec3) -> Result<bool, QueryError> {
        let (mut is_in, mut not_last) = (true, None);
        for portal in 0..self.polygons.len() - 1 {
            // The last portals are left out if the goal is in them. The string goes through this portal if a
            // later one is kept.
            if not_last.is_none_or(|known| known < portal) {
                not_last = self.without_goal(portal)?;
                if not_last.is_none() {
                    return Ok(false);
                }
            }
            is_in = is_in && self.funnel.stands_in(portal, start, 1.0);
            if is_in {
                continue;
            }
            self.funnel.pass(portal);
            if self.write()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first portal, starting at this one, that does not contain the goal.
    fn without_goal(&mut self, from: usize) -> Result<Option<usize>, QueryError> {
        let mut portal = from;
        while self.reach(portal)? {
            if !self.funnel.stands_in(portal, self.goal, -1.0) {
                return Ok(Some(portal));
            }
            portal += 1;
        }
        Ok(None)
    }

    /// Looks up portals until this one is known. Returns true if it exists.
    fn reach(&mut self, portal: usize) -> Result<bool, QueryError> {
        while self.funnel.portals.len() <= portal && !self.is_broken {
            let known = self.funnel.portals.len();
            let Some(next) = self.polygons.get(known + 1) else { return Ok(false) };
            match way_on(&self.mesh.locate(self.polygons[known])?, *next) {
                Way::Portal(ends) => self.funnel.portals.push(ends),
                Way::Link(_) | Way::None => self.is_broken = true,
            }
        }
        Ok(!self.is_broken)
    }

    /// Writes the known bends. Returns true if there are enough corners.
    fn write(&mut self) -> Result<bool, QueryError> {
        while let Some(&bend) = self.funnel.bends.get(self.written) {
            self.written += 1;
            let portal_at =
                |portal| Ok::<_, QueryError>(self.reach(portal)?.then(|| self.funnel.portals[portal]));
            let polygon = self.polygons[bend.last_hinge(portal_at)? + 1];
            self.straight.add(Corner { point: bend.point, kind: CornerKind::Turn, polygon }, self.most);
            // Another point follows, the goal at the latest.
            let last = self.straight.corners.last();
            let is_turn = last.is_some_and(|last| last.kind == CornerKind::Turn && last.point != self.goal);
            self.straight.truncated |= is_turn && self.straight.corners.len() == self.most;
            if self.straight.truncated {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the rest of the string, up to the goal.
    fn end(&mut self) -> Result<(), QueryError> {
        self.funnel.finish(self.goal, self.polygons.len() - 1);
        if !self.write()? {
            let polygon = self.polygons[self.polygons.len() - 1];
            self.straight.add(Corner { point: self.goal, kind: CornerKind::End, polygon }, self.most);
        }
        Ok(())
    }
}
