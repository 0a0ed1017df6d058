//! Fuzz target: see `navtile_fuzz::targets::hierarchy`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::hierarchy(data));
