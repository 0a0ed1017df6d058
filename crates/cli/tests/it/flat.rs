//! Baking maps of polygons with the program.

use crate::common::Folder;

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
    assert!(run.stdout.starts_with("mesh       72 m\u{b2} walkable, 1 island, "), "{}", run.stdout);
    let names: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["mesh", "warnings", "file"], "as of levels: {}", run.stdout);
    let more = folder.run(&["bake", "hall.poly", "--agent-radius", "0", "-v"]).expect(0);
    assert!(more.stdout.contains("in 1 tile, 8 vertices, 72 m\u{b2}, on a grid"), "{}", more.stdout);
    assert_eq!(folder.run(&["bake", "hall.poly", "-q"]).expect(0).stdout, "");
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
fn a_map_is_baked_in_tiles() {
    let folder = Folder::new();
    folder.write("map.geojson", MAP);
    let bake = ["bake", "map.geojson", "--agent-radius", "0.5", "--json"];
    let whole = folder.run(&[&bake[..], &["-o", "a.navtile"]].concat()).expect(0).json();
    let size = ["--tile-size", "3.5", "-o", "b.navtile"];
    let cut = folder.run(&[&bake[..], &size].concat()).expect(0).json();
    assert_eq!(cut["layers"][0]["tiles"], 36);
    let [expected, found] = [whole, cut].map(|report| report["layers"][0]["area"].as_f64().unwrap());
    assert!((expected - found).abs() < expected * 1e-6, "{found}, not {expected}");
    let report = folder.run(&["verify", "b.navtile", "--json"]).expect(0);
    assert_eq!(report.json()["sound"], true, "{}", report.stdout);
    let way = |file: &str| {
        let run = folder.run(&["path", file, "--from", "4,0,-10", "--to", "16,0,-10", "--json"]).expect(0);
        run.json()["length"].as_f64().unwrap()
    };
    let (expected, found) = (way("a.navtile"), way("b.navtile"));
    // The usual search leads through other polygons; shortest paths are compared where the runtime is tested.
    assert!((expected - found).abs() < expected * 1e-3, "{found}, not {expected}");
    folder.write("tiles.toml", "tile_size = 3.5\n[agent]\nradius = 0.5\n");
    folder.run(&["bake", "map.geojson", "--config", "tiles.toml", "--threads", "1"]).expect(0);
    assert_eq!(folder.read("map.navtile"), folder.read("b.navtile"));
    let parts = ["tile_size is 0.0000001 m, expected"];
    folder.run(&["bake", "map.geojson", "--tile-size", "0.0000001"]).expect(2).says(&parts);
    folder.run(&["bake", "map.geojson", "--tile-size", "0.001"]).expect(2).says(&["choose larger tiles"]);
}

#[test]
fn a_map_lies_as_the_settings_say() {
    let folder = Folder::new();
    folder.write("map.geojson", MAP);
    let way = |settings: &str, from: &str, to: &str| {
        folder.write("s.toml", settings);
        folder
            .run(&["bake", "map.geojson", "--config", "s.toml", "--agent-radius", "0.5", "--scale", "2"])
            .expect(0);
        let run = folder.run(&[
            "path",
            "map.navtile",
            "--from",
            from,
            "--to",
            to,
            "--snap",
            "0.1,0.1,0.1",
            "--json",
        ]);
        run.expect(0).json()["length"].as_f64().unwrap()
    };
    let plain = way("", "8,0,-20", "32,0,-20");
    let mirrored = way("[map]\ny = \"+z\"\nheight = 7.5\n", "8,7.5,20", "32,7.5,20");
    let turned = way("[map]\nx = \"-z\"\ny = \"-x\"\n", "-20,0,-8", "-20,0,-32");
    assert!((plain - mirrored).abs() < 1e-3 && (plain - turned).abs() < 1e-3, "{plain} {mirrored} {turned}");
    folder.write("s.toml", "[map]\ny = \"x\"\n");
    folder.run(&["bake", "map.geojson", "--config", "s.toml"]).expect(2).says(&["lie on one axis"]);
    folder.write("s.toml", "reachable_from = [0, 0, 0]\n");
    folder.run(&["bake", "map.geojson", "--config", "s.toml"]).expect(2).says(&["`reachable_from`"]);
}

