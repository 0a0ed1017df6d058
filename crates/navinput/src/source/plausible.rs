//! Checks that a level looks like one in metres, Y up and with the correct winding: from sums over normals,
//! the bounds and the lengths of edges. The thresholds are far from the values of correct levels, so that a
//! warning is worth reading. Cost: O(triangles), over all placements.

use super::SourceLevel;
use crate::settings::{UpAxis, Winding};

/// A face is flat if its normal leans less than this from an axis: 45 degrees.
const FLAT: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The ground has the wrong winding if no more than this share of the flat area faces up. Closed bodies have
/// half.
const FACING_UP: f64 = 0.01;
/// If flat area is below this share of all area, its direction is not significant.
const LEAST_FLAT: f64 = 0.1;
/// A level is on its side if its faces along another axis have this many times the area of flat ones...
const SIDEWAYS: f64 = 10.0;
/// ... and it is this many times as wide as it is thick along that axis.
const THIN: f64 = 4.0;
/// If half of all triangles have an edge longer than this, metres, the level is not in metres.
const LONG_EDGE: f64 = 50.0;
/// With fewer triangles than this there is no typical length...
const LEAST_TRIANGLES: usize = 100;
/// ... but a level in metres has no edge longer than this, metres.
const LONGEST_EDGE: f64 = 1000.0;
/// No level is narrower than this, metres.
const NARROW: f64 = 1.0;
/// Approximate largest number of sampled edges.
const SAMPLES: usize = 10_000;

/// Sums over a level as placed, in metres and Y up: over the whole level, or chunk by chunk.
#[derive(Clone, Debug)]
pub struct LevelSums {
    /// Area of faces towards -x, -y, -z and +x, +y, +z, square metres.
    facing: [[f64; 3]; 2],
    /// The area of those towards -y and +y that is under nodes that mirror it.
    mirrored: [f64; 2],
    total: f64,
    min: [f64; 3],
    max: [f64; 3],
    /// The longest edges of sampled triangles, metres.
    edges: Vec<f64>,
    /// Triangles so far.
    count: usize,
    /// One in this many triangles is sampled for its edges.
    step: usize,
}

impl LevelSums {
    /// Empty sums for a level of about this number of triangles.
    pub fn new(triangles: usize) -> LevelSums {
        let step = triangles.div_ceil(SAMPLES).max(1);
        let (min, max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let (facing, mirrored) = ([[0.0; 3]; 2], [0.0; 2]);
        LevelSums { facing, mirrored, total: 0.0, min, max, edges: Vec::new(), count: 0, step }
    }

    /// Adds a level, or a chunk of it.
    pub fn add(&mut self, level: &SourceLevel) {
        for placement in &level.placements {
            let Some(mesh) = level.meshes.get(placement.mesh) else { continue };
            let before = self.facing;
            for triangle in mesh.triangles.iter() {
                let corners =
                    triangle.map(|vertex| placement.transform.apply(mesh.vertices[vertex as usize]));
                self.add_triangle(corners, self.count.is_multiple_of(self.step));
                self.count += 1;
            }
            if placement.transform.mirrors() {
                for (mirrored, (now, before)) in self.mirrored.iter_mut().zip(self.facing.iter().zip(before))
                {
                    *mirrored += now[1] - before[1];
                }
            }
        }
    }

    fn add_triangle(&mut self, [a, b, c]: [[f64; 3]; 3], samples_edge: bool) {
        for corner in [a, b, c] {
            self.min = std::array::from_fn(|axis| self.min[axis].min(corner[axis]));
            self.max = std::array::from_fn(|axis| self.max[axis].max(corner[axis]));
        }
        let (u, v) = (difference(b, a), difference(c, a));
        let normal: [f64; 3] = std::array::from_fn(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            u[next] * v[last] - u[last] * v[next]
        });
        let size = length(normal);
        self.total += size / 2.0;
        for (axis, along) in normal.into_iter().enumerate() {
            if along.abs() >= FLAT * size {
                self.facing[usize::from(along > 0.0)][axis] += size / 2.0;
            }
        }
        if samples_edge {
            self.edges.push([u, v, difference(c, b)].map(length).into_iter().fold(0.0, f64::max));
        }
    }

