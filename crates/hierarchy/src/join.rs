//! The costs between a place and the doors of its cluster, from its tiles.

use crate::block::Jump;
use crate::costs::Cost;
use crate::grid::{ClusterCoord, fixed, world};
use crate::level::{Door, DoorId, Level};
use crate::measure::rounded_up;
use crate::search::Node;
use crate::tiles::{TilePolygon, leads_one_way};
use crate::within::Guide;
use crate::{FarError, Hierarchy};
use detour::{CostModel, Field, Filter, NavMesh, Place, Query};
use navmath::FIXED_ONE;
use navtile::layout::{Portal, side};
use navtile::{Tile, TileCoord};

/// A start or a goal: a place on a mesh that has all tiles of the cluster around it. The two meshes of a
/// plan may differ.
#[derive(Clone, Copy, Debug)]
pub struct FarPlace<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The place on it.
    pub place: Place,
}

/// Scratch memory for joining.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    query: Query,
    field: Field,
}

/// A place joined to the doors of its cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    pub(crate) cluster: u32,
    pub(crate) coord: ClusterCoord,
    /// 1/256 cell of the lattice.
    pub(crate) place: [i64; 3],
    /// World metres.
    pub(crate) world: [f64; 3],
    pub(crate) doors: Vec<(DoorId, Cost)>,
}

impl Joined {
    /// Its doors.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (Node, Cost)> {
        self.doors.iter().map(|&(door, cost)| (Node { level: 0, door }, cost))
    }
}

impl Joiner {
    /// The costs from a place to the doors of its cluster, or to the place from them.
    pub(crate) fn join(
        &mut self,
        hierarchy: &Hierarchy,
        filter: &Filter,
        at: &FarPlace<'_>,
        backwards: bool,
    ) -> Result<Joined, FarError> {
        let (tile, _) = at.mesh.tile_of(at.place.polygon)?;
        hierarchy.check_grid(at.mesh, tile)?;
        let coord = hierarchy.grid.cluster_of(tile.coord(), 0);
        let level = &hierarchy.levels[0];
        let cluster = level.find(coord).ok_or(FarError::UnknownTile(tile.coord()))?;
        let world = at.mesh.to_world(at.place.point);
        let place = fixed(&hierarchy.lattice, world);
        let mut joined = Joined { cluster, coord, place, world, doors: Vec::new() };
        let model = Guide::new(hierarchy, filter, at.mesh, [coord]);
        let doors = hierarchy.places_on(level, cluster, at.mesh);
        if backwards || !hierarchy.leads_one_way(coord, at.mesh) {
            self.query.field(at.mesh, &[at.place], f32::INFINITY, &model, &mut self.field)?;
            for (door, place) in doors {
                if model.passes(&at.mesh.attributes(place.polygon)?) {
                    let cost = self.field.distance(at.mesh, place);
                    joined.doors.extend(cost.map(|cost| (door, rounded_up(cost.into()))));
                }
            }
        } else {
            for (door, place) in doors {
                self.query.field(at.mesh, &[place], f32::INFINITY, &model, &mut self.field)?;
                let cost = self.field.distance(at.mesh, at.place);
                joined.doors.extend(cost.map(|cost| (door, rounded_up(cost.into()))));
            }
        }
        Ok(joined)
    }

    /// The cost between two places of one cluster by a path inside of it.
    pub(crate) fn direct(
        &mut self,
        hierarchy: &Hierarchy,
        filter: &Filter,
        start: &FarPlace<'_>,
        goal: &FarPlace<'_>,
    ) -> Result<Option<Cost>, FarError> {
        let (tile, polygon) = goal.mesh.tile_of(goal.place.polygon)?;
        let cluster = hierarchy.grid.cluster_of(tile.coord(), 0);
        let mesh = start.mesh;
        let Some(polygon) = mesh.reference(tile.coord(), polygon) else { return Ok(None) };
        let point = mesh.from_world(goal.mesh.to_world(goal.place.point));
        let model = Guide::new(hierarchy, filter, mesh, [cluster]);
        self.query.field(mesh, &[Place { polygon, point }], f32::INFINITY, &model, &mut self.field)?;
        Ok(self.field.distance(mesh, start.place).map(|cost| rounded_up(cost.into())))
    }
}

impl Hierarchy {
    /// Checks that all tiles of a mesh are on the grid of the hierarchy. [`Hierarchy::update`] takes only
    /// such tiles.
    ///
    /// # Errors
    /// A tile is on another grid: the mesh is of another bake.
    pub fn check_tiles(&self, mesh: &NavMesh) -> Result<(), FarError> {
        mesh.tiles().try_for_each(|tile| self.check_grid(mesh, tile))
    }

