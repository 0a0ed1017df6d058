//! Which of two agents goes first, and which makes room.

use crate::agent::{Agent, Ahead, JAMMED, drawn};
use crate::bodies::RightOfWay;
use glam::{Vec2, Vec3Swizzles};

/// A stream in a jam goes first for this time while others wait. Then it is the turn of the others. Seconds.
const TURN: f32 = 30.0;
/// The bit of a rank for agents in the right half of a passage.
pub(crate) const LANE: u32 = 1 << 30;
/// Reciprocal of a square's side, per metre. Corners in the same square count as one.
const PER_CORNER: f32 = 0.5;

impl Agent {
    /// Computes its right of way.
    pub(crate) fn right_of_way(&self, epoch: u32) -> RightOfWay {
        let (was_in_jam, is_on_passage) = (self.in_jam > 0.0, self.passage().is_some());
        let away = |ahead: Ahead| ahead.corner.xz().distance(self.corridor.position().xz());
        let to_corner = self.ahead.map_or(f32::INFINITY, away);
        RightOfWay {
            yielding: if is_on_passage { 0.0 } else { self.yielding(to_corner) },
            priority: self.params.priority,
            rank: if is_on_passage { u32::MAX } else { self.rank(to_corner, epoch) },
            claims: was_in_jam || self.forwarded_claim.is_some() || is_on_passage,
            yields: was_in_jam || self.progress.stalled > JAMMED * 0.5 || self.is_still(),
            push: self.push(),
            corner: self.ahead.map_or(Vec2::INFINITY, |ahead| ahead.corner.xz()),
            onward: self.onward(),
            claimed: self.claimed,
        }
    }

    /// Push direction: its own preferred velocity, or that of the agent whose claim it forwards. On a
    /// passage, the direction of the passage.
    pub(crate) fn push(&self) -> Vec2 {
        if let Some(passage) = self.passage() {
            return passage.direction() * self.params.max_speed;
        }
        self.forwarded_claim.map_or(self.preferred, |claim| claim.push)
    }

    /// The direction in which it continues after its next corner, if it knows its path that far. Not
    /// normalized.
    fn onward(&self) -> Vec2 {
        let after = self.ahead.and_then(|ahead| Some(ahead.after? - ahead.corner.xz()));
        after.unwrap_or(self.preferred)
    }

    /// Its rank in a jam. An agent that does not walk has the lowest rank. The epoch puts the corners that
    /// agents walk to in a random order. Agents on the way to the same corner therefore move together, and
    /// the agent nearest to the corner moves first.
    fn rank(&self, to_corner: f32, epoch: u32) -> u32 {
        let forwarded = self.forwarded_claim.map_or(0, |claim| claim.rank);
        if self.is_still() {
            return forwarded;
        }
        let drawn = match self.ahead {
            Some(ahead) => {
                let [x, y] = (ahead.corner.xz() * PER_CORNER).to_array().map(|along| along as i32 as u32);
                drawn(x.wrapping_mul(0x9e37_79b9) ^ y, epoch)
            }
            None => drawn(self.number, epoch),
        };
        // From the highest bits: leaders, lanes, the turns that the claim has had, its age in this turn, the
        // corner, the distance from it, and 3 bits for how often a claim is forwarded.
        let drawn = drawn & 0xff;
        let turns = (self.claimed / TURN).min(7.0) as u32;
        let age = ((self.claimed - turns as f32 * TURN) * 8.0).min(255.0) as u32;
        let near = 255 - (to_corner * PER_CORNER * 32.0).min(255.0) as u32;
        // In a few draws lanes do not count, because the other may be unable to leave.
        let lane = if self.in_lane && drawn & 15 != 0 { LANE } else { 0 };
        // Leaders outrank others in three of four draws, because their followers may block them.
        let leads = if self.pace() < f32::INFINITY && drawn & 3 != 0 { 1 << 31 } else { 0 };
        ((7 - turns) << 27 | age << 19 | drawn << 11 | near << 3 | 1 | lane | leads).max(forwarded)
    }

    /// Willingness to yield to others. Agents near their next corner yield least, and agents that keep still
    /// yield most.
    fn yielding(&self, to_corner: f32) -> f32 {
        if self.is_kinematic {
            return 0.0;
        }
        if self.is_still() {
            return 3.0;
        }
        // Two agents that meet head on must differ.
        let own = (self.number.wrapping_mul(0x9e37_79b9) >> 24) as f32 / 1024.0;
        0.5 + own + to_corner.min(4.0) * 0.25
    }
}
