//! Written tiles are always accepted, and depend on the set of polygons only.

use crate::common;
use crate::common::{Dice, empty, everything, random_star, random_tile, square, tile};
use navmath::predicates::polygon_area2;
use navtile::content::Beyond;
use navtile::layout::{BV_EMPTY, edge_kind};
use navtile::{BuildError, Tile, TileContent, TileWriter, WriteDiagnostic, WriteError};
use proptest::prelude::*;

fn written(content: &TileContent) -> (Tile, Vec<WriteDiagnostic>) {
    let (bytes, diagnostics) = content.write().unwrap();
    (Tile::from_bytes(&bytes).unwrap(), diagnostics)
}

fn area(corners: impl IntoIterator<Item = [i32; 3]>) -> i128 {
    polygon_area2(corners.into_iter().map(|vertex| [vertex[0], vertex[2]]))
}

fn tile_area(tile: &Tile) -> i128 {
    let corners =
        |polygon| tile.polygon_edges(polygon).iter().map(|edge| tile.vertices()[edge.vertex as usize]);
    tile.polygons().iter().map(|polygon| area(corners(polygon))).sum()
}

fn content_area(content: &TileContent) -> i128 {
    let corner = |edge: &navtile::EdgeContent| content.vertices[edge.vertex as usize];
    content.polygons.iter().map(|polygon| area(polygon.edges.iter().map(corner))).sum()
}

/// Reorders the polygons, their first corners and the vertices.
fn shuffled(content: &TileContent, dice: &mut Dice) -> TileContent {
    let mut order: Vec<usize> = (0..content.polygons.len()).collect();
    let mut vertex_order: Vec<usize> = (0..content.vertices.len()).collect();
    for list in [&mut order, &mut vertex_order] {
        for i in (1..list.len()).rev() {
            list.swap(i, dice.roll(i as u32 + 1) as usize);
        }
    }
    let place = |list: &[usize], what: u32| list.iter().position(|&old| old == what as usize).unwrap() as u32;
    let mut result = TileContent { vertices: Vec::new(), polygons: Vec::new(), ..content.clone() };
    result.vertices.extend(vertex_order.iter().map(|&old| content.vertices[old]));
    result.vertices.push([77, 77, 77]);
    for &old in &order {
        let mut polygon = content.polygons[old].clone();
        for edge in &mut polygon.edges {
            edge.vertex = place(&vertex_order, edge.vertex);
            if let Beyond::Internal(other) = &mut edge.beyond {
                *other = place(&order, *other);
            }
        }
        let count = polygon.edges.len();
        let turn = dice.roll(count as u32) as usize;
        polygon.edges.rotate_left(turn);
        for triangle in &mut polygon.detail_triangles {
            for vertex in &mut triangle.vertices {
                if (*vertex as usize) < count {
                    *vertex = ((*vertex as usize + count - turn) % count) as u32;
                }
            }
            triangle.vertices.rotate_left(1);
            triangle.boundary.rotate_left(1);
        }
        polygon.detail_triangles.reverse();
        result.polygons.push(polygon);
    }
    result.off_mesh_links.reverse();
    result
}

#[test]
fn a_tile_with_everything_is_accepted() {
    let content = everything();
    let (tile, diagnostics) = written(&content);
    assert_eq!(diagnostics, []);
    assert_eq!(tile.polygons().len(), 15);
    assert_eq!(tile.portals().len(), 16);
    assert_eq!(tile.off_mesh_links().len(), 2);
    assert_eq!(tile.header().polygon_vertex_count, 25);
    assert_eq!(tile.vertices().len(), 25 + 8);
    assert_eq!(tile.bv_nodes().len(), 5);
    assert_eq!(tile.coord(), content.coord);
    assert_eq!(tile.lattice(), content.lattice);
    let walls = tile.edges().iter().filter(|edge| edge.kind == edge_kind::WALL).count();
    assert_eq!(walls, 4);
}

#[test]
fn an_empty_tile_is_a_tile() {
    let (tile, _) = written(&empty());
    assert!(tile.polygons().is_empty() && tile.bv_nodes().is_empty());
    assert_eq!(tile.bytes().len(), 256 + 7 * 16);
}

#[test]
fn one_polygon_has_one_node() {
    let (tile, _) = written(&tile(&[square(1, 1, 256, |_, _| 7)]));
    assert_eq!((tile.polygons().len(), tile.bv_nodes().len()), (1, 1));
}

