//! No command overwrites its inputs: every command, every option that names a result, every kind of input, by
//! every kind of name.

use crate::common::{Folder, level};
use std::collections::BTreeSet;

/// A call, its possible results, and the files that it reads.
struct Row {
    call: &'static [&'static str],
    /// Each with the required extension of its name.
    results: &'static [(&'static str, &'static str)],
    inputs: &'static [&'static str],
}

const ROWS: [Row; 22] = [
    Row {
        call: &["bake", "level.gltf", "-c", "s.toml"],
        results: &[("-o", "navtile"), ("--report", "html"), ("--events", "jsonl")],
        inputs: &["level.gltf", "level.bin", "s.toml"],
    },
    Row {
        call: &["bake", "level.gltf", "-c", "s.toml", "--dynamic", "--obstacles", "p.toml"],
        results: &[("-o", "navtile"), ("--report", "html"), ("--events", "jsonl")],
        inputs: &["level.gltf", "level.bin", "s.toml", "p.toml", "obstacle.obj"],
    },
    Row {
        call: &["bake", "level.gltf", "folder", "--tile-size", "4", "--resume"],
        results: &[("-o", "navtile"), ("--report", "html"), ("--events", "jsonl")],
        inputs: &["level.gltf", "level.bin", "folder/one.obj"],
    },
    Row {
        call: &[
            "bake",
            "level.gltf",
            "--tile-size",
            "4",
            "--shard",
            "1/1",
            "--dynamic",
            "--obstacles",
            "p.toml",
        ],
        results: &[("-o", "navpart"), ("--events", "jsonl")],
        inputs: &["level.gltf", "level.bin", "p.toml", "obstacle.obj"],
    },
    Row {
        call: &["bake", "set.gset"],
        results: &[("-o", "navtile"), ("--report", "html"), ("--events", "jsonl")],
        inputs: &["set.gset", "mesh.obj", "mesh.mtl"],
    },
    Row {
        call: &["bake", "world.toml", "--tile-size", "4", "--dynamic", "--obstacles", "p.toml"],
        results: &[("-o", "navtile"), ("--report", "html"), ("--events", "jsonl")],
        inputs: &["world.toml", "mesh.obj", "level.gltf", "level.bin", "p.toml", "obstacle.obj"],
    },
    Row {
        call: &["bake", "map.geojson", "-c", "map.toml"],
        results: &[("-o", "navtile")],
        inputs: &["map.geojson", "map.toml"],
    },
    Row {
        call: &["join", "1.navpart", "2.navpart"],
        results: &[("-o", "navtile")],
        inputs: &["1.navpart", "2.navpart"],
    },
    Row {
        call: &["chunks", "level.gltf", "mesh.obj", "-c", "s.toml"],
        results: &[("-o", "toml")],
        inputs: &["level.gltf", "level.bin", "mesh.obj", "s.toml"],
    },
    // The input file may be replaced.
    Row {
        call: &["update", "level.navtile", "--obstacles", "p.toml"],
        results: &[("-o", "navtile")],
        inputs: &["p.toml", "obstacle.obj"],
    },
    Row { call: &["compact", "level.navtile"], results: &[("-o", "navtile")], inputs: &[] },
    Row { call: &["dump", "level.navtile"], results: &[("-o", "txt")], inputs: &["level.navtile"] },
    Row {
        call: &["render", "level.navtile", "--outline", "level.gltf", "-c", "s.toml"],
        results: &[("-o", "svg")],
        inputs: &["level.navtile", "level.gltf", "level.bin", "s.toml"],
    },
    Row {
        call: &["render", "level.navtile", "--outline", "set.gset"],
        results: &[("-o", "png")],
        inputs: &["level.navtile", "set.gset", "mesh.obj"],
    },
    Row {
        call: &["view", "level.navtile", "--level", "level.gltf", "-c", "s.toml"],
        results: &[("-o", "html")],
        inputs: &["level.navtile", "level.gltf", "level.bin", "s.toml"],
    },
    Row {
        call: &["export", "level.navtile", "--to", "json"],
        results: &[("-o", "json")],
        inputs: &["level.navtile"],
    },
    Row {
        call: &["export", "level.navtile", "--to", "obj"],
        results: &[("-o", "obj")],
        inputs: &["level.navtile"],
    },
    Row { call: &["import", "set.bin"], results: &[("-o", "navtile")], inputs: &["set.bin"] },
    Row {
        call: &["path", "level.navtile", "--from", "-4,0,-4", "--to", "4,0,4"],
        results: &[("--picture", "svg")],
        inputs: &["level.navtile"],
    },
    Row {
        call: &["crowd", "level.navtile", "-c", "crowd.toml"],
        results: &[("--picture", "svg"), ("--record", "navcrowd")],
        inputs: &["level.navtile", "crowd.toml"],
    },
    Row {
        call: &["crowd", "level.navtile", "--play", "played.navcrowd"],
        results: &[("--picture", "png")],
        inputs: &["level.navtile", "played.navcrowd"],
    },
    // It does not overwrite anything.
    Row { call: &["init"], results: &[("OUT.toml", "toml")], inputs: &[] },
];

