//! Bytes of the fuzzer as decisions: which tile, which field, what to do to it.

use navmath::SplitMix64;

/// Numbers that code gets wrong more often than others.
const EDGES: [u32; 16] = [
    0,
    1,
    2,
    3,
    0xFF,
    0x100,
    0x7FFF,
    0xFFFF,
    0x1_0000,
    0x3FFF_FFFF,
    0x4000_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
];

/// The decisions that are left. After the end there are only zeros.
pub struct Script<'a> {
    rest: &'a [u8],
}

impl<'a> Script<'a> {
    /// All of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Script<'a> {
        Script { rest: bytes }
    }

    /// Returns true if nothing is left.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The rest.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.rest.split_at(self.rest.len().min(N));
        self.rest = rest;
        std::array::from_fn(|index| taken.get(index).copied().unwrap_or(0))
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    /// A number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let number =
            if count <= 256 { usize::from(self.byte()) } else { u32::from_le_bytes(self.bytes()) as usize };
        number.checked_rem(count).unwrap_or(0)
    }

    /// A number: often small, or a value that breaks things.
    pub fn number(&mut self) -> u32 {
        match self.byte() {
            low @ 0..=63 => u32::from(low),
            low @ 64..=95 => u32::from(low - 64).wrapping_neg(),
            edge @ 96..=127 => EDGES[usize::from(edge - 96) % EDGES.len()],
            high @ 128..=191 => u32::from(high) << self.below(25),
            _ => u32::from_le_bytes(self.bytes()),
        }
    }

    /// A number with a sign, drawn as in `number`.
    pub fn signed(&mut self) -> i32 {
        self.number() as i32
    }

    /// `old`, changed by a number: replaced, moved, or some of its bits turned.
    pub fn change(&mut self, old: u32) -> u32 {
        match self.byte() % 4 {
            0 => self.number(),
            1 => old.wrapping_add(self.number()),
            2 => old ^ (1 << (self.byte() % 32)),
            _ => old ^ self.number(),
        }
    }

    /// A measure: ordinary, tiny, huge, negative or not a number.
    pub fn measure(&mut self) -> f64 {
        const MEASURES: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            0.25,
            9.5367431640625e-7,
            1_048_576.0,
            1e-300,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        match self.byte() {
            known @ 0..=127 => MEASURES[usize::from(known) % MEASURES.len()],
            scaled @ 128..=191 => f64::from(self.signed()) * 0.001 * f64::from(scaled),
            _ => f64::from_bits(u64::from_le_bytes(self.bytes())),
        }
    }
}

/// The bytes as rolls of dice, for the checkers and models that navtile's tests share. After the last byte,
/// the numbers continue from a generator seeded with all of them.
pub struct Dice {
    bytes: Vec<u8>,
    at: usize,
    more: SplitMix64,
}

impl Dice {
    /// Decisions by `bytes`.
    pub fn new(bytes: &[u8]) -> Dice {
        let more = SplitMix64::new(u64::from(crc32fast::hash(bytes)));
        Dice { bytes: bytes.to_vec(), at: 0, more }
    }

    fn byte(&mut self) -> u32 {
        self.at += 1;
        self.bytes
            .get(self.at - 1)
            .map_or_else(|| self.more.next_u64() as u32 & 0xFF, |byte| u32::from(*byte))
    }

    /// A number below `below`, from one byte for each of its digits in base 256.
    pub fn roll(&mut self, below: u32) -> i32 {
        let digits = below.max(2).ilog2() / 8 + 1;
        let number = (0..digits).fold(0u32, |number, _| number << 8 | self.byte());
        (number % below) as i32
    }
}
