//! The tests of the crowd: scenarios, equality over threads, worlds that change, and calls that are wrong.
#![allow(clippy::unwrap_used)]

mod calls;
mod changes;
mod chase;
mod common;
mod costs;
mod crowd_scenes;
mod equality;
mod fields;
mod groups;
mod links;
mod robust;
mod scale;
mod scenarios;
mod script;
mod stored;
