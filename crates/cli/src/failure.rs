//! The failure of a command: the problem, its place, the remedy, and the exit status.

use annotate_snippets::renderer::{DecorStyle, Renderer};
use annotate_snippets::{AnnotationKind, Group, Level, Snippet};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// The result of a command that succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes, or done: exit status 0.
    Yes,
    /// No: exit status 1. The reason has been printed.
    No,
}

/// The cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The command line or the settings: exit status 2.
    Call,
    /// Circumstances: exit status 3.
    Circumstances,
}

/// One of several problems.
#[derive(Clone, Debug)]
pub(crate) struct Detail {
    /// The error message, with its place.
    pub(crate) text: String,
    /// Its bytes in the source, if there is a source to show.
    pub(crate) span: Option<Range<usize>>,
}

/// A command that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    fault: Fault,
    message: String,
    details: Vec<Detail>,
    help: Option<String>,
    source: Option<Box<SourceText>>,
}

/// A text that details point into.
#[derive(Debug)]
struct SourceText {
    name: String,
    text: String,
}

impl Failure {
    /// The command line or the settings were wrong.
    pub(crate) fn call(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Call, message: message.into(), details: Vec::new(), help: None, source: None }
    }

    /// The command could not be completed.
    pub(crate) fn circumstances(message: impl Into<String>) -> Failure {
        Failure { fault: Fault::Circumstances, ..Failure::call(message) }
    }

    /// A file that is unusable, or that an operation failed on.
    pub(crate) fn of(path: &Path, error: impl fmt::Display) -> Failure {
        Failure::circumstances(format!("{}: {error}", path.display()))
    }

    /// Adds the remedy.
    pub(crate) fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }

    /// Adds the list of problems.
    pub(crate) fn details(self, details: Vec<Detail>) -> Failure {
        Failure { details, ..self }
    }

    /// Adds the text that the details' spans point into.
    pub(crate) fn source(self, name: &str, text: &str) -> Failure {
        Failure {
            source: Some(Box::new(SourceText { name: name.to_owned(), text: text.to_owned() })),
            ..self
        }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self.fault {
            Fault::Call => 2,
            Fault::Circumstances => 3,
        }
    }

    /// Escapes control characters and line breaks: colours are added to the failure, and each text is one
    /// line. Spans point into the unchanged source, which is drawn without control characters anyway.
    pub(crate) fn escaped(self) -> Failure {
        let plain = |text: String| navinput::escaped(&text).into_owned();
        let detail = |detail: Detail| Detail { text: plain(detail.text), span: detail.span };
        Failure {
            message: plain(self.message),
            details: self.details.into_iter().map(detail).collect(),
            help: self.help.map(plain),
            ..self
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

    /// The whole failure, with the lines of the source that it points at, for a terminal, with escape codes
    /// for colours.
    pub(crate) fn drawn(&self) -> String {
        let mut report = Group::with_title(Level::ERROR.primary_title(self.to_string()));
        if let Some(source) = &self.source {
            let annotations = self.details.iter().filter_map(|detail| {
                Some(AnnotationKind::Primary.span(detail.span.clone()?).label(&detail.text))
            });
            report =
                report.element(Snippet::source(&source.text).path(&source.name).annotations(annotations));
        }
        if let Some(help) = &self.help {
            report = report.element(Level::HELP.message(help));
        }
        Renderer::styled().decor_style(DecorStyle::Unicode).render(&[report])
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        // Details that point into the source are shown there.
        let listed = |detail: &&Detail| detail.span.is_none() || self.source.is_none();
        self.details.iter().filter(listed).try_for_each(|detail| write!(f, "\n{}", detail.text))
    }
}
