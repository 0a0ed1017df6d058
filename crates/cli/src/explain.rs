//! `navtile explain`: bakes a level and tells what became of one place, stage by stage.

use crate::args::ExplainArgs;
use crate::failure::{Answer, Failure};
use crate::level::{self, Ready};
use crate::progress::Progress;
use crate::report;
use recast::explain::{Cause, Column, Explanation, Floor, Place, explain};
use recast::{AreaId, Scratch, Settings, TileBuild};
use serde::Serialize;
use std::fmt::Write;

pub(crate) fn run(args: &ExplainArgs) -> Result<Answer, Failure> {
    let source = level::open(&args.source)?;
    let Ready { levels, warnings, title, .. } = source.prepare()?;
    // Of several agents, the first, unless one was chosen.
    let prepared = &levels[0];
    let progress = Progress::of_stages(1);
    let result = explain(prepared, &TileBuild::solo(prepared), args.at, &progress, &mut Scratch::new());
    progress.finish();
    let explanation = result.map_err(|error| level::failed(&title, &error))?;
    let told = Told::of(&explanation, &prepared.config.settings, warnings);
    if args.json {
        report::print_json(&told)?;
    } else {
        report::print(&told.text())?;
        told.warnings.iter().for_each(|warning| report::warn(warning));
    }
    Ok(if explanation.polygon().is_some() { Answer::Yes } else { Answer::No })
}

/// What became of a place, as one JSON object. Metres.
#[derive(Serialize)]
struct Told {
    at: [f64; 3],
    /// Whether there is mesh near the place.
    mesh: bool,
    /// One sentence.
    reason: String,
    /// The column of the lattice, cells along x and z; null outside what is baked.
    column: Option<[i64; 2]>,
    /// Polygons that cover the place seen from above, the nearest in height first.
    polygons: Vec<ToldPolygon>,
    /// Floors of the column, the nearest in height first.
    floors: Vec<ToldFloor>,
    /// Floors of the column that are too far above or below to be told.
    other_floors: usize,
    /// Distance to the nearest column with geometry, if this one has none.
    nearest_geometry: Option<f64>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ToldPolygon {
    polygon: usize,
    area: ToldArea,
    flags: u32,
    height: f64,
}

#[derive(Clone, Serialize)]
struct ToldArea {
    id: u8,
    name: String,
}

#[derive(Serialize)]
struct ToldFloor {
    height: f64,
    /// How far above the place; negative below it.
    above: f64,
    /// Null under the open sky.
    clearance: Option<f64>,
    area: Option<ToldArea>,
    buried: bool,
    stepped_over: Option<f64>,
    region: Option<u32>,
    /// The polygon of the mesh that covers it.
    polygon: Option<usize>,
    /// Why it is not part of the mesh; null if it is.
    cause: Option<ToldCause>,
}

#[derive(Serialize)]
struct ToldCause {
    name: &'static str,
    stage: &'static str,
    message: String,
    remedy: &'static str,
    comparison: Option<ToldComparison>,
}

/// Two numbers that decided.
#[derive(Serialize)]
struct ToldComparison {
    what: &'static str,
    found: f64,
    limit: f64,
    unit: &'static str,
    setting: &'static str,
}

impl Told {
    fn of(explanation: &Explanation, settings: &Settings, warnings: Vec<String>) -> Told {
        let at = explanation.at;
        let mut told = Told {
            at,
            mesh: explanation.polygon().is_some(),
            reason: String::new(),
            column: None,
            polygons: Vec::new(),
            floors: Vec::new(),
            other_floors: 0,
            nearest_geometry: None,
            warnings,
        };
        match &explanation.place {
            Place::Outside { baked: [[x0, x1], [z0, z1]] } => {
                told.reason = format!(
                    "the place lies outside what is baked: x from {x0:.2} to {x1:.2}, z from {z0:.2} to {z1:.2}"
                );
            }
            Place::Column(column) => told.take(column, settings),
        }
        told
    }

