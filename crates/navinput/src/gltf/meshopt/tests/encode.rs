//! Encoders of the three codecs, small and exhaustive rather than efficient. Choices that the format leaves
//! open are made by the caller's numbers, so that every possible encoding is decoded.

use std::collections::VecDeque;

/// Choices, taken one after the other and repeated.
pub(super) struct Choices<'a> {
    numbers: &'a [u8],
    next: usize,
}

impl Choices<'_> {
    pub(super) fn new(numbers: &[u8]) -> Choices<'_> {
        Choices { numbers, next: 0 }
    }

    fn below(&mut self, count: usize) -> usize {
        self.next += 1;
        usize::from(self.numbers[self.next % self.numbers.len()]) % count
    }
}

fn zigzag(value: u32, bits: u32) -> u32 {
    let high = value << (32 - bits) >> 31;
    ((value << 1) ^ high.wrapping_neg()) & (u32::MAX >> (32 - bits))
}

/// Elements of `stride` bytes, as `version` 0 or 1.
pub(super) fn attributes(elements: &[u8], stride: usize, version: u8, choices: &mut Choices<'_>) -> Vec<u8> {
    let channel = |choices: &mut Choices<'_>| match choices.below(3) {
        2 => 2 | (choices.below(16) as u8) << 4,
        kind => kind as u8,
    };
    let kinds: Vec<u8> = (0..stride / 4).map(|_| if version == 0 { 0 } else { channel(choices) }).collect();
    // Differences work from any base.
    let base: Vec<u8> = (0..stride).map(|_| choices.below(256) as u8).collect();
    let mut stream = vec![0xA0 | version];
    let mut previous = base.clone();
    let block_elements = ((8192 / stride) & !15).min(256);
    for block in elements.chunks(block_elements * stride) {
        let mut planes = vec![Vec::new(); stride];
        for element in block.chunks(stride) {
            for (at, kind) in kinds.iter().enumerate().map(|(channel, kind)| (4 * channel, *kind)) {
                let bytes = difference(&previous[at..at + 4], &element[at..at + 4], kind);
                (0..4).for_each(|byte| planes[at + byte].push(bytes[byte]));
            }
            previous.copy_from_slice(element);
        }
        write_block(&mut stream, &planes, version, choices);
    }
    let tail = [&base[..], if version == 0 { &[] } else { &kinds[..] }].concat();
    let padded = tail.len().max(if version == 0 { 32 } else { 24 });
    stream.resize(stream.len() + padded - tail.len(), 0);
    stream.extend(tail);
    stream
}

fn difference(before: &[u8], after: &[u8], kind: u8) -> [u8; 4] {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
    let width = match kind {
        0 => 1,
        1 => 2,
        rotated => {
            let changed = number(before) ^ number(after);
            return changed.rotate_left(u32::from(rotated >> 4)).to_le_bytes();
        }
    };
    let mut bytes = [0; 4];
    for at in (0..4).step_by(width) {
        let range = at..at + width;
        let moved = number(&after[range.clone()]).wrapping_sub(number(&before[range.clone()]));
        let stored = zigzag(moved, 8 * width as u32);
        bytes[range].copy_from_slice(&stored.to_le_bytes()[..width]);
    }
    bytes
}

fn write_block(stream: &mut Vec<u8>, planes: &[Vec<u8>], version: u8, choices: &mut Choices<'_>) {
    let control = |plane: &Vec<u8>, choices: &mut Choices<'_>| match choices.below(4) {
        2 if plane.iter().any(|&byte| byte != 0) => 3,
        control => control as u8,
    };
    let controls: Vec<u8> = planes.iter().map(|plane| control(plane, choices)).collect();
    if version == 1 {
        let packed = controls.chunks(4).map(|four| four.iter().rev().fold(0, |all, one| all << 2 | one));
        stream.extend(packed);
    }
    for (plane, control) in planes.iter().zip(controls) {
        let widths = match (version, control) {
            (0, _) => [0, 2, 4, 8],
            (_, 0) => [0, 1, 2, 4],
            (_, 1) => [1, 2, 4, 8],
            (_, 2) => continue,
            _ => {
                stream.extend(plane);
                continue;
            }
        };
        let mut bits = vec![0; plane.len().div_ceil(16).div_ceil(4)];
        let mut groups = Vec::new();
        for (group, differences) in plane.chunks(16).enumerate() {
            let all_zero = differences.iter().all(|&difference| difference == 0);
            let mut mode = choices.below(4);
            if widths[mode] == 0 && !all_zero {
                mode = 1;
            }
            bits[group / 4] |= (mode as u8) << (2 * (group % 4));
            write_group(&mut groups, differences, widths[mode]);
        }
        stream.extend(bits);
        stream.extend(groups);
    }
}

fn write_group(stream: &mut Vec<u8>, differences: &[u8], width: u8) {
    // A group has sixteen elements, even if fewer remain.
    let of = |place: usize| differences.get(place).copied().unwrap_or(0);
    match width {
        0 => return,
        8 => return stream.extend((0..16).map(of)),
        _ => {}
    }
    let all_set = (1 << width) - 1;
    let mut packed = vec![0_u8; 2 * usize::from(width)];
    let per_byte = 8 / width;
    let mut whole = Vec::new();
    for place in 0..16_u8 {
        let value = of(usize::from(place));
        let within = place % per_byte;
        let shift = if width == 1 { within } else { 8 - width * (within + 1) };
        packed[usize::from(place / per_byte)] |= value.min(all_set) << shift;
        whole.extend((value >= all_set).then_some(value));
    }
    stream.extend(packed);
    stream.extend(whole);
}

