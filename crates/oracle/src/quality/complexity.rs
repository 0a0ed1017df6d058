//! Measure 7, complexity: how many polygons and passages a mesh has, their shape, how much of them overlaps,
//! and how many pieces they form. Studies compare navigation meshes by these figures.
//! Units: cells. Cost: O(edges log edges + columns under polygons).
//! Source: W. van Toll and others, A comparative study of navigation meshes (Motion in Games 2016).

use super::any_angle::Cells;
use super::ground::Ground;
use super::surface::{Patch, Surface, middle};
use navmath::{FIXED_ONE, Sets};
use navtile::Tile;
use navtile::layout::edge_kind;
use std::collections::{BTreeMap, BTreeSet};

/// The mean of some numbers, and their standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dispersion {
    /// The mean; 0 without numbers.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

impl Dispersion {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Dispersion {
        let count = numbers.clone().count().max(1) as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let variance = numbers.map(|number| (number - mean) * (number - mean)).sum::<f64>() / count;
        Dispersion { mean, deviation: variance.sqrt() }
    }
}

/// The result of the measure. Regions of the study are polygons here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complexity {
    /// Different corners of polygons.
    pub vertices: usize,
    /// Edges of polygons; an edge between two polygons counts once.
    pub edges: usize,
    /// Pairs of polygons with a passage between them.
    pub passages: usize,
    /// Area of a polygon, cells squared.
    pub area: Dispersion,
    /// Polygons that can be entered from a polygon.
    pub neighbours: Dispersion,
    /// Length of a polygon over its width, in the direction in which it is narrowest.
    pub elongation: Dispersion,
    /// Connected pieces of the mesh.
    pub pieces: usize,
    /// Connected pieces of the floors, of at least the smallest area of a region.
    pub floor_pieces: usize,
    /// Lines along which the mesh ends, each from end to end or around a piece or a hole.
    pub borders: usize,
    /// Columns with several polygons of one storey over their middle, as a share of all with polygons.
    pub overlap: f64,
}

/// Measures a mesh by its openings and the number of its islands. Within `storey_cells` in height there can
/// be no other storey; connected floors of fewer than `least_cells` are no piece.
pub fn measure<'a>(
    tiles: impl Iterator<Item = &'a Tile>,
    ground: &Ground,
    surface: &Surface,
    (passages, pieces): (&Cells, usize),
    [storey_cells, least_cells]: [i32; 2],
) -> Complexity {
    let mut corners: BTreeSet<&[i64; 3]> = BTreeSet::new();
    let mut edges = BTreeSet::new();
    for Patch { corners: ring, .. } in &surface.patches {
        corners.extend(ring);
        let next = ring.iter().cycle().skip(1);
        edges.extend(ring.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)]));
    }
    let neighbours: Vec<BTreeSet<u32>> = passages
        .offsets
        .array_windows()
        .map(|&[first, end]| {
            passages.openings[first as usize..end as usize].iter().map(|way| way.to).collect()
        })
        .collect();
    let mut sizes = BTreeMap::new();
    ground.components().into_iter().flatten().for_each(|piece| *sizes.entry(piece).or_insert(0) += 1);
    Complexity {
        vertices: corners.len(),
        edges: edges.len(),
        passages: neighbours.iter().map(BTreeSet::len).sum::<usize>() / 2,
        area: Dispersion::of(surface.patches.iter().map(area)),
        neighbours: Dispersion::of(neighbours.iter().map(|ways| ways.len() as f64)),
        elongation: Dispersion::of(surface.patches.iter().map(elongation)),
        pieces,
        floor_pieces: sizes.values().filter(|&&cells| cells >= least_cells).count(),
        borders: borders(tiles),
        overlap: overlap(ground, surface, storey_cells),
    }
}

fn points(patch: &Patch) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
    patch.corners.iter().map(|corner| [corner[0], corner[2]].map(|v| v as f64 / f64::from(FIXED_ONE)))
}

fn area(patch: &Patch) -> f64 {
    let twice = points(patch).zip(points(patch).cycle().skip(1)).map(|(a, b)| a[0] * b[1] - a[1] * b[0]);
    twice.sum::<f64>().abs() / 2.0
}

