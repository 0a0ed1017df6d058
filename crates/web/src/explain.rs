//! Explanations: the reason for mesh or no mesh at a place, and for a missing path between two places.

use crate::bake::{WebBake, thrown};
use crate::convert::{plain, point};
use navbake::sentences::{area_name, change_words, place_reason, way_reason};
use navbake::{BakeError, Names};
use navexplain::{Break, Change, Comparison, Floor, Location, Reason, explain, explain_tiled, explain_way};
use recast::{PreparedLevel, Scratch, Silent, TileBuild};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlaceAnswer {
    at: [f64; 3],
    is_mesh: bool,
    reason: String,
    floors: Vec<FloorAnswer>,
    other_floors: usize,
    remedy: Vec<ChangeAnswer>,
}

#[derive(Serialize)]
struct FloorAnswer {
    height: f64,
    clearance: Option<f64>,
    area: Option<String>,
    buried: bool,
    names: Vec<String>,
    cause: Option<CauseAnswer>,
}

#[derive(Serialize)]
struct CauseAnswer {
    name: &'static str,
    stage: &'static str,
    message: String,
    remedy: &'static str,
    /// The nearest place of the border, if the ground is too near to one.
    border: Option<[f64; 3]>,
    comparison: Option<ComparisonAnswer>,
}

#[derive(Serialize)]
struct ComparisonAnswer {
    what: &'static str,
    found: f64,
    limit: f64,
    unit: &'static str,
    setting: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WayAnswer {
    from: [f64; 3],
    to: [f64; 3],
    on_mesh: [bool; 2],
    is_way: bool,
    reason: String,
    breaks: Vec<BreakAnswer>,
    remedy: Option<Vec<ChangeAnswer>>,
    connections: Option<Vec<ChangeAnswer>>,
}

#[derive(Serialize)]
struct BreakAnswer {
    from: [f64; 3],
    to: [f64; 3],
    blockers: Vec<BlockerAnswer>,
}

#[derive(Serialize)]
struct BlockerAnswer {
    name: &'static str,
    message: String,
    place: Option<[f64; 3]>,
    names: Vec<String>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeAnswer {
    words: String,
    setting: Option<&'static str>,
    value: Option<ValueAnswer>,
    both_ways: Option<usize>,
    remove_volume: Option<usize>,
    start: Option<[f64; 3]>,
    end: Option<[f64; 3]>,
    radius: Option<f64>,
}

/// The value of a setting.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueAnswer {
    Number(f64),
    Name(&'static str),
}

impl From<&Change> for ChangeAnswer {
    fn from(change: &Change) -> ChangeAnswer {
        let words = change_words(change);
        match *change {
            Change::Setting { path, value } => {
                let value = Some(ValueAnswer::Number(value));
                ChangeAnswer { words, setting: Some(path), value, ..ChangeAnswer::default() }
            }
            Change::Choice { path, name } => {
                let value = Some(ValueAnswer::Name(name));
                ChangeAnswer { words, setting: Some(path), value, ..ChangeAnswer::default() }
            }
            Change::BothWays { index } => {
                ChangeAnswer { words, both_ways: Some(index), ..ChangeAnswer::default() }
            }
            Change::NoVolume { index } => {
                ChangeAnswer { words, remove_volume: Some(index), ..ChangeAnswer::default() }
            }
            Change::Connection { start, end, radius } => ChangeAnswer {
                words,
                start: Some(start),
                end: Some(end),
                radius: Some(radius),
                ..ChangeAnswer::default()
            },
            _ => ChangeAnswer { words, ..ChangeAnswer::default() },
        }
    }
}

/// The answer for a reason that floors are dropped for.
fn cause_answer(cause: Reason) -> Option<CauseAnswer> {
    let (stage, remedy) = cause.dropped()?;
    Some(CauseAnswer {
        name: cause.name(),
        stage: stage.name(),
        message: cause.to_string(),
        remedy,
        border: cause.place,
        comparison: cause.comparison().map(|Comparison { what, found, limit, unit, setting }| {
            ComparisonAnswer { what, found, limit, unit, setting }
        }),
    })
}

#[wasm_bindgen(js_class = LevelBake)]
impl WebBake {
    fn level(&self) -> Result<(&PreparedLevel, Names<'_>), JsValue> {
        let level = self.bake.levels().first();
        let level = level.ok_or_else(|| js_sys::Error::new("there is no agent to explain for"))?;
        Ok((level, Names { level: &self.source, prepared: level }))
    }

