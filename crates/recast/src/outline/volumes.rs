//! Moves corners onto the edges of volumes, and elsewhere onto the edges of areas.
//!
//! A volume marks whole cells, as in the reference. A traced corner between cells inside and outside of the
//! volume moves to the nearest place on its outline. This place depends only on the floors around the corner,
//! so the regions on both sides of the edge agree, and so do both tiles at a border.

use super::areas::{AreaLines, nearest_to};
use super::capsule::Capsule;
use super::lines::{FloorsAround, WallLines};
use super::shape::LineSegment;
use super::vector::{Plan, length, sub};
use crate::data::CompactField;
use crate::data::compact::state::Eroded;
use crate::settings::Config;
use crate::volume::{Footprint, Shape};
use navmath::Lattice;
use std::collections::BTreeMap;

/// A corner moves onto an outline nearer than this, cells. A box marks every column that it reaches.
const FARTHEST: f64 = 1.5;
/// A place on an outline moves on to a corner of the outline if that is at most this far away, cells.
const CORNER: f64 = 1.0;
/// The largest distance between a round outline and the polygon in its place, cells.
const ROUND: f64 = 0.25;

/// The volumes over a tile, and the lines between the areas that its triangles give.
pub(crate) struct VolumeEdges<'a> {
    field: &'a CompactField<Eroded>,
    lines: &'a WallLines,
    areas: Option<&'a AreaLines>,
    volumes: Vec<VolumeEdge<'a>>,
}

/// A volume, and its outline, cells from the lattice's zero.
struct VolumeEdge<'a> {
    footprint: Footprint<'a>,
    is_walkable: bool,
    outline: VolumeOutline,
    /// True if it marks every cell that it reaches, false if it marks those whose middle is inside.
    is_touch: bool,
}

/// The outline of a volume, seen from above.
enum VolumeOutline {
    /// One for all heights.
    Upright(Vec<Plan>),
    /// One for each height of a floor, cells.
    ByFloor(BTreeMap<i32, Vec<Plan>>),
}

impl<'a> VolumeEdges<'a> {
    pub(crate) fn new(
        field: &'a CompactField<Eroded>,
        lines: &'a WallLines,
        config: &'a Config,
        lattice: &'a Lattice,
    ) -> VolumeEdges<'a> {
        let settings = &config.settings;
        let mut volumes = Vec::new();
        // The median filter changes areas near an edge.
        let areas = (!settings.median_filter).then_some(&lines.areas);
        for volume in settings.volumes.iter().filter(|_| !settings.median_filter) {
            let footprint = Footprint::new(&volume.shape, lattice);
            if footprint.reaches(&field.grid) {
                volumes.push(VolumeEdge {
                    outline: VolumeOutline::new(&volume.shape, lattice, field, &footprint),
                    footprint,
                    is_walkable: volume.area.is_walkable(),
                    is_touch: matches!(volume.shape, Shape::Box { .. }),
                });
            }
        }
        VolumeEdges { field, lines, areas, volumes }
    }

    /// The place that a traced corner moves to, on the edge of a volume or between areas. With an axis, the
    /// corner moves along it only.
    pub(super) fn place(&self, corner: Plan, floors: &FloorsAround, axis: Option<usize>) -> Option<Plan> {
        let mut owners = floors.known().filter_map(|span| self.owner(span));
        let first = owners.next()?;
        let owner =
            owners.fold(None, |known, owner| if owner == first { known } else { known.max(Some(owner)) });
        let place = match (first, owner) {
            (0, None) => self.areas?.place(corner, self.field, &floors.known().collect::<Vec<_>>(), axis),
            (_, None) => None,
            (first, Some(owner)) => self.on_volume(corner, first.max(owner) - 1, floors, axis),
        };
        // Next to a wall, the steps over a tile's border end at the radius from the wall.
        let is_free = |place: &Plan| self.lines.clearance(*place, *floors) >= self.lines.radius;
        place.filter(|place| axis.is_none() || is_free(place))
    }

    /// The height at a place: that of the highest floor around a corner whose cell contains the place. A
    /// corner may have moved into a cell that is lower than the others around it.
    pub(super) fn height(&self, place: Plan, floors: &FloorsAround) -> Option<i32> {
        let reaches = |span: &usize| {
            let column = self.column(*span).map(|at| at as f64);
            [0, 1].iter().all(|&axis| column[axis] <= place[axis] && place[axis] <= column[axis] + 1.0)
        };
        floors.known().filter(reaches).map(|span| self.field.floor[span]).max()
    }

    /// The column of a floor, from the lattice's zero.
    fn column(&self, span: usize) -> [i64; 2] {
        let grid = &self.field.grid;
        let column = self.field.offsets.column_of(span) as i64;
        [
            i64::from(grid.base_x) + column % i64::from(grid.width),
            i64::from(grid.base_z) + column / i64::from(grid.width),
        ]
    }

    /// The place that a corner moves to on the outline of a volume.
    fn on_volume(
        &self,
        corner: Plan,
        volume: usize,
        floors: &FloorsAround,
        axis: Option<usize>,
    ) -> Option<Plan> {
        let VolumeEdge { outline, is_touch, .. } = &self.volumes[volume];
        let highest = floors.known().map(|span| self.field.floor[span]).max()?;
        let outline = outline.at(highest);
        let next = outline.iter().cycle().skip(1);
        let sides = outline.iter().zip(next).map(|(&a, &b)| LineSegment::new(a, b));
        let Some(axis) = axis else {
            let place = nearest_to(corner, sides.map(|side| side.nearest(corner).place), f64::INFINITY)?;
            // Corners of the outline are measured from the place on it. So places stay in the order of the
            // traced corners.
            let ends = outline.iter().copied().filter(|&end| length(sub(end, place)) <= CORNER);
            let place = nearest_to(place, ends, f64::INFINITY).unwrap_or(place);
            return (length(sub(place, corner)) < FARTHEST).then_some(place);
        };
        // On a tile's border, no two corners move to one place.
        let farthest = if *is_touch {
            let [low, high] = [outline[0], outline[2]];
            if low[axis] < corner[axis] && corner[axis] < high[axis] { 0.0 } else { 1.0 }
        } else {
            0.5
        };
        nearest_to(corner, sides.filter_map(|side| side.crossing_at(1 - axis, corner[1 - axis])), farthest)
    }

    /// The number of the volume that a floor is in, from 1; 0 outside of all. `None` if the floor is gone for
    /// another reason.
    fn owner(&self, span: usize) -> Option<usize> {
        let is_walkable = self.field.area[span].is_walkable();
        if self.volumes.is_empty() {
            return is_walkable.then_some(0);
        }
        let column = self.column(span);
        let floor = self.field.floor[span];
        let owner = self.volumes.iter().rposition(|volume| volume.footprint.contains(column, floor));
        match owner {
            Some(volume) if is_walkable == self.volumes[volume].is_walkable => Some(volume + 1),
            None if is_walkable => Some(0),
            _ => None,
        }
    }
}

