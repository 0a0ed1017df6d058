//! The answer of `navtile explain --link --from --to` or `--link --at`, as text and as JSON.

use super::names::{ending, json_of};
use crate::failure::{Answer, Failure};
use crate::progress::Progress;
use crate::report::{self, columns, rounded};
use crate::source::{self, PreparedLevels};
use navbake::Names;
use navexplain::{LinkExplanation, ReasonCode, explain_link, explain_links_from, place_words as place};
use recast::Scratch;
use serde_json::{Value, json};

/// Explains the links from a place to another, or to anywhere; exit status 1 without a link.
pub(super) fn run(
    prepared: &PreparedLevels,
    names: &Names<'_>,
    (from, to): ([f64; 3], Option<[f64; 3]>),
    as_json: bool,
) -> Result<Answer, Failure> {
    if names.prepared.config.settings.links.is_empty() {
        return Err(Failure::call(
            "--link: the settings have no profile of links, so a bake does not generate any".to_owned(),
        )
        .help("give a settings file with `[[links]]`: -c settings.toml"));
    }
    let progress = Progress::of_stages(1);
    let scratch = &mut Scratch::new();
    let explained = match to {
        Some(to) => explain_link(names.prepared, [from, to], &progress, scratch),
        None => explain_links_from(names.prepared, from, &progress, scratch),
    };
    progress.finish();
    let explained = explained.map_err(|error| source::failed(&prepared.title, &error))?;
    let answer = ExplainedLink { from, to, explained: &explained, names };
    let (json, warnings) = (answer.json(&prepared.warnings), &prepared.warnings);
    report::answer_warned(as_json, &json, || answer.text(), warnings)?;
    Ok(if answer.is_linked() { Answer::Yes } else { Answer::No })
}

struct ExplainedLink<'a> {
    from: [f64; 3],
    to: Option<[f64; 3]>,
    explained: &'a [LinkExplanation],
    names: &'a Names<'a>,
}

impl ExplainedLink<'_> {
    fn is_linked(&self) -> bool {
        self.explained.iter().any(LinkExplanation::is_linked)
    }

    fn text(&self) -> String {
        let answer = if self.is_linked() { "yes" } else { "no" };
        let mut lines = vec![("from", place(self.from))];
        lines.extend(self.to.map(|to| ("to", place(to))));
        lines.push(("link", answer.to_owned()));
        lines.extend(self.explained.iter().map(|each| (each.kind.name(), self.sentence(each))));
        columns(lines)
    }

    /// A reason with the profile, the end of the link if the command did not give it, and the names of
    /// obstacles.
    fn sentence(&self, each: &LinkExplanation) -> String {
        let names = match each.reason.code {
            ReasonCode::Blocked(top) | ReasonCode::NoRoom(top) => self.names.texts(self.names.at(top)),
            _ => Vec::new(),
        };
        let is_open = self.to.is_none() && !each.is_linked();
        let ends = each
            .ends
            .filter(|_| is_open)
            .map_or_else(String::new, |[start, end]| format!("from {} to {}: ", place(start), place(end)));
        format!("links[{}]: {ends}{}{}", each.profile, each.reason, ending(&names))
    }

    fn json(&self, warnings: &[String]) -> Value {
        let links: Vec<Value> = self.explained.iter().map(|each| self.one(each)).collect();
        json!({
            "from": self.from,
            "to": self.to,
            "link": self.is_linked(),
            "links": links,
            "warnings": warnings,
        })
    }

    /// One profile, with numbers by the names of their measures, and `null` for measures that the reason does
    /// not have.
    fn one(&self, each: &LinkExplanation) -> Value {
        let reason = &each.reason;
        let (mut range, mut names, mut worth, mut by) = (None, None, None, None);
        match reason.code {
            ReasonCode::Distance(least) | ReasonCode::Height(least) => {
                range = Some([Some(least), reason.limit])
            }
            ReasonCode::Blocked(top) | ReasonCode::NoRoom(top) => names = Some(json_of(self.names.at(top))),
            ReasonCode::Linked(ends) => by = Some(ends),
            ReasonCode::OnFoot(times) => worth = Some(times),
            ReasonCode::ByLink(times, ends) => (worth, by) = (Some(times), Some(ends)),
            _ => {}
        }
        let [found, length] = [reason.found, reason.limit].map(|metres| metres.map(rounded));
        let ends = |ends: Option<[[f64; 3]; 2]>| ends.map(|ends| ends.map(|end| end.map(rounded)));
        json!({
            "kind": each.kind.name(),
            "profile": each.profile,
            "name": reason.name(),
            "message": reason.to_string(),
            "ends": ends(each.ends),
            "found": range.and(found),
            "range": range,
            "place": reason.place.map(|place| place.map(rounded)),
            "names": names,
            "way_m": worth.and(found),
            "length_m": worth.and(length),
            "worth": worth,
            "by": ends(by),
        })
    }
}
