//! Reading a mesh: tiles, polygons, references, and the tiles at a place.

use super::fixed::FixedBox;
use super::{Inner, LoadedTile, NavMesh, Poly};
use crate::error::{RefError, RefProblem};
use crate::filter::{Attributes, CostModel, Uniformity};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::{Box3, FIXED_ONE};
use navtile::{Tile, TileCoord};
use std::sync::{Arc, Weak};

/// Recognises a snapshot without keeping its tiles loaded. By default it recognises none.
#[derive(Debug, Default)]
pub(crate) struct SnapshotId(Weak<Inner>);

impl SnapshotId {
    #[inline]
    pub(crate) fn is_of(&self, mesh: &NavMesh) -> bool {
        // The weak reference keeps the address from being used again.
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&mesh.inner))
    }

    /// Recognises this snapshot from now on. Costs nothing if it did so before: reference counts are shared
    /// between threads.
    #[inline]
    pub(crate) fn set(&mut self, mesh: &NavMesh) {
        if !self.is_of(mesh) {
            self.0 = Arc::downgrade(&mesh.inner);
        }
    }
}

impl NavMesh {
    /// Returns true if both are the same snapshot: one is a clone of the other, and neither was changed
    /// since. Constant time. Two meshes that were built separately are different, even if their contents are
    /// equal.
    ///
    /// ```
    /// # let tile = navscenes::baked_tile("two_rooms")?;
    /// let mut mesh = detour::NavMesh::default();
    /// mesh.add_tile(tile)?;
    /// let published = mesh.clone();
    /// assert!(published.is_same(&mesh));
    /// let polygon = mesh.polygons().next().ok_or("no polygons")?;
    /// mesh.set_flags(polygon, 1)?;
    /// assert!(!published.is_same(&mesh));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_same(&self, other: &NavMesh) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The promises of a cost model about all polygons and off-mesh links of this mesh.
    pub fn uniformity(&self, filter: &impl CostModel) -> Uniformity {
        match self.inner.kinds.few() {
            Some(kinds) => filter.uniform_on(kinds),
            None => Uniformity { per_metre: filter.uniform_cost(), passes_all: filter.passes_all() },
        }
    }

    /// Number of tiles.
    pub fn tile_count(&self) -> usize {
        self.inner.index.len()
    }

    /// Number of polygons of all tiles.
    pub fn polygon_count(&self) -> usize {
        self.tiles().map(|tile| tile.polygons().len()).sum()
    }

    /// The tile at a coordinate.
    pub fn tile(&self, coord: TileCoord) -> Option<&Tile> {
        let slot = self.inner.index.slot(coord)?;
        self.inner.loaded(slot).map(|tile| &tile.data.tile)
    }

    /// The tiles of all layers at a column and row of the grid of tiles, by layer.
    pub fn column(&self, x: i32, z: i32) -> impl Iterator<Item = &Tile> {
        let rows = self.inner.index.column(x, z).iter();
        rows.filter_map(|row| self.inner.loaded(row.slot)).map(|tile| &tile.data.tile)
    }

