//! Floods over the links of a mesh: the plain answer to the question which places are connected.

use crate::Failed;
use detour::{Attributes, CostModel, Filter, NavMesh, PolyRef};
use hierarchy::FarPlace;
use std::collections::HashMap;

/// The numbers of the polygons that were reached, by the flood that reached them first.
pub(crate) struct Flood<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    pub(crate) reached: HashMap<PolyRef, u32>,
    stack: Vec<PolyRef>,
}

impl<'a> Flood<'a> {
    pub(crate) fn new(mesh: &'a NavMesh, filter: &'a Filter) -> Flood<'a> {
        Flood { mesh, filter, reached: HashMap::new(), stack: Vec::new() }
    }

    /// Numbers all that can be reached from a polygon and has no number yet.
    pub(crate) fn run(&mut self, from: PolyRef, number: u32) -> Result<(), Failed> {
        let Flood { mesh, filter, reached, stack } = self;
        reached.insert(from, number);
        stack.push(from);
        let passes = |polygon: PolyRef| -> Result<bool, Failed> {
            let attributes: Attributes = mesh.attributes(polygon)?;
            Ok(filter.passes(&attributes))
        };
        let mut next = Vec::new();
        while let Some(polygon) = stack.pop() {
            mesh.visit_links(polygon, |link| next.push(link.to))?;
            for to in next.drain(..) {
                if !reached.contains_key(&to) && passes(to)? {
                    reached.insert(to, number);
                    stack.push(to);
                }
            }
        }
        Ok(())
    }

    /// Returns true if two places have the same number.
    pub(crate) fn joins(&self, ends: [FarPlace<'_>; 2]) -> bool {
        let [one, two] = ends.map(|end| self.reached.get(&end.place.polygon));
        one == two
    }

    /// Numbers all polygons by component, for meshes without one-way links. Returns the number of components.
    pub(crate) fn components(&mut self) -> Result<u32, Failed> {
        let mut count = 0;
        for polygon in self.mesh.polygons() {
            if !self.reached.contains_key(&polygon) && self.filter.passes(&self.mesh.attributes(polygon)?) {
                self.run(polygon, count)?;
                count += 1;
            }
        }
        Ok(count)
    }
}
