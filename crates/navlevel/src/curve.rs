//! A space-filling curve through the tiles of a level. Tiles that follow each other on the curve touch, so a
//! run of it is one patch of the level and needs little of the rest.
//!
//! Source: D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flächenstück", 1891.

use navtile::TileCoord;

/// Returns the position of a tile along the Hilbert curve through a square of `side` tiles, a power of two.
pub(crate) fn along_curve(side: u32, coord: TileCoord) -> u64 {
    // Tiles of a level have no negative coordinates.
    let (mut x, mut z) = (coord.x.unsigned_abs(), coord.z.unsigned_abs());
    let mut along = 0;
    let mut half = side / 2;
    while half > 0 {
        let (right, up) = (u32::from(x & half > 0), u32::from(z & half > 0));
        along += u64::from(half) * u64::from(half) * u64::from((3 * right) ^ up);
        // Each quarter is the curve again, turned so that its ends meet those of the quarters next to it.
        if up == 0 {
            if right == 1 {
                (x, z) = (!x, !z);
            }
            (x, z) = (z, x);
        }
        (x, z) = (x & (half - 1), z & (half - 1));
        half /= 2;
    }
    along
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_every_tile_once_and_never_leaps() {
        for side in [1, 2, 8, 32] {
            let coords = (0..side).flat_map(|x| (0..side).map(move |z| TileCoord { x, z, layer: 0 }));
            let mut tiles: Vec<TileCoord> = coords.collect();
            tiles.sort_by_key(|coord| along_curve(side as u32, *coord));
            for (place, coord) in tiles.iter().enumerate() {
                assert_eq!(along_curve(side as u32, *coord), place as u64);
            }
            for pair in tiles.windows(2) {
                let apart = (pair[0].x - pair[1].x).abs() + (pair[0].z - pair[1].z).abs();
                assert_eq!(apart, 1, "{pair:?}");
            }
        }
    }
}
