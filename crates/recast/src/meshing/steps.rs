//! Counts steps for tests of growth: one for each box of a tree and each edge that is examined, and for each
//! pair of polygons. Only tests use it, because time on a shared machine proves nothing.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a step of this thread.
pub(crate) fn step() {
    STEPS.set(STEPS.get() + 1);
}

/// The steps that some work takes.
pub(crate) fn steps_of(work: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}
