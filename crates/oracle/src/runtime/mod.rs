//! The runtime compared with the C++ library's, on the same tiles: both are asked the same random questions.
//!
//! - [`pair`]: the same tiles in both libraries; [`load`] puts them into the C++ library's memory.
//! - [`draw`]: random questions, each made from a seed and its number.
//! - [`local`], [`paths`], [`ray`], [`moves`]: the questions, and the verdicts on the two answers.
//! - [`lengths`]: paths in our own mode, and the shortest, compared with the C++ library's.
//! - [`over_ground`]: lengths over the ground.
//! - [`graph`], [`model`], [`string`], [`walk`]: models that explain differences.
//! - [`verdict`]: equal, tie, listed deviation, unexplained.
//! - [`rows`]: the questions of RecastDemo's test files.
//! - [`node`]: the same questions to the npm package under node.
//! - [`deviations`]: the intended differences.
//! - [`report`]: all questions over one mesh, as a table.

pub mod asker;
pub mod deviations;
pub mod draw;
pub mod graph;
pub mod lengths;
pub mod load;
pub mod local;
pub mod model;
pub mod moves;
pub mod node;
pub mod over_ground;
pub mod pair;
pub mod paths;
pub mod ray;
pub mod report;
pub mod rows;
pub mod string;
pub mod verdict;
pub mod walk;

use detour::{FilterError, MeshError, QueryError, RefError};
use navinterop::export::ExportError;
use navinterop::import::ImportError;
use recastnavigation_rs::XError;

/// A comparison that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The level cannot be baked.
    #[error(transparent)]
    Bake(#[from] recast::Error),
    /// The tiles cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A tile cannot be written.
    #[error(transparent)]
    Limit(#[from] navmath::LimitError),
    /// The tiles cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The C++ library cannot hold a polygon.
    #[error(
        "a polygon has more than six corners or one on a straight side, which the export cuts: compare tiles that were \
         exported and imported"
    )]
    Split,
    /// There are off-mesh links.
    #[error("there are off-mesh links, which are not compared: bake without them")]
    OffMesh,
    /// A number does not fit the C++ library's 32 bits.
    #[error("{0:#x} does not fit the C++ library's 32 bits: bake in other tiles")]
    Wide(u64),
    /// The C++ library gave a tile another reference than its set has.
    #[error("tile reference {wanted:#x} became {found:#x} in the C++ library")]
    Moved {
        /// The value in the set.
        wanted: u32,
        /// The library's value.
        found: u32,
    },
    /// The libraries count polygons differently.
    #[error("the meshes have {ours} and {theirs} polygons")]
    Counts {
        /// Ours.
        ours: usize,
        /// Exported.
        theirs: usize,
    },
    /// A line of a test file that begins like a question but is not valid.
    #[error("line {0}: expected six coordinates after pf or rc")]
    Line(u64),
    /// A polygon that has no number.
    #[error("polygon {0} has no number")]
    Unnumbered(detour::PolyRef),
    /// Our runtime refuses a tile.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Our runtime refuses a question.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A reference to no polygon.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// Our runtime refuses a cost.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The C++ library refuses something.
    #[error("the C++ library: {0}")]
    Theirs(#[from] XError),
}
