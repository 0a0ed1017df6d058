//! Areas by the names of the level, volumes, off-mesh connections and geometry sets, from outside.

use crate::common::{Folder, add_box, level, two_floors};
use serde_json::Value;

/// The floor with a box, the floor of material `mud`, the box of material `wet stone` in group `props`.
fn named_level() -> String {
    let mut text = String::from("usemtl mud\n");
    add_box(&mut text, [-5.0, -0.5, -5.0], [5.0, 0.0, 5.0]);
    text.push_str("usemtl wet stone\ng props\n");
    add_box(&mut text, [-1.0, 0.0, -1.0], [1.0, 3.0, 1.0]);
    text
}

fn info(folder: &Folder, name: &str) -> Value {
    folder.run(&["info", name, "--json"]).expect(0).json()
}

/// The area of all polygons that have this id, m².
fn area_of(info: &Value, id: u8) -> f64 {
    let areas = info["areas"].as_array().expect("a list of areas");
    areas.iter().filter(|area| area["id"] == id).map(|area| area["area_m2"].as_f64().expect("a number")).sum()
}

#[test]
fn materials_become_areas() {
    let folder = Folder::new();
    folder.write("level.obj", named_level());
    folder
        .write("s.toml", "[[area]]\nid = 2\nname = \"slow\"\nflags = 5\ncost = 3.0\nmaterials = [\"mu*\"]\n");
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    let report = info(&folder, "level.navtile");
    assert!(area_of(&report, 2) > 50.0 && area_of(&report, 63) == 0.0, "{report}");
    assert_eq!((&report["areas"][0]["name"], &report["areas"][0]["flags"]), (&"slow".into(), &5.into()));
    // Without the mapping the level gives another file: the areas are part of it.
    folder.run(&["bake", "level.obj", "-o", "plain.navtile"]).expect(0);
    assert_ne!(info(&folder, "plain.navtile")["geometry_digest"], report["geometry_digest"]);
}

#[test]
fn an_area_has_its_colour_in_every_picture() {
    let folder = Folder::new();
    folder.write("level.obj", named_level());
    let settings =
        |colour: &str| format!("[[area]]\nid = 2\nname = \"mud\"\nmaterials = [\"mu*\"]\n{colour}");
    folder.write("s.toml", settings("colour = \"#3f7fC8\"\n"));
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    let report = info(&folder, "level.navtile");
    assert_eq!(
        (&report["areas"][0]["name"], &report["areas"][0]["colour"]),
        (&"mud".into(), &"#3f7fc8".into())
    );
    let text = folder.run(&["info", "level.navtile"]).expect(0).stdout;
    assert!(text.contains("2 mud: flags 0x1, cost 1, colour #3f7fc8"), "{text}");
    folder.run(&["render", "level.navtile", "-o", "picture.svg"]).expect(0);
    assert!(String::from_utf8(folder.read("picture.svg")).is_ok_and(|text| text.contains("#3f7fc8")));
    folder.write("bad.toml", settings("colour = \"blue\"\n"));
    folder
        .run(&["bake", "level.obj", "-c", "bad.toml"])
        .expect(2)
        .says(&["bad.toml", "a colour such as \"#3f7fc9\""]);
}

/// A lawn of 12 x 12 m, a pool 5 cm above it and a road 2 cm above it, each 3 m wide.
fn overlays() -> String {
    let mut text = String::new();
    for (name, height, [left, right]) in
        [("grass", 0.0, [0, 12]), ("pool", 0.05, [2, 5]), ("road", 0.02, [7, 10])]
    {
        text += &format!("usemtl {name}\nv {left} {height} 0\nv {left} {height} 12\n");
        text += &format!("v {right} {height} 12\nv {right} {height} 0\nf -4 -3 -2 -1\n");
    }
    text
}

