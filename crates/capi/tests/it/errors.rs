//! Mistakes of the caller have words and change nothing; options of other versions are understood.

use crate::calls::support::{done, fails, get, scene};
use navtile_c::mesh::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::mem::MaybeUninit;
use std::ptr::null;

#[test]
fn errors_have_words_and_change_nothing() {
    let mesh = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
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
    fails(nt_filter_set_cost(NtFilter::default(), 1, 2.0), NtStatus::NT_ERROR_HANDLE, "zeros");
    done(nt_mesh_free(mesh));
    fails(nt_mesh_free(mesh), NtStatus::NT_ERROR_HANDLE, "freed");
    fails(nt_query_free(NtQuery { id: mesh.id }), NtStatus::NT_ERROR_HANDLE, "something else");
    get(|out| nt_query_nearest(query, here.point, None, out)); // the query has its snapshot
    done(nt_query_free(query));
}

#[test]
fn options_of_other_versions_are_understood() {
    let mesh = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let here = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut 3), out)).point;
    let mut options = get(|out| nt_route_options_init(out));
    let route = |options: *const NtRouteOptions| {
        nt_query_route(query, here, here, options, Some(&mut MaybeUninit::uninit()))
    };
    assert_eq!(route(&raw const options), NtStatus::NT_OK);
    options.reach.x = -1.0;
    fails(route(&raw const options), NtStatus::NT_ERROR_ARGUMENT, "half extents");
    options.optimality = 3;
    fails(route(&raw const options), NtStatus::NT_ERROR_ARGUMENT, "options.optimality is 3");
    options.optimality = NT_OPTIMALITY_NEAR;
    // An older caller ends before the reach, whose default is taken.
    options.size = 8;
    assert_eq!(route(&raw const options), NtStatus::NT_OK);
    options.size = 3;
    fails(route(&raw const options), NtStatus::NT_ERROR_ARGUMENT, "options.size is 3");
    // A newer one has a field more.
    let mut newer = [0u32; 8];
    let known = get(|out| nt_route_options_init(out));
    bytemuck::bytes_of_mut(&mut newer)[..size_of_val(&known)].copy_from_slice(bytemuck::bytes_of(&known));
    newer[0] = size_of_val(&newer) as u32;
    assert_eq!(route(newer.as_ptr().cast()), NtStatus::NT_OK);
    newer[7] = 1;
    fails(route(newer.as_ptr().cast()), NtStatus::NT_ERROR_ARGUMENT, "does not have");
}
