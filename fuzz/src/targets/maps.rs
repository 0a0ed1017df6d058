//! Targets about maps: as GeoJSON, as lists of corners, and as polygons that are drawn by the fuzzer.

use super::{QUERIES, reader_bound};
use crate::memory::bounded;
use crate::questions::{ask_everything, mesh_of};
use crate::script::Dice;
use navinput::{FlatError, FlatLevel};
use navplane::{AreaPolygon, ConvexPolygon, Error, Map, Mesh, Polygon, Settings};
use navtile::{AreaId, Tile};

/// Larger maps are read and not baked.
const CORNERS: usize = 400;
/// Cells on a side of a drawn map.
const SIDE: u32 = 16;

/// Bytes as GeoJSON; a small map is baked.
pub fn geojson(data: &[u8]) {
    read(data, navinput::read_geojson);
}

/// Bytes as lists of corners; a small map is baked.
pub fn corners(data: &[u8]) {
    read(data, navinput::read_corners);
}

fn read(data: &[u8], reader: fn(&[u8], &[recast::AreaDefinition]) -> Result<FlatLevel, FlatError>) {
    let Ok(level) = bounded(reader_bound(data, 100), || reader(data, &[])) else { return };
    for layer in &level.layers {
        let map = &layer.map;
        let count: usize = polygons(map).map(|polygon| rings(polygon).map(Vec::len).sum::<usize>()).sum();
        assert!(polygons(map).flat_map(rings).flatten().flatten().all(|value| value.is_finite()));
        if count <= CORNERS {
            for agent_radius in [0.0, 0.5] {
                let settings = Settings { agent_radius, ..Settings::default() };
                if let Some((_, tile)) = bake(map, &settings)
                    && let Some(mesh) = mesh_of([&tile])
                {
                    bounded(QUERIES, || ask_everything(&mesh, tile.header().checksum.into()));
                }
            }
        }
    }
}

fn polygons(map: &Map) -> impl Iterator<Item = &Polygon> {
    let areas = map.areas.iter().map(|labelled| &labelled.polygon);
    map.outlines.iter().chain(&map.obstacles).chain(areas)
}

fn rings(polygon: &Polygon) -> impl Iterator<Item = &Vec<[f64; 2]>> {
    std::iter::once(&polygon.outline).chain(&polygon.holes)
}

/// The mesh and the tile of a map; `None` for an error, which must not be a fault of ours.
fn bake(map: &Map, settings: &Settings) -> Option<(Mesh, Tile)> {
    let baked = bounded(QUERIES, || {
        let mesh = navplane::mesh(map, settings)?;
        let tile = mesh.tile(settings)?;
        Ok::<_, Error>((mesh, tile))
    });
    if let Err(error) = &baked {
        assert!(!matches!(error, Error::Unsound(_) | Error::Broken(_)), "{error}");
    }
    baked.ok()
}

fn ring(dice: &mut Dice) -> Vec<[f64; 2]> {
    let count = 3 + dice.roll(9);
    // On a coarse lattice, so that corners often meet corners and edges.
    (0..count).map(|_| [0; 2].map(|_| f64::from(dice.roll(SIDE + 1)))).collect()
}

fn polygon(dice: &mut Dice) -> Polygon {
    Polygon { outline: ring(dice), holes: (0..dice.roll(3)).map(|_| ring(dice)).collect() }
}

/// A map of a few polygons over each other, baked without a radius. Its ground must be where a plain count of
/// windings says, and each of its convex polygons must be in ground of one area.
pub fn planar(data: &[u8]) {
    let mut dice = Dice::new(data);
    let map = Map {
        outlines: (0..=dice.roll(3)).map(|_| polygon(&mut dice)).collect(),
        obstacles: (0..dice.roll(3)).map(|_| polygon(&mut dice)).collect(),
        areas: (0..dice.roll(3))
            .map(|_| AreaPolygon { polygon: polygon(&mut dice), area: AreaId(dice.roll(4) as u8) })
            .collect(),
    };
    let radius = Settings { agent_radius: 0.3 * f64::from(1 + dice.roll(4)), ..Settings::default() };
    bake(&map, &radius);
    let baked = bake(&map, &Settings::default());
    for _ in 0..24 {
        // A point between the lines of the lattice. Corners are rounded to a finer grid, so edges may be
        // slightly off the lattice.
        let at = [0; 2].map(|_| f64::from(dice.roll(SIDE * 64)) / 64.0 + 0.5 / 64.0);
        if polygons(&map).flat_map(rings).any(|ring| distance(ring, at) < 1e-3) {
            continue;
        }
        let found = baked.as_ref().map(|(mesh, _)| areas_at(mesh, at)).unwrap_or_default();
        assert_eq!(found, Vec::from_iter(area_at(&map, at)), "at {at:?}");
    }
}

/// The area of the ground at a point, by windings; `None` outside the ground.
fn area_at(map: &Map, at: [f64; 2]) -> Option<AreaId> {
    let within =
        |polygon: &Polygon| winds(&polygon.outline, at) && !polygon.holes.iter().any(|hole| winds(hole, at));
    let is_ground = map.outlines.iter().any(within) && !map.obstacles.iter().any(within);
    let last = map.areas.iter().rfind(|labelled| within(&labelled.polygon));
    let area = last.map_or(AreaId::GROUND, |labelled| labelled.area);
    (is_ground && area != AreaId::NULL).then_some(area)
}

/// Returns true if a ring winds around a point.
fn winds(ring: &[[f64; 2]], at: [f64; 2]) -> bool {
    let mut number = 0;
    for (index, &a) in ring.iter().enumerate() {
        let b = ring[(index + 1) % ring.len()];
        let side = (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
        // A point on an edge is in one of the polygons that share it.
        match (a[1] <= at[1], b[1] <= at[1]) {
            (true, false) if side > 0.0 => number += 1,
            (false, true) if side < 0.0 => number -= 1,
            _ => {}
        }
    }
    number != 0
}

/// Distance of a point from the edges of a ring.
fn distance(ring: &[[f64; 2]], at: [f64; 2]) -> f64 {
    let of_edge = |(index, a): (usize, &[f64; 2])| {
        let b = ring[(index + 1) % ring.len()];
        let (along, to) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
        let length = along[0] * along[0] + along[1] * along[1];
        let share = if length > 0.0 { (along[0] * to[0] + along[1] * to[1]) / length } else { 0.0 };
        let share = share.clamp(0.0, 1.0);
        (to[0] - share * along[0]).hypot(to[1] - share * along[1])
    };
    ring.iter().enumerate().map(of_edge).fold(f64::INFINITY, f64::min)
}

/// Areas of the convex polygons that have a point.
fn areas_at(mesh: &Mesh, at: [f64; 2]) -> Vec<AreaId> {
    let has = |polygon: &&ConvexPolygon| {
        let corners: Vec<[f64; 2]> =
            polygon.corners.iter().map(|corner| mesh.grid.to_map(mesh.vertices[*corner as usize])).collect();
        winds(&corners, at)
    };
    mesh.polygons.iter().filter(has).map(|polygon| AreaId(polygon.area)).collect()
}
