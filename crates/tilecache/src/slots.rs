//! Obstacles by handles that can tell if their obstacle still exists.

use crate::error::CacheError;

/// An obstacle of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObstacleHandle {
    index: u32,
    /// Number of obstacles that had this index before.
    salt: u32,
}

impl ObstacleHandle {
    /// The handle as a number, for scripts and other languages; never 0.
    pub fn to_bits(self) -> u64 {
        u64::from(!self.salt) << 32 | u64::from(self.index)
    }

    /// The handle with this number. A number from any other source names no obstacle, or a different one.
    pub fn from_bits(bits: u64) -> ObstacleHandle {
        ObstacleHandle { index: bits as u32, salt: !((bits >> 32) as u32) }
    }
}

/// Values by handle. A handle of a removed value finds nothing, even if its slot is used again.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    salt: u32,
    value: Option<T>,
}

impl<T> Slots<T> {
    pub(crate) fn new() -> Slots<T> {
        Slots { slots: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, value: T) -> Result<ObstacleHandle, CacheError> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.value = Some(value);
            return Ok(ObstacleHandle { index, salt: slot.salt });
        }
        let Ok(index) = u32::try_from(self.slots.len()) else { return Err(CacheError::TooManyObstacles) };
        self.slots.push(Slot { salt: 0, value: Some(value) });
        Ok(ObstacleHandle { index, salt: 0 })
    }

    pub(crate) fn get(&self, handle: ObstacleHandle) -> Option<&T> {
        let slot = self.slots.get(handle.index as usize)?;
        slot.value.as_ref().filter(|_| slot.salt == handle.salt)
    }

    pub(crate) fn get_mut(&mut self, handle: ObstacleHandle) -> Option<&mut T> {
        let slot = self.slots.get_mut(handle.index as usize)?;
        slot.value.as_mut().filter(|_| slot.salt == handle.salt)
    }

    pub(crate) fn remove(&mut self, handle: ObstacleHandle) -> Option<T> {
        let slot = self.slots.get_mut(handle.index as usize).filter(|slot| slot.salt == handle.salt)?;
        let value = slot.value.take()?;
        slot.salt = slot.salt.wrapping_add(1);
        // An index is not used again once its salts are used up: old handles must never find another
        // obstacle.
        if slot.salt != 0 {
            self.free.push(handle.index);
        }
        Some(value)
    }

    pub(crate) fn handles(&self) -> impl Iterator<Item = ObstacleHandle> {
        (0u32..)
            .zip(&self.slots)
            .filter(|(_, slot)| slot.value.is_some())
            .map(|(index, slot)| ObstacleHandle { index, salt: slot.salt })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_finds_its_value_and_no_other() {
        let mut slots = Slots::new();
        let a = slots.insert('a').unwrap();
        let b = slots.insert('b').unwrap();
        assert_eq!((slots.get(a), slots.len()), (Some(&'a'), 2));
        assert_eq!(slots.remove(a), Some('a'));
        assert_eq!(slots.get(a), None);
        assert_eq!(slots.remove(a), None);
        let c = slots.insert('c').unwrap();
        assert_ne!(a, c);
        assert_eq!((slots.get(a), slots.get(c)), (None, Some(&'c')));
        assert_eq!(slots.handles().collect::<Vec<_>>(), [c, b]);
        for handle in [a, b, c] {
            assert_ne!(handle.to_bits(), 0);
            assert_eq!(ObstacleHandle::from_bits(handle.to_bits()), handle);
        }
        assert_eq!(slots.get(ObstacleHandle::from_bits(0)), None);
    }
}
