//! The ground as a graph: faces are the detail triangles of polygons, and gates are the segments where one
//! face meets the next: an edge within a polygon, a part of a portal between two polygons, or the part of an
//! off-mesh link that leads from one face to one other. Polygons are added as a search reaches them.
//!
//! ```text
//!     ┌─────────┬─────────┐     A polygon is loaded (its faces are known) when a neighbour is opened, and
//!     │ ╲  2  ╱ │ ╲   4   │     opened (its gates are known) when a path enters it. A portal is cut at the
//!     │1  ╲ ╱   ╪═══╲     │     vertices of both sides, so that each gate has one face on either side. The
//!     │   ╱ ╲ 3 ╪ 5   ╲   │     sides of a gate may differ in height, where two tiles meet.
//!     └─────────┴─────────┘
//! ```

use super::moves::outside;
use crate::error::QueryError;
use crate::filter::{Attributes, CostModel, Step, cost_of};
use crate::geometry::{flat, lerp};
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use crate::query::nodes::{NO_NODE, NodePool, PoolNode};
use crate::slopes::Slopes;
use glam::{DVec2, DVec3, Vec3};
use std::num::NonZeroU32;
use std::ops::Range;

/// Two cuts of a portal that are nearer to each other count as one, and shorter portals are left out; metres.
const LEAST: f64 = 1e-5;

/// A detail triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundFace {
    pub(super) corners: [Vec3; 3],
    /// The number of its polygon.
    pub(super) polygon: u32,
    /// The first gate off it, or [`NO_NODE`].
    pub(super) gates: u32,
}

/// A polygon with its faces.
#[derive(Clone, Debug)]
pub(super) struct GroundPolygon {
    pub(super) polygon: PolyRef,
    /// Cost of a metre; infinite if the model allows no move.
    pub(super) rate: f64,
    /// True if it may be entered.
    pub(super) passes: bool,
    /// True if its gates are known.
    is_open: bool,
    first_face: u32,
    face_count: u32,
    /// The first of its pairs of faces, and their number.
    pub(super) first_pair: u32,
    pub(super) pair_count: u32,
    /// The first of the numbers that say where the outline of each edge begins.
    first_edge: u32,
}

impl PoolNode for GroundPolygon {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }

    #[inline]
    fn parent(&self) -> u32 {
        NO_NODE
    }
}

/// A segment where two faces meet, or an off-mesh link between two faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundGate {
    pub(super) faces: [u32; 2],
    /// Its ends as the first and as the second face has them.
    pub(super) ends: [[Vec3; 2]; 2],
    /// The next gate off the first and off the second face, or [`NO_NODE`].
    pub(super) next: [u32; 2],
    /// The number of its first node.
    pub(super) first: u32,
    /// Points along it; each is a node in both directions.
    pub(super) count: u32,
    /// The cost of a metre of an off-mesh link, and the link. It is crossed from its first face only.
    pub(super) link: Option<(PolyRef, f64)>,
}

impl GroundGate {
    /// A point of it as one of its faces has it, by its share of the length.
    #[inline]
    pub(super) fn at(&self, side: usize, share: f64) -> DVec3 {
        let [a, b] = self.ends[side].map(|end| end.as_dvec3());
        a + (b - a) * share
    }

    #[inline]
    pub(super) fn length(&self) -> f64 {
        self.ends[0][0].as_dvec3().distance(self.ends[0][1].as_dvec3())
    }

    /// True if both faces have it at the same place.
    #[inline]
    pub(super) fn is_flush(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The share of the length of a node's point.
    #[inline]
    pub(super) fn share_of(&self, point: u32) -> f64 {
        (f64::from(point) + 0.5) / f64::from(self.count)
    }
}

/// A point of a gate, crossed in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct GateNode {
    /// Cost from the start to the far side of the gate.
    pub(super) cost: f64,
    /// The node before it.
    pub(super) parent: u32,
    pub(super) gate: u32,
    pub(super) is_settled: bool,
}

