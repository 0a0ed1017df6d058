//! Tests of the settings reader.

use super::areas::AREA;
use super::hierarchy::HIERARCHY;
use super::off_mesh::OFF_MESH;
use super::volumes::VOLUME;
use super::*;
use crate::error::SettingProblem;
use proptest::prelude::*;
use recast::settings::SETTINGS;
use recast::{AreaDefinition, AreaId, OffMeshConnection, Outlines, Partition, Shape, Volume};

fn read(text: &str) -> SettingsFile {
    read_settings(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn problems(text: &str) -> Vec<SettingProblem> {
    match read_settings(text) {
        Err(InputError::Settings(problems)) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

fn shape_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Box { .. } => "box",
        Shape::RotatedBox { .. } => "rotated_box",
        Shape::Prism { .. } => "prism",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Capsule { .. } => "capsule",
    }
}

#[test]
fn the_default_file_is_the_default() {
    assert_eq!(read(&default_toml()).settings, Settings::default());
    assert_eq!(read("").settings, Settings::default());
}

#[test]
fn the_default_file_has_every_key_with_its_default() {
    // With the comment marks in front of keys removed, every key is present, and the result quantises to the
    // same bake.
    let text: String = default_toml()
        .lines()
        .map(|line| {
            // Examples of alternatives are indented further.
            let key = |rest: &&str| !rest.starts_with(' ') && (rest.contains(" = ") || rest.starts_with('['));
            line.strip_prefix("# ").filter(key).unwrap_or(line)
        })
        .filter(|line| !line.starts_with("bounds"))
        .map(|line| format!("{line}\n"))
        .collect();
    let file = read(&text);
    let paths = SETTINGS.iter().map(|setting| setting.path);
    let paths = paths.chain(INPUT_SETTINGS.iter().map(|setting| setting.path));
    let filters = INPUT_FILTERS.map(|(key, ..)| format!("input.{key}"));
    for path in paths.map(str::to_owned).chain(filters).filter(|path| path != "bounds") {
        assert!(file.place_of(&path).is_some(), "{path}");
    }
    assert!(default_toml().contains("# bounds = [["));
    for key in AREA.names() {
        assert!(file.place_of(&format!("area[0].{key}")).is_some_and(|place| place.line > 60), "{key}");
    }
    let shapes: Vec<&str> = file.settings.volumes.iter().map(|volume| shape_name(&volume.shape)).collect();
    assert!(shapes.iter().eq(VOLUME.variants.iter().map(|(name, _)| name)), "an example of each");
    let mentioned = |key: &str| text.lines().any(|line| line.starts_with(&format!("{key} = ")));
    assert!(VOLUME.names().chain(OFF_MESH.names()).all(mentioned));
    assert_eq!((file.mappings.len(), file.settings.off_mesh_connections.len()), (5, 1));
    let hierarchy = file.hierarchy.as_ref().unwrap();
    assert_eq!((hierarchy.classes.len(), hierarchy.classes[0].costs.len()), (1, 1));
    assert_eq!(HierarchyInput { classes: Vec::new(), ..hierarchy.clone() }, HierarchyInput::default());
    assert!(HIERARCHY.names().all(|key| file.place_of(&format!("hierarchy.{key}")).is_some()));
    let mut config = file.settings.validate().unwrap();
    let default = Settings::default().validate().unwrap();
    // 6 cells of 0.3 m are 1.8 m, except for the rounding of f32.
    assert!((config.detail_sample_distance - default.detail_sample_distance).abs() < 1e-6);
    config.detail_sample_distance = default.detail_sample_distance;
    config.settings = Settings::default();
    assert_eq!(config, default);
}

#[test]
fn every_key_arrives() {
    let text = r#"
        cell_size = 0.5
        cell_height = 0.25
        partition = "layers"
        outlines = "exact"
        max_vertices = 8
        bounds = [[-1, -2, -3.5], [1, 2, 3]]
        memory_bound = 1_000
        median_filter = true
        agent = { radius = 1, height = 3.0, climb = 0.5, slope = 30 }
        regions.min_area = 1
        regions.merge_area = 2
        contours.max_edge_length = 0
        contours.max_error = 0.5
        contours.split_walls = false
        contours.split_areas = true
        detail.sample_distance = 3
        detail.max_error = 0.75
        [[area]]
        id = 7
        name = "water"
        flags = 0x10
        cost = 2.5
        [[area]]
        id = 8
        name = "mud"
    "#;
    let expected = Settings {
        cell_size: 0.5,
        cell_height: 0.25,
        partition: Partition::Layers,
        outlines: Outlines::Exact,
        max_vertices: 8,
        agent_radius: 1.0,
        agent_height: 3.0,
        agent_climb: 0.5,
        agent_slope: 30.0,
        region_min_area: Some(1.0),
        region_merge_area: Some(2.0),
        max_edge_length: 0.0,
        contour_max_error: Some(0.5),
        split_walls: false,
        split_areas: true,
        detail_sample_distance: Some(3.0),
        detail_max_error: Some(0.75),
        areas: vec![
            AreaDefinition { flags: 16, cost: 2.5, ..AreaDefinition::new(AreaId(7), "water") },
            AreaDefinition::new(AreaId(8), "mud"),
            AreaDefinition::ground(),
        ],
        bounds: Some([[-1.0, -2.0, -3.5], [1.0, 2.0, 3.0]]),
        memory_bound: 1000,
        median_filter: true,
        volumes: Vec::new(),
        off_mesh_connections: Vec::new(),
        links: Vec::new(),
    };
    let file = read(text);
    assert_eq!(file.settings, expected);
    assert_eq!(file.place_of("agent.height").map(|place| place.line), Some(10));
    assert_eq!(file.place_of("area[0].cost").map(|place| place.line), Some(23));
    assert_eq!(
        file.place_of("area[1].cost").map(|place| place.line),
        Some(24),
        "the area it is missing from"
    );
}

#[test]
fn every_problem_is_reported_with_its_line() {
    let text = "cell_sise = 0.3\ncell_height = \"low\"\npartition = \"watersched\"\n[agent]\nradios = 1\n\
                max_vertices = 1\n[[area]]\nid = 300\nnam = 1\n[zzz]\n";
    let reported: Vec<_> =
        problems(text).iter().map(|problem| (problem.place.unwrap().line, problem.to_string())).collect();
    let expected = [
        (1, "`cell_sise`; the nearest key is `cell_size`"),
        (2, "`cell_height` is \"low\" (string), expected a number"),
        (3, "did you mean \"watershed\"?"),
        (5, "`agent.radios`; the nearest key is `agent.radius`"),
        (6, "`agent.max_vertices`; the nearest key is `max_vertices`"),
        (7, "`area[0]` has no `name`"),
        (8, "`area[0].id` is 300"),
        (9, "`area.nam`; the nearest key is `area.name`"),
        (10, "unknown key `zzz`; `navtile init`"),
    ];
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((line, message), (expected_line, part)) in reported.iter().zip(expected) {
        assert!(*line == expected_line && message.contains(part), "{line}: {message}, wanted {part}");
    }
}

#[test]
fn the_right_key_in_the_wrong_place_is_named() {
    for (text, near) in [
        ("radius = 0.6", "`agent.radius`"),
        ("agent_radius = 0.6", "`agent.radius`"),
        ("[area]\nid = 1", "`[[area]]`"),
        ("[agents]\nradius = 1", "`agent`"),
        ("cellSize = 1", "`cell_size`"),
        ("agent = 3", "`[agent]`"),
    ] {
        let reported = problems(text);
        assert!(reported.len() == 1 && reported[0].to_string().contains(near), "{text}: {reported:?}");
    }
}

#[test]
fn broken_toml_is_reported_with_the_rest() {
    let reported = problems("cell_size = \nfoo = 1\n");
    assert_eq!(
        reported.iter().map(|problem| problem.place.unwrap().line).collect::<Vec<_>>(),
        [1, 2],
        "{reported:?}"
    );
    let reported = problems("cell_size = 1\ncell_size = 2\n");
    assert!(
        reported[0].to_string().starts_with("line 2") && reported[0].to_string().contains("duplicate"),
        "{reported:?}"
    );
}

#[test]
fn wrong_shapes_are_refused() {
    for text in [
        "bounds = [1, 2]",
        "bounds = [[0, 0], [1, 1]]",
        "bounds = [[0, 0, 0]]",
        "max_vertices = 6.5",
        "max_vertices = -1",
        "memory_bound = -1",
        "partition = 1",
        "cell_size = true",
        "median_filter = 1",
        "cell_size = 1e999",
        "cell_size = 99999999999999999999",
        "area = 1",
        "area = [1]",
        "[[area]]\nid = 1\nname = \"ground\"",
        "[[area]]\nid = 1\nname = 2\nflags = -1\ncost = \"x\"",
    ] {
        assert!(problems(text).iter().all(|problem| !problem.what.is_empty()), "{text}");
    }
}

#[test]
fn numbers_out_of_range_are_left_to_the_check() {
    let file = read("cell_size = nan\n[agent]\nslope = 100\n");
    let fields: Vec<_> = file.settings.validate().unwrap_err();
    assert_eq!(
        fields.iter().map(|e| file.place_of(&e.field).map(|p| p.line)).collect::<Vec<_>>(),
        [Some(1), Some(3)]
    );
}

/// Asserts that exactly these problems are reported, in this order, each by its line and a part of its text.
fn assert_reported(text: &str, expected: &[(u64, &str)]) {
    let reported: Vec<_> =
        problems(text).iter().map(|problem| (problem.place.unwrap().line, problem.to_string())).collect();
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((line, message), (expected_line, part)) in reported.iter().zip(expected) {
        assert!(line == expected_line && message.contains(part), "{line}: {message}, wanted {part}");
    }
}

#[test]
fn every_volume_arrives() {
    let text = r#"
        [[volume]]
        shape = "box"
        min = [-1, -2, -3]
        max = [1, 2, 3.5]
        area = "mud"
        [[volume]]
        shape = "rotated_box"
        centre = [1, 2, 3]
        half_extents = [1, 1, 2]
        yaw = -30
        area = 9
        [[volume]]
        shape = "prism"
        outline = [[0, 0], [4, 0], [4, 4], [0, 4]]
        bottom = -1
        top = 2
        area = "none"
        [[volume]]
        shape = "cylinder"
        base = [1, 2, 3]
        radius = 2
        height = 3
        area = 0
        [[volume]]
        shape = "capsule"
        a = [1, 2, 3]
        b = [4, 5, 6]
        radius = 0.5
        area = "ground"
        [[area]]
        id = 2
        name = "mud"
    "#;
    let outline = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let shapes = [
        (Shape::Box { min: [-1.0, -2.0, -3.0], max: [1.0, 2.0, 3.5] }, 2),
        (Shape::RotatedBox { centre: [1.0, 2.0, 3.0], half_extents: [1.0, 1.0, 2.0], yaw: -30.0 }, 9),
        (Shape::Prism { outline, bottom: -1.0, top: 2.0 }, 0),
        (Shape::Cylinder { base: [1.0, 2.0, 3.0], radius: 2.0, height: 3.0 }, 0),
        (Shape::Capsule { a: [1.0, 2.0, 3.0], b: [4.0, 5.0, 6.0], radius: 0.5 }, 63),
    ];
    let expected = shapes.map(|(shape, area)| Volume { shape, area: AreaId(area) });
    assert_eq!(read(text).settings.volumes, expected);
}

#[test]
fn an_outline_grows_whichever_way_it_goes() {
    for outline in ["[[0, 0], [4, 0], [4, 4], [0, 4]]", "[[0, 4], [4, 4], [4, 0], [0, 0]]"] {
        let text = format!(
            "[[volume]]\nshape = \"prism\"\noutline = {outline}\nbottom = 0\ntop = 1\noffset = 0.5\narea = 1\n"
        );
        let Shape::Prism { outline, .. } = &read(&text).settings.volumes[0].shape else { panic!("a prism") };
        let xs = outline.iter().map(|corner| corner[0]);
        assert_eq!((xs.clone().fold(9.0, f64::min), xs.fold(-9.0, f64::max)), (-0.5, 4.5));
    }
}

#[test]
fn every_connection_arrives() {
    let text = "[[off_mesh]]\nstart = [0, 3, 0]\nend = [2, 0, 0]\nradius = 0.5\n[[off_mesh]]\nstart = [1, 1, 1]\n\
                end = [2, 2, 2]\nradius = 1\nalong = [0, 3.5]\nboth_ways = false\narea = \"jump\"\nflags = 0x10\nuser_id = 77\n\
                [[area]]\nid = 5\nname = \"jump\"\n";
    let first = OffMeshConnection {
        start: [0.0, 3.0, 0.0],
        end: [2.0, 0.0, 0.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 1,
        along: [0.0; 2],
    };
    let second = OffMeshConnection {
        start: [1.0; 3],
        end: [2.0; 3],
        radius: 1.0,
        both_ways: false,
        area: AreaId(5),
        flags: Some(16),
        user_id: 77,
        along: [0.0, 3.5],
    };
    assert_eq!(read(text).settings.off_mesh_connections, [first, second]);
}

#[test]
fn volumes_that_cannot_be_are_all_reported() {
    let text = "[[volume]]\nshape = \"prism\"\noutline = [[0, 0], [1, 0]]\nbottom = nan\ntop = 1\narea = \"grund\"\n\
                [[volume]]\nshape = \"sphere\"\nradius = 1\narea = 1\n\
                [[volume]]\nshape = \"box\"\nmin = [0, 0]\nradius = 2\ncenter = 1\narea = 300\n\
                [[volume]]\nshape = \"cylinder\"\nbase = [0, 0, 0]\nradius = -1\nheight = 2\n\
                [[volume]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, -1, 1]\narea = \"none\"\n\
                [[volume]]\nshape = \"rotated_box\"\ncenter = [0, 0, inf]\nhalf_extents = [1, 1, 1]\nyaw = 0\narea = 1\n";
    assert_reported(
        text,
        &[
            (3, "`volume[0].outline` has 2 corners, expected at least 3"),
            (4, "`volume[0].bottom` is nan (float), expected a finite number"),
            (6, "`volume[0].area` is \"grund\", expected the name of an area; did you mean \"ground\"?"),
            (8, "`volume[1].shape` is \"sphere\", expected \"box\", \"rotated_box\""),
            (11, "`volume[2]` has no `max`"),
            (13, "`volume[2].min` is [0, 0] (array), expected three finite numbers"),
            (14, "`volume[2].radius` is no key of a box, which has min, max"),
            (15, "unknown key `volume.center`; the nearest key is `volume.centre`"),
            (16, "`volume[2].area` is 300 (integer), expected the name of an area, \"none\", or an id"),
            (17, "`volume[3]` has no `area`"),
            (17, "`volume[3]` is not a valid cylinder: its base must be finite, its radius positive"),
            (22, "`volume[4]` is not a valid box: min must not exceed max on any axis"),
            (27, "`volume[5]` has no `centre`"),
            (29, "unknown key `volume.center`; the nearest key is `volume.centre`"),
        ],
    );
}

#[test]
fn outlines_that_cannot_be_are_reported() {
    let prism = |outline: &str| {
        format!(
            "[[volume]]\nshape = \"prism\"\noutline = {outline}\nbottom = 0\ntop = 1\narea = 1\noffset = 1\n"
        )
    };
    assert_reported(&prism("[[0, 0], [1, 0], [2, 0]]"), &[(3, "has no area")]);
    assert_reported(&prism("[[0, 0], [1, nan], [2, 0]]"), &[(3, "`volume[0].outline[1]` is [1, nan]")]);
    assert_reported(&prism("3"), &[(3, "expected corners of two finite numbers each")]);
    assert_reported(&prism("[[0, 0], [1, 0, 5], [2, 2]]"), &[(3, "expected two finite numbers: [x, z]")]);
    let text = prism("[[0, 0], [1, 0], [2, 2]]").replace("offset = 1", "offset = -1");
    assert_reported(&text, &[(7, "`volume[0].offset` is -1 (integer), expected between 0 and 10000 metres")]);
}

#[test]
fn connections_that_cannot_be_are_all_reported() {
    let text = "[[off_mesh]]\nstart = [0, nan, 0]\nend = [1, 2]\nradius = 0\nboth_ways = 1\narea = \"none\"\n\
                flags = -1\nuser_id = -1\nbidirectional = true\nalong = [0, inf]\n[[off_mesh]]\narea = \"jum\"\n\
                [[area]]\nid = 5\nname = \"jump\"\n[off_mash]\n";
    assert_reported(
        text,
        &[
            (2, "`off_mesh[0].start` is [0, nan, 0] (array), expected three finite numbers: [x, y, z]"),
            (3, "`off_mesh[0].end` is [1, 2]"),
            (4, "`off_mesh[0].radius` is 0 (integer), expected a finite number of metres, greater than 0"),
            (5, "`off_mesh[0].both_ways` is 1 (integer), expected true or false"),
            (6, "`off_mesh[0].area` is \"none\" (string), expected an area other than 0"),
            (7, "`off_mesh[0].flags` is -1"),
            (8, "`off_mesh[0].user_id` is -1"),
            (9, "unknown key `off_mesh.bidirectional`"),
            (10, "`off_mesh[0].along` is [0, inf] (array), expected two finite numbers: [x, z]"),
            (11, "`off_mesh[1]` has no `start`"),
            (11, "`off_mesh[1]` has no `end`"),
            (11, "`off_mesh[1]` has no `radius`"),
            (12, "did you mean \"jump\"?"),
            (16, "unknown key `off_mash`; the nearest key is `off_mesh`"),
        ],
    );
    assert_reported("volume = 1\noff_mesh = [2]\n", &[(1, "`[[volume]]`"), (2, "`[[off_mesh]]`")]);
}

#[test]
fn names_of_the_level_that_cannot_be_are_reported() {
    let text = "[[area]]\nid = 1\nname = \"a\"\nmaterials = \"mud\"\ngroups = [1, \"\"]\n[[area]]\nid = 2\nname = \"none\"\n";
    assert_reported(
        text,
        &[
            (4, "`area[0].materials` is \"mud\" (string), expected a list of names"),
            (5, "`area[0].groups[0]` is 1 (integer), expected a name"),
            (5, "`area[0].groups[1]` is empty"),
            (8, "\"none\", which stands for unwalkable ground"),
        ],
    );
}

#[test]
fn what_is_out_of_range_is_reported_with_the_rest() {
    assert_reported(
        "cell_size = nan\nfoo = 1\n[agent]\nheight = \"x\"\nclimb = 5\nslope = 100\n",
        &[
            (1, "`cell_size` is NaN, expected between"),
            (2, "unknown key `foo`"),
            (4, "`agent.height`"),
            (6, "`agent.slope` is 100"),
        ],
    );
}

#[test]
fn a_file_can_stand_on_another() {
    let base = read(
        "cell_size = 0.5\n[agent]\nradius = 1\n[[area]]\nid = 1\nname = \"water\"\ncost = 10\n[[volume]]\n\
         shape = \"capsule\"\na = [0, 0, 0]\nb = [1, 1, 1]\nradius = 1\narea = \"water\"\n[[off_mesh]]\n\
         start = [0, 0, 0]\nend = [1, 1, 1]\nradius = 1\n",
    );
    let text = "[agent]\nradius = 2\n[[area]]\nid = 2\nname = \"mud\"\n[[volume]]\nshape = \"capsule\"\na = [0, 0, 0]\n\
                b = [1, 1, 1]\nradius = 1\narea = \"water\"\n[[off_mesh]]\nstart = [0, 0, 0]\nend = [1, 1, 1]\nradius = 1\n";
    let settings = read_settings_over(text, &base.settings).unwrap().settings;
    assert_eq!((settings.cell_size, settings.agent_radius), (0.5, 2.0));
    assert_eq!(settings.areas.iter().map(|area| area.id.0).collect::<Vec<_>>(), [2, 1, 63]);
    assert_eq!(settings.volumes.iter().map(|volume| volume.area.0).collect::<Vec<_>>(), [1, 1]);
    let ids: Vec<u64> = settings.off_mesh_connections.iter().map(|connection| connection.user_id).collect();
    assert_eq!(ids, [1, 2]);
    let replaced =
        read_settings_over("[[area]]\nid = 1\nname = \"lava\"\n", &base.settings).unwrap().settings;
    assert_eq!(replaced.areas.iter().map(|area| area.name.as_str()).collect::<Vec<_>>(), ["lava", "ground"]);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}|([a-z_.\\[\\]=\"{}, \n#]|area|agent|volume|off_mesh|shape|box|cell_size|[0-9.]){0,40}") {
        let _ = read_settings(&text);
    }

    #[test]
    fn numbers_survive_the_text(radius in 0.0f64..1e4, slope in 0.0f64..89.0, max in 3u32..=255) {
        let text = format!("max_vertices = {max}\n[agent]\nradius = {radius:?}\nslope = {slope:?}\n");
        let settings = read(&text).settings;
        prop_assert_eq!((settings.agent_radius, settings.agent_slope, settings.max_vertices), (radius, slope, max));
    }
}

#[test]
fn a_field_has_the_place_of_its_value() {
    let file = read("cell_size = 0.25\n");
    assert_eq!(file.span_of("cell_size"), Some(12..16));
    assert_eq!(file.span_of("cell_height"), None);
}

#[test]
fn names_of_agents_have_1_to_64_letters() {
    let text = |length: usize| {
        let name = "n".repeat(length);
        format!("[[agent]]\nname = \"{name}\"\n[[agent]]\nname = \"other\"\n")
    };
    for right in [1, 64] {
        assert_eq!(read(&text(right)).agents.len(), 2);
    }
    for wrong in [0, 65] {
        assert_eq!(problems(&text(wrong)).len(), 1);
    }
}

#[test]
fn long_values_are_cut_in_messages() {
    let said = |length: usize| problems(&format!("partition = \"{}\"\n", "w".repeat(length)))[0].what.clone();
    // Quotes count.
    assert!(said(58).contains(&"w".repeat(58)) && !said(58).contains("w.."), "{}", said(58));
    assert!(said(61).contains("w..") && !said(61).contains(&"w".repeat(61)), "{}", said(61));
}
