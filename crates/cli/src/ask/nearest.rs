//! `navtile nearest`: the ground nearest to a place, with its area and island.

use super::{AskArgs, Asker, Miss};
use crate::failure::{Answer, Failure};
use crate::report::{self, rounded};
use crate::{mesh, values};
use clap::Args;
use detour::{Filter, Islands, Nearest};
use navdraw::number::square_metres;
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(crate) struct NearestArgs {
    #[command(flatten)]
    ask: AskArgs,
    /// The place, metres.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point)]
    at: [f64; 3],
}

pub(crate) fn run(args: &NearestArgs) -> Result<Answer, Failure> {
    let loaded = mesh::load(&args.ask.file)?;
    let mut asker = Asker::new(&loaded, &args.ask)?;
    match asker.snap("place", args.at) {
        Ok(nearest) => {
            let found = Found::new(&asker, &nearest)?;
            report::answer(args.ask.json, &found.json(), || found.text())?;
            Ok(Answer::Yes)
        }
        Err(miss) => {
            report::answer(args.ask.json, &missed(&miss), || {
                report::columns([("nearest", "none".to_owned()), ("reason", miss.reason.clone())])
            })?;
            Ok(Answer::No)
        }
    }
}

/// The ground that was found, world metres.
struct Found<'a> {
    point: [f64; 3],
    nearest: &'a Nearest,
    flags: u32,
    area: u8,
    area_name: &'a str,
    /// The number of its island, from 1, the largest first, as `navtile info` lists them.
    island: Option<usize>,
    island_area: f64,
}

impl<'a> Found<'a> {
    fn new(asker: &Asker<'a>, nearest: &'a Nearest) -> Result<Found<'a>, Failure> {
        let (mesh, meta) = (&asker.loaded.mesh, &asker.loaded.meta);
        let attributes = mesh
            .attributes(nearest.polygon)
            .map_err(|error| Failure::circumstances(format!("the polygon found: {error}")))?;
        let islands = Islands::by_ground(mesh, &Filter::default());
        let island = islands.of(nearest.polygon);
        Ok(Found {
            point: mesh.to_world(nearest.point).map(rounded),
            nearest,
            flags: attributes.flags,
            area: attributes.area,
            area_name: meta
                .areas
                .iter()
                .find(|area| area.id == attributes.area)
                .map_or("without a name", |area| &area.name),
            island: island.map(|number| number + 1),
            island_area: island.map_or(0.0, |number| islands.list()[number].area),
        })
    }

    fn text(&self) -> String {
        let [x, y, z] = self.point;
        let distance = format!("{:.3} m", self.nearest.distance);
        let how = if self.nearest.over_polygon {
            format!("{distance}, straight below or above")
        } else {
            format!("{distance}, {:.3} m as seen from above", self.nearest.horizontal_distance)
        };
        let mut lines = vec![
            ("nearest", format!("{x:.3}, {y:.3}, {z:.3}")),
            ("distance", how),
            ("area", format!("{} ({}), flags {:#x}", self.area_name.escape_debug(), self.area, self.flags)),
        ];
        let island = |number| format!("{number}, {}", square_metres(self.island_area));
        lines.extend(self.island.map(|number| ("island", island(number))));
        report::columns(lines)
    }

    fn json(&self) -> Value {
        json!({
            "found": true,
            "point": self.point,
            "distance": rounded(self.nearest.distance.into()),
            "distance_from_above": rounded(self.nearest.horizontal_distance.into()),
            "straight_below_or_above": self.nearest.over_polygon,
            "area": { "id": self.area, "name": self.area_name },
            "flags": self.flags,
            "island": self.island,
            "island_area_m2": self.island.map(|_| rounded(self.island_area)),
            "reason": Value::Null,
        })
    }
}

/// The answer without ground in reach: `nearest` is the nearest ground at any distance.
fn missed(miss: &Miss) -> Value {
    json!({
        "found": false,
        "reason": miss.reason,
        "nearest": miss.nearest.map(|(point, distance)| json!({
            "point": point.map(rounded), "distance": rounded(distance.into()),
        })),
    })
}
