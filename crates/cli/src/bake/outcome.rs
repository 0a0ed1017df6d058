//! What a bake came to, for its reports: counts, warnings, what changed since the last one.

use super::html::{self, Changes, IslandSummary, Page, PageTile, PageWarning};
use super::last::Last;
use super::report::{Report, Tiles};
use super::work::Settled;
use super::write::Written;
use crate::failure::Failure;
use crate::files::{self, Target};
use crate::{memory, report};
use navtile::{Meta, NavFile, TileCoord};
use recast::{Counts, Diagnostic, PreparedLevel, StageId, Tiling};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// What all agents have in common.
pub(super) struct Run<'a> {
    /// Names of the input files.
    pub(super) levels: &'a [String],
    /// Warnings about the level's files.
    pub(super) of_level: &'a [String],
    pub(super) tile_cells: u32,
    /// For each agent, how many tiles triangles reach.
    pub(super) reached: Vec<usize>,
    pub(super) tiling: &'a Tiling<'a>,
    /// Whether tiles could be taken over from the last bake.
    pub(super) changed_only: bool,
    pub(super) started: Instant,
    /// Where the time went.
    pub(super) phases: Vec<(&'static str, Duration)>,
}

/// What came of one agent.
pub(super) struct Outcome<'a> {
    /// Its index.
    pub(super) agent: usize,
    pub(super) name: Option<&'a str>,
    pub(super) target: &'a Target,
    pub(super) settled: Settled,
    pub(super) written: Vec<Written>,
    pub(super) bytes: u64,
    pub(super) changes: Option<Changes>,
}

/// Something its user should know.
pub(super) struct Warning {
    kind: &'static str,
    message: String,
    place: Option<[f64; 3]>,
    tile: Option<TileCoord>,
}

impl Warning {
    /// As one line.
    pub(super) fn line(&self) -> String {
        match self.place {
            Some([x, y, z]) => format!("{}, at {x:.2}, {y:.2}, {z:.2}", self.message),
            None => self.message.clone(),
        }
    }

    fn of(diagnostic: &Diagnostic, tile: Option<TileCoord>) -> Warning {
        let Diagnostic { kind, place, message } = diagnostic.clone();
        Warning { kind: kind.name(), message, place, tile }
    }

    fn plain(kind: &'static str, message: String) -> Warning {
        Warning { kind, message, place: None, tile: None }
    }
}

