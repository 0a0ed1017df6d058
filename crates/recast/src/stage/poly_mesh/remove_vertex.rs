//! Removes vertices that exist only because of the tile's border: the polygons around each are taken out, and
//! the ground that they covered is triangulated and merged again. Cost: O(log n) for each corner of the
//! polygons around a removed vertex, n being the number of edges on the border.
//!
//! Lists hold the polygons around each vertex of the border. Vertices keep their numbers until all are
//! examined.

use super::draft::Draft;
use crate::data::draft_polygons::{DraftPolygon, DraftPolygons, RegionSpan};
use crate::lists::previous_in_ring;
use crate::meshing::ear_clipping::triangulate;
use crate::meshing::merge::Merger;
use crate::observer::{DiagnosticKind, Report};
use navmath::predicates::{Point, collinear, polygon_area2};
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use std::collections::{BTreeSet, VecDeque};

/// Removes all border vertices that can be removed.
pub(super) fn remove_border_vertices(
    draft: &mut Draft,
    max_vertices: usize,
    merger: &mut Merger,
    report: &mut Report,
) {
    if !draft.border_vertex.contains(&true) {
        return;
    }
    let mut around = PolygonsAround::default();
    around.add_new(draft);
    let mut border = BorderEdges::new(&draft.border_edges);
    let mut gone = vec![false; draft.vertices.len()];
    for vertex in 0..draft.vertices.len() as u32 {
        if !draft.border_vertex[vertex as usize] {
            continue;
        }
        let polygons = around.list(vertex);
        let corners =
            |&polygon: &u32| draft.polygons.corners(&draft.polygons.list[around.places[polygon as usize]]);
        if !can_remove(draft, vertex, polygons.iter().map(corners), &border) {
            continue;
        }
        let Some(rim) =
            single_rim(draft, vertex, polygons.iter().map(|&polygon| around.places[polygon as usize]))
        else {
            continue;
        };
        gone[vertex as usize] = true;
        border.join(vertex);
        around.take(draft, polygons);
        rebuild(draft, draft.vertices[vertex as usize], &rim, max_vertices, merger, report);
        around.add_new(draft);
    }
    draft.border_edges = border.from.into_iter().collect();
    remove_vertices(draft, &gone);
}

/// Removes vertices that no polygon uses any more.
fn remove_vertices(draft: &mut Draft, gone: &[bool]) {
    let number = |left: &mut u32, gone: &bool| {
        let number = *left;
        *left += u32::from(!gone);
        Some(number)
    };
    let numbers: Vec<u32> = gone.iter().scan(0, number).collect();
    let Draft { vertices, border_vertex, border_edges, walls, polygons } = draft;
    let (mut is_gone, mut is_gone_too) = (gone.iter(), gone.iter());
    vertices.retain(|_| is_gone.next() == Some(&false));
    border_vertex.retain(|_| is_gone_too.next() == Some(&false));
    walls.retain(|wall| wall.iter().all(|&end| !gone[end as usize]));
    // This keeps edges in order.
    let ends = border_edges.iter_mut().chain(walls).flatten();
    ends.chain(&mut polygons.corners).for_each(|vertex| *vertex = numbers[*vertex as usize]);
}

/// The polygons around each vertex of the border. The numbers of polygons never change, but their positions
/// in the draft's list do.
#[derive(Default)]
struct PolygonsAround {
    /// The position of each polygon; [`GONE`] if it was taken out.
    places: Vec<usize>,
    /// The polygon at each position.
    at: Vec<u32>,
    /// Polygons by vertex.
    lists: Vec<Vec<u32>>,
}

/// Marks a polygon that was taken out.
const GONE: usize = usize::MAX;

impl PolygonsAround {
    /// Adds the polygons at the end of the list that are not known yet.
    fn add_new(&mut self, draft: &Draft) {
        self.lists.resize_with(draft.vertices.len(), Vec::new);
        let polygons = &draft.polygons;
        for place in self.at.len()..polygons.list.len() {
            let polygon = self.places.len() as u32;
            self.places.push(place);
            self.at.push(polygon);
            for &vertex in polygons.corners(&polygons.list[place]) {
                let list = &mut self.lists[vertex as usize];
                if draft.border_vertex[vertex as usize] && list.last() != Some(&polygon) {
                    list.push(polygon);
                }
            }
        }
    }

