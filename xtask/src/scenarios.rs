//! `cargo xtask scenarios`: runs every scenario of navscenes to its end, checks its bounds, draws it, and
//! writes its figures into docs/crowds-reference.md.

use crate::outputs::{Outputs, root};
use crate::{Error, Outcome};
use crowd::AgentState;
use crowdlab::scenario::{Broken, Flow, Run, RunReport, Scenario, Terrain};
use detour::NavMesh;
use navdraw::{MeshOptions, TrackGroup, Tracks, mesh_picture};
use navscenes::crowds::{CrowdScene, rimea};
use navtile::Tile;
use rayon::prelude::*;

const FOLDER: &str = "docs/scenarios";
const DOCUMENT: &str = "docs/crowds-reference.md";
/// The marks before and after the tables: of crowds that jam, and of the tests of RiMEA.
const MARKS: [&str; 2] = ["<!-- scenarios -->", "<!-- /scenarios -->"];
const RIMEA_MARKS: [&str; 2] = ["<!-- rimea -->", "<!-- /rimea -->"];
/// Steps between two recorded positions of an agent.
const TRACK_EVERY: u64 = 12;
/// The bodies are drawn when this share of the agents has arrived.
const DRAWN_AT: f64 = 0.25;

/// A scenario that has been run.
struct Finished {
    scene: &'static CrowdScene,
    report: RunReport,
    broken: Vec<Broken>,
    picture: String,
}

/// Runs and draws the scenarios of these names. If `names` is empty, runs all of them and writes the table of
/// the docs.
pub(crate) fn run(names: &[String], check: bool) -> Outcome {
    let scenes = navscenes::crowds::all().iter().chain(rimea::all());
    let chosen = |scene: &&CrowdScene| names.is_empty() || names.iter().any(|name| name == scene.name);
    let scenes: Vec<&'static CrowdScene> = scenes.filter(chosen).collect();
    // Side by side, as a step of a few hundred agents hardly gains by threads.
    let finish = |scene: &&'static CrowdScene| {
        finish(scene).map_err(|error| format!("scenario {}: {error}", scene.name))
    };
    let all: Vec<Finished> = scenes.par_iter().with_max_len(1).map(finish).collect::<Result<_, String>>()?;
    for finished in &all {
        println!("{}", line(finished));
        finished.broken.iter().for_each(|broken| println!("    broken: {broken}"));
    }
    if all.is_empty() {
        return Err(format!("there is no scenario {}", names.join(", ")).into());
    }
    let mut outputs = Outputs::new(root(), !check);
    for finished in &all {
        outputs.put(&format!("{FOLDER}/{}.svg", finished.scene.name), finished.picture.as_bytes())?;
    }
    if names.is_empty() {
        outputs.no_others(FOLDER, "svg")?;
        let text = std::fs::read_to_string(root().join(DOCUMENT))?;
        let (own, tests) = all.split_at(navscenes::crowds::all().len());
        let text = with_table(&text, MARKS, &own_table(own))?;
        outputs.put(DOCUMENT, with_table(&text, RIMEA_MARKS, &rimea_table(tests))?.as_bytes())?;
    }
    let holds = all.iter().all(|finished| finished.broken.is_empty());
    Ok(outputs.report("cargo xtask scenarios") && holds)
}

/// Bakes the level, runs the scenario to its end and draws it.
fn finish(scene: &'static CrowdScene) -> Result<Finished, Error> {
    let tiles = scene.bake()?;
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.clone())?;
    let scenario = Scenario::read(scene.crowd)?;
    let mut run = Run::new(&scenario, mesh, &Terrain::default())?;
    let groups = scenario.agents.iter().zip(run.cohorts()).map(|(agents, cohort)| TrackGroup {
        name: agents.name.clone(),
        ways: vec![Vec::new(); cohort.len()],
        bodies: Vec::new(),
    });
    let mut tracks = Tracks { groups: groups.collect() };
    look(&run, &mut tracks)?;
    while !run.is_over() {
        run.step()?;
        run.watch()?;
        look(&run, &mut tracks)?;
    }
    let report = run.report();
    let broken = scenario.check.broken(&report);
    let picture = draw(scene, &tiles, tracks);
    Ok(Finished { scene, report, broken, picture })
}