/// A convex polygon is narrowest at a right angle to one of its edges.
fn elongation(patch: &Patch) -> f64 {
    let extent = |[x, z]: [f64; 2]| {
        let along = points(patch).map(|point| x * point[0] + z * point[1]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    };
    let rectangles = points(patch).zip(points(patch).cycle().skip(1)).filter_map(|(a, b)| {
        let [x, z] = [b[0] - a[0], b[1] - a[1]];
        (x != 0.0 || z != 0.0).then(|| (extent([-z, x]) / x.hypot(z), extent([x, z]) / x.hypot(z)))
    });
    rectangles.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(1.0, |(width, length)| length.max(width) / width)
}

/// Edges with a wall beyond that meet at their ends are one border.
fn borders<'a>(tiles: impl Iterator<Item = &'a Tile>) -> usize {
    let mut numbers: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let mut edges = Vec::new();
    for tile in tiles {
        let base = tile.header().base_cell.map(|cell| cell * i64::from(FIXED_ONE));
        for polygon in tile.polygons() {
            let own = tile.polygon_edges(polygon);
            for (edge, next) in own.iter().zip(own.iter().cycle().skip(1)) {
                if edge.kind == edge_kind::WALL {
                    edges.push([edge.vertex, next.vertex].map(|vertex| {
                        let at = tile.vertices()[vertex as usize];
                        let at = std::array::from_fn(|axis| base[axis] + i64::from(at[axis]));
                        let next = numbers.len() as u32;
                        *numbers.entry(at).or_insert(next)
                    }));
                }
            }
        }
    }
    let mut sets = Sets::new(numbers.len() as u32);
    edges.into_iter().for_each(|[a, b]| {
        sets.join(a, b);
    });
    sets.numbers().1 as usize
}

fn overlap(ground: &Ground, surface: &Surface, storey_cells: i32) -> f64 {
    let (mut covered, mut several) = (0usize, 0usize);
    for (x, z) in (0..ground.depth).flat_map(|z| (0..ground.width).map(move |x| (x, z))) {
        let (point, over) = (middle(x, z), surface.over(x, z));
        covered += usize::from(!over.is_empty());
        // A middle on the line between two polygons is in both without an overlap.
        let inside = over
            .iter()
            .map(|&patch| &surface.patches[patch as usize])
            .filter(|patch| patch.contains_strictly(point));
        let mut heights: Vec<f64> = inside.map(|patch| patch.height(point.map(|v| v as f64))).collect();
        heights.sort_by(f64::total_cmp);
        let storey = f64::from(storey_cells) * f64::from(FIXED_ONE);
        several += usize::from(heights.array_windows().any(|[low, high]| high - low < storey));
    }
    several as f64 / covered.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::any_angle::Opening;
    use crate::quality::testing::{box_bake, rectangle, room};

    fn measured(patches: Vec<Patch>, passages: &Cells) -> Complexity {
        let ground = room("########\n########\n##....##\n########", 2);
        let surface = Surface::new(patches, 8, 4);
        measure(std::iter::empty(), &ground, &surface, (passages, 1), [10, 4])
    }

    fn passages(pairs: &[(u32, u32)], count: u32) -> Cells {
        let mut cells = Cells { offsets: vec![0], openings: Vec::new() };
        for cell in 0..count {
            let others = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).filter(|pair| pair.0 == cell);
            cells.openings.extend(others.map(|(_, to)| Opening {
                left: [0; 2],
                right: [0; 2],
                corners: [None; 2],
                to,
            }));
            cells.offsets.push(cells.openings.len() as u32);
        }
        cells
    }

    #[test]
    fn counts_and_shapes_of_polygons() {
        let patches =
            vec![rectangle([0, 0], [2, 4], 2), rectangle([2, 0], [8, 2], 2), rectangle([8, 0], [9, 2], 2)];
        let found = measured(patches, &passages(&[(0, 1), (1, 2)], 3));
        // The first rectangle's right side is one edge, the second's left side another: they differ.
        assert_eq!((found.vertices, found.edges, found.passages), (9, 11, 2));
        assert_eq!((found.area.mean, found.neighbours.mean), (22.0 / 3.0, 4.0 / 3.0));
        assert!((found.elongation.mean - (2.0 + 3.0 + 2.0) / 3.0).abs() < 1e-12, "{found:?}");
        assert!((found.elongation.deviation - (2.0f64 / 9.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!((found.floor_pieces, found.overlap), (1, 0.0));
    }

    #[test]
    fn polygons_of_one_storey_overlap_and_of_two_do_not() {
        let at = |height: i64| vec![rectangle([0, 0], [8, 4], 2), rectangle([0, 0], [4, 4], height)];
        assert_eq!(measured(at(5), &passages(&[], 2)).overlap, 0.5);
        assert_eq!(measured(at(12), &passages(&[], 2)).overlap, 0.0);
    }

    #[test]
    fn a_plain_floor_has_one_border() {
        assert_eq!(borders(box_bake().tile.iter()), 1);
    }
}
