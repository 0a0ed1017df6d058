//! Whole measurements of small levels.

use super::testing::two_storeys;
use super::*;
use recast::Settings;

fn measured(level: &Level, options: &QualityOptions) -> LevelQuality {
    let prepared = PreparedLevel::new(level, &Settings::default()).unwrap();
    measure("level", level, &prepared, options).unwrap()
}

#[test]
fn a_plain_level_is_perfect_on_either_side() {
    let options = QualityOptions { tile_cells: 16, pairs: 40, seed: 3, capsules: 500 };
    let quality = measured(&two_storeys(), &options);
    assert_eq!(quality.columns.iter().map(|(column, _)| *column).collect::<Vec<_>>(), MeshVariant::ALL);
    for (column, measures) in &quality.columns {
        let measures = measures.as_ref().unwrap();
        let Measures { coverage, conservation, height, paths, capsules, complexity, .. } = measures;
        assert!(coverage.floors > 1000 && coverage.beyond_error == 0, "{column:?}: {coverage:?}");
        // Exact outlines lead through cells.
        let is_exact = column.outlines() == recast::Outlines::Exact;
        assert!(is_exact || coverage.uncovered == 0, "{column:?}: {coverage:?}");
        assert!(coverage.over_nothing < if is_exact { 0.01 } else { 1e-9 }, "{column:?}: {coverage:?}");
        assert_eq!(conservation.differing, 0, "{column:?}: {conservation:?}");
        assert!(height.largest() < 1e-9, "{column:?}: {height:?}");
        assert!(paths.pairs == 40 && paths.not_found == 0 && paths.on_mesh.largest() < 1.1, "{column:?}");
        assert!(capsules.on_mesh > 200 && capsules.in_wall == 0 && capsules.free > 200, "{column:?}");
        assert!(capsules.free_share(capsules.uncovered_near) < 40.0, "{column:?}: {capsules:?}");
        assert_eq!((complexity.pieces, complexity.floor_pieces, complexity.borders), (2, 2, 2), "{column:?}");
        assert!(complexity.overlap == 0.0 && complexity.elongation.mean >= 1.0, "{column:?}: {complexity:?}");
        assert_eq!(measures.tiles.is_some(), column.is_tiled());
        if let Some(Tiles { seams, components, islands }) = &measures.tiles {
            assert!(seams.portals > 8 && seams.alone == 0 && seams.unmatched == 0.0, "{column:?}: {seams:?}");
            assert_eq!((components.solo, components.differing, components.floors_differing), (2, 0, 0));
            assert_eq!((islands.solo, islands.tiled, islands.changes.len()), (2, 2, 0), "{column:?}");
        }
    }
}

#[test]
fn the_same_seed_measures_the_same() {
    let options = QualityOptions { tile_cells: 20, pairs: 10, seed: 9, capsules: 500 };
    let [one, two] = [(); 2].map(|()| measured(&two_storeys(), &options).columns);
    assert_eq!(one, two);
}

#[test]
fn what_the_cpp_library_cannot_bake_is_said() {
    let mut level = two_storeys();
    level.areas = vec![recast::AreaId(200); level.triangles.len()];
    let quality = measured(&level, &QualityOptions { tile_cells: 32, pairs: 2, seed: 1, capsules: 500 });
    for (column, measures) in quality.columns {
        let refusal = measures.err().unwrap_or_default();
        assert_eq!(refusal.contains("area 200 is above 63"), !column.is_ours(), "{column:?}: {refusal}");
    }
}

/// On winding ramps, over holes and storeys, no path is shorter than the exact search says, and nearly all
/// lengths are close to it.
#[test]
fn no_path_is_shorter_than_the_shortest() {
    for name in ["courtyard", "spiral", "storeys"] {
        let scene = navscenes::by_name(name).unwrap();
        let level = (scene.level)();
        let prepared = PreparedLevel::new(&level, &(scene.settings)()).unwrap();
        let options = QualityOptions { tile_cells: 24, pairs: 60, seed: 2, capsules: 500 };
        for (column, measures) in measure(name, &level, &prepared, &options).unwrap().columns {
            let paths = measures.unwrap().paths;
            assert_eq!((paths.on_mesh.count, paths.given_up.len()), (60, 0), "{name}, {column:?}");
            assert!(paths.on_mesh.least > 1.0 - 1e-6, "{name}, {column:?}: {paths:?}");
            assert!(paths.on_mesh.mean < 1.02, "{name}, {column:?}: {paths:?}");
        }
    }
}
