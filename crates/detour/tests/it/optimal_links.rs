//! Shortest paths over off-mesh links, compared with those of an independent visibility graph.

use crate::common;
use crate::common::links::{length, link, linked, pulled};
use crate::common::visibility::{Graph, random_place};
use crate::common::{Grid, METRE, METRE_UP, Random, at, is_linked, mesh, place, unit};
use detour::{
    Corner, CornerKind, Corridor, CostModel, Filter, NavMesh, Optimality, PartialReason, Passable, Path,
    PathOptions, PathStatus, Place, PolyRef, Query, Reachable, RouteOptions, ShortestPath, Vec3,
};
use navtile::layout::OffMeshLink;
use navtile::{TileContent, TileCoord};
use std::num::NonZeroU32;

/// Number of random levels to compare, unless `DETOUR_LINK_LEVELS` is set.
const LEVELS: u64 = 90;
/// Pairs of places per level.
const PAIRS: usize = 40;

fn levels() -> u64 {
    std::env::var("DETOUR_LINK_LEVELS").map_or(LEVELS, |text| text.parse().unwrap())
}

/// The links among some polygons.
fn links_of(mesh: &NavMesh, polygons: &[PolyRef]) -> Vec<PolyRef> {
    polygons.iter().copied().filter(|polygon| mesh.is_off_mesh(*polygon).unwrap()).collect()
}

/// Checks every answer: polygons and links that lead to one another and pass the filter, the corners of the
/// string through them, its length, and a corridor that can walk it.
fn assert_sound(mesh: &NavMesh, path: &ShortestPath, filter: &Filter) {
    assert!(is_linked(mesh, &path.polygons), "{path:?}");
    assert!(path.corners.len() >= 2 && path.corners[0].kind == CornerKind::Start, "{path:?}");
    let (first, last) = (path.corners[0], path.corners[path.corners.len() - 1]);
    assert_eq!((last.kind, Some(&last.polygon)), (CornerKind::End, path.polygons.last()));
    assert!((length(&path.corners) - path.length_from_above).abs() <= 1e-9 * path.length_from_above);
    for polygon in &path.polygons[1..] {
        assert!(filter.passes(&mesh.attributes(*polygon).unwrap()), "{path:?}");
    }
    // Ends are moved by up to 1/128 cell.
    let slack = 1e-4 * path.length_from_above + mesh.lattice().unwrap().cell_size / 64.0;
    let string = pulled(mesh, [first.point, last.point], &path.polygons);
    assert!(
        (length(&string) - path.length_from_above).abs() <= slack,
        "{} {path:?}\n{string:?}",
        length(&string)
    );
    // The ends of links are those of the string, in the same order.
    let ends = |corners: &[Corner]| -> Vec<Corner> {
        let of_link = |corner: &&Corner| matches!(corner.kind, CornerKind::LinkStart | CornerKind::LinkEnd);
        corners.iter().filter(of_link).copied().collect()
    };
    assert_eq!(ends(&path.corners), ends(&string));
    let taken: Vec<PolyRef> = ends(&path.corners).chunks(2).map(|link| link[0].polygon).collect();
    assert_eq!(taken, links_of(mesh, &path.polygons));
    for corner in ends(&path.corners).chunks(2) {
        let [start, end] = mesh.off_mesh(corner[0].polygon).unwrap().ends.unwrap();
        let both = [corner[0].point, corner[1].point];
        assert!(both == [start.point, end.point] || both == [end.point, start.point], "{corner:?}");
        assert_eq!(
            corner.iter().map(|c| c.kind).collect::<Vec<_>>(),
            [CornerKind::LinkStart, CornerKind::LinkEnd]
        );
    }
    assert_walked(mesh, path, filter);
}

/// Checks that a corridor takes the path and all of its links, in order.
fn assert_walked(mesh: &NavMesh, path: &ShortestPath, filter: &Filter) {
    let (first, last) = (path.corners[0], path.corners[path.corners.len() - 1]);
    let mut corridor = Corridor::new(Place { polygon: path.polygons[0], point: first.point });
    assert!(corridor.set_path(mesh, &path.polygons, last.point).unwrap());
    for link in links_of(mesh, &path.polygons) {
        let ahead = corridor.link_ahead(mesh).unwrap().unwrap();
        assert_eq!(ahead.link, link);
        assert_eq!(corridor.move_over_link(mesh, link).unwrap(), Some(ahead.end));
        assert!(corridor.is_valid(mesh, usize::MAX, filter));
    }
    assert_eq!(corridor.link_ahead(mesh).unwrap(), None);
}

