//! Far paths are those of the library.

use crate::calls::support::{ask, done, fails, get, list};
use crate::calls::worlds::WORLD;
use detour::{Filter, NavMesh, Query, Vec3};
use hierarchy::{FarPlace, FarPlanner, Hierarchy};
use navtile::NavFile;
use navtile_c::far::*;
use navtile_c::mesh::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::mem::MaybeUninit;
use std::ptr::null;

#[test]
fn far_paths_are_those_of_the_library() {
    let hierarchy = get(|out| nt_hierarchy_from_bytes(WORLD.as_ptr(), WORLD.len(), out));
    assert_eq!(get(|out| nt_hierarchy_class(hierarchy, c"default".as_ptr(), out)), 0);
    assert_eq!(
        ask(|out| nt_hierarchy_class(hierarchy, c"tank".as_ptr(), out)).err(),
        Some(NtStatus::NT_NOT_FOUND)
    );
    let mesh = get(|out| nt_mesh_from_bytes(WORLD.as_ptr(), WORLD.len(), null(), out));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let place = |x: f32, z: f32| {
        let at = NtVec3 { x, y: 0.0, z };
        get(|out| nt_query_nearest(query, at, None, out)).place
    };
    let (start, goal) = (place(2.0, 2.0), place(37.0, 27.0));
    let bounds = get(|out| nt_query_far_path(query, hierarchy, 0, start, goal, out));
    let stops = list(100, |out, capacity, count| nt_query_far_stops(query, out, capacity, count));

    let file = NavFile::open(&WORLD[..]).unwrap();
    let (ours, world) = (NavMesh::of_file(&file, [0.0; 3]).unwrap(), file.hierarchy().unwrap().unwrap());
    let world = Hierarchy::from_bytes(world).unwrap();
    let at = |x: f32, z: f32| {
        let near = Query::new().nearest(&ours, Vec3::new(x, 0.0, z), Vec3::splat(2.0), &Filter::default());
        FarPlace { mesh: &ours, place: near.unwrap().place() }
    };
    let (from, to) = (at(2.0, 2.0), at(37.0, 27.0));
    let mut planner = FarPlanner::new();
    let plan = planner.plan(&world, 0, from, to).unwrap().unwrap();
    assert_eq!([bounds.lower, bounds.upper], [plan.lower, plan.upper]);
    let points: Vec<[f64; 3]> = planner.stops(&plan).iter().map(|stop| stop.point).collect();
    assert!(stops.len() > 4);
    assert_eq!(stops.iter().map(|stop| stop.point).collect::<Vec<_>>(), points);
    let last = stops.last().unwrap();
    assert_eq!([last.first_x, last.first_z, last.columns as i32], [7, 5, 1]);

    let unknown = nt_query_far_path(query, hierarchy, 5, start, goal, Some(&mut MaybeUninit::uninit()));
    fails(unknown, NtStatus::NT_ERROR_ARGUMENT, "no class 5");
    done(nt_hierarchy_free(hierarchy));
    let freed = nt_query_far_path(query, hierarchy, 0, start, goal, Some(&mut MaybeUninit::uninit()));
    fails(freed, NtStatus::NT_ERROR_HANDLE, "freed");
}

#[test]
fn files_without_a_hierarchy_are_refused() {
    let scene = navscenes::tiled_file("courtyard", 32).unwrap();
    let refused = nt_hierarchy_from_bytes(scene.as_ptr(), scene.len(), Some(&mut MaybeUninit::uninit()));
    fails(refused, NtStatus::NT_ERROR_DATA, "bake the level again with `navtile bake --hierarchy`");
    let missing = nt_hierarchy_open(c"nowhere.navtile".as_ptr(), Some(&mut MaybeUninit::uninit()));
    fails(missing, NtStatus::NT_ERROR_FILE, "nowhere.navtile");
}
