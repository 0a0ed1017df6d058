//! Maps of polygons: baked in one piece and in tiles.

use super::{Family, Made, Member};
use navplane::{AreaPolygon, Map, Polygon, Settings};
use navscenes::random::SplitMix64;
use navtile::AreaId;

type Ring = Vec<[f64; 2]>;

pub(super) const FAMILIES: [Family; 13] = [
    Family {
        name: "map/squares",
        start: 400,
        make: |n| map(n, Map { outlines: squares(n, 1.0), ..Map::default() }, 0.0),
    },
    Family {
        name: "map/obstacles",
        start: 400,
        make: |n| map(n, Map { obstacles: squares(n, 1.0), ..ground(n) }, 0.0),
    },
    Family {
        name: "map/obstacles-with-radius",
        start: 120,
        make: |n| map(n, Map { obstacles: squares(n, 1.0), ..ground(n) }, 0.3),
    },
    Family {
        name: "map/obstacles-that-overlap",
        start: 400,
        make: |n| map(n, Map { obstacles: squares(n, 2.2), ..ground(n) }, 0.0),
    },
    Family { name: "map/holes", start: 400, make: holes },
    Family {
        name: "map/areas",
        start: 400,
        make: |n| map(n, Map { areas: areas(squares(n, 1.0)), ..ground(n) }, 0.0),
    },
    Family { name: "map/areas-in-each-other", start: 100, make: nested },
    Family {
        name: "map/equal-outlines",
        start: 3_000,
        make: |n| map(n, Map { outlines: vec![polygon(square(0.0, 0.0, 9.0)); n], ..Map::default() }, 0.0),
    },
    Family {
        name: "map/a-comb",
        start: 600,
        make: |n| map(n, Map { outlines: vec![polygon(spikes(n))], ..Map::default() }, 0.0),
    },
    Family {
        name: "map/a-comb-with-radius",
        start: 100,
        make: |n| map(n, Map { outlines: vec![polygon(spikes(n))], ..Map::default() }, 0.1),
    },
    Family {
        name: "map/combs-that-cross",
        start: 30,
        make: |n| map(n * n, Map { outlines: combs(n), ..Map::default() }, 0.0),
    },
    Family { name: "map/a-ring-that-crosses-itself", start: 60, make: tangle },
    Family { name: "map/tiles", start: 400, make: cut },
];

fn map(size: usize, map: Map, agent_radius: f64) -> Made {
    let settings = Settings { agent_radius, ..Settings::default() };
    Ok(Member::new(size, move || {
        navplane::bake(&map, &settings)?;
        Ok(())
    }))
}

fn polygon(outline: Ring) -> Polygon {
    Polygon { outline, holes: Vec::new() }
}

fn square(x: f64, z: f64, side: f64) -> Ring {
    vec![[x, z], [x + side, z], [x + side, z + side], [x, z + side]]
}

/// Squares on a grid of 2 m.
fn squares(count: usize, side: f64) -> Vec<Polygon> {
    let row = count.isqrt();
    let at = |index: usize| [2.0 * (index % row) as f64, 2.0 * (index / row) as f64];
    (0..row * row).map(at).map(|[x, z]| polygon(square(x, z, side))).collect()
}

/// Ground under such squares.
fn ground(count: usize) -> Map {
    Map { outlines: vec![polygon(square(-1.0, -1.0, 2.0 * count.isqrt() as f64 + 3.0))], ..Map::default() }
}

fn holes(count: usize) -> Made {
    let mut whole = ground(count);
    whole.outlines[0].holes = squares(count, 1.0).into_iter().map(|polygon| polygon.outline).collect();
    map(count, whole, 0.0)
}

fn areas(polygons: Vec<Polygon>) -> Vec<AreaPolygon> {
    polygons.into_iter().map(|polygon| AreaPolygon { polygon, area: AreaId(7) }).collect()
}

/// Nested areas, each within the previous one.
fn nested(count: usize) -> Made {
    let ring = |at: usize| {
        let inset = at as f64 * 0.1;
        polygon(square(inset, inset, 0.2 * count as f64 + 2.0 - 2.0 * inset))
    };
    let area = |at: usize| AreaPolygon { polygon: ring(at), area: AreaId(1 + (at % 2) as u8) };
    let whole = Map { outlines: vec![ring(0)], areas: (1..count).map(area).collect(), ..Map::default() };
    map(count, whole, 0.0)
}

/// Long spikes side by side.
fn spikes(count: usize) -> Ring {
    let spike = |at: usize| [[2.0 * at as f64, 0.0], [2.0 * at as f64 + 1.0, 400.0]];
    (0..count).flat_map(spike).chain([[2.0 * count as f64, 0.0], [count as f64, -3.0]]).collect()
}

/// Two combs; each tooth crosses all teeth of the other comb.
fn combs(teeth: usize) -> Vec<Polygon> {
    let length = teeth as f64;
    let comb = |upright: bool| -> Ring {
        let turn = |[x, z]: [f64; 2]| if upright { [x, z] } else { [z, x] };
        let tooth = |at: usize| {
            let at = at as f64;
            [[at, -2.0], [at, length + 1.0], [at + 0.5, length + 1.0], [at + 0.5, -2.0]]
        };
        (0..teeth).flat_map(tooth).chain([[length, -3.0], [0.0, -3.0]]).map(turn).collect()
    };
    vec![polygon(comb(false)), polygon(comb(true))]
}

/// A ring of random corners; its number of crossings grows with their square.
fn tangle(count: usize) -> Made {
    let mut random = SplitMix64::new(7);
    let ring = (0..count).map(|_| [random.between(0.0, 100.0), random.between(0.0, 100.0)]).collect();
    map(count * count, Map { outlines: vec![polygon(ring)], ..Map::default() }, 0.0)
}

fn cut(count: usize) -> Made {
    let whole = Map { obstacles: squares(count, 1.0), ..ground(count) };
    let settings = Settings { spacing: Some(1.0 / 256.0), ..Settings::default() };
    Ok(Member::new(count, move || {
        navplane::cut(&whole, &settings, 8)?.tiles(&settings)?;
        Ok(())
    }))
}
