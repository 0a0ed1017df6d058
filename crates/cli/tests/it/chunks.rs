//! Levels in chunks, and files that do not fit in memory: the same bytes as for a level that is held whole,
//! in one bake and in shares. Chunks that differ from their list are refused by name.

use crate::common::{Folder, Run};
use navscenes::random::SplitMix64;

const TILES: [&str; 2] = ["--tile-size", "9"];

/// A level of several chunks in `level/`, each a floor with boxes on it, and its list in `level.toml`.
fn chunks(seed: u64) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("level")).unwrap();
    let mut random = SplitMix64::new(seed);
    for x in 0..4 {
        for z in 0..3 {
            folder.write(
                &format!("level/{x}_{z}.obj"),
                chunk([f64::from(x) * 15.0, f64::from(z) * 15.0], &mut random),
            );
        }
    }
    folder.run(&["chunks", "level", "-o", "level.toml"]).expect(0);
    folder
}

/// Ground of 15 by 15 m that meets its neighbours, some mud on it, a wall across the border, and a sliver.
fn chunk([x, z]: [f64; 2], random: &mut SplitMix64) -> String {
    let mut text = String::from("usemtl grass\n");
    let mut count = 0;
    let mut quad = |name: &str, corners: [[f64; 3]; 4]| {
        text.push_str(&format!("usemtl {name}\n"));
        corners.iter().for_each(|[x, y, z]| text.push_str(&format!("v {x} {y} {z}\n")));
        text.push_str(&format!("f {} {} {} {}\n", count + 1, count + 2, count + 3, count + 4));
        count += 4;
    };
    let flat =
        |x: f64, y: f64, z: f64, w: f64, d: f64| [[x, y, z], [x, y, z + d], [x + w, y, z + d], [x + w, y, z]];
    quad("grass", flat(x, 0.0, z, 15.0, 15.0));
    for _ in 0..40 {
        let [u, v] = [0, 1].map(|_| (random.next_u64() % 120) as f64 / 10.0);
        quad("mud", flat(x + u, 0.05, z + v, 2.0, 3.0));
        quad("stone", flat(x + v, 2.5, z + u, 4.0, 4.0));
    }
    quad(
        "stone",
        [[x - 2.0, 0.0, z + 4.0], [x + 6.0, 0.0, z + 4.0], [x + 6.0, 2.0, z + 4.0], [x - 2.0, 2.0, z + 4.0]],
    );
    text.push_str("usemtl grass\nf 1 1 2\n");
    text
}

fn bake(folder: &Folder, level: &str, out: &str, more: &[&str]) -> Run {
    folder.run(&[&["bake", level, "-o", out, "-q"], &TILES[..], more].concat())
}

const MUD: &str = "[[area]]\nname = \"mud\"\nid = 5\nmaterials = [\"mud\"]\n";

#[test]
fn chunks_are_the_level_that_is_held_whole() {
    for seed in [1, 2] {
        let folder = chunks(seed);
        folder.write("s.toml", MUD);
        folder.write(
            "p.toml",
            "[[obstacle]]\nkind = \"box\"\nsize = [2.0, 1.0, 1.0]\nat = [14.0, 0.0, 14.0]\nsolid = true\n",
        );
        for more in [
            &["-c", "s.toml"][..],
            &["--dynamic", "--obstacles", "p.toml"],
            &["--partition", "layers", "--exclude-material", "stone", "--bounds", "0,-1,0,60,9,45"],
        ] {
            let whole = bake(&folder, "level", "whole.navtile", more).expect(0);
            let listed = bake(&folder, "level.toml", "listed.navtile", more).expect(0);
            assert!(folder.read("whole.navtile") == folder.read("listed.navtile"), "{seed} {more:?}");
            let sorted = |run: &Run| {
                let mut lines: Vec<String> = run.stderr.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted(&whole), sorted(&listed), "the same warnings");
            let tight = [more, &["--memory", "17MiB"]].concat();
            bake(&folder, "level.toml", "tight.navtile", &tight).expect(0);
            assert!(folder.read("whole.navtile") == folder.read("tight.navtile"), "{seed} {more:?}");
            let parts: Vec<String> = (1..=3)
                .map(|share| {
                    let name = format!("{share}.navpart");
                    let shard = format!("{share}/3");
                    bake(&folder, "level.toml", &name, &[more, &["--shard", &shard]].concat()).expect(0);
                    name
                })
                .collect();
            let mut join = vec!["join", "-o", "joined.navtile"];
            join.extend(parts.iter().map(String::as_str));
            let joined = folder.run(&join).expect(0);
            assert!(folder.read("whole.navtile") == folder.read("joined.navtile"), "{seed} {more:?}");
            assert!(joined.stderr.contains("12 degenerate triangles"), "{}", joined.stderr);
        }
    }
}

