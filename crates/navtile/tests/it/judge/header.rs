//! Rules of the header's numbers.

use super::{Verdict, refuse};
use navtile::layout::Header;
use navtile::limits::{AGENT_LIMIT, BASE_CELL_LIMIT, CELL_MAX, CELL_MIN, ORIGIN_LIMIT, SIZE_LIMIT};

pub(super) fn check(header: &Header) -> Verdict {
    let unused = header.reserved_tail.iter().chain([&header.reserved]).any(|value| *value != 0);
    if unused || header.bv_shift[3] != 0 {
        return refuse("header-reserved", "zeros in the reserved fields", "other bytes");
    }
    if header.width.max(header.depth) > SIZE_LIMIT {
        let expected = format!("a tile of at most {SIZE_LIMIT} cells a side");
        return refuse("tile-size", expected, format!("{} x {} cells", header.width, header.depth));
    }
    for cell in [header.cell_size, header.cell_height] {
        if !(CELL_MIN..=CELL_MAX).contains(&cell) {
            let expected = format!("a cell size and height from {CELL_MIN} to {CELL_MAX} metres");
            return refuse("lattice", expected, format!("{cell}"));
        }
    }
    if header.origin.iter().any(|value| value.is_nan() || value.abs() > ORIGIN_LIMIT) {
        let expected = format!("an origin within {ORIGIN_LIMIT} metres of zero");
        return refuse("lattice", expected, format!("{:?}", header.origin));
    }
    if header.base_cell.iter().any(|value| value.unsigned_abs() > BASE_CELL_LIMIT.unsigned_abs()) {
        let expected = format!("a base cell within {BASE_CELL_LIMIT} cells of zero");
        return refuse("base-cell", expected, format!("{:?}", header.base_cell));
    }
    let [radius, height, climb, slope] = header.agent;
    let outside = |value: f32, most: f32| value.is_nan() || value < 0.0 || value > most;
    if [radius, height, climb].into_iter().any(|value| outside(value, AGENT_LIMIT)) {
        let expected = format!("radius, height and climb from 0 to {AGENT_LIMIT} metres");
        return refuse("agent", expected, format!("{radius}, {height}, {climb}"));
    }
    if outside(slope, 90.0) {
        return refuse("agent", "a slope from 0 to 90 degrees", format!("{slope}"));
    }
    Ok(())
}
