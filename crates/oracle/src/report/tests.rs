//! Whole reports on a level small enough to draw: a floor with a box on it.

use super::*;
use crate::compare::Kind;
use recast::Settings;

/// A floor of 12 m by 12 m, and a block of about 3 m by 3 m and 2 m high in its middle.
fn block_on_floor() -> Level {
    let mut level = Level::default();
    let mut quad = |corners: [[f64; 3]; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let flat = |low: f64, high: f64, y: f64| [[low, y, low], [low, y, high], [high, y, high], [high, y, low]];
    quad(flat(0.0, 12.0, 0.0));
    quad(flat(4.43, 7.57, 2.0));
    for [(ax, az), (bx, bz)] in [
        [(4.43, 4.43), (7.57, 4.43)],
        [(7.57, 4.43), (7.57, 7.57)],
        [(7.57, 7.57), (4.43, 7.57)],
        [(4.43, 7.57), (4.43, 4.43)],
    ] {
        quad([[ax, 0.0, az], [ax, 2.0, az], [bx, 2.0, bz], [bx, 0.0, bz]]);
    }
    level
}

fn report(stages_only: bool) -> Report {
    let level = block_on_floor();
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let partitions = Partition::NAMES.map(|(_, partition)| partition).to_vec();
    let options = Options { partitions, space: Space::Lattice, stages_only };
    measure("block", None, &level, &prepared, &[TileBuild::solo(&prepared)], &options).unwrap()
}

#[test]
fn a_block_on_a_floor_is_equal_everywhere() {
    let report = report(false);
    assert_eq!(report.unexpected(), Vec::<String>::new());
    let table = report.table();
    assert!(table.contains("watershed") && table.contains("layers"), "{table}");
    let row = &report.rows[&(Some("watershed"), StageId::Regions)];
    assert_eq!(row.ours, row.theirs);
    assert_ne!(row.ours.numbers(), "0");
}

fn noted(kind: Kind, count: usize, cause: Cause) -> Noted {
    Noted { difference: Difference { kind, count, first: "here".to_owned() }, cause }
}

#[test]
fn a_difference_is_unexpected_unless_listed() {
    let mut report = report(true);
    let row = report.rows.get_mut(&(None, StageId::Erode)).unwrap();
    row.fed =
        Some(vec![noted(Kind::SpanArea, 3, Cause::Unlisted), noted(Kind::Floor, 2, Cause::Follows("a"))]);
    assert_eq!(report.unexpected(), ["erode, fed C++ input: 3 x span area; first: here"]);
    assert!(report.table().contains("3 span area, (2 floor, from a)"));
    let row = report.rows.get_mut(&(None, StageId::Erode)).unwrap();
    row.fed = Some(vec![noted(Kind::SpanArea, 3, Cause::Listed("known", 3))]);
    assert_eq!(report.unexpected(), Vec::<String>::new());
    let row = report.rows.get_mut(&(None, StageId::Erode)).unwrap();
    row.fed = Some(vec![noted(Kind::SpanArea, 4, Cause::Listed("known", 3))]);
    assert_eq!(
        report.unexpected(),
        ["erode, fed C++ input: 4 x span area (known: at most 3 are meant); first: here"]
    );
}

/// Consequences of a listed deviation are looked for in the same tile and the same partition only.
#[test]
fn consequences_stay_in_their_bake() {
    let mut report = report(true);
    report.bake = Bake { level: "spiral".to_owned(), cell_size: 0.3, tile_cells: None };
    let prepared = PreparedLevel::new(&block_on_floor(), &Settings::default()).unwrap();
    let tile = TileBuild::solo(&prepared);
    let outcome = |stage, kind| Outcome {
        stage,
        differences: vec![Difference { kind, count: 1, first: "here".to_owned() }],
    };
    let outcomes =
        || vec![outcome(StageId::Regions, Kind::Region), outcome(StageId::PolyMesh, Kind::VertexCount)];
    let root = report.add_outcomes(Some("watershed"), outcomes(), &tile, Way::Chain, None);
    assert_eq!((root, report.unexpected().len()), (Some("overlap-split"), 0));
    report.add_outcomes(Some("monotone"), outcomes(), &tile, Way::Chain, None);
    assert_eq!(report.unexpected().len(), 2);
    report.add_outcomes(Some("watershed"), outcomes(), &tile, Way::Fed, None);
    assert_eq!(report.unexpected().len(), 3, "{:?}", report.unexpected());
}

#[test]
fn spans_must_keep_their_promise() {
    let mut report = report(true);
    let all = SpanAgreement { columns: 1000, solid_differing: 2, ..SpanAgreement::default() };
    report.raster = RasterAgreement { all, ..RasterAgreement::default() };
    assert!(report.unexpected()[0].contains("more than promised"));
    report.raster.all.ours_right = 1;
    assert_eq!(report.unexpected(), Vec::<String>::new());
    report.raster.all.ours_right = 0;
    report.judged = false;
    assert_eq!(report.unexpected(), Vec::<String>::new());
}
