//! The rules of the jump link builder of DotRecast and recast4j (P. Piastucki, `Detour.Extras`),
//! reimplemented so that its links can be compared with ours.
//!
//! Each tile is examined alone. From every edge of its mesh that is a wall, samples a cell apart begin a
//! fifth of the radius behind the edge and end straight in front of it: at one distance for climbing down, at
//! distances a cell apart for jumps. A sample counts if the mesh has ground at both ends within fixed ranges
//! of height. The trajectory is a line without a radius: in the columns under its points, no span may be
//! between the ground tolerance and the agent's height above it. Neighbouring samples whose ends are within a
//! climb of each other form one link, if the link is at least twice the radius wide. The builder does not
//! check if the link is useful.

use super::Subject;
use navlevel::Tiling;
use recast::data::span::state::Filtered;
use recast::data::{DetailMesh, EdgeKind, PolyMesh, SpanField, in_cells};
use recast::{LinkKind, PreparedLevel, Scratch, Silent, StageResults, TileBuild, bake_tapped};
use std::collections::BTreeMap;

type Point = [f64; 3];

/// Lengths of samples, metres; heights from the edge.
struct Reach {
    kind: LinkKind,
    /// Distances of the ends from the edge.
    distances: Vec<f64>,
    heights: [f64; 2],
    jump_height: f64,
}

/// Spans may reach this far above the feet of a body on a trajectory without blocking it.
const GROUND_TOLERANCE: f64 = 0.3;

/// A tile as the builder sees it.
struct TileView {
    mesh: PolyMesh,
    spans: SpanField<Filtered>,
    /// World position of the tile's inner corner.
    corner: Point,
    /// The triangles of the detail mesh over each column.
    ground: BTreeMap<[i64; 2], Vec<[Point; 3]>>,
}

/// The links of a level in tiles, or in one tile for 0 tile cells; each link is the pairs of places that are
/// its samples.
pub(super) fn links(subject: &Subject, kind: LinkKind, tile_cells: u32) -> Vec<Vec<[Point; 2]>> {
    let level = subject.prepared();
    let builds: Vec<TileBuild> = if tile_cells == 0 {
        vec![TileBuild::solo(&level)]
    } else {
        let coords = Tiling::new(&level, tile_cells).unwrap().coords();
        coords.into_iter().map(|coord| TileBuild::tiled(&level, tile_cells, coord).unwrap()).collect()
    };
    let reach = Reach::new(subject, kind);
    builds.iter().flat_map(|build| TileView::new(&level, build).links(subject, &reach)).collect()
}

impl Reach {
    /// The reach of our profile of a kind, as the builder's own demo would set it.
    fn new(subject: &Subject, kind: LinkKind) -> Reach {
        let (settings, profile) = (&subject.settings, super::body::profile(subject, kind));
        let [_, widest] = profile.used_distance(settings.agent_radius, settings.cell_size);
        let nearest = 2.0 * settings.agent_radius;
        let across = settings.cell_size + widest;
        match kind {
            LinkKind::Jump => {
                let count = ((across / settings.cell_size).ceil() as usize).max(2);
                let at = |index: usize| nearest + across * index as f64 / (count - 1) as f64;
                let heights = [-profile.height[0], profile.height[1]];
                Reach { kind, distances: (0..count).map(at).collect(), heights, jump_height: profile.arc }
            }
            _ => {
                let heights = [-profile.height[1], -profile.height[0]];
                let distances = vec![settings.cell_size + nearest + 0.4];
                Reach { kind, distances, heights, jump_height: 0.0 }
            }
        }
    }

    /// The point of the trajectory at fraction `u`.
    fn at(&self, start: Point, end: Point, u: f64) -> Point {
        let lerp = |axis: usize, u: f64| start[axis] + (end[axis] - start[axis]) * u;
        if self.kind != LinkKind::Jump {
            let (level, fall) = ((2.0 * u).min(1.0), (2.0 * u - 1.0).max(0.0));
            return [lerp(0, level), lerp(1, fall), lerp(2, level)];
        }
        let up = end[1] - start[1];
        // The higher a jump leads up, the less it rises, as in the original.
        let [rise, fall] = if up <= 0.0 {
            [self.jump_height, self.jump_height - up]
        } else {
            [self.jump_height - up, self.jump_height]
        };
        let top = rise.sqrt() / (rise.sqrt() + fall.sqrt());
        let height = if u == 0.0 {
            0.0
        } else if u == 1.0 {
            up
        } else if u <= top {
            rise - rise * (1.0 - u / top).powi(2)
        } else {
            rise - fall * ((u - top) / (1.0 - top)).powi(2)
        };
        [lerp(0, u), start[1] + height, lerp(2, u)]
    }
}

