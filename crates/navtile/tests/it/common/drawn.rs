//! Tiles drawn by hand or from a seed: one with a bit of everything, jittered grids, stars, many storeys,
//! long rows.

use super::Dice;
use navmath::Lattice;
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::{DetailTriangleContent, EdgeContent, PolygonContent, TileContent, TileCoord};
use std::collections::HashMap;

/// Cells along a side of a tile.
pub(crate) const SIZE: i32 = 16;
/// Side of a tile, fixed-point.
pub(crate) const WIDTH: i32 = SIZE * 256;

/// A tile without polygons.
pub(crate) fn empty() -> TileContent {
    TileContent {
        coord: TileCoord { x: 2, z: -1, layer: 0 },
        lattice: Lattice { origin: [10.0, -5.0, 1e6], cell_size: 0.3, cell_height: 0.2 },
        base_cell: [32, 4, -16],
        size_cells: [SIZE as u32; 2],
        agent: [0.6, 2.0, 0.9, 45.0],
        vertices: Vec::new(),
        polygons: Vec::new(),
        off_mesh_links: Vec::new(),
    }
}

/// A tile of polygons given by their corners. An edge that another polygon has in reverse is internal, an
/// edge on the border is a portal, any other a wall.
pub(crate) fn tile(polygons: &[Vec<[i32; 3]>]) -> TileContent {
    let mut content = empty();
    let mut owners: HashMap<([i32; 3], [i32; 3]), u32> = HashMap::new();
    let ends = |corners: &[[i32; 3]], i: usize| (corners[i], corners[(i + 1) % corners.len()]);
    for (index, corners) in (0u32..).zip(polygons) {
        for i in 0..corners.len() {
            owners.insert(ends(corners, i), index);
        }
    }
    for (index, corners) in (0u32..).zip(polygons) {
        let first = content.vertices.len() as u32;
        content.vertices.extend(corners);
        let edge = |i: usize| {
            let (a, b) = ends(corners, i);
            let beyond = match owners.get(&(b, a)) {
                Some(&other) => Beyond::Internal(other),
                None => border_side(a, b).map_or(Beyond::Wall, Beyond::Portal),
            };
            EdgeContent { vertex: first + i as u32, beyond }
        };
        content.polygons.push(PolygonContent {
            edges: (0..corners.len()).map(edge).collect(),
            area: 1 + (index % 3) as u8,
            flags: index,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        });
    }
    content
}

fn border_side(a: [i32; 3], b: [i32; 3]) -> Option<u8> {
    match () {
        () if a[0] == 0 && b[0] == 0 && a[2] < b[2] => Some(side::X_MIN),
        () if a[0] == WIDTH && b[0] == WIDTH && a[2] > b[2] => Some(side::X_MAX),
        () if a[2] == 0 && b[2] == 0 && a[0] > b[0] => Some(side::Z_MIN),
        () if a[2] == WIDTH && b[2] == WIDTH && a[0] < b[0] => Some(side::Z_MAX),
        () => None,
    }
}

/// A square cell of a grid, interior to the left of its edges.
pub(crate) fn square(x: i32, z: i32, step: i32, height: impl Fn(i32, i32) -> i32) -> Vec<[i32; 3]> {
    let corner = |i: i32, j: i32| [i * step, height(i, j), j * step];
    vec![corner(x, z + 1), corner(x + 1, z + 1), corner(x + 1, z), corner(x, z)]
}

/// A tile with a bit of everything: nine squares, portals on all sides, a wall around a hole, detail
/// vertices, off-mesh links.
pub(crate) fn everything() -> TileContent {
    let step = WIDTH / 4;
    let height = |x: i32, z: i32| 100 * x + 10 * z;
    let mut polygons = Vec::new();
    for (x, z) in (0..16).map(|i| (i % 4, i / 4)) {
        if (x, z) != (1, 2) {
            polygons.push(square(x, z, step, height));
        }
    }
    let mut content = tile(&polygons);
    for polygon in content.polygons.iter_mut().step_by(2) {
        let [a, c] = [0, 2].map(|i| content.vertices[polygon.edges[i].vertex as usize]);
        polygon.detail_vertices = vec![[(a[0] + c[0]) / 2, 500, (a[2] + c[2]) / 2]];
        let around =
            |i: u32| DetailTriangleContent { vertices: [i, (i + 1) % 4, 4], boundary: [true, false, false] };
        polygon.detail_triangles = (0..4).map(around).collect();
    }
    let link = OffMeshLink {
        start: [700, 0, 800],
        end: [-90_000, 300, 5],
        end_tile: [-4, -1, 0],
        radius: 300,
        flags: 8,
        area: 5,
        direction: 1,
        reserved: 0,
        user_id: 0x0102_0304_0506_0708,
        along: [0; 2],
    };
    content.off_mesh_links = vec![link, OffMeshLink { start: [5, 5, 5], direction: 0, ..link }];
    content
}

