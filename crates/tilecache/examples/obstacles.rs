//! Measures the time in which a dynamic file follows its obstacles: one at a time; a thousand of them while
//! fifty walk; one among many.
//!
//! `cargo run --release -p navtile-tilecache --example obstacles -- level.navtile`

#![allow(clippy::print_stdout)] // An example prints its results.

use navlevel::{Body, Effect, Obstacle, ObstacleError};
use navtile::TileCoord;
use recast::{AreaId, Transform};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};
use tilecache::{Budget, TileCache};

/// Obstacles dropped one after the other for each figure.
const DROPS: u32 = 300;
/// Number of obstacles, number of them that walk, length of each step in metres, number of steps, and the
/// budget of each step.
const OBSTACLES: u32 = 1000;
const WALKERS: u32 = 50;
const STRIDE: f64 = 0.5;
const STEPS: u32 = 600;
const BUDGET: Duration = Duration::from_millis(2);

/// A place over a random polygon of the mesh.
fn place(cache: &TileCache<File>, seed: &mut u64) -> Result<Transform, Box<dyn Error>> {
    let mut next = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize
    };
    let coords = cache.coords();
    let tile = cache.tile(coords[next() % coords.len()]).ok_or("a tile that is listed is there")??;
    let polygon = tile.polygons()[next() % tile.polygons().len()];
    let edges = &tile.edges()[polygon.first_edge as usize..][..usize::from(polygon.edge_count)];
    let corner = tile.vertices()[edges[next() % edges.len()].vertex as usize];
    let at = tile.lattice().fixed_to_world(corner, tile.header().base_cell);
    Ok(Transform::turned((next() % 360) as f64, at))
}

fn obstacle(kind: u32, place: Transform) -> Result<Obstacle, ObstacleError> {
    let (body, effect) = match kind {
        0 => (Body::cylinder(1.0, 2.0)?, Effect::Blocks { inflate: true }),
        _ => (Body::cuboid([1.0, 1.0, 1.0])?, Effect::Solid { area: AreaId::GROUND }),
    };
    Ok(Obstacle { body, place, effect })
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("give a file of `navtile bake --dynamic`")?;
    let mut seed = 7;
    one_by_one(&mut TileCache::open(File::open(&path)?)?, &mut seed)?;
    walk(&mut TileCache::open(File::open(&path)?)?, &mut seed)?;
    for others in [1_000, 10_000, 100_000] {
        among(others, &mut TileCache::open(File::open(&path)?)?, &mut seed)?;
    }
    Ok(())
}

/// Drops obstacles and removes them again.
fn one_by_one(cache: &mut TileCache<File>, seed: &mut u64) -> Result<(), Box<dyn Error>> {
    for (kind, name) in [(0, "blocks"), (1, "solid")] {
        let (mut of_tile, mut of_obstacle) = (Vec::new(), Vec::new());
        for _ in 0..DROPS {
            let handle = cache.add(&obstacle(kind, place(cache, seed)?)?)?;
            let start = Instant::now();
            let mut update = cache.update(Budget::tiles(1))?;
            of_tile.push(start.elapsed());
            while update.left > 0 {
                update = cache.update(Budget::tiles(1))?;
            }
            of_obstacle.push(start.elapsed());
            cache.remove(handle)?;
            cache.wait()?;
        }
        println!("{name}: a tile {}, an obstacle {}", figures(&mut of_tile), figures(&mut of_obstacle));
    }
    Ok(())
}

