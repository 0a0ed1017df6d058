//! Files with a hierarchy: the same bytes on every road to them, and refusals.

use crate::common::{Folder, level};
use navtile::NavStore;

const SETTINGS: &str = "tile_size = 7.2\n[hierarchy]\ncluster = 15\nspacing = 3\n[hierarchy.classes.cart]\n\
                        costs = { ground = 2 }\n[hierarchy.classes.walker]\n";

/// A folder with a level of several tiles, and its file with a hierarchy, `whole.navtile`.
fn baked() -> Folder {
    let folder = Folder::new();
    let level = (navscenes::by_name("courtyard").unwrap().level)();
    folder.write("level.obj", navscenes::to_obj(&level, &recast::Settings::default()));
    folder.write("s.toml", SETTINGS);
    folder.run(&["bake", "level.obj", "-c", "s.toml", "-q", "-o", "whole.navtile"]).expect(0);
    folder
}

/// The hierarchy of a file.
fn hierarchy(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    let store = NavStore::open(folder.read(name)).unwrap();
    store.hierarchy().map(|bytes| bytes.unwrap().to_vec())
}

#[test]
fn a_table_or_the_option_adds_a_hierarchy_as_the_last_part() {
    let folder = baked();
    let bytes = hierarchy(&folder, "whole.navtile").unwrap();
    let read = hierarchy::Hierarchy::from_bytes(&bytes).unwrap();
    let names: Vec<&str> = read.classes().iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["cart", "walker"]);
    let costs: Vec<f32> = read.classes().iter().map(|class| class.filter.area_cost(63)).collect();
    assert_eq!(costs, [2.0, 1.0]);
    assert_eq!(read.grid().tiles, 2, "15 m are two tiles of 7.2 m");
    let tiles = ["bake", "level.obj", "-q", "--tile-size", "7.2"];
    folder.run(&[&tiles[..], &["-o", "plain.navtile"]].concat()).expect(0);
    assert_eq!(hierarchy(&folder, "plain.navtile"), None);
    folder.run(&[&tiles[..], &["--hierarchy", "-o", "default.navtile"]].concat()).expect(0);
    let (plain, default) = (folder.read("plain.navtile"), folder.read("default.navtile"));
    assert!(default[4096..].starts_with(&plain[4096..]), "it is the last part");
    let added = hierarchy(&folder, "default.navtile").unwrap();
    let only = hierarchy::Hierarchy::from_bytes(&added).unwrap();
    assert_eq!((only.classes().len(), only.classes()[0].name.as_str()), (1, "default"));
    assert_eq!(default.len(), plain.len() + added.len().next_multiple_of(16));
}

#[test]
fn every_road_to_the_file_gives_the_same_bytes() {
    let folder = baked();
    let whole = folder.read("whole.navtile");
    let bake = |out: &str, more: &[&str]| {
        let call = ["bake", "level.obj", "-c", "s.toml", "-q", "-o", out];
        folder.run(&[&call[..], more].concat()).expect(0);
    };
    for threads in ["1", "3"] {
        bake("threads.navtile", &["--threads", threads]);
        assert!(folder.read("threads.navtile") == whole, "{threads} threads");
    }
    // From a bake without a hierarchy, and from its own result.
    folder.write("changed.navtile", folder.read("whole.navtile"));
    folder.run(&["bake", "level.obj", "-q", "--tile-size", "7.2", "-o", "changed.navtile"]).expect(0);
    for _ in 0..2 {
        bake("changed.navtile", &["--changed"]);
        assert!(folder.read("changed.navtile") == whole);
    }
    bake("1.navpart", &["--shard", "1/2"]);
    bake("2.navpart", &["--shard", "2/2"]);
    folder.run(&["join", "2.navpart", "1.navpart", "-o", "joined.navtile", "-q"]).expect(0);
    assert!(folder.read("joined.navtile") == whole);
    folder.run(&["compact", "joined.navtile", "-o", "compact.navtile"]).expect(0);
    assert!(folder.read("compact.navtile") == whole);
    folder.run(&["chunks", "level.obj", "-o", "level.toml"]).expect(0);
    folder.run(&["bake", "level.toml", "-c", "s.toml", "-q", "-o", "chunks.navtile"]).expect(0);
    assert_eq!(hierarchy(&folder, "chunks.navtile"), hierarchy(&folder, "whole.navtile"));
    bake("dynamic.navtile", &["--dynamic"]);
    assert_eq!(hierarchy(&folder, "dynamic.navtile"), hierarchy(&folder, "whole.navtile"));
    folder.run(&["verify", "dynamic.navtile"]).expect(0);
}

