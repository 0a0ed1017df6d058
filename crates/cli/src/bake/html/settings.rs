//! The settings: as they were given, and what became of them on the grid of cells.

use super::Page;
use super::figures::{count, trimmed};
use super::markup::Html;
use recast::Config;

/// A value that quantising changed by more than this share is marked.
const MARKED: f64 = 0.1;
const NONE: &str = "\u{2013}";

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// As in a settings file.
    name: &'static str,
    given: String,
    cells: String,
    /// What the cells are in the world.
    effective: String,
    /// By how much the value changed, as a share of what was given, if that is worth a mark.
    change: Option<f64>,
}

pub(super) fn write(html: &mut Html, page: &Page<'_>) {
    let rows = rows(page);
    html.section("settings", "Settings", |html| {
        let head = ["Setting", "#Given", "#In cells", "#In effect", "Change"];
        html.table(&head, |table| {
            for row in &rows {
                table.row("", head.len(), |html, column| match column {
                    0 => {
                        html.leaf("code", &[], row.name);
                    }
                    1 => {
                        html.text(&row.given);
                    }
                    2 => {
                        html.text(&row.cells);
                    }
                    3 => {
                        html.text(&row.effective);
                    }
                    _ => {
                        if let Some(change) = row.change {
                            html.leaf("strong", &[("class", "changed")], &signed_percent(change));
                        }
                    }
                });
            }
        });
        if rows.iter().any(|row| row.change.is_some()) {
            let text = "Marked settings are more than 10 % away from what was given, because the bake works in \
                        whole cells. Smaller cells, or values that are whole numbers of cells, bring them closer.";
            html.leaf("p", &[("class", "note")], text);
        }
    });
}

fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { "\u{2212}" } else { "+" };
    format!("{sign}{:.0} %", share.abs() * 100.0)
}

fn rows(page: &Page<'_>) -> Vec<Row> {
    let config = page.config;
    let mut rows = grid_rows(page);
    rows.extend(agent_rows(config));
    rows.extend(region_rows(config));
    rows.extend(outline_rows(config));
    rows.extend(mark_rows(config));
    rows
}

fn grid_rows(page: &Page<'_>) -> Vec<Row> {
    let settings = &page.config.settings;
    let mut rows = vec![
        plain("cell_size", metres(settings.cell_size)),
        plain("cell_height", metres(settings.cell_height)),
    ];
    if page.tile_cells > 0 {
        let side = f64::from(page.tile_cells) * settings.cell_size;
        rows.push(Row { cells: count(page.tile_cells as usize), ..plain("tile side", metres(side)) });
    }
    if let Some([min, max]) = settings.bounds {
        let corner = |corner: [f64; 3]| corner.map(|value| trimmed(value, 3)).join(", ");
        rows.push(plain("bounds", format!("{} to {} m", corner(min), corner(max))));
    }
    rows
}

fn agent_rows(config: &Config) -> Vec<Row> {
    let settings = &config.settings;
    let (size, height) = (settings.cell_size, settings.cell_height);
    vec![
        measured("agent.radius", settings.agent_radius, config.walkable_radius, size),
        measured("agent.height", settings.agent_height, config.walkable_height, height),
        measured("agent.climb", settings.agent_climb, config.walkable_climb, height),
        plain("agent.slope", format!("{}\u{b0}", trimmed(settings.agent_slope, 2))),
    ]
}

fn region_rows(config: &Config) -> Vec<Row> {
    let settings = &config.settings;
    let square = settings.cell_size * settings.cell_size;
    let area = |name, given: Option<f64>, cells: u32| {
        let effective = f64::from(cells) * square;
        let words = |area: f64| format!("{} m\u{b2}", trimmed(area, 3));
        Row {
            name,
            given: given.map_or_else(|| "default".to_owned(), words),
            cells: count(cells as usize),
            effective: words(effective),
            change: given.and_then(|given| change(given, effective)),
        }
    };
    vec![
        plain("partition", settings.partition.name().to_owned()),
        area("regions.min_area", settings.region_min_area, config.region_min_cells),
        area("regions.merge_area", settings.region_merge_area, config.region_merge_cells),
    ]
}