#[test]
fn named_areas_win_over_ground_and_by_priority_among_each_other() {
    let folder = Folder::new();
    folder.write("level.obj", overlays());
    let area = |id: u8, name: &str, material: &str, more: &str| {
        format!("[[area]]\nid = {id}\nname = \"{name}\"\nmaterials = [\"{material}\"]\n{more}")
    };
    let bake = |settings: String| {
        folder.write("s.toml", settings);
        let run = folder.run(&["bake", "level.obj", "-c", "s.toml", "--tile-size", "off"]).expect(0);
        (info(&folder, "level.navtile"), run.stderr)
    };
    let overlaid = area(2, "water", "pool", "") + &area(3, "road", "road", "");
    let (report, stderr) = bake(overlaid.clone());
    assert!(area_of(&report, 2) > 25.0 && area_of(&report, 3) > 25.0, "{report}");
    assert_eq!(stderr, "");
    // The meadow is named too, and by its id it comes last.
    let (_, stderr) = bake(overlaid.clone() + &area(9, "meadow", "grass", ""));
    for name in ["water (id 2)", "road (id 3)"] {
        let what =
            format!("warning: area {name}: 2 triangles have it, no polygon does: meadow (id 9) covers them");
        assert!(stderr.contains(&what), "{stderr}");
    }
    assert!(stderr.contains("give water a higher priority than meadow"), "{stderr}");
    let (report, stderr) = bake(overlaid + &area(9, "meadow", "grass", "priority = -1\n"));
    assert!(area_of(&report, 2) > 25.0 && area_of(&report, 3) > 25.0, "{report}");
    assert_eq!(stderr, "");
    // As an option, with unchanged ids.
    folder.write("s.toml", area(9, "meadow", "grass", "") + &area(2, "water", "pool", ""));
    let option = ["bake", "level.obj", "-c", "s.toml", "--area", "id=2,name=water,priority=1"];
    folder.run(&option).expect(0);
    assert!(area_of(&info(&folder, "level.navtile"), 2) > 25.0);
}

#[test]
fn names_that_the_level_does_not_have_are_refused() {
    let folder = Folder::new();
    folder.write("level.obj", named_level());
    folder.write(
        "s.toml",
        "[[area]]\nid = 2\nname = \"slow\"\nmaterials = [\"mdu\", \"wet*\"]\ngroups = [\"prop\"]\nobjects = [\"x\"]\n",
    );
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(2).says(&[
        "error: s.toml: 3 names match nothing in level.obj",
        "line 4, column 14: `area[0].materials[0]` is \"mdu\", but the level has no material of that name; the \
         nearest material is \"mud\"",
        "line 5, column 11: `area[0].groups[0]` is \"prop\"",
        "the nearest group is \"props\"",
        "line 6, column 12: `area[0].objects[0]` is \"x\"",
        "the level has no objects at all",
        "help: correct the names",
    ]);
    folder.run(&["explain", "level.obj", "--at", "0,0,0", "-c", "s.toml"]).expect(2).says(&["3 names"]);
    assert_eq!(folder.names(), ["level.obj", "s.toml"], "no output file");
}

const MARKS: &str = "\
[[volume]]
shape = \"box\"
min = [-5, -1, -5]
max = [0, 1, 5]
area = \"water\"
[[volume]]
shape = \"prism\"
outline = [[2, 2], [2, 4], [4, 4]]
bottom = -1
top = 1
offset = 0.25
area = \"none\"
[[volume]]
shape = \"cylinder\"
base = [3, -1, -3]
radius = 1
height = 2
area = 9
[[off_mesh]]
start = [-4, 0, -4]
end = [4, 0, 4]
radius = 0.5
both_ways = false
area = \"water\"
[[off_mesh]]
start = [4, 0, -4]
end = [40, 0, 4]
radius = 1
flags = 0x20
user_id = 77
[[area]]
id = 1
name = \"water\"
flags = 2
cost = 10
";