impl TileView {
    fn new(level: &PreparedLevel, build: &TileBuild) -> TileView {
        let mut results = StageResults::default();
        let mut keep = |result: recast::Snapshot<'_>| results.keep(result);
        bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut keep).unwrap();
        let (mesh, detail) = (results.poly_mesh.unwrap(), results.detail_mesh.unwrap());
        let lattice = &level.lattice;
        let [x, _, z] = mesh.grid.inner_base().map(|cell| cell as f64 * lattice.cell_size);
        let corner = [lattice.origin[0] + x, lattice.origin[1], lattice.origin[2] + z];
        let ground = ground(&detail, f64::from(mesh.grid.cell_size), corner);
        TileView { mesh, spans: results.filtered.unwrap(), corner, ground }
    }

    fn links(&self, subject: &Subject, reach: &Reach) -> Vec<Vec<[Point; 2]>> {
        self.walls().into_iter().flat_map(|edge| self.links_of(subject, reach, edge)).collect()
    }

    /// The edges at the end of the ground, world metres; outside is to their right.
    fn walls(&self) -> Vec<[Point; 2]> {
        let size = [self.mesh.grid.cell_size, self.mesh.grid.cell_height, self.mesh.grid.cell_size];
        let place = |vertex: u32| {
            let cells = in_cells(self.mesh.vertices[vertex as usize]);
            [0, 1, 2].map(|axis| self.corner[axis] + cells[axis] * f64::from(size[axis]))
        };
        let mut walls = Vec::new();
        for polygon in &self.mesh.polygons {
            let corners = self.mesh.polygon_corners(polygon);
            for (index, kind) in self.mesh.edges[polygon.range()].iter().enumerate() {
                if *kind == EdgeKind::Wall {
                    walls.push([corners[index], corners[(index + 1) % corners.len()]].map(place));
                }
            }
        }
        walls
    }

    fn links_of(&self, subject: &Subject, reach: &Reach, [a, b]: [Point; 2]) -> Vec<Vec<[Point; 2]>> {
        let settings = &subject.settings;
        let [dx, dz] = [b[0] - a[0], b[2] - a[2]];
        let length = dx.hypot(dz);
        let count = ((length / settings.cell_size).ceil() as usize).max(2);
        let samples = |out: f64, low: f64, range: f64| -> Vec<Option<Point>> {
            let sample = |index: usize| {
                let u = index as f64 / (count - 1) as f64;
                let [x, y, z] = [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * u);
                self.height([x - dz / length * out, y + low, z + dx / length * out], range)
            };
            (0..count).map(sample).collect()
        };
        let climb = settings.agent_climb;
        let starts = samples(-0.2 * settings.agent_radius, -climb, 2.0 * climb);
        let row = |distance: &f64| {
            let ends = samples(*distance, reach.heights[0], reach.heights[1] - reach.heights[0]);
            let pair = |(start, end): (&Option<Point>, Option<Point>)| {
                let pair = [(*start)?, end?];
                self.is_clear(subject, reach, pair).then_some(pair)
            };
            starts.iter().zip(ends).map(pair).collect()
        };
        let rows: Vec<Vec<Option<[Point; 2]>>> = reach.distances.iter().map(row).collect();
        let wide = |link: &Vec<[Point; 2]>| {
            let [first, last] = [link[0], link[link.len() - 1]];
            let width = |end: usize| (last[end][0] - first[end][0]).hypot(last[end][2] - first[end][2]);
            width(0).min(width(1)) >= 2.0 * settings.agent_radius
        };
        longest(&rows, climb).into_iter().filter(wide).collect()
    }

    /// The highest ground under or above a place, no further up than `range`.
    fn height(&self, [x, low, z]: Point, range: f64) -> Option<Point> {
        let cell = f64::from(self.mesh.grid.cell_size);
        let column = [x - self.corner[0], z - self.corner[2]].map(|at| (at / cell).floor() as i64);
        let heights = self.ground.get(&column)?.iter().filter_map(|triangle| height_on(triangle, [x, z]));
        let within = heights.filter(|&y| y > low && y < low + range);
        within.reduce(f64::max).map(|y| [x, y, z])
    }

    fn is_clear(&self, subject: &Subject, reach: &Reach, [start, end]: [Point; 2]) -> bool {
        let settings = &subject.settings;
        let way = (end[0] - start[0]).hypot(end[2] - start[2]) + (end[1] - start[1]).abs();
        let count = ((way / settings.cell_size.min(settings.cell_height)).ceil() as usize).max(2);
        (0..count).all(|index| {
            let [x, y, z] = reach.at(start, end, index as f64 / (count - 1) as f64);
            !self.touches([x, z], [y + GROUND_TOLERANCE, y + settings.agent_height])
        })
    }

    /// Returns true if the column at a place has a span between two heights, or any span if these are NaN.
    fn touches(&self, [x, z]: [f64; 2], [low, high]: [f64; 2]) -> bool {
        let grid = &self.spans.grid;
        let (cell, height) = (f64::from(grid.cell_size), f64::from(grid.cell_height));
        let [x, z] = [x - self.corner[0], z - self.corner[2]]
            .map(|at| (at / cell).floor() as i64 + i64::from(grid.border));
        if !(0..i64::from(grid.width)).contains(&x) || !(0..i64::from(grid.depth)).contains(&z) {
            return false;
        }
        self.spans.column(grid.column(x as u32, z as u32)).any(|span| {
            let [bottom, top] = [self.spans.min[span], self.spans.max[span]]
                .map(|cells| self.corner[1] + f64::from(cells) * height);
            let is_apart = low > top || high < bottom;
            !is_apart
        })
    }
}

