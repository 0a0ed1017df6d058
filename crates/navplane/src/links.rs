//! Off-mesh connections of maps: finds the tiles in which each starts and ends. They join layers.
//!
//! An end belongs to the tile below it; of several layers, to the one with the nearest height. It must be
//! within the agent's climb, because the runtime joins it to nothing farther away.

use crate::error::Error;
use crate::mesh::Mesh;
use crate::settings::Settings;
use navmath::Lattice;
use navtile::OffMeshConnection;
use navtile::TileCoord;
use navtile::layout::{COORD_LIMIT, OffMeshLink};

/// The ground of a tile that is not written yet.
#[derive(Clone, Copy, Debug)]
pub struct PlaneTile<'a> {
    /// Its coordinates.
    pub coord: TileCoord,
    /// Its ground.
    pub mesh: &'a Mesh,
    /// The settings of its layer.
    pub settings: &'a Settings,
}

/// The off-mesh links that start in each of the tiles. All tiles have the same grid spacing.
///
/// Errors: an end without a tile below it within the agent's climb, or a link too long for the format; named
/// by the connection's place in the list.
pub fn links(
    tiles: &[PlaneTile<'_>],
    connections: &[OffMeshConnection],
) -> Result<Vec<Vec<OffMeshLink>>, Error> {
    let mut links = vec![Vec::new(); tiles.len()];
    for (number, connection) in connections.iter().enumerate() {
        let wrong = |what: String| Error::OffMesh { connection: number, what };
        let tile_of = |end: &str, at: [f64; 3]| {
            below(tiles, at).ok_or_else(|| {
                wrong(format!(
                    "its {end} {at:?} is on no tile, expected a tile within a climb below or above it"
                ))
            })
        };
        let from = tile_of("start", connection.start)?;
        let to = tile_of("end", connection.end)?;
        let PlaneTile { mesh, settings, .. } = tiles[from];
        let lattice: Lattice = mesh.lattice();
        let fixed = |at: [f64; 3]| lattice.world_to_fixed(at, mesh.base_cell(settings));
        let far = || {
            let most = f64::from(COORD_LIMIT) * mesh.grid.spacing;
            wrong(format!("it is too long, expected at most {most} m along each axis: give a larger spacing"))
        };
        let start = fixed(connection.start).ok_or_else(far)?;
        let end = fixed(connection.end).ok_or_else(far)?;
        let TileCoord { x, z, layer } = tiles[to].coord;
        let flags = settings.flags(connection.area);
        links[from].push(connection.link([start, end], [x, z, layer], flags, &lattice));
    }
    Ok(links)
}

/// The tile under a world position.
fn below(tiles: &[PlaneTile<'_>], at: [f64; 3]) -> Option<usize> {
    let height = |tile: &PlaneTile<'_>| (at[1] - tile.settings.height).abs();
    let covers = |tile: &PlaneTile<'_>| {
        let grid = &tile.mesh.grid;
        let [low, high] = [grid.to_map([0, 0]), grid.to_map(grid.size)];
        let plan = [at[0], -at[2]];
        (0..2).all(|axis| low[axis] <= plan[axis] && plan[axis] <= high[axis])
            && height(tile) <= tile.settings.agent_climb
    };
    let found = tiles.iter().enumerate().filter(|(_, tile)| covers(tile));
    found.min_by(|(_, one), (_, other)| height(one).total_cmp(&height(other))).map(|(number, _)| number)
}
