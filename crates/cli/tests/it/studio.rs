//! `navtile studio` and `navtile view` from outside.

use crate::common::Folder;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

const FLOOR: &str = "v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n";

/// A studio that is served until this is dropped.
pub(crate) struct Studio {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    /// `/TOKEN/`.
    pub(crate) path: String,
}

impl Studio {
    pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Studio {
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

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        // Far more than an answer takes: a server that does not answer fails the test instead of blocking it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The status of an answer, and its body.
    pub(crate) fn ask(&self, method: &str, path: &str, host: &str, body: &str) -> (u16, Vec<u8>) {
        let mut stream = self.connect();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        answer(stream).expect("an answer")
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", &format!("{}{path}", self.path), &self.host, "")
    }

    pub(crate) fn put(&self, query: &str, toml: &str) -> (u16, Vec<u8>) {
        self.ask("PUT", &format!("{}api/settings{query}", self.path), &self.host, toml)
    }

    pub(crate) fn session(&self) -> serde_json::Value {
        serde_json::from_slice(&self.get("api/session").1).unwrap()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

/// The status of an answer, and its body; `None` if the connection ends without an answer.
pub(crate) fn answer(mut stream: TcpStream) -> Option<(u16, Vec<u8>)> {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    assert!(!read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "no answer, and no end");
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let status = String::from_utf8_lossy(&bytes[9..12]).parse().unwrap();
    Some((status, bytes.split_off(end)))
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
    // A page of another site whose name resolves to this address.
    assert_eq!(studio.ask("GET", &studio.path, "evil.example", "").0, 404);
}

#[test]
fn settings_are_read_written_and_baked_with() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    let studio = Studio::start(&folder, &["level.obj"]);
    let session = studio.session();
    assert_eq!(session["files"][0], "level.obj");
    assert_eq!((&session["settings"], &session["toml"]), (&"level.toml".into(), &"".into()));
    let toml = "[agent]\nradius = 0.4\n";
    assert_eq!(studio.put("", toml).0, 200);
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
fn a_hierarchy_is_baked_as_the_program_bakes_it_and_a_served_mesh_keeps_it() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR).write("level.toml", "tile_size = 3.0\n");
    let toml = "tile_size = 3.0\n[hierarchy]\n";
    let studio = Studio::start(&folder, &["level.obj"]);
    let bake = |body| studio.ask("POST", &format!("{}api/bake", studio.path), &studio.host, body);
    folder
        .run(&["bake", "level.obj", "-c", "level.toml", "--hierarchy", "-o", "own.navtile", "--quiet"])
        .expect(0);
    assert_eq!(bake(toml), (200, folder.read("own.navtile")));
    let (status, message) = bake("[hierarchy]\n");
    assert_eq!(status, 422);
    let message = String::from_utf8(message).unwrap();
    assert!(message.contains("give the side of a tile in metres as tile_size"), "{message}");
    let served = Studio::start(&folder, &["own.navtile"]);
    assert_eq!(served.get("api/file/0"), (200, folder.read("own.navtile")));
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
fn settings_of_others_are_not_lost() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR).write("level.toml", "# mine\n");
    let studio = Studio::start(&folder, &["level.obj"]);
    let over = |session: &serde_json::Value| format!("?over={}", session["digest"].as_str().unwrap());
    let first = studio.session();
    assert_eq!(studio.put(&over(&first), "# one\n").0, 200);
    assert_eq!(folder.read("level.toml.bak"), b"# mine\n", "what the studio did not write is kept");
    assert_eq!(studio.put(&over(&first), "# two\n").0, 409, "the page has not seen these settings");
    assert_eq!(studio.put(&over(&studio.session()), "# two\n").0, 200);
    assert_eq!(folder.read("level.toml.bak"), b"# mine\n", "its own settings take the place of nothing");
    folder.write("level.toml", "# theirs\n");
    assert_eq!(studio.put(&over(&first), "# three\n").0, 409);
    assert_eq!(folder.read("level.toml"), b"# theirs\n");
    assert_eq!(studio.put("", "# three\n").0, 200, "the user has been asked");
    assert_eq!(folder.read("level.toml"), b"# three\n");
    assert_eq!(folder.read("level.toml.bak"), b"# theirs\n");
}