    /// The polygons around a vertex, in their order in the draft.
    fn list(&mut self, vertex: u32) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.lists[vertex as usize]);
        list.retain(|&polygon| self.places[polygon as usize] != GONE);
        list.shared_sort_by_key(|&polygon| self.places[polygon as usize]);
        list
    }

    /// Takes polygons out of the draft, always the first of the remaining ones; the last of the list moves to
    /// its position.
    fn take(&mut self, draft: &mut Draft, polygons: Vec<u32>) {
        let mut polygons = VecDeque::from(polygons);
        while let Some(polygon) = polygons.pop_front() {
            let place = std::mem::replace(&mut self.places[polygon as usize], GONE);
            draft.polygons.list.swap_remove(place);
            self.at.swap_remove(place);
            if let Some(&moved) = self.at.get(place) {
                self.places[moved as usize] = place;
                if polygons.back() == Some(&moved) {
                    polygons.rotate_right(1);
                }
            }
        }
    }
}

/// Edges beyond which the border continues, by their first ends, and reversed by their second ends.
struct BorderEdges {
    from: BTreeSet<[u32; 2]>,
    to: BTreeSet<[u32; 2]>,
}

impl BorderEdges {
    fn new(edges: &[[u32; 2]]) -> BorderEdges {
        BorderEdges {
            from: edges.iter().copied().collect(),
            to: edges.iter().map(|&[a, b]| [b, a]).collect(),
        }
    }

    fn has(&self, a: u32, b: u32) -> bool {
        self.from.contains(&[a, b]) || self.to.contains(&[a, b])
    }

    /// Joins the edges to and from a vertex.
    fn join(&mut self, vertex: u32) {
        let of = |edges: &BTreeSet<[u32; 2]>| -> Vec<u32> {
            edges.range([vertex, 0]..=[vertex, u32::MAX]).map(|edge| edge[1]).collect()
        };
        let (ends, starts) = (of(&self.from), of(&self.to));
        for (start, end) in
            starts.iter().map(|&start| (start, vertex)).chain(ends.iter().map(|&end| (vertex, end)))
        {
            self.from.remove(&[start, end]);
            self.to.remove(&[end, start]);
        }
        if let (Some(&start), Some(&end)) = (starts.first(), ends.first()) {
            self.from.insert([start, end]);
            self.to.insert([end, start]);
        }
    }
}

/// Returns true if the remaining corners around the vertex make a polygon, its polygons are connected, and no
/// ground is gained or lost: a mesh that ends at the vertex must end in a straight line.
fn can_remove<'a>(
    draft: &Draft,
    vertex: u32,
    polygons: impl Iterator<Item = &'a [u32]>,
    border: &BorderEdges,
) -> bool {
    let (mut remaining_edges, mut spokes) = (0, Vec::new());
    for corners in polygons {
        #[cfg(test)]
        corners.iter().for_each(|_| crate::meshing::steps::step());
        let touched = corners.iter().filter(|&&corner| corner == vertex).count();
        remaining_edges += corners.len() as i64 - (touched as i64 + 1);
        let before = corners.iter().cycle().skip(corners.len() - 1);
        let touching = corners.iter().zip(before).filter(|ends| *ends.0 == vertex || *ends.1 == vertex);
        spokes.extend(touching.map(|(&corner, &before)| if corner == vertex { before } else { corner }));
    }
    spokes.shared_sort();
    // If the mesh ends at the vertex, the edge over it is one more.
    let mut open = spokes.chunk_by(|a, b| a == b).filter(|uses| uses.len() < 2).map(|uses| uses[0]);
    let (straight, has_end) = match (open.next(), open.next(), open.next()) {
        (None, ..) => (true, false),
        (Some(a), Some(b), None) => {
            let same = border.has(a, vertex) == border.has(b, vertex);
            (same && collinear(draft.plan(a), draft.plan(vertex), draft.plan(b)), true)
        }
        _ => (false, true),
    };
    remaining_edges + i64::from(has_end) > 2 && straight
}