fn shortest(mesh: &NavMesh, ends: [Place; 2], filter: &Filter) -> ShortestPath {
    let mut path = ShortestPath::default();
    Query::new().shortest_path(mesh, ends[0], ends[1], &Passable::of(filter), &mut path).unwrap();
    assert_sound(mesh, &path, filter);
    path
}

fn between(mesh: &NavMesh, from: Vec3, to: Vec3) -> ShortestPath {
    shortest(mesh, [from, to].map(|p| place(mesh, p)), &Filter::default())
}

/// A one-way link within a tile or to another.
fn one_way(content: &TileContent, start: [f32; 3], end: [f32; 3], to: TileCoord) -> OffMeshLink {
    OffMeshLink { direction: 0, ..link(content, start, end, to) }
}

const HERE: TileCoord = TileCoord { x: 0, z: 0, layer: 0 };

#[test]
fn a_link_is_taken_where_it_is_the_shorter_way_and_only_then() {
    // Two floors that join at their far end, 11 m off, and a link over the gap at `x`.
    let row = "............";
    let gap = "###########.";
    for (x, taken) in [(4.5, true), (10.5, true), (11.75, false)] {
        let content = Grid::new(&format!("{row}\n{gap}\n{gap}\n{row}")).content();
        let over = link(&content, [x, 0.0, 0.5], [x, 0.0, 3.5], HERE);
        let mesh = mesh([linked(content, vec![over])]);
        for [from, to] in [[at(0.5, 0.25), at(0.75, 3.75)], [at(0.75, 3.75), at(0.5, 0.25)]] {
            let found = between(&mesh, from, to);
            assert_eq!(found.status, PathStatus::Complete);
            assert_eq!(links_of(&mesh, &found.polygons).len(), usize::from(taken), "{x}");
            let foot = |p: Vec3, z: f32| f64::from(p.distance(at(x, z)));
            let over = foot(at(0.5, 0.25), 0.5) + 3.0 + foot(at(0.75, 3.75), 3.5);
            assert!(!taken || (found.length_from_above - over).abs() < 1e-6, "{found:?}");
        }
    }
}

#[test]
fn links_are_chosen_by_the_length_of_the_path() {
    // Two rooms 12 m wide, one row apart, that join around a pillar at the end, 1 m wide.
    let mut grid = Grid::new("..\n..\n#.\n..");
    grid.vertex = Box::new(|column, row| [[0, 12, 13][column as usize] * METRE, 0, row * METRE]);
    let content = grid.content();
    let ends = [at(9.5, 0.5), at(9.5, 3.5)];
    let round = 2.5f64.hypot(1.5) + 1.0 + 2.5f64.hypot(0.5);
    for (start, end, expected, taken) in [
        // Straight ahead, beyond an edge whose middle is far aside.
        ([9.5, 0.0, 1.5], [9.5, 0.0, 3.5], 3.0, 1),
        // Near, but longer than the path around.
        ([9.5, 0.0, 0.5], [6.5, 0.0, 3.5], round, 0),
    ] {
        let mesh = mesh([linked(content.clone(), vec![link(&content, start, end, HERE)])]);
        let found = between(&mesh, ends[0], ends[1]);
        assert!((found.length_from_above - expected).abs() < 1e-5, "{found:?}");
        let (mut path, places) = (Path::default(), ends.map(|end| place(&mesh, end)));
        for optimality in [Optimality::Fast, Optimality::Near] {
            let (options, filter) = (PathOptions { optimality }, Filter::default());
            Query::new().find_path(&mesh, places[0], places[1], &filter, &options, &mut path).unwrap();
            let counts = [&found.polygons, &path.polygons].map(|polygons| links_of(&mesh, polygons).len());
            assert_eq!(counts, [taken; 2]);
            assert!((length(&pulled(&mesh, ends, &path.polygons)) - expected).abs() < 1e-5);
        }
    }
}

