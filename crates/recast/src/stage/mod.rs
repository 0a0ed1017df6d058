//! The stages, one module each, all of one shape:
//!
//! ```text
//! pub struct Params { .. }       // each with a unit, a limit, a default and the reason for it; `()` if there are none
//! pub fn run(input: Input, params: &Params, context: &mut Context) -> Result<Output, Error>
//! ```
//!
//! A stage consumes one type of [`crate::data`] and returns the next; several inputs are a tuple. [`Context`] holds the
//! threads, the memory and the report that all stages of a tile share.

pub mod compact;
pub mod context;
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

pub use context::Context;
