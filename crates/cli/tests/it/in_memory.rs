//! The bake of files in memory writes the same bytes as the program, and reports the same.

use crate::common::Folder;
use navbake::{LevelBake, LevelFile, Silent};
use serde_json::Value;

/// Bakes these files by the program and in memory, and compares the result for each agent.
fn both(files: &[(&str, &[u8])], settings: Option<&str>, agents: &[&str]) {
    let folder = Folder::new();
    for (name, bytes) in files {
        folder.write(name, bytes);
    }
    let levels = files.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".bin"));
    // The program finds the mesh of a geometry set by itself.
    let is_set = files.iter().any(|(name, _)| name.ends_with(".gset"));
    let levels = levels.filter(|name| !is_set || name.ends_with(".gset"));
    let mut arguments = vec!["bake"];
    arguments.extend(levels);
    arguments.extend(["-o", "out.navtile", "--json"]);
    if let Some(settings) = settings {
        folder.write("settings.toml", settings);
        arguments.extend(["-c", "settings.toml"]);
    }
    let run = folder.run(&arguments).expect(0);
    let stated: Value = serde_json::from_str(&run.stdout).unwrap();
    let files: Vec<LevelFile<'_>> = files.iter().map(|&(name, bytes)| LevelFile { name, bytes }).collect();
    let bake = LevelBake::new(&files, settings).unwrap();
    let shares: Vec<_> = (0..3).rev().map(|index| bake.share(index, 3, &Silent).unwrap()).collect();
    let [whole, joined] = [bake.run(&Silent).unwrap(), bake.join(&shares).unwrap()];
    assert_eq!(whole.len(), agents.len());
    for ((index, name), (whole, joined)) in agents.iter().enumerate().zip(whole.iter().zip(&joined)) {
        let path = if name.is_empty() { "out.navtile".to_owned() } else { format!("out.{name}.navtile") };
        assert_eq!(whole.agent.as_deref().unwrap_or(""), *name);
        assert!(whole.bytes == folder.read(&path), "{path}");
        assert!(joined.bytes == whole.bytes, "{path} from shares");
        assert_eq!(joined.report, whole.report);
        let stated = if agents.len() == 1 { &stated } else { &stated["agents"][index] };
        let report = &whole.report;
        let warnings: Vec<String> =
            report.warnings.iter().filter(|warning| !warning.is_note).map(|warning| warning.line()).collect();
        let said: Vec<String> = serde_json::from_value(stated["warnings"].clone()).unwrap();
        assert_eq!(warnings, said.iter().map(|line| line.replace(&path, "the file")).collect::<Vec<_>>());
        for (name, ours) in [
            ("polygons", report.polygons),
            ("vertices", report.vertices),
            ("detail_triangles", report.detail_triangles),
            ("islands", report.islands),
            ("islands_dropped", report.islands_dropped),
            ("off_mesh_links", report.off_mesh_links),
            ("spans", report.spans),
            ("compact_spans", report.compact_spans),
            ("regions", report.regions as usize),
            ("bytes", report.bytes),
        ] {
            assert_eq!(stated[name], ours, "{name}");
        }
        assert!((stated["walkable_area"].as_f64().unwrap() - report.walkable_area).abs() < 1e-9);
    }
}

fn scene(name: &str) -> String {
    let scene = navscenes::by_name(name).unwrap();
    navscenes::to_obj(&(scene.level)(), &(scene.settings)())
}

