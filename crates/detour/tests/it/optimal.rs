//! Shortest paths, compared with those of an independent visibility graph.

use crate::common;
use crate::common::visibility::{Graph, random_place};
use crate::common::{
    Grid, METRE, METRE_UP, Random, at, helix, is_linked, place, random_grid, tile, uneven_grid,
};
use detour::{
    Attributes, CornerKind, CostModel, Crossings, Filter, NavMesh, PartialReason, Passable, Path,
    PathOptions, PathStatus, Place, PolyRef, Query, QueryError, ShortestPath, StraightPath, Vec3,
};
use recast::{PreparedLevel, Scratch, Silent};
use std::num::NonZeroU32;

fn shortest(mesh: &NavMesh, start: Place, goal: Place) -> ShortestPath {
    let mut path = ShortestPath::default();
    Query::new().shortest_path(mesh, start, goal, &Passable::default(), &mut path).unwrap();
    assert_sound(mesh, &path);
    path
}

/// Checks every answer: linked polygons, a string that cannot be pulled shorter, and its length.
fn assert_sound(mesh: &NavMesh, path: &ShortestPath) {
    assert!(is_linked(mesh, &path.polygons), "{path:?}");
    let points: Vec<Vec3> = path.corners.iter().map(|corner| corner.point).collect();
    assert!(points.len() >= 2 && path.corners[0].kind == CornerKind::Start, "{path:?}");
    assert!(path.corners.last().unwrap().kind == CornerKind::End);
    let mut pulled = StraightPath::default();
    let (start, goal) = (points[0], points[points.len() - 1]);
    Query::new().straight_path(mesh, start, goal, &path.polygons, Crossings::None, &mut pulled).unwrap();
    let pulled: Vec<Vec3> = pulled.corners.iter().map(|corner| corner.point).collect();
    let again = length(&pulled);
    // Ends are moved by up to 1/128 cell.
    let slack = 1e-4 * path.length_from_above + mesh.lattice().unwrap().cell_size / 64.0;
    assert!((again - path.length_from_above).abs() <= slack, "{again} {path:?}\n{pulled:?}");
    assert!((length(&points) - path.length_from_above).abs() <= 1e-9 * path.length_from_above);
    // The polygon of each corner contains the corner, and is part of the path.
    for corner in &path.corners {
        assert!(path.polygons.contains(&corner.polygon), "{path:?}");
        let on = mesh.closest_point(corner.polygon, corner.point).unwrap().point;
        assert!((on - corner.point).with_y(0.0).length() < 1e-3, "{corner:?} {on}");
    }
}

fn length(points: &[Vec3]) -> f64 {
    points.windows(2).map(|pair| (pair[1].as_dvec3() - pair[0].as_dvec3()).with_y(0.0).length()).sum()
}

fn points(path: &ShortestPath) -> Vec<Vec3> {
    path.corners.iter().map(|corner| corner.point).collect()
}

fn between(mesh: &NavMesh, start: Vec3, goal: Vec3) -> ShortestPath {
    shortest(mesh, place(mesh, start), place(mesh, goal))
}

#[test]
fn a_clear_view_is_one_line() {
    let mesh = Grid::new("....\n....\n....").mesh();
    let found = between(&mesh, at(0.25, 0.5), at(3.75, 2.75));
    assert_eq!((found.status, points(&found)), (PathStatus::Complete, vec![at(0.25, 0.5), at(3.75, 2.75)]));
    let here = between(&mesh, at(0.25, 0.5), at(0.25, 0.5));
    assert_eq!((here.length_from_above, here.corners.len(), here.polygons.len()), (0.0, 2, 1));
    assert!(here.touched < 5);
}

