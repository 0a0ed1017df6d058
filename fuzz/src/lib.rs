//! Fuzzing of everything that reads untrusted bytes: what the targets under `fuzz_targets` do.
//!
//! - [`targets`]: a function for each target, bytes in.
//! - [`questions`]: every query of the runtime, asked of a mesh.
//! - [`base`]: the sound tiles and files that mutations start from.
//! - [`mutate`]: tiles changed field by field, with checksums that fit again.
//! - [`file`]: the same for files.
//! - [`level`]: levels that were read, prepared and baked.
//! - [`memory`]: the allocator that counts.
//! - [`script`]: the fuzzer's bytes as decisions.
//! - [`seeds`]: the files of the corpora.
//!
//! A target fails by a panic, by memory beyond its bound, by an assertion of its own, or by taking more than a second.
//! docs/reliability.md says what that covers.

pub mod base;
pub mod file;
pub mod level;
pub mod memory;
pub mod mutate;
pub mod questions;
pub mod script;
pub mod seeds;
pub mod targets;
