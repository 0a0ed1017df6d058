//! The stages, in order. Each has its parameters and a `run` that consumes one type and returns the next.

pub mod clear_unwalkable;
pub mod compact;
pub mod detail_mesh;
pub mod distance_field;
pub mod emit;
pub mod erode;
pub mod filter_ledges;
pub mod filter_low_ceilings;
pub mod filter_low_hanging;
pub(crate) mod floors;
pub mod heightfield_layers;
pub mod mark_areas;
pub mod mark_walkable;
pub mod merge_holes;
pub mod poly_mesh;
pub mod rasterize;
pub mod regions;
pub(crate) mod row_sweep;
pub mod simplify_contours;
#[cfg(test)]
pub(crate) mod testing;
pub mod trace_contours;
pub mod triangulate;
