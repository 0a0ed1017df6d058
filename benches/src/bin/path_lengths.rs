//! Compares each search with the shortest path: the tables of docs/paths.md.
//!
//!     cargo run --release -p navtile-benches --bin path_lengths
//!     cargo run --release -p navtile-benches --bin path_lengths -- 10000    # more pairs per scene
//!
//! For every scene, in one piece and in tiles of 32 cells: random pairs of places that a path connects.
//! The fast search runs twice: once knowing that a metre costs the same everywhere, and once without. The
//! second path is that of the entry points alone, to which shortcuts are then added.
//! Lengths are as seen from above. Everything except the times depends on the scenes only.
#![allow(clippy::print_stdout)] // It is a program.

use detour::{
    Attributes, CostModel, Crossings, Filter, NavMesh, Optimality, Passable, Path, PathOptions, PathStatus,
    Place, PolyRef, Query, ShortestPath, Step, StraightPath, Vec3,
};
use navscenes::random::SplitMix64;
use recast::{PreparedLevel, Scratch, Silent};
use std::error::Error;
use std::time::Instant;

/// Costs that are the same everywhere but not declared so, so that `find_path` does not tighten its paths.
struct ByPoints(Filter);

impl CostModel for ByPoints {
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }
    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }
    fn minimum_cost(&self) -> f32 {
        self.0.minimum_cost()
    }
}

/// Pairs per scene.
const PAIRS: usize = 2000;
/// Number of times that each search is timed.
const REPEATS: usize = 5;
/// Reach of the rays of shortcuts, metres.
const REACH: f32 = 20.0;
/// Cells along a side of a tile.
const TILE_CELLS: u32 = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let pairs = match std::env::args().nth(1) {
        Some(count) => count.parse()?,
        None => PAIRS,
    };
    println!("| scene | tiles | polygons | fast | near | unequal costs | with shortcuts |");
    println!("|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for scene in navscenes::all() {
        rows.push((scene.name.to_owned(), bake(scene, 1, None)?));
        let tiled = bake(scene, 1, Some(TILE_CELLS))?;
        if tiled.tile_count() > 1 {
            rows.push((scene.name.to_owned(), tiled));
        }
    }
    // Open ground of some thousand polygons.
    let boxes = navscenes::by_name("boxes").ok_or("there is no scene of boxes")?;
    rows.push(("boxes, 6 x 6 times".to_owned(), bake(&boxes, 6, Some(TILE_CELLS))?));
    let mut measured = Vec::new();
    for (name, mesh) in rows {
        let row = Row::measure(&mesh, pairs)?;
        let cells = row.excess.map(|excess| format!(" {:.3} / {:.1} |", excess.mean(), excess.worst));
        let (tiles, polygons) = (mesh.tile_count(), mesh.polygon_count());
        println!("| {name} | {tiles} | {polygons} |{}", cells.concat());
        measured.push((name, tiles, row));
    }
    println!(
        "\n| scene | tiles | polygons touched | nodes of near | nodes of the shortest | µs | µs of near \
         | µs of the shortest | µs of shortcuts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, tiles, row) in measured {
        let each = |sum: f64| sum / row.count.max(1.0);
        let nodes = row.nodes.map(|nodes| format!(" {:.0} |", each(nodes))).concat();
        let times = row.seconds.map(|seconds| format!(" {:.1} |", each(seconds) * 1e6)).concat();
        println!("| {name} | {tiles} |{nodes}{times}");
    }
    Ok(())
}

/// A scene, `times` by `times` of it side by side, in one piece or in tiles.
fn bake(scene: &navscenes::Scene, times: u32, tile_cells: Option<u32>) -> Result<NavMesh, Box<dyn Error>> {
    let level = navscenes::repeat(&(scene.level)(), times, times);
    let level = PreparedLevel::new(&level, &(scene.settings)())?;
    let mut mesh = NavMesh::default();
    match tile_cells {
        None => mesh.add_tile(recast::bake_solo(&level, &Silent, &mut Scratch::new())?.tile)?,
        Some(cells) => {
            for baked in navlevel::bake_tiles(&level, cells, &Silent)? {
                mesh.add_tile(baked.tile)?;
            }
        }
    }
    Ok(mesh)
}

/// Excess of paths over the shortest, per cent.
#[derive(Clone, Copy, Default)]
struct Excess {
    /// Sum of lengths, and of the shortest.
    sums: [f64; 2],
    worst: f64,
}

