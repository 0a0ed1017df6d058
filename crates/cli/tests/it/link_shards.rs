//! Links in shares, in chunks and in resumed bakes equal those of a single bake.

use crate::common::{Folder, Run, add_box};
use navbake::{LevelBake, LevelFile, Silent};

const PROFILES: &str = "[[area]]\nid = 9\nname = \"rungs\"\nmaterials = [\"ladder\"]\n\
    [[links]]\nkind = \"drop\"\nheight = [0.5, 6.0]\n\
    [[links]]\nkind = \"jump\"\ndistance = [0.0, 3.0]\nheight = [1.0, 1.0]\n\
    [[links]]\nkind = \"climb\"\nheight = [0.5, 0.9]\n\
    [[links]]\nkind = \"ladder\"\nheight = [0.9, 12.0]\nsurface = \"rungs\"\n\
    [[volume]]\nshape = \"box\"\nmin = [23.0, 0.0, 12.0]\nmax = [24.2, 1.2, 13.0]\narea = \"rungs\"\n";
const AGENT: &str = "[agent]\nradius = 0.4\nclimb = 0.45\nheight = 1.8\n";

/// A level with a ladder against the side of something 1.1 m high at x = 24, by its text.
fn with_ladder(mut text: String) -> String {
    text.push_str("usemtl ladder\nv 23.9 0 6\nv 23.9 0 7\nv 23.9 1.1 7\nv 23.9 1.1 6\nf -4 -3 -2 -1\n");
    text
}

/// The levels of a shooter, and boxes, each with ladders.
fn levels() -> Vec<(&'static str, String)> {
    let shooter = navscenes::shooter::scenes().iter();
    let mut all: Vec<(&str, String)> =
        shooter.map(|scene| (scene.name, navscenes::to_obj(&(scene.level)(), &(scene.settings)()))).collect();
    let mut boxes = navscenes::to_obj(&navscenes::boxes(3, 40), &recast::Settings::default());
    add_box(&mut boxes, [24.0, 0.0, 4.0], [30.0, 1.1, 14.0]);
    all.push(("boxes", boxes));
    all.into_iter().map(|(name, text)| (name, with_ladder(text))).collect()
}

fn folder(level: &str, settings: &str) -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", level);
    folder.write("links.toml", format!("{settings}\n{PROFILES}"));
    folder
}

fn bake(folder: &Folder, level: &str, more: &[&str]) -> Run {
    folder.run(&[&["bake", level, "-q", "-c", "links.toml"], more].concat())
}

/// Bakes all shares and joins them in reverse order.
fn joined(folder: &Folder, level: &str, of: u32, more: &[&str]) -> Vec<String> {
    let one = |index: u32| {
        let (shard, name) = (format!("{index}/{of}"), format!("{index}.navpart"));
        bake(folder, level, &[&["--shard", &shard, "-o", &name], more].concat()).expect(0);
        name
    };
    let shards: Vec<String> = (1..=of).map(one).collect();
    let names: Vec<&str> = shards.iter().rev().map(String::as_str).collect();
    folder.run(&[&["join", "-q", "-o", "joined.navtile"], &names[..]].concat()).expect(0);
    shards
}

fn count(folder: &Folder, file: &str, kind: &str) -> u64 {
    folder.run(&["info", file, "--json"]).expect(0).json()["generated_links"][kind].as_u64().unwrap()
}

#[test]
fn shares_joined_have_the_links_of_a_bake_in_one_go() {
    let (mut ladders, mut sizes) = (0, [0, 0]);
    for (name, level) in levels() {
        for tile_size in ["5.1", "9"] {
            let folder = folder(&level, &format!("tile_size = {tile_size}\n{AGENT}"));
            bake(&folder, "level.obj", &["-o", "whole.navtile"]).expect(0);
            assert!(count(&folder, "whole.navtile", "drop") > 0, "{name}");
            ladders += count(&folder, "whole.navtile", "ladder");
            let whole = folder.read("whole.navtile");
            for of in [1, 3, 7] {
                let shards = joined(&folder, "level.obj", of, &[]);
                assert!(folder.read("joined.navtile") == whole, "{name}, {tile_size} m, {of} shares");
                let bytes: usize = shards.iter().map(|shard| folder.read(shard).len()).sum();
                sizes = [sizes[0] + bytes, sizes[1] + whole.len()];
            }
        }
    }
    assert!(ladders > 4, "{ladders}");
    assert!(sizes[0] < 4 * sizes[1], "shards of {} bytes for files of {}", sizes[0], sizes[1]);
}