/// An edge around the hole that a removed vertex leaves, with the polygon that it belonged to.
#[derive(Clone, Copy)]
struct RimEdge {
    from: u32,
    to: u32,
    regions: RegionSpan,
    area: AreaId,
}

/// The rim around the polygons at some positions, if they cover one polygon. Storeys that meet in the vertex
/// do not.
fn single_rim(draft: &Draft, vertex: u32, places: impl Iterator<Item = usize>) -> Option<Vec<RimEdge>> {
    let (mut rim, mut area) = (Vec::new(), 0);
    for place in places {
        let polygon = &draft.polygons.list[place];
        area += polygon_area2(draft.polygons.corners(polygon).iter().map(|&corner| draft.plan(corner)));
        add_rim(&draft.polygons, polygon, vertex, &mut rim);
    }
    let rim = walk_rim(&rim);
    (polygon_area2(rim.iter().map(|edge| draft.plan(edge.from))) == area).then_some(rim)
}

/// Fills the hole that a vertex left.
fn rebuild(
    draft: &mut Draft,
    place: [i32; 3],
    hole: &[RimEdge],
    max_vertices: usize,
    merger: &mut Merger,
    report: &mut Report,
) {
    if hole.len() < 3 {
        return;
    }
    let outline: Vec<Point> = hole.iter().map(|edge| draft.plan(edge.from)).collect();
    let (triangles, complete) = triangulate(&outline);
    if !complete {
        let what = "the polygons around a vertex on the tile's border could not be rebuilt cleanly";
        report.at_place(DiagnosticKind::BadTriangulation, place, what);
    }
    merger.start(triangles.len(), max_vertices);
    for triangle in triangles {
        let edges = triangle.map(|corner| hole[corner as usize]);
        let [first, second, third] = edges.map(|edge| edge.regions);
        merger.add(edges.map(|edge| edge.from), first.with(second).with(third), edges[0].area);
    }
    merger.merge_into(&draft.vertices, &mut draft.polygons);
}

/// Appends the edges of a polygon that do not touch the vertex.
fn add_rim(polygons: &DraftPolygons, polygon: &DraftPolygon, vertex: u32, rim: &mut Vec<RimEdge>) {
    let corners = polygons.corners(polygon);
    for (corner, &to) in corners.iter().enumerate() {
        let from = corners[previous_in_ring(corner, corners.len())];
        if from != vertex && to != vertex {
            rim.push(RimEdge { from, to, regions: polygon.regions, area: polygon.area });
        }
    }
}

/// Orders rim edges into a chain, from the first one forwards and then backwards. The entry of a vertex
/// carries the region and area of the edge that brought it.
fn walk_rim(edges: &[RimEdge]) -> Vec<RimEdge> {
    let Some(&first) = edges.first() else { return Vec::new() };
    let sorted = |end: fn(&RimEdge) -> u32| {
        let mut sorted: Vec<(u32, usize)> = edges.iter().map(end).zip(0..).collect();
        sorted.shared_sort();
        sorted
    };
    let (by_from, by_to) = (sorted(|edge| edge.from), sorted(|edge| edge.to));
    let mut used = vec![false; edges.len()];
    let mut take = |sorted: &[(u32, usize)], vertex: u32| {
        let start = sorted.partition_point(|(end, _)| *end < vertex);
        let there = sorted[start..].iter().take_while(|(end, _)| *end == vertex);
        let edge = there.map(|&(_, edge)| edge).find(|&edge| !used[edge])?;
        used[edge] = true;
        Some(edges[edge])
    };
    let mut chain = VecDeque::from([first]);
    let mut end = first.from;
    while let Some(edge) = take(&by_from, end) {
        chain.push_back(RimEdge { from: edge.to, ..edge });
        end = edge.to;
    }
    let mut start = first.from;
    while let Some(edge) = take(&by_to, start) {
        chain.push_front(edge);
        start = edge.from;
    }
    chain.into()
}
