//! The intended differences, each under the id it has in docs/deviations.md. Any difference that is not
//! listed here is a failure.

use crate::compare::{Difference, Kind};
use recast::{Partition, StageId};

/// The comparison in which a difference shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Our stage fed with the C++ stage's own input.
    Fed,
    /// A whole bake from our spans.
    Chain,
}

impl Way {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Way::Fed => "fed C++ input",
            Way::Chain => "from our spans",
        }
    }
}

/// A level, and how it is cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// Name of the level or scene.
    pub level: String,
    /// Width of a cell, metres.
    pub cell_size: f64,
    /// Cells along a side of its tiles; `None` for one tile.
    pub tile_cells: Option<u32>,
}

/// The bakes that show a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// This level or scene, at this cell size, in tiles of this many cells or as one tile, by this partition
    /// (`None` before the regions).
    By(&'static str, f64, Option<u32>, Option<Partition>),
    /// Any bake by this partition.
    Partitioned(Partition),
    /// Any bake in tiles.
    InTiles,
    /// Any bake.
    Anywhere,
}

/// A difference that bakes show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Its id in docs/deviations.md.
    pub id: &'static str,
    /// The bakes that show it.
    pub shown: Shown,
    /// The comparison.
    pub way: Way,
    /// The stage.
    pub stage: StageId,
    /// The kind of difference, and how many at most.
    pub kind: Kind,
    /// Most differences of the kind in one table, all tiles together.
    pub most: usize,
}

/// The reason for each difference, in a sentence; docs/deviations.md says more.
pub const REASONS: &[(&str, &str)] = &[
    (
        "slope-limit",
        "a slope may be steeper than the limit by a hundredth of a degree, as corners are rounded",
    ),
    (
        "lattice-areas",
        "volumes are measured in f64 on the global lattice: a cell's middle on an outline counts alike",
    ),
    (
        "overlap-split",
        "a watershed region that lies above itself is split, as its outline would cross itself",
    ),
    (
        "small-islands",
        "layers that steps connect are one island, as regions of the other partitions are: a small layer beside others stays",
    ),
    (
        "border-outlines",
        "an outline on a tile's border is kept however small, as the tile beyond counts on it",
    ),
    (
        "junctions",
        "a corner that one region must keep all regions around it keep, and outlines that would meet keep more corners",
    ),
    (
        "notches",
        "triangles are Delaunay and merged by notches: fewer polygons in all, but now and then one more in a tile",
    ),
    ("outlines-stay", "a region does not vanish by simplification, however small, as it may connect others"),
    (
        "border-corners",
        "both tiles at a border keep the corners that the floors on either side demand, and no others",
    ),
    (
        "closed-portals",
        "only edges beyond which a tile's border goes on are portals, not walls that happen to lie on its line",
    ),
];

/// Triangles that have the slope of the limit: five of the terrain, which count once for each tile.
const fn steep(shown: Shown, way: Way, most: usize) -> Deviation {
    Deviation { id: "slope-limit", shown, way, stage: StageId::MarkWalkable, kind: Kind::TriangleArea, most }
}

const fn marked(tile_cells: Option<u32>, way: Way, most: usize) -> Deviation {
    let shown = Shown::By("courtyard", 0.1, tile_cells, None);
    Deviation { id: "lattice-areas", shown, way, stage: StageId::MarkAreas, kind: Kind::SpanArea, most }
}

const fn split(cell_size: f64, tile_cells: Option<u32>, way: Way, kind: Kind, most: usize) -> Deviation {
    let shown = Shown::By("spiral", cell_size, tile_cells, Some(Partition::Watershed));
    Deviation { id: "overlap-split", shown, way, stage: StageId::Regions, kind, most }
}

const fn kept_region(way: Way, most: usize) -> Deviation {
    let (shown, stage) = (Shown::Partitioned(Partition::Layers), StageId::Regions);
    Deviation { id: "small-islands", shown, way, stage, kind: Kind::KeptRegion, most }
}

