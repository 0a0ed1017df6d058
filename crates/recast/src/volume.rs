//! Volumes that give the ground within them another area.

use crate::data::Grid;
use navmath::lattice::snap_quotient;
use navmath::{Hasher, Lattice};
use navtile::area::AreaId;

/// A shape and the area of the ground within it; [`AreaId::NULL`] makes it unwalkable.
///
/// ```
/// # use recast::{Level, PreparedLevel, Scratch, Silent, bake_solo};
/// use recast::{AreaId, Settings, Shape, Volume};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// let pond = Shape::Cylinder { base: [6.0, -0.5, 4.5], radius: 2.0, height: 1.0 };
/// let volumes = vec![Volume { shape: pond, area: AreaId(9) }];
/// let level = PreparedLevel::new(&level, &Settings { volumes, ..Settings::default() })?;
/// let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;
/// assert!(baked.tile.polygons().iter().any(|polygon| polygon.area == 9));
/// # Ok::<(), recast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Volume {
    /// The shape, world metres.
    pub shape: Shape,
    /// The area.
    pub area: AreaId,
}

/// The shape of a volume, world metres.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// An axis-aligned box: covers every column it reaches.
    Box {
        /// Smallest corner.
        min: [f64; 3],
        /// Largest corner.
        max: [f64; 3],
    },
    /// A box turned about the vertical.
    RotatedBox {
        /// Middle of the box.
        centre: [f64; 3],
        /// Half its size along its own axes.
        half_extents: [f64; 3],
        /// Degrees from the x axis towards the z axis.
        yaw: f64,
    },
    /// An outline seen from above, between two heights. It may be concave, but should not cross itself.
    Prism {
        /// Corners x, z; at least three.
        outline: Vec<[f64; 2]>,
        /// Lower end.
        bottom: f64,
        /// Upper end.
        top: f64,
    },
    /// An upright cylinder.
    Cylinder {
        /// Middle of its base.
        base: [f64; 3],
        /// Radius.
        radius: f64,
        /// Height above the base.
        height: f64,
    },
    /// All points within a distance of a segment.
    Capsule {
        /// One end of the segment.
        a: [f64; 3],
        /// The other end.
        b: [f64; 3],
        /// The distance.
        radius: f64,
    },
}

impl Volume {
    /// Adds every field to a hash.
    pub fn write(&self, hasher: &mut Hasher) {
        match &self.shape {
            Shape::Box { min, max } => hasher.write_u8s(b"box").write_f64s(min).write_f64s(max),
            Shape::RotatedBox { centre, half_extents, yaw } => hasher
                .write_u8s(b"rotated_box")
                .write_f64s(centre)
                .write_f64s(half_extents)
                .write_f64s(&[*yaw]),
            Shape::Prism { outline, bottom, top } => {
                hasher.write_u8s(b"prism").write_f64s(outline.as_flattened()).write_f64s(&[*bottom, *top])
            }
            Shape::Cylinder { base, radius, height } => {
                hasher.write_u8s(b"cylinder").write_f64s(base).write_f64s(&[*radius, *height])
            }
            Shape::Capsule { a, b, radius } => {
                hasher.write_u8s(b"capsule").write_f64s(a).write_f64s(b).write_f64s(&[*radius])
            }
        };
        hasher.write_u8s(&[self.area.0]);
    }
}

