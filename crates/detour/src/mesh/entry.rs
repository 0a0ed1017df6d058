//! A loaded tile: the blob, and beside it what the runtime derives from it once. Shared by all snapshots.

use crate::error::MeshError;
use crate::geometry::side;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::limit::check;
use navmath::{FIXED_ONE, Lattice, Sets};
use navtile::layout::{Portal, edge_kind};
use navtile::off_mesh::{self, Snap, snap};
use navtile::seam::SeamPlace;
use navtile::{Tile, TileCoord};
use std::ops::Range;
use std::sync::Arc;

/// A box in global fixed-point units: 1/256 cell from the lattice's zero. Both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedBox {
    pub(crate) min: [i64; 3],
    pub(crate) max: [i64; 3],
}

impl FixedBox {
    pub(crate) fn overlaps(&self, other: &FixedBox) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && self.max[axis] >= other.min[axis])
    }

    pub(crate) fn union(&self, other: &FixedBox) -> FixedBox {
        FixedBox {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }
}

/// The position, metres from the anchor, of a fixed-point position relative to `base_cell`: rounded once. The
/// same global position gives the same bits from whichever tile it is seen. Coordinates may lie between
/// fixed-point steps.
pub(crate) fn to_anchored(lattice: &Lattice, anchor: [f64; 3], base_cell: [i64; 3], fixed: [f64; 3]) -> Vec3 {
    Anchored::new(lattice, anchor, base_cell).position(fixed)
}

/// The same for many positions of one tile.
struct Anchored {
    anchor: [f64; 3],
    origin: [f64; 3],
    base: [f64; 3],
    step: [f64; 3],
}

impl Anchored {
    fn new(lattice: &Lattice, anchor: [f64; 3], base_cell: [i64; 3]) -> Anchored {
        let base = base_cell.map(|cell| (cell * i64::from(FIXED_ONE)) as f64);
        let step = lattice.cell().map(|cell| cell / f64::from(FIXED_ONE));
        Anchored { anchor, origin: lattice.origin, base, step }
    }

    #[inline]
    fn position(&self, fixed: [f64; 3]) -> Vec3 {
        let position: [f32; 3] = std::array::from_fn(|axis| {
            let world = self.origin[axis] + (self.base[axis] + fixed[axis]) * self.step[axis];
            (world - self.anchor[axis]) as f32
        });
        Vec3::from_array(position)
    }
}

/// What lies beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Nothing.
    Wall,
    /// This polygon of the tile.
    Polygon(u32),
    /// What other tiles have beyond this portal, on this side.
    Portal { portal: u32, side: u8 },
}

/// A corner of a polygon and the edge that starts there, in 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfEdge {
    /// Metres from the anchor.
    pub(crate) at: Vec3,
    /// The number of a polygon, or one of those below.
    code: u32,
}

impl HalfEdge {
    const WALL: u32 = u32::MAX;
    /// With it come a side in the two bits below, and the number of a portal: a tile has at most 2^20 polygons of
    /// at most 255 edges.
    const PORTAL: u32 = 1 << 31;
    const SIDE_SHIFT: u32 = 29;

    #[inline]
    pub(crate) fn beyond(self) -> Beyond {
        match self.code {
            Self::WALL => Beyond::Wall,
            code if code & Self::PORTAL == 0 => Beyond::Polygon(code),
            code => Beyond::Portal {
                portal: code & ((1 << Self::SIDE_SHIFT) - 1),
                side: (code >> Self::SIDE_SHIFT & 3) as u8,
            },
        }
    }
}

/// Where what belongs to a polygon is found, and what filters look at.
#[derive(Clone, Copy, Debug)]
struct Face {
    first_edge: u32,
    first_triangle: u32,
    flags: u32,
    triangle_count: u16,
    edge_count: u8,
    area: u8,
    /// How many edges may lead on, portals counting twice.
    ways: u16,
}

/// A detail triangle.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    /// In the tile's vertices.
    corners: [u32; 3],
    /// Bit i: the edge from corner i lies on the polygon's outline.
    boundary: u32,
}

/// A verified tile, and what searches read of it unpacked, in metres.
#[derive(Debug)]
pub(crate) struct TileEntry {
    pub(crate) tile: Tile,
    /// Of the tile's head: what linking asks for.
    pub(crate) coord: TileCoord,
    pub(crate) lattice: Lattice,
    pub(crate) place: SeamPlace,
    /// The tile's vertices, metres from the anchor.
    pub(crate) vertices: Vec<Vec3>,
    faces: Vec<Face>,
    /// Polygon by polygon; after the last of each the first again.
    edges: Vec<HalfEdge>,
    triangles: Vec<Triangle>,
    /// How many polygons and off-mesh links there are.
    node_count: u32,
    /// Around all vertices.
    pub(crate) bounds: FixedBox,
    /// The portals of each side.
    pub(crate) portals: [Range<usize>; 4],
    /// Where each off-mesh link starts, if there is ground.
    pub(crate) link_starts: Vec<Option<Foot>>,
    /// For each polygon which part of the ground it belongs to that hangs together within the tile: parts are numbered
    /// by their first polygons.
    pub(crate) parts: Arc<[u32]>,
    /// How many parts there are.
    pub(crate) part_count: u32,
}

