//! The columns of the table: the library that baked, whole or in tiles, and the measures.

use super::{
    QualityOptions, capsules, complexity, conservation, coverage, height, islands, margins, paths, seams,
};
use recast::Outlines;

/// The columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeshVariant {
    /// Ours, baked whole.
    Ours,
    /// Ours with exact outlines, baked whole.
    Exact,
    /// The C++ library's, baked whole.
    Theirs,
    /// Ours, in tiles.
    OursTiled,
    /// Ours with exact outlines, in tiles.
    ExactTiled,
    /// The C++ library's, in tiles.
    TheirsTiled,
}

impl MeshVariant {
    /// All, in the order of the table.
    pub const ALL: [MeshVariant; 6] = [
        MeshVariant::Ours,
        MeshVariant::Exact,
        MeshVariant::Theirs,
        MeshVariant::OursTiled,
        MeshVariant::ExactTiled,
        MeshVariant::TheirsTiled,
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            MeshVariant::Ours => "ours",
            MeshVariant::Exact => "exact",
            MeshVariant::Theirs => "C++",
            MeshVariant::OursTiled => "ours, tiled",
            MeshVariant::ExactTiled => "exact, tiled",
            MeshVariant::TheirsTiled => "C++, tiled",
        }
    }

    pub(crate) fn is_ours(self) -> bool {
        self.solo() != MeshVariant::Theirs
    }

    pub(crate) fn is_tiled(self) -> bool {
        self != self.solo()
    }

    /// The course of its outlines.
    pub(crate) fn outlines(self) -> Outlines {
        if self.solo() == MeshVariant::Exact { Outlines::Exact } else { Outlines::Cells }
    }

    /// The variant that is baked whole by the same library with the same outlines.
    pub(crate) fn solo(self) -> MeshVariant {
        match self {
            MeshVariant::Ours | MeshVariant::OursTiled => MeshVariant::Ours,
            MeshVariant::Exact | MeshVariant::ExactTiled => MeshVariant::Exact,
            MeshVariant::Theirs | MeshVariant::TheirsTiled => MeshVariant::Theirs,
        }
    }
}

/// The figures of one column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// Polygons of the mesh.
    pub polygons: usize,
    /// Measure 1.
    pub coverage: coverage::Coverage,
    /// Measure 2.
    pub conservation: conservation::Conservation,
    /// Measure 3, of tiles only.
    pub tiles: Option<Tiles>,
    /// Measure 4.
    pub height: height::Height,
    /// Measure 5.
    pub paths: paths::Paths,
    /// Pairs on connected floors that the mesh does not connect.
    pub apart: usize,
    /// Measure 6.
    pub capsules: capsules::Capsules,
    /// Measure 7.
    pub complexity: complexity::Complexity,
    /// Measure 8.
    pub margins: margins::Margins,
}

/// Measure 3: differences of the tiles from the whole, and from each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tiles {
    /// Portals.
    pub seams: seams::Seams,
    /// Components of floors.
    pub components: islands::Components,
    /// Islands of polygons.
    pub islands: islands::IslandChanges,
}

/// A column of the table: measures, or the reason why there are none.
pub type VariantMeasures = (MeshVariant, Result<Measures, String>);

/// A level, measured.
#[derive(Clone, Debug)]
pub struct LevelQuality {
    /// Its name.
    pub name: String,
    /// The options of the measures.
    pub options: QualityOptions,
    /// Width and height of a cell, metres.
    pub cell: [f64; 2],
    /// World position of the lattice's zero.
    pub origin: [f64; 3],
    /// The columns, in the order of [`MeshVariant::ALL`].
    pub columns: Vec<VariantMeasures>,
}
