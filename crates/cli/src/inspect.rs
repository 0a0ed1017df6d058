//! Shared by the commands that read files tile by tile: reading, metadata by name, formatting.

use crate::failure::Failure;
use crate::files;
use navdraw::Colour;
use navlevel::meta::settings_of;
use navmath::Digest;
use navtile::{AreaMeta, FileError, Meta, NavFile, SettingsMeta, SharedBytes, Tile, TileCoord};
use rayon::prelude::*;
use recast::{SETTINGS, settings};
use serde_json::{Value, json};
use std::path::Path;

/// A file that has been read, and all its tiles, verified, in the order of its directory.
pub(crate) struct Opened {
    /// Head, metadata, directory.
    pub(crate) file: NavFile<SharedBytes>,
    /// The tiles.
    pub(crate) tiles: Vec<Tile>,
}

/// Reads a file and verifies its tiles.
pub(crate) fn open(path: &Path) -> Result<Opened, Failure> {
    from_bytes(path, files::read_shared(path)?)
}

/// Like [`open`], from the bytes of a file; errors call it `path`.
pub(crate) fn from_bytes(path: &Path, bytes: SharedBytes) -> Result<Opened, Failure> {
    let unusable = |error: FileError| Failure::of(path, error).help(UNUSABLE);
    if is_of_detour(&bytes) {
        let name = path.display();
        return Err(Failure::circumstances(format!(
            "{name}: is a navigation mesh of Detour, not a .navtile file"
        ))
        .help(format!("convert it: navtile import {name} -o {}", path.with_extension("navtile").display())));
    }
    let file = NavFile::open_shared(bytes).map_err(unusable)?;
    // Verifying is most of the work, and no tile depends on another. Of several broken tiles the first is
    // reported.
    let verified: Vec<Result<Tile, _>> =
        (0..file.entries().len()).into_par_iter().filter_map(|row| file.tile_at(row)).collect();
    let tiles = verified.into_iter().collect::<Result<_, _>>().map_err(unusable)?;
    Ok(Opened { file, tiles })
}

/// Returns true if a file begins like Detour's tile sets, tile caches or tiles, in either byte order.
fn is_of_detour(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk();
    matches!(first, Some(b"MSET" | b"TESM" | b"TSET" | b"TEST" | b"DNAV" | b"VAND" | b"MMAP" | b"PAMM"))
}

/// The help for a file that cannot be used.
pub(crate) const UNUSABLE: &str =
    "`navtile verify` lists everything that is wrong with it; or bake the level again";

/// The settings that a file states, by their paths; metres, square metres, degrees.
pub(crate) fn stated(meta: &Meta) -> impl Iterator<Item = (&'static str, Value)> {
    let baked_with = settings_of(meta);
    let json = |value: settings::Value| match value {
        settings::Value::Number(number) => number.into(),
        settings::Value::Whole(number) => number.into(),
        settings::Value::Switch(on) => on.into(),
        settings::Value::Choice(name) => name.into(),
        settings::Value::Point(_) | settings::Value::Box(_) => Value::Null,
    };
    let stated = SETTINGS.iter().filter(|setting| setting.shapes_tiles);
    stated.filter_map(move |setting| Some((setting.path, json((setting.get)(&baked_with)?))))
}

