//! The state that a cache keeps for generated links.

use navlinks::{GeneratedLink, GroundCounts, GroundStore, LinkWindow};
use navtile::graph::TileNode;
use navtile::{IslandGraph, Tile, TileCoord};
use recast::TileGround;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// The generated links of a cache.
pub(crate) struct LiveLinks {
    /// All tiles at the time when their links were found.
    pub(crate) linked: IslandGraph,
    /// Tiles that changed since then.
    pub(crate) changed: BTreeSet<TileCoord>,
    /// The window around the changed tiles, once it was begun.
    pub(crate) window: Option<LinkWindow>,
    /// Tiles baked for their ground.
    pub(crate) plain: BTreeMap<TileCoord, PlainTile>,
}

/// A tile without generated links, and before anything is pruned.
pub(crate) struct PlainTile {
    pub(crate) tile: Tile,
    pub(crate) node: TileNode,
    pub(crate) ground: TileGround,
}

/// The ground of these tiles.
pub(crate) struct PlainGround<'a>(pub(crate) &'a BTreeMap<TileCoord, PlainTile>);

impl GroundStore for PlainGround<'_> {
    type Error = Infallible;

    fn counts(&self, coord: TileCoord) -> Option<GroundCounts> {
        self.0.get(&coord).map(|plain| GroundCounts::from(&plain.ground))
    }

    fn ground(&self, coord: TileCoord) -> Result<TileGround, Infallible> {
        Ok(self.0[&coord].ground.clone())
    }
}

/// The links around the tiles that changed.
#[derive(Default)]
pub(crate) struct FoundLinks {
    pub(crate) links: Vec<GeneratedLink>,
    /// The tiles that these links belong to.
    pub(crate) written: BTreeSet<TileCoord>,
}

impl LiveLinks {
    /// Links of these tiles; `None` if the settings have no profiles.
    pub(crate) fn new(graph: &IslandGraph, has_profiles: bool) -> Option<LiveLinks> {
        has_profiles.then(|| LiveLinks {
            linked: graph.clone(),
            changed: BTreeSet::new(),
            window: None,
            plain: BTreeMap::new(),
        })
    }

    /// Returns true if tiles have other ground than their links were found on.
    pub(crate) fn are_waiting(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Marks a tile as changed.
    pub(crate) fn change(&mut self, coord: TileCoord) {
        self.changed.insert(coord);
        self.window = None;
    }
}
