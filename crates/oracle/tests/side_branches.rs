//! The side branches of the pipeline compared with the C++ library's: heightfield layers and merging meshes,
//! each on the library's own input.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use navlayers::heightfield_layers::{self, HeightfieldLayer};
use navlayers::merge_meshes::{merge_detail_meshes, merge_poly_meshes};
use oracle::{compare, convert, level};
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, DetailMesh, Grid, PolyMesh};
use recast::stage::rasterize::{self, Source};
use recast::stage::{Context, mark_walkable};
use recast::{AreaId, Level, PreparedLevel, Settings, TileBuild};
use recastnavigation_rs::recast as cpp;
use std::path::{Path, PathBuf};

/// Each platform of the storeys overlaps the ground and the next one; ramps join them, and pillars break them
/// up.
fn storeys() -> Level {
    let mut level = Level::default();
    let mut quad = |corners: [[f64; 3]; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let mut floor = |y: f64, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], rise: f64| {
        quad([[x0, y, z0], [x0, y, z1], [x1, y + rise, z1], [x1, y + rise, z0]]);
    };
    floor(0.0, [0.0, 0.0], [30.0, 24.0], 0.0);
    for (storey, z) in [(1.0, 3.0), (2.0, 9.0), (3.0, 5.0)] {
        floor(3.0 * storey, [10.0, z], [26.0, z + 9.0], 0.0);
        floor(3.0 * storey - 3.0, [4.0, z + 2.0], [10.0, z + 6.0], 3.0);
    }
    for pillar in 0..6 {
        let (x, z) = (3.0 + 4.0 * f64::from(pillar), 2.0 + 3.5 * f64::from(pillar));
        quad([[x, 0.0, z], [x, 10.0, z], [x, 10.0, z + 1.5], [x, 0.0, z + 1.5]]);
    }
    level
}

/// The available levels: a level of our own, and the well-known ones if their folder exists.
fn levels() -> Vec<(&'static str, Level)> {
    let mut levels = vec![("storeys", storeys())];
    let named = std::env::var_os("NAVTILE_MESHES").map(PathBuf::from);
    let folder =
        named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes"));
    for name in ["nav_test", "dungeon"] {
        let path = folder.join(name).with_extension("obj");
        if path.is_file() {
            levels.push((name, level::read_obj(&path).unwrap()));
        } else {
            eprintln!("skipped: there is no {name}.obj; name its folder in NAVTILE_MESHES");
        }
    }
    levels
}

/// The C++ library's eroded field over our spans; every seventh triangle or so gets an area of its own.
fn their_field(
    context: &mut cpp::RcContext,
    prepared: &PreparedLevel,
    grid: &Grid,
) -> cpp::RcCompactHeightfield {
    let config = &prepared.config;
    let (source, ours) = (Source::all(prepared), &mut Context::new());
    let mut areas = mark_walkable::run(source, &config.into(), ours).unwrap();
    for (index, area) in areas.iter_mut().enumerate().filter(|(_, area)| area.is_walkable()) {
        *area = AreaId(1 + (index / 7 % 5) as u8);
    }
    let spans = rasterize::run((source, &areas, grid), &config.into(), ours).unwrap();
    let line = |column: i32| column as f32 * grid.cell_size;
    let min = [line(grid.base_x), 0.0, line(grid.base_z)];
    let max = [line(grid.base_x + grid.width as i32), prepared.height, line(grid.base_z + grid.depth as i32)];
    let mut heightfield = cpp::RcHeightfield::new();
    let (width, depth) = (grid.width as i32, grid.depth as i32);
    let (cell_size, cell_height) = (grid.cell_size, grid.cell_height);
    cpp::rc_create_heightfield(context, &mut heightfield, width, depth, &min, &max, cell_size, cell_height)
        .unwrap();
    let climb = config.walkable_climb;
    for column in 0..grid.columns() {
        let (x, z) = ((column as u32 % grid.width) as i32, (column as u32 / grid.width) as i32);
        for span in spans.column(column) {
            let (min, max, area) = (spans.min[span] as u16, spans.max[span] as u16, spans.area[span].0);
            cpp::rc_add_span(context, &mut heightfield, x, z, min, max, area, climb).unwrap();
        }
    }
    let height = config.walkable_height;
    cpp::rc_filter_low_hanging_walkable_obstacles(context, climb, &mut heightfield);
    cpp::rc_filter_ledge_spans(context, height, climb, &mut heightfield);
    cpp::rc_filter_walkable_low_height_spans(context, height, &mut heightfield);
    let mut field = cpp::RcCompactHeightfield::new();
    cpp::rc_build_compact_heightfield(context, height, climb, &heightfield, &mut field).unwrap();
    cpp::rc_erode_walkable_area(context, config.walkable_radius, &mut field).unwrap();
    field
}

