//! The table of a level: each stage fed with the C++ stage's input, whole bakes compared with each other, and
//! the unexpected differences.

use crate::chain::{self, ChainError, RasterAgreement};
use crate::compare::{Difference, Outcome, SpanAgreement};
use crate::deviations::{self, Bake, Way};
use crate::exact::Judge;
use crate::fed;
use crate::reference::{self, Space};
use crate::results::{Amount, Results};
use recast::TileBuild;
use recast::{Level, Partition, PreparedLevel, StageId};
use std::collections::BTreeMap;

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// Partitions, each in turn.
    pub partitions: Vec<Partition>,
    /// Coordinates the C++ library is given.
    pub space: Space,
    /// Skip whole bakes: only stages, fed with the C++ stage's input.
    pub stages_only: bool,
}

/// The cause of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Not a listed deviation.
    Unlisted,
    /// A listed deviation of this stage, with its id and the largest number that is intended.
    Listed(&'static str, usize),
    /// A listed deviation of an earlier stage in the same tile, with its id.
    Follows(&'static str),
}

/// Differences of one kind and one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The differences.
    pub difference: Difference,
    /// Their cause.
    pub cause: Cause,
}

impl Noted {
    fn is_expected(&self) -> bool {
        match self.cause {
            Cause::Unlisted => false,
            Cause::Listed(_, most) => self.difference.count <= most,
            Cause::Follows(_) => true,
        }
    }
}

/// One line of the table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Differences of our stage fed with the C++ stage's input; `None` if it was not measured.
    pub fed: Option<Vec<Noted>>,
    /// Differences in a whole bake that starts from our spans; `None` if it was not measured.
    pub chain: Option<Vec<Noted>>,
    /// Our bake's result from the triangles.
    pub ours: Amount,
    /// The C++ library's result from the triangles.
    pub theirs: Amount,
}

