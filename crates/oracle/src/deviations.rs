//! The differences that are meant, with their reasons. Whatever is not listed here is a failure.

use crate::compare::{Difference, Kind};
use recast::StageId;

/// A difference that a stage may show when it is fed with the C++ stage's own input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The stage.
    pub stage: StageId,
    /// The kind of difference.
    pub kind: Kind,
    /// Most differences of the kind that the reason explains, on one level or tile.
    pub most: usize,
    /// Why we differ.
    pub reason: &'static str,
}

/// All that are meant.
pub const DEVIATIONS: &[Deviation] = &[];

/// The deviation that explains a difference, if one does.
pub fn explains(stage: StageId, difference: &Difference) -> Option<&'static Deviation> {
    let explained = |deviation: &&Deviation| {
        (deviation.stage, deviation.kind) == (stage, difference.kind) && difference.count <= deviation.most
    };
    DEVIATIONS.iter().find(explained)
}

/// Something the two programs express differently; the comparison allows for it, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// The stage.
    pub stage: StageId,
    /// What the C++ library does, what ours does, and why.
    pub note: &'static str,
}

/// What the comparison allows for.
pub const CONVENTIONS: &[Convention] = &[
    Convention {
        stage: StageId::MarkWalkable,
        note: "triangles without area are dropped before the bake; the C++ library rasterizes them as walls",
    },
    Convention {
        stage: StageId::Rasterize,
        note: "rows and columns are cut from the original edges, never from what the previous cell left over, and a \
               column's fragments are merged in sorted order, so that spans depend on the set of triangles alone and \
               tiles agree. Fed: the C++ library merges our sorted fragments. End to end: at most one column in a \
               thousand is solid elsewhere, by at most one cell",
    },
    Convention {
        stage: StageId::Compact,
        note: "clearance is kept up to 65535 cells; the C++ library's ends at 255, and so does the comparison",
    },
    Convention {
        stage: StageId::Regions,
        note: "regions are numbered from 1 and counted as they are; the C++ library counts the next number too, and \
               numbers those of a bordered tile from 5",
    },
    Convention {
        stage: StageId::TraceContours,
        note: "all outlines are kept; the C++ library forgets those whose simplification has fewer than three corners",
    },
    Convention {
        stage: StageId::SimplifyContours,
        note: "the C++ library simplifies and joins holes in one step: compared here where a region has no hole",
    },
    Convention {
        stage: StageId::DetailMesh,
        note: "the C++ library adds one cell height to detail vertices, and not to polygon corners; ours does not",
    },
];