/// Tiles of `size` columns a side that cover a level, each with a border of 5.
fn tiles(prepared: &PreparedLevel, [width, depth]: [u32; 2]) -> Vec<Grid> {
    let solo = TileBuild::solo(prepared).grid;
    let border = 5;
    let tile = |x: u32, z: u32| Grid {
        width: width + 2 * border,
        depth: depth + 2 * border,
        border,
        base_x: (x * width) as i32 - border as i32,
        base_z: (z * depth) as i32 - border as i32,
        ..solo
    };
    let (columns, rows) = (solo.width.div_ceil(width), solo.depth.div_ceil(depth));
    (0..columns).flat_map(|x| (0..rows).map(move |z| tile(x, z))).collect()
}

/// The differences between a layer of ours and the library's. Its bindings expose areas and connections of
/// only the first cells, one per row; they expose all heights.
fn layer_difference(ours: &HeightfieldLayer, theirs: &cpp::RcHeightfieldLayer) -> Option<String> {
    let used = ours.used;
    let bounds = [used.min_x, used.max_x, used.min_z, used.max_z].map(|bound| bound as i32);
    let frame = (ours.grid.width as i32, ours.grid.depth as i32, bounds, ours.min_height, ours.max_height);
    let their_bounds = [theirs.minx, theirs.maxx, theirs.miny, theirs.maxy];
    let their_frame = (theirs.width(), theirs.height(), their_bounds, theirs.hmin, theirs.hmax);
    if frame != their_frame {
        return Some(format!("{frame:?}, theirs {their_frame:?}"));
    }
    for (index, cell) in ours.cells.iter().enumerate() {
        let height = cell.map_or(255, |cell| cell.height);
        if height != u32::from(theirs.heights()[index]) {
            return Some(format!("cell {index}: height {height}, theirs {}", theirs.heights()[index]));
        }
        if let (Some(&area), Some(&packed)) = (theirs.areas().get(index), theirs.cons().get(index)) {
            let (own_area, own_packed) =
                cell.map_or((0, 0), |cell| (cell.area.0, cell.portals.bits() << 4 | cell.connections.bits()));
            if (own_area, own_packed) != (area, packed) {
                return Some(format!(
                    "cell {index}: {own_area}, {own_packed:#x}, theirs {area}, {packed:#x}"
                ));
            }
        }
    }
    None
}

#[test]
fn heightfield_layers_are_the_librarys() {
    for (name, level) in levels() {
        let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
        let (mut same, mut layers, mut refused) = (0, 0, 0);
        let mut grids = vec![TileBuild::solo(&prepared).grid];
        // Narrow tiles show half of their areas and connections, and more of other neighbourhoods.
        for size in [[64, 64], [32, 32], [2, 200], [1, 200]] {
            grids.extend(tiles(&prepared, size));
        }
        for grid in grids {
            let mut context = cpp::RcContext::new(false);
            let field = their_field(&mut context, &prepared, &grid);
            let input: CompactField<Eroded> = convert::compact(&field, &grid).unwrap();
            let params = heightfield_layers::Params { max_range: 254 };
            let ours = heightfield_layers::run(&input, &params, &mut Context::new()).unwrap();
            ours.iter().for_each(|layer| layer.check().unwrap());
            let mut theirs = cpp::RcHeightfieldLayerSet::new();
            let (border, height) = (grid.border as i32, input.walkable_height);
            if cpp::rc_build_heightfield_layers(&mut context, &field, border, height, &mut theirs).is_err() {
                // More than 255 regions, or 63 layers over each other.
                refused += 1;
                continue;
            }
            assert_eq!(ours.len(), theirs.nlayers(), "{name}, {grid:?}");
            layers += ours.len();
            for (index, ours) in ours.iter().enumerate() {
                let difference = layer_difference(ours, &theirs.layers()[index]);
                assert_eq!(difference, None, "{name}, layer {index}, {grid:?}");
            }
            same += 1;
        }
        eprintln!("{name}: {layers} layers on {same} grids are the same, {refused} too much for the library");
        assert!(same > 20 * refused && layers > same / 2, "{name}");
    }
}

