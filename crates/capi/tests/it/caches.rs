//! Worlds that change, by the calls: tiles have the bytes of the library, meshes follow, and islands part and
//! join.

use crate::calls::support::{done, fails, get, get_both, last_error, list, take};
use navlevel::{Body, Effect, Obstacle};
use navtile_c::bake::{nt_bake_dynamic, nt_bake_from_triangles};
use navtile_c::cache::*;
use navtile_c::mesh::{nt_mesh_free, nt_mesh_new};
use navtile_c::obstacle::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::{NtCache, NtFilter, NtVec3};
use recast::{AreaId, Transform};
use std::ptr::{null, null_mut};
use tilecache::{Budget, TileCache};

const SETTINGS: &std::ffi::CStr = c"cell_size = 0.25\ntile_size = 6\n";

/// A floor of 20 by 6 metres as a dynamic file.
fn floor() -> Vec<u8> {
    let vertices = [0.0f32, 0.0, 0.0, 0.0, 0.0, 6.0, 20.0, 0.0, 6.0, 20.0, 0.0, 0.0];
    let triangles = [0u32, 1, 2, 0, 2, 3];
    let (vertices, triangles) = (vertices.as_ptr(), triangles.as_ptr());
    let bake = get(|out| nt_bake_from_triangles(vertices, 4, triangles, 2, SETTINGS.as_ptr(), out));
    take(get(|out| nt_bake_dynamic(bake, None, null_mut(), out)))
}

fn open(file: &[u8]) -> NtCache {
    get(|out| nt_cache_from_bytes(file.as_ptr(), file.len(), out))
}

/// A wall across the floor at an x, which leaves room at neither end.
fn wall(x: f64) -> NtObstacleParams {
    let mut wall = get(|out| nt_obstacle_init(out));
    (wall.effect, wall.extents) = (NT_EFFECT_BLOCKS, [0.5, 3.0, 8.0]);
    wall.place = get(|out| nt_transform_turned(0.0, x, 0.0, 3.0, out));
    wall
}

#[test]
fn files_have_the_bytes_of_the_library() {
    let file = floor();
    let (cache, mut ours) = (open(&file), TileCache::open(file.clone()).unwrap());
    let params = wall(7.0);
    let ours_wall = Obstacle {
        body: Body::cuboid(params.extents).unwrap(),
        place: Transform::turned(0.0, [7.0, 0.0, 3.0]),
        effect: Effect::Blocks { inflate: true },
    };
    let hull = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0f64]];
    let mesh = [[0.0, 0.5, 0.0], [0.0, 0.5, 2.0], [2.0, 0.5, 2.0f64]];
    let mut ramp = get(|out| nt_obstacle_init(out));
    ramp.place = get(|out| nt_transform_turned(30.0, 12.0, 0.0, 2.0, out));
    let place = Transform::turned(30.0, [12.0, 0.0, 2.0]);
    let solid = Effect::Solid { area: AreaId::GROUND };

    get(|out| nt_cache_add(cache, &raw const params, out));
    get(|out| nt_cache_add_hull(cache, &raw const ramp, hull.as_flattened().as_ptr(), 4, out));
    let points = mesh.as_flattened().as_ptr();
    get(|out| nt_cache_add_mesh(cache, &raw const ramp, points, 3, [0, 1, 2].as_ptr(), 1, out));
    let refused = nt_cache_write(cache, Some(&mut std::mem::MaybeUninit::uninit()));
    fails(refused, NtStatus::NT_ERROR_ARGUMENT, "tiles wait");
    let first = get(|out| nt_cache_update(cache, 1, 0.0, out));
    assert_eq!((first.baked, first.failed), (1, 0));
    assert!(first.left > 0);
    assert_eq!(get(|out| nt_cache_update(cache, 0, 0.0, out)).left, 0);

    ours.add(&ours_wall).unwrap();
    ours.add(&Obstacle { body: Body::hull(&hull).unwrap(), place, effect: solid }).unwrap();
    ours.add(&Obstacle { body: Body::mesh(&mesh, &[[0, 1, 2]]).unwrap(), place, effect: solid }).unwrap();
    ours.update(Budget::all()).unwrap();
    let expected = ours.write(std::io::Cursor::new(Vec::new())).unwrap().into_inner();
    assert!(take(get(|out| nt_cache_write(cache, out))) == expected);

    for obstacle in list(8, |out, capacity, count| nt_cache_obstacles(cache, out, capacity, count)) {
        done(nt_cache_remove(cache, obstacle));
        fails(nt_cache_remove(cache, obstacle), NtStatus::NT_ERROR_ARGUMENT, "no such obstacle");
    }
    get(|out| nt_cache_update(cache, 0, 0.0, out));
    assert!(take(get(|out| nt_cache_write(cache, out))) == file, "nothing is left of them");
    assert!(take(get(|out| nt_cache_failures(cache, out))).is_empty());
    done(nt_cache_free(cache));
}

