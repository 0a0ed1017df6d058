//! Compares the example in docs/format.md, a small file with every byte explained, with the text, so that
//! neither changes without the other. Also reads it with a reader that uses only the text.

use crate::common::{square, tile};
use crate::file_support;
use crate::file_support::{at, fresh, meta, record};
use navtile::{Packing, Tile};
use std::fmt::Write;

/// One square in a tile, and little metadata.
fn example() -> (Tile, Vec<u8>) {
    let tile = at(tile(&[square(0, 0, 1024, |x, _| 100 * x)]), 2, -1);
    let mut meta = meta();
    meta.areas.truncate(1);
    let bytes = fresh(&meta, &[record(&tile)], None, Packing::Raw);
    (tile, bytes)
}

/// Bytes as text, part by part.
struct Dump<'a> {
    bytes: &'a [u8],
    place: usize,
    text: String,
}

impl Dump<'_> {
    /// The next bytes, with their meaning next to the first sixteen.
    fn part(&mut self, count: usize, what: &str) {
        assert!(self.place + count <= self.bytes.len(), "no {what} behind\n{}", self.text);
        for (row, bytes) in self.bytes[self.place..self.place + count].chunks(16).enumerate() {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let what = if row == 0 { what } else { "" };
            let line = format!("{:06x}  {:<47}  {what}", self.place + row * 16, hex.join(" "));
            writeln!(self.text, "{}", line.trim_end()).unwrap();
        }
        self.place += count;
    }

    /// The next bytes, which are zeros.
    fn zeros(&mut self, count: usize) {
        assert!(
            self.bytes[self.place..self.place + count].iter().all(|byte| *byte == 0),
            "at {:x}",
            self.place
        );
        writeln!(self.text, "{:06x}  {:<47}  {count} zeros", self.place, "00 ...").unwrap();
        self.place += count;
    }

    fn parts(&mut self, parts: &[(usize, &str)]) {
        parts.iter().for_each(|(count, what)| self.part(*count, what));
    }
}

fn dump(bytes: &[u8]) -> String {
    let mut dump = Dump { bytes, place: 0, text: String::new() };
    dump.parts(&[(8, "magic: NAVFILE"), (4, "version 1"), (4, "the head is 4096 bytes")]);
    dump.zeros(1008);
    dump.parts(&[
        (8, "root 0: sequence 1"),
        (8, "file_length"),
        (16, "meta_offset, meta_length"),
        (16, "directory_offset, directory_count 1"),
        (16, "no graph: offset 0, length 0"),
        (8, "meta_checksum, directory_checksum"),
        (12, "graph_checksum, flags, reserved: 0"),
        (4, "checksum of this root"),
    ]);
    dump.zeros(936);
    dump.zeros(2048);
    metadata(&mut dump);
    dump.parts(&[
        (12, "directory: tile x 2, z -1, layer 0"),
        (4, "flags: stored as it is"),
        (16, "offset, length"),
        (8, "checksum of the stored bytes; raw_length 0"),
        (16, "input_hash"),
        (8, "prune_hash"),
    ]);
    blob(&mut dump);
    assert_eq!(dump.place, bytes.len(), "every byte is explained");
    dump.text
}

fn metadata(dump: &mut Dump<'_>) {
    dump.parts(&[
        (16, "metadata: agent radius 0.6, height 2"),
        (16, "climb 0.9, slope 45"),
        (1, "partition: watershed"),
        (4, "max_vertices 6"),
        (16, "region_min_area, region_merge_area"),
        (16, "max_edge_length 12, contour_max_error"),
        (16, "detail_sample_distance, detail_max_error"),
        (3, "split_walls, not split_areas, median_filter"),
        (8, "3 volumes, 2 off-mesh connections"),
        (16, "marks_digest"),
        (1, "reachable_from: all was kept"),
        (24, "origin 10, -5, 1000000"),
        (16, "cell size 0.3, cell height 0.2"),
        (4, "tile_cells 16"),
        (16, "geometry_digest"),
        (8, "one area"),
        (1, "id 1"),
        (14, "name: 6 bytes, ground"),
        (8, "flags 2, cost 1"),
    ]);
    dump.zeros(4);
}

fn blob(dump: &mut Dump<'_>) {
    dump.parts(&[
        (8, "tile: magic NAVTILE"),
        (8, "version 1, 7 sections"),
        (16, "length; checksum; zero"),
        (12, "x 2, z -1, layer 0"),
        (8, "16 cells by 16"),
        (4, "bv_shift 0, 0, 0"),
        (24, "origin"),
        (16, "cell size, cell height"),
        (24, "base_cell 32, 4, -16"),
        (16, "agent as f32"),
        (24, "bounds_min, bounds_max"),
        (4, "4 polygon vertices"),
    ]);
    dump.zeros(92);
    for name in ["vertices", "polygons", "edges", "portals", "detail triangles", "BV nodes", "off-mesh links"]
    {
        dump.part(16, &format!("{name}: kind, stride, offset, length"));
    }
    dump.parts(&[
        (48, "vertices: x, y, z of four"),
        (16, "polygon: first edge, detail vertex, triangle; flags"),
        (8, "4 edges, area 1, ground; no detail vertices, 2 triangles"),
    ]);
    dump.zeros(8);
    for index in 0..4 {
        dump.part(12, &format!("edge {index}: vertex, neighbour, kind, twin"));
    }
    for index in 0..2 {
        dump.part(24, &format!("portal {index}: polygon, edge, side; start, end; heights"));
    }
    dump.parts(&[
        (16, "detail triangles: corners, boundary"),
        (24, "BV node: min x, y, z of four children"),
        (24, "max x, y, z of four children"),
        (16, "polygon 0 and no other"),
    ]);
}