#[test]
fn connections_join_layers() {
    let folder = Folder::new();
    let ring = "[[[0,0],[20,0],[20,20],[0,20],[0,0]]]";
    let up = format!(
        r#"{{"type":"Feature","properties":{{"layer":1}},"geometry":{{"type":"Polygon","coordinates":{ring}}}}}]}}"#
    );
    folder.write("map.geojson", MAP.replace("}}]}", &format!("}}}},{up}")));
    let heights = "[[layer]]\nnumber = 1\nheight = 5\n";
    let stairs = "[[off_mesh]]\nstart = [2, 0, -2]\nend = [2, 5, -3]\nradius = 0.5\n";
    folder.write("s.toml", format!("{heights}{stairs}"));
    for size in ["off", "6"] {
        let bake =
            ["bake", "map.geojson", "--config", "s.toml", "--agent-radius", "0.5", "--tile-size", size];
        folder.run(&bake).expect(0);
        folder.run(&["verify", "map.navtile"]).expect(0);
        let path = ["path", "map.navtile", "--from", "4,0,-4", "--to", "18,5,-18", "--json"];
        let path = folder.run(&path).expect(0).json();
        assert_eq!(path["status"], "complete", "{path}");
        let length = path["length"].as_f64().unwrap();
        assert!(length > 20.0 && length < 40.0, "{path}");
    }
    let bake = ["bake", "map.geojson", "--config", "s.toml", "--tile-size", "6"];
    folder.write("s.toml", stairs.replace("5, -3", "0, -3"));
    folder.run(&bake).expect(2).says(&["layers 0 and 1 are at heights 0 and 0"]);
    folder.write("s.toml", format!("{heights}{}", stairs.replace("[2, 5, -3]", "[2, 2, -3]")));
    folder.run(&bake).expect(2).says(&["off-mesh connection 0", "its end [2.0, 2.0, -3.0] is on no tile"]);
    folder.write("s.toml", "[[layer]]\nnumber = 4\nheight = 5\n");
    folder.run(&bake).expect(2).says(&["has no ground on layer 4"]);
}

#[test]
fn what_is_wrong_with_a_map_is_named() {
    let folder = Folder::new();
    folder.write("open.geojson", MAP.replace("[0,20],[0,0]]]", "[0,20]]]"));
    let parts = ["open.geojson: feature 1 (`yard`), polygon 1, ring 1, point 4: the ring is open"];
    folder.run(&["bake", "open.geojson"]).expect(2).says(&parts);
    let yard = "[[0,0],[20,0],[20,20],[0,20],[0,0]]";
    for (ring, expected) in [
        ("[[0,0],[20,0],[0,0]]", "feature 1 (`yard`), polygon 1, ring 1: the ring has 2 corners"),
        (
            "[[0,0],[20,0],[20,null],[0,20],[0,0]]",
            "feature 1 (`yard`), polygon 1, ring 1, point 3: found a list",
        ),
        (
            "[[0,0],[20,0],\"NaN\",[0,20],[0,0]]",
            "feature 1 (`yard`), polygon 1, ring 1, point 3: found `NaN`",
        ),
    ] {
        folder.write("open.geojson", MAP.replace(yard, ring));
        folder.run(&["bake", "open.geojson"]).expect(2).says(&[&format!("open.geojson: {expected}")]);
    }
    folder.write("open.geojson", MAP.replacen("\"Polygon\"", "\"LineString\"", 1));
    let parts = ["open.geojson: feature 1 (`yard`): the type is `LineString`, expected polygons"];
    folder.run(&["bake", "open.geojson"]).expect(2).says(&parts);
    folder.write("nan.poly", "0 0\n9 0\nNaN 9\n");
    folder.run(&["bake", "nan.poly"]).expect(2).says(&["nan.poly: line 3: coordinate `NaN` is not finite"]);
    folder.write("map.geojson", MAP);
    folder.run(&["bake", "map.geojson", "--agent-radius", "30"]).expect(2).says(&["no ground is left"]);
    folder.run(&["bake", "map.geojson", "--check"]).expect(2).says(&["--check"]);
    folder.run(&["bake", "map.geojson", "map.geojson"]).expect(2).says(&["several levels"]);
    let lane = "outline\n0 0 9 0 9 9 0 9\n\noutline\n20 0 21 0 21 9 20 9\n";
    folder.write("lane.poly", lane);
    let parts = ["lane.poly: line 5: the agent's radius of 0.75 leaves nothing of the outline"];
    folder.run(&["bake", "lane.poly", "--agent-radius", "0.75"]).expect(2).says(&parts);
    assert_eq!(folder.names(), ["lane.poly", "map.geojson", "nan.poly", "open.geojson"]);
}

