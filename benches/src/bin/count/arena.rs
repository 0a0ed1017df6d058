//! The allocator of the program that is counted. It cuts one block after another from large slabs, each at
//! the start of a cache line, and never releases any. In a general allocator, the work on free lists, a list
//! that can or cannot grow in place, and fresh memory that must or need not be cleared differ from run to
//! run, by as much as a stage of a small scene may rise. Here every list that grows is copied, and memory
//! that must be zero is cleared.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of a slab, taken from the system at once. A larger request gets a slab of its own.
const SLAB: usize = 64 << 20;
/// Blocks begin at multiples of this, or of their own alignment.
const LINE: usize = 64;

struct Arena {
    /// True while a thread takes a block.
    taken: AtomicBool,
    /// The address of the next block, and the end of its slab.
    next: AtomicUsize,
    end: AtomicUsize,
}

#[global_allocator]
static ARENA: Arena =
    Arena { taken: AtomicBool::new(false), next: AtomicUsize::new(0), end: AtomicUsize::new(0) };

impl Arena {
    /// A block from the current slab, or from a new one; null if the system has no more memory.
    fn block(&self, layout: Layout) -> *mut u8 {
        let align = layout.align().max(LINE);
        let Some(start) = self.next.load(Ordering::Relaxed).checked_next_multiple_of(align) else {
            return null_mut();
        };
        let end = start.checked_add(layout.size());
        if let Some(end) = end.filter(|&end| end <= self.end.load(Ordering::Relaxed)) {
            self.next.store(end, Ordering::Relaxed);
            return std::ptr::with_exposed_provenance_mut(start);
        }
        let Ok(slab) = Layout::from_size_align(layout.size().max(SLAB), align) else {
            return null_mut();
        };
        // SAFETY: a slab has at least `SLAB` bytes and is never empty.
        let slab_start = unsafe { System.alloc(slab) };
        if !slab_start.is_null() {
            let start = slab_start.expose_provenance();
            self.next.store(start + layout.size(), Ordering::Relaxed);
            self.end.store(start + slab.size(), Ordering::Relaxed);
        }
        slab_start
    }
}

// SAFETY: blocks are handed out once, by one thread at a time. They are within slabs of the system's memory
// that are never released, and they have the requested size and alignment. An allocator returns a null
// pointer when it has no more memory. `alloc_zeroed` and `realloc` are the trait's own, which clear and copy.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        while self.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        let block = self.block(layout);
        self.taken.store(false, Ordering::Release);
        block
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
