//! The integration tests of this crate, one module per subject, in one program, so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod allocation;
#[path = "../../../navtile/tests/it/allocations.rs"]
mod allocations;
mod common;
mod corridor;
mod corridor_links;
mod costs;
mod courtyard;
mod field;
mod file;
mod generated_edges;
mod hills;
mod island_changes;
mod lines;
mod link_ways;
mod mesh;
mod nearest;
mod needless;
mod off_mesh;
mod optimal;
mod optimal_edges;
mod optimal_links;
mod path;
mod planar;
mod quality;
mod random;
mod raycast;
mod reachable;
mod region;
mod route;
mod seams;
mod shortcut_start;
mod sliced;
mod slide;
mod slopes;
mod state;
mod streaming;
mod surface_path;
mod verbs;
