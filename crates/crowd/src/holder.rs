//! A body that may hold a passage.

use crate::error::{CrowdError, check_position, check_range};
use crate::stored::{Reader, Stored};
use detour::{Filter, NavMesh, Query, Ray, Vec3};
use glam::Vec3Swizzles;

/// Seconds for which a body must have kept still.
const STILL: f32 = 1.0;
/// A body that has moved by no more than this part of its radius has kept still.
const SAME: f32 = 0.25;
/// Number of directions in which the ground around a body is examined.
const DIRECTIONS: u32 = 16;

/// A body that may hold a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Holder {
    /// The number of its agent, or [`NONE`](crate::bodies::NONE) for a disc: discs have no numbers that stay.
    owner: u32,
    pub(crate) at: Vec3,
    pub(crate) radius: f32,
    pub(crate) height: f32,
    /// Seconds for which it has kept still.
    still: f32,
    /// True if it holds a passage.
    pub(crate) holds: bool,
}

/// The bodies that may hold passages: agents in the order of their numbers, then discs.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    pub(crate) list: Vec<Holder>,
    /// The list of the look before. Scratch memory.
    pub(crate) before: Vec<Holder>,
}

impl Holders {
    /// Begins another list; the present one is the list of the look before.
    pub(crate) fn begin(&mut self) {
        std::mem::swap(&mut self.list, &mut self.before);
        self.list.clear();
    }

    /// Adds a body. It continues to keep still, `elapsed` seconds longer, if it did so at the look before.
    pub(crate) fn add(&mut self, owner: u32, at: Vec3, [radius, height]: [f32; 2], elapsed: f32) {
        let own = Holder { owner, at, radius, height, still: 0.0, holds: false };
        let first = self.before.partition_point(|other| other.owner < owner);
        let is_same = |old: &&Holder| {
            old.at.distance(at) <= radius * SAME && (old.radius, old.height) == (radius, height)
        };
        let old = self.before[first..].iter().take_while(|old| old.owner == owner).find(is_same);
        self.list
            .push(old.map_or(own, |old| Holder { still: (old.still + elapsed).min(STILL * 2.0), ..*old }));
    }

    /// Returns true if the same bodies keep still at the same places as at the look before.
    pub(crate) fn are_as_before(&self) -> bool {
        let place =
            |holder: &Holder| (holder.owner, holder.at.to_array().map(f32::to_bits), holder.is_still());
        self.list.iter().map(place).eq(self.before.iter().map(place))
    }

    /// Finds the bodies that hold passages for agents of this radius.
    pub(crate) fn judge(&mut self, mesh: &NavMesh, radius: f32, query: &mut Query) {
        let still: Vec<Holder> = self.list.iter().copied().filter(Holder::is_still).collect();
        for holder in &mut self.list {
            holder.holds = holder.is_still() && holder.parts_ground(mesh, radius, &still, query);
        }
    }
}

impl Holder {
    fn is_still(&self) -> bool {
        self.still >= STILL
    }

    /// Its position and radius, as bits.
    pub(crate) fn place(&self) -> [u32; 4] {
        [self.at.x, self.at.y, self.at.z, self.radius].map(f32::to_bits)
    }

    /// Returns true if the body parts the ground around it: an agent next to it can leave in several
    /// directions, but cannot get from one to another past the body. `radius` is that of agents, and `others`
    /// are all bodies that keep still.
    fn parts_ground(&self, mesh: &NavMesh, radius: f32, others: &[Holder], query: &mut Query) -> bool {
        let (reach, all, mut ray) = (self.radius + radius, Filter::default(), Ray::default());
        let half_extents = Vec3::new(self.radius, self.height.max(1.0), self.radius);
        let Ok(near) = query.nearest(mesh, self.at, half_extents, &all) else { return false };
        let place = near.place();
        let mut is_open = |number: u32| {
            let angle = number as f32 / DIRECTIONS as f32 * std::f32::consts::TAU;
            let to = place.point + Vec3::new(libm::cosf(angle), 0.0, libm::sinf(angle)) * reach;
            let is_taken = |other: &Holder| {
                let apart = other.at - to;
                let is_level = apart.y.abs() < self.height.max(other.height);
                other.place() != self.place() && is_level && apart.xz().length() < other.radius + radius
            };
            query.raycast(mesh, place, to, &all, &mut ray).is_ok()
                && ray.is_clear()
                && !others.iter().any(is_taken)
        };
        let mut was_open = is_open(DIRECTIONS - 1);
        let begins = |number: u32| {
            let opens = is_open(number);
            let opened_before = std::mem::replace(&mut was_open, opens);
            opens && !opened_before
        };
        (0..DIRECTIONS).map(begins).filter(|begins| *begins).count() >= 2
    }
}

impl Stored for Holder {
    fn write(&self, out: &mut Vec<u8>) {
        self.owner.write(out);
        self.at.write(out);
        [self.radius, self.height, self.still].iter().for_each(|value| value.write(out));
        self.holds.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (owner, at) = Stored::read(from)?;
        let (radius, (height, still)) = Stored::read(from)?;
        check_position("the position of a body that keeps still", at)?;
        check_range("the radius of a body that keeps still", radius, 0.0..=100.0, " m")?;
        check_range("the height of a body that keeps still", height, 0.0..=100.0, " m")?;
        check_range("the time of a body that keeps still", still, 0.0..=STILL * 2.0, " s")?;
        Ok(Holder { owner, at, radius, height, still, holds: Stored::read(from)? })
    }
}
