//! `[map]` and `[[layer]]`: valid tables, and the errors for invalid ones.

use super::map::MAP;
use super::{default_toml, read_settings};
use crate::error::InputError;
use crate::flat::{Direction, FlatLayer, MapSettings};
use navplane::{Map, Polygon};

fn problems(text: &str) -> Vec<String> {
    match read_settings(text) {
        Err(InputError::Settings(problems)) => problems.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn maps_lie_as_the_file_says() {
    assert_eq!(read_settings("").unwrap().map, MapSettings::default());
    let file = read_settings(&default_toml()).unwrap();
    assert_eq!(file.map, MapSettings::default());
    assert!(file.place_of("map.y").is_some());
    for key in MAP.names() {
        let mentioned = |line: &str| line.trim_start_matches("# ").starts_with(&format!("{key} = "));
        assert!(default_toml().lines().any(mentioned), "{key}");
    }
    let text = "[map]\nx = \"z\"\ny = \"+x\"\nheight = -2\nspacing = 0.25\n\
                [[layer]]\nnumber = -1\nheight = 3.5\n";
    let map = read_settings(text).unwrap().map;
    assert_eq!((map.x, map.y, map.spacing), (Direction::PlusZ, Direction::PlusX, Some(0.25)));
    assert_eq!((map.height_of(0), map.height_of(-1)), (-2.0, 3.5));
    assert_eq!(map.to_world([1.0, 2.0]), [2.0, 1.0]);
}

#[test]
fn layers_are_turned() {
    let outline = vec![[1.0, 2.0], [3.0, 0.0], [5.0, 7.0]];
    let turned = |x, y| {
        let polygon = Polygon { outline: outline.clone(), holes: Vec::new() };
        let mut layer =
            FlatLayer { map: Map { outlines: vec![polygon], ..Map::default() }, ..FlatLayer::default() };
        layer.turn(&MapSettings { x, y, ..MapSettings::default() });
        layer.map.outlines.remove(0).outline
    };
    assert_eq!(turned(Direction::PlusX, Direction::MinusZ), outline);
    // In `navplane`, y points towards smaller z.
    assert_eq!(turned(Direction::PlusX, Direction::PlusZ)[0], [1.0, -2.0]);
    assert_eq!(turned(Direction::MinusZ, Direction::MinusX)[0], [-2.0, 1.0]);
}

#[test]
fn what_is_wrong_with_a_map_is_named() {
    let text = "[map]\nx = \"-z\"\nheight = 2e6\nspacing = 0\nhight = 3\n\
                [[layer]]\nnumber = 0.5\n[[layer]]\nnumber = 1\nheight = 1\n[[layer]]\nnumber = 1\nheight = 1\n";
    let problems = problems(text);
    for expected in [
        "`map.x` and `map.y` are on the same axis",
        "`map.height` is 2e6",
        "`map.spacing` is 0",
        "unknown key `map.hight`",
        "`layer[0].number` is 0.5",
        "`layer[0]` has no `height`",
        "`layer[2]` is layer 1, which is already given",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:#?}");
    }
    assert!(
        self::problems("[map]\nx = \"up\"\n")[0]
            .contains("expected \"x\", \"-x\", \"z\", \"-z\", \"+x\" or \"+z\"")
    );
    assert!(self::problems("map = 3\n")[0].contains("a table: `[map]`"));
}
