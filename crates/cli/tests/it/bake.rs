//! `navtile init` and `navtile bake` from outside: results, reports, and every bad input with its message.

use crate::common::{Folder, level};
use std::path::Path;

#[test]
fn a_level_is_baked_beside_where_it_is_asked() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let run = folder.run(&["bake", "level.obj"]).expect(0);
    assert_eq!(folder.names(), ["level.navtile", "level.obj"]);
    let names: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["mesh", "warnings", "file"], "{}", run.stdout);
    for part in [" m² walkable, 1 island", " polygons", "none", "level.navtile, ", " KiB, in "] {
        assert!(run.stdout.contains(part), "no `{part}` in: {}", run.stdout);
    }
    // Progress is for terminals.
    assert_eq!(run.stderr, "");
}

#[test]
fn a_bake_says_as_much_as_is_asked() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let plain = folder.run(&["bake", "level.obj"]).expect(0);
    let more = folder.run(&["bake", "level.obj", "-v"]).expect(0);
    for part in ["24 triangles", "cells", "spans", "agent.radius", "rasterize", " ms", "at most"] {
        assert!(more.stdout.contains(part), "no `{part}` in: {}", more.stdout);
        assert!(part == " ms" || !plain.stdout.contains(part), "`{part}` in: {}", plain.stdout);
    }
    // The result comes last, where it is seen.
    let last = |text: &str| text.lines().rev().nth(2).unwrap().to_owned();
    assert_eq!(last(&more.stdout), last(&plain.stdout));
    let none = folder.run(&["bake", "level.obj", "-q", "--agent-climb", "0.15"]).expect(0);
    assert_eq!(none.stdout, "");
    none.says(&["warning: agent.climb"]);
    let check = folder.run(&["bake", "level.obj", "-q", "--check"]).expect(1);
    assert_eq!((check.stdout.as_str(), check.stderr.as_str()), ("", ""));
    for pair in [["-q", "-v"], ["-q", "--json"], ["-v", "--json"]] {
        folder.run(&["bake", "level.obj", pair[0], pair[1]]).expect(2).says(&["cannot be used with"]);
    }
    folder.write("two.toml", "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\nradius = 0.4\n");
    let two = folder.run(&["bake", "level.obj", "-c", "two.toml"]).expect(0).stdout;
    let names: Vec<&str> = two.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["agent", "mesh", "warnings", "file", "", "agent", "mesh", "warnings", "file"]);
}

#[test]
fn outlines_simplified_very_far_need_neither_notes_nor_warnings() {
    let folder = Folder::new();
    let terrain =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/terrain.obj").display().to_string();
    for (error, size) in [("1", "15"), ("4", "9"), ("20", "30")] {
        let bake = |more: &str| {
            let run = [
                "bake",
                &terrain,
                "-o",
                "t.navtile",
                "--contour-max-error",
                error,
                "--tile-size",
                size,
                more,
            ];
            folder.run(&run[..if more.is_empty() { 8 } else { 9 }]).expect(0)
        };
        let plain = bake("");
        assert_eq!(plain.stderr, "");
        assert!(plain.stdout.lines().any(|line| line == "warnings   none"), "{}", plain.stdout);
        let report = bake("--json").json();
        assert_eq!((&report["notes"], &report["warnings"]), (&serde_json::json!([]), &serde_json::json!([])));
    }
}

#[test]
fn the_json_report_has_every_key() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let report = folder.run(&["bake", "level.obj", "--json", "-o", "out.navtile"]).expect(0).json();
    for key in [
        "grid",
        "triangles",
        "spans",
        "compact_spans",
        "max_distance",
        "regions",
        "contours",
        "contour_vertices",
        "vertices",
        "polygons",
        "detail_vertices",
        "detail_triangles",
        "walkable_area",
        "bytes",
        "stage_ms",
        "warnings",
    ] {
        assert!(!report[key].is_null(), "no {key} in {report}");
    }
    assert_eq!(report["grid"], serde_json::json!([33, 33]));
    assert_eq!(report["triangles"], 24);
    assert_eq!(report["bytes"], folder.read("out.navtile").len());
    assert!(report["stage_ms"]["rasterize"].is_number());
    // 100 m2 of floor less the agent's radius along the walls and around the box; its top is an island too
    // small to keep.
    let area = report["walkable_area"].as_f64().unwrap();
    assert!((50.0..90.0).contains(&area), "{area}");
    assert!(report["polygons"].as_u64().unwrap() >= 4, "{report}");
}

