//! Storing the flags and areas that were changed at run time as bytes, tile by tile, and restoring them.

use super::NavMesh;
use super::page::{LoadedTile, loaded_mut_same_links};
use crate::error::{MeshError, StateProblem};
use navmath::digest::Hasher;
use navtile::TileCoord;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Index of a polygon or off-mesh link, its flags and its area.
type NodeChange = (u32, (u32, u8));

/// First bytes of a stored state.
const MAGIC: [u8; 8] = *b"NAVSTATE";
/// Bytes of magic, version, checksum of the tile, number of rows, zero.
const HEAD: usize = 24;
const VERSION: u32 = 1;
/// Bytes of index, flags, area, each as u32.
const ROW: usize = 12;
const DIGEST: usize = 16;

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    Hasher::new().write_u8s(bytes).finish().0
}

/// The little-endian number at `at`; the caller has checked the length.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

impl LoadedTile {
    /// The values that differ from the tile's own.
    fn changes(&self) -> Vec<NodeChange> {
        let values = self.overlay.iter().flat_map(|overlay| overlay.iter().copied());
        (0u32..).zip(values).filter(|(index, value)| *value != self.data.flags_and_area(*index)).collect()
    }

    /// Decodes a stored state, or returns the problem with it. Reserves no more memory than its length
    /// justifies.
    fn read(&self, bytes: &[u8]) -> Result<Vec<NodeChange>, StateProblem> {
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
        let expected = self.data.tile.header().checksum;
        if checksum != expected {
            return Err(StateProblem::OtherTile { expected, found: checksum });
        }
        let mut changes: Vec<NodeChange> = Vec::new();
        for row in content[HEAD..].chunks_exact(ROW) {
            let (index, flags, area) = (number(row, 0), number(row, 4), number(row, 8));
            let ascends = changes.last().is_none_or(|last| last.0 < index);
            let area = u8::try_from(area).ok().filter(|area| *area != 0);
            match area.filter(|_| ascends && index < self.surface.node_count()) {
                Some(area) => changes.push((index, (flags, area))),
                None => return Err(StateProblem::Damaged),
            }
        }
        Ok(changes)
    }
}

impl NavMesh {
    /// Encodes the flags and areas of a tile that were changed, for [`NavMesh::restore_state`]: 40 bytes, and
    /// 12 for each polygon or off-mesh link that differs from the tile's own.
    pub fn store_state(&self, coord: TileCoord) -> Result<Vec<u8>, MeshError> {
        let slot = self.inner.index.slot(coord).ok_or(MeshError::NoTile(coord))?;
        let tile = self.inner.loaded(slot).ok_or(MeshError::NoTile(coord))?;
        let changes = tile.changes();
        let mut bytes = MAGIC.to_vec();
        // A tile has fewer than 2^21 polygons and links.
        for word in [VERSION, tile.data.tile.header().checksum, changes.len() as u32, 0] {
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

    /// Restores the flags and areas that [`NavMesh::store_state`] encoded; all others become the tile's own
    /// again. Refused, with the mesh unchanged, if the bytes are damaged or belong to another tile.
    pub fn restore_state(&mut self, coord: TileCoord, bytes: &[u8]) -> Result<(), MeshError> {
        let slot = self.inner.index.slot(coord).ok_or(MeshError::NoTile(coord))?;
        let tile = self.inner.loaded(slot).ok_or(MeshError::NoTile(coord))?;
        let changes = tile.read(bytes).map_err(|problem| MeshError::State { coord, problem })?;
        let touched: BTreeSet<u32> = tile.changes().iter().chain(&changes).map(|change| change.0).collect();
        let touched: Vec<u32> = touched.into_iter().collect();
        let mut overlay: Arc<[_]> = tile.data.flags_and_areas().collect();
        let values = Arc::make_mut(&mut overlay);
        changes.iter().for_each(|(index, value)| values[*index as usize] = *value);
        let inner = Arc::make_mut(&mut self.inner);
        let before = inner.passing(slot, &touched);
        if let Some(tile) = loaded_mut_same_links(&mut inner.pages, slot) {
            inner.kinds.remove_all(tile.flags_and_areas());
            tile.overlay = Some(overlay).filter(|_| !changes.is_empty());
            inner.kinds.add_all(tile.flags_and_areas());
        }
        inner.relabel_where_changed(slot, &touched, &before);
        Ok(())
    }
}
