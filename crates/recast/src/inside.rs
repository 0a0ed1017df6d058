//! The inside of the bake, for the crates next to this one: `navlevel` bakes tiles from cached spans with
//! obstacles, `navlinks` reads the ground of tiles, and `navexplain` asks the stages why. Not for other
//! users: this changes without notice.

pub use crate::build::{bake, bake_marked};
pub use crate::data::outline_triangle::OutlineTriangle;
pub use crate::outline::WallLines;
pub use crate::settings::area_order::AreaOrder;
pub use crate::source::{Cut, Source};
pub use crate::tile_bake::{Tap, TileBake};
pub use crate::volume::Footprint;

/// Data within stages.
pub mod data {
    pub use crate::data::column_spans::{KnownFloors, MergedSpans, SpanColumns};
    pub use crate::data::fragment::{Fragment, FragmentField};
    pub use crate::data::require;
}

/// The fused stages.
pub mod fast {
    pub use crate::fast::{Params, SweptFloors, connect, cut, floors};
}

/// Triangles.
pub mod geometry {
    pub use crate::geometry::is_degenerate;
    pub use crate::slope::{SLOPE_TOLERANCE, SlopeLimit, up};
    pub use crate::triangle_sum::canonical_corners;
}

/// The ground that a tile keeps for links.
pub mod ground {
    pub use crate::ground::column::{CutRange, GroundColumn};
    pub use crate::ground::floor::{GroundFloor, NO_FLOOR, OFFSETS, is_over_seam, over_seam, sides_of};
    pub use crate::ground::tile_ground::GroundLists;
    pub use crate::ground::tile_ladders::{LadderCutter, LadderSurface, TileLadders};
}

/// Prisms over the ground that obstacles mark.
pub mod ground_mark {
    pub use crate::ground_mark::{ConvexOutline, GroundMark, Prism, for_each_column};
}

/// The digest of a tile's input.
pub mod input_hash {
    pub use crate::input_hash::{of_tile, reaches};
}

/// Islands of regions.
pub mod islands {
    pub use crate::islands::{beside, reachable};
}

/// Sorted lists.
pub mod lists {
    pub use crate::lists::{bucket_sort, partition_point};
}

/// Expected memory.
pub mod memory {
    pub use crate::memory::{check, most_floors, of_spans, of_tile};
}

/// Polygons that share vertices.
pub mod meshing {
    pub use crate::meshing::adjacency::{Buffers, connect, find_portals};
    pub use crate::meshing::vertices::SharedVertices;
}

/// Erosion by the distance from triangles.
pub mod outline {
    pub use crate::outline::{NoRoom, Params, erode, no_room};
}

/// Parts of stages.
pub mod stage {
    pub use crate::stage::compact::find_neighbours;
    pub use crate::stage::distance_field::distances;
    pub use crate::stage::filter_ledges::{Ledge, find_ledge};
    pub use crate::stage::rasterize::cut::{Lines, cut};
    pub use crate::stage::rasterize::{merge_column, quantise};
    pub use crate::stage::regions::row_sweep::sweep;
}
