//! What a search for the shortest path keeps: roots, nodes, the open list, and what was seen already.

use super::plane::{Point, leftness};
use crate::mesh::Link;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Which way a path bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Turn {
    Left,
    Right,
}

impl Turn {
    /// Positive if a point lies on the side of a ray from `root` that the path turns to, 0 if on its line.
    #[inline]
    pub(super) fn side_of(self, root: Point, ray: Point, p: Point) -> i128 {
        match self {
            Turn::Left => leftness(root, ray, p),
            Turn::Right => -leftness(root, ray, p),
        }
    }
}

/// The point that a path goes on from in straight lines: the start, a corner of the ground that it bent at last, or
/// where an off-mesh link lets one off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) point: Point,
    /// The same in metres from the anchor.
    pub(super) at: Vec3,
    /// Length of the path to it.
    pub(super) length: f64,
    pub(super) place: RootPlace,
}

/// What stands at a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootPlace {
    /// The start, or a corner where floors above one another share an opening: it is not told apart from others.
    Any,
    /// A corner of the ground.
    Corner(Corner),
    /// Where an off-mesh link lets one off: which of the jumps.
    Landing(u32),
}

/// A way over an off-mesh link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) link: PolyRef,
    /// Where it is stepped onto; metres from the anchor.
    pub(super) foot: Vec3,
    /// The same in the plane.
    pub(super) foot_point: Point,
    /// Where it lets one off.
    pub(super) landing: Foot,
}

/// A place where an off-mesh link meets the ground: the polygon, and the point.
pub(super) type Foot = (PolyRef, Point);

/// A corner of the ground: the last polygon about it, turning left, and the point. Polygons that touch at a
/// point and do not hang together there have corners of their own, as have storeys.
pub(super) type Corner = (PolyRef, Point);

/// What is looked at next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sight {
    /// The polygon that the start or a landing is in, and polygons whose outline it stands on.
    Start,
    /// What the root sees through an opening, between two bounds.
    Cone { opening: Opening, left: Point, right: Point },
    /// The polygon at the root, which is one of its corners, on the side of a ray that the path turns to; and
    /// whether turning that way has reached the ray before the polygon.
    Fan { turn: Turn, ray: Point, reached: bool },
    /// The goal.
    Goal,
}

/// A way that a path may go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) root: u32,
    /// The node it was found from, or [`NONE`].
    pub(super) parent: u32,
    /// The polygon it leads into.
    pub(super) polygon: PolyRef,
    pub(super) sight: Sight,
}

/// A node that waits, by the least length of a path that goes its way. Of equals the latest found comes
/// first: it is mostly the nearest to the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) estimate: f64,
    pub(super) node: u32,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

/// A way out of a polygon that the filter lets pass, with its ends in the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) link: Link,
    pub(super) left: Point,
    pub(super) right: Point,
}

/// Mixes the words of a key. Keys are few and of one's own mesh; nothing depends on the order of a table.
/// Source: the word-wise multiplicative hash of Firefox and rustc.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

type Mixer = BuildHasherDefault<Mix>;

/// Scratch of searches.
#[derive(Debug, Default)]
pub(in crate::query) struct SightScratch {
    pub(super) roots: Vec<Root>,
    pub(super) nodes: Vec<Node>,
    pub(super) open: BinaryHeap<Waiting>,
    /// The least known length to each corner that a path bent at.
    pub(super) best: HashMap<Corner, f64, Mixer>,
    /// The ways over off-mesh links that landings are reached by.
    pub(super) jumps: Vec<Jump>,
    /// The least known length to each end of an off-mesh link that was landed on or stepped off.
    pub(super) feet: HashMap<Foot, f64, Mixer>,
    /// Fans that were looked at: both openings that end at a corner lead to it.
    pub(super) fans: HashSet<(PolyRef, Point, Point, Turn), Mixer>,
    /// What the turning about a corner came to, by the polygon it began in, the one before, and the point.
    pub(super) corners: HashMap<(PolyRef, PolyRef, Point), Option<Option<Corner>>, Mixer>,
    /// Openings of the polygon in hand.
    pub(super) openings: Vec<Opening>,
    /// For the start and each landing, by root, its polygon and those whose outline it stands on.
    pub(super) starts: HashSet<(PolyRef, u32), Mixer>,
    /// Where each polygon of the path stands.
    pub(super) places: HashMap<PolyRef, usize, Mixer>,
}

impl SightScratch {
    pub(super) fn clear(&mut self) {
        self.roots.clear();
        self.nodes.clear();
        self.open.clear();
        self.best.clear();
        self.jumps.clear();
        self.feet.clear();
        self.fans.clear();
        self.corners.clear();
        self.starts.clear();
    }

    pub(super) fn root_of(&self, node: u32) -> &Root {
        &self.roots[self.nodes[node as usize].root as usize]
    }
}
