//! The plugin in headless apps.

// Helpers of tests too may panic.
#![allow(clippy::unwrap_used)]

mod agents;
mod build;
mod changes;
mod common;
mod discs;
mod files;
mod groups;
mod links;
mod reports;
