//! The integration tests of this crate, one module a subject, in one program: it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod explain;
mod generated_levels;
mod heights;
mod kept;
mod limits;
mod links;
mod passages;
mod seams;
mod threads;
mod tiled;
mod way;

/// Whether there is time for all of each test (`NAVTILE_LONG`): after an edit a test takes a part of its levels, in the lane `long` all.
fn is_long() -> bool {
    std::env::var_os("NAVTILE_LONG").is_some()
}

/// The public levels where there is time for them, and where their folder lies beside the repository.
fn public_levels() -> Vec<(&'static str, recast::Level)> {
    if is_long() { navscenes::public_levels() } else { Vec::new() }
}