#[test]
fn only_files_that_changed_have_a_new_version() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR).write("set.gset", "f level.obj\n");
    let studio = Studio::start(&folder, &["set.gset"]);
    let first = studio.session();
    assert_eq!((&first["files"][1], &first["versions"]), (&"level.obj".into(), &serde_json::json!([1, 1])));
    folder.write("set.toml", "# new\n");
    let settings = studio.session();
    assert_eq!((&settings["versions"], &settings["version"]), (&first["versions"], &2.into()));
    folder.write("level.obj", format!("{FLOOR}# again\n"));
    assert_eq!(studio.session()["versions"], serde_json::json!([1, 3]));
    // The level refers to another file from now on.
    folder.write("other.obj", FLOOR).write("set.gset", "f other.obj\n# \n");
    let renamed = studio.session();
    assert_eq!(renamed["files"], serde_json::json!(["set.gset", "other.obj"]));
    assert_eq!(renamed["versions"], serde_json::json!([4, 4]));
    assert_eq!(studio.get("api/file/1"), (200, FLOOR.into()));
    // While it is damaged, it keeps its files.
    folder.write("set.gset", "f gone.obj\n");
    assert_eq!(studio.session()["files"], renamed["files"]);
}

#[test]
fn settings_are_not_written_over_what_the_level_reads() {
    let folder = Folder::new();
    folder.write("level.obj", format!("mtllib level.mtl\n{FLOOR}")).write("level.mtl", "newmtl a\n");
    folder.write("set.gset", "f level.obj\n").write("level.bin", [0; 4]);
    std::fs::hard_link(folder.path("level.obj"), folder.path("twin.toml")).unwrap();
    for (level, config) in [
        ("level.obj", "level.obj"),
        ("level.obj", "./level.obj"),
        ("level.obj", "twin.toml"),
        ("level.obj", "level.mtl"),
        ("set.gset", "set.gset"),
        ("set.gset", "level.obj"),
        ("set.gset", "level.mtl"),
    ] {
        folder.run(&["studio", level, "-c", config]).expect(2).says(&["overwrite its own input", config]);
    }
    // The settings file becomes a hard link to the level while the studio runs.
    let studio = Studio::start(&folder, &["level.obj", "-c", "other.toml"]);
    std::fs::hard_link(folder.path("level.obj"), folder.path("other.toml")).unwrap();
    let level = folder.read("level.obj");
    let (status, message) = studio.put("", "# settings\n");
    assert_eq!(status, 500);
    assert!(String::from_utf8(message).unwrap().contains("overwrite its own input"));
    assert_eq!(folder.read("level.obj"), level);
}

#[test]
fn no_file_outside_the_folder_is_served() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inner")).unwrap();
    folder.write("level.obj", FLOOR);
    for name in ["../level.obj", folder.path("level.obj").to_str().unwrap()] {
        folder.write("inner/set.gset", format!("f {name}\n"));
        folder.run(&["studio", "inner/set.gset"]).expect(3).says(&["is outside the folder"]);
    }
}

#[test]
fn a_page_to_send_holds_its_mesh_and_its_level() {
    let folder = Folder::new();
    folder.write("level.obj", FLOOR);
    folder.run(&["bake", "level.obj", "--quiet"]).expect(0);
    folder.run(&["view", "level.navtile", "-o", "page.html", "--level", "level.obj"]).expect(0);
    let page = String::from_utf8(folder.read("page.html")).unwrap();
    assert!(page.contains("<title>level.navtile</title>"));
    // Four vertices and two triangles in Base64.
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
