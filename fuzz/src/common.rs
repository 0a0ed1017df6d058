//! The tiles, graphs and ways to spoil them that navtile's tests use, here with the fuzzer's bytes for dice.

#[path = "../../crates/navtile/tests/it/common/drawn.rs"]
pub(crate) mod drawn;
#[path = "../../crates/navtile/tests/it/common/graphs.rs"]
pub(crate) mod graphs;
#[path = "../../crates/navtile/tests/it/common/parts.rs"]
pub(crate) mod parts;
#[path = "../../crates/navtile/tests/it/common/spoil.rs"]
pub(crate) mod spoil;

pub(crate) use crate::script::Dice;
pub(crate) use drawn::{WIDTH, empty, everything, square, tile};
