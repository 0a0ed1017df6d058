//! Why a command gave up: what, where, the mend, and the exit status that goes with it.

use miette::{LabeledSpan, NamedSource, SourceCode};
use std::fmt;
use std::ops::Range;

/// How a command that worked ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes, or done: exit status 0.
    Yes,
    /// No: exit status 1. What the answer is about has been printed.
    No,
}

/// Whose fault a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The call or the settings: exit status 2.
    Call,
    /// Circumstances: exit status 3.
    Circumstances,
}

/// One of several things that are wrong.
#[derive(Clone, Debug)]
pub(crate) struct Detail {
    /// What, with its place in words.
    pub(crate) text: String,
    /// Its bytes in the source, where there is one to show.
    pub(crate) span: Option<Range<usize>>,
}

/// A command that gave up.
#[derive(Debug)]
pub(crate) struct Failure {
    fault: Fault,
    message: String,
    details: Vec<Detail>,
    help: Option<String>,
    source: Option<Box<NamedSource<String>>>,
}

impl Failure {
    /// The call or the settings were wrong.
    pub(crate) fn call(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Call, message: message.into(), details: Vec::new(), help: None, source: None }
    }

    /// It could not be done.
    pub(crate) fn circumstances(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Circumstances, ..Failure::call(message) }
    }

    /// With the mend.
    pub(crate) fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }

    /// With all that is wrong, one by one.
    pub(crate) fn details(self, details: Vec<Detail>) -> Failure {
        Failure { details, ..self }
    }

    /// With the text that the details' spans point into.
    pub(crate) fn source(self, name: &str, text: &str) -> Failure {
        Failure { source: Some(Box::new(NamedSource::new(name, text.to_owned()))), ..self }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self.fault {
            Fault::Call => 2,
            Fault::Circumstances => 3,
        }
    }

    /// The whole failure as plain lines, for logs.
    pub(crate) fn plain(&self) -> String {
        let mut text = format!("error: {}\n", self.message);
        for detail in &self.details {
            text.push_str(&format!("  {}\n", detail.text));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("help: {help}\n"));
        }
        text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        // Details that are pointed at in the source are told there.
        let told = |detail: &&Detail| detail.span.is_none() || self.source.is_none();
        self.details.iter().filter(told).try_for_each(|detail| write!(f, "\n{}", detail.text))
    }
}

impl std::error::Error for Failure {}

impl miette::Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |detail: &Detail| Some(LabeledSpan::at(detail.span.clone()?, detail.text.clone()));
        Some(Box::new(self.details.iter().filter_map(label)))
    }
}
