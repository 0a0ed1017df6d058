//! Changing flags and areas at run time (doors that close, bridges that burn). Cost of a change: the tile's
//! values and its page are copied if another snapshot shares them; nothing of other tiles is copied.

use super::page::loaded_mut_same_links;
use super::{Inner, Labels, NavMesh, PolygonKind};
use crate::error::MeshError;
use crate::poly_ref::PolyRef;
use std::sync::Arc;

impl NavMesh {
    /// Sets the flags of a polygon or an off-mesh link, in this snapshot and those made from it; the tile
    /// keeps its own. The islands of registered filters follow: see [`NavMesh::register_filter`] for the
    /// cost.
    pub fn set_flags(&mut self, polygon: PolyRef, flags: u32) -> Result<(), MeshError> {
        let (_, area) = self.locate_node(polygon)?.tile.flags_and_area(polygon.polygon());
        self.change(polygon, (flags, area));
        Ok(())
    }

    /// Sets the area of a polygon or an off-mesh link, 1..=255; otherwise like [`NavMesh::set_flags`].
    pub fn set_area(&mut self, polygon: PolyRef, area: u8) -> Result<(), MeshError> {
        let (flags, _) = self.locate_node(polygon)?.tile.flags_and_area(polygon.polygon());
        if area == 0 {
            return Err(MeshError::AreaZero(polygon));
        }
        self.change(polygon, (flags, area));
        Ok(())
    }

    fn change(&mut self, node: PolyRef, value: (u32, u8)) {
        let (slot, index) = (node.slot(), node.polygon());
        let inner = Arc::make_mut(&mut self.inner);
        let before = inner.passing(slot, &[index]);
        if let Some(tile) = loaded_mut_same_links(&mut inner.pages, slot) {
            let overlay = tile.overlay.get_or_insert_with(|| tile.data.flags_and_areas().collect());
            let was = std::mem::replace(&mut Arc::make_mut(overlay)[index as usize], value);
            inner.kinds.remove(PolygonKind::one(was));
            inner.kinds.add(PolygonKind::one(value));
        }
        inner.relabel_where_changed(slot, &[index], &before);
    }
}

impl Inner {
    /// For each registered filter in turn, and for each of these polygons and links of a tile: true if the
    /// filter lets it pass.
    pub(super) fn passing(&self, slot: u32, nodes: &[u32]) -> Vec<bool> {
        let Some(tile) = self.loaded(slot) else { return Vec::new() };
        let filters = self.registered.iter();
        let passes = |labels: &Labels, index: u32| labels.passes(&tile.node(slot, index).attributes());
        filters.flat_map(|labels| nodes.iter().map(move |index| passes(labels, *index))).collect()
    }

    /// Recomputes the tile's islands for the filters whose answer for some of `nodes` differs from `before`.
    pub(super) fn relabel_where_changed(&mut self, slot: u32, nodes: &[u32], before: &[bool]) {
        let now = self.passing(slot, nodes);
        if now == before {
            return;
        }
        let mut registered = std::mem::take(&mut self.registered);
        // The answers are grouped by filter. An answer differs, so there is at least one node.
        let [now, before] = [&now[..], before].map(|answers| answers.chunks(nodes.len()));
        for (labels, (now, before)) in registered.iter_mut().zip(now.zip(before)) {
            if now != before {
                labels.detach(self, slot);
                labels.attach(self, slot);
            }
        }
        self.registered = registered;
    }
}
