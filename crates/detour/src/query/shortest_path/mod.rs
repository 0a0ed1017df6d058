//! The shortest path, at any angle, through any polygons.
//!
//! The path has the least length *as seen from above* among all paths over connected ground and off-mesh
//! links. Heights decide which ground is connected (storeys above one another are distinguished) and do not
//! count in the length: on a slope the path over the surface is longer than the compared length. A link
//! counts the distance of its ends in space, as in every search. Every metre costs the same; the type system
//! refuses a filter with costs, see [`UniformCost`].
//!
//! It is a best-first search over views: a root (the start, or a corner where the path bends), and the part
//! of a portal that it sees, kept as two bounds. From there the root sees into the polygon beyond. If a bound
//! is an end of the portal and the ground ends there, the path may bend. Bounds are corners of the mesh,
//! never computed points, and left and right are decided in integers, so nothing depends on an epsilon:
//! collinear edges, portals seen edge-on, ends on edges and on corners are handled as cases of their own. A
//! path to a corner is dropped if it is longer than a known path. Across a seam a portal is the part of an
//! edge that two polygons share.
//!
//! Off-mesh links: if a root sees the entry of a link, the far end of the link becomes a root too, which
//! looks all around as the start does. The remaining distance is estimated by straight lines. This holds over
//! links because every link counts at least the distance of its ends from above. Through a link between edges
//! a root sees the ground beyond. For the same reason no shortest path leaves a polygon and comes back to it,
//! not even over links: the polygon is convex, so the path through it is at most as long. So a link between
//! two places of one polygon is never taken, and among equally long paths the path over ground wins.
//!
//! Exactness: start, goal and ends of links are moved by at most 1/128 cell so that they are in their
//! polygons in integers. Corners are exactly as in the blob up to 32,768 cells from the mesh's anchor. The
//! path is the shortest between the moved ends; it is returned with the original ends. Its length equals that
//! of a visibility graph (tests: `optimal`, `optimal_links`).
//!
//! One case is not exact. Floors above one another may share a part of a portal at a seam (both within a
//! climb of the floor beyond, which takes an agent lower than two climbs). A path from one to the other
//! passes through the portal and back. It is found, and bends at an end of the shared part, but the shortest
//! path may bend in its middle.
//!
//! Cost: each corner of a path and each end of a link examines its view, up to O(n) portals and the links
//! that can be entered there. The nodes of a search (portals seen, polygons about a corner) are bounded by
//! the query's nodes. A clear view takes only the portals along it. Among nodes with equal estimates the
//! latest is taken first, so the answer is deterministic.
//! Source: M. Cui, D. Harabor, A. Grastien, Compromise-free pathfinding on a navigation mesh (IJCAI 2017;
//! Polyanya). Differences: bounds instead of intersection points; corners are found at run time, by turning
//! about an end, so that loading a tile costs nothing; a path continues from a corner by fanning over the
//! polygons about it.

mod corners;
mod edges;
mod nodes;
mod off_mesh;
mod plane;
mod search;
mod uniform;

use super::Query;
use super::find_path::{PartialReason, PathStatus};
use super::straight_path::{Corner, CornerKind};
use super::straighten::{Straightener, rounding};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};
use nodes::{NONE, RootPlace, Sight};
use off_mesh::link_length;
use plane::{ahead, leftness};
use search::{Outcome, SightSearch};

pub(super) use nodes::{SightScratch, Turn};
pub(super) use plane::Plane;
pub use uniform::{Passable, UniformCost};

/// A path of least length. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShortestPath {
    /// Complete if the path reaches the goal, otherwise the reason why it does not.
    pub status: PathStatus,
    /// The start, the corners where it bends and the ends of off-mesh links, then the goal or the end of the
    /// path; at least two points after a search. They are as [`Query::straight_path`] writes them.
    pub corners: Vec<Corner>,
    /// The polygons that it leads through or touches, the start's first, and the off-mesh links that it
    /// takes; each has a link to the next. The string pulled through them ([`Query::straight_path`]) is this
    /// path, and a [`Corridor`](crate::Corridor) can follow it.
    pub polygons: Vec<PolyRef>,
    /// Its length, metres, which is the least possible: over ground as seen from above, over off-mesh links
    /// the distance of their ends in space. So it is more than
    /// [`StraightPath::length_from_above`](crate::StraightPath::length_from_above) if links climb or drop.
    pub length_from_above: f64,
    /// Number of nodes that the search used.
    pub touched: usize,
}

