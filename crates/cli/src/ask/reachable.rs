//! `navtile reachable`: checks if a path leads from one place to another, and finds the nearest reachable
//! place if there is none.

use super::{AskArgs, Asker, BetweenArgs};
use crate::failure::{Answer, Failure};
use crate::far::{CUT_OFF, FarArgs, World};
use crate::mesh;
use crate::report::{self, rounded};
use clap::Args;
use detour::{Islands, PartialReason, Path, PathOptions, PathStatus, QueryError, Reachable};
use hierarchy::FarPlanner;
use serde::Serialize;

#[derive(Debug, Args)]
pub(crate) struct ReachableArgs {
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    between: BetweenArgs,
    #[command(flatten)]
    far: FarArgs,
}

/// The answer.
#[derive(Serialize)]
struct Verdict {
    reachable: bool,
    /// The islands of start and goal by ground, of the areas that may be entered, from 1, the largest first;
    /// null off the mesh. Off-mesh links may join two islands.
    islands: [Option<usize>; 2],
    /// The place on the start's island that is the end of the path towards the goal, world metres; null if
    /// the goal is reached.
    nearest: Option<[f64; 3]>,
    /// Distance of that place from the goal, metres.
    distance: Option<f64>,
    reason: Option<String>,
}

/// The answer by a hierarchy.
#[derive(Serialize)]
struct FarVerdict {
    reachable: bool,
    /// The class of agents that it is for.
    class: String,
    /// Number of tiles that were loaded.
    tiles_loaded: usize,
    /// Distance from the start to its place on the mesh, metres; null if there is no such place.
    from_moved: Option<f32>,
    /// Distance from the goal to its place on the mesh, metres; null if there is no such place.
    to_moved: Option<f32>,
    reason: Option<String>,
}

pub(crate) fn run(args: &ReachableArgs) -> Result<Answer, Failure> {
    if args.far.far {
        let verdict = judge_far(args)?;
        report::answer(args.ask.json, &verdict, || verdict.text())?;
        return Ok(if verdict.reachable { Answer::Yes } else { Answer::No });
    }
    let loaded = mesh::load(&args.ask.file)?;
    let mut asker = Asker::new(&loaded, &args.ask)?;
    let verdict = judge(&mut asker, args.between)?;
    report::answer(args.ask.json, &verdict, || verdict.text())?;
    Ok(if verdict.reachable { Answer::Yes } else { Answer::No })
}

fn judge(asker: &mut Asker<'_>, BetweenArgs { from, to }: BetweenArgs) -> Result<Verdict, Failure> {
    let mesh = &asker.loaded.mesh;
    let ends = [asker.snap("start", from), asker.snap("goal", to)];
    let of = Islands::by_ground(mesh, &asker.filter);
    let islands = ends.each_ref().map(|end| Some(of.of(end.as_ref().ok()?.polygon)? + 1));
    let (start, goal) = match ends {
        [Ok(start), Ok(goal)] => (start, goal),
        [start, goal] => {
            let reasons: Vec<String> =
                [start.err(), goal.err()].into_iter().flatten().map(|miss| miss.reason).collect();
            let reason = Some(reasons.join("; "));
            return Ok(Verdict { reachable: false, islands, nearest: None, distance: None, reason });
        }
    };
    // Islands alone do not suffice: one-way links may connect only the goal to the start.
    let refused =
        |error: QueryError| Failure::circumstances(format!("the path could not be searched: {error}"));
    let mut path = Path::default();
    asker
        .query
        .find_path(mesh, start.place(), goal.place(), &asker.filter, &PathOptions::default(), &mut path)
        .map_err(refused)?;
    if path.status == PathStatus::Complete {
        return Ok(Verdict { reachable: true, islands, nearest: None, distance: None, reason: None });
    }
    let joined = Islands::new(mesh, &asker.filter).reachable(start.polygon, goal.polygon);
    let reason = match islands {
        [Some(a), Some(b)] if a != b && joined == Reachable::No => {
            let count = of.list().len();
            format!("they are on different islands, {a} and {b} of {count}, which no off-mesh link joins")
        }
        [Some(a), Some(b)] if a != b && path.status.reason() == Some(PartialReason::Unreachable) => {
            format!("no off-mesh link leads from island {a} to island {b} in this direction")
        }
        _ => path.status.reason().map_or_else(String::new, |reason| reason.to_string()),
    };
    let distance = f64::from(path.end.distance(goal.point));
    Ok(Verdict {
        reachable: false,
        islands,
        nearest: Some(mesh.to_world(path.end).map(rounded)),
        distance: Some(rounded(distance)),
        reason: Some(reason),
    })
}

fn judge_far(args: &ReachableArgs) -> Result<FarVerdict, Failure> {
    let world = World::open(&args.ask.file, args.far.class.as_deref())?;
    let ends = world.ends(&args.ask, args.between.from, args.between.to)?;
    let reason = match ends.places() {
        Ok(places) => match world.plan(&mut FarPlanner::new(), places)? {
            Some(_) => None,
            None => Some(CUT_OFF.to_owned()),
        },
        Err(reason) => Some(reason),
    };
    let ([from_moved, to_moved], tiles_loaded) = (ends.moved(), ends.tiles());
    let (reachable, class) = (reason.is_none(), world.class_name());
    Ok(FarVerdict { reachable, class, tiles_loaded, from_moved, to_moved, reason })
}

impl FarVerdict {
    fn text(&self) -> String {
        let reachable = if self.reachable { "yes" } else { "no" };
        let mut lines = vec![("reachable", reachable.to_owned()), ("class", self.class.clone())];
        lines.extend(self.reason.clone().map(|reason| ("reason", reason)));
        report::columns(lines)
    }
}

impl Verdict {
    fn text(&self) -> String {
        let mut lines = vec![("reachable", if self.reachable { "yes" } else { "no" }.to_owned())];
        lines.extend(self.reason.clone().map(|reason| ("reason", reason)));
        if let (Some([x, y, z]), Some(distance)) = (self.nearest, self.distance) {
            lines.push(("nearest", format!("{x:.3}, {y:.3}, {z:.3}, {distance:.3} m from the goal")));
        }
        report::columns(lines)
    }
}
