//! `cargo xtask scenarios`: runs every scenario of navscenes to its end, checks its bounds, draws it, and
//! writes its figures into docs/crowds-reference.md.

use crate::outputs::{Outputs, root};
use crate::{Error, Outcome};
use crowd::AgentState;
use crowdlab::scenario::{Broken, Run, RunReport, Scenario, Terrain};
use detour::NavMesh;
use navdraw::{MeshOptions, TrackGroup, Tracks, mesh_picture};
use navscenes::crowds::CrowdScene;
use navtile::Tile;
use std::fmt::Write;

const FOLDER: &str = "docs/scenarios";
const DOCUMENT: &str = "docs/crowds-reference.md";
/// The marks before and after the table.
const MARKS: [&str; 2] = ["<!-- scenarios -->", "<!-- /scenarios -->"];
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
    let mut all = Vec::new();
    for scene in navscenes::crowds::all() {
        if names.is_empty() || names.iter().any(|name| name == scene.name) {
            let finished = finish(scene).map_err(|error| format!("scenario {}: {error}", scene.name))?;
            println!("{}", line(&finished));
            finished.broken.iter().for_each(|broken| println!("    broken: {broken}"));
            all.push(finished);
        }
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
        outputs.put(DOCUMENT, with_table(&text, &all)?.as_bytes())?;
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

/// The document with the table of these scenarios, and their pictures.
fn with_table(text: &str, all: &[Finished]) -> Result<String, Error> {
    let missing = || format!("{DOCUMENT} has no {} .. {}", MARKS[0], MARKS[1]);
    let (before, rest) = text.split_once(MARKS[0]).ok_or_else(missing)?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or_else(missing)?;
    let mut out = format!("{before}{}\n\n", MARKS[0]);
    out.push_str(
        "| scenario | arrived | seconds | mean delay, s | p95 delay, s | worst overlap, radii | stuck | a second and metre |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for finished in all {
        writeln!(out, "{}", line(finished))?;
    }
    out.push('\n');
    for CrowdScene { title, name, .. } in all.iter().map(|finished| finished.scene) {
        writeln!(out, "![{title}](scenarios/{name}.svg)")?;
    }
    write!(out, "\n{}{after}", MARKS[1])?;
    Ok(out)
}
