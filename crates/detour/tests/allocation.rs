//! A warm query allocates nothing.
#![allow(clippy::unwrap_used)] // Helpers of tests may, as tests do.

#[allow(dead_code)] // Every test file uses a part of it.
mod common;

use common::{at, random_grid};
use detour::{Crossings, Filter, Path, PathOptions, Query, StraightPath, Vec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// What this thread has allocated.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: passes every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no count, and no test.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_query_allocates_nothing() {
    let mut text = String::new();
    let mesh = random_grid(5, 16, 15, &mut text).mesh();
    let (mut query, mut path, mut straight) = (Query::new(), Path::default(), StraightPath::default());
    let (filter, options) = (Filter::default(), PathOptions::default());
    let mut ask = |x: f32| {
        let start = query.nearest(&mesh, at(x, 0.5), Vec3::splat(4.0), &filter).unwrap().place();
        let goal = query.nearest(&mesh, at(15.5, 15.5), Vec3::splat(4.0), &filter).unwrap().place();
        query.find_path(&mesh, start, goal, &filter, &options, &mut path).unwrap();
        query
            .straight_path(&mesh, start.point, goal.point, &path.polygons, Crossings::All, &mut straight)
            .unwrap();
        straight.length
    };
    let warm = [0.5, 3.5, 9.5].map(&mut ask);
    let before = COUNT.get();
    assert!(before > 0, "nothing is counted");
    let again = [0.5, 3.5, 9.5].map(&mut ask);
    assert_eq!((COUNT.get() - before, again), (0, warm));
}