#[test]
fn links_follow_one_another_and_are_taken_again() {
    // Islands in a row. The path crosses each from the landing to the start of the next link.
    let content = Grid::new(".#.#.#.#.").content();
    let hop = |from: f32, z: [f32; 2]| link(&content, [from, 0.0, z[0]], [from + 2.0, 0.0, z[1]], HERE);
    let hops = [0.5, 2.5, 4.5, 6.5].map(|from| hop(from, [0.25, 0.75])).to_vec();
    let chain = mesh([linked(content.clone(), hops)]);
    for [from, to] in [[at(0.5, 0.25), at(8.5, 0.75)], [at(8.5, 0.75), at(0.5, 0.25)]] {
        let found = between(&chain, from, to);
        assert_eq!((links_of(&chain, &found.polygons).len(), found.polygons.len()), (4, 9));
        assert!((found.length_from_above - (4.0 * 4.25f64.sqrt() + 1.5)).abs() < 1e-6, "{found:?}");
    }
    // Each link starts at the end of the link before.
    let hops = [0.5, 2.5, 4.5, 6.5].map(|from| hop(from, [0.5, 0.5])).to_vec();
    let found = between(&mesh([linked(content.clone(), hops)]), at(0.5, 0.5), at(8.5, 0.5));
    assert_eq!((found.length_from_above, found.corners.len()), (8.0, 10));
    // The path straight over the last island is as short as a link next to it.
    let content = Grid::new("....").content();
    let beside = link(&content, [0.5, 0.0, 0.5], [3.5, 0.0, 0.5], HERE);
    let level = mesh([linked(content, vec![beside])]);
    let found = between(&level, at(0.25, 0.5), at(3.75, 0.5));
    assert_eq!(
        (found.length_from_above, links_of(&level, &found.polygons).len(), found.polygons.len()),
        (3.5, 0, 4)
    );
}

