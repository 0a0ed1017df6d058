//! The cost from every place to the nearest of some goals, from one search. A thousand agents with one goal
//! share one field, and each only looks up the direction from its own place.
//!
//! ```text
//!          root ●                 A root is a goal, a corner, or the start of an off-mesh link: from there
//!              ╱ ╲                the path is known. A window is the part of a portal through which a root
//!   ══════════╪═══╪════ portal    is seen. It is continued over the polygon: its lines of sight cut a new
//!   window    │▒▒▒│               window out of another portal (a); ground that a corner hides is seen from
//!            ╱▒▒▒▒▒╲              the corner, a new root (b). If windows overlap, each keeps the part where
//!   ════════╪═══════●───          it is the cheapest. So a portal has few windows, and its cost is known at
//!      (a)        corner (b)      each of its points.
//! ```
//!
//! Windows are continued in the order of their least cost, as Dijkstra's algorithm takes nodes. A polygon
//! then knows the windows of its portals. From a point of the polygon each window offers one path, straight
//! to its root or bent at the window's end, and the cheapest of them is the answer. So a lookup compares a
//! few roots, regardless of the distance of the goal.
//!
//! The search runs against the direction of walking: a polygon that the filter excludes may be left but not
//! entered, and off-mesh links are only taken in their own direction. The cost of a link is the same as in
//! every search.
//!
//! Exactness: if a metre costs the same everywhere, costs are those of the shortest paths as seen from above,
//! as [`Query::shortest_path`] finds them (tests: `field`). Positions are taken as they are in f32, and
//! decisions are made in f64. Windows narrower than a thousandth of a millimetre are dropped; adjacent
//! windows see the same ground. If floors above one another share a part of a portal at a seam, paths from
//! one to the other bend at an end of the part.
//!
//! Areas of different costs: each polygon has one cost of a metre, as the model answers for moves about its
//! middle. On ground of one cost everything is as above. If the cost changes at a portal, a path bends there
//! as light does: exactly at the last such portal, and in one of up to 18 points at the portals after it. So
//! every cost is that of a real path, and is more than the least: up to 1 % over a river, and a few percent
//! where many areas alternate; on the whole the error is much smaller than [`Query::find_path`]'s. If the
//! cost of a model depends on the direction of a move, the field uses its mean.
//!
//! A link between edges is crossed at points half a metre apart, at most 33 of them. So a path over it is
//! longer than the shortest by at most a detour to the nearest of these points.
//!
//! Cost: a few windows for each portal that is reached, O(n log n) in them, bounded by the query's nodes. If
//! these run out, the field is complete up to a smaller bound. Among equal keys the first window is taken
//! first, so the field is deterministic.
//! Memory: about 500 bytes and three windows per reached polygon, kept from one search to the next.
//! Source: J. Mitchell, D. Mount, C. Papadimitriou, The discrete geodesic problem (1987; MMP); here over
//! convex polygons in the plane, backwards, with the corners of M. Cui, D. Harabor, A. Grastien,
//! Compromise-free pathfinding on a navigation mesh (2017; Polyanya). For areas of different costs: M.
//! Lanthier, A. Maheshwari, J.-R. Sack, Approximating weighted shortest paths on polyhedral surfaces (1997).

mod costs;
mod envelope;
mod links;
mod lookup;
mod memory;
mod rates;
mod refresh;
mod search;

use super::Query;
use super::straight_path::CornerKind;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use envelope::FieldLimits;
use glam::Vec3;
use memory::FieldMemory;
use navmath::FIXED_ONE;
use search::FieldSearch;

pub use refresh::FieldChange;

/// The cost and the path from every place within a bound to the nearest of some goals: see [`Query::field`].
/// Reuse one to reuse its memory.
///
/// It keeps the snapshot of the mesh that it was made from. Lookups take the current mesh: if the polygon
/// still exists, the answer is the one for the field's own snapshot. [`Field::refresh`] makes the field
/// current.
#[derive(Clone, Debug, Default)]
pub struct Field {
    memory: FieldMemory,
    goals: Vec<Place>,
    bound: f32,
    /// The cost, in units of the search, up to which the field is complete.
    reach: f64,
    /// The cost of such a unit: the cost of a metre if it is the same everywhere, otherwise 1.
    scale: f64,
    /// The distance where a point counts as reached, metres: a step of the mesh's resolution.
    arrived: f64,
    /// True if the query's nodes sufficed.
    complete: bool,
    /// True if every metre costs the same.
    is_uniform: bool,
    /// The snapshot that it was made from; `None` if the last search failed.
    mesh: Option<NavMesh>,
    /// The slots of the tiles that the search has seen, each once.
    slots: Vec<u32>,
}

/// The next point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldStep {
    /// The point, metres from the anchor. It can be walked to in a straight line.
    pub point: Vec3,
    /// Its kind: [`CornerKind::Turn`] for a corner, [`CornerKind::End`] for a goal, [`CornerKind::LinkStart`]
    /// for an off-mesh link that is to be taken, [`CornerKind::Crossing`] for a point on the edge between two
    /// polygons.
    pub kind: CornerKind,
    /// The off-mesh link that starts there.
    pub link: Option<PolyRef>,
}

