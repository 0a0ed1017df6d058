//! Levels that change at run time: a level with its obstacles, and the tiles that are baked again.

use crate::bake::BYTES;
use crate::mesh::{MESHES, Mesh, keep, point};
use crate::obstacle::{NtObstacleParams, NtTransform, body, points, transform};
use crate::pointers::{fill, present, slice, text, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtBytes, NtCache, NtMesh, NtPolyRef};
use detour::{IslandChanges, NavMesh, PolyRef};
use navlevel::Obstacle;
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::fmt::Write as _;
use std::io::Cursor;
use std::mem::MaybeUninit;
use std::time::Duration;
use tilecache::{Budget, ObstacleHandle, Stationary, TileCache, TileChange};

static CACHES: Table<World> = Table::new(8, "cache");

#[derive(Debug)]
struct World {
    cache: TileCache<Vec<u8>>,
    /// Tiles that changed since the last call of nt_cache_apply.
    changes: BTreeMap<TileCoord, Option<Tile>>,
    /// Failures of the last update: the tile and the reason, one per line.
    failures: String,
    /// Changes of islands of the last call of nt_cache_apply.
    islands: IslandChanges,
}

/// An obstacle in a cache; 0 means no obstacle. The handle of a removed obstacle is invalid.
pub type NtObstacle = u64;

/// The results of an update.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtUpdate {
    /// Tiles that changed.
    pub changed: u32,
    /// Tiles that were baked.
    pub baked: u32,
    /// Tiles that are the same as in the file again, and were taken from it.
    pub from_file: u32,
    /// Tiles that could not be baked. They keep their state until an obstacle in them changes: see
    /// nt_cache_failures.
    pub failed: u32,
    /// Tiles that still wait.
    pub left: u32,
}

/// The result of swapping tiles in a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtApplied {
    pub added: u32,
    pub replaced: u32,
    pub removed: u32,
    /// Polygons whose flags or area had been changed at run time, and that kept them because the polygons
    /// still exist.
    pub kept: u32,
    /// Polygons with such changes that no longer exist.
    pub lost: u32,
    /// Islands that were joined, read by nt_cache_joined, and that were parted, read by nt_cache_parted.
    pub joined: u32,
    pub parted: u32,
}

/// A part of an island that was joined with others, or parted from them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtIslandPart {
    /// A polygon on the part, of the mesh as it is now.
    pub polygon: NtPolyRef,
    /// Parts of the same island have the same number, from 0.
    pub island: u32,
}

fn with(cache: NtCache, work: impl FnOnce(&mut World) -> Answer<()>) -> NtStatus {
    call(|| CACHES.with(cache.id, work))
}

fn open(bytes: Vec<u8>, out: Option<&mut MaybeUninit<NtCache>>) -> Answer<()> {
    let out = present(out)?;
    let cache = TileCache::open(bytes)?;
    let (changes, failures, islands) = Default::default();
    out.write(NtCache { id: CACHES.add(World { cache, changes, failures, islands })? });
    Ok(())
}

/// Opens a file that was baked with --dynamic or by nt_bake_dynamic. The cache has no obstacles yet.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_open(path: *const c_char, out: Option<&mut MaybeUninit<NtCache>>) -> NtStatus {
    call(|| {
        let path = text(path, "path")?;
        let bytes = std::fs::read(path)
            .map_err(|error| Fault::new(NtStatus::NT_ERROR_FILE, format!("{path}: {error}")))?;
        open(bytes, out).map_err(|fault| Fault { text: format!("{path}: {}", fault.text), ..fault })
    })
}

/// Opens a file for a cache from its bytes, which are copied.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_from_bytes(
    bytes: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<NtCache>>,
) -> NtStatus {
    call(|| open(slice(bytes, length, "bytes")?.to_vec(), out))
}

/// Frees a cache. Meshes that were made from it stay.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_free(cache: NtCache) -> NtStatus {
    call(|| CACHES.remove(cache.id).map(drop))
}