/// A tile's meshes as the library makes them: its polygon mesh in place, its detail mesh with its corner at
/// zero.
fn their_meshes(
    context: &mut cpp::RcContext,
    prepared: &PreparedLevel,
    grid: &Grid,
) -> (cpp::RcPolyMesh, cpp::RcPolyMeshDetail) {
    let mut field = their_field(context, prepared, grid);
    let config = &prepared.config;
    let (least, merge) = (config.region_min_cells as i32, config.region_merge_cells as i32);
    cpp::rc_build_distance_field(context, &mut field).unwrap();
    cpp::rc_build_regions(context, &mut field, grid.border as i32, least, merge).unwrap();
    let mut contours = cpp::RcContourSet::new();
    let flags = cpp::RcBuildContoursFlags::RC_CONTOUR_TESS_WALL_EDGES;
    let (error, longest) = (config.contour_max_error, config.max_edge_cells);
    cpp::rc_build_contours(context, &field, error, longest, &mut contours, flags).unwrap();
    let mut mesh = cpp::RcPolyMesh::new();
    cpp::rc_build_poly_mesh(context, &contours, 6, &mut mesh).unwrap();
    let corner = std::mem::replace(&mut mesh.bmin, [0.0; 3]);
    let mut detail = cpp::RcPolyMeshDetail::new();
    let (sample, error) = (config.detail_sample_distance, config.detail_max_error);
    cpp::rc_build_poly_mesh_detail(context, &mesh, &field, sample, error, &mut detail).unwrap();
    mesh.bmin = corner;
    (mesh, detail)
}

#[test]
fn merged_meshes_are_the_librarys() {
    for (name, level) in levels() {
        let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
        let [width, _, depth] = prepared.size;
        for grids in [
            tiles(&prepared, [width.div_ceil(2), depth.div_ceil(2)]),
            tiles(&prepared, [48, 48]),
            // A corner is missing, so that some outer sides lead into a gap of the whole.
            tiles(&prepared, [width.div_ceil(2), depth.div_ceil(2)]).split_off(1),
        ] {
            let mut context = cpp::RcContext::new(false);
            let theirs: Vec<_> =
                grids.iter().map(|grid| their_meshes(&mut context, &prepared, grid)).collect();
            let input: Vec<(PolyMesh, DetailMesh)> = grids
                .iter()
                .zip(&theirs)
                .map(|(grid, (mesh, detail))| {
                    let detail = convert::detail_mesh(detail, grid.cell_height).unwrap();
                    (convert::poly_mesh(mesh, grid).unwrap(), detail)
                })
                .collect();
            let ours = merge_poly_meshes(&input.iter().map(|(mesh, _)| mesh).collect::<Vec<_>>()).unwrap();
            ours.check().unwrap();
            let mut merged = cpp::RcPolyMesh::new();
            let meshes: Vec<_> = theirs.iter().map(|(mesh, _)| mesh).collect();
            assert!(cpp::rc_merge_poly_meshes(&mut context, &meshes, &mut merged));
            let merged = convert::poly_mesh(&merged, &ours.grid).unwrap();
            assert!(!merged.polygons.is_empty());
            let place = format!("{name}, {} tiles", grids.len());
            assert_eq!(compare::poly_mesh(&ours, &merged), [], "{place}");

            let parts: Vec<_> = input.iter().map(|(mesh, detail)| (mesh, detail)).collect();
            let mut ours_detail = merge_detail_meshes(&parts).unwrap();
            ours_detail.check(&ours).unwrap();
            let details: Vec<_> = theirs.iter().map(|(_, detail)| detail).collect();
            let mut merged = cpp::RcPolyMeshDetail::new();
            assert!(cpp::rc_merge_poly_mesh_details(&mut context, &details, &mut merged));
            let merged = convert::detail_mesh(&merged, ours.grid.cell_height).unwrap();
            // In theirs, each tile's corner is at zero: only positions along x and z may differ.
            for (ours, theirs) in ours_detail.vertices.iter_mut().zip(&merged.vertices) {
                (ours[0], ours[2]) = (theirs[0], theirs[2]);
            }
            assert_eq!(compare::detail_mesh(&ours_detail, &merged), [], "{place}");
            eprintln!("{place}: {} polygons are the same", ours.polygons.len());
        }
    }
}
