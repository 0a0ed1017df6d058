//! The files that the program reads and writes: no file of the user is overwritten, under whatever name; `-`
//! is standard input or output; pipes and devices are refused; an interruption ends everything at once.

use crate::common::{Folder, Run, level};

/// A glTF file with one triangle, and its buffer.
fn gltf(folder: &Folder) {
    let corners: [f32; 9] = [0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"uri":"level.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[9,0,9]}]}"#;
    folder.write("level.gltf", text).write("level.bin", bytes);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = Folder::baked();
    gltf(&folder);
    folder.write("s.toml", "cell_size = 0.3\n").write("page.html", folder.read("level.bin"));
    std::fs::hard_link(folder.path("level.obj"), folder.path("hard.obj")).unwrap();
    let linked =
        std::fs::read_to_string(folder.path("level.gltf")).unwrap().replace("level.bin", "page.html");
    folder.write("paged.gltf", linked);
    let before: Vec<Vec<u8>> = folder.names().iter().map(|name| folder.read(name)).collect();
    for call in [
        &["bake", "level.obj", "--events", "level.obj"][..],
        &["bake", "level.obj", "--events", "hard.obj"],
        &["bake", "level.obj", "-o", "hard.obj"],
        &["bake", "level.obj", "--events", "level.navtile"],
        &["bake", "missing.obj", "-o", "level.navtile", "--events", "level.navtile"],
        &["bake", "level.obj", "-c", "s.toml", "--events", "s.toml"],
        &["bake", "level.gltf", "-o", "level.bin"],
        &["bake", "level.gltf", "-o", "out.navtile", "--events", "level.bin"],
        &["bake", "paged.gltf", "-o", "out.navtile", "--report", "page.html"],
        &["dump", "level.navtile", "-o", "./level.navtile"],
    ] {
        folder.run(call).expect(2);
        let after: Vec<Vec<u8>> = folder.names().iter().map(|name| folder.read(name)).collect();
        assert!(before == after, "{call:?}");
    }
    folder.run(&["bake", "level.gltf", "-o", "out.navtile"]).expect(0);
}

#[test]
fn agents_whose_files_differ_in_case_alone_are_refused() {
    let folder = Folder::new();
    let agents = "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"A\"\n";
    folder.write("level.obj", level()).write("s.toml", agents);
    let run = folder.run(&["bake", "level.obj", "-c", "s.toml"]);
    assert!(run.status == 2, "{}", run.stderr);
    assert_eq!(folder.names(), ["level.obj", "s.toml"]);
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let folder = Folder::baked();
    let run = folder.run_with_input(&["bake", "-", "-o", "piped.navtile"], &level()).expect(0);
    assert!(run.stdout.contains("piped.navtile"), "{}", run.stdout);
    assert_eq!(folder.read("piped.navtile"), folder.read("level.navtile"));
    folder.run_with_input(&["bake", "-"], &level()).expect(2).says(&["name the result with -o"]);
    let output = folder.command(&["bake", "level.obj", "-o", "-"]).output().unwrap();
    assert!(output.status.success() && output.stdout == folder.read("level.navtile"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("polygons"), "the report");
    folder.write("pipe.sh", format!("exec \"{}\" \"$@\" < level.navtile\n", env!("CARGO_BIN_EXE_navtile")));
    for call in [
        &["info", "-"][..],
        &["verify", "-"],
        &["dump", "-", "-o", "-"],
        &["render", "-", "-o", "-"],
        &["compact", "-", "-o", "-"],
        &["export", "-", "--to", "json", "-o", "-"],
        &["path", "-", "--from", "-4,0,-4", "--to", "4,0,4"],
    ] {
        let mut command = std::process::Command::new("sh");
        let output = command.arg("pipe.sh").args(call).current_dir(folder.path("")).output().unwrap();
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !output.stdout.is_empty(), "{call:?}: {report}");
    }
    folder.run(&["bake", "level.obj", "-o", "-", "--events", "-"]).expect(2).says(&["two results"]);
}

#[test]
fn settings_sets_and_maps_are_read_from_standard_input() {
    let folder = Folder::baked();
    let wide = ["bake", "level.obj", "-c", "-", "-o", "wide.navtile"];
    folder.run_with_input(&wide, "[agent]\nradius = 1.0\n").expect(0);
    folder.run(&["bake", "level.obj", "--agent-radius", "1", "-o", "option.navtile"]).expect(0);
    assert_eq!(folder.read("wide.navtile"), folder.read("option.navtile"));
    folder.run_with_input(&wide, "[agent]\nradius = true\n").expect(2).says(&["-: 1 error", "line 2"]);
    let set = "f level.obj\nc -4 0 -4 4 0 4 0.5 1 5 8\n";
    folder.write("level.gset", set).run(&["bake", "level.gset", "-o", "file.navtile"]).expect(0);
    folder.run_with_input(&["bake", "-", "-o", "set.navtile"], set).expect(0);
    assert_eq!(folder.read("set.navtile"), folder.read("file.navtile"));
    let map = r#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}"#;
    folder.write("map.geojson", map).run(&["bake", "map.geojson", "-o", "file.navtile"]).expect(0);
    folder.run_with_input(&["bake", "-", "-o", "map.navtile"], map).expect(0);
    assert_eq!(folder.read("map.navtile"), folder.read("file.navtile"));
    folder.run_with_input(&["bake", "-", "-o", "corners.navtile"], "0 0\n9 0\n9 9\n0 9\n").expect(0);
    assert_eq!(folder.read("corners.navtile"), folder.read("file.navtile"));
    folder.run_with_input(&["bake", "-"], map).expect(2).says(&["name the result with -o"]);
}

#[test]
fn a_set_of_detour_is_imported_from_standard_input() {
    let folder = Folder::baked();
    folder.run(&["export", "level.navtile", "--to", "mset", "-o", "set.bin"]).expect(0);
    folder.run(&["import", "set.bin", "-o", "file.navtile"]).expect(0);
    folder.write("pipe.sh", format!("exec \"{}\" \"$@\" < set.bin\n", env!("CARGO_BIN_EXE_navtile")));
    let mut command = std::process::Command::new("sh");
    command.args(["pipe.sh", "import", "-", "-o", "piped.navtile"]).current_dir(folder.path(""));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.read("piped.navtile"), folder.read("file.navtile"));
}

