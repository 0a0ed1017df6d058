//! Writing a fresh file: head, metadata, directory, tiles in canonical order.

use super::directory::DirectoryEntry;
use super::read::fits;
use super::{FileError, HEAD_LENGTH, Root, encoding, head, refuse};
use crate::layout::SECTION_ALIGN;
use crate::meta::Meta;
use crate::tile::Tile;
use bytemuck::Zeroable;

/// A tile, and what the directory says about where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct TileRecord {
    /// The tile.
    pub tile: Tile,
    /// Digest of what it was baked from; zero if not known.
    pub input_hash: [u8; 16],
    /// Hash of what was pruned from it; zero if nothing was.
    pub prune_hash: [u8; 8],
}

/// The bytes of a file with these tiles, in canonical order (x, z, layer), whatever order they are given in.
///
/// Errors: as [`write_records`].
pub fn write_file(meta: &Meta, tiles: &[Tile]) -> Result<Vec<u8>, FileError> {
    let record = |tile: &Tile| TileRecord { tile: tile.clone(), input_hash: [0; 16], prune_hash: [0; 8] };
    write_records(meta, &tiles.iter().map(record).collect::<Vec<_>>())
}

/// As [`write_file`], with hashes for the directory.
///
/// Errors: metadata that is not valid, two tiles at one coordinate, a tile on another lattice or for another
/// agent than the metadata says.
pub fn write_records(meta: &Meta, records: &[TileRecord]) -> Result<Vec<u8>, FileError> {
    let mut records: Vec<&TileRecord> = records.iter().collect();
    records.sort_by_key(|record| record.tile.coord());
    if let Some(pair) = records.windows(2).find(|pair| pair[0].tile.coord() == pair[1].tile.coord()) {
        let found = format!("two at {:?}", pair[0].tile.coord());
        return refuse("directory-order", "one tile at a coordinate", found);
    }
    for record in &records {
        let coord = record.tile.coord();
        fits(meta, &record.tile).map_err(|source| FileError::Tile { coord, source })?;
    }
    let meta = encoding::encode(meta)?;
    let directory_offset = aligned(HEAD_LENGTH + meta.len());
    let mut offset = aligned(directory_offset + records.len() * size_of::<DirectoryEntry>());
    let mut entries = Vec::with_capacity(records.len());
    for record in &records {
        entries.push(entry(record, offset));
        offset = aligned(offset + record.tile.bytes().len());
    }
    let directory: &[u8] = bytemuck::cast_slice(&entries);
    let root = Root {
        sequence: 1,
        file_length: offset as u64,
        meta_offset: HEAD_LENGTH as u64,
        meta_length: meta.len() as u64,
        directory_offset: directory_offset as u64,
        directory_count: entries.len() as u64,
        meta_checksum: crc32fast::hash(&meta),
        directory_checksum: crc32fast::hash(directory),
        ..Root::zeroed()
    };
    let mut bytes = head::bytes(&root);
    bytes.reserve_exact(offset - bytes.len());
    let parts = [&meta[..], directory].into_iter().chain(records.iter().map(|record| record.tile.bytes()));
    for part in parts {
        bytes.extend_from_slice(part);
        bytes.resize(aligned(bytes.len()), 0);
    }
    Ok(bytes)
}

fn entry(record: &TileRecord, offset: usize) -> DirectoryEntry {
    let (coord, bytes) = (record.tile.coord(), record.tile.bytes());
    DirectoryEntry {
        x: coord.x,
        z: coord.z,
        layer: coord.layer,
        flags: 0,
        offset: offset as u64,
        length: bytes.len() as u64,
        checksum: crc32fast::hash(bytes),
        reserved: 0,
        input_hash: record.input_hash,
        prune_hash: record.prune_hash,
    }
}

fn aligned(offset: usize) -> usize {
    offset.next_multiple_of(SECTION_ALIGN)
}
