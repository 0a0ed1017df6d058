//! The reach of a candidate: distances, as seen from above, to everything that decides about it.

use crate::profile::Reach;
use recast::PreparedLevel;

/// Distances to the surroundings that a candidate depends on, cells as seen from above.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkReach {
    /// Ground that decides if it is a candidate.
    pub(super) found: u32,
    /// Ground, candidates and links that decide if it is kept; at least as large as the others.
    pub(super) judged: u32,
    /// From its start to its end.
    pub(super) across: u32,
}

impl LinkReach {
    pub(super) fn new(level: &PreparedLevel) -> LinkReach {
        let config = &level.config;
        let cell = [config.settings.cell_size, config.settings.cell_height];
        let mut all = LinkReach { found: 0, judged: 0, across: 0 };
        for reach in config.settings.links.iter().map(|profile| Reach::new(profile, config)) {
            let distance2 = (*reach.distance2.end()).max(0);
            let across = distance2.isqrt().unsigned_abs();
            let up = f64::from(reach.height[0].max(reach.height[1]));
            let longest = (cell[0] * cell[0] * f64::from(distance2) + cell[1] * cell[1] * up * up).sqrt();
            // A path over what is near leads from the start to the end and is no longer than this. With the
            // link back it is a round trip, so it stays within half of that from the start. Of two paths that
            // `spacing` allows, one begins at the end.
            let round = reach.longest_way(longest, cell[0]) / 10 + 2 + across;
            let beside = 2 * reach.spacing / 10 + 1 + across;
            // The sweep and the straight path on foot are both between its ends.
            let swept = across + level.config.walkable_radius.unsigned_abs();
            let found = swept + 2;
            all.across = all.across.max(across);
            all.judged = all.judged.max(round.div_ceil(2).max(beside) + 1).max(found);
            all.found = all.found.max(found);
        }
        all
    }

    /// Ground around a square whose candidates are judged: those within its reach are judged too.
    pub(super) fn window(&self) -> u32 {
        2 * self.judged + self.found
    }
}
