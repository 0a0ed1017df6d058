//! Moving the ends of a corridor along the surface.

use super::{Corridor, CorridorScratch};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::Query;
use crate::query::slide::SlideEnd;
use glam::Vec3;

/// Finds polygons of a row among those that a move visited. Cost: O(n log n) for all polygons of both.
#[derive(Debug, Default)]
pub(super) struct Common {
    /// Those visited with their indices, sorted; only memory that is kept.
    visited: Vec<(PolyRef, usize)>,
}

impl Common {
    /// The last polygon of `row` that is in `visited`: its index in `row`, and its last index in `visited`.
    pub(super) fn last(&mut self, row: &[PolyRef], visited: &[PolyRef]) -> Option<(usize, usize)> {
        self.find(row.iter().enumerate().rev(), visited)
    }

    /// The first one likewise.
    fn first(&mut self, row: &[PolyRef], visited: &[PolyRef]) -> Option<(usize, usize)> {
        self.find(row.iter().enumerate(), visited)
    }

    /// The first that `row` comes to.
    fn find<'a>(
        &mut self,
        mut row: impl Iterator<Item = (usize, &'a PolyRef)>,
        visited: &[PolyRef],
    ) -> Option<(usize, usize)> {
        self.visited.clear();
        self.visited.extend(visited.iter().enumerate().map(|(at, &polygon)| (polygon, at)));
        self.visited.sort_unstable();
        row.find_map(|(at, polygon)| {
            let end = self.visited.partition_point(|(other, _)| other <= polygon);
            let (other, last) = *self.visited.get(end.checked_sub(1)?)?;
            (other == *polygon).then_some((at, last))
        })
    }
}

impl Corridor {
    /// Moves the agent towards `to`, of which x and z matter, along the surface and sliding along walls, and with it the
    /// beginning of the corridor. Meant for the step of a frame; see [`Query::slide`] for long moves.
    pub fn move_start(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        let mut scratch = std::mem::take(&mut query.corridor);
        let slid = query.slide(mesh, self.place(), to, filter, &mut scratch.slide);
        let end = slid.map(|()| self.follow_start(&mut scratch));
        query.corridor = scratch;
        end
    }

    /// Takes the end of a slide as the agent's place.
    fn follow_start(&mut self, scratch: &mut CorridorScratch) -> SlideEnd {
        let CorridorScratch { common, slide, .. } = scratch;
        let visited = &slide.polygons;
        self.position = slide.point;
        if let [only] = visited[..]
            && only == self.first()
            && !self.polygons[1..].contains(&only)
        {
            // The usual case: it stays on its polygon.
            return slide.end;
        }
        // From the agent's new polygon back over those it crossed to the first that is in the row. Both begin with the
        // same polygon, so there is one.
        let (kept, back) = common.last(&self.polygons, visited).unwrap_or((0, 0));
        self.polygons.splice(..kept, visited[back + 1..].iter().rev().copied());
        slide.end
    }

    /// Moves the target likewise, and with it the end of the corridor.
    pub fn move_target(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        let place = Place { polygon: self.last(), point: self.target };
        let mut scratch = std::mem::take(&mut query.corridor);
        let slid = query.slide(mesh, place, to, filter, &mut scratch.slide);
        let end = slid.map(|()| self.follow_target(&mut scratch));
        query.corridor = scratch;
        end
    }

    /// Takes the end of a slide as the target.
    fn follow_target(&mut self, scratch: &mut CorridorScratch) -> SlideEnd {
        let CorridorScratch { common, slide, .. } = scratch;
        let visited = &slide.polygons;
        // The first polygon of the row that the target's move touches, so that the row does not turn back.
        let met = common.first(&self.polygons, visited);
        let (kept, from) = met.unwrap_or((self.polygons.len() - 1, 0));
        self.polygons.truncate(kept + 1);
        self.polygons.extend_from_slice(&visited[from + 1..]);
        self.target = slide.point;
        slide.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = Vec<PolyRef>> {
        prop::collection::vec((0..9u32).prop_map(|index| PolyRef::from_checked(1, 0, index)), 0..12)
    }

    proptest! {
        #[test]
        fn common_polygons_are_found_from_both_ends(row in row(), visited in row()) {
            let last_visit = |(at, polygon): (usize, &PolyRef)| {
                Some((at, visited.iter().rposition(|other| other == polygon)?))
            };
            let mut common = Common::default();
            prop_assert_eq!(common.first(&row, &visited), row.iter().enumerate().find_map(last_visit));
            prop_assert_eq!(common.last(&row, &visited), row.iter().enumerate().rev().find_map(last_visit));
        }
    }
}
