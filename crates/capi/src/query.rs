//! Queries of a snapshot of a mesh.

use crate::mesh::{FILTERS, Mesh, snapshot};
use crate::pointers::{Options, fill, present, sized, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::traveller::Traveller;
use crate::types::{NtFilter, NtMesh, NtPlace, NtPolyRef, NtQuery, NtVec3, place, polygon};
use bytemuck::{Pod, Zeroable};
use detour::{
    CornerKind, Crossings, Filter, NavMesh, Optimality, PartialReason, PolyRef, Query, Ray, RayEnd,
    Reachable, RouteOptions, Slide, SlideEnd, StraightPath, Surroundings, Vec3,
};
use hierarchy::FarPlanner;
use navmath::SplitMix64;
use std::mem::MaybeUninit;
use std::num::NonZeroU32;

pub(crate) static QUERIES: Table<Asker> = Table::new(3, "query");

/// A snapshot of a mesh, the filter, and the lists of the last answer.
#[derive(Debug)]
pub(crate) struct Asker {
    pub(crate) mesh: NavMesh,
    pub(crate) filter: Filter,
    pub(crate) query: Query,
    /// Points of the last path on the surface.
    pub(crate) points: Vec<NtVec3>,
    /// Polygons of the last answer that has polygons.
    pub(crate) polygons: Vec<PolyRef>,
    /// The ends of the last path.
    pub(crate) ends: [Vec3; 2],
    pub(crate) planner: FarPlanner,
    /// The last far path.
    pub(crate) traveller: Option<Traveller>,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
    pub(crate) around: Surroundings,
}

/// The ground nearest to a position.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtNearest {
    pub place: NtPlace,
    /// Distance from the position to the place, metres, and as seen from above.
    pub distance: f32,
    pub horizontal_distance: f32,
    /// 1 if the place is straight below or above the position.
    pub is_over: u8,
}

/// One path to each polygon is searched: a route is little longer than the shortest. The default.
pub const NT_OPTIMALITY_FAST: u32 = 0;
/// Several paths to each polygon are searched: almost always the shortest route as seen from above, if all
/// areas cost the same. Takes about twice as long.
pub const NT_OPTIMALITY_NEAR: u32 = 1;
/// The exact shortest route as seen from above. Refused if areas differ in cost.
pub const NT_OPTIMALITY_SHORTEST: u32 = 2;

/// Options of nt_query_route. Set them by nt_route_options_init before you change them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct NtRouteOptions {
    /// Size of this struct, bytes.
    pub size: u32,
    /// NT_OPTIMALITY_FAST, NT_OPTIMALITY_NEAR or NT_OPTIMALITY_SHORTEST.
    pub optimality: u32,
    /// Maximum distance of start and goal from the mesh along each axis, metres. The default is 2, 4 and 2.
    pub reach: NtVec3,
    /// 1 for a point at each edge that the route crosses, so that the points follow slopes more closely.
    pub crossings: u32,
}

/// Results of a path search.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtPathEnd {
    /// The path reaches its goal.
    NT_PATH_COMPLETE = 0,
    /// The search ran out of nodes.
    NT_PATH_OUT_OF_NODES = 1,
    /// The goal is unreachable; the path leads as near to it as possible.
    NT_PATH_UNREACHABLE = 2,
    /// The filter excludes the goal; the path leads as near to it as possible.
    NT_PATH_GOAL_EXCLUDED = 3,
}

/// A route. Its points and polygons are read by nt_query_points and nt_query_polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtRoute {
    pub end: NtPathEnd,
    /// Number of points to walk along; the first is the start.
    pub points: u32,
    pub polygons: u32,
    /// Sum of the distances between the points, metres, and as seen from above.
    pub length: f32,
    pub length_from_above: f32,
    /// Distance from start and goal to their places on the mesh, metres.
    pub start_moved: f32,
    pub goal_moved: f32,
    pub cost: f64,
}

