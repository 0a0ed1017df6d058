//! One bake by each library, group by group.

use super::SpeedError;
use super::clock::timed;
use super::groups::{Laps, Once, TILE, Times, Watch};
use super::plan::Bench;
use crate::reference::marks;
use crate::reference::{ReferenceError, Space, create, failed, grid_bounds};
use navinterop::detour::MAX_CORNERS;
use navlevel::Tiling;
use navmath::{Digest, Hasher};
use recast::TileBuild;
use recast::data::Grid;
use recast::{Observer, Partition, PreparedLevel, Scratch, bake_solo};
use recastnavigation_rs::{detour as dt, recast as cpp};

/// Our bake of the whole level: times, and the hash of all tiles.
pub fn ours(bench: &Bench, tiling: Option<&Tiling<'_>>) -> Result<(Once, Digest), SpeedError> {
    let (mut once, mut hasher) = (Once::default(), Hasher::new());
    ours_watched(bench, tiling, &mut |baked, watch, total| {
        hasher.write_u8s(baked.tile.bytes());
        once.add(&watch.times(), total, baked.counts.polygons);
    })?;
    Ok((once, hasher.finish()))
}

fn ours_watched(
    bench: &Bench,
    tiling: Option<&Tiling<'_>>,
    done: &mut dyn FnMut(&recast::Baked, Watch, std::time::Duration),
) -> Result<(), SpeedError> {
    let mut scratch = Scratch::new();
    let Some(tiling) = tiling else {
        let watch = Watch::start();
        let (baked, total) = timed(|| bake_solo(&bench.prepared, &watch, &mut scratch));
        done(&baked?, watch, total);
        return Ok(());
    };
    for coord in tiling.coords() {
        let watch = Watch::start();
        let (baked, total) = timed(|| tiling.bake(coord, &watch, &mut scratch));
        done(&baked?, watch, total);
    }
    Ok(())
}

/// The hash of all tiles of an unwatched bake.
pub fn plain(
    bench: &Bench,
    tiling: Option<&Tiling<'_>>,
    observer: &dyn Observer,
) -> Result<Digest, SpeedError> {
    let mut hasher = Hasher::new();
    match tiling {
        None => {
            let baked = bake_solo(&bench.prepared, observer, &mut Scratch::new())?;
            hasher.write_u8s(baked.tile.bytes());
        }
        Some(tiling) => {
            for coord in tiling.coords() {
                // Scratch of its own, so that data left there by an earlier tile has no effect.
                let baked = tiling.bake(coord, observer, &mut Scratch::new())?;
                hasher.write_u8s(baked.tile.bytes());
            }
        }
    }
    Ok(hasher.finish())
}

/// A tile in the form that the C++ library receives.
struct TileInput {
    grid: Grid,
    coord: [i32; 2],
    triangles: Vec<[i32; 3]>,
    asked: Vec<u8>,
}

/// A level in the form that the C++ library receives. Preparing it is not timed for either library.
pub struct Theirs<'a> {
    prepared: &'a PreparedLevel,
    vertices: Vec<[f32; 3]>,
    tiles: Vec<TileInput>,
}

