//! `navtile info`, `navtile path` and `navtile render` from outside.

use crate::common::{Folder, Run, two_floors};
use serde_json::Value;

const FROM: &str = "-4,0,0";
const TO: &str = "4,0,-0.25";

fn path(folder: &Folder, from: &str, to: &str) -> Run {
    folder.run(&["path", "level.navtile", "--from", from, "--to", to, "--json"])
}

#[test]
fn info_shows_what_is_in_a_file() {
    let folder = Folder::baked();
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert_eq!((&info["format_version"], &info["tiles"]), (&1.into(), &1.into()));
    assert_eq!(info["bytes"], folder.read("level.navtile").len());
    assert_eq!((&info["cell_size"], &info["cell_height"]), (&0.3.into(), &0.2.into()));
    assert_eq!((&info["agent"]["radius"], &info["agent"]["slope"]), (&0.6.into(), &45.0.into()));
    assert_eq!((&info["areas"][0]["name"], &info["areas"][0]["id"]), (&"ground".into(), &63.into()));
    let islands = info["islands"].as_array().unwrap();
    assert_eq!(islands.len(), 1, "{info}");
    assert_eq!(
        (&islands[0]["polygons"], &info["areas"][0]["polygons"]),
        (&info["polygons"], &info["polygons"])
    );
    let report = folder.run(&["bake", "level.obj", "--json"]).expect(0).json();
    assert_eq!((&report["polygons"], &report["vertices"]), (&info["polygons"], &info["vertices"]));
    for [min, max] in [0, 2].map(|axis| [0, 1].map(|corner| info["bounds"][corner][axis].as_f64().unwrap())) {
        assert!((-5.0..-4.0).contains(&min) && (4.0..5.0).contains(&max), "{info}");
    }
    let text = folder.run(&["info", "level.navtile"]).expect(0).stdout;
    for part in ["version 1", "agent.radius             0.6 m, 2 cells", "ground", "island"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn islands_are_listed_largest_first() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors().replace("v 8 ", "v 9 "));
    folder.run(&["bake", "level.obj"]).expect(0);
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    let areas: Vec<f64> = info["islands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|island| island["area_m2"].as_f64().unwrap())
        .collect();
    assert!(areas.len() == 2 && areas[0] > areas[1], "{info}");
}

#[test]
fn a_way_leads_around_the_box() {
    let folder = Folder::baked();
    let run = path(&folder, FROM, TO).expect(0);
    let answer = run.json();
    assert_eq!((&answer["status"], &answer["reason"]), (&"complete".into(), &Value::Null));
    let length = answer["length"].as_f64().unwrap();
    assert!((8.0..10.5).contains(&length), "{answer}");
    let points = answer["points"].as_array().unwrap();
    assert!(points.len() >= 3 && answer["polygons"].as_u64().unwrap() >= 2, "{answer}");
    for (point, x) in [(&points[0], -4.0), (&points[points.len() - 1], 4.0)] {
        assert!((point[0].as_f64().unwrap() - x).abs() < 1e-3, "{answer}");
    }
    let text = folder.run(&["path", "level.navtile", "--from", FROM, "--to", TO]).expect(0).stdout;
    assert!(text.contains("complete") && text.contains(" m over "), "{text}");
}

#[test]
fn ends_are_snapped_as_far_as_asked() {
    let folder = Folder::baked();
    let answer = path(&folder, "-4,3,0", TO).expect(0).json();
    let moved = answer["from_moved"].as_f64().unwrap();
    assert!((2.0..3.5).contains(&moved), "{answer}");
    let narrow = ["path", "level.navtile", "--from", "-4,3,0", "--to", TO, "--snap", "0.5,1,0.5", "--json"];
    let answer = folder.run(&narrow).expect(1).json();
    assert_eq!(answer["status"], "not-on-mesh");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("the start (-4, 3, 0)") && reason.contains("the nearest mesh is"), "{reason}");
    assert!(answer["from_moved"].is_null() && answer["to_moved"].is_number(), "{answer}");
    let answer = path(&folder, FROM, "1e30,0,-1e30").expect(1).json();
    assert_eq!((&answer["status"], &answer["length"]), (&"not-on-mesh".into(), &0.0.into()));
    path(&folder, FROM, "1e300,0,0").expect(1);
}

