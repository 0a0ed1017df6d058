//! The place that all kept ground must be reachable from.

use navtile::TileCoord;
use std::collections::BTreeMap;

/// The place, and the nearest island of each tile near it.
#[derive(Debug)]
pub(crate) struct Seeds {
    pub(crate) place: [f64; 3],
    /// The nearest island, and its squared distance.
    pub(crate) nearest: BTreeMap<TileCoord, Option<(u32, f64)>>,
}