#[test]
fn a_polygon_of_many_corners_is_split() {
    // A parabola: convex, 601 corners.
    let corners: Vec<[i32; 3]> = (-300..=300).map(|i: i32| [i, 0, i * i]).rev().collect();
    let corners =
        if area(corners.iter().copied()) < 0 { corners } else { corners.into_iter().rev().collect() };
    let content = tile(&[corners]);
    let (tile, diagnostics) = written(&content);
    assert_eq!(tile_area(&tile), content_area(&content));
    let pieces = tile.polygons().len() as u32;
    assert!(pieces >= 3);
    assert!(
        matches!(diagnostics[..], [WriteDiagnostic::Split { polygon: 0, pieces: reported, .. }] if reported == pieces)
    );
    // All pieces are connected.
    let internal = tile.edges().iter().filter(|edge| edge.kind == edge_kind::INTERNAL).count();
    assert_eq!(internal as u32, 2 * (pieces - 1));
}

#[test]
fn neighbours_meet_across_a_sliver() {
    // Below a long edge, a sliver; above it, two triangles that share its middle.
    let (a, m, b) = ([0, 0, 512], [256, 5, 512], [512, 0, 512]);
    let below = vec![[0, 0, 1024], [512, 0, 1024], b, a];
    let sliver = vec![a, b, m];
    let left = vec![a, m, [128, 0, 256]];
    let right = vec![m, b, [384, 0, 256]];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]] {
        let all = [&below, &sliver, &left, &right];
        let content = tile(&order.map(|i: usize| all[i].clone()));
        let (tile, diagnostics) = written(&content);
        assert!(matches!(diagnostics[..], [WriteDiagnostic::ZeroArea { .. }]));
        assert_eq!(tile.polygons().len(), 3);
        let five = tile.polygons().iter().find(|polygon| polygon.edge_count == 5).unwrap();
        let internal =
            tile.polygon_edges(five).iter().filter(|edge| edge.kind == edge_kind::INTERNAL).count();
        assert_eq!(internal, 2);
    }
}

#[test]
fn slivers_in_a_chain_hand_on() {
    // a-b below, split at m by the first sliver, whose half m-b is split at n by the second.
    let (a, m, n, b) = ([0, 0, 512], [256, 0, 512], [384, 0, 512], [512, 0, 512]);
    let below = vec![[0, 0, 1024], [512, 0, 1024], b, a];
    let content = tile(&[
        below,
        vec![a, b, m],
        vec![m, b, n],
        vec![a, m, [128, 0, 256]],
        vec![m, n, [300, 0, 256]],
        vec![n, b, [500, 0, 256]],
    ]);
    let (tile, diagnostics) = written(&content);
    assert_eq!(diagnostics.len(), 2);
    let six = tile.polygons().iter().find(|polygon| polygon.edge_count == 6).unwrap();
    let internal = tile.polygon_edges(six).iter().filter(|edge| edge.kind == edge_kind::INTERNAL).count();
    assert_eq!(internal, 3);
}

#[test]
fn a_sliver_on_the_border_leaves_portals() {
    use common::WIDTH;
    let (a, m, b) = ([0, 0, WIDTH], [256, 0, WIDTH], [512, 0, WIDTH]);
    let content = tile(&[vec![a, b, m], vec![a, m, [128, 0, 256]], vec![m, b, [384, 0, 256]]]);
    let (tile, _) = written(&content);
    assert_eq!((tile.polygons().len(), tile.portals().len()), (2, 2));
}

#[test]
fn a_sliver_along_the_border_may_run_either_way() {
    use common::WIDTH;
    let mut content =
        tile(&[vec![[0, 0, WIDTH], [512, 0, WIDTH], [256, 0, WIDTH]], square(0, 0, 512, |_, _| 0)]);
    content.polygons[0].edges.iter_mut().for_each(|edge| edge.beyond = Beyond::Portal(1));
    let (tile, diagnostics) = written(&content);
    assert_eq!((tile.polygons().len(), tile.portals().len(), diagnostics.len()), (1, 2, 1));
}

