//! Connectivity by Edgebreaker: one of five symbols for each triangle defines how it meets the earlier
//! triangles.
//!
//! The decoder keeps a stack of *active* corners. The next triangle is attached to the edge opposite the
//! uppermost one:
//!
//! ```text
//!     C  the triangle closes the fan of the edge's vertex to the right of the corner
//!     L  the triangle has a new vertex; the next triangle is attached to its right side
//!     R  the triangle has a new vertex; the next triangle is attached to its left side
//!     S  the triangle joins the two uppermost parts of the stack
//!     E  the triangle begins a part of its own
//! ```
//!
//! Symbols are written plainly, or in an alphabet for each valence of the vertex ahead. Splits describe
//! handles: such a part begins at a side of an earlier triangle, and a later S joins it.
//!
//! Cost: near linear. A decoder that rewrites the corners of joined vertices takes quadratic time for a
//! vertex with many parts around it.
//! Source: Rossignac and others (2001), as in `corners`; Andrzej Szymczak, "Optimized Edgebreaker encoding
//! for large and regular triangle meshes" (2002) for valences; Draco bitstream specification 2.2, Edgebreaker
//! connectivity.

use super::bytes::{Bits, Budget, Cursor, Fault, fault};
use super::corners::{CornerTable, GrowingTable, next, previous};
use super::entropy::{CodedBits, symbols};
use std::collections::BTreeMap;

const STANDARD: u8 = 0;
const VALENCE: u8 = 2;
/// Valences with an alphabet of their own; others take that of the nearest.
const VALENCES: [u32; 2] = [2, 7];
/// Bytes of a symbol of a valence: itself, and an entry of the stack.
const SYMBOL_BYTES: u64 = 12;

#[derive(Clone, Copy, PartialEq)]
enum Symbol {
    C,
    S,
    L,
    R,
    E,
}

/// The symbols in the order in which they are numbered.
const SYMBOLS: [Symbol; 5] = [Symbol::C, Symbol::S, Symbol::L, Symbol::R, Symbol::E];

/// The source of symbols.
enum SymbolSource<'a> {
    Plain(Bits<'a>),
    ByValence(ByValence),
}

/// Symbols in alphabets by the valence of the vertex ahead.
struct ByValence {
    /// The remaining symbols of each alphabet, the next one last.
    left: [Vec<u32>; 6],
    valences: Vec<u32>,
    /// The alphabet of the next symbol; `None` before the first.
    alphabet: Option<usize>,
    last: Symbol,
}

/// A part that begins at a side of another part's triangle: the symbol of that triangle, the side, and the S
/// that joins the part.
struct Split {
    source: u64,
    split: u64,
    is_right: bool,
}

struct Decoder<'a> {
    growing: GrowingTable,
    active: Vec<u32>,
    source: SymbolSource<'a>,
    /// The remaining splits, the next one last.
    splits: Vec<Split>,
    /// The corners where parts begin, by the number of the S that joins them.
    begun: BTreeMap<u64, u32>,
}

/// Connectivity, and for each set of seams one bit per edge, set if the edge is a seam.
pub(super) struct Connectivity<'a> {
    pub(super) corners: CornerTable,
    pub(super) seams: Vec<CodedBits<'a>>,
}

/// The counts at the head of the connectivity.
struct Counts {
    triangles: u64,
    /// Vertices while decoding: an S joins two of them.
    vertices: u64,
    symbols: u64,
    seams: u8,
}

