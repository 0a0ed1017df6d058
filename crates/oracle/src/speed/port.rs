//! One bake by rerecast, the C++ library's bake ported to Rust, group by group.

use super::SpeedError;
use super::clock::timed;
use super::groups::{Laps, Once, Times};
use super::plan::Bench;
use glam::{UVec3, Vec3, Vec3A};
use recast::{Partition, PreparedLevel};
use rerecast::{Aabb3d, AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, TriMesh};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A level in the form that rerecast receives.
pub struct Port<'a> {
    prepared: &'a PreparedLevel,
    mesh: TriMesh,
    bounds: Aabb3d,
}

impl<'a> Port<'a> {
    /// Prepares a level. `None` for features that the port lacks: tiles of a larger level, partitions other
    /// than the watershed, most shapes of volumes, more than one area, grids of 65,536 cells along a side.
    pub fn new(bench: &'a Bench) -> Option<Port<'a>> {
        let (prepared, settings) = (&bench.prepared, &bench.prepared.config.settings);
        let one_area = bench.level.areas.windows(2).all(|pair| pair[0] == pair[1]);
        let plain = one_area && settings.volumes.is_empty() && !settings.median_filter;
        let watershed = settings.partition == Partition::Watershed;
        let [width, _, depth] = prepared.size;
        let small = width.max(depth) < 1 << 16;
        if bench.tile_cells.is_some() || !plain || !watershed || !small {
            return None;
        }
        let local = |&v: &[f64; 3]| Vec3A::from_array(prepared.lattice.to_local(v));
        let mesh = TriMesh {
            vertices: bench.level.vertices.iter().map(local).collect(),
            indices: bench.level.triangles.iter().map(|&t| UVec3::from_array(t)).collect(),
            area_types: vec![AreaType::NOT_WALKABLE; bench.level.triangles.len()],
        };
        let side = |cells: u32| cells as f32 * prepared.config.cell_size;
        let max = Vec3::new(side(width), prepared.height, side(depth));
        Some(Port { prepared, mesh, bounds: Aabb3d { min: Vec3::ZERO, max } })
    }

    /// Bakes the level. A panic of the port becomes an error here.
    pub fn bake(&self) -> Result<Once, SpeedError> {
        let mesh = self.mesh.clone();
        let (baked, total) = timed(|| catch_unwind(AssertUnwindSafe(|| self.groups(mesh))));
        let said = match baked {
            Ok(Ok((times, polygons))) => return Ok(Once { times, total, polygons }),
            Ok(Err(error)) => error,
            Err(_) => "it panicked".to_owned(),
        };
        Err(SpeedError::Port(said))
    }

    fn groups(&self, mut mesh: TriMesh) -> Result<(Times, usize), String> {
        let config = &self.prepared.config;
        let cells = |value: i32| value as u16;
        let (height, climb) = (cells(config.walkable_height), cells(config.walkable_climb));
        let mut laps = Laps::start();
        let builder = HeightfieldBuilder {
            aabb: self.bounds,
            cell_size: config.cell_size,
            cell_height: config.cell_height,
        };
        let mut spans = builder.build().map_err(|error| error.to_string())?;
        mesh.mark_walkable_triangles(config.walkable_slope.to_radians());
        spans.rasterize_triangles(&mesh, climb).map_err(|error| error.to_string())?;
        laps.lap(0);
        spans.filter_low_hanging_walkable_obstacles(climb);
        spans.filter_ledge_spans(height, climb);
        spans.filter_walkable_low_height_spans(height);
        laps.lap(0);
        let mut field = spans.into_compact(height, climb).map_err(|error| error.to_string())?;
        laps.lap(0);
        field.erode_walkable_area(cells(config.walkable_radius));
        laps.lap(1);
        field.build_distance_field();
        laps.lap(2);
        let area = |cells: u32| u16::try_from(cells).unwrap_or(u16::MAX);
        field
            .build_regions(0, area(config.region_min_cells), area(config.region_merge_cells))
            .map_err(|error| error.to_string())?;
        laps.lap(3);
        let flags = BuildContoursFlags::TESSELLATE_SOLID_WALL_EDGES;
        let contours = field.build_contours(config.contour_max_error, cells(config.max_edge_cells), flags);
        laps.lap(4);
        let polygons = contours
            .into_polygon_mesh(config.settings.max_vertices as u16)
            .map_err(|error| error.to_string())?;
        laps.lap(5);
        let (sample, error) = (config.detail_sample_distance, config.detail_max_error);
        DetailNavmesh::new(&polygons, &field, sample, error).map_err(|error| error.to_string())?;
        laps.lap(6);
        Ok((laps.times(), polygons.polygon_count()))
    }
}
