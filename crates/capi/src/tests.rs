//! Tests of the calls: their answers are the library's, and nothing that C may do wrong ends badly.

use crate::bake::{NtFile, nt_bake_agents, nt_bake_free, nt_bake_from_triangles, nt_bake_new, nt_bake_run};
use crate::bake::{nt_bytes_data, nt_bytes_free};
use crate::corridor::*;
use crate::crowd::*;
use crate::mesh::*;
use crate::query::*;
use crate::status::{NtStatus, nt_last_error, nt_version};
use crate::types::*;
use detour::{Filter, NavMesh, Query, Ray, RouteOptions, Slide, Vec3};
use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr::null;

const NONE: NtFilter = NtFilter { id: 0 };

/// The answer of a call that must succeed.
fn get<T>(call: impl FnOnce(Option<&mut MaybeUninit<T>>) -> NtStatus) -> T {
    let mut out = MaybeUninit::uninit();
    let status = call(Some(&mut out));
    assert_eq!(status, NtStatus::NT_OK, "{}", last_error());
    // SAFETY: the call has succeeded, so that it has written its answer.
    unsafe { out.assume_init() }
}

fn last_error() -> String {
    // SAFETY: it is a text of this thread, and no call comes between.
    unsafe { CStr::from_ptr(nt_last_error()) }.to_str().unwrap().to_owned()
}

#[track_caller]
fn fails(status: NtStatus, expected: NtStatus, part: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(last_error().contains(part), "`{}` has no `{part}`", last_error());
}

/// A scene as a mesh, in C and in Rust.
fn scene(name: &str) -> (NtMesh, NavMesh) {
    let tile = navscenes::baked_tile(name).unwrap();
    let mesh = get(|out| nt_mesh_new(null(), out));
    let bytes = tile.bytes();
    assert_eq!(nt_mesh_add_tile(mesh, bytes.as_ptr(), bytes.len()), NtStatus::NT_OK, "{}", last_error());
    let mut ours = NavMesh::default();
    ours.add_tile(tile).unwrap();
    (mesh, ours)
}

fn vec(of: NtVec3) -> Vec3 {
    of.into()
}

#[test]
fn answers_are_those_of_the_library() {
    let (mesh, ours) = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let (mut asked, filter, options) = (Query::new(), Filter::default(), RouteOptions::default());
    let (mut ray, mut slide, mut state) = (Ray::default(), Slide::default(), 1);
    let mut points = [NtVec3::default(); 64];
    let mut corners = [const { MaybeUninit::<NtCorner>::uninit() }; 64];
    for number in 0..2_000 {
        let [a, b] =
            [(); 2].map(|()| get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out)));
        let (from, to) = (vec(a.point) + Vec3::Y * 0.3, vec(b.point));
        let nearest = get(|out| nt_query_nearest(query, from.into(), None, out));
        let expected = asked.nearest(&ours, from, options.half_extents, &filter).unwrap();
        assert_eq!(nearest.place, expected.place().into(), "question {number}");
        assert_eq!(nearest.distance, expected.distance);

        let route = get(|out| nt_query_route(query, from.into(), to.into(), null(), out));
        let expected = asked.route(&ours, from, to, &filter, &options).unwrap();
        assert_eq!((route.length, route.cost), (expected.length, expected.cost));
        let count = get(|out| nt_query_points(query, points.as_mut_ptr(), points.len(), out));
        let expected: Vec<NtVec3> = expected.points.into_iter().map(NtVec3::from).collect();
        assert_eq!(points[..count], expected);
        let turns = get(|out| nt_query_corners(query, corners.as_mut_ptr().cast(), corners.len(), out));
        assert_eq!(turns, count);
        for (corner, point) in corners.iter().zip(&expected) {
            // SAFETY: the call has written them.
            let corner = unsafe { corner.assume_init_ref() };
            assert_eq!((corner.point.x, corner.point.z), (point.x, point.z));
        }
        let short = nt_query_points(query, std::ptr::null_mut(), 0, Some(&mut MaybeUninit::uninit()));
        fails(short, NtStatus::NT_TRUNCATED, "room for 0");

        let start = expected_place(&nearest);
        let hit = get(|out| nt_query_raycast(query, nearest.place, to.into(), out));
        asked.raycast(&ours, start, to, &filter, &mut ray).unwrap();
        assert_eq!((vec(hit.place.point), hit.fraction), (ray.point, ray.fraction as f32));
        let moved = get(|out| nt_query_slide(query, nearest.place, to.into(), out));
        asked.slide(&ours, start, to, &filter, &mut slide).unwrap();
        assert_eq!(vec(moved.place.point), slide.point);
        let wall = get(|out| nt_query_wall(query, nearest.place, 50.0, out));
        let expected = asked.wall_distance(&ours, start, 50.0, &filter).unwrap().unwrap();
        assert_eq!((wall.distance, vec(wall.point)), (expected.distance, expected.point));
        let height = get(|out| nt_query_height(query, a.polygon, a.point, out));
        assert!((height - a.point.y).abs() < 0.01);
        let [from, to] = [a, b].map(|place| polygon(place.polygon).unwrap());
        let maybe = ours.reachable(from, to, &filter).unwrap() == detour::Reachable::Maybe;
        assert_eq!(get(|out| nt_query_reachable(query, a.polygon, b.polygon, out)), u8::from(maybe));
    }
    assert_eq!(nt_query_free(query), NtStatus::NT_OK);
    assert_eq!(nt_mesh_free(mesh), NtStatus::NT_OK);
}

