//! Errors of a bake.

use crate::settings::{Origin, Refusal};
use navinput::{InputError, SettingProblem};
use recast::FieldError;
use serde::Serialize;
use std::fmt;

/// The error of a failed bake: the fault, its place, and the remedy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BakeError {
    /// The fault, with the name of the file.
    pub message: String,
    /// The single problems, if there are several or one of them belongs to a setting.
    pub problems: Vec<Problem>,
    /// The remedy, if it is not obvious.
    pub remedy: Option<String>,
    /// True if this is not an error: the observer cancelled the bake.
    pub cancelled: bool,
}

/// A problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// One sentence.
    pub text: String,
    /// The setting with the problem, as a settings file names it: `agent.radius`.
    pub field: Option<String>,
    /// The line of the settings, from 1.
    pub line: Option<u64>,
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for problem in &self.problems {
            write!(f, "\n  {}", problem.text)?;
        }
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BakeError {}

impl BakeError {
    pub(crate) fn new(message: impl Into<String>) -> BakeError {
        BakeError { message: message.into(), ..BakeError::default() }
    }

    pub(crate) fn help(self, remedy: impl Into<String>) -> BakeError {
        BakeError { remedy: Some(remedy.into()), ..self }
    }

    /// Problems in a text, each with its line.
    pub(crate) fn of_text(message: impl Into<String>, problems: &[SettingProblem]) -> BakeError {
        let problem = |problem: &SettingProblem| Problem {
            text: problem.to_string(),
            field: None,
            line: problem.place.map(|place| place.line),
        };
        BakeError { problems: problems.iter().map(problem).collect(), ..BakeError::new(message) }
    }

    /// Settings that are out of range, each with the line of the settings file that gives it.
    fn of_fields(errors: &[(FieldError, Origin)]) -> BakeError {
        let problem = |(error, origin): &(FieldError, Origin)| {
            let line = if let Origin::File(line, _) = origin { Some(*line) } else { None };
            let at = line.map_or_else(String::new, |line| format!(" (line {line})"));
            Problem { text: format!("{error}{at}"), field: Some(error.field.clone()), line }
        };
        let message = match errors.len() {
            1 => "a setting is out of range".to_owned(),
            count => format!("{count} settings are out of range"),
        };
        BakeError { problems: errors.iter().map(problem).collect(), ..BakeError::new(message) }
    }

    /// The error that stopped the bake of the level called `title`.
    pub(crate) fn of_bake(title: &str, error: &recast::Error) -> BakeError {
        match error {
            recast::Error::Settings(errors) => {
                let errors = errors.iter().map(|error| (error.clone(), Origin::Default));
                BakeError::of_fields(&errors.collect::<Vec<_>>())
            }
            _ => BakeError {
                cancelled: matches!(error, recast::Error::Cancelled),
                ..BakeError::new(format!("{title}: {error}"))
            },
        }
    }
}

impl From<Refusal> for BakeError {
    fn from(refusal: Refusal) -> BakeError {
        match refusal {
            Refusal::OutOfRange(errors) => BakeError::of_fields(&errors),
            Refusal::File(InputError::Settings(problems)) => {
                BakeError::of_text("the settings are wrong", &problems)
                    .help("`navtile init -` shows every key with its unit, limits and default")
            }
            Refusal::File(other) => BakeError::new(format!("the settings: {other}")),
        }
    }
}
