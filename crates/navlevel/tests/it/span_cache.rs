//! Cached spans: tiles baked from them are equal to tiles baked from triangles.

use navlevel::{Body, CachedFloors, CachedSpans, Effect, Obstacle, PreparedObstacle, Tiling, bake_cached};
use recast::{AreaId, Error, Level, Outlines, PreparedLevel, Scratch, Settings, Silent, Transform};

const OUTLINES: [Outlines; 2] = [Outlines::Cells, Outlines::Exact];

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
    // Exact outlines also need triangles.
    let is_small = settings.outlines == Outlines::Exact || bytes < columns + 4 * spans;
    assert!(is_small, "{name}: {spans} spans of {columns} columns take {bytes} bytes");
}

#[test]
fn tiles_baked_from_cached_spans_are_those_baked_from_triangles() {
    for scene in navscenes::all() {
        for outlines in OUTLINES {
            let settings = Settings { outlines, ..(scene.settings)() };
            for tile_cells in [0, 48, 17] {
                compare(scene.name, &settings, tile_cells);
            }
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
    for (scene, outlines) in navscenes::all().iter().flat_map(|scene| OUTLINES.map(|kind| (scene, kind))) {
        let settings = Settings { outlines, ..(scene.settings)() };
        let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
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

/// A square of ground of 12 m with its middle at the zero.
fn square() -> Level {
    Level {
        vertices: vec![[-6.0, 0.0, -6.0], [-6.0, 0.0, 6.0], [6.0, 0.0, 6.0], [6.0, 0.0, -6.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Level::default()
    }
}

/// Bakes a level in one piece, from cached spans with obstacles.
fn baked_with(level: &Level, settings: &Settings, obstacles: &[Obstacle]) -> navtile::Tile {
    let levels = [PreparedLevel::new(level, settings).unwrap()];
    let tiling = Tiling::for_agents(&levels, 0).unwrap();
    let coord = tiling.coords()[0];
    let mut cached = None;
    let keep = |_, _, spans| -> Result<(), Error> {
        cached = Some(spans);
        Ok(())
    };
    tiling.bake_agents_caching(&[0], coord, &Silent, &mut Scratch::new(), keep).unwrap();
    let prepared: Vec<PreparedObstacle> =
        obstacles.iter().map(|obstacle| PreparedObstacle::new(obstacle, &levels[0]).unwrap()).collect();
    let obstacles: Vec<&PreparedObstacle> = prepared.iter().collect();
    let build = tiling.build(0, coord).unwrap();
    bake_cached(&cached.unwrap(), &levels[0], &build, &obstacles, &Silent, &mut Scratch::new()).unwrap().tile
}

/// The borders of a tile's ground as ends of segments, world x and z.
fn borders(tile: &navtile::Tile) -> Vec<[[f64; 2]; 2]> {
    let place = |vertex: u32| {
        let [x, _, z] =
            tile.lattice().fixed_to_world(tile.vertices()[vertex as usize], tile.header().base_cell);
        [x, z]
    };
    let mut borders = Vec::new();
    for polygon in tile.polygons() {
        let edges = tile.polygon_edges(polygon);
        for (index, edge) in
            edges.iter().enumerate().filter(|(_, edge)| edge.kind == navtile::layout::edge_kind::WALL)
        {
            borders.push([edge.vertex, edges[(index + 1) % edges.len()].vertex].map(place));
        }
    }
    borders
}

#[test]
fn a_turned_crate_leaves_a_sharp_hole() {
    let settings = Settings { outlines: Outlines::Exact, ..Settings::default() };
    let (size, turn) = ([2.0, 2.0, 1.0], 30.0f64);
    let crate_at = Obstacle {
        body: Body::cuboid(size).unwrap(),
        place: Transform::turned(turn, [0.1, 0.0, 0.2]),
        effect: Effect::Solid { area: AreaId::NULL },
    };
    let tile = baked_with(&square(), &settings, std::slice::from_ref(&crate_at));
    // The corners of the crate on the ground, in the order of a walk around it.
    let corners: Vec<[f64; 2]> = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .iter()
        .map(|[x, z]| crate_at.place.apply([0.5 * size[0] * x, 0.0, 0.5 * size[2] * z]))
        .map(|[x, _, z]| [x, z])
        .collect();
    let off = |[x, z]: [f64; 2]| {
        let to_side = |index: usize| {
            let ([ax, az], [bx, bz]) = (corners[index], corners[(index + 1) % 4]);
            let (dx, dz) = (bx - ax, bz - az);
            let share = (((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
            (x - ax - dx * share).hypot(z - az - dz * share)
        };
        (0..4).map(to_side).fold(f64::INFINITY, f64::min)
    };
    let hole: Vec<[[f64; 2]; 2]> = borders(&tile).into_iter().filter(|[a, _]| off(*a) < 2.0).collect();
    assert!((8..=16).contains(&hole.len()), "{hole:?}");
    let radius = settings.agent_radius;
    for [a, b] in hole {
        for step in 0..=20 {
            let share = f64::from(step) / 20.0;
            let apart = off([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
            assert!((radius - 0.01..radius * 1.09).contains(&apart), "{apart} from the crate at {a:?}");
        }
    }
}

#[test]
fn a_hole_in_a_wall_opens_it() {
    // A wall across the square, 0.2 m thick and 3 m high.
    let mut level = square();
    let first = level.vertices.len() as u32;
    for x in [-6.0, 6.0] {
        for y in [0.0, 3.0] {
            for z in [-0.1, 0.1] {
                level.vertices.push([x, y, z]);
            }
        }
    }
    let quads = [[0, 2, 6, 4], [1, 5, 7, 3], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
    for [a, b, c, d] in quads.map(|quad| quad.map(|corner: u32| corner + first)) {
        level.triangles.extend([[a, b, c], [a, c, d]]);
    }
    let islands = |width: f64| {
        let settings = Settings { outlines: Outlines::Exact, ..Settings::default() };
        let door = Obstacle {
            body: Body::cuboid([width, 2.5, 1.0]).unwrap(),
            place: Transform::turned(0.0, [0.35, 0.0, 0.0]),
            effect: Effect::Removes,
        };
        let tile = baked_with(&level, &settings, &[door]);
        navtile::islands::Islands::find(&[tile]).area2.len()
    };
    assert_eq!([islands(0.8), islands(2.0)], [2, 1]);
}