/// A part of a polygon's outline on one edge of one face.
#[derive(Clone, Copy, Debug)]
struct OutlinePiece {
    face: u32,
    /// From right to left as seen when leaving the polygon.
    ends: [Vec3; 2],
}

/// The spacing of the points of gates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spacing {
    /// Metres.
    pub(super) apart: f64,
    /// The most points of a gate.
    pub(super) most: u32,
}

impl Spacing {
    /// Metres, if height costs nothing. Measured: at 0.5 some lines cross the wrong triangles.
    const APART: f64 = 0.3;
    /// The most points of an edge.
    const MOST: u32 = 32;

    /// Between two ends there are about this many points in a row, at most.
    const ACROSS: f64 = 160.0;
    /// The largest spacing, metres.
    const LARGEST: f64 = 1.0;

    /// The spacing for a model, with the least cost of a metre, and for two ends at a distance in metres. A
    /// cheap line keeps its height if height is dear, and needs points that are nearer to each other. On a
    /// long path the same error is a smaller share.
    pub(super) fn for_costs(slopes: &Slopes, least: f32, distance: f64) -> Spacing {
        let height = f64::from(slopes.climb_cost() + slopes.descent_cost()) * 0.5;
        let ratio = if least > 0.0 { (height / f64::from(least)).min(Self::LARGEST_RATIO) } else { 0.0 };
        let apart = Self::APART / (1.0 + ratio).sqrt();
        Spacing { apart: apart.max((distance / Self::ACROSS).min(Self::LARGEST)), most: Self::MOST }
    }

    /// Beyond this ratio of costs of height and length points are no denser.
    const LARGEST_RATIO: f64 = 8.0;
}

/// The graph, and the memory that building it takes.
#[derive(Clone, Debug)]
pub(super) struct GroundGraph {
    pub(super) polygons: NodePool<GroundPolygon>,
    pub(super) faces: Vec<GroundFace>,
    pub(super) gates: Vec<GroundGate>,
    pub(super) nodes: Vec<GateNode>,
    /// Pairs of faces of one polygon with their common edge.
    pub(super) pairs: Vec<([u32; 2], [Vec3; 2])>,
    outline: Vec<OutlinePiece>,
    /// For each edge of each polygon its first outline piece, and the end.
    edge_starts: Vec<u32>,
    /// The largest number of points.
    pub(super) most_points: usize,
    pub(super) spacing: Spacing,
    /// True if there was no room for a gate.
    pub(super) is_full: bool,
    keys: Vec<(u32, u32)>,
    next: Vec<Option<(u16, OutlinePiece)>>,
    pub(super) cuts: Vec<f64>,
}

impl Default for GroundGraph {
    fn default() -> GroundGraph {
        GroundGraph {
            polygons: NodePool::new(NonZeroU32::MAX),
            faces: Vec::new(),
            gates: Vec::new(),
            nodes: Vec::new(),
            pairs: Vec::new(),
            outline: Vec::new(),
            edge_starts: Vec::new(),
            most_points: 0,
            spacing: Spacing { apart: 1.0, most: 1 },
            is_full: false,
            keys: Vec::new(),
            next: Vec::new(),
            cuts: Vec::new(),
        }
    }
}

/// The cost of a metre of level ground, or of an off-mesh link; infinite if the model allows no move.
pub(super) fn rate_of(filter: &impl CostModel, polygon: Attributes) -> f64 {
    let step = Step { from: Vec3::ZERO, to: Vec3::X, polygon, next: None };
    cost_of(filter, &step).unwrap_or(f64::INFINITY)
}

impl GroundGraph {
    pub(super) fn clear(&mut self, most_points: usize, spacing: Spacing) {
        self.polygons.clear();
        self.faces.clear();
        self.gates.clear();
        self.nodes.clear();
        self.pairs.clear();
        self.outline.clear();
        self.edge_starts.clear();
        (self.most_points, self.spacing, self.is_full) = (most_points, spacing, false);
    }

