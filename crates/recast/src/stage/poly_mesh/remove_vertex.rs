//! Removing vertices that only the tile's border made: the polygons around each are taken out, and what they
//! covered is triangulated and merged anew.

use super::draft::{Draft, DraftPolygon, DraftPolygons};
use super::merge::Merger;
use crate::area::AreaId;
use crate::data::RegionId;
use crate::meshing::ear_clipping::triangulate;
use crate::observer::{DiagnosticKind, Report};
use navmath::predicates::{Point, collinear, polygon_area2};
use std::collections::VecDeque;

/// Removes all border vertices that can go.
pub(super) fn remove_border_vertices(
    draft: &mut Draft,
    max_vertices: usize,
    merger: &mut Merger,
    report: &mut Report,
) {
    let (mut vertex, mut spokes) = (0, Vec::new());
    while vertex < draft.vertices.len() {
        if draft.border_vertex[vertex]
            && can_remove(draft, vertex as u32, &mut spokes)
            && is_one_piece(draft, vertex as u32)
        {
            remove(draft, vertex as u32, max_vertices, merger, report);
        } else {
            vertex += 1;
        }
    }
}

/// Whether the rest around the vertex makes a polygon, its polygons are connected, and no ground is gained or lost:
/// where the mesh ends at the vertex, it must end in a straight line. `spokes` is scratch memory.
fn can_remove(draft: &Draft, vertex: u32, spokes: &mut Vec<(u32, u32)>) -> bool {
    let mut remaining_edges = 0;
    spokes.clear();
    let corners = draft.polygons.list.iter().map(|polygon| draft.polygons.corners(polygon));
    for corners in corners.filter(|corners| corners.contains(&vertex)) {
        let touched = corners.iter().filter(|&&corner| corner == vertex).count();
        remaining_edges += corners.len() as i64 - (touched as i64 + 1);
        for (index, &corner) in corners.iter().enumerate() {
            let before = corners[if index > 0 { index - 1 } else { corners.len() - 1 }];
            if corner != vertex && before != vertex {
                continue;
            }
            let other = if corner == vertex { before } else { corner };
            match spokes.iter_mut().find(|(end, _)| *end == other) {
                Some((_, uses)) => *uses += 1,
                None => spokes.push((other, 1)),
            }
        }
    }
    // Where the mesh ends at the vertex, the edge over it is one more.
    let has_end = spokes.iter().any(|(_, uses)| *uses < 2);
    let mut open = spokes.iter().filter(|(_, uses)| *uses < 2).map(|&(end, _)| end);
    let straight = match (open.next(), open.next(), open.next()) {
        (None, ..) => true,
        (Some(a), Some(b), None) => {
            let open = |&end: &u32| {
                [[end, vertex], [vertex, end]]
                    .iter()
                    .any(|edge| draft.border_edges.binary_search(edge).is_ok())
            };
            collinear(draft.plan(a), draft.plan(vertex), draft.plan(b)) && open(&a) == open(&b)
        }
        _ => false,
    };
    remaining_edges + i64::from(has_end) > 2 && straight
}

/// An edge around the hole that a removed vertex leaves, with the polygon it belonged to.
#[derive(Clone, Copy)]
struct RimEdge {
    from: u32,
    to: u32,
    region: Option<RegionId>,
    area: AreaId,
}

fn remove(draft: &mut Draft, vertex: u32, max_vertices: usize, merger: &mut Merger, report: &mut Report) {
    let mut rim = take_pieces(draft, vertex);
    join_border_edges(draft, vertex);
    let place = draft.vertices.remove(vertex as usize);
    draft.border_vertex.remove(vertex as usize);
    let renumber = |index: &mut u32| *index -= u32::from(*index > vertex);
    draft.polygons.corners.iter_mut().for_each(renumber);
    rim.iter_mut().for_each(|edge| {
        renumber(&mut edge.from);
        renumber(&mut edge.to);
    });
    let hole = walk_rim(rim);
    if hole.len() < 3 {
        return;
    }
    let outline: Vec<Point> = hole.iter().map(|edge| draft.plan(edge.from)).collect();
    let (triangles, complete) = triangulate(&outline);
    if !complete {
        let what = "the polygons around a vertex on the tile's border could not be rebuilt cleanly";
        report.at_cell(DiagnosticKind::BadTriangulation, place, what);
    }
    merger.start(triangles.len(), max_vertices);
    for triangle in triangles {
        let edges = triangle.map(|corner| hole[corner as usize]);
        let same = edges.iter().all(|edge| edge.region == edges[0].region);
        merger.add(edges.map(|edge| edge.from), if same { edges[0].region } else { None }, edges[0].area);
    }
    merger.merge_into(&draft.vertices, &mut draft.polygons);
}

