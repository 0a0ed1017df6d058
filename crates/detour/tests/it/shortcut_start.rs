//! Shortcuts of paths whose start is a shared corner of several of their polygons: the results are still
//! paths.

use crate::common::{Random, is_linked, random_grid, unit};
use detour::{Filter, Optimality, Path, PathOptions, Place, PolyRef, Query, Vec3};

#[test]
fn a_path_that_starts_at_a_shared_corner_stays_linked() {
    // Paths are not flipped over corners if costs differ, so that rays find more.
    let filter = Filter::default().with_area_cost(9, 2.0).unwrap();
    let mut shortened = 0;
    for seed in 0..30 {
        let mut text = String::new();
        let mut mesh = random_grid(seed, 8, 25, &mut text).mesh();
        let mut random = Random(seed + 1);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        mesh.set_area(polygons[0], 9).unwrap();
        for _ in 0..100 {
            let mut query = Query::new();
            let goal = query.random_point(&mesh, &filter, || unit(&mut random)).unwrap();
            let polygon = polygons[(unit(&mut random) * polygons.len() as f64) as usize];
            let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
            for point in corners {
                let (start, mut path) = (Place { polygon, point }, Path::default());
                query
                    .find_path(
                        &mesh,
                        start,
                        goal,
                        &filter,
                        &PathOptions { optimality: Optimality::Near },
                        &mut path,
                    )
                    .unwrap();
                let before = path.polygons.clone();
                let legs =
                    query.shortcut(&mesh, point, goal.point, 50.0, &filter, &mut path.polygons).unwrap();
                assert!(is_linked(&mesh, &path.polygons), "seed {seed}: {before:?} {:?}", path.polygons);
                let ends = |polygons: &[PolyRef]| [polygons[0], polygons[polygons.len() - 1]];
                assert_eq!(ends(&path.polygons), ends(&before));
                shortened += usize::from(legs > 0);
            }
        }
    }
    assert!(shortened > 20, "{shortened}");
}
