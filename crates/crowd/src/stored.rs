//! Values as little-endian bytes, and back from untrusted bytes.

use crate::agent::{AgentState, Ahead, Passage, Route, Target};
use crate::avoid::walls::Walls;
use crate::error::{CrowdError, FARTHEST};
use crate::ids::{AgentId, FieldId, GroupId};
use crate::settings::{AgentParams, Avoidance, FilterKind};
use detour::{CornerKind, Corridor, PartialReason, Place, PolyRef, Vec3};
use glam::Vec2;

/// Reads values from untrusted bytes.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Reader<'_> {
    pub(crate) fn fail<T>(&self, problem: &'static str) -> Result<T, CrowdError> {
        Err(CrowdError::Stored { at: self.at, problem })
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], CrowdError> {
        let Some(part) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) else {
            return self.fail("unexpected end of data");
        };
        self.at += N;
        Ok(*part)
    }

    /// The length of a list whose elements take at least `least` bytes.
    fn length(&mut self, least: usize) -> Result<usize, CrowdError> {
        let count = u32::read(self)? as usize;
        if count.saturating_mul(least) > self.bytes.len() - self.at {
            return self.fail("a list is longer than the rest of the data");
        }
        Ok(count)
    }
}

/// A value that is part of a stored crowd.
pub(crate) trait Stored: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError>;
}

macro_rules! stored_numbers {
    ($($type:ty),*) => {$(
        impl Stored for $type {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                Ok(<$type>::from_le_bytes(from.take()?))
            }
        }
    )*};
}

stored_numbers!(u8, u32, u64);

/// A struct, stored by its fields in this order.
macro_rules! stored_fields {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl Stored for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)*
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                $(let $field = Stored::read(from)?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}

/// An enum without values, stored by the index of the variant in the list.
macro_rules! stored_variants {
    ($type:ty [ $($variant:expr),* $(,)? ]) => {
        impl Stored for $type {
            fn write(&self, out: &mut Vec<u8>) {
                let place = [$($variant),*].iter().position(|variant| variant == self);
                out.push(place.map_or(u8::MAX, |place| place as u8));
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                let place = usize::from(u8::read(from)?);
                let variants = [$($variant),*];
                variants.get(place).copied().map_or_else(|| from.fail("unknown variant"), Ok)
            }
        }
    };
}

impl Stored for f32 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let value = f32::from_le_bytes(from.take()?);
        if value.is_nan() { from.fail("a number is NaN") } else { Ok(value) }
    }
}

impl Stored for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        match u8::read(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => from.fail("not a valid bool, expected 0 or 1"),
        }
    }
}

impl Stored for Vec2 {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|v| v.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let v = Vec2::new(f32::read(from)?, f32::read(from)?);
        let is_near = v.abs().max_element() <= FARTHEST;
        if is_near { Ok(v) } else { from.fail("a coordinate is out of range: no mesh reaches that far") }
    }
}

impl Stored for Vec3 {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|v| v.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let v = Vec3::new(f32::read(from)?, f32::read(from)?, f32::read(from)?);
        let is_near = v.abs().max_element() <= FARTHEST;
        if is_near { Ok(v) } else { from.fail("a coordinate is out of range: no mesh reaches that far") }
    }
}

impl Stored for PolyRef {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_bits().write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        PolyRef::from_bits(u64::read(from)?).map_or_else(|| from.fail("not a valid polygon handle"), Ok)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|value| value.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        self.iter().for_each(|value| value.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let count = from.length(1)?;
        (0..count).map(|_| T::read(from)).collect()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

stored_fields!(Place { polygon, point });
stored_fields!(AgentId { index, salt });
stored_fields!(FieldId { index, salt });
stored_fields!(GroupId { index, salt });
stored_fields!(Passage { link, from, to, progress, length });
stored_fields!(Ahead { corner, kind, polygon, after, age, seen_from, seen_at });
stored_fields!(AgentParams {
    radius,
    height,
    max_speed,
    max_acceleration,
    turn_rate,
    filter,
    avoidance,
    priority,
    layers,
    avoids,
    stopping_distance,
    brakes,
    horizon,
    link_speed,
});
stored_variants!(CornerKind [
    CornerKind::Start,
    CornerKind::Turn,
    CornerKind::Crossing,
    CornerKind::LinkStart,
    CornerKind::LinkEnd,
    CornerKind::End,
]);
stored_variants!(Avoidance [Avoidance::None, Avoidance::Orca]);
stored_variants!(Route [
    Route::None,
    Route::Wanted,
    Route::Queued,
    Route::Complete,
    Route::Partial(PartialReason::Unreachable),
    Route::Partial(PartialReason::OutOfNodes),
    Route::Partial(PartialReason::GoalExcluded),
    Route::Field,
    Route::OffField,
]);

impl Stored for FilterKind {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(FilterKind(u8::read(from)?))
    }
}

impl Stored for Target {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Target::None => out.push(0),
            Target::Place(place) => (1u8, *place).write(out),
            Target::Agent(other) => (2u8, *other).write(out),
            Target::Velocity(velocity) => (3u8, *velocity).write(out),
            Target::Field(field) => (4u8, *field).write(out),
            Target::Group(group) => (5u8, *group).write(out),
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        match u8::read(from)? {
            0 => Ok(Target::None),
            1 => Ok(Target::Place(Stored::read(from)?)),
            2 => Ok(Target::Agent(Stored::read(from)?)),
            3 => Ok(Target::Velocity(Stored::read(from)?)),
            4 => Ok(Target::Field(Stored::read(from)?)),
            5 => Ok(Target::Group(Stored::read(from)?)),
            _ => from.fail("unknown kind of target"),
        }
    }
}

impl Stored for AgentState {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            AgentState::Idle => out.push(0),
            AgentState::Searching => out.push(1),
            AgentState::Walking => out.push(2),
            AgentState::Arrived => out.push(3),
            AgentState::Waiting(link) => (4u8, *link).write(out),
            AgentState::OnLink(link) => (5u8, *link).write(out),
            AgentState::Lost => out.push(6),
            AgentState::SteppingOut => out.push(7),
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        match u8::read(from)? {
            0 => Ok(AgentState::Idle),
            1 => Ok(AgentState::Searching),
            2 => Ok(AgentState::Walking),
            3 => Ok(AgentState::Arrived),
            4 => Ok(AgentState::Waiting(Stored::read(from)?)),
            5 => Ok(AgentState::OnLink(Stored::read(from)?)),
            6 => Ok(AgentState::Lost),
            7 => Ok(AgentState::SteppingOut),
            _ => from.fail("unknown agent state"),
        }
    }
}

impl Stored for Walls {
    fn write(&self, out: &mut Vec<u8>) {
        let ends: Vec<(Vec2, Vec2)> = self.segments().iter().map(|[from, to]| (*from, *to)).collect();
        (ends, self.around()).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (ends, around): (Vec<(Vec2, Vec2)>, (Vec2, f32)) = Stored::read(from)?;
        let segments = ends.into_iter().map(|(from, to)| [from, to]);
        Walls::from_parts(segments, around).map_or_else(|| from.fail("too many walls"), Ok)
    }
}

impl Stored for Corridor {
    fn write(&self, out: &mut Vec<u8>) {
        (self.polygons().to_vec(), (self.position(), self.target())).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (polygons, (position, target)): (Vec<PolyRef>, (Vec3, Vec3)) = Stored::read(from)?;
        let corridor = Corridor::from_parts(polygons, position, target);
        corridor.map_or_else(|| from.fail("a corridor has no polygons"), Ok)
    }
}
