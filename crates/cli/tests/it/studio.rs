//! `navtile studio` and `navtile view` from outside.

use crate::common::Folder;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

const FLOOR: &str = "v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n";

/// A studio that is served until this is dropped.
struct Studio {
    child: Child,
    /// `127.0.0.1:PORT`.
    host: String,
    /// `/TOKEN/`.
    path: String,
}

impl Studio {
    fn start(folder: &Folder, arguments: &[&str]) -> Studio {
        let arguments = [&["studio"], arguments].concat();
        let mut child = folder.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let (host, rest) = address.split_once('/').unwrap();
        let token = rest.split('/').next().unwrap();
        assert_eq!(token.len(), 32, "128 bits");
        Studio { host: host.to_owned(), path: format!("/{token}/"), child }
    }

    /// The status of an answer, and its body.
    fn ask(&self, method: &str, path: &str, host: &str, body: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
        (status, answer.split_off(end))
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", &format!("{}{path}", self.path), &self.host, "")
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn only_those_with_the_token_get_the_page_and_nothing_else() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    folder.write("secret.txt", "secret");
    let studio = Studio::start(&folder, &["level.obj"]);
    assert_eq!(studio.get("").0, 200);
    assert_eq!(studio.get("studio.js").0, 200);
    assert_eq!(studio.get("api/file/0"), (200, FLOOR.into()));
    for path in ["secret.txt", "../secret.txt", "%2e%2e/secret.txt", "api/file/1", "api/secret.txt"] {
        assert_eq!(studio.get(path).0, 404, "{path}");
    }
    let wrong = format!("/{}/", "0".repeat(32));
    for path in ["/", "/api/session", "/index.html", &wrong] {
        assert_eq!(studio.ask("GET", path, &studio.host, "").0, 404, "{path}");
    }
    // A page elsewhere whose name leads to this address.
    assert_eq!(studio.ask("GET", &studio.path, "evil.example", "").0, 404);
}

#[test]
fn settings_are_read_written_and_baked_with() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    let studio = Studio::start(&folder, &["level.obj"]);
    let session: serde_json::Value = serde_json::from_slice(&studio.get("api/session").1).unwrap();
    assert_eq!(session["files"][0], "level.obj");
    assert_eq!((&session["settings"], &session["toml"]), (&"level.toml".into(), &"".into()));
    let toml = "[agent]\nradius = 0.4\n";
    let put = |body| studio.ask("PUT", &format!("{}api/settings", studio.path), &studio.host, body);
    assert_eq!(put(toml).0, 200);
    assert_eq!(folder.read("level.toml"), toml.as_bytes());
    let since = format!("api/changes?since={}", session["version"]);
    let changed: serde_json::Value = serde_json::from_slice(&studio.get(&since).1).unwrap();
    assert_eq!(changed["toml"], toml);
    let bake = |body| studio.ask("POST", &format!("{}api/bake", studio.path), &studio.host, body);
    folder.run(&["bake", "level.obj", "-c", "level.toml", "-o", "own.navtile", "--quiet"]).expect(0);
    assert_eq!(bake(toml), (200, folder.read("own.navtile")));
    let (status, message) = bake("[agent]\nradius = -1.0\n");
    assert_eq!(status, 422);
    assert!(String::from_utf8(message).unwrap().contains("agent.radius"));
}

#[test]
fn what_cannot_be_shown_is_refused_at_once() {
    let folder = Folder::new();
    folder.write("map.geojson", "{}");
    folder.write("level.obj", FLOOR);
    let missing = folder.run(&["studio", "missing.obj"]).expect(3).stderr;
    assert!(missing.contains("missing.obj"), "{missing}");
    let map = folder.run(&["studio", "map.geojson"]).expect(2).stderr;
    assert!(map.contains("map of polygons"), "{map}");
    folder.run(&["bake", "level.obj", "--quiet"]).expect(0);
    let settings = folder.run(&["studio", "level.navtile", "-c", "level.toml"]).expect(2).stderr;
    assert!(settings.contains("finished mesh"), "{settings}");
}

#[test]
fn a_page_to_send_holds_its_mesh_and_its_level() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    folder.run(&["bake", "level.obj", "--quiet"]).expect(0);
    folder.run(&["view", "level.navtile", "-o", "page.html", "--level", "level.obj"]).expect(0);
    let page = String::from_utf8(folder.read("page.html")).unwrap();
    assert!(page.contains("<title>level.navtile</title>"));
    // Four vertices and two triangles, as Base64 has them.
    let held = |id: &str| {
        let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap();
        rest.split_once('<').unwrap().0.len()
    };
    assert_eq!((held("level-vertices"), held("level-triangles")), (64, 32));
    assert_eq!(held("file"), folder.read("level.navtile").len().div_ceil(3) * 4);
    assert!(!page.contains("{{"), "nothing is left to put in");
    assert!(page.len() < 2_000_000);
    folder.write("broken.navtile", "no mesh");
    folder.run(&["view", "broken.navtile", "-o", "other.html"]).expect(3);
}
