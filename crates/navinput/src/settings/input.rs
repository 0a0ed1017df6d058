//! Settings of a level's files rather than of the bake: reading, selection of parts, and cutting into tiles.

use crate::pattern::{NameKind, NamePattern};
use recast::input::MAX_GRID_SIDE;
use recast::settings::{Initial, Kind, Setting, Unit, Value};
use recast::{FieldError, PreparedLevel};

/// Settings for reading level files, selecting the parts to bake, and cutting the level into tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSettings {
    /// Width of tiles; `None` if it is not given.
    pub tile_size: Option<TileSize>,
    /// Keep only polygons that can be reached from here, metres; `None` keeps all.
    pub reachable_from: Option<[f64; 3]>,
    /// The axis that points upwards. Default Y.
    pub up: UpAxis,
    /// The sides of triangles that count. Default: as the format defines.
    pub winding: Winding,
    /// The treatment of nodes that the file hides. Default: they are left out.
    pub hidden_nodes: HiddenNodes,
    /// Metres of one unit of the file, finite and greater than 0. Default 1.
    pub scale: f64,
    /// If not empty, only triangles that fit one of these patterns stay.
    pub include: Vec<NamePattern>,
    /// Triangles that fit one of these patterns are removed, even if they are included.
    pub exclude: Vec<NamePattern>,
}

impl Default for InputSettings {
    fn default() -> InputSettings {
        InputSettings {
            tile_size: None,
            reachable_from: None,
            up: UpAxis::Y,
            winding: Winding::Spec,
            hidden_nodes: HiddenNodes::Skip,
            scale: 1.0,
            include: Vec::new(),
            exclude: Vec::new(),
        }
    }
}

/// The axis of a level file that points upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// Y, as in the bake: nothing is turned.
    #[default]
    Y,
    /// Z: (x, y, z) becomes (x, z, -y).
    Z,
}

