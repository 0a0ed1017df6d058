//! Calls of the C interface in any order, with any handles, places and numbers: what tests draw by a generator, and the fuzz
//! target, which compiles this file too, from its input. No call may panic, and no handle may name two objects.

use crate::support::{Out, ask, ask_list, get, last_error, scene};
use navscenes::build::{Builder, rect};
use navtile_c::bake::*;
use navtile_c::cache::*;
use navtile_c::corridor::*;
use navtile_c::crowd::*;
use navtile_c::mesh::*;
use navtile_c::piece::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

/// Handles that are kept at most, and after how many calls there is a fresh mesh with a query: sooner or later everything is
/// freed.
const MOST: usize = 100;
const FRESH: u64 = 500;
/// The first handles, which are wrong, or of the mesh; they stay.
const FIRST: usize = 6;
/// Room of arrays for answers.
const ROOM: usize = 3;

/// A level of two tiles that can change, as a file.
static DYNAMIC: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 5.0), 0.0);
    let level = recast::PreparedLevel::new(&builder.finish(), &recast::Settings::default());
    tilecache::bake_dynamic(&level.expect("the level is sound"), 16, &[]).expect("the level bakes")
});

/// Handles of all kinds, and how many calls were made.
#[derive(Default)]
pub(crate) struct Calls {
    handles: Vec<u64>,
    count: u64,
}

/// Decisions: each is a number below the one that is passed.
type Next<'a> = &'a mut dyn FnMut(u64) -> u64;

impl Calls {
    /// Makes a call.
    pub(crate) fn one(&mut self, next: Next<'_>) {
        if self.count.is_multiple_of(FRESH) {
            self.refresh();
        }
        self.count += 1;
        let mut draw = Draw { next, handles: &self.handles };
        let made = match draw.below(6) {
            0 => meshes(&mut draw),
            1 => queries(&mut draw),
            2 => corridors(&mut draw),
            3 => crowds(&mut draw),
            4 => caches(&mut draw),
            _ => others(&mut draw),
        };
        assert!(!last_error().contains("fault of the library"), "call {}", self.count);
        self.handles.extend(made.filter(|made| *made != 0));
        if self.handles.len() > MOST {
            let at = FIRST + next((MOST - FIRST) as u64) as usize;
            free_any(self.handles.swap_remove(at));
        }
    }

    fn refresh(&mut self) {
        if let Some(old) = self.handles.get(3) {
            free_any(*old);
        }
        let mesh = scene("two_rooms");
        let wrong = [0, 1, u64::MAX, mesh.id, mesh.id ^ 1 << 60, mesh.id + (1 << 32)];
        self.handles.splice(..self.handles.len().min(FIRST), wrong);
        self.handles.push(get(|out| nt_query_new(mesh, NtFilter::default(), 0, out)).id);
        self.handles.push(get(|out| nt_cache_from_bytes(DYNAMIC.as_ptr(), DYNAMIC.len(), out)).id);
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        self.handles.drain(..).for_each(free_any);
    }
}

/// Frees the object of a handle, of whatever kind.
fn free_any(id: u64) {
    let kinds = [
        nt_mesh_free(NtMesh { id }),
        nt_query_free(NtQuery { id }),
        nt_filter_free(NtFilter { id }),
        nt_crowd_free(NtCrowd { id }),
        nt_corridor_free(NtCorridor { id }),
        nt_bake_free(NtBake { id }),
        nt_bytes_free(NtBytes { id }),
        nt_cache_free(NtCache { id }),
    ];
    assert!(kinds.iter().filter(|status| **status == NtStatus::NT_OK).count() <= 1, "a handle of two kinds");
}

/// Arguments of calls.
struct Draw<'a> {
    next: Next<'a>,
    handles: &'a [u64],
}

