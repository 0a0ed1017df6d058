//! The reasons for having no mesh at a place, no path or no link: one table of codes and sentences. Lengths
//! are metres, areas square metres, slopes degrees, places world metres.

use recast::StageId;
use recast::data::Direction;
use std::fmt;

/// A reason, with the facts that decided. It displays as a sentence without its period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// The kind of reason, with the facts that only this kind has.
    pub code: ReasonCode,
    /// The place that the reason is about: an obstacle, or the nearest border.
    pub place: Option<[f64; 3]>,
    /// The value found.
    pub found: Option<f64>,
    /// The limit that it was compared with: those of an agent in whole cells, but the radius as it is if
    /// outlines are exact.
    pub limit: Option<f64>,
}

/// The two numbers that decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The quantity: `slope`, `drop`, `clearance`.
    pub what: &'static str,
    /// The value found.
    pub found: f64,
    /// The limit it was compared with.
    pub limit: f64,
    /// `m`, `m2` or `degrees`.
    pub unit: &'static str,
    /// The setting that the limit comes from: `agent.slope`.
    pub setting: &'static str,
}

/// A row of the table, without its sentence.
struct Row {
    name: &'static str,
    /// The stage that drops floors for this reason, and advice.
    dropped: Option<(StageId, &'static str)>,
    /// The quantity that was compared, its unit, and the setting of the limit.
    compared: Option<[&'static str; 3]>,
}

/// Makes the codes from the table: of each its facts, its name, its sentence; for floors, the stage that
/// drops them and the advice; the quantity that is compared, its unit and its setting.
macro_rules! reasons {
    (|$reason:ident, $found:ident, $limit:ident, $place:ident| $(
        $(#[$doc:meta])* $code:ident $(($($fact:ident: $type:ty),+))? $name:literal
        ($sentence:literal $(, $part:ident = $words:expr)*) $([$stage:ident, $remedy:literal])? $({$compared:expr})?
    )+) => {
        /// The kinds of reasons, each with its sentence.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum ReasonCode {
            $(#[doc = concat!($sentence, "\n")] $(#[$doc])* $code $(($($type),+))?,)+
        }

        impl ReasonCode {
            fn row(&self) -> Row {
                match self {
                    $(ReasonCode::$code { .. } => Row {
                        name: $name,
                        dropped: [$((StageId::$stage, $remedy))?].first().copied(),
                        compared: [$($compared)?].first().copied(),
                    },)+
                }
            }
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $reason = self;
                let [$found, $limit] = self.numbers();
                let $place = self.place.map_or_else(String::new, place_words);
                match self.code {
                    $(ReasonCode::$code $(($($fact),+))? => {
                        $(let $part = $words;)*
                        write!(f, $sentence)
                    })+
                }
            }
        }
    };
}

reasons! {
    |reason, found, limit, place|

    /// The slope is that of the flattest triangle that makes the top; 90 is a wall. Holds the height above a
    /// walkable floor below and the agent's climb: steps no higher than that are kept.
    TooSteep(step: Option<[f64; 2]>) "too_steep"
        ("too steep: {found} degrees, and the agent walks up to {limit}{step}", step = too_high(step))
        [MarkWalkable, "flatten the surface, or raise agent.slope"] {["slope", "degrees", "agent.slope"]}
    FacesDown "faces_down" ("the ground faces down: an underside, or a reversed winding (--winding either)")
        [MarkWalkable, "flip the triangle if it should be a floor: its corners must run counter-clockwise seen from above"]
        {["slope", "degrees", "agent.slope"]}
    Unwalkable "unwalkable" ("the level marks the ground as unwalkable")
        [MarkWalkable, "give the triangles a walkable area"]
    Drop(side: Direction) "ledge_drop"
        ("a ledge: the ground drops {found} m towards {side}, and the agent climbs {limit} m", side = towards(side))
        [FilterLedges, "lower the step, or raise agent.climb"] {["drop", "m", "agent.climb"]}
    Void(side: Direction) "ledge_void" ("a ledge: there is no ground towards {side}", side = towards(side))
        [FilterLedges, "close the gap in the geometry; the outermost cells of a floor are always dropped"]
    GridEdge(side: Direction) "ledge_grid_edge" ("a ledge: the baked area ends towards {side}", side = towards(side))
        [FilterLedges, "enlarge the bounds; the outermost cells are always dropped"]
    Uneven "ledge_uneven"
        ("a ledge: the floors around it differ by {found} m in height, and the agent climbs {limit} m")
        [FilterLedges, "lower the step, or raise agent.climb"] {["difference", "m", "agent.climb"]}
    LowCeiling "low_ceiling"
        ("a low ceiling: there are {found} m of headroom, and the agent needs {limit} m")
        [FilterLowCeilings, "raise the ceiling, or lower agent.height"] {["clearance", "m", "agent.height"]}
    Eroded "eroded"
        ("too close to a wall or ledge: the nearest, at {place}, is {found} m away, and the agent's radius is {limit} m")
        [Erode, "widen the passage, or lower agent.radius"] {["distance to border", "m", "agent.radius"]}
    /// Holds the volume's index in the settings, from 0, and the number of volumes. Texts count from 1.
    Volume(index: usize, count: usize) "volume"
        ("a volume makes the ground unwalkable: number {number} of {count}", number = index + 1)
        [MarkAreas, "move the volume, or give it another area"]
    TileBorder "tile_border" ("it is in the tile's border: the mesh there belongs to the neighbouring tile")
        [Regions, "look in the neighbouring tile"]
    RegionTooSmall "region_too_small"
        ("the island is too small: {size}islands are kept from {limit} m\u{b2} on", size = size(&found))
        [Regions, "enlarge or connect the surface, or lower regions.min_area"] {["area", "m2", "regions.min_area"]}
    NoRegion "no_region" ("it belongs to no region")
        [Regions, "try another partition; the warnings of the bake may say more"]
    /// Holds the region, from 1.
    NoContour(region: u32) "no_contour" ("region {region} has no usable outline")
        [MergeHoles, "try another partition; the warnings of the bake may say more"]
    OutsidePolygons "outside_polygons" ("no polygon covers it{nearest}", nearest = nearest(&found, &limit))
        [SimplifyContours, "lower contours.max_error, or choose smaller cells"]
        {["distance to polygon", "m", "contours.max_error"]}

    /// Holds the height of the far side above the near side.
    Gap(rise: f64) "gap" ("a gap of {found} m without ground{rise}", rise = far_side(rise))
    Step "step" ("a step of {found} m, and the agent climbs {limit} m")
    /// The first radius is half the width of the passage, measured from the triangles. If it is not less
    /// than the agent's, the bake's cells are too coarse for the passage.
    Narrow "narrow" ("a passage for a radius of {found} m, {but}", but = too_narrow(reason, &limit))
        [Erode, "widen the passage, or lower agent.radius"] {["radius of the passage", "m", "agent.radius"]}
    Outlines "outlines" ("simplified outlines; the ground under them is connected")

    /// Holds the start and the end of the link.
    Linked(ends: [[f64; 3]; 2]) "linked"
        ("a link leads from {start} to {end}", start = place_words(ends[0]), end = place_words(ends[1]))
    /// Holds 0 for the first place and 1 for the second.
    NoGround(end: usize) "no_ground" ("no ground near the {end} place", end = ordinal(end))
    SamePlace "same_place" ("both places are on the same floor")
    /// Holds the least width of the profile; the limit is its largest.
    Distance(least: f64) "distance"
        ("too {far}: {found} m apart, profile allows {least:.2} to {limit} m",
            far = if reason.found > reason.limit { "far" } else { "close" })
    /// Holds the least height of the profile; the limit is its greatest. Negative down.
    Height(least: f64) "height"
        ("height difference {found} is outside the profile's range of {least} to {limit}",
            found = up(reason.found), least = up(Some(least)), limit = up(reason.limit))
    /// Holds 0 for the first place and 1 for the second.
    NoBorder(end: usize) "no_border"
        ("not at a border: the ground at the {end} place continues towards the other place", end = ordinal(end))
    NoDirection "no_direction"
        ("no two floors at the places are in line with one of the sixteen link directions")
    Speed "speed" ("take-off speed is too low to reach the other place")
    NoLadder "no_ladder" ("no ladder reaches from the lower place to the upper one")
    /// Holds the top of the obstacle, above the place where the body would touch it.
    Blocked(_top: [f64; 3]) "blocked" ("blocked at {place}")
    /// Holds the top of the obstacle, above the place where the body would touch it.
    NoRoom(_top: [f64; 3]) "no_room" ("no room for the agent at an end of the link: blocked at {place}")
    /// Holds the profile's `worth`.
    OnFoot(worth: f64) "on_foot"
        ("redundant: the path on foot is {found} m, at most {worth} times the link's {limit} m")
    /// Holds the profile's `worth`, and the start and the end of the other link.
    ByLink(worth: f64, ends: [[f64; 3]; 2]) "by_link"
        ("redundant: the path over the link from {start} to {end} is {found} m, at most {worth} times this link's {limit} m, or \
            its ends are near enough by `spacing`", start = place_words(ends[0]), end = place_words(ends[1]))
    Nearer "nearer" ("a link in the same direction leads to a nearer floor of the same island")
}

impl From<ReasonCode> for Reason {
    fn from(code: ReasonCode) -> Reason {
        Reason { code, place: None, found: None, limit: None }
    }
}

impl Reason {
    /// A reason by two numbers.
    pub fn compared(code: ReasonCode, found: f64, limit: f64) -> Reason {
        Reason { found: Some(found), limit: Some(limit), ..code.into() }
    }

    /// Adds the place that the reason is about.
    pub fn at(self, place: [f64; 3]) -> Reason {
        Reason { place: Some(place), ..self }
    }

    /// Short name for machines: `too_steep`.
    pub fn name(&self) -> &'static str {
        self.code.row().name
    }

    /// The stage that drops floors for this reason, and advice: the change that would make them part of the
    /// mesh.
    pub fn dropped(&self) -> Option<(StageId, &'static str)> {
        self.code.row().dropped
    }

    /// The numbers that decided about a floor, if the reason has any.
    pub fn comparison(&self) -> Option<Comparison> {
        let [what, unit, setting] = self.code.row().compared?;
        Some(Comparison { what, found: self.found?, limit: self.limit?, unit, setting })
    }

    /// The two numbers as text, empty if missing, with enough decimals to show their difference.
    fn numbers(&self) -> [String; 2] {
        let least =
            if self.code.row().compared.is_some_and(|[_, unit, _]| unit == "degrees") { 1 } else { 2 };
        let texts = |decimals: usize| {
            let text = |number: f64| format!("{number:.decimals$}");
            [self.found, self.limit].map(|number| number.map_or_else(String::new, text))
        };
        // With more decimals the difference does not matter.
        (least..8).map(texts).find(|[found, limit]| found != limit).unwrap_or_else(|| texts(least))
    }
}

/// A place, metres.
pub fn place_words([x, y, z]: [f64; 3]) -> String {
    format!("{x:.2}, {y:.2}, {z:.2}")
}

fn too_high(step: Option<[f64; 2]>) -> String {
    step.map_or_else(String::new, |[step, climb]| {
        let [step, climb] = Reason::compared(ReasonCode::Step, step, climb).numbers();
        format!("; too high for a step: {step} m, and the agent climbs {climb} m")
    })
}

fn size(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!("{found} m\u{b2}, and ") }
}

