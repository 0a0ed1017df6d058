//! The settings: as given, and as the bake uses them on the grid of cells.

use super::figures::{count, fixed};
use super::markup::Html;
use super::page::Page;
use recast::Settings;
use recast::settings::{Initial, SETTINGS, Setting, Value};

const NONE: &str = "\u{2013}";

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
struct SettingRow {
    /// Its path in a settings file.
    name: &'static str,
    given: String,
    cells: String,
    /// The value that the bake uses.
    used: String,
    /// The change from the given value as a fraction of it, if the bake warns of it.
    change: Option<f64>,
}

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    let rows = rows(page);
    html.section("settings", "Settings", |html| {
        html.table(&["Setting", "#Given", "#In cells", "#In effect", "Change"], |table| {
            for row in &rows {
                let (mut name, mut change) = (Html::default(), Html::default());
                name.leaf("code", &[], row.name);
                if let Some(fraction) = row.change {
                    change.leaf("strong", &[("class", "changed")], &signed_percent(fraction));
                }
                let [given, cells, used] =
                    [&row.given, &row.cells, &row.used].map(|text| Html::of_text(text));
                table.row("", &[name, given, cells, used, change]);
            }
        });
        if rows.iter().any(|row| row.change.is_some()) {
            let text = "Marked settings differ by more than 10 % from the given value, because the bake works in \
                        whole cells. Smaller cells, or values that are whole numbers of cells, bring them closer.";
            html.leaf("p", &[("class", "note")], text);
        }
    });
}

fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { "\u{2212}" } else { "+" };
    format!("{sign}{:.0} %", share.abs() * 100.0)
}

fn rows(page: &Page<'_>) -> Vec<SettingRow> {
    let settings = page.settings();
    let mut rows: Vec<SettingRow> = SETTINGS.iter().map(|setting| row(setting, settings)).collect();
    if page.tile_cells() > 0 {
        let side = f64::from(page.tile_cells()) * settings.cell_size;
        let cells = count(page.tile_cells() as usize);
        rows.push(SettingRow { cells, ..plain("tile side", format!("{} m", fixed(side, 3))) });
    }
    rows.push(plain("volumes", count(settings.volumes.len())));
    rows.push(plain("off-mesh connections", count(settings.off_mesh_connections.len())));
    rows
}

fn plain(name: &'static str, given: String) -> SettingRow {
    SettingRow { name, given, cells: NONE.to_owned(), used: NONE.to_owned(), change: None }
}

fn row(setting: &'static Setting, settings: &Settings) -> SettingRow {
    let given = (setting.get)(settings);
    let text = match (given, setting.initial) {
        (Some(value), _) => setting.words(value),
        (None, Initial::Absent(what)) => what.to_owned(),
        (None, _) => "default".to_owned(),
    };
    let Some(used) = setting.used(settings).filter(|used| used.cells.is_some() || given != Some(used.value))
    else {
        return plain(setting.path, text);
    };
    let change = match (given, used.value) {
        (Some(Value::Number(given)), Value::Number(used)) if setting.rounding_warning(settings).is_some() => {
            Some((used - given) / given.abs().max(1e-9))
        }
        _ => None,
    };
    SettingRow {
        name: setting.path,
        given: text,
        cells: used.cells.map_or_else(|| NONE.to_owned(), |cells| fixed(cells, 3)),
        used: setting.words(used.value),
        change,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::settings::find;

    fn row_of(path: &str, settings: &Settings) -> SettingRow {
        row(find(path).unwrap(), settings)
    }

    #[test]
    fn large_changes_are_marked() {
        let radius =
            |agent_radius| row_of("agent.radius", &Settings { agent_radius, ..Settings::default() }).change;
        assert_eq!((radius(0.6), radius(0.55), radius(0.0)), (None, None, None));
        assert!(radius(0.5).is_some_and(|change| (change - 0.2).abs() < 1e-9));
        // The default climb counts as 0.8 m.
        assert_eq!(row_of("agent.climb", &Settings::default()).change, None);
        let low = Settings { agent_climb: 0.5, ..Settings::default() };
        assert!(row_of("agent.climb", &low).change.is_some_and(|change| (change + 0.2).abs() < 1e-9));
        assert_eq!(signed_percent(-0.254), "\u{2212}25 %");
        assert_eq!(signed_percent(0.2), "+20 %");
    }

    #[test]
    fn values_that_cells_reduce_to_nothing_are_marked() {
        let settings = Settings {
            max_edge_length: 0.2,
            detail_sample_distance: Some(0.2),
            region_min_area: Some(0.01),
            ..Settings::default()
        };
        let found = |path: &str| row_of(path, &settings);
        assert_eq!(found("contours.max_edge_length").used, "any");
        assert_eq!(found("detail.sample_distance").used, "none");
        for path in ["contours.max_edge_length", "detail.sample_distance", "regions.min_area"] {
            assert!(found(path).change.is_some(), "{path}");
        }
        let merge = found("regions.merge_area");
        assert_eq!((merge.given.as_str(), merge.cells.as_str()), ("default", "400"));
        assert_eq!(found("cell_size").used, NONE);
    }
}
