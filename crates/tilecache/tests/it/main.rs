//! The integration tests of this crate, one module a subject, in one program: it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod bad_input;
mod common;
mod faults;
mod in_a_mesh;
mod made;
mod scenes;
mod sequences;
