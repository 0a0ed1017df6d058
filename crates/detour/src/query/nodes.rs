//! The nodes of a search: a dense pool, and a hash table from polygon to node.
//!
//! Open addressing at a load of at most one half. The eight polygons that share a cache line of the table are
//! neighbours in their tile's BV order, and therefore mostly in space. Clearing increments a generation
//! number.

use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::num::NonZeroU32;

/// Marks the absence of a node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A polygon or off-mesh link that was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) polygon: PolyRef,
    /// The point where it was entered.
    pub(crate) point: Vec3,
    /// The node that it was entered from, or [`NO_NODE`].
    pub(crate) parent: u32,
    /// Cost from the start to `point`.
    pub(crate) cost: f64,
    /// True if the node is settled: its cost and parent are final.
    pub(crate) closed: bool,
    /// Number of nodes that were settled before this node.
    pub(crate) rank: u32,
}

impl Node {
    /// A node of a search without a goal.
    #[inline]
    pub(crate) fn reached(polygon: PolyRef, point: Vec3, parent: u32, cost: f64) -> Node {
        Node { polygon, point, parent, cost, closed: false, rank: 0 }
    }
}

/// An element of a pool: the state of a search at a polygon.
pub(crate) trait PoolNode {
    fn polygon(&self) -> PolyRef;

    /// The node that it was reached from, or [`NO_NODE`].
    fn parent(&self) -> u32;
}