/// A town from a map service: less than a degree wide.
#[test]
fn maps_in_degrees_are_refused() {
    let folder = Folder::new();
    let ring = "[[13.37,52.51],[13.38,52.51],[13.38,52.52],[13.37,52.52],[13.37,52.51]]";
    let map = format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#);
    folder.write("town.geojson", &map);
    folder.run(&["bake", "town.geojson"]).expect(2).says(&[
        "town.geojson: its coordinates look like degrees",
        "help: project it to metres, with `ogr2ogr -t_srs EPSG:32633 METRES.geojson town.geojson`",
    ]);
    // A scale says that the unit is known.
    folder.run(&["bake", "town.geojson", "--scale", "1000"]).expect(0);
    let crs = r#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"#;
    let wide = map.replace("13.38", "23.38").replace("52.52", "58.52");
    folder.write("land.geojson", wide.replace(r#""coord"#, &format!(r#"{crs}"coord"#)));
    folder
        .run(&["bake", "land.geojson"])
        .expect(2)
        .says(&["its coordinates are degrees: its `crs` is urn:ogc"]);
    folder.write("land.geojson", wide);
    folder.run(&["bake", "land.geojson"]).expect(0);
}

#[test]
fn a_map_is_estimated() {
    let folder = Folder::new();
    folder.write("map.geojson", MAP);
    let whole = folder.run(&["bake", "map.geojson", "--estimate", "--json"]).expect(0).json();
    assert_eq!((&whole["corners"], &whole["layers"], &whole["fits"]), (&12.into(), &1.into(), &true.into()));
    assert!(whole["total_ms"].as_f64().unwrap() > 0.0);
    let text = folder.run(&["bake", "map.geojson", "--estimate"]).expect(0).stdout;
    assert!(
        text.starts_with("1 layer, 12 corners: about ") && text.ends_with(" of memory, 8.0 GiB allowed\n"),
        "{text}"
    );
    assert_eq!(folder.names(), ["map.geojson"]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_large_map_follows_from_a_sample() {
    let square = |at: u32| {
        let (x, y) = (10 * (at % 100) + 3, 10 * (at / 100) + 3);
        format!("[[[{x},{y}],[{},{y}],[{},{}],[{x},{}],[{x},{y}]]]", x + 4, x + 4, y + 4, y + 4)
    };
    let squares: Vec<String> = (0..10_000).map(square).collect();
    let feature = |properties: &str, shape: &str, coordinates: &str| {
        format!(
            r#"{{"type":"Feature","properties":{properties},"geometry":{{"type":"{shape}","coordinates":{coordinates}}}}}"#
        )
    };
    let ground = feature("{}", "Polygon", "[[[0,0],[1000,0],[1000,1000],[0,1000],[0,0]]]");
    let obstacles = feature(r#"{"obstacle":true}"#, "MultiPolygon", &format!("[{}]", squares.join(",")));
    let folder = Folder::new();
    folder
        .write("map.geojson", format!(r#"{{"type":"FeatureCollection","features":[{ground},{obstacles}]}}"#));
    let memory = |more: &str| -> f64 {
        folder.run(&["bake", "map.geojson", "--threads", "1", "--json", more]).expect(0).json()["peak_memory"]
            .as_f64()
            .unwrap()
    };
    let (estimated, taken) = (memory("--estimate"), memory("--output=map.navtile"));
    assert!((taken / 1.5..taken * 1.5).contains(&estimated), "{estimated} of {taken}");
}
