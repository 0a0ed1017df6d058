//! `navtile bench` from outside: the shape of its output, and every wrong call.

use crate::common::{Folder, level, two_floors};
use serde_json::Value;

const QUERIES: [&str; 8] =
    ["circle", "find_path", "nearest", "neighbourhood", "raycast", "slide", "straight_path", "wall_distance"];

fn bench(folder: &Folder, more: &[&str]) -> Value {
    let call = ["bench", "level.obj", "--repeat", "2", "--queries", "50", "--json"];
    folder.run(&[&call, more].concat()).expect(0).json()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_level_is_measured_as_one_tile() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let found = bench(&folder, &[]);
    assert_eq!(folder.names(), ["level.obj"], "nothing is written");
    let stages = keys(&found["stage_ms"]);
    assert!(stages.contains(&"rasterize") && stages.contains(&"emit"), "{stages:?}");
    assert_eq!(stages, keys(&found["stage_spread_ms"]));
    let sum: f64 = found["stage_ms"].as_object().unwrap().values().map(|ms| ms.as_f64().unwrap()).sum();
    assert!(sum > 0.0 && found["total_ms"].as_f64().unwrap() > 0.0, "{found}");
    assert!(found["load_ms"].as_f64().unwrap() > 0.0, "{found}");
    assert_eq!(keys(&found["query_ns"]), QUERIES);
    for ns in found["query_ns"].as_object().unwrap().values() {
        assert!(ns.as_f64().unwrap() > 0.0, "{found}");
    }
    assert_eq!((&found["pairs"], &found["repeat"], &found["threads"]), (&50.into(), &2.into(), &1.into()));
    assert_eq!((&found["tiles"], &found["tile_cells"]), (&1.into(), &0.into()));
    if cfg!(target_os = "linux") {
        assert!(found["peak_bytes"].as_u64().unwrap() > 100_000, "{found}");
    }
}

#[test]
fn it_bakes_what_bake_bakes() {
    let folder = Folder::baked();
    let (found, info) =
        (bench(&folder, &[]), folder.run(&["info", "level.navtile", "--json"]).expect(0).json());
    assert_eq!((&found["polygons"], &found["vertices"]), (&info["polygons"], &info["vertices"]));
    // The file of a bake also has the island graph.
    assert!(found["file_bytes"].as_u64().unwrap() <= folder.read("level.navtile").len() as u64, "{found}");
    let coarse = bench(&folder, &["--cell-size", "0.5"]);
    assert_ne!(found["hash"], coarse["hash"]);
}

#[test]
fn tiles_are_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let runs = ["1", "2"].map(|threads| bench(&folder, &["--tile-size", "3.6", "--threads", threads]));
    assert_eq!(runs[0]["tile_cells"], 12);
    assert!(runs[0]["tiles"].as_u64().unwrap() > 4, "{}", runs[0]);
    for key in ["hash", "answers_hash", "polygons", "tiles", "pairs", "file_bytes"] {
        assert_eq!(runs[0][key], runs[1][key], "{key}");
    }
}

#[test]
fn text_has_every_stage_and_question() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    let text = folder.run(&["bench", "level.obj", "--repeat", "1", "--queries", "20"]).expect(0).stdout;
    for part in ["one tile", "rasterize", "detail_mesh", "total", "load", "20 random connected pairs", "hash"]
    {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    for name in QUERIES {
        assert!(text.contains(name), "no `{name}` in: {text}");
    }
    let at = |stage: &str| text.find(stage).unwrap_or_else(|| panic!("no `{stage}` in: {text}"));
    assert!(
        at("rasterize") < at("erode") && at("erode") < at("regions"),
        "stages stand in their order: {text}"
    );
}

#[test]
fn an_empty_mesh_is_a_no() {
    let folder = Folder::new();
    folder.write("level.obj", "v 0 0 0\nv 0 0 0.4\nv 0.4 0 0.4\nf 1 2 3\n");
    let found = folder.run(&["bench", "level.obj", "--json"]).expect(1).json();
    assert_eq!((&found["polygons"], &found["pairs"]), (&0.into(), &0.into()));
    assert!(keys(&found["query_ns"]).is_empty());
    assert!(folder.run(&["bench", "level.obj"]).expect(1).stdout.contains("no ground"));
}

#[test]
fn wrong_calls_say_what_is_wrong() {
    let folder = Folder::new();
    folder.write("level.obj", level()).write("map.poly", "0 0\n").write("broken.obj", "f 1 2 3\n");
    let agents = "[[agent]]\nname = \"small\"\nradius = 0.3\n[[agent]]\nname = \"large\"\nradius = 1.0\n";
    folder.write("two.toml", agents);
    let cases: [(&[&str], i32, &str); 9] = [
        (&["gone.obj"], 3, "gone.obj: cannot be read"),
        (&["broken.obj"], 3, "broken.obj"),
        (&["map.poly"], 2, "no stages"),
        (&["level.obj", "--repeat", "0"], 2, "--repeat"),
        (&["level.obj", "--threads", "0"], 2, "threads"),
        (&["level.obj", "--queries", "many"], 2, "queries"),
        (&["level.obj", "--cell-size", "-1"], 2, "cell_size"),
        (&["level.obj", "--tile-size", "0.5"], 2, "tile_size"),
        (&["level.obj", "-c", "two.toml"], 2, "--agent"),
    ];
    for (more, status, part) in cases {
        let run = folder.run(&[&["bench"], more].concat()).expect(status);
        run.says(&[part]);
        assert!(run.stdout.is_empty(), "{more:?}: {}", run.stdout);
    }
    let one = ["bench", "level.obj", "-c", "two.toml", "--agent", "small", "--repeat", "1", "--queries", "5"];
    folder.run(&one).expect(0);
}
