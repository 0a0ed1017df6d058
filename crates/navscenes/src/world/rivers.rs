//! The rivers of the world, and their bridges: functions of x and z alone.
//!
//! Rivers of two families wind along z and along x. A bed is level and so deep that the banks, a step of the
//! country wide, are too steep to walk on: only a bridge leads from bank to bank. The ground around a
//! bridge is level.

use crate::build::{Rect, rect};

/// Height of the beds, metres. The country is at most 4.7 m above or below 0.
pub const BED: f64 = -16.0;
/// Half the width of a bed across its course, metres.
const HALF_WIDTH: f64 = 10.0;
/// Half the width of a bridge.
const HALF_DECK: f64 = 3.0;
/// The ground is level within this distance from the middle of a bridge, and rises from there to `ROLLING`.
const LEVEL: f64 = 45.0;
const ROLLING: f64 = 70.0;
/// Windings of a course: metres from side to side, metres along the river, and the phase shift from each
/// river to the next, in turns.
const WINDINGS: [[f64; 3]; 2] = [[60.0, 900.0, 0.37], [30.0, 370.0, 0.71]];

/// Rivers in one direction.
struct Family {
    /// The axis that they wind along: 0 for x, 1 for z.
    along: usize,
    /// The place of the first river on the other axis, and the distance from each to the next.
    first: f64,
    pitch: f64,
    /// The place of the first bridge along each river, and the distance from each to the next.
    first_bridge: f64,
    bridge_pitch: f64,
}

/// Each bridge is halfway between two rivers of the other family, so that all land is connected.
const FAMILIES: [Family; 2] = [
    Family { along: 1, first: 620.0, pitch: 1750.0, first_bridge: 625.0, bridge_pitch: 1050.0 },
    Family { along: 0, first: 1150.0, pitch: 2100.0, first_bridge: 1495.0, bridge_pitch: 1750.0 },
];

impl Family {
    /// The number of the river that is nearest to a place.
    fn river(&self, place: [f64; 2]) -> f64 {
        ((place[1 - self.along] - self.first) / self.pitch).round().max(0.0)
    }

    /// The middle of a river, at a place along it.
    fn course(&self, river: f64, at: f64) -> f64 {
        let windings = WINDINGS.map(|[width, length, ahead]| {
            width * libm::sin((at / length + river * ahead) * std::f64::consts::TAU)
        });
        self.first + river * self.pitch + windings[0] + windings[1]
    }

    /// The distance from the course of the nearest river, across it.
    fn distance(&self, place: [f64; 2]) -> f64 {
        (place[1 - self.along] - self.course(self.river(place), place[self.along])).abs()
    }

    /// The middle of the bridge that is nearest to a place.
    fn bridge(&self, place: [f64; 2]) -> [f64; 2] {
        let number = ((place[self.along] - self.first_bridge) / self.bridge_pitch).round().max(0.0);
        let at = self.first_bridge + number * self.bridge_pitch;
        let across = self.course(self.river(place), at);
        if self.along == 1 { [across, at] } else { [at, across] }
    }

    /// The deck of a bridge, between corners of the country that are `step` apart.
    fn deck(&self, [x, z]: [f64; 2], step: f64) -> Rect {
        // A course runs aside by less than it runs along, and the banks are a step wide.
        let reach = HALF_WIDTH + 2.0 * step + HALF_DECK;
        let (dx, dz) = if self.along == 1 { (reach, HALF_DECK) } else { (HALF_DECK, reach) };
        rect((x - dx).round(), (z - dz).round(), (x + dx).round(), (z + dz).round())
    }
}

/// Returns true if a place is in the bed of a river.
pub(super) fn is_bed(x: f64, z: f64) -> bool {
    FAMILIES.iter().any(|family| family.distance([x, z]) <= HALF_WIDTH)
}

/// The share of the country's height that is left at a place: 0 around a bridge, 1 elsewhere.
pub(super) fn share(x: f64, z: f64) -> f64 {
    let share = |family: &Family| {
        let [bridge_x, bridge_z] = family.bridge([x, z]);
        let distance = ((x - bridge_x).powi(2) + (z - bridge_z).powi(2)).sqrt();
        ((distance - LEVEL) / (ROLLING - LEVEL)).clamp(0.0, 1.0)
    };
    FAMILIES.iter().map(share).fold(1.0, f64::min)
}

/// The decks of the bridges whose middles are in a square, `side` metres wide, of the country. `step` is the
/// distance between corners of the country.
pub(super) fn decks([left, near]: [f64; 2], side: f64, step: f64) -> impl Iterator<Item = Rect> {
    FAMILIES.iter().filter_map(move |family| {
        let [x, z] = family.bridge([left + side / 2.0, near + side / 2.0]);
        let is_inside = (left..left + side).contains(&x) && (near..near + side).contains(&z);
        is_inside.then(|| family.deck([x, z], step))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_river_of_eight_kilometres_has_bridges() {
        let chunks = (0..32).flat_map(|x| (0..32).map(move |z| [x, z].map(|at| f64::from(at) * 250.0)));
        let decks: Vec<Rect> = chunks.flat_map(|corner| decks(corner, 250.0, 5.0)).collect();
        // Five rivers along z with eight each; four along x with four.
        assert_eq!(decks.len(), 5 * 8 + 4 * 4);
        for Rect { min, max } in decks {
            let middle = [(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0];
            assert!(is_bed(middle[0], middle[1]));
            let crosses = |family: &&Family| family.distance(middle) <= HALF_WIDTH;
            assert_eq!(FAMILIES.iter().filter(crosses).count(), 1, "a bridge where rivers meet: {middle:?}");
            for end in [min, max] {
                assert!(!is_bed(end[0], end[1]) && share(end[0], end[1]) == 0.0, "{end:?}");
            }
        }
    }
}
