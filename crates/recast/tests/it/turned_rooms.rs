//! The border of meshes, compared with the true line at the agent's radius from walls and ledges, in rooms
//! that are turned against the lattice.

use navscenes::rooms::{Border, BorderErrors, Rooms, Shape};
use recast::{PreparedLevel, Scratch, Settings, Silent, bake_solo};

const TURNS: [f64; 4] = [0.0, 20.0, 37.0, 70.0];
const PLACES: [[f64; 2]; 2] = [[0.0, 0.0], [0.5, 0.75]];

/// All meshes of a shape.
fn measure(shape: Shape, border: Border, settings: &Settings) -> BorderErrors {
    BorderErrors::sum(TURNS.iter().flat_map(|&turn| {
        PLACES.map(|place| {
            let rooms = Rooms::new(shape, border, turn);
            let level = PreparedLevel::new(&rooms.level, &rooms.placed(settings, place)).unwrap();
            let tile = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile;
            BorderErrors::measure(&rooms, settings.agent_radius, &[tile])
        })
    }))
}

#[test]
fn borders_of_cells_are_within_two_cells() {
    let (radius, cell) = (0.3, 0.15);
    let settings = Settings { agent_radius: radius, cell_size: cell, ..Settings::default() };
    for border in [Border::Walls(0.3), Border::Walls(0.05), Border::Ledges] {
        for shape in [Shape::Doorway(2.0 * radius + 0.8), Shape::Corridor(2.0 * radius + 0.8), Shape::Pillars]
        {
            let sum = measure(shape, border, &settings);
            assert_eq!((sum.open, sum.meshes), (8, 8), "{shape:?}, {border:?}");
            let (mean, worst) = (sum.mean(), sum.within(1.0));
            assert!(mean < cell && worst < 2.5 * cell, "{shape:?}, {border:?}: mean {mean}, worst {worst}");
            assert!(sum.nearest > -2.0 * cell && sum.corner < 4.0 * cell, "{shape:?}, {border:?}");
        }
    }
}

#[test]
fn a_doorway_narrower_than_the_agent_is_closed() {
    let (radius, cell) = (0.3, 0.15);
    let settings = Settings { agent_radius: radius, cell_size: cell, ..Settings::default() };
    for border in [Border::Walls(0.3), Border::Walls(0.05), Border::Ledges] {
        let sum = measure(Shape::Doorway(2.0 * radius - 0.02), border, &settings);
        assert_eq!((sum.open, sum.meshes), (0, 8), "{border:?}");
    }
}
