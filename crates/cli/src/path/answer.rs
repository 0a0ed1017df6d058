//! The answer to one path query, as text and as JSON.

use crate::inspect::place;
use crate::report;
use navdraw::number::counted;
use serde::Serialize;

/// The status of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    /// It reaches the goal.
    Complete,
    /// The search gave up early; the path is incomplete.
    Partial,
    /// Both ends are on the mesh, but not connected; the path gets as near as possible.
    Unreachable,
    /// An end is not on the mesh.
    NotOnMesh,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::Partial => "partial",
            Status::Unreachable => "unreachable",
            Status::NotOnMesh => "none: an end is not on the mesh",
        }
    }
}

/// The leg of a path from one of its points to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Leg {
    /// Over the ground.
    Ground,
    /// Over an off-mesh link.
    OffMesh {
        /// The number that the level's author or the bake gave the link.
        user_id: u64,
        /// The kind of a generated link; null for others.
        generated: Option<&'static str>,
        /// The id of its area.
        area: u8,
    },
}

impl Leg {
    /// The words after the point where it starts.
    fn text(&self) -> String {
        match self {
            Leg::Ground => String::new(),
            Leg::OffMesh { generated: Some(kind), .. } => format!("  {kind} to the next point"),
            Leg::OffMesh { user_id, .. } => format!("  off-mesh link {user_id} to the next point"),
        }
    }
}

/// The answer to one query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PathAnswer {
    pub(super) status: Status,
    /// Metres along the points, in space.
    pub(super) length: f32,
    /// Metres along the points as seen from above.
    pub(super) length_from_above: f32,
    /// Its cost by areas and slopes; metres if a metre costs 1.
    pub(super) cost: f64,
    /// World metres, rounded to a micrometre.
    pub(super) points: Vec<[f64; 3]>,
    /// From each point to the next: one less than the number of points.
    pub(super) legs: Vec<Leg>,
    /// Number of polygons on the path.
    pub(super) polygons: usize,
    /// Distance from the start to its place on the mesh, metres; null if there is no such place.
    pub(super) from_moved: Option<f32>,
    /// Distance from the goal to its place on the mesh, metres; null if there is no such place.
    pub(super) to_moved: Option<f32>,
    /// The reason why the path is not complete; null if it is.
    pub(super) reason: Option<String>,
}

impl PathAnswer {
    /// An answer without a path.
    pub(super) fn not_on_mesh(from_moved: Option<f32>, to_moved: Option<f32>, reason: String) -> PathAnswer {
        PathAnswer {
            status: Status::NotOnMesh,
            length: 0.0,
            length_from_above: 0.0,
            cost: 0.0,
            points: Vec::new(),
            legs: Vec::new(),
            polygons: 0,
            from_moved,
            to_moved,
            reason: Some(reason),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut lines = vec![("path", self.status.name().to_owned())];
        lines.extend(self.reason.clone().map(|reason| ("reason", reason)));
        if !self.points.is_empty() {
            lines.push((
                "length",
                format!(
                    "{:.3} m over {}, {:.3} m as seen from above",
                    self.length,
                    counted(self.polygons, "polygon"),
                    self.length_from_above
                ),
            ));
        }
        for (name, moved) in [("from", self.from_moved), ("to", self.to_moved)] {
            // Less than a millimetre is a rounding error.
            if let Some(moved) = moved.filter(|moved| *moved >= 0.001) {
                lines.push((name, format!("moved {moved:.3} m onto the mesh")));
            }
        }
        for (number, point) in self.points.iter().enumerate() {
            let over = self.legs.get(number).map_or_else(String::new, Leg::text);
            lines.push(("point", place(*point) + &over));
        }
        report::columns(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_promised_keys() {
        let answer = PathAnswer::not_on_mesh(None, Some(0.5), "why".to_owned());
        let json = serde_json::to_value(&answer).unwrap();
        assert_eq!(json["status"], "not-on-mesh");
        assert_eq!(
            (&json["length"], &json["polygons"], &json["reason"]),
            (&0.0.into(), &0.into(), &"why".into())
        );
        assert!(json["points"].as_array().unwrap().is_empty() && json["from_moved"].is_null());
        assert_eq!(
            answer.text(),
            "path       none: an end is not on the mesh\nreason     why\nto         moved 0.500 m onto the mesh\n"
        );
    }
}