fn variable(stream: &mut Vec<u8>, mut value: u32) {
    while value > 0x7F {
        stream.push(value as u8 | 0x80);
        value >>= 7;
    }
    stream.push(value as u8);
}

/// Any indices, each as a difference from one of two before.
pub(super) fn sequence(indices: &[u32], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut stream = vec![0xD1];
    let mut last = [0_u32; 2];
    for &index in indices {
        let base = choices.below(2);
        let stored = zigzag(index.wrapping_sub(last[base]), 32);
        variable(&mut stream, stored << 1 | base as u32);
        last[base] = index;
    }
    stream.extend([0; 4]);
    stream
}

/// The table of pairs that the encoder writes.
const TABLE: [u8; 16] = [0, 0x76, 0x87, 0x56, 0x67, 0x78, 0xA9, 0x86, 0x65, 0x89, 0x68, 0x98, 1, 0x69, 0, 0];

struct State {
    extra: Vec<u8>,
    /// Newest first.
    edges: VecDeque<[u32; 2]>,
    vertices: VecDeque<u32>,
    next: u32,
    last: u32,
}

fn remember<T>(recent: &mut VecDeque<T>, item: T) {
    recent.push_front(item);
    recent.truncate(16);
}

/// Encodes triangles; their corners may be written in another rotation with the same winding.
pub(super) fn triangles(corners: &[u32], choices: &mut Choices<'_>) -> (Vec<u8>, Vec<u32>) {
    let (edges, vertices) = (VecDeque::new(), VecDeque::new());
    let mut state = State { extra: Vec::new(), edges, vertices, next: 0, last: 0 };
    let (mut stream, mut written) = (vec![0xE1], Vec::new());
    for triangle in corners.chunks(3) {
        let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        let shared = turns.into_iter().find_map(|turn| {
            let edge = state.edges.iter().take(15).position(|edge| *edge == [turn[0], turn[1]])?;
            Some((edge as u8, turn))
        });
        let (code, turn) = match shared.filter(|_| choices.below(8) > 0) {
            Some((edge, turn)) => (edge << 4 | state.beside(turn, choices), turn),
            None => {
                let turn = turns.into_iter().find(|turn| turn[0] == state.next).unwrap_or([a, b, c]);
                (state.loose(turn, choices), turn)
            }
        };
        stream.push(code);
        written.extend(turn);
    }
    stream.extend(&state.extra);
    stream.extend(TABLE);
    (stream, written)
}

impl State {
    fn beside(&mut self, [a, b, c]: [u32; 3], choices: &mut Choices<'_>) -> u8 {
        let known = self.vertices.iter().position(|&vertex| vertex == c);
        let code = match known {
            Some(age @ 1..=12) if choices.below(4) > 0 => age as u8,
            _ if c == self.next => {
                self.next += 1;
                0
            }
            _ if c == self.last.wrapping_sub(1) => 0xD,
            _ if c == self.last.wrapping_add(1) => 0xE,
            _ => {
                self.write(c);
                0xF
            }
        };
        if matches!(code, 0xD | 0xE) {
            self.last = c;
        }
        if !matches!(code, 1..=12) {
            remember(&mut self.vertices, c);
        }
        remember(&mut self.edges, [c, b]);
        remember(&mut self.edges, [a, c]);
        code
    }

    fn loose(&mut self, [a, b, c]: [u32; 3], choices: &mut Choices<'_>) -> u8 {
        let place = self.extra.len();
        let (restarts, tabled) = ([a, b, c] == [0, 1, 2] && self.next > 0, choices.below(3) > 0);
        if restarts {
            self.next = 0;
        }
        let fresh = a == self.next;
        if fresh {
            self.next += 1;
        } else {
            self.write(a);
        }
        let [b_kind, c_kind] = [b, c].map(|vertex| self.kind(vertex, fresh, restarts));
        let pair = b_kind << 4 | c_kind;
        let known = TABLE[..14].iter().position(|&other| other == pair);
        let code = match known {
            Some(known) if fresh && !restarts && (tabled || pair == 0) => 0xF0 | known as u8,
            _ => {
                self.extra.insert(place, pair);
                0xFE | u8::from(!fresh)
            }
        };
        remember(&mut self.vertices, a);
        for (vertex, _) in [(b, b_kind), (c, c_kind)].iter().filter(|(_, kind)| matches!(kind, 0 | 0xF)) {
            remember(&mut self.vertices, *vertex);
        }
        [[b, a], [c, b], [a, c]].into_iter().for_each(|edge| remember(&mut self.edges, edge));
        code
    }

    /// The code of a corner. Two fresh corners after one that is not fresh would mean that indices start
    /// again.
    fn kind(&mut self, vertex: u32, fresh: bool, restarts: bool) -> u8 {
        let known = self.vertices.iter().position(|&other| other == vertex);
        match known {
            Some(age @ 0..=13) if !restarts => age as u8 + 1,
            _ if vertex == self.next && fresh => {
                self.next += 1;
                0
            }
            _ => {
                self.write(vertex);
                0xF
            }
        }
    }

    fn write(&mut self, index: u32) {
        variable(&mut self.extra, zigzag(index.wrapping_sub(self.last), 32));
        self.last = index;
    }
}