#[test]
fn one_way_links_lead_one_way() {
    let content = Grid::new("..#..").content();
    let over = one_way(&content, [1.5, 0.0, 0.5], [3.5, 0.0, 0.5], HERE);
    let mesh = mesh([linked(content, vec![over])]);
    let there = between(&mesh, at(0.5, 0.5), at(4.5, 0.5));
    assert_eq!((there.status, there.length_from_above), (PathStatus::Complete, 4.0));
    let kinds: Vec<CornerKind> = there.corners.iter().map(|corner| corner.kind).collect();
    assert_eq!(kinds, [CornerKind::Start, CornerKind::LinkStart, CornerKind::LinkEnd, CornerKind::End]);
    assert_eq!(there.corners[1].polygon, there.polygons[2]);
    assert_eq!(there.corners[2].polygon, there.polygons[3]);
    let back = between(&mesh, at(4.5, 0.5), at(0.5, 0.5));
    assert_eq!(back.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!((back.corners[1].point, back.polygons.len()), (at(3.0, 0.5), 2));
}

#[test]
fn links_that_come_back_to_their_polygon_are_not_taken() {
    // In one polygon; and around over another, from the point where the path leaves the polygon to the point
    // where it comes back.
    let content = Grid::new(".....#..").content();
    let within = link(&content, [0.1, 0.0, 0.5], [0.9, 0.0, 0.5], HERE);
    let away = one_way(&content, [0.5, 0.0, 0.25], [6.5, 0.0, 0.5], HERE);
    let back = one_way(&content, [7.5, 0.0, 0.5], [0.5, 0.0, 0.75], HERE);
    let mesh = mesh([linked(content, vec![within, away, back])]);
    for (from, to, straight) in [(0.05, 0.95, 0.9), (0.0, 4.5, 4.5), (4.5, 0.0, 4.5)] {
        let found = between(&mesh, at(from, 0.5), at(to, 0.5));
        assert!((found.length_from_above - straight).abs() < 1e-6, "{found:?}");
        assert_eq!(links_of(&mesh, &found.polygons), []);
    }
    // From the island only this path exists, although it ends in the polygon that the other link starts in.
    let found = between(&mesh, at(6.25, 0.5), at(1.5, 0.5));
    assert_eq!((found.status, found.polygons.len()), (PathStatus::Complete, 5));
}

#[test]
fn a_polygon_is_not_visited_again_over_a_link_between_neighbours() {
    // A link along the path itself, over the edge between two polygons and from the edge.
    for (start, end) in [(0.5, 1.5), (1.0, 1.5), (0.5, 1.0), (1.0, 0.5), (1.5, 0.5)] {
        let content = Grid::new("..").content();
        let along = link(&content, [start, 0.0, 0.5], [end, 0.0, 0.5], HERE);
        let mesh = mesh([linked(content, vec![along])]);
        for (from, to) in [(0.25, 1.75), (1.75, 0.25), (0.5, 1.5), (1.0, 1.5), (1.5, 1.0), (1.0, 1.0)] {
            let found = between(&mesh, at(from, 0.5), at(to, 0.5));
            assert!((found.length_from_above - f64::from((to - from).abs())).abs() < 1e-6);
            assert!(found.polygons.len() <= 2 && links_of(&mesh, &found.polygons).is_empty(), "{found:?}");
        }
    }
}

#[test]
fn ladders_count_their_height() {
    // Two places above one another on two storeys: straight up, or around by a longer link that is less
    // steep.
    let up = TileCoord { layer: 1, ..HERE };
    let content = Grid::tiled("...", 0, 0).content();
    let ladder = link(&content, [1.5, 0.0, 0.5], [1.5, 3.0, 0.5], up);
    let mut above = Grid::tiled("...", 0, 0);
    above.coord = up;
    above.vertex = Box::new(|column, row| [column * METRE, 3 * METRE_UP, row * METRE]);
    let mesh = mesh([linked(content, vec![ladder]), above.tile()]);
    for [from, to] in [[at(0.5, 0.5), Vec3::new(0.5, 3.0, 0.5)], [Vec3::new(1.5, 3.0, 0.5), at(1.5, 0.5)]] {
        let found = between(&mesh, from, to);
        let ground = f64::from((from.x - 1.5).abs() + (to.x - 1.5).abs());
        assert_eq!((found.status, found.length_from_above), (PathStatus::Complete, ground + 3.0));
        assert_eq!(links_of(&mesh, &found.polygons).len(), 1);
    }
}

#[test]
fn flags_close_links_and_what_they_lead_to() {
    let content = Grid::new("..#2.#.").content();
    let over = |from: f32, to: f32, flags: u32| OffMeshLink {
        flags,
        ..link(&content, [from, 0.0, 0.5], [to, 0.0, 0.5], HERE)
    };
    // A short link onto ground with other flags, and a link past it.
    let mut mesh =
        mesh([linked(content.clone(), vec![over(1.5, 3.5, 4), over(0.5, 4.5, 8), over(4.5, 6.5, 1)])]);
    let ends = [place(&mesh, at(1.5, 0.5)), place(&mesh, at(6.5, 0.5))];
    for (exclude, length) in [(0, Some(5.0)), (4, Some(7.0)), (2, Some(7.0)), (8, Some(5.0)), (12, None)] {
        let found = shortest(&mesh, ends, &Filter::default().with_exclude(exclude));
        let complete = found.status == PathStatus::Complete;
        assert_eq!(complete.then_some(found.length_from_above), length, "{exclude}: {found:?}");
    }
    // Also at run time. Without a connection, the path ends at the nearest point.
    let first = mesh.off_mesh_links().find(|link| mesh.attributes(*link).unwrap().flags == 4);
    mesh.set_flags(first.unwrap(), 0x40).unwrap();
    let found = shortest(&mesh, ends, &Filter::default().with_exclude(0x40));
    assert_eq!(found.length_from_above, 7.0);
    let found = shortest(&mesh, ends, &Filter::default().with_exclude(0x48));
    assert_eq!(
        (found.status.reason(), found.corners[1].point),
        (Some(PartialReason::Unreachable), at(2.0, 0.5))
    );
}

#[test]
fn a_partial_path_may_end_beyond_a_link() {
    // The goal is on an island; the link leads to another that is nearer.
    let content = Grid::new("..#..#.").content();
    let over = link(&content, [1.5, 0.0, 0.5], [3.5, 0.0, 0.5], HERE);
    let mesh = mesh([linked(content, vec![over])]);
    let found = between(&mesh, at(0.5, 0.5), at(6.5, 0.25));
    assert_eq!(found.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!((found.corners.last().unwrap().point, found.polygons.len()), (at(5.0, 0.25), 5));
    // Onto an island of one polygon, all of it visible from the landing.
    let content = Grid::new("..#.#.").content();
    let over = link(&content, [1.5, 0.0, 0.5], [3.25, 0.0, 0.5], HERE);
    let mesh = common::mesh([linked(content, vec![over])]);
    let found = between(&mesh, at(0.5, 0.5), at(5.5, 0.25));
    assert_eq!((found.corners.last().unwrap().point, found.polygons.len()), (at(4.0, 0.25), 4));
}

/// Random ends: places in polygons, and ends of links.
fn random_end(mesh: &NavMesh, polygons: &[PolyRef], random: &mut Random) -> Place {
    let links: Vec<PolyRef> = mesh.off_mesh_links().collect();
    if random.below(8) == 0 && !links.is_empty() {
        let link = mesh.off_mesh(links[random.below(links.len() as u64) as usize]).unwrap();
        let ends = link.ends.filter(|ends| ends.iter().all(|end| polygons.contains(&end.polygon)));
        if let Some(ends) = ends {
            return ends[random.below(2) as usize];
        }
    }
    random_place(mesh, polygons, random)
}

/// Squares along each side of a tile of a random level.
const SQUARES: i32 = 4;

/// Two by two tiles, cut differently, some with a storey above, and links between any of them; some links are
/// short, and some have flag 8.
fn random_level(seed: u64) -> NavMesh {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut coords: Vec<TileCoord> = Vec::new();
    for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let layers = if random.below(3) == 0 { 2 } else { 1 };
        coords.extend((0..layers).map(|layer| TileCoord { x, z, layer }));
    }
    // From few walls to walls that cut the floor into islands; with few links or many.
    let walls = [10, 25, 45][seed as usize % 3];
    let most_links = [4, 10, 20][seed as usize / 3 % 3];
    let tiles: Vec<_> =
        coords.iter().map(|coord| random_tile(*coord, walls, &coords, most_links, &mut random)).collect();
    mesh(tiles)
}

fn random_tile(
    coord: TileCoord,
    walls: u64,
    coords: &[TileCoord],
    most_links: u64,
    random: &mut Random,
) -> navtile::Tile {
    let square = |random: &mut Random| match random.below(100) {
        roll if roll < walls => '#',
        roll if roll < walls + 8 => '2',
        _ => '.',
    };
    let row = |random: &mut Random| (0..SQUARES).map(|_| square(random)).collect::<String>();
    let text = (0..SQUARES).map(|_| row(random)).collect::<Vec<_>>().join(" ");
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
    let records = (0..random.below(most_links + 1)).map(|_| random_link(&content, coord, coords, random));
    let records = records.collect();
    linked(content, records)
}

/// A link of any tile to any other, or to a place nearby; in one direction or both.
fn random_link(
    content: &TileContent,
    from: TileCoord,
    coords: &[TileCoord],
    random: &mut Random,
) -> OffMeshLink {
    let along =
        |tile: i32, random: &mut Random| (tile * SQUARES) as f32 + SQUARES as f32 * unit(random) as f32;
    let start = [along(from.x, random), from.layer as f32 * 3.0, along(from.z, random)];
    let (to, end) = if random.below(3) == 0 {
        let near = |at: f32, tile: i32, random: &mut Random| {
            let low = (tile * SQUARES) as f32;
            (at + 2.0 * unit(random) as f32 - 1.0).clamp(low, low + SQUARES as f32)
        };
        (from, [near(start[0], from.x, random), start[1], near(start[2], from.z, random)])
    } else {
        let to = coords[random.below(coords.len() as u64) as usize];
        (to, [along(to.x, random), to.layer as f32 * 3.0, along(to.z, random)])
    };
    let (direction, flags) = (random.below(2) as u8, 1 << (random.below(4) / 3 * 3));
    OffMeshLink { direction, flags, ..link(content, start, end, to) }
}

/// Counts over many pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    complete: usize,
    partial: usize,
    over_links: usize,
    over_several: usize,
    /// The largest difference of lengths, metres.
    apart: f64,
    /// Compared with the usual path, and with the path by entry points: the number of cases where only the
    /// shortest takes links, where only the other takes links, and where the shortest is shorter by a
    /// hundredth.
    only_shortest: [usize; 2],
    only_usual: [usize; 2],
    shorter: [usize; 2],
}