impl Query {
    /// Finds the path of least length, as seen from above, from `start` to `goal`, over ground and off-mesh
    /// links, and writes it to `path`. If there is no such path, it leads to the visible point nearest to the
    /// goal, and its status is the reason.
    ///
    /// Start and goal are on polygons; off-mesh links are refused. Ends that are not over their polygons are
    /// moved onto them. The filter is asked about both polygons and links. The start's polygon need not pass
    /// the filter. A search uses up to [`Query::max_nodes`] nodes. There may be more nodes than polygons: a
    /// few for each portal in sight of a corner. 65,536 nodes take about 10 MB. A path with status
    /// [`PathStatus::Complete`] is the shortest, even if nodes ran out.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// # let (mut query, filter) = (detour::Query::new(), detour::Filter::default());
    /// # let box_size = detour::Vec3::new(1.0, 2.0, 1.0);
    /// # let start = query.nearest(&mesh, detour::Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// # let goal = query.nearest(&mesh, detour::Vec3::new(10.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let mut path = detour::ShortestPath::default();
    /// query.shortest_path(&mesh, start, goal, &detour::Passable::default(), &mut path)?;
    /// assert!(path.length_from_above >= f64::from((goal.point - start.point).with_y(0.0).length()) - 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest_path(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Place,
        filter: &impl UniformCost,
        path: &mut ShortestPath,
    ) -> Result<(), QueryError> {
        self.shortest_by(mesh, start, goal, filter, path)
    }

    /// [`Query::shortest_path`] for a model that the caller knows to be uniform.
    pub(super) fn shortest_by(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Place,
        filter: &impl CostModel,
        path: &mut ShortestPath,
    ) -> Result<(), QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal.point)?;
        let (first, last) = (mesh.locate(start.polygon)?, mesh.locate(goal.polygon)?);
        let start = Place { point: first.kept_inside(start.point), ..start };
        let goal = Place { point: last.kept_inside(goal.point), ..goal };
        let excluded = !filter.passes(&last.attributes());
        let max_nodes = self.max_nodes().get();
        let mut search = SightSearch::new(mesh, filter, &mut self.sight, [start, goal], max_nodes)?;
        let outcome = search.run()?;
        path.touched = search.scratch.nodes.len();
        path.status = match outcome {
            Outcome::Found(_) => PathStatus::Complete,
            _ if excluded => PathStatus::Partial(PartialReason::GoalExcluded),
            Outcome::OutOfNodes => PathStatus::Partial(PartialReason::OutOfNodes),
            Outcome::Exhausted => PathStatus::Partial(PartialReason::Unreachable),
        };
        let (node, end) = match outcome {
            Outcome::Found(node) => (node, goal.point),
            _ => search.nearest(start)?,
        };
        search.write(node, end, path);
        path.length_from_above = path.corners.windows(2).map(|pair| leg_length(&pair[0], &pair[1])).sum();
        Ok(())
    }
}

fn leg_length(from: &Corner, to: &Corner) -> f64 {
    match from.kind {
        CornerKind::LinkStart => link_length(from.point, to.point),
        _ => length_from_above(from.point, to.point),
    }
}

fn length_from_above(a: Vec3, b: Vec3) -> f64 {
    (b.as_dvec3() - a.as_dvec3()).with_y(0.0).length()
}

/// Removes turns that exist only because positions are rounded.
fn straighten(corners: &mut Vec<Corner>) {
    let mut straightener = Straightener::new(DVec2::ZERO);
    let (mut kept, mut from) = (0, Vec3::ZERO);
    for at in 0..corners.len() {
        let corner = corners[at];
        let (point, slack) = (flat(corner.point), rounding([from, corner.point].map(flat)));
        let is_turn = corner.kind == CornerKind::Turn;
        let before =
            if is_turn { straightener.take(point, corner, slack) } else { straightener.end(point, slack) };
        let fixed = (!is_turn).then_some(corner);
        for corner in before.into_iter().chain(fixed) {
            corners[kept] = corner;
            (kept, from) = (kept + 1, corner.point);
        }
        if !is_turn {
            straightener = Straightener::new(point);
        }
    }
    corners.truncate(kept);
}

