//! `navtile bake --dynamic` and `navtile update`, run as programs.

use crate::common::{Folder, two_floors};

const OBSTACLES: &str = r#"
[[obstacle]]
kind = "box"
at = [4.0, 0.0, 1.0]
size = [1.0, 1.2, 1.0]
yaw = 30
solid = true

[[obstacle]]
kind = "cylinder"
at = [6.5, 0.0, -2.0]
radius = 0.8
height = 2
blocks = true

[[obstacle]]
kind = "mesh"
file = "ramp.obj"
at = [-7.0, 0.0, -1.0]
solid = true
area = "mud"

[[obstacle]]
kind = "box"
at = [-3.0, -0.7, 2.0]
size = [2, 3, 2]
removes = true
"#;

const SETTINGS: &str = "[[area]]\nid = 9\nname = \"mud\"\ncost = 3.0\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    folder.write("settings.toml", SETTINGS);
    folder.write("obstacles.toml", OBSTACLES);
    folder.write("none.toml", "# no obstacles\n");
    folder.write("ramp.obj", "v 0 0 0\nv 0 0 2\nv 2 0.8 0\nv 2 0.8 2\nf 1 2 3\nf 3 2 4\n");
    folder
}

fn bake(folder: &Folder, more: &[&str]) {
    folder.run(&[&["bake", "level.obj", "-c", "settings.toml", "-q"], more].concat()).expect(0);
}

#[test]
fn an_updated_file_is_the_file_of_a_bake_with_the_obstacles() {
    for tiles in ["6", "0"] {
        let folder = folder();
        let tile_size: &[&str] = if tiles == "0" { &[] } else { &["--tile-size", tiles] };
        bake(&folder, &[tile_size, &["--dynamic", "-o", "d.navtile"]].concat());
        let with = ["--dynamic", "--obstacles", "obstacles.toml", "-o", "a.navtile", "--threads", "1"];
        bake(&folder, &[tile_size, &with].concat());
        let report = folder.run(&[
            "update",
            "d.navtile",
            "--obstacles",
            "obstacles.toml",
            "-o",
            "b.navtile",
            "--json",
        ]);
        let report = report.expect(0).json();
        assert_eq!((&report["obstacles"], &report["outside"]), (&4.into(), &0.into()));
        assert!(report["baked"].as_u64().unwrap() > 0);
        assert!(folder.read("a.navtile") == folder.read("b.navtile"));
        assert!(folder.read("a.navtile") != folder.read("d.navtile"));
        folder.run(&["verify", "b.navtile"]).expect(0);
        // In place, and without obstacles.
        let run =
            folder.run(&["update", "b.navtile", "--obstacles", "none.toml", "--threads", "8"]).expect(0);
        assert!(run.stdout.starts_with("b.navtile: 0 obstacles; "), "{}", run.stdout);
        assert!(folder.read("b.navtile") == folder.read("d.navtile"));
        // Except for the cached spans, it equals the plain bake.
        bake(&folder, &[tile_size, &["-o", "plain.navtile"]].concat());
        folder.run(&["diff", "plain.navtile", "d.navtile"]).expect(0);
        let info = |name: &str| {
            folder.run(&["info", name, "--json"]).expect(0).json()["stored"]["cached_spans"].clone()
        };
        assert_eq!(info("plain.navtile"), 0);
        assert!(info("d.navtile").as_u64().unwrap() > 300);
        assert!(folder.run(&["info", "d.navtile"]).expect(0).stdout.contains("cached spans"));
    }
}

#[test]
fn a_changed_bake_keeps_spans_it_has_and_bakes_those_it_lacks() {
    let folder = folder();
    let tiles = ["--tile-size", "6", "-o", "level.navtile"];
    bake(&folder, &tiles);
    bake(&folder, &[&tiles[..], &["--dynamic", "--changed"]].concat());
    let changed = folder.read("level.navtile");
    bake(&folder, &[&tiles[..], &["--dynamic"]].concat());
    assert!(folder.read("level.navtile") == changed);
    bake(&folder, &[&tiles[..], &["--dynamic", "--changed", "--obstacles", "obstacles.toml"]].concat());
    let changed = folder.read("level.navtile");
    bake(&folder, &[&tiles[..], &["--dynamic", "--obstacles", "obstacles.toml"]].concat());
    assert!(folder.read("level.navtile") == changed);
    let check = ["bake", "level.obj", "-c", "settings.toml", "--tile-size", "6", "--dynamic", "--check"];
    folder.run(&[&check[..], &["--obstacles", "obstacles.toml"]].concat()).expect(0);
    folder.run(&check).expect(1);
}

