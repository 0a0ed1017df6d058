//! Bakes in tiles: the same bytes for any number of threads and any order of triangles, only changes are
//! baked, and an interrupted bake leaves the old files.

use crate::common::{Folder, add_box};
use navscenes::random::SplitMix64;
use recast::{Level, Settings};
use serde_json::Value;

fn to_obj(level: &Level) -> String {
    navscenes::to_obj(level, &Settings::default())
}

/// Tiles of 24 cells.
const TILES: [&str; 2] = ["--tile-size", "7.2"];

fn bake<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["bake"], arguments, &TILES].concat()
}

/// A folder with the courtyard as `level.obj`.
fn courtyard() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", to_obj(&(navscenes::by_name("courtyard").unwrap().level)()));
    folder
}

/// The courtyard with a crate of 1 m on its ground, at this corner.
fn with_crate(x: f64, z: f64) -> String {
    let mut text = to_obj(&(navscenes::by_name("courtyard").unwrap().level)());
    text.push_str("o crate\n");
    add_box(&mut text, [x, 0.0, z], [x + 1.0, 1.5, z + 1.0]);
    text
}

/// The level in the form of another exporter: triangles in another order, vertices numbered differently.
fn shuffled(level: &Level, seed: u64) -> Level {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..level.vertices.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
    let mut place = vec![0u32; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new as u32;
    }
    let mut triangles: Vec<([u32; 3], recast::AreaId)> = Vec::new();
    for (index, triangle) in level.triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|vertex| place[vertex as usize]);
        let turned = [[a, b, c], [b, c, a], [c, a, b]][(random.next_u64() % 3) as usize];
        triangles.push((turned, level.areas[index]));
    }
    for last in (1..triangles.len()).rev() {
        triangles.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
    Level {
        vertices: order.iter().map(|&old| level.vertices[old]).collect(),
        areas: triangles.iter().map(|(_, area)| *area).collect(),
        triangles: triangles.into_iter().map(|(triangle, _)| triangle).collect(),
    }
}

fn tiles(report: &Value) -> [u64; 4] {
    ["reached", "baked", "taken_over", "written"].map(|key| report["tiles"][key].as_u64().unwrap())
}

#[test]
fn threads_do_not_show() {
    let folder = courtyard();
    for threads in ["1", "2", "8"] {
        folder
            .run(&bake(&["level.obj", "--threads", threads, "-o", &format!("{threads}.navtile")]))
            .expect(0);
    }
    assert!(folder.read("1.navtile") == folder.read("2.navtile"));
    assert!(folder.read("1.navtile") == folder.read("8.navtile"));
    folder.run(&["verify", "1.navtile"]).expect(0);
}

#[test]
fn the_order_of_triangles_and_vertices_does_not_show() {
    let folder = Folder::new();
    for scene in navscenes::all() {
        let level = (scene.level)();
        folder.write("plain.obj", to_obj(&level));
        for tile_size in ["off", "7.2"] {
            folder.run(&["bake", "plain.obj", "--tile-size", tile_size]).expect(0);
            for seed in [1, 2] {
                folder.write("shuffled.obj", to_obj(&shuffled(&level, seed)));
                folder.run(&["bake", "shuffled.obj", "--tile-size", tile_size]).expect(0);
                let same = folder.read("plain.navtile") == folder.read("shuffled.navtile");
                assert!(same, "{} in tiles of {tile_size}, seed {seed}", scene.name);
            }
        }
    }
}

