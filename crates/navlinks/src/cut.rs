//! Links between edges in the form that tiles store: cut where the polygons change at either end, so that
//! each record is over one polygon at its start and one at its end. The runtime ties it to these polygons,
//! and cuts it to them exactly. Cost: two snaps for each cell of the edges, and one check of each cell for
//! each tile that they start in.

use crate::link::{GeneratedLink, RunPlace};
use navmath::FIXED_ONE;
use navtile::area::GROUND_FLAGS;
use navtile::layout::OffMeshLink;
use navtile::off_mesh::snap;
use navtile::{Tile, TileContent, TileCoord, TileWriter};
use recast::Error;
use std::collections::{BTreeMap, BTreeSet};

/// The polygons at the start and the end of a place of a run, and the tile of the second.
type GroundPair = (u32, TileCoord, u32);

/// The tiles in which links between edges end, for [`with_links`].
pub fn end_tiles(links: &[&GeneratedLink]) -> BTreeSet<TileCoord> {
    let edges = links.iter().filter(|link| link.run.len() > 1);
    edges.flat_map(|link| link.run.iter().map(|place| place.tiles[1])).collect()
}

/// Adds links to the tile that they start in. Links between edges are cut where the polygons change at either
/// end: `ends` holds the tiles that they end in ([`end_tiles`]), without the islands that are dropped.
///
/// # Errors
/// More links than a tile can hold.
pub fn with_links(
    tile: &Tile,
    links: &[&GeneratedLink],
    ends: &BTreeMap<TileCoord, Tile>,
) -> Result<Tile, Error> {
    if links.is_empty() {
        return Ok(tile.clone());
    }
    let mut content = TileContent::from_tile(tile);
    content.off_mesh_links.extend(links.iter().flat_map(|link| records(link, tile, ends)));
    Ok(TileWriter::default().build(&content)?.tile)
}

/// The records of a link that start in a tile. `ends` holds the tiles that it ends in.
fn records(link: &GeneratedLink, tile: &Tile, ends: &BTreeMap<TileCoord, Tile>) -> Vec<OffMeshLink> {
    if let [place] = link.run.as_slice() {
        return vec![record(link, tile, [0, 0], [false; 2], place.tiles[1])];
    }
    let ground = |place: &RunPlace| -> Option<GroundPair> {
        // Checked first: a run may pass many tiles, and is cut for each of them.
        if place.tiles[0] != tile.coord() {
            return None;
        }
        let [start, end] = place.cells.map(middle);
        let radius = link.connection.fixed_radius(&tile.lattice());
        let from = snap(tile, start, radius)?;
        let to = snap(ends.get(&place.tiles[1])?, end, radius)?;
        Some((from.polygon, place.tiles[1], to.polygon))
    };
    let grounds: Vec<Option<GroundPair>> = link.run.iter().map(ground).collect();
    let mut records = Vec::new();
    let mut first = 0;
    for group in grounds.chunk_by(|a, b| a == b) {
        let last = first + group.len() - 1;
        if let Some((_, end_tile, _)) = group[0] {
            // If the run continues, half of the step to its next place belongs to each of the two places.
            let goes_on = [first > 0, last + 1 < link.run.len()];
            records.push(record(link, tile, [first, last], goes_on, end_tile));
        }
        first = last + 1;
    }
    records
}

/// The middle of a column at a height, in 1/256 cells from the lattice's zero.
fn middle([x, y, z]: [i32; 3]) -> [i64; 3] {
    let (one, half) = (i64::from(FIXED_ONE), i64::from(FIXED_ONE / 2));
    [i64::from(x) * one + half, i64::from(y) * one, i64::from(z) * one + half]
}

/// The record of the places of a run from one index to another, extended by half a step on each side where
/// the run continues.
fn record(
    link: &GeneratedLink,
    tile: &Tile,
    [first, last]: [usize; 2],
    goes_on: [bool; 2],
    end_tile: TileCoord,
) -> OffMeshLink {
    let base = tile.header().base_cell.map(|cell| cell * i64::from(FIXED_ONE));
    let plan = |index: usize| [link.run[index].cells[0][0], link.run[index].cells[0][2]];
    let steps = [0, 1].map(|axis| (plan(last)[axis] - plan(first)[axis]) * FIXED_ONE);
    // Half a step along the run, which has at least two places if it continues.
    let [a, b] = [plan(0), plan(link.run.len() - 1)];
    let half = [0, 1].map(|axis| (b[axis] - a[axis]).signum() * FIXED_ONE / 2);
    let [before, behind] = goes_on.map(i32::from);
    let along = [0, 1].map(|axis| steps[axis] + half[axis] * (before + behind));
    let fixed = |end: usize| {
        let [x, _, z] = middle(link.run[first].cells[end]);
        // The height is that of the middle, where the edge is tied to the ground.
        let [_, y, _] = middle(link.run[usize::midpoint(first, last)].cells[end]);
        let shift = half.map(|step| i64::from(step * before));
        // Links are short, and start in the tile.
        [x - shift[0] - base[0], y - base[1], z - shift[1] - base[2]].map(|value| value as i32)
    };
    let TileCoord { x, z, layer } = end_tile;
    let link = link.connection.link([fixed(0), fixed(1)], [x, z, layer], GROUND_FLAGS, &tile.lattice());
    OffMeshLink { along, ..link }
}
