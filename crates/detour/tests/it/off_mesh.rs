//! Off-mesh links: they are added and removed with tiles, and paths take them.

use crate::common;
use crate::common::links::{link, linked};
use crate::common::{Grid, METRE_UP, Random, at, is_linked, mesh, place};
use detour::{
    CornerKind, CostModel, Crossings, Filter, NavMesh, Optimality, PartialReason, Path, PathOptions,
    PathStatus, Place, PolyRef, Query, QueryError, RefProblem, RouteOptions, SlicedPath, StraightPath, Vec3,
};
use navtile::layout::OffMeshLink;
use navtile::{Tile, TileCoord};
use std::collections::BTreeSet;

fn coord(x: i32, z: i32) -> TileCoord {
    TileCoord { x, z, layer: 0 }
}

/// A row of four squares at x = 0, with a link from its last square to the tile at x = 10 (40 m away).
fn near(change: impl Fn(&mut OffMeshLink)) -> Tile {
    let content = Grid::tiled("....", 0, 0).content();
    let mut record = link(&content, [3.5, 0.0, 0.5], [40.5, 0.0, 0.5], coord(10, 0));
    change(&mut record);
    linked(content, vec![record])
}

fn far() -> Tile {
    Grid::tiled("....", 10, 0).tile()
}

fn the_link(mesh: &NavMesh) -> PolyRef {
    let all: Vec<PolyRef> = mesh.off_mesh_links().collect();
    assert_eq!(all.len(), 1);
    all[0]
}

fn find(mesh: &NavMesh, ends: [Place; 2], filter: &impl CostModel) -> Path {
    let mut path = Path::default();
    Query::new().find_path(mesh, ends[0], ends[1], filter, &PathOptions::default(), &mut path).unwrap();
    path
}

#[test]
fn paths_cross_links_over_any_distance() {
    let mesh = mesh([near(|_| {}), far()]);
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(43.5, 0.5))];
    let filter = Filter::default();
    for [start, goal] in [ends, [ends[1], ends[0]]] {
        let path = find(&mesh, [start, goal], &filter);
        assert_eq!((path.status, path.polygons.len(), path.cost), (PathStatus::Complete, 9, 43.0));
        assert_eq!((path.polygons[4], path.end), (the_link(&mesh), goal.point));
        assert!(is_linked(&mesh, &path.polygons));
        let mut straight = StraightPath::default();
        Query::new()
            .straight_path(&mesh, start.point, goal.point, &path.polygons, Crossings::None, &mut straight)
            .unwrap();
        let corners: Vec<_> = straight.corners.iter().map(|corner| (corner.point.x, corner.kind)).collect();
        let (from, to) = if start.point.x < 1.0 { (3.5, 40.5) } else { (40.5, 3.5) };
        let expected = [
            (start.point.x, CornerKind::Start),
            (from, CornerKind::LinkStart),
            (to, CornerKind::LinkEnd),
            (goal.point.x, CornerKind::End),
        ];
        assert_eq!((&corners[..], straight.length, straight.broken_at), (&expected[..], 43.0, None));
        assert_eq!(straight.corners[1].polygon, the_link(&mesh));
        assert_eq!(straight.corners[2].polygon, path.polygons[5]);
        let route =
            Query::new().route(&mesh, start.point, goal.point, &filter, &RouteOptions::default()).unwrap();
        assert_eq!((route.points.len(), route.length, route.cost), (4, 43.0, 43.0));
    }
}

