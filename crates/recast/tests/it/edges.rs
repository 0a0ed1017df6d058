//! Edges of areas and of volumes with exact outlines, compared with their closed form, turned by several angles.

use navlevel::bake_tiles;
use navtile::Tile;
use navtile::layout::edge_kind;
use navtile::seam_check::check_seams;
use recast::{AreaId, Level, Outlines, PreparedLevel, Scratch, Settings, Shape, Silent, Volume, bake_solo};

const TURNS: [f64; 5] = [0.0, 20.0, 37.0, 45.0, 70.0];
const CELLS: [f64; 2] = [0.3, 0.15];
/// The side of the ground, metres.
const SIDE: f64 = 20.0;
/// What is measured is farther from the end of the ground than this, metres.
const RIM: f64 = 1.5;
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
    let is_inside = |place: &Place| [0, 2].iter().all(|&axis| (RIM..SIDE - RIM).contains(&place[axis]));
    samples.retain(is_inside);
    samples
}

/// Mean and largest distance of places, in cells.
fn measure(samples: &[Place], cell: f64, distance: impl Fn(&Place) -> f64) -> [f64; 2] {
    let all: Vec<f64> = samples.iter().map(|place| distance(place).abs() / cell).collect();
    assert!(all.len() > 50, "{} samples", all.len());
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
        [[10.1 - x, low, 9.7 - z], [10.1 + x, high, 9.7 + z]]
    })
}

#[test]
fn capsules_have_the_outline_at_the_height_of_the_ground() {
    const RADIUS: f64 = 2.0;
    let n = SIDE;
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
