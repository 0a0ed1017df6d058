//! Which area each triangle has, by the names of the material, group and object it stands under.
//! Cost: O(patterns x names + triangles).

use crate::error::{Place, SettingProblem};
use crate::obj::{Labels, ObjLevel};
use crate::settings::suggest::nearest_name;
use recast::AreaId;
use std::fmt;
use std::ops::Range;

/// What kind of name a pattern is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A material.
    Material,
    /// A group.
    Group,
    /// An object.
    Object,
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Material => "material",
            NameKind::Group => "group",
            NameKind::Object => "object",
        })
    }
}

/// A pattern of names whose triangles have an area. `*` stands for any characters, or none; everything else for
/// itself. Triangles without a name fit no pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaMapping {
    /// The area.
    pub area: AreaId,
    /// What the pattern is compared with.
    pub by: NameKind,
    /// The pattern.
    pub pattern: String,
    /// Its name in the settings file: `area[1].materials[0]`.
    pub field: String,
    /// Where it stands in the settings file.
    pub place: Place,
    /// The bytes of the settings file that hold it.
    pub span: Range<usize>,
}

/// The names that the triangles of a level stand under.
#[derive(Clone, Copy, Debug)]
pub struct LevelNames<'a> {
    /// Materials.
    pub materials: &'a Labels,
    /// Groups.
    pub groups: &'a Labels,
    /// Objects.
    pub objects: &'a Labels,
}

impl ObjLevel {
    /// The names that the level's triangles stand under.
    pub fn names(&self) -> LevelNames<'_> {
        LevelNames { materials: &self.materials, groups: &self.groups, objects: &self.objects }
    }
}

impl<'a> LevelNames<'a> {
    fn of(&self, kind: NameKind) -> &'a Labels {
        match kind {
            NameKind::Material => self.materials,
            NameKind::Group => self.groups,
            NameKind::Object => self.objects,
        }
    }
}