const fn outlined(way: Way, stage: StageId, kind: Kind, most: usize) -> Deviation {
    Deviation { id: "border-outlines", shown: Shown::InTiles, way, stage, kind, most }
}

/// The spiral, in which one of their watershed regions is above itself: its outline crosses itself at every
/// turn.
const fn wound(cell_size: f64, tile_cells: Option<u32>, partition: Partition, most: usize) -> Deviation {
    let shown = Shown::By("spiral", cell_size, tile_cells, Some(partition));
    let (stage, kind) = (StageId::MergeHoles, Kind::MoreCorners);
    Deviation { id: "junctions", shown, way: Way::Fed, stage, kind, most }
}

const fn kept(most: usize) -> Deviation {
    let (stage, kind) = (StageId::MergeHoles, Kind::KeptOutline);
    Deviation { id: "outlines-stay", shown: Shown::Anywhere, way: Way::Fed, stage, kind, most }
}

const fn at_border(way: Way, stage: StageId, kind: Kind, most: usize) -> Deviation {
    Deviation { id: "border-corners", shown: Shown::InTiles, way, stage, kind, most }
}

const fn merged(way: Way, most: usize) -> Deviation {
    let (shown, stage, kind) = (Shown::InTiles, StageId::PolyMesh, Kind::MorePolygons);
    Deviation { id: "notches", shown, way, stage, kind, most }
}

const fn closed(way: Way, most: usize) -> Deviation {
    let (shown, stage, kind) = (Shown::InTiles, StageId::PolyMesh, Kind::ClosedPortal);
    Deviation { id: "closed-portals", shown, way, stage, kind, most }
}

/// All intended deviations, with the largest number seen and a small margin. If several match a bake, the
/// first counts. Consequences of a deviation in later stages of the same tile are not listed, only allowed.
pub const DEVIATIONS: &[Deviation] = &[
    steep(Shown::By("terrain", 0.3, None, None), Way::Fed, 5),
    steep(Shown::By("terrain", 0.3, Some(48), None), Way::Fed, 125),
    steep(Shown::By("terrain", 0.1, None, None), Way::Fed, 5),
    steep(Shown::By("terrain", 0.1, Some(48), None), Way::Fed, 980),
    marked(None, Way::Fed, 1),
    marked(None, Way::Chain, 1),
    marked(Some(48), Way::Fed, 2),
    marked(Some(48), Way::Chain, 2),
    split(0.3, None, Way::Fed, Kind::RegionCount, 1),
    split(0.3, None, Way::Fed, Kind::Region, 442),
    split(0.3, None, Way::Chain, Kind::Region, 442),
    split(0.3, Some(48), Way::Fed, Kind::RegionCount, 1),
    split(0.3, Some(48), Way::Fed, Kind::Region, 442),
    split(0.3, Some(48), Way::Chain, Kind::Region, 442),
    split(0.1, None, Way::Fed, Kind::RegionCount, 1),
    split(0.1, None, Way::Fed, Kind::Region, 4547),
    split(0.1, None, Way::Chain, Kind::Region, 4547),
    kept_region(Way::Fed, 3),
    kept_region(Way::Chain, 3),
    outlined(Way::Fed, StageId::MergeHoles, Kind::BorderOutline, 14),
    outlined(Way::Chain, StageId::MergeHoles, Kind::MoreCorners, 40),
    outlined(Way::Chain, StageId::MergeHoles, Kind::CoveredArea, 3),
    outlined(Way::Chain, StageId::PolyMesh, Kind::OpenPortal, 150),
    outlined(Way::Chain, StageId::PolyMesh, Kind::MoreIslands, 14),
    wound(0.3, None, Partition::Watershed, 20),
    wound(0.3, None, Partition::Monotone, 4),
    wound(0.3, Some(48), Partition::Watershed, 20),
    wound(0.1, None, Partition::Watershed, 110),
    kept(2),
    at_border(Way::Fed, StageId::TraceContours, Kind::CornerFlags, 8),
    at_border(Way::Chain, StageId::TraceContours, Kind::CornerFlags, 8),
    at_border(Way::Fed, StageId::MergeHoles, Kind::MoreCorners, 6),
    merged(Way::Fed, 4),
    merged(Way::Chain, 14),
    closed(Way::Fed, 180),
    closed(Way::Chain, 270),
];

