//! A generated link: its edges, and the ground at their ends.

use navmath::Hasher;
use navtile::graph::Anchor;
use navtile::{LinkKind, OffMeshConnection, TileCoord};
use std::collections::BTreeSet;

/// A generated link, and the ground at its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedLink {
    /// The link as an off-mesh connection; its number states kind and profile
    /// ([`navtile::LinkKind::of_user_id`]).
    pub connection: OffMeshConnection,
    /// Lattice columns and heights of its start and its end, at the place that was found worth it: x, height,
    /// z.
    pub cells: [[i32; 3]; 2],
    /// The places along its edges, in a straight row; a single one if it leads between points.
    pub run: Vec<RunPlace>,
}

/// A place along the edges of a generated link, found to be free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunPlace {
    /// Lattice columns and heights of its start and end: x, height, z.
    pub cells: [[i32; 3]; 2],
    /// The tiles of its start and end.
    pub tiles: [TileCoord; 2],
    /// The local islands of its start and end, before anything was dropped.
    pub islands: [u32; 2],
}

impl GeneratedLink {
    /// The number of its ends in the island graph. If two links have the same number, they agree in profile,
    /// edges and the place that was found worth it, and the choice of other links depends on nothing else.
    fn number(&self) -> u64 {
        let mut hasher = Hasher::new();
        hasher.write_u64s(&[self.connection.digest()]).write_i32s(self.cells.as_flattened());
        let [a, b, c, d, e, f, g, h, ..] = hasher.finish().0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Index of its profile.
    pub(super) fn profile(&self) -> u16 {
        LinkKind::of_user_id(self.connection.user_id).map_or(0, |(_, profile)| profile)
    }

    /// The places along its edges that other candidates are compared with.
    pub(super) fn points(&self, spacing: u32) -> EdgePoints {
        let own = self.run.iter().position(|place| place.cells == self.cells).unwrap_or(0);
        EdgePoints::new(self.run.len(), own, spacing)
    }

    /// Its ends in each tile that its edges cross, with their islands.
    pub(super) fn anchors(&self) -> BTreeSet<(TileCoord, Anchor)> {
        let (connection, both_ways) = (self.number(), u8::from(self.connection.both_ways));
        let of_place = |place: &RunPlace| {
            let RunPlace { tiles, islands, .. } = *place;
            [0, 1].map(|end| {
                let island = islands[usize::from(end)];
                (tiles[usize::from(end)], Anchor { connection, island, end, both_ways, reserved: 0 })
            })
        };
        self.run.iter().flat_map(of_place).collect()
    }

    /// The place that was found worth it.
    pub(super) fn own(&self) -> Option<&RunPlace> {
        self.run.iter().find(|place| place.cells == self.cells)
    }
}

impl RunPlace {
    /// The column that it starts in.
    pub(super) fn start(&self) -> [i32; 2] {
        let [[x, _, z], _] = self.cells;
        [x, z]
    }
}

/// Other candidates are compared with these places of a run: its own candidate, its two ends, and places at
/// multiples of the wanted distance between links from its candidate.
pub(super) struct EdgePoints {
    last: usize,
    own: usize,
    step: usize,
}

impl EdgePoints {
    /// The places of a run of `count` places; `spacing` is in tenths of a cell.
    pub(super) fn new(count: usize, own: usize, spacing: u32) -> EdgePoints {
        EdgePoints { last: count.saturating_sub(1), own, step: (spacing / 10).max(1) as usize }
    }

    pub(super) fn has(&self, at: usize) -> bool {
        at.abs_diff(self.own).is_multiple_of(self.step) || at == 0 || at == self.last
    }
}
