//! Crowds from files: scenarios with many names and with many errors; recordings.

use super::tiles::{content, grid, written};
use super::{Family, Made, Member};
use crowdlab::recording::{Change, Doing, Pose, RecordedBody, Recorder, Recording, RecordingHeader};
use crowdlab::scenario::{Run, Scenario, Terrain};
use detour::{NavMesh, Vec3};

/// Steps of a scenario.
const STEPS: usize = 12;

pub(super) const FAMILIES: [Family; 10] = [
    Family { name: "crowd-file/kinds", start: 400, make: |n| sound((0..n).map(kind).collect()) },
    Family { name: "crowd-file/agents-of-kinds", start: 200, make: of_kinds },
    Family { name: "crowd-file/who-chase", start: 300, make: |n| sound((0..n).map(chaser).collect()) },
    Family { name: "crowd-file/who-follow", start: 200, make: followers },
    Family { name: "crowd-file/gates", start: 300, make: gates },
    Family {
        name: "crowd-file/problems",
        start: 400,
        make: |n| wrong("[[kind]]\nname = \"k\"\nspeed = 0\n".repeat(n)),
    },
    Family { name: "crowd-file/a-pile", start: 1000, make: pile },
    Family { name: "crowd-file/gates-on-the-way", start: 1000, make: gates_on_the_way },
    Family { name: "recording/frames", start: 100, make: |n| recording(n, 8) },
    Family { name: "recording/changes", start: 8, make: |n| recording(8, 200 * n) },
];

fn sound(text: String) -> Made {
    Ok(Member::new(text.len(), move || {
        drop(Scenario::read(&text)?);
        Ok(())
    }))
}

fn wrong(text: String) -> Made {
    Ok(Member::new(text.len(), move || match Scenario::read(&text) {
        Ok(_) => Err("this should be refused".into()),
        Err(error) => {
            drop(error.to_string());
            Ok(())
        }
    }))
}

fn kind(at: usize) -> String {
    format!("[[kind]]\nname = \"k{at}\"\n")
}

/// Agents with a kind for each, the last kind first.
fn of_kinds(count: usize) -> Made {
    let agents =
        |at: usize| format!("[[agents]]\nname = \"a{at}\"\nkind = \"k{at}\"\nstart.places = [[0, 0, 0]]\n");
    sound((0..count).map(kind).chain((0..count).rev().map(agents)).collect())
}

/// An agent that chases the previous one; the first chases the second.
fn chaser(at: usize) -> String {
    let after = if at == 0 { 1 } else { at - 1 };
    format!("[[agents]]\nname = \"a{at}\"\nstart.places = [[0, 0, 0]]\ngoal.chase = \"a{after}\"\n")
}

/// A leader for each follower.
fn followers(count: usize) -> Made {
    let pair = |at: usize| {
        format!(
            "[[agents]]\nname = \"a{at}\"\nstart.places = [[0, 0, 0]]\n\
             [[agents]]\nstart.places = [[0, 0, 0]]\nfollow.leader = \"a{at}\"\nfollow.formation = \"line\"\n"
        )
    };
    sound((0..count).map(pair).collect())
}

/// Gates, and a bound for each.
fn gates(count: usize) -> Made {
    let gate = |at: usize| format!("[[gate]]\nname = \"g{at}\"\nline = [[0, 0, 0], [1, 0, 0]]\n");
    let bound = |at: usize| format!("g{at} = 1\n");
    let gates: String = (0..count).map(gate).collect();
    sound(gates + "[check.flow]\n" + &(0..count).map(bound).collect::<String>())
}

/// A scenario that is run for some steps, on 24 m of ground along each axis.
fn run(size: usize, text: &str) -> Made {
    let scenario = Scenario::read(text)?;
    let mut mesh = NavMesh::default();
    mesh.add_tile(written(&content([0; 2], &grid(1600)))?)?;
    Ok(Member::new(size, move || {
        let mut run = Run::new(&scenario, mesh, &Terrain::default())?;
        for _ in 0..STEPS {
            run.step()?;
            run.watch()?;
        }
        Ok(())
    }))
}

/// Agents that all start in one place.
fn pile(count: usize) -> Made {
    let places = "[9, 0, 9], ".repeat(count);
    run(count, &format!("[[agents]]\nstart.places = [{places}]\ngoal.place = [4, 0, 4]\n"))
}

/// Agents that walk along n gates and through n others.
fn gates_on_the_way(count: usize) -> Made {
    let gate = |at: usize| {
        let x = 2.0 + 8.0 * at as f64 / count as f64;
        format!("[[gate]]\nname = \"g{at}\"\nline = [[{x}, 0, 1], [{x}, 0, 20]]\n")
    };
    let agents = "[[agents]]\ncount = 20\nstart.box = [[2, -1, 2], [9, 1, 9]]\ngoal.shift = [9, 0, 0]\n";
    run(count, &((0..count).map(gate).collect::<String>() + agents))
}

/// A recording that is written and read. Each frame has the given number of agents, and of changes.
fn recording(agents: usize, changes: usize) -> Made {
    let header = RecordingHeader {
        rate: 60.0,
        every: 6,
        quantum: 1.0 / 256.0,
        bodies: vec![RecordedBody { radius: 0.25, height: 1.75 }; agents],
        cohorts: (0..agents).map(|at| (format!("c{at}"), 1)).collect(),
        doors: vec![[[0.0; 3], [1.0; 3]]; changes],
        ..RecordingHeader::default()
    };
    Ok(Member::new(agents + changes, move || {
        let mut recorder = Recorder::new(Vec::new(), &header)?;
        for step in 0..70 {
            let pose = |at| Pose {
                position: Vec3::X * (at + step) as f32,
                heading: 64,
                doing: Doing::Walking,
                held: None,
            };
            let shut: Vec<Change> = (0..changes as u32).map(Change::DoorShut).collect();
            recorder.changed(&shut);
            recorder.frame(6 * step as u64, (0..agents).map(pose))?;
        }
        let bytes = recorder.finish()?;
        let recording = Recording::open(&bytes)?;
        let mut frames = recording.frames();
        while frames.next()?.is_some() {}
        Ok(())
    }))
}
