//! Explains why a place has mesh or has no mesh: the stage that dropped the floor there, and the numbers that
//! decided.
//! Units: metres, square metres, degrees. Cost: one bake, and O(triangles + columns) on top. At most two
//! more bakes if cells may keep the mesh away from the place.
//!
//! The level is baked as usual, and a tap watches what each stage makes of the column that contains the
//! place. An explanation reports what the stages did and does not guess. Its numbers are those of the bake.

#![forbid(unsafe_code)]

mod empty;
mod erosion;
mod exact;
mod explanation;
mod link;
mod polygons;
mod regions;
mod tiled;
mod trace;
mod triangles;
mod way;

pub use empty::{EmptyGround, explain_empty};
pub use explanation::{Column, Covering, Explanation, Floor, Location};
pub use link::{explain_link, explain_links_from};
pub use navlinks::{Comparison, LinkExplanation, Reason, ReasonCode, place_words};
pub use tiled::explain_tiled;
pub use way::{Break, Change, REACH, WayExplanation, explain_way};

use navtile::TileCoord;
use recast::Error;
use recast::Observer;
use recast::Outlines;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use recast::bake_tapped;
use recast::inside::Source;
use recast::stage::{Context, mark_walkable};
use trace::Trace;

/// Bakes a tile and explains the place `at`, world metres. For a level baked as one tile, pass
/// [`TileBuild::solo`].
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navexplain::{Location, explain};
/// use recast::{Scratch, Silent, TileBuild};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// // A place right beside the edge of the floor, where the agent has no room.
/// let at = [0.4, 0.0, 4.5];
/// let explanation = explain(&level, &TileBuild::solo(&level), at, &Silent, &mut Scratch::new())?;
/// let Location::Column(column) = &explanation.location else { panic!("the place is inside the bounds") };
/// let cause = column.floors[0].cause.as_ref().expect("it is not part of the mesh");
/// assert_eq!(cause.name(), "eroded");
/// assert_eq!(cause.comparison().unwrap().setting, "agent.radius");
/// # Ok::<(), recast::Error>(())
/// ```
///
/// # Errors
/// The errors of the bake, [`Error::Cancelled`] among them.
pub fn explain(
    level: &PreparedLevel,
    build: &TileBuild,
    at: [f64; 3],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Explanation, Error> {
    let mut explanation = explain_once(level, build, at, observer, scratch)?;
    explanation.remedy = exact::remedy(level, &explanation, (observer, scratch), |level, scratch| {
        // Tiles have wider borders with exact outlines.
        let build = match build.grid.border {
            0 => *build,
            _ => TileBuild::tiled(level, build.grid.inner_width(), build.coord)?,
        };
        explain_once(level, &build, at, observer, scratch)
    })?;
    Ok(explanation)
}

/// Like [`explain`], without a remedy.
fn explain_once(
    level: &PreparedLevel,
    build: &TileBuild,
    at: [f64; 3],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Explanation, Error> {
    // Only distances from the triangles need their areas.
    let areas = match level.config.settings.outlines {
        Outlines::Exact => {
            mark_walkable::run(Source::all(level), &(&level.config).into(), &mut Context::new())?
        }
        _ => Vec::new(),
    };
    let Some(mut trace) = Trace::new((level, areas), build, at) else {
        let location = Location::Outside { baked: baked_range(level, build) };
        return Ok(Explanation { at, location, remedy: Vec::new() });
    };
    let baked = bake_tapped(level, build, observer, scratch, &mut |snapshot| trace.see(snapshot))?;
    Ok(Explanation { at, location: Location::Column(trace.finish(&baked.tile)), remedy: Vec::new() })
}

/// The tile that contains a place.
fn tile_at(level: &PreparedLevel, tile_cells: u32, at: [f64; 3]) -> TileCoord {
    let tile = |axis: usize| (cell_at(level, at, axis) / f64::from(tile_cells.max(1))).floor() as i32;
    TileCoord { x: tile(0), z: tile(2), layer: 0 }
}

/// The cell along an axis that contains a place.
fn cell_at(level: &PreparedLevel, at: [f64; 3], axis: usize) -> f64 {
    ((at[axis] - level.lattice.origin[axis]) / level.lattice.cell_size).floor()
}

/// The range that the grid covers along x and z, world metres.
fn baked_range(level: &PreparedLevel, build: &TileBuild) -> [[f64; 2]; 2] {
    let grid = &build.grid;
    let along = |axis: usize, base: i32, count: u32| {
        let base = i64::from(base);
        [base, base + i64::from(count)]
            .map(|line| level.lattice.origin[axis] + line as f64 * level.lattice.cell_size)
    };
    [along(0, grid.base_x, grid.width), along(2, grid.base_z, grid.depth)]
}

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