#[test]
fn only_what_changed_is_baked_and_the_file_is_as_if_all_were() {
    let folder = Folder::new();
    folder.write("level.obj", with_crate(2.0, 3.0));
    let first = folder.run(&bake(&["level.obj", "--json"])).expect(0).json();
    let [reached, baked, taken_over, _] = tiles(&first);
    assert_eq!((baked, taken_over), (reached, 0));
    folder.run(&bake(&["level.obj", "--check"])).expect(0);
    let same = folder.run(&bake(&["level.obj", "--changed", "--json"])).expect(0).json();
    assert_eq!(tiles(&same)[1], 0, "nothing changed");

    folder.write("level.obj", with_crate(2.5, 3.0));
    let check = folder.run(&bake(&["level.obj", "--check"])).expect(1);
    assert!(check.stdout.contains("out of date") && check.stdout.contains("changed: ("), "{}", check.stdout);
    let moved =
        folder.run(&bake(&["level.obj", "--changed", "--json", "--report", "page.html"])).expect(0).json();
    let [_, baked, taken_over, written] = tiles(&moved);
    // The crate and the border around tiles reach at most four of them.
    assert_eq!(moved["baked_tiles"].as_array().unwrap().len() as u64, baked);
    assert!((1..=4).contains(&baked) && baked + taken_over >= written, "{moved}");
    let incremental = folder.read("level.navtile");
    folder.run(&bake(&["level.obj", "-o", "full.navtile"])).expect(0);
    assert!(incremental == folder.read("full.navtile"), "as if all had been baked");
    folder.run(&["diff", "level.navtile", "full.navtile"]).expect(0);
    assert!(String::from_utf8(folder.read("page.html")).unwrap().contains("reused"));

    // A volume is part of the tiles that it reaches, and of no other.
    folder.write(
        "mud.toml",
        "[[volume]]\nshape = \"box\"\nmin = [2, -1, 2]\nmax = [4, 3, 4]\narea = \"none\"\n",
    );
    let check = folder.run(&bake(&["level.obj", "-c", "mud.toml", "--check"])).expect(1);
    assert!(check.stdout.contains("changed: ("), "{}", check.stdout);
    let run = folder.run(&bake(&["level.obj", "-c", "mud.toml", "--changed", "--json"])).expect(0);
    assert!(!run.stderr.contains("all tiles"), "{}", run.stderr);
    let [_, baked, taken_over, _] = tiles(&run.json());
    assert!((1..=4).contains(&baked) && taken_over > 0, "{}", run.stdout);
    // A full bake reuses nothing, and its page does not say that it did.
    folder.run(&bake(&["level.obj", "-c", "mud.toml", "--report", "page.html"])).expect(0);
    let page = String::from_utf8(folder.read("page.html")).unwrap();
    assert!(page.contains("Nothing has changed in ") && !page.contains("reused"), "{page}");
    let reachable = ["level.obj", "-c", "mud.toml", "--check", "--reachable-from", "10,0,10"];
    let check = folder.run(&bake(&reachable)).expect(1);
    assert!(check.stdout.contains("the metadata differs: reachable_from"), "{}", check.stdout);

    // Other settings: everything is baked, and the report says so.
    let other = ["level.obj", "--changed", "--json", "--cell-size", "0.3", "--agent-radius", "0.3"];
    let run = folder.run(&bake(&other)).expect(0);
    run.says(&["all tiles are baked again: agent.radius differs"]);
    assert_eq!(tiles(&run.json())[2], 0);
}

#[test]
fn islands_across_tiles_are_judged_again() {
    // A ledge that a bridge connects to the rest. Without the bridge the ledge is too small, and it is tiles
    // away from the change.
    let level = |bridge: bool| {
        let mut text = String::new();
        add_box(&mut text, [0.0, -0.5, 0.0], [30.0, 0.0, 12.0]);
        add_box(&mut text, [0.0, -0.5, 20.0], [30.0, 0.0, 23.5]);
        if bridge {
            add_box(&mut text, [2.0, -0.5, 12.0], [6.0, 0.0, 20.0]);
        }
        // Keeps the corners of the level where they are.
        add_box(&mut text, [0.0, -3.0, 0.0], [30.0, -2.5, 30.0]);
        text
    };
    let folder = Folder::new();
    for (before, after) in [(true, false), (false, true)] {
        folder.write("level.obj", level(before));
        folder.run(&bake(&["level.obj", "--min-island", "100"])).expect(0);
        folder.write("level.obj", level(after));
        let report =
            folder.run(&bake(&["level.obj", "--min-island", "100", "--changed", "--json"])).expect(0).json();
        folder.run(&bake(&["level.obj", "--min-island", "100", "-o", "full.navtile"])).expect(0);
        assert!(folder.read("level.navtile") == folder.read("full.navtile"), "{before} to {after}");
        let [reached, baked, ..] = tiles(&report);
        assert!(baked < reached, "{report}");
    }
}

