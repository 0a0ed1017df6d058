//! Groups of stages that all libraries have, however each divides its work, and the clock that times each
//! group.

use super::clock::now;
use navtile::TileCoord;
use recast::{Observer, StageId};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The groups, in the order of a bake. The first is one sweep in our bakes: marking, rasterizing, filters and
/// compaction. The last writes the tile.
pub const NAMES: [&str; 8] =
    ["to floors", "erode", "distance", "regions", "contours", "polygons", "detail", "tile"];

/// Number of groups.
pub const COUNT: usize = NAMES.len();
/// The group that writes the tile.
pub const TILE: usize = COUNT - 1;

/// CPU time of each group.
pub type Times = [Duration; COUNT];

/// The group of one of our stages.
pub fn of(stage: StageId) -> usize {
    match stage {
        StageId::MarkWalkable
        | StageId::Rasterize
        | StageId::FilterLowHanging
        | StageId::FilterLedges
        | StageId::FilterLowCeilings
        | StageId::Compact => 0,
        StageId::Erode | StageId::MarkAreas => 1,
        StageId::DistanceField => 2,
        StageId::Regions => 3,
        StageId::TraceContours | StageId::SimplifyContours | StageId::MergeHoles => 4,
        StageId::PolyMesh => 5,
        StageId::DetailMesh => 6,
        StageId::Emit => TILE,
    }
}

/// The compared part of a bake's result, and its times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Once {
    /// CPU time of each group.
    pub times: Times,
    /// CPU time of the whole, including the time between groups.
    pub total: Duration,
    /// Number of polygons of all tiles.
    pub polygons: usize,
}

impl Once {
    /// Adds a tile.
    pub fn add(&mut self, times: &Times, total: Duration, polygons: usize) {
        for (sum, time) in self.times.iter_mut().zip(times) {
            *sum += *time;
        }
        self.total += total;
        self.polygons += polygons;
    }
}

/// Stops the time of stages that are reported one after the other.
#[derive(Debug)]
pub struct Laps {
    times: Times,
    last: Duration,
}

impl Laps {
    /// Starts.
    pub fn start() -> Laps {
        Laps { times: Times::default(), last: now() }
    }

    /// Adds the time since the last lap to a group.
    pub fn lap(&mut self, group: usize) {
        let at = now();
        self.times[group] += at.saturating_sub(self.last);
        self.last = at;
    }

    /// The times.
    pub fn times(self) -> Times {
        self.times
    }
}

/// Watches a bake of ours on one thread. It reads the clock as often as for the other libraries, only between
/// groups. On a small level, timing every stage would take a tenth of the time.
#[derive(Debug)]
pub struct Watch(Mutex<WatchState>);

#[derive(Debug)]
struct WatchState {
    laps: Laps,
    group: usize,
}

impl Watch {
    /// Starts, at the beginning of the first group.
    pub fn start() -> Watch {
        Watch(Mutex::new(WatchState { laps: Laps::start(), group: 0 }))
    }

    /// The times of the groups that have ended.
    pub fn times(self) -> Times {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).laps.times()
    }

    fn state(&self) -> MutexGuard<'_, WatchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watch {
    fn stage_started(&self, _: TileCoord, stage: StageId) {
        let mut state = self.state();
        if state.group != of(stage) {
            let over = std::mem::replace(&mut state.group, of(stage));
            state.laps.lap(over);
        }
    }

    fn stage_finished(&self, _: TileCoord, stage: StageId, _: Duration) {
        if of(stage) == TILE {
            self.state().laps.lap(TILE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_stage() {
        assert!((0..COUNT).all(|group| StageId::ALL.iter().any(|&stage| of(stage) == group)));
    }
}
