//! Tests of `[hierarchy]`.

use super::hierarchy::{ClassInput, HierarchyInput};
use super::read_settings;
use recast::AreaId;

const AREAS: &str = "[[area]]\nid = 7\nname = \"water\"\n[[area]]\nid = 8\nname = \"stairs\"\n";

fn hierarchy(text: &str) -> Option<HierarchyInput> {
    read_settings(&format!("{text}\n{AREAS}")).unwrap_or_else(|error| panic!("{error}\n{text}")).hierarchy
}

fn refused(text: &str, expected: &str) {
    let error = read_settings(&format!("{text}\n{AREAS}")).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_table_gives_a_hierarchy() {
    assert_eq!(hierarchy(""), None);
    assert_eq!(hierarchy("[hierarchy]"), Some(HierarchyInput::default()));
    let text = "hierarchy = { cluster = 32, spacing = 4.5, classes = {} }";
    assert_eq!(hierarchy(text), Some(HierarchyInput { cluster: 32.0, spacing: 4.5, classes: Vec::new() }));
}

#[test]
fn classes_come_by_their_names_with_the_areas_of_the_file() {
    let text = "[hierarchy.classes.\"hand cart\"]\nexclude = [\"stairs\", 9]\ncosts = { water = 2.5, ground = 0.5 }\n\
                [hierarchy.classes.fish]\ncosts.water = 0.125\n";
    let class = |name: &str, exclude: &[u8], costs: &[(u8, f32)]| ClassInput {
        name: name.to_owned(),
        exclude: exclude.iter().map(|id| AreaId(*id)).collect(),
        costs: costs.iter().map(|(id, cost)| (AreaId(*id), *cost)).collect(),
    };
    let expected = [class("fish", &[], &[(7, 0.125)]), class("hand cart", &[8, 9], &[(63, 0.5), (7, 2.5)])];
    assert_eq!(hierarchy(text).unwrap().classes, expected);
}

#[test]
fn wrong_tables_are_refused_with_their_places() {
    refused("[hierarchy]\ncluster = 0", "line 2, column 11: `hierarchy.cluster` is 0");
    refused("[hierarchy]\nspacing = inf", "`hierarchy.spacing` is inf");
    refused("[hierarchy]\nclusters = 4", "the nearest key is `hierarchy.cluster`");
    refused("[hierarchy]\nclasses = [\"cart\"]", "`hierarchy.classes` is");
    refused("[hierarchy.classes]\ncart = 1", "`hierarchy.classes.cart` is 1");
    refused("[hierarchy.classes.cart]\nexclude = [\"stair\"]", "did you mean \"stairs\"?");
    refused("[hierarchy.classes.cart]\ncosts = { watter = 2 }", "did you mean \"water\"?");
    refused("[hierarchy.classes.cart]\ncosts = { water = 0 }", "`hierarchy.classes.cart.costs.water` is 0");
    refused("[hierarchy.classes.cart]\ncost = {}", "the nearest key is `hierarchy.classes.costs`");
    refused("heirarchy = {}", "the nearest key is `hierarchy`");
}
