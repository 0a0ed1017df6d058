//! Tests over worlds in tiles.

mod bounds;
mod bytes;
mod classes;
mod closed;
mod guides;
mod route;
mod update;
mod worlds;
