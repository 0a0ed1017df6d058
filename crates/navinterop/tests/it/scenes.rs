//! Baked scenes are exported to Detour's files and imported again: same polygons, same heights, same islands.

use navinterop::export::export;
use navinterop::import::{Imported, import, import_files};
use navinterop::{ByteOrder, Encoding, Foreign, RefWidth, mset};
use navlevel::bake_tiles;
use navmath::predicates::area2;
use navtile::islands::Islands;
use navtile::layout::Polygon;
use navtile::{Tile, TileContent};
use recast::{OffMeshConnection, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// A scene as one tile, or in tiles of this many cells. Its polygons have no more corners than Detour's
/// format takes, unless `change` says otherwise.
fn baked(name: &str, tile_cells: Option<u32>, change: impl Fn(&mut Settings)) -> Vec<Tile> {
    let scene = navscenes::by_name(name).unwrap();
    let mut settings = Settings { max_vertices: 6, ..(scene.settings)() };
    change(&mut settings);
    let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
    match tile_cells {
        Some(cells) => {
            bake_tiles(&level, cells, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect()
        }
        None => vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile],
    }
}

fn round_trip(tiles: &[Tile], width: RefWidth) -> Imported {
    let exported = export(tiles, width).unwrap();
    let bytes = mset::write(&exported.set).unwrap();
    let set = mset::read(&bytes).unwrap();
    assert_eq!(set, exported.set);
    import_files(vec![Foreign::Set(set)]).unwrap()
}

/// A polygon identified by its place: corners and detail vertices in world metres, area, flags.
type Seen = (Vec<[f64; 3]>, Vec<[f64; 3]>, usize, u8, u32);

/// All polygons of a tile that are not cut, in an order that does not depend on its lattice, unlike the order
/// of corners in the blob.
fn polygons(tile: &Tile) -> Vec<Seen> {
    let world =
        |vertices: &[[i32; 3]]| vertices.iter().map(|&vertex| tile.to_world(vertex)).collect::<Vec<_>>();
    let mut seen: Vec<Seen> = tile
        .polygons()
        .iter()
        .filter(|polygon| !is_cut(tile, polygon))
        .map(|polygon| {
            let corners: Vec<[i32; 3]> = tile
                .polygon_edges(polygon)
                .iter()
                .map(|edge| tile.vertices()[edge.vertex as usize])
                .collect();
            let first = polygon.first_detail_vertex as usize;
            let detail = &tile.vertices()[first..first + usize::from(polygon.detail_vertex_count)];
            let triangles = usize::from(polygon.detail_triangle_count);
            (world(&corners), world(detail), triangles, polygon.area, polygon.flags)
        })
        .collect();
    // Positions on the lattice differ by far more than rounding.
    let key = |seen: &Seen| -> Vec<i64> {
        seen.0.iter().flatten().map(|metres| (metres * 1000.0).round() as i64).collect()
    };
    seen.sort_by_key(key);
    seen
}

fn near(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let close = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 2e-3);
    a.len() == b.len() && a.iter().zip(b).all(close)
}

/// Returns true if Detour cannot hold a polygon: it has more than six corners, or one on a straight side.
pub(crate) fn is_cut(tile: &Tile, polygon: &Polygon) -> bool {
    let edges = tile.polygon_edges(polygon);
    let corner = |at: usize| {
        let [x, _, z] = tile.vertices()[edges[at % edges.len()].vertex as usize];
        [x, z]
    };
    edges.len() > 6 || (0..edges.len()).any(|at| area2(corner(at), corner(at + 1), corner(at + 2)) == 0)
}

