//! Many tiles at once: what a mesh starts from. Tiles are prepared, and linked with their neighbours, by the threads of
//! the current rayon pool; the mesh is the one that adding them in the order of their coordinates would make.

use super::entry::TileEntry;
use super::index::Row;
use super::joints::Placed;
use super::labels::Labels;
use super::page::{FIRST_SALT, PAGE_SLOTS, Page};
use super::prepared::PreparedTile;
use super::seams::{SeamLink, column_beyond, link_pair};
use super::{Inner, NavMesh, check_lattice, check_slots};
use crate::error::MeshError;
use navtile::Tile;
use navtile::layout::side;
use navtile::seam::Match;
use rayon::prelude::*;
use std::sync::Arc;

/// Fewest tiles that are worth a task of their own.
const TILES_A_TASK: usize = 16;

impl NavMesh {
    /// Adds tiles in the order of their coordinates. All of them or none: refused, with the mesh as it was, if
    /// [`NavMesh::add_tile`] refuses one of them. The threads of the current rayon pool share the work, all of it where
    /// there was no tile before, else what can be done before linking.
    pub fn add_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) -> Result<(), MeshError> {
        let mut tiles: Vec<Tile> = tiles.into_iter().collect();
        tiles.sort_by_key(Tile::coord);
        let anchor = self.anchor();
        let entries: Vec<Result<Arc<TileEntry>, MeshError>> = tiles
            .into_par_iter()
            .with_min_len(TILES_A_TASK)
            .map(|tile| Ok(Arc::new(TileEntry::new(tile, anchor)?)))
            .collect();
        // Of several that are refused the first is told.
        self.add_entries(entries.into_iter().collect::<Result<_, MeshError>>()?)
    }

    /// As [`NavMesh::add_tiles`], of tiles that were prepared for this mesh's anchor.
    pub fn add_all_prepared(
        &mut self,
        tiles: impl IntoIterator<Item = PreparedTile>,
    ) -> Result<(), MeshError> {
        let entries = tiles.into_iter().map(|tile| self.entry_of(tile));
        let mut entries: Vec<Arc<TileEntry>> = entries.collect::<Result<_, MeshError>>()?;
        entries.sort_by_key(|entry| entry.coord);
        self.add_entries(entries)
    }

    /// Adds tiles that are sorted by coordinate.
    fn add_entries(&mut self, entries: Vec<Arc<TileEntry>>) -> Result<(), MeshError> {
        // Slots that were in use before go on with their salts. One thread is faster tile by tile, whose neighbours are
        // still in the cache.
        if self.inner.pages.is_empty() && rayon::current_num_threads() > 1 {
            for pair in entries.array_windows() {
                check_pair(pair)?;
            }
            check_slots(entries.len() as u64)?;
            Arc::make_mut(&mut self.inner).fill(&entries);
            return Ok(());
        }
        // What is refused goes with the copy, which shares all it can.
        let mut mesh = NavMesh { inner: Arc::new(Inner::clone(&self.inner)) };
        entries.into_iter().try_for_each(|entry| mesh.add_entry(entry))?;
        *self = mesh;
        Ok(())
    }
}

/// Whether two tiles that follow each other stand at different places of one lattice.
fn check_pair([before, entry]: &[Arc<TileEntry>; 2]) -> Result<(), MeshError> {
    if before.coord == entry.coord {
        return Err(MeshError::Duplicate(entry.coord));
    }
    check_lattice(entry, Some(before.lattice))
}

impl Inner {
    /// Puts tiles, sorted by coordinate, into a mesh that never had any, and links them. Nothing here fails.
    fn fill(&mut self, entries: &[Arc<TileEntry>]) {
        for (slot, entry) in (0u32..).zip(entries) {
            self.index.insert(Row { coord: entry.coord, slot, bounds: entry.bounds });
        }
        self.lattice = entries.first().map(|entry| entry.lattice);
        self.pages = entries.chunks(PAGE_SLOTS).map(|tiles| Arc::new(Page::of(tiles))).collect();
        let ways: Vec<Ways> = (0..entries.len() as u32)
            .into_par_iter()
            .with_min_len(TILES_A_TASK)
            .map_init(Vec::new, |matches, slot| self.ways_from(slot, matches))
            .flatten_iter()
            .collect();
        for Ways { slot, side, links } in ways {
            self.add_seam(slot, side, links);
        }
        for (slot, entry) in (0u32..).zip(entries) {
            // All tiles are there: no link waits for another one.
            self.join_own_links(Placed { entry, slot, salt: FIRST_SALT });
        }
        self.relabel(Labels::rebuild);
    }

    /// The ways from a tile to its neighbours on the sides of larger coordinates, and those back.
    fn ways_from(&self, slot: u32, matches: &mut Vec<Match>) -> Vec<Ways> {
        let mut ways = Vec::new();
        let placed = |slot: u32| {
            let occupied = self.occupied(slot)?;
            Some(Placed { entry: &occupied.entry, slot, salt: occupied.salt })
        };
        let Some(here) = placed(slot) else { return ways };
        for side in [side::X_MAX, side::Z_MAX] {
            let Some((x, z)) = column_beyond(here.entry.coord, side) else { continue };
            if here.entry.portals_of(side).is_empty() {
                continue;
            }
            for there in self.index.column(x, z).iter().filter_map(|row| placed(row.slot)) {
                if let Some([forth, back]) = link_pair(here, side, there, self.anchor, matches) {
                    ways.push(Ways { slot, side, links: forth });
                    ways.push(Ways { slot: there.slot, side: Tile::opposite(side), links: back });
                }
            }
        }
        ways
    }
}

/// The ways of a tile to one neighbour over a side.
struct Ways {
    slot: u32,
    side: u8,
    links: Arc<[SeamLink]>,
}
