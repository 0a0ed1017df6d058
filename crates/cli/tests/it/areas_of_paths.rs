//! `navtile nearest`, `raycast` and `reachable`, and the costs and the avoidance of areas, from outside.

use crate::common::{Folder, two_floors};
use serde_json::Value;

/// Two rooms of 6 x 6 m, joined by a strip of water and by a longer one of grass.
const LEVEL: &str = "\
v 0 0 0\nv 6 0 0\nv 6 0 14\nv 0 0 14\nv 10 0 0\nv 16 0 0\nv 16 0 14\nv 10 0 14
v 6 0 1\nv 10 0 1\nv 10 0 4\nv 6 0 4\nv 6 0 10\nv 10 0 10\nv 10 0 13\nv 6 0 13
usemtl floor\nf 4 3 2 1\nf 8 7 6 5\nusemtl water\nf 12 11 10 9\nusemtl grass\nf 16 15 14 13\n";

const SETTINGS: &str = "\
[[area]]\nid = 2\nname = \"water\"\ncost = 1.5\nmaterials = [\"water\"]
[[area]]\nid = 5\nname = \"grass\"\nmaterials = [\"grass\"]\n";

const ENDS: [&str; 4] = ["--from", "3,0,2.5", "--to", "13,0,2.5"];

fn rooms() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", LEVEL).write("s.toml", SETTINGS);
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    folder
}

fn ask(folder: &Folder, question: &str, more: &[&str], status: i32) -> Value {
    folder.run(&[&[question, "level.navtile", "--json"], more].concat()).expect(status).json()
}

fn length(folder: &Folder, more: &[&str]) -> f64 {
    ask(folder, "path", &[&ENDS[..], more].concat(), 0)["length"].as_f64().unwrap()
}

#[test]
fn paths_keep_out_of_what_is_avoided_or_dear() {
    let folder = rooms();
    let straight = length(&folder, &[]);
    assert!((10.0..10.1).contains(&straight), "{straight}");
    for around in [&["--avoid", "water"][..], &["--avoid", "2"], &["--cost", "water=20"], &["--cost", "2=20"]]
    {
        assert!(length(&folder, around) > 18.0, "{around:?}");
    }
    assert!(length(&folder, &["--cost", "water=20", "--cost", "grass=90"]) < 10.1);
    // The costs of ground that nobody enters may differ: the shortest path is known.
    folder.run(&[&["path", "level.navtile", "--optimal"], &ENDS[..]].concat()).expect(2).says(&["water 1.5"]);
    assert!(length(&folder, &["--avoid", "water", "--optimal"]) > 18.0);
    assert!(length(&folder, &["--cost", "water=1", "--optimal"]) < 10.1);
    let both = ["--avoid", "water", "--avoid", "grass"];
    assert_eq!(ask(&folder, "path", &[&ENDS[..], &both].concat(), 1)["status"], "unreachable");
    let verdict = ask(&folder, "reachable", &[&ENDS[..], &both].concat(), 1);
    assert_eq!(verdict["islands"], serde_json::json!([1, 2]), "{verdict}");
    assert!(verdict["reason"].as_str().unwrap().contains("different islands"), "{verdict}");
    assert!((verdict["nearest"][0].as_f64().unwrap() - 6.0).abs() < 1.0, "{verdict}");
}

#[test]
fn areas_that_are_not_there_are_refused_with_those_that_are() {
    let folder = rooms();
    for (more, parts) in [
        (["--cost", "lava=2"], ["there is no area `lava`", "water (2), grass (5), ground (63)"]),
        (["--avoid", "7"], ["there is no area `7`", "water (2), grass (5), ground (63)"]),
        (["--cost", "water=0"], ["--cost water=0: a metre costs 1e-3 to 1e20", "use --avoid"]),
        (["--cost", "water=-1"], ["--cost water=-1: a metre costs 1e-3 to 1e20", "use --avoid"]),
        (["--cost", "water"], ["found `water`", "expected `AREA=N`"]),
        (["--cost", "water=wet"], ["found `wet`", "expected a number"]),
    ] {
        folder.run(&[&["path", "level.navtile"], &ENDS[..], &more].concat()).expect(2).says(&parts);
    }
    for more in [["--cost", "water=2", "--avoid", "2"], ["--avoid", "water", "--avoid", "water"]] {
        let run = folder.run(&[&["path", "level.navtile"], &ENDS[..], &more].concat()).expect(2);
        run.says(&["area water is given twice", "use --avoid"]);
    }
}

