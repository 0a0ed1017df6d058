//! Figures of crowds as lines of tables, and the tables as parts of a document.

use crate::contender::Standing;
use crate::walkers::CrowdsError;
use crowdlab::scenario::Flow;
use oracle::document;

/// The head of the table of random walks.
pub(crate) const WALKS: &str = "\
| level | crowd | µs an agent and step | speed | arrived | mean delay, s | worst overlap, radii | in others, s | off the mesh | jerk, m/s |
|---|---|---|---|---|---|---|---|---|---|";

/// The head of the table of scenarios.
pub(crate) const SCENARIOS: &str = "\
| scenario | crowd | speed | arrived | mean delay, s | worst overlap, radii | in others, s | off the mesh | jerk, m/s | a second and metre |
|---|---|---|---|---|---|---|---|---|---|";

/// A line for each crowd that walked between random places; speed in multiples of DetourCrowd's.
pub(crate) fn walks(level: &str, standings: &[Standing]) -> Vec<String> {
    let line = |index: usize, standing: &Standing| {
        let cost = standing.cost;
        let (name, level) = (standing.name, if index == 0 { level } else { "" });
        let (speed, figures) = (speed(standing, standings), figures(standing));
        format!("| {level} | {name} | {cost:.2} | {speed} | {figures} |")
    };
    standings.iter().enumerate().map(|(index, standing)| line(index, standing)).collect()
}

/// A line for each crowd that went through a scenario.
pub(crate) fn scenario(title: &str, standings: &[Standing]) -> Vec<String> {
    let line = |index: usize, standing: &Standing| {
        let (name, title) = (standing.name, if index == 0 { title } else { "" });
        let (speed, figures) = (speed(standing, standings), figures(standing));
        let flow = standing.flows.first().map_or(String::new(), rate);
        format!("| {title} | {name} | {speed} | {figures} | {flow} |")
    };
    standings.iter().enumerate().map(|(index, standing)| line(index, standing)).collect()
}

fn rate(flow: &Flow) -> String {
    if flow.rate > 0.0 { format!("{:.2}", flow.rate) } else { String::new() }
}

/// In multiples of DetourCrowd's.
fn speed(standing: &Standing, standings: &[Standing]) -> String {
    let theirs = standings.iter().find(|standing| standing.name == crate::theirs::NAME);
    let times = theirs.filter(|_| standing.cost > 0.0).map(|theirs| theirs.cost / standing.cost);
    times.map_or(String::new(), |times| format!("{times:.2}"))
}

fn figures(standing: &Standing) -> String {
    let Standing { sent, arrived, delay, overlap, merged, left_mesh, jerk, .. } = standing;
    if *sent == 0 {
        return format!(" | | {overlap:.3} | {merged:.1} | {left_mesh} | {jerk:.4}");
    }
    let share = *arrived as f64 / *sent as f64 * 100.0;
    let delay = delay.map_or(String::new(), |delay| format!("{delay:.2}"));
    format!("{share:.1} % | {delay} | {overlap:.3} | {merged:.1} | {left_mesh} | {jerk:.4}")
}

/// Puts a table into a document, between its marks.
pub(crate) fn put(text: &str, path: &str, mark: &str, lines: &[String]) -> Result<String, CrowdsError> {
    document::put(text, mark, lines).map_err(|[from, to]| CrowdsError::Document(path.to_owned(), from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_what_stands_between_its_marks() {
        let text = "a\n<!-- walks -->\nold\n<!-- /walks -->\nb";
        let put = |mark: &str| put(text, "x.md", mark, &["| new |".to_owned()]);
        assert_eq!(put("walks").unwrap(), "a\n<!-- walks -->\n\n| new |\n\n<!-- /walks -->\nb");
        assert!(put("others").unwrap_err().to_string().starts_with("x.md has no <!-- others -->"));
    }
}
