//! Edges of areas and of volumes with exact outlines, compared with their closed form, at several angles.

use navlevel::bake_tiles;
use navtile::Tile;
use navtile::layout::edge_kind;
use navtile::seam_check::check_seams;
use recast::{AreaId, Level, Outlines, PreparedLevel, Scratch, Settings, Shape, Silent, Volume, bake_solo};

const TURNS: [f64; 5] = [0.0, 20.0, 37.0, 45.0, 70.0];
const CELLS: [f64; 2] = [0.3, 0.15];
/// Samples are nearer to this place, seen from above, than the distance, metres.
const MIDDLE: [f64; 2] = [10.1, 9.7];
const NEAR: f64 = 6.0;
const AREA: AreaId = AreaId(9);

type Place = [f64; 3];

fn settings(cell_size: f64) -> Settings {
    Settings { cell_size, agent_radius: 2.0 * cell_size, outlines: Outlines::Exact, ..Settings::default() }
}

fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The plan's vector of this length, turned by an angle.
fn turned(length: f64, degrees: f64) -> [f64; 2] {
    [length * libm::cos(degrees.to_radians()), length * libm::sin(degrees.to_radians())]
}

/// The mesh in one piece if `tile` is 0, else in tiles of that many cells, which must agree.
fn bake(level: &Level, settings: &Settings, tile: u32) -> Vec<Tile> {
    let level = PreparedLevel::new(level, settings).unwrap();
    let baked = match tile {
        0 => vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap()],
        _ => bake_tiles(&level, tile, &Silent).unwrap(),
    };
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    assert_eq!(check_seams(&tiles).exceptions.len(), 0);
    tiles
}

/// Places along the walls within the ground, and along edges between polygons of [`AREA`] and of others.
fn samples(tiles: &[Tile]) -> Vec<Place> {
    let mut samples = Vec::new();
    for tile in tiles {
        for polygon in tile.polygons() {
            let edges = tile.polygon_edges(polygon);
            for (edge, next) in edges.iter().zip(edges.iter().cycle().skip(1)) {
                let is_border = match edge.kind {
                    edge_kind::WALL => true,
                    edge_kind::INTERNAL => {
                        let other = tile.polygons()[edge.neighbour as usize].area;
                        polygon.area == AREA.0 && other != AREA.0
                    }
                    _ => false,
                };
                let [a, b] = [edge, next].map(|end| tile.to_world(tile.vertices()[end.vertex as usize]));
                let place = |part: u32| {
                    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * f64::from(part) / 16.0)
                };
                samples.extend((0..16).filter(|_| is_border).map(place));
            }
        }
    }
    let is_inside = |[x, _, z]: &Place| libm::hypot(x - MIDDLE[0], z - MIDDLE[1]) < NEAR;
    samples.retain(is_inside);
    samples
}

/// Mean and largest distance of places, in cells.
fn measure(samples: &[Place], cell: f64, distance: impl Fn(&Place) -> f64) -> [f64; 2] {
    let all: Vec<f64> = samples.iter().map(|place| distance(place).abs() / cell).collect();
    assert!(all.len() > 30, "{} samples", all.len());
    [all.iter().sum::<f64>() / all.len() as f64, all.iter().copied().fold(0.0, f64::max)]
}

/// The distance of a place from the edge of a shape seen from above; `beyond` is positive outside.
fn distance_to(place: &Place, beyond: impl Fn(Place) -> f64) -> f64 {
    const FAR: f64 = 1.0;
    let is_outside = beyond(*place) > 0.0;
    let crossing = |degrees: u32| {
        let [x, z] = turned(1.0, f64::from(degrees));
        let is_beyond =
            |by: f64| (beyond([place[0] + x * by, place[1], place[2] + z * by]) > 0.0) != is_outside;
        let [mut low, mut high] = [0.0, FAR];
        while is_beyond(FAR) && high - low > 1e-4 {
            let middle = 0.5 * (low + high);
            if is_beyond(middle) { high = middle } else { low = middle }
        }
        high
    };
    (0..360).step_by(6).map(crossing).fold(FAR, f64::min)
}

/// Capsules over level ground: lying, lying above it, leaning, and upright.
fn capsules(turn: f64) -> [[Place; 2]; 4] {
    [(3.0, 0.3, 0.3), (3.0, 1.4, 1.4), (3.0, -1.0, 2.0), (0.0, -3.0, 3.0)].map(|(half, low, high)| {
        let [x, z] = turned(half, turn);
        [[MIDDLE[0] - x, low, MIDDLE[1] - z], [MIDDLE[0] + x, high, MIDDLE[1] + z]]
    })
}