/// Writes warnings to standard error, those of one kind together, and of many only the first few.
pub(super) fn warn(warnings: &[Warning]) {
    const SHOWN: usize = 5;
    let mut kinds: Vec<&str> = Vec::new();
    for warning in warnings {
        if !kinds.contains(&warning.kind) {
            kinds.push(warning.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<&Warning> = warnings.iter().filter(|warning| warning.kind == kind).collect();
        of_kind.iter().take(SHOWN).for_each(|warning| report::warn(&warning.line()));
        if of_kind.len() > SHOWN {
            let more = of_kind.len() - SHOWN;
            report::warn(&format!("and {more} more of that kind; --json and --report have them all"));
        }
    }
}

/// What is different from the last bake: `None` if there was none.
pub(super) fn changes(settled: &Settled, written: &[Written], last: Option<&Last>) -> Option<Changes> {
    let last = last?;
    let before: BTreeSet<TileCoord> = last.file.coords().into_iter().collect();
    let now: BTreeSet<TileCoord> = written.iter().map(|tile| tile.coord).collect();
    let same = |coord: &TileCoord| {
        settled.graph.find(*coord).is_some_and(|node| {
            last.same(*coord, settled.graph.nodes()[node].input_hash).is_some()
                && last.prune_hash(*coord) == Some(settled.verdict.prune_hash(node))
        })
    };
    let (taken_over, rebuilt): (Vec<_>, Vec<_>) = now.intersection(&before).copied().partition(|c| same(c));
    Some(Changes {
        rebuilt,
        taken_over,
        added: now.difference(&before).copied().collect(),
        removed: before.difference(&now).copied().collect(),
    })
}

/// Why a file is not what would be written now; `None` if it is.
pub(super) fn stale(last: &Last, meta: &Meta, coords: &[TileCoord], changed: &[TileCoord]) -> Option<String> {
    /// More tiles than this are counted.
    const LISTED: usize = 8;
    if let Some(reason) = last.reason(meta) {
        return Some(reason);
    }
    if !changed.is_empty() {
        let listed: Vec<String> =
            changed.iter().take(LISTED).map(|coord| format!("({}, {})", coord.x, coord.z)).collect();
        let more = match changed.len().saturating_sub(LISTED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let tiles = if changed.len() == 1 { "tile" } else { "tiles" };
        return Some(format!("{} {tiles} changed: {}{more}", changed.len(), listed.join(", ")));
    }
    let gone = last.graph.nodes().iter().filter(|node| coords.binary_search(&node.coord).is_err()).count();
    if gone > 0 {
        return Some(format!("{gone} tiles have no triangles any more"));
    }
    // Where no tile changed, names or costs of areas did, or the order of volumes that do not meet.
    (last.file.meta() != meta).then(|| "its metadata are others".to_owned())
}

impl Run<'_> {
    /// All warnings, those about the level first.
    pub(super) fn warnings(&self, outcome: &Outcome<'_>, level: &PreparedLevel) -> Vec<Warning> {
        let mut warnings: Vec<Warning> =
            self.of_level.iter().map(|text| Warning::plain("level", text.clone())).collect();
        warnings.extend(level.diagnostics.iter().map(|diagnostic| Warning::of(diagnostic, None)));
        let tiled = self.tile_cells > 0;
        let of_tiles = outcome.settled.gathered.diagnostics();
        warnings.extend(of_tiles.map(|(coord, diagnostic)| Warning::of(diagnostic, tiled.then_some(coord))));
        if outcome.written.iter().all(|tile| tile.polygons == 0) {
            let what = "the mesh is empty: no surface is flat, high, wide and large enough for this agent";
            warnings.push(Warning::plain("empty_mesh", what.to_owned()));
        }
        let given = level.config.settings.off_mesh_connections.len();
        let left_out = given - outcome.links().min(given);
        if left_out > 0 {
            warnings.push(Warning::plain(
                "off_mesh",
                format!("{left_out} of {given} off-mesh connections start outside the level's bounds or where a tile has no mesh, \
                     and were left out"),
            ));
        }
        warnings
    }

    /// The report in words and for machines.
    pub(super) fn report<'a>(
        &'a self,
        outcome: &'a Outcome<'_>,
        level: &'a PreparedLevel,
        warnings: &[Warning],
        stage_times: &'a [(StageId, Duration)],
    ) -> Report<'a> {
        let gathered = &outcome.settled.gathered;
        let mut counts = gathered.counts([level.size[0], level.size[2]], level.triangles_given);
        if self.tile_cells > 0 {
            outcome.count_written(&mut counts);
        }
        let kept = outcome.settled.verdict.keep.iter().filter(|keep| **keep).count();
        Report {
            levels: self.levels,
            agent: outcome.name,
            file: outcome.target.path(),
            bytes: outcome.bytes,
            prepared: level,
            counts,
            stage_times,
            tiles: Tiles {
                side_cells: self.tile_cells,
                reached: self.reached[outcome.agent],
                written: outcome.written.len(),
                baked: gathered.work.len(),
                taken_over: outcome.written.iter().filter(|tile| tile.taken_over).count(),
            },
            baked_tiles: self.changed_only.then(|| gathered.work.keys().copied().collect()),
            islands: [kept, outcome.settled.verdict.keep.len() - kept],
            off_mesh_links: outcome.links(),
            threads: rayon::current_num_threads(),
            phases: &self.phases,
            warnings: warnings.iter().map(Warning::line).collect(),
            elapsed: self.started.elapsed(),
        }
    }

    /// The page; tiles are read back from the file that was written.
    pub(super) fn page(
        &self,
        outcome: &Outcome<'_>,
        level: &PreparedLevel,
        warnings: &[Warning],
        report: &Report<'_>,
    ) -> Result<String, Failure> {
        let path = outcome.target.path();
        let file = NavFile::open(files::read(path)?)
            .map_err(|error| Failure::circumstances(format!("{}: {error}", path.display())))?;
        let settings = &level.config.settings;
        let square = settings.cell_size * settings.cell_size;
        let verdict = &outcome.settled.verdict;
        let of_islands = verdict.islands.cells.iter().zip(&verdict.keep);
        let kept: Vec<f64> =
            of_islands.filter(|(_, keep)| **keep).map(|(cells, _)| *cells as f64 * square).collect();
        let areas: Vec<(u8, String)> =
            (1..=u8::MAX).map(|id| (id, settings.area(recast::AreaId(id)).name)).collect();
        let page_warnings: Vec<PageWarning> = warnings
            .iter()
            .map(|warning| PageWarning {
                kind: warning.kind,
                message: warning.message.clone(),
                place: warning.place,
                tile: warning.tile,
            })
            .collect();
        // Names alone: a page goes to people who have other folders.
        let bare = |name: &String| {
            let name = Path::new(name);
            name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned()
        };
        let levels: Vec<String> = self.levels.iter().map(bare).collect();
        Ok(html::write(&Page {
            title: levels.first().map_or("", String::as_str),
            levels: &levels,
            output: &path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(),
            bytes: outcome.bytes,
            version: env!("CARGO_PKG_VERSION"),
            agent_name: outcome.name,
            config: &level.config,
            origin: level.lattice.origin,
            tile_cells: self.tile_cells,
            triangles: level.triangles_given,
            tiles: &self.page_tiles(outcome),
            meshes: &|index| file.tile(outcome.written.get(index)?.coord)?.ok(),
            islands: IslandSummary { kept: &kept, dropped: Some(report.islands[1]), dropped_places: &[] },
            areas: &areas,
            stages: report.stage_times,
            threads: report.threads,
            elapsed: report.elapsed,
            peak_memory: memory::peak(),
            warnings: &page_warnings,
            changes: outcome.changes.as_ref(),
        }))
    }

    fn page_tiles(&self, outcome: &Outcome<'_>) -> Vec<PageTile> {
        let work = &outcome.settled.gathered.work;
        let tile = |tile: &Written| PageTile {
            coord: tile.coord,
            elapsed: work.get(&tile.coord).map(|work| work.elapsed),
            polygons: tile.polygons,
            area_m2: tile.area,
            bytes: tile.bytes,
            triangles: self.tiling.triangle_count(tile.coord),
        };
        outcome.written.iter().map(tile).collect()
    }
}

impl Outcome<'_> {
    fn links(&self) -> usize {
        self.written.iter().map(|tile| tile.links).sum()
    }

    /// What is in the file; what is only known of tiles baked in this run stays as it is.
    fn count_written(&self, counts: &mut Counts) {
        let sum = |of: fn(&Written) -> usize| self.written.iter().map(of).sum();
        counts.polygons = sum(|tile| tile.polygons);
        counts.vertices = sum(|tile| tile.vertices);
        counts.detail_vertices = sum(|tile| tile.detail_vertices);
        counts.detail_triangles = sum(|tile| tile.detail_triangles);
        counts.walkable_area = self.written.iter().map(|tile| tile.area).sum();
    }
}
