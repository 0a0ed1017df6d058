//! Compares lengths of paths with the C++ library's and with the shortest: the table of docs/paths.md.
//!
//! Every level is queried with the same random pairs of places, as one tile and in tiles of 48 cells. Both
//! libraries pull strings, each through its own polygons; lengths are as seen from above. A second table
//! compares 1,000 pairs in space: strings through the polygons of both, between their corners and over the
//! surface.
#![allow(clippy::print_stdout)] // It is a program.

use clap::Parser;
use detour::{Optimality, Passable, PathStatus};
use oracle::runtime::RuntimeError;
use oracle::runtime::asker::Asker;
use oracle::runtime::draw::Draw;
use oracle::runtime::over_ground::{GroundLength, over_ground};
use oracle::runtime::pair::Pair;
use oracle::runtime::paths::{ends, our_path, our_string, their_path, their_string};
use oracle::runtime::report::tiles;
use oracle::runtime::string::flat_length;
use oracle::subject::{self, Subject};
use std::error::Error;

/// Pairs per level.
const PAIRS: u64 = 10_000;
/// Sides of tiles, cells.
const TILE_CELLS: u32 = 48;
/// Shorter paths than this, metres, are left out: any difference would be a large part of them.
const SHORT: f64 = 1.0;
/// Scenes that are queried in addition to the well-known levels.
const SCENES: [&str; 3] = ["courtyard", "terrain", "boxes"];
/// Rolling terrain: its side, metres, and triangles.
const ROLLING: (f64, usize) = (100.0, 8_000);

/// Compares the lengths of paths with the C++ library's and with the shortest
#[derive(Debug, Parser)]
struct Call {
    /// Pairs of places per level
    #[arg(default_value_t = PAIRS)]
    pairs: u64,
    /// A scene or an OBJ file [default: the five levels of docs/paths.md]
    level: Option<String>,
    /// Cells along a tile, 0 for one tile [default: one tile, and tiles of 48]
    tile_cells: Option<u32>,
    /// Compare only lengths in space
    #[arg(long)]
    space: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Call { pairs, level, tile_cells, space } = Call::parse();
    let subjects = match level {
        None => well_known()?,
        Some(name) => vec![match Subject::from_scene(&name) {
            Some(scene) => scene,
            None => Subject::from_file(name.as_ref())?,
        }],
    };
    let tilings = match tile_cells {
        None => vec![None, Some(TILE_CELLS)],
        Some(cells) => vec![Some(cells).filter(|&cells| cells > 0)],
    };
    if space {
        return in_space(&subjects, &tilings);
    }
    println!(
        "Per cent longer than the shortest, all together / the worst one; 99.9th percentile of ours / C++.\n"
    );
    println!("| level | polygons | pairs | C++ | near | fast | shortest | fast / C++ |");
    println!("|---|---|---|---|---|---|---|---|");
    for subject in &subjects {
        for &cells in &tilings {
            let pair = Pair::new(&tiles(subject, cells)?)?;
            let cut = if cells.is_some() { ", tiles" } else { "" };
            println!("| {}{cut} | {} |{}", subject.name, pair.len(), measure(&pair, pairs)?);
        }
    }
    in_space(&subjects, &tilings)
}

/// Pairs per level that are compared in space.
const IN_SPACE: usize = 1_000;
/// A path that exceeds Detour's by this factor is too long.
const LONGER: f64 = 1.01;

/// Compares paths in space. Gives per level and measure the number of the [`IN_SPACE`] paths that are too
/// long compared with Detour's, and the worst.
fn in_space(subjects: &[Subject], tilings: &[Option<u32>]) -> Result<(), Box<dyn Error>> {
    println!("\n{IN_SPACE} pairs: how many are more than 1 % longer than C++, the worst, all together.\n");
    println!("| level | length | too long | worst | together |\n|---|---|---|---|---|");
    for subject in subjects {
        for &cells in tilings {
            let pair = Pair::new(&tiles(subject, cells)?)?;
            let cut = if cells.is_some() { ", tiles" } else { "" };
            for line in rows_in_space(&pair)? {
                println!("| {}{cut} | {line}", subject.name);
            }
        }
    }
    Ok(())
}

