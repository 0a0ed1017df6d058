//! Islands: polygons that can be walked to from each other, over seams but not over off-mesh links.
//! Cost: close to linear (union-find with path halving, R. Tarjan 1975).

use crate::surface::{Beyond, Face};
use navtile::layout::side;
use navtile::seam::match_portals;
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;

/// The islands of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Islands {
    /// The island of each face; 0 is the largest, and so on by size.
    pub(crate) of_face: Vec<usize>,
    /// Size of each island, m².
    pub(crate) area: Vec<f64>,
}

/// Finds the islands of all tiles; `faces` are their polygons, tile by tile.
pub(crate) fn find(tiles: &[Tile], faces: &[Face]) -> Islands {
    let mut parent: Vec<usize> = (0..faces.len()).collect();
    for (index, face) in faces.iter().enumerate() {
        for beyond in &face.beyond {
            if let Beyond::Internal(other) = *beyond {
                join(&mut parent, index, other);
            }
        }
    }
    join_tiles(tiles, &mut parent);
    by_size(faces, &mut parent)
}

fn join_tiles(tiles: &[Tile], parent: &mut [usize]) {
    let mut first = 0;
    let mut at: BTreeMap<TileCoord, (usize, &Tile)> = BTreeMap::new();
    for tile in tiles {
        at.insert(tile.coord(), (first, tile));
        first += tile.polygons().len();
    }
    for (coord, &(first, tile)) in &at {
        for (side, dx, dz) in [(side::X_MAX, 1, 0), (side::Z_MAX, 0, 1)] {
            let (Some(x), Some(z)) = (coord.x.checked_add(dx), coord.z.checked_add(dz)) else { continue };
            let from = TileCoord { x, z, layer: i32::MIN };
            let to = TileCoord { x, z, layer: i32::MAX };
            for &(other_first, other) in at.range(from..=to).map(|(_, entry)| entry) {
                for found in match_portals(tile, side, other) {
                    let a = tile.portals()[found.a as usize].polygon as usize;
                    let b = other.portals()[found.b as usize].polygon as usize;
                    join(parent, first + a, other_first + b);
                }
            }
        }
    }
}

fn root(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}

/// The smaller index becomes the root, so that the result does not depend on the order of joining.
fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

fn by_size(faces: &[Face], parent: &mut [usize]) -> Islands {
    let mut area = vec![0.0; faces.len()];
    for (index, face) in faces.iter().enumerate() {
        area[root(parent, index)] += face.area_m2();
    }
    let mut roots: Vec<usize> = (0..faces.len()).filter(|&index| parent[index] == index).collect();
    roots.sort_by(|&a, &b| area[b].total_cmp(&area[a]).then(a.cmp(&b)));
    let mut rank = vec![0; faces.len()];
    for (place, &index) in roots.iter().enumerate() {
        rank[index] = place;
    }
    let of_face = (0..faces.len()).map(|index| rank[root(parent, index)]).collect();
    Islands { of_face, area: roots.iter().map(|&index| area[index]).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f64, beyond: Beyond) -> Face {
        let corners = [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]].map(|[x, z]| [x, 0.0, z]);
        Face { corners: corners.to_vec(), beyond: vec![beyond; 4], area: 63 }
    }

    #[test]
    fn islands_are_ranked_by_size() {
        let faces = [
            square(1.0, Beyond::Wall),
            square(2.0, Beyond::Internal(3)),
            square(1.5, Beyond::Portal),
            square(2.0, Beyond::Internal(1)),
        ];
        let islands = find(&[], &faces);
        assert_eq!(islands.of_face, [2, 0, 1, 0]);
        assert_eq!(islands.area, [8.0, 2.25, 1.0]);
    }
}
