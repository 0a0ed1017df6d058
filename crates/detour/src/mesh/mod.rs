//! The mesh: a snapshot of tiles, the links across their seams, off-mesh links, and run-time flags and areas.
//!
//! A clone shares everything and costs one reference count. A change to a shared mesh copies the pages of 256
//! slots it touches, a block of the index and the lists of these (a pointer for every 256 tiles); queries on
//! other threads go on over the mesh they hold.
//!
//! What searches go by is derived from a tile when one first comes to it, on the thread that asks: 48 bytes for each
//! link over an edge. Snapshots share that as well.

mod access;
mod bulk;
mod entry;
mod index;
mod joints;
mod labels;
mod links;
mod off_mesh;
mod overlay;
mod page;
mod pipeline;
mod prepared;
mod race;
mod reachable;
mod seams;
mod waiting;
mod ways;

use crate::error::MeshError;
use crate::poly_ref::PolyRef;
use entry::TileEntry;
pub(crate) use entry::{Beyond, HalfEdge};
use glam::Vec3;
use index::{Index, Row};
use joints::Placed;
use navmath::Lattice;
use navmath::limit::check;
use navtile::{Tile, TileCoord};
use page::{Occupied, PAGE_SLOTS, Page, occupied, occupied_mut};
use seams::{Scratch, Seam, column_beyond, link_pair};
use std::sync::Arc;
use waiting::Waiting;

pub(crate) use labels::Labels;
pub use links::Link;
pub(crate) use links::Located;
pub use off_mesh::OffMesh;
pub(crate) use page::Occupied as LoadedTile;
pub use prepared::PreparedTile;
pub(crate) use ways::Way;

/// Tiles joined into one mesh. See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct NavMesh {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug, Default)]
struct Inner {
    anchor: [f64; 3],
    /// That of all tiles; none if there are no tiles.
    lattice: Option<Lattice>,
    pages: Vec<Arc<Page>>,
    /// As many pages from the first on have no free slot.
    full_pages: usize,
    index: Index,
    /// Where the off-mesh links of the tiles end.
    waiting: Waiting,
    /// The islands of all polygons.
    all: Labels,
    /// Those that registered filters see.
    registered: Vec<Labels>,
    scratch: Scratch,
}

impl Inner {
    #[inline]
    fn occupied(&self, slot: u32) -> Option<&Occupied> {
        occupied(&self.pages, slot)
    }

    fn occupied_mut(&mut self, slot: u32) -> Option<&mut Occupied> {
        occupied_mut(&mut self.pages, slot)
    }

    /// The lowest free slot; perhaps one of a page that is not there yet.
    fn free_slot(&self) -> usize {
        let slot = self.pages.get(self.full_pages).and_then(|page| page.free());
        self.full_pages * PAGE_SLOTS + slot.unwrap_or(0)
    }
}

impl NavMesh {
    /// A mesh without tiles, whose positions are relative to `anchor` (world metres). Put it near the tiles:
    /// f32 positions are coarser the farther they lie from it. The default is the world's zero.
    pub fn new(anchor: [f64; 3]) -> Result<NavMesh, MeshError> {
        if !anchor.iter().all(|v| v.is_finite()) {
            return Err(MeshError::Anchor(anchor));
        }
        Ok(NavMesh { inner: Arc::new(Inner { anchor, ..Inner::default() }) })
    }

    /// World position that this mesh's positions are relative to, metres.
    pub fn anchor(&self) -> [f64; 3] {
        self.inner.anchor
    }

    /// The lattice of the tiles; `None` if there are none.
    pub fn lattice(&self) -> Option<Lattice> {
        self.inner.lattice
    }

    /// A world position as a position of this mesh.
    pub fn from_world(&self, world: [f64; 3]) -> Vec3 {
        let anchor = self.inner.anchor;
        Vec3::from_array(std::array::from_fn(|axis| (world[axis] - anchor[axis]) as f32))
    }

    /// A position of this mesh as a world position.
    pub fn to_world(&self, position: Vec3) -> [f64; 3] {
        let position = position.to_array();
        std::array::from_fn(|axis| self.inner.anchor[axis] + f64::from(position[axis]))
    }

    /// Adds a tile and links it with its neighbours, and the off-mesh links that start or end in it. Refused, with
    /// the mesh as it was, if the tile is on another lattice than those already there, if its coordinate is taken,
    /// or if it lies too far from the anchor.
    pub fn add_tile(&mut self, tile: Tile) -> Result<(), MeshError> {
        self.check_free(tile.coord())?;
        let entry = Arc::new(TileEntry::new(tile, self.inner.anchor)?);
        self.add_entry(entry)
    }

    /// Removes a tile and the links to it; references to its polygons go stale.
    pub fn remove_tile(&mut self, coord: TileCoord) -> Result<Tile, MeshError> {
        if self.inner.index.slot(coord).is_none() {
            return Err(MeshError::NoTile(coord));
        }
        Arc::make_mut(&mut self.inner).remove(coord).map(|(tile, _)| tile).ok_or(MeshError::NoTile(coord))
    }

    /// Puts a tile in the place of the one at its coordinate, which is given back; references to that one's
    /// polygons go stale, and its run-time flags and areas are gone. Refused, with the mesh as it was, for the same
    /// reasons as in [`NavMesh::add_tile`], and if there is none to be replaced.
    pub fn replace_tile(&mut self, tile: Tile) -> Result<Tile, MeshError> {
        let entry = Arc::new(TileEntry::new(tile, self.inner.anchor)?);
        self.replace_entry(entry)
    }

    fn check_free(&self, coord: TileCoord) -> Result<(), MeshError> {
        match self.inner.index.slot(coord) {
            Some(_) => Err(MeshError::Duplicate(coord)),
            None => Ok(()),
        }
    }

