//! How long a dynamic file takes to follow its pieces: one at a time, then a thousand of which fifty move each step.
//!
//! `cargo run --release -p navtile-tilecache --example obstacles -- level.navtile`

#![allow(clippy::print_stdout)] // An example prints its results.

use recast::{AreaId, Body, Effect, Piece, PieceError, Transform};
use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};
use tilecache::{Budget, TileCache};

/// Pieces dropped one after the other for each figure.
const DROPS: u32 = 300;
/// Steps of the crowd of pieces, and the budget of each.
const STEPS: u32 = 200;
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

fn piece(kind: u32, place: Transform) -> Result<Piece, PieceError> {
    let (body, effect) = match kind {
        0 => (Body::cylinder(1.0, 2.0)?, Effect::Blocks { inflate: true }),
        _ => (Body::cuboid([1.0, 1.0, 1.0])?, Effect::Solid { area: AreaId::GROUND }),
    };
    Ok(Piece { body, place, effect })
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("give a file of `navtile bake --dynamic`")?;
    let mut cache = TileCache::open(File::open(path)?)?;
    let mut seed = 7;
    for (kind, name) in [(0, "blocks"), (1, "solid")] {
        let (mut of_tile, mut of_piece) = (Vec::new(), Vec::new());
        for _ in 0..DROPS {
            let handle = cache.add(&piece(kind, place(&cache, &mut seed)?)?)?;
            let start = Instant::now();
            let mut update = cache.update(Budget::tiles(1))?;
            of_tile.push(start.elapsed());
            while update.left > 0 {
                update = cache.update(Budget::tiles(1))?;
            }
            of_piece.push(start.elapsed());
            cache.remove(handle)?;
            cache.wait()?;
        }
        println!("{name}: a tile {}, a piece {}", figures(&mut of_tile), figures(&mut of_piece));
    }
    let mut handles = Vec::new();
    for number in 0..1000 {
        handles.push(cache.add(&piece(number % 2, place(&cache, &mut seed)?)?)?);
    }
    cache.wait()?;
    let (mut most, mut times) = (0, Vec::new());
    for step in 0..STEPS {
        for moved in 0..50 {
            let handle = handles[(step * 50 + moved) as usize % handles.len()];
            let place = place(&cache, &mut seed)?;
            cache.move_to(handle, place)?;
        }
        let start = Instant::now();
        let update = cache.update(Budget::time(BUDGET))?;
        times.push(start.elapsed());
        most = most.max(update.left);
    }
    println!("1,000 pieces, 50 move: a step {}, at most {most} tiles waiting", figures(&mut times));
    Ok(())
}

/// Median, 99th percentile and most, milliseconds.
fn figures(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    format!("{:.3} ms in the median, {:.3} at the 99th percentile, {:.3} at most", at(50), at(99), at(100))
}
