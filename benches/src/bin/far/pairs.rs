//! Random pairs: plans with few tiles loaded, and walks along them.

use crate::Failed;
use crate::agent::Agent;
use crate::spread::Spread;
use crate::world::{Spot, World};
use navscenes::random::SplitMix64;

/// The distances of pairs, as shares of the side of the world.
const SHARES: [f64; 2] = [0.625, 1.375];
/// Lengths are compared up to this share: costs are rounded up to 1/256 m.
pub(crate) const CLOSE: f64 = 1e-4;

/// A pair, and its plan.
pub(crate) struct Trip {
    pub(crate) ends: [Spot; 2],
    /// Lower and upper bound; `None` without a path.
    pub(crate) bounds: Option<[f64; 2]>,
    /// Seconds of planning.
    pub(crate) seconds: f64,
    /// The length of the walk, metres.
    pub(crate) walked: Option<f64>,
}

/// Pairs, and the measures of all of them.
pub(crate) struct Far {
    pub(crate) trips: Vec<Trip>,
    pub(crate) wrong: usize,
    planning: Spread,
    planning_with_stops: Spread,
    first_leg: Spread,
    distances: Spread,
    legs: Spread,
    walked_by_lower: Spread,
    walked_by_upper: Spread,
    upper_by_lower: Spread,
    most_tiles: usize,
}

/// Measures random pairs.
pub(crate) fn measure(world: &World, pairs: usize) -> Result<Far, Failed> {
    let mut random = SplitMix64::new(7);
    let mut agent = Agent::new(world)?;
    let mut far = Far {
        trips: Vec::new(),
        wrong: 0,
        planning: Spread::default(),
        planning_with_stops: Spread::default(),
        first_leg: Spread::default(),
        distances: Spread::default(),
        legs: Spread::default(),
        walked_by_lower: Spread::default(),
        walked_by_upper: Spread::default(),
        upper_by_lower: Spread::default(),
        most_tiles: 0,
    };
    while far.trips.len() < pairs {
        let ends = [world.spot(&mut random)?, world.spot(&mut random)?];
        let distance = ends[0].distance(&ends[1]);
        if !(SHARES[0] * world.side..=SHARES[1] * world.side).contains(&distance) {
            continue;
        }
        let planned = agent.plan(ends.each_ref())?;
        far.planning.add(planned.plan_seconds);
        far.planning_with_stops.add(planned.seconds);
        let mut trip = Trip { ends, bounds: None, seconds: planned.seconds, walked: None };
        if let Some(path) = planned.path {
            trip.bounds = Some([path.lower, path.upper]);
            far.distances.add(distance);
            far.legs.add(planned.stops.len() as f64 - 1.0);
            match agent.walk(&planned.stops, trip.ends.each_ref())? {
                Some(walked) => {
                    trip.walked = Some(walked.length);
                    far.first_leg.add(walked.first_leg);
                    far.add_walk(&trip, [path.lower, walked.length, path.upper]);
                }
                None => far.report(&trip, "no path to one of its stops"),
            }
        }
        far.trips.push(trip);
    }
    far.most_tiles = agent.most_tiles;
    Ok(far)
}

impl Far {
    /// Adds the length of a walk and the bounds of its plan.
    fn add_walk(&mut self, trip: &Trip, [lower, walked, upper]: [f64; 3]) {
        self.walked_by_lower.add(walked / lower);
        self.walked_by_upper.add(walked / upper);
        self.upper_by_lower.add(upper / lower);
        if walked < lower * (1.0 - CLOSE) - CLOSE {
            self.report(trip, &format!("a walk of {walked} m, and a lower bound of {lower} m"));
        }
    }

    fn report(&mut self, trip: &Trip, problem: &str) {
        self.wrong += 1;
        let [start, goal] = trip.ends.map(|end| end.point);
        println!("WRONG: {problem}: from {start:?} to {goal:?}");
    }

    pub(crate) fn print(&self) {
        let found = self.distances.count();
        println!(
            "pairs                  {}, {found} with a path; mean distance {:.2} km, largest {:.2} km",
            self.trips.len(),
            self.distances.mean() / 1e3,
            self.distances.quantile(1.0) / 1e3
        );
        println!("most tiles loaded      {}", self.most_tiles);
        println!("legs                   mean {:.0}", self.legs.mean());
        println!("plan                   {}", self.planning.milliseconds());
        println!("plan and stops         {}", self.planning_with_stops.milliseconds());
        println!("polygons of first leg  {}", self.first_leg.milliseconds());
        println!("walked over lower      {}", self.walked_by_lower.ratio());
        println!("walked over upper      {}", self.walked_by_upper.ratio());
        println!("upper over lower       {}", self.upper_by_lower.ratio());
    }
}
