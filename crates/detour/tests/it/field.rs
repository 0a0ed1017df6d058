//! Fields, compared with the shortest paths from each place; and agents that follow them.

use crate::common::levels::levels;
use crate::common::links::{link, linked};
use crate::common::visibility::random_place;
use crate::common::world::{World, filters};
use crate::common::{Grid, METRE_UP, Random, at, mesh, place, random_grid, uneven_grid};
use detour::{
    Attributes, CornerKind, CostModel, Field, FieldChange, Filter, NavMesh, Path, PathOptions, PathStatus,
    Place, PolyRef, Query, QueryError, ShortestPath, Slide, Step, UniformCost, Vec3,
};
use navtile::TileCoord;
use navtile::layout::OffMeshLink;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// Number of random grids to compare, unless `DETOUR_FIELDS` is set; a quarter of it for grids with costs,
/// and a fifteenth for worlds.
const GRIDS: u64 = 150;

fn grids() -> u64 {
    std::env::var("DETOUR_FIELDS").map_or(GRIDS, |text| text.parse().unwrap())
}

const HERE: TileCoord = TileCoord { x: 0, z: 0, layer: 0 };

/// A filter with equal costs.
struct Even<'a>(&'a Filter);

impl CostModel for Even<'_> {
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }
    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }
    fn minimum_cost(&self) -> f32 {
        1.0
    }
}

impl UniformCost for Even<'_> {}

fn field(mesh: &NavMesh, goals: &[Place], filter: &impl CostModel) -> Field {
    let mut field = Field::default();
    Query::new().field(mesh, goals, f32::INFINITY, filter, &mut field).unwrap();
    assert!(field.is_current(mesh) && field.is_complete());
    field
}

fn random_places(mesh: &NavMesh, count: usize, random: &mut Random) -> Vec<Place> {
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    (0..count).map(|_| random_place(mesh, &polygons, random)).collect()
}

/// Compares a field of one goal with the shortest paths from other places; returns the number of places that
/// reach it.
fn compare(name: &str, mesh: &NavMesh, filter: &Filter, goal: Place, places: &[Place]) -> usize {
    let (field, mut path) = (field(mesh, &[goal], filter), ShortestPath::default());
    let mut complete = 0;
    for start in places {
        Query::new().shortest_path(mesh, *start, goal, &Even(filter), &mut path).unwrap();
        let found = field.distance(mesh, *start);
        if path.status != PathStatus::Complete {
            assert_eq!(found, None, "{name}: {start:?} to {goal:?}");
            continue;
        }
        complete += 1;
        let Some(found) = found else { panic!("{name}: no way from {start:?} to {goal:?}") };
        // Ends are moved by up to 1/128 cell.
        let slack = 1e-3 * path.length_from_above + mesh.lattice().unwrap().cell_size / 64.0;
        assert!(
            (f64::from(found) - path.length_from_above).abs() <= slack,
            "{name}: {start:?} to {goal:?}: {found}, not {path:?}",
        );
    }
    complete
}

/// The cost of a metre at a place; on an edge, the cost of the cheaper side.
fn cost_of_a_metre(mesh: &NavMesh, filter: &impl CostModel, passed: &[PolyRef], point: Vec3) -> f64 {
    let mut around = passed.to_vec();
    for polygon in passed {
        mesh.visit_links(*polygon, |link| around.push(link.to)).unwrap();
    }
    let touches = |polygon: &PolyRef| {
        let closest = mesh.closest_point(*polygon, point);
        closest.is_ok_and(|closest| (closest.point - point).with_y(0.0).length() < 1e-3)
    };
    let cost = |polygon: PolyRef| {
        let polygon = mesh.attributes(polygon).unwrap();
        f64::from(filter.cost(&Step { from: Vec3::ZERO, to: Vec3::X, polygon, next: None }))
    };
    around.into_iter().filter(touches).map(cost).fold(f64::INFINITY, f64::min)
}

