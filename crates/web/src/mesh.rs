//! A navigation mesh and its queries.

use crate::convert::{Answer, area, fail, floats, list, object, point, points};
use crate::filters::{FilterOptions, Filters};
use crate::geometry;
use crate::options::{Fields, Options, TileSquare, options};
use detour::{
    Ground, NavMesh, Nearest, Optimality, PartialReason, PolyRef, Query, QueryError, Ray, RayEnd, Route,
    RouteError, RouteOptions, Vec3,
};
use js_sys::{BigUint64Array, Float32Array, Uint8Array, Uint32Array};
use navtile::file::DirectoryEntry;
use navtile::{Meta, NavFile, SharedBytes, Tile, TileCoord};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Maximum distance of a place from the mesh.
pub(crate) const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Options of `NavMesh.open`.
#[derive(Default)]
struct OpenOptions {
    tiles: Option<Vec<TileSquare>>,
}

impl Options for OpenOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("tiles", &mut self.tiles)]
    }
}

/// Options of all queries.
#[derive(Default)]
pub(crate) struct AskOptions {
    reach: Option<[f32; 3]>,
    pub(crate) filter: usize,
    pub(crate) optimality: Optimality,
}

impl Options for AskOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("reach", &mut self.reach), ("filter", &mut self.filter), ("optimality", &mut self.optimality)]
    }
}

impl AskOptions {
    pub(crate) fn reach(&self) -> Vec3 {
        self.reach.map_or(REACH, Vec3::from_array)
    }
}

/// A navigation mesh: tiles, and the memory of its searches. `free()` returns the memory; so does `using`.
#[wasm_bindgen(js_name = NavMesh)]
pub struct WebMesh {
    pub(crate) meta: Meta,
    pub(crate) mesh: NavMesh,
    pub(crate) query: Query,
    pub(crate) filters: Filters,
    ground: Option<(usize, Ground)>,
}

impl WebMesh {
    /// The ground nearest to a place, by options.
    pub(crate) fn snap(
        &mut self,
        at: [f64; 3],
        reach: Vec3,
        filter: usize,
    ) -> Answer<Result<Nearest, QueryError>> {
        let filter = self.filters.get(filter)?;
        let found = self.query.nearest(&self.mesh, self.mesh.from_world(at), reach, filter);
        Ok(found.map_err(|error| in_world(&self.mesh, error)))
    }

    fn world(&self, position: Vec3) -> Float32Array {
        floats([self.mesh.to_world(position)])
    }

    fn route(
        &mut self,
        from: [f64; 3],
        to: [f64; 3],
        options: &AskOptions,
    ) -> Answer<Result<Route, RouteError>> {
        let filter = self.filters.get(options.filter)?;
        let (start, goal) = (self.mesh.from_world(from), self.mesh.from_world(to));
        let options = RouteOptions {
            half_extents: options.reach(),
            optimality: options.optimality,
            ..RouteOptions::default()
        };
        match self.query.route(&self.mesh, start, goal, filter, &options) {
            Err(
                error @ (RouteError::Start(QueryError::NothingNear { .. })
                | RouteError::Goal(QueryError::NothingNear { .. })),
            ) => Ok(Err(match error {
                RouteError::Start(error) => RouteError::Start(in_world(&self.mesh, error)),
                RouteError::Goal(error) => RouteError::Goal(in_world(&self.mesh, error)),
                other => other,
            })),
            Err(error) => Err(fail(error)),
            Ok(route) => Ok(Ok(route)),
        }
    }
}

/// An error whose place is in world metres instead of the mesh's own.
pub(crate) fn in_world(mesh: &NavMesh, error: QueryError) -> QueryError {
    match error {
        QueryError::NothingNear { at, half_extents, reason } => {
            let at = Vec3::from_array(mesh.to_world(at).map(|along| along as f32));
            QueryError::NothingNear { at, half_extents, reason }
        }
        other => other,
    }
}

/// The result of a path search: its number and name.
fn status(route: &Route) -> (u8, &'static str) {
    match route.reason() {
        None => (0, "complete"),
        Some(PartialReason::OutOfNodes) => (1, "partial"),
        Some(PartialReason::Unreachable | PartialReason::GoalExcluded) => (2, "unreachable"),
    }
}

