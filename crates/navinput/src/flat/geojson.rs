//! Maps from GeoJSON: polygons with properties.
//! Source: H. Butler and others, The GeoJSON format, RFC 7946 (2016).
//!
//! A feature is ground, unless its properties say otherwise: `"obstacle": true`, or `"area"` with a name or
//! an id of 1 to 255 and an optional `"cost"` per metre. `"layer"` is a whole number. Geometry without a
//! feature is ground. Coordinates are taken as plain x and y; a third one is ignored.

use super::error::{FlatError, FlatPlace};
use super::{FlatLayer, FlatLevel};
use crate::label::escaped;
use navmath::count::counted;
use navplane::{AreaPolygon, Map, Polygon, PolygonList};
use recast::{AreaDefinition, AreaId};
use serde_json::{Map as Object, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The role of a polygon in a map.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Ground,
    Obstacle,
    Area(AreaId),
}

impl Role {
    /// Adds the polygon; returns the list it went to.
    pub(super) fn put(self, map: &mut Map, polygon: Polygon) -> PolygonList {
        match self {
            Role::Ground => {
                map.outlines.push(polygon);
                PolygonList::Outlines
            }
            Role::Obstacle => {
                map.obstacles.push(polygon);
                PolygonList::Obstacles
            }
            Role::Area(area) => {
                map.areas.push(AreaPolygon { polygon, area });
                PolygonList::Areas
            }
        }
    }
}

/// Areas by name and id. A name that is not defined gets the smallest free id.
pub(super) struct Areas {
    /// Ids, with names and the costs that the map gives.
    known: BTreeMap<u8, (String, Option<f32>)>,
    /// The definitions given to the reader.
    defined: Vec<AreaDefinition>,
}

impl Areas {
    /// Starts with areas that are already defined; adds ground if they lack it.
    pub(super) fn new(defined: &[AreaDefinition]) -> Areas {
        let mut defined = defined.to_vec();
        if !defined.iter().any(|area| area.id == AreaId::GROUND) {
            defined.push(AreaDefinition::ground());
        }
        let known = defined.iter().map(|area| (area.id.0, (area.name.clone(), None))).collect();
        Areas { known, defined }
    }

    /// The id of a name.
    pub(super) fn named(
        &mut self,
        name: &str,
        cost: Option<f64>,
        place: &FlatPlace,
    ) -> Result<AreaId, FlatError> {
        if name.is_empty() || name.len() > 255 {
            let what = format!(
                "the area's name has {}, expected 1 to 255",
                counted(name.len() as u64, "byte", "bytes")
            );
            return Err(FlatError::new(place, what, "give a shorter name, or none at all"));
        }
        let known = self.known.iter().find(|(_, (known, _))| known == name).map(|(&id, _)| id);
        let id = known.or_else(|| (1..=255).find(|id| !self.known.contains_key(id)));
        let Some(id) = id else {
            let what = format!("area `{}` is one too many, expected at most 255", escaped(name));
            return Err(FlatError::new(place, what, "join areas that are alike"));
        };
        self.known.entry(id).or_insert_with(|| (name.to_owned(), None));
        self.numbered(id, cost, place)
    }

    /// The area with an id, which gets a name if it has none.
    pub(super) fn numbered(
        &mut self,
        id: u8,
        cost: Option<f64>,
        place: &FlatPlace,
    ) -> Result<AreaId, FlatError> {
        let (name, known) = self.known.entry(id).or_insert_with(|| (format!("area {id}"), None));
        let Some(cost) = cost else { return Ok(AreaId(id)) };
        let cost = cost as f32;
        if !(cost.is_finite() && cost >= 0.001) {
            let what = format!("the cost is {cost}, expected a number of at least 0.001");
            return Err(FlatError::new(place, what, "give the cost of one metre"));
        }
        if let Some(known) = known.filter(|known| *known != cost) {
            let what =
                format!("`{name}` costs {cost} here and {known} before, expected one cost for each area");
            return Err(FlatError::new(place, what, "give it once, or use two areas"));
        }
        *known = Some(cost);
        Ok(AreaId(id))
    }

    /// Their definitions, by id; costs in the map take precedence.
    pub(super) fn finish(self) -> Vec<AreaDefinition> {
        let define = |(id, (name, cost)): (u8, (String, Option<f32>))| {
            let known = self.defined.iter().find(|area| area.id.0 == id).cloned();
            let area =
                known.unwrap_or_else(|| AreaDefinition { id: AreaId(id), name, ..AreaDefinition::ground() });
            AreaDefinition { cost: cost.unwrap_or(area.cost), ..area }
        };
        self.known.into_iter().map(define).collect()
    }
}

