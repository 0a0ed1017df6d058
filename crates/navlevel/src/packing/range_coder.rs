//! An adaptive binary range coder for decisions. The probability of each follows the earlier decisions in its
//! context.
//!
//! Each decision cuts an interval of numbers in two, in proportion to its probability, and keeps the part
//! that was decided for. The bytes are a number in the last interval, so an expected decision costs a
//! fraction of a bit.
//! Source: G. N. N. Martin, Range encoding (1979); the carry is passed on as in I. Pavlov's LZMA.

/// Below this, the interval is widened 256 times, and a byte is moved out.
const LEAST_RANGE: u32 = 1 << 24;
/// Probabilities are multiples of 1/2^16, and stay this far from 0 and from 1: a decision costs at least
/// 0.045 bits, so that the number of decisions read is in proportion to the bytes.
const LEAST_PROBABILITY: u16 = 1 << 11;
const MOST_PROBABILITY: u16 = u16::MAX - LEAST_PROBABILITY + 1;
/// Finally, a probability moves by 1/16 of the remaining distance.
const SLOWEST: u8 = 4;

/// The probability that a decision is no, learnt from earlier decisions: fast at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probability {
    of_no: u16,
    /// It moves by 1/2 of the remaining distance at first, then 1/4, 1/8 and 1/16.
    shift: u8,
}

impl Probability {
    pub(crate) const EVEN: Probability = Probability { of_no: 1 << 15, shift: 0 };

    /// The part of an interval for no.
    #[inline]
    fn part(self, range: u32) -> u32 {
        (range >> 12) * u32::from(self.of_no >> 4)
    }

    #[inline]
    fn learn(&mut self, yes: bool) {
        self.shift += u8::from(self.shift < SLOWEST);
        match yes {
            true => self.of_no -= (self.of_no - LEAST_PROBABILITY) >> self.shift,
            false => self.of_no += (MOST_PROBABILITY - self.of_no) >> self.shift,
        }
    }
}

/// A reader or a writer: the coded data is described once for both.
pub(crate) trait Coder {
    /// Codes a decision in a context: the result of `find` when writing, the stored decision when reading.
    fn decide(&mut self, context: &mut Probability, find: impl FnOnce() -> bool) -> bool;

    /// Like [`Coder::decide`], for two outcomes with the same probability.
    fn decide_evenly(&mut self, find: impl FnOnce() -> bool) -> bool;

    /// Returns true if bytes were missing. Decisions read since then are meaningless.
    fn is_short(&self) -> bool;
}

/// Writes decisions.
pub(crate) struct RangeEncoder {
    bytes: Vec<u8>,
    /// Lower end of the interval. Bits above the lowest 32 are a carry.
    low: u64,
    range: u32,
    /// The last byte, and the number of bytes of 255 after it. A carry may still change them. The first byte
    /// is a dummy.
    held: u8,
    full: usize,
    has_begun: bool,
}

impl RangeEncoder {
    pub(crate) fn new() -> RangeEncoder {
        RangeEncoder { bytes: Vec::new(), low: 0, range: u32::MAX, held: 0, full: 0, has_begun: false }
    }

    fn shift_out(&mut self) {
        let carry = (self.low >> 32) as u8;
        if self.low < 0xff00_0000 || carry > 0 {
            if self.has_begun {
                self.bytes.push(self.held.wrapping_add(carry));
            }
            let full = std::mem::take(&mut self.full);
            self.bytes.extend(std::iter::repeat_n(255u8.wrapping_add(carry), full));
            self.held = (self.low >> 24) as u8;
            self.has_begun = true;
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    fn widen(&mut self) {
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift_out();
        }
    }

    /// All bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift_out());
        self.bytes
    }
}

impl Coder for RangeEncoder {
    fn decide(&mut self, context: &mut Probability, find: impl FnOnce() -> bool) -> bool {
        let (part, yes) = (context.part(self.range), find());
        if yes {
            self.low += u64::from(part);
            self.range -= part;
        } else {
            self.range = part;
        }
        context.learn(yes);
        self.widen();
        yes
    }

    fn decide_evenly(&mut self, find: impl FnOnce() -> bool) -> bool {
        let yes = find();
        self.range >>= 1;
        if yes {
            self.low += u64::from(self.range);
        }
        self.widen();
        yes
    }

