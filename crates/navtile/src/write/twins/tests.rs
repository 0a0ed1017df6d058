//! Plain drafts are paired as any others are, and refused alike.

use super::*;
use crate::content::{EdgeContent, PolygonParts, TileParts};
use crate::tile::TileCoord;
use navmath::Lattice;
use proptest::prelude::*;

const SIDE: i32 = 5;

/// Squares side by side where there are any, each with walls where there is none beside it.
fn squares(present: &[bool]) -> (Vec<[i32; 3]>, Vec<Vec<EdgeContent>>) {
    let corner = |x: i32, z: i32| (z * (SIDE + 1) + x) as u32;
    let vertices = (0..(SIDE + 1) * (SIDE + 1)).map(|at| [at % (SIDE + 1) * 256, 0, at / (SIDE + 1) * 256]);
    let index_of = |x: i32, z: i32| {
        let at = (0..SIDE).contains(&x) && (0..SIDE).contains(&z) && present[(z * SIDE + x) as usize];
        at.then(|| present[..(z * SIDE + x) as usize].iter().filter(|is_there| **is_there).count() as u32)
    };
    let cells = (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE)).filter(|&(x, z)| index_of(x, z).is_some());
    let polygons = cells.map(|(x, z)| {
        let sides = [
            (corner(x, z), index_of(x - 1, z)),
            (corner(x, z + 1), index_of(x, z + 1)),
            (corner(x + 1, z + 1), index_of(x + 1, z)),
            (corner(x + 1, z), index_of(x, z - 1)),
        ];
        let edge = |(vertex, beside): (u32, Option<u32>)| EdgeContent {
            vertex,
            beyond: beside.map_or(Beyond::Wall, Beyond::Internal),
        };
        sides.map(edge).to_vec()
    });
    (vertices.collect(), polygons.collect())
}

/// What pairing comes to, the usual way and as if drafts were not plain.
fn paired(
    vertices: &[[i32; 3]],
    polygons: &[Vec<EdgeContent>],
) -> [Result<Vec<(u32, PieceBeyond)>, String>; 2] {
    let parts: Vec<PolygonParts<'_>> = polygons
        .iter()
        .map(|edges| PolygonParts { edges, area: 1, flags: 1, detail_vertices: &[], detail_triangles: &[] })
        .collect();
    let content = TileParts {
        coord: TileCoord::default(),
        lattice: Lattice { origin: [0.0; 3], cell_size: 0.5, cell_height: 0.25 },
        base_cell: [0; 3],
        size_cells: [SIDE as u32; 2],
        agent: [0.5, 2.0, 1.0, 45.0],
        vertices,
        polygons: &parts,
        off_mesh_links: &[],
    };
    [true, false].map(|plain| {
        let (mut drafts, mut pieces) = (Drafts::default(), Pieces::default());
        drafts.read(&content).unwrap();
        assert!(drafts.plain);
        drafts.plain = plain;
        pieces.pair(&drafts).map_err(|error| error.to_string())?;
        assert_eq!(pieces.ids as usize, pieces.edges.len());
        Ok(pieces.edges.iter().map(|edge| (edge.vertex, edge.beyond)).collect())
    })
}

proptest! {
    #[test]
    fn plain_drafts_are_paired_as_others_are(
        present in prop::collection::vec(any::<bool>(), (SIDE * SIDE) as usize),
        turns in prop::collection::vec(0..4usize, (SIDE * SIDE) as usize),
        change in prop::option::of((0..25usize, 0..4usize, 0..25u32)),
    ) {
        let (vertices, mut polygons) = squares(&present);
        let count = polygons.len();
        polygons.iter_mut().zip(&turns).for_each(|(edges, &turn)| edges.rotate_left(turn));
        // An edge that leads somewhere else, or becomes a wall.
        if let Some((polygon, edge, other)) = change
            && polygon < count
        {
            let is_other = (other as usize) < count && other as usize != polygon;
            polygons[polygon][edge].beyond = if is_other { Beyond::Internal(other) } else { Beyond::Wall };
        }
        let [plain, other] = paired(&vertices, &polygons);
        prop_assert_eq!(&plain, &other);
        if change.is_none() {
            let open = plain.unwrap().iter().any(|(_, beyond)| *beyond == PieceBeyond::Twin(NONE));
            prop_assert!(!open);
        }
    }
}
