//! All questions over one mesh, and the table of the verdicts.

use super::RuntimeError;
use super::asker::Asker;
use super::deviations::listed;
use super::draw::Draw;
use super::lengths::{Lengths, shortest};
use super::local::{height, nearest};
use super::moves::{around, neighbourhood, slide, wall};
use super::pair::{Pair, for_detour};
use super::paths::{search, straight};
use super::ray::raycast;
use super::rows;
use super::verdict::{Verdict, VerdictRow, head};
use crate::subject::Subject;
use navlevel::bake_tiles;
use navtile::Tile;
use recast::{PreparedLevel, Scratch, Silent, bake_solo};

/// A question: queries both libraries and compares.
type Question = fn(&mut Asker<'_>, &mut Draw) -> Result<Verdict, RuntimeError>;

const QUESTIONS: [(&str, Question); 9] = [
    ("nearest polygon", nearest),
    ("height", height),
    ("find path", search),
    ("straight path", straight),
    ("raycast", raycast),
    ("move along surface", slide),
    ("distance to wall", wall),
    ("polygons around circle", around),
    ("local neighbourhood", neighbourhood),
];

/// Number and seed of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionOptions {
    /// Number of questions of each kind.
    pub questions: u64,
    /// The seed that they are drawn with.
    pub seed: u64,
}

/// The table of one mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeReport {
    /// The level and how it is cut.
    pub name: String,
    /// The questions asked, and their seed.
    pub options: QuestionOptions,
    /// A row per question.
    pub rows: Vec<VerdictRow>,
    /// Lengths of paths.
    pub lengths: Lengths,
}

/// The tiles of a level, with the polygons that Detour has of them: one tile, or square ones with
/// `tile_cells` on a side.
pub fn tiles(subject: &Subject, tile_cells: Option<u32>) -> Result<Vec<Tile>, RuntimeError> {
    let level = PreparedLevel::new(&subject.level, &subject.settings)?;
    for_detour(&match tile_cells {
        None => vec![bake_solo(&level, &Silent, &mut Scratch::new())?.tile],
        Some(cells) => bake_tiles(&level, cells, &Silent)?.into_iter().map(|baked| baked.tile).collect(),
    })
}

/// A level's report, as one tile or in tiles. Also asks the questions of texts in the form of RecastDemo's
/// test files.
pub fn measure_subject(
    subject: &Subject,
    tile_cells: Option<u32>,
    texts: &[String],
    options: &QuestionOptions,
) -> Result<RuntimeReport, RuntimeError> {
    let pair = Pair::new(&tiles(subject, tile_cells)?)?;
    let cut = tile_cells.map_or("one tile".to_owned(), |cells| format!("tiles of {cells} cells"));
    let name = format!("{}, {cut}, {} polygons", subject.name, pair.len());
    let mut report = measure(&name, &pair, options)?;
    for text in texts {
        let rows = rows::measure(&mut Asker::new(&pair)?, text)?;
        report.rows.extend(rows.into_iter().filter(|row| row.asked > 0));
    }
    Ok(report)
}

/// Asks both libraries every kind of question.
pub fn measure(name: &str, pair: &Pair, options: &QuestionOptions) -> Result<RuntimeReport, RuntimeError> {
    let mut asker = Asker::new(pair)?;
    let mut rows = Vec::new();
    for (question, ask) in QUESTIONS {
        let mut row = VerdictRow::new(question);
        for number in 0..options.questions {
            row.count(number, ask(&mut asker, &mut Draw::new(options.seed, number))?);
        }
        rows.push(row);
    }
    let (mut row, mut lengths) = (VerdictRow::new("shortest path"), Lengths::default());
    for number in 0..options.questions {
        row.count(number, shortest(&mut asker, &mut Draw::new(options.seed, number), &mut lengths)?);
    }
    rows.push(row);
    Ok(RuntimeReport { name: name.to_owned(), options: *options, rows, lengths })
}

impl RuntimeReport {
    /// The table.
    pub fn table(&self) -> String {
        let mut text = format!("{}, seed {}\n{}", self.name, self.options.seed, head());
        for row in &self.rows {
            text.push_str(&row.line());
            text.push('\n');
        }
        text.push_str(&self.lengths.line());
        text.push('\n');
        text
    }

    /// The table in one line.
    pub fn brief(&self) -> String {
        let sum = |of: fn(&VerdictRow) -> usize| self.rows.iter().map(of).sum::<usize>();
        let deviations = sum(|row| row.deviations.values().map(|(count, _)| count).sum());
        format!(
            "{}, runtime: {} asked, {} equal, {} ties, {deviations} as listed, {} unexplained",
            self.name,
            sum(|row| row.asked),
            sum(|row| row.equal),
            sum(|row| row.ties),
            sum(|row| row.unexplained.len()),
        )
    }

    /// Every listed difference that shows, with the first question that shows it.
    pub fn examples(&self) -> Vec<String> {
        let rows = self.rows.iter().flat_map(|row| {
            row.deviations.iter().map(move |(id, (_, text))| format!("{}, {id}: {text}", row.question))
        });
        rows.collect()
    }

    /// Differences that are not listed, or that show more often than listed, one line each.
    pub fn unexpected(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            let seed = self.options.seed;
            lines.extend(row.unexplained.iter().map(|text| format!("{}, seed {seed}: {text}", row.question)));
            for (id, (count, first)) in &row.deviations {
                let allowed = listed(row.question, id).map_or(0, |deviation| deviation.allowed(row.asked));
                if *count > allowed {
                    lines.push(format!("{}: {count} {id}, at most {allowed}: {first}", row.question));
                }
            }
        }
        lines.extend(self.lengths.unexpected());
        lines
    }
}
