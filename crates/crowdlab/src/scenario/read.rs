//! Reads a `crowd.toml`.

use super::error::ScenarioError;
use super::keys::SCENARIO;
use super::plan::Scenario;
use navinput::tables::Reader;

impl Scenario {
    /// Reads a scenario from its text.
    ///
    /// ```
    /// use crowdlab::scenario::Scenario;
    ///
    /// let error = Scenario::read("seconds = 10\nrat = 60").unwrap_err().to_string();
    /// assert_eq!(error, "line 2, column 1: unknown key `rat`; the nearest key is `rate`");
    /// ```
    ///
    /// # Errors
    /// [`ScenarioError::Text`] with every problem of the text: unknown keys, values of a wrong type, numbers
    /// out of range, and names that refer to nothing.
    pub fn read(text: &str) -> Result<Scenario, ScenarioError> {
        let (document, mut reader) = Reader::parse(text);
        let mut scenario = Scenario::default();
        reader.read_file(&SCENARIO, document.get_ref(), &mut scenario);
        scenario.check_names(&mut reader);
        Ok(reader.finish(scenario)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Distribution, ExitPlace, FlowName, Goal};
    use navinput::InputError;

    /// The messages for a text.
    fn messages(text: &str) -> Vec<String> {
        match Scenario::read(text).unwrap_err() {
            ScenarioError::Text(InputError::Settings(problems)) => {
                problems.iter().map(ToString::to_string).collect()
            }
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
        let seconds = "line 2, column 1: unknown key `second`; the nearest key is `seconds`";
        assert_eq!(message("seed = 1\nsecond = 5"), seconds);
        let radius = "line 3, column 1: unknown key `kind.radus`; the nearest key is `kind.radius`";
        assert_eq!(message("[[kind]]\nname = \"a\"\nradus = 5"), radius);
        let goal = "line 3, column 6: unknown key `goal.plce`; the nearest key is `goal.place`";
        assert_eq!(message(&format!("[[agents]]\n{START}\ngoal.plce = [1, 2, 3]")), goal);
        let point =
            "line 2, column 17: `agents[0].start.places[0]` is [1, 2] (array), expected three numbers";
        assert!(message("[[agents]]\nstart.places = [[1, 2]]").starts_with(point));
        assert!(message("seconds = \"long\"").contains("expected between 0 and 100000 s"));
        assert!(message("seconds = ").starts_with("line 1, "));
    }

    #[test]
    fn all_problems_of_a_file_are_named() {
        let text = "seconds = \"long\"\n[crowd]\nfar = 1\n[[kind]]\nradius = 500\n[[agents]]\nkind = \"ghost\"\n\
                    start = { box = [[0, 0, 0]], ring = 1 }\ngoal.chase = \"\"\n[agents.follow]\nleader = \"b\"\n\
                    formation = \"heap\"\n[[door]]\nbox = [[0, 0, 0], [1, 1, 1]]\nshut = [[3, 1]]\nflags = 0\n\
                    [[tile]]\nat = [1.5, 0, 0]\n[[gate]]\nname = \"g\"\nline = [[0, 0, 0], [0, 1, 0]]\n\
                    [check]\nhash = \"x\"\n";
        let expected = [
            "line 1, column 11: `seconds` is \"long\" (string)",
            "line 3, column 1: unknown key `crowd.far`; `crowd` has the keys search_nodes, ",
            "line 4, column 1: `kind[0]` has no `name`",
            "line 5, column 10: `kind[0].radius` is 500 (integer), expected between 0 and 100 m",
            "line 7, column 8: `agents[0].kind` is \"ghost\", expected the name of a [[kind]]",
            "line 8, column 9: `agents[0].start` has 2 keys, expected exactly one of box, disc, ring, places",
            "line 8, column 17: `agents[0].start.box` is [[0, 0, 0]] (array), expected two corners",
            "line 8, column 37: `agents[0].start.ring` is 1 (integer), expected a table",
            "line 9, column 14: `agents[0].goal.chase` is \"\", expected a name",
            "line 11, column 10: `agents[0].follow.leader` is \"b\", expected the name of [[agents]]",
            "line 12, column 13: `agents[0].follow.formation` is \"heap\", expected \"line\"",
            "line 15, column 8: `door[0].shut` is [[3, 1]] (array), expected times [from, until]",
            "line 16, column 9: `door[0].flags` is 0 (integer), expected a whole number between 1 and",
            "line 18, column 7: `tile[0].at[0]` is 1.5 (float), expected a whole number",
            "line 21, column 8: `gate[0].line` has no length",
            "line 23, column 8: `check.hash` is \"x\", expected 16 hexadecimal digits",
        ];
        let messages = messages(text);
        assert_eq!(messages.len(), expected.len(), "{messages:#?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(message.starts_with(expected), "{message}, wanted {expected}");
        }
    }

    #[test]
    fn all_numbers_out_of_range_are_listed() {
        let text =
            format!("seconds = -1\nrate = 2000\n[[kind]]\nname = \"a\"\nradius = 500\n[[agents]]\n{START}");
        assert_eq!(
            messages(&text),
            [
                "line 1, column 11: `seconds` is -1 (integer), expected between 0 and 100000 s",
                "line 2, column 8: `rate` is 2000 (integer), expected between 1 and 1000 steps per second",
                "line 5, column 10: `kind[0].radius` is 500 (integer), expected between 0 and 100 m",
            ]
        );
    }

    #[test]
    fn distributions_have_a_mean_and_keep_the_range() {
        let kind = |text: &str| format!("[[kind]]\nname = \"a\"\n{text}");
        let read =
            Scenario::read(&kind("speed = { mean = 1.3, deviation = 0.2, most = 2 }\nflow = \"people\""))
                .unwrap();
        let expected = Distribution { mean: 1.3, deviation: 0.2, least: 0.001, most: 2.0 };
        assert_eq!((read.kind[0].speed, read.kind[0].flow), (Some(expected), FlowName::People));
        for (text, problem) in [
            ("speed = { mean = 1.3 }", "`kind[0].speed` has no `deviation`"),
            ("radius = { mean = 1, deviation = 1, most = 200 }", "leaves the range from 0 to 100 m"),
            ("reaction = { mean = 1, deviation = 1, least = 2 }", "has a mean that is not between"),
            ("flow = \"crowd\"", "expected \"free\" or \"people\""),
        ] {
            assert!(messages(&kind(text)).concat().contains(problem), "{:?}", messages(&kind(text)));
        }
    }

    #[test]
    fn exits_have_a_place_and_a_rate() {
        let agents = |exits: &str| format!("[[agents]]\n{START}\ngoal.exits = {exits}");
        let exits = vec![ExitPlace { place: [1.0, 0.0, 2.0], rate: 1.5 }];
        let read = Scenario::read(&agents("[{ place = [1, 0, 2], rate = 1.5 }]")).unwrap();
        assert_eq!(read.agents[0].goal, Some(Goal::Exits(exits)));
        for (text, problem) in [
            ("[]", "expected a list of 1 to 64 exits"),
            ("[{ place = [1, 0, 2] }]", "`agents[0].goal.exits[0]` has no `rate`"),
            ("[{ place = [1, 0, 2], rate = 0 }]", "is 0 (integer), expected between 0.001 and 1000"),
            ("[{ place = [1, 0, 2], rate = 1, width = 2 }]", "unknown key `exit.width`"),
        ] {
            assert!(messages(&agents(text)).concat().contains(problem), "{:?}", messages(&agents(text)));
        }
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
                "line 2, column 8: `agents[0].kind` is \"ghost\", expected the name of a [[kind]]",
                "line 7, column 14: `agents[1].goal.chase` is \"b\", expected the name of other [[agents]]",
                "line 9, column 11: `check.arrived` is 2.0 (float), expected between 0 and 1, a share of the agents that were sent",
                "line 10, column 17: `check.flow.exit` is not a [[gate]] of the file, expected the name of one",
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
                "line 4, column 8: `kind[1].name` is \"k\", which is the name of `kind[0]`; give it another name",
                "line 9, column 8: `agents[1].name` is \"a\", which is the name of `agents[0]`; give it another name",
                "line 17, column 17: `agents[3].follow.leader` is \"a\", which other agents already follow",
                "line 23, column 8: `gate[1].name` is \"g\", which is the name of `gate[0]`; give it another name",
            ]
        );
        let once = [kind, &agents, &followers, gate].concat();
        assert_eq!(Scenario::read(&once).unwrap().agents.len(), 2);
    }
}
