//! The lists of settings as rows: areas, volumes, off-mesh connections, and profiles of generated links.

use super::values::{Fields, Stored, StoredRow};
use crate::error::CacheError;
use navtile::LinkKind;
use recast::{AreaDefinition, AreaId, LinkProfile, OffMeshConnection, Shape, Volume};

/// A row of fields.
macro_rules! row {
    ($($name:literal: $value:expr),* $(,)?) => { vec![$(($name.to_owned(), $value.store())),*] };
}

/// Adds a field that may have no value.
fn push<T: Stored>(row: &mut StoredRow, name: &str, value: Option<T>) {
    row.extend(value.map(|value| (name.to_owned(), value.store())));
}

pub(super) fn store_area(area: &AreaDefinition) -> StoredRow {
    let AreaDefinition { id, name, flags, cost, priority, colour } = area;
    let mut row = row! {
        "id": id.0, "name": name.clone(), "flags": *flags, "cost": f64::from(*cost), "priority": f64::from(*priority),
    };
    push(&mut row, "colour", colour.map(|bytes| bytes.map(f64::from)));
    row
}

pub(super) fn area(fields: &Fields<'_>) -> Result<AreaDefinition, CacheError> {
    let plain = AreaDefinition::new(AreaId(fields.need("id")?), fields.need::<String>("name")?);
    let colour: Option<[f64; 3]> = fields.get("colour")?;
    Ok(AreaDefinition {
        flags: fields.get("flags")?.unwrap_or(plain.flags),
        cost: fields.get::<f64>("cost")?.map_or(plain.cost, |cost| cost as f32),
        priority: fields.get::<f64>("priority")?.map_or(plain.priority, |priority| priority as i32),
        colour: colour.map(|bytes| bytes.map(|byte| byte as u8)),
        ..plain
    })
}

pub(super) fn store_volume(Volume { shape, area }: &Volume) -> StoredRow {
    let mut row = match shape {
        Shape::Box { min, max } => row! { "shape": "box".to_owned(), "min": *min, "max": *max },
        Shape::RotatedBox { centre, half_extents, yaw } => row! {
            "shape": "rotated_box".to_owned(), "centre": *centre, "half_extents": *half_extents, "yaw": *yaw,
        },
        Shape::Prism { outline, bottom, top } => row! {
            "shape": "prism".to_owned(), "outline": outline.as_flattened().to_vec(), "bottom": *bottom, "top": *top,
        },
        Shape::Cylinder { base, radius, height } => row! {
            "shape": "cylinder".to_owned(), "base": *base, "radius": *radius, "height": *height,
        },
        Shape::Capsule { a, b, radius } => {
            row! { "shape": "capsule".to_owned(), "a": *a, "b": *b, "radius": *radius }
        }
    };
    push(&mut row, "area", Some(area.0));
    row
}

pub(super) fn volume(fields: &Fields<'_>) -> Result<Volume, CacheError> {
    let name: String = fields.need("shape")?;
    let shape = match name.as_str() {
        "box" => Shape::Box { min: fields.need("min")?, max: fields.need("max")? },
        "rotated_box" => Shape::RotatedBox {
            centre: fields.need("centre")?,
            half_extents: fields.need("half_extents")?,
            yaw: fields.need("yaw")?,
        },
        "prism" => {
            let numbers: Vec<f64> = fields.need("outline")?;
            let (corners, []) = numbers.as_chunks() else {
                return Err(fields.wrong("outline", "an odd count of numbers"));
            };
            Shape::Prism {
                outline: corners.to_vec(),
                bottom: fields.need("bottom")?,
                top: fields.need("top")?,
            }
        }
        "cylinder" => Shape::Cylinder {
            base: fields.need("base")?,
            radius: fields.need("radius")?,
            height: fields.need("height")?,
        },
        "capsule" => {
            Shape::Capsule { a: fields.need("a")?, b: fields.need("b")?, radius: fields.need("radius")? }
        }
        other => return Err(fields.wrong("shape", &format!("{other:?}"))),
    };
    Ok(Volume { shape, area: AreaId(fields.need("area")?) })
}

pub(super) fn store_connection(connection: &OffMeshConnection) -> StoredRow {
    let OffMeshConnection { start, end, radius, both_ways, area, flags, user_id, along } = connection;
    let mut row = row! {
        "start": *start, "end": *end, "radius": *radius, "both_ways": *both_ways, "area": area.0,
        "user_id": *user_id, "along": *along,
    };
    push(&mut row, "flags", *flags);
    row
}

pub(super) fn connection(fields: &Fields<'_>) -> Result<OffMeshConnection, CacheError> {
    Ok(OffMeshConnection {
        start: fields.need("start")?,
        end: fields.need("end")?,
        radius: fields.need("radius")?,
        both_ways: fields.need("both_ways")?,
        area: AreaId(fields.need("area")?),
        flags: fields.get("flags")?,
        user_id: fields.get("user_id")?.unwrap_or_default(),
        along: fields.get("along")?.unwrap_or_default(),
    })
}

pub(super) fn store_link(profile: &LinkProfile) -> StoredRow {
    let LinkProfile {
        kind,
        distance,
        height,
        arc,
        speed,
        gravity,
        surface,
        both_ways,
        area,
        flags,
        worth,
        spacing,
    } = profile;
    let mut row = row! {
        "kind": kind.name().to_owned(), "height": *height, "arc": *arc, "gravity": *gravity,
        "both_ways": *both_ways, "area": area.0, "worth": *worth, "spacing": *spacing,
    };
    push(&mut row, "distance", *distance);
    push(&mut row, "speed", *speed);
    push(&mut row, "surface", surface.map(|area| area.0));
    push(&mut row, "flags", *flags);
    row
}

pub(super) fn link(fields: &Fields<'_>) -> Result<LinkProfile, CacheError> {
    let name: String = fields.need("kind")?;
    let kind = LinkKind::ALL.into_iter().find(|kind| kind.name() == name);
    let plain = LinkProfile::new(kind.ok_or_else(|| fields.wrong("kind", &format!("{name:?}")))?);
    Ok(LinkProfile {
        distance: fields.get("distance")?,
        height: fields.get("height")?.unwrap_or(plain.height),
        arc: fields.get("arc")?.unwrap_or(plain.arc),
        speed: fields.get("speed")?,
        gravity: fields.get("gravity")?.unwrap_or(plain.gravity),
        surface: fields.get("surface")?.map(AreaId),
        both_ways: fields.get("both_ways")?.unwrap_or(plain.both_ways),
        area: fields.get("area")?.map_or(plain.area, AreaId),
        flags: fields.get("flags")?,
        worth: fields.get("worth")?.unwrap_or(plain.worth),
        spacing: fields.get("spacing")?.unwrap_or(plain.spacing),
        ..plain
    })
}
