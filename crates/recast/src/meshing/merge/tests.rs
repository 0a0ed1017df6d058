//! The polygons equal those of the plain rule, which examines all pairs each time.

use super::*;
use crate::data::RegionId;
use crate::meshing::ear_clipping::triangulate;
use proptest::prelude::*;

/// Merges by the rule, over all pairs.
fn merge_plainly(mut polygons: Vec<Vec<u32>>, most: usize, vertices: &[[i32; 3]]) -> Vec<Vec<u32>> {
    let ends = |polygon: &[u32], at: usize| {
        let (from, to) = (polygon[at % polygon.len()], polygon[(at + 1) % polygon.len()]);
        [from.min(to), from.max(to)]
    };
    let plan = |vertex: u32| [vertices[vertex as usize][0], vertices[vertex as usize][2]];
    let at = |polygon: &[u32], at: usize| plan(polygon[at % polygon.len()]);
    // Edges without a twin, and the vertices at which they do not turn left or go straight on.
    let all: Vec<(u32, u32)> =
        polygons.iter().flat_map(|p| (0..p.len()).map(|at| (p[at], p[(at + 1) % p.len()]))).collect();
    let uses = |a: u32, b: u32| all.iter().filter(|&&(c, d)| (c, d) == (a, b) || (c, d) == (b, a)).count();
    let outline: Vec<(u32, u32)> = all.iter().copied().filter(|&(a, b)| uses(a, b) == 1).collect();
    let is_notch = |vertex: u32| {
        let before: Vec<u32> = outline.iter().filter(|edge| edge.1 == vertex).map(|edge| edge.0).collect();
        let after: Vec<u32> = outline.iter().filter(|edge| edge.0 == vertex).map(|edge| edge.1).collect();
        match (&before[..], &after[..]) {
            ([], []) => false,
            (&[before], &[after]) => !stays_left(plan(before), plan(vertex), plan(after)),
            _ => true,
        }
    };
    loop {
        let mut pairs = Vec::new();
        for second in 1..polygons.len() {
            for first in 0..second {
                let (a, b) = (&polygons[first], &polygons[second]);
                let shared = (0..a.len()).rev().find_map(|edge| {
                    (0..b.len()).find(|&other| ends(a, edge) == ends(b, other)).map(|other| (edge, other))
                });
                let Some((edge, other)) = shared else { continue };
                let turns = |p: &[u32], edge: usize, q: &[u32], other: usize| {
                    stays_left(at(p, edge + p.len() - 1), at(p, edge), at(q, other + 2))
                };
                let length = distance_squared(at(a, edge), at(a, edge + 1));
                let opposite = a[edge] == b[(other + 1) % b.len()];
                let is_flat = |p: &[u32]| p.len() == 3 && collinear(plan(p[0]), plan(p[1]), plan(p[2]));
                let fits =
                    opposite && !is_flat(a) && !is_flat(b) && a.len() + b.len() - 2 <= most && length > 0;
                if fits && turns(a, edge, b, other) && turns(b, other, a, edge) {
                    let notches = [a[edge], a[(edge + 1) % a.len()]].map(|end| u8::from(is_notch(end)));
                    pairs.push((notches[0] + notches[1], Reverse(length), first, second, edge, other));
                }
            }
        }
        let Some((_, _, first, second, edge, other)) = pairs.into_iter().min() else { return polygons };
        let around = |polygon: &[u32], from: usize| {
            (1..polygon.len()).map(|i| polygon[(from + i) % polygon.len()]).collect::<Vec<_>>()
        };
        let mut joined = around(&polygons[first], edge);
        joined.extend(around(&polygons[second], other));
        polygons[first] = joined;
        polygons.swap_remove(second);
    }
}

proptest! {
    // Outlines on few places touch themselves; on many places they are knots, with overlapping polygons.
    #[test]
    fn pairs_are_merged_like_by_the_plain_rule(
        outline in prop::collection::vec(prop::array::uniform2(0..12i32), 3..40), max_vertices in 3..9usize
    ) {
        let (triangles, _) = triangulate(&outline);
        // Places that coincide are one vertex, as in the stage.
        let index = |corner: u32| outline.iter().position(|at| *at == outline[corner as usize]).unwrap_or(0) as u32;
        let triangles: Vec<[u32; 3]> = triangles.into_iter().map(|triangle| triangle.map(index)).collect();
        let vertices: Vec<[i32; 3]> = outline.iter().map(|&[x, z]| [x, 0, z]).collect();
        let (mut merger, mut merged) = (Merger::default(), DraftPolygons::default());
        merger.start(triangles.len(), max_vertices);
        triangles.iter().for_each(|&triangle| merger.add(triangle, RegionSpan::of(RegionId::inner(1)), AreaId::GROUND));
        merger.merge_into(&vertices, &mut merged);
        let polygons = triangles.iter().map(|triangle| triangle.to_vec()).collect();
        let expected = merge_plainly(polygons, max_vertices.min(triangles.len() + 2), &vertices);
        let found: Vec<Vec<u32>> = merged.list.iter().map(|polygon| merged.corners(polygon).to_vec()).collect();
        prop_assert_eq!(found, expected);
    }
}
