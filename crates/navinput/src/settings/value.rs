//! Values of the settings that the tables of settings describe.

use crate::tables::{Field, POSITIVE, quoted, range_in_words};
use recast::settings::{Kind, Setting, Value};

/// The value of a setting. Ranges are left to the check of all settings.
pub(super) fn setting_value<S>(setting: &Setting<S>, f: &mut Field<'_, '_>) -> Option<Value> {
    let choices = |names: &[(&'static str, &str)]| -> Vec<(&str, Value)> {
        names.iter().map(|(name, _)| (*name, Value::Choice(name))).collect()
    };
    match setting.kind {
        Kind::Number { .. } => f.any_number().map(Value::Number),
        Kind::Whole { .. } => f.integer("a whole number, not negative").map(Value::Whole),
        Kind::Switch => f.switch().map(Value::Switch),
        Kind::Choice(names) => f.choice(&choices(names)),
        Kind::ChoiceOrNumber(names) => {
            let names = choices(names);
            let expected = quoted(names.iter().map(|(name, _)| *name), ", ");
            let expected = format!("{expected} or {}", range_in_words(POSITIVE, ""));
            match f.value.get_ref().as_str() {
                Some(given) => f.named(given, &names, &expected),
                None => f.number_or(POSITIVE, &expected).map(Value::Number),
            }
        }
        Kind::Point => f.point().map(Value::Point),
        Kind::Box => f
            .array("two corners: [[x, y, z], [x, y, z]]", |corner| {
                corner.any_numbers("three numbers: [x, y, z]")
            })
            .map(Value::Box),
    }
}
