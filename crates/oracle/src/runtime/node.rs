//! The C++ library in the form that web games use: the npm package `recast-navigation` under node, over a set
//! that we export. It is asked the questions of RecastDemo's test files, and so is our runtime.

use super::RuntimeError;
use super::asker::Asker;
use super::pair::Pair;
use super::paths::{our_path, our_string};
use super::ray;
use super::rows::{RecordedQuestion, place};
use super::string::flat_length;
use super::verdict::SAME;
use detour::{Optimality, Place};
use navinterop::RefWidth;
use navinterop::export::export;
use navinterop::mset;
use navtile::Tile;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// A question that could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The tiles cannot be compared.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A file cannot be written, or node not started.
    #[error("{0}: {1}")]
    System(String, std::io::Error),
    /// The program under node failed.
    #[error("node: {0}")]
    Node(String),
    /// An answer without the agreed form.
    #[error("node answered question {0} with {1}")]
    Answer(usize, Value),
}

/// Both answers to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The question.
    pub question: RecordedQuestion,
    /// Polygons of our path or ray.
    pub polygons: usize,
    /// Our length of the path or the ray, as seen from above, metres.
    pub ours: f64,
    /// Node's.
    pub theirs: f64,
}

impl Answered {
    /// Returns true if both answers agree. Rays must have the same length, and our path must not be longer.
    pub fn agrees(&self) -> bool {
        let longer = self.ours - self.theirs;
        longer <= SAME && (!self.question.is_ray || longer >= -SAME)
    }
}

/// Queries the package in `folder`, which holds `ask.mjs` and its modules, and our runtime.
///
/// Errors: tiles that cannot be exported, folders that cannot be written, a program that fails.
pub fn ask(
    tiles: &[Tile],
    questions: &[RecordedQuestion],
    folder: &Path,
) -> Result<Vec<Answered>, NodeError> {
    let pair = Pair::new(tiles)?;
    let set = export(tiles, RefWidth::Bits32).map_err(RuntimeError::from)?.set;
    let bytes = mset::write(&set).map_err(RuntimeError::from)?;
    let answers = answers(&bytes, questions, folder)?;
    let mut asker = Asker::new(&pair)?;
    let each = questions.iter().zip(&answers).enumerate();
    each.map(|(number, (question, answer))| {
        compare(&mut asker, question, answer)?.ok_or_else(|| NodeError::Answer(number, answer.clone()))
    })
    .collect()
}

/// The answers of the program under node.
fn answers(set: &[u8], questions: &[RecordedQuestion], folder: &Path) -> Result<Vec<Value>, NodeError> {
    let asked: Vec<Value> = questions
        .iter()
        .map(|question| {
            let kind = if question.is_ray { "ray" } else { "path" };
            json!({ "kind": kind, "start": question.start.to_array(), "goal": question.goal.to_array() })
        })
        .collect();
    let names = ["set.bin", "questions.json"]
        .map(|name| std::env::temp_dir().join(format!("navtile-node-{}-{name}", std::process::id())));
    for (path, bytes) in names.iter().zip([set, Value::from(asked).to_string().as_bytes()]) {
        std::fs::write(path, bytes).map_err(|error| NodeError::System(path.display().to_string(), error))?;
    }
    let output = Command::new("node").arg(folder.join("ask.mjs")).args(&names).output();
    for path in &names {
        std::fs::remove_file(path).map_err(|error| NodeError::System(path.display().to_string(), error))?;
    }
    let output = output.map_err(|error| NodeError::System("starting node".to_owned(), error))?;
    if !output.status.success() {
        return Err(NodeError::Node(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    match serde_json::from_slice(&output.stdout) {
        Ok(Value::Array(answers)) if answers.len() == questions.len() => Ok(answers),
        _ => Err(NodeError::Node(String::from_utf8_lossy(&output.stdout).into_owned())),
    }
}

/// Both answers; `None` if either is missing.
fn compare(
    asker: &mut Asker<'_>,
    question: &RecordedQuestion,
    answer: &Value,
) -> Result<Option<Answered>, RuntimeError> {
    let start = place(asker, question.start)?;
    let (count, ours, theirs) = if question.is_ray {
        let Some(fraction) = answer["fraction"].as_f64() else { return Ok(None) };
        let from = Place { point: question.start, ..start.1 };
        let hit = ray::ours(asker, from, question.goal)?;
        let along = question.goal - question.start;
        let length = f64::from(along.x).hypot(f64::from(along.z));
        (asker.ray.polygons.len(), hit.fraction * length, fraction * length)
    } else {
        let Some(points) = points(answer) else { return Ok(None) };
        let ends = [start, place(asker, question.goal)?];
        let (mine, _) = our_path(asker, ends, false, Optimality::Fast)?;
        let string = our_string(asker, ends)?;
        (mine.len(), flat_length(&string), flat_length(&points))
    };
    Ok(Some(Answered { question: *question, polygons: count, ours, theirs }))
}

fn points(answer: &Value) -> Option<Vec<[f64; 3]>> {
    let point = |value: &Value| Some([value[0].as_f64()?, value[1].as_f64()?, value[2].as_f64()?]);
    answer["points"].as_array()?.iter().map(point).collect()
}
