//! The integration tests of this crate, one module per subject, in a single program that is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

#[allow(dead_code, unused_imports, reason = "the tests of navtile use the rest")]
#[path = "../../../navtile/tests/it/common/mod.rs"]
mod common;
mod files;
mod layers;
mod pinched;
mod repairs;
mod sample;
mod scenes;
mod steep;

// `common` needs it.
use bytemuck as _;