/// Where an end of an off-mesh link meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    pub(crate) polygon: u32,
    /// Metres from the anchor.
    pub(crate) point: Vec3,
}

impl TileEntry {
    /// Derives what the runtime needs, or says why this tile cannot be loaded at this anchor.
    pub(crate) fn new(tile: Tile, anchor: [f64; 3]) -> Result<TileEntry, MeshError> {
        let (header, lattice, coord) = (tile.header(), tile.lattice(), tile.coord());
        let nodes = tile.polygons().len() as u64 + tile.off_mesh_links().len() as u64;
        let limit = u64::from(PolyRef::MAX_POLYGON) + 1;
        check("polygons and off-mesh links a tile", nodes, limit, "bake smaller tiles")?;
        let base_cell = header.base_cell;
        let anchored = Anchored::new(&lattice, anchor, base_cell);
        let vertices: Vec<Vec3> =
            tile.vertices().iter().map(|v| anchored.position(v.map(f64::from))).collect();
        let reach = vertices.iter().fold(Vec3::ZERO, |reach, v| reach.max(v.abs())).max_element();
        // The distance from a power of two to the next f32 is 2^-23 of it.
        let step = f64::from(reach) * f64::from(f32::EPSILON);
        if vertices.iter().any(|v| !v.is_finite()) || step > lattice.cell_size / 4.0 {
            let (distance, cell_size) = (f64::from(reach), lattice.cell_size);
            return Err(MeshError::TooFar { coord, distance, cell_size });
        }
        let global = |axis: usize, fixed: i32| base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed);
        let bounds = FixedBox {
            min: std::array::from_fn(|axis| global(axis, header.bounds_min[axis])),
            max: std::array::from_fn(|axis| global(axis, header.bounds_max[axis])),
        };
        let all = tile.portals();
        let mut end = 0;
        let portals = [0u8, 1, 2, 3].map(|side| {
            let start = end;
            end += all[start..].iter().take_while(|portal| portal.side == side).count();
            start..end
        });
        let (faces, edges, triangles) = unpack(&tile, &vertices);
        let (parts, part_count) = parts(&faces, &edges);
        let place = SeamPlace::of(header);
        let mut entry = TileEntry {
            tile,
            coord,
            lattice,
            place,
            vertices,
            faces,
            edges,
            triangles,
            node_count: nodes as u32,
            bounds,
            portals,
            link_starts: Vec::new(),
            parts,
            part_count,
        };
        let starts = entry.tile.off_mesh_links().iter();
        entry.link_starts = starts
            .map(|link| entry.foot(anchor, off_mesh::global(&entry.tile, link.start), link.radius))
            .collect();
        Ok(entry)
    }

    /// Where a link's end at a global fixed-point position meets the ground of this tile, if anywhere.
    pub(crate) fn foot(&self, anchor: [f64; 3], end: [i64; 3], radius: i32) -> Option<Foot> {
        let Snap { polygon, point } = snap(&self.tile, end, radius)?;
        let point = to_anchored(&self.lattice, anchor, self.place.base_cell, point);
        Some(Foot { polygon, point })
    }

    /// How many polygons there are; off-mesh links are numbered from here.
    #[inline]
    pub(crate) fn polygon_count(&self) -> u32 {
        self.faces.len() as u32
    }

    /// How many polygons and off-mesh links there are.
    #[inline]
    pub(crate) fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The blob's flags and area of a polygon, or of an off-mesh link, numbered after them.
    #[inline]
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        if let Some(face) = self.faces.get(index as usize) {
            return (face.flags, face.area);
        }
        let link = &self.tile.off_mesh_links()[(index - self.polygon_count()) as usize];
        (link.flags, link.area)
    }

    /// The height that an agent of this tile steps over, metres.
    pub(crate) fn climb(&self) -> f32 {
        self.tile.header().agent[2]
    }

    /// The corners of a polygon, which the caller has checked, each with the edge that starts there; after the last
    /// the first again.
    #[inline]
    fn rim(&self, polygon: u32) -> &[HalfEdge] {
        let face = &self.faces[polygon as usize];
        &self.edges[face.first_edge as usize..][..usize::from(face.edge_count) + 1]
    }

    /// The portals of a side, 0 to 3.
    #[inline]
    pub(crate) fn portals_of(&self, side: u8) -> &[Portal] {
        &self.tile.portals()[self.portals[usize::from(side)].clone()]
    }

    /// The ends of an edge of a polygon: right and left as seen on the way out.
    #[inline]
    pub(crate) fn edge_ends(&self, polygon: u32, edge: usize) -> [Vec3; 2] {
        let rim = self.rim(polygon);
        [rim[edge].at, rim[edge + 1].at]
    }

    /// Whether a polygon's edges lead nowhere but back to the one polygon beside it.
    #[inline]
    pub(crate) fn is_dead_end(&self, index: u32) -> bool {
        self.faces.get(index as usize).is_some_and(|face| face.ways <= 1)
    }

    /// The edges of a polygon, each with its two ends.
    #[inline]
    pub(crate) fn edges(&self, polygon: u32) -> impl ExactSizeIterator<Item = (HalfEdge, Vec3, Vec3)> + '_ {
        self.rim(polygon).array_windows().map(|[edge, next]| (*edge, edge.at, next.at))
    }

    /// The corners of a polygon's detail triangles, and which of their edges lie on its outline.
    #[inline]
    pub(crate) fn triangles(&self, polygon: u32) -> impl Iterator<Item = ([Vec3; 3], u32)> + '_ {
        let face = &self.faces[polygon as usize];
        let triangles = &self.triangles[face.first_triangle as usize..][..usize::from(face.triangle_count)];
        triangles.iter().map(|triangle| {
            (triangle.corners.map(|corner| self.vertices[corner as usize]), triangle.boundary)
        })
    }

    /// Whether `p`, seen from above, lies in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, polygon: u32, p: Vec3) -> bool {
        self.edges(polygon).all(|(_, a, b)| side(a, b, p) <= 0.0)
    }
}

