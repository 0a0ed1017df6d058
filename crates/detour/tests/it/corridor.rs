//! Corridors: by hand, on random walks, and while tiles are added and removed.

use crate::common::{Grid, Random, at, is_linked, mesh, place, random_grid, unit};
use detour::{
    CornerKind, Corridor, Crossings, Filter, NavMesh, Path, PathOptions, PathStatus, Place, Query,
    QueryError, SlideEnd, StraightOptions, StraightPath, Trimmed, Vec3,
};
use recast::{PreparedLevel, Silent};

/// A corridor along the path from one place to another.
fn along(mesh: &NavMesh, start: Place, goal: Place) -> Option<Corridor> {
    let (mut path, mut corridor) = (Path::default(), Corridor::new(start));
    let options = PathOptions::default();
    Query::new().find_path(mesh, start, goal, &Filter::default(), &options, &mut path).unwrap();
    assert!(corridor.set_path(mesh, &path.polygons, goal.point).unwrap());
    (path.status == PathStatus::Complete).then_some(corridor)
}

fn flat(a: Vec3, b: Vec3) -> f32 {
    (a - b).with_y(0.0).length()
}

/// Checks the invariants.
fn assert_sound(mesh: &NavMesh, corridor: &Corridor) {
    assert!(is_linked(mesh, corridor.polygons()), "{corridor:?}");
    let mut once = corridor.polygons().to_vec();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), corridor.polygons().len(), "{corridor:?} leads through a polygon twice");
    for (polygon, point) in [(corridor.first(), corridor.position()), (corridor.last(), corridor.target())] {
        let on = mesh.closest_point(polygon, point).unwrap().point;
        assert!(flat(on, point) < 1e-3, "{polygon} {point} {on}");
    }
    assert!(corridor.is_valid(mesh, usize::MAX, &Filter::default()));
}

fn corners(mesh: &NavMesh, corridor: &Corridor, most: usize) -> StraightPath {
    let mut corners = StraightPath::default();
    let options = StraightOptions { max_corners: most, ..StraightOptions::default() };
    corridor.corners(&mut Query::new(), mesh, &options, &mut corners).unwrap();
    corners
}

#[test]
fn corners_are_the_next_to_steer_to() {
    let mesh = Grid::new(".....\n.####\n.....\n####.\n.....").mesh();
    let ends = [at(0.5, 0.5), at(0.5, 4.5)].map(|p| place(&mesh, p));
    let mut corridor = along(&mesh, ends[0], ends[1]).unwrap();
    let next = |corridor: &Corridor, most| {
        let found = corners(&mesh, corridor, most);
        (found.corners.iter().map(|corner| corner.point).collect::<Vec<_>>(), found.truncated)
    };
    assert_eq!(next(&corridor, 2), (vec![at(1.0, 2.0), at(4.0, 3.0)], true));
    let all = vec![at(1.0, 2.0), at(4.0, 3.0), at(4.0, 4.0), at(0.5, 4.5)];
    assert_eq!(next(&corridor, 4), (all.clone(), false));
    assert_eq!(next(&corridor, 0), (vec![], true));
    assert_eq!(corners(&mesh, &corridor, 9).corners[3].kind, CornerKind::End);
    assert!((corners(&mesh, &corridor, 1).length - 2.5f32.sqrt()).abs() < 1e-5);
    // At a corner, that corner counts as passed.
    let mut query = Query::new();
    let end = corridor.move_start(&mut query, &mesh, at(0.9, 1.5), &Filter::default()).unwrap();
    assert_eq!(end, SlideEnd::Goal);
    corridor.move_start(&mut query, &mesh, at(0.999, 2.0), &Filter::default()).unwrap();
    assert_eq!(next(&corridor, 1), (vec![at(4.0, 3.0)], true));
    assert_sound(&mesh, &corridor);
    // At the target there is nothing to steer to.
    corridor.reset(ends[1]);
    assert_eq!(next(&corridor, 5), (vec![], false));
    assert_eq!((corridor.polygons().len(), corridor.position()), (1, corridor.target()));
}

