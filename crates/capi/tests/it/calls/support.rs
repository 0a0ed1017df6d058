//! Calls of the C interface as tests make them, and all of their unsafe code. The fuzz target compiles this
//! file too.

use navtile_c::bake::{nt_bytes_data, nt_bytes_free};
use navtile_c::mesh::{nt_mesh_add_tile, nt_mesh_new};
use navtile_c::status::{NtStatus, nt_last_error};
use navtile_c::types::{NtBytes, NtMesh};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::null;

/// An output of a call.
pub(crate) type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// The answer of a call, or its status.
pub(crate) fn ask<T>(call: impl FnOnce(Out<'_, T>) -> NtStatus) -> Result<T, NtStatus> {
    let mut out = MaybeUninit::uninit();
    match call(Some(&mut out)) {
        // SAFETY: the call has succeeded, so that it has written its answer.
        NtStatus::NT_OK => Ok(unsafe { out.assume_init() }),
        status => Err(status),
    }
}

/// The answer of a call that must succeed.
#[track_caller]
pub(crate) fn get<T>(call: impl FnOnce(Out<'_, T>) -> NtStatus) -> T {
    ask(call).unwrap_or_else(|status| panic!("{status:?}: {}", last_error()))
}

/// The two answers of a call that must succeed.
pub(crate) fn get_both<A, B>(call: impl FnOnce(Out<'_, A>, Out<'_, B>) -> NtStatus) -> (A, B) {
    let (mut a, mut b) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    done(call(Some(&mut a), Some(&mut b)));
    // SAFETY: as above.
    unsafe { (a.assume_init(), b.assume_init()) }
}

/// A list of at most `capacity` elements, or the call's status.
pub(crate) fn ask_list<T>(
    capacity: usize,
    call: impl FnOnce(*mut T, usize, Out<'_, usize>) -> NtStatus,
) -> Result<Vec<T>, NtStatus> {
    let (mut list, mut count) = (Vec::with_capacity(capacity), MaybeUninit::uninit());
    let status = call(list.as_mut_ptr(), capacity, Some(&mut count));
    if !matches!(status, NtStatus::NT_OK | NtStatus::NT_TRUNCATED) {
        return Err(status);
    }
    // SAFETY: the call has written the count, and those elements that fit.
    unsafe { list.set_len(count.assume_init().min(capacity)) };
    Ok(list)
}

/// Makes a call that must succeed.
#[track_caller]
pub(crate) fn list<T>(
    capacity: usize,
    call: impl FnOnce(*mut T, usize, Out<'_, usize>) -> NtStatus,
) -> Vec<T> {
    ask_list(capacity, call).unwrap_or_else(|status| panic!("{status:?}: {}", last_error()))
}

/// A call that must succeed.
#[track_caller]
pub(crate) fn done(status: NtStatus) {
    assert_eq!(status, NtStatus::NT_OK, "{}", last_error());
}

/// A call that must not.
#[track_caller]
pub(crate) fn fails(status: NtStatus, expected: NtStatus, part: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(last_error().contains(part), "`{}` has no `{part}`", last_error());
}

/// The words of the last call that did not succeed.
pub(crate) fn last_error() -> String {
    // SAFETY: it is a text of this thread, and no call comes between.
    unsafe { CStr::from_ptr(nt_last_error()) }.to_str().unwrap().to_owned()
}

/// The content of bytes of the library, which are freed.
pub(crate) fn take(bytes: NtBytes) -> Vec<u8> {
    let (data, length) = get_both(|data, length| nt_bytes_data(bytes, data, length));
    // SAFETY: the bytes are not freed yet.
    let content = unsafe { std::slice::from_raw_parts(data, length) }.to_vec();
    done(nt_bytes_free(bytes));
    content
}

/// A scene of navscenes as a mesh.
pub(crate) fn scene(name: &str) -> NtMesh {
    with_tile(navscenes::baked_tile(name).unwrap().bytes())
}

/// A mesh of one tile.
pub(crate) fn with_tile(tile: &[u8]) -> NtMesh {
    let mesh = get(|out| nt_mesh_new(null(), out));
    done(nt_mesh_add_tile(mesh, tile.as_ptr(), tile.len()));
    mesh
}