/// A glTF with a floor, and its buffer.
fn gltf(folder: &Folder) {
    let corners: [f32; 18] = [0., 0., 0., 0., 0., 9., 9., 0., 0., 9., 0., 0., 0., 0., 9., 9., 0., 9.]
        .map(|at: f32| at - 4.5 * f32::from(at != 0.0) + 0.0);
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"uri":"level.bin","byteLength":72}],"bufferViews":[{"buffer":0,"byteLength":72}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3","min":[0,0,0],"max":[9,0,9]}]}"#;
    folder.write("level.gltf", text).write("level.bin", bytes);
}

/// A folder with every kind of input.
fn folder() -> Folder {
    let folder = Folder::new();
    gltf(&folder);
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder
        .write("s.toml", "cell_size = 0.3\n")
        .write("mesh.obj", format!("mtllib mesh.mtl\n{}", level()))
        .write("mesh.mtl", "newmtl stone\n")
        .write("obstacle.obj", level())
        .write("folder/one.obj", level())
        .write("p.toml", "[[obstacle]]\nkind = \"mesh\"\nfile = \"obstacle.obj\"\nat = [3, 0, 3]\nsolid = true\n")
        .write("set.gset", "f mesh.obj\n")
        .write("world.toml", "[[chunk]]\nfile = \"mesh.obj\"\n[[chunk]]\nfile = \"level.gltf\"\n")
        .write("map.geojson", r#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}"#)
        .write("map.toml", "[agent]\nradius = 0.5\n")
        .write("crowd.toml", "seconds = 1\n[[agents]]\ncount = 1\nstart.box = [[-5, -1, -5], [-3, 1, -3]]\ngoal.into.box = [[3, -1, 3], [5, 1, 5]]\n");
    for call in [
        &["bake", "mesh.obj", "--dynamic", "--tile-size", "4", "-o", "level.navtile"][..],
        &["bake", "mesh.obj", "--tile-size", "4", "--shard", "1/2", "-o", "1.navpart"],
        &["bake", "mesh.obj", "--tile-size", "4", "--shard", "2/2", "-o", "2.navpart"],
        &["export", "level.navtile", "--to", "mset", "-o", "set.bin"],
    ] {
        folder.run(call).expect(0);
    }
    let play = ["crowd", "level.navtile", "--agents", "2", "--radius", "0.25", "--record", "played.navcrowd"];
    folder.run(&play).expect(0);
    folder
}

/// The results in the help of all commands: each command with the option, or with the name of a result
/// without an option.
fn results_of_help(folder: &Folder) -> BTreeSet<(String, String)> {
    let all = folder.run(&["help"]).expect(0).stdout;
    let commands =
        all.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Descriptions are wrapped, and begin farther in.
    let names =
        commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let mut results = BTreeSet::new();
    for name in names.filter(|name| *name != "help") {
        let help = folder.run(&[name, "--help"]).expect(0).stdout;
        for line in help.lines().map(str::trim) {
            let Some((before, _)) = line.split_once("<OUT") else {
                if let Some(positional) = line.strip_prefix("[OUT").and_then(|rest| rest.split(']').next()) {
                    results.insert((name.to_owned(), format!("OUT{positional}")));
                }
                continue;
            };
            if before.starts_with('-') {
                let option = before.split(',').next().unwrap_or(before).trim();
                results.insert((name.to_owned(), option.to_owned()));
            }
        }
    }
    results
}

#[test]
fn the_table_has_every_result_of_every_command() {
    let mut table = BTreeSet::new();
    for row in &ROWS {
        table.extend(row.results.iter().map(|(option, _)| (row.call[0].to_owned(), (*option).to_owned())));
    }
    assert_eq!(results_of_help(&Folder::new()), table);
}

/// Names of an input with the required extension of the result.
fn names_of(folder: &Folder, input: &str, ending: &str) -> Vec<String> {
    let mut names = vec![
        format!("hard.{ending}"),
        format!("soft.{ending}"),
        format!("./missing/../soft.{ending}"),
        format!("folder/../hard.{ending}"),
    ];
    if input.ends_with(&format!(".{ending}")) {
        names.push(format!("folder/../{input}"));
    }
    std::fs::hard_link(folder.path(input), folder.path(&names[0])).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(input, folder.path(&format!("soft.{ending}"))).unwrap();
    #[cfg(not(unix))]
    names.retain(|name| !name.contains("soft"));
    names
}

fn remove_names(folder: &Folder, ending: &str) {
    for name in ["hard", "soft"] {
        let _ = std::fs::remove_file(folder.path(&format!("{name}.{ending}")));
    }
}

fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let files = folder.names().into_iter().filter(|name| folder.path(name).is_file());
    files.map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn no_result_of_any_command_overwrites_an_input() {
    let folder = folder();
    for Row { call, results, inputs } in &ROWS {
        for ((option, ending), input) in
            results.iter().flat_map(|result| inputs.iter().map(move |input| (result, input)))
        {
            for name in names_of(&folder, input, ending) {
                // A list of chunks is refused before, if its folder has another name than that of the files.
                if call[0] == "chunks" && name.contains('/') {
                    continue;
                }
                let before = contents(&folder);
                let out = ["-o", "unwritten.navtile"];
                let needs_out = *option != "-o" && call[0] == "bake";
                let call =
                    [*call, if needs_out { &out[..] } else { &[] }, &[*option, name.as_str()]].concat();
                let run = folder.run(&call);
                assert_eq!(run.status, 2, "{call:?} over {input}: {} {}", run.stdout, run.stderr);
                run.says(&["the result would overwrite its own input"]);
                assert!(contents(&folder) == before, "{call:?} over {input}");
            }
            remove_names(&folder, ending);
        }
    }
}

/// The user did not choose the name of the file with the finished tiles.
#[cfg(unix)]
#[test]
fn finished_tiles_overwrite_no_input() {
    let folder = folder();
    for Row { call, inputs, .. } in
        ROWS.iter().filter(|row| row.call[0] == "bake" && row.call[1] != "map.geojson")
    {
        let how: &[&str] =
            if call.contains(&"--shard") || call.contains(&"--resume") { &[] } else { &["--resume"] };
        for input in *inputs {
            for is_hard in [true, false] {
                let name = folder.path("out.navtile.unfinished");
                match is_hard {
                    true => std::fs::hard_link(folder.path(input), &name).unwrap(),
                    false => std::os::unix::fs::symlink(input, &name).unwrap(),
                }
                let before = contents(&folder);
                let call = [*call, how, &["-o", "out.navtile"]].concat();
                let run = folder.run(&call);
                assert_eq!(run.status, 2, "{call:?} over {input}: {} {}", run.stdout, run.stderr);
                assert!(contents(&folder) == before, "{call:?} over {input}");
                std::fs::remove_file(&name).unwrap();
            }
        }
    }
}

#[test]
fn files_of_agents_and_of_materials_overwrite_no_input() {
    let folder = folder();
    folder.write("s.cat.navtile", "[[agent]]\nname = \"cat\"\n[[agent]]\nname = \"dog\"\n");
    std::fs::hard_link(folder.path("level.navtile"), folder.path("level.mtl")).unwrap();
    let before = contents(&folder);
    for call in [
        &["bake", "mesh.obj", "-c", "s.cat.navtile", "-o", "s.navtile"][..],
        &["export", "level.navtile", "--to", "obj", "-o", "level.obj"],
    ] {
        folder.run(call).expect(2).says(&["the result would overwrite its own input"]);
        assert!(contents(&folder) == before, "{call:?}");
    }
    // `init` reads nothing, and replaces nothing.
    folder.write("s.toml", "old").run(&["init", "s.toml"]).expect(3).says(&["already exists"]);
    assert_eq!(folder.read("s.toml"), b"old");
}

/// A file with the name for finished tiles that is not such a file is not changed.
#[cfg(unix)]
#[test]
fn a_foreign_file_is_not_taken_for_finished_tiles() {
    let folder = Folder::new();
    folder.write("level.obj", level()).write("mine.txt", "my important text");
    let bake = |how: &[&str]| {
        folder.run(&[&["bake", "level.obj", "--tile-size", "4", "-o", "out.navtile"], how].concat())
    };
    let name = folder.path("out.navtile.unfinished");
    let refused = |what: &str| {
        for how in [&["--resume"][..], &["--shard", "1/2"]] {
            let run = bake(how);
            assert_eq!(run.status, 3, "{what}: {}", run.stderr);
            run.says(&["out.navtile.unfinished", what, "it was not changed", "help: move it away"]);
            assert!(!folder.path("out.navtile").exists());
        }
    };
    std::os::unix::fs::symlink("mine.txt", &name).unwrap();
    refused("it is a symbolic link");
    std::fs::remove_file(&name).unwrap();
    std::os::unix::fs::symlink("missing.txt", &name).unwrap();
    refused("it is a symbolic link");
    assert!(!folder.path("missing.txt").exists());
    std::fs::remove_file(&name).unwrap();
    std::fs::create_dir(&name).unwrap();
    refused("it is a folder");
    std::fs::remove_dir(&name).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&name).status().unwrap().success());
    refused("it is a pipe");
    std::fs::remove_file(&name).unwrap();
    for content in ["my notes", "N", "NVPAR", "NAVPART02"] {
        std::fs::write(&name, content).unwrap();
        refused("it is another kind of file");
        assert_eq!(std::fs::read_to_string(&name).unwrap(), content);
    }
    assert_eq!(folder.read("mine.txt"), b"my important text");
    for content in ["", "NVPART", "NVPART99 of a later version", "NVPART03\u{1}\0\0\0"] {
        std::fs::write(&name, content).unwrap();
        bake(&["--resume"]).expect(0);
        assert!(!name.exists());
    }
}

