//! The border of meshes, compared with the true line at the agent's radius from walls and ledges, in rooms
//! that are turned against the lattice.

use navlevel::bake_tiles;
use navscenes::rooms::{Border, BorderErrors, Rooms, Shape};
use recast::{Baked, Outlines, PreparedLevel, Scratch, Settings, Silent, bake_solo};

const TURNS: [f64; 4] = [0.0, 20.0, 37.0, 70.0];
const PLACES: [[f64; 2]; 2] = [[0.0, 0.0], [0.5, 0.75]];

/// All meshes of a shape, each in one piece.
fn measure(shape: Shape, border: Border, settings: &Settings) -> BorderErrors {
    let solo = |level: &PreparedLevel| vec![bake_solo(level, &Silent, &mut Scratch::new()).unwrap()];
    measure_baked(shape, border, settings, solo)
}

fn measure_baked(
    shape: Shape,
    border: Border,
    settings: &Settings,
    bake: impl Fn(&PreparedLevel) -> Vec<Baked>,
) -> BorderErrors {
    let bake = &bake;
    BorderErrors::sum(TURNS.iter().flat_map(|&turn| {
        PLACES.map(move |place| {
            let rooms = Rooms::new(shape, border, turn);
            let level = PreparedLevel::new(&rooms.level, &rooms.placed(settings, place)).unwrap();
            let tiles: Vec<_> = bake(&level).into_iter().map(|baked| baked.tile).collect();
            BorderErrors::measure(&rooms, settings.agent_radius, &tiles)
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

const EXACT: [(f64, f64); 2] = [(0.6, 0.3), (0.3, 0.15)];

fn exact_settings((agent_radius, cell_size): (f64, f64)) -> Settings {
    Settings { agent_radius, cell_size, outlines: Outlines::Exact, ..Settings::default() }
}

#[test]
fn exact_borders_are_at_the_radius() {
    for settings in EXACT.map(exact_settings) {
        let width = 2.0 * settings.agent_radius + 0.02;
        for border in [Border::Walls(0.3), Border::Walls(0.05), Border::Ledges] {
            let sum = measure(Shape::Doorway(width), border, &settings);
            assert_eq!((sum.open, sum.meshes), (8, 8), "{border:?}");
            let [mean, most, worst] = [sum.mean(), sum.within(0.99), sum.within(1.0)];
            assert!(mean < 0.002 && most < 0.05 && worst < 0.06, "{border:?}: {mean}, {most}, {worst}");
            assert!(sum.nearest > -0.002 && sum.corner < 0.01, "{border:?}: {} {}", sum.nearest, sum.corner);
            let sum = measure(Shape::Doorway(width - 0.04), border, &settings);
            assert_eq!((sum.open, sum.meshes), (0, 8), "{border:?}");
        }
    }
}

#[test]
fn exact_borders_are_at_the_radius_in_tiles() {
    for settings in EXACT.map(exact_settings) {
        let width = 2.0 * settings.agent_radius + 0.02;
        for (shape, border) in [
            (Shape::Doorway(width), Border::Walls(0.3)),
            (Shape::Doorway(width), Border::Ledges),
            (Shape::Pillars, Border::Walls(0.3)),
        ] {
            let sum =
                measure_baked(shape, border, &settings, |level| bake_tiles(level, 13, &Silent).unwrap());
            assert_eq!((sum.open, sum.meshes), (8, 8), "{shape:?} {border:?}");
            let [mean, most, worst] = [sum.mean(), sum.within(0.99), sum.within(1.0)];
            assert!(
                mean < 0.01 && most < 0.07,
                "{shape:?} {border:?}: {mean}, {most}, {worst}, {}",
                sum.nearest
            );
            assert!(worst < 0.4, "{shape:?} {border:?}: {worst} {}", sum.nearest);
        }
    }
}
