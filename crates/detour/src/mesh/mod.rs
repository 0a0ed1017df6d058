//! The mesh: a snapshot of tiles, the links between their polygons, off-mesh links, and run-time flags and
//! areas.
//!
//! A clone shares everything and costs one reference count. A change to a shared mesh copies the pages of 64
//! slots it touches, a block of the index and the lists of these (a pointer for every 64 tiles); queries on
//! other threads keep the snapshot that they hold.
//!
//! # Adjacency, in words
//!
//! - *edge*: a side of a polygon, from one corner to the next. Beyond it is a wall, a polygon of the same
//!   tile, or a seam (`EdgeKind`).
//! - *portal*: the opening from a polygon into the next: an edge, or the part of an edge at a seam that both
//!   tiles share. As seen when leaving the polygon, it has a left and a right end (`Portal`). The portals in
//!   a tile's bytes (`navtile::layout::Portal`) are its border edges, before they are matched with those of a
//!   neighbour.
//! - *link*: a connection from one node to another through a portal, or onto an off-mesh link, or off it
//!   (`Link`, `SeamLink`).
//! - *seam*: the line along which two tiles meet (`SeamLinks`).
//! - *off-mesh link*: a jump, a ladder, a teleporter: a node of the graph, with two ends on polygons
//!   (`OffMesh`, `LinkEnd`).
//! - *node*: a polygon or an off-mesh link. A [`PolyRef`] names a node (`Poly`).
//! - *component*: polygons of one tile that are connected within it (`TileData`).
//! - *island*: components of all tiles that are connected with each other (`Labels`).
//!
//! Files, from the bottom up: `fixed`, `surface` (the parts of a tile that queries read), `tile_data` (one
//! tile), `seams`, `adjacency` (portals, cached), `page` (a tile in its slot), `poly` (a node, looked up),
//! `links` (the graph); next to them `index` and `incoming` (tiles by place), `off_mesh_join`, `compare`, and
//! `labels`, `race`, `one_way`, `reachable` (islands).

mod access;
mod adjacency;
mod bulk;
mod compare;
mod fixed;
mod incoming;
mod index;
mod kinds;
mod labels;
mod lines;
mod link_edges;
mod links;
mod off_mesh;
mod off_mesh_join;
mod one_way;
mod page;
mod poly;
mod prepared;
mod race;
mod reachable;
mod seams;
mod state;
#[cfg(feature = "state")]
mod stored_state;
mod surface;
mod tile_data;

use crate::error::MeshError;
use crate::poly_ref::PolyRef;
use fixed::ToFixed;
use glam::Vec3;
use incoming::IncomingLinks;
use index::{Index, TileRow};
use kinds::KindCounts;
use navmath::Lattice;
use navmath::limit::check;
use navmath::sort::SharedSort;
use navtile::{Tile, TileCoord};
use page::{PAGE_SLOTS, Page, loaded, loaded_mut};
use seams::{SeamLinks, SeamScratch, TileInSlot, link_tiles};
use std::ops::Range;
use std::sync::Arc;
use tile_data::TileData;

pub(crate) use access::SnapshotId;
pub(crate) use adjacency::Portal;
pub(crate) use compare::SlotChange;
pub use kinds::PolygonKind;
pub(crate) use labels::Labels;
pub use lines::{LineKind, MeshLine};
pub(crate) use link_edges::{LinkEdges, exit_point, is_point};
pub use links::Link;
pub use off_mesh::OffMesh;
pub(crate) use one_way::ReachScratch;
pub(crate) use page::LoadedTile;
pub(crate) use poly::{LinkCrossing, Poly};
pub use prepared::PreparedTile;
pub use reachable::Reachable;
pub(crate) use seams::SeamLink;
pub(crate) use surface::{EdgeKind, Vertex};

/// Tiles joined into one mesh. See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct NavMesh {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug, Default)]
struct Inner {
    anchor: [f64; 3],
    /// The lattice of all tiles; `None` without tiles.
    lattice: Option<Lattice>,
    to_fixed: Option<ToFixed>,
    kinds: KindCounts,
    pages: Vec<Arc<Page>>,
    /// Number of full pages, counted from the first.
    full_pages: usize,
    index: Index,
    incoming: IncomingLinks,
    /// The islands of all polygons.
    all: Labels,
    /// The islands as each registered filter sees them.
    registered: Vec<Labels>,
    scratch: SeamScratch,
}

impl Inner {
    #[inline]
    fn loaded(&self, slot: u32) -> Option<&LoadedTile> {
        loaded(&self.pages, slot)
    }

    fn loaded_mut(&mut self, slot: u32) -> Option<&mut LoadedTile> {
        loaded_mut(&mut self.pages, slot)
    }

    /// The lowest free slot. It may be the first slot of a page that does not exist yet.
    fn free_slot(&self) -> usize {
        let slot = self.pages.get(self.full_pages).and_then(|page| page.free());
        self.full_pages * PAGE_SLOTS + slot.unwrap_or(0)
    }
}

