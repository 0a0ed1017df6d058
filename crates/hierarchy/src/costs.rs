//! Costs between the doors of a cluster, packed into numbers of 16 bits.
//!
//! ```text
//!   head: shift, form │ pieces, two in a number │ costs           the head has the number of bits that costs
//!                                                                are shortened by
//! ```
//!
//! There is a path between two doors if they are in one piece. It costs as much in either direction, so
//! each door lists the costs to those doors of its piece that are before it. If paths lead in one direction
//! only, a square lists the costs from each door to each.

/// A cost in units of the search: 1/256 of the cost of a metre at rate 1.
pub(crate) type Cost = u64;

/// Units of [`Cost`] in a metre that costs 1.
pub(crate) const UNITS: f64 = 256.0;
/// No cost is larger, so that the sum of a few does not overflow.
pub(crate) const MOST_COST: Cost = 1 << 56;
/// In a square: no path.
const NO_WAY: u16 = u16::MAX;
/// The largest number that is a cost.
const MOST: Cost = NO_WAY as Cost - 1;
/// Costs are shortened by at most this many bits.
const MOST_SHIFT: u16 = 40;
/// In the head: the bits of the shift.
const SHIFT: u16 = 0xff;
/// In the head: all doors are in one piece, which is not listed.
const ONE_PIECE: u16 = 1 << 8;
/// In the head: the costs are a square.
const SQUARE: u16 = 1 << 9;
/// A cluster with more doors has a square.
const MOST_IN_PIECES: usize = 256;

/// Which costs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// The costs of known paths.
    Upper,
    /// The least costs of any path.
    Lower,
}

/// A number of units as a cost: rounded down, and at most [`MOST_COST`].
#[inline]
pub(crate) fn whole(units: f64) -> Cost {
    (units as Cost).min(MOST_COST)
}

/// The costs between the doors of one cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a> {
    doors: usize,
    pub(crate) head: u16,
    pub(crate) pieces: &'a [u16],
    pub(crate) numbers: &'a [u16],
}

/// Packs costs and appends them to a list. `cost` returns the cost from one door to another, if there is a
/// path. `up` rounds up.
pub(crate) fn pack(
    doors: usize,
    up: bool,
    cost: impl Fn(usize, usize) -> Option<Cost>,
    packed: &mut Vec<u16>,
) {
    let all = || (0..doors).flat_map(|from| (0..doors).map(move |to| (from, to)));
    let largest = all().filter_map(|(from, to)| cost(from, to)).max().unwrap_or(0);
    let rounded = |cost: Cost, shift: u16| if up { cost.div_ceil(1 << shift) } else { cost >> shift };
    let shift = (0..=MOST_SHIFT).find(|shift| rounded(largest, *shift) <= MOST).unwrap_or(MOST_SHIFT);
    let number =
        |from: usize, to: usize| cost(from, to).map_or(NO_WAY, |cost| rounded(cost, shift).min(MOST) as u16);
    let is_alike = all().all(|(from, to)| cost(from, to) == cost(to, from));
    let pieces = if is_alike && doors <= MOST_IN_PIECES { pieces(doors, &cost) } else { None };
    let Some(pieces) = pieces else {
        packed.push(shift | SQUARE);
        return packed.extend(all().map(|(from, to)| number(from, to)));
    };
    let first = packed.len();
    if pieces.iter().all(|piece| *piece == 0) {
        packed.push(shift | ONE_PIECE);
    } else {
        packed.push(shift);
        packed.extend(
            pieces.chunks(2).map(|two| u16::from(two[0]) | u16::from(*two.get(1).unwrap_or(&0)) << 8),
        );
    }
    let head = packed[first..].to_vec();
    packed.extend(Packed::of(doors, &head).pairs().map(|(from, to)| number(from, to)));
}

/// The piece of each door, if the doors fall into pieces with paths between all doors of a piece and none
/// between two pieces.
fn pieces(doors: usize, cost: &impl Fn(usize, usize) -> Option<Cost>) -> Option<Vec<u8>> {
    let mut pieces: Vec<u8> = Vec::with_capacity(doors);
    let mut firsts: Vec<usize> = Vec::new();
    for door in 0..doors {
        let known = firsts.iter().position(|&first| cost(first, door).is_some());
        pieces.push(known.unwrap_or(firsts.len()) as u8);
        if known.is_none() {
            firsts.push(door);
        }
    }
    let is_whole = |from: usize| (0..from).all(|to| cost(from, to).is_some() == (pieces[from] == pieces[to]));
    (0..doors).all(is_whole).then_some(pieces)
}

/// The count of numbers that list the pieces of doors after a head; `None` if the head is not valid.
pub(crate) fn piece_numbers(head: u16, doors: usize) -> Option<usize> {
    let form = head & !SHIFT;
    match form {
        _ if head & SHIFT > MOST_SHIFT => None,
        ONE_PIECE | SQUARE => Some(0),
        0 if doors <= MOST_IN_PIECES => Some(doors.div_ceil(2)),
        _ => None,
    }
}

