//! Explanations in words, used both in the terminal and on web pages.

use navexplain::{
    Change, Column, Covering, Explanation, Floor, Location, REACH, WayExplanation, place_words,
};
use navinput::escaped;
use recast::{AreaId, Settings};

/// The name of an area for a text.
pub fn area_name(area: AreaId, settings: &Settings) -> String {
    escaped(&settings.area(area).name).into_owned()
}

/// Explains in one sentence why there is or is not mesh at a place.
pub fn place_reason(explanation: &Explanation, settings: &Settings) -> String {
    let column = match &explanation.location {
        Location::Outside { baked: [[x0, x1], [z0, z1]] } => {
            return format!(
                "the place is outside the baked area: x from {x0:.2} to {x1:.2}, z from {z0:.2} to {z1:.2}"
            );
        }
        Location::Column(column) => column,
    };
    match explanation.polygon() {
        Some(Covering { polygon, area, height, .. }) => {
            let area = area_name(*area, settings);
            format!("polygon {polygon} of area {area} is there, at height {height:.2}")
        }
        None => hole_reason(explanation, column),
    }
}

/// Explains a hole in the mesh.
fn hole_reason(explanation: &Explanation, column: &Column) -> String {
    match (column.floors.first(), column.nearest_geometry) {
        (Some(Floor { cause: Some(cause), buried: true, height, .. }), _) => {
            format!("the place is inside a solid that ends at height {height:.2}; its top is {cause}")
        }
        (Some(Floor { cause: Some(cause), .. }), _) => cause.to_string(),
        (Some(floor), _) => {
            format!("the nearest floor is part of the mesh, but {}", apart(floor, explanation.at))
        }
        (None, Some(distance)) => {
            format!("the level has no geometry there; the nearest is {distance:.2} m away")
        }
        (None, None) => "the level has no geometry there".to_owned(),
    }
}

/// The height of a floor relative to a place, in words.
pub fn apart(floor: &Floor, at: [f64; 3]) -> String {
    match floor.height - at[1] {
        above if above.abs() < 0.005 => "at the place".to_owned(),
        above if above > 0.0 => format!("{above:.2} m above the place"),
        above => format!("{:.2} m below the place", -above),
    }
}

/// Explains in one sentence why no path leads from one place to another. `ask` is the command for questions
/// about a place without mesh.
pub fn way_reason(way: &WayExplanation, ask: &str) -> String {
    let ends = way.ends.iter().zip(way.on_mesh);
    let lost: Vec<String> = ends.filter(|(_, on)| !on).map(|(end, _)| place_words(*end)).collect();
    if way.joined {
        return "the mesh leads from one to the other".to_owned();
    }
    if !lost.is_empty() {
        let [across, up] = REACH;
        let places = lost.join(", nor of ");
        return format!(
            "there is no mesh within {across} m across and {up} m in height of {places}; {ask} says why"
        );
    }
    let breaks = way_breaks(way);
    if way.returns {
        return format!(
            "off-mesh connections lead one way, from the second place to the first, and not back; {breaks}"
        );
    }
    breaks
}

/// The places where the mesh is interrupted between two places.
fn way_breaks(way: &WayExplanation) -> String {
    match way.breaks.as_slice() {
        [] => "no geometry leads from one to the other; nothing but an off-mesh connection can join them"
            .to_owned(),
        [only] => format!("the mesh breaks off once, at {}", place_words(only.ends[0])),
        [first, ..] => {
            format!("the mesh breaks off {} times, first at {}", way.breaks.len(), place_words(first.ends[0]))
        }
    }
}

/// A change of the settings.
pub fn change_words(change: &Change) -> String {
    match *change {
        Change::Setting { path, value } => format!("{path} = {}", (value * 1e6).round() / 1e6),
        Change::Choice { path, name } => format!("{path} = \"{name}\""),
        Change::BothWays { index } => format!("off-mesh connection number {} both ways", index + 1),
        Change::NoVolume { index } => format!("no volume number {}", index + 1),
        Change::Connection { start, end, .. } => {
            format!("an off-mesh connection from {} to {}", place_words(start), place_words(end))
        }
        _ => String::new(),
    }
}