#[test]
fn what_cannot_be_reached_goes() {
    let folder = courtyard();
    folder.run(&bake(&["level.obj", "-o", "all.navtile"])).expect(0);
    let all = folder.run(&["info", "all.navtile", "--json"]).expect(0).json();
    for size in [&["--tile-size", "off"], &TILES] {
        let call = [&["bake", "level.obj", "--reachable-from", "0,0,6", "--json"], &size[..]].concat();
        let report = folder.run(&call).expect(0).json();
        assert_eq!(report["islands"], 1, "{report}");
        assert!(report["islands_dropped"].as_u64().unwrap() > 0, "{report}");
        folder.run(&["verify", "level.navtile"]).expect(0);
        let before = folder.read("level.navtile");
        let again = folder.run(&[&call[..], &["--changed"]].concat()).expect(0).json();
        assert!(tiles(&again)[1] <= 1, "only the tile that one starts from is looked at again: {again}");
        assert!(folder.read("level.navtile") == before);
    }
    assert_ne!(folder.run(&["info", "level.navtile", "--json"]).json()["polygons"], all["polygons"]);
    folder
        .run(&bake(&["level.obj", "--reachable-from", "0,500,6"]))
        .expect(2)
        .says(&["reachable_from", "no ground within"]);
}

#[test]
fn agents_bake_in_one_run_what_each_bakes_alone() {
    let folder = courtyard();
    let agents =
        "[[agent]]\nname = \"human\"\n[[agent]]\nname = \"mouse\"\nradius = 0.1\nheight = 0.5\nclimb = 0.2\n";
    folder.write("agents.toml", agents);
    let run = folder.run(&bake(&["level.obj", "-c", "agents.toml", "--json"])).expect(0).json();
    assert_eq!(run["agents"][1]["agent"], "mouse");
    assert_eq!(folder.names(), ["agents.toml", "level.human.navtile", "level.mouse.navtile", "level.obj"]);
    for name in ["human", "mouse"] {
        folder
            .run(&bake(&["level.obj", "-c", "agents.toml", "--agent", name, "-o", "alone.navtile"]))
            .expect(0);
        let (alone, shared) = (format!("alone.{name}.navtile"), format!("level.{name}.navtile"));
        assert!(folder.read(&alone) == folder.read(&shared), "{name}");
    }
    folder
        .run(&bake(&["level.obj", "-c", "agents.toml", "--agent", "dog"]))
        .expect(2)
        .says(&["no such agent", "human, mouse"]);
    folder
        .run(&bake(&["level.obj", "-c", "agents.toml", "--agent-radius", "1"]))
        .expect(2)
        .says(&["--agent-radius: the settings have several agents"]);
}

#[test]
fn memory_is_bounded() {
    let folder = courtyard();
    folder.run(&bake(&["level.obj", "--memory", "16500KiB"])).expect(2).says(&[
        "level.obj: memory_bound is 16.1 MiB",
        "cannot hold tile (",
        "choose smaller tiles",
    ]);
    folder.run(&bake(&["level.obj", "--memory", "20MiB", "--threads", "8"])).expect(0);
    let bounded = folder.read("level.navtile");
    folder.run(&bake(&["level.obj"])).expect(0);
    assert!(bounded == folder.read("level.navtile"), "the bound does not show");
    let estimate = folder.run(&bake(&["level.obj", "--estimate", "--json"])).expect(0).json();
    assert_eq!((&estimate["side_cells"], &estimate["fits"]), (&24.into(), &true.into()));
    folder.run(&bake(&["level.obj", "--estimate", "--memory", "16500KiB"])).expect(1);
    folder.run(&bake(&["level.obj", "--memory", "lots"])).expect(2).says(&["expected a number of bytes"]);
}

