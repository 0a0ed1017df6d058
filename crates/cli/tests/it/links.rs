//! Links that bakes generate, and their reports.

use crate::common::{Folder, add_box};
use recast::Level;
use serde_json::Value;

const PROFILES: &str = "tile_size = 6.4\n[agent]\nradius = 0.4\nclimb = 0.45\nheight = 1.8\n\
    [[links]]\nkind = \"drop\"\nheight = [0.5, 6.0]\n\
    [[links]]\nkind = \"jump\"\ndistance = [0.0, 3.0]\nheight = [1.0, 1.0]\n\
    [[links]]\nkind = \"climb\"\nheight = [0.3, 1.2]\n";

/// A level of a shooter, with a box of its own if there is one.
fn level(index: usize, extra: Option<[[f64; 3]; 2]>) -> String {
    let scene = &navscenes::shooter::scenes()[index];
    let mut text = navscenes::to_obj(&(scene.level)(), &(scene.settings)());
    if let Some([min, max]) = extra {
        text.push_str("o extra\n");
        add_box(&mut text, min, max);
    }
    text
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", level(0, None));
    folder.write("links.toml", PROFILES);
    folder
}

fn info(folder: &Folder, file: &str) -> Value {
    folder.run(&["info", file, "--json"]).expect(0).json()
}

#[test]
fn links_are_counted_by_kind_and_join_islands() {
    let folder = folder();
    let run = folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile", "--json"]).expect(0);
    let (report, info) = (run.json(), info(&folder, "a.navtile"));
    let area =
        |islands: &[Value]| -> f64 { islands.iter().map(|island| island["area_m2"].as_f64().unwrap()).sum() };
    assert_eq!(report["generated_links"], info["generated_links"]);
    let count = |kind: &str| info["generated_links"][kind].as_u64().unwrap();
    assert!(count("drop") > 5 && count("jump") > 0 && count("climb") > 5, "{info}");
    let lists = ["islands_with_links", "islands", "there_and_back"].map(|key| info[key].as_array().unwrap());
    let [with, without, there_and_back] = lists;
    assert!(with.len() < there_and_back.len() && there_and_back.len() <= without.len(), "{info}");
    let share = info["there_and_back_share"].as_f64().unwrap();
    assert!((share - there_and_back[0]["area_m2"].as_f64().unwrap() / area(with)).abs() < 1e-9, "{info}");
    // All commands count the same.
    let verified = folder.run(&["verify", "a.navtile", "--json"]).expect(0).json();
    let counted = Value::from(without.len());
    assert_eq!((&report["islands"], &verified["checked"]["islands"]), (&counted, &counted));
    assert!((area(with) - area(without)).abs() < 1e-6, "{info}");
    folder.run(&["verify", "a.navtile"]).expect(0);
    folder.run(&["verify", "a.navtile", "--input", "level.obj", "-c", "links.toml"]);
    let text = folder.run(&["info", "a.navtile"]).expect(0).stdout;
    assert!(text.contains("generated"), "{text}");
    let line = format!("islands    {} ({} with links)\n", without.len(), with.len());
    assert!(text.contains(&line) && text.contains("there+back "), "{text}");
    let path = ["path", "a.navtile", "--from", "4,0,4", "--to", "27,1.1,10"];
    folder.run(&path).expect(0);
    folder.run(&["bake", "level.obj", "--tile-size", "6.4", "-o", "b.navtile"]).expect(0);
    let without = self::info(&folder, "b.navtile");
    assert_eq!(without["generated_links"]["drop"], 0);
    assert!(
        !folder
            .run(
                &path
                    .map(|argument| argument.replace("a.navtile", "b.navtile"))
                    .each_ref()
                    .map(String::as_str)
            )
            .stdout
            .contains("off-mesh")
    );
}

