//! `navtile path --far` and `navtile reachable --far`: answers by the hierarchy of a file.

use crate::common::{Folder, add_box};
use navtile::{Edit, NavStore};
use serde_json::Value;

/// Ground of 160 by 80 m with walls to walk around, and more ground that nothing leads to.
fn folder(settings: &str) -> Folder {
    let mut text = String::new();
    add_box(&mut text, [0.0, -1.0, 0.0], [160.0, 0.0, 80.0]);
    add_box(&mut text, [180.0, -1.0, 0.0], [200.0, 0.0, 20.0]);
    add_box(&mut text, [35.0, 0.0, 0.0], [36.0, 4.0, 70.0]);
    add_box(&mut text, [75.0, 0.0, 10.0], [76.0, 4.0, 80.0]);
    add_box(&mut text, [115.0, 0.0, 0.0], [116.0, 4.0, 60.0]);
    let folder = Folder::new();
    folder.write("level.obj", text);
    folder.write("s.toml", format!("tile_size = 9.6\n{settings}"));
    folder.run(&["bake", "level.obj", "-c", "s.toml", "-q", "-o", "level.navtile"]).expect(0);
    folder
}

const SETTINGS: &str = "[hierarchy]\ncluster = 19.2\nspacing = 4.8\n";

fn far(folder: &Folder, from: &str, to: &str, more: &[&str], status: i32) -> Value {
    let call = ["path", "level.navtile", "--from", from, "--to", to, "--far", "--json"];
    folder.run(&[&call[..], more].concat()).expect(status).json()
}

fn reachable(folder: &Folder, from: &str, to: &str, more: &[&str], status: i32) -> Value {
    let call = ["reachable", "level.navtile", "--from", from, "--to", to, "--json"];
    folder.run(&[&call[..], more].concat()).expect(status).json()
}

/// Runs a command that ends with a status; its standard output must have all parts.
fn prints(folder: &Folder, call: &[&str], status: i32, parts: &[&str]) {
    let text = folder.run(call).expect(status).stdout;
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
}

fn number(answer: &Value, key: &str) -> f64 {
    answer[key].as_f64().unwrap_or_else(|| panic!("{key} of {answer}"))
}

#[test]
fn a_far_path_bounds_the_shortest_one() {
    let folder = folder(SETTINGS);
    let tiles = NavStore::open(folder.read("level.navtile")).unwrap().coords().len() as u64;
    for (from, to, near) in [
        ("5,0,5", "155,0,5", false),
        ("150,0,75", "10,0,75", false),
        ("20,0,40", "50,0,20", false),
        ("5,0,5", "9,0,12", true),
    ] {
        let call = ["path", "level.navtile", "--from", from, "--to", to, "--optimal", "--json"];
        let shortest = number(&folder.run(&call).expect(0).json(), "length");
        let answer = far(&folder, from, to, &[], 0);
        let [length, lower, upper] = ["length", "lower", "upper"].map(|key| number(&answer, key));
        assert_eq!((answer["status"].as_str(), length), (Some("complete"), upper));
        assert!(lower <= shortest + 1e-2 && shortest <= upper + 1e-2, "{lower} {shortest} {upper}");
        assert!(upper <= 1.1 * shortest, "{upper} for {shortest}");
        let places = answer["places"].as_array().unwrap();
        assert_eq!(places.len() <= 2, near, "{places:?}");
        let given = |text: &str| -> Vec<f64> { text.split(',').map(|part| part.parse().unwrap()).collect() };
        for (place, text) in [(&places[0], from), (&places[places.len() - 1], to)] {
            let apart = place.as_array().unwrap().iter().zip(given(text));
            assert!(apart.map(|(at, given)| (at.as_f64().unwrap() - given).abs()).all(|apart| apart < 0.5));
        }
        let loaded = answer["tiles_loaded"].as_u64().unwrap();
        assert!(loaded > 0 && loaded < tiles / 2, "{loaded} of {tiles}");
    }
    let call = ["path", "level.navtile", "--from", "5,0,5", "--to", "155,0,5", "--far"];
    let parts = ["path       complete\n", "class      default\n", " m at least\n", "place      "];
    prints(&folder, &call, 0, &parts);
}

#[test]
fn ends_off_the_mesh_and_parts_apart_have_no_path() {
    let folder = folder(SETTINGS);
    let answer = far(&folder, "5,90,5", "170,0,5", &[], 1);
    assert_eq!(answer["status"], "not-on-mesh");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("the start (5, 90, 5) is not on the mesh"), "{reason}");
    assert!(reason.contains("the goal (170, 0, 5) is not on the mesh"), "{reason}");
    assert!(answer["from_moved"].is_null() && answer["places"].as_array().unwrap().is_empty());
    let answer = far(&folder, "5,0,5", "1e300,0,-1e300", &[], 1);
    assert_eq!((&answer["status"], number(&answer, "from_moved") < 0.5), (&"not-on-mesh".into(), true));
    let answer = far(&folder, "5,0,5", "190,0,10", &[], 1);
    assert_eq!((&answer["status"], &answer["length"]), (&"unreachable".into(), &0.0.into()));
    assert!(answer["reason"].as_str().unwrap().contains("cannot be reached"));
}

