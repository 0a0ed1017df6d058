//! `navtile compact`, run as a program.

use crate::common::{Folder, two_floors};
use navtile::{Edit, NavStore, TileRecord};

/// A folder with a baked level.
fn baked() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    folder.run(&["bake", "level.obj", "--tile-size", "6"]).expect(0);
    folder
}

/// The file after two edits that do not change its content, followed by half a commit.
fn edited(bytes: Vec<u8>) -> Vec<u8> {
    let mut store = NavStore::open(bytes).unwrap();
    let entry = store.entries()[0];
    let tile = store.tile(entry.coord()).unwrap().unwrap();
    let graph = store.graph().transpose().unwrap();
    let (input_hash, prune_hash) = (entry.input_hash, entry.prune_hash);
    store.commit(Edit::new().remove(entry.coord())).unwrap();
    store.commit(Edit::new().put(TileRecord { tile, input_hash, prune_hash }).set_graph(graph)).unwrap();
    let mut bytes = store.into_inner();
    bytes.extend([9; 5_000]);
    bytes
}

#[test]
fn an_edited_file_becomes_what_the_bake_wrote() {
    let folder = baked();
    let fresh = folder.read("level.navtile");
    folder.write("edited.navtile", edited(fresh.clone()));
    let before = folder.read("edited.navtile");
    assert!(before.len() > fresh.len() + 5_000);
    let report = folder.run(&["compact", "edited.navtile", "-o", "other.navtile", "--json"]).expect(0).json();
    assert_eq!(folder.read("other.navtile"), fresh);
    assert_eq!(folder.read("edited.navtile"), before, "the input is left alone");
    assert_eq!((&report["bytes_before"], &report["bytes"]), (&before.len().into(), &fresh.len().into()));
    assert_eq!(
        (&report["unused_before"], &report["compressed"]),
        (&(before.len() - fresh.len()).into(), &false.into())
    );
    // In place.
    let run = folder.run(&["compact", "edited.navtile"]).expect(0);
    assert!(run.stdout.starts_with("edited.navtile: ") && run.stdout.contains(" unused"), "{}", run.stdout);
    assert_eq!(folder.read("edited.navtile"), fresh);
    assert_eq!(folder.names(), ["edited.navtile", "level.navtile", "level.obj", "other.navtile"]);
}

#[test]
fn compression_goes_both_ways_and_every_command_reads_it() {
    let folder = baked();
    let fresh = folder.read("level.navtile");
    let report = folder.run(&["compact", "level.navtile", "--compress", "-o", "small.navtile", "--json"]);
    assert_eq!(report.expect(0).json()["compressed"], true);
    let small = folder.read("small.navtile");
    assert!(small.len() < fresh.len(), "{} and {}", small.len(), fresh.len());
    folder.run(&["verify", "small.navtile"]).expect(0);
    folder.run(&["diff", "level.navtile", "small.navtile"]).expect(0);
    let tiles = |name: &str| folder.run(&["info", name, "--json"]).expect(0).json()["polygons"].clone();
    assert_eq!(tiles("small.navtile"), tiles("level.navtile"));
    // As before: compressed. Then back.
    folder.run(&["compact", "small.navtile"]).expect(0);
    assert_eq!(folder.read("small.navtile"), small);
    folder.run(&["compact", "small.navtile", "--decompress"]).expect(0);
    assert_eq!(folder.read("small.navtile"), fresh);
    folder.run(&["compact", "small.navtile", "--compress", "--decompress"]).expect(2);
}

#[test]
fn what_cannot_be_compacted_is_left_as_it_is() {
    let folder = baked();
    folder.run(&["compact", "none.navtile"]).expect(3).says(&["none.navtile: cannot be read"]);
    folder.write("text.navtile", "no mesh");
    folder.run(&["compact", "text.navtile"]).expect(3).says(&["file-length", "navtile verify"]);
    let mut broken = folder.read("level.navtile");
    let entry = NavStore::open(broken.as_slice()).unwrap().entries()[0];
    broken[entry.offset as usize + 256] ^= 1;
    folder.write("broken.navtile", &broken);
    folder.run(&["compact", "broken.navtile"]).expect(3).says(&["tile-checksum", "nothing was changed"]);
    assert_eq!(folder.read("broken.navtile"), broken);
    folder.run(&["compact", "level.navtile", "-o", "level.obj/a.navtile"]).expect(3).says(&["folder"]);
    assert_eq!(folder.names(), ["broken.navtile", "level.navtile", "level.obj", "text.navtile"]);
}