pub(super) fn decode<'a>(bytes: &mut Cursor<'a>, budget: &mut Budget) -> Result<Connectivity<'a>, Fault> {
    let traversal = bytes.read::<u8>()?;
    if !matches!(traversal, STANDARD | VALENCE) {
        return Err(fault(format_args!("uses the traversal {traversal}, expected 0 or 2")));
    }
    let counts = Counts::read(bytes)?;
    let splits = read_splits(bytes, counts.triangles)?;
    let plain = if traversal == STANDARD { bytes.part()? } else { &[] };
    // A symbol has at least one bit.
    if traversal == STANDARD && counts.symbols > 8 * plain.len() as u64 {
        let (symbols, length) = (counts.symbols, plain.len());
        return Err(fault(format_args!("declares {symbols} symbols in {length} bytes")));
    }
    let mut starts = CodedBits::read(bytes)?;
    let seams = (0..counts.seams).map(|_| CodedBits::read(bytes)).collect::<Result<_, _>>()?;
    let source = match traversal {
        STANDARD => SymbolSource::Plain(Bits::new(plain)),
        _ => SymbolSource::ByValence(ByValence::read(bytes, &counts, budget)?),
    };
    let growing = GrowingTable::new(counts.triangles, counts.vertices, budget)?;
    let mut decoder = Decoder { growing, active: Vec::new(), source, splits, begun: BTreeMap::new() };
    for number in 0..counts.symbols {
        decoder.add(number, counts.symbols)?;
    }
    decoder.close_parts(counts.triangles, &mut starts)?;
    Ok(Connectivity { corners: decoder.growing.finish(), seams })
}

impl Counts {
    fn read(bytes: &mut Cursor<'_>) -> Result<Counts, Fault> {
        let (vertices, triangles) = (u64::from(bytes.index()?), u64::from(bytes.index()?));
        let seams = bytes.read::<u8>()?;
        let (symbols, splits) = (u64::from(bytes.index()?), u64::from(bytes.index()?));
        // Corners have numbers of 32 bits. One triangle of a closed part has no symbol, and such a part has
        // at least four.
        let fits = triangles < u64::from(u32::MAX / 3)
            && vertices <= 3 * triangles
            && (symbols..=symbols + symbols / 3).contains(&triangles)
            && splits <= symbols;
        if !fits {
            return Err(fault(format_args!(
                "declares {triangles} triangles, {vertices} vertices, {symbols} symbols and {splits} splits, which do not fit each other"
            )));
        }
        Ok(Counts { triangles, vertices: vertices + splits, symbols, seams })
    }
}

fn read_splits(bytes: &mut Cursor<'_>, triangles: u64) -> Result<Vec<Split>, Fault> {
    let count = bytes.number()?;
    if count > triangles {
        return Err(fault(format_args!("declares {count} splits among {triangles} triangles")));
    }
    let mut splits = Vec::new();
    let mut source = 0_u64;
    for _ in 0..count {
        source += u64::from(bytes.index()?);
        let back = u64::from(bytes.index()?);
        let split = source.checked_sub(back).ok_or_else(|| fault("has a split before its first triangle"))?;
        splits.push(Split { source, split, is_right: false });
    }
    let mut bits = Bits::new(bytes.0.rest());
    splits.iter_mut().for_each(|split| split.is_right = bits.take(1) == 1);
    bytes.take(bits.read_bytes())?;
    Ok(splits)
}

impl ByValence {
    fn read(bytes: &mut Cursor<'_>, counts: &Counts, budget: &mut Budget) -> Result<ByValence, Fault> {
        let mut left: [Vec<u32>; 6] = Default::default();
        for list in &mut left {
            let count = u64::from(bytes.index()?);
            if count > counts.symbols {
                return Err(fault(format_args!(
                    "has {count} symbols of a valence, and declares {} in all",
                    counts.symbols
                )));
            }
            *list = symbols(bytes, budget.take(count, SYMBOL_BYTES, "symbols")?, 1)?;
        }
        let valences = vec![0; budget.take(counts.vertices, 4, "vertices")?];
        Ok(ByValence { left, valences, alphabet: None, last: Symbol::E })
    }

