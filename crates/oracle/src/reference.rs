//! A bake by the C++ library, in the order of its demonstration program's solo mesh. Every result is kept.
//!
//! Vertices are relative to the lattice, so that both libraries see the same floats. [`Space::World`] gives
//! the library the level's own coordinates instead, as the program does.

pub(crate) mod marks;

use crate::convert::{self, ConvertError};
use crate::fragments::ColumnFragment;
use crate::results::{MeshResults, Results};
use recast::data::compact::state::Eroded;
use recast::data::span::state::Rasterized;
use recast::data::{CompactField, DistanceField, Grid, RegionField, SpanField};
use recast::{AreaId, Config, Level, Partition, PreparedLevel};
use recastnavigation_rs::XError;
use recastnavigation_rs::recast as cpp;

/// The coordinates that the C++ library receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// Metres from the lattice's zero: the floats that our bake sees.
    #[default]
    Lattice,
    /// The level's own coordinates, rounded to f32.
    World,
}

/// A level that the C++ library cannot bake, or cannot bake in a comparable form.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The library's span heights have 13 bits.
    #[error(
        "the level is {cells} cells high, more than the 8191 the C++ library holds: enlarge the cell height"
    )]
    Height {
        /// Cells in height.
        cells: u32,
    },
    /// The library's span areas have 6 bits.
    #[error("area {0} is above 63, the largest the C++ library holds")]
    Area(u8),
    /// The two programs lay different grids over the level.
    #[error("the C++ library's grid is {theirs:?} columns, ours {ours:?}")]
    GridSize {
        /// Ours, along x and z.
        ours: [u32; 2],
        /// The library's.
        theirs: [u32; 2],
    },
    /// The library does not know such volumes.
    #[error("the C++ library marks no {0}: only boxes, prisms and cylinders can be compared")]
    Shape(&'static str),
    /// The library reports that a step failed.
    #[error("the C++ library failed at {0}")]
    Failed(&'static str),
    /// Its result is inconsistent.
    #[error("the C++ library's result cannot be read: {0}")]
    Convert(#[from] ConvertError),
}

/// The configuration as the C++ program computes it. It asks for all of an agent's height above a floor,
/// without the cell that ours allows for rounding. It multiplies the sample spacing in f32, so that six cells
/// of 0.3 m are 1.8000001 m, not 1.8 m. On nav_test that decides one sample.
pub fn as_the_program(config: &Config) -> Config {
    let mut config = config.clone();
    config.walkable_height += std::mem::take(&mut config.rounded_headroom);
    if config.settings.detail_sample_distance.is_none() {
        config.detail_sample_distance = config.cell_size * 6.0;
    }
    config
}

/// Bakes `level` with the C++ library, triangles in the level's order, degenerate ones included.
pub fn bake_level(
    level: &Level,
    prepared: &PreparedLevel,
    grid: &Grid,
    space: Space,
    partitions: &[Partition],
) -> Result<Results, ReferenceError> {
    if let Some(area) = prepared.areas().into_iter().find(|area| area.0 > cpp::RC_WALKABLE_AREA) {
        return Err(ReferenceError::Area(area.0));
    }
    let vertices: Vec<[f32; 3]> = match space {
        Space::Lattice => level.vertices.iter().map(|&v| prepared.lattice.to_local(v)).collect(),
        Space::World => level.vertices.iter().map(|v| v.map(|c| c as f32)).collect(),
    };
    let triangles: Vec<[i32; 3]> = level.triangles.iter().map(|t| t.map(|v| v as i32)).collect();
    let [min, max] = match space {
        Space::Lattice => grid_bounds(grid, prepared.height),
        Space::World => world_bounds(&vertices, &triangles, grid)?,
    };
    let mut context = cpp::RcContext::new(false);
    let mut heightfield = create(&mut context, prepared.size[1], grid, min, max)?;
    // Triangles that are flat enough get the walkable area, others null. The walkable area is then replaced
    // by the area that the triangle asks for.
    let mut areas = vec![cpp::RC_NULL_AREA; triangles.len()];
    let slope = prepared.config.walkable_slope;
    cpp::rc_mark_walkable_triangles(&mut context, slope, &vertices, &triangles, &mut areas)
        .map_err(|_| ReferenceError::Failed("rcMarkWalkableTriangles"))?;
    for (area, &asked) in areas.iter_mut().zip(&level.areas) {
        *area = if *area == cpp::RC_NULL_AREA { *area } else { asked.0 };
    }
    let climb = prepared.config.walkable_climb;
    let done =
        cpp::rc_rasterize_triangles_1(&mut context, &vertices, &triangles, &areas, &mut heightfield, climb);
    if !matches!(done, Ok(true)) {
        return Err(ReferenceError::Failed("rcRasterizeTriangles"));
    }
    let mut results = bake_heightfield(&mut context, &mut heightfield, grid, prepared, space, partitions)?;
    results.triangle_areas = areas.into_iter().map(AreaId).collect();
    Ok(results)
}

/// Bakes given spans with the C++ library, from the filters on.
pub fn bake_spans(
    spans: &SpanField<Rasterized>,
    prepared: &PreparedLevel,
    partitions: &[Partition],
) -> Result<Results, ReferenceError> {
    let mut fragments = Vec::with_capacity(spans.len());
    for z in 0..spans.grid.depth {
        for x in 0..spans.grid.width {
            for span in spans.column(spans.grid.column(x, z)) {
                let (min, max, area) = (spans.min[span], spans.max[span], spans.area[span]);
                fragments.push(ColumnFragment { x, z, min, max, area });
            }
        }
    }
    let mut context = cpp::RcContext::new(false);
    let mut heightfield = add_spans(&mut context, &fragments, &spans.grid, &prepared.config)?;
    bake_heightfield(&mut context, &mut heightfield, &spans.grid, prepared, Space::Lattice, partitions)
}

/// Merges fragments into spans with the C++ library, in the given order.
pub fn merge(
    fragments: &[ColumnFragment],
    grid: &Grid,
    config: &Config,
) -> Result<SpanField<Rasterized>, ReferenceError> {
    let mut context = cpp::RcContext::new(false);
    Ok(convert::spans(&add_spans(&mut context, fragments, grid, config)?, grid))
}

fn add_spans(
    context: &mut cpp::RcContext,
    fragments: &[ColumnFragment],
    grid: &Grid,
    config: &Config,
) -> Result<cpp::RcHeightfield, ReferenceError> {
    let cells = fragments.iter().map(|f| f.max).max().unwrap_or(1) as u32;
    let [min, max] = grid_bounds(grid, cells as f32 * grid.cell_height);
    let mut heightfield = create(context, cells, grid, min, max)?;
    for fragment in fragments {
        let ColumnFragment { x, z, min, max, area } = *fragment;
        if area.0 > cpp::RC_WALKABLE_AREA {
            return Err(ReferenceError::Area(area.0));
        }
        let (x, z, min, max) = (x as i32, z as i32, min as u16, max as u16);
        cpp::rc_add_span(context, &mut heightfield, x, z, min, max, area.0, config.walkable_climb)
            .map_err(|_| ReferenceError::Failed("rcAddSpan"))?;
    }
    Ok(heightfield)
}

/// Bounds of a level in world coordinates, checked to give our grid.
fn world_bounds(
    vertices: &[[f32; 3]],
    triangles: &[[i32; 3]],
    grid: &Grid,
) -> Result<[[f32; 3]; 2], ReferenceError> {
    let mut around = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for &vertex in triangles.iter().flatten() {
        for (axis, &value) in vertices[vertex as usize].iter().enumerate() {
            around[0][axis] = around[0][axis].min(value);
            around[1][axis] = around[1][axis].max(value);
        }
    }
    let (width, depth) = cpp::rc_calc_grid_size(&around[0], &around[1], grid.cell_size);
    let (ours, theirs) = ([grid.width, grid.depth], [width as u32, depth as u32]);
    if ours == theirs { Ok(around) } else { Err(ReferenceError::GridSize { ours, theirs }) }
}

/// Bounds of a grid, metres from the lattice's zero.
pub(crate) fn grid_bounds(grid: &Grid, top: f32) -> [[f32; 3]; 2] {
    let line = |base: i32, step: u32| (base + step as i32) as f32 * grid.cell_size;
    let min = [line(grid.base_x, 0), 0.0, line(grid.base_z, 0)];
    [min, [line(grid.base_x, grid.width), top, line(grid.base_z, grid.depth)]]
}

pub(crate) fn create(
    context: &mut cpp::RcContext,
    cells: u32,
    grid: &Grid,
    min: [f32; 3],
    max: [f32; 3],
) -> Result<cpp::RcHeightfield, ReferenceError> {
    if cells > cpp::RC_SPAN_MAX_HEIGHT {
        return Err(ReferenceError::Height { cells });
    }
    let mut heightfield = cpp::RcHeightfield::new();
    let (width, depth) = (grid.width as i32, grid.depth as i32);
    let (cell_size, cell_height) = (grid.cell_size, grid.cell_height);
    cpp::rc_create_heightfield(context, &mut heightfield, width, depth, &min, &max, cell_size, cell_height)
        .map_err(failed("rcCreateHeightfield"))?;
    Ok(heightfield)
}

pub(crate) fn failed(step: &'static str) -> impl Fn(XError) -> ReferenceError {
    move |_| ReferenceError::Failed(step)
}

fn bake_heightfield(
    context: &mut cpp::RcContext,
    heightfield: &mut cpp::RcHeightfield,
    grid: &Grid,
    prepared: &PreparedLevel,
    space: Space,
    partitions: &[Partition],
) -> Result<Results, ReferenceError> {
    let config = &prepared.config;
    let (height, climb) = (config.walkable_height, config.walkable_climb);
    let rasterized = convert::spans(heightfield, grid);
    cpp::rc_filter_low_hanging_walkable_obstacles(context, climb, heightfield);
    let obstacles_done = convert::spans(heightfield, grid);
    cpp::rc_filter_ledge_spans(context, height, climb, heightfield);
    let ledges_done = convert::spans(heightfield, grid);
    cpp::rc_filter_walkable_low_height_spans(context, height, heightfield);
    let filtered = convert::spans(heightfield, grid);
    let mut field = cpp::RcCompactHeightfield::new();
    cpp::rc_build_compact_heightfield(context, height, climb, heightfield, &mut field)
        .map_err(failed("rcBuildCompactHeightfield"))?;
    let compacted = convert::compact(&field, grid)?;
    cpp::rc_erode_walkable_area(context, config.walkable_radius, &mut field)
        .map_err(failed("rcErodeWalkableArea"))?;
    let eroded = convert::compact(&field, grid)?;
    marks::mark(context, &mut field, prepared, space)?;
    // From here on positions are cells of the grid; only the detail mesh adds the corner's position to them.
    // With the inner corner at zero that addition is exact, and results are relative to it, like ours.
    let pad = grid.border as f32 * grid.cell_size;
    field.bmin = [-pad, 0.0, -pad];
    let marked: CompactField<Eroded> = convert::compact(&field, grid)?;
    cpp::rc_build_distance_field(context, &mut field).map_err(failed("rcBuildDistanceField"))?;
    let distance = field.dist().to_vec();
    let distance = DistanceField { field: marked, distance, max_distance: field.max_distance };
    let mut meshes = Vec::with_capacity(partitions.len());
    for &partition in partitions {
        meshes.push(bake_mesh(context, &mut field, &distance.field, config, partition)?);
    }
    Ok(Results {
        grid: *grid,
        triangle_areas: Vec::new(),
        rasterized,
        obstacles_done,
        ledges_done,
        filtered,
        compacted,
        eroded,
        distance,
        meshes,
    })
}

/// Every partition overwrites the region of every span, so one field serves them all in turn.
fn bake_mesh(
    context: &mut cpp::RcContext,
    field: &mut cpp::RcCompactHeightfield,
    marked: &CompactField<Eroded>,
    config: &Config,
    partition: Partition,
) -> Result<MeshResults, ReferenceError> {
    let grid = &marked.grid;
    let border = grid.border as i32;
    let (least, merge) = (config.region_min_cells as i32, config.region_merge_cells as i32);
    match partition {
        Partition::Watershed => cpp::rc_build_regions(context, field, border, least, merge),
        Partition::Monotone => cpp::rc_build_regions_monotone(context, field, border, least, merge),
        Partition::Layers => cpp::rc_build_layer_regions(context, field, border, least),
    }
    .map_err(failed("rcBuildRegions"))?;
    let (region, count) = convert::regions(field, grid)?;
    let regions = RegionField::new(marked.clone(), region, count);
    let mut contours = cpp::RcContourSet::new();
    let flags = cpp::RcBuildContoursFlags::RC_CONTOUR_TESS_WALL_EDGES;
    let (error, longest) = (config.contour_max_error, config.max_edge_cells);
    cpp::rc_build_contours(context, field, error, longest, &mut contours, flags)
        .map_err(failed("rcBuildContours"))?;
    let mut mesh = cpp::RcPolyMesh::new();
    let most = config.settings.max_vertices as i32;
    cpp::rc_build_poly_mesh(context, &contours, most, &mut mesh).map_err(failed("rcBuildPolyMesh"))?;
    let mut detail = cpp::RcPolyMeshDetail::new();
    let (sample, error) = (config.detail_sample_distance, config.detail_max_error);
    cpp::rc_build_poly_mesh_detail(context, &mesh, field, sample, error, &mut detail)
        .map_err(failed("rcBuildPolyMeshDetail"))?;
    Ok(MeshResults {
        partition,
        regions,
        raw_contours: convert::raw_contours(&contours, grid, count)?,
        contours: convert::contours(&contours, grid, count)?,
        poly_mesh: convert::poly_mesh(&mesh, grid)?,
        detail_mesh: convert::detail_mesh(&detail, grid.cell_height)?,
    })
}
