//! A loaded tile: the blob, and beside it what the runtime derives from it once. Shared by all snapshots.

use crate::error::MeshError;
use crate::geometry::flat;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::limit::check;
use navmath::{FIXED_ONE, Lattice, Sets};
use navtile::layout::{Portal, edge_kind};
use navtile::off_mesh::{self, Snap, snap};
use navtile::seam::SeamPlace;
use navtile::{Tile, TileCoord};
use std::hint::select_unpredictable;
use std::ops::Range;

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
    /// Which of the first [`BITS`] edges are no walls.
    leading: u32,
    /// Which part of the ground it belongs to that hangs together within the tile: parts are numbered by their first
    /// polygons.
    part: u32,
    triangle_count: u16,
    edge_count: u8,
    area: u8,
    /// Whether its edges lead to one other polygon of the tile at most.
    is_dead_end: bool,
}

/// How many edges of a polygon have a bit.
const BITS: usize = u32::BITS as usize;

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
    /// Where the portals of each side start, and the end.
    sides: [u32; 5],
    /// Where each off-mesh link starts, if there is ground.
    pub(crate) link_starts: Box<[Option<Foot>]>,
    /// How many parts there are that hang together within the tile.
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
        let sides = sides(tile.portals());
        let (faces, points, part_count) = unpack(&tile, &anchored);
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
            sides,
            link_starts: Box::default(),
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

    /// Which portals are on a side, 0 to 3.
    #[inline]
    pub(crate) fn side_range(&self, side: u8) -> Range<usize> {
        let side = usize::from(side);
        self.sides[side] as usize..self.sides[side + 1] as usize
    }

    /// The part of the tile that a polygon belongs to, if there is such a polygon.
    #[inline]
    pub(crate) fn part(&self, polygon: u32) -> Option<u32> {
        self.faces.get(polygon as usize).map(|face| face.part)
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
        self.faces.get(index as usize).is_some_and(|face| face.is_dead_end)
    }

    /// The edges of a polygon, each with its two ends.
    #[inline]
    pub(crate) fn edges(&self, polygon: u32) -> impl ExactSizeIterator<Item = (HalfEdge, Vec3, Vec3)> + '_ {
        self.rim(polygon).array_windows().map(|[edge, next]| (*edge, edge.at, next.at))
    }

    /// Those of them that are no walls, each with its number. Which they are is known for the first without looking:
    /// what an edge is cannot be foreseen.
    #[inline]
    pub(crate) fn leading_edges(&self, polygon: u32) -> LeadingEdges<'_> {
        let leading = self.faces[polygon as usize].leading;
        LeadingEdges { rim: self.rim(polygon), leading, next: BITS }
    }

    /// The corners of a polygon's detail triangles, and which of their edges lie on its outline.
    #[inline(always)]
    pub(crate) fn triangles(&self, polygon: u32) -> impl Iterator<Item = ([Vec3; 3], u32)> + '_ {
        let face = &self.faces[polygon as usize];
        let (corners, details) = (face.first_point as usize, face.first_detail as usize);
        let first = face.first_triangle as usize;
        let triangles = &self.tile.detail_triangles()[first..][..usize::from(face.triangle_count)];
        triangles.iter().map(move |triangle| {
            let place = |local: u16| {
                let (local, count) = (usize::from(local), usize::from(face.edge_count));
                local.wrapping_add(select_unpredictable(local < count, corners, details.wrapping_sub(count)))
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
        // As `side` tells it but for a factor, for all edges: which of them leaves it out cannot be foreseen.
        let [first, rest @ ..] = self.rim(polygon) else { return true };
        let p = flat(p);
        let (mut a, mut from_a, mut is_over) = (flat(first.at), p - flat(first.at), true);
        for corner in rest {
            let b = flat(corner.at);
            let from_b = p - b;
            is_over &= (b - a).perp_dot(from_a + from_b) <= 0.0;
            (a, from_a) = (b, from_b);
        }
        is_over
    }

    /// The same; `None` if `p` is farther away than a distance, squared, by one of the edges alone.
    #[inline]
    pub(crate) fn is_over_or_near(&self, polygon: u32, p: Vec3, distance_squared: f64) -> Option<bool> {
        let [first, rest @ ..] = self.rim(polygon) else { return Some(true) };
        let p = flat(p);
        let (mut a, mut from_a, mut is_over) = (flat(first.at), p - flat(first.at), true);
        for corner in rest {
            let b = flat(corner.at);
            let from_b = p - b;
            let along = b - a;
            let twice_outside = along.perp_dot(from_a + from_b);
            if twice_outside > 0.0 {
                let outside = twice_outside * 0.5;
                if outside * outside > distance_squared * along.length_squared() {
                    return None;
                }
                is_over = false;
            }
            (a, from_a) = (b, from_b);
        }
        Some(is_over)
    }
}

/// See [`TileEntry::leading_edges`].
pub(crate) struct LeadingEdges<'a> {
    rim: &'a [HalfEdge],
    /// Those of the first [`BITS`] that are still to come.
    leading: u32,
    /// The next of the others.
    next: usize,
}

