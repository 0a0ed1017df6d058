//! The allocator of all targets. It counts live bytes and refuses allocations beyond a bound, which ends the
//! run with the input and the place. The threads of a bake are counted together with the thread that started
//! it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are allocated now.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Most bytes allocated at once since this was last set.
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// More than this is refused.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Counts `size` bytes, unless they are too many.
fn take(size: usize) -> bool {
    let live = LIVE.fetch_add(size, Ordering::Relaxed).saturating_add(size);
    if live > LIMIT.load(Ordering::Relaxed) {
        LIVE.fetch_sub(size, Ordering::Relaxed);
        return false;
    }
    PEAK.fetch_max(live, Ordering::Relaxed);
    true
}

fn give(size: usize) {
    LIVE.fetch_sub(size, Ordering::Relaxed);
}

// SAFETY: all memory comes from the system allocator, and is requested and released with the layouts that
// came in. An allocator returns a null pointer when it has no more memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and the memory came from the system allocator.
        unsafe { System.dealloc(pointer, layout) };
        give(layout.size());
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Both blocks may exist for a moment, as they do when a list grows.
        if !take(new_size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `realloc`, and the memory came from the system allocator.
        let moved = unsafe { System.realloc(pointer, layout, new_size) };
        give(if moved.is_null() { new_size } else { layout.size() });
        moved
    }
}

/// The result of `work`, and the most bytes that it held at once.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// The result of `work`. If it ever holds more than `bound` bytes, the run ends: "memory allocation failed".
pub fn bounded<T>(bound: usize, work: impl FnOnce() -> T) -> T {
    let outer = LIMIT.load(Ordering::Relaxed);
    LIMIT.store(LIVE.load(Ordering::Relaxed).saturating_add(bound).min(outer), Ordering::Relaxed);
    let result = work();
    LIMIT.store(outer, Ordering::Relaxed);
    result
}
