//! The finished mesh as a surface: the polygons over the middle of each column, and their heights.
//! Units: 1/256 cell from the lattice's zero. Cost: O(columns in the polygons' boxes).

use super::ground::Ground;
use navmath::FIXED_ONE;
use navtile::Tile;

/// A point seen from above: x, z.
pub type PlanPoint = [i64; 2];

/// The middle of a column.
pub fn middle(x: i32, z: i32) -> PlanPoint {
    [x, z].map(|cell| i64::from(cell) * i64::from(FIXED_ONE) + i64::from(FIXED_ONE / 2))
}

/// Twice the area of triangle `abc`; positive if `c` is to the left of the line from `a` to `b`.
pub fn leftness(a: PlanPoint, b: PlanPoint, c: PlanPoint) -> i64 {
    (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// A polygon of the surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Corners: x, y, z; interior to the left.
    pub corners: Vec<[i64; 3]>,
    /// Triangles that define its height.
    pub triangles: Vec<[[i64; 3]; 3]>,
}

fn plan([x, _, z]: [i64; 3]) -> PlanPoint {
    [x, z]
}

impl Patch {
    /// A polygon whose height is interpolated by a fan over its corners.
    pub fn flat(corners: Vec<[i64; 3]>) -> Patch {
        let triangles = (2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]).collect();
        Patch { corners, triangles }
    }

    /// Edges from corner to corner, seen from above.
    pub fn edges(&self) -> impl Iterator<Item = (PlanPoint, PlanPoint)> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(&a, &b)| (plan(a), plan(b)))
    }

    /// Returns true if a point is in the polygon or on its outline.
    pub fn contains(&self, point: PlanPoint) -> bool {
        self.edges().all(|(a, b)| leftness(a, b, point) >= 0)
    }

    /// Returns true if a point is in the polygon, but not on its outline.
    pub fn contains_strictly(&self, point: PlanPoint) -> bool {
        self.edges().all(|(a, b)| leftness(a, b, point) > 0)
    }

    /// Smallest and largest column along x, then z, that the polygon overlaps.
    pub fn columns(&self) -> [[i32; 2]; 2] {
        [0, 2].map(|axis| {
            let values = self.corners.iter().map(|corner| corner[axis]);
            let one = i64::from(FIXED_ONE);
            let low = values.clone().min().unwrap_or(0).div_euclid(one);
            let high = (values.max().unwrap_or(0) + one - 1).div_euclid(one) - 1;
            [low as i32, high.max(low) as i32]
        })
    }

    /// Height at a point, from the triangle over it, or else from the nearest one.
    pub fn height(&self, point: [f64; 2]) -> f64 {
        let mut best = (f64::INFINITY, 0.0);
        for triangle in &self.triangles {
            let (outside, height) = triangle_height(triangle, point);
            if outside < best.0 {
                best = (outside, height);
            }
            if outside <= 0.0 {
                break;
            }
        }
        best.1
    }

    /// The point of the polygon nearest to `point`, and its distance.
    pub fn nearest(&self, point: PlanPoint) -> ([f64; 2], f64) {
        let at = point.map(|v| v as f64);
        if self.contains(point) {
            return (at, 0.0);
        }
        let candidates = self.edges().map(|(a, b)| {
            let on = nearest_on_segment(a.map(|v| v as f64), b.map(|v| v as f64), at);
            (on, distance(on, at))
        });
        candidates.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((at, f64::INFINITY))
    }
}

/// Distance between two points.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dz * dz).sqrt()
}

fn nearest_on_segment(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length2 = along[0] * along[0] + along[1] * along[1];
    if length2 == 0.0 {
        return a;
    }
    let t = ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length2;
    let t = t.clamp(0.0, 1.0);
    [a[0] + t * along[0], a[1] + t * along[1]]
}

