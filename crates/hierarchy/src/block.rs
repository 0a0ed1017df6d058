//! A block: the clusters inside of one cluster of the next level, with their crossings and costs.
//!
//! The lists of a block are written again when one of its clusters changes.

use crate::costs::Cost;
use crate::grid::{BRANCH, ClusterCoord};
use crate::tiles::TilePolygon;

/// Clusters in a block.
pub(crate) const SLOTS: usize = (BRANCH * BRANCH) as usize;
/// No block.
pub(crate) const NONE: u32 = u32::MAX;

/// A place on the border between two clusters where paths of the hierarchy cross it. It represents a part
/// of the open border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// The place along the border, from the start of the cluster's side, in steps of its level (see
    /// `ClusterGrid::step`).
    pub(crate) along: u16,
    /// The longest way along the border from it to a place of its part, in such steps, rounded up.
    pub(crate) reach: u16,
    /// Its height, 1/256 cell height from the lattice's zero.
    pub(crate) height: i32,
}

/// The crossings of the level below that a crossing represents: a part of a child's border list, and the
/// crossing in it at the same place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    /// The number of the child along the side.
    pub(crate) child: u16,
    pub(crate) first: u16,
    pub(crate) end: u16,
    pub(crate) same: u16,
}

/// An off-mesh link from one cluster to another. It is a door of both, which is passed in one direction only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Jump {
    /// The clusters that it leads from and to.
    pub(crate) clusters: [ClusterCoord; 2],
    /// The places where it starts and ends on the lattice: x, height, z; 1/256 cell.
    pub(crate) places: [[i64; 3]; 2],
    /// True if it leads over a link from its end to its start.
    pub(crate) backwards: bool,
    /// The polygons at its ends.
    pub(crate) polygons: [TilePolygon; 2],
    /// Half the length of the edges that it can be crossed between, 1/256 cell.
    pub(crate) reach: u32,
    /// The cost of crossing it, for each class; `None` if the class does not cross it.
    pub(crate) costs: Box<[Option<Cost>]>,
    /// The number of the same jump at the level below.
    pub(crate) below: u32,
}

impl Jump {
    /// The cluster whose tiles list the link.
    pub(crate) fn listed_in(&self) -> ClusterCoord {
        self.clusters[usize::from(self.backwards)]
    }

    /// The key that jumps are sorted by: as the clusters where they start, then where they end.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (self.clusters.map(order), self.places, self.polygons)
    }
}

/// The key that clusters are sorted by: block after block.
pub(crate) fn order(coord: ClusterCoord) -> (ClusterCoord, ClusterCoord) {
    (coord.parent(), coord)
}

/// A cluster while it is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) coord: ClusterCoord,
    /// The crossings of the borders towards larger x and larger z.
    pub(crate) borders: [Vec<Crossing>; 2],
    /// The crossings below that they represent; empty at the first level.
    pub(crate) members: [Vec<Members>; 2],
    /// Packed costs for each class: known ones, and least ones, which are empty at the first level.
    pub(crate) costs: Vec<[Vec<u16>; 2]>,
}

/// The clusters inside of one cluster of the next level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) coord: ClusterCoord,
    /// The numbers of the blocks beyond its sides; [`NONE`] for none.
    pub(crate) neighbours: [u32; 4],
    /// A bit for each cluster that exists.
    pub(crate) exists: u16,
    /// The start of each border's crossings, two borders for each cluster, and the end.
    first_crossing: [u16; 2 * SLOTS + 1],
    crossings: Box<[Crossing]>,
    members: Box<[Members]>,
    /// The start of the costs of each class and cluster, known and least, and the end.
    first_cost: Box<[u32]>,
    costs: Box<[u16]>,
}

/// The place of a cluster in its block.
pub(crate) fn slot_of(coord: ClusterCoord) -> usize {
    (coord.x.rem_euclid(BRANCH) * BRANCH + coord.z.rem_euclid(BRANCH)) as usize
}