pub(crate) fn references(polygons: &[PolyRef]) -> BigUint64Array {
    let bits: Vec<u64> = polygons.iter().map(|polygon| polygon.to_bits()).collect();
    BigUint64Array::from(bits.as_slice())
}

pub(crate) fn reference(bits: u64) -> Answer<PolyRef> {
    PolyRef::from_bits(bits).ok_or_else(|| fail(format!("{bits} is not a polygon")))
}

/// The whole metre nearest to the centre of the tiles: positions in 32 bits are finest around it.
fn anchor(tiles: &[Tile]) -> [f64; 3] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for tile in tiles {
        let header = tile.header();
        let [low, high] = [header.bounds_min, header.bounds_max].map(|corner| tile.to_world(corner));
        for axis in 0..3 {
            bounds[0][axis] = bounds[0][axis].min(low[axis]);
            bounds[1][axis] = bounds[1][axis].max(high[axis]);
        }
    }
    std::array::from_fn(|axis| {
        let middle = (bounds[0][axis] + bounds[1][axis]) / 2.0;
        if middle.is_finite() { middle.round() } else { 0.0 }
    })
}

#[wasm_bindgen(js_class = NavMesh)]
impl WebMesh {
    /// Opens the content of a `.navtile` file, or only some of its tiles. Every tile is verified.
    pub fn open(
        bytes: &[u8],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "OpenOptions")] wanted: JsValue,
    ) -> Answer<WebMesh> {
        let OpenOptions { tiles: squares } = options("options", wanted)?;
        let file = NavFile::open_shared(SharedBytes::from(bytes)).map_err(fail)?;
        let meta = file.meta().clone();
        let is_wanted = |entry: &&DirectoryEntry| {
            squares.as_ref().is_none_or(|squares| squares.iter().any(|square| square.contains(entry.coord())))
        };
        let tiles = file.entries().iter().filter(is_wanted).map(|entry| file.tile_of(entry));
        let tiles: Vec<Tile> = tiles.collect::<Result<_, _>>().map_err(fail)?;
        let mut mesh = NavMesh::new(anchor(&tiles)).map_err(fail)?;
        mesh.add_tiles(tiles).map_err(fail)?;
        let filters = Filters::new(FilterOptions::default().filter(&meta)?);
        Ok(WebMesh { meta, mesh, query: Query::new(), filters, ground: None })
    }

    /// The agent, areas, size and islands.
    #[wasm_bindgen(unchecked_return_type = "MeshInfo")]
    pub fn info(&self) -> JsValue {
        let bounds = self.mesh.bounds();
        let corners = [bounds.min, bounds.max].map(|corner| self.mesh.to_world(corner));
        let corners = if self.mesh.polygon_count() == 0 { [[0.0; 3]; 2] } else { corners };
        let Meta { agent, areas, .. } = &self.meta;
        let agent = object(&[
            ("radius", agent.radius.into()),
            ("height", agent.height.into()),
            ("climb", agent.climb.into()),
            ("slope", agent.slope.into()),
        ]);
        let areas = areas.iter().map(|of| area(of.id, &of.name, of.flags, of.cost, of.colour));
        object(&[
            ("agent", agent),
            ("areas", list(areas)),
            ("tiles", self.mesh.tile_count().into()),
            ("polygons", self.mesh.polygon_count().into()),
            ("cell", list(self.meta.cell)),
            ("tileCells", self.meta.tile_cells.into()),
            ("bounds", list(corners.map(list))),
            ("islands", list(self.mesh.islands().list().iter().map(|island| island.area))),
        ])
    }

    /// Makes a filter for the option `filter` of queries.
    pub fn filter(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "FilterOptions")] filter: JsValue,
    ) -> Answer<usize> {
        let filter: FilterOptions = options("filter", filter)?;
        let filter = self.mesh.register_filter(filter.filter(&self.meta)?);
        Ok(self.filters.add(filter))
    }

    /// The path between two places.
    #[wasm_bindgen(unchecked_return_type = "Path")]
    pub fn path(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "PathOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let (from, to) = (point("from", from)?, point("to", to)?);
        let wanted: AskOptions = options("options", wanted)?;
        let route = match self.route(from, to, &wanted)? {
            Ok(route) => route,
            Err(error) => {
                return Ok(object(&[
                    ("status", "not-on-mesh".into()),
                    ("length", 0.0.into()),
                    ("lengthFromAbove", 0.0.into()),
                    ("points", Float32Array::new_with_length(0).into()),
                    ("polygons", references(&[]).into()),
                    ("reason", error.to_string().into()),
                    ("fromMoved", f64::NAN.into()),
                    ("toMoved", f64::NAN.into()),
                ]));
            }
        };
        let reason = route.reason().map_or(JsValue::NULL, |reason| reason.to_string().into());
        Ok(object(&[
            ("status", status(&route).1.into()),
            ("length", route.length.into()),
            ("lengthFromAbove", route.length_from_above.into()),
            ("points", floats(route.points.iter().map(|point| self.mesh.to_world(*point))).into()),
            ("polygons", references(&route.polygons).into()),
            ("reason", reason),
            ("fromMoved", route.start.distance.into()),
            ("toMoved", route.goal.distance.into()),
        ]))
    }

    /// Many paths in one call: six numbers each, the start and the goal.
    #[wasm_bindgen(unchecked_return_type = "Paths")]
    pub fn paths(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] ends: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "PathOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let ends = points("ends", ends)?;
        let (pairs, rest) = ends.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(fail("ends has a start without a goal"));
        }
        let wanted: AskOptions = options("options", wanted)?;
        let (mut lengths, mut statuses) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        let (mut offsets, mut all) = (vec![0], Vec::new());
        for [from, to] in pairs {
            match self.route(*from, *to, &wanted)? {
                Ok(route) => {
                    lengths.push(route.length);
                    statuses.push(status(&route).0);
                    all.extend(route.points.iter().map(|point| self.mesh.to_world(*point)));
                }
                Err(_) => {
                    lengths.push(f32::NAN);
                    statuses.push(3);
                }
            }
            offsets.push(all.len() as u32);
        }
        Ok(object(&[
            ("lengths", Float32Array::from(lengths.as_slice()).into()),
            ("statuses", Uint8Array::from(statuses.as_slice()).into()),
            ("offsets", Uint32Array::from(offsets.as_slice()).into()),
            ("points", floats(all).into()),
        ]))
    }

    /// The ground nearest to a place; null if there is no ground in reach.
    #[wasm_bindgen(unchecked_return_type = "Nearest | null")]
    pub fn nearest(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let wanted: AskOptions = options("options", wanted)?;
        let found = match self.snap(point("at", at)?, wanted.reach(), wanted.filter)? {
            Ok(found) => found,
            Err(QueryError::NothingNear { .. }) => return Ok(JsValue::NULL),
            Err(error) => return Err(fail(error)),
        };
        Ok(object(&[
            ("polygon", found.polygon.to_bits().into()),
            ("point", self.world(found.point).into()),
            ("over", found.over_polygon.into()),
            ("distance", found.distance.into()),
        ]))
    }

    /// The ground nearest to many places, three numbers each.
    #[wasm_bindgen(js_name = nearestMany, unchecked_return_type = "NearestMany")]
    pub fn nearest_many(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] places: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let wanted: AskOptions = options("options", wanted)?;
        let places = points("places", places)?;
        let (mut polygons, mut found) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        let mut distances = Vec::with_capacity(places.len());
        let (filter, reach) = (self.filters.get(wanted.filter)?, wanted.reach());
        for at in places {
            match self.query.nearest(&self.mesh, self.mesh.from_world(at), reach, filter) {
                Ok(nearest) => {
                    polygons.push(nearest.polygon.to_bits());
                    found.push(self.mesh.to_world(nearest.point));
                    distances.push(nearest.distance);
                }
                Err(QueryError::NothingNear { .. }) => {
                    polygons.push(0);
                    found.push(at);
                    distances.push(f32::NAN);
                }
                Err(error) => return Err(fail(error)),
            }
        }
        Ok(object(&[
            ("polygons", BigUint64Array::from(polygons.as_slice()).into()),
            ("points", floats(found).into()),
            ("distances", Float32Array::from(distances.as_slice()).into()),
        ]))
    }

    /// The height of the ground at a place, metres; null if there is no ground in reach.
    #[wasm_bindgen(unchecked_return_type = "number | null")]
    pub fn height(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let wanted: AskOptions = options("options", wanted)?;
        Ok(match self.snap(point("at", at)?, wanted.reach(), wanted.filter)? {
            Ok(found) if found.over_polygon => self.mesh.to_world(found.point)[1].into(),
            Ok(_) | Err(QueryError::NothingNear { .. }) => JsValue::NULL,
            Err(error) => return Err(fail(error)),
        })
    }

    /// The free distance straight ahead.
    #[wasm_bindgen(unchecked_return_type = "Ray")]
    pub fn raycast(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let wanted: AskOptions = options("options", wanted)?;
        let to = self.mesh.from_world(point("to", to)?);
        let start = self.snap(point("from", from)?, wanted.reach(), wanted.filter)?.map_err(fail)?.place();
        let mut ray = Ray::default();
        self.query
            .raycast(&self.mesh, start, to, self.filters.get(wanted.filter)?, &mut ray)
            .map_err(fail)?;
        let normal = match ray.end {
            RayEnd::Wall { normal, .. } => normal,
            _ => Vec3::ZERO,
        };
        Ok(object(&[
            ("clear", ray.is_clear().into()),
            ("fraction", ray.fraction.into()),
            ("point", self.world(ray.point).into()),
            ("normal", Float32Array::from(normal.to_array().as_slice()).into()),
            ("polygons", references(&ray.polygons).into()),
        ]))
    }

    /// The nearest wall within a radius, metres; null if there is no wall.
    #[wasm_bindgen(js_name = wallDistance, unchecked_return_type = "Wall | null")]
    pub fn wall_distance(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        radius: f32,
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let wanted: AskOptions = options("options", wanted)?;
        let start = self.snap(point("at", at)?, wanted.reach(), wanted.filter)?.map_err(fail)?.place();
        let filter = self.filters.get(wanted.filter)?;
        Ok(match self.query.wall_distance(&self.mesh, start, radius, filter).map_err(fail)? {
            None => JsValue::NULL,
            Some(wall) => object(&[
                ("distance", wall.distance.into()),
                ("point", self.world(wall.point).into()),
                ("normal", Float32Array::from(wall.normal.to_array().as_slice()).into()),
            ]),
        })
    }

    /// Polygons that can be reached through portals within a radius.
    pub fn around(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        radius: f32,
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<BigUint64Array> {
        let wanted: AskOptions = options("options", wanted)?;
        let start = self.snap(point("at", at)?, wanted.reach(), wanted.filter)?.map_err(fail)?.place();
        let filter = self.filters.get(wanted.filter)?;
        let mut found = detour::Surroundings::default();
        self.query.around_circle(&self.mesh, start, radius, filter, &mut found).map_err(fail)?;
        let polygons: Vec<PolyRef> = found.polygons.iter().map(|reached| reached.polygon).collect();
        Ok(references(&polygons))
    }

    /// The end of a step from one place towards another, sliding along walls.
    pub fn slide(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<Float32Array> {
        let wanted: AskOptions = options("options", wanted)?;
        let to = self.mesh.from_world(point("to", to)?);
        let start = self.snap(point("from", from)?, wanted.reach(), wanted.filter)?.map_err(fail)?.place();
        let filter = self.filters.get(wanted.filter)?;
        let mut slide = detour::Slide::default();
        self.query.slide(&self.mesh, start, to, filter, &mut slide).map_err(fail)?;
        Ok(self.world(slide.point))
    }

    /// A random place on the ground, evenly spread over its area. `random` returns numbers from 0 to 1:
    /// `Math.random`, or a seeded generator.
    #[wasm_bindgen(js_name = randomPoint)]
    pub fn random_point(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "() => number")] random: &js_sys::Function,
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<Float32Array> {
        let wanted: AskOptions = options("options", wanted)?;
        let is_known = self
            .ground
            .as_ref()
            .is_some_and(|(filter, ground)| *filter == wanted.filter && ground.mesh().is_same(&self.mesh));
        if !is_known {
            let ground = Ground::new(&self.mesh, self.filters.get(wanted.filter)?);
            self.ground = Some((wanted.filter, ground));
        }
        let mut thrown: Option<JsValue> = None;
        let number = || {
            random.call0(&JsValue::NULL).map(|value| value.as_f64().unwrap_or(0.0)).unwrap_or_else(|error| {
                thrown = Some(error);
                0.0
            })
        };
        let Some((_, ground)) = &self.ground else { return Err(fail("there is no ground")) };
        let place = self.query.random_point_on(ground, number).map_err(fail)?;
        match thrown {
            Some(error) => Err(fail(format!("random: {error:?}"))),
            None => Ok(self.world(place.point)),
        }
    }

    /// Returns true if one place can be reached from another. A "no" comes from the islands of the mesh,
    /// without a search.
    pub fn reachable(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "AskOptions")] wanted: JsValue,
    ) -> Answer<bool> {
        let wanted: AskOptions = options("options", wanted)?;
        let (from, to) = (point("from", from)?, point("to", to)?);
        let (Ok(start), Ok(goal)) =
            (self.snap(from, wanted.reach(), wanted.filter)?, self.snap(to, wanted.reach(), wanted.filter)?)
        else {
            return Ok(false);
        };
        let filter = self.filters.get(wanted.filter)?;
        if self.mesh.reachable(start.polygon, goal.polygon, filter).map_err(fail)? == detour::Reachable::No {
            return Ok(false);
        }
        // A filter that is not registered may still close every path.
        let route = self.query.route(&self.mesh, start.point, goal.point, filter, &RouteOptions::default());
        Ok(route.is_ok_and(|route| route.reason().is_none()))
    }

    /// Sets the flags of a polygon or off-mesh link: a door that closes, for example.
    #[wasm_bindgen(js_name = setFlags)]
    pub fn set_flags(&mut self, polygon: u64, flags: u32) -> Result<(), JsError> {
        self.mesh.set_flags(reference(polygon)?, flags).map_err(fail)
    }

    /// Sets the area of a polygon or off-mesh link.
    #[wasm_bindgen(js_name = setArea)]
    pub fn set_area(&mut self, polygon: u64, area: u8) -> Result<(), JsError> {
        self.mesh.set_area(reference(polygon)?, area).map_err(fail)
    }

    /// Flags and area of a polygon or off-mesh link.
    #[wasm_bindgen(unchecked_return_type = "{ flags: number, area: number }")]
    pub fn attributes(&self, polygon: u64) -> Answer<JsValue> {
        let found = self.mesh.attributes(reference(polygon)?).map_err(fail)?;
        Ok(object(&[("flags", found.flags.into()), ("area", found.area.into())]))
    }

    /// Adds the tiles of another file of the same bake, and replaces existing ones.
    #[wasm_bindgen(js_name = addTiles)]
    pub fn add_tiles(&mut self, bytes: &[u8]) -> Answer<usize> {
        let file = NavFile::open_shared(SharedBytes::from(bytes)).map_err(fail)?;
        let tiles: Vec<Tile> = file.tiles().collect::<Result<_, _>>().map_err(fail)?;
        let mut next = self.mesh.clone();
        let count = tiles.len();
        for tile in tiles {
            if next.tile(tile.coord()).is_some() {
                next.replace_tile(tile).map_err(fail)?;
            } else {
                next.add_tile(tile).map_err(fail)?;
            }
        }
        self.mesh = next;
        Ok(count)
    }

    /// Removes a tile; false if there is no such tile.
    #[wasm_bindgen(js_name = removeTile)]
    pub fn remove_tile(&mut self, x: i32, z: i32, layer: i32) -> Answer<bool> {
        let coord = TileCoord { x, z, layer };
        if self.mesh.tile(coord).is_none() {
            return Ok(false);
        }
        self.mesh.remove_tile(coord).map_err(fail)?;
        Ok(true)
    }

    /// The detail mesh as triangles.
    #[wasm_bindgen(unchecked_return_type = "MeshGeometry")]
    pub fn geometry(&self) -> Answer<JsValue> {
        geometry::triangles(&self.mesh)
    }

    /// The outlines of polygons, seams of tiles and off-mesh links as lines.
    #[wasm_bindgen(unchecked_return_type = "MeshLines")]
    pub fn lines(&self) -> Answer<JsValue> {
        geometry::lines(&self.mesh)
    }
}
