//! Builds levels from simple solids. All measures are world metres; solids may overlap.

use recast::{AreaId, Level};

/// A rectangle on the ground, given by its corners (x, z), the smallest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Smallest corner.
    pub min: [f64; 2],
    /// Largest corner.
    pub max: [f64; 2],
}

/// The rectangle from (`x0`, `z0`) to (`x1`, `z1`).
pub const fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Rect {
    Rect { min: [x0, z0], max: [x1, z1] }
}

impl Rect {
    fn contains(&self, [x, z]: [f64; 2]) -> bool {
        self.min[0] <= x && x <= self.max[0] && self.min[1] <= z && z <= self.max[1]
    }
}

/// The direction in which a ramp or a stair rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// Towards larger x.
    XMax,
    /// Towards smaller x.
    XMin,
    /// Towards larger z.
    ZMax,
    /// Towards smaller z.
    ZMin,
}

/// A level under construction. Triangles get the area that was set last.
#[derive(Clone, Debug)]
pub struct Builder {
    level: Level,
    area: AreaId,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// Creates an empty level. Triangles that are added have the area of plain ground.
    pub fn new() -> Builder {
        Builder { level: Level::default(), area: AreaId::GROUND }
    }

    /// Sets the area of triangles that are added from here on.
    pub fn area(&mut self, area: AreaId) -> &mut Builder {
        self.area = area;
        self
    }

    /// The level.
    pub fn finish(self) -> Level {
        self.level
    }