impl LeadingEdges<'_> {
    #[inline]
    fn number(&mut self) -> Option<usize> {
        if self.leading != 0 {
            let number = self.leading.trailing_zeros() as usize;
            self.leading &= self.leading - 1;
            return Some(number);
        }
        while self.next + 1 < self.rim.len() {
            self.next += 1;
            if self.rim[self.next - 1].code != HalfEdge::WALL {
                return Some(self.next - 1);
            }
        }
        None
    }
}

impl Iterator for LeadingEdges<'_> {
    type Item = (usize, HalfEdge, Vec3, Vec3);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number()?;
        let [edge, next] = self.rim.get(number..)?.first_chunk()?;
        Some((number, *edge, edge.at, next.at))
    }
}

/// Where the portals of each side start, and the end; of portals sorted by side.
fn sides(portals: &[Portal]) -> [u32; 5] {
    let mut counts = [0; 4];
    portals.iter().for_each(|portal| counts[usize::from(portal.side & 3)] += 1);
    let mut sides = [0; 5];
    for (side, count) in counts.into_iter().enumerate() {
        sides[side + 1] = sides[side] + count;
    }
    sides
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

/// What searches read of a tile: polygons, and their corners, edges and vertices; and how many parts there are.
///
/// Edges are gone through in one loop for all polygons and without branches for what they are: neither how many a
/// polygon has nor what lies beyond them can be foreseen, and what is foreseen wrongly takes longer than all else.
fn unpack(tile: &Tile, anchored: &Anchored) -> (Vec<Face>, Vec<HalfEdge>, u32) {
    let (polygons, edges, vertices) = (tile.polygons(), tile.edges(), tile.vertices());
    let first_detail = tile.header().polygon_vertex_count;
    let details = &vertices[first_detail as usize..];
    let rims = (edges.len() + polygons.len()) as u32;
    let mut faces: Vec<Face> = Vec::with_capacity(polygons.len());
    faces.extend((0u32..).zip(polygons).map(|(number, polygon)| Face {
        // Before it stand its predecessors' corners, and one more of each.
        first_point: polygon.first_edge + number,
        first_detail: rims + (polygon.first_detail_vertex - first_detail),
        first_triangle: polygon.first_detail_triangle,
        flags: polygon.flags,
        leading: 0,
        part: 0,
        triangle_count: polygon.detail_triangle_count,
        edge_count: polygon.edge_count,
        area: polygon.area,
        is_dead_end: false,
    }));
    let mut points = vec![HalfEdge { at: Vec3::ZERO, code: HalfEdge::WALL }; rims as usize + details.len()];
    let mut sets = Sets::new(polygons.len() as u32);
    // The polygon, which of its edges, that one's bit, and the bits of those that lead on.
    let (mut polygon, mut local, mut bit, mut leading) = (0u32, 0u32, 1u32, 0u32);
    for (number, edge) in (0u32..).zip(edges) {
        // Portals are put in afterwards.
        let code = select_unpredictable(edge.kind == edge_kind::INTERNAL, edge.neighbour, HalfEdge::WALL);
        let at = anchored.vertex(vertices[edge.vertex as usize]);
        points[(number + polygon) as usize] = HalfEdge { at, code };
        leading |= select_unpredictable(edge.kind == edge_kind::WALL, 0, bit);
        let face = &mut faces[polygon as usize];
        face.leading = leading;
        local += 1;
        let is_last = u32::from(local == u32::from(face.edge_count));
        // A wall's code is larger than any number of a polygon.
        if code < polygon {
            sets.join(polygon, code);
        }
        // After the last edge, the next polygon's; a bit is lost after the last.
        let goes_on = is_last.wrapping_sub(1);
        polygon += is_last;
        local &= goes_on;
        leading &= goes_on;
        bit = bit << 1 & goes_on | is_last;
    }
    let (parts, part_count) = sets.numbers();
    for (face, part) in faces.iter_mut().zip(parts) {
        face.part = part;
        let (first, count) = (face.first_point as usize, usize::from(face.edge_count));
        points[first + count] = points[first];
        face.is_dead_end = face.leading & face.leading.wrapping_sub(1) == 0 && count <= BITS;
    }
    for (point, vertex) in points[rims as usize..].iter_mut().zip(details) {
        point.at = anchored.vertex(*vertex);
    }
    for (number, portal) in (0u32..).zip(tile.portals()) {
        let face = &mut faces[portal.polygon as usize];
        face.is_dead_end = false;
        let side = u32::from(portal.side & 3);
        let code = HalfEdge::PORTAL | side << HalfEdge::SIDE_SHIFT | number;
        points[face.first_point as usize + usize::from(portal.edge)].code = code;
    }
    (faces, points, part_count)
}
