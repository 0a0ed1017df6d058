//! The stages, one module each, all of one shape:
//!
//! ```text
//! pub struct Params { .. }       // each with a unit, a limit, a default and the reason for it; or `()`
//! pub fn run(input: Input, params: &Params, context: &mut Context) -> Result<Output, Error>
//! ```
//!
//! A stage consumes one type of [`crate::data`] and returns the next; several inputs are a tuple. [`Context`]
//! holds the threads, the memory and the report that all stages of a tile share. Rules beyond the textbook
//! are called by name and are in `crate::soundness`: a stage can be read without them. [`crate::build`] runs
//! the stages in order; they can also be run one by one:
//!
//! ```
//! # use recast::{Level, PreparedLevel, Settings, TileBuild};
//! use recast::Context;
//! use recast::stage::rasterize::Source;
//! use recast::stage::{filter_low_hanging, mark_walkable, rasterize};
//! # let level = Level {
//! #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
//! #     triangles: vec![[0, 1, 2], [0, 2, 3]],
//! #     ..Level::default()
//! # };
//! # let level = PreparedLevel::new(&level, &Settings::default())?;
//! let (config, context) = (&level.config, &mut Context::new());
//! let (source, grid) = (Source::all(&level), TileBuild::solo(&level).grid);
//! let areas = mark_walkable::run(source, &config.into(), context)?;
//! let spans = rasterize::run((source, &areas, &grid), &config.into(), context)?;
//! let params = filter_low_hanging::Params { walkable_climb: 3 }; // or those of the config, as above
//! let spans = filter_low_hanging::run(spans, &params, context)?;
//! assert_eq!(spans.len(), 40 * 30);
//! # Ok::<(), recast::Error>(())
//! ```

pub mod compact;
pub mod context;
pub mod detail_mesh;
pub mod distance_field;
pub mod emit;
pub mod erode;
pub mod filter_ledges;
pub mod filter_low_ceilings;
pub mod filter_low_hanging;
pub mod mark_areas;
pub mod mark_walkable;
pub mod merge_holes;
pub mod poly_mesh;
pub mod rasterize;
pub mod regions;
pub mod simplify_contours;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod trace_contours;
pub mod triangulate;

pub use context::Context;