/// A jittered grid with holes, some pairs of neighbours joined into polygons that need not be convex, some
/// squares with a flat sliver at an edge.
pub(crate) fn jittered(cells: i32, dice: &mut Dice, joins: u32) -> TileContent {
    let step = WIDTH / cells;
    let mut corner = |i: i32, j: i32| {
        let mut jitter = |at: i32| {
            // The last row reaches the border for any step.
            let exact = if at == cells { WIDTH } else { at * step };
            if at == 0 || at == cells { exact } else { exact + dice.roll(step as u32 / 2) - step / 4 }
        };
        let (x, z) = (jitter(i), jitter(j));
        [x, dice.roll(2_000), z]
    };
    let mut corners = Vec::new();
    for (i, j) in (0..(cells + 1) * (cells + 1)).map(|k| (k % (cells + 1), k / (cells + 1))) {
        corners.push(corner(i, j));
    }
    let at = |i: i32, j: i32| corners[(j * (cells + 1) + i) as usize];
    let mut polygons: Vec<Vec<[i32; 3]>> = Vec::new();
    let mut skip = false;
    for (x, z) in (0..cells * cells).map(|k| (k % cells, k / cells)) {
        if std::mem::take(&mut skip) || dice.roll(8) == 0 {
            continue;
        }
        if x + 1 < cells && dice.roll(4) < joins as i32 {
            // Two squares in one: six corners, in places reflex ones.
            skip = true;
            polygons.push(vec![
                at(x, z + 1),
                at(x + 1, z + 1),
                at(x + 2, z + 1),
                at(x + 2, z),
                at(x + 1, z),
                at(x, z),
            ]);
        } else {
            polygons.push(vec![at(x, z + 1), at(x + 1, z + 1), at(x + 1, z), at(x, z)]);
        }
    }
    let mut content = tile(&polygons);
    for polygon in &mut content.polygons {
        if dice.roll(3) == 0 {
            let a = content.vertices[polygon.edges[0].vertex as usize];
            polygon.detail_vertices =
                vec![[a[0] + 30, a[1] + 99, a[2] - 20], [0; 3], [a[0] + 30, a[1] + 99, a[2] - 20]];
            let last = polygon.edges.len() as u32;
            polygon.detail_triangles = vec![
                DetailTriangleContent { vertices: [1, last + 2, 0], boundary: [false, false, true] },
                DetailTriangleContent { vertices: [last, 1, 2], boundary: [false, true, false] },
                DetailTriangleContent { vertices: [last, last + 2, 2], boundary: [false; 3] },
            ];
        }
    }
    content
}

/// A polygon around the middle of the tile, with a reach and a height in each of 16 directions. It is often
/// far from convex, with flat corners in places.
pub(crate) fn star(reaches: &[(i32, i32)]) -> TileContent {
    // Directions in order, turning left through a full revolution.
    const AROUND: [[i32; 2]; 16] = [
        [4, 0],
        [4, -1],
        [3, -3],
        [1, -4],
        [0, -4],
        [-1, -4],
        [-3, -3],
        [-4, -1],
        [-4, 0],
        [-4, 1],
        [-3, 3],
        [-1, 4],
        [0, 4],
        [1, 4],
        [3, 3],
        [4, 1],
    ];
    let corner = |(direction, &(reach, height)): (&[i32; 2], &(i32, i32))| {
        // Rounding makes equal reaches frequent, and so flat corners.
        let reach = (reach / 10 + 1) * 40;
        [WIDTH / 2 + direction[0] * reach, height, WIDTH / 2 + direction[1] * reach]
    };
    tile(&[AROUND.iter().zip(reaches).map(corner).collect()])
}

/// A pentagon between walls, with exactly the largest height that 16 bits hold.
pub(crate) fn pentagon() -> TileContent {
    let around = [[4, 65_535, 0], [1, 0, -4], [-3, 0, -3], [-4, 0, 1], [1, 0, 4]];
    tile(&[around.map(|[x, y, z]| [WIDTH / 2 + 300 * x, y, WIDTH / 2 + 300 * z]).to_vec()])
}

/// Squares above each other at one corner of the tile, each with two portals.
pub(crate) fn storeys(count: i32) -> TileContent {
    let storeys: Vec<_> = (0..count).map(|y| square(0, 0, 512, move |x, _| 90 * y + 50 * x)).collect();
    tile(&storeys)
}

/// Flat squares next to each other, each with a portal on its side of the tile.
pub(crate) fn row(count: i32) -> TileContent {
    let squares: Vec<_> = (0..count).map(|x| square(x, 0, WIDTH / count, |_, _| 0)).collect();
    tile(&squares)
}
