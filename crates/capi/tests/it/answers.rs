//! Answers of queries are those of the library.

use crate::calls::support::{done, get, last_error, list, scene};
use detour::{Filter, NavMesh, PolyRef, Query, Ray, RouteOptions, Slide, Vec3};
use navtile_c::mesh::nt_mesh_free;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::{NtFilter, NtPlace, NtVec3};
use std::mem::MaybeUninit;
use std::ptr::null;

/// The mesh of the scene in Rust.
fn in_rust(name: &str) -> NavMesh {
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile(name).unwrap()).unwrap();
    mesh
}

fn place(of: NtPlace) -> detour::Place {
    detour::Place { polygon: PolyRef::from_bits(of.polygon).unwrap(), point: of.point.into() }
}

/// 2,000 times nine questions.
#[test]
fn answers_are_those_of_the_library() {
    let (mesh, ours) = (scene("two_rooms"), in_rust("two_rooms"));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let (mut asked, filter, options) = (Query::new(), Filter::default(), RouteOptions::default());
    let (mut ray, mut slide, mut state) = (Ray::default(), Slide::default(), 1);
    for number in 0..2_000 {
        let [a, b] =
            [(); 2].map(|()| get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out)));
        let (from, to) = (Vec3::from(a.point) + Vec3::Y * 0.3, Vec3::from(b.point));
        let nearest = get(|out| nt_query_nearest(query, from.into(), None, out));
        let expected = asked.nearest(&ours, from, options.half_extents, &filter).unwrap();
        assert_eq!(nearest.place, expected.place().into(), "question {number}");
        assert_eq!(nearest.distance, expected.distance);

        let route = get(|out| nt_query_route(query, from.into(), to.into(), null(), out));
        let expected = asked.route(&ours, from, to, &filter, &options).unwrap();
        assert_eq!((route.length, route.cost), (expected.length, expected.cost));
        let points = list(64, |out, capacity, count| nt_query_points(query, out, capacity, count));
        let expected: Vec<NtVec3> = expected.points.into_iter().map(NtVec3::from).collect();
        assert_eq!(points, expected);
        let corners = list(64, |out, capacity, count| nt_query_corners(query, out, capacity, count));
        assert_eq!(corners.len(), points.len());
        for (corner, point) in corners.iter().zip(&expected) {
            assert_eq!((corner.point.x, corner.point.z), (point.x, point.z));
        }
        let short = nt_query_points(query, std::ptr::null_mut(), 0, Some(&mut MaybeUninit::uninit()));
        assert_eq!(short, NtStatus::NT_TRUNCATED);
        assert!(last_error().contains("room for 0"));

        let start = place(nearest.place);
        let hit = get(|out| nt_query_raycast(query, nearest.place, to.into(), out));
        asked.raycast(&ours, start, to, &filter, &mut ray).unwrap();
        assert_eq!((Vec3::from(hit.place.point), hit.fraction), (ray.point, ray.fraction as f32));
        let moved = get(|out| nt_query_slide(query, nearest.place, to.into(), out));
        asked.slide(&ours, start, to, &filter, &mut slide).unwrap();
        assert_eq!(Vec3::from(moved.place.point), slide.point);
        let wall = get(|out| nt_query_wall(query, nearest.place, 50.0, out));
        let expected = asked.wall_distance(&ours, start, 50.0, &filter).unwrap().unwrap();
        assert_eq!((wall.distance, Vec3::from(wall.point)), (expected.distance, expected.point));
        let height = get(|out| nt_query_height(query, a.polygon, a.point, out));
        assert_eq!(ours.height(place(a).polygon, a.point.into()).unwrap(), Some(height));
        let [from, to] = [a, b].map(|of| place(of).polygon);
        let maybe = ours.reachable(from, to, &filter).unwrap() == detour::Reachable::Maybe;
        assert_eq!(get(|out| nt_query_reachable(query, a.polygon, b.polygon, out)), u8::from(maybe));
    }
    done(nt_query_free(query));
    done(nt_mesh_free(mesh));
}
