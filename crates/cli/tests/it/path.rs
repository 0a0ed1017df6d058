//! `navtile path` from outside: the kind of search.

use crate::common::{Folder, level};

const FROM: &str = "-4,0,0";
const TO: &str = "4,0,-0.25";

/// The length of the path with these further arguments.
fn length(folder: &Folder, more: &[&str]) -> f64 {
    let call = [&["path", "level.navtile", "--from", FROM, "--to", TO, "--json"], more].concat();
    let answer = folder.run(&call).expect(0).json();
    assert_eq!(answer["status"], "complete");
    answer["length"].as_f64().expect("a number")
}

#[test]
fn the_shortest_way_is_never_longer() {
    let folder = Folder::baked();
    let [optimal, usual, near] = [&["--optimal"][..], &[], &["--near"]].map(|more| length(&folder, more));
    assert!(optimal <= usual + 1e-4 && optimal <= near + 1e-4, "{optimal} {usual} {near}");
    // Round the box of 2 x 2 m, 0.6 m from it.
    assert!((8.5..9.5).contains(&optimal), "{optimal}");
}

#[test]
fn the_shortest_way_takes_off_mesh_links() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.write("s.toml", "[[off_mesh]]\nstart = [-2, 0, 0]\nend = [2, 0, 0]\nradius = 0.5\n");
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    // Over the box.
    let optimal = length(&folder, &["--optimal"]);
    assert!((8.0..8.05).contains(&optimal), "{optimal}");
}

#[test]
fn many_ways_are_answered_by_the_search_that_is_asked_for() {
    let folder = Folder::baked();
    folder.write("pairs.csv", "-4,0,0,4,0,-0.25\n4,0,4,-4,0,-4\n");
    for search in ["--optimal", "--near"] {
        let run = folder.run(&["path", "level.navtile", "--batch", "pairs.csv", search]).expect(0);
        assert_eq!(run.stdout.lines().count(), 2);
        let first: serde_json::Value = run.stdout.lines().next().expect("a line").parse().expect("JSON");
        assert_eq!(first["length"].as_f64(), Some(length(&folder, &[search])));
    }
}

#[test]
fn searches_exclude_each_other() {
    let call = ["path", "f", "--from", FROM, "--to", TO, "--optimal", "--near"];
    Folder::new().run(&call).expect(2).says(&["--optimal", "--near", "cannot be used with"]);
}

#[test]
fn areas_that_cost_differently_have_no_shortest_way() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let area = "[[area]]\nid = 2\nname = \"slow\"\ncost = 3.0\n";
    folder.write("s.toml", area);
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    assert!(length(&folder, &["--optimal"]) > 8.0, "no ground has the area");
    let volume = "[[volume]]\nshape = \"box\"\nmin = [-4, -1, -4]\nmax = [-2, 1, -2]\narea = \"slow\"\n";
    folder.write("s.toml", format!("{area}{volume}"));
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    let call = ["path", "level.navtile", "--from", FROM, "--to", TO, "--optimal"];
    folder.run(&call).expect(2).says(&[
        "level.navtile: --optimal",
        "differ in cost per metre",
        "slow 3",
        "help: leave",
    ]);
    assert!(length(&folder, &[]) > 8.0 && length(&folder, &["--near"]) > 8.0);
}