fn expected_place(nearest: &NtNearest) -> detour::Place {
    place(nearest.place).unwrap()
}

#[test]
fn errors_have_words_and_change_nothing() {
    let (mesh, _) = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let far = NtVec3 { x: 1e4, ..NtVec3::default() };
    let mut out = MaybeUninit::uninit();
    fails(
        nt_query_nearest(query, far, None, Some(&mut out)),
        NtStatus::NT_NOT_FOUND,
        "nothing walkable there",
    );
    let nan = NtVec3 { x: f32::NAN, ..far };
    fails(nt_query_nearest(query, nan, None, Some(&mut out)), NtStatus::NT_ERROR_ARGUMENT, "not finite");
    fails(nt_query_nearest(query, far, None, None), NtStatus::NT_NOT_FOUND, "nothing");
    let here = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut 3), out));
    fails(nt_query_nearest(query, here.point, None, None), NtStatus::NT_ERROR_ARGUMENT, "out is NULL");
    fails(nt_mesh_set_area(mesh, here.polygon, 0), NtStatus::NT_ERROR_ARGUMENT, "area 0");
    fails(nt_mesh_set_flags(mesh, 12, 0), NtStatus::NT_ERROR_REFERENCE, "0xc");
    let name = c"lava";
    fails(
        nt_mesh_area(mesh, name.as_ptr(), Some(&mut MaybeUninit::uninit())),
        NtStatus::NT_NOT_FOUND,
        "`lava`",
    );
    let path = c"nowhere.navtile";
    let opened = nt_mesh_open(path.as_ptr(), null(), Some(&mut MaybeUninit::uninit()));
    fails(opened, NtStatus::NT_ERROR_FILE, "nowhere.navtile");
    fails(nt_mesh_open(null(), null(), None), NtStatus::NT_ERROR_ARGUMENT, "path is NULL");
    fails(nt_mesh_add_tile(mesh, b"no tile".as_ptr(), 7), NtStatus::NT_ERROR_DATA, "not a valid tile");
    fails(nt_mesh_add_tile(mesh, null(), 7), NtStatus::NT_ERROR_ARGUMENT, "bytes is NULL");
    fails(nt_filter_set_cost(NONE, 1, 2.0), NtStatus::NT_ERROR_HANDLE, "zeros");
    assert_eq!(nt_mesh_free(mesh), NtStatus::NT_OK);
    fails(nt_mesh_free(mesh), NtStatus::NT_ERROR_HANDLE, "freed");
    fails(nt_query_free(NtQuery { id: mesh.id }), NtStatus::NT_ERROR_HANDLE, "something else");
    get(|out| nt_query_nearest(query, here.point, None, out)); // the query has its snapshot
    assert_eq!(nt_query_free(query), NtStatus::NT_OK);
    // SAFETY: a text that stays.
    let version = unsafe { CStr::from_ptr(nt_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

#[test]
fn options_of_other_versions_are_understood() {
    let (mesh, _) = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let here = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut 3), out)).point;
    let mut options = get(|out| nt_route_options_init(out));
    let route = |options: *const NtRouteOptions| {
        nt_query_route(query, here, here, options, Some(&mut MaybeUninit::uninit()))
    };
    assert_eq!(route(&raw const options), NtStatus::NT_OK);
    options.reach.x = -1.0;
    fails(route(&raw const options), NtStatus::NT_ERROR_ARGUMENT, "half extents");
    // An older caller ends before the reach, whose default is taken.
    options.size = 8;
    assert_eq!(route(&raw const options), NtStatus::NT_OK);
    options.size = 3;
    fails(route(&raw const options), NtStatus::NT_ERROR_ARGUMENT, "options.size is 3");
    // A newer one has a field more.
    let mut newer = [0u32; 8];
    let known = get(|out| nt_route_options_init(out));
    // SAFETY: the numbers are longer than the options.
    unsafe { newer.as_mut_ptr().cast::<NtRouteOptions>().write(known) };
    newer[0] = size_of_val(&newer) as u32;
    assert_eq!(route(newer.as_ptr().cast()), NtStatus::NT_OK);
    newer[7] = 1;
    fails(route(newer.as_ptr().cast()), NtStatus::NT_ERROR_ARGUMENT, "does not have");
}

