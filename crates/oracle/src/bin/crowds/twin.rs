//! The C++ library's copy of our mesh. It follows our mesh: doors shut, tiles are removed and added again.

use crate::walkers::CrowdsError;
use detour::{NavMesh, Vec3};
use navinterop::RefWidth;
use navinterop::detour as bytes;
use navinterop::export::{Change, export};
use navtile::{Tile, TileCoord};
use oracle::runtime::RuntimeError;
use oracle::runtime::load::{buffer, empty};
use recastnavigation_rs::detour as cpp;
use std::collections::BTreeMap;

/// The flag of shut doors. The scenarios' flag, 2^31, is beyond the sixteen bits that Detour has.
pub(crate) const SHUT: u16 = 1 << 15;

/// Largest distance of a place from its polygon, metres: sideways, and in height.
const REACH: [f32; 2] = [0.3, 0.5];

/// Node limit of its queries; the search for the nearest polygon needs no nodes.
const NODES: usize = 16;

/// A tile of the C++ library.
#[derive(Debug)]
struct TwinTile {
    bytes: Vec<u8>,
    polygons: usize,
    /// `None` while the tile is removed.
    reference: Option<cpp::DtTileRef>,
}

/// The C++ library's copy of a mesh of ours, anchored at the world's zero.
#[derive(Debug)]
pub(crate) struct Twin {
    pub(crate) mesh: cpp::DtNavMesh,
    query: cpp::DtNavMeshQuery,
    tiles: BTreeMap<TileCoord, TwinTile>,
}

impl Twin {
    /// Loads tiles.
    ///
    /// Errors: polygons that an export splits, and whatever it refuses.
    pub(crate) fn new(tiles: &[Tile]) -> Result<Twin, CrowdsError> {
        let exported = export(tiles, RefWidth::Bits32).map_err(RuntimeError::from)?;
        let split = |change: &Change| matches!(change, Change::Split { .. });
        if exported.diagnostics.iter().any(|diagnostic| split(&diagnostic.change)) {
            return Err(RuntimeError::Split.into());
        }
        let mut sorted: Vec<&Tile> = tiles.iter().filter(|tile| !tile.polygons().is_empty()).collect();
        sorted.sort_by_key(|tile| tile.coord());
        let mesh = empty(&exported.set)?;
        let query = cpp::DtNavMeshQuery::with_mesh(&mesh, NODES).map_err(RuntimeError::from)?;
        let mut twin = Twin { mesh, query, tiles: BTreeMap::new() };
        for (tile, theirs) in sorted.into_iter().zip(&exported.set.tiles) {
            let bytes = bytes::write(&theirs.tile, exported.set.encoding).map_err(RuntimeError::from)?;
            let mut own = TwinTile { bytes, polygons: tile.polygons().len(), reference: None };
            own.put(&mut twin.mesh)?;
            twin.tiles.insert(tile.coord(), own);
        }
        Ok(twin)
    }

    /// Makes it equal to our current mesh: its tiles, and the flags of its polygons.
    pub(crate) fn follow(&mut self, ours: &NavMesh) -> Result<(), CrowdsError> {
        for (coord, own) in &mut self.tiles {
            match (ours.tile(*coord).is_some(), own.reference) {
                (true, None) => own.put(&mut self.mesh)?,
                (false, Some(reference)) => {
                    self.mesh.remove_tile(reference).map_err(RuntimeError::from)?;
                    own.reference = None;
                }
                _ => {}
            }
            let Some(reference) = own.reference else { continue };
            for index in 0..own.polygons as u32 {
                let Some(polygon) = ours.reference(*coord, index) else { continue };
                let flags = ours.attributes(polygon).map_err(RuntimeError::from)?.flags;
                let shut = if flags >> 31 == 1 { SHUT } else { 0 };
                // The C++ library would not let anyone pass a polygon without flags.
                let flags = (flags as u16 & !SHUT | shut).max(1);
                let theirs = cpp::DtPolyRef(reference.0 | index);
                self.mesh.set_poly_flags(theirs, flags).map_err(RuntimeError::from)?;
            }
        }
        Ok(())
    }

    /// Replaces a tile by itself. Agents on it, or with a path over it, notice.
    pub(crate) fn replace(&mut self, [x, z, layer]: [i32; 3]) -> Result<(), CrowdsError> {
        let Some(own) = self.tiles.get_mut(&TileCoord { x, z, layer }) else { return Ok(()) };
        if let Some(reference) = own.reference.take() {
            self.mesh.remove_tile(reference).map_err(RuntimeError::from)?;
            own.put(&mut self.mesh)?;
        }
        Ok(())
    }

    /// The polygon at a place, and the point on it; `None` without ground there.
    pub(crate) fn nearest(&self, point: Vec3) -> Result<Option<(cpp::DtPolyRef, [f32; 3])>, CrowdsError> {
        let [beside, height] = REACH;
        let (point, everywhere) = (point.to_array(), cpp::DtQueryFilter::default());
        let found = self.query.find_nearest_poly_1(&point, &[beside, height, beside], &everywhere);
        let found = found.map_err(RuntimeError::from)?;
        Ok(Some(found).filter(|(polygon, _)| polygon.0 != 0))
    }
}

impl TwinTile {
    fn put(&mut self, mesh: &mut cpp::DtNavMesh) -> Result<(), CrowdsError> {
        let added = mesh.add_tile(buffer(&self.bytes)?, cpp::DtTileRef(0));
        self.reference = Some(added.map_err(RuntimeError::from)?);
        Ok(())
    }
}
