//! The C interface of navtile. `cargo xtask capi` makes `include/navtile.h` from these modules. From Rust,
//! only tests and measurements use them.
//!
//! - `status`: results of calls, errors and their texts. No panic leaves a call.
//! - `table`: handles, which C uses to refer to objects; an invalid handle is detected.
//! - `pointers`: pointers from C, and all unsafe code.
//! - [`types`]: points, places and handles. `faults`: conversions from the libraries' errors.
//! - [`mesh`], [`query`], [`corridor`], [`crowd`], [`bake`], [`cache`]: the calls. [`near`], [`search`],
//!   [`field`], [`links`], [`far`]: more queries. [`far_route`], [`portals`]: more calls for far paths.
//!   [`groups`]: more calls for crowds. [`agent`]: properties of agents. [`obstacle`]: obstacles of a cache.
//!
//! Objects are locked in this order, so that no two calls wait for each other: a query, then a corridor, a
//! field, a search, a hierarchy or a far route; a cache, then a mesh. All other objects are locked alone:
//! meshes and filters are copied first.

#![allow(missing_docs, non_camel_case_types, reason = "C reaches what is here, by C's names")]

pub mod agent;
pub mod bake;
pub mod cache;
pub mod corridor;
pub mod crowd;
pub mod far;
pub mod far_route;
mod faults;
pub mod field;
pub mod groups;
pub mod links;
pub mod mesh;
pub mod near;
pub mod obstacle;
mod pointers;
pub mod portals;
pub mod query;
pub mod search;
pub mod status;
mod table;
mod traveller;
pub mod types;