/// Asserts that tiles are equal: the same islands and, except for polygons that the export cut, the same
/// neighbours and polygons within two millimetres.
fn assert_same(before: &[Tile], after: &[Tile]) {
    assert_eq!(before.len(), after.len());
    for (a, b) in before.iter().zip(after) {
        assert_eq!(a.coord(), b.coord());
        let (seen_a, mut seen_b) = (polygons(a), polygons(b));
        // The export cut some polygons. Their pieces are not among the polygons before.
        let pieces = b.polygons().len() - a.polygons().len();
        seen_b.retain(|seen| seen_a.iter().any(|before| near(&before.0, &seen.0)));
        assert_eq!(seen_a.len(), seen_b.len(), "tile {:?}", a.coord());
        for (a, b) in seen_a.iter().zip(&seen_b) {
            assert!(near(&a.0, &b.0), "{:?}\n{:?}", a.0, b.0);
            assert!(near(&a.1, &b.1), "detail {:?}\n{:?}", a.1, b.1);
            assert_eq!((a.2, a.3, a.4), (b.2, b.3, b.4));
        }
        let kinds = |tile: &Tile| {
            let mut counts = [0; 3];
            tile.edges().iter().for_each(|edge| counts[usize::from(edge.kind)] += 1);
            counts
        };
        let [walls, internal, portals] = kinds(a);
        assert_eq!([walls, internal + 2 * pieces, portals], kinds(b));
        assert_eq!(a.portals().len(), b.portals().len());
    }
    let (a, b) = (Islands::find(before), Islands::find(after));
    assert_eq!(a.len(), b.len());
    assert_eq!(a.area2, b.area2);
}

#[test]
fn scenes_come_back_as_one_tile() {
    for scene in navscenes::all() {
        let before = baked(scene.name, None, |_| ());
        let after = round_trip(&before, RefWidth::Bits32);
        assert!(after.diagnostics.is_empty(), "{}: {}", scene.name, after.diagnostics[0]);
        assert_same(&before, &after.tiles);
    }
}

#[test]
fn scenes_come_back_in_tiles() {
    for (scene, cells) in [("courtyard", 32), ("terrain", 48), ("two_rooms", 16), ("storeys", 20)] {
        for width in [RefWidth::Bits32, RefWidth::Bits64] {
            let before = baked(scene, Some(cells), |_| ());
            assert!(before.len() > 3);
            let after = round_trip(&before, width);
            assert!(after.diagnostics.is_empty(), "{scene}: {}", after.diagnostics[0]);
            assert_same(&before, &after.tiles);
        }
    }
}

#[test]
fn positions_on_the_lattice_come_back_exactly() {
    let before = baked("courtyard", Some(32), |_| ());
    let after = round_trip(&before, RefWidth::Bits32);
    let (a, b) = (before[0].header(), after.tiles[0].header());
    assert_eq!((a.cell_size, a.cell_height), (b.cell_size, b.cell_height));
    // Corners are on whole cells of both.
    for (a, b) in before.iter().zip(&after.tiles) {
        let counts = [a, b].map(|tile| tile.header().polygon_vertex_count as usize);
        assert_eq!(a.vertices()[..counts[0]], b.vertices()[..counts[1]]);
    }
    assert!(after.largest_error.iter().all(|&error| error < 1e-3), "{:?}", after.largest_error);
}

#[test]
fn a_second_trip_changes_nothing() {
    let first = round_trip(&baked("courtyard", Some(32), |_| ()), RefWidth::Bits32);
    let second = round_trip(&first.tiles, RefWidth::Bits64);
    assert_eq!(first.tiles, second.tiles);
    assert_eq!(first.meta, second.meta);
}

#[test]
fn byte_order_and_order_of_tiles_do_not_matter() {
    let tiles = baked("storeys", Some(20), |_| ());
    let set = export(&tiles, RefWidth::Bits32).unwrap().set;
    let native = import_files(vec![Foreign::Set(set.clone())]).unwrap();
    let encoding = Encoding { order: ByteOrder::Big, ..set.encoding };
    let mut swapped = mset::TileSet { encoding, ..set };
    swapped.tiles.reverse();
    let bytes = mset::write(&swapped).unwrap();
    assert_eq!(&bytes[..8], b"MSET\0\0\0\x01");
    let read = mset::read(&bytes).unwrap();
    assert_eq!(read, swapped);
    let imported = import_files(vec![Foreign::Set(read)]).unwrap();
    assert_eq!((imported.tiles, imported.meta), (native.tiles, native.meta));
}

#[test]
fn single_tiles_without_parameters_are_put_together() {
    let before = baked("courtyard", Some(32), |_| ());
    let set = export(&before, RefWidth::Bits32).unwrap().set;
    let alone: Vec<_> = set.tiles.into_iter().map(|tile| tile.tile).collect();
    let imported = import(None, &alone).unwrap();
    assert!(imported.diagnostics.is_empty(), "{}", imported.diagnostics[0]);
    assert_same(&before, &imported.tiles);
    assert_eq!(imported.meta.cell, [0.3, 0.2]);
}