/// Moves some of many obstacles. Measures the steps from a change of a tile to its swap, and the time of a
/// step.
fn walk(cache: &mut TileCache<File>, seed: &mut u64) -> Result<(), Box<dyn Error>> {
    let mut handles = Vec::new();
    for number in 0..OBSTACLES {
        handles.push(cache.add(&obstacle(number % 2, place(cache, seed)?)?)?);
    }
    cache.wait()?;
    // Steps in which a tile was touched and whose change it does not show yet.
    let mut pending: BTreeMap<TileCoord, Vec<u32>> = BTreeMap::new();
    let (mut lags, mut times, mut step) = (Vec::new(), Vec::new(), 0);
    loop {
        for handle in handles.iter().take(if step < STEPS { WALKERS as usize } else { 0 }) {
            let before = cache.obstacle(*handle).ok_or("it was added")?.place;
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let angle = (*seed >> 33) as f64;
            let at = [0, 1, 2].map(|axis| before.0[axis][3] + STRIDE * [angle.cos(), 0.0, angle.sin()][axis]);
            let left = cache.tiles_of(*handle).to_vec();
            cache.move_to(*handle, Transform::turned(angle % 360.0, at))?;
            let touched =
                left.iter().chain(cache.tiles_of(*handle).iter().filter(|coord| !left.contains(coord)));
            touched.for_each(|coord| {
                let steps = pending.entry(*coord).or_default();
                if steps.last() != Some(&step) {
                    steps.push(step);
                }
            });
        }
        let start = Instant::now();
        let update = cache.update(Budget::time(BUDGET))?;
        times.push(start.elapsed());
        for change in &update.changes {
            lags.extend(pending.remove(&change.coord).into_iter().flatten().map(|changed| step - changed));
        }
        if step >= STEPS && update.left == 0 {
            break;
        }
        step += 1;
    }
    lags.sort_unstable();
    let at = |share: usize| lags[(lags.len() - 1) * share / 100];
    println!(
        "{OBSTACLES} obstacles in {} tiles, {WALKERS} walk: a step {}; lag of {} changes of tiles in steps: {} in the median, {} at the 99th \
         percentile, {} at most",
        cache.coords().len(),
        figures(&mut times),
        lags.len(),
        at(50),
        at(99),
        at(100)
    );
    Ok(())
}

/// Adds one piece among many others, which are in other tiles, and moves it.
fn among(others: u32, cache: &mut TileCache<File>, seed: &mut u64) -> Result<(), Box<dyn Error>> {
    let coords = cache.coords();
    let (near, far) = (coords[0], coords[coords.len() - 1]);
    let half = [near.x.midpoint(far.x), near.z.midpoint(far.z)];
    let is_near = |tiles: &[TileCoord]| tiles.iter().any(|coord| coord.x <= half[0] && coord.z <= half[1]);
    let mut count = 0;
    while count < others {
        let handle = cache.add(&obstacle(count % 2, place(cache, seed)?)?)?;
        if is_near(cache.tiles_of(handle)) {
            cache.remove(handle)?;
        } else {
            count += 1;
        }
    }
    cache.wait()?;
    let (mut added, mut moved, mut baked) = (Vec::new(), Vec::new(), 0);
    for number in 0..DROPS {
        let mut near = || -> Result<Transform, Box<dyn Error>> {
            loop {
                let place = place(cache, seed)?;
                let handle = cache.add(&obstacle(0, place)?)?;
                let is_near = is_near(cache.tiles_of(handle));
                cache.remove(handle)?;
                if is_near {
                    return Ok(place);
                }
            }
        };
        let (first, second) = (near()?, near()?);
        let new = obstacle(number % 2, first)?;
        let start = Instant::now();
        let handle = cache.add(&new)?;
        baked += cache.wait()?.baked;
        added.push(start.elapsed());
        let start = Instant::now();
        cache.move_to(handle, second)?;
        baked += cache.wait()?.baked;
        moved.push(start.elapsed());
        cache.remove(handle)?;
        cache.wait()?;
    }
    println!(
        "among {others}: one is added {}, moved {}, {baked} tiles baked",
        figures(&mut added),
        figures(&mut moved)
    );
    Ok(())
}

/// Median, 99th percentile and maximum, milliseconds.
fn figures(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    format!("{:.3} ms in the median, {:.3} at the 99th percentile, {:.3} at most", at(50), at(99), at(100))
}