#[test]
fn a_few_corners_are_those_of_the_whole_string() {
    let (mut cut_short, mut query, mut whole) = (0, Query::new(), StraightPath::default());
    for seed in 0..120 {
        let mut text = String::new();
        let mesh = random_grid(seed, 14, 25, &mut text).mesh();
        let mut random = Random(seed * 2 + 1);
        // Every other place is on the outline of its polygon, where strings begin and end within portals.
        let mut end = |is_on_outline: bool| {
            let place = query.random_point(&mesh, &Filter::default(), || unit(&mut random)).unwrap();
            let away = at(unit(&mut random) as f32 * 8.0 - 4.0, unit(&mut random) as f32 * 8.0 - 4.0);
            let on = mesh.closest_point(place.polygon, place.point + away).unwrap().point;
            if is_on_outline { Place { point: on, ..place } } else { place }
        };
        let Some(corridor) = along(&mesh, end(seed % 2 > 0), end(seed % 4 > 1)) else { continue };
        let (start, goal, row) = (corridor.position(), corridor.target(), corridor.polygons());
        query.straight_path(&mesh, start, goal, row, Crossings::None, &mut whole).unwrap();
        let all = corners(&mesh, &corridor, usize::MAX).corners;
        assert_eq!(all, whole.corners[whole.corners.len() - all.len()..], "seed {seed}");
        for most in 0..6 {
            let some = corners(&mesh, &corridor, most);
            let count = most.min(all.len());
            assert_eq!(some.corners, all[..count], "seed {seed}, {most} corners");
            assert_eq!((some.truncated, some.broken_at), (count < all.len(), None), "seed {seed}, {most}");
            cut_short += usize::from(some.truncated && most > 1);
        }
    }
    assert!(cut_short > 50, "few strings have more corners than are asked for: {cut_short}");
}

#[test]
fn a_path_must_lead_through_the_agent() {
    let mesh = Grid::new("...").mesh();
    let [a, b] = [at(0.5, 0.5), at(1.5, 0.5)].map(|p| place(&mesh, p));
    let mut corridor = Corridor::new(a);
    assert_eq!(corridor.set_path(&mesh, &[], b.point), Err(QueryError::EmptyPath));
    assert_eq!(corridor.set_path(&mesh, &[b.polygon], b.point), Ok(false));
    assert_eq!((corridor.polygons(), corridor.target()), (&[a.polygon][..], a.point));
    let mut moved = Corridor::new(b);
    assert_eq!(moved.set_path(&mesh, &[a.polygon, b.polygon], b.point), Ok(true));
    assert_eq!(moved.polygons(), [b.polygon]);
    let nowhere = corridor.set_path(&mesh, &[a.polygon], at(f32::NAN, 0.0));
    assert!(matches!(nowhere, Err(QueryError::Position { .. })));
    assert!(corridor.set_path(&mesh, &[a.polygon], at(9.0, 0.5)).unwrap());
    assert_eq!(corridor.target(), at(1.0, 0.5));
}

#[test]
fn sight_cuts_a_detour_short() {
    // A path around the block, made by hand, although the view is clear.
    let mesh = Grid::new("....\n....\n....").mesh();
    let on = |x: f32, z: f32| place(&mesh, at(x, z));
    let round =
        [(0.5, 0.5), (0.5, 1.5), (0.5, 2.5), (1.5, 2.5), (2.5, 2.5), (3.5, 2.5), (3.5, 1.5), (3.5, 0.5)];
    let polygons = round.map(|(x, z)| on(x, z).polygon);
    let mut corridor = Corridor::new(on(0.5, 0.5));
    assert!(corridor.set_path(&mesh, &polygons, at(3.5, 0.5)).unwrap());
    let before = corners(&mesh, &corridor, 9).length;
    let (mut query, filter) = (Query::new(), Filter::default());
    // Too far to be seen, and then in reach.
    let short = corridor.optimise_visibility(&mut query, &mesh, at(3.5, 0.5), 1.0, &filter).unwrap();
    assert!(!short);
    assert!(corridor.optimise_visibility(&mut query, &mesh, at(3.5, 0.5), 9.0, &filter).unwrap());
    assert_eq!((corridor.polygons().len(), corners(&mesh, &corridor, 9).length), (4, 3.0));
    assert!(
        before > 4.0 && !corridor.optimise_visibility(&mut query, &mesh, at(3.5, 0.5), 9.0, &filter).unwrap()
    );
    assert_sound(&mesh, &corridor);
}