#[test]
fn what_changes_is_baked_again_with_its_links() {
    let folder = folder();
    let bake = ["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile", "--changed", "--json"];
    let first = folder.run(&bake).expect(0).json();
    let bytes = folder.read("a.navtile");
    assert_eq!(first["tiles"]["baked"], first["tiles"]["reached"]);
    let again = folder.run(&bake).expect(0).json();
    assert_eq!(again["tiles"]["baked"], 0, "{again}");
    assert_eq!(again["generated_links"], first["generated_links"]);
    assert!(folder.read("a.navtile") == bytes);
    let check = ["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile", "--check"];
    folder.run(&check).expect(0);
    // A crate far from most tiles changes the links of its own and of others.
    folder.write("level.obj", level(0, Some([[20.0, 0.0, 11.0], [22.0, 1.0, 13.0]])));
    folder.run(&check).expect(1);
    folder.run(&bake).expect(0);
    folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "b.navtile"]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"));
    assert!(folder.read("a.navtile") != bytes);
    // If everything must be reachable from another place, the islands are decided again.
    let reached = format!("reachable_from = [15.0, 3.0, 22.5]\n{PROFILES}");
    folder.write("links.toml", &reached);
    folder.run(&bake).expect(0);
    folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "b.navtile"]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"));
    // Another profile bakes all of it.
    folder.write("links.toml", reached.replace("height = [0.5, 6.0]", "height = [0.5, 2.0]"));
    let other = folder.run(&bake).expect(0).json();
    assert_eq!(other["tiles"]["baked"], other["tiles"]["reached"]);
}

/// Bakes what changed, and compares it with a bake of all; returns the report.
fn bake_changed(folder: &Folder, what: &str) -> Value {
    let fresh = ["bake", "level.obj", "-c", "links.toml", "-o", "b.navtile"];
    let changed = ["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile", "--changed", "--json"];
    let report = folder.run(&changed).expect(0).json();
    folder.run(&fresh).expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"), "{what}: {report}");
    folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile", "--check"]).expect(0);
    report
}

/// The ledges about a place, moved up.
fn raised(level: &Level, [x, z]: [f64; 2]) -> Level {
    let mut level = level.clone();
    let near = |vertex: &&mut [f64; 3]| (vertex[0] - x).abs() < 3.0 && (vertex[2] - z).abs() < 3.0;
    level
        .vertices
        .iter_mut()
        .filter(near)
        .filter(|vertex| vertex[1] > 0.1)
        .for_each(|vertex| vertex[1] += 0.4);
    level
}

#[test]
fn a_change_bakes_what_it_reaches_and_the_file_is_that_of_a_whole_bake() {
    let mut saved = 0;
    for (scene, tile_size, worth) in [(0, 3.2, 1.2), (1, 6.4, 3.0), (2, 4.8, 1.5)] {
        let scene = &navscenes::shooter::scenes()[scene];
        let (level, settings) = (navscenes::repeat(&(scene.level)(), 3, 1), (scene.settings)());
        let profiles = PROFILES.replace("tile_size = 6.4", &format!("tile_size = {tile_size}"));
        let profiles = profiles.replace("[[links]]", &format!("[[links]]\nworth = {worth}"));
        let folder = Folder::new();
        folder.write("links.toml", &profiles);
        let put = |level: &Level, extra: Option<[[f64; 3]; 2]>| {
            let mut text = navscenes::to_obj(level, &settings);
            if let Some([min, max]) = extra {
                text.push_str("o extra\n");
                add_box(&mut text, min, max);
            }
            folder.write("level.obj", text);
        };
        let crate_at = |x: f64, z: f64, top: f64| Some([[x - 0.5, 0.0, z], [x + 0.9, top, z + 1.3]]);
        let seam = [2.0 * tile_size, 3.0 * tile_size];
        put(&level, None);
        bake_changed(&folder, "first");
        let edits = [
            ("a crate by a seam", level.clone(), crate_at(seam[0], seam[1], 1.1)),
            ("a crate elsewhere", level.clone(), crate_at(seam[0] + 7.0, seam[1] - 2.0, 0.8)),
            ("no crate", level.clone(), None),
            ("raised", raised(&level, seam), None),
            ("lowered", level.clone(), None),
        ];
        for (what, level, extra) in edits {
            put(&level, extra);
            let report = bake_changed(&folder, &format!("{}, {what}", scene.name));
            let count = |name: &str| report["tiles"][name].as_u64().unwrap();
            assert!(count("baked") > 0, "{}, {what}: {report}", scene.name);
            saved += count("taken_over");
        }
        // Reached from elsewhere, other islands stay.
        for place in &scene.places[..2] {
            let place = format!("{:?}", place.position);
            folder.write("links.toml", format!("reachable_from = {place}\n{profiles}"));
            put(&level, crate_at(seam[0], seam[1], 1.1));
            bake_changed(&folder, &format!("{}, reachable from {place}", scene.name));
            put(&level, crate_at(seam[0], seam[1] + 4.0, 3.1));
            bake_changed(&folder, &format!("{}, reachable from {place}, another crate", scene.name));
        }
    }
    assert!(saved > 300, "{saved} tiles were taken over");
}

