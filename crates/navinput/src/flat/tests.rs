//! Maps that are read, and the errors for maps that are refused.

use super::{read_corners, read_geojson};
use navplane::PolygonList;
use recast::{AreaDefinition, AreaId};

const GROUND: &str = r#"{"type":"Feature","properties":{"name":"yard"},"geometry":
    {"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}}"#;

fn collection(features: &[&str]) -> String {
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(","))
}

fn square(properties: &str) -> String {
    let ring = "[[[3,3],[4,3,7],[4,4],[3,4],[3,3]]]";
    format!(
        r#"{{"type":"Feature","properties":{properties},"geometry":{{"type":"Polygon","coordinates":{ring}}}}}"#
    )
}

#[test]
fn features_are_ground_obstacles_and_areas() {
    let (water, again) = (square(r#"{"area":"water","cost":8}"#), square(r#"{"area":"water"}"#));
    let (id, rock) = (square(r#"{"area":7}"#), square(r#"{"obstacle":true}"#));
    let upstairs = square(r#"{"layer":2}"#);
    let text = collection(&[GROUND, &water, &again, &id, &rock, &upstairs]);
    let level = read_geojson(text.as_bytes(), &[]).unwrap();
    assert_eq!(level.layers.iter().map(|layer| layer.layer).collect::<Vec<_>>(), [0, 2]);
    let map = &level.layers[0].map;
    assert_eq!((map.outlines.len(), map.obstacles.len()), (1, 1));
    assert_eq!(map.outlines[0].outline, [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]);
    assert_eq!(map.outlines[0].holes.len(), 1);
    let areas: Vec<AreaId> = map.areas.iter().map(|labelled| labelled.area).collect();
    assert_eq!(areas, [AreaId(1), AreaId(1), AreaId(7)]);
    let defined: Vec<(u8, &str, f32)> =
        level.areas.iter().map(|area| (area.id.0, area.name.as_str(), area.cost)).collect();
    assert_eq!(defined, [(1, "water", 8.0), (7, "area 7", 1.0), (63, "ground", 1.0)]);
    let place = level.layers[0].place(PolygonList::Outlines, 0).unwrap();
    assert_eq!(place.to_string(), "feature 1 (`yard`), polygon 1");
}

#[test]
fn polygons_share_the_name_of_their_feature() {
    let ring = "[[[0,0],[1,0],[0,1],[0,0]]]";
    let text = format!(
        r#"{{"type":"Feature","properties":{{"name":"{}\u001b"}},"geometry":
        {{"type":"MultiPolygon","coordinates":[{ring},{ring},{ring}]}}}}"#,
        "n".repeat(1000)
    );
    let level = read_geojson(text.as_bytes(), &[]).unwrap();
    let names: Vec<_> = level.layers[0].places[0].iter().map(|place| place.name.as_ref().unwrap()).collect();
    assert!(names.len() == 3 && names.iter().all(|name| std::sync::Arc::ptr_eq(name, names[0])));
    let shown = level.layers[0].places[0][0].to_string();
    assert!(shown.ends_with("\\u{1b}`), polygon 1"), "{shown}");
}

#[test]
fn names_that_are_defined_keep_their_ids() {
    let swamp = AreaDefinition {
        id: AreaId(1),
        name: "swamp".to_owned(),
        flags: 4,
        cost: 3.0,
        ..AreaDefinition::ground()
    };
    let text = collection(&[GROUND, &square(r#"{"area":"water"}"#), &square(r#"{"area":"swamp","cost":5}"#)]);
    let level = read_geojson(text.as_bytes(), std::slice::from_ref(&swamp)).unwrap();
    let areas: Vec<AreaId> = level.layers[0].map.areas.iter().map(|labelled| labelled.area).collect();
    assert_eq!(areas, [AreaId(2), AreaId(1)]);
    assert_eq!(level.areas[0], AreaDefinition { cost: 5.0, ..swamp });
}

#[test]
fn geometries_nest() {
    let text = r#"{"type":"GeometryCollection","geometries":[
        {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[0,1],[0,0]]],[[[5,5],[6,5],[5,6],[5,5]]]]},
        {"type":"GeometryCollection","geometries":[
            {"type":"Polygon","coordinates":[[[8,8],[9,8],[8,9],[8,8]]]}]}]}"#;
    assert_eq!(read_geojson(text.as_bytes(), &[]).unwrap().layers[0].map.outlines.len(), 3);
}

#[test]
fn errors_name_feature_and_point() {
    let polygon = |rings: &str| {
        collection(&[
            GROUND,
            &format!(
                r#"{{"type":"Feature","properties":{{"name":"pond"}},
                "geometry":{{"type":"Polygon","coordinates":{rings}}}}}"#
            ),
        ])
    };
    let line = r#"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#;
    for (text, expected) in [
        (
            polygon("[[[0,0],[1,0],[1,1],[0,1]]]"),
            "feature 2 (`pond`), polygon 1, ring 1, point 4: the ring is open",
        ),
        (polygon("[[[0,0],[1,0],[0,0]]]"), "polygon 1, ring 1: the ring has 2 corners, expected at least 3"),
        (polygon("[[[0,0],[1,null],[1,1],[0,0]]]"), "ring 1, point 2: found a list, expected a position"),
        (polygon("[[[0,0],[1],[1,1],[0,0]]]"), "ring 1, point 2: found a list, expected a position"),
        (polygon("[[[0,0],[1,1e999],[1,1],[0,0]]]"), "the text is not JSON: number out of range"),
        (polygon("[7]"), "ring 1: found 7, expected a ring's list"),
        (collection(&[line]), "feature 1: the type is `LineString`, expected polygons"),
        (collection(&["3"]), "feature 1: found 3, expected an object"),
        (collection(&[&square(r#"{"area":0}"#)]), "feature 1: `area` is 0, expected a name or an id"),
        (collection(&[&square(r#"{"area":"a","cost":-1}"#)]), "feature 1: the cost is -1"),
        (
            collection(&[&square(r#"{"area":"a","obstacle":true}"#)]),
            "feature 1: it is an obstacle and has an area",
        ),
        (collection(&[&square(r#"{"cost":3}"#)]), "feature 1: it has a cost but no area"),
        (collection(&[&square(r#"{"layer":0.5}"#)]), "feature 1: `layer` is 0.5"),
        (
            collection(&[&square(r#"{"area":"a","cost":1}"#), &square(r#"{"area":"a","cost":2}"#)]),
            "feature 2: `a` costs 2 here and 1 before",
        ),
        (collection(&[&square(r#"{"obstacle":true}"#)]), "the file: there is no ground"),
        ("{".to_owned(), "line 1: the text is not JSON"),
        (r#"{"features":[]}"#.to_owned(), "the file: the object has no `type`"),
    ] {
        let error = read_geojson(text.as_bytes(), &[]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n  is not: {expected}");
    }
}

#[test]
fn lists_of_corners_are_read() {
    let text = "# a yard\n0 0\n9, 0\n9 9; 0 9\n\n// a hole\nVec2(1, 1), Vec2(2, 1),\n{Vec2(2, 2)}\n\n\n\
                obstacle\n5 5\n6 5\n6 6\n\narea water 4\n7 7 8 7 8 8\n\noutline\n20 0 30 0 30 9\nhole\n21 1 22 1 22 2\n";
    let level = read_corners(text.as_bytes(), &[]).unwrap();
    let map = &level.layers[0].map;
    assert_eq!(map.outlines.iter().map(|polygon| polygon.holes.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!((map.obstacles.len(), map.areas.len()), (1, 1));
    assert_eq!(level.areas[0].cost, 4.0);
    assert_eq!(level.layers[0].place(PolygonList::Obstacles, 0).unwrap().to_string(), "line 12");
}

#[test]
fn errors_in_lists_name_the_line() {
    for (text, expected) in [
        ("0 0\n1 0\n\n", "line 1: the ring has 2 corners"),
        ("0 0\n1 0 4\n", "line 2: the line has 3 numbers, expected pairs"),
        ("0 0\n1 x\n", "line 2: found `x`, expected a number"),
        ("0 0\n1 inf\n", "line 2: coordinate `inf` is not finite"),
        ("NaN 0\n", "line 1: coordinate `NaN` is not finite"),
        ("pond\n", "line 1: `pond` is not known"),
        ("hole\n0 0 1 0 1 1\n", "line 2: the hole comes before any outline"),
        ("# nothing\n", "the file: there is no outline"),
    ] {
        let error = read_corners(text.as_bytes(), &[]).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n  is not: {expected}");
    }
    assert_eq!(read_corners(b"0 0\n\xff", &[]).unwrap_err().place.line, Some(2));
}

#[test]
fn scaling_multiplies_every_coordinate() {
    let text = collection(&[GROUND, &square(r#"{"area":7}"#), &square(r#"{"obstacle":true}"#)]);
    let level = read_geojson(text.as_bytes(), &[]).unwrap();
    let mut scaled = level.layers[0].clone();
    scaled.scale(2.5);
    let map = &scaled.map;
    assert_eq!(map.outlines[0].outline, [[0.0, 0.0], [22.5, 0.0], [22.5, 22.5], [0.0, 22.5]]);
    assert_eq!(map.outlines[0].holes[0][1], [5.0, 2.5]);
    assert_eq!(map.obstacles[0].outline[0], [7.5, 7.5]);
    assert_eq!(map.areas[0].polygon.outline[2], [10.0, 10.0]);
}

#[test]
fn names_of_areas_have_1_to_255_bytes() {
    let named = |bytes: usize| {
        let name = "n".repeat(bytes);
        read_geojson(collection(&[GROUND, &square(&format!(r#"{{"area":"{name}"}}"#))]).as_bytes(), &[])
    };
    for right in [1, 255] {
        let level = named(right).unwrap();
        assert_eq!(level.areas[0].name.len(), right);
    }
    for wrong in [0, 256] {
        let error = named(wrong).unwrap_err().to_string();
        assert!(error.contains(&format!("the area's name has {wrong} bytes, expected 1 to 255")), "{error}");
    }
}

#[test]
fn an_area_of_corners_needs_no_cost() {
    let text = "outline\n0 0\n9 0\n9 9\narea mud\n1 1\n2 1\n2 2\narea water 4\n3 3\n4 3\n4 4\n";
    let level = read_corners(text.as_bytes(), &[]).unwrap();
    let areas: Vec<(&str, f32)> = level.areas.iter().map(|area| (area.name.as_str(), area.cost)).collect();
    assert_eq!(areas, [("mud", 1.0), ("water", 4.0), ("ground", 1.0)]);
}

#[test]
fn a_map_of_less_than_a_degree_may_be_in_degrees() {
    let wide = |side: f64| {
        let text = format!("0 0\n{side} 0\n{side} {side}\n0 {side}\n");
        read_corners(text.as_bytes(), &[]).unwrap().degrees().is_some()
    };
    assert!(wide(0.5) && !wide(1.0) && !wide(2.0));
}