    pub(super) fn polygon_of(&self, face: u32) -> &GroundPolygon {
        self.polygons.get(self.faces[face as usize].polygon)
    }

    /// The number of points of gates.
    pub(super) fn points(&self) -> usize {
        self.nodes.len() / 2
    }

    pub(super) fn corners(&self, face: u32) -> [DVec3; 3] {
        self.faces[face as usize].corners.map(|corner| corner.as_dvec3())
    }

    /// The number of a polygon; adds its faces if it is new.
    pub(super) fn load(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        polygon: PolyRef,
    ) -> Result<u32, QueryError> {
        let vacancy = match self.polygons.find_first(polygon) {
            Ok(known) => return Ok(known),
            Err(vacancy) => vacancy,
        };
        let poly = mesh.locate(polygon)?;
        let attributes = poly.attributes();
        let number = self.polygons.len() as u32;
        let starts = [self.faces.len(), self.pairs.len(), self.edge_starts.len()].map(|len| len as u32);
        let corners: usize = poly.outline().count();
        let is_whole = self.add_faces(number, poly.triangles_by_number())
            && self.find_pairs()
            && (self.find_outline(corners, false) || self.find_outline(corners, true));
        if !is_whole {
            // The detail mesh does not cover the polygon; no tile of this library is like that.
            self.faces.truncate(starts[0] as usize);
            self.pairs.truncate(starts[1] as usize);
            self.add_fan(number, &poly);
            let _ = self.find_pairs() && self.find_outline(corners, false);
        }
        let rate = rate_of(filter, attributes);
        let loaded = GroundPolygon {
            polygon,
            rate,
            passes: rate.is_finite() && filter.passes(&attributes),
            is_open: false,
            first_face: starts[0],
            face_count: self.faces.len() as u32 - starts[0],
            first_pair: starts[1],
            pair_count: self.pairs.len() as u32 - starts[1],
            first_edge: starts[2],
        };
        self.polygons.insert_at(vacancy, loaded);
        Ok(number)
    }

    /// Adds faces, and their edges to the list of keys: both vertices, and the face with the number of the
    /// edge.
    fn add_faces(&mut self, polygon: u32, triangles: impl Iterator<Item = ([Vec3; 3], [u16; 3])>) -> bool {
        self.keys.clear();
        for (corners, vertices) in triangles {
            let face = self.faces.len() as u32;
            self.faces.push(GroundFace { corners, polygon, gates: NO_NODE });
            for edge in 0..3u32 {
                let [a, b] = [edge, (edge + 1) % 3].map(|corner| u32::from(vertices[corner as usize]));
                // The lowest bit keeps the direction.
                let key = a.min(b) << 16 | a.max(b);
                self.keys.push((key, face << 3 | edge << 1 | u32::from(a > b)));
            }
        }
        self.keys.sort_unstable();
        true
    }

    fn add_fan(&mut self, polygon: u32, poly: &Poly<'_>) {
        let corners: Vec<Vec3> = poly.outline().map(|(corner, _)| corner).collect();
        let fan = (1..corners.len().saturating_sub(1))
            .map(|i| ([corners[0], corners[i], corners[i + 1]], [0, i as u16, i as u16 + 1]));
        self.add_faces(polygon, fan);
    }

    fn edge_of(&self, code: u32) -> (u32, [Vec3; 2]) {
        let (face, edge) = (code >> 3, code >> 1 & 3);
        let corners = self.faces[face as usize].corners;
        (face, [corners[edge as usize], corners[(edge as usize + 1) % 3]])
    }

    /// Lists the edges that two faces share. Returns false if more than two share one.
    fn find_pairs(&mut self) -> bool {
        let mut at = 0;
        while let Some((key, code)) = self.keys.get(at).copied() {
            let same = self.keys[at..].iter().take_while(|(other, _)| *other == key).count();
            match same {
                1 => {}
                2 => {
                    let (face, ends) = self.edge_of(code);
                    let (other, _) = self.edge_of(self.keys[at + 1].1);
                    self.pairs.push(([face, other], ends));
                }
                _ => return false,
            }
            at += same;
        }
        true
    }

