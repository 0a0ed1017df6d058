//! Finds paths on one mesh, and explains missing ones.

use super::answer::{Leg, PathAnswer, Status};
use super::args::PathArgs;
use crate::ask::Asker;
use crate::failure::Failure;
use crate::mesh::Loaded;
use crate::report::rounded;
use detour::{OffMesh, Optimality, PartialReason, Route, RouteError, RouteLink, RouteOptions, Vec3};
use navtile::LinkKind;

/// Everything that queries on one mesh share.
pub(super) struct Finder<'a> {
    pub(super) asker: Asker<'a>,
    options: RouteOptions,
}

impl<'a> Finder<'a> {
    /// Reads the kind of search and the reach from the arguments.
    pub(super) fn new(loaded: &'a Loaded, args: &PathArgs) -> Result<Finder<'a>, Failure> {
        let mut asker = Asker::new(loaded, &args.ask)?;
        asker.filter = args.slopes.on(asker.filter)?;
        if args.optimal && loaded.mesh.uniformity(&asker.filter).per_metre.is_none() {
            return Err(unequal_costs(args, &asker));
        }
        let optimality = match (args.near, args.optimal) {
            (false, false) => Optimality::Fast,
            (true, _) => Optimality::Near,
            (false, true) => Optimality::Shortest,
        };
        let options = RouteOptions {
            half_extents: asker.half_extents,
            optimality,
            follow_surface: args.follow_surface,
            ..RouteOptions::default()
        };
        Ok(Finder { asker, options })
    }

    /// The path between two places, world metres.
    pub(super) fn find(&mut self, from: [f64; 3], to: [f64; 3]) -> Result<PathAnswer, Failure> {
        let Asker { loaded, filter, query, .. } = &mut self.asker;
        let mesh = &loaded.mesh;
        let (start, goal) = (mesh.from_world(from), mesh.from_world(to));
        let route = query.route(mesh, start, goal, &*filter, &self.options);
        self.answer(route, from, to)
    }

    /// The paths from the first three numbers of each row to the others, world metres; on all threads.
    pub(super) fn find_all(&mut self, rows: &[[f64; 6]]) -> Result<Vec<PathAnswer>, Failure> {
        let Asker { loaded, filter, query, .. } = &mut self.asker;
        let mesh = &loaded.mesh;
        let ends = |[a, b, c, d, e, f]: [f64; 6]| [[a, b, c], [d, e, f]];
        let pairs: Vec<[Vec3; 2]> =
            rows.iter().map(|row| ends(*row).map(|end| mesh.from_world(end))).collect();
        let routes = query.paths(mesh, &pairs, &*filter, &self.options);
        let answer = |(route, row): (Result<Route, RouteError>, &[f64; 6])| {
            let [from, to] = ends(*row);
            self.answer(route, from, to)
        };
        routes.into_iter().zip(rows).map(answer).collect()
    }

    fn answer(
        &mut self,
        route: Result<Route, RouteError>,
        from: [f64; 3],
        to: [f64; 3],
    ) -> Result<PathAnswer, Failure> {
        match route {
            Ok(route) => Ok(self.found(&route, to)),
            Err(RouteError::Start(_) | RouteError::Goal(_)) => Ok(self.not_on_mesh(from, to)),
            Err(RouteError::Path(error)) => {
                Err(Failure::circumstances(format!("the path could not be searched: {error}")))
            }
        }
    }

    fn found(&self, route: &Route, to: [f64; 3]) -> PathAnswer {
        let points: Vec<[f64; 3]> =
            route.points.iter().map(|&point| self.asker.loaded.mesh.to_world(point).map(rounded)).collect();
        let short_of = points.last().map_or(0.0, |&end| distance(end, to));
        let (status, reason) = match route.reason() {
            None => (Status::Complete, None),
            Some(reason) => {
                let status = match reason {
                    PartialReason::OutOfNodes => Status::Partial,
                    PartialReason::Unreachable | PartialReason::GoalExcluded => Status::Unreachable,
                };
                (status, Some(format!("{reason}; the path ends {short_of:.2} m from it")))
            }
        };
        PathAnswer {
            status,
            length: route.length,
            length_from_above: route.length_from_above,
            cost: route.cost,
            legs: self.legs(route),
            points,
            polygons: route.polygons.len(),
            from_moved: Some(route.start.distance),
            to_moved: Some(route.goal.distance),
            reason,
        }
    }

    fn legs(&self, route: &Route) -> Vec<Leg> {
        let mut legs = vec![Leg::Ground; route.points.len().saturating_sub(1)];
        for RouteLink { start, link } in &route.links {
            if let (Some(leg), Ok(link)) = (legs.get_mut(*start), self.asker.loaded.mesh.off_mesh(*link)) {
                let OffMesh { user_id, area, .. } = link;
                let generated = LinkKind::of_user_id(user_id).map(|(kind, _)| kind.name());
                *leg = Leg::OffMesh { user_id, generated, area };
            }
        }
        legs
    }

    fn not_on_mesh(&mut self, from: [f64; 3], to: [f64; 3]) -> PathAnswer {
        let mut reasons = Vec::new();
        let moved = [("start", from), ("goal", to)].map(|(end, place)| match self.asker.snap(end, place) {
            Ok(nearest) => Some(nearest.distance),
            Err(miss) => {
                reasons.push(miss.reason);
                None
            }
        });
        PathAnswer::not_on_mesh(moved[0], moved[1], reasons.join("; "))
    }
}

/// The failure of `--optimal` if costs differ: the areas of the file and their costs.
fn unequal_costs(args: &PathArgs, asker: &Asker<'_>) -> Failure {
    let areas = asker.loaded.meta.areas.iter();
    let costs: Vec<String> = areas
        .map(|area| format!("{} {}", area.name.escape_debug(), asker.filter.area_cost(area.id)))
        .collect();
    Failure::call(format!(
        "{}: --optimal finds the shortest path, but areas differ in cost per metre: {}",
        args.ask.file.display(),
        costs.join(", ")
    ))
    .help("leave --optimal out for the cheapest path, or give the areas one --cost")
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}
