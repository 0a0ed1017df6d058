//! The program `quality` as its users call it: its output and its exit status.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn quality(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quality")).args(arguments).output().unwrap()
}

#[test]
fn a_scene_has_a_table() {
    let output = quality(&["--pairs", "5", "--capsules", "500", "--places", "storeys"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.starts_with("storeys, cell 0.3 x 0.2 m, tiles of 48 cells"), "{table}");
    for line in ["coverage", "conservation", "height", "seams", "paths", "capsules", "complexity"] {
        assert!(table.contains(line), "{line}: {table}");
    }
}

#[test]
fn the_json_is_one_object_a_level_and_the_same_every_time() {
    let [one, two] = [(); 2]
        .map(|()| quality(&["--pairs", "5", "--capsules", "500", "--json", "storeys", "plane"]).stdout);
    assert_eq!(one, two);
    let text = String::from_utf8(one).unwrap();
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[1]["level"], "plane");
    assert_eq!(objects[1]["columns"][2]["values"]["portals_alone"], 0.0);
}

#[test]
fn a_wrong_call_exits_with_2_and_a_missing_level_with_3() {
    let output = quality(&["--bogus"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unexpected argument '--bogus'"));
    for (missing, message) in [("no-such-level.obj", "no-such-level.obj"), ("plain", "the scenes are")] {
        let output = quality(&[missing]);
        assert_eq!(output.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message));
    }
}
