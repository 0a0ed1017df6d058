//! Our crowd, sent from place to place.

use crate::walkers::{CrowdsError, Walkers};
use crowd::{AgentId, Crowd, CrowdSettings, Event, Target};
use crowdlab::trial::{Seen, Walk};
use detour::NavMesh;

/// Its name in reports.
pub(crate) const NAME: &str = "navtile, ORCA";

/// Our crowd between random places.
pub(crate) struct OurCrowd<'a> {
    mesh: &'a NavMesh,
    crowd: Crowd,
    ids: Vec<AgentId>,
    events: Vec<Event>,
}

impl<'a> OurCrowd<'a> {
    /// Puts agents at the starts of their walks and sends them to their goals.
    pub(crate) fn new(mesh: &'a NavMesh, walks: &[Walk]) -> Result<OurCrowd<'a>, CrowdsError> {
        let mut crowd = Crowd::new(CrowdSettings::default())?;
        let mut ids = Vec::with_capacity(walks.len());
        for walk in walks {
            let id = crowd.add(mesh, walk.start, &walk.params)?;
            crowd.set_target(id, Target::Place(walk.goal))?;
            ids.push(id);
        }
        Ok(OurCrowd { mesh, crowd, ids, events: Vec::new() })
    }
}

impl Walkers for OurCrowd<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, dt: f32) -> Result<(), CrowdsError> {
        self.events.clear();
        Ok(self.crowd.step(self.mesh, dt, &mut self.events)?)
    }

    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError> {
        Ok(Seen::of(&self.crowd, self.ids[number])?)
    }
}
