//! The table of settings, with one row for each. Everything that reads, checks or shows settings is made from
//! it: settings files, options of the command line, documentation, reports, metadata, and the digest of a
//! tile's input. A new setting is a field of [`Settings`](super::Settings) and a row here.

use super::setting::{Cells, Initial, Kind, Measure, Rounding, Setting, Unit, Value};
use super::{Outlines, Partition};

/// Largest measure in cells that is accepted: larger ones make no sense and cost much.
const MAX_CELLS: f64 = 30_000.0;

const fn cells(measure: Measure, rounding: Rounding) -> Option<Cells> {
    Some(Cells { measure, rounding, min: 0.0, max: MAX_CELLS })
}

/// Regions are counted in 31 bits.
const AREA_CELLS: Option<Cells> =
    Some(Cells { measure: Measure::Area, rounding: Rounding::Up, min: 0.0, max: i32::MAX as f64 });

/// A row with the reader and the writer of a field. The field either always holds a value or may be derived
/// from the cell.
macro_rules! row {
    ($field:ident: $variant:ident, $row:expr) => {
        Setting {
            get: |settings| Some(Value::$variant(settings.$field)),
            set: |settings, value| match value {
                Value::$variant(value) => {
                    settings.$field = value;
                    true
                }
                _ => false,
            },
            ..$row
        }
    };
    (optional $field:ident: $variant:ident, $row:expr) => {
        Setting {
            get: |settings| settings.$field.map(Value::$variant),
            set: |settings, value| match value {
                Value::$variant(value) => {
                    settings.$field = Some(value);
                    true
                }
                _ => false,
            },
            ..$row
        }
    };
}

const fn metres(
    path: &'static str,
    [min, max]: [f64; 2],
    initial: Initial,
    help: &'static str,
    details: &'static str,
) -> Setting {
    let kind = Kind::Number { min, max };
    Setting { unit: Unit::Metres, details, ..Setting::new(path, kind, initial, help) }
}

const fn number(value: f64) -> Initial {
    Initial::Value(Value::Number(value))
}

const fn switch(path: &'static str, on: bool, help: &'static str) -> Setting {
    Setting::new(path, Kind::Switch, Initial::Value(Value::Switch(on)), help)
}

