//! Far paths are those of the library.

use crate::calls::support::{ask, done, fails, get, list, scene};
use crate::calls::worlds::WORLD;
use detour::{Filter, NavMesh, Query, Vec3};
use hierarchy::{ClusterCoord, FarPlace, FarPlanner, FarRoute, Hierarchy, Portal};
use navtile::{NavFile, TileCoord};
use navtile_c::far::*;
use navtile_c::far_route::*;
use navtile_c::mesh::*;
use navtile_c::portals::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::ptr::null;

#[test]
fn far_paths_are_those_of_the_library() {
    let hierarchy = get(|out| nt_hierarchy_from_bytes(WORLD.as_ptr(), WORLD.len(), out));
    assert_eq!(get(|out| nt_hierarchy_class(hierarchy, c"default".as_ptr(), out)), 0);
    assert_eq!(
        ask(|out| nt_hierarchy_class(hierarchy, c"tank".as_ptr(), out)).err(),
        Some(NtStatus::NT_NOT_FOUND)
    );
    let mesh = get(|out| nt_mesh_from_bytes(WORLD.as_ptr(), WORLD.len(), null(), out));
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let place = |x: f32, z: f32| {
        let at = NtVec3 { x, y: 0.0, z };
        get(|out| nt_query_nearest(query, at, None, out)).place
    };
    let (start, goal) = (place(2.0, 2.0), place(37.0, 27.0));
    let bounds = get(|out| nt_query_far_path(query, hierarchy, 0, start, goal, out));
    let stops = list(100, |out, capacity, count| nt_query_far_stops(query, out, capacity, count));

    let file = NavFile::open(&WORLD[..]).unwrap();
    let (ours, world) = (NavMesh::of_file(&file, [0.0; 3]).unwrap(), file.hierarchy().unwrap().unwrap());
    let world = Hierarchy::from_bytes(world).unwrap();
    let at = |x: f32, z: f32| {
        let near = Query::new().nearest(&ours, Vec3::new(x, 0.0, z), Vec3::splat(2.0), &Filter::default());
        FarPlace { mesh: &ours, place: near.unwrap().place() }
    };
    let (from, to) = (at(2.0, 2.0), at(37.0, 27.0));
    let mut planner = FarPlanner::new();
    let plan = planner.plan(&world, 0, from, to).unwrap().unwrap();
    assert_eq!([bounds.lower, bounds.upper], [plan.lower, plan.upper]);
    let points: Vec<[f64; 3]> = planner.stops(&plan).iter().map(|stop| stop.point).collect();
    assert!(stops.len() > 4);
    assert_eq!(stops.iter().map(|stop| stop.point).collect::<Vec<_>>(), points);
    let last = stops.last().unwrap();
    assert_eq!([last.first_x, last.first_z, last.columns as i32], [7, 5, 1]);

    let unknown = nt_query_far_path(query, hierarchy, 5, start, goal, Some(&mut MaybeUninit::uninit()));
    fails(unknown, NtStatus::NT_ERROR_ARGUMENT, "no class 5");
    done(nt_hierarchy_free(hierarchy));
    let freed = nt_query_far_path(query, hierarchy, 0, start, goal, Some(&mut MaybeUninit::uninit()));
    fails(freed, NtStatus::NT_ERROR_HANDLE, "freed");
}

#[test]
fn files_without_a_hierarchy_are_refused() {
    let scene = navscenes::tiled_file("courtyard", 32).unwrap();
    let refused = nt_hierarchy_from_bytes(scene.as_ptr(), scene.len(), Some(&mut MaybeUninit::uninit()));
    fails(refused, NtStatus::NT_ERROR_DATA, "bake the level again with `navtile bake --hierarchy`");
    let missing = nt_hierarchy_open(c"nowhere.navtile".as_ptr(), Some(&mut MaybeUninit::uninit()));
    fails(missing, NtStatus::NT_ERROR_FILE, "nowhere.navtile");
}

/// The world in C and in Rust: a floor of 40 x 30 m, in tiles and clusters of 5 m.
struct Both {
    hierarchy: NtHierarchy,
    mesh: NtMesh,
    query: NtQuery,
    ours: Hierarchy,
    our_mesh: NavMesh,
}

impl Both {
    fn new() -> Both {
        let hierarchy = get(|out| nt_hierarchy_from_bytes(WORLD.as_ptr(), WORLD.len(), out));
        let mesh = get(|out| nt_mesh_from_bytes(WORLD.as_ptr(), WORLD.len(), null(), out));
        let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
        let file = NavFile::open(&WORLD[..]).unwrap();
        let ours = Hierarchy::from_bytes(file.hierarchy().unwrap().unwrap()).unwrap();
        let our_mesh = NavMesh::of_file(&file, [0.0; 3]).unwrap();
        Both { hierarchy, mesh, query, ours, our_mesh }
    }