#[test]
fn agents_one_tile_and_a_place_to_reach_go_through_shares() {
    let (_, level) = levels().swap_remove(0);
    let agents = "tile_size = 6.0\nreachable_from = [4.0, 0.0, 4.0]\n[[agent]]\nname = \"man\"\nradius = 0.4\n\
                  [[agent]]\nname = \"cat\"\nradius = 0.2\nheight = 0.5\nclimb = 0.2\n";
    let several = folder(&level, agents);
    bake(&several, "level.obj", &["-o", "whole.navtile"]).expect(0);
    joined(&several, "level.obj", 3, &[]);
    for agent in ["man", "cat"] {
        let [one, other] = ["whole", "joined"].map(|name| several.read(&format!("{name}.{agent}.navtile")));
        assert!(one == other, "{agent}");
    }
    let single = folder(&level, AGENT);
    bake(&single, "level.obj", &["-o", "whole.navtile"]).expect(0);
    joined(&single, "level.obj", 2, &[]);
    assert!(single.read("joined.navtile") == single.read("whole.navtile"));
}

#[test]
fn shares_in_memory_and_of_the_program_are_joined_by_either() {
    let (_, level) = levels().swap_remove(1);
    let settings = format!("tile_size = 6.0\n{AGENT}\n{PROFILES}");
    let folder = folder(&level, &format!("tile_size = 6.0\n{AGENT}"));
    bake(&folder, "level.obj", &["-o", "whole.navtile"]).expect(0);
    let files = [LevelFile { name: "level.obj", bytes: level.as_bytes() }];
    let in_memory = LevelBake::new(&files, Some(&settings)).unwrap();
    folder.write("1.navpart", in_memory.share(0, 2, &Silent).unwrap());
    bake(&folder, "level.obj", &["--shard", "2/2", "-o", "2.navpart"]).expect(0);
    folder.run(&["join", "-q", "2.navpart", "1.navpart", "-o", "joined.navtile"]).expect(0);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"));
    let shares = [folder.read("2.navpart"), folder.read("1.navpart")];
    assert!(in_memory.join(&shares).unwrap()[0].bytes == folder.read("whole.navtile"));
}

#[test]
fn levels_in_chunks_have_their_links() {
    let folder = folder("", &format!("tile_size = 6.0\n{AGENT}"));
    std::fs::create_dir(folder.path("level")).unwrap();
    for (place, (name, level)) in levels().into_iter().take(2).enumerate() {
        // Next to each other, and not on top of one another.
        let text: Vec<String> = level
            .lines()
            .map(|line| match line.strip_prefix("v ").map(|rest| rest.split_once(' ').unwrap()) {
                Some((x, rest)) => format!("v {} {rest}", x.parse::<f64>().unwrap() + 40.0 * place as f64),
                None => line.to_owned(),
            })
            .collect();
        folder.write(&format!("level/{name}.obj"), text.join("\n"));
    }
    folder.run(&["chunks", "level", "-o", "level.toml"]).expect(0);
    bake(&folder, "level", &["-o", "whole.navtile"]).expect(0);
    assert!(count(&folder, "whole.navtile", "ladder") > 1);
    bake(&folder, "level.toml", &["-o", "listed.navtile"]).expect(0);
    assert!(folder.read("listed.navtile") == folder.read("whole.navtile"), "a level in chunks");
    joined(&folder, "level.toml", 3, &[]);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"), "shares of a level in chunks");
}

#[test]
fn dynamic_files_have_ladders_and_keep_them_up() {
    // A new ladder, a hole in an old one, and a crate in front of another.
    let obstacles = "[[obstacle]]\nkind = \"box\"\nat = [23.8, 0.0, 10.0]\nsize = [0.2, 1.1, 1.0]\nsolid = true\narea = \"rungs\"\n\
                  [[obstacle]]\nkind = \"box\"\nat = [23.9, 0.2, 6.5]\nsize = [0.4, 0.7, 1.6]\nremoves = true\n\
                  [[obstacle]]\nkind = \"box\"\nat = [22.6, 0.0, 12.5]\nsize = [1.4, 1.5, 1.4]\nsolid = true\narea = \"none\"\n";
    for (name, level) in [levels().swap_remove(0), levels().swap_remove(3)] {
        let folder = folder(&level, &format!("tile_size = 6.0\n{AGENT}"));
        folder.write("obstacles.toml", obstacles);
        let bake_to = |out: &str, more: &[&str]| {
            bake(&folder, "level.obj", &[&["-o", out], more].concat()).expect(0);
            folder.run(&["verify", out]).expect(0);
            ["drop", "jump", "climb", "ladder"].map(|kind| count(&folder, out, kind))
        };
        let plain = bake_to("plain.navtile", &[]);
        assert_eq!(bake_to("a.navtile", &["--dynamic"]), plain, "{name}");
        let with = bake_to("b.navtile", &["--dynamic", "--obstacles", "obstacles.toml"]);
        assert!(plain[3] > 0 && with != plain, "{name}: {plain:?} {with:?}");
        folder.run(&["update", "a.navtile", "--obstacles", "obstacles.toml", "-o", "c.navtile"]).expect(0);
        assert!(folder.read("c.navtile") == folder.read("b.navtile"), "{name}");
        joined(&folder, "level.obj", 3, &["--dynamic", "--obstacles", "obstacles.toml"]);
        assert!(folder.read("joined.navtile") == folder.read("b.navtile"), "{name}, in shares");
    }
}

