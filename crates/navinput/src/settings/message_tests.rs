//! What messages show: how much of a value, which names, and how many hints; and the bounds of names and colours.

use super::suggest::nearest;
use super::{hex_colour, read_settings, shown};
use crate::error::{InputError, SettingProblem};

fn problems(text: &str) -> Vec<SettingProblem> {
    match read_settings(text) {
        Err(InputError::Settings(problems)) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

#[test]
fn values_are_shown_on_one_line_up_to_sixty_characters() {
    let long = |length: usize| "x".repeat(length);
    assert_eq!(shown("a  b\n\tc"), "a b c");
    assert_eq!(shown(&long(60)), long(60));
    assert_eq!(shown(&long(61)), long(60) + "..");
    assert_eq!(shown(&(long(58) + " y")), long(58) + " y");
    assert_eq!(shown(&(long(59) + " y")), long(59) + " ..");
    assert_eq!(shown(&(long(60) + " y")), long(60) + "..");
    assert_eq!(shown(&(long(50) + " " + &long(1000))), long(50) + " " + &long(9) + "..");
    assert_eq!(shown("\u{1b}"), "\\u{1b}");
}

#[test]
fn some_names_of_areas_are_listed_and_the_others_counted() {
    let remedy = |areas: usize| {
        let area = |id: usize| format!("[[area]]\nid = {id}\nname = \"area{id:02}\"\n");
        let areas: String = (1..=areas).map(area).collect();
        let link = "[[off_mesh]]\nstart = [0,0,0]\nend = [1,0,0]\nradius = 1\narea = \"zzzzzzzzzzzz\"\n";
        let found = problems(&(areas + link));
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].remedy.clone().unwrap()
    };
    // The ground is one, too.
    assert_eq!(remedy(2), "areas are: area01, area02, ground");
    assert!(remedy(15).ends_with("area14, area15, ground"), "{}", remedy(15));
    assert!(remedy(16).ends_with("area15, area16 and 1 more"), "{}", remedy(16));
    assert!(remedy(18).ends_with("area15, area16 and 3 more"), "{}", remedy(18));
}

#[test]
fn the_first_hundred_problems_get_a_hint() {
    let key = |number: usize| format!("radius{number:03} = 1\n");
    let found = problems(&("[agent]\n".to_owned() + &(0..120).map(key).collect::<String>()));
    assert_eq!(found.len(), 120);
    let names_a_key = |problem: &&SettingProblem| {
        problem.remedy.as_ref().is_some_and(|remedy| remedy.contains("nearest key is `agent.radius`"))
    };
    assert_eq!(found.iter().filter(names_a_key).count(), 100);
}

#[test]
fn agents_have_short_plain_names() {
    let of = |name: &str| read_settings(&format!("[[agent]]\nname = \"{name}\"\n"));
    for name in ["a", "-", "a_b-9", &"n".repeat(64)] {
        assert_eq!(of(name).unwrap().agents[0].name, name);
    }
    for name in ["", "a b", "ä", &"n".repeat(65)] {
        assert!(of(name).is_err(), "{name}");
    }
}

#[test]
fn colours_are_six_hexadecimal_digits() {
    assert_eq!(hex_colour("#01ab9F"), Some([1, 0xAB, 0x9F]));
    for text in ["", "#", "01ab9f", "##1ab9f", "#01ab9", "#01ab9f0", "#01ab9g", "#+1+2+3", "#é1ab9", "#éab9f"]
    {
        assert_eq!(hex_colour(text), None, "{text}");
    }
}

#[test]
fn a_key_of_its_own_table_is_nearer_than_one_of_another() {
    // The same name in two tables, mistyped: that of the table it stands in.
    assert_eq!(nearest("off_mesh", "radiu").as_deref(), Some("off_mesh.radius"));
    assert_eq!(nearest("volume", "radiu").as_deref(), Some("volume.radius"));
    // The right name in the wrong table is better than a worse one in the right table.
    assert_eq!(nearest("agent", "polygon_vertices"), nearest("contours", "polygon_vertices"));
    assert_eq!(nearest("layer", "gravity").as_deref(), Some("links.gravity"));
    // Nothing like it anywhere.
    assert_eq!(nearest("agent", "qqqqqqqq"), None);
    assert_eq!(nearest("agent", &"radius".repeat(20)), None);
}
