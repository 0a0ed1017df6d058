//! An allocator that counts the allocations of each thread. Tests of other crates are compiled with this file
//! too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Number of allocations of this thread, and their bytes.
    static TAKEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

// SAFETY: passes every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no count, and runs no test.
        let _ = TAKEN.try_with(|taken| {
            let (count, bytes) = taken.get();
            taken.set((count + 1, bytes + layout.size()));
        });
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs some work: returns its result, the number of its allocations, and their bytes. A growing list counts
/// again at each size.
pub(crate) fn allocations_of<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = TAKEN.get();
    let result = work();
    let after = TAKEN.get();
    (result, after.0 - before.0, after.1 - before.1)
}
