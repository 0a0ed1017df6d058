//! Fuzz target: see `navtile_fuzz::targets::gltf`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::gltf(data));
