//! The answer of `navtile explain --at`, for people and for machines.

use super::names::Names;
use crate::report::{self, rounded};
use recast::explain::{Cause, Column, Covering, Explanation, Floor, Place};
use recast::{AreaId, Settings};
use serde_json::{Value, json};

/// An explanation, with the settings that name its areas and volumes.
pub(super) struct Explained<'a> {
    pub(super) explanation: &'a Explanation,
    pub(super) settings: &'a Settings,
    pub(super) names: &'a Names<'a>,
}

impl Explained<'_> {
    fn column(&self) -> Option<&Column> {
        match &self.explanation.place {
            Place::Outside { .. } => None,
            Place::Column(column) => Some(column),
        }
    }

    /// The name of an area for a text.
    fn name_of(&self, area: AreaId) -> String {
        navinput::escaped(&self.settings.area(area).name).into_owned()
    }

    /// The answer in one sentence.
    pub(super) fn reason(&self) -> String {
        let column = match &self.explanation.place {
            Place::Outside { baked: [[x0, x1], [z0, z1]] } => {
                return format!(
                    "the place is outside the baked area: x from {x0:.2} to {x1:.2}, z from {z0:.2} to {z1:.2}"
                );
            }
            Place::Column(column) => column,
        };
        if let Some(Covering { polygon, area, height, .. }) = self.explanation.polygon() {
            let area = self.name_of(*area);
            return format!("polygon {polygon} of area {area} is there, at height {height:.2}");
        }
        match (column.floors.first(), column.nearest_geometry) {
            (Some(Floor { cause: Some(cause), buried: true, height, .. }), _) => {
                let cause = self.message(cause);
                format!("the place is inside a solid that ends at height {height:.2}; its top is {cause}")
            }
            (Some(Floor { cause: Some(cause), .. }), _) => self.message(cause),
            (Some(floor), _) => {
                format!("the nearest floor is part of the mesh, but {}", self.apart(floor))
            }
            (None, Some(distance)) => {
                format!("the level has no geometry there; the nearest is {distance:.2} m away")
            }
            (None, None) => "the level has no geometry there".to_owned(),
        }
    }

    fn message(&self, cause: &Cause) -> String {
        match cause {
            // People count from 1, machines from 0 as the settings do.
            Cause::Volume { index } => {
                format!(
                    "a volume makes it unwalkable: number {} of {}",
                    index + 1,
                    self.settings.volumes.len()
                )
            }
            cause => cause.to_string(),
        }
    }

    /// How far a floor is from the place.
    fn apart(&self, floor: &Floor) -> String {
        match floor.height - self.explanation.at[1] {
            above if above.abs() < 0.005 => "at the place".to_owned(),
            above if above > 0.0 => format!("{above:.2} m above the place"),
            above => format!("{:.2} m below the place", -above),
        }
    }

    pub(super) fn text(&self) -> String {
        let [x, y, z] = self.explanation.at;
        let answer = if self.explanation.polygon().is_some() { "yes" } else { "no" };
        let mut lines =
            vec![("place", format!("{x}, {y}, {z}")), ("mesh", format!("{answer}: {}", self.reason()))];
        for floor in self.column().map_or(&[][..], |column| &column.floors) {
            lines.push(("floor", self.floor_text(floor)));
            if let Some(cause) = &floor.cause {
                let stage = cause.stage().name().replace('_', " ");
                lines.push(("", format!("dropped by {stage}: {}", self.message(cause))));
                lines.push(("", format!("to change that, {}", cause.remedy())));
            }
        }
        match self.column().map_or(0, |column| column.other_floors) {
            0 => {}
            1 => lines.push(("others", "1 floor further above or below".to_owned())),
            count => lines.push(("others", format!("{count} floors further above or below"))),
        }
        report::columns(lines)
    }

    /// A floor in one line: where it is, and the result.
    fn floor_text(&self, floor: &Floor) -> String {
        let mut text = format!("at height {:.2}, {}", floor.height, self.apart(floor));
        if floor.buried {
            text += "; the place is inside the solid below it";
        }
        if let Some(clearance) = floor.clearance {
            text += &format!("; {clearance:.2} m of space above");
        }
        if let Some(step) = floor.stepped_over {
            text += &format!("; too steep, but kept as a step of {step:.2} m");
        }
        if let Some(polygon) = self.polygon_of(floor) {
            text += &match (&floor.cause, floor.area.is_walkable()) {
                (None, true) => {
                    format!("; area {}, in polygon {polygon}", self.name_of(floor.area))
                }
                (None, false) => String::new(),
                (Some(_), _) => {
                    format!("; dropped, yet polygon {polygon} covers it, as outlines are simplified")
                }
            };
        }
        let names = self.names_of(floor);
        if !names.is_empty() {
            text += &format!("; {}", names.join(" and "));
        }
        text
    }

    /// The names of the top of a floor in the level's files.
    fn names_of(&self, floor: &Floor) -> Vec<String> {
        self.column()
            .map_or_else(Vec::new, |column| self.names.texts(self.names.of_top(column.cell, floor.height)))
    }

    /// The number in the tile of the polygon that covers a floor.
    fn polygon_of(&self, floor: &Floor) -> Option<usize> {
        Some(self.column()?.polygons[floor.polygon?].polygon)
    }

    /// The answer as one JSON object. Metres.
    pub(super) fn json(&self, warnings: &[String]) -> Value {
        let column = self.column();
        let polygons = column.map_or(&[][..], |column| &column.polygons).iter().map(|covering| {
            json!({
                "polygon": covering.polygon, "area": self.area(covering.area), "flags": covering.flags,
                "height": rounded(covering.height),
            })
        });
        let floors = column.map_or(&[][..], |column| &column.floors).iter().map(|floor| {
            json!({
                "height": rounded(floor.height),
                "above": rounded(floor.height - self.explanation.at[1]),
                "clearance": floor.clearance.map(rounded),
                "area": floor.area.is_walkable().then(|| self.area(floor.area)),
                "buried": floor.buried,
                "stepped_over": floor.stepped_over.map(rounded),
                "region": floor.region,
                "polygon": self.polygon_of(floor),
                "names": self.column().map(|column| {
                    self.names.json(self.names.of_top(column.cell, floor.height))
                }),
                "cause": floor.cause.as_ref().map(|cause| self.cause(cause)),
            })
        });
        json!({
            "at": self.explanation.at,
            "mesh": self.explanation.polygon().is_some(),
            "reason": self.reason(),
            "column": column.map(|column| column.cell),
            "polygons": polygons.collect::<Vec<_>>(),
            "floors": floors.collect::<Vec<_>>(),
            "other_floors": column.map_or(0, |column| column.other_floors),
            "nearest_geometry": column.and_then(|column| column.nearest_geometry).map(rounded),
            "warnings": warnings,
        })
    }

    fn area(&self, id: AreaId) -> Value {
        json!({ "id": id.0, "name": self.settings.area(id).name })
    }

    fn cause(&self, cause: &Cause) -> Value {
        json!({
            "name": cause.name(),
            "stage": cause.stage().name(),
            "message": self.message(cause),
            "remedy": cause.remedy(),
            "comparison": cause.comparison().map(|comparison| json!({
                "what": comparison.what,
                "found": rounded(comparison.found),
                "limit": rounded(comparison.limit),
                "unit": comparison.unit,
                "setting": comparison.setting,
            })),
        })
    }
}
