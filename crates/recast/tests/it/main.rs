//! The integration tests of this crate, one module per subject, in one program, so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod edges;
mod generated_levels;
mod heights;
mod limits;
mod seams;
mod threads;
mod tiled;
mod turned_rooms;
