//! The tests of the crowd: scenarios, equality over threads, changing worlds, and invalid calls.
#![allow(clippy::unwrap_used)]

mod arrivals;
mod calls;
mod carry;
mod changes;
mod chase;
mod common;
mod costs;
mod crossings;
mod equality;
mod exits;
mod fields;
mod ground_loss;
mod groups;
mod hold_up;
mod holding;
mod ledges;
mod links;
mod passages;
mod people;
mod robust;
mod scale;
mod scenarios;
mod script;
mod stored;
