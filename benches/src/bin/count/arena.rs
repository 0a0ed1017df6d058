//! The allocator of the program that is counted: one block after another out of large pieces, each at the start of a
//! cache line, none given back. The work of an allocator with its free lists, whether a list can grow where it lies and
//! whether fresh memory must still be cleared differ from run to run by as much as a stage of a small scene may rise
//! by; here every list that grows is copied, and memory that must be zero is cleared.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of a piece, taken from the system at once. A larger request gets a piece of its own.
const PIECE: usize = 64 << 20;
/// Where blocks begin: at multiples of this, or of their own alignment.
const LINE: usize = 64;

struct Arena {
    /// Someone is taking a block.
    taken: AtomicBool,
    /// The address of the next block, and the end of its piece.
    next: AtomicUsize,
    end: AtomicUsize,
}

#[global_allocator]
static ARENA: Arena =
    Arena { taken: AtomicBool::new(false), next: AtomicUsize::new(0), end: AtomicUsize::new(0) };

impl Arena {
    /// A block out of the piece that is begun, or out of a new one; null when the system has no more.
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
        let Ok(piece) = Layout::from_size_align(layout.size().max(PIECE), align) else {
            return null_mut();
        };
        // SAFETY: a piece has at least `PIECE` bytes, never none.
        let piece_start = unsafe { System.alloc(piece) };
        if !piece_start.is_null() {
            let start = piece_start.expose_provenance();
            self.next.store(start + layout.size(), Ordering::Relaxed);
            self.end.store(start + piece.size(), Ordering::Relaxed);
        }
        piece_start
    }
}

// SAFETY: blocks are handed out once, by one thread at a time, lie within pieces of the system's memory that are never
// given back, and have the size and alignment asked for; a null pointer is what an allocator answers that has no more.
// `alloc_zeroed` and `realloc` are the trait's own, which clear and copy.
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