/// Kinds of points of a route.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtCornerKind {
    NT_CORNER_START = 0,
    /// The route turns here.
    NT_CORNER_TURN = 1,
    /// The route crosses an edge without a turn.
    NT_CORNER_CROSSING = 2,
    /// An off-mesh link starts here; the next point is its end.
    NT_CORNER_LINK_START = 3,
    NT_CORNER_LINK_END = 4,
    /// The goal, or the last point of a route that does not reach it.
    NT_CORNER_END = 5,
}

/// A point of a route, with the polygon or link that the route enters there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtCorner {
    pub point: NtVec3,
    pub kind: NtCornerKind,
    pub polygon: NtPolyRef,
}

/// Results of a straight walk.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtWalkEnd {
    NT_WALK_GOAL = 0,
    NT_WALK_WALL = 1,
    NT_WALK_OUT_OF_NODES = 2,
}

/// A straight walk. Its polygons are read by nt_query_polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtRay {
    pub end: NtWalkEnd,
    /// The free part of the walk, 0 to 1.
    pub fraction: f32,
    /// The end of the walk: the point and its polygon.
    pub place: NtPlace,
    /// A horizontal unit vector away from the wall; zeros without a wall.
    pub normal: NtVec3,
}

/// A move along the surface. Its polygons are read by nt_query_polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtSlide {
    pub end: NtWalkEnd,
    pub place: NtPlace,
}

/// The wall nearest to a place.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtWall {
    /// As seen from above, metres.
    pub distance: f32,
    pub point: NtVec3,
    /// From the wall's point to the place, a horizontal unit vector.
    pub normal: NtVec3,
    /// The polygon that the wall bounds.
    pub polygon: NtPolyRef,
}

impl Options for NtRouteOptions {
    fn defaults() -> NtRouteOptions {
        let own = RouteOptions::default();
        let size = size_of::<NtRouteOptions>() as u32;
        NtRouteOptions { size, optimality: NT_OPTIMALITY_FAST, reach: own.half_extents.into(), crossings: 0 }
    }
}

impl NtRouteOptions {
    fn optimality(&self) -> Answer<Optimality> {
        match self.optimality {
            NT_OPTIMALITY_FAST => Ok(Optimality::Fast),
            NT_OPTIMALITY_NEAR => Ok(Optimality::Near),
            NT_OPTIMALITY_SHORTEST => Ok(Optimality::Shortest),
            other => Err(Fault::argument(format!("options.optimality is {other}: 0, 1 or 2"))),
        }
    }
}

pub(crate) fn path_end(reason: Option<PartialReason>) -> NtPathEnd {
    match reason {
        None => NtPathEnd::NT_PATH_COMPLETE,
        Some(PartialReason::OutOfNodes) => NtPathEnd::NT_PATH_OUT_OF_NODES,
        Some(PartialReason::Unreachable) => NtPathEnd::NT_PATH_UNREACHABLE,
        Some(PartialReason::GoalExcluded) => NtPathEnd::NT_PATH_GOAL_EXCLUDED,
    }
}

pub(crate) fn corner_kind(of: CornerKind) -> NtCornerKind {
    match of {
        CornerKind::Start => NtCornerKind::NT_CORNER_START,
        CornerKind::Turn => NtCornerKind::NT_CORNER_TURN,
        CornerKind::LinkStart => NtCornerKind::NT_CORNER_LINK_START,
        CornerKind::LinkEnd => NtCornerKind::NT_CORNER_LINK_END,
        CornerKind::End => NtCornerKind::NT_CORNER_END,
        _ => NtCornerKind::NT_CORNER_CROSSING,
    }
}

pub(crate) fn corner(of: &detour::Corner) -> NtCorner {
    NtCorner { point: of.point.into(), kind: corner_kind(of.kind), polygon: of.polygon.to_bits() }
}