#[test]
fn a_change_of_a_public_level_bakes_what_it_reaches() {
    for (name, level) in navscenes::public_levels() {
        let folder = Folder::new();
        folder.write("links.toml", "tile_size = 4.8\n[[links]]\nkind = \"jump\"\ndistance = [0.0, 1.0]\nheight = [0.5, 0.5]\nworth = 1.5\n[[links]]\nkind = \"drop\"\nheight = [0.5, 2.0]\nworth = 1.5\n");
        let plain = navscenes::to_obj(&level, &recast::Settings::default());
        let all = |axis: usize| level.vertices.iter().map(move |vertex| vertex[axis]);
        let middle = |axis: usize| {
            let [low, high] =
                [all(axis).fold(f64::INFINITY, f64::min), all(axis).fold(f64::NEG_INFINITY, f64::max)];
            0.7 * low + 0.3 * high
        };
        let [x, y, z] = [0, 1, 2].map(middle);
        let mut boxed = plain.clone();
        boxed.push_str("o extra\n");
        add_box(&mut boxed, [x, y - 0.3, z], [x + 2.3, y + 0.9, z + 1.7]);
        let mut baked = Vec::new();
        for (what, text) in [("first", &plain), ("a box", &boxed), ("no box", &plain)] {
            folder.write("level.obj", text);
            let report = bake_changed(&folder, &format!("{name}, {what}"));
            baked.push(["baked", "reached"].map(|count| report["tiles"][count].as_u64().unwrap()));
        }
        assert!(baked[1][0] > 0 && baked[1][0] < baked[1][1], "{name}: {baked:?}");
    }
}

#[test]
fn only_what_links_lead_to_is_reachable() {
    let folder = folder();
    folder.write("links.toml", format!("reachable_from = [4.0, 0.0, 4.0]\n{PROFILES}"));
    folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile"]).expect(0);
    let info = info(&folder, "a.navtile");
    assert_eq!(info["islands_with_links"].as_array().unwrap().len(), 1, "{info}");
    assert!(info["islands"].as_array().unwrap().len() > 5, "{info}");
    folder.run(&["verify", "a.navtile"]).expect(0);
}

#[test]
fn dynamic_files_keep_links_up() {
    let folder = folder();
    let profiles = format!("reachable_from = [4.0, 0.0, 4.0]\n{PROFILES}");
    folder.write("links.toml", profiles.replace("[[links]]", "[[links]]\nworth = 1.2"));
    folder.write("none.toml", "");
    // Across the steps to the dock, and somewhere else.
    folder.write(
        "obstacles.toml",
        "[[obstacle]]\nkind = \"box\"\nat = [23.0, 0.0, 9.0]\nsize = [2.2, 3.0, 9.0]\nsolid = true\narea = \"none\"\n\
         [[obstacle]]\nkind = \"box\"\nat = [12.0, 0.0, 6.0]\nsize = [1.5, 0.8, 1.5]\nsolid = true\n",
    );
    let bake = ["bake", "level.obj", "-c", "links.toml", "--dynamic"];
    folder.run(&[&bake[..], &["-o", "a.navtile"]].concat()).expect(0);
    folder.run(&[&bake[..], &["-o", "b.navtile", "--obstacles", "obstacles.toml"]].concat()).expect(0);
    folder.run(&["update", "a.navtile", "--obstacles", "obstacles.toml", "-o", "c.navtile"]).expect(0);
    assert!(folder.read("b.navtile") == folder.read("c.navtile"), "with obstacles");
    let [before, now] = ["a.navtile", "b.navtile"].map(|file| info(&folder, file)["generated_links"].clone());
    assert!(before != now, "{before}");
    folder.run(&["update", "c.navtile", "--obstacles", "none.toml", "-o", "d.navtile"]).expect(0);
    assert!(folder.read("d.navtile") == folder.read("a.navtile"), "without obstacles again");
    // Cached spans change nothing about the links.
    folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "plain.navtile"]).expect(0);
    assert_eq!(info(&folder, "plain.navtile")["generated_links"], before);
    folder
        .run(&[&bake[..], &["-o", "a.navtile", "--changed", "--obstacles", "obstacles.toml"]].concat())
        .expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"), "what changed");
}

