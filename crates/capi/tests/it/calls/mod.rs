//! Calls of the C interface in any order, with any handles, places and numbers: what tests draw by a
//! generator, and the fuzz target, which compiles these files too, from its input. No call may panic, and no
//! handle may name two objects.

mod draw;
mod questions;
pub(crate) mod support;
mod walkers;
pub(crate) mod worlds;

use draw::{Draw, Next};
use navtile_c::bake::{nt_bake_free, nt_bytes_free};
use navtile_c::cache::{nt_cache_free, nt_cache_from_bytes};
use navtile_c::corridor::nt_corridor_free;
use navtile_c::crowd::nt_crowd_free;
use navtile_c::far::nt_hierarchy_free;
use navtile_c::far_route::nt_far_route_free;
use navtile_c::field::nt_field_free;
use navtile_c::mesh::{nt_filter_free, nt_mesh_free};
use navtile_c::query::{nt_query_free, nt_query_new};
use navtile_c::search::nt_search_free;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use support::{get, last_error, with_tile};
use worlds::{DYNAMIC, ROOMS};

/// Handles that are kept at most, and after how many calls there is a fresh mesh with a query: sooner or
/// later everything is freed.
const MOST: usize = 100;
const FRESH: u64 = 500;
/// The first handles, which are wrong, or of the mesh; they stay.
const FIRST: usize = 6;
/// Handles of all kinds, and how many calls were made.
#[derive(Default)]
pub(crate) struct Calls {
    handles: Vec<u64>,
    count: u64,
}

impl Calls {
    /// Makes a call.
    pub(crate) fn one(&mut self, next: Next<'_>) {
        if self.count.is_multiple_of(FRESH) {
            self.refresh();
        }
        self.count += 1;
        let mut draw = Draw { next, handles: &self.handles };
        let made = match draw.below(11) {
            0 => questions::meshes(&mut draw),
            1 => questions::queries(&mut draw),
            2 => questions::near(&mut draw),
            3 => questions::corridors(&mut draw),
            9 => questions::links(&mut draw),
            10 => worlds::hierarchies(&mut draw),
            4 => questions::fields_and_searches(&mut draw),
            5 => walkers::crowds(&mut draw),
            6 => walkers::groups(&mut draw),
            7 => worlds::caches(&mut draw),
            _ => worlds::bakes(&mut draw),
        };
        assert!(!last_error().contains("fault of the library"), "call {}", self.count);
        self.handles.extend(made.filter(|made| *made != 0));
        if self.handles.len() > MOST {
            let at = FIRST + next((MOST - FIRST) as u64) as usize;
            free_any(self.handles.swap_remove(at));
        }
    }

    fn refresh(&mut self) {
        if let Some(old) = self.handles.get(3) {
            free_any(*old);
        }
        let mesh = with_tile(ROOMS.bytes());
        let wrong = [0, 1, u64::MAX, mesh.id, mesh.id ^ 1 << 60, mesh.id + (1 << 32)];
        self.handles.splice(..self.handles.len().min(FIRST), wrong);
        self.handles.push(get(|out| nt_query_new(mesh, NtFilter::default(), 0, out)).id);
        self.handles.push(get(|out| nt_cache_from_bytes(DYNAMIC.as_ptr(), DYNAMIC.len(), out)).id);
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        self.handles.drain(..).for_each(free_any);
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
        nt_bake_free(NtBake { id }),
        nt_bytes_free(NtBytes { id }),
        nt_cache_free(NtCache { id }),
        nt_field_free(NtField { id }),
        nt_search_free(NtSearch { id }),
        nt_hierarchy_free(NtHierarchy { id }),
        nt_far_route_free(NtFarRoute { id }),
    ];
    assert!(kinds.iter().filter(|status| **status == NtStatus::NT_OK).count() <= 1, "a handle of two kinds");
}
