//! Loads a `.navtile` file and asks it three questions. `navtile bake level.obj -o level.navtile` makes one;
//! then:
//!
//!     cargo run --release -p navtile-detour --example load_and_query -- level.navtile
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{Filter, NavMesh, Query, Ray, RouteOptions, Vec3};
use navtile::{NavFile, Tile};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // A game may get the bytes from anywhere: every tile is verified before it is used.
    let path = std::env::args().nth(1).ok_or("usage: load_and_query FILE")?;
    let file = NavFile::open(std::fs::read(path)?)?;
    let tiles: Vec<Tile> = file.tiles().collect::<Result<_, _>>()?;
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles)?;
    println!("{} tiles, {} polygons", mesh.tile_count(), mesh.polygon_count());

    // Two random places on the ground.
    let (mut query, filter) = (Query::new(), Filter::default());
    let start = query.random_point(&mesh, &filter, || 0.25)?;
    let goal = query.random_point(&mesh, &filter, || 0.75)?;

    let near = query.nearest(&mesh, start.point + Vec3::Y, Vec3::new(1.0, 4.0, 1.0), &filter)?;
    println!("nearest: polygon {} at {}, {} m away", near.polygon, near.point, near.distance);

    let route = query.route(&mesh, start.point, goal.point, &filter, &RouteOptions::default())?;
    println!("route: {} corners, {} m, {:?}", route.points.len(), route.length, route.status);

    let mut ray = Ray::default();
    query.raycast(&mesh, start, goal.point, &filter, &mut ray)?;
    println!("raycast: {} after {:.0} % of the line", ray.point, 100.0 * ray.fraction);
    Ok(())
}
