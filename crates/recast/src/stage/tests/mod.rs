//! Several stages in a row: what holds of their results whatever the ground, and what they cost as it grows.

mod connectivity;
mod growth;