/// Walks along the field from a place in steps of a tenth of a metre, over links too, and returns the cost of
/// the walk. Panics if it gets stuck.
fn follow(mesh: &NavMesh, field: &Field, filter: &impl CostModel, start: Place) -> f64 {
    let (mut query, mut slide, mut at) = (Query::new(), Slide::default(), start);
    let mut walked = 0.0;
    let whole = f64::from(field.distance(mesh, start).unwrap());
    while walked <= whole * 1.1 + 1.0 {
        let (step, direction) = (field.next(mesh, at).unwrap(), field.direction(mesh, at).unwrap());
        let ahead = (step.point - at.point).with_y(0.0);
        if direction == Vec3::ZERO {
            assert!(ahead.length() < 0.002, "{at:?} {step:?}");
            match step.link {
                None => {
                    assert_eq!(step.kind, CornerKind::End);
                    return walked;
                }
                Some(link) => {
                    let [start, end] = mesh.off_mesh(link).unwrap().ends.unwrap();
                    let to = if start.point == step.point { end } else { start };
                    walked += f64::from(step.point.distance(to.point));
                    at = to;
                    continue;
                }
            }
        }
        // Coordinates are rounded to some micrometres, which changes the direction of the last millimetre.
        let off = (direction * ahead.length() - ahead).length();
        assert!(off < 1e-3 * ahead.length() + 1e-5, "{at:?} {step:?} {direction}");
        let to = at.point + direction * ahead.length().min(0.1);
        query.slide(mesh, at, to, filter, &mut slide).unwrap();
        let moved = f64::from((slide.point - at.point).with_y(0.0).length());
        assert!(moved > 1e-5, "stuck at {at:?} before {step:?}, start {start:?}");
        walked += moved * cost_of_a_metre(mesh, filter, &slide.polygons, at.point.midpoint(slide.point));
        at = Place { polygon: *slide.polygons.last().unwrap(), point: slide.point };
    }
    panic!("from {start:?} to {:?}: walked {walked}, not {whole}, and is at {at:?}", field.goals());
}

/// Walks from places that reach the goals.
fn compare_walks(name: &str, mesh: &NavMesh, field: &Field, filter: &impl CostModel, places: &[Place]) {
    for start in places {
        let Some(distance) = field.distance(mesh, *start) else { continue };
        let walked = follow(mesh, field, filter, *start);
        assert!(
            walked <= f64::from(distance) * 1.01 + 0.01,
            "{name}: {walked}, not {distance}, from {start:?}"
        );
    }
}

#[test]
fn distances_are_those_of_shortest_paths_on_levels() {
    for (name, mesh) in levels() {
        let (mut random, mut complete) = (Random(0x51), 0);
        for _ in 0..4 {
            let goal = random_places(&mesh, 1, &mut random)[0];
            let places = random_places(&mesh, 100, &mut random);
            complete += compare(&name, &mesh, &Filter::default(), goal, &places);
            let field = field(&mesh, &[goal], &Filter::default());
            compare_walks(&name, &mesh, &field, &Filter::default(), &places[..25]);
        }
        assert!(complete > 50, "{name}: {complete}");
    }
}

#[test]
fn distances_are_those_of_shortest_paths_on_grids() {
    let mut complete = 0;
    for seed in 0..grids() {
        let mut text = String::new();
        let grid = match seed % 2 {
            0 => uneven_grid(seed, 12, 25, &mut text),
            _ => random_grid(seed, 14, 30, &mut text),
        };
        let mesh = grid.mesh();
        let mut random = Random(seed + 13);
        let filter = if seed % 3 == 0 { Filter::default().with_exclude(8) } else { Filter::default() };
        let goal = random_places(&mesh, 1, &mut random)[0];
        let places = random_places(&mesh, 60, &mut random);
        complete += compare(&format!("grid {seed}"), &mesh, &filter, goal, &places);
        compare_walks(&format!("grid {seed}"), &mesh, &field(&mesh, &[goal], &filter), &filter, &places[..8]);
    }
    assert!(complete as u64 > grids() * 13, "{complete}");
}