    fn add_entry(&mut self, entry: Arc<TileEntry>) -> Result<(), MeshError> {
        self.check_free(entry.coord)?;
        check_lattice(&entry, self.inner.lattice)?;
        let free = self.inner.free_slot();
        check("tiles a mesh", free as u64 + 1, u64::from(PolyRef::MAX_SLOT) + 1, "bake larger tiles")?;
        Arc::make_mut(&mut self.inner).insert(entry, free);
        Ok(())
    }

    fn replace_entry(&mut self, entry: Arc<TileEntry>) -> Result<Tile, MeshError> {
        let coord = entry.coord;
        if self.inner.index.slot(coord).is_none() {
            return Err(MeshError::NoTile(coord));
        }
        // The only tile may make room for one on another lattice.
        check_lattice(&entry, self.inner.lattice.filter(|_| self.inner.index.len() > 1))?;
        let inner = Arc::make_mut(&mut self.inner);
        let (gone, slot) = inner.remove(coord).ok_or(MeshError::NoTile(coord))?;
        inner.insert(entry, slot as usize);
        Ok(gone)
    }
}

/// Whether a tile lies on the lattice of a mesh, if that has one.
fn check_lattice(entry: &TileEntry, lattice: Option<Lattice>) -> Result<(), MeshError> {
    let (coord, found) = (entry.coord, entry.lattice);
    match lattice.filter(|expected| *expected != found) {
        Some(expected) => Err(MeshError::Lattice { coord, expected, found }),
        None => Ok(()),
    }
}

impl Inner {
    /// Puts a tile into a free slot, at a free coordinate, and links it. Nothing here fails.
    fn insert(&mut self, entry: Arc<TileEntry>, free: usize) {
        let (coord, slot) = (entry.coord, free as u32);
        if free / PAGE_SLOTS == self.pages.len() {
            self.pages.push(Arc::new(Page::empty()));
        }
        let salt = Arc::make_mut(&mut self.pages[free / PAGE_SLOTS]).fill(free % PAGE_SLOTS, entry.clone());
        let is_full = |page: &Arc<Page>| page.free().is_none();
        self.full_pages += self.pages[self.full_pages..].iter().take_while(|page| is_full(page)).count();
        self.lattice = Some(entry.lattice);
        let block = self.index.insert(Row { coord, slot, bounds: entry.bounds });
        let here = Placed { entry: &entry, slot, salt };
        self.link_neighbours(here, block);
        self.join_links(here);
        self.relabel(|labels, inner| labels.attach(inner, slot));
    }

    /// Takes a tile out of its slot, with all that leads to it; `None` if there is none at that coordinate.
    fn remove(&mut self, coord: TileCoord) -> Option<(Tile, u32)> {
        let slot = self.index.slot(coord)?;
        self.relabel(|labels, inner| labels.detach(inner, slot));
        let page = slot as usize / PAGE_SLOTS;
        let gone = Arc::make_mut(self.pages.get_mut(page)?).vacate(slot as usize % PAGE_SLOTS)?;
        self.full_pages = self.full_pages.min(page);
        self.index.remove(coord)?;
        for (side, seam) in (0u8..).zip(&gone.seams) {
            let mut others: Vec<u32> = seam.links().iter().map(|link| link.to.slot()).collect();
            others.sort_unstable();
            others.dedup();
            for other in others {
                if let Some(other) = self.occupied_mut(other) {
                    other.seams[usize::from(Tile::opposite(side))].part(slot);
                }
            }
        }
        self.part_links(&gone.entry, &gone.joints, slot);
        if self.index.len() == 0 {
            self.lattice = None;
        }
        Some((gone.entry.tile.clone(), slot))
    }

    /// Changes the islands of all polygons, and those of every registered filter.
    fn relabel(&mut self, change: impl Fn(&mut Labels, &Inner)) {
        let mut all = std::mem::take(&mut self.all);
        let mut registered = std::mem::take(&mut self.registered);
        change(&mut all, self);
        registered.iter_mut().for_each(|labels| change(labels, self));
        (self.all, self.registered) = (all, registered);
    }

    /// Links a tile that was just put into its slot, and into this block of the index, with all its neighbours, both
    /// ways.
    fn link_neighbours(&mut self, here: Placed<'_>, block: usize) {
        let Inner { anchor, index, pages, scratch, .. } = self;
        for side in 0..4u8 {
            if here.entry.side_range(side).is_empty() {
                continue;
            }
            let Some((x, z)) = column_beyond(here.entry.coord, side) else { continue };
            for row in index.column_near(block, x, z) {
                let Some(other) = occupied(pages, row.slot) else { continue };
                let there = Placed { entry: &other.entry, slot: row.slot, salt: other.salt };
                if let Some([forth, back]) = link_pair(here, side, there, *anchor, scratch) {
                    add_seam(pages, here.slot, side, forth);
                    add_seam(pages, row.slot, Tile::opposite(side), back);
                }
            }
        }
    }
}

/// Puts the ways to a neighbour into a tile's seam.
fn add_seam(pages: &mut [Arc<Page>], slot: u32, side: u8, ways: Seam) {
    let Some(tile) = occupied_mut(pages, slot) else { return };
    let seam = &mut tile.seams[usize::from(side)];
    if seam.links().is_empty() {
        *seam = ways;
        return;
    }
    let mut seam = std::mem::take(seam);
    seam.add(ways.links(), |slot| occupied(pages, slot).map(|other| other.entry.coord));
    if let Some(tile) = occupied_mut(pages, slot) {
        tile.seams[usize::from(side)] = seam;
    }
}
