//! Compares paths over slopes with a dense search: the tables of "Slopes" in docs/paths.md.
//!
//!     cargo run --release -p navtile-benches --bin slopes
//!     cargo run --release -p navtile-benches --bin slopes -- 10000 0.25  # pairs, spacing
//!
//! The reference is Dijkstra's algorithm over points every 10 cm on all edges of all detail triangles, with
//! moves between all points of a triangle. Neighbouring triangles are found by equal points of their edges.
//! Everything except the times depends on the scenes only.
#![allow(clippy::print_stdout)] // It is a program.

use detour::{Filter, GroundPath, NavMesh, Path, PathOptions, PathStatus, Place, Query, Vec3};
use navscenes::random::SplitMix64;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent};
use std::collections::{BinaryHeap, HashMap};
use std::error::Error;
use std::time::Instant;

/// Pairs per row, of which each start is used for this many goals.
const PAIRS: usize = 400;
const GOALS: usize = 20;
/// Metres between points of the reference.
const APART: f64 = 0.1;
/// Metres along a side of the areas.
const SIDE: f64 = 20.0;

type At = [f64; 3];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let pairs = args.next().map_or(Ok(PAIRS), |count| count.parse())?;
    let apart = args.next().map_or(Ok(APART), |metres| metres.parse())?;
    println!(
        "| level | climb | pairs | mean, % | worst, % | worst below, % | time / find_path | points / polygons | µs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, level) in levels() {
        let prepared = PreparedLevel::new(&level, &Settings::default())?;
        for tile_cells in [None, Some(24)] {
            let mut mesh = NavMesh::default();
            match tile_cells {
                None => mesh.add_tile(recast::bake_solo(&prepared, &Silent, &mut Scratch::new())?.tile)?,
                Some(cells) => {
                    for baked in navlevel::bake_tiles(&prepared, cells, &Silent)? {
                        mesh.add_tile(baked.tile)?;
                    }
                }
            }
            let reference = Reference::new(&mesh, apart)?;
            for climb in [0.5, 2.0, 10.0] {
                let name = format!("{name}{}", if tile_cells.is_some() { ", tiles" } else { "" });
                row(&name, &mesh, &reference, climb, pairs)?;
            }
        }
    }
    println!("\n| level | climb | pairs | time / find_path | points / polygons | µs |");
    println!("|---|---|---|---|---|---|");
    let whole =
        [("terrain", navscenes::sine_terrain(63.0, 8_000)), ("country", navscenes::world::chunk(1, 1))];
    for (name, level) in whole {
        let prepared = PreparedLevel::new(&level, &Settings::default())?;
        let mut mesh = NavMesh::default();
        for baked in navlevel::bake_tiles(&prepared, 48, &Silent)? {
            mesh.add_tile(baked.tile)?;
        }
        for climb in [0.5, 2.0, 10.0] {
            time_row(name, &mesh, climb)?;
        }
    }
    Ok(())
}

/// Times of random pairs on a whole level.
fn time_row(name: &str, mesh: &NavMesh, climb: f32) -> Result<(), Box<dyn Error>> {
    let plain = Filter::default();
    let filter = plain.clone().with_climb_cost(climb)?;
    let (mut query, mut random, mut sums) = (Query::new(), SplitMix64::new(1), Sums::default());
    for _ in 0..PAIRS / 2 {
        let mut place = || query.random_point(mesh, &plain, || random.between(0.0, 1.0));
        let ends = [place()?, place()?];
        sums.measure(&mut query, mesh, ends, [&filter, &plain])?;
    }
    let Sums { count, seconds, touched, .. } = sums;
    println!(
        "| {name} | {climb} | {count} | {:.1} | {:.0} / {:.0} | {:.0} |",
        seconds[0] / seconds[1],
        touched[0] / count,
        touched[1] / count,
        seconds[0] / count * 1e6,
    );
    Ok(())
}

/// Areas of sine waves, and a corner of rolling country.
fn levels() -> Vec<(&'static str, Level)> {
    vec![
        ("sine terrain", navscenes::sine_terrain(SIDE, 800)),
        ("rolling country", cut(&navscenes::world::chunk(1, 1), [350.0, 350.0])),
    ]
}

