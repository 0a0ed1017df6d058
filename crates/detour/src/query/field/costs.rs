//! Areas of different costs: paths bend where the cost of a metre changes.

use super::envelope::FieldView;
use super::memory::{FieldPortal, FieldWindow};
use super::search::FieldSearch;
use crate::error::QueryError;
use crate::filter::CostModel;

/// If costs change at a portal, the view through it is divided into parts: their least and largest number,
/// and their length.
const LEAST_PARTS: f64 = 4.0;
const MOST_PARTS: f64 = 16.0;
const PART_METRES: f64 = 0.5;
impl<C: CostModel> FieldSearch<'_, C> {
    /// Continues a window, from several of its points, over a polygon with a different cost per metre.
    pub(super) fn refract(&mut self, window: &FieldWindow, portal: &FieldPortal) -> Result<(), QueryError> {
        let [from, to] = window.ends;
        let rate = self.memory.polygons.get(portal.polygon).rate;
        let parts = ((to - from) / PART_METRES).clamp(LEAST_PARTS, MOST_PARTS).ceil() as u32;
        let even = (0..=parts).map(|part| from + (to - from) * f64::from(part) / f64::from(parts));
        // The cheapest point too: it is the root itself if that is on the portal.
        for t in even.chain([window.sight.foot.max(from).min(to)]) {
            let root = self.add_crossing(window.portal, window.root, t, window.sight.at(t));
            for beyond in self.memory.portals_of(portal.polygon) {
                // Back again only if this polygon is the cheaper one, along the portal.
                let comes_back = beyond == window.portal;
                if !comes_back || rate < window.sight.rate {
                    let length = self.memory.portal(beyond).length;
                    self.offer_view(beyond, FieldView { root, rate, comes_back }, [0.0, length])?;
                }
            }
        }
        Ok(())
    }
}
