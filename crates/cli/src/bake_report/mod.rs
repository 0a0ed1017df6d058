//! The reports of bakes: numbers and warnings as text and as JSON, and the page of a bake.

pub(crate) mod html;
pub(crate) mod phases;
pub(crate) mod report;
pub(crate) mod space;
pub(crate) mod summary;
pub(crate) mod warning;
