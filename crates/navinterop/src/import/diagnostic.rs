//! The repairs of an import, with their places.

use navtile::tile::TileCoord;
use thiserror::Error;

/// Something that was repaired or left out.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("tile ({}, {}, {}): {repair}, at {:.2}, {:.2}, {:.2}", coord.x, coord.z, coord.layer, at[0], at[1], at[2])]
pub struct ImportDiagnostic {
    /// The tile.
    pub coord: TileCoord,
    /// World position, metres.
    pub at: [f64; 3],
    /// The repair.
    pub repair: Repair,
}

/// A repair. Polygons are numbered as in the tile that was imported.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Repair {
    /// Two corners at the same position seen from above became one.
    #[error("polygon {polygon} has two corners at the same position: they became one")]
    CornersJoined {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon with fewer than three different corners was left out, and its neighbours were joined across
    /// it.
    #[error("polygon {polygon} has fewer than three corners in different places: it was left out")]
    Collapsed {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon with the opposite winding was reversed.
    #[error("polygon {polygon} had the opposite winding: it was reversed")]
    Reversed {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon whose edges cross or touch each other was left out; narrow strips join its neighbours.
    #[error("polygon {polygon} has edges that cross or touch: it was left out")]
    Crossing {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon without area seen from above was left out, and its neighbours were joined across it.
    #[error("polygon {polygon} has no area: it was left out")]
    ZeroArea {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon without area seen from above was widened: a corner was moved by 1/256 of a cell.
    #[error("polygon {polygon} has no area: a corner was moved by 1/256 of a cell to widen it")]
    Widened {
        /// The polygon.
        polygon: usize,
    },
    /// An edge without length seen from above that leads to another polygon was lengthened: an end was moved
    /// by 1/256 of a cell.
    #[error("polygon {polygon} has an edge without length to another: an end was moved by 1/256 of a cell")]
    Lengthened {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon without area, or folded over its neighbours: narrow strips along its edges join the
    /// neighbours.
    #[error("polygon {polygon} has no area, or overlaps its neighbours: narrow strips join the neighbours")]
    Unfolded {
        /// The polygon.
        polygon: usize,
    },
    /// A polygon that was not convex was split; heights within it now follow its corners only.
    #[error("polygon {polygon} is not convex: it was split into {pieces}, without its detail mesh")]
    Split {
        /// The polygon.
        polygon: usize,
        /// Number of polygons that it was split into.
        pieces: u32,
    },
    /// A polygon that the format cannot represent was left out.
    #[error("polygon {polygon} was left out: {what}")]
    LeftOut {
        /// The polygon.
        polygon: usize,
        /// The reason.
        what: String,
    },
    /// A neighbour that does not lead back: the edge became a wall.
    #[error(
        "polygon {polygon} names polygon {neighbour} beyond an edge, but that polygon does not lead \
         back: the edge became a wall"
    )]
    OneSided {
        /// The polygon.
        polygon: usize,
        /// The polygon that the edge names.
        neighbour: usize,
    },
    /// An edge towards another tile that is off the tile's border: it became a wall.
    #[error(
        "polygon {polygon} has an edge towards another tile that is {distance:.4} m off the border: \
         it became a wall"
    )]
    OffBorder {
        /// The polygon.
        polygon: usize,
        /// Distance of the farther end from the border, metres.
        distance: f64,
    },
    /// An edge towards another tile that has the tile on its right, or no length: it became a wall.
    #[error("polygon {polygon} has an edge in the wrong direction towards another tile: it became a wall")]
    WrongWay {
        /// The polygon.
        polygon: usize,
    },
    /// An edge towards another tile with an invalid side: it became a wall.
    #[error(
        "polygon {polygon} has an edge towards another tile on side {side}, expected 0, 2, 4 or 6: it \
         became a wall"
    )]
    UnknownSide {
        /// The polygon.
        polygon: usize,
        /// The number of the side.
        side: u16,
    },
    /// A vertex of a portal was moved to the border by more than rounding explains.
    #[error("a vertex was moved {distance:.4} m to the tile's border")]
    Snapped {
        /// Distance it was moved, metres.
        distance: f64,
    },
    /// A portal at the same place as another became a wall.
    #[error(
        "polygon {polygon} has an edge towards another tile at the same place as another polygon: \
         it became a wall"
    )]
    SamePortal {
        /// The polygon.
        polygon: usize,
    },
    /// Two corners of a detail triangle became one, so it was left out.
    #[error("polygon {polygon} has a detail triangle without three corners: it was left out")]
    DetailTriangle {
        /// The polygon.
        polygon: usize,
    },
    /// Polygons without flags. No filter of Detour passes them, but here a filter that asks for no flag does.
    #[error(
        "{polygons} polygons have no flags: every filter of Detour rejects them, but here a filter that \
         asks for no flag passes them"
    )]
    NoFlags {
        /// Number of them.
        polygons: usize,
    },
    /// An off-mesh connection was left out.
    #[error("off-mesh connection {connection} was left out: {what}")]
    Connection {
        /// Its number.
        connection: usize,
        /// The reason.
        what: String,
    },
}