#[test]
fn the_same_bake_gives_the_same_bytes() {
    let folder = Folder::baked();
    let first = folder.read("level.navtile");
    folder.run(&["bake", "level.obj", "-o", "again.navtile"]).expect(0);
    assert_eq!(folder.read("again.navtile"), first);
    // Another order of the faces is the same level.
    let text = level();
    let (faces, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("f -8"));
    assert!(!faces.is_empty() && rest.len() > 16);
    let reordered = absolute(&text);
    folder.write("reordered.obj", reordered).run(&["bake", "reordered.obj"]).expect(0);
    assert_eq!(folder.read("reordered.navtile"), first);
}

/// The level with absolute indices, its faces first and in reverse.
fn absolute(text: &str) -> String {
    let (mut vertices, mut faces, mut count) = (String::new(), Vec::new(), 0i64);
    for line in text.lines() {
        if line.starts_with("v ") {
            count += 1;
            vertices.push_str(line);
            vertices.push('\n');
        } else if let Some(corners) = line.strip_prefix("f ") {
            let corners =
                corners.split(' ').map(|corner| count + 1 + corner.parse::<i64>().expect("an index"));
            faces.push(format!("f{}\n", corners.map(|corner| format!(" {corner}")).collect::<String>()));
        }
    }
    faces.reverse();
    faces.concat() + &vertices
}

#[test]
fn settings_come_from_file_and_options() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let run = folder.run(&["init"]).expect(0);
    assert!(run.stdout.contains("navtile.toml"));
    let plain = folder.run(&["bake", "level.obj", "-c", "navtile.toml", "-o", "a.navtile", "-v"]).expect(0);
    assert!(plain.stdout.contains("agent.radius             0.6 m, 2 cells"), "{}", plain.stdout);
    folder.run(&["bake", "level.obj", "-o", "b.navtile"]).expect(0);
    assert_eq!(folder.read("a.navtile"), folder.read("b.navtile"), "the file of defaults is the default");
    folder.write("coarse.toml", "cell_size = 0.5\npartition = \"monotone\"\n");
    let report = folder.run(&["bake", "level.obj", "-c", "coarse.toml", "--json"]).expect(0).json();
    assert_eq!(report["grid"], serde_json::json!([20, 20]));
    let options =
        ["bake", "level.obj", "-c", "coarse.toml", "--cell-size", "0.25", "--partition", "layers", "--json"];
    assert_eq!(folder.run(&options).expect(0).json()["grid"], serde_json::json!([40, 40]));
    let bounds = ["bake", "level.obj", "--bounds", "-5,-1,-5,0,3,0", "--cell-size", "0.5", "--json"];
    assert_eq!(folder.run(&bounds).expect(0).json()["grid"], serde_json::json!([10, 10]));
}

/// The cell size that a bake derives.
fn cell_of(folder: &Folder, options: &[&str]) -> f64 {
    folder.run(&[&["bake", "level.obj", "-o", "cell.navtile"], options].concat()).expect(0);
    let info = folder.run(&["info", "cell.navtile", "--json"]).expect(0).json();
    info["cell_size"].as_f64().unwrap_or_else(|| panic!("{info}"))
}

