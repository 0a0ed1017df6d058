//! Flattens a level into heightfield layers: plain rectangles of cells with at most one floor per column,
//! small enough to keep at run time and to stamp obstacles into.
//! `cargo run --release -p navtile-layers --example heightfield_layers`

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use navlayers::heightfield_layers::{self, LayerCell, Params};
use recast::{
    Context, Level, PreparedLevel, Scratch, Settings, Silent, StageResults, TileBuild, bake_tapped,
};

/// A road that passes under a bridge; the bridge's ramps come down to the road's level on either side.
fn road_and_bridge() -> Level {
    let mut level = Level::default();
    let mut quad = |[x0, z0]: [f64; 2], [x1, z1]: [f64; 2], [y0, y1]: [f64; 2]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    quad([0.0, 0.0], [24.0, 10.0], [0.0, 0.0]);
    quad([3.0, 3.0], [9.0, 7.0], [0.0, 4.0]);
    quad([9.0, 3.0], [15.0, 7.0], [4.0, 4.0]);
    quad([15.0, 3.0], [21.0, 7.0], [4.0, 0.0]);
    level
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings { cell_size: 0.5, ..Settings::default() };
    let level = PreparedLevel::new(&road_and_bridge(), &settings)?;
    let mut results = StageResults::default();
    let build = TileBuild::solo(&level);
    bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result))?;
    let field = results.marked.ok_or("a bake shows its marked field")?;

    let layers = heightfield_layers::run(&field, &Params::default(), &mut Context::new())?;
    println!(
        "{} layers; heights in cells as digits and letters, o where a layer leads into another",
        layers.len()
    );
    for layer in &layers {
        println!("\nheights {} to {}", layer.min_height, layer.max_height);
        let symbol = |cell: &LayerCell| match char::from_digit(cell.height, 36) {
            _ if cell.portals.bits() != 0 => 'o',
            digit => digit.unwrap_or('+'),
        };
        for z in 0..layer.grid.depth {
            println!(
                "{}",
                (0..layer.grid.width).map(|x| layer.cell(x, z).map_or('.', symbol)).collect::<String>()
            );
        }
    }
    Ok(())
}
