//! `--memory` bounds the bake of every level: overlapping ground, storeys, maps, and the text of a level. A
//! larger bake is refused with the figure, or ended; a bake that starts does not hold more.

use crate::common::Folder;
use std::fmt::Write;

/// Rectangles from the origin, at these heights.
fn plates(heights: impl Iterator<Item = f64>, [width, depth]: [f64; 2]) -> String {
    let (mut vertices, mut faces) = (String::new(), String::new());
    for (index, y) in heights.enumerate() {
        write!(vertices, "v 0 {y} 0\nv 0 {y} {depth}\nv {width} {y} {depth}\nv {width} {y} 0\n").unwrap();
        let first = 4 * index + 1;
        writeln!(faces, "f {first} {} {} {}", first + 1, first + 2, first + 3).unwrap();
    }
    vertices + &faces
}

/// Bakes a level within bounds from `low` to `high` MiB: refused or within them; and with all of them it is
/// baked.
fn is_bounded(level: &str, low: u64, high: u64) {
    let folder = Folder::new();
    folder.write("level.obj", level);
    let mut refused = 0;
    for step in 0..=4 {
        let bound = low + (high - low) * step / 4;
        let memory = format!("{bound}MiB");
        let call = ["bake", "level.obj", "--tile-size", "12", "--memory", &memory, "--json"];
        let run = folder.run(&call);
        if run.status == 0 {
            let peak = run.json()["peak_memory"].as_u64().unwrap_or(0);
            assert!(peak <= bound << 20, "{peak} bytes of {bound} MiB");
            continue;
        }
        assert!(step < 4, "{}", run.stderr);
        run.expect(2).says(&["memory_bound is", "are needed", "help: "]);
        refused += 1;
    }
    assert!(refused > 0, "the test needs levels that do not fit");
}

#[test]
fn what_lies_over_itself_is_counted() {
    let heights = (0..5_000).map(|at| 1e-4 * f64::from(at));
    is_bounded(&plates(heights, [30.0, 1.5]), 32, 160);
}

#[test]
fn storeys_are_counted() {
    let heights = (0..400).map(|at| 3.0 * f64::from(at));
    is_bounded(&plates(heights, [12.0, 12.0]), 24, 160);
}

#[cfg(target_os = "linux")]
#[test]
fn maps_are_bounded() {
    let folder = Folder::new();
    let mut dice = 7u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        dice >> 54
    };
    // Nearly every edge crosses nearly every other.
    let ring: Vec<String> = (0..700).map(|_| format!("[{},{}]", roll(), roll())).collect();
    let ring = format!("[{},{}]", ring.join(","), ring[0]);
    folder.write(
        "map.geojson",
        format!(
            r#"{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{ring}]}}}}"#
        ),
    );
    folder.run(&["bake", "map.geojson", "--memory", "24MiB"]).expect(2).says(&[
        "map.geojson: the bake takes more than memory_bound, which is 24.0 MiB",
        "nothing was changed",
    ]);
    folder
        .run(&["bake", "map.geojson", "--memory", "1"])
        .expect(2)
        .says(&["memory_bound is 1 bytes", "cannot hold"]);
    assert_eq!(folder.names(), ["map.geojson"]);
}

#[test]
fn the_text_of_a_level_is_counted() {
    let folder = Folder::new();
    folder.write("level.obj", plates([0.0].into_iter(), [12.0, 12.0]) + &"# a remark\n".repeat(2 << 20));
    folder.run(&["bake", "level.obj", "--memory", "20MiB", "--tile-size", "off"]).expect(2).says(&[
        "level.obj: memory_bound is 20.0 MiB, which cannot hold the files: they alone take 22.0 MiB",
    ]);
    // In tiles it is read piece by piece.
    folder.run(&["bake", "level.obj", "--memory", "20MiB"]).expect(0);
}

#[test]
fn cached_spans_are_counted_before_they_are_unpacked() {
    let folder = Folder::new();
    folder.write("level.obj", plates((0..8).map(|at| 3.0 * f64::from(at)), [200.0, 200.0]));
    folder.write(
        "crate.toml",
        "[[obstacle]]\nkind = \"box\"\nat = [9, 0, 9]\nsize = [1, 1, 1]\nsolid = true\n",
    );
    folder.run(&["bake", "level.obj", "--tile-size", "off", "--dynamic", "-o", "d.navtile", "-q"]).expect(0);
    let before = folder.read("d.navtile");
    assert!(before.len() < 1 << 18, "{} bytes", before.len());
    let refused = |call: &[&str], bound: &str| {
        folder.run(&[call, &["--memory", bound]].concat()).expect(2).says(&[
            "d.navtile: tile (0, 0) takes more memory than is allowed for it, which is",
            "nothing was changed; allow more memory with --memory",
        ]);
    };
    refused(&["verify", "d.navtile"], "32MiB");
    refused(&["update", "d.navtile", "--obstacles", "crate.toml"], "32MiB");
    // They can be unpacked, but not baked.
    folder.run(&["verify", "d.navtile", "--memory", "96MiB"]).expect(0);
    refused(&["update", "d.navtile", "--obstacles", "crate.toml"], "96MiB");
    assert!(folder.read("d.navtile") == before);
    folder.run(&["update", "d.navtile", "--obstacles", "crate.toml", "--memory", "512MiB"]).expect(0);
}
