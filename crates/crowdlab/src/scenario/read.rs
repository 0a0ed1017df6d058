//! Reads a `crowd.toml`.

use super::error::{ScenarioError, ScenarioProblem};
use super::limits::Wrong;
use super::plan::Scenario;
use navmath::sort::SharedSort;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

impl Scenario {
    /// Reads a scenario from its text.
    ///
    /// ```
    /// use crowdlab::scenario::Scenario;
    ///
    /// let error = Scenario::read("seconds = 10\nrat = 60").unwrap_err().to_string();
    /// assert!(error.starts_with("line 2: unknown field `rat`, expected one of `seconds`, `rate`"));
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError::Text`]: the first unknown key or value of a wrong type; else all numbers that are out
    /// of range, and all names that refer to nothing.
    pub fn read(text: &str) -> Result<Scenario, ScenarioError> {
        let scenario: Scenario = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let what = error.message().trim_end().replace('\n', ", ");
            ScenarioError::Text(vec![problem(&line_ends(text), span, what)])
        })?;
        let wrong = scenario.wrong();
        if wrong.is_empty() {
            return Ok(scenario);
        }
        // Computed once, because every line may have a fault.
        let lines = line_ends(text);
        let document = DeTable::parse(text).map(Spanned::into_inner).unwrap_or_default();
        let located = |Wrong { path, what }: Wrong| {
            problem(&lines, span_of(&document, &path), format!("`{path}` {what}"))
        };
        let mut problems: Vec<ScenarioProblem> = wrong.into_iter().map(located).collect();
        problems.shared_sort_by_key(|problem| problem.span.start);
        Err(ScenarioError::Text(problems))
    }
}

/// Offsets of the line ends of a text.
fn line_ends(text: &str) -> Vec<usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect()
}

fn problem(lines: &[usize], span: Range<usize>, what: String) -> ScenarioProblem {
    ScenarioProblem { line: lines.partition_point(|end| *end < span.start) + 1, span, what }
}

/// Byte range of a value. If the file lacks the end of the path, the range of the deepest part that it has.
fn span_of(document: &DeTable<'_>, path: &str) -> Range<usize> {
    let mut span = 0..0;
    let mut table = Some(document);
    let mut list: Option<&[Spanned<DeValue<'_>>]> = None;
    for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let index: Option<usize> = part.parse().ok();
        let next = match (list, index) {
            (Some(list), Some(index)) => list.get(index),
            _ => table.and_then(|table| table.get(part)),
        };
        let Some(next) = next else { break };
        span = next.span();
        table = next.get_ref().as_table();
        list = next.get_ref().as_array().map(|array| &array[..]);
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages for a text.
    fn messages(text: &str) -> Vec<String> {
        match Scenario::read(text).unwrap_err() {
            ScenarioError::Text(problems) => problems.iter().map(ToString::to_string).collect(),
            other => panic!("{other}"),
        }
    }

    const START: &str = "start.places = [[0, 0, 0]]";

    #[test]
    fn an_empty_file_is_a_scenario_of_nobody() {
        assert_eq!(Scenario::read("").unwrap(), Scenario::default());
    }

    #[test]
    fn keys_that_are_unknown_or_wrong_are_named_with_their_line() {
        let message = |text: &str| messages(text).join("\n");
        assert!(
            message("seed = 1\nsecond = 5").starts_with("line 2: unknown field `second`, expected one of")
        );
        let kind = message("[[kind]]\nname = \"a\"\nradus = 5");
        assert!(
            kind.starts_with("line 3: unknown field `radus`, expected one of `name`, `radius`"),
            "{kind}"
        );
        let goal = message(&format!("[[agents]]\n{START}\ngoal.plce = [1, 2, 3]"));
        assert!(goal.starts_with("line 3: unknown variant `plce`, expected one of `place`"), "{goal}");
        let point = message("[[agents]]\nstart.places = [[1, 2]]");
        assert!(point.starts_with("line 2: ") && point.contains("length 2"), "{point}");
        assert!(message("seconds = \"long\"").contains("expected f64"));
        assert!(message("seconds = ").starts_with("line 1: "));
    }

    #[test]
    fn all_numbers_out_of_range_are_listed() {
        let text =
            format!("seconds = -1\nrate = 2000\n[[kind]]\nname = \"a\"\nradius = 500\n[[agents]]\n{START}");
        assert_eq!(
            messages(&text),
            [
                "line 1: `seconds` is -1, expected 0 to 100000 s",
                "line 2: `rate` is 2000, expected 1 to 1000 steps per second",
                "line 5: `kind[0].radius` is 500, expected 0 to 100 m",
            ]
        );
    }

    #[test]
    fn names_must_name_something() {
        let text = format!(
            "[[agents]]\nkind = \"ghost\"\n{START}\n[[agents]]\nname = \"b\"\n{START}\ngoal.chase = \"b\"\n\
             [check]\narrived = 2.0\nflow = {{ exit = 1.0 }}"
        );
        assert_eq!(
            messages(&text),
            [
                "line 2: `agents[0].kind` is \"ghost\", expected the name of a [[kind]]",
                "line 7: `agents[1].goal.chase` is \"b\", expected the name of other [[agents]]",
                "line 9: `check.arrived` is 2, expected 0 to 1, a share of the agents that were sent",
                "line 10: `check.flow.exit` is not a [[gate]] of the file, expected the name of one",
            ]
        );
    }

    #[test]
    fn names_that_are_taken_are_those_of_the_later_ones() {
        let gate = "[[gate]]\nname = \"g\"\nline = [[0, 0, 0], [1, 0, 0]]\n";
        let kind = "[[kind]]\nname = \"k\"\n";
        let agents = format!("[[agents]]\nname = \"a\"\n{START}\n");
        let followers = format!("[[agents]]\n{START}\nfollow.leader = \"a\"\nfollow.formation = \"line\"\n");
        let twice = [kind, &agents, &followers, gate].map(|table| table.repeat(2)).concat();
        assert_eq!(
            messages(&twice),
            [
                "line 4: `kind[1].name` is \"k\", which is the name of another [[kind]]",
                "line 9: `agents[1].name` is \"a\", which is the name of other [[agents]]",
                "line 17: `agents[3].follow.leader` is \"a\", which other agents already follow",
                "line 23: `gate[1].name` is \"g\", expected a name that no other [[gate]] has",
            ]
        );
        let once = [kind, &agents, &followers, gate].concat();
        assert_eq!(Scenario::read(&once).unwrap().agents.len(), 2);
    }
}
