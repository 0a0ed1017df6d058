//! Slots for tiles, in pages of 64. A snapshot shares each page with the snapshot that it was made from
//! until one of them changes the page.

use super::adjacency::Adjacency;
use super::seams::SeamLinks;
use super::surface::Surface;
use super::tile_data::TileData;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Slots per page.
pub(crate) const PAGE_SLOTS: usize = 64;
/// The salt of a slot's first tile.
const FIRST_SALT: u32 = 1;

/// An end of an off-mesh link on a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkEnd {
    /// Index of the polygon in its tile.
    pub(crate) polygon: u32,
    pub(crate) link: PolyRef,
    /// True for the end of the link, false for its start.
    pub(crate) at_end: bool,
    /// True if the link can be entered here.
    pub(crate) leaves: bool,
    /// The middle of the edge where the link is entered or left, metres from the anchor.
    pub(crate) point: Vec3,
    /// The vector from there to the end of the edge; zero for a link between points.
    pub(crate) half: Vec3,
}

/// The start and the target of an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JoinedLink {
    /// The middle of the start edge, metres from the anchor.
    pub(crate) start: Vec3,
    /// The middle of the end edge.
    pub(crate) end: Place,
    /// The vector from either middle to the end of its edge; zero for a link between points.
    pub(crate) half: Vec3,
}

/// The sort key of ends: the polygon, the link, and true for the link's end.
pub(crate) type LinkEndKey = (u32, PolyRef, bool);

impl LinkEnd {
    pub(crate) fn key(&self) -> LinkEndKey {
        (self.polygon, self.link, self.at_end)
    }
}

/// A tile in its slot. The fields that every query reads come first.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct LoadedTile {
    /// Shared with `data`, and here too so that queries need not wait for it.
    pub(crate) surface: Surface,
    pub(crate) data: Arc<TileData>,
    /// Flags and area of each polygon, then of each off-mesh link, if any were changed at run time. They
    /// override the values of the tile, which itself never changes.
    pub(crate) overlay: Option<Arc<[(u32, u8)]>>,
    /// Ends of off-mesh links, of this tile and of others, on this tile's polygons. It is a tree, as any
    /// number of tiles whose links end in this tile may be added and removed. `None` until there is an end,
    /// as in most tiles.
    link_ends: Option<Arc<BTreeMap<LinkEndKey, LinkEnd>>>,
    /// The portals of its polygons, once a query has reached the tile.
    pub(crate) adjacency: OnceLock<Arc<Adjacency>>,
    /// The slot's salt while this tile is in it.
    pub(crate) salt: u32,
    /// The links over each side.
    pub(crate) seams: [SeamLinks; 4],
    /// The target of each of the tile's off-mesh links, while it is joined.
    pub(crate) link_targets: Arc<[Option<JoinedLink>]>,
}

impl LoadedTile {
    /// A tile with its links over seams only.
    fn new(data: Arc<TileData>, seams: [SeamLinks; 4], salt: u32) -> LoadedTile {
        let link_targets = match data.link_starts.len() {
            // An empty slice does not allocate.
            0 => Arc::default(),
            count => std::iter::repeat_n(None, count).collect(),
        };
        LoadedTile {
            surface: data.surface.clone(),
            data,
            seams,
            link_targets,
            link_ends: None,
            overlay: None,
            adjacency: OnceLock::new(),
            salt,
        }
    }

