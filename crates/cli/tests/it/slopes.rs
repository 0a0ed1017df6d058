//! `navtile path` with costs and limits of slopes.

use crate::common::Folder;
use serde_json::Value;

/// A floor of 20 x 20 m with a ridge across it, 1.5 m high, and a level pass at one end.
const LEVEL: &str = "\
v 0 0 0\nv 8 0 0\nv 8 0 20\nv 0 0 20\nv 12 0 0\nv 20 0 0\nv 20 0 20\nv 12 0 20
v 10 1.5 0\nv 10 1.5 14\nv 8 0 14\nv 12 0 14\nv 10 0 20\nv 10 0 14
f 4 3 2 1\nf 8 7 6 5\nf 2 11 10 9\nf 9 10 12 5\nf 11 3 8 12\n";

const ENDS: [&str; 4] = ["--from", "3,0,3", "--to", "17,0,3"];

fn ridge() -> Folder {
    let folder = Folder::new();
    folder.write("level.obj", LEVEL);
    folder.run(&["bake", "level.obj"]).expect(0);
    folder
}

fn ask(folder: &Folder, more: &[&str]) -> Value {
    folder.run(&[&["path", "level.navtile", "--json"], &ENDS[..], more].concat()).expect(0).json()
}

fn highest(answer: &Value) -> f64 {
    let points = answer["points"].as_array().unwrap();
    points.iter().map(|point| point[1].as_f64().unwrap()).fold(f64::MIN, f64::max)
}

#[test]
fn dear_climbs_and_steep_slopes_are_avoided() {
    let folder = ridge();
    let number = |answer: &Value, key: &str| answer[key].as_f64().unwrap();
    let plain = ask(&folder, &[]);
    let over = ask(&folder, &["--climb-cost", "0.5", "--descent-cost", "0.25"]);
    assert!(highest(&over) > 1.2, "{over}");
    let height = highest(&over) - over["points"][0][1].as_f64().unwrap();
    assert!((number(&over, "cost") - number(&over, "length") - 0.75 * height).abs() < 0.2, "{over}");
    assert!(number(&over, "length") >= number(&plain, "length") - 0.01, "{plain}");
    for more in [
        &["--climb-cost", "20"][..],
        &["--descent-cost", "20"],
        &["--max-slope-up", "2"],
        &["--max-slope-down", "2"],
    ] {
        let around = ask(&folder, more);
        assert!(highest(&around) < 0.6, "{more:?}: {around}");
        assert!(number(&around, "length") > number(&over, "length") + 5.0, "{more:?}: {around}");
    }
}

#[test]
fn rows_are_answered_with_slopes_too() {
    let folder = ridge();
    folder.write("pairs.csv", "3,0,3,17,0,3\n17,0,3,3,0,3\n");
    let call = ["path", "level.navtile", "--batch", "pairs.csv", "--climb-cost", "2"];
    let run = folder.run(&call).expect(0);
    let rows: Vec<Value> = run.stdout.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0], ask(&folder, &["--climb-cost", "2"]));
    let costs = [&rows[0], &rows[1]].map(|row| row["cost"].as_f64().unwrap());
    assert!((costs[0] - costs[1]).abs() < 0.05 * costs[0], "{costs:?}");
}

#[test]
fn bad_slopes_are_refused() {
    let folder = ridge();
    for (more, says) in [
        (["--climb-cost", "-1"], "the climb cost is -1"),
        (["--descent-cost", "NaN"], "the descent cost is NaN"),
        (["--max-slope-up", "91"], "the largest slope up is 91"),
        (["--max-slope-down", "-3"], "the largest slope down is -3"),
    ] {
        let more = [more[0].to_owned() + "=" + more[1]];
        let call = [&["path", "level.navtile"][..], &ENDS, &more.each_ref().map(String::as_str)].concat();
        folder.run(&call).expect(2).says(&[says]);
    }
    for other in ["--optimal", "--far"] {
        let call = [&["path", "level.navtile"][..], &ENDS, &["--climb-cost", "1", other]].concat();
        folder.run(&call).expect(2).says(&["--climb-cost", "cannot be used with"]);
    }
}
