//! Flags and areas at run time: doors that close, bridges that burn. They lie over a tile's own, of which nothing
//! changes, and can be stored as bytes and restored, tile by tile. Cost of a change: the tile's values are copied
//! if another snapshot shares them, as is the page the tile is in; nothing of other tiles.

use super::entry::TileEntry;
use super::page::{Occupied, occupied_kept};
use super::{Inner, NavMesh};
use crate::error::{MeshError, StateProblem};
use crate::filter::Attributes;
use crate::poly_ref::PolyRef;
use navmath::digest::Hasher;
use navtile::TileCoord;
use std::sync::Arc;

/// Run-time flags and areas of a tile's polygons, then of its off-mesh links; they win over the blob's.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) values: Vec<(u32, u8)>,
}

impl Overlay {
    fn of(entry: &TileEntry) -> Overlay {
        Overlay { values: (0..entry.node_count()).map(|index| entry.flags_and_area(index)).collect() }
    }
}

/// A polygon or link, its flags and its area.
type Change = (u32, (u32, u8));

/// First bytes of a stored state.
const MAGIC: [u8; 8] = *b"NAVSTATE";
/// Magic, version, checksum of the tile, number of rows, zero.
const HEAD: usize = 24;
const VERSION: u32 = 1;
/// Index, flags, area and three zeros.
const ROW: usize = 12;
const DIGEST: usize = 16;

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    Hasher::new().write_u8s(bytes).finish().0
}

/// The number that stands at `at` in bytes that are long enough.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

impl Occupied {
    /// The values that differ from the blob's.
    fn changes(&self) -> Vec<Change> {
        let values = self.overlay.iter().flat_map(|overlay| overlay.values.iter().copied());
        (0u32..).zip(values).filter(|(index, value)| *value != self.entry.flags_and_area(*index)).collect()
    }

    /// The rows of a stored state, or what is wrong with it. Nothing is reserved that its length does not justify.
    fn read(&self, bytes: &[u8]) -> Result<Vec<Change>, StateProblem> {
        let Some(length) = bytes.len().checked_sub(DIGEST).filter(|length| *length >= HEAD) else {
            return Err(StateProblem::Length { expected: HEAD + DIGEST, found: bytes.len() });
        };
        let (content, sum) = bytes.split_at(length);
        if content[..8] != MAGIC {
            return Err(StateProblem::NoState);
        }
        let [version, checksum, rows, zero] = [8, 12, 16, 20].map(|at| number(content, at));
        if version != VERSION {
            return Err(StateProblem::Version { expected: VERSION, found: version });
        }
        if (length - HEAD) as u64 != u64::from(rows) * ROW as u64 {
            let expected = (HEAD + DIGEST).saturating_add((rows as usize).saturating_mul(ROW));
            return Err(StateProblem::Length { expected, found: bytes.len() });
        }
        if digest(content)[..] != *sum || zero != 0 {
            return Err(StateProblem::Damaged);
        }
        let expected = self.entry.tile.header().checksum;
        if checksum != expected {
            return Err(StateProblem::OtherTile { expected, found: checksum });
        }
        let mut changes: Vec<Change> = Vec::new();
        for row in content[HEAD..].chunks_exact(ROW) {
            let (index, flags, area) = (number(row, 0), number(row, 4), number(row, 8));
            let ascends = changes.last().is_none_or(|last| last.0 < index);
            let area = u8::try_from(area).ok().filter(|area| *area != 0);
            match area.filter(|_| ascends && index < self.entry.node_count()) {
                Some(area) => changes.push((index, (flags, area))),
                None => return Err(StateProblem::Damaged),
            }
        }
        Ok(changes)
    }
}

impl NavMesh {
    /// Gives a polygon or an off-mesh link other flags, in this snapshot and those made from it; the blob keeps its
    /// own. Islands of registered filters follow: see [`NavMesh::register_filter`] for the cost.
    pub fn set_flags(&mut self, polygon: PolyRef, flags: u32) -> Result<(), MeshError> {
        let (_, area) = self.locate_node(polygon)?.occupied.flags_and_area(polygon.polygon());
        self.change(polygon, (flags, area));
        Ok(())
    }

