//! The memory of a search for the shortest path: roots, nodes, the open list, and the visited parts.

use super::plane::{Point, leftness};
use crate::mesh::{LinkEdges, Portal};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Marks the absence of a node.
pub(super) const NONE: u32 = u32::MAX;

/// The direction in which a path bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::query) enum Turn {
    Left,
    Right,
}

impl Turn {
    /// Positive if a point is on the side of a ray from `root` to which the path turns, 0 if on its line.
    #[inline]
    pub(super) fn side_of(self, root: Point, ray: Point, p: Point) -> i128 {
        match self {
            Turn::Left => leftness(root, ray, p),
            Turn::Right => -leftness(root, ray, p),
        }
    }
}

/// The point that a path continues from in straight lines: the start, the corner of the ground at its last
/// bend, or the end of an off-mesh link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) point: Point,
    /// The point in metres from the anchor.
    pub(super) at: Vec3,
    /// Length of the path to it.
    pub(super) length: f64,
    pub(super) place: RootPlace,
}

/// The kind of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootPlace {
    /// The start, or a corner where floors above one another share a portal; not distinguished from others.
    Any,
    /// A corner of the ground.
    Corner(GroundCorner),
    /// The far end of an off-mesh link: the number of its passage.
    LinkEnd(u32),
    /// Another root, moved over an off-mesh link between edges: the number of its passage.
    Moved(u32),
}

/// A passage over an off-mesh link between edges, in one direction, anywhere along them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgePassage {
    pub(super) link: PolyRef,
    pub(super) edges: LinkEdges,
    /// The ends of the entry edge, in the plane, in the order of `edges`.
    pub(super) ends: [Point; 2],
    /// The vector of the link.
    pub(super) by: Point,
    /// The root that was moved.
    pub(super) from_root: u32,
}

/// A passage over an off-mesh link, in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPassage {
    pub(super) link: PolyRef,
    /// The entry of the link, metres from the anchor.
    pub(super) entry: Vec3,
    /// The entry in the plane.
    pub(super) entry_point: Point,
    /// The exit of the link.
    pub(super) exit: PlanePlace,
}

/// A polygon, and a point of it in the plane.
pub(in crate::query) type PlanePlace = (PolyRef, Point);

/// A corner of the ground: the last polygon about it, turning left, and the point. Polygons that touch at a
/// point and are not connected there have separate corners, and so do storeys.
pub(in crate::query) type GroundCorner = PlanePlace;

/// The part of the ground that a node looks at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sight {
    /// The polygon of the start or of a link's end, and polygons with that point on their outline.
    Start,
    /// The view of the root through a portal, between two bounds.
    Cone { portal: PlanePortal, left: Point, right: Point },
    /// A polygon with the root as one of its corners, on the side of a ray to which the path turns. `reached`
    /// is true if turning has reached the ray before the polygon.
    Fan { turn: Turn, ray: Point, reached: bool },
    /// The goal.
    Goal,
}

/// One continuation of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct SightNode {
    pub(super) root: u32,
    /// The node that it was found from, or [`NONE`].
    pub(super) parent: u32,
    /// The polygon that it leads into.
    pub(super) polygon: PolyRef,
    pub(super) sight: Sight,
}

/// A node on the open list, by the least length of a path through it; lengths are not negative, so they order
/// like their bits. Among equals the latest comes first, as it is usually the nearest to the goal.
pub(super) type OpenNode = (Reverse<u64>, u32);

/// A portal with its ends in the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanePortal {
    pub(super) to: PolyRef,
    pub(super) left: Point,
    pub(super) right: Point,
    /// The ends in metres from the anchor.
    pub(super) left_at: Vec3,
    pub(super) right_at: Vec3,
}

impl PlanePortal {
    pub(super) fn new(portal: &Portal, left: Point, right: Point) -> PlanePortal {
        PlanePortal { to: portal.to, left, right, left_at: portal.left, right_at: portal.right }
    }
}

/// Hashes keys word by word. Keys come from the mesh, not from an attacker, and no result depends on a
/// table's order.
/// Source: the word-wise multiplicative hash of Firefox and rustc.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(size_of::<u64>()) {
            let mut padded = [0; size_of::<u64>()];
            padded[..word.len()].copy_from_slice(word);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(padded)).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

type KeyHash = BuildHasherDefault<KeyHasher>;

/// Scratch of searches.
#[derive(Debug, Default)]
pub(in crate::query) struct SightScratch {
    pub(super) roots: Vec<Root>,
    pub(super) nodes: Vec<SightNode>,
    pub(super) open: BinaryHeap<OpenNode>,
    /// The least known length to each corner where a path bent.
    pub(super) best: HashMap<GroundCorner, f64, KeyHash>,
    pub(super) passages: Vec<LinkPassage>,
    pub(super) edge_passages: Vec<EdgePassage>,
    /// The least known length to each end of an off-mesh link that was entered or left.
    pub(super) link_ends: HashMap<PlanePlace, f64, KeyHash>,
    /// Fans that were visited, as both portals that end at a corner lead to the same fan.
    pub(super) fans: HashSet<(PolyRef, Point, Point, Turn), KeyHash>,
    /// The result of turning about a corner, by the polygon where the turn began, the polygon before, and the
    /// point.
    pub(super) corners: HashMap<(PolyRef, PolyRef, Point), Option<Option<GroundCorner>>, KeyHash>,
    /// Portals of the current polygon.
    pub(super) portals: Vec<PlanePortal>,
    /// For the start and each link's end, by root, its polygon and the polygons with that point on their
    /// outline.
    pub(super) starts: HashSet<(PolyRef, u32), KeyHash>,
    /// The index of each polygon in the path.
    pub(super) places: HashMap<PolyRef, usize, KeyHash>,
}

impl SightScratch {
    pub(super) fn clear(&mut self) {
        self.roots.clear();
        self.nodes.clear();
        self.open.clear();
        self.best.clear();
        self.passages.clear();
        self.edge_passages.clear();
        self.link_ends.clear();
        self.fans.clear();
        self.corners.clear();
        self.starts.clear();
    }

    pub(super) fn root_of(&self, node: u32) -> &Root {
        &self.roots[self.nodes[node as usize].root as usize]
    }
}
