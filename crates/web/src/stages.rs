//! Intermediate results of a bake, as arrays for rendering: the result of each stage for a tile.

use crate::bake::{WebBake, thrown};
use crate::convert::{floats, object, plain, point};
use js_sys::{Float32Array, Uint8Array, Uint16Array, Uint32Array};
use navbake::BakeError;
use navtile::TileCoord;
use recast::data::{CompactField, Grid, RawContours, SimplifiedContours, SpanField, in_cells};
use recast::{PreparedLevel, Scratch, Silent, StageResults, TileBuild, bake_tapped};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(js_class = LevelBake)]
impl WebBake {
    /// Bakes the tile at a place, or the level if it is one tile, and returns the result of each stage.
    #[wasm_bindgen(unchecked_return_type = "BakeStages")]
    pub fn stages(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
    ) -> Result<JsValue, JsValue> {
        let at = point("at", at)?;
        let Some(level) = self.bake.levels().first() else { return Ok(plain(&())?) };
        let failed =
            |error: recast::Error| thrown(BakeError { message: error.to_string(), ..BakeError::default() });
        let build = match self.bake.tile_cells() {
            0 => TileBuild::solo(level),
            cells => TileBuild::tiled(level, cells, coord_at(level, cells, at)).map_err(failed)?,
        };
        let mut results = StageResults::default();
        bake_tapped(level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result))
            .map_err(failed)?;
        let size = level.lattice.cell();
        let mut layers = vec![
            ("cell", Float32Array::from([size[0] as f32, size[1] as f32].as_slice()).into()),
            ("tile", plain(&[build.coord.x, build.coord.z])?),
        ];
        if let Some(spans) = &results.rasterized {
            layers.push(("spans", span_boxes(level, spans)));
        }
        if let Some(field) = &results.marked {
            layers.push(("floors", floors(level, field, &results)));
        }
        if let Some(raw) = &results.raw_contours {
            layers.push(("raw", raw_lines(level, raw).into()));
        }
        if let Some(simplified) = &results.simplified {
            layers.push(("simplified", simplified_lines(level, simplified).into()));
        }
        Ok(object(&layers))
    }
}

/// The tile that contains a place.
fn coord_at(level: &PreparedLevel, cells: u32, at: [f64; 3]) -> TileCoord {
    let side = level.lattice.cell_size * f64::from(cells);
    let along = |axis: usize| {
        let last = f64::from(level.size[axis].div_ceil(cells).max(1) - 1);
        ((at[axis] - level.lattice.origin[axis]) / side).floor().clamp(0.0, last) as i32
    };
    TileCoord { x: along(0), z: along(2), layer: 0 }
}

/// A corner of the grid in the world; cells count from the tile's inner corner.
fn corner(level: &PreparedLevel, grid: &Grid, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let base = grid.inner_base();
    let size = level.lattice.cell();
    let cell = [base[0] as f64 + x, base[1] as f64 + y, base[2] as f64 + z];
    std::array::from_fn(|axis| level.lattice.origin[axis] + cell[axis] * size[axis])
}

/// The middle of a column of a grid, border included, at a height in cells.
fn middle(level: &PreparedLevel, grid: &Grid, x: u32, z: u32, height: i32) -> [f64; 3] {
    let inner = |at: u32| f64::from(at) - f64::from(grid.border) + 0.5;
    corner(level, grid, [inner(x), f64::from(height), inner(z)])
}

/// Boxes of solid space: centre and lowest height, height and area of each.
fn span_boxes<S>(level: &PreparedLevel, field: &SpanField<S>) -> JsValue {
    let (mut places, mut heights) = (Vec::with_capacity(field.len()), Vec::with_capacity(field.len()));
    for z in 0..field.grid.depth {
        for x in 0..field.grid.width {
            for span in field.column(field.grid.column(x, z)) {
                places.push(middle(level, &field.grid, x, z, field.min[span]));
                heights.push(((field.max[span] - field.min[span]) as f64 * level.lattice.cell_height) as f32);
            }
        }
    }
    let areas: Vec<u8> = field.area.iter().map(|area| area.0).collect();
    object(&[
        ("places", floats(places).into()),
        ("heights", Float32Array::from(heights.as_slice()).into()),
        ("areas", Uint8Array::from(areas.as_slice()).into()),
    ])
}

/// Walkable floors: their centre, area, distance to the border, and region.
fn floors<S>(level: &PreparedLevel, field: &CompactField<S>, results: &StageResults) -> JsValue {
    let mut places = Vec::with_capacity(field.len());
    field.for_each_span(|x, z, span| places.push(middle(level, &field.grid, x, z, field.floor[span])));
    let areas: Vec<u8> = field.area.iter().map(|area| area.0).collect();
    let distances = results.distance.as_ref().map_or(&[][..], |field| &field.distance);
    let region = |region: &recast::data::RegionId| if region.is_inner() { region.index() as u32 } else { 0 };
    let regions: Vec<u32> =
        results.regions.iter().flat_map(|field| field.region.iter()).map(region).collect();
    object(&[
        ("places", floats(places).into()),
        ("areas", Uint8Array::from(areas.as_slice()).into()),
        ("distances", Uint16Array::from(distances).into()),
        ("regions", Uint32Array::from(regions.as_slice()).into()),
    ])
}

/// A closed outline as pairs of points.
fn closed(
    level: &PreparedLevel,
    grid: &Grid,
    outline: impl Iterator<Item = [i32; 3]>,
    lines: &mut Vec<[f64; 3]>,
) {
    let points: Vec<[f64; 3]> = outline.map(|place| corner(level, grid, in_cells(place))).collect();
    for (index, point) in points.iter().enumerate() {
        lines.extend([*point, points[(index + 1) % points.len()]]);
    }
}

fn raw_lines(level: &PreparedLevel, raw: &RawContours) -> Float32Array {
    let mut lines = Vec::new();
    for contour in &raw.contours {
        closed(level, &raw.grid, contour.vertices.iter().map(|vertex| vertex.position), &mut lines);
    }
    floats(lines)
}

fn simplified_lines(level: &PreparedLevel, simplified: &SimplifiedContours) -> Float32Array {
    let mut lines = Vec::new();
    for contour in &simplified.contours {
        closed(level, &simplified.grid, contour.vertices.iter().map(|vertex| vertex.position), &mut lines);
    }
    floats(lines)
}
