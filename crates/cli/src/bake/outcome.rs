//! The outcome of a bake, for its reports: counts, warnings, changes since the previous bake.

use super::baked::AgentTiles;
use super::previous::{self, PreviousBake};
use super::write::WrittenTile;
use crate::bake_report::html::{self, Changes, Page, PageTile};
use crate::bake_report::report::{BakeReport, TileTotals};
use crate::bake_report::space;
use crate::bake_report::summary::IslandTotals;
use crate::bake_report::warning;
use crate::failure::Failure;
use crate::files::{self, Target};
use crate::inspect::tile_list;
use crate::{memory, mesh};
use detour::NavMesh;
use navbake::lost_areas::AreaFloors;
use navbake::shard::TileFacts;
use navbake::{Warning, loose_ends, lost_areas};
use navdraw::number::counted;
use navinput::HierarchyInput;
use navlevel::triangles::TileInputs;
use navtile::file::Seekable;
use navtile::graph::SurvivingIslands;
use navtile::{Meta, NavStore, TileCoord};
use recast::{Counts, LinkKind, PreparedLevel, StageId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The part of a bake that all agents share.
pub(crate) struct BakeRun<'a> {
    /// Names of the input files.
    pub(crate) levels: &'a [String],
    /// Warnings about the level's files.
    pub(crate) of_level: &'a [String],
    pub(crate) tile_cells: u32,
    /// For each agent, the number of tiles with triangles.
    pub(crate) reached: Vec<usize>,
    pub(crate) inputs: &'a TileInputs,
    /// For each agent, the floors of its areas, for a level that is not held.
    pub(crate) floors: Option<&'a [Vec<AreaFloors>]>,
    /// Triangles that have an area.
    pub(crate) triangles: usize,
    /// True if tiles could be reused from the previous bake.
    pub(crate) changed_only: bool,
    pub(crate) started: Instant,
    /// Times of the phases.
    pub(crate) phases: Vec<(&'static str, Duration)>,
}

/// The bake of one agent.
pub(crate) struct AgentOutcome<'a> {
    /// Its index.
    pub(crate) agent: usize,
    pub(crate) name: Option<&'a str>,
    pub(crate) target: &'a Target,
    pub(crate) tiles: AgentTiles,
    pub(crate) written: Vec<WrittenTile>,
    pub(crate) bytes: u64,
    pub(crate) changes: Option<Changes>,
}

/// The differences from the previous bake; `None` without a previous bake.
pub(crate) fn changes(
    tiles: &AgentTiles,
    written: &[WrittenTile],
    previous: Option<&PreviousBake>,
) -> Option<Changes> {
    let previous = previous?;
    let before: BTreeSet<TileCoord> = previous.coords().into_iter().collect();
    let now: BTreeSet<TileCoord> = written.iter().map(|tile| tile.coord).collect();
    let same = |coord: &TileCoord| {
        tiles.level.graph.find(*coord).is_some_and(|node| {
            previous.same(*coord, tiles.level.graph.nodes()[node].input_hash()).is_some()
                && previous.prune_hash(*coord) == Some(tiles.level.surviving.prune_hash(node))
        })
    };
    let (unchanged, changed): (Vec<_>, Vec<_>) = now.intersection(&before).copied().partition(|c| same(c));
    Some(Changes {
        changed,
        unchanged,
        added: now.difference(&before).copied().collect(),
        removed: before.difference(&now).copied().collect(),
    })
}

/// The warnings of all tiles, and the warning of a file without polygons.
pub(crate) fn tile_warnings(
    tiles: &AgentTiles,
    written: &[WrittenTile],
    level: &PreparedLevel,
) -> Vec<Warning> {
    let of_tiles = tiles.baked.tiles.values().flat_map(|facts| facts.warnings.iter().cloned());
    let is_empty = written.iter().all(|tile| tile.polygons == 0);
    of_tiles.chain(is_empty.then(|| Warning::empty_mesh(level))).collect()
}

