//! The worst places of a measure, a single one for each spot.

/// A place and its badness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Badness; larger is worse.
    pub value: f64,
    /// Cells from the lattice's zero.
    pub cells: [f64; 3],
}

/// Number of spots that are named.
pub const NAMED: usize = 3;
/// A place within this many cells of a worse place belongs to the same spot.
const SAME_SPOT: f64 = 12.0;

/// The worst places, worst first, without further places of the same spot. Ties keep the order of places.
pub fn worst(mut spots: Vec<Spot>) -> Vec<Spot> {
    let order = |a: &Spot, b: &Spot| {
        let places = a.cells.iter().zip(&b.cells);
        places.fold(b.value.total_cmp(&a.value), |known, (a, b)| known.then(a.total_cmp(b)))
    };
    spots.sort_by(order);
    let mut named: Vec<Spot> = Vec::new();
    for spot in spots {
        let near = |other: &Spot| other.cells.iter().zip(&spot.cells).all(|(a, b)| (a - b).abs() < SAME_SPOT);
        if !named.iter().any(near) {
            named.push(spot);
            if named.len() == NAMED {
                break;
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_named_once() {
        let spot = |value: f64, x: f64| Spot { value, cells: [x, 0.0, 0.0] };
        let all = vec![spot(1.0, 0.0), spot(3.0, 5.0), spot(2.0, 40.0), spot(0.5, 80.0), spot(0.4, 120.0)];
        assert_eq!(worst(all), [spot(3.0, 5.0), spot(2.0, 40.0), spot(0.5, 80.0)]);
    }
}
