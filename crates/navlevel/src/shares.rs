//! Divides a bake among machines: each gets a run of a space-filling curve, and all machines compute the same
//! runs from the same level.

use crate::schedule::Job;
use crate::tiling::{TileGrid, Tiling};
use navmath::sort::SharedSort;
use navtile::TileCoord;
use recast::Error;
use recast::PreparedLevel;
use std::collections::BTreeMap;
use std::ops::Range;

/// The weight of a triangle in columns: the cost to cut it into cells, relative to the cost of a column in
/// all stages.
const COLUMNS_PER_TRIANGLE: u64 = 4;

/// The jobs of share `index`, from 0, of `of` shares: a run of the curve that weighs as much as every other,
/// as far as whole tiles allow. Each job is in one share. Weights are counted in columns, borders included,
/// and triangles, so that they depend on nothing but the level, its settings and its tiling.
///
/// # Errors
/// A level whose tiles are too large for a grid.
pub fn share_jobs(tiling: &Tiling<'_>, jobs: Vec<Job>, index: u32, of: u32) -> Result<Vec<Job>, Error> {
    let mut placed: Vec<(u64, Job)> =
        jobs.into_iter().map(|job| (tiling.grid().along_curve(job.coord), job)).collect();
    placed.shared_sort_by_key(|(place, job)| (*place, job.coord));
    let weights: Vec<u64> = placed.iter().map(|(_, job)| weight(tiling, job)).collect::<Result<_, _>>()?;
    let own = run_of_curve(&weights, index, of);
    Ok(placed.drain(own).map(|(_, job)| job).collect())
}

/// A box that contains triangles, which count as if they were spread evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareBox {
    /// Its smallest and its largest corner, metres from the lattice's zero.
    pub corners: [[f32; 3]; 2],
    /// Number of triangles in the box.
    pub triangles: u64,
}

/// The tiles of share `index`, from 0, of `of` shares, for a level whose triangles are known only as counts
/// per box. Otherwise like [`share_jobs`], over all tiles that a box reaches; `more` are tiles that something
/// else reaches.
pub fn share_tiles(
    levels: &[PreparedLevel],
    grid: &TileGrid,
    (boxes, more): (&[ShareBox], &[TileCoord]),
    [index, of]: [u32; 2],
) -> Vec<TileCoord> {
    /// Parts of a triangle.
    const FINE: u64 = 256;
    let mut triangles: BTreeMap<TileCoord, u64> = more.iter().map(|coord| (*coord, 0)).collect();
    for ShareBox { corners, triangles: count } in boxes {
        let [columns, rows] = grid.reached(corners);
        let tiles = (columns.clone().count() * rows.clone().count()).max(1) as u64;
        for (x, z) in columns.flat_map(|x| rows.clone().map(move |z| (x, z))) {
            *triangles.entry(TileCoord { x: x as i32, z: z as i32, layer: 0 }).or_default() +=
                count.saturating_mul(FINE) / tiles;
        }
    }
    let columns: u64 = levels.iter().map(|level| grid.columns_of_tile(level)).sum();
    let mut placed: Vec<(u64, TileCoord, u64)> = triangles
        .into_iter()
        .map(|(coord, parts)| (grid.along_curve(coord), coord, columns + COLUMNS_PER_TRIANGLE * parts / FINE))
        .collect();
    placed.shared_sort();
    let weights: Vec<u64> = placed.iter().map(|(_, _, weight)| (*weight).max(1)).collect();
    let own = run_of_curve(&weights, index, of);
    let mut tiles: Vec<TileCoord> = placed[own].iter().map(|(_, coord, _)| *coord).collect();
    tiles.shared_sort();
    tiles
}

