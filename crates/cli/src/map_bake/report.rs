//! The report of the bake of a map.

use super::Layer;
use crate::bake::args::BakeArgs;
use crate::bake_report::summary::{IslandTotals, Summary};
use crate::failure::Failure;
use crate::files::Target;
use crate::memory;
use crate::report as console;
use navdraw::number::{counted, fixed, square_metres};
use navtile::Tile;
use navtile::islands::Islands;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// A baked map.
pub(crate) struct BakedMap<'a> {
    /// The file it comes from.
    pub(crate) input: &'a Path,
    pub(crate) target: &'a Target,
    pub(crate) layers: &'a [Layer],
    pub(crate) tiles: &'a [Tile],
    /// Side of a tile in cells; 0 for one tile per layer.
    pub(crate) tile_cells: u32,
    /// Size of the file.
    pub(crate) bytes: u64,
    pub(crate) started: Instant,
}

/// Reports the bake as the arguments ask.
pub(crate) fn report(args: &BakeArgs, map: &BakedMap<'_>) -> Result<(), Failure> {
    let areas2 = Islands::find(map.tiles).area2;
    let areas: Vec<f64> = areas2.iter().map(|&area2| area2 as f64).collect();
    let islands = IslandTotals::new(&areas, 0);
    let summary = Summary {
        agent: None,
        area_m2: map.layers.iter().map(Layer::area).sum(),
        polygons: map.layers.iter().map(|layer| layer.count(|mesh| mesh.polygons.len())).sum(),
        islands,
        tiles: map.tiles_text(),
        warnings: 0,
        notes: 0,
        file: map.target.path(),
        bytes: map.bytes,
        elapsed: map.started.elapsed(),
    };
    if args.json {
        console::print_json(&map.json(&summary))?;
    } else if !args.quiet {
        let details = if args.verbose { map.details() } else { String::new() };
        console::print(&(details + &summary.text()))?;
    }
    Ok(())
}

impl BakedMap<'_> {
    /// Tiles, if the layers are cut into them.
    fn tiles_text(&self) -> Option<String> {
        let side = f64::from(self.tile_cells) * self.tiles.first()?.lattice().cell_size;
        (self.tile_cells > 0).then(|| format!("{} of {} m", self.tiles.len(), fixed(side, 3)))
    }

    /// A line for each layer.
    fn details(&self) -> String {
        let layers = counted(self.layers.len(), "layer");
        let mut lines = vec![("map", format!("{}, {layers}", self.input.display()))];
        for layer in self.layers {
            let count = |of: fn(&navplane::Mesh) -> usize, noun| counted(layer.count(of), noun);
            let text = format!(
                "{}: {} of {} in {}, {}, {}, on a grid of {} m",
                layer.settings.layer,
                count(|mesh| mesh.polygons.len(), "polygon"),
                count(|mesh| mesh.triangles.len(), "triangle"),
                counted(layer.parts.len(), "tile"),
                count(|mesh| mesh.vertices.len(), "vertex"),
                square_metres(layer.area()),
                layer.spacing(),
            );
            lines.push(("layer", text));
        }
        console::columns(lines)
    }

    fn json(&self, summary: &Summary<'_>) -> Value {
        let layer = |layer: &Layer| {
            json!({
                "layer": layer.settings.layer,
                "height": layer.settings.height,
                "tiles": layer.parts.len(),
                "polygons": layer.count(|mesh| mesh.polygons.len()),
                "triangles": layer.count(|mesh| mesh.triangles.len()),
                "vertices": layer.count(|mesh| mesh.vertices.len()),
                "area": layer.area(),
                "spacing": layer.spacing(),
            })
        };
        json!({
            "map": self.input.display().to_string(),
            "file": self.target.path().display().to_string(),
            "bytes": self.bytes,
            "walkable_area": summary.area_m2,
            "islands": summary.islands.kept,
            "polygons": summary.polygons,
            "peak_memory": memory::peak(),
            "total_ms": summary.elapsed.as_secs_f64() * 1000.0,
            "layers": self.layers.iter().map(layer).collect::<Vec<_>>(),
            "warnings": [],
            "notes": [],
        })
    }
}