#[test]
fn links_cost_their_length_by_their_area() {
    let mut changed = mesh([near(|record| (record.area, record.flags) = (7, 8)), far()]);
    let ends = [place(&changed, at(0.5, 0.5)), place(&changed, at(43.5, 0.5))];
    let dear = Filter::default().with_area_cost(7, 2.0).unwrap();
    assert_eq!(find(&changed, ends, &dear).cost, 3.0 + 37.0 * 2.0 + 3.0);
    let closed = find(&changed, ends, &Filter::default().with_exclude(8));
    assert_eq!(closed.status, PathStatus::Partial(PartialReason::Unreachable));
    let closed = find(&changed, ends, &Filter::default().without_area(7));
    assert_eq!(closed.polygons.len(), 4);
    // Also at run time, and in that snapshot only.
    let before = changed.clone();
    let link = the_link(&changed);
    changed.set_flags(link, 0x10).unwrap();
    changed.set_area(link, 9).unwrap();
    let (new, old) = (changed.off_mesh(link).unwrap(), before.off_mesh(link).unwrap());
    assert_eq!((new.flags, new.area, old.flags, old.area), (0x10, 9, 8, 7));
    let filter = Filter::default().with_exclude(0x10);
    assert!(find(&changed, ends, &filter).status != PathStatus::Complete);
    assert!(find(&before, ends, &filter).status == PathStatus::Complete);
}

#[test]
fn a_link_is_taken_where_it_is_shorter_and_only_then() {
    // A long path around a wall, and a jump over it.
    let content = Grid::new("......\n#####.\n......").content();
    let over = link(&content, [0.5, 0.0, 0.5], [0.5, 0.0, 2.5], TileCoord::default());
    let jump = |cost: f32| {
        let mesh = mesh([linked(content.clone(), vec![OffMeshLink { area: 5, ..over }])]);
        let filter = Filter::default().with_area_cost(5, cost).unwrap();
        let ends = [place(&mesh, at(1.5, 0.5)), place(&mesh, at(1.5, 2.5))];
        let path = find(&mesh, ends, &filter);
        assert_eq!(path.status, PathStatus::Complete);
        path.polygons.iter().any(|polygon| mesh.is_off_mesh(*polygon).unwrap())
    };
    assert!(jump(1.0) && jump(2.0));
    assert!(!jump(5.0));
}

#[test]
fn one_way_links_lead_one_way() {
    let mesh = mesh([near(|record| record.direction = 0), far()]);
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(43.5, 0.5))];
    assert_eq!(find(&mesh, ends, &Filter::default()).status, PathStatus::Complete);
    let back = find(&mesh, [ends[1], ends[0]], &Filter::default());
    assert_eq!(back.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!((back.polygons.len(), back.end), (4, at(40.0, 0.5)));
    let link = the_link(&mesh);
    let mut out = Vec::new();
    mesh.visit_links(link, |way| out.push(way.to)).unwrap();
    assert_eq!(out, [mesh.off_mesh(link).unwrap().ends.unwrap()[1].polygon]);
}

#[test]
fn links_come_and_go_with_either_tile() {
    let ends = |mesh: &NavMesh| mesh.off_mesh(the_link(mesh)).unwrap().ends;
    for far_first in [false, true] {
        let mut mesh = NavMesh::default();
        if far_first {
            mesh.add_tile(far()).unwrap();
        }
        mesh.add_tile(near(|record| record.user_id = 77)).unwrap();
        assert_eq!(mesh.off_mesh(the_link(&mesh)).unwrap().user_id, 77);
        if !far_first {
            assert_eq!(ends(&mesh), None);
            let start = place(&mesh, at(3.5, 0.5)).polygon;
            let mut ways = 0;
            mesh.visit_links(start, |_| ways += 1).unwrap();
            mesh.visit_links(the_link(&mesh), |_| ways += 1).unwrap();
            assert_eq!(ways, 1, "only back along the row");
            mesh.add_tile(far()).unwrap();
        }
        let [start, end] = ends(&mesh).unwrap();
        assert_eq!((start.point, end.point), (at(3.5, 0.5), at(40.5, 0.5)));
        assert_eq!(start.polygon, place(&mesh, at(3.5, 0.5)).polygon);
        assert_eq!(end.polygon, place(&mesh, at(40.5, 0.5)).polygon);
        let whole = mesh.clone();
        mesh.remove_tile(coord(10, 0)).unwrap();
        assert_eq!(ends(&mesh), None);
        mesh.add_tile(far()).unwrap();
        assert!(ends(&mesh).is_some());
        let link = the_link(&mesh);
        mesh.remove_tile(coord(0, 0)).unwrap();
        assert_eq!(mesh.off_mesh(link).unwrap_err().problem, RefProblem::NotLoaded);
        let last = place(&mesh, at(40.5, 0.5)).polygon;
        let mut ways = 0;
        mesh.visit_links(last, |_| ways += 1).unwrap();
        assert_eq!((mesh.off_mesh_links().count(), ways), (0, 1));
        assert!(ends(&whole).is_some(), "another snapshot keeps it");
        mesh.add_tile(near(|_| {})).unwrap();
        assert!(ends(&mesh).is_some());
        assert_eq!(mesh.off_mesh(link).unwrap_err().problem, RefProblem::Stale);
    }
}