#[test]
fn walls_are_walked_round_at_their_corners() {
    let mesh = Grid::new(".....\n.####\n.....\n####.\n.....").mesh();
    let found = between(&mesh, at(0.5, 0.5), at(0.5, 4.5));
    assert_eq!(points(&found), [at(0.5, 0.5), at(1.0, 2.0), at(4.0, 3.0), at(4.0, 4.0), at(0.5, 4.5)]);
    // Along a wall, from the wall, to the wall, and with only a wall between.
    let wall = Grid::new(".....\n..#..\n.....").mesh();
    for (start, goal, expected) in [
        (at(0.5, 1.0), at(4.5, 1.0), vec![at(0.5, 1.0), at(4.5, 1.0)]),
        (at(2.0, 1.0), at(3.0, 1.0), vec![at(2.0, 1.0), at(3.0, 1.0)]),
        (at(2.0, 1.0), at(3.0, 2.0), vec![at(2.0, 1.0), at(3.0, 1.0), at(3.0, 2.0)]),
        (at(2.5, 1.0), at(2.75, 2.0), vec![at(2.5, 1.0), at(3.0, 1.0), at(3.0, 2.0), at(2.75, 2.0)]),
        (at(0.0, 0.0), at(5.0, 3.0), vec![at(0.0, 0.0), at(3.0, 1.0), at(5.0, 3.0)]),
    ] {
        let found = between(&wall, start, goal);
        assert!((found.length_from_above - length(&expected)).abs() < 1e-6, "{start} {goal}: {found:?}");
        let back = between(&wall, goal, start);
        assert!((back.length_from_above - found.length_from_above).abs() < 1e-9);
    }
}

#[test]
fn missing_paths_are_reported() {
    let mesh = Grid::new("..#3").mesh();
    let found = between(&mesh, at(0.5, 0.5), at(3.5, 0.25));
    assert_eq!(found.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!(points(&found), [at(0.5, 0.5), at(2.0, 0.25)]);
    let mut path = ShortestPath::default();
    let ends = [at(0.5, 0.5), at(3.5, 0.25)].map(|p| place(&mesh, p));
    let walk = Passable::of(&Filter::default().with_exclude(4));
    Query::new().shortest_path(&mesh, ends[0], ends[1], &walk, &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Partial(PartialReason::GoalExcluded));
    // Floors that only touch at a corner are not connected.
    let touching = Grid::new(".#\n#.").mesh();
    let found = between(&touching, at(0.5, 0.5), at(1.5, 1.5));
    assert_eq!((found.status.reason(), found.polygons.len()), (Some(PartialReason::Unreachable), 1));
    // Two floors that touch at a corner and are connected elsewhere: the short path to the corner on one side
    // does not lead to the other.
    let round = Grid::new("..#..\n..#..\n##.##\n.....\n.....").mesh();
    assert!(between(&round, at(0.5, 0.5), at(4.5, 0.5)).status.reason().is_some());
    // A path may start on forbidden ground.
    let forbidden = Grid::new("2..").mesh();
    let ends = [at(0.5, 0.5), at(2.5, 0.5)].map(|p| place(&forbidden, p));
    let model = Passable::default().with_exclude(2);
    Query::new().shortest_path(&forbidden, ends[0], ends[1], &model, &mut path).unwrap();
    assert_eq!((path.status, path.length_from_above), (PathStatus::Complete, 2.0));
}

#[test]
fn a_model_without_costs_sees_what_the_filter_lets_pass() {
    for (include, exclude) in [(u32::MAX, 0), (0b011, 0), (u32::MAX, 0b100), (0b110, 0b010)] {
        let filter = Filter::default().with_include(include).with_exclude(exclude);
        let dear = filter.clone().with_area_cost(1, 9.0).unwrap();
        assert_eq!(Passable::of(&dear), Passable::default().with_include(include).with_exclude(exclude));
        let mesh = Grid::new("123456").mesh();
        for polygon in mesh.polygons() {
            let attributes = mesh.attributes(polygon).unwrap();
            assert_eq!(Passable::of(&dear).passes(&attributes), filter.passes(&attributes));
        }
    }
    let attributes = |area| {
        let mesh = Grid::new("1").mesh();
        Attributes { area, ..mesh.attributes(mesh.polygons().next().unwrap()).unwrap() }
    };
    for closed in [1, 63, 64, 255] {
        let passable = Passable::of(&Filter::default().without_area(closed));
        assert!(!passable.passes_all());
        for area in [1, 63, 64, 65, 255] {
            assert_eq!(passable.passes(&attributes(area)), area != closed);
        }
    }
}

#[test]
fn a_partial_path_ends_where_the_goal_is_nearest() {
    // The goal is beyond the wall at the far end of a long square, whose door is at its near end.
    let mut grid = Grid::new("...#.");
    grid.vertex = Box::new(|column, row| {
        let x = [0, METRE, 2 * METRE, 9 * METRE, 10 * METRE, 11 * METRE][column as usize];
        [x, 0, row * METRE]
    });
    let mesh = grid.mesh();
    let found = between(&mesh, at(0.5, 0.5), at(10.5, 0.25));
    assert_eq!(found.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!((points(&found), found.polygons.len()), (vec![at(0.5, 0.5), at(9.0, 0.25)], 3));
    // In a polygon that is only visible around a corner: the view runs along the wall before it.
    let mesh = Grid::new("..\n#.\n##\n#.").mesh();
    let found = between(&mesh, at(0.5, 1.0), at(1.25, 3.25));
    assert_eq!((points(&found), found.polygons.len()), (vec![at(0.5, 1.0), at(1.0, 1.0), at(1.25, 2.0)], 3));
    // The start is on an edge, and the goal is in the other polygon of that edge.
    let mesh = Grid::new("..#.").mesh();
    for polygon in [at(0.5, 0.5), at(1.5, 0.5)].map(|p| place(&mesh, p).polygon) {
        let found = shortest(&mesh, Place { polygon, point: at(1.0, 0.5) }, place(&mesh, at(3.5, 0.25)));
        assert_eq!(points(&found), [at(1.0, 0.5), at(2.0, 0.25)]);
    }
}

#[test]
fn few_nodes_make_a_partial_path_and_never_a_wrong_one() {
    let (mut partial, mut complete) = (0, 0);
    for seed in 0..30 {
        let mut text = String::new();
        let mesh = uneven_grid(seed, 10, 20, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 13);
        let ends = [0, 0].map(|_| random_place(&mesh, &polygons, &mut random));
        let whole = shortest(&mesh, ends[0], ends[1]);
        for nodes in 1..whole.touched as u32 + 3 {
            let mut path = ShortestPath::default();
            let mut query = Query::with_max_nodes(NonZeroU32::new(nodes).unwrap());
            query.shortest_path(&mesh, ends[0], ends[1], &Passable::default(), &mut path).unwrap();
            assert_sound(&mesh, &path);
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
                    let last = nodes >= whole.touched as u32;
                    assert_eq!(reason == PartialReason::OutOfNodes, !last);
                }
            }
            assert!(path.touched <= nodes as usize);
        }
    }
    assert!(partial > 500 && complete > 50, "{partial} {complete}");
}