pub(crate) fn walk_end(end: SlideEnd) -> NtWalkEnd {
    match end {
        SlideEnd::Goal => NtWalkEnd::NT_WALK_GOAL,
        SlideEnd::Wall => NtWalkEnd::NT_WALK_WALL,
        SlideEnd::OutOfNodes => NtWalkEnd::NT_WALK_OUT_OF_NODES,
    }
}

/// The place at the end of a walk through polygons.
fn last_place(polygons: &[PolyRef], point: Vec3) -> NtPlace {
    NtPlace { polygon: polygons.last().map_or(0, |polygon| polygon.to_bits()), point: point.into() }
}

pub(crate) fn ask(query: NtQuery, work: impl FnOnce(&mut Asker) -> Answer<()>) -> NtStatus {
    call(|| QUERIES.with(query.id, work))
}

/// Maximum distance of ground from a position. NULL for the default.
fn reach(given: Option<&NtVec3>) -> Vec3 {
    given.map_or(RouteOptions::default().half_extents, |given| (*given).into())
}

fn filter_of(filter: NtFilter, mesh: &Mesh) -> Answer<Filter> {
    if filter.id == 0 {
        Ok(Filter::of_areas(&mesh.areas)?)
    } else {
        FILTERS.with(filter.id, |filter| Ok(filter.clone()))
    }
}

/// Makes a query of the current mesh with a filter; a handle of zeros for the filter of the mesh's file. A
/// search visits at most `max_nodes` polygons; 0 for the library's default limit. Calls on one query wait for
/// each other: make one for each thread.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_new(
    mesh: NtMesh,
    filter: NtFilter,
    max_nodes: u32,
    out: Option<&mut MaybeUninit<NtQuery>>,
) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let mesh = snapshot(mesh)?;
        let filter = filter_of(filter, &mesh)?;
        let asker = Asker {
            mesh: mesh.mesh,
            filter,
            query: NonZeroU32::new(max_nodes).map_or_else(Query::new, Query::with_max_nodes),
            points: Vec::new(),
            polygons: Vec::new(),
            ends: [Vec3::ZERO; 2],
            planner: FarPlanner::new(),
            traveller: None,
            straight: StraightPath::default(),
            ray: Ray::default(),
            slide: Slide::default(),
            around: Surroundings::default(),
        };
        out.write(NtQuery { id: QUERIES.add(asker)? });
        Ok(())
    })
}

/// Updates the query's snapshot to the current mesh, after tiles, flags or areas have changed. It costs a
/// reference count.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_update(query: NtQuery, mesh: NtMesh) -> NtStatus {
    call(|| {
        let mesh = snapshot(mesh)?;
        QUERIES.with(query.id, |asker| {
            asker.mesh = mesh.mesh;
            Ok(())
        })
    })
}

/// Sets a copy of a filter for the next queries.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_set_filter(query: NtQuery, filter: NtFilter) -> NtStatus {
    call(|| {
        let filter = FILTERS.with(filter.id, |filter| Ok(filter.clone()))?;
        QUERIES.with(query.id, |asker| {
            asker.filter = filter;
            Ok(())
        })
    })
}

/// Frees a query.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_free(query: NtQuery) -> NtStatus {
    call(|| QUERIES.remove(query.id).map(drop))
}

/// Finds the ground nearest to a position, within a box around it with the half extents `reach`; NULL for 2,
/// 4 and 2 metres.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_nearest(
    query: NtQuery,
    position: NtVec3,
    within: Option<&NtVec3>,
    out: Option<&mut MaybeUninit<NtNearest>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let found = query.nearest(mesh, position.into(), reach(within), filter)?;
        let nearest = NtNearest {
            place: found.place().into(),
            distance: found.distance,
            horizontal_distance: found.horizontal_distance,
            is_over: found.over_polygon.into(),
        };
        write(out, "out", nearest)
    })
}

/// Sets the options to the library's defaults.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_route_options_init(options: Option<&mut MaybeUninit<NtRouteOptions>>) -> NtStatus {
    call(|| write(options, "options", NtRouteOptions::defaults()))
}

