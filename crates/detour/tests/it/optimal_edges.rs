//! Off-mesh links between edges: paths compared with those of the same mesh with many links between points
//! along the edges.

use crate::common::links::{length, link, linked, pulled};
use crate::common::visibility::random_place;
use crate::common::{Grid, METRE, METRE_UP, Random, at, is_linked, mesh, place, unit};
use detour::{
    Corner, CornerKind, Corridor, Field, Filter, NavMesh, Passable, Path, PathOptions, PathStatus, Place,
    PolyRef, Query, ShortestPath, Slide, StraightOptions, StraightPath, Vec3,
};
use navtile::layout::OffMeshLink;
use navtile::{TileContent, TileCoord};

const HERE: TileCoord = TileCoord { x: 0, z: 0, layer: 0 };
/// Number of random levels to compare, unless `DETOUR_EDGE_LEVELS` is set.
const LEVELS: u64 = 60;
/// Number of links between points that a link between edges is compared with.
const SAMPLES: u32 = 48;

/// A link between edges, given by a corner of each and the vector along them.
fn edge(
    content: &TileContent,
    start: [f32; 3],
    end: [f32; 3],
    along: [f32; 2],
    to: TileCoord,
) -> OffMeshLink {
    OffMeshLink { along: along.map(|metres| (metres * METRE as f32) as i32), ..link(content, start, end, to) }
}

fn shortest(mesh: &NavMesh, ends: [Place; 2]) -> ShortestPath {
    let mut path = ShortestPath::default();
    Query::new().shortest_path(mesh, ends[0], ends[1], &Passable::default(), &mut path).unwrap();
    path
}

/// Two floors of 8 by 1 m, a metre apart, and a link between edges along both.
fn two_floors() -> NavMesh {
    let mut grid = Grid::new(".\n#\n.");
    grid.vertex = Box::new(|column, row| [column * 8 * METRE, 0, row * METRE]);
    let content = grid.content();
    let over = edge(&content, [1.0, 0.0, 0.75], [1.0, 0.0, 2.25], [6.0, 0.0], HERE);
    mesh([linked(content, vec![over])])
}

/// The corners by all methods of finding a path, which must agree.
fn corners(mesh: &NavMesh, from: Vec3, to: Vec3) -> Vec<Corner> {
    let ends = [place(mesh, from), place(mesh, to)];
    let (mut query, mut path) = (Query::new(), Path::default());
    let found = shortest(mesh, ends);
    let options = PathOptions::default();
    query.find_path(mesh, ends[0], ends[1], &Filter::default(), &options, &mut path).unwrap();
    assert_eq!((&found.polygons, path.status), (&path.polygons, PathStatus::Complete));
    let corners = pulled(mesh, [from, to], &path.polygons);
    assert_eq!(corners.len(), found.corners.len(), "{corners:?} {found:?}");
    for (one, other) in corners.iter().zip(&found.corners) {
        assert_eq!((one.kind, one.polygon), (other.kind, other.polygon));
        assert!(one.point.distance(other.point) < 2e-4, "{one:?} {other:?}");
    }
    assert!((length(&corners) - found.length_from_above).abs() < 1e-5);
    corners
}

#[test]
fn an_edge_is_crossed_where_the_way_is_straight() {
    let mesh = two_floors();
    let crossed = |from: Vec3, to: Vec3| {
        let corners = corners(&mesh, from, to);
        assert_eq!((corners[1].kind, corners[2].kind), (CornerKind::LinkStart, CornerKind::LinkEnd));
        assert!(
            (corners[2].point - corners[1].point).distance(at(0.0, (to.z - from.z).signum() * 1.5)) < 1e-5
        );
        (corners[1].point.x, length(&corners))
    };
    let near = |(x, length): (f32, f64), (to_x, expected): (f32, f64)| {
        assert!(
            (x - to_x).abs() < 1e-3 && (length - expected).abs() < 1e-4,
            "{x} {length}, not {to_x} {expected}"
        );
    };
    // Straight except for the link, in either direction.
    let whole = 4.0f64.hypot(1.0) + 1.5;
    near(crossed(at(2.0, 0.25), at(6.0, 2.75)), (4.0, whole));
    near(crossed(at(6.0, 2.75), at(2.0, 0.25)), (4.0, whole));
    // The goal is before the far edge: the path reflects as light does off a mirror.
    near(crossed(at(2.0, 0.25), at(6.0, 2.0)), (2.0 + 4.0 * 0.5 / 0.75, 4.0f64.hypot(0.75) + 1.5));
    // The start is beyond the near edge.
    near(crossed(at(2.0, 1.0), at(6.0, 2.75)), (2.0 + 4.0 / 3.0, 4.0f64.hypot(0.75) + 1.5));
    // Outside both edges: crossed at their ends.
    near(crossed(at(0.25, 0.5), at(0.25, 2.5)), (1.0, 2.0 * 0.75f64.hypot(0.25) + 1.5));
    near(crossed(at(7.5, 0.75), at(7.75, 2.25)), (7.0, 0.5 + 0.75 + 1.5));
    // From a place on the edge, and along it.
    let (_, length) = crossed(at(3.0, 0.75), at(5.0, 2.25));
    assert!((length - 3.5).abs() < 1e-4, "{length}");
}

