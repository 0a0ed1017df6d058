//! Decides which area counts if surfaces are within one climb of each other.
//!
//! Spans are merged by comparing numbers, and the higher one wins (stage 2). The stages from rasterizing to
//! the compact field work with ranks instead of ids, so that the area with the higher priority wins, not the
//! one with the higher id.

use super::Settings;
use navmath::sort::SharedSort;
use navtile::area::AreaId;

/// The areas of a bake from the weakest to the strongest.
#[derive(Clone, Debug)]
pub struct AreaOrder {
    /// The rank of each id.
    ranks: [AreaId; 256],
    /// The id of each rank.
    ids: [AreaId; 256],
}

impl AreaOrder {
    /// Sorts areas by priority. Of equals, ground is the weakest, then the lower id.
    pub fn new(settings: &Settings) -> AreaOrder {
        let mut priorities = [0; 256];
        for area in &settings.areas {
            priorities[usize::from(area.id.0)] = area.priority;
        }
        let mut ids: [AreaId; 256] = std::array::from_fn(|id| AreaId(id as u8));
        // The order without priorities, which is final if nothing is left to sort.
        ids[1..=usize::from(AreaId::GROUND.0)].rotate_right(1);
        // The null area remains the weakest.
        ids[1..].shared_sort_by_key(|id| (priorities[usize::from(id.0)], *id != AreaId::GROUND, *id));
        let mut ranks = [AreaId::NULL; 256];
        for (rank, id) in ids.iter().enumerate() {
            ranks[usize::from(id.0)] = AreaId(rank as u8);
        }
        AreaOrder { ranks, ids }
    }

    /// The rank of an id.
    pub fn rank_of(&self, area: AreaId) -> AreaId {
        self.ranks[usize::from(area.0)]
    }

    /// Turns ids into ranks.
    pub fn rank(&self, areas: &mut [AreaId]) {
        areas.iter_mut().for_each(|area| *area = self.rank_of(*area));
    }

    /// Turns ranks back into ids.
    pub fn restore(&self, areas: &mut [AreaId]) {
        areas.iter_mut().for_each(|area| *area = self.ids[usize::from(area.0)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AreaDefinition;

    #[test]
    fn areas_win_by_priority_then_over_ground_then_by_id() {
        let area = |id, priority| AreaDefinition { priority, ..AreaDefinition::new(AreaId(id), "area") };
        let areas = vec![area(2, 0), area(3, 5), area(9, -1), AreaDefinition::ground()];
        let order = AreaOrder::new(&Settings { areas, ..Settings::default() });
        let mut ranks = [0, 9, 63, 2, 200, 3].map(AreaId);
        order.rank(&mut ranks);
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
        assert_eq!(ranks[0], AreaId::NULL);
        order.restore(&mut ranks);
        assert_eq!(ranks, [0, 9, 63, 2, 200, 3].map(AreaId));
    }
}
