//! Queries over the levels of a folder: times and lengths of paths compared with the C++ library's, level by
//! level, the worst first.

use super::SpeedError;
use super::plan::{Origin, Plan, TERRAIN_SIZE, TERRAIN_TRIANGLES, TILE_CELLS};
use super::queries::{self, QueryTimes};
use super::table::{Cell, Section, Table};
use crate::runtime::asker::Asker;
use crate::runtime::draw::Draw;
use crate::runtime::over_ground::over_ground;
use crate::runtime::pair::{Pair, for_detour};
use crate::runtime::paths::{ends, our_path, our_string, their_path, their_string};
use crate::runtime::string::flat_length;
use detour::{Optimality, Passable, PathStatus};
use navbake::{LevelBake, LevelFile};
use navlevel::bake_tiles;
use navtile::Tile;
use recast::{PreparedLevel, Scratch, Silent, bake_solo};
use std::path::{Path, PathBuf};

/// Extensions of the levels that are measured.
const ENDINGS: [&str; 3] = ["obj", "glb", "gltf"];
/// A level is baked in one piece too if it has at most this many cells.
const SOLO_CELLS: u64 = 4_000_000;
/// Side of a tile, metres, if the settings leave it open.
const TILE_SIDE: f64 = 14.4;
/// A level narrower than this, metres, is measured [`ENLARGED`] times as large: its unit is not the metre.
const NARROW: f64 = 40.0;
const ENLARGED: u32 = 100;
/// Levels of more polygons than this are measured with fewer pairs, as the exact search takes long there.
const MANY_POLYGONS: usize = 10_000;
/// Shorter paths than this, metres, are left out of lengths: any difference is a large part of them.
const SHORT: f64 = 1.0;

/// A level in tiles, under a name.
struct Cut {
    name: String,
    tiles: Vec<Tile>,
}