/// All of the metadata by name, sorted by name: settings by their paths, areas by their ids.
pub(crate) fn fields(meta: &Meta) -> Vec<(String, Value)> {
    let SettingsMeta { volumes, off_mesh_connections, marks_digest, reachable_from, .. } = meta.settings;
    let others = [
        ("volumes", volumes.into()),
        ("off_mesh_connections", off_mesh_connections.into()),
        ("marks_digest", Digest(marks_digest).to_string().into()),
        ("reachable_from", json!(reachable_from)),
        ("origin", json!(meta.origin)),
        ("tile_cells", meta.tile_cells.into()),
        ("geometry_digest", Digest(meta.geometry_digest).to_string().into()),
    ];
    let mut fields: Vec<(String, Value)> =
        stated(meta).chain(others).map(|(name, value)| (name.to_owned(), value)).collect();
    for AreaMeta { id, name, flags, cost, colour } in &meta.areas {
        // The cost is a f32, and 0.1 should not become 0.10000000149011612.
        let cost = cost.to_string().parse::<f64>().map_or(Value::Null, Value::from);
        let own = [("name", json!(name)), ("flags", json!(flags)), ("cost", cost)];
        let colour = colour.map(|colour| ("colour", json!(Colour(colour).css())));
        let own = own.into_iter().chain(colour);
        fields.extend(own.map(|(key, value)| (format!("area.{id:03}.{key}"), value)));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    fields
}

/// A tile's coordinate as an array: x, z, layer.
pub(crate) fn coord(coord: TileCoord) -> [i32; 3] {
    [coord.x, coord.z, coord.layer]
}

/// `tile 3, -1` and the layer where it is not 0.
pub(crate) fn tile_name([x, z, layer]: [i32; 3]) -> String {
    if layer == 0 { format!("tile {x}, {z}") } else { format!("tile {x}, {z}, layer {layer}") }
}

/// Tiles by their coordinates, at most this many of them: `(3, 4), (3, 5) and 7 more`.
pub(crate) fn tile_list(coords: &[TileCoord], most: usize) -> String {
    let listed: Vec<String> =
        coords.iter().take(most).map(|coord| format!("({}, {})", coord.x, coord.z)).collect();
    let more = match coords.len().saturating_sub(most) {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    listed.join(", ") + &more
}

/// A world position, to the millimetre.
pub(crate) fn place([x, y, z]: [f64; 3]) -> String {
    format!("{x:.3}, {y:.3}, {z:.3}")
}

/// Names of a tile's sides, by their numbers.
pub(crate) const SIDES: [&str; 4] = ["x_min", "z_max", "x_max", "z_min"];

/// A side by name.
pub(crate) fn side_name(side: u8) -> &'static str {
    SIDES.get(usize::from(side)).copied().unwrap_or("no side")
}

#[cfg(test)]
mod tests {
    use super::*;
    use navtile::AgentMeta;

    #[test]
    fn metadata_is_listed_by_name_and_exactly() {
        let area = AreaMeta { id: 7, name: "a \"b\"".into(), flags: 3, cost: 0.1, colour: None };
        let meta = Meta {
            agent: AgentMeta { radius: 0.1 + 0.2, height: 2.0, climb: 0.9, slope: 45.0 },
            settings: SettingsMeta {
                partition: 1,
                max_vertices: 6,
                region_min_area: 1.0,
                region_merge_area: 2.0,
                max_edge_length: 12.0,
                contour_max_error: 0.4,
                detail_sample_distance: 1.8,
                detail_max_error: 0.2,
                split_walls: true,
                split_areas: false,
                median_filter: false,
                volumes: 0,
                off_mesh_connections: 0,
                marks_digest: [0; 16],
                reachable_from: None,
                outlines: 1,
            },
            origin: [-1.5, 0.0, 1e6],
            cell: [0.3, 0.2],
            tile_cells: 48,
            geometry_digest: [0xAB; 16],
            areas: vec![area],
        };
        let fields = fields(&meta);
        let text = |name: &str| {
            let found = fields.iter().find(|(field, _)| field == name);
            found.unwrap_or_else(|| panic!("no {name} in {fields:?}")).1.to_string()
        };
        assert_eq!(text("agent.radius"), "0.30000000000000004");
        assert_eq!((text("partition"), text("cell_size")), ("\"monotone\"".into(), "0.3".into()));
        assert_eq!(text("outlines"), "\"exact\"");
        assert_eq!((text("origin"), text("reachable_from")), ("[-1.5,0.0,1000000.0]".into(), "null".into()));
        assert_eq!((text("area.007.cost"), text("area.007.flags")), ("0.1".into(), "3".into()));
        assert_eq!(text("area.007.name"), r#""a \"b\"""#);
        assert_eq!(text("geometry_digest"), format!("\"{}\"", "ab".repeat(16)));
        assert!(fields.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(tile_name([1, -2, 0]), "tile 1, -2");
        assert_eq!(tile_name([1, -2, 3]), "tile 1, -2, layer 3");
        assert_eq!((side_name(0), side_name(9)), ("x_min", "no side"));
    }
}
