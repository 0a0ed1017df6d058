//! The whole world in memory, and the exact answers on it.

use crate::Failed;
use crate::flood::Flood;
use crate::pairs::{CLOSE, Trip};
use crate::spread::Spread;
use crate::world::World;
use detour::{
    NavMesh, Optimality, Passable, Path, PathOptions, PathStatus, Place, PolyRef, Query, ShortestPath,
};
use hierarchy::{FarPlace, FarPlanner};
use navscenes::random::SplitMix64;
use std::num::NonZeroU32;
use std::time::Instant;

/// Nodes of searches over the whole world: 5 GB of them.
pub(crate) const MOST_NODES: NonZeroU32 = NonZeroU32::new(1 << 25).expect("not zero");

/// All tiles of a world.
pub(crate) struct Whole {
    pub(crate) mesh: NavMesh,
    polygons: Vec<PolyRef>,
}

impl Whole {
    pub(crate) fn load(world: &World) -> Result<Whole, Failed> {
        let start = Instant::now();
        let mut mesh = NavMesh::new(world.middle)?;
        let entries = world.store.entries();
        let take = |row: usize| -> Result<_, Failure> {
            Ok(world.store.tile(entries[row].coord()).ok_or("a row that the file does not have")??)
        };
        mesh.add_tiles_from(entries.len(), take).map_err(|error| error.to_string())?;
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        println!("polygons               {}", polygons.len());
        println!("loading all tiles      {:.1} s", start.elapsed().as_secs_f64());
        Ok(Whole { mesh, polygons })
    }

    /// Compares the plans of pairs with the components of the world, and with plans between the same places
    /// on the whole mesh. Returns the number of wrong ones.
    pub(crate) fn check_pairs(&self, world: &World, trips: &[Trip]) -> Result<usize, Failed> {
        let mut flood = Flood::new(&self.mesh, world.filter());
        let components = flood.components()?;
        println!("components             {components}");
        let (mut planner, mut wrong) = (FarPlanner::new(), 0);
        for Trip { ends, bounds, .. } in trips {
            let [start, goal] = [ends[0].on(&self.mesh)?, ends[1].on(&self.mesh)?];
            let is_there = flood.joins([start, goal]);
            wrong += self.judge([start, goal], bounds.is_some(), is_there);
            let plan = planner.plan(&world.hierarchy, 0, start, goal)?;
            if plan.map(|plan| [plan.lower, plan.upper]) != *bounds {
                wrong += 1;
                println!("WRONG: another plan if more tiles are loaded: {:?}", ends.map(|end| end.point));
            }
        }
        Ok(wrong)
    }

    /// Compares the first pairs with a path with the paths that searches find over the whole world: the first
    /// `near` with `find_path`, whose paths may be a little longer than the shortest, and the first `exact`
    /// with `shortest_path`. Returns the number of wrong bounds.
    pub(crate) fn compare(
        &self,
        world: &World,
        trips: &[Trip],
        [near, exact]: [usize; 2],
    ) -> Result<usize, Failed> {
        let mut wrong = 0;
        let mut query = Query::with_max_nodes(MOST_NODES);
        let searches: [(&str, usize, Search, bool); 2] =
            [("find_path", near, find_near, false), ("shortest_path", exact, find_shortest, true)];
        for (name, count, search, is_shortest) in searches {
            let mut ratios = Ratios { is_shortest, ..Ratios::default() };
            let found = trips.iter().filter(|trip| trip.walked.is_some());
            for trip in found.take(count) {
                let ends = [trip.ends[0].on(&self.mesh)?, trip.ends[1].on(&self.mesh)?];
                let begin = Instant::now();
                let length = search(&mut query, world, ends)?;
                ratios.add(trip, length, begin.elapsed().as_secs_f64());
            }
            ratios.print(name);
            wrong += ratios.wrong;
        }
        Ok(wrong)
    }

    /// Compares plans between random polygons with the components. Returns the number of wrong ones.
    pub(crate) fn check_reach(&self, world: &World, pairs: usize) -> Result<usize, Failed> {
        let mut flood = Flood::new(&self.mesh, world.filter());
        flood.components()?;
        let (mut planner, mut random) = (FarPlanner::new(), SplitMix64::new(11));
        let (mut wrong, mut connected, mut seconds) = (0, 0, Spread::default());
        for _ in 0..pairs {
            let ends = [self.place(&mut random)?, self.place(&mut random)?];
            let begin = Instant::now();
            let is_found = planner.plan(&world.hierarchy, 0, ends[0], ends[1])?.is_some();
            seconds.add(begin.elapsed().as_secs_f64());
            let is_there = flood.joins(ends);
            connected += usize::from(is_there);
            wrong += self.judge(ends, is_found, is_there);
        }
        println!("reachability           {pairs} pairs, {connected} connected; {wrong} wrong");
        println!("  plans                {}", seconds.milliseconds());
        Ok(wrong)
    }