#[test]
fn the_example_of_the_format_is_true() {
    let (_, bytes) = example();
    let dump = dump(&bytes);
    let book = include_str!("../../../../docs/format.md");
    if !book.contains(&format!("```text\n{dump}```")) {
        let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.txt");
        std::fs::write(&place, dump).unwrap();
        panic!("the example in docs/format.md is not that of this version: put in {}", place.display());
    }
}

/// A reader built only from docs/format.md, without any code of the crate: numbers at offsets.
mod reader {
    pub(crate) fn number<const N: usize>(bytes: &[u8], offset: usize) -> u64 {
        let mut padded = [0; 8];
        padded[..N].copy_from_slice(&bytes[offset..offset + N]);
        u64::from_le_bytes(padded)
    }

    fn place(bytes: &[u8], offset: usize) -> usize {
        number::<8>(bytes, offset) as usize
    }

    /// The blob of each tile, with its coordinate.
    pub(crate) fn tiles(file: &[u8]) -> Vec<([i32; 3], Vec<u8>)> {
        assert_eq!((&file[..8], number::<4>(file, 8)), (&b"NAVFILE\0"[..], 1));
        let sound = |&root: &usize| {
            let mut bytes = file[root..root + 88].to_vec();
            bytes[84..].fill(0);
            number::<8>(file, root) != 0 && number::<4>(file, root + 84) == u64::from(crc32(&bytes))
        };
        let root =
            [1024, 2048].into_iter().filter(sound).max_by_key(|&root| number::<8>(file, root)).unwrap();
        let (directory, count) = (place(file, root + 32), place(file, root + 40));
        let row = |index: usize| {
            let row = &file[directory + 64 * index..][..64];
            let coord = [0, 4, 8].map(|offset| number::<4>(row, offset) as i32);
            let stored = &file[place(row, 16)..place(row, 16) + place(row, 24)];
            assert_eq!(number::<4>(row, 32), u64::from(crc32(stored)));
            let is_lz4 = number::<4>(row, 12) & 1 == 1;
            (coord, if is_lz4 { unpack(stored, number::<4>(row, 36) as usize) } else { stored.to_vec() })
        };
        (0..count).map(row).collect()
    }

    /// A section of a blob, cut into its elements.
    pub(crate) fn section(blob: &[u8], kind: u64) -> Vec<&[u8]> {
        let rows = blob[256..].chunks(16).take(number::<4>(blob, 12) as usize);
        let row = rows.into_iter().find(|row| number::<4>(row, 0) == kind).unwrap();
        let [stride, offset, length] = [4, 8, 12].map(|field| number::<4>(row, field) as usize);
        blob[offset..offset + length].chunks(stride).collect()
    }

    /// Computed bit by bit, from the definition.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |sum, byte| {
            (0..8).fold(
                sum ^ u32::from(*byte),
                |sum, _| {
                    if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
                },
            )
        })
    }

    fn length(block: &[u8], at: &mut usize, nibble: u8) -> usize {
        let mut length = usize::from(nibble);
        let mut more = nibble == 15;
        while more {
            length += usize::from(block[*at]);
            more = block[*at] == 255;
            *at += 1;
        }
        length
    }

    /// An LZ4 block.
    fn unpack(block: &[u8], raw_length: usize) -> Vec<u8> {
        let (mut raw, mut at) = (Vec::new(), 0);
        loop {
            let token = block[at];
            at += 1;
            let literals = length(block, &mut at, token >> 4);
            raw.extend_from_slice(&block[at..at + literals]);
            at += literals;
            if at == block.len() {
                assert_eq!(raw.len(), raw_length);
                return raw;
            }
            let back = number::<2>(block, at) as usize;
            at += 2;
            let count = length(block, &mut at, token & 15) + 4;
            (0..count).for_each(|_| raw.push(raw[raw.len() - back]));
        }
    }
}

/// Compares the results of the reader and of the crate.
fn read_as_described(file: &[u8], tiles: &[Tile]) {
    let found = reader::tiles(file);
    assert_eq!(found.len(), tiles.len());
    for ((coord, blob), tile) in found.iter().zip(tiles) {
        assert_eq!(*coord, [tile.coord().x, tile.coord().z, tile.coord().layer]);
        assert!(blob == tile.bytes());
        let (vertices, edges) = (reader::section(blob, 1), reader::section(blob, 3));
        for (row, polygon) in reader::section(blob, 2).iter().zip(tile.polygons()) {
            let (first, count) = (reader::number::<4>(row, 0) as usize, usize::from(row[16]));
            let corners = edges[first..first + count].iter().map(|edge| {
                let vertex = vertices[reader::number::<4>(edge, 0) as usize];
                [0, 4, 8].map(|offset| reader::number::<4>(vertex, offset) as i32)
            });
            let known = tile.polygon_edges(polygon).iter().map(|edge| tile.vertices()[edge.vertex as usize]);
            assert!(corners.eq(known));
        }
    }
}

#[test]
fn a_reader_made_from_the_text_alone_reads_files() {
    let (tile, bytes) = example();
    read_as_described(&bytes, &[tile]);
    let mut tiles = file_support::tiles();
    tiles.sort_by_key(Tile::coord);
    let records: Vec<_> = tiles.iter().map(record).collect();
    read_as_described(&fresh(&meta(), &records, None, Packing::Raw), &tiles);
    #[cfg(feature = "lz4")]
    read_as_described(&fresh(&meta(), &records, None, Packing::Lz4), &tiles);
}
