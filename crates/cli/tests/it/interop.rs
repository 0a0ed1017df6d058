//! `navtile export` and `navtile import` from outside.

use crate::common::{Folder, two_floors};
use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use serde_json::Value;

/// A geometry set: two floors with a path between them.
fn linked() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    folder.write("level.gset", "f level.obj\nc -3 0.1 0 3 0.1 0 0.6 1 5 8\n");
    folder.run(&["bake", "level.gset"]).expect(0);
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn a_mesh_goes_to_detour_and_comes_back() {
    let folder = linked();
    let before = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    for (format, refs) in [("mset", "32"), ("mset", "64"), ("dnav", "32"), ("dnav", "64")] {
        let arguments =
            ["export", "level.navtile", "--to", format, "--refs", refs, "-o", "level.bin", "--json"];
        let report = folder.run(&arguments).expect(0).json();
        assert_eq!((&report["format"], &report["polygons"]), (&format.into(), &before["polygons"]));
        assert_eq!(report["bytes"], folder.read("level.bin").len());
        let import = folder.run(&["import", "level.bin", "-o", "back.navtile", "--json"]).expect(0).json();
        assert_eq!(
            (&import["polygons"], &import["warnings"]),
            (&before["polygons"], &Value::Array(Vec::new()))
        );
        assert_eq!((&import["cell_size"], &import["off_mesh_links"]), (&0.3.into(), &1.into()));
        assert!(import["largest_error"].as_array().unwrap().iter().all(|error| number(error) < 1e-3));
        let after = folder.run(&["info", "back.navtile", "--json"]).expect(0).json();
        for key in ["tiles", "polygons", "vertices"] {
            assert_eq!(before[key], after[key], "{key}");
        }
        assert_eq!(before["islands"].as_array().unwrap().len(), after["islands"].as_array().unwrap().len());
        let path = ["--from", "-4,0,0", "--to", "-7,0,2", "--json"];
        let lengths = ["level.navtile", "back.navtile"].map(|file| {
            number(&folder.run(&[&["path", file], &path[..]].concat()).expect(0).json()["length"])
        });
        assert!((lengths[0] - lengths[1]).abs() < 1e-3, "{lengths:?}");
    }
    let text = folder.run(&["import", "level.bin", "-o", "back.navtile"]).expect(0).stdout;
    assert!(text.contains("1 tile,") && text.contains("positions moved by at most"), "{text}");
}

#[test]
fn obj_holds_the_ground_facing_up() {
    let folder = linked();
    folder.run(&["export", "level.navtile", "--to", "obj", "-o", "out.obj"]).expect(0);
    let mesh = String::from_utf8(folder.read("out.obj")).unwrap();
    assert!(mesh.contains("mtllib out.mtl\n") && mesh.contains("usemtl ground\n"));
    assert!(String::from_utf8(folder.read("out.mtl")).unwrap().contains("newmtl ground\nKd 0."));
    let rows = |key: &str| -> Vec<Vec<f64>> {
        let rows = mesh.lines().filter_map(|line| line.strip_prefix(key));
        rows.map(|row| row.split_whitespace().map(|part| part.parse().unwrap()).collect()).collect()
    };
    let (vertices, faces) = (rows("v "), rows("f "));
    let mut area = 0.0;
    for face in &faces {
        let [a, b, c] = [0, 1, 2].map(|corner| &vertices[face[corner] as usize - 1]);
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up >= 0.0);
        area += up / 2.0;
    }
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    let islands = info["islands"].as_array().unwrap();
    let expected: f64 = islands.iter().map(|island| number(&island["area_m2"])).sum();
    assert!((area - expected).abs() < 0.01 * expected, "{area} {expected}");
    // The program reads what it writes.
    folder.run(&["bake", "out.obj"]).expect(0);
}