/// Finds the route between two positions: moves both onto the mesh, finds a path, and pulls it straight. NULL
/// for the library's default options. A route that does not reach its goal is a result, too: see its `end`.
/// Returns NT_OK, NT_NOT_FOUND (no ground near the start or the goal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_route(
    query: NtQuery,
    start: NtVec3,
    goal: NtVec3,
    options: *const NtRouteOptions,
    out: Option<&mut MaybeUninit<NtRoute>>,
) -> NtStatus {
    ask(query, |asker| {
        let given = sized(options, "options")?;
        let options = RouteOptions {
            half_extents: given.reach.into(),
            optimality: given.optimality()?,
            crossings: if given.crossings == 0 { Crossings::None } else { Crossings::All },
            ..RouteOptions::default()
        };
        let Asker { mesh, filter, query, points, polygons, ends, .. } = asker;
        let route = query.route(mesh, start.into(), goal.into(), filter, &options)?;
        points.clear();
        points.extend(route.points.iter().copied().map(NtVec3::from));
        *ends = [route.start.point, route.goal.point];
        let answer = NtRoute {
            end: path_end(route.reason()),
            points: route.points.len() as u32,
            polygons: route.polygons.len() as u32,
            length: route.length,
            length_from_above: route.length_from_above,
            start_moved: route.start.distance,
            goal_moved: route.goal.distance,
            cost: route.cost,
        };
        *polygons = route.polygons;
        write(out, "out", answer)
    })
}

/// Writes the points of the last route of this query, on the surface, into an array of `capacity` points.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_points(
    query: NtQuery,
    out: *mut NtVec3,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |asker| fill(out, capacity, count, asker.points.iter().copied()))
}

/// Writes the polygons of the last route, ray, slide, box or neighbourhood of this query into an array of
/// `capacity` references.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_polygons(
    query: NtQuery,
    out: *mut NtPolyRef,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |asker| fill(out, capacity, count, asker.polygons.iter().map(|polygon| polygon.to_bits())))
}

/// Writes the corners of the last route, with the starts and ends of off-mesh links, into an array of
/// `capacity` corners. Their heights are those of the polygons, not of the surface. Call it directly after
/// nt_query_route.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (there was no route), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_corners(
    query: NtQuery,
    out: *mut NtCorner,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, query, polygons, ends: [start, goal], straight, .. }| {
        query.straight_path(mesh, *start, *goal, polygons, Crossings::None, straight)?;
        fill(out, capacity, count, straight.corners.iter().map(corner))
    })
}

/// Walks from a place straight towards a goal until a wall. Only x and z of the goal count.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_raycast(
    query: NtQuery,
    start: NtPlace,
    goal: NtVec3,
    out: Option<&mut MaybeUninit<NtRay>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, ray, .. }| {
        query.raycast(mesh, place(start)?, goal.into(), filter, ray)?;
        polygons.clone_from(&ray.polygons);
        let (end, normal) = match ray.end {
            RayEnd::Goal => (NtWalkEnd::NT_WALK_GOAL, Vec3::ZERO),
            RayEnd::Wall { normal, .. } => (NtWalkEnd::NT_WALK_WALL, normal),
            RayEnd::OutOfNodes => (NtWalkEnd::NT_WALK_OUT_OF_NODES, Vec3::ZERO),
        };
        let place = last_place(polygons, ray.point);
        write(out, "out", NtRay { end, fraction: ray.fraction as f32, place, normal: normal.into() })
    })
}

/// Moves from a place towards a goal along the surface, sliding along walls: the step of a frame. Only x and
/// z of the goal count.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_slide(
    query: NtQuery,
    start: NtPlace,
    goal: NtVec3,
    out: Option<&mut MaybeUninit<NtSlide>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, slide, .. }| {
        query.slide(mesh, place(start)?, goal.into(), filter, slide)?;
        polygons.clone_from(&slide.polygons);
        write(out, "out", NtSlide { end: walk_end(slide.end), place: last_place(polygons, slide.point) })
    })
}

