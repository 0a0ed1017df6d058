//! The C interface of navtile. `include/navtile.h` is made from these modules, by `cargo xtask capi`; from Rust they are of use to
//! tests and measurements alone.
//!
//! - `status`: results of calls, errors and their texts. No panic leaves a call.
//! - `table`: handles, by which C names objects; a wrong one is found out.
//! - `pointers`: pointers from C, and all that is unsafe.
//! - [`types`]: points, places and handles. `faults`: errors of the libraries.
//! - [`mesh`], [`query`], [`corridor`], [`crowd`], [`bake`], [`cache`]: the calls. [`near`], [`search`], [`field`], [`links`]: more questions.
//!   [`groups`]: more of crowds. [`piece`]: pieces of a cache.
//!
//! Objects are locked in this order, so that no two calls wait for each other: a query, then a corridor, a field or a search; a cache, then a mesh.
//! Else they are locked alone: meshes and filters are copied first.

#![allow(missing_docs, non_camel_case_types, reason = "C reaches what is here, by C's names")]

pub mod bake;
pub mod cache;
pub mod corridor;
pub mod crowd;
mod faults;
pub mod field;
pub mod groups;
pub mod links;
pub mod mesh;
pub mod near;
pub mod piece;
mod pointers;
pub mod query;
pub mod search;
pub mod status;
mod table;
pub mod types;
