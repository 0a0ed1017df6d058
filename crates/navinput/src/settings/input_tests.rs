//! Tests of the settings of input, of several agents, and of tiles.

use super::*;
use crate::error::SettingProblem;
use crate::pattern::{NameKind, NamePattern};
use crate::settings::UpAxis;
use recast::settings::{Kind, Value};
use recast::{Level, PreparedLevel, Settings};

fn read(text: &str) -> SettingsFile {
    read_settings(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Asserts that exactly these problems are reported, in this order, each by its line and a part of its text.
fn assert_reported(text: &str, expected: &[(u64, &str)]) {
    let Err(InputError::Settings(problems)) = read_settings(text) else { panic!("not refused:\n{text}") };
    let line = |problem: &SettingProblem| problem.place.map_or(0, |place| place.line);
    let reported: Vec<_> = problems.iter().map(|problem| (line(problem), problem.to_string())).collect();
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((line, message), (expected_line, part)) in reported.iter().zip(expected) {
        assert!(line == expected_line && message.contains(part), "{line}: {message}, wanted {part}");
    }
}

#[test]
fn a_choice_that_is_set_is_the_one_that_is_there() {
    for setting in &INPUT_SETTINGS {
        let (Kind::Choice(choices) | Kind::ChoiceOrNumber(choices)) = setting.kind else { continue };
        for (name, _) in choices {
            let mut input = InputSettings::default();
            assert!((setting.set)(&mut input, Value::Choice(name)), "{}", setting.path);
            assert_eq!((setting.get)(&input), Some(Value::Choice(name)), "{}", setting.path);
        }
    }
}

#[test]
fn input_arrives() {
    assert_eq!(read("").input, InputSettings::default());
    let file = read(
        "[input]\nup = \"z\"\nscale = 0.01\ninclude_materials = [\"a\", \"b*\"]\ninclude_groups = [\"c\"]\n\
         exclude_objects = [\"d\"]\nexclude_nodes = [\"e/f\"]\n",
    );
    assert_eq!((file.input.up, file.input.scale), (UpAxis::Z, 0.01));
    let reported = |patterns: &[NamePattern]| {
        let of = |pattern: &NamePattern| (pattern.by, pattern.pattern.clone(), pattern.field.clone());
        patterns.iter().map(of).collect::<Vec<_>>()
    };
    let of = |by, pattern: &str, field: &str| (by, pattern.to_owned(), format!("input.{field}"));
    let mut include = reported(&file.input.include);
    include.sort();
    assert_eq!(
        include,
        [
            of(NameKind::Material, "a", "include_materials[0]"),
            of(NameKind::Material, "b*", "include_materials[1]"),
            of(NameKind::Group, "c", "include_groups[0]"),
        ]
    );
    let mut exclude = reported(&file.input.exclude);
    exclude.sort();
    assert_eq!(
        exclude,
        [of(NameKind::Object, "d", "exclude_objects[0]"), of(NameKind::Node, "e/f", "exclude_nodes[0]")]
    );
    assert_eq!(file.place_of("input.scale").map(|place| place.line), Some(3));
    let mapped = read("[[area]]\nid = 1\nname = \"a\"\nnodes = [\"river\"]\n").mappings;
    assert_eq!((mapped[0].area.0, mapped[0].names.by), (1, NameKind::Node));
}

#[test]
fn input_that_cannot_be_is_reported() {
    assert_reported(
        "[input]\nup = \"x\"\nscale = 0\ninclude_nodes = \"a\"\nexclude_groups = [\"\", 1]\ninclude_node = []\n",
        &[
            (2, "`input.up` is \"x\", expected \"y\" or \"z\""),
            (3, "`input.scale` is 0 (integer), expected a finite number greater than 0"),
            (4, "`input.include_nodes` is \"a\" (string), expected a list of names"),
            (5, "`input.exclude_groups[0]` is empty"),
            (5, "`input.exclude_groups[1]` is 1 (integer), expected a name"),
            (6, "unknown key `input.include_node`; the nearest key is `input.include_nodes`"),
        ],
    );
    assert_reported(
        "[input]\nup = 1\nscale = \"x\"\n",
        &[(2, "expected \"y\" or \"z\""), (3, "a finite number")],
    );
    for scale in ["nan", "inf", "-1", "-0.0"] {
        assert_reported(&format!("[input]\nscale = {scale}\n"), &[(2, "greater than 0")]);
    }
    assert_reported("input = 1\n", &[(1, "expected a table: `[input]`")]);
}

#[test]
fn tiles_and_the_reachable_point_arrive() {
    let file = read("");
    assert_eq!((file.input.tile_size, file.input.reachable_from), (None, None));
    for (text, size) in [
        ("\"auto\"", TileSize::Auto),
        ("\"off\"", TileSize::Off),
        ("32", TileSize::Metres(32.0)),
        ("4.5", TileSize::Metres(4.5)),
    ] {
        assert_eq!(read(&format!("tile_size = {text}\n")).input.tile_size, Some(size));
    }
    assert_eq!(read("reachable_from = [1, -2.5, 3]\n").input.reachable_from, Some([1.0, -2.5, 3.0]));
    assert_reported(
        "tile_size = \"aut\"\nreachable_from = [1, 2]\n",
        &[(1, "did you mean \"auto\"?"), (2, "three finite numbers")],
    );
    for size in ["0", "-1", "nan", "inf", "true", "[1]"] {
        assert_reported(
            &format!("tile_size = {size}\n"),
            &[(1, "expected \"auto\", \"off\" or a finite number")],
        );
    }
    assert_reported("reachable_from = [0, nan, 0]\n", &[(1, "three finite numbers")]);
}

#[test]
fn several_agents_arrive() {
    assert!(read("[agent]\nradius = 1\n").agents.is_empty());
    let text = "[[agent]]\nname = \"person\"\nradius = 0.4\nregion_min_area = 2\n[[agent]]\nname = \"big_ogre-2\"\n\
                radius = 1.5\nheight = 4\nclimb = 1.25\nslope = 50\n[regions]\nmin_area = 7\n";
    let file = read(text);
    let names: Vec<&str> = file.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["person", "big_ogre-2"]);
    let settings = &file.settings;
    assert_eq!(
        (settings.agent_radius, settings.agent_height, settings.region_min_area),
        (0.4, 2.0, Some(7.0))
    );
    let line = |field: &str| file.place_of(field).map(|place| place.line);
    assert_eq!(
        [line("agent[1].radius"), line("agent[0].slope"), line("agent.radius")],
        [Some(7), Some(1), Some(3)]
    );
    let person = Settings { agent_radius: 0.4, region_min_area: Some(2.0), ..settings.clone() };
    assert_eq!(file.agents[0].apply(settings), person);
    let ogre = Settings {
        agent_radius: 1.5,
        agent_height: 4.0,
        agent_climb: 1.25,
        agent_slope: 50.0,
        ..settings.clone()
    };
    assert_eq!(file.agents[1].apply(settings), ogre);
    // Values that are not given come from the base, for every agent.
    let base = Settings { agent_slope: 30.0, ..Settings::default() };
    let over =
        read_settings_over("[[agent]]\nname = \"a\"\nslope = 10\n[[agent]]\nname = \"b\"\n", &base).unwrap();
    let slopes = [0, 1].map(|index: usize| over.agents[index].apply(&over.settings).agent_slope);
    assert_eq!(slopes, [10.0, 30.0]);
    assert!(read("agent = []\n").agents.is_empty());
}

#[test]
fn agents_that_cannot_be_are_all_reported() {
    assert_reported(
        "[[agent]]\nradius = 1\n[[agent]]\nname = \"a b\"\n[[agent]]\nname = \"a\"\nheight = \"x\"\n[[agent]]\nname = \"a\"\n\
         [[agent]]\nname = \"c\"\nslope = 90\nclimb = 3\nregion_min_area = -1\nradios = 1\n[[agent]]\nname = 3\n\
         [[agent]]\nname = \"d\"\nradius = nan\nheight = 0.5\n[[agent]]\nname = \"\"\n",
        &[
            (1, "`agent[0]` has no `name`"),
            (4, "`agent[1].name` is \"a b\", expected a name of 1 to 64 letters"),
            (7, "`agent[2].height` is \"x\" (string), expected a number"),
            (9, "`agent[3].name` is \"a\", which is the name of `agent[2]`"),
            (15, "unknown key `agent.radios`; the nearest key is `agent.radius`"),
            (17, "`agent[5].name` is 3 (integer)"),
            (18, "`agent[6].climb` is 0.9, expected less than"),
            (20, "`agent[6].radius` is NaN, expected between 0 and 10000 metres"),
            (23, "`agent[7].name` is \"\""),
        ],
    );
    assert_reported(
        "[[agent]]\nname = \"c\"\nslope = 90\nclimb = 3\nregion_min_area = -1\n",
        &[
            (3, "`agent[0].slope` is 90"),
            (4, "`agent[0].climb` is 3, expected less than"),
            (5, "`agent[0].region_min_area` is -1, expected between 0 and 1e9 square metres"),
        ],
    );
    assert_reported("agent = [1]\n", &[(1, "`[[agent]]`")]);
    assert_reported("[agent]\nname = \"a\"\n", &[(2, "`agent.name` is a key of an agent among several")]);
    assert_reported("[agent]\n[[agent]]\nname = \"a\"\n", &[(2, "duplicate")]);
}

#[test]
fn the_default_file_shows_several_agents() {
    let file = default_toml();
    let shown = file.lines().filter_map(|line| line.strip_prefix("#   "));
    // The names of partitions are also indented further.
    let text: String = shown.filter(|line| !line.starts_with('"')).map(|line| format!("{line}\n")).collect();
    let names: Vec<String> = read(&text).agents.into_iter().map(|agent| agent.name).collect();
    assert_eq!(names, ["person", "ogre"]);
    let own = recast::settings::SETTINGS.iter().filter_map(|setting| setting.path.strip_prefix("agent."));
    for key in read_agents::AGENTS.names().chain(own) {
        assert!(text.contains(&format!("{key} = ")), "{key}");
    }
}

#[test]
fn sides_of_tiles_are_whole_cells() {
    let square = |side: f64| Level {
        vertices: vec![[0.0; 3], [0.0, 0.0, side], [side, 0.0, side], [side, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        areas: Vec::new(),
    };
    let prepared = |side: f64| {
        let settings = Settings { cell_size: 0.5, agent_radius: 0.0, ..Settings::default() };
        PreparedLevel::new(&square(side), &settings).unwrap()
    };
    let small = prepared(20.0);
    assert_eq!(TileSize::Off.cells(&small).unwrap(), 0);
    assert_eq!(TileSize::Auto.cells(&small).unwrap(), 0);
    // 1,024 cells along a side are still one tile.
    assert_eq!(TileSize::Auto.cells(&prepared(512.0)).unwrap(), 0);
    assert_eq!(TileSize::Auto.cells(&prepared(520.0)).unwrap(), 128);
    for (metres, cells) in [(4.0, 8), (12.3, 25), (20.0, 40)] {
        assert_eq!(TileSize::Metres(metres).cells(&small).unwrap(), cells);
    }
    for metres in [3.5, 1e9] {
        let error = TileSize::Metres(metres).cells(&small).unwrap_err();
        assert!(error.found.contains(&format!("{metres} m, which is {} cells of 0.5 m", metres * 2.0)));
    }
}