/// Two polygons with 30 jagged edges between them.
fn jagged() -> Vec<Vec<[i32; 3]>> {
    let between = (0..=30).map(|i| [100 + 100 * i, 7 * i, 2000 + 10 * (i % 2)]);
    let mut above: Vec<[i32; 3]> = between.clone().collect();
    above.extend([[3100, 0, 1000], [100, 0, 1000]]);
    let mut below: Vec<[i32; 3]> = between.rev().collect();
    below.extend([[100, 0, 3000], [3100, 0, 3000]]);
    vec![above, below]
}

#[test]
fn polygons_with_many_corners_find_each_other() {
    let content = tile(&jagged());
    let (tile, diagnostics) = written(&content);
    assert!(matches!(diagnostics[..], [WriteDiagnostic::Split { .. }, WriteDiagnostic::Split { .. }]));
    assert_eq!(tile_area(&tile), content_area(&content));
    assert_eq!(tile.edges().iter().filter(|edge| edge.kind == edge_kind::WALL).count(), 6);
    let mut one_sided = content;
    one_sided.polygons[1].edges[3].beyond = Beyond::Wall;
    assert!(one_sided.write().unwrap_err().to_string().contains("no such edge back"));
}

#[test]
fn an_edge_that_comes_twice_is_refused() {
    let [many, _] = jagged().try_into().unwrap();
    for mut corners in [many, square(1, 1, 100, |_, _| 0)] {
        corners.extend_from_within(..2);
        let mut content = tile(&[corners]);
        content.polygons[0].edges.iter_mut().for_each(|edge| edge.beyond = Beyond::Wall);
        let error = content.write().unwrap_err().to_string();
        assert!(error.contains("the same edge twice"), "{error}");
    }
}

#[test]
fn a_writer_that_is_kept_writes_the_same() {
    let mut writer = TileWriter::default();
    let mut malformed = everything();
    malformed.polygons[8].area = 0;
    for content in [everything(), tile(&jagged()), malformed, empty(), everything()] {
        let built = writer.build(&content);
        assert_eq!(built, TileWriter::default().build(&content));
        match content.write() {
            Ok((bytes, diagnostics)) => {
                let built = built.unwrap();
                assert_eq!((built.tile.bytes(), built.diagnostics), (&bytes[..], diagnostics));
            }
            Err(error) => assert_eq!(built.unwrap_err(), BuildError::Write(error)),
        }
    }
}

