//! The table of settings, for forms: the meaning of each setting, its range, and its value once it is rounded
//! to cells.

use crate::bake::WebBake;
use crate::convert::{Answer, plain};
use navinput::{HierarchyInput, INPUT_SETTINGS};
use recast::SETTINGS;
use recast::settings::{Initial, Kind, Rounding, Setting, Unit, Value};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    path: &'static str,
    option: String,
    kind: &'static str,
    unit: &'static str,
    min: Option<f64>,
    max: Option<f64>,
    range: Option<String>,
    choices: Vec<[&'static str; 2]>,
    zero: Option<&'static str>,
    initial: String,
    /// The default, if it is a value and does not depend on other settings.
    default: Option<f64>,
    is_rounded: bool,
    help: &'static str,
    details: &'static str,
    effect: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InUse {
    path: &'static str,
    is_given: bool,
    value: Option<f64>,
    words: Option<String>,
    used: Option<String>,
    cells: Option<f64>,
    warning: Option<String>,
}

/// Every setting that is a single value, in the order of a settings file. Those of tables that add something,
/// such as `[hierarchy]`, come last, and have no option.
#[wasm_bindgen(js_name = settingsTable, unchecked_return_type = "SettingRow[]")]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn settings_table() -> Answer<JsValue> {
    let rows: Vec<Row> =
        SETTINGS.iter().map(row).chain(INPUT_SETTINGS.iter().map(row)).chain(hierarchy_rows()).collect();
    plain(&rows)
}

/// A settings file that gives every setting its default, with explanations.
#[wasm_bindgen(js_name = defaultSettings)]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn default_settings() -> String {
    navinput::default_toml()
}

fn row<S>(setting: &Setting<S>) -> Row {
    let (kind, [min, max], names) = match setting.kind {
        Kind::Number { min, max } => ("number", [Some(min), Some(max)], &[][..]),
        Kind::Whole { min, max } => ("whole", [Some(min as f64), Some(max as f64)], &[][..]),
        Kind::Switch => ("switch", [None; 2], &[][..]),
        Kind::Choice(names) => ("choice", [None; 2], names),
        Kind::ChoiceOrNumber(names) => ("choice-or-number", [None; 2], names),
        Kind::Point => ("point", [None; 2], &[][..]),
        Kind::Box => ("box", [None; 2], &[][..]),
    };
    let default = match setting.initial {
        Initial::Value(value) => number(value),
        _ => None,
    };
    Row {
        path: setting.path,
        option: setting.option(),
        kind,
        unit: setting.unit.symbol().trim(),
        min,
        max,
        range: setting.range(),
        choices: names.iter().map(|(name, help)| [*name, *help]).collect(),
        zero: setting.zero,
        initial: setting.initial.to_string(),
        default,
        is_rounded: setting.cells.is_some_and(|cells| cells.rounding != Rounding::None),
        help: setting.help,
        details: setting.details,
        effect: setting.rounding_effect,
    }
}

/// The sizes of a hierarchy.
fn hierarchy_rows() -> [Row; 2] {
    let HierarchyInput { cluster, spacing, .. } = HierarchyInput::default();
    let size = |path, value: f64, help, details| Row {
        path,
        option: String::new(),
        kind: "number",
        unit: Unit::Metres.symbol().trim(),
        min: Some(f64::MIN_POSITIVE),
        max: Some(f64::MAX),
        range: Some("a finite number greater than 0, metres".to_owned()),
        choices: Vec::new(),
        zero: None,
        initial: value.to_string(),
        default: Some(value),
        is_rounded: false,
        help,
        details,
        effect: "",
    };
    [
        size(
            "hierarchy.cluster",
            cluster,
            "Side of the smallest clusters",
            "Rounded to whole tiles, at least one.",
        ),
        size(
            "hierarchy.spacing",
            spacing,
            "Largest distance of two crossings",
            "Of a border between two clusters. Smaller distances make shorter paths and larger files.",
        ),
    ]
}

fn number(value: Value) -> Option<f64> {
    match value {
        Value::Number(value) => Some(value),
        Value::Whole(value) => Some(value as f64),
        Value::Switch(on) => Some(f64::from(u8::from(on))),
        _ => None,
    }
}

#[wasm_bindgen(js_class = LevelBake)]
impl WebBake {
    /// The settings of this bake for the first agent: each as given or derived, and as rounded to cells.
    #[wasm_bindgen(js_name = settingsInUse, unchecked_return_type = "SettingInUse[]")]
    pub fn settings_in_use(&self) -> Answer<JsValue> {
        let Some(level) = self.bake.levels().first() else { return plain(&Vec::<InUse>::new()) };
        let settings = &level.config.settings;
        let of = |setting: &Setting| {
            let (value, used) = (setting.value(settings), setting.used(settings));
            InUse {
                path: setting.path,
                is_given: (setting.get)(settings).is_some(),
                value: value.and_then(number),
                words: value.map(|value| setting.words(value)),
                used: used.map(|used| setting.words(used.value)),
                cells: used.and_then(|used| used.cells),
                warning: setting.rounding_warning(settings),
            }
        };
        plain(&SETTINGS.iter().map(of).collect::<Vec<_>>())
    }
}
