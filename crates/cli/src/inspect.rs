//! Shared by the commands that look at files tile by tile: reading, the metadata by name, spelling.

use crate::failure::Failure;
use crate::files;
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navtile::layout::{OffMeshLink, Polygon};
use navtile::{Meta, NavFile, SharedBytes, Tile, TileCoord};
use recast::Partition;
use serde::Serialize;
use serde_json::Value;
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
    let unusable = |message: String| {
        Failure::circumstances(format!("{}: {message}", path.display()))
            .help("`navtile verify` lists everything that is wrong with it; or bake the level again")
    };
    let file =
        NavFile::open_shared(files::read_shared(path)?).map_err(|error| unusable(error.to_string()))?;
    let tiles = file.tiles().collect::<Result<_, _>>();
    let tiles = tiles.map_err(|error| unusable(error.to_string()))?;
    Ok(Opened { file, tiles })
}

/// Every number and text of the metadata by its dotted name, sorted by name; areas by their ids.
pub(crate) fn fields(meta: &Meta) -> Result<Vec<(String, Value)>, Failure> {
    let mut value = serde_json::to_value(meta)
        .map_err(|error| Failure::circumstances(format!("the metadata as text: {error}")))?;
    if let Some(areas) = value.get_mut("areas") {
        let by_id = meta.areas.iter().zip(areas.as_array().into_iter().flatten());
        let by_id = by_id.map(|(area, value)| {
            let mut value = value.clone();
            // The id is in the name; the cost is a f32, and 0.1 should not become 0.10000000149011612.
            if let Some(fields) = value.as_object_mut() {
                fields.remove("id");
                fields.insert("cost".to_owned(), single(area.cost));
            }
            (format!("{:03}", area.id), value)
        });
        *areas = Value::Object(by_id.collect());
    }
    let mut fields = Vec::new();
    flatten("", value, &mut fields);
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(fields)
}

/// The shortest number that is this one when it is read as f32.
pub(crate) fn single(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn flatten(name: &str, value: Value, fields: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let name = if name.is_empty() { key } else { format!("{name}.{key}") };
                flatten(&name, value, fields);
            }
        }
        Value::Array(bytes) if name.ends_with("digest") => {
            let digits = bytes.iter().map(|byte| format!("{:02x}", byte.as_u64().unwrap_or_default()));
            fields.push((name.to_owned(), Value::String(digits.collect())));
        }
        Value::Array(values) => {
            for (index, value) in values.into_iter().enumerate() {
                flatten(&format!("{name}.{index}"), value, fields);
            }
        }
        value => {
            let partition = value.as_u64().filter(|_| name == "settings.partition");
            let known = partition.and_then(|code| Partition::NAMES.get(usize::try_from(code).ok()?));
            fields.push((name.to_owned(), known.map_or(value, |(name, _)| Value::from(*name))));
        }
    }
}

/// An off-mesh link in world space; metres.
#[derive(Serialize)]
pub(crate) struct WorldLink {
    pub(crate) start: [f64; 3],
    pub(crate) end: [f64; 3],
    pub(crate) radius: f64,
    pub(crate) both_ways: bool,
    pub(crate) area: u8,
    pub(crate) flags: u32,
    pub(crate) user_id: u64,
}

impl WorldLink {
    pub(crate) fn of(tile: &Tile, link: &OffMeshLink) -> WorldLink {
        WorldLink {
            start: tile.to_world(link.start),
            end: tile.to_world(link.end),
            radius: f64::from(link.radius) / f64::from(FIXED_ONE) * tile.lattice().cell_size,
            both_ways: link.direction == 1,
            area: link.area,
            flags: link.flags,
            user_id: link.user_id,
        }
    }
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

/// Area of a tile's polygons seen from above, m²; only those that `include` accepts.
pub(crate) fn area_m2(tile: &Tile, include: impl Fn(&Polygon) -> bool) -> f64 {
    let doubled = |polygon: &Polygon| {
        let corners = tile.polygon_edges(polygon).iter().map(|edge| {
            let [x, _, z] = tile.vertices()[edge.vertex as usize];
            [x, z]
        });
        polygon_area2(corners).unsigned_abs()
    };
    // Exact until it becomes metres.
    let sum: u128 = tile.polygons().iter().filter(|polygon| include(polygon)).map(doubled).sum();
    let unit = tile.lattice().cell_size / f64::from(FIXED_ONE);
    sum as f64 / 2.0 * unit * unit
}

/// A world position, to the millimetre.
pub(crate) fn place([x, y, z]: [f64; 3]) -> String {
    format!("{x:.3}, {y:.3}, {z:.3}")
}

/// `1 tile`, `2 tiles`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
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
    use navtile::{AgentMeta, AreaMeta, SettingsMeta};

    #[test]
    fn metadata_is_listed_by_name_and_exactly() {
        let area = AreaMeta { id: 7, name: "a \"b\"".into(), flags: 3, cost: 0.1 };
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
            },
            origin: [-1.5, 0.0, 1e6],
            cell: [0.3, 0.2],
            tile_cells: 48,
            geometry_digest: [0xAB; 16],
            areas: vec![area],
        };
        let fields = fields(&meta).unwrap();
        let text = |name: &str| {
            let found = fields.iter().find(|(field, _)| field == name);
            found.unwrap_or_else(|| panic!("no {name} in {fields:?}")).1.to_string()
        };
        assert_eq!(text("agent.radius"), "0.30000000000000004");
        assert_eq!((text("settings.partition"), text("cell.0")), ("\"monotone\"".into(), "0.3".into()));
        assert_eq!((text("areas.007.cost"), text("areas.007.flags")), ("0.1".into(), "3".into()));
        assert_eq!(text("areas.007.name"), r#""a \"b\"""#);
        assert_eq!(text("geometry_digest"), format!("\"{}\"", "ab".repeat(16)));
        assert!(fields.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(tile_name([1, -2, 0]), "tile 1, -2");
        assert_eq!(tile_name([1, -2, 3]), "tile 1, -2, layer 3");
        assert_eq!((count(1, "tile"), count(0, "tile")), ("1 tile".into(), "0 tiles".into()));
        assert_eq!((side_name(0), side_name(9)), ("x_min", "no side"));
    }
}
