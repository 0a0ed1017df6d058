//! `[map]` and `[[layer]]`: placement of maps of polygons in the world.

use super::keys::{LAYER, LAYER_KEYS, MAP};
use super::reader::{SettingsReader, TomlValue, integer, number};
use crate::flat::Direction;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Heights up to this magnitude are accepted, metres.
const HEIGHT_LIMIT: f64 = 1e6;

impl SettingsReader<'_> {
    pub(super) fn take_map(&mut self, value: &TomlValue<'_>) {
        let DeValue::Table(entries) = value.get_ref() else {
            return self.wrong_type(MAP, value, &format!("a table: `[{MAP}]`"));
        };
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{MAP}.{name}");
            match name {
                "x" => self.map.x = self.direction(&path, value).unwrap_or(self.map.x),
                "y" => self.map.y = self.direction(&path, value).unwrap_or(self.map.y),
                "height" => self.map.height = self.map_height(&path, value).unwrap_or(self.map.height),
                "spacing" => {
                    let spacing = number(value.get_ref());
                    self.map.spacing = spacing.filter(|spacing| spacing.is_finite() && *spacing > 0.0);
                    if self.map.spacing.is_none() {
                        self.wrong_type(&path, value, "a finite number of metres, greater than 0");
                    }
                }
                _ => {
                    self.unknown(MAP, name, key.span());
                    continue;
                }
            }
            self.remember(path, value.span());
        }
        if self.map.x.is_along(self.map.y) {
            let what = format!(
                "`{MAP}.x` and `{MAP}.y` are on the same axis of the world, expected one on x and one on z"
            );
            self.note(value.span(), what, None);
        }
    }

    pub(super) fn take_layer(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let (mut layer, mut height) = (None, None);
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{path}.{name}");
            match name {
                "number" => {
                    layer = integer(value.get_ref()).and_then(|number| i32::try_from(number).ok());
                    if layer.is_none() {
                        self.wrong_type(&path, value, "a whole number of 32 bits");
                    }
                }
                "height" => height = self.map_height(&path, value),
                _ => self.unknown(LAYER, name, key.span()),
            }
        }
        self.require(path, (entries, &span), &LAYER_KEYS, "layer");
        let (Some(layer), Some(height)) = (layer, height) else { return };
        if !self.layer_numbers.insert(layer) {
            return self.note(span, format!("`{path}` is layer {layer}, which is already given"), None);
        }
        self.map.layers.push((layer, height));
    }

    fn direction(&mut self, path: &str, value: &TomlValue<'_>) -> Option<Direction> {
        self.one_of(path, value, &Direction::NAMES, "\"x\", \"-x\", \"z\" or \"-z\"")
    }

    fn map_height(&mut self, path: &str, value: &TomlValue<'_>) -> Option<f64> {
        let height = number(value.get_ref()).filter(|height| height.abs() <= HEIGHT_LIMIT);
        if height.is_none() {
            self.wrong_type(path, value, "a number of metres within 1,000,000 of 0");
        }
        height
    }
}
