//! The mesh: a snapshot of tiles, the links across their seams, and run-time flags and areas.
//!
//! A clone shares everything and costs one reference count. A change to a shared mesh copies the page of 256
//! slots it touches, a block of the index and the two lists of these (a pointer for every 256 tiles); queries on
//! other threads go on over the mesh they hold.

mod entry;
mod index;
mod links;
mod page;
mod seams;

use crate::error::{MeshError, RefError, RefProblem};
use crate::filter::Attributes;
use crate::poly_ref::PolyRef;
use entry::{FixedBox, TileEntry};
use glam::Vec3;
use index::{Index, Row};
use navmath::limit::check;
use navmath::{Box3, FIXED_ONE, Lattice};
use navtile::{Tile, TileCoord};
use page::{Occupied, PAGE_SLOTS, Page};
use seams::{Seam, column_beyond, link_pair};
use std::sync::Arc;

pub use links::Link;
pub(crate) use links::Located;
pub(crate) use page::Occupied as LoadedTile;

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
    index: Index,
}

impl Inner {
    #[inline]
    fn occupied(&self, slot: u32) -> Option<&Occupied> {
        let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
        self.pages.get(page)?.slots[slot].occupied.as_ref()
    }

    fn occupied_mut(&mut self, slot: u32) -> Option<&mut Occupied> {
        let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
        Arc::make_mut(self.pages.get_mut(page)?).slots[slot].occupied.as_mut()
    }

    /// The lowest free slot; perhaps one of a page that is not there yet.
    fn free_slot(&self) -> usize {
        let page = self.pages.iter().position(|page| page.occupied < PAGE_SLOTS).unwrap_or(self.pages.len());
        let slots = self.pages.get(page).map(|page| &page.slots);
        let slot = slots.and_then(|slots| slots.iter().position(|slot| slot.occupied.is_none()));
        page * PAGE_SLOTS + slot.unwrap_or(0)
    }

    /// Takes out of a tile's seams those that `keep` refuses, and puts `more` in.
    fn edit_seams(&mut self, slot: u32, keep: impl Fn(&Seam) -> bool, more: Option<Seam>) {
        let Some(occupied) = self.occupied_mut(slot) else { return };
        let mut seams: Vec<Seam> = occupied.seams.iter().filter(|seam| keep(seam)).cloned().collect();
        seams.extend(more);
        seams.sort_by_key(|seam| (seam.side, seam.neighbour));
        occupied.seams = seams.into();
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

    /// Adds a tile and links it with its neighbours. Refused, with the mesh as it was, if the tile is on another
    /// lattice than those already there, if its coordinate is taken, or if it lies too far from the anchor.
    pub fn add_tile(&mut self, tile: Tile) -> Result<(), MeshError> {
        let (coord, found, anchor) = (tile.coord(), tile.lattice(), self.inner.anchor);
        if let Some(expected) = self.inner.lattice.filter(|expected| *expected != found) {
            return Err(MeshError::Lattice { coord, expected, found });
        }
        if self.inner.index.slot(coord).is_some() {
            return Err(MeshError::Duplicate(coord));
        }
        let entry = Arc::new(TileEntry::new(tile, anchor)?);
        let free = self.inner.free_slot();
        check("tiles a mesh", free as u64 + 1, u64::from(PolyRef::MAX_SLOT) + 1, "bake larger tiles")?;
        let slot = free as u32;

        // From here on nothing fails.
        let inner = Arc::make_mut(&mut self.inner);
        if free / PAGE_SLOTS == inner.pages.len() {
            inner.pages.push(Arc::new(Page::empty()));
        }
        let page = Arc::make_mut(&mut inner.pages[free / PAGE_SLOTS]);
        page.occupied += 1;
        let place = &mut page.slots[free % PAGE_SLOTS];
        let salt = place.next_salt;
        place.occupied = Some(Occupied { entry: entry.clone(), seams: Arc::new([]), overlay: None, salt });
        inner.lattice = Some(found);
        inner.index.insert(Row { coord, slot, bounds: entry.bounds });
        link_neighbours(inner, &entry, slot, salt);
        Ok(())
    }

    /// Removes a tile and the links to it; references to its polygons go stale.
    pub fn remove_tile(&mut self, coord: TileCoord) -> Result<Tile, MeshError> {
        if self.inner.index.slot(coord).is_none() {
            return Err(MeshError::NoTile(coord));
        }
        let inner = Arc::make_mut(&mut self.inner);
        let row = inner.index.remove(coord).ok_or(MeshError::NoTile(coord))?;
        let page = Arc::make_mut(&mut inner.pages[row.slot as usize / PAGE_SLOTS]);
        let gone = page.slots[row.slot as usize % PAGE_SLOTS].vacate().ok_or(MeshError::NoTile(coord))?;
        page.occupied -= 1;
        for seam in gone.seams.iter() {
            inner.edit_seams(seam.slot, |other| other.slot != row.slot, None);
        }
        if inner.index.len() == 0 {
            inner.lattice = None;
        }
        Ok(gone.entry.tile.clone())
    }

    /// How many tiles there are.
    pub fn tile_count(&self) -> usize {
        self.inner.index.len()
    }

    /// How many polygons there are in all tiles.
    pub fn polygon_count(&self) -> usize {
        self.tiles().map(|tile| tile.polygons().len()).sum()
    }

    /// The tile at a coordinate.
    pub fn tile(&self, coord: TileCoord) -> Option<&Tile> {
        let slot = self.inner.index.slot(coord)?;
        self.inner.occupied(slot).map(|occupied| &occupied.entry.tile)
    }

    /// All tiles, in the order of their slots.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.slots().map(|(_, occupied)| &occupied.entry.tile)
    }

