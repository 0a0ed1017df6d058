//! Far paths: plans over a world whose tiles are not loaded.
//!
//! A world of 8 x 8 km has a quarter of a million tiles, and a game holds a few hundred of them. A
//! [`Hierarchy`] holds what a path over the others needs: some 25 bytes a tile. It cuts the world into
//! *clusters*, squares of tiles about 64 m wide, and clusters into larger ones of 4 x 4. Each stretch of
//! open border between two clusters has *crossings*, and each cluster knows what the shortest paths inside
//! of it between its crossings cost.
//!
//! ```text
//!   ┌────●───┬────────┐     A plan leads from crossing to crossing (●). Near its ends it is made of the
//!   │ s  │   ●        │     smallest clusters, in between of larger ones, which it turns into smaller
//!   ├──●─┼───┼──●─────┤     ones when it is asked for its stops.
//!   │    ●   │     g  │
//!   └────┴───┴────────┘
//! ```
//!
//! - [`Hierarchy::build`] makes it from all tiles, [`Hierarchy::update`] after some have changed: the result
//!   is the same, byte for byte. [`Hierarchy::to_bytes`] and [`Hierarchy::from_bytes`] store it.
//! - [`Hierarchy::set_closed`] closes portals between clusters while the game runs: a bridge that is down, a
//!   gate, an elevator. Plans count them everywhere, also where no tiles are loaded.
//! - [`FarPlanner::plan`] finds a plan with a lower and an upper bound of the length of the shortest path;
//!   `None` if no path exists. Only the tiles of the clusters around start and goal must be loaded.
//! - [`FarPlanner::stops`] turns it into places, and names the cluster of each leg, whose tiles
//!   ([`Hierarchy::columns`]) are to be loaded before an agent comes there.
//! - [`FarRoute`] goes along the stops with an agent: the stop to walk to by `Query::find_path`, a few legs
//!   ahead, the tiles that the next legs need, and whether a change calls for another plan.
//! - [`FarPlanner::guide`] makes long searches on a loaded mesh touch a corridor instead of an ellipse.
//!
//! Lengths and costs are those of paths as seen from above, as `Query::shortest_path` has them. The upper
//! bound is the cost of a path that exists. For the lower bound, a path may pass a stretch of border
//! anywhere, so a hop costs at least what it costs between the crossings, less the distances along the
//! border to both. With areas of different costs the lower bound is weak: it knows only the cheapest area.
//!
//! Source: A. Botea, M. Müller, J. Schaeffer, Near optimal hierarchical path-finding (2004; HPA*), on
//! meshes instead of grids, with levels as in D. Delling, A. Goldberg, T. Pajor, R. Werneck, Customizable
//! route planning (2011). The bounds, and crossings for parts of open borders, are our own.

#![forbid(unsafe_code)]

mod block;
mod border;
mod build;
mod bytes;
mod costs;
mod error;
mod grid;
mod guide;
mod join;
mod jumps;
mod level;
mod measure;
mod outline;
mod plan;
mod portal;
mod route;
mod search;
mod settings;
mod tiles;
mod twins;
mod upper;
mod within;

pub use bytes::HierarchyBytesError;
pub use error::{FarError, HierarchyError};
pub use grid::{ClusterCoord, ClusterGrid};
pub use join::FarPlace;
pub use measure::MeasureError;
pub use plan::{FarPath, FarPlanner, FarStop};
pub use portal::Portal;
pub use route::FarRoute;
pub use settings::{Class, HierarchySettings};
pub use tiles::{TileOverlay, Tiles};
pub use within::Guide;

use level::Level;
use navmath::Lattice;
use std::collections::BTreeSet;

/// The clusters of a world, and the costs between their doors.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    grid: ClusterGrid,
    lattice: Lattice,
    classes: Vec<Class>,
    /// The longest part of a stretch with one crossing, 1/256 cell.
    spacing: i64,
    /// The clusters between which off-mesh links lead, joined or not.
    links: BTreeSet<[ClusterCoord; 2]>,
    /// The closed portals, whether they exist at the moment or not.
    closed: BTreeSet<Portal>,
    levels: Vec<Level>,
}

impl Hierarchy {
    /// The sizes of tiles and clusters.
    pub fn grid(&self) -> ClusterGrid {
        self.grid
    }

    /// The classes that it has costs for.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The number of a class.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.name == name)
    }

    /// The columns and rows of the grid of tiles that a cluster of the first level covers: x and z.
    pub fn columns(&self, cluster: ClusterCoord) -> impl Iterator<Item = [i32; 2]> {
        self.grid.columns(cluster)
    }

    /// The cluster of the first level around a place, world metres. A place that no tile can have is in the
    /// nearest cluster.
    pub fn cluster_at(&self, place: [f64; 3]) -> ClusterCoord {
        self.grid.cluster_at(&self.lattice, place)
    }

    /// The clusters of the first level whose tiles a start or goal needs: all that reach into a box around
    /// its place. World metres; `reach` is the extent of the box to each side.
    pub fn clusters_around(&self, place: [f64; 3], reach: [f64; 3]) -> BTreeSet<ClusterCoord> {
        // A cell more than the reach, for polygons that just touch it.
        let corner = |by: f64| {
            self.cluster_at([0, 1, 2].map(|axis| place[axis] + by * (reach[axis] + self.lattice.cell_size)))
        };
        let [least, most] = [-1.0, 1.0].map(corner);
        let is_near = |coord: &ClusterCoord| {
            (least.x..=most.x).contains(&coord.x) && (least.z..=most.z).contains(&coord.z)
        };
        let level = &self.levels[0];
        level.clusters().map(|cluster| level.coord(cluster)).filter(is_near).collect()
    }

    /// The number of clusters of each level.
    pub fn cluster_counts(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.clusters().count()).collect()
    }

    /// The number of crossings of each level.
    pub fn crossing_counts(&self) -> Vec<usize> {
        self.levels.iter().map(Level::crossings).collect()
    }

    /// Memory that it takes, bytes.
    pub fn memory(&self) -> usize {
        self.levels.iter().map(Level::memory).sum()
    }
}

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
