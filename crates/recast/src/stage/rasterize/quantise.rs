//! From heights to cells, columns side by side.

use super::cut::{Piece, Run};
use super::lines::{INTEGER_BITS, INTEGERS, LANES, most};
use super::packed::Packed;
use crate::area::AreaId;

/// In place of a fragment, whose top lies above zero: there is none within the bounds.
pub(super) const NOTHING: Packed = Packed::NOTHING;

/// As [`quantise`](super::quantise), for many columns.
pub(super) struct Quantiser {
    height: f32,
    cells_per_metre: f32,
    /// Whether heights, in cells, are small enough to be rounded by adding to them.
    is_small: bool,
}

impl Quantiser {
    pub(super) fn new(height: f32, cell_height: f32) -> Quantiser {
        let cells_per_metre = 1.0 / cell_height;
        Quantiser { height, cells_per_metre, is_small: height * cells_per_metre < INTEGERS / 2.0 }
    }

    /// The fragment of a piece in each of its columns, or [`NOTHING`] if it lies outside the bounds. Free of branches.
    #[inline(always)]
    pub(super) fn fragments(&self, piece: &Piece) -> Fragments {
        if self.is_small { self.small(piece) } else { self.any(piece) }
    }

    /// As [`Quantiser::fragments`], for each column of a run.
    pub(super) fn run(&self, run: &Run<'_>, area: AreaId, fragments: &mut Vec<Packed>) {
        let heights = run.low.iter().zip(run.high);
        fragments.clear();
        if self.is_small {
            fragments.extend(heights.map(|(&low, &high)| {
                let [upper, lower] = self.small_one(low, high, area);
                Packed::from_halves(upper, lower)
            }));
        } else {
            fragments.extend(heights.map(|(&low, &high)| {
                let piece = Piece { first: 0, count: 1, low: [low; LANES], high: [high; LANES], area };
                self.any(&piece).get(0)
            }));
        }
    }

    /// Bottom and top in fractions of cells.
    #[inline(always)]
    fn exact(&self, low: f32, high: f32) -> (f32, f32) {
        let low = if low > 0.0 { low } else { 0.0 } * self.cells_per_metre;
        let high = if high < self.height { high } else { self.height } * self.cells_per_metre;
        (low, high)
    }

    /// All bits if a part between two heights meets the bounds.
    #[inline(always)]
    fn inside(&self, low: f32, high: f32) -> u32 {
        mask((high >= 0.0) & (low <= self.height))
    }

    #[inline(always)]
    fn small(&self, piece: &Piece) -> Fragments {
        let mut fragments = Fragments { upper: [0; LANES], lower: [0; LANES] };
        for lane in 0..LANES {
            [fragments.upper[lane], fragments.lower[lane]] =
                self.small_one(piece.low[lane], piece.high[lane], piece.area);
        }
        fragments
    }

    /// The halves of one fragment.
    #[inline(always)]
    fn small_one(&self, low: f32, high: f32, area: AreaId) -> [u32; 2] {
        let one_if = |condition: bool| f32::from_bits(mask(condition) & 1f32.to_bits());
        // What lies outside the bounds is no number here, and is not used.
        let (exact_low, exact_high) = self.exact(low, high);
        let nearest = (exact_low + INTEGERS) - INTEGERS;
        let min = nearest - one_if(nearest > exact_low);
        let nearest = (exact_high + INTEGERS) - INTEGERS;
        let max = nearest + one_if(nearest < exact_high);
        let integer = |cells: f32| (cells + INTEGERS).to_bits() & INTEGER_BITS;
        let inside = self.inside(low, high);
        Packed::halves(integer(min), integer(most(max, min + 1.0)), area).map(|half| half & inside)
    }

    #[inline(never)]
    fn any(&self, piece: &Piece) -> Fragments {
        let mut fragments = Fragments { upper: [0; LANES], lower: [0; LANES] };
        for lane in 0..LANES {
            let (low, high) = (piece.low[lane], piece.high[lane]);
            let (exact_low, exact_high) = self.exact(low, high);
            let (min, max) = (exact_low as i32, exact_high as i32);
            let max = max + i32::from((max as f32) < exact_high);
            let [upper, lower] = Packed::halves(min as u32, max.max(min.wrapping_add(1)) as u32, piece.area);
            let inside = self.inside(low, high);
            fragments.upper[lane] = upper & inside;
            fragments.lower[lane] = lower & inside;
        }
        fragments
    }
}

/// All bits, or none.
#[inline(always)]
fn mask(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}

/// Fragments side by side, in halves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fragments {
    upper: [u32; LANES],
    lower: [u32; LANES],
}

impl Fragments {
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Packed {
        Packed::from_halves(self.upper[lane], self.lower[lane])
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantise;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_to_quantise_agree(
            low in -3.0f32..9.0,
            rise in 0.0f32..9.0,
            height in 0.5f32..8.0,
            cell_height in prop::sample::select(vec![0.05f32, 0.2, 0.3, 0.7, 1e-6]),
            on_line in any::<bool>(),
        ) {
            let low = if on_line { (low / cell_height).round() * cell_height } else { low };
            let high = low + rise;
            let area = AreaId::GROUND;
            let quantiser = Quantiser::new(height, cell_height);
            let (low_lanes, high_lanes) = ([low; LANES], [high; LANES]);
            let piece = Piece { first: 0, count: 1, low: low_lanes, high: high_lanes, area };
            let fragments = [quantiser.fragments(&piece).get(0), quantiser.any(&piece).get(0)];
            prop_assert_eq!(fragments[0], fragments[1]);
            let mut of_run = Vec::new();
            quantiser.run(&Run { first: 0, low: &[low], high: &[high] }, area, &mut of_run);
            prop_assert_eq!(of_run, [fragments[0]]);
            match quantise(low, high, height, cell_height) {
                Some((min, max)) => prop_assert_eq!(Packed::new(min, max, area), fragments[0]),
                None => prop_assert_eq!(NOTHING, fragments[0]),
            }
        }
    }
}
