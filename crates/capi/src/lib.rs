//! The C interface of navtile. `include/navtile.h` is made from these modules, by `cargo xtask capi`.
//!
//! - `status`: results of calls, errors and their texts. No panic leaves a call.
//! - `table`: handles, by which C names objects; a wrong one is found out.
//! - `pointers`: pointers from C, and all that is unsafe.
//! - `types`: points, places and handles. `faults`: errors of the libraries.
//! - `mesh`, `query`, `corridor`, `crowd`, `bake`: the calls.
//!
//! Objects are locked in this order, so that no two calls wait for each other: a mesh or a filter, which is only copied; a
//! query; a corridor. Crowds, bakes and bytes are locked alone.

#![allow(
    unreachable_pub,
    missing_docs,
    non_camel_case_types,
    reason = "C reaches what is here, by C's names"
)]

mod bake;
mod corridor;
mod crowd;
mod faults;
mod mesh;
mod pointers;
mod query;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod types;