#[test]
fn gltf_is_one_file_whose_parts_fit() {
    let folder = linked();
    folder.run(&["export", "level.navtile", "--to", "gltf", "-o", "out.gltf"]).expect(0);
    let document: Value = serde_json::from_slice(&folder.read("out.gltf")).unwrap();
    assert_eq!(document["asset"]["version"], "2.0");
    let uri = document["buffers"][0]["uri"].as_str().unwrap();
    let base64 = uri.strip_prefix("data:application/octet-stream;base64,").unwrap();
    let length = document["buffers"][0]["byteLength"].as_u64().unwrap() as usize;
    assert_eq!(base64.len(), length.div_ceil(3) * 4);
    let mut end = 0;
    for (view, accessor) in
        document["bufferViews"].as_array().unwrap().iter().zip(document["accessors"].as_array().unwrap())
    {
        assert_eq!(view["byteOffset"], end);
        let count = accessor["count"].as_u64().unwrap();
        let bytes = if accessor["type"] == "VEC3" { 12 } else { 4 };
        assert_eq!(view["byteLength"], count * bytes);
        end += count * bytes;
    }
    assert_eq!(end as usize, length);
    assert_eq!(document["materials"][0]["name"], "ground");
    let primitive = &document["meshes"][0]["primitives"][0];
    assert_eq!((&primitive["attributes"]["POSITION"], &primitive["indices"]), (&0.into(), &1.into()));
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    for axis in 0..3 {
        let middle = number(&document["nodes"][0]["translation"][axis]);
        for (corner, name) in ["min", "max"].into_iter().enumerate() {
            let found = number(&document["accessors"][0][name][axis]) + middle;
            assert!((found - number(&info["bounds"][corner][axis])).abs() < 1e-3, "{info}");
        }
    }
}

#[test]
fn json_shows_neighbours_and_links() {
    let folder = linked();
    folder.run(&["export", "level.navtile", "--to", "json", "-o", "out.json"]).expect(0);
    let document: Value = serde_json::from_slice(&folder.read("out.json")).unwrap();
    assert_eq!((&document["format"], &document["version"]), (&"navtile".into(), &1.into()));
    let areas = document["areas"].as_array().unwrap();
    assert!(areas.iter().any(|area| (&area["name"], &area["id"]) == (&"ground".into(), &63.into())));
    let tile = &document["tiles"][0];
    let polygons = tile["polygons"].as_array().unwrap();
    for (index, polygon) in polygons.iter().enumerate() {
        let (corners, neighbours) =
            (polygon["vertices"].as_array().unwrap(), polygon["neighbours"].as_array().unwrap());
        assert_eq!(corners.len(), neighbours.len());
        for other in neighbours.iter().filter_map(|beyond| beyond["polygon"].as_u64()) {
            let back = polygons[other as usize]["neighbours"].as_array().unwrap();
            assert!(back.iter().any(|beyond| beyond["polygon"] == index), "{back:?}");
        }
        assert!(corners.iter().all(|corner| tile["vertices"][corner.as_u64().unwrap() as usize].is_array()));
    }
    let link = &tile["off_mesh_links"][0];
    assert_eq!((&link["both_ways"], &link["area"], &link["flags"]), (&true.into(), &5.into(), &8.into()));
    assert!((number(&link["start"][0]) + 3.0).abs() < 1e-3);
}

/// The two floors in tiles of 16 cells, as `tiled.navtile`.
fn tiled() -> Folder {
    let folder = linked();
    let solo = navtile::NavFile::open(folder.read("level.navtile")).unwrap();
    let level = navinput::read_obj(two_floors().as_bytes()).unwrap().level;
    let prepared = recast::PreparedLevel::new(&level, &recast::Settings::default()).unwrap();
    let baked = navlevel::bake_tiles(&prepared, 16, &recast::Silent).unwrap();
    let tiles: Vec<navtile::Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    assert!(tiles.len() > 6);
    let meta = navtile::Meta { tile_cells: 16, ..solo.meta().clone() };
    folder.write("tiled.navtile", navtile::write_file(&meta, &tiles).unwrap());
    folder
}

/// The point at this share of an edge, seen from above.
fn on_edge(tile: &Value, polygon: &Value, edge: usize, share: &Value) -> [f64; 2] {
    let corners = polygon["vertices"].as_array().unwrap();
    let at = |corner: usize| &tile["vertices"][corners[corner % corners.len()].as_u64().unwrap() as usize];
    [0, 2].map(|axis| {
        let (from, to) = (number(&at(edge)[axis]), number(&at(edge + 1)[axis]));
        from + (to - from) * number(share)
    })
}

