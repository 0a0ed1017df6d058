//! Bakes two triangles and walks over them along a corridor, as a character does frame by frame.
//!
//!     cargo run --release -p navtile-detour --example bake_and_walk
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{Corridor, Filter, NavMesh, Path, PathOptions, Query, StraightOptions, StraightPath, Vec3};
use recast::{Level, PreparedLevel, Scratch, Settings, Silent};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Bake: usually offline, into a file. Metres, Y up.
    let vertices = vec![[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 0.0, 20.0], [0.0, 0.0, 20.0]];
    let level = Level { vertices, triangles: vec![[0, 2, 1], [0, 3, 2]], areas: Vec::new() };
    let level = PreparedLevel::new(&level, &Settings::default())?;
    let baked = recast::bake_solo(&level, &Silent, &mut Scratch::new())?;

    let mut mesh = NavMesh::default();
    mesh.add_tile(baked.tile)?;
    let (mut query, filter) = (Query::new(), Filter::default());
    let half_extents = Vec3::new(2.0, 4.0, 2.0);
    let start = query.nearest(&mesh, Vec3::new(2.0, 0.0, 3.0), half_extents, &filter)?.place();
    let goal = query.nearest(&mesh, Vec3::new(17.0, 0.0, 15.0), half_extents, &filter)?.place();

    // Find a path once, then follow it. The corridor keeps it while the character moves.
    let (mut path, mut corners) = (Path::default(), StraightPath::default());
    query.find_path(&mesh, start, goal, &filter, &PathOptions::default(), &mut path)?;
    let mut corridor = Corridor::new(start);
    corridor.set_path(&mesh, &path.polygons, goal.point)?;
    let options = StraightOptions { max_corners: 3, ..StraightOptions::default() };
    for frame in 0.. {
        corridor.corners(&mut query, &mesh, &options, &mut corners)?;
        let Some(next) = corners.corners.first() else { break };
        let step = (next.point - corridor.position()).clamp_length_max(5.0 / 60.0);
        corridor.move_start(&mut query, &mesh, corridor.position() + step, &filter)?;
        if frame % 60 == 0 {
            println!("after {} s at {}", frame / 60, corridor.position());
        }
    }
    println!("arrived at {}", corridor.position());
    Ok(())
}
