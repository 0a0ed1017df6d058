//! Heights of generated levels: the detail mesh is within its error at every floor, polygons share the
//! vertices along their edges, across seams too, and a level that is twice as large has the same mesh.
//!
//! `NAVTILE_LEVELS` sets the number of levels that are baked and `NAVTILE_SEED` the first seed; the defaults
//! are quick.

use crate::seams::{levels, settings};
use navlevel::Tiling;
use navmath::FIXED_ONE;
use navscenes::generated::{each_outlines, each_seed};
use navscenes::random::SplitMix64;
use navtile::TileCoord;
use recast::data::{Direction, EdgeKind, PolyMesh, Polygon, RegionField, RegionId, Side};
use recast::{Baked, Level, Outlines, PreparedLevel, Scratch, Settings, Silent, StageResults, TileBuild};
use recast::{DiagnosticKind, bake_tapped};
use std::collections::{BTreeMap, BTreeSet};

/// A place in 1/256 cell.
type Fixed = [i64; 3];

/// The vertices along each line of seams, on both sides, and true if a vertex is of one edge only.
type Seams = BTreeMap<(usize, i64), [BTreeMap<Fixed, bool>; 2]>;

/// One bake and its results.
struct Bake {
    baked: Baked,
    mesh: PolyMesh,
    regions: RegionField,
    /// Detail vertices and triangles of each polygon.
    details: Vec<(Vec<Fixed>, Vec<[u32; 3]>)>,
}

fn bake(level: &PreparedLevel, build: &TileBuild) -> Bake {
    let mut results = StageResults::default();
    let mut keep = |result: recast::Snapshot<'_>| results.keep(result);
    let baked = bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut keep).unwrap();
    let (mesh, detail) = (results.poly_mesh.unwrap(), results.detail_mesh.unwrap());
    detail.check(&mesh).unwrap();
    let cell = [mesh.grid.cell_size, mesh.grid.cell_height, mesh.grid.cell_size].map(f64::from);
    let fixed = |metres: &[f32; 3]| -> Fixed {
        std::array::from_fn(|axis| {
            (f64::from(metres[axis]) / cell[axis] * f64::from(FIXED_ONE)).round() as i64
        })
    };
    let details = detail.meshes.iter().map(|part| {
        let vertices = &detail.vertices[part.first_vertex as usize..][..part.vertex_count as usize];
        let triangles = &detail.triangles[part.first_triangle as usize..][..part.triangle_count as usize];
        (vertices.iter().map(fixed).collect(), triangles.iter().map(|triangle| triangle.vertices).collect())
    });
    let details = details.collect();
    Bake { baked, mesh, regions: results.regions.unwrap(), details }
}

/// Twice the area of a triangle, negative if its interior is to its left, as for all triangles here.
fn area2(a: Fixed, b: Fixed, c: Fixed) -> i64 {
    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
}

/// Twice the area that edges around these places may miss: vertices along edges are rounded to 1/256 cell.
/// Edges from cell to cell miss nothing.
fn slack(places: &[Fixed]) -> i64 {
    if places.iter().all(|[x, _, z]| (x | z) % i64::from(FIXED_ONE) == 0) {
        return 0;
    }
    let next = places.iter().cycle().skip(1);
    places.iter().zip(next).map(|(a, b)| (b[0] - a[0]).abs() + (b[2] - a[2]).abs()).sum()
}

impl Bake {
    fn corners(&self, polygon: &Polygon) -> Vec<Fixed> {
        let place = |&vertex: &u32| {
            let [x, y, z] = self.mesh.vertices[vertex as usize];
            [x, y * FIXED_ONE, z].map(i64::from)
        };
        self.mesh.polygon_corners(polygon).iter().map(place).collect()
    }