#[test]
fn storeys_are_distinguished() {
    // Two turns of a ramp: the places are above one another.
    let mut ramp = Grid::new("................");
    ramp.vertex = Box::new(helix);
    let mesh = ramp.mesh();
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    let mid = |polygon: PolyRef| mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0;
    let by_height = |k: usize| {
        let mut sorted = polygons.clone();
        sorted.sort_by(|a, b| mid(*a).y.total_cmp(&mid(*b).y));
        Place { polygon: sorted[k], point: mid(sorted[k]) }
    };
    let found = shortest(&mesh, by_height(1), by_height(9));
    assert_eq!((found.status, found.polygons.len()), (PathStatus::Complete, 9));
    // Around the inner rim: sixteen corners at a radius of 1 m, an eighth of a turn apart.
    assert!(found.length_from_above > 6.0 && found.length_from_above < 9.0, "{found:?}");
}

/// Compares `pairs` random pairs with the visibility graph, and with the path through the corridor of A*.
fn compare(mesh: &NavMesh, seed: u64, pairs: usize) -> usize {
    let graph = Graph::new(mesh);
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut query, mut path, mut complete) = (Query::new(), ShortestPath::default(), 0);
    let (mut corridor, mut straight) = (Path::default(), StraightPath::default());
    let cell = mesh.lattice().unwrap().cell_size;
    for pair in 0..pairs {
        let ends = [0, 0].map(|_| random_place(mesh, &polygons, &mut random));
        query.shortest_path(mesh, ends[0], ends[1], &Passable::default(), &mut path).unwrap();
        assert_sound(mesh, &path);
        let expected = graph.shortest(ends[0], ends[1]);
        let case = format!("seed {seed} pair {pair}: {ends:?} {expected} {path:?}");
        let options = PathOptions::default();
        query.find_path(mesh, ends[0], ends[1], &Filter::default(), &options, &mut corridor).unwrap();
        assert_eq!(corridor.status.reason(), path.status.reason(), "{case}");
        if path.status != PathStatus::Complete {
            assert!(expected.is_infinite(), "{case}");
            continue;
        }
        complete += 1;
        let slack = 1e-3 * expected + 1e-4;
        let mut back = ShortestPath::default();
        query.shortest_path(mesh, ends[1], ends[0], &Passable::default(), &mut back).unwrap();
        assert!((back.length_from_above - path.length_from_above).abs() < cell / 32.0, "{case} {back:?}");
        assert!((path.length_from_above - expected).abs() < slack, "{case}");
        let goal = ends[1].point;
        query
            .straight_path(mesh, ends[0].point, goal, &corridor.polygons, Crossings::None, &mut straight)
            .unwrap();
        let through: Vec<Vec3> = straight.corners.iter().map(|corner| corner.point).collect();
        // Ends are moved by up to 1/128 cell.
        assert!(path.length_from_above <= length(&through) + cell / 32.0, "{case} {straight:?}");
    }
    complete
}

