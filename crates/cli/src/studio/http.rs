//! One HTTP/1.1 request over a connection, and its answer; then the connection is closed. All sizes that a
//! client controls are bounded before memory is allocated: the head by its length, the body by the length in
//! the head, both by time.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::str::{self, FromStr};
use std::time::{Duration, Instant};

/// Maximum size of the request line and all header fields, bytes. Browsers also send the cookies of other
/// servers on this machine.
const MOST_HEAD: usize = 32 << 10;
/// Number of bytes that are read at once.
const READ_BYTES: usize = 8 << 10;
/// Time for the whole head, for the whole body, and for the whole answer.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(30);
const ANSWER_TIME: Duration = Duration::from_secs(120);
/// A client that is still sending only gets its answer if its data is read: up to this number of bytes and
/// this time.
const MOST_DISCARDED: u64 = 16 << 20;
const DISCARD_TIME: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Put,
    Post,
    Other,
}

/// The head of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) method: Method,
    /// The path with its query.
    pub(super) target: String,
    pub(super) host: String,
    /// Of the body, bytes.
    length: u64,
}

/// A request whose body is not read yet.
pub(super) struct Request<'a> {
    stream: &'a TcpStream,
    pub(super) head: Head,
    /// The start of the body, which came with the head.
    start: Vec<u8>,
}

/// An answer.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: Body,
    /// True if the body is compressed by gzip.
    pub(super) is_packed: bool,
}

/// The body of an answer.
pub(super) enum Body {
    Bytes(Cow<'static, [u8]>),
    /// An open file, and its length.
    File(File, u64),
}

impl Reply {
    pub(super) fn new(status: u16, kind: &'static str, body: Body) -> Reply {
        Reply { status, kind, body, is_packed: false }
    }

    pub(super) fn text(status: u16, text: impl Into<String>) -> Reply {
        let body = Body::Bytes(Cow::Owned(text.into().into_bytes()));
        Reply::new(status, "text/plain; charset=utf-8", body)
    }

    pub(super) fn not_found() -> Reply {
        Reply::text(404, "not found")
    }

    /// Sends the answer with these header fields, then ends the connection. If the client is gone, errors do
    /// not matter.
    pub(super) fn send(self, stream: &TcpStream, fields: &[(&str, &str)]) {
        if self.write(stream, fields).is_ok() && stream.shutdown(Shutdown::Write).is_ok() {
            let rest = Timed::new(stream, DISCARD_TIME).take(MOST_DISCARDED);
            // The connection ends now in any case.
            let _ = io::copy(&mut { rest }, &mut io::sink());
        }
    }