impl NavMesh {
    /// Creates a mesh without tiles, whose positions are relative to `anchor` (world metres). Put the anchor
    /// near the tiles: f32 positions get coarser with their distance from it. [`NavMesh::default`] has it at
    /// the world's origin.
    pub fn new(anchor: [f64; 3]) -> Result<NavMesh, MeshError> {
        if !anchor.iter().all(|v| v.is_finite()) {
            return Err(MeshError::Anchor(anchor));
        }
        Ok(NavMesh { inner: Arc::new(Inner { anchor, ..Inner::default() }) })
    }

    /// The world position that this mesh's positions are relative to, metres.
    pub fn anchor(&self) -> [f64; 3] {
        self.inner.anchor
    }

    /// The lattice of the tiles; `None` without tiles.
    pub fn lattice(&self) -> Option<Lattice> {
        self.inner.lattice
    }

    /// Converts a world position to one relative to the anchor.
    pub fn from_world(&self, world: [f64; 3]) -> Vec3 {
        let anchor = self.inner.anchor;
        Vec3::from_array(std::array::from_fn(|axis| (world[axis] - anchor[axis]) as f32))
    }

    /// Converts a position relative to the anchor to a world position.
    pub fn to_world(&self, position: Vec3) -> [f64; 3] {
        let position = position.to_array();
        std::array::from_fn(|axis| self.inner.anchor[axis] + f64::from(position[axis]))
    }

    /// Adds a tile, links it with its neighbours, and joins the off-mesh links that start or end in it.
    /// Refused, with the mesh unchanged, if the lattice of the tile differs from that of the tiles already in
    /// the mesh, if its coordinate is taken, if it is too far from the anchor, or if it has more polygons
    /// than references can name.
    ///
    /// ```
    /// # let tile = navscenes::baked_tile("two_rooms")?;
    /// let mut mesh = detour::NavMesh::default();
    /// let coord = tile.coord();
    /// mesh.add_tile(tile)?;
    ///
    /// // A clone is a snapshot: other threads can keep querying it while this mesh changes.
    /// let published = mesh.clone();
    /// mesh.remove_tile(coord)?;
    /// assert_eq!((published.tile_count(), mesh.tile_count()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_tile(&mut self, tile: Tile) -> Result<(), MeshError> {
        self.check_free(tile.coord())?;
        let data = TileData::new(tile, self.inner.anchor)?;
        self.add_data(data)
    }

    /// Removes a tile and the links to it, and returns it; references to its polygons become stale.
    pub fn remove_tile(&mut self, coord: TileCoord) -> Result<Tile, MeshError> {
        if self.inner.index.slot(coord).is_none() {
            return Err(MeshError::NoTile(coord));
        }
        Arc::make_mut(&mut self.inner).remove(coord).map(|(tile, _)| tile).ok_or(MeshError::NoTile(coord))
    }

    /// Replaces the tile at the coordinate of the given one, and returns it; references to its polygons
    /// become stale, and its run-time flags and areas are lost. Refused, with the mesh unchanged, for the
    /// same reasons as in [`NavMesh::add_tile`], and if there is no tile to replace.
    pub fn replace_tile(&mut self, tile: Tile) -> Result<Tile, MeshError> {
        let data = TileData::new(tile, self.inner.anchor)?;
        self.replace_data(data)
    }

    fn check_free(&self, coord: TileCoord) -> Result<(), MeshError> {
        match self.inner.index.slot(coord) {
            Some(_) => Err(MeshError::Duplicate(coord)),
            None => Ok(()),
        }
    }

    fn add_data(&mut self, data: Arc<TileData>) -> Result<(), MeshError> {
        self.check_free(data.coord)?;
        check_lattice(&data, self.inner.lattice)?;
        let free = self.inner.free_slot();
        check("tiles per mesh", free as u64 + 1, u64::from(PolyRef::MAX_SLOT) + 1, "bake larger tiles")?;
        Arc::make_mut(&mut self.inner).insert(data, free);
        Ok(())
    }

    fn replace_data(&mut self, data: Arc<TileData>) -> Result<Tile, MeshError> {
        let coord = data.coord;
        if self.inner.index.slot(coord).is_none() {
            return Err(MeshError::NoTile(coord));
        }
        // If there is only one tile, its replacement may be on another lattice.
        check_lattice(&data, self.inner.lattice.filter(|_| self.inner.index.len() > 1))?;
        let inner = Arc::make_mut(&mut self.inner);
        let (removed, slot) = inner.remove(coord).ok_or(MeshError::NoTile(coord))?;
        inner.insert(data, slot as usize);
        Ok(removed)
    }
}

/// `Ok` if a tile is on the lattice of a mesh, or if the mesh has no lattice yet.
fn check_lattice(data: &TileData, lattice: Option<Lattice>) -> Result<(), MeshError> {
    let (coord, found) = (data.coord, data.lattice);
    match lattice.filter(|expected| *expected != found) {
        Some(expected) => Err(MeshError::Lattice { coord, expected, found }),
        None => Ok(()),
    }
}