#[test]
fn a_small_search_finds_a_way_that_opened() {
    // Around the wall, and a door in it.
    let text = "........\n.######.\n.######.\n........";
    let mesh = Grid::new(text).mesh();
    let on = |x: f32, z: f32| place(&mesh, at(x, z));
    let mut corridor = along(&mesh, on(0.5, 0.5), on(0.5, 3.5)).unwrap();
    assert_eq!(corridor.polygons().len(), 4);
    let far: Vec<_> = (0..8).map(|x| (x as f32 + 0.5, 0.5)).chain([(7.5, 1.5), (7.5, 2.5)]).collect();
    let back: Vec<_> = (0..8).rev().map(|x| (x as f32 + 0.5, 3.5)).collect();
    let polygons: Vec<_> = far.iter().chain(&back).map(|(x, z)| on(*x, *z).polygon).collect();
    assert!(corridor.set_path(&mesh, &polygons, at(0.5, 3.5)).unwrap());
    let (mut query, filter, options) = (Query::new(), Filter::default(), PathOptions::default());
    assert!(!corridor.optimise_topology(&mut query, &mesh, 1, &filter, options).unwrap());
    assert_eq!(corridor.polygons().len(), 18);
    assert!(corridor.optimise_topology(&mut query, &mesh, 8, &filter, options).unwrap());
    assert_eq!(corridor.polygons().len(), 4);
    assert_sound(&mesh, &corridor);
    assert!(!corridor.optimise_topology(&mut query, &mesh, 8, &filter, options).unwrap());
}

#[test]
fn lost_tiles_are_reported_and_repaired() {
    let tiles = || ["..\n..", "..\n..", "..\n.."].iter().enumerate();
    let tile = |x: usize, text: &&'static str| Grid::tiled(text, x as i32, 0).tile();
    let whole = mesh(tiles().map(|(x, text)| tile(x, text)));
    let ends = [at(0.5, 0.5), at(5.5, 0.5)].map(|p| place(&whole, p));
    let corridor = along(&whole, ends[0], ends[1]).unwrap();
    let filter = Filter::default();
    let coord = |x| navtile::TileCoord { x, z: 0, layer: 0 };
    let mut gap = whole.clone();
    gap.remove_tile(coord(1)).unwrap();
    assert!(corridor.is_valid(&gap, 2, &filter) && !corridor.is_valid(&gap, 3, &filter));
    let mut cut = corridor.clone();
    assert_eq!(cut.trim_invalid(&whole, ends[0], &filter).unwrap(), Trimmed::Whole);
    assert_eq!(cut.trim_invalid(&gap, ends[0], &filter).unwrap(), Trimmed::Cut);
    assert_eq!((cut.polygons().len(), cut.target()), (2, at(2.0, 0.5)));
    assert_sound(&gap, &cut);
    // The agent's own tile is removed, and added again under another salt.
    let mut beheaded = whole.clone();
    beheaded.remove_tile(coord(0)).unwrap();
    let mut lost = corridor.clone();
    let safe = place(&beheaded, at(2.25, 0.5));
    assert_eq!(lost.trim_invalid(&beheaded, safe, &filter).unwrap(), Trimmed::Lost);
    assert_eq!((lost.polygons().len(), lost.position()), (1, safe.point));
    let mut fixed = corridor.clone();
    assert!(fixed.fix_start(&beheaded, safe, &filter).unwrap());
    assert_eq!((fixed.first(), fixed.last()), (safe.polygon, corridor.last()));
    assert_sound(&beheaded, &fixed);
    beheaded.add_tile(tile(0, &"..\n..")).unwrap();
    let beside = place(&beheaded, at(1.5, 0.5));
    let mut again = corridor.clone();
    assert!(again.fix_start(&beheaded, beside, &filter).unwrap());
    assert_eq!((again.polygons().len(), again.target()), (5, corridor.target()));
    assert_sound(&beheaded, &again);
    let away = place(&beheaded, at(0.5, 1.5));
    assert!(!again.clone().fix_start(&gap, place(&gap, at(0.5, 1.5)), &filter).unwrap());
    assert!(!corridor.clone().fix_start(&beheaded, away, &filter).unwrap());
    // Polygons that are not neighbours do not form a path.
    let mut torn = Corridor::new(ends[0]);
    assert!(torn.set_path(&whole, &[corridor.first(), corridor.last()], ends[1].point).unwrap());
    assert!(torn.is_valid(&whole, 1, &filter) && !torn.is_valid(&whole, 2, &filter));
    assert_eq!(torn.trim_invalid(&whole, ends[0], &filter).unwrap(), Trimmed::Cut);
    assert_eq!(torn.target(), at(1.0, 0.5));
    // The corridor ends at polygons that the filter excludes, but an agent may be on one.
    let shut = Filter::default().with_exclude(1);
    assert!(corridor.is_valid(&whole, 1, &shut) && !corridor.is_valid(&whole, 2, &shut));
    assert_eq!(corridor.clone().trim_invalid(&whole, ends[0], &shut).unwrap(), Trimmed::Cut);
    let stale = corridor.clone().trim_invalid(&NavMesh::default(), ends[0], &filter);
    assert!(matches!(stale, Err(QueryError::Reference(_))));
}