#[test]
fn corridors_lead_to_their_target() {
    let (mesh, _) = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let [start, goal] =
        [7, 9].map(|mut state| get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out)));
    let corridor = get(|out| nt_corridor_new(start, out));
    get(|out| nt_query_route(query, start.point, goal.point, null(), out));
    assert_eq!(nt_corridor_set_path(corridor, query, goal.point), NtStatus::NT_OK, "{}", last_error());
    let mut corners = [MaybeUninit::<NtCorner>::uninit(); 4];
    for _ in 0..10_000 {
        let count = get(|out| nt_corridor_corners(corridor, query, corners.as_mut_ptr().cast(), 4, out));
        if count == 0 {
            break;
        }
        // SAFETY: there is one at least.
        let to = vec(unsafe { corners[0].assume_init() }.point);
        let mut at = MaybeUninit::uninit();
        assert_eq!(nt_corridor_ends(corridor, Some(&mut at), None), NtStatus::NT_OK);
        // SAFETY: the call has succeeded.
        let at = vec(unsafe { at.assume_init() }.point);
        let step = (to - at).clamp_length_max(0.1);
        assert_eq!(nt_corridor_move(corridor, query, (at + step).into(), None), NtStatus::NT_OK);
    }
    let (mut at, mut target) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    assert_eq!(nt_corridor_ends(corridor, Some(&mut at), Some(&mut target)), NtStatus::NT_OK);
    // SAFETY: the call has succeeded.
    let (at, target) = unsafe { (at.assume_init(), target.assume_init()) };
    assert!(vec(at.point).distance(vec(goal.point)) < 0.05, "{at:?} {target:?}");
    assert_eq!(nt_corridor_free(corridor), NtStatus::NT_OK);
}