impl Excess {
    fn add(&mut self, length: f64, shortest: f64) {
        self.sums = [self.sums[0] + length, self.sums[1] + shortest];
        if shortest > 0.0 {
            self.worst = self.worst.max((length / shortest - 1.0) * 100.0);
        }
    }

    /// Of all paths together.
    fn mean(&self) -> f64 {
        if self.sums[1] > 0.0 { (self.sums[0] / self.sums[1] - 1.0) * 100.0 } else { 0.0 }
    }
}

#[derive(Default)]
struct Row {
    /// Of the fast search, the near one, the fast one without equal costs, and its paths with shortcuts.
    excess: [Excess; 4],
    count: f64,
    /// Nodes of the fast search, the near one and the shortest.
    nodes: [f64; 3],
    /// Of the fast search, the near one, the shortest, and shortcuts; with their strings.
    seconds: [f64; 4],
}

impl Row {
    fn measure(mesh: &NavMesh, pairs: usize) -> Result<Row, Box<dyn Error>> {
        let (mut row, mut query, mut random) = (Row::default(), Query::new(), SplitMix64::new(1));
        let filter = Filter::default();
        let mut shortest = ShortestPath::default();
        for _ in 0..pairs {
            let mut place = || query.random_point(mesh, &filter, || random.between(0.0, 1.0));
            let ends = [place()?, place()?];
            let seconds = least(|| {
                query.shortest_path(mesh, ends[0], ends[1], &Passable::default(), &mut shortest)?;
                Ok(())
            })?;
            // On very short paths any difference is a large share.
            if shortest.status != PathStatus::Complete || shortest.length_from_above < 1.0 {
                continue;
            }
            row.count += 1.0;
            row.nodes[2] += shortest.touched as f64;
            row.seconds[2] += seconds;
            row.add_searches(mesh, &mut query, ends, shortest.length_from_above)?;
        }
        Ok(row)
    }

    /// Runs the searches over polygons for one pair of places.
    fn add_searches(
        &mut self,
        mesh: &NavMesh,
        query: &mut Query,
        ends: [Place; 2],
        shortest: f64,
    ) -> Result<(), Box<dyn Error>> {
        let (filter, mut path) = (Filter::default(), Path::default());
        for (number, optimality) in [Optimality::Fast, Optimality::Near].into_iter().enumerate() {
            let (length, seconds) = found(query, mesh, ends, &filter, optimality, &mut path)?;
            self.excess[number].add(length, shortest);
            self.nodes[number] += path.touched as f64;
            self.seconds[number] += seconds;
        }
        let by_points = ByPoints(filter);
        let (mut length, _) = found(query, mesh, ends, &by_points, Optimality::Fast, &mut path)?;
        self.excess[2].add(length, shortest);
        let mut polygons = Vec::new();
        self.seconds[3] += least(|| {
            let [a, b] = ends.map(|end| end.point);
            polygons.clone_from(&path.polygons);
            query.shortcut(mesh, a, b, REACH, &by_points, &mut polygons)?;
            length = pulled(query, mesh, ends, &polygons)?;
            Ok(())
        })?;
        self.excess[3].add(length, shortest);
        Ok(())
    }
}

/// Finds a path and pulls its string: its length as seen from above, and the seconds that both took.
fn found(
    query: &mut Query,
    mesh: &NavMesh,
    ends: [Place; 2],
    filter: &impl CostModel,
    optimality: Optimality,
    path: &mut Path,
) -> Result<(f64, f64), Box<dyn Error>> {
    let mut length = 0.0;
    let seconds = least(|| {
        query.find_path(mesh, ends[0], ends[1], filter, &PathOptions { optimality }, path)?;
        length = pulled(query, mesh, ends, &path.polygons)?;
        Ok(())
    })?;
    Ok((length, seconds))
}

/// The shortest of several runs of some work, seconds: the run that other work disturbed least.
fn least(mut work: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let began = Instant::now();
        work()?;
        least = least.min(began.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// Length of the string through some polygons, as seen from above.
fn pulled(
    query: &mut Query,
    mesh: &NavMesh,
    ends: [Place; 2],
    polygons: &[PolyRef],
) -> Result<f64, Box<dyn Error>> {
    let mut straight = StraightPath::default();
    query.straight_path(mesh, ends[0].point, ends[1].point, polygons, Crossings::None, &mut straight)?;
    let flat = |a: Vec3, b: Vec3| (b.as_dvec3() - a.as_dvec3()).with_y(0.0).length();
    Ok(straight.corners.windows(2).map(|pair| flat(pair[0].point, pair[1].point)).sum())
}
