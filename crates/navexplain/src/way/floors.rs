//! All floors of a level, and what each stage did with them. Cost: O(spans).

use recast::PreparedLevel;
use recast::StageResults;
use recast::data::span::state::Rasterized;
use recast::data::{Direction, Grid, SpanField};
use recast::inside::Footprint;
use recast::inside::stage::distances;
use recast::inside::stage::{Ledge, find_ledge};
use std::collections::BTreeSet;

/// The fate of a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is part of the mesh.
    Kept,
    /// Its island is too small.
    Small,
    /// It is too near to a border: this many half cells.
    Eroded(u16),
    /// The ground drops next to it. If neighbouring heights that differ too much are the cause, holds the
    /// difference in cells.
    Ledge(Option<i32>),
    /// The ceiling is too low.
    Low,
    /// Too steep, or marked as unwalkable by the level.
    Unwalkable,
    /// Made unwalkable by the volume of this index.
    Volume(u32),
}

/// The tops of all spans.
pub(super) struct Floors {
    pub(super) spans: SpanField<Rasterized>,
    pub(super) fates: Vec<Fate>,
    /// Pairs of neighbouring floors, the smaller one first, that erosion kept but whose step it closed: an
    /// agent has no room between them.
    closed: BTreeSet<[usize; 2]>,
    /// The agent in cells: height, climb, radius.
    pub(super) agent: [i32; 3],
    /// The corner of the lattice, and the size of a cell, metres.
    pub(super) origin: [f64; 3],
    pub(super) cell: [f64; 2],
}

impl Floors {
    /// From the results of a bake; `None` if one is missing.
    pub(super) fn new(level: &PreparedLevel, mut results: StageResults) -> Option<Floors> {
        let config = &level.config;
        let spans = results.rasterized.take()?;
        let obstacles = results.obstacles_done.take()?;
        let mut fates = vec![Fate::Unwalkable; spans.len()];
        let params = config.into();
        for z in 0..spans.grid.depth {
            for x in 0..spans.grid.width {
                let column = spans.column(spans.grid.column(x, z));
                for span in column.clone().filter(|&span| obstacles.area[span].is_walkable()) {
                    let clearance = spans.ceiling(&column, span) - spans.max[span];
                    fates[span] = match find_ledge(&obstacles, [x, z], span, &params) {
                        _ if clearance < config.walkable_height => Fate::Low,
                        Some(Ledge::Uneven(cells)) => Fate::Ledge(Some(cells)),
                        Some(_) => Fate::Ledge(None),
                        None => Fate::Kept,
                    };
                }
            }
        }
        drop(obstacles);
        let mut floors = Floors {
            spans,
            fates,
            closed: BTreeSet::new(),
            agent: [config.walkable_height, config.walkable_climb, config.walkable_radius],
            origin: level.lattice.origin,
            cell: [level.lattice.cell_size, level.lattice.cell_height],
        };
        floors.see_compact(level, results)?;
        Some(floors)
    }

    /// Notes the floors that erosion, volumes and regions removed.
    fn see_compact(&mut self, level: &PreparedLevel, results: StageResults) -> Option<()> {
        let compacted = results.compacted?;
        let distance = distances(&compacted, |own, other| own.is_walkable() & other.is_walkable());
        let (eroded, marked, regions) = (results.eroded?, results.marked?, results.regions?);
        let volumes = ClosingVolumes::new(level);
        let (fates, closed) = (&mut self.fates, &mut self.closed);
        let spans = &self.spans;
        let span_of = |[x, z]: [u32; 2], floor: usize| {
            let mut column = spans.column(spans.grid.column(x, z));
            column.find(|&span| spans.max[span] == compacted.floor[floor])
        };
        compacted.for_each_span(|x, z, floor| {
            let Some(span) = span_of([x, z], floor) else { return };
            for (direction, beside) in [(Direction::XMax, [x + 1, z]), (Direction::ZMax, [x, z + 1])] {
                let Some(other) = compacted.neighbour(floor, direction) else { continue };
                if eroded.neighbour(floor, direction).is_none()
                    && let Some(other) = span_of(beside, other)
                {
                    closed.insert([span.min(other), span.max(other)]);
                }
            }
            if fates[span] != Fate::Kept {
                return;
            }
            let cell =
                [i64::from(spans.grid.base_x) + i64::from(x), i64::from(spans.grid.base_z) + i64::from(z)];
            // A volume also closes floors that erosion removed before it: no smaller agent passes there.
            if !marked.area[floor].is_walkable()
                && let Some(index) = volumes.taking(cell, compacted.floor[floor])
            {
                fates[span] = Fate::Volume(index);
            } else if !eroded.area[floor].is_walkable() {
                fates[span] = Fate::Eroded(distance[floor]);
            } else if !regions.region[floor].is_inner() {
                fates[span] = Fate::Small;
            }
        });
        Some(())
    }

    /// Returns true if erosion closed the step between two neighbouring floors.
    pub(super) fn is_closed(&self, one: usize, two: usize) -> bool {
        self.closed.contains(&[one.min(two), one.max(two)])
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.spans.grid
    }

    /// Middle of a floor, world metres.
    pub(super) fn place(&self, [x, z]: [u32; 2], span: usize) -> [f64; 3] {
        let grid = self.grid();
        let along = |base: i32, cell: u32| (f64::from(base) + f64::from(cell) + 0.5) * self.cell[0];
        [
            self.origin[0] + along(grid.base_x, x),
            self.origin[1] + f64::from(self.spans.max[span]) * self.cell[1],
            self.origin[2] + along(grid.base_z, z),
        ]
    }

    /// Upper end of the free space above a floor, cells.
    pub(super) fn ceiling(&self, [x, z]: [u32; 2], span: usize) -> i32 {
        let column = self.spans.column(self.grid().column(x, z));
        self.spans.ceiling(&column, span)
    }
}

/// The volumes that make the ground unwalkable.
struct ClosingVolumes<'a> {
    /// Index and footprint of each volume.
    footprints: Vec<(u32, Footprint<'a>)>,
}

impl ClosingVolumes<'_> {
    fn new(level: &PreparedLevel) -> ClosingVolumes<'_> {
        let volumes = level.config.settings.volumes.iter().enumerate();
        let closing = volumes.filter(|(_, volume)| !volume.area.is_walkable());
        // Counts of volumes fit 32 bits.
        let footprints =
            closing.map(|(index, volume)| (index as u32, Footprint::new(&volume.shape, &level.lattice)));
        ClosingVolumes { footprints: footprints.collect() }
    }

    /// The first volume that reaches a floor.
    fn taking(&self, cell: [i64; 2], floor: i32) -> Option<u32> {
        let found = self.footprints.iter().find(|(_, footprint)| footprint.contains(cell, floor));
        found.map(|(index, _)| *index)
    }
}