#[test]
fn the_nearest_ground_has_its_area_and_island() {
    let folder = rooms();
    let found = ask(&folder, "nearest", &["--at", "8,0.5,2.5"], 0);
    assert_eq!((&found["found"], &found["area"]["name"]), (&true.into(), &"water".into()), "{found}");
    assert_eq!((&found["island"], &found["straight_below_or_above"]), (&1.into(), &true.into()), "{found}");
    let text = folder.run(&["nearest", "level.navtile", "--at", "8,0.5,2.5"]).expect(0).stdout;
    for part in ["nearest    8.000", "straight below or above", "area       water (2)", "island     1, "] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    // Avoided ground does not count: the nearest ground is next to it.
    let beside = ask(&folder, "nearest", &["--at", "8,0.5,2.5", "--avoid", "water", "--snap", "3,3,3"], 0);
    assert_eq!(
        (&beside["area"]["name"], &beside["straight_below_or_above"]),
        (&"ground".into(), &false.into())
    );
    let missed = ask(&folder, "nearest", &["--at", "8,0.5,-9"], 1);
    let nearest = &missed["nearest"];
    assert!((nearest["point"][2].as_f64().unwrap() - 1.0).abs() < 1.5, "{missed}");
    let distance = nearest["distance"].as_f64().unwrap();
    let said = format!("the nearest mesh is {distance:.2} m away");
    assert!(missed["reason"].as_str().unwrap().contains(&said), "{missed}");
    let text = folder.run(&["nearest", "level.navtile", "--at", "8,0.5,-9"]).expect(1).stdout;
    assert!(
        text.starts_with("nearest    none\nreason     the place (8, 0.5, -9) is not on the mesh"),
        "{text}"
    );
}

#[test]
fn rays_end_at_walls_and_at_closed_areas() {
    let folder = rooms();
    let clear = ask(&folder, "raycast", &ENDS, 0);
    assert_eq!((&clear["status"], &clear["normal"]), (&"clear".into(), &Value::Null), "{clear}");
    // 4 m of water at 1.5, 6 m of ground at 1; outlines move by less than a cell.
    assert!((clear["cost"].as_f64().unwrap() - 12.0).abs() < 0.5, "{clear}");
    let closed = ask(&folder, "raycast", &[&ENDS[..], &["--avoid", "water"]].concat(), 1);
    assert_eq!(closed["status"], "wall");
    assert!((closed["end"][0].as_f64().unwrap() - 6.0).abs() < 0.7, "{closed}");
    assert!((closed["normal"][0].as_f64().unwrap() + 1.0).abs() < 1e-3, "{closed}");
    let wall =
        folder.run(&["raycast", "level.navtile", "--from", "3,0,7", "--to", "13,0,7"]).expect(1).stdout;
    for part in ["ray        a wall", " m as seen from above, over ", "normal     -1.000, 0, "] {
        assert!(wall.contains(part), "no `{part}` in: {wall}");
    }
    let none = ask(&folder, "raycast", &["--from", "3,90,7", "--to", "13,0,7"], 1);
    assert_eq!(none["status"], "not-on-mesh");
    assert!(none["reason"].as_str().unwrap().contains("the start (3, 90, 7) is not on the mesh"), "{none}");
}