/// Walks at random, moves the target, casts rays and searches, and checks the invariants after every step.
fn walk(mesh: &NavMesh, seed: u64, steps: usize) {
    let (mut random, mut query, filter) = (Random(seed | 1), Query::new(), Filter::default());
    let start = query.random_point(mesh, &filter, || unit(&mut random)).unwrap();
    let mut corridor = Corridor::new(start);
    for step in 0..steps {
        let mut by = |reach: f32| {
            let mut one = || (unit(&mut random) as f32 * 2.0 - 1.0) * reach;
            Vec3::new(one(), 0.0, one())
        };
        match step % 7 {
            0 => {
                let to = corridor.target() + by(2.0);
                corridor.move_target(&mut query, mesh, to, &filter).unwrap();
            }
            1 => {
                let ahead = corners(mesh, &corridor, 2);
                if let Some(corner) = ahead.corners.last() {
                    corridor.optimise_visibility(&mut query, mesh, corner.point, 8.0, &filter).unwrap();
                }
            }
            2 => {
                let options = PathOptions::default();
                corridor.optimise_topology(&mut query, mesh, 16, &filter, options).unwrap();
            }
            _ => {
                let to = corridor.position() + by(0.7);
                corridor.move_start(&mut query, mesh, to, &filter).unwrap();
            }
        }
        assert_sound(mesh, &corridor);
        if corridor.polygons().len() > 60 {
            corridor.reset(corridor.place());
        }
    }
}

#[test]
fn random_walks_keep_a_corridor_whole() {
    for seed in 0..25 {
        let mut text = String::new();
        walk(&random_grid(seed, 10, 20, &mut text).mesh(), seed + 3, 200);
    }
    let scene = navscenes::by_name("courtyard").unwrap();
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
    let tiles = navlevel::bake_tiles(&level, 48, &Silent).unwrap();
    walk(&mesh(tiles.into_iter().map(|baked| baked.tile)), 5, 3000);
}