#[test]
fn a_file_that_memory_does_not_hold_is_read_as_a_stream() {
    let folder = Folder::new();
    let mut random = SplitMix64::new(3);
    let (mut text, mut count) = (String::new(), 0);
    for x in 0..60 {
        // The chunks number their corners from one.
        for line in chunk([f64::from(x) * 15.0, 0.0], &mut random).lines() {
            match line.strip_prefix("f ") {
                None => text.push_str(line),
                Some(corners) => {
                    let moved =
                        corners.split(' ').map(|corner| (corner.parse::<u32>().unwrap() + count).to_string());
                    text.push_str(&format!("f {}", moved.collect::<Vec<_>>().join(" ")));
                }
            }
            text.push('\n');
        }
        count += 4 * 82;
        text.push_str(&"# a long remark that makes the file larger than it has to be\n".repeat(2000));
    }
    folder.write("level.obj", text).write("s.toml", MUD);
    let whole = bake(&folder, "level.obj", "whole.navtile", &["-c", "s.toml"]).expect(0);
    let stream =
        bake(&folder, "level.obj", "stream.navtile", &["-c", "s.toml", "--memory", "24MiB", "--json"]);
    assert_eq!(stream.status, 2, "-q and --json exclude each other");
    let stream = folder
        .run(
            &[
                &["bake", "level.obj", "-o", "stream.navtile", "--json", "-c", "s.toml", "--memory", "24MiB"],
                &TILES[..],
            ]
            .concat(),
        )
        .expect(0);
    assert!(folder.read("whole.navtile") == folder.read("stream.navtile"));
    assert!(stream.json()["phase_ms"]["bounds"].is_number(), "it was read in chunks");
    assert!(whole.stderr.contains("60 degenerate triangles"), "{}", whole.stderr);
    folder.write("bad.obj", [&folder.read("level.obj")[..], b"\nf 1 2 99999\n"].concat());
    let bad = bake(&folder, "bad.obj", "bad.navtile", &["--memory", "24MiB"]).expect(3);
    bad.says(&["bad.obj: line ", "99999"]);
}

#[test]
fn a_list_of_chunks_resumes_and_reuses_what_did_not_change() {
    let folder = chunks(4);
    bake(&folder, "level.toml", "a.navtile", &[]).expect(0);
    bake(&folder, "level.toml", "a.navtile", &["--check"]).expect(0);
    let moved = String::from_utf8(folder.read("level/1_1.obj")).unwrap().replace("2.5", "2.9");
    folder.write("level/1_1.obj", moved);
    bake(&folder, "level.toml", "a.navtile", &["--check"])
        .expect(3)
        .says(&["level/1_1.obj", "navtile chunks"]);
    folder.run(&["chunks", "level", "-o", "level.toml"]).expect(0);
    bake(&folder, "level.toml", "a.navtile", &["--check"]).expect(1);
    let changed =
        folder.run(&[&["bake", "level.toml", "-o", "a.navtile", "--changed", "--json"], &TILES[..]].concat());
    let tiles = changed.expect(0).json()["tiles"].clone();
    assert!(
        tiles["baked"].as_u64() < tiles["written"].as_u64() && tiles["baked"].as_u64() > Some(0),
        "{tiles}"
    );
    bake(&folder, "level", "whole.navtile", &[]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("whole.navtile"));
    bake(&folder, "level.toml", "a.navtile", &["--resume"]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("whole.navtile"));
    folder.run(&[&["bake", "level.toml", "--estimate"], &TILES[..]].concat()).expect(0);
}

