//! `navtile bake --report` from outside: a valid page next to the result, and every wrong name for it.

use crate::common::html::{assert_sound, texts};
use crate::common::{Folder, level, two_floors};
use std::path::Path;

fn page(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).expect("a page is text")
}

#[test]
fn the_courtyard_has_a_page() {
    let folder = Folder::new();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let asset = |name: &str| assets.join(name).display().to_string();
    let (obj, toml) = (asset("courtyard.obj"), asset("courtyard.toml"));
    let call = ["bake", &obj, "-c", &toml, "-o", "yard.navtile", "--report", "yard.html", "--json"];
    let report = folder.run(&call).expect(0).json();
    assert_eq!(folder.names(), ["yard.html", "yard.navtile"]);
    let page = page(&folder, "yard.html");
    assert_sound(&page);
    assert_eq!(texts(&page, "<h1"), ["courtyard.obj"]);
    let values = texts(&page, "<dd class=\"value\"");
    let area = report["walkable_area"].as_f64().expect("a number").round();
    assert_eq!(values[0], format!("{area} m\u{b2}"));
    assert_eq!(values[1], report["polygons"].to_string());
    assert_eq!(values[2], "2", "the courtyard and the top of its tower");
    for part in ["lawn", "mud", "water", "ground", "<p>None.</p>", "baked as one tile"] {
        assert!(page.contains(part), "no `{part}`");
    }
    // The default climb of 0.9 m is 4 cells of 0.2 m, which needs no warning.
    assert_eq!(texts(&page, "<strong"), [""; 0]);
    let stages = report["stage_ms"].as_object().expect("an object").len();
    assert_eq!(texts(&page, "<div class=\"bar\"").len(), stages);
}

#[test]
fn the_page_changes_nothing_else() {
    let folder = Folder::baked();
    let before = folder.read("level.navtile");
    let plain = folder.run(&["bake", "level.obj"]).expect(0);
    let with = folder.run(&["bake", "level.obj", "--report", "out.HTM"]).expect(0);
    assert_eq!(folder.read("level.navtile"), before);
    assert_eq!(plain.stdout.lines().count(), with.stdout.lines().count());
    assert_eq!(folder.names(), ["level.navtile", "level.obj", "out.HTM"]);
}

#[test]
fn warnings_are_on_the_page() {
    let folder = Folder::new();
    let text = level() + "v 0 0 0\nv 1 0 0\nv 2 0 0\nf -3 -2 -1\nwarp 1 2\n";
    folder.write("level.obj", text);
    let run = folder.run(&["bake", "level.obj", "--report", "out.html"]).expect(0);
    run.says(&["warp", "triangle"]);
    let page = page(&folder, "out.html");
    assert_sound(&page);
    assert_eq!(texts(&page, "<dd class=\"value\"")[4], run.stderr.matches("warning: ").count().to_string());
    assert_eq!(
        page.matches("&quot;warnings&quot;&gt;[{&quot;number&quot;:1,").count(),
        1,
        "warnings of the view"
    );
    for part in ["`warp`", "1 degenerate triangle", "id=\"warning-2\""] {
        assert!(page.contains(part), "no `{part}` in {page}");
    }
}

// Other systems do not have such names.
#[cfg(unix)]
#[test]
fn names_mean_nothing_to_a_browser() {
    let folder = Folder::new();
    let name = "<b>&\"'.obj";
    folder.write(name, two_floors());
    folder.run(&["bake", name, "-o", "out.navtile", "--report", "out.html"]).expect(0);
    let page = page(&folder, "out.html");
    assert_sound(&page);
    assert_eq!(texts(&page, "<h1"), ["&lt;b&gt;&amp;&quot;'.obj"]);
}

#[test]
fn an_empty_mesh_has_a_page() {
    let folder = Folder::new();
    folder.write("wall.obj", "v 0 0 0\nv 0 4 0\nv 4 0 0\nf 1 2 3\n");
    folder.run(&["bake", "wall.obj", "--report", "out.html"]).expect(0);
    let page = page(&folder, "out.html");
    assert_sound(&page);
    for part in ["Nothing to draw", "No islands: nothing is walkable", "empty mesh"] {
        assert!(page.contains(part), "no `{part}`");
    }
}

#[test]
fn wrong_names_cost_no_bake() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    std::fs::hard_link(folder.path("level.obj"), folder.path("level.html")).unwrap();
    let refused = |call: &[&str], status: i32, parts: &[&str]| {
        folder.run(call).expect(status).says(parts);
        assert_eq!(folder.names(), ["level.html", "level.obj"], "{call:?}");
    };
    refused(
        &["bake", "level.obj", "--report", "out.txt"],
        2,
        &["out.txt: is not an .html file", "ends in .html"],
    );
    refused(&["bake", "level.obj", "--report", "level.obj/out.html"], 3, &["level.obj/out.html", "--report"]);
    refused(&["bake", "level.obj", "--report", "level.html", "-o", "x"], 2, &["own input", "--report"]);
    refused(&["bake", "level.obj", "-o", "x.html", "--report", "./x.html"], 2, &["two results"]);
    assert_eq!(folder.read("level.html"), level().as_bytes());
}

#[test]
fn the_reader_of_pages_is_strict() {
    let page = |body: &str| format!("<!DOCTYPE html>\n<html>{body}</html>\n");
    let sound = "<p id=\"a\" title=\"x &lt; 3 > 2\">a &amp; b<br/></p><a href=\"#a\">c</a>";
    assert_sound(&page(sound));
    for bad in [
        "<p>",
        "</p>",
        "<p><b></p></b>",
        "a & b",
        "<p title=x></p>",
        "<p title=\"a\"b\"></p>",
        "<p title=\"a\" title=\"b\"></p>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<a href=\"#b\">c</a>",
        "<a href=\"https://example.org\">c</a>",
        "<image href=\"a.png\"/>",
        "<script></script>",
        "<p onclick=\"x\"></p>",
        "<p style=\"background:url(a.png)\"></p>",
        "\u{7}",
    ] {
        assert!(std::panic::catch_unwind(|| assert_sound(&page(bad))).is_err(), "{bad} was taken");
    }
}