#[test]
fn malformed_content_is_refused() {
    let refused = |change: &dyn Fn(&mut TileContent)| {
        let mut content = everything();
        change(&mut content);
        content.write().unwrap_err().to_string()
    };
    type Change<'a> = &'a dyn Fn(&mut TileContent);
    let cases: [(&str, Change<'_>); 15] = [
        ("vertex 4000 of", &|c| c.polygons[3].edges[0].vertex = 4000),
        ("2 corners", &|c| c.polygons[3].edges.truncate(2)),
        ("area id is 0", &|c| c.polygons[3].area = 0),
        ("not another one", &|c| c.polygons[3].edges[0].beyond = Beyond::Internal(3)),
        ("not another one", &|c| c.polygons[3].edges[0].beyond = Beyond::Internal(99)),
        ("no such edge back", &|c| c.polygons[0].edges[0].beyond = Beyond::Internal(9)),
        ("is a portal on side 0", &|c| c.polygons[5].edges[0].beyond = Beyond::Portal(0)),
        ("more than", &|c| c.vertices[2][1] = i32::MAX),
        ("detail triangle 0", &|c| c.polygons[0].detail_triangles[0].vertices = [0, 0, 1]),
        ("same corners as polygon 2", &|c| {
            let mut twin = c.polygons[2].clone();
            twin.edges.iter_mut().for_each(|edge| edge.beyond = Beyond::Wall);
            c.polygons.push(twin);
        }),
        ("off-mesh link 1", &|c| c.off_mesh_links[1].radius = 0),
        ("base-cell", &|c| c.base_cell[1] = i64::MAX),
        ("lattice", &|c| c.lattice.cell_size = f64::NAN),
        ("agent", &|c| c.agent[1] = -1.0),
        ("tile-size", &|c| c.size_cells[0] = u32::MAX),
    ];
    for (message, change) in cases {
        let error = refused(change);
        assert!(error.contains(message), "{message}: {error}");
    }
    let crossed = tile(&[vec![[0, 0, 900], [500, 0, 0], [500, 0, 900], [0, 0, 100]]]);
    assert!(matches!(crossed.write(), Err(WriteError::Polygon { polygon: 0, .. })));
    let wrong_way = tile(&[vec![[1, 0, 1], [500, 0, 500], [1, 0, 900]].into_iter().rev().collect()]);
    let right_way = tile(&[vec![[1, 0, 1], [500, 0, 500], [1, 0, 900]]]);
    assert_ne!(wrong_way.write().is_ok(), right_way.write().is_ok());
}

#[test]
fn portals_at_one_place_are_refused() {
    let mut content = everything();
    let portal =
        content.polygons.iter().position(|p| p.edges.iter().any(|e| matches!(e.beyond, Beyond::Portal(2))));
    // The same border edge, but with another corner.
    let mut other = content.polygons[portal.unwrap()].clone();
    let corner = other
        .edges
        .iter()
        .position(|edge| content.vertices[edge.vertex as usize][0] < common::WIDTH)
        .unwrap();
    content.vertices.push([17, 0, content.vertices[other.edges[corner].vertex as usize][2]]);
    other.edges[corner].vertex = content.vertices.len() as u32 - 1;
    for edge in &mut other.edges {
        if matches!(edge.beyond, Beyond::Internal(_)) {
            edge.beyond = Beyond::Wall;
        }
    }
    content.polygons.push(other);
    let error = content.write().unwrap_err().to_string();
    assert!(error.contains("coincides with one of polygon"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn random_tiles_are_accepted_and_keep_their_area(content in random_tile()) {
        let (tile, diagnostics) = written(&content);
        prop_assert_eq!(tile_area(&tile), content_area(&content));
        let pieces: u32 = diagnostics.iter().map(|diagnostic| match diagnostic {
            WriteDiagnostic::Split { pieces, .. } => pieces - 1,
            WriteDiagnostic::ZeroArea { .. } => 0,
        }).sum();
        prop_assert_eq!(tile.polygons().len(), content.polygons.len() + pieces as usize);
        let expected = content.polygons.iter().flat_map(|p| &p.edges);
        let portals = expected.clone().filter(|edge| matches!(edge.beyond, Beyond::Portal(_))).count();
        prop_assert_eq!(tile.portals().len(), portals);
        let walls = expected.filter(|edge| edge.beyond == Beyond::Wall).count();
        prop_assert_eq!(tile.edges().iter().filter(|edge| edge.kind == edge_kind::WALL).count(), walls);
    }

    #[test]
    fn stars_are_split_and_keep_their_area(content in random_star(), seed: u64) {
        let (tile, diagnostics) = written(&content);
        prop_assert_eq!(tile_area(&tile), content_area(&content));
        prop_assert_eq!(tile.polygons().len() == 1, diagnostics.is_empty());
        // Every corner still exists, including flat ones, and the pieces are connected.
        prop_assert_eq!(tile.header().polygon_vertex_count, 16);
        let walls = tile.edges().iter().filter(|edge| edge.kind == edge_kind::WALL).count();
        prop_assert_eq!(walls, 16);
        prop_assert_eq!(tile.edges().len(), 16 + 2 * (tile.polygons().len() - 1));
        let other = shuffled(&content, &mut Dice(seed));
        prop_assert_eq!(content.write().unwrap().0, other.write().unwrap().0);
    }

    #[test]
    fn the_order_of_content_does_not_matter(content in random_tile(), seed: u64) {
        let other = shuffled(&content, &mut Dice(seed));
        prop_assert_eq!(content.write().unwrap().0, other.write().unwrap().0);
    }
}

#[test]
fn the_order_does_not_matter_with_links_and_detail() {
    let content = everything();
    for seed in 0..50 {
        assert_eq!(content.write().unwrap().0, shuffled(&content, &mut Dice(seed)).write().unwrap().0);
    }
}

#[test]
fn the_tree_is_full_but_along_one_path() {
    for side in 1..24 {
        let squares: Vec<_> = (0..side * side).map(|i| square(i % side, i / side, 200, |_, _| 0)).collect();
        let (tile, _) = written(&tile(&squares));
        let (polygons, nodes) = (squares.len(), tile.bv_nodes());
        let levels = (1..).find(|levels| 4usize.pow(*levels) >= polygons).unwrap();
        let full = nodes.iter().filter(|node| node.children.iter().all(|child| *child != BV_EMPTY)).count();
        assert!(nodes.len() - full <= levels as usize, "{side}: {full} of {}", nodes.len());
    }
}
