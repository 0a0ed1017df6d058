//! The table of a level: each stage fed with the C++ stage's input, whole bakes beside each other, and whether
//! anything in it is unexpected.

use crate::chain::{self, ChainError, RasterAgreement};
use crate::compare::{Difference, SpanAgreement};
use crate::deviations;
use crate::fed::{self, Outcome};
use crate::reference::{self, Space};
use crate::results::{Amount, Results};
use recast::build::TileBuild;
use recast::{Level, Partition, PreparedLevel, StageId};
use std::collections::BTreeMap;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Partitions, each in turn.
    pub partitions: Vec<Partition>,
    /// Coordinates the C++ library is given.
    pub space: Space,
    /// Leave whole bakes out: stages alone, fed with the C++ stage's input.
    pub stages_only: bool,
}

/// One line of the table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Differences of our stage fed with the C++ stage's input; `None` if it was not measured.
    pub fed: Option<Vec<Difference>>,
    /// Differences in a whole bake that starts from our spans; `None` if it was not measured.
    pub chain: Option<Vec<Difference>>,
    /// What our bake made from the triangles.
    pub ours: Amount,
    /// What the C++ library made from the triangles.
    pub theirs: Amount,
}

/// A line's partition, `None` before the regions, and its stage.
pub type RowKey = (Option<&'static str>, StageId);

/// The table of one level.
#[derive(Clone, Debug)]
pub struct Report {
    /// Name of the level.
    pub name: String,
    /// Cell size, metres.
    pub cell_size: f64,
    /// Lines.
    pub rows: BTreeMap<RowKey, Row>,
    /// How far the spans agree.
    pub raster: RasterAgreement,
    /// Whether the spans must keep their promise: they need not where the two see different coordinates.
    pub judged: bool,
}

/// Measures a level, tile by tile, and adds the tiles up.
pub fn measure(
    name: &str,
    level: &Level,
    prepared: &PreparedLevel,
    tiles: &[TileBuild],
    options: &Options,
) -> Result<Report, ChainError> {
    let mut report = Report {
        name: name.to_owned(),
        cell_size: prepared.config.settings.cell_size,
        rows: BTreeMap::new(),
        raster: RasterAgreement::default(),
        judged: options.space == Space::Lattice,
    };
    for tile in tiles {
        report.add_tile(level, prepared, tile, options)?;
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
    ) -> Result<(), ChainError> {
        let partitions = &options.partitions;
        let theirs = reference::bake_level(level, prepared, &tile.grid, options.space, partitions)?;
        let mut outcomes = vec![(None, fed::before_regions(level, prepared, &theirs)?)];
        for mesh in &theirs.meshes {
            outcomes.push((Some(mesh.partition.name()), fed::from_regions(prepared, &theirs, mesh)));
        }
        for (partition, outcomes) in outcomes {
            self.add_outcomes(partition, outcomes, tile, |row| &mut row.fed);
        }
        self.add_amounts(&theirs, |row| &mut row.theirs);
        self.raster = self.raster.with(chain::raster_agreement(prepared, &theirs)?);
        if options.stages_only {
            return Ok(());
        }
        let ours = chain::bake_ours(prepared, tile, partitions)?;
        let from_ours = reference::bake_spans(&ours.rasterized, prepared, partitions)?;
        self.add_outcomes(None, chain::before_regions(&ours, &from_ours), tile, |row| &mut row.chain);
        for (ours, theirs) in ours.meshes.iter().zip(&from_ours.meshes) {
            let partition = Some(ours.partition.name());
            self.add_outcomes(partition, chain::from_regions(ours, theirs), tile, |row| &mut row.chain);
        }
        self.add_amounts(&ours, |row| &mut row.ours);
        Ok(())
    }

    fn add_outcomes(
        &mut self,
        partition: Option<&'static str>,
        outcomes: Vec<Outcome>,
        tile: &TileBuild,
        slot: impl Fn(&mut Row) -> &mut Option<Vec<Difference>>,
    ) {
        for outcome in outcomes {
            let row = self.rows.entry((partition, outcome.stage)).or_default();
            let all = slot(row).get_or_insert_default();
            for mut difference in outcome.differences {
                if tile.grid.border > 0 {
                    difference.first =
                        format!("tile ({}, {}), {}", tile.coord.x, tile.coord.z, difference.first);
                }
                match all.iter_mut().find(|known| known.kind == difference.kind) {
                    Some(known) => known.count += difference.count,
                    None => all.push(difference),
                }
            }
        }
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

    /// Every difference that no listed deviation explains, one a line.
    pub fn unexpected(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (&(partition, stage), row) in &self.rows {
            for (way, differences) in [("fed C++ input", &row.fed), ("from our spans", &row.chain)] {
                for difference in differences.iter().flatten() {
                    if deviations::explains(stage, difference).is_none() {
                        let partition = partition.map(|name| format!(" {name}")).unwrap_or_default();
                        let Difference { kind, count, first } = difference;
                        let stage = stage.name();
                        lines.push(format!("{stage}{partition}, {way}: {count} x {kind}; first: {first}"));
                    }
                }
            }
        }
        if self.judged && !self.raster.all.keeps_promise() {
            lines.push(format!("rasterize, end to end: more than promised: {}", describe(&self.raster.all)));
        }
        lines
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
                verdict(stage, row.fed.as_deref()),
                verdict(stage, row.chain.as_deref()),
                row.ours.numbers(),
                row.theirs.numbers(),
                row.theirs.units(),
            ]);
        }
        let mut text = format!("{}, cell size {}\n", self.name, self.cell_size);
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
    if differing == 0 {
        return format!("all {columns} columns equal");
    }
    let mut text = format!("{differing} of {columns} columns differ: {areas_differing} spans in area alone");
    if let Some([x, z]) = agreement.first_solid {
        let SpanAgreement { longest_run, far_cells, .. } = agreement;
        text.push_str(&format!(
            ", {solid_differing} columns in what is solid, first ({x}, {z}), by at most {longest_run} cells upwards, \
             {far_cells} of them further than one cell from the other's surface"
        ));
    }
    text
}

/// `equal`, or the differences by kind; those that are listed in brackets.
fn verdict(stage: StageId, differences: Option<&[Difference]>) -> String {
    match differences {
        None => String::new(),
        Some([]) => "equal".to_owned(),
        Some(differences) => {
            let one = |difference: &Difference| {
                let text = format!("{} {}", difference.count, difference.kind);
                if deviations::explains(stage, difference).is_some() { format!("({text})") } else { text }
            };
            differences.iter().map(one).collect::<Vec<_>>().join(", ")
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
