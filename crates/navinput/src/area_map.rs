//! Which area each triangle has, by the names of the material, group and object it stands under.
//! Cost: O(patterns x names + triangles).

use crate::error::SettingProblem;
use crate::obj::{Labels, ObjLevel};
use crate::pattern::{NameKind, NamePattern};
use recast::AreaId;
use std::collections::BTreeSet;

/// A pattern of names whose triangles have an area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaMapping {
    /// The area.
    pub area: AreaId,
    /// Names of what has it.
    pub names: NamePattern,
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

/// The area of each triangle. Where several patterns fit, the last one counts; where none does, it is ground. The
/// list is empty if there are no patterns. There are no nodes here, so a pattern of nodes fits nothing.
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
    let kinds = [
        (NameKind::Material, names.materials),
        (NameKind::Group, names.groups),
        (NameKind::Object, names.objects),
    ];
    let mut problems = Vec::new();
    for AreaMapping { names: pattern, .. } in mappings {
        let labels = kinds.iter().find(|(kind, _)| *kind == pattern.by).map(|(_, labels)| labels);
        let known: BTreeSet<&str> = labels.iter().flat_map(|labels| labels.given()).collect();
        if !known.iter().any(|name| pattern.fits(name)) {
            problems.push(pattern.unknown(&known));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    // For each kind and name, the last pattern that fits.
    let last = kinds.map(|(kind, labels)| {
        let last = |name: &String| {
            mappings.iter().rposition(|mapping| mapping.names.by == kind && mapping.names.fits(name))
        };
        labels.names.iter().map(last).collect::<Vec<_>>()
    });
    let area = |triangle: usize| {
        let fitting = kinds.iter().zip(&last).map(|((_, labels), last)| last[labels.ids[triangle] as usize]);
        fitting.flatten().max().map_or(AreaId::GROUND, |index| mappings[index].area)
    };
    Ok((0..names.materials.ids.len()).map(area).collect())
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
    fn names_that_are_not_there_are_all_reported() {
        let text = "[[area]]\nid = 2\nname = \"a\"\nmaterials = [\"mdu\", \"mud\",\n \"zzzzzz\"]\ngroups = [\"flor\"]\n";
        let problems = mapped(text).unwrap_err();
        assert_eq!(
            problems,
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
}