    /// All polygons, tile by tile in the order of their slots.
    pub fn polygons(&self) -> impl Iterator<Item = PolyRef> {
        self.slots().flat_map(|(slot, occupied)| {
            let count = occupied.entry.tile.polygons().len() as u32;
            (0..count).map(move |polygon| PolyRef::from_checked(occupied.salt, slot, polygon))
        })
    }

    /// The box around all vertices, metres from the anchor; empty if there are none.
    pub fn bounds(&self) -> Box3 {
        Box3::around(self.slots().flat_map(|(_, occupied)| occupied.entry.vertices.iter().copied()))
    }

    /// The tile that a polygon belongs to, and the polygon's index there.
    pub fn tile_of(&self, polygon: PolyRef) -> Result<(&Tile, u32), RefError> {
        let located = self.locate(polygon)?;
        Ok((&located.occupied.entry.tile, located.index()))
    }

    /// A polygon's flags and area as they are now.
    pub fn attributes(&self, polygon: PolyRef) -> Result<Attributes, RefError> {
        Ok(self.locate(polygon)?.attributes())
    }

    /// A polygon's corners, metres from the anchor; interior to the left of its edges.
    pub fn corners(&self, polygon: PolyRef) -> Result<impl ExactSizeIterator<Item = Vec3> + '_, RefError> {
        let located = self.locate(polygon)?;
        let entry = &located.occupied.entry;
        let edges = entry.tile.polygon_edges(entry.polygon(located.index()));
        Ok(edges.iter().map(move |edge| entry.vertices[edge.vertex as usize]))
    }

    /// Gives a polygon other flags, in this snapshot and those made from it; the blob keeps its own.
    pub fn set_flags(&mut self, polygon: PolyRef, flags: u32) -> Result<(), MeshError> {
        self.change(polygon, |values| values.0 = flags)
    }

    /// Gives a polygon another area, 1..=255, in this snapshot and those made from it.
    pub fn set_area(&mut self, polygon: PolyRef, area: u8) -> Result<(), MeshError> {
        if area == 0 {
            return Err(MeshError::AreaZero(polygon));
        }
        self.change(polygon, |values| values.1 = area)
    }

    fn change(&mut self, polygon: PolyRef, change: impl FnOnce(&mut (u32, u8))) -> Result<(), MeshError> {
        self.locate(polygon)?;
        if let Some(occupied) = Arc::make_mut(&mut self.inner).occupied_mut(polygon.slot()) {
            change(&mut occupied.overlay_mut().values[polygon.polygon() as usize]);
        }
        Ok(())
    }

    /// Looks a reference up, or says why it names nothing.
    #[inline]
    pub(crate) fn locate(&self, reference: PolyRef) -> Result<Located<'_>, RefError> {
        let fail = |problem| Err(RefError { reference, problem });
        let Some(occupied) = self.inner.occupied(reference.slot()) else {
            return fail(RefProblem::NotLoaded);
        };
        if occupied.salt != reference.salt() {
            return fail(RefProblem::Stale);
        }
        if reference.polygon() as usize >= occupied.entry.tile.polygons().len() {
            return fail(RefProblem::NoSuchPolygon);
        }
        Ok(Located { occupied, reference })
    }

    /// All slots that hold a tile.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u32, &LoadedTile)> {
        let slots = self.inner.pages.iter().flat_map(|page| page.slots.iter()).enumerate();
        slots.filter_map(|(slot, content)| content.occupied.as_ref().map(|occupied| (slot as u32, occupied)))
    }

    /// The tiles that meet a box of positions, with the box in fixed-point units relative to each.
    pub(crate) fn tiles_in_box(
        &self,
        min: Vec3,
        max: Vec3,
        mut visit: impl FnMut(u32, &LoadedTile, &FixedBox),
    ) {
        let Some(lattice) = self.inner.lattice else { return };
        let global = self.to_fixed_box(&lattice, min, max);
        for row in self.inner.index.overlapping(&global) {
            let Some(occupied) = self.inner.occupied(row.slot) else { continue };
            let base = occupied.entry.tile.header().base_cell.map(|cell| cell * i64::from(FIXED_ONE));
            let local =
                |corner: [i64; 3]| std::array::from_fn(|axis| corner[axis].saturating_sub(base[axis]));
            visit(row.slot, occupied, &FixedBox { min: local(global.min), max: local(global.max) });
        }
    }

    /// The smallest box of whole units around a box of positions. Positions off the map saturate.
    fn to_fixed_box(&self, lattice: &Lattice, min: Vec3, max: Vec3) -> FixedBox {
        let (cell, min, max) = (lattice.cell(), self.to_world(min), self.to_world(max));
        let units =
            |world: f64, axis: usize| (world - lattice.origin[axis]) / cell[axis] * f64::from(FIXED_ONE);
        FixedBox {
            min: std::array::from_fn(|axis| units(min[axis], axis).floor() as i64),
            max: std::array::from_fn(|axis| units(max[axis], axis).ceil() as i64),
        }
    }
}

/// Links a tile that was just put into its slot with all its neighbours, both ways.
fn link_neighbours(inner: &mut Inner, entry: &Arc<TileEntry>, slot: u32, salt: u32) {
    let coord = entry.tile.coord();
    for side in 0..4u8 {
        let Some((x, z)) = column_beyond(coord, side) else { continue };
        let rows: Vec<Row> = inner.index.column(x, z).to_vec();
        for row in rows {
            let Some(other) = inner.occupied(row.slot) else { continue };
            let other_salt = other.salt;
            let [forth, back] = link_pair(entry, side, &other.entry, inner.anchor);
            if forth.is_empty() {
                continue;
            }
            let to_other =
                Seam { side, neighbour: row.coord, slot: row.slot, salt: other_salt, links: Arc::new(forth) };
            let to_this =
                Seam { side: Tile::opposite(side), neighbour: coord, slot, salt, links: Arc::new(back) };
            inner.edit_seams(slot, |_| true, Some(to_other));
            inner.edit_seams(row.slot, |_| true, Some(to_this));
        }
    }
}
