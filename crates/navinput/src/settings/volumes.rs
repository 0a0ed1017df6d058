//! `[[volume]]`: shapes that give the ground within them another area.

use super::keys::{SHAPE_KEYS, VOLUME, VOLUME_KEYS};
use super::reader::{SettingsReader, TomlValue, number, numbers};
use navmath::count::counted;
use recast::volume::offset_outline;
use recast::{Shape, Volume};
use std::ops::Range;
use toml::de::DeTable;

/// A table of the file that is being read: reads its keys, and notes each missing or wrong one.
struct Fields<'r, 'a, 't> {
    reader: &'r mut SettingsReader<'a>,
    path: &'t str,
    entries: &'t DeTable<'t>,
    /// Position of the table.
    span: Range<usize>,
}

impl<'t> Fields<'_, '_, 't> {
    /// The value of a required key.
    fn required(&mut self, key: &str) -> Option<&'t TomlValue<'t>> {
        let value = self.entries.get(key);
        if value.is_none() {
            let what = format!("`{}` has no `{key}`, which it must have", self.path);
            self.reader.note(self.span.clone(), what, None);
        }
        value
    }

    fn wrong(&mut self, key: &str, value: &TomlValue<'_>, expected: &str) {
        self.reader.wrong_type(&format!("{}.{key}", self.path), value, expected);
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        let value = self.required(key)?;
        let found = number(value.get_ref()).filter(|number| number.is_finite());
        if found.is_none() {
            self.wrong(key, value, "a finite number");
        }
        found
    }

    fn point(&mut self, key: &str) -> Option<[f64; 3]> {
        let value = self.required(key)?;
        let found = numbers(value.get_ref()).filter(|point| point.iter().all(|value| value.is_finite()));
        if found.is_none() {
            self.wrong(key, value, "three finite numbers: [x, y, z]");
        }
        found
    }

    fn outline(&mut self) -> Option<Vec<[f64; 2]>> {
        let value = self.required("outline")?;
        let expected = "corners of two finite numbers each: [[x, z], [x, z], [x, z]]";
        let Some(corners) = value.get_ref().as_array() else {
            self.wrong("outline", value, expected);
            return None;
        };
        let mut outline = Vec::with_capacity(corners.len());
        for (index, corner) in corners.iter().enumerate() {
            match numbers::<2>(corner.get_ref()).filter(|corner| corner.iter().all(|v| v.is_finite())) {
                Some(corner) => outline.push(corner),
                None => self.wrong(&format!("outline[{index}]"), corner, "two finite numbers: [x, z]"),
            }
        }
        if outline.len() < corners.len() {
            return None;
        }
        let what = match outline.len() {
            0..3 => {
                format!("has {}, expected at least 3", counted(outline.len() as u64, "corner", "corners"))
            }
            _ if area2(&outline) == 0.0 => {
                "has no area, expected corners that are not on one line".to_owned()
            }
            _ => return Some(outline),
        };
        self.reader.note(value.span(), format!("`{}.outline` {what}", self.path), None);
        None
    }

    /// The distance by which a prism is larger than its outline, metres.
    fn offset(&mut self) -> Option<f64> {
        if !self.entries.contains_key("offset") {
            return Some(0.0);
        }
        let offset = self.number("offset")?;
        if (0.0..=10_000.0).contains(&offset) {
            return Some(offset);
        }
        let value = self.required("offset")?;
        self.wrong("offset", value, "between 0 and 10000 metres");
        None
    }

    fn shape(&mut self, name: &str) -> Option<Shape> {
        // All fields are read before any is used, so that all errors are noted at once.
        match name {
            "box" => {
                let (min, max) = (self.point("min"), self.point("max"));
                Some(Shape::Box { min: min?, max: max? })
            }
            "rotated_box" => {
                let (centre, half_extents) = (self.point("centre"), self.point("half_extents"));
                let yaw = self.number("yaw");
                Some(Shape::RotatedBox { centre: centre?, half_extents: half_extents?, yaw: yaw? })
            }
            "prism" => {
                let (outline, offset) = (self.outline(), self.offset());
                let (bottom, top) = (self.number("bottom"), self.number("top"));
                Some(Shape::Prism { outline: grown(outline?, offset?), bottom: bottom?, top: top? })
            }
            "cylinder" => {
                let (base, radius, height) =
                    (self.point("base"), self.number("radius"), self.number("height"));
                Some(Shape::Cylinder { base: base?, radius: radius?, height: height? })
            }
            "capsule" => {
                let (a, b, radius) = (self.point("a"), self.point("b"), self.number("radius"));
                Some(Shape::Capsule { a: a?, b: b?, radius: radius? })
            }
            _ => None,
        }
    }
}

/// Twice the signed area of an outline; positive if it is clockwise seen from above, z downwards.
fn area2(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
}

/// The outline with its edges moved outwards, for either winding.
fn grown(mut outline: Vec<[f64; 2]>, offset: f64) -> Vec<[f64; 2]> {
    if offset == 0.0 {
        return outline;
    }
    if area2(&outline) < 0.0 {
        outline.reverse();
    }
    offset_outline(&outline, offset)
}

impl SettingsReader<'_> {
    pub(super) fn take_volume(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let shape_name = self.shape_name(path, entries, &span);
        self.check_keys(path, entries, shape_name);
        let area = match entries.get("area") {
            Some(value) => self.area_of(&format!("{path}.area"), value),
            None => {
                let what = format!("`{path}` has no `area`, which every volume must have");
                let remedy = "name an area, or \"none\" to make the ground unwalkable".to_owned();
                self.note(span.clone(), what, Some(remedy));
                None
            }
        };
        let Some(name) = shape_name else { return };
        let shape = Fields { reader: self, path, entries, span: span.clone() }.shape(name);
        if let Some(fault) = shape.as_ref().and_then(Shape::fault) {
            return self.note(span, format!("`{path}` is not a valid {name}: {fault}"), None);
        }
        if let (Some(shape), Some(area)) = (shape, area) {
            self.settings.volumes.push(Volume { shape, area });
        }
    }

    fn shape_name(&mut self, path: &str, entries: &DeTable<'_>, span: &Range<usize>) -> Option<&'static str> {
        let names = SHAPE_KEYS.map(|(name, _)| name);
        let expected = format!("\"{}\"", names.join("\", \""));
        let Some(value) = entries.get("shape") else {
            let what = format!("`{path}` has no `shape`, expected one of {expected}");
            self.note(span.clone(), what, None);
            return None;
        };
        let names = names.map(|name| (name, name));
        self.one_of(&format!("{path}.shape"), value, &names, &format!("one of {expected}"))
    }

    /// Notes keys that no volume has, and keys that only other shapes have.
    fn check_keys(&mut self, path: &str, entries: &DeTable<'_>, shape: Option<&str>) {
        for (key, _) in entries.iter() {
            let name = key.get_ref().as_ref();
            let has = |(of, keys): &&(&str, &[&str])| {
                shape.is_none_or(|shape| shape == *of) && keys.contains(&name)
            };
            if VOLUME_KEYS.contains(&name) || SHAPE_KEYS.iter().any(|shape| has(&shape)) {
                continue;
            }
            let other = SHAPE_KEYS.iter().any(|(_, keys)| keys.contains(&name));
            match SHAPE_KEYS.iter().find(|(of, _)| other && shape == Some(*of)) {
                Some((of, keys)) => {
                    let what = format!("`{path}.{name}` is no key of a {of}, which has {}", keys.join(", "));
                    self.note(key.span(), what, None);
                }
                None => self.unknown(VOLUME, name, key.span()),
            }
        }
    }
}
