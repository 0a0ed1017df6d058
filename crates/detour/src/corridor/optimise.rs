//! Shortening a corridor while the agent walks.

use super::Corridor;
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::Query;
use crate::query::corridor_scratch::Common;
use crate::query::find_path::PathOptions;
use crate::query::raycast::Ray;
use crate::query::sliced_path::SlicedPath;
use glam::Vec3;
use navmath::FIXED_ONE;

impl Corridor {
    /// Casts a ray towards `next`, one of the next corners or a later point of the corridor, for at most
    /// `reach` metres (0 or more). If the view is clear, the polygons in sight replace the corridor up to the
    /// polygon where they meet it. Returns true if anything changed. A farther corner gives a greater chance
    /// of a shortcut; `reach` bounds the cost.
    ///
    /// The ray ignores costs: with expensive areas, only look to the next corner.
    pub fn optimise_visibility(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        next: Vec3,
        reach: f32,
        filter: &impl CostModel,
    ) -> Result<bool, QueryError> {
        check_position("next", next)?;
        check_radius(reach)?;
        let along = (next.as_dvec3() - self.position().as_dvec3()).with_y(0.0);
        let length = along.length();
        // A step beyond the corner, so that not only the polygon before it but also the one after it is in
        // sight.
        let cell = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size);
        let stretched = (length + cell).min(f64::from(reach));
        if length == 0.0 || stretched == 0.0 {
            return Ok(false);
        }
        let aim = (self.position().as_dvec3() + along * (stretched / length)).as_vec3();
        let polygons = std::mem::take(&mut query.corridor.polygons);
        let mut ray = Ray { polygons, ..Ray::default() };
        let looked = query.raycast(mesh, self.place(), aim, filter, &mut ray);
        // Corners are on walls: rounding may stop a ray that much earlier.
        let slack = cell / f64::from(FIXED_ONE);
        let changed = looked.map(|()| {
            let enough = ray.is_clear() || ray.fraction * stretched + slack >= length;
            enough && self.cut_short(&ray.polygons, &mut query.corridor.common)
        });
        query.corridor.polygons = ray.polygons;
        changed
    }

    /// Searches from the agent to the target again, settling up to `polygons` polygons, and takes the part of
    /// the path that leads back into the corridor. Returns true if anything changed. A few dozen polygons now
    /// and then, every half second for example, keep a corridor close to the best path without a search of
    /// its whole length.
    pub fn optimise_topology(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        polygons: u32,
        filter: &impl CostModel,
        options: PathOptions,
    ) -> Result<bool, QueryError> {
        if self.polygons.len() < 3 {
            return Ok(false);
        }
        let goal = Place { polygon: self.last(), point: self.target };
        let mut search = SlicedPath::new(query, mesh.clone(), self.place(), goal, filter, options)?;
        let stepped = search.update(polygons);
        let mut found = std::mem::take(&mut search.query_mut().corridor.polygons);
        search.finish_partial(&self.polygons, &mut found);
        *query = search.into_query();
        let changed = stepped.map(|_| self.cut_short(&found, &mut query.corridor.common));
        query.corridor.polygons = found;
        changed
    }

    /// Replaces the corridor, up to the last polygon that `path` shares, by `path`, which begins with the
    /// agent's polygon.
    fn cut_short(&mut self, path: &[PolyRef], common: &mut Common) -> bool {
        let Some((kept, last)) = common.last(&self.polygons, path) else { return false };
        if path[..last] == self.polygons[..kept] {
            return false;
        }
        self.polygons.splice(..kept, path[..last].iter().copied());
        true
    }
}
