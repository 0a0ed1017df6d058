//! Fuzz target: see `navtile_fuzz::targets::graph_mutations`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| navtile_fuzz::targets::graph_mutations(data));
