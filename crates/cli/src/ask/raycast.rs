//! `navtile raycast`: the free distance straight ahead.

use super::{AskArgs, Asker, BetweenArgs};
use crate::failure::{Answer, Failure};
use crate::mesh;
use crate::report::{self, rounded};
use clap::Args;
use detour::{Ray, RayEnd, Vec3};
use navdraw::number::counted;
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(crate) struct RaycastArgs {
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    between: BetweenArgs,
}

pub(crate) fn run(args: &RaycastArgs) -> Result<Answer, Failure> {
    let loaded = mesh::load(&args.ask.file)?;
    let mut asker = Asker::new(&loaded, &args.ask)?;
    let start = match asker.snap("start", args.between.from) {
        Ok(start) => start,
        Err(miss) => {
            report::answer(
                args.ask.json,
                &json!({ "status": "not-on-mesh", "reason": miss.reason }),
                || report::columns([("ray", "none".to_owned()), ("reason", miss.reason.clone())]),
            )?;
            return Ok(Answer::No);
        }
    };
    let (mut ray, goal) = (Ray::default(), loaded.mesh.from_world(args.between.to));
    asker
        .query
        .raycast(&loaded.mesh, start.place(), goal, &asker.filter, &mut ray)
        .map_err(|error| Failure::circumstances(format!("the ray could not be cast: {error}")))?;
    let cast = Cast {
        start: loaded.mesh.to_world(start.point).map(rounded),
        end: loaded.mesh.to_world(ray.point).map(rounded),
        moved: start.distance,
        flat_length: ray.point.with_y(0.0).distance(start.point.with_y(0.0)),
        ray,
    };
    report::answer(args.ask.json, &cast.json(), || cast.text())?;
    Ok(if cast.ray.is_clear() { Answer::Yes } else { Answer::No })
}

/// A ray that was cast, world metres.
struct Cast {
    start: [f64; 3],
    end: [f64; 3],
    /// Distance from the start to its place on the mesh.
    moved: f32,
    flat_length: f32,
    ray: Ray,
}

impl Cast {
    fn status(&self) -> &'static str {
        match self.ray.end {
            RayEnd::Goal => "clear",
            RayEnd::Wall { .. } => "wall",
            RayEnd::OutOfNodes => "out-of-nodes",
        }
    }

    /// Horizontal and away from the wall, into the ground.
    fn normal(&self) -> Option<Vec3> {
        match self.ray.end {
            RayEnd::Wall { normal, .. } => Some(normal),
            RayEnd::Goal | RayEnd::OutOfNodes => None,
        }
    }

    fn text(&self) -> String {
        let [x, y, z] = self.end;
        let percent = self.ray.fraction * 100.0;
        let status = match self.ray.end {
            RayEnd::Goal => "clear up to the goal".to_owned(),
            RayEnd::Wall { .. } => {
                format!("a wall, or an area that is closed, after {percent:.1} % of the line")
            }
            RayEnd::OutOfNodes => format!("given up after {percent:.1} % of the line: too many polygons"),
        };
        let mut lines = vec![
            ("ray", status),
            (
                "length",
                format!(
                    "{:.3} m as seen from above, over {}",
                    self.flat_length,
                    counted(self.ray.polygons.len(), "polygon")
                ),
            ),
            ("end", format!("{x:.3}, {y:.3}, {z:.3}")),
        ];
        lines.extend(self.normal().map(|normal| ("normal", format!("{:.3}, 0, {:.3}", normal.x, normal.z))));
        // Less than a millimetre is a rounding error.
        if self.moved >= 0.001 {
            lines.push(("from", format!("moved {:.3} m onto the mesh", self.moved)));
        }
        report::columns(lines)
    }

    fn json(&self) -> Value {
        json!({
            "status": self.status(),
            "fraction": rounded(self.ray.fraction),
            "start": self.start,
            "end": self.end,
            "length_from_above": rounded(self.flat_length.into()),
            "normal": self.normal().map(|normal| normal.to_array().map(|axis| rounded(axis.into()))),
            "polygons": self.ray.polygons.len(),
            "cost": self.ray.cost.is_finite().then(|| rounded(self.ray.cost)),
            "from_moved": rounded(self.moved.into()),
            "reason": Value::Null,
        })
    }
}