#[test]
fn a_cell_size_that_is_not_given_derives_from_the_agent() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    assert_eq!(cell_of(&folder, &[]), 0.3);
    assert_eq!(cell_of(&folder, &["--agent-radius", "0.4"]), 0.2);
    assert_eq!(cell_of(&folder, &["--agent-radius", "0.4", "--cell-size", "0.3"]), 0.3);
    folder.write("one.toml", "[agent]\nradius = 0.5\n");
    assert_eq!(cell_of(&folder, &["-c", "one.toml"]), 0.25);
    folder.write("given.toml", "cell_size = 0.1\n[agent]\nradius = 0.5\n");
    assert_eq!(cell_of(&folder, &["-c", "given.toml", "--agent-radius", "0.4"]), 0.1);
    // Agents share a lattice, whichever of them is baked.
    folder.write("two.toml", "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\nradius = 0.4\n");
    for agent in ["a", "b"] {
        let report = ["bake", "level.obj", "-c", "two.toml", "--agent", agent, "--json"];
        assert_eq!(folder.run(&report).expect(0).json()["grid"], serde_json::json!([50, 50]), "{agent}");
    }
    // A geometry set has the cell size of its program.
    folder.write("set.gset", "f level.obj\n");
    let set = ["bake", "set.gset", "--agent-radius", "0.4", "-o", "cell.navtile"];
    folder.run(&set).expect(0).says(&["warning: agent.radius is 0.4 m, but counts as 0.6 m"]);
}

#[test]
fn settings_that_cells_round_far_are_warned_of() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.run(&["bake", "level.obj", "--cell-size", "0.3", "--agent-radius", "0.4"]).expect(0).says(&[
        "warning: agent.radius is 0.4 m, but counts as 0.6 m (2 cells of 0.3 m)",
        "cell_size = 0.2 makes it exact",
    ]);
    folder.run(&["bake", "level.obj", "--agent-climb", "0.15"]).expect(0).says(&[
        "warning: agent.climb is 0.15 m, but counts as 0 m (0 cells of 0.2 m)",
        "no step is climbed",
    ]);
    assert_eq!(folder.run(&["bake", "level.obj"]).expect(0).stderr, "");
}

#[test]
fn init_does_not_write_over_settings() {
    let folder = Folder::new();
    folder.write("navtile.toml", "cell_size = 1\n");
    folder.run(&["init"]).expect(3).says(&["navtile.toml: already exists", "another name"]);
    assert_eq!(folder.read("navtile.toml"), b"cell_size = 1\n");
    assert!(folder.run(&["init", "-"]).expect(0).stdout.contains("[agent]"));
    folder.run(&["init", "navtile.toml/new.toml"]).expect(3).says(&["it is not a folder"]);
    folder.run(&["init", "new/folder/navtile.toml"]).expect(0);
    assert!(folder.path("new/folder/navtile.toml").is_file());
}

#[test]
fn settings_that_are_wrong_are_all_reported() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.write("bad.toml", "cell_sise = 1\n[agent]\nradius = \"big\"\n");
    folder.run(&["bake", "level.obj", "-c", "bad.toml"]).expect(2).says(&[
        "bad.toml: 2 errors in the settings",
        "line 1, column 1: unknown key `cell_sise`; the nearest key is `cell_size`",
        "line 3, column 10: `agent.radius` is \"big\" (string), expected a number",
    ]);
    folder.write("range.toml", "cell_size = 0\n\n[agent]\nslope = 120\n");
    let run = folder.run(&["bake", "level.obj", "-c", "range.toml", "--agent-radius", "-1"]).expect(2);
    run.says(&[
        "3 settings are out of range",
        "cell_size is 0, expected between 0.001 and 1000 metres (range.toml, line 1)",
        "agent.slope is 120",
        "(range.toml, line 4)",
        "agent.radius is -1, expected between 0 and 10000 metres (given by --agent-radius)",
    ]);
    folder.run(&["bake", "level.obj", "--cell-size", "nan"]).expect(2).says(&["cell_size is NaN"]);
    folder.write("latin.toml", b"# caf\xE9\n");
    folder.run(&["bake", "level.obj", "-c", "latin.toml"]).expect(2).says(&["latin.toml: line 1", "UTF-8"]);
    folder.run(&["bake", "level.obj", "-c", "gone.toml"]).expect(3).says(&["gone.toml: cannot be read"]);
    folder.run(&["bake", "level.obj", "--bounds", "100,0,100,110,5,110"]).expect(2).says(&[
        "level.obj: no triangle of the level is within the bounds",
        "[-5.0, -0.5, -5.0] to [5.0, 3.0, 5.0]",
    ]);
    folder.run(&["bake", "level.obj", "--memory-bound", "100000"]).expect(2).says(&[
        "level.obj: memory_bound is 97.7 KiB",
        "cannot hold the level in one piece",
        "MiB are needed",
    ]);
    assert_eq!(folder.names(), ["bad.toml", "latin.toml", "level.obj", "range.toml"], "no output file");
}

