//! Fuzzing of everything that reads untrusted bytes: what the targets under `fuzz_targets` do.
//!
//! - [`targets`]: a function for each target, bytes in.
//! - [`questions`]: every query of the runtime, asked of a mesh.
//! - [`base`]: the sound tiles and files that mutations start from.
//! - `common`, `judge`, `file_support`: tiles, graphs, plain checkers and plain models, compiled from
//!   navtile's tests.
//! - `crowd_script`: calls of a crowd in any order, compiled from its tests.
//! - `calls`: calls of the C interface in any order, compiled from its tests.
//! - `brute`: answers of the runtime, found over all polygons.
//! - [`mutate`]: tiles changed field by field, with checksums that fit again.
//! - [`file`]: the same for files.
//! - [`level`]: levels that were read, prepared and baked.
//! - [`memory`]: the allocator that counts.
//! - [`script`]: the fuzzer's bytes as decisions.
//! - [`seeds`]: the files of the corpora.
//!
//! A target fails by a panic, by memory beyond its bound, by an assertion of its own, or by taking more than
//! a second. docs/reliability.md says what that covers.

pub mod base;
mod brute;
#[allow(dead_code, clippy::unwrap_used, reason = "the tests of the C interface use the rest")]
#[path = "../../crates/capi/tests/it/calls/mod.rs"]
mod calls;
#[allow(dead_code, reason = "navtile's tests use the rest")]
mod common;
#[path = "../../crates/crowd/tests/it/script.rs"]
mod crowd_script;
pub mod file;
#[allow(dead_code, reason = "navtile's tests use the rest")]
#[path = "../../crates/navtile/tests/it/file_support/mod.rs"]
mod file_support;
#[allow(dead_code, reason = "navtile's tests use the rest")]
#[path = "../../crates/navtile/tests/it/judge/mod.rs"]
mod judge;
pub mod level;
pub mod memory;
pub mod mutate;
pub mod questions;
pub mod script;
pub mod seeds;
pub mod targets;
