//! The state of one bake, apart from the data that stages pass on: how stages are run, timed, watched and
//! shown.

use crate::baked::{Baked, Counts};
use crate::data::column_spans::ColumnSpans;
use crate::error::Error;
use crate::fast;
use crate::ground::{TileGround, TileLadders};
use crate::input::PreparedLevel;
use crate::observer::{DiagnosticKind, Observer, Report, StageId};
use crate::outline::WallLines;
use crate::scratch::Scratch;
use crate::settings::Config;
use crate::snapshot::Snapshot;
use crate::stage::Context;
use crate::stopwatch::Stopwatch;
use crate::tile_build::TileBuild;
use navtile::Tile;
use std::sync::Arc;
use std::time::Duration;

/// Receives each intermediate result. With a tap each stage makes its own result, and nothing is fused.
pub type Tap<'a> = Option<&'a mut dyn FnMut(Snapshot<'_>)>;

/// The state of one bake that is not passed from stage to stage.
pub struct TileBake<'a, 't> {
    /// The level that the tile is part of.
    pub level: &'a PreparedLevel,
    /// The tile.
    pub build: &'a TileBuild,
    /// Watches the stages, and may cancel.
    pub observer: &'a dyn Observer,
    /// Receives each intermediate result, if anybody asks.
    pub tap: Tap<'t>,
    /// Threads, memory and report of the stages.
    pub context: Context,
    /// Counts of the results so far.
    pub counts: Counts,
    /// The time that each stage took.
    pub stage_times: Vec<(StageId, Duration)>,
    /// The spans, if links are to be generated.
    pub spans: Option<ColumnSpans>,
    /// The surfaces of ladders, if links of them are to be generated.
    pub ladders: TileLadders,
    /// The ground, if links are to be generated.
    pub ground: Option<Box<TileGround>>,
    /// The wall lines, if outlines are exact.
    pub wall_lines: Option<Arc<WallLines>>,
}

impl<'a, 't> TileBake<'a, 't> {
    /// A bake that has not begun.
    pub fn new(
        level: &'a PreparedLevel,
        build: &'a TileBuild,
        observer: &'a dyn Observer,
        tap: Tap<'t>,
    ) -> TileBake<'a, 't> {
        let grid = &build.grid;
        let mut report = Report::new(level.lattice, grid.inner_base());
        report.diagnostics.extend(level.diagnostics.iter().cloned());
        TileBake {
            level,
            build,
            observer,
            tap,
            context: Context { threads: fast::threads(grid), scratch: Scratch::new(), report },
            counts: Counts {
                grid: [grid.width, grid.depth],
                triangles: level.triangles_given,
                ..Counts::default()
            },
            stage_times: Vec::with_capacity(StageId::ALL.len()),
            spans: None,
            ladders: TileLadders::default(),
            ground: None,
            wall_lines: None,
        }
    }

    /// Runs part of the bake in the scratch memory of the caller.
    pub fn with_scratch<T>(
        &mut self,
        scratch: &mut Scratch,
        run: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        std::mem::swap(scratch, &mut self.context.scratch);
        let made = run(self);
        std::mem::swap(scratch, &mut self.context.scratch);
        made
    }

    /// Runs one stage, timed and watched by the observer.
    pub fn stage<I, P: for<'c> From<&'c Config>, O>(
        &mut self,
        stage: StageId,
        run: impl FnOnce(I, &P, &mut Context) -> Result<O, Error>,
        input: I,
    ) -> Result<O, Error> {
        if self.observer.cancelled() {
            return Err(Error::Cancelled);
        }
        let _span = tracing::debug_span!("stage", name = stage.name()).entered();
        self.observer.stage_started(self.build.coord, stage);
        let start = Stopwatch::start();
        let output = run(input, &P::from(&self.level.config), &mut self.context);
        let elapsed = start.elapsed();
        match self.stage_times.iter_mut().find(|(other, _)| *other == stage) {
            Some((_, total)) => *total += elapsed,
            None => self.stage_times.push((stage, elapsed)),
        }
        self.observer.stage_finished(self.build.coord, stage, elapsed);
        output
    }

    /// Shows an intermediate result to the tap.
    pub fn show(&mut self, snapshot: Snapshot<'_>) {
        if let Some(tap) = &mut self.tap {
            tap(snapshot);
        }
    }

    /// Runs a bake to its end. `run` returns the tile, and the walkable cells of each of its islands.
    pub fn finish(
        mut self,
        scratch: &mut Scratch,
        run: impl FnOnce(&mut Self) -> Result<(Tile, Vec<u64>), Error>,
    ) -> Result<Baked, Error> {
        let (tile, island_cells) = self.with_scratch(scratch, run)?;
        if self.counts.polygons == 0 {
            let what = "the mesh is empty: no surface is flat, high, wide and large enough for this agent";
            self.context.report.at(DiagnosticKind::EmptyMesh, None, what);
        }
        Ok(Baked {
            tile,
            island_cells,
            counts: self.counts,
            diagnostics: self.context.report.diagnostics,
            stage_times: self.stage_times,
            ground: self.ground,
        })
    }
}