    /// The bounds of a plan between two corners, or the status of the call.
    fn plan(&self) -> Result<[f64; 2], NtStatus> {
        let place = |x: f32, z: f32| {
            let at = NtVec3 { x, y: 0.0, z };
            get(|out| nt_query_nearest(self.query, at, None, out)).place
        };
        let (start, goal) = (place(2.0, 2.0), place(37.0, 27.0));
        let bounds = ask(|out| nt_query_far_path(self.query, self.hierarchy, 0, start, goal, out))?;
        Ok([bounds.lower, bounds.upper])
    }

    /// The same plan by the library, with its route.
    fn our_plan(&self) -> Option<([f64; 2], FarRoute)> {
        let (mut query, mut planner) = (Query::new(), FarPlanner::new());
        let mut place = |x: f32, z: f32| {
            let at = Vec3::new(x, 0.0, z);
            let near = query.nearest(&self.our_mesh, at, Vec3::splat(2.0), &Filter::default());
            FarPlace { mesh: &self.our_mesh, place: near.unwrap().place() }
        };
        let (start, goal) = (place(2.0, 2.0), place(37.0, 27.0));
        let plan = planner.plan(&self.ours, 0, start, goal).unwrap()?;
        Some(([plan.lower, plan.upper], planner.route(&plan)))
    }

    fn portals_in(&self, low: [f64; 3], high: [f64; 3]) -> Vec<NtPortal> {
        list(1000, |out, capacity, count| {
            nt_hierarchy_portals_in(self.hierarchy, low.as_ptr(), high.as_ptr(), out, capacity, count)
        })
    }

    fn changed(&self) -> Vec<NtCluster> {
        list(100, |out, capacity, count| nt_hierarchy_changed(self.hierarchy, out, capacity, count))
    }
}

fn clusters(of: &BTreeSet<ClusterCoord>) -> Vec<NtCluster> {
    of.iter().map(|&ClusterCoord { x, z }| NtCluster { x, z }).collect()
}

fn needs_replan(route: NtFarRoute, changed: &[NtCluster]) -> bool {
    get(|out| nt_far_route_needs_replan(route, changed.as_ptr(), changed.len(), out)) != 0
}

#[test]
fn routes_are_those_of_the_library() {
    let both = Both::new();
    let early = nt_far_route_new(both.query, 0, Some(&mut MaybeUninit::uninit()));
    fails(early, NtStatus::NT_ERROR_ARGUMENT, "there was no far path");
    let (bounds, mut ours) = both.our_plan().unwrap();
    assert_eq!(both.plan(), Ok(bounds));
    let route = get(|out| nt_far_route_new(both.query, 0, out));
    let wide = get(|out| nt_far_route_new(both.query, 6, out));
    done(nt_hierarchy_free(both.hierarchy));
    done(nt_query_free(both.query));
    let mut advanced = 0;
    for step in 0..=200 {
        let share = f64::from(step) / 200.0;
        let position = [2.0 + 35.0 * share, 0.0, 2.0 + 25.0 * share];
        let has_moved = get(|out| nt_far_route_advance(route, position.as_ptr(), out)) != 0;
        assert_eq!(has_moved, ours.advance(position));
        advanced += u32::from(has_moved);
        assert_eq!(get(|out| nt_far_route_ahead(route, out)).point, ours.ahead().point);
        assert_eq!(get(|out| nt_far_route_legs_left(route, out)) as usize, ours.legs_left());
        let columns = list(200, |out, capacity, count| nt_far_route_columns(route, 6, out, capacity, count));
        let columns: Vec<[i32; 2]> = columns.iter().map(|&NtColumn { x, z }| [x, z]).collect();
        assert_eq!(columns, ours.columns_ahead(6));
        done(nt_far_route_advance(wide, position.as_ptr(), None));
        if step == 0 {
            assert_eq!(
                get(|out| nt_far_route_ahead(wide, out)).point,
                ours.clone().with_legs_ahead(6).ahead().point
            );
        }
    }
    assert!(advanced > 4 && ours.legs_left() == 1);
    let position = [f64::NAN, 0.0, 0.0];
    let refused = nt_far_route_advance(route, position.as_ptr(), None);
    fails(refused, NtStatus::NT_ERROR_ARGUMENT, "position is not finite");
    fails(nt_far_route_advance(route, null(), None), NtStatus::NT_ERROR_ARGUMENT, "position is NULL");
    done(nt_far_route_free(route));
    fails(nt_far_route_free(route), NtStatus::NT_ERROR_HANDLE, "far route");
    done(nt_far_route_free(wide));
}

