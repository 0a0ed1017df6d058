//! Ctrl-C and the like: whatever is under way, temporary files are removed and the program ends at once.
//!
//! A signal is handled on a thread of its own, so that no stage, read or write has to ask whether it should stop.

use crate::failure::Failure;
use crate::report;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, Once, PoisonError};
use tempfile::NamedTempFile;

/// Temporary files of this process that have names. Locked while one is made or put in its place, so that none is
/// missed, and a file that replaces another does so wholly or not at all.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The help in the report of an interruption.
static HELP: Mutex<Option<String>> = Mutex::new(None);

/// From now on an interruption is reported, with this help.
pub(crate) fn advise(help: String) {
    *HELP.lock().unwrap_or_else(PoisonError::into_inner) = Some(help);
    watch();
}

/// Until there is something to remove or to say, signals do what they do by default. Where they cannot be caught, they go on to
/// do so; the next run removes what is left.
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

/// Puts a temporary file in its place, with `replace`; an interruption comes before or after.
pub(crate) fn uninterrupted<T>(replace: impl FnOnce() -> T) -> T {
    let _known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    replace()
}

fn stop() {
    let help = HELP.lock().unwrap_or_else(PoisonError::into_inner).take();
    let usual = || "what was not yet written is as it was; run it again when it suits".to_owned();
    give_up(Failure::circumstances("interrupted").help(help.unwrap_or_else(usual)));
}

/// Ends the program at once, from any thread: temporary files are removed, and the failure reported.
pub(crate) fn give_up(failure: Failure) -> ! {
    let known = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    // Those that are in their place by now have no such name any more.
    known.iter().for_each(|path| drop(fs::remove_file(path)));
    let status = failure.status();
    report::failure(failure);
    std::process::exit(i32::from(status));
}
