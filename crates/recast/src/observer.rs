//! Progress, timings, diagnostics and cancellation: everything a bake exchanges with its surroundings while
//! it runs.

use crate::data::in_cells;
use navmath::Lattice;
use navtile::TileCoord;
use std::time::Duration;

/// An enum whose variants have short names for machines.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$variant),*];

            /// Short name, as in reports, golden files and figures.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}

named_enum! {
    /// The stages of a bake, in order.
    StageId {
        /// 1: mark walkable triangles.
        MarkWalkable = "mark_walkable",
        /// 2: rasterize triangles into spans. Without a tap, a bake finds the floors of stage 6 in the same
        /// sweep, which then counts as this stage; only their neighbours are left to stage 6.
        Rasterize = "rasterize",
        /// 3: filter low-hanging obstacles.
        FilterLowHanging = "filter_low_hanging",
        /// 4: filter ledges.
        FilterLedges = "filter_ledges",
        /// 5: filter low ceilings.
        FilterLowCeilings = "filter_low_ceilings",
        /// 6: build the compact field.
        Compact = "compact",
        /// 7: erode by the agent's radius.
        Erode = "erode",
        /// 8: mark areas.
        MarkAreas = "mark_areas",
        /// 9: distance field.
        DistanceField = "distance_field",
        /// 10: regions.
        Regions = "regions",
        /// 11: trace contours.
        TraceContours = "trace_contours",
        /// 12: simplify contours.
        SimplifyContours = "simplify_contours",
        /// 13: merge holes into outlines.
        MergeHoles = "merge_holes",
        /// 14: polygon mesh.
        PolyMesh = "poly_mesh",
        /// 15: detail mesh.
        DetailMesh = "detail_mesh",
        /// 16: emit the tile.
        Emit = "emit",
    }
}

/// Something that the bake repaired or dropped and that its user should know about.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of event.
    pub kind: DiagnosticKind,
    /// The place in the level, world metres; `None` if there is no particular place.
    pub place: Option<[f64; 3]>,
    /// One sentence for a person.
    pub message: String,
}

named_enum! {
    /// Kinds of diagnostics.
    #[non_exhaustive]
    DiagnosticKind {
        /// Degenerate triangles were dropped.
        DegenerateTriangles = "degenerate_triangles",
        /// A hole could not be joined to its outline.
        UnmergedHole = "unmerged_hole",
        /// An outline could not be traced to its end.
        OpenOutline = "open_outline",
        /// A region has no outline, or more than one.
        BadOutline = "bad_outline",
        /// A region's contours were simplified less than requested, because they were not usable otherwise.
        RefinedContour = "refined_contour",
        /// A contour could not be triangulated cleanly.
        BadTriangulation = "bad_triangulation",
        /// Two storeys came so close that a polygon was dropped.
        MergedStoreys = "merged_storeys",
        /// A detail mesh hit a limit or missed its samples.
        DetailMesh = "detail_mesh",
        /// Emission dropped or split a polygon.
        Emission = "emission",
        /// The bake came out empty.
        EmptyMesh = "empty_mesh",
    }
}

impl DiagnosticKind {
    /// True if this is only a note: the bake says how it handled something, and the mesh is as good as
    /// without it.
    pub fn is_note(self) -> bool {
        matches!(self, DiagnosticKind::RefinedContour)
    }
}

/// Gathers the diagnostics of one tile and turns places in the tile into places in the world.
#[derive(Clone, Debug)]
pub struct Report {
    lattice: Lattice,
    base_cell: [i64; 3],
    /// The diagnostics reported so far.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// An empty report of a tile whose inner corner is lattice cell `base_cell`.
    pub fn new(lattice: Lattice, base_cell: [i64; 3]) -> Report {
        Report { lattice, base_cell, diagnostics: Vec::new() }
    }

    /// Reports something at a [place](crate::data#places) of the tile.
    pub fn at_place(&mut self, kind: DiagnosticKind, place: [i32; 3], message: impl Into<String>) {
        let (cells, size) = (in_cells(place), self.lattice.cell());
        let place = std::array::from_fn(|axis| {
            self.lattice.origin[axis] + (self.base_cell[axis] as f64 + cells[axis]) * size[axis]
        });
        self.at(kind, Some(place), message);
    }

    /// Reports something at a place in the world; `None` if there is no particular place.
    pub fn at(&mut self, kind: DiagnosticKind, place: Option<[f64; 3]>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic { kind, place, message: message.into() });
    }
}

/// Watches a bake. All methods have a default that does nothing; tiles may report from several threads.
///
/// ```
/// # use recast::{Level, PreparedLevel, Scratch, Settings, bake_solo};
/// use navtile::TileCoord;
/// use recast::{Observer, StageId};
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::time::Duration;
///
/// #[derive(Default)]
/// struct Progress(AtomicUsize);
///
/// impl Observer for Progress {
///     fn stage_finished(&self, _tile: TileCoord, _stage: StageId, _elapsed: Duration) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let progress = Progress::default();
/// bake_solo(&level, &progress, &mut Scratch::new())?;
/// assert!(progress.0.into_inner() > 10);
/// # Ok::<(), recast::Error>(())
/// ```
pub trait Observer: Sync {
    /// A stage of a tile starts.
    fn stage_started(&self, tile: TileCoord, stage: StageId) {
        let _ = (tile, stage);
    }
    /// A stage of a tile is done.
    fn stage_finished(&self, tile: TileCoord, stage: StageId, elapsed: Duration) {
        let _ = (tile, stage, elapsed);
    }
    /// Called between stages; true stops the bake with [`crate::Error::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }
}

/// The observer that watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
