//! `[[links]]`: valid tables, and the errors for invalid ones.

use super::links::LINKS;
use super::{default_toml, read_settings};
use crate::error::InputError;
use recast::{AreaId, LinkKind, LinkProfile};

fn problems(text: &str) -> Vec<String> {
    match read_settings(text) {
        Err(InputError::Settings(problems)) => problems.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_a_profile_of_no_kind_only_the_kind_is_reported() {
    let reported = problems("[[links]]\nkind = \"hop\"\nheight = [1, -6]\nworth = -3\n");
    assert!(reported.len() == 1 && reported[0].contains("hop"), "{reported:?}");
}

#[test]
fn profiles_are_read() {
    let text = "[[area]]\nid = 7\nname = \"leap\"\n[[links]]\nkind = \"drop\"\nheight = [1, 6]\n\
                [[links]]\nkind = \"jump\"\nheight = [2.0, 0.5]\ndistance = [0.5, 4]\narc = 0.8\nboth_ways = false\n\
                area = \"leap\"\nflags = 0x10\nworth = 2\nspacing = 1.5\n";
    let links = read_settings(text).unwrap().settings.links;
    let jump = LinkProfile {
        distance: Some([0.5, 4.0]),
        height: [2.0, 0.5],
        arc: 0.8,
        both_ways: false,
        area: AreaId(7),
        flags: Some(0x10),
        worth: 2.0,
        spacing: 1.5,
        ..LinkProfile::new(LinkKind::Jump)
    };
    assert_eq!(links, [LinkProfile { height: [1.0, 6.0], ..LinkProfile::new(LinkKind::Drop) }, jump]);
    let text = "[[area]]\nid = 9\nname = \"rungs\"\n[[links]]\nkind = \"ladder\"\nheight = [1, 9]\nsurface = \"rungs\"\n\
                [[links]]\nkind = \"jump\"\nheight = [1, 1]\ndistance = [0, 3]\nspeed = 6\ngravity = 3.7\n";
    let links = read_settings(text).unwrap().settings.links;
    let surface = Some(AreaId(9));
    let ladder = LinkProfile { height: [1.0, 9.0], surface, ..LinkProfile::new(LinkKind::Ladder) };
    let thrown = LinkProfile { speed: Some(6.0), gravity: 3.7, ..LinkProfile::new(LinkKind::Jump) };
    assert_eq!(links, [ladder, thrown]);
    for key in LINKS.names() {
        let mentioned = |line: &str| line.trim_start_matches(['#', ' ']).starts_with(&format!("{key} = "));
        assert!(default_toml().lines().any(mentioned), "{key}");
    }
}

#[test]
fn what_is_wrong_with_profiles_is_named_all_at_once() {
    let text = "[[links]]\nkind = \"jumb\"\nheight = [1, 1]\n[[links]]\nkind = \"jump\"\nheight = 2\nworth = \"much\"\n\
                [[links]]\nkind = \"drop\"\nheight = [3, 1]\nworth = 0.5\nspacings = 2\n[[links]]\nheight = [0, 1]\n";
    let problems = problems(text);
    for expected in [
        "`links[0].kind` is \"jumb\", expected \"drop\", \"jump\", \"climb\" or \"ladder\"",
        "`links[1]` has no `distance`",
        "`links[1].height` is 2 (integer), expected two numbers of metres: [down, up]",
        "`links[1].worth` is \"much\"",
        "unknown key `links.spacings`",
        "`links[3]` has no `kind`",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:#?}");
    }
    let arcs = self::problems(
        "[[links]]\nkind = \"jump\"\nheight = [1, 1]\ndistance = [0, 3]\narc = 1\nspeed = 6\n\
         [[links]]\nkind = \"jump\"\nheight = [1, 1]\ndistance = [0, 3]\ngravity = 3.7\n\
         [[links]]\nkind = \"ladder\"\nheight = [1, 9]\n",
    );
    for expected in [
        "`links[0].speed` and `links[0].arc` are both given",
        "`links[1].gravity` is given without `links[1].speed`",
        "`links[2]` has no `surface`",
    ] {
        assert!(arcs.iter().any(|problem| problem.contains(expected)), "{expected}: {arcs:#?}");
    }
    let ranges = self::problems("[[links]]\nkind = \"drop\"\nheight = [3, 1]\nworth = 0.5\nspacings = 2\n");
    for expected in [
        "`links[0].height` is [3.0, 1.0], expected [least, most], both between 0 and 1000 metres",
        "`links[0].worth` is 0.5, expected between 1 and 1000",
    ] {
        assert!(ranges.iter().any(|problem| problem.contains(expected)), "{expected}: {ranges:#?}");
    }
}