    /// The height of a polygon's detail mesh at a place on it, cells.
    fn height(&self, polygon: usize, at: Fixed) -> f64 {
        let (vertices, triangles) = &self.details[polygon];
        let corners = triangles.iter().map(|triangle| triangle.map(|corner| vertices[corner as usize]));
        // The triangle around the place. Places at the edges of exact outlines may be just outside of all.
        let outside = |[a, b, c]: [Fixed; 3]| {
            let weights = [area2(b, c, at), area2(c, a, at), area2(a, b, at)];
            let slacks = [slack(&[b, c]), slack(&[c, a]), slack(&[a, b])];
            let far = weights.iter().zip(slacks).map(|(&weight, slack)| (weight - slack).max(0)).max();
            (far == Some(0)).then(|| (weights.map(|weight| weight.max(0)).into_iter().sum::<i64>(), weights))
        };
        let near = corners.filter_map(|triangle| Some((outside(triangle)?, triangle)));
        let nearest = near.min_by_key(|((outside, _), _)| *outside);
        let Some(((_, weights), triangle)) = nearest else {
            panic!("no triangle of polygon {polygon} at {at:?}");
        };
        let weights = weights.map(|weight| weight.min(0) as f64);
        let whole: f64 = weights.iter().sum();
        let parts = triangle.iter().zip(weights).map(|(corner, weight)| corner[1] as f64 * weight / whole);
        parts.sum::<f64>() / f64::from(FIXED_ONE)
    }

    /// Triangles have area, their interior to the left, and cover the polygon.
    fn check_triangles(&self, polygon: usize, corners: &[Fixed]) {
        let (vertices, triangles) = &self.details[polygon];
        let area = |[a, b, c]: [Fixed; 3]| area2(a, b, c);
        let areas = triangles.iter().map(|triangle| area(triangle.map(|corner| vertices[corner as usize])));
        let areas: Vec<i64> = areas.collect();
        let corners_of = |triangle: &[u32; 3]| triangle.map(|corner| vertices[corner as usize]);
        let folded = |(area, triangle): (&i64, &[u32; 3])| *area >= slack(&corners_of(triangle)).max(0);
        assert!(!areas.iter().zip(triangles).any(folded), "polygon {polygon}: {areas:?}");
        let whole: i64 = (2..corners.len()).map(|i| area([corners[0], corners[i - 1], corners[i]])).sum();
        let sum: i64 = areas.iter().sum();
        assert!((sum - whole).abs() <= slack(corners), "polygon {polygon}: {sum} for {whole}");
    }

    /// Every floor under each polygon is within the error.
    fn check_floors(&self, allowed: f64) {
        for (index, polygon) in self.mesh.polygons.iter().enumerate() {
            let corners = self.corners(polygon);
            if self.mesh.polygon_area2(polygon) == 0 {
                continue;
            }
            self.check_triangles(index, &corners);
            let mut storey = None;
            let range = |axis: usize| {
                let columns = || corners.iter().map(|corner| corner[axis] / i64::from(FIXED_ONE));
                columns().min().unwrap()..columns().max().unwrap()
            };
            for (x, z) in range(2).flat_map(|z| range(0).map(move |x| (x, z))) {
                let middle = |cell: i64| cell * i64::from(FIXED_ONE) + i64::from(FIXED_ONE / 2);
                let at = [middle(x), 0, middle(z)];
                let next = corners.iter().cycle().skip(1);
                if corners.iter().zip(next).any(|(&a, &b)| area2(a, b, at) > 0) {
                    continue;
                }
                let floors = self.floors_under(polygon, [x as i32, z as i32], &mut storey);
                let height = self.height(index, at);
                let off = floors
                    .iter()
                    .map(|&floor| (height - f64::from(floor)).abs())
                    .fold(f64::INFINITY, f64::min);
                assert!(
                    floors.is_empty() || off <= allowed + 1e-3,
                    "polygon {index} of {:?} at column {x}, {z}: {height}, floors {floors:?}, corners {corners:?}, {:?}",
                    polygon.region,
                    self.details[index]
                );
            }
        }
    }

