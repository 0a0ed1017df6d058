//! The guarantees: what the bake holds beyond the textbook, whatever the ground.
//!
//! The stages in [`crate::stage`] are Recast's algorithms and call each rule here at one place. The rest of a stage can be
//! read without opening them: the table says what holds afterwards, the sections why it is needed and why it holds.
//!
//! | rule | called by | holds afterwards |
//! |---|---|---|
//! | [`overlaps`] | 10, regions | no region lies above itself |
//! | [`small_islands`] | 10, regions | ground is dropped by the size of all that steps connect |
//! | [`corner_ring`] | 11, trace contours | a corner has one height and one kind, from all regions and both tiles around it |
//! | [`seam_corners`] | 11, trace contours | both tiles at a border keep the same corners there |
//! | [`strips`] | `build.rs`, between 11 and 12 | no region borders on a side of another one that cannot be outlined |
//! | [`contacts`] | 12, simplify contours | outlines meet at common corners only, each on its side of all others |
//! | [`cover`] | 12, simplify contours | no outline that another counts on is gone; between regions is no gap and no overlap |
//! | [`refinement`] | `build.rs`, around 12 to 14 | contours that crossed themselves are simplified less until they do not |
//! | [`floors_under`] | 15, detail mesh | each column under a polygon has the floor, of its storey, that it stands for |
//! | [`ground_along`] | 15, detail mesh | both polygons at an edge, and both tiles at a seam, have the same vertices there |
//!
//! # Regions
//!
//! ```text
//!   a spiral, from the side      two small areas, from above      a cliff that another region goes on from
//!        a a a a                     a a a b b                       a a a a a a
//!      a         a                   a a a b c                       a a a|b b b     |: the cliff within a, whose
//!        a a a a                     a a a a a                       a a a a a a        upper side b continues
//! ```
//!
//! - *Overlaps*: a watershed floods by steps and comes round over its own start on a spiral; no outline goes around that.
//!   Pieces grow breadth first and take no second floor of a column, so each lies above itself nowhere. O(spans), only where
//!   a region overlaps. Test: `split_regions_do_not_lie_above_themselves`.
//! - *Small islands*: b and c, of areas of their own, are few cells, yet one walks over b from a to c. Whether ground goes must
//!   not depend on how regions cut it. Regions of a small island are small themselves, so only these are looked around from:
//!   O(spans of small regions). Tests: `all_ground_but_small_islands_is_in_regions`,
//!   `islands_of_generated_levels_do_not_depend_on_the_tiling`.
//! - *Strips*: a's outline along the cliff is a slit, out and back, that encloses nothing and is dropped; b would then border
//!   on a side that is not there. A strip of one row has no cliff in its midst. O(spans), and stages 11 to 14 once more.
//!   Test: `a_cliff_in_a_region_that_another_continues_bakes`.
//!
//! # Corners
//!
//! ```text
//!     x | y      four floors around a corner; x and w are a step too far apart:     this tile       a  a  a | b  b  .
//!     --+--      x - y - z - w are connected all the same, and all of them         border line     K--------R-----K
//!     w | z      find the highest of the four                                      tile beyond     c  c  c   c  c  .
//! ```
//!
//! - *Corner rings*: the reference looks at three floors around a corner, and which three depends on the side one comes from,
//!   so that neighbours had corners at two heights and no edge in common. The floors that steps connect around a corner are
//!   a set, the same from each of them; height and kind are functions of it. O(1) a corner; floors that wind around one
//!   like a stair are climbed both ways. Test: `corners_are_what_lies_around_them`.
//! - *Seam corners*: the border of a and b leaves a corner R that the tile beyond knows nothing of. Steps over the border
//!   that lie side by side make a chain; both tiles see its floors, its areas and its heights, border included, and keep its
//!   ends and the corners where it bends (K), by the same arithmetic. A straight portal stays within two climbs of the ground,
//!   and so near it that portals of two storeys never come within one climb. O(floors on the border), times the corners kept
//!   of a chain at worst. Tests: `both_sides_of_a_seam_have_the_same_portals`, `seams_of_generated_levels_are_sound`.
//!
//! # Outlines
//!
//! ```text
//!   traced     .--.    .--.        each simplified alone, the     a, b   .------.   the passage of one cell
//!           .--'  '----'  '--.     two chains cross where the          --'  ><  '--  between them is closed
//!           '----.      .----'     passage is one cell wide
//! ```
//!
//! - *Contacts*: edges that cross, touch, or have a corner of another chain between themselves and their own are split at
//!   their worst corner until there are none. A chain as traced meets nothing, so this ends; a place is between an edge and
//!   its chain if a ray from it crosses the two an odd number of times. (A. Saalfeld, 1999.) O(corners log corners) where
//!   chains are near few others. Tests: `a_passage_of_one_cell_stays_open`, `polygons_are_connected_as_the_floors_are`.
//! - *Cover*: regions less their holes cover as much as the edges beyond which there is none enclose, exactly if edges between
//!   regions cancel each other. O(corners), in whole numbers. Test: `generated_levels_bake_soundly`.
//! - *Refinement*: where a hole cannot be joined or a contour cannot be triangulated, the error of its region, and of the
//!   chains that it shares, is halved, and halved again; then it is as traced. Each time costs stages 12 to 14. Test:
//!   `generated_levels_bake_soundly`.
//!
//! # Heights
//!
//! ```text
//!   u u u u s        u: upper turn of a region, which the polygon is of
//!           |        s: the floor it leads to, of another region
//!   - - - - l l l    l: lower turn of the region, its own floor in that column
//! ```
//!
//! - *Floors under a polygon*: contours stray from the floors of their region by the error and more, and a region may pass
//!   itself on another storey in the column beside. Of a column counts the floor of the polygon's region; where that is of
//!   another turn, which the floors around the polygon's corners do not lead to, and where there is none, the floor that is
//!   stepped to from beside it. The stage holds each of these within the error. O(floors under the polygon). Tests:
//!   `a_polygon_stays_on_its_storey_where_its_region_passes_itself`,
//!   `detail_meshes_of_generated_levels_are_within_the_error`.
//! - *Ground along an edge*: vertices that one polygon adds on an edge and the other does not leave a crack. Within a tile an
//!   edge is looked at once, and both polygons keep what was found. At a seam the walk starts at the smaller end and asks the
//!   floors in the two rows beside the edge alone, which both tiles have, so that its vertices are a function of the edge.
//!   O(cells along it). Tests: as before, which compare both sides, and
//!   `an_edge_over_a_lower_storey_of_its_region_stays_on_the_upper`.

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
