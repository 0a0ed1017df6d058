//! docs/settings.md lists every setting, as the table of settings describes it.

use navinput::INPUT_SETTINGS;
use recast::settings::{Cells, Initial, Kind, Measure, Rounding, Setting, Unit};
use recast::{SETTINGS, Settings};
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- Written by `NAVTILE_WRITE_DOCS=1 cargo test -p navtile-cli settings_page`. -->\n";
const END: &str = "<!-- End. -->\n";

fn values<S>(setting: &Setting<S>) -> String {
    let names = |names: &[(&str, &str)]| {
        names.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    match setting.kind {
        Kind::Number { .. } | Kind::Whole { .. } => {
            setting.range().unwrap_or_else(|| setting.unit.name().trim().to_owned())
        }
        Kind::Switch => "`true`, `false`".to_owned(),
        Kind::Choice(choices) => names(choices),
        Kind::ChoiceOrNumber(choices) => format!("{}, or{}", names(choices), setting.unit.name()),
        Kind::Point => "`[x, y, z]`, metres".to_owned(),
        Kind::Box => "`[[x, y, z], [x, y, z]]`, metres".to_owned(),
    }
}

fn rounding<S>(setting: &Setting<S>) -> String {
    let Some(Cells { measure, rounding, min, .. }) = setting.cells else { return String::new() };
    let cells = match measure {
        Measure::Width => "cells",
        Measure::Height => "cells of height",
        Measure::Area => "cells of area",
    };
    let least = if min > 0.0 { format!(", at least {min}") } else { String::new() };
    match rounding {
        Rounding::Up => format!("up to whole {cells}{least}"),
        Rounding::Down => format!("down to whole {cells}{least}"),
        Rounding::None => format!("in {cells}, not rounded"),
    }
}

fn row<S>(table: &mut String, setting: &Setting<S>, option: bool) {
    let initial = match (setting.initial, setting.unit) {
        (Initial::Value(value), Unit::Bytes) => value.to_string(),
        (Initial::Value(value), _) => setting.words(value),
        (other, _) => other.to_string(),
    };
    let names = [setting.option()].into_iter().chain(setting.aliases.iter().map(|alias| (*alias).to_owned()));
    let names: Vec<String> = names.map(|name| format!("`--{name}`")).collect();
    let option = if option { names.join(", ") } else { format!("`--{}`", setting.table_and_key().1) };
    let option = option.replace('_', "-");
    let details = if setting.details.is_empty() { String::new() } else { format!(" {}", setting.details) };
    let (values, rounding) = (values(setting), rounding(setting));
    let (path, help) = (setting.path, setting.help);
    writeln!(table, "| `{path}` | {option} | {values} | {initial} | {rounding} | {help}.{details} |")
        .unwrap();
}

#[test]
fn the_page_of_settings_is_the_table() {
    let mut table = String::from(BEGIN);
    table
        .push_str("| setting | option | values | default | rounded | meaning |\n|---|---|---|---|---|---|\n");
    SETTINGS.iter().for_each(|setting| row(&mut table, setting, true));
    INPUT_SETTINGS.iter().for_each(|setting| row(&mut table, setting, false));
    table.push_str(END);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the table begins");
    let (_, after) = rest.split_once(END).expect("the table ends");
    let wanted = format!("{before}{table}{after}");
    if std::env::var_os("NAVTILE_WRITE_DOCS").is_some() {
        std::fs::write(&path, wanted).unwrap();
    } else {
        assert!(
            page == wanted,
            "docs/settings.md is out of date; the line above the table says how to write it"
        );
    }
    // Every default is in the allowed range.
    let default = Settings::default();
    assert!(SETTINGS.iter().all(|each| each.value(&default).is_none_or(|value| each.allows(value))));
}
