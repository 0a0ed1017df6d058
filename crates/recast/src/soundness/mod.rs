//! Guarantees.

pub(crate) mod contacts;
pub(crate) mod corner_ring;
pub(crate) mod cover;
pub(crate) mod floors_under;
pub(crate) mod ground_along;
pub(crate) mod overlaps;
pub(crate) mod refinement;
pub(crate) mod seam_corners;
pub(crate) mod small_islands;
pub(crate) mod strips;