    fn next(&mut self) -> Result<Symbol, Fault> {
        // The first triangle is always on its own.
        let Some(alphabet) = self.alphabet else { return Ok(Symbol::E) };
        let number = self.left[alphabet].pop().ok_or_else(|| fault("has too few symbols of a valence"))?;
        let symbol = SYMBOLS.get(number as usize).copied();
        self.last = symbol.ok_or_else(|| fault(format_args!("has the symbol {number}, expected 0 to 4")))?;
        Ok(self.last)
    }

    /// Counts the edges of the triangle at the active corner, and chooses the alphabet of the next symbol.
    fn reached(&mut self, [tip, next, previous]: [u32; 3]) {
        let [at_tip, at_next, at_previous] = match self.last {
            Symbol::C | Symbol::S => [0, 1, 1],
            Symbol::R => [1, 1, 2],
            Symbol::L => [1, 2, 1],
            Symbol::E => [2, 2, 2],
        };
        for (vertex, edges) in [(tip, at_tip), (next, at_next), (previous, at_previous)] {
            let valence = &mut self.valences[vertex as usize];
            *valence = valence.saturating_add(edges);
        }
        let valence = self.valences[next as usize].clamp(VALENCES[0], VALENCES[1]);
        self.alphabet = Some((valence - VALENCES[0]) as usize);
    }
}

impl SymbolSource<'_> {
    fn next(&mut self) -> Result<Symbol, Fault> {
        match self {
            SymbolSource::Plain(bits) => match bits.take(1) {
                0 => Ok(Symbol::C),
                _ => Ok(SYMBOLS[1 + bits.take(2) as usize]),
            },
            SymbolSource::ByValence(symbols) => symbols.next(),
        }
    }
}