#[test]
fn a_link_states_the_part_of_its_edges_that_has_ground() {
    let mesh = two_floors();
    let link = mesh.off_mesh(mesh.off_mesh_links().next().unwrap()).unwrap();
    assert_eq!(link.edges(), Some([[at(1.0, 0.75), at(7.0, 0.75)], [at(1.0, 2.25), at(7.0, 2.25)]]));
    let [start, end] = mesh.link_crossing(link.link, false, at(2.5, 0.0)).unwrap().unwrap();
    assert_eq!([start.point, end.point], [at(2.5, 0.75), at(2.5, 2.25)]);
    let [start, end] = mesh.link_crossing(link.link, true, at(9.0, 0.0)).unwrap().unwrap();
    assert_eq!([start.point, end.point], [at(7.0, 2.25), at(7.0, 0.75)]);
    // Edges longer than both floors and off them by the radius: moved onto the floors and cut.
    let mut grid = Grid::new("..\n##\n#.");
    grid.vertex = Box::new(|column, row| [column * 4 * METRE, 0, row * METRE]);
    let content = grid.content();
    let over = edge(&content, [3.0, 0.0, 1.125], [3.0, 0.0, 1.875], [12.0, 0.0], HERE);
    let mesh = crate::common::mesh([linked(content, vec![over])]);
    let link = mesh.off_mesh(mesh.off_mesh_links().next().unwrap()).unwrap();
    assert_eq!(link.edges(), None, "the middle is beside the floors");
    let mut grid = Grid::new("..\n##\n#.");
    grid.vertex = Box::new(|column, row| [column * 4 * METRE, 0, row * METRE]);
    let content = grid.content();
    let over = edge(&content, [3.0, 0.0, 1.125], [3.0, 0.0, 1.875], [8.0, 0.0], HERE);
    let mesh = crate::common::mesh([linked(content, vec![over])]);
    let link = mesh.off_mesh(mesh.off_mesh_links().next().unwrap()).unwrap();
    let edges = link.edges().unwrap();
    let expected = [[at(4.0, 1.0), at(8.0, 1.0)], [at(4.0, 2.0), at(8.0, 2.0)]];
    for (one, other) in edges.as_flattened().iter().zip(expected.as_flattened()) {
        assert!(one.distance(*other) < 0.01, "{edges:?}");
    }
}

/// Squares along each side of a tile.
const SQUARES: i32 = 4;

fn random_level(seed: u64) -> Vec<(TileContent, Vec<OffMeshLink>)> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let coords = [(0, 0, 0), (1, 0, 0), (0, 0, 1)].map(|(x, z, layer)| TileCoord { x, z, layer });
    let tile = |coord: TileCoord| {
        let walls = [15, 35][seed as usize % 2];
        let square = |random: &mut Random| if random.below(100) < walls { '#' } else { '.' };
        let row = |random: &mut Random| (0..SQUARES).map(|_| square(random)).collect::<String>();
        let text = (0..SQUARES).map(|_| row(&mut random)).collect::<Vec<_>>().join(" ");
        let mut lines = || -> Vec<i32> {
            let inner = (1..SQUARES).map(|at| at * METRE + random.below(900) as i32 - 450);
            [0].into_iter().chain(inner).chain([SQUARES * METRE]).collect()
        };
        let (columns, rows) = (lines(), lines());
        let mut grid = Grid::tiled(&text, coord.x, coord.z);
        grid.coord = coord;
        grid.vertex = Box::new(move |column, row| {
            [columns[column as usize], coord.layer * 3 * METRE_UP, rows[row as usize]]
        });
        let content = grid.content();
        let links = (0..1 + random.below(4)).map(|_| random_link(&content, coord, &coords, &mut random));
        let links = links.collect();
        (content, links)
    };
    coords.map(tile).into()
}

