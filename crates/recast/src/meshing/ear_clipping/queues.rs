//! Queues of corners: corners to be taken in order, and corners that wait until an edge is gone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Entries, the smallest first. Outdated entries are not removed at once, but skipped later.
#[derive(Default)]
pub(super) struct FirstOf<T: Ord>(BinaryHeap<Reverse<T>>);

impl<T: Ord> FirstOf<T> {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn push(&mut self, entry: T) {
        self.0.push(Reverse(entry));
    }

    pub(super) fn extend(&mut self, entries: impl IntoIterator<Item = T>) {
        self.0.extend(entries.into_iter().map(Reverse));
    }

    /// Takes the smallest entry for which `is_true` returns true; drops the entries before it.
    pub(super) fn pop_if(&mut self, is_true: impl Fn(&T) -> bool) -> Option<T> {
        loop {
            let Reverse(entry) = self.0.pop()?;
            if is_true(&entry) {
                return Some(entry);
            }
        }
    }
}

/// Corners that wait for edges. Each edge, known by the corner it starts at, has a list of them.
#[derive(Default)]
pub(super) struct WaitingCorners {
    /// The first entry of each edge's list, as an index into `entries`.
    heads: Vec<u32>,
    /// A corner, and the next entry of its list.
    entries: Vec<(u32, u32)>,
    /// Corners that no longer wait.
    awake: Vec<u32>,
}

/// The end of a list.
const END: u32 = u32::MAX;

impl WaitingCorners {
    /// Forgets everything, for a polygon with this many corners.
    pub(super) fn start(&mut self, corners: usize) {
        self.heads.clear();
        self.heads.resize(corners, END);
        self.entries.clear();
        self.awake.clear();
    }

    pub(super) fn wait(&mut self, corner: u32, edge: u32) {
        let next = std::mem::replace(&mut self.heads[edge as usize], self.entries.len() as u32);
        self.entries.push((corner, next));
    }

    /// Wakes the corners that wait for an edge, which has changed.
    pub(super) fn wake(&mut self, edge: u32) {
        let mut at = std::mem::replace(&mut self.heads[edge as usize], END);
        while let Some(&(corner, next)) = self.entries.get(at as usize) {
            self.awake.push(corner);
            at = next;
        }
    }

    pub(super) fn wake_one(&mut self, corner: u32) {
        self.awake.push(corner);
    }

    pub(super) fn wake_all(&mut self, corners: u32) {
        self.awake.extend(0..corners);
    }

    /// Takes out a corner that no longer waits.
    pub(super) fn awake(&mut self) -> Option<u32> {
        self.awake.pop()
    }
}
