//! Bounds on heights, common to all profiles, that decide which columns the search for links examines and
//! which end it.

use crate::profile::Reach;
use crate::sweep::LinkBody;
use navtile::LinkKind;
use recast::inside::ground::{CutRange, GroundColumn};

/// Heights above and below the floor that rays start from.
pub(super) struct Wanted {
    /// The columns that no link can cross: those with a span whose bottom is lower than the first height and
    /// whose top is higher than the second. With the profiles that this holds for, one bit each.
    stops: Vec<([i32; 2], u64)>,
    /// Bounds of these heights: no other column stops any link.
    stop: [i32; 2],
    /// The lowest and the highest floors that jumps end on.
    jumps: [i32; 2],
    /// The lowest and the highest floors below drops, climbs and ladders.
    falls: [i32; 2],
}

/// The empty range.
const NOTHING: [i32; 2] = [i32::MAX, i32::MIN];

impl Wanted {
    pub(super) fn new(reaches: &[Reach], body: &LinkBody) -> Wanted {
        let mut stops: Vec<([i32; 2], u64)> = Vec::new();
        let joined = |[a, b]: [i32; 2], [c, d]: [i32; 2]| [a.min(c), b.max(d)];
        let (mut jumps, mut falls) = (NOTHING, NOTHING);
        for (profile, reach) in reaches.iter().enumerate() {
            let stop = reach.stops(body);
            // There are at most 64 profiles.
            match stops.iter_mut().find(|(other, _)| *other == stop) {
                Some((_, profiles)) => *profiles |= 1 << profile,
                None => stops.push((stop, 1 << profile)),
            }
            let [first, second] = reach.height;
            match reach.kind {
                LinkKind::Jump => jumps = joined(jumps, [-first, second]),
                LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => {
                    falls = joined(falls, [-second, -first])
                }
            }
        }
        let stop = stops
            .iter()
            .fold([i32::MIN, i32::MAX], |[a, b], ([below, above], _)| [a.max(*below), b.min(*above)]);
        Wanted { stops, stop, jumps, falls }
    }

    /// Returns the profiles, among those given, that a column stops as seen from a floor of a height. `meets`
    /// returns true if a span of the column is between two heights.
    pub(super) fn stopped(&self, profiles: u64, height: i32, meets: impl Fn(i32, i32) -> bool) -> u64 {
        let at = |height_above: i32| height.saturating_add(height_above);
        let stop = |([below, above], of): &([i32; 2], u64)| {
            let stopped = profiles & of;
            if stopped != 0 && meets(at(*above), at(*below)) { stopped } else { 0 }
        };
        self.stops.iter().fold(0, |all, group| all | stop(group))
    }

    /// The bounds seen from a floor of a height.
    #[inline]
    pub(super) fn from(&self, height: i32) -> Fits {
        let at = |bounds: [i32; 2]| bounds.map(|bound| height.saturating_add(bound));
        let [below, above] = at(self.stop);
        Fits {
            stop: CutRange::between(above, below),
            jumps: CutRange::through(at(self.jumps)),
            falls: CutRange::through(at(self.falls)),
        }
    }
}

/// The bounds as seen from one floor.
#[derive(Clone, Copy)]
pub(super) struct Fits {
    stop: CutRange,
    jumps: CutRange,
    falls: CutRange,
}

impl Fits {
    /// Returns true if a column may stop the links of any profile.
    #[inline]
    pub(super) fn may_stop(&self, column: &GroundColumn) -> bool {
        column.may_meet(self.stop)
    }

    /// Returns true if a link of any profile may end in a column; a jump only if the ground ends on one of
    /// the sides `behind`.
    #[inline]
    pub(super) fn may_end(&self, column: &GroundColumn, behind: u32) -> bool {
        column.may_have_floors(self.falls) || (column.ends_on(behind) && column.may_have_floors(self.jumps))
    }
}

impl Reach {
    /// The heights above a floor that define the columns that stop all links from it: such a column has a
    /// span whose bottom is lower than the first height and whose top is higher than the second.
    fn stops(&self, body: &LinkBody) -> [i32; 2] {
        match self.kind {
            LinkKind::Jump => {
                // The feet are between these heights on each arc, or on steps around its ends.
                let [down, up] = self.height;
                [body.height - down, self.highest().max(up + body.climb)]
            }
            // The body walks level; steps that its feet pass over do not count.
            LinkKind::Drop | LinkKind::Climb => [body.height, body.climb],
            // A ladder may reach above the floor that it leads to.
            LinkKind::Ladder => [i32::MIN, i32::MAX],
        }
    }
}
