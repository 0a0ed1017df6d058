//! Writing what a bake came to: tiles in canonical order, from where they waited or from the last file, without what
//! is dropped; then the island graph.

use super::last::Last;
use super::spool::Spool;
use super::work::Settled;
use crate::failure::Failure;
use crate::files::Target;
use crate::interrupt;
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navtile::{FileWriter, Meta, Tile, TileCoord, TileRecord, WriteFileError};
use rayon::prelude::*;
use recast::retain_islands;

/// A tile of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) coord: TileCoord,
    pub(super) bytes: u64,
    pub(super) polygons: usize,
    pub(super) vertices: usize,
    pub(super) detail_vertices: usize,
    pub(super) detail_triangles: usize,
    pub(super) links: usize,
    /// Area of its polygons, m².
    pub(super) area: f64,
    /// Taken over from the last file.
    pub(super) taken_over: bool,
}

/// Tiles that are made ready on all cores before they are written, one after the other.
const AT_A_TIME: usize = 64;

/// Writes the file of one agent; tells what is in it, and its size in bytes.
pub(super) fn write(
    target: &Target,
    meta: &Meta,
    agent: usize,
    settled: &Settled,
    spool: &Spool,
    last: Option<&Last>,
) -> Result<(Vec<Written>, u64), Failure> {
    let kept: Vec<usize> =
        (0..settled.graph.nodes().len()).filter(|&node| settled.verdict.keeps_any(node)).collect();
    let pending = target.begin()?;
    let failed = |error: WriteFileError| match error {
        WriteFileError::Io(error) => target.unwritable(&error),
        WriteFileError::File(error) => {
            Failure::circumstances(format!("{}: {error}", target.path().display()))
        }
    };
    let mut writer = FileWriter::new(pending.out, meta, kept.len()).map_err(failed)?;
    let mut written = Vec::with_capacity(kept.len());
    let record = |node: usize| -> Result<(TileRecord, Written), Failure> {
        let coord = settled.graph.nodes()[node].coord;
        let baked = spool.take(agent, coord).map_err(|error| target.unwritable(&error))?;
        let (tile, taken_over) = match (baked, last) {
            (Some(tile), _) => (pruned(&tile, node, settled)?, false),
            (None, Some(last)) => (taken_over(last, coord)?, true),
            (None, None) => return Err(lost(coord)),
        };
        let about = Written::of(&tile, taken_over);
        let input_hash = settled.graph.nodes()[node].input_hash;
        Ok((TileRecord { tile, input_hash, prune_hash: settled.verdict.prune_hash(node) }, about))
    };
    for nodes in kept.chunks(AT_A_TIME) {
        if interrupt::asked() {
            return Err(interrupted());
        }
        let records: Vec<_> = nodes.par_iter().map(|&node| record(node)).collect::<Result<_, _>>()?;
        for (record, about) in records {
            writer.add(&record).map_err(failed)?;
            written.push(about);
        }
    }
    let bytes = writer.finish(Some(&settled.graph)).map_err(failed)?;
    let size = bytes.get_ref().as_file().metadata().map_err(|error| target.unwritable(&error))?.len();
    target.commit(crate::files::Pending { out: bytes })?;
    Ok((written, size))
}

/// A bake that was asked to stop.
pub(super) fn interrupted() -> Failure {
    Failure::circumstances("the bake was interrupted").help("nothing was changed; run it again when it suits")
}

fn lost(coord: TileCoord) -> Failure {
    Failure::circumstances(format!("tile ({}, {}, {}) was baked and is gone", coord.x, coord.z, coord.layer))
        .help("nothing was changed; run the bake again")
}

fn pruned(tile: &Tile, node: usize, settled: &Settled) -> Result<Tile, Failure> {
    let kept = retain_islands(tile, |local| settled.verdict.keeps(node, local))
        .map_err(|error| Failure::circumstances(error.to_string()))?;
    kept.ok_or_else(|| lost(tile.coord()))
}

fn taken_over(last: &Last, coord: TileCoord) -> Result<Tile, Failure> {
    let tile = last.file.tile(coord).ok_or_else(|| lost(coord))?;
    tile.map_err(|error| {
        Failure::circumstances(format!("a tile of the last bake cannot be taken over: {error}"))
            .help("bake without --changed")
    })
}

impl Written {
    fn of(tile: &Tile, taken_over: bool) -> Written {
        let lattice = tile.lattice();
        let square = (lattice.cell_size / f64::from(FIXED_ONE)).powi(2);
        let doubled: u128 = tile
            .polygons()
            .iter()
            .map(|polygon| {
                let corners = tile.polygon_edges(polygon).iter().map(|edge| {
                    let [x, _, z] = tile.vertices()[edge.vertex as usize];
                    [x, z]
                });
                polygon_area2(corners).unsigned_abs()
            })
            .sum();
        let count = |polygon: &navtile::layout::Polygon| {
            usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count)
        };
        Written {
            coord: tile.coord(),
            bytes: tile.bytes().len() as u64,
            polygons: tile.polygons().len(),
            vertices: tile.header().polygon_vertex_count as usize,
            detail_vertices: tile.polygons().iter().map(count).sum(),
            detail_triangles: tile.detail_triangles().len(),
            links: tile.off_mesh_links().len(),
            area: doubled as f64 * 0.5 * square,
            taken_over,
        }
    }
}
