//! Tests over worlds in tiles.

mod bounds;
mod bytes;
mod classes;
mod update;
mod worlds;
