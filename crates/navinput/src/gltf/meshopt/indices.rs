//! The codecs of indices: lists of triangles, with one byte each if they follow their neighbours, and any
//! sequence.
//!
//! A triangle usually shares an edge with one a few steps before, and its third corner is usually the next
//! unused vertex or a recently used one. The decoder remembers the last sixteen edges and vertices; the byte
//! of a triangle selects an edge and a vertex from them. An index that does not fit is written as a
//! difference from the last index written as a difference.

use super::{Stream, damaged, foreign, opened};
use crate::gltf::error::GltfProblem;

/// Edges and vertices that are remembered.
const REMEMBERED: usize = 16;
/// Bytes of the table at the end of a list of triangles.
const TABLE_BYTES: usize = 16;
/// Unused bytes at the end of a sequence.
const SEQUENCE_TAIL_BYTES: usize = 4;

/// The last sixteen items; entries that were never pushed are `None`.
struct Recent<T> {
    items: [Option<T>; REMEMBERED],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Recent<T> {
        Recent { items: [None; REMEMBERED], next: 0 }
    }

    fn push(&mut self, item: T) {
        self.items[self.next] = Some(item);
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// The item pushed `age` before the last.
    fn get(&self, age: u8) -> Result<T, GltfProblem> {
        let place = (self.next + 2 * REMEMBERED - 1 - usize::from(age)) % REMEMBERED;
        self.items[place].ok_or_else(|| damaged("refers to an edge or a vertex before the first one"))
    }
}

/// The state of a list of triangles.
struct Triangles<'a> {
    /// Indices that do not fit the bytes of the triangles.
    extra: Stream<'a>,
    /// Pairs of corners that are used often.
    table: &'a [u8],
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The least unused index.
    next: u32,
    /// The last index that was written as a difference.
    last: u32,
}

/// Indices of triangles, three for each.
pub(super) fn decode_triangles(stream: &[u8], count: u64, width: usize) -> Result<Vec<u8>, GltfProblem> {
    let triangles = count / 3;
    let least = triangles.saturating_add(1 + TABLE_BYTES as u64);
    let mut data = opened(stream, least, count)?;
    match data.byte()? {
        0xE1 => {}
        other => return Err(foreign(other, "triangles")),
    }
    // The stream has a byte for each triangle, so the casts hold.
    let codes = data.take(triangles as usize)?;
    let (extra, table) = data.0.split_at(data.0.len() - TABLE_BYTES);
    if table[14..] != [0, 0] || table.iter().any(|pair| pair >> 4 == 0xF || pair & 0xF == 0xF) {
        return Err(damaged("has an invalid table of corners"));
    }
    let (edges, vertices) = (Recent::new(), Recent::new());
    let mut state = Triangles { extra: Stream(extra), table, edges, vertices, next: 0, last: 0 };
    let mut bytes = Vec::with_capacity(count as usize * width);
    for &code in codes {
        for index in state.triangle(code)? {
            push(&mut bytes, index, width)?;
        }
    }
    state.extra.finished()?;
    Ok(bytes)
}

/// Any indices.
pub(super) fn decode_sequence(stream: &[u8], count: u64, width: usize) -> Result<Vec<u8>, GltfProblem> {
    let least = count.saturating_add(1 + SEQUENCE_TAIL_BYTES as u64);
    let mut data = opened(stream, least, count)?;
    match data.byte()? {
        0xD1 => {}
        other => return Err(foreign(other, "indices")),
    }
    let mut data = Stream(&data.0[..data.0.len() - SEQUENCE_TAIL_BYTES]);
    // The stream has a byte for each index.
    let mut bytes = Vec::with_capacity(count as usize * width);
    let mut last = [0_u32; 2];
    for _ in 0..count {
        let value = variable(&mut data)?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(signed(value >> 1));
        push(&mut bytes, *last, width)?;
    }
    data.finished()?;
    Ok(bytes)
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], GltfProblem> {
        match (code >> 4, code & 0xF) {
            (0xF, pair @ 0..=0xD) => {
                let pair = self.table[usize::from(pair)];
                let first = self.fresh();
                self.loose(first, pair)
            }
            (0xF, explicit) => {
                let pair = self.extra.byte()?;
                if pair == 0 {
                    self.next = 0;
                }
                let first = if explicit == 0xE { self.fresh() } else { self.written()? };
                self.loose(first, pair)
            }
            (edge, corner) => self.beside(edge, corner),
        }
    }

    /// Decodes a triangle over a recently used edge.
    fn beside(&mut self, edge: u8, corner: u8) -> Result<[u32; 3], GltfProblem> {
        let [a, b] = self.edges.get(edge)?;
        let c = match corner {
            0 => self.fresh(),
            1..=0xC => self.vertices.get(corner)?,
            0xD => self.stepped(u32::MAX),
            0xE => self.stepped(1),
            _ => self.written()?,
        };
        if !matches!(corner, 1..=0xC) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// Decodes a triangle that shares no recently used edge; `pair` encodes its other corners.
    fn loose(&mut self, a: u32, pair: u8) -> Result<[u32; 3], GltfProblem> {
        let (b_kind, c_kind) = (pair >> 4, pair & 0xF);
        let b = self.corner(b_kind)?;
        let c = self.corner(c_kind)?;
        self.vertices.push(a);
        for (kind, vertex) in [(b_kind, b), (c_kind, c)] {
            if matches!(kind, 0 | 0xF) {
                self.vertices.push(vertex);
            }
        }
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge);
        }
        Ok([a, b, c])
    }

    fn corner(&mut self, kind: u8) -> Result<u32, GltfProblem> {
        match kind {
            0 => Ok(self.fresh()),
            0xF => self.written(),
            age => self.vertices.get(age - 1),
        }
    }

    /// The next unused index.
    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    /// An index written as a difference.
    fn written(&mut self) -> Result<u32, GltfProblem> {
        let difference = signed(variable(&mut self.extra)?);
        Ok(self.stepped(difference))
    }

    fn stepped(&mut self, by: u32) -> u32 {
        self.last = self.last.wrapping_add(by);
        self.last
    }
}

/// A number of up to five bytes of seven bits, lowest first.
fn variable(data: &mut Stream<'_>) -> Result<u32, GltfProblem> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = data.byte()?;
        value |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(damaged("has a number of more than five bytes"))
}

/// A number whose lowest bit is set if the others are inverted, as two's complement.
fn signed(value: u32) -> u32 {
    value >> 1 ^ (value & 1).wrapping_neg()
}

fn push(bytes: &mut Vec<u8>, index: u32, width: usize) -> Result<(), GltfProblem> {
    if width == 2 && index > u32::from(u16::MAX) {
        return Err(damaged(format!("has the index {index}, which 16 bits do not hold")));
    }
    bytes.extend_from_slice(&index.to_le_bytes()[..width]);
    Ok(())
}