/// How many ways on an edge counts for.
fn ways(kind: u8) -> u16 {
    match kind {
        edge_kind::INTERNAL => 1,
        edge_kind::PORTAL => 2,
        _ => 0,
    }
}

/// What searches read of a tile: polygons, edges, detail triangles.
fn unpack(tile: &Tile, vertices: &[Vec3]) -> (Vec<Face>, Vec<HalfEdge>, Vec<Triangle>) {
    let (polygons, all_edges, portals) = (tile.polygons(), tile.edges(), tile.portals());
    let details = tile.detail_triangles();
    let mut faces = Vec::with_capacity(polygons.len());
    let mut edges: Vec<HalfEdge> = Vec::with_capacity(all_edges.len() + polygons.len());
    let mut triangles = Vec::with_capacity(details.len());
    for polygon in polygons {
        let (first_edge, first_triangle) = (edges.len(), triangles.len());
        let corners = &all_edges[polygon.first_edge as usize..][..usize::from(polygon.edge_count)];
        let mut all_ways = 0;
        edges.extend(corners.iter().map(|edge| {
            all_ways += ways(edge.kind);
            let code = match edge.kind {
                edge_kind::INTERNAL => edge.neighbour,
                edge_kind::PORTAL => {
                    let side = u32::from(portals[edge.neighbour as usize].side & 3);
                    HalfEdge::PORTAL | side << HalfEdge::SIDE_SHIFT | edge.neighbour
                }
                _ => HalfEdge::WALL,
            };
            HalfEdge { at: vertices[edge.vertex as usize], code }
        }));
        edges.push(edges[first_edge]);
        let count = usize::from(polygon.detail_triangle_count);
        triangles.extend(details[polygon.first_detail_triangle as usize..][..count].iter().map(|triangle| {
            // Corners of the polygon come before its detail vertices.
            let vertex = |local: u16| match corners.get(usize::from(local)) {
                Some(corner) => corner.vertex,
                None => polygon.first_detail_vertex + u32::from(local) - corners.len() as u32,
            };
            Triangle { corners: triangle.vertices.map(vertex), boundary: triangle.boundary.into() }
        }));
        faces.push(Face {
            first_edge: first_edge as u32,
            first_triangle: first_triangle as u32,
            flags: polygon.flags,
            triangle_count: polygon.detail_triangle_count,
            edge_count: polygon.edge_count,
            area: polygon.area,
            ways: all_ways,
        });
    }
    (faces, edges, triangles)
}

/// Which polygons hang together within a tile, and how many parts that makes.
fn parts(faces: &[Face], edges: &[HalfEdge]) -> (Arc<[u32]>, u32) {
    let mut sets = Sets::new(faces.len() as u32);
    for (number, face) in (0u32..).zip(faces) {
        for edge in &edges[face.first_edge as usize..][..usize::from(face.edge_count)] {
            // Walls and portals have larger codes than polygons have numbers.
            if edge.code < number {
                sets.join(number, edge.code);
            }
        }
    }
    let (numbers, count) = sets.numbers();
    (numbers.into(), count)
}