impl Query {
    /// Finds the cost of the cheapest path from every place to one of `goals`, up to `bound`, and writes it
    /// to `field`. `bound` is a cost; `f32::INFINITY` searches all ground that a goal can be reached from.
    ///
    /// Goals are on polygons; off-mesh links are refused. A goal that is not over its polygon is moved onto
    /// it. A field uses a node for each window, and has a few windows for each portal: see
    /// [`Query::with_max_nodes`]. If the nodes run out, costs are known up to a smaller bound, and
    /// [`Field::is_complete`] is false. Costs and limits of slopes are refused
    /// ([`QueryError::SlopesInField`]).
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Field, Filter, Place, Query, Slide, Vec3};
    ///
    /// let (mut query, filter, box_size) = (Query::new(), Filter::default(), Vec3::new(1.0, 2.0, 1.0));
    /// let goal = query.nearest(&mesh, Vec3::new(10.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let mut field = Field::default();
    /// query.field(&mesh, &[goal], f32::INFINITY, &filter, &mut field)?;
    ///
    /// // Any number of agents follow it, each by a lookup a frame.
    /// let mut agent = query.nearest(&mesh, Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let mut slide = Slide::default();
    /// while let Some(direction) = field.direction(&mesh, agent).filter(|&to| to != Vec3::ZERO) {
    ///     let step = field.distance(&mesh, agent).unwrap_or_default().min(0.1);
    ///     query.slide(&mesh, agent, agent.point + direction * step, &filter, &mut slide)?;
    ///     agent = Place { polygon: slide.polygons[slide.polygons.len() - 1], point: slide.point };
    /// }
    /// assert!(agent.point.distance(goal.point) < 0.01);
    ///
    /// // After tiles or doors have changed:
    /// field.refresh(&mut query, &mesh, &filter)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field(
        &mut self,
        mesh: &NavMesh,
        goals: &[Place],
        bound: f32,
        filter: &impl CostModel,
        field: &mut Field,
    ) -> Result<(), QueryError> {
        goals.iter().try_for_each(|goal| mesh.locate(goal.polygon).map(drop))?;
        check_goals(goals, bound)?;
        field.goals.clear();
        field.goals.extend_from_slice(goals);
        field.bound = bound;
        field.search(self, mesh, filter)
    }
}

/// `Ok` if a field can be searched from these goals, up to this cost.
fn check_goals(goals: &[Place], bound: f32) -> Result<(), QueryError> {
    goals.iter().try_for_each(|goal| check_position("goal", goal.point))?;
    if goals.is_empty() {
        return Err(QueryError::NoGoals);
    }
    if bound.is_nan() || bound < 0.0 { Err(QueryError::Bound(bound)) } else { Ok(()) }
}

impl Field {
    /// Creates a field from stored goals and a stored bound, which [`Field::refresh`] then searches. Goals
    /// whose polygons are gone by then are found again, as after any change. Until then no place has a
    /// distance.
    pub fn new(goals: &[Place], bound: f32) -> Result<Field, QueryError> {
        check_goals(goals, bound)?;
        Ok(Field { goals: goals.to_vec(), bound, ..Field::default() })
    }

    /// Searches from the goals, which must all be on the mesh.
    fn search(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        filter: &impl CostModel,
    ) -> Result<(), QueryError> {
        if !filter.slopes().is_none() {
            return Err(QueryError::SlopesInField);
        }
        let uniform =
            mesh.uniformity(filter).per_metre.map(f64::from).filter(|cost| *cost >= 0.0 && cost.is_finite());
        (self.is_uniform, self.scale) = (uniform.is_some(), uniform.unwrap_or(1.0));
        self.memory.clear();
        self.mesh = None;
        self.arrived = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let bound = f64::from(self.bound) / self.scale;
        let limits = FieldLimits {
            windows: query.max_nodes().get() as usize,
            cost: if bound.is_nan() { f64::INFINITY } else { bound },
        };
        let around = self.goals.first().map_or(Vec3::ZERO, |goal| goal.point);
        let mut search = FieldSearch {
            mesh,
            filter,
            plane: super::shortest_path::Plane::new(mesh, around),
            memory: &mut self.memory,
            open: &mut query.open,
            limits,
            is_uniform: self.is_uniform,
            is_full: false,
        };
        self.reach = search.run(&self.goals)?;
        self.complete = !search.is_full;
        self.list_slots();
        self.mesh = Some(mesh.clone());
        Ok(())
    }

    /// Lists the slots of the tiles that the search has seen.
    fn list_slots(&mut self) {
        let Field { memory, slots, .. } = self;
        slots.clear();
        let polygons = (0..memory.polygons.len() as u32).map(|number| memory.polygons.get(number).polygon);
        slots.extend(polygons.map(|polygon| polygon.slot()));
        slots.extend(memory.arrivals.iter().flat_map(|link| [link.link.slot(), link.start.polygon.slot()]));
        slots.sort_unstable();
        slots.dedup();
    }

    /// Returns true if it was made for this snapshot of a mesh; if not, call [`Field::refresh`].
    pub fn is_current(&self, mesh: &NavMesh) -> bool {
        self.mesh.as_ref().is_some_and(|made_for| made_for.is_same(mesh))
    }

    /// Returns true if the query's nodes sufficed. If not, costs are known up to a smaller cost than the
    /// bound.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The goals, as given, or as [`Field::refresh`] found them again.
    pub fn goals(&self) -> &[Place] {
        &self.goals
    }

    /// The largest cost, as given.
    pub fn bound(&self) -> f32 {
        self.bound
    }
}
