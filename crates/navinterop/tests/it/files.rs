//! Sets and maps: every prefix is refused, both widths and byte orders are read, nothing panics.

use crate::common::{WIDTH, everything, random_tile, tile};
use crate::scenes::is_cut;
use navinterop::export::export;
use navinterop::import::{import, import_files};
use navinterop::mmaps::{self, MapTile};
use navinterop::{ByteOrder, Encoding, Foreign, RefWidth, detour, mset, read};
use navtile::{Tile, TileContent, TileCoord};
use proptest::prelude::*;

fn built(content: &TileContent) -> Tile {
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

/// Three tiles in a row, of polygons in several storeys and with holes.
fn tiles() -> Vec<Tile> {
    (0..3)
        .map(|x| {
            let mut content = everything();
            content.coord = TileCoord { x, z: -1, layer: 0 };
            content.base_cell = [i64::from(x) * 16, 0, -16];
            content.lattice.origin = [10.0, -5.0, 100.0];
            content.polygons.iter_mut().for_each(|polygon| polygon.flags |= 1);
            for (link, id) in content.off_mesh_links.iter_mut().zip(1..) {
                (link.end, link.end_tile, link.user_id) = ([900 * id, 300, 5], [x, -1, 0], id as u64);
            }
            built(&content)
        })
        .collect()
}

fn set(order: ByteOrder, width: RefWidth) -> mset::TileSet {
    let set = export(&tiles(), width).unwrap().set;
    mset::TileSet { encoding: Encoding { order, width }, ..set }
}

#[test]
fn every_prefix_and_every_longer_set_is_refused() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for width in [RefWidth::Bits32, RefWidth::Bits64] {
            let set = set(order, width);
            let mut bytes = mset::write(&set).unwrap();
            assert_eq!(mset::read(&bytes).unwrap(), set);
            for length in 0..bytes.len() {
                assert!(mset::read(&bytes[..length]).is_err(), "{length} bytes");
                // Four bytes identify a format, 28 a map's parameters.
                assert!(read(&bytes[..length]).is_err());
            }
            bytes.push(0);
            let error = mset::read(&bytes).unwrap_err();
            assert_eq!((error.what.as_str(), error.offset), ("end of the tile set", bytes.len() as u64 - 1));
        }
    }
}

#[test]
fn references_without_padding_are_read() {
    let set = set(ByteOrder::Little, RefWidth::Bits64);
    let padded = mset::write(&set).unwrap();
    let mut bytes = padded[..40].to_vec();
    let mut at = 40;
    for tile in &set.tiles {
        let length = tile.tile.length(RefWidth::Bits64) as usize;
        bytes.extend(&padded[at..at + 12]);
        bytes.extend(&padded[at + 16..at + 16 + length]);
        at += 16 + length;
    }
    assert_eq!(mset::read(&bytes).unwrap(), set);
}

#[test]
fn sets_say_what_is_wrong_and_where() {
    let set = set(ByteOrder::Little, RefWidth::Bits32);
    let bytes = mset::write(&set).unwrap();
    let changed = |at: usize, value: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        mset::read(&bytes).unwrap_err()
    };
    assert_eq!(changed(4, 2).found, "version 2");
    assert_eq!(changed(8, 4).offset, bytes.len() as u64);
    assert_eq!(changed(8, 2).what, "end of the tile set");
    assert_eq!(changed(8, u32::MAX).what, "number of tiles");
    assert_eq!(changed(24, f32::NAN.to_bits()).what, "width of a tile");
    assert_eq!(changed(40, 0).offset, 40);
    assert_eq!(changed(44, 1 << 30).offset, 48);
    // An error within the second tile is reported by its offset in the file.
    let second = 48 + set.tiles[0].tile.length(RefWidth::Bits32) as usize;
    let error = changed(second + 8 + 4, 9);
    assert_eq!((error.offset, error.found.as_str()), (second as u64 + 12, "version 9"));
    let mut wide = set.clone();
    wide.tiles[1].tile_ref = 1 << 40;
    assert!(mset::write(&wide).unwrap_err().to_string().contains("64-bit references"));
}

#[test]
fn maps_are_read_in_both_orders() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let set = set(order, RefWidth::Bits64);
        let params = mmaps::write_params(&set.params, order);
        assert_eq!((params.len(), mmaps::read_params(&params).unwrap()), (28, set.params));
        let mut files = vec![read(&params).unwrap()];
        for tile in &set.tiles {
            let map_tile = MapTile {
                encoding: set.encoding,
                map_version: 16,
                uses_liquids: true,
                tile: tile.tile.clone(),
            };
            let bytes = mmaps::write_tile(&map_tile).unwrap();
            for length in 0..bytes.len() {
                assert!(mmaps::read_tile(&bytes[..length]).is_err(), "{length} bytes");
            }
            let found = read(&bytes).unwrap();
            assert_eq!(found, Foreign::MapTile(Box::new(map_tile)));
            files.push(found);
        }
        files.reverse();
        let map = import_files(files.clone()).unwrap();
        let whole = import_files(vec![Foreign::Set(set)]).unwrap();
        assert_eq!((map.tiles, map.meta), (whole.tiles, whole.meta));
        files.push(files[3].clone());
        assert!(import_files(files).unwrap_err().to_string().contains("more than once"));
    }
}

