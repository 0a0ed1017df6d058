//! Errors of a crowd.

use crate::ids::{AgentId, ExitsId, FieldId, GroupId};
use detour::QueryError;
use std::ops::RangeInclusive;
use thiserror::Error;

/// An error of a call. The crowd is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CrowdError {
    /// The agent was removed, or the handle belongs to another crowd.
    #[error("there is no agent {0}: it was removed, or belongs to another crowd")]
    NoAgent(AgentId),
    /// The field was removed, or the handle belongs to another crowd.
    #[error("there is no field {0}: it was removed, or belongs to another crowd")]
    NoField(FieldId),
    /// The exits were removed, or the handle belongs to another crowd.
    #[error("there are no exits {0}: they were removed, or belong to another crowd")]
    NoExits(ExitsId),
    /// The group was dissolved, or the handle belongs to another crowd.
    #[error("there is no group {0}: it was dissolved, or belongs to another crowd")]
    NoGroup(GroupId),
    /// The agent is already in a group, or was named twice.
    #[error("agent {0} is already in a group: call Crowd::leave_group first")]
    InGroup(AgentId),
    /// The agent was sent to its slot, but is not a follower in that group.
    #[error("agent {agent} is not a follower in group {group}: add it with Crowd::join")]
    NoFollower {
        /// The agent.
        agent: AgentId,
        /// The group.
        group: GroupId,
    },
    /// The group has no room for another follower.
    #[error("a group has at most 255 followers")]
    TooManyFollowers,
    /// The agent and the field that it was to follow have different filters.
    #[error(
        "agent {agent} has filter {own}, but field {field} has filter {given}: add a field for each filter"
    )]
    OtherFilter {
        /// The agent.
        agent: AgentId,
        /// Its filter.
        own: u8,
        /// The field.
        field: FieldId,
        /// The field's filter.
        given: u8,
    },
    /// The agent and the exits that it was to choose among have different filters.
    #[error(
        "agent {agent} has filter {own}, but exits {exits} have filter {given}: add exits for each filter"
    )]
    ExitsOfOtherFilter {
        /// The agent.
        agent: AgentId,
        /// Its filter.
        own: u8,
        /// The exits.
        exits: ExitsId,
        /// The filter of the exits.
        given: u8,
    },
    /// A number that is out of its range, or not a number.
    #[error("{name} is {value}: it must be from {least} to {most}{unit}")]
    OutOfRange {
        /// Its name.
        name: &'static str,
        /// The number.
        value: f32,
        /// The smallest allowed value.
        least: f32,
        /// The largest allowed value.
        most: f32,
        /// Its unit, with a space before.
        unit: &'static str,
    },
    /// A position or a velocity with a coordinate that is infinite or not a number.
    #[error("{name} is {x}, {y}, {z}: it must be finite")]
    NotFinite {
        /// Its name.
        name: &'static str,
        /// Its coordinates.
        x: f32,
        /// Height.
        y: f32,
        /// Depth.
        z: f32,
    },
    /// The crowd has no filter with this number.
    #[error("there is no filter {given}: the crowd has {count}; add it with Crowd::add_filter")]
    NoFilter {
        /// The number that was given.
        given: u8,
        /// Number of filters in the crowd.
        count: usize,
    },
    /// The crowd was saved with another filter in this place.
    #[error(
        "filter {filter} differs from the saved one in flags, areas, costs or speeds: add the same filters, in the same order"
    )]
    FilterChanged {
        /// Its number, in the order of [`Crowd::add_filter`](crate::Crowd::add_filter).
        filter: u8,
    },
    /// The crowd has no room for another filter.
    #[error("a crowd has at most 256 filters")]
    TooManyFilters,
    /// The crowd has no room for another agent.
    #[error("a crowd has at most {} agents", u32::MAX)]
    TooManyAgents,
    /// The bytes are not a valid stored crowd.
    #[error("byte {at} of the stored crowd: {problem}")]
    Stored {
        /// Offset of the fault, bytes.
        at: usize,
        /// The fault.
        problem: &'static str,
    },
    /// A query of the mesh failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Rejects a number outside its range.
pub(crate) fn check_range(
    name: &'static str,
    value: f32,
    range: RangeInclusive<f32>,
    unit: &'static str,
) -> Result<(), CrowdError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(CrowdError::OutOfRange { name, value, least, most, unit })
}

/// The largest coordinate of a position, metres from the mesh's anchor along an axis. No mesh reaches that
/// far, and the fourth power of it is finite.
pub(crate) const FARTHEST: f32 = 1e9;

/// Rejects positions that are not finite, or farther away than any mesh reaches.
pub(crate) fn check_position(name: &'static str, v: detour::Vec3) -> Result<(), CrowdError> {
    check_position_within(name, v, FARTHEST)
}

/// Rejects positions that are not finite, or farther than `most` metres from the anchor along an axis.
pub(crate) fn check_position_within(
    name: &'static str,
    v: detour::Vec3,
    most: f32,
) -> Result<(), CrowdError> {
    check_finite(name, v)?;
    v.to_array().into_iter().try_for_each(|along| check_range(name, along, -most..=most, " m"))
}

/// Rejects vectors that are not finite.
fn check_finite(name: &'static str, v: detour::Vec3) -> Result<(), CrowdError> {
    if v.is_finite() {
        return Ok(());
    }
    Err(CrowdError::NotFinite { name, x: v.x, y: v.y, z: v.z })
}

/// Rejects velocities beyond any plausible speed.
pub(crate) fn check_velocity(name: &'static str, v: detour::Vec3) -> Result<(), CrowdError> {
    check_finite(name, v)?;
    check_range(name, v.length(), 0.0..=1e6, " m/s")
}
