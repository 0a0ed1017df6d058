//! The runtime: navigation mesh tiles in, answers to movement questions out.
//!
//! - [`NavMesh`]: a snapshot of tiles, the links between their polygons, and off-mesh links; cheap to clone,
//!   safe to share.
//! - [`Query`]: scratch memory for one thread at a time. Every operation is a method of it or of [`NavMesh`].
//! - [`Filter`]: decides which polygons may be entered and what a metre on them costs. Implement
//!   [`CostModel`] for rules of your own.
//! - [`Islands`]: the connected parts of the mesh. [`IslandChanges`]: the parts that were joined or fell
//!   apart between two snapshots.
//!
//! | question | verb |
//! |---|---|
//! | Which polygon is near, or below or above? | [`Query::nearest`], [`Query::below`], [`Query::above`] |
//! | Which polygons are in a box? | [`Query::polygons_in_box`] |
//! | How far off the mesh am I? | [`Query::nearest_anywhere`] |
//! | Where on this polygon? | [`NavMesh::closest_point`], [`NavMesh::height`] |
//! | Where on its boundary? | [`NavMesh::closest_point_on_boundary`] |
//! | How do I get there? | [`Query::route`] |
//! | The same step by step? | [`Query::find_path`] or [`SlicedPath`], then [`Query::straight_path`] |
//! | Many agents to one goal? | [`Query::field`] |
//! | By the shortest path of all? | [`Query::shortest_path`]; [`Query::shortcut`] for a path that has costs |
//! | What do I keep of it while I walk? | [`Corridor`] |
//! | How far straight ahead? | [`Query::raycast`] |
//! | Where does this step end? | [`Query::slide`] |
//! | How near is a wall? | [`Query::wall_distance`] |
//! | Where are the walls around? | [`Query::wall_segments`], [`Query::outline`] |
//! | What is around, and at what cost? | [`Query::around_circle`], [`Query::around_shape`] |
//! | What is around, without overlaps? | [`Query::neighbourhood`] |
//! | Somewhere to go? | [`Query::random_point`], [`Query::random_point_on`] |
//! | Somewhere near? | [`Query::random_around`], [`Query::random_within`] |
//! | Can I get there at all, and how near? | [`NavMesh::reachable`], [`Query::nearest_reachable`] |
//! | How does a path follow the ground? | [`Query::surface_path`] |
//! | How do I draw the mesh? | [`NavMesh::lines`], [`MeshLine::along`] |
//!
//! Positions are `f32` metres relative to the mesh's anchor, Y up. A negative answer is a value with a
//! reason; errors are for calls that cannot be answered. No call panics, for any arguments. Every search
//! ends: it visits each polygon, off-mesh link or visible portal at most once, and no more of them than the
//! query has nodes.
//!
//! ```
//! use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
//!
//! let mesh = NavMesh::default(); // then mesh.add_tiles(tiles)?, or mesh.add_tile(tile)? for one
//! let mut query = Query::new();
//! let answer = query.route(&mesh, Vec3::ZERO, Vec3::X, &Filter::default(), &RouteOptions::default());
//! assert!(answer.is_err()); // an empty mesh has nothing near the start, and says so
//! ```
//!
//! The feature `file` adds `NavMesh::open` and `Filter::of_areas`, which open a `.navtile` file in one call.
//! The feature `rayon` makes [`NavMesh::add_tiles`] prepare tiles on all threads of the current rayon pool.
//! The feature `state` adds `NavMesh::store_state` and `restore_state`, for doors and areas that were
//! changed.

#![forbid(unsafe_code)]

pub mod corridor;
pub mod error;
#[cfg(feature = "file")]
pub mod file;
pub mod filter;
pub mod island_changes;
pub mod islands;
pub mod mesh;
pub mod place;
pub mod poly_ref;
pub mod query;
pub mod slopes;

mod geometry;

pub use corridor::{Corridor, LinkAhead, Trimmed};
pub use error::{MeshError, NothingNear, QueryError, RefError, RefProblem, ShapeProblem, StateProblem};
#[cfg(feature = "file")]
pub use file::OpenError;
pub use filter::{Attributes, CostModel, Filter, FilterError, FilterId, Step, Uniformity};
pub use glam::Vec3;
pub use island_changes::IslandChanges;
pub use islands::{Island, Islands};
pub use mesh::{LineKind, Link, MeshLine, NavMesh, OffMesh, PolygonKind, PreparedTile, Reachable};
pub use place::Place;
pub use poly_ref::PolyRef;
pub use query::around::{Reached, Surroundings};
pub use query::closest::ClosestPoint;
pub use query::field::{Field, FieldChange, FieldStep};
pub use query::find_path::{Optimality, PartialReason, Path, PathOptions, PathStatus};
pub use query::ground_path::GroundPath;
pub use query::nearest::Nearest;
pub use query::neighbourhood::{Neighbour, Neighbourhood};
pub use query::outline::OutlineSegment;
pub use query::random_point::Ground;
pub use query::raycast::{Ray, RayEnd};
pub use query::route::{Route, RouteError, RouteLink, RouteOptions};
pub use query::shortest_path::{Passable, ShortestPath, UniformCost};
pub use query::sliced_path::{Progress, SlicedPath};
pub use query::slide::{Slide, SlideEnd};
pub use query::straight_path::{Corner, CornerKind, Crossings, StraightOptions, StraightPath};
pub use query::wall_distance::NearWall;
pub use query::{DEFAULT_MAX_NODES, Query};
pub use slopes::{SlopeError, Slopes};

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
