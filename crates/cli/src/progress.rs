//! The progress bar of a bake, on a terminal only: one step per stage for a level in one piece, one step per
//! tile for one in tiles.

use crate::report::{brief, rate};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use navtile::TileCoord;
use recast::{Observer, StageId};
use std::fmt::Write;
use std::time::Duration;

/// Shows the progress of a bake on standard error; hidden if that is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// True if stages are steps; else tiles are.
    stages: bool,
}

impl Progress {
    /// The bar of a bake in one piece, for a number of agents.
    pub(crate) fn of_stages(agents: usize) -> Progress {
        let steps = (StageId::ALL.len() * agents) as u64;
        Progress::new(steps, true, "{bar:32} {pos}/{len} {msg}, {gone} elapsed")
    }

    /// The bar of a bake of a number of tiles.
    pub(crate) fn of_tiles(tiles: usize) -> Progress {
        let template = "{bar:32} {pos}/{len} tiles, {rate}, {gone} elapsed, {left} left";
        Progress::new(tiles as u64, false, template)
    }

    /// No bar at all.
    pub(crate) fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), stages: false }
    }

    fn new(steps: u64, stages: bool, template: &str) -> Progress {
        let bar = ProgressBar::new(steps);
        if let Ok(style) = ProgressStyle::with_template(template) {
            // The same units and digits as in all other texts.
            let style = style
                .with_key("rate", |state: &ProgressState, to: &mut dyn Write| show(to, rate(state.per_sec())))
                .with_key("gone", |state: &ProgressState, to: &mut dyn Write| {
                    show(to, brief(state.elapsed()))
                })
                .with_key("left", |state: &ProgressState, to: &mut dyn Write| show(to, brief(state.eta())));
            bar.set_style(style);
        }
        // The bar's thread would panic if it could not be started; without it, the bar moves with each step.
        if !bar.is_hidden() && std::thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Progress { bar, stages }
    }

    /// Counts a tile.
    pub(crate) fn tile_done(&self) {
        if !self.stages {
            self.bar.inc(1);
        }
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn show(to: &mut dyn Write, text: String) {
    to.write_str(&text).expect("writing to a line cannot fail");
}

impl Observer for Progress {
    fn stage_started(&self, _: TileCoord, stage: StageId) {
        if self.stages {
            self.bar.set_message(stage.name().replace('_', " "));
        }
    }

    fn stage_finished(&self, _: TileCoord, _: StageId, _: Duration) {
        if self.stages {
            self.bar.inc(1);
        }
    }
}
