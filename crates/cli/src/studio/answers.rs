//! The answers of the server: the files of the page, and below `api/` the level, its settings, and their
//! changes.

use super::bakes::BakeSlot;
use super::http::{Body, Method, Reply, Request};
use super::served::{Refusal, ServedFiles};
use super::site;
use crate::failure::Failure;
use std::borrow::Cow;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum size of a settings file, bytes.
const MOST_SETTINGS: u64 = 4 << 20;
/// Time that a request waits for a change before the page asks again.
const PATIENCE: Duration = Duration::from_secs(20);
/// Interval of checking the files meanwhile.
const LOOK: Duration = Duration::from_millis(250);

/// The files to answer from, and the bake that runs.
pub(super) struct Answers {
    files: Option<ServedFiles>,
    bakes: BakeSlot,
}

impl Answers {
    pub(super) fn new(files: Option<ServedFiles>) -> Answers {
        Answers { files, bakes: BakeSlot::default() }
    }

    pub(super) fn has_files(&self) -> bool {
        self.files.is_some()
    }

    /// The answer to a request for a path below the token.
    pub(super) fn to(&self, request: &mut Request<'_>, path: &str) -> Reply {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let method = request.head.method;
        let Some(call) = path.strip_prefix("api/") else {
            let found = site::find(path).filter(|_| method == Method::Get);
            return found.map_or_else(Reply::not_found, |file| Reply {
                status: 200,
                kind: file.kind,
                body: Body::Bytes(Cow::Borrowed(file.packed)),
                is_packed: true,
            });
        };
        let Some(files) = &self.files else { return Reply::not_found() };
        match (method, call) {
            (Method::Get, "session") => session(files),
            (Method::Get, "changes") => changes(files, query, request),
            (Method::Get, _) => file(files, call),
            (Method::Put, "settings") => write(files, query, request),
            (Method::Post, "bake") => self.bake(files, request),
            _ => Reply::not_found(),
        }
    }

    fn bake(&self, files: &ServedFiles, request: &mut Request<'_>) -> Reply {
        let toml = match text(request) {
            Ok(toml) => toml,
            Err(reply) => return reply,
        };
        let made = self.bakes.run(&|| request.is_abandoned(), |observer| files.bake(&toml, observer));
        match made {
            None => Reply::text(409, "another bake replaced it"),
            Some(Ok(bytes)) => Reply::new(200, "application/octet-stream", Body::Bytes(Cow::Owned(bytes))),
            Some(Err(message)) => Reply::text(422, message),
        }
    }
}

fn session(files: &ServedFiles) -> Reply {
    let text = files.session().map(|session| serde_json::to_vec(&session));
    match text {
        Ok(Ok(json)) => Reply::new(200, "application/json", Body::Bytes(Cow::Owned(json))),
        Ok(Err(error)) => Reply::text(500, error.to_string()),
        Err(failure) => failed(&failure),
    }
}

/// Waits until a file is newer than the page's version; 204 if there is no change for a while.
fn changes(files: &ServedFiles, query: &str, request: &Request<'_>) -> Reply {
    let Some(since) = query.strip_prefix("since=").and_then(|since| since.parse::<u64>().ok()) else {
        return Reply::text(400, "expected since=VERSION");
    };
    let start = Instant::now();
    while start.elapsed() < PATIENCE && !request.is_abandoned() {
        if files.version() > since {
            return session(files);
        }
        thread::sleep(LOOK);
    }
    Reply::text(204, "")
}

fn file(files: &ServedFiles, call: &str) -> Reply {
    let number = call.strip_prefix("file/").and_then(|number| number.parse().ok());
    match number.and_then(|number| files.open(number)) {
        None => Reply::not_found(),
        Some(Ok((file, length))) => Reply::new(200, "application/octet-stream", Body::File(file, length)),
        Some(Err(failure)) => failed(&failure),
    }
}

/// Writes the settings; with `over=DIGEST`, only over settings with this digest.
fn write(files: &ServedFiles, query: &str, request: &mut Request<'_>) -> Reply {
    let over = query.strip_prefix("over=");
    match text(request).map(|toml| files.write(&toml, over)) {
        Err(reply) => reply,
        Ok(Ok(())) => session(files),
        Ok(Err(Refusal::Changed)) => Reply::text(409, "the settings file has changed on disk"),
        Ok(Err(Refusal::Failed(failure))) => failed(&failure),
    }
}

/// The text of a request.
fn text(request: &mut Request<'_>) -> Result<String, Reply> {
    let bytes = request.body(MOST_SETTINGS)?;
    String::from_utf8(bytes).map_err(|_| Reply::text(400, "the settings are not UTF-8"))
}

fn failed(failure: &Failure) -> Reply {
    Reply::text(500, failure.to_string())
}