/// Tiles with layers and links over all of them, and doors; changed at random, and refreshed each time.
#[test]
fn worlds_that_change_have_the_fields_of_new_ones() {
    let (mut complete, mut kept, mut searched, mut refused) = (0, 0, 0, 0);
    for seed in 1..=grids() / 15 {
        let world = World::new(seed);
        let (mut mesh, mut loaded, mut random) = (NavMesh::default(), BTreeMap::new(), Random(seed + 99));
        for coord in world.coords() {
            mesh.add_tile(world.tile(coord, 0)).unwrap();
            loaded.insert(coord, (0, BTreeMap::new()));
        }
        let filter = &filters()[seed as usize % 3];
        let mut query = Query::new();
        let goals = random_places(&mesh, 2, &mut random);
        let mut followed = Field::default();
        query.field(&mesh, &goals[..1], 6.0 + seed as f32, filter, &mut followed).unwrap();
        for round in 0..40 {
            let goal = random_places(&mesh, 1, &mut random)[0];
            let places = random_places(&mesh, 30, &mut random);
            complete += compare(&format!("world {seed} round {round}"), &mesh, filter, goal, &places);
            world.change(&mut mesh, &mut loaded, &mut random);
            match followed.refresh(&mut query, &mesh, filter) {
                Ok(FieldChange::Kept) => kept += 1,
                Ok(FieldChange::Searched) => searched += 1,
                Ok(FieldChange::Current) => {}
                Err(error) => {
                    assert!(matches!(error, QueryError::NothingNear { .. }), "{error}");
                    refused += 1;
                    continue;
                }
            }
            let mut afresh = Field::default();
            query.field(&mesh, followed.goals(), followed.bound(), filter, &mut afresh).unwrap();
            for start in random_places(&mesh, 30, &mut random) {
                assert_eq!(followed.distance(&mesh, start), afresh.distance(&mesh, start), "{seed} {round}");
                assert_eq!(followed.next(&mesh, start), afresh.next(&mesh, start));
            }
        }
    }
    assert!(
        complete > 300 && kept > 200 && searched > 50 && refused > 0,
        "{complete} {kept} {searched} {refused}"
    );
}

#[test]
fn a_field_leads_round_corners_to_the_nearest_goal() {
    let mesh = Grid::new(".....\n.####\n.....\n####.\n.....").mesh();
    let goals = [at(4.5, 0.5), at(0.5, 4.5)].map(|p| place(&mesh, p));
    let field = field(&mesh, &goals, &Filter::default());
    assert_eq!(field.goals(), goals);
    let step = |x: f32, z: f32| {
        let start = place(&mesh, at(x, z));
        let step = field.next(&mesh, start).unwrap();
        (step.kind, step.point, field.distance(&mesh, start).unwrap(), field.direction(&mesh, start).unwrap())
    };
    assert_eq!(step(0.5, 0.5), (CornerKind::End, at(4.5, 0.5), 4.0, Vec3::X));
    assert_eq!(step(4.5, 0.5), (CornerKind::End, at(4.5, 0.5), 0.0, Vec3::ZERO));
    let (kind, corner, distance, direction) = step(3.5, 2.5);
    assert_eq!((kind, corner), (CornerKind::Turn, at(4.0, 3.0)));
    let expected = 0.5f32.hypot(0.5) + 1.0 + 3.5f32.hypot(0.5);
    assert!((distance - expected).abs() < 1e-5 && (direction.length() - 1.0).abs() < 1e-6);
    // At a corner the path continues to the next corner.
    assert_eq!(step(4.0, 3.0).1, at(4.0, 4.0));
    assert_eq!(step(0.5, 1.5).1, at(1.0, 1.0));
}

