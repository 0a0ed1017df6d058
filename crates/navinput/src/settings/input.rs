//! `[input]`: how a level file is turned and what of it is baked; and the keys that say how the bake is cut.

use super::keys::Key;
use super::reader::{Reader, Value, number, numbers, shown};
use super::suggest::nearest_name;
use crate::error::Place;
use crate::pattern::{NameKind, NamePattern};
use crate::source::{UpAxis, check_scale};

/// How level files are turned, and what of them is baked.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSettings {
    /// Which axis points upwards. Default Y.
    pub up: UpAxis,
    /// Metres of one unit of the file, finite and greater than 0. Default 1.
    pub scale: f64,
    /// If there are any, only triangles that fit one of them stay.
    pub include: Vec<NamePattern>,
    /// Triangles that fit one of them go, whether or not they are included.
    pub exclude: Vec<NamePattern>,
}

impl Default for InputSettings {
    fn default() -> InputSettings {
        InputSettings { up: UpAxis::Y, scale: 1.0, include: Vec::new(), exclude: Vec::new() }
    }
}

/// How wide tiles are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TileSize {
    /// Chosen by the size of the level.
    Auto,
    /// One tile.
    Off,
    /// This many metres, finite and greater than 0.
    Metres(f64),
}

impl Reader<'_> {
    pub(super) fn take_up(&mut self, path: &str, value: &Value<'_>) -> bool {
        let expected = "\"y\" or \"z\"";
        let Some(given) = value.get_ref().as_str() else {
            self.wrong_type(path, value, expected);
            return false;
        };
        let known = UpAxis::NAMES.iter().find(|(name, _)| *name == given);
        match known {
            Some((_, up)) => self.input.up = *up,
            None => {
                let what = format!("`{path}` is \"{}\", expected {expected}", shown(given));
                self.note(value.span(), what, None);
            }
        }
        known.is_some()
    }

    pub(super) fn take_scale(&mut self, path: &str, value: &Value<'_>) -> bool {
        let Some(scale) = number(value.get_ref()) else {
            self.wrong_type(path, value, "a number");
            return false;
        };
        self.input.scale = scale;
        if let Err(error) = check_scale(scale) {
            self.note(
                value.span(),
                format!("`{path}` is {}, expected {}", error.found, error.expected),
                None,
            );
            return false;
        }
        true
    }

    pub(super) fn take_tile_size(&mut self, path: &str, value: &Value<'_>) -> bool {
        let expected = "\"auto\", \"off\" or a finite number of metres, greater than 0";
        let metres = number(value.get_ref()).filter(|metres| *metres > 0.0 && metres.is_finite());
        self.tile_size = match value.get_ref().as_str() {
            Some("auto") => Some(TileSize::Auto),
            Some("off") => Some(TileSize::Off),
            Some(given) => {
                let near = nearest_name(given, ["auto", "off"].into_iter());
                let what = format!("`{path}` is \"{}\", expected {expected}", shown(given));
                self.note(value.span(), what, near.map(|near| format!("did you mean \"{near}\"?")));
                return false;
            }
            None => metres.map(TileSize::Metres),
        };
        if self.tile_size.is_none() {
            self.wrong_type(path, value, expected);
        }
        self.tile_size.is_some()
    }

    pub(super) fn take_reachable_from(&mut self, path: &str, value: &Value<'_>) -> bool {
        self.reachable_from =
            numbers(value.get_ref()).filter(|point: &[f64; 3]| point.iter().all(|value| value.is_finite()));
        if self.reachable_from.is_none() {
            self.wrong_type(path, value, "three finite numbers: [x, y, z]");
        }
        self.reachable_from.is_some()
    }

    /// Patterns of `include_materials` and its like.
    pub(super) fn take_filter(&mut self, key: &Key, by: NameKind, path: &str, value: &Value<'_>) -> bool {
        let problems = self.problem_count();
        let patterns = self.names(by, path, value);
        let target =
            if key.name.starts_with("include") { &mut self.input.include } else { &mut self.input.exclude };
        target.extend(patterns);
        self.problem_count() == problems
    }

    /// A list of names with wildcards.
    pub(super) fn names(&mut self, by: NameKind, path: &str, value: &Value<'_>) -> Vec<NamePattern> {
        let mut patterns = Vec::new();
        let Some(names) = value.get_ref().as_array() else {
            self.wrong_type(path, value, "a list of names: [\"mud\", \"wet*\"]");
            return patterns;
        };
        for (index, name) in names.iter().enumerate() {
            let field = format!("{path}[{index}]");
            match name.get_ref().as_str() {
                Some("") => self.note(name.span(), format!("`{field}` is empty, expected a name"), None),
                Some(pattern) => {
                    let span = name.span();
                    let place = Some(Place::of_offset(self.text().as_bytes(), span.start, 1));
                    patterns.push(NamePattern {
                        by,
                        pattern: pattern.to_owned(),
                        field,
                        place,
                        span: Some(span),
                    });
                }
                None => self.wrong_type(&field, name, "a name: a string"),
            }
        }
        patterns
    }
}