    fn is_short(&self) -> bool {
        false
    }
}

/// Reads decisions.
pub(crate) struct RangeDecoder<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    /// Distance of the number above the lower end of the interval.
    above: u32,
}

impl<'a> RangeDecoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> RangeDecoder<'a> {
        let mut decoder = RangeDecoder { bytes, at: 0, range: u32::MAX, above: 0 };
        (0..4).for_each(|_| decoder.shift_in());
        decoder
    }

    #[inline]
    fn shift_in(&mut self) {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.above = self.above << 8 | u32::from(byte);
        self.at += 1;
    }

    #[inline]
    fn widen(&mut self) {
        if self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift_in();
        }
    }

    /// Returns true if the bytes end as a writer ends them.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len() && self.above == 0
    }

    /// The bytes after the ones that were read, if these end as a writer ends them.
    pub(crate) fn rest(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.at..).filter(|_| self.above == 0)
    }

    /// Number of bytes that were read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}

impl Coder for RangeDecoder<'_> {
    #[inline]
    fn decide(&mut self, context: &mut Probability, _: impl FnOnce() -> bool) -> bool {
        let part = context.part(self.range);
        let yes = self.above >= part;
        if yes {
            self.above -= part;
            self.range -= part;
        } else {
            self.range = part;
        }
        context.learn(yes);
        self.widen();
        yes
    }

    fn decide_evenly(&mut self, _: impl FnOnce() -> bool) -> bool {
        self.range >>= 1;
        let yes = self.above >= self.range;
        if yes {
            self.above -= self.range;
        }
        self.widen();
        yes
    }

    fn is_short(&self) -> bool {
        self.at > self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decisions_come_back(decisions in prop::collection::vec((0..3usize, 0..40u8), 0..4000)) {
            // Contexts with a rare yes, a common yes, and even chances.
            let of = |(context, roll): (usize, u8)| (context, roll < [1, 20, 39][context]);
            let mut encoder = RangeEncoder::new();
            let mut contexts = [Probability::EVEN; 3];
            for (context, yes) in decisions.iter().copied().map(of) {
                encoder.decide(&mut contexts[context], || yes);
                encoder.decide_evenly(|| yes);
            }
            let bytes = encoder.finish();
            let mut decoder = RangeDecoder::new(&bytes);
            let mut contexts = [Probability::EVEN; 3];
            for (context, yes) in decisions.iter().copied().map(of) {
                prop_assert_eq!(decoder.decide(&mut contexts[context], || unreachable!()), yes);
                prop_assert_eq!(decoder.decide_evenly(|| unreachable!()), yes);
            }
            prop_assert!(decoder.is_at_end() && !decoder.is_short());
        }
    }

    #[test]
    fn carries_run_through_bytes_of_255() {
        // The intervals of these numbers begin on one side of a carry and end on the other.
        for start in [[127, 255, 255, 255, 255, 255, 255, 255], [128, 0, 0, 0, 0, 0, 0, 0]] {
            let number = [&start[..], &[9; 16]].concat();
            let mut contexts = [Probability { of_no: 40_000, shift: SLOWEST }; 2];
            let mut decoder = RangeDecoder::new(&number);
            let decisions: Vec<bool> =
                (0..80).map(|step| decoder.decide(&mut contexts[step % 2], || unreachable!())).collect();
            assert!(!decoder.is_short());

            let mut contexts = [Probability { of_no: 40_000, shift: SLOWEST }; 2];
            let mut encoder = RangeEncoder::new();
            decisions.iter().enumerate().for_each(|(step, &yes)| {
                encoder.decide(&mut contexts[step % 2], || yes);
            });
            let bytes = encoder.finish();
            assert_eq!(bytes[..7], number[..7]);
            let mut contexts = [Probability { of_no: 40_000, shift: SLOWEST }; 2];
            let mut decoder = RangeDecoder::new(&bytes);
            for (step, &yes) in decisions.iter().enumerate() {
                assert_eq!(decoder.decide(&mut contexts[step % 2], || unreachable!()), yes);
            }
            assert!(decoder.is_at_end());
        }
    }
}