impl Shape {
    /// Returns the first fault of the shape, if it has one, as a phrase for a person.
    pub fn fault(&self) -> Option<&'static str> {
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        match self {
            Shape::Box { min, max } if !finite(min) || !finite(max) => Some("its corners must be finite"),
            Shape::Box { min, max } if (0..3).any(|axis| min[axis] > max[axis]) => {
                Some("min must not exceed max on any axis")
            }
            Shape::RotatedBox { centre, half_extents, yaw } => {
                let sound = finite(centre) && finite(half_extents) && yaw.is_finite();
                (!sound || half_extents.iter().any(|&half| half <= 0.0))
                    .then_some("its centre and yaw must be finite and its half extents positive")
            }
            Shape::Prism { outline, .. } if outline.len() < 3 => {
                Some("its outline needs at least three corners")
            }
            Shape::Prism { outline, bottom, top } => {
                let sound = finite(outline.as_flattened()) && finite(&[*bottom, *top]) && bottom <= top;
                (!sound).then_some("its corners must be finite and its bottom not above its top")
            }
            Shape::Cylinder { base, radius, height } => {
                let sound = finite(base) && radius.is_finite() && height.is_finite();
                (!sound || *radius <= 0.0 || *height < 0.0)
                    .then_some("its base must be finite, its radius positive and its height not negative")
            }
            Shape::Capsule { a, b, radius } => {
                let sound = finite(a) && finite(b) && radius.is_finite() && *radius > 0.0;
                (!sound).then_some("its ends must be finite and its radius positive")
            }
            Shape::Box { .. } => None,
        }
    }

    /// Smallest and largest corner of a box around the shape.
    fn bounds(&self) -> [[f64; 3]; 2] {
        let around = |points: &[[f64; 3]], by: [f64; 3]| -> [[f64; 3]; 2] {
            let fold = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
                points.iter().map(|point| point[axis]).fold(start, pick)
            };
            [
                std::array::from_fn(|axis| fold(axis, f64::INFINITY, f64::min) - by[axis]),
                std::array::from_fn(|axis| fold(axis, f64::NEG_INFINITY, f64::max) + by[axis]),
            ]
        };
        match self {
            Shape::Box { min, max } => [*min, *max],
            Shape::RotatedBox { centre, half_extents: [x, y, z], .. } => {
                let reach = (x * x + z * z).sqrt();
                around(&[*centre], [reach, *y, reach])
            }
            Shape::Prism { outline, bottom, top } => {
                let points: Vec<[f64; 3]> =
                    outline.iter().flat_map(|&[x, z]| [[x, *bottom, z], [x, *top, z]]).collect();
                around(&points, [0.0; 3])
            }
            Shape::Cylinder { base, radius, height } => {
                let top = [base[0], base[1] + height, base[2]];
                around(&[*base, top], [*radius, 0.0, *radius])
            }
            Shape::Capsule { a, b, radius } => around(&[*a, *b], [*radius; 3]),
        }
    }
}

/// A shape on the lattice: the ranges of columns and heights around it, and the test for each cell in them.
pub struct Footprint<'a> {
    /// First and last lattice column along x.
    pub columns: [i64; 2],
    /// First and last lattice column along z.
    pub rows: [i64; 2],
    heights: [i64; 2],
    shape: &'a Shape,
    lattice: &'a Lattice,
    /// Cosine and sine of the yaw of a rotated box.
    turn: [f64; 2],
}

impl<'a> Footprint<'a> {
    /// The columns of a lattice that a shape covers.
    pub fn new(shape: &'a Shape, lattice: &'a Lattice) -> Footprint<'a> {
        let [min, max] = shape.bounds();
        let size = lattice.cell();
        // Values far outside saturate, which clips them to any grid all the same.
        let cell = |value: f64, axis: usize| {
            snap_quotient((value - lattice.origin[axis]) / size[axis]).floor() as i64
        };
        let range = |axis: usize| {
            [cell(min[axis], axis), cell(max[axis], axis)].map(|cell| cell.clamp(-1 << 40, 1 << 40))
        };
        let yaw = if let Shape::RotatedBox { yaw, .. } = shape { yaw.to_radians() } else { 0.0 };
        Footprint {
            columns: range(0),
            heights: range(1),
            rows: range(2),
            shape,
            lattice,
            turn: [libm::cos(yaw), libm::sin(yaw)],
        }
    }

    /// First and last height, cells.
    pub fn heights(&self) -> [i64; 2] {
        self.heights
    }

    /// Returns true if its ranges reach a grid.
    pub(crate) fn reaches(&self, grid: &Grid) -> bool {
        let overlaps = |[first, last]: [i64; 2], base: i32, count: u32| {
            last >= i64::from(base) && first < i64::from(base) + i64::from(count)
        };
        overlaps(self.columns, grid.base_x, grid.width) && overlaps(self.rows, grid.base_z, grid.depth)
    }

    /// Returns true if a floor is between its lowest and highest height.
    pub(crate) fn reaches_floor(&self, floor: i32) -> bool {
        (self.heights[0]..=self.heights[1]).contains(&i64::from(floor))
    }

    /// Returns true if the shape covers the floor at `floor` cells in lattice column `[x, z]`.
    pub fn contains(&self, column: [i64; 2], floor: i32) -> bool {
        let within = |axis: usize, [first, last]: [i64; 2]| (first..=last).contains(&column[axis]);
        within(0, self.columns) && within(1, self.rows) && self.covers(column, floor)
    }

    /// Like [`Footprint::contains`], for a column within its ranges.
    pub fn covers(&self, column: [i64; 2], floor: i32) -> bool {
        if !self.reaches_floor(floor) {
            return false;
        }
        // The middle of the cell, as in the reference.
        let middle = |index: usize, axis: usize| {
            self.lattice.origin[axis] + (column[index] as f64 + 0.5) * self.lattice.cell_size
        };
        let (x, z) = (middle(0, 0), middle(1, 2));
        match self.shape {
            Shape::Box { .. } => true,
            Shape::RotatedBox { centre, half_extents, .. } => {
                let (dx, dz) = (x - centre[0], z - centre[2]);
                let along = dx * self.turn[0] + dz * self.turn[1];
                let across = dz * self.turn[0] - dx * self.turn[1];
                along.abs() <= half_extents[0] && across.abs() <= half_extents[2]
            }
            Shape::Prism { outline, .. } => contains(outline, [x, z]),
            Shape::Cylinder { base, radius, .. } => {
                let (dx, dz) = (x - base[0], z - base[2]);
                dx * dx + dz * dz < radius * radius
            }
            Shape::Capsule { a, b, radius } => {
                let y = self.lattice.origin[1] + f64::from(floor) * self.lattice.cell_height;
                distance_squared([x, y, z], *a, *b) <= radius * radius
            }
        }
    }
}