#[test]
fn a_file_with_another_hierarchy_is_out_of_date() {
    let folder = baked();
    let check = |settings: &str| {
        folder.write("other.toml", settings);
        folder.run(&["bake", "level.obj", "-c", "other.toml", "-o", "whole.navtile", "--check"])
    };
    check(SETTINGS).expect(0);
    check(&SETTINGS.replace("spacing = 3", "spacing = 5")).expect(1);
    assert!(check("tile_size = 7.2").expect(1).stdout.contains("the hierarchy differs"));
    let shards = |settings: &str, name: &str| {
        folder.write("other.toml", settings);
        let call = ["bake", "level.obj", "-c", "other.toml", "-q", "--shard", "1/1", "-o", name];
        folder.run(&call).expect(0);
    };
    shards(SETTINGS, "same.navpart");
    let join =
        |shard: &str| folder.run(&["join", shard, "-o", "whole.navtile", "--changed", "--json"]).expect(0);
    assert_eq!(join("same.navpart").json()["files"][0]["up_to_date"], true);
    shards("tile_size = 7.2", "none.navpart");
    assert_eq!(join("none.navpart").json()["files"][0]["up_to_date"], false);
    assert_eq!(hierarchy(&folder, "whole.navtile"), None);
}

#[test]
fn shards_with_different_hierarchies_do_not_fit() {
    let folder = baked();
    let bake = ["bake", "level.obj", "--tile-size", "7.2", "-q"];
    folder.run(&[&bake[..], &["--shard", "1/2", "-o", "1.navpart", "--hierarchy"]].concat()).expect(0);
    folder.run(&[&bake[..], &["--shard", "2/2", "-o", "2.navpart"]].concat()).expect(0);
    let join = folder.run(&["join", "1.navpart", "2.navpart", "-o", "joined.navtile"]).expect(3);
    join.says(&["2.navpart: was baked with other settings"]);
}

#[test]
fn what_has_no_tiles_is_refused() {
    let folder = Folder::new();
    let level = level();
    folder.write("level.obj", &level);
    let bake = |more: &[&str]| folder.run(&[&["bake", "level.obj", "-o", "out.navtile"], more].concat());
    bake(&["--hierarchy"]).expect(2).says(&["baked in one piece", "--tile-size"]);
    bake(&["--hierarchy", "--shard", "1/2"]).expect(2).says(&["baked in one piece"]);
    assert_eq!(folder.names(), ["level.obj"]);
    let files = [navbake::LevelFile { name: "level.obj", bytes: level.as_bytes() }];
    let error = navbake::LevelBake::new(&files, Some("[hierarchy]")).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("baked in one piece; give the side of a tile"), "{error}");
    folder.write("map.geojson", "{}");
    folder
        .run(&["bake", "map.geojson", "--hierarchy"])
        .expect(2)
        .says(&["--hierarchy does not apply to maps"]);
}

#[test]
fn an_updated_file_is_the_file_of_a_bake_with_the_obstacles() {
    let folder = baked();
    let bake = ["bake", "level.obj", "-c", "s.toml", "-q", "--dynamic", "-o"];
    folder.run(&[&bake[..], &["dynamic.navtile"]].concat()).expect(0);
    folder.write(
        "obstacles.toml",
        "[[obstacle]]\nkind = \"box\"\nsize = [6.0, 2.0, 4.0]\nat = [14.0, 0.0, 8.0]\nsolid = true\n",
    );
    folder.run(&["update", "dynamic.navtile", "--obstacles", "obstacles.toml"]).expect(0);
    folder.run(&[&bake[..], &["baked.navtile", "--obstacles", "obstacles.toml"]].concat()).expect(0);
    assert!(hierarchy(&folder, "baked.navtile") != hierarchy(&folder, "whole.navtile"));
    assert!(folder.read("dynamic.navtile") == folder.read("baked.navtile"));
    folder.write("none.toml", "");
    folder.run(&["update", "dynamic.navtile", "--obstacles", "none.toml"]).expect(0);
    assert!(hierarchy(&folder, "dynamic.navtile") == hierarchy(&folder, "whole.navtile"));
}
