//! Tests of settings, their table and the configuration made from them.

use super::*;

#[test]
fn rounding_takes_no_cell_that_clearance_needs() {
    let cells = |agent_height: f64, agent_climb: f64| {
        let config = Settings { agent_height, agent_climb, ..Settings::default() }.validate().unwrap();
        (config.walkable_height, config.rounded_headroom)
    };
    assert_eq!(cells(2.0, 0.9), (9, 1));
    assert_eq!(cells(1.9, 0.9), (9, 1));
    assert_eq!(cells(2.0, 1.9), (10, 0));
    assert_eq!(cells(0.5, 0.1), (3, 0));
    assert_eq!(cells(0.8, 0.1), (3, 1));
}

#[test]
fn defaults_quantise_as_recast_demo_does() {
    let config = Settings::default().validate().unwrap();
    assert_eq!((config.walkable_height, config.walkable_climb, config.walkable_radius), (9, 4, 2));
    assert_eq!((config.region_min_cells, config.region_merge_cells, config.max_edge_cells), (64, 400, 40));
    assert_eq!(config.contour_max_error, 1.3);
    assert_eq!((config.detail_sample_distance, config.detail_max_error), (0.3f32 * 6.0, 0.2));
}

#[test]
fn near_integers_are_integers() {
    let config = Settings { cell_size: 0.1, agent_radius: 0.3, ..Settings::default() }.validate().unwrap();
    assert_eq!(config.walkable_radius, 3);
}

#[test]
fn every_offending_field_is_named() {
    let settings = Settings {
        cell_size: f64::NAN,
        agent_slope: 90.0,
        max_vertices: 2,
        areas: vec![AreaDefinition::ground(), AreaDefinition { cost: 0.0, ..AreaDefinition::ground() }],
        bounds: Some([[0.0; 3], [1.0, 0.0, 1.0]]),
        ..Settings::default()
    };
    let fields: Vec<_> = settings.validate().unwrap_err().into_iter().map(|e| e.field).collect();
    let expected =
        ["cell_size", "max_vertices", "bounds", "agent.slope", "area[1].cost", "area[1].id", "area[1].name"];
    assert_eq!(fields, expected);
}

/// A value that a setting allows, other than its default.
fn another(setting: &Setting) -> Value {
    let default = setting.value(&Settings::default());
    match setting.kind {
        Kind::Number { .. } => match default {
            Some(Value::Number(value)) => Value::Number(value / 2.0),
            other => panic!("{}: {other:?}", setting.path),
        },
        Kind::Whole { max, .. } => Value::Whole(max / 2),
        Kind::Switch => Value::Switch(default == Some(Value::Switch(false))),
        Kind::Choice(names) => Value::Choice(names[1].0),
        Kind::Box => Value::Box([[0.0; 3], [3.0; 3]]),
        other => panic!("{}: {other:?}", setting.path),
    }
}

#[test]
fn every_row_reads_what_it_wrote_and_nothing_else_changes() {
    for setting in &SETTINGS {
        let mut settings = Settings::default();
        let value = another(setting);
        assert!(setting.allows(value) && (setting.set)(&mut settings, value), "{}", setting.path);
        assert_ne!(settings, Settings::default(), "{}", setting.path);
        for other in &SETTINGS {
            let expected =
                if other.path == setting.path { Some(value) } else { (other.get)(&Settings::default()) };
            assert_eq!((other.get)(&settings), expected, "{} after {}", other.path, setting.path);
        }
        // A value of another kind changes nothing.
        let wrong =
            if matches!(value, Value::Point(_)) { Value::Switch(true) } else { Value::Point([0.0; 3]) };
        assert!(!(setting.set)(&mut settings, wrong) && !setting.allows(wrong), "{}", setting.path);
        assert_eq!((setting.get)(&settings), Some(value));
    }
}

#[test]
fn defaults_of_the_table_are_those_of_settings() {
    for setting in &SETTINGS {
        let given = (setting.get)(&Settings::default());
        match setting.initial {
            Initial::Value(value) => assert_eq!(given, Some(value), "{}", setting.path),
            // A reader of settings derives it; the default is the derived value for the default agent.
            Initial::HalfRadius => assert_eq!(given, Some(Value::Number(0.3)), "{}", setting.path),
            _ => assert_eq!(given, None, "{}", setting.path),
        }
        let value = setting.value(&Settings::default());
        assert!(value.is_none_or(|value| setting.allows(value)), "{}", setting.path);
    }
}

#[test]
fn values_survive_their_text() {
    for setting in &SETTINGS {
        let value = another(setting);
        let text = value.to_string().replace(['[', ']', '"'], "");
        assert_eq!(setting.parse(&text), Ok(value), "{}", setting.path);
    }
    let parse = |path: &str, text: &str| find(path).unwrap().parse(text);
    assert_eq!(parse("memory_bound", "1.5GB"), Ok(Value::Whole(1_500_000_000)));
    assert_eq!(parse("memory_bound", "512 MiB"), Ok(Value::Whole(512 << 20)));
    assert!(parse("memory_bound", "20000000TB").is_err() && parse("memory_bound", "-1").is_err());
    assert!(parse("partition", "water").unwrap_err().contains("monotone"));
    assert!(parse("bounds", "1,2").unwrap_err().contains("found 2 values"));
    assert!(numbers::<3>("1,2,x").unwrap_err().contains("`x`"));
    assert!(numbers::<3>("1,2,nan").unwrap_err().contains("finite"));
}

