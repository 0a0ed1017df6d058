//! Random queries between connected places, and their times.

use super::samples::Samples;
use super::verbs::{Room, VERBS, pairs};
use crate::failure::Failure;
use crate::mesh::Loaded;
use detour::QueryError;
use navmath::Hasher;
use std::collections::BTreeMap;
use std::time::Instant;

/// The times of queries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Asked {
    /// Number of queried pairs; fewer than requested if few are connected.
    pub(super) pairs: usize,
    /// Nanoseconds of one answer, by the name of the query.
    pub(super) nanoseconds: BTreeMap<&'static str, f64>,
    /// Hash of all answers.
    pub(super) hash: String,
}

/// Queries `count` random pairs, `repeat` times. A mesh without polygons is not queried.
pub(super) fn ask(loaded: &Loaded, count: usize, repeat: usize) -> Result<Asked, Failure> {
    let filter = loaded.filter()?;
    let (mesh, mut room) = (&loaded.mesh, Room::default());
    let pairs = pairs(mesh, &filter, &mut room.query, count).map_err(|error| failed(&error))?;
    let mut asked = Asked { pairs: pairs.len(), ..Asked::default() };
    if pairs.is_empty() {
        return Ok(asked);
    }
    let mut hasher = Hasher::new();
    for (name, verb) in VERBS {
        let mut samples = Samples::default();
        let mut first: Option<Vec<f64>> = None;
        // The first round warms memory up and gives the answers that the others must repeat.
        for round in 0..=repeat {
            let mut answers = Vec::with_capacity(pairs.len());
            let start = Instant::now();
            for pair in &pairs {
                answers.push(verb(&mut room, mesh, &filter, pair).map_err(|error| failed(&error))?);
            }
            let elapsed = start.elapsed();
            let bits = |answers: &[f64]| answers.iter().map(|answer| answer.to_bits()).collect::<Vec<_>>();
            match &first {
                None => first = Some(answers),
                Some(first) if bits(first) == bits(&answers) => samples.push(elapsed),
                Some(_) => {
                    return Err(Failure::circumstances(format!("round {round} of {name} had other answers")));
                }
            }
        }
        hasher.write_f64s(first.as_deref().unwrap_or_default());
        let each = samples.median().as_nanos() as f64 / pairs.len() as f64;
        asked.nanoseconds.insert(name, (each * 10.0).round() / 10.0);
    }
    asked.hash = hasher.finish().to_string();
    Ok(asked)
}

fn failed(error: &QueryError) -> Failure {
    Failure::circumstances(format!("a question has no answer: {error}"))
}
