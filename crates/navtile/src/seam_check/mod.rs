//! Checks that tiles fit together: every portal has its equal beyond the seam, and every off-mesh link has
//! ground at both ends. Each tile is valid by itself, or it would not be a [`Tile`]; these faults show only
//! between tiles.
//!
//! Two portals are *equal* if they have the same ends along the seam and the same heights there, to 1/256
//! cell. Baking tiles of one level gives equal portals; the runtime also joins portals that differ (see
//! [`crate::seam`]), but paths then cross steps and gaps that the ground does not have.
//! Cost: O(n log n) for n portals and matches (at most `limits::PORTAL_STACK_LIMIT` a portal on average), and
//! for each end of a link a descent of the box trees near it.

mod ends;
mod sides;

use crate::layout::side;
use crate::seam::SeamPlace;
use crate::tile::{Tile, TileCoord};
use navmath::sort::SharedSort;

/// The result of [`check_seams`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeamReport {
    /// Number of seams: pairs of neighbouring tiles whose borders are on one line. Each pair counts once.
    pub seams: usize,
    /// Number of portals of all tiles.
    pub portals: usize,
    /// Number of portals that have their equal beyond the seam.
    pub matched: usize,
    /// Length of seam along which portals are equal, metres; both sides count as one.
    pub matched_length: f64,
    /// Portals that do not fit, in the order of the given tiles, then by side and portal.
    pub exceptions: Vec<SeamException>,
    /// Ends of off-mesh links without ground, in the order of the given tiles, then by link.
    pub notes: Vec<LinkNote>,
}

/// A portal, or a part of one, that does not fit the tile beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeamException {
    /// The fault.
    pub fault: SeamFault,
    /// The portal's tile.
    pub tile: TileCoord,
    /// The side it is on (`layout::side`).
    pub side: u8,
    /// Its index in the tile.
    pub portal: u32,
    /// The portal beyond that is nearest on this part, if one is within one climb: its tile, and its index.
    pub partner: Option<(TileCoord, u32)>,
    /// Middle of the part, world metres.
    pub at: [f64; 3],
    /// Length of the part along the border, metres.
    pub length: f64,
}

/// A fault of a part of a portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeamFault {
    /// There is no tile beyond.
    NoTile,
    /// There is a tile beyond, but it has no portal within one climb here that is not the equal of another
    /// portal.
    NoPartner,
    /// The heights are equal here, but the portals start or end at different places.
    Interval,
    /// The heights differ.
    Height {
        /// Largest difference on the part, metres.
        by: f64,
    },
    /// The two portals match as seen from this one, but not as seen from the other.
    OneWay,
}

/// An end of an off-mesh link that has no ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkNote {
    /// The fault.
    pub fault: LinkFault,
    /// The link's tile.
    pub tile: TileCoord,
    /// Its index in the tile.
    pub link: u32,
    /// The user's own number of the link.
    pub user_id: u64,
    /// True for the end of the link, false for its start.
    pub is_end: bool,
    /// Position of the end, world metres.
    pub at: [f64; 3],
}

/// A fault of an end of an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkFault {
    /// The tile that the link names does not exist.
    NoTile,
    /// No polygon of its tile is within its radius, seen from above, with heights within one climb.
    NoPolygon {
        /// The radius, metres.
        radius: f64,
    },
    /// More than [`SNAP_LIMIT`](crate::limits::SNAP_LIMIT) polygons are near it, so no polygon is chosen.
    Crowded,
}

/// Checks the seams between tiles, and the ends of their off-mesh links.
///
/// The neighbours of each of a tile's four sides are the tiles at the neighbouring coordinate, of any layer,
/// that are on the same lattice and have their border on the same line. Every portal must have its equal in
/// one of them. Otherwise its interval is cut into parts with one fault each, and these are reported. A match
/// seen from one side must also be seen from the other.
///
/// ```
/// use navtile::seam_check::{SeamFault, check_seams};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
///
/// let report = check_seams(&[square_tile(0), square_tile(1)]);
/// assert_eq!((report.seams, report.portals, report.matched), (1, 8, 2));
/// // The other six portals lead out of the two tiles.
/// assert!(report.exceptions.iter().all(|exception| exception.fault == SeamFault::NoTile));
/// ```
pub fn check_seams(tiles: &[Tile]) -> SeamReport {
    let neighbours = Neighbours::new(tiles);
    let mut report = SeamReport::default();
    for tile in tiles {
        report.portals += tile.portals().len();
        for on in side::X_MIN..=side::Z_MIN {
            let beyond = neighbours.of(tile, on);
            if matches!(on, side::X_MAX | side::Z_MAX) {
                report.seams += beyond.len();
            }
            sides::check(tile, on, &beyond, &mut report);
        }
    }
    report.notes = ends::check(tiles);
    report
}

/// Tiles by their coordinates.
struct Neighbours<'a> {
    tiles: Vec<(TileCoord, &'a Tile)>,
}

impl<'a> Neighbours<'a> {
    fn new(tiles: &'a [Tile]) -> Neighbours<'a> {
        let mut tiles: Vec<_> = tiles.iter().map(|tile| (tile.coord(), tile)).collect();
        // A stable sort: tiles at one coordinate keep their given order.
        tiles.shared_sort_by_key(|(coord, _)| *coord);
        Neighbours { tiles }
    }

    /// The tiles beyond a side.
    fn of(&self, tile: &Tile, on: u8) -> Vec<&'a Tile> {
        let Some(beyond) = tile.coord().across(on) else { return Vec::new() };
        let start = self.tiles.partition_point(|(coord, _)| coord < beyond.start());
        let count = self.tiles[start..].partition_point(|(coord, _)| coord <= beyond.end());
        let border = SeamPlace::of(tile.header()).border(on);
        let fits = |other: &&Tile| {
            other.lattice() == tile.lattice()
                && SeamPlace::of(other.header()).border(Tile::opposite(on)) == border
        };
        self.tiles[start..start + count].iter().map(|(_, other)| *other).filter(fits).collect()
    }
}

/// Rounded world position, for reports, of numbers in 1/256 cells relative to a tile's base cell.
fn world(tile: &Tile, fixed: [f64; 3]) -> [f64; 3] {
    let (lattice, base) = (tile.lattice(), tile.header().base_cell);
    let cell = lattice.cell();
    let one = f64::from(navmath::FIXED_ONE);
    std::array::from_fn(|axis| lattice.origin[axis] + (base[axis] as f64 + fixed[axis] / one) * cell[axis])
}
