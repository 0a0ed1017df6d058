//! Cached spans: tiles baked from them are equal to tiles baked from triangles.

use navlevel::{Body, CachedFloors, CachedSpans, Effect, Obstacle, PreparedObstacle, Tiling, bake_cached};
use recast::{AreaId, Error, PreparedLevel, Scratch, Settings, Silent, Transform};

/// Bakes all tiles of a scene from triangles, and from cached spans that were packed and unpacked.
fn compare(name: &str, settings: &Settings, tile_cells: u32) {
    let scene = navscenes::by_name(name).unwrap();
    let level = PreparedLevel::new(&(scene.level)(), settings).unwrap();
    let levels = [level];
    let tiling = Tiling::for_agents(&levels, tile_cells).unwrap();
    let mut scratch = Scratch::new();
    let (mut spans, mut bytes, mut columns) = (0, 0, 0);
    for coord in tiling.coords() {
        let plain = tiling.bake(coord, &Silent, &mut scratch).unwrap();
        let mut cached = None;
        tiling
            .bake_agents_caching(&[0], coord, &Silent, &mut Scratch::new(), |_, baked, spans| {
                assert_eq!(baked.tile.bytes(), plain.tile.bytes(), "{name} {coord:?}");
                cached = Some(spans);
                Ok::<(), Error>(())
            })
            .unwrap();
        let cached = cached.unwrap();
        let build = tiling.build(0, coord).unwrap();
        let packed = cached.pack();
        let read = CachedSpans::unpack(&packed, &build).unwrap();
        assert_eq!(read, cached, "{name} {coord:?}");
        let without = PreparedLevel::without_triangles(
            settings,
            levels[0].lattice.origin,
            levels[0].size,
            levels[0].height,
        );
        let again = bake_cached(&read, &without.unwrap(), &build, &[], &Silent, &mut scratch).unwrap();
        assert_eq!(again.tile.bytes(), plain.tile.bytes(), "{name} {coord:?}");
        assert_eq!(again.island_cells, plain.island_cells);
        spans += cached.len();
        bytes += packed.len();
        columns += cached.columns();
    }
    assert!(bytes < columns + 4 * spans, "{name}: {spans} spans of {columns} columns take {bytes} bytes");
}

#[test]
fn tiles_baked_from_cached_spans_are_those_baked_from_triangles() {
    for scene in navscenes::all() {
        let settings = (scene.settings)();
        for tile_cells in [0, 48, 17] {
            compare(scene.name, &settings, tile_cells);
        }
    }
}

/// Obstacles of every kind around a place, metres.
fn obstacles(at: [f64; 3]) -> Vec<Obstacle> {
    let effects = [
        (Body::cuboid([2.0, 0.8, 1.0]), Effect::Solid { area: AreaId::GROUND }),
        (Body::cylinder(0.8, 2.0), Effect::Blocks { inflate: true }),
        (Body::cuboid([3.0, 1.0, 2.0]), Effect::Marks { area: AreaId(5), inflate: false }),
        (Body::cuboid([1.0, 1.5, 2.0]), Effect::Removes),
        (Body::cylinder(2.0, 1.0), Effect::Marks { area: AreaId(4), inflate: true }),
    ];
    let place =
        |number: usize| Transform::turned(20.0 * number as f64, [at[0] + 0.7 * number as f64, at[1], at[2]]);
    effects
        .into_iter()
        .enumerate()
        .map(|(number, (body, effect))| Obstacle { body: body.unwrap(), place: place(number), effect })
        .collect()
}

#[test]
fn tiles_baked_from_cached_floors_are_those_baked_from_cached_spans() {
    for scene in navscenes::all() {
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        let levels = [level];
        let (level, tiling) = (&levels[0], Tiling::for_agents(&levels, 48).unwrap());
        let mut scratch = Scratch::new();
        for coord in tiling.coords() {
            let mut cached = None;
            let keep = |_, baked: recast::Baked, spans| -> Result<(), Error> {
                cached = Some((baked.tile, spans));
                Ok(())
            };
            tiling.bake_agents_caching(&[0], coord, &Silent, &mut scratch, keep).unwrap();
            let (tile, cached) = cached.unwrap();
            let Some(&corner) = tile.vertices().first() else { continue };
            let at = tile.lattice().fixed_to_world(corner, tile.header().base_cell);
            let all: Vec<PreparedObstacle> = obstacles(at)
                .iter()
                .map(|obstacle| PreparedObstacle::new(obstacle, level).unwrap())
                .collect();
            let build = tiling.build(0, coord).unwrap();
            let mut swept = cached.clone();
            swept.find_floors(level, &mut scratch).unwrap();
            assert!(swept.has_floors() && !cached.has_floors() && swept.memory() > cached.memory());
            let with = |numbers: &[usize]| numbers.iter().map(|&number| &all[number]).collect::<Vec<_>>();
            // One set of floors serves for any marks.
            for (floors, sets) in [
                (&[0, 3][..], [&[0, 3][..], &[0, 1, 3], &[4, 0, 2, 3]]),
                (&[1], [&[], &[1], &[2, 4, 1]]),
                (&[0], [&[0], &[4, 0], &[0, 1]]),
                (&[3], [&[3], &[3, 2], &[1, 3]]),
            ] {
                let floors =
                    CachedFloors::find(&cached, level, &build, &with(floors), &Silent, &mut scratch).unwrap();
                for set in sets {
                    let obstacles = with(set);
                    let plain =
                        bake_cached(&cached, level, &build, &obstacles, &Silent, &mut scratch).unwrap();
                    let baked = floors.bake(level, &build, &obstacles, &Silent, &mut scratch).unwrap();
                    assert_eq!(baked.tile.bytes(), plain.tile.bytes(), "{} {coord:?} {set:?}", scene.name);
                    assert_eq!(baked.island_cells, plain.island_cells);
                    assert_eq!(baked.counts, plain.counts);
                    // Only the rows of solids and holes are swept again.
                    let partly =
                        bake_cached(&swept, level, &build, &obstacles, &Silent, &mut scratch).unwrap();
                    assert_eq!(partly.tile.bytes(), plain.tile.bytes(), "{} {coord:?} {set:?}", scene.name);
                    assert_eq!(partly.counts, plain.counts);
                }
            }
        }
    }
}
