//! A profile of links in cells. Units: cells, cells of height, 1/256 cell of height; paths in tenths of a
//! cell.

use navmath::FIXED_ONE;
use navmath::lattice::snap_quotient;
use navtile::LinkKind;
use recast::settings::{Config, LinkProfile, MOST_CELLS, MOST_HEIGHT_CELLS};
use std::ops::RangeInclusive;

/// A profile, quantised: it never allows more in cells than in metres.
pub(super) struct Reach {
    pub(super) kind: LinkKind,
    pub(super) both_ways: bool,
    /// Squared distance between start and end as seen from above.
    pub(super) distance2: RangeInclusive<i32>,
    /// The least and the largest height of a drop or a climb; for a jump, the largest height down and up.
    pub(super) height: [i32; 2],
    arc: JumpArc,
    /// A link is redundant if a path on foot is at most this many times its length.
    pub(super) worth: f64,
    /// Distance between links of the profile, tenths of a cell.
    pub(super) spacing: u32,
}

/// The measures that determine an arc.
enum JumpArc {
    /// Rise above its higher end, 1/256 cell of height.
    Rise(i64),
    /// The squared speed of take-off, m²/s²; gravity, m/s²; and the sides of a cell, metres.
    Thrown { speed2: f64, gravity: f64, cell: [f64; 2] },
}

impl Reach {
    pub(super) fn new(profile: &LinkProfile, config: &Config) -> Reach {
        let LinkProfile { kind, height, arc, speed, gravity, both_ways, worth, spacing, .. } = *profile;
        let settings = &config.settings;
        let (cell, radius) = ([settings.cell_size, settings.cell_height], config.walkable_radius);
        let distance = profile.used_distance(settings.agent_radius, settings.cell_size);
        // On either side the mesh keeps away from ledges by the radius and the cell that overhangs, and a
        // link begins in the middle of the next cell.
        let margin = 2.0 * f64::from(radius) + 3.0;
        let [least_across, most_across] =
            distance.map(|metres| (snap_quotient(metres / cell[0]).min(MOST_CELLS) + margin).powi(2));
        let least_across = if distance[0] > 0.0 { least_across } else { 1.0 };
        let up = height.map(|metres| snap_quotient(metres / cell[1]).min(MOST_HEIGHT_CELLS));
        let least = match kind {
            LinkKind::Jump => up[0].floor(),
            LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => up[0].ceil().max(1.0),
        };
        // From here on, whole numbers below 2^20.
        Reach {
            kind,
            both_ways,
            distance2: least_across.ceil() as i32..=most_across.floor() as i32,
            height: [least as i32, up[1].floor() as i32],
            arc: match speed {
                None => JumpArc::Rise((arc / cell[1] * f64::from(FIXED_ONE)).ceil() as i64),
                Some(speed) => JumpArc::Thrown { speed2: speed * speed, gravity, cell },
            },
            worth,
            spacing: (snap_quotient(spacing / cell[0]) * 10.0).floor().min(1e9) as u32,
        }
    }

    /// Returns true if all its links are bidirectional, so that no link is possible in one direction only.
    pub(super) fn is_symmetric(&self) -> bool {
        let is_same_back = matches!(self.arc, JumpArc::Rise(_)) && self.height[0] == self.height[1];
        self.kind == LinkKind::Jump && self.both_ways && is_same_back
    }

    /// Height of the arc above the straight line at its middle, 1/256 cell of height, for a jump of `up`
    /// cells of height over a squared distance of `across2` cells. `None` if the speed is too low for it.
    pub(super) fn bow(&self, up: i32, across2: i32) -> Option<i64> {
        match self.arc {
            JumpArc::Rise(rise) => {
                // The highest point is `rise` above the higher end if the bow is
                // (√rise + √(rise + |up|))² / 4.
                let up = i64::from(up) * i64::from(FIXED_ONE);
                let root = (rise as f64).sqrt() + ((rise + up.abs()) as f64).sqrt();
                Some((root * root / 4.0).ceil() as i64)
            }
            JumpArc::Thrown { speed2, gravity, cell } => {
                let (up, across2) = (f64::from(up) * cell[1], f64::from(across2) * cell[0] * cell[0]);
                // The shorter time t in the air that solves across² + (up + g t² / 2)² = speed² t².
                let half = speed2 - up * gravity;
                let inner = half * half - gravity * gravity * (across2 + up * up);
                if half <= 0.0 || inner < 0.0 {
                    return None;
                }
                let time2 = 2.0 * (half - inner.sqrt()) / (gravity * gravity);
                // An agent never takes off downwards: then it takes off slower, and level.
                let bow = (gravity * time2 / 8.0).max(-up / 4.0);
                Some((bow / cell[1] * f64::from(FIXED_ONE)).ceil() as i64)
            }
        }
    }

    /// The greatest height of a jump's feet above its start, cells.
    pub(super) fn highest(&self) -> i32 {
        match self.arc {
            JumpArc::Rise(rise) => self.height[1] + (rise as f64 / f64::from(FIXED_ONE)).ceil() as i32,
            JumpArc::Thrown { speed2, gravity, cell } => {
                self.height[1].max((speed2 / (2.0 * gravity) / cell[1]).ceil() as i32 + 1)
            }
        }
    }

    /// The longest path on foot that makes a link redundant, tenths of a cell. `length` is that of the link,
    /// metres.
    pub(super) fn longest_way(&self, length: f64, cell_size: f64) -> u32 {
        tenths(self.worth * length, cell_size)
    }

    /// Returns true if a jump may lead this far up, or down if negative.
    #[inline]
    pub(super) fn jumps(&self, up: i32) -> bool {
        (-self.height[0]..=self.height[1]).contains(&up)
    }

    /// Returns true if a drop or a climb may be this high.
    #[inline]
    pub(super) fn falls(&self, down: i32) -> bool {
        (self.height[0]..=self.height[1]).contains(&down)
    }
}

/// Metres in tenths of a cell, rounded down.
pub(super) fn tenths(metres: f64, cell_size: f64) -> u32 {
    (metres / cell_size * 10.0).floor().min(1e9) as u32
}
