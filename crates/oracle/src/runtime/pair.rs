//! The same tiles in both libraries, with common numbers for their polygons.

use super::RuntimeError;
use super::graph::Graph;
use super::load::load;
use detour::{Filter, NavMesh, PolyRef};
use navinterop::export::{Change, export};
use navinterop::{Foreign, RefWidth, import_files};
use navtile::Tile;
use recastnavigation_rs::detour as cpp;
use std::collections::BTreeMap;

/// Costs per metre, by area in turn, for every second question about costs.
const COSTS: [f32; 4] = [1.0, 1.5, 3.0, 7.0];
/// Areas that both libraries know.
const AREAS: u8 = 64;

/// The tiles with the polygons that Detour has of them: exported, which cuts some, and imported again.
pub fn for_detour(tiles: &[Tile]) -> Result<Vec<Tile>, RuntimeError> {
    let set = export(tiles, RefWidth::Bits32)?.set;
    Ok(import_files(vec![Foreign::Set(set)])?.tiles)
}

/// The same tiles in both libraries. A polygon's number is its index among our references.
#[derive(Debug)]
pub struct Pair {
    /// Our mesh, anchored at the world's zero, so that its positions equal the other's positions.
    pub ours: NavMesh,
    /// The C++ library's.
    pub theirs: cpp::DtNavMesh,
    /// Links between polygons by our mesh.
    pub exact: Graph,
    /// Links between polygons by the C++ library's mesh.
    pub bytes: Graph,
    references: Vec<(PolyRef, cpp::DtPolyRef)>,
    numbers: BTreeMap<PolyRef, usize>,
    their_numbers: BTreeMap<u32, usize>,
}

impl Pair {
    /// Loads tiles into both. Polygons without flags get flag 1 in both, because the C++ library would not
    /// let anyone pass.
    ///
    /// Errors: no polygons; polygons that an export splits (see [`for_detour`]); off-mesh
    /// links, which are not compared; and anything that either library refuses.
    pub fn new(tiles: &[Tile]) -> Result<Pair, RuntimeError> {
        let exported = export(tiles, RefWidth::Bits32)?;
        let split = |change: &Change| matches!(change, Change::Split { .. });
        if exported.diagnostics.iter().any(|diagnostic| split(&diagnostic.change)) {
            return Err(RuntimeError::Split);
        }
        if tiles.iter().any(|tile| !tile.off_mesh_links().is_empty()) {
            return Err(RuntimeError::OffMesh);
        }
        let mut ours = NavMesh::default();
        let mut sorted: Vec<&Tile> = tiles.iter().collect();
        sorted.sort_by_key(|tile| tile.coord());
        for tile in sorted {
            ours.add_tile(tile.clone())?;
        }
        let polygons: Vec<PolyRef> = ours.polygons().collect();
        for &polygon in &polygons {
            let flags = ours.attributes(polygon)?.flags;
            ours.set_flags(polygon, flags.max(1))?;
        }
        let theirs = load(&exported.set)?;
        let mut their_polygons = Vec::with_capacity(polygons.len());
        for tile in &exported.set.tiles {
            let count = tile.tile.polygons.len() as u64;
            for reference in tile.tile_ref..tile.tile_ref + count {
                let wide = |_| RuntimeError::Wide(reference);
                their_polygons.push(cpp::DtPolyRef(u32::try_from(reference).map_err(wide)?));
            }
        }
        if their_polygons.len() != polygons.len() {
            return Err(RuntimeError::Counts { ours: polygons.len(), theirs: their_polygons.len() });
        }
        let numbers: BTreeMap<PolyRef, usize> = polygons.iter().copied().zip(0..).collect();
        let their_numbers = their_polygons.iter().map(|reference| reference.0).zip(0..).collect();
        let bytes = Graph::of_theirs(&theirs, &their_polygons, &their_numbers)?;
        let exact = Graph::of_ours(&ours, &numbers)?.with_nodes_of(&bytes);
        let references = polygons.into_iter().zip(their_polygons).collect();
        Ok(Pair { ours, theirs, exact, bytes, references, numbers, their_numbers })
    }

    /// The height that agents can step over, metres.
    pub fn climb(&self) -> f32 {
        self.ours.tiles().next().map_or(0.0, |tile| tile.header().agent[2])
    }

    /// Number of polygons.
    pub fn len(&self) -> usize {
        self.references.len()
    }

    /// Returns true if there are no polygons, which never happens.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// Our reference to a polygon.
    pub fn our_ref(&self, number: usize) -> PolyRef {
        self.references[number].0
    }

    /// The C++ library's reference to a polygon.
    pub fn their_ref(&self, number: usize) -> cpp::DtPolyRef {
        self.references[number].1
    }

    /// The number of a polygon of ours.
    pub fn number(&self, reference: PolyRef) -> Option<usize> {
        self.numbers.get(&reference).copied()
    }

    /// The number of a polygon of the C++ library's; `None` for its null reference.
    pub fn their_number(&self, reference: cpp::DtPolyRef) -> Option<usize> {
        self.their_numbers.get(&reference.0).copied()
    }

    /// Numbers of a row of polygons of ours.
    pub fn numbers(&self, references: &[PolyRef]) -> Vec<usize> {
        references.iter().filter_map(|&reference| self.number(reference)).collect()
    }

    /// Numbers of a row of polygons of the C++ library's.
    pub fn their_numbers(&self, references: &[cpp::DtPolyRef]) -> Vec<usize> {
        references.iter().filter_map(|&reference| self.their_number(reference)).collect()
    }
}

/// Filters with the same costs for both libraries.
#[derive(Clone, Debug)]
pub struct Filters {
    /// Ours.
    pub ours: Filter,
    /// The C++ library's.
    pub theirs: cpp::DtQueryFilter,
}

impl Filters {
    /// Filters in which a metre costs 1 everywhere or, if `costly`, one of `COSTS` by area.
    pub fn new(costly: bool) -> Result<Filters, RuntimeError> {
        let mut filters = Filters { ours: Filter::default(), theirs: cpp::DtQueryFilter::default() };
        if costly {
            for area in 0..AREAS {
                let cost = COSTS[usize::from(area) % COSTS.len()];
                filters.ours = filters.ours.with_area_cost(area, cost)?;
                filters.theirs.area_cost[usize::from(area)] = cost;
            }
        }
        Ok(filters)
    }

    /// The cost of a metre in an area.
    pub fn cost(&self, area: u8) -> f64 {
        f64::from(self.ours.area_cost(area))
    }
}
