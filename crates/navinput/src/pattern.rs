//! Patterns of names: of materials, groups, objects and nodes.

use crate::error::{SettingProblem, TextPosition};
use crate::label::escaped;
use crate::likeness::nearest_name;
use recast::AreaId;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// The kind of name a pattern is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A material.
    Material,
    /// A group.
    Group,
    /// An object.
    Object,
    /// A node and everything below it.
    Node,
}

impl NameKind {
    /// All kinds.
    pub const ALL: [NameKind; 4] = [NameKind::Material, NameKind::Group, NameKind::Object, NameKind::Node];
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Material => "material",
            NameKind::Group => "group",
            NameKind::Object => "object",
            NameKind::Node => "node",
        })
    }
}

/// A pattern of names. `*` matches any characters, or none; every other character matches itself. A part
/// without a name fits no pattern.
///
/// A pattern of nodes is compared with a path of names such as `root/house/door`. It fits if it fits any one
/// name of the path, or the path down to any of its nodes. It then covers that node and everything below.
#[derive(Clone, Debug, PartialEq)]
pub struct NamePattern {
    /// The kind of name the pattern is compared with.
    pub by: NameKind,
    /// The pattern.
    pub pattern: String,
    /// Its name in the settings file (`area[1].materials[0]`), or the option that gave it (`--exclude-node`).
    pub field: String,
    /// Its place in the settings file; `None` if an option gave it.
    pub place: Option<TextPosition>,
    /// The bytes of the settings file that hold it; `None` if an option gave it.
    pub span: Option<Range<usize>>,
}

/// A pattern of names, and the area of the triangles that fit it.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaMapping {
    /// The area.
    pub area: AreaId,
    /// Names of the parts that have it.
    pub names: NamePattern,
}

impl NamePattern {
    /// A pattern from the command line, given by an option such as `--exclude-node`.
    pub fn given(by: NameKind, pattern: impl Into<String>, option: impl Into<String>) -> NamePattern {
        NamePattern { by, pattern: pattern.into(), field: option.into(), place: None, span: None }
    }

    /// Returns true if a name fits; for nodes, a path of names.
    pub fn fits(&self, name: &str) -> bool {
        match self.by {
            _ if name.is_empty() => false,
            NameKind::Node => fits_path(&self.pattern, name),
            _ => matches(&self.pattern, name),
        }
    }

    /// The problem of a pattern that fits none of the existing names.
    pub(crate) fn unknown(&self, names: &BTreeSet<&str>) -> SettingProblem {
        /// At most this many names are listed.
        const LISTED: usize = 8;
        let kind = self.by;
        let remedy = match (nearest_name(&self.pattern, names.iter().copied()), names.len()) {
            (Some(near), _) => format!("the nearest {kind} is \"{}\"", escaped(near)),
            (None, 0) => format!("the level has no {kind}s at all"),
            (None, count) => {
                let listed =
                    names.iter().copied().take(LISTED).map(escaped).collect::<Vec<_>>().join("\", \"");
                let more =
                    if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
                format!("its {kind}s are \"{listed}\"{more}")
            }
        };
        let (field, pattern) = (&self.field, self.pattern.escape_debug());
        SettingProblem {
            place: self.place,
            span: self.span.clone(),
            what: format!("`{field}` is \"{pattern}\", but the level has no {kind} of that name"),
            remedy: Some(remedy),
        }
    }
}

/// Returns true if a path of names fits a pattern of nodes.
fn fits_path(pattern: &str, path: &str) -> bool {
    let above = || path.match_indices('/').any(|(end, _)| matches(pattern, &path[..end]));
    matches(pattern, path)
        || path.split('/').any(|name| matches(pattern, name))
        || (pattern.contains('/') && above())
}

/// Returns true if a name fits a pattern in which `*` matches any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    // Taking the first match of each part leaves the most text for later parts.
    for part in parts {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_first_are_listed() {
        let remedy = |count: usize| {
            let names: Vec<String> = (0..count).map(|name| format!("name {name:02}")).collect();
            let names = names.iter().map(String::as_str).collect();
            NamePattern::given(NameKind::Material, "zzz", "--exclude").unknown(&names).remedy.unwrap()
        };
        assert!(remedy(8).ends_with("\"name 07\""), "{}", remedy(8));
        assert!(remedy(9).ends_with("\"name 07\" and 1 more"), "{}", remedy(9));
    }

    #[test]
    fn parts_do_not_overlap() {
        assert!(!matches("*ab*ab", "ab") && matches("*ab*ab", "abab"));
        assert!(!matches("aba*ba", "aba") && matches("aba*ba", "ababa"));
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name) in [
            ("mud", "mud"),
            ("*", "x"),
            ("m*", "m"),
            ("*d", "mud"),
            ("m*d", "md"),
            ("a*b*a", "aba"),
            ("a**c", "abc"),
            ("*ab*ab*", "xabyabz"),
            ("é*", "été"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("mud", "mudd"), ("", "x"), ("a*a", "a"), ("a*b*a", "abxb"), ("*ab*ab", "xab")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_node_stands_for_everything_below_it() {
        let fits =
            |pattern: &str| NamePattern::given(NameKind::Node, pattern, "--node").fits("root/house/door.1");
        for pattern in
            ["root", "house", "door*", "h*e", "root/house", "root/*", "*/house", "root/house/door.1", "*"]
        {
            assert!(fits(pattern), "{pattern}");
        }
        for pattern in ["roo", "ouse", "house/root", "door", "root/door*x", "house/door.1", ""] {
            assert!(!fits(pattern), "{pattern}");
        }
        assert!(!NamePattern::given(NameKind::Node, "*", "--node").fits(""), "no name fits nothing");
    }
}
