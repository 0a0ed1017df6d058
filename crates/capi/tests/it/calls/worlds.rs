//! Calls of tile caches, bakes and bytes.

use super::draw::{Draw, Made, lists, made, nothing, pointer};
use super::support::{ask, get};
use navscenes::build::{Builder, rect};
use navtile_c::bake::*;
use navtile_c::cache::*;
use navtile_c::far::*;
use navtile_c::far_route::*;
use navtile_c::mesh::{nt_mesh_from_bytes, nt_mesh_remove_tile};
use navtile_c::obstacle::*;
use navtile_c::portals::*;
use navtile_c::query::{nt_query_nearest, nt_query_new};
use navtile_c::types::*;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

/// A tile of two rooms.
pub(super) static ROOMS: LazyLock<navtile::Tile> =
    LazyLock::new(|| navscenes::baked_tile("two_rooms").expect("the scene bakes"));

/// A level of two tiles that can change, as a file.
pub(super) static DYNAMIC: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 5.0), 0.0);
    let level = recast::PreparedLevel::new(&builder.finish(), &recast::Settings::default());
    tilecache::bake_dynamic(&level.expect("the level is sound"), 16, &[]).expect("the level bakes")
});

/// A level of tiles with a hierarchy, as a file.
pub(crate) static WORLD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let obj = b"v 0 0 0\nv 0 0 30\nv 40 0 30\nv 40 0 0\nf 1 2 3 4\n";
    let settings = "tile_size = 5.0\n[hierarchy]\ncluster = 5.0\nspacing = 2.0";
    let file = navbake::LevelFile { name: "floor.obj", bytes: obj };
    let bake = navbake::LevelBake::new(&[file], Some(settings)).expect("the level is sound");
    bake.run(&navbake::Silent).expect("the level bakes").remove(0).bytes
});

/// Hierarchies, and plans by them.
pub(super) fn hierarchies(draw: &mut Draw<'_>) -> Made {
    let (hierarchy, query) = (NtHierarchy { id: draw.of(11) }, draw.query());
    match draw.below(12) {
        0 => {
            let mut content = WORLD.clone();
            if draw.below(2) == 0 {
                let at = draw.below(content.len() as u64) as usize;
                content[at] ^= 1 << draw.below(8);
            }
            let (bytes, length) = (draw.array(&content), content.len());
            made(ask(|out| nt_hierarchy_from_bytes(bytes, length, out)), |hierarchy| hierarchy.id)
        }
        1 => nothing(ask(|out| nt_hierarchy_open(c"nowhere".as_ptr(), out))),
        2 => nothing(ask(|out| nt_hierarchy_class(hierarchy, c"default".as_ptr(), out))),
        3 => {
            let (class, start, goal) = (draw.below(2) as u32, draw.place(), draw.place());
            nothing(ask(|out| nt_query_far_path(query, hierarchy, class, start, goal, out)))
        }
        4 => {
            let stops = lists(draw, |out, capacity, count| nt_query_far_stops(query, out, capacity, count));
            nothing(stops)
        }
        5 => travellers(),
        6 => made(ask(|out| nt_far_route_new(query, draw.below(7) as u32, out)), |route| route.id),
        7 | 8 => far_routes(draw),
        9 | 10 => portals(draw, hierarchy),
        _ => nothing(nt_hierarchy_free(hierarchy)),
    }
}

/// A hierarchy, and a query of its tiles that has planned a path.
fn travellers() -> Made {
    let hierarchy = get(|out| nt_hierarchy_from_bytes(WORLD.as_ptr(), WORLD.len(), out));
    let mesh = get(|out| nt_mesh_from_bytes(WORLD.as_ptr(), WORLD.len(), null(), out));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let [start, goal] = [[2.0, 2.0], [37.0, 27.0]].map(|[x, z]| {
        let at = NtVec3 { x, y: 0.0, z };
        get(|out| nt_query_nearest(query, at, None, out)).place
    });
    get(|out| nt_query_far_path(query, hierarchy, 0, start, goal, out));
    vec![hierarchy.id, mesh.id, query.id].into_iter()
}

