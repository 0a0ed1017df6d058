//! Lines of a mesh: each edge once, the borders of tiles, links while they are joined; and lines of paths.

use crate::common::links::{link, linked};
use crate::common::{Grid, mesh};
use detour::{LineKind, MeshLine, NavMesh, Vec3};
use navtile::TileCoord;
use navtile::layout::edge_kind;

fn lines(mesh: &NavMesh, kind: LineKind) -> Vec<MeshLine> {
    mesh.lines().filter(|line| line.kind == kind).collect()
}

#[test]
fn every_edge_is_a_line_once() {
    let picture = "....\n.#..\n....";
    let mesh = mesh([Grid::tiled(picture, 0, 0).tile(), Grid::tiled(picture, 1, 0).tile()]);
    let count = |kind: u8| -> usize {
        mesh.tiles().flat_map(|tile| tile.edges()).filter(|edge| edge.kind == kind).count()
    };
    assert_eq!(lines(&mesh, LineKind::Wall).len(), count(edge_kind::WALL));
    assert_eq!(lines(&mesh, LineKind::Portal).len(), count(edge_kind::PORTAL));
    let inner = lines(&mesh, LineKind::Inner);
    assert_eq!(inner.len() * 2, count(edge_kind::INTERNAL));
    // Each line runs in the direction around the polygon with the smaller index.
    let polygons: Vec<Vec<Vec3>> =
        mesh.polygons().map(|polygon| mesh.corners(polygon).unwrap().collect()).collect();
    let owner = |from: Vec3, to: Vec3| {
        polygons.iter().position(|corners| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).any(|(corner, next)| (*corner, *next) == (from, to))
        })
    };
    assert!(inner.iter().all(|line| owner(line.from, line.to) < owner(line.to, line.from)));
    let ways = inner.iter().flat_map(|line| [(line.from, line.to), (line.to, line.from)]);
    let mut ways: Vec<[u32; 6]> =
        ways.map(|(from, to)| [from.x, from.y, from.z, to.x, to.y, to.z].map(f32::to_bits)).collect();
    ways.sort_unstable();
    ways.dedup();
    assert_eq!(ways.len(), inner.len() * 2, "an inner edge is drawn twice");
}

#[test]
fn the_border_of_a_tile_goes_round_it() {
    let mesh = mesh([Grid::tiled("....", 1, 0).tile()]);
    let border = lines(&mesh, LineKind::Tile);
    assert_eq!(border.len(), 4);
    assert!((0..4).all(|side| border[side].to == border[(side + 1) % 4].from));
    let bounds = mesh.bounds();
    let around = |axis: fn(Vec3) -> f32| {
        let ends = border.iter().map(|line| axis(line.from));
        ends.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    // The row of squares fills its tile.
    assert_eq!(around(|at| at.x), (bounds.min.x, bounds.max.x));
    assert_eq!(around(|at| at.z), (bounds.min.z, bounds.max.z));
}

#[test]
fn a_link_is_an_arc_while_it_is_joined() {
    for (direction, heads) in [(0, 1), (1, 2)] {
        let content = Grid::tiled("....", 0, 0).content();
        let far = TileCoord { x: 10, z: 0, layer: 0 };
        let mut record = link(&content, [3.5, 0.0, 0.5], [40.5, 0.0, 0.5], far);
        record.direction = direction;
        let mut mesh = mesh([linked(content, vec![record])]);
        assert!(lines(&mesh, LineKind::Link).is_empty());
        mesh.add_tile(Grid::tiled("....", 10, 0).tile()).unwrap();
        let arc = lines(&mesh, LineKind::Link);
        assert_eq!(arc.len(), 16 + 2 * heads);
        assert!(arc[..15].iter().zip(&arc[1..16]).all(|(line, next)| line.to == next.from));
        assert!((arc[0].from - Vec3::new(3.5, 0.0, 0.5)).length() < 0.01, "{arc:?}");
        assert!((arc[15].to - Vec3::new(40.5, 0.0, 0.5)).length() < 0.01, "{arc:?}");
        // Heads point in the direction of the arc, at the link's end and, for a two-way link, at its start.
        let ways = [(arc[15].to, arc[15].from), (arc[0].from, arc[0].to)];
        for (head, (tip, before)) in arc[16..].as_chunks::<2>().0.iter().zip(ways) {
            assert!(head.iter().all(|line| line.from == tip), "{head:?}");
            let [a, b] = head.map(|line| line.to - tip);
            let (along, across) = ((a + b) / 2.0, (a - b) / 2.0);
            assert!((along - (before - tip).normalize() * 0.3).length() < 1e-4, "{head:?}");
            assert!((across.length() - 0.15).abs() < 1e-4 && across.y.abs() < 1e-4, "{head:?}");
            assert!(across.dot(along).abs() < 1e-4, "{head:?}");
        }
        let top = arc[7].to;
        assert!((top.y - 37.0 / 4.0).abs() < 0.01, "{top}");
        mesh.remove_tile(far).unwrap();
        assert!(lines(&mesh, LineKind::Link).is_empty());
    }
}

#[test]
fn a_path_is_a_line_less_than_its_points() {
    let points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 2.0)];
    let path: Vec<MeshLine> = MeshLine::along(points).collect();
    let ends: Vec<(Vec3, Vec3)> = path.iter().map(|line| (line.from, line.to)).collect();
    assert_eq!(ends, [(points[0], points[1]), (points[1], points[2])]);
    assert!(path.iter().all(|line| line.kind == LineKind::Path));
    assert_eq!(MeshLine::along([Vec3::ZERO]).count(), 0);
    assert_eq!(MeshLine::along([]).count(), 0);
}
