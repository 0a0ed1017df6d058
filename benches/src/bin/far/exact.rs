//! The whole world in memory, and the exact answers on it.

use crate::Failed;
use crate::flood::Flood;
use crate::pairs::{CLOSE, Trip};
use crate::spread::Spread;
use crate::world::World;
use detour::{NavMesh, Passable, PathStatus, Place, PolyRef, Query, ShortestPath};
use hierarchy::{FarPlace, FarPlanner};
use navscenes::random::SplitMix64;
use std::num::NonZeroU32;
use std::time::Instant;

/// Nodes of the searches for shortest paths.
const MOST_NODES: NonZeroU32 = NonZeroU32::new(1 << 26).expect("not zero");

/// All tiles of a world.
pub(crate) struct Whole {
    mesh: NavMesh,
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

    /// Compares the first pairs with a path with their shortest paths. Returns the number of wrong bounds.
    pub(crate) fn compare(&self, world: &World, trips: &[Trip], exact: usize) -> Result<usize, Failed> {
        let mut query = Query::with_max_nodes(MOST_NODES);
        let (mut shortest, mut wrong) = (ShortestPath::default(), 0);
        let (mut lower_by, mut upper_by, mut walked_by) =
            (Spread::default(), Spread::default(), Spread::default());
        let (mut seconds, mut factors) = (Spread::default(), Spread::default());
        let found = trips.iter().filter_map(|trip| Some((trip, trip.bounds?, trip.walked?)));
        for (trip, [lower, upper], walked) in found.take(exact) {
            let [start, goal] = [trip.ends[0].on(&self.mesh)?, trip.ends[1].on(&self.mesh)?];
            let begin = Instant::now();
            let passable = Passable::of(world.filter());
            query.shortest_path(&self.mesh, start.place, goal.place, &passable, &mut shortest)?;
            let needed = begin.elapsed().as_secs_f64();
            let length = shortest.length_from_above;
            if shortest.status != PathStatus::Complete {
                println!("no shortest path: {:?}", shortest.status);
                continue;
            }
            seconds.add(needed);
            factors.add(needed / trip.seconds);
            lower_by.add(lower / length);
            upper_by.add(upper / length);
            walked_by.add(walked / length);
            if !holds([lower, upper], length) || walked < length * (1.0 - CLOSE) - CLOSE {
                wrong += 1;
                let ends = trip.ends.map(|end| end.point);
                println!("WRONG: {lower} <= {length} <= {upper}, walked {walked}: {ends:?}");
            }
        }
        println!("exact pairs            {}", seconds.count());
        if seconds.count() == 0 {
            return Ok(wrong);
        }
        println!("walked over shortest   {}", walked_by.ratio());
        println!("upper over shortest    {}", upper_by.ratio());
        println!("lower over shortest    {}", lower_by.ratio());
        println!("shortest_path          {}", seconds.milliseconds());
        let [half, most] = [0.5, 0.99].map(|share| factors.quantile(share));
        println!("  over plan and stops  p50 {half:.0}, p99 {most:.0}, mean {:.0}", factors.mean());
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
            let is_found = self.is_found(world, &mut planner, ends)?;
            seconds.add(begin.elapsed().as_secs_f64());
            let is_there = flood.joins(ends);
            connected += usize::from(is_there);
            wrong += self.judge(ends, is_found, is_there);
        }
        println!("reachability           {pairs} pairs, {connected} connected; {wrong} wrong");
        println!("  plans                {}", seconds.milliseconds());
        Ok(wrong)
    }

    /// Compares plans with floods along the direction of links. Returns the number of wrong ones.
    pub(crate) fn check_links(&self, world: &World, starts: usize, goals: usize) -> Result<usize, Failed> {
        let (mut planner, mut random) = (FarPlanner::new(), SplitMix64::new(13));
        let links: Vec<PolyRef> = self.mesh.off_mesh_links().collect();
        // Half of the places are ends of links.
        let places = |count: usize, random: &mut SplitMix64| {
            let place = |number: usize| {
                let of_link = if number < count / 2 { self.end_of(&links, random) } else { None };
                of_link.map_or_else(|| self.place(random), Ok)
            };
            (0..count).map(place).collect::<Result<Vec<FarPlace<'_>>, Failed>>()
        };
        let (starts, goals) = (places(starts, &mut random)?, places(goals, &mut random)?);
        let (mut wrong, mut reached, mut one_way, mut held) = (0, 0, 0, 0);
        let mut back: Vec<Flood<'_>> = Vec::new();
        for goal in &goals {
            let mut flood = Flood::new(&self.mesh, world.filter());
            flood.run(goal.place.polygon, 0)?;
            back.push(flood);
        }
        for start in starts {
            let mut flood = Flood::new(&self.mesh, world.filter());
            flood.run(start.place.polygon, 0)?;
            for (goal, back) in goals.iter().zip(&back) {
                let is_there = flood.reached.contains_key(&goal.place.polygon);
                let returns = back.reached.contains_key(&start.place.polygon);
                let is_found = self.is_found(world, &mut planner, [start, *goal])?;
                wrong += self.judge([start, *goal], is_found, is_there);
                reached += usize::from(is_there);
                one_way += usize::from(is_there != returns);
                held += 1;
            }
        }
        println!("links                  {}", links.len());
        println!("directed reachability  {held} pairs, {reached} reached, {one_way} one way; {wrong} wrong");
        Ok(wrong)
    }

    /// A random end of a random link, if it leads to the ground at both.
    fn end_of(&self, links: &[PolyRef], random: &mut SplitMix64) -> Option<FarPlace<'_>> {
        let link = links.get(random.below(links.len().max(1)))?;
        let end = self.mesh.off_mesh(*link).ok()?.ends?[random.below(2)];
        Some(FarPlace { mesh: &self.mesh, place: end })
    }

    fn is_found(
        &self,
        world: &World,
        planner: &mut FarPlanner,
        [start, goal]: [FarPlace<'_>; 2],
    ) -> Result<bool, Failed> {
        Ok(planner.plan(&world.hierarchy, 0, start, goal)?.is_some())
    }

    /// Returns 1 and prints the pair if an answer is wrong.
    fn judge(&self, ends: [FarPlace<'_>; 2], is_found: bool, is_there: bool) -> usize {
        if is_found != is_there {
            let ends = ends.map(|end| self.mesh.to_world(end.place.point));
            println!("WRONG: {}: {ends:?}", found_wrongly(is_there));
        }
        usize::from(is_found != is_there)
    }

    /// The middle of a random polygon.
    fn place(&self, random: &mut SplitMix64) -> Result<FarPlace<'_>, Failed> {
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

/// Returns true if bounds hold a length.
fn holds([lower, upper]: [f64; 2], length: f64) -> bool {
    lower <= length * (1.0 + CLOSE) + CLOSE && length <= upper * (1.0 + CLOSE) + CLOSE
}
