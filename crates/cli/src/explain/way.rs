//! The answer of `navtile explain --from --to`, as text and as JSON.

use super::names::{ending, json_of};
use crate::failure::{Answer, Failure};
use crate::progress::Progress;
use crate::report::{self, columns, rounded};
use crate::source::{self, PreparedLevels};
use navbake::Names;
use navbake::sentences::{change_words, way_reason};
use navexplain::{Break, Change, Reason, WayExplanation, explain_way, place_words as place};
use recast::Scratch;
use serde_json::{Value, json};

/// Explains the path between two places; exit status 1 without a path.
pub(super) fn run(
    prepared: &PreparedLevels,
    names: &Names<'_>,
    ends: [[f64; 3]; 2],
    as_json: bool,
) -> Result<Answer, Failure> {
    // The number of bakes depends on what is found.
    let progress = Progress::hidden();
    let way = explain_way(names.prepared, ends, &progress, &mut Scratch::new())
        .map_err(|error| source::failed(&prepared.title, &error))?;
    let answer = ExplainedWay { way: &way, names };
    let (json, warnings) = (answer.json(&prepared.warnings), &prepared.warnings);
    report::answer_warned(as_json, &json, || answer.text(), warnings)?;
    Ok(if way.joined { Answer::Yes } else { Answer::No })
}

struct ExplainedWay<'a> {
    way: &'a WayExplanation,
    names: &'a Names<'a>,
}

impl ExplainedWay<'_> {
    /// The answer in one sentence.
    fn reason(&self) -> String {
        way_reason(self.way, "`navtile explain --at`")
    }

    fn text(&self) -> String {
        let way = self.way;
        let [from, to] = way.ends.map(place);
        let answer = if way.joined { "yes" } else { "no" };
        let mut lines = vec![("from", from), ("to", to), ("way", format!("{answer}: {}", self.reason()))];
        for each in &way.breaks {
            let [start, end] = each.ends;
            let apart = (0..3).map(|axis| (end[axis] - start[axis]).powi(2)).sum::<f64>().sqrt();
            lines.push(("break", format!("{} to {}, {apart:.2} m apart", place(start), place(end))));
            lines.extend(each.blockers.iter().map(|blocker| ("", self.blocker(blocker))));
        }
        if !way.breaks.is_empty() {
            lines.extend(
                self.remedies()
                    .into_iter()
                    .enumerate()
                    .map(|(index, text)| (if index == 0 { "remedy" } else { "or" }, text)),
            );
        }
        columns(lines)
    }

    /// A blocker in one line, with its place and its name.
    fn blocker(&self, blocker: &Reason) -> String {
        let at = blocker.place.unwrap_or_default();
        format!("{blocker}, at {}{}", place(at), ending(&self.names.texts(self.names.at(at))))
    }

    /// Changes that connect the places. Each was baked, and had the path.
    fn remedies(&self) -> Vec<String> {
        let mut remedies = Vec::new();
        for changes in self.way.remedy.iter().chain(&self.way.connections) {
            let words: Vec<String> = changes.iter().map(change_words).collect();
            remedies.push(format!("{} (a bake with it has the path)", words.join(" and ")));
        }
        if remedies.is_empty() {
            remedies.push("none found: change the geometry there".to_owned());
        }
        remedies
    }

    fn json(&self, warnings: &[String]) -> Value {
        let way = self.way;
        let changes = |changes: &Option<Vec<Change>>| {
            changes.as_ref().map(|changes| changes.iter().map(change_json).collect::<Vec<_>>())
        };
        let broken = |each: &Break| {
            let blocker = |blocker: &Reason| {
                json!({
                    "name": blocker.name(),
                    "message": blocker.to_string(),
                    "place": blocker.place.map(|place| place.map(rounded)),
                    "found": blocker.found.map(rounded),
                    "limit": blocker.limit.map(rounded),
                    "names": blocker.place.map(|place| json_of(self.names.at(place))),
                })
            };
            json!({
                "from": each.ends[0].map(rounded),
                "to": each.ends[1].map(rounded),
                "blockers": each.blockers.iter().map(blocker).collect::<Vec<_>>(),
            })
        };
        json!({
            "from": way.ends[0],
            "to": way.ends[1],
            "on_mesh": way.on_mesh,
            "way": way.joined,
            "returns": way.returns,
            "reason": self.reason(),
            "breaks": way.breaks.iter().map(broken).collect::<Vec<_>>(),
            "remedy": changes(&way.remedy),
            "connections": changes(&way.connections),
            "warnings": warnings,
        })
    }
}

pub(super) fn change_json(change: &Change) -> Value {
    match *change {
        Change::Setting { path, value } => json!({ "setting": path, "value": rounded(value) }),
        Change::Choice { path, name } => json!({ "setting": path, "value": name }),
        Change::BothWays { index } => json!({ "both_ways": index }),
        Change::NoVolume { index } => json!({ "remove_volume": index }),
        Change::Connection { start, end, radius } => {
            json!({ "start": start.map(rounded), "end": end.map(rounded), "radius": radius })
        }
        _ => Value::Null,
    }
}
