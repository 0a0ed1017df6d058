//! Level files of other programs: polygons that are not convex, and names of files outside the folder.

use crate::common::{Folder, level};

/// A floor, and across it a wall with a doorway of 3 x 2.5 m, which is one polygon.
const DOOR: &str = "v 0 0 0\nv 0 0 10\nv 12 0 10\nv 12 0 0\nf 1 2 3 4\nv 0 0 5\nv 0 3 5\nv 12 3 5\nv 12 0 5\n\
    v 7.5 0 5\nv 7.5 2.5 5\nv 4.5 2.5 5\nv 4.5 0 5\nf 5 6 7 8 9 10 11 12\n";

/// A floor of 12 x 12 m with a pit of 4 x 4 m, one polygon whose outline reaches the pit over an edge that is
/// walked twice.
const RING: &str =
    "v 0 0 0\nv 0 0 12\nv 12 0 12\nv 12 0 0\nv 4 0 4\nv 8 0 4\nv 8 0 8\nv 4 0 8\nf 1 2 3 4 1 5 6 7 8 5\n";

/// The walkable area in the report of a bake.
fn walkable_area(report: &serde_json::Value) -> f64 {
    report["walkable_area"].as_f64().unwrap()
}

#[test]
fn a_doorway_in_a_wall_of_one_polygon_is_open() {
    let folder = Folder::new();
    folder.write("door.obj", DOOR);
    let bake = folder.run(&["bake", "door.obj", "--cell-size", "0.1", "--agent-radius", "0.3"]).expect(0);
    assert!(!bake.stderr.contains("warning"), "{}", bake.stderr);
    folder.run(&["path", "door.navtile", "--from", "6,0,1", "--to", "6,0,9"]).expect(0);
    let islands = folder.run(&["info", "door.navtile", "--json"]).expect(0).json();
    assert_eq!(
        islands["islands"].as_array().map_or(islands["islands"].as_u64(), |list| Some(list.len() as u64)),
        Some(1),
        "{islands}"
    );
}

#[test]
fn a_pit_in_a_floor_of_one_polygon_is_no_ground() {
    let folder = Folder::new();
    folder.write("ring.obj", RING);
    let bake = ["bake", "ring.obj", "--cell-size", "0.1", "--agent-radius", "0", "--json"];
    let area = walkable_area(&folder.run(&bake).expect(0).json());
    // 144 less 16 m², and the cells at the rims.
    assert!((121.0..128.0).contains(&area), "{area}");
    let nearest = folder.run(&["nearest", "ring.navtile", "--at", "6,0,6", "--snap", "0.1,0.5,0.1"]);
    assert_ne!(nearest.status, 0, "{}", nearest.stdout);
}

#[test]
fn faces_that_fold_over_themselves_are_named() {
    let folder = Folder::new();
    folder.write("knot.obj", format!("{RING}f 1 3 2 4\n"));
    folder.run(&["bake", "knot.obj"]).expect(0).says(&["knot.obj: 1 face (line 10) folds over itself"]);
    folder.write("line.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1 2 1\n");
    folder.run(&["bake", "line.obj"]).expect(2).says(&["line.obj: no face of it has an area"]);
}

/// A level from an untrusted source must not have any file of the machine read.
#[test]
fn geometry_sets_and_obstacles_name_no_file_outside_their_folder() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("sets/meshes")).unwrap();
    folder.write("level.obj", level()).write("sets/meshes/level.obj", level());
    let outside = folder.path("level.obj").display().to_string();
    for name in ["../level.obj", "meshes/../../level.obj", "..\\level.obj", &outside, "/etc/hostname"] {
        folder.write("sets/a.gset", format!("f {name}\n"));
        let run = folder.run(&["bake", "sets/a.gset", "-o", "out.navtile"]).expect(3);
        run.says(&[
            "is outside the folder of the geometry set",
            "help: put the mesh next to the geometry set",
        ]);
    }
    folder.write("sets/a.gset", "f meshes\\level.obj\n").run(&["bake", "sets/a.gset"]).expect(0);
    // The folder that RecastDemo was started in is not needed.
    folder.write("sets/level.obj", level());
    folder.write("sets/a.gset", "f ../Meshes/level.obj\n").run(&["bake", "sets/a.gset"]).expect(0);

    let obstacle = |file: &str| format!("[[obstacle]]\nkind = \"mesh\"\nfile = '{file}'\nsolid = true\n");
    let bake = ["bake", "level.obj", "--dynamic", "--obstacles", "sets/p.toml"];
    for name in ["../level.obj", "meshes/../../level.obj", &outside, "/etc/hostname"] {
        folder.write("sets/p.toml", obstacle(name));
        folder.run(&bake).expect(2).says(&["line 3", "is outside the folder of the list: put the list into"]);
    }
    folder.write("sets/notes.txt", "one two\nthree\n").write("sets/notes.obj", "one two\nthree\n");
    folder.write("sets/p.toml", obstacle("notes.txt"));
    folder.run(&bake).expect(2).says(&["notes.txt is not an .obj file"]);
    folder.write("sets/p.toml", obstacle("notes.obj"));
    let run = folder.run(&bake).expect(2);
    run.says(&["notes.obj: the file has no faces (`f`) and no vertices (`v`)"]);
    assert!(!run.stderr.contains("statement"), "{}", run.stderr);
    folder.write("sets/p.toml", obstacle("meshes/level.obj")).run(&bake).expect(0);
}

#[test]
fn hidden_nodes_are_counted_or_baked() {
    let folder = Folder::new();
    let corners: [f32; 12] = [0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 9.0, 9.0, 0.0, 0.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = |first: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0{first}}},
            {{"mesh":0,"translation":[50,0,0],"extensions":{{"KHR_node_visibility":{{"visible":false}}}}}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":6}}]}}],
            "buffers":[{{"uri":"level.bin","byteLength":48}}],"bufferViews":[{{"buffer":0,"byteLength":48}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}}]}}"#
        )
    };
    folder.write("level.gltf", text("")).write("level.bin", bytes);
    let area = |options: &[&str]| {
        let run =
            folder.run(&[&["bake", "level.gltf", "-o", "out.navtile", "--json"], options].concat()).expect(0);
        let report = run.json();
        (walkable_area(&report), report["warnings"].to_string().contains("1 hidden mesh was left out"))
    };
    let (shown, warned) = area(&[]);
    let (all, warned_of_none) = area(&["--hidden-nodes", "bake"]);
    assert!(warned && !warned_of_none && all > 1.9 * shown, "{shown} {all}");
    folder.write("level.gltf", text(r#","extensions":{"KHR_node_visibility":{"visible":false}}"#));
    folder
        .run(&["bake", "level.gltf"])
        .expect(2)
        .says(&["every mesh of it is hidden", "--hidden-nodes bake"]);
}