    /// Adds vertices, and triangles that name them from 0.
    pub fn mesh(&mut self, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> &mut Builder {
        let first = self.level.vertices.len() as u32;
        self.level.vertices.extend_from_slice(vertices);
        self.level.triangles.extend(triangles.iter().map(|triangle| triangle.map(|v| first + v)));
        self.level.areas.resize(self.level.triangles.len(), self.area);
        self
    }

    /// Adds a quadrilateral; counter-clockwise seen from its front.
    pub fn quad(&mut self, corners: [[f64; 3]; 4]) -> &mut Builder {
        self.mesh(&corners, &[[0, 1, 2], [0, 2, 3]])
    }

    /// Adds a level rectangle at height `y`, facing up.
    pub fn floor(&mut self, Rect { min, max }: Rect, y: f64) -> &mut Builder {
        self.quad([[min[0], y, min[1]], [min[0], y, max[1]], [max[0], y, max[1]], [max[0], y, min[1]]])
    }

    /// Adds level ground at height `y`, cut along `patches`: each has its own area, or is left open (`None`).
    /// If patches overlap, the last one counts.
    pub fn ground(&mut self, outer: Rect, y: f64, patches: &[(Rect, Option<AreaId>)]) -> &mut Builder {
        let area = self.area;
        let cuts = |axis: usize| {
            let mut cuts = vec![outer.min[axis], outer.max[axis]];
            for (patch, _) in patches {
                cuts.extend([patch.min[axis], patch.max[axis]]);
            }
            cuts.retain(|&cut| outer.min[axis] <= cut && cut <= outer.max[axis]);
            cuts.sort_by(f64::total_cmp);
            cuts.dedup();
            cuts
        };
        let (xs, zs) = (cuts(0), cuts(1));
        for z in zs.windows(2) {
            for x in xs.windows(2) {
                let middle = [(x[0] + x[1]) / 2.0, (z[0] + z[1]) / 2.0];
                let patch = patches.iter().rev().find(|(patch, _)| patch.contains(middle));
                if let Some(own) = patch.map_or(Some(area), |&(_, own)| own) {
                    self.area(own).floor(rect(x[0], z[0], x[1], z[1]), y);
                }
            }
        }
        self.area(area)
    }

    /// Adds a box from its smallest to its largest corner.
    pub fn block(&mut self, min: [f64; 3], max: [f64; 3]) -> &mut Builder {
        self.wedge(rect(min[0], min[2], max[0], max[2]), min[1], [max[1]; 4])
    }

    /// Adds a box whose top is not level: `tops` are the heights at (min x, min z), (max x, min z),
    /// (min x, max z), (max x, max z), all above `base`.
    pub fn wedge(&mut self, Rect { min, max }: Rect, base: f64, tops: [f64; 4]) -> &mut Builder {
        // Corner i: bit 0 is x, bit 1 is z, bit 2 is the top.
        let vertices: [[f64; 3]; 8] = std::array::from_fn(|i| {
            let x = if i & 1 == 0 { min[0] } else { max[0] };
            let z = if i & 2 == 0 { min[1] } else { max[1] };
            [x, if i & 4 == 0 { base } else { tops[i & 3] }, z]
        });
        let faces = [[4, 6, 7, 5], [0, 1, 3, 2], [0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6]];
        let triangles: [[u32; 3]; 12] = std::array::from_fn(|i| {
            let [a, b, c, d] = faces[i / 2];
            if i % 2 == 0 { [a, b, c] } else { [a, c, d] }
        });
        self.mesh(&vertices, &triangles)
    }

    /// Adds a ramp over `place` from height `low` to `high`, solid down to `base`, which is below both.
    pub fn ramp(&mut self, place: Rect, up: Up, base: f64, low: f64, high: f64) -> &mut Builder {
        let tops = match up {
            Up::XMax => [low, high, low, high],
            Up::XMin => [high, low, high, low],
            Up::ZMax => [low, low, high, high],
            Up::ZMin => [high, high, low, low],
        };
        self.wedge(place, base, tops)
    }

    /// Adds `steps` solid steps over `place`, from `base` up to `top`; the last step is as high as `top`.
    pub fn stairs(&mut self, place: Rect, up: Up, base: f64, top: f64, steps: u32) -> &mut Builder {
        for step in 0..steps {
            let part = |index: u32| f64::from(index) / f64::from(steps);
            let (from, to) = match up {
                Up::XMax | Up::ZMax => (part(step), part(step + 1)),
                Up::XMin | Up::ZMin => (1.0 - part(step + 1), 1.0 - part(step)),
            };
            let axis = usize::from(matches!(up, Up::ZMax | Up::ZMin));
            let (mut min, mut max) = (place.min, place.max);
            let length = place.max[axis] - place.min[axis];
            (min[axis], max[axis]) = (place.min[axis] + from * length, place.min[axis] + to * length);
            let height = base + part(step + 1) * (top - base);
            self.block([min[0], base, min[1]], [max[0], height, max[1]]);
        }
        self
    }

    /// Adds an upright prism over a convex outline (x, z), clockwise seen from above with x to the right and
    /// z upwards, that is: in the order of [`Builder::floor`].
    pub fn prism(&mut self, outline: &[[f64; 2]], base: f64, top: f64) -> &mut Builder {
        let count = outline.len() as u32;
        let ring = |y: f64| outline.iter().map(move |&[x, z]| [x, y, z]);
        let vertices: Vec<[f64; 3]> = ring(base).chain(ring(top)).collect();
        let mut triangles = Vec::with_capacity(4 * outline.len());
        for i in 1..count.saturating_sub(1) {
            triangles.push([count, count + i, count + i + 1]);
            triangles.push([0, i + 1, i]);
        }
        for i in 0..count {
            let next = (i + 1) % count;
            triangles.push([i, next, count + next]);
            triangles.push([i, count + next, count + i]);
        }
        self.mesh(&vertices, &triangles)
    }

    /// Adds an upright pillar of eight sides, `radius` metres from its middle (x, z) to a side.
    pub fn pillar(&mut self, [x, z]: [f64; 2], radius: f64, base: f64, top: f64) -> &mut Builder {
        // Half a side of the octagon whose sides are 1 from the middle: the square root of 2, less 1.
        let half = radius * (2f64.sqrt() - 1.0);
        let corners = [
            [-half, -radius],
            [-radius, -half],
            [-radius, half],
            [-half, radius],
            [half, radius],
            [radius, half],
            [radius, -half],
            [half, -radius],
        ];
        self.prism(&corners.map(|[dx, dz]| [x + dx, z + dz]), base, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume inside a closed surface; positive if all triangles face outwards.
    fn volume6(level: &Level) -> f64 {
        let mut volume = 0.0;
        for triangle in &level.triangles {
            let [a, b, c] = triangle.map(|v| level.vertices[v as usize]);
            volume += a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        volume
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn solids_face_outwards_and_are_closed() {
        let volume = |add: fn(&mut Builder)| {
            let mut builder = Builder::new();
            add(&mut builder);
            volume6(&builder.finish()) / 6.0
        };
        assert!(close(
            volume(|b| {
                b.block([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]);
            }),
            6.0
        ));
        for up in [Up::XMax, Up::XMin, Up::ZMax, Up::ZMin] {
            let mut builder = Builder::new();
            builder.ramp(rect(5.0, 5.0, 7.0, 8.0), up, -1.0, 0.0, 1.0);
            assert!(close(volume6(&builder.finish()) / 6.0, 9.0), "{up:?}");
            let mut builder = Builder::new();
            builder.stairs(rect(5.0, 5.0, 9.0, 9.0), up, 0.0, 1.0, 4);
            assert!(close(volume6(&builder.finish()) / 6.0, 10.0), "{up:?}");
        }
        let square = |b: &mut Builder| {
            b.prism(&[[1.0, 1.0], [1.0, 3.0], [3.0, 3.0], [3.0, 1.0]], 0.0, 2.0);
        };
        assert!(close(volume(square), 8.0));
        let octagon = 8.0 * (2f64.sqrt() - 1.0);
        assert!(close(
            volume(|b| {
                b.pillar([4.0, 4.0], 1.0, 0.0, 1.0);
            }),
            octagon
        ));
    }

    #[test]
    fn stairs_go_up_the_right_way() {
        let mut builder = Builder::new();
        builder.stairs(rect(0.0, 0.0, 4.0, 1.0), Up::XMin, 0.0, 2.0, 4);
        let level = builder.finish();
        let top = level.vertices.iter().filter(|v| v[1] == 2.0).map(|v| v[0]).fold(0.0, f64::max);
        assert_eq!(top, 1.0);
    }

    #[test]
    fn ground_is_cut_along_patches() {
        let mud = AreaId(2);
        let mut builder = Builder::new();
        let patches = [(rect(1.0, 1.0, 2.0, 2.0), None), (rect(2.0, 0.0, 3.0, 1.0), Some(mud))];
        builder.ground(rect(0.0, 0.0, 3.0, 3.0), 0.0, &patches);
        let level = builder.finish();
        assert_eq!(level.triangles.len(), 2 * 8);
        assert_eq!(level.areas.iter().filter(|&&area| area == mud).count(), 2);
        assert_eq!(level.areas.iter().filter(|&&area| area == AreaId::GROUND).count(), 14);
    }
}
