//! Classes: what they may enter, and what it costs them.

use crate::worlds::{TILE, mesh, settings, water_world};
use detour::{Filter, Path, PathOptions, PathStatus, Place, Query, Vec3};
use hierarchy::{Class, FarPlace, FarPlanner, Hierarchy, HierarchyError, HierarchySettings};
use navmath::SplitMix64;

/// The area of the water.
const WATER: u8 = 2;

#[test]
fn classes_keep_to_their_areas_and_costs() {
    let mesh = mesh(&water_world());
    let swims = Filter::default().with_area_cost(WATER, 5.0).expect("a cost");
    let filters = [("walks", Filter::default().without_area(WATER)), ("swims", swims)];
    let classes: Vec<Class> = filters
        .iter()
        .map(|(name, filter)| Class { name: (*name).to_owned(), filter: filter.clone() })
        .collect();
    let settings = HierarchySettings { classes, ..settings() };
    let hierarchy =
        Hierarchy::build(&mesh, mesh.lattice().expect("tiles"), TILE, &settings).expect("a hierarchy");
    assert_eq!((hierarchy.class("swims"), hierarchy.class("flies")), (Some(1), None));
    let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(3));
    let (mut path, mut found) = (Path::default(), [[0; 2]; 2]);
    for _ in 0..200 {
        let [start, goal] = [0; 2].map(|_| {
            loop {
                let at = Vec3::new(random.between(0.0, 100.0) as f32, 0.0, random.between(0.0, 100.0) as f32);
                let ground = Filter::default().without_area(WATER);
                if let Ok(near) = query.nearest(&mesh, at, Vec3::new(1.0, 2.0, 1.0), &ground) {
                    break near.place();
                }
            }
        });
        for (class, (_, filter)) in filters.iter().enumerate() {
            let ends = [start, goal].map(|place: Place| FarPlace { mesh: &mesh, place });
            let plan = planner.plan(&hierarchy, class, ends[0], ends[1]).expect("a plan");
            let options = PathOptions::default();
            query.find_path(&mesh, start, goal, filter, &options, &mut path).expect("places on the mesh");
            assert_eq!(plan.is_some(), path.status == PathStatus::Complete, "{class} {start:?} {goal:?}");
            found[class][usize::from(plan.is_some())] += 1;
            if let Some(plan) = plan {
                assert!(plan.lower <= path.cost * 1.001 + 0.01, "{} {}", plan.lower, path.cost);
                assert!(plan.upper <= path.cost * 1.25 + 5.0, "{} {}", plan.upper, path.cost);
            }
        }
    }
    assert!(found[0][0] > 20 && found[0][1] > 20 && found[1] == [0, 200], "{found:?}");
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let mesh = mesh(&water_world());
    let lattice = mesh.lattice().expect("tiles");
    let refused = |settings: HierarchySettings, tile: u32| {
        Hierarchy::build(&mesh, lattice, tile, &settings).expect_err("unusable settings").to_string()
    };
    assert!(refused(settings(), 0).contains("bake with a tile size"));
    assert!(
        refused(HierarchySettings { cluster: f64::NAN, ..settings() }, TILE)
            .contains("hierarchy.cluster is NaN")
    );
    assert!(
        refused(HierarchySettings { spacing: 0.0, ..settings() }, TILE).contains("hierarchy.spacing is 0")
    );
    assert!(
        refused(HierarchySettings { classes: Vec::new(), ..settings() }, TILE).contains("at least one class")
    );
    let class = settings().classes[0].clone();
    let twice = HierarchySettings { classes: vec![class.clone(), class], ..settings() };
    assert!(refused(twice, TILE).contains("two classes are called \"default\""));
    assert!(matches!(
        Hierarchy::build(&mesh, lattice, 9000, &settings()),
        Err(HierarchyError::Size { name: "tile", .. })
    ));
}
