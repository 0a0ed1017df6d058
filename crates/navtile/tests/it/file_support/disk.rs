//! A disk for tests: it records every step, so that a crash after any of them can be played, and counts
//! reads.

use crate::common::Dice;
use navtile::file::{Source, Storage};
use navtile::{IslandGraph, Meta, NavStore, TileRecord};
use std::cell::RefCell;
use std::io;
use std::ops::Range;

/// An operation on a disk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Write { offset: u64, bytes: Vec<u8> },
    SetLength(u64),
    Sync,
}

/// Bytes, the operations on them, and the reads.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    pub(crate) bytes: Vec<u8>,
    /// The bytes before the first step.
    before: Vec<u8>,
    pub(crate) steps: Vec<Step>,
    pub(crate) reads: RefCell<Vec<Range<u64>>>,
    /// From this step on, everything fails.
    pub(crate) fails_at: Option<usize>,
}

impl Disk {
    pub(crate) fn new(bytes: Vec<u8>) -> Disk {
        Disk { before: bytes.clone(), bytes, ..Disk::default() }
    }

    fn step(&mut self, step: Step) -> io::Result<()> {
        if self.fails_at.is_some_and(|first| self.steps.len() >= first) {
            return Err(io::Error::other("the disk is gone"));
        }
        apply(&mut self.bytes, &step);
        self.steps.push(step);
        Ok(())
    }

    /// Every state that a crash may leave on the disk after `after` steps: everything that was synced, and
    /// any part of the later writes, of which each may be torn.
    pub(crate) fn crashes(&self, after: usize) -> Vec<Vec<u8>> {
        let done = &self.steps[..after];
        let synced = done.iter().rposition(|step| *step == Step::Sync).map_or(0, |sync| sync + 1);
        let mut durable = self.before.clone();
        done[..synced].iter().for_each(|step| apply(&mut durable, step));
        let pending = &done[synced..];
        assert!(pending.len() <= 10, "{} steps without a sync are too many to try all", pending.len());
        let mut states = Vec::new();
        for chosen in 0..1u32 << pending.len() {
            let there: Vec<&Step> =
                (0..).zip(pending).filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, s)| s).collect();
            let mut whole = durable.clone();
            there.iter().for_each(|step| apply(&mut whole, step));
            states.push(whole);
            for torn in 0..there.len() {
                states.extend(tears(there[torn]).into_iter().map(|part| {
                    let mut state = durable.clone();
                    for (index, step) in there.iter().enumerate() {
                        apply(&mut state, if index == torn { &part } else { step });
                    }
                    state
                }));
            }
        }
        states
    }
}

/// One of the states that a crash may leave after `after` steps: each write since the last sync may be lost,
/// torn or complete.
pub(crate) fn crash(disk: &Disk, after: usize, dice: &mut Dice) -> Vec<u8> {
    let done = &disk.steps[..after];
    let synced = done.iter().rposition(|step| *step == Step::Sync).map_or(0, |sync| sync + 1);
    let mut state = disk.before.clone();
    for (index, step) in done.iter().enumerate() {
        match (index < synced, step, dice.roll(3)) {
            (false, _, 0) => {}
            (false, Step::Write { offset, bytes }, 1) => {
                let end = dice.roll(bytes.len() as u32 + 1) as usize;
                apply(&mut state, &Step::Write { offset: *offset, bytes: bytes[..end].to_vec() });
            }
            _ => apply(&mut state, step),
        }
    }
    state
}

/// Prefixes of a write: all of them for a short write, a few for a long one.
fn tears(step: &Step) -> Vec<Step> {
    let Step::Write { offset, bytes } = step else { return Vec::new() };
    let stride = if bytes.len() <= 88 { 1 } else { bytes.len() / 3 };
    (1..bytes.len())
        .step_by(stride)
        .map(|end| Step::Write { offset: *offset, bytes: bytes[..end].to_vec() })
        .collect()
}

fn apply(disk: &mut Vec<u8>, step: &Step) {
    match step {
        Step::Write { offset, bytes } => disk.write_at(*offset, bytes).unwrap(),
        Step::SetLength(length) => disk.set_length(*length).unwrap(),
        Step::Sync => {}
    }
}

impl Source for Disk {
    fn length(&self) -> io::Result<u64> {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.reads.borrow_mut().push(offset..offset + buffer.len() as u64);
        self.bytes.read_at(offset, buffer)
    }
}

impl Storage for Disk {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.step(Step::Write { offset, bytes: bytes.to_vec() })
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.step(Step::SetLength(length))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.step(Step::Sync)
    }
}

/// A store on a disk, with the count of reads reset.
pub(crate) fn opened(bytes: &[u8]) -> NavStore<Disk> {
    NavStore::open(Disk::new(bytes.to_vec())).unwrap()
}

/// The whole content of a file.
pub(crate) type State = (Meta, Vec<TileRecord>, Option<IslandGraph>, Option<Vec<u8>>);

/// Reads the whole content of a file and verifies every tile; anything that cannot be read fails the test.
pub(crate) fn state(bytes: &[u8]) -> State {
    let store = NavStore::open(bytes).unwrap();
    let taken = store.entries().iter().map(|entry| {
        let tile = store.tile(entry.coord()).unwrap().unwrap();
        TileRecord { tile, input_hash: entry.input_hash, prune_hash: entry.prune_hash }
    });
    let hierarchy = store.hierarchy().map(|hierarchy| hierarchy.unwrap().to_vec());
    (store.meta().clone(), taken.collect(), store.graph().transpose().unwrap(), hierarchy)
}