/// The volume between the detail mesh and the height 0, and the area below it, in units of the world.
fn volume(tiles: &[Tile]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for tile in tiles {
        for polygon in tile.polygons() {
            for triangle in tile.polygon_detail_triangles(polygon) {
                let [a, b, c] = triangle
                    .vertices
                    .map(|local| tile.to_world(tile.vertices()[tile.detail_vertex_index(polygon, local)]));
                let twice = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
                sum[0] += twice.abs() / 2.0 * (a[1] + b[1] + c[1]) / 3.0;
                sum[1] += twice.abs() / 2.0;
            }
        }
    }
    sum
}

#[test]
fn polygons_of_many_corners_are_split_with_their_detail() {
    for (scene, least) in [("courtyard", 2), ("terrain", 15), ("boxes", 3)] {
        let before = baked(scene, None, |settings| settings.max_vertices = 24);
        let cut = |tiles: &[Tile]| {
            let cut = |tile: &Tile| tile.polygons().iter().filter(|polygon| is_cut(tile, polygon)).count();
            tiles.iter().map(cut).sum::<usize>()
        };
        assert!(cut(&before) >= least, "{scene}: {}", cut(&before));
        let exported = export(&before, RefWidth::Bits32).unwrap();
        assert_eq!(exported.diagnostics.len(), cut(&before));
        let after = import_files(vec![Foreign::Set(exported.set)]).unwrap();
        assert!(after.diagnostics.is_empty(), "{}", after.diagnostics[0]);
        assert_eq!(cut(&after.tiles), 0);
        let (a, b) = (Islands::find(&before), Islands::find(&after.tiles));
        assert_eq!(a.area2, b.area2);
        // Walls stay walls, portals stay portals.
        for (a, b) in before.iter().zip(&after.tiles) {
            let count = |tile: &Tile, kind| tile.edges().iter().filter(|edge| edge.kind == kind).count();
            assert_eq!([count(a, 0), count(a, 2)], [count(b, 0), count(b, 2)]);
        }
        // The ground keeps its height.
        let (a, b) = (volume(&before), volume(&after.tiles));
        assert!((a[1] / b[1] - 1.0).abs() < 1e-4, "{scene}: area {a:?}, {b:?}");
        assert!((a[0] - b[0]).abs() < 1e-3 * a[1], "{scene}: volume {a:?}, {b:?}");
    }
}

#[test]
fn off_mesh_links_come_back() {
    let connection = OffMeshConnection {
        start: [3.0, 0.0, 3.0],
        end: [8.0, 0.0, 3.0],
        radius: 0.75,
        both_ways: true,
        area: recast::AreaId(5),
        flags: Some(8),
        user_id: 77,
        along: [0.0; 2],
    };
    for cells in [None, Some(16)] {
        let before = baked("plane", cells, |settings| {
            let back = OffMeshConnection {
                both_ways: false,
                start: connection.end,
                end: connection.start,
                ..connection.clone()
            };
            settings.off_mesh_connections = vec![connection.clone(), back];
        });
        let links = |tiles: &[Tile]| tiles.iter().flat_map(Tile::off_mesh_links).copied().collect::<Vec<_>>();
        assert_eq!(links(&before).len(), 2);
        let after = round_trip(&before, RefWidth::Bits32);
        assert!(after.diagnostics.is_empty(), "{}", after.diagnostics[0]);
        assert_same(&before, &after.tiles);
        assert_eq!(links(&before).len(), links(&after.tiles).len());
        for (a, b) in before.iter().zip(&after.tiles) {
            for (old, new) in a.off_mesh_links().iter().zip(b.off_mesh_links()) {
                let ends = |tile: &Tile, ends: [[i32; 3]; 2]| ends.map(|end| tile.to_world(end));
                assert!(near(&ends(a, [old.start, old.end]), &ends(b, [new.start, new.end])));
                assert_eq!((old.radius, old.flags, old.area), (new.radius, new.flags, new.area));
                assert_eq!(
                    (old.direction, old.user_id, old.end_tile),
                    (new.direction, new.user_id, new.end_tile)
                );
            }
        }
        assert!(after.meta.areas.iter().any(|area| (area.id, area.flags) == (5, 8)));
    }
}

#[test]
fn imported_content_is_written_alike_again() {
    for tile in round_trip(&baked("terrain", Some(48), |_| ()), RefWidth::Bits32).tiles {
        assert_eq!(TileContent::from_tile(&tile).write().unwrap().0, tile.bytes());
    }
}
