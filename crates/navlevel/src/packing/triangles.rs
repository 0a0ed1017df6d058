//! The triangles that exact outlines follow as bytes: a zero, then the triangles after their length: each one
//! byte, its area, and x, y and z of its corners as f32, metres from the lattice's zero.

use super::sections::{Sections, add_section};
use recast::AreaId;
use recast::data::Grid;
use recast::inside::OutlineTriangle;

/// Bytes of a triangle.
const TRIANGLE: usize = 1 + 9 * 4;
/// The byte before triangles. Ladders, which follow, start with the id of an area, which is not zero.
const TRIANGLES: u8 = 0;
/// Largest distance of a corner from the lattice's zero, cells.
const MAX_CELLS: f32 = (1 << 24) as f32;

/// Packs triangles; no bytes without a triangle.
pub(crate) fn pack_triangles(triangles: &[OutlineTriangle]) -> Vec<u8> {
    if triangles.is_empty() {
        return Vec::new();
    }
    let mut rows = Vec::with_capacity(triangles.len() * TRIANGLE);
    for OutlineTriangle { corners, area } in triangles {
        rows.push(area.0);
        rows.extend(corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()));
    }
    let mut out = vec![TRIANGLES];
    add_section(&mut out, &rows);
    out
}

/// Unpacks triangles, and returns the bytes after them; `None` if the bytes are malformed.
pub(crate) fn unpack_triangles<'a>(bytes: &'a [u8], grid: &Grid) -> Option<(Vec<OutlineTriangle>, &'a [u8])> {
    if bytes.first() != Some(&TRIANGLES) {
        return Some((Vec::new(), bytes));
    }
    let mut from = Sections(&bytes[1..]);
    let (rows, []) = from.next()?.as_chunks::<TRIANGLE>() else { return None };
    let triangle = |row: &[u8; TRIANGLE]| {
        let (values, []) = row[1..].as_chunks::<4>() else { return None };
        let value = |index: usize| f32::from_le_bytes(values[index]);
        let corners: [[f32; 3]; 3] =
            std::array::from_fn(|corner| std::array::from_fn(|axis| value(3 * corner + axis)));
        let cell = [grid.cell_size, grid.cell_height, grid.cell_size];
        let is_near =
            corners.iter().all(|corner| (0..3).all(|axis| (corner[axis] / cell[axis]).abs() <= MAX_CELLS));
        is_near.then_some(OutlineTriangle { corners, area: AreaId(row[0]) })
    };
    let triangles: Vec<OutlineTriangle> = rows.iter().map(triangle).collect::<Option<_>>()?;
    let is_sorted = triangles.is_sorted_by(|one, two| one.order(two).is_lt());
    (!triangles.is_empty() && is_sorted).then_some((triangles, from.0))
}
