//! Far questions: answered by the hierarchy of a file, with only the tiles around the start and the goal
//! loaded.

mod args;

pub(crate) use args::FarArgs;

use crate::ask::{AskArgs, off_mesh};
use crate::failure::Failure;
use crate::inspect::UNUSABLE;
use crate::{files, mesh};
use detour::{MeshError, NavMesh, Place, Query, Vec3};
use hierarchy::{ClusterCoord, FarError, FarPath, FarPlace, FarPlanner, Hierarchy};
use navtile::file::Seekable;
use navtile::{NavStore, StoreError, Tile, TileCoord};
use rayon::prelude::*;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The reason for an answer of no.
pub(crate) const CUT_OFF: &str = "the goal cannot be reached from the start";

/// A file with a hierarchy, whose tiles are not loaded.
pub(crate) struct World {
    path: PathBuf,
    store: NavStore<Seekable<File>>,
    pub(crate) hierarchy: Hierarchy,
    /// The number of the class that questions are for.
    pub(crate) class: usize,
}

/// The ends of a far question.
pub(crate) struct Ends([End; 2]);

/// An end of a far question: the tiles around it, and its place on them.
struct End {
    mesh: NavMesh,
    /// The place, and its distance from the place that was given; or the reason for having none.
    found: Result<(Place, f32), String>,
}

impl World {
    /// Opens a file for questions of a class: of the only class if none is named.
    pub(crate) fn open(path: &Path, class: Option<&str>) -> Result<World, Failure> {
        const REMEDY: &str = "bake the level again with `navtile bake --hierarchy`";
        let (file, _) = files::open_replaceable(path).map_err(|error| files::unreadable(path, &error))?;
        let store = NavStore::open(Seekable::new(file)).map_err(|error| Failure::of(path, error))?;
        let Some(bytes) = store.hierarchy() else {
            let problem = "has no hierarchy, which answers far questions";
            return Err(Failure::of(path, problem).help(REMEDY));
        };
        let bytes = bytes.map_err(|error| Failure::of(path, error))?;
        let hierarchy = Hierarchy::from_bytes(&bytes).map_err(|error| Failure::of(path, error))?;
        if hierarchy.grid().tile_cells != store.meta().tile_cells {
            return Err(Failure::of(path, "its hierarchy is for tiles of another size").help(REMEDY));
        }
        let class = class_of(path, &hierarchy, class)?;
        Ok(World { path: path.to_owned(), store, hierarchy, class })
    }

    /// The name of the class.
    pub(crate) fn class_name(&self) -> String {
        self.hierarchy.classes()[self.class].name.clone()
    }

    /// The mesh of the tiles in some clusters.
    pub(crate) fn mesh(&self, is_needed: impl Fn(ClusterCoord) -> bool) -> Result<NavMesh, Failure> {
        let grid = self.hierarchy.grid();
        let coords = self.store.coords().into_iter();
        let coords: Vec<TileCoord> = coords.filter(|coord| is_needed(grid.cluster_of(*coord, 0))).collect();
        let tiles: Result<Vec<Tile>, StoreError> =
            coords.par_iter().filter_map(|coord| self.store.tile(*coord)).collect();
        let tiles = tiles.map_err(|error| Failure::of(&self.path, error))?;
        let unusable = |error: MeshError| Failure::of(&self.path, error).help(UNUSABLE);
        let mut mesh = NavMesh::new(mesh::anchor(&tiles)).map_err(unusable)?;
        mesh.add_tiles(tiles).map_err(unusable)?;
        Ok(mesh)
    }

    /// The start and the goal, each on the tiles of all clusters that it may be snapped to.
    pub(crate) fn ends(&self, ask: &AskArgs, from: [f64; 3], to: [f64; 3]) -> Result<Ends, Failure> {
        Ok(Ends([self.end(ask, "start", from)?, self.end(ask, "goal", to)?]))
    }

    fn end(&self, ask: &AskArgs, name: &str, at: [f64; 3]) -> Result<End, Failure> {
        let around = self.hierarchy.clusters_around(at, ask.snap);
        let mesh = self.mesh(|cluster| around.contains(&cluster))?;
        let filter = &self.hierarchy.classes()[self.class].filter;
        let half_extents = Vec3::from_array(ask.snap.map(|extent| extent as f32));
        let nearest = Query::new().nearest(&mesh, mesh.from_world(at), half_extents, filter);
        let found = nearest.map_err(|error| off_mesh(name, at, half_extents, &error));
        Ok(End { found: found.map(|nearest| (nearest.place(), nearest.distance)), mesh })
    }

    /// A plan between two places; `None` if no path exists.
    pub(crate) fn plan(
        &self,
        planner: &mut FarPlanner,
        [start, goal]: [FarPlace<'_>; 2],
    ) -> Result<Option<FarPath<'_>>, Failure> {
        let plan = planner.plan(&self.hierarchy, self.class, start, goal);
        plan.map_err(|error: FarError| Failure::of(&self.path, error))
    }
}

impl Ends {
    /// The places; or the reasons for having none.
    pub(crate) fn places(&self) -> Result<[FarPlace<'_>; 2], String> {
        match &self.0 {
            [End { mesh, found: Ok((start, _)) }, End { mesh: other, found: Ok((goal, _)) }] => {
                Ok([FarPlace { mesh, place: *start }, FarPlace { mesh: other, place: *goal }])
            }
            ends => {
                let reasons = ends.iter().filter_map(|end| end.found.as_ref().err().map(String::as_str));
                Err(reasons.collect::<Vec<_>>().join("; "))
            }
        }
    }

    /// The distance of each end from its place on the mesh, metres; `None` if there is no such place.
    pub(crate) fn moved(&self) -> [Option<f32>; 2] {
        self.0.each_ref().map(|end| end.found.as_ref().ok().map(|(_, distance)| *distance))
    }

    /// Number of tiles that were loaded.
    pub(crate) fn tiles(&self) -> usize {
        self.0.iter().map(|end| end.mesh.tile_count()).sum()
    }
}

/// The number of a class: of the only class if none is named.
fn class_of(path: &Path, hierarchy: &Hierarchy, name: Option<&str>) -> Result<usize, Failure> {
    let classes = hierarchy.classes();
    let names: Vec<String> = classes.iter().map(|class| class.name.escape_debug().to_string()).collect();
    let known = format!("the classes of the hierarchy are {}", names.join(", "));
    match name {
        Some(name) => hierarchy.class(name).ok_or_else(|| {
            let name = name.escape_debug();
            Failure::call(format!("{}: there is no class `{name}`", path.display())).help(known)
        }),
        None if classes.len() == 1 => Ok(0),
        None => Err(Failure::call(format!("{}: has several classes", path.display()))
            .help(format!("choose one with --class; {known}"))),
    }
}
