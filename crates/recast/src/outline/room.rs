//! Finds out for explanations why an agent has no room at a place, by the lines and the rules of `keep`.
//! Cost: that of finding and spreading the lines of the tile.

use super::find::find;
use super::keep::{Near, Params};
use super::lines::WallLine;
use super::reach::{Middles, known_lines};
use super::vector::{Plan, add, length, scale, sub};
use crate::data::CompactField;
use crate::data::compact::state::Compacted;
use crate::source::Source;
use navtile::area::AreaId;

/// The reason for which an agent has no room. Cells, from the zero of the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoRoom {
    /// A wall line is nearer than the radius.
    Wall {
        /// From the place to the line.
        distance: f64,
        /// The nearest place of the line.
        place: [f64; 2],
    },
    /// A gap between two wall lines, over the cell of the place, is narrower than the agent.
    Gap {
        /// Half its width: the largest radius that gets through.
        radius: f64,
        /// Its middle.
        place: [f64; 2],
    },
}

/// The reason for which an agent has no room at a place, on each of some floors of the cell that contains it;
/// `None` if it has room.
pub fn no_room(
    (field, source, areas): (&CompactField<Compacted>, Source<'_>, &[AreaId]),
    params: &Params,
    place: Plan,
    floors: &[usize],
) -> Vec<Option<NoRoom>> {
    let found = find(field, source, areas);
    let known = known_lines(field, &Middles::new(field), &found, params.radius, floors);
    let at = |listed: &Vec<u32>| Floor { lines: &found.lines, listed }.no_room(params, place);
    known.iter().map(at).collect()
}

/// A floor, and the lines that it knows.
struct Floor<'a> {
    lines: &'a [WallLine],
    listed: &'a [u32],
}

impl Floor<'_> {
    fn no_room(&self, params: &Params, place: Plan) -> Option<NoRoom> {
        let is_near = |wall: &(f64, Plan)| wall.0 < params.radius;
        let wall = |(distance, place)| NoRoom::Wall { distance, place };
        if let Some(near) = self.nearest(place).filter(is_near) {
            return Some(wall(near));
        }
        let middle = place.map(|at| at.floor() + 0.5);
        let mut near = Near::new(params);
        if near.collect(middle, self.lines, self.listed).is_kept() {
            return None;
        }
        if let Some([from, to]) = near.gap() {
            let across = length(sub(to, from));
            return Some(NoRoom::Gap { radius: 0.5 * across, place: scale(add(from, to), 0.5) });
        }
        // Ground inside of the cell counts only if it reaches a side.
        self.nearest(to_side(place, middle)).map(wall)
    }

    /// The nearest place of a line, and its distance.
    fn nearest(&self, place: Plan) -> Option<(f64, Plan)> {
        let to = |&line: &u32| self.lines[line as usize].segment.nearest(place);
        let nearest = self.listed.iter().map(to).min_by(|one, two| one.squared.total_cmp(&two.squared))?;
        Some((nearest.squared.sqrt(), nearest.place))
    }
}

/// The place on the sides of a cell that is nearest to a place in it.
fn to_side(place: Plan, middle: Plan) -> Plan {
    let [x, z] = [0, 1].map(|axis| (place[axis] - middle[axis]).abs());
    let axis = usize::from(z > x);
    let mut side = place;
    side[axis] = middle[axis] + 0.5f64.copysign(place[axis] - middle[axis]);
    side
}