/// Bakes a level on one thread with and without `--estimate`, for each of some options: the estimated memory
/// is within half of what the bake takes.
#[cfg(target_os = "linux")]
fn is_estimated(level: &Level, settings: &Settings, options: &[[&str; 2]]) {
    let folder = Folder::new();
    folder.write("level.obj", navscenes::to_obj(level, settings));
    for options in options {
        let call = |more: &'static str| {
            let run = [&["bake", "level.obj", "--threads", "1", "--json", more], &options[..]].concat();
            let report = folder.run(&run).expect(0).json();
            assert!(report["total_ms"].as_f64().unwrap() > 0.0);
            report["peak_memory"].as_f64().unwrap()
        };
        let (estimated, taken) = (call("--estimate"), call("--output=out.navtile"));
        assert!((taken / 1.5..taken * 1.5).contains(&estimated), "{options:?}: {estimated} of {taken}");
    }
}

/// Tiles of a larger sample than is baked, one piece of less, and one of more.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_estimated_within_half_of_what_is_taken() {
    let level = navscenes::repeat(&(navscenes::courtyard::SCENE.level)(), 8, 8);
    let options = [
        ["--tile-size=12", "--cell-size=0.25"],
        ["--tile-size=off", "--cell-size=0.4"],
        ["--tile-size=off", "--cell-size=0.18"],
    ];
    is_estimated(&level, &(navscenes::courtyard::SCENE.settings)(), &options);
}

/// A house of many storeys among small plates. Most of the memory is in a few of the pieces; a sample spread
/// over the columns would miss them, or extrapolate them to all pieces.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_an_uneven_level_is_estimated_within_half_of_what_is_taken() {
    for corner in [3.0, 20.0, 62.0] {
        let mut builder = navscenes::build::Builder::new();
        let mut floor = |min: [f64; 2], side: f64, y: f64| {
            builder.floor(navscenes::build::Rect { min, max: min.map(|at| at + side) }, y);
        };
        for at in 0..225 {
            floor([at % 15, at / 15].map(|place| 5.0 * f64::from(place)), 1.0, -2.0);
        }
        (0..30).for_each(|storey| floor([corner; 2], 9.0, 3.0 * f64::from(storey)));
        is_estimated(&builder.finish(), &Settings::default(), &[["--tile-size=off", "--cell-size=0.03"]]);
    }
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let folder = courtyard();
    for (size, part) in [
        ("1", "3 cells of 0.3 m"),
        ("1e9", "expected 8 to 30000"),
        ("-5", "expected auto, off, or"),
        ("x", "expected auto, off, or"),
    ] {
        let argument = format!("--tile-size={size}");
        folder.run(&["bake", "level.obj", &argument]).expect(2).says(&[part]);
    }
    assert_eq!(folder.names(), ["level.obj"]);
}

#[test]
fn events_tell_of_every_tile() {
    let folder = courtyard();
    let run = folder.run(&bake(&["level.obj", "--events", "-"])).expect(0);
    let events: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).count() as u64;
    let done = events.last().unwrap();
    assert_eq!(done["event"], "done");
    assert_eq!(of("tile"), tiles(&done["reports"][0])[1]);
    folder.write("bad.obj", "v 0 0 0\n");
    folder.run(&bake(&["bad.obj", "--events", "log"])).expect(3);
    let log = String::from_utf8(folder.read("log")).unwrap();
    assert!(log.contains("\"event\":\"failed\"") && log.contains("no faces"), "{log}");
}