    /// The current flags and area of a polygon, or of an off-mesh link, which are numbered after the
    /// polygons.
    #[inline(always)]
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        match &self.overlay {
            Some(overlay) => overlay[index as usize],
            None => self.surface.flags_and_area(index).unwrap_or_else(|| self.data.flags_and_area(index)),
        }
    }

    /// The current flags and areas of all polygons, then of all off-mesh links.
    pub(crate) fn flags_and_areas(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        (0..self.surface.node_count()).map(|index| self.flags_and_area(index))
    }

    /// The ends of off-mesh links on a polygon.
    #[inline]
    pub(crate) fn link_ends_on(&self, polygon: u32) -> impl Iterator<Item = &LinkEnd> {
        let keys = (polygon, PolyRef::FIRST, false)..=(polygon, PolyRef::LAST, true);
        self.link_ends.iter().flat_map(move |ends| ends.range(keys.clone())).map(|(_, end)| end)
    }

    /// The ends of off-mesh links on all polygons, sorted by [`LinkEnd::key`].
    pub(crate) fn link_ends(&self) -> impl Iterator<Item = &LinkEnd> {
        self.link_ends.iter().flat_map(|ends| ends.values())
    }

    #[inline]
    pub(crate) fn has_link_ends(&self) -> bool {
        self.link_ends.as_ref().is_some_and(|ends| !ends.is_empty())
    }

    pub(crate) fn add_link_end(&mut self, end: LinkEnd) {
        Arc::make_mut(self.link_ends.get_or_insert_default()).insert(end.key(), end);
    }

    pub(crate) fn remove_link_end(&mut self, key: &LinkEndKey) {
        if let Some(ends) = &mut self.link_ends {
            Arc::make_mut(ends).remove(key);
        }
    }
}

/// A slot, with or without a tile.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The salt that the next tile in this slot gets.
    next_salt: u32,
    pub(crate) tile: Option<LoadedTile>,
}

/// A page of slots.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) slots: Vec<Slot>,
    /// The lowest slot without a tile; [`PAGE_SLOTS`] if the page is full.
    free: usize,
}

impl Page {
    pub(crate) fn empty() -> Page {
        let slot = |_| Slot { next_salt: FIRST_SALT, tile: None };
        Page { slots: (0..PAGE_SLOTS).map(slot).collect(), free: 0 }
    }

    /// The lowest slot without a tile, if there is one.
    pub(crate) fn free(&self) -> Option<usize> {
        Some(self.free).filter(|free| *free < PAGE_SLOTS)
    }

    /// The salt that the next tile in a slot gets.
    pub(crate) fn next_salt(&self, number: usize) -> u32 {
        self.slots[number].next_salt
    }

    /// Puts a tile into a free slot, with its links over seams.
    pub(crate) fn fill(&mut self, number: usize, data: Arc<TileData>, seams: [SeamLinks; 4]) {
        let slot = &mut self.slots[number];
        slot.tile = Some(LoadedTile::new(data, seams, slot.next_salt));
        if number == self.free {
            let rest = self.slots[number..].iter();
            self.free = number + rest.take_while(|slot| slot.tile.is_some()).count();
        }
    }

    /// Empties a slot, so that references to its tile become stale.
    pub(crate) fn vacate(&mut self, number: usize) -> Option<LoadedTile> {
        let slot = &mut self.slots[number];
        let removed = slot.tile.take()?;
        slot.next_salt = if removed.salt == PolyRef::MAX_SALT { FIRST_SALT } else { removed.salt + 1 };
        self.free = self.free.min(number);
        Some(removed)
    }
}

/// The tile in a slot of these pages, if there is one.
#[inline]
pub(crate) fn loaded(pages: &[Arc<Page>], slot: u32) -> Option<&LoadedTile> {
    let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
    pages.get(page)?.slots[slot].tile.as_ref()
}

/// Mutable access to a tile whose links may change: its adjacency lists are dropped. The page is copied if
/// other snapshots share it.
pub(crate) fn loaded_mut(pages: &mut [Arc<Page>], slot: u32) -> Option<&mut LoadedTile> {
    let loaded = loaded_mut_same_links(pages, slot)?;
    loaded.adjacency.take();
    Some(loaded)
}

/// Mutable access to a tile for changes that do not concern its links: flags and areas.
pub(crate) fn loaded_mut_same_links(pages: &mut [Arc<Page>], slot: u32) -> Option<&mut LoadedTile> {
    let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
    Arc::make_mut(pages.get_mut(page)?).slots[slot].tile.as_mut()
}