/// Distance of a point from a triangle (0 within), and the height at the triangle's nearest point.
fn triangle_height(triangle: &[[i64; 3]; 3], point: [f64; 2]) -> (f64, f64) {
    let corner = triangle.map(|[x, y, z]| [x as f64, y as f64, z as f64]);
    let cross =
        |a: [f64; 3], b: [f64; 3], p: [f64; 2]| (p[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (p[1] - a[2]);
    let [a, b, c] = corner;
    let whole = cross(a, b, [c[0], c[2]]);
    let weights = [cross(b, c, point), cross(c, a, point), cross(a, b, point)].map(|part| part / whole);
    if whole != 0.0 && weights.iter().all(|&weight| weight >= 0.0) {
        return (0.0, corner.iter().zip(weights).map(|(corner, weight)| corner[1] * weight).sum());
    }
    let mut best = (f64::INFINITY, a[1]);
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let (from, to) = ([p[0], p[2]], [q[0], q[2]]);
        let on = nearest_on_segment(from, to, point);
        let (outside, length) = (distance(on, point), distance(from, to));
        let t = if length > 0.0 { distance(from, on) / length } else { 0.0 };
        if outside < best.0 {
            best = (outside, p[1] + t * (q[1] - p[1]));
        }
    }
    best
}

/// All polygons of a level, and for each column the polygons over its middle.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The polygons, tile by tile in the tiles' own order.
    pub patches: Vec<Patch>,
    width: i32,
    depth: i32,
    offsets: Vec<u32>,
    over: Vec<u32>,
}

impl Surface {
    /// The surface of tiles that together have `width` x `depth` columns.
    pub fn of_tiles<'a>(tiles: impl IntoIterator<Item = &'a Tile>, width: i32, depth: i32) -> Surface {
        Surface::new(tiles.into_iter().flat_map(patches).collect(), width, depth)
    }

    /// A surface of given polygons.
    pub fn new(patches: Vec<Patch>, width: i32, depth: i32) -> Surface {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (index, patch) in patches.iter().enumerate() {
            let [[x0, x1], [z0, z1]] = patch.columns();
            for z in z0.max(0)..=z1.min(depth - 1) {
                for x in x0.max(0)..=x1.min(width - 1) {
                    if patch.contains(middle(x, z)) {
                        pairs.push((x as u32 + z as u32 * width as u32, index as u32));
                    }
                }
            }
        }
        pairs.sort_unstable();
        let mut offsets = vec![0; width as usize * depth as usize + 1];
        pairs.iter().for_each(|&(column, _)| offsets[column as usize + 1] += 1);
        for column in 1..offsets.len() {
            offsets[column] += offsets[column - 1];
        }
        Surface { patches, width, depth, offsets, over: pairs.into_iter().map(|pair| pair.1).collect() }
    }

    /// The polygons over, or under, the middle of a column; empty beyond the edge.
    pub fn over(&self, x: i32, z: i32) -> &[u32] {
        if x < 0 || z < 0 || x >= self.width || z >= self.depth {
            return &[];
        }
        let column = x as usize + z as usize * self.width as usize;
        &self.over[self.offsets[column] as usize..self.offsets[column + 1] as usize]
    }

    /// For each floor in a region: the polygon that represents it, and the polygon's height above the floor
    /// there, in cells. Of the polygons over the middle of its column, it is the nearest in height, if it is
    /// nearer than another storey can be.
    pub fn footing(&self, ground: &Ground, storey_cells: i32) -> Vec<Option<(u32, f64)>> {
        let footing = |span: &super::ground::GroundSpan| {
            let at = middle(span.x, span.z).map(|v| v as f64);
            let above = |&patch: &u32| {
                let height = self.patches[patch as usize].height(at) / f64::from(FIXED_ONE);
                (patch, height - f64::from(span.floor))
            };
            let near = self.over(span.x, span.z).iter().map(above);
            near.min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .filter(|(_, above)| above.abs() < f64::from(storey_cells))
        };
        ground.spans.iter().map(|span| if span.region.is_some() { footing(span) } else { None }).collect()
    }
}

fn patches(tile: &Tile) -> Vec<Patch> {
    let base = tile.header().base_cell.map(|cell| cell * i64::from(FIXED_ONE));
    let at = |index: usize| -> [i64; 3] {
        let vertex = tile.vertices()[index];
        std::array::from_fn(|axis| base[axis] + i64::from(vertex[axis]))
    };
    let patch = |polygon| Patch {
        corners: tile.polygon_edges(polygon).iter().map(|edge| at(edge.vertex as usize)).collect(),
        triangles: tile
            .polygon_detail_triangles(polygon)
            .iter()
            .map(|triangle| triangle.vertices.map(|local| at(tile.detail_vertex_index(polygon, local))))
            .collect(),
    };
    tile.polygons().iter().map(patch).collect()
}
