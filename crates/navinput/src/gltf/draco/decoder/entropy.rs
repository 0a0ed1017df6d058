//! Entropy coding: symbols and bits by asymmetric numeral systems, read from the last byte to the first.
//!
//! A symbol is found by a search among the symbols that occur. A table of all states would be faster, but
//! would take up to 4 MiB for each of any number of tiny parts.
//! Source: Jarek Duda, "Asymmetric numeral systems" (2013); Draco bitstream specification 2.2, rANS and
//! symbols.

use super::bytes::{Bits, Budget, Cursor, Fault, fault};

/// The state of a decoder is at least this many times the precision.
const BASE: u64 = 4;
/// The precision of bits: their probability is a byte.
const BIT_PRECISION: u32 = 256;
/// The least state of a decoder of bits.
const BIT_BASE: u32 = 4096;
/// Bits of a tag: how many bits a value has.
const TAG_BITS: u32 = 5;

/// The state of a decoder, and the bytes before its current position.
struct Coder<'a> {
    state: u32,
    bytes: &'a [u8],
}

/// Symbols of one alphabet.
struct Symbols<'a> {
    coder: Coder<'a>,
    precision_bits: u32,
    /// Symbols that occur: the start of each range, and its symbol.
    ranges: Vec<[u32; 2]>,
}

/// Bits that are set with the same probability.
pub(super) struct CodedBits<'a> {
    coder: Coder<'a>,
    /// The probability of a set bit, out of 256.
    chance: u32,
}

impl<'a> Coder<'a> {
    /// Takes the first state off the end: two bits give its number of bytes.
    fn new(bytes: &'a [u8], base: u32) -> Result<Coder<'a>, Fault> {
        let last = bytes.last().ok_or_else(|| fault("has a part of symbols without a byte"))?;
        let length = usize::from(last >> 6) + 1;
        let start = bytes
            .len()
            .checked_sub(length)
            .ok_or_else(|| fault("has a part of symbols that is too short"))?;
        let stored = bytes[start..].iter().rev().fold(0_u32, |state, &byte| state << 8 | u32::from(byte));
        let state = stored & (u32::MAX >> (34 - 8 * length as u32));
        match state.checked_add(base) {
            Some(state) if u64::from(state) < u64::from(base) << 8 => {
                Ok(Coder { state, bytes: &bytes[..start] })
            }
            _ => Err(fault("has a part of symbols with an impossible state")),
        }
    }

    /// Takes another byte into the state, if there is one.
    fn pull(&mut self) -> bool {
        let Some((&last, rest)) = self.bytes.split_last() else { return false };
        self.bytes = rest;
        self.state = self.state << 8 | u32::from(last);
        true
    }
}

impl<'a> Symbols<'a> {
    /// Reads the table of an alphabet and the part that is written in it.
    fn read(bytes: &mut Cursor<'a>, symbol_bits: u32) -> Result<Symbols<'a>, Fault> {
        let precision_bits = (3 * symbol_bits / 2).clamp(12, 20);
        let count = bytes.number()?;
        let mut ranges = Vec::new();
        let (mut symbol, mut start) = (0_u64, 0_u32);
        while symbol < count {
            let head = bytes.read::<u8>()?;
            let high = u32::from(head >> 2);
            if head & 3 == 3 {
                // A run of symbols that do not occur.
                symbol += u64::from(high) + 1;
                continue;
            }
            let mut chance = high;
            for place in 0..u32::from(head & 3) {
                chance |= u32::from(bytes.read::<u8>()?) << (8 * place + 6);
            }
            if chance > 0 {
                ranges.push([
                    start,
                    u32::try_from(symbol).map_err(|_| fault("has an alphabet that is too large"))?,
                ]);
            }
            start += chance;
            if start > 1 << precision_bits {
                break;
            }
            symbol += 1;
        }
        if symbol != count || start != 1 << precision_bits {
            return Err(fault("has an alphabet whose probabilities do not sum to one"));
        }
        let coder = Coder::new(bytes.part()?, (BASE as u32) << precision_bits)?;
        Ok(Symbols { coder, precision_bits, ranges })
    }

    fn next(&mut self) -> u32 {
        let precision = 1_u32 << self.precision_bits;
        while self.coder.state < BASE as u32 * precision && self.coder.pull() {}
        let (whole, rest) = (self.coder.state >> self.precision_bits, self.coder.state & (precision - 1));
        // The first range begins at 0.
        let place = self.ranges.partition_point(|range| range[0] <= rest) - 1;
        let [start, symbol] = self.ranges[place];
        let end = self.ranges.get(place + 1).map_or(precision, |range| range[0]);
        self.coder.state = whole * (end - start) + rest - start;
        symbol
    }
}

/// Decodes `count` entries of `width` values each. Zero entries take zero bytes.
pub(super) fn symbols(bytes: &mut Cursor<'_>, count: usize, width: usize) -> Result<Vec<u32>, Fault> {
    let total = count * width;
    if total == 0 {
        return Ok(Vec::new());
    }
    match bytes.read::<u8>()? {
        0 => {
            let mut tags = Symbols::read(bytes, TAG_BITS)?;
            let mut bits = Bits::new(bytes.0.rest());
            let mut values = Vec::with_capacity(total);
            for _ in 0..count {
                let tag = tags.next();
                if tag > 32 {
                    return Err(fault(format_args!("has a value of {tag} bits, expected at most 32")));
                }
                values.extend((0..width).map(|_| bits.take(tag)));
            }
            bytes.take(bits.read_bytes())?;
            Ok(values)
        }
        1 => {
            let symbol_bits = u32::from(bytes.read::<u8>()?);
            if !(1..=18).contains(&symbol_bits) {
                return Err(fault(format_args!("has symbols of {symbol_bits} bits, expected 1 to 18")));
            }
            let mut symbols = Symbols::read(bytes, symbol_bits)?;
            Ok((0..total).map(|_| symbols.next()).collect())
        }
        other => Err(fault(format_args!("uses the symbol encoding {other}, expected 0 or 1"))),
    }
}

impl<'a> CodedBits<'a> {
    pub(super) fn read(bytes: &mut Cursor<'a>) -> Result<CodedBits<'a>, Fault> {
        let zero = u32::from(bytes.read::<u8>()?);
        let coder = Coder::new(bytes.part()?, BIT_BASE)?;
        Ok(CodedBits { coder, chance: BIT_PRECISION - zero })
    }

    pub(super) fn next(&mut self) -> bool {
        if self.coder.state < BIT_BASE {
            self.coder.pull();
        }
        let (whole, rest) = (self.coder.state / BIT_PRECISION, self.coder.state % BIT_PRECISION);
        let ones = whole * self.chance;
        let is_one = rest < self.chance;
        self.coder.state = if is_one { ones + rest } else { self.coder.state - ones - self.chance };
        is_one
    }

    /// Reads a list of bits: their count, then the bits.
    pub(super) fn list(bytes: &mut Cursor<'a>, count: u64, budget: &mut Budget) -> Result<Vec<bool>, Fault> {
        let count = budget.take(count, 1, "bits")?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut bits = CodedBits::read(bytes)?;
        Ok((0..count).map(|_| bits.next()).collect())
    }
}
