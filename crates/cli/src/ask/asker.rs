//! A mesh and a filter for the queries of a command: places are snapped to the mesh, and a place off it gets
//! its reason.

use super::AskArgs;
use crate::failure::Failure;
use crate::mesh::Loaded;
use detour::{Filter, Nearest, Query, QueryError, Vec3};
use std::num::NonZeroU32;

/// Maximum number of nodes of a search per polygon.
const NODES_PER_POLYGON: u32 = 64;

/// Everything that queries of one mesh share.
pub(crate) struct Asker<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) filter: Filter,
    pub(crate) query: Query,
    pub(crate) half_extents: Vec3,
}

/// A place that is not on the mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Miss {
    /// The reason as a sentence.
    pub(crate) reason: String,
    /// The nearest ground that passes the filter at any distance, world metres, and its distance; `None`
    /// without such ground.
    pub(crate) nearest: Option<([f64; 3], f32)>,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(loaded: &'a Loaded, args: &AskArgs) -> Result<Asker<'a>, Failure> {
        // Enough nodes that a search does not give up early: the default search takes up to eight per
        // polygon, the shortest path about seven if it has to search the whole level. Only used nodes take
        // memory.
        let polygons = u32::try_from(loaded.mesh.polygon_count()).unwrap_or(u32::MAX);
        let nodes = NonZeroU32::new(polygons.saturating_mul(NODES_PER_POLYGON)).unwrap_or(NonZeroU32::MIN);
        Ok(Asker {
            loaded,
            filter: args.filter.filter(&args.file, loaded)?,
            query: Query::with_max_nodes(nodes.max(detour::DEFAULT_MAX_NODES)),
            half_extents: Vec3::from_array(args.snap.map(|extent| extent as f32)),
        })
    }

    /// The ground nearest to a place, or the reason for having none in reach; `end` names the place.
    pub(crate) fn snap(&mut self, end: &str, place: [f64; 3]) -> Result<Nearest, Miss> {
        let mesh = &self.loaded.mesh;
        let nearest = self.query.nearest(mesh, mesh.from_world(place), self.half_extents, &self.filter);
        nearest.map_err(|error| self.miss(end, place, &error))
    }

    fn miss(&mut self, end: &str, place: [f64; 3], error: &QueryError) -> Miss {
        let mut reason = off_mesh(end, place, self.half_extents, error);
        let nearest = self.nearest_anywhere(place);
        if let Some(([x, y, z], distance)) = nearest {
            let more = format!("; the nearest mesh is {distance:.2} m away, at {x:.3}, {y:.3}, {z:.3}");
            reason.push_str(&more);
        }
        Miss { reason, nearest }
    }

    /// The point of the whole mesh nearest to a place, and its distance.
    fn nearest_anywhere(&mut self, place: [f64; 3]) -> Option<([f64; 3], f32)> {
        let mesh = &self.loaded.mesh;
        let position = mesh.from_world(place);
        // An error here (a place too far away for f32) only shortens the answer.
        let nearest = self.query.nearest_anywhere(mesh, position, &self.filter).ok().flatten()?;
        Some((mesh.to_world(nearest.point), nearest.point.distance(position)))
    }
}

/// The reason why a place has no ground in reach; `end` names the place.
pub(crate) fn off_mesh(end: &str, [x, y, z]: [f64; 3], extents: Vec3, error: &QueryError) -> String {
    let why = match error {
        QueryError::NothingNear { reason, .. } => {
            format!("within {} x {} x {} m of it: {reason}", extents.x, extents.y, extents.z)
        }
        other => other.to_string(),
    };
    format!("the {end} ({x}, {y}, {z}) is not on the mesh; {why}")
}
