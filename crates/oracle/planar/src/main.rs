//! Compares bakes of maps with those of the crate polyanya: the same outlines, in one run and in turns;
//! medians.
//!
//! `cargo run --release -- [ROUNDS]`, 5 by default. A map is a square of ground with square obstacles.
//! "polygons" is the time from outlines to merged convex polygons; "all" is until a mesh answers queries:
//! ours with its tile written, read back and verified, theirs with its polygon finder and its islands.

use glam::Vec2;
use navplane::{Error, Map, Settings};
use polyanya::{Mesh, Triangulation};
use std::time::Instant;

/// Obstacles along a side: 1 024, 10 000 and 99 856 corners of obstacles.
const COUNTS: [u32; 3] = [16, 50, 158];
const RADII: [f64; 2] = [0.0, 0.5];
/// If their bake takes longer than this, seconds, it is skipped for ten times the corners: judging by the
/// smaller maps, that would take a hundred times as long.
const PATIENCE_S: f64 = 10.0;

/// Seconds to polygons, and in all; the number of polygons; the area.
struct Run {
    polygons_s: f64,
    all_s: f64,
    polygons: usize,
    area: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(5), |text| text.parse::<usize>())?.max(1);
    println!(
        "| corners | radius | ours, polygons | theirs | ours, all | theirs | polygons, ours | theirs | areas apart |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for radius in RADII {
        let mut last_s = 0.0;
        for count in COUNTS {
            let map = navscenes::flat::field_of_squares(count);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                ours.push(bake(&map, radius)?);
                if last_s <= PATIENCE_S {
                    theirs.push(polyanya(&map, radius)?);
                }
            }
            last_s = last_s.max(median(&theirs, |run| run.all_s).unwrap_or(0.0));
            let ms = |runs: &[Run], of: fn(&Run) -> f64| match median(runs, of) {
                Some(seconds) => format!("{:.1} ms", seconds * 1e3),
                None => "left out".to_owned(),
            };
            let theirs_of = |of: &dyn Fn(&Run) -> String| theirs.first().map(of).unwrap_or_default();
            println!(
                "| {} | {radius} | {} | {} | {} | {} | {} | {} | {} |",
                count * count * 4,
                ms(&ours, |run| run.polygons_s),
                ms(&theirs, |run| run.polygons_s),
                ms(&ours, |run| run.all_s),
                ms(&theirs, |run| run.all_s),
                ours[0].polygons,
                theirs_of(&|run| run.polygons.to_string()),
                theirs_of(&|run| format!("{:.1e}", (ours[0].area - run.area).abs() / ours[0].area)),
            );
        }
    }
    Ok(())
}

/// The median; `None` without runs.
fn median(runs: &[Run], of: fn(&Run) -> f64) -> Option<f64> {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn bake(map: &Map, agent_radius: f64) -> Result<Run, Error> {
    let settings = Settings { agent_radius, ..Settings::default() };
    let started = Instant::now();
    let mesh = navplane::mesh(map, &settings)?;
    let polygons_s = started.elapsed().as_secs_f64();
    mesh.tile(&settings)?;
    let all_s = started.elapsed().as_secs_f64();
    Ok(Run { polygons_s, all_s, polygons: mesh.polygons.len(), area: mesh.area() })
}

fn polyanya(map: &Map, radius: f64) -> Result<Run, &'static str> {
    let ring = |points: &[[f64; 2]]| -> Vec<Vec2> {
        points.iter().map(|&[x, y]| Vec2::new(x as f32, y as f32)).collect()
    };
    let outline = map.outlines.first().ok_or("the map has no outline")?;
    let started = Instant::now();
    let mut triangulation = Triangulation::from_outer_edges(&ring(&outline.outline));
    triangulation.add_obstacles(map.obstacles.iter().map(|obstacle| ring(&obstacle.outline)));
    if radius > 0.0 {
        triangulation.set_agent_radius(radius as f32);
        triangulation.agent_radius_on_outer_edge(true);
    }
    let mut mesh = triangulation.as_navmesh();
    mesh.merge_polygons();
    let polygons_s = started.elapsed().as_secs_f64();
    mesh.bake();
    let all_s = started.elapsed().as_secs_f64();
    let polygons = mesh.layers.iter().map(|layer| layer.polygons.len()).sum();
    Ok(Run { polygons_s, all_s, polygons, area: area(&mesh) })
}

fn area(mesh: &Mesh) -> f64 {
    let mut twice = 0.0;
    for layer in &mesh.layers {
        for polygon in &layer.polygons {
            let at = |index: u32| layer.vertices[index as usize].coords.as_dvec2();
            let first = at(polygon.vertices[0]);
            for pair in polygon.vertices.windows(2) {
                twice += (at(pair[0]) - first).perp_dot(at(pair[1]) - first);
            }
        }
    }
    twice.abs() / 2.0
}
