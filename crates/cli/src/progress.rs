//! The progress bar of a bake: one step a stage, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};
use navtile::TileCoord;
use recast::{Observer, StageId};
use std::time::Duration;

/// Shows on standard error how far a bake is; hidden where that is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let bar = ProgressBar::new(StageId::ALL.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress { bar }
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn stage_started(&self, _: TileCoord, stage: StageId) {
        self.bar.set_message(stage.name().replace('_', " "));
    }

    fn stage_finished(&self, _: TileCoord, _: StageId, _: Duration) {
        self.bar.inc(1);
    }
}
