//! The C++ library loads the tile sets that we write, joins their tiles as we do, and finds every polygon.
//! Its swapped byte order equals ours.
#![allow(clippy::unwrap_used)]

use navinterop::export::export;
use navinterop::import::import;
use navinterop::{ByteOrder, Encoding, RefWidth, detour};
use navlevel::bake_tiles;
use navtile::Tile;
use navtile::islands::Islands;
use navtile::layout::{edge_kind, side};
use navtile::seam::match_portals;
use oracle::runtime::load::{buffer, load};
use oracle::runtime::pair::for_detour;
use recast::{AreaId, OffMeshConnection, PreparedLevel, Scratch, Silent, bake_solo};
use recastnavigation_rs::detour as cpp;
use std::collections::BTreeMap;

/// In a polygon's neighbours: the tile's border.
const EXTERNAL: u16 = 0x8000;
/// In a polygon's links: no link.
const NO_LINK: u32 = u32::MAX;

/// The figures of a mesh: polygons of the ground, islands, portals, and portals that meet another.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    polygons: usize,
    islands: usize,
    portals: usize,
    met: usize,
}

/// All polygons of the C++ mesh: reference, tile and polygon.
fn polygons(mesh: &cpp::DtNavMesh) -> Vec<(u32, &cpp::DtMeshTile, &cpp::DtPoly)> {
    let mut all = Vec::new();
    for index in 0..mesh.max_tiles() {
        let Some(tile) = mesh.get_tile(index).filter(|tile| tile.header().is_some()) else { continue };
        let base = mesh.get_tile_ref(tile).0;
        all.extend((0..).zip(tile.polys()).map(|(number, polygon)| (base | number, tile, polygon)));
    }
    all
}

fn is_ground(polygon: &cpp::DtPoly) -> bool {
    polygon.area_and_type >> 6 == 0
}

/// References and edges of a polygon's links.
fn links(tile: &cpp::DtMeshTile, polygon: &cpp::DtPoly) -> Vec<(u32, u8)> {
    let mut links = Vec::new();
    let mut next = polygon.first_link;
    while next != NO_LINK {
        let link = &tile.links()[next as usize];
        links.push((link.re.0, link.edge));
        next = link.next;
    }
    links
}

fn theirs(mesh: &cpp::DtNavMesh) -> Seen {
    let all = polygons(mesh);
    let ground: BTreeMap<u32, usize> = (0..)
        .zip(&all)
        .filter(|(_, polygon)| is_ground(polygon.2))
        .map(|(at, polygon)| (polygon.0, at))
        .collect();
    let mut seen = Seen { polygons: ground.len(), ..Seen::default() };
    let mut reached = vec![false; all.len()];
    for &start in ground.values() {
        seen.islands += usize::from(!reached[start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                let (_, tile, polygon) = all[at];
                open.extend(links(tile, polygon).iter().filter_map(|(other, _)| ground.get(other)));
            }
        }
        let (_, tile, polygon) = all[start];
        let met: Vec<u8> = links(tile, polygon).into_iter().map(|(_, edge)| edge).collect();
        for edge in 0..polygon.vert_count {
            if polygon.neis[usize::from(edge)] & EXTERNAL != 0 {
                seen.portals += 1;
                seen.met += usize::from(met.contains(&edge));
            }
        }
    }
    seen
}

fn ours(tiles: &[Tile]) -> Seen {
    let mut seen = Seen { islands: Islands::find(tiles).len(), ..Seen::default() };
    for tile in tiles {
        seen.polygons += tile.polygons().len();
        seen.portals += tile.edges().iter().filter(|edge| edge.kind == edge_kind::PORTAL).count();
        let mut met = vec![false; tile.portals().len()];
        for other in tiles {
            let away = [other.coord().x - tile.coord().x, other.coord().z - tile.coord().z];
            let on = match away {
                [-1, 0] => side::X_MIN,
                [0, 1] => side::Z_MAX,
                [1, 0] => side::X_MAX,
                [0, -1] => side::Z_MIN,
                _ => continue,
            };
            match_portals(tile, on, other).iter().for_each(|found| met[found.a as usize] = true);
        }
        seen.met += met.iter().filter(|met| **met).count();
    }
    seen
}

