//! Wavefront OBJ: an object per tile, a group and a material per area, detail triangles facing up.

use super::args::{Product, polygon_count};
use super::scene::{areas, triangles};
use crate::failure::Failure;
use navtile::{Meta, Tile};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The file of materials next to the mesh.
pub(super) fn materials_path(output: &Path) -> Result<PathBuf, Failure> {
    let path = output.with_extension("mtl");
    if path == output {
        return Err(Failure::call(format!(
            "{}: is the name of the file for its materials",
            output.display()
        ))
        .help("give the mesh a name that ends in .obj"));
    }
    Ok(path)
}

pub(super) fn write(output: &Path, meta: &Meta, tiles: &[Tile]) -> Result<Product, Failure> {
    let materials_file = materials_path(output)?;
    let areas = areas(meta, tiles);
    let (mut mesh, mut materials) = (String::new(), String::new());
    let line = |text: &mut String, content: std::fmt::Arguments<'_>| {
        writeln!(text, "{content}").expect("writing to a String cannot fail");
    };
    line(&mut mesh, format_args!("# A navigation mesh: metres, right-handed, Y up"));
    let library =
        materials_file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    line(&mut mesh, format_args!("mtllib {library}"));
    for area in &areas {
        let [red, green, blue] = area.colour.0.map(|part| f64::from(part) / 255.0);
        line(&mut materials, format_args!("newmtl {}", word(&area.name)));
        line(&mut materials, format_args!("Kd {red:.4} {green:.4} {blue:.4}"));
    }
    // Numbers of vertices continue from tile to tile, from 1.
    let mut first = 1;
    for tile in tiles {
        let coord = tile.coord();
        line(&mut mesh, format_args!("o tile_{}_{}_{}", coord.x, coord.z, coord.layer));
        for &vertex in tile.vertices() {
            // A number that rounds to zero at six digits has no sign.
            let [x, y, z] = tile.to_world(vertex).map(|v| if v.abs() < 5e-7 { 0.0 } else { v });
            line(&mut mesh, format_args!("v {x:.6} {y:.6} {z:.6}"));
        }
        for area in &areas {
            let mut triangles = triangles(tile, area.id).peekable();
            if triangles.peek().is_some() {
                line(&mut mesh, format_args!("g {0}\nusemtl {0}", word(&area.name)));
            }
            for corners in triangles {
                let [a, b, c] = corners.map(|corner| corner + first);
                line(&mut mesh, format_args!("f {a} {b} {c}"));
            }
        }
        first += tile.vertices().len();
    }
    Ok(Product {
        bytes: mesh.into_bytes(),
        second: Some((materials_file, materials.into_bytes())),
        tiles: tiles.len(),
        polygons: polygon_count(tiles),
        warnings: Vec::new(),
    })
}

/// A name without the spaces that would end it.
fn word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}
