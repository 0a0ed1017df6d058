//! Merging small meshes by hand, baked tiles of a level, and random patchworks.

use super::*;
use navmath::FIXED_ONE;
use navtile::TileCoord;
use proptest::prelude::*;
use recast::data::{RegionId, in_cells};
use recast::inside::meshing;
use recast::{AreaId, Level, PreparedLevel, Scratch, Settings, Silent};
use recast::{Snapshot, TileBuild, bake_tapped};

/// A tile of `size` by `size` columns with a border of 2, at column (x, z) of the lattice.
fn tile_grid(x: i32, z: i32, size: u32) -> Grid {
    let border = 2;
    let (base_x, base_z) = (x - border as i32, z - border as i32);
    Grid {
        width: size + 2 * border,
        depth: size + 2 * border,
        border,
        base_x,
        base_z,
        cell_size: 0.5,
        cell_height: 0.25,
    }
}

/// Convex polygons as rings of (x, y, z) in cells; every edge on a side of the tile is a portal.
fn mesh(grid: Grid, rings: &[&[[i32; 3]]]) -> PolyMesh {
    let (width, depth) = (grid.inner_width() as i32, grid.inner_depth() as i32);
    let mut mesh = PolyMesh { grid, vertices: vec![], polygons: vec![], corners: vec![], edges: vec![] };
    for ring in rings {
        let (first, count) = (mesh.corners.len() as u32, ring.len() as u32);
        mesh.polygons.push(Polygon {
            first,
            count,
            region: None,
            first_region: RegionId::NONE,
            area: AreaId::GROUND,
        });
        for (index, &[x, y, z]) in ring.iter().enumerate() {
            let [next_x, _, next_z] = ring[(index + 1) % ring.len()];
            let place = [x * FIXED_ONE, y, z * FIXED_ONE];
            let known = mesh.vertices.iter().position(|&vertex| vertex == place);
            let vertex = known.unwrap_or_else(|| {
                mesh.vertices.push(place);
                mesh.vertices.len() - 1
            });
            mesh.corners.push(vertex as u32);
            mesh.edges.push(match () {
                () if x == 0 && next_x == 0 => EdgeKind::Portal(Side::XMin),
                () if z == depth && next_z == depth => EdgeKind::Portal(Side::ZMax),
                () if x == width && next_x == width => EdgeKind::Portal(Side::XMax),
                () if z == 0 && next_z == 0 => EdgeKind::Portal(Side::ZMin),
                () => EdgeKind::Wall,
            });
        }
    }
    meshing::connect(&mut mesh, &[], &mut meshing::Buffers::default());
    mesh.check().unwrap();
    mesh
}

/// A square of 4 by 4 that fills its tile at (x, z), at the given height.
fn square(x: i32, z: i32, y: i32) -> PolyMesh {
    mesh(tile_grid(x, z, 4), &[&[[0, y, 0], [0, y, 4], [4, y, 4], [4, y, 0]]])
}

fn merge(meshes: &[&PolyMesh]) -> PolyMesh {
    let merged = merge_poly_meshes(meshes).unwrap();
    merged.check().unwrap();
    merged
}

#[test]
fn a_seam_becomes_internal_and_the_outside_stays_a_portal() {
    let merged = merge(&[&square(8, 4, 0), &square(4, 4, 2)]);
    assert_eq!(merged.grid, Grid { width: 12, ..tile_grid(4, 4, 4) });
    assert_eq!((merged.vertices.len(), merged.polygons.len()), (6, 2));
    let portal = EdgeKind::Portal;
    let (left, right) = merged.edges.split_at(4);
    assert_eq!(left, [EdgeKind::Internal(1), portal(Side::ZMax), portal(Side::XMax), portal(Side::ZMin)]);
    assert_eq!(right, [portal(Side::XMin), portal(Side::ZMax), EdgeKind::Internal(0), portal(Side::ZMin)]);
    // The first tile's corners are kept, so the seam has its height.
    assert_eq!(merged.vertices[0], [4 * FIXED_ONE, 0, 0]);
}

#[test]
fn a_step_too_high_or_other_vertices_leave_walls() {
    let wall = |merged: &PolyMesh| merged.edges.iter().filter(|edge| **edge == EdgeKind::Wall).count();
    let step = merge(&[&square(0, 0, 0), &square(4, 0, 3)]);
    assert_eq!((step.vertices.len(), wall(&step)), (8, 2));
    let halves: [&[[i32; 3]]; 2] =
        [&[[0, 0, 0], [0, 0, 2], [4, 0, 2], [4, 0, 0]], &[[0, 0, 2], [0, 0, 4], [4, 0, 4], [4, 0, 2]]];
    let cut = merge(&[&square(0, 0, 0), &mesh(tile_grid(4, 0, 4), &halves)]);
    assert_eq!((cut.vertices.len(), wall(&cut)), (8, 3));
}