/// A level of `assets/`.
fn asset(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn all_scenes() {
    for scene_of in navscenes::all() {
        let obj = scene(scene_of.name);
        both(&[("level.obj", obj.as_bytes())], Some("cell_size = 0.3\n[agent]\nslope = 40.0\n"), &[""]);
    }
}

#[test]
fn areas_volumes_and_links() {
    let (obj, toml) = (asset("courtyard.obj"), asset("courtyard.toml"));
    both(&[("level.obj", obj.as_bytes())], Some(&toml), &[""]);
    let tiled = format!("tile_size = 7.2\n{toml}");
    both(&[("level.obj", obj.as_bytes())], Some(&tiled), &[""]);
    let far = format!("{tiled}\n[hierarchy]\ncluster = 14\n");
    both(&[("level.obj", obj.as_bytes())], Some(&far), &[""]);
}

#[test]
fn generated_links() {
    let scene = &navscenes::shooter::scenes()[0];
    let obj = navscenes::to_obj(&(scene.level)(), &(scene.settings)());
    let links =
        "[[links]]\nkind = \"drop\"\nheight = [0.5, 6]\n[[links]]\nkind = \"climb\"\nheight = [0.3, 1.2]\n";
    for (head, agents) in [
        ("tile_size = 7.2\nreachable_from = [4.0, 0.0, 4.0]\n", &[""][..]),
        (
            "tile_size = \"off\"\n[[agent]]\nname = \"cat\"\nradius = 0.2\n[[agent]]\nname = \"man\"\n",
            &["cat", "man"],
        ),
    ] {
        both(&[("level.obj", obj.as_bytes())], Some(&format!("{head}{links}")), agents);
    }
}

#[test]
fn tiles_with_islands_that_go() {
    let obj = scene("courtyard");
    both(&[("level.obj", obj.as_bytes())], Some("tile_size = 7.2\nreachable_from = [3.0, 0.0, 3.0]"), &[""]);
}

#[test]
fn several_agents_and_several_files() {
    let (obj, other) = (scene("courtyard"), scene("plane"));
    let settings =
        "[[agent]]\nname = \"cat\"\nradius = 0.2\n[[agent]]\nname = \"ogre\"\nradius = 1.2\nheight = 3.0\n";
    both(&[("a.obj", obj.as_bytes()), ("b.obj", other.as_bytes())], Some(settings), &["cat", "ogre"]);
}

#[test]
fn a_geometry_set_and_its_mesh() {
    let obj = scene("courtyard");
    let set = b"f folder/level.obj\nc 4 0.1 4 8 0.1 4 0.6 1 5 8\nc 500 0 0 510 0 0 0.6 1 5 8\n";
    both(&[("level.gset", set), ("level.obj", obj.as_bytes())], None, &[""]);
}

#[test]
fn a_level_without_settings() {
    both(&[("level.obj", scene("courtyard").as_bytes())], None, &[""]);
}

#[test]
fn a_gltf_and_its_buffer() {
    let corners: [f32; 9] = [0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"uri":"level.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[9,0,9]}]}"#;
    both(&[("level.gltf", text), ("level.bin", &bytes)], None, &[""]);
}

#[test]
fn what_is_wrong_is_said_with_line_and_field() {
    let obj = scene("plane");
    let refused = |files: &[(&str, &[u8])], settings: &str| {
        let files: Vec<LevelFile<'_>> =
            files.iter().map(|&(name, bytes)| LevelFile { name, bytes }).collect();
        LevelBake::new(&files, Some(settings)).map(|_| ()).unwrap_err()
    };
    let level = ("level.obj", obj.as_bytes());
    let error = refused(&[level], "cell_size = 0.3\n\n[agent]\nradius = -1\nslope = 100\n");
    assert_eq!(error.problems.len(), 2, "{error}");
    let radius =
        error.problems.iter().find(|problem| problem.field.as_deref() == Some("agent.radius")).unwrap();
    assert_eq!(radius.line, Some(4), "{error}");
    let error = refused(&[level], "cellsize = 0.3\n");
    assert!(error.to_string().contains("the nearest key is `cell_size`"), "{error}");
    assert_eq!(error.problems[0].line, Some(1));
    for (files, said) in [
        (vec![("level.fbx", &b"x"[..])], "no level among them"),
        (vec![], "no files are given"),
        (vec![("level.gset", &b"f level.obj\n"[..])], "its mesh level.obj is missing"),
        (vec![("map.geojson", &b"{}"[..])], "map of polygons"),
        (vec![("level.obj", &b"v 0 0\n"[..])], "line 1"),
        (vec![("level.glb", &b"glTF"[..])], "level.glb"),
    ] {
        let error = refused(&files, "").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn shares_that_do_not_fit_are_refused() {
    let (obj, other) = (scene("courtyard"), scene("plane"));
    let bake = |obj: &str| {
        LevelBake::new(&[LevelFile { name: "level.obj", bytes: obj.as_bytes() }], Some("tile_size = 7.2"))
            .unwrap()
    };
    let (level, plane) = (bake(&obj), bake(&other));
    let shares: Vec<Vec<u8>> = (0..2).map(|index| level.share(index, 2, &Silent).unwrap()).collect();
    let foreign = plane.share(0, 1, &Silent).unwrap();
    let refused = |shares: &[&[u8]], said: &str| {
        let error = level.join(shares).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    };
    let [one, two] = [shares[0].as_slice(), shares[1].as_slice()];
    assert!(level.join(&[two, one]).is_ok());
    refused(&[one], "is in no share");
    refused(&[one, two, one], "is in another share too");
    refused(&[one, foreign.as_slice()], "a different level or settings");
    refused(&[one, &two[..two.len() - 1]], "is damaged");
    refused(&[one, &[two, &[0]].concat()], "is damaged");
    refused(&[one, b""], "is damaged");
    assert!(level.share(2, 2, &Silent).unwrap_err().to_string().contains("share 2 of 2"));
    for at in (0..two.len()).step_by(61) {
        let mut bytes = two.to_vec();
        bytes[at] ^= 1 << (at % 8);
        refused(&[one, &bytes], "is damaged");
    }
}