#[test]
fn a_hierarchy_knows_what_can_be_reached() {
    let folder = folder(SETTINGS);
    let tiles = NavStore::open(folder.read("level.navtile")).unwrap().coords().len() as u64;
    for (from, to, status) in [
        ("5,0,5", "155,0,5", 0),
        ("5,0,5", "9,0,12", 0),
        ("5,0,5", "190,0,10", 1),
        ("190,0,10", "5,0,5", 1),
        ("5,90,5", "170,0,5", 1),
    ] {
        let answer = reachable(&folder, from, to, &["--far"], status);
        let whole = reachable(&folder, from, to, &[], status);
        assert_eq!(answer["reachable"], whole["reachable"]);
        assert_eq!((answer["class"].as_str(), answer["reason"].is_null()), (Some("default"), status == 0));
        let loaded = answer["tiles_loaded"].as_u64().unwrap();
        assert!(loaded < tiles / 2, "{loaded} of {tiles}");
    }
    let answer = reachable(&folder, "5,90,5", "50,0,5", &["--far"], 1);
    assert!(answer["from_moved"].is_null() && number(&answer, "to_moved") < 0.5);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("the start (5, 90, 5) is not on the mesh"), "{reason}");
    let call = ["reachable", "level.navtile", "--from", "5,0,5", "--to", "155,0,5", "--far"];
    prints(&folder, &call, 0, &["reachable  yes\nclass      default\n"]);
}

#[test]
fn classes_have_their_own_costs_and_areas() {
    let mud = "[[area]]\nid = 5\nname = \"mud\"\n[[volume]]\nshape = \"box\"\nmin = [90, -1, -1]\nmax = [95, 1, 81]\n\
               area = \"mud\"\n";
    let classes =
        "[hierarchy.classes.cart]\nexclude = [\"mud\"]\n[hierarchy.classes.walker]\ncosts = { mud = 3 }\n";
    let folder = folder(&format!("{mud}{SETTINGS}{classes}"));
    let (from, to) = ("85,0,40", "105,0,40");
    let walker = far(&folder, from, to, &["--class", "walker"], 0);
    let [lower, upper] = ["lower", "upper"].map(|key| number(&walker, key));
    assert!(
        lower <= 30.0 + 1e-2 && (29.5..31.5).contains(&upper),
        "15 m of ground and 5 m of mud: {lower} {upper}"
    );
    assert_eq!(far(&folder, from, to, &["--class", "cart"], 1)["status"], "unreachable");
    for (class, status) in [("walker", 0), ("cart", 1)] {
        let answer = reachable(&folder, from, to, &["--far", "--class", class], status);
        assert_eq!((&answer["reachable"], &answer["class"]), (&(status == 0).into(), &class.into()));
    }
    let call = ["reachable", "level.navtile", "--from", from, "--to", to, "--far", "--class", "cart"];
    prints(
        &folder,
        &call,
        1,
        &["reachable  no\nclass      cart\nreason     the goal cannot be reached from the start\n"],
    );
    let call = ["path", "level.navtile", "--from", from, "--to", to, "--far"];
    let listed = "the classes of the hierarchy are cart, walker";
    folder.run(&call).expect(2).says(&["has several classes", "--class", listed]);
    let unknown = folder.run(&[&call[..], &["--class", "ogre"]].concat()).expect(2);
    unknown.says(&["there is no class `ogre`", listed]);
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert_eq!(info["hierarchy"]["classes"], serde_json::json!(["cart", "walker"]));
    assert_eq!(info["hierarchy"]["bytes"], info["stored"]["hierarchy"]);
    assert!(info["hierarchy"]["clusters"][0].as_u64().unwrap() > 30);
    let parts = ["hierarchy  ", "clusters of 19.2 m", "classes cart, walker"];
    prints(&folder, &["info", "level.navtile"], 0, &parts);
}

#[test]
fn files_without_a_sound_hierarchy_are_refused_with_a_remedy() {
    let folder = folder("");
    let call = ["path", "level.navtile", "--from", "5,0,5", "--to", "9,0,5", "--far"];
    folder.run(&call).expect(3).says(&["has no hierarchy", "navtile bake --hierarchy"]);
    assert!(folder.run(&["info", "level.navtile", "--json"]).expect(0).json()["hierarchy"].is_null());
    let mut store = NavStore::open(folder.read("level.navtile")).unwrap();
    store.commit(Edit::new().set_hierarchy(Some(vec![7; 100]))).unwrap();
    folder.write("level.navtile", store.into_inner());
    folder.run(&call).expect(3).says(&["the hierarchy is damaged", "bake again"]);
    prints(&folder, &["verify", "level.navtile"], 1, &["hierarchy"]);
    for more in [&["--optimal"][..], &["--near"], &["--follow-surface"], &["--avoid", "ground"]] {
        folder.run(&[&call[..], more].concat()).expect(2).says(&["--far", "cannot be used with"]);
    }
    folder.run(&[&call[..6], &["--class", "cart"]].concat()).expect(2).says(&["--far"]);
    let call = ["reachable", "level.navtile", "--from", "5,0,5", "--to", "9,0,5", "--far"];
    folder.run(&call).expect(3).says(&["the hierarchy is damaged", "bake again"]);
    folder
        .run(&[&call[..], &["--cost", "ground=2"]].concat())
        .expect(2)
        .says(&["--far", "cannot be used with"]);
}