#[test]
fn a_bound_cuts_costs_and_nothing_else() {
    let mut text = String::new();
    let mesh = random_grid(3, 16, 20, &mut text).mesh();
    let (mut query, mut random) = (Query::new(), Random(5));
    let goal = random_places(&mesh, 1, &mut random)[0];
    let (whole, mut bounded) = (field(&mesh, &[goal], &Filter::default()), Field::default());
    for bound in [0.0, 0.5, 3.0, 9.0, 1e9] {
        query.field(&mesh, &[goal], bound, &Filter::default(), &mut bounded).unwrap();
        assert_eq!(bounded.bound(), bound);
        for start in random_places(&mesh, 200, &mut random) {
            let expected = whole.distance(&mesh, start).filter(|distance| *distance <= bound);
            match (expected, bounded.distance(&mesh, start)) {
                (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-5, "{a} {b}"),
                (a, b) => assert_eq!(a, b, "{start:?}"),
            }
        }
        assert_eq!(bounded.distance(&mesh, goal), Some(0.0));
    }
    // An equal cost of a metre everywhere scales all costs.
    let dear =
        (1..=255).try_fold(Filter::default(), |filter, area| filter.with_area_cost(area, 4.0)).unwrap();
    query.field(&mesh, &[goal], 12.0, &dear, &mut bounded).unwrap();
    for start in random_places(&mesh, 200, &mut random) {
        let expected =
            whole.distance(&mesh, start).filter(|distance| *distance <= 3.0).map(|metres| metres * 4.0);
        match (expected, bounded.distance(&mesh, start)) {
            (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-4, "{a} {b}"),
            (a, b) => assert_eq!(a, b, "{start:?}"),
        }
    }
}

#[test]
fn few_nodes_make_a_small_field_and_never_a_wrong_one() {
    let mut text = String::new();
    let mesh = random_grid(4, 12, 20, &mut text).mesh();
    let mut random = Random(6);
    let goal = random_places(&mesh, 1, &mut random)[0];
    let whole = field(&mesh, &[goal], &Filter::default());
    let places = random_places(&mesh, 100, &mut random);
    let (mut fewer, mut last) = (0, 0);
    for nodes in (1..1200).step_by(7) {
        let mut query = Query::with_max_nodes(NonZeroU32::new(nodes).unwrap());
        let mut partial = Field::default();
        query.field(&mesh, &[goal], f32::INFINITY, &Filter::default(), &mut partial).unwrap();
        let known: Vec<Option<f32>> = places.iter().map(|start| partial.distance(&mesh, *start)).collect();
        for (start, known) in places.iter().zip(&known) {
            assert!(
                known.is_none() || (known.unwrap() - whole.distance(&mesh, *start).unwrap()).abs() < 1e-5
            );
        }
        let count = known.iter().flatten().count();
        assert!(
            count >= last
                && (!partial.is_complete()
                    || count
                        == places.iter().filter(|start| whole.distance(&mesh, **start).is_some()).count())
        );
        fewer += usize::from(!partial.is_complete() && count > 0);
        last = count;
    }
    assert!(fewer > 10, "{fewer}");
}

/// A link in one direction or in both, as a record.
fn over(content: &navtile::TileContent, start: [f32; 3], end: [f32; 3], direction: u8) -> OffMeshLink {
    OffMeshLink { direction, ..link(content, start, end, HERE) }
}

