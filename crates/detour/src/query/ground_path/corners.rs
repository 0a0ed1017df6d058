//! Writes a line as corners: its crossings, the zigzags of moves that are too steep, and off-mesh links.
//! Points where neither the line nor the ground bends are left out.

use super::graph::{GroundGraph, rate_of};
use super::line::{Crossing, GroundLine, LineLeg};
use super::moves::Moves;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::query::straight_path::{Corner, CornerKind};
use crate::query::straighten::rounding;
use glam::{DVec2, DVec3, Vec3};
use navmath::FIXED_ONE;

/// The ground bends where a point is farther from the line between its neighbours than this part of the unit
/// of heights in tiles.
const SLACK: f64 = 0.25;
/// Points in a row that may be left out.
const MOST_LEFT_OUT: usize = 64;

impl GroundGraph {
    /// Writes the corners of a line and the polygons that it leads through.
    pub(super) fn write(
        &self,
        moves: &Moves,
        line: &GroundLine,
        corners: &mut Vec<Corner>,
        polygons: &mut Vec<crate::PolyRef>,
    ) {
        let Some([start, end]) = line.ends else { return };
        let first = self.polygon_of(start.1).polygon;
        corners.push(Corner { point: start.0.as_vec3(), kind: CornerKind::Start, polygon: first });
        polygons.push(first);
        for (number, leg) in self.legs(start, &line.crossings, end.0).enumerate() {
            self.write_zigzag(moves, &leg, corners);
            if let Some(crossing) = line.crossings.get(number) {
                self.write_crossing(crossing, corners, polygons);
            }
        }
        let polygon = self.polygon_of(end.1).polygon;
        corners.push(Corner { point: end.0.as_vec3(), kind: CornerKind::End, polygon });
    }

    fn write_zigzag(&self, moves: &Moves, leg: &LineLeg, corners: &mut Vec<Corner>) {
        if moves.has_limits()
            && moves.is_steep(leg.from, leg.to)
            && let Some(zigzag) = moves.zigzag(self.corners(leg.face), leg.from, leg.to)
        {
            let polygon = self.polygon_of(leg.face).polygon;
            let turn = |point: DVec3| Corner { point: point.as_vec3(), kind: CornerKind::Turn, polygon };
            corners.extend(zigzag.points().map(turn));
        }
    }

    fn write_crossing(
        &self,
        crossing: &Crossing,
        corners: &mut Vec<Corner>,
        polygons: &mut Vec<crate::PolyRef>,
    ) {
        let gate = &self.gates[crossing.gate as usize];
        let [near, far] = self.points_of(crossing).map(|point| point.as_vec3());
        let [before, beyond] =
            [self.face_before(crossing), self.face_after(crossing)].map(|face| self.polygon_of(face).polygon);
        if let Some((link, _)) = gate.link {
            corners.push(Corner { point: near, kind: CornerKind::LinkStart, polygon: link });
            corners.push(Corner { point: far, kind: CornerKind::LinkEnd, polygon: beyond });
            polygons.extend([link, beyond]);
            return;
        }
        let kind = CornerKind::Crossing;
        if !gate.is_flush() && near != far {
            corners.push(Corner { point: near, kind, polygon: before });
        }
        corners.push(Corner { point: far, kind, polygon: beyond });
        if before != beyond {
            polygons.push(beyond);
        }
    }
}

/// The differences that do not count as a bend, as seen from above and in height; metres.
pub(super) struct Slack([f64; 2]);

impl Slack {
    pub(super) fn of(mesh: &NavMesh) -> Slack {
        let cell = mesh.lattice().map_or([0.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]);
        Slack(cell.map(|cell| cell / f64::from(FIXED_ONE) * SLACK))
    }

    /// Returns true if a point is on the line between two others.
    fn is_on_line(&self, point: Vec3, [from, to]: [Vec3; 2]) -> bool {
        let slack = rounding([from, to].map(|end| DVec2::new(end.length().into(), 0.0)));
        let [from, to, point] = [from, to, point].map(|p| p.as_dvec3());
        let along = to - from;
        let (flat, off) = (DVec2::new(along.x, along.z), point - from);
        let off_flat = DVec2::new(off.x, off.z);
        let share = off_flat.dot(flat) / flat.length_squared();
        // Not a number if both ends are at one place.
        if !(0.0..=1.0).contains(&share) {
            return off.length() <= slack;
        }
        let aside = off_flat.distance(flat * share);
        let up = (off.y - along.y * share).abs();
        aside <= self.0[0].max(slack) && up <= self.0[1].max(slack)
    }
}

/// Leaves out corners where the line does not bend. Corners stay where a metre costs more or less afterwards.
pub(super) fn thin(slack: &Slack, corners: &mut Vec<Corner>, rate: impl Fn(&Corner) -> f64) {
    let mut kept = 0;
    let mut last = 0;
    // Corners from `last` + 1 to the one looked at may be left out.
    for at in 1..corners.len() {
        let is_fixed = |corner: &Corner| !matches!(corner.kind, CornerKind::Crossing | CornerKind::Turn);
        let (anchor, next) = (corners[kept], corners[at]);
        let may_leave_out = at - last <= MOST_LEFT_OUT
            && (last + 1..at).all(|number| {
                let corner = &corners[number];
                !is_fixed(corner)
                    && rate(corner) == rate(&anchor)
                    && slack.is_on_line(corner.point, [anchor.point, next.point])
            });
        if !may_leave_out {
            kept += 1;
            corners[kept] = corners[at - 1];
            last = at - 1;
        }
    }
    if corners.len() > 1 {
        corners[kept + 1] = corners[corners.len() - 1];
        corners.truncate(kept + 2);
    }
    for at in 1..corners.len().saturating_sub(1) {
        let [before, here, after] = [at - 1, at, at + 1].map(|number| corners[number].point);
        if let kind @ (CornerKind::Crossing | CornerKind::Turn) = &mut corners[at].kind {
            let straight = slack.is_on_line(here.with_y(0.0), [before.with_y(0.0), after.with_y(0.0)]);
            *kind = if straight { CornerKind::Crossing } else { CornerKind::Turn };
        }
    }
}

/// The cost of a row of corners by the costs of the polygons that they are in.
pub(super) fn cost_along(
    mesh: &NavMesh,
    filter: &impl CostModel,
    moves: &Moves,
    corners: &[Corner],
) -> Result<f64, QueryError> {
    let mut sum = 0.0;
    for pair in corners.windows(2) {
        let rate = rate_of(filter, mesh.attributes(pair[0].polygon)?);
        sum += moves.cost_over(pair[0].point.as_dvec3(), pair[1].point.as_dvec3(), rate);
    }
    Ok(sum)
}