/// The deviation that is listed for a difference, if one is.
pub fn listed(
    bake: &Bake,
    way: Way,
    partition: Option<&str>,
    stage: StageId,
    difference: &Difference,
) -> Option<&'static Deviation> {
    DEVIATIONS.iter().find(|deviation| {
        let shown = match deviation.shown {
            Shown::By(level, cell_size, tile_cells, by) => {
                (level, cell_size, tile_cells) == (bake.level.as_str(), bake.cell_size, bake.tile_cells)
                    && by.map(Partition::name) == partition
            }
            Shown::Partitioned(by) => Some(by.name()) == partition,
            Shown::InTiles => bake.tile_cells.is_some(),
            Shown::Anywhere => true,
        };
        shown && (deviation.way, deviation.stage, deviation.kind) == (way, stage, difference.kind)
    })
}

/// A convention in which the two programs differ. The comparison allows for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Its id in docs/deviations.md.
    pub id: &'static str,
    /// The stage.
    pub stage: StageId,
    /// The C++ library's convention, ours, and the reason.
    pub note: &'static str,
}

/// All conventions that the comparison allows for.
pub const CONVENTIONS: &[Convention] = &[
    Convention {
        id: "degenerate-triangles",
        stage: StageId::MarkWalkable,
        note: "triangles without area are dropped before the bake; the C++ library rasterizes them as walls",
    },
    Convention {
        id: "cut-afresh",
        stage: StageId::Rasterize,
        note: "rows and columns are cut from the original edges at lines computed in f64, never from what the \
               previous cell left over. End to end: at most one column in a thousand is solid elsewhere, by at most \
               one cell, unless exact arithmetic says that ours is right or that a surface lies on a line",
    },
    Convention {
        id: "level-edge",
        stage: StageId::Rasterize,
        note: "tiles at the level's edge see no more of it than a bake in one tile, whose last column and row are \
               rounded to whole cells; the C++ library fills what lies beyond, which is left out here",
    },
    Convention {
        id: "sorted-merge",
        stage: StageId::Rasterize,
        note: "a column's fragments are merged in sorted order, so that spans depend on the set of triangles alone. \
               Fed: the C++ library merges our sorted fragments",
    },
    Convention {
        id: "wide-clearance",
        stage: StageId::Compact,
        note: "clearance is kept up to 65535 cells; the C++ library's ends at 255, and so does the comparison",
    },
    Convention {
        id: "region-numbers",
        stage: StageId::Regions,
        note: "regions are numbered from 1 and counted as they are; the C++ library counts the next number too, and \
               numbers those of a bordered tile from 5",
    },
    Convention {
        id: "all-outlines",
        stage: StageId::TraceContours,
        note: "all outlines are kept; the C++ library forgets those whose simplification has fewer than three corners",
    },
    Convention {
        id: "joined-regions",
        stage: StageId::Regions,
        note: "a bake joins watershed and monotone regions: each of theirs is in one of ours, on the same ground, and \
               each traced wall of theirs is one of ours",
    },
    Convention {
        id: "fewest-edges",
        stage: StageId::SimplifyContours,
        note: "outlines are the fewest edges within the error: ours are within it, cover the ground that theirs cover but \
               for the error, and have no more corners",
    },
    Convention {
        id: "detail-on-the-floor",
        stage: StageId::DetailMesh,
        note: "the C++ library adds one cell height to detail vertices, and not to polygon corners; ours does not",
    },
    Convention {
        id: "detail-bound",
        stage: StageId::DetailMesh,
        note: "every floor under a polygon is within the error; the C++ library looks at samples, none near an edge. \
               The corners are compared bit for bit, and the number of triangles where neither adds a vertex",
    },
];