#[test]
fn crowds_arrive_and_go_on_after_they_were_saved() {
    let (mesh, _) = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let crowd = get(|out| nt_crowd_new(null(), out));
    let mut state = 5;
    for _ in 0..6 {
        let from = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out));
        let to = get(|out| nt_query_random_place(query, Some(&from), 9.0, Some(&mut state), out));
        let agent = get(|out| nt_crowd_add(crowd, mesh, from.point, null(), out));
        assert_eq!(nt_crowd_send(crowd, agent, to), NtStatus::NT_OK, "{}", last_error());
    }
    let step = |count: usize| {
        for _ in 0..count {
            assert_eq!(nt_crowd_step(crowd, mesh, 1.0 / 60.0), NtStatus::NT_OK, "{}", last_error());
        }
    };
    step(30);
    let saved = get(|out| nt_crowd_save(crowd, out));
    let (mut data, mut length) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    assert_eq!(nt_bytes_data(saved, Some(&mut data), Some(&mut length)), NtStatus::NT_OK);
    // SAFETY: the call has succeeded.
    let (data, length) = unsafe { (data.assume_init(), length.assume_init()) };
    step(30);
    let hash = get(|out| nt_crowd_hash(crowd, out));
    assert_eq!(nt_crowd_restore(crowd, mesh, data, length), NtStatus::NT_OK, "{}", last_error());
    step(30);
    assert_eq!(get(|out| nt_crowd_hash(crowd, out)), hash);
    step(2_000);
    let mut views = [const { MaybeUninit::<NtAgentView>::uninit() }; 8];
    let count = get(|out| nt_crowd_agents(crowd, views.as_mut_ptr().cast(), views.len(), out));
    assert_eq!(count, 6);
    for view in &views[..count] {
        // SAFETY: the call has written them.
        assert_eq!(unsafe { view.assume_init_ref() }.state, NtAgentState::NT_AGENT_ARRIVED);
    }
    let mut params = get(|out| nt_agent_params_init(out));
    params.avoidance = 9;
    // SAFETY: as above.
    let first = unsafe { views[0].assume_init_ref() }.agent;
    fails(
        nt_crowd_set_params(crowd, first, &raw const params),
        NtStatus::NT_ERROR_ARGUMENT,
        "avoidance is 9",
    );
    assert_eq!(nt_crowd_remove(crowd, first), NtStatus::NT_OK);
    fails(nt_crowd_stop(crowd, first), NtStatus::NT_ERROR_ARGUMENT, "agent");
    assert_eq!(nt_bytes_free(saved), NtStatus::NT_OK);
    assert_eq!(nt_crowd_free(crowd), NtStatus::NT_OK);
}

extern "C" fn stop(_: *mut c_void, _: f32) -> i32 {
    0
}

#[test]
fn bakes_have_the_bytes_of_the_library() {
    let obj = b"v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n";
    let name = CString::new("floor.obj").unwrap();
    let file = NtFile { name: name.as_ptr(), bytes: obj.as_ptr(), length: obj.len() };
    let settings = c"cell_size = 0.25";
    let bake = get(|out| nt_bake_new(&raw const file, 1, settings.as_ptr(), out));
    assert_eq!(get(|out| nt_bake_agents(bake, out)), 1);
    let vertices = [0.0f32, 0.0, 0.0, 0.0, 0.0, 9.0, 12.0, 0.0, 9.0, 12.0, 0.0, 0.0];
    let triangles = [0u32, 1, 2, 0, 2, 3];
    let arrays = |settings: *const std::ffi::c_char, triangles: &[u32]| {
        get(|out| {
            nt_bake_from_triangles(
                vertices.as_ptr(),
                4,
                triangles.as_ptr(),
                triangles.len() / 3,
                settings,
                out,
            )
        })
    };
    let ours = navbake::LevelBake::new(
        &[navbake::LevelFile { name: "floor.obj", bytes: obj }],
        Some("cell_size = 0.25"),
    );
    let expected = ours.unwrap().run(&navbake::Silent).unwrap().remove(0).bytes;
    for bake in [bake, arrays(settings.as_ptr(), &triangles)] {
        let mut made = NtBytes { id: 0 };
        let status = nt_bake_run(bake, Some(stop), std::ptr::null_mut(), &raw mut made, 1);
        fails(status, NtStatus::NT_ERROR_CANCELLED, "ended");
        let status = nt_bake_run(bake, None, std::ptr::null_mut(), &raw mut made, 1);
        assert_eq!(status, NtStatus::NT_OK, "{}", last_error());
        let (mut data, mut length) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        assert_eq!(nt_bytes_data(made, Some(&mut data), Some(&mut length)), NtStatus::NT_OK);
        // SAFETY: the call has succeeded, and the bytes are not freed yet.
        let bytes = unsafe { std::slice::from_raw_parts(data.assume_init(), length.assume_init()) };
        assert!(bytes == expected);
        let mesh = get(|out| nt_mesh_from_bytes(bytes.as_ptr(), bytes.len(), null(), out));
        assert_eq!(get(|out| nt_mesh_info(mesh, out)).polygons, 1);
        assert_eq!(get(|out| nt_mesh_area(mesh, c"ground".as_ptr(), out)), 63);
        assert_eq!(nt_bytes_free(made), NtStatus::NT_OK);
        assert_eq!(nt_bake_free(bake), NtStatus::NT_OK);
    }
    let wrong = |settings: &CStr, triangles: &[u32]| {
        let (settings, mut out) = (settings.as_ptr(), MaybeUninit::uninit());
        nt_bake_from_triangles(
            vertices.as_ptr(),
            4,
            triangles.as_ptr(),
            triangles.len() / 3,
            settings,
            Some(&mut out),
        )
    };
    fails(wrong(c"cell_size = -1", &triangles), NtStatus::NT_ERROR_DATA, "cell_size");
    fails(wrong(settings, &[0, 1, 4]), NtStatus::NT_ERROR_ARGUMENT, "triangle 0");
}