#[test]
fn an_island_apart_is_unreachable() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors()).run(&["bake", "level.obj"]).expect(0);
    let run = path(&folder, "-5,0,0", "5,0,0").expect(1);
    let answer = run.json();
    assert_eq!(answer["status"], "unreachable");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("no path leads to the goal") && reason.contains(" m from it"), "{reason}");
    let end = answer["points"].as_array().unwrap().last().unwrap();
    assert!(end[0].as_f64().unwrap() < -2.0, "{answer}");
    let text = folder.run(&["path", "level.navtile", "--from", "-5,0,0", "--to", "5,0,0"]).expect(1).stdout;
    assert!(text.contains("unreachable") && text.contains("no path leads"), "{text}");
}

#[test]
fn many_ways_are_answered_row_by_row() {
    let folder = Folder::baked();
    folder.write("pairs.csv", "# from, to\n-4,0,0,4,0,0\n\n4, 0, 4, -4, 0, -4\r\n");
    let run = folder.run(&["path", "level.navtile", "--batch", "pairs.csv"]).expect(0);
    let answers: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer["status"] == "complete"), "{answers:?}");
    let rows = "-4,0,0,4,0,0\n-4,0,0,400,0,0\n";
    let run = folder.run_with_input(&["path", "level.navtile", "--batch", "-"], rows).expect(1);
    assert_eq!(run.stdout.lines().count(), 2);
    let single = path(&folder, "-4,0,0", "4,0,0").expect(0).stdout;
    assert_eq!(run.stdout.lines().next(), single.lines().next());
}

#[test]
fn a_malformed_row_is_reported_after_the_answers_before_it() {
    let folder = Folder::baked();
    folder.write("pairs.csv", "-4,0,0,4,0,0\n\n-4,0,0,4,0\n-4,0,0,4,0,0\n");
    let run = folder.run(&["path", "level.navtile", "--batch", "pairs.csv"]).expect(2);
    run.says(&["pairs.csv: line 3: found 5 values, expected 6", "six numbers a row"]);
    assert_eq!(run.stdout.lines().count(), 1);
    let run = folder.run_with_input(&["path", "level.navtile", "--batch", "-"], "1,2,3,4,5,inf").expect(2);
    run.says(&["standard input: line 1: found `inf`"]);
    folder
        .run(&["path", "level.navtile", "--batch", "gone.csv"])
        .expect(3)
        .says(&["gone.csv: cannot be read"]);
}

#[test]
fn areas_of_the_file_are_the_filter() {
    let folder = Folder::baked();
    // Nobody may walk on ground without a flag.
    folder.run(&["bake", "level.obj", "--area", "id=63,name=ground,flags=0"]).expect(0);
    let answer = path(&folder, FROM, TO).expect(1).json();
    assert_eq!(answer["status"], "not-on-mesh");
    assert!(answer["reason"].as_str().unwrap().contains("filter"), "{answer}");
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert_eq!(info["areas"][0]["flags"], 0);
}

#[test]
fn a_picture_shows_a_part_of_the_mesh() {
    let folder = Folder::baked();
    let draw = |name: &str, options: &[&str]| {
        let call = [&["render", "level.navtile", "-o", name], options].concat();
        let printed = folder.run(&call).expect(0).stdout;
        (printed, folder.read(name))
    };
    let (_, all) = draw("all.svg", &[]);
    let (_, outlined) = draw("outlined.svg", &["--outline", "level.obj"]);
    assert!(outlined.len() > all.len() && String::from_utf8(outlined).unwrap().contains("class=\"level\""));
    let (_, none) = draw("none.svg", &["--heights", "50,60"]);
    assert!(String::from_utf8(none).unwrap().contains("no polygon is in this part of it"));
    let (_, same) = draw("same.svg", &["--heights=-100,100"]);
    assert_eq!(same, all);
    let (_, crop) = draw("crop.svg", &["--crop", "4,4,1,1"]);
    assert!(crop != all && crop.len() <= all.len());
    let (_, small) = draw("small.png", &["--size", "320"]);
    assert_eq!(small[16..20], 320u32.to_be_bytes(), "the width in a PNG's header");
    for (options, status, part) in [
        (&["--heights", "3,1"][..], 2, "3 is above 1"),
        (&["--crop", "1,1,1,4"], 2, "two corners that differ"),
        (&["--size", "640"], 2, "the picture is an SVG"),
        (&["-c", "level.toml"], 2, "--outline"),
        (&["--outline", "gone.obj"], 3, "gone.obj"),
    ] {
        let call = [&["render", "level.navtile", "-o", "bad.svg"], options].concat();
        folder.run(&call).expect(status).says(&[part]);
    }
    folder
        .run(&["render", "level.navtile", "-o", "x.png", "--size", "20"])
        .expect(3)
        .says(&["ask for 64 to 16384"]);
}

