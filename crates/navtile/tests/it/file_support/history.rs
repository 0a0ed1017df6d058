//! Histories of a store: random edits, failing disks, crashes and compactions, compared with a plain model of
//! its content.

use super::disk::{Disk, State, crash, opened, state};
use super::{fresh, graph, meta, record, seeded};
use crate::common::Dice;
use navtile::file::Committed;
use navtile::{Edit, IslandGraph, Meta, NavFile, NavStore, Packing, StoreError, Tile, TileCoord, TileRecord};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// The content that a file should have.
#[derive(Clone)]
struct Model {
    meta: Meta,
    tiles: BTreeMap<TileCoord, TileRecord>,
    graph: Option<IslandGraph>,
    hierarchy: Option<Vec<u8>>,
}

impl Model {
    fn state(&self) -> State {
        (self.meta.clone(), self.records(), self.graph.clone(), self.hierarchy.clone())
    }

    fn records(&self) -> Vec<TileRecord> {
        self.tiles.values().cloned().collect()
    }

    fn fresh(&self, packing: Packing) -> Vec<u8> {
        let file = fresh(&self.meta, &self.records(), self.graph.as_ref(), packing);
        let Some(hierarchy) = &self.hierarchy else { return file };
        NavStore::open(file).unwrap().complete(hierarchy).unwrap()
    }
}

fn packing(dice: &mut Dice) -> Packing {
    match dice.roll(2) {
        #[cfg(feature = "lz4")]
        0 => Packing::Lz4,
        _ => Packing::Raw,
    }
}

/// An edit, the model after it, and the report that a commit should return.
fn edit(model: &Model, dice: &mut Dice) -> (Edit, Model, Committed) {
    let (mut edit, mut after, mut touched) = (Edit::new(), model.clone(), BTreeSet::new());
    for _ in 0..dice.roll(4) {
        let [x, z] = [0; 2].map(|_| dice.roll(3));
        let coord = TileCoord { x, z, layer: 0 };
        if dice.roll(3) == 0 {
            edit.remove(coord);
            after.tiles.remove(&coord);
        } else {
            let put = record(&seeded(x, z, dice.roll(3)));
            after.tiles.insert(coord, put.clone());
            edit.put(put);
        }
        touched.insert(coord);
    }
    let mut done = Committed::default();
    for coord in touched {
        match [model, &after].map(|model| model.tiles.contains_key(&coord)) {
            [true, true] => done.replaced += 1,
            [true, false] => done.removed += 1,
            [false, true] => done.added += 1,
            [false, false] => {}
        }
    }
    if dice.roll(4) == 0 {
        after.meta.areas[1].cost = 1.0 + dice.roll(3) as f32;
        edit.set_meta(after.meta.clone());
    }
    match dice.roll(4) {
        0 => drop(edit.keep_graph()),
        1 => {
            let tiles: Vec<Tile> = after.tiles.values().map(|record| record.tile.clone()).collect();
            after.graph = (dice.roll(2) == 0).then(|| graph(&tiles));
            edit.set_graph(after.graph.clone());
        }
        _ if done != Committed::default() => after.graph = None,
        _ => {}
    }
    if dice.roll(3) == 0 {
        after.hierarchy = (dice.roll(3) > 0).then(|| vec![7; dice.roll(40) as usize]);
        edit.set_hierarchy(after.hierarchy.clone());
    } else if done != Committed::default() {
        after.hierarchy = None;
    }
    (edit, after, done)
}

/// Plays a history and compares all results with the model.
pub(crate) fn play(dice: &mut Dice) {
    let mut model = Model { meta: meta(), tiles: BTreeMap::new(), graph: None, hierarchy: None };
    let mut bytes = model.fresh(packing(dice));
    for _ in 0..1 + dice.roll(5) {
        let (edit, after, done) = edit(&model, dice);
        bytes = match dice.roll(6) {
            0 => refused(&bytes, &model, edit, dice),
            1 => failed(&bytes, &mut model, &after, &edit, dice),
            _ => committed(&bytes, &mut model, &after, &edit, done, dice),
        };
        assert!(state(&bytes) == model.state(), "not what the edits made");
        if dice.roll(4) == 0 {
            let packing = packing(dice);
            let compact = opened(&bytes).compact(Cursor::new(Vec::new()), packing).unwrap().into_inner();
            assert!(compact == model.fresh(packing), "a compacted file is another than a fresh one");
            bytes = compact;
        }
    }
    let file = NavFile::open(&bytes).unwrap();
    assert_eq!(file.coords(), model.tiles.keys().copied().collect::<Vec<_>>());
}

/// Another lattice is refused while there are tiles on this one, and nothing is written.
fn refused(bytes: &[u8], model: &Model, mut edit: Edit, dice: &mut Dice) -> Vec<u8> {
    let mut store = opened(bytes);
    edit.put(record(&seeded(0, 0, dice.roll(3))));
    edit.set_meta(Meta { cell: [0.25, 0.2], ..model.meta.clone() });
    let error = store.commit(&edit).unwrap_err();
    assert!(matches!(error, StoreError::File(_)), "{error}");
    let disk = store.into_inner();
    assert!(disk.steps.is_empty() && disk.bytes == bytes);
    disk.bytes
}

/// A disk that fails at some step: the file is in its state before or after the edit.
fn failed(bytes: &[u8], before: &mut Model, after: &Model, edit: &Edit, dice: &mut Dice) -> Vec<u8> {
    let mut disk = Disk::new(bytes.to_vec());
    disk.fails_at = Some(dice.roll(10) as usize);
    let mut store = NavStore::open(disk).unwrap().with_packing(packing(dice));
    let made = store.commit(edit);
    if let Err(error) = &made {
        assert!(matches!(error, StoreError::Io { .. }), "{error}");
        assert!(matches!(store.commit(edit), Err(StoreError::Unsettled)));
    }
    let bytes = store.into_inner().bytes;
    if made.is_ok() || state(&bytes) == after.state() {
        before.clone_from(after);
    }
    bytes
}

/// A commit, in half of all cases with a crash before it finishes.
fn committed(
    bytes: &[u8],
    before: &mut Model,
    after: &Model,
    edit: &Edit,
    done: Committed,
    dice: &mut Dice,
) -> Vec<u8> {
    let mut store = opened(bytes).with_packing(packing(dice));
    let made = store.commit(edit).unwrap();
    assert_eq!(Committed { appended: 0, ..made }, done);
    let disk = store.into_inner();
    let (steps, crashes) = (disk.steps.len(), dice.roll(2) == 0);
    let through = if crashes { dice.roll(steps as u32 + 1) as usize } else { steps };
    let bytes = if crashes { crash(&disk, through, dice) } else { disk.bytes };
    let is_new = state(&bytes) == after.state();
    assert!(is_new || through < steps, "old after the last sync");
    if is_new {
        before.clone_from(after);
    }
    bytes
}