    /// The floors of a column that a polygon over it represents: those of its own region, and those a step
    /// away from them. If the column has a floor of the polygon's own region, that region may also pass on
    /// another storey, while the polygon strays over a floor that its corners' floors lead to; all but one of
    /// these floors belong to other storeys. If the column has no such floor but the polygon is of several
    /// regions, one of them may pass on another storey next to the column.
    fn floors_under(&self, polygon: &Polygon, [x, z]: [i32; 2], storey: &mut Option<Vec<bool>>) -> Vec<i32> {
        let field = &self.regions.field;
        let border = field.grid.border as i32;
        let column = field.grid.column((x + border) as u32, (z + border) as u32);
        let floors = |spans: Vec<usize>| spans.into_iter().map(|span| field.floor[span]).collect();
        let spans = field.column(column);
        // If the polygon is of several regions: those with a floor that gave a corner its height. A column
        // may have floors of two of them.
        let regions = match polygon.region {
            Some(region) => BTreeSet::from([region]),
            None => self.regions_around(polygon),
        };
        let is_own = |span: usize| regions.contains(&self.regions.region[span]);
        let beside = |span: usize| {
            Direction::ALL.into_iter().filter_map(|side| field.neighbour(span, side)).any(is_own)
        };
        let found: Vec<usize> = spans.clone().filter(|&span| is_own(span) || beside(span)).collect();
        let has_own = found.iter().any(|&span| is_own(span));
        if found.is_empty() || spans.len() == found.len() || (!has_own && regions.len() == 1) {
            return floors(found);
        }
        let storey = storey.get_or_insert_with(|| self.led_to_by_corners(polygon));
        if has_own {
            return floors(spans.filter(|span| found.contains(span) || storey[*span]).collect());
        }
        floors(found.into_iter().filter(|&span| storey[span]).collect())
    }

    /// The floors around the corners of a polygon that are as high as the corners, with their columns. If
    /// some around a corner are of its own region, they gave the corner its height, and others did not. The
    /// floors under the highest one in a column did not either.
    fn around_corners(&self, polygon: &Polygon) -> Vec<([i32; 2], usize)> {
        let field = &self.regions.field;
        let is_own = |span: usize| Some(self.regions.region[span]) == polygon.region;
        let mut found = Vec::new();
        for &vertex in self.mesh.polygon_corners(polygon) {
            let first = found.len();
            let [x, y, z] = self.mesh.vertices[vertex as usize];
            let [x, z] = [x, z].map(|at| at / FIXED_ONE);
            for (dx, dz) in [(-1, -1), (0, -1), (-1, 0), (0, 0)] {
                let at = [x + dx, z + dz].map(|cell| u32::try_from(cell + field.grid.border as i32));
                let [Ok(column_x), Ok(column_z)] = at else { continue };
                if column_x < field.grid.width && column_z < field.grid.depth {
                    let lowest = (2 * field.walkable_climb).min(field.walkable_height - 1);
                    let heights = y - lowest..=y;
                    let column = field.column(field.grid.column(column_x, column_z));
                    let spans = column.filter(|&span| heights.contains(&field.floor[span]));
                    found.extend(spans.map(|span| ([x + dx, z + dz], span)));
                }
            }
            if found[first..].iter().any(|&(_, span)| is_own(span)) {
                let own = found.split_off(first).into_iter().filter(|&(_, span)| is_own(span));
                found.extend(own);
            }
            let mut at_corner = found.split_off(first);
            at_corner.reverse();
            at_corner.dedup_by_key(|&mut (column, _)| column);
            found.extend(at_corner);
        }
        found
    }

    /// True for each floor that the floors around a polygon's corners lead to, within a cell of the rectangle
    /// around the polygon.
    fn led_to_by_corners(&self, polygon: &Polygon) -> Vec<bool> {
        let corners = self.mesh.polygon_corners(polygon).iter();
        let corners: Vec<[i32; 3]> = corners.map(|&vertex| self.mesh.vertices[vertex as usize]).collect();
        let range = |axis: usize| {
            let cells = || corners.iter().map(|corner| corner[axis] / FIXED_ONE);
            cells().min().unwrap() - 1..=cells().max().unwrap()
        };
        let (columns, rows) = (range(0), range(2));
        let mut open = self.around_corners(polygon);
        let mut found = vec![false; self.regions.field.len()];
        open.iter().for_each(|&(_, span)| found[span] = true);
        while let Some(([x, z], span)) = open.pop() {
            for side in Direction::ALL {
                let (dx, dz) = side.offset();
                let beside = [x + dx, z + dz];
                if columns.contains(&beside[0])
                    && rows.contains(&beside[1])
                    && let Some(other) = self.regions.field.neighbour(span, side)
                    && !std::mem::replace(&mut found[other], true)
                {
                    open.push((beside, other));
                }
            }
        }
        found
    }

    /// The regions with a floor next to a corner of a polygon. A corner is as high as the highest floor
    /// connected there.
    fn regions_around(&self, polygon: &Polygon) -> BTreeSet<RegionId> {
        let regions = self.around_corners(polygon).into_iter().map(|(_, span)| self.regions.region[span]);
        regions.filter(|region| region.is_inner()).collect()
    }

