//! Fuzz target: see `navtile_fuzz::targets::c_calls`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::c_calls(data));
