//! Tests over worlds in tiles.

mod bounds;
mod bytes;
mod classes;
mod guides;
mod update;
mod worlds;