/// The run of items that is share `index` of `of`. The middle of an item decides which share it belongs to.
fn run_of_curve(weights: &[u64], index: u32, of: u32) -> Range<usize> {
    let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let mut before = 0u128;
    let shares = weights.iter().map(|weight| {
        let middle = before + u128::from(*weight) / 2;
        before += u128::from(*weight);
        middle * u128::from(of) / total.max(1)
    });
    // The values never decrease.
    let shares: Vec<u128> = shares.collect();
    let index = u128::from(index);
    shares.partition_point(|share| *share < index)..shares.partition_point(|share| *share <= index)
}

/// The weight of a job, in columns; at least 1.
fn weight(tiling: &Tiling<'_>, job: &Job) -> Result<u64, Error> {
    let triangles = tiling.triangle_count(job.coord) as u64;
    let mut weight = COLUMNS_PER_TRIANGLE * triangles;
    for &agent in &job.agents {
        let grid = tiling.build(agent, job.coord)?.grid;
        weight += u64::from(grid.width) * u64::from(grid.depth);
    }
    Ok(weight.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{Level, PreparedLevel, Settings};
    use std::collections::BTreeSet;

    /// Ground of 60 by 40 m, one corner of it crowded.
    fn level() -> PreparedLevel {
        let mut level = Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [60.0, 0.0, 40.0], [60.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            areas: Vec::new(),
        };
        for index in 0..2000 {
            let first = level.vertices.len() as u32;
            let (x, z) = (f64::from(index % 50) / 10.0, f64::from(index / 50) / 8.0);
            level.vertices.extend([[x, 0.5, z], [x, 0.5, z + 0.1], [x + 0.1, 0.5, z]]);
            level.triangles.push([first, first + 1, first + 2]);
        }
        PreparedLevel::new(&level, &Settings::default()).unwrap()
    }

    #[test]
    fn shares_of_boxes_are_disjoint_and_complete() {
        let levels = [level()];
        let grid = TileGrid::new(&levels, 16).unwrap();
        let boxes = [
            ShareBox { corners: [[0.0; 3], [5.0, 1.0, 5.0]], triangles: 20_000 },
            ShareBox { corners: [[20.0, 0.0, 8.0], [60.0, 2.0, 40.0]], triangles: 2 },
        ];
        let more = [TileCoord { x: 0, z: 8, layer: 0 }];
        let all = share_tiles(&levels, &grid, (&boxes, &more), [0, 1]);
        assert!(all.contains(&more[0]) && all.len() < (grid.size()[0] * grid.size()[1]) as usize);
        for of in [2, 5, 100] {
            let shares = (0..of).map(|index| share_tiles(&levels, &grid, (&boxes, &more), [index, of]));
            let shares: Vec<Vec<TileCoord>> = shares.collect();
            let mut joined: Vec<TileCoord> = shares.concat();
            joined.sort();
            assert_eq!(joined, all, "{of} shares");
            // The crowded corner is a share of its own.
            assert!(of != 2 || shares.iter().map(Vec::len).min() < Some(all.len() / 3));
        }
    }

    #[test]
    fn shares_are_disjoint_complete_and_of_about_one_weight() {
        let level = level();
        let tiling = Tiling::new(&level, 16).unwrap();
        let jobs: Vec<Job> =
            tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
        let weigh = |jobs: &[Job]| jobs.iter().map(|job| weight(&tiling, job).unwrap()).sum::<u64>();
        let heaviest = jobs.iter().map(|job| weight(&tiling, job).unwrap()).max().unwrap();
        for of in [1, 2, 5, 16, 1000] {
            let mut seen = BTreeSet::new();
            for index in 0..of {
                let own = share_jobs(&tiling, jobs.clone(), index, of).unwrap();
                let fair = weigh(&jobs) / u64::from(of);
                assert!(weigh(&own) <= fair + heaviest, "share {index} of {of}");
                assert!(own.iter().all(|job| seen.insert(job.coord)), "a tile in two shares");
            }
            assert_eq!(seen.len(), jobs.len(), "{of} shares");
        }
    }
}