    /// Sends the answer without ending the connection.
    pub(super) fn write(self, stream: &TcpStream, fields: &[(&str, &str)]) -> io::Result<()> {
        let length = match &self.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File(_, length) => *length,
        };
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let packed = self.is_packed.then_some(("Content-Encoding", "gzip"));
        let own =
            [("Content-Type", self.kind), ("Content-Length", &length.to_string()), ("Connection", "close")];
        for (name, value) in own.iter().chain(fields).copied().chain(packed) {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head += "\r\n";
        let mut stream = Timed::new(stream, ANSWER_TIME);
        stream.write_all(head.as_bytes())?;
        match self.body {
            Body::Bytes(bytes) => stream.write_all(&bytes),
            // The file may have grown meanwhile.
            Body::File(file, length) => io::copy(&mut file.take(length), &mut stream).map(drop),
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        404 => "Not Found",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

impl<'a> Request<'a> {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// The answer to a head that is refused; `None` if the client is gone or never began.
    pub(super) fn read(stream: &'a TcpStream) -> Result<Request<'a>, Option<Reply>> {
        let mut timed = Timed::new(stream, HEAD_TIME);
        let mut bytes = Vec::new();
        let mut buffer = [0; READ_BYTES];
        loop {
            // The end may be split between two reads.
            let from = bytes.len().saturating_sub(3);
            match timed.read(&mut buffer) {
                Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
                Err(error) if is_late(&error) && !bytes.is_empty() => {
                    return Err(Some(Reply::text(408, "the request did not arrive in time")));
                }
                _ => return Err(None),
            }
            if let Some(end) = bytes[from..].windows(4).position(|four| four == b"\r\n\r\n") {
                let end = from + end;
                let start = bytes.split_off(end + 4);
                let head = str::from_utf8(&bytes[..end]).map_err(|_| "the head is not UTF-8".to_owned());
                let head = head.and_then(Head::from_str);
                return match head {
                    Ok(head) => Ok(Request { stream, head, start }),
                    Err(message) => Err(Some(Reply::text(400, message))),
                };
            }
            if bytes.len() > MOST_HEAD {
                return Err(Some(Reply::text(431, format!("expected a head of at most {MOST_HEAD} bytes"))));
            }
        }
    }

    /// The body, of at most `most` bytes.
    ///
    /// # Errors
    /// The answer to a body that is too large, or does not come.
    pub(super) fn body(&mut self, most: u64) -> Result<Vec<u8>, Reply> {
        let length = self.head.length;
        if length > most {
            return Err(Reply::text(413, format!("expected at most {most} bytes, found {length}")));
        }
        let mut body = std::mem::take(&mut self.start);
        body.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        let rest = length - body.len() as u64;
        let read = Timed::new(self.stream, BODY_TIME).take(rest).read_to_end(&mut body);
        if read.is_ok() && body.len() as u64 == length {
            Ok(body)
        } else {
            Err(Reply::text(408, "the body did not arrive in time"))
        }
    }

    /// Returns true if the client has ended the connection, after about a millisecond.
    pub(super) fn is_abandoned(&self) -> bool {
        let is_set = self.stream.set_read_timeout(Some(Duration::from_millis(1))).is_ok();
        is_set
            && match self.stream.peek(&mut [0]) {
                Ok(count) => count == 0,
                Err(error) => !is_late(&error),
            }
    }
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Head, String> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err("expected METHOD PATH HTTP/1.1".to_owned());
        };
        let method = match method {
            "GET" => Method::Get,
            "PUT" => Method::Put,
            "POST" => Method::Post,
            _ => Method::Other,
        };
        let (mut host, mut length) = (None, None);
        for line in lines {
            let field =
                line.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains([' ', '\t']));
            let Some((name, value)) = field.filter(|_| !line.contains(|c: char| c.is_control() && c != '\t'))
            else {
                return Err("expected header fields as NAME: VALUE".to_owned());
            };
            let value = value.trim();
            let found = if name.eq_ignore_ascii_case("host") {
                host.replace(value.to_owned()).is_some()
            } else if name.eq_ignore_ascii_case("content-length") {
                let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
                let parsed = value.parse().ok().filter(|_| is_whole);
                length.replace(parsed.ok_or("expected Content-Length as a whole number")?).is_some()
            } else {
                name.eq_ignore_ascii_case("transfer-encoding")
            };
            if found {
                return Err(
                    "expected one Host, at most one Content-Length, and no Transfer-Encoding".to_owned()
                );
            }
        }
        let host = host.ok_or("expected a Host")?;
        Ok(Head { method, target: target.to_owned(), host, length: length.unwrap_or(0) })
    }
}

/// A connection with a deadline: after it, reading and writing fail.
struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Timed<'_> {
    fn new(stream: &TcpStream, time: Duration) -> Timed<'_> {
        Timed { stream, end: Instant::now() + time }
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(into)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A timeout has either name, depending on the system.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Result<Head, String> {
        text.replace('\n', "\r\n").parse()
    }

    #[test]
    fn a_head_gives_its_method_path_host_and_length() {
        let found = head("PUT /a?b=1 HTTP/1.1\nhost: 127.0.0.1:80\nX: a:b\nContent-Length:  12 ").unwrap();
        let wanted =
            Head { method: Method::Put, target: "/a?b=1".into(), host: "127.0.0.1:80".into(), length: 12 };
        assert_eq!(found, wanted);
        assert_eq!(head("HEAD / HTTP/1.0\nHost: a").unwrap().method, Method::Other);
    }

    #[test]
    fn heads_that_can_be_read_in_two_ways_are_refused() {
        for fields in [
            "Host: a\nHost: b",
            "X: a",
            "Host: a\nContent-Length: 1\nContent-Length: 1",
            "Host: a\nContent-Length: +1",
            "Host: a\nContent-Length: -1",
            "Host: a\nContent-Length: 1, 1",
            "Host: a\nContent-Length: 0x1",
            "Host: a\nContent-Length:",
            "Host: a\nContent-Length: 18446744073709551616",
            "Host: a\nTransfer-Encoding: chunked",
            "Host: a\n folded",
            "Host : a",
            "Host: a\n: b",
            "Host: a\nX: \u{0}",
            "Host: a\nX: a\rHost: b",
        ] {
            assert!(head(&format!("GET / HTTP/1.1\n{fields}")).is_err(), "{fields:?}");
        }
        for line in
            ["", "GET", "GET /", "GET / HTTP/2", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1"]
        {
            assert!(head(&format!("{line}\nHost: a")).is_err(), "{line:?}");
        }
    }
}