#[test]
fn ground_that_all_must_be_reachable_from_is_found_again() {
    let folder = folder();
    let from = ["--tile-size", "6", "--dynamic", "--reachable-from", "5,0,0"];
    bake(&folder, &[&from[..], &["-o", "d.navtile"]].concat());
    bake(&folder, &[&from[..], &["-o", "a.navtile", "--obstacles", "obstacles.toml"]].concat());
    folder.run(&["update", "d.navtile", "--obstacles", "obstacles.toml", "-o", "b.navtile"]).expect(0);
    assert!(folder.read("a.navtile") == folder.read("b.navtile"));
    folder.run(&["update", "b.navtile", "--obstacles", "none.toml", "-o", "c.navtile"]).expect(0);
    assert!(folder.read("c.navtile") == folder.read("d.navtile"));
}

#[test]
fn what_cannot_be_is_refused_and_nothing_is_written() {
    let folder = folder();
    bake(&folder, &["--tile-size", "6", "--dynamic", "-o", "d.navtile"]);
    bake(&folder, &["--tile-size", "6", "-o", "plain.navtile"]);
    let update = |file: &str, obstacles: &str| {
        folder.run(&["update", file, "--obstacles", obstacles, "-o", "x.navtile"])
    };
    let refused = |file: &str, obstacles: &str, status: i32, part: &str| {
        let run = update(file, obstacles).expect(status);
        assert!(run.stderr.contains(part), "{part} in: {}", run.stderr);
        assert!(!folder.names().contains(&"x.navtile".to_owned()));
    };
    refused("plain.navtile", "obstacles.toml", 3, "navtile bake --dynamic");
    folder.write("old.toml", "[[piece]]\nkind = \"box\"\n");
    refused("d.navtile", "old.toml", 2, "a list of obstacles has only tables `[[obstacle]]`");
    let old = folder.run(&["update", "d.navtile", "--pieces", "obstacles.toml"]).expect(2);
    assert!(old.stderr.contains("'--obstacles'"), "{}", old.stderr);
    folder.write("wrong.toml", "[[obstacle]]\nkind = \"bix\"\nat = [0, 0, 0]\narea = \"mudd\"\n");
    refused("d.navtile", "wrong.toml", 2, "2 errors in the list of obstacles");
    folder.write(
        "far.toml",
        "[[obstacle]]\nkind = \"box\"\nat = [1e9, 0, 0]\nsize = [1, 1, 1]\nsolid = true\n",
    );
    refused("d.navtile", "far.toml", 2, "far.toml: obstacle 1: it is");
    let mut damaged = folder.read("d.navtile");
    let entry = navtile::NavStore::open(damaged.clone()).unwrap().span_cache().unwrap().unwrap().entries[0];
    damaged[entry.offset as usize] ^= 1;
    folder.write("damaged.navtile", &damaged);
    refused("damaged.navtile", "obstacles.toml", 3, "span-cache-checksum");
    assert!(folder.run(&["verify", "damaged.navtile"]).expect(1).stdout.contains("span-cache-checksum"));
    let over =
        folder.run(&["update", "d.navtile", "--obstacles", "obstacles.toml", "-o", "ramp.obj"]).expect(2);
    assert!(over.stderr.contains("would overwrite its own input"), "{}", over.stderr);
    let outside = "[[obstacle]]\nkind = \"box\"\nat = [500, 0, 0]\nsize = [1, 1, 1]\nsolid = true\n";
    folder.write("outside.toml", outside);
    let run = update("d.navtile", "outside.toml").expect(0);
    assert!(run.stderr.contains("outside.toml: obstacle 1 is outside the level"), "{}", run.stderr);
    assert!(folder.read("x.navtile") == folder.read("d.navtile"));
}