/// Adds the agents' positions to their tracks, and once the positions of their bodies.
fn look(run: &Run, tracks: &mut Tracks) -> Result<(), Error> {
    let drawn = tracks.groups.iter().any(|group| !group.bodies.is_empty());
    let trial = run.report().trial;
    let now = !drawn && trial.arrived as f64 >= trial.agents as f64 * DRAWN_AT;
    if !now && !run.steps().is_multiple_of(TRACK_EVERY) {
        return Ok(());
    }
    for (cohort, group) in run.cohorts().iter().zip(&mut tracks.groups) {
        for (id, way) in cohort.iter().zip(&mut group.ways) {
            let view = run.crowd().agent(*id)?;
            let at = run.mesh().to_world(view.position);
            if view.state != AgentState::Arrived || way.is_empty() {
                way.push(at);
            }
            if now {
                group.bodies.push((at, f64::from(run.crowd().params(*id)?.radius)));
            }
        }
    }
    Ok(())
}

fn draw(scene: &CrowdScene, tiles: &[Tile], tracks: Tracks) -> String {
    let areas: Vec<_> = (scene.settings)().areas.iter().map(navlevel::meta::area_meta).collect();
    let options =
        MeshOptions { title: scene.title.to_owned(), tracks: Some(tracks), ..MeshOptions::default() };
    navdraw::to_svg(&mesh_picture(tiles, &areas, &options))
}

/// The figures of a scenario in a row of the table.
fn line(finished: &Finished) -> String {
    let (scene, trial) = (finished.scene, &finished.report.trial);
    let flow = finished.report.flows.first();
    let flow = flow.filter(|flow| flow.rate > 0.0).map_or(String::new(), |flow| format!("{:.2}", flow.rate));
    format!(
        "| [{}](scenarios/{}.svg) | {} of {} | {:.1} | {:.1} | {:.1} | {:.3} | {} | {flow} |",
        scene.title,
        scene.name,
        trial.arrived,
        trial.agents,
        trial.seconds,
        trial.mean_delay,
        trial.p95_delay,
        trial.worst_overlap,
        trial.stuck
    )
}

/// The gates of a test of RiMEA: how many passed each, and how many per second and metre.
fn gates(report: &RunReport) -> String {
    let gate = |flow: &Flow| format!("{} {} ({:.2})", flow.name, flow.passed, flow.rate);
    report.flows.iter().map(gate).collect::<Vec<_>>().join(", ")
}

/// The document with a table between marks.
fn with_table(text: &str, marks: [&str; 2], table: &str) -> Result<String, Error> {
    let missing = || format!("{DOCUMENT} has no {} .. {}", marks[0], marks[1]);
    let (before, rest) = text.split_once(marks[0]).ok_or_else(missing)?;
    let (_, after) = rest.split_once(marks[1]).ok_or_else(missing)?;
    Ok(format!("{before}{}\n\n{table}\n{}{after}", marks[0], marks[1]))
}

fn own_table(all: &[Finished]) -> String {
    let lines: Vec<String> = all.iter().map(line).collect();
    "| scenario | arrived | seconds | mean delay, s | p95 delay, s | worst overlap, radii | stuck | a second and metre |\n\
     |---|---|---|---|---|---|---|---|\n"
        .to_owned()
        + &lines.join("\n")
        + "\n\n"
        + &pictures(all)
}

fn rimea_table(all: &[Finished]) -> String {
    let row = |finished: &Finished| {
        let (scene, trial) = (finished.scene, &finished.report.trial);
        format!(
            "| [{}](scenarios/{}.svg) | {} of {} | {:.1} | {:.1} | {} |\n",
            scene.title,
            scene.name,
            trial.arrived,
            trial.agents,
            trial.seconds,
            trial.mean_delay,
            gates(&finished.report)
        )
    };
    "| test | arrived | seconds | mean delay, s | passed the gates (per second and metre) |\n|---|---|---|---|---|\n".to_owned()
        + &all.iter().map(row).collect::<String>()
        + "\n"
        + &pictures(all)
}

fn pictures(all: &[Finished]) -> String {
    let picture = |CrowdScene { title, name, .. }: &CrowdScene| format!("![{title}](scenarios/{name}.svg)\n");
    all.iter().map(|finished| picture(finished.scene)).collect()
}
