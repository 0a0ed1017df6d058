//! The server, on the loopback address only. Requests need the token in its address.

use super::answers::Answers;
use super::connections::{Connections, OpenConnection};
use super::http::{Reply, Request};
use crate::failure::Failure;
use crate::report;
use std::fmt::Write;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Header fields of every answer. The page may only load what this server serves.
const FIELDS: [(&str, &str); 4] = [
    (
        "Content-Security-Policy",
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Cache-Control", "no-cache"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
];
/// The pause after a connection that could not be accepted, and the number of such connections in a row that
/// ends the program: a minute's worth.
const PAUSE: Duration = Duration::from_millis(10);
const MOST_FAILURES: u32 = 6000;

/// A server that listens.
pub(super) struct Server {
    listener: TcpListener,
    connections: Arc<Connections>,
    site: Arc<Site>,
}

/// The answers, and their address.
struct Site {
    port: u16,
    token: String,
    answers: Answers,
}

impl Server {
    /// Listens on a port of the loopback address, 0 for any.
    pub(super) fn start(port: u16, answers: Answers) -> Result<Server, Failure> {
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let named = bound.and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
        let (port, listener) = named.map_err(|error| {
            Failure::circumstances(format!("127.0.0.1:{port}: {error}")).help("give another --port")
        })?;
        let site = Arc::new(Site { port, token: token()?, answers });
        Ok(Server { listener, connections: Arc::default(), site })
    }

    /// Address of the page.
    pub(super) fn address(&self) -> String {
        let Site { port, token, answers } = &*self.site;
        let query = if answers.has_files() { "?served" } else { "" };
        format!("http://127.0.0.1:{port}/{token}/{query}")
    }

    /// Answers until the program ends.
    ///
    /// # Errors
    /// No connection can be accepted any more.
    pub(super) fn serve(&self) -> Failure {
        let (mut failures, mut has_warned) = (0, false);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    failures = 0;
                    self.accept(stream);
                }
                Err(error) => {
                    failures += 1;
                    if !std::mem::replace(&mut has_warned, true) {
                        report::warn(&format!("a connection cannot be accepted, trying again: {error}"));
                    }
                    if failures == MOST_FAILURES {
                        let message = format!("no connection can be accepted any more: {error}");
                        return Failure::circumstances(message)
                            .help("raise the limit of open files or of memory, and start the studio again");
                    }
                    self.connections.lower();
                    thread::sleep(PAUSE);
                }
            }
        }
    }

    /// Hands a connection to a thread of its own.
    fn accept(&self, stream: TcpStream) {
        let connection = match self.connections.add(stream) {
            Ok(connection) => connection,
            Err(stream) => {
                let busy = Reply::text(503, "too many connections at once: close other pages of the studio");
                // A short answer to a new client does not wait. If the client is gone, errors do not matter.
                let _ = busy.write(&stream, &FIELDS);
                return;
            }
        };
        let site = self.site.clone();
        let started: io::Result<_> = thread::Builder::new().spawn(move || site.serve(&connection));
        if let Err(error) = started {
            report::warn(&format!("a connection is refused, because no thread can be started: {error}"));
        }
    }
}

impl Site {
    fn serve(&self, connection: &OpenConnection) {
        let stream = connection.stream();
        let reply = match Request::read(stream) {
            Err(None) => return,
            Err(Some(reply)) => reply,
            Ok(mut request) => match self.inside(&request).map(str::to_owned) {
                None => Reply::not_found(),
                Some(path) => {
                    connection.shows_token();
                    self.answers.to(&mut request, &path)
                }
            },
        };
        reply.send(stream, &FIELDS);
    }

    /// The path of a request below the token, with its query; `None` without the token, and for other sites
    /// whose own domain name resolves to this address.
    fn inside<'a>(&self, request: &'a Request<'_>) -> Option<&'a str> {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !own.contains(&request.head.host) {
            return None;
        }
        let rest = request.head.target.strip_prefix('/')?.strip_prefix(self.token.as_str())?;
        rest.strip_prefix('/')
    }
}

/// 128 random bits that cannot be guessed.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::circumstances(format!("no random numbers are available: {error}")))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