    /// All tiles, in the order of their slots.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.slots().map(|(_, tile)| &tile.data.tile)
    }

    /// All polygons, tile by tile in the order of their slots.
    pub fn polygons(&self) -> impl Iterator<Item = PolyRef> {
        self.slots().flat_map(|(slot, tile)| {
            let count = tile.data.tile.polygons().len() as u32;
            (0..count).map(move |polygon| PolyRef::from_checked(tile.salt, slot, polygon))
        })
    }

    /// The reference of a tile's polygon by its index, or of an off-mesh link, whose numbers follow those of
    /// the polygons; `None` if there is no such tile or polygon.
    pub fn reference(&self, coord: TileCoord, index: u32) -> Option<PolyRef> {
        let slot = self.inner.index.slot(coord)?;
        let tile = self.inner.loaded(slot)?;
        (index < tile.surface.node_count()).then(|| PolyRef::from_checked(tile.salt, slot, index))
    }

    /// The box around all vertices, metres from the anchor; empty without vertices.
    pub fn bounds(&self) -> Box3 {
        Box3::around(self.slots().flat_map(|(_, tile)| tile.data.extent(self.anchor()).into_iter().flatten()))
    }

    /// The tile that a polygon belongs to, and the polygon's index in it.
    pub fn tile_of(&self, polygon: PolyRef) -> Result<(&Tile, u32), RefError> {
        let poly = self.locate(polygon)?;
        Ok((&poly.tile.data.tile, poly.index()))
    }

    /// The current flags and area of a polygon or an off-mesh link.
    pub fn attributes(&self, polygon: PolyRef) -> Result<Attributes, RefError> {
        Ok(self.locate_node(polygon)?.attributes())
    }

    /// A polygon's corners, metres from the anchor; its interior is to the left of its edges.
    pub fn corners(&self, polygon: PolyRef) -> Result<impl ExactSizeIterator<Item = Vec3> + '_, RefError> {
        let poly = self.locate(polygon)?;
        Ok(poly.tile.surface.edges(poly.index()).map(|(edge, ..)| edge.at()))
    }

    /// Looks up a reference to a polygon, or returns the reason why it does not name one.
    #[inline]
    pub(crate) fn locate(&self, reference: PolyRef) -> Result<Poly<'_>, RefError> {
        let poly = self.locate_node(reference)?;
        if poly.is_off_mesh() {
            return Err(RefError { reference, problem: RefProblem::OffMeshLink });
        }
        Ok(poly)
    }

    /// Looks up a reference to a polygon or an off-mesh link, or returns the reason why it names nothing.
    #[inline]
    pub(crate) fn locate_node(&self, reference: PolyRef) -> Result<Poly<'_>, RefError> {
        let fail = |problem| Err(RefError { reference, problem });
        let Some(tile) = self.inner.loaded(reference.slot()) else {
            return fail(RefProblem::NotLoaded);
        };
        if tile.salt != reference.salt() {
            return fail(RefProblem::Stale);
        }
        if reference.polygon() >= tile.surface.node_count() {
            return fail(RefProblem::NoSuchPolygon);
        }
        Ok(Poly { tile, reference })
    }

    /// [`NavMesh::locate_node`], quick if the node before it is in the same tile.
    #[inline]
    pub(crate) fn locate_after<'a>(
        &'a self,
        before: Option<Poly<'a>>,
        reference: PolyRef,
    ) -> Result<Poly<'a>, RefError> {
        match before {
            Some(poly) if reference.is_of_tile_of(poly.reference) => Ok(poly.sibling(reference)),
            _ => self.locate_node(reference),
        }
    }

    /// Converts a position of the mesh to 1/256 cells from a tile's base cell.
    pub(crate) fn to_tile(&self, tile: &LoadedTile, position: Vec3) -> [f64; 3] {
        let (header, world) = (tile.data.tile.header(), self.to_world(position));
        let cell = tile.data.tile.lattice().cell();
        std::array::from_fn(|axis| {
            let cells = (world[axis] - header.origin[axis]) / cell[axis] - header.base_cell[axis] as f64;
            cells * f64::from(FIXED_ONE)
        })
    }

    /// The tile in a slot.
    pub(crate) fn slot(&self, slot: u32) -> Option<&LoadedTile> {
        self.inner.loaded(slot)
    }

    /// All slots that hold a tile.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u32, &LoadedTile)> {
        let slots = self.inner.pages.iter().flat_map(|page| page.slots.iter()).enumerate();
        slots.filter_map(|(slot, content)| content.tile.as_ref().map(|tile| (slot as u32, tile)))
    }

    /// The tiles that meet a box of positions, with the box in global fixed-point units.
    pub(crate) fn tiles_in_box(
        &self,
        min: Vec3,
        max: Vec3,
        mut visit: impl FnMut(u32, &LoadedTile, &FixedBox),
    ) {
        let Some(to_fixed) = &self.inner.to_fixed else { return };
        let global = to_fixed.around(min, max);
        self.inner.index.visit_overlapping(&global, |row| {
            let Some(tile) = self.inner.loaded(row.slot) else { return };
            visit(row.slot, tile, &global);
        });
    }
}