/// Everything that is listed, as text.
pub fn list() -> String {
    let mut text = String::from(
        "Deviations with the most that each may show, and what follows from them in later stages:\n",
    );
    for (id, reason) in REASONS {
        text.push_str(&format!("  {id}: {reason}\n"));
        for deviation in DEVIATIONS.iter().filter(|deviation| deviation.id == *id) {
            let Deviation { shown, way, stage, kind, most, .. } = deviation;
            let shown = match shown {
                Shown::InTiles => "in tiles".to_owned(),
                Shown::Partitioned(partition) => format!("by {}", partition.name()),
                Shown::Anywhere => "anywhere".to_owned(),
                Shown::By(level, cell_size, tile_cells, partition) => {
                    let cut = tile_cells.map_or("one tile".to_owned(), |n| format!("tiles of {n} cells"));
                    let partition = partition.map_or(String::new(), |p| format!(", {}", p.name()));
                    format!("{level} at {cell_size}, {cut}{partition}")
                }
            };
            text.push_str(&format!("    {most} x {kind}: {}, {}, {shown}\n", stage.name(), way.name()));
        }
    }
    text.push_str("Conventions, which the comparison allows for:\n");
    for Convention { id, stage, note } in CONVENTIONS {
        text.push_str(&format!("  {id}, {}: {note}\n", stage.name()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Ids are headings in the book: `### id: title`, where an id has no spaces.
    fn ids_in_the_book(text: &str) -> BTreeSet<&str> {
        let headings = text.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(": "));
        headings.map(|(id, _)| id).filter(|id| !id.contains(' ')).collect()
    }

    #[test]
    fn every_id_stands_in_the_book_and_nowhere_else() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/deviations.md");
        let text = std::fs::read_to_string(path).unwrap();
        let reasons = REASONS.iter().map(|(id, _)| *id);
        let runtime = crate::runtime::deviations::DEVIATIONS.iter().map(|deviation| deviation.id);
        let ours: BTreeSet<&str> =
            reasons.chain(CONVENTIONS.iter().map(|convention| convention.id)).chain(runtime).collect();
        assert_eq!(ids_in_the_book(&text), ours);
    }

    #[test]
    fn every_deviation_has_a_reason_and_every_reason_a_deviation() {
        let reasons: BTreeSet<&str> = REASONS.iter().map(|(id, _)| *id).collect();
        let listed: BTreeSet<&str> = DEVIATIONS.iter().map(|deviation| deviation.id).collect();
        assert_eq!(reasons, listed);
    }

    #[test]
    fn some_deviations_are_meant_for_all_tiles() {
        let find = |tile_cells, kind| {
            let bake = Bake { level: "any".to_owned(), cell_size: 0.7, tile_cells };
            let difference = Difference { kind, count: 1, first: "here".to_owned() };
            listed(&bake, Way::Fed, Some("layers"), StageId::PolyMesh, &difference).map(|found| found.id)
        };
        assert_eq!(find(Some(7), Kind::ClosedPortal), Some("closed-portals"));
        assert_eq!((find(None, Kind::ClosedPortal), find(Some(7), Kind::PolygonEdge)), (None, None));
    }

    #[test]
    fn a_deviation_is_meant_for_its_own_bake() {
        let difference = |kind| Difference { kind, count: 1, first: "here".to_owned() };
        let mut bake = Bake { level: "spiral".to_owned(), cell_size: 0.3, tile_cells: None };
        let find = |bake: &Bake, kind| {
            listed(bake, Way::Fed, Some("watershed"), StageId::Regions, &difference(kind))
                .map(|found| found.id)
        };
        assert_eq!(find(&bake, Kind::Region), Some("overlap-split"));
        assert_eq!(find(&bake, Kind::RegionNumber), None);
        bake.cell_size = 0.2;
        assert_eq!(find(&bake, Kind::Region), None);
    }
}
