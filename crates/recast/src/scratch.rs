//! Memory that one worker reuses from tile to tile. A steady-state bake allocates next to nothing.

use std::any::Any;

/// Scratch memory of all stages. Make one per thread and keep it.
///
/// Every stage has buffers of its own type, which are kept here from its first run on.
#[derive(Default)]
pub struct Scratch {
    /// One of each type.
    buffers: Vec<Box<dyn Any + Send + Sync>>,
}

impl Scratch {
    /// Scratch memory that has not grown yet.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// The buffers of type `T`, in the state in which their last user left them.
    pub(crate) fn of<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let found = self.buffers.iter().position(|buffers| buffers.is::<T>());
        let index = found.unwrap_or_else(|| {
            self.buffers.push(Box::new(T::default()));
            self.buffers.len() - 1
        });
        self.buffers[index].downcast_mut().expect("found by its type")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_found_again_by_their_type() {
        let mut scratch = Scratch::new();
        scratch.of::<Vec<u32>>().push(7);
        scratch.of::<Vec<u8>>().push(9);
        assert_eq!(*scratch.of::<Vec<u32>>(), [7]);
        assert_eq!(*scratch.of::<Vec<u8>>(), [9]);
        assert_eq!(scratch.buffers.len(), 2);
    }
}
