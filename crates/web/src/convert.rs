//! Points, texts and answers between JavaScript and Rust.

use js_sys::{Array, Float32Array, Object, Reflect};
use std::fmt::Display;
use wasm_bindgen::prelude::{JsError, JsValue};

/// The result of a call; an error is thrown as an `Error`.
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

/// Points, one after another.
pub(crate) fn points(name: &str, values: &[f64]) -> Answer<Vec<[f64; 3]>> {
    let (points, rest) = values.as_chunks::<3>();
    if rest.is_empty() {
        return Ok(points.to_vec());
    }
    Err(fail(format!("{name} has {} numbers, expected x, y and z of each point", values.len())))
}

/// A value as plain objects, lists and numbers.
#[cfg(feature = "bake")]
pub(crate) fn plain(value: &impl serde::Serialize) -> Answer<JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(fail)
}

/// An object with these keys.
pub(crate) fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        // A new object accepts every key.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

/// World positions as numbers for a picture.
pub(crate) fn floats(points: impl IntoIterator<Item = [f64; 3]>) -> Float32Array {
    let flat: Vec<f32> = points.into_iter().flatten().map(|value| value as f32).collect();
    Float32Array::from(flat.as_slice())
}

/// A list of values.
pub(crate) fn list<T: Into<JsValue>>(values: impl IntoIterator<Item = T>) -> JsValue {
    values.into_iter().map(Into::into).collect::<Array>().into()
}

/// An area for JavaScript; its colour is 0xrrggbb.
pub(crate) fn area(id: u8, name: &str, flags: u32, cost: f32, colour: Option<[u8; 3]>) -> JsValue {
    let number = |rgb: [u8; 3]| rgb.into_iter().fold(0, |all, part| all << 8 | u32::from(part));
    object(&[
        ("id", id.into()),
        ("name", name.into()),
        ("flags", flags.into()),
        ("cost", cost.into()),
        ("colour", colour.map_or(JsValue::NULL, |rgb| number(rgb).into())),
    ])
}
