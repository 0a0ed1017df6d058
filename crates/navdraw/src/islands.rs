//! Islands: polygons that are connected by edges and seams of tiles, without off-mesh links.

use crate::surface::Face;
use navtile::Tile;

/// The islands of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Islands {
    /// The island of each face; 0 is the largest, and so on by size.
    pub(crate) of_face: Vec<usize>,
    /// Size of each island, m².
    pub(crate) area: Vec<f64>,
}

/// Finds the islands of tiles; `faces` are all polygons of these tiles.
pub(crate) fn find(tiles: &[Tile], faces: &[Face]) -> Islands {
    let found = navtile::islands::Islands::find(tiles);
    let mut area = vec![0.0; found.len()];
    let of_face: Vec<usize> = found.island_of.into_iter().flatten().map(|island| island as usize).collect();
    for (face, &island) in faces.iter().zip(&of_face) {
        area[island] += face.area_m2();
    }
    Islands { of_face, area }
}