#[test]
fn a_join_says_what_its_ground_takes() {
    let (_, level) = levels().swap_remove(0);
    let folder = folder(&level, &format!("tile_size = 6.0\n{AGENT}"));
    joined(&folder, "level.obj", 2, &[]);
    let join = ["join", "-q", "1.navpart", "2.navpart", "-o", "less.navtile", "--memory"];
    folder.run(&[&join[..], &["17MiB"]].concat()).expect(2).says(&[
        "--memory",
        "ground",
        "nothing was written",
    ]);
    assert!(!folder.names().contains(&"less.navtile".to_owned()));
    folder.run(&[&join[..], &["64MiB"]].concat()).expect(0);
    assert!(folder.read("less.navtile") == folder.read("joined.navtile"));
    folder.run(&[&join[..], &["much"]].concat()).expect(2);
}

#[test]
fn what_did_not_change_is_taken_over_with_its_ground() {
    let (_, level) = levels().swap_remove(0);
    let folder = folder(&level, &format!("tile_size = 6.0\n{AGENT}"));
    let shard = |folder: &Folder| {
        let run = [
            "bake",
            "level.obj",
            "-c",
            "links.toml",
            "--shard",
            "1/1",
            "-o",
            "1.navpart",
            "--changed",
            "--json",
        ];
        folder.run(&run).expect(0).json()
    };
    shard(&folder);
    let again = shard(&folder);
    assert_eq!(again["baked"], 0, "{again}");
    let mut changed = level.clone();
    changed.push_str("o extra\n");
    add_box(&mut changed, [20.0, 0.0, 11.0], [22.0, 1.0, 13.0]);
    folder.write("level.obj", changed);
    let third = shard(&folder);
    assert!(third["baked"].as_u64() > Some(0) && third["taken_over"].as_u64() > Some(0), "{third}");
    bake(&folder, "level.obj", &["-o", "whole.navtile"]).expect(0);
    folder.run(&["join", "-q", "1.navpart", "-o", "joined.navtile"]).expect(0);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"));
    let same = folder.run(&["join", "1.navpart", "-o", "joined.navtile", "--changed"]).expect(0);
    assert!(same.stdout.contains("up to date"), "{}", same.stdout);
}

fn crc_32<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    let add = |crc: u32, bit: u32| (crc >> 1) ^ (0xedb8_8320 * ((crc ^ bit) & 1));
    !bytes.fold(!0, |crc, byte| (0..8).fold(crc, |crc, bit| add(crc, u32::from(*byte >> bit))))
}

/// Changes a byte of the ground of a tile of a shard file, and corrects the checksum of its frame; `None` if
/// there are fewer tiles.
fn with_damaged_ground(shard: &[u8], tile: usize, at: f64) -> Option<Vec<u8>> {
    let (mut bytes, mut start, mut tiles) = (shard.to_vec(), 8, 0);
    let number = |bytes: &[u8], at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    while bytes.len() > start + 16 {
        let (kind, length) = (bytes[start], number(&bytes, start + 8));
        let payload = start + 16;
        start = payload + length;
        if kind != 2 {
            continue;
        }
        tiles += 1;
        if tiles <= tile {
            continue;
        }
        // The blob ends the payload and begins with its magic; the packed ground ends before it.
        let blob =
            bytes[payload..start].windows(8).position(|window| window == &navtile::layout::TILE_MAGIC[..])?;
        let ground = (payload..payload + blob).find(|&at| at + 8 + number(&bytes, at) == payload + blob)? + 8;
        let place = ground + ((payload + blob - ground) as f64 * at) as usize;
        bytes[place] ^= 0x55;
        let sum = crc_32(bytes[payload - 16..payload - 12].iter().chain(&bytes[payload - 8..start]));
        bytes[payload - 12..payload - 8].copy_from_slice(&sum.to_le_bytes());
        return Some(bytes);
    }
    None
}

#[test]
fn damaged_ground_is_refused_by_name() {
    let (_, level) = levels().swap_remove(0);
    let folder = folder(&level, &format!("tile_size = 6.0\n{AGENT}"));
    joined(&folder, "level.obj", 2, &[]);
    let (before, shard) = (folder.read("joined.navtile"), folder.read("2.navpart"));
    let mut refused = 0;
    for (tile, at) in (0..6).flat_map(|tile| [0.0, 0.01, 0.3, 0.6, 0.99].map(|at| (tile, at))) {
        folder.write("damaged.navpart", with_damaged_ground(&shard, tile, at).unwrap());
        let run = folder.run(&["join", "-q", "1.navpart", "damaged.navpart", "-o", "joined.navtile"]);
        // Some bytes make another valid ground, which may need too much memory.
        match run.status {
            0 => drop(folder.write("joined.navtile", &before)),
            2 => run.says(&["--memory"]),
            status => {
                assert_eq!(status, 3, "tile {tile} at {at}: {}", run.stderr);
                run.says(&["damaged.navpart: is damaged: tile (", "its ground"]);
                refused += 1;
            }
        }
        assert!(folder.read("joined.navtile") == before, "tile {tile} at {at}");
    }
    assert!(refused > 15, "{refused}");
}
