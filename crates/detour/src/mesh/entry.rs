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

    /// That of a vertex.
    #[inline]
    fn vertex(&self, vertex: [i32; 3]) -> Vec3 {
        self.position(vertex.map(f64::from))
    }

    /// The corners of the box around the vertices of a tile. Positions follow coordinates, however they are rounded,
    /// so that no vertex lies outside.
    fn bounds(&self, tile: &Tile) -> [Vec3; 2] {
        let header = tile.header();
        [self.vertex(header.bounds_min), self.vertex(header.bounds_max)]
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

/// A corner of a polygon and the edge that starts there, in 16 bytes; or a vertex of its detail mesh.
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
    first_point: u32,
    /// The first vertex of its detail mesh.
    first_detail: u32,
    /// In the tile's detail triangles.
    first_triangle: u32,
    flags: u32,
    triangle_count: u16,
    edge_count: u8,
    area: u8,
    /// How many edges may lead on, portals counting twice.
    ways: u16,
}

/// A verified tile, and what searches read of it unpacked, in metres.
#[derive(Debug)]
pub(crate) struct TileEntry {
    pub(crate) tile: Tile,
    /// Of the tile's head: what linking asks for.
    pub(crate) coord: TileCoord,
    pub(crate) lattice: Lattice,
    pub(crate) place: SeamPlace,
    faces: Vec<Face>,
    /// Polygon by polygon its corners, and the first of them again; behind these the vertices of all detail meshes.
    points: Vec<HalfEdge>,
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
        check_reach(&tile, &anchored)?;
        let global = |axis: usize, fixed: i32| base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed);
        let bounds = FixedBox {
            min: std::array::from_fn(|axis| global(axis, header.bounds_min[axis])),
            max: std::array::from_fn(|axis| global(axis, header.bounds_max[axis])),
        };
        let portals = portals_by_side(tile.portals());
        let (faces, points) = unpack(&tile, &anchored);
        let (parts, part_count) = parts(&faces, &points);
        let place = SeamPlace::of(header);
        let mut entry = TileEntry {
            tile,
            coord,
            lattice,
            place,
            faces,
            points,
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
        &self.points[face.first_point as usize..][..usize::from(face.edge_count) + 1]
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
        let (corners, details) = (face.first_point as usize, face.first_detail as usize);
        let first = face.first_triangle as usize;
        let triangles = &self.tile.detail_triangles()[first..][..usize::from(face.triangle_count)];
        triangles.iter().map(move |triangle| {
            let place = |local: u16| match local.checked_sub(face.edge_count.into()) {
                None => corners + usize::from(local),
                Some(detail) => details + usize::from(detail),
            };
            (triangle.vertices.map(|local| self.points[place(local)].at), triangle.boundary.into())
        })
    }

    /// The box around all vertices; `None` if there are none.
    pub(crate) fn extent(&self, anchor: [f64; 3]) -> Option<[Vec3; 2]> {
        let has_any = !self.tile.vertices().is_empty();
        has_any.then(|| Anchored::new(&self.lattice, anchor, self.place.base_cell).bounds(&self.tile))
    }

    /// Whether `p`, seen from above, lies in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, polygon: u32, p: Vec3) -> bool {
        self.edges(polygon).all(|(_, a, b)| side(a, b, p) <= 0.0)
    }
}

/// Which portals are on each side; of portals sorted by side.
fn portals_by_side(portals: &[Portal]) -> [Range<usize>; 4] {
    let mut counts = [0; 4];
    portals.iter().for_each(|portal| counts[usize::from(portal.side & 3)] += 1);
    let mut end = 0;
    counts.map(|count| {
        end += count;
        end - count..end
    })
}

/// Refuses a tile that lies so far from the anchor that positions there are coarser than it is made with.
fn check_reach(tile: &Tile, anchored: &Anchored) -> Result<(), MeshError> {
    let corners = if tile.vertices().is_empty() { [Vec3::ZERO; 2] } else { anchored.bounds(tile) };
    let reach = corners[0].abs().max(corners[1].abs()).max_element();
    // The distance from a power of two to the next f32 is 2^-23 of it.
    let step = f64::from(reach) * f64::from(f32::EPSILON);
    let cell_size = tile.header().cell_size;
    if corners.iter().any(|v| !v.is_finite()) || step > cell_size / 4.0 {
        return Err(MeshError::TooFar { coord: tile.coord(), distance: f64::from(reach), cell_size });
    }
    Ok(())
}

/// What searches read of a tile: polygons, and their corners, edges and vertices.
fn unpack(tile: &Tile, anchored: &Anchored) -> (Vec<Face>, Vec<HalfEdge>) {
    let (polygons, edges, portals, vertices) =
        (tile.polygons(), tile.edges(), tile.portals(), tile.vertices());
    let first_detail = tile.header().polygon_vertex_count;
    let details = &vertices[first_detail as usize..];
    let rims = edges.len() + polygons.len();
    let mut faces = Vec::with_capacity(polygons.len());
    let mut points: Vec<HalfEdge> = Vec::with_capacity(rims + details.len());
    for polygon in polygons {
        let first_point = points.len();
        let mut all_ways = 0;
        for edge in &edges[polygon.first_edge as usize..][..usize::from(polygon.edge_count)] {
            let (code, ways) = match edge.kind {
                edge_kind::INTERNAL => (edge.neighbour, 1),
                edge_kind::PORTAL => {
                    let side = u32::from(portals[edge.neighbour as usize].side & 3);
                    (HalfEdge::PORTAL | side << HalfEdge::SIDE_SHIFT | edge.neighbour, 2)
                }
                _ => (HalfEdge::WALL, 0),
            };
            all_ways += ways;
            points.push(HalfEdge { at: anchored.vertex(vertices[edge.vertex as usize]), code });
        }
        points.push(points[first_point]);
        faces.push(Face {
            first_point: first_point as u32,
            first_detail: rims as u32 + (polygon.first_detail_vertex - first_detail),
            first_triangle: polygon.first_detail_triangle,
            flags: polygon.flags,
            triangle_count: polygon.detail_triangle_count,
            edge_count: polygon.edge_count,
            area: polygon.area,
            ways: all_ways,
        });
    }
    points.extend(details.iter().map(|v| HalfEdge { at: anchored.vertex(*v), code: HalfEdge::WALL }));
    (faces, points)
}

/// Which polygons hang together within a tile, and how many parts that makes.
fn parts(faces: &[Face], points: &[HalfEdge]) -> (Arc<[u32]>, u32) {
    let mut numbers: Arc<[u32]> = (0..faces.len() as u32).collect();
    // Nobody shares the list yet.
    let mut sets = Sets::within(Arc::make_mut(&mut numbers));
    for (number, face) in (0u32..).zip(faces) {
        for edge in &points[face.first_point as usize..][..usize::from(face.edge_count)] {
            // Walls and portals have larger codes than polygons have numbers.
            if edge.code < number {
                sets.join(number, edge.code);
            }
        }
    }
    let count = sets.number();
    (numbers, count)
}