/// Checks that every polygon's centre, at the height of its detail mesh, is found in that polygon.
fn assert_found(mesh: &cpp::DtNavMesh) {
    let query = cpp::DtNavMeshQuery::with_mesh(mesh, 2048).unwrap();
    let filter = cpp::DtQueryFilter::default();
    for (reference, tile, polygon) in polygons(mesh).into_iter().filter(|polygon| is_ground(polygon.2)) {
        let corners = &polygon.verts[..usize::from(polygon.vert_count)];
        let mut centre = [0.0f32; 3];
        for &corner in corners {
            for (sum, part) in centre.iter_mut().zip(tile.verts()[usize::from(corner)]) {
                *sum += part / corners.len() as f32;
            }
        }
        centre[1] = query.get_poly_height(cpp::DtPolyRef(reference), &centre).unwrap();
        let (nearest, at) = query.find_nearest_poly_1(&centre, &[0.05, 0.5, 0.05], &filter).unwrap();
        assert_eq!(nearest.0, reference, "{centre:?} is nearest to {at:?}");
    }
}

#[test]
fn detour_loads_our_sets_and_joins_their_tiles_as_we_do() {
    for scene in navscenes::all() {
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        for cells in [None, Some(20), Some(48)] {
            let tiles: Vec<Tile> = match cells {
                None => vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile],
                Some(cells) => {
                    bake_tiles(&level, cells, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect()
                }
            };
            let mesh = load(&export(&tiles, RefWidth::Bits32).unwrap().set).unwrap();
            assert_eq!(theirs(&mesh), ours(&for_detour(&tiles).unwrap()), "{} {cells:?}", scene.name);
            assert_found(&mesh);
        }
    }
}