#[test]
fn capsules_have_the_outline_at_the_height_of_the_ground() {
    const RADIUS: f64 = 2.0;
    let n = 20.0;
    let vertices = vec![[0.0; 3], [0.0, 0.0, n], [n, 0.0, n], [n, 0.0, 0.0]];
    let level = Level { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], ..Level::default() };
    for (cell, turn) in CELLS.into_iter().flat_map(|cell| TURNS.map(|turn| (cell, turn))) {
        for ([a, b], area) in
            capsules(turn).into_iter().flat_map(|ends| [AreaId::NULL, AREA].map(|area| (ends, area)))
        {
            let volumes = vec![Volume { shape: Shape::Capsule { a, b, radius: RADIUS }, area }];
            let settings = Settings { volumes, ..settings(cell) };
            // Floors are at the upper end of the cells that the ground is in.
            let floor = settings.cell_height;
            let beyond = |[x, _, z]: Place| {
                let [way, from] =
                    [b, [x, floor, z]].map(|end| std::array::from_fn(|axis| end[axis] - a[axis]));
                let part = (dot(way, from) / dot(way, way).max(1e-9)).clamp(0.0, 1.0);
                let off: Place = std::array::from_fn(|axis| from[axis] - way[axis] * part);
                dot(off, off).sqrt() - RADIUS
            };
            for (tile, average, most) in [(0, 0.1, 0.25), (17, 0.15, 0.75)] {
                let samples = samples(&bake(&level, &settings, tile));
                let [mean, worst] = measure(&samples, cell, |place| distance_to(place, beyond));
                assert!(mean < average && worst < most, "{a:?} {b:?} {area:?} {tile}: {mean}, {worst}");
            }
        }
    }
}

/// The corners of a regular polygon around the middle of the ground.
fn ring(sides: u32, radius: f64, turn: f64) -> Vec<[f64; 2]> {
    let corner = |side: u32| {
        let [x, z] = turned(radius, turn - 360.0 * f64::from(side) / f64::from(sides));
        [MIDDLE[0] + x, MIDDLE[1] + z]
    };
    (0..sides).map(corner).collect()
}

/// A polygon of another area in level ground: its triangles continue those of the ground, or are above them
/// by this much, metres.
fn patch(outline: &[[f64; 2]], turn: f64, above: Option<f64>, area: AreaId) -> Level {
    let count = outline.len() as u32;
    let height = above.unwrap_or(0.0);
    let mut vertices: Vec<Place> = outline.iter().map(|[x, z]| [*x, height, *z]).collect();
    let mut triangles: Vec<[u32; 3]> = (2..count).map(|corner| [0, corner - 1, corner]).collect();
    let mut areas = vec![area; triangles.len()];
    vertices.extend(ring(count, 20.0, turn).iter().map(|[x, z]| [*x, 0.0, *z]));
    match above {
        None => (0..count).for_each(|corner| {
            let next = (corner + 1) % count;
            triangles.extend([[corner, count + corner, next], [next, count + corner, count + next]]);
        }),
        Some(_) => triangles.extend((2..count).map(|corner| [count, count + corner - 1, count + corner])),
    }
    areas.resize(triangles.len(), AreaId::GROUND);
    Level { vertices, triangles, areas }
}

/// The distance of a place from an outline.
fn distance_from(outline: &[[f64; 2]], [x, _, z]: Place) -> f64 {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let distance = |(a, b): (&[f64; 2], &[f64; 2])| {
        let (way, from) = ([b[0] - a[0], b[1] - a[1]], [x - a[0], z - a[1]]);
        let part = (way[0] * from[0] + way[1] * from[1]) / (way[0] * way[0] + way[1] * way[1]);
        let part = part.clamp(0.0, 1.0);
        libm::hypot(from[0] - way[0] * part, from[1] - way[1] * part)
    };
    sides.map(distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn areas_end_at_the_edges_of_their_triangles() {
    for (cell, turn) in CELLS.into_iter().flat_map(|cell| TURNS.map(|turn| (cell, turn))) {
        for (sides, above) in [(4, None), (24, None), (3, Some(0.01))] {
            let outline = ring(sides, 4.0, turn);
            let level = patch(&outline, turn, above, AREA);
            // At a tile's border, lines cross stairs that both tiles know.
            for (tile, average, most) in [(0, 0.01, 0.07), (17, 0.3, 1.4)] {
                let samples = samples(&bake(&level, &settings(cell), tile));
                let [mean, worst] = measure(&samples, cell, |&place| distance_from(&outline, place));
                assert!(mean < average && worst < most, "{turn} {sides} {tile}: {mean}, {worst}");
            }
        }
    }
}

#[test]
fn ground_ends_at_the_radius_from_triangles_without_an_area() {
    for (cell, turn) in CELLS.into_iter().flat_map(|cell| TURNS.map(|turn| (cell, turn))) {
        for sides in [4, 24] {
            let outline = ring(sides, 4.0, turn);
            let level = patch(&outline, turn, None, AreaId::NULL);
            let settings = settings(cell);
            // Chords are outside of the arcs around the corners, by a share of the radius.
            for (tile, average, most) in [(0, 0.05, 0.17), (17, 0.08, 1.0)] {
                let samples = samples(&bake(&level, &settings, tile));
                let off = |&place: &Place| distance_from(&outline, place) - settings.agent_radius;
                let [mean, worst] = measure(&samples, cell, off);
                assert!(mean < average && worst < most, "{turn} {sides} {tile}: {mean}, {worst}");
            }
        }
    }
}
