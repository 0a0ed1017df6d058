//! An ordered list in which a predicate finds items, and items can be inserted and removed anywhere. Cost:
//! O(log n) evaluations to find a place; O(block + n / block) steps, of four bytes each, to change it.

/// Most items in a block.
const BLOCK: usize = 512;

/// Items in blocks. No block is empty.
#[derive(Default)]
pub(super) struct SweepOrder {
    blocks: Vec<Vec<u32>>,
}

/// A place between two items: a block, and the number of its items before the place.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    block: usize,
    index: usize,
}

impl SweepOrder {
    /// The place after all items for which `comes_before` is true; these must be the first ones of the list.
    pub(super) fn find(&self, comes_before: impl Fn(u32) -> bool) -> Gap {
        let block = self.blocks.partition_point(|block| comes_before(block[0])).saturating_sub(1);
        let index =
            self.blocks.get(block).map_or(0, |items| items.partition_point(|item| comes_before(*item)));
        Gap { block, index }
    }

    /// The item before a place.
    pub(super) fn before(&self, gap: Gap) -> Option<u32> {
        match gap.index.checked_sub(1) {
            Some(index) => Some(self.blocks[gap.block][index]),
            None => self.blocks.get(gap.block.checked_sub(1)?)?.last().copied(),
        }
    }

    /// The item after a place.
    pub(super) fn after(&self, gap: Gap) -> Option<u32> {
        let here = self.blocks.get(gap.block)?.get(gap.index);
        here.or_else(|| self.blocks.get(gap.block + 1)?.first()).copied()
    }

    /// Removes the item after a place, and returns the place it had.
    pub(super) fn remove_after(&mut self, mut gap: Gap) -> Gap {
        if self.blocks.get(gap.block).is_some_and(|block| block.len() == gap.index) {
            gap = Gap { block: gap.block + 1, index: 0 };
        }
        let Some(block) = self.blocks.get_mut(gap.block) else { return gap };
        block.remove(gap.index);
        if block.is_empty() {
            self.blocks.remove(gap.block);
            let block = gap.block.saturating_sub(1);
            gap = Gap { block, index: if gap.block == 0 { 0 } else { self.blocks[block].len() } };
        }
        gap
    }

    /// Inserts an item, and returns the place after it.
    pub(super) fn insert(&mut self, gap: Gap, item: u32) -> Gap {
        let Some(block) = self.blocks.get_mut(gap.block) else {
            self.blocks.push(vec![item]);
            return Gap { block: self.blocks.len() - 1, index: 1 };
        };
        block.insert(gap.index, item);
        let after = gap.index + 1;
        if block.len() <= BLOCK {
            return Gap { index: after, ..gap };
        }
        let half = block.split_off(BLOCK / 2);
        self.blocks.insert(gap.block + 1, half);
        if after <= BLOCK / 2 {
            Gap { index: after, ..gap }
        } else {
            Gap { block: gap.block + 1, index: after - BLOCK / 2 }
        }
    }
}