#[test]
fn random_floors_give_the_lengths_of_a_visibility_graph() {
    let mut complete = 0;
    for seed in 0..60 {
        let mut text = String::new();
        let mesh = match seed % 3 {
            0 => uneven_grid(seed, 8, 25, &mut text).mesh(),
            1 => random_grid(seed, 8, 25, &mut text).mesh(),
            _ => uneven_grid(seed, 10, 10, &mut text).mesh(),
        };
        complete += compare(&mesh, seed, 50);
    }
    assert!(complete > 1500, "{complete}");
}

fn bake(scene: &str, tile_cells: Option<u32>) -> NavMesh {
    let scene = navscenes::by_name(scene).unwrap();
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    match tile_cells {
        None => common::mesh([recast::bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile]),
        Some(cells) => {
            let tiles = navlevel::bake_tiles(&level, cells, &Silent).unwrap();
            common::mesh(tiles.into_iter().map(|baked| baked.tile))
        }
    }
}

#[test]
fn baked_levels_give_the_lengths_of_a_visibility_graph() {
    for (scene, tile_cells, pairs) in [
        ("two_rooms", None, 300),
        ("two_rooms", Some(16), 300),
        ("boxes", None, 150),
        ("boxes", Some(48), 100),
        ("courtyard", None, 100),
        ("courtyard", Some(40), 100),
        ("storeys", Some(24), 100),
        ("spiral", None, 60),
        ("spiral", Some(32), 60),
        ("terrain", Some(64), 40),
    ] {
        let complete = compare(&bake(scene, tile_cells), 7, pairs);
        assert!(complete > pairs / 3, "{scene} {tile_cells:?}: {complete}");
    }
}

#[test]
fn tiles_do_not_lengthen_a_path() {
    let mut text = String::new();
    for seed in 0..12 {
        text.clear();
        uneven_grid(seed, 12, 20, &mut text);
        let rows: Vec<&str> = text.split_whitespace().collect();
        let whole = Grid::new(&text).mesh();
        let polygons: Vec<PolyRef> = whole.polygons().collect();
        let tiled: Vec<NavMesh> = [2, 3, 4, 6].map(|size| cut(&rows, size)).into();
        let mut random = Random(seed + 5);
        for _ in 0..30 {
            let ends = [0, 0].map(|_| random_place(&whole, &polygons, &mut random));
            let expected = shortest(&whole, ends[0], ends[1]);
            for mesh in &tiled {
                // The polygon of the same square, as a place on an edge may belong to either side of a wall's
                // corner.
                let ends = ends.map(|end| same_place(&whole, mesh, end));
                let found = shortest(mesh, ends[0], ends[1]);
                assert_eq!(found.status, expected.status);
                if found.status == PathStatus::Complete {
                    assert!(
                        (found.length_from_above - expected.length_from_above).abs() < 1e-6,
                        "{found:?} {expected:?}"
                    );
                }
            }
        }
    }
}