impl PoolNode for Node {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }

    #[inline]
    fn parent(&self) -> u32 {
        self.parent
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct TableEntry {
    generation: u32,
    node: u32,
}

/// The polygon that a node was reached from, if any: its bits, or 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin(u64);

impl Origin {
    #[inline]
    pub(crate) fn is(self, polygon: PolyRef) -> bool {
        self.0 == polygon.to_bits()
    }
}

/// The place in a pool's table for a polygon that has no node; valid until the next change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy(usize);

#[derive(Clone, Debug)]
pub(crate) struct NodePool<N = Node> {
    nodes: Vec<N>,
    /// Length 0 or a power of two, at least twice the number of nodes.
    table: Vec<TableEntry>,
    /// Entries of other generations are empty.
    generation: u32,
    max_nodes: NonZeroU32,
}

impl<N: PoolNode> NodePool<N> {
    pub(crate) fn new(max_nodes: NonZeroU32) -> NodePool<N> {
        NodePool { nodes: Vec::new(), table: Vec::new(), generation: 1, max_nodes }
    }

    pub(crate) fn max_nodes(&self) -> NonZeroU32 {
        self.max_nodes
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.fill(TableEntry::default());
            self.generation = 1;
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn get(&self, node: u32) -> &N {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, node: u32) -> &mut N {
        &mut self.nodes[node as usize]
    }

    /// The polygon of a parent, if it is not [`NO_NODE`].
    #[inline]
    pub(crate) fn came_from(&self, parent: u32) -> Origin {
        Origin(self.nodes.get(parent as usize).map_or(0, |parent| parent.polygon().to_bits()))
    }

    /// The polygons from a node back to the start. Parents were settled before their children, so the path
    /// ends.
    pub(crate) fn path_back(&self, last: u32) -> impl Iterator<Item = PolyRef> {
        let nodes = std::iter::successors(self.nodes.get(last as usize), |node| {
            // The number NO_NODE is never in use.
            self.nodes.get(node.parent() as usize)
        });
        nodes.map(PoolNode::polygon)
    }

    /// Writes the polygons from the start to a node.
    pub(crate) fn trace_back(&self, last: u32, polygons: &mut Vec<PolyRef>) {
        polygons.clear();
        polygons.extend(self.path_back(last));
        polygons.reverse();
    }

    /// The first index to probe in the table for a polygon.
    #[inline]
    fn home(&self, polygon: PolyRef) -> usize {
        let bits = polygon.to_bits();
        let line = (bits >> 3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        ((line << 3 | bits & 7) as usize) & self.table.len().wrapping_sub(1)
    }

    /// The node of a polygon, or the first of several.
    #[inline]
    pub(crate) fn find(&self, polygon: PolyRef) -> Option<u32> {
        self.find_first(polygon).ok()
    }

    /// The node of a polygon, the first of several, or its place in the table.
    #[inline]
    pub(crate) fn find_first(&self, polygon: PolyRef) -> Result<u32, Vacancy> {
        let mut at = self.home(polygon);
        // Ends at an empty entry, which always exists, or at once if there is no table yet.
        loop {
            let Some(entry) = self.table.get(at) else { return Err(Vacancy(at)) };
            if entry.generation != self.generation {
                return Err(Vacancy(at));
            }
            if self.nodes[entry.node as usize].polygon() == polygon {
                return Ok(entry.node);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Adds a node of a polygon; `None` if the pool is full.
    #[inline]
    pub(crate) fn insert(&mut self, node: N) -> Option<u32> {
        match self.find_first(node.polygon()) {
            Ok(_) => self.insert_another(node),
            Err(vacancy) => self.insert_at(vacancy, node),
        }
    }

    /// Overwrites the node that [`NodePool::find_first`] has just found, or adds it in the returned place;
    /// `None` if the pool is full.
    #[inline]
    pub(crate) fn put(&mut self, found: Result<u32, Vacancy>, node: N) -> Option<u32> {
        match found {
            Ok(number) => {
                *self.get_mut(number) = node;
                Some(number)
            }
            Err(vacancy) => self.insert_at(vacancy, node),
        }
    }

    /// Adds the first node of a polygon, in the place that [`NodePool::find_first`] has just returned; `None`
    /// if the pool is full.
    #[inline]
    pub(crate) fn insert_at(&mut self, Vacancy(at): Vacancy, node: N) -> Option<u32> {
        if self.nodes.len() >= self.max_nodes.get() as usize {
            return None;
        }
        let number = self.nodes.len() as u32;
        if (self.nodes.len() + 1) * 2 > self.table.len() {
            self.grow();
            self.enter(node.polygon(), number);
        } else if let Some(entry) = self.table.get_mut(at) {
            *entry = TableEntry { generation: self.generation, node: number };
        }
        self.nodes.push(node);
        Some(number)
    }

    /// Adds another node of a polygon. Lookups continue to find the first node. `None` if the pool is full.
    #[inline]
    pub(crate) fn insert_another(&mut self, node: N) -> Option<u32> {
        if self.nodes.len() >= self.max_nodes.get() as usize {
            return None;
        }
        self.nodes.push(node);
        Some((self.nodes.len() - 1) as u32)
    }

    #[inline]
    fn enter(&mut self, polygon: PolyRef, node: u32) {
        let mut at = self.home(polygon);
        while self.table[at].generation == self.generation {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at] = TableEntry { generation: self.generation, node };
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let length = (self.table.len() * 2).max(1024);
        self.table.clear();
        self.table.resize(length, TableEntry::default());
        self.generation = 1;
        for node in 0..self.nodes.len() as u32 {
            // Lookups find the first node of a polygon.
            let polygon = self.nodes[node as usize].polygon();
            if self.find_first(polygon).is_err() {
                self.enter(polygon, node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(slot: u32, polygon: u32) -> Node {
        Node::reached(PolyRef::new(1, slot, polygon).unwrap(), Vec3::ZERO, NO_NODE, 0.0)
    }

    #[test]
    fn nodes_are_found_until_the_pool_is_cleared() {
        let mut pool = NodePool::<Node>::new(NonZeroU32::new(5000).unwrap());
        for round in 0..3 {
            for i in 0..5000u32 {
                let new = node(i % 7 + round, i * 3);
                assert_eq!(pool.find(new.polygon), None);
                assert_eq!(pool.insert(new), Some(i));
            }
            for i in 0..5000u32 {
                assert_eq!(pool.find(node(i % 7 + round, i * 3).polygon), Some(i));
                assert_eq!(pool.find(node(i % 7 + round, i * 3 + 1).polygon), None);
            }
            assert_eq!(pool.insert(node(90, 0)), None);
            pool.clear();
            assert_eq!(pool.find(node(round, 0).polygon), None);
        }
    }

    #[test]
    fn generations_come_round() {
        let mut pool = NodePool::<Node>::new(NonZeroU32::new(10).unwrap());
        pool.insert(node(0, 1));
        pool.generation = u32::MAX;
        pool.clear();
        assert_eq!(pool.find(node(0, 1).polygon), None);
        assert_eq!(pool.insert(node(0, 2)), Some(0));
        assert_eq!(pool.find(node(0, 2).polygon), Some(0));
    }
}
