//! The corridor: the part of its path that a moving agent keeps from frame to frame.
//!
//! A row of polygons from the one under the agent to the one under its target. Moving the agent or the target
//! moves the ends of the row along the surface, without a new search. The row does not hold a mesh: each call
//! gets the current snapshot, so that tiles may be added and removed between two calls.
//!
//! The row may lead over off-mesh links: [`Corridor::link_ahead`] and a corner of kind
//! [`CornerKind::LinkStart`] announce the next one. The agent takes it with [`Corridor::move_over_link`] and
//! continues at its other end.
//!
//! Invariants: the row is never empty; its first and its last node are polygons, not links; each node had a
//! link to the next in the snapshot of the call that added it; the position is on the first polygon and the
//! target on the last.
//!
//! Cost: a call is at most linear in the polygons of the row; a move also sorts the polygons that it crosses;
//! moves and rays cost what they cross. The corridor and the query keep their memory, so that a frame
//! allocates nothing once a corridor has been at its longest.
//! Source: M. Mononen, Detour (`dtPathCorridor`). Differences: no fixed length; links are checked as well as
//! references; after a change of tiles the corridor reports how much of it is left; and after a forced move
//! no empty reference separates the position from the polygons.
//!
//! ```
//! # let mut mesh = detour::NavMesh::default();
//! # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
//! # let (mut query, filter) = (detour::Query::new(), detour::Filter::default());
//! # let box_size = detour::Vec3::new(1.0, 2.0, 1.0);
//! # let start = query.nearest(&mesh, detour::Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
//! # let goal = query.nearest(&mesh, detour::Vec3::new(10.0, 0.0, 2.0), box_size, &filter)?.place();
//! # let mut path = detour::Path::default();
//! # query.find_path(&mesh, start, goal, &filter, &detour::PathOptions::default(), &mut path)?;
//! use detour::{Corridor, StraightOptions, StraightPath};
//!
//! let mut corridor = Corridor::new(start);
//! corridor.set_path(&mesh, &path.polygons, goal.point)?;
//! let mut corners = StraightPath::default();
//! let options = StraightOptions { max_corners: 3, ..StraightOptions::default() };
//! for _frame in 0..1000 {
//!     corridor.corners(&mut query, &mesh, &options, &mut corners)?;
//!     let Some(next) = corners.corners.first() else { break }; // arrived
//!     let step = (next.point - corridor.position()).clamp_length_max(0.1);
//!     corridor.move_start(&mut query, &mesh, corridor.position() + step, &filter)?;
//! }
//! assert!(corridor.position().distance(corridor.target()) < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod links;
mod moves;
mod optimise;
mod repair;

pub use links::LinkAhead;
pub use repair::Trimmed;

use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::Query;
use crate::query::straight_path::{CornerKind, Crossings, StraightOptions, StraightPath};
use glam::Vec3;
use navmath::FIXED_ONE;

/// The least number of polygons that a corridor reserves when it takes a path.
const LEAST_ROOM: usize = 32;

/// The part of its path that an agent keeps. See the [module](self).
#[derive(Clone, Debug)]
pub struct Corridor {
    polygons: Vec<PolyRef>,
    /// The agent's place. Its polygon is also the first of the row. The copy here saves a move within that
    /// polygon from reading the row: the rows of a crowd are scattered over memory.
    start: Place,
    target: Vec3,
}

impl Corridor {
    /// Creates a corridor of one polygon, with the agent and its target at one place.
    pub fn new(place: Place) -> Corridor {
        Corridor { polygons: vec![place.polygon], start: place, target: place.point }
    }

    /// Restores a corridor from its stored [`Corridor::polygons`], [`Corridor::position`] and
    /// [`Corridor::target`]. Returns `None` without polygons. Call [`Corridor::trim_invalid`] to check it
    /// against a mesh.
    pub fn from_parts(polygons: Vec<PolyRef>, position: Vec3, target: Vec3) -> Option<Corridor> {
        let start = Place { polygon: *polygons.first()?, point: position };
        Some(Corridor { polygons, start, target })
    }

    /// Starts over at another place. The memory is kept.
    pub fn reset(&mut self, place: Place) {
        self.polygons.clear();
        self.polygons.push(place.polygon);
        (self.start, self.target) = (place, place.point);
    }

