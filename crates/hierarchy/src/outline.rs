//! The outlines of clusters, which tell whether a cluster has really changed.

use crate::block::{Crossing, Jump};
use crate::grid::ClusterCoord;
use crate::level::{Door, DoorId, Level};
use std::collections::{BTreeMap, BTreeSet};

/// All of a cluster that paths over it and the level above depend on.
#[derive(Debug, PartialEq)]
pub(crate) struct Outline {
    crossings: Vec<(u8, Crossing)>,
    jumps: Vec<Jump>,
    /// The numbers of its doors that are shut.
    shut: Vec<u32>,
    /// Its packed costs.
    costs: Vec<Vec<u16>>,
}

impl Level {
    fn outline(&self, coord: ClusterCoord) -> Option<Outline> {
        let cluster = self.find(coord)?;
        let (mut crossings, mut jumps) = (Vec::new(), Vec::new());
        for door in self.doors(cluster) {
            match door {
                Door::Crossing(on, _, crossing) => crossings.push((on, *crossing)),
                // Numbers of jumps change whenever one is added anywhere.
                Door::Exit(_, jump) | Door::Entry(_, jump) => jumps.push(Jump { below: 0, ..jump.clone() }),
            }
        }
        let doors = 0..self.door_count(cluster) as u32;
        let shut = doors.filter(|&door| self.is_shut(DoorId { cluster, door })).collect();
        Some(Outline { crossings, jumps, shut, costs: self.all_costs(cluster) })
    }

    /// The outlines of those clusters that exist.
    pub(crate) fn outlines(&self, clusters: &BTreeSet<ClusterCoord>) -> BTreeMap<ClusterCoord, Outline> {
        clusters.iter().filter_map(|coord| Some((*coord, self.outline(*coord)?))).collect()
    }

    /// The clusters whose outlines differ from earlier ones.
    pub(crate) fn changed_since(
        &self,
        before: &BTreeMap<ClusterCoord, Outline>,
        clusters: &BTreeSet<ClusterCoord>,
    ) -> BTreeSet<ClusterCoord> {
        let is_changed = |coord: &ClusterCoord| match before.get(coord) {
            Some(before) => self.outline(*coord).as_ref() != Some(before),
            None => self.find(*coord).is_some(),
        };
        clusters.iter().copied().filter(is_changed).collect()
    }
}
