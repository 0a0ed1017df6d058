//! The server: on the loopback address alone, and only for those who know the address with its token.

use super::answers::{self, Reply};
use super::watched::ServedFiles;
use crate::failure::Failure;
use std::fmt::Write;
use std::sync::Arc;
use std::thread;
use tiny_http::{Header, Request, Response};

/// The page may load only what is served with it.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that listens.
pub(super) struct Server {
    server: tiny_http::Server,
    port: u16,
    token: String,
    watched: Option<Arc<ServedFiles>>,
}

impl Server {
    /// Listens on a port of the loopback address, 0 for any.
    pub(super) fn start(port: u16, watched: Option<ServedFiles>) -> Result<Server, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::circumstances(format!("127.0.0.1:{port}: {error}")).help("give another --port")
        };
        let server = tiny_http::Server::http(("127.0.0.1", port)).map_err(|error| failed(&error))?;
        let address = server.server_addr().to_ip().ok_or_else(|| failed(&"is no address"))?;
        let watched = watched.map(Arc::new);
        Ok(Server { server, port: address.port(), token: token()?, watched })
    }

    /// Where the page is.
    pub(super) fn address(&self) -> String {
        let query = if self.watched.is_some() { "?served" } else { "" };
        format!("http://127.0.0.1:{}/{}/{query}", self.port, self.token)
    }

    /// Answers until the program ends.
    pub(super) fn serve(&self) {
        for mut request in self.server.incoming_requests() {
            let Some(path) = self.inside(&request) else {
                send(request, Reply::not_found());
                continue;
            };
            let watched = self.watched.clone();
            // A page waits for changes with a request that lasts.
            thread::spawn(move || {
                let reply = answers::answer(&mut request, &path, watched.as_deref());
                send(request, reply);
            });
        }
    }

    /// The path of a request below the token, with its query; `None` for those who do not know it, and for pages of others that have
    /// this address under a name of their own.
    fn inside(&self, request: &Request) -> Option<String> {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"))?;
        let own = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !own.iter().any(|own| host.value.as_str() == own) {
            return None;
        }
        let rest = request.url().strip_prefix('/')?.strip_prefix(self.token.as_str())?;
        rest.strip_prefix('/').map(str::to_owned)
    }
}

/// 128 bits that nobody can guess.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::circumstances(format!("no random numbers can be had: {error}")))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

fn send(request: Request, reply: Reply) {
    let fields = [
        ("Content-Type", reply.kind),
        ("Content-Security-Policy", POLICY),
        ("Cache-Control", "no-cache"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    let packed = reply.is_packed.then_some(("Content-Encoding", "gzip"));
    let mut response = Response::from_data(reply.body).with_status_code(reply.status);
    for (field, value) in fields.into_iter().chain(packed) {
        if let Ok(header) = Header::from_bytes(field, value) {
            response.add_header(header);
        }
    }
    // A browser that is gone needs no answer.
    let _ = request.respond(response);
}
