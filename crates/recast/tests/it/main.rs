//! The integration tests of this crate, one module a subject, in one program: it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod explain;
mod generated_levels;
mod heights;
mod kept;
mod limits;
mod links;
mod seams;
mod threads;
mod tiled;
mod way;
