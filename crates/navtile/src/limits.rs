//! Limits of the format, so that queries are bounded and arithmetic is exact.

use crate::layout::SECTION_ALIGN;

/// Most polygons in a tile: polygon references have 20 bits for the polygon.
pub const POLYGON_LIMIT: usize = 1 << 20;
/// Most edges of a polygon.
pub const EDGE_LIMIT: usize = 255;
/// Most levels of nodes in the BV tree. A query's stack needs at most `3 * BV_DEPTH_LIMIT + 1` entries.
pub const BV_DEPTH_LIMIT: usize = 24;
/// Most portals of one side above each other at any point. With this limit, joining two sides of `m` and `n`
/// portals finds at most `(m + n) * PORTAL_STACK_LIMIT` links.
pub const PORTAL_STACK_LIMIT: usize = 256;
/// Most polygons examined for one end of an off-mesh link: those with boxes at most as far away as the
/// nearest ground. An end that would need more has no ground.
pub const SNAP_LIMIT: u32 = 512;
/// Most portals beyond a seam that are linked with one portal at its start, or that start along it at the
/// same position.
pub const MEETING_LIMIT: usize = 16;
/// Width and depth of a tile in cells: the border's fixed-point coordinate stays within the coordinate limit.
pub const SIZE_LIMIT: u32 = (crate::layout::COORD_LIMIT >> navmath::FIXED_SHIFT) as u32;
/// Magnitude of a base cell, cells: within it, a global fixed-point position is exact in f64.
pub const BASE_CELL_LIMIT: i64 = 1 << 40;
/// Magnitude of the lattice's origin, metres.
pub const ORIGIN_LIMIT: f64 = (1u64 << 50) as f64;
/// Smallest cell size and height, metres.
pub const CELL_MIN: f64 = 1.0 / (1u64 << 20) as f64;
/// Largest cell size and height, metres.
pub const CELL_MAX: f64 = (1u64 << 20) as f64;
/// Largest agent radius, height and climb, metres.
pub const AGENT_LIMIT: f32 = (1u32 << 20) as f32;
/// Most detail vertices, and most detail triangles, of a polygon.
pub const DETAIL_LIMIT: usize = u16::MAX as usize;
/// Longest blob, bytes: offsets and lengths of sections are 32 bits.
pub const BLOB_LIMIT: usize = u32::MAX as usize - (SECTION_ALIGN - 1);
