//! Calls of meshes, filters, queries, corridors, fields and searches.

use super::draw::{Draw, Made, lists, made, nothing, pointer};
use super::support::{ask, take};
use super::worlds::{DYNAMIC, ROOMS};
use navtile_c::corridor::*;
use navtile_c::field::*;
use navtile_c::links::*;
use navtile_c::mesh::*;
use navtile_c::near::*;
use navtile_c::query::*;
use navtile_c::search::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::ptr::null;

pub(super) fn meshes(draw: &mut Draw<'_>) -> Made {
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
            let length = ROOMS.bytes().len() - draw.below(2) as usize;
            let add = if draw.below(2) == 0 { nt_mesh_add_tile } else { nt_mesh_replace_tile };
            nothing(add(mesh, draw.array(ROOMS.bytes()), length))
        }
        8 => nothing(nt_mesh_remove_tile(mesh, 0, 0, draw.below(2) as i32)),
        9 => nothing(ask(|out| nt_mesh_polygon(mesh, reference, out))),
        10 => nothing(lists(draw, |out, capacity, count| {
            nt_mesh_corners(mesh, reference, out, capacity, count)
        })),
        11 => match draw.below(2) {
            0 => lists(draw, |out, capacity, count| nt_mesh_polygons(mesh, out, capacity, count)).into_iter(),
            _ => {
                let kinds = draw.below(32) as u32;
                nothing(lists(draw, |out, capacity, count| nt_mesh_lines(mesh, kinds, out, capacity, count)))
            }
        },
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

pub(super) fn queries(draw: &mut Draw<'_>) -> Made {
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
                (options.optimality, options.crossings) = (draw.below(4) as u32, draw.below(2) as u32);
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

pub(super) fn corridors(draw: &mut Draw<'_>) -> Made {
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

/// Off-mesh links, tiles, and the state of tiles.
pub(super) fn links(draw: &mut Draw<'_>) -> Made {
    let (mesh, corridor, query) = (draw.mesh(), NtCorridor { id: draw.of(4) }, draw.query());
    let (reference, at) = (draw.handle(), draw.place());
    match draw.below(13) {
        0 | 1 => {
            let links =
                lists(draw, |out, capacity, count| nt_mesh_off_mesh_links(mesh, out, capacity, count));
            links.into_iter()
        }
        2 => nothing(ask(|out| nt_mesh_off_mesh(mesh, reference, out))),
        10 => {
            let backwards = draw.below(3) as u8;
            nothing(ask(|out| nt_mesh_link_crossing(mesh, reference, backwards, at.point, out, None)))
        }
        3 => made(ask(|out| nt_corridor_link_ahead(corridor, query, out)), |ahead| ahead.link),
        4 => nothing(ask(|out| nt_corridor_move_over_link(corridor, query, reference, out))),
        5 => nothing(nt_corridor_fix_start(corridor, query, at)),
        6 => nothing(nt_corridor_reset(corridor, at)),
        7 => lists(draw, |out, capacity, count| nt_corridor_polygons(corridor, out, capacity, count))
            .into_iter(),
        8 => nothing(ask(|out| nt_corridor_is_valid(corridor, query, draw.below(9) as usize, out))),
        9 => nothing(lists(draw, |out, capacity, count| nt_mesh_tiles(mesh, out, capacity, count))),
        _ => {
            let Ok(bytes) = ask(|out| nt_mesh_store_state(mesh, 0, 0, 0, out)) else { return nothing(()) };
            let mut state = take(bytes);
            if draw.below(2) == 0 {
                let at = draw.below(state.len() as u64) as usize;
                state[at] ^= 1 << draw.below(8);
            }
            nothing(nt_mesh_restore_state(mesh, 0, 0, 0, state.as_ptr(), state.len()))
        }
    }
}

/// Ground near a place.
pub(super) fn near(draw: &mut Draw<'_>) -> Made {
    let (query, at, point, number) = (draw.query(), draw.place(), draw.point(), draw.number());
    let place = |found: Result<NtPlace, NtStatus>| made(found, |place| place.polygon);
    match draw.below(10) {
        0 => place(ask(|out| nt_query_nearest_anywhere(query, point, out))),
        1 => place(ask(|out| nt_query_nearest_reachable(query, at.polygon, point, out))),
        2 => place(ask(|out| nt_query_below(query, point, number, out))),
        3 => place(ask(|out| nt_query_above(query, point, number, out))),
        4 => nothing(ask(|out| nt_query_box(query, point, draw.point(), out))),
        5 => {
            let shape = [draw.point(), draw.point(), draw.point(), draw.point()];
            let count = draw.below(5) as usize;
            nothing(ask(|out| nt_query_shape(query, at, draw.array(&shape), count, out)))
        }
        6 => {
            let limit = draw.below(9) as usize;
            nothing(ask(|out| nt_query_neighbourhood(query, at, number, limit, out)))
        }
        7 | 8 => {
            lists(draw, |out, capacity, count| nt_query_outline(query, at.polygon, out, capacity, count))
                .iter()
                .map(|segment| segment.beyond)
                .collect::<Vec<_>>()
                .into_iter()
        }
        _ => nothing(ask(|out| nt_query_boundary_point(query, at.polygon, point, out))),
    }
}

/// Paths, in one go and in slices, and fields.
pub(super) fn fields_and_searches(draw: &mut Draw<'_>) -> Made {
    let (field, search) = (NtField { id: draw.of(9) }, NtSearch { id: draw.of(10) });
    let (query, at, other) = (draw.query(), draw.place(), draw.place());
    match draw.below(12) {
        0 => nothing(ask(|out| nt_query_path(query, at, other, out))),
        1 => nothing(ask(|out| nt_query_shortcut(query, draw.number(), out))),
        2 => made(ask(|out| nt_search_new(query, at, other, out)), |search| search.id),
        3 | 4 => nothing(ask(|out| nt_search_update(search, draw.below(3) as u32, out))),
        5 => nothing(ask(|out| nt_search_finish(search, query, out))),
        6 => nothing(nt_search_free(search)),
        7 => {
            let (goals, bound) = ([at, other], draw.number());
            let count = draw.below(3) as usize;
            made(ask(|out| nt_field_new(query, draw.array(&goals), count, bound, out)), |field| field.id)
        }
        8 => nothing(ask(|out| nt_field_refresh(field, query, out))),
        9 => nothing(ask(|out| nt_field_next(field, query, at, out))),
        10 => nothing(ask(|out| nt_field_complete(field, out))),
        _ => nothing(nt_field_free(field)),
    }
}
