//! The places of layers: checked, and found by tile.

use super::error::LayerImportError;
use super::settings::shortest;
use navinterop::tset::{CacheParams, LayerHeader, LayerSet, StoredLayer};
use navmath::sort::SharedSort;
use navtile::TileCoord;

/// Most layers of a tile. Detour finds no more than these at a place.
const MAX_LAYERS: usize = 32;
/// Largest distance of a layer from the place of its column and row, in cells.
const TOLERANCE: f64 = 0.25;
/// Most cells between a tile and the cache's origin: farther away, positions in f32 no longer resolve cells.
const MAX_CELLS: f64 = (1u32 << 30) as f64;
/// Most cells between a floor and the cache's origin, a quarter of what coordinates hold.
const HEIGHT_CELLS: f64 = (1u32 << 20) as f64;

/// All layers in canonical order.
pub(super) struct Places<'a> {
    pub(super) params: CacheParams,
    layers: Vec<Placed<'a>>,
    /// Largest distance of a layer from its place along each axis, metres.
    pub(super) largest_error: [f64; 3],
}

/// A layer, and the height of its lowest floor in cells above the cache's origin.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) layer: &'a StoredLayer,
    pub(super) lowest: i32,
}

impl Placed<'_> {
    pub(super) fn coord(&self) -> TileCoord {
        coord(self.layer.header())
    }
}

impl<'a> Places<'a> {
    pub(super) fn new(set: &'a LayerSet) -> Result<Places<'a>, LayerImportError> {
        let mut places = Places {
            params: set.cache_params,
            layers: Vec::with_capacity(set.layers.len()),
            largest_error: [0.0; 3],
        };
        for cached in &set.layers {
            let placed = places.place(&cached.layer)?;
            places.layers.push(placed);
        }
        if places.layers.is_empty() {
            return Err(LayerImportError::Nothing);
        }
        places.layers.shared_sort_by_key(Placed::coord);
        for pair in places.layers.windows(2) {
            if pair[0].coord() == pair[1].coord() {
                let remedy = "give each layer once";
                return refuse(pair[1].layer, "place", "one layer at a place", "two", remedy);
            }
        }
        let crowded = places.layers.iter().find(|placed| {
            let TileCoord { x, z, .. } = placed.coord();
            places.of_tile(x, z).len() > MAX_LAYERS
        });
        if let Some(placed) = crowded {
            let expected = format!("at most {MAX_LAYERS} in a tile, because Detour finds no more");
            let remedy = "write the cache again with larger steps between layers, or smaller tiles";
            return refuse(placed.layer, "number of layers", expected, "more", remedy);
        }
        Ok(places)
    }

    /// Checks a layer's size and place.
    fn place(&mut self, layer: &'a StoredLayer) -> Result<Placed<'a>, LayerImportError> {
        let (header, params) = (layer.header(), &self.params);
        let own_tools = "write the cache again with its own tools";
        if u32::from(header.width) > params.width || u32::from(header.height) > params.height {
            let expected =
                format!("at most {} by {} cells, as the cache's tiles", params.width, params.height);
            let found = format!("{} by {}", header.width, header.height);
            return refuse(layer, "size", expected, found, own_tools);
        }
        let [cell_size, cell_height] = [params.cell_size, params.cell_height].map(shortest);
        let cell = [cell_size, cell_height, cell_size];
        // Metres from the cache's origin, in cells.
        let stated: [f64; 3] = std::array::from_fn(|axis| {
            (f64::from(header.bounds_min[axis]) - shortest(params.origin[axis])) / cell[axis]
        });
        let expected = [
            f64::from(header.x) * f64::from(params.width),
            stated[1].round(),
            f64::from(header.y) * f64::from(params.height),
        ];
        for axis in [0, 2] {
            let reach = expected[axis].abs();
            if reach > MAX_CELLS {
                let expected = format!("at most {MAX_CELLS} cells from the cache's origin");
                return refuse(layer, "place", expected, reach.to_string(), own_tools);
            }
            // A float far from zero is coarser than a quarter of a cell.
            let far = header.bounds_min[axis].abs().max(params.origin[axis].abs());
            let noise = f64::from(far) * f64::from(f32::EPSILON) * 4.0 / cell[axis];
            let away = (stated[axis] - expected[axis]).abs();
            if away.is_nan() || away > TOLERANCE + noise {
                let what = if axis == 0 { "corner along x" } else { "corner along z" };
                let place = shortest(params.origin[axis]) + expected[axis] * cell[axis];
                let found = format!("{} m", header.bounds_min[axis]);
                return refuse(layer, what, format!("{place} m, by its column and row"), found, own_tools);
            }
        }
        if expected[1].is_nan() || expected[1].abs() > HEIGHT_CELLS {
            let expected = format!("at most {HEIGHT_CELLS} cells from the cache's origin");
            return refuse(layer, "height of the lowest floor", expected, stated[1].to_string(), own_tools);
        }
        for axis in 0..3 {
            let error = (stated[axis] - expected[axis]).abs() * cell[axis];
            self.largest_error[axis] = self.largest_error[axis].max(error);
        }
        // Within 2^20.
        Ok(Placed { layer, lowest: expected[1] as i32 })
    }

    /// Tiles with layers, in canonical order.
    pub(super) fn tiles(&self) -> Vec<TileCoord> {
        let tile = |placed: &Placed<'_>| TileCoord { layer: 0, ..placed.coord() };
        let mut tiles: Vec<TileCoord> = self.layers.iter().map(tile).collect();
        tiles.dedup();
        tiles
    }

    /// The layers of a tile.
    pub(super) fn of_tile(&self, x: i32, z: i32) -> &[Placed<'a>] {
        let key = |placed: &Placed<'_>| (placed.coord().x, placed.coord().z);
        let first = self.layers.partition_point(|placed| key(placed) < (x, z));
        let count = self.layers[first..].partition_point(|placed| key(placed) == (x, z));
        &self.layers[first..first + count]
    }
}

/// The coordinates of a layer. Rows run along z.
fn coord(header: &LayerHeader) -> TileCoord {
    TileCoord { x: header.x, z: header.y, layer: header.layer }
}

fn refuse<T>(
    layer: &StoredLayer,
    what: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
    remedy: &'static str,
) -> Result<T, LayerImportError> {
    let (expected, found) = (expected.into(), found.into());
    Err(LayerImportError::Layer { coord: coord(layer.header()), what, expected, found, remedy })
}
