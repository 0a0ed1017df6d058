//! Off-mesh links: found, walked to and taken; and the state of tiles.

use crate::calls::support::{done, fails, get, get_both, list, take};
use navscenes::build::{Builder, rect};
use navtile_c::corridor::*;
use navtile_c::links::*;
use navtile_c::mesh::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::{NtFilter, NtMesh, NtTileCoord, NtVec3};
use recast::settings::OffMeshConnection;
use recast::{AreaId, PreparedLevel, Settings, Silent};
use std::ptr::null;

/// Two floors with a gap between, and a link over it.
fn gap() -> NtMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 5.0, 8.0), 0.0).floor(rect(7.0, 0.0, 12.0, 8.0), 0.0);
    let mut settings = Settings { agent_radius: 0.3, cell_size: 0.1, ..Settings::default() };
    settings.off_mesh_connections.push(OffMeshConnection {
        start: [4.5, 0.0, 4.0],
        end: [7.5, 0.0, 4.0],
        radius: 0.5,
        both_ways: false,
        area: AreaId::GROUND,
        flags: None,
        user_id: 77,
        along: [0.0; 2],
    });
    let level = PreparedLevel::new(&builder.finish(), &settings).unwrap();
    let tile = recast::bake_solo(&level, &Silent, &mut recast::Scratch::new()).unwrap().tile;
    let mesh = get(|out| nt_mesh_new(null(), out));
    done(nt_mesh_add_tile(mesh, tile.bytes().as_ptr(), tile.bytes().len()));
    mesh
}

#[test]
fn a_character_takes_a_link() {
    let mesh = gap();
    let links = list(4, |out, capacity, count| nt_mesh_off_mesh_links(mesh, out, capacity, count));
    let [link] = links[..] else { panic!("{links:?}") };
    let described = get(|out| nt_mesh_off_mesh(mesh, link, out));
    assert_eq!((described.user_id, described.both_ways, described.is_joined), (77, 0, 1));
    // Between points: one crossing, whatever is near, in either direction.
    let near = NtVec3 { x: 1.0, y: 0.0, z: 0.0 };
    assert_eq!(described.half_edge, NtVec3::default());
    let crossing = |back| get_both(|start, end| nt_mesh_link_crossing(mesh, link, back, near, start, end));
    assert_eq!(crossing(0), (described.start, described.end));
    assert_eq!(crossing(1), (described.end, described.start));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let (from, to) = (NtVec3 { x: 1.0, y: 0.0, z: 4.0 }, NtVec3 { x: 11.0, y: 0.0, z: 4.0 });
    let start = get(|out| nt_query_nearest(query, from, None, out)).place;
    let corridor = get(|out| nt_corridor_new(start, out));
    get(|out| nt_query_route(query, from, to, null(), out));
    done(nt_corridor_set_path(corridor, query, to));
    let polygons = list(8, |out, capacity, count| nt_corridor_polygons(corridor, out, capacity, count));
    assert!(polygons.contains(&link));
    assert_eq!(get(|out| nt_corridor_is_valid(corridor, query, 8, out)), 1);
    let ahead = get(|out| nt_corridor_link_ahead(corridor, query, out));
    assert_eq!((ahead.link, ahead.start, ahead.end), (link, described.start, described.end));
    let over = get(|out| nt_corridor_move_over_link(corridor, query, link, out));
    assert_eq!(over, described.end);
    let again = nt_corridor_move_over_link(corridor, query, link, None);
    fails(again, NtStatus::NT_NOT_FOUND, "is not the next one");
    assert_eq!(get_both(|at, target| nt_corridor_ends(corridor, at, target)).0, over);
    fails(nt_corridor_fix_start(corridor, query, start), NtStatus::NT_NOT_FOUND, "over the place");
    done(nt_corridor_reset(corridor, over));
    let polygons = list(8, |out, capacity, count| nt_corridor_polygons(corridor, out, capacity, count));
    assert_eq!(polygons, [over.polygon]);
    fails(nt_mesh_off_mesh(mesh, over.polygon, None), NtStatus::NT_ERROR_REFERENCE, "link");
    let of_polygon = nt_mesh_link_crossing(mesh, over.polygon, 0, near, None, None);
    fails(of_polygon, NtStatus::NT_ERROR_REFERENCE, "link");
}

#[test]
fn flags_are_stored_and_restored() {
    let mesh = gap();
    let link = list(4, |out, capacity, count| nt_mesh_off_mesh_links(mesh, out, capacity, count))[0];
    assert_eq!(
        list(4, |out, capacity, count| nt_mesh_tiles(mesh, out, capacity, count)),
        [NtTileCoord::default()]
    );
    done(nt_mesh_set_flags(mesh, link, 8));
    let state = take(get(|out| nt_mesh_store_state(mesh, 0, 0, 0, out)));
    done(nt_mesh_set_flags(mesh, link, 1));
    done(nt_mesh_restore_state(mesh, 0, 0, 0, state.as_ptr(), state.len()));
    assert_eq!(get(|out| nt_mesh_polygon(mesh, link, out)).flags, 8);
    let short = nt_mesh_restore_state(mesh, 0, 0, 0, state.as_ptr(), state.len() - 1);
    assert_eq!(short, NtStatus::NT_ERROR_DATA);
    fails(nt_mesh_restore_state(mesh, 1, 0, 0, state.as_ptr(), 9), NtStatus::NT_ERROR_ARGUMENT, "tile");
}