    /// The detail vertices along an edge, without its ends.
    fn along(&self, polygon: usize, [a, b]: [Fixed; 2]) -> BTreeSet<Fixed> {
        let between = |p: &Fixed| {
            let dot = (p[0] - a[0]) * (b[0] - p[0]) + (p[2] - a[2]) * (b[2] - p[2]);
            area2(a, b, *p) == 0 && dot > 0
        };
        self.details[polygon].0.iter().copied().filter(between).collect()
    }

    /// Vertices along edges must be on the storey of their polygon's corners if the storey has floors all
    /// around them.
    fn check_storeys(&self) {
        let field = &self.regions.field;
        let border = field.grid.border as i32;
        // Along the edge the ground may rise, but not to another storey.
        let step = i64::from(field.walkable_climb + 1) * i64::from(FIXED_ONE);
        for (index, polygon) in self.mesh.polygons.iter().enumerate() {
            let mut known = None;
            for vertex in self.edges(polygon).into_iter().flat_map(|(ends, _)| self.along(index, ends)) {
                let [x, z] = [0, 2].map(|axis| (vertex[axis] / i64::from(FIXED_ONE)) as i32 + border);
                let size = [field.grid.width, field.grid.depth].map(|cells| cells as i32);
                if x < 1 || z < 1 || x + 1 >= size[0] || z + 1 >= size[1] {
                    continue;
                }
                let around = (z - 1..=z + 1).flat_map(|z| (x - 1..=x + 1).map(move |x| [x as u32, z as u32]));
                let columns: Vec<_> = around.map(|[x, z]| field.column(field.grid.column(x, z))).collect();
                if columns.iter().all(|spans| spans.len() == 1)
                    || columns.iter().any(|spans| spans.is_empty())
                {
                    continue;
                }
                let storey = known.get_or_insert_with(|| self.led_to_by_corners(polygon));
                let on_storey = |spans: &std::ops::Range<usize>| spans.clone().any(|span| storey[span]);
                if !columns.iter().all(on_storey) {
                    continue;
                }
                let spans = || columns.iter().cloned().flatten().filter(|&span| storey[span]);
                let floors = || spans().map(|span| i64::from(field.floor[span]) * i64::from(FIXED_ONE));
                let heights = floors().min().unwrap() - step..=floors().max().unwrap() + step;
                assert!(
                    heights.contains(&vertex[1]),
                    "polygon {index}: {vertex:?} is not within {heights:?}"
                );
            }
        }
    }

    /// The ends of a polygon's edges, and the kind of each edge.
    fn edges(&self, polygon: &Polygon) -> Vec<([Fixed; 2], EdgeKind)> {
        let corners = self.corners(polygon);
        let ends = (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]]);
        ends.zip(self.mesh.edges[polygon.range()].iter().copied()).collect()
    }

    /// Returns true if a vertex is along one edge of a polygon only. A vertex of another edge may be rounded
    /// onto it.
    fn is_of_one_edge(&self, polygon: &Polygon, vertex: Fixed) -> bool {
        let touches = |[a, b]: [Fixed; 2]| area2(a, b, vertex).abs() <= slack(&[a, b]);
        self.edges(polygon).into_iter().filter(|(ends, _)| touches(*ends)).count() <= 1
    }

    /// Both polygons of an edge must have the same vertices along it. Notes the vertices of the tile's own
    /// edges.
    fn check_edges(&self, seams: &mut Seams) {
        let base = self.mesh.grid.inner_base().map(|cell| cell * i64::from(FIXED_ONE));
        for (index, polygon) in self.mesh.polygons.iter().enumerate() {
            for (ends, kind) in self.edges(polygon) {
                if self.mesh.polygon_area2(polygon) == 0 {
                    continue;
                }
                match kind {
                    EdgeKind::Wall => {}
                    EdgeKind::Internal(other)
                        if self.mesh.polygon_area2(&self.mesh.polygons[other as usize]) != 0 =>
                    {
                        let sides =
                            [index, other as usize].map(|polygon| (polygon, self.along(polygon, ends)));
                        for ((side, own), (_, others)) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                            let side = &self.mesh.polygons[*side];
                            let missing: Vec<&Fixed> = own
                                .difference(others)
                                .filter(|vertex| self.is_of_one_edge(side, **vertex))
                                .collect();
                            assert!(missing.is_empty(), "{index} and {other}: {missing:?} on one side only");
                        }
                    }
                    EdgeKind::Internal(_) => {}
                    EdgeKind::Portal(side) => {
                        let axis = if matches!(side, Side::XMin | Side::XMax) { 0 } else { 2 };
                        let which = usize::from(matches!(side, Side::XMin | Side::ZMin));
                        let place = |p: Fixed| -> Fixed { std::array::from_fn(|axis| p[axis] + base[axis]) };
                        let found = self.along(index, ends).into_iter();
                        let found = found.map(|vertex| (place(vertex), self.is_of_one_edge(polygon, vertex)));
                        let line = place(ends[0])[axis];
                        seams.entry((axis, line)).or_default()[which].extend(found);
                    }
                }
            }
        }
    }
}

