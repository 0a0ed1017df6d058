//! The target of the C interface.

use crate::calls::Calls;
use crate::memory::bounded;
use crate::script::Script;

/// Memory that all objects of a script may take together: crowds, caches and bakes have tables of fixed size.
const OBJECTS: usize = 256 << 20;
/// The most calls of a script.
const MOST_CALLS: usize = 400;

/// Calls of the C interface in any order. Handles are valid, freed, made up or of another type; other
/// arguments are NULL, arrays that are too short, sizes of other versions, and numbers that break things.
pub fn c_calls(data: &[u8]) {
    let mut script = Script::new(data);
    bounded(OBJECTS, || {
        let mut calls = Calls::default();
        for _ in 0..MOST_CALLS {
            if script.is_done() {
                break;
            }
            calls.one(&mut |below| script.below(below as usize) as u64);
            assert!(!navtile_c::status::nt_last_error().is_null());
        }
    });
}
