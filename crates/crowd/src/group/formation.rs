//! Formations of a group: the position of each follower's slot relative to the leader.

use glam::Vec2;
use navmath::sort::SharedSort;

/// The formation of a group. Neighbours are the group's spacing apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Formation {
    /// Side by side, the leader in the middle.
    Line,
    /// In single file.
    #[default]
    Column,
    /// A wedge with the leader at its tip.
    Wedge,
    /// Rows of equal length, about as long as the number of rows; the leader in the middle of the first row.
    Box,
    /// Custom slots, metres from the leader: to the right of its direction, and along it. Followers without a
    /// slot walk in a column.
    Own(Vec<Vec2>),
}

impl Formation {
    /// Writes the slots of this many followers, to the right of the leader's direction and along it. The
    /// nearest to the leader comes first, and ties keep their order.
    pub(crate) fn lay_out(&self, followers: usize, spacing: f32, slots: &mut Vec<Vec2>) {
        slots.clear();
        // To the right, to the left, and farther out in turn.
        let side = |number: usize| {
            let out = number.div_ceil(2) as f32;
            if number % 2 == 1 { out } else { -out }
        };
        let numbers = 1..=followers;
        match self {
            Formation::Line => slots.extend(numbers.map(|number| Vec2::new(side(number), 0.0) * spacing)),
            Formation::Column => {
                slots.extend(numbers.map(|number| Vec2::new(0.0, -(number as f32)) * spacing))
            }
            Formation::Wedge => {
                slots.extend(numbers.map(|number| Vec2::new(side(number), -side(number).abs()) * spacing));
            }
            Formation::Box => {
                let width = (1..).find(|width| width * width > followers).unwrap_or(1);
                slots.extend(numbers.map(|number| {
                    let (row, column) = (number / width, number % width);
                    Vec2::new(side(column), -(row as f32)) * spacing
                }));
            }
            Formation::Own(own) => slots.extend(own.iter().take(followers)),
        }
        // Stable, so that slots at the same distance keep their order.
        slots.shared_sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots seen from above, with the leader facing up: `L` for the leader, the numbers of the slots around
    /// it.
    fn drawn(formation: &Formation, followers: usize) -> String {
        let mut slots = Vec::new();
        formation.lay_out(followers, 1.0, &mut slots);
        let row = |y: i32| {
            let cell = |x: i32| {
                let at = slots.iter().position(|slot| *slot == Vec2::new(x as f32, y as f32));
                if (x, y) == (0, 0) { 'L' } else { at.map_or('.', |at| (b'1' + at as u8) as char) }
            };
            (-2..=2).map(cell).collect::<String>()
        };
        (-3..=0).rev().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn forms_as_seen_from_above() {
        assert_eq!(drawn(&Formation::Line, 4), "42L13 ..... ..... .....");
        assert_eq!(drawn(&Formation::Column, 3), "..L.. ..1.. ..2.. ..3..");
        assert_eq!(drawn(&Formation::Wedge, 4), "..L.. .2.1. 4...3 .....");
        assert_eq!(drawn(&Formation::Box, 8), ".2L1. .534. .867. .....");
        let own = Formation::Own(vec![Vec2::new(0.0, -2.0), Vec2::new(1.0, 0.0)]);
        assert_eq!(drawn(&own, 5), "..L1. ..... ..2.. .....");
    }
}