#[test]
fn a_wall_comes_moves_and_goes() {
    let cache = open(&floor());
    let mesh = get(|out| nt_cache_mesh(cache, null(), out));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let route = || {
        done(nt_query_update(query, mesh));
        let (from, to) = (NtVec3 { x: 2.0, y: 0.0, z: 3.0 }, NtVec3 { x: 18.0, y: 0.0, z: 3.0 });
        get(|out| nt_query_route(query, from, to, null(), out)).end
    };
    let apply = || {
        get(|out| nt_cache_update(cache, 0, 10.0, out));
        get(|out| nt_cache_apply(cache, mesh, out))
    };
    assert_eq!(route(), NtPathEnd::NT_PATH_COMPLETE);
    let params = wall(9.0);
    let obstacle = get(|out| nt_cache_add(cache, &raw const params, out));
    assert!(get(|out| nt_cache_waiting(cache, out)) > 0);
    assert_eq!(route(), NtPathEnd::NT_PATH_COMPLETE, "the mesh has not changed yet");
    let applied = apply();
    assert_eq!((applied.parted, applied.joined), (1, 0));
    let parts = list(8, |out, capacity, count| nt_cache_parted(cache, out, capacity, count));
    assert_eq!(parts.iter().map(|part| part.island).collect::<Vec<_>>(), [0, 0]);
    done(nt_query_update(query, mesh));
    let [a, b] = [parts[0].polygon, parts[1].polygon];
    assert_eq!(get(|out| nt_query_reachable(query, a, b, out)), 0);
    assert_eq!(route(), NtPathEnd::NT_PATH_UNREACHABLE);

    let near = get(|out| nt_transform_turned(0.0, 9.01, 0.0, 3.0, out));
    assert_eq!(get(|out| nt_cache_move(cache, obstacle, Some(&near), out)), 0, "below the threshold");
    let (applied, moved_to) = get_both(|applied, said| nt_cache_places(cache, obstacle, applied, said));
    assert_eq!((applied, moved_to), (params.place, near));
    let far = get(|out| nt_transform_turned(90.0, 9.0, 0.0, 40.0, out));
    assert_eq!(get(|out| nt_cache_move(cache, obstacle, Some(&far), out)), 1);
    let applied = apply();
    assert_eq!((applied.parted, applied.joined), (0, 1));
    assert_eq!(list(8, |out, capacity, count| nt_cache_joined(cache, out, capacity, count)).len(), 2);
    assert_eq!(route(), NtPathEnd::NT_PATH_COMPLETE);
    done(nt_cache_remove(cache, obstacle));
    assert_eq!(apply().replaced, 0, "it was outside");
    done(nt_cache_free(cache));
    assert_eq!(route(), NtPathEnd::NT_PATH_COMPLETE, "the mesh stays");
    done(nt_mesh_free(mesh));
}

#[test]
fn wrong_obstacles_have_words_and_change_nothing() {
    let cache = open(&floor());
    let add = |change: fn(&mut NtObstacleParams)| {
        let mut params = get(|out| nt_obstacle_init(out));
        change(&mut params);
        nt_cache_add(cache, &raw const params, Some(&mut std::mem::MaybeUninit::uninit()))
    };
    type Change = fn(&mut NtObstacleParams);
    let wrong: [(Change, &str); 7] = [
        (|params| params.body = 3, "params.body is 3"),
        (|params| params.effect = 4, "params.effect is 4"),
        (|params| params.area = 256, "params.area is 256"),
        (|params| params.extents[1] = -1.0, "height"),
        (|params| params.place.rows[1][3] = f64::NAN, "not finite"),
        (|params| params.place.rows[0][3] = 1e9, "move it into the level"),
        (|params| params.size = 2, "params.size is 2"),
    ];
    for (change, words) in wrong {
        fails(add(change), NtStatus::NT_ERROR_ARGUMENT, words);
    }
    let update =
        |tiles, seconds| nt_cache_update(cache, tiles, seconds, Some(&mut std::mem::MaybeUninit::uninit()));
    fails(update(1, 1.0), NtStatus::NT_ERROR_ARGUMENT, "tiles or seconds");
    fails(update(0, f64::NAN), NtStatus::NT_ERROR_ARGUMENT, "seconds is NaN");
    fails(update(0, -1.0), NtStatus::NT_ERROR_ARGUMENT, "seconds is -1");
    fails(nt_cache_set_movement_threshold(cache, -1.0), NtStatus::NT_ERROR_ARGUMENT, "threshold");
    let places = [0.0, f64::INFINITY, 0.0];
    fails(nt_cache_set_focus(cache, places.as_ptr(), 1), NtStatus::NT_ERROR_ARGUMENT, "place 0");
    assert_eq!(get(|out| nt_cache_waiting(cache, out)), 0);
    let tile = navscenes::baked_tile("two_rooms").unwrap();
    let plain = nt_cache_from_bytes(tile.bytes().as_ptr(), tile.bytes().len(), None);
    fails(plain, NtStatus::NT_ERROR_ARGUMENT, "out is NULL");
    let other = get(|out| nt_mesh_new(null(), out));
    let params = wall(9.0);
    get(|out| nt_cache_add(cache, &raw const params, out));
    get(|out| nt_cache_update(cache, 0, 0.0, out));
    let applied = get(|out| nt_cache_apply(cache, other, out));
    assert!(applied.added > 0, "{}", last_error());
}