    /// Lists the outline, edge by edge of the polygon. Returns false if it does not lead from corner to
    /// corner.
    fn find_outline(&mut self, corners: usize, is_reversed: bool) -> bool {
        let GroundGraph { keys, next, .. } = self;
        next.clear();
        let vertices = keys.iter().map(|(key, _)| (key & 0xFFFF) as usize + 1).max().unwrap_or(0);
        next.resize(vertices.max(corners), None);
        let mut at = 0;
        while let Some((key, code)) = self.keys.get(at).copied() {
            let is_shared = self.keys.get(at + 1).is_some_and(|(other, _)| *other == key);
            at += if is_shared { 2 } else { 1 };
            if is_shared {
                continue;
            }
            let (face, [a, b]) = self.edge_of(code);
            let [low, high] = [(key >> 16) as u16, key as u16];
            let (from, to) = if (code & 1 == 1) != is_reversed { (high, low) } else { (low, high) };
            let ends = if is_reversed { [b, a] } else { [a, b] };
            let place = &mut self.next[usize::from(from)];
            if place.is_some() {
                return false;
            }
            *place = Some((to, OutlinePiece { face, ends }));
        }
        self.walk_outline(corners)
    }

    fn walk_outline(&mut self, corners: usize) -> bool {
        let starts = [self.outline.len(), self.edge_starts.len()];
        for corner in 0..corners {
            self.edge_starts.push(self.outline.len() as u32);
            let end = (corner + 1) % corners;
            let mut at = corner;
            loop {
                // Taken, so that the walk ends.
                let piece = self.next.get_mut(at).and_then(Option::take);
                let Some((to, piece)) =
                    piece.filter(|(to, _)| usize::from(*to) >= corners || usize::from(*to) == end)
                else {
                    self.outline.truncate(starts[0]);
                    self.edge_starts.truncate(starts[1]);
                    return false;
                };
                self.outline.push(piece);
                at = to.into();
                if at == end {
                    break;
                }
            }
        }
        self.edge_starts.push(self.outline.len() as u32);
        true
    }

    /// Finds the gates of a polygon, unless they are known. With `arrivals`, it lists the off-mesh links that
    /// end there instead of links that start there.
    pub(super) fn open(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        number: u32,
        arrivals: bool,
    ) -> Result<(), QueryError> {
        let here = self.polygons.get_mut(number);
        if std::mem::replace(&mut here.is_open, true) {
            return Ok(());
        }
        let (polygon, pairs) = (here.polygon, here.first_pair..here.first_pair + here.pair_count);
        for pair in pairs {
            let (faces, ends) = self.pairs[pair as usize];
            self.add_gate(faces, [ends; 2], None);
        }
        let poly = mesh.locate(polygon)?;
        for portal in poly.portals() {
            let beyond = self.load(mesh, filter, portal.to)?;
            if self.polygons.get(beyond).is_open {
                continue;
            }
            for back in poly.follow(mesh, portal.to)?.portals().iter().filter(|back| back.to == polygon) {
                let line = [portal.right, portal.left];
                self.join([(number, portal.edge), (beyond, back.edge)], line, [back.left, back.right]);
            }
        }
        if poly.has_off_mesh_in_tile() {
            self.add_links(mesh, filter, &poly, number, arrivals)?;
        }
        Ok(())
    }