/// Compares random pairs of a level with the visibility graph, and with the usual paths.
fn compare(mesh: &NavMesh, seed: u64, filter: &Filter, seen: &mut Seen) {
    let model = Passable::of(filter);
    let graph = Graph::of_what_passes(mesh, &model);
    let polygons: Vec<PolyRef> =
        mesh.polygons().filter(|polygon| model.passes(&mesh.attributes(*polygon).unwrap())).collect();
    let mut random = Random((seed + 77).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut query, mut path, mut usual) = (Query::new(), ShortestPath::default(), Path::default());
    let cell = mesh.lattice().unwrap().cell_size;
    for pair in 0..PAIRS {
        let ends = [0, 0].map(|_| random_end(mesh, &polygons, &mut random));
        query.shortest_path(mesh, ends[0], ends[1], &model, &mut path).unwrap();
        assert_sound(mesh, &path, filter);
        let expected = graph.shortest(ends[0], ends[1]);
        let case = format!("seed {seed} pair {pair}: {ends:?} {expected} {path:?}");
        for (by, optimality) in [Optimality::Fast, Optimality::Near].into_iter().enumerate() {
            query.find_path(mesh, ends[0], ends[1], filter, &PathOptions { optimality }, &mut usual).unwrap();
            assert_eq!(usual.status.reason(), path.status.reason(), "{case}");
            if usual.status != PathStatus::Complete {
                continue;
            }
            let string = length(&pulled(mesh, ends.map(|end| end.point), &usual.polygons));
            assert!(path.length_from_above <= string + cell / 32.0, "{case} {string} {usual:?}");
            let counts = [&path.polygons, &usual.polygons].map(|polygons| links_of(mesh, polygons).len());
            seen.only_shortest[by] += usize::from(counts[0] > 0 && counts[1] == 0);
            seen.only_usual[by] += usize::from(counts[0] == 0 && counts[1] > 0);
            seen.shorter[by] += usize::from(path.length_from_above < 0.99 * string);
        }
        if path.status != PathStatus::Complete {
            assert!(expected.is_infinite(), "{case}");
            seen.partial += 1;
            continue;
        }
        // If rounding put start and goal outside, they are moved by up to 1/128 cell, and may pass a corner.
        seen.apart = seen.apart.max((path.length_from_above - expected).abs());
        assert!((path.length_from_above - expected).abs() < 1e-4 + cell / 64.0, "{case}");
        seen.complete += 1;
        let links = links_of(mesh, &path.polygons);
        seen.over_links += usize::from(!links.is_empty());
        seen.over_several += usize::from(links.len() > 1);
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "how many ways of each kind were compared is printed")]
fn random_links_give_the_lengths_of_a_visibility_graph() {
    let (mut seen, levels) = (Seen::default(), levels());
    for seed in 0..levels {
        // Sometimes excludes flag 2, a part of the ground, or flag 8, a part of the links.
        let exclude = [0, 8, 0, 2, 10][seed as usize % 5];
        compare(&random_level(seed), seed, &Filter::default().with_exclude(exclude), &mut seen);
    }
    println!("{levels} levels of {PAIRS} pairs: {seen:?}");
    let least = levels as usize * PAIRS / 10;
    assert!(seen.complete > 3 * least && seen.partial > least && seen.over_links > 2 * least, "{seen:?}");
    assert!(seen.over_several > least / 4 && seen.shorter[0] > 0, "{seen:?}");
    // By default one path in ten, and near the shortest one in a hundred, may be longer by a hundredth.
    assert!(seen.shorter[0] * 10 < seen.complete && seen.shorter[1] * 100 < seen.complete, "{seen:?}");
}