    /// Takes a path that was found for the agent: `polygons` as [`Query::find_path`] writes them, and the
    /// target, which is moved onto the last of them. If the agent has moved since, its part of the path
    /// starts at its current polygon. Returns `false` and leaves the corridor unchanged if the path does not
    /// lead through that polygon; then find a path again, from the agent's position.
    pub fn set_path(
        &mut self,
        mesh: &NavMesh,
        polygons: &[PolyRef],
        target: Vec3,
    ) -> Result<bool, QueryError> {
        check_position("target", target)?;
        let last = polygons.last().ok_or(QueryError::EmptyPath)?;
        let target = mesh.locate(*last)?.kept_inside(target);
        let Some(at) = polygons.iter().rposition(|polygon| *polygon == self.first()) else {
            return Ok(false);
        };
        self.target = target;
        self.polygons.clear();
        let row = &polygons[at..];
        if row.len() > self.polygons.capacity() {
            // From now on, paths of about the same length fit.
            self.polygons.reserve_exact(row.len().next_power_of_two().max(LEAST_ROOM));
        }
        self.polygons.extend_from_slice(row);
        Ok(true)
    }

    /// The agent's position, on the first polygon.
    pub fn position(&self) -> Vec3 {
        self.start.point
    }

    /// The target, on the last polygon.
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// The polygons from the agent's to the target's; at least one.
    pub fn polygons(&self) -> &[PolyRef] {
        &self.polygons
    }

    /// The polygon under the agent.
    pub fn first(&self) -> PolyRef {
        self.start.polygon
    }

    /// The polygon under the target.
    pub fn last(&self) -> PolyRef {
        self.polygons[self.polygons.len() - 1]
    }

    /// The agent's place.
    pub fn place(&self) -> Place {
        self.start
    }

    /// Writes the next corners to steer to into `corners`, up to `options.max_corners` of them. A corner at
    /// the agent's own position is left out. The last is of kind [`CornerKind::End`] if it is the target; the
    /// list is empty if the agent has reached the target.
    ///
    /// A corner nearer than 1/128 cell as seen from above, twice the resolution of the mesh, counts as
    /// passed, as it gives no direction. The start of an off-mesh link is not passed until the link is taken.
    pub fn corners(
        &self,
        query: &mut Query,
        mesh: &NavMesh,
        options: &StraightOptions,
        corners: &mut StraightPath,
    ) -> Result<(), QueryError> {
        // The start and passed corners do not count. Only a few corners can be that near.
        let wanted = options.max_corners;
        let near = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE / 2));
        let mut spare = 1;
        loop {
            let options = StraightOptions { max_corners: wanted.saturating_add(spare), ..*options };
            self.string(query, mesh, &options, corners)?;
            let passed = corners.corners.iter().take_while(|corner| {
                let away = (corner.point.as_dvec3() - self.position().as_dvec3()).with_y(0.0).length();
                corner.kind == CornerKind::Start || (away < near && corner.kind != CornerKind::LinkStart)
            });
            let passed = passed.count();
            if corners.truncated && passed > spare {
                spare = passed;
                continue;
            }
            corners.corners.drain(..passed);
            corners.truncated |= corners.corners.len() > wanted;
            corners.corners.truncate(wanted);
            (corners.length, corners.length_from_above) = (0.0, 0.0);
            let mut before = self.position();
            for number in 0..corners.corners.len() {
                let point = corners.corners[number].point;
                corners.add_length(before, point);
                before = point;
            }
            return Ok(());
        }
    }

    /// The points of the string up to a limit. Each node of the row has a link to the next as long as both
    /// are in the mesh. So if there is no off-mesh link before the limit, only the polygons that decide the
    /// points are read.
    fn string(
        &self,
        query: &mut Query,
        mesh: &NavMesh,
        options: &StraightOptions,
        points: &mut StraightPath,
    ) -> Result<(), QueryError> {
        let (ends, row) = ([self.position(), self.target], &self.polygons);
        let has_all = options.crossings == Crossings::None
            && query.first_corners(mesh, ends, row, options.max_corners, points)?;
        if has_all { Ok(()) } else { query.straight_path_with(mesh, ends[0], ends[1], row, options, points) }
    }

    /// Returns true if the first `lookahead` polygons (0 or more) are all still in the mesh, have a link to
    /// the next, and pass the filter. The first, under the agent, need not pass. With a lookahead of about
    /// ten this is cheap enough for every frame.
    pub fn is_valid(&self, mesh: &NavMesh, lookahead: usize, filter: &impl CostModel) -> bool {
        let ahead = &self.polygons[..lookahead.min(self.polygons.len())];
        self.valid_length(ahead, mesh, filter) == ahead.len()
    }
}
