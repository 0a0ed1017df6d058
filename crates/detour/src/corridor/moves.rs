//! Moving the ends of a corridor along the surface.

use super::Corridor;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::query::Query;
use crate::query::corridor_scratch::CorridorScratch;
use crate::query::slide::{Slide, SlideEnd};
use glam::Vec3;

impl Corridor {
    /// Moves the agent, and with it the beginning of the corridor, along the surface towards `to`. Only x and
    /// z of `to` matter, and the agent slides along walls. Meant for the step of a frame; see
    /// [`Query::slide`] for long moves.
    pub fn move_start(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        let polygons = std::mem::take(&mut query.corridor.polygons);
        let mut slide = Slide { polygons, ..Slide::default() };
        let slid = query.slide(mesh, self.place(), to, filter, &mut slide);
        let end = slid.map(|()| self.follow_start(&slide, &mut query.corridor));
        query.corridor.polygons = slide.polygons;
        end
    }

    /// Takes the end of a slide as the agent's place.
    fn follow_start(&mut self, slide: &Slide, scratch: &mut CorridorScratch) -> SlideEnd {
        let common = &mut scratch.common;
        let visited = &slide.polygons;
        self.start.point = slide.point;
        if let [only] = visited[..]
            && only == self.start.polygon
        {
            // The usual case: the agent stays on its polygon. A row contains each polygon once at most, so
            // its rest, which may be long, need not be searched.
            return slide.end;
        }
        // From the agent's new polygon back over those it crossed to the first that is in the row. Both begin
        // with the same polygon, so there is such a polygon.
        let (kept, back) = common.last(&self.polygons, visited).unwrap_or((0, 0));
        self.polygons.splice(..kept, visited[back + 1..].iter().rev().copied());
        self.start.polygon = self.polygons[0];
        slide.end
    }

    /// Moves the target, and with it the end of the corridor, as [`Corridor::move_start`] moves the agent.
    pub fn move_target(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        let place = Place { polygon: self.last(), point: self.target };
        let polygons = std::mem::take(&mut query.corridor.polygons);
        let mut slide = Slide { polygons, ..Slide::default() };
        let slid = query.slide(mesh, place, to, filter, &mut slide);
        let end = slid.map(|()| self.follow_target(&slide, &mut query.corridor));
        query.corridor.polygons = slide.polygons;
        end
    }

    /// Takes the end of a slide as the target.
    fn follow_target(&mut self, slide: &Slide, scratch: &mut CorridorScratch) -> SlideEnd {
        let common = &mut scratch.common;
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
