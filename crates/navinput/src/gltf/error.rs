//! Errors of glTF files: the place, the value found, the value expected, and the remedy.

use navmath::count::counted;
use std::fmt;
use thiserror::Error;

/// The extension of Draco streams.
pub(super) const DRACO: &str = "KHR_draco_mesh_compression";
const DRACO_REMEDY: &str =
    "decompress the level with `npx @gltf-transform/cli copy LEVEL.glb PLAIN.glb`, or export it again";

/// A glTF file that cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub struct GltfError {
    /// Place in the file: `meshes[3].primitives[0].indices`; empty for the file as a whole.
    pub at: String,
    /// The problem.
    pub problem: GltfProblem,
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        write!(f, "{}; {}", self.problem, self.problem.remedy())
    }
}

/// A problem of a glTF file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GltfProblem {
    /// No bytes, or only white space.
    #[error("the file is empty, expected a glTF level")]
    Empty,
    /// The bytes are neither JSON nor GLB.
    #[error("the file starts like neither JSON (`{{`) nor GLB (`glTF`)")]
    NotGltf,
    /// The GLB container is damaged.
    #[error("the GLB container {0}")]
    Container(String),
    /// The JSON text is invalid, or not that of a glTF.
    #[error("the JSON is not glTF: {0}")]
    Json(String),
    /// Another version of glTF.
    #[error("the file is glTF {0}, expected glTF 2.0")]
    Version(String),
    /// Extensions that are required to read the file.
    #[error("the file requires {}, which navtile does not read", .0.join(", "))]
    Extensions(Vec<String>),
    /// An index beyond the end of its list.
    #[error("index {index} is out of range, expected less than {count}, the number of {of}")]
    Index {
        /// The things counted, in the plural.
        of: &'static str,
        /// The index.
        index: u64,
        /// Number of them.
        count: u64,
    },
    /// A value of another kind than expected.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The value found.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
    /// A URI that is not allowed.
    #[error("the URI `{uri}` {why}")]
    Uri {
        /// The URI, shortened.
        uri: String,
        /// Why it is refused.
        why: &'static str,
    },
    /// An external buffer that could not be loaded.
    #[error("the buffer `{uri}` cannot be read: {reason}")]
    Load {
        /// Its relative path.
        uri: String,
        /// Why.
        reason: String,
    },
    /// Data that would reach beyond its buffer or view.
    #[error("{what} ends at byte {end}, but {within} has {length} bytes")]
    Beyond {
        /// The range that reaches too far.
        what: &'static str,
        /// End of the range.
        end: u64,
        /// The range it should be within.
        within: &'static str,
        /// Length of that range.
        length: u64,
    },
    /// A stream of meshoptimizer's that cannot be decoded.
    #[error("the compressed stream {0}")]
    Compressed(String),
    /// Triangles that are stored only as Draco streams, in a build without the feature `draco`.
    #[error("the primitive is compressed with Draco, which this build of navtile does not read")]
    Draco,
    /// A Draco stream that cannot be decoded.
    #[error("the Draco stream {0}")]
    DracoStream(String),
    /// A buffer without bytes.
    #[error("{0}")]
    NoData(&'static str),
    /// A vertex that is not finite.
    #[error("element {element} is not finite, expected finite numbers")]
    NotFinite {
        /// Index of the vertex, from 0.
        element: u64,
    },
    /// The nodes do not form a tree.
    #[error("{0}, expected nodes to form a tree")]
    Tree(String),
    /// The file would become more than its size accounts for, or more than fits.
    #[error("{what} is {value}, more than the limit of {limit}")]
    Limit {
        /// The things counted.
        what: &'static str,
        /// The value reached.
        value: u64,
        /// The most that is accepted.
        limit: u64,
        /// The change that would help.
        remedy: &'static str,
    },
    /// There is no triangle.
    #[error(
        "the scene has no triangles: {}, {}",
        counted(*meshes, "mesh is placed in it", "meshes are placed in it"),
        counted(*others, "primitive is lines or points", "primitives are lines or points")
    )]
    NoTriangles {
        /// Placements of meshes in the scene.
        meshes: u64,
        /// Primitives of lines or points among them.
        others: u64,
    },
}

impl GltfProblem {
    /// The remedy.
    pub fn remedy(&self) -> &'static str {
        match self {
            GltfProblem::Empty | GltfProblem::Container(_) => "export the level again",
            GltfProblem::NotGltf => "check that this is a .gltf or .glb file",
            GltfProblem::Json(_) => "export the level again as glTF 2.0",
            GltfProblem::Version(_) => "export the level as glTF 2.0",
            GltfProblem::Extensions(names) if names.iter().any(|name| name == DRACO) => DRACO_REMEDY,
            GltfProblem::Extensions(_) => "export the level without them",
            GltfProblem::Draco | GltfProblem::DracoStream(_) => DRACO_REMEDY,
            GltfProblem::Compressed(_) => {
                "compress the level again with `gltfpack` or `gltf-transform meshopt`"
            }
            GltfProblem::Uri { .. } => "keep buffers next to the level, or inside it as a .glb",
            GltfProblem::Load { .. } => "put the buffer next to the level, or export the level as one .glb",
            GltfProblem::Beyond { .. } | GltfProblem::Index { .. } => {
                "check that the file is complete and was not edited by hand"
            }
            GltfProblem::NoData(_) => "export the level without mesh compression, as one .glb",
            GltfProblem::NotFinite { .. } => "repair the mesh in the modelling program",
            GltfProblem::Tree(_) => "give every node at most one parent, which must not be below it",
            GltfProblem::Limit { remedy, .. } => remedy,
            GltfProblem::NoTriangles { .. } => "export the meshes of the level, and their scene",
            GltfProblem::Unexpected { .. } => "check the exporter's settings",
        }
    }

    /// The problem with its place.
    pub(super) fn at(self, at: impl Into<String>) -> GltfError {
        GltfError { at: at.into(), problem: self }
    }
}
