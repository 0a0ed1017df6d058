//! The costs between the doors of a cluster of the first level, measured on its tiles.
//!
//! One field from each door gives the costs to all others. Paths stay inside the cluster, so its costs change
//! only with its own tiles.

use crate::costs::{Cost, UNITS, pack, whole};
use crate::tiles::{TilePolygon, leads_one_way};
use detour::{CostModel, Field, Filter, MeshError, NavMesh, Place, Query, QueryError, Vec3};
use navtile::Tile;
use std::num::NonZeroU32;

/// Nodes of a search in one cluster: more than its polygons have windows.
const MOST_NODES: NonZeroU32 = NonZeroU32::new(1 << 20).expect("not zero");

/// A door on the mesh of its cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoorPlace {
    pub(crate) polygon: TilePolygon,
    /// World metres.
    pub(crate) point: [f64; 3],
}

/// Scratch memory for measuring.
pub(crate) struct Measure {
    query: Query,
    field: Field,
}

/// Costs that cannot be measured, although all tiles are sound.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeasureError {
    /// The tiles of a cluster do not make a mesh.
    Mesh(MeshError),
    /// A search failed.
    Query(QueryError),
}

impl From<MeshError> for MeasureError {
    fn from(error: MeshError) -> MeasureError {
        MeasureError::Mesh(error)
    }
}

impl From<QueryError> for MeasureError {
    fn from(error: QueryError) -> MeasureError {
        MeasureError::Query(error)
    }
}

impl Measure {
    pub(crate) fn new() -> Measure {
        Measure { query: Query::with_max_nodes(MOST_NODES), field: Field::default() }
    }

    /// The mesh of a cluster, around its doors or its first tile.
    pub(crate) fn mesh(tiles: Vec<Tile>) -> Result<NavMesh, MeasureError> {
        let anchor = tiles.first().map_or([0.0; 3], |tile| tile.to_world([0; 3]));
        let mut mesh = NavMesh::new(anchor)?;
        mesh.add_tiles(tiles)?;
        Ok(mesh)
    }

    /// The packed costs between doors for one filter.
    pub(crate) fn costs(
        &mut self,
        mesh: &NavMesh,
        doors: &[DoorPlace],
        filter: &Filter,
    ) -> Result<Vec<u16>, MeasureError> {
        let count = doors.len();
        let places: Vec<Option<Place>> = doors.iter().map(|door| place_of(mesh, door, filter)).collect();
        let goes_back = !mesh.tiles().any(|tile| leads_one_way(tile, |end| mesh.tile(end).is_some()));
        let mut costs: Vec<Option<Cost>> = vec![None; count * count];
        for (to, goal) in places.iter().enumerate() {
            costs[to * count + to] = Some(0);
            let others = if goes_back { to + 1..count } else { 0..count };
            let Some(goal) = goal.filter(|_| !others.is_empty()) else { continue };
            self.query.field(mesh, &[goal], f32::INFINITY, filter, &mut self.field)?;
            for from in others.filter(|from| *from != to) {
                let Some(place) = places[from] else { continue };
                let cost = self.field.distance(mesh, place).map(|cost| rounded_up(f64::from(cost)));
                costs[from * count + to] = cost;
                if goes_back {
                    costs[to * count + from] = cost;
                }
            }
        }
        let mut packed = Vec::new();
        pack(count, true, |from, to| costs[from * count + to], &mut packed);
        Ok(packed)
    }
}

/// A cost in units of the search, rounded up.
pub(crate) fn rounded_up(cost: f64) -> Cost {
    // Fields round costs to f32: to one part in 16 million.
    whole((cost * UNITS * (1.0 + f64::from(f32::EPSILON))).ceil())
}

/// The place of a door on a mesh that has its tile; `None` if the filter keeps agents from entering there.
fn place_of(mesh: &NavMesh, door: &DoorPlace, filter: &Filter) -> Option<Place> {
    let polygon = mesh.reference(door.polygon.tile, door.polygon.polygon)?;
    let point: Vec3 = mesh.from_world(door.point);
    filter.passes(&mesh.attributes(polygon).ok()?).then_some(Place { polygon, point })
}

impl std::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MeasureError::Mesh(error) => error.fmt(f),
            MeasureError::Query(error) => error.fmt(f),
        }
    }
}