#[test]
fn links_are_taken_in_their_direction() {
    let content = Grid::new("..#..").content();
    for both_ways in [0, 1] {
        let mesh = mesh([linked(
            content.clone(),
            vec![over(&content, [1.5, 0.0, 0.5], [3.5, 0.0, 0.5], both_ways)],
        )]);
        let [left, right] = [at(0.5, 0.5), at(4.5, 0.5)].map(|p| place(&mesh, p));
        let there = field(&mesh, &[right], &Filter::default());
        assert_eq!(there.distance(&mesh, left), Some(4.0));
        let step = there.next(&mesh, left).unwrap();
        assert_eq!((step.kind, step.point), (CornerKind::LinkStart, at(1.5, 0.5)));
        assert_eq!(step.link, mesh.off_mesh_links().next());
        assert_eq!(there.direction(&mesh, place(&mesh, at(1.5, 0.5))), Some(Vec3::ZERO));
        assert_eq!(there.next(&mesh, place(&mesh, at(1.5, 0.5))).unwrap().kind, CornerKind::LinkStart);
        assert!((follow(&mesh, &there, &Filter::default(), left) - 4.0).abs() < 1e-3);
        let back = field(&mesh, &[left], &Filter::default());
        assert_eq!(back.distance(&mesh, right), (both_ways == 1).then_some(4.0));
    }
    // Filters close links, and the ground beyond them.
    let content = Grid::new("..#2.").content();
    let mut mesh = mesh([linked(content.clone(), vec![over(&content, [1.5, 0.0, 0.5], [4.5, 0.0, 0.5], 1)])]);
    let [left, right] = [at(1.5, 0.5), at(4.5, 0.5)].map(|p| place(&mesh, p));
    let filter = Filter::default().with_exclude(0x40);
    let mut found = field(&mesh, &[right], &filter);
    assert_eq!(found.distance(&mesh, left), Some(3.0));
    let ladder = mesh.off_mesh_links().next().unwrap();
    mesh.set_flags(ladder, 0x40).unwrap();
    assert_eq!(found.refresh(&mut Query::new(), &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, left), None);
    mesh.set_flags(ladder, 1).unwrap();
    assert_eq!(found.refresh(&mut Query::new(), &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, left), Some(3.0));
}

#[test]
fn ladders_count_their_height() {
    let up = TileCoord { layer: 1, ..HERE };
    let content = Grid::tiled("...", 0, 0).content();
    let ladder = link(&content, [1.5, 0.0, 0.5], [1.5, 3.0, 0.5], up);
    let mut above = Grid::tiled("...", 0, 0);
    above.coord = up;
    above.vertex = Box::new(|column, row| [column * 1024, 3 * METRE_UP, row * 1024]);
    let mesh = mesh([linked(content, vec![ladder]), above.tile()]);
    let top = place(&mesh, Vec3::new(0.5, 3.0, 0.5));
    let found = field(&mesh, &[top], &Filter::default());
    assert_eq!(found.distance(&mesh, place(&mesh, at(0.5, 0.5))), Some(5.0));
    assert_eq!(found.distance(&mesh, place(&mesh, at(1.5, 0.5))), Some(4.0));
}

#[test]
fn doors_shut_and_open() {
    // Two paths around the wall: through the door, 4 m, or around the far end.
    let mut mesh = Grid::new(".......\n.#####.\n.......").mesh();
    let [door, goal, start] = [at(0.5, 1.5), at(0.5, 2.5), at(0.5, 0.5)].map(|p| place(&mesh, p));
    let (mut query, filter) = (Query::new(), Filter::default().with_exclude(0x40));
    let mut found = field(&mesh, &[goal], &filter);
    assert_eq!(found.distance(&mesh, start), Some(2.0));
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Current));
    // A flag that the filter ignores.
    let before = mesh.clone();
    mesh.set_flags(door.polygon, 0x3).unwrap();
    assert!(!found.is_current(&mesh) && found.is_current(&before));
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Kept));
    assert!(found.is_current(&mesh) && !found.is_current(&before));
    mesh.set_flags(door.polygon, 0x40).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    let round = found.distance(&mesh, start).unwrap();
    assert!(round > 12.0, "{round}");
    // An agent in the door can leave it, on either side.
    assert_eq!(found.distance(&mesh, door), Some(1.0));
    let out = Place { polygon: door.polygon, point: at(0.5, 1.125) };
    assert_eq!(found.distance(&mesh, out), Some(1.375));
    mesh.set_flags(door.polygon, 1).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, start), Some(2.0));
    // Only places in a shut room reach a goal in it.
    mesh.set_flags(goal.polygon, 0x40).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, start), None);
    assert_eq!(found.distance(&mesh, Place { point: at(0.0, 2.5), ..goal }), Some(0.5));
}

