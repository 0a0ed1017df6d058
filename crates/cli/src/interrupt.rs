//! Ctrl-C and the like: a bake stops between two stages, and takes away what it had begun to write.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on, being asked to stop is noted. A second time ends the program at once.
pub(crate) fn watch() {
    let stop = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(3);
        }
    };
    // Where signals cannot be caught, they end the program as ever; the next bake removes what it left.
    let _ = ctrlc::set_handler(stop);
}

/// The failure of a bake that was asked to stop.
pub(crate) fn failure() -> Failure {
    Failure::circumstances("the bake was interrupted").help("nothing was changed; run it again when it suits")
}

/// Whether somebody asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