#[test]
fn without_ground_at_both_ends_there_is_no_link() {
    let changes: [fn(&mut OffMeshLink); 6] = [
        |record| record.start[0] = 0x7FFF,
        |record| record.start[1] = METRE_UP / 2 + 1,
        |record| record.end[0] -= 1024,
        |record| record.end[1] = -METRE_UP / 2 - 1,
        |record| record.end_tile = [9, 0, 0],
        |record| record.end_tile = [i32::MIN, i32::MAX, 3],
    ];
    for change in changes {
        let mesh = mesh([near(change), far()]);
        assert_eq!(mesh.off_mesh(the_link(&mesh)).unwrap().ends, None);
    }
    let high = mesh([near(|record| (record.start[1], record.end[1]) = (METRE_UP / 2, -METRE_UP / 2)), far()]);
    assert!(high.off_mesh(the_link(&high)).unwrap().ends.is_some());
}

#[test]
fn layers_are_joined_by_links() {
    let content = Grid::tiled("..", 0, 0).content();
    let up = TileCoord { layer: 1, ..coord(0, 0) };
    let mut record = link(&content, [0.5, 0.0, 0.5], [1.5, 3.0, 0.5], up);
    record.area = 2;
    let mut above = Grid::tiled("..", 0, 0);
    above.coord = up;
    above.vertex = Box::new(|column, row| [column * 1024, 3 * METRE_UP, row * 1024]);
    let mesh = mesh([above.tile(), linked(content, vec![record])]);
    let ends = [place(&mesh, at(1.5, 0.5)), place(&mesh, Vec3::new(0.5, 3.0, 0.5))];
    let path = find(&mesh, ends, &Filter::default());
    assert_eq!((path.status, path.polygons.len()), (PathStatus::Complete, 5));
    assert!((path.cost - (1.0 + 10f64.sqrt() + 1.0)).abs() < 1e-6, "{}", path.cost);
}

#[test]
fn a_link_has_no_surface() {
    let mut mesh = mesh([near(|_| {}), far()]);
    let link = the_link(&mesh);
    let polygon = place(&mesh, at(3.5, 0.5)).polygon;
    assert!(mesh.is_off_mesh(link).unwrap() && !mesh.is_off_mesh(polygon).unwrap());
    let problem = |error: QueryError| match error {
        QueryError::Reference(error) => error.problem,
        other => panic!("{other}"),
    };
    let on = Place { polygon: link, point: at(3.5, 0.5) };
    let (mut query, filter) = (Query::new(), Filter::default());
    let refused = [
        problem(mesh.height(link, on.point).unwrap_err()),
        problem(mesh.closest_point(link, on.point).unwrap_err()),
        problem(query.raycast(&mesh, on, on.point, &filter, &mut Default::default()).unwrap_err()),
        problem(query.slide(&mesh, on, on.point, &filter, &mut Default::default()).unwrap_err()),
        problem(query.wall_distance(&mesh, on, 1.0, &filter).unwrap_err()),
        mesh.corners(link).err().unwrap().problem,
        mesh.tile_of(link).unwrap_err().problem,
    ];
    assert_eq!(refused, [RefProblem::OffMeshLink; 7]);
    assert_eq!(mesh.off_mesh(polygon).unwrap_err().problem, RefProblem::NoOffMeshLink);
    let beyond = PolyRef::new(link.salt(), link.slot(), link.polygon() + 1).unwrap();
    assert_eq!(mesh.attributes(beyond).unwrap_err().problem, RefProblem::NoSuchPolygon);
    assert!(mesh.set_flags(beyond, 1).is_err() && mesh.set_area(link, 0).is_err());
    for x in 0..45 {
        let found = query.nearest(&mesh, at(x as f32, 0.5), Vec3::splat(9.0), &filter);
        assert!(found.is_err() || !mesh.is_off_mesh(found.unwrap().polygon).unwrap());
    }
}