fn nearest(found: &str, limit: &str) -> String {
    match found {
        "" => " or is near it at this height".to_owned(),
        _ => format!(": the nearest is {found} m away; outlines are simplified by up to {limit} m"),
    }
}

fn too_narrow(reason: &Reason, limit: &str) -> String {
    if reason.found < reason.limit {
        format!("but the agent's radius is {limit} m")
    } else {
        format!("wide enough for the agent's {limit} m, but too narrow for cells of this size")
    }
}

fn far_side(rise: f64) -> String {
    match rise {
        rise if rise.abs() < 0.005 => String::new(),
        rise if rise > 0.0 => format!("; the far side is {rise:.2} m higher"),
        rise => format!("; the far side is {:.2} m lower", -rise),
    }
}

fn ordinal(end: usize) -> &'static str {
    if end == 0 { "first" } else { "second" }
}

fn up(height: Option<f64>) -> String {
    let height = height.unwrap_or_default();
    if height < 0.0 { format!("{:.2} m down", -height) } else { format!("{height:.2} m up") }
}

fn towards(side: Direction) -> &'static str {
    match side {
        Direction::XMin => "smaller x",
        Direction::ZMax => "larger z",
        Direction::XMax => "larger x",
        Direction::ZMin => "smaller z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_look_different() {
        let steep = |slope: f64| Reason::compared(ReasonCode::TooSteep(None), slope, 45.0);
        assert_eq!(steep(60.0).numbers(), ["60.0", "45.0"]);
        assert_eq!(steep(45.000_2).numbers(), ["45.0002", "45.0000"]);
        assert_eq!(Reason::compared(ReasonCode::Step, 0.3, 0.3).numbers(), ["0.30", "0.30"]);
        assert_eq!(steep(45.03).to_string(), "too steep: 45.03 degrees, and the agent walks up to 45.00");
    }
}
