//! Values as little-endian bytes, and back from untrusted bytes.

use crate::agent::{Activity, Ahead, Claim, Footing, Meanwhile, Passage, PathState, Progress, Target};
use crate::avoid::walls::Walls;
use crate::error::{CrowdError, FARTHEST};
use crate::ids::{AgentId, ExitsId, FieldId, GroupId};
use crate::settings::{AgentParams, Avoidance, FilterKind, Flow, GroundLoss};
use detour::{CornerKind, Corridor, PartialReason, Place, PolyRef, Vec3};
use glam::Vec2;
use std::collections::VecDeque;

/// The kinds of corners, in the order of their numbers.
const CORNER_KINDS: [CornerKind; 6] = [
    CornerKind::Start,
    CornerKind::Turn,
    CornerKind::Crossing,
    CornerKind::LinkStart,
    CornerKind::LinkEnd,
    CornerKind::End,
];

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

/// A struct, stored by its fields in this order. Fields that are not stored are those of the value at the
/// end.
macro_rules! stored_fields {
    ($type:ident { $($field:ident),* $(,)? } $($rest:ident = $value:expr)?) => {
        impl Stored for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)*
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                $(let $field = Stored::read(from)?;)*
                $(let $rest = $value;)?
                Ok($type { $($field),* $(, ..$rest)? })
            }
        }
    };
}
pub(crate) use stored_fields;

/// An enum, stored as the number of the variant and the variant's value, if it has one.
macro_rules! stored_enum {
    ($type:ident { $($number:literal: $variant:ident $(($value:ident))?),* $(,)? }) => {
        impl Stored for $type {
            fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant $(($value))? => {
                        out.push($number);
                        $($value.write(out);)?
                    })*
                }
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
                match u8::read(from)? {
                    $($number => Ok($type::$variant $(({ let $value = Stored::read(from)?; $value }))?),)*
                    _ => from.fail(concat!("unknown variant of ", stringify!($type))),
                }
            }
        }
    };
}
pub(crate) use stored_enum;

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

impl<T: Stored> Stored for VecDeque<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        self.iter().for_each(|value| value.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Vec::read(from).map(VecDeque::from)
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
stored_fields!(ExitsId { index, salt });
stored_fields!(GroupId { index, salt });
stored_fields!(Passage { link, falls, from, to, progress, length, may_land });
stored_fields!(Ahead { corner, kind, polygon, after, age, seen_from, seen_at });
stored_fields!(Claim { rank, push });
stored_fields!(Progress { at, stalled, shortest, shortest_to, unchecked, failures });
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
    flow,
    ground_loss,
    fall_height,
});
stored_enum!(Avoidance { 0: None, 1: Orca });
stored_enum!(Flow { 0: Free, 1: People });
stored_enum!(GroundLoss { 0: StepOut, 1: Wait, 2: Fall, 3: Remove });
stored_enum!(PartialReason { 0: Unreachable, 1: OutOfNodes, 2: GoalExcluded });
stored_enum!(Meanwhile { 0: Approach, 1: Wait });
stored_enum!(PathState {
    0: None,
    1: Wanted(meanwhile),
    2: Queued(meanwhile),
    3: NoGoal(meanwhile),
    4: Complete,
    5: Partial(reason),
    6: Field,
    7: OffField,
});
stored_enum!(Target {
    0: None,
    1: Place(place),
    2: Agent(agent),
    3: Velocity(velocity),
    4: Field(field),
    5: Group(group),
    6: Exits(exits),
});
stored_enum!(Activity { 0: Idle, 1: Searching, 2: Walking, 3: Arrived, 4: Waiting(link) });
stored_enum!(Footing { 0: Ground(activity), 1: Passage(passage), 2: Lost(exit), 3: Carried(position) });

impl Stored for CornerKind {
    fn write(&self, out: &mut Vec<u8>) {
        let number = CORNER_KINDS.iter().position(|kind| kind == self);
        out.push(number.map_or(u8::MAX, |number| number as u8));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let number = usize::from(u8::read(from)?);
        CORNER_KINDS.get(number).copied().map_or_else(|| from.fail("unknown kind of corner"), Ok)
    }
}

impl Stored for FilterKind {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(FilterKind(u8::read(from)?))
    }
}

impl Stored for Walls {
    fn write(&self, out: &mut Vec<u8>) {
        let ends: Vec<(Vec2, Vec2)> = self.segments().iter().map(|[from, to]| (*from, *to)).collect();
        (ends, self.around()).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (ends, (centre, reach)): (Vec<(Vec2, Vec2)>, (Vec2, f32)) = Stored::read(from)?;
        let segments = ends.into_iter().map(|(from, to)| [from, to]);
        Walls::from_parts(segments, centre, reach).map_or_else(|| from.fail("too many walls"), Ok)
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
