//! Placement of a map in the world: the directions of its axes, and the height of each layer.

use super::FlatLayer;

/// A direction on the ground of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards larger x.
    PlusX,
    /// Towards smaller x.
    MinusX,
    /// Towards larger z.
    PlusZ,
    /// Towards smaller z.
    MinusZ,
}

impl Direction {
    /// The directions by their names in settings.
    pub const NAMES: [(&'static str, Direction); 6] = [
        ("x", Direction::PlusX),
        ("-x", Direction::MinusX),
        ("z", Direction::PlusZ),
        ("-z", Direction::MinusZ),
        ("+x", Direction::PlusX),
        ("+z", Direction::PlusZ),
    ];

    /// 0 for x, 1 for z; and the sign.
    fn parts(self) -> (usize, f64) {
        match self {
            Direction::PlusX => (0, 1.0),
            Direction::MinusX => (0, -1.0),
            Direction::PlusZ => (1, 1.0),
            Direction::MinusZ => (1, -1.0),
        }
    }

    /// Returns true if two directions are on the same axis.
    pub fn is_along(self, other: Direction) -> bool {
        self.parts().0 == other.parts().0
    }
}

/// Placement of maps in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSettings {
    /// World direction of a map's x. Default: towards larger x.
    pub x: Direction,
    /// World direction of a map's y, on the other axis. Default: towards smaller z, so that a map seen from
    /// above looks as drawn.
    pub y: Direction,
    /// Height of the ground, metres, within 1,000,000 of 0. Default 0.
    pub height: f64,
    /// Spacing of the grid that corners are snapped to, metres, greater than 0. Default: derived from the
    /// size of the map.
    pub spacing: Option<f64>,
    /// Heights of layers that differ from `height`, by the number of the layer, metres.
    pub layers: Vec<(i32, f64)>,
}

impl Default for MapSettings {
    fn default() -> MapSettings {
        MapSettings {
            x: Direction::PlusX,
            y: Direction::MinusZ,
            height: 0.0,
            spacing: None,
            layers: Vec::new(),
        }
    }
}

impl MapSettings {
    /// Height of a layer, metres.
    pub fn height_of(&self, layer: i32) -> f64 {
        self.layers.iter().find(|(number, _)| *number == layer).map_or(self.height, |(_, height)| *height)
    }

    /// World x and z of a point of a map.
    pub fn to_world(&self, point: [f64; 2]) -> [f64; 2] {
        let mut world = [0.0; 2];
        for (direction, value) in [(self.x, point[0]), (self.y, point[1])] {
            let (axis, sign) = direction.parts();
            world[axis] = sign * value;
        }
        world
    }
}

impl FlatLayer {
    /// Turns the map so that its x is the world's x, and its y points towards the world's smaller z, as
    /// [`navplane`] expects.
    pub fn turn(&mut self, settings: &MapSettings) {
        let plain = MapSettings::default();
        if (settings.x, settings.y) != (plain.x, plain.y) {
            self.for_each_point(|point| {
                let [x, z] = settings.to_world(*point);
                *point = [x, -z];
            });
        }
    }
}
