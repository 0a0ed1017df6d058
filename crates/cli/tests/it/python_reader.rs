//! The reader in Python, docs/reader/navtile_reader.py, which was written from docs/format.md alone, has the
//! same output as the program.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that meets an error has failed, or says it is skipped"
)]

use crate::common::{Folder, Run};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The reader's output for a file in the folder; `None`, with a message, if there is no Python.
fn read(folder: &Folder, name: &str) -> Option<Run> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reader/navtile_reader.py");
    match Command::new("python3").arg("-B").arg(script).arg(folder.path(name)).output() {
        Ok(output) => Some(output.into()),
        Err(error) => {
            println!("skipped: python3 does not start: {error}");
            None
        }
    }
}

/// The courtyard, baked with these arguments into `level.navtile`.
fn courtyard(arguments: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in ["courtyard.obj", "courtyard.toml"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
        folder.write(name, std::fs::read(path).unwrap());
    }
    let bake = ["bake", "courtyard.obj", "-c", "courtyard.toml", "-o", "level.navtile"];
    folder.run(&[&bake[..], arguments].concat()).expect(0);
    folder
}

fn close(a: &Value, b: &Value) -> bool {
    let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

fn assert_agrees(folder: &Folder) -> Option<Value> {
    let report = read(folder, "level.navtile")?.expect(0).json();
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert_eq!(report["tile_count"], info["tiles"]);
    assert_eq!(report["counts"]["polygons"], info["polygons"]);
    assert_eq!(report["counts"]["polygon_vertices"], info["vertices"]);
    assert_eq!(report["meta"]["agent"], info["agent"]);
    assert_eq!(report["meta"]["partition"], info["settings"]["partition"]);
    assert_eq!(report["meta"]["contour_max_error"], info["settings"]["contours_max_error"]);
    assert_eq!(report["meta"]["geometry_digest"], info["geometry_digest"]);
    let areas = info["areas"].as_array().unwrap();
    let mut sum = 0.0;
    for area in areas.iter().filter(|area| area["polygons"] != 0) {
        let rows = report["areas"].as_array().unwrap();
        let row = rows.iter().find(|row| row["id"] == area["id"]).unwrap();
        assert_eq!((&row["name"], &row["polygons"]), (&area["name"], &area["polygons"]));
        assert!(close(&row["walkable_area"], &area["area_m2"]), "{row} {area}");
        sum += area["area_m2"].as_f64().unwrap();
    }
    assert!(close(&report["walkable_area"], &json!(sum)) && sum > 0.0);
    let table = report["meta"]["areas"].as_array().unwrap();
    for (row, area) in table.iter().zip(areas) {
        let fields = |value: &Value| ["id", "name", "flags"].map(|name| value[name].clone());
        assert_eq!(fields(row), fields(area));
        // The program shortens single precision.
        assert_eq!(row["cost"].as_f64().unwrap() as f32, area["cost"].as_f64().unwrap() as f32);
    }
    // Edges by kind, and everything else of tiles, by the text of `dump`.
    let dump = folder.run(&["dump", "level.navtile"]).expect(0).stdout;
    let lines = |start: &str| dump.lines().filter(|line| line.trim_start().starts_with(start)).count();
    assert_eq!(report["counts"]["portals"], lines("portal "));
    assert_eq!(report["tile_count"], lines("tile "));
    Some(report)
}

#[test]
fn the_python_reader_agrees_about_a_file_of_one_tile() {
    let Some(report) = assert_agrees(&courtyard(&[])) else { return };
    assert_eq!((&report["tile_count"], &report["counts"]["portals"]), (&json!(1), &json!(0)));
}

#[test]
fn the_python_reader_agrees_about_a_file_of_many_tiles() {
    let Some(report) = assert_agrees(&courtyard(&["--tile-size", "9.6"])) else { return };
    assert!(
        report["tile_count"].as_u64() > Some(3) && report["counts"]["portals"].as_u64() > Some(8),
        "{report}"
    );
    assert_eq!(report["counts"]["portals"], report["counts"]["portal"]);
}

#[test]
fn the_python_reader_refuses_a_changed_byte() {
    let folder = courtyard(&[]);
    let mut bytes = folder.read("level.navtile");
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    folder.write("level.navtile", bytes);
    let Some(run) = read(&folder, "level.navtile") else { return };
    run.expect(3).says(&["checksum"]);
}
