//! Far paths: planned by the hierarchy of a file, with only the tiles around the start and the goal loaded.
//! The length is then that of the path over the polygons along the plan.

use super::answer::Status;
use super::args::PathArgs;
use crate::ask::off_mesh;
use crate::failure::{Answer, Failure};
use crate::inspect::{UNUSABLE, place};
use crate::report::{self, rounded};
use crate::{files, mesh};
use detour::{Filter, NavMesh, Optimality, PathOptions, PathStatus, Place, Query, Vec3};
use hierarchy::{ClusterCoord, FarError, FarPlace, FarPlanner, FarStop, Hierarchy};
use navtile::file::Seekable;
use navtile::{NavStore, Tile, TileCoord};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::num::NonZeroU32;
use std::path::Path;

/// Nodes of the search along a plan.
const MOST_NODES: NonZeroU32 = NonZeroU32::new(1 << 22).expect("not zero");

/// A file with a hierarchy, whose tiles are not loaded.
struct World {
    store: NavStore<Seekable<File>>,
    hierarchy: Hierarchy,
}

/// An end of a far path: the tiles around it, and its place on them.
struct End {
    mesh: NavMesh,
    /// The place, and its distance from the place that was given; or the reason for having none.
    found: Result<(Place, f32), String>,
}

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
    let file = &args.ask.file;
    let world = World::open(file)?;
    let class = world.class(file, args.class.as_deref())?;
    let ends = [("start", from), ("goal", to)].map(|(name, at)| world.end(args, class, name, at));
    let [start, goal] = ends;
    let answer = world.plan(file, class, [&start?, &goal?])?;
    report::answer(args.ask.json, &answer, || answer.text())?;
    Ok(if answer.status == Status::Complete { Answer::Yes } else { Answer::No })
}

impl World {
    fn open(path: &Path) -> Result<World, Failure> {
        const REMEDY: &str = "bake the level again with `navtile bake --hierarchy`";
        let (file, _) = files::open_replaceable(path).map_err(|error| files::unreadable(path, &error))?;
        let store = NavStore::open(Seekable::new(file)).map_err(|error| Failure::of(path, error))?;
        let Some(bytes) = store.hierarchy() else {
            return Err(Failure::of(path, "has no hierarchy, which plans far paths").help(REMEDY));
        };
        let bytes = bytes.map_err(|error| Failure::of(path, error))?;
        let hierarchy = Hierarchy::from_bytes(&bytes).map_err(|error| Failure::of(path, error))?;
        if hierarchy.grid().tile_cells != store.meta().tile_cells {
            return Err(Failure::of(path, "its hierarchy is for tiles of another size").help(REMEDY));
        }
        Ok(World { store, hierarchy })
    }

    /// The number of a class: of the only class if none is named.
    fn class(&self, path: &Path, name: Option<&str>) -> Result<usize, Failure> {
        let classes = self.hierarchy.classes();
        let names: Vec<String> = classes.iter().map(|class| class.name.escape_debug().to_string()).collect();
        let known = format!("the classes of the hierarchy are {}", names.join(", "));
        match name {
            Some(name) => self.hierarchy.class(name).ok_or_else(|| {
                let name = name.escape_debug();
                Failure::call(format!("{}: there is no class `{name}`", path.display())).help(known)
            }),
            None if classes.len() == 1 => Ok(0),
            None => Err(Failure::call(format!("{}: has several classes", path.display()))
                .help(format!("choose one with --class; {known}"))),
        }
    }

    /// Loads the tiles of all clusters that a place may be snapped to, and snaps it.
    fn end(&self, args: &PathArgs, class: usize, name: &str, at: [f64; 3]) -> Result<End, Failure> {
        let path = &args.ask.file;
        let tiles = self.tiles_around(at, args.ask.snap).map_err(|error| Failure::of(path, error))?;
        let unusable = |error: detour::MeshError| Failure::of(path, error).help(UNUSABLE);
        let mut mesh = NavMesh::new(mesh::anchor(&tiles)).map_err(unusable)?;
        mesh.add_tiles(tiles).map_err(unusable)?;
        let filter: &Filter = &self.hierarchy.classes()[class].filter;
        let half_extents = Vec3::from_array(args.ask.snap.map(|extent| extent as f32));
        let nearest = Query::new().nearest(&mesh, mesh.from_world(at), half_extents, filter);
        let found = nearest.map_err(|error| off_mesh(name, at, half_extents, &error));
        Ok(End { found: found.map(|nearest| (nearest.place(), nearest.distance)), mesh })
    }