/// Returns true if a point is inside an outline, by the even-odd rule.
fn contains(outline: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
    let mut inside = false;
    for (index, a) in outline.iter().enumerate() {
        let b = &outline[if index > 0 { index - 1 } else { outline.len() - 1 }];
        if (a[1] > z) != (b[1] > z) && x < (b[0] - a[0]) * (z - a[1]) / (b[1] - a[1]) + a[0] {
            inside = !inside;
        }
    }
    inside
}

/// Squared distance of a point from a segment.
fn distance_squared(point: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let sub = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let (ab, ap) = (sub(b, a), sub(point, a));
    let length = dot(ab, ab);
    let along = if length > 0.0 { (dot(ab, ap) / length).clamp(0.0, 1.0) } else { 0.0 };
    let off = sub(ap, ab.map(|v| v * along));
    dot(off, off)
}

/// Moves the edges of an outline outwards by `distance`, with mitred corners; sharp ones are cut off. Makes a
/// volume a little larger than the obstacle it encloses, by the agent's radius for example.
///
/// Source: M. Mononen, Recast (RecastArea.cpp, rcOffsetPoly). The outline must be clockwise seen from above
/// with x to the right and z downwards, as RecastDemo makes its convex volumes; a counter-clockwise outline
/// shrinks.
pub fn offset_outline(outline: &[[f64; 2]], distance: f64) -> Vec<[f64; 2]> {
    /// A corner whose mitre would reach further than this, in units of the distance, is cut off.
    const MITRE_LIMIT: f64 = 1.2;
    const LEAST: f64 = 1e-6;
    let direction = |from: [f64; 2], to: [f64; 2]| {
        let d = [to[0] - from[0], to[1] - from[1]];
        let squared = d[0] * d[0] + d[1] * d[1];
        if squared > LEAST { d.map(|v| v / squared.sqrt()) } else { d }
    };
    let count = outline.len();
    let mut moved = Vec::with_capacity(count * 2);
    for (index, &corner) in outline.iter().enumerate() {
        let before = direction(outline[(index + count - 1) % count], corner);
        let after = direction(corner, outline[(index + 1) % count]);
        let turn = after[0] * before[1] - before[0] * after[1];
        let (normal_before, normal_after) = ([-before[1], before[0]], [-after[1], after[0]]);
        let mut mitre = [0, 1].map(|axis| (normal_before[axis] + normal_after[axis]) * 0.5);
        let squared = mitre[0] * mitre[0] + mitre[1] * mitre[1];
        let sharp = squared * MITRE_LIMIT * MITRE_LIMIT < 1.0;
        if squared > LEAST {
            mitre = mitre.map(|v| v / squared);
        }
        if sharp && turn < 0.0 {
            let back = (1.0 - (before[0] * after[0] + before[1] * after[1])) * 0.5;
            moved.push(
                [0, 1].map(|axis| corner[axis] + (before[axis] * back - normal_before[axis]) * distance),
            );
            moved
                .push([0, 1].map(|axis| corner[axis] - (after[axis] * back + normal_after[axis]) * distance));
        } else {
            moved.push([0, 1].map(|axis| corner[axis] - mitre[axis] * distance));
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_grows_on_all_sides() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let grown = offset_outline(&square, 1.0);
        let bounds = |axis: usize| {
            let values = grown.iter().map(|corner| corner[axis]);
            (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max))
        };
        assert_eq!((bounds(0), bounds(1)), ((-1.0, 5.0), (-1.0, 5.0)), "{grown:?}");
    }

    #[test]
    fn faults_of_shapes_are_reported() {
        assert!(Shape::Prism { outline: vec![[0.0; 2]; 2], bottom: 0.0, top: 1.0 }.fault().is_some());
        assert!(Shape::Cylinder { base: [0.0; 3], radius: f64::NAN, height: 1.0 }.fault().is_some());
        assert!(Shape::Box { min: [0.0; 3], max: [1.0, -1.0, 1.0] }.fault().is_some());
        assert!(Shape::Capsule { a: [0.0; 3], b: [1.0; 3], radius: 0.5 }.fault().is_none());
    }
}