    /// Returns 1 and prints the pair if an answer is wrong.
    pub(crate) fn judge(&self, ends: [FarPlace<'_>; 2], is_found: bool, is_there: bool) -> usize {
        if is_found != is_there {
            let ends = ends.map(|end| self.mesh.to_world(end.place.point));
            println!("WRONG: {}: {ends:?}", found_wrongly(is_there));
        }
        usize::from(is_found != is_there)
    }

    /// The middle of a random polygon.
    pub(crate) fn place(&self, random: &mut SplitMix64) -> Result<FarPlace<'_>, Failed> {
        let polygon = self.polygons[random.below(self.polygons.len())];
        let corners = self.mesh.corners(polygon)?;
        let count = corners.len() as f32;
        let point = corners.sum::<detour::Vec3>() / count;
        Ok(FarPlace { mesh: &self.mesh, place: Place { polygon, point } })
    }
}

/// The failure of a thread that loads tiles.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn found_wrongly(is_there: bool) -> &'static str {
    if is_there { "a path that was not found" } else { "a plan without a path" }
}

/// A search over the whole world: the length of the path; `None` if the query has too few nodes.
type Search = fn(&mut Query, &World, [FarPlace<'_>; 2]) -> Result<Option<f64>, Failed>;

fn find_near(
    query: &mut Query,
    world: &World,
    [start, goal]: [FarPlace<'_>; 2],
) -> Result<Option<f64>, Failed> {
    let (mut path, options) = (Path::default(), PathOptions { optimality: Optimality::Near });
    query.find_path(start.mesh, start.place, goal.place, world.filter(), &options, &mut path)?;
    Ok((path.status == PathStatus::Complete).then_some(path.cost))
}

pub(crate) fn find_shortest(
    query: &mut Query,
    world: &World,
    [start, goal]: [FarPlace<'_>; 2],
) -> Result<Option<f64>, Failed> {
    let (mut shortest, passable) = (ShortestPath::default(), Passable::of(world.filter()));
    query.shortest_path(start.mesh, start.place, goal.place, &passable, &mut shortest)?;
    Ok((shortest.status == PathStatus::Complete).then_some(shortest.length_from_above))
}

/// Returns true if bounds hold a length.
pub(crate) fn holds([lower, upper]: [f64; 2], length: f64) -> bool {
    let at_most = |one: f64, other: f64| one <= other * (1.0 + CLOSE) + CLOSE;
    at_most(lower, length) && at_most(length, upper)
}

/// Bounds and walks against the lengths of one search.
#[derive(Default)]
struct Ratios {
    /// True if the lengths are the least possible, so that upper bounds are not less.
    is_shortest: bool,
    walked: Spread,
    upper: Spread,
    lower: Spread,
    seconds: Spread,
    /// Seconds of the search over those of the plan.
    factors: Spread,
    too_large: usize,
    wrong: usize,
}

impl Ratios {
    fn add(&mut self, trip: &Trip, length: Option<f64>, seconds: f64) {
        let (Some([lower, upper]), Some(walked)) = (trip.bounds, trip.walked) else { return };
        let Some(length) = length else {
            self.too_large += 1;
            return;
        };
        self.seconds.add(seconds);
        self.factors.add(seconds / trip.seconds);
        self.walked.add(walked / length);
        self.upper.add(upper / length);
        self.lower.add(lower / length);
        if !holds([lower, if self.is_shortest { upper } else { f64::INFINITY }], length) {
            self.wrong += 1;
            let ends = trip.ends.map(|end| end.point);
            println!("WRONG: {lower} <= {length} <= {upper}, walked {walked}: {ends:?}");
        }
    }

    fn print(&self, name: &str) {
        println!("{name:<22} {} pairs, {} too large", self.seconds.count(), self.too_large);
        if self.seconds.count() > 0 {
            println!("  time                 {}", self.seconds.milliseconds());
            let [half, most] = [0.5, 0.99].map(|share| self.factors.quantile(share));
            let sum = self.factors.mean();
            println!("  over plan and stops  p50 {half:.0}, p99 {most:.0}, mean {sum:.0}");
            println!("  walked over it       {}", self.walked.ratio());
            println!("  upper over it        {}", self.upper.ratio());
            println!("  lower over it        {}", self.lower.ratio());
        }
    }
}
