//! Answers about the ground near a place, of searches in slices and of fields are those of the library.

use crate::calls::support::{ask, done, fails, get, list, scene};
use detour::{
    Field, Filter, LineKind, MeshLine, NavMesh, Neighbourhood, Path, PathOptions, Place, PolyRef, Query,
    Surroundings, Vec3,
};
use navtile_c::field::*;
use navtile_c::mesh::{NtLine, NtLineKind, nt_mesh_lines};
use navtile_c::near::*;
use navtile_c::query::*;
use navtile_c::search::*;
use navtile_c::status::NtStatus;
use navtile_c::types::{NtFilter, NtPlace, NtPolyRef, NtQuery, NtVec3};
use std::mem::MaybeUninit;

/// The scene in C and in Rust.
struct Both {
    query: NtQuery,
    mesh: NavMesh,
    asked: Query,
    filter: Filter,
    state: u64,
}

impl Both {
    fn new() -> Both {
        let query = get(|out| nt_query_new(scene("courtyard"), NtFilter::default(), 0, out));
        let mut mesh = NavMesh::default();
        mesh.add_tile(navscenes::baked_tile("courtyard").unwrap()).unwrap();
        Both { query, mesh, asked: Query::new(), filter: Filter::default(), state: 5 }
    }

    fn place(&mut self) -> (NtPlace, Place) {
        let at = get(|out| nt_query_random_place(self.query, None, 0.0, Some(&mut self.state), out));
        (at, Place { polygon: PolyRef::from_bits(at.polygon).unwrap(), point: at.point.into() })
    }

    fn polygons(&self) -> Vec<NtPolyRef> {
        list(256, |out, capacity, count| nt_query_polygons(self.query, out, capacity, count))
    }
}

fn bits(polygons: impl IntoIterator<Item = PolyRef>) -> Vec<NtPolyRef> {
    polygons.into_iter().map(PolyRef::to_bits).collect()
}

#[test]
fn ground_near_a_place() {
    let mut both = Both::new();
    for _ in 0..300 {
        let (at, ours) = both.place();
        let above = ours.point + Vec3::new(0.3, 3.0, -0.2);
        let (query, mesh, filter) = (both.query, &both.mesh, &both.filter);
        let expected = both.asked.nearest_anywhere(mesh, above * 3.0, filter).unwrap().unwrap();
        let far = (above * 3.0).into();
        assert_eq!(get(|out| nt_query_nearest_anywhere(query, far, out)), expected.into());
        let expected = both.asked.nearest_reachable(mesh, ours.polygon, above, filter).unwrap().unwrap();
        let reached = get(|out| nt_query_nearest_reachable(query, at.polygon, above.into(), out));
        assert_eq!(reached, expected.into());
        let over = ours.point + Vec3::Y;
        let expected = both.asked.below(mesh, over, 2.0, filter).unwrap().unwrap();
        assert_eq!(get(|out| nt_query_below(query, over.into(), 2.0, out)), expected.into());
        let under = ours.point - Vec3::Y;
        let expected = both.asked.above(mesh, under, 2.0, filter).unwrap().unwrap();
        assert_eq!(get(|out| nt_query_above(query, under.into(), 2.0, out)), expected.into());
        let deep = (ours.point - Vec3::Y * 90.0).into();
        let status = nt_query_below(query, deep, 2.0, Some(&mut MaybeUninit::uninit()));
        fails(status, NtStatus::NT_NOT_FOUND, "no such ground");

        let (half, mut inside) = (Vec3::splat(1.0), Vec::new());
        let visit = |polygon| inside.push(polygon);
        both.asked.polygons_in_box(mesh, ours.point, half, filter, visit).unwrap();
        let count = get(|out| nt_query_box(query, at.point, half.into(), out));
        assert_eq!((count, both.polygons()), (inside.len(), bits(inside)));
        let corners = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]];
        let shape = corners.map(|[x, z]| ours.point + Vec3::new(x, 0.0, z));
        let mut around = Surroundings::default();
        both.asked.around_shape(mesh, ours, &shape, filter, &mut around).unwrap();
        let outline = shape.map(NtVec3::from);
        get(|out| nt_query_shape(query, at, outline.as_ptr(), outline.len(), out));
        assert_eq!(both.polygons(), bits(around.polygons.iter().map(|reached| reached.polygon)));
        let mut near = Neighbourhood::default();
        both.asked.neighbourhood(mesh, ours, 9.0, 3, filter, &mut near).unwrap();
        let status = nt_query_neighbourhood(query, at, 9.0, 3, Some(&mut MaybeUninit::uninit()));
        assert_eq!(status == NtStatus::NT_OK, near.complete);
        assert_eq!(both.polygons(), bits(near.polygons.iter().map(|one| one.polygon)));

        let mut segments = Vec::new();
        let visit = |segment: detour::OutlineSegment| segments.push((segment.from, segment.beyond));
        both.asked.outline(mesh, ours.polygon, filter, visit).unwrap();
        let outline =
            list(64, |out, capacity, count| nt_query_outline(query, at.polygon, out, capacity, count));
        let outline = outline.iter().map(|one| (Vec3::from(one.from), PolyRef::from_bits(one.beyond)));
        assert_eq!(outline.collect::<Vec<_>>(), segments);
        let kept = get(|out| nt_query_boundary_point(query, at.polygon, above.into(), out));
        assert_eq!(Vec3::from(kept), mesh.closest_point_on_boundary(ours.polygon, above).unwrap());
    }
}

