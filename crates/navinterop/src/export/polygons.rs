//! Polygons in a form that Detour can represent: whole, or cut up.
//!
//! A polygon whose detail mesh does not fit Detour's bytes is cut repeatedly ([`cut`](super::cut)). Cuts end
//! on its outline, so its neighbours also get corners there. Pieces that then have more than six corners, or
//! one on a straight side, are cut along diagonals.

use super::cut::Cuts;
use super::detail::{self, plan};
use super::polygon::{Corner, ExportPolygon, line_of};
use super::report::{Change, Notes};
use super::split;
use navtile::tile::Tile;
use std::collections::BTreeMap;

/// The polygons of a tile in pieces.
pub(super) struct ExportPolygons {
    pub(super) list: Vec<ExportPolygon>,
    /// The corners of polygons, then new corners from cuts.
    pub(super) vertices: Vec<[i32; 3]>,
    /// The piece at each edge within the tile, by line, start and end.
    at: BTreeMap<[u32; 3], u32>,
}

/// Cuts up the polygons of a tile. If there is no room for more than `room` pieces and vertices, detail
/// meshes stay unchanged. O(n log² n).
pub(super) fn cut_up(tile: &Tile, room: [usize; 2], notes: &mut Notes) -> ExportPolygons {
    let mut cuts = Cuts::new(tile, room);
    let mut parts: Vec<ExportPolygon> = Vec::with_capacity(tile.polygons().len());
    for (index, polygon) in (0..).zip(tile.polygons()) {
        let lines = (polygon.first_edge..).zip(tile.polygon_edges(polygon));
        let corners = lines.map(|(line, edge)| Corner { vertex: edge.vertex, line }).collect();
        cuts.divide(
            ExportPolygon { polygon: index, corners, detail: detail::whole(tile, polygon) },
            &mut parts,
        );
    }
    let mut list: Vec<ExportPolygon> = Vec::with_capacity(parts.len());
    for part in parts {
        let part = cuts.stitched(part);
        add_split(&mut cuts, part, &mut list);
    }
    for same in list.chunk_by(|a, b| a.polygon == b.polygon).filter(|same| same.len() > 1) {
        let (index, pieces) = (same[0].polygon, same.len());
        let polygon = &tile.polygons()[index as usize];
        let (vertices, triangles) =
            (usize::from(polygon.detail_vertex_count), usize::from(polygon.detail_triangle_count));
        let change = match detail::fits(usize::from(polygon.edge_count) + vertices, triangles) {
            true => Change::Split { polygon: index, pieces },
            false => Change::Divided { polygon: index, vertices, triangles, pieces },
        };
        notes.note(tile, tile.vertices()[tile.polygon_edges(polygon)[0].vertex as usize], change);
    }
    let mut at = BTreeMap::new();
    for (index, piece) in (0..).zip(&list) {
        for (from, to) in piece.edges() {
            at.insert([line_of(tile, from.line), from.vertex, to.vertex], index);
        }
    }
    ExportPolygons { list, vertices: cuts.vertices, at }
}

/// Adds a piece, cut along diagonals if it has more than six corners or one on a straight side.
fn add_split(cuts: &mut Cuts<'_>, piece: ExportPolygon, list: &mut Vec<ExportPolygon>) {
    let seen: Vec<[i32; 2]> =
        piece.corners.iter().map(|corner| plan(cuts.vertices[corner.vertex as usize])).collect();
    let parts = split::split(&seen);
    if parts.len() == 1 {
        return list.push(piece);
    }
    // A diagonal belongs to two pieces, which use the same key for it.
    let mut diagonals: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for part in parts {
        let next = part.iter().cycle().skip(1);
        let corners = part.iter().zip(next).map(|(&from, &to)| {
            let corner = piece.corners[from];
            match (from + 1) % piece.corners.len() == to {
                true => corner,
                false => {
                    let line =
                        *diagonals.entry([from.min(to), from.max(to)]).or_insert_with(|| cuts.new_line());
                    Corner { line, ..corner }
                }
            }
        });
        let corners: Vec<Corner> = corners.collect();
        list.push(cuts.part(&piece, corners));
    }
}

impl ExportPolygons {
    /// The piece beyond an edge within the tile.
    pub(super) fn beyond(&self, tile: &Tile, from: Corner, to: Corner) -> Option<u32> {
        self.at.get(&[line_of(tile, from.line), to.vertex, from.vertex]).copied()
    }
}