#[test]
fn corridors_outlive_tiles_that_come_and_go() {
    let (mut outcomes, mut kept, mut lost) = ([0; 3], 0, 0);
    for seed in 0..20u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let tiles: Vec<_> = (0..16)
            .map(|i| {
                let square = |random: &mut Random| if random.below(100) < 12 { '#' } else { '.' };
                let row = |random: &mut Random| (0..3).map(|_| square(random)).collect::<String>();
                let text = (0..3).map(|_| row(&mut random)).collect::<Vec<_>>().join(" ");
                Grid::tiled(&text, i % 4, i / 4).tile()
            })
            .collect();
        let mut mesh = mesh(tiles.iter().cloned());
        let (mut query, filter) = (Query::new(), Filter::default());
        let mut corridor = Corridor::new(query.random_point(&mesh, &filter, || unit(&mut random)).unwrap());
        for _ in 0..60 {
            let goal = query.random_point(&mesh, &filter, || unit(&mut random)).unwrap();
            let (mut path, options) = (Path::default(), PathOptions::default());
            query.find_path(&mesh, corridor.place(), goal, &filter, &options, &mut path).unwrap();
            assert!(corridor.set_path(&mesh, &path.polygons, goal.point).unwrap());
            // Removes a tile, or adds it again under other references.
            let tile = &tiles[random.below(16) as usize];
            if mesh.remove_tile(tile.coord()).is_err() || random.below(3) == 0 {
                mesh.add_tile(tile.clone()).unwrap();
            }
            let half = Vec3::splat(20.0);
            let safe = query.nearest(&mesh, corridor.position(), half, &filter).unwrap().place();
            let mut pushed = corridor.clone();
            if pushed.fix_start(&mesh, safe, &filter).unwrap() {
                assert_eq!(pushed.target(), corridor.target());
                kept += 1;
            } else {
                lost += 1;
            }
            assert_sound(&mesh, &pushed);
            assert_eq!(pushed.place(), safe);
            let trimmed = corridor.trim_invalid(&mesh, safe, &filter).unwrap();
            assert_sound(&mesh, &corridor);
            outcomes[trimmed as usize] += 1;
            for _ in 0..4 {
                let mut one = || unit(&mut random) as f32 - 0.5;
                let to = corridor.position() + Vec3::new(one(), 0.0, one());
                corridor.move_start(&mut query, &mesh, to, &filter).unwrap();
                assert_sound(&mesh, &corridor);
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 20) && kept > 20 && lost > 20, "{outcomes:?} {kept} {lost}");
}

#[test]
fn steering_to_the_next_corner_arrives() {
    let (mut arrived, mut walked, mut planned) = (0, 0.0, 0.0);
    for seed in 0..30 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 20, &mut text).mesh();
        let (mut query, filter, mut random) = (Query::new(), Filter::default(), Random(seed + 11));
        let ends = [0, 0].map(|_| query.random_point(&mesh, &filter, || unit(&mut random)).unwrap());
        let Some(mut corridor) = along(&mesh, ends[0], ends[1]) else { continue };
        planned += f64::from(corners(&mesh, &corridor, usize::MAX).length);
        let mut steps = 0;
        loop {
            let ahead = corners(&mesh, &corridor, 3);
            let Some(next) = ahead.corners.first().copied() else { break };
            for corner in &ahead.corners {
                corridor.optimise_visibility(&mut query, &mesh, corner.point, 6.0, &filter).unwrap();
            }
            let way = (next.point - corridor.position()).with_y(0.0);
            let to = corridor.position() + way.clamp_length_max(0.2);
            let before = corridor.position();
            corridor.move_start(&mut query, &mesh, to, &filter).unwrap();
            walked += f64::from(flat(before, corridor.position()));
            steps += 1;
            assert!(steps < 1000, "seed {seed}: {corridor:?} {ahead:?}");
        }
        assert!(flat(corridor.position(), ends[1].point) < 0.01);
        arrived += 1;
    }
    assert!(arrived > 15 && walked < planned * 1.001, "{arrived} {walked} {planned}");
}

#[test]
fn crossings_may_be_asked_for() {
    let mesh = Grid::new(".2.2").mesh();
    let ends = [at(0.5, 0.5), at(3.5, 0.5)].map(|p| place(&mesh, p));
    let corridor = along(&mesh, ends[0], ends[1]).unwrap();
    let mut found = StraightPath::default();
    let options = StraightOptions { crossings: Crossings::Areas, max_corners: 2 };
    corridor.corners(&mut Query::new(), &mesh, &options, &mut found).unwrap();
    let kinds: Vec<_> = found.corners.iter().map(|corner| (corner.kind, corner.point.x)).collect();
    assert_eq!(kinds, [(CornerKind::Crossing, 1.0), (CornerKind::Crossing, 2.0)]);
    assert!(found.truncated && found.length == 1.5);
    // A corner at the agent's position does not count.
    let options = StraightOptions { max_corners: 1, ..options };
    let mut query = Query::new();
    let mut corridor = corridor.clone();
    corridor.move_start(&mut query, &mesh, at(0.999, 0.5), &Filter::default()).unwrap();
    corridor.corners(&mut query, &mesh, &options, &mut found).unwrap();
    let points: Vec<_> = found.corners.iter().map(|corner| corner.point).collect();
    assert_eq!((points, found.truncated), (vec![at(2.0, 0.5)], true));
}
