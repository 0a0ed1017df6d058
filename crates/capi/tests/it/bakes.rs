//! Bakes have the bytes of the library.

use crate::calls::support::{done, fails, get, take};
use navtile_c::bake::*;
use navtile_c::mesh::*;
use navtile_c::status::NtStatus;
use navtile_c::types::NtBytes;
use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::Mutex;

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
        done(nt_bake_run(bake, None, std::ptr::null_mut(), &raw mut made, 1));
        let bytes = take(made);
        assert!(bytes == expected);
        assert_eq!(get(|out| nt_bake_progress(bake, out)), 1.0);
        done(nt_bake_cancel(bake)); // nothing is under way
        let mesh = get(|out| nt_mesh_from_bytes(bytes.as_ptr(), bytes.len(), null(), out));
        assert_eq!(get(|out| nt_mesh_info(mesh, out)).polygons, 1);
        assert_eq!(get(|out| nt_mesh_area(mesh, c"ground".as_ptr(), out)), 63);
        done(nt_bake_free(bake));
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

static PARTS: Mutex<Vec<f32>> = Mutex::new(Vec::new());

/// Notes the parts of a bake, and ends it once some are noted.
extern "C" fn note(_: *mut c_void, part: f32) -> i32 {
    let mut parts = PARTS.lock().unwrap();
    parts.push(part);
    i32::from(parts.len() < 40)
}

#[test]
fn a_dynamic_bake_says_how_far_it_is_and_can_be_ended() {
    let vertices = [0.0f32, 0.0, 0.0, 0.0, 0.0, 60.0, 60.0, 0.0, 60.0, 60.0, 0.0, 0.0];
    let triangles = [0u32, 1, 2, 0, 2, 3];
    let settings = c"tile_size = 8";
    let bake = get(|out| {
        nt_bake_from_triangles(vertices.as_ptr(), 4, triangles.as_ptr(), 2, settings.as_ptr(), out)
    });
    let mut out = MaybeUninit::uninit();
    let status = nt_bake_dynamic(bake, Some(note), std::ptr::null_mut(), Some(&mut out));
    fails(status, NtStatus::NT_ERROR_CANCELLED, "ended");
    let seen = PARTS.lock().unwrap().clone();
    assert!(seen.len() >= 40 && seen.iter().all(|part| (0.0..1.0).contains(part)), "{seen:?}");
    let whole = take(get(|out| nt_bake_dynamic(bake, None, std::ptr::null_mut(), out)));
    assert_eq!(get(|out| nt_bake_progress(bake, out)), 1.0);
    let cache = get(|out| navtile_c::cache::nt_cache_from_bytes(whole.as_ptr(), whole.len(), out));
    done(navtile_c::cache::nt_cache_free(cache));
    done(nt_bake_free(bake));
}

#[test]
fn another_thread_ends_a_bake() {
    let vertices = [0.0f32, 0.0, 0.0, 0.0, 0.0, 600.0, 600.0, 0.0, 600.0, 600.0, 0.0, 0.0];
    let triangles = [0u32, 1, 2, 0, 2, 3];
    let bake = get(|out| nt_bake_from_triangles(vertices.as_ptr(), 4, triangles.as_ptr(), 2, null(), out));
    let status = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut made = NtBytes { id: 0 };
            nt_bake_run(bake, None, std::ptr::null_mut(), &raw mut made, 1)
        });
        while !run.is_finished() {
            if get(|out| nt_bake_progress(bake, out)) > 0.0 {
                done(nt_bake_cancel(bake));
            }
        }
        run.join().unwrap()
    });
    assert_eq!(status, NtStatus::NT_ERROR_CANCELLED);
}