    /// Checks that the flat ground faces up. If all of it, or that of nodes that mirror it, faces down,
    /// returns a sentence with the setting that turns it over.
    fn faces_down(&self, winding: Winding) -> Option<String> {
        let ground = [self.facing[0][1], self.facing[1][1]];
        let is_down = |[down, up]: [f64; 2]| up <= FACING_UP * (down + up);
        let share = |[down, up]: [f64; 2]| (100.0 * down / (down + up)).floor();
        let mirrored = self.mirrored[0] + self.mirrored[1];
        // The two interpretations of mirroring nodes differ in the side: the other one turns them over.
        let other = if winding == Winding::Stored { "spec" } else { "stored" };
        if is_down(ground) {
            let cure = if mirrored >= (1.0 - FACING_UP) * (ground[0] + ground[1]) { other } else { "either" };
            let share = share(ground);
            return Some(format!(
                "{share} % of the flat ground faces down, which double-sided materials hide in a viewer: is the level \
                 wound the wrong way? (--winding {cure})"
            ));
        }
        let counts = mirrored >= LEAST_FLAT * (ground[0] + ground[1]) && is_down(self.mirrored);
        counts.then(|| {
            let share = share(self.mirrored);
            format!(
                "{share} % of the flat ground of mirrored nodes faces down: did the exporter turn it over already? \
                 (--winding {other})"
            )
        })
    }

    fn along(&self, axis: usize) -> f64 {
        self.facing[0][axis] + self.facing[1][axis]
    }