/// For each area id, true if a polygon of the file has that area.
pub(crate) fn areas_present(written: &[WrittenTile]) -> [bool; 256] {
    let mut present = [false; 256];
    for tile in written {
        present.iter_mut().zip(&tile.areas).for_each(|(present, has)| *present |= has);
    }
    present
}

/// The mesh of a file that was just written; `navtile verify` reports the faults of a file that cannot be
/// read.
pub(crate) fn written_mesh(target: &Target) -> Option<NavMesh> {
    mesh::load(target.path()).ok().map(|loaded| loaded.mesh)
}

/// With more tiles than this, only their number is given.
const LISTED: usize = 8;

/// The reason why a file with the right tiles is out of date: other islands of these tiles are kept.
pub(crate) fn kept_otherwise(tiles: &[TileCoord]) -> Option<String> {
    let text =
        || format!("{} with other islands: {}", counted(tiles.len(), "tile"), tile_list(tiles, LISTED));
    (!tiles.is_empty()).then(text)
}

/// The reason why a file with the right tiles is out of date: its hierarchy.
pub(crate) fn other_hierarchy(previous: &PreviousBake, hierarchy: Option<&HierarchyInput>) -> Option<String> {
    match navbake::hierarchy::is_current(previous.store(), hierarchy) {
        Ok(true) => None,
        Ok(false) => Some("the hierarchy differs".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// The reason why a file is out of date; `None` if it is not, except for the kept islands.
pub(crate) fn stale(
    previous: &PreviousBake,
    meta: &Meta,
    coords: &[TileCoord],
    changed: &[TileCoord],
) -> Option<String> {
    if let Some(reason) = previous::reason(previous, meta) {
        return Some(reason);
    }
    if let Some(damage) = previous::damage(previous) {
        return Some(damage);
    }
    if !changed.is_empty() {
        return Some(format!("{} changed: {}", counted(changed.len(), "tile"), tile_list(changed, LISTED)));
    }
    let gone =
        previous.graph().nodes().iter().filter(|node| coords.binary_search(&node.coord()).is_err()).count();
    if gone > 0 {
        let have = if gone == 1 { "has" } else { "have" };
        return Some(format!("{} no longer {have} triangles", counted(gone, "tile")));
    }
    // If no tile changed, names or costs of areas did, or the order of volumes that do not overlap.
    (previous.meta() != meta)
        .then(|| format!("the metadata differs: {}", previous::differing_metadata(previous, meta).join(", ")))
}

impl BakeRun<'_> {
    /// All warnings, those about the level first.
    pub(crate) fn warnings(&self, outcome: &AgentOutcome<'_>, level: &PreparedLevel) -> Vec<Warning> {
        let mut warnings = warning::of_level(self.of_level);
        warnings.extend(Warning::of_level(level));
        warnings.extend(tile_warnings(&outcome.tiles, &outcome.written, level));
        let mesh = || written_mesh(outcome.target);
        let present = areas_present(&outcome.written);
        warnings.extend(match self.floors {
            None => lost_areas::warnings(level, mesh, &present),
            Some(floors) => {
                lost_areas::warnings_of(&floors[outcome.agent], &level.config.settings, mesh, &present)
            }
        });
        warnings.extend(loose_ends::warnings(level, mesh));
        warnings
    }

    /// The report as text and as JSON.
    pub(crate) fn report<'a>(
        &'a self,
        outcome: &'a AgentOutcome<'_>,
        level: &'a PreparedLevel,
        warnings: &'a [Warning],
        stage_times: &'a [(StageId, Duration)],
    ) -> BakeReport<'a> {
        let baked = &outcome.tiles.baked;
        let mut counts = baked.counts([level.size[0], level.size[2]], level.triangles_given);
        outcome.count_written(&mut counts);
        BakeReport {
            levels: self.levels,
            agent: outcome.name,
            file: outcome.target.path(),
            bytes: outcome.bytes,
            prepared: level,
            dropped: level.triangles_given - self.triangles,
            counts,
            stage_times,
            tiles: TileTotals {
                side_cells: self.tile_cells,
                reached: self.reached[outcome.agent],
                written: outcome.written.len(),
                baked: baked.tiles.len() - baked.resumed,
                resumed: baked.resumed,
                taken_over: outcome.written.iter().filter(|tile| tile.taken_over).count(),
            },
            baked_tiles: self.changed_only.then(|| baked.tiles.keys().copied().collect()),
            islands: outcome.island_totals(),
            off_mesh_links: outcome.links(),
            generated_links: outcome.generated_links(),
            threads: rayon::current_num_threads(),
            phases: &self.phases,
            warnings,
            elapsed: self.started.elapsed(),
            peak_memory: memory::peak(),
        }
    }

    /// The page; tiles are read back from the written file.
    pub(crate) fn page(
        &self,
        outcome: &AgentOutcome<'_>,
        report: &BakeReport<'_>,
    ) -> Result<String, Failure> {
        let path = outcome.target.path();
        let view = space::page(path, report)?;
        let (file, _) = files::open_replaceable(path).map_err(|error| files::unreadable(path, &error))?;
        let file = NavStore::open(Seekable::new(file)).map_err(|error| Failure::of(path, error))?;
        let square = report.prepared.config.settings.cell_size.powi(2);
        let kept: Vec<f64> = outcome.island_cells().map(|cells| cells * square).collect();
        Ok(html::write(&Page {
            report,
            tiles: &self.page_tiles(outcome),
            meshes: &|index| file.tile(outcome.written.get(index)?.coord)?.ok(),
            islands_kept: &kept,
            changes: outcome.changes.as_ref(),
            view: view.as_deref(),
        }))
    }

    fn page_tiles(&self, outcome: &AgentOutcome<'_>) -> Vec<PageTile> {
        let baked = &outcome.tiles.baked.tiles;
        let tile = |tile: &WrittenTile| PageTile {
            coord: tile.coord,
            elapsed: baked.get(&tile.coord).map(TileFacts::elapsed),
            polygons: tile.polygons,
            area_m2: tile.area,
            bytes: tile.bytes,
            triangles: self.inputs.triangle_count(tile.coord),
        };
        outcome.written.iter().map(tile).collect()
    }
}

