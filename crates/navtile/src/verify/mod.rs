//! The rules that make bytes a tile: everything that queries rely on, each rule with its error. O(bytes).
//!
//! Each module has the rules of one part of the blob and relies on those before it. The check of a rule and
//! its error text are in one place. If rules are checked for many elements at once (corners of a polygon,
//! kinds of edges), a cold function then finds the first element that breaks a rule and makes the error.
//! Nothing is allocated unless a rule is broken.

pub(crate) mod boxes;
mod bv;
mod edges;
pub(crate) mod header;
pub(crate) mod links;
mod polygons;
pub(crate) mod portals;
pub(crate) mod sections;
mod surfaces;
mod vertices;

use crate::bytes::SharedBytes;
use crate::tile::{Tile, View};
use std::error::Error;
use std::fmt::{self, Display};

/// Bytes that are not a valid tile: the rule that is broken, the expected and the found value.
#[derive(Clone, Debug, PartialEq)]
pub struct TileError {
    /// The rule, by the name it has in docs/format.md.
    pub rule: &'static str,
    /// The property that the rule asks for.
    pub expected: String,
    /// The value found in the bytes.
    pub found: String,
}

impl Display for TileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileError { rule, expected, found } = self;
        write!(f, "not a valid tile: {rule}: expected {expected}, found {found}")
    }
}

impl Error for TileError {}

/// The names of all rules, roughly in the order they are checked. docs/format.md describes each rule.
pub const RULES: [&str; 55] = [
    "length",
    "magic",
    "version",
    "checksum",
    "header-reserved",
    "tile-size",
    "lattice",
    "base-cell",
    "agent",
    "section-table",
    "section-order",
    "section-kind",
    "section-stride",
    "section-place",
    "padding",
    "section-missing",
    "polygon-vertex-count",
    "vertex-range",
    "bounds",
    "polygon-count",
    "polygon-edges",
    "polygon-detail",
    "polygon-area-id",
    "polygon-kind",
    "edge-vertex",
    "edge-length",
    "polygon-area",
    "polygon-convex",
    "polygon-winding",
    "edge-reserved",
    "edge-kind",
    "edge-wall",
    "edge-neighbour",
    "edge-twin",
    "edge-portal",
    "portal-reserved",
    "portal-owner",
    "portal-side",
    "portal-ends",
    "portal-order",
    "portal-overlap",
    "portal-stack",
    "detail-vertices",
    "detail-boundary",
    "bv-shift",
    "bv-slots",
    "bv-order",
    "bv-depth",
    "bv-bounds",
    "link-range",
    "link-along",
    "link-radius",
    "link-area-id",
    "link-direction",
    "link-reserved",
];

/// The result of checking rules: `Err` gives the broken rule.
pub(crate) type Verdict = Result<(), TileError>;

/// Returns an error for a broken rule.
#[cold]
pub(crate) fn refuse<T>(
    rule: &'static str,
    expected: impl Display,
    found: impl Display,
) -> Result<T, TileError> {
    Err(TileError { rule, expected: expected.to_string(), found: found.to_string() })
}

impl Tile {
    /// Copies `bytes` once into an aligned buffer and checks every rule of docs/format.md. The length must be
    /// exact. An error names the broken rule. Never panics, for any bytes.
    ///
    /// ```
    /// use navtile::Tile;
    /// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
    /// # let bytes = square_tile(0).bytes().to_vec();
    ///
    /// // `bytes` come from anywhere: a file, the network, a stranger.
    /// let tile = Tile::from_bytes(&bytes)?;
    /// assert_eq!(tile.polygons().len(), 1);
    ///
    /// let mut damaged = bytes.clone();
    /// damaged[300] ^= 1;
    /// let error = Tile::from_bytes(&damaged).unwrap_err();
    /// assert_eq!(error.rule, "checksum");
    /// # Ok::<(), navtile::TileError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Tile, TileError> {
        Tile::from_shared(SharedBytes::from(bytes))
    }

    /// Like [`Tile::from_bytes`], without the copy.
    pub(crate) fn from_shared(bytes: SharedBytes) -> Result<Tile, TileError> {
        let header = header::check(&bytes)?;
        let sections = sections::check(&bytes, header)?;
        let tile = Tile { bytes, sections };
        check(&tile.view())?;
        Ok(tile)
    }
}

/// Checks every rule after those of the section table. Polygons are checked during the walk of the tree.
fn check(tile: &View<'_>) -> Verdict {
    vertices::check(tile)?;
    polygons::check(tile)?;
    bv::check(tile).or_else(|error| refuse_tree(tile, error))?;
    portals::check(tile)?;
    edges::check(tile)?;
    links::check(tile)
}

/// Reports the error from the walk of the tree, unless polygons, portals or edges also break a rule.
#[cold]
fn refuse_tree(tile: &View<'_>, error: TileError) -> Verdict {
    (0..tile.polygons.len()).try_for_each(|index| surfaces::check(tile, index, None))?;
    portals::check(tile)?;
    edges::check(tile)?;
    Err(error)
}