#[test]
fn tiles_that_do_not_belong_together_are_refused() {
    let set = set(ByteOrder::Little, RefWidth::Bits32);
    let alone: Vec<_> = set.tiles.iter().map(|tile| tile.tile.clone()).collect();
    let refused = |params: Option<&mset::NavMeshParams>, change: fn(&mut Vec<detour::DetourTile>)| {
        let mut tiles = alone.clone();
        change(&mut tiles);
        import(params, &tiles).unwrap_err().to_string()
    };
    assert!(refused(None, Vec::clear).contains("no tiles"));
    assert!(refused(None, |tiles| tiles[1].x = 0).contains("one tile at a place"));
    assert!(refused(None, |tiles| tiles[1].walkable_climb = 0.5).contains("agent's radius"));
    assert!(
        refused(None, |tiles| tiles.iter_mut().for_each(|tile| tile.walkable_radius = -1.0))
            .contains("from 0")
    );
    assert!(refused(None, |tiles| tiles[0].bv_quant_factor = 0.0).contains("quantisation"));
    assert!(refused(None, |tiles| tiles[0].bv_quant_factor = 1e30).contains("cell"));
    assert!(refused(None, |tiles| tiles[0].bounds_max[0] = -1e9).contains("size of tiles"));
    assert!(refused(None, |tiles| tiles[1].vertices[0][0] = 3e38).contains("position"));
    let oblong = mset::NavMeshParams { tile_height: 4.93, ..set.params };
    assert!(refused(Some(&oblong), |_| ()).contains("whole numbers of cells"));
}

#[test]
fn limits_of_the_other_side_are_errors_with_their_place() {
    let refused = |change: &dyn Fn(&mut TileContent)| {
        let mut content = tile(&[vec![[0, 0, 256], [256, 0, 256], [256, 0, 0], [0, 0, 0]]]);
        change(&mut content);
        export(&[built(&content)], RefWidth::Bits32).unwrap_err().to_string()
    };
    let area = refused(&|content| content.polygons[0].area = 65);
    assert!(area.starts_with("tile (2, -1, 0), at "), "{area}");
    assert!(area.contains("area of a polygon or link is 65, more than the limit of 63"), "{area}");
    assert!(
        refused(&|content| content.polygons[0].flags = 1 << 16)
            .contains("flags of a polygon or link is 65536")
    );
    assert!(refused(&|content| content.lattice.origin = [1e8, 0.0, 0.0]).contains("32-bit floats"));
    let link = |content: &mut TileContent, change: fn(&mut navtile::layout::OffMeshLink)| {
        let mut link = everything().off_mesh_links[0];
        link.user_id = 5;
        link.end_tile = [2, -1, 0];
        change(&mut link);
        content.off_mesh_links = vec![link];
    };
    let far = refused(&|content| link(content, |link| link.end_tile = [4, -1, 0]));
    assert!(far.contains("tiles from an off-mesh link's start to its end is 2"), "{far}");
    assert!(refused(&|content| link(content, |link| link.user_id = 1 << 40)).contains("user's number"));
    assert!(
        refused(&|content| link(content, |link| link.area = 200))
            .contains("area of a polygon or link is 200")
    );
    assert!(refused(&|content| content.size_cells = [70_000, 16]).contains("cells of a tile is 70000"));
    assert!(refused(&|content| content.polygons.clear()).contains("no polygons"));
}

#[test]
fn detail_meshes_that_no_cut_makes_smaller_are_thinned() {
    let mut content = tile(&[vec![[0, 0, WIDTH], [WIDTH, 0, WIDTH], [WIDTH, 0, 0], [0, 0, 0]]]);
    let polygon = &mut content.polygons[0];
    // A fan from one corner: every cut leaves nearly all of its triangles on the side of that corner.
    polygon.detail_vertices = (1..=260).map(|x| [x * 8, x % 2 * 64, 2_000]).collect();
    polygon.detail_triangles = (0..259)
        .map(|i| navtile::DetailTriangleContent { vertices: [3, 4 + i, 5 + i], boundary: [false; 3] })
        .collect();
    let exported = export(&[built(&content)], RefWidth::Bits32).unwrap();
    let said: Vec<String> = exported.diagnostics.iter().map(ToString::to_string).collect();
    let thinned = |line: &String| line.contains("255: it kept") && line.contains("and heights are up to");
    assert!(said.iter().any(thinned), "{said:?}");
    let tile = &exported.set.tiles[0].tile;
    for (mesh, polygon) in tile.detail_meshes.iter().zip(&tile.polygons) {
        assert!(u32::from(mesh.vertex_count) + u32::from(polygon.corner_count) <= 255);
    }
    let triangles = tile.detail_meshes.iter().map(|mesh| usize::from(mesh.triangle_count)).sum::<usize>();
    assert_eq!(triangles, tile.detail_triangles.len());
}

