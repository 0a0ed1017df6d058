//! Fuzz target: see `navtile_fuzz::targets::tile_rules`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::tile_rules(data));