impl Decoder<'_> {
    /// Adds the triangle of a symbol.
    fn add(&mut self, number: u64, symbols: u64) -> Result<(), Fault> {
        let symbol = self.source.next()?;
        let corner = match symbol {
            Symbol::C => self.close_vertex()?,
            Symbol::L | Symbol::R => self.widen(symbol)?,
            Symbol::S => self.join_parts(number)?,
            Symbol::E => self.begin()?,
        };
        self.active.push(corner);
        if let SymbolSource::ByValence(source) = &mut self.source {
            source
                .reached([corner, next(corner), previous(corner)].map(|corner| self.growing.vertex(corner)));
        }
        if matches!(symbol, Symbol::L | Symbol::R | Symbol::E) {
            self.begin_splits(corner, number, symbols)?;
        }
        Ok(())
    }

    /// Takes the active corner from the stack; its edge must be free.
    fn take_active(&mut self) -> Result<u32, Fault> {
        let corner = self.active.pop().ok_or_else(|| fault("joins triangles to none"))?;
        self.free(corner)
    }

    /// The corner, if the edge opposite it is free.
    fn free(&self, corner: u32) -> Result<u32, Fault> {
        match self.growing.corners.opposite(corner) {
            None => Ok(corner),
            Some(_) => Err(fault("has an edge with more than two triangles")),
        }
    }

    /// The other free edge at the vertex next to a corner.
    fn around_next(&mut self, corner: u32) -> Result<u32, Fault> {
        let vertex = self.growing.vertex(next(corner));
        let other = next(self.growing.leftmost(vertex));
        if other == corner {
            return Err(fault("closes a vertex that has one free edge"));
        }
        self.free(other)
    }

    fn close_vertex(&mut self) -> Result<u32, Fault> {
        let a = self.take_active()?;
        let b = self.around_next(a)?;
        let [tip, from, to] = [next(a), previous(a), next(b)].map(|corner| self.growing.vertex(corner));
        if tip == from || tip == to {
            return Err(fault("has a triangle with one vertex twice where a vertex is closed"));
        }
        let corner = self.growing.add([tip, to, from]);
        self.growing.connect(a, corner + 1);
        self.growing.connect(b, corner + 2);
        self.growing.set_leftmost(from, corner + 2);
        Ok(corner)
    }

    /// L or R: a triangle with a new vertex.
    fn widen(&mut self, symbol: Symbol) -> Result<u32, Fault> {
        let a = self.take_active()?;
        let corner = self.growing.corners.count();
        let [left, right] = [next(a), previous(a)].map(|corner| self.growing.vertex(corner));
        if symbol == Symbol::R {
            let new = self.growing.add_vertex(corner + 2)?;
            self.growing.add([right, left, new]);
            self.growing.connect(corner + 2, a);
            self.growing.set_leftmost(right, corner);
        } else {
            let new = self.growing.add_vertex(corner + 1)?;
            self.growing.add([left, new, right]);
            self.growing.connect(corner + 1, a);
            self.growing.set_leftmost(right, corner + 2);
        }
        Ok(corner)
    }

    fn join_parts(&mut self, number: u64) -> Result<u32, Fault> {
        let b = self.take_active()?;
        self.active.extend(self.begun.get(&number));
        let a = self.take_active()?;
        if a == b {
            return Err(fault("joins a part to itself"));
        }
        let [tip, left, right] =
            [previous(a), next(a), previous(b)].map(|corner| self.growing.vertex(corner));
        let corner = self.growing.add([tip, left, right]);
        self.growing.connect(a, corner + 2);
        self.growing.connect(b, corner + 1);
        self.growing.set_leftmost(right, corner + 2);
        let other = self.growing.vertex(next(b));
        if other != tip {
            if let SymbolSource::ByValence(source) = &mut self.source {
                let edges = source.valences[other as usize];
                let valence = &mut source.valences[tip as usize];
                *valence = valence.saturating_add(edges);
            }
            self.growing.join(other, tip);
        }
        Ok(corner)
    }

    fn begin(&mut self) -> Result<u32, Fault> {
        let corner = self.growing.corners.count();
        let mut vertices = [0; 3];
        for (vertex, at) in vertices.iter_mut().zip(corner..) {
            *vertex = self.growing.add_vertex(at)?;
        }
        Ok(self.growing.add(vertices))
    }

    /// Begins the parts at the sides of the triangle just added. Symbols are numbered from the end, as the
    /// encoder met them.
    fn begin_splits(&mut self, corner: u32, number: u64, symbols: u64) -> Result<(), Fault> {
        let source = symbols - 1 - number;
        while let Some(split) = self.splits.pop_if(|split| split.source >= source) {
            if split.source != source || split.split >= symbols {
                return Err(fault("has a split at a triangle that has none"));
            }
            let begun = if split.is_right { next(corner) } else { previous(corner) };
            self.begun.insert(symbols - 1 - split.split, begun);
        }
        Ok(())
    }

    /// Adds the triangles without symbols. Each of them closes a part that has no boundary.
    fn close_parts(&mut self, triangles: u64, starts: &mut CodedBits<'_>) -> Result<(), Fault> {
        while let Some(a) = self.active.pop() {
            if !starts.next() {
                continue;
            }
            self.free(a)?;
            if u64::from(self.growing.corners.count() / 3) == triangles {
                return Err(fault(format_args!("has more triangles than the {triangles} that it declares")));
            }
            let b = self.around_next(a)?;
            let c = self.around_next(b)?;
            if c == a {
                return Err(fault("closes a part that has two edges"));
            }
            let [from, left, tip] = [next(a), next(b), next(c)].map(|corner| self.growing.vertex(corner));
            if self.growing.vertex(previous(a)) != tip {
                return Err(fault("closes a part with edges that do not meet"));
            }
            let corner = self.growing.add([left, tip, from]);
            self.growing.connect(corner, a);
            self.growing.connect(corner + 1, b);
            self.growing.connect(corner + 2, c);
        }
        let found = self.growing.corners.count() / 3;
        if u64::from(found) != triangles {
            return Err(fault(format_args!("has {found} triangles, and declares {triangles}")));
        }
        Ok(())
    }
}
