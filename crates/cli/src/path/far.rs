//! Far paths: planned by the hierarchy of a file, with only the tiles around the start and the goal loaded.
//! The length is then that of the path over the polygons along the plan.

use super::answer::Status;
use super::args::PathArgs;
use crate::failure::{Answer, Failure};
use crate::far::{CUT_OFF, Ends, World};
use crate::inspect::place;
use crate::report::{self, rounded};
use detour::{Optimality, PathOptions, PathStatus, Place, Query};
use hierarchy::{ClusterCoord, FarPlace, FarPlanner, FarStop};
use serde::Serialize;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;

/// Nodes of the search along a plan.
const MOST_NODES: NonZeroU32 = NonZeroU32::new(1 << 22).expect("not zero");

/// The answer to a far path.
#[derive(Serialize)]
struct FarAnswer {
    status: Status,
    /// The class of agents that it is for.
    class: String,
    /// The cost of the path through the clusters of the plan and those next to them. Metres if a metre costs
    /// 1.
    length: f64,
    /// The least that the cheapest path costs.
    lower: f64,
    /// The most that the cheapest path costs: the same as `length`.
    upper: f64,
    /// World metres, rounded to a micrometre: the start, the crossings between clusters, and the goal.
    places: Vec<[f64; 3]>,
    /// Number of tiles that the plan needed.
    tiles_loaded: usize,
    /// Distance from the start to its place on the mesh, metres; null if there is no such place.
    from_moved: Option<f32>,
    /// Distance from the goal to its place on the mesh, metres; null if there is no such place.
    to_moved: Option<f32>,
    /// The reason why a path is missing; null for a path.
    reason: Option<String>,
}

/// Plans a far path, and prints it.
pub(super) fn run(args: &PathArgs, from: [f64; 3], to: [f64; 3]) -> Result<Answer, Failure> {
    let world = World::open(&args.ask.file, args.far.class.as_deref())?;
    let ends = world.ends(&args.ask, from, to)?;
    let answer = plan(&args.ask.file, &world, &ends)?;
    report::answer(args.ask.json, &answer, || answer.text())?;
    Ok(if answer.status == Status::Complete { Answer::Yes } else { Answer::No })
}

fn plan(path: &Path, world: &World, ends: &Ends) -> Result<FarAnswer, Failure> {
    let [from_moved, to_moved] = ends.moved();
    let mut answer = FarAnswer {
        status: Status::NotOnMesh,
        class: world.class_name(),
        length: 0.0,
        lower: 0.0,
        upper: 0.0,
        places: Vec::new(),
        tiles_loaded: ends.tiles(),
        from_moved,
        to_moved,
        reason: None,
    };
    let places = match ends.places() {
        Ok(places) => places,
        Err(reason) => return Ok(FarAnswer { reason: Some(reason), ..answer }),
    };
    let mut planner = FarPlanner::new();
    let Some(plan) = world.plan(&mut planner, places)? else {
        answer.status = Status::Unreachable;
        answer.reason = Some(CUT_OFF.to_owned());
        return Ok(answer);
    };
    answer.status = Status::Complete;
    let stops = planner.stops(&plan);
    let length = refined(path, world, &stops, places)?;
    let length = length.map_or(plan.upper, |length| length.min(plan.upper));
    (answer.length, answer.lower, answer.upper) = (length, plan.lower.min(length), length);
    answer.places = stops.into_iter().map(|stop| stop.point.map(rounded)).collect();
    Ok(answer)
}

/// The cost of the path over polygons through the clusters of a plan and those next to them.
fn refined(
    path: &Path,
    world: &World,
    stops: &[FarStop],
    ends: [FarPlace<'_>; 2],
) -> Result<Option<f64>, Failure> {
    let around = |ClusterCoord { x, z }: ClusterCoord| {
        (-1..=1).flat_map(move |dx| (-1..=1).map(move |dz| ClusterCoord { x: x + dx, z: z + dz }))
    };
    let clusters: BTreeSet<ClusterCoord> = stops.iter().flat_map(|stop| around(stop.cluster)).collect();
    let mesh = world.mesh(|cluster| clusters.contains(&cluster))?;
    let place = |end: FarPlace<'_>| {
        let (tile, polygon) = end.mesh.tile_of(end.place.polygon).ok()?;
        let polygon = mesh.reference(tile.coord(), polygon)?;
        Some(Place { polygon, point: mesh.from_world(end.mesh.to_world(end.place.point)) })
    };
    let (Some(start), Some(goal)) = (place(ends[0]), place(ends[1])) else { return Ok(None) };
    let filter = &world.hierarchy.classes()[world.class].filter;
    let options = PathOptions { optimality: Optimality::Near };
    let (mut query, mut found) = (Query::with_max_nodes(MOST_NODES), detour::Path::default());
    query
        .find_path(&mesh, start, goal, filter, &options, &mut found)
        .map_err(|error| Failure::of(path, error))?;
    Ok((found.status == PathStatus::Complete).then_some(found.cost))
}

impl FarAnswer {
    fn text(&self) -> String {
        let mut lines = vec![("path", self.status.name().to_owned()), ("class", self.class.clone())];
        lines.extend(self.reason.clone().map(|reason| ("reason", reason)));
        if self.status == Status::Complete {
            let (lower, upper) = (self.lower, self.upper);
            lines.push(("length", format!("{upper:.3} m at most, {lower:.3} m at least")));
        }
        lines.extend(self.places.iter().map(|at| ("place", place(*at))));
        report::columns(lines)
    }
}