impl<'a> Theirs<'a> {
    /// Prepares a level with the same floats, grids and lists of triangles as ours.
    pub fn new(bench: &'a Bench, tiling: Option<&Tiling<'_>>) -> Result<Theirs<'a>, SpeedError> {
        let prepared = &bench.prepared;
        if let Some(area) = prepared.areas().into_iter().find(|area| area.0 > cpp::RC_WALKABLE_AREA) {
            return Err(ReferenceError::Area(area.0).into());
        }
        let vertices = bench.level.vertices.iter().map(|&v| prepared.lattice.to_local(v)).collect();
        let triangle = |id: usize| bench.level.triangles[id].map(|v| v as i32);
        let asked = |id: usize| bench.level.areas.get(id).map_or(cpp::RC_WALKABLE_AREA, |area| area.0);
        let tile = |build: TileBuild, ids: Vec<usize>| TileInput {
            grid: build.grid,
            coord: [build.coord.x, build.coord.z],
            triangles: ids.iter().map(|&id| triangle(id)).collect(),
            asked: ids.iter().map(|&id| asked(id)).collect(),
        };
        let mut tiles = Vec::new();
        match tiling {
            None => tiles.push(tile(TileBuild::solo(prepared), (0..bench.level.triangles.len()).collect())),
            Some(tiling) => {
                for coord in tiling.coords() {
                    let ids = tiling.triangles(coord).unwrap_or_default();
                    tiles.push(tile(tiling.build(0, coord)?, ids.iter().map(|&id| id as usize).collect()));
                }
            }
        }
        Ok(Theirs { prepared, vertices, tiles })
    }

    /// Bakes the whole level.
    pub fn bake(&self) -> Result<Once, SpeedError> {
        let mut once = Once::default();
        for tile in &self.tiles {
            let (baked, total) = timed(|| self.bake_tile(tile));
            let (times, polygons) = baked?;
            once.add(&times, total, polygons);
        }
        Ok(once)
    }

    fn bake_tile(&self, tile: &TileInput) -> Result<(Times, usize), SpeedError> {
        let (config, grid) = (&self.prepared.config, &tile.grid);
        let (height, climb) = (config.walkable_height, config.walkable_climb);
        let [min, max] = grid_bounds(grid, self.prepared.height);
        let mut context = cpp::RcContext::new(false);
        let context = &mut context;
        let mut laps = Laps::start();
        let mut spans = create(context, self.prepared.size[1], grid, min, max)?;
        let mut areas = vec![cpp::RC_NULL_AREA; tile.triangles.len()];
        let (vertices, triangles) = (&self.vertices, &tile.triangles);
        cpp::rc_mark_walkable_triangles(context, config.walkable_slope, vertices, triangles, &mut areas)
            .map_err(failed("rcMarkWalkableTriangles"))?;
        for (area, &asked) in areas.iter_mut().zip(&tile.asked) {
            *area = if *area == cpp::RC_NULL_AREA { *area } else { asked };
        }
        let done = cpp::rc_rasterize_triangles_1(context, vertices, triangles, &areas, &mut spans, climb);
        if !matches!(done, Ok(true)) {
            return Err(ReferenceError::Failed("rcRasterizeTriangles").into());
        }
        laps.lap(0);
        cpp::rc_filter_low_hanging_walkable_obstacles(context, climb, &mut spans);
        cpp::rc_filter_ledge_spans(context, height, climb, &mut spans);
        cpp::rc_filter_walkable_low_height_spans(context, height, &mut spans);
        laps.lap(0);
        let mut field = cpp::RcCompactHeightfield::new();
        cpp::rc_build_compact_heightfield(context, height, climb, &spans, &mut field)
            .map_err(failed("rcBuildCompactHeightfield"))?;
        // As in the library's demonstration program.
        drop(spans);
        laps.lap(0);
        cpp::rc_erode_walkable_area(context, config.walkable_radius, &mut field)
            .map_err(failed("rcErodeWalkableArea"))?;
        marks::mark(context, &mut field, self.prepared, Space::Lattice)?;
        laps.lap(1);
        self.partition(context, &mut field, grid, &mut laps)?;
        self.mesh(context, &field, tile, laps)
    }

    fn partition(
        &self,
        context: &mut cpp::RcContext,
        field: &mut cpp::RcCompactHeightfield,
        grid: &Grid,
        laps: &mut Laps,
    ) -> Result<(), SpeedError> {
        let config = &self.prepared.config;
        let border = grid.border as i32;
        let (least, merge) = (config.region_min_cells as i32, config.region_merge_cells as i32);
        match config.settings.partition {
            Partition::Watershed => {
                cpp::rc_build_distance_field(context, field).map_err(failed("rcBuildDistanceField"))?;
                laps.lap(2);
                cpp::rc_build_regions(context, field, border, least, merge)
            }
            Partition::Monotone => cpp::rc_build_regions_monotone(context, field, border, least, merge),
            Partition::Layers => cpp::rc_build_layer_regions(context, field, border, least),
        }
        .map_err(failed("rcBuildRegions"))?;
        laps.lap(3);
        Ok(())
    }

    fn mesh(
        &self,
        context: &mut cpp::RcContext,
        field: &cpp::RcCompactHeightfield,
        tile: &TileInput,
        mut laps: Laps,
    ) -> Result<(Times, usize), SpeedError> {
        let config = &self.prepared.config;
        let mut contours = cpp::RcContourSet::new();
        let flags = cpp::RcBuildContoursFlags::RC_CONTOUR_TESS_WALL_EDGES;
        let (error, longest) = (config.contour_max_error, config.max_edge_cells);
        cpp::rc_build_contours(context, field, error, longest, &mut contours, flags)
            .map_err(failed("rcBuildContours"))?;
        laps.lap(4);
        let mut mesh = cpp::RcPolyMesh::new();
        let most = config.settings.max_vertices.min(MAX_CORNERS as u32) as i32;
        cpp::rc_build_poly_mesh(context, &contours, most, &mut mesh).map_err(failed("rcBuildPolyMesh"))?;
        laps.lap(5);
        let mut detail = cpp::RcPolyMeshDetail::new();
        let (sample, error) = (config.detail_sample_distance, config.detail_max_error);
        cpp::rc_build_poly_mesh_detail(context, &mesh, field, sample, error, &mut detail)
            .map_err(failed("rcBuildPolyMeshDetail"))?;
        laps.lap(6);
        // The library does not write tiles without polygons.
        if mesh.npolys() > 0 {
            let blob = self.write(&mut mesh, &detail, tile)?;
            drop(blob);
        }
        laps.lap(TILE);
        Ok((laps.times(), mesh.npolys()))
    }

    fn write(
        &self,
        mesh: &mut cpp::RcPolyMesh,
        detail: &cpp::RcPolyMeshDetail,
        tile: &TileInput,
    ) -> Result<dt::DtBuf, SpeedError> {
        mesh.flags_mut().fill(1);
        let settings = &self.prepared.config.settings;
        let mut params = dt::DtNavMeshCreateParams {
            verts: Some(mesh.verts()),
            polys: Some(mesh.polys()),
            poly_flags: Some(mesh.flags()),
            poly_areas: Some(mesh.areas()),
            nvp: (settings.max_vertices as usize).min(MAX_CORNERS),
            detail_meshes: Some(detail.meshes()),
            detail_verts: Some(detail.verts()),
            detail_tris: Some(detail.tris()),
            tile_x: tile.coord[0],
            tile_y: tile.coord[1],
            bmin: mesh.bmin,
            bmax: mesh.bmax,
            walkable_height: settings.agent_height as f32,
            walkable_radius: settings.agent_radius as f32,
            walkable_climb: settings.agent_climb as f32,
            cs: tile.grid.cell_size,
            ch: tile.grid.cell_height,
            build_bv_tree: true,
            ..dt::DtNavMeshCreateParams::default()
        };
        Ok(dt::dt_create_nav_mesh_data(&mut params)?)
    }
}