/// Makes a mesh of the current state of all tiles; `anchor` as in nt_mesh_new. nt_cache_apply brings later
/// changes into it.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_mesh(
    cache: NtCache,
    anchor: *const f64,
    out: Option<&mut MaybeUninit<NtMesh>>,
) -> NtStatus {
    with(cache, |World { cache, changes, .. }| {
        let out = present(out)?;
        let mut mesh = NavMesh::new(point(anchor)?)?;
        let tiles = cache.coords().into_iter().filter_map(|coord| cache.tile(coord));
        mesh.add_tiles(tiles.collect::<Result<Vec<_>, _>>()?)?;
        keep(Mesh { mesh, areas: cache.meta().areas.clone().into() }, Some(out))?;
        changes.clear();
        Ok(())
    })
}

/// Adds an obstacle. The tiles that it touches wait for nt_cache_update; `out` gets the obstacle's handle.
/// Positions are metres in the world, not from an anchor. NULL for a box of one metre at the world's origin.
/// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_add(
    cache: NtCache,
    params: *const NtObstacleParams,
    out: Option<&mut MaybeUninit<NtObstacle>>,
) -> NtStatus {
    add(cache, || NtObstacleParams::with_own_body(params), out)
}

/// Adds the convex hull of `count` points as an obstacle: 4 to 256 points of three numbers in the obstacle's
/// own space. Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_add_hull(
    cache: NtCache,
    params: *const NtObstacleParams,
    points: *const f64,
    count: usize,
    out: Option<&mut MaybeUninit<NtObstacle>>,
) -> NtStatus {
    add(cache, || NtObstacleParams::with_body(params, body((points, count), None)?), out)
}

/// Adds a mesh as an obstacle. Only its surface counts: `vertex_count` points of three numbers, and
/// `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
/// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_add_mesh(
    cache: NtCache,
    params: *const NtObstacleParams,
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    out: Option<&mut MaybeUninit<NtObstacle>>,
) -> NtStatus {
    let triangles = Some((triangles, triangle_count));
    add(cache, || NtObstacleParams::with_body(params, body((vertices, vertex_count), triangles)?), out)
}

fn add(
    cache: NtCache,
    obstacle: impl FnOnce() -> Answer<Obstacle>,
    out: Option<&mut MaybeUninit<NtObstacle>>,
) -> NtStatus {
    call(|| {
        let (out, obstacle) = (present(out)?, obstacle()?);
        CACHES.with(cache.id, |world| {
            out.write(world.cache.add(&obstacle)?.to_bits());
            Ok(())
        })
    })
}

/// Moves an obstacle. `counts` gets 1, or 0 if the move is below the movement threshold and the obstacle
/// remains at its last applied place. `counts` may be NULL. Returns NT_OK, NT_ERROR_ARGUMENT (no such
/// obstacle, or a place that is too far away; nothing changes), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_move(
    cache: NtCache,
    obstacle: NtObstacle,
    place: Option<&NtTransform>,
    counts: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let place = transform(place.ok_or_else(|| Fault::null("place"))?)?;
        let moved = cache.move_to(ObstacleHandle::from_bits(obstacle), place)?;
        if let Some(counts) = counts {
            counts.write(moved.into());
        }
        Ok(())
    })
}

/// Removes an obstacle.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_remove(cache: NtCache, obstacle: NtObstacle) -> NtStatus {
    with(cache, |World { cache, .. }| Ok(cache.remove(ObstacleHandle::from_bits(obstacle))?))
}

/// Writes the handles of all obstacles into an array of `capacity` handles.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_obstacles(
    cache: NtCache,
    out: *mut NtObstacle,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let obstacles: Vec<NtObstacle> = cache.handles().map(ObstacleHandle::to_bits).collect();
        fill(out, capacity, count, obstacles.into_iter())
    })
}

/// Writes the last applied place of an obstacle, which saved games keep, and the place of its last
/// move. Either may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_places(
    cache: NtCache,
    obstacle: NtObstacle,
    applied: Option<&mut MaybeUninit<NtTransform>>,
    moved_to: Option<&mut MaybeUninit<NtTransform>>,
) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let handle = ObstacleHandle::from_bits(obstacle);
        let (Some(obstacle), Some(requested)) = (cache.obstacle(handle), cache.requested_transform(handle))
        else {
            return Err(tilecache::CacheError::NoObstacle.into());
        };
        if let Some(applied) = applied {
            applied.write(obstacle.place.into());
        }
        if let Some(moved_to) = moved_to {
            moved_to.write(requested.into());
        }
        Ok(())
    })
}

