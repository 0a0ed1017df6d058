//! Tests of the settings reader.

use super::keys::KEYS;
use super::*;
use crate::error::SettingProblem;
use proptest::prelude::*;
use recast::{AreaDefinition, AreaId, Partition};

fn read(text: &str) -> SettingsFile {
    read_settings(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn problems(text: &str) -> Vec<SettingProblem> {
    match read_settings(text) {
        Err(InputError::Settings(problems)) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

#[test]
fn the_default_file_is_the_default() {
    assert_eq!(read(default_toml()).settings, Settings::default());
    assert_eq!(read("").settings, Settings::default());
}

#[test]
fn the_default_file_has_every_key_with_its_default() {
    // With the comment marks in front of keys removed, every key is there, and quantises to the same bake.
    let text: String = default_toml()
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line))
        .filter(|line| !line.starts_with("bounds"))
        .map(|line| format!("{line}\n"))
        .collect();
    let file = read(&text);
    for key in KEYS.iter().filter(|key| key.name != "bounds") {
        assert!(file.place_of(&key.path()).is_some(), "{}", key.path());
    }
    assert!(default_toml().contains("# bounds = [["));
    let mut config = file.settings.validate().unwrap();
    let default = Settings::default().validate().unwrap();
    // 6 cells of 0.3 m are 1.8 m but for the rounding of f32.
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
            AreaDefinition { id: AreaId(7), name: "water".to_owned(), flags: 16, cost: 2.5 },
            AreaDefinition { id: AreaId(8), name: "mud".to_owned(), flags: 1, cost: 1.0 },
            AreaDefinition::ground(),
        ],
        bounds: Some([[-1.0, -2.0, -3.5], [1.0, 2.0, 3.0]]),
        memory_bound: 1000,
        median_filter: true,
        volumes: Vec::new(),
        off_mesh_connections: Vec::new(),
    };
    let file = read(text);
    assert_eq!(file.settings, expected);
    assert_eq!(file.place_of("agent.height").map(|place| place.line), Some(9));
    assert_eq!(file.place_of("area[0].cost").map(|place| place.line), Some(22));
    assert_eq!(
        file.place_of("area[1].cost").map(|place| place.line),
        Some(23),
        "the area it is missing from"
    );
}

#[test]
fn every_problem_is_told_with_its_line() {
    let text = "cell_sise = 0.3\ncell_height = \"low\"\npartition = \"watersched\"\n[agent]\nradios = 1\n\
                max_vertices = 1\n[[area]]\nid = 300\nnam = 1\n[zzz]\n";
    let told: Vec<_> =
        problems(text).iter().map(|problem| (problem.place.line, problem.to_string())).collect();
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
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for ((line, message), (expected_line, part)) in told.iter().zip(expected) {
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
        let told = problems(text);
        assert!(told.len() == 1 && told[0].to_string().contains(near), "{text}: {told:?}");
    }
}

#[test]
fn broken_toml_is_told_with_the_rest() {
    let told = problems("cell_size = \nfoo = 1\n");
    assert_eq!(told.iter().map(|problem| problem.place.line).collect::<Vec<_>>(), [1, 2], "{told:?}");
    let told = problems("cell_size = 1\ncell_size = 2\n");
    assert!(
        told[0].to_string().starts_with("line 2") && told[0].to_string().contains("duplicate"),
        "{told:?}"
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

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}|([a-z_.\\[\\]=\"{}, \n#]|area|agent|cell_size|[0-9.]){0,40}") {
        let _ = read_settings(&text);
    }

    #[test]
    fn numbers_survive_the_text(radius in 0.0f64..1e4, slope in 0.0f64..89.0, max in 3u32..=255) {
        let text = format!("max_vertices = {max}\n[agent]\nradius = {radius:?}\nslope = {slope:?}\n");
        let settings = read(&text).settings;
        prop_assert_eq!((settings.agent_radius, settings.agent_slope, settings.max_vertices), (radius, slope, max));
    }
}
