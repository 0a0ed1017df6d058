//! The C++ library as a reference: its results for a level in our data types, and how ours differ.
//!
//! - [`level`]: levels from OBJ files.
//! - [`convert`]: the C++ library's results as our data types.
//! - [`results`]: every intermediate result of a bake, ours or theirs.
//! - [`mod@reference`]: a bake by the C++ library.
//! - [`exact`]: the solid cells by exact arithmetic, for places in which the two differ.
//! - [`fragments`]: our span fragments, for the C++ library to merge.
//! - [`compare`]: the differences between two results of one stage.
//! - [`fed`]: each of our stages on the C++ stage's own input.
//! - [`chain`]: whole bakes, ours against the C++ library's.
//! - [`deviations`]: the intended differences.
//! - [`quality`]: the quality of both libraries' meshes.
//! - [`document`]: documents with tables that programs write.
//! - [`report`]: the table, with the unexpected differences in it.
//! - [`runtime`]: the runtime against the C++ library's, question by question.
//! - [`speed`]: times of bakes, queries and loading, ours against others.
//! - [`subject`]: levels and scenes under their names.
//! - [`tile_cache`]: programs around Detour's tile cache.

#![forbid(unsafe_code)]

pub mod chain;
pub mod compare;
pub mod convert;
pub mod deviations;
pub mod document;
pub mod exact;
pub mod fed;
pub mod fragments;
pub mod level;
pub mod quality;
pub mod reference;
pub mod report;
pub mod results;
pub mod runtime;
pub mod speed;
pub mod subject;
pub mod tile_cache;