/// Reads a GeoJSON document. `defined` areas can be used by name.
///
/// ```
/// let map = br#"{ "type": "Polygon", "coordinates": [[[0, 0], [8, 0], [8, 8], [0, 8], [0, 0]]] }"#;
/// let level = navinput::read_geojson(map, &[])?;
/// assert_eq!(level.layers[0].map.outlines.len(), 1);
/// # Ok::<(), navinput::FlatError>(())
/// ```
///
/// # Errors
/// Text that is not JSON, types other than polygons, rings that are open or have fewer than three corners,
/// coordinates that are not numbers, properties out of range; each with its feature, polygon, ring and point.
pub fn read_geojson(bytes: &[u8], defined: &[AreaDefinition]) -> Result<FlatLevel, FlatError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let place = FlatPlace { line: Some(error.line() as u64), ..FlatPlace::default() };
        FlatError::new(&place, format!("the text is not JSON: {error}"), "give a GeoJSON document")
    })?;
    let mut reader = GeoJsonReader { layers: BTreeMap::new(), areas: Areas::new(defined) };
    reader.document(&value)?;
    if !reader.layers.values().any(|layer| !layer.map.outlines.is_empty()) {
        let what = "there is no ground, expected a Polygon without `obstacle` and `area`";
        return Err(FlatError::new(
            &FlatPlace::default(),
            what,
            "give the outline of the ground as a feature",
        ));
    }
    // No longer in the standard, but written by programs whose coordinates are not degrees.
    let crs = value.pointer("/crs/properties/name").and_then(Value::as_str).map(str::to_owned);
    Ok(FlatLevel { layers: reader.layers.into_values().collect(), areas: reader.areas.finish(), crs })
}

struct GeoJsonReader {
    layers: BTreeMap<i32, FlatLayer>,
    areas: Areas,
}

/// A feature's role and place.
struct Feature {
    role: Role,
    layer: i32,
    place: FlatPlace,
}

const TYPES: &str = "types are FeatureCollection, Feature, GeometryCollection, Polygon and MultiPolygon";

/// The `type` of an object.
fn kind<'a>(value: &'a Value, place: &FlatPlace) -> Result<(&'a str, &'a Object<String, Value>), FlatError> {
    let object = value
        .as_object()
        .ok_or_else(|| FlatError::new(place, format!("found {}, expected an object", short(value)), TYPES))?;
    match object.get("type").and_then(Value::as_str) {
        Some(kind) => Ok((kind, object)),
        None => Err(FlatError::new(place, "the object has no `type`, expected a name", TYPES)),
    }
}

/// The list under a key.
fn list<'a>(
    object: &'a Object<String, Value>,
    key: &str,
    place: &FlatPlace,
) -> Result<&'a [Value], FlatError> {
    object.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| {
        FlatError::new(place, format!("`{key}` is missing or not a list, expected a list"), TYPES)
    })
}

/// A value for a message.
fn short(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("`{}`", escaped(&text.chars().take(40).collect::<String>())),
        other => other.to_string(),
    }
}

impl GeoJsonReader {
    fn document(&mut self, value: &Value) -> Result<(), FlatError> {
        let (name, object) = kind(value, &FlatPlace::default())?;
        match name {
            "FeatureCollection" => {
                for (number, feature) in list(object, "features", &FlatPlace::default())?.iter().enumerate() {
                    self.feature(feature, number + 1)?;
                }
                Ok(())
            }
            "Feature" => self.feature(value, 1),
            _ => {
                let mut feature = Feature { role: Role::Ground, layer: 0, place: FlatPlace::default() };
                self.geometry(value, &mut feature, &mut 0)
            }
        }
    }

    fn feature(&mut self, value: &Value, number: usize) -> Result<(), FlatError> {
        let mut place = FlatPlace { feature: Some(number), ..FlatPlace::default() };
        let (name, object) = kind(value, &place)?;
        if name != "Feature" {
            return Err(FlatError::new(&place, format!("the type is `{name}`, expected `Feature`"), TYPES));
        }
        let none = Object::new();
        let properties = object.get("properties").and_then(Value::as_object).unwrap_or(&none);
        place.name = properties.get("name").and_then(Value::as_str).map(Arc::from);
        let (role, layer) = (self.role(properties, &place)?, layer(properties, &place)?);
        match object.get("geometry") {
            // A feature without a geometry is allowed, and adds nothing.
            None | Some(Value::Null) => Ok(()),
            Some(geometry) => self.geometry(geometry, &mut Feature { role, layer, place }, &mut 0),
        }
    }