impl UpAxis {
    /// Both, with their names in settings and on the command line.
    pub const NAMES: [(&'static str, UpAxis); 2] = [("y", UpAxis::Y), ("z", UpAxis::Z)];

    /// The rows of the matrix that turns it upright.
    pub(crate) fn rows(self) -> [[f64; 3]; 3] {
        match self {
            UpAxis::Y => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            UpAxis::Z => [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        }
    }
}

/// The side of a triangle that can be the top of ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Winding {
    /// As the format defines: counter-clockwise seen from above. A node that mirrors its mesh does not turn
    /// it over.
    #[default]
    Spec,
    /// As the file stores it: a node of a glTF that mirrors its mesh turns it over.
    Stored,
    /// Both sides of every triangle.
    Either,
}

impl Winding {
    /// All of them, with their names in settings and on the command line.
    pub const NAMES: [(&'static str, Winding); 3] =
        [("spec", Winding::Spec), ("stored", Winding::Stored), ("either", Winding::Either)];
}

/// The treatment of nodes that a glTF hides (KHR_node_visibility), with everything below them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenNodes {
    /// They are left out, with a warning that counts them.
    #[default]
    Skip,
    /// They are baked like the others.
    Bake,
}

impl HiddenNodes {
    /// Both, with their names in settings and on the command line.
    pub const NAMES: [(&'static str, HiddenNodes); 2] =
        [("skip", HiddenNodes::Skip), ("bake", HiddenNodes::Bake)];
}

/// Width of tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TileSize {
    /// Chosen by the size of the level.
    Auto,
    /// One tile.
    Off,
    /// This many metres, finite and greater than 0.
    Metres(f64),
}

/// With [`TileSize::Auto`] a level with more columns than this is cut into tiles.
const MOST_SOLO_COLUMNS: u64 = 1 << 20;
/// Side of these tiles, cells: large enough that borders cost little, small enough that there are tiles for
/// all cores.
const AUTO_CELLS: u32 = 128;
/// Smaller tiles would be mostly border.
const LEAST_CELLS: u32 = 8;

impl TileSize {
    /// Side of the tiles of a level in cells; 0 for one tile. A size in metres becomes the nearest number of
    /// whole cells.
    ///
    /// # Errors
    /// If a tile would have fewer than 8 cells a side, or more than a grid may have.
    pub fn cells(self, level: &PreparedLevel) -> Result<u32, FieldError> {
        let metres = match self {
            TileSize::Off => return Ok(0),
            TileSize::Auto => {
                let columns = u64::from(level.size[0]) * u64::from(level.size[2]);
                return Ok(if columns > MOST_SOLO_COLUMNS { AUTO_CELLS } else { 0 });
            }
            TileSize::Metres(metres) => metres,
        };
        let cell = level.lattice.cell_size;
        let cells = (metres / cell).round();
        if (f64::from(LEAST_CELLS)..=f64::from(MAX_GRID_SIDE)).contains(&cells) {
            return Ok(cells as u32);
        }
        Err(FieldError {
            field: "tile_size".to_owned(),
            found: format!("{metres} m, which is {cells} cells of {cell} m"),
            expected: format!("{LEAST_CELLS} to {MAX_GRID_SIDE} cells"),
        })
    }
}

impl From<TileSize> for Value {
    fn from(size: TileSize) -> Value {
        match size {
            TileSize::Auto => Value::Choice("auto"),
            TileSize::Off => Value::Choice("off"),
            TileSize::Metres(metres) => Value::Number(metres),
        }
    }
}

/// The name of a choice.
fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], choice: T) -> Option<Value> {
    names.iter().find(|(_, known)| *known == choice).map(|(name, _)| Value::Choice(name))
}

/// Sets the choice that a value names; false if the name is unknown.
fn choose<T: Copy>(names: &[(&'static str, T)], value: &Value, choice: &mut T) -> bool {
    let known = names.iter().find(|(name, _)| *value == Value::Choice(name));
    known.map(|(_, named)| *choice = *named).is_some()
}

/// Every setting of [`InputSettings`] that is a single value, in the order of a settings file.
pub static INPUT_SETTINGS: [Setting<InputSettings>; 6] = [
    Setting {
        unit: Unit::Metres,
        get: |input| input.tile_size.map(Value::from),
        set: |input, value| {
            input.tile_size = Some(match value {
                Value::Choice("auto") => TileSize::Auto,
                Value::Choice("off") => TileSize::Off,
                Value::Number(metres) => TileSize::Metres(metres),
                _ => return false,
            });
            true
        },
        ..Setting::new(
            "tile_size",
            Kind::ChoiceOrNumber(&[
                ("auto", "cuts levels of more than a million columns"),
                ("off", "cuts none"),
            ]),
            Initial::Absent("auto"),
            "Side of a tile",
        )
    },
    Setting {
        unit: Unit::Metres,
        get: |input| input.reachable_from.map(Value::Point),
        set: |input, value| {
            let Value::Point(point) = value else { return false };
            input.reachable_from = Some(point);
            true
        },
        ..Setting::new(
            "reachable_from",
            Kind::Point,
            Initial::Absent("keep all"),
            "Keep only polygons that can be reached from this point",
        )
    },
    Setting {
        details: "With \"z\", (x, y, z) becomes (x, z, -y).",
        get: |input| name_of(&UpAxis::NAMES, input.up),
        set: |input, value| choose(&UpAxis::NAMES, &value, &mut input.up),
        ..Setting::new(
            "input.up",
            Kind::Choice(&[("y", ""), ("z", "")]),
            Initial::Value(Value::Choice("y")),
            "The axis of level files that points upwards",
        )
    },
    Setting {
        get: |input| name_of(&Winding::NAMES, input.winding),
        set: |input, value| choose(&Winding::NAMES, &value, &mut input.winding),
        ..Setting::new(
            "input.winding",
            Kind::Choice(&[
                ("spec", "the side that the format calls the front: counter-clockwise"),
                ("stored", "as \"spec\", but nodes of a glTF that mirror a mesh turn it over"),
                ("either", "both sides of every triangle"),
            ]),
            Initial::Value(Value::Choice("spec")),
            "Which side of a triangle can be ground",
        )
    },
    Setting {
        get: |input| name_of(&HiddenNodes::NAMES, input.hidden_nodes),
        set: |input, value| choose(&HiddenNodes::NAMES, &value, &mut input.hidden_nodes),
        ..Setting::new(
            "input.hidden_nodes",
            Kind::Choice(&[("skip", "leaves them out"), ("bake", "bakes them like the others")]),
            Initial::Value(Value::Choice("skip")),
            "Nodes that a glTF hides (KHR_node_visibility), with everything below them",
        )
    },
    Setting {
        details: "0.01 for a level in centimetres.",
        get: |input| Some(Value::Number(input.scale)),
        set: |input, value| {
            let Value::Number(scale) = value else { return false };
            input.scale = scale;
            true
        },
        ..Setting::new(
            "input.scale",
            Kind::Number { min: f64::MIN_POSITIVE, max: f64::MAX },
            Initial::Value(Value::Number(1.0)),
            "Metres per unit of level files",
        )
    },
];

/// Lists of names in the table `[input]`: the key, the kind of the names, and true if they are included,
/// false if excluded.
pub static INPUT_FILTERS: [(&str, NameKind, bool); 8] = [
    ("include_materials", NameKind::Material, true),
    ("include_groups", NameKind::Group, true),
    ("include_objects", NameKind::Object, true),
    ("include_nodes", NameKind::Node, true),
    ("exclude_materials", NameKind::Material, false),
    ("exclude_groups", NameKind::Group, false),
    ("exclude_objects", NameKind::Object, false),
    ("exclude_nodes", NameKind::Node, false),
];