fn random_link(
    content: &TileContent,
    from: TileCoord,
    coords: &[TileCoord],
    random: &mut Random,
) -> OffMeshLink {
    let along =
        |tile: i32, random: &mut Random| (tile * SQUARES) as f32 + SQUARES as f32 * unit(random) as f32;
    let start = [along(from.x, random), from.layer as f32 * 3.0, along(from.z, random)];
    let to = coords[random.below(coords.len() as u64) as usize];
    let end = [along(to.x, random), to.layer as f32 * 3.0, along(to.z, random)];
    let vector = [0, 0].map(|_| 3.0 * unit(random) as f32 - 1.5);
    OffMeshLink { direction: random.below(2) as u8, ..edge(content, start, end, vector, to) }
}

/// Links between points along the edges that a mesh found for its links, as records of the same tiles.
fn sampled(level: &[(TileContent, Vec<OffMeshLink>)], edges: &NavMesh) -> NavMesh {
    let mut of_mesh = edges.off_mesh_links();
    // The polygons that each link leads from and to, by its number.
    let mut polygons = Vec::new();
    let mut tiles = Vec::new();
    for (content, links) in level {
        let mut points = Vec::new();
        for record in linked(content.clone(), links.clone()).off_mesh_links() {
            let over = edges.off_mesh(of_mesh.next().unwrap()).unwrap();
            let Some([start, end]) = over.edges() else { continue };
            let [x, z, layer] = record.end_tile;
            for sample in 0..=SAMPLES {
                let share = sample as f32 / SAMPLES as f32;
                let of = |edge: [Vec3; 2]| edge[0].lerp(edge[1], share).to_array();
                let point = link(content, of(start), of(end), TileCoord { x, z, layer });
                let (direction, user_id) = (record.direction, polygons.len() as u64);
                points.push(OffMeshLink { direction, user_id, radius: 8, ..point });
            }
            polygons.push(over.ends.unwrap().map(|end| end.polygon));
        }
        tiles.push((content, points));
    }
    let built = |tiles: &[(&TileContent, Vec<OffMeshLink>)]| {
        mesh(
            tiles
                .iter()
                .map(|(content, points)| linked((*content).clone(), points.clone()))
                .collect::<Vec<_>>(),
        )
    };
    // Points on the outline of their polygon may be on another polygon too, which need not be a neighbour.
    let first = built(&tiles);
    let mut all = first.off_mesh_links();
    for (content, points) in &mut tiles {
        *points = linked((*content).clone(), points.clone()).off_mesh_links().to_vec();
        points.retain(|point| {
            let ends = first.off_mesh(all.next().unwrap()).unwrap().ends;
            ends.map(|ends| ends.map(|end| end.polygon)) == Some(polygons[point.user_id as usize])
        });
    }
    built(&tiles)
}

/// Takes the links of a path as an agent at their entries does.
fn take_links(mesh: &NavMesh, path: &ShortestPath) {
    let goal = path.corners.last().unwrap().point;
    for pair in path.corners.windows(2).filter(|pair| pair[0].kind == CornerKind::LinkStart) {
        let [start, end] = [pair[0], pair[1]];
        let at = path.polygons.iter().position(|polygon| *polygon == start.polygon).unwrap();
        let mut corridor = Corridor::new(Place { polygon: path.polygons[at - 1], point: start.point });
        assert!(corridor.set_path(mesh, &path.polygons[at - 1..], goal).unwrap());
        let ahead = corridor.link_ahead(mesh).unwrap().unwrap();
        assert!(ahead.link == start.polygon && ahead.on_start_polygon && ahead.distance < 1e-5, "{ahead:?}");
        assert!(ahead.start.point.distance(start.point) < 1e-4, "{ahead:?} {start:?}");
        assert!(ahead.end.point.distance(end.point) < 1e-4, "{ahead:?} {end:?}");
        assert_eq!(corridor.move_over_link(mesh, ahead.link).unwrap(), Some(ahead.end));
        assert!(corridor.is_valid(mesh, usize::MAX, &Filter::default()));
        let mut straight = StraightPath::default();
        corridor.corners(&mut Query::new(), mesh, &StraightOptions::default(), &mut straight).unwrap();
        let rest: f64 = path
            .corners
            .iter()
            .position(|corner| corner == &end)
            .map_or(0.0, |at| length(&path.corners[at..]));
        let ahead = length(&[&[end], &straight.corners[..]].concat());
        assert!((ahead - rest).abs() < 5e-3, "{straight:?} {rest} {path:?}");
    }
}

