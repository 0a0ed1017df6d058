//! Joins borders that continue straight if no other border ends between them.

use crate::exact::is_straight;
use crate::grid::Point;

/// A border: its ends' numbers, and the areas to its left and right.
pub(crate) type Border = (u32, u32, [u8; 2]);

/// The borders, joined if they continue straight, except at corners to `keep`. O(n).
pub(crate) fn straightened(
    vertices: &[Point],
    borders: Vec<Border>,
    keep: impl Fn(Point) -> bool,
) -> Vec<Border> {
    let mut touching = vec![0u32; vertices.len()];
    let mut arriving = vec![usize::MAX; vertices.len()];
    let mut leaving = vec![usize::MAX; vertices.len()];
    for (at, &(a, b, _)) in borders.iter().enumerate() {
        for end in [a, b] {
            touching[end as usize] += 1;
        }
        leaving[a as usize] = at;
        arriving[b as usize] = at;
    }
    let flat = |corner: u32| {
        let corner = corner as usize;
        let (Some(&(a, b, before)), Some(&(_, c, after))) =
            (borders.get(arriving[corner]), borders.get(leaving[corner]))
        else {
            return false;
        };
        let [a, b, c] = [a, b, c].map(|number| vertices[number as usize]);
        touching[corner] == 2 && before == after && is_straight(a, b, c) && !keep(b)
    };
    let mut joined = Vec::with_capacity(borders.len());
    for &(a, mut b, sides) in &borders {
        if flat(a) {
            continue;
        }
        while flat(b) {
            b = borders[leaving[b as usize]].1;
        }
        joined.push((a, b, sides));
    }
    joined
}