impl<'a> Packed<'a> {
    /// The costs in a packed list, between a number of doors. An empty list has no paths.
    pub(crate) fn of(doors: usize, packed: &'a [u16]) -> Packed<'a> {
        let (&head, rest) = packed.split_first().unwrap_or((&ONE_PIECE, packed));
        let listed = piece_numbers(head, doors).unwrap_or(0).min(rest.len());
        let (pieces, numbers) = rest.split_at(listed);
        Packed { doors, head, pieces, numbers }
    }

    /// The bits that costs are shortened by.
    pub(crate) fn shift(&self) -> u8 {
        (self.head & SHIFT) as u8
    }

    /// The pairs of doors that costs are stored for, in their order.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let form = self.head & !SHIFT;
        (0..self.doors).flat_map(move |from| {
            let end = if form == SQUARE { self.doors } else { from };
            let is_listed = move |to: &usize| form != 0 || self.piece(*to) == self.piece(from);
            (0..end).filter(is_listed).map(move |to| (from, to))
        })
    }

    fn piece(&self, door: usize) -> u8 {
        let two = self.pieces.get(door / 2).copied().unwrap_or(0);
        (two >> (8 * (door % 2))) as u8
    }

    /// Calls `visit` with each other door that a path leads to from a door, and its cost; with `backwards`,
    /// with each other door that a path leads from.
    #[inline]
    pub(crate) fn each(&self, door: usize, backwards: bool, mut visit: impl FnMut(usize, Cost)) {
        let mut visit = |other: usize, number: usize| {
            let number = self.numbers.get(number).copied().unwrap_or(NO_WAY);
            if number != NO_WAY {
                visit(other, Cost::from(number) << self.shift());
            }
        };
        match self.head & !SHIFT {
            SQUARE => {
                for other in (0..self.doors).filter(|other| *other != door) {
                    let (from, to) = if backwards { (other, door) } else { (door, other) };
                    visit(other, from * self.doors + to);
                }
            }
            ONE_PIECE => {
                (0..door).for_each(|other| visit(other, door * door.saturating_sub(1) / 2 + other));
                (door + 1..self.doors).for_each(|other| visit(other, other * (other - 1) / 2 + door));
            }
            _ => self.each_in_piece(door, visit),
        }
    }

    fn each_in_piece(&self, door: usize, mut visit: impl FnMut(usize, usize)) {
        let own = self.piece(door);
        let mut sizes = [0u16; MOST_IN_PIECES];
        let (mut row, mut own_rank) = (0, 0);
        for other in 0..self.doors {
            let piece = self.piece(other);
            let size = &mut sizes[usize::from(piece)];
            let rank = usize::from(*size);
            *size += 1;
            if other == door {
                own_rank = rank;
                let before = (0..door).filter(|other| self.piece(*other) == own);
                before.enumerate().for_each(|(rank, other)| visit(other, row + rank));
            } else if piece == own && other > door {
                visit(other, row + own_rank);
            }
            row += rank;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmath::SplitMix64;

    /// Random costs between doors of some pieces; one-way costs are missing from one direction.
    fn random_costs(
        random: &mut SplitMix64,
        doors: usize,
        pieces: usize,
        one_way: bool,
    ) -> Vec<Option<Cost>> {
        let largest = 1 << (1 + random.below(40));
        let of: Vec<usize> = (0..doors).map(|_| random.below(pieces)).collect();
        let mut costs = vec![None; doors * doors];
        for from in 0..doors {
            for to in 0..=from {
                let cost = if from == to { 0 } else { random.next_u64() % largest };
                let cost = (of[from] == of[to]).then_some(cost);
                costs[from * doors + to] = cost;
                costs[to * doors + from] = cost.filter(|_| from == to || !one_way || random.below(2) == 0);
            }
        }
        costs
    }

    #[test]
    fn packed_costs_are_those_given_rounded_to_16_bits() {
        let mut random = SplitMix64::new(1);
        for round in 0..300 {
            let (doors, pieces) = (random.below(40), 1 + random.below(4));
            let costs = random_costs(&mut random, doors, pieces, round % 3 == 0);
            for up in [false, true] {
                let mut numbers = Vec::new();
                pack(doors, up, |from, to| costs[from * doors + to], &mut numbers);
                let packed = Packed::of(doors, &numbers);
                let unit = 1 << packed.shift();
                for (door, backwards) in (0..doors).flat_map(|door| [(door, false), (door, true)]) {
                    let mut found = vec![None; doors];
                    packed.each(door, backwards, |other, cost| found[other] = Some(cost));
                    for (other, found) in found.into_iter().enumerate().filter(|(other, _)| *other != door) {
                        let (from, to) = if backwards { (other, door) } else { (door, other) };
                        let given = costs[from * doors + to];
                        assert_eq!(found.is_some(), given.is_some());
                        let (Some(found), Some(given)) = (found, given) else { continue };
                        let is_close = if up {
                            (given..given + unit).contains(&found)
                        } else {
                            found + unit > given && found <= given
                        };
                        assert!(is_close, "{given} {found} {unit}");
                    }
                }
            }
        }
    }

    #[test]
    fn doors_are_visited_in_their_order() {
        let mut random = SplitMix64::new(2);
        for one_way in [false, true] {
            let costs = random_costs(&mut random, 30, 3, one_way);
            let mut numbers = Vec::new();
            pack(30, true, |from, to| costs[from * 30 + to], &mut numbers);
            for door in 0..30 {
                let mut doors = Vec::new();
                Packed::of(30, &numbers).each(door, false, |other, _| doors.push(other));
                assert!(doors.is_sorted());
            }
        }
    }
}
