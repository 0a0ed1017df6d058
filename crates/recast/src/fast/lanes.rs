//! Four numbers in one register, with all operations on them that the fast wing needs. Everything else is
//! written as if for one number.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};
use wide::f32x4;

/// Number of lanes.
pub(super) const LANES: usize = 4;

/// Four numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes(f32x4);

/// Four answers, true or false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mask(f32x4);

impl Lanes {
    /// Copies of a number in all four lanes.
    #[inline(always)]
    pub(super) fn splat(value: f32) -> Lanes {
        Lanes(f32x4::splat(value))
    }

    /// The first four numbers of a list.
    #[inline(always)]
    pub(super) fn load(values: &[f32]) -> Lanes {
        Lanes(f32x4::new(std::array::from_fn(|lane| values[lane])))
    }

    #[inline(always)]
    pub(super) fn get(self, lane: usize) -> f32 {
        self.0.as_array()[lane]
    }

    /// The smaller number in each lane; neither may be NaN.
    #[inline(always)]
    pub(super) fn min(self, other: Lanes) -> Lanes {
        Lanes(self.0.fast_min(other.0))
    }

    /// The larger number in each lane; neither may be NaN.
    #[inline(always)]
    pub(super) fn max(self, other: Lanes) -> Lanes {
        Lanes(self.0.fast_max(other.0))
    }

    /// The smaller number in each lane, or the other if this one is NaN; the other may not be NaN. Written so
    /// that the compiler emits the single instruction that most processors have; it does not find
    /// WebAssembly's instruction, which returns the second operand only if that is smaller.
    #[inline(always)]
    pub(super) fn min_if_any(self, other: Lanes) -> Lanes {
        if cfg!(all(target_family = "wasm", target_feature = "simd128")) {
            return Lanes(other.0.fast_min(self.0));
        }
        let (own, other) = (self.0.to_array(), other.0.to_array());
        let smaller = |lane: usize| if own[lane] < other[lane] { own[lane] } else { other[lane] };
        Lanes(f32x4::new(std::array::from_fn(smaller)))
    }

    /// The larger number in each lane, or the other if this one is NaN; the other may not be NaN.
    #[inline(always)]
    pub(super) fn max_if_any(self, other: Lanes) -> Lanes {
        if cfg!(all(target_family = "wasm", target_feature = "simd128")) {
            return Lanes(other.0.fast_max(self.0));
        }
        let (own, other) = (self.0.to_array(), other.0.to_array());
        let larger = |lane: usize| if own[lane] > other[lane] { own[lane] } else { other[lane] };
        Lanes(f32x4::new(std::array::from_fn(larger)))
    }

    /// Rounded towards zero. Exact below 2^31.
    #[inline(always)]
    pub(super) fn trunc(self) -> Lanes {
        if cfg!(all(target_family = "wasm", target_feature = "simd128")) {
            return Lanes(self.0.trunc());
        }
        Lanes(self.0.fast_trunc_int().round_float())
    }

    /// Converts to integers, rounding towards zero; arbitrary for a number beyond 2^31.
    #[inline(always)]
    pub(super) fn to_ints(self) -> [i32; LANES] {
        self.0.fast_trunc_int().to_array()
    }

    #[inline(always)]
    pub(super) fn lt(self, other: Lanes) -> Mask {
        Mask(self.0.simd_lt(other.0))
    }

    #[inline(always)]
    pub(super) fn le(self, other: Lanes) -> Mask {
        Mask(self.0.simd_le(other.0))
    }

    #[inline(always)]
    pub(super) fn gt(self, other: Lanes) -> Mask {
        Mask(self.0.simd_gt(other.0))
    }

    #[inline(always)]
    pub(super) fn ge(self, other: Lanes) -> Mask {
        Mask(self.0.simd_ge(other.0))
    }
}

impl Mask {
    /// Returns `yes` in lanes that are true, else `no`; the value that is not selected may be NaN.
    #[inline(always)]
    pub(super) fn select(self, yes: Lanes, no: Lanes) -> Lanes {
        Lanes(self.0.bitselect(yes.0, no.0))
    }

    /// NaN in lanes that are true, else the number.
    #[inline(always)]
    pub(super) fn nan_or(self, number: Lanes) -> Lanes {
        // All bits set are a NaN.
        Lanes(self.0 | number.0)
    }

    /// A bit for each lane.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        self.0.to_bitmask()
    }
}

/// Operators that apply to each lane.
macro_rules! operators {
    ($($operator:ident::$method:ident for $type:ident;)*) => {$(
        impl $operator for $type {
            type Output = $type;
            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                $type($operator::$method(self.0, other.0))
            }
        }
    )*};
}

operators! {
    Add::add for Lanes;
    Sub::sub for Lanes;
    Mul::mul for Lanes;
    Div::div for Lanes;
    BitAnd::bitand for Mask;
    BitOr::bitor for Mask;
}
