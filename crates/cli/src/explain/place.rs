//! The answer of `navtile explain --at`, as text and as JSON.

use super::names::{ending, json_of};
use super::way::change_json;
use crate::report::{self, rounded};
use navbake::Names;
use navbake::sentences::{self, change_words};
use navexplain::{Column, Explanation, Floor, Location, Reason};
use recast::{AreaId, Settings, StageId};
use serde_json::{Value, json};

/// An explanation, with the settings that name its areas and volumes.
pub(super) struct Explained<'a> {
    pub(super) explanation: &'a Explanation,
    pub(super) settings: &'a Settings,
    pub(super) names: &'a Names<'a>,
}

impl Explained<'_> {
    fn column(&self) -> Option<&Column> {
        match &self.explanation.location {
            Location::Outside { .. } => None,
            Location::Column(column) => Some(column),
        }
    }

    /// The name of an area for a text.
    fn name_of(&self, area: AreaId) -> String {
        sentences::area_name(area, self.settings)
    }

    /// The answer in one sentence.
    fn reason(&self) -> String {
        sentences::place_reason(self.explanation, self.settings)
    }

    pub(super) fn text(&self) -> String {
        let [x, y, z] = self.explanation.at;
        let answer = if self.explanation.polygon().is_some() { "yes" } else { "no" };
        let mut lines =
            vec![("place", format!("{x}, {y}, {z}")), ("mesh", format!("{answer}: {}", self.reason()))];
        for floor in self.column().map_or(&[][..], |column| &column.floors) {
            lines.push(("floor", self.floor_text(floor)));
            if let Some(cause) = floor.cause
                && let Some((stage, remedy)) = cause.dropped()
            {
                let stage = stage.name().replace('_', " ");
                lines.push(("", format!("dropped by {stage}: {cause}")));
                lines.push(("", format!("to change that, {remedy}")));
            }
        }
        let remedy = self.explanation.remedy.iter().map(change_words);
        lines.extend(remedy.map(|words| ("remedy", format!("{words} (a bake with it has mesh there)"))));
        match self.column().map_or(0, |column| column.other_floors) {
            0 => {}
            1 => lines.push(("others", "1 floor further above or below".to_owned())),
            count => lines.push(("others", format!("{count} floors further above or below"))),
        }
        report::columns(lines)
    }

    /// A floor in one line: its place and the result.
    fn floor_text(&self, floor: &Floor) -> String {
        let mut text =
            format!("at height {:.2}, {}", floor.height, sentences::apart(floor, self.explanation.at));
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
                    format!("; dropped, but polygon {polygon} covers it, because outlines are simplified")
                }
            };
        }
        text + &ending(&self.names_of(floor))
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
                    json_of(self.names.of_top(column.cell, floor.height))
                }),
                "cause": floor.cause.as_ref().map(cause_json),
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
            "remedy": self.explanation.remedy.iter().map(change_json).collect::<Vec<_>>(),
            "warnings": warnings,
        })
    }

    fn area(&self, id: AreaId) -> Value {
        json!({ "id": id.0, "name": self.settings.area(id).name })
    }
}

fn cause_json(cause: &Reason) -> Value {
    let (stage, remedy) = cause.dropped().unzip();
    json!({
        "name": cause.name(),
        "stage": stage.map(StageId::name),
        "message": cause.to_string(),
        "remedy": remedy,
        "comparison": cause.comparison().map(|comparison| json!({
            "what": comparison.what,
            "found": rounded(comparison.found),
            "limit": rounded(comparison.limit),
            "unit": comparison.unit,
            "setting": comparison.setting,
        })),
    })
}
