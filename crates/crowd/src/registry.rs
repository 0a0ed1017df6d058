//! Objects of a crowd that are named by handles: fields, exits and groups.

use crate::error::CrowdError;
use crate::stored::{Reader, Stored};

/// A list of objects by place. Each place counts the objects that it has had.
#[derive(Clone, Debug)]
pub(crate) struct Registry<T> {
    places: Vec<(u32, Option<T>)>,
}

impl<T> Default for Registry<T> {
    fn default() -> Registry<T> {
        Registry { places: Vec::new() }
    }
}

impl<T> Registry<T> {
    /// Puts an object into the first free place. Returns the place and its salt.
    pub(crate) fn add(&mut self, thing: T) -> (u32, u32) {
        let free = self.places.iter().position(|(_, thing)| thing.is_none());
        let index = free.unwrap_or(self.places.len());
        if index == self.places.len() {
            self.places.push((0, None));
        }
        let (salt, place) = &mut self.places[index];
        (*salt, *place) = (salt.wrapping_add(1), Some(thing));
        (index as u32, *salt)
    }

    pub(crate) fn get(&self, index: u32, salt: u32) -> Option<&T> {
        let (own, thing) = self.places.get(index as usize)?;
        thing.as_ref().filter(|_| *own == salt)
    }

    pub(crate) fn get_mut(&mut self, index: u32, salt: u32) -> Option<&mut T> {
        let (own, thing) = self.places.get_mut(index as usize)?;
        thing.as_mut().filter(|_| *own == salt)
    }

    /// Takes an object out and makes its handle invalid.
    pub(crate) fn remove(&mut self, index: u32, salt: u32) -> Option<T> {
        let (own, thing) = self.places.get_mut(index as usize)?;
        if *own == salt { thing.take() } else { None }
    }

    /// All places, in their order.
    pub(crate) fn places_mut(&mut self) -> &mut [(u32, Option<T>)] {
        &mut self.places
    }

    /// All objects with their places and salts, in the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ((u32, u32), &T)> {
        let places = (0u32..).zip(&self.places);
        places.filter_map(|(index, (salt, thing))| Some(((index, *salt), thing.as_ref()?)))
    }
}

impl<T: Stored> Stored for Registry<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.places.len() as u32).write(out);
        for (salt, thing) in &self.places {
            salt.write(out);
            thing.is_some().write(out);
            thing.iter().for_each(|thing| thing.write(out));
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(Registry { places: Stored::read(from)? })
    }
}