#[test]
fn one_may_start_and_end_on_a_link() {
    let mesh = mesh([near(|_| {}), far()]);
    let on = Place { polygon: the_link(&mesh), point: at(20.5, 0.5) };
    for x in [0.5, 43.5] {
        let ground = place(&mesh, at(x, 0.5));
        let off = find(&mesh, [on, ground], &Filter::default());
        assert_eq!((off.status, off.polygons.len()), (PathStatus::Complete, 5));
        assert_eq!(off.cost, f64::from((x - 20.5f32).abs()));
        let onto = find(&mesh, [ground, on], &Filter::default());
        assert_eq!((onto.status, onto.polygons.len(), onto.end), (PathStatus::Complete, 5, on.point));
        let mut straight = StraightPath::default();
        let mut query = Query::new();
        query
            .straight_path(&mesh, on.point, ground.point, &off.polygons, Crossings::None, &mut straight)
            .unwrap();
        assert_eq!(
            straight.corners.iter().map(|corner| corner.kind).collect::<Vec<_>>(),
            [CornerKind::Start, CornerKind::LinkEnd, CornerKind::End]
        );
        query
            .straight_path(&mesh, ground.point, on.point, &onto.polygons, Crossings::None, &mut straight)
            .unwrap();
        assert_eq!(
            straight.corners.iter().map(|corner| corner.kind).collect::<Vec<_>>(),
            [CornerKind::Start, CornerKind::LinkStart, CornerKind::End]
        );
    }
    assert_eq!(find(&mesh, [on, on], &Filter::default()).polygons, [on.polygon]);
}

#[test]
fn a_link_that_leads_nowhere_is_no_way() {
    let mesh = mesh([near(|_| {})]);
    let (link, ground) = (the_link(&mesh), place(&mesh, at(0.5, 0.5)));
    let on = Place { polygon: link, point: at(3.5, 0.5) };
    let off = find(&mesh, [on, ground], &Filter::default());
    assert_eq!((off.status, off.polygons), (PathStatus::Partial(PartialReason::Unreachable), vec![link]));
    let onto = find(&mesh, [ground, on], &Filter::default());
    assert_eq!((onto.status, onto.end), (PathStatus::Partial(PartialReason::Unreachable), at(3.5, 0.5)));
}

#[test]
fn the_widest_reach_takes_the_nearest_ground() {
    let mesh = mesh([near(|record| (record.start[0], record.radius) = (-90_000, (1 << 30) - 1)), far()]);
    let [start, _] = mesh.off_mesh(the_link(&mesh)).unwrap().ends.unwrap();
    assert_eq!((start.polygon, start.point), (place(&mesh, at(0.5, 0.5)).polygon, at(0.0, 0.5)));
}

