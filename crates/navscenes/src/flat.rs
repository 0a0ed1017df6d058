//! Maps of polygons with holes, for bakes without voxels. Coordinates are those of the maps' own pictures.

use navplane::{Map, Polygon};

/// A map under a name.
#[derive(Clone, Copy, Debug)]
pub struct FlatScene {
    /// Name, as in file names: lower case, underscores.
    pub name: &'static str,
    /// Its content, in a sentence.
    pub description: &'static str,
    /// Builds the map.
    pub map: fn() -> Map,
}

/// All maps.
pub const ALL: &[FlatScene] = &[
    FlatScene {
        name: "lake",
        description: "An outline of 16 corners with two holes of five and three.",
        map: lake,
    },
    FlatScene {
        name: "ruins",
        description: "An outline of 25 corners with nine holes of three to fourteen.",
        map: ruins,
    },
    FlatScene {
        name: "hall",
        description: "A rectangle with seven holes: a square, four triangles and two long walls.",
        map: hall,
    },
];

/// The map of this name.
pub fn by_name(name: &str) -> Option<FlatScene> {
    ALL.iter().copied().find(|scene| scene.name == name)
}

/// One polygon with holes, from whole numbers.
fn map(outline: &[[i32; 2]], holes: &[&[[i32; 2]]]) -> Map {
    let ring = |points: &[[i32; 2]]| points.iter().map(|point| point.map(f64::from)).collect();
    let polygon = Polygon { outline: ring(outline), holes: holes.iter().map(|hole| ring(hole)).collect() };
    Map { outlines: vec![polygon], ..Map::default() }
}

fn lake() -> Map {
    let outline = [
        [100, 100],
        [300, 200],
        [500, 50],
        [650, 300],
        [900, 200],
        [1100, 30],
        [1230, 400],
        [1050, 550],
        [850, 450],
        [700, 600],
        [500, 600],
        [420, 270],
        [350, 300],
        [250, 550],
        [200, 400],
        [50, 300],
    ];
    let basin = [[550, 400], [970, 230], [800, 450], [700, 420], [580, 550]];
    let pond = [[150, 150], [250, 220], [200, 300]];
    map(&outline, &[&basin, &pond])
}

fn ruins() -> Map {
    let outline = [
        [100, 100],
        [130, 70],
        [170, 110],
        [210, 100],
        [240, 250],
        [300, 50],
        [330, 170],
        [400, 300],
        [420, 30],
        [490, 50],
        [600, 20],
        [650, 100],
        [680, 120],
        [720, 130],
        [730, 115],
        [765, 170],
        [800, 150],
        [820, 160],
        [855, 200],
        [900, 175],
        [930, 165],
        [990, 230],
        [1115, 320],
        [1115, 620],
        [100, 620],
    ];
    let holes: [&[[i32; 2]]; 9] = [
        &[[150, 120], [170, 120], [170, 550], [150, 550]],
        &[[380, 330], [420, 320], [450, 380], [350, 420]],
        &[[365, 450], [500, 500], [330, 500]],
        &[[300, 550], [700, 500], [800, 600], [300, 600]],
        &[[1000, 350], [1050, 550], [900, 600], [800, 300]],
        &[[500, 300], [600, 370], [550, 350]],
        &[[480, 250], [525, 240], [585, 275], [645, 240], [605, 290], [555, 310]],
        &[[450, 100], [550, 100], [700, 220], [680, 220]],
        &[
            [210, 150],
            [270, 450],
            [290, 120],
            [350, 300],
            [340, 420],
            [320, 480],
            [300, 530],
            [290, 500],
            [270, 550],
            [240, 535],
            [235, 500],
            [230, 470],
            [220, 460],
            [200, 445],
        ],
    ];
    map(&outline, &holes)
}

fn hall() -> Map {
    let outline = [[100, 100], [800, 100], [800, 600], [100, 600]];
    let holes: [&[[i32; 2]]; 7] = [
        &[[400, 300], [500, 300], [500, 400], [400, 400]],
        &[[250, 200], [350, 200], [250, 300]],
        &[[550, 200], [650, 200], [650, 300]],
        &[[650, 500], [550, 500], [650, 400]],
        &[[250, 400], [350, 500], [250, 500]],
        &[[160, 140], [740, 140], [740, 180], [160, 180]],
        &[[160, 560], [160, 520], [740, 520], [740, 560]],
    ];
    map(&outline, &holes)
}

/// A square of ground with `count` x `count` square obstacles, each turned a little; 4 corners each.
pub fn field_of_squares(count: u32) -> Map {
    let side = f64::from(count) * 10.0;
    let square = |at: u32| {
        let (column, row) = (at % count, at / count);
        let centre = [f64::from(column) * 10.0 + 5.0, f64::from(row) * 10.0 + 5.0];
        // A turn that differs from square to square, without sines.
        let lean = f64::from(at.wrapping_mul(2_654_435_761) >> 24) / 256.0 - 0.5;
        let corner = |x: f64, y: f64| [centre[0] + 2.0 * (x - lean * y), centre[1] + 2.0 * (y + lean * x)];
        let outline = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        Polygon { outline, holes: Vec::new() }
    };
    Map {
        outlines: vec![Polygon {
            outline: vec![[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]],
            holes: Vec::new(),
        }],
        obstacles: (0..count * count).map(square).collect(),
        areas: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navplane::{Settings, mesh};

    #[test]
    fn every_map_is_meshed() {
        for scene in ALL {
            let mesh = mesh(&(scene.map)(), &Settings::default()).unwrap();
            assert!(mesh.polygons.len() > 8, "{}", scene.name);
            assert!(by_name(scene.name).is_some());
        }
        assert!(by_name("nowhere").is_none());
    }

    #[test]
    fn a_field_has_all_its_squares() {
        let map = field_of_squares(5);
        assert_eq!(map.obstacles.len(), 25);
        let mesh = mesh(&map, &Settings::default()).unwrap();
        assert_eq!(mesh.vertices.len(), 104);
    }
}
