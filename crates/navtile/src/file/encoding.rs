//! The metadata as bytes: serde by way of bincode, fixed-size little-endian integers. The one place that knows
//! bincode; docs/format.md gives the bytes without it.

use super::{FileError, refuse};
use crate::meta::{AreaMeta, Meta};
use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::error::EncodeError;

/// Most bytes of metadata that are decoded.
pub(crate) const META_LIMIT: usize = 1 << 20;
/// Most bytes of an area's name.
pub(crate) const NAME_LIMIT: usize = 255;

fn config() -> Configuration<LittleEndian, Fixint, Limit<META_LIMIT>> {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<META_LIMIT>()
}

/// The bytes of valid metadata, as a file has them.
///
/// Errors: metadata that breaks a rule of docs/format.md.
pub fn encode(meta: &Meta) -> Result<Vec<u8>, FileError> {
    check(meta)?;
    let refused =
        |error: EncodeError| refuse("meta-encoding", "metadata that can be encoded", error.to_string());
    let mut bytes = bincode::serde::encode_to_vec(meta, config()).or_else(refused)?;
    let colours: Vec<AreaColour> =
        meta.areas.iter().filter_map(|area| Some((area.id, area.colour?))).collect();
    if !colours.is_empty() {
        bytes.extend(bincode::serde::encode_to_vec(&colours, config()).or_else(refused)?);
    }
    Ok(bytes)
}

/// The id of an area, and its colour.
type AreaColour = (u8, [u8; 3]);

/// Takes the colours of areas from what stands behind all else.
fn decode_colours(bytes: &[u8], areas: &mut [AreaMeta]) -> Result<(), FileError> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut rest = bytes;
    let count = length(&mut rest).unwrap_or(0);
    let (colours, []) = rest.as_chunks::<{ size_of::<AreaColour>() }>() else {
        return refuse(
            "meta-encoding",
            "four bytes for the colour of an area",
            format!("{} bytes", rest.len()),
        );
    };
    if count == 0 || count != colours.len() as u64 {
        let expected = "colours of areas, of the number that is stated, or nothing behind the areas";
        return refuse("meta-encoding", expected, format!("{count} stated in {} bytes", bytes.len()));
    }
    let mut areas = areas.iter_mut();
    for &[id, red, green, blue] in colours {
        // Both are sorted by id.
        let Some(area) = areas.find(|area| area.id == id) else {
            return refuse(
                "meta-areas",
                "colours of areas that are there, by ascending id",
                format!("area {id}"),
            );
        };
        area.colour = Some([red, green, blue]);
    }
    Ok(())
}

/// Bytes before `reachable_from`, from there to the areas, and of an area without its name; as docs/format.md has it.
const BEFORE_OPTION: usize = 112;
const OPTION_TO_AREAS: usize = 60;
const AREA_REST: usize = 8;

/// Compares the lengths that lists claim with the bytes there are. A decoder allocates what they claim.
fn check_lengths(bytes: &[u8]) -> Result<(), FileError> {
    let short =
        || refuse("meta-encoding", "metadata of version 1", format!("{} bytes that end early", bytes.len()));
    let place = match bytes.get(BEFORE_OPTION) {
        None => return short(),
        Some(0) => 0,
        Some(1) => size_of::<[f64; 3]>(),
        Some(other) => {
            return refuse("meta-encoding", "0 or 1 before a place that may be", format!("{other}"));
        }
    };
    let Some(mut rest) = bytes.get(BEFORE_OPTION + 1 + place + OPTION_TO_AREAS..) else { return short() };
    let Some(areas) = length(&mut rest) else { return short() };
    if areas > u64::from(u8::MAX) {
        return refuse("meta-areas", "at most 255 areas, as their ids are different", format!("{areas}"));
    }
    for _ in 0..areas {
        rest = rest.get(1..).unwrap_or_default();
        let Some(name) = length(&mut rest) else { return short() };
        if name > NAME_LIMIT as u64 {
            return refuse(
                "meta-areas",
                format!("names of at most {NAME_LIMIT} bytes"),
                format!("{name} bytes"),
            );
        }
        let Some(behind) = rest.get(name as usize + AREA_REST..) else { return short() };
        rest = behind;
    }
    Ok(())
}

/// The length that a list starts with.
fn length(rest: &mut &[u8]) -> Option<u64> {
    let (length, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(u64::from_le_bytes(*length))
}

/// Metadata from all of `bytes`, every rule checked. Memory in proportion to them.
pub fn decode(bytes: &[u8]) -> Result<Meta, FileError> {
    check_lengths(bytes)?;
    let (mut meta, used) = bincode::serde::decode_from_slice::<Meta, _>(bytes, config())
        .or_else(|error| refuse("meta-encoding", "metadata of version 1", error.to_string()))?;
    decode_colours(bytes.get(used..).unwrap_or_default(), &mut meta.areas)?;
    check(&meta)?;
    Ok(meta)
}

/// Numbers that make sense, areas in order.
fn check(meta: &Meta) -> Result<(), FileError> {
    let Meta { agent, settings, .. } = meta;
    let measures = [
        ("agent radius", agent.radius),
        ("agent height", agent.height),
        ("agent climb", agent.climb),
        ("agent slope", agent.slope),
        ("smallest region", settings.region_min_area),
        ("merged region", settings.region_merge_area),
        ("edge length", settings.max_edge_length),
        ("contour error", settings.contour_max_error),
        ("detail distance", settings.detail_sample_distance),
        ("detail error", settings.detail_max_error),
    ];
    for (name, value) in measures {
        if !(value.is_finite() && value >= 0.0) {
            return refuse("meta-number", format!("a finite {name}, not negative"), format!("{value}"));
        }
    }
    if !meta.cell.iter().all(|value| value.is_finite() && *value > 0.0) {
        return refuse("meta-number", "a finite, positive cell", format!("{:?}", meta.cell));
    }
    if !meta.origin.iter().all(|value| value.is_finite()) {
        return refuse("meta-number", "a finite origin", format!("{:?}", meta.origin));
    }
    if settings.partition > 2 {
        return refuse("meta-partition", "a partition from 0 to 2", settings.partition);
    }
    if settings.reachable_from.is_some_and(|place| !place.iter().all(|value| value.is_finite())) {
        return refuse("meta-number", "a finite place", format!("{:?}", settings.reachable_from));
    }
    let mut previous = 0;
    for area in &meta.areas {
        check_area(area, previous)?;
        previous = area.id;
    }
    Ok(())
}

fn check_area(area: &AreaMeta, previous: u8) -> Result<(), FileError> {
    if area.id <= previous {
        let expected = format!("area ids from 1 on, ascending, so one above {previous}");
        return refuse("meta-areas", expected, area.id);
    }
    if area.name.len() > NAME_LIMIT {
        let found = format!("{} bytes in area {}", area.name.len(), area.id);
        return refuse("meta-areas", format!("names of at most {NAME_LIMIT} bytes"), found);
    }
    if !(area.cost.is_finite() && area.cost >= 0.0) {
        let expected = format!("a finite cost, not negative, for area {}", area.id);
        return refuse("meta-areas", expected, area.cost);
    }
    Ok(())
}