fn rows_in_space(pair: &Pair) -> Result<Vec<String>, RuntimeError> {
    let mut asker = Asker::new(pair)?;
    let mut ratios: Vec<Vec<[f64; 2]>> = vec![Vec::new(); 3];
    let mut number = 0;
    while ratios[0].len() < IN_SPACE {
        number += 1;
        let ends = ends(&asker, &mut Draw::new(1, number))?;
        let places = ends.map(|(_, place)| place);
        let theirs = their_path(&mut asker, ends, false)?;
        let (_, complete) = our_path(&mut asker, ends, false, Optimality::Fast)?;
        if theirs.last() != Some(&ends[1].0) || !complete {
            continue;
        }
        let ours = asker.path.polygons.clone();
        let theirs: Vec<_> = theirs.iter().map(|&number| pair.our_ref(number)).collect();
        let lengths = [over_ground(&mut asker, &ours, places)?, over_ground(&mut asker, &theirs, places)?];
        let [Some(ours), Some(theirs)] = lengths else { continue };
        if theirs.flat < SHORT {
            continue;
        }
        for (ratios, (ours, theirs)) in ratios.iter_mut().zip(ours.named().into_iter().zip(theirs.named())) {
            ratios.push([ours.1, theirs.1]);
        }
    }
    let names = GroundLength::default().named();
    Ok(names
        .iter()
        .zip(&ratios)
        .map(|((name, _), list)| {
            let long = list.iter().filter(|[ours, theirs]| ours / theirs > LONGER).count();
            let worst = list.iter().map(|[ours, theirs]| ours / theirs).fold(0.0, f64::max);
            let [ours, theirs] = [0, 1].map(|side| list.iter().map(|pair| pair[side]).sum::<f64>());
            format!("{name} | {long} | {worst:.4} | {:.4} |", ours / theirs)
        })
        .collect())
}

/// The levels of the page.
fn well_known() -> Result<Vec<Subject>, Box<dyn Error>> {
    let mut subjects = Vec::new();
    for path in subject::well_known_levels(None)? {
        subjects.push(Subject::from_file(&path)?);
    }
    if subjects.is_empty() {
        println!("skipped: nav_test.obj and dungeon.obj, as there is no folder of meshes\n");
    }
    subjects.extend(SCENES.iter().filter_map(|name| Subject::from_scene(name)));
    let (size, triangles) = ROLLING;
    subjects.push(Subject {
        name: "rolling".to_owned(),
        level: navscenes::sine_terrain(size, triangles),
        settings: recast::Settings::default(),
    });
    Ok(subjects)
}

/// Lengths of one search compared with the shortest.
#[derive(Clone, Copy, Default)]
struct Excess {
    sums: [f64; 2],
    worst: f64,
}

impl Excess {
    fn add(&mut self, length: f64, shortest: f64) {
        self.sums = [self.sums[0] + length, self.sums[1] + shortest];
        self.worst = self.worst.max((length / shortest - 1.0) * 100.0);
    }

    fn text(&self) -> String {
        format!(" {:.3} / {:.1} |", (self.sums[0] / self.sums[1].max(SHORT) - 1.0) * 100.0, self.worst)
    }
}

/// The rest of a level's row.
fn measure(pair: &Pair, pairs: u64) -> Result<String, RuntimeError> {
    let mut asker = Asker::new(pair)?;
    let filters = asker.filters(false);
    let mut excess = [Excess::default(); 4];
    let mut ratios = Vec::new();
    for number in 0..pairs {
        let ends = ends(&asker, &mut Draw::new(1, number))?;
        let [(_, start), (_, goal)] = ends;
        asker.ours.shortest_path(
            &pair.ours,
            start,
            goal,
            &Passable::of(&filters.ours),
            &mut asker.shortest,
        )?;
        let shortest = asker.shortest.length_from_above;
        if asker.shortest.status != PathStatus::Complete || shortest < SHORT {
            continue;
        }
        let theirs = their_path(&mut asker, ends, false)?;
        let theirs = flat_length(&their_string(&mut asker, &theirs, ends)?);
        our_path(&mut asker, ends, false, Optimality::Near)?;
        let near = flat_length(&our_string(&mut asker, ends)?);
        our_path(&mut asker, ends, false, Optimality::Fast)?;
        let fast = flat_length(&our_string(&mut asker, ends)?);
        for (excess, length) in excess.iter_mut().zip([theirs, near, fast, shortest]) {
            excess.add(length, shortest);
        }
        ratios.push(fast / theirs);
    }
    ratios.sort_unstable_by(f64::total_cmp);
    let percentile =
        ratios.get((ratios.len() * 999).div_ceil(1000).saturating_sub(1)).copied().unwrap_or(1.0);
    let columns: String = excess.iter().map(Excess::text).collect();
    Ok(format!(" {} |{columns} {percentile:.4} |", ratios.len()))
}
