//! Tests of the calls: their answers are the library's, and nothing that C may do wrong ends badly.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod answers;
mod bakes;
mod caches;
mod calls;
mod errors;
mod far;
mod groups;
mod links;
mod near;
mod order;
mod verbs;
mod walks;
