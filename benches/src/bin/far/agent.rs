//! An agent that walks by plans while tiles are loaded around it.

use crate::Failed;
use crate::world::{Spot, World};
use detour::{
    Corner, Crossings, Optimality, Path, PathOptions, PathStatus, Place, Query, StraightPath, Vec3,
};
use hierarchy::{ClusterCoord, FarPath, FarPlanner, FarRoute, FarStop};
use navstream::{Limits, StoreSource, TileStream};
use navtile::TileCoord;
use navtile::file::Seekable;
use std::collections::BTreeSet;
use std::fs::File;
use std::time::Instant;

/// Bytes of loaded tiles.
const MEMORY: u64 = 3 << 18;
/// The agent has the tiles of this number of legs ahead, as docs/far-paths.md recommends.
const LEGS: usize = 6;

/// A stream of tiles, and the memory of searches.
pub(crate) struct Agent<'a> {
    world: &'a World,
    stream: TileStream<StoreSource<Seekable<File>>>,
    planner: FarPlanner,
    query: Query,
    path: Path,
    straight: StraightPath,
    /// The most tiles that were loaded at a time.
    pub(crate) most_tiles: usize,
}

/// A plan, and the seconds that it took, without its stops and with them.
pub(crate) struct Planned<'a> {
    pub(crate) path: Option<FarPath<'a>>,
    pub(crate) stops: Vec<FarStop>,
    pub(crate) plan_seconds: f64,
    pub(crate) seconds: f64,
}

/// A walk along a plan.
pub(crate) struct Walked {
    /// As seen from above, metres.
    pub(crate) length: f64,
    /// Seconds of finding the first leg's polygons.
    pub(crate) first_leg: f64,
}

impl<'a> Agent<'a> {
    pub(crate) fn new(world: &'a World) -> Result<Agent<'a>, Failed> {
        let limits = Limits { memory: MEMORY, tiles: 64, in_flight: 64, ..Limits::default() };
        let stream = world.stream(limits)?;
        Ok(Agent {
            world,
            stream,
            planner: FarPlanner::new(),
            query: Query::new(),
            path: Path::default(),
            straight: StraightPath::default(),
            most_tiles: 0,
        })
    }

    /// Loads all tiles that are needed.
    fn load(&mut self) -> Result<(), Failed> {
        loop {
            let update = self.stream.update();
            if let Some(failed) = update.failed.first() {
                return Err(failed.to_string().into());
            }
            if update.over_limit > 0 {
                return Err("the tiles around an agent do not fit into the memory".into());
            }
            if update.waiting == 0 {
                self.most_tiles = self.most_tiles.max(self.stream.mesh().tile_count());
                return Ok(());
            }
        }
    }

    /// Plans between two places with only the tiles around them loaded.
    pub(crate) fn plan(&mut self, ends: [&Spot; 2]) -> Result<Planned<'a>, Failed> {
        self.stream.want(&self.tiles_of(ends.map(|end| self.cluster_of(end))));
        self.load()?;
        let mesh = self.stream.mesh();
        let [start, goal] = [ends[0].on(mesh)?, ends[1].on(mesh)?];
        let begin = Instant::now();
        let path = self.planner.plan(&self.world.hierarchy, 0, start, goal)?;
        let plan_seconds = begin.elapsed().as_secs_f64();
        let stops = path.as_ref().map(|path| self.planner.stops(path));
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Planned { path, stops: stops.unwrap_or_default(), plan_seconds, seconds })
    }

    /// Walks along a plan; `None` if there is no path to one of the stops.
    pub(crate) fn walk(
        &mut self,
        stops: &[FarStop],
        [start, goal]: [&Spot; 2],
    ) -> Result<Option<Walked>, Failed> {
        let last = stops.len().saturating_sub(1);
        let mut at = start.on(self.stream.mesh())?.place;
        let mut walked = Walked { length: 0.0, first_leg: 0.0 };
        for passed in 0..last {
            let target = last.min(passed + FarRoute::LEGS_AHEAD);
            let legs = &stops[passed.max(1)..=last.min(passed + LEGS)];
            let (tile, _) = self.stream.mesh().tile_of(at.polygon)?;
            let here = self.world.hierarchy.grid().cluster_of(tile.coord(), 0);
            let ends = [here, self.cluster_of(goal)];
            self.stream.want(&self.tiles_of(legs.iter().map(|leg| leg.cluster).chain(ends)));
            self.load()?;
            let to = if target == last {
                goal.on(self.stream.mesh())?.place
            } else {
                match self.on_mesh(stops[target].point) {
                    Some(place) => place,
                    None => return Ok(None),
                }
            };
            let begin = Instant::now();
            let found = self.find(at, to)?;
            if passed == 0 {
                walked.first_leg = begin.elapsed().as_secs_f64();
            }
            if !found {
                return Ok(None);
            }
            if target == last {
                walked.length += length(&self.straight.corners);
                return Ok(Some(walked));
            }
            let next = self.stream.mesh().from_world(stops[passed + 1].point);
            let corners = &self.straight.corners;
            let apart = |number: &usize| corners[*number].point.distance(next);
            let nearest = (1..corners.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
            let Some(nearest) = nearest else { return Ok(None) };
            walked.length += length(&corners[..=nearest]);
            let Corner { polygon, point, .. } = corners[nearest];
            at = Place { polygon, point };
        }
        Ok(None)
    }

    /// Finds the path between two places, and the points where it crosses into polygons.
    fn find(&mut self, from: Place, to: Place) -> Result<bool, Failed> {
        let (mesh, filter) = (self.stream.mesh(), self.world.filter());
        let options = PathOptions { optimality: Optimality::Near };
        let Agent { query, path, straight, .. } = self;
        query.find_path(mesh, from, to, filter, &options, path)?;
        query.straight_path(mesh, from.point, to.point, &path.polygons, Crossings::All, straight)?;
        Ok(path.status == PathStatus::Complete)
    }

    /// The place on the mesh at a stop.
    fn on_mesh(&mut self, stop: [f64; 3]) -> Option<Place> {
        /// A stop is on the edge of a polygon. The ground may be some metres higher or lower there.
        const REACH: Vec3 = Vec3::new(0.4, 4.0, 0.4);
        let mesh = self.stream.mesh();
        let near = self.query.nearest(mesh, mesh.from_world(stop), REACH, self.world.filter());
        near.ok().map(|near| near.place())
    }

    fn cluster_of(&self, spot: &Spot) -> ClusterCoord {
        self.world.hierarchy.grid().cluster_of(spot.tile, 0)
    }

    /// The tiles of clusters.
    fn tiles_of(&self, clusters: impl IntoIterator<Item = ClusterCoord>) -> Vec<TileCoord> {
        let clusters: BTreeSet<ClusterCoord> = clusters.into_iter().collect();
        let columns = clusters.into_iter().flat_map(|cluster| self.world.hierarchy.columns(cluster));
        columns.flat_map(|column| self.world.column(column)).collect()
    }
}

/// The length of a path as seen from above.
fn length(corners: &[Corner]) -> f64 {
    let legs = corners.windows(2).map(|pair| (pair[1].point - pair[0].point).as_dvec3().with_y(0.0).length());
    legs.sum()
}