#[test]
fn pictures_are_drawn() {
    let folder = Folder::baked();
    folder.run(&["render", "level.navtile", "-o", "level.svg"]).expect(0);
    assert!(String::from_utf8(folder.read("level.svg")).unwrap().contains("<svg"));
    folder.run(&["render", "level.navtile", "-o", "level.PNG"]).expect(0);
    assert!(folder.read("level.PNG").starts_with(b"\x89PNG"));
    let call = ["path", "level.navtile", "--from", FROM, "--to", TO, "--picture", "way.svg"];
    folder.run(&call).expect(0);
    assert_ne!(folder.read("way.svg"), folder.read("level.svg"), "the way is on it");
    let far = ["path", "level.navtile", "--from", FROM, "--to", "1e300,0,0", "--picture", "way.svg"];
    folder.run(&far).expect(1);
    assert!(String::from_utf8(folder.read("way.svg")).unwrap().contains("<svg"));
    for (call, status, part) in [
        (&["render", "level.navtile", "-o", "level.gif"][..], 2, "neither .svg nor .png"),
        (&["render", "level.navtile"], 2, "--output"),
        (&["render", "level.navtile", "-o", "level.obj/level.svg"], 3, "it is not a folder"),
        (&["render", "gone.navtile", "-o", "gone.svg"], 3, "gone.navtile: cannot be read"),
    ] {
        folder.run(call).expect(status).says(&[part]);
    }
    let names = ["level.PNG", "level.navtile", "level.obj", "level.svg", "way.svg"];
    assert_eq!(folder.names(), names, "no other file");
}

#[test]
fn files_that_are_not_meshes_are_refused() {
    let folder = Folder::baked();
    let bytes = folder.read("level.navtile");
    let mut changed = bytes.clone();
    let middle = changed.len() - 200;
    changed[middle] ^= 0xFF;
    for content in
        [&b""[..], b"navtile", &bytes[..100], &bytes[..bytes.len() / 2], &bytes[..bytes.len() - 1], &changed]
    {
        folder.write("bad.navtile", content);
        for call in [
            &["info", "bad.navtile"][..],
            &["path", "bad.navtile", "--from", FROM, "--to", TO],
            &["render", "bad.navtile", "-o", "bad.svg"],
        ] {
            let run = folder.run(call).expect(3);
            run.says(&["error: bad.navtile:", "expected", "bake the level again"]);
        }
    }
    folder.run(&["info", "level.obj"]).expect(3).says(&["level.obj: not a valid .navtile file"]);
    folder.run(&["info", "gone.navtile"]).expect(3).says(&["gone.navtile: cannot be read"]);
    assert_eq!(folder.names(), ["bad.navtile", "level.navtile", "level.obj"], "no picture");
}

#[test]
fn calls_that_are_wrong_are_refused() {
    let folder = Folder::new();
    for (call, part) in [
        (&["path", "f", "--from", "1,2"][..], "expected 3 numbers"),
        (&["path", "f", "--from", "1,2,3"], "--to"),
        (&["path", "f", "--from", "1,2,x", "--to", "1,2,3"], "found `x`"),
        (&["path", "f", "--from", "1,2,3", "--to", "1,2,nan"], "finite"),
        (&["path", "f", "--from", "1,2,3", "--batch", "p"], "cannot be used with"),
        (&["path", "f", "--from", "1,2,3", "--to", "1,2,3", "--snap", "1,0,1"], "greater than 0"),
        (&["info"], "<FILE>"),
    ] {
        folder.run(call).expect(2).says(&[part]);
    }
}
