//! Maps of polygons with holes, from GeoJSON or from plain lists of corners.
//! Units: one unit of the file is a metre. Cost: O(bytes).
//!
//! - [`read_geojson`]: features that are ground, obstacles or areas, by their properties.
//! - [`read_corners`]: rings of corners, separated by blank lines.

mod axes;
mod corners;
mod degrees;
mod error;
mod geojson;
#[cfg(test)]
mod tests;

pub use axes::{Direction, MapSettings};
pub use corners::read_corners;
pub use degrees::Degrees;
pub use error::{FlatError, FlatPlace};
pub use geojson::read_geojson;

use navplane::{Map, PolygonList};
use recast::AreaDefinition;

/// Maps, one for each layer, and the areas they use.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatLevel {
    /// Layers that have polygons, by number.
    pub layers: Vec<FlatLayer>,
    /// Areas that have names or costs in the file, and ground.
    pub areas: Vec<AreaDefinition>,
    /// The coordinate system that the file names.
    pub crs: Option<String>,
}

/// The map of one layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatLayer {
    /// Number of the layer.
    pub layer: i32,
    /// Its polygons.
    pub map: Map,
    /// The place in the file of each of [`Map::outlines`], then of [`Map::obstacles`], then of
    /// [`Map::areas`].
    pub places: [Vec<FlatPlace>; 3],
}

impl FlatLayer {
    /// The place of a polygon in the file.
    pub fn place(&self, list: PolygonList, polygon: usize) -> Option<&FlatPlace> {
        let list = match list {
            PolygonList::Outlines => 0,
            PolygonList::Obstacles => 1,
            PolygonList::Areas => 2,
        };
        self.places[list].get(polygon)
    }

    /// Multiplies every coordinate.
    pub fn scale(&mut self, by: f64) {
        self.for_each_point(|point| *point = point.map(|value| value * by));
    }

    fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let areas = self.map.areas.iter().map(|labelled| &labelled.polygon);
        let polygons = self.map.outlines.iter().chain(&self.map.obstacles).chain(areas);
        polygons.flat_map(|polygon| polygon.outline.iter().chain(polygon.holes.iter().flatten()).copied())
    }

    fn for_each_point(&mut self, change: impl Fn(&mut [f64; 2])) {
        let areas = self.map.areas.iter_mut().map(|labelled| &mut labelled.polygon);
        for polygon in self.map.outlines.iter_mut().chain(&mut self.map.obstacles).chain(areas) {
            polygon.outline.iter_mut().chain(polygon.holes.iter_mut().flatten()).for_each(&change);
        }
    }
}
