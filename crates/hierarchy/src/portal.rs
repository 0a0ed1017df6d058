//! Portals between clusters, which a game can close: a bridge that is down, a gate, an elevator.
//!
//! A closed portal is a state of the run, like the flags of a mesh. The first level does not pass it, and
//! the levels above are those of a world without it: no crossing there represents a closed one.

use crate::Hierarchy;
use crate::block::{Crossing, Jump};
use crate::grid::{ClusterCoord, world};
use crate::level::{DoorId, Level};
use navmath::FIXED_ONE;
use navtile::layout::side;
use std::collections::BTreeSet;

/// A connection between two clusters. It stays valid while the tiles at its ends stay as they are, whatever
/// else changes, and after [`Hierarchy::from_bytes`]. One that a hierarchy does not have has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Portal {
    /// A part of the open border between two clusters. Parts at one place are one portal.
    Border {
        /// The clusters; the second is at larger x or at larger z.
        clusters: [ClusterCoord; 2],
        /// The place of its middle along the border, from the start of the clusters' side, 1/16 cell.
        along: u16,
        /// The height of its middle, 1/256 cell height from the lattice's zero.
        height: i32,
    },
    /// An off-mesh link, in both directions if it has two.
    Link {
        /// The clusters where it starts and ends.
        clusters: [ClusterCoord; 2],
        /// The places where it starts and ends on the lattice: x, height, z; 1/256 cell.
        places: [[i64; 3]; 2],
    },
}

impl Portal {
    /// The clusters that it connects.
    pub fn clusters(&self) -> [ClusterCoord; 2] {
        match *self {
            Portal::Border { clusters, .. } | Portal::Link { clusters, .. } => clusters,
        }
    }

    fn of_crossing(cluster: ClusterCoord, on: u8, crossing: &Crossing) -> Portal {
        let Crossing { along, height, .. } = *crossing;
        Portal::Border { clusters: [cluster, cluster.across(on)], along, height }
    }

    fn of_jump(jump: &Jump) -> Portal {
        let (mut clusters, mut places) = (jump.clusters, jump.places);
        if jump.backwards {
            clusters.reverse();
            places.reverse();
        }
        Portal::Link { clusters, places }
    }

    /// The side of the first cluster that the border is on.
    fn side(&self) -> u8 {
        let [one, two] = self.clusters();
        if one.across(side::X_MAX) == two { side::X_MAX } else { side::Z_MAX }
    }
}

impl Level {
    /// The doors of a portal, in both clusters. This is the first level.
    fn doors_of(&self, portal: &Portal) -> Vec<DoorId> {
        let mut doors = Vec::new();
        let [one, two] = portal.clusters().map(|coord| self.find(coord));
        let (Some(one), Some(two)) = (one, two) else { return doors };
        if matches!(portal, Portal::Border { .. }) {
            let on = portal.side();
            let coord = self.coord(one);
            for (number, crossing) in (0..).zip(self.border(one, on)) {
                if Portal::of_crossing(coord, on, crossing) == *portal {
                    let door = |cluster: u32, on: u8| self.first_on(cluster, on) + number;
                    doors.push(DoorId { cluster: one, door: door(one, on) });
                    doors.push(DoorId { cluster: two, door: door(two, on ^ 2) });
                }
            }
        } else {
            for number in self.exits(one).chain(self.exits(two)) {
                if Portal::of_jump(&self.jumps[number as usize]) == *portal {
                    doors.extend([0, 1].iter().filter_map(|end| self.jump_end(number, *end)));
                }
            }
        }
        doors
    }

    /// All portals of the first level, in order. Several jumps may share one portal.
    fn portals(&self) -> BTreeSet<Portal> {
        let of_cluster = |cluster: u32| {
            let of_side = move |on: u8| {
                let coord = self.coord(cluster);
                let crossings = self.border(cluster, on).iter();
                crossings.map(move |crossing| Portal::of_crossing(coord, on, crossing))
            };
            [side::X_MAX, side::Z_MAX].into_iter().flat_map(of_side)
        };
        self.clusters().flat_map(of_cluster).chain(self.jumps.iter().map(Portal::of_jump)).collect()
    }
}

