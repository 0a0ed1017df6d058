//! `navtile studio` under requests that are too large, too slow or too many: they are refused, and others are
//! answered.

use crate::common::Folder;
use crate::studio::{Studio, answer};
use std::io::Write;
use std::net::{Shutdown, TcpStream};

const FLOOR: &str = "v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n";

fn studio() -> (Folder, Studio) {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    let studio = Studio::start(&folder, &["level.obj"]);
    (folder, studio)
}

/// Asserts that the studio runs and answers others, and has used little memory.
fn assert_well(studio: &mut Studio) {
    assert_eq!(studio.get("api/session").0, 200);
    assert!(studio.is_running());
    if cfg!(target_os = "linux") {
        let status = std::fs::read_to_string(format!("/proc/{}/status", studio.process())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let most: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(most < 64_000, "{most} kB");
    }
}

/// Sends `count` times the same bytes; returns true if the server accepted all of them.
fn send(mut stream: &TcpStream, bytes: &[u8], count: usize) -> bool {
    (0..count).all(|_| stream.write_all(bytes).is_ok())
}

#[test]
fn a_body_that_is_said_to_be_huge_is_refused_by_its_head() {
    let (_folder, mut studio) = studio();
    let own = studio.path.clone();
    let calls = ["api/settings", "api/bake"].map(|call| format!("{own}{call}"));
    for length in ["4194305", "10000000000000", "9223372036854775807", "18446744073709551615"] {
        for (method, path, status) in
            [("POST", "/", 404), ("GET", "/", 404), ("PUT", &calls[0], 413), ("POST", &calls[1], 413)]
        {
            let mut stream = studio.connect();
            write!(
                stream,
                "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n",
                studio.host
            )
            .unwrap();
            assert_eq!(answer(stream).unwrap().0, status, "{method} {length}");
        }
    }
    for length in ["18446744073709551616", "-1", "1e3"] {
        let mut stream = studio.connect();
        write!(
            stream,
            "PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n",
            calls[0], studio.host
        )
        .unwrap();
        assert_eq!(answer(stream).unwrap().0, 400, "{length}");
    }
    assert_well(&mut studio);
}

#[test]
fn a_body_that_does_not_come_stops_nobody_else() {
    let (_folder, mut studio) = studio();
    let call = format!("{}api/settings", studio.path);
    let stalled: Vec<TcpStream> = ["/", &call]
        .iter()
        .map(|path| {
            let mut stream = studio.connect();
            write!(stream, "PUT {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: 5000\r\n\r\nabc", studio.host)
                .unwrap();
            stream
        })
        .collect();
    assert_well(&mut studio);
    drop(stalled);
    // Half of the settings is refused.
    let mut stream = studio.connect();
    write!(stream, "PUT {call} HTTP/1.1\r\nHost: {}\r\nContent-Length: 5000\r\n\r\n# half", studio.host)
        .unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(answer(stream).unwrap().0, 408);
    assert_eq!(studio.session()["toml"], "");
}

#[test]
fn a_head_without_an_end_is_refused() {
    let (_folder, mut studio) = studio();
    let million = vec![b'a'; 1 << 20];
    for start in ["GET /", "GET / HTTP/1.1\r\nHost: a\r\nX: "] {
        let mut stream = studio.connect();
        stream.write_all(start.as_bytes()).unwrap();
        assert!(!send(&stream, &million, 400), "400 MB were taken");
    }
    let stream = studio.connect();
    assert!(!send(&stream, &b"A: b\r\n".repeat(100_000), 400), "40 million fields were taken");
    // The answer arrives if the client stops in time.
    let mut stream = studio.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nX: ").unwrap();
    stream.write_all(&million[..40_000]).unwrap();
    assert_eq!(answer(stream).unwrap().0, 431);
    assert_well(&mut studio);
}

#[test]
fn requests_that_follow_without_waiting_are_not_queued() {
    let (_folder, mut studio) = studio();
    let own = format!("GET {}api/session HTTP/1.1\r\nHost: {}\r\n\r\n", studio.path, studio.host);
    for request in ["GET /x HTTP/1.1\r\nHost: a\r\n\r\n", &own] {
        let stream = studio.connect();
        assert!(!send(&stream, request.repeat(1000).as_bytes(), 2000), "2,000,000 requests were taken");
    }
    assert_well(&mut studio);
}

#[test]
fn connections_that_send_nothing_do_not_keep_others_out() {
    let (_folder, mut studio) = studio();
    let idle: Vec<TcpStream> = (0..600)
        .map(|number| {
            let stream = studio.connect();
            if number % 2 == 0 {
                (&stream).write_all(b"GET / HTTP/1.1\r\n").unwrap();
            }
            stream
        })
        .collect();
    assert_well(&mut studio);
    drop(idle);
    assert_well(&mut studio);
}

#[test]
fn one_bake_runs_at_a_time_and_the_next_one_ends_it() {
    let (folder, mut studio) = studio();
    folder.run(&["bake", "level.obj", "-o", "own.navtile", "--quiet"]).expect(0);
    let bake = |toml: &str| {
        let mut stream = studio.connect();
        let (path, host, length) = (&studio.path, &studio.host, toml.len());
        write!(
            stream,
            "POST {path}api/bake HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{toml}"
        )
        .unwrap();
        stream
    };
    // Minutes of work. Nobody waits for any of these bakes except the last.
    const LONG: &str = "cell_size = 0.002\ntile_size = 1.0\n";
    let left: Vec<TcpStream> = (0..8).map(|_| bake(LONG)).collect();
    drop(left);
    let long = bake(LONG);
    // Requests that are sent together are read in any order: until the long bake is answered, it may come
    // after a quick one.
    let is_answered = || {
        long.set_nonblocking(true).unwrap();
        let is_there = long.peek(&mut [0]).is_ok();
        long.set_nonblocking(false).unwrap();
        is_there
    };
    let quick = (0..1000).find_map(|_| {
        let quick = answer(bake("")).unwrap();
        // One of the abandoned requests may have replaced this one, too.
        (is_answered() && quick.0 == 200).then_some(quick)
    });
    assert_eq!(answer(long).unwrap().0, 409, "the next one took its place");
    assert_eq!(quick, Some((200, folder.read("own.navtile"))));
    assert!(studio.is_running());
    assert_eq!(studio.get("api/session").0, 200);
}