#[test]
fn anchors_move_links_too() {
    let anchor = [-1000.0, 20.0, 300.0];
    let mut mesh = NavMesh::new(anchor).unwrap();
    mesh.add_tile(near(|_| {})).unwrap();
    mesh.add_tile(far()).unwrap();
    let ends = mesh.off_mesh(the_link(&mesh)).unwrap().ends.unwrap();
    assert_eq!(ends.map(|end| mesh.to_world(end.point)), [[3.5, 0.0, 0.5], [40.5, 0.0, 0.5]]);
    let away = mesh.from_world([50.0, 0.0, 0.5]);
    let near =
        Query::new().nearest_reachable(&mesh, ends[0].polygon, away, &Filter::default()).unwrap().unwrap();
    assert_eq!(mesh.to_world(near.point), [44.0, 0.0, 0.5]);
}

/// Two floors with a gap between them, and a connection over the gap, through all stages of a bake.
fn baked(tile_cells: Option<u32>) -> NavMesh {
    let mut builder = navscenes::build::Builder::new();
    builder.floor(navscenes::build::rect(0.0, 0.0, 20.0, 12.0), 0.0);
    builder.floor(navscenes::build::rect(26.0, 0.0, 46.0, 12.0), 1.5);
    let settings = recast::Settings {
        off_mesh_connections: vec![recast::OffMeshConnection {
            start: [18.0, 0.0, 6.0],
            end: [28.0, 1.5, 6.0],
            radius: 0.5,
            both_ways: true,
            area: recast::AreaId::GROUND,
            flags: None,
            user_id: 9,
            along: [0.0; 2],
        }],
        ..recast::Settings::default()
    };
    let level = recast::PreparedLevel::new(&builder.finish(), &settings).unwrap();
    match tile_cells {
        None => {
            let solo = recast::bake_solo(&level, &recast::Silent, &mut recast::Scratch::new()).unwrap();
            mesh([solo.tile])
        }
        Some(cells) => {
            let tiles = navlevel::bake_tiles(&level, cells, &recast::Silent).unwrap();
            mesh(tiles.into_iter().map(|baked| baked.tile))
        }
    }
}

#[test]
fn what_is_baked_is_crossed() {
    for tile_cells in [None, Some(16), Some(48)] {
        let mesh = baked(tile_cells);
        let info = mesh.off_mesh(the_link(&mesh)).unwrap();
        assert!(info.user_id == 9 && info.ends.is_some(), "{tile_cells:?}");
        let (start, goal) = (Vec3::new(2.0, 0.0, 6.0), Vec3::new(44.0, 1.5, 6.0));
        let mut query = Query::new();
        let route = query.route(&mesh, start, goal, &Filter::default(), &RouteOptions::default()).unwrap();
        assert_eq!(route.status, PathStatus::Complete);
        let straight = 16.0 + 10f32.hypot(1.5) + 16.0;
        assert!((route.length - straight).abs() < 0.1, "{tile_cells:?}: {} m, not {straight}", route.length);
        let [from, to] = info.ends.unwrap().map(|end| end.polygon);
        assert!(
            mesh.islands().reachable(from, to) == detour::Reachable::Maybe
                && mesh.islands().list().len() == 1
        );
    }
}

#[test]
fn a_corridor_breaks_where_its_link_has_gone() {
    let mut mesh = mesh([near(|_| {}), far()]);
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(43.5, 0.5))];
    let path = find(&mesh, ends, &Filter::default());
    mesh.remove_tile(coord(10, 0)).unwrap();
    let mut straight = StraightPath::default();
    Query::new()
        .straight_path(&mesh, ends[0].point, ends[1].point, &path.polygons, Crossings::All, &mut straight)
        .unwrap();
    assert_eq!((straight.broken_at, straight.corners.last().unwrap().point), (Some(4), at(4.0, 0.5)));
}

