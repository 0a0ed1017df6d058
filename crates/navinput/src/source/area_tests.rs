//! Areas of triangles, by the names of their material, group and object.

use super::{SourceLevel, into_meshes};
use crate::{InputSettings, SettingProblem, SettingsFile, read_obj, read_settings};

fn level() -> SourceLevel {
    let mut text = String::from("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\no hut\nusemtl mud\nf 1 2 3\n");
    text.push_str("usemtl wet stone\ng floor\nf 1 2 3\no yard\nusemtl wet_wood\nf 1 2 3\nusemtl\nf 1 2 3\n");
    read_obj(text.as_bytes()).unwrap().into()
}

/// The area of each triangle, empty if all are ground; or the problems of the names.
fn areas(level: &SourceLevel, file: &SettingsFile) -> Result<Vec<u8>, Vec<SettingProblem>> {
    let parts = into_meshes(level, &file.mappings, &InputSettings::default())?;
    Ok(parts[0].areas.iter().map(|area| area.0).collect())
}

fn mapped(toml: &str) -> Result<Vec<u8>, Vec<String>> {
    let file = read_settings(toml).unwrap_or_else(|error| panic!("{error}"));
    areas(&level(), &file).map_err(|problems| problems.iter().map(ToString::to_string).collect())
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
    let text =
        "[[area]]\nid = 2\nname = \"a\"\nmaterials = [\"mdu\", \"mud\",\n \"zzzzzz\"]\ngroups = [\"flor\"]\n";
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
    let plain = read_obj(b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n").unwrap().into();
    let file = read_settings("[[area]]\nid = 2\nname = \"a\"\nmaterials = [\"*\"]\n").unwrap();
    let problems = areas(&plain, &file).unwrap_err();
    assert!(problems[0].to_string().ends_with("the level has no materials at all"), "{problems:?}");
}