#[test]
fn the_shortest_routes_are_what_the_search_finds() {
    let options = RouteOptions {
        half_extents: Vec3::splat(0.25),
        optimality: Optimality::Shortest,
        ..RouteOptions::default()
    };
    let (mut over_links, mut cut_off, mut query) = (0, 0, Query::new());
    for seed in 0..30 {
        let (mesh, filter) = (random_level(seed), Filter::default().with_exclude(8));
        let mut random = Random(seed + 29);
        for _ in 0..10 {
            let [from, to] =
                [0, 0].map(|_| query.random_point(&mesh, &filter, || unit(&mut random)).unwrap().point);
            let route = query.route(&mesh, from, to, &filter, &options).unwrap();
            assert!(is_linked(&mesh, &route.polygons));
            let ends = [route.start.place(), route.goal.place()];
            let found = shortest(&mesh, ends, &filter);
            assert_eq!(route.status, found.status, "seed {seed}");
            if mesh.reachable(ends[0].polygon, ends[1].polygon, &filter).unwrap() == Reachable::No {
                // The usual search knows its goal at once.
                cut_off += 1;
                continue;
            }
            assert_eq!(
                (&route.polygons, route.cost),
                (&found.polygons, found.length_from_above),
                "seed {seed}"
            );
            over_links += usize::from(!links_of(&mesh, &route.polygons).is_empty());
            // A route that is reported as complete is the shortest, even with few nodes.
            let mut short = Query::with_max_nodes(NonZeroU32::new(found.touched as u32 / 2 + 1).unwrap());
            let route = short.route(&mesh, from, to, &filter, &options).unwrap();
            match route.reason() {
                None => assert!((route.cost - found.length_from_above).abs() < 1e-9),
                Some(reason) => {
                    assert!(reason == PartialReason::OutOfNodes || Some(reason) == found.status.reason())
                }
            }
        }
    }
    assert!(over_links > 20 && cut_off > 10, "{over_links} {cut_off}");
}