fn outline_rows(config: &Config) -> Vec<Row> {
    let settings = &config.settings;
    let mut edge = measured(
        "contours.max_edge_length",
        settings.max_edge_length,
        config.max_edge_cells,
        settings.cell_size,
    );
    if config.max_edge_cells == 0 {
        edge.effective = "any length".to_owned();
    }
    let error = f64::from(config.contour_max_error);
    let sample = f64::from(config.detail_sample_distance);
    let default = |given: Option<f64>| given.map_or_else(|| "default".to_owned(), metres);
    vec![
        edge,
        Row {
            cells: trimmed(error, 3),
            effective: metres(error * settings.cell_size),
            ..plain("contours.max_error", default(settings.contour_max_error))
        },
        switch("contours.split_walls", settings.split_walls),
        switch("contours.split_areas", settings.split_areas),
        plain("max_vertices", settings.max_vertices.to_string()),
        Row {
            effective: if sample > 0.0 { metres(sample) } else { "no samples".to_owned() },
            change: settings.detail_sample_distance.and_then(|given| change(given, sample)),
            ..plain("detail.sample_distance", default(settings.detail_sample_distance))
        },
        Row {
            effective: metres(f64::from(config.detail_max_error)),
            ..plain("detail.max_error", default(settings.detail_max_error))
        },
    ]
}

fn mark_rows(config: &Config) -> Vec<Row> {
    let settings = &config.settings;
    vec![
        switch("median_filter", settings.median_filter),
        plain("volumes", count(settings.volumes.len())),
        plain("off-mesh connections", count(settings.off_mesh_connections.len())),
    ]
}

fn plain(name: &'static str, given: String) -> Row {
    Row { name, given, cells: NONE.to_owned(), effective: NONE.to_owned(), change: None }
}

fn switch(name: &'static str, on: bool) -> Row {
    plain(name, if on { "on" } else { "off" }.to_owned())
}

/// A length that became a whole number of cells.
fn measured(name: &'static str, given: f64, cells: i32, cell: f64) -> Row {
    let effective = f64::from(cells) * cell;
    Row {
        name,
        given: metres(given),
        cells: cells.to_string(),
        effective: metres(effective),
        change: change(given, effective),
    }
}

/// The change from one value to another as a share of the first, if it is to be marked.
fn change(given: f64, effective: f64) -> Option<f64> {
    let difference = effective - given;
    // A length of a whole number of cells comes back with the noise of a product.
    (difference.abs() > given.abs() * MARKED + 1e-9).then(|| difference / given.abs().max(1e-9))
}

fn metres(value: f64) -> String {
    format!("{} m", trimmed(value, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::Settings;

    #[test]
    fn large_changes_are_marked() {
        let row = |given, cells| measured("agent.radius", given, cells, 0.3);
        assert_eq!(row(0.6, 2).change, None);
        assert_eq!(row(0.55, 2).change, None);
        assert!(row(0.5, 2).change.is_some_and(|change| (change - 0.2).abs() < 1e-9));
        assert_eq!(row(0.0, 0).change, None);
        assert_eq!(signed_percent(-0.254), "\u{2212}25 %");
        assert_eq!(signed_percent(0.2), "+20 %");
    }

    #[test]
    fn what_cells_do_away_with_is_marked() {
        let settings = Settings {
            max_edge_length: 0.2,
            detail_sample_distance: Some(0.2),
            region_min_area: Some(0.01),
            ..Settings::default()
        };
        let config = settings.validate().unwrap();
        let rows: Vec<Row> = outline_rows(&config).into_iter().chain(region_rows(&config)).collect();
        let found = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!(found("contours.max_edge_length").effective, "any length");
        assert_eq!(found("detail.sample_distance").effective, "no samples");
        for name in ["contours.max_edge_length", "detail.sample_distance", "regions.min_area"] {
            assert!(found(name).change.is_some(), "{name}");
        }
        assert_eq!(found("regions.merge_area").given, "default");
    }
}