/// The area of each triangle. Where several patterns fit, the last one counts; where none does, it is ground. The
/// list is empty if there are no patterns.
///
/// # Errors
/// Every pattern that fits no name of the level, with the nearest name there is.
pub fn map_areas(
    names: &LevelNames<'_>,
    mappings: &[AreaMapping],
) -> Result<Vec<AreaId>, Vec<SettingProblem>> {
    if mappings.is_empty() {
        return Ok(Vec::new());
    }
    // For each kind and name, the last pattern that fits.
    let kinds = [NameKind::Material, NameKind::Group, NameKind::Object];
    let mut last = kinds.map(|kind| vec![None; names.of(kind).names.len()]);
    let mut problems = Vec::new();
    for (index, mapping) in mappings.iter().enumerate() {
        let mut fits = false;
        // The first name is the empty one.
        for (name, slot) in names.of(mapping.by).names.iter().zip(&mut last[mapping.by as usize]).skip(1) {
            if matches(&mapping.pattern, name) {
                *slot = Some(index);
                fits = true;
            }
        }
        if !fits {
            problems.push(unknown_name(mapping, names.of(mapping.by)));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let triangles = names.materials.ids.len();
    let area = |triangle: usize| {
        let fitting = kinds.map(|kind| last[kind as usize][names.of(kind).ids[triangle] as usize]);
        fitting.into_iter().flatten().max().map_or(AreaId::GROUND, |index| mappings[index].area)
    };
    Ok((0..triangles).map(area).collect())
}

fn unknown_name(mapping: &AreaMapping, labels: &Labels) -> SettingProblem {
    /// More names than this are not listed.
    const LISTED: usize = 8;
    let kind = mapping.by;
    let names = || labels.names.iter().skip(1).map(String::as_str);
    let remedy = match (nearest_name(&mapping.pattern, names()), names().count()) {
        (Some(near), _) => format!("the nearest {kind} is \"{near}\""),
        (None, 0) => format!("the level has no {kind}s at all"),
        (None, count) => {
            let listed = names().take(LISTED).collect::<Vec<_>>().join("\", \"");
            let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
            format!("its {kind}s are \"{listed}\"{more}")
        }
    };
    SettingProblem {
        place: mapping.place,
        span: mapping.span.clone(),
        what: format!(
            "`{}` is \"{}\", but the level has no {kind} of that name",
            mapping.field,
            mapping.pattern.escape_debug()
        ),
        remedy: Some(remedy),
    }
}

/// Whether a name fits a pattern in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    // Taking each part where it comes first leaves the most for those behind it.
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
    use crate::{ObjLevel, read_obj, read_settings};

    fn level() -> ObjLevel {
        let mut text = String::from("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\no hut\nusemtl mud\nf 1 2 3\n");
        text.push_str(
            "usemtl wet stone\ng floor\nf 1 2 3\no yard\nusemtl wet_wood\nf 1 2 3\nusemtl\nf 1 2 3\n",
        );
        read_obj(text.as_bytes()).unwrap()
    }

    fn mapped(toml: &str) -> Result<Vec<u8>, Vec<String>> {
        let file = read_settings(toml).unwrap_or_else(|error| panic!("{error}"));
        let ids = |areas: Vec<AreaId>| areas.into_iter().map(|area| area.0).collect();
        map_areas(&level().names(), &file.mappings)
            .map(ids)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn triangles_have_the_areas_of_their_names() {
        assert_eq!(mapped("[[area]]\nid = 2\nname = \"mud\"\n"), Ok(vec![]), "names alone map nothing");
        let mud = "[[area]]\nid = 2\nname = \"slow\"\nmaterials = [\"mud\"]\n";
        assert_eq!(mapped(mud), Ok(vec![63, 2, 63, 63, 63]));
        let wet = "[[area]]\nid = 3\nname = \"wet\"\nmaterials = [\"wet*\"]\n";
        assert_eq!(mapped(wet), Ok(vec![63, 63, 3, 3, 63]));
        let floor = "[[area]]\nid = 4\nname = \"f\"\ngroups = [\"floor\"]\n";
        assert_eq!(mapped(floor), Ok(vec![63, 63, 4, 4, 4]));
        let everything = "[[area]]\nid = 5\nname = \"e\"\nobjects = [\"*\"]\n";
        assert_eq!(mapped(everything), Ok(vec![63, 5, 5, 5, 5]), "what has no name fits no pattern");
    }

    #[test]
    fn the_last_pattern_counts() {
        let hut = "[[area]]\nid = 2\nname = \"hut\"\nobjects = [\"hut\"]\n";
        let wet = "[[area]]\nid = 3\nname = \"wet\"\nmaterials = [\"wet*\"]\n";
        assert_eq!(mapped(&format!("{hut}{wet}")), Ok(vec![63, 2, 3, 3, 63]));
        assert_eq!(mapped(&format!("{wet}{hut}")), Ok(vec![63, 2, 2, 3, 63]));
    }

    #[test]
    fn names_that_are_not_there_are_all_told() {
        let text = "[[area]]\nid = 2\nname = \"a\"\nmaterials = [\"mdu\", \"mud\",\n \"zzzzzz\"]\ngroups = [\"flor\"]\n";
        let told = mapped(text).unwrap_err();
        assert_eq!(
            told,
            [
                "line 4, column 14: `area[0].materials[0]` is \"mdu\", but the level has no material of that name; \
                 the nearest material is \"mud\"",
                "line 5, column 2: `area[0].materials[2]` is \"zzzzzz\", but the level has no material of that \
                 name; its materials are \"mud\", \"wet stone\", \"wet_wood\"",
                "line 6, column 11: `area[0].groups[0]` is \"flor\", but the level has no group of that name; \
                 the nearest group is \"floor\"",
            ]
        );
        let plain = read_obj(b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n").unwrap();
        let file = read_settings("[[area]]\nid = 2\nname = \"a\"\nmaterials = [\"*\"]\n").unwrap();
        let problems = map_areas(&plain.names(), &file.mappings).unwrap_err();
        assert!(problems[0].to_string().ends_with("the level has no materials at all"), "{problems:?}");
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, fits) in [
            ("mud", "mud", true),
            ("mud", "muddy", false),
            ("mud*", "mud", true),
            ("*mud", "wet mud", true),
            ("*mud", "mud wet", false),
            ("w*t*d", "wet mud", true),
            ("w*x*d", "wet mud", false),
            ("a*a", "a", false),
            ("ab*ba", "aba", false),
            ("*aa*a", "aaa", true),
            ("*", "", true),
            ("**", "x", true),
            ("é*", "élan", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