#[test]
fn volumes_and_connections_arrive_in_the_file() {
    let folder = Folder::baked();
    let plain = info(&folder, "level.navtile");
    assert_eq!(
        (&plain["settings"]["volumes"], &plain["settings"]["marks_digest"]),
        (&0.into(), &Value::Null)
    );
    assert_eq!(plain["off_mesh_links"], serde_json::json!([]));
    folder.write("marks.toml", MARKS);
    let run = folder.run(&["bake", "level.obj", "-c", "marks.toml", "-v"]).expect(0);
    assert!(
        run.stdout.contains("3 volumes; 2 off-mesh connections, 2 of which start within"),
        "{}",
        run.stdout
    );
    let report = info(&folder, "level.navtile");
    let (water, nine) = (area_of(&report, 1), area_of(&report, 9));
    assert!(water > 25.0 && (1.5..5.0).contains(&nine), "{report}");
    let whole = |info: &Value| [1, 9, 63].map(|id| area_of(info, id)).iter().sum::<f64>();
    assert!(whole(&report) < whole(&plain) - 2.0, "the prism took something away: {report}");
    assert_eq!(report["settings"]["volumes"], 3);
    assert_eq!(report["settings"]["off_mesh_connections"], 2);
    assert_eq!(report["areas"][1]["name"], "area 9");
    let links = report["off_mesh_links"].as_array().unwrap();
    let find = |id: u64| links.iter().find(|link| link["user_id"] == id).unwrap();
    let (first, second) = (find(1), find(77));
    assert_eq!(
        (&first["both_ways"], &first["area_name"], &first["flags"]),
        (&false.into(), &"water".into(), &2.into())
    );
    assert_eq!(
        (&second["both_ways"], &second["area"], &second["flags"]),
        (&true.into(), &63.into(), &32.into())
    );
    for (value, expected) in [(&first["start"][0], -4.0), (&second["end"][0], 40.0), (&second["radius"], 1.0)]
    {
        assert!((value.as_f64().unwrap() - expected).abs() < 0.01, "{report}");
    }
    let text = folder.run(&["info", "level.navtile"]).expect(0).stdout;
    for part in [
        "3 volumes, 2 off-mesh connections",
        "off-mesh   ",
        "user id 77",
        "area 1 water",
        "contours.split_walls     on",
    ] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    // Another volume has another digest, and the same volume the same bytes.
    let bytes = folder.read("level.navtile");
    folder.run(&["bake", "level.obj", "-c", "marks.toml"]).expect(0);
    assert_eq!(folder.read("level.navtile"), bytes);
    folder.write("marks.toml", MARKS.replace("radius = 1\nheight", "radius = 1.5\nheight"));
    folder.run(&["bake", "level.obj", "-c", "marks.toml"]).expect(0);
    assert_ne!(
        info(&folder, "level.navtile")["settings"]["marks_digest"],
        report["settings"]["marks_digest"]
    );
}

#[test]
fn a_connection_outside_the_level_is_warned_of() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.write("s.toml", "[[off_mesh]]\nstart = [90, 0, 0]\nend = [0, 0, 0]\nradius = 1\n");
    let run = folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    run.says(&["warning: off-mesh connection 1 of 1 starts where there is no mesh", "at 90.00, 0.00, 0.00"]);
    let ends = "[[off_mesh]]\nstart = [3, 0, 3]\nend = [-3, 0, 3]\nradius = 1\n\
                [[off_mesh]]\nstart = [3, 0, 3]\nend = [300, 0, 3]\nradius = 1\n";
    folder.write("s.toml", ends);
    let run = folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(0);
    run.says(&["warning: off-mesh connection 2 of 2 ends where there is no mesh within its radius of 1 m"]);
    assert!(!run.stderr.contains("connection 1 of 2") && run.stderr.contains("at 300.00, 0.00, 3.00"));
    folder.write("s.toml", "[[off_mesh]]\nstart = [0, 0, 0]\nend = [1e9, 0, 0]\nradius = 1\n");
    folder.run(&["bake", "level.obj", "-c", "s.toml"]).expect(2).says(&["off-mesh connection 0 is too long"]);
}