impl AgentOutcome<'_> {
    /// Cells of the islands that are kept.
    fn island_cells(&self) -> impl Iterator<Item = f64> {
        let SurvivingIslands { islands, keep } = &self.tiles.level.surviving;
        islands.cells.iter().zip(keep).filter(|(_, keep)| **keep).map(|(cells, _)| *cells as f64)
    }

    fn island_totals(&self) -> IslandTotals {
        let kept: Vec<f64> = self.island_cells().collect();
        IslandTotals::new(&kept, self.tiles.level.surviving.keep.len() - kept.len())
    }

    fn links(&self) -> usize {
        self.written.iter().map(|tile| tile.links).sum()
    }

    fn generated_links(&self) -> [usize; LinkKind::ALL.len()] {
        LinkKind::ALL.map(|kind| self.written.iter().map(|tile| tile.generated[kind as usize]).sum())
    }

    /// Replaces the counts that the file gives, without dropped islands; the other counts only cover tiles
    /// baked in this run.
    fn count_written(&self, counts: &mut Counts) {
        let sum = |of: fn(&WrittenTile) -> usize| self.written.iter().map(of).sum();
        counts.polygons = sum(|tile| tile.polygons);
        counts.vertices = sum(|tile| tile.vertices);
        counts.detail_vertices = sum(|tile| tile.detail_vertices);
        counts.detail_triangles = sum(|tile| tile.detail_triangles);
        counts.walkable_area = self.written.iter().map(|tile| tile.area).sum();
    }
}