    /// Explains a place: the ground there, the stage of the bake that removed it, and the numbers that
    /// decided it. Takes one bake, or up to three if only cells may keep the mesh away.
    #[wasm_bindgen(unchecked_return_type = "PlaceExplanation")]
    pub fn explain(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
    ) -> Result<JsValue, JsValue> {
        let (level, names) = self.level()?;
        let (at, scratch) = (point("at", at)?, &mut Scratch::new());
        let explanation = match self.bake.tile_cells() {
            0 => explain(level, &TileBuild::solo(level), at, &Silent, scratch),
            cells => explain_tiled(level, cells, at, &Silent, scratch),
        };
        let explanation = explanation.map_err(|error| failed(&error))?;
        let settings = &level.config.settings;
        let (floors, cell, other_floors) = match &explanation.location {
            Location::Outside { .. } => (&[][..], [0; 2], 0),
            Location::Column(column) => (&column.floors[..], column.cell, column.other_floors),
        };
        let floor = |floor: &Floor| FloorAnswer {
            height: floor.height,
            clearance: floor.clearance,
            area: floor.area.is_walkable().then(|| area_name(floor.area, settings)),
            buried: floor.buried,
            names: names.texts(names.of_top(cell, floor.height)),
            cause: floor.cause.and_then(cause_answer),
        };
        Ok(plain(&PlaceAnswer {
            at,
            is_mesh: explanation.polygon().is_some(),
            reason: place_reason(&explanation, settings),
            floors: floors.iter().map(floor).collect(),
            other_floors,
            remedy: explanation.remedy.iter().map(ChangeAnswer::from).collect(),
        })?)
    }

    /// Explains why there is no path from one place to another: the place where the mesh breaks off, the
    /// blocker there, and changes of the settings that give a bake the path. Takes several bakes.
    #[wasm_bindgen(js_name = explainWay, unchecked_return_type = "WayExplanation")]
    pub fn explain_way(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
    ) -> Result<JsValue, JsValue> {
        let (level, names) = self.level()?;
        let ends = [point("from", from)?, point("to", to)?];
        let way = explain_way(level, ends, &Silent, &mut Scratch::new()).map_err(|error| failed(&error))?;
        let blocker = |blocker: &Reason| BlockerAnswer {
            name: blocker.name(),
            message: blocker.to_string(),
            place: blocker.place,
            names: blocker.place.map_or_else(Vec::new, |place| names.texts(names.at(place))),
        };
        let part = |each: &Break| BreakAnswer {
            from: each.ends[0],
            to: each.ends[1],
            blockers: each.blockers.iter().map(blocker).collect(),
        };
        let changes = |changes: &Option<Vec<Change>>| {
            changes.as_ref().map(|changes| changes.iter().map(ChangeAnswer::from).collect())
        };
        Ok(plain(&WayAnswer {
            from: ends[0],
            to: ends[1],
            on_mesh: way.on_mesh,
            is_way: way.joined,
            reason: way_reason(&way, "`explain`"),
            breaks: way.breaks.iter().map(part).collect(),
            remedy: changes(&way.remedy),
            connections: changes(&way.connections),
        })?)
    }
}

fn failed(error: &recast::Error) -> JsValue {
    thrown(BakeError { message: error.to_string(), ..BakeError::default() })
}
