//! The stream of events behind `--events`: one JSON object a line, for build systems.

use crate::failure::Failure;
use crate::files::{create_stream, is_standard};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The stream of events; nothing is written without the option, or before it is opened.
pub(crate) struct Events<'a> {
    path: Option<&'a Path>,
    out: Mutex<Option<Box<dyn Write + Send>>>,
    started: Instant,
}

impl Events<'_> {
    /// Events into a file, or to standard output for `-`.
    pub(crate) fn new(path: Option<&Path>, started: Instant) -> Events<'_> {
        Events { path, out: Mutex::new(None), started }
    }

    /// Opens the file, and empties it. It is known by now that the bake does not read it.
    pub(crate) fn open(&self) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        let out: Box<dyn Write + Send> =
            if is_standard(path) { Box::new(io::stdout()) } else { Box::new(create_stream(path)?) };
        *self.out.lock().unwrap_or_else(PoisonError::into_inner) = Some(out);
        Ok(())
    }

    /// For a bake that failed before: opens standard output, or a file that does not exist yet.
    pub(crate) fn open_if_new(&self) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        match self.path {
            Some(path) if out.is_none() && is_standard(path) => *out = Some(Box::new(io::stdout())),
            Some(path) if out.is_none() => {
                // If it cannot be made, the failure itself is still reported on standard error.
                *out = File::create_new(path).ok().map(|file| Box::new(file) as Box<dyn Write + Send>);
            }
            _ => {}
        }
    }

    /// Sends an event: its name, and its fields, an object.
    pub(crate) fn send(&self, event: &str, mut about: Value) -> Result<(), Failure> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(out) = out.as_mut() else { return Ok(()) };
        if let Value::Object(fields) = &mut about {
            fields.insert("event".to_owned(), json!(event));
            fields.insert("ms".to_owned(), json!(self.started.elapsed().as_secs_f64() * 1000.0));
        }
        match writeln!(out, "{about}").and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            // A closed pipe ends the stream, not the bake.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::circumstances(format!("the stream of events: {error}"))),
        }
    }
}
