//! The C++ library as a measuring stick: what it makes of a level, in our data types, and how ours differs.
//!
//! - [`level`]: levels from OBJ files.
//! - [`convert`]: the C++ library's results as our data types.
//! - [`results`]: every intermediate result of a bake, ours or theirs.
//! - [`mod@reference`]: a bake by the C++ library.
//! - [`exact`]: what is solid by exact arithmetic, where the two differ.
//! - [`fragments`]: our span fragments, for the C++ library to merge.
//! - [`compare`]: what differs between two results of one stage.
//! - [`fed`]: each of our stages on the C++ stage's own input.
//! - [`chain`]: whole bakes, ours beside the C++ library's.
//! - [`deviations`]: the differences that are meant.
//! - [`quality`]: how good either's meshes are.
//! - [`document`]: documents with tables that programs write.
//! - [`report`]: the table, and whether anything in it is unexpected.
//! - [`runtime`]: the runtime beside the C++ library's, question by question.
//! - [`speed`]: how long bakes, queries and loading take, side by side.
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