/// The triangles of a detail mesh by the columns that they may be over.
fn ground(detail: &DetailMesh, cell: f64, corner: Point) -> BTreeMap<[i64; 2], Vec<[Point; 3]>> {
    let mut ground: BTreeMap<[i64; 2], Vec<[Point; 3]>> = BTreeMap::new();
    for part in &detail.meshes {
        let vertices = &detail.vertices[part.first_vertex as usize..][..part.vertex_count as usize];
        let triangles = &detail.triangles[part.first_triangle as usize..][..part.triangle_count as usize];
        for triangle in triangles {
            let local = triangle.vertices.map(|vertex| vertices[vertex as usize].map(f64::from));
            let columns = |axis: usize| {
                let at = local.map(|point| (point[axis] / cell).floor() as i64);
                let (low, high) = (at.into_iter().min(), at.into_iter().max());
                low.unwrap_or(0)..=high.unwrap_or(0)
            };
            let world = local.map(|point| [0, 1, 2].map(|axis| corner[axis] + point[axis]));
            for column in columns(0).flat_map(|x| columns(2).map(move |z| [x, z])) {
                ground.entry(column).or_default().push(world);
            }
        }
    }
    ground
}

/// The height of a triangle at a place over or under it.
fn height_on([a, b, c]: &[Point; 3], [x, z]: [f64; 2]) -> Option<f64> {
    let cross = |p: &Point, q: &Point| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
    let weights = [cross(b, c), cross(c, a), cross(a, b)];
    let whole: f64 = weights.iter().sum();
    let is_inside = whole != 0.0 && weights.iter().all(|weight| weight / whole >= 0.0);
    is_inside.then(|| (a[1] * weights[0] + b[1] * weights[1] + c[1] * weights[2]) / whole)
}

/// Linked samples belong to regions of neighbours whose ends differ by less than a climb: the longest row of
/// each.
fn longest(rows: &[Vec<Option<[Point; 2]>>], climb: f64) -> Vec<Vec<[Point; 2]>> {
    let mut region = vec![vec![None; rows[0].len()]; rows.len()];
    let mut regions: Vec<Vec<[Point; 2]>> = Vec::new();
    for (first_row, row) in rows.iter().enumerate() {
        for first in 0..row.len() {
            if row[first].is_none() || region[first_row][first].is_some() {
                continue;
            }
            let number = regions.len();
            regions.push(Vec::new());
            let mut open = vec![(first_row, first)];
            region[first_row][first] = Some(number);
            while let Some((j, i)) = open.pop() {
                let beside = [(j + 1, i), (j.wrapping_sub(1), i), (j, i + 1), (j, i.wrapping_sub(1))];
                for (next_row, next) in beside {
                    let here = rows[j][i].map(|pair| pair[1][1]);
                    let there = rows.get(next_row).and_then(|row| row.get(next).copied().flatten());
                    let (Some(here), Some([_, end])) = (here, there) else { continue };
                    if (end[1] - here).abs() < climb && region[next_row][next].is_none() {
                        region[next_row][next] = Some(number);
                        open.push((next_row, next));
                    }
                }
            }
        }
    }
    for (row, numbers) in rows.iter().zip(&region) {
        for run in (0..row.len()).collect::<Vec<_>>().chunk_by(|&a, &b| numbers[a] == numbers[b]) {
            let Some(number) = numbers[run[0]] else { continue };
            if run.len() > regions[number].len() {
                regions[number] = run.iter().filter_map(|&index| row[index]).collect();
            }
        }
    }
    regions
}
