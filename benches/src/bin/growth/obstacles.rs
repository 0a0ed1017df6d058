//! Obstacles in worlds that change, and the files that hold such worlds.

use super::{Family, Made, Member};
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Level, PreparedLevel, Settings, Transform};
use std::error::Error;
use tilecache::{TileCache, bake_dynamic};

pub(super) const FAMILIES: [Family; 10] = [
    Family { name: "obstacles/one-in-each-tile", start: 16, make: one_in_each_tile },
    Family { name: "obstacles/all-on-one-spot", start: 400, make: on_one_spot },
    Family { name: "obstacles/marks-on-one-spot", start: 400, make: marks_on_one_spot },
    Family { name: "obstacles/moves-in-a-world-as-wide", start: 16, make: moves },
    Family { name: "obstacles/a-mesh-of-many-triangles", start: 400, make: mesh },
    Family { name: "obstacles/solids-over-each-other", start: 200, make: solids },
    Family { name: "obstacles/holes-over-each-other", start: 200, make: holes },
    Family { name: "obstacles/meshes-over-each-other", start: 50, make: meshes },
    Family { name: "dynamic-file/open-and-check", start: 16, make: open },
    Family { name: "dynamic-file/storeys", start: 16, make: storeys },
];

/// Cells along a tile, and metres.
const TILE_CELLS: u32 = 32;
const TILE: f64 = 32.0 * 0.3;

/// A dynamic file of a floor that is n tiles long.
fn floor(n: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    floors(n as f64 * TILE, 1)
}