#[test]
fn closed_portals_end_plans_and_call_for_others() {
    let mut both = Both::new();
    let (low, high) = ([19.0, -1.0, -1.0], [21.0, 1.0, 31.0]);
    let border = both.portals_in(low, high);
    let known = both.ours.portals_in(low, high);
    assert!(border.len() > 4 && border.len() == known.len());
    for (portal, ours) in border.iter().zip(&known) {
        assert_eq!(portal.kind, NT_PORTAL_BORDER);
        let ends = get(|out| nt_hierarchy_portal_ends(both.hierarchy, Some(portal), out));
        assert_eq!(Some([ends.start, ends.end]), both.ours.portal_ends(ours));
    }
    let open = both.plan().unwrap();
    let route = get(|out| nt_far_route_new(both.query, 0, out));
    assert!(!needs_replan(route, &both.changed()));

    let wall: Vec<NtPortal> = border.iter().filter(|portal| portal.from.x != portal.to.x).copied().collect();
    let our_wall: BTreeSet<Portal> =
        known.into_iter().filter(|portal| portal.clusters()[0].x != portal.clusters()[1].x).collect();
    let shut = get(|out| nt_hierarchy_set_closed(both.hierarchy, wall.as_ptr(), wall.len(), out));
    let changed = both.changed();
    assert_eq!(changed, clusters(&both.ours.set_closed(our_wall)));
    assert_eq!(shut, changed.len());
    assert!(needs_replan(route, &changed));
    let closed = list(100, |out, capacity, count| nt_hierarchy_closed(both.hierarchy, out, capacity, count));
    assert_eq!(closed, wall);
    assert_eq!(both.plan().err(), Some(NtStatus::NT_NOT_FOUND));
    assert!(both.our_plan().is_none());

    let odd = NtPortal { kind: 7, ..wall[0] };
    let refused = nt_hierarchy_set_closed(both.hierarchy, &raw const odd, 1, None);
    fails(refused, NtStatus::NT_ERROR_ARGUMENT, "no portal of kind 7");
    assert_eq!(both.plan().err(), Some(NtStatus::NT_NOT_FOUND), "nothing has changed");
    let high = NtPortal { height: i64::MAX, ..wall[0] };
    let refused = nt_hierarchy_set_closed(both.hierarchy, &raw const high, 1, None);
    fails(refused, NtStatus::NT_ERROR_ARGUMENT, "no portal of kind 0 at");
    let gone = NtPortal { along: 3, ..wall[0] };
    let ends = nt_hierarchy_portal_ends(both.hierarchy, Some(&gone), Some(&mut MaybeUninit::uninit()));
    fails(ends, NtStatus::NT_NOT_FOUND, "no such portal");
    // All but one of them, by the saved list.
    done(nt_hierarchy_set_closed(both.hierarchy, closed.as_ptr(), closed.len() - 1, None));
    assert!(both.plan().unwrap()[1] >= open[1]);
    done(nt_hierarchy_set_closed(both.hierarchy, null(), 0, None));
    assert_eq!(both.plan(), Ok(open));
    done(nt_far_route_free(route));
}

#[test]
fn updates_are_those_of_the_library() {
    let mut both = Both::new();
    let open = both.plan().unwrap();
    let route = get(|out| nt_far_route_new(both.query, 0, out));
    let removed: Vec<NtTileCoord> = (1..6).map(|z| NtTileCoord { x: 4, z, layer: 0 }).collect();
    let coords: Vec<TileCoord> =
        removed.iter().map(|&NtTileCoord { x, z, layer }| TileCoord { x, z, layer }).collect();
    for coord in &coords {
        done(nt_mesh_remove_tile(both.mesh, coord.x, coord.z, coord.layer));
        both.our_mesh.remove_tile(*coord).unwrap();
    }
    done(nt_query_update(both.query, both.mesh));
    let (tiles, length) = (removed.as_ptr(), removed.len());
    let count = get(|out| nt_hierarchy_update(both.hierarchy, both.mesh, tiles, length, out));
    let changed = both.changed();
    assert_eq!(changed, clusters(&both.ours.update(&both.our_mesh, &coords).unwrap()));
    assert!(count == changed.len() && needs_replan(route, &changed));
    let (bounds, _) = both.our_plan().unwrap();
    assert_eq!(both.plan(), Ok(bounds));
    assert!(bounds[1] > open[1], "around the hole");

    let nowhere = NtTileCoord { x: i32::MIN, z: 0, layer: 0 };
    let refused = nt_hierarchy_update(both.hierarchy, both.mesh, &raw const nowhere, 1, None);
    fails(refused, NtStatus::NT_ERROR_LIMIT, "no tile of a hierarchy can be at");
    let other = scene("two_rooms");
    let refused = nt_hierarchy_update(both.hierarchy, other, removed.as_ptr(), 1, None);
    fails(refused, NtStatus::NT_ERROR_ARGUMENT, "on another grid");
    assert_eq!(both.plan(), Ok(bounds), "nothing has changed");
    done(nt_far_route_free(route));
}

#[test]
fn plans_of_other_threads_are_those_of_before_or_after() {
    let both = Both::new();
    let open = both.plan().unwrap();
    let wall = both.portals_in([19.5, -1.0, -1.0], [20.5, 1.0, 31.0]);
    std::thread::scope(|scope| {
        let planned = scope.spawn(|| (0..200).map(|_| both.plan()).collect::<Vec<_>>());
        for round in 0..100 {
            let count = if round % 2 == 0 { wall.len() } else { 0 };
            done(nt_hierarchy_set_closed(both.hierarchy, wall.as_ptr(), count, None));
        }
        for plan in planned.join().unwrap() {
            assert!(plan == Ok(open) || plan == Err(NtStatus::NT_NOT_FOUND), "{plan:?}");
        }
    });
    assert_eq!(both.plan(), Ok(open));
}
