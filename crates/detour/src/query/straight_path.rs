//! From a corridor of polygons to the points one walks along: string pulling, with crossings if asked for.
//! Cost: linear in the polygons' links.

use super::Query;
use super::funnel::Bend;
use crate::error::{QueryError, check_position};
use crate::geometry::{lerp, line_crossing};
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// Which points between corners are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossings {
    /// None: corners only.
    #[default]
    None,
    /// Where the path crosses into a polygon of another area.
    Areas,
    /// Where it crosses into another polygon.
    All,
}

/// What a point of a straight path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CornerKind {
    /// The start.
    Start,
    /// The path bends here.
    Turn,
    /// The path goes straight on into another polygon; see [`Crossings`].
    Crossing,
    /// The goal, or where the corridor ends.
    End,
}

/// A point of a straight path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The point: the start and the goal as given if they lie over their polygons, else on the outline;
    /// others on the edge between two polygons.
    pub point: Vec3,
    /// What it is.
    pub kind: CornerKind,
    /// The polygon that the path enters here, or is in at its end.
    pub polygon: PolyRef,
}

/// How a string is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StraightOptions {
    /// Which points between corners are wanted; none by default.
    pub crossings: Crossings,
    /// Most points that are wanted, the start's included; no limit by default. Those nearest to the start are
    /// told.
    pub max_corners: usize,
}

impl Default for StraightOptions {
    fn default() -> StraightOptions {
        StraightOptions { crossings: Crossings::None, max_corners: usize::MAX }
    }
}

/// The points one walks along. Reuse one, and its memory is reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StraightPath {
    /// From the start to the end; at least these two after a pull.
    pub corners: Vec<Corner>,
    /// The length of what is told of it, metres.
    pub length: f32,
    /// Whether there are more points than were wanted, so that the last one told is not the end.
    pub truncated: bool,
    /// Index of the first polygon of the corridor that the mesh no longer leads to (a tile was changed
    /// since); the path ends in the polygon before. `None` if all is well.
    pub broken_at: Option<usize>,
}

impl Query {
    /// Pulls a string from `start` to `goal` through the corridor `polygons`, each of which has a link to the
    /// next.
    ///
    /// Start and goal are moved into the first and the last polygon, so that a partial path ends as near to
    /// the goal as its last polygon comes.
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

    /// As [`Query::straight_path`], with as many points as are wanted: those that one comes to first.
    ///
    /// Semantics: those of M. Mononen's Detour (`findStraightPath`), but a list that is full is told by
    /// [`StraightPath::truncated`] and is right as far as it goes.
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
        let start = mesh.locate(*first)?.kept_inside(start);
        self.funnel.clear();
        let mut whole = polygons;
        straight.broken_at = None;
        for (at, pair) in polygons.windows(2).enumerate() {
            let Some(opening) = mesh.locate(pair[0])?.opening_to(pair[1]) else {
                straight.broken_at = Some(at + 1);
                whole = &polygons[..=at];
                break;
            };
            self.funnel.openings.push([opening.left, opening.right]);
        }
        let last = whole[whole.len() - 1];
        let goal = mesh.locate(last)?.kept_inside(goal);
        self.funnel.pull(start, goal);

        let StraightOptions { crossings, max_corners } = *options;
        let mut writer = Writer {
            mesh,
            crossings,
            max_corners,
            polygons: whole,
            openings: &self.funnel.openings,
            straight,
        };
        writer.straight.corners.clear();
        (writer.straight.length, writer.straight.truncated) = (0.0, false);
        writer.push(Corner { point: start, kind: CornerKind::Start, polygon: *first });
        let mut next_opening = 0;
        for bend in &self.funnel.bends {
            if writer.straight.truncated {
                return Ok(());
            }
            let mut bend = *bend;
            // Further openings that hinge on the same point are passed in turning.
            while writer
                .openings
                .get(bend.opening as usize + 1)
                .is_some_and(|next| next.contains(&bend.point))
            {
                bend.opening += 1;
            }
            writer.leg_to(&bend, next_opening, CornerKind::Turn);
            next_opening = bend.opening + 1;
        }
        let end = Bend { point: goal, opening: (whole.len() - 1) as u32 };
        writer.leg_to(&end, next_opening, CornerKind::End);
        Ok(())
    }
}

/// Writes corners, and the crossings between them.
struct Writer<'a> {
    mesh: &'a NavMesh,
    crossings: Crossings,
    max_corners: usize,
    polygons: &'a [PolyRef],
    openings: &'a [[Vec3; 2]],
    straight: &'a mut StraightPath,
}

impl Writer<'_> {
    fn last_point(&self) -> Option<Vec3> {
        self.straight.corners.last().map(|corner| corner.point)
    }

    fn push(&mut self, corner: Corner) {
        if self.straight.corners.len() >= self.max_corners {
            self.straight.truncated = true;
        }
        if self.straight.truncated {
            return;
        }
        if let Some(last) = self.last_point() {
            self.straight.length += last.distance(corner.point);
        }
        self.straight.corners.push(corner);
    }

    /// The straight leg from the last corner to `bend`, over all openings from `from_opening` to the bend's.
    fn leg_to(&mut self, bend: &Bend, from_opening: u32, kind: CornerKind) {
        let Some(from) = self.last_point() else { return };
        if self.crossings != Crossings::None {
            for opening in from_opening..bend.opening {
                self.cross(opening as usize, from, bend.point);
            }
        }
        if self.straight.truncated {
            return;
        }
        let end = kind == CornerKind::End;
        // A turn at the start or twice at one place is none; the end is always told, and replaces a turn
        // there.
        let repeated = self.last_point() == Some(bend.point);
        if repeated && !end {
            return;
        }
        if repeated && self.straight.corners.len() > 1 {
            self.straight.corners.pop();
        }
        let entered = (bend.opening as usize + usize::from(!end)).min(self.polygons.len() - 1);
        self.push(Corner { point: bend.point, kind, polygon: self.polygons[entered] });
    }

    fn cross(&mut self, opening: usize, from: Vec3, to: Vec3) {
        if self.straight.truncated {
            return;
        }
        let polygon = self.polygons[opening + 1];
        if self.crossings == Crossings::Areas {
            let area = |polygon| self.mesh.attributes(polygon).map(|attributes| attributes.area);
            if area(self.polygons[opening]) == area(polygon) {
                return;
            }
        }
        let [left, right] = self.openings[opening];
        let point = lerp(left, right, line_crossing(left, right, from, to));
        if self.last_point() == Some(point) {
            // One point, several openings: what counts is where one comes out.
            if let Some(last) = self.straight.corners.last_mut() {
                last.polygon = polygon;
            }
        } else if point != to {
            self.push(Corner { point, kind: CornerKind::Crossing, polygon });
        }
    }
}
