//! The guarantees: properties that every bake has beyond the textbook, on any ground.
//!
//! The stages in [`crate::stage`] are Recast's algorithms and call each rule here at one place. The rest of a
//! stage can be read without opening the rules: the table lists the property that each ensures, the sections
//! why it is needed and why it holds.
//!
//! | rule | called by | afterwards |
//! |---|---|---|
//! | [`overlaps`] | 10, regions | no region overlaps itself |
//! | [`small_islands`] | 10, regions | ground is dropped by the size of everything that steps connect to it |
//! | [`corner_ring`] | 11, trace contours | a corner has one height and one kind in all regions and tiles |
//! | [`seam_corners`] | 11, trace contours | both tiles at a border keep the same corners there |
//! | [`strips`] | `build.rs`, between 11 and 12 | no region borders on a side that another cannot outline |
//! | [`contacts`] | 12, simplify contours | outlines meet at common corners only, and keep their sides |
//! | [`cover`] | 12, simplify contours | no needed outline is gone; regions have no gaps and no overlaps |
//! | [`refinement`] | `build.rs`, around 12 to 14 | contours are simplified less until none crosses itself |
//! | [`floors_under`] | 15, detail mesh | each column under a polygon has the floor that it represents |
//! | [`ground_along`] | 15, detail mesh | polygons at an edge and tiles at a seam have the same vertices |
//!
//! # Regions
//!
//! ```text
//!   a spiral, from the side      two small areas, from above      a cliff that another region continues
//!        a a a a                     a a a b b                       a a a a a a
//!      a         a                   a a a b c                       a a a|b b b   |: cliff within a, whose
//!        a a a a                     a a a a a                       a a a a a a      upper side b continues
//! ```
//!
//! - *Overlaps*: a watershed floods by steps and comes around above its own start on a spiral; no outline can
//!   surround that. Pieces grow breadth first and take no second floor of a column, so no piece overlaps
//!   itself. O(spans), and only if a region overlaps. Test: `split_regions_do_not_lie_above_themselves`.
//! - *Small islands*: b and c, with areas of their own, are only a few cells, yet agents walk over b from a
//!   to c. The decision to drop ground must not depend on how regions divide it. Regions of a small island
//!   are small themselves, so the search starts only from these: O(spans of small regions). Tests:
//!   `all_ground_but_small_islands_is_in_regions`, `islands_of_generated_levels_do_not_depend_on_the_tiling`.
//! - *Strips*: a's outline along the cliff is a slit, out and back, that encloses nothing and is dropped; b
//!   would then border on a side that does not exist. A strip of one row has no cliff inside. O(spans), and
//!   stages 11 to 14 once more. Test: `a_cliff_in_a_region_that_another_continues_bakes`.
//!
//! # Corners
//!
//! ```text
//!     x | y      x and w are a step too far apart; x - y - z - w       this tile    a  a  a | b  b  .
//!     --+--      are connected all the same, and all of them           border line  K--------R-----K
//!     w | z      find the highest of the four                          other tile   c  c  c   c  c  .
//! ```
//!
//! - *Corner rings*: the reference examines three floors around a corner, and which three depends on the
//!   side, so neighbouring regions had corners at two heights and no edge in common. The floors that steps
//!   connect around a corner are a set, the same from each of them; height and kind are functions of it. O(1)
//!   per corner; floors that wind around one like a stair are climbed in both directions. Test:
//!   `corners_are_what_lies_around_them`.
//! - *Seam corners*: the border of a and b leaves a corner R that the other tile does not know. Consecutive
//!   steps over the border make a chain. Both tiles see its floors, its areas and its heights, including the
//!   border, and keep its ends and the corners where it bends (K), by the same arithmetic. A straight portal
//!   stays within two climbs of the ground, and so near it that portals of two storeys never come within one
//!   climb. O(floors on the border), times the corners kept of a chain at worst. Tests:
//!   `both_sides_of_a_seam_have_the_same_portals`, `seams_of_generated_levels_are_sound`.
//!
//! # Outlines
//!
//! ```text
//!   traced     .--.    .--.        each simplified alone, the     a, b   .------.   the passage of one cell
//!           .--'  '----'  '--.     two chains cross where the          --'  ><  '--  between them is closed
//!           '----.      .----'     passage is one cell wide
//! ```
//!
//! - *Contacts*: edges that cross, touch, or have a corner of another chain between themselves and their own
//!   chain are split at their worst corner until no such edges are left. A chain as traced meets nothing, so
//!   this ends. A place is between an edge and its chain if a ray from it crosses the two an odd number of
//!   times (A. Saalfeld, 1999). O(corners log corners) if chains are near few others. Tests:
//!   `a_passage_of_one_cell_stays_open`, `polygons_are_connected_as_the_floors_are`.
//! - *Cover*: regions without their holes cover the same area that the edges without a region on the other
//!   side enclose if, and only if, edges between regions cancel each other. O(corners), in whole numbers.
//!   Test: `generated_levels_bake_soundly`.
//! - *Refinement*: if a hole cannot be joined or a contour cannot be triangulated, the error of its region,
//!   and of the chains that it shares, is halved, and halved again; then the outline is kept as traced. Each
//!   time costs stages 12 to 14. Test: `generated_levels_bake_soundly`.
//!
//! # Heights
//!
//! ```text
//!   u u u u s        u: upper turn of the polygon's region
//!           |        s: the floor that it leads to, of another region
//!   - - - - l l l    l: lower turn of the region, its own floor in that column
//! ```
//!
//! - *Floors under a polygon*: contours deviate from the floors of their region by the error and more, and a
//!   region may pass itself on another storey in the next column. The floor of the polygon's region counts in
//!   a column. If there is no such floor, or if it is on another turn, which the floors around the polygon's
//!   corners do not lead to, the floor that a step from the next column leads to counts. The stage keeps the
//!   mesh within the error of each of these. O(floors under the polygon). Tests:
//!   `a_polygon_stays_on_its_storey_where_its_region_passes_itself`,
//!   `detail_meshes_of_generated_levels_are_within_the_error`.
//! - *Ground along an edge*: if one polygon adds vertices on an edge and the other does not, they leave a
//!   crack. Within a tile an edge is examined once, and both polygons keep the result. At a seam the walk
//!   starts at the smaller end and reads only the floors in the two rows next to the edge, which both tiles
//!   have, so its vertices are a function of the edge. O(cells along it). Tests: as above, which compare both
//!   sides, and `an_edge_over_a_lower_storey_of_its_region_stays_on_the_upper`.

pub(crate) mod contacts;
pub(crate) mod corner_ring;
pub(crate) mod cover;
pub(crate) mod floors_under;
pub(crate) mod ground_along;
pub(crate) mod overlaps;
pub(crate) mod refinement;
pub(crate) mod seam_corners;
pub(crate) mod small_islands;
pub(crate) mod strips;