/// A level with settings that are difficult for heights.
fn level(seed: u64) -> (Level, Settings, u32) {
    let mut random = SplitMix64::new(seed);
    let mut settings = settings(&mut random);
    settings.detail_sample_distance = None;
    let error = [None, Some(0.0), Some(0.3), Some(2.5)][random.next_u64() as usize % 4];
    settings.detail_max_error = error.map(|cells: f64| cells * settings.cell_height);
    let tile_cells = [8, 16, 32, 48][random.next_u64() as usize % 4];
    let side = random.between(12.0, 90.0) * settings.cell_size;
    (levels::any(side, &settings, &mut random), settings, tile_cells)
}

fn allowed(settings: &Settings) -> f64 {
    settings.detail_max_error.unwrap_or(settings.cell_height) / settings.cell_height + 0.5
}

fn check(seed: u64) {
    each_outlines(|outlines| check_with(seed, outlines));
}

fn check_with(seed: u64, outlines: Outlines) {
    let (level, settings, tile_cells) = level(seed);
    let settings = Settings { outlines, ..settings };
    let prepared = PreparedLevel::new(&level, &settings).unwrap();
    let mut seams = BTreeMap::new();
    let capped =
        |bake: &Bake| bake.baked.diagnostics.iter().any(|one| one.kind == DiagnosticKind::DetailMesh);
    let check = |bake: &Bake, seams: &mut _| {
        assert!(!capped(bake), "a level this small meets no limit");
        bake.check_edges(seams);
        bake.check_storeys();
        bake.check_floors(allowed(&settings));
    };
    let whole = bake(&prepared, &TileBuild::solo(&prepared));
    check(&whole, &mut seams);
    let tiling = Tiling::new(&prepared, tile_cells).unwrap();
    for coord in tiling.coords() {
        check(&bake(&prepared, &tiling.build(0, coord).unwrap()), &mut seams);
    }
    for ((axis, line), sides) in seams {
        for [one, other] in [[&sides[0], &sides[1]], [&sides[1], &sides[0]]] {
            let mut sure = one.iter().filter(|(_, sure)| **sure).map(|(vertex, _)| vertex);
            assert!(sure.all(|vertex| other.contains_key(vertex)), "along axis {axis} at {line}: {sides:?}");
        }
    }
    check_scaled(&level, &settings, &whole.baked);
}

/// A level that is scaled together with its settings, by two or a quarter, must give the same tile.
fn check_scaled(level: &Level, settings: &Settings, baked: &Baked) {
    for factor in [2.0, 0.25] {
        let mut level = level.clone();
        level.vertices.iter_mut().flatten().for_each(|metres| *metres *= factor);
        let metres = |value: f64| value * factor;
        let area = |value: f64| value * factor * factor;
        let settings = Settings {
            cell_size: metres(settings.cell_size),
            cell_height: metres(settings.cell_height),
            agent_radius: metres(settings.agent_radius),
            agent_height: metres(settings.agent_height),
            agent_climb: metres(settings.agent_climb),
            region_min_area: settings.region_min_area.map(area),
            region_merge_area: settings.region_merge_area.map(area),
            max_edge_length: metres(settings.max_edge_length),
            contour_max_error: settings.contour_max_error.map(metres),
            detail_sample_distance: settings.detail_sample_distance.map(metres),
            detail_max_error: settings.detail_max_error.map(metres),
            ..settings.clone()
        };
        let prepared = PreparedLevel::new(&level, &settings).unwrap();
        let scaled = recast::bake_solo(&prepared, &Silent, &mut Scratch::new()).unwrap();
        assert_eq!(scaled.tile.coord(), TileCoord { x: 0, z: 0, layer: 0 });
        assert!(scaled.tile.vertices() == baked.tile.vertices(), "vertices, {factor} times as large");
        assert!(scaled.tile.edges() == baked.tile.edges(), "edges, {factor} times as large");
        let triangles = [&scaled, baked].map(|baked| baked.tile.detail_triangles());
        assert!(triangles[0] == triangles[1], "detail triangles, {factor} times as large");
    }
}

