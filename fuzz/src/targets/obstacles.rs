//! The targets about worlds that change: lists of obstacles, dynamic files, and sequences of changes.

use super::{QUERIES, reader_bound};
use crate::memory::bounded;
use crate::script::Script;
use navlevel::{Body, CachedSpans, Effect, Obstacle};
use navtile::file::{ROOT_OFFSETS, Root, SpanCachePlace};
use recast::{AreaId, Level, PreparedLevel, Settings, TileBuild, Transform};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::LazyLock;
use tilecache::{Budget, TileCache, bake_dynamic};

/// Cells of the small level's tiles, and changes of one sequence.
const TILE_CELLS: u32 = 12;
const CHANGES: usize = 12;

/// Ground of 9 by 9 m with a wall across it.
static LEVEL: LazyLock<PreparedLevel> = LazyLock::new(|| {
    let mut level = Level {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Level::default()
    };
    let wall = Body::cuboid([0.3, 3.0, 6.0]).expect("a wall");
    level.vertices.extend(wall.vertices().iter().map(|[x, y, z]| [x + 4.0, *y, z + 3.0]));
    level.triangles.extend(wall.triangles().iter().map(|triangle| triangle.map(|vertex| vertex + 4)));
    let settings = Settings { region_min_area: Some(2.0), ..Settings::default() };
    PreparedLevel::new(&level, &settings).expect("a sound level")
});
static FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| bake_dynamic(&LEVEL, TILE_CELLS, &[]).expect("a small level"));

/// Arbitrary text as a list of obstacles and of chunks, and arbitrary bytes as the spans of a tile. Accepted
/// input is written, read again and baked.
pub fn obstacles_toml(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let areas = BTreeMap::from([("mud".to_owned(), 7)]);
        let mesh = || (vec![[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], vec![[0, 1, 2]]);
        // Errors are what most inputs give.
        let _ = navinput::read_obstacles(text, &areas, &mut |_| Ok(mesh()));
        if let Ok(chunks) = bounded(reader_bound(data, 100), || navinput::read_chunks(text)) {
            let again = navinput::read_chunks(&navinput::chunks_toml(&chunks));
            assert_eq!(again.expect("it was written from chunks"), chunks);
        }
    }
    let build = TileBuild::solo(&LEVEL);
    // A byte encodes at most 175 decisions, and each decision may be a column of 8 spans.
    let bound = reader_bound(data, 40 << 10) + 16 * build.grid.columns();
    if let Ok(spans) = bounded(bound, || CachedSpans::unpack(data, &build)) {
        assert!(CachedSpans::unpack(&spans.pack(), &build).expect("it was read before") == spans);
        let scratch = &mut recast::Scratch::new();
        // Heights may exceed those of a tile.
        let _ = navlevel::bake_cached(&spans, &LEVEL, &build, &[], &recast::Silent, scratch);
    }
}

/// A dynamic file, damaged where the script says, with checksums made to fit, and obstacles that are added,
/// moved and removed. A sound file ends up equal to a bake with the obstacles that are left.
pub fn obstacles(data: &[u8]) {
    let mut script = Script::new(data);
    let damages = script.byte() % 4;
    let mut file = FILE.clone();
    for _ in 0..damages {
        damage(&mut file, &mut script);
    }
    bounded(QUERIES, || {
        // A damaged file is refused, or its tiles fail one by one.
        let Ok(mut cache) = TileCache::open(file.as_slice()) else { return };
        let mut handles = Vec::new();
        for _ in 0..script.below(CHANGES) {
            match script.byte() % 6 {
                0..3 => handles.extend(drawn(&mut script).and_then(|obstacle| cache.add(&obstacle).ok())),
                3 if !handles.is_empty() => {
                    let handle = handles[script.below(handles.len())];
                    let _ = cache.move_to(handle, place(&mut script));
                }
                4 if !handles.is_empty() => {
                    let handle = handles.swap_remove(script.below(handles.len()));
                    cache.remove(handle).expect("it is there");
                }
                _ => drop(cache.update(Budget::tiles(1 + script.below(3)))),
            }
        }
        let settled = cache.wait();
        if damages == 0 {
            assert!(settled.expect("the file is sound").failed.is_empty());
            let left: Vec<Obstacle> =
                handles.iter().filter_map(|handle| cache.obstacle(*handle).cloned()).collect();
            let offline = bake_dynamic(&LEVEL, TILE_CELLS, &left).expect("each was added");
            assert!(cache.write(Cursor::new(Vec::new())).expect("it is settled").into_inner() == offline);
        }
    });
}

fn place(script: &mut Script<'_>) -> Transform {
    let mut metres = || f64::from(script.byte()) / 20.0 - 1.0;
    let at = [metres(), metres(), metres()];
    if script.byte() == 0 {
        return Transform([[script.measure(); 4], [script.measure(); 4], [script.measure(); 4]]);
    }
    Transform::turned(f64::from(script.byte()), at)
}

fn drawn(script: &mut Script<'_>) -> Option<Obstacle> {
    let mut size = || if script.byte() == 0 { script.measure() } else { f64::from(script.byte()) / 40.0 };
    let [a, b, c] = [size(), size(), size()];
    let body = match script.byte() % 5 {
        0 => Body::cuboid([a, b, c]),
        1 => Body::cylinder(a, b),
        2 => Body::capsule(a, 2.0 * a + b),
        3 => Body::hull(&[[0.0; 3], [a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c], [a, b, c]]),
        _ => Body::mesh(&[[0.0; 3], [0.0, a, b], [c, 0.0, 0.0]], &[[0, 1, 2]]),
    };
    let effect = match script.byte() % 5 {
        0 => Effect::Solid { area: AreaId::GROUND },
        1 => Effect::Solid { area: AreaId(script.byte()) },
        2 => Effect::Blocks { inflate: script.byte() % 2 == 0 },
        3 => Effect::Marks { area: AreaId(script.byte()), inflate: script.byte() % 2 == 0 },
        _ => Effect::Removes,
    };
    Some(Obstacle { body: body.ok()?, place: place(script), effect })
}

/// Changes a byte of the cached spans, their index or their place, and makes the checksums fit.
fn damage(file: &mut [u8], script: &mut Script<'_>) {
    let at = ROOT_OFFSETS[0] + size_of::<Root>();
    let place: SpanCachePlace = bytemuck::pod_read_unaligned(&file[at..at + size_of::<SpanCachePlace>()]);
    let (start, end) = (place.offset as usize, place.offset.saturating_add(place.length) as usize);
    let part = match script.byte() % 3 {
        0 => at..at + size_of::<SpanCachePlace>(),
        1 if start < end && end <= file.len() => start..end,
        _ => 0..file.len(),
    };
    let byte = part.start + script.below(part.len());
    file[byte] = script.byte();
    if script.byte() % 8 == 0 {
        return;
    }
    let mut place: SpanCachePlace = bytemuck::pod_read_unaligned(&file[at..at + size_of::<SpanCachePlace>()]);
    let (start, end) = (place.offset as usize, place.offset.saturating_add(place.length) as usize);
    if let Some(index) = file.get(start..end) {
        place.index_checksum = crc32fast::hash(index);
    }
    place.checksum = 0;
    place.checksum = crc32fast::hash(bytemuck::bytes_of(&place));
    file[at..at + size_of::<SpanCachePlace>()].copy_from_slice(bytemuck::bytes_of(&place));
}