    fn extent(&self, axis: usize) -> f64 {
        self.max[axis] - self.min[axis]
    }
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

impl SourceLevel {
    /// Doubts about a level that was brought to metres and Y up: [`LevelSums::doubts`].
    pub fn doubts(&self, up: UpAxis, winding: Winding) -> Vec<String> {
        let count = |mesh: usize| self.meshes.get(mesh).map_or(0, |mesh| mesh.triangles.len());
        let mut sums = LevelSums::new(self.placements.iter().map(|placement| count(placement.mesh)).sum());
        sums.add(self);
        sums.doubts(up, winding)
    }
}

impl LevelSums {
    /// Doubts about the level: that it has the wrong winding, is on its side, or has another unit. One
    /// sentence each, with the option that would correct it. `up` is the axis it was turned by, `winding` the
    /// winding that was applied.
    pub fn doubts(mut self, up: UpAxis, winding: Winding) -> Vec<String> {
        let mut doubts = Vec::new();
        let flat = self.along(1);
        let sideways = self.along(2) >= SIDEWAYS * flat
            && self.along(2) >= LEAST_FLAT * self.total
            && THIN * self.extent(2) <= self.extent(0).min(self.extent(1));
        if self.total > 0.0 && sideways {
            let axis = if up == UpAxis::Y { "z" } else { "y" };
            doubts.push(format!(
                "nearly all faces of the level look along its {axis} axis, and it is thin along it: does that axis point \
                 upwards? (--up {axis})"
            ));
        } else if flat >= LEAST_FLAT * self.total && flat > 0.0 {
            doubts.extend(self.faces_down(winding));
        }
        let widest = (0..3).map(|axis| self.extent(axis)).fold(0.0, f64::max);
        if !self.edges.is_empty() {
            let usual = if self.edges.len() >= LEAST_TRIANGLES { LONG_EDGE } else { LONGEST_EDGE };
            let middle = self.edges.len() / 2;
            let (_, median, _) = self.edges.select_nth_unstable_by(middle, f64::total_cmp);
            if *median > usual {
                doubts.push(format!(
                    "half of the triangles are more than {median:.0} m long, and the level {widest:.0} m: is its unit \
                     the centimetre? (--scale 0.01)"
                ));
            }
        }
        if widest < NARROW && widest > 0.0 {
            doubts
                .push(format!("the level is {widest:.3} m wide at most: is its unit larger? (--scale 100)"));
        }
        doubts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_obj;
    use crate::settings::Winding;

    /// A grid of `n` squares along each side, `size` wide each, as floor.
    fn floor(n: usize, size: f64) -> SourceLevel {
        let mut text = String::new();
        for z in 0..=n {
            for x in 0..=n {
                text.push_str(&format!("v {} 0 {}\n", x as f64 * size, z as f64 * size));
            }
        }
        for at in (0..n * n).map(|square| square / n * (n + 1) + square % n + 1) {
            text.push_str(&format!("f {} {} {} {}\n", at, at + n + 1, at + n + 2, at + 1));
        }
        SourceLevel::from(read_obj(text.as_bytes()).unwrap())
    }

    fn turned_over_floor() -> SourceLevel {
        let mut level = floor(4, 1.0);
        let mesh = &mut level.meshes[0];
        mesh.triangles = mesh.triangles.iter().copied().map(crate::source::turned_over).collect();
        level
    }

    #[test]
    fn a_plain_floor_raises_no_doubt() {
        for (n, size) in [(1, 1.0), (1, 700.0), (100, 30.0), (20, 0.2)] {
            assert_eq!(floor(n, size).doubts(UpAxis::Y, Winding::Spec), Vec::<String>::new());
        }
    }

    #[test]
    fn winding_up_axis_and_unit_are_doubted() {
        let only = |level: SourceLevel, up, what: &str| {
            let doubts = level.doubts(up, Winding::Spec);
            assert!(matches!(&doubts[..], [doubt] if doubt.contains(what)), "{doubts:?}");
        };
        only(turned_over_floor(), UpAxis::Y, "100 % of the flat ground faces down");
        only(floor(10, 100.0), UpAxis::Y, "--scale 0.01");
        only(floor(1, 4000.0), UpAxis::Y, "--scale 0.01");
        only(floor(2, 0.1), UpAxis::Y, "--scale 100");
        // Turned by an axis that does not point upwards.
        only(floor(4, 1.0).turned(UpAxis::Z, 1.0).unwrap(), UpAxis::Z, "--up y");
        only(floor(4, 1.0).turned(UpAxis::Z, 1.0).unwrap(), UpAxis::Y, "--up z");
        // Ground under nodes that mirror it: first all of it, then half.
        let mirrored = |level: SourceLevel| {
            let mut level = level;
            for placement in &mut level.placements {
                placement.transform.0[0][0] = -1.0;
            }
            level
        };
        only(mirrored(floor(4, 1.0)), UpAxis::Y, "--winding stored");
        let half = SourceLevel::merge(vec![floor(4, 1.0), mirrored(floor(4, 1.0))]);
        only(half.clone(), UpAxis::Y, "100 % of the flat ground of mirrored nodes faces down");
        assert_eq!(half.clone().wound(Winding::Stored).doubts(UpAxis::Y, Winding::Stored), [""; 0]);
        let as_meant = SourceLevel::merge(vec![floor(4, 1.0), mirrored(turned_over_floor())]);
        assert_eq!(as_meant.doubts(UpAxis::Y, Winding::Spec), [""; 0]);
        let doubts = as_meant.wound(Winding::Stored).doubts(UpAxis::Y, Winding::Stored);
        assert!(matches!(&doubts[..], [doubt] if doubt.contains("--winding spec")), "{doubts:?}");
        // Both sides count, so no doubts remain.
        let either = turned_over_floor().wound(Winding::Either);
        assert_eq!(either.doubts(UpAxis::Y, Winding::Spec), Vec::<String>::new());
        let labels = &either.meshes[0].materials.ids;
        assert_eq!((either.meshes[0].triangles.len(), labels.len()), (64, 64));
    }
}
