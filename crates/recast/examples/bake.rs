//! Bakes a level built in code: triangles in, a verified tile out.
//! `cargo run --release -p navtile-recast --example bake`

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};

fn main() -> Result<(), recast::Error> {
    // Metres, y up. Quads that are counter-clockwise seen from above are walkable.
    let mut level = Level::default();
    let mut quad = |corners: [[f64; 3]; 4]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    quad([[0.0, 0.0, 0.0], [0.0, 0.0, 12.0], [20.0, 0.0, 12.0], [20.0, 0.0, 0.0]]); // the ground
    quad([[4.0, 0.0, 4.0], [4.0, 0.0, 8.0], [10.0, 3.0, 8.0], [10.0, 3.0, 4.0]]); // a ramp up to
    quad([[10.0, 3.0, 2.0], [10.0, 3.0, 10.0], [18.0, 3.0, 10.0], [18.0, 3.0, 2.0]]); // a terrace

    let settings = Settings { agent_radius: 0.4, agent_height: 1.8, ..Settings::default() };
    let level = PreparedLevel::new(&level, &settings)?;
    let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;

    let counts = baked.counts;
    println!("{} triangles on a grid of {:?} cells", counts.triangles, counts.grid);
    println!("{} spans, {} of them walkable", counts.spans, counts.compact_spans);
    println!("{} regions, {} contours", counts.regions, counts.contours);
    println!("{} polygons cover {:.1} m²", counts.polygons, counts.walkable_area);
    println!("a tile of {} bytes, {} diagnostics", baked.tile.bytes().len(), baked.diagnostics.len());
    Ok(())
}
