//! The keys of a settings file: where each stands, what it holds, and where it goes.

use crate::pattern::NameKind;
use recast::Settings;

/// A key that holds one value.
pub(super) struct Key {
    /// Table, empty for the top of the file.
    pub(super) table: &'static str,
    /// Name within the table.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// What a key holds, and where it goes.
pub(super) enum Kind {
    /// A number: integer or float.
    Number(fn(&mut Settings, f64)),
    /// A whole number of 0..=u32::MAX.
    Count(fn(&mut Settings, u32)),
    /// A whole number of 0..=i64::MAX.
    Bytes(fn(&mut Settings, u64)),
    /// `true` or `false`.
    Switch(fn(&mut Settings, bool)),
    /// The name of a partition.
    Partition,
    /// Two corners.
    Bounds,
    /// How wide tiles are.
    TileSize,
    /// The point that kept polygons can be reached from.
    ReachableFrom,
    /// The axis that points upwards.
    Up,
    /// Metres of a unit.
    Scale,
    /// Names of what is baked, or is not.
    Filter(NameKind),
}

impl Key {
    /// The name that messages use: `agent.radius`.
    pub(super) fn path(&self) -> String {
        if self.table.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.table, self.name) }
    }
}

const fn number(table: &'static str, name: &'static str, set: fn(&mut Settings, f64)) -> Key {
    Key { table, name, kind: Kind::Number(set) }
}

const fn filter(name: &'static str, by: NameKind) -> Key {
    Key { table: "input", name, kind: Kind::Filter(by) }
}

/// Tables that hold single values.
pub(super) const TABLES: [&str; 5] = [AGENT, "regions", "contours", "detail", "input"];
/// The agent: a table of single values, or a table that stands several times.
pub(super) const AGENT: &str = "agent";
/// Keys of an agent of several; the first is asked for.
pub(super) const AGENT_KEYS: [&str; 6] = ["name", "radius", "height", "climb", "slope", "region_min_area"];
/// The table that may stand several times.
pub(super) const AREA: &str = "area";
/// Keys of an area; the first two are asked for, the last four name what of the level it is.
pub(super) const AREA_KEYS: [&str; 8] =
    ["id", "name", "flags", "cost", "materials", "groups", "objects", "nodes"];
/// Volumes that mark areas: a table that may stand several times.
pub(super) const VOLUME: &str = "volume";
/// Keys that every volume has.
pub(super) const VOLUME_KEYS: [&str; 2] = ["shape", "area"];
/// Shapes of volumes and the keys that each has besides.
pub(super) const SHAPE_KEYS: [(&str, &[&str]); 5] = [
    ("box", &["min", "max"]),
    ("rotated_box", &["centre", "half_extents", "yaw"]),
    ("prism", &["outline", "bottom", "top", "offset"]),
    ("cylinder", &["base", "radius", "height"]),
    ("capsule", &["a", "b", "radius"]),
];
/// Off-mesh connections: a table that may stand several times.
pub(super) const OFF_MESH: &str = "off_mesh";
/// Keys of an off-mesh connection; the first three are asked for.
pub(super) const OFF_MESH_KEYS: [&str; 7] =
    ["start", "end", "radius", "both_ways", "area", "flags", "user_id"];

/// How maps of polygons lie in the world: a table.
pub(super) const MAP: &str = "map";
/// Its keys.
pub(super) const MAP_KEYS: [&str; 4] = ["x", "y", "height", "spacing"];
/// Layers of maps: a table that may stand several times.
pub(super) const LAYER: &str = "layer";
/// Keys of a layer; all are asked for.
pub(super) const LAYER_KEYS: [&str; 2] = ["number", "height"];

/// Every key but those of maps, layers, several agents, areas, volumes and off-mesh connections.
pub(super) const KEYS: [Key; 31] = [
    number("", "cell_size", |s, v| s.cell_size = v),
    number("", "cell_height", |s, v| s.cell_height = v),
    Key { table: "", name: "partition", kind: Kind::Partition },
    Key { table: "", name: "max_vertices", kind: Kind::Count(|s, v| s.max_vertices = v) },
    Key { table: "", name: "median_filter", kind: Kind::Switch(|s, v| s.median_filter = v) },
    Key { table: "", name: "bounds", kind: Kind::Bounds },
    Key { table: "", name: "memory_bound", kind: Kind::Bytes(|s, v| s.memory_bound = v) },
    number("agent", "radius", |s, v| s.agent_radius = v),
    number("agent", "height", |s, v| s.agent_height = v),
    number("agent", "climb", |s, v| s.agent_climb = v),
    number("agent", "slope", |s, v| s.agent_slope = v),
    number("regions", "min_area", |s, v| s.region_min_area = Some(v)),
    number("regions", "merge_area", |s, v| s.region_merge_area = Some(v)),
    number("contours", "max_edge_length", |s, v| s.max_edge_length = v),
    number("contours", "max_error", |s, v| s.contour_max_error = Some(v)),
    Key { table: "contours", name: "split_walls", kind: Kind::Switch(|s, v| s.split_walls = v) },
    Key { table: "contours", name: "split_areas", kind: Kind::Switch(|s, v| s.split_areas = v) },
    number("detail", "sample_distance", |s, v| s.detail_sample_distance = Some(v)),
    number("detail", "max_error", |s, v| s.detail_max_error = Some(v)),
    Key { table: "", name: "tile_size", kind: Kind::TileSize },
    Key { table: "", name: "reachable_from", kind: Kind::ReachableFrom },
    Key { table: "input", name: "up", kind: Kind::Up },
    Key { table: "input", name: "scale", kind: Kind::Scale },
    filter("include_materials", NameKind::Material),
    filter("include_groups", NameKind::Group),
    filter("include_objects", NameKind::Object),
    filter("include_nodes", NameKind::Node),
    filter("exclude_materials", NameKind::Material),
    filter("exclude_groups", NameKind::Group),
    filter("exclude_objects", NameKind::Object),
    filter("exclude_nodes", NameKind::Node),
];