#[test]
fn all_that_is_wrong_with_profiles_is_reported_at_once() {
    let folder = folder();
    folder.write(
        "links.toml",
        "[[links]]\nkind = \"drop\"\nheight = [3, 1]\nworth = 0\n[[links]]\nkind = \"leap\"\n",
    );
    let run = folder.run(&["bake", "level.obj", "-c", "links.toml", "-o", "a.navtile"]).expect(2);
    run.says(&["links[0].height", "links[0].worth", "links[1].kind", "links[1]` has no `height`"]);
}

/// The first answer of `navtile explain --link` that is of this kind.
fn why(folder: &Folder, ends: [&str; 2], kind: &str, status: i32) -> Value {
    let call = ["explain", "level.obj", "-c", "links.toml", "--link", "--from", ends[0], "--to", ends[1]];
    let text = folder.run(&call).expect(status).stdout;
    let json = folder.run(&[&call[..], &["--json"]].concat()).expect(status).json();
    assert_eq!(json["link"], status == 0, "{json}");
    let answers = json["links"].as_array().unwrap();
    let answer = answers.iter().find(|answer| answer["kind"] == kind).unwrap().clone();
    assert!(text.contains(answer["message"].as_str().unwrap()), "{text}\n{json}");
    answer
}

#[test]
fn links_that_are_not_there_are_explained() {
    let folder = Folder::new();
    let mut text = String::new();
    text.push_str("o ground\n");
    add_box(&mut text, [0.0, -1.0, 0.0], [20.0, 0.0, 20.0]);
    text.push_str("o crate\n");
    add_box(&mut text, [6.0, 0.0, 6.0], [14.0, 3.0, 14.0]);
    text.push_str("o awning\n");
    add_box(&mut text, [2.0, 2.6, 12.0], [5.9, 2.8, 14.0]);
    folder.write("level.obj", text);
    folder.write("links.toml", PROFILES);
    let (top, foot) = ("6.6,3,10", "5.2,0,10");
    let dropped = why(&folder, [top, foot], "drop", 0);
    assert!(dropped["name"] == "linked" && dropped["by"][0][1].as_f64().unwrap() > 2.5, "{dropped}");
    let climbed = why(&folder, [foot, top], "climb", 1);
    assert!(climbed["name"] == "height" && climbed["range"][1] == 1.2, "{climbed}");
    // It can be crossed anywhere along its edges.
    let beside = why(&folder, ["6.6,3,8", "5.2,0,8"], "drop", 0);
    assert!(
        beside["name"] == "linked" && (beside["by"][0][2].as_f64().unwrap() - 8.0).abs() < 1.1,
        "{beside}"
    );
    let blocked = why(&folder, ["6.6,3,13", "5.2,0,13"], "drop", 1);
    assert!(blocked["place"].is_array() && blocked["names"].to_string().contains("awning"), "{blocked}");
    let at = ["explain", "level.obj", "-c", "links.toml", "--link", "--at", top];
    let text = folder.run(&at).expect(0).stdout;
    let json = folder.run(&[&at[..], &["--json"]].concat()).expect(0).json();
    let of = |kind: &str| json["links"].as_array().unwrap().iter().find(|each| each["kind"] == kind).unwrap();
    assert!(of("drop")["name"] == "linked" && json["to"].is_null(), "{json}");
    // One cannot climb from there, and the answer gives the start and the end of that climb.
    let climb = of("climb");
    assert!(climb["name"] != "linked" && climb["ends"][1].is_array(), "{json}");
    assert!(text.contains(": from ") && text.contains(climb["message"].as_str().unwrap()), "{text}");
    let nowhere = ["explain", "level.obj", "-c", "links.toml", "--link", "--at", "6.6,30,10"];
    assert!(folder.run(&nowhere).expect(1).stdout.contains("no ground"));
    let plain = ["explain", "level.obj", "--link", "--from", top, "--to", foot];
    folder.run(&plain).expect(2).says(&["--link", "no profile of links", "[[links]]"]);
}
