//! The commented settings file: every key with its unit, range, default and the reason for it. Keys that are
//! in the table of settings are generated from it.

use super::input::{INPUT_SETTINGS, InputSettings};
use recast::Settings;
use recast::settings::{Initial, Kind, SETTINGS, Setting, Unit, Value};

/// A settings file that explains every key and gives every default. Reading it gives `Settings::default()`.
/// Keys whose default depends on the cell or the level are commented out, with the value they would have.
pub fn default_toml() -> String {
    let mut text = String::new();
    for line in TEMPLATE.lines() {
        match line.strip_prefix("@settings") {
            Some(table) => write_keys(&mut text, table.trim()),
            None => text.extend([line, "\n"]),
        }
    }
    text
}

/// The file, with a line `@settings TABLE` for the keys that the table of settings describes.
const TEMPLATE: &str = include_str!("default.toml");

/// The single values of a table.
fn write_keys(text: &mut String, table: &str) {
    for setting in SETTINGS.iter().filter(|setting| setting.table_and_key().0 == table) {
        write_key(text, setting, setting.value(&Settings::default()));
    }
    for setting in INPUT_SETTINGS.iter().filter(|setting| setting.table_and_key().0 == table) {
        write_key(text, setting, (setting.get)(&InputSettings::default()));
    }
}

/// A key with its explanation; `value` is its default.
fn write_key<S>(text: &mut String, setting: &Setting<S>, value: Option<Value>) {
    let range = setting.range().filter(|_| setting.unit != Unit::Bytes).map(|range| format!(", {range}"));
    let mut comment = format!("{}{}", setting.help, range.unwrap_or_default());
    match setting.kind {
        Kind::Choice(names) if names.iter().all(|(_, meaning)| meaning.is_empty()) => {
            let names: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            comment.push_str(&format!(", {}.", names.join(" or ")));
        }
        Kind::Choice(_) => comment.push(':'),
        Kind::ChoiceOrNumber(_) => comment.push_str(", metres, or one of:"),
        _ => comment.push('.'),
    }
    if !setting.details.is_empty() {
        comment.push_str(&format!(" {}", setting.details));
    }
    if !matches!(setting.initial, Initial::Value(_)) && !comment.ends_with(':') {
        comment.push_str(&format!(" Default: {}.", setting.initial));
    }
    wrap(text, &comment);
    if let Kind::Choice(names) | Kind::ChoiceOrNumber(names) = setting.kind {
        for (name, meaning) in names.iter().filter(|(_, meaning)| !meaning.is_empty()) {
            text.push_str(&format!("#   {:<12} {meaning}\n", format!("\"{name}\"")));
        }
    }
    let key = setting.table_and_key().1;
    match (setting.initial, value) {
        (Initial::Value(_), Some(value)) => text.push_str(&format!("{key} = {value}\n\n")),
        (_, value) => text.push_str(&format!("# {key} = {}\n\n", example(setting.kind, value))),
    }
}

/// An example value for a key without a constant default.
fn example(kind: Kind, value: Option<Value>) -> Value {
    match (kind, value) {
        // Rounded, to remove the noise of a product.
        (_, Some(Value::Number(value))) => Value::Number((value * 1e6).round() / 1e6),
        (Kind::Box, _) => Value::Box([[-10.0, -5.0, -10.0], [10.0, 5.0, 10.0]]),
        (Kind::ChoiceOrNumber([(name, _), ..]), _) => Value::Choice(name),
        _ => Value::Point([0.0; 3]),
    }
}

/// Adds a comment, wrapped to lines of at most this many characters.
fn wrap(text: &mut String, comment: &str) {
    const LONGEST: usize = 119;
    let mut line = String::from("#");
    for word in comment.split(' ') {
        if line.len() + 1 + word.len() > LONGEST {
            text.push_str(&line);
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
