//! The program as its users call it: its output and its exit status.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

fn oracle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oracle")).args(arguments).output().unwrap()
}

/// A floor of about 9 m by 9 m that slopes a little, written where tests may write.
fn floor() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("floor.obj");
    std::fs::write(&path, "v 0 0 0\nv 0 0 9.13\nv 9.13 1.07 9.13\nv 9.13 1.07 0\nf 1 2 3 4\n").unwrap();
    path
}

#[test]
fn an_equal_level_exits_with_0() {
    let output = oracle(&["--partition", "watershed", floor().to_str().unwrap()]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("floor.obj, cell size 0.3, one tile"), "{table}");
    assert!(table.contains("floor.obj, cell size 0.1, tiles of 48 cells"), "{table}");
    assert!(table.contains("watershed  detail_mesh"), "{table}");
    assert!(!table.contains("unexpected:"), "{table}");
}

#[test]
fn a_wrong_call_exits_with_2_and_a_missing_file_with_3() {
    let output = oracle(&["--bogus"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unexpected argument '--bogus'"));
    let output = oracle(&["no-such-level.obj"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-level.obj"));
}

#[test]
fn what_is_meant_to_differ_is_listed() {
    let output = oracle(&["--deviations"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("cut-afresh, rasterize: rows and columns are cut")
    );
}
