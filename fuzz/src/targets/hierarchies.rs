//! Hierarchies from bytes: sound ones with a few bytes changed, and any bytes.

use super::{QUERIES, reader_bound};
use crate::base;
use crate::memory::bounded;
use crate::questions::mesh_of;
use detour::{NavMesh, Place};
use hierarchy::{FarPlace, FarPlanner, Hierarchy, HierarchySettings};
use std::sync::LazyLock;

/// Cells along a side of the tiles that the seed describes.
const TILE_CELLS: u32 = 48;
/// Polygons between which plans are made.
const ENDS: usize = 4;

/// A mesh in tiles, and its hierarchy of very small clusters.
static SPIRAL: LazyLock<(NavMesh, Vec<u8>)> = LazyLock::new(|| {
    let mesh = mesh_of(&base::all()[4].tiles).expect("a spiral in tiles");
    let settings = HierarchySettings { cluster: 1.0, spacing: 2.0, ..HierarchySettings::default() };
    let lattice = mesh.lattice().expect("tiles");
    let built = Hierarchy::build(&mesh, lattice, TILE_CELLS, &settings).expect("a hierarchy");
    (mesh, built.to_bytes())
});

/// The bytes of the seed.
pub(crate) fn seed() -> Vec<u8> {
    SPIRAL.1.clone()
}

/// Arbitrary bytes as a hierarchy. An accepted one is written and read again, and plans between a few places.
pub fn hierarchy(data: &[u8]) {
    // A block without crossings takes 12 bytes, and some 400 in memory, twice while it is read.
    let bound = reader_bound(data, 100);
    let Ok(hierarchy) = bounded(bound, || Hierarchy::from_bytes(data)) else { return };
    let written = hierarchy.to_bytes();
    let again = Hierarchy::from_bytes(&written).expect("what is written can be read");
    assert!(again == hierarchy);
    assert_eq!(again.to_bytes(), written);
    let (mesh, _) = &*SPIRAL;
    let places: Vec<Place> = mesh
        .polygons()
        .step_by(mesh.polygon_count() / ENDS + 1)
        .filter_map(|polygon| {
            let point = mesh.corners(polygon).ok()?.next()?;
            Some(Place { polygon, point })
        })
        .collect();
    bounded(QUERIES, || {
        let mut planner = FarPlanner::new();
        for (&start, &goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (start, goal))) {
            for class in 0..hierarchy.classes().len().min(2) {
                let [start, goal] = [start, goal].map(|place| FarPlace { mesh, place });
                if let Ok(Some(plan)) = planner.plan(&hierarchy, class, start, goal) {
                    assert!(plan.lower <= plan.upper && plan.lower >= 0.0);
                    planner.stops(&plan);
                }
            }
        }
    });
}
