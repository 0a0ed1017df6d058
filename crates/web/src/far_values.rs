//! Clusters, portals and stops of far paths as values of JavaScript: plain objects, which JSON can hold.

use crate::convert::{Answer, fail, list, object};
use crate::options::{FromValue, Item, key};
use hierarchy::{ClusterCoord, ClusterGrid, FarStop, Portal};
use wasm_bindgen::prelude::JsValue;

/// The tiles of a cluster.
pub(crate) fn square(grid: ClusterGrid, cluster: ClusterCoord) -> JsValue {
    let [x, z] = grid.columns(cluster).next().unwrap_or_default();
    object(&[("x", x.into()), ("z", z.into()), ("columns", grid.tiles.into())])
}

pub(crate) fn stop_of(grid: ClusterGrid, FarStop { point, cluster }: FarStop) -> JsValue {
    object(&[("point", list(point)), ("tiles", square(grid, cluster))])
}

pub(crate) fn cluster(ClusterCoord { x, z }: ClusterCoord) -> JsValue {
    object(&[("x", x.into()), ("z", z.into())])
}

/// A portal as a plain object, which JSON can hold.
pub(crate) fn described(portal: &Portal) -> JsValue {
    let clusters = ("clusters", list(portal.clusters().map(cluster)));
    match *portal {
        Portal::Border { along, height, .. } => {
            object(&[("kind", "border".into()), clusters, ("along", along.into()), ("height", height.into())])
        }
        Portal::Link { places, .. } => {
            // Places that tiles can have are exact.
            let numbers = |place: [i64; 3]| list(place.map(|number| number as f64));
            object(&[("kind", "link".into()), clusters, ("places", list(places.map(numbers)))])
        }
    }
}

/// A value that a call takes.
pub(crate) fn read<T: FromValue>(name: &str, value: &JsValue) -> Answer<T> {
    T::read(value).ok_or_else(|| fail(format!("{name} is not {}", T::KIND)))
}

impl Item for [i32; 3] {
    const LIST: &'static str = "a list of tiles, x, z and layer each";
}

impl FromValue for ClusterCoord {
    const KIND: &'static str = "a cluster, x and z";
    fn read(value: &JsValue) -> Option<Self> {
        Some(ClusterCoord { x: key(value, "x")?, z: key(value, "z")? })
    }
}

impl Item for ClusterCoord {
    const LIST: &'static str = "a list of clusters, x and z each";
}

impl FromValue for Portal {
    const KIND: &'static str = "a portal of `portalsIn`";
    fn read(value: &JsValue) -> Option<Self> {
        let clusters = <[ClusterCoord; 2]>::try_from(key::<Vec<ClusterCoord>>(value, "clusters")?).ok()?;
        match key::<String>(value, "kind")?.as_str() {
            "border" => {
                let along = key::<u32>(value, "along")?.try_into().ok()?;
                Some(Portal::Border { clusters, along, height: key(value, "height")? })
            }
            "link" => {
                let places = <[[f64; 3]; 2]>::try_from(key::<Vec<[f64; 3]>>(value, "places")?).ok()?;
                Some(Portal::Link { clusters, places: places.map(|place| place.map(|number| number as i64)) })
            }
            _ => None,
        }
    }
}

impl Item for Portal {
    const LIST: &'static str = "a list of portals of `portalsIn`";
}
