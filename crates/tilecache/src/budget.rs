//! The amount of work of one update.

use std::time::Duration;

/// The limit on the tiles that an update bakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub(crate) tiles: usize,
    pub(crate) time: Option<Duration>,
}

impl Budget {
    /// All waiting tiles.
    pub fn all() -> Budget {
        Budget { tiles: usize::MAX, time: None }
    }

    /// At most this many tiles, and at least one. The resulting tiles do not depend on the speed of the
    /// machine.
    pub fn tiles(tiles: usize) -> Budget {
        Budget { tiles: tiles.max(1), time: None }
    }

    /// Begins no tile that is expected to exceed this time, based on earlier times of this tile or of others.
    /// The time of updates that begin nothing adds up, so that a tile that takes longer than the budget is
    /// begun once enough time has accumulated. The eighth such update in a row begins one in any case. This
    /// needs a clock, which wasm32-unknown-unknown lacks: there, each update bakes one tile.
    pub fn time(time: Duration) -> Budget {
        Budget { tiles: usize::MAX, time: Some(time) }
    }
}
