//! Baking maps of polygons with the program.

mod common;

use common::Folder;

const MAP: &str = r#"{"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"yard"},"geometry":{"type":"Polygon","coordinates":
        [[[0,0],[20,0],[20,20],[0,20],[0,0]]]}},
    {"type":"Feature","properties":{"obstacle":true},"geometry":{"type":"Polygon","coordinates":
        [[[8,2],[12,2],[12,18],[8,18],[8,2]]]}},
    {"type":"Feature","properties":{"area":"mud","cost":3},"geometry":{"type":"Polygon","coordinates":
        [[[0,14],[20,14],[20,20],[0,20],[0,14]]]}}]}"#;

#[test]
fn a_map_is_baked_and_asked() {
    let folder = Folder::new();
    folder.write("map.geojson", MAP);
    let baked =
        folder.run(&["bake", "map.geojson", "--agent-radius", "0.5", "-o", "a.navtile", "--json"]).expect(0);
    let area = baked.json()["layers"][0]["area"].as_f64().unwrap();
    let expected = 19.0 * 19.0 - (17.0 * 4.0 + 16.0 + std::f64::consts::FRAC_PI_4);
    assert!((area - expected).abs() < 0.05, "{area}, not {expected}");
    folder.run(&["verify", "a.navtile"]).expect(0);
    let info = folder.run(&["info", "a.navtile"]).expect(0);
    assert!(info.stdout.contains("mud"), "{}", info.stdout);
    let picture = folder.run(&["render", "a.navtile", "-o", "a.svg"]).expect(0);
    picture.says(&[]);
    let path = folder
        .run(&["path", "a.navtile", "--from", "4,0,-10", "--to", "16,0,-10", "--json"])
        .expect(0)
        .json();
    // A tangent to the round join at the wall's lower end, the join, and the same again beyond it.
    let (tangent, turn) = (79.75f64.sqrt(), 2.0f64.atan() + (0.5 / 80.0f64.sqrt()).asin());
    let expected = 2.0 * (tangent + 0.5 * turn) + 4.0;
    let length = path["length"].as_f64().unwrap();
    assert!((length - expected).abs() < 0.01, "{length}, not {expected}: {path}");
    folder.run(&["bake", "map.geojson", "--agent-radius", "0.5"]).expect(0);
    assert_eq!(folder.read("a.navtile"), folder.read("map.navtile"));
}

#[test]
fn a_list_of_corners_is_baked() {
    let folder = Folder::new();
    folder.write("hall.poly", "0 0\n9 0\n9 9\n0 9\n\n3 3\n6 3\n6 6\n3 6\n");
    let run = folder.run(&["bake", "hall.poly", "--agent-radius", "0"]).expect(0);
    assert!(run.stdout.contains("72.000 m\u{b2}"), "{}", run.stdout);
    folder.run(&["verify", "hall.navtile"]).expect(0);
}

#[test]
fn layers_share_a_file() {
    let folder = Folder::new();
    let up = r#"{"type":"Feature","properties":{"layer":1},"geometry":{"type":"Polygon","coordinates":
        [[[0,0],[2,0],[2,2],[0,0]]]}}]}"#;
    folder.write("map.geojson", MAP.replace("}}]}", &format!("}}}},{up}")));
    let run = folder.run(&["bake", "map.geojson", "--agent-radius", "0", "--json"]).expect(0).json();
    assert_eq!(run["layers"].as_array().unwrap().len(), 2);
    folder.run(&["verify", "map.navtile"]).expect(0);
}

#[test]
fn what_is_wrong_with_a_map_is_named() {
    let folder = Folder::new();
    folder.write("open.geojson", MAP.replace("[0,20],[0,0]]]", "[0,20]]]"));
    let parts = ["open.geojson: feature 1 (`yard`), polygon 1, ring 1, point 4: the ring is open"];
    folder.run(&["bake", "open.geojson"]).expect(2).says(&parts);
    folder.write("map.geojson", MAP);
    folder.run(&["bake", "map.geojson", "--agent-radius", "30"]).expect(2).says(&["no ground is left"]);
    folder.run(&["bake", "map.geojson", "--check"]).expect(2).says(&["--check"]);
    folder.run(&["bake", "map.geojson", "map.geojson"]).expect(2).says(&["several levels"]);
    let lane = "outline\n0 0 9 0 9 9 0 9\n\noutline\n20 0 21 0 21 9 20 9\n";
    folder.write("lane.poly", lane);
    let parts = ["lane.poly: line 5: nothing of the outline is left at a radius of 0.75"];
    folder.run(&["bake", "lane.poly", "--agent-radius", "0.75"]).expect(2).says(&parts);
    assert_eq!(folder.names(), ["lane.poly", "map.geojson", "open.geojson"]);
}