#[test]
fn a_default_given_outright_bakes_the_same() {
    for cell_size in [0.1, 0.3, 0.37, 1.0, 7.3] {
        let derived = Settings { cell_size, ..Settings::default() };
        let mut given = derived.clone();
        for setting in &SETTINGS {
            if let Some(value) = setting.value(&derived) {
                assert!((setting.set)(&mut given, value));
            }
        }
        let config = Config { settings: derived.clone(), ..given.validate().unwrap() };
        assert_eq!(config, derived.validate().unwrap(), "cells of {cell_size}");
    }
}

#[test]
fn used_values_are_those_of_the_configuration() {
    let settings = Settings {
        agent_height: 0.3,
        agent_climb: 0.1,
        detail_sample_distance: Some(0.2),
        region_min_area: Some(5.0),
        ..Settings::default()
    };
    let config = settings.validate().unwrap();
    let used = |path: &str| find(path).unwrap().used(&settings).unwrap();
    assert_eq!(used("agent.height").cells, Some(f64::from(config.walkable_height + config.rounded_headroom)));
    assert_eq!(used("regions.min_area").cells, Some(56.0));
    assert_eq!(used("detail.sample_distance").value, Value::Number(0.0), "less than 0.9 of a cell");
    assert_eq!(used("partition").value, Value::Choice("watershed"));
}

#[test]
fn settings_rounded_by_more_than_a_tenth_are_warned_of_with_their_effect() {
    let warnings = |settings: Settings| -> Vec<String> {
        SETTINGS.iter().filter_map(|setting| setting.rounding_warning(&settings)).collect()
    };
    assert_eq!(warnings(Settings::default()), [""; 0]);
    let narrow = Settings { agent_radius: 0.4, ..Settings::default() };
    assert_eq!(
        warnings(narrow.clone()),
        [
            "agent.radius is 0.4 m, but counts as 0.6 m (2 cells of 0.3 m): the mesh keeps that distance from walls, and \
          narrower passages are closed; cell_size = 0.2 makes it exact"
        ]
    );
    assert_eq!(warnings(Settings { cell_size: narrow.derived_cell_size(), ..narrow.clone() }), [""; 0]);
    let low = warnings(Settings { agent_climb: 0.15, ..Settings::default() });
    assert!(low[0].contains("0 cells") && low[0].contains("no step is climbed"), "{low:?}");
    assert!(low[0].ends_with("cell_height = 0.15 makes it exact"), "{low:?}");
    let edges = warnings(Settings { max_edge_length: 0.2, ..Settings::default() });
    assert!(edges[0].contains("that is, any"), "{edges:?}");
    let samples = warnings(Settings { detail_sample_distance: Some(0.2), ..Settings::default() });
    assert!(samples[0].contains("that is, none"), "{samples:?}");
    // 0.63 m is 2.1 cells: 43 % more; 0.58 m is 3 % less than two.
    assert_eq!(warnings(Settings { agent_radius: 0.63, ..Settings::default() }).len(), 1);
    assert_eq!(warnings(Settings { agent_radius: 0.58, ..Settings::default() }), [""; 0]);
}

#[test]
fn a_derived_cell_is_half_the_radius_within_its_limits() {
    for (radius, cell) in [(0.6, 0.3), (0.4, 0.2), (0.7, 0.35), (0.0, 0.3), (0.001, 0.001), (10_000.0, 312.5)]
    {
        let settings = Settings { agent_radius: radius, ..Settings::default() };
        assert_eq!(settings.derived_cell_size(), cell, "{radius}");
    }
}

#[test]
fn a_derived_cell_is_no_ledge_on_the_steepest_slope() {
    let cell = |radius, climb, slope, cell_height| {
        let own =
            Settings { agent_radius: radius, agent_climb: climb, agent_slope: slope, ..Settings::default() };
        Settings { cell_height, ..own }.derived_cell_size()
    };
    // The climb of 0.9 m counts as 0.8 m: 4 cells.
    assert!((cell(3.0, 0.9, 45.0, 0.2) - 0.4).abs() < 1e-9);
    assert!((cell(3.0, 0.9, 45.0, 0.3) - 0.45).abs() < 1e-9);
    assert!((cell(0.6, 0.4, 60.0, 0.2) - 0.2 / 3f64.sqrt()).abs() < 1e-9);
    assert_eq!(cell(3.0, 0.9, 10.0, 0.2), 1.5, "half the radius is fine enough");
    assert_eq!(cell(3.0, 0.9, 0.0, 0.2), 1.5);
    assert_eq!(cell(3.0, 0.1, 45.0, 0.2), 1.5, "no step is climbed");
    assert_eq!(cell(4.0, 0.9, 89.0, 0.2), 0.125, "a thirty-second of the radius");
}
