//! `[[volume]]`: shapes that give the ground within them another area.

use super::SettingsReader;
use crate::tables::{FINITE, Field, Key, Named, Schema, Table};
use navmath::count::counted;
use recast::volume::offset_outline;
use recast::{AreaId, Shape, Volume};

/// The values of a volume, of any shape.
#[derive(Default)]
pub(super) struct ReadVolume {
    area: Option<AreaId>,
    /// The points of a shape, in the order of its keys.
    points: [Option<[f64; 3]>; 2],
    yaw: Option<f64>,
    outline: Option<Vec<[f64; 2]>>,
    /// The distance by which a prism is larger than its outline, metres.
    offset: Option<f64>,
    bottom: Option<f64>,
    top: Option<f64>,
    radius: Option<f64>,
    height: Option<f64>,
}

const fn first(key: &'static str) -> Key<ReadVolume> {
    Key::required(key, |volume, f| volume.points[0] = f.point())
}

const fn second(key: &'static str) -> Key<ReadVolume> {
    Key::required(key, |volume, f| volume.points[1] = f.point())
}

const YAW: Key<ReadVolume> = Key::required("yaw", |volume, f| volume.yaw = f.number(FINITE, ""));
const OUTLINE: Key<ReadVolume> = Key::required("outline", |volume, f| volume.outline = outline(f));
const BOTTOM: Key<ReadVolume> = Key::required("bottom", |volume, f| volume.bottom = f.number(FINITE, ""));
const TOP: Key<ReadVolume> = Key::required("top", |volume, f| volume.top = f.number(FINITE, ""));
const OFFSET: Key<ReadVolume> = Key::new("offset", |volume, f| volume.offset = f.number(OFFSETS, " metres"));
const RADIUS: Key<ReadVolume> = Key::required("radius", |volume, f| volume.radius = f.number(FINITE, ""));
const HEIGHT: Key<ReadVolume> = Key::required("height", |volume, f| volume.height = f.number(FINITE, ""));
const OFFSETS: (f64, f64) = (0.0, 10_000.0);

/// Volumes that mark areas: a list of tables.
pub(super) static VOLUME: Schema<ReadVolume> = Schema {
    selector: "shape",
    variants: &[
        ("box", &[first("min"), second("max")]),
        ("rotated_box", &[first("centre"), second("half_extents"), YAW]),
        ("prism", &[OUTLINE, BOTTOM, TOP, OFFSET]),
        ("cylinder", &[first("base"), RADIUS, HEIGHT]),
        ("capsule", &[first("a"), second("b"), RADIUS]),
    ],
    synonyms: &[("type", "shape"), ("kind", "shape")],
    ..Named("volume").keys(&[Key::required_or(
        "area",
        "name an area, or \"none\" to make the ground unwalkable",
        |volume, f| volume.area = f.area(),
    )])
};

fn outline(f: &mut Field<'_, '_>) -> Option<Vec<[f64; 2]>> {
    let expected = "corners of two finite numbers each: [[x, z], [x, z], [x, z]]";
    let outline = f.each(expected, |corner| corner.numbers(f64::MAX, "two finite numbers: [x, z]"))?;
    let what = match outline.len() {
        0..3 => format!("has {}, expected at least 3", counted(outline.len() as u64, "corner", "corners")),
        _ if area2(&outline) == 0.0 => "has no area, expected corners that are not on one line".to_owned(),
        _ => return Some(outline),
    };
    f.refuse(&what, None)
}

impl ReadVolume {
    /// The shape with this name, if all its values were read.
    fn shape(self, name: &str) -> Option<Shape> {
        let [first, second] = self.points;
        Some(match name {
            "box" => Shape::Box { min: first?, max: second? },
            "rotated_box" => Shape::RotatedBox { centre: first?, half_extents: second?, yaw: self.yaw? },
            "prism" => {
                let outline = grown(self.outline?, self.offset.unwrap_or(0.0));
                Shape::Prism { outline, bottom: self.bottom?, top: self.top? }
            }
            "cylinder" => Shape::Cylinder { base: first?, radius: self.radius?, height: self.height? },
            _ => Shape::Capsule { a: first?, b: second?, radius: self.radius? },
        })
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
    pub(super) fn take_volume(&mut self, table: &Table<'_>) {
        let mut read = ReadVolume::default();
        self.reader.read(&VOLUME, table, &mut read);
        let area = read.area;
        let Some((name, shape)) = table.text("shape").and_then(|name| Some((name, read.shape(name)?))) else {
            return;
        };
        if let Some(fault) = shape.fault() {
            return self.reader.refuse(&table.path, &format!("is not a valid {name}: {fault}"));
        }
        self.file.settings.volumes.extend(area.map(|area| Volume { shape, area }));
    }
}