#[test]
fn tiles_come_and_go() {
    let tile = |text, x| Grid::tiled(text, x, 0).tile();
    let mut mesh = mesh([tile("...", 0), tile("...", 1), tile("...", 2)]);
    let (mut query, filter) = (Query::new(), Filter::default());
    let [start, goal] = [at(0.5, 0.5), at(4.5, 0.5)].map(|p| place(&mesh, p));
    let mut found = Field::default();
    query.field(&mesh, &[goal], 4.25, &filter, &mut found).unwrap();
    assert_eq!(found.distance(&mesh, start), Some(4.0));
    // Changes beyond the bound do not matter, and a goal is found again in a replaced tile.
    mesh.add_tile(tile("...", 4)).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Kept));
    mesh.replace_tile(tile("...", 1)).unwrap();
    assert_eq!(found.distance(&mesh, goal), None);
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    assert_ne!(found.goals()[0].polygon, goal.polygon);
    assert_eq!((found.goals()[0].point, found.distance(&mesh, start)), (goal.point, Some(4.0)));
    // A wall appears, the goal's ground disappears, and comes back.
    mesh.replace_tile(tile("#..", 1)).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, start), None);
    let coord = TileCoord { x: 1, ..HERE };
    mesh.remove_tile(coord).unwrap();
    let refused = found.refresh(&mut query, &mesh, &filter);
    assert!(matches!(refused, Err(QueryError::NothingNear { .. })), "{refused:?}");
    assert_eq!((found.distance(&mesh, start), found.is_current(&mesh)), (None, false));
    mesh.add_tile(tile("...", 1)).unwrap();
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Ok(FieldChange::Searched));
    assert_eq!(found.distance(&mesh, start), Some(4.0));
}

#[test]
fn no_argument_makes_it_panic() {
    let mesh = Grid::new("..").mesh();
    let (mut query, mut found, filter) = (Query::new(), Field::default(), Filter::default());
    let here = place(&mesh, at(0.5, 0.5));
    assert_eq!(query.field(&mesh, &[], 1.0, &filter, &mut found), Err(QueryError::NoGoals));
    assert_eq!(found.refresh(&mut query, &mesh, &filter), Err(QueryError::NoGoals));
    assert_eq!((found.distance(&mesh, here), found.is_current(&mesh)), (None, false));
    for bound in [-1.0, -f32::INFINITY] {
        assert_eq!(query.field(&mesh, &[here], bound, &filter, &mut found), Err(QueryError::Bound(bound)));
    }
    assert!(matches!(query.field(&mesh, &[here], f32::NAN, &filter, &mut found), Err(QueryError::Bound(_))));
    let off = Place { point: Vec3::new(f32::NAN, 0.0, 0.0), ..here };
    assert!(matches!(
        query.field(&mesh, &[here, off], 1.0, &filter, &mut found),
        Err(QueryError::Position { .. })
    ));
    let stale = Place { polygon: PolyRef::new(7, 0, 0).unwrap(), ..here };
    assert!(matches!(query.field(&mesh, &[stale], 1.0, &filter, &mut found), Err(QueryError::Reference(_))));
    query.field(&mesh, &[here], f32::INFINITY, &filter, &mut found).unwrap();
    for bad in [off, stale, Place { point: Vec3::INFINITY, ..here }] {
        assert_eq!((found.distance(&mesh, bad), found.direction(&mesh, bad)), (None, None));
        assert_eq!(found.next(&mesh, bad), None);
    }
    for far in [Vec3::splat(1e30), Vec3::splat(-1e9), Vec3::splat(f32::MAX)] {
        assert!(found.distance(&mesh, Place { point: far, ..here }).unwrap() < 2.0);
        query.field(&mesh, &[Place { point: far, ..here }], f32::INFINITY, &filter, &mut found).unwrap();
        assert!(found.distance(&mesh, here).unwrap() < 2.0);
    }
    assert_eq!(found.distance(&NavMesh::default(), here), None);
}

