//! The regions around each region, in order along its outline, for merging regions.
//!
//! Each region has a ring of nodes, and each node names the region beyond a stretch of its outline. A merge
//! opens the rings of both regions at the nodes that name the other region, and ties the rings together
//! there:
//!
//! ```text
//!   ring of a   ..  c  (b)  d  ..         ring of both   ..  c  f  ..  e  d  ..
//!   ring of b   ..  e  (a)  f  ..
//! ```
//!
//! Consecutive nodes of a ring name different regions; if two would name the same one, the later, counted
//! from the start of the ring, is dropped. Cost: a merge visits the nodes of the region that is merged and
//! the nodes that name it; the size of the ring that it is merged into does not matter.

use super::RegionId;

/// Represents a missing node: the first of an empty ring, or the next of a dropped node.
const NIL: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// The region that owns the ring.
    of: u32,
    beyond: RegionId,
    next: u32,
    previous: u32,
}

/// The regions around each region.
pub(crate) struct Surroundings {
    nodes: Vec<Node>,
    /// The first node of each region's ring.
    first: Vec<u32>,
    /// The nodes that name each region; may include dropped ones.
    naming: Vec<Vec<u32>>,
}

impl Surroundings {
    /// Surroundings of a number of regions, all empty.
    pub(crate) fn new(regions: usize) -> Surroundings {
        Surroundings { nodes: Vec::new(), first: vec![NIL; regions], naming: vec![Vec::new(); regions] }
    }

    pub(crate) fn is_empty(&self, region: usize) -> bool {
        self.first[region] == NIL
    }

    /// Sets the surroundings of a region, in order.
    pub(crate) fn set(&mut self, region: usize, around: &[RegionId]) {
        let start = self.nodes.len() as u32;
        let count = around.len() as u32;
        for (at, &beyond) in (0..).zip(around) {
            let [next, previous] = [1, count - 1].map(|steps| start + (at + steps) % count);
            self.nodes.push(Node { of: region as u32, beyond, next, previous });
            if beyond.is_inner() {
                self.naming[beyond.index()].push(start + at);
            }
        }
        self.first[region] = if around.is_empty() { NIL } else { start };
    }

    /// The regions around one region, in order, including the outside and the border.
    pub(crate) fn of(&self, region: usize) -> impl Iterator<Item = RegionId> {
        self.ring(region).map(|node| self.nodes[node as usize].beyond)
    }

    /// The regions that have a region in their rings, once for each node that names it.
    pub(crate) fn naming(&self, region: usize) -> impl Iterator<Item = usize> {
        let nodes = self.naming[region].iter().map(|&node| &self.nodes[node as usize]);
        nodes.filter(|node| node.next != NIL).map(|node| node.of as usize)
    }

    /// Merges a region into another. Each must be in the other's ring exactly once. Returns false if they are
    /// not neighbours.
    pub(crate) fn merge(&mut self, region: usize, target: usize) -> bool {
        let named = RegionId::inner(target as u32);
        let Some(seam) = self.ring(region).find(|&node| self.nodes[node as usize].beyond == named) else {
            return false;
        };
        let mut naming = std::mem::take(&mut self.naming[region]);
        naming.retain(|&node| self.nodes[node as usize].next != NIL);
        let Some(gap) = naming.iter().copied().find(|&node| self.nodes[node as usize].of == target as u32)
        else {
            self.naming[region] = naming;
            return false;
        };
        self.join_rings(region, target, seam, gap);
        for &node in &naming {
            #[cfg(test)]
            crate::meshing::steps::step();
            // The gap is no longer in a ring.
            if self.nodes[node as usize].next != NIL {
                self.nodes[node as usize].beyond = named;
                let kept = self.drop_repeat(self.nodes[node as usize].previous, node);
                self.drop_repeat(kept, self.nodes[kept as usize].next);
            }
        }
        self.naming[target].extend(naming);
        true
    }

    /// Puts the ring of a region, starting after `seam`, into the ring of another one in place of `gap`.
    fn join_rings(&mut self, region: usize, target: usize, seam: u32, gap: u32) {
        let ring: Vec<u32> = self.ring(region).collect();
        ring.into_iter().for_each(|node| self.nodes[node as usize].of = target as u32);
        let ([before, behind], [last, second]) = (self.take(gap), self.take(seam));
        self.first[region] = NIL;
        self.first[target] = if behind == NIL { second } else { behind };
        if behind != NIL && second != NIL {
            self.tie(before, second);
            self.tie(last, behind);
            self.drop_repeat(before, second);
        }
        let first = self.first[target];
        if first != NIL {
            self.drop_repeat(self.nodes[first as usize].previous, first);
        }
    }

    /// The nodes of a region's ring.
    fn ring(&self, region: usize) -> impl Iterator<Item = u32> {
        let first = self.first[region];
        let next = move |&node: &u32| Some(self.nodes[node as usize].next).filter(|&next| next != first);
        std::iter::successors(Some(first).filter(|&first| first != NIL), next)
    }

    fn tie(&mut self, node: u32, next: u32) {
        self.nodes[node as usize].next = next;
        self.nodes[next as usize].previous = node;
    }

    /// Takes a node out of its ring. Returns the nodes before and after it.
    fn take(&mut self, node: u32) -> [u32; 2] {
        let Node { next, previous, .. } = self.nodes[node as usize];
        self.nodes[node as usize].next = NIL;
        if next == node {
            return [NIL; 2];
        }
        self.tie(previous, next);
        [previous, next]
    }

    /// Drops one of two consecutive nodes if both name the same region. Returns the kept node, or the second
    /// one.
    fn drop_repeat(&mut self, node: u32, next: u32) -> u32 {
        let [a, b] = [node, next].map(|node| self.nodes[node as usize]);
        if node == next || a.beyond != b.beyond {
            return next;
        }
        let (kept, dropped) = if next == self.first[b.of as usize] { (next, node) } else { (node, next) };
        self.take(dropped);
        kept
    }
}