/// The part of a level in a square of the given corner.
fn cut(level: &Level, corner: [f64; 2]) -> Level {
    let is_in = |vertex: &u32| {
        let [x, _, z] = level.vertices[*vertex as usize];
        // Chunks keep their place in the world.
        x >= corner[0] && x <= corner[0] + SIDE && z >= corner[1] && z <= corner[1] + SIDE
    };
    let keep: Vec<bool> = level.triangles.iter().map(|triangle| triangle.iter().all(is_in)).collect();
    let mut level = level.clone();
    let mut kept = keep.iter();
    level.triangles.retain(|_| *kept.next().unwrap_or(&false));
    let mut kept = keep.iter();
    level.areas.retain(|_| *kept.next().unwrap_or(&true));
    level
}

#[derive(Default)]
struct Sums {
    count: f64,
    costs: [f64; 2],
    worst: f64,
    best: f64,
    seconds: [f64; 2],
    touched: [f64; 2],
}

impl Sums {
    /// Finds a path over slopes and a plain one. Returns the cost of the first if it is complete.
    fn measure(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        [filter, plain]: [&Filter; 2],
    ) -> Result<Option<f64>, Box<dyn Error>> {
        let (mut path, mut flat) = (GroundPath::default(), Path::default());
        query.find_path(mesh, start, goal, plain, &PathOptions::default(), &mut flat)?;
        if flat.status != PathStatus::Complete {
            return Ok(None);
        }
        let begin = Instant::now();
        query.ground_path(mesh, start, goal, filter, &mut path)?;
        let middle = Instant::now();
        query.find_path(mesh, start, goal, plain, &PathOptions::default(), &mut flat)?;
        self.seconds[1] += middle.elapsed().as_secs_f64();
        self.seconds[0] += (middle - begin).as_secs_f64();
        self.touched[0] += path.touched as f64;
        self.touched[1] += flat.touched as f64;
        self.count += 1.0;
        if path.status != PathStatus::Complete {
            return Err(format!("no path from {start:?} to {goal:?}").into());
        }
        Ok(Some(path.cost))
    }
}

fn row(
    name: &str,
    mesh: &NavMesh,
    reference: &Reference,
    climb: f32,
    pairs: usize,
) -> Result<(), Box<dyn Error>> {
    let plain = Filter::default();
    let filter = plain.clone().with_climb_cost(climb)?;
    let (mut query, mut random, mut sums) = (Query::new(), SplitMix64::new(1), Sums::default());
    for _ in 0..pairs.div_ceil(GOALS) {
        let start = query.random_point(mesh, &plain, || random.between(0.0, 1.0))?;
        let costs = reference.costs_from(mesh, start, f64::from(climb))?;
        for _ in 0..GOALS {
            let goal = query.random_point(mesh, &plain, || random.between(0.0, 1.0))?;
            let Some(least) = reference.cost_to(&costs, goal, f64::from(climb)) else { continue };
            if start.point.distance(goal.point) < 1.0 {
                continue;
            }
            let Some(cost) = sums.measure(&mut query, mesh, [start, goal], [&filter, &plain])? else {
                continue;
            };
            sums.costs = [sums.costs[0] + cost, sums.costs[1] + least];
            sums.worst = sums.worst.max(cost / least - 1.0);
            sums.best = sums.best.min(cost / least - 1.0);
        }
    }
    let Sums { count, costs, worst, best, seconds, touched } = sums;
    println!(
        "| {name} | {climb} | {count} | {:.3} | {:.2} | {:.2} | {:.1} | {:.0} / {:.0} | {:.0} |",
        (costs[0] / costs[1] - 1.0) * 100.0,
        worst * 100.0,
        best * 100.0,
        seconds[0] / seconds[1],
        touched[0] / count,
        touched[1] / count,
        seconds[0] / count * 1e6,
    );
    Ok(())
}

/// The points of the dense search.
struct Reference {
    points: Vec<At>,
    /// The triangles: their corners, and their points.
    triangles: Vec<([At; 3], Vec<u32>)>,
    /// The triangles of each point.
    around: Vec<Vec<u32>>,
}

fn cost(from: At, to: At, climb: f64) -> f64 {
    let along: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
    along.iter().map(|part| part * part).sum::<f64>().sqrt() + climb * along[1].max(0.0)
}