fn far_routes(draw: &mut Draw<'_>) -> Made {
    let route = NtFarRoute { id: draw.of(12) };
    match draw.below(4) {
        0 => {
            let position = draw.numbers::<3>();
            nothing(ask(|out| nt_far_route_advance(route, draw.array(&position), out)))
        }
        1 => {
            let _ = ask(|out| nt_far_route_ahead(route, out));
            let _ = ask(|out| nt_far_route_legs_left(route, out));
            let legs = [0, 1, 6, u32::MAX][draw.below(4) as usize];
            nothing(lists(draw, |out, capacity, count| {
                nt_far_route_columns(route, legs, out, capacity, count)
            }))
        }
        2 => {
            let clusters = [0, 7].map(|z| NtCluster { x: draw.below(9) as i32, z });
            let count = draw.below(3) as usize;
            nothing(ask(|out| nt_far_route_needs_replan(route, draw.array(&clusters), count, out)))
        }
        _ => nothing(nt_far_route_free(route)),
    }
}

/// Portals of a hierarchy, some of them with a number that is wrong, and tiles that come and go.
fn portals(draw: &mut Draw<'_>, hierarchy: NtHierarchy) -> Made {
    let (low, high) = ([-1e30; 3], [1e30, draw.number().into(), 1e30]);
    let mut portals = lists(draw, |out, capacity, count| {
        nt_hierarchy_portals_in(hierarchy, low.as_ptr(), high.as_ptr(), out, capacity, count)
    });
    if let Some(portal) = portals.first_mut() {
        let wrong = [0, 1, -1, i32::MAX, i32::MIN][draw.below(5) as usize];
        match draw.below(8) {
            0 => portal.kind = wrong as u32,
            1 => portal.along = wrong as u32,
            2 => portal.from.x = wrong,
            3 => (portal.to.z, portal.start[1]) = (wrong, i64::MAX),
            4 => portal.height = i64::from(wrong) << 2,
            _ => {}
        }
    }
    let count = portals.len();
    match draw.below(4) {
        0 => nothing(ask(|out| nt_hierarchy_portal_ends(hierarchy, portals.first(), out))),
        1 => nothing(ask(|out| nt_hierarchy_set_closed(hierarchy, draw.array(&portals), count, out))),
        2 => {
            let _ = lists(draw, |out, capacity, count| nt_hierarchy_closed(hierarchy, out, capacity, count));
            nothing(lists(draw, |out, capacity, count| nt_hierarchy_changed(hierarchy, out, capacity, count)))
        }
        _ => {
            let (mesh, x) = (draw.mesh(), [0, 3, i32::MAX, i32::MIN][draw.below(4) as usize]);
            let _ = nt_mesh_remove_tile(mesh, x, 2, 0);
            let tiles = draw.array(&[NtTileCoord { x, z: 2, layer: 0 }]);
            nothing(ask(|out| nt_hierarchy_update(hierarchy, mesh, tiles, 1, out)))
        }
    }
}

pub(super) fn caches(draw: &mut Draw<'_>) -> Made {
    let (cache, obstacle) = (NtCache { id: draw.of(8) }, draw.of(15));
    match draw.below(20) {
        0 => {
            let mut content = DYNAMIC.clone();
            if draw.below(2) == 0 {
                let at = draw.below(content.len() as u64) as usize;
                content[at] ^= 1 << draw.below(8);
            }
            made(ask(|out| nt_cache_from_bytes(content.as_ptr(), content.len(), out)), |cache| cache.id)
        }
        1 => nothing(ask(|out| nt_cache_open(c"nowhere".as_ptr(), out))),
        2 => nothing(nt_cache_free(cache)),
        3 => made(ask(|out| nt_cache_mesh(cache, null(), out)), |mesh| mesh.id),
        4 | 5 => {
            let params = obstacle_params(draw);
            made(ask(|out| nt_cache_add(cache, pointer(params.as_ref()), out)), |obstacle| obstacle)
        }
        6 => {
            let (params, points) = (obstacle_params(draw), draw.numbers::<15>());
            let params = pointer(params.as_ref());
            let count = draw.below(6) as usize;
            made(ask(|out| nt_cache_add_hull(cache, params, draw.array(&points), count, out)), |obstacle| {
                obstacle
            })
        }
        7 => {
            let (params, points) = (obstacle_params(draw), draw.numbers::<12>());
            let triangles = [0, 1, 2, draw.below(5) as u32, 2, 1];
            let added = ask(|out| {
                let points = draw.array(&points);
                nt_cache_add_mesh(cache, pointer(params.as_ref()), points, 4, triangles.as_ptr(), 2, out)
            });
            made(added, |obstacle| obstacle)
        }
        8 | 9 => {
            let place = (draw.below(8) > 0).then(|| transform(draw));
            nothing(ask(|out| nt_cache_move(cache, obstacle, place.as_ref(), out)))
        }
        10 => nothing(nt_cache_remove(cache, obstacle)),
        11 => lists(draw, |out, capacity, count| nt_cache_obstacles(cache, out, capacity, count)).into_iter(),
        12 => nothing(ask(|out| nt_cache_places(cache, obstacle, out, None))),
        13 => {
            let _ = nt_cache_set_movement_threshold(cache, draw.number().into());
            let [time_to_stationary, move_threshold] = draw.numbers::<2>();
            let rule = NtStationary { time_to_stationary, move_threshold };
            let _ = nt_cache_set_stationary(cache, obstacle, (draw.below(3) > 0).then_some(&rule));
            let _ = nt_cache_advance(cache, draw.number().into());
            let _ = ask(|out| nt_cache_is_moving(cache, obstacle, out));
            nothing(nt_cache_set_held_limit(cache, draw.below(2) << 20))
        }
        14 => {
            let places = draw.numbers::<6>();
            nothing(nt_cache_set_focus(cache, draw.array(&places), 2))
        }
        15 | 16 => {
            let _ = ask(|out| nt_cache_waiting(cache, out));
            let tiles = draw.below(3) as usize;
            nothing(ask(|out| nt_cache_update(cache, tiles, draw.number().into(), out)))
        }
        17 => made(ask(|out| nt_cache_failures(cache, out)), |bytes| bytes.id),
        18 => {
            let _ = ask(|out| nt_cache_apply(cache, draw.mesh(), out));
            let parts = if draw.below(2) == 0 { nt_cache_joined } else { nt_cache_parted };
            nothing(lists(draw, |out, capacity, count| parts(cache, out, capacity, count)))
        }
        _ => made(ask(|out| nt_cache_write(cache, out)), |bytes| bytes.id),
    }
}