#[test]
fn standard_input_is_read_once() {
    let folder = Folder::baked();
    for call in [
        &["bake", "-", "-", "-o", "out.navtile"][..],
        &["bake", "-", "level.obj", "-", "-o", "out.navtile"],
        &["bake", "-", "-c", "-", "-o", "out.navtile"],
        &["explain", "-", "-c", "-", "--at", "0,0,0"],
        &["bench", "-", "-c", "-"],
        &["diff", "-", "-"],
        &["import", "-", "-", "-o", "out.navtile"],
    ] {
        folder.run_with_input(call, "").expect(2).says(&["standard input", "twice"]);
    }
    assert_eq!(folder.names(), ["level.navtile", "level.obj"]);
}

/// A glTF whose names have line breaks, and other inputs with such names: a list of chunks, a map.
fn gltf_of_lines(folder: &Folder) {
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"name":"n\nforged"},{"mesh":1}],
        "materials":[{"name":"m\nforged"}],
        "meshes":[{"name":"l\nforged","primitives":[{"attributes":{"POSITION":0},"material":0}]},
            {"name":"l\nforged","primitives":[{"attributes":{"POSITION":0},"material":0,"mode":0}]}],
        "buffers":[{"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBAAAQQQAAAAAAAAAA","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[9,0,9]}]}"#;
    folder.write("lines.gltf", text).write("gone.gltf", text.replace("data:application", "x\\nforged"));
    folder.write("odd.gltf", text.replace("\"2.0\"", "\"2\\nforged\""));
    folder.write("world.toml", "[[chunk]]\nfile = \"x\\nforged.obj\"\nmaterials = [\"x\\nforged\"]\n");
    folder.write("set.gset", "f x\rforged.obj\n");
    folder.write("map.geojson", r#"{"type":"Feature","id":"x\nforged","properties":{"name":"x\nforged","area":"x\nforged","kind":"x\nforged"},
        "geometry":{"type":"Polygon","coordinates":[[[0,0],[9,9],[9,0],[0,9],[0,0]]]}}"#);
    folder.write(
        "obstacles.toml",
        "[[obstacle]]\nkind = \"mesh\"\nfile = \"x\\nforged.obj\"\narea = \"y\\nforged\"\n",
    );
    folder.write("crowd.toml", "seconds = 0.1\n[[agents]]\nname = \"x\\nforged\"\ncount = 1\nstart.box = [[-5, -1, -5], [-3, 1, -3]]\ngoal.into.box = [[3, -1, 3], [5, 1, 5]]\n\
        [[gate]]\nname = \"x\\nforged\"\nline = [[-1, 0, 2], [1, 0, 2]]\n[check]\nflow = { \"x\\nforged\" = 1.0 }\n");
    folder.write("chase.toml", "[[agents]]\nname = \"x\\nforged\"\nkind = \"y\\nforged\"\nchase = \"z\\nforged\"\n\"w\\nforged\" = 1\n");
}

/// Calls that print names of files that hold them, in reports, warnings and errors.
const CALLS_WITH_HOSTILE_NAMES: [&[&str]; 31] = [
    &["bake", "plain.obj", "-c", "s.toml"],
    &["bake", "level.obj", "-c", "s.toml", "--agent", "\u{1b}[2J"],
    &["bake", "\u{1b}[2J.obj"],
    &["bake", "level.obj", "--include-material", "\u{1b}[2J"],
    &["explain", "level.obj", "-c", "s.toml", "--at", "3,0,3"],
    &["dump", "level.navtile"],
    &["path", "level.navtile", "--from", "-4,0,-4", "--to", "4,0,4", "--optimal"],
    &["verify", "level.navtile"],
    &["diff", "level.navtile", "level.navtile"],
    &["diff", "level.navtile", "plain.navtile"],
    &["bake", "lines.gltf", "-c", "s.toml", "-v"],
    &["bake", "lines.gltf", "--include-material", "none"],
    &["bake", "gone.gltf"],
    &["bake", "odd.gltf"],
    &["bake", "world.toml"],
    &["bake", "set.gset"],
    &["bake", "map.geojson", "-c", "s.toml"],
    &["bake", "level.obj", "-c", "s.toml", "--dynamic", "--obstacles", "obstacles.toml"],
    &["bake", "lines.gltf", "-c", "crowd.toml"],
    &["explain", "lines.gltf", "--at", "3,0,3"],
    &["nearest", "level.navtile", "--at", "4,0,4"],
    &["raycast", "level.navtile", "--from", "-4,0,-4", "--to", "4,0,4"],
    &["path", "level.navtile", "--from", "-4,0,-4", "--to", "4,0,4", "--avoid", "none"],
    &["crowd", "level.navtile", "-c", "crowd.toml", "--check", "--record", "r.navcrowd"],
    &["crowd", "level.navtile", "-c", "chase.toml"],
    &["crowd", "level.navtile", "--play", "r.navcrowd"],
    &["info", "level.navtile", "--links"],
    &["bench", "lines.gltf", "-c", "s.toml", "--repeat", "1"],
    &["export", "level.navtile", "--to", "mset", "-o", "set.bin"],
    &["import", "set.bin", "-o", "set.navtile"],
    &["render", "level.navtile", "-o", "level.svg"],
];

/// A name can neither control the terminal nor make a line of its own.
#[test]
fn names_do_not_act_on_the_terminal() {
    let folder = Folder::new();
    let name = "mud\u{1b}[2J\u{9b}31m\u{202e}\r\nforged";
    let toml = "[[area]]\nid = 2\nname = \"mud\\u001b[2J\\u009b31m\\u202e\\r\\nforged\"\nmaterials = [\"a\\u001bb\"]\n";
    gltf_of_lines(&folder);
    let text = level().replace("o level", "usemtl a\u{1b}b");
    folder.write("level.obj", &text).write("s.toml", toml);
    let mut runs = vec![folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0)];
    let info = folder.run(&["info", "level.navtile"]).expect(0);
    assert!(info.stdout.contains(r"mud\u{1b}[2J\u{9b}31m\u{202e}\r"), "{}", info.stdout);
    let json = folder.run(&["info", "level.navtile", "--json"]).expect(0).json();
    assert!(json["areas"].as_array().unwrap().iter().any(|area| area["name"] == name), "{json}");
    runs.push(info);
    folder.write("plain.obj", level());
    for call in CALLS_WITH_HOSTILE_NAMES {
        let run = folder.run(call);
        assert_ne!(run.status, 101, "{call:?}: {}", run.stderr);
        runs.push(run);
    }
    for Run { stdout, stderr, .. } in runs {
        for text in [stdout, stderr] {
            let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(acts), "{text:?}");
            assert!(!text.lines().any(|line| line.trim_start().starts_with("forged")), "{text}");
        }
    }
}