impl Hierarchy {
    /// The portals in a box, both corners in world metres: the parts of borders that reach into it, and the
    /// off-mesh links between clusters that start or end in it. A part of a border counts with the height of
    /// its middle, so a box around a gate on a slope should be a few metres high. Looks at all portals.
    pub fn portals_in(&self, min: [f64; 3], max: [f64; 3]) -> Vec<Portal> {
        let is_in = |portal: &Portal| {
            let Some((ends, reach)) = self.extent(portal) else { return false };
            let overlaps = |one: [f64; 3], two: [f64; 3]| {
                (0..3).all(|axis| {
                    let reach = if axis == 1 { 0.0 } else { reach };
                    one[axis].min(two[axis]) - reach <= max[axis]
                        && one[axis].max(two[axis]) + reach >= min[axis]
                })
            };
            match portal {
                Portal::Border { .. } => overlaps(ends[0], ends[1]),
                Portal::Link { .. } => ends.iter().any(|end| overlaps(*end, *end)),
            }
        };
        self.levels[0].portals().into_iter().filter(is_in).collect()
    }

    /// The ends of a portal, world metres: of the part of a border, both at the height of its middle, or of
    /// an off-mesh link. `None` if there is no such portal.
    pub fn portal_ends(&self, portal: &Portal) -> Option<[[f64; 3]; 2]> {
        self.extent(portal).map(|(ends, _)| ends)
    }

    /// The ends of a portal, and half the width of a link, metres.
    fn extent(&self, portal: &Portal) -> Option<([[f64; 3]; 2], f64)> {
        let Hierarchy { grid, lattice, levels, .. } = self;
        let [one, _] = portal.clusters();
        let cluster = levels[0].find(one)?;
        match *portal {
            Portal::Border { along, height, .. } => {
                let on = portal.side();
                let mut crossings = levels[0].border(cluster, on).iter();
                let found = crossings.find(|crossing| Portal::of_crossing(one, on, crossing) == *portal)?;
                let last = (grid.side(0) / grid.step(0)) as u16;
                let ends = [along.saturating_sub(found.reach), along.saturating_add(found.reach).min(last)];
                Some((ends.map(|at| world(lattice, grid.place_on(one, 0, on, at, height))), 0.0))
            }
            Portal::Link { places, .. } => {
                let door = *levels[0].doors_of(portal).first()?;
                let reach = f64::from(levels[0].door(door)?.jump()?.reach);
                let metres = reach / f64::from(FIXED_ONE) * lattice.cell_size;
                Some((places.map(|place| world(lattice, place)), metres))
            }
        }
    }

    /// The portals that are closed.
    pub fn closed(&self) -> &BTreeSet<Portal> {
        &self.closed
    }

    /// Closes these portals and opens all others. Plans do not lead over a closed portal, and their bounds
    /// are those of a world without it; the larger clusters around the portals that changed are computed
    /// again, which needs no tiles. [`Hierarchy::update`] keeps the set, also portals that do not exist at
    /// the moment. [`Hierarchy::to_bytes`] writes the hierarchy with all portals open.
    ///
    /// Returns the clusters of the first level whose portals were closed or opened, for
    /// [`FarRoute::needs_replan`](crate::FarRoute::needs_replan). Routes are still valid.
    pub fn set_closed(&mut self, closed: BTreeSet<Portal>) -> BTreeSet<ClusterCoord> {
        let differ = self.closed.symmetric_difference(&closed);
        let around: BTreeSet<ClusterCoord> = differ.flat_map(Portal::clusters).collect();
        let before = self.levels[0].outlines(&around);
        self.closed = closed;
        self.shut_doors();
        let changed = self.levels[0].changed_since(&before, &around);
        self.raise(&changed);
        changed
    }

    /// Shuts the doors of the closed portals, and no others.
    pub(crate) fn shut_doors(&mut self) {
        let level = &mut self.levels[0];
        let doors: BTreeSet<DoorId> = self.closed.iter().flat_map(|portal| level.doors_of(portal)).collect();
        level.shut = doors.into_iter().collect();
    }
}
