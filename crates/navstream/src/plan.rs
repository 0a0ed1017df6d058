//! Which tiles are needed, in which order, and which of them fit.

use crate::error::StreamError;
use crate::world::{Circle, TileNumber, World};
use std::collections::{BTreeMap, BTreeSet};

/// A circle whose tiles are kept. See [`TileStream::pin`](crate::TileStream::pin).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin(u64);

/// Tiles that are kept for references to their polygons. See [`TileStream::hold`](crate::TileStream::hold).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hold(u64);

/// Everything that needs tiles.
#[derive(Debug, Default)]
pub(crate) struct Demands {
    pins: BTreeMap<Pin, Circle>,
    holds: BTreeMap<Hold, Vec<TileNumber>>,
    pub(crate) wants: Vec<TileNumber>,
    /// The number of pins and holds so far: no two have the same.
    count: u64,
}

impl Demands {
    pub(crate) fn pin(&mut self, circle: Circle) -> Pin {
        self.count += 1;
        self.pins.insert(Pin(self.count), circle);
        Pin(self.count)
    }

    pub(crate) fn circle(&mut self, pin: Pin) -> Result<&mut Circle, StreamError> {
        self.pins.get_mut(&pin).ok_or(StreamError::NoPin)
    }

    pub(crate) fn unpin(&mut self, pin: Pin) -> Result<(), StreamError> {
        self.pins.remove(&pin).map(drop).ok_or(StreamError::NoPin)
    }

    pub(crate) fn hold(&mut self, tiles: Vec<TileNumber>) -> Hold {
        self.count += 1;
        self.holds.insert(Hold(self.count), tiles);
        Hold(self.count)
    }

    pub(crate) fn held(&mut self, hold: Hold) -> Result<&mut Vec<TileNumber>, StreamError> {
        self.holds.get_mut(&hold).ok_or(StreamError::NoHold)
    }

    pub(crate) fn release(&mut self, hold: Hold) -> Result<(), StreamError> {
        self.holds.remove(&hold).map(drop).ok_or(StreamError::NoHold)
    }

    /// The tiles within the circles with the squares of their distances from the centre: the nearest first,
    /// and of equal ones the smallest coordinate. Once for each circle.
    fn pinned(&self, world: &World) -> impl Iterator<Item = TileNumber> {
        let mut pinned = Vec::new();
        for circle in self.pins.values() {
            world.visit_circle(circle, |tile, distance2| pinned.push((distance2, tile)));
        }
        pinned.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pinned.into_iter().map(|(_, tile)| tile)
    }
}

/// The last answer of the source about a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing yet, or the tile was removed since.
    #[default]
    Nothing,
    /// The tile is in the mesh.
    Loaded,
    /// It failed, and is not requested before a reload or retry.
    Failed,
    /// The source has no such tile.
    Absent,
}

/// The state of a tile of the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TileState {
    /// The number of the last plan that needed it; 0 if none did.
    needed_in: u64,
    /// True if it fit in that plan.
    fits: bool,
    pub(crate) known: Known,
}

/// The needed tiles, divided into tiles that fit and tiles that do not.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The number of plans so far.
    number: u64,
    /// The tiles that are to be in the mesh, the most urgent first.
    pub(crate) kept: Vec<TileNumber>,
    /// The tiles that do not fit, the most urgent first.
    pub(crate) over: Vec<TileNumber>,
    /// The loaded tiles that nothing needs, by the last plan that needed them.
    idle: BTreeSet<(u64, TileNumber)>,
}

impl Plan {
    /// Fits the needed tiles into a number of bytes, in order: held tiles, in any case; tiles of pins; then
    /// wanted tiles. A tile that is too large leaves its place to the next that fits. Tiles that cannot be
    /// loaded take no memory.
    pub(crate) fn renew(&mut self, demands: &Demands, world: &World, memory: u64, states: &mut [TileState]) {
        self.number += 1;
        let mut before = std::mem::take(&mut self.kept);
        before.append(&mut self.over);
        let mut left = memory;
        for tile in demands.holds.values().flatten() {
            self.place(*tile, true, states);
        }
        for tile in &self.kept {
            left = left.saturating_sub(u64::from(world.tile(*tile).bytes));
        }
        for tile in demands.pinned(world).chain(demands.wants.iter().copied()) {
            if !matches!(states[tile as usize].known, Known::Failed | Known::Absent) {
                let bytes = u64::from(world.tile(tile).bytes);
                if self.place(tile, bytes <= left, states) {
                    left -= bytes;
                }
            }
        }
        for tile in before {
            let state = states[tile as usize];
            if state.needed_in != self.number && state.known == Known::Loaded {
                self.idle.insert((state.needed_in, tile));
            }
        }
    }

    /// Places a needed tile into the plan, unless it has a place; returns true if it is placed among those
    /// that fit.
    fn place(&mut self, tile: TileNumber, fits: bool, states: &mut [TileState]) -> bool {
        let state = &mut states[tile as usize];
        if state.needed_in == self.number {
            return false;
        }
        if state.known == Known::Loaded {
            self.idle.remove(&(state.needed_in, tile));
        }
        (state.needed_in, state.fits) = (self.number, fits);
        let list = if fits { &mut self.kept } else { &mut self.over };
        list.push(tile);
        fits
    }

    /// Returns true if a tile is needed and fits.
    pub(crate) fn keeps(&self, state: TileState) -> bool {
        state.needed_in == self.number && state.fits
    }

    /// The loaded tile to remove next: the least recently needed of the tiles that nothing needs, then the
    /// least urgent of the needed tiles that do not fit.
    pub(crate) fn least_needed(&self, states: &[TileState]) -> Option<TileNumber> {
        let idle = self.idle.first().map(|(_, tile)| *tile);
        let is_loaded = |tile: &&TileNumber| states[**tile as usize].known == Known::Loaded;
        idle.or_else(|| self.over.iter().rev().find(is_loaded).copied())
    }

    /// Notes that a tile is no longer loaded.
    pub(crate) fn removed(&mut self, tile: TileNumber, state: TileState) {
        self.idle.remove(&(state.needed_in, tile));
    }
}
