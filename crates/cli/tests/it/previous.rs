//! Nothing in a file of an earlier bake is trusted. Damaged tiles are baked again, and so are tiles that
//! differ from the island graph. `verify` and `--check` name them, and `--changed` writes the same file as a
//! fresh bake.

use crate::common::{Folder, Run};
use navtile::graph::TileNode;
use navtile::{FileWriter, IslandGraph, NavFile, Tile, TileContent, TileRecord};
use std::io::Cursor;

const BAKE: [&str; 4] = ["bake", "level.obj", "--tile-size", "7.2"];

/// A folder with the courtyard, baked, and the file of it.
fn baked(arguments: &[&str]) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let scene = navscenes::by_name("courtyard").unwrap();
    folder.write("level.obj", navscenes::to_obj(&(scene.level)(), &recast::Settings::default()));
    folder.run(&[&BAKE, arguments].concat()).expect(0);
    let fresh = folder.read("level.navtile");
    (folder, fresh)
}

/// The file with its tiles and graph changed, all checksums right. Tiles come with their row's hashes.
fn changed(
    bytes: &[u8],
    tile: impl Fn(usize, TileRecord) -> Option<TileRecord>,
    graph: impl Fn(IslandGraph) -> IslandGraph,
) -> Vec<u8> {
    let file = NavFile::open(bytes).unwrap();
    let record = |(index, row): (usize, &navtile::file::DirectoryEntry)| {
        let own = file.tile_at(index).unwrap().unwrap();
        tile(index, TileRecord { tile: own, input_hash: row.input_hash, prune_hash: row.prune_hash })
    };
    let records: Vec<TileRecord> = file.entries().iter().enumerate().filter_map(record).collect();
    let mut writer = FileWriter::new(Cursor::new(Vec::new()), file.meta(), records.len()).unwrap();
    records.iter().for_each(|record| writer.add(record).unwrap());
    let graph = graph(file.graph().unwrap().unwrap());
    writer.finish(Some(&graph)).unwrap().into_inner()
}

/// A tile without its polygons, or without the first of them.
fn without(tile: &Tile, all: bool) -> Tile {
    let keep: Vec<bool> = (0..tile.polygons().len()).map(|index| !all && index > 0).collect();
    let (bytes, _) = TileContent::from_tile(tile).retaining(&keep).write().unwrap();
    Tile::from_bytes(&bytes).unwrap()
}

/// Checks that `verify` and `--check` refuse a file for a reason, and that `--changed` makes the fresh file
/// from it, with at least this many baked tiles.
fn is_found(folder: &Folder, arguments: &[&str], file: &[u8], fresh: &[u8], reason: &str, least: u64) {
    folder.write("level.navtile", file);
    let verified = folder.run(&["verify", "level.navtile"]).expect(1);
    assert!(verified.stdout.contains(reason), "no `{reason}` in {}", verified.stdout);
    folder.run(&[&BAKE, arguments, &["--check"]].concat()).expect(1);
    let run: Run = folder.run(&[&BAKE, arguments, &["--changed", "--json"]].concat()).expect(0);
    run.says(&[reason]);
    let baked = run.json()["tiles"]["baked"].as_u64().unwrap();
    assert!(baked >= least, "{baked} tiles baked for {reason}");
    assert!(folder.read("level.navtile") == fresh, "{reason}");
    folder.run(&["verify", "level.navtile"]).expect(0);
    folder.run(&[&BAKE, arguments, &["--check"]].concat()).expect(0);
}

#[test]
fn damaged_tiles_and_graphs_are_made_anew() {
    let (folder, fresh) = baked(&[]);
    let file = NavFile::open(&fresh).unwrap();
    let mut damaged = fresh.clone();
    let row = file.entries()[2];
    damaged[(row.offset + row.length / 2) as usize] ^= 1;
    is_found(&folder, &[], &damaged, &fresh, "tile-checksum", 1);
    let mut damaged = fresh.clone();
    damaged[file.root().graph_offset as usize + 40] ^= 1;
    is_found(&folder, &[], &damaged, &fresh, "graph-checksum", file.entries().len() as u64);
}

#[test]
fn tiles_and_graphs_that_do_not_belong_together_are_made_anew() {
    for arguments in [&[][..], &["--reachable-from", "0,0,6"]] {
        let (folder, fresh) = baked(arguments);
        let same = |_: usize, record: TileRecord| Some(record);
        // The first polygon of a tile is missing, or all of its nodes but the tile's islands are.
        let holed = changed(
            &fresh,
            |index, record| {
                let tile = if index == 0 { without(&record.tile, false) } else { record.tile };
                Some(TileRecord { tile, ..record })
            },
            |graph| graph,
        );
        is_found(&folder, arguments, &holed, &fresh, "graph-tile-", 1);
        let file = NavFile::open(&fresh).unwrap();
        let tile_at = |index: usize| file.tile_at(index).unwrap().unwrap();
        let empty = changed(&fresh, same, |graph| {
            let mut nodes = graph.nodes().to_vec();
            for (index, row) in file.entries().iter().enumerate() {
                let tile = without(&tile_at(index), true);
                nodes.push(TileNode::new(&tile, row.input_hash, Vec::new(), Vec::new()));
            }
            IslandGraph::new(nodes)
        });
        is_found(&folder, arguments, &empty, &fresh, "graph-tile-", file.entries().len() as u64);
        let fewer = changed(&fresh, same, |graph| {
            IslandGraph::new(
                graph.nodes().iter().filter(|node| node.coord() != tile_at(1).coord()).cloned().collect(),
            )
        });
        is_found(&folder, arguments, &fewer, &fresh, "graph-tile", 1);
        let other_hash = changed(
            &fresh,
            |index, record| {
                let input_hash = if index == 1 { [9; 16] } else { record.input_hash };
                Some(TileRecord { input_hash, ..record })
            },
            |graph| graph,
        );
        is_found(&folder, arguments, &other_hash, &fresh, "graph-tile-input", 1);
    }
}

#[test]
fn a_tile_that_is_missing_is_missed() {
    let (folder, fresh) = baked(&[]);
    let lost = changed(&fresh, |index, record| (index != 3).then_some(record), |graph| graph);
    folder.write("level.navtile", lost);
    let check = folder.run(&[&BAKE[..], &["--check"]].concat()).expect(1);
    assert!(check.stdout.contains("1 tile with other islands"), "{}", check.stdout);
    folder.run(&[&BAKE[..], &["--changed"]].concat()).expect(0);
    assert!(folder.read("level.navtile") == fresh);
}

#[test]
fn the_previous_file_is_not_held_in_memory() {
    let (folder, fresh) = baked(&[]);
    // After the part that its root describes, a file may contain anything, here a hole of 256 MiB.
    let file = std::fs::OpenOptions::new().write(true).open(folder.path("level.navtile")).unwrap();
    file.set_len(256 << 20).unwrap();
    let call = [&BAKE[..], &["--changed", "--report", "page.html", "--memory", "48MiB", "--json"]].concat();
    let report = folder.run(&call).expect(0).json();
    assert_eq!(report["tiles"]["baked"], 0);
    if let Some(peak) = report["peak_memory"].as_u64() {
        assert!(peak < 48 << 20, "{peak}");
    }
    assert!(folder.read("level.navtile") == fresh);
}
