//! Tiles for tests: drawn ones and random ones.

mod dice;
mod drawn;
pub(crate) mod graphs;
pub(crate) mod parts;
pub(crate) mod spoil;

pub(crate) use dice::Dice;
pub(crate) use drawn::{SIZE, WIDTH, empty, everything, pentagon, row, square, storeys, tile};

use drawn::{jittered, star};
use navtile::TileContent;
use proptest::prelude::*;

/// A random tile: a jittered grid with holes, some pairs of neighbours joined into polygons that need not be
/// convex, some squares with a flat sliver at an edge.
pub(crate) fn random_tile() -> impl Strategy<Value = TileContent> {
    (2..8i32, any::<u64>(), 0..4u32).prop_map(|(cells, seed, joins)| jittered(cells, &mut Dice(seed), joins))
}

/// A random polygon around the middle of the tile, often far from convex, with flat corners in places.
pub(crate) fn random_star() -> impl Strategy<Value = TileContent> {
    prop::collection::vec((1..60i32, 0..900i32), 16).prop_map(|reaches| star(&reaches))
}
