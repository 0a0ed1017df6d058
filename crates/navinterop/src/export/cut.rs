//! Cuts across polygons whose detail meshes do not fit Detour's bytes.
//!
//! Each cut runs along an axis, near the median of the detail triangles, and along the axis that leaves fewer
//! of them on the larger side. So pieces become compact. Long pieces would have hundreds of vertices just
//! along their cuts. If a cut meets a slanted edge, its end is rounded to 1/256 of a cell. Near the median,
//! the cut prefers a place without rounding, so that all pieces stay convex. All pieces along an edge get its
//! new corners.
//!
//! Cost: O(n log² n) in triangles. Source: J. L. Bentley, Multidimensional Binary Search Trees (1975).

use super::detail::{fits, plan};
use super::polygon::{Corner, ExportPolygon, line_of};
use navmath::predicates::{area2, polygon_area2};
use navmath::sort::SharedSort;
use navtile::layout::edge_kind;
use navtile::tile::Tile;
use std::collections::BTreeMap;

/// Most cuts of a piece and the pieces that it came from. Each about halves it, and a polygon has at most
/// 65,535 triangles.
const DEPTH: u32 = 16;
/// Largest distance between a cut and the median: eight cells, in units.
const REACH: i32 = 8 * navmath::FIXED_ONE;
/// Smallest distance between a cut and the ends of its polygon, in units.
const MARGIN: i32 = 8;
/// Vertices and triangles that neighbours' cuts may add to a piece that fits.
const SPARE: usize = 32;

/// The cuts of a tile.
pub(super) struct Cuts<'a> {
    tile: &'a Tile,
    /// The corners of polygons, then new ones.
    pub(super) vertices: Vec<[i32; 3]>,
    /// The new corners on each line.
    points: BTreeMap<u32, Vec<u32>>,
    /// The number of the next line.
    next_line: u32,
    /// Number of further cuts that there is room for.
    spare: usize,
}