#[test]
fn few_nodes_make_a_partial_path_and_never_a_wrong_one() {
    let (mut partial, mut complete) = (0, 0);
    for seed in 0..12 {
        let mesh = random_level(seed);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 13);
        let ends = [0, 0].map(|_| random_end(&mesh, &polygons, &mut random));
        let filter = Filter::default();
        let whole = shortest(&mesh, ends, &filter);
        for nodes in 1..whole.touched as u32 + 2 {
            let mut path = ShortestPath::default();
            let mut query = Query::with_max_nodes(NonZeroU32::new(nodes).unwrap());
            query.shortest_path(&mesh, ends[0], ends[1], &Passable::default(), &mut path).unwrap();
            assert_sound(&mesh, &path, &filter);
            assert!(path.touched <= nodes as usize);
            match path.status {
                PathStatus::Complete => {
                    complete += 1;
                    assert!(
                        (path.length_from_above - whole.length_from_above).abs() < 1e-9,
                        "seed {seed}: {nodes} nodes"
                    );
                }
                PathStatus::Partial(reason) => {
                    partial += 1;
                    let enough = nodes as usize >= whole.touched;
                    assert_eq!(reason == PartialReason::OutOfNodes, !enough, "seed {seed}: {nodes} nodes");
                }
            }
        }
    }
    assert!(partial > 200 && complete > 12, "{partial} {complete}");
}

#[test]
fn the_answer_is_one_function_of_the_question() {
    for seed in 0..6 {
        let mesh = random_level(seed);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 3);
        let (mut warm, filter) = (Query::new(), Passable::default());
        for _ in 0..20 {
            let ends = [0, 0].map(|_| random_end(&mesh, &polygons, &mut random));
            let mut answers = [ShortestPath::default(), ShortestPath::default()];
            warm.shortest_path(&mesh, ends[0], ends[1], &filter, &mut answers[0]).unwrap();
            Query::new().shortest_path(&mesh, ends[0], ends[1], &filter, &mut answers[1]).unwrap();
            assert_eq!(answers[0], answers[1]);
        }
    }
}
