//! Fuzz target: see `navtile_fuzz::targets::shard`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::shard(data));
