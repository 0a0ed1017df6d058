//! The context of a stage: everything it works with except its input and its parameters.

use crate::observer::Report;
use crate::scratch::Scratch;
use crate::settings::Config;
use navmath::Lattice;

/// Threads, memory and the report, as every stage takes them: `run(input, &Params, &mut Context)`.
///
/// One context serves all stages of a tile. Results depend on neither `threads` nor `scratch`.
pub struct Context {
    /// Number of threads of rayon's current pool that share the work of a stage, at least 1.
    pub threads: usize,
    /// Memory reused from stage to stage and from tile to tile.
    pub scratch: Scratch,
    /// Collects the stages' diagnostics.
    pub report: Report,
}

impl Context {
    /// A context for running single stages: one thread, fresh memory, and a report on a lattice of 1 m cells,
    /// so that its places are in cells. Change the fields for anything else.
    pub fn new() -> Context {
        let lattice = Lattice { origin: [0.0; 3], cell_size: 1.0, cell_height: 1.0 };
        Context { threads: 1, scratch: Scratch::new(), report: Report::new(lattice, [0; 3]) }
    }
}

impl Default for Context {
    fn default() -> Context {
        Context::new()
    }
}

/// The parameters of stages without parameters.
impl From<&Config> for () {
    fn from(_: &Config) {}
}
