//! Fields that agents follow: one search for any number of agents with the same goals.
//!
//! A field depends only on the mesh, its goals, its bound, its filter and its number of nodes, and not on
//! bodies that hold passages. It is therefore stored without the result of its search, and searched again
//! when it is restored.

use crate::error::CrowdError;
use crate::filters::CrowdFilter;
use crate::ids::FieldId;
use crate::registry::Registry;
use crate::settings::FilterKind;
use crate::stored::{Reader, Stored};
use detour::{Field, FieldChange, FieldStep, NavMesh, PartialReason, Place, Query, Vec3};
use std::num::NonZeroU32;

/// A field, and the filter that it is searched with.
#[derive(Clone, Debug)]
pub(crate) struct CrowdField {
    pub(crate) field: Field,
    pub(crate) filter: FilterKind,
    /// True if a goal moved with the last change of the mesh.
    pub(crate) has_moved: bool,
}

impl CrowdField {
    /// Returns true if both fields have the same goals, bound and filter.
    fn is_alike(&self, other: &CrowdField) -> bool {
        let bounds = [self, other].map(|one| one.field.bound().to_bits());
        self.filter == other.filter && bounds[0] == bounds[1] && self.field.goals() == other.field.goals()
    }
}

impl Stored for CrowdField {
    fn write(&self, out: &mut Vec<u8>) {
        (self.field.goals().to_vec(), (self.field.bound(), self.filter)).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (goals, (bound, filter)): (Vec<Place>, (f32, FilterKind)) = Stored::read(from)?;
        Ok(CrowdField { field: Field::new(&goals, bound)?, filter, has_moved: false })
    }
}

/// All fields of a crowd.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) list: Registry<CrowdField>,
    /// The goals before a change. Scratch memory.
    goals: Vec<Vec3>,
}

impl Fields {
    pub(crate) fn new(list: Registry<CrowdField>) -> Fields {
        Fields { list, goals: Vec::new() }
    }

    pub(crate) fn get(&self, id: FieldId) -> Result<&CrowdField, CrowdError> {
        self.list.get(id.index, id.salt).ok_or(CrowdError::NoField(id))
    }

    /// The next step from a place, or the reason why no step leads on.
    pub(crate) fn next(&self, id: FieldId, mesh: &NavMesh, place: Place) -> Result<FieldStep, PartialReason> {
        let own = self.list.get(id.index, id.salt).ok_or(PartialReason::Unreachable)?;
        let is_whole = own.field.is_complete();
        let reason = if is_whole { PartialReason::Unreachable } else { PartialReason::OutOfNodes };
        own.field.next(mesh, place).ok_or(reason)
    }

    /// The cost of the path from a place to the goal; `None` without a path.
    pub(crate) fn distance(&self, id: FieldId, mesh: &NavMesh, place: Place) -> Option<f32> {
        self.list.get(id.index, id.salt)?.field.distance(mesh, place)
    }

    /// Updates all fields to another mesh.
    pub(crate) fn refresh(&mut self, nodes: NonZeroU32, mesh: &NavMesh, filters: &[CrowdFilter]) {
        let Fields { list, goals } = self;
        let mut query = Query::with_max_nodes(nodes);
        for own in list.places_mut().iter_mut().filter_map(|(_, own)| own.as_mut()) {
            goals.clear();
            goals.extend(own.field.goals().iter().map(|goal| goal.point));
            let filter = &*filters[usize::from(own.filter.0)].filter;
            let change = own.field.refresh(&mut query, mesh, filter);
            // If no goal of a field has ground, the field leads nowhere until one of them has.
            own.has_moved = change != Ok(FieldChange::Current)
                && !goals.iter().eq(own.field.goals().iter().map(|goal| &goal.point));
        }
    }

    /// Takes over the search results of equal fields.
    pub(crate) fn take_over(&mut self, mut old: Fields) {
        for ((salt, own), (old_salt, old)) in self.list.places_mut().iter_mut().zip(old.list.places_mut()) {
            if let (Some(own), Some(old)) = (own, old)
                && salt == old_salt
                && own.is_alike(old)
            {
                std::mem::swap(&mut own.field, &mut old.field);
            }
        }
    }
}