/// A call of any kind with handles, places and numbers that may be of anything.
fn any_call(next: &mut impl FnMut(u64) -> u64, handles: &mut Vec<u64>) {
    const ODD: [f32; 8] = [0.0, 1.0, 5.0, -3.0, 1e30, f32::NAN, f32::INFINITY, 0.4];
    let [a, b] = [(); 2].map(|()| handles[next(handles.len() as u64) as usize]);
    let [x, y, z, number] = [(); 4].map(|()| ODD[next(8) as usize]);
    let point = NtVec3 { x, y, z };
    let at = NtPlace { polygon: a, point };
    let (mesh, query, crowd) = (NtMesh { id: a }, NtQuery { id: b }, NtCrowd { id: a });
    let (corridor, filter) = (NtCorridor { id: a }, NtFilter { id: b });
    let mut points = [NtVec3::default(); 3];
    let mut made = 0;
    match next(32) {
        0 => made = ok(|out| nt_mesh_new(null(), out)).map_or(0, |mesh| mesh.id),
        1 => made = ok(|out| nt_mesh_copy(mesh, out)).map_or(0, |mesh| mesh.id),
        2 => made = ok(|out| nt_query_new(mesh, filter, next(3) as u32, out)).map_or(0, |query| query.id),
        3 => made = ok(|out| nt_filter_new(mesh, out)).map_or(0, |filter| filter.id),
        4 => made = ok(|out| nt_crowd_new(null(), out)).map_or(0, |crowd| crowd.id),
        5 => made = ok(|out| nt_corridor_new(at, out)).map_or(0, |corridor| corridor.id),
        6 => {
            made = ok(|out| nt_query_random_place(query, None, 0.0, Some(&mut next(9)), out))
                .map_or(0, |p| p.polygon)
        }
        7 => made = ok(|out| nt_crowd_add(crowd, NtMesh { id: b }, point, null(), out)).unwrap_or(0),
        8 => made = ok(|out| nt_crowd_save(crowd, out)).map_or(0, |bytes| bytes.id),
        9 => drop(nt_mesh_free(mesh)),
        10 => drop(nt_query_free(query)),
        11 => drop(nt_filter_free(filter)),
        12 => drop(nt_crowd_free(crowd)),
        13 => drop(nt_corridor_free(corridor)),
        14 => drop(nt_bytes_free(NtBytes { id: a })),
        15 => drop(ok(|out| nt_query_nearest(query, point, None, out))),
        16 => drop(ok(|out| nt_query_route(query, point, NtVec3::default(), null(), out))),
        17 => drop(ok(|out| nt_query_points(query, points.as_mut_ptr(), 3, out))),
        18 => drop(ok(|out| nt_query_raycast(query, at, point, out))),
        19 => drop(ok(|out| nt_query_slide(query, at, point, out))),
        20 => drop(ok(|out| nt_query_wall(query, at, number, out))),
        21 => drop(ok(|out| nt_query_around(query, at, number, out))),
        22 => drop(nt_crowd_send(crowd, b, at)),
        23 => drop(nt_crowd_step(crowd, NtMesh { id: b }, number)),
        24 => drop(nt_crowd_set_interest(crowd, points.as_ptr(), 3, number)),
        25 => drop(nt_corridor_move(corridor, query, point, None)),
        26 => drop(nt_corridor_set_path(corridor, query, point)),
        27 => drop(nt_corridor_optimise(corridor, query, point, number)),
        28 => drop(nt_corridor_repair(corridor, query, at)),
        29 => drop(nt_query_update(query, mesh)),
        30 => drop(nt_mesh_remove_tile(mesh, 0, 0, 0)),
        _ => drop(nt_mesh_corners(mesh, b, points.as_mut_ptr(), 3, Some(&mut MaybeUninit::uninit()))),
    }
    if made != 0 {
        handles.push(made);
    }
    // The first ones are wrong, or of the mesh, and stay.
    if handles.len() > 100 {
        free_any(handles.swap_remove(6 + next(94) as usize));
    }
}