/// Water, area 2, between two meadows of area 1.
fn river() -> (NavMesh, Filter) {
    let mut grid = Grid::new("1\n2\n1");
    grid.vertex = Box::new(|column, row| [column * 40 * 1024, 0, [0, 10, 14, 24][row as usize] * 1024]);
    (grid.mesh(), Filter::default().with_area_cost(2, 3.0).unwrap())
}

#[test]
fn ways_bend_at_a_bank_as_light_does() {
    let (mesh, filter) = river();
    let mut random = Random(77);
    for _ in 0..200 {
        let mut along = || random.below(40_000) as f32 / 1000.0;
        // Into the water from one meadow, and over it to the other.
        for (z, banks) in [(12.0, 1), (20.0, 2)] {
            let [from, to] = [at(along(), 4.0), at(along(), z)];
            let found = field(&mesh, &[place(&mesh, from)], &filter);
            let cost = f64::from(found.distance(&mesh, place(&mesh, to)).unwrap());
            let whole = f64::from((to.x - from.x).abs());
            // The share of each side: one half line over the meadows, one over the water.
            let (land, water) = if banks == 1 { (6.0f64, 2.0f64) } else { (12.0, 4.0) };
            let (mut low, mut high) = (0.0, whole);
            let of = |x: f64| land.hypot(x) + 3.0 * f64::hypot(water, whole - x);
            for _ in 0..200 {
                let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                if of(a) < of(b) { high = b } else { low = a }
            }
            let expected = of(low);
            let most = if banks == 1 { 1e-4 } else { 0.01 };
            assert!(cost >= expected * (1.0 - 1e-4) - 1e-4, "{from} {to}: {cost}, not {expected}");
            assert!(cost <= expected * (1.0 + most) + 1e-4, "{from} {to}: {cost}, not {expected}");
        }
    }
}

#[test]
fn areas_that_cost_more_are_walked_round() {
    let (mut sums, mut compared) = ([0.0; 3], 0);
    for seed in 0..grids() / 4 {
        let mut text = String::new();
        let mesh = random_grid(seed, 14, 15, &mut text).mesh();
        let filter = Filter::default().with_area_cost(2, 4.0).unwrap().with_area_cost(3, 1.5).unwrap();
        let mut random = Random(seed + 7);
        let goal = random_places(&mesh, 1, &mut random)[0];
        let field = field(&mesh, &[goal], &filter);
        for start in random_places(&mesh, 20, &mut random) {
            let mut path = Path::default();
            Query::new().find_path(&mesh, start, goal, &filter, &PathOptions::default(), &mut path).unwrap();
            let found = field.distance(&mesh, start).map(f64::from);
            assert_eq!(path.status == PathStatus::Complete, found.is_some());
            let Some(found) = found else { continue };
            let walked = follow(&mesh, &field, &filter, start);
            assert!(walked <= found * 1.01 + 0.02, "{seed}: {walked}, not {found}, from {start:?}");
            assert!(found <= path.cost * 1.06 + 0.01, "{seed}: {found}, not {}, from {start:?}", path.cost);
            sums = [sums[0] + found, sums[1] + path.cost, sums[2] + walked];
            compared += 1;
        }
    }
    // Much cheaper than paths through one point of each portal.
    assert!(compared > 500 && sums[0] < sums[1] * 0.97 && sums[2] <= sums[0] * 1.001, "{compared} {sums:?}");
}
