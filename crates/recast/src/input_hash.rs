//! Digest of everything that a tile is baked from: equal digests mean equal tiles. It must not contain
//! anything that cannot change a tile, or a moved box would rebuild tiles that it does not reach.

use crate::data::Grid;
use crate::input::PreparedLevel;
use crate::settings::{AreaDefinition, Config, SETTINGS, Used, Value};
use crate::tile_build::TileBuild;
use crate::volume::Footprint;
use navmath::sort::SharedSort;
use navmath::{Digest, Hasher};
use navtile::layout::TILE_VERSION;

/// Version of the bake, raised with every change that makes other bytes from the same input, so that tiles of
/// older bakes are not reused.
pub const BAKE_VERSION: u32 = 10;
/// Raised when the links that profiles ask for change. Bakes without profiles keep their digests.
const LINKS_VERSION: u32 = 3;

/// The digest of one tile. `ids` are the triangles that may reach it; `None` means all of them.
pub fn of_tile(level: &PreparedLevel, ids: Option<&[u32]>, build: &TileBuild) -> Digest {
    let grid = &build.grid;
    let mut hasher = Hasher::new();
    hasher.write_u32s(&[BAKE_VERSION, TILE_VERSION]);
    let coord = build.coord;
    hasher.write_i32s(&[coord.x, coord.z, coord.layer]);
    grid.write(&mut hasher);
    let lattice = &level.lattice;
    hasher.write_f64s(&lattice.origin).write_f64s(&[lattice.cell_size, lattice.cell_height]);
    write_config(&mut hasher, &level.config);
    // The level ends at its bounds. If they are beyond the tile, their position does not matter.
    let end =
        |size: u32, base: i32, count: u32| (i64::from(size) - i64::from(base)).clamp(0, i64::from(count));
    let ends = [end(level.size[0], grid.base_x, grid.width), end(level.size[2], grid.base_z, grid.depth)];
    hasher.write_u64s(&ends.map(|end| end as u64));
    write_triangles(&mut hasher, level, ids, grid);
    write_marks(&mut hasher, level, grid);
    hasher.finish()
}

/// The digest of all settings that shape tiles: the agent, regions, contours, volumes, connections, areas.
/// Equal digests and equal geometry on the same lattice mean equal tiles.
pub fn settings_digest(level: &PreparedLevel) -> Digest {
    let mut hasher = Hasher::new();
    let settings = &level.config.settings;
    hasher.write_u32s(&[BAKE_VERSION, TILE_VERSION]);
    write_config(&mut hasher, &level.config);
    settings.volumes.iter().for_each(|volume| volume.write(&mut hasher));
    hasher.write_u8s(b"connections");
    settings.off_mesh_connections.iter().for_each(|connection| connection.write(&mut hasher));
    hasher.finish()
}

fn write_config(hasher: &mut Hasher, config: &Config) {
    let settings = &config.settings;
    for setting in SETTINGS.iter().filter(|setting| setting.shapes_tiles) {
        hasher.write_u8s(setting.path.as_bytes());
        match setting.used(settings) {
            // Two values that round to the same cells make the same tile.
            Some(Used { cells: Some(cells), .. }) => hasher.write_f64s(&[cells]),
            Some(Used { value: Value::Number(number), .. }) => hasher.write_f64s(&[number]),
            Some(Used { value, .. }) => hasher.write_u8s(value.to_string().as_bytes()),
            None => hasher.write_u8s(b"none"),
        };
    }
    // The tile's header states the agent as it was given.
    hasher.write_f64s(&[
        settings.agent_radius,
        settings.agent_height,
        settings.agent_climb,
        settings.agent_slope,
    ]);
    // Tiles hold the flags of areas; names and costs are in the file's metadata.
    let own = |area: &AreaDefinition| [u32::from(area.id.0), area.flags, area.priority as u32];
    let mut areas: Vec<[u32; 3]> = settings.areas.iter().map(own).collect();
    areas.shared_sort();
    hasher.write_u32s(areas.as_flattened());
    if !settings.links.is_empty() {
        hasher.write_u32s(&[LINKS_VERSION]);
    }
    settings.links.iter().for_each(|profile| profile.write(hasher));
}

/// The triangles that reach the grid, as a set.
fn write_triangles(hasher: &mut Hasher, level: &PreparedLevel, ids: Option<&[u32]>, grid: &Grid) {
    let mut rows: Vec<[u32; 10]> = Vec::new();
    let mut highest = 0.0f32;
    let mut take = |triangle: usize| {
        let corners = level.corners(triangle);
        if reaches(level, &corners, grid) {
            highest = corners.iter().fold(highest, |high, corner| high.max(corner[1]));
            rows.push(level.row(triangle));
        }
    };
    match ids {
        Some(ids) => ids.iter().for_each(|&id| take(id as usize)),
        None => (0..level.triangle_count()).for_each(&mut take),
    }
    // A level in one piece has all of its triangles here.
    rows.sort_unstable();
    hasher.write_u32s(rows.as_flattened());
    // Bounds cut off everything higher. If nothing is higher, their height does not matter.
    let height = if highest > level.height { level.height } else { f32::INFINITY };
    hasher.write_f32s(&[height]);
}

/// Returns true if a triangle's box, widened by a cell for rounding, meets the grid. Triangles are assigned
/// to tiles by the same test.
pub fn reaches(level: &PreparedLevel, corners: &[[f32; 3]; 3], grid: &Grid) -> bool {
    let meets = |axis: usize, base: i32, count: u32| {
        let values = corners.map(|corner| f64::from(corner[axis]) / level.lattice.cell_size);
        let low = values[0].min(values[1]).min(values[2]).floor() as i64 - 1;
        let high = values[0].max(values[1]).max(values[2]).floor() as i64 + 1;
        high >= i64::from(base) && low < i64::from(base) + i64::from(count)
    };
    meets(0, grid.base_x, grid.width) && meets(2, grid.base_z, grid.depth)
}

/// Volumes that reach the grid, in their order, and connections with an end over the tile. Ends decide what
/// can be reached, so both count.
fn write_marks(hasher: &mut Hasher, level: &PreparedLevel, grid: &Grid) {
    for volume in &level.config.settings.volumes {
        if Footprint::new(&volume.shape, &level.lattice).reaches(grid) {
            volume.write(hasher);
        }
    }
    hasher.write_u8s(b"connections");
    let border = i64::from(grid.border);
    let over = |place: [f64; 3]| {
        let inside = |axis: usize, base: i32, count: u32| {
            let cell = ((place[axis] - level.lattice.origin[axis]) / level.lattice.cell_size).floor() as i64;
            // A cell for rounding on either side.
            let first = i64::from(base) + border;
            (first - 1..=first + i64::from(count) - 2 * border).contains(&cell)
        };
        inside(0, grid.base_x, grid.width) && inside(2, grid.base_z, grid.depth)
    };
    for connection in &level.config.settings.off_mesh_connections {
        if over(connection.start) || over(connection.end) {
            connection.write(hasher);
        }
    }
}
