//! The differences between two results of one stage: their kinds, their number, and the first of each kind.

mod bounds;
mod contours;
mod fields;
mod meshes;
mod spans;

pub use bounds::{all_contours, contours, joined_regions, polygons, simplified, walls};
pub use contours::raw_contours;
pub use fields::{compact, distance, regions};
pub use meshes::{detail_mesh, even_detail_mesh, poly_mesh};
pub use spans::{SpanAgreement, span_agreement, spans};

use recast::{AreaId, StageId};
use std::collections::BTreeMap;
use std::fmt;

/// Kinds of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The grids differ.
    Grid,
    /// A triangle has another area.
    TriangleArea,
    /// A column has another number of spans.
    SpanCount,
    /// A span has another bottom or top.
    SpanHeight,
    /// A span has another area.
    SpanArea,
    /// A span has another floor.
    Floor,
    /// A span has another clearance, both below 255.
    Clearance,
    /// A span has another neighbour.
    Neighbour,
    /// A span has another distance.
    Distance,
    /// The largest distance is another.
    MaxDistance,
    /// The number of regions is another.
    RegionCount,
    /// A span has another region, and the two cuts are not each other's renumbering.
    Region,
    /// A span has another region, but only the numbers differ.
    RegionNumber,
    /// Ours has a region on spans that have no region in theirs.
    KeptRegion,
    /// The number of contours is another.
    ContourCount,
    /// Ours has an outline on the tile's border that theirs lacks.
    BorderOutline,
    /// Ours has an outline within the tile that theirs lacks.
    KeptOutline,
    /// A wall of theirs is not in our traced outlines.
    Wall,
    /// A traced corner is further from our simplified outline than the allowed error.
    OutlineError,
    /// Our contours have more corners than theirs, in all.
    MoreCorners,
    /// The ground that is covered differs by more than the allowed error along its edges.
    CoveredArea,
    /// A contour has another region or area.
    ContourLabel,
    /// A contour has another number of corners.
    CornerCount,
    /// A corner of a contour is at another place in x or z.
    CornerPosition,
    /// A corner of a contour has another height.
    CornerHeight,
    /// Another region is beyond an edge of a contour.
    CornerBeyond,
    /// A corner of a contour has other flags.
    CornerFlags,
    /// The number of vertices is another.
    VertexCount,
    /// A vertex is at another place.
    VertexPosition,
    /// The number of polygons is another.
    PolygonCount,
    /// A polygon has other corners.
    PolygonCorners,
    /// A polygon has another region or area.
    PolygonLabel,
    /// Ours has more polygons than theirs.
    MorePolygons,
    /// Our polygons make more islands than theirs.
    MoreIslands,
    /// A cell on the tile's border has a portal in ours, but none in theirs.
    OpenPortal,
    /// A cell on the tile's border has a portal in theirs, but none in ours.
    ClosedPortal,
    /// Another neighbour is beyond an edge of a polygon.
    PolygonEdge,
    /// A sub-mesh of the detail mesh has another number of vertices or triangles.
    SubMesh,
    /// A detail vertex is at another place.
    DetailVertex,
    /// A detail triangle has other corners.
    DetailTriangle,
    /// A detail triangle has other boundary edges.
    DetailFlags,
    /// Our stage gave an error.
    Error,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Grid => "grid",
            Kind::TriangleArea => "triangle area",
            Kind::SpanCount => "span count",
            Kind::SpanHeight => "span height",
            Kind::SpanArea => "span area",
            Kind::Floor => "floor",
            Kind::Clearance => "clearance",
            Kind::Neighbour => "neighbour",
            Kind::Distance => "distance",
            Kind::MaxDistance => "largest distance",
            Kind::RegionCount => "region count",
            Kind::Region => "region",
            Kind::RegionNumber => "region number",
            Kind::KeptRegion => "region kept",
            Kind::ContourCount => "contour count",
            Kind::BorderOutline => "outline on the border",
            Kind::KeptOutline => "outline kept",
            Kind::Wall => "missing wall",
            Kind::OutlineError => "corner beyond the error",
            Kind::MoreCorners => "corner too many",
            Kind::CoveredArea => "covered area",
            Kind::ContourLabel => "contour region or area",
            Kind::CornerCount => "corner count",
            Kind::CornerPosition => "corner position",
            Kind::CornerHeight => "corner height",
            Kind::CornerBeyond => "region beyond",
            Kind::CornerFlags => "corner flags",
            Kind::VertexCount => "vertex count",
            Kind::VertexPosition => "vertex position",
            Kind::PolygonCount => "polygon count",
            Kind::PolygonCorners => "polygon corners",
            Kind::PolygonLabel => "polygon region or area",
            Kind::MorePolygons => "polygon too many",
            Kind::MoreIslands => "island too many",
            Kind::OpenPortal => "open portal",
            Kind::ClosedPortal => "closed portal",
            Kind::PolygonEdge => "polygon edge",
            Kind::SubMesh => "sub-mesh size",
            Kind::DetailVertex => "detail vertex",
            Kind::DetailTriangle => "detail triangle",
            Kind::DetailFlags => "detail flags",
            Kind::Error => "error",
        })
    }
}

/// The outcome of one stage.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The stage.
    pub stage: StageId,
    /// Differences of its output from the C++ stage's.
    pub differences: Vec<Difference>,
}

/// Differences of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of difference.
    pub kind: Kind,
    /// Number of differences.
    pub count: usize,
    /// The first, with its place and both values, ours first.
    pub first: String,
}

/// Counts differences by kind and keeps the first of each.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<Kind, (usize, String)>);

impl Tally {
    /// Counts a difference; `describe` is called only for the first of its kind.
    pub fn note(&mut self, kind: Kind, describe: impl FnOnce() -> String) {
        self.0.entry(kind).or_insert_with(|| (0, describe())).0 += 1;
    }

    /// Counts a difference if the two are not equal.
    pub fn equal<T: PartialEq + fmt::Debug>(
        &mut self,
        kind: Kind,
        ours: T,
        theirs: T,
        place: impl FnOnce() -> String,
    ) {
        if ours != theirs {
            self.note(kind, || format!("{}: {ours:?}, theirs {theirs:?}", place()));
        }
    }

    /// All differences, by kind.
    pub fn into_differences(self) -> Vec<Difference> {
        let difference = |(kind, (count, first))| Difference { kind, count, first };
        self.0.into_iter().map(difference).collect()
    }
}

/// Areas of triangles.
pub fn triangle_areas(ours: &[AreaId], theirs: &[AreaId]) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::TriangleArea, ours.len(), theirs.len(), || "number of triangles".to_owned());
    for (triangle, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        tally.equal(Kind::TriangleArea, ours, theirs, || format!("triangle {triangle}"));
    }
    tally.into_differences()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_kind_is_kept() {
        let mut tally = Tally::default();
        tally.equal(Kind::Floor, 1, 1, || "nowhere".to_owned());
        tally.equal(Kind::Floor, 1, 2, || "here".to_owned());
        tally.equal(Kind::Floor, 3, 4, || "there".to_owned());
        let expected = Difference { kind: Kind::Floor, count: 2, first: "here: 1, theirs 2".to_owned() };
        assert_eq!(tally.into_differences(), [expected]);
    }
}
