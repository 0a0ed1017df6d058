//! The state of each tile of a cache: its obstacles, the work that is left, and its differences from the
//! file.

use crate::slots::ObstacleHandle;
use navtile::graph::TileNode;
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// The state of a tile. The default is the tile of the file, or no tile, without obstacles.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TileState {
    /// The obstacles that reach the tile.
    pub(crate) obstacles: BTreeSet<ObstacleHandle>,
    pub(crate) bake: BakeState,
    pub(crate) pruning: PruneState,
    pub(crate) content: ContentState,
    pub(crate) node: NodeState,
}

/// Progress of a tile towards its current obstacles. The numbers are those of the update before which it
/// began to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum BakeState {
    /// The tile shows its obstacles.
    #[default]
    Current,
    /// Its obstacles changed, and it has not been compared with them since. With many obstacles in one tile,
    /// a comparison after each change would take time in proportion to the square of their number. The tile
    /// may have been waiting already.
    Touched(Option<u64>),
    /// It does not show its obstacles yet.
    Waiting(u64),
    /// It could not be baked; it is tried again when an obstacle in it changes.
    Failed(u64),
}

/// Progress of the content of a tile towards its kept islands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PruneState {
    /// The content has the kept islands.
    #[default]
    Pruned,
    /// Its islands were decided again, and it has not been written since.
    Stale,
    /// It was baked, and has not been written since: its content is older than its islands.
    Baked,
}

/// The content of a tile.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum ContentState {
    /// The file's content.
    #[default]
    InFile,
    /// It differs from the file's; `None` if the tile no longer exists.
    Changed(Option<Tile>),
}

/// The node of a tile in the island graph.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum NodeState {
    /// The file's node.
    #[default]
    InFile,
    /// It was replaced; holds the node of the file, if the file has one.
    Replaced(Option<TileNode>),
}

impl TileState {
    /// The update before which the tile began to wait; `None` if it does not wait.
    pub(crate) fn waiting_since(&self) -> Option<u64> {
        match self.bake {
            BakeState::Current => None,
            BakeState::Touched(since) => since,
            BakeState::Waiting(since) | BakeState::Failed(since) => Some(since),
        }
    }

    /// Returns true if the tile waits, even if it could not be baked.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting_since().is_some()
    }

    /// Returns true if the tile has to be written once it does not wait.
    pub(crate) fn is_stale(&self) -> bool {
        self.pruning != PruneState::Pruned
    }
}

/// The states of all tiles that differ from the default.
#[derive(Debug, Default)]
pub(crate) struct TileStates {
    states: BTreeMap<TileCoord, TileState>,
    /// The tiles with work left. Only [`TileStates::edit`] changes it.
    unfinished: BTreeSet<TileCoord>,
}

impl TileStates {
    /// The state of a tile; `None` if it is the default.
    pub(crate) fn get(&self, coord: TileCoord) -> Option<&TileState> {
        self.states.get(&coord)
    }

    /// The content of a tile that differs from the file's; `Some(None)` if the tile no longer exists.
    pub(crate) fn changed(&self, coord: TileCoord) -> Option<Option<&Tile>> {
        match &self.get(coord)?.content {
            ContentState::InFile => None,
            ContentState::Changed(tile) => Some(tile.as_ref()),
        }
    }

    /// All tiles whose state is not the default, in canonical order.
    pub(crate) fn coords(&self) -> impl Iterator<Item = TileCoord> {
        self.states.keys().copied()
    }

    /// The tiles with work left for which `is` returns true, in canonical order.
    pub(crate) fn unfinished(&self, is: impl Fn(&TileState) -> bool) -> impl Iterator<Item = TileCoord> {
        self.unfinished.iter().copied().filter(move |coord| self.get(*coord).is_some_and(&is))
    }

    /// Changes the state of a tile.
    pub(crate) fn edit<T>(&mut self, coord: TileCoord, change: impl FnOnce(&mut TileState) -> T) -> T {
        let state = self.states.entry(coord).or_default();
        let result = change(state);
        if state.bake != BakeState::Current || state.is_stale() {
            self.unfinished.insert(coord);
        } else {
            self.unfinished.remove(&coord);
            if *state == TileState::default() {
                self.states.remove(&coord);
            }
        }
        result
    }

    /// Notes that the islands of a tile were decided again.
    pub(crate) fn mark_stale(&mut self, coord: TileCoord) {
        self.edit(coord, |tile| tile.pruning = tile.pruning.max(PruneState::Stale));
    }
}