#[test]
fn a_portal_into_a_gap_is_a_wall() {
    let merged = merge(&[&square(0, 0, 0), &square(4, 4, 0)]);
    assert_eq!(merged.vertices.len(), 7);
    let sides = |polygon: usize| merged.edges[merged.polygons[polygon].range()].to_vec();
    let (wall, portal) = (EdgeKind::Wall, EdgeKind::Portal);
    assert_eq!(sides(0), [portal(Side::XMin), wall, wall, portal(Side::ZMin)]);
    assert_eq!(sides(1), [wall, portal(Side::ZMax), portal(Side::XMax), wall]);
}

#[test]
fn floors_above_each_other_pair_the_latest_first() {
    // Two floors a cell apart on either side: all corners of the seam are one.
    let pair = |x: i32| {
        let mut floors = mesh(tile_grid(x, 0, 4), &[&[[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0]]]);
        let upper = floors.polygons[0];
        floors.polygons.push(Polygon { first: 4, ..upper });
        floors.corners.extend_from_within(..);
        floors.edges.extend_from_within(..);
        floors
    };
    let merged = merge(&[&pair(0), &pair(4)]);
    assert_eq!(merged.vertices.len(), 6);
    let internal = |edge: &EdgeKind| match edge {
        EdgeKind::Internal(polygon) => Some(*polygon),
        _ => None,
    };
    let neighbours: Vec<_> = merged.edges.iter().filter_map(internal).collect();
    assert_eq!(neighbours, [3, 2, 1, 0]);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    assert_eq!(merge_poly_meshes(&[]), Err(Error::Empty));
    assert_eq!(merge_detail_meshes(&[]), Err(Error::Empty));
    let mut other = square(4, 0, 0);
    other.grid.cell_height = 0.5;
    let error = merge_poly_meshes(&[&square(0, 0, 0), &other]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "mesh 1 has cells of 0.5 m by 0.5 m in height, mesh 0 of 0.5 m by 0.25 m: bake all tiles with the same cells"
    );
    let mut unsound = square(4, 0, 0);
    unsound.corners[2] = 99;
    let unsound = merge_poly_meshes(&[&square(0, 0, 0), &unsound]);
    assert!(matches!(unsound, Err(Error::Unsound { mesh: 1, .. })), "{unsound:?}");
    let mut narrow = square(4, 0, 0);
    narrow.grid.border = 5;
    assert!(matches!(merge_poly_meshes(&[&narrow]), Err(Error::Unsound { mesh: 0, .. })));
    let (near, far) = (square(i32::MIN + 2, 0, 0), square(i32::MAX - 9, 0, 0));
    assert!(matches!(merge_poly_meshes(&[&near, &far]), Err(Error::Limit(_))));
}

/// A floor of 12 by 9 m with a ramp and a wall on it.
fn level() -> PreparedLevel {
    let mut level = Level::default();
    let mut quad = |corners: [[f64; 3]; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    quad([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]]);
    quad([[2.0, 0.0, 1.0], [2.0, 0.0, 4.0], [9.0, 2.5, 4.0], [9.0, 2.5, 1.0]]);
    quad([[7.0, 0.0, 5.0], [7.0, 2.0, 5.0], [4.0, 2.0, 8.0], [4.0, 0.0, 8.0]]);
    PreparedLevel::new(&level, &Settings::default()).unwrap()
}

fn bake(level: &PreparedLevel, build: &TileBuild) -> (PolyMesh, DetailMesh) {
    let mut meshes = (None, None);
    let mut tap = |snapshot: Snapshot<'_>| match snapshot {
        Snapshot::PolyMesh(mesh) => meshes.0 = Some(mesh.clone()),
        Snapshot::DetailMesh(mesh) => meshes.1 = Some(mesh.clone()),
        _ => {}
    };
    bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    (meshes.0.unwrap(), meshes.1.unwrap())
}

#[test]
fn one_mesh_merges_to_itself() {
    let level = level();
    let (mesh, detail) = bake(&level, &TileBuild::solo(&level));
    assert!(mesh.polygons.len() > 3);
    assert_eq!(merge(&[&mesh]), mesh);
    assert_eq!(merge_detail_meshes(&[(&mesh, &detail)]).unwrap(), detail);
}