/// A line's partition, `None` before the regions, and its stage.
pub type RowKey = (Option<&'static str>, StageId);

/// The table of one level.
#[derive(Clone, Debug)]
pub struct Report {
    /// The level and how it was baked.
    pub bake: Bake,
    /// Lines.
    pub rows: BTreeMap<RowKey, Row>,
    /// Agreement of the spans.
    pub raster: RasterAgreement,
    /// True if the spans must keep their promise. They need not if the two see different coordinates.
    pub judged: bool,
}

/// Measures a level tile by tile, and adds up the tiles.
pub fn measure(
    name: &str,
    tile_cells: Option<u32>,
    level: &Level,
    prepared: &PreparedLevel,
    tiles: &[TileBuild],
    options: &Options,
) -> Result<Report, ChainError> {
    let mut report = Report {
        bake: Bake { level: name.to_owned(), cell_size: prepared.config.settings.cell_size, tile_cells },
        rows: BTreeMap::new(),
        raster: RasterAgreement::default(),
        judged: options.space == Space::Lattice,
    };
    let judge = Judge::new(level, prepared);
    for tile in tiles {
        report.add_tile(level, prepared, tile, options, judge.as_ref())?;
    }
    Ok(report)
}

impl Report {
    fn add_tile(
        &mut self,
        level: &Level,
        prepared: &PreparedLevel,
        tile: &TileBuild,
        options: &Options,
        judge: Option<&Judge>,
    ) -> Result<(), ChainError> {
        let partitions = &options.partitions;
        let theirs = reference::bake_level(level, prepared, &tile.grid, options.space, partitions)?;
        self.add_outcomes(None, fed::before_regions(level, prepared, &theirs)?, tile, Way::Fed, None);
        for mesh in &theirs.meshes {
            let outcomes = fed::from_regions(prepared, &theirs, mesh)?;
            self.add_outcomes(Some(mesh.partition.name()), outcomes, tile, Way::Fed, None);
        }
        self.add_amounts(&theirs, |row| &mut row.theirs);
        self.raster = self.raster.with(chain::raster_agreement(prepared, &theirs, judge)?);
        if options.stages_only {
            return Ok(());
        }
        let ours = chain::bake_ours(prepared, tile, partitions)?;
        let from_ours = reference::bake_spans(&ours.rasterized, prepared, partitions)?;
        let outcomes = chain::before_regions(&ours, &from_ours);
        let root = self.add_outcomes(None, outcomes, tile, Way::Chain, None);
        for (ours, theirs) in ours.meshes.iter().zip(&from_ours.meshes) {
            let partition = Some(ours.partition.name());
            let outcomes = chain::from_regions(ours, theirs, prepared.config.contour_max_error);
            self.add_outcomes(partition, outcomes, tile, Way::Chain, root);
        }
        self.add_amounts(&ours, |row| &mut row.ours);
        Ok(())
    }

    /// Adds the outcomes of a tile's stages, in their order, and finds the cause of each difference. In a
    /// whole bake, `root` is the listed deviation that earlier stages showed. Returns the root after these
    /// stages.
    fn add_outcomes(
        &mut self,
        partition: Option<&'static str>,
        outcomes: Vec<Outcome>,
        tile: &TileBuild,
        way: Way,
        mut root: Option<&'static str>,
    ) -> Option<&'static str> {
        for outcome in outcomes {
            let row = self.rows.entry((partition, outcome.stage)).or_default();
            let slot = match way {
                Way::Fed => &mut row.fed,
                Way::Chain => &mut row.chain,
            };
            let all = slot.get_or_insert_default();
            for mut difference in outcome.differences {
                if tile.grid.border > 0 {
                    difference.first =
                        format!("tile ({}, {}), {}", tile.coord.x, tile.coord.z, difference.first);
                }
                let listed = deviations::listed(&self.bake, way, partition, outcome.stage, &difference);
                let cause = match (listed, root) {
                    (Some(deviation), _) => Cause::Listed(deviation.id, deviation.most),
                    (None, Some(id)) => Cause::Follows(id),
                    (None, None) => Cause::Unlisted,
                };
                if let (Cause::Listed(id, _), Way::Chain) = (cause, way) {
                    root = root.or(Some(id));
                }
                match all.iter_mut().find(|n| (n.difference.kind, n.cause) == (difference.kind, cause)) {
                    Some(known) => known.difference.count += difference.count,
                    None => all.push(Noted { difference, cause }),
                }
            }
        }
        root
    }

    fn add_amounts(&mut self, results: &Results, slot: impl Fn(&mut Row) -> &mut Amount) {
        for stage in StageId::ALL {
            if let Some(row) = self.rows.get_mut(&(None, stage)) {
                let sum = slot(row);
                *sum = sum.with(results.amount(stage));
            }
            for mesh in &results.meshes {
                if let Some(row) = self.rows.get_mut(&(Some(mesh.partition.name()), stage)) {
                    let sum = slot(row);
                    *sum = sum.with(mesh.amount(stage));
                }
            }
        }
    }

    /// Every difference that no listed deviation explains, one per line.
    pub fn unexpected(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (&(partition, stage), row) in &self.rows {
            for (way, all) in [(Way::Fed, &row.fed), (Way::Chain, &row.chain)] {
                for noted in all.iter().flatten().filter(|noted| !noted.is_expected()) {
                    let partition = partition.map(|name| format!(" {name}")).unwrap_or_default();
                    let Difference { kind, count, first } = &noted.difference;
                    let (stage, way) = (stage.name(), way.name());
                    let more = match noted.cause {
                        Cause::Listed(id, most) => format!(" ({id}: at most {most} are meant)"),
                        Cause::Unlisted | Cause::Follows(_) => String::new(),
                    };
                    lines.push(format!("{stage}{partition}, {way}: {count} x {kind}{more}; first: {first}"));
                }
            }
        }
        if self.judged && !self.raster.all.keeps_promise() {
            lines.push(format!("rasterize, end to end: more than promised: {}", describe(&self.raster.all)));
        }
        lines
    }

    /// The table in one line.
    pub fn brief(&self) -> String {
        let cells: Vec<_> = self.rows.values().flat_map(|row| [&row.fed, &row.chain]).flatten().collect();
        let equal = cells.iter().filter(|all| all.is_empty()).count();
        let listed = cells.iter().filter(|all| !all.is_empty() && all.iter().all(Noted::is_expected)).count();
        let title = self.title();
        let spans = describe(&self.raster.all);
        format!("{title}: {equal} of {} comparisons equal, {listed} as listed; spans: {spans}", cells.len())
    }

    fn title(&self) -> String {
        let Bake { level, cell_size, tile_cells } = &self.bake;
        let cut = tile_cells.map_or("one tile".to_owned(), |cells| format!("tiles of {cells} cells"));
        format!("{level}, cell size {cell_size}, {cut}")
    }

    /// The table as text.
    pub fn table(&self) -> String {
        let mut lines = vec![
            ["partition", "stage", "fed C++ input", "from our spans", "ours", "C++", "of what"]
                .map(str::to_owned),
        ];
        for (&(partition, stage), row) in &self.rows {
            lines.push([
                partition.unwrap_or("-").to_owned(),
                stage.name().to_owned(),
                verdict(row.fed.as_deref()),
                verdict(row.chain.as_deref()),
                row.ours.numbers(),
                row.theirs.numbers(),
                row.theirs.units(),
            ]);
        }
        let mut text = format!("{}\n", self.title());
        text.push_str(&aligned(&lines));
        let RasterAgreement { all, cutting, sorting } = &self.raster;
        for (what, agreement) in
            [("ours against C++", all), ("cutting afresh", cutting), ("sorting", sorting)]
        {
            text.push_str(&format!("  spans, {what}: {}\n", describe(agreement)));
        }
        text
    }
}

