//! Intermediate results of a bake, for pictures, golden hashes and comparisons.

use crate::data::compact::state::{Compacted, Eroded};
use crate::data::span::state::{Filtered, LedgesDone, ObstaclesDone, Rasterized};
use crate::data::{
    Broken, CompactField, ContourSet, DetailMesh, DistanceField, PolyMesh, RawContours, RegionField,
    SimplifiedContours, SpanField,
};
use crate::observer::StageId;
use navmath::Digest;

/// The results of all stages between triangles and tile, one row each: the variant of [`Snapshot`], the field
/// of [`StageResults`], the type, the stage, and the other result that the type's check needs, if any.
macro_rules! intermediate_results {
    ($($(#[$doc:meta])* $variant:ident $field:ident $type:ty, $stage:ident $($other:ident)?;)*) => {
        /// An intermediate result, shown to a tap (see [`crate::bake_tapped`]).
        #[derive(Clone, Copy, Debug)]
        pub enum Snapshot<'a> {
            $($(#[$doc])* $variant(&'a $type),)*
        }

        impl Snapshot<'_> {
            /// The stage that made it.
            pub fn stage(&self) -> StageId {
                match self {
                    $(Snapshot::$variant(_) => StageId::$stage,)*
                }
            }
        }

        /// Copies of the intermediate results of one bake; `None` for a stage that has not run.
        #[derive(Clone, Debug, Default)]
        pub struct StageResults {
            $($(#[$doc])* pub $field: Option<$type>,)*
        }

        impl StageResults {
            /// Keeps a copy of an intermediate result: the tap of a bake calls this.
            pub fn keep(&mut self, snapshot: Snapshot<'_>) {
                match snapshot {
                    $(Snapshot::$variant(result) => self.$field = Some(result.clone()),)*
                }
            }

            /// The hash of each result, in the order of stages.
            pub fn hashes(&self) -> Vec<(StageId, Digest)> {
                let mut hashes = Vec::new();
                $(hashes.extend(self.$field.as_ref().map(|result| (StageId::$stage, result.hash())));)*
                hashes
            }

            /// Checks the invariants of every result.
            ///
            /// # Errors
            /// The first stage with an invariant that does not hold.
            pub fn check(&self) -> Result<(), (StageId, Broken)> {
                $(if let Some(result) = &self.$field {
                    $(let Some($other) = &self.$other else {
                        let what = concat!("there is no ", stringify!($other), " to check it against");
                        return Err((StageId::$stage, Broken(what.to_owned())));
                    };)?
                    result.check($($other)?).map_err(|broken| (StageId::$stage, broken))?;
                })*
                Ok(())
            }
        }
    };
}

intermediate_results! {
    /// After rasterizing.
    Rasterized rasterized SpanField<Rasterized>, Rasterize;
    /// After the low-hanging filter.
    ObstaclesDone obstacles_done SpanField<ObstaclesDone>, FilterLowHanging;
    /// After the ledge filter.
    LedgesDone ledges_done SpanField<LedgesDone>, FilterLedges;
    /// After the low-ceiling filter.
    Filtered filtered SpanField<Filtered>, FilterLowCeilings;
    /// After compaction.
    Compacted compacted CompactField<Compacted>, Compact;
    /// After erosion.
    Eroded eroded CompactField<Eroded>, Erode;
    /// After marking areas.
    Marked marked CompactField<Eroded>, MarkAreas;
    /// With distances; only the watershed partition has any.
    Distance distance DistanceField, DistanceField;
    /// With regions.
    Regions regions RegionField, Regions;
    /// Traced outlines.
    RawContours raw_contours RawContours, TraceContours;
    /// Simplified outlines and holes.
    Simplified simplified SimplifiedContours, SimplifyContours;
    /// Contours with holes joined.
    Contours contours ContourSet, MergeHoles;
    /// The polygon mesh.
    PolyMesh poly_mesh PolyMesh, PolyMesh;
    /// The detail mesh.
    DetailMesh detail_mesh DetailMesh, DetailMesh poly_mesh;
}