#[test]
fn json_shows_what_lies_across_seams() {
    let folder = tiled();
    folder.run(&["export", "tiled.navtile", "--to", "json", "-o", "out.json"]).expect(0);
    let document: Value = serde_json::from_slice(&folder.read("out.json")).unwrap();
    let tiles = document["tiles"].as_array().unwrap();
    let mut seen = 0;
    for (here, tile) in tiles.iter().enumerate() {
        for (index, polygon) in tile["polygons"].as_array().unwrap().iter().enumerate() {
            for (edge, beyond) in polygon["neighbours"].as_array().unwrap().iter().enumerate() {
                for other in beyond["border"]["polygons"].as_array().unwrap_or(&Vec::new()) {
                    let there = &tiles[other["tile"].as_u64().unwrap() as usize];
                    let back = &there["polygons"][other["polygon"].as_u64().unwrap() as usize];
                    let ends = ["from", "to"].map(|end| on_edge(tile, polygon, edge, &other[end]));
                    // The same stretch in the opposite direction.
                    let same =
                        back["neighbours"].as_array().unwrap().iter().enumerate().any(|(edge, beyond)| {
                            beyond["border"]["polygons"].as_array().into_iter().flatten().any(|found| {
                                let theirs =
                                    ["to", "from"].map(|end| on_edge(there, back, edge, &found[end]));
                                let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-6;
                                (&found["tile"], &found["polygon"]) == (&here.into(), &index.into())
                                    && near(ends[0], theirs[0])
                                    && near(ends[1], theirs[1])
                            })
                        });
                    assert!(same, "{beyond}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn tiles_are_exported_together_and_one_by_one() {
    let folder = tiled();
    let all =
        folder.run(&["export", "tiled.navtile", "--to", "mset", "-o", "set.bin", "--json"]).expect(0).json();
    let import = folder.run(&["import", "set.bin", "-o", "back.navtile", "--json"]).expect(0).json();
    assert_eq!((&all["tiles"], &all["polygons"]), (&import["tiles"], &import["polygons"]));
    let refused = folder.run(&["export", "tiled.navtile", "--to", "dnav", "-o", "out.bin"]).expect(2);
    refused.says(&["dnav holds one", "--tile"]);
    let document = {
        folder.run(&["export", "tiled.navtile", "--to", "json", "-o", "out.json"]).expect(0);
        serde_json::from_slice::<Value>(&folder.read("out.json")).unwrap()
    };
    let mut names = Vec::new();
    for tile in document["tiles"].as_array().unwrap() {
        let place = format!("{},{}", tile["x"], tile["z"]);
        let name = format!("{}.dnav", names.len());
        folder.run(&["export", "tiled.navtile", "--to", "dnav", "--tile", &place, "-o", &name]).expect(0);
        names.push(name);
    }
    let mut arguments = vec!["import", "-o", "parts.navtile", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let parts = folder.run(&arguments).expect(0).json();
    assert_eq!((&parts["tiles"], &parts["islands"]), (&import["tiles"], &import["islands"]));
    assert_eq!(parts["warnings"], Value::Array(Vec::new()));
    // One tile of a set is a set.
    let one = ["export", "tiled.navtile", "--to", "mset", "--tile", "0,0", "-o", "one.bin", "--json"];
    assert_eq!(folder.run(&one).expect(0).json()["tiles"], 1);
}

/// A tile cache of level ground: two tiles of 16 by 16 cells, side by side.
fn cache() -> Vec<u8> {
    let cache_params = CacheParams {
        origin: [100.0, 5.0, -3.0],
        cell_size: 0.3,
        cell_height: 0.2,
        width: 16,
        height: 16,
        walkable_height: 2.0,
        walkable_radius: 0.6,
        walkable_climb: 0.9,
        max_simplification_error: 1.3,
        ..CacheParams::default()
    };
    let layer = |column: i32| {
        let header = LayerHeader {
            x: column,
            bounds_min: [100.0 + 4.8 * column as f32, 5.0, -3.0],
            bounds_max: [104.8 + 4.8 * column as f32, 5.0, 1.8],
            width: 16,
            height: 16,
            ..LayerHeader::default()
        };
        let steps = (0..256).map(|cell| {
            let (x, z) = (cell % 16, cell / 16);
            let within =
                u8::from(x > 0) | u8::from(z < 15) << 1 | u8::from(x < 15) << 2 | u8::from(z > 0) << 3;
            let across = if column == 0 { u8::from(x == 15) << 2 } else { u8::from(x == 0) };
            across << 4 | within
        });
        let areas = (0..256).map(|cell| if cell < 128 { 63 } else { 5 }).collect();
        let cells = LayerCells { heights: vec![0; 256], areas, connections: steps.collect() };
        let layer = StoredLayer::new(header, &cells).unwrap();
        CachedLayer { layer_ref: column as u32 + 1, layer }
    };
    let layers = vec![layer(0), layer(1)];
    tset::write(&LayerSet { cache_params, layers, ..LayerSet::default() }).unwrap()
}

#[test]
fn a_tile_cache_is_imported() {
    let folder = Folder::new();
    folder.write("level.tset", cache());
    folder.run(&["info", "level.tset"]).expect(3).says(&["navtile import level.tset -o level.navtile"]);
    let import = folder.run(&["import", "level.tset", "-o", "level.navtile", "--json"]).expect(0).json();
    assert_eq!(
        (&import["tiles"], &import["polygons"], &import["islands"]),
        (&2.into(), &4.into(), &1.into())
    );
    let warnings = import["warnings"].as_array().unwrap();
    assert!(warnings.len() == 1 && warnings[0].as_str().unwrap().contains("no flags"), "{warnings:?}");
    folder.run(&["verify", "level.navtile"]).expect(0);
    let info = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert_eq!(info["tiles"], import["tiles"]);
    let path = folder.run(&["path", "level.navtile", "--from", "101,5,-2", "--to", "109,5,1", "--json"]);
    assert!((number(&path.expect(0).json()["length"]) - 73f64.sqrt()).abs() < 1e-3);
    let text = folder.run(&["import", "level.tset", "-o", "level.navtile"]).expect(0);
    assert!(text.stdout.contains("2 tiles, 4 polygons, 1 island"), "{}", text.stdout);
    let two = ["import", "level.tset", "level.tset", "-o", "two.navtile"];
    folder.run(&two).expect(3).says(&["build tiles from them first"]);
    let mut cut = folder.read("level.tset");
    cut.pop();
    folder.write("level.tset", cut);
    folder
        .run(&["import", "level.tset", "-o", "cut.navtile"])
        .expect(3)
        .says(&["level.tset: byte", "layer 1"]);
}

#[test]
fn wrong_calls_are_reported_apart_from_wrong_files() {
    let folder = linked();
    folder.write("noise.bin", [7; 99]);
    let export = |rest: &[&str]| folder.run(&[&["export", "level.navtile"], rest].concat());
    export(&["--to", "dnav", "--tile", "3,-1", "-o", "out"]).expect(2).says(&["no tile at (3, -1, 0)"]);
    export(&["--to", "dnav", "--tile", "3", "-o", "out"]).expect(2).says(&["two or three whole numbers"]);
    export(&["--to", "mset", "-o", "level.navtile"]).expect(2).says(&["overwrite its own input"]);
    export(&["--to", "obj", "-o", "out.mtl"]).expect(2).says(&["name that ends in .obj"]);
    export(&["--to", "fbx", "-o", "out"]).expect(2).says(&["mset", "gltf"]);
    let import = |files: &[&str]| folder.run(&[&["import"], files, &["-o", "out.navtile"]].concat());
    import(&["noise.bin"]).expect(3).says(&["noise.bin: byte 0: magic number", "MSET"]);
    import(&["level.navtile"]).expect(3).says(&["level.navtile: byte 0"]);
    import(&["none.bin"]).expect(3).says(&["none.bin: cannot be read"]);
    import(&[]).expect(2).says(&["<IN>"]);
    export(&["--to", "mset", "-o", "set.bin"]).expect(0);
    import(&["set.bin", "set.bin"]).expect(3).says(&["more than once"]);
    let mut cut = folder.read("set.bin");
    cut.pop();
    folder.write("set.bin", cut);
    import(&["set.bin"]).expect(3).says(&["set.bin: byte 48", "expected"]);
    assert!(!folder.names().contains(&"out.navtile".to_owned()));
}

#[test]
fn polygons_that_are_split_are_reported_of() {
    let folder = Folder::new();
    // An octagon, which is one polygon of eight corners.
    let mut obj = String::new();
    for [x, z] in [[-3, -8], [3, -8], [8, -3], [8, 3], [3, 8], [-3, 8], [-8, 3], [-8, -3]] {
        obj += &format!("v {x} 0 {z}\n");
    }
    obj += "f 8 7 6 5 4 3 2 1\n";
    folder.write("level.obj", obj);
    folder.run(&["bake", "level.obj", "--max-vertices", "12", "--contours-max-edge-length", "0"]).expect(0);
    let run = folder.run(&["export", "level.navtile", "--to", "mset", "-o", "set.bin"]).expect(0);
    run.says(&["warning: tile (0, 0, 0): polygon 0 has more than six corners, or one on a straight side: it was split into"]);
}
