//! The integration tests of this crate, one module per subject, in one program, so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod bad_input;
mod characters;
mod common;
mod faults;
mod floors;
mod games;
mod in_a_mesh;
mod ladders;
mod links;
mod made;
mod memory;
mod moves;
mod scenes;
mod sequences;
mod sweep;
