//! Arguments of calls, drawn by decisions, and what calls give back.

use super::support::{Out, ask_list, get};
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// Room of arrays for answers.
const ROOM: usize = 3;

/// Decisions: each is a number below the argument.
pub(super) type Next<'a> = &'a mut dyn FnMut(u64) -> u64;

/// Arguments of calls.
pub(super) struct Draw<'a> {
    pub(super) next: Next<'a>,
    pub(super) handles: &'a [u64],
}

impl Draw<'_> {
    pub(super) fn below(&mut self, count: u64) -> u64 {
        (self.next)(count)
    }

    pub(super) fn handle(&mut self) -> u64 {
        self.handles[self.below(self.handles.len() as u64) as usize]
    }

    /// Mostly a handle of a kind of object, which its highest bits are.
    pub(super) fn of(&mut self, kind: u64) -> u64 {
        let fits = |handle: &&u64| **handle >> 60 == kind;
        let count = self.handles.iter().filter(fits).count() as u64;
        if count == 0 || self.below(8) == 0 {
            return self.handle();
        }
        let at = self.below(count) as usize;
        self.handles.iter().filter(fits).nth(at).copied().unwrap_or_default()
    }

    pub(super) fn number(&mut self) -> f32 {
        const ODD: [f32; 12] =
            [0.0, 1.0, 5.0, 2.5, 8.0, 0.4, -3.0, 1e30, -1e30, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE];
        ODD[self.below(12) as usize]
    }

    pub(super) fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number().into())
    }

    pub(super) fn point(&mut self) -> NtVec3 {
        NtVec3 { x: self.number(), y: self.number(), z: self.number() }
    }

    pub(super) fn place(&mut self) -> NtPlace {
        NtPlace { polygon: self.handle(), point: self.point() }
    }

    pub(super) fn mesh(&mut self) -> NtMesh {
        NtMesh { id: self.of(1) }
    }

    pub(super) fn query(&mut self) -> NtQuery {
        NtQuery { id: self.of(3) }
    }

    /// Options: none, those of the library, or with a size that is wrong.
    pub(super) fn options<T>(
        &mut self,
        init: extern "C" fn(Out<'_, T>) -> NtStatus,
        size: fn(&mut T) -> &mut u32,
    ) -> Option<T> {
        let mut options = get(|out| init(out));
        match self.below(4) {
            0 => return None,
            1 => *size(&mut options) = self.below(9) as u32,
            _ => {}
        }
        Some(options)
    }

    /// A pointer to an array, or NULL.
    pub(super) fn array<T>(&mut self, of: &[T]) -> *const T {
        if self.below(8) == 0 { null() } else { of.as_ptr() }
    }
}

/// The address of options, NULL without any.
pub(super) fn pointer<T>(of: Option<&T>) -> *const T {
    of.map_or(null(), std::ptr::from_ref)
}

/// Handles that a call made.
pub(super) type Made = std::vec::IntoIter<u64>;

pub(super) fn nothing<T>(_: T) -> Made {
    Vec::new().into_iter()
}

pub(super) fn made<T>(answer: Result<T, NtStatus>, id: impl Fn(T) -> u64) -> Made {
    answer.map(|answer| vec![id(answer)]).unwrap_or_default().into_iter()
}

/// Asks for a list in an array that is too short, and without one.
pub(super) fn lists<T>(
    draw: &mut Draw<'_>,
    call: impl FnOnce(*mut T, usize, Out<'_, usize>) -> NtStatus,
) -> Vec<T> {
    if draw.below(6) == 0 {
        let mut count = MaybeUninit::uninit();
        let _ = call(null_mut(), draw.below(2) as usize, Some(&mut count));
        return Vec::new();
    }
    ask_list(ROOM, call).unwrap_or_default()
}
