//! The tests of the laboratory: the scenarios of the scenes, and scenarios that do not fit their mesh.
#![allow(clippy::unwrap_used)]

mod crowd_scenes;
