//! The integration tests of this crate, one module per subject, in a single program that is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod allocations;
mod common;
mod file;
mod file_compact;
mod file_crash;
mod file_format;
mod file_limits;
mod file_shared;
mod file_store;
mod file_support;
mod graph_rules;
mod growth;
mod hierarchy_part;
mod judge;
mod off_mesh;
mod padding;
mod real_content;
mod rules;
mod seam;
mod seam_check;
mod span_cache;
mod verdicts;
mod write;