    fn outline_of(&self, number: u32, edge: u8) -> Range<usize> {
        let first = self.polygons.get(number).first_edge as usize + usize::from(edge);
        match self.edge_starts.get(first..first + 2) {
            Some([start, end]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Adds the gates of a portal between two polygons, each given with its edge. `line` is the portal as the
    /// first has it, `back` as the second has it.
    fn join(&mut self, [here, beyond]: [(u32, u8); 2], line: [Vec3; 2], back: [Vec3; 2]) {
        let start = flat(line[0]);
        let along = flat(line[1]) - start;
        let length = along.length();
        let share = |p: Vec3| (flat(p) - start).dot(along) / (length * length);
        let back = back.map(share);
        let (from, to) = (back[0].max(0.0), back[1].min(1.0));
        let shared = (to - from) * length;
        if shared.is_nan() || shared <= LEAST {
            return;
        }
        let slack = LEAST / length;
        let pieces = [here, beyond].map(|(number, edge)| self.outline_of(number, edge));
        self.cuts.clear();
        self.cuts.extend([from, to]);
        for piece in pieces.iter().cloned().flat_map(|range| self.outline[range].iter()) {
            let inner = piece.ends.map(share).into_iter().filter(|at| *at > from + slack && *at < to - slack);
            self.cuts.extend(inner);
        }
        self.cuts.sort_unstable_by(f64::total_cmp);
        let mut last = self.cuts[0];
        for number in 1..self.cuts.len() {
            let cut = self.cuts[number];
            if cut - last <= slack {
                continue;
            }
            let middle = (last + cut) * 0.5;
            let found = pieces.clone().map(|range| {
                self.outline[range].iter().copied().find(|piece| {
                    let [a, b] = piece.ends.map(share);
                    a.min(b) <= middle && a.max(b) >= middle
                })
            });
            if let [Some(a), Some(b)] = found {
                let ends = [a, b].map(|piece| [last, cut].map(|at| on_piece(piece.ends, at, slack, share)));
                self.add_gate([a.face, b.face], ends, None);
            }
            last = cut;
        }
    }

    /// Adds a gate, if there is room.
    pub(super) fn add_gate(&mut self, faces: [u32; 2], ends: [[Vec3; 2]; 2], link: Option<(PolyRef, f64)>) {
        let length = ends[0][0].as_dvec3().distance(ends[0][1].as_dvec3());
        let count = ((length / self.spacing.apart).ceil().max(1.0) as u32).min(self.spacing.most);
        if self.points() + count as usize > self.most_points {
            self.is_full = true;
            return;
        }
        let (number, first) = (self.gates.len() as u32, self.nodes.len() as u32);
        let node = GateNode { cost: f64::INFINITY, parent: NO_NODE, gate: number, is_settled: false };
        self.nodes.extend(std::iter::repeat_n(node, 2 * count as usize));
        let mut next = [NO_NODE; 2];
        let sides = if link.is_some() { 1 } else { 2 };
        for side in 0..sides {
            next[side] = std::mem::replace(&mut self.faces[faces[side] as usize].gates, number);
        }
        self.gates.push(GroundGate { faces, ends, next, first, count, link });
    }

    /// The face of a polygon at a point seen from above; the nearest if rounding leaves a crack there.
    pub(super) fn face_at(&self, number: u32, p: Vec3) -> Option<u32> {
        let GroundPolygon { first_face, face_count, .. } = *self.polygons.get(number);
        let p: DVec2 = flat(p);
        let mut best = None;
        for face in first_face..first_face + face_count {
            let away = outside(self.corners(face), p).max(0.0);
            if best.is_none_or(|(least, _)| away < least) {
                best = Some((away, face));
            }
        }
        best.map(|(_, face)| face)
    }
}

/// A point of a piece of an outline, by its share of a portal. Ends are exact.
fn on_piece(ends: [Vec3; 2], at: f64, slack: f64, share: impl Fn(Vec3) -> f64) -> Vec3 {
    let [a, b] = ends.map(share);
    if (a - at).abs() <= slack {
        ends[0]
    } else if (b - at).abs() <= slack {
        ends[1]
    } else {
        lerp(ends[0], ends[1], ((at - a) / (b - a)).clamp(0.0, 1.0))
    }
}

impl Poly<'_> {
    /// The detail triangles: their corners, and the numbers of these within the polygon.
    fn triangles_by_number(&self) -> impl Iterator<Item = ([Vec3; 3], [u16; 3])> + '_ {
        let numbers = self.tile.surface.triangle_vertices(self.index());
        self.detail_triangles().map(|(corners, _)| corners).zip(numbers)
    }
}