#[test]
fn what_is_not_read_is_named() {
    let folder = Folder::baked();
    folder.write("level.fbx", level());
    folder.run(&["bake", "level.fbx"]).expect(2).says(&[
        "level.fbx",
        ".fbx are not supported",
        ".gltf",
        ".geojson",
    ]);
    folder.run(&["export", "level.navtile", "--to", "mset", "-o", "set.bin"]).expect(0);
    for call in [&["info", "set.bin"][..], &["path", "set.bin", "--from", "0,0,0", "--to", "1,0,1"]] {
        folder.run(call).expect(3).says(&["mesh of Detour", "navtile import set.bin -o set.navtile"]);
    }
    folder.write("map.geojson", r#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}"#);
    folder.run(&["bake", "map.geojson", "--agent-radius", "0.5"]).expect(0);
    for (option, value) in [("--partition", "layers"), ("--cell-size", "0.3"), ("--include-material", "a")] {
        folder.run(&["bake", "map.geojson", option, value]).expect(2).says(&["does not apply to maps"]);
    }
    folder.write("s.toml", "cell_size = 0.7\n");
    folder
        .run(&["bake", "map.geojson", "-c", "s.toml"])
        .expect(2)
        .says(&["`cell_size`", "does not apply to maps"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_no_file_is_refused_without_opening_it() {
        let folder = Folder::baked();
        let pipe = folder.path("pipe.obj");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink("pipe.obj", folder.path(".navtile-x.tmp")).unwrap();
        assert!(Command::new("mkfifo").arg(folder.path(".navtile-y.tmp")).status().unwrap().success());
        folder.run(&["bake", "pipe.obj"]).expect(3).says(&["pipe, socket or device"]);
        folder.run(&["info", "/dev/zero"]).expect(3).says(&["pipe, socket or device"]);
        std::os::unix::fs::symlink("nowhere", folder.path("dangling.navtile")).unwrap();
        folder.run(&["bake", "level.obj", "-o", "dangling.navtile"]).expect(3).says(&["symbolic link"]);
        folder.run(&["bake", "level.obj"]).expect(0);
        let sparse = std::fs::File::create(folder.path("sparse.navtile")).unwrap();
        if sparse.set_len(1 << 42).is_ok() {
            for command in ["info", "verify", "dump"] {
                folder.run(&[command, "sparse.navtile"]).expect(3).says(&["larger than the memory"]);
            }
            std::fs::rename(folder.path("sparse.navtile"), folder.path("sparse.obj")).unwrap();
            folder.run(&["bake", "sparse.obj"]).expect(3).says(&["larger than the memory"]);
        }
    }

    /// As a shell names the output of a command: `-c <(command)`.
    #[test]
    fn settings_and_obstacles_are_read_from_pipes() {
        let folder = Folder::baked();
        let obstacles = "[[obstacle]]\nkind = \"box\"\nat = [3, 0, 3]\nsize = [1, 1, 1]\nsolid = true\n";
        folder.write("s.toml", "[agent]\nradius = 1.0\n").write("p.toml", obstacles);
        let piped = |input: &str, call: &str| {
            let program = env!("CARGO_BIN_EXE_navtile");
            let script = format!("cat {input} > pipe & exec {program} {call}");
            let output =
                Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        };
        assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
        piped("s.toml", "bake level.obj -c pipe -o piped.navtile");
        folder.run(&["bake", "level.obj", "-c", "s.toml", "-o", "plain.navtile"]).expect(0);
        assert_eq!(folder.read("piped.navtile"), folder.read("plain.navtile"));
        piped("p.toml", "bake level.obj --dynamic --obstacles pipe -o piped.navtile");
        folder
            .run(&["bake", "level.obj", "--dynamic", "--obstacles", "p.toml", "-o", "plain.navtile"])
            .expect(0);
        assert_eq!(folder.read("piped.navtile"), folder.read("plain.navtile"));
        folder.run(&["bake", "level.obj", "-c", "/dev/zero"]).expect(3).says(&["pipe, socket or device"]);
    }

    /// In a folder in which nobody can write, not even root.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_check_needs_no_folder_that_can_be_written_to() {
        let folder = Folder::baked();
        let check = |result: &str| folder.run(&["bake", "level.obj", "-o", result, "--check"]);
        let run = check("/proc/level.navtile").expect(1);
        assert!(run.stdout.contains("/proc/level.navtile: out of date: it does not exist"), "{}", run.stdout);
        folder.run(&["bake", "level.obj", "-o", "/proc/level.navtile", "--estimate"]).expect(0);
        folder.run(&["bake", "level.obj", "-o", "/proc/level.navtile"]).expect(3).says(&["folder /proc"]);
        check("level.navtile").expect(0);
    }

    #[test]
    fn a_signal_ends_a_bake_at_once() {
        let folder = Folder::new();
        let mut text = String::new();
        // Ground over itself: one stage takes far longer than the test waits.
        for plate in 0..20_000 {
            let y = f64::from(plate) * 1e-4;
            text += &format!("v 0 {y} 0\nv 0 {y} 90\nv 90 {y} 90\nf -3 -2 -1\n");
        }
        folder.write("level.obj", text);
        // Not -INT: programs in the background of a script are started with it ignored.
        for signal in ["-TERM", "-USR1"] {
            let mut child = folder
                .command(&["bake", "level.obj", "--threads", "1", "--tile-size", "off"])
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(700));
            let asked = Instant::now();
            Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
            assert!(!child.wait().unwrap().success(), "{signal} came too late");
            let mut report = String::new();
            child.stderr.take().unwrap().read_to_string(&mut report).unwrap();
            assert!(signal == "-USR1" || report.contains("a bake with --resume keeps"), "{report}");
            assert!(asked.elapsed() < Duration::from_secs(1), "{signal}: {:?}", asked.elapsed());
            assert_eq!(folder.names(), ["level.obj"]);
        }
    }

    #[test]
    fn threads_that_cannot_be_started_are_an_error() {
        let folder = Folder::baked();
        for call in ["bake level.obj", "info level.navtile"] {
            let script = format!("ulimit -v 1500000; exec {} {call}", env!("CARGO_BIN_EXE_navtile"));
            let mut command = Command::new("sh");
            command.args(["-c", &script]).env("RUST_MIN_STACK", "4000000000").current_dir(folder.path(""));
            let output = command.output().unwrap();
            let report = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(3), "{call}: {report}");
            assert!(report.contains("threads could not be started"), "{call}: {report}");
        }
    }
}