#[test]
fn baked_tiles_merge() {
    let level = level();
    let parts: Vec<_> = [(0, 0), (0, 1), (1, 0), (1, 1)]
        .map(|(x, z)| bake(&level, &TileBuild::tiled(&level, 20, TileCoord { x, z, layer: 0 }).unwrap()))
        .into();
    let merged = merge(&parts.iter().map(|(mesh, _)| mesh).collect::<Vec<_>>());
    let details: Vec<_> = parts.iter().map(|(mesh, detail)| (mesh, detail)).collect();
    let detail = merge_detail_meshes(&details).unwrap();
    detail.check(&merged).unwrap();
    assert_eq!((merged.grid.inner_width(), merged.grid.inner_depth()), (40, 40));
    let border = merged.grid.border as i32;
    assert_eq!((merged.grid.base_x + border, merged.grid.base_z + border), (0, 0));
    let area = |mesh: &PolyMesh| mesh.polygons.iter().map(|p| mesh.polygon_area2(p)).sum::<i128>();
    assert_eq!(area(&merged), parts.iter().map(|(mesh, _)| area(mesh)).sum::<i128>());
    // Some polygons have found neighbours across a seam.
    let owner = |polygon: usize| {
        let ends = parts.iter().scan(0, |sum, (mesh, _)| {
            *sum += mesh.polygons.len();
            Some(*sum)
        });
        ends.filter(|&end| end <= polygon).count()
    };
    let crossing = merged.polygons.iter().enumerate().any(|(index, polygon)| {
        let leaves = |edge: &EdgeKind| matches!(edge, EdgeKind::Internal(other) if owner(*other as usize) != owner(index));
        merged.edges[polygon.range()].iter().any(leaves)
    });
    assert!(crossing);
    // Each corner of a polygon is where the first vertices of its sub-mesh are.
    let (cell_size, cell_height) = (merged.grid.cell_size, merged.grid.cell_height);
    for (polygon, part) in merged.polygons.iter().zip(&detail.meshes) {
        let vertices = &detail.vertices[part.first_vertex as usize..];
        for (&corner, vertex) in merged.polygon_corners(polygon).iter().zip(vertices) {
            let [x, y, z] = in_cells(merged.vertices[corner as usize]).map(|cells| cells as f32);
            assert!((x * cell_size - vertex[0]).abs() < 1e-4 && (z * cell_size - vertex[2]).abs() < 1e-4);
            assert!((y * cell_height - vertex[1]).abs() < 4.0 * cell_height, "{y} {vertex:?}");
        }
    }
}

proptest! {
    /// A patchwork of square tiles, some missing, at heights near each other.
    #[test]
    fn a_patchwork_is_joined_wherever_heights_allow(
        heights in prop::collection::vec(prop::option::weighted(0.8, 0..5i32), 12),
        turn in 0..12usize,
    ) {
        let at = |x: usize, z: usize| (x < 4 && z < 3).then(|| heights[x + 4 * z]).flatten();
        let mut tiles: Vec<_> = (0..12).filter_map(|i| heights[i].map(|y| square(4 * (i as i32 % 4), 4 * (i as i32 / 4), y))).collect();
        prop_assume!(!tiles.is_empty());
        let count = tiles.len();
        tiles.rotate_left(turn % count);
        let merged = merge(&tiles.iter().collect::<Vec<_>>());
        prop_assert_eq!(merged.polygons.len(), count);
        for tile in &tiles {
            prop_assert!(merged.grid.base_x <= tile.grid.base_x && merged.grid.base_z <= tile.grid.base_z);
        }
        let internal = merged.edges.iter().filter(|edge| matches!(edge, EdgeKind::Internal(_))).count();
        // Within two cells, all corners at a place become one. Further apart, the order decides which of them
        // join.
        let close = heights.iter().flatten().max().zip(heights.iter().flatten().min()).is_some_and(|(high, low)| high - low <= 2);
        let pairs = (0..4).flat_map(|x| (0..3).map(move |z| (x, z)))
            .map(|(x, z)| usize::from(at(x, z).is_some() && at(x + 1, z).is_some()) + usize::from(at(x, z).is_some() && at(x, z + 1).is_some()))
            .sum::<usize>();
        prop_assert!(internal <= 2 * pairs);
        if close {
            prop_assert_eq!(internal, 2 * pairs);
        }
        for polygon in &merged.polygons {
            let corners = merged.polygon_corners(polygon);
            for (index, edge) in merged.edges[polygon.range()].iter().enumerate() {
                let [[ax, _, az], [bx, _, bz]] = [index, (index + 1) % 4].map(|i| merged.vertices[corners[i] as usize]);
                let [width, depth] = [merged.grid.inner_width(), merged.grid.inner_depth()].map(|cells| cells as i32 * FIXED_ONE);
                let outer = (ax == bx && (ax == 0 || ax == width)) || (az == bz && (az == 0 || az == depth));
                prop_assert_eq!(matches!(edge, EdgeKind::Portal(_)), outer);
            }
        }
    }
}