#[test]
fn detour_joins_both_ends_of_off_mesh_connections() {
    let scene = navscenes::by_name("plane").unwrap();
    let mut settings = (scene.settings)();
    let connection = |start, end, both_ways| OffMeshConnection {
        start,
        end,
        radius: 0.6,
        both_ways,
        area: AreaId(5),
        flags: Some(8),
        user_id: 7,
        along: [0.0; 2],
    };
    settings.off_mesh_connections = vec![
        connection([3.0, 0.0, 3.0], [8.0, 0.0, 3.0], true),
        connection([8.0, 0.0, 3.0], [3.5, 0.0, 4.0], false),
        connection([3.0, 0.0, 3.5], [4.0, 0.0, 4.0], true),
    ];
    let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
    let tiles: Vec<Tile> =
        bake_tiles(&level, 20, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect();
    let mesh = load(&export(&tiles, RefWidth::Bits32).unwrap().set).unwrap();
    let connections: Vec<_> = polygons(&mesh).into_iter().filter(|polygon| !is_ground(polygon.2)).collect();
    assert_eq!(connections.len(), 3);
    for (reference, tile, polygon) in connections {
        let ends: Vec<u32> = links(tile, polygon).into_iter().map(|(other, _)| other).collect();
        assert_eq!(ends.len(), 2, "polygon {reference:#x}");
        assert_eq!((polygon.flags, polygon.area_and_type), (8, 5 | 1 << 6));
    }
}

#[test]
fn the_other_byte_order_is_that_of_the_library() {
    let scene = navscenes::by_name("courtyard").unwrap();
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    let tile = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile;
    let set = export(&[tile], RefWidth::Bits32).unwrap().set;
    let little = detour::write(&set.tiles[0].tile, set.encoding).unwrap();
    let mut swapped = buffer(&little).unwrap();
    // Swaps the numbers of the parts first, while the header can still be read.
    cpp::dt_nav_mesh_data_swap_endian(&mut swapped).unwrap();
    cpp::dt_nav_mesh_header_swap_endian(&mut swapped).unwrap();
    let big = Encoding { order: ByteOrder::Big, ..set.encoding };
    assert_eq!(&swapped.as_ref()[..little.len()], detour::write(&set.tiles[0].tile, big).unwrap());
    assert_eq!(detour::read(&swapped.as_ref()[..little.len()]).unwrap(), (set.tiles[0].tile.clone(), big));
}

#[test]
fn tiles_that_the_library_makes_are_imported() {
    // Two squares of four cells, the second one at the tile's side towards +x, and an off-mesh connection
    // between them.
    let wall = 0xffff;
    let mut params = cpp::DtNavMeshCreateParams {
        verts: Some(&[[0, 1, 8], [4, 1, 8], [4, 1, 4], [0, 1, 4], [8, 3, 8], [8, 3, 4]]),
        polys: Some(&[0, 1, 2, 3, wall, 1, wall, wall, 1, 4, 5, 2, wall, 0x8002, wall, 0]),
        poly_flags: Some(&[1, 3]),
        poly_areas: Some(&[0, 5]),
        nvp: 4,
        detail_meshes: Some(&[[0, 4, 0, 2], [4, 5, 2, 4]]),
        detail_verts: Some(&[
            [0.0, 0.2, 2.4],
            [1.2, 0.2, 2.4],
            [1.2, 0.2, 1.2],
            [0.0, 0.2, 1.2],
            [1.2, 0.2, 2.4],
            [2.4, 0.6, 2.4],
            [2.4, 0.6, 1.2],
            [1.2, 0.2, 1.2],
            [1.8, 0.7, 1.8],
        ]),
        detail_tris: Some(&[
            [0, 1, 2, 0b00_01_01],
            [0, 2, 3, 0b01_01_00],
            [0, 1, 4, 1],
            [1, 2, 4, 1],
            [2, 3, 4, 1],
            [3, 0, 4, 1],
        ]),
        off_mesh_con_verts: Some(&[cpp::DtAABB { a: [0.6, 0.2, 1.8], b: [2.1, 0.5, 1.8] }]),
        off_mesh_con_rad: Some(&[0.3]),
        off_mesh_con_flags: Some(&[8]),
        off_mesh_con_areas: Some(&[9]),
        off_mesh_con_dir: Some(&[1]),
        off_mesh_con_user_id: Some(&[77]),
        bmax: [2.4, 3.0, 2.4],
        walkable_height: 2.0,
        walkable_radius: 0.6,
        walkable_climb: 0.9,
        cs: 0.3,
        ch: 0.2,
        build_bv_tree: true,
        ..cpp::DtNavMeshCreateParams::default()
    };
    let made = cpp::dt_create_nav_mesh_data(&mut params).unwrap();
    let (tile, encoding) = detour::read(made.as_ref()).unwrap();
    assert_eq!(encoding, Encoding::default());
    assert_eq!(detour::write(&tile, encoding).unwrap(), made.as_ref());
    let imported = import(None, &[tile]).unwrap();
    assert!(imported.diagnostics.is_empty(), "{}", imported.diagnostics[0]);
    assert_eq!(imported.meta.cell, [0.3, 0.2]);
    let areas: Vec<_> = imported.meta.areas.iter().map(|area| (area.id, area.flags)).collect();
    assert_eq!(areas, [(5, 3), (9, 8), (64, 1)]);
    let tile = &imported.tiles[0];
    assert_eq!((tile.header().width, tile.header().depth), (8, 8));
    let vertices = &tile.vertices()[..tile.header().polygon_vertex_count as usize];
    assert!(vertices.iter().flatten().all(|value| value % 256 == 0), "{vertices:?}");
    let seen = Seen { polygons: 2, islands: 1, portals: 1, met: 0 };
    assert_eq!(ours(&imported.tiles), seen);
    assert_eq!(tile.portals()[0].side, side::X_MAX);
    let link = tile.off_mesh_links()[0];
    assert_eq!((link.radius, link.direction, link.area, link.flags, link.user_id), (256, 1, 9, 8, 77));
    assert_eq!(link.end_tile, [0, 0, 0]);
}
