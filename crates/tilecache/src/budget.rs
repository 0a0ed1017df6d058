//! How much is baked at once.

use std::time::Duration;

/// How much an update bakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub(crate) tiles: usize,
    pub(crate) time: Option<Duration>,
}

impl Budget {
    /// All tiles that wait.
    pub fn all() -> Budget {
        Budget { tiles: usize::MAX, time: None }
    }

    /// At most this many tiles, and at least one. Which tiles come out does not depend on how fast the machine is.
    pub fn tiles(tiles: usize) -> Budget {
        Budget { tiles: tiles.max(1), time: None }
    }

    /// Begins no tile that is expected to run past this time, judging by how long it took before, or others did. The time of
    /// updates that begin nothing adds up, so that a tile which takes longer than the budget is begun once they have left enough;
    /// the eighth update in a row begins one in any case. It needs a clock, which wasm32-unknown-unknown lacks: there it bakes
    /// one tile.
    pub fn time(time: Duration) -> Budget {
        Budget { tiles: usize::MAX, time: Some(time) }
    }
}
