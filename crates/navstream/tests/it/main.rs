//! The integration tests of this crate, one module per subject, in one program, so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod answers;
mod changes;
mod common;
mod hold;
mod model;
mod store;
mod travel;
mod world;
