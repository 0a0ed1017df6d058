//! Steep ground in one piece: more detail vertices per polygon than Detour can number.

use navinterop::detour::DetourTile;
use navinterop::export::{Change, export};
use navinterop::{RefWidth, import};
use navtile::Tile;
use navtile::islands::Islands;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// Hills of six metres on 98 x 98 m, in triangles of two metres, nearly as steep as an agent can walk.
fn hills() -> Tile {
    let at = |step: u32| f64::from(step) * 2.0;
    let wave = |step: u32| f64::from(step % 12) / 12.0 * (1.0 - f64::from(step % 12) / 12.0) * 4.0;
    let height = |x: u32, z: u32| 6.0 * wave(x) * wave(z);
    let side = 50;
    let vertices = (0..side * side).map(|at| (at % side, at / side));
    let vertices = vertices.map(|(x, z)| [at(x), height(x, z), at(z)]).collect();
    let squares = (0..side - 1).flat_map(|z| (0..side - 1).map(move |x| z * side + x));
    let triangles = squares.flat_map(|a| [[a, a + side, a + 1], [a + 1, a + side, a + side + 1]]).collect();
    let level = Level { vertices, triangles, ..Level::default() };
    let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
    bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile
}

type Triangle = [[f64; 3]; 3];

fn surface(tile: &Tile) -> Vec<Triangle> {
    let triangles = tile.polygons().iter().flat_map(|polygon| {
        let at = move |local| tile.to_world(tile.vertices()[tile.detail_vertex_index(polygon, local)]);
        tile.polygon_detail_triangles(polygon).iter().map(move |triangle| triangle.vertices.map(at))
    });
    triangles.collect()
}

fn detour_surface(tile: &DetourTile) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for (polygon, mesh) in tile.polygons.iter().zip(&tile.detail_meshes) {
        let corners = &polygon.vertices[..usize::from(polygon.corner_count)];
        let first = mesh.first_triangle as usize;
        for triangle in &tile.detail_triangles[first..first + usize::from(mesh.triangle_count)] {
            triangles.push([0, 1, 2].map(|corner| {
                let local = usize::from(triangle[corner]);
                let vertex = match corners.get(local) {
                    Some(&vertex) => tile.vertices[usize::from(vertex)],
                    None => tile.detail_vertices[mesh.first_vertex as usize + local - corners.len()],
                };
                vertex.map(f64::from)
            }));
        }
    }
    triangles
}

/// Twice the area of a triangle seen from above.
fn area2([a, b, c]: Triangle) -> f64 {
    (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])
}

/// The smallest vertical distance between a point and the triangles of a surface over or under it.
fn off(surface: &[Triangle], at: [f64; 3]) -> Option<f64> {
    let heights = surface.iter().filter_map(|&[a, b, c]| {
        let total = area2([a, b, c]);
        let weights = [[b, c, at], [c, a, at], [a, b, at]].map(|part| area2(part) / total);
        let height = a[1] * weights[0] + b[1] * weights[1] + c[1] * weights[2];
        weights.iter().all(|&weight| weight > -1e-3).then_some((height - at[1]).abs())
    });
    heights.min_by(f64::total_cmp)
}

#[test]
fn heights_stay_where_detour_cannot_number_all_detail_vertices() {
    let tile = hills();
    let exported = export(std::slice::from_ref(&tile), RefWidth::Bits32).unwrap();
    let changes: Vec<&Change> = exported.diagnostics.iter().map(|diagnostic| &diagnostic.change).collect();
    assert!(changes.iter().any(|change| matches!(change, Change::Divided { .. })), "{changes:?}");
    assert!(!changes.iter().any(|change| matches!(change, Change::Thinned { .. })), "{changes:?}");
    let (ours, theirs) = (surface(&tile), detour_surface(&exported.set.tiles[0].tile));
    let total = |surface: &[Triangle]| surface.iter().map(|&triangle| area2(triangle).abs()).sum::<f64>();
    let (area, kept) = (total(&ours), total(&theirs));
    assert!((area - kept).abs() < area * 1e-4, "{kept} of {area}");
    // 1/256 of a cell is 0.8 mm high; vertices of cuts are rounded, which on slopes moves the surface by
    // about as much.
    for triangle in &theirs {
        let middle = [0, 1, 2].map(|axis| triangle.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0);
        let off = off(&ours, middle);
        assert!(off.is_some_and(|off| off < 5e-3), "{off:?} at {middle:?}");
    }
    // The pieces are neighbours, and convex.
    let back = import(Some(&exported.set.params), &[exported.set.tiles[0].tile.clone()]).unwrap();
    assert!(back.diagnostics.is_empty(), "{:?}", back.diagnostics);
    assert_eq!(back.tiles[0].polygons().len(), exported.set.tiles[0].tile.polygons.len());
    assert_eq!(Islands::find(&back.tiles).len(), Islands::find(&[tile]).len());
}