#[test]
fn switches_are_recorded() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    let options = ["--median-filter", "true", "--split-walls", "false", "--split-areas", "true"];
    folder.run(&[&["bake", "level.obj"][..], &options].concat()).expect(0);
    let settings = &info(&folder, "level.navtile")["settings"];
    assert_eq!((&settings["median_filter"], &settings["partition"]), (&true.into(), &"watershed".into()));
    assert_eq!(settings["contours_split_walls"], false);
    assert_eq!(settings["contours_split_areas"], true);
}

#[test]
fn marks_that_cannot_be_are_all_reported() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.write(
        "bad.toml",
        "cell_size = nan\n[[volume]]\nshape = \"prism\"\noutline = [[0, 0], [1, 1]]\nbottom = 0\ntop = nan\n\
         area = \"wter\"\n[[volume]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [-1, 1, 1]\narea = 1\n[[off_mesh]]\n\
         start = [0, 0, 0]\nradius = -1\n[[area]]\nid = 1\nname = \"water\"\n",
    );
    folder.run(&["bake", "level.obj", "-c", "bad.toml"]).expect(2).says(&[
        "bad.toml: 7 errors in the settings",
        "line 1, column 13: `cell_size` is NaN, expected between 0.001 and 1000 metres",
        "line 4, column 11: `volume[0].outline` has 2 corners, expected at least 3",
        "line 6, column 7: `volume[0].top` is nan (float), expected a finite number",
        "line 7, column 8: `volume[0].area` is \"wter\", expected the name of an area; did you mean \"water\"?",
        "line 8, column 1: `volume[1]` is not a valid box: min must not exceed max on any axis",
        "line 13, column 1: `off_mesh[0]` has no `end`",
        "line 15, column 10: `off_mesh[0].radius` is -1",
    ]);
}

/// A geometry set of the level, with settings, a volume of grass and a connection.
const SET: &str = "\
f Meshes/level.obj
s 0.25 0.2 2 0.5 0.8 40 8 20 12 1.3 6 6 1 2 -5 -0.5 -5 5 3 5 0
c -4 0 -4 4 0 4 0.6 1 5 8
v 4 4 -1 1
-5 0 -5
0 0 -5
0 0 5
-5 0 5
";

#[test]
fn a_geometry_set_is_baked_as_it_is() {
    let folder = Folder::new();
    folder.write("level.obj", level()).write("set.gset", SET);
    let run = folder.run(&["bake", "set.gset", "-v"]).expect(0);
    assert_eq!(
        (folder.names(), run.stderr.as_str()),
        (["level.obj", "set.gset", "set.navtile"].map(String::from).into(), "")
    );
    assert!(run.stdout.contains("set.gset, 24 triangles"), "{}", run.stdout);
    let report = info(&folder, "set.navtile");
    assert_eq!((&report["cell_size"], &report["agent"]["radius"]), (&0.25.into(), &0.5.into()));
    assert_eq!(
        (&report["settings"]["partition"], &report["settings"]["volumes"]),
        (&"layers".into(), &1.into())
    );
    assert_eq!((&report["agent"]["climb"], &report["agent"]["slope"]), (&0.8.into(), &40.0.into()));
    assert!(area_of(&report, 4) > 25.0 && area_of(&report, 63) > 25.0, "{report}");
    let grass = &report["areas"][3];
    assert_eq!((&grass["name"], &grass["cost"], &grass["flags"]), (&"grass".into(), &2.0.into(), &1.into()));
    let link = &report["off_mesh_links"][0];
    assert_eq!(
        (&link["area_name"], &link["flags"], &link["both_ways"]),
        (&"jump".into(), &8.into(), &true.into())
    );
    // The mesh is also found from another folder.
    let call = ["bake", "set.gset", "-o", "level.obj"];
    folder.run(&call).expect(2).says(&["overwrite its own input"]);
    let above = std::process::Command::new(env!("CARGO_BIN_EXE_navtile"))
        .args([std::ffi::OsStr::new("explain"), folder.path("set.gset").as_os_str()])
        .args(["--at", "-3,0,0"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&above.stdout).contains("area grass"), "{above:?}");
}

