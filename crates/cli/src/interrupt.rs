//! Ctrl-C and similar signals: temporary files are removed and the program ends at once, regardless of the
//! work.
//!
//! A signal is handled on a thread of its own, so that no stage, read or write has to check for it.

use crate::failure::Failure;
use crate::report;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, Once, PoisonError};
use tempfile::NamedTempFile;

/// Temporary files of this process that have names. Locked while one is made or moved to its place, so that
/// none is missed, and a file replaces another either completely or not at all.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The help in the report of an interruption.
static HELP: Mutex<Option<String>> = Mutex::new(None);

/// Reports interruptions from now on, with this help.
pub(crate) fn advise(help: String) {
    *HELP.lock().unwrap_or_else(PoisonError::into_inner) = Some(help);
    watch();
}

/// Signals keep their default action until there is a file to remove or a help to print. If they cannot be
/// caught, they keep it even then; the next run removes the remaining files.
fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let _ = ctrlc::set_handler(stop);
    });
}

/// Makes a temporary file, which an interruption removes.
pub(crate) fn temporary_file(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    watch();
    let mut known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    known.push(file.path().to_owned());
    Ok(file)
}

/// Moves a temporary file to its place with `replace`. An interruption comes before or after.
pub(crate) fn uninterrupted<T>(replace: impl FnOnce() -> T) -> T {
    let _known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    replace()
}

fn stop() {
    let help = HELP.lock().unwrap_or_else(PoisonError::into_inner).take();
    let usual = || "unwritten files are unchanged; run the command again".to_owned();
    give_up(Failure::circumstances("interrupted").help(help.unwrap_or_else(usual)));
}

/// Ends the program at once, from any thread: temporary files are removed, and the failure reported.
pub(crate) fn give_up(failure: Failure) -> ! {
    let known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    // Files that have been moved to their place have lost this name.
    known.iter().for_each(|path| drop(fs::remove_file(path)));
    let status = failure.status();
    report::failure(failure);
    std::process::exit(i32::from(status));
}
