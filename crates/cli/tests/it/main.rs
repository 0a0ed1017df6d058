//! The integration tests of this crate, one module a subject, in one program: it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod areas_of_paths;
mod ask;
mod bake;
mod bench;
mod chunks;
mod common;
mod compact;
mod crowd;
mod explain;
mod far;
mod files;
mod flat;
mod hierarchy;
mod hostile_shards;
mod in_memory;
mod inspect;
mod interop;
mod level_files;
mod link_shards;
mod links;
mod marks;
mod memory;
mod overwritten;
mod path;
mod previous;
mod python_reader;
mod readme;
#[allow(unreachable_pub, reason = "the README shows it as it is")]
mod readme_example;
mod report;
mod routes;
mod settings_page;
mod shards;
mod slopes;
mod studio;
mod studio_limits;
mod tiles;
mod update;
