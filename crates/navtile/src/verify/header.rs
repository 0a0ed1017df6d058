//! Rules of the header: identity, length, checksum, and numbers within their ranges.

use super::{TileError, Verdict, refuse};
use crate::checksum::tile_checksum;
use crate::layout::{Header, TILE_MAGIC, TILE_VERSION};
use crate::limits::{AGENT_LIMIT, BASE_CELL_LIMIT, CELL_MAX, CELL_MIN, ORIGIN_LIMIT, SIZE_LIMIT};

/// Checks the header of `bytes`, which are aligned. The bounds are checked later, with the vertices.
pub(super) fn check(bytes: &[u8]) -> Result<&Header, TileError> {
    const SIZE: usize = size_of::<Header>();
    let Some(head) = bytes.get(..SIZE) else {
        let expected = format_args!("at least {SIZE} bytes");
        return refuse("length", expected, format_args!("{} bytes", bytes.len()));
    };
    let header: &Header = bytemuck::from_bytes(head);
    if header.magic != TILE_MAGIC {
        return refuse("magic", format_args!("{TILE_MAGIC:?}"), format_args!("{:?}", header.magic));
    }
    if header.version != TILE_VERSION {
        let expected = format_args!("version {TILE_VERSION}");
        return refuse("version", expected, format_args!("version {}", header.version));
    }
    if header.length != bytes.len() as u64 {
        let expected = format_args!("{} bytes, as the header says", header.length);
        return refuse("length", expected, format_args!("{} bytes", bytes.len()));
    }
    let sum = tile_checksum(bytes);
    if header.checksum != sum {
        let expected = format_args!("{sum:08x}, the sum of the bytes");
        return refuse("checksum", expected, format_args!("{:08x}", header.checksum));
    }
    if header.reserved != 0 || header.reserved_tail != [0; 23] || header.bv_shift[3] != 0 {
        return refuse("header-reserved", "zeros in the reserved fields", "other bytes");
    }
    measures(header)?;
    Ok(header)
}

/// Rules of the numbers that the user chooses: tile size, lattice, base cell, agent.
pub(crate) fn measures(header: &Header) -> Verdict {
    if header.width > SIZE_LIMIT || header.depth > SIZE_LIMIT {
        let expected = format_args!("a tile of at most {SIZE_LIMIT} cells a side");
        return refuse("tile-size", expected, format_args!("{} x {} cells", header.width, header.depth));
    }
    for cell in [header.cell_size, header.cell_height] {
        // Written so that NaN is refused.
        if !(CELL_MIN..=CELL_MAX).contains(&cell) {
            let expected = format_args!("a cell size and height from {CELL_MIN} to {CELL_MAX} metres");
            return refuse("lattice", expected, cell);
        }
    }
    if !header.origin.iter().all(|value| value.abs() <= ORIGIN_LIMIT) {
        let expected = format_args!("an origin within {ORIGIN_LIMIT} metres of zero");
        return refuse("lattice", expected, format_args!("{:?}", header.origin));
    }
    let base_range = -BASE_CELL_LIMIT..=BASE_CELL_LIMIT;
    if !header.base_cell.iter().all(|value| base_range.contains(value)) {
        let expected = format_args!("a base cell within {BASE_CELL_LIMIT} cells of zero");
        return refuse("base-cell", expected, format_args!("{:?}", header.base_cell));
    }
    let [radius, height, climb, slope] = header.agent;
    if ![radius, height, climb].iter().all(|value| (0.0..=AGENT_LIMIT).contains(value)) {
        let expected = format_args!("radius, height and climb from 0 to {AGENT_LIMIT} metres");
        return refuse("agent", expected, format_args!("{radius}, {height}, {climb}"));
    }
    if !(0.0..=90.0).contains(&slope) {
        return refuse("agent", "a slope from 0 to 90 degrees", slope);
    }
    Ok(())
}
