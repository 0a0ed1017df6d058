//! Fuzz target: see `navtile_fuzz::targets::obj`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::obj(data));
