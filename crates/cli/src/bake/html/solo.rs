//! The page of a level that was baked as one tile.

use super::{IslandSummary, Page, PageTile, PageWarning, write};
use crate::failure::Failure;
use crate::files::Target;
use crate::memory;
use navmath::FIXED_ONE;
use navtile::islands::Islands;
use recast::{Baked, PreparedLevel};
use std::path::Path;
use std::time::Duration;

/// A solo bake and what there is to say about it.
pub(crate) struct Solo<'a> {
    pub(crate) level: &'a Path,
    pub(crate) output: &'a Path,
    pub(crate) bytes: u64,
    pub(crate) prepared: &'a PreparedLevel,
    pub(crate) baked: &'a Baked,
    /// Of the whole run: those of the level, then those of the bake, then others.
    pub(crate) warnings: &'a [String],
    /// How many of them are of the level.
    pub(crate) of_level: usize,
    pub(crate) elapsed: Duration,
}

/// Where the page goes: an HTML file that is neither an input nor the result of the bake.
pub(crate) fn target(path: &Path, inputs: &[&Path], output: &Path) -> Result<Target, Failure> {
    let name = path.display();
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if !matches!(extension.as_deref(), Some("html" | "htm")) {
        return Err(
            Failure::call(format!("{name}: is no .html")).help("give the report a name that ends in .html")
        );
    }
    let same = |a: &Path, b: &Path| match (std::path::absolute(a), std::path::absolute(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if same(path, output) {
        return Err(Failure::call(format!("{name}: is the result of the bake as well"))
            .help("give another name with --report"));
    }
    let others: Vec<&Path> = inputs.iter().copied().chain([output]).collect();
    Target::new(path, &others).map_err(|failure| failure.help("give another name with --report"))
}

/// The page.
pub(crate) fn solo(solo: &Solo<'_>) -> String {
    let Solo { prepared, baked, .. } = solo;
    let config = &prepared.config;
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let islands = Islands::find(std::slice::from_ref(&baked.tile));
    let square = (config.settings.cell_size / f64::from(FIXED_ONE)).powi(2);
    let kept: Vec<f64> = islands.area2.iter().map(|&area2| area2 as f64 / 2.0 * square).collect();
    let tile = PageTile {
        coord: baked.tile.coord(),
        elapsed: Some(baked.stage_times.iter().map(|(_, elapsed)| *elapsed).sum()),
        polygons: baked.tile.polygons().len(),
        area_m2: kept.iter().sum(),
        bytes: baked.tile.bytes().len() as u64,
        triangles: baked.counts.triangles,
    };
    let areas: Vec<(u8, String)> =
        (1..=u8::MAX).map(|id| (id, config.settings.area(recast::AreaId(id)).name)).collect();
    write(&Page {
        title: &name(solo.level),
        levels: &[name(solo.level)],
        output: &name(solo.output),
        bytes: solo.bytes,
        version: env!("CARGO_PKG_VERSION"),
        agent_name: None,
        config,
        origin: prepared.lattice.origin,
        tile_cells: 0,
        triangles: baked.counts.triangles,
        tiles: &[tile],
        meshes: &|_| Some(baked.tile.clone()),
        islands: IslandSummary { kept: &kept, ..IslandSummary::default() },
        areas: &areas,
        stages: &baked.stage_times,
        threads: 1,
        elapsed: solo.elapsed,
        peak_memory: memory::peak(),
        warnings: &solo.page_warnings(),
        changes: None,
    })
}

impl Solo<'_> {
    fn page_warnings(&self) -> Vec<PageWarning> {
        let plain = |kind: &'static str| {
            move |message: &String| PageWarning { kind, message: message.clone(), place: None, tile: None }
        };
        let of_bake = self.baked.diagnostics.len();
        let (of_level, rest) = self.warnings.split_at(self.of_level.min(self.warnings.len()));
        let others = rest.get(of_bake..).unwrap_or_default();
        let diagnostics = self.baked.diagnostics.iter().map(|diagnostic| PageWarning {
            kind: diagnostic.kind.name(),
            message: diagnostic.message.clone(),
            place: diagnostic.place,
            tile: None,
        });
        of_level
            .iter()
            .map(plain("level"))
            .chain(diagnostics)
            .chain(others.iter().map(plain("bake")))
            .collect()
    }
}