#[test]
fn chunks_stand_where_their_list_puts_them() {
    let folder = Folder::new();
    folder.write("a.obj", chunk([0.0, 0.0], &mut SplitMix64::new(5)));
    let text = "[[chunk]]\nfile = \"a.obj\"\n[[chunk]]\nfile = \"a.obj\"\nat = [15, 0, 0]\n[[chunk]]\nfile = \"a.obj\"\nat = [15, 0, 30]\nyaw = 90\n";
    folder.write("twice.toml", text);
    bake(&folder, "twice.toml", "a.navtile", &[]).expect(0);
    // The list states the bounds that were found.
    folder.run(&["chunks", "twice.toml", "-o", "stated.toml"]).expect(0);
    bake(&folder, "stated.toml", "b.navtile", &[]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"));
    let stated = String::from_utf8(folder.read("stated.toml")).unwrap();
    assert!(
        stated.matches("bounds = ").count() == 3
            && stated.contains("materials = [\"grass\", \"mud\", \"stone\"]"),
        "{stated}"
    );
    folder.run(&["explain", "stated.toml", "--at", "20,0,10"]).expect(0);
}

#[test]
fn what_a_list_cannot_mean_is_refused_by_name() {
    let folder = chunks(6);
    let list = String::from_utf8(folder.read("level.toml")).unwrap();
    let refused = |text: &str, status: i32, words: &[&str]| {
        folder.write("bad.toml", text);
        bake(&folder, "bad.toml", "bad.navtile", &["-c", "s.toml"]).expect(status).says(words);
        assert!(!folder.path("bad.navtile").exists());
    };
    folder.write("s.toml", MUD);
    refused("", 2, &["no chunks"]);
    refused("[[chunk]]\nfile = \"../a.obj\"\n", 3, &["chunk[0].file is outside the folder"]);
    refused("[[chunk]]\nfile = \"a.png\"\n", 3, &["chunk[0].file is a.png", ".obj, .gltf or .glb"]);
    refused("[[chunk]]\nfile = \"none.obj\"\n", 3, &["none.obj", "cannot be read"]);
    refused(
        "[[chunk]]\nfil = \"a.obj\"\n",
        2,
        &["2 errors in the list of chunks", "line 2", "the nearest key is `chunk.file`"],
    );
    refused(&list.replace("\"mud\"", "\"sand\""), 2, &["mud"]);
    folder
        .run(&["bake", "level.toml", "level/0_0.obj", "-o", "bad.navtile"])
        .expect(2)
        .says(&["a level by itself"]);
    folder.run(&["studio", "level.toml"]).expect(2).says(&["list of chunks"]);
    bake(&folder, "level.toml", "level.toml", &[]).expect(2).says(&["overwrite"]);
    bake(&folder, "level.toml", "level/0_0.obj", &[]).expect(2).says(&["overwrite"]);
    folder.run(&["chunks", "level", "-o", "level/0_0.obj"]).expect(2).says(&["overwrite"]);
}

#[test]
fn shards_of_other_chunks_are_not_joined() {
    let folder = chunks(7);
    let shard = |index: u32| {
        let (name, share) = (format!("{index}.navpart"), format!("{index}/3"));
        bake(&folder, "level.toml", &name, &["--shard", &share]).expect(0);
    };
    (1..=3).for_each(shard);
    // Some of them are read by several shards; their bounds stay.
    for name in (0..12).map(|index| format!("level/{}_{}.obj", index / 3, index % 3)) {
        let text = String::from_utf8(folder.read(&name)).unwrap();
        folder.write(&name, format!("{text}f 1 3 2\n"));
    }
    let join = || folder.run(&["join", "1.navpart", "2.navpart", "3.navpart", "-o", "joined.navtile"]);
    let mut is_refused = false;
    for index in 1..=3 {
        shard(index);
        let run = join();
        if run.status != 0 {
            run.expect(3).says(&["was baked from another version of chunk ", " of the level"]);
            is_refused = true;
        }
    }
    assert!(is_refused, "each chunk is read by one shard alone");
    join().expect(0);
    bake(&folder, "level", "whole.navtile", &[]).expect(0);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"));
}