/// Writes the height of the surface of a polygon straight below or above a position.
/// Returns NT_OK, NT_NOT_FOUND (the position is outside the polygon), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_height(
    query: NtQuery,
    reference: NtPolyRef,
    position: NtVec3,
    out: Option<&mut MaybeUninit<f32>>,
) -> NtStatus {
    ask(query, |Asker { mesh, .. }| {
        let height = mesh.height(polygon(reference)?, position.into())?;
        write(out, "out", height.ok_or_else(|| Fault::not_found("the position is outside the polygon"))?)
    })
}

/// The point of a polygon's surface that is closest to a position as seen from above.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_closest_point(
    query: NtQuery,
    reference: NtPolyRef,
    position: NtVec3,
    out: Option<&mut MaybeUninit<NtVec3>>,
) -> NtStatus {
    ask(query, |Asker { mesh, .. }| {
        let found = mesh.closest_point(polygon(reference)?, position.into())?;
        write(out, "out", found.point.into())
    })
}

/// The wall nearest to a place within `radius` metres.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_wall(
    query: NtQuery,
    start: NtPlace,
    radius: f32,
    out: Option<&mut MaybeUninit<NtWall>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let found = query.wall_distance(mesh, place(start)?, radius, filter)?;
        let wall = found.ok_or_else(|| Fault::not_found(format!("no wall within {radius} m")))?;
        let wall = NtWall {
            distance: wall.distance,
            point: wall.point.into(),
            normal: wall.normal.into(),
            polygon: wall.polygon.to_bits(),
        };
        write(out, "out", wall)
    })
}

/// Lists the polygons around a place, and writes their number; returns an error if the list is not complete.
pub(crate) fn counted(
    polygons: &mut Vec<PolyRef>,
    around: &Surroundings,
    query: &Query,
    count: Option<&mut MaybeUninit<usize>>,
) -> Answer<()> {
    polygons.clear();
    polygons.extend(around.polygons.iter().map(|reached| reached.polygon));
    write(count, "count", polygons.len())?;
    if around.complete {
        return Ok(());
    }
    let limit = query.max_nodes();
    let text = format!("there are more than the query's {limit} nodes: give it more, or a smaller radius");
    Err(Fault::new(NtStatus::NT_ERROR_LIMIT, text))
}

/// Finds the polygons that can be reached from a place through portals within `radius` metres: `count` of
/// them, nearest first by cost, read by nt_query_polygons.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the list is not
/// complete). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_around(
    query: NtQuery,
    start: NtPlace,
    radius: f32,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, around, .. }| {
        query.around_circle(mesh, place(start)?, radius, filter, around)?;
        counted(polygons, around, query, count)
    })
}

/// Writes 0 if no search will find a path from the start to the goal, or 1 if they are on one island. Takes
/// constant time.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_reachable(
    query: NtQuery,
    start: NtPolyRef,
    goal: NtPolyRef,
    out: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, .. }| {
        let answer = mesh.reachable(polygon(start)?, polygon(goal)?, filter)?;
        write(out, "out", (answer == Reachable::Maybe).into())
    })
}

/// Picks a random place of the mesh, or of the ground that can be reached within `radius` metres of `around`;
/// NULL for the whole mesh. Places are evenly spread over the area. `state` is any number, and is changed:
/// the same states give the same places.
/// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_random_place(
    query: NtQuery,
    around: Option<&NtPlace>,
    radius: f32,
    state: Option<&mut u64>,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let state = state.ok_or_else(|| Fault::null("state"))?;
        let mut random = SplitMix64::new(*state);
        let draw = || random.unit();
        let found = match around {
            None => query.random_point(mesh, filter, draw),
            Some(around) => query.random_within(mesh, place(*around)?, radius, filter, draw),
        };
        *state = random.state();
        write(out, "out", found?.into())
    })
}