#[test]
fn several_files_and_folders_are_one_level() {
    let folder = Folder::new();
    let [mut floor, mut wall] = [String::new(), String::from("o wall\n")];
    add_box(&mut floor, [-5.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    add_box(&mut wall, [-5.0, 0.0, -0.5], [5.0, 3.0, 0.5]);
    folder.write("floor.obj", &floor).write("wall.obj", &wall);
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/a.obj", &wall).write("parts/b.obj", &floor).write("parts/readme.txt", "not a level");
    let two = folder.run(&["bake", "floor.obj", "wall.obj", "-o", "two.navtile", "--json"]).expect(0).json();
    assert_eq!(two["islands"], 2);
    folder.run(&["bake", "parts", "-o", "folder.navtile"]).expect(0);
    assert!(folder.read("two.navtile") == folder.read("folder.navtile"));
    folder
        .run(&["bake", "floor.obj", "wall.obj", "--exclude-object", "wall", "-o", "open.navtile"])
        .expect(0);
    folder.run(&["bake", "floor.obj"]).expect(0);
    assert!(folder.read("open.navtile") == folder.read("floor.navtile"));
    folder.run(&["bake", "floor.obj", "wall.obj", "--exclude-object", "wal"]).expect(2).says(&[
        "--exclude-object",
        "wal",
        "the nearest object is \"wall\"",
    ]);
    folder
        .run(&["bake", "wall.obj", "--include-object", "wall", "--exclude-object", "*"])
        .expect(2)
        .says(&["leave nothing to bake"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.run(&["bake", "empty"]).expect(3).says(&["empty: has no level files"]);
}

#[test]
fn levels_are_turned_and_scaled() {
    let folder = Folder::new();
    let (mut upright, mut lying) = (String::new(), String::new());
    add_box(&mut upright, [-5.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    // Z up and in centimetres: (x, y, z) becomes (x, z, -y).
    for line in upright.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        match parts.as_slice() {
            ["v", x, y, z] => {
                let [x, y, z] = [x, y, z].map(|value| value.parse::<f64>().unwrap() * 100.0);
                lying.push_str(&format!("v {x} {} {y}\n", -z));
            }
            _ => lying.push_str(&format!("{line}\n")),
        }
    }
    folder.write("upright.obj", &upright).write("lying.obj", &lying);
    let whole = folder.run(&["bake", "upright.obj", "--json"]).expect(0).json();
    let turned =
        folder.run(&["bake", "lying.obj", "--up", "z", "--scale", "0.01", "--json"]).expect(0).json();
    assert_eq!(whole["walkable_area"], turned["walkable_area"]);
    folder.run(&["bake", "lying.obj", "--scale", "0"]).expect(2).says(&["input.scale is 0"]);
    folder.run(&["bake", "lying.obj", "--up", "x"]).expect(2).says(&["expected one of: y, z"]);
}

/// A glTF of one quad of 10 m, at the places of `nodes`.
fn gltf(nodes: &str, buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "meshes":[{{"name":"quad","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{"uri":"{buffer}","byteLength":60}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[10,0,10]}},
        {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}]}}"#
    )
}

fn quad() -> Vec<u8> {
    let corners = [[0f32, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, 0.0]];
    let mut bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[test]
fn gltf_levels_are_baked_with_their_instances() {
    let folder = Folder::new();
    folder.write("quad.bin", quad());
    let nodes = r#"{"name":"root","children":[1,2]},{"name":"near","mesh":0},
        {"name":"far","mesh":0,"translation":[20,0,0]}"#;
    folder.write("town.gltf", gltf(nodes, "quad.bin"));
    let both = folder.run(&["bake", "town.gltf", "--json"]).expect(0).json();
    assert_eq!((&both["triangles"], &both["islands"]), (&4.into(), &2.into()));
    let one = folder.run(&["bake", "town.gltf", "--exclude-node", "far", "--json"]).expect(0).json();
    assert_eq!((&one["triangles"], &one["islands"]), (&2.into(), &1.into()));
    let mixed = folder.run(&["bake", "town.gltf", "town.gltf", "--scale", "0.5", "--json"]).expect(0).json();
    assert_eq!(mixed["triangles"], 8);
}

#[test]
fn gltf_levels_that_are_bad_are_reported_with_their_place() {
    let folder = Folder::new();
    let one = r#"{"name":"root","mesh":0}"#;
    folder.write("gone.gltf", gltf(one, "gone.bin"));
    folder.run(&["bake", "gone.gltf"]).expect(3).says(&["gone.gltf", "gone.bin", "cannot be read"]);
    folder.write("out.gltf", gltf(one, "../secret.bin"));
    folder.run(&["bake", "out.gltf"]).expect(3).says(&["out.gltf", "../secret.bin"]);
    folder.write("quad.bin", quad());
    folder.write(
        "cycle.gltf",
        gltf(r#"{"name":"a","children":[1]},{"name":"b","mesh":0,"children":[0]}"#, "quad.bin"),
    );
    folder.run(&["bake", "cycle.gltf"]).expect(3).says(&["cycle.gltf", "nodes to form a tree"]);
    folder.write("none.gltf", gltf(r#"{"name":"empty"}"#, "quad.bin"));
    folder.run(&["bake", "none.gltf"]).expect(3).says(&["none.gltf", "triangles"]);
    folder.write("names.toml", "[[area]]\nid = 2\nname = \"mud\"\nmaterials = [\"mudd\"]\n");
    folder.write("town.gltf", gltf(one, "quad.bin"));
    folder.run(&["bake", "town.gltf", "-c", "names.toml"]).expect(2).says(&[
        "names.toml: a name matches nothing in town.gltf",
        "line 4, column 14",
        "mudd",
    ]);
    assert!(!folder.names().iter().any(|name| name.ends_with(".navtile")));
}

#[cfg(unix)]
mod interrupted {
    use super::{TILES, courtyard, to_obj};
    use crate::common::Folder;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    /// A folder with a level of a thousand tiles and more, and a file that was baked from another.
    fn large() -> Folder {
        let folder = courtyard();
        folder.run(&["bake", "level.obj"]).expect(0);
        folder.write("level.obj", to_obj(&navscenes::sine_terrain(240.0, 800)));
        folder
    }

    /// Starts a bake and sends it a signal once a few tiles are done. However long that takes, the bake does
    /// not end before: its events fill the pipe, which is no longer read.
    fn bake_until(folder: &Folder, signal: &str) {
        let call = [&["bake", "level.obj", "--events", "-", "--threads", "1"], &TILES[..]].concat();
        let mut child = folder.command(&call).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let tiles =
            lines.by_ref().filter(|line| line.as_ref().unwrap().contains("\"event\":\"tile\"")).take(3);
        assert_eq!(tiles.count(), 3);
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let waited = (0..600).find_map(|_| {
            std::thread::sleep(Duration::from_millis(100));
            child.try_wait().unwrap()
        });
        if waited.is_none() {
            child.kill().unwrap();
        }
        assert!(waited.is_some_and(|status| !status.success()), "{signal} was not heeded");
    }

    /// Returns true if this process ignores interruptions, and so do its children. A shell starts background
    /// jobs like that.
    fn ignores_interruptions() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 << (2 - 1) != 0
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "a test says what it skips")]
    fn the_old_file_is_whole_and_no_litter_stays() {
        for signal in ["-INT", "-TERM", "-KILL"] {
            if signal == "-INT" && ignores_interruptions() {
                eprintln!("skipped: {signal}, which this process ignores");
                continue;
            }
            let folder = large();
            let before = folder.read("level.navtile");
            bake_until(&folder, signal);
            assert!(folder.read("level.navtile") == before, "{signal}");
            folder.write("level.obj", crate::common::level());
            folder.run(&["bake", "level.obj"]).expect(0);
            assert_eq!(folder.names(), ["level.navtile", "level.obj"], "{signal}");
        }
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_whole() {
        let folder = large();
        let before = folder.read("level.navtile");
        // A limit on the size of files imitates a full disk: for tiles, for the file, for anything.
        for blocks in [1, 40, 90] {
            let script = format!(
                "trap '' XFSZ; ulimit -f {blocks}; exec {} bake level.obj {} {}",
                env!("CARGO_BIN_EXE_navtile"),
                TILES[0],
                TILES[1]
            );
            let output =
                Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
            let report = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(3), "{blocks}: {report}");
            assert!(report.contains("nothing was changed"), "{report}");
            assert!(folder.read("level.navtile") == before, "{blocks}");
            assert_eq!(folder.names(), ["level.navtile", "level.obj"], "{blocks}: no litter");
        }
    }
}