#[test]
fn calls_that_are_wrong_are_refused() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    for (call, part) in [
        (&["bake"][..], "<LEVEL>"),
        (&["bake", "level.obj", "--cell-sise", "1"], "--cell-size"),
        (&["bake", "level.obj", "--partition", "water"], "watershed, monotone, layers"),
        (&["bake", "level.obj", "--bounds", "1,2,3"], "expected 6 numbers"),
        (&["bake", "level.obj", "--cell-size", "wide"], "wide"),
        (&["bake", "level.obj", "--area", "id=0,name=x"], "1 to 255"),
        (&["bake", "level.obj", "-o", "level.obj"], "overwrite its own input"),
        (&["bake", "level.obj", "-o", "."], "is not a file"),
        (&["unbake", "x"], "unrecognized subcommand"),
        (&[], "Usage"),
    ] {
        folder.run(call).expect(2).says(&[part]);
    }
    assert_eq!(folder.read("level.obj"), level().as_bytes());
    assert_eq!(folder.names(), ["level.obj"], "no output file");
}

#[test]
fn levels_that_are_bad_are_reported_with_their_place() {
    let folder = Folder::new();
    let triangle = "v 0 0 0\nv 0 0 9\nv 9 0 9\n";
    for (content, parts) in [
        (String::new(), &["level.obj: the file is empty"][..]),
        (triangle.to_owned(), &["level.obj: the file has no faces", "help:"]),
        ("v 0 0 0\nv nan 0 0\n".to_owned(), &["level.obj: line 2, column 3: coordinate `nan` is not finite"]),
        (format!("{triangle}f 1 2 4\n"), &["line 4, column 7", "vertex 4, but the file has 3 vertices"]),
        (format!("{triangle}f 1 2 0\n"), &["line 4, column 7", "indices start at 1"]),
        (format!("{triangle}f 1 2\n"), &["line 4, column 1: the face has 2 corners"]),
        (format!("{triangle}f 1 1 2\n"), &["level.obj: all 1 triangles of the level are degenerate"]),
        ("v 0 0 0\nv 1 x 0\n".to_owned(), &["line 2, column 5: found `x`, expected a number"]),
        ("\u{0}\u{1}ELF".to_owned(), &["no faces", "check that this is an OBJ file"]),
    ] {
        folder.write("level.obj", &content);
        folder.run(&["bake", "level.obj"]).expect(3).says(parts);
    }
    folder.run(&["bake", "gone.obj"]).expect(3).says(&["gone.obj: cannot be read", "check the name"]);
    folder.run(&["bake", "..no", "-o", "x.navtile"]).expect(2).says(&["that end in .no are not read"]);
    folder.run(&["bake", "..obj", "-o", "x.navtile"]).expect(3).says(&["cannot be read"]);
    folder.write("level.obj", format!("{triangle}v 1e9 0 0\nf 1 2 4\n"));
    folder.run(&["bake", "level.obj"]).expect(2).says(&["level.obj: cells along x", "check the units"]);
    assert_eq!(folder.names(), ["level.obj"], "no output file");
}

