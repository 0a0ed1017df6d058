//! A crowd as bytes: all that the next step depends on, little-endian, so that a crowd that is restored goes on bit for bit.
//!
//! Searches under way are stored by how far they have come and are run up to there again. Handles of polygons are
//! stored as they are: they name the same polygons in a mesh to which the same tiles were added in the same order.

use crate::agent::{Agent, AgentState, Ahead, Passage, Route, Target};
use crate::agent_id::AgentId;
use crate::avoid::walls::Walls;
use crate::crowd::{Crowd, MovingDisc};
use crate::error::CrowdError;
use crate::settings::{AgentParams, Avoidance, FilterKind, SamplingQuality};
use detour::{Corridor, CornerKind, NavMesh, PartialReason, Place, PolyRef, Vec3};
use glam::Vec2;

/// What stored crowds begin with: a name and the version of the form.
const MAGIC: [u8; 8] = *b"NTCROWD\x01";

/// Reads values from bytes that may be anything.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    pub(crate) fn fail<T>(&self, problem: &'static str) -> Result<T, CrowdError> {
        Err(CrowdError::Stored { at: self.at, problem })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CrowdError> {
        let Some(part) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) else {
            return self.fail("the end, where more was expected");
        };
        self.at += N;
        Ok(*part)
    }

    /// The length of a list whose elements take `least` bytes at least.
    fn length(&mut self, least: usize) -> Result<usize, CrowdError> {
        let count = u32::read(self)? as usize;
        if count.saturating_mul(least) > self.bytes.len() - self.at {
            return self.fail("a list that is longer than the rest");
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

/// A struct by its fields, in this order.
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

/// An enumeration without values, by the places of its variants in the list.
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
                variants.get(place).copied().map_or_else(|| from.fail("a kind that there is not"), Ok)
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
        if value.is_nan() { from.fail("a number that is none") } else { Ok(value) }
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
            _ => from.fail("neither yes nor no"),
        }
    }
}

impl Stored for Vec2 {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|v| v.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let v = Vec2::new(f32::read(from)?, f32::read(from)?);
        if v.is_finite() { Ok(v) } else { from.fail("an infinite coordinate") }
    }
}

impl Stored for Vec3 {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|v| v.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let v = Vec3::new(f32::read(from)?, f32::read(from)?, f32::read(from)?);
        if v.is_finite() { Ok(v) } else { from.fail("an infinite coordinate") }
    }
}

