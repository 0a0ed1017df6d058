//! The ground of a tile: what a bake keeps of its spans and floors, so that links can be found on it.

pub(crate) mod column;
pub(crate) mod floor;
pub(crate) mod tile_ground;
pub(crate) mod tile_ladders;

pub use tile_ground::TileGround;
pub(crate) use tile_ladders::TileLadders;
