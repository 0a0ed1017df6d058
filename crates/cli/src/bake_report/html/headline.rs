//! The head of the page: input, output and the most important numbers.

use super::figures::{count, counted, duration, square_metres};
use super::markup::Html;
use super::page::Page;
use crate::bake_report::report::BakeReport;
use crate::memory;
use recast::LinkKind;

/// With more input files than this, only their number is given.
const NAMED: usize = 4;

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    html.element("header", &[], |html| {
        html.leaf("h1", &[], &page.title());
        html.paragraph(&origin(page));
        html.raw("\n").element("dl", &[("class", "numbers")], |html| {
            for (name, value, detail, alert) in numbers(page) {
                let class: &[(&str, &str)] = if alert { &[("class", "alert")] } else { &[] };
                html.element("div", class, |html| {
                    html.leaf("dt", &[], name);
                    html.leaf("dd", &[("class", "value")], &value);
                    html.leaf("dd", &[], &detail);
                });
            }
        });
        html.raw("\n").element("nav", &[], |html| {
            for (id, name) in sections(page) {
                html.leaf("a", &[("href", &format!("#{id}"))], name).text(" ");
            }
        });
    });
}

/// Input, output, agent and program.
fn origin(page: &Page<'_>) -> String {
    let levels = page.levels();
    let named = &levels[..levels.len().min(NAMED)];
    let more = match levels.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!(" and {} more", count(more)),
        _ => String::new(),
    };
    let agent =
        page.report.agent.map_or_else(String::new, |name| format!(" \u{b7} agent \u{201c}{name}\u{201d}"));
    format!(
        "{}{more} \u{2192} {}{agent} \u{b7} navtile {}",
        named.join(", "),
        page.output(),
        env!("CARGO_PKG_VERSION")
    )
}

/// Figures: the name, the value, a detail, and true if it needs attention.
fn numbers(page: &Page<'_>) -> Vec<(&'static str, String, String, bool)> {
    let dropped = match page.report.islands.dropped {
        0 => "none dropped".to_owned(),
        dropped => format!("{} dropped as too small", count(dropped)),
    };
    let taken_over = page.tiles.iter().filter(|tile| tile.elapsed.is_none()).count();
    let tiles = match (page.tile_cells(), taken_over) {
        (0, _) => "the level in one".to_owned(),
        (_, 0) => "all baked".to_owned(),
        (_, taken_over) => format!("{} reused", count(taken_over)),
    };
    let notes = match page.report.notes().count() {
        0 => String::new(),
        notes => counted(notes, "note"),
    };
    let memory = page.report.peak_memory.map_or_else(|| "unknown".to_owned(), memory::readable);
    let from = format!("from {}", counted(page.report.counts.triangles, "triangle"));
    let warnings = page.report.warnings().count();
    let threads = format!("on {}", counted(page.report.threads, "thread"));
    let mut numbers = vec![
        ("Walkable area", square_metres(page.area_m2()), "seen from above".to_owned(), false),
        ("Polygons", count(page.polygons()), from, page.polygons() == 0),
        ("Islands", count(page.islands_kept.len()), dropped, false),
        ("Tiles", count(page.tiles.len()), tiles, false),
        ("Warnings", count(warnings), notes, warnings > 0),
        ("Time", duration(page.report.elapsed), threads, false),
        ("File", memory::readable(page.report.bytes), String::new(), false),
        ("Memory", memory, "at most".to_owned(), false),
    ];
    let report = page.report;
    if report.off_mesh_links > 0 {
        // After the islands, which they join.
        numbers.insert(3, ("Off-mesh links", count(report.off_mesh_links), links(report), false));
    }
    numbers
}

/// The links that a bake found, by kind.
fn links(report: &BakeReport<'_>) -> String {
    let found = LinkKind::ALL.iter().zip(report.generated_links).filter(|(_, found)| *found > 0);
    let counts: Vec<String> = found.map(|(kind, found)| counted(found, kind.name())).collect();
    counts.join(", ")
}

/// The sections of the page, with their ids.
fn sections(page: &Page<'_>) -> Vec<(&'static str, &'static str)> {
    let mut sections = vec![("map", "The level"), ("warnings", "Warnings"), ("islands", "Islands")];
    if page.changes.is_some() {
        sections.push(("changes", "Since the previous bake"));
    }
    sections.extend([("tiles", "Tiles"), ("stages", "Time by stage"), ("settings", "Settings")]);
    sections
}
