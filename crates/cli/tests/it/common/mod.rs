//! Shared by the tests of the program: a folder of their own, small levels, and runs of the program in it.

pub(crate) mod html;

use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A temporary folder that the program runs in.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

/// The output of a run of the program.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The one JSON object on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    /// The run, if it ended with this status.
    pub(crate) fn expect(self, status: i32) -> Run {
        assert_eq!(self.status, status, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error contains all of these parts, and no panic.
    pub(crate) fn says(&self, parts: &[&str]) {
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in: {}", self.stderr);
        }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            status: output.status.code().expect("the program ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("the output is text"),
            stderr: String::from_utf8(output.stderr).expect("the messages are text"),
        }
    }
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        std::fs::write(self.path(name), content).expect("the folder can be written to");
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of everything in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navtile"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().expect("the program starts").into()
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the program reads");
        child.wait_with_output().expect("the program ends").into()
    }

    /// A folder with `level.obj`, the floor with a box, baked into `level.navtile`.
    pub(crate) fn baked() -> Folder {
        let folder = Folder::new();
        folder.write("level.obj", level());
        folder.run(&["bake", "level.obj"]).expect(0);
        folder
    }
}

/// A floor of 10 x 10 m around the world's origin, with a box of 2 x 2 x 3 m in the middle.
pub(crate) fn level() -> String {
    let mut text = String::from("# a floor and a box\no level\n");
    add_box(&mut text, [-5.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    add_box(&mut text, [-1.0, 0.0, -1.0], [1.0, 3.0, 1.0]);
    text
}

/// Two floors of 6 x 6 m with a gap of 4 m between them: x from -8 to -2 and from 2 to 8.
pub(crate) fn two_floors() -> String {
    let mut text = String::new();
    add_box(&mut text, [-8.0, -0.5, -3.0], [-2.0, 0.0, 3.0]);
    add_box(&mut text, [2.0, -0.5, -3.0], [8.0, 0.0, 3.0]);
    text
}

/// A closed box, faces outwards.
pub(crate) fn add_box(text: &mut String, min: [f64; 3], max: [f64; 3]) {
    for corner in 0..8 {
        let pick = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
        writeln!(text, "v {} {} {}", pick(0), pick(1), pick(2)).expect("writing to a String cannot fail");
    }
    // Corners by number: bit 0 is x, bit 1 is y, bit 2 is z; -8 is the first of this box.
    for face in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]] {
        let [a, b, c, d] = face.map(|corner: i32| corner - 8);
        writeln!(text, "f {a} {b} {c} {d}").expect("writing to a String cannot fail");
    }
}