#[test]
fn shortest_paths_are_those_of_many_links_between_points() {
    let levels = std::env::var("DETOUR_EDGE_LEVELS").map_or(LEVELS, |text| text.parse().unwrap());
    let (mut over_edges, mut inside) = (0, 0);
    for seed in 0..levels {
        let level = random_level(seed);
        let tiles = level.iter().map(|(content, links)| linked(content.clone(), links.clone()));
        let edges = mesh(tiles.collect::<Vec<_>>());
        let points = sampled(&level, &edges);
        let polygons: Vec<PolyRef> = edges.polygons().collect();
        let mut random = Random((seed + 77).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for pair in 0..20 {
            let ends = [0, 0].map(|_| random_place(&edges, &polygons, &mut random));
            let path = shortest(&edges, ends);
            let other = shortest(&points, ends);
            let taken = path.corners.iter().filter(|corner| corner.kind == CornerKind::LinkStart);
            let taken: Vec<_> = taken.map(|corner| edges.off_mesh(corner.polygon).unwrap().edges()).collect();
            let case = format!("seed {seed} pair {pair}: {ends:?}\n{path:?}\nover {taken:?}\n{other:?}");
            assert!(is_linked(&edges, &path.polygons), "{case}");
            assert_eq!(path.status.reason(), other.status.reason(), "{case}");
            if path.status != PathStatus::Complete {
                continue;
            }
            let links = path.corners.iter().filter(|corner| corner.kind == CornerKind::LinkStart).count();
            over_edges += usize::from(links > 0);
            // Samples are rounded to 1/1024 m, and up to 1/48 of an edge of 2 m apart.
            let (slack, coarse) = (0.004 * (links + 1) as f64, 0.05 * (links + 1) as f64);
            assert!(path.length_from_above <= other.length_from_above + slack, "{case}");
            assert!(path.length_from_above >= other.length_from_above - coarse, "{case}");
            let string =
                pulled(&edges, [path.corners[0].point, path.corners.last().unwrap().point], &path.polygons);
            assert!((length(&string) - path.length_from_above).abs() < 2e-3, "{case}\n{string:?}");
            take_links(&edges, &path);
            inside += usize::from(links > 0 && crosses_inside(&edges, &path));
            check_others(&edges, ends, &path, &case);
        }
    }
    assert!(over_edges > levels as usize && inside > levels as usize / 2, "{over_edges} {inside}");
}

/// Returns true if a path crosses a link elsewhere than at an end of its edge.
fn crosses_inside(mesh: &NavMesh, path: &ShortestPath) -> bool {
    path.corners.iter().filter(|corner| corner.kind == CornerKind::LinkStart).any(|corner| {
        let edges = mesh.off_mesh(corner.polygon).unwrap().edges().unwrap();
        edges.as_flattened().iter().all(|end| end.distance(corner.point) > 0.02)
    })
}

/// Checks the usual path and the distance of a field.
fn check_others(mesh: &NavMesh, ends: [Place; 2], shortest: &ShortestPath, case: &str) {
    let (mut query, mut path, filter) = (Query::new(), Path::default(), Filter::default());
    query.find_path(mesh, ends[0], ends[1], &filter, &PathOptions::default(), &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Complete, "{case}");
    let string = length(&pulled(mesh, ends.map(|end| end.point), &path.polygons));
    assert!(string >= shortest.length_from_above - 2e-3, "{case}\n{string} {path:?}");
    let mut field = Field::default();
    query.field(mesh, &[ends[1]], f32::INFINITY, &filter, &mut field).unwrap();
    let distance = f64::from(field.distance(mesh, ends[0]).unwrap());
    let links = shortest.corners.iter().filter(|corner| corner.kind == CornerKind::LinkStart).count() as f64;
    assert!(distance >= shortest.length_from_above - 2e-3, "{case}\n{distance}");
    assert!(distance <= shortest.length_from_above + 0.5 * links + 2e-3, "{case}\n{distance}");
}

#[test]
fn an_agent_that_follows_a_field_crosses_at_its_points() {
    let mesh = two_floors();
    let (mut query, filter, mut field) = (Query::new(), Filter::default(), Field::default());
    let goal = place(&mesh, at(6.0, 2.75));
    query.field(&mesh, &[goal], f32::INFINITY, &filter, &mut field).unwrap();
    let mut agent = place(&mesh, at(2.0, 0.25));
    let step = field.next(&mesh, agent).unwrap();
    assert_eq!((step.kind, step.point), (CornerKind::LinkStart, at(4.0, 0.75)));
    let mut slide = Slide::default();
    query.slide(&mesh, agent, step.point, &filter, &mut slide).unwrap();
    agent = mesh.link_crossing(step.link.unwrap(), false, slide.point).unwrap().unwrap()[1];
    assert!((field.distance(&mesh, agent).unwrap() - 2.0f32.hypot(0.5)).abs() < 1e-3);
}
