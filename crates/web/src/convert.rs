//! Points, options and texts between JavaScript and Rust.

use js_sys::{Float32Array, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use wasm_bindgen::prelude::{JsError, JsValue};

/// The result of a call: an error is thrown as an `Error`.
pub(crate) type Answer<T> = Result<T, JsError>;

/// An error that is thrown.
pub(crate) fn fail(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}

/// A point that is called `name` in errors.
pub(crate) fn point(name: &str, values: &[f64]) -> Answer<[f64; 3]> {
    <[f64; 3]>::try_from(values)
        .map_err(|_| fail(format!("{name} has {} numbers, expected x, y and z in metres", values.len())))
}

/// Points behind each other.
pub(crate) fn points(name: &str, values: &[f64]) -> Answer<Vec<[f64; 3]>> {
    let (points, rest) = values.as_chunks::<3>();
    if rest.is_empty() {
        return Ok(points.to_vec());
    }
    Err(fail(format!("{name} has {} numbers, expected x, y and z of each point", values.len())))
}

/// Options from JavaScript, and their keys: one that is misspelt is not to be passed over.
pub(crate) trait Options: DeserializeOwned + Default {
    const KEYS: &'static [&'static str];
}

/// Options: an object without unknown keys, or nothing.
pub(crate) fn options<T: Options>(name: &str, value: JsValue) -> Answer<T> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    for key in Object::keys(&Object::from(value.clone())).iter().filter_map(|key| key.as_string()) {
        if !T::KEYS.contains(&key.as_str()) {
            return Err(fail(format!(
                "{name}: there is no key `{key}`; the keys are {}",
                T::KEYS.join(", ")
            )));
        }
    }
    serde_wasm_bindgen::from_value(value).map_err(|error| fail(format!("{name}: {error}")))
}

/// A value as plain objects, lists and numbers.
pub(crate) fn plain(value: &impl Serialize) -> Answer<JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(fail)
}

/// An object with these keys.
pub(crate) fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        // A new object takes every key.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

/// World positions as numbers for a picture.
pub(crate) fn floats(points: impl IntoIterator<Item = [f64; 3]>) -> Float32Array {
    let flat: Vec<f32> = points.into_iter().flatten().map(|value| value as f32).collect();
    Float32Array::from(flat.as_slice())
}

/// An area as JavaScript has it.
#[derive(Serialize)]
pub(crate) struct AreaAnswer<'a> {
    id: u8,
    name: &'a str,
    flags: u32,
    cost: f32,
    /// 0xrrggbb.
    colour: Option<u32>,
}

impl<'a> AreaAnswer<'a> {
    pub(crate) fn new(
        id: u8,
        name: &'a str,
        flags: u32,
        cost: f32,
        colour: Option<[u8; 3]>,
    ) -> AreaAnswer<'a> {
        let number = |rgb: [u8; 3]| rgb.into_iter().fold(0, |all, part| all << 8 | u32::from(part));
        AreaAnswer { id, name, flags, cost, colour: colour.map(number) }
    }
}
