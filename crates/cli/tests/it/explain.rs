//! `navtile explain` from outside: each cause, as text and as JSON.

use crate::common::{Folder, Run, add_box, level};
use navscenes::rooms::{Border, Rooms, Shape};
use navscenes::to_obj;
use recast::Settings;
use serde_json::Value;

fn explain(folder: &Folder, at: &str, options: &[&str]) -> Run {
    folder.run(&[&["explain", "level.obj", "--at", at], options].concat())
}

fn report(folder: &Folder, at: &str, options: &[&str], status: i32) -> Value {
    explain(folder, at, &[options, &["--json"]].concat()).expect(status).json()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder
}

#[test]
fn where_there_is_mesh_the_polygon_is_named() {
    let folder = folder();
    let answer = report(&folder, "-3,0,-3", &[], 0);
    assert_eq!((&answer["mesh"], &answer["polygons"][0]["area"]["name"]), (&true.into(), &"ground".into()));
    let floor = &answer["floors"][0];
    assert_eq!((&floor["cause"], &floor["polygon"]), (&Value::Null, &answer["polygons"][0]["polygon"]));
    assert_eq!(floor["clearance"], Value::Null, "open sky");
    let text = explain(&folder, "-3,0,-3", &[]).expect(0).stdout;
    for part in ["mesh       yes: polygon", "area ground", "floor      at height 0.10"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert_eq!(folder.names(), ["level.obj"], "nothing is written");
}

#[test]
fn causes_are_reported_with_the_numbers_that_were_compared() {
    let folder = folder();
    let limits = |cause: &Value| {
        let comparison = &cause["comparison"];
        let number = |key: &str| comparison[key].as_f64().unwrap_or(f64::NAN);
        (cause["name"].as_str().unwrap().to_owned(), number("found"), number("limit"))
    };
    for (at, options, name, stage, found, limit) in [
        ("-3,0,-4.5", &[][..], "eroded", "erode", 0.0, 0.6),
        ("0,3,0", &["--regions-min-area", "9"], "region_too_small", "regions", f64::NAN, f64::NAN),
        ("-0.9,3,0", &[], "ledge_drop", "filter_ledges", f64::NAN, 0.8),
        ("-3,0,-4.9", &[], "ledge_grid_edge", "filter_ledges", f64::NAN, f64::NAN),
        ("0,0.1,0", &["--agent-height", "3.5"], "low_ceiling", "filter_low_ceilings", f64::NAN, 3.6),
    ] {
        let answer = report(&folder, at, options, 1);
        let cause = &answer["floors"][0]["cause"];
        let (reported_name, reported_found, reported_limit) = limits(cause);
        assert_eq!((reported_name.as_str(), &cause["stage"]), (name, &stage.into()), "{at}: {answer}");
        assert!(found.is_nan() || (found - reported_found).abs() < 1e-6, "{at}: {cause}");
        assert!(limit.is_nan() || (limit - reported_limit).abs() < 1e-6, "{at}: {cause}");
        assert!(
            !cause["message"].as_str().unwrap().is_empty() && !cause["remedy"].as_str().unwrap().is_empty()
        );
        assert_eq!((&answer["mesh"], &answer["reason"]), (&false.into(), &cause["message"]));
    }
    let text = explain(&folder, "-3,0,-4.5", &[]).expect(1).stdout;
    for part in [
        "mesh       no: too close to a wall or ledge",
        "dropped by erode",
        "radius is 0.60 m",
        "lower agent.radius",
    ] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn settings_decide() {
    let folder = folder();
    report(&folder, "-3,0,-4.5", &["--agent-radius", "0"], 0);
    folder.write(
        "s.toml",
        "[[volume]]\nshape = \"box\"\nmin = [-4, -1, -4]\nmax = [-2, 1, -2]\narea = \"none\"\n",
    );
    let answer = report(&folder, "-3,0,-3", &["-c", "s.toml"], 1);
    assert_eq!(answer["floors"][0]["cause"]["name"], "volume");
    assert_eq!(answer["reason"], "a volume makes the ground unwalkable: number 1 of 1");
}

#[test]
fn places_without_a_floor_are_reported() {
    let folder = folder();
    let outside = report(&folder, "50,0,0", &[], 1);
    assert!(
        outside["reason"].as_str().unwrap().contains("outside the baked area: x from -5.00"),
        "{outside}"
    );
    assert_eq!((&outside["column"], &outside["floors"]), (&Value::Null, &serde_json::json!([])));
    let mut text = String::new();
    add_box(&mut text, [-5.0, -0.5, -5.0], [-2.0, 0.0, 5.0]);
    add_box(&mut text, [2.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    folder.write("level.obj", text);
    let gap = report(&folder, "0,0,0", &[], 1);
    assert!(gap["reason"].as_str().unwrap().contains("the level has no geometry there"), "{gap}");
    assert!((1.5..2.5).contains(&gap["nearest_geometry"].as_f64().unwrap()), "{gap}");
    let high = report(&folder, "-3.5,20,0", &[], 1);
    assert!(high["reason"].as_str().unwrap().contains("part of the mesh, but 19."), "{high}");
}

#[test]
fn steep_and_buried_places_are_reported() {
    let folder = Folder::new();
    folder.write("level.obj", "v 0 0 0\nv 0 0 6\nv 6 10.3923 6\nv 6 10.3923 0\nf 1 2 3 4\n");
    let answer = report(&folder, "3,5.2,3", &[], 1);
    let cause = &answer["floors"][0]["cause"];
    assert_eq!((&cause["name"], &cause["stage"]), (&"too_steep".into(), &"mark_walkable".into()));
    assert!((cause["comparison"]["found"].as_f64().unwrap() - 60.0).abs() < 0.01, "{cause}");
    assert_eq!(cause["comparison"]["setting"], "agent.slope");
    report(&folder, "3,5.2,3", &["--agent-slope", "65", "--agent-climb", "1.9"], 0);
    folder.write("level.obj", level());
    let wall = report(&folder, "1.05,0,0", &[], 1);
    assert_eq!(wall["floors"][0]["buried"], true, "{wall}");
    assert!(wall["reason"].as_str().unwrap().contains("inside a solid that ends at height 3."), "{wall}");
}

#[test]
fn calls_that_are_wrong_are_refused() {
    let folder = folder();
    for (call, status, part) in [
        (&["explain", "level.obj"][..], 2, "--at"),
        (&["explain", "level.obj", "--at", "1,2"], 2, "expected 3 numbers"),
        (&["explain", "level.obj", "--at", "1,nan,2"], 2, "finite"),
        (&["explain", "level.obj", "--at", "1,2,3", "--cell-size", "0"], 2, "cell_size is 0"),
        (&["explain", "level.obj", "--at", "1,2,3", "--memory-bound", "10"], 2, "allow more memory"),
        (&["explain", "gone.obj", "--at", "1,2,3"], 3, "gone.obj: cannot be read"),
    ] {
        folder.run(call).expect(status).says(&[part]);
    }
    folder.write("level.obj", "v 0 0 0\n");
    explain(&folder, "0,0,0", &[]).expect(3).says(&["level.obj: the file has no faces"]);
}

#[test]
fn a_tiled_bake_and_its_explanation_agree() {
    let folder = folder();
    // Cut in four by seams: none of its parts is as large as 40 m², and all of it is.
    for (min_area, status) in [("3", 0), ("40", 0), ("70", 1)] {
        let options = ["--tile-size", "5.1", "--regions-min-area", min_area];
        folder.run(&[&["bake", "level.obj"], &options[..]].concat()).expect(0);
        let path = ["path", "level.navtile", "--from", "-3,0,-3", "--to", "-3,0,-2.9", "--snap", "0.1,1,0.1"];
        folder.run(&path).expect(status);
        let answer = report(&folder, "-3,0,-3", &options, status);
        if status == 1 {
            let cause = &answer["floors"][0]["cause"];
            assert_eq!(cause["name"], "region_too_small", "{answer}");
            let found = cause["comparison"]["found"].as_f64().unwrap();
            assert!((40.0..70.0).contains(&found), "the whole island, not its part in the tile: {cause}");
        }
    }
}

#[test]
fn objects_and_materials_are_named() {
    let folder = Folder::new();
    let mut text = String::from("o Yard\nusemtl stone\n");
    add_box(&mut text, [-5.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    text.push_str("o Crate\x1b[2J\nusemtl wood\n");
    add_box(&mut text, [-1.0, 0.0, -1.0], [1.0, 3.0, 1.0]);
    folder.write("level.obj", text);
    let yard = explain(&folder, "-3,0,-3", &[]).expect(0).stdout;
    assert!(yard.contains("; object `Yard`, material `stone`"), "{yard}");
    let answer = report(&folder, "0,3,0", &["--regions-min-area", "9"], 1);
    let names = &answer["floors"][0]["names"];
    assert_eq!((&names[0]["material"], names.as_array().unwrap().len()), (&"wood".into(), 1), "{answer}");
    let crate_text = explain(&folder, "0,3,0", &["--regions-min-area", "9"]).expect(1).stdout;
    assert!(crate_text.contains("object `Crate\\u{1b}[2J`, material `wood`"), "{crate_text}");
}

#[test]
fn numbers_that_look_equal_get_more_digits() {
    let folder = Folder::new();
    // 45.01 degrees.
    folder.write("level.obj", "v 0 0 0\nv 0 0 6\nv 6 6.0021 6\nv 6 6.0021 0\nf 1 2 3 4\n");
    let text = explain(&folder, "3,3,3", &["--agent-climb", "0.2"]).expect(1).stdout;
    assert!(text.contains("too steep: 45.01 degrees, and the agent walks up to 45.00"), "{text}");
}

/// A floor and a platform of the given height next to it, both 6 m wide.
fn platform(height: f64) -> String {
    let mut text = String::from("o Yard\n");
    add_box(&mut text, [0.0, -0.5, 0.0], [6.0, 0.0, 6.0]);
    text.push_str("o Stage\nusemtl planks\n");
    add_box(&mut text, [6.0, -0.5, 0.0], [12.0, height, 6.0]);
    text
}

#[test]
fn a_turned_doorway_asks_for_exact_outlines() {
    let rooms = Rooms::new(Shape::Doorway(1.3), Border::Walls(0.2), 30.0);
    let folder = Folder::new();
    folder.write("level.obj", to_obj(&rooms.level, &Settings::default()));
    let [from, to] = rooms.ends.map(|[x, z]| format!("{x},0,{z}"));
    let way = ["explain", "level.obj", "--from", &from, "--to", &to];
    let text = folder.run(&way).expect(1).stdout;
    for part in [
        "a passage for a radius of 0.65 m, wide enough for the agent's 0.60 m, but too narrow for cells of this size",
        "remedy     outlines = \"exact\" (a bake with it has the path)",
    ] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    let json = folder.run(&[&way[..], &["--json"]].concat()).expect(1).json();
    let exact = serde_json::json!([{ "setting": "outlines", "value": "exact" }]);
    assert_eq!(json["remedy"], exact);
    folder.run(&[&way[..], &["--outlines", "exact"]].concat()).expect(0);
    // So does the place in its middle.
    let text = explain(&folder, "0,0,0", &[]).expect(1).stdout;
    assert!(text.contains("remedy     outlines = \"exact\" (a bake with it has mesh there)"), "{text}");
    assert_eq!(report(&folder, "0,0,0", &[], 1)["remedy"], exact);
    assert_eq!(report(&folder, "0,0,0", &["--outlines", "exact"], 0)["remedy"], serde_json::json!([]));
}

const WAY: [&str; 6] = ["explain", "level.obj", "--from", "2,0,3", "--to", "10,0.6,3"];

fn path_exists(folder: &Folder, options: &[&str]) -> bool {
    folder.run(&[&["bake", "level.obj"], options].concat()).expect(0);
    folder.run(&["path", "level.navtile", "--from", "2,0,3", "--to", "10,0.6,3"]).status == 0
}

#[test]
fn the_setting_that_joins_two_islands_is_named_and_joins_them() {
    let folder = Folder::new();
    folder.write("level.obj", platform(0.6));
    assert!(!path_exists(&folder, &["--agent-climb", "0.4"]));
    let call = [&WAY[..], &["--agent-climb", "0.4"]].concat();
    let text = folder.run(&call).expect(1).stdout;
    for part in [
        "way        no: the mesh breaks off once, at ",
        "a step of 0.60 m, and the agent climbs 0.40 m, at ",
        "object `Stage`, material `planks`",
        "remedy     agent.climb = 0.6 (a bake with it has the path)",
        "or         an off-mesh connection from ",
    ] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    let answer = folder.run(&[&call[..], &["--json"]].concat()).expect(1).json();
    let blocker = &answer["breaks"][0]["blockers"][0];
    assert_eq!(
        (&blocker["name"], &blocker["found"], &blocker["limit"]),
        (&"step".into(), &0.6.into(), &0.4.into())
    );
    assert_eq!(answer["remedy"], serde_json::json!([{ "setting": "agent.climb", "value": 0.6 }]));
    // The user would bake with it, and walk.
    assert!(path_exists(&folder, &["--agent-climb", "0.6"]));
    let link = &answer["connections"][0];
    let toml = format!(
        "[agent]\nclimb = 0.4\n[[off_mesh]]\nstart = {}\nend = {}\nradius = {}\nboth_ways = true\n",
        link["start"], link["end"], link["radius"]
    );
    folder.write("link.toml", toml);
    assert!(path_exists(&folder, &["-c", "link.toml"]));
    let joined = folder.run(&[&WAY[..], &["--agent-climb", "0.6"]].concat()).expect(0).stdout;
    assert!(joined.contains("way        yes: the mesh leads from one to the other"), "{joined}");
}

#[test]
fn ways_from_nowhere_are_refused() {
    let folder = Folder::new();
    folder.write("level.obj", platform(0.6));
    let far = ["explain", "level.obj", "--from", "2,0,3", "--to", "40,0,3"];
    let text = folder.run(&far).expect(1).stdout;
    assert!(text.contains("no mesh within 2 m across and 4 m in height of 40.00, 0.00, 3.00"), "{text}");
    folder.run(&["explain", "level.obj", "--from", "2,0,3"]).expect(2).says(&["--to"]);
    let both = ["explain", "level.obj", "--at", "1,0,1", "--from", "2,0,3", "--to", "4,0,3"];
    folder.run(&both).expect(2).says(&["cannot be used with"]);
}
