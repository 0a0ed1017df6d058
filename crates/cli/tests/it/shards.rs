//! A bake in shares has the same bytes as a single bake, whatever happens in between: shards that do not fit
//! are refused by name, and the finished tiles of a killed bake are not baked again.

use crate::common::{Folder, Run};
use navbake::{LevelBake, LevelFile, Silent};
use std::time::Duration;

/// A folder with a level of several tiles in `level.obj`, and the file of its bake with these arguments.
fn baked(scene: &str, arguments: &[&str]) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let level = (navscenes::by_name(scene).unwrap().level)();
    folder.write("level.obj", navscenes::to_obj(&level, &recast::Settings::default()));
    bake(&folder, arguments, &["-o", "whole.navtile"]).expect(0);
    let whole = folder.read("whole.navtile");
    (folder, whole)
}

fn bake(folder: &Folder, arguments: &[&str], more: &[&str]) -> Run {
    folder.run(&[&["bake", "level.obj", "-q"], arguments, more].concat())
}

/// Bakes all shares; returns the names of their shards.
fn shards(folder: &Folder, arguments: &[&str], of: u32) -> Vec<String> {
    let one = |index: u32| {
        let (shard, name) = (format!("{index}/{of}"), format!("{index}.navpart"));
        bake(folder, arguments, &["--shard", &shard, "-o", &name]).expect(0);
        name
    };
    (1..=of).map(one).collect()
}

