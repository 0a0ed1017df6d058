//! The integration tests of this crate, one module per subject, in one program, so that it is linked once.
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

/// Returns true if each test may take its full time (`NAVTILE_LONG`). By default a test takes a part of its
/// levels; in the lane `long` it takes all.
fn is_long() -> bool {
    std::env::var_os("NAVTILE_LONG").is_some()
}

/// The public levels, if there is time for them and their folder is next to the repository.
fn public_levels() -> Vec<(&'static str, recast::Level)> {
    if is_long() { navscenes::public_levels() } else { Vec::new() }
}
