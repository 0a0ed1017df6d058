//! Tests of the reader of geometry sets.

use super::*;
use crate::error::SettingProblem;
use proptest::prelude::*;
use recast::{OffMeshConnection, Partition, Shape, Volume};

const WHOLE: &str = "\
f nav test.obj
s 0.300000 0.200000 2.000000 0.600000 0.900000 45.000000 8.000000 20.000000 12.000000 1.300000 6.000000 6.000000 \
1.000000 1 -10.000000 -1.000000 -20.000000 10.000000 5.000000 20.000000 0.000000
c 1.500000 2.000000 3.000000  -4.000000 5.000000 6.000000  0.600000 1 5 8
c 0 0 0 1 1 1 0.5 0 0 1\r

v 3 1 -0.500000 2.000000
0.000000 1.000000 0.000000
4.000000 1.000000 0.000000
2.000000 1.000000 3.000000
v 3 3 0 1
0 0 0
1 0 0
0 0 1
";

fn read(text: &str) -> Gset {
    read_gset(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn problems(bytes: &[u8]) -> Vec<SettingProblem> {
    match read_gset(bytes) {
        Err(InputError::Gset(problems)) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

/// Asserts that exactly these problems are reported, in this order, each by its line and a part of its text.
fn assert_reported(text: &str, expected: &[(u64, &str)]) {
    let report: Vec<_> = problems(text.as_bytes())
        .iter()
        .map(|problem| (problem.place.unwrap().line, problem.to_string()))
        .collect();
    assert_eq!(report.len(), expected.len(), "{report:#?}");
    for ((line, message), (expected_line, part)) in report.iter().zip(expected) {
        assert!(line == expected_line && message.contains(part), "{line}: {message}, wanted {part}");
    }
}

#[test]
fn corners_of_a_volume_that_cannot_be_used_are_not_reported_too() {
    let reported = problems(b"v 2 1 0 1\nnan 0 0\n?? 0 0\n-1 0 1\nzzz 1\n");
    let lines: Vec<u64> = reported.iter().map(|problem| problem.place.unwrap().line).collect();
    assert_eq!(lines, [1, 5], "{reported:?}");
}

#[test]
fn all_of_a_set_arrives() {
    let gset = read(WHOLE);
    assert_eq!((gset.mesh.as_str(), gset.settings_line, gset.tile_cells), ("nav test.obj", Some(2), None));
    let settings = gset.settings;
    assert_eq!(
        (settings.cell_size, settings.cell_height, settings.partition),
        (0.3, 0.2, Partition::Monotone)
    );
    assert_eq!(settings.bounds, Some([[-10.0, -1.0, -20.0], [10.0, 5.0, 20.0]]));
    // RecastDemo's defaults, in cells, are ours.
    let mut config = settings.validate().unwrap();
    let default = Settings::default().validate().unwrap();
    assert!((config.detail_sample_distance - default.detail_sample_distance).abs() < 1e-6);
    config.detail_sample_distance = default.detail_sample_distance;
    config.settings = Settings::default();
    assert_eq!(config, default);
    let connection = |start, end, radius, both_ways, area, flags, user_id| OffMeshConnection {
        start,
        end,
        radius,
        both_ways,
        area: AreaId(area),
        flags: Some(flags),
        user_id,
        along: [0.0; 2],
    };
    let expected = [
        connection([1.5, 2.0, 3.0], [-4.0, 5.0, 6.0], 0.6, true, 5, 8, 1),
        connection([0.0; 3], [1.0; 3], 0.5, false, 63, 1, 2),
    ];
    assert_eq!(settings.off_mesh_connections, expected);
    let outline = vec![[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]];
    let water = Volume { shape: Shape::Prism { outline, bottom: -0.5, top: 2.0 }, area: AreaId(1) };
    assert_eq!((settings.volumes.len(), &settings.volumes[0]), (2, &water));
    let areas: Vec<_> =
        settings.areas.iter().map(|area| (area.id.0, area.name.as_str(), area.flags)).collect();
    let expected =
        [(1, "water", 2), (2, "road", 1), (3, "door", 5), (4, "grass", 1), (5, "jump", 8), (63, "ground", 1)];
    assert_eq!(areas, expected);
}

#[test]
fn a_set_may_name_a_mesh_alone() {
    let gset = read("\u{FEFF}# a comment\n  f level.obj  \r\n");
    assert_eq!((gset.mesh.as_str(), gset.settings_line), ("level.obj", None));
    assert_eq!(gset.settings, Settings { areas: areas(), ..Settings::default() });
}

#[test]
fn odd_settings_are_kept_sound() {
    let row = |change: &dyn Fn(&mut Vec<&str>)| {
        let mut words: Vec<&str> = WHOLE.lines().nth(1).unwrap().split(' ').collect();
        change(&mut words);
        read(&format!("f level.obj\n{}\n", words.join(" ")))
    };
    let flat = row(&|words| (words[16], words[19]) = ("1", "1"));
    assert_eq!(flat.settings.bounds.map(|[min, max]| [min[1], max[1]]), Some([1.0, 1.2]));
    assert!(flat.settings.validate().is_ok());
    let tiled = row(&|words| words[21] = "48");
    assert_eq!(tiled.tile_cells, Some(48.0));
    let part = row(&|words| words[7] = "2.5");
    assert_eq!(part.settings.validate().unwrap().region_min_cells, 6, "whole cells, rounded down");
}

#[test]
fn a_volume_of_area_0_cuts_a_hole() {
    let gset = read("f a.obj\nv 3 0 0 1\n0 0 0\n1 0 0\n0 0 1\n");
    assert_eq!(gset.settings.volumes[0].area, AreaId::NULL);
}

#[test]
fn every_problem_is_reported_with_its_line() {
    let text = "f\nx 1 2\ns 1 2 3\nc 1 2 3 4 5 nan 0.5 1 2 3\nc 1 2 3 4 5 6 0.5 2 256 -1\nc 1 2 3 4 5 6 0 1 2 3\n\
                v 2 1 0 1\n0 0 0\n1 1 1\nv 3 1 0\n0 0 0\n1 1 1\n2 2 2\nv 3 1 0 1\n0 0 0\n1 1\n2 2 inf\n\
                v 3 1.5 0 1\n0 0 0\n1 0 0\n1 0 1\nv 3 1 2 1\n0 0 0\n1 0 0\n1 0 1\nf a.obj\nf b.obj\ns 1\n\
                v 4 1 0 1\n0 0 0\nc 1\nv 4000000000 1 0 1\n0 0 0\n";
    assert_reported(
        text,
        &[
            (1, "the row names no mesh"),
            (2, "unknown row `x`, expected `f` (mesh)"),
            (3, "the row has 3 values, expected 21: cell size, cell height"),
            (4, "end z is `nan`, expected a finite number"),
            (5, "both ways is 2, expected a whole number of 0 to 1"),
            (5, "area is 256, expected a whole number of 0 to 255"),
            (5, "flags is -1, expected a whole number of 0 to 65535"),
            (6, "its radius must be finite and positive"),
            (7, "the volume has 2 corners, expected at least 3"),
            (10, "the row has 3 values, expected 4: number of corners, area, bottom, top"),
            (16, "the row has 2 values, expected 3: x, y, z"),
            (17, "z is `inf`"),
            (18, "area is 1.5"),
            (22, "not a valid volume: its corners must be finite and its bottom not above its top"),
            (27, "a second mesh, expected one; the first is in line 26"),
            (28, "a second row of settings, expected one; the first is in line 3"),
            (31, "found row `c`, expected corner 2 of 4 of the volume in line 29"),
            (31, "the row has 1 value, expected 10"),
            (32, "the file ends, expected corner 2 of 4000000000"),
        ],
    );
    assert_reported("", &[(1, "the file names no mesh, expected a row `f MESH.obj`")]);
    assert_reported("fnav.obj\n", &[(1, "unknown row `fnav.obj`")]);
    let report = problems(b"f a.obj\nf \xFF\n");
    assert!(report[0].to_string().contains("line 2, column 3: the text is not UTF-8"), "{report:?}");
}

#[test]
fn settings_rows_are_checked_value_by_value() {
    let row = |index: usize, value: &str| {
        let mut words: Vec<&str> = WHOLE.lines().nth(1).unwrap().split(' ').collect();
        words[index] = value;
        format!("f level.obj\n{}\n", words.join(" "))
    };
    for (index, value, part) in [
        (1, "big", "cell size is `big`, expected a finite number"),
        (7, "-1", "smallest region is -1, expected 0 or more"),
        (11, "6.5", "vertices a polygon is 6.5, expected a whole number of 3 to 255"),
        (14, "3", "partition is 3, expected a whole number of 0 to 2"),
        (15, "nan", "smallest x is `nan`"),
        (21, "-48", "tile size is -48"),
    ] {
        assert_reported(&row(index, value), &[(2, part)]);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(f a|[fscv]|[-0-9. ]{0,12}|nan|\\n|\\PC{0,5}){0,30}") {
        let _read_or_not = read_gset(text.as_bytes()).is_ok();
    }

    #[test]
    fn volumes_survive_the_text(corners in prop::collection::vec(prop::array::uniform2(-1e3f64..1e3), 3..20)) {
        let rows: String = corners.iter().map(|[x, z]| format!("{x:?} 0 {z:?}\n")).collect();
        let gset = read(&format!("f a.obj\nv {} 2 0 1\n{rows}", corners.len()));
        let Shape::Prism { outline, .. } = &gset.settings.volumes[0].shape else { panic!("a prism") };
        prop_assert_eq!(outline, &corners);
    }
}

#[test]
fn areas_cost_what_recast_demo_says() {
    let areas = areas();
    let costs: Vec<(u8, u32, f32)> = areas.iter().map(|area| (area.id.0, area.flags, area.cost)).collect();
    let expected = [(1, 2, 10.0), (2, 1, 1.0), (3, 5, 1.0), (4, 1, 2.0), (5, 8, 1.5), (63, 1, 1.0)];
    assert_eq!(costs, expected);
}

#[test]
fn every_number_of_the_settings_is_taken() {
    let row = "s 0.25 0.5 1.5 0.75 0.625 30 4 5 6 2.5 5 3 1.5 2 -1 -2 -3 4 5 6 16\n";
    let gset = read(&format!("f a.obj\n{row}"));
    let settings = Settings {
        cell_size: 0.25,
        cell_height: 0.5,
        agent_height: 1.5,
        agent_radius: 0.75,
        agent_climb: 0.625,
        agent_slope: 30.0,
        region_min_area: Some(1.0),
        region_merge_area: Some(25.0 / 16.0),
        max_edge_length: 6.0,
        contour_max_error: Some(0.625),
        max_vertices: 5,
        detail_sample_distance: Some(0.75),
        detail_max_error: Some(0.75),
        partition: Partition::Layers,
        bounds: Some([[-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]]),
        ..gset.settings.clone()
    };
    assert_eq!(gset.settings, settings);
    let negative = row.replace(" 4 5 6 2.5", " -4 5 6 2.5");
    let problems = problems(format!("f a.obj\n{negative}").as_bytes());
    assert_eq!(problems.len(), 1, "{problems:?}");
    let place = problems[0].place.unwrap();
    assert_eq!((place.line, place.column), (2, 1 + row.find(" 4 5 6 2.5").unwrap() as u64 + 1));
}

#[test]
fn long_words_are_cut_in_messages() {
    let said = |length: usize| problems(format!("{} 1\n", "w".repeat(length)).as_bytes())[0].what.clone();
    assert!(said(40).contains(&"w".repeat(40)) && !said(40).contains("w.."));
    assert!(said(41).contains(&format!("{}..", "w".repeat(40))));
}