    /// The tiles of the clusters that a box around a place reaches, seen from above.
    fn tiles_around(&self, at: [f64; 3], reach: [f64; 3]) -> Result<Vec<Tile>, navtile::StoreError> {
        let (meta, grid) = (self.store.meta(), self.hierarchy.grid());
        let side = meta.cell[0] * f64::from(meta.tile_cells);
        // A cell more than the reach, for polygons that just touch it. A number that no tile has becomes the
        // nearest one.
        let end = |axis: usize, by: f64| at[axis] - meta.origin[axis] + by * (reach[axis] + meta.cell[0]);
        let tile = |axis: usize, by: f64| (end(axis, by) / side).floor() as i32;
        let corner = |by: f64| grid.cluster_of(TileCoord { x: tile(0, by), z: tile(2, by), layer: 0 }, 0);
        let [least, most] = [corner(-1.0), corner(1.0)];
        let is_near = |coord: &TileCoord| {
            let ClusterCoord { x, z } = grid.cluster_of(*coord, 0);
            (least.x..=most.x).contains(&x) && (least.z..=most.z).contains(&z)
        };
        let coords: Vec<TileCoord> = self.store.coords().into_iter().filter(is_near).collect();
        coords.par_iter().filter_map(|coord| self.store.tile(*coord)).collect()
    }

    fn plan(&self, path: &Path, class: usize, ends: [&End; 2]) -> Result<FarAnswer, Failure> {
        let moved = |end: &End| end.found.as_ref().ok().map(|(_, distance)| *distance);
        let mut answer = FarAnswer {
            status: Status::NotOnMesh,
            class: self.hierarchy.classes()[class].name.clone(),
            length: 0.0,
            lower: 0.0,
            upper: 0.0,
            places: Vec::new(),
            tiles_loaded: ends.iter().map(|end| end.mesh.tile_count()).sum(),
            from_moved: moved(ends[0]),
            to_moved: moved(ends[1]),
            reason: None,
        };
        let (Ok((start, _)), Ok((goal, _))) = (&ends[0].found, &ends[1].found) else {
            let reasons: Vec<&str> =
                ends.iter().filter_map(|end| end.found.as_ref().err().map(String::as_str)).collect();
            answer.reason = Some(reasons.join("; "));
            return Ok(answer);
        };
        let at = |end: usize, place: &Place| FarPlace { mesh: &ends[end].mesh, place: *place };
        let mut planner = FarPlanner::new();
        let failed = |error: FarError| Failure::of(path, error);
        let plan = planner.plan(&self.hierarchy, class, at(0, start), at(1, goal)).map_err(failed)?;
        let Some(plan) = plan else {
            answer.status = Status::Unreachable;
            answer.reason = Some("the goal cannot be reached from the start".to_owned());
            return Ok(answer);
        };
        answer.status = Status::Complete;
        let stops = planner.stops(&self.hierarchy, &plan);
        let length = self.refined(path, class, &stops, [at(0, start), at(1, goal)])?;
        let length = length.map_or(plan.upper, |length| length.min(plan.upper));
        (answer.length, answer.lower, answer.upper) = (length, plan.lower.min(length), length);
        answer.places = stops.into_iter().map(|stop| stop.point.map(rounded)).collect();
        Ok(answer)
    }

    /// The cost of the path over polygons through the clusters of a plan and those next to them.
    fn refined(
        &self,
        path: &Path,
        class: usize,
        stops: &[FarStop],
        ends: [FarPlace<'_>; 2],
    ) -> Result<Option<f64>, Failure> {
        let around = |ClusterCoord { x, z }: ClusterCoord| {
            (-1..=1).flat_map(move |dx| (-1..=1).map(move |dz| ClusterCoord { x: x + dx, z: z + dz }))
        };
        let clusters: BTreeSet<ClusterCoord> = stops.iter().flat_map(|stop| around(stop.cluster)).collect();
        let grid = self.hierarchy.grid();
        let coords = self.store.coords().into_iter();
        let coords: Vec<TileCoord> =
            coords.filter(|coord| clusters.contains(&grid.cluster_of(*coord, 0))).collect();
        let tiles: Result<Vec<Tile>, navtile::StoreError> =
            coords.par_iter().filter_map(|coord| self.store.tile(*coord)).collect();
        let tiles = tiles.map_err(|error| Failure::of(path, error))?;
        let unusable = |error: detour::MeshError| Failure::of(path, error).help(UNUSABLE);
        let mut mesh = NavMesh::new(mesh::anchor(&tiles)).map_err(unusable)?;
        mesh.add_tiles(tiles).map_err(unusable)?;
        let place = |end: FarPlace<'_>| {
            let (tile, polygon) = end.mesh.tile_of(end.place.polygon).ok()?;
            let polygon = mesh.reference(tile.coord(), polygon)?;
            Some(Place { polygon, point: mesh.from_world(end.mesh.to_world(end.place.point)) })
        };
        let (Some(start), Some(goal)) = (place(ends[0]), place(ends[1])) else { return Ok(None) };
        let filter = &self.hierarchy.classes()[class].filter;
        let options = PathOptions { optimality: Optimality::Near };
        let (mut query, mut found) = (Query::with_max_nodes(MOST_NODES), detour::Path::default());
        query
            .find_path(&mesh, start, goal, filter, &options, &mut found)
            .map_err(|error| Failure::of(path, error))?;
        Ok((found.status == PathStatus::Complete).then_some(found.cost))
    }
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
