//! Functions longer than the limit: named exceptions in xtask/tidy.toml whose length may only fall.

use super::Complaint;
use super::source::Function;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longest function, lines.
pub(crate) const MAX_FUNCTION_LINES: usize = 70;

/// By file, by function: lines.
pub(crate) type Lengths = BTreeMap<String, BTreeMap<String, usize>>;

/// Adds the functions of one file that are longer than the limit; of two of one name, the longer counts.
pub(crate) fn gather(path: &str, functions: &[Function], long: &mut Lengths) {
    for function in functions.iter().filter(|function| function.lines > MAX_FUNCTION_LINES) {
        let lines = long.entry(path.to_owned()).or_default().entry(function.name.clone()).or_default();
        *lines = function.lines.max(*lines);
    }
}

/// Compares what is with what is recorded. Longer than recorded, or not recorded, is a complaint; so is shorter,
/// until it is recorded.
pub(crate) fn compare(actual: &Lengths, recorded: &Lengths, complaints: &mut Vec<Complaint>) {
    let get = |lengths: &Lengths, path: &str, name: &str| {
        lengths.get(path).and_then(|functions| functions.get(name)).copied()
    };
    for (path, functions) in actual {
        for (name, &lines) in functions {
            let limit = get(recorded, path, name).unwrap_or(MAX_FUNCTION_LINES);
            if lines > limit {
                let what = format!("function `{name}` has {lines} lines, at most {limit}: split it");
                complaints.push(Complaint::whole(path, what));
            }
        }
    }
    for (path, functions) in recorded {
        for (name, &limit) in functions {
            let lines = get(actual, path, name);
            if lines.is_none_or(|lines| lines < limit) {
                let what = format!(
                    "function `{name}` is shorter than the recorded {limit} lines: run `cargo xtask tidy --update`"
                );
                complaints.push(Complaint::whole(path, what));
            }
        }
    }
}

/// The record after an update: no entry is added, none rises, those that are no longer needed go.
pub(crate) fn lowered(actual: &Lengths, recorded: &Lengths) -> Lengths {
    let mut lowered = Lengths::new();
    for (path, functions) in recorded {
        for (name, &limit) in functions {
            if let Some(&lines) = actual.get(path).and_then(|functions| functions.get(name)) {
                lowered.entry(path.clone()).or_default().insert(name.clone(), lines.min(limit));
            }
        }
    }
    lowered
}

/// The record as the tail of xtask/tidy.toml.
pub(crate) fn to_toml(lengths: &Lengths) -> String {
    let mut text = String::from("[functions]\n");
    for (path, functions) in lengths {
        let parts: Vec<String> = functions.iter().map(|(name, lines)| format!("{name} = {lines}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\"{path}\" = {{ {} }}", parts.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(entries: &[(&str, &str, usize)]) -> Lengths {
        let mut lengths = Lengths::new();
        for &(path, name, lines) in entries {
            lengths.entry(path.to_owned()).or_default().insert(name.to_owned(), lines);
        }
        lengths
    }

    #[test]
    fn only_long_functions_are_gathered() {
        let function = |name: &str, lines| Function { name: name.to_owned(), line: 1, lines };
        let mut long = Lengths::new();
        gather("a.rs", &[function("f", 70), function("g", 71), function("g", 90)], &mut long);
        assert_eq!(long, lengths(&[("a.rs", "g", 90)]));
    }

    #[test]
    fn maxima_may_only_fall() {
        let recorded = lengths(&[("a.rs", "f", 80)]);
        let count = |actual: &Lengths| {
            let mut complaints = Vec::new();
            compare(actual, &recorded, &mut complaints);
            complaints.len()
        };
        assert_eq!(count(&recorded), 0);
        assert_eq!(count(&lengths(&[("a.rs", "f", 81)])), 1);
        assert_eq!(count(&lengths(&[("a.rs", "f", 79)])), 1);
        assert_eq!(count(&lengths(&[("a.rs", "f", 80), ("b.rs", "f", 71)])), 1);
        assert_eq!(count(&Lengths::new()), 1);
        assert_eq!(lowered(&lengths(&[("a.rs", "f", 99), ("b.rs", "f", 71)]), &recorded), recorded);
        assert_eq!(lowered(&lengths(&[("a.rs", "f", 75)]), &recorded), lengths(&[("a.rs", "f", 75)]));
        assert!(lowered(&Lengths::new(), &recorded).is_empty());
    }

    #[test]
    fn the_record_is_toml() {
        let recorded = lengths(&[("a.rs", "f", 80), ("a.rs", "g", 71), ("b/c.rs", "f", 90)]);
        let table: toml::Table = to_toml(&recorded).parse().unwrap();
        assert_eq!(table["functions"]["a.rs"]["g"].as_integer(), Some(71));
        assert_eq!(table["functions"]["b/c.rs"]["f"].as_integer(), Some(90));
    }
}