fn obstacle_params(draw: &mut Draw<'_>) -> Option<NtObstacleParams> {
    let mut params = draw.options(nt_obstacle_init, |params: &mut NtObstacleParams| &mut params.size)?;
    (params.body, params.effect) = (draw.below(4) as u32, draw.below(5) as u32);
    (params.area, params.inflate) = ((draw.below(4) * 63) as u32, draw.below(2) as u32);
    if draw.below(2) == 0 {
        params.extents = draw.numbers();
    }
    params.place = transform(draw);
    Some(params)
}

fn transform(draw: &mut Draw<'_>) -> NtTransform {
    let [yaw, x, y, z] = draw.numbers();
    let turned = ask(|out| nt_transform_turned(yaw, x, y, z, out));
    turned.unwrap_or_else(|_| NtTransform { rows: std::array::from_fn(|_| draw.numbers()) })
}

/// Bakes and bytes.
pub(super) fn bakes(draw: &mut Draw<'_>) -> Made {
    const POINTS: [f32; 12] = [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0, 3.0, 4.0, 0.0, 0.0];
    let (bake, bytes) = (NtBake { id: draw.of(6) }, NtBytes { id: draw.of(7) });
    match draw.below(8) {
        0 => {
            let triangles = [0, 1, 2, 0, 2, draw.below(5) as u32];
            let points = draw.array(&POINTS);
            let made_of = ask(|out| nt_bake_from_triangles(points, 4, triangles.as_ptr(), 2, null(), out));
            made(made_of, |bake| bake.id)
        }
        1 => {
            let text = b"v 0 0 0\nv 0 0 2\nv 2 0 2\nf 1 2 3\n";
            let file = NtFile { name: c"level.obj".as_ptr(), bytes: text.as_ptr(), length: text.len() };
            let settings = [null(), c"cell_size = -1".as_ptr(), c"[agent]\nradius = 0.4".as_ptr()];
            let settings = settings[draw.below(3) as usize];
            made(ask(|out| nt_bake_new(draw.array(&[file]), 1, settings, out)), |bake| bake.id)
        }
        2 => {
            let _ = ask(|out| nt_bake_progress(bake, out));
            let _ = nt_bake_cancel(bake);
            nothing(ask(|out| nt_bake_agents(bake, out)))
        }
        3 => {
            let mut file = NtBytes { id: 0 };
            let count = draw.below(4).min(1) as usize;
            let _ = nt_bake_run(bake, None, null_mut(), &raw mut file, count);
            vec![file.id].into_iter()
        }
        4 => made(ask(|out| nt_bake_dynamic(bake, None, null_mut(), out)), |bytes| bytes.id),
        5 => nothing(nt_bake_free(bake)),
        6 => nothing(nt_bytes_data(bytes, Some(&mut MaybeUninit::uninit()), None)),
        _ => nothing(nt_bytes_free(bytes)),
    }
}