#[test]
fn what_can_be_reached_is_a_yes_and_what_cannot_has_a_reason() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors()).run(&["bake", "level.obj"]).expect(0);
    let call = |from, to, status| ask(&folder, "reachable", &["--from", from, "--to", to], status);
    let yes = call("-5,0,0", "-5,0,1", 0);
    assert_eq!((&yes["reachable"], &yes["nearest"]), (&true.into(), &Value::Null), "{yes}");
    let no = call("-5,0,0", "5,0,0", 1);
    assert!(no["distance"].as_f64().unwrap() > 1.0, "{no}");
    let off = call("-5,0,0", "5,90,0", 1);
    assert_eq!(off["islands"][1], Value::Null);
    assert!(off["reason"].as_str().unwrap().contains("the goal (5, 90, 0) is not on the mesh"), "{off}");
    let text =
        folder.run(&["reachable", "level.navtile", "--from", "-5,0,0", "--to", "5,0,0"]).expect(1).stdout;
    for part in ["reachable  no", "different islands, ", " of 2", " m from the goal"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn lengths_are_in_space_and_from_above() {
    // Up a ramp of 30 degrees, the length in space is 2 / sqrt(3) of that from above.
    let folder = Folder::new();
    folder.write("level.obj", "v 0 0 0\nv 20 11.547 0\nv 20 11.547 6\nv 0 0 6\nf 4 3 2 1\n");
    folder.run(&["bake", "level.obj"]).expect(0);
    let answer = ask(&folder, "path", &["--from", "2,1.2,3", "--to", "18,10.4,3"], 0);
    let [space, above] = ["length", "length_from_above"].map(|key| answer[key].as_f64().unwrap());
    assert!((above - 16.0).abs() < 1e-3 && (space / above - 1.1547).abs() < 0.01, "{answer}");
    let text =
        folder.run(&["path", "level.navtile", "--from", "2,1.2,3", "--to", "18,10.4,3"]).expect(0).stdout;
    assert!(text.contains("16.000 m as seen from above"), "{text}");
}

#[test]
fn ground_on_a_slope_is_found_where_it_is_in_reach() {
    // A ramp of 30 degrees; 6 m over its foot, the nearest ground is up the ramp.
    let folder = Folder::new();
    folder.write("level.obj", "v 0 0 0\nv 20 11.547 0\nv 20 11.547 6\nv 0 0 6\nf 4 3 2 1\n");
    folder.run(&["bake", "level.obj"]).expect(0);
    let at = ["--at", "6,9.5,3"];
    let missed = ask(&folder, "nearest", &[&at[..], &["--snap", "1,1,1"]].concat(), 1);
    let [distance, height] = ["distance", "point"].map(|key| match &missed["nearest"][key] {
        Value::Array(point) => point[1].as_f64().unwrap(),
        value => value.as_f64().unwrap(),
    });
    // Straight below it is 5.8 m.
    assert!((4.8..5.3).contains(&distance) && height > 4.5, "{missed}");
    let found = ask(&folder, "nearest", &[&at[..], &["--snap", "5,5,5"]].concat(), 0);
    assert!((found["distance"].as_f64().unwrap() - distance).abs() < 1e-3, "{found}");
    assert_eq!(found["straight_below_or_above"], false);
}

/// Two floors, one of them 3 m above the other, and a link that only leads down.
fn floors_with_a_drop() -> Folder {
    let folder = Folder::new();
    folder.write(
        "level.obj",
        "v 0 3 0\nv 8 3 0\nv 8 3 8\nv 0 3 8\nf 4 3 2 1\nv 10 0 0\nv 18 0 0\nv 18 0 8\nv 10 0 8\nf 8 7 6 5\n",
    );
    let link = "[[off_mesh]]\nstart = [7.0, 3.0, 4.0]\nend = [11.0, 0.0, 4.0]\nradius = 0.6\nboth_ways = false\nuser_id = 7\n";
    folder.write("drop.toml", link);
    folder.run(&["bake", "level.obj", "-c", "drop.toml"]).expect(0);
    folder
}

#[test]
fn legs_of_a_path_say_which_are_links_and_count_from_above() {
    let folder = floors_with_a_drop();
    let ends = ["--from", "2,3,4", "--to", "16,0,4"];
    let answer = ask(&folder, "path", &ends, 0);
    let legs = answer["legs"].as_array().unwrap();
    assert_eq!(legs.len() + 1, answer["points"].as_array().unwrap().len(), "{answer}");
    let kinds: Vec<&str> = legs.iter().map(|leg| leg["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["ground", "off-mesh", "ground"], "{answer}");
    assert_eq!((&legs[1]["user_id"], &legs[1]["generated"]), (&7.into(), &Value::Null), "{answer}");
    let [space, above] = ["length", "length_from_above"].map(|key| answer[key].as_f64().unwrap());
    assert!((above - 14.0).abs() < 1e-3 && (space - 15.0).abs() < 0.1, "{answer}");
    let text = folder.run(&[&["path", "level.navtile"], &ends[..]].concat()).expect(0).stdout;
    assert!(
        text.contains("14.000 m as seen from above") && text.contains("off-mesh link 7 to the next"),
        "{text}"
    );
}

#[test]
fn one_way_links_join_islands_but_do_not_lead_back() {
    let folder = floors_with_a_drop();
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    let count = |key: &str| info[key].as_array().unwrap().len();
    assert_eq!(["islands", "islands_with_links", "there_and_back"].map(count), [2, 1, 2], "{info}");
    assert!((info["there_and_back_share"].as_f64().unwrap() - 0.5).abs() < 0.1, "{info}");
    let text = folder.run(&["info", "level.navtile"]).expect(0).stdout;
    assert!(text.contains("islands    2 (1 with links)\n") && text.contains("there+back 50 % of"), "{text}");
    let text = folder.run(&["verify", "level.navtile"]).expect(0).stdout;
    assert!(text.contains("in 2 islands"), "{text}");
    let back = ask(&folder, "reachable", &["--from", "16,0,4", "--to", "2,3,4"], 1);
    assert!(back["reason"].as_str().unwrap().contains("in this direction"), "{back}");
    let island = |at| ask(&folder, "nearest", &["--at", at], 0)["island"].as_u64().unwrap();
    assert_eq!(island("16,0,4") + island("2,3,4"), 3);
}

#[test]
fn a_path_that_follows_the_surface_goes_over_the_ridge() {
    // A ridge 1.6 m high across the path.
    let folder = Folder::new();
    let mut level = String::new();
    for (x, y) in [(0, 0.0), (8, 0.0), (12, 1.6), (16, 0.0), (24, 0.0)] {
        level += &format!("v {x} {y} 0\nv {x} {y} 8\n");
    }
    (0..4).for_each(|i| level += &format!("f {} {} {} {}\n", 2 * i + 1, 2 * i + 2, 2 * i + 4, 2 * i + 3));
    folder.write("level.obj", level).run(&["bake", "level.obj"]).expect(0);
    let ends = ["--from", "2,0,4", "--to", "22,0,4"];
    let highest = |answer: &Value| {
        let points = answer["points"].as_array().unwrap().iter();
        points.map(|point| point[1].as_f64().unwrap()).fold(f64::NEG_INFINITY, f64::max)
    };
    let straight = ask(&folder, "path", &ends, 0);
    let surface = ask(&folder, "path", &[&ends[..], &["--follow-surface"]].concat(), 0);
    assert!(highest(&straight) < 0.5 && highest(&surface) > 1.4, "{straight} {surface}");
    assert!(surface["length"].as_f64().unwrap() > straight["length"].as_f64().unwrap() + 0.4, "{surface}");
    let [a, b] = [&surface, &straight].map(|answer| answer["length_from_above"].as_f64().unwrap());
    assert!((a - b).abs() < 1e-3, "{a} {b}");
}

#[test]
fn a_straight_way_past_a_pillar_has_two_points() {
    // In tiles of 4.8 m: the path runs exactly through the corners of tiles, 3 m from the pillar.
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    let pillar = "v 9 0 9\nv 11 0 9\nv 11 0 11\nv 9 0 11\nv 9 2 9\nv 11 2 9\nv 11 2 11\nv 9 2 11\n\
        f 5 6 7 8\nf 12 11 10 9\nf 5 9 10 6\nf 6 10 11 7\nf 7 11 12 8\nf 8 12 9 5\n";
    let folder = Folder::new();
    folder.write("level.obj", [floor, pillar].concat());
    folder.run(&["bake", "level.obj", "--agent-radius", "0.3", "--tile-size", "4.8"]).expect(0);
    for (a, b) in [("4.8,0.2,19.2", "19.2,0.2,4.8"), ("4.8,0.2,9.6", "14.4,0.2,19.2")] {
        for more in [&["--optimal"][..], &[]] {
            for ends in [["--from", a, "--to", b], ["--from", b, "--to", a]] {
                let answer = ask(&folder, "path", &[&ends[..], more].concat(), 0);
                assert_eq!(answer["points"].as_array().unwrap().len(), 2, "{ends:?} {more:?}: {answer}");
            }
        }
    }
}