impl Draw<'_> {
    fn below(&mut self, count: u64) -> u64 {
        (self.next)(count)
    }

    fn handle(&mut self) -> u64 {
        self.handles[self.below(self.handles.len() as u64) as usize]
    }

    /// Mostly a handle of a kind of object, which its highest bits are.
    fn of(&mut self, kind: u64) -> u64 {
        let fits = |handle: &&u64| **handle >> 60 == kind;
        let count = self.handles.iter().filter(fits).count() as u64;
        if count == 0 || self.below(8) == 0 {
            return self.handle();
        }
        let at = self.below(count) as usize;
        self.handles.iter().filter(fits).nth(at).copied().unwrap_or_default()
    }

    fn number(&mut self) -> f32 {
        const ODD: [f32; 12] =
            [0.0, 1.0, 5.0, 2.5, 8.0, 0.4, -3.0, 1e30, -1e30, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE];
        ODD[self.below(12) as usize]
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number().into())
    }

    fn point(&mut self) -> NtVec3 {
        NtVec3 { x: self.number(), y: self.number(), z: self.number() }
    }

    fn place(&mut self) -> NtPlace {
        NtPlace { polygon: self.handle(), point: self.point() }
    }

    fn mesh(&mut self) -> NtMesh {
        NtMesh { id: self.of(1) }
    }

    fn query(&mut self) -> NtQuery {
        NtQuery { id: self.of(3) }
    }

    /// Options: none, those of the library, or with a size that is wrong.
    fn options<T>(
        &mut self,
        init: extern "C" fn(Out<'_, T>) -> NtStatus,
        size: fn(&mut T) -> &mut u32,
    ) -> Option<T> {
        let mut options = get(|out| init(out));
        match self.below(4) {
            0 => return None,
            1 => *size(&mut options) = self.below(9) as u32,
            _ => {}
        }
        Some(options)
    }

    /// A pointer to an array, or NULL.
    fn array<T>(&mut self, of: &[T]) -> *const T {
        if self.below(8) == 0 { null() } else { of.as_ptr() }
    }
}

/// The address of options, NULL without any.
fn pointer<T>(of: Option<&T>) -> *const T {
    of.map_or(null(), std::ptr::from_ref)
}

/// Handles that a call made.
type Made = std::vec::IntoIter<u64>;

fn nothing<T>(_: T) -> Made {
    Vec::new().into_iter()
}

fn made<T>(answer: Result<T, NtStatus>, id: impl Fn(T) -> u64) -> Made {
    answer.map(|answer| vec![id(answer)]).unwrap_or_default().into_iter()
}

/// Asks for a list in an array that is too short, and without one.
fn lists<T>(draw: &mut Draw<'_>, call: impl FnOnce(*mut T, usize, Out<'_, usize>) -> NtStatus) -> Vec<T> {
    if draw.below(6) == 0 {
        let mut count = MaybeUninit::uninit();
        let _ = call(null_mut(), draw.below(2) as usize, Some(&mut count));
        return Vec::new();
    }
    ask_list(ROOM, call).unwrap_or_default()
}

fn meshes(draw: &mut Draw<'_>) -> Made {
    let (mesh, reference) = (draw.mesh(), draw.handle());
    let filter = NtFilter { id: draw.of(2) };
    match draw.below(20) {
        0 => made(ask(|out| nt_mesh_new(null(), out)), |mesh| mesh.id),
        1 => {
            let anchor = draw.numbers::<3>();
            made(ask(|out| nt_mesh_new(draw.array(&anchor), out)), |mesh| mesh.id)
        }
        2 => made(ask(|out| nt_mesh_copy(mesh, out)), |mesh| mesh.id),
        3 => made(ask(|out| nt_mesh_open(c"nowhere".as_ptr(), null(), out)), |mesh| mesh.id),
        4 => {
            let length = DYNAMIC.len() - draw.below(2) as usize;
            made(ask(|out| nt_mesh_from_bytes(draw.array(&DYNAMIC), length, null(), out)), |mesh| mesh.id)
        }
        5 => nothing(ask(|out| nt_mesh_info(mesh, out))),
        6 => nothing(ask(|out| nt_mesh_area(mesh, c"ground".as_ptr(), out))),
        7 => {
            let tile = navscenes::baked_tile("two_rooms").expect("the scene bakes");
            let length = tile.bytes().len() - draw.below(2) as usize;
            let add = if draw.below(2) == 0 { nt_mesh_add_tile } else { nt_mesh_replace_tile };
            nothing(add(mesh, draw.array(tile.bytes()), length))
        }
        8 => nothing(nt_mesh_remove_tile(mesh, 0, 0, draw.below(2) as i32)),
        9 => nothing(ask(|out| nt_mesh_polygon(mesh, reference, out))),
        10 => nothing(lists(draw, |out, capacity, count| {
            nt_mesh_corners(mesh, reference, out, capacity, count)
        })),
        11 => lists(draw, |out, capacity, count| nt_mesh_polygons(mesh, out, capacity, count)).into_iter(),
        12 => nothing(nt_mesh_set_flags(mesh, reference, draw.below(3) as u32)),
        13 => nothing(nt_mesh_set_area(mesh, reference, draw.below(256) as u8)),
        14 => nothing(nt_mesh_free(mesh)),
        15 => made(ask(|out| nt_filter_new(mesh, out)), |filter| filter.id),
        16 => nothing(nt_filter_set_cost(filter, draw.below(256) as u8, draw.number())),
        17 => nothing(nt_filter_exclude_area(filter, draw.below(256) as u8)),
        18 => nothing(nt_filter_set_flags(filter, draw.below(3) as u32, draw.below(3) as u32)),
        _ => nothing(nt_filter_free(filter)),
    }
}

