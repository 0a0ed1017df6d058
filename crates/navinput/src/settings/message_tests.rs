//! Messages: the length of quoted values, the names listed, and the number of hints; and the bounds of names
//! and colours.

use super::suggest::nearest;
use super::{hex_colour, read_settings};
use crate::error::{InputError, SettingProblem};
use crate::tables::shown;

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
    // Ground is a known area, too.
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
fn a_point_that_is_none_is_asked_for_by_its_axes() {
    let text = "[[obstacle]]\nkind = \"box\"\nat = [1, 2]\nsize = [1, 1, 1]\nsolid = true\n";
    let error = crate::read_obstacles(text, &Default::default(), &mut |_| Err(String::new())).unwrap_err();
    let expected =
        "line 3, column 6: `obstacle[0].at` is [1, 2] (array), expected three finite numbers: [x, y, z]";
    assert!(error.to_string().contains(expected), "{error}");
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
    // The same mistyped name exists in two tables: the one from its own table is suggested.
    assert_eq!(nearest("off_mesh", "radiu").as_deref(), Some("off_mesh.radius"));
    assert_eq!(nearest("volume", "radiu").as_deref(), Some("volume.radius"));
    // The right name in the wrong table is better than a worse one in the right table.
    assert_eq!(nearest("agent", "polygon_vertices"), nearest("contours", "polygon_vertices"));
    assert_eq!(nearest("agent", "max_vertices").as_deref(), Some("max_vertices"));
    assert_eq!(nearest("", "agent_radius").as_deref(), Some("agent.radius"));
    // No key is similar.
    assert_eq!(nearest("agent", "qqqqqqqq"), None);
    assert_eq!(nearest("agent", &"radius".repeat(20)), None);
}

/// A key of another list means something else, even if the name is similar.
#[test]
fn an_entry_of_a_list_is_given_the_keys_of_its_own_list() {
    for (text, expected) in [
        ("[[off_mesh]]\nfrom = [0, 0, 0]\n", "the key is `off_mesh.start`"),
        ("[[off_mesh]]\nto = [0, 0, 0]\n", "the key is `off_mesh.end`"),
        (
            "[[off_mesh]]\nname = \"lift\"\n",
            "`[[off_mesh]]` has the keys start, end, radius, along, both_ways, area, flags",
        ),
        ("[[off_mesh]]\nflag = 1\n", "the nearest key is `off_mesh.flags`"),
        ("[[links]]\nname = \"ledges\"\n", "`[[links]]` has the keys kind, height, distance, surface"),
        ("[[links]]\nradius = 1\n", "`[[links]]` has the keys kind"),
        ("[[layer]]\ngravity = 1\n", "`[[layer]]` has the keys number, height"),
        ("[[area]]\nradius = 1\n", "`[[area]]` has the keys id, name"),
        ("[[volume]]\nstart = 1\n", "`[[volume]]` has the keys shape, area, min, max"),
    ] {
        let found = problems(text);
        let named = |problem: &SettingProblem| {
            problem.what.starts_with("unknown key")
                && problem.remedy.as_ref().is_some_and(|remedy| remedy.starts_with(expected))
        };
        assert!(found.iter().any(named), "{expected} for {text}: {found:?}");
    }
}

#[test]
fn only_agents_are_tables_or_lists_of_tables() {
    for table in ["regions", "contours", "detail", "input"] {
        let found = problems(&format!("[[{table}]]\nname = \"a\"\n"));
        assert!(found[0].what.contains(&format!("expected a table: `[{table}]`")), "{found:?}");
    }
}

#[test]
fn an_agent_answers_for_its_own_settings_alone() {
    let found = problems("cell_size = nan\n[[agent]]\nname = \"a\"\nradius = -1\n");
    let lines: Vec<(u64, &str)> = found
        .iter()
        .map(|problem| (problem.place.map_or(0, |place| place.line), &*problem.what))
        .filter(|(_, what)| !what.starts_with("`cell_size`"))
        .collect();
    assert!(matches!(&lines[..], [(4, what)] if what.starts_with("`agent[0].radius` is -1")), "{found:?}");
}

#[test]
fn a_climb_is_doubted_by_itself_and_not_for_a_broken_height() {
    let lines = |text: &str| {
        let place = |problem: &SettingProblem| problem.place.map(|place| place.line);
        problems(text).iter().filter_map(place).collect::<Vec<_>>()
    };
    assert_eq!(lines("foo = 1\n[agent]\nclimb = -1\n"), [1, 3]);
    assert_eq!(lines("foo = 1\n[agent]\nclimb = 0\nheight = -1\n"), [1, 4]);
}
