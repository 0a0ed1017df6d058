//! `cargo xtask rooms`: bakes rooms that are turned by many angles, at several places on the lattice, and
//! prints how far the borders of their meshes are from the true ones.

use crate::{Error, Outcome};
use navscenes::rooms::{Border, BorderErrors, Rooms, Shape};
use rayon::prelude::*;
use recast::{Outlines, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// Turns of the rooms, degrees.
const TURNS: [f64; 11] = [0.0, 10.0, 20.0, 30.0, 37.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0];
/// Places on the lattice, parts of a cell.
const PLACES: [[f64; 2]; 4] = [[0.0, 0.0], [0.25, 0.5], [0.5, 0.75], [0.75, 0.25]];
/// Widths of doorways beyond the agent's own, metres. Doorways below 0 are closed.
const OPEN: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8];
const CLOSED: [f64; 2] = [-0.05, -0.02];

#[derive(Debug, clap::Args)]
pub(crate) struct RoomsArgs {
    /// Radius of the agent and width of a cell, metres; may be given several times
    #[arg(long = "agent", value_name = "RADIUS/CELL", value_parser = agent,
          default_values = ["0.6/0.3", "0.6/0.2", "0.3/0.15"])]
    agents: Vec<[f64; 2]>,
    /// The course of the borders: cells or exact
    #[arg(long, value_parser = outlines, default_value = "cells")]
    outlines: Outlines,
    /// A row for each angle too
    #[arg(long)]
    angles: bool,
}

fn agent(text: &str) -> Result<[f64; 2], String> {
    let number = |part: &str| part.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    let pair = text.split_once('/').and_then(|(radius, cell)| Some([number(radius)?, number(cell)?]));
    pair.ok_or_else(|| format!("`{text}` is no pair of numbers above 0, such as 0.6/0.3"))
}

fn outlines(text: &str) -> Result<Outlines, String> {
    let known = Outlines::NAMES.iter().find(|(name, _)| *name == text);
    known.map(|(_, outlines)| *outlines).ok_or_else(|| format!("`{text}` is neither `cells` nor `exact`"))
}

impl RoomsArgs {
    fn settings(&self, [agent_radius, cell_size]: [f64; 2]) -> Settings {
        Settings { agent_radius, cell_size, outlines: self.outlines, ..Settings::default() }
    }
}

/// Rooms of one kind, baked at all angles and places.
struct Family {
    name: &'static str,
    border: Border,
    /// Shapes by the width beyond the agent's own, if they have one.
    shapes: Vec<(Option<f64>, Shape)>,
}

fn families(radius: f64) -> Vec<Family> {
    let doorways = |widths: &[f64]| {
        widths.iter().map(|&width| (Some(width), Shape::Doorway(2.0 * radius + width))).collect::<Vec<_>>()
    };
    let wide = || [0.8, 1.6].map(|width| (Some(width), Shape::Corridor(2.0 * radius + width))).to_vec();
    let pillars = || vec![(None, Shape::Pillars)];
    let family = |name, border, shapes| Family { name, border, shapes };
    let (thick, thin) = (Border::Walls(0.3), Border::Walls(0.05));
    vec![
        family("doorway, walls of 0.3 m", thick, doorways(&OPEN)),
        family("closed, walls of 0.3 m", thick, doorways(&CLOSED)),
        family("doorway, walls of 5 cm", thin, doorways(&OPEN)),
        family("closed, walls of 5 cm", thin, doorways(&CLOSED)),
        family("doorway, ledges", Border::Ledges, doorways(&OPEN)),
        family("corridor, walls of 0.3 m", thick, wide()),
        family("corridor, ledges", Border::Ledges, wide()),
        family("pillars, walls of 0.3 m", thick, pillars()),
        family("pillars, ledges", Border::Ledges, pillars()),
    ]
}

/// Bakes and measures all families.
pub(crate) fn run(call: &RoomsArgs) -> Outcome {
    for &[radius, cell] in &call.agents {
        let settings = call.settings([radius, cell]);
        println!("\nRadius {radius} m, cells of {cell} m:\n\n{HEAD}");
        for family in families(radius) {
            let mut all = Vec::new();
            for &(width, shape) in &family.shapes {
                let measured = measure(shape, family.border, &settings)?;
                let width = width.map_or(String::new(), |width| format!("{width:+}"));
                print_row(family.name, &width, &BorderErrors::sum(measured.iter().map(|one| one.1.clone())));
                all.extend(measured);
            }
            if family.shapes.len() > 1 {
                print_row(family.name, "all", &BorderErrors::sum(all.iter().map(|one| one.1.clone())));
            }
            for turn in TURNS.iter().filter(|_| call.angles) {
                let turned = all.iter().filter(|one| one.0 == *turn).map(|one| one.1.clone());
                print_row(family.name, &format!("{turn}°"), &BorderErrors::sum(turned));
            }
        }
    }
    println!("{LEGEND}");
    Ok(true)
}

/// The measures of one shape, each with its turn.
fn measure(shape: Shape, border: Border, settings: &Settings) -> Result<Vec<(f64, BorderErrors)>, Error> {
    let cases: Vec<_> = TURNS.iter().flat_map(|&turn| PLACES.map(|place| (turn, place))).collect();
    let measured = cases.into_par_iter().map(|(turn, place)| {
        let rooms = Rooms::new(shape, border, turn);
        let level = PreparedLevel::new(&rooms.level, &rooms.placed(settings, place))?;
        let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;
        Ok((turn, BorderErrors::measure(&rooms, settings.agent_radius, &[baked.tile])))
    });
    measured.collect()
}

const HEAD: &str = "\
| rooms | 2r + | open | mean | p99 | max | inwards | too near | nearest | corner | wall edges | polygons |
|---|---|---|---|---|---|---|---|---|---|---|---|";
const LEGEND: &str = "
Metres from the true border, sampled every 2 cm. open: meshes that connect both rooms. inwards: the part of the
mean on the side away from walls. too near: samples nearer to a wall than the radius by more than 1 mm.
nearest: the smallest clearance, less the radius. corner: the largest distance of a corner of the true border
from the mesh's. Wall edges and polygons: mean of all meshes.";

fn print_row(name: &str, width: &str, sum: &BorderErrors) {
    let each = |count: usize| count as f64 / sum.meshes as f64;
    println!(
        "| {name} | {width} | {}/{} | {:.4} | {:.3} | {:.3} | {:.4} | {:.1} % | {:+.3} | {:.3} | {:.1} | {:.1} |",
        sum.open,
        sum.meshes,
        sum.mean(),
        sum.within(0.99),
        sum.within(1.0),
        sum.inwards(),
        100.0 * sum.too_near(),
        sum.nearest,
        sum.corner,
        each(sum.wall_edges),
        each(sum.polygons),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_read() {
        assert_eq!(agent("0.6/0.3"), Ok([0.6, 0.3]));
        for wrong in ["0.6", "0.6/0", "a/b", "-1/0.3", "inf/1"] {
            assert!(agent(wrong).unwrap_err().contains("no pair"), "{wrong}");
        }
    }
}
