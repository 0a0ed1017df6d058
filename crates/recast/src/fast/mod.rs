//! The fast wing: stages 2 to 7 and 9 again, fused, in lanes, by runs and on several threads.
//!
//! The plain stages in [`crate::stage`] define the results; property tests hold the functions here equal to
//! them, bit by bit. A bake whose intermediate results are observed runs the plain stages, any other bake
//! runs these. Readers who only want to know how the bake works can ignore this folder.
//!
//! | here | plain | instructions, nav_test at 0.1 m |
//! |---|---|---|
//! | [`cut()`] | [`FragmentField::cut`] | as the next |
//! | [`floors()`] | [`rasterize`], three filters, floors of [`compact`] | with the next 1,002 M, here 390 M |
//! | [`connect()`] | neighbours of [`compact`] | see above |
//! | [`erode()`], [`distance_field()`] | [`erode`], [`distance_field`] | 210 M, here 70 M |
//!
//! [`FragmentField::cut`]: crate::stage::rasterize::FragmentField::cut
//! [`rasterize`]: crate::stage::rasterize
//! [`compact`]: crate::stage::compact
//! [`erode`]: crate::stage::erode
//! [`distance_field`]: crate::stage::distance_field
//!
//! A whole bake there takes 690 M.
//!
//! # The words
//!
//! ```text
//!              columns x ->
//!            |   |   |   |   |   |   |   |   |   a band is the rows that one thread processes
//!   rows z   +---+---+---+---+---+---+---+---+
//!     |      |   |   |   |A__|___|___|   |   |   a strip is eight rows, whose fragments are sorted by column
//!     v      +---+---+---+/--+---+--/+---+---+
//!            |   |   | s/i|ce|   | / |   |   |   a slice is a triangle's part in a row: up to five corners;
//!            +---+---+/--+---+---+/--+---+---+   four are made at once, one per lane, and cut by columns
//!            |   |   /   |   |  /|   |   |   |   the heights in a column, rounded to cells, are a fragment
//!            +---+--/+---+---+/--+---+---+---+   (one number: top, bottom, area)
//!            |   | B-----+---C   |   |   |   |
//!            +---+---+---+---+---+---+---+---+
//!
//!   fragments of a column --sorted, merged--> spans --the space between--> openings --no ledges--> floors
//!
//!   a run is consecutive floors whose eight neighbours have the same distances in the list of floors;
//!   a stretch is consecutive items that are treated alike: a run, or floors one by one
//! ```
//!
//! # The sweep
//!
//! [`floors()`] processes a band strip by strip (`strips.rs`) and holds the fragments of one strip and the
//! openings of three rows. As soon as the row below is there, a row is filtered and its floors are kept. So
//! the span field, ten times as large as everything else, never exists. Bands overlap by a row on either
//! side, and their floors are appended in order.
//!
//! # Why the shortcuts are exact
//!
//! - *Four rows at once* (`slices.rs`): lanes compute exactly what a single number would give. Each lane cuts
//!   the triangle's own edges, from the end with the smaller z or x, so neither the strip nor the grid
//!   matters. A corner that a slice lacks has the place of another one; an edge without extent crosses no
//!   line. If an edge does not cross a line, the result is arbitrary, even NaN, and is masked out before it
//!   is compared.
//! - *The same cells in all columns* (`slices.rs`): a level triangle has one height. Slices within one layer
//!   of cells, with a margin larger than the rounding error, are rounded to that layer, for any part of them
//!   in a column. Then only the columns have to be found.
//! - *Nearest line by computing* (`lines.rs`): a product that never decreases as the number grows, rounded,
//!   names one of the two lines around it if each line is within a quarter of a cell of its own product; this
//!   is checked once per grid.
//! - *Merging in sorted order, with one number as key*: fragments are ordered by (top, bottom, area), which
//!   are the bits of the number from the highest down. Tops only rise, so everything that a fragment can meet
//!   is at the end of the list.
//! - *A single fragment* (`openings.rs`) is a span below open sky: there is nothing to merge and nothing to
//!   filter.
//! - *Level ground is not a ledge* (`ledges.rs`): an opening is compared with the openings at the same index
//!   in the four next columns, if all five columns have the same number of openings. If the climb is at most
//!   the height, others do not matter: lower ones have too low a ceiling, higher ones begin too high.
//! - *Openings too low for an agent are dropped before the ledge filter*: it ignores them anyway, because an
//!   opening that counts must reach the agent's height above both floors.
//! - *Every step leads in both directions* (`connect.rs`): if twice the climb is at most the height, a floor
//!   has at most one neighbour on each side, and is that neighbour's neighbour in turn.
//! - *Runs* (`distance_field.rs`, `erode.rs`): in a run, a row's distances depend on the row before it, which
//!   is complete, and on the previous floor. The former is a loop over contiguous slices, the latter remains
//!   a loop from floor to floor.
//! - *Bands of distances*: a band is swept as if nothing came in from outside. Then anything that does come
//!   in is spread into it, row by row, until a row stays unchanged: a row depends only on the previous one.
//!
//! Lanes are in `lanes.rs`, four of them on every processor: results do not depend on the machine.

mod bands;
mod connect;
mod distance_field;
mod erode;
mod floors;
mod in_order;
mod lanes;
mod ledges;
mod lines;
mod openings;
mod slices;
mod strips;
mod sweep;

use crate::settings::Config;
pub(crate) use bands::threads;
pub use connect::connect;
pub(crate) use distance_field::distance_field;
pub(crate) use erode::erode;
pub use floors::{SweptFloors, floors};
pub(crate) use strips::STRIP;
pub use strips::cut;

/// Parameters of the sweep, which are those of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// See [`crate::stage::rasterize::Params::merge_threshold`].
    pub merge_threshold: i32,
    /// Clearance the agent needs, cells.
    pub walkable_height: i32,
    /// Highest step, cells.
    pub walkable_climb: i32,
    /// True if the spans are kept, for links.
    pub keep_spans: bool,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            merge_threshold: config.walkable_climb,
            walkable_height: config.walkable_height,
            walkable_climb: config.walkable_climb,
            keep_spans: !config.settings.links.is_empty(),
        }
    }
}