impl Reference {
    fn new(mesh: &NavMesh, apart: f64) -> Result<Reference, Box<dyn Error>> {
        let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
        let mut new = Reference { points: Vec::new(), triangles: Vec::new(), around: Vec::new() };
        for triangle in triangles(mesh) {
            let mut points = Vec::new();
            for edge in 0..3 {
                let [a, b] = [triangle[edge], triangle[(edge + 1) % 3]];
                // Both triangles of an edge divide it in the same direction.
                let [a, b] = if a < b { [a, b] } else { [b, a] };
                let length = (0..3).map(|axis| (b[axis] - a[axis]).powi(2)).sum::<f64>().sqrt();
                let count = (length / apart).ceil().max(1.0);
                for step in 0..=count as u32 {
                    let share = f64::from(step) / count;
                    let at: At = std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
                    let key = at.map(|coordinate| (coordinate * 1e4).round() as i64);
                    let number = *numbers.entry(key).or_insert_with(|| {
                        new.points.push(at);
                        new.around.push(Vec::new());
                        (new.points.len() - 1) as u32
                    });
                    if !points.contains(&number) {
                        points.push(number);
                        new.around[number as usize].push(new.triangles.len() as u32);
                    }
                }
            }
            new.triangles.push((triangle, points));
        }
        Ok(new)
    }

    fn triangle_at(&self, p: Vec3) -> Option<usize> {
        let p = [f64::from(p.x), f64::from(p.y), f64::from(p.z)];
        let outside = |triangle: &[At; 3]| {
            let side = |a: At, b: At, c: At| (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
            let [a, b, c] = *triangle;
            let area = side(a, b, c);
            let least =
                [side(a, b, p), side(b, c, p), side(c, a, p)].iter().map(|s| s / area).fold(1.0, f64::min);
            -least
        };
        let all =
            self.triangles.iter().enumerate().map(|(number, (triangle, _))| (outside(triangle), number));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, number)| number)
    }

    fn costs_from(
        &self,
        _: &NavMesh,
        start: Place,
        climb: f64,
    ) -> Result<(At, usize, Vec<f64>), Box<dyn Error>> {
        let from = [f64::from(start.point.x), f64::from(start.point.y), f64::from(start.point.z)];
        let first = self.triangle_at(start.point).ok_or("no triangle")?;
        let mut costs = vec![f64::INFINITY; self.points.len()];
        let mut open = BinaryHeap::new();
        let relax = |open: &mut BinaryHeap<(std::cmp::Reverse<u64>, u32)>,
                     costs: &mut Vec<f64>,
                     number: u32,
                     new: f64| {
            if new < costs[number as usize] {
                costs[number as usize] = new;
                open.push((std::cmp::Reverse(new.to_bits()), number));
            }
        };
        for number in &self.triangles[first].1 {
            relax(&mut open, &mut costs, *number, cost(from, self.points[*number as usize], climb));
        }
        while let Some((std::cmp::Reverse(bits), number)) = open.pop() {
            let known = f64::from_bits(bits);
            if known > costs[number as usize] {
                continue;
            }
            for triangle in &self.around[number as usize] {
                for next in &self.triangles[*triangle as usize].1 {
                    let step = cost(self.points[number as usize], self.points[*next as usize], climb);
                    relax(&mut open, &mut costs, *next, known + step);
                }
            }
        }
        Ok((from, first, costs))
    }

    fn cost_to(&self, (from, first, costs): &(At, usize, Vec<f64>), goal: Place, climb: f64) -> Option<f64> {
        let to = [f64::from(goal.point.x), f64::from(goal.point.y), f64::from(goal.point.z)];
        let last = self.triangle_at(goal.point)?;
        let straight = if last == *first { cost(*from, to, climb) } else { f64::INFINITY };
        let by = |number: &u32| costs[*number as usize] + cost(self.points[*number as usize], to, climb);
        let least = self.triangles[last].1.iter().map(by).fold(straight, f64::min);
        least.is_finite().then_some(least)
    }
}

/// The detail triangles of all polygons, metres from the anchor.
fn triangles(mesh: &NavMesh) -> Vec<[At; 3]> {
    let of_tile = |tile: &navtile::Tile| {
        let mut all = Vec::new();
        for polygon in tile.polygons() {
            for triangle in tile.polygon_detail_triangles(polygon) {
                all.push(triangle.vertices.map(|local| {
                    let vertex = tile.vertices()[tile.detail_vertex_index(polygon, local)];
                    let at = mesh.from_world(tile.to_world(vertex));
                    [at.x, at.y, at.z].map(f64::from)
                }));
            }
        }
        all
    };
    mesh.tiles().flat_map(of_tile).collect()
}