/// A grid cut into tiles of `size` squares.
fn cut(rows: &[&str], size: usize) -> NavMesh {
    let count = rows.len() / size;
    common::mesh((0..count * count).map(|i| (i % count, i / count)).map(|(x, z)| {
        let part: Vec<&str> = rows[z * size..][..size].iter().map(|row| &row[x * size..][..size]).collect();
        Grid::tiled(&part.join(" "), x as i32, z as i32).tile()
    }))
}

/// The place on the polygon of another mesh that covers the same square.
fn same_place(from: &NavMesh, to: &NavMesh, place: Place) -> Place {
    let middle = from.corners(place.polygon).unwrap().sum::<Vec3>() / 4.0;
    Place { polygon: common::place(to, middle).polygon, ..place }
}

#[test]
fn an_edge_open_in_part_is_wall_in_part() {
    let mut fine = Grid::tiled("####\n####\n####\n....", 1, 0);
    fine.vertex = Box::new(|column, row| [column * METRE / 2, 0, row * METRE / 2]);
    let mut fine = fine.content();
    (fine.base_cell, fine.size_cells) = ([8, 0, 0], [8, 8]);
    let clipped = common::mesh([Grid::tiled("..\n..", 0, 0).tile(), tile(&fine)]);
    let found = between(&clipped, at(1.5, 0.5), at(3.75, 1.75));
    assert_eq!(points(&found), [at(1.5, 0.5), at(2.0, 1.5), at(3.75, 1.75)]);
    let back = between(&clipped, at(3.75, 1.75), at(1.5, 0.5));
    assert!(points(&back).iter().rev().eq(&points(&found)));
    // From the border itself, above and below the opening.
    let above = between(&clipped, at(2.0, 0.25), at(2.5, 1.75));
    assert_eq!(points(&above), [at(2.0, 0.25), at(2.0, 1.5), at(2.5, 1.75)]);
}

/// Grid lines from 0 to the end of `squares` one-metre squares, uneven.
fn uneven_lines(random: &mut Random, squares: i32) -> Vec<i32> {
    let mut lines: Vec<i32> = (1..squares).map(|at| at * METRE + random.below(900) as i32 - 450).collect();
    lines.insert(0, 0);
    lines.push(squares * METRE);
    lines
}

/// Floor with `walls` per cent of walls.
fn random_rows(random: &mut Random, squares: i32, walls: u64) -> String {
    let square = |random: &mut Random| if random.below(100) < walls { '#' } else { '.' };
    let row = |random: &mut Random| (0..squares).map(|_| square(random)).collect::<String>();
    (0..squares).map(|_| row(random)).collect::<Vec<_>>().join(" ")
}

#[test]
fn seams_that_are_cut_differently_on_both_sides_are_exact() {
    let mut complete = 0;
    for seed in 0..40u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let texts = [0, 1, 2, 3].map(|_| random_rows(&mut random, 5, 25));
        let tiles = (0..4).map(|i| {
            let (columns, rows) = (uneven_lines(&mut random, 5), uneven_lines(&mut random, 5));
            let mut grid = Grid::tiled(&texts[i as usize], i % 2, i / 2);
            grid.vertex = Box::new(move |column, row| [columns[column as usize], 0, rows[row as usize]]);
            grid.tile()
        });
        complete += compare(&common::mesh(tiles.collect::<Vec<_>>()), seed, 40);
    }
    assert!(complete > 600, "{complete}");
}