fn describe(agreement: &SpanAgreement) -> String {
    let SpanAgreement { columns, differing, solid_differing, areas_differing, .. } = *agreement;
    let SpanAgreement { longest_run, far_cells, ours_right, ties, theirs_right, .. } = *agreement;
    if differing == 0 {
        return format!("all {columns} columns equal");
    }
    let mut text = format!("{differing} of {columns} columns differ: {areas_differing} spans in area alone");
    if solid_differing == 0 {
        return text;
    }
    text.push_str(&format!(
        ", {solid_differing} columns in what is solid, by at most {longest_run} cells upwards; by exact arithmetic \
         ours is right in {ours_right}, both in {ties}, theirs in {theirs_right}"
    ));
    if let Some([x, z]) = agreement.first_solid {
        text.push_str(&format!(
            "; the first of these: ({x}, {z}); {far_cells} cells further than a cell from the other's surface"
        ));
    }
    text
}

/// `equal`, or the differences by kind. Intended ones are in brackets, with the id of their cause.
fn verdict(all: Option<&[Noted]>) -> String {
    match all {
        None => String::new(),
        Some([]) => "equal".to_owned(),
        Some(all) if all.iter().all(|noted| matches!(noted.cause, Cause::Follows(_))) => {
            let count: usize = all.iter().map(|noted| noted.difference.count).sum();
            let id = all.iter().find_map(|noted| match noted.cause {
                Cause::Follows(id) => Some(id),
                _ => None,
            });
            format!("({count}, from {})", id.unwrap_or_default())
        }
        Some(all) => {
            let one = |noted: &Noted| {
                let text = format!("{} {}", noted.difference.count, noted.difference.kind);
                match noted.cause {
                    Cause::Listed(id, _) if noted.is_expected() => format!("({text}, {id})"),
                    Cause::Follows(id) => format!("({text}, from {id})"),
                    Cause::Listed(..) | Cause::Unlisted => text,
                }
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|i| lines.iter().map(|line| line[i].len()).max().unwrap_or(0));
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> =
            line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str("  ");
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