fn join(folder: &Folder, shards: &[&str], more: &[&str]) -> Run {
    folder.run(&[&["join"], shards, &["-o", "joined.navtile"], more].concat())
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[test]
fn shares_joined_are_the_bake_in_one_go() {
    let cases: [(&str, &[&str]); 5] = [
        ("courtyard", &["--tile-size", "7.2"]),
        ("storeys", &["--tile-size", "9", "--dynamic"]),
        ("courtyard", &["--tile-size", "off"]),
        ("two_rooms", &["--tile-size", "5", "--region-min-area", "20"]),
        ("slopes", &["--tile-size", "6", "--partition", "monotone"]),
    ];
    for (scene, arguments) in cases {
        let (folder, whole) = baked(scene, arguments);
        for of in [1, 3, 40] {
            let names = shards(&folder, arguments, of);
            let mut order = borrowed(&names);
            order.reverse();
            join(&folder, &order, &["-q"]).expect(0);
            assert!(folder.read("joined.navtile") == whole, "{scene} in {of} shares");
        }
        let left = folder.names();
        assert!(!left.iter().any(|name| name.ends_with(".unfinished")), "{left:?}");
    }
}

#[test]
fn agents_obstacles_and_a_seed_go_through_shares() {
    let folder = Folder::new();
    let level = (navscenes::by_name("courtyard").unwrap().level)();
    folder.write("level.obj", navscenes::to_obj(&level, &recast::Settings::default()));
    folder.write(
        "s.toml",
        "tile_size = 6.0\nreachable_from = [3.0, 0.0, 3.0]\n[[agent]]\nname = \"man\"\nradius = 0.4\n[[agent]]\nname = \"cat\"\nradius = 0.2\nheight = 0.5\nclimb = 0.2\n",
    );
    folder.write(
        "p.toml",
        "[[obstacle]]\nkind = \"box\"\nsize = [2.0, 1.0, 1.0]\nat = [4.0, 0.0, 4.0]\nsolid = true\n",
    );
    let arguments = ["-c", "s.toml", "--dynamic", "--obstacles", "p.toml"];
    let whole = bake(&folder, &arguments, &["-o", "whole.navtile"]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let names = shards(&folder, &arguments, 3);
    join(&folder, &borrowed(&names), &[]).expect(0);
    for agent in ["man", "cat"] {
        let [one, other] = ["whole", "joined"].map(|name| folder.read(&format!("{name}.{agent}.navtile")));
        assert!(one == other, "{agent}");
    }
}

#[test]
fn the_program_joins_shares_that_were_baked_in_memory() {
    let (folder, whole) = baked("courtyard", &["--tile-size", "7.2"]);
    let obj = folder.read("level.obj");
    let level =
        LevelBake::new(&[LevelFile { name: "level.obj", bytes: &obj }], Some("tile_size = 7.2")).unwrap();
    folder.write("1.navpart", level.share(0, 2, &Silent).unwrap());
    folder.run(&["bake", "level.obj", "--tile-size", "7.2", "--shard", "2/2", "-o", "2.navpart"]).expect(0);
    join(&folder, &["1.navpart", "2.navpart"], &[]).expect(0);
    assert!(folder.read("joined.navtile") == whole);
    let shares = [folder.read("2.navpart"), folder.read("1.navpart")];
    assert!(level.join(&shares).unwrap()[0].bytes == whole);
}

#[test]
fn parts_that_do_not_fit_are_refused_by_name() {
    let tiles = ["--tile-size", "7.2"];
    let (folder, _) = baked("courtyard", &tiles);
    shards(&folder, &tiles, 3);
    bake(
        &folder,
        &["--tile-size", "7.2", "--agent-radius", "0.4"],
        &["--shard", "2/3", "-o", "slim.navpart"],
    )
    .expect(0);
    bake(&folder, &["--tile-size", "7.2", "--dynamic"], &["--shard", "2/3", "-o", "kept.navpart"]).expect(0);
    bake(&folder, &tiles, &["--shard", "2/4", "-o", "quarter.navpart"]).expect(0);
    let plane = (navscenes::by_name("plane").unwrap().level)();
    folder.write("plane.obj", navscenes::to_obj(&plane, &recast::Settings::default()));
    folder
        .run(&["bake", "plane.obj", "--tile-size", "7.2", "--shard", "2/3", "-o", "plane.navpart"])
        .expect(0);
    let two = folder.read("2.navpart");
    folder.write("cut.navpart", &two[..two.len() - 5]);
    folder.write("short.navpart", &two[..two.len() / 2]);
    folder.write("older.navpart", [b"NVPART00", &two[8..]].concat());
    folder.write("level.navpart", b"v 0 0 0\n");
    let mut flipped = two.clone();
    flipped[two.len() / 3] ^= 4;
    folder.write("flipped.navpart", flipped);
    let before = folder.names();
    let refused = |shards: &[&str], said: &[&str]| {
        let run =
            join(&folder, shards, &[]).expect(if said.contains(&"and so is 2.navpart") { 2 } else { 3 });
        run.says(said);
        assert_eq!(folder.names(), before, "nothing is written");
    };
    refused(&["1.navpart", "3.navpart"], &["1 share of 3 is missing: 2"]);
    refused(&["2.navpart"], &["2 shares of 3 are missing: 1, 3"]);
    refused(&["1.navpart", "2.navpart", "3.navpart", "2.navpart"], &["share 2 of 3", "and so is 2.navpart"]);
    refused(
        &["1.navpart", "slim.navpart", "3.navpart"],
        &["slim.navpart: was baked with other settings", "agent.radius", "than 1.navpart"],
    );
    refused(&["1.navpart", "kept.navpart", "3.navpart"], &["kept.navpart: was baked with other settings"]);
    refused(&["1.navpart", "plane.navpart"], &["plane.navpart: is of another level than 1.navpart"]);
    refused(&["1.navpart", "quarter.navpart"], &["quarter.navpart: is one of 4 shares"]);
    for name in ["cut", "short", "flipped", "older", "level"] {
        let name = format!("{name}.navpart");
        refused(&["1.navpart", &name, "3.navpart"], &[&format!("{name}: ")]);
    }
    refused(&["1.navpart", "older.navpart"], &["of another version"]);
    refused(
        &["1.navpart", "level.navpart"],
        &["level.navpart: it is not a shard file", "`navtile bake --shard` wrote"],
    );
    refused(&["1.navpart", "none.navpart"], &["none.navpart: cannot be read"]);
    // Without a file to write a report may lack shards, and says so by its exit status.
    let report = folder.run(&["join", "1.navpart", "3.navpart", "--report"]).expect(1);
    assert!(report.stdout.contains("2 missing"), "{}", report.stdout);
    let report = folder.run(&["join", "1.navpart", "3.navpart", "--report", "--json"]).expect(1).json();
    assert_eq!(report["missing"], serde_json::json!([2]));
}

#[test]
fn the_shard_comes_from_the_engine_or_is_asked_for() {
    let tiles = ["--tile-size", "7.2"];
    let (folder, whole) = baked("courtyard", &tiles);
    for task in ["1", "2"] {
        let name = format!("{task}.navpart");
        let mut command =
            folder.command(&["bake", "level.obj", "--tile-size", "7.2", "-o", &name, "--shard"]);
        command.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_TASK_COUNT", "2");
        Run::from(command.output().unwrap()).expect(0);
    }
    join(&folder, &["1.navpart", "2.navpart"], &[]).expect(0);
    assert!(folder.read("joined.navtile") == whole);
    bake(&folder, &tiles, &["--shard", "-o", "x.navpart"]).expect(2).says(&["not a task of an array job"]);
    bake(&folder, &tiles, &["--shard", "4/3"]).expect(2).says(&["there is no share 4 of 3"]);
    bake(&folder, &tiles, &["--shard", "1/3", "-o", "-"]).expect(2).says(&["cannot go to standard output"]);
    // Its own name gives the number of the share.
    bake(&folder, &tiles, &["--shard", "2/3"]).expect(0);
    assert!(folder.names().contains(&"level.2-of-3.navpart".to_owned()), "{:?}", folder.names());
    let estimate = bake(&folder, &tiles, &["--shard", "2/3", "--estimate", "--json"]);
    let all =
        folder.run(&["bake", "level.obj", "--tile-size", "7.2", "--estimate", "--json"]).expect(0).json();
    let own = folder
        .run(&["bake", "level.obj", "--tile-size", "7.2", "--estimate", "--json", "--shard", "2/3"])
        .expect(0)
        .json();
    assert_eq!(estimate.status, 2, "-q and --json do not go together");
    assert!(own["tiles"].as_u64() < all["tiles"].as_u64(), "{own} {all}");
}

#[test]
fn what_did_not_change_is_not_baked_again() {
    let tiles = ["--tile-size", "7.2"];
    let (folder, _) = baked("courtyard", &tiles);
    let shard = ["--shard", "1/2", "-o", "1.navpart", "--changed"];
    let run = |more: &[&str]| {
        let arguments = [&["bake", "level.obj", "--json"], &tiles[..], &shard, more].concat();
        folder.run(&arguments).expect(0).json()
    };
    let first = run(&[]);
    assert_eq!((&first["baked"], &first["taken_over"]), (&first["tiles"], &serde_json::json!(0)));
    let second = run(&[]);
    assert_eq!((&second["baked"], &second["taken_over"]), (&serde_json::json!(0), &first["tiles"]));
    // A crate in one corner of the level.
    let mut obj = String::from_utf8(folder.read("level.obj")).unwrap();
    crate::common::add_box(&mut obj, [1.5, 0.0, 1.5], [2.5, 1.0, 2.5]);
    folder.write("level.obj", &obj);
    let third = run(&[]);
    let baked = third["baked"].as_u64().unwrap();
    assert!(0 < baked && baked < first["tiles"].as_u64().unwrap(), "{third}");
    bake(&folder, &tiles, &["--shard", "2/2", "-o", "2.navpart"]).expect(0);
    bake(&folder, &tiles, &["-o", "whole.navtile"]).expect(0);
    join(&folder, &["1.navpart", "2.navpart"], &[]).expect(0);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"));
    let written =
        |folder: &Folder| std::fs::metadata(folder.path("joined.navtile")).unwrap().modified().unwrap();
    let before = written(&folder);
    let same = join(&folder, &["2.navpart", "1.navpart"], &["--changed"]).expect(0);
    assert!(same.stdout.contains("joined.navtile: up to date"), "{}", same.stdout);
    assert_eq!(written(&folder), before, "it was not changed");
    // Damaged, it is written again.
    let mut damaged = folder.read("joined.navtile");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.write("joined.navtile", damaged);
    join(&folder, &["2.navpart", "1.navpart"], &["--changed", "-q"]).expect(0);
    assert!(folder.read("joined.navtile") == folder.read("whole.navtile"));
}

/// A number from a variable of the environment.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Kills bakes at moments that a seed decides, and resumes them. `NAVTILE_KILLS` is the number of kills,
/// `NAVTILE_SEED` the first seed.
#[test]
fn a_bake_that_is_killed_goes_on_where_it_was() {
    let (folder, whole) = baked("terrain", &["--tile-size", "4"]);
    kill_and_resume(&folder, &whole, &["--tile-size", "4", "--threads", "2"]);
}

#[test]
fn a_bake_with_links_that_is_killed_goes_on_where_it_was() {
    let folder = Folder::new();
    let scene = &navscenes::shooter::scenes()[1];
    let (level, settings) = (navscenes::repeat(&(scene.level)(), 2, 1), (scene.settings)());
    folder.write("level.obj", navscenes::to_obj(&level, &settings));
    folder.write("links.toml", "[[links]]\nkind = \"drop\"\nheight = [0.5, 6.0]\n[[links]]\nkind = \"jump\"\ndistance = [0.0, 3.0]\nheight = [1.0, 1.0]\n");
    let tiles = ["--tile-size", "6", "--threads", "2", "-c", "links.toml"];
    bake(&folder, &tiles, &["-o", "whole.navtile"]).expect(0);
    let info = folder.run(&["info", "whole.navtile", "--json"]).expect(0).json();
    assert!(info["generated_links"]["jump"].as_u64() > Some(4), "{info}");
    kill_and_resume(&folder, &folder.read("whole.navtile"), &tiles);
}

/// Kills bakes of a level whose file is `whole`, and resumes them.
fn kill_and_resume(folder: &Folder, whole: &[u8], tiles: &[&str]) {
    let elapsed = {
        let started = std::time::Instant::now();
        bake(folder, tiles, &["-o", "whole.navtile"]).expect(0);
        started.elapsed()
    };
    let (kills, seed) = (from_environment("NAVTILE_KILLS", 8), from_environment("NAVTILE_SEED", 0));
    let mut resumed = 0;
    for kill in 0..kills {
        let shard = kill % 2 == 1;
        let result = if shard { "1.navpart" } else { "level.navtile" };
        let mut arguments = vec!["bake", "level.obj", "--resume", "-o", result];
        arguments.extend(tiles);
        arguments.extend(["--shard", "1/1"].iter().take(if shard { 2 } else { 0 }));
        // A golden section apart, the moments fill the time of a bake evenly, and two kills may hit one bake.
        let part = ((seed + kill) as f64 * 0.618_033_988_75).fract();
        let mut child = folder.command(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(elapsed.as_secs_f64() * part));
        child.kill().unwrap();
        child.wait().unwrap();
        if kill % 4 >= 2 {
            continue;
        }
        let run = folder.run(&[&arguments[..], &["--json"]].concat()).expect(0).json();
        let count = if shard { &run["taken_over"] } else { &run["tiles"]["resumed"] };
        resumed += count.as_u64().unwrap();
        let made = if shard {
            join(folder, &["1.navpart"], &["-q"]).expect(0);
            "joined.navtile"
        } else {
            "level.navtile"
        };
        assert!(folder.read(made) == whole, "kill {kill} at {part:.3} of a bake");
        let left = folder.names();
        assert!(!left.contains(&format!("{result}.unfinished")), "{left:?}");
        std::fs::remove_file(folder.path(result)).unwrap();
    }
    assert!(resumed > 0, "no kill came after a tile was finished");
}

#[test]
fn half_a_tile_is_not_taken_for_one() {
    let tiles = ["--tile-size", "7.2"];
    let (folder, whole) = baked("courtyard", &tiles);
    bake(&folder, &tiles, &["--shard", "1/1", "-o", "all.navpart"]).expect(0);
    let shard = folder.read("all.navpart");
    let finish = |unfinished: &[u8]| {
        folder.write("level.navtile.unfinished", unfinished);
        let run = folder.run(&["bake", "level.obj", "--tile-size", "7.2", "--resume", "--json"]).expect(0);
        assert!(folder.read("level.navtile") == whole);
        run.json()["tiles"]["resumed"].as_u64().unwrap()
    };
    let mut most = 0;
    for length in (0..shard.len()).step_by(shard.len() / 24) {
        let resumed = finish(&shard[..length]);
        assert!(resumed >= most, "{resumed} tiles of {length} bytes");
        most = resumed;
    }
    assert!(most > 3, "{most}");
    assert_eq!(finish(b"NVPART03, and something else"), 0);
    // Tiles of other settings are not reused.
    bake(
        &folder,
        &["--tile-size", "7.2", "--agent-radius", "0.3"],
        &["--shard", "1/1", "-o", "slim.navpart"],
    )
    .expect(0);
    assert_eq!(finish(&folder.read("slim.navpart")), 0);
    // A whole bake that finished and was killed before its file was in place.
    assert!(finish(&shard) > 3);
}

#[cfg(unix)]
#[test]
fn two_bakes_do_not_write_to_one_file() {
    let (folder, _) = baked("courtyard", &["--tile-size", "7.2"]);
    let held = std::fs::File::create(folder.path("level.navtile.unfinished")).unwrap();
    held.lock().unwrap();
    let refused = bake(&folder, &["--tile-size", "7.2"], &["--resume"]).expect(3);
    refused.says(&["level.navtile.unfinished: another bake is writing to it"]);
    drop(held);
    bake(&folder, &["--tile-size", "7.2"], &["--resume"]).expect(0);
    bake(&folder, &["--tile-size", "7.2"], &["--resume", "-o", "-"]).expect(2).says(&["cannot be resumed"]);
}

#[cfg(unix)]
#[test]
fn there_may_be_more_parts_than_open_files() {
    let tiles = ["--tile-size", "7.2"];
    let (folder, whole) = baked("courtyard", &tiles);
    let names = shards(&folder, &tiles, 40);
    let join = format!(
        "ulimit -n 24; exec {} join -q -o joined.navtile {}",
        env!("CARGO_BIN_EXE_navtile"),
        names.join(" ")
    );
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &join]).current_dir(folder.path(""));
    Run::from(command.output().unwrap()).expect(0);
    assert!(folder.read("joined.navtile") == whole);
}
