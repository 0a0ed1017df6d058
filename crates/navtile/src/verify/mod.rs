//! What makes bytes a tile: every rule a query relies on, each with its error. O(bytes).
//!
//! The rules behind the section table are written twice: `sound` tells at once whether they all hold. Where
//! they do not, one module after the other looks for the first that is broken, in a pass each. The order
//! matters: a module relies on what those before it have checked. Nothing is allocated in proportion to a
//! number that the bytes merely claim.

pub(crate) mod bv;
mod detail;
mod edges;
pub(crate) mod header;
pub(crate) mod links;
mod polygons;
pub(crate) mod portals;
pub(crate) mod sections;
mod sound;
#[cfg(test)]
mod tests;
mod vertices;

use crate::bytes::Part;
use crate::tile::{Tile, View};
use thiserror::Error;

/// Bytes that are not a valid tile: which rule is broken, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("not a valid tile: {rule}: expected {expected}, found {found}")]
pub struct TileError {
    /// The rule, by the name it has in docs/format.md.
    pub rule: &'static str,
    /// What the rule asks for.
    pub expected: String,
    /// What the bytes say.
    pub found: String,
}

/// The names of all rules, in the order they are checked in. docs/format.md says what each asks for.
pub const RULES: [&str; 54] = [
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
    "link-radius",
    "link-area-id",
    "link-direction",
    "link-reserved",
];

/// Whether a rule holds, and if not, why.
pub(crate) type Verdict = Result<(), TileError>;

/// Refuses.
#[cold]
pub(crate) fn refuse<T>(
    rule: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<T, TileError> {
    Err(TileError { rule, expected: expected.into(), found: found.into() })
}

impl Tile {
    /// Copies `bytes` once into an aligned buffer and checks every rule of docs/format.md. The length must be
    /// exact. An error names the broken rule; no bytes make this panic.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tile, TileError> {
        let part = Part::from(bytes);
        let sum = crc32fast::hash(part.bytes());
        Tile::from_part(part, sum)
    }

    /// As [`Tile::from_bytes`], without the copy, of bytes whose CRC-32 is `sum`.
    pub(crate) fn from_part(part: Part, sum: u32) -> Result<Tile, TileError> {
        let header = header::check(part.bytes(), sum)?;
        let sections = sections::check(part.bytes(), header)?;
        let tile = Tile { part, sections };
        check(&tile.view())?;
        Ok(tile)
    }
}

/// Every rule behind the section table.
fn check(tile: &View<'_>) -> Verdict {
    if sound::is_sound(tile) { Ok(()) } else { first_flaw(tile) }
}

/// As [`check`], of a tile that may break a rule: one by one, in the order of [`RULES`].
#[cold]
fn first_flaw(tile: &View<'_>) -> Verdict {
    vertices::check(tile)?;
    polygons::check(tile)?;
    edges::check(tile)?;
    portals::check(tile)?;
    detail::check(tile)?;
    bv::check(tile)?;
    links::check(tile)
}