pub(super) const CELL_SIZE: Setting = row!(cell_size: Number, metres(
    "cell_size",
    [0.001, 1000.0],
    Initial::HalfRadius,
    "Width of a cell in x and z",
    "Half to a third of the agent's radius: smaller cells follow walls more closely, but time and memory grow with \
     their square. On the steepest ground, the cells on both sides of a cell must be within agent.climb of each \
     other, so the width is at most climb / (2 tan(slope)), and at least a thirty-second of the radius. With several \
     agents, the smallest width that any of them needs is used; it is 0.3 for a radius of 0 and for a geometry set.",
));
pub(super) const CELL_HEIGHT: Setting = row!(cell_height: Number, metres(
    "cell_height",
    [0.001, 1000.0],
    number(0.2),
    "Height of a cell",
    "Steps and clearances are not resolved more finely than this.",
));
const PARTITION: Setting = Setting {
    get: |settings| Some(Value::Choice(settings.partition.name())),
    set: |settings, value| {
        let known = Partition::NAMES.iter().find(|(name, _)| value == Value::Choice(name));
        known.map(|(_, partition)| settings.partition = *partition).is_some()
    },
    ..Setting::new(
        "partition",
        Kind::Choice(&[
            ("watershed", "slowest, the best polygons, no long slivers"),
            ("monotone", "fast, long thin polygons"),
            ("layers", "fast, good for tiles"),
        ]),
        Initial::Value(Value::Choice("watershed")),
        "Method that cuts the walkable surface into regions",
    )
};
const OUTLINES: Setting = Setting {
    details: "Exact outlines open every doorway that the agent fits through, at any angle, and no others. They need an \
              agent with a radius; cells of half the radius are small enough.",
    get: |settings| Some(Value::Choice(settings.outlines.name())),
    set: |settings, value| {
        let known = Outlines::NAMES.iter().find(|(name, _)| value == Value::Choice(name));
        known.map(|(_, outlines)| settings.outlines = *outlines).is_some()
    },
    ..Setting::new(
        "outlines",
        Kind::Choice(&[
            ("cells", "along the cells, simplified"),
            ("exact", "along walls, ledges and steep ground, at the agent's radius"),
        ]),
        Initial::Value(Value::Choice("cells")),
        "Course of the ground's borders",
    )
};
const MAX_VERTICES: Setting = Setting {
    details: "A higher number gives fewer polygons, but hardly any fewer above 12. Exports to Detour's format cut polygons \
              into pieces of up to 6.",
    get: |settings| Some(Value::Whole(u64::from(settings.max_vertices))),
    set: |settings, value| {
        let Value::Whole(value) = value else { return false };
        u32::try_from(value).map(|value| settings.max_vertices = value).is_ok()
    },
    ..Setting::new(
        "max_vertices",
        Kind::Whole { min: 3, max: 255 },
        Initial::Value(Value::Whole(12)),
        "Most vertices of a polygon",
    )
};
const MEDIAN_FILTER: Setting = row!(median_filter: Switch, Setting {
    details: "Rounds off ragged borders of areas.",
    ..switch("median_filter", false, "Replace each area by the median of its neighbourhood")
});
const BOUNDS: Setting = row!(optional bounds: Box, Setting {
    unit: Unit::Metres,
    shapes_tiles: false,
    ..Setting::new(
        "bounds",
        Kind::Box,
        Initial::Absent("the level's own bounds"),
        "Bake only this part of the world: smallest, then largest corner",
    )
});
const MEMORY_BOUND: Setting = row!(memory_bound: Whole, Setting {
    aliases: &["memory"],
    unit: Unit::Bytes,
    shapes_tiles: false,
    details: "A level that needs more is refused before anything is allocated. The default is 8 GiB.",
    ..Setting::new(
        "memory_bound",
        Kind::Whole { min: 0, max: u64::MAX },
        Initial::Value(Value::Whole(8 << 30)),
        "Memory that a bake may use",
    )
});
pub(super) const AGENT_RADIUS: Setting = row!(agent_radius: Number, Setting {
    rounding_effect: "the mesh keeps that distance from walls, and narrower passages are closed",
    cells: cells(Measure::Width, Rounding::Up),
    ..metres(
        "agent.radius",
        [0.0, 10_000.0],
        number(0.6),
        "Agent radius",
        "The mesh keeps this distance from walls.",
    )
});
pub(super) const AGENT_HEIGHT: Setting = row!(agent_height: Number, Setting {
    rounding_effect: "no mesh is made under ceilings lower than that",
    // With fewer than 3 cells, no clearance could be distinguished from zero.
    cells: Some(Cells { measure: Measure::Height, rounding: Rounding::Up, min: 3.0, max: MAX_CELLS }),
    ..metres(
        "agent.height",
        [0.001, 10_000.0],
        number(2.0),
        "Agent height",
        "There is no mesh under a lower ceiling.",
    )
});
pub(super) const AGENT_CLIMB: Setting = row!(agent_climb: Number, Setting {
    rounding_effect: "higher steps are not climbed",
    cells: cells(Measure::Height, Rounding::Down),
    ..metres(
        "agent.climb",
        [0.0, 10_000.0],
        number(0.9),
        "Highest step the agent climbs",
        "It must be less than the height.",
    )
});
const AGENT_SLOPE: Setting = row!(agent_slope: Number, Setting {
    unit: Unit::Degrees,
    ..metres("agent.slope", [0.0, 89.999], number(45.0), "Steepest slope the agent walks", "")
});
pub(super) const REGIONS_MIN_AREA: Setting = row!(optional region_min_area: Number, Setting {
    rounding_effect: "smaller islands are dropped",
    aliases: &["min-island", "region-min-area"],
    unit: Unit::SquareMetres,
    cells: AREA_CELLS,
    ..metres("regions.min_area", [0.0, 1e9], Initial::Square(8.0), "Smallest island that is kept", "")
});
pub(super) const REGIONS_MERGE_AREA: Setting = row!(optional region_merge_area: Number, Setting {
    rounding_effect: "regions up to that size are merged",
    aliases: &["region-merge-area"],
    unit: Unit::SquareMetres,
    cells: AREA_CELLS,
    ..metres(
        "regions.merge_area",
        [0.0, 1e9],
        Initial::Square(20.0),
        "Regions up to this size are merged into a neighbour where possible",
        "",
    )
});
pub(super) const MAX_EDGE_LENGTH: Setting = row!(max_edge_length: Number, Setting {
    rounding_effect: "edges along walls are split at that length",
    aliases: &["max-edge-length"],
    zero: Some("any"),
    cells: cells(Measure::Width, Rounding::Down),
    ..metres(
        "contours.max_edge_length",
        [0.0, 1e6],
        number(12.0),
        "Longest edge along walls",
        "Shorter edges make rounder polygons.",
    )
});
const SPLIT_WALLS: Setting = row!(split_walls: Switch, Setting {
    aliases: &["split-walls"],
    ..switch("contours.split_walls", true, "Split longer edges along walls")
});
const SPLIT_AREAS: Setting = row!(split_areas: Switch, Setting {
    aliases: &["split-areas"],
    ..switch("contours.split_areas", false, "Split longer edges between areas")
});
pub(super) const CONTOUR_MAX_ERROR: Setting = row!(optional contour_max_error: Number, Setting {
    aliases: &["contour-max-error"],
    cells: Some(Cells { measure: Measure::Width, rounding: Rounding::None, min: 0.0, max: f64::INFINITY }),
    ..metres(
        "contours.max_error",
        [0.0, 1e4],
        Initial::Widths(1.3),
        "Largest distance between an edge and the raw outline",
        "",
    )
});
pub(super) const DETAIL_SAMPLE_DISTANCE: Setting = row!(optional detail_sample_distance: Number, Setting {
    rounding_effect: "there is no detail mesh",
    zero: Some("none"),
    zero_below: 0.9,
    ..metres(
        "detail.sample_distance",
        [0.0, 1e4],
        Initial::WidthsInSingle(6.0),
        "0 for heights from the polygons' corners only",
        "Any other distance gives the same detail mesh: every floor counts. Less than 0.9 of a cell counts as 0.",
    )
});
pub(super) const DETAIL_MAX_ERROR: Setting = row!(optional detail_max_error: Number, metres(
    "detail.max_error",
    [0.0, 1e4],
    Initial::Heights(1.0),
    "Largest height error of the detail mesh",
    "Every floor under a polygon is within this and half a cell of it.",
));

/// Every setting of a bake that is a single value, in the order of a settings file.
pub static SETTINGS: [Setting; 20] = [
    CELL_SIZE,
    CELL_HEIGHT,
    PARTITION,
    OUTLINES,
    MAX_VERTICES,
    MEDIAN_FILTER,
    BOUNDS,
    MEMORY_BOUND,
    AGENT_RADIUS,
    AGENT_HEIGHT,
    AGENT_CLIMB,
    AGENT_SLOPE,
    REGIONS_MIN_AREA,
    REGIONS_MERGE_AREA,
    MAX_EDGE_LENGTH,
    SPLIT_WALLS,
    SPLIT_AREAS,
    CONTOUR_MAX_ERROR,
    DETAIL_SAMPLE_DISTANCE,
    DETAIL_MAX_ERROR,
];

/// The row of a setting by its path.
pub fn find(path: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.path == path)
}
