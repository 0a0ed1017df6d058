//! The plugin in headless apps.

// Test helpers may panic too.
#![allow(clippy::unwrap_used)]

mod agents;
mod build;
mod changes;
mod common;
mod discs;
mod far;
mod files;
mod groups;
mod links;
mod reports;