/// Folders are made for results, and not for a run that fails before it writes.
#[test]
fn folders_of_results_are_made_once_the_input_is_read() {
    let folder = folder();
    let fails = folder.write("broken.obj", "f 1 2 3\n").run(&["bake", "broken.obj", "-o", "new/a.navtile"]);
    assert!(fails.status == 3 && !folder.path("new").exists(), "{}", fails.stderr);
    for how in ["--check", "--estimate"] {
        let run = folder.run(&["bake", "mesh.obj", "-o", "new/a.navtile", how]);
        assert!(run.status < 2 && !folder.path("new").exists(), "{how}: {}", run.stderr);
    }
    let mut made = 0;
    for Row { call, results, .. } in &ROWS {
        for (option, ending) in *results {
            made += 1;
            let path = format!("new{made}/deep/result.{ending}");
            let named =
                if option.starts_with('-') { vec![*option, path.as_str()] } else { vec![path.as_str()] };
            let out = format!("new{made}/other/unnamed.navtile");
            let out: &[&str] = if call[0] == "bake" && *option != "-o" { &["-o", &out] } else { &[] };
            // A list of chunks must be in the folder of its files or above it.
            let expected = if call[0] == "chunks" { 2 } else { 0 };
            let run = folder.run(&[*call, &named[..], out].concat());
            assert!(run.status == expected || call[0] == "crowd", "{call:?} {named:?}: {}", run.stderr);
            assert_eq!(folder.path(&path).is_file(), expected == 0, "{call:?} {named:?}: {}", run.stderr);
        }
    }
    folder
        .run(&["bake", "mesh.obj", "-o", "mesh.obj/a.navtile"])
        .expect(3)
        .says(&["mesh.obj: it is not a folder"]);
}