// A ramp's region continues on the storey below it, and an edge of its polygons strays over that storey:
// first along the floor of one, then along the floor of the other.
#[test]
fn an_edge_over_a_lower_storey_of_its_region_stays_on_the_upper() {
    check(40_108);
}

// An edge along a cliff between two regions, with floors of both next to it, fifteen cells apart.
#[test]
fn an_edge_between_storeys_goes_on_along_the_nearer_one() {
    check(52_549);
}

// An edge leaves its floors over a hole, and comes to columns with a floor of a lower storey and one of its
// own.
#[test]
fn an_edge_that_lost_its_floors_goes_on_along_those_nearest_to_its_line() {
    check(59_038);
    check(72_251);
}

// A wall strays over the storeys next to it: over a storey of its own region, up a ramp of another, and up a
// ramp of its own region that is on another storey.
#[test]
fn a_wall_stays_on_the_storey_of_its_polygon() {
    check(15_429);
    check(20_896);
    check(23_137);
}

#[test]
fn detail_meshes_of_generated_levels_are_within_the_error() {
    each_seed(60, "fail", check);
}

// Two steps reach from a floor around a corner to the storey below.
#[test]
fn a_corner_is_not_on_the_storey_below_it() {
    check(6_835);
}

/// Two landings with a flight of steps between them, turned by an angle.
fn flight(steps: u32, degrees: f64) -> Level {
    let mut level = Level::default();
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let mut quad = |[x0, x1]: [f64; 2], [z0, z1]: [f64; 2], [y0, y1]: [f64; 2]| {
        let first = level.vertices.len() as u32;
        let corners = [[x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]];
        level.vertices.extend(corners.map(|[x, y, z]| [x * cos - z * sin, y, x * sin + z * cos]));
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let (tread, rise) = (0.3, 0.17);
    let (length, height) = (tread * f64::from(steps), rise * f64::from(steps));
    quad([-6.0, 0.0], [-5.0, 5.0], [0.0; 2]);
    quad([length, length + 6.0], [-5.0, 5.0], [height; 2]);
    for step in 0..steps {
        let [x, y] = [tread, rise].map(|size| size * f64::from(step));
        quad([x, x + 1e-6], [-1.5, 1.5], [y, y + rise]);
        quad([x, x + tread], [-1.5, 1.5], [y + rise; 2]);
    }
    level
}

#[test]
fn a_flight_of_steps_is_few_polygons_within_the_error() {
    let settings = Settings { cell_size: 0.2, agent_radius: 0.4, ..Settings::default() };
    for (steps, degrees) in
        [8, 20, 40].into_iter().flat_map(|steps| [0.0, 20.0, 37.0, 45.0].map(|turn| (steps, turn)))
    {
        let prepared = PreparedLevel::new(&flight(steps, degrees), &settings).unwrap();
        let baked = bake(&prepared, &TileBuild::solo(&prepared));
        baked.check_floors(allowed(&settings));
        let top = (f64::from(steps) * 0.17 / settings.cell_height) as i32;
        let is_on_steps = |polygon: &&Polygon| {
            let corners = baked.mesh.polygon_corners(polygon).iter();
            let heights = corners.map(|&corner| baked.mesh.vertices[corner as usize][1]);
            heights.clone().min() < Some(top - 1) && heights.max() > Some(1)
        };
        let count = baked.mesh.polygons.iter().filter(is_on_steps).count();
        assert!((1..=2).contains(&count), "{steps} steps at {degrees} degrees: {count} polygons");
    }
}
