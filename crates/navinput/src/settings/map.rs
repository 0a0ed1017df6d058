//! `[map]` and `[[layer]]`: placement of maps of polygons in the world.

use super::SettingsReader;
use crate::flat::{Direction, MapSettings};
use crate::tables::{Key, Named, POSITIVE, Put, Schema, Table};

/// Heights in this range are accepted, metres.
const HEIGHTS: (f64, f64) = (-1e6, 1e6);

/// Placement of maps of polygons in the world: a table.
pub(super) static MAP: Schema<MapSettings> = Named("map").keys(&[
    Key::new("x", |map, f| f.choice(&Direction::NAMES).put(&mut map.x)),
    Key::new("y", |map, f| f.choice(&Direction::NAMES).put(&mut map.y)),
    Key::new("height", |map, f| f.number(HEIGHTS, " metres").put(&mut map.height)),
    Key::new("spacing", |map, f| map.spacing = f.number(POSITIVE, " metres")),
]);

/// Layers of maps, with their numbers and heights: a list of tables.
pub(super) static LAYER: Schema<(i32, f64)> = Named("layer").keys(&[
    Key::required("number", |(number, _), f| f.integer("a whole number of 32 bits").put(number)),
    Key::required("height", |(_, height), f| f.number(HEIGHTS, " metres").put(height)),
]);

impl SettingsReader<'_> {
    pub(super) fn take_map(&mut self, table: &Table<'_>) {
        self.reader.read(&MAP, table, &mut self.file.map);
        if self.file.map.x.is_along(self.file.map.y) {
            let what =
                "`map.x` and `map.y` are on the same axis of the world, expected one on x and one on z";
            self.reader.note(table.span.clone(), what.to_owned(), None);
        }
    }

    pub(super) fn take_layer(&mut self, table: &Table<'_>) {
        let mut layer = (0, 0.0);
        if !self.reader.read(&LAYER, table, &mut layer) {
            return;
        }
        if !self.layer_numbers.insert(layer.0) {
            let what = format!("is layer {}, which is already given", layer.0);
            return self.reader.refuse(&table.path, &what);
        }
        self.file.map.layers.push(layer);
    }
}