fn queries(draw: &mut Draw<'_>) -> Made {
    let (query, at, point, number) = (draw.query(), draw.place(), draw.point(), draw.number());
    let other = draw.handle();
    match draw.below(20) {
        0 => {
            let (mesh, filter) = (draw.mesh(), NtFilter { id: other });
            made(ask(|out| nt_query_new(mesh, filter, draw.below(3) as u32, out)), |query| query.id)
        }
        1 => nothing(nt_query_update(query, draw.mesh())),
        2 => nothing(nt_query_set_filter(query, NtFilter { id: other })),
        3 => nothing(nt_query_free(query)),
        4 | 5 => {
            let reach = (draw.below(2) == 0).then(|| draw.point());
            let found = ask(|out| nt_query_nearest(query, point, reach.as_ref(), out));
            made(found, |nearest| nearest.place.polygon)
        }
        6 | 7 => {
            let mut options =
                draw.options(nt_route_options_init, |options: &mut NtRouteOptions| &mut options.size);
            if let Some(options) = &mut options {
                (options.shortest, options.crossings) = (draw.below(2) as u32, draw.below(2) as u32);
            }
            let goal = draw.point();
            nothing(ask(|out| nt_query_route(query, point, goal, pointer(options.as_ref()), out)))
        }
        8 => nothing(lists(draw, |out, capacity, count| nt_query_points(query, out, capacity, count))),
        9 => lists(draw, |out, capacity, count| nt_query_polygons(query, out, capacity, count)).into_iter(),
        10 => nothing(lists(draw, |out, capacity, count| nt_query_corners(query, out, capacity, count))),
        11 => nothing(ask(|out| nt_query_raycast(query, at, point, out))),
        12 => nothing(ask(|out| nt_query_slide(query, at, point, out))),
        13 => nothing(ask(|out| nt_query_height(query, at.polygon, point, out))),
        14 => nothing(ask(|out| nt_query_closest_point(query, at.polygon, point, out))),
        15 => nothing(ask(|out| nt_query_wall(query, at, number, out))),
        16 => nothing(ask(|out| nt_query_around(query, at, number, out))),
        17 => nothing(ask(|out| nt_query_reachable(query, at.polygon, other, out))),
        _ => {
            let around = (draw.below(2) == 0).then_some(at);
            let mut state = draw.below(9);
            let found =
                ask(|out| nt_query_random_place(query, around.as_ref(), number, Some(&mut state), out));
            made(found, |place| place.polygon)
        }
    }
}

fn corridors(draw: &mut Draw<'_>) -> Made {
    let (corridor, query) = (NtCorridor { id: draw.of(4) }, draw.query());
    let (at, point, number) = (draw.place(), draw.point(), draw.number());
    match draw.below(10) {
        0 | 1 => made(ask(|out| nt_corridor_new(at, out)), |corridor| corridor.id),
        2 => nothing(nt_corridor_free(corridor)),
        3 => nothing(nt_corridor_set_path(corridor, query, point)),
        4 => made(ask(|out| nt_corridor_ends(corridor, out, None)), |place| place.polygon),
        5 => nothing(lists(draw, |out, capacity, count| {
            nt_corridor_corners(corridor, query, out, capacity, count)
        })),
        6 => nothing(nt_corridor_move(corridor, query, point, None)),
        7 => nothing(nt_corridor_move_target(corridor, query, point)),
        8 => nothing(nt_corridor_optimise(corridor, query, point, number)),
        _ => nothing(nt_corridor_repair(corridor, query, at)),
    }
}

