//! The stream of events behind `--events`: one JSON object a line, for build systems.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The stream of events; nothing is written if it was not asked for.
pub(super) struct Events {
    out: Option<Mutex<Box<dyn Write + Send>>>,
    started: Instant,
}

impl Events {
    /// Events into a file, or to standard output for `-`.
    pub(super) fn new(path: Option<&Path>, started: Instant) -> Result<Events, Failure> {
        let out: Option<Box<dyn Write + Send>> = match path {
            None => None,
            Some(path) if path == Path::new("-") => Some(Box::new(io::stdout())),
            Some(path) => Some(Box::new(File::create(path).map_err(|error| {
                Failure::circumstances(format!("{}: cannot be written: {error}", path.display()))
                    .help("give another file, or `-` for standard output, with --events")
            })?)),
        };
        Ok(Events { out: out.map(Mutex::new), started })
    }

    /// Whether events go to standard output.
    pub(super) fn take_standard_output(path: Option<&Path>) -> bool {
        path.is_some_and(|path| path == Path::new("-"))
    }

    /// Sends an event: its name, and its fields, an object.
    pub(super) fn send(&self, event: &str, mut about: Value) -> Result<(), Failure> {
        let Some(out) = &self.out else { return Ok(()) };
        if let Value::Object(fields) = &mut about {
            fields.insert("event".to_owned(), json!(event));
            fields.insert("ms".to_owned(), json!(self.started.elapsed().as_secs_f64() * 1000.0));
        }
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        match writeln!(out, "{about}").and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            // A reader that goes away ends the stream, not the bake.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::circumstances(format!("the stream of events: {error}"))),
        }
    }
}