impl Inner {
    /// Puts a tile into a free slot, at a free coordinate, and links it. The caller has made sure that
    /// nothing can fail.
    fn insert(&mut self, data: Arc<TileData>, free: usize) {
        let (coord, slot) = (data.coord, free as u32);
        if free / PAGE_SLOTS == self.pages.len() {
            self.pages.push(Arc::new(Page::empty()));
        }
        let (page, number) = (free / PAGE_SLOTS, free % PAGE_SLOTS);
        let here = TileInSlot { data: &data, slot, salt: self.pages[page].next_salt(number) };
        if self.lattice != Some(data.lattice) {
            self.lattice = Some(data.lattice);
            self.to_fixed = Some(ToFixed::new(&data.lattice, self.anchor));
        }
        let row = TileRow { coord, slot, bounds: data.bounds };
        let block = self.index.insert(row, [data.place.width, data.place.depth]);
        self.kinds.add_all(data.flags_and_areas());
        let seams = self.link_neighbours(here, block);
        Arc::make_mut(&mut self.pages[page]).fill(number, data.clone(), seams);
        let is_full = |page: &Arc<Page>| page.free().is_none();
        self.full_pages += self.pages[self.full_pages..].iter().take_while(|page| is_full(page)).count();
        self.join_off_mesh(here);
        self.relabel(|labels, inner| labels.attach(inner, slot));
    }

    /// Takes a tile out of its slot and removes all links to it; `None` if there is no tile at that
    /// coordinate.
    fn remove(&mut self, coord: TileCoord) -> Option<(Tile, u32)> {
        let slot = self.index.slot(coord)?;
        self.relabel(|labels, inner| labels.detach(inner, slot));
        let page = slot as usize / PAGE_SLOTS;
        let removed = Arc::make_mut(self.pages.get_mut(page)?).vacate(slot as usize % PAGE_SLOTS)?;
        self.kinds.remove_all(removed.flags_and_areas());
        self.full_pages = self.full_pages.min(page);
        self.index.remove(coord)?;
        for (side, seam) in (0u8..).zip(&removed.seams) {
            let mut others: Vec<u32> = seam.links().iter().map(|link| link.to.slot()).collect();
            others.shared_sort();
            others.dedup();
            for other in others {
                if let Some(other) = self.loaded_mut(other) {
                    other.seams[usize::from(Tile::opposite(side))].remove_links_to(slot);
                }
            }
        }
        self.unjoin_off_mesh(&removed, slot);
        if self.index.len() == 0 {
            (self.lattice, self.to_fixed) = (None, None);
        }
        Some((removed.data.tile.clone(), slot))
    }

    /// Applies a change to the islands of all polygons, and to those of every registered filter.
    fn relabel(&mut self, change: impl Fn(&mut Labels, &Inner)) {
        let mut all = std::mem::take(&mut self.all);
        let mut registered = std::mem::take(&mut self.registered);
        change(&mut all, self);
        registered.iter_mut().for_each(|labels| change(labels, self));
        (self.all, self.registered) = (all, registered);
    }

    /// Links the neighbours of a tile with it, and returns the links from it over each of its sides. The tile
    /// was just put into this block of the index, and is not yet in its slot.
    fn link_neighbours(&mut self, here: TileInSlot<'_>, block: usize) -> [SeamLinks; 4] {
        let Inner { anchor, index, pages, scratch, .. } = self;
        let mut seams: [SeamLinks; 4] = Default::default();
        for side in 0..4u8 {
            if here.data.surface.side_range(side).is_empty() {
                continue;
            }
            let Some(beyond) = here.data.coord.across(side) else { continue };
            let &TileCoord { x, z, .. } = beyond.start();
            for row in index.column_near(block, x, z) {
                let Some(other) = loaded(pages, row.slot) else { continue };
                let there = TileInSlot { data: &other.data, slot: row.slot, salt: other.salt };
                if let Some(links) = link_tiles(here, side, there, *anchor, scratch) {
                    let end = links.len() as u32;
                    let (forth, back) = (0..end / 2, end / 2..end);
                    seams[usize::from(side)].add(links.clone(), forth, &|slot| coord_of(pages, slot));
                    add_seam(pages, (row.slot, Tile::opposite(side)), here, (links, back));
                }
            }
        }
        seams
    }
}

/// Adds links to a tile that is not yet in its slot, given as a part of a list, to a neighbour's links over
/// one of its sides.
fn add_seam(
    pages: &mut [Arc<Page>],
    (slot, side): (u32, u8),
    to: TileInSlot<'_>,
    (links, part): (Arc<[SeamLink]>, Range<u32>),
) {
    let Some(tile) = loaded_mut(pages, slot) else { return };
    let seam = &mut tile.seams[usize::from(side)];
    if seam.links().is_empty() {
        return seam.add(links, part, &|_| None);
    }
    let mut seam = std::mem::take(seam);
    let coord = |slot| if slot == to.slot { Some(to.data.coord) } else { coord_of(pages, slot) };
    seam.add(links, part, &coord);
    if let Some(tile) = loaded_mut(pages, slot) {
        tile.seams[usize::from(side)] = seam;
    }
}

/// The coordinate of the tile in a slot.
fn coord_of(pages: &[Arc<Page>], slot: u32) -> Option<TileCoord> {
    loaded(pages, slot).map(|tile| tile.data.coord)
}
