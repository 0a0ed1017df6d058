//! The ground of baked tiles until links are found on it: unpacked while there is little, packed beyond.
//! Packing and unpacking takes about as long as finding links, so a small level would take twice as long.

use super::ground::{pack_ground, unpack_ground};
use navlinks::GroundCounts;
use navtile::graph::TileNode;
use recast::TileGround;
use std::sync::atomic::{AtomicU64, Ordering};

/// The ground of a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum KeptGround {
    /// As a bake left it.
    Whole(Box<TileGround>),
    /// As [`pack_ground`] packs it.
    Packed(Vec<u8>),
}

impl KeptGround {
    /// The amount of ground; `None` if packed bytes are cut short.
    pub fn counts(&self) -> Option<GroundCounts> {
        match self {
            KeptGround::Whole(ground) => Some(GroundCounts::from(&**ground)),
            KeptGround::Packed(bytes) => GroundCounts::of(bytes),
        }
    }

    /// The packed bytes.
    pub fn packed(&self) -> Vec<u8> {
        match self {
            KeptGround::Whole(ground) => pack_ground(ground),
            KeptGround::Packed(bytes) => bytes.clone(),
        }
    }

    /// The ground, of the tile of this node and of `size` columns; `None` if packed bytes are malformed.
    pub fn unpacked(&self, node: &TileNode, size: [u32; 2]) -> Option<TileGround> {
        match self {
            KeptGround::Whole(ground) => Some(TileGround::clone(ground)),
            KeptGround::Packed(bytes) => unpack_ground(bytes, node.coord(), size, node.islands().len()),
        }
    }
}

/// Keeps the ground of tiles, as much of it unpacked as there is room for. Which tiles are packed may depend
/// on the order in which they are baked; links do not.
#[derive(Debug)]
pub struct GroundKeeper {
    /// Memory that is left for unpacked ground, bytes.
    left: AtomicU64,
}

impl GroundKeeper {
    /// Memory for unpacked ground that pays, bytes.
    pub const MOST: u64 = 128 << 20;

    /// Keeps at most `memory` bytes unpacked.
    pub fn new(memory: u64) -> GroundKeeper {
        GroundKeeper { left: AtomicU64::new(memory) }
    }

    /// Keeps the ground of a tile.
    pub fn keep(&self, ground: Box<TileGround>) -> KeptGround {
        let memory = ground.memory();
        let take = |left: u64| left.checked_sub(memory);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => KeptGround::Whole(ground),
            Err(_) => KeptGround::Packed(pack_ground(&ground)),
        }
    }
}