/// A dynamic file of a number of floors over each other.
fn floors(length: f64, count: u32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut level = Level::default();
    for storey in 0..count {
        let (y, first) = (3.0 * f64::from(storey), 4 * storey);
        level.vertices.extend([[0.0, y, 0.0], [0.0, y, TILE], [length, y, TILE], [length, y, 0.0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    Ok(bake_dynamic(&PreparedLevel::new(&level, &Settings::default())?, TILE_CELLS, &[])?)
}

fn crate_at(x: f64) -> Result<Obstacle, Box<dyn Error>> {
    let (body, place) = (Body::cuboid([1.0; 3])?, Transform::turned(20.0, [x, 0.0, TILE / 2.0]));
    Ok(Obstacle { body, place, effect: Effect::Solid { area: AreaId::GROUND } })
}

/// Adds obstacles, bakes the tiles that wait, and removes the obstacles again.
fn added(file: Vec<u8>, obstacles: Vec<Obstacle>) -> Result<(), Box<dyn Error>> {
    let mut cache = TileCache::open(file)?;
    let handles = obstacles.iter().map(|obstacle| cache.add(obstacle)).collect::<Result<Vec<_>, _>>()?;
    cache.wait()?;
    handles.into_iter().try_for_each(|handle| cache.remove(handle))?;
    cache.wait()?;
    Ok(())
}

fn one_in_each_tile(count: usize) -> Made {
    let file = floor(count)?;
    let obstacles: Vec<Obstacle> =
        (0..count).map(|tile| crate_at((tile as f64 + 0.5) * TILE)).collect::<Result<_, _>>()?;
    Ok(Member::new(count, move || added(file, obstacles)))
}

/// Obstacles on one spot, each slightly offset, so that no two are the same.
fn on_one_spot(count: usize) -> Made {
    let file = floor(1)?;
    let obstacles: Vec<Obstacle> =
        (0..count).map(|number| crate_at(TILE / 2.0 + number as f64 * 1e-4)).collect::<Result<_, _>>()?;
    Ok(Member::new(count, move || added(file, obstacles)))
}

fn marks_on_one_spot(count: usize) -> Made {
    let file = floor(1)?;
    let mark = |number: usize| {
        let effect = Effect::Blocks { inflate: true };
        Ok(Obstacle { effect, ..crate_at(TILE / 2.0 + number as f64 * 1e-4)? })
    };
    let obstacles: Vec<Obstacle> = (0..count).map(mark).collect::<Result<_, Box<dyn Error>>>()?;
    Ok(Member::new(count, move || added(file, obstacles)))
}

/// An obstacle over the whole of a tile, at one of a hundred heights.
fn over_all(number: usize, body: Body, effect: Effect) -> Obstacle {
    let y = (number * 37 % 100) as f64 * 0.07;
    Obstacle { body, place: Transform::turned(0.0, [TILE / 2.0, y, TILE / 2.0]), effect }
}

fn solids(count: usize) -> Made {
    boxes_over_all(count, Effect::Solid { area: AreaId::GROUND })
}

fn holes(count: usize) -> Made {
    boxes_over_all(count, Effect::Removes)
}

fn boxes_over_all(count: usize, effect: Effect) -> Made {
    let file = floor(1)?;
    let body = Body::cuboid([TILE, 0.5, TILE])?;
    let obstacles: Vec<Obstacle> = (0..count).map(|number| over_all(number, body.clone(), effect)).collect();
    Ok(Member::new(count, move || added(file, obstacles)))
}

fn meshes(count: usize) -> Made {
    const STEPS: u32 = 20;
    let file = floor(1)?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for step in 0..=STEPS {
        let x = (f64::from(step) / f64::from(STEPS) - 0.5) * TILE;
        vertices.extend([[x, 0.0, -TILE / 2.0], [x, 0.0, TILE / 2.0]]);
    }
    for first in (0..2 * STEPS).step_by(2) {
        triangles.extend([[first, first + 1, first + 2], [first + 2, first + 1, first + 3]]);
    }
    let (body, effect) = (Body::mesh(&vertices, &triangles)?, Effect::Solid { area: AreaId::GROUND });
    let obstacles: Vec<Obstacle> = (0..count).map(|number| over_all(number, body.clone(), effect)).collect();
    Ok(Member::new(count, move || added(file, obstacles)))
}

/// A move for each tile; the tiles are baked one after the other.
fn moves(count: usize) -> Made {
    let mut cache = TileCache::open(floor(count)?)?;
    let handle = cache.add(&crate_at(TILE / 2.0)?)?;
    cache.wait()?;
    Ok(Member::new(count, move || {
        for tile in 1..count {
            let x = (tile as f64 + 0.5) * TILE;
            cache.move_to(handle, Transform::turned(20.0, [x, 0.0, TILE / 2.0]))?;
            cache.wait()?;
        }
        Ok(())
    }))
}

/// A ramp of an obstacle that is cut into triangles along its length.
fn mesh(count: usize) -> Made {
    let file = floor(1)?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for number in 0..=count {
        let along = number as f64 / count as f64;
        vertices.extend([[along * 6.0, along, -1.0], [along * 6.0, along, 1.0]]);
    }
    for number in 0..count as u32 {
        let first = 2 * number;
        triangles.extend([[first, first + 1, first + 2], [first + 2, first + 1, first + 3]]);
    }
    let place = Transform::turned(0.0, [2.0, 0.0, TILE / 2.0]);
    let effect = Effect::Solid { area: AreaId::GROUND };
    Ok(Member::new(count, move || {
        let body = Body::mesh(&vertices, &triangles)?;
        added(file, vec![Obstacle { body, place, effect }])
    }))
}

/// Opening a dynamic file, and checking everything that it keeps.
fn open(count: usize) -> Made {
    let file = floor(count)?;
    Ok(Member::new(file.len(), move || {
        drop(TileCache::open(file.as_slice())?);
        let faults = tilecache::check(navtile::NavStore::open(file.as_slice())?);
        if faults.is_empty() { Ok(()) } else { Err("a file that was just baked has faults".into()) }
    }))
}

/// Floors over each other in one tile, whose cached spans repeat from column to column, so that a few bytes
/// encode all of them. The spans are checked, then baked with a crate.
fn storeys(count: usize) -> Made {
    let file = floors(TILE, count as u32)?;
    let obstacles = vec![crate_at(TILE / 2.0)?];
    Ok(Member::new(count, move || {
        if !tilecache::check(navtile::NavStore::open(file.as_slice())?).is_empty() {
            return Err("a file that was just baked has faults".into());
        }
        added(file, obstacles)
    }))
}