/// Sets the distance that a corner of an obstacle must move for the move to count, metres; at 0 every move
/// counts. Smaller moves add up. The default is half the smaller of cell size and cell height.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_set_movement_threshold(cache: NtCache, metres: f64) -> NtStatus {
    with(cache, |World { cache, .. }| Ok(cache.set_movement_threshold(metres)?))
}

/// The rule of an obstacle that has an effect only while it keeps still: see nt_cache_set_stationary.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtStationary {
    /// Time without a move after which the obstacle has its effect again, seconds, 0 or more.
    pub time_to_stationary: f64,
    /// A move counts if it brings a corner of the obstacle at least this far from its last place that
    /// counted, metres, 0 or more.
    pub move_threshold: f64,
}

/// Gives an obstacle an effect only while it keeps still; NULL for an effect at every place. When it begins
/// to move, it vanishes from its tiles, and no tile is baked for its moves until it has kept still for the
/// time of the rule. nt_cache_advance counts the time.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such obstacle, or a number that is negative or NaN), NT_ERROR_HANDLE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_set_stationary(
    cache: NtCache,
    obstacle: NtObstacle,
    rule: Option<&NtStationary>,
) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let rule = rule.map(|rule| Stationary {
            time_to_stationary: rule.time_to_stationary,
            move_threshold: rule.move_threshold,
        });
        Ok(cache.set_stationary(ObstacleHandle::from_bits(obstacle), rule)?)
    })
}

/// Counts time for obstacles that have an effect only while they keep still: call it in each frame.
/// Returns NT_OK, NT_ERROR_ARGUMENT (a time that is negative or NaN), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_advance(cache: NtCache, seconds: f64) -> NtStatus {
    with(cache, |World { cache, .. }| Ok(cache.advance(seconds)?))
}

/// `out` gets 1 if an obstacle moves and has no effect until it has kept still, otherwise 0.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_is_moving(
    cache: NtCache,
    obstacle: NtObstacle,
    out: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    with(cache, |World { cache, .. }| {
        write(out, "out", cache.is_moving(ObstacleHandle::from_bits(obstacle)).into())
    })
}

/// Sets the memory that unpacked tiles may take, bytes: 32 MiB by default. At 0 every bake of a tile unpacks
/// it from the file.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_set_held_limit(cache: NtCache, bytes: u64) -> NtStatus {
    with(cache, |World { cache, .. }| {
        cache.set_held_limit(bytes);
        Ok(())
    })
}

/// Sets the places near which tiles are baked first: `count` points of three numbers, metres in the world.
/// Without them, the tiles that have waited longest are baked first.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_set_focus(cache: NtCache, places: *const f64, count: usize) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let places = points(places, count, "places")?;
        if let Some(at) = places.iter().position(|place| place.iter().any(|value| !value.is_finite())) {
            return Err(Fault::argument(format!("place {at} is not finite: {:?}", places[at])));
        }
        cache.set_focus(places);
        Ok(())
    })
}

/// Number of tiles that wait to be baked again.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_waiting(cache: NtCache, out: Option<&mut MaybeUninit<usize>>) -> NtStatus {
    with(cache, |World { cache, .. }| write(out, "out", cache.waiting()))
}

