//! The answers of the server: the files of the page, and below `api/` the level, its settings, and their changes.

use super::site;
use super::watched::ServedFiles;
use crate::failure::Failure;
use std::borrow::Cow;
use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};
use tiny_http::{Method, Request};

/// A settings file is not longer, bytes.
const MOST_SETTINGS: u64 = 4 << 20;
/// How long a request waits for a change before the page asks again.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the files are looked at meanwhile.
const LOOK: Duration = Duration::from_millis(250);

/// An answer.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: Cow<'static, [u8]>,
    /// Whether the body is packed by gzip.
    pub(super) is_packed: bool,
}

impl Reply {
    fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Reply {
        Reply { status, kind, body: Cow::Owned(body.into()), is_packed: false }
    }

    fn text(status: u16, text: impl Into<String>) -> Reply {
        Reply::new(status, "text/plain; charset=utf-8", text.into())
    }

    pub(super) fn not_found() -> Reply {
        Reply::text(404, "there is nothing here")
    }
}

/// The answer to a request for a path below the token.
pub(super) fn answer(request: &mut Request, path: &str, watched: Option<&ServedFiles>) -> Reply {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let Some(call) = path.strip_prefix("api/") else {
        let found = site::find(path).filter(|_| *request.method() == Method::Get);
        return found.map_or_else(Reply::not_found, |file| Reply {
            status: 200,
            kind: file.kind,
            body: Cow::Borrowed(file.packed),
            is_packed: true,
        });
    };
    let Some(watched) = watched else { return Reply::not_found() };
    match (request.method(), call) {
        (Method::Get, "session") => session(watched),
        (Method::Get, "changes") => changes(watched, query),
        (Method::Get, _) => file(watched, call),
        (Method::Put, "settings") => match body(request) {
            Err(reply) => reply,
            Ok(toml) => match watched.write(&toml) {
                Ok(()) => session(watched),
                Err(failure) => failed(&failure),
            },
        },
        (Method::Post, "bake") => match body(request).map(|toml| watched.bake(&toml)) {
            Err(reply) => reply,
            Ok(Ok(bytes)) => Reply::new(200, "application/octet-stream", bytes),
            Ok(Err(message)) => Reply::text(422, message),
        },
        _ => Reply::not_found(),
    }
}

fn session(watched: &ServedFiles) -> Reply {
    let text = watched.session().map(|session| serde_json::to_vec(&session));
    match text {
        Ok(Ok(json)) => Reply::new(200, "application/json", json),
        Ok(Err(error)) => Reply::text(500, error.to_string()),
        Err(failure) => failed(&failure),
    }
}

/// Waits until a file is newer than the version that the page has; 204 if none is for a while.
fn changes(watched: &ServedFiles, query: &str) -> Reply {
    let Some(since) = query.strip_prefix("since=").and_then(|since| since.parse::<u64>().ok()) else {
        return Reply::text(400, "expected since=VERSION");
    };
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if watched.version() > since {
            return session(watched);
        }
        thread::sleep(LOOK);
    }
    Reply::text(204, "")
}

fn file(watched: &ServedFiles, call: &str) -> Reply {
    let number = call.strip_prefix("file/").and_then(|number| number.parse().ok());
    match number.and_then(|number: usize| watched.content(number)) {
        None => Reply::not_found(),
        Some(Ok(bytes)) => Reply::new(200, "application/octet-stream", bytes),
        Some(Err(failure)) => failed(&failure),
    }
}

/// The text of a request.
fn body(request: &mut Request) -> Result<String, Reply> {
    let mut bytes = Vec::new();
    let read = request.as_reader().take(MOST_SETTINGS + 1).read_to_end(&mut bytes);
    if read.is_err() || bytes.len() as u64 > MOST_SETTINGS {
        return Err(Reply::text(413, format!("expected settings of at most {MOST_SETTINGS} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Reply::text(400, "the settings are not UTF-8"))
}

fn failed(failure: &Failure) -> Reply {
    Reply::text(500, failure.to_string())
}