    /// Gives a polygon or an off-mesh link another area, 1..=255; else as [`NavMesh::set_flags`].
    pub fn set_area(&mut self, polygon: PolyRef, area: u8) -> Result<(), MeshError> {
        let (flags, _) = self.locate_node(polygon)?.occupied.flags_and_area(polygon.polygon());
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
        if let Some(occupied) = occupied_kept(&mut inner.pages, slot) {
            let entry = &occupied.entry;
            let overlay = occupied.overlay.get_or_insert_with(|| Arc::new(Overlay::of(entry)));
            Arc::make_mut(overlay).values[index as usize] = value;
        }
        inner.relabel_where_changed(slot, &[index], &before);
    }

    /// The flags and areas of a tile that differ from its blob's, as bytes to be kept elsewhere and given to
    /// [`NavMesh::restore_state`]: 40 bytes and 12 for each polygon or off-mesh link that differs.
    pub fn store_state(&self, coord: TileCoord) -> Result<Vec<u8>, MeshError> {
        let slot = self.inner.index.slot(coord).ok_or(MeshError::NoTile(coord))?;
        let occupied = self.inner.occupied(slot).ok_or(MeshError::NoTile(coord))?;
        let changes = occupied.changes();
        let mut bytes = MAGIC.to_vec();
        // A tile has fewer than 2^21 polygons and links.
        for word in [VERSION, occupied.entry.tile.header().checksum, changes.len() as u32, 0] {
            bytes.extend(word.to_le_bytes());
        }
        for (index, (flags, area)) in changes {
            for word in [index, flags, u32::from(area)] {
                bytes.extend(word.to_le_bytes());
            }
        }
        let sum = digest(&bytes);
        bytes.extend(sum);
        Ok(bytes)
    }

    /// Gives a tile the flags and areas that [`NavMesh::store_state`] told; those that were not told are the blob's
    /// again. Refused, with the mesh as it was, if the bytes are damaged or were stored of another tile.
    pub fn restore_state(&mut self, coord: TileCoord, bytes: &[u8]) -> Result<(), MeshError> {
        let slot = self.inner.index.slot(coord).ok_or(MeshError::NoTile(coord))?;
        let occupied = self.inner.occupied(slot).ok_or(MeshError::NoTile(coord))?;
        let changes = occupied.read(bytes).map_err(|problem| MeshError::State { coord, problem })?;
        let mut touched: Vec<u32> =
            occupied.changes().iter().chain(&changes).map(|change| change.0).collect();
        touched.sort_unstable();
        touched.dedup();
        let mut overlay = Overlay::of(&occupied.entry);
        for (index, value) in &changes {
            overlay.values[*index as usize] = *value;
        }
        let inner = Arc::make_mut(&mut self.inner);
        let before = inner.passing(slot, &touched);
        if let Some(occupied) = occupied_kept(&mut inner.pages, slot) {
            occupied.overlay = (!changes.is_empty()).then(|| Arc::new(overlay));
        }
        inner.relabel_where_changed(slot, &touched, &before);
        Ok(())
    }
}

impl Inner {
    /// For each registered filter whether it lets these polygons and links of a tile pass, one after the other.
    fn passing(&self, slot: u32, nodes: &[u32]) -> Vec<bool> {
        let Some(occupied) = self.occupied(slot) else { return Vec::new() };
        let attributes = |index: &u32| {
            let (flags, area) = occupied.flags_and_area(*index);
            Attributes { polygon: PolyRef::from_checked(occupied.salt, slot, *index), flags, area }
        };
        let filters = self.registered.iter();
        filters.flat_map(|labels| nodes.iter().map(move |node| labels.passes(&attributes(node)))).collect()
    }

    /// Labels the tile's polygons anew for the filters that now see some of `nodes` otherwise than `before`.
    fn relabel_where_changed(&mut self, slot: u32, nodes: &[u32], before: &[bool]) {
        let now = self.passing(slot, nodes);
        if now == before {
            return;
        }
        let mut registered = std::mem::take(&mut self.registered);
        for (number, labels) in registered.iter_mut().enumerate() {
            let rows = number * nodes.len()..(number + 1) * nodes.len();
            if now[rows.clone()] != before[rows] {
                labels.detach(self, slot);
                labels.attach(self, slot);
            }
        }
        self.registered = registered;
    }
}
