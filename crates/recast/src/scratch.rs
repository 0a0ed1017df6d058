//! Memory reused from tile to tile by one worker. A steady-state bake allocates next to nothing.

use crate::stage;

/// Scratch memory of all stages. Make one a thread and keep it.
#[derive(Default)]
pub struct Scratch {
    pub(crate) rasterize: stage::rasterize::Buffers,
    pub(crate) floors: stage::floors::Buffers,
    pub(crate) triangulate: stage::triangulate::Buffers,
    pub(crate) poly_mesh: stage::poly_mesh::Buffers,
    pub(crate) detail: Vec<stage::detail_mesh::Buffers>,
    pub(crate) emit: stage::emit::Buffers,
}

impl Scratch {
    /// Scratch that has grown nowhere yet.
    pub fn new() -> Scratch {
        Scratch::default()
    }
}
