//! A mesh as lines, for a game's debug view, gizmos, or a picture.

use super::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navtile::Tile;
use navtile::layout::{Edge, edge_kind};

/// The kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LineKind {
    /// An edge between two polygons of a tile.
    Inner,
    /// An edge without ground beyond it.
    Wall,
    /// An edge on the border of its tile, which leads into the next tile if that is loaded.
    Portal,
    /// The border of a tile, at the height of its base.
    Tile,
    /// An off-mesh link that is joined at both ends: an arc, with a head at each end that it leads to.
    Link,
    /// A path.
    Path,
}

/// A line, from one point to another in metres from the mesh's anchor. Lines are on the ground: raise them a
/// little so that the ground does not hide them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshLine {
    /// Start of the line.
    pub from: Vec3,
    /// End of the line.
    pub to: Vec3,
    /// The part of the mesh that the line shows.
    pub kind: LineKind,
}

/// Number of pieces of the arc of an off-mesh link.
const ARC_PIECES: usize = 16;
/// Length and spread of the lines of an arrow's head, metres.
const HEAD: (f32, f32) = (0.3, 0.15);

impl MeshLine {
    /// The lines from each point of a path to the next: of a route's points, or the corners of a straight
    /// path.
    pub fn along(points: impl IntoIterator<Item = Vec3>) -> impl Iterator<Item = MeshLine> {
        strip(points, LineKind::Path)
    }
}

/// Lines from each point to the next.
fn strip(points: impl IntoIterator<Item = Vec3>, kind: LineKind) -> impl Iterator<Item = MeshLine> {
    let mut points = points.into_iter();
    let mut before = points.next();
    points.filter_map(move |to| before.replace(to).map(|from| MeshLine { from, to, kind }))
}

impl NavMesh {
    /// All lines of the mesh: the edges of its polygons tile by tile, then the borders of its tiles, then its
    /// off-mesh links. An edge between two polygons of a tile is one line; a portal is one for each side.
    /// They can be kept as long as the mesh [is the same](NavMesh::is_same), and need not be made for each
    /// frame.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{LineKind, MeshLine};
    ///
    /// for MeshLine { from, to, kind } in mesh.lines() {
    ///     let colour = match kind {
    ///         LineKind::Wall => [0, 90, 190],
    ///         LineKind::Inner => [70, 170, 220],
    ///         _ => [150, 150, 150],
    ///     };
    ///     // draw(from, to, colour)
    /// #   assert!(from.distance(to) > 0.0 && colour[2] > 0);
    /// }
    /// let walls = mesh.lines().filter(|line| line.kind == LineKind::Wall);
    /// assert!(walls.count() > 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = MeshLine> + '_ {
        let edges = self.polygons().flat_map(|polygon| self.edge_lines(polygon));
        let borders = self.tiles().flat_map(|tile| self.border_lines(tile));
        let links = self.off_mesh_links().flat_map(|link| self.link_lines(link));
        edges.chain(borders).chain(links)
    }

    /// The edges of a polygon. An edge between two polygons belongs to the polygon with the smaller index.
    fn edge_lines(&self, polygon: PolyRef) -> Vec<MeshLine> {
        let (Ok(corners), Ok((tile, index))) = (self.corners(polygon), self.tile_of(polygon)) else {
            return Vec::new();
        };
        let corners: Vec<Vec3> = corners.collect();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let edges = tile.polygon_edges(&tile.polygons()[index as usize]);
        let line = |(edge, (from, to)): (&Edge, (&Vec3, &Vec3))| {
            let kind = match edge.kind {
                edge_kind::WALL => LineKind::Wall,
                edge_kind::PORTAL => LineKind::Portal,
                _ if index < edge.neighbour => LineKind::Inner,
                _ => return None,
            };
            Some(MeshLine { from: *from, to: *to, kind })
        };
        edges.iter().zip(ends).filter_map(line).collect()
    }

    /// The border of a tile.
    fn border_lines(&self, tile: &Tile) -> impl Iterator<Item = MeshLine> {
        let (header, lattice) = (tile.header(), tile.lattice());
        let corner = |[x, z]: [u32; 2]| {
            let [base_x, base_y, base_z] = header.base_cell;
            let cell = [base_x + i64::from(x), base_y, base_z + i64::from(z)];
            let size = [lattice.cell_size, lattice.cell_height, lattice.cell_size];
            self.from_world([0, 1, 2].map(|axis| lattice.origin[axis] + cell[axis] as f64 * size[axis]))
        };
        let (width, depth) = (header.width, header.depth);
        strip([[0, 0], [width, 0], [width, depth], [0, depth], [0, 0]].map(corner), LineKind::Tile)
    }

    /// The arc of an off-mesh link, a quarter as high as it is long, and its heads; nothing if it is not
    /// joined.
    fn link_lines(&self, link: PolyRef) -> Vec<MeshLine> {
        let Some((link, ends)) = self.off_mesh(link).ok().and_then(|link| Some((link, link.ends?))) else {
            return Vec::new();
        };
        let [start, end] = ends.map(|end| end.point);
        let height = start.distance(end) * 0.25;
        let at = |piece: usize| {
            let part = piece as f32 / ARC_PIECES as f32;
            start.lerp(end, part) + Vec3::Y * height * 4.0 * part * (1.0 - part)
        };
        let mut lines: Vec<MeshLine> = strip((0..=ARC_PIECES).map(at), LineKind::Link).collect();
        lines.extend(head(end, at(ARC_PIECES - 1)));
        if link.both_ways {
            lines.extend(head(start, at(1)));
        }
        lines
    }
}

/// The head of an arrow at `tip` that comes from `from`.
fn head(tip: Vec3, from: Vec3) -> [MeshLine; 2] {
    let (length, spread) = HEAD;
    let along = (from - tip).normalize_or_zero() * length;
    let across = along.cross(Vec3::Y).normalize_or(Vec3::X) * spread;
    [across, -across].map(|side| MeshLine { from: tip, to: tip + along + side, kind: LineKind::Link })
}