/// Joins the border's edges to and from the vertex, and renumbers the vertices after it.
fn join_border_edges(draft: &mut Draft, vertex: u32) {
    let edges = &mut draft.border_edges;
    let other_end = |at: usize| edges.iter().find(|edge| edge[at] == vertex).map(|edge| edge[1 - at]);
    let joined = other_end(1).zip(other_end(0)).map(|(from, to)| [from, to]);
    edges.retain(|edge| !edge.contains(&vertex));
    if let Some(joined) = joined
        && let Err(place) = edges.binary_search(&joined)
    {
        edges.insert(place, joined);
    }
    // This keeps them in order.
    let walls = &mut draft.walls;
    walls.retain(|wall| !wall.contains(&vertex));
    edges.iter_mut().chain(walls).flatten().for_each(|index| *index -= u32::from(*index > vertex));
}

/// Whether what the polygons around a vertex cover is one polygon. Storeys that meet in the vertex are not.
fn is_one_piece(draft: &Draft, vertex: u32) -> bool {
    let (mut rim, mut area) = (Vec::new(), 0);
    for polygon in &draft.polygons.list {
        let corners = draft.polygons.corners(polygon);
        if corners.contains(&vertex) {
            add_rim(&draft.polygons, polygon, vertex, &mut rim);
            area += polygon_area2(corners.iter().map(|&corner| draft.plan(corner)));
        }
    }
    polygon_area2(walk_rim(rim).iter().map(|edge| draft.plan(edge.from))) == area
}

/// Takes out all polygons with the vertex; returns their edges that do not touch it.
fn take_pieces(draft: &mut Draft, vertex: u32) -> Vec<RimEdge> {
    let mut rim = Vec::new();
    let mut index = 0;
    let polygons = &mut draft.polygons;
    while index < polygons.list.len() {
        if !polygons.corners(&polygons.list[index]).contains(&vertex) {
            index += 1;
            continue;
        }
        let polygon = polygons.list.swap_remove(index);
        add_rim(polygons, &polygon, vertex, &mut rim);
    }
    rim
}

/// Appends the edges of a polygon that do not touch the vertex.
fn add_rim(polygons: &DraftPolygons, polygon: &DraftPolygon, vertex: u32, rim: &mut Vec<RimEdge>) {
    let corners = polygons.corners(polygon);
    for (corner, &to) in corners.iter().enumerate() {
        let from = corners[if corner > 0 { corner - 1 } else { corners.len() - 1 }];
        if from != vertex && to != vertex {
            rim.push(RimEdge { from, to, region: polygon.region, area: polygon.area });
        }
    }
}

/// Orders rim edges into a chain that starts with the first: each is put in front or at the end as it fits.
/// The entry of a vertex carries the region and area of the edge that brought it.
fn walk_rim(mut edges: Vec<RimEdge>) -> Vec<RimEdge> {
    let Some(&first) = edges.first() else { return Vec::new() };
    let mut chain = VecDeque::from([first]);
    let mut added = true;
    while added && !edges.is_empty() {
        added = false;
        let mut index = 0;
        while index < edges.len() {
            let edge = edges[index];
            if chain.front().is_some_and(|front| front.from == edge.to) {
                chain.push_front(edge);
            } else if chain.back().is_some_and(|back| back.from == edge.from) {
                chain.push_back(RimEdge { from: edge.to, ..edge });
            } else {
                index += 1;
                continue;
            }
            edges.swap_remove(index);
            added = true;
        }
    }
    chain.into()
}
