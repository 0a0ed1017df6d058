//! Every intermediate result of a bake, ours or the C++ library's, in our data types.

use recast::data::compact::state::{Compacted, Eroded};
use recast::data::span::state::{Filtered, LedgesDone, ObstaclesDone, Rasterized};
use recast::data::{
    CompactField, ContourSet, DetailMesh, DistanceField, Grid, PolyMesh, RawContours, RegionField, SpanField,
};
use recast::{AreaId, Partition, StageId};

/// The results of a bake, stage by stage.
#[derive(Clone, Debug)]
pub struct Results {
    /// The grid, border included.
    pub grid: Grid,
    /// The area of each triangle of the level; empty if the bake began with spans.
    pub triangle_areas: Vec<AreaId>,
    /// After rasterizing, or the spans that the bake began with.
    pub rasterized: SpanField<Rasterized>,
    /// After the low-hanging filter.
    pub obstacles_done: SpanField<ObstaclesDone>,
    /// After the ledge filter.
    pub ledges_done: SpanField<LedgesDone>,
    /// After the low-ceiling filter.
    pub filtered: SpanField<Filtered>,
    /// After compaction; the C++ library's clearances of 255 stand for that and more.
    pub compacted: CompactField<Compacted>,
    /// After erosion.
    pub eroded: CompactField<Eroded>,
    /// With areas marked and distances.
    pub distance: DistanceField,
    /// From the regions on, one per partition.
    pub meshes: Vec<MeshResults>,
}

/// The results from an eroded field with one partition.
#[derive(Clone, Debug)]
pub struct MeshResults {
    /// The partition that cut the regions.
    pub partition: Partition,
    /// Regions.
    pub regions: RegionField,
    /// Traced outlines; the C++ library does not keep outlines whose simplification it drops.
    pub raw_contours: RawContours,
    /// Contours, holes joined.
    pub contours: ContourSet,
    /// The polygon mesh.
    pub poly_mesh: PolyMesh,
    /// The detail mesh, relative to the inner corner, without the C++ library's one added cell height.
    pub detail_mesh: DetailMesh,
}

impl Results {
    /// The compact field with areas marked.
    pub fn marked(&self) -> &CompactField<Eroded> {
        &self.distance.field
    }

    /// Amount that a stage before the regions produced, in a few words; empty for other stages.
    pub fn amount(&self, stage: StageId) -> Amount {
        fn walkable<S>(field: &SpanField<S>) -> usize {
            field.area.iter().filter(|area| area.is_walkable()).count()
        }
        match stage {
            StageId::MarkWalkable => {
                let count = self.triangle_areas.iter().filter(|area| area.is_walkable()).count();
                Amount::one(count, "walkable triangles")
            }
            StageId::Rasterize => Amount::one(self.rasterized.len(), "spans"),
            StageId::FilterLowHanging => Amount::one(walkable(&self.obstacles_done), "walkable spans"),
            StageId::FilterLedges => Amount::one(walkable(&self.ledges_done), "walkable spans"),
            StageId::FilterLowCeilings => Amount::one(walkable(&self.filtered), "walkable spans"),
            StageId::Compact => Amount::one(self.compacted.len(), "spans"),
            StageId::Erode => {
                let count = self.eroded.area.iter().filter(|area| area.is_walkable()).count();
                Amount::one(count, "walkable spans")
            }
            StageId::MarkAreas => {
                let pairs = self.marked().area.iter().zip(&self.eroded.area);
                Amount::one(pairs.filter(|(marked, before)| marked != before).count(), "marked spans")
            }
            StageId::DistanceField => {
                Amount::largest(self.distance.max_distance.into(), "half cells at most")
            }
            _ => Amount::default(),
        }
    }
}

impl MeshResults {
    /// Amount that a stage from the regions on produced, in a few words; empty for other stages.
    pub fn amount(&self, stage: StageId) -> Amount {
        match stage {
            StageId::Regions => Amount::one(self.regions.count as usize, "regions"),
            StageId::TraceContours => {
                let corners = self.raw_contours.contours.iter().map(|c| c.vertices.len()).sum();
                Amount::two(self.raw_contours.contours.len(), "contours", corners, "corners")
            }
            StageId::MergeHoles => {
                let corners = self.contours.contours.iter().map(|c| c.vertices.len()).sum();
                Amount::two(self.contours.contours.len(), "contours", corners, "corners")
            }
            StageId::PolyMesh => {
                let mesh = &self.poly_mesh;
                Amount::two(mesh.vertices.len(), "vertices", mesh.polygons.len(), "polygons")
            }
            StageId::DetailMesh => {
                let mesh = &self.detail_mesh;
                Amount::two(mesh.vertices.len(), "vertices", mesh.triangles.len(), "triangles")
            }
            _ => Amount::default(),
        }
    }
}

/// Amount that a stage produced: up to two numbers, and the units they count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    numbers: [usize; 2],
    units: [&'static str; 2],
    largest: bool,
}

impl Amount {
    fn one(number: usize, unit: &'static str) -> Amount {
        Amount { numbers: [number, 0], units: [unit, ""], largest: false }
    }

    fn largest(number: usize, unit: &'static str) -> Amount {
        Amount { largest: true, ..Amount::one(number, unit) }
    }

    fn two(first: usize, unit: &'static str, second: usize, other: &'static str) -> Amount {
        Amount { numbers: [first, second], units: [unit, other], largest: false }
    }

    /// The amount of several tiles together: sums, or the largest.
    #[must_use]
    pub fn with(self, other: Amount) -> Amount {
        let [a, b] = self.numbers;
        let [c, d] = other.numbers;
        let numbers = if self.largest || other.largest { [a.max(c), b.max(d)] } else { [a + c, b + d] };
        let units = if self.units == ["", ""] { other.units } else { self.units };
        Amount { numbers, units, largest: self.largest || other.largest }
    }

    /// The numbers alone: `349 / 155`.
    pub fn numbers(&self) -> String {
        match self.units {
            ["", _] => String::new(),
            [_, ""] => self.numbers[0].to_string(),
            _ => format!("{} / {}", self.numbers[0], self.numbers[1]),
        }
    }

    /// The unit of the numbers: `vertices / polygons`.
    pub fn units(&self) -> String {
        match self.units {
            [unit, ""] => unit.to_owned(),
            [unit, other] => format!("{unit} / {other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_tiles_add_up() {
        let sum = Amount::default().with(Amount::two(3, "vertices", 1, "polygons"));
        let sum = sum.with(Amount::two(4, "vertices", 2, "polygons"));
        assert_eq!((sum.numbers(), sum.units()), ("7 / 3".to_owned(), "vertices / polygons".to_owned()));
        let most =
            Amount::default().with(Amount::largest(9, "half cells")).with(Amount::largest(4, "half cells"));
        assert_eq!(most.numbers(), "9");
        assert_eq!(Amount::default().numbers(), "");
    }
}
