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
    let help = "5 agents did not arrive in time. Try more time (`--seconds 1`), a smaller `--radius`, or fewer `--agents`";
    assert!(run.stdout.contains(help), "{}", run.stdout);
    let run =
        folder.run(&["crowd", "level.navtile", "--agents", "5", "--seconds", "0.1", "--json"]).expect(1);
    assert_eq!(run.json()["help"], help);
}

#[test]
fn agents_wider_than_those_of_the_mesh_are_refused() {
    let folder = Folder::baked();
    let run = folder.run(&["crowd", "level.navtile", "--agents", "2", "--radius", "0.75"]).expect(2);
    run.says(&[
        "keeps 0.60 m from walls: bodies of radius 0.75 m would be up to 0.15 m in them",
        "--agent-radius",
    ]);
    let kind = "[[kind]]\nname = \"ogre\"\nradius = 1.0\n[[agents]]\nstart.places = [[2, 0, 2]]\n";
    folder.write("ogre.toml", kind);
    let run = folder.run(&["crowd", "level.navtile", "-c", "ogre.toml"]).expect(2);
    run.says(&["ogre.toml: `kind[0].radius`: is 1 m for \"ogre\", but the mesh keeps 0.60 m from walls"]);
}

#[test]
fn ways_are_drawn() {
    let folder = Folder::baked();
    folder.run(&["crowd", "level.navtile", "--agents", "5", "--picture", "crowd.svg"]).expect(0);
    let picture = String::from_utf8(folder.read("crowd.svg")).unwrap();
    assert!(picture.contains("<svg") && picture.contains("most time"));
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

/// Four agents that walk from one side of the box to the other, past a gate.
const SCENARIO: &str = r#"
seconds = 30

[[kind]]
name = "guard"
radius = 0.3

[[agents]]
name = "guards"
count = 4
start.box = [[-4, -1, -4], [-2, 1, 4]]
goal.shift = [6, 0, 0]

[[gate]]
name = "north"
line = [[0, 0, -5], [0, 0, -1]]

[check]
arrived = 1.0
left_mesh = 0
"#;

fn with_scenario(text: &str) -> Folder {
    let folder = Folder::baked();
    folder.write("crowd.toml", text);
    folder
}

#[test]
fn a_scenario_is_run_and_its_bounds_are_checked() {
    let folder = with_scenario(SCENARIO);
    let args = ["crowd", "level.navtile", "-c", "crowd.toml", "--check", "--json"];
    let report = folder.run(&args).expect(0).json();
    assert_eq!((&report["agents"], &report["arrived"]), (&4.into(), &4.into()), "{report}");
    assert_eq!((&report["gates"][0]["name"], &report["gates"][0]["width"]), (&"north".into(), &4.0.into()));
    assert_eq!(report["broken"], serde_json::Value::Null);
    // Standard input and another number of threads give the same run.
    let args = ["crowd", "level.navtile", "-c", "-", "--threads", "3", "--json"];
    assert_eq!(folder.run_with_input(&args, SCENARIO).expect(0).json()["hash"], report["hash"]);
    folder.write("tight.toml", SCENARIO.replace("left_mesh = 0", "seconds = 1.5"));
    let run = folder.run(&["crowd", "level.navtile", "-c", "tight.toml", "--check"]).expect(1);
    assert!(run.stdout.contains("broken     `seconds` is "), "{}", run.stdout);
    assert!(run.stdout.contains(", expected at most 1.5: off by "), "{}", run.stdout);
    // Without --check, only the arrival of all agents counts.
    folder.run(&["crowd", "level.navtile", "-c", "tight.toml"]).expect(0);
}

#[test]
fn scenarios_that_cannot_be_are_refused() {
    let folder = with_scenario("[[agents]]\ncount = 2\nstart.box = [[-4, -1, -4], [4, 1, 4]]\nspede = 2\n");
    let args = ["crowd", "level.navtile", "-c", "crowd.toml"];
    folder
        .run(&args)
        .expect(2)
        .says(&["crowd.toml: 1 error in the scenario", "line 4, column 1: unknown key `agents.spede`"]);
    folder.write("crowd.toml", "[[agents]]\ncount = 2\nstart.box = [[90, -1, 90], [91, 1, 91]]\n");
    folder.run(&args).expect(2).says(&["`agents[0].start`: there is ground for 0 of 2", "help: give places"]);
    folder.write("crowd.toml", "seconds = 1");
    folder.run(&[&args[..], &["--check"]].concat()).expect(2).says(&["no bounds to check", "[check]"]);
    folder
        .run(&[&args[..], &["--agents", "5"]].concat())
        .expect(2)
        .says(&["--agents", "cannot be used with"]);
    folder.run(&["crowd", "level.navtile", "--check"]).expect(2);
    folder.run(&["crowd", "-", "-c", "-"]).expect(2).says(&["standard input is named twice"]);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = with_scenario(SCENARIO);
    let args = ["crowd", "level.navtile", "-c", "crowd.toml"];
    for (option, name) in
        [("--record", "level.navtile"), ("--record", "crowd.toml"), ("--picture", "level.navtile")]
    {
        folder.run(&[&args[..], &[option, name]].concat()).expect(2).says(&[name]);
    }
    let both = ["--record", "a.svg", "--picture", "a.svg"];
    folder.run(&[&args[..], &both].concat()).expect(2).says(&["would hold two results"]);
    assert_eq!(folder.read("crowd.toml"), SCENARIO.as_bytes());
    assert!(!folder.names().contains(&"a.svg".to_owned()));
}

#[test]
fn a_recording_is_played() {
    let folder = with_scenario(SCENARIO);
    let args =
        ["crowd", "level.navtile", "-c", "crowd.toml", "--record", "run.navcrowd", "--picture", "run.svg"];
    folder.run(&args).expect(0);
    let picture = String::from_utf8(folder.read("run.svg")).unwrap();
    assert!(picture.contains(">guards<"), "the legend names the agents");
    let play = ["crowd", "level.navtile", "--play", "run.navcrowd"];
    let report = folder.run(&[&play[..], &["--json"]].concat()).expect(0).json();
    assert_eq!((&report["agents"], &report["arrived"]), (&4.into(), &4.into()), "{report}");
    assert_eq!(report["held_up"], 0, "{report}");
    assert!(report["frames"].as_u64().unwrap() > 20 && report["bytes"].as_u64().unwrap() < 4000, "{report}");
    let early = ["--at", "1", "--picture", "early.svg", "--json"];
    let early = folder.run(&[&play[..], &early].concat()).expect(0).json();
    assert_eq!((&early["at"], &early["arrived"]), (&1.0.into(), &0.into()), "{early}");
    assert!(String::from_utf8(folder.read("early.svg")).unwrap().contains("class=\"bodies\""));
    // Standard output gets the same bytes, and standard error the report.
    let piped = folder.command(&["crowd", "level.navtile", "-c", "crowd.toml", "--record", "-"]).output();
    let piped = piped.unwrap();
    assert_eq!(piped.stdout, folder.read("run.navcrowd"));
    assert!(String::from_utf8(piped.stderr).unwrap().contains("arrived"));
    // A damaged recording is refused.
    let mut bytes = folder.read("run.navcrowd");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("run.navcrowd", bytes);
    folder.run(&play).expect(3).says(&["run.navcrowd: byte ", "is damaged", "help: record it again"]);
    folder.write("run.navcrowd", "not a recording");
    folder.run(&play).expect(3).says(&["it is not a recording of a crowd"]);
}
