//! Handles: numbers that refer to objects. An invalid number, whose object was freed or never made, is
//! detected. Calls on one object from several threads wait for each other. Cost of a look-up: constant, with
//! a lock that is mostly free.

use crate::status::{Answer, Fault, NtStatus};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Number of slots of the first shelf; each shelf has twice the slots of the one before.
const FIRST: u32 = 64;
const SHELVES: usize = 20;
/// Generations count up to this number. The bits above hold the kind of the object.
const GENERATIONS: u32 = 1 << 28;

#[derive(Debug)]
struct Slot<T> {
    /// Number of objects that have had the slot, including the current one. 0: none yet.
    generation: u32,
    object: Option<T>,
}

type Shelf<T> = Box<[Mutex<Slot<T>>]>;

/// All objects of a kind.
#[derive(Debug)]
pub(crate) struct Table<T> {
    kind: u32,
    name: &'static str,
    shelves: [OnceLock<Shelf<T>>; SHELVES],
    free: Mutex<Free>,
}

#[derive(Debug)]
struct Free {
    slots: Vec<u32>,
    /// The first slot that was never used.
    next: u32,
}

impl<T> Table<T> {
    /// A table of objects that have this number as their kind, 0 to 15, and this name in errors.
    pub(crate) const fn new(kind: u32, name: &'static str) -> Table<T> {
        let free = Mutex::new(Free { slots: Vec::new(), next: 0 });
        Table { kind, name, shelves: [const { OnceLock::new() }; SHELVES], free }
    }

    /// Stores an object, and returns its handle, which is not 0.
    pub(crate) fn add(&self, object: T) -> Answer<u64> {
        let index = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.slots.pop().unwrap_or_else(|| {
                free.next += 1;
                free.next - 1
            })
        };
        let (shelf, at) = place(index);
        let Some(cell) = self.shelves.get(shelf) else {
            return Err(Fault::new(NtStatus::NT_ERROR_LIMIT, format!("there are too many {}s", self.name)));
        };
        let shelf = cell.get_or_init(|| {
            let empty = |_| Mutex::new(Slot { generation: 0, object: None });
            (0..FIRST << shelf).map(empty).collect()
        });
        let mut slot = shelf[at].lock().unwrap_or_else(PoisonError::into_inner);
        slot.generation = if slot.generation + 1 == GENERATIONS { 1 } else { slot.generation + 1 };
        slot.object = Some(object);
        shelf[at].clear_poison();
        Ok(u64::from(self.kind << 28 | slot.generation) << 32 | u64::from(index))
    }

    /// Works on the object of a handle.
    pub(crate) fn with<R>(&self, handle: u64, work: impl FnOnce(&mut T) -> Answer<R>) -> Answer<R> {
        let mut slot = self.slot(handle)?.lock().map_err(|_| {
            let text = format!("an earlier call on this {} failed within the library: free it", self.name);
            Fault::new(NtStatus::NT_ERROR_INTERNAL, text)
        })?;
        work(self.of(&mut slot, handle)?)
    }

    /// Takes the object out; its handle is invalid then.
    pub(crate) fn remove(&self, handle: u64) -> Answer<T> {
        let mut slot = self.slot(handle)?.lock().unwrap_or_else(PoisonError::into_inner);
        self.of(&mut slot, handle)?;
        let object = slot.object.take().ok_or_else(|| self.nothing(handle))?;
        drop(slot);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).slots.push(handle as u32);
        Ok(object)
    }

    fn slot(&self, handle: u64) -> Answer<&Mutex<Slot<T>>> {
        let (shelf, at) = place(handle as u32);
        let shelf = self.shelves.get(shelf).and_then(OnceLock::get);
        shelf.and_then(|shelf| shelf.get(at)).ok_or_else(|| self.nothing(handle))
    }

    fn of<'a>(&self, slot: &'a mut MutexGuard<'_, Slot<T>>, handle: u64) -> Answer<&'a mut T> {
        let is_it = self.kind << 28 | slot.generation == (handle >> 32) as u32;
        slot.object.as_mut().filter(|_| is_it).ok_or_else(|| self.nothing(handle))
    }

    #[cold]
    fn nothing(&self, handle: u64) -> Fault {
        let name = self.name;
        let text = match handle {
            0 => format!("the {name} is a handle of zeros: make one first"),
            _ => format!(
                "there is no {name} {handle:#018x}: it was freed, or this is a handle of something else"
            ),
        };
        Fault::new(NtStatus::NT_ERROR_HANDLE, text)
    }
}

/// The shelf of a slot, and its number there.
fn place(index: u32) -> (usize, usize) {
    let number = u64::from(index) + u64::from(FIRST);
    let shelf = number.ilog2() - FIRST.ilog2();
    (shelf as usize, (number - (u64::from(FIRST) << shelf)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_stand_side_by_side() {
        let mut expected = (0, 0);
        for index in 0..100_000 {
            assert_eq!(place(index), expected, "slot {index}");
            let is_last = expected.1 + 1 == (FIRST as usize) << expected.0;
            expected = if is_last { (expected.0 + 1, 0) } else { (expected.0, expected.1 + 1) };
        }
    }

    #[test]
    fn handles_name_their_object_until_it_is_freed() {
        static TABLE: Table<u32> = Table::new(3, "number");
        let handles: Vec<u64> = (0..1000).map(|number| TABLE.add(number).unwrap()).collect();
        for (number, handle) in (0..).zip(&handles) {
            assert_eq!(TABLE.with(*handle, |found| Ok(*found)).unwrap(), number);
        }
        assert_eq!(TABLE.remove(handles[7]).unwrap(), 7);
        for wrong in [0, handles[7], handles[8] ^ 1 << 60, handles[8] + (1 << 32), u64::MAX, 5000] {
            let fault = TABLE.with(wrong, |_| Ok(())).unwrap_err();
            assert_eq!(fault.status, NtStatus::NT_ERROR_HANDLE, "{wrong:#x}");
        }
        let again = TABLE.add(77).unwrap();
        assert_eq!(again as u32, handles[7] as u32, "the slot is used again");
        assert!(TABLE.with(handles[7], |_| Ok(())).is_err(), "under another handle");
    }

    #[test]
    fn an_object_whose_call_panics_can_only_be_freed() {
        static TABLE: Table<u32> = Table::new(1, "number");
        let handle = TABLE.add(1).unwrap();
        let panics = || TABLE.with(handle, |_| -> Answer<()> { panic!("a fault") });
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        let fault = TABLE.with(handle, |_| Ok(())).unwrap_err();
        assert_eq!(fault.status, NtStatus::NT_ERROR_INTERNAL);
        assert_eq!(TABLE.remove(handle).unwrap(), 1);
        let next = TABLE.add(2).unwrap();
        assert_eq!(TABLE.with(next, |found| Ok(*found)).unwrap(), 2);
    }
}