#[test]
fn many_vertices_and_polygons_are_refused() {
    // Strips of loose squares: four vertices each.
    let squares = |count: i32| {
        let squares: Vec<Vec<[i32; 3]>> = (0..count)
            .map(|i| {
                let (x, z) = (i % 128 * 32, i / 128 * 16);
                vec![[x, 0, z + 15], [x + 31, 0, z + 15], [x + 31, 0, z], [x, 0, z]]
            })
            .collect();
        let mut content = tile(&squares);
        content.size_cells = [16, 32];
        export(&[built(&content)], RefWidth::Bits32)
    };
    let error = squares(16_384).unwrap_err().to_string();
    assert!(error.contains("vertices of a tile is 65536, more than the limit of 65535"), "{error}");
    assert_eq!(squares(16_383).unwrap().set.tiles[0].tile.vertices.len(), 65_532);
    // A row of triangles over one edge's points shares vertices, so polygons run out first.
    let fan = |count: i32| {
        let apex = [0, 0, 0];
        let at = |i: i32| [16 + i, 0, 4_000];
        let triangles: Vec<Vec<[i32; 3]>> = (0..count).map(|i| vec![at(i), at(i + 1), apex]).collect();
        let mut content = tile(&triangles);
        content.size_cells = [160, 16];
        export(&[built(&content)], RefWidth::Bits32)
    };
    let error = fan(32_768).unwrap_err().to_string();
    assert!(error.contains("polygons of a tile is 32768, more than the limit of 32767"), "{error}");
    assert_eq!(fan(32_767).unwrap().set.tiles[0].tile.polygons.len(), 32_767);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn changed_sets_never_panic(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..12), wide: bool) {
        let width = if wide { RefWidth::Bits64 } else { RefWidth::Bits32 };
        let mut bytes = mset::write(&set(ByteOrder::Little, width)).unwrap();
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        // An error, or valid tiles.
        if let Ok(Ok(imported)) = read(&bytes).map(|file| import_files(vec![file])) {
            prop_assert!(imported.tiles.iter().all(|tile| Tile::from_bytes(tile.bytes()).is_ok()));
        }
    }

    #[test]
    fn changed_numbers_never_panic(
        vertices in prop::collection::vec((any::<u16>(), 0usize..3, -3.0f32..8.0), 0..20),
        neighbours in prop::collection::vec((any::<u16>(), 0usize..6, 0u16..20, any::<bool>()), 0..20),
        corners in prop::collection::vec((any::<u16>(), 0usize..6, any::<u16>()), 0..20),
    ) {
        let set = set(ByteOrder::Little, RefWidth::Bits32);
        let mut tile = set.tiles[1].tile.clone();
        for (at, axis, metres) in vertices {
            let at = usize::from(at) % tile.vertices.len();
            tile.vertices[at][axis] += metres;
        }
        for (at, edge, neighbour, external) in neighbours {
            let at = usize::from(at) % tile.polygons.len();
            tile.polygons[at].neighbours[edge] = neighbour | u16::from(external) << 15;
        }
        for (at, corner, vertex) in corners {
            let at = usize::from(at) % tile.polygons.len();
            tile.polygons[at].vertices[corner] = vertex % tile.vertices.len() as u16;
        }
        let bytes = detour::write(&tile, Encoding::default()).unwrap();
        if let Ok((tile, _)) = detour::read(&bytes) {
            let imported = import(Some(&set.params), &[tile]).unwrap();
            prop_assert!(Tile::from_bytes(imported.tiles[0].bytes()).is_ok());
        }
    }

    #[test]
    fn random_tiles_come_back(content in random_tile()) {
        let mut content = content;
        content.lattice.origin = [10.0, -5.0, 100.0];
        content.polygons.iter_mut().for_each(|polygon| polygon.flags += 1);
        let before = built(&content);
        let exported = export(std::slice::from_ref(&before), RefWidth::Bits32).unwrap();
        let after = import_files(vec![Foreign::Set(exported.set)]).unwrap();
        prop_assert!(after.diagnostics.is_empty(), "{}", after.diagnostics[0]);
        let after = &after.tiles[0];
        // Positions along x and z are restored exactly: the lattice has the same cells.
        let plan = |tile: &Tile| {
            let count = tile.header().polygon_vertex_count as usize;
            tile.vertices()[..count].iter().map(|vertex| [vertex[0], vertex[2]]).collect::<Vec<_>>()
        };
        prop_assert_eq!(plan(&before), plan(after));
        prop_assert_eq!(before.portals().len(), after.portals().len());
        let links = |tile: &Tile| tile.edges().iter().filter(|edge| edge.kind == 1).count();
        let diagonals = after.polygons().len() - before.polygons().len();
        prop_assert_eq!(links(&before) + diagonals * 2, links(after));
        let cut = before.polygons().iter().filter(|polygon| is_cut(&before, polygon)).count();
        prop_assert!(diagonals >= cut);
        prop_assert!(after.polygons().iter().all(|polygon| !is_cut(after, polygon)));
    }
}