fn crowds(draw: &mut Draw<'_>) -> Made {
    let (crowd, mesh, agent) = (NtCrowd { id: draw.of(5) }, draw.mesh(), draw.of(0));
    let (number, other) = (draw.number(), draw.handle());
    match draw.below(20) {
        0 => {
            let settings =
                draw.options(nt_crowd_settings_init, |settings: &mut NtCrowdSettings| &mut settings.size);
            made(ask(|out| nt_crowd_new(pointer(settings.as_ref()), out)), |crowd| crowd.id)
        }
        1 => nothing(nt_crowd_free(crowd)),
        2 => nothing(ask(|out| nt_crowd_add_filter(crowd, NtFilter { id: other }, out))),
        3 | 4 => {
            let params = agent_params(draw);
            let at = draw.point();
            made(ask(|out| nt_crowd_add(crowd, mesh, at, pointer(params.as_ref()), out)), |agent| agent)
        }
        5 => {
            let params = agent_params(draw);
            nothing(nt_crowd_set_params(crowd, agent, pointer(params.as_ref())))
        }
        6 => nothing(nt_crowd_remove(crowd, agent)),
        7 => nothing(nt_crowd_send(crowd, agent, draw.place())),
        8 => nothing(nt_crowd_chase(crowd, agent, other)),
        9 => nothing(nt_crowd_set_velocity(crowd, agent, number, draw.number())),
        10 => nothing(nt_crowd_stop(crowd, agent)),
        11 => nothing(nt_crowd_finish_link(crowd, agent)),
        12 => {
            let points = [draw.point(), draw.point()];
            nothing(nt_crowd_set_interest(crowd, draw.array(&points), 2, number))
        }
        13 | 14 => nothing(nt_crowd_step(crowd, mesh, number)),
        15 => {
            let views = lists(draw, |out, capacity, count| nt_crowd_agents(crowd, out, capacity, count));
            views.iter().map(|view| view.agent).collect::<Vec<_>>().into_iter()
        }
        16 => nothing(ask(|out| nt_crowd_agent(crowd, agent, out))),
        17 => nothing(lists(draw, |out, capacity, count| nt_crowd_events(crowd, out, capacity, count))),
        18 => nothing(ask(|out| nt_crowd_hash(crowd, out))),
        _ => save_and_restore(draw, crowd, mesh),
    }
}

fn agent_params(draw: &mut Draw<'_>) -> Option<NtAgentParams> {
    let mut params = draw.options(nt_agent_params_init, |params: &mut NtAgentParams| &mut params.size)?;
    if draw.below(2) == 0 {
        (params.radius, params.max_speed, params.horizon) = (draw.number(), draw.number(), draw.number());
        (params.filter, params.avoidance) = (draw.below(3) as u32, draw.below(4) as u32);
    }
    Some(params)
}

fn save_and_restore(draw: &mut Draw<'_>, crowd: NtCrowd, mesh: NtMesh) -> Made {
    let Ok(bytes) = ask(|out| nt_crowd_save(crowd, out)) else { return nothing(()) };
    let mut content = crate::support::take(bytes);
    if draw.below(2) == 0 {
        let at = draw.below(content.len() as u64) as usize;
        content[at] ^= 1 << draw.below(8);
    }
    nothing(nt_crowd_restore(crowd, mesh, content.as_ptr(), content.len()))
}

fn caches(draw: &mut Draw<'_>) -> Made {
    let (cache, piece) = (NtCache { id: draw.of(8) }, draw.of(15));
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
            let params = piece_params(draw);
            made(ask(|out| nt_cache_add(cache, pointer(params.as_ref()), out)), |piece| piece)
        }
        6 => {
            let (params, points) = (piece_params(draw), draw.numbers::<15>());
            let params = pointer(params.as_ref());
            let count = draw.below(6) as usize;
            made(ask(|out| nt_cache_add_hull(cache, params, draw.array(&points), count, out)), |piece| piece)
        }
        7 => {
            let (params, points) = (piece_params(draw), draw.numbers::<12>());
            let triangles = [0, 1, 2, draw.below(5) as u32, 2, 1];
            let added = ask(|out| {
                let points = draw.array(&points);
                nt_cache_add_mesh(cache, pointer(params.as_ref()), points, 4, triangles.as_ptr(), 2, out)
            });
            made(added, |piece| piece)
        }
        8 | 9 => {
            let place = (draw.below(8) > 0).then(|| transform(draw));
            nothing(ask(|out| nt_cache_move(cache, piece, place.as_ref(), out)))
        }
        10 => nothing(nt_cache_remove(cache, piece)),
        11 => lists(draw, |out, capacity, count| nt_cache_pieces(cache, out, capacity, count)).into_iter(),
        12 => nothing(ask(|out| nt_cache_places(cache, piece, out, None))),
        13 => {
            let _ = nt_cache_set_movement_threshold(cache, draw.number().into());
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

fn piece_params(draw: &mut Draw<'_>) -> Option<NtPieceParams> {
    let mut params = draw.options(nt_piece_init, |params: &mut NtPieceParams| &mut params.size)?;
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
fn others(draw: &mut Draw<'_>) -> Made {
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
        2 => nothing(ask(|out| nt_bake_agents(bake, out))),
        3 => {
            let mut file = NtBytes { id: 0 };
            let count = draw.below(4).min(1) as usize;
            let _ = nt_bake_run(bake, None, null_mut(), &raw mut file, count);
            vec![file.id].into_iter()
        }
        4 => made(ask(|out| nt_bake_dynamic(bake, out)), |bytes| bytes.id),
        5 => nothing(nt_bake_free(bake)),
        6 => nothing(nt_bytes_data(bytes, Some(&mut MaybeUninit::uninit()), None)),
        _ => nothing(nt_bytes_free(bytes)),
    }
}