    /// Checks that a tile of a mesh is on the grid of the hierarchy.
    fn check_grid(&self, mesh: &NavMesh, tile: &Tile) -> Result<(), FarError> {
        let coord = tile.coord();
        let (header, cells) = (tile.header(), self.grid.tile_cells);
        let [x, _, z] = header.base_cell;
        let is_same = mesh.lattice() == Some(self.lattice)
            && [header.width, header.depth] == [cells; 2]
            && [x, z] == [coord.x, coord.z].map(|at| i64::from(at) * i64::from(cells));
        if is_same { Ok(()) } else { Err(FarError::OtherWorld(coord)) }
    }

    /// The tiles of a cluster that a mesh has.
    fn tiles_in<'a>(
        &self,
        cluster: ClusterCoord,
        mesh: &'a NavMesh,
    ) -> impl Iterator<Item = &'a Tile> + use<'a> {
        let count = self.grid.tiles_of(0);
        let columns = (0..count * count).map(move |at| [at / count, at % count]);
        columns.flat_map(move |[x, z]| {
            let [x, z] = [cluster.x * count + x, cluster.z * count + z];
            mesh.column(x, z)
        })
    }

    /// Returns true if off-mesh links of one direction lead from place to place in a cluster.
    fn leads_one_way(&self, cluster: ClusterCoord, mesh: &NavMesh) -> bool {
        let is_inside = |tile: TileCoord| self.grid.cluster_of(tile, 0) == cluster;
        self.tiles_in(cluster, mesh).any(|tile| leads_one_way(tile, is_inside))
    }

    /// The places of a cluster's doors on a mesh, as far as their tiles are loaded.
    fn places_on(&self, level: &Level, cluster: u32, mesh: &NavMesh) -> Vec<(DoorId, Place)> {
        let coord = level.coord(cluster);
        let count = self.grid.tiles_of(0);
        let length = i64::from(self.grid.tile_cells) * i64::from(FIXED_ONE);
        let mut places = Vec::new();
        for (number, kind) in (0..).zip(level.doors(cluster)) {
            let door = DoorId { cluster, door: number };
            let (on, crossing) = match kind {
                Door::Crossing(on, _, crossing) => (on, crossing),
                Door::Exit(_, jump) => {
                    places.extend(self.jump_place(jump, 0, mesh).map(|place| (door, place)));
                    continue;
                }
                Door::Entry(_, jump) => {
                    places.extend(self.jump_place(jump, 1, mesh).map(|place| (door, place)));
                    continue;
                }
            };
            // A place between two tiles is on both.
            let row = (i64::from(crossing.along) * self.grid.step(0) / length).clamp(0, i64::from(count) - 1)
                as i32;
            let [x, z] = [coord.x * count, coord.z * count];
            let (x, z) = match on {
                side::X_MIN => (x, z + row),
                side::X_MAX => (x + count - 1, z + row),
                side::Z_MIN => (x + row, z),
                _ => (x + row, z + count - 1),
            };
            let Some(place) = level.place(&self.grid, 0, door) else { continue };
            let nearest = mesh
                .column(x, z)
                .filter_map(|tile| portal_at(tile, on, place).map(|(apart, polygon)| (apart, tile, polygon)))
                .min_by_key(|(apart, ..)| *apart);
            let Some((_, tile, polygon)) = nearest else { continue };
            let point = mesh.from_world(world(&self.lattice, place));
            places.extend(
                mesh.reference(tile.coord(), polygon).map(|polygon| (door, Place { polygon, point })),
            );
        }
        places
    }

    /// The place of an end of a jump on a mesh, if its tile is loaded.
    fn jump_place(&self, jump: &Jump, end: usize, mesh: &NavMesh) -> Option<Place> {
        let TilePolygon { tile, polygon } = jump.polygons[end];
        let point = mesh.from_world(world(&self.lattice, jump.places[end]));
        Some(Place { polygon: mesh.reference(tile, polygon)?, point })
    }
}

/// The polygon of the portal at a place on a side of a tile that is nearest to its height, and how far away
/// it is.
fn portal_at(tile: &Tile, on: u8, place: [i64; 3]) -> Option<(u64, u32)> {
    let axis = if on & 1 == 0 { 2 } else { 0 };
    let base = tile.header().base_cell;
    let [along, height] = [axis, 1].map(|axis: usize| place[axis] - base[axis] * i64::from(FIXED_ONE));
    let portals = tile.portals();
    let first = portals.partition_point(|portal| portal.side < on);
    let on_side = portals[first..].iter().take_while(|portal| portal.side == on);
    let apart = |portal: &Portal| {
        // Places are rounded, so one may miss its portal by a little.
        let [start, end] = [portal.start, portal.end].map(i64::from);
        let at = along.clamp(start, end);
        let rise = i64::from(portal.end_height - portal.start_height);
        let own = i64::from(portal.start_height) + (at - start) * rise / (end - start).max(1);
        (at.abs_diff(along).saturating_mul(BESIDE).saturating_add(own.abs_diff(height)), portal.polygon)
    };
    on_side.map(apart).min()
}

/// The weight of a distance along the border, against a distance in height.
const BESIDE: u64 = 1 << 20;