/// Frees the object of a handle, of whatever kind.
fn free_any(id: u64) {
    let kinds = [
        nt_mesh_free(NtMesh { id }),
        nt_query_free(NtQuery { id }),
        nt_filter_free(NtFilter { id }),
        nt_crowd_free(NtCrowd { id }),
        nt_corridor_free(NtCorridor { id }),
        nt_bytes_free(NtBytes { id }),
    ];
    assert!(kinds.iter().filter(|status| **status == NtStatus::NT_OK).count() <= 1, "a handle of two kinds");
}

fn ok<T>(call: impl FnOnce(Option<&mut MaybeUninit<T>>) -> NtStatus) -> Option<T> {
    let mut out = MaybeUninit::uninit();
    // SAFETY: a call that succeeds has written its answer.
    (call(Some(&mut out)) == NtStatus::NT_OK).then(|| unsafe { out.assume_init() })
}

#[test]
fn calls_in_any_order_with_any_handle_do_no_harm() {
    let count = std::env::var("NAVTILE_CALLS").map_or(20_000u64, |count| count.parse().unwrap());
    let seed: u64 = std::env::var("NAVTILE_SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut state = seed;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mesh, _) = scene("two_rooms");
    let mut handles = vec![0, 1, u64::MAX, mesh.id, mesh.id ^ 1 << 60, mesh.id + (1 << 32)];
    for number in 0..count {
        if number % 500 == 0 {
            // Sooner or later the calls free everything.
            free_any(handles[3]);
            handles[3] = scene("two_rooms").0.id;
            let query = get(|out| nt_query_new(NtMesh { id: handles[3] }, NONE, 0, out));
            handles.push(query.id);
        }
        any_call(&mut next, &mut handles);
        assert!(!last_error().contains("fault of the library"), "seed {seed}");
    }
}

#[test]
fn threads_ask_and_change_at_once() {
    let (mesh, _) = scene("two_rooms");
    let tile = navscenes::baked_tile("two_rooms").unwrap();
    let query = get(|out| nt_query_new(mesh, NONE, 0, out));
    let here = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut 3), out)).point;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..300 {
                    let own = get(|out| nt_query_new(mesh, NONE, 0, out));
                    let _ = ok(|out| nt_query_nearest(own, here, None, out));
                    get(|out| nt_query_nearest(query, here, None, out)); // one query of all
                    assert_eq!(nt_query_free(own), NtStatus::NT_OK);
                }
            });
        }
        for _ in 0..100 {
            assert_eq!(nt_mesh_remove_tile(mesh, 0, 0, 0), NtStatus::NT_OK);
            let bytes = tile.bytes();
            assert_eq!(nt_mesh_add_tile(mesh, bytes.as_ptr(), bytes.len()), NtStatus::NT_OK);
        }
    });
}
