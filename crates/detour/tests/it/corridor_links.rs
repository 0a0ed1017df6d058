//! Corridors over off-mesh links: an agent walks to a link, takes it, and continues; and the rest of the
//! corridor when the tile at the other end is removed.

use crate::common::links::{link, linked};
use crate::common::{Grid, at, is_linked, mesh, place};
use detour::{
    CornerKind, Corridor, Filter, NavMesh, Path, PathOptions, PathStatus, PolyRef, Query, StraightOptions,
    StraightPath, Trimmed, Vec3,
};
use navtile::TileCoord;

/// Rows at x = 0, 40 and 80 m, with a link from each to the next: 1.5 m aside, so that there is a corner
/// before it.
fn islands() -> NavMesh {
    let row = "....\n...#";
    let tile = |x: i32| {
        let content = Grid::tiled(row, x, 0).content();
        let (from, to) = ((4 * x) as f32, (4 * x + 40) as f32);
        let next = TileCoord { x: x + 10, z: 0, layer: 0 };
        let record = link(&content, [from + 3.5, 0.0, 0.5], [to + 0.5, 0.0, 1.5], next);
        linked(content, vec![record])
    };
    mesh([tile(0), tile(10), Grid::tiled(row, 20, 0).tile()])
}

fn corridor(mesh: &NavMesh, from: Vec3, to: Vec3) -> Corridor {
    let [start, goal] = [from, to].map(|p| place(mesh, p));
    let (mut path, mut corridor) = (Path::default(), Corridor::new(start));
    let options = PathOptions::default();
    Query::new().find_path(mesh, start, goal, &Filter::default(), &options, &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    assert!(corridor.set_path(mesh, &path.polygons, goal.point).unwrap());
    corridor
}

#[test]
fn an_agent_walks_over_links() {
    let (mesh, filter, mut query) = (islands(), Filter::default(), Query::new());
    for (from, to) in [(at(0.5, 1.5), at(82.5, 1.5)), (at(82.5, 1.5), at(0.5, 1.5))] {
        let mut corridor = corridor(&mesh, from, to);
        let mut corners = StraightPath::default();
        let options = StraightOptions { max_corners: 2, ..StraightOptions::default() };
        let (mut taken, mut steps) = (Vec::<PolyRef>::new(), 0);
        loop {
            assert!(is_linked(&mesh, corridor.polygons()) && corridor.is_valid(&mesh, 99, &filter));
            corridor.corners(&mut query, &mesh, &options, &mut corners).unwrap();
            let Some(next) = corners.corners.first().copied() else { break };
            steps += 1;
            assert!(steps < 500, "{corridor:?}");
            if let Some(ahead) =
                corridor.link_ahead(&mesh).unwrap().filter(|a| a.on_start_polygon && a.distance < 0.05)
            {
                // At the link's start the next corner is the link's, at any distance.
                assert_eq!((next.kind, next.polygon), (CornerKind::LinkStart, ahead.link));
                let landed = corridor.move_over_link(&mesh, ahead.link).unwrap().unwrap();
                assert_eq!((landed, corridor.place()), (ahead.end, ahead.end));
                assert_eq!(corridor.move_over_link(&mesh, ahead.link).unwrap(), None, "taken once");
                taken.push(ahead.link);
                continue;
            }
            let way = next.point - corridor.position();
            let step = corridor.position() + way.normalize() * way.length().min(0.3);
            corridor.move_start(&mut query, &mesh, step, &filter).unwrap();
        }
        assert_eq!((taken.len(), corridor.polygons().len()), (2, 1));
        assert!(taken[0] != taken[1] && corridor.position().distance(corridor.target()) < 1e-2);
    }
}

#[test]
fn only_the_next_link_can_be_taken() {
    let mesh = islands();
    let mut corridor = corridor(&mesh, at(0.5, 1.5), at(82.5, 1.5));
    let links: Vec<PolyRef> =
        corridor.polygons().iter().copied().filter(|p| mesh.is_off_mesh(*p).unwrap()).collect();
    let ahead = corridor.link_ahead(&mesh).unwrap().unwrap();
    assert_eq!((ahead.link, ahead.start.point, ahead.end.point), (links[0], at(3.5, 0.5), at(40.5, 1.5)));
    assert!(!ahead.on_start_polygon && (ahead.distance - 10f32.sqrt()).abs() < 1e-6);
    let before = corridor.polygons().to_vec();
    assert_eq!(corridor.move_over_link(&mesh, links[1]).unwrap(), None);
    assert_eq!(corridor.polygons(), before);
    // From afar too: the caller decides the distance.
    assert!(corridor.move_over_link(&mesh, links[0]).unwrap().is_some());
    assert_eq!(corridor.link_ahead(&mesh).unwrap().unwrap().link, links[1]);
    let mut short = Corridor::new(place(&mesh, at(0.5, 0.5)));
    assert_eq!((short.link_ahead(&mesh), short.move_over_link(&mesh, links[0])), (Ok(None), Ok(None)));
}

#[test]
fn a_corridor_is_cut_before_a_link_that_leads_nowhere() {
    let mut mesh = islands();
    let mut corridor = corridor(&mesh, at(0.5, 1.5), at(82.5, 1.5));
    mesh.remove_tile(TileCoord { x: 20, z: 0, layer: 0 }).unwrap();
    let safe = corridor.place();
    assert_eq!(corridor.trim_invalid(&mesh, safe, &Filter::default()).unwrap(), Trimmed::Cut);
    assert!(!mesh.is_off_mesh(corridor.last()).unwrap() && is_linked(&mesh, corridor.polygons()));
    assert!((40.0..44.1).contains(&corridor.target().x), "{}", corridor.target());
    assert!(corridor.link_ahead(&mesh).unwrap().is_some());
}
