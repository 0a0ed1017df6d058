//! Several stages in a row: properties of their results on any ground, and their cost as it grows.

mod connectivity;
mod growth;
