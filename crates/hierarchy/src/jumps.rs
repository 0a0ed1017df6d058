//! The off-mesh links between clusters.

use crate::Class;
use crate::block::Jump;
use crate::grid::{ClusterCoord, ClusterGrid, fixed};
use crate::measure::{Measure, MeasureError, rounded_up};
use crate::tiles::{TilePolygon, Tiles, end_tile};
use detour::{Attributes, CostModel, NavMesh, OffMesh};
use navmath::{FIXED_ONE, Lattice};
use navtile::{Tile, TileCoord};

/// A jump that cannot be found.
pub(crate) enum JumpError<E> {
    Tile(E),
    Measure(MeasureError),
}

/// The jumps over the links that start in a cluster, and the clusters beyond where links lead.
pub(crate) type FoundJumps = (Vec<Jump>, Vec<ClusterCoord>);

/// The tiles, the grid and the classes for which jumps are found.
pub(crate) struct JumpFinder<'a, T> {
    pub(crate) tiles: &'a T,
    pub(crate) grid: ClusterGrid,
    pub(crate) lattice: Lattice,
    pub(crate) classes: &'a [Class],
}

impl<T: Tiles> JumpFinder<'_, T> {
    /// Finds the jumps of a cluster that has these tiles.
    pub(crate) fn jumps(
        &self,
        cluster: ClusterCoord,
        tiles: &[Tile],
    ) -> Result<FoundJumps, JumpError<T::Error>> {
        let (mut jumps, mut links) = (Vec::new(), Vec::new());
        for tile in tiles {
            let mut ends: Vec<TileCoord> = tile.off_mesh_links().iter().map(end_tile).collect();
            ends.sort_unstable();
            ends.dedup();
            for end in ends.into_iter().filter(|end| self.grid.cluster_of(*end, 0) != cluster) {
                links.push(self.grid.cluster_of(end, 0));
                let column = self.tiles.column(end.x, end.z).map_err(JumpError::Tile)?;
                let Some(beyond) = column.into_iter().find(|tile| tile.coord() == end) else { continue };
                let mesh = Measure::mesh(vec![tile.clone(), beyond]).map_err(JumpError::Measure)?;
                for link in mesh.off_mesh_links() {
                    let Ok(link) = mesh.off_mesh(link) else { continue };
                    jumps.extend(self.jump(&mesh, &link, false));
                    jumps.extend(link.both_ways.then(|| self.jump(&mesh, &link, true)).flatten());
                }
            }
        }
        // A link that leads back into the tile is in the meshes of all pairs.
        jumps.retain(|jump| jump.clusters[0] != jump.clusters[1]);
        jumps.sort_by_key(|jump| (jump.clusters, jump.places));
        jumps.dedup();
        links.sort_unstable();
        links.dedup();
        Ok((jumps, links))
    }

    /// A link as a jump. `None` if it does not lead to the ground at both ends.
    fn jump(&self, mesh: &NavMesh, link: &OffMesh, backwards: bool) -> Option<Jump> {
        let [start, end] = link.ends?;
        let ends = if backwards { [end, start] } else { [start, end] };
        let polygon = |end: usize| {
            let (tile, polygon) = mesh.tile_of(ends[end].polygon).ok()?;
            Some(TilePolygon { tile: tile.coord(), polygon })
        };
        let polygons = [polygon(0)?, polygon(1)?];
        let length = f64::from(start.point.distance(end.point));
        let attributes = Attributes { polygon: link.link, flags: link.flags, area: link.area };
        let cost = |class: &Class| {
            let rate = f64::from(class.filter.area_cost(link.area));
            class.filter.passes(&attributes).then(|| rounded_up(length * rate))
        };
        let half = f64::from(link.half_edge.length()) / self.lattice.cell_size * f64::from(FIXED_ONE);
        Some(Jump {
            clusters: polygons.map(|polygon| self.grid.cluster_of(polygon.tile, 0)),
            places: ends.map(|end| fixed(&self.lattice, mesh.to_world(end.point))),
            backwards,
            polygons,
            reach: half.ceil() as u32,
            costs: self.classes.iter().map(cost).collect(),
            below: 0,
        })
    }
}