#[test]
fn what_was_there_stays_when_a_bake_fails() {
    let folder = Folder::baked();
    let before = folder.read("level.navtile");
    folder.write("level.obj", "v 0 0 0\nf 1 1 2\n");
    folder.run(&["bake", "level.obj"]).expect(3);
    assert_eq!(folder.read("level.navtile"), before);
    folder.write("level.obj", level());
    folder
        .run(&["bake", "level.obj", "-o", "level.obj/such/level.navtile"])
        .expect(3)
        .says(&["level.obj: it is not a folder", "help: give a folder that can be written to"]);
    folder.run(&["bake", "level.obj", "--cell-size", "0.5"]).expect(0);
    assert_ne!(folder.read("level.navtile"), before);
    assert_eq!(folder.names(), ["level.navtile", "level.obj"], "no litter");
}

#[test]
fn what_is_left_out_is_warned_of() {
    let folder = Folder::new();
    folder.write("level.obj", format!("{}l 1 2\nfoo\nf 1 1 2\n", level()));
    let run = folder.run(&["bake", "level.obj"]).expect(0);
    run.says(&[
        "level.obj: 1 line or point was",
        "was ignored: `foo`",
        "1 degenerate triangle (no area) was",
    ]);
    let report = folder.run(&["bake", "level.obj", "--json"]).expect(0);
    assert_eq!(report.json()["warnings"].as_array().unwrap().len(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    use std::process::Stdio;
    let folder = Folder::new();
    for call in [&["init", "-"][..], &["help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(call);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{call:?}");
        assert_eq!(output.status.code(), Some(0), "{call:?}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = folder.command(&["init", "-"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "a full disk is report");
}

/// A floor under a node that mirrors it, whose exporter turned it over already.
#[test]
fn mirrored_floors_name_the_winding_that_bakes_them() {
    let folder = Folder::new();
    let corners: [f32; 12] = [0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 0.0, 9.0, 0.0, 0.0, 9.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"scale":[-1,1,1]}],
        "materials":[{"doubleSided":true}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"mode":6}]}],
        "buffers":[{"uri":"level.bin","byteLength":48}],"bufferViews":[{"buffer":0,"byteLength":48}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}]}"#;
    folder.write("level.gltf", text).write("level.bin", bytes);
    let area = |winding: &str| {
        let run = folder.run(&["bake", "level.gltf", "--winding", winding, "-o", "out.navtile"]);
        let warns = run.stderr.contains("100 % of the flat ground faces down");
        assert_eq!(warns, run.stderr.contains("(--winding stored)"), "{}", run.stderr);
        let info = folder.run(&["info", "out.navtile", "--json"]).expect(0).json();
        (info["polygons"].as_u64().unwrap() > 0, warns)
    };
    assert_eq!(area("spec"), (false, true));
    assert_eq!(area("stored"), (true, false));
    assert_eq!(area("either"), (true, false));
}

#[test]
fn bounds_beside_the_level_say_where_it_is() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    for bounds in ["1000,0,1000,1010,10,1010", "-5,500,-5,5,600,5"] {
        folder.run(&["bake", "level.obj", "--bounds", bounds]).expect(2).says(&[
            "no triangle of the level is within the bounds",
            "help: give bounds that overlap the level: [-5.0, -0.5, -5.0] to [5.0, 3.0, 5.0]",
        ]);
    }
}

#[test]
fn nothing_is_minus_zero() {
    let folder = Folder::new();
    // Too steep to walk: no area at all.
    folder.write("level.obj", "v 0 0 0\nv 0 0 10\nv 10 20 10\nv 10 20 0\nf 1 2 3 4\n");
    let run = folder.run(&["bake", "level.obj", "--json"]);
    assert!(run.stdout.contains("\"walkable_area\":0.0") && !run.stdout.contains("-0.0"), "{}", run.stdout);
    folder.write("flat.obj", "v -9 0 -9\nv -9 0 9\nv 9 0 9\nv 9 0 -9\nf 1 2 3 4\n");
    folder.run(&["bake", "flat.obj"]).expect(0);
    let text = folder
        .run(&["path", "flat.navtile", "--from=-0.0001,0,-0.0", "--to", "5,0,-0.0001"])
        .expect(0)
        .stdout;
    assert!(text.contains("0.000, ") && !text.contains("-0.000"), "{text}");
}
