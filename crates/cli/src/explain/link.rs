//! The answer of `navtile explain --link --from --to`, for people and for machines.

use super::names::json_of;
use crate::failure::{Answer, Failure};
use crate::progress::Progress;
use crate::report::{self, columns, rounded};
use crate::source::{self, PreparedLevels};
use navbake::Names;
use navbake::sentences::place_words as place;
use recast::Scratch;
use recast::explain::{LinkExplanation, LinkVerdict, explain_link};
use serde_json::{Value, json};

/// Explains the links between two places; exit status 1 if there is none.
pub(super) fn run(
    prepared: &PreparedLevels,
    names: &Names<'_>,
    ends: [[f64; 3]; 2],
    as_json: bool,
) -> Result<Answer, Failure> {
    if names.prepared.config.settings.links.is_empty() {
        return Err(Failure::call(
            "--link: the settings have no profile of links, so that no bake finds any".to_owned(),
        )
        .help("give a settings file with `[[links]]`: -c settings.toml"));
    }
    let progress = Progress::of_stages(1);
    let explained = explain_link(names.prepared, ends, &progress, &mut Scratch::new());
    progress.finish();
    let explained = explained.map_err(|error| source::failed(&prepared.title, &error))?;
    let answer = ExplainedLink { ends, explained: &explained, names };
    let (json, warnings) = (answer.json(&prepared.warnings), &prepared.warnings);
    report::answer_warned(as_json, &json, || answer.text(), warnings)?;
    Ok(if answer.is_linked() { Answer::Yes } else { Answer::No })
}

struct ExplainedLink<'a> {
    ends: [[f64; 3]; 2],
    explained: &'a [LinkExplanation],
    names: &'a Names<'a>,
}

impl ExplainedLink<'_> {
    fn is_linked(&self) -> bool {
        self.explained.iter().any(|each| matches!(each.verdict, LinkVerdict::Linked { .. }))
    }

    fn text(&self) -> String {
        let [from, to] = self.ends.map(place);
        let answer = if self.is_linked() { "yes" } else { "no" };
        let mut lines = vec![("from", from), ("to", to), ("link", answer.to_owned())];
        lines.extend(self.explained.iter().map(|each| (each.kind.name(), self.sentence(each))));
        columns(lines)
    }

    /// A verdict with the profile, and what stands in the way by name.
    fn sentence(&self, each: &LinkExplanation) -> String {
        let mut names = Vec::new();
        if let LinkVerdict::Blocked { top, .. } = each.verdict {
            names = self.names.texts(self.names.at(top));
        }
        let names = if names.is_empty() { String::new() } else { format!("; {}", names.join(" and ")) };
        format!("links[{}]: {}{names}", each.profile, each.verdict)
    }

    fn json(&self, warnings: &[String]) -> Value {
        let links: Vec<Value> = self.explained.iter().map(|each| self.one(each)).collect();
        json!({
            "from": self.ends[0],
            "to": self.ends[1],
            "link": self.is_linked(),
            "links": links,
            "warnings": warnings,
        })
    }

    /// One profile; numbers by what they measure, and `null` for those that a verdict has none of.
    fn one(&self, each: &LinkExplanation) -> Value {
        let (mut found, mut range, mut at, mut names) = (None, None, None, None);
        let (mut way, mut length, mut worth, mut by) = (None, None, None, None);
        match each.verdict {
            LinkVerdict::Linked { ends } => by = Some(ends),
            LinkVerdict::Distance { found: metres, range: allowed }
            | LinkVerdict::Height { found: metres, range: allowed } => {
                (found, range) = (Some(rounded(metres)), Some(allowed));
            }
            LinkVerdict::Blocked { place, top, .. } => {
                (at, names) = (Some(place.map(rounded)), Some(json_of(self.names.at(top))));
            }
            LinkVerdict::OnFoot { way: metres, length: own, worth: times } => {
                (way, length, worth) = (Some(rounded(metres)), Some(rounded(own)), Some(times));
            }
            LinkVerdict::ByLink { ends, way: metres, length: own, worth: times } => {
                (way, length, worth, by) =
                    (Some(rounded(metres)), Some(rounded(own)), Some(times), Some(ends));
            }
            _ => {}
        }
        json!({
            "kind": each.kind.name(),
            "profile": each.profile,
            "name": each.verdict.name(),
            "message": each.verdict.to_string(),
            "found": found,
            "range": range,
            "place": at,
            "names": names,
            "way_m": way,
            "length_m": length,
            "worth": worth,
            "by": by.map(|ends| ends.map(|end| end.map(rounded))),
        })
    }
}
