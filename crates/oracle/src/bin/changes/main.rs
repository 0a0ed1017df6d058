//! Compares our tile cache with Detour's, and with whole bakes of a tile from kept voxels: the table of
//! docs/changing-worlds.md.
//!
//! Each of them adds and removes one piece at a time, in the same level, at the same places.
#![allow(clippy::print_stdout)] // It is a program.

mod ours;
mod table;
mod theirs;

use clap::Parser;
use detour::Vec3;
use navlevel::{Body, Effect, Obstacle};
use navscenes::random::SplitMix64;
use oracle::document;
use oracle::subject::{self, Subject};
use ours::{Ours, Swap};
use recast::{AreaId, Partition, Settings, Transform};
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use table::{Line, Times};
use theirs::Theirs;

/// Cells along a tile.
const TILE_CELLS: u32 = 48;
/// Radius and height of the cylinder that blocks, and the side of the solid box, metres.
const RADIUS: f64 = 1.0;
const HEIGHT: f64 = 2.0;
const SIDE: f64 = 1.0;

/// Compares our tile cache with Detour's: the time to add and to remove an obstacle
#[derive(Debug, Parser)]
struct Call {
    /// A scene or an OBJ file [default: nav_test.obj in the folder of meshes]
    level: Option<String>,
    /// Places of an obstacle that is added and removed
    #[arg(long, default_value_t = 500)]
    places: usize,
    /// Decides the places
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Puts the table into this document
    #[arg(long, conflicts_with = "level")]
    document: Option<PathBuf>,
}

/// A change of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    MarkComes,
    MarkGoes,
    SolidComes,
    SolidGoes,
}

fn main() -> Result<(), Box<dyn Error>> {
    let call = Call::parse();
    let subject = match &call.level {
        Some(name) => match Subject::from_scene(name) {
            Some(scene) => scene,
            None => Subject::from_file(name.as_ref())?,
        },
        None => {
            let levels = subject::well_known_levels(None)?;
            let level =
                levels.first().ok_or("there is no nav_test.obj; name its folder in NAVTILE_MESHES")?;
            Subject::from_file(level)?
        }
    };
    // One thread, whose time is measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let lines = pool.install(|| measure(&subject, &call).map_err(|error| error.to_string()))?;
    let table = table::table(&lines);
    table.iter().for_each(|line| println!("{line}"));
    if let Some(path) = &call.document {
        let text = std::fs::read_to_string(path)?;
        let text = document::put(&text, "changes", &table)
            .map_err(|[from, to]| format!("{} has no {from} .. {to}", path.display()))?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn measure(subject: &Subject, call: &Call) -> Result<Vec<Line>, Box<dyn Error>> {
    let whole = subject.settings.clone();
    let plain = Settings {
        partition: Partition::Monotone,
        detail_sample_distance: Some(0.0),
        ..subject.settings.clone()
    };
    let mut ours = [
        ("navtile", Ours::new(&subject.level, &whole, Swap::WithIslands)?),
        ("navtile, nothing held", Ours::new(&subject.level, &whole, Swap::WithIslands)?),
        ("navtile, monotone, no detail mesh", Ours::new(&subject.level, &plain, Swap::Plain)?),
    ];
    ours[1].1.hold_nothing();
    let mut theirs = Theirs::new(&subject.level, whole.cell_size)?;
    let places = places(&ours[0].1, call);
    let mut lines: Vec<Line> = Vec::new();
    let mut note = |change: Change, by: &'static str, took: (usize, Duration)| {
        let known = lines.iter_mut().find(|line| line.change == change && line.by == by);
        match known {
            Some(line) => line.times.add(took),
            None => {
                let mut times = Times::default();
                times.add(took);
                lines.push(Line { change, by, times });
            }
        }
    };
    for at in places {
        for (comes, goes) in [(Change::MarkComes, Change::MarkGoes), (Change::SolidComes, Change::SolidGoes)]
        {
            let is_mark = comes == Change::MarkComes;
            let obstacle = obstacle(is_mark, at)?;
            // The plain one is compared with Detour's tile cache, which only has marks.
            for (name, ours) in ours.iter_mut().take(if is_mark { 3 } else { 2 }) {
                note(comes, name, ours.come(&obstacle)?);
                note(goes, name, ours.go()?);
            }
            if is_mark {
                note(comes, theirs::CACHE, theirs.come(at, RADIUS + whole.agent_radius, HEIGHT)?);
                note(goes, theirs::CACHE, theirs.go()?);
                note(comes, theirs::VOXELS, theirs.mark(at, RADIUS + whole.agent_radius, HEIGHT)?);
            } else {
                note(comes, theirs::VOXELS, theirs.solid(at, SIDE)?);
            }
            note(goes, theirs::VOXELS, theirs.none()?);
        }
    }
    lines.sort_by_key(|line| line.change as u8);
    Ok(lines)
}

/// Corners of random polygons.
fn places(ours: &Ours, call: &Call) -> Vec<Vec3> {
    let mut random = SplitMix64::new(call.seed);
    let mut below = |count: usize| (random.between(0.0, 1.0) * count as f64) as usize % count;
    let tiles = ours.tiles();
    (0..call.places)
        .map(|_| {
            let tile = &tiles[below(tiles.len())];
            let [x, y, z] = {
                let corner = tile.vertices()[below(tile.vertices().len())];
                tile.lattice().fixed_to_world(corner, tile.header().base_cell)
            };
            Vec3::new(x as f32, y as f32, z as f32)
        })
        .collect()
}

fn obstacle(is_mark: bool, at: Vec3) -> Result<Obstacle, navlevel::ObstacleError> {
    let (body, effect) = if is_mark {
        (Body::cylinder(RADIUS, HEIGHT)?, Effect::Blocks { inflate: true })
    } else {
        (Body::cuboid([SIDE; 3])?, Effect::Solid { area: AreaId::GROUND })
    };
    let place = Transform::turned(0.0, at.to_array().map(f64::from));
    Ok(Obstacle { body, place, effect })
}