#[test]
fn settings_win_over_a_geometry_set() {
    let folder = Folder::new();
    folder.write("level.obj", level()).write("set.GSET", SET);
    folder.write("s.toml", "[agent]\nradius = 0.75\n[[volume]]\nshape = \"box\"\nmin = [0, -1, -5]\nmax = [5, 1, 5]\narea = \"road\"\n");
    folder.run(&["bake", "set.GSET", "-c", "s.toml", "--agent-height", "1.5"]).expect(0);
    let report = info(&folder, "set.navtile");
    let agent = &report["agent"];
    assert_eq!(
        (&agent["radius"], &agent["height"], &agent["climb"]),
        (&0.75.into(), &1.5.into(), &0.8.into())
    );
    assert_eq!(report["settings"]["volumes"], 2);
    assert!(area_of(&report, 4) > 20.0 && area_of(&report, 2) > 20.0, "{report}");
}

#[test]
fn geometry_sets_that_are_wrong_are_reported_with_their_lines() {
    let folder = Folder::new();
    folder.write("level.obj", level());
    folder.write("bad.gset", "f level.obj\nx 1\ns 1 2\nc 1 2 nan 4 5 6 7 1 2 3\nv 2 1 0 1\n0 0 0\n1 0 0\n");
    folder.run(&["bake", "bad.gset"]).expect(3).says(&[
        "error: bad.gset: 4 errors in the geometry set",
        "line 2, column 1: unknown row `x`, expected `f` (mesh)",
        "line 3, column 1: the row has 2 values, expected 21",
        "line 4, column 7: start z is `nan`, expected a finite number",
        "line 5, column 3: the volume has 2 corners, expected at least 3",
    ]);
    folder.write("bad.gset", SET.replace(" 0.8 40 ", " 3 100 "));
    let run = folder.run(&["bake", "bad.gset", "--agent-radius", "-1"]).expect(2);
    run.says(&[
        "3 settings are out of range",
        "agent.slope is 100, expected between 0 and 89.999 degrees (bad.gset, line 2)",
        "agent.climb is 3, expected less than agent.height",
        "agent.radius is -1, expected between 0 and 10000 metres (given by --agent-radius)",
    ]);
    folder.write("bad.gset", "f C:\\maps\\gone.obj\n");
    folder.run(&["bake", "bad.gset"]).expect(3).says(&[
        "bad.gset: its mesh is missing",
        "gone.obj",
        "help: put the mesh",
    ]);
    folder.write("bad.gset", b"f \xFF\n");
    folder.run(&["bake", "bad.gset"]).expect(3).says(&["line 1, column 3: the text is not UTF-8"]);
    folder.write("bad.gset", "");
    folder.run(&["bake", "bad.gset"]).expect(3).says(&["the file names no mesh"]);
    folder.run(&["bake", "gone.gset"]).expect(3).says(&["gone.gset: cannot be read"]);
    folder.write("level.obj", "v 0 0 x\n").write("bad.gset", "f level.obj\n");
    folder.run(&["bake", "bad.gset"]).expect(3).says(&["level.obj: line 1, column 7"]);
    assert_eq!(folder.names(), ["bad.gset", "level.obj"], "no output file");
}

#[test]
fn the_tiles_of_a_geometry_set_are_baked_without_a_warning() {
    let folder = Folder::new();
    folder.write("level.obj", two_floors());
    let set = SET.replace(" 3 5 0\n", " 3 5 32\n");
    folder.write("set.gset", set);
    let run = folder.run(&["bake", "set.gset", "--json"]).expect(0);
    assert_eq!(run.json()["tiles"]["side_cells"], 32);
    assert!(!run.stderr.contains("set.gset"), "{}", run.stderr);
}
