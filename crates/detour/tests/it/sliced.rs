//! Sliced searches find the same paths as whole searches.

use crate::common::{Grid, Random, at, is_linked, place, random_grid};
use detour::{
    Filter, NavMesh, Optimality, Path, PathOptions, PathStatus, Place, PolyRef, Progress, Query, QueryError,
    SlicedPath, Vec3,
};
use std::num::NonZeroU32;

/// The path found with `slice` polygons at a time, and the number of slices.
fn sliced(
    mesh: &NavMesh,
    query: &mut Query,
    ends: [Place; 2],
    filter: &Filter,
    options: PathOptions,
    slice: u32,
) -> (Path, usize) {
    let mut search = SlicedPath::new(query, mesh.clone(), ends[0], ends[1], filter, options).unwrap();
    let (mut path, mut slices) = (Path::default(), 0);
    loop {
        slices += 1;
        let progress = search.update(slice).unwrap();
        assert_eq!((search.progress(), search.finish(&mut path).unwrap()), (progress, progress));
        if progress == Progress::Done {
            break;
        }
        assert_eq!(path, Path::default());
    }
    *query = search.into_query();
    (path, slices)
}

#[test]
fn slices_add_up_to_the_whole() {
    let mut partial = 0;
    for seed in 0..60 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 30, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 1);
        let filter = Filter::default().with_area_cost(2, 3.0).unwrap().with_exclude(8);
        let nodes = NonZeroU32::new(20 + random.below(100) as u32).unwrap();
        let (mut whole, mut query) = (Query::with_max_nodes(nodes), Query::with_max_nodes(nodes));
        for optimality in [Optimality::Fast, Optimality::Near] {
            let ends = [0, 0].map(|_| {
                let polygon = polygons[random.below(polygons.len() as u64) as usize];
                Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 }
            });
            let options = PathOptions { optimality };
            let mut expected = Path::default();
            whole.find_path(&mesh, ends[0], ends[1], &filter, &options, &mut expected).unwrap();
            partial += usize::from(expected.status != PathStatus::Complete);
            for slice in [1, 3, 7, u32::MAX] {
                let (found, slices) = sliced(&mesh, &mut query, ends, &filter, options, slice);
                assert_eq!(found, expected, "seed {seed}");
                // Without a path to the goal the search runs once more with dead ends, and then to the place
                // that came nearest.
                assert!(slices <= 3 * nodes.get() as usize + 3);
            }
            // Steps count the same in one slice as in many, also where the search begins again.
            let (_, steps) = sliced(&mesh, &mut query, ends, &filter, options, 1);
            let (before, last) = (steps as u32 - 1, 1);
            let mut search =
                SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, options).unwrap();
            let progress = [before, last].map(|steps| search.update(steps).unwrap());
            assert_eq!(progress, [Progress::Running, Progress::Done], "seed {seed}");
            query = search.into_query();
        }
    }
    assert!(partial > 10 && partial < 110, "{partial}: the grids say nothing");
}

#[test]
fn slices_of_one_tell_the_order_of_the_search() {
    let mut complete = 0;
    for seed in 0..40 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 30, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 7);
        let costly = Filter::default().with_area_cost(2, 3.0).unwrap();
        for (filter, optimality) in [(costly, Optimality::Fast), (Filter::default(), Optimality::Near)] {
            let mut query = Query::new();
            let ends = [0, 0].map(|_| {
                let polygon = polygons[random.below(polygons.len() as u64) as usize];
                Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 }
            });
            let options = PathOptions { optimality };
            let mut search =
                SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, options).unwrap();
            let mut order = Vec::new();
            while search.progress() == Progress::Running {
                order.extend(search.next_polygon());
                search.update(1).unwrap();
            }
            assert_eq!(search.next_polygon(), None);
            let mut path = Path::default();
            search.finish(&mut path).unwrap();
            assert_eq!(order.first(), path.polygons.first(), "seed {seed}");
            if path.status == PathStatus::Complete {
                complete += 1;
                assert_eq!(order.last(), path.polygons.last(), "seed {seed}");
                // Each polygon of the path is settled after its predecessor; other polygons, and other paths
                // to it, come in between.
                let mut rest = order.iter();
                assert!(path.polygons.iter().all(|polygon| rest.any(|each| each == polygon)), "seed {seed}");
            }
        }
    }
    assert!(complete > 40, "{complete}: the grids say nothing");
}

#[test]
fn a_path_that_is_walked_is_kept_as_far_as_the_search_has_come() {
    let mesh = Grid::new("..........").mesh();
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(9.5, 0.5))];
    let mut whole = Path::default();
    let (filter, options) = (Filter::default(), PathOptions::default());
    Query::new().find_path(&mesh, ends[0], ends[1], &filter, &options, &mut whole).unwrap();
    let mut query = Query::new();
    let mut search = SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, options).unwrap();
    let mut polygons = Vec::new();
    search.finish_partial(&whole.polygons, &mut polygons);
    assert_eq!(polygons, whole.polygons[..1]);
    assert_eq!(search.update(0).unwrap(), Progress::Running);
    assert_eq!(search.update(4).unwrap(), Progress::Running);
    // Four polygons are settled, and the fifth is known.
    search.finish_partial(&whole.polygons, &mut polygons);
    assert_eq!(polygons, whole.polygons[..5]);
    search.finish_partial(&whole.polygons[..3], &mut polygons);
    assert_eq!(polygons, whole.polygons[..3]);
    search.finish_partial(&[], &mut polygons);
    assert!(polygons == whole.polygons[..5] && is_linked(&mesh, &polygons));
    search.finish_partial(&[PolyRef::new(7, 7, 7).unwrap()], &mut polygons);
    assert_eq!(polygons, whole.polygons[..5]);
}

#[test]
fn the_mesh_may_change_meanwhile() {
    let mut mesh = Grid::new("..........").mesh();
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(9.5, 0.5))];
    let (filter, options) = (Filter::default(), PathOptions::default());
    let mut query = Query::new();
    let mut search = SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, options).unwrap();
    search.update(3).unwrap();
    mesh.remove_tile(Default::default()).unwrap();
    let mut path = Path::default();
    assert_eq!(search.update(100).unwrap(), Progress::Done);
    search.finish(&mut path).unwrap();
    assert_eq!((path.status, path.polygons.len()), (PathStatus::Complete, 10));
    // A new search on the changed mesh is refused, and the query is unchanged.
    let refused = SlicedPath::new(&mut query, mesh, ends[0], ends[1], &filter, options).unwrap_err();
    assert!(matches!(refused, QueryError::Reference(_)));
    let nowhere = Place { point: at(f32::NAN, 0.0), ..ends[0] };
    let refused = SlicedPath::new(&mut query, NavMesh::default(), nowhere, ends[1], &filter, options);
    assert!(matches!(refused, Err(QueryError::Position { .. })));
}