    fn take(&mut self, column: &Column, settings: &Settings) {
        self.column = Some(column.cell);
        self.polygons = column
            .polygons
            .iter()
            .map(|covering| ToldPolygon {
                polygon: covering.polygon,
                area: area(covering.area, settings),
                flags: covering.flags,
                height: metres(covering.height),
            })
            .collect();
        let floor = |floor| told_floor(floor, column, self.at[1], settings);
        self.floors = column.floors.iter().map(floor).collect();
        self.other_floors = column.other_floors;
        self.nearest_geometry = column.nearest_geometry.map(metres);
        self.reason = match (self.polygons.first(), self.floors.first()) {
            (Some(ToldPolygon { polygon, area, height, .. }), _) if self.mesh => {
                format!("polygon {polygon} of area {} is there, at height {height:.2}", area.name)
            }
            (_, Some(ToldFloor { cause: Some(cause), buried: true, height, .. })) => {
                format!(
                    "the place is inside a solid that ends at height {height:.2}; its top is {}",
                    cause.message
                )
            }
            (_, Some(ToldFloor { cause: Some(cause), .. })) => cause.message.clone(),
            (_, Some(floor)) => format!("the nearest floor is part of the mesh, but {}", apart(floor.above)),
            (_, None) => match column.nearest_geometry {
                Some(distance) => {
                    format!("the level has no geometry there; the nearest is {distance:.2} m away")
                }
                None => "the level has no geometry there".to_owned(),
            },
        };
    }

    fn text(&self) -> String {
        let [x, y, z] = self.at;
        let answer = if self.mesh { "yes" } else { "no" };
        let mut lines =
            vec![("place", format!("{x}, {y}, {z}")), ("mesh", format!("{answer}: {}", self.reason))];
        for floor in &self.floors {
            lines.push(("floor", floor.text()));
            if let Some(cause) = &floor.cause {
                let stage = cause.stage.replace('_', " ");
                lines.push(("", format!("dropped by {stage}: {}", cause.message)));
                lines.push(("", format!("to change that, {}", cause.remedy)));
            }
        }
        match self.other_floors {
            0 => {}
            1 => lines.push(("others", "1 floor further above or below".to_owned())),
            count => lines.push(("others", format!("{count} floors further above or below"))),
        }
        let mut text = String::new();
        for (name, line) in lines {
            writeln!(text, "{name:<10} {line}").expect("writing to a String cannot fail");
        }
        text
    }
}

impl ToldFloor {
    /// The floor in one line: where it is, and what it came to.
    fn text(&self) -> String {
        let mut text = format!("at height {:.2}, {}", self.height, apart(self.above));
        if self.buried {
            text.push_str("; the place is inside the solid below it");
        }
        if let Some(clearance) = self.clearance {
            write!(text, "; {clearance:.2} m of space above").expect("writing to a String cannot fail");
        }
        if let Some(step) = self.stepped_over {
            write!(text, "; too steep, but kept as a step of {step:.2} m")
                .expect("writing to a String cannot fail");
        }
        match (&self.area, self.polygon, &self.cause) {
            (Some(area), Some(polygon), None) => write!(text, "; area {}, in polygon {polygon}", area.name),
            (_, Some(polygon), Some(_)) => {
                write!(text, "; dropped, yet polygon {polygon} covers it, as outlines are simplified")
            }
            _ => Ok(()),
        }
        .expect("writing to a String cannot fail");
        text
    }
}

fn told_floor(floor: &Floor, column: &Column, at: f64, settings: &Settings) -> ToldFloor {
    ToldFloor {
        height: metres(floor.height),
        above: metres(floor.height - at),
        clearance: floor.clearance.map(metres),
        area: floor.area.is_walkable().then(|| area(floor.area, settings)),
        buried: floor.buried,
        stepped_over: floor.stepped_over.map(metres),
        region: floor.region,
        polygon: floor.polygon.map(|index| column.polygons[index].polygon),
        cause: floor.cause.as_ref().map(|cause| told_cause(cause, settings)),
    }
}

fn told_cause(cause: &Cause, settings: &Settings) -> ToldCause {
    let mut message = cause.to_string();
    if let Cause::Volume { index } = cause {
        let count = settings.volumes.len();
        // People count from 1, machines from 0 as the settings do.
        message = format!("a volume makes it unwalkable: number {} of {count}", index + 1);
    }
    ToldCause {
        name: cause.name(),
        stage: cause.stage().name(),
        message,
        remedy: cause.remedy(),
        comparison: cause.comparison().map(|comparison| ToldComparison {
            what: comparison.what,
            found: metres(comparison.found),
            limit: metres(comparison.limit),
            unit: comparison.unit,
            setting: comparison.setting,
        }),
    }
}

fn area(id: AreaId, settings: &Settings) -> ToldArea {
    ToldArea { id: id.0, name: settings.area(id).name }
}

fn apart(above: f64) -> String {
    match above {
        _ if above.abs() < 0.005 => "at the place".to_owned(),
        _ if above > 0.0 => format!("{above:.2} m above the place"),
        _ => format!("{:.2} m below the place", -above),
    }
}

/// Without the noise of sums in binary: six digits behind the point.
fn metres(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