impl<'a> Cuts<'a> {
    /// Starts without cuts. A cut adds a piece and two vertices. These vertices add corners to neighbours,
    /// and each neighbour may be split into one more piece.
    pub(super) fn new(tile: &'a Tile, [pieces, vertices]: [usize; 2]) -> Cuts<'a> {
        let count = tile.header().polygon_vertex_count as usize;
        let corners =
            tile.edges().len().saturating_sub(4 * tile.polygons().len()) / 4 + tile.polygons().len();
        let used = count + 2 * tile.off_mesh_links().len();
        let spare = (pieces.saturating_sub(corners) / 3).min(vertices.saturating_sub(used) / 2);
        // Edges of a tile have 32 bits.
        let next_line = tile.edges().len() as u32;
        Cuts { tile, vertices: tile.vertices()[..count].to_vec(), points: BTreeMap::new(), next_line, spare }
    }

    pub(super) fn new_line(&mut self) -> u32 {
        self.next_line += 1;
        self.next_line - 1
    }

    fn positions(&self, corners: &[Corner]) -> Vec<[i32; 3]> {
        corners.iter().map(|corner| self.vertices[corner.vertex as usize]).collect()
    }

    /// The part of a piece with these corners.
    pub(super) fn part(&self, piece: &ExportPolygon, corners: Vec<Corner>) -> ExportPolygon {
        let is_known = |corner: &Corner| piece.corners.iter().any(|known| known.line == corner.line);
        let is_new: Vec<bool> = corners.iter().map(|corner| !is_known(corner)).collect();
        let detail = piece.detail.part(&self.positions(&piece.corners), &self.positions(&corners), &is_new);
        ExportPolygon { polygon: piece.polygon, corners, detail }
    }

    /// Adds a piece, cut until its detail mesh fits.
    pub(super) fn divide(&mut self, piece: ExportPolygon, parts: &mut Vec<ExportPolygon>) {
        let mut waiting = vec![(piece, DEPTH)];
        while let Some((piece, depth)) = waiting.pop() {
            let spare = if depth == DEPTH { 0 } else { SPARE };
            let vertices = piece.corners.len() + piece.detail.vertices.len();
            let fits = fits(vertices + spare, piece.detail.triangles.len() + spare);
            let halves = if fits || depth == 0 { None } else { self.cut(&piece) };
            match halves {
                None => parts.push(piece),
                Some(halves) => waiting.extend(halves.map(|half| (half, depth - 1))),
            }
        }
    }

    /// The piece with the new corners on its outline.
    pub(super) fn stitched(&self, piece: ExportPolygon) -> ExportPolygon {
        let mut corners = Vec::with_capacity(piece.corners.len());
        for (from, to) in piece.edges() {
            corners.push(from);
            let points = self.points.get(&line_of(self.tile, from.line)).map_or(&[][..], |points| points);
            let [a, b] = [from, to].map(|corner| plan(self.vertices[corner.vertex as usize]));
            // All are on the edge, so the edge's longer axis orders them.
            let axis = usize::from((b[0] - a[0]).abs() < (b[1] - a[1]).abs());
            let place = |vertex: u32| plan(self.vertices[vertex as usize])[axis];
            let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            let mut between: Vec<u32> =
                points.iter().copied().filter(|&point| low < place(point) && place(point) < high).collect();
            between.shared_sort_by_key(|&point| if a[axis] < b[axis] { place(point) } else { -place(point) });
            corners.extend(between.into_iter().map(|vertex| Corner { vertex, ..from }));
        }
        if corners.len() == piece.corners.len() { piece } else { self.part(&piece, corners) }
    }

    /// Cuts a piece into two halves; `None` if there is no room, or if every cut leaves all triangles on one
    /// side.
    fn cut(&mut self, piece: &ExportPolygon) -> Option<[ExportPolygon; 2]> {
        self.spare = self.spare.checked_sub(1)?;
        let positions = self.positions(&piece.corners);
        let shapes: Vec<[[i32; 3]; 3]> = piece.detail.shapes(&positions).collect();
        // Detour joins an edge to at most four polygons of the next tile. So a border gets one new corner.
        let is_closed = |corner: &Corner| {
            let edge = self.tile.edges().get(corner.line as usize);
            edge.is_some_and(|edge| edge.kind == edge_kind::PORTAL) && self.points.contains_key(&corner.line)
        };
        let closed: Vec<bool> = piece.corners.iter().map(is_closed).collect();
        let cuts = [0, 2].into_iter().filter_map(|axis| best_cut(&positions, &closed, &shapes, axis));
        let (_, axis, at) = cuts.min()?;
        let line = self.new_line();
        let mut halves = [Vec::new(), Vec::new()];
        for (from, to) in piece.edges() {
            let [a, b] = [from, to].map(|corner| (self.vertices[corner.vertex as usize][axis] - at).signum());
            // Below the cut, then above it.
            for (half, sign) in halves.iter_mut().zip([1, -1]) {
                if a * sign <= 0 {
                    let leaves = a == 0 && b * sign > 0;
                    half.push(Corner { line: if leaves { line } else { from.line }, ..from });
                }
            }
            if a * b < 0 {
                let vertex = self.crossing([from, to], axis, at, &shapes);
                let (leaving, entering) = if a < 0 { (0, 1) } else { (1, 0) };
                halves[leaving].push(Corner { vertex, line });
                halves[entering].push(Corner { vertex, line: from.line });
            }
        }
        let has_area = |half: &Vec<Corner>| polygon_area2(self.positions(half).into_iter().map(plan)) < 0;
        halves.iter().all(has_area).then(|| halves.map(|half| self.part(piece, half)))
    }

    /// The vertex where an edge crosses a cut.
    fn crossing(&mut self, [from, to]: [Corner; 2], axis: usize, at: i32, shapes: &[[[i32; 3]; 3]]) -> u32 {
        let line = line_of(self.tile, from.line);
        let [a, b] = [from, to].map(|corner| self.vertices[corner.vertex as usize]);
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let other = 2 - axis;
        let along = |value: i32, axis: usize| i128::from(value) - i128::from(a[axis]);
        let (part, whole) = (along(at, axis), along(b[axis], axis));
        let (part, whole) = if whole < 0 { (-part, -whole) } else { (part, whole) };
        let moved = (2 * along(b[other], other) * part + whole).div_euclid(2 * whole);
        let mut vertex = [0; 3];
        vertex[axis] = at;
        // Between two coordinates.
        vertex[other] = a[other] + moved as i32;
        let points = self.points.entry(line).or_default();
        if let Some(&known) =
            points.iter().find(|&&point| plan(self.vertices[point as usize]) == plan(vertex))
        {
            return known;
        }
        vertex[1] = height(shapes, vertex);
        // Fewer than 2^16 are exported.
        let number = self.vertices.len() as u32;
        self.vertices.push(vertex);
        points.push(number);
        number
    }
}

/// The best cut along one axis that crosses no closed edge: the number of triangles on the larger side, the
/// axis, and its position. `None` if there is no such cut, or if the larger side would keep all triangles.
fn best_cut(
    corners: &[[i32; 3]],
    closed: &[bool],
    shapes: &[[[i32; 3]; 3]],
    axis: usize,
) -> Option<(usize, usize, i32)> {
    let ends = corners.iter().map(|corner| corner[axis]);
    let (low, high) = (ends.clone().min()?.saturating_add(MARGIN), ends.max()?.saturating_sub(MARGIN));
    if low > high {
        return None;
    }
    let middle = |shape: &[[i32; 3]; 3]| shape.iter().map(|corner| i64::from(corner[axis])).sum::<i64>() / 3;
    let mut middles: Vec<i64> = shapes.iter().map(middle).collect();
    middles.shared_sort();
    // Within the range of coordinates.
    let median = (middles[middles.len() / 2] as i32).clamp(low, high);
    let next = corners.iter().cycle().skip(1);
    let edges: Vec<_> = corners.iter().zip(next).zip(closed).collect();
    let crossed = |at: i32| {
        let crosses = move |a: i32, b: i32| (a < at) != (b < at) && a != at && b != at;
        edges.iter().filter(move |((a, b), _)| crosses(a[axis], b[axis]))
    };
    let rounded = |at: i32| {
        let is_rounded = |(a, b): (&[i32; 3], &[i32; 3])| {
            let difference = |axis: usize| i128::from(b[axis]) - i128::from(a[axis]);
            let part = i128::from(at) - i128::from(a[axis]);
            difference(2 - axis) * part % difference(axis) != 0
        };
        crossed(at).filter(|(edge, _)| is_rounded(*edge)).count()
    };
    let near = low.max(median.saturating_sub(REACH))..=high.min(median.saturating_add(REACH));
    let open = near.filter(|&at| !crossed(at).any(|(_, closed)| **closed));
    let (.., at) = open.map(|at| (rounded(at), at.abs_diff(median), at)).min()?;
    let below = shapes.iter().filter(|shape| shape.iter().any(|corner| corner[axis] < at)).count();
    let above = shapes.iter().filter(|shape| shape.iter().any(|corner| corner[axis] > at)).count();
    let larger = below.max(above);
    (larger < shapes.len()).then_some((larger, axis, at))
}

/// The height of a surface over or under a point, from the triangle that contains the point best.
fn height(shapes: &[[[i32; 3]; 3]], at: [i32; 3]) -> i32 {
    let mut best = (f64::NEG_INFINITY, f64::from(at[1]));
    for &[a, b, c] in shapes {
        let total = area2(plan(a), plan(b), plan(c));
        if total == 0 {
            continue;
        }
        let weights = [[b, c], [c, a], [a, b]]
            .map(|[from, to]| area2(plan(from), plan(to), plan(at)) as f64 / total as f64);
        let depth = weights.into_iter().fold(f64::INFINITY, f64::min);
        if depth > best.0 {
            let height = |(corner, weight): ([i32; 3], f64)| f64::from(corner[1]) * weight;
            best = (depth, [a, b, c].into_iter().zip(weights).map(height).sum());
        }
    }
    // The cast saturates at the limits of 32 bits.
    best.1.round() as i32
}