/// Bakes waiting tiles, the most urgent first: at most `tiles`, which are the same on every machine, or for
/// about `seconds`, or all if both are 0. Only nt_cache_apply changes meshes.
/// Returns NT_OK, NT_ERROR_ARGUMENT (both are given, or the seconds are not a valid duration; or there is no
/// ground at the places that everything must be reachable from: the tiles continue to wait), NT_ERROR_HANDLE,
/// NT_ERROR_DATA. Any thread; it works on the threads of the library's pool, and other calls on the cache
/// wait for it.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_update(
    cache: NtCache,
    tiles: usize,
    seconds: f64,
    out: Option<&mut MaybeUninit<NtUpdate>>,
) -> NtStatus {
    with(cache, |World { cache, changes, failures, .. }| {
        let out = present(out)?;
        let budget = match (tiles, seconds) {
            (0, 0.0) => Budget::all(),
            (tiles, 0.0) => Budget::tiles(tiles),
            (0, seconds) => Budget::time(
                Duration::try_from_secs_f64(seconds)
                    .map_err(|error| Fault::argument(format!("seconds is {seconds}: {error}")))?,
            ),
            _ => return Err(Fault::argument("give tiles or seconds, and 0 for the other")),
        };
        let update = cache.update(budget)?;
        failures.clear();
        for failed in &update.failed {
            let TileCoord { x, z, .. } = failed.coord;
            let _ = writeln!(failures, "tile ({x}, {z}): {}", failed.error);
        }
        let done = NtUpdate {
            changed: update.changes.len() as u32,
            baked: update.baked as u32,
            from_file: update.from_file as u32,
            failed: update.failed.len() as u32,
            left: update.left as u32,
        };
        changes.extend(update.changes.into_iter().map(|change| (change.coord, change.tile)));
        out.write(done);
        Ok(())
    })
}

/// Writes the tiles that the last update could not bake as a text: one line for each, with the reason.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_failures(cache: NtCache, out: Option<&mut MaybeUninit<NtBytes>>) -> NtStatus {
    with(cache, |World { failures, .. }| {
        let out = present(out)?;
        out.write(NtBytes { id: BYTES.add(failures.as_bytes().into())? });
        Ok(())
    })
}

/// Replaces the tiles that changed since the last call, all at once, in the mesh that nt_cache_mesh made.
/// Polygons that still exist keep the flags and areas that were set at run time. Queries keep their snapshot
/// until nt_query_update. `out` may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another level; it does not change), NT_ERROR_HANDLE,
/// NT_ERROR_LIMIT. Any thread; other calls on the cache and the mesh wait for it.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_apply(
    cache: NtCache,
    mesh: NtMesh,
    out: Option<&mut MaybeUninit<NtApplied>>,
) -> NtStatus {
    with(cache, |World { changes, islands, .. }| {
        let list: Vec<TileChange> =
            changes.iter().map(|(coord, tile)| TileChange { coord: *coord, tile: tile.clone() }).collect();
        let applied = MESHES.with(mesh.id, |mesh| Ok(tilecache::apply(&mut mesh.mesh, &list)?))?;
        changes.clear();
        *islands = applied.islands;
        if let Some(out) = out {
            out.write(NtApplied {
                added: applied.added as u32,
                replaced: applied.replaced as u32,
                removed: applied.removed as u32,
                kept: applied.kept as u32,
                lost: applied.lost as u32,
                joined: islands.joined().len() as u32,
                parted: islands.parted().len() as u32,
            });
        }
        Ok(())
    })
}

fn parts(islands: Vec<Vec<PolyRef>>) -> std::vec::IntoIter<NtIslandPart> {
    let of = |(island, polygons): (u32, Vec<PolyRef>)| {
        polygons.into_iter().map(move |polygon| NtIslandPart { polygon: polygon.to_bits(), island })
    };
    (0..).zip(islands).flat_map(of).collect::<Vec<_>>().into_iter()
}

/// Writes the islands that the last nt_cache_apply joined, each with a polygon on its ground, into an array
/// of `capacity` parts.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_joined(
    cache: NtCache,
    out: *mut NtIslandPart,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(cache, |World { islands, .. }| fill(out, capacity, count, parts(islands.joined())))
}

/// Writes the islands that the last nt_cache_apply parted, with a polygon on each part, into an array of
/// `capacity` parts. A closed door parts an island, for example.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_parted(
    cache: NtCache,
    out: *mut NtIslandPart,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(cache, |World { islands, .. }| fill(out, capacity, count, parts(islands.parted())))
}

/// Writes the .navtile file of the level with its current obstacles. A bake with these obstacles writes the
/// same bytes. Returns NT_OK, NT_ERROR_ARGUMENT (tiles wait), NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_cache_write(cache: NtCache, out: Option<&mut MaybeUninit<NtBytes>>) -> NtStatus {
    with(cache, |World { cache, .. }| {
        let out = present(out)?;
        let file = cache.write(Cursor::new(Vec::new()))?.into_inner();
        out.write(NtBytes { id: BYTES.add(file.into())? });
        Ok(())
    })
}