#[test]
fn searches_in_slices_find_the_path() {
    let mut both = Both::new();
    let mut path = Path::default();
    for _ in 0..100 {
        let [(from, start), (to, goal)] = [(); 2].map(|()| both.place());
        let (query, mesh, filter) = (both.query, &both.mesh, &both.filter);
        both.asked.find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path).unwrap();
        let found = get(|out| nt_query_path(query, from, to, out));
        assert_eq!((found.cost, Vec3::from(found.last_point)), (path.cost, path.end));
        assert_eq!(both.polygons(), bits(path.polygons.iter().copied()));
        let corners = list(64, |out, capacity, count| nt_query_corners(query, out, capacity, count));
        assert_eq!(Vec3::from(corners.last().unwrap().point), path.end);
        let mut shorter = path.polygons.clone();
        let ends = [start.point, path.end];
        let legs = both.asked.shortcut(mesh, ends[0], ends[1], 50.0, filter, &mut shorter).unwrap();
        assert_eq!(get(|out| nt_query_shortcut(query, 50.0, out)), legs);
        assert_eq!(both.polygons(), bits(shorter));

        let search = get(|out| nt_search_new(query, from, to, out));
        let mut slices = 0;
        while get(|out| nt_search_update(search, 1, out)) == 0 {
            let early = nt_search_finish(search, query, Some(&mut MaybeUninit::uninit()));
            fails(early, NtStatus::NT_NOT_FOUND, "not done");
            slices += 1;
        }
        assert!(slices > 0 || path.polygons.len() == 1);
        assert_eq!(get(|out| nt_search_finish(search, query, out)).cost, path.cost);
        assert_eq!(both.polygons(), bits(path.polygons.iter().copied()));
        done(nt_search_free(search));
    }
}

#[test]
fn fields_lead_to_their_goals() {
    let mut both = Both::new();
    let [(a, ours_a), (b, ours_b)] = [(); 2].map(|()| both.place());
    let field = get(|out| nt_field_new(both.query, [a, b].as_ptr(), 2, f32::INFINITY, out));
    let mut ours = Field::default();
    let goals = [ours_a, ours_b];
    both.asked.field(&both.mesh, &goals, f32::INFINITY, &both.filter, &mut ours).unwrap();
    assert_eq!(get(|out| nt_field_complete(field, out)), 1);
    for _ in 0..300 {
        let (from, place) = both.place();
        let step = ask(|out| nt_field_next(field, both.query, from, out));
        let Some(expected) = ours.next(&both.mesh, place) else {
            assert_eq!(step.err(), Some(NtStatus::NT_NOT_FOUND));
            continue;
        };
        let step = step.unwrap();
        assert_eq!(Some(step.cost), ours.distance(&both.mesh, place));
        assert_eq!(Some(Vec3::from(step.direction)), ours.direction(&both.mesh, place));
        assert_eq!((Vec3::from(step.point), step.link), (expected.point, 0));
    }
    assert_eq!(get(|out| nt_field_refresh(field, both.query, out)), 0);
    let none = nt_field_new(both.query, std::ptr::null(), 0, 1.0, Some(&mut MaybeUninit::uninit()));
    fails(none, NtStatus::NT_ERROR_ARGUMENT, "goal");
    done(nt_field_free(field));
    fails(nt_field_free(field), NtStatus::NT_ERROR_HANDLE, "freed");
}

#[test]
fn lines_are_those_of_the_library() {
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile("courtyard").unwrap()).unwrap();
    let of = |kinds: u32| -> Vec<NtLine> {
        list(4096, |out, capacity, count| nt_mesh_lines(scene("courtyard"), kinds, out, capacity, count))
    };
    let ends = |line: &NtLine| (Vec3::from(line.from), Vec3::from(line.to));
    let ours: Vec<MeshLine> = mesh.lines().collect();
    let all = of(0);
    assert_eq!(all.len(), ours.len());
    assert!(all.iter().zip(&ours).all(|(line, ours)| ends(line) == (ours.from, ours.to)));
    let walls = of(1 << NtLineKind::NT_LINE_WALL as u32);
    let expected = ours.iter().filter(|line| line.kind == LineKind::Wall);
    assert_eq!(
        walls.iter().map(ends).collect::<Vec<_>>(),
        expected.map(|line| (line.from, line.to)).collect::<Vec<_>>()
    );
}
