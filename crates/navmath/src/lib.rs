//! The leaf of the workspace: the functions and types on which the bake, the blob and the runtime must agree
//! to the bit.
//!
//! - [`lattice`]: the one global voxel lattice and its fixed-point subdivision.
//! - [`predicates`]: exact planar predicates over integers.
//! - [`bounds`]: axis-aligned boxes over floats and integers.
//! - [`bytes`]: numbers from untrusted bytes.
//! - [`count`]: counts in sentences.
//! - [`crc`]: the checksum of files and tiles.
//! - [`limit`]: checked narrowing, and errors that name the limit or the range, the value and the remedy.
//! - [`order`]: total orders over floats, for sorts whose result must not depend on ties.
//! - [`random`]: random numbers from a seed.
//! - [`sets`]: disjoint sets, for connected components.
//! - [`sort`]: sorts whose code is shared between types.
//! - [`digest`]: the stable hash behind golden tests.

#![forbid(unsafe_code)]

#[cfg(target_endian = "big")]
compile_error!("tiles are little-endian and read in place: big-endian targets are not supported");

pub mod bounds;
pub mod bytes;
pub mod count;
pub mod crc;
#[cfg(feature = "digest")]
pub mod digest;
pub mod lattice;
pub mod limit;
pub mod order;
pub mod predicates;
pub mod random;
pub mod sets;
pub mod sort;

pub use bounds::{Box3, IBox3};
pub use crc::{crc32, crc32_of_parts};
#[cfg(feature = "digest")]
pub use digest::{Digest, Hasher};
pub use lattice::{FIXED_ONE, FIXED_SHIFT, Lattice, LatticeError};
pub use limit::{FieldError, LimitError};
pub use random::SplitMix64;
pub use sets::Sets;

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