impl Stored for PolyRef {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_bits().write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        PolyRef::from_bits(u64::read(from)?).map_or_else(|| from.fail("no polygon"), Ok)
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
stored_fields!(Passage { link, from, to, progress, length });
stored_fields!(Ahead { corner, kind, polygon, after, age, seen_from });
stored_fields!(MovingDisc { position, velocity, radius, height, layers });
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
stored_variants!(Avoidance [
    Avoidance::None,
    Avoidance::Orca,
    Avoidance::Sampling(SamplingQuality::Low),
    Avoidance::Sampling(SamplingQuality::Medium),
    Avoidance::Sampling(SamplingQuality::Good),
    Avoidance::Sampling(SamplingQuality::High),
]);
stored_variants!(Route [
    Route::None,
    Route::Wanted,
    Route::Queued,
    Route::Complete,
    Route::Partial(PartialReason::Unreachable),
    Route::Partial(PartialReason::OutOfNodes),
    Route::Partial(PartialReason::GoalExcluded),
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
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        match u8::read(from)? {
            0 => Ok(Target::None),
            1 => Ok(Target::Place(Stored::read(from)?)),
            2 => Ok(Target::Agent(Stored::read(from)?)),
            3 => Ok(Target::Velocity(Stored::read(from)?)),
            _ => from.fail("a target of a kind that there is not"),
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
            _ => from.fail("a state that there is not"),
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
        corridor.map_or_else(|| from.fail("a corridor without polygons"), Ok)
    }
}

/// An agent by its fields, but those that a step works out before it reads them.
impl Stored for Agent {
    fn write(&self, out: &mut Vec<u8>) {
        (self.is_there, self.salt).write(out);
        (self.params, self.is_kinematic).write(out);
        self.corridor.write(out);
        (self.target, self.goal).write(out);
        (self.route, (self.state, self.holds)).write(out);
        (self.velocity, (self.wanted, (self.chosen, self.heading))).write(out);
        (self.ahead, (self.passage, self.may_land)).write(out);
        self.walls.write(out);
        (self.progress_at, (self.stalled, (self.claims, self.gives))).write(out);
        (self.lent, (self.waited, self.until_review)).write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (is_there, salt) = Stored::read(from)?;
        let (params, is_kinematic) = Stored::read(from)?;
        let corridor: Corridor = Stored::read(from)?;
        let mut agent = Agent::new(corridor.place(), salt, params);
        (agent.is_there, agent.is_kinematic, agent.corridor) = (is_there, is_kinematic, corridor);
        (agent.target, agent.goal) = Stored::read(from)?;
        (agent.route, (agent.state, agent.holds)) = Stored::read(from)?;
        (agent.velocity, (agent.wanted, (agent.chosen, agent.heading))) = Stored::read(from)?;
        (agent.ahead, (agent.passage, agent.may_land)) = Stored::read(from)?;
        agent.walls = Stored::read(from)?;
        (agent.progress_at, (agent.stalled, (agent.claims, agent.gives))) = Stored::read(from)?;
        (agent.lent, (agent.waited, agent.until_review)) = Stored::read(from)?;
        Ok(agent)
    }
}

impl Crowd {
    /// All that the next step depends on, as bytes; settings and filters are the caller's to keep.
    pub fn save(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        self.steps.write(&mut out);
        self.agents.write(&mut out);
        (self.free.clone(), self.discs.clone()).write(&mut out);
        self.searches.write(&mut out);
        out
    }

    /// Goes back to what [`Crowd::save`] gave, on the mesh of then, or one with the same tiles, added in the same order, with
    /// the same flags and areas. The crowd must have the same settings and filters. It then goes on bit for bit as
    /// the saved one did. The crowd is unchanged if the bytes are refused.
    pub fn restore(&mut self, mesh: &NavMesh, bytes: &[u8]) -> Result<(), CrowdError> {
        let mut from = Reader { bytes, at: 0 };
        if from.take()? != MAGIC {
            from.at = 0;
            return from.fail("no stored crowd of this version");
        }
        let steps = u64::read(&mut from)?;
        let agents: Vec<Agent> = Stored::read(&mut from)?;
        let (free, discs): (Vec<u32>, Vec<MovingDisc>) = Stored::read(&mut from)?;
        self.check_stored(&agents, &free, &discs, &from)?;
        let searches = self.searches.read(&mut from, (mesh, &agents, &self.filters))?;
        if from.at != bytes.len() {
            return from.fail("more bytes than a crowd has");
        }
        // Agents on polygons that this mesh has not find ground as after any change.
        let is_known = |agent: &Agent| !agent.is_there || mesh.attributes(agent.corridor.first()).is_ok();
        self.mesh = if agents.iter().all(is_known) { mesh.clone() } else { NavMesh::default() };
        (self.steps, self.agents, self.free, self.discs) = (steps, agents, free, discs);
        self.searches = searches;
        Ok(())
    }

    fn check_stored(
        &self,
        agents: &[Agent],
        free: &[u32],
        discs: &[MovingDisc],
        from: &Reader<'_>,
    ) -> Result<(), CrowdError> {
        for agent in agents {
            agent.params.check()?;
            self.filter(agent.params.filter)?;
            if !agent.stalled.is_finite() || !agent.until_review.is_finite() {
                return from.fail("an infinite time");
            }
        }
        discs.iter().try_for_each(MovingDisc::check)?;
        let mut is_free: Vec<bool> = agents.iter().map(|agent| !agent.is_there).collect();
        for index in free {
            match is_free.get_mut(*index as usize) {
                Some(is_free) if *is_free => *is_free = false,
                _ => return from.fail("a free place that is taken"),
            }
        }
        if is_free.contains(&true) { from.fail("a place that is neither taken nor free") } else { Ok(()) }
    }
}
