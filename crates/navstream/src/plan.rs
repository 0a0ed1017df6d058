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

    pub(crate) fn pinned(&mut self, pin: Pin) -> Result<&mut Circle, StreamError> {
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

    /// The tiles within the circles, each with the square of the least distance from a centre: the nearest
    /// first, and of equal ones the smallest coordinate.
    fn pinned_tiles(&self, world: &World) -> Vec<(f64, TileNumber)> {
        let mut pinned = Vec::new();
        for circle in self.pins.values() {
            world.visit_circle(circle, |tile, distance2| pinned.push((distance2, tile)));
        }
        pinned.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)));
        pinned.dedup_by_key(|(_, tile)| *tile);
        pinned.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pinned
    }

    /// All tiles that are needed, the most urgent first: those that are held, which are loaded; those of the
    /// pins; then those that are wanted.
    fn needed(&self, world: &World) -> Needed {
        let held: BTreeSet<TileNumber> = self.holds.values().flatten().copied().collect();
        let pinned = self.pinned_tiles(world).into_iter().map(|(_, tile)| tile);
        let others = pinned.chain(self.wants.iter().copied());
        let mut seen = held.clone();
        Needed { others: others.filter(|tile| seen.insert(*tile)).collect(), held }
    }
}

struct Needed {
    held: BTreeSet<TileNumber>,
    /// All others, the most urgent first.
    others: Vec<TileNumber>,
}

/// The place of a needed tile in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
    /// It is to be in the mesh.
    Kept,
    /// It does not fit: its number in [`Plan::over`].
    Over(usize),
}

/// The needed tiles that fit, and those that do not.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The tiles that are to be in the mesh, the most urgent first.
    pub(crate) kept: Vec<TileNumber>,
    /// The tiles that do not fit, the most urgent first.
    pub(crate) over: Vec<TileNumber>,
    ranks: BTreeMap<TileNumber, Rank>,
}

impl Plan {
    /// Fits the needed tiles into a number of bytes, in order: a tile that is too large leaves its place to
    /// the next that fits. Tiles that are held stay in any case. `exists` is false for tiles that cannot be
    /// loaded, which take no memory.
    pub(crate) fn new(
        demands: &Demands,
        world: &World,
        memory: u64,
        exists: impl Fn(TileNumber) -> bool,
    ) -> Plan {
        let needed = demands.needed(world);
        let bytes = |tile: TileNumber| u64::from(world.tile(tile).bytes);
        let mut plan = Plan::default();
        let mut left = memory;
        for tile in needed.held {
            left = left.saturating_sub(bytes(tile));
            plan.ranks.insert(tile, Rank::Kept);
            plan.kept.push(tile);
        }
        for tile in needed.others.into_iter().filter(|tile| exists(*tile)) {
            let rank = match left.checked_sub(bytes(tile)) {
                Some(rest) => {
                    left = rest;
                    plan.kept.push(tile);
                    Rank::Kept
                }
                None => {
                    plan.over.push(tile);
                    Rank::Over(plan.over.len() - 1)
                }
            };
            plan.ranks.insert(tile, rank);
        }
        plan
    }

    pub(crate) fn rank(&self, tile: TileNumber) -> Option<Rank> {
        self.ranks.get(&tile).copied()
    }

    pub(crate) fn keeps(&self, tile: TileNumber) -> bool {
        self.rank(tile) == Some(Rank::Kept)
    }
}