#[test]
fn one_link_after_the_other_with_crossings_between() {
    let content = Grid::new("..#..#..").content();
    let hop = |from: f32, to: f32| link(&content, [from, 0.0, 0.5], [to, 0.0, 0.5], TileCoord::default());
    let records = vec![hop(1.5, 3.5), hop(3.5, 6.5)];
    let mesh = mesh([linked(content.clone(), records)]);
    let ends = [place(&mesh, at(0.5, 0.5)), place(&mesh, at(7.5, 0.5))];
    let path = find(&mesh, ends, &Filter::default());
    let mut straight = StraightPath::default();
    Query::new()
        .straight_path(&mesh, ends[0].point, ends[1].point, &path.polygons, Crossings::All, &mut straight)
        .unwrap();
    let corners: Vec<_> = straight.corners.iter().map(|corner| (corner.point.x, corner.kind)).collect();
    use CornerKind::*;
    assert_eq!(
        corners,
        [
            (0.5, Start),
            (1.0, Crossing),
            (1.5, LinkStart),
            (3.5, LinkEnd),
            (3.5, LinkStart),
            (6.5, LinkEnd),
            (7.0, Crossing),
            (7.5, End)
        ]
    );
}

/// All nodes that can be stepped onto from a polygon, by the public graph.
fn reached(mesh: &NavMesh, from: PolyRef, filter: &Filter) -> BTreeSet<PolyRef> {
    let (mut found, mut waiting) = (BTreeSet::from([from]), vec![from]);
    while let Some(polygon) = waiting.pop() {
        mesh.visit_links(polygon, |way| {
            if filter.passes(&mesh.attributes(way.to).unwrap()) && found.insert(way.to) {
                waiting.push(way.to);
            }
        })
        .unwrap();
    }
    found
}

#[test]
fn searches_reach_what_the_graph_reaches() {
    let (mut complete, mut partial, mut crossed) = (0, 0, 0);
    for seed in 0..60 {
        let mut text = String::new();
        let grid = common::random_grid(seed, 10, 45, &mut text);
        let content = grid.content();
        let mut random = Random(seed * 77 + 1);
        let mut records = Vec::new();
        for _ in 0..12 {
            let mut spot = || [random.below(40) as f32 / 4.0, 0.0, random.below(40) as f32 / 4.0];
            let mut record = link(&content, spot(), spot(), TileCoord::default());
            record.direction = random.below(2) as u8;
            record.flags = 1 << random.below(4);
            record.area = 1 + random.below(4) as u8;
            records.push(record);
        }
        let mesh = mesh([linked(content, records)]);
        let filter = Filter::default().with_exclude(8).with_area_cost(3, 2.5).unwrap();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        for _ in 0..10 {
            let ends = [0, 0].map(|_| {
                let polygon = polygons[random.below(polygons.len() as u64) as usize];
                Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 }
            });
            let known = reached(&mesh, ends[0].polygon, &filter);
            for optimality in [Optimality::Fast, Optimality::Near] {
                let options = PathOptions { optimality };
                let mut path = Path::default();
                let mut query = Query::new();
                query.find_path(&mesh, ends[0], ends[1], &filter, &options, &mut path).unwrap();
                assert!(is_linked(&mesh, &path.polygons), "seed {seed}");
                let there = known.contains(&ends[1].polygon);
                assert_eq!(path.status == PathStatus::Complete, there, "seed {seed}");
                assert!(path.polygons.iter().all(|polygon| known.contains(polygon)));
                assert_eq!(path.polygons.iter().collect::<BTreeSet<_>>().len(), path.polygons.len());
                (complete, partial) = (complete + usize::from(there), partial + usize::from(!there));
                crossed += usize::from(path.polygons.iter().any(|p| mesh.is_off_mesh(*p).unwrap()));
                let mut sliced =
                    SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, options).unwrap();
                while sliced.update(3).unwrap() == detour::Progress::Running {}
                let mut again = Path::default();
                sliced.finish(&mut again).unwrap();
                assert_eq!(path, again, "seed {seed}");
            }
        }
    }
    assert!(complete > 200 && partial > 200 && crossed > 100, "{complete} {partial} {crossed}");
}