    fn role(&mut self, properties: &Object<String, Value>, place: &FlatPlace) -> Result<Role, FlatError> {
        let wrong = |what: String, remedy: &str| Err(FlatError::new(place, what, remedy));
        let obstacle = match properties.get("obstacle") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(obstacle)) => *obstacle,
            Some(other) => {
                return wrong(
                    format!("`obstacle` is {}, expected true or false", short(other)),
                    "correct it",
                );
            }
        };
        let cost = match properties.get("cost") {
            None | Some(Value::Null) => None,
            Some(value) => match value.as_f64() {
                Some(cost) => Some(cost),
                None => return wrong(format!("`cost` is {}, expected a number", short(value)), "correct it"),
            },
        };
        let area = properties.get("area").filter(|area| !area.is_null());
        if obstacle && area.is_some() {
            return wrong("it is an obstacle and has an area, expected one of them".to_owned(), "remove one");
        }
        match area {
            _ if obstacle => Ok(Role::Obstacle),
            None if cost.is_some() => wrong("it has a cost but no area".to_owned(), "name the area as well"),
            None => Ok(Role::Ground),
            Some(Value::String(name)) => Ok(Role::Area(self.areas.named(name, cost, place)?)),
            Some(value) => match value.as_u64().and_then(|id| u8::try_from(id).ok()).filter(|id| *id > 0) {
                Some(id) => Ok(Role::Area(self.areas.numbered(id, cost, place)?)),
                None => wrong(
                    format!("`area` is {}, expected a name or an id of 1 to 255", short(value)),
                    "correct it; for unwalkable ground, use `\"obstacle\": true`",
                ),
            },
        }
    }

    /// A geometry, and those within it. JSON that is nested too deep was refused earlier.
    fn geometry(&mut self, value: &Value, feature: &mut Feature, count: &mut usize) -> Result<(), FlatError> {
        let (name, object) = kind(value, &feature.place)?;
        match name {
            "GeometryCollection" => list(object, "geometries", &feature.place)?
                .iter()
                .try_for_each(|geometry| self.geometry(geometry, feature, count)),
            "Polygon" => self.polygon(list(object, "coordinates", &feature.place)?, feature, count),
            "MultiPolygon" => {
                for polygon in list(object, "coordinates", &feature.place)? {
                    match polygon.as_array() {
                        Some(rings) => self.polygon(rings, feature, count)?,
                        None => {
                            let what =
                                format!("found {}, expected a polygon's list of rings", short(polygon));
                            return Err(FlatError::new(&feature.place, what, TYPES));
                        }
                    }
                }
                Ok(())
            }
            _ => {
                Err(FlatError::new(&feature.place, format!("the type is `{name}`, expected polygons"), TYPES))
            }
        }
    }

    fn polygon(&mut self, rings: &[Value], feature: &Feature, count: &mut usize) -> Result<(), FlatError> {
        *count += 1;
        let mut place = FlatPlace { polygon: Some(*count), ..feature.place.clone() };
        let mut read = Vec::with_capacity(rings.len());
        for (number, ring) in rings.iter().enumerate() {
            place.ring = Some(number + 1);
            read.push(points(ring, &place)?);
        }
        place.ring = None;
        let mut read = read.into_iter();
        // A polygon without rings is allowed, and empty.
        let Some(outline) = read.next() else { return Ok(()) };
        let layer = self.layers.entry(feature.layer).or_default();
        layer.layer = feature.layer;
        let list = feature.role.put(&mut layer.map, Polygon { outline, holes: read.collect() });
        layer.places[list as usize].push(place);
        Ok(())
    }
}

fn layer(properties: &Object<String, Value>, place: &FlatPlace) -> Result<i32, FlatError> {
    match properties.get("layer") {
        None | Some(Value::Null) => Ok(0),
        Some(value) => value.as_i64().and_then(|layer| i32::try_from(layer).ok()).ok_or_else(|| {
            let what = format!("`layer` is {}, expected a whole number of 32 bits", short(value));
            FlatError::new(place, what, "correct it")
        }),
    }
}

/// Points of a ring. The last one must equal the first; it is left out.
fn points(ring: &Value, place: &FlatPlace) -> Result<Vec<[f64; 2]>, FlatError> {
    let Some(values) = ring.as_array() else {
        let what = format!("found {}, expected a ring's list of positions", short(ring));
        return Err(FlatError::new(place, what, "a ring is a list of [x, y]"));
    };
    let mut points = Vec::with_capacity(values.len());
    for (number, value) in values.iter().enumerate() {
        let position = match value.as_array().map(Vec::as_slice) {
            Some([x, y, ..]) => x.as_f64().zip(y.as_f64()).filter(|(x, y)| x.is_finite() && y.is_finite()),
            _ => None,
        };
        let Some((x, y)) = position else {
            let place = FlatPlace { point: Some(number + 1), ..place.clone() };
            let what = format!("found {}, expected a position of two finite numbers", short(value));
            return Err(FlatError::new(&place, what, "a position is [x, y]"));
        };
        points.push([x, y]);
    }
    if points.len() > 1 && points.first() != points.last() {
        let place = FlatPlace { point: Some(points.len()), ..place.clone() };
        let what = format!(
            "the ring is open: it ends at {:?}, expected {:?} again",
            points[points.len() - 1],
            points[0]
        );
        return Err(FlatError::new(&place, what, "repeat the first position at the end"));
    }
    points.pop();
    if points.len() < 3 {
        let what = {
            let corners = counted(points.len() as u64, "corner", "corners");
            format!("the ring has {corners}, expected at least 3")
        };
        return Err(FlatError::new(place, what, "a ring has three corners, and the first once more"));
    }
    Ok(points)
}