impl Block {
    /// A block of clusters, sorted by coordinate.
    pub(crate) fn new(drafts: &[Draft]) -> Block {
        let coord = drafts.first().map_or(ClusterCoord::default(), |draft| draft.coord.parent());
        let classes = drafts.iter().map(|draft| draft.costs.len()).max().unwrap_or(0);
        let (mut exists, mut crossings, mut members, mut costs) = (0u16, Vec::new(), Vec::new(), Vec::new());
        let mut first_crossing = [0u16; 2 * SLOTS + 1];
        let mut first_cost = Vec::with_capacity(SLOTS * classes * 2 + 1);
        let mut rest = drafts.iter().peekable();
        for slot in 0..SLOTS {
            let draft = rest.next_if(|draft| slot_of(draft.coord) == slot);
            exists |= u16::from(draft.is_some()) << slot;
            for border in 0..2 {
                if let Some(draft) = draft {
                    crossings.extend_from_slice(&draft.borders[border]);
                    members.extend_from_slice(&draft.members[border]);
                }
                first_crossing[2 * slot + border + 1] = crossings.len() as u16;
            }
            for class in 0..classes {
                for kind in 0..2 {
                    first_cost.push(costs.len() as u32);
                    if let Some(of_class) = draft.and_then(|draft| draft.costs.get(class)) {
                        costs.extend_from_slice(&of_class[kind]);
                    }
                }
            }
        }
        first_cost.push(costs.len() as u32);
        Block {
            coord,
            neighbours: [NONE; 4],
            exists,
            first_crossing,
            crossings: crossings.into(),
            members: members.into(),
            first_cost: first_cost.into(),
            costs: costs.into(),
        }
    }

    fn range(&self, slot: usize, border: usize) -> std::ops::Range<usize> {
        let first = 2 * slot + border;
        usize::from(self.first_crossing[first])..usize::from(self.first_crossing[first + 1])
    }

    /// The crossings of the border of a cluster towards larger x (0) or larger z (1).
    #[inline]
    pub(crate) fn border(&self, slot: usize, border: usize) -> &[Crossing] {
        &self.crossings[self.range(slot, border)]
    }

    /// The crossings below that those of a border represent; empty at the first level.
    pub(crate) fn members(&self, slot: usize, border: usize) -> &[Members] {
        self.members.get(self.range(slot, border)).unwrap_or_default()
    }

    /// The packed costs of a class between the doors of a cluster: known ones, or with `least` least ones.
    #[inline]
    pub(crate) fn packed(&self, slot: usize, class: usize, least: bool) -> &[u16] {
        let classes = self.classes();
        let first = 2 * (slot * classes + class) + usize::from(least);
        let [start, end] = [first, first + 1].map(|at| self.first_cost.get(at).map_or(0, |at| *at as usize));
        &self.costs[start..end]
    }

    fn classes(&self) -> usize {
        self.first_cost.len() / (2 * SLOTS)
    }

    /// The packed costs of a cluster: of each class, known ones and least ones.
    pub(crate) fn all_costs(&self, slot: usize) -> impl Iterator<Item = &[u16]> {
        let kinds = move |class: usize| [false, true].map(|least| self.packed(slot, class, least));
        (0..self.classes()).flat_map(kinds)
    }

    /// Bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Block>()
            + size_of_val(&self.crossings[..])
            + size_of_val(&self.members[..])
            + size_of_val(&self.first_cost[..])
            + size_of_val(&self.costs[..])
    }

    /// The clusters, for writing a changed block.
    pub(crate) fn drafts(&self) -> Vec<Draft> {
        let draft = |slot: usize| {
            let [x, z] = [slot as i32 / BRANCH, slot as i32 % BRANCH];
            let coord = ClusterCoord { x: self.coord.x * BRANCH + x, z: self.coord.z * BRANCH + z };
            let of_class = |class: usize| [false, true].map(|least| self.packed(slot, class, least).to_vec());
            Draft {
                coord,
                borders: [0, 1].map(|border| self.border(slot, border).to_vec()),
                members: [0, 1].map(|border| self.members(slot, border).to_vec()),
                costs: (0..self.classes()).map(of_class).collect(),
            }
        };
        (0..SLOTS).filter(|slot| self.exists >> slot & 1 == 1).map(draft).collect()
    }
}
