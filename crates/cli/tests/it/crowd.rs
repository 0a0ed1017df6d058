//! `navtile crowd` from outside.

use crate::common::Folder;

fn crowd(folder: &Folder, threads: &str) -> serde_json::Value {
    let args = ["crowd", "level.navtile", "--agents", "20", "--radius", "0.25", "--seed", "3", "--json"];
    folder.run(&[&args[..], &["--threads", threads]].concat()).expect(0).json()
}

#[test]
fn everybody_arrives_and_threads_change_nothing() {
    let folder = Folder::baked();
    let report = crowd(&folder, "1");
    assert_eq!((&report["agents"], &report["arrived"]), (&20.into(), &20.into()), "{report}");
    assert_eq!(report["left_mesh"], 0);
    assert!(report["worst_overlap"].as_f64().unwrap() <= 0.05, "{report}");
    assert!(report["mean_delay"].as_f64().unwrap() < 20.0, "{report}");
    for figure in ["median", "p99", "max"] {
        assert!(report["step_us"][figure].as_f64().unwrap() > 0.0, "{report}");
    }
    let again = crowd(&folder, "4");
    assert_eq!(report["hash"], again["hash"]);
    let other = folder.run(&["crowd", "level.navtile", "--agents", "20", "--radius", "0.25", "--json"]);
    assert_ne!(other.expect(0).json()["hash"], report["hash"]);
}

#[test]
fn the_answer_is_no_if_not_all_arrive_in_time() {
    let folder = Folder::baked();
    let run = folder.run(&["crowd", "level.navtile", "--agents", "5", "--seconds", "0.1"]).expect(1);
    assert!(run.stdout.contains("arrived    0 of 5 after 0.1 s"), "{}", run.stdout);
}

#[test]
fn ways_are_drawn() {
    let folder = Folder::baked();
    folder.run(&["crowd", "level.navtile", "--agents", "5", "--picture", "crowd.svg"]).expect(0);
    let picture = String::from_utf8(folder.read("crowd.svg")).unwrap();
    assert!(picture.contains("<svg") && picture.contains("longest"));
    let run = folder.run(&["crowd", "level.navtile", "--picture", "level.navtile"]).expect(2);
    assert!(run.stderr.contains("level.navtile"), "{}", run.stderr);
}

#[test]
fn more_than_there_is_room_for_are_refused() {
    let folder = Folder::baked();
    let run = folder.run(&["crowd", "level.navtile", "--agents", "5000"]).expect(2);
    assert!(run.stderr.contains("of 5000 agents of radius 0.6 m"), "{}", run.stderr);
    assert!(run.stderr.contains("--radius"), "{}", run.stderr);
}
