//! Random pairs of floors to find paths between, and the shortest lengths over the floors.
//! Cost: O(floors), and one exact search a pair.

use super::QualityOptions;
use super::any_angle::{At, NoLength};
use super::cells::of_ground;
use super::ground::Ground;
use super::paths::{End, SearchedMesh};
use super::surface::middle;
use navmath::FIXED_ONE;
use navscenes::random::SplitMix64;

/// Random pairs, and for each mesh the number of further pairs that it does not connect.
#[derive(Debug, Default)]
pub struct Drawn {
    /// Pairs that every mesh connects.
    pub pairs: Vec<[End; 2]>,
    /// Pairs drawn that a mesh does not connect, by mesh.
    pub apart: Vec<usize>,
}

/// Draws floors of one component, each strictly under a polygon of every mesh, until every mesh connects
/// enough pairs. Fails only on a few levels with a great many small islands.
pub fn draw(ground: &Ground, asked: &[SearchedMesh<'_>], options: &QualityOptions) -> Drawn {
    let components = ground.components();
    let kept: Vec<usize> =
        (0..ground.spans.len()).filter(|&span| ground.spans[span].region.is_some()).collect();
    let mut drawn = Drawn { pairs: Vec::new(), apart: vec![0; asked.len()] };
    let mut random = SplitMix64::new(options.seed);
    for _ in 0..40 * options.pairs {
        if drawn.pairs.len() == options.pairs || kept.is_empty() {
            break;
        }
        let [a, b] = [(); 2].map(|()| kept[(random.next_u64() % kept.len() as u64) as usize]);
        let ends = [a, b].map(|span| {
            let span = &ground.spans[span];
            End { x: span.x, z: span.z, floor: span.floor }
        });
        if components[a] != components[b] || !asked.iter().all(|asked| asked.knows(ends)) {
            continue;
        }
        let connected: Vec<bool> = asked.iter().map(|asked| asked.connects(ends)).collect();
        drawn
            .apart
            .iter_mut()
            .zip(&connected)
            .for_each(|(apart, connected)| *apart += usize::from(!connected));
        if connected.iter().all(|&connected| connected) {
            drawn.pairs.push(ends);
        }
    }
    drawn
}

/// Lengths of the shortest paths over the floors, cells.
pub fn floor_lengths(ground: &Ground, pairs: &[[End; 2]]) -> Vec<Result<f64, NoLength>> {
    let (cells, owner) = of_ground(ground);
    let at = |end: End| {
        let span = ground.find(end.x, end.z, end.floor);
        let cell = span.and_then(|span| owner[span]).ok_or(NoLength::Unreachable)?;
        Ok(At { cell, point: middle(end.x, end.z) })
    };
    let length =
        |&[start, goal]: &[End; 2]| Ok(cells.shortest(at(start)?, at(goal)?)? / f64::from(FIXED_ONE));
    pairs.iter().map(length).collect()
}