#[test]
fn floors_above_one_another_may_share_a_seam() {
    // The floor on the left leads to two floors on the right, 0.2 m below it and 0.2 m above it.
    let (mut compared, mut folded) = (0, 0);
    for seed in 0..30u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let texts = [0, 1].map(|_| random_rows(&mut random, 4, 20));
        let open = "....\n....\n....\n....";
        let tile = |text: &str, x: i32, layer: i32, height: i32| {
            let mut grid = Grid::tiled(text, x, 0);
            grid.coord.layer = layer;
            grid.vertex = Box::new(move |column, row| [column * METRE, height * METRE_UP / 10, row * METRE]);
            grid.tile()
        };
        let [left, low, high] = [tile(open, 0, 0, 2), tile(&texts[0], 1, 0, 0), tile(&texts[1], 1, 1, 4)];
        let both = common::mesh([left.clone(), low.clone(), high.clone()]);
        // Uses the same slots, so that references are valid in both.
        let without = [common::mesh([left.clone(), low.clone()]), {
            let mut mesh = both.clone();
            mesh.remove_tile(low.coord()).unwrap();
            mesh
        }];
        let polygons: Vec<PolyRef> = both.polygons().collect();
        for _ in 0..40 {
            let ends = [0, 0].map(|_| random_place(&both, &polygons, &mut random));
            let found = shortest_between_floors(&both, ends);
            let slots = ends.map(|end| end.polygon.slot());
            let (mut path, options) = (Path::default(), PathOptions::default());
            Query::new().find_path(&both, ends[0], ends[1], &Filter::default(), &options, &mut path).unwrap();
            assert_eq!(found.status.reason(), path.status.reason(), "seed {seed}: {ends:?} {found:?}");
            if slots.contains(&1) && slots.contains(&2) {
                folded += usize::from(found.status == PathStatus::Complete);
                continue;
            }
            // A floor without either end does not matter, as the floor on the left has no walls.
            let mesh = &without[usize::from(slots.contains(&2))];
            let expected = shortest(mesh, ends[0], ends[1]);
            if expected.status == PathStatus::Complete {
                assert!(
                    (found.length_from_above - expected.length_from_above).abs() < 1e-6,
                    "seed {seed}: {found:?} {expected:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 400 && folded > 80, "{compared} {folded}");
}

/// Like [`shortest`], but a string cannot be pulled through a corridor that folds.
fn shortest_between_floors(mesh: &NavMesh, ends: [Place; 2]) -> ShortestPath {
    let mut path = ShortestPath::default();
    Query::new().shortest_path(mesh, ends[0], ends[1], &Passable::default(), &mut path).unwrap();
    assert!(is_linked(mesh, &path.polygons), "{path:?}");
    assert!((length(&points(&path)) - path.length_from_above).abs() <= 1e-9 * path.length_from_above);
    path
}

#[test]
fn far_from_the_anchor_answers_stay_sound() {
    let mut grid = Grid::new(".....\n.####\n.....\n####.\n.....");
    grid.vertex = Box::new(|column, row| [column * METRE, row * METRE_UP / 8, row * METRE]);
    for base in [0i64, 100_000, 2_000_000] {
        let mut content = grid.content();
        content.base_cell = [base, 0, -base];
        let mesh = common::mesh([tile(&content)]);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let ends = [polygons[0], polygons[polygons.len() - 1]]
            .map(|polygon| Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 });
        let found = shortest(&mesh, ends[0], ends[1]);
        assert_eq!(found.status, PathStatus::Complete, "{base}");
        assert!(found.length_from_above > 3.0 && found.length_from_above < 20.0);
    }
}

#[test]
fn bad_calls_have_names() {
    let mut mesh = Grid::new("...").mesh();
    let (start, mut path) = (place(&mesh, at(0.5, 0.5)), ShortestPath::default());
    let nowhere = Place { point: at(f32::NAN, 0.0), ..start };
    for ends in [[start, nowhere], [nowhere, start]] {
        let refused = Query::new().shortest_path(&mesh, ends[0], ends[1], &Passable::default(), &mut path);
        assert!(matches!(refused, Err(QueryError::Position { .. })));
    }
    let far = Place { point: at(f32::MAX, -f32::MAX), ..start };
    Query::new().shortest_path(&mesh, far, start, &Passable::default(), &mut path).unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    mesh.remove_tile(Default::default()).unwrap();
    let stale = Query::new().shortest_path(&mesh, start, start, &Passable::default(), &mut path);
    assert!(matches!(stale, Err(QueryError::Reference(_))));
}
