//! Caches made from scenes: layers cut by recast, as Detour's tools cut them.

use navinterop::mset::NavMeshParams;
use navinterop::tset::{CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use navlayers::heightfield_layers::{self, HeightfieldLayer, JoinParams, Params, join};
use navscenes::Scene;
use navtile::{Tile, TileCoord};
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, Grid};
use recast::{
    Context, PreparedLevel, Scratch, Settings, Silent, StageResults, TileBuild, bake_field, bake_tapped,
};

/// A scene as a cache, and as tiles baked from the fields that its layers were cut from.
pub(crate) struct Made {
    pub(crate) set: LayerSet,
    pub(crate) tiles: Vec<Tile>,
    /// Tiles with floors that their layers keep at another height: along a portal the lower floor gets the
    /// height of the higher.
    pub(crate) raised: Vec<TileCoord>,
}

/// Cuts a scene into tiles of `side` cells, and these into layers.
pub(crate) fn cache_of(scene: &Scene, side: u32) -> Made {
    let mut settings = (scene.settings)();
    settings.off_mesh_connections.clear();
    let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
    let params = params_of(&level, side);
    let mut layers = Vec::new();
    let (mut tiles, mut raised) = (Vec::new(), Vec::new());
    let plain = level.with_settings(&as_imported(&settings, &params)).unwrap();
    for x in 0..level.size[0].div_ceil(side) as i32 {
        for z in 0..level.size[2].div_ceil(side) as i32 {
            let coord = TileCoord { x, z, layer: 0 };
            let field = field_of(&level, side, coord);
            let cut =
                heightfield_layers::run(&field, &Params { max_range: 254 }, &mut Context::new()).unwrap();
            if floors(&field) != floors(&join(&field.grid, &cut, &JoinParams::from(&level.config)).field) {
                raised.push(coord);
            }
            for (layer, number) in cut.iter().zip(0..) {
                let layer_ref = layers.len() as u32 + 1;
                let layer = stored(layer, TileCoord { layer: number, ..coord }, &params);
                layers.push(CachedLayer { layer_ref, layer });
            }
            let baked = bake_field(&plain, coord, field, &Silent, &mut Scratch::new()).unwrap();
            tiles.extend(Some(baked.tile).filter(|tile| !tile.polygons().is_empty()));
        }
    }
    let mesh_params = NavMeshParams { origin: params.origin, ..NavMeshParams::default() };
    Made { set: LayerSet { mesh_params, cache_params: params, layers, ..LayerSet::default() }, tiles, raised }
}

/// The floors of a tile's own columns, and their areas.
fn floors(field: &CompactField<Eroded>) -> Vec<Vec<(i32, u8)>> {
    let Grid { border, width, depth, .. } = field.grid;
    let columns = (border..depth - border).flat_map(|z| (border..width - border).map(move |x| [x, z]));
    let floor = |span: usize| field.area[span].is_walkable().then(|| (field.floor[span], field.area[span].0));
    columns.map(|[x, z]| field.column(field.grid.column(x, z)).filter_map(floor).collect()).collect()
}

fn params_of(level: &PreparedLevel, side: u32) -> CacheParams {
    let settings = &level.config.settings;
    CacheParams {
        origin: level.lattice.origin.map(|metres| metres as f32),
        cell_size: settings.cell_size as f32,
        cell_height: settings.cell_height as f32,
        width: side,
        height: side,
        walkable_height: settings.agent_height as f32,
        walkable_radius: settings.agent_radius as f32,
        walkable_climb: settings.agent_climb as f32,
        max_simplification_error: 1.3,
        max_tiles: 1024,
        max_obstacles: 128,
    }
}

/// The settings that an import bakes with.
fn as_imported(settings: &Settings, params: &CacheParams) -> Settings {
    Settings {
        partition: recast::Partition::Layers,
        region_min_area: Some(0.0),
        region_merge_area: None,
        max_edge_length: 0.0,
        contour_max_error: Some(f64::from(params.max_simplification_error) * settings.cell_size),
        detail_sample_distance: None,
        detail_max_error: None,
        max_vertices: Settings::default().max_vertices,
        ..settings.clone()
    }
}

fn field_of(level: &PreparedLevel, side: u32, coord: TileCoord) -> CompactField<Eroded> {
    let build = TileBuild::tiled(level, side, coord).unwrap();
    let mut results = StageResults::default();
    bake_tapped(level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result)).unwrap();
    results.marked.unwrap()
}

/// A layer as Detour stores it.
fn stored(layer: &HeightfieldLayer, coord: TileCoord, params: &CacheParams) -> StoredLayer {
    let grid = &layer.grid;
    let corner = |cells: [i32; 3]| {
        let size = [params.cell_size, params.cell_height, params.cell_size];
        std::array::from_fn(|axis| params.origin[axis] + cells[axis] as f32 * size[axis])
    };
    let (width, depth) = (grid.width as i32, grid.depth as i32);
    let byte = |cells: u32| u8::try_from(cells).unwrap();
    let header = LayerHeader {
        x: coord.x,
        y: coord.z,
        layer: coord.layer,
        bounds_min: corner([grid.base_x, layer.min_height, grid.base_z]),
        bounds_max: corner([grid.base_x + width, layer.max_height, grid.base_z + depth]),
        lowest: layer.min_height as u16,
        highest: layer.max_height as u16,
        width: byte(grid.width),
        height: byte(grid.depth),
        used: [layer.used.min_x, layer.used.max_x, layer.used.min_z, layer.used.max_z].map(byte),
    };
    let mut cells = LayerCells::default();
    for cell in &layer.cells {
        let steps = cell.map_or(0, |cell| cell.portals.bits() << 4 | cell.connections.bits());
        cells.heights.push(cell.map_or(255, |cell| byte(cell.height)));
        cells.areas.push(cell.map_or(0, |cell| cell.area.0));
        cells.connections.push(steps);
    }
    StoredLayer::new(header, &cells).unwrap()
}