impl VolumeOutline {
    /// The outline of a shape, cells. A capsule has one for each height of a floor that it may mark.
    fn new(
        shape: &Shape,
        lattice: &Lattice,
        field: &CompactField<Eroded>,
        footprint: &Footprint<'_>,
    ) -> VolumeOutline {
        let cells = |[x, z]: Plan| {
            [(x - lattice.origin[0]) / lattice.cell_size, (z - lattice.origin[2]) / lattice.cell_size]
        };
        VolumeOutline::Upright(match shape {
            Shape::Box { min: [x, _, z], max: [to_x, _, to_z] } => {
                [[*x, *z], [*to_x, *z], [*to_x, *to_z], [*x, *to_z]].map(cells).to_vec()
            }
            Shape::RotatedBox { centre, half_extents: [half_x, _, half_z], yaw } => {
                let (sin, cos) = (libm::sin(yaw.to_radians()), libm::cos(yaw.to_radians()));
                let corner = |[x, z]: Plan| [centre[0] + x * cos - z * sin, centre[2] + x * sin + z * cos];
                let corners =
                    [[-half_x, -half_z], [*half_x, -half_z], [*half_x, *half_z], [-half_x, *half_z]];
                corners.map(|place| cells(corner(place))).to_vec()
            }
            Shape::Prism { outline, .. } => outline.iter().map(|&place| cells(place)).collect(),
            Shape::Cylinder { base, radius, .. } => {
                round(cells([base[0], base[2]]), radius / lattice.cell_size)
            }
            Shape::Capsule { a, b, radius } => {
                let [start, end] = [a, b].map(|end| cells([end[0], end[2]]));
                let capsule = Capsule {
                    start,
                    way: sub(end, start),
                    rise: (b[1] - a[1]) / lattice.cell_size,
                    radius: radius / lattice.cell_size,
                };
                let floors = field.floor.iter().filter(|floor| footprint.reaches_floor(**floor));
                let mut outlines = BTreeMap::new();
                for &floor in floors {
                    let above = lattice.origin[1] + f64::from(floor) * lattice.cell_height - a[1];
                    let outline = || capsule.outline(above / lattice.cell_size, ROUND);
                    outlines.entry(floor).or_insert_with(outline);
                }
                return VolumeOutline::ByFloor(outlines);
            }
        })
    }

    /// The outline at the height of a floor.
    fn at(&self, floor: i32) -> &[Plan] {
        match self {
            VolumeOutline::Upright(outline) => outline,
            VolumeOutline::ByFloor(outlines) => outlines.get(&floor).map_or(&[], Vec::as_slice),
        }
    }
}

/// A polygon near a circle: its sides are inside of it by at most [`ROUND`], its corners outside by as much.
fn round([x, z]: Plan, radius: f64) -> Vec<Plan> {
    const FEWEST: f64 = 6.0;
    let outside = radius + ROUND.min(0.1 * radius);
    let half = libm::acos((radius - ROUND.min(0.1 * radius)) / outside);
    let count = (std::f64::consts::PI / half).ceil().max(FEWEST);
    (0..count as u32)
        .map(|corner| {
            let angle = 2.0 * std::f64::consts::PI * f64::from(corner) / count;
            [x + outside * libm::cos(angle), z + outside * libm::sin(angle)]
        })
        .collect()
}
