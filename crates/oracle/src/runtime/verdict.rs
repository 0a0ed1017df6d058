//! The outcome of a question, and the sums of many.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Largest difference of equal answers, metres, or units of cost.
pub const SAME: f64 = 1e-3;

/// The outcome of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Both gave the same answer.
    Equal,
    /// The answers are equally good to within [`SAME`].
    Tie,
    /// They differ by a cause that is listed in docs/deviations.md under this id; the text shows the
    /// difference.
    Deviates(&'static str, String),
    /// They differ for an unknown reason.
    Unexplained(String),
}

/// The sums of one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictRow {
    /// The question.
    pub question: &'static str,
    /// Number of questions.
    pub asked: usize,
    /// Equal answers.
    pub equal: usize,
    /// Equally good answers.
    pub ties: usize,
    /// Listed differences: their number, and the first of them.
    pub deviations: BTreeMap<&'static str, (usize, String)>,
    /// Differences whose cause is unknown.
    pub unexplained: Vec<String>,
}

impl VerdictRow {
    /// No questions yet.
    pub fn new(question: &'static str) -> VerdictRow {
        VerdictRow { question, ..VerdictRow::default() }
    }

    /// Counts the verdict on question `number`.
    pub fn count(&mut self, number: u64, verdict: Verdict) {
        self.asked += 1;
        match verdict {
            Verdict::Equal => self.equal += 1,
            Verdict::Tie => self.ties += 1,
            Verdict::Deviates(id, text) => {
                let entry = self.deviations.entry(id).or_insert_with(|| (0, format!("{number}: {text}")));
                entry.0 += 1;
            }
            Verdict::Unexplained(text) => self.unexplained.push(format!("{number}: {text}")),
        }
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let VerdictRow { question, asked, equal, ties, unexplained, .. } = self;
        let mut line = format!("  {question:<24} {asked:>7} {equal:>7} {ties:>6} {:>6} ", unexplained.len());
        for (id, (count, _)) in &self.deviations {
            // Writing to a string does not fail.
            let _ = write!(line, " {id} {count}");
        }
        line
    }
}

/// The heading of the table whose lines are [`VerdictRow::line`].
pub fn head() -> String {
    format!("  {:<24} {:>7} {:>7} {:>6} {:>6}  deviations\n", "question", "asked", "equal", "ties", "open")
}
