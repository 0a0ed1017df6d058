//! The connections of the server: a bounded number at once, each with a thread of its own.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of connections. A browser opens six for a page; macOS allows 256 files by default.
const MOST: usize = 64;
/// Number of open files that are left for the level if the system allows few, and minimum number of
/// connections.
const LEFT_FOR_FILES: usize = 8;
const LEAST: usize = 8;
/// Time for a connection to end after its shutdown, while a new one waits.
const PATIENCE: Duration = Duration::from_secs(1);

/// All open connections, the oldest first.
pub(super) struct Connections {
    open: Mutex<Vec<Arc<Connection>>>,
    ended: Condvar,
    most: AtomicUsize,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections { open: Mutex::default(), ended: Condvar::new(), most: AtomicUsize::new(MOST) }
    }
}

pub(super) struct Connection {
    pub(super) stream: TcpStream,
    /// True if its request has the token: then it is not shut down for others.
    has_token: AtomicBool,
}

/// An open connection. It is removed from the list when this is dropped.
pub(super) struct OpenConnection {
    all: Arc<Connections>,
    one: Arc<Connection>,
}

impl Connections {
    fn locked(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If there are too many, the oldest connection without the token is shut down.
    ///
    /// # Errors
    /// The stream, if all others have the token.
    pub(super) fn add(self: &Arc<Self>, stream: TcpStream) -> Result<OpenConnection, TcpStream> {
        let most = self.most.load(Ordering::Relaxed);
        let mut open = self.locked();
        // There are more than that if the number was just lowered.
        while open.len() >= most && shut_oldest(&open) {
            let before = open.len();
            let wait = self.ended.wait_timeout_while(open, PATIENCE, |open| open.len() >= before);
            open = wait.unwrap_or_else(PoisonError::into_inner).0;
            if open.len() >= before {
                break;
            }
        }
        if open.len() >= most {
            return Err(stream);
        }
        let one = Arc::new(Connection { stream, has_token: AtomicBool::new(false) });
        open.push(one.clone());
        drop(open);
        Ok(OpenConnection { all: self.clone(), one })
    }

    /// Allows fewer connections from now on: the system does not allow more open files, and the level's files
    /// need some.
    pub(super) fn lower(&self) {
        let open = self.locked();
        let most = open.len().saturating_sub(LEFT_FOR_FILES).max(LEAST);
        self.most.fetch_min(most, Ordering::Relaxed);
        shut_oldest(&open);
    }
}

fn shut_oldest(open: &[Arc<Connection>]) -> bool {
    let oldest = open.iter().find(|one| !one.has_token.load(Ordering::Relaxed));
    // Its thread ends at once, because reading and writing fail. If the shutdown fails, too, the client has
    // ended the connection already.
    oldest.map(|one| one.stream.shutdown(Shutdown::Both)).is_some()
}

impl OpenConnection {
    pub(super) fn stream(&self) -> &TcpStream {
        &self.one.stream
    }

    pub(super) fn shows_token(&self) {
        self.one.has_token.store(true, Ordering::Relaxed);
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.all.locked().retain(|one| !Arc::ptr_eq(one, &self.one));
        self.all.ended.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;
    use std::thread;

    #[test]
    fn strangers_make_room_and_those_with_the_token_stay() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connect = || (TcpStream::connect(address).unwrap(), listener.accept().unwrap().0);
        let all = Arc::<Connections>::default();
        let mut pages: Vec<(TcpStream, OpenConnection)> = Vec::new();
        let (stranger, stream) = connect();
        let strange = all.add(stream).ok().unwrap();
        for _ in 1..MOST {
            let (page, stream) = connect();
            let connection = all.add(stream).ok().unwrap();
            connection.shows_token();
            pages.push((page, connection));
        }
        // Its thread reads until it is shut down.
        let reading = thread::spawn(move || strange.stream().read(&mut [0]).unwrap_or(0));
        let (page, stream) = connect();
        let connection = all.add(stream).ok().unwrap();
        connection.shows_token();
        pages.push((page, connection));
        assert_eq!(reading.join().unwrap(), 0);
        assert_eq!((&stranger).read(&mut [0]).unwrap_or(0), 0, "it was ended");
        assert!(all.add(connect().1).is_err(), "nobody makes room");
        assert!(
            pages.iter().all(|(page, _)| page.set_nonblocking(true).is_ok() && page.peek(&mut [0]).is_err())
        );
        pages.pop();
        assert!(all.add(connect().1).is_ok());
    }
}