/// The levels in a folder and the folders in it, in the order of their paths.
fn files(folder: &Path) -> Result<Vec<PathBuf>, SpeedError> {
    let failed = |source| SpeedError::Io { what: format!("reading {}", folder.display()), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if ENDINGS.contains(&ending.as_str()) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a level with the settings in the file `LEVEL.toml` next to it, or with those of this measurement.
fn read(path: &Path, scale: u32) -> Result<LevelBake, SpeedError> {
    let failed = |path: &Path, source| SpeedError::Io { what: format!("reading {}", path.display()), source };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new("."));
    // Buffers and pictures are next to their glTF file.
    let mut contents = vec![(name(path), std::fs::read(path).map_err(|source| failed(path, source))?)];
    for entry in std::fs::read_dir(folder).map_err(|source| failed(folder, source))? {
        let other = entry.map_err(|source| failed(folder, source))?.path();
        if other.extension().is_some_and(|ending| ending == "bin") {
            contents.push((name(&other), std::fs::read(&other).map_err(|source| failed(&other, source))?));
        }
    }
    let files: Vec<LevelFile<'_>> =
        contents.iter().map(|(name, bytes)| LevelFile { name, bytes: bytes.as_slice() }).collect();
    let settings = match std::fs::read_to_string(path.with_extension("toml")) {
        Ok(settings) => settings,
        Err(_) => format!("cell_size = 0.2\n[agent]\nradius = 0.4\n[input]\nscale = {scale}\n"),
    };
    LevelBake::new(&files, Some(&settings))
        .map_err(|error| SpeedError::Level(format!("{}: {error}", path.display())))
}

/// A level in one piece, unless it is too large, and in tiles.
fn cuts(path: &Path) -> Result<Vec<Cut>, SpeedError> {
    let mut bake = read(path, 1)?;
    let width =
        |level: &PreparedLevel| f64::from(level.size[0].max(level.size[1])) * level.config.settings.cell_size;
    if bake.levels().iter().all(|level| width(level) < NARROW) {
        bake = read(path, ENLARGED)?;
    }
    let Some(level) = bake.levels().first() else { return Ok(Vec::new()) };
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut cuts = Vec::new();
    if u64::from(level.size[0]) * u64::from(level.size[1]) <= SOLO_CELLS {
        let tiles = vec![bake_solo(level, &Silent, &mut Scratch::new())?.tile];
        cuts.push(Cut { name: name.clone(), tiles });
    }
    let cells = match bake.tile_cells() {
        0 => (TILE_SIDE / level.config.settings.cell_size).round() as u32,
        cells => cells,
    };
    let tiles: Vec<Tile> = bake_tiles(level, cells, &Silent)?.into_iter().map(|baked| baked.tile).collect();
    if tiles.len() > 1 {
        cuts.push(Cut { name: format!("{name}, {} tiles", tiles.len()), tiles });
    }
    Ok(cuts)
}

/// Rolling terrain, in one piece and in tiles.
fn hills() -> Result<Vec<Cut>, SpeedError> {
    let origin = Origin::Terrain(TERRAIN_SIZE, TERRAIN_TRIANGLES);
    let level = Plan::solo(origin, 0.3).bench()?.prepared;
    let solo = vec![bake_solo(&level, &Silent, &mut Scratch::new())?.tile];
    let tiles = bake_tiles(&level, TILE_CELLS, &Silent)?.into_iter().map(|baked| baked.tile).collect();
    let cut = |name: &str, tiles| Cut { name: name.to_owned(), tiles };
    Ok(vec![cut("rolling hills", solo), cut("rolling hills, tiles", tiles)])
}

/// The mean, the 99th percentile and the worst of ratios.
#[derive(Clone, Copy, Debug)]
struct Spread {
    mean: f64,
    high: f64,
    worst: f64,
}

fn spread(mut ratios: Vec<f64>, share: f64) -> Spread {
    ratios.sort_unstable_by(f64::total_cmp);
    let at = ((ratios.len() as f64 * share).ceil() as usize).clamp(1, ratios.len().max(1)) - 1;
    Spread {
        mean: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        high: ratios.get(at).copied().unwrap_or(1.0),
        worst: ratios.last().copied().unwrap_or(1.0),
    }
}

/// Lengths of paths on a level, as ratios.
struct LevelLengths {
    fast: Spread,
    near: Spread,
    theirs: Spread,
    /// Ours by default over the C++ library's, with the 99.9th percentile.
    over_theirs: Spread,
    /// The ratio of the sums of lengths over the ground.
    over_ground: f64,
}

fn lengths(pair: &Pair, pairs: usize) -> Result<LevelLengths, SpeedError> {
    let mut asker = Asker::new(pair)?;
    let filters = asker.filters(false);
    let mut ratios: [Vec<f64>; 4] = Default::default();
    let mut grounds = [0.0; 2];
    for number in 0..100 * pairs as u64 {
        if ratios[0].len() == pairs {
            break;
        }
        let asked = ends(&asker, &mut Draw::new(2, number))?;
        let [(_, start), (last, goal)] = asked;
        let theirs = their_path(&mut asker, asked, false)?;
        if theirs.last() != Some(&last) {
            continue;
        }
        let passable = Passable::of(&filters.ours);
        asker.ours.shortest_path(&pair.ours, start, goal, &passable, &mut asker.shortest)?;
        let shortest = asker.shortest.length_from_above;
        if asker.shortest.status != PathStatus::Complete || shortest < SHORT {
            continue;
        }
        let their_length = flat_length(&their_string(&mut asker, &theirs, asked)?);
        our_path(&mut asker, asked, false, Optimality::Near)?;
        let near = flat_length(&our_string(&mut asker, asked)?);
        our_path(&mut asker, asked, false, Optimality::Fast)?;
        let fast = flat_length(&our_string(&mut asker, asked)?);
        let compared = [[fast, shortest], [near, shortest], [their_length, shortest], [fast, their_length]];
        for (ratios, [length, other]) in ratios.iter_mut().zip(compared) {
            ratios.push(length / other);
        }
        let theirs: Vec<_> = theirs.iter().map(|&number| pair.our_ref(number)).collect();
        let ours = asker.path.polygons.clone();
        let places = [start, goal];
        if let (Some(ours), Some(theirs)) =
            (over_ground(&mut asker, &ours, places)?, over_ground(&mut asker, &theirs, places)?)
        {
            grounds = [grounds[0] + ours.surface, grounds[1] + theirs.surface];
        }
    }
    let [fast, near, theirs, over_theirs] = ratios;
    Ok(LevelLengths {
        fast: spread(fast, 0.99),
        near: spread(near, 0.99),
        theirs: spread(theirs, 0.99),
        over_theirs: spread(over_theirs, 0.999),
        over_ground: grounds[0] / grounds[1].max(SHORT),
    })
}

/// A level's figures.
struct LevelRow {
    name: String,
    polygons: usize,
    times: Vec<QueryTimes>,
    lengths: LevelLengths,
}

impl LevelRow {
    fn ratio(&self, kind: usize) -> f64 {
        let [ours, theirs] = [0, 1].map(|who| self.times[kind].times[who].median());
        theirs / ours.max(1e-9)
    }
}

/// Measures all levels of a folder.
pub fn measure(folder: &Path, quick: bool) -> Result<Section, SpeedError> {
    let (count, rounds) = if quick { (1_000, 3) } else { (2_000, 7) };
    let mut rows = Vec::new();
    let mut all = hills()?;
    for path in files(folder)? {
        all.extend(cuts(&path)?);
    }
    for cut in all {
        let pair = match for_detour(&cut.tiles).and_then(|tiles| Pair::new(&tiles)) {
            Ok(pair) => pair,
            // Some levels are more than the C++ library has room for.
            Err(error) => {
                eprintln!("{}: left out: {error}", cut.name);
                continue;
            }
        };
        let polygons = pair.len();
        let pairs = if polygons > MANY_POLYGONS { count / 10 } else { count };
        let row = LevelRow {
            times: queries::measure_pair(&pair, &queries::LEVEL_KINDS, count, rounds)?,
            lengths: lengths(&pair, pairs)?,
            name: cut.name,
            polygons,
        };
        eprintln!(
            "{} ({polygons} polygons): path and corners {:.2}",
            row.name,
            row.ratio(queries::PATH_AND_CORNERS)
        );
        rows.push(row);
    }
    rows.sort_by(|a, b| a.ratio(queries::PATH_AND_CORNERS).total_cmp(&b.ratio(queries::PATH_AND_CORNERS)));
    Ok(section(&rows, count))
}

fn section(rows: &[LevelRow], count: usize) -> Section {
    let mut head = vec!["level", "polygons"];
    head.extend(queries::LEVEL_KINDS.iter().map(|(name, _)| *name));
    let mut times = Table::new(format!("C++ / ours, {count} random pairs"), &head);
    for row in rows {
        let ratios = (0..queries::LEVEL_KINDS.len()).map(|kind| Cell::Ratio(row.ratio(kind)));
        let first = [Cell::from(row.name.as_str()), Cell::Number(row.polygons as f64, 0)];
        times.row(first.into_iter().chain(ratios).collect::<Vec<_>>());
    }
    let mut sums = |name: &str, of: &dyn Fn(&mut dyn Iterator<Item = f64>) -> f64| {
        let cells = (0..queries::LEVEL_KINDS.len())
            .map(|kind| Cell::Ratio(of(&mut rows.iter().map(|row| row.ratio(kind)))));
        times.row([Cell::from(name), Cell::None].into_iter().chain(cells).collect::<Vec<_>>());
    };
    sums("geometric mean", &|ratios| super::bakes::mean(ratios));
    sums("worst", &|ratios| ratios.fold(f64::INFINITY, f64::min));
    let head = [
        "level",
        "by default: mean",
        "99 %",
        "worst",
        "near: mean",
        "99 %",
        "worst",
        "C++: mean",
        "99 %",
        "worst",
        "default / C++: mean",
        "99.9 %",
        "over the ground",
    ];
    let mut lengths = Table::new("Lengths of paths over the shortest, from above", &head);
    for row in rows {
        let LevelLengths { fast, near, theirs, over_theirs, over_ground } = &row.lengths;
        let figures =
            [fast, near, theirs].into_iter().flat_map(|spread| [spread.mean, spread.high, spread.worst]);
        let rest = [over_theirs.mean, over_theirs.high, *over_ground];
        let cells = figures.chain(rest).map(|ratio| Cell::Number(ratio, 4));
        lengths.row(std::iter::once(Cell::from(row.name.as_str())).chain(cells).collect::<Vec<_>>());
    }
    let note = "Each level is baked at 0.2 m for a radius of 0.4 m, or with the settings in the file next to it, in \
                one piece unless it is too large, and in tiles. The worst level comes first."
        .to_owned();
    Section { title: "Queries on real levels".to_owned(), notes: vec![note], tables: vec![times, lengths] }
}