impl<C: CostModel> SightSearch<'_, C> {
    /// Writes the path to a node, and from there to `end`.
    fn write(&mut self, node: u32, end: Vec3, path: &mut ShortestPath) {
        let ShortestPath { corners, polygons, .. } = path;
        corners.clear();
        polygons.clear();
        let scratch = &*self.scratch;
        // Goes backwards, from the goal to the start.
        let last = scratch.nodes[node as usize].polygon;
        corners.push(Corner { point: end, kind: CornerKind::End, polygon: last });
        let found = matches!(scratch.nodes[node as usize].sight, Sight::Goal);
        let (mut at, mut before) = (node, if found { self.target } else { self.plane.point(end) });
        let mut left = None;
        while at != NONE {
            let here = scratch.nodes[at as usize];
            if polygons.last() != Some(&here.polygon) {
                polygons.push(here.polygon);
            }
            let root = &scratch.roots[here.root as usize];
            let comes_from =
                scratch.nodes.get(here.parent as usize).filter(|parent| parent.root != here.root);
            if let (RootPlace::Moved(passage), Some(_)) = (root.place, comes_from)
                && let Sight::Cone { .. } = here.sight
            {
                let passage = &scratch.edge_passages[passage as usize];
                let (entry, point, exit) = self.crossing_of(root, passage, before);
                polygons.push(passage.link);
                corners.push(Corner { point: exit, kind: CornerKind::LinkEnd, polygon: here.polygon });
                corners.push(Corner { point: entry, kind: CornerKind::LinkStart, polygon: passage.link });
                before = point;
            } else if let Sight::Fan { .. } = here.sight {
                // The path leaves a corner through the last of the polygons about it.
                let through = *left.get_or_insert(here.polygon);
                if let Some(parent) = comes_from {
                    let from = scratch.roots[parent.root as usize].point;
                    // There is no corner where the path is straight, or at its end.
                    let straight =
                        leftness(from, root.point, before) == 0 && ahead(root.point, from, before) <= 0;
                    if !straight {
                        corners.push(Corner { point: root.at, kind: CornerKind::Turn, polygon: through });
                        before = root.point;
                    }
                    left = None;
                }
            } else if let (RootPlace::LinkEnd(passage), Some(_)) = (root.place, comes_from) {
                let passage = &scratch.passages[passage as usize];
                polygons.push(passage.link);
                corners.push(Corner { point: root.at, kind: CornerKind::LinkEnd, polygon: here.polygon });
                corners.push(Corner {
                    point: passage.entry,
                    kind: CornerKind::LinkStart,
                    polygon: passage.link,
                });
                before = passage.entry_point;
            }
            at = here.parent;
        }
        let first = scratch.nodes.first().map_or(last, |node| node.polygon);
        corners.push(Corner { point: scratch.roots[0].at, kind: CornerKind::Start, polygon: first });
        corners.reverse();
        polygons.reverse();
        straighten(corners);
        self.cut_loops(corners, polygons);
    }

    /// Removes loops, which lead from a polygon back into it: a start on an edge, or the end of a link, sees
    /// its own polygon from the other side too. A polygon is convex, so the path between its two visits is in
    /// it. Loops are removed only between off-mesh links: links are in the corners too, and a loop over a
    /// link cannot be part of a shortest path.
    fn cut_loops(&mut self, corners: &[Corner], polygons: &mut Vec<PolyRef>) {
        let places = &mut self.scratch.places;
        places.clear();
        let mut links = corners.iter().filter(|corner| corner.kind == CornerKind::LinkStart).peekable();
        let (mut kept, mut leg) = (0, 0);
        for at in 0..polygons.len() {
            let polygon = polygons[at];
            kept = match places.get(&polygon) {
                Some(known) if (leg..kept).contains(known) && polygons[*known] == polygon => *known,
                _ => kept,
            };
            if links.next_if(|link| link.polygon == polygon).is_some() {
                leg = kept + 1;
            }
            polygons[kept] = polygon;
            places.insert(polygon, kept);
            kept += 1;
        }
        polygons.truncate(kept);
    }
}
